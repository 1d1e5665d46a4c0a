#!/usr/bin/env bash
# clocks.sh - clocks that were set, pauses and gaps: what commands say
# SPDX-License-Identifier: MIT
#
# tests/unit/test_clocks.c tries many places and sizes; here are the ways through formats, selections and commands.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need python3

# log FILE SET LOST: JSON lines of 120 samples, one every 15 s; before sample 60 the system clock is set by SET seconds,
# and nothing is sampled for LOST seconds. The processor is busy for a fifth of the time, and so are four others, which
# have the clock that they have on Linux: their ticks since boot.
log() {
	python3 - "$1" "$2" "$3" <<'EOF'
import json, sys
from datetime import datetime, timedelta, timezone
path, jump, lost = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SECOND = 10 ** 7
EPOCH = 116444736000000000
with open(path, "w") as out:
    perf = busy = count = 0
    for i in range(120):
        passed = 15 + (lost if i == 60 else 0) if i else 0
        perf, busy, count = perf + passed, busy + passed * SECOND // 5, count + passed * 100
        seconds = 1577836800 + perf + (jump if i >= 60 else 0)
        time = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        system = EPOCH + seconds * SECOND
        for series, (name, kind, first, second) in enumerate((
                ("Processor(_Total)\\% Processor Time", "PERF_100NSEC_TIMER", busy, system),
                ("Processor Information(_Total)\\% User Time", "PERF_100NSEC_TIMER", busy * 4,
                 (1000 + perf) * SECOND * 4),
                ("System\\Context Switches/sec", "PERF_COUNTER_BULK_COUNT", count,
                 (1000 + perf) * SECOND),
                ("Memory\\Available MBytes", "PERF_COUNTER_LARGE_RAWCOUNT", 500, 0),
                ("Process(app)\\% Processor Time", "PERF_100NSEC_TIMER", busy, system))):
            out.write(json.dumps({"path": "\\\\SRV\\" + name, "type": kind, "time": time,
                                  "status": "valid_data", "first": first, "second": str(second),
                                  "multi": 0, "time_base": SECOND, "series": series, "sample": i,
                                  "utc_offset_min": 0}) + "\n")
EOF
}

