#!/usr/bin/env bash
# docs.sh - documents, manual and completions agree with the command; the programs in them compile
# documents.sh runs the commands that documents show.
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
need python3
make_log average server.blg

ran=tools/check-docs
report=$("$PMON_SOURCE_DIR/tools/check-docs" 2>&1) && ok || bad "$report"

# ---- Programs ----------------------------------------------------------------------------------------

# The program of README and of libpmon(3) compile, and print what the comment says.
sed -n '/^```c$/,/^```$/p' "$PMON_SOURCE_DIR/README.md" | sed '1d;$d' >example.c
{
	printf '#include <stdio.h>\n#include <pmon/pmon.h>\nint\nmain(void)\n{\n'
	sed -n '/^\.Bd -literal/,/^\.Ed/p' "$PMON_SOURCE_DIR/docs/man/libpmon.3" |
		sed '/^\./d; s/\\e/\\/g'
	printf '\treturn 0;\n}\n'
} >manual.c
library=${PMON_BUILD_DIR:-}/libpmon.a
for program in example manual; do
	ran="$program.c"
	warnings=$("${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$PMON_SOURCE_DIR/include" -c \
		$program.c -o $program.o 2>&1) && ok || bad "$warnings"
	# A sanitizer's run-time is not for such programs.
	if [ -r "$library" ] && ! grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt"; then
		libs=$(sed -n 's/^Libs.private: *//p' "$PMON_BUILD_DIR/pmon.pc" 2>/dev/null)
		# shellcheck disable=SC2086 # words
		report=$("${CC:-cc}" $program.o "$library" ${libs:--lm} -o $program 2>&1) && ok ||
			bad "$report"
		same 'what it prints' "$(./$program)" '0.15 s'
	fi
done

# ---- The manual ---------------------------------------------------------------------------------

if command -v mandoc >/dev/null; then
	for page in "$PMON_SOURCE_DIR"/docs/man/*.[1-8]; do
		ran="mandoc -Tlint $page"
		report=$(mandoc -Tlint -Wwarning "$page" 2>&1) && ok || bad "$report"
	done
fi

# ---- Completion in bash -------------------------------------------------------------------------

# complete WORDS...: what is proposed for the last word. $2 of the function is that word without its
# opening quote, as bash gives it.
complete_words() {
	PATH=$(dirname "$PMON_BIN"):$PATH bash --norc -c '
		source "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		last=${COMP_WORDS[COMP_CWORD]}
		_pmon pmon "${last#\"}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$PMON_SOURCE_DIR/completions/pmon.bash" "$@" | sort | paste -sd '|'
}
ran='completion in bash'
same 'verb' "$(complete_words pmon st)" stats
same 'file' "$(complete_words pmon stats serv)" server.blg
same 'options' "$(complete_words pmon stats --t)" '--times-1000|--to|--tz'
same 'options of the verb only' "$(complete_words pmon types --t)" ''
same 'format' "$(complete_words pmon values --format '')" 'csv|json|text'
same 'format with =' "$(complete_words pmon values --format = j)" json
same 'policy' "$(complete_words pmon values --policy c)" clamp
same 'color' "$(complete_words pmon values --color '')" 'always|auto|never'
same 'tz' "$(complete_words pmon values --tz l)" 'local|log'
same 'engine' "$(complete_words pmon push --to victoriametrics)" 'victoriametrics+http://|victoriametrics+https://'
same 'verb of help' "$(complete_words pmon help ex)" explain
if [ "$(basename "$PMON_BIN")" = pmon ]; then
	same 'counter of the named file' "$(complete_words pmon stats server.blg -c '"\mem')" \
		'\Memory\Available MBytes'
	same 'counters with spaces and parentheses' \
		"$(complete_words pmon stats server.blg -c '"\PhysicalDisk(0 C:)\')" \
		'\PhysicalDisk(0 C:)\Avg. Disk sec/Read|\PhysicalDisk(0 C:)\Disk Reads/sec'
	same 'in quotes when there are none' "$(complete_words pmon stats server.blg -c '\mem')" \
		"'\\Memory\\Available MBytes'"
	same 'no file for relog, no counters' "$(complete_words pmon relog -c '"\mem')" ''
	here=$("$PMON_BIN" list 2>/dev/null | grep '^.System.Threads' | sort | paste -sd '|')
	same 'no file, this machine' "$(complete_words pmon stats -c '"\system\threads')" "$here"
	same 'counters of typeperf' "$(complete_words pmon typeperf '"\system\threads')" "$here"
	same 'type' "$(complete_words pmon calc -t perf_average_t)" PERF_AVERAGE_TIMER
fi
for shell in 'zsh _pmon' 'fish pmon.fish'; do
	set -- $shell
	if command -v "$1" >/dev/null; then
		ran="$1 -n $2"
		report=$("$1" -n "$PMON_SOURCE_DIR/completions/$2" 2>&1) && ok || bad "$report"
	fi
done

finish
