#!/usr/bin/env bash
# empty_samples.sh - a sample without values, anywhere in a log of any format, changes no finding
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need python3

# log FILE AT...: 120 raw samples, one every 15 s, and one more without values 7 s before each sample AT. The processor is
# busy from 40 to 80, by one process, which grows all the time.
log() {
	python3 - "$@" <<'PYTHON'
import json, sys
from datetime import datetime, timedelta, timezone

SECOND = 10 ** 7
EPOCH = 116444736000000000
empty = {int(at) for at in sys.argv[2:]}
number = 0

def put(out, seconds, values):
    global number
    time = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    for series, (path, kind, first, second) in enumerate(values):
        out.write(json.dumps({
            "path": "\\\\SRV\\" + path, "type": kind, "time": time, "multi": 0, "time_base": SECOND,
            "status": "valid_data" if first is not None else "0xc0000bc6",
            "first": first or 0, "second": str(second or 0), "series": series, "sample": number,
            "utc_offset_min": 0}) + "\n")
    number += 1

with open(sys.argv[1], "w") as out:
    busy = 0
    for i in range(120):
        now = 1577880000 + i * 15
        busy += 15 * (99 if 40 < i <= 80 else 20) * SECOND // 100
        clock = EPOCH + now * SECOND
        values = [("Processor(_Total)\\% Processor Time", "PERF_100NSEC_TIMER", busy, clock),
                  ("System\\Context Switches/sec", "PERF_COUNTER_BULK_COUNT", i * 1500, (900 + i * 15) * SECOND),
                  ("Process(app)\\% Processor Time", "PERF_100NSEC_TIMER", busy, clock),
                  ("Process(app)\\Private Bytes", "PERF_COUNTER_LARGE_RAWCOUNT", 10 ** 8 + i * 10 ** 7, 0),
                  ("Process(app)\\ID Process", "PERF_COUNTER_RAWCOUNT", 77, 0)]
        if i in empty:
            put(out, now - 7, [(path, kind, None, None) for path, kind, _, _ in values])
        put(out, now, values)
PYTHON
}

# What is found in FILE, without the number of samples.
found() {
	local file=$1

	run find --format json '\Processor(*)\% Processor Time > 50' "$file"
	status 0
	echo "$out"
	run health --format json "$file"
	status 0
	echo "$out"
	run trend --format json "$file"
	status 0
	echo "$out"
	run watch --format csv '\Processor(*)\% Processor Time > 50 for 5m' --replay "$file"
	status 0
	echo "$out"
	run stats --format csv -c '\Processor(_Total)\*' -c '\System\*' "$file"
	status 0
	cut -d, -f1-5,7-9 <<<"$out"
	run stats --by process --format csv "$file"
	status 0
	cut -d, -f1-5,7-9 <<<"$out"
}

# The log begins 7 s earlier with an empty sample before the first one.
without_counts() { sed 's/"samples_used":[0-9]*,"samples_empty":[0-9]*//; s/"samples":[0-9]*//g; s/T11:59:53Z/T12:00:00Z/'; }

log whole.jsonl
formats=(jsonl blg db csv)
declare -A whole
for format in "${formats[@]}"; do
	[ $format = jsonl ] || run relog whole.jsonl -o whole.$format -y
	whole[$format]=$(found whole.$format | without_counts)
done
# With PMON_TEST_FULL places in each format, else in two of the four, by turns.
n=0
for places in 0 1 60 119 '0 1 2' '41 60 80' '50 51 52 53'; do
	# shellcheck disable=SC2086 # numbers
	log empty.jsonl $places
	turn=("${formats[@]}" "${formats[0]}")
	turn=("${turn[@]:n++ % 4:2}")
	[ -z "${PMON_TEST_FULL-}" ] || turn=("${formats[@]}")
	for format in "${turn[@]}"; do
		[ $format = jsonl ] || run relog empty.jsonl -o empty.$format -y
		same "an empty sample before $places in $format" "$(found empty.$format | without_counts)" "${whole[$format]}"
	done
done

# A displayed value of two samples is of the interval before it, also the first one: findings of text logs begin with
# those of the log that they were made from.
for format in jsonl csv; do
	run find --format json '\Processor(*)\% Processor Time > 5' whole.$format
	out_has '"from":"2020-01-01T12:00:00Z"'
	out_has '"seconds":1785'
done

finish
