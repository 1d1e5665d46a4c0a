#!/usr/bin/env bash
# output.sh - broken pipes, full disks, colours, terminals, progress, and names that mean harm
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg
make_log evil e.blg
make_log long long.blg 2000

# ---- Who reads ----------------------------------------------------------------------------------

for args in 'values long.blg' 'raw --format json long.blg' 'values --format csv long.blg' \
	'list long.blg' 'stats long.blg' types help; do
	ran="pmon $args | head -1"
	# shellcheck disable=SC2086 # words
	{
		trap '' PIPE # as it is under some services and in Python
		"$PMON_BIN" $args 2>err
		echo $? >code
	} | head -n 1 >/dev/null
	same 'no words' "$(cat err)" ''
	# shellcheck disable=SC2086
	"$PMON_BIN" $args 2>err | head -n 1 >/dev/null
	same 'no words, with the signal' "$(cat err)" ''
done

if [ -w /dev/full ]; then
	for args in 'info a.blg' 'list a.blg' 'stats a.blg' 'values a.blg' 'raw a.blg' \
		'values --format csv long.blg' 'raw --format json long.blg' 'a.blg' types help --version \
		'calc -t PERF_COUNTER_RAWCOUNT 1:0' 'explain a.blg -c \Memory\*'; do
		ran="pmon $args > /dev/full"
		code=0
		# shellcheck disable=SC2086
		"$PMON_BIN" $args >/dev/full 2>err || code=$?
		same 'exit status' "$code" 1
		same 'one line says it' "$(cat err)" \
			'pmon: cannot write the output: No space left on device'
	done
	for args in 'view --no-browser a.blg' 'serve --metrics a.blg'; do
		ran="pmon $args > /dev/full" # the address would be unknown
		code=0
		# shellcheck disable=SC2086
		timeout 120 "$PMON_BIN" $args >/dev/full 2>err || code=$?
		same 'exit status' "$code" 1
		same 'one line says it' "$(grep -v 'no charts' err)" \
			'pmon: cannot write the output: No space left on device'
	done
fi

# ---- Colours ------------------------------------------------------------------------------------

esc=$(printf '\033')
run stats a.blg
out_lacks "$esc"
run stats --color always a.blg
out_has "$esc[1m"
run stats --color never a.blg
out_lacks "$esc"
NO_COLOR=1 run stats --color always a.blg
out_has "$esc[1m"

# colours_on ENV...: escapes in what a terminal gets
escapes() {
	ran="$* in a terminal"
	in_terminal seen env "$@" || bad "exit status $?"
	grep -c "$esc" seen
}
if command -v python3 >/dev/null; then
	[ "$(escapes TERM=xterm "$PMON_BIN" stats a.blg)" -gt 0 ] && ok || bad 'no colour'
	same 'NO_COLOR' "$(escapes TERM=xterm NO_COLOR=1 "$PMON_BIN" stats a.blg)" 0
	[ "$(escapes TERM=xterm NO_COLOR= "$PMON_BIN" stats a.blg)" -gt 0 ] && ok ||
		bad 'an empty NO_COLOR counts as none'
	same 'a dumb terminal' "$(escapes TERM=dumb "$PMON_BIN" stats a.blg)" 0
	same '--color never' "$(escapes TERM=xterm "$PMON_BIN" stats --color never a.blg)" 0
	same 'a short work shows no progress' \
		"$(ONLY_ERR=1 escapes TERM=xterm "$PMON_BIN" stats a.blg)" 0

	# The table of a narrow terminal has fewer columns, that of a pipe has all.
	COLUMNS_WANTED=80 in_terminal seen "$PMON_BIN" stats --color never a.blg
	grep -q 'Samples\|  at  ' seen && bad 'counts and times at 80 columns' || ok
	COLUMNS_WANTED=110 in_terminal seen "$PMON_BIN" stats --color never a.blg
	same 'fits 110 columns' "$(awk 'length > 110' seen)" ''
	grep -q Samples seen && ok || bad 'no counts at 110 columns'
	run stats a.blg
	out_has 'Maximum  at'

	# Work of more than a second shows its progress and then erases it; only on a terminal.
	# How many times a log must be read for that depends on the machine and on what else it does,
	# so the run that is judged is the one that is timed.
	n=4
	for _ in 1 2 3 4 5; do
		files=()
		for ((i = 0; i < n; i++)); do files+=(long.blg); done
		ran="pmon values --format csv, $n times long.blg"
		start=$(date +%s%N)
		ONLY_ERR=1 in_terminal seen "$PMON_BIN" values --format csv "${files[@]}"
		took=$((($(date +%s%N) - start) / 1000000))
		[ $took -lt 4000 ] || break
		n=$((n * 5000 / took + 1))
	done
	if [ $took -ge 4000 ]; then # starting the terminal is a part of it
		grep -q 'reading: ' seen && ok || bad "no progress in $took ms"
		same 'and nothing is left of it' "$(tail -c 4 seen | od -An -c | tr -d ' ')" \
			'\r033[K'
		"$PMON_BIN" values --format csv "${files[@]}" >/dev/null 2>err
		same 'no progress without a terminal' "$(cat err)" ''
	fi
fi

# ---- Names that mean harm -----------------------------------------------------------------------

# A terminal gets no control character but newlines, from any verb, on output and error.
for args in 'info e.blg' 'list e.blg' 'list -q e.blg' 'list -l e.blg' 'stats e.blg' 'values e.blg' \
	'raw e.blg' 'explain e.blg -c \*\*' 'explain e.blg -c \*(*)\*' 'stats e.blg -c \Obj*(*)\hi' \
	'e.blg'; do
	ran="pmon $args"
	# shellcheck disable=SC2086
	"$PMON_BIN" $args >seen 2>&1
	same 'no control characters' "$(tr -d '\n\040-\176\200-\377' <seen | od -An -c)" ''
	grep -q Plain seen || [ "$args" = 'info e.blg' ] || [ "$args" = e.blg ] || case $args in
	*Obj* | *'(*)'*) ok ;;
	*) bad 'the names are gone' ;;
	esac
done
run "$(printf 'no\033[2Jsuch')"
status 2
run "$(printf 'no\033[2Jsuch.blg')"
status 1
same 'a word of the command line' "$(tr -d '\n\040-\176\200-\377' <<<"$err" | od -An -c)" ''
# JSON has them escaped, so that programs get the names as they are.
run list --format json e.blg
out_has 'EVIL\u001b[2J'
same 'no control characters' "$(tr -d '\n\040-\176' <<<"$out" | od -An -c)" ''

# ---- Numbers ----------------------------------------------------------------------------------------

# One read took 0.15 s; 1,888 MB are 1.84375 GB of 1,024 MB. The exact numbers are those of JSON.
run stats a.blg
out_has ' 150 ms '
out_has '1.844 GB'
run stats --digits full a.blg
out_has ' 0.15 s '
out_has ' 0.006666666666666667/s '
out_has ' 1888 '
run values --digits full a.blg -c '\PhysicalDisk(*)\Avg*' --to +15s
out_has ' 0.15 s  ok '
run values a.blg -c '\PhysicalDisk(*)\Avg*' --to +15s
out_has ' 150 ms  ok '
for format in csv json; do
	same "$format has all digits" "$("$PMON_BIN" stats --format $format --digits full a.blg)" "$("$PMON_BIN" stats --format $format a.blg)"
done
# Scaled values have no unit.
run stats --times-1000 a.blg -c '\PhysicalDisk(*)\Avg*'
out_has ' 150 '
out_lacks ' ms '

finish
