#!/usr/bin/env bash
# identity.sh - which process a value is of, at the command line
# SPDX-License-Identifier: MIT
#
# x is process 10 and then 11; y moves from y#1 to y. JSON lines are a log of raw values.

# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

t0=133485408000000000 # 2024-01-01T00:00:00Z

value() { # INSTANCE COUNTER TYPE TIME_BASE SECOND FIRST SECOND_VALUE
	printf '{"path":"\\\\\\\\BOX\\\\Process(%s)\\\\%s","type":"%s","time_base":%d,"time":"2024-01-01T00:00:0%dZ","status":"valid_data","first":%s,"second":%s,"multi":1}\n' \
		"$1" "$2" "$3" "$4" "$5" "$6" "$7"
}
process() { # INSTANCE SECOND PID READS
	value "$1" 'IO Read Operations/sec' PERF_COUNTER_BULK_COUNT 10000000 "$2" "$4" \
		$((t0 + $2 * 10000000))
	value "$1" 'ID Process' PERF_COUNTER_RAWCOUNT 0 "$2" "$3" 0
}
{
	process x 0 10 100
	process y 0 20 500
	process y#1 0 21 1000
	process x 1 10 107
	process y 1 20 501
	process y#1 1 21 1010
	process x 2 11 4000
	process y 2 21 1020
	process x 3 11 4003
	process y 3 21 1030
} >log.jsonl
grep -v 'ID Process' log.jsonl >unknown.jsonl

# ---- By place -------------------------------------------------------------------------------

run values --format json -c '\Process(x)\IO Read Operations/sec' log.jsonl
status 0
same 'statuses' "$(grep -o '"status":"[a-z_]*"' <<<"$out" | cut -d'"' -f4 | tr '\n' ' ')" \
	'first_sample ok instance_changed ok '
run values --identity windows --format json -c '\Process(x)\IO Read Operations/sec' log.jsonl
status 0
same 'statuses of Windows' "$(grep -o '"status":"[a-z_]*"' <<<"$out" | cut -d'"' -f4 | tr '\n' ' ')" \
	'first_sample ok ok ok '
run values --identity places log.jsonl
status 2
err_says --identity
# (7 + 3) / 2 s, and not 3903 / 3 s
run stats --format json -c '\Process(x)\IO Read Operations/sec' log.jsonl
status 0
out_has '"average":5,'
out_lacks '"pid"'
# identifying counters are hidden unless requested
out_lacks 'ID Process'

# What identifies these processes: only `Elapsed Time` gives their start.
run explain --at 2024-01-01T00:00:02Z -c '\Process(x)\IO Read Operations/sec' log.jsonl
status 0
out_has 'was       process 10'
out_has 'is        process 11'
out_lacks 'started 2'
run explain --at 2024-01-01T00:00:01Z -c '\Process(x)\IO Read Operations/sec' log.jsonl
status 0
out_lacks 'process 11'
for second in 0 1 2 3; do
	grep "00:0${second}Z" log.jsonl
	value x 'Elapsed Time' PERF_ELAPSED_TIME 10000000 $second \
		$((t0 + (second < 2 ? -600000000 : 15000000))) $((t0 + second * 10000000))
done >started.jsonl
run explain --format json --at 2024-01-01T00:00:02Z -c '\Process(x)\IO Read Operations/sec' started.jsonl
status 0
out_has '"before":{"pid":10,"start":"2023-12-31T23:59:00Z"},"after":{"pid":11,"start":"2024-01-01T00:00:01.5Z"}'

# ---- By process -----------------------------------------------------------------------------

run stats --by process --format json -c '\Process(y*)\IO*' log.jsonl
status 0
same 'averages' "$(grep -o '"average":[0-9.]*' <<<"$out" | tr '\n' ' ')" '"average":1 "average":10 '
same 'numbers' "$(grep -o '"pid":[0-9]*' <<<"$out" | tr '\n' ' ')" '"pid":20 "pid":21 '
out_has '"path":"\\\\BOX\\Process(y)\\IO Read Operations/sec"'
out_lacks 'y#1'
run stats --by process -c '\Process(y*)\IO*' log.jsonl
status 0
out_has '\Process(y (20))\IO Read Operations/sec'
out_has '\Process(y (21))\IO Read Operations/sec'
run values --by process --format json -c '\Process(y*)\IO*' log.jsonl
status 0
out_has '"pid":21}'
run values --by machine log.jsonl
status 2
err_says --by

