#!/usr/bin/env bash
# sql.sh - pmon sql: tables, functions, output, and what a statement cannot do
# SPDX-License-Identifier: MIT
#
# tests/oracle/test_sql.py compares the numbers with pmon stats.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
make_log evil e.blg
run sql 'SELECT 1' a.blg
case $err in
*'without SQLite'*) skip "this pmon was built without SQLite" ;;
esac

# ---- What is printed --------------------------------------------------------------------------------

# One read of 0.15 s, then nine intervals without any (NT Debugging blog): 0.15 on average.
latency="counter = 'Avg. Disk sec/Read'"
run sql "SELECT instance, pmon_avg(operands) AS read FROM log WHERE $latency GROUP BY instance" a.blg
status 0
out_is 'instance  read
0 C:      0.15'
run sql --format csv "SELECT time, value FROM log WHERE $latency AND status = 'ok'" a.blg
status 0
out_is 'time,value
2026-11-20T15:00:15.0000000Z,0.15'
run sql --format json "SELECT time, value, NULL AS none, 2 AS two, x'00ff' AS bytes FROM log WHERE $latency AND status = 'ok'" a.blg
out_is '{"time":"2026-11-20T15:00:15.0000000Z","value":0.15,"none":null,"two":2,"bytes":"x'"'00FF'"'"}'
run sql 'SELECT counter FROM counters WHERE 0' a.blg
status 0
out_is 'counter'

# More rows than are measured for the widths.
run sql 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i FROM n' a.blg
status 0
same 'lines' "$(wc -l <<<"$out")" 301
out_has '300'

# The rows of a table are those of values --format tidy.
run values --format tidy-json a.blg
tidy=$out
run sql --format json 'SELECT * FROM log' a.blg
same 'log and tidy rows' "$out" "$tidy"
run sql --format json 'SELECT * FROM "values"' a.blg
same 'values and tidy rows' "$out" "$tidy"

run sql --format csv 'SELECT machine, counters, samples, first_time, last_time FROM machines' a.blg
out_is 'machine,counters,samples,first_time,last_time
SERVER,4,11,2026-11-20T15:00:00.0000000Z,2026-11-20T15:02:30.0000000Z'
run sql --format csv "SELECT counter, type, unit, samples FROM counters WHERE object = 'PhysicalDisk' ORDER BY counter" a.blg
out_is 'counter,type,unit,samples
Avg. Disk sec/Read,PERF_AVERAGE_TIMER,s,11
Disk Reads/sec,PERF_COUNTER_COUNTER,/s,11'
run sql --format csv "SELECT first, second, time_base, status FROM raw WHERE $latency LIMIT 2" a.blg
out_is 'first,second,time_base,status
0,0,14318180,valid_data
2147727,1,14318180,valid_data'

# What was wrong is what health says.
make_incident busy.csv
run health --format json busy.csv
health=$out
run sql --format json "SELECT id, severity, headline, machine, resource, unit FROM incidents ORDER BY id" busy.csv
status 0
same 'incidents' "$out" "$(python3 -c '
import json, sys
for i in sorted(json.loads(sys.argv[1])["incidents"], key=lambda i: i["id"]):
    print(json.dumps({k: i[k] for k in ("id", "severity", "headline", "machine", "resource", "unit")}, separators=(",", ":"), ensure_ascii=False))' "$health")"
run health --all --format csv a.blg
n=$(($(grep -c . <<<"$out") - 1))
run sql --format csv 'SELECT count(*) AS n FROM findings' a.blg
out_is "n
$n"
run sql --format csv 'SELECT rule, limit_text, seconds FROM findings' a.blg
status 0
run sql "INSERT INTO findings(rule) VALUES('x')" a.blg
status 1

# ---- Conditions that the reader knows ---------------------------------------------------------------

for where in "$latency" "counter IN ('Avg. Disk sec/Read', 'nothing')" "object = 'PhysicalDisk' AND counter LIKE 'avg%'" \
	"lower(counter) = 'avg. disk sec/read'" "counter > 'Avg' AND counter < 'B'" "'Avg. Disk sec/Read' = counter"; do
	run sql --format csv "SELECT count(*), sum(d) FROM log WHERE $where" a.blg
	out_is 'count(*),sum(d)
