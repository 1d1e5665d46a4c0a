#!/usr/bin/env bash
# clickhouse_retention.sh - old values are deleted, and are then neither sent again nor taken for stored or lost
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
start_current now || skip "$why"
make_forty_days
rows() { ch now "SELECT uniqExact(series, time, nth) FROM keep.pmon_fact"; }
to=(--retry 5s --batch 80 --to "clickhouse+http://127.0.0.1:${ports[now]}/keep")

# All is stored, then the retention ends it, and the ledger does not claim that it is there.
run push "${to[@]}" all.jsonl
status 0
same "rows" "$(rows)" 820
run push --retention 30d "${to[@]}" old.jsonl
status 0
out_has '200 were there, 200 are older than the retention'
same "days" "$(ch now 'SELECT days FROM keep.pmon_retention')" 30
ch now 'OPTIMIZE TABLE keep.pmon_fact FINAL'
same "values that are left" "$(ch now "SELECT uniqExact(series, time, nth) FROM keep.pmon_fact
	WHERE toDate(time) < today() - 32")" 0

# It is recorded: it need not be given again. What is kept is stored, and what is not is not lost.
run push "${to[@]}" all.jsonl
status 0
out_has ' 0 values of'
out_has "$(kept 30) were there, 200 are older than the retention"
run push --verify "${to[@]}" all.jsonl
status 0
out_is "all.jsonl: 0 of $(kept 30) values are missing; 200 are older than the retention"
ch now "ALTER TABLE keep.pmon_fact DELETE WHERE toDate(time) = today() - 5 SETTINGS mutations_sync = 2"
run push --verify "${to[@]}" all.jsonl
status 1
out_is "all.jsonl: 20 of $(kept 30) values are missing, 20 of them were pushed before; use --again to send them; 200 are older than the retention"
run push --again "${to[@]}" all.jsonl
status 0
out_has ': 20 values of'

# In another database from the beginning: what is expired is never sent.
run push --retry 5s --retention 10d --batch 80 --to "clickhouse+http://127.0.0.1:${ports[now]}/short" all.jsonl
status 0
out_has ": $(kept 10) values of"
out_has '600 are older than the retention'
same "rows" "$(ch now 'SELECT uniqExact(series, time, nth), uniqExact(toDate(time)) FROM short.pmon_fact')" "$(kept 10)"$'\t'11
same "TTL" "$(ch now "SELECT countSubstrings(create_table_query, 'toIntervalDay(12)') FROM system.tables
	WHERE database = 'short' AND name = 'pmon_fact'")" 1

# A longer retention: what was not sent before comes; what was deleted comes back.
run push --retention forever "${to[@]}" all.jsonl
status 0
run push --again "${to[@]}" all.jsonl
status 0
same "rows" "$(rows)" 820
run push --verify "${to[@]}" all.jsonl
status 0
out_is "all.jsonl: 0 of 820 values are missing"
same "no TTL" "$(ch now "SELECT countSubstrings(create_table_query, 'TTL ') FROM system.tables
	WHERE database = 'keep' AND name = 'pmon_fact'")" 0

run push --retention 36h --to clickhouse+http://127.0.0.1:1/keep all.jsonl
status 2
err_has '--retention must be whole days'
run push --retention 0d --to clickhouse+http://127.0.0.1:1/keep all.jsonl
status 2
run push --retention 9d --verify --to clickhouse+http://127.0.0.1:1/keep all.jsonl
status 2
run push --retention 9d --to prometheus+http://127.0.0.1:1 all.jsonl
status 1
err_says --retention setting
run push --retention 9d --dry-run --to clickhouse+http://nowhere.invalid/keep all.jsonl
status 0
out_has 'MODIFY TTL toDate(time) + toIntervalDay(11)'

finish
