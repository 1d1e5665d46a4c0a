#!/usr/bin/env bash
# clickhouse_seams.sh - where the next log begins with another process the views of ClickHouse make no pair
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
start_clickhouse a

# push_to DATABASE FILES...
push_to() {
	local database=$1

	shift
	run push --to "clickhouse+http://127.0.0.1:${ports[a]}/$database" "$@"
	status 0
}

for seed in 1 5; do
	for how in '' --sampled; do
		# shellcheck disable=SC2086 # one word, or none
		make_seams $seed $how
		name=s$seed${how:+_sampled}
		push_to "$name" early.jsonl middle.jsonl late.jsonl
		compare_ch a "$name" early.jsonl middle.jsonl late.jsonl
		# In another order, and twice.
		push_to "${name}_back" late.jsonl early.jsonl middle.jsonl early.jsonl
		compare_ch a "${name}_back" early.jsonl middle.jsonl late.jsonl
	done
	push_to "overlap$seed" second.jsonl first.jsonl
	compare_ch a "overlap$seed" first.jsonl second.jsonl
done
run push --to "clickhouse+http://127.0.0.1:${ports[a]}/s5_sampled" early.jsonl
status 0
out_has ': 0 values of'

# Only the counter is requested: the identifying counters are missing, and the processes are known all the same.
make_machines
reads='\Process(*)\IO Read Operations/sec'
push_to machines -c "$reads" after.jsonl before.jsonl
same 'the counters' "$(ch a 'SELECT uniq(key) FROM machines.pmon_series')" 2
same 'averages and pairs' "$(ch a "SELECT machine, average, pairs FROM (SELECT * FROM machines.pmon_average
	WHERE window_name = 'all') ALL INNER JOIN (SELECT DISTINCT key AS series, machine FROM machines.pmon_series) USING series
	ORDER BY machine")" $'A\t7\t3\nB\t6\t2'
same 'values' "$(ch a "SELECT status FROM (SELECT * FROM machines.pmon_displayed) ALL INNER JOIN
	(SELECT DISTINCT key AS series, machine FROM machines.pmon_series) USING series ORDER BY machine, time" | paste -sd ' ')" \
	'first_sample ok ok ok first_sample ok instance_changed ok'
finish
