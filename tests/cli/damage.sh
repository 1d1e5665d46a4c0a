#!/usr/bin/env bash
# damage.sh - whoever loses something says so and exits with 3, in every verb
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"

# Each verb that reads a whole log.
verbs() {
	local log
	for log in "$@"; do
		for verb in info list stats values raw; do
			run "$verb" "$log"
			status 3
			err_has ': lost at byte '
		done
		for format in BIN CSV sqlite jsonl; do
			run relog "$log" -y -f "$format" -o "out.$format"
			status 3
			err_has ': lost at byte '
		done
		for verb in report chart; do
			run "$verb" "$log" -y -o "out.$verb.svg"
			# 1: nothing is left to show
			case $err in *'there is no value to '*) status 1 ;; *) status 3 ;; esac
			err_has ': lost at byte '
		done
	done
}

# ---- Lines that are gone --------------------------------------------------------------------

line() { # second, value, and what else the line has
	printf '{"path":"\\\\\\\\S\\\\O\\\\C","type":"PERF_COUNTER_RAWCOUNT","time":"2024-01-01T00:00:%02dZ",' "$1"
	printf '"status":"valid_data","first":%d,"second":0,"multi":1,"sample":%d%s}\n' "$2" "$1" "$3"
}
{
	line 0 5 ',"line":1,"log_last":true'
	line 1 6 ',"line":2'
	line 2 7 ',"line":3'
	line 3 8 ',"line":4,"last":true'
} >whole.jsonl
run stats whole.jsonl
status 0
sed 2,3d whole.jsonl >middle.jsonl
verbs middle.jsonl
err_has "lost at byte $(head -n 1 whole.jsonl | wc -c): lines missing before this one: 2"
head -n 3 whole.jsonl >end.jsonl
verbs end.jsonl
err_has "lost at byte $(wc -c <end.jsonl): the file is cut off after line 3: its last line is missing"

# ---- Two logs that disagree -----------------------------------------------------------------

{
	line 1 6 ''
	line 2 9 ''
	line 3 9 ''
} >other.jsonl
clash='whole.jsonl and other.jsonl: different values for one moment: 2; the first: \\S\O\C at 2024-01-01T00:00:02Z'
for verb in stats values raw; do
	run "$verb" whole.jsonl other.jsonl
	status 3
	err_has "$clash"
	same 'said once' "$(grep -c 'different values' <<<"$err")" 1
done
run relog whole.jsonl other.jsonl -f CSV -o both.csv
status 3
err_has "$clash"
run stats whole.jsonl whole.jsonl
status 0

# ---- Files in which something is gone -------------------------------------------------------

hostile=$PMON_TEST_DATA/../hostile
if [ -d "$hostile" ]; then
	for log in "$hostile"/silent-*.blg "$hostile"/silent-*.db; do
		verbs "$log"
	done
fi

finish