11,1'
done
run sql --format csv "SELECT count(*) FROM log WHERE counter = 'avg. disk sec/read'" a.blg
out_is 'count(*)
0'
run sql --format csv "SELECT count(*) FROM log WHERE counter = '*'" a.blg
out_is 'count(*)
0'
run sql --format csv "SELECT count(*), min(time), max(time) FROM log WHERE $latency AND time > '2026-11-20T15:00:15.0000000Z' AND time <= '2026-11-20T15:01'" a.blg
out_is 'count(*),min(time),max(time)
2,2026-11-20T15:00:30.0000000Z,2026-11-20T15:00:45.0000000Z'
run sql --format csv "SELECT count(*) FROM log WHERE $latency AND time = '2026-11-20T15:00:15.0000000Z'" a.blg
out_is 'count(*)
1'
# A text is compared as one: '2026' < '5'.
run sql --format csv "SELECT count(*) FROM log WHERE $latency AND time < 5" a.blg
out_is 'count(*)
11'
# What was before the window counts in its first pair.
run sql --format csv "SELECT pmon_avg(operands) FROM log WHERE $latency AND time >= '2026-11-20T15:00:15'" a.blg
out_is 'pmon_avg(operands)
0.15'
run sql --format csv -c '\PhysicalDisk(*)\Disk Reads/sec' "SELECT DISTINCT counter FROM log" a.blg
out_is 'counter
Disk Reads/sec'
run sql -c '\No\Such' "SELECT count(*) FROM log" a.blg
status 1
err_says '\No\Such'
run sql --format csv "SELECT a.value FROM log a JOIN log b ON a.time = b.time AND a.path = b.path WHERE a.value = 0.15" a.blg
out_is 'value
0.15'

# ---- Functions --------------------------------------------------------------------------------------

# One read, of 0.15 s; a percentile is at most 0.5 % off.
run sql --format csv "SELECT pmon_total(operands), round(pmon_percentile(operands, 95), 2) FROM log WHERE $latency" a.blg
out_is 'pmon_total(operands),round(pmon_percentile(operands, 95), 2)
0.15,0.15'
run sql --format csv "SELECT pmon_step('2026-11-20T15:00:00Z', '1h'), pmon_step('2026-11-20T15:00:01Z', '1h'), pmon_step('2026-11-20T15:00:01Z', '1h', 330)" a.blg
out_has '2026-11-20T14:00:00.0000000Z,2026-11-20T15:00:00.0000000Z,2026-11-20T14:30:00.0000000Z'
run sql 'SELECT pmon_avg(operands) FROM log' a.blg
status 1
err_says type 'GROUP BY'
run sql 'SELECT pmon_avg(value) FROM log WHERE value > 0' a.blg
status 1
err_says operands
run sql "SELECT pmon_avg(x'0102')" a.blg
status 1
run sql "SELECT pmon_avg(NULL) IS NULL AS none" a.blg
status 0
run sql "SELECT pmon_percentile(operands, 101) FROM log WHERE $latency" a.blg
status 1
err_says 0 100
run sql "SELECT pmon_step('2026-11-20T15:00:00Z', 'often')" a.blg
status 1

# ---- Statements -------------------------------------------------------------------------------------

# In either order.
run sql a.blg --format csv 'select 2 as two'
out_is 'two
2'
run sql --format csv 'SELECT 1 AS a; SELECT 2 AS b' a.blg
out_is 'a
1
b
2'
printf 'SELECT 1 AS a;\nSELECT\n 2 AS b' | "$PMON_BIN" sql --format csv a.blg >piped
same 'standard input' "$(<piped)" 'a
1
b
2'
run sql 'SELECT instanec FROM log' a.blg
status 1
err_says instanec instance
run sql 'SELECT * FROM logs' a.blg
status 1
err_says logs log
run sql 'SELECT pmon_average(operands) FROM log' a.blg
status 1
err_says pmon_average pmon_avg
run sql 'SELCT * FROM log' a.blg
status 1
err_says SELCT
run sql 'SELECT 1'
status 2
run sql 'SELECT 1' -
status 2
run sql 'SELECT * FROM log' nothing.blg
status 1
err_says nothing.blg

# Nothing but reading.
for statement in 'DELETE FROM log' 'CREATE TABLE t(a)' "ATTACH 'x.db' AS x" 'PRAGMA temp_store_directory' \
	"SELECT load_extension('x')" "SELECT * FROM pmon_raw('a.blg')" "VACUUM INTO 'x.db'"; do
	printf '%s;' "$statement" | "$PMON_BIN" sql a.blg >/dev/null 2>&1 && bad "was run: $statement" || ok
done
[ ! -e x.db ] && ok || bad "a statement wrote a file"

# ---- Odd logs ---------------------------------------------------------------------------------------

# Names cannot change what a terminal shows, nor what a spreadsheet does.
run sql 'SELECT path FROM counters' e.blg
status 0
case $out in
*$'\033'*) bad "an escape sequence came through" ;;
*) ok ;;
esac

# A log that ends early: all rows, and status 3.
make_log long l.blg 40
head -c $(($(wc -c <l.blg) * 3 / 4)) l.blg >cut.blg
run sql --format csv 'SELECT count(*) > 0 AS n FROM log' cut.blg
status 3
out_is 'n
1'
err_says cut.blg

# Two logs are one table.
run sql --format csv "SELECT count(DISTINCT object) AS n FROM counters" a.blg l.blg
status 0
same 'objects' "${out#n?}" "$(($("$PMON_BIN" list --format csv a.blg l.blg | cut -d'\' -f4 | cut -d'(' -f1 | sort -u | wc -l) - 1))"

finish
