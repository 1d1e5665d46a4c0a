#!/usr/bin/env bash
# clickhouse_retention.sh - old values are deleted, and are then neither sent again nor taken for stored or lost
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse

make_forty_days
rows() { ch "$node" "SELECT uniqExact(series, time, nth) FROM keep.pmon_raw"; }

check_retention() {
	node=$1
	to=(--batch 80 --to "clickhouse+http://127.0.0.1:${ports[$node]}/keep")

	# All is stored, then the retention ends it, and the ledger does not claim that it is there.
	run push "${to[@]}" all.jsonl
	status 0
	same "rows" "$(rows)" 820
	run push --retention 30d "${to[@]}" old.jsonl
	status 0
	out_has '200 were there, 200 are older than the retention'
	same "days" "$(ch "$node" 'SELECT days FROM keep.pmon_retention')" 30
	expire
	same "values that are left" "$(ch "$node" "SELECT uniqExact(series, time, nth) FROM keep.pmon_raw
		WHERE day < today() - 32")" 0

	# It is recorded: nobody has to give it again. What is kept is stored, and what is not is not lost.
	run push "${to[@]}" all.jsonl
	status 0
	out_has ' 0 values of'
	out_has "$(kept 30) were there, 200 are older than the retention"
	run push --verify "${to[@]}" all.jsonl
	status 0
	out_is "all.jsonl: 0 of $(kept 30) values are missing; 200 are older than the retention"
	ch "$node" "ALTER TABLE keep.pmon_raw DROP PARTITION '$(ch "$node" 'SELECT toString(today() - 5)')'"
	run push --verify "${to[@]}" all.jsonl
	status 1
	out_is "all.jsonl: 20 of $(kept 30) values are missing, 20 of them were pushed before; --again sends them; 200 are older than the retention"
	run push --again "${to[@]}" all.jsonl
	status 0
	out_has ': 20 values of'

	# In another database from the beginning: what is expired is never sent.
	run push --retention 10d --batch 80 --to "clickhouse+http://127.0.0.1:${ports[$node]}/short" all.jsonl
	status 0
	out_has ": $(kept 10) values of"
	out_has '600 are older than the retention'
	same "rows" "$(ch "$node" 'SELECT uniqExact(series, time, nth), uniqExact(day) FROM short.pmon_raw')" "$(kept 10)"$'\t'11

	# A longer retention: what was not sent before comes; what was deleted comes back.
	run push --retention forever "${to[@]}" all.jsonl
	status 0
	run push --again "${to[@]}" all.jsonl
	status 0
	same "rows" "$(rows)" 820
	run push --verify "${to[@]}" all.jsonl
	status 0
	out_is "all.jsonl: 0 of 820 values are missing"
}

for name in old other; do
	ports[$name]=$(free_port)
	tcp_ports[$name]=$(free_port)
	clusters+="<shard><replica><host>127.0.0.1</host><port>${tcp_ports[$name]}</port></replica></shard>"
done
clusters="<both>$clusters</both>"
start_clickhouse old
expire() { :; } # the push did it
check_retention old
same "days in a short database" "$(ch old 'SELECT min(day) = today() - 10 FROM short.pmon_raw')" 1

if start_current now; then
	expire() { ch now 'OPTIMIZE TABLE keep.pmon_raw FINAL'; }
	check_retention now
	same "TTL" "$(ch now "SELECT countSubstrings(create_table_query, 'TTL day + toIntervalDay(12)') FROM system.tables
		WHERE database = 'short' AND name = 'pmon_raw'")" 1
	same "no TTL" "$(ch now "SELECT countSubstrings(create_table_query, 'TTL ') FROM system.tables
		WHERE database = 'keep' AND name = 'pmon_raw'")" 0
fi

# On a cluster it is that of each node. One that was away when it was changed is named, and has it after the next push.
start_clickhouse other
to=(--retry 60s --cluster both --batch 80 --to "clickhouse+http://127.0.0.1:${ports[old]},127.0.0.1:${ports[other]}/both")
stored() { ch old "SELECT uniqExact(series, time, nth) FROM both.pmon_raw"; }
run push "${to[@]}" all.jsonl
status 0
run push --retention 30d "${to[@]}" all.jsonl
status 0
same "rows" "$(stored)" "$(kept 30)"
stop other KILL
run push --retention 20d "${to[@]:2}" --retry 1s old.jsonl # all of it is expired
err_has 'does not answer; the push goes on without it'
run_clickhouse other
run push "${to[@]}" all.jsonl
status 0
err_has 'another retention than other nodes; push with --retention to set it on all'
run push --retention 20d "${to[@]}" all.jsonl
status 0
out_has "$((820 - $(kept 20))) are older than the retention"
same "rows" "$(stored)" "$(kept 20)"
run push --verify "${to[@]}" all.jsonl
status 0
out_has "0 of $(kept 20) values are missing"

run push --retention 36h --to clickhouse+http://127.0.0.1:1/keep all.jsonl
status 2
err_has '--retention takes whole days'
run push --retention 0d --to clickhouse+http://127.0.0.1:1/keep all.jsonl
status 2
run push --retention 9d --verify --to clickhouse+http://127.0.0.1:1/keep all.jsonl
status 2
run push --retention 9d --to prometheus+http://127.0.0.1:1 all.jsonl
status 1
err_has 'leave --retention out'
run push --retention 9d --dry-run --to clickhouse+http://nowhere.invalid/keep all.jsonl
status 0
out_has 'MODIFY TTL day + toIntervalDay(11)'

finish
