# bash completion for pmon
# SPDX-License-Identifier: MIT

# The options of a verb.
_pmon_options() {
	local select='-c --counter -cf --counters-from'
	local window='--from --to --tz'
	local calc='--policy --cap --scale --times-1000'
	local output='--format --color'
	local table="$output --raw-names --no-sandbox"
	local read='--encoding --known-types --dst-repair --names --max-unpacked'
	local host='--root --replay --pid-names'
	local live="-i --interval -n --count --duration $host"
	local raws='-t --type -F --time-base --size'
	local picture='--kind -o --output --size --theme --threshold --title --ascii -y --yes --sync'
	local who='--identity'
	local page='-o --output --rules --title -y --yes --sync'

	case $1 in
	info) echo "--tz --no-cache $read $table" ;;
	list) echo "$select $host $read -q -qx -l --long $table" ;;
	stats) echo "$live $read $select $window $who $calc --by --where $table" ;;
	values) echo "$live $read $select $window $who --by $calc $table" ;;
	raw) echo "$live $read $select $window $table" ;;
	top) echo "$live $read $select $window $who $calc --color --no-sandbox" ;;
	explain) echo "$live $read $select $window $who $calc --at $raws $output --no-sandbox" ;;
	chart) echo "$live $read $select $window --policy --cap $who $picture --color --no-sandbox" ;;
	report) echo "$live $read $select $window --policy --cap $who $page --color --no-sandbox" ;;
	view)
		echo "-i --interval $host $read $select $calc $who --history --compare --port --listen" \
			"--no-browser --insecure --no-sandbox"
		;;
	serve)
		echo "-i --interval $host $read $select $window $who --metrics --speed --port --listen --insecure" \
			"--no-sandbox"
		;;
	rules) echo "$host $read $select --window --no-sandbox" ;;
	calc) echo "$calc $raws --explain $output" ;;
	types) echo "$output" ;;
	record)
		echo "$select $live -o --output --format --max-size --rotate --names --circular --keep" \
			"--keep-age --keep-size --append --sync -y --yes -q --quiet"
		;;
	push)
		echo "$live $read $select $who --from --tz --to --until --dry-run --insecure --user --password-file" \
			"--token-file --ca-file --cluster --state-dir --retry --batch --no-sandbox"
		;;
	relog)
		echo "-c -cf -f -t -o -b -e -a -config -q -y -? --step --from --to --tz --merge" \
			"--digits --policy --dry-run --sync --no-sandbox $read"
		;;
	typeperf)
		echo "-c -cf -f -si -o -q -qx -sc -config -s -y -? --tz --digits --policy $host"
		;;
	esac
	echo '-h --help'
}

