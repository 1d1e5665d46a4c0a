#!/usr/bin/env bash
# postgres_seams.sh - where the next log begins with another process the views of PostgreSQL make no pair
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need_postgres
start_postgres one

# push_to DATABASE FILES...: into a new database
push_to() {
	database=$1
	shift
	psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database" || exit 1
	run push --to "postgresql://127.0.0.1:${ports[one]}/$database" "$@"
	status 0
}

for seed in 1 5; do
	for how in '' --sampled; do
		# shellcheck disable=SC2086 # one word, or none
		make_seams $seed $how
		name=s$seed${how:+_sampled}
		push_to "$name" early.jsonl middle.jsonl late.jsonl
		compare one early.jsonl middle.jsonl late.jsonl
		# In another order, and twice.
		push_to "${name}_back" late.jsonl early.jsonl middle.jsonl early.jsonl
		compare one early.jsonl middle.jsonl late.jsonl
	done
	push_to "overlap$seed" second.jsonl first.jsonl
	compare one first.jsonl second.jsonl
done
run push --to "postgresql://127.0.0.1:${ports[one]}/s5_sampled" early.jsonl
status 0
out_has ': 0 values of'

# Only the counter is requested: the identifying counters are missing, and the processes are known all the same.
make_machines
reads='\Process(*)\IO Read Operations/sec'
push_to machines -c "$reads" after.jsonl before.jsonl
same 'the counters' "$(pg one 'SELECT count(*) FROM pmon_series')" 2
same 'averages and pairs' "$(pg one "SELECT machine, average, pairs FROM pmon_average JOIN pmon_series ON id = series
	WHERE window_name = 'all' ORDER BY machine")" $'A\t7\t3\nB\t6\t2'
same 'values' "$(pg one "SELECT status FROM pmon_displayed JOIN pmon_series ON id = series
	ORDER BY machine, sample_100ns" | paste -sd ' ')" \
	'first_sample ok ok ok first_sample ok instance_changed ok'
finish