# stat_of FILE [PATTERN]: average of the processor, and samples without a value
stat_of() {
	run stats --format json -c "${2:-\Processor(_Total)\*}" "$1"
	status 0
	[[ $out =~ \"average\":([0-9.e+-]+).*\"invalid\":([0-9]+) ]] && printf '%.4f %d\n' "${BASH_REMATCH[@]:1}"
}

# Forward, back, and by an hour: in each format, also where only the processor is read.
for jump in 3600 -7200 90; do
	log step.jsonl $jump 0
	run relog step.jsonl -o step.blg -y
	status 0
	run relog step.jsonl -o step.db -y
	status 0
	for file in step.jsonl step.blg step.db; do
		same "$file $jump" "$(stat_of "$file")" '20.0000 1'
		same "$file $jump, ticks" "$(stat_of "$file" '\Processor Information(*)\*')" '20.0000 0'
		run info --format json "$file"
		out_has '"gap_count":0'
		same "info $file $jump" "$(grep -o '"clock_steps":\[[^]]*\]' <<<"$out" | grep -o '"seconds":[-0-9]*')" "\"seconds\":$jump"
		run find --format json '\Processor(*)\% Processor Time > 50' "$file"
		out_has '"episodes":[]'
	done
	run values --format json -c '\Processor(_Total)\*' step.blg
	same "status $jump" "$(grep -c clock_stepped <<<"$out")" 1
	# 118 of 119 intervals of 15 s have a value, each of 3 s of a processor: 354 of 1,785 s.
	run step.blg
	out_has 'Top processes  app 0.198 CPUs (354 s)'
	# Windows' number.
	run stats --identity windows --format json -c '\Processor(_Total)\*' step.blg
	out_has '"invalid":'
	out_lacks clock_stepped
	run relog step.blg -c '\Processor(_Total)\*' -o step.csv -f csv -y
	status 0
	same "text $jump" "$(grep -c '" "' step.csv)" $((jump < 0 ? 2 : 1))
done

# What lasts for ten minutes, in which the clock is set or nothing is sampled: its length is the time that passed.
busy_log() { # FILE JUMP: a process takes 95 % from sample 50 to 90 of 240
	python3 - "$1" "$2" <<'EOF'
import json, sys
from datetime import datetime, timedelta, timezone
SECOND = 10 ** 7
EPOCH = 116444736000000000
with open(sys.argv[1], "w") as out:
    busy = 0
    for i in range(240):
        perf = 15 * i
        busy += 15 * (95 if 50 < i <= 90 else 20 + i % 3) * SECOND // 100
        seconds = 1577880000 + perf + (int(sys.argv[2]) if i >= 70 else 0)
        time = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        for series, (name, kind, first, second) in enumerate((
                ("Processor(_Total)\\% Processor Time", "PERF_100NSEC_TIMER_INV", perf * SECOND - busy, EPOCH + seconds * SECOND),
                ("System\\Processor Queue Length", "PERF_COUNTER_RAWCOUNT", 30 if 50 < i <= 90 else 0, 0),
                ("System\\Context Switches/sec", "PERF_COUNTER_BULK_COUNT", perf * 1000, (900 + perf) * SECOND))):
            out.write(json.dumps({
                "path": "\\\\SRV\\" + name, "type": kind, "time": time, "status": "valid_data", "first": first,
                "second": str(second), "multi": 0, "time_base": SECOND, "series": series, "sample": i,
                "utc_offset_min": 0}) + "\n")
EOF
}

# lengths FILE: of all incidents
lengths() {
	run health --format json "$1"
	status 0
	grep -o '"id":"[^"]*","from":"[^"]*","to":"[^"]*","seconds":[-0-9.]*' <<<"$out" | sed 's/.*"seconds"/"seconds"/'
}

busy_log whole.jsonl 0
same "an incident of ten minutes" "$(lengths whole.jsonl)" '"seconds":600'
for jump in 3600 -7200 90; do
	busy_log busy.jsonl $jump
	same "an incident in which the clock is set by $jump s" "$(lengths busy.jsonl)" '"seconds":600'
	run report busy.jsonl -o busy.html -y
	status 0
	# Nothing on the axis, which is of an hour, is longer than it or before it, and no time is negative.
	same "the bars" "$(grep -oE '(left:min\(|width:)-?[0-9.]+%' busy.html | tr -dc '0-9.\n-' | awk '$1 < 0 || $1 > 100')" ''
	same "the times" "$(grep -oE '<td class="n">-[0-9][^<]*' busy.html)" ''
	run chart busy.jsonl --incident "$(grep -oE '"id":"[^"]*' <<<"$("$PMON_BIN" health --format json busy.jsonl)" | head -n 1 | cut -d'"' -f4)" -o busy.svg -y
	status 0
	run explain busy.jsonl --incident "$("$PMON_BIN" health --format json busy.jsonl | sed -n 's/.*"id":"\([^"]*\).*/\1/p' | head -n 1)"
	status 0
	out_says when '10 min'
	# 39 of its 40 intervals have a value, each of 95 %: in one the clock was set.
	same "its average" "$(sed -n 's/^ *value *//p' <<<"$out" | tail -n 1)" '95 %'
	out_says 'sum over 39 pairs'
done

# A text log has one clock. Nothing is known of two hours without samples, in the middle of ten minutes of trouble: 40
# samples, each of which stands for 15 s, as in find and in the time beyond the limit.
python3 - <<'EOF' >pause.csv
print('"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Processor(_Total)\\% Processor Time","\\\\SRV\\System\\Processor Queue Length"')
for i in range(480):
    busy, second = 200 <= i < 240, 9 * 3600 + 15 * (i + 1) + (7200 if i >= 220 else 0)
    time = "%02d:%02d:%02d" % (second // 3600, second // 60 % 60, second % 60)
    print('"03/09/2026 %s.000","%d","%d"' % (time, 98 if busy else 20 + i % 3, 40 if busy else 1))
EOF
same "an incident with a gap in it" "$(lengths pause.csv)" '"seconds":600'

# Its clock is set back by an hour, long before ten minutes at 95 %, or between 20 samples at 99 % and 20 at 95 %: the average
# is that of these 40 samples, though others have the same times.
back_log() { # LINE FIRST: the clock goes back before a line, and the first of the samples are at this percentage
	awk -v line="$1" -v first="$2" 'BEGIN {
		print "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\% Processor Time\",\"\\\\SRV\\System\\Processor Queue Length\""
		for (t = 0; t < 480; t++) {
			second = 28800 + 15 * t - (t >= line ? 3600 : 0)
			busy = t >= 300 && t < 340
			printf "\"03/09/2026 %02d:%02d:%02d.000\",\"%d\",\"%d\"\n", second / 3600, second / 60 % 60, second % 60,
				busy ? (t < 320 ? first : 95) : 20 + t % 3, busy ? 40 : 1
		}
	}'
}
while read -r line first average; do
	back_log "$line" "$first" >back.csv
	run explain back.csv --incident "$("$PMON_BIN" health --format json back.csv | sed -n 's/.*"incidents":\[{"id":"\([^"]*\).*/\1/p')"
	status 0
	same "an average after a step back at $line" "$(sed -n 's/^ *value *//p' <<<"$out" | paste -sd' ')" "40 $average %"
done <<'END'
100 95 95
320 99 97
END

# A BLG of counters on the system clock alone cannot say that it was set: that is counted, and verify sees it.
for jump in 3600 -7200 90; do
	log step.jsonl $jump 0
	for file in step.jsonl step.blg step.db; do
		run relog step.jsonl -o "$file" -y
		status 0
		for format in blg jsonl db; do
			run relog "$file" -c '\Processor(_Total)\*' -o "alone.$format" -y
			status $([ $format = blg ] && echo 3 || echo 0)
			[ $format != blg ] || err_says 'clock was set' '1 value'
			run verify -c '\Processor(_Total)\*' "$file" "alone.$format"
			status $([ $format = blg ] && echo 1 || echo 0)
		done
		run relog "$file" -c '\Processor(_Total)\*' -c '\System\*' -o both.blg -y
		status 0
		run verify -c '\Processor(_Total)\*' "$file" both.blg
		status 0
	done
	for format in jsonl db; do
		run relog "alone.$format" -o again.blg -y
		status 3
		run verify "alone.$format" again.blg
		status 1
		out_says clock
		run relog "alone.$format" -o again.csv -y
		status 0
		run verify "alone.$format" again.csv
		status 0
	done
done

# A gap in a text log, from its first interval on.
gap_log() {
	local file=$1 place=$2 at=0 value

	printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Processor(_Total)\\%% Processor Time"\r\n' >"$file"
	for i in {0..99}; do
		((i == place)) && at=$((at + 3000))
		value=20
		((i == place)) && value=97
		printf '"03/02/2026 %02d:%02d:%02d.000","%s"\r\n' $((at / 3600)) $((at / 60 % 60)) \
			$((at % 60)) "$value" >>"$file"
		at=$((at + 15))
	done
}

for place in 1 2 3 50 99; do
	gap_log gap.csv $place
	run health --format json gap.csv
	status 0
	out_has '"findings":[]'
	run find --format json '\Processor(*)\% Processor Time > 50' gap.csv
	same "find $place" "$(grep -o '"seconds":[0-9.]*' <<<"$out")" '"seconds":15'
	run info gap.csv
	out_has 'for 50 min 15 s'
done

# Logs of others.
incidents=$(dirname "$PMON_TEST_DATA")/incidents
if [ ! -d "$incidents" ]; then
	echo "clocks.sh: skipped: there is no $incidents"
	finish
fi
for file in clockfwd.blg saved10m.blg linux-clockstep.blg gap_one_sample.csv reboot.blg; do
	run health --format json "$incidents/$file"
	status 0
	out_has '"findings":[]'
	out_has '"incidents":[]'
done
# 22 % all the time, as its README says.
run stats --format json -c '\Processor(_Total)\*' "$incidents/saved10m.blg"
same 'saved10m.blg' "$(python3 -c '
import json, sys
one = json.loads(sys.argv[1])["counters"][0]
print(round(one["average"]), round(one["maximum"]) < 30)' "$out")" '22 True'
run info "$incidents/clockfwd.blg"
out_says forward '1 h'
out_lacks '  gap '
run info "$incidents/linux-clockstep.blg"
out_says back '2 h'
finish
