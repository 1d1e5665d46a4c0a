#!/usr/bin/env bash
# faults.sh - each verb and each output, while the n-th call for memory or to the system fails
# SPDX-License-Identifier: MIT
# shellcheck source=tests/fault/lib_faults.sh
. "$PMON_SOURCE_DIR/tests/fault/lib_faults.sh" || exit 1

# ---- Verbs that print ------------------------------------------------------------------------------

try memory 15 - stats b.blg
try memory 9 - stats b.blg.gz
try memory 15 - stats --sort total --percentile 50,95 b.blg
try memory 9 - stats --by object --percentile 50 a.blg b.blg
try memory 9 - values b.csv
try memory 9 - values b.jsonl
try memory 9 - values --format tidy b.jsonl
[ ! -r b.db ] || try memory 9 - stats b.db
try memory 9 - info --format json a.blg b.csv
try memory 6 - list b.blg
try memory 6 - __complete stats b.blg -c ''
try memory 6 - raw --format json b.blg
try memory 6 - sql 'SELECT * FROM incidents' b.blg
try memory 6 - sql 'SELECT counter, pmon_avg(operands) FROM log GROUP BY counter, type' b.blg
try memory 6 - explain a.blg -c '\PhysicalDisk(*)\*'
try memory 6 - find '\Web\Requests/sec > 10 while \Net\Packets/sec > 1' b.blg
printf '[R]\ncounter = \\Web\\Requests/sec\nwarning = > 10/s\ntext = t\nsource = s\nlink = https://example.org/x\n' >r.rules
try memory 6 - health --rules r.rules --all b.blg
try memory 6 - trend -c '\Web\*' b.blg
try memory 6 - changes --from +1m -c '\PhysicalDisk(*)\*' a.blg
try memory 6 - watch --rules r.rules --replay b.blg
try memory 6 - watch --rules r.rules --replay b.blg --exec true
try memory 6 - watch '\Web\Requests/sec > 1' --repeat 1s --replay b.blg --format json
try memory 6 - diff -c '\Web\*' b.blg b.blg
try memory 6 - verify -c '\Web\*' b.blg b.blg
try memory 6 - chart a.blg
try memory 6 - relog b.blg -q
try memory 6 - rules b.blg
try memory 3 - types PERF_COUNTER_COUNTER
try memory 3 - calc -t PERF_COUNTER_COUNTER -F 1 0:0 5:1 --explain
try memory 6 - stats a.blg b.blg
for url in postgresql://db/perf clickhouse+http://db:1/perf prometheus+http://db:1 otlp+http://db:1; do
	"$PMON_BIN" push --dry-run --to $url b.blg >/dev/null 2>&1 && try memory 4 - push --dry-run --to $url b.blg
done
try "$reading" 6 - stats b.blg
try 'pread open mmap' 12 - stats a.blg b.blg d.blg
try "$reading" 6 - stats b.blg.gz
try "$reading" 6 - values --format csv b.csv
try "$reading" 6 - values b.jsonl
[ ! -r b.db ] || try "$reading" 6 - stats b.db
try "$reading" 4 - info a.blg b.csv
try "$reading" 4 - relog b.blg -f csv -o -

# ---- Verbs that write ------------------------------------------------------------------------------

for format in csv tsv bin jsonl openmetrics influx sqlserver parquet arrow arrows sql; do
	has_verb $format || continue
	try memory 6 out.x relog b.blg -f $format -o out.x
	try "$writing" 4 out.x relog b.blg -f $format -o out.x --sync
done
# A file that is there already is replaced as a whole, or stays.
export FAULT_BEFORE='cp b.blg out.x'
try memory 6 out.x relog b.blg -y -f csv -o out.x
try "$writing" 4 out.x relog b.blg -y -f csv -o out.x --sync
[ ! -r b.db ] || try "$writing" 4 out.x relog b.blg -y -f sql -o out.x --sync
unset FAULT_BEFORE
try memory 6 out.x relog b.blg -q -o out.x
try "$writing" 4 out.x relog b.blg -q -o out.x --sync

# ---- Pictures --------------------------------------------------------------------------------------

picture='pwrite fsync close rename link'
try memory 8 out.svg chart b.blg -o out.svg
try memory 5 out.html report b.blg -o out.html
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\%% Processor Time\",\"\\\\SRV\\Process(a)\\%% Processor Time\"\r\n"
	for (t = 0; t < 120; t++)
		printf "\"11/20/2026 10:%02d:%02d.000\",\"%d\",\"%d\"\r\n", t / 2, t % 2 * 30, (t > 40 && t <= 60 ? 97 : 10), \
			(t > 40 && t <= 60 ? 300 : 5)
}' >incident.csv
try memory 5 out.html report --anonymize incident.csv -o out.html
try "$picture" 3 out.svg chart b.blg -o out.svg --sync
try "$picture" 3 out.html report b.blg -o out.html --sync

# A font that cannot be read is replaced, so that reading does not fail here. Where no memory is left at all
# fontconfig does not come to an end, until pmon ends it after 30 seconds: that takes too long for each n.
if "$PMON_BIN" chart b.blg -o out.png >/dev/null 2>&1; then
	rests=0
	FAULT_IN=dlopen try memory 4 out.png chart b.blg -o out.png # while cairo is loaded
	try memory 5 out.png chart b.blg --size 320x200 -o out.png
	try memory 5 out.pdf chart b.blg -o out.pdf
	try "$picture" 3 out.png chart b.blg -o out.png --sync
	rests='0 1'
fi

# ---- Recordings: what was flushed stays, so that a part of the output may ----------------------------

live=1
for format in blg csv tsv jsonl sqlite; do
	[ $format != sqlite ] || [ -r b.db ] || continue
	try memory 6 out.x record --replay trees -c '\System\*' -q --format $format -o out.x
	try 'pwrite write fsync truncate close' 4 out.x record --replay trees -c '\System\*' -q --format $format -o out.x
done
live=
# Files of /proc that cannot be read are absent for pmon, and so are their counters: reading does not fail here.
try memory 9 - values --replay trees -c '\System\*'
try memory 6 - health --replay trees
try memory 6 - health --replay trees --format json
try memory 9 - typeperf -c '\System\*' --replay trees -sc 4
try memory 6 out.x typeperf -qx System --replay trees -o out.x

# ---- A terminal: what is shown until q is typed --------------------------------------------------------

if TERM=xterm FAULT_TERMINAL=1 LD_PRELOAD=$faults FAULT_FOLDER=$tmp FAULT_CALL=truncate "$PMON_BIN" top b.blg >/dev/null 2>&1; then
	export FAULT_TERMINAL=1 TERM=xterm
	rests=0 # where none is left ncurses crashes
	try memory 6 - top b.blg
	try memory 4 - top --replay trees -c '\System\*'
	rests='0 1'
	try 'read pread open close mmap' 4 - top b.blg
	unset FAULT_TERMINAL
fi

finish
