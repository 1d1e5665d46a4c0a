# bash completion for pmon
# SPDX-License-Identifier: MIT

# BEGIN of what tools/gen-completions writes
_pmon_verbs='info list stats values raw explain find health trend changes diff watch chart report top view serve rules calc types record push query rollup relog typeperf help'

# The options of a verb.
_pmon_options() {
	case $1 in
	info) echo '--tz --format --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked --color --raw-names --no-sandbox -h --help' ;;
	list) echo '-c --counter -cf --counters-from --format -q -qx -l --long --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked --root --replay --pid-names --color --raw-names --no-sandbox -h --help' ;;
	stats) echo '-c --counter -cf --counters-from --from --to --tz --format --digits --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --by --identity --where --sort --limit --percentile --per-cpu --color --raw-names --no-sandbox -h --help' ;;
	values) echo '-c --counter -cf --counters-from --from --to --tz --format --digits --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --by --identity --per-cpu --color --raw-names --no-sandbox -h --help' ;;
	raw) echo '-c --counter -cf --counters-from --from --to --tz --format --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --color --raw-names --no-sandbox -h --help' ;;
	explain) echo '-c --counter -cf --counters-from --from --to --tz --format --policy --cap --scale --times-1000 --at -t --type -F --time-base --size --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --color --no-sandbox -h --help' ;;
	find) echo '--show --from --to --tz --format --digits --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --color --raw-names --no-sandbox -h --help' ;;
	health) echo '--from --to --tz --pack --rules --all --format --digits --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --color --raw-names --no-sandbox -h --help' ;;
	trend) echo '-c --counter -cf --counters-from --from --to --tz --format --digits --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --color --raw-names --no-sandbox -h --help' ;;
	changes) echo '--at --window --from --to --tz -c --counter -cf --counters-from --format --digits --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --color --raw-names --no-sandbox -h --help' ;;
	diff) echo '--before --after -c --counter -cf --counters-from --from --to --tz --format --digits --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --color --raw-names --no-sandbox -h --help' ;;
	watch) echo '--pack --rules --show --repeat --exec --webhook --journal --replay --format --digits --from --to --tz --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --pid-names --identity --color --raw-names --no-sandbox -h --help' ;;
	chart) echo '-c --counter -cf --counters-from --from --to --tz --policy --cap --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --kind -o --output --size --dpi --theme --threshold --title --ascii --identity -y --yes --sync --color --no-sandbox -h --help' ;;
	report) echo '-c --counter -cf --counters-from --from --to --tz --policy --cap --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names -o --output --pack --rules --baseline --title --identity -y --yes --sync --color --no-sandbox -h --help' ;;
	top) echo '-c --counter -cf --counters-from --from --to --tz --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --per-cpu --color --no-sandbox -h --help' ;;
	view) echo '-c --counter -cf --counters-from --policy --cap --scale --times-1000 --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval --root --replay --pid-names --identity --history --compare --port --listen --host-name --insecure --no-browser --no-sandbox -h --help' ;;
	serve) echo '-c --counter -cf --counters-from --from --to --tz --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval --root --replay --pid-names --identity --port --listen --host-name --insecure --labels --metrics --token-file --tls-cert --tls-key --tls-client-ca --speed --no-sandbox -h --help' ;;
	rules) echo '-c --counter -cf --counters-from --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked --root --replay --pid-names --pack --rules --labels --alerts --alias --window --no-sandbox -h --help' ;;
	calc) echo '--format --digits --policy --cap --scale --times-1000 -t --type -F --time-base --size --explain --color -h --help' ;;
	types) echo '--format --color -h --help' ;;
	record) echo '-c --counter -cf --counters-from -i --interval -n --count --duration --root --replay --pid-names --machine -y --yes -o --output --format --max-size --rotate --names --circular --keep --keep-age --keep-size --append --sync -q --quiet -h --help' ;;
	push) echo '-c --counter -cf --counters-from --from --tz --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked -i --interval -n --count --duration --root --replay --pid-names --identity --to --until --dry-run --verify --again --insecure --user --password-file --token-file --ca-file --cluster --retry --retention --accept-id --state-dir --batch --no-sandbox -h --help' ;;
	query) echo '-c --counter -cf --counters-from --from --to --tz --by --top --print --format --digits --insecure --user --password-file --token-file --ca-file --cluster --retry --color --raw-names -h --help' ;;
	rollup) echo '--begin --end --again --dry-run -v --verbose --insecure --user --password-file --token-file --ca-file --cluster --retry -h --help' ;;
	relog) echo '-c --counter -cf --counters-from -f -t -o -b -e -a -config -q -? --help --step --from --to --tz --merge --digits --policy --dry-run -y --yes --sync --machine --encoding --known-types --dst-repair --names --names-table --max-unpacked --no-sandbox' ;;
	typeperf) echo '-f -c --counter -cf --counters-from -si -o -q -qx -sc -config -s -y -? --help --tz --digits --policy --root --replay --pid-names' ;;
	help) echo '-h --help' ;;
	esac
}

