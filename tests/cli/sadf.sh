#!/usr/bin/env bash
# sadf.sh - the tables of sadf -d (sysstat) are logs
# SPDX-License-Identifier: MIT
#
# The first file is a part of what `sadf -d -- -A` of sysstat 12.6.1 printed. Expected values are read from it again, by Python.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

cat >sar.csv <<'CSV'
# hostname;interval;timestamp;CPU;%usr;%nice;%sys;%iowait;%steal;%irq;%soft;%guest;%gnice;%idle
vm;1;2026-11-29 10:59:35 UTC;-1;71.36;0.00;28.64;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:35 UTC;0;67.68;0.00;32.32;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:35 UTC;1;75.00;0.00;25.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;-1;58.00;0.00;42.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;0;52.00;0.00;48.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;1;64.00;0.00;36.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
# hostname;interval;timestamp;proc/s;cswch/s
vm;1;2026-11-29 10:59:35 UTC;205.00;3475.00
vm;1;2026-11-29 10:59:36 UTC;344.00;3435.00
# hostname;interval;timestamp;INTR;CPU*
vm;1;2026-11-29 10:59:35 UTC;sum;1528.00;613.00;915.00
vm;1;2026-11-29 10:59:35 UTC;24;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;sum;1328.00;585.00;743.00
vm;1;2026-11-29 10:59:36 UTC;24;0.00;0.00;0.00
# hostname;interval;timestamp;tps;rtps;wtps;dtps;bread/s;bwrtn/s;bdscd/s
vm;1;2026-11-29 10:59:35 UTC;174.00;25.00;81.00;68.00;200.00;6376.00;1081992.00
vm;1;2026-11-29 10:59:36 UTC;130.00;20.00;68.00;42.00;264.00;10864.00;1050768.00
# hostname;interval;timestamp;kbmemfree;kbavail;kbmemused;%memused;kbbuffers;kbcached;kbcommit;%commit;kbactive;kbinact;kbdirty;kbanonpg;kbslab;kbkstack;kbpgtbl;kbvmused
vm;1;2026-11-29 10:59:35 UTC;20141216;23699228;584504;2.37;72244;3483216;545612;2.21;2709852;1186956;54140;354240;402904;2092;4748;14880
vm;1;2026-11-29 10:59:36 UTC;20160128;23744176;539164;2.18;73088;3508600;472952;1.92;2712184;1211360;76416;354856;403104;2196;5956;15036
# hostname;interval;timestamp;runq-sz;plist-sz;ldavg-1;ldavg-5;ldavg-15;blocked
vm;1;2026-11-29 10:59:35 UTC;7;132;5.32;7.97;8.53;0
vm;1;2026-11-29 10:59:36 UTC;10;137;5.32;7.97;8.53;0
# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
vm;1;2026-11-29 10:59:35 UTC;vda;174.00;100.00;3188.00;540996.00;3128.07;0.03;0.14;0.80
vm;1;2026-11-29 10:59:36 UTC;vda;130.00;132.00;5432.00;525384.00;4084.22;0.03;0.23;3.20
# hostname;interval;timestamp;IFACE;rxpck/s;txpck/s;rxkB/s;txkB/s;rxcmp/s;txcmp/s;rxmcst/s;%ifutil
vm;1;2026-11-29 10:59:35 UTC;lo;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:35 UTC;ifb0;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:35 UTC;ifb1;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:35 UTC;eth0;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;lo;12.00;12.00;43.22;43.22;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;ifb0;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;ifb1;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;eth0;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00
# hostname;interval;timestamp;call/s;retrans/s;read/s;write/s;access/s;getatt/s
vm;1;2026-11-29 10:59:35 UTC;0.00;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;0.00;0.00;0.00;0.00;0.00;0.00
# hostname;interval;timestamp;atmptf/s;estres/s;retrans/s;isegerr/s;orsts/s
vm;1;2026-11-29 10:59:35 UTC;0.00;0.00;0.00;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;0.00;0.00;0.00;0.00;0.00
# hostname;interval;timestamp;CPU;MHz
vm;1;2026-11-29 10:59:35 UTC;-1;2599.99
vm;1;2026-11-29 10:59:35 UTC;0;2599.99
vm;1;2026-11-29 10:59:35 UTC;1;2599.99
vm;1;2026-11-29 10:59:36 UTC;-1;2599.99
vm;1;2026-11-29 10:59:36 UTC;0;2599.99
vm;1;2026-11-29 10:59:36 UTC;1;2599.99
# hostname;interval;timestamp;FILESYSTEM;MBfsfree;MBfsused;%fsused;%ufsused;Ifree;Iused;%Iused
vm;1;2026-11-29 10:59:35 UTC;/dev/vda;233247;24772;9.60;71.62;16305070;472146;2.81
vm;1;2026-11-29 10:59:36 UTC;/dev/vda;233222;24798;9.61;71.63;16302864;474352;2.83
# hostname;interval;timestamp;%scpu-10;%scpu-60;%scpu-300;%scpu
vm;1;2026-11-29 10:59:35 UTC;48.27;64.09;83.52;95.57
vm;1;2026-11-29 10:59:36 UTC;55.83;64.94;83.56;96.97
# hostname;interval;timestamp;%sio-10;%sio-60;%sio-300;%sio;%fio-10;%fio-60;%fio-300;%fio
vm;1;2026-11-29 10:59:35 UTC;0.80;1.07;1.51;0.78;0.00;0.02;0.00;0.00
vm;1;2026-11-29 10:59:36 UTC;0.65;1.03;1.50;1.20;0.00;0.02;0.00;0.01
CSV