# ---- Through other formats --------------------------------------------------------------------

run relog log.jsonl -f JSONL -o copy.jsonl
status 0
same 'marks' "$(grep -c '"status":"instance_changed"' copy.jsonl)" 2
run values -c '\Process(*)\IO*' log.jsonl
plain=$out
run values -c '\Process(*)\IO*' copy.jsonl
out_is "$plain"
# A BLG has no marks, but ID Process, which is written too. If a log has none, the marks that are lost
# are counted, and verify sees it.
run relog log.jsonl -c '\Process(*)\IO*' -o narrow.jsonl
status 0
for file in log.jsonl narrow.jsonl; do
	for format in jsonl db blg; do
		run relog $file -c '\Process(*)\IO*' -o alone.$format -y
		if [ $file$format = narrow.jsonlblg ]; then
			status 3
			err_says '2 values are of another process'
			run verify -c '\Process(*)\IO*' $file alone.$format
			status 1
			out_has 'another process'
		else
			status 0
			run verify -c '\Process(*)\IO*' $file alone.$format
			status 0
		fi
	done
done
# However the counters are selected: the values are those of the whole log.
for pattern in '\Process(*)\IO*' '\Process(x)\IO Read Operations/sec' '\*(x)\IO*' 'io read' '\Process(y*)\IO*'; do
	for more in '' '-t 1' '--from 2024-01-01T00:00:00Z' '--merge'; do
		# shellcheck disable=SC2086 # words
		run relog log.jsonl -c "$pattern" $more -o kept.blg -y
		status 0
		err_says note 'ID Process'
		run verify -c "$pattern" log.jsonl kept.blg
		status 0
		run values -c "$pattern" log.jsonl
		wanted=$out
		run values -c "$pattern" kept.blg
		out_is "$wanted"
	done
	# what was kept is copied on
	run relog kept.blg -c "$pattern" -o again.blg -y
	status 0
	run verify kept.blg again.blg
	status 0
done
run relog log.jsonl -c '\Process(x)\IO*' -c '\Process(x)\ID*' -o kept.blg -y
status 0
case $err in *note*) bad "$err" ;; *) ok ;; esac
run relog log.jsonl -c '\Process(*)\Nothing' -o nothing.blg
status 1
err_says '\Process(*)\Nothing'
for format in jsonl db blg; do
	run relog log.jsonl -o both.$format -y
	status 0
	run verify log.jsonl both.$format
	status 0
	run verify -c '\Process(*)\IO*' both.$format narrow.jsonl
	status 0
done
# by process a mark is of the place only
run stats --by process --format json -c '\Process(y*)\IO*' copy.jsonl
same 'averages of a copy' "$(grep -o '"average":[0-9.]*' <<<"$out" | tr '\n' ' ')" '"average":1 "average":10 '
run relog log.jsonl -f BIN -o copy.blg
run values -c '\Process(*)\IO*' copy.blg
out_is "$plain"
# relog into text keeps the numbers of Windows: (4000 - 107) / 1 s
run relog log.jsonl -f CSV -o copy.csv
grep -q '"3893"' copy.csv && ok || bad 'the numbers of Windows are not in the text'

# ---- A log that pmon sampled ------------------------------------------------------------------

