#!/usr/bin/env bash
# dotnet.sh - the CSV of dotnet-counters is a log of displayed values
# SPDX-License-Identifier: MIT
#
# The header and rows follow CSVExporter.cs in dotnet/diagnostics, which writes local times and replaces commas in names.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

python3 - <<'PYTHON'
with open("counters.csv", "w") as file:
    print("Timestamp,Provider,Counter Name,Counter Type,Mean/Increment", file=file)
    for i in range(20):
        time = "02/25/2026 10:00:%02d" % i
        print(time + ",System.Runtime,CPU Usage (%%),Metric,%d" % (i * 3), file=file)
        print(time + ",System.Runtime,Allocation Rate (B / 1 sec),Rate,%d" % (8168 * i), file=file)
        print(time + ",System.Runtime,dotnet.gc.collections ({collection} / 1 sec)[gc.heap.generation=gen0],Rate,%d" % (i % 2), file=file)
        print(time + ",Microsoft.AspNetCore.Hosting,Request Rate (Count / 1 sec),Rate,0.5", file=file)
PYTHON
run stats --format csv counters.csv
status 0
same "averages" "$(python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["path"], row["samples"], float(row["average"]))' <<<"$out" | sort)" \
	'\Microsoft.AspNetCore.Hosting\Request Rate (Count / 1 sec) 20 0.5
\System.Runtime\Allocation Rate (B / 1 sec) 20 77596.0
\System.Runtime\CPU Usage (%) 20 28.5
\System.Runtime\dotnet.gc.collections ({collection} / 1 sec)[gc.heap.generation=gen0] 20 0.5'

# Without the column of values it is no such table.
sed 's/Mean.Increment/Note/' counters.csv >other.csv
run stats other.csv
status 1
finish
