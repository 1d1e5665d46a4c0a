#!/usr/bin/env bash
# sql_extension.sh - `.load pmon` in sqlite3: the tables and functions of pmon sql, on logs by name
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
need sqlite3

extension=$(dirname "$PMON_BIN")/pmon.so
[ -r "$extension" ] || skip "this build has no extension"
make_log average a.blg
make_log long l.blg 40

# lite STATEMENT...: as run does it
lite() {
	ran="sqlite3 $*"
	status=0
	LD_LIBRARY_PATH=$(dirname "$extension") sqlite3 -bail -csv -cmd '.load pmon' :memory: "$@" >.out 2>.err </dev/null ||
		status=$?
	out=$(tr -d '\r' <.out) err=$(<.err)
}

# What it shows to the program that loads it.
same 'exported symbols' "$(nm -D --defined-only "$extension" | awk '{ print $3 }')" sqlite3_pmon_init

# The same rows as pmon sql, for each table, but for how many digits sqlite3 prints.
for table in values:log raw:raw counters:counters machines:machines; do
	run sql --format csv "SELECT count(*), json_group_array(json_array(machine)) FROM ${table#*:}" a.blg
	sql=$(tail -n +2 <<<"$out")
	lite "SELECT count(*), json_group_array(json_array(machine)) FROM pmon_${table%:*}('a.blg')"
	status 0
	same "$table" "$out" "$sql"
done
each='path, type, hex(pmon_avg(operands)), hex(pmon_total(operands)), hex(pmon_percentile(operands, 95))'
for log in a.blg l.blg; do
	run sql --format csv "SELECT $each FROM log GROUP BY path, type ORDER BY path" $log
	sql=$(tail -n +2 <<<"$out")
	lite "SELECT $each FROM pmon_values('$log') GROUP BY path, type ORDER BY path"
	status 0
	same "averages of $log" "$(tr -d '"' <<<"$out")" "$(tr -d '"' <<<"$sql")"
done
lite "SELECT pmon_avg(operands), pmon_total(operands) FROM pmon_values('a.blg') WHERE counter = 'Avg. Disk sec/Read'"
out_is '0.15,0.15'
lite "SELECT pmon_step('2026-11-20T15:00:00Z', '1h')"
out_is '2026-11-20T14:00:00.0000000Z'

# A table of several logs, with a quote in the name of one.
cp l.blg "it's.blg"
lite "CREATE VIRTUAL TABLE temp.both USING pmon_values('a.blg', 'it''s.blg'); SELECT count(DISTINCT object) FROM both"
status 0
lite "SELECT count(*) > 0 FROM pmon_raw('it''s.blg')"
out_is 1

# Into a table of its own: the operands stay what they are.
lite "CREATE TABLE mine AS SELECT path, operands FROM pmon_values('a.blg'); SELECT pmon_avg(operands) FROM mine WHERE path LIKE '%sec/Read'"
out_is 0.15

# The program of docs/sql.md, on a log of its name.
for python in python3 /usr/bin/python3; do
	"$python" -c 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension(True)' 2>/dev/null || continue
	cp a.blg web01.blg
	sed -n '/^```python$/,/^```$/{/^```/!p}' "$PMON_SOURCE_DIR/docs/sql.md" >program.py
	ran="the Python program of docs/sql.md"
	out=$(LD_LIBRARY_PATH=$(dirname "$extension") "$python" program.py 2>&1)
	out_is '0 C: 0.15'
	break
done

# ---- Failures, which name the file ------------------------------------------------------------------

lite 'SELECT * FROM pmon_values'
[ "$status" != 0 ] && ok || bad "a table without a log was read"
lite "SELECT * FROM pmon_values('nothing.blg')"
[ "$status" != 0 ] && ok || bad "a file that is not there was read"
err_says nothing.blg
echo 'no log' >text.blg
lite "SELECT * FROM pmon_values('text.blg')"
[ "$status" != 0 ] && ok || bad "a text was read as a log"
err_says text.blg
lite "CREATE VIRTUAL TABLE temp.two USING pmon_values('a.blg', 'nothing.blg'); SELECT * FROM two"
err_says nothing.blg

# A view in a database of somebody else cannot open files.
lite "CREATE VIEW trap AS SELECT * FROM pmon_values('a.blg'); SELECT * FROM trap"
[ "$status" != 0 ] && ok || bad "a view opened a file"

finish