# The first file on the command line, to take counters from. Its words are as they were typed.
_pmon_log() {
	local i word

	for ((i = 2; i < ${#COMP_WORDS[@]}; i++)); do
		[ "$i" -ne "$COMP_CWORD" ] || continue
		word=${COMP_WORDS[i]}
		word=${word/#\~/$HOME}
		word=${word//\\/}
		word=${word//[\"\']/}
		if [ -f "$word" ]; then
			printf '%s\n' "$word"
			return
		fi
	done
}

# Counter paths of that file, or else of this machine, that begin with $1. They hold spaces, backslashes and parentheses, so
# that compgen -W is of no use, and stand in single quotes: readline closes those that were opened.
_pmon_counters() {
	local log path prefix=${1,,} quote="'"

	log=$(_pmon_log)
	[ -n "$log" ] || [ "${COMP_WORDS[1]}" != relog ] || return
	case ${COMP_WORDS[COMP_CWORD]} in
	[\"\']*) quote= ;;
	esac
	while IFS= read -r path; do
		[[ ${path,,} != "$prefix"* ]] || COMPREPLY+=("$quote$path$quote")
	done < <(timeout 2 "${COMP_WORDS[0]}" list --color never -- ${log:+"$log"} 2>/dev/null | head -n 5000)
}

# Objects of this machine whose names are one word.
_pmon_objects() {
	timeout 2 "${COMP_WORDS[0]}" list -q 2>/dev/null | sed 's/^.\([^\\(]*\).*/\1/' | sort -u | grep -v ' '
}

_pmon_types() {
	timeout 2 "${COMP_WORDS[0]}" types --format csv 2>/dev/null | cut -d , -f 2 | tail -n +2
}

_pmon() {
	local cur prev verb
	local verbs='info list stats values raw explain chart report top view serve rules calc types record push relog typeperf help'

	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD - 1]}
	verb=${COMP_WORDS[1]:-}
	# "--format=json" comes as three words.
	if [ "$cur" = = ]; then
		cur=
	elif [ "$prev" = = ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	COMPREPLY=()

	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$cur"; compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
		return
	fi
	case $verb:$prev in
	typeperf:-q | typeperf:-qx)
		mapfile -t COMPREPLY < <(compgen -W "$(_pmon_objects)" -- "$cur")
		return
		;;
	relog:-f | typeperf:-f)
		mapfile -t COMPREPLY < <(compgen -W 'BIN CSV TSV SQL JSONL JSONL-VALUES OPENMETRICS PROMETHEUS' -- "${cur^^}")
		return
		;;
	push:--to)
		mapfile -t COMPREPLY < <(compgen -W 'clickhouse+http:// clickhouse+https:// prometheus+http:// prometheus+https:// victoriametrics+http:// victoriametrics+https:// postgresql://' -- "$cur")
		compopt -o nospace 2>/dev/null
		return
		;;
	relog:-t | *:--at | *:--from | *:--to | *:-b | *:-e | *:-F | *:--time-base | *:--step | *:--digits | \
		*:-si | *:-sc | *:-s | *:-i | *:--interval | *:-n | *:--count | *:--duration | chart:--size | *:--threshold | *:--title | \
		*:--max-size | *:--max-unpacked | *:--rotate | *:--keep | *:--keep-age | *:--keep-size | record:--sync | *:--until | *:--user | *:--cluster | *:--retry | *:--batch | *:--history | *:--port | *:--listen | *:--where)
		return
		;;
	*:-c | *:--counter)
		_pmon_counters "$2"
		return
		;;
	record:--format)
		mapfile -t COMPREPLY < <(compgen -W 'blg csv tsv sqlite jsonl' -- "$cur")
		return
		;;
	record:--names)
		mapfile -t COMPREPLY < <(compgen -W 'number date' -- "$cur")
		return
		;;
	*:--format)
		mapfile -t COMPREPLY < <(compgen -W 'text csv json' -- "$cur")
		return
		;;
	stats:--by)
		mapfile -t COMPREPLY < <(compgen -W 'machine instance object process' -- "$cur")
		return
		;;
	values:--by)
		mapfile -t COMPREPLY < <(compgen -W 'process' -- "$cur")
		return
		;;
	*:--identity)
		mapfile -t COMPREPLY < <(compgen -W 'process windows' -- "$cur")
		return
		;;
	*:--policy)
		mapfile -t COMPREPLY < <(compgen -W 'default strict clamp' -- "$cur")
		return
		;;
	*:--color)
		mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur")
		return
		;;
	*:--tz)
		mapfile -t COMPREPLY < <(compgen -W 'log utc local' -- "$cur")
		return
		;;
	*:--kind)
		mapfile -t COMPREPLY < <(compgen -W 'line area stacked bar heatmap' -- "$cur")
		return
		;;
	*:--theme)
		mapfile -t COMPREPLY < <(compgen -W 'light dark' -- "$cur")
		return
		;;
	*:--size)
		mapfile -t COMPREPLY < <(compgen -W '4 8' -- "$cur")
		return
		;;
	*:-t | *:--type)
		mapfile -t COMPREPLY < <(compgen -W "$(_pmon_types)" -- "${cur^^}")
		return
		;;
	esac
	case $verb:$cur in
	typeperf:[\\\"\']*) _pmon_counters "$2" ;;
	*:-*) mapfile -t COMPREPLY < <(compgen -W "$(_pmon_options "$verb")" -- "$cur") ;;
	help:*) mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$cur") ;;
	types:*) mapfile -t COMPREPLY < <(compgen -W "$(_pmon_types)" -- "${cur^^}") ;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
		;;
	esac
}

complete -F _pmon pmon