# p begins half a second before second 2, in the place of another process, with 4000 reads; q makes 10 reads
# a second under three names.
age() { # INSTANCE SECOND START_100NS
	value "$1" 'Elapsed Time' PERF_ELAPSED_TIME 10000000 "$2" $((t0 + $3)) $((t0 + $2 * 10000000))
}
{
	for second in 0 1; do
		process p $second 10 $((100 + 10 * second))
		age p $second -90000000
		process q $second 20 $((500 + 10 * second))
		age q $second -50000000
	done
	process p 2 11 4000
	age p 2 15000000
	process q#1 2 20 520
	age q#1 2 -50000000
	process p 3 11 4010
	age p 3 15000000
	process r 3 20 530
	age r 3 -50000000
} | sed '1s/}$/,"log_sampled_by_pmon":true}/' >sampled.jsonl
want='first_sample
first_sample
10
10
8000
10
10
10'
values_of() { # LOG
	run values --format json -c '\Process(*)\IO*' "$1"
	got=$(python3 -c 'import json, sys
for line in sys.stdin:
    v = json.loads(line)
    print("%g" % v["value"] if v["value"] is not None else v["status"])' <<<"$out")
}
values_of sampled.jsonl
same 'renamed processes' "$got" "$want"
run relog sampled.jsonl -f JSONL -o all.jsonl
values_of all.jsonl
same 'through JSON lines' "$got" "$want"
run relog sampled.jsonl -f SQLITE -o all.db
values_of all.db
same 'through SQLite' "$got" "$want"
# Without what tells processes apart no number is made of two either.
run relog sampled.jsonl -c '\Process(*)\IO*' -f JSONL -o some.jsonl
values_of some.jsonl
same 'of JSON lines without them' "$(sort -u <<<"$got" | tr '\n' ' ')" '10 first_sample instance_changed '
run relog sampled.jsonl -c '\Process(*)\IO*' -f SQLITE -o some.db
values_of some.db
same 'of SQLite without them' "$(sort -u <<<"$got" | tr '\n' ' ')" '10 first_sample instance_changed '
run relog sampled.jsonl -f CSV -o sampled.csv
grep -q '"3890"' sampled.csv && ok || bad 'the numbers of Windows are not in the text'

# ---- A process that moved, and a place without a number ----------------------------------------

# From the third sample on 1000 is at a#1, and it is unknown which process has its old name.
cat >moved.csv <<'EOF'
"(PDH-CSV 4.0) (UTC)(0)","\\M\Process(a)\ID Process","\\M\Process(a)\Handle Count","\\M\Process(a#1)\ID Process","\\M\Process(a#1)\Handle Count"
"01/01/2024 00:00:00.000","1000","600","2000","10"
"01/01/2024 00:00:15.000","1000","600","2000","10"
"01/01/2024 00:00:30.000"," ","700","1000","600"
"01/01/2024 00:00:45.000"," ","700","1000","600"
EOF
run find '\Process(*)\Handle Count > 500' --format csv moved.csv
status 0
same 'one episode of one process' "$(grep -c '1000,2024-01-01T00:00:00Z,2024-01-01T00:00:45Z,45,600,600,' <<<"$out")" 1
run stats --by process -c '\Process(*)\Handle Count' --format json moved.csv
out_lacks '"maximum":700'

# ---- No identity ----------------------------------------------------------------------------

run stats unknown.jsonl
status 0
same 'it is said once' "$(grep -c 'cannot be distinguished' <<<"$err")" 1
# ... by those that read the log more than once, too.
run report unknown.jsonl
same 'report says it once' "$(grep -c 'cannot be distinguished' <<<"$err")" 1
run chart unknown.jsonl -o unknown.svg
same 'chart says it once' "$(grep -c 'cannot be distinguished' <<<"$err")" 1

# ---- Two counters of one name -------------------------------------------------------------------------

# French has one name for two counters, and any log may have a column twice: both are kept apart.
printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\S\Processus(a)\ID de processus","\\S\Processus(a)\Taille virtuelle (octets)","\\S\Processus(a)\Taille virtuelle (octets)"' \
	'"11/20/2026 00:00:00.000","5","7","1"' '"11/20/2026 00:00:01.000","5","7","3"' >french.csv
run stats french.csv --by process --format csv
status 0
same 'their averages' "$(grep Taille <<<"$out" | cut -d, -f5 | tr '\n' ' ')" '7 2 '

# ---- Lines with nothing but numbers -------------------------------------------------------------------

# Statistics take the numbers of such a line, and the ID has another place in a line that lacks one. No value counts
# twice or gets lost where processes follow each other.
awk 'BEGIN {
	print "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\Memory\\Pages/sec\",\"\\\\S\\Process(x)\\ID Process\",\"\\\\S\\Process(x)\\Handle Count\""
	for (i = 0; i < 200; i++) {
		printf "\"01/01/2020 00:%02d:%02d.000\",\"%s\",\"%d\",\"%d\"\n", i / 60, i % 60, i % 50 == 40 ? "" : i,
			10 + int(i / 30), i % 97
		pids += 10 + int(i / 30)
		handles += i % 97
	}
	print pids / 200, handles / 200 >"means"
}' >lines.csv
run stats --format csv lines.csv
status 0
same 'means' "$(awk -F, '/Process/ { printf "%s%s", sep, $5; sep = " " }' <<<"$out")" "$(cat means)"

finish
