#!/usr/bin/env bash
# completions.sh - what bash, zsh and fish complete
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average server.blg
mkdir folder
scripts=$PMON_SOURCE_DIR/completions
PATH=$(dirname "$PMON_BIN"):$PATH
[ "$(basename "$PMON_BIN")" = pmon ] || skip 'pmon has another name'

# tools/check-docs compares the options of each verb with its help.
run help
out_lacks __complete

# ---- Shells --------------------------------------------------------------------------------------

# What the function of bash replies for the last word. $2 of it is that word without its opening quote, as bash gives it.
in_bash() {
	bash --norc -c '
		source "$1"
		shift
		compopt() { :; }
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		last=${COMP_WORDS[COMP_CWORD]}
		_pmon pmon "${last#\"}" "${COMP_WORDS[COMP_CWORD - 1]}"
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$scripts/pmon.bash" "$@" | sort | paste -sd '|'
}

# The function of zsh, with the functions of its completion in another form: they print what they are given. Those
# that complete files are named.
in_zsh() {
	zsh -f -c '
		script=$1
		shift
		words=("$@")
		CURRENT=$#
		PREFIX=${words[CURRENT]}
		compset() { PREFIX=${PREFIX#*=} }
		_files() { print -r -- "files $*" }
		compadd() {
			local all
			if [[ ${@[-2]} == -a ]]; then
				all=(${(P)@[-1]})
			else
				all=(${@[-1]})
			fi
			for each in $all; do
				[[ ${each:l} != ${PREFIX:l}* ]] || print -r -- "$each"
			done
		}
		source $script
	' zsh "$scripts/_pmon" "$@" | sort | paste -sd '|'
}

# In the C locale fish cannot use a PATH that is not ASCII.
in_fish() {
	LC_ALL=C.UTF-8 fish --no-config -c 'source $argv[1]; complete -C "$argv[2..-1]"' "$scripts/pmon.fish" "$@" |
		cut -f 1 | sort | paste -sd '|'
}

# completes WANTED WORDS...: each shell that is here does
completes() {
	local wanted=$1 shell

	shift
	for shell in bash zsh fish; do
		if command -v $shell >/dev/null; then
			same "$shell: $*" "$(in_$shell "$@")" "$wanted"
		fi
	done
}

ran='completions of shells'
completes '--times-1000|--to|--tz' pmon stats --t
completes '' pmon types --zone
completes 'csv|json|text|tidy|tidy-json' pmon values --format ''
completes clamp pmon values --policy c
completes 'local|log' pmon values --tz l
completes 'victoriametrics+http://|victoriametrics+https://' pmon push --to victoriametrics
completes 'otlp+http://|otlp+https://' pmon push --to otlp
completes explain pmon help ex
completes PERF_AVERAGE_TIMER pmon calc -t perf_average_t
completes jsonl pmon record --format js
completes csv pmon relog -f c
completes '' pmon relog -c ''
completes '' pmon nothing --no-such

# What differs: how words are split and quoted, and who finds files.
same 'verb' "$(in_bash pmon sta)" stats
same 'format with =' "$(in_bash pmon values --format = j)" json
same 'file' "$(in_bash pmon stats serv)" server.blg
same 'folder' "$(in_bash pmon push --state-dir '')" folder
same 'counter of the file' "$(in_bash pmon stats server.blg -c '"\mem')" '\Memory\Available MBytes'
same 'counters with parentheses' "$(in_bash pmon stats server.blg -c '"\PhysicalDisk(0 C:)\')" \
	'\PhysicalDisk(0 C:)\Avg. Disk sec/Read|\PhysicalDisk(0 C:)\Disk Reads/sec'
same 'quotes' "$(in_bash pmon stats server.blg -c '\mem')" "'\\Memory\\Available MBytes'"
here=$("$PMON_BIN" list 2>/dev/null | grep '^.System.Threads' | sort | paste -sd '|')
same 'no file, this machine' "$(in_bash pmon stats -c '"\system\threads')" "$here"
same 'operands of typeperf' "$(in_bash pmon typeperf '"\system\threads')" "$here"
same 'object' "$(in_bash pmon typeperf -q Mem)" Memory
if command -v zsh >/dev/null; then
	same 'verb' "$(in_zsh pmon sta)" 'files |stats'
	same 'format with =' "$(in_zsh pmon values --format=j)" json
	same 'file' "$(in_zsh pmon stats serv)" 'files '
	same 'folder' "$(in_zsh pmon push --state-dir '')" 'files -/'
	same 'counter of the file' "$(in_zsh pmon stats server.blg -c '\mem')" '\Memory\Available MBytes'
fi
if command -v fish >/dev/null; then
	same 'verb' "$(in_fish pmon sta)" stats
	same 'format with =' "$(in_fish pmon values --format=j)" --format=json
	same 'file' "$(in_fish pmon stats serv)" server.blg
	same 'folder' "$(in_fish pmon push --state-dir '')" folder/
	same 'counter of the file' "$(in_fish "pmon stats server.blg -c '\\mem")" '\Memory\Available MBytes'
fi
finish
