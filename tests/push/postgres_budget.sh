#!/usr/bin/env bash
# postgres_budget.sh - what a question reads grows with the range that is asked, not with the history
# SPDX-License-Identifier: MIT
#
# Five minutes of all counters, by the panels of the dashboard and the queries of docs/engines/postgresql.md. The server
# says how many pages it has read: at most 12 of each counter, whether a day is stored or forty.
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
start_postgres one
"$PMON_SOURCE_DIR/share/examples/slow-server" >slow.jsonl || exit 1
run push --to "postgresql://127.0.0.1:${ports[one]}/perf" slow.jsonl
status 0
series=$(pg one 'SELECT count(*) FROM pmon_series')

python3 - "$PMON_SOURCE_DIR/packaging/grafana/postgresql.json" >queries <<'PYTHON' || exit 1
import datetime, json, sys
BEGIN, END = "2026-11-20 14:20:00Z", "2026-11-20 14:25:00Z"
def epoch(text):
    return str(int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()))
def sent(text):
    for name, value in {"${machine:sqlstring}": "'web01'", "$__interval_ms": "15000", "$__unixEpochFrom()": epoch(BEGIN),
                        "$__unixEpochTo()": epoch(END)}.items():
        text = text.replace(name, value)
    return text
dashboard = json.load(open(sys.argv[1]))
for annotation in dashboard["annotations"]["list"]:
    print(annotation["name"], sent(annotation["rawQuery"]), sep="\t")
for panel in dashboard["panels"]:
    for target in panel.get("targets", []):
        print(panel["title"], sent(target["rawSql"]).replace("\n", " "), sep="\t")
RANGE = f"time >= pmon_time('{BEGIN}') AND time <= pmon_time('{END}')"
print("averages", f"SELECT path, average FROM pmon_average('{BEGIN}', '{END}')", sep="\t")
print("values", f"SELECT at, value FROM pmon_value WHERE {RANGE}", sep="\t")
print("values of one", f"SELECT at, value FROM pmon_value WHERE path LIKE '%Pages/sec' AND {RANGE}", sep="\t")
print("a sum", "SELECT path, add + mul * sum(n) / sum(d) FROM pmon_series JOIN pmon_fact USING (series) WHERE kind = 'pair'"
      f" AND {RANGE} GROUP BY series", sep="\t")
PYTHON

# Pages that a query reads, for its rows and to plan it.
pages() {
	psql -X -q -A -t -h 127.0.0.1 -p "${ports[one]}" -d perf -v ON_ERROR_STOP=1 \
		-c "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) $1" | python3 -c '
import json, sys
plan = json.load(sys.stdin)[0]["Plan"]
print(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])'
}
check() { # DAYS
	local title query read_pages parts

	pg_do one 'ANALYZE'
	n=0
	while IFS=$'\t' read -r title query; do
		n=$((n + 1))
		ran="pages read by $title with $1 days"
		read_pages=$(pages "$query")
		# A panel of several sums reads the rows of each.
		parts=$(grep -o 'pmon_fact' <<<"$query" | wc -l)
		[ "$parts" -gt 0 ] || parts=1
		[ "$read_pages" -le $((parts * 12 * series + 50)) ] && ok || bad "$read_pages for $parts parts of $series counters"
	done <queries
	[ $n -gt 10 ] && ok || bad "$n queries"
}
check 1

# The same rows once more for each of the days before.
pg_do one "SELECT pmon_make_month(pmon_time('2026-10-15Z'))" >/dev/null
pg_do one "INSERT INTO pmon_fact SELECT time - k * 864000000000, n, d, span, series, nth, kind, status, x, b, lag, multi,
	raw_status, owner, owner_start, owner_known, wrapped FROM pmon_fact, generate_series(1, 40) AS k"
check 41

finish
