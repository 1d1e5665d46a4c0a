#!/usr/bin/env bash
# many.sh - logs with very many disks, machines, processes, streams or columns of one name: time grows with their number
# SPDX-License-Identifier: MIT
#
# Each command takes seconds. When it compared all with all, each took minutes; the limit is far above the one and
# below the other.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need python3

grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" && skip 'sanitizers are too slow'

# make NAME N COLUMN [COLUMN]: a log of eight samples; @ is the number of a column
cat >make.py <<'PYTHON'
import sys
name, n, *texts = sys.argv[1:]
paths = [text.replace("@", str(i)) for i in range(int(n)) for text in texts]
cells = "".join(f',"{i + 1}.000000"' if text is texts[0] else ',"9.000000"' for i in range(int(n)) for text in texts)
with open(name, "w") as file:
    file.write('"(PDH-CSV 4.0) (UTC)(0)"' + "".join(f',"\\\\{path}"' for path in paths))
    for t in range(8):
        file.write(f'\r\n"11/20/2026 00:00:0{t}.000"' + cells)
    file.write("\r\n")
PYTHON
make() { python3 make.py "$@"; }
# quick WORDS...: pmon ends well within the limit
quick() {
	ran="pmon $*"
	(ulimit -t "${limit:-20}" && exec "$PMON_BIN" "$@") >out.txt 2>err.txt && ok || bad "it failed or took too long: $(tail -1 err.txt)"
}

make names.csv 50000 'S\Processus(a)\Taille virtuelle (octets)'
quick list names.csv
same 'the names' "$(wc -l <out.txt)" 50000
make disks.csv 30000 'S\PhysicalDisk(@)\Avg. Disk sec/Read' 'S\PhysicalDisk(@)\Avg. Disk Read Queue Length'
quick health disks.csv --format json
make machines.csv 100000 'S@\Memory\Available MBytes'
quick machines.csv
grep -q '100,000 machines\|100000 machines' out.txt && ok || bad "$(head -3 out.txt)"
make objects.csv 100000 'S\Object @\Counter'
quick objects.csv
make processes.csv 30000 'S\Process(a#@)\ID Process' 'S\Process(a#@)\% Processor Time'
quick stats processes.csv --by process --format csv
limit=5 quick watch '\Process(*)\% Processor Time > 5' processes.csv --format csv
same 'the alerts, of which each begins and is open at the end' "$(grep -c '^"\?\(begin\|open\)' out.txt)" 60000
make cpus.csv 30000 'S@\Process(a)\% Processor Time' 'S@\Processor(0)\% Processor Time' 'S@\Processor(1)\% Processor Time'
quick stats --per-cpu cpus.csv --format csv
same 'half of 30000' "$(grep -F 'S29999\Process(' out.txt | cut -d, -f4)" 15000
# As many rules as are allowed, in seven packs, and nearly as many machines as are judged.
make few.csv 1000 'S@\Memory\Available MBytes'
for ((i = 0; i < 1000; i++)); do
	printf '[R%d]\npack = p%d\ncounter = \\%s\nwarning = > 9999\n' "$i" $((i % 7)) \
		"$([ "$i" = 0 ] && echo 'Memory\Available MBytes' || echo "A$i\\B")"
done >many.rules
limit=3 quick health --rules many.rules few.csv
grep -q '1000 rules within the limits; 148000 not judged' out.txt && ok || bad "$(tail -1 out.txt)"

# Shifts of very many disks and machines, at times of their own: which belong together, and what else did the disk do?
cat >shifts.py <<'PYTHON'
import random, sys
name, n, *texts = sys.argv[1:]
rng = random.Random(3)
paths = [text.replace("@", str(i)) for i in range(int(n)) for text in texts]
begins = [rng.randrange(20, 190) for _ in paths]
with open(name, "w") as file:
    file.write(",".join(['"(PDH-CSV 4.0) (UTC)(0)"'] + ['"\\%s"' % path for path in paths]) + "\n")
    for t in range(200):
        cells = ["90" if begins[i] <= t < begins[i] + 5 else "0.003" for i in range(len(paths))]
        file.write(",".join(['"11/20/2026 %02d:%02d:00.000"' % (t // 60, t % 60)] + ['"%s"' % cell for cell in cells]) + "\n")
PYTHON
python3 shifts.py disks.csv 4000 'S\PhysicalDisk(@ X:)\Avg. Disk sec/Read' 'S\PhysicalDisk(@ X:)\Disk Bytes/sec'
python3 shifts.py fleet.csv 3000 'S@\Processor(_Total)\% Processor Time' 'S@\PhysicalDisk(0 X:)\Avg. Disk sec/Read'
for log in disks fleet; do
	quick health --format json $log.csv
	same "incidents of $log" "$(python3 -c 'import json; print(len(json.load(open("out.txt"))["incidents"]) > 10)')" True
done

# A sample for each of 70,000 streams, of which 65,536 can be read.
python3 - >endless.jsonl <<'PYTHON'
for n in range(70000):
    print('{"path":"\\\\\\\\H\\\\System\\\\Counter","type":"PERF_COUNTER_RAWCOUNT","time":"2024-01-01T%02d:%02d:%02dZ",'
          '"status":"valid_data","first":1,"second":0,"multi":1,"time_base":10000000,"series":0,"stream":%d,'
          '"sample":0,"utc_offset_min":0}' % (n // 3600, n // 60 % 60, n % 60, n * 61 * 1009))
PYTHON
for verb in stats health; do
	run $verb endless.jsonl
	status 3
	same "$verb: lost lines" "$(grep -c 'lost at byte' <<<"$err")" $((70000 - 65536))
done

finish