# Columns of the file as pmon names them, from sar(1) and docs/reference/counters-linux.md. Prints values that differ.
cat >compare.py <<'PYTHON'
import csv, datetime, re, sys
from decimal import Decimal as D

SAME = {  # by item and first column: what is a counter of pmon record, from the cells by name
    ("CPU", "%usr"): ("Processor", {
        "% Processor Time": lambda v: 100 - v["%idle"] - v["%iowait"],
        "% Idle Time": lambda v: v["%idle"] + v["%iowait"],
        "% User Time": lambda v: v["%usr"] + v["%nice"] + v["%guest"] + v["%gnice"],
        "% Privileged Time": lambda v: v["%sys"] + v["%irq"] + v["%soft"],
        "% I/O Wait Time": lambda v: v["%iowait"]}),
    ("", "proc/s"): ("System", {"Context Switches/sec": lambda v: v["cswch/s"]}),
    ("", "tps"): ("PhysicalDisk(_Total)", {
        "Disk Read Bytes/sec": lambda v: v["bread/s"] * 512,
        "Disk Transfers/sec": lambda v: v["rtps"] + v["wtps"]}),
    ("", "kbmemfree"): ("Memory", {
        "Available MBytes": lambda v: v["kbavail"] / 1024,
        "Cache Bytes": lambda v: (v["kbbuffers"] + v["kbcached"]) * 1024,
        "Committed Bytes": lambda v: v["kbcommit"] * 1024}),
    ("", "runq-sz"): ("System", {"Load Average 15 Minutes": lambda v: v["ldavg-15"]}),
    ("DEV", "tps"): ("PhysicalDisk", {
        "Disk Bytes/sec": lambda v: (v["rkB/s"] + v["wkB/s"]) * 1024,
        "Avg. Disk sec/Transfer": lambda v: v["await"] / 1000,
        "% Idle Time": lambda v: 100 - v["%util"]}),
    ("IFACE", "rxpck/s"): ("Network Interface", {
        "Bytes Total/sec": lambda v: (v["rxkB/s"] + v["txkB/s"]) * 1024}),
    ("", "atmptf/s"): ("TCPv4", {"Segments Retransmitted/sec": lambda v: v["retrans/s"]}),
    ("", "%sio-10"): ("Pressure Stall(io full)", {"% Stalled Time 60 s": lambda v: v["%fio-60"]}),
}
# Columns that only such a counter holds, and those that have no other name.
ALONE = {"%idle", "%usr", "%memused", "kbslab", "tps;", "%ifutil", "MHz", "MBfsused", "runq-sz"}

def utc(text):
    if text.isdigit():
        return int(text)
    return int(datetime.datetime.fromisoformat(text.replace(" UTC", "") + "+00:00").timestamp())

