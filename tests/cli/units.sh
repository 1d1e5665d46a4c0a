#!/usr/bin/env bash
# units.sh - a finding has its value and its limit in one unit, and a time that a type calls a count is a time
# SPDX-License-Identifier: MIT
#
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Ten minutes, a sample every 15 s: COUNTER VALUE...
make_csv() {
	local head='"(PDH-CSV 4.0) (UTC)(0)"' row=
	while [ $# -gt 0 ]; do
		head+=",\"\\\\SRV\\$1\""
		row+=",\"$2\""
		shift 2
	done
	printf '%s\r\n' "$head"
	for ((t = 0; t < 41; t++)); do
		printf '"11/20/2026 08:%02d:%02d.000"%s\r\n' $((t / 4)) $((t % 4 * 15)) "$row"
	done
}

cat >own.rules <<'E2'
[Share]
counter = \SQL(a)\Compilations/sec
of = \SQL(a)\Batch Requests/sec
warning = > 3%
text = x
[Each]
counter = \System\Processor Queue Length
warning = > 2
per = processor
text = x
[Latency]
counter = \PhysicalDisk(*)\Avg. Disk sec/Read
warning = > 20ms
text = x
[Plain]
counter = \SQLServer:Buffer Manager\Page life expectancy
warning = < 300
text = x
[Memory]
counter = \Memory\Available MBytes
warning = < 0.5GB
text = x
E2
make_csv 'SQL(a)\Compilations/sec' 4093 'SQL(a)\Batch Requests/sec' 20000 'Processor(0)\% Processor Time' 5 \
	'Processor(1)\% Processor Time' 5 'System\Processor Queue Length' 9 'PhysicalDisk(0)\Avg. Disk sec/Read' 1.5 \
	'SQLServer:Buffer Manager\Page life expectancy' 25 'Memory\Available MBytes' 128 \
	'SQLServer:Databases(a)\Log Flush Wait Time' 7 >log.csv
run health log.csv --rules own.rules --all
status 0
# 4,093 of 20,000 are 20.465 %; 128 MB are an eighth of a GB; 25 s are 0.4167 min.
for text in '> 3% of Batch Requests/sec' '20.47 %' '> 2 per processor' '1,500 ms' '0.125 GB' '< 5 min' '0.4167 min'; do
	out_has "$text"
done
out_lacks '4.093 k/s'
run health log.csv --rules own.rules --format json
got=$(python3 -c '
import json, sys
for f in json.load(sys.stdin)["findings"]:
    print(f["rule"], f["limit"], f["limit_unit"], round(f.get("compared", 0), 9), f["unit"] == f["limit_unit"])
' <<<"$out" | sort)
want='Each 4  0 True
Latency 0.02 s 0 True
Memory 512 MB 0 True
Plain 300 s 0 True
Share 3 % 20.465 False'
[ "$got" = "$want" ] && ok || bad "limits in JSON: $got"

# CSV has the limits of JSON, null as an empty cell.
same_limits() { # KEY ARGUMENT...: of a list of findings or episodes
	local key=$1 csv
	shift
	run "$@" --format csv
	csv=$out
	run "$@" --format json
	got=$(csv=$csv python3 -c '
import csv, io, json, os, sys
names = "limit", "limit_unit", "compared", "compared_with"
found = json.load(sys.stdin)[sys.argv[1]]
rows = list(csv.DictReader(io.StringIO(os.environ["csv"])))
assert len(found) == len(rows) > 0, (found, rows)
assert tuple(rows[0])[-4:] == names, list(rows[0])
for f, row in zip(found, rows):
    assert [str(f[n]) if f.get(n) is not None else "" for n in names] == [row[n] for n in names], (f, row)' "$key" <<<"$out" 2>&1) &&
		ok || bad "limits of $*: $got"
}
same_limits findings health log.csv --rules own.rules
for condition in '\SQL(*)\Compilations/sec > 3k/s' '\Memory\Available MBytes < 0.5GB' '\System\Processor Queue Length > 2' \
	'\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 1m'; do
	same_limits episodes find "$condition" log.csv
done
run find '\Memory\Available MBytes < 0.5GB' log.csv --format json
out_has '"limit":512,"limit_unit":"MB"'

run stats log.csv --format json
[ "$(jq -r '.counters[] | select(.path | endswith("Log Flush Wait Time")).unit' <<<"$out")" = ms ] && ok ||
	bad "the unit of a log flush: $out"
run stats log.csv
out_has '7 ms'
finish
