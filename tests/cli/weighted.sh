#!/usr/bin/env bash
# weighted.sh - averages per operation of text logs are weighted by the rate, whatever is selected
# SPDX-License-Identifier: MIT
#
# The pairs are those of Windows' documentation and provider sources; averages are computed here from the cells:
# sum(value * rate * interval) / sum(rate * interval).
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

cat >pairs <<'PAIRS'
PhysicalDisk(0 C:)|Avg. Disk Bytes/Read|Disk Reads/sec
PhysicalDisk(0 C:)|Avg. Disk sec/Read|Disk Reads/sec
LogicalDisk(C:)|Avg. Disk Bytes/Write|Disk Writes/sec
LogicalDisk(C:)|Avg. Disk Bytes/Transfer|Disk Transfers/sec
Cluster CSVFS(Volume1)|avg. sec/read|reads/sec
SMB Server Shares(\\*\a)|Avg. sec/Request|Requests/sec
SMB Client Shares(\b\c)|Avg. Bytes/Write|Write Requests/sec
MSExchange Database(edgetransport)|I/O Database Reads (Attached) Average Latency|I/O Database Reads (Attached)/sec
MSExchange Database ==> Instances(DB1/1)|I/O Log Writes Average Latency|I/O Log Writes/sec
Database ==> Instances(lsass/NTDSA)|I/O Database Writes Average Bytes|I/O Database Writes/sec
MSExchangeIS Store(DB1)|RPC Average Latency|RPC Operations/sec
MSExchange RpcClientAccess|RPC Averaged Latency|RPC Operations/sec
MSExchange ADAccess Domain Controllers(dc1)|LDAP Search Time|LDAP Search Calls/sec
ASP.NET Applications(__Total__)|Request Execution Time|Requests/Sec
ASP.NET Apps v4.0.30319(_LM_W3SVC_1_ROOT)|Request Wait Time|Requests/Sec
ServiceModelService 4.0.0.0(a@b)|Calls Duration|Calls Per Second
SQLServer:Latches|Average Latch Wait Time (ms)|Latch Waits/sec
MSSQL$PROD:Latches|Average Latch Wait Time (ms)|Latch Waits/sec
MSSQL$PROD:Locks(_Total)|Average Wait Time (ms)|Lock Waits/sec
SQLServer:Resource Pool Stats(default)|Avg Disk Read IO (ms)|Disk Read IO/sec
SQLServer:Broker/DBM Transport|Send I/O Len Avg|Send I/Os/sec
PAIRS

cat >make.py <<'PYTHON'
import random
from datetime import datetime, timedelta
from fractions import Fraction

random.seed(4)
pairs = [line.rstrip("\n").split("|") for line in open("pairs")]
columns = list(dict.fromkeys("\\\\S\\%s\\%s" % (of, name) for of, value, rate in pairs for name in (value, rate)))
random.shuffle(columns)
lengths = [random.choice([5, 15, 60]) for _ in range(30)]
lengths[0] = lengths[1]  # the first interval is unknown, and taken as long as the second
rows = [{c: random.choice([0, 1, random.randrange(5000), random.randrange(1, 10**6) / 1000]) for c in columns} for _ in lengths]
time = datetime(2026, 2, 25, 10)
with open("log.csv", "w") as log:
    print(",".join(['"(PDH-CSV 4.0) (UTC)(0)"'] + ['"%s"' % c for c in columns]), file=log)
    for length, row in zip(lengths, rows):
        time += timedelta(seconds=length)
        print(",".join([time.strftime('"%m/%d/%Y %H:%M:%S.000"')] + ['"%r"' % row[c] for c in columns]), file=log)
with open("want", "w") as want:
    for of, value, rate in pairs:
        value, rate = ("\\\\S\\%s\\%s" % (of, name) for name in (value, rate))
        amount = sum(Fraction(repr(row[value])) * Fraction(repr(row[rate])) * n for n, row in zip(lengths, rows))
        operations = sum(Fraction(repr(row[rate])) * n for n, row in zip(lengths, rows))
        print("%s|%.10g derived" % (value, amount / operations), file=want)
PYTHON
python3 make.py

# average PATH: of that counter, by the table in $out
average() {
	path=$1 awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["path"] == ENVIRON["path"] { printf "%.10g %s\n", $column["average"], $column["average_kind"] }' <<<"$out"
}

run stats --format csv log.csv
all=$out
while IFS='|' read -r path want; do
	out=$all ran="stats log.csv"
	same "average of $path" "$(average "$path")" "$want"
	pattern=${path#'\\S'}
	run stats --format csv log.csv -c "${pattern//\\\\\*/*}"
	same "average of $path alone" "$(average "$path")" "$want"
done <want

run explain log.csv -c '\SQLServer:Latches\Average Latch*'
out_has 'total / operations'

run relog log.csv -o log.db -f sqlite -y
if [ "$status" = 0 ]; then
	same "averages in a database" "$(python3 -c '
import sqlite3
found = {p: "%.10g %s" % (a, k) for p, a, k in sqlite3.connect("log.db").execute("SELECT path, average, average_kind FROM pmon_average")}
print(sum(found.get(line.rstrip("\n").split("|")[0]) != line.rstrip("\n").split("|")[1] for line in open("want")))')" 0
fi
finish
