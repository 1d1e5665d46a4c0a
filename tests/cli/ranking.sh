#!/usr/bin/env bash
# ranking.sh - pmon stats --sort, --limit and --percentile
# SPDX-License-Identifier: MIT
#
# tests/oracle compares totals and percentiles of the real logs with calculations of its own.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Three samples, 10 s and then 30 s apart. a uses 5 s of the first interval and 15 s of the second, 20 s in
# all; b 10 s and 3 s, 13 s in all. The second interval is a gap: the differences of counters are of all of it, but
# memory is known to be at 400 MB only at its end, which counts one usual interval. So memory is at 200 MB for 10 s and
# at 400 MB for 10 s: 6,000 MB * s. One read takes 0.1 s in the first interval, 99 reads take 0.01 s each in the second.
row() { # PATH TYPE TIME FIRST SECOND BASE
	printf '{"path":"\\\\\\\\M\\\\%s","type":"PERF_%s","time":"2026-11-20T10:00:%sZ","status":"valid_data","first":%s,"second":%s,"multi":1,"time_base":%s,"sample":%s}\n' \
		"$1" "$2" "$3" "$4" "$5" "$6" "$7"
}
sample() { # NUMBER TIME A B MBYTES READTIME READS
	row 'Process(_Total)\\% Processor Time' 100NSEC_TIMER "$2" "$((($3 + $4) * 10000000))" "$((1$2 * 10000000))" 10000000 "$1"
	row 'Process(Idle)\\% Processor Time' 100NSEC_TIMER "$2" "$((1$2 * 30000000))" "$((1$2 * 10000000))" 10000000 "$1"
	row 'Process(b)\\% Processor Time' 100NSEC_TIMER "$2" "$(($4 * 10000000))" "$((1$2 * 10000000))" 10000000 "$1"
	row 'Process(a)\\% Processor Time' 100NSEC_TIMER "$2" "$(($3 * 10000000))" "$((1$2 * 10000000))" 10000000 "$1"
	row 'Memory\\Available MBytes' COUNTER_LARGE_RAWCOUNT "$2" "$5" 0 0 "$1"
	row 'PhysicalDisk(0 C:)\\Avg. Disk sec/Read' AVERAGE_TIMER "$2" "$6" "$7" 100 "$1"
	row 'PhysicalDisk(0 C:)\\Disk Read Bytes/sec' COUNTER_BULK_COUNT "$2" "$(($7 * 4096))" "$((1$2 * 100))" 100 "$1"
}
{
	sample 0 00 0 0 100 0 0
	sample 1 10 5 10 200 10 1
	sample 2 40 20 13 400 109 100
} >a.jsonl

columns() { # NAME...: columns of the CSV that was printed
	python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(",".join(row[name] for name in sys.argv[1:]))' "$@" <<<"$out"
}

near() { # WHAT GOT WANT: to 0.5 %
	python3 -c '
import sys
got, want = [[float(n) for n in text.split(",")] for text in sys.argv[1:]]
sys.exit(len(got) != len(want) or any(abs(g - w) > 0.005 * w for g, w in zip(got, want)))' "$2" "$3" &&
		ok || bad "$1: $2, not $3"
}

# ---- Totals -----------------------------------------------------------------------------------------

run stats --format csv a.jsonl
status 0
same 'totals by type' "$(columns path total total_unit | grep -v 'Total\|Idle')" \
	'\\M\Process(b)\% Processor Time,13,s
\\M\Process(a)\% Processor Time,20,s
\\M\Memory\Available MBytes,6291456000,byte-seconds
\\M\PhysicalDisk(0 C:)\Avg. Disk sec/Read,1.09,s
\\M\PhysicalDisk(0 C:)\Disk Read Bytes/sec,409600,bytes'
run stats --format json -c '\Process(a)\*' a.jsonl
out_has '"average_kind":"true","total":20,"total_unit":"s"}'
# Options for display change displayed values, and no total.
run stats --format csv --times-1000 -c '\Memory\*' a.jsonl
same 'total' "$(columns maximum total)" '400000,6291456000'
# Of groups.
run stats --format csv --by object -c '\Process(*)\*' a.jsonl
same 'of a group, without _Total' "$(columns series total)" '3,153'