def expected(path):
    for line in open(path):
        fields = line.rstrip("\n").split(";")
        if line.startswith("#"):
            names = fields[3:]
            continue
        item = names[0] if names[0].isupper() else ""
        cells = fields[3 + (item != ""):]
        values = dict(zip(names[item != "":], cells))
        name = fields[3] if item else ""
        name = "_Total" if (item, name) in (("CPU", "-1"), ("INTR", "sum")) else name
        part = "(%s)" % re.sub("[#/]", "_", name) if item else ""
        for column, cell in values.items():
            if column in ALONE or (item == "FILESYSTEM" and column[0] != "%"):
                thing = "sysstat " + item if item else "sysstat"
                yield (utc(fields[2]), "\\\\%s\\%s%s\\%s" % (fields[0], thing, part, column)), D(cell)
        thing, made = SAME.get((item, names[item != ""]), ("", {}))
        numbers = {k: D(v) for k, v in values.items()} if made else {}
        for counter, of in made.items():
            whole = thing if "(" in thing else thing + part
            yield (utc(fields[2]), "\\\\%s\\%s\\%s" % (fields[0], whole, counter)), of(numbers)

found = {}
rows = csv.reader(open(sys.argv[2]))
paths = next(rows)
for row in rows:
    time = datetime.datetime.strptime(row[0] + "+0000", "%m/%d/%Y %H:%M:%S.%f%z").timestamp()
    for path, cell in zip(paths[1:], row[1:]):
        if cell.strip():
            found[int(time), path] = float(cell)
n = 0
for key, value in expected(sys.argv[1]):
    n += 1
    if key not in found or abs(found[key] - float(value)) > 1e-9 * max(1, abs(float(value))):
        print(key, "is", found.get(key), "want", value)
print("some" if n > 30 else n, "compared")
PYTHON

# compare FILE OPTION...
compare() {
	run relog "$1" -f csv -o found.csv -y "${@:2}"
	status 0
	same "values of $1" "$(python3 compare.py "$1" found.csv)" 'some compared'
}

compare sar.csv
run info sar.csv --format json
same "samples" "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["logs"][0]["samples"])' <<<"$out")" 2

# Names of pmon record are judged, searched and converted as those of its logs.
run stats -c cpu sar.csv
out_has '\Processor(_Total)\% Processor Time'
run relog sar.csv -o sar.blg -y
status 0
run stats sar.blg -c '\PhysicalDisk(vda)\Disk Read Bytes/sec'
status 0

# Seconds since 1970, local times, CR LF, and a line that is no sample.
python3 - <<'PYTHON'
import datetime, re
text = open("sar.csv").read()
stamp = "([0-9-]+ [0-9:]+) UTC"
def seconds(m):
    return str(int(datetime.datetime.fromisoformat(m[1] + "+00:00").timestamp()))
def berlin(m):
    return str(datetime.datetime.fromisoformat(m[1]) + datetime.timedelta(hours=1))
open("seconds.csv", "w", newline="").write(re.sub(stamp, seconds, text).replace("\n", "\r\n"))
open("local.csv", "w").write(re.sub(stamp, berlin, text))
open("bad.csv", "w").write(text + "vm;1;2026-11-29 10:59:37 UTC;1\nnoise\n")
PYTHON
"$PMON_BIN" relog sar.csv -f csv -o want.csv -y >/dev/null 2>&1
for file in seconds.csv 'local.csv --log-zone Europe/Berlin' bad.csv; do
	# shellcheck disable=SC2086
	run values $file --tz UTC --format csv
	same "values of $file" "$(tail -n +2 <<<"$out" | cksum)" "$("$PMON_BIN" values sar.csv --tz UTC --format csv 2>/dev/null | tail -n +2 | cksum)"
done
err_says '2 lines' 'line'

# All that this machine's own sadf prints, in each of its forms of time.
if command -v sar >/dev/null && command -v sadf >/dev/null && sar -A -o here.sa 1 2 >/dev/null 2>&1; then
	for form in '' -U -T; do
		# shellcheck disable=SC2086
		sadf -d $form here.sa -- -A >here.csv 2>/dev/null
		compare here.csv
	done
	sadf -d -h here.sa -- -u >wide.csv 2>/dev/null
	run stats wide.csv
	status 1
	err_says '-h'
fi
finish