# What the argument of an option of a verb is: a kind, and words to choose from.
_pmon_argument() {
	case $1:$2 in
	'info:--tz' | 'stats:--tz' | 'values:--tz' | 'raw:--tz' | 'explain:--tz' | 'find:--tz' | 'health:--tz' | 'trend:--tz' | 'changes:--tz' | 'diff:--tz' | 'watch:--tz' | 'chart:--tz' | 'report:--tz' | 'top:--tz' | 'serve:--tz' | 'push:--tz' | 'query:--tz' | 'relog:--tz' | 'typeperf:--tz') echo 'words log utc local' ;;
	'info:--format' | 'list:--format' | 'stats:--format' | 'values:--format' | 'raw:--format' | 'explain:--format' | 'find:--format' | 'health:--format' | 'trend:--format' | 'changes:--format' | 'diff:--format' | 'watch:--format' | 'calc:--format' | 'types:--format' | 'query:--format') echo 'words text csv json' ;;
	'info:--machine' | 'info:--max-unpacked' | 'list:--machine' | 'list:--max-unpacked' | 'stats:--from' | 'stats:--to' | 'stats:--machine' | 'stats:--max-unpacked' | 'stats:-i' | 'stats:--interval' | 'stats:-n' | 'stats:--count' | 'stats:--duration' | 'stats:--where' | 'stats:--sort' | 'stats:--limit' | 'stats:--percentile' | 'values:--from' | 'values:--to' | 'values:--machine' | 'values:--max-unpacked' | 'values:-i' | 'values:--interval' | 'values:-n' | 'values:--count' | 'values:--duration' | 'raw:--from' | 'raw:--to' | 'raw:--machine' | 'raw:--max-unpacked' | 'raw:-i' | 'raw:--interval' | 'raw:-n' | 'raw:--count' | 'raw:--duration' | 'explain:--from' | 'explain:--to' | 'explain:--at' | 'explain:-F' | 'explain:--time-base' | 'explain:--machine' | 'explain:--max-unpacked' | 'explain:-i' | 'explain:--interval' | 'explain:-n' | 'explain:--count' | 'explain:--duration' | 'find:--show' | 'find:--from' | 'find:--to' | 'find:--machine' | 'find:--max-unpacked' | 'find:-i' | 'find:--interval' | 'find:-n' | 'find:--count' | 'find:--duration' | 'health:--from' | 'health:--to' | 'health:--pack' | 'health:--machine' | 'health:--max-unpacked' | 'health:-i' | 'health:--interval' | 'health:-n' | 'health:--count' | 'health:--duration' | 'trend:--from' | 'trend:--to' | 'trend:--machine' | 'trend:--max-unpacked' | 'trend:-i' | 'trend:--interval' | 'trend:-n' | 'trend:--count' | 'trend:--duration' | 'changes:--at' | 'changes:--window' | 'changes:--from' | 'changes:--to' | 'changes:--machine' | 'changes:--max-unpacked' | 'changes:-i' | 'changes:--interval' | 'changes:-n' | 'changes:--count' | 'changes:--duration' | 'diff:--before' | 'diff:--after' | 'diff:--from' | 'diff:--to' | 'diff:--machine' | 'diff:--max-unpacked' | 'diff:-i' | 'diff:--interval' | 'diff:-n' | 'diff:--count' | 'diff:--duration' | 'watch:--pack' | 'watch:--show' | 'watch:--repeat' | 'watch:--exec' | 'watch:--from' | 'watch:--to' | 'watch:--machine' | 'watch:--max-unpacked' | 'watch:-i' | 'watch:--interval' | 'watch:-n' | 'watch:--count' | 'watch:--duration' | 'chart:--from' | 'chart:--to' | 'chart:--machine' | 'chart:--max-unpacked' | 'chart:-i' | 'chart:--interval' | 'chart:-n' | 'chart:--count' | 'chart:--duration' | 'chart:--size' | 'chart:--dpi' | 'chart:--threshold' | 'chart:--title' | 'report:--from' | 'report:--to' | 'report:--machine' | 'report:--max-unpacked' | 'report:-i' | 'report:--interval' | 'report:-n' | 'report:--count' | 'report:--duration' | 'report:--pack' | 'report:--title' | 'top:--from' | 'top:--to' | 'top:--machine' | 'top:--max-unpacked' | 'top:-i' | 'top:--interval' | 'top:-n' | 'top:--count' | 'top:--duration' | 'view:--machine' | 'view:--max-unpacked' | 'view:-i' | 'view:--interval' | 'view:--history' | 'view:--port' | 'view:--listen' | 'view:--host-name' | 'serve:--from' | 'serve:--to' | 'serve:--machine' | 'serve:--max-unpacked' | 'serve:-i' | 'serve:--interval' | 'serve:--port' | 'serve:--listen' | 'serve:--host-name' | 'serve:--speed' | 'rules:--machine' | 'rules:--max-unpacked' | 'rules:--pack' | 'rules:--window' | 'calc:-F' | 'calc:--time-base' | 'record:-i' | 'record:--interval' | 'record:-n' | 'record:--count' | 'record:--duration' | 'record:--machine' | 'record:--max-size' | 'record:--rotate' | 'record:--keep' | 'record:--keep-age' | 'record:--keep-size' | 'record:--sync' | 'push:--from' | 'push:--machine' | 'push:--max-unpacked' | 'push:-i' | 'push:--interval' | 'push:-n' | 'push:--count' | 'push:--duration' | 'push:--until' | 'push:--user' | 'push:--cluster' | 'push:--retry' | 'push:--retention' | 'push:--batch' | 'query:--from' | 'query:--to' | 'query:--top' | 'query:--user' | 'query:--cluster' | 'query:--retry' | 'rollup:--begin' | 'rollup:--end' | 'rollup:--user' | 'rollup:--cluster' | 'rollup:--retry' | 'relog:-t' | 'relog:-b' | 'relog:-e' | 'relog:--step' | 'relog:--from' | 'relog:--to' | 'relog:--digits' | 'relog:--machine' | 'relog:--max-unpacked' | 'typeperf:-si' | 'typeperf:-sc' | 'typeperf:-s' | 'typeperf:--digits') echo 'free' ;;
	'info:--encoding' | 'list:--encoding' | 'stats:--encoding' | 'values:--encoding' | 'raw:--encoding' | 'explain:--encoding' | 'find:--encoding' | 'health:--encoding' | 'trend:--encoding' | 'changes:--encoding' | 'diff:--encoding' | 'watch:--encoding' | 'chart:--encoding' | 'report:--encoding' | 'top:--encoding' | 'view:--encoding' | 'serve:--encoding' | 'rules:--encoding' | 'push:--encoding' | 'relog:--encoding') echo 'words UTF-8 CP1252 SHIFT_JIS' ;;
	'info:--known-types' | 'info:--names-table' | 'list:-cf' | 'list:--counters-from' | 'list:--known-types' | 'list:--names-table' | 'stats:-cf' | 'stats:--counters-from' | 'stats:--known-types' | 'stats:--names-table' | 'values:-cf' | 'values:--counters-from' | 'values:--known-types' | 'values:--names-table' | 'raw:-cf' | 'raw:--counters-from' | 'raw:--known-types' | 'raw:--names-table' | 'explain:-cf' | 'explain:--counters-from' | 'explain:--known-types' | 'explain:--names-table' | 'find:--known-types' | 'find:--names-table' | 'health:--rules' | 'health:--known-types' | 'health:--names-table' | 'trend:-cf' | 'trend:--counters-from' | 'trend:--known-types' | 'trend:--names-table' | 'changes:-cf' | 'changes:--counters-from' | 'changes:--known-types' | 'changes:--names-table' | 'diff:-cf' | 'diff:--counters-from' | 'diff:--known-types' | 'diff:--names-table' | 'watch:--rules' | 'watch:--replay' | 'watch:--known-types' | 'watch:--names-table' | 'chart:-cf' | 'chart:--counters-from' | 'chart:--known-types' | 'chart:--names-table' | 'chart:-o' | 'chart:--output' | 'report:-cf' | 'report:--counters-from' | 'report:--known-types' | 'report:--names-table' | 'report:-o' | 'report:--output' | 'report:--rules' | 'report:--baseline' | 'top:-cf' | 'top:--counters-from' | 'top:--known-types' | 'top:--names-table' | 'view:-cf' | 'view:--counters-from' | 'view:--known-types' | 'view:--names-table' | 'view:--compare' | 'serve:-cf' | 'serve:--counters-from' | 'serve:--known-types' | 'serve:--names-table' | 'serve:--token-file' | 'serve:--tls-cert' | 'serve:--tls-key' | 'serve:--tls-client-ca' | 'rules:-cf' | 'rules:--counters-from' | 'rules:--known-types' | 'rules:--names-table' | 'rules:--rules' | 'record:-cf' | 'record:--counters-from' | 'record:-o' | 'record:--output' | 'push:-cf' | 'push:--counters-from' | 'push:--known-types' | 'push:--names-table' | 'push:--password-file' | 'push:--token-file' | 'push:--ca-file' | 'query:-cf' | 'query:--counters-from' | 'query:--password-file' | 'query:--token-file' | 'query:--ca-file' | 'rollup:--password-file' | 'rollup:--token-file' | 'rollup:--ca-file' | 'relog:-cf' | 'relog:--counters-from' | 'relog:-o' | 'relog:-config' | 'relog:--known-types' | 'relog:--names-table' | 'typeperf:-cf' | 'typeperf:--counters-from' | 'typeperf:-o' | 'typeperf:-config') echo 'files' ;;
	'info:--names' | 'list:--names' | 'stats:--names' | 'values:--names' | 'raw:--names' | 'explain:--names' | 'find:--names' | 'health:--names' | 'trend:--names' | 'changes:--names' | 'diff:--names' | 'watch:--names' | 'chart:--names' | 'report:--names' | 'top:--names' | 'view:--names' | 'serve:--names' | 'rules:--names' | 'push:--names' | 'relog:--names') echo 'words log en' ;;
	'info:--color' | 'list:--color' | 'stats:--color' | 'values:--color' | 'raw:--color' | 'explain:--color' | 'find:--color' | 'health:--color' | 'trend:--color' | 'changes:--color' | 'diff:--color' | 'watch:--color' | 'chart:--color' | 'report:--color' | 'top:--color' | 'calc:--color' | 'types:--color' | 'query:--color') echo 'words auto always never' ;;
	'list:-c' | 'list:--counter' | 'stats:-c' | 'stats:--counter' | 'values:-c' | 'values:--counter' | 'raw:-c' | 'raw:--counter' | 'explain:-c' | 'explain:--counter' | 'trend:-c' | 'trend:--counter' | 'changes:-c' | 'changes:--counter' | 'diff:-c' | 'diff:--counter' | 'chart:-c' | 'chart:--counter' | 'report:-c' | 'report:--counter' | 'top:-c' | 'top:--counter' | 'view:-c' | 'view:--counter' | 'serve:-c' | 'serve:--counter' | 'rules:-c' | 'rules:--counter' | 'record:-c' | 'record:--counter' | 'push:-c' | 'push:--counter' | 'query:-c' | 'query:--counter' | 'relog:-c' | 'relog:--counter' | 'typeperf:-c' | 'typeperf:--counter') echo 'counters' ;;
	'list:--root' | 'list:--replay' | 'stats:--root' | 'stats:--replay' | 'values:--root' | 'values:--replay' | 'raw:--root' | 'raw:--replay' | 'explain:--root' | 'explain:--replay' | 'find:--root' | 'find:--replay' | 'health:--root' | 'health:--replay' | 'trend:--root' | 'trend:--replay' | 'changes:--root' | 'changes:--replay' | 'diff:--root' | 'diff:--replay' | 'watch:--root' | 'chart:--root' | 'chart:--replay' | 'report:--root' | 'report:--replay' | 'top:--root' | 'top:--replay' | 'view:--root' | 'view:--replay' | 'serve:--root' | 'serve:--replay' | 'rules:--root' | 'rules:--replay' | 'record:--root' | 'record:--replay' | 'push:--root' | 'push:--replay' | 'push:--state-dir' | 'typeperf:--root' | 'typeperf:--replay') echo 'folders' ;;
	'stats:--digits' | 'values:--digits' | 'find:--digits' | 'health:--digits' | 'trend:--digits' | 'changes:--digits' | 'diff:--digits' | 'watch:--digits' | 'calc:--digits' | 'query:--digits') echo 'words short full' ;;
	'stats:--policy' | 'values:--policy' | 'explain:--policy' | 'find:--policy' | 'trend:--policy' | 'changes:--policy' | 'diff:--policy' | 'watch:--policy' | 'chart:--policy' | 'report:--policy' | 'top:--policy' | 'view:--policy' | 'calc:--policy' | 'relog:--policy' | 'typeperf:--policy') echo 'words default strict clamp' ;;
	'stats:--by') echo 'words machine instance object process' ;;
	'stats:--identity' | 'values:--identity' | 'explain:--identity' | 'find:--identity' | 'health:--identity' | 'trend:--identity' | 'changes:--identity' | 'diff:--identity' | 'watch:--identity' | 'chart:--identity' | 'report:--identity' | 'top:--identity' | 'view:--identity' | 'serve:--identity' | 'push:--identity') echo 'words process windows' ;;
	'values:--by') echo 'words process' ;;
	'explain:-t' | 'explain:--type' | 'calc:-t' | 'calc:--type') echo 'types' ;;
	'explain:--size' | 'calc:--size') echo 'words 4 8' ;;
	'watch:--webhook' | 'push:--to') echo 'words clickhouse+http:// clickhouse+https:// prometheus+http:// prometheus+https:// victoriametrics+http:// victoriametrics+https:// postgresql://' ;;
	'chart:--kind') echo 'words line area stacked bar heatmap' ;;
	'chart:--theme') echo 'words light dark' ;;
	'serve:--labels' | 'rules:--labels') echo 'words target classic' ;;
	'record:--format') echo 'words blg csv tsv sqlite jsonl' ;;
	'record:--names') echo 'words number date' ;;
	'query:--by') echo 'words machine instance object' ;;
	'relog:-f' | 'typeperf:-f') echo 'words BIN CSV TSV SQL JSONL JSONL-VALUES OPENMETRICS PROMETHEUS' ;;
	esac
}
# END of what tools/gen-completions writes

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
	local cur prev verb kind words

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
		mapfile -t COMPREPLY < <(compgen -W "$_pmon_verbs --help --version" -- "$cur"; compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
		return
	fi
	case $verb:$prev in
	typeperf:-q | typeperf:-qx)
		mapfile -t COMPREPLY < <(compgen -W "$(_pmon_objects)" -- "$cur")
		return
		;;
	esac
	read -r kind words <<<"$(_pmon_argument "$verb" "$prev")"
	case $kind in
	words)
		case $verb:$prev in
		relog:-f | typeperf:-f) mapfile -t COMPREPLY < <(compgen -W "$words" -- "${cur^^}") ;;
		*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
		esac
		[ "$verb:$prev" != push:--to ] || compopt -o nospace 2>/dev/null
		return
		;;
	counters)
		_pmon_counters "$2"
		return
		;;
	types)
		mapfile -t COMPREPLY < <(compgen -W "$(_pmon_types)" -- "${cur^^}")
		return
		;;
	folders)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		compopt -o filenames 2>/dev/null
		return
		;;
	free) return ;;
	esac
	case $verb:$cur in
	typeperf:[\\\"\']*) _pmon_counters "$2" ;;
	*:-*) mapfile -t COMPREPLY < <(compgen -W "$(_pmon_options "$verb")" -- "$cur") ;;
	help:*) mapfile -t COMPREPLY < <(compgen -W "$_pmon_verbs" -- "$cur") ;;
	types:*) mapfile -t COMPREPLY < <(compgen -W "$(_pmon_types)" -- "${cur^^}") ;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
		;;
	esac
}

complete -F _pmon pmon