# A text log has displayed values. Times and values give the total again, but for the first value of what
# needs two samples: its cell in the sample before is empty, as if the series was absent. What needs two samples is of
# the whole gap here too.
run relog a.jsonl -f csv -o a.csv
run stats --format csv a.csv
same 'totals of a text log' "$(columns path total total_unit | grep -v 'Total\|Idle')" \
	'\\M\Process(b)\% Processor Time,3,s
\\M\Process(a)\% Processor Time,15,s
\\M\Memory\Available MBytes,6291456000,byte-seconds
\\M\PhysicalDisk(0 C:)\Avg. Disk sec/Read,,
\\M\PhysicalDisk(0 C:)\Disk Read Bytes/sec,405504,bytes'

# A log of two recordings, each second and then each minute: 10 minutes at 100 bytes/s, an hour at 200. The usual
# interval becomes a minute, so that only the first minutes are gaps, and no byte is left out: 60,000 and 720,000.
python3 -c '
import datetime, json
begin = datetime.datetime(2026, 11, 20, 10)
name = "Disk Read Bytes/sec"
seconds = [*range(0, 601), *range(660, 4201, 60)]
total = 0
with open("mixed.csv", "w") as csv, open("mixed.jsonl", "w") as raw:
    print("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\M\\PhysicalDisk(0 C:)\\" + name + "\"", file=csv)
    for i, second in enumerate(seconds):
        rate = 100 if second <= 600 else 200
        total += rate * (second - seconds[i - 1]) if i > 0 else 0
        time = begin + datetime.timedelta(seconds=second)
        print(time.strftime("\"%m/%d/%Y %H:%M:%S.000\""), f"\"{rate}\"", sep=",", file=csv)
        print(json.dumps({"path": "\\\\M\\PhysicalDisk(0 C:)\\" + name, "type": "PERF_COUNTER_BULK_COUNT",
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "status": "valid_data", "first": total,
            "second": 1000 + second, "multi": 1, "time_base": 1, "sample": i}), file=raw)'
for log in mixed.csv mixed.jsonl; do
	run stats --format csv "$log"
	same "total of $log" "$(columns total)" 780000
	run info --format json "$log"
	gaps=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["logs"][0]["gap_count"])' <<<"$out")
	[ "$gaps" -lt 6 ] && ok || bad "$log: $gaps gaps of 60 intervals"
done
run stats --format csv --percentile 14.2,14.3 mixed.jsonl
near 'one seventh of the time at 100 bytes/s' "$(columns p14.2 p14.3)" '100,200'

# ---- --sort and --limit -----------------------------------------------------------------------------

cpu='\Process(*)\% Processor Time'
order() { columns path | sed 's/.*(\(.*\)).*/\1/' | tr '\n' ' '; }
run stats --format csv -c "$cpu" --sort total a.jsonl
same 'by total, without _Total and Idle' "$(order)" 'a b '
run stats --format csv -c "$cpu" --sort max a.jsonl
same 'by maximum' "$(order)" 'b a '
run stats --format csv -c "$cpu" --sort average --limit 1 a.jsonl
same 'the first' "$(order)" 'a '
run stats --format csv -c "$cpu" --sort p50 a.jsonl
same 'by the median' "$(order)" 'a b '
same 'which is a column then' "$(columns p50 | cut -c1-2)" '50
10'
run stats --format csv -c "$cpu" --sort name a.jsonl
same 'by name, all' "$(order)" '_Total a b Idle '
run stats --format csv -c "$cpu" --limit 2 a.jsonl
same 'without an order that of the log' "$(order)" '_Total Idle '
run stats --sort total -c "$cpu" a.jsonl
status 0
out_has '20 s'
run stats --sort total -c '\Process(_Total)\*' a.jsonl
status 0
err_says _Total Idle
run stats --sort total a.jsonl
err_says units -c
run stats --sort average -c '\Memory\*' -c '\PhysicalDisk(*)\Disk Read Bytes/sec' --format csv a.jsonl
same 'bytes and megabytes are compared as bytes' "$(columns path | head -1)" '\\M\Memory\Available MBytes'

for wrong in '--sort totl' '--sort p101' '--sort px' '--limit 0' '--limit x' '--percentile 50,x' \
	'--percentile 101' '--percentile 99.9999'; do
	# shellcheck disable=SC2086 # words
	run stats $wrong a.jsonl
	status 2
