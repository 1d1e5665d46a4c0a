#!/usr/bin/env bash
# terminal.sh - no control character of a log, a file name or an argument reaches a terminal
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

# Names with ESC, BEL, DEL, CSI of one character (U+009B), and a line separator; so is the file's.
series() {
	printf '{"path":"%s","type":"PERF_COUNTER_BULK_COUNT","time":"2026-11-20T15:00:%02dZ",' "$1" "$2"
	printf '"status":"valid_data","first":%d,"second":1%d0000000,"multi":1,"time_base":10000000,"unit":""}\n' "$2" "$2"
}
odd='\u001b[31mred\u0007\u007f\u009b2J\u2028\b'
make_hostile() {
	local i

	for i in 0 1 2 3; do
		series "\\\\\\\\EVIL$odd\\\\Obj$odd(inst$odd)\\\\count\\r$odd\\n" "$i"
		series "\\\\\\\\EVIL$odd\\\\Obj$odd(other)\\\\count" "$i"
	done
}
name=$'h\033[31m\302\2332J\a\177'
make_hostile >"$name.jsonl"
"$PMON_BIN" relog "$name.jsonl" -f BIN -o "$name.blg" -y >/dev/null || bad 'no log was made'
# A header of CSV has no place for a name with line ends: that counter is left out.
"$PMON_BIN" relog "$name.jsonl" -f CSV -o "$name.csv" -y >/dev/null
[ $? -eq 3 ] && [ -s "$name.csv" ] || bad 'no log was made'
printf 'one: average of \\Obj*(*)\\* > 1\n' >"$name.rules"
head -c 300 "$name.blg" >"$name.cut.blg"
cp "$name.blg" "$name.unknown"
truncate -s -3000 "$name.unknown"

# shown COMMAND...: what pmon shows on a terminal is to be clean. look runs all that were named so far.
: >commands
shown() {
	printf 'printf "\\n#### %%q\\n" ' >>commands
	printf '%q' "$(printf ' %q' "$@")" >>commands
	printf '\n%q' "$PMON_BIN" >>commands
	printf ' %q' "$@" >>commands
	printf '\n' >>commands
}

# Bytes that a terminal could obey. CR is taken before LF only, and where pmon draws its line of progress.
look() {
	ran=terminal
	in_terminal seen timeout --foreground 1200 env TERM=xterm NO_COLOR=1 bash commands
	python3 - <<'PYTHON' && ok || bad 'control characters'
import re, sys
text = open("seen", "rb").read().replace(b"\r\n", b"\n").replace(b"\r\033[K", b" ")
bad = 0
runs = text.split(b"\n#### ")[1:]
for run in runs:
    command, _, shown = run.partition(b"\n")
    found = re.findall(rb".{0,40}(?:[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]).{0,20}", shown, re.DOTALL)
    try:
        shown.decode("utf-8")
    except UnicodeDecodeError as error:
        found.append(str(error).encode())
    if found or not shown.strip():
        print(command, found[:3] or "shows nothing")
        bad += 1
print(len(runs), "commands")
sys.exit(bad > 0 or len(runs) != open("commands").read().count('printf "'))
PYTHON
	: >commands
}

for log in "$name.jsonl" "$name.blg" "$name.csv"; do
	for format in text csv json; do
		for verb in info list 'list -l' 'list -q' stats 'stats --by machine' 'stats --by instance' \
			'stats --explain' values 'values --explain' 'values --by instance' raw; do
			# shellcheck disable=SC2086 # words
			shown $verb --format $format "$log"
		done
		shown explain --format $format -c '*' "$log"
	done
	for format in csv tsv jsonl openmetrics influx sqlserver; do
		shown relog "$log" -f $format -o - -y
	done
	shown "$log"
	shown relog "$log" -q
	shown relog "$log" -o "$name.out" -f csv -y
	shown relog "$log" -o "$name.out2" --dry-run
	shown chart "$log"
	shown chart --ascii "$log"
	shown chart -o - "$log"
	shown report -o - "$log"
	shown report -y -o "$name.html" "$log"
	shown rules "$log"
	shown push --dry-run --to prometheus+http://127.0.0.1:9 --state-dir . "$log"
done

# Text in error messages: names of files, options, patterns, times, and text from the log.
shown info "$name.cut.blg"
shown stats "$name.cut.blg" "$name.unknown"
shown stats "$name.none"
shown stats -c "$name" "$name.blg"
shown stats -c '\Obj*(inst*)\nothing' "$name.blg"
shown stats --from "$name" "$name.blg"
shown stats --where "average>1ms" "$name.blg"
shown stats --where "$name" "$name.blg"
shown stats "--$name" "$name.blg"
shown stats --rules "$name" "$name.blg"
shown report --rules "$name.rules" -o "$name.html" "$name.blg"
shown "$name"
shown calc -t "$name" 1:1
shown calc -t PERF_COUNTER_RAWCOUNT "$name"
shown types "$name"
shown explain -c "$name" "$name.blg"
shown relog "$name.blg" -f "$name"
shown relog "$name.blg" -config "$name.rules"
shown relog "$name.blg" -cf "$name.rules" -o "$name.out3"
shown relog "$name.blg" -o "$name/none/out.csv"
shown typeperf "$name" -sc 1
shown push --to "$name" "$name.blg"
shown view --listen "$name" "$name.blg"
shown serve --metrics --listen "$name" "$name.blg"
shown record -o "$name/none/out.blg" -n 1
mkdir -p "$name.d/bin" && touch "$name.d/$name.blg"
shown info "$name.d"

look

# Processes of this machine choose their names.
cp "$(command -v sleep)" $'./z\033[31m\302\2332J' && {
	$'./z\033[31m\302\2332J' 60 &
	shown values -n 1 --format csv -c '\Process(z*)\ID Process'
	shown values -n 1 -c '\Process(z*)\ID Process'
	shown typeperf '\Process(z*)\ID Process' -sc 1
	shown typeperf -qx Process
	shown record -n 1 -c '\Process(z*)\ID Process' -o - --format csv
	look
	kill $!
}

# A log of bytes is not for a terminal; into a pipe it goes as before.
for format in BIN SQL; do
	ran="relog -f $format -o - in a terminal"
	in_terminal seen "$PMON_BIN" relog "$name.jsonl" -f $format -o - && bad 'it was written' || ok
	grep -q 'terminal\|standard output' seen && ok || bad "$(cat seen)"
	grep -q $'\033' seen && bad 'control characters' || ok
done

# Output to a file or a pipe is not changed.
ran='pipes'
grep -q $'\302\2332J' < <("$PMON_BIN" list --format csv "$name.jsonl") && ok || bad 'a pipe got other names'
grep -q $'\033' < <("$PMON_BIN" relog "$name.jsonl" -f csv -o -) && ok || bad 'a pipe got other names'
same 'a file has the bytes of a pipe' "$("$PMON_BIN" relog "$name.jsonl" -f csv -o - | cksum)" \
	"$(cksum <"$name.csv")"
finish
