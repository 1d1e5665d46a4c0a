#!/usr/bin/env bash
# many.sh - logs with very many disks, machines, processes or columns of one name: time grows with their number
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
quick watch '\Process(*)\% Processor Time > 5' processes.csv --format csv
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

finish