done
run stats --sort totl a.jsonl
err_says total
run stats --percentile "$(seq -s, 1 17)" a.jsonl
status 2
err_says 16

# ---- --percentile -----------------------------------------------------------------------------------

# b is at 10 % for 30 of 40 s, at 100 % for 10. Memory is at 200 MB and, after the gap, at 400 MB for 10 s each.
run stats --format csv -c '\Process(b)\*' --percentile 0,75,75.001,100 a.jsonl
near 'weighted by time' "$(columns p0 p75 p75.001 p100)" '10,10,100,100'
run stats --format csv -c '\Memory\*' --percentile 50,50.001 a.jsonl
near 'momentary values, for one usual interval' "$(columns p50 p50.001)" '200,400'
# 99 of 100 reads took 0.01 s, though the other one had a quarter of the time. 0.5 % is what is promised.
run stats --format csv -c '\PhysicalDisk(*)\Avg. Disk sec/Read' --percentile 99,99.1 a.jsonl
near 'weighted by operations' "$(columns p99 p99.1)" '0.01,0.1'
# Displayed values have the same weight: 10 and 100.
run stats -c '\Process(b)\*' --percentile 50,51 a.csv
status 0
out_has '100 %~'
err_says '~' 1
run stats --format json -c '\Process(b)\*' --percentile 50 a.jsonl
out_has '"total":13,"total_unit":"s","p50":10.0'
run stats -c '\Process(b)\*' --percentile 50,99.9 a.jsonl
out_has 'p99.9'
# One sample stands for no time; what is alone is every percentile.
head -7 a.jsonl >one.jsonl
run stats --format csv -c '\Memory\*' --percentile 50 one.jsonl
same 'of one value' "$(columns p50 total)" '100,'

# ---- --per-cpu --------------------------------------------------------------------------------------

run stats --per-cpu -c "$cpu" a.jsonl
status 1
err_says M
{
	cat a.jsonl
	for time in 00 10 40; do
		for cpu_number in 0 1 _Total; do
			row "Processor($cpu_number)\\\\% Processor Time" 100NSEC_TIMER_INV "$time" 0 "$((1$time * 10000000))" 10000000 \
				"$(case $time in 00) echo 0 ;; 10) echo 1 ;; *) echo 2 ;; esac)"
		done
	done
} | python3 -c '
import json, sys
for line in sorted(sys.stdin, key=lambda line: json.loads(line)["sample"]):
    sys.stdout.write(line)' >two.jsonl
run stats --per-cpu --format csv -c '\Process(b)\*' --percentile 100 two.jsonl
status 0
err_says 2 M
# Of 100 %, 10 % and 32.5 % half each; the total stays in CPU-seconds. Processors are not shown.
same 'half of it' "$(columns last average minimum maximum p100 total)" '5,16.25,5,50,50,13'
run stats --per-cpu --by machine two.jsonl
status 2
run stats --per-cpu --format csv -c '\Processor(0)\*' two.jsonl
# values: 100 % and 10 % by the two processors; without them nothing is shown.
run values --per-cpu --format json -c '\Process(b)\*' two.jsonl
status 0
err_says --per-cpu 2 M
same 'values' "$(grep -o '"value":[^,]*' <<<"$out" | paste -sd ' ')" '"value":null "value":50 "value":5'
run values --per-cpu -c '\Process(b)\*' two.jsonl
out_has '    50 %  ok '
sed 's/Processor(\([01]\))/Processor Information(0,\1)/; s/Processor(_Total)/Processor Information(0,_Total)/' two.jsonl >numa.jsonl
run stats --per-cpu --format csv -c '\Process(b)\*' numa.jsonl
same 'Processor Information stands in' "$(columns average)" 16.25
run values --per-cpu -c "$cpu" a.jsonl
status 1
err_says --per-cpu M
run values --per-cpu --format csv two.jsonl
status 2
err_says CSV Windows
run values --per-cpu --identity windows two.jsonl
status 2
run stats --per-cpu --format csv -c '\Processor(0)\*' two.jsonl
same 'a processor is not divided' "$(columns path maximum)" '\\M\Processor(0)\% Processor Time,100'

finish
