#!/usr/bin/env bash
# damage.sh - every verb that loses data reports that and exits with 3
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

# Each verb that reads a whole log.
verbs() {
	local log
	for log in "$@"; do
		for verb in info list stats values raw; do
			run "$verb" "$log"
			status 3
			err_says lost
		done
		for format in BIN CSV sqlite jsonl; do
			run relog "$log" -y -f "$format" -o "out.$format"
			# 1: nothing is left to write
			case $err in *'without any sample cannot be written'*) status 1 ;; *) status 3 ;; esac
			err_says lost
		done
		for verb in report chart; do
			case $verb in report) picture=html ;; *) picture=svg ;; esac
			run "$verb" "$log" -y -o "out.$verb.$picture"
			# 1: nothing is left to show
			case $err in *'there is no value to '*) status 1 ;; *) status 3 ;; esac
			err_says lost
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
err_says "$(head -n 1 whole.jsonl | wc -c)" 2
head -n 3 whole.jsonl >end.jsonl
verbs end.jsonl
err_says "$(wc -c <end.jsonl)" 3

# ---- Two logs that disagree -----------------------------------------------------------------

{
	line 1 6 ''
	line 2 9 ''
	line 3 9 ''
} >other.jsonl
clash=(whole.jsonl other.jsonl conflicting 2 '\\S\O\C' 2024-01-01T00:00:02Z)
for verb in stats values raw; do
	run "$verb" whole.jsonl other.jsonl
	status 3
	err_says "${clash[@]}"
	same 'said once' "$(grep -c conflicting <<<"$err")" 1
done
run relog whole.jsonl other.jsonl -f CSV -o both.csv
status 3
err_says "${clash[@]}"
# A window ends before the first of them, but the logs are read to their ends.
run values --to 2024-01-01T00:00:01 whole.jsonl other.jsonl
status 3
err_says "${clash[@]}"
# A report reads each log by itself before it reads them together.
run report -y -o both.html whole.jsonl other.jsonl
status 3
err_says "${clash[@]}"
same 'said once' "$(grep -c conflicting <<<"$err")" 1
run whole.jsonl other.jsonl
status 3
err_says "${clash[@]}"
run info whole.jsonl other.jsonl # each log by itself
status 0
err_is ''
run stats whole.jsonl whole.jsonl
status 0

# ---- Checks at the end of a log, when a window ends before it -------------------------------

need python3
run relog whole.jsonl -y -f sqlite -o cut.db
python3 - cut.db <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("DELETE FROM CounterData WHERE Sample = 3")
    db.execute("DELETE FROM pmon_sample WHERE id = 3")
PYTHON
for verb in stats values raw; do
	run "$verb" --to 2024-01-01T00:00:01 cut.db
	status 3
	err_says_only cut.db pmon_sample 1 4 3
done

# ---- Files in which something is gone -------------------------------------------------------

hostile=$PMON_TEST_DATA/../hostile
if [ -d "$hostile" ]; then
	for log in "$hostile"/silent-*.blg "$hostile"/silent-*.db; do
		verbs "$log"
	done
fi

finish
