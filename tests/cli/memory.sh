#!/usr/bin/env bash
# memory.sh - the peak memory of every job over a log that is larger than it may be
# SPDX-License-Identifier: MIT
#
# 64 MiB, and 1 KiB for each counter: what docs/performance.md promises; what judges rules or compares times has 2 KiB
# for each counter more than statistics of the same log, and `diff` more than those of both logs. The logs are made up here, one of few counters and much longer than that, one
# of many counters that each live for one sample, some of many counters in every sample: as many as one thread reads,
# and as many as two do; and logs of processes, of which most counters are judged.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3
[ "$(uname)" = Linux ] || skip "how memory is counted is only known of Linux"
if grep -q '^PMON_SANITIZE:[A-Z]*=.' "$PMON_BUILD_DIR/CMakeCache.txt" 2>/dev/null; then
	skip "sanitizers have memory of their own"
fi

cat >make.py <<'PYTHON'
import sys
def write(name, rows, columns):
    with open(name, "w", newline="") as f:
        f.write('"(PDH-CSV 4.0) (UTC)(0)"' + "".join(
            ',"\\\\HOST\\Instance Data(i%d)\\Pages/sec"' % c for c in range(columns)) + "\r\n")
        cells = ["".join(',"%d.%d"' % (r * 7919 % 100003 + c, c) for c in range(columns))
                 for r in range(10)]
        for r in range(rows):
            f.write('"01/%02d/2024 %02d:%02d:%02d.000"' % (
                1 + r // 86400, r // 3600 % 24, r // 60 % 60, r % 60) + cells[r % 10] + "\r\n")
write("few.csv", 8000, 1000)
write("wide.csv", 8, 60000)
write("less.csv", 8, 38000)
def write_processes(name, rows, processes):
    counters = ["ID Process", "Handle Count", "Thread Count", "Private Bytes", "% Processor Time", "Working Set",
                "IO Read Bytes/sec", "IO Write Bytes/sec"]
    with open(name, "w", newline="") as f:
        f.write('"(PDH-CSV 4.0) (UTC)(0)"' + "".join(
            ',"\\\\HOST\\Process(p%d)\\%s"' % (p, c) for p in range(processes) for c in counters) + "\r\n")
        for r in range(rows):  # one every 10 minutes, so that leaks are judged too
            f.write('"01/%02d/2024 %02d:%02d:00.000"' % (1 + r // 144, r // 6 % 24, r % 6 * 10) + "".join(
                ',"%d"' % (100 * p + 4) + ',"%d"' % (500 + r * p % 99) * 7 for p in range(processes)) + "\r\n")
write_processes("processes.csv", 60, 2000)
write_processes("long.csv", 3000, 200)
with open("many.jsonl", "w") as f:
    for n in range(60000):
        i, c = divmod(n, 10)
        f.write('{"path":"\\\\\\\\HOST\\\\Process(p%d)\\\\Count %d",'
                '"type":"PERF_COUNTER_RAWCOUNT","time":"2024-01-01T00:00:%02dZ",'
                '"status":"valid_data","first":%d,"second":0,"multi":1,"wildcard":true,'
                '"time_base":10000000,"series":%d,"sample":%d,"utc_offset_min":0}\n'
                % (i, c, i // 2000, n, n, i // 2000))
PYTHON
python3 make.py || exit 1

# peak_of ARGS...: run pmon, and print its peak in KiB, or "failed"
peak_of() {
	python3 - "$PMON_BIN" "$@" <<'PYTHON'
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss if status == 0 else "failed")
PYTHON
}

# peak COUNTERS ARGS...: run pmon, and hold it to its bound
peak() {
	local bound=$((65536 + $1))

	shift
	hold "$bound" "$@"
}

# hold KIB ARGS...
hold() {
	local kib bound=$1

	shift
	ran="pmon $*"
	kib=$(peak_of "$@")
	echo "$kib KiB, at the most $bound: $ran"
	[ "$kib" != failed ] && [ "$kib" -le "$bound" ] && ok || bad "peak of $kib KiB, not $bound at the most"
}

turn=0
# is_turn N OF: the N-th of OF things that take turns
is_turn() { [ -n "${PMON_TEST_FULL-}" ] || [ $((turn % $2)) = "$1" ]; }

# One counter in a log of many is a job of its own.
jobs() {
	local more=("${@:4}")

	peak "$1" stats "${more[@]}" "$2"
	is_turn 0 3 && peak "$1" info "${more[@]}" "$2"
	is_turn 1 3 && peak "$1" list "${more[@]}" "$2"
	is_turn 2 3 && peak "$1" stats "${more[@]}" -c "$3" "$2"
	turn=$((turn + 1))
}

head -n 2501 few.csv >some.csv
peak 1000 relog some.csv -f BIN -o few.blg -y
peak 60000 relog many.jsonl -f BIN -o many.blg -y
for log in wide less; do
	peak 60000 relog $log.csv -f BIN -o $log.blg -y
done
[ "$(stat -c %s few.csv)" -gt $((80 << 20)) ] && [ "$(stat -c %s few.blg)" -gt $((80 << 20)) ] && ok ||
	bad "the logs are too small to tell"

one='\Instance Data(i77)\Pages/sec'
jobs 1000 few.csv "$one"
jobs 1000 few.blg "$one"
jobs 60000 many.blg '\Process(p77)\Count 7'
jobs 60000 wide.blg "$one"
peak 60000 stats wide.csv
peak 38000 stats less.csv
peak 38000 stats less.blg
peak 60000 relog wide.blg -f CSV -o out.csv -y
peak 1000 values few.blg -c '\Instance Data(i7*)\Pages/sec'
peak 1000 raw few.blg -c "$one"
peak 1000 relog few.blg -f CSV -o out.csv -y
peak 1000 relog some.csv -t 5 -f SQL -o out.db -y
peak 60000 relog many.blg -f SQL -o out.db -y
peak 60000 relog wide.blg -f SQL -o out.db -y

# Three hundred small logs: a merge gives each of them streams with numbers of its own.
for ((i = 0; i < 300; i++)); do
	printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\S%d\\Memory\\Available MBytes"\n"01/01/2024 00:00:00.000","5"\n"01/01/2024 00:01:00.000","6"\n' $i >small$i.csv
done
stats=$(peak_of stats small*.csv)
hold $((stats + 16384)) small*.csv
hold $((stats + 16384)) health small*.csv

# 16,000 counters, and 1,600 of a log 50 times as long: 2 KiB for each, and half a MiB for code that stats does not run.
turn=0
for log in "16000 processes" "1600 long"; do
	read -r counters name <<<"$log"
	run relog "$name.csv" -f BIN -o "$name.blg" -y
	for format in csv blg; do
		stats=$(peak_of stats "$name.$format")
		bound=$((stats + 2 * counters + 512))
		# These keep the course of each counter, too, in at most 2 KiB.
		is_turn 0 2 && hold "$((bound + 2 * counters))" health "$name.$format"
		is_turn 1 2 && hold "$((bound + 2 * counters))" "$name.$format"
		is_turn 0 2 && hold "$bound" find '\Process(*)\Handle Count > 500 for 1h' "$name.$format"
		is_turn 1 2 && hold "$bound" changes --from 2024-01-01T05:00 "$name.$format"
		# It looks for the incidents of both logs.
		is_turn 0 2 && hold $((bound + stats + 4 * counters)) diff "$name.$format" "$name.$format"
		turn=$((turn + 1))
	done
	turn=$((turn + 1)) # what one log had as CSV, the other has as BLG
done
if command -v zstd >/dev/null 2>&1; then
	zstd -q few.csv few.blg many.blg
	jobs 1000 few.csv.zst "$one" --max-unpacked 100MB # the same ten rows again and again
	jobs 1000 few.blg.zst "$one"
	one='\Process(p77)\Count 7'
	peak 60000 info many.blg.zst
	peak 60000 list many.blg.zst
	peak 60000 stats many.blg.zst -c "$one"
	# The size of the compressed file decides; it is too small for statistics of all counters.
	run stats many.blg.zst
	status 1
	err_says counters size
	err_says -c
fi

finish
