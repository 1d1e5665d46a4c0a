#!/usr/bin/env bash
# clickhouse_budget.sh - what a query of five minutes reads does not grow with what is stored before them
# SPDX-License-Identifier: MIT
#
# Queries are those of the dashboards and of docs/engines/clickhouse.md. The server says how many rows each would read: at
# most two marks of each series, 1,024 rows apart (index_granularity), however long its history is.
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
start_current now || skip "$why"
"$PMON_SOURCE_DIR/share/examples/slow-server" >slow.jsonl || exit 1
run push --retry 5s --to "clickhouse+http://127.0.0.1:${ports[now]}/perf" slow.jsonl
status 0
series=$(ch now 'SELECT count() FROM perf.pmon_series')

python3 - "$PMON_SOURCE_DIR/packaging/grafana/clickhouse.json" >queries <<'PYTHON' || exit 1
import json, sys
BEGIN, END = "'2026-11-20 14:20:00'", "'2026-11-20 14:25:00'"
def sent(text):
    for name, value in {"${database}": "perf", "${machine:sqlstring}": "'WEB01'", "$__interval_ms": "15000",
                        "$__fromTime": f"toDateTime({BEGIN}, 'UTC')", "$__toTime": f"toDateTime({END}, 'UTC')"}.items():
        text = text.replace(name, value)
    return text
dashboard = json.load(open(sys.argv[1]))
for annotation in dashboard["annotations"]["list"]:
    print(annotation["name"], sent(annotation["target"]["rawSql"]), sep="\t")
for panel in dashboard["panels"]:
    for target in panel.get("targets", []):
        print(panel["title"], sent(target["rawSql"]).replace("\n", " "), sep="\t")
print("averages", f"SELECT path, average FROM perf.pmon_average(begin = {BEGIN}, end = {END})", sep="\t")
print("values", f"SELECT time, value FROM perf.pmon_value WHERE time >= {BEGIN} AND time <= {END}", sep="\t")
print("a sum", "SELECT any(add) + any(mul) * sum(f.n) / sum(f.d) FROM perf.pmon_fact AS f FINAL INNER JOIN "
      "perf.pmon_series AS s USING (machine, series) WHERE kind = 'pair' AND "
      f"time >= {BEGIN} AND time <= {END} GROUP BY path", sep="\t")
PYTHON

# The same rows once more for each of the days before.
ch now "INSERT INTO perf.pmon_fact SELECT f.* REPLACE (f.time - toIntervalDay(k) AS time)
	FROM perf.pmon_fact AS f, (SELECT number + 1 AS k FROM numbers(100)) AS days"
ch now 'OPTIMIZE TABLE perf.pmon_fact FINAL'
stored=$(ch now 'SELECT count() FROM perf.pmon_fact')
ran="the history"
[ "$stored" -gt $((10 * 2 * 1024 * series)) ] && ok || bad "has $stored rows only"
n=0
while IFS=$'\t' read -r title query; do
	n=$((n + 1))
	ran="rows read by $title"
	read_rows=$(ch now "EXPLAIN ESTIMATE $query" | awk -F '\t' '$2 == "pmon_fact" { n += $4 } END { print n + 0 }')
	# A panel of several sums reads the rows of each.
	parts=$(grep -o 'perf\.pmon_fact' <<<"$query" | wc -l)
	[ "$parts" -gt 0 ] || parts=1
	[ "$read_rows" -le $((parts * 2 * 1024 * series)) ] && ok || bad "$read_rows of $stored for $parts parts"
done <queries
[ $n -gt 10 ] && ok || bad "$n queries"

finish
