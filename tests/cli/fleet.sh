#!/usr/bin/env bash
# fleet.sh - many logs of many machines at once: lists of files, groups, conditions, broken files
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
need python3

mkdir logs
expected=$(python3 "$PMON_SOURCE_DIR/tests/cli/make_fleet.py" logs 12 40 12) || exit 1

ls logs/*.jsonl >names

# The averages of all disks of a machine, by a calculation of its own (make_fleet.py).
averages() {
	python3 -c '
import json, sys
for c in json.load(open(sys.argv[1]))["counters"]:
    print(c["path"], c["average"])' "$tmp/.out"
}
want=$(python3 -c '
import sys
for line in sys.stdin:
    machine, ticks, count = map(int, line.split())
    print(f"\\\\M{machine:02}\\PhysicalDisk(*)\\Avg. Disk sec/Read", ticks / 10**7 / count)' <<<"$expected")

run stats --by machine -c '\\*\*(*)\Avg*' --format json @names
status 0
same "averages by machine" "$(averages)" "$want"

# Over all machines: sums over sums.
want_all=$(python3 -c '
import sys
rows = [list(map(int, line.split())) for line in sys.stdin]
print(sum(r[1] for r in rows) / 10**7 / sum(r[2] for r in rows))' <<<"$expected")
run stats --by object -c '\\*\*(*)\Avg*' --format json @names
same "the average of all" "$(averages)" "\\\\*\\PhysicalDisk(*)\\Avg. Disk sec/Read $want_all"
out_has '"series":36'

run stats --by instance -c '\\*\*(1)\Avg*' @names
out_has '\\*\PhysicalDisk(1)\Avg. Disk sec/Read'

# Where of some machines there is nothing but the total, each counts; together with its instances it does not.
# (20 + 60) / 100, of machine C (5 + 35) / 100 by its two instances.
for m in A:_Total:20 B:_Total:60 C:_Total:99 C:0:5 C:1:35; do
	IFS=: read -r machine instance busy <<<"$m"
	for s in 0 1; do
		echo "{\"path\":\"\\\\\\\\$machine\\\\Processor($instance)\\\\% User Time\",\"sample\":$s,\
			\"type\":\"PERF_100NSEC_TIMER\",\"time_base\":10000000,\"status\":\"valid_data\",\
			\"time\":\"2026-11-20T15:00:0$s.00Z\",\"first\":$((s * busy)),\"second\":$((s * 100))}"
	done | tr -d '\t\n' | sed 's/}{/}\n{/g' >"total-$machine-$instance.jsonl"
	echo >>"total-$machine-$instance.jsonl"
done
run stats --by object --format json total-[AB]*
same "totals of machines without instances" "$(averages)" '\\*\Processor(*)\% User Time 40'
run stats --by object --format json total-*
same "totals beside instances" "$(averages)" '\\*\Processor(*)\% User Time 30'
out_has '"series":4'
run stats --by machine --format json total-C*
same "a total of one machine" "$(averages)" '\\C\Processor(*)\% User Time 20'

# The order of the files and where their names come from do not matter to the numbers.
run stats --format json logs/*.jsonl
status 0
all=$out
printf '%s\n' logs/*.jsonl >list
run stats --format json @list
same "names in lines" "$out" "$all"
printf '%s\0' logs/*.jsonl >list
run stats --format json @list
same "names ended by NUL" "$out" "$all"
out=$(printf '%s\r\n' logs/*.jsonl | "$PMON_BIN" stats --format json @-)
same "names on standard input" "$out" "$all"
printf '%s\n' logs/*.jsonl | sort -R >list
run stats --format json @list
same "in any order" "$(sort <<<"${out//,$'\n'/$'\n'}")" "$(sort <<<"${all//,$'\n'/$'\n'}")"

# By time, as one log. Disk 0 is never absent, so that nothing depends on which log a sample is from.
ls logs/*.jsonl >list
run relog @list -c '\\*\*(0)\*' -f jsonl -o merged.jsonl
status 0
run stats --format json merged.jsonl
merged=$out
run stats --format json -c '\\*\*(0)\*' @list
same "merged by relog" "$(sort <<<"${merged//,$'\n'/$'\n'}")" "$(sort <<<"${out//,$'\n'/$'\n'}")"

# Few files are open at a time.
out=$(ulimit -n 64 && "$PMON_BIN" stats --format json @list)
same "64 descriptors" "$out" "$all"
out=$(ulimit -n 64 && "$PMON_BIN" values --format json -c '\\*\*(0)\Avg*' @list | wc -l)
same "values of all" "$out" "$(cat logs/*.jsonl | grep -c '(0)\\\\Avg')"

# Nobody is stopped by files that cannot be read.
: >logs/M00-50.jsonl
head -c 3000 logs/M01-00.jsonl >logs/M01-51.jsonl
echo 'no log' >logs/M02-52.jsonl
ls logs/*.jsonl >more
echo logs/absent.jsonl >>more
run stats --by machine -c '\\*\*(*)\Avg*' --format json @more
status 1
same "machines besides" "$(averages | grep -v M01)" "$(grep -v M01 <<<"$want")"
err_has 'M00-50.jsonl'
err_has 'M02-52.jsonl'
err_has 'absent.jsonl: '
run stats @more
files=$(wc -l <more)
out_has "$((files - 3)) of $files logs"
same "each is told once" "$(grep -c absent.jsonl <<<"$err")" 1
first=$err
for _ in 1 2 3; do
	run stats --by machine -c '\\*\*(*)\Avg*' --format json @more
	same "words in one order" "$err" "$first"
done
# Its samples overlap the log that it was copied from, and count once.
same "a copy counts once" "$(averages | grep M01)" "$(grep M01 <<<"$want")"
run relog @more -f csv -o all.csv
status 1
[ "$(wc -l <all.csv)" -gt 100 ] && ok || bad "nothing was written"
run stats logs/absent.jsonl logs/none.jsonl
status 1
out_is ''

# Conditions.
run stats --where 'samples>=0' --format json @list
same "a condition that all fulfil" "$out" "$all"
run stats --where 'average>1' --where 'samples<1' @list
status 0
out_lacks 'Disk'
run stats --where 'average>1' @list
out_has 'Disk Reads/sec'
out_lacks 'Avg. Disk sec/Read'
run stats --where 'average <= 1' @list
out_lacks 'Disk Reads/sec'
for wrong in average 'average>' 'middle>3' 'average>x' '>3' 'average=>3'; do
	run stats --where "$wrong" @list
	status 2
	err_says --where
done
run stats --by disk @list
status 2
err_says --by
run stats @nothing
status 1
err_has 'nothing: '
: >empty
run stats @empty
status 1
err_says list empty

# Values that do not add up have no average; a total is not counted as an instance next to its parts.
for i in 0 1 _Total; do
	for s in 0 1; do
		printf '{"path":"\\\\\\\\S\\\\Processor(%s)\\\\Interrupts/sec","type":"PERF_COUNTER_COUNTER","time":"2026-11-20T15:00:0%sZ","status":"valid_data","first":%s,"second":%s,"time_base":1,"sample":%s}\n' \
			"$i" $s $((s * ${i/_Total/100} + s * 10)) $s $s
		printf '{"path":"\\\\\\\\S\\\\Process(%s)\\\\Elapsed Time","type":"PERF_ELAPSED_TIME","time":"2026-11-20T15:00:0%sZ","status":"valid_data","first":1,"second":%s,"time_base":1,"sample":%s}\n' \
			"$i" $s $((s + 5)) $s
	done
done | sort -t: -k8 >odd.jsonl
run stats --by machine odd.jsonl
status 0
out_has '     2   10.5/s     10/s' # (10 + 11) interrupts in 2 processor seconds
err_says 1 group
run stats --by instance odd.jsonl
out_has 'Processor(_Total)'

# Groups ignore case, as paths do, of other letters than ASCII too; the spelling is the one that is listed
# first. A fraction of a group is all parts over all wholes: 10 of 100, 20 of 200 and 90 of 100 are 120 of
# 400, 30 %; the mean of the displayed values is 36.7 %, and that of the machines' averages 50 %.
fraction() { # path, sample, part, whole
	printf '{"path":"%s","type":"PERF_RAW_FRACTION","time":"2026-11-20T15:00:0%sZ","status":"valid_data","first":%s,"second":%s,"sample":%s}\n' \
		"$1" "$2" "$3" "$4" "$2"
}
{
	fraction '\\\\Srv\\Größen(Ä)\\% Free' 0 10 100
	fraction '\\\\Srv\\Größen(Ä)\\% Free' 1 20 200
} >case-one.jsonl
fraction '\\\\SRV\\GRÖßEN(b)\\% FREE' 0 90 100 >case-two.jsonl
fraction '\\\\web\\größen(ä)\\% free' 0 1 10 >case-three.jsonl
run stats --by machine --format json case-*.jsonl
same 'fractions by machine' "$(averages)" '\\Srv\Größen(*)\% Free 30
\\web\größen(*)\% free 10'
run stats --by instance --format json case-*.jsonl
# (10 + 20 + 1) of (100 + 200 + 10)
same 'fractions by instance' "$(averages)" '\\*\Größen(Ä)\% Free 10
\\*\GRÖßEN(b)\% FREE 90'
out_has '"series":2'
run stats --by object --format json case-*.jsonl
# (10 + 20 + 90 + 1) of (100 + 200 + 100 + 10) = 121 / 410
same 'fractions by object' "$(averages)" '\\*\Größen(*)\% Free 29.51219512195122'
# A group of one series has the average of the series: the mean of 10 of 100 and 60 of 200, 20 %.
{
	fraction '\\\\Srv\\Disk(C:)\\% Free' 0 10 100
	fraction '\\\\Srv\\Disk(C:)\\% Free' 1 60 200
} >alone.jsonl
run stats --by machine --format json alone.jsonl
same 'a group of one' "$(averages)" '\\Srv\Disk(*)\% Free 20'

# ---- Latencies of logs that overlap -----------------------------------------------------------------

# Two logs hold the samples at 20 and 30 s, which count once: four of 1 ms and two of 9 ms, 100 reads a second each.
latency() { # FILE SECOND:LATENCY...
	printf '"(PDH-CSV 4.0) (UTC)(0)","%s","%s"\r\n' '\\M\PhysicalDisk(0 C:)\Avg. Disk sec/Read' \
		'\\M\PhysicalDisk(0 C:)\Disk Reads/sec' >"$1"
	for row in "${@:2}"; do
		printf '"01/01/2026 00:00:%02d.000","%s","100"\r\n' "${row%:*}" "${row#*:}" >>"$1"
	done
}
latency early.csv 0:0.001 10:0.001 20:0.001 30:0.001
latency late.csv 20:0.001 30:0.001 40:0.009 50:0.009
run stats --format json -c '\PhysicalDisk(*)\Avg. Disk sec/Read' early.csv late.csv
same 'the latency of logs that overlap' "$(sed -n 's/.*"average":\([^,]*\),.*/\1/p' <<<"$out")" 0.0036666666666666666 # (4 * 1 + 2 * 9) / 6 ms
finish
