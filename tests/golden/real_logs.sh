#!/usr/bin/env bash
# real_logs.sh - what is known of the real logs from outside: counts, writers, sums that must hold
# SPDX-License-Identifier: MIT
#
# Sources: the number of raw values and the writers, from the manifest of the logs (601 samples of 10
# counters, 25 of 10; blg-format for the 18,164 of the whole-object log). The two sums are laws of
# Windows: what no process uses, the Idle process is given; each thread belongs to one process.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
need_data

count() {
	same "raw values of $1" "$("$PMON_BIN" raw --format json "$data/$1" | wc -l)" "$2"
	run info --format json "$data/$1"
	out_has "\"raw_values\":$2,"
	out_has "\"writer\":\"$3\""
	out_has '"losses":0,"bytes_lost":0'
	err_is ''
}
count pwsh-CounterSamples.blg 250 'Windows 10 build 14393 x64'
count tx-BasicPerfCounters.blg 6010 'Windows 8 build 9200 x64'
count pal-SampleLog.blg 18164 'Windows Vista build 6000 x86'

run info "$data/tx-BasicPerfCounters.blg"
out_has 'samples    601, one every 1 s'
out_has 'UTC-08:00'

values() {
	"$PMON_BIN" values --format json "$data/pal-SampleLog.blg" "$@"
}
values -c '\Process(Idle)\% Processor Time' -c '\Processor(_Total)\% Processor Time' >idle
values -c '\System\Threads' -c '\Process(*)\Thread Count' >threads
ran='pmon values --format json pal-SampleLog.blg'
python3 - <<'PYTHON' && ok || bad 'see above'
import collections, json, sys

wrong = 0
at = collections.defaultdict(list)
for line in open("idle"):
    row = json.loads(line)
    if row["value"] is not None:
        at[row["time"]].append(row["value"])
if len(at) != 10:
    wrong = 1
    print(len(at), "intervals, not 10")
for time, pair in sorted(at.items()):
    if len(pair) != 2 or abs(sum(pair) - 100) > 1e-9: # both are doubles, rounded
        wrong = 1
        print("Idle and _Total at", time, pair, "sum", sum(pair))

total = {}
parts = collections.defaultdict(list)
for line in open("threads"):
    row = json.loads(line)
    if row["path"].endswith("\\Threads"):
        total[row["time"]] = row["value"]
    elif "(_Total)" not in row["path"]:
        parts[row["time"]].append(row["value"])
if len(total) != 11:
    wrong = 1
    print(len(total), "samples, not 11")
for time, value in sorted(total.items()):
    if sum(parts[time]) != value:
        wrong = 1
        print("threads at", time, value, "sum over", len(parts[time]), "is", sum(parts[time]))
sys.exit(wrong)
PYTHON

finish
