#!/usr/bin/env bash
# postgres_seams.sh - logs in any order, and logs that overlap: each raw value has the interval since the one before
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
start_postgres one
url=postgresql://127.0.0.1:${ports[one]}

# push_to DATABASE FILES...: into a new database
push_to() {
	database=$1
	shift
	psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database" || exit 1
	run push --to "$url/$database" "$@"
	status 0
}

for seed in 1 5; do
	for how in '' --sampled; do
		# Logs one after the other: the first row of each makes a pair with the last of the one before.
		# shellcheck disable=SC2086 # one word, or none
		make_seams $seed $how
		name=s$seed${how:+_sampled}
		push_to "$name" early.jsonl middle.jsonl late.jsonl
		err_lacks 'rollup'
		compare one early.jsonl middle.jsonl late.jsonl

		# In another order: pmon says so, and the rollup makes the same of them.
		push_to "${name}_back" late.jsonl early.jsonl middle.jsonl early.jsonl
		err_has 'run pmon rollup'
		run rollup "$url/$database"
		status 0
		compare one early.jsonl middle.jsonl late.jsonl
		run push --again --to "$url/$database" late.jsonl
		status 0
		run rollup "$url/$database"
		out_has 'no hour changed'
		compare one early.jsonl middle.jsonl late.jsonl
	done
	push_to "overlap$seed" second.jsonl first.jsonl
	run rollup "$url/$database"
	status 0
	compare one first.jsonl second.jsonl
	same "hours of $database" "$(pg one "SELECT count(*) FROM (SELECT series, sum(n) AS n, sum(d) AS d, sum(samples) AS s
		FROM pmon_hour GROUP BY series) AS a JOIN (SELECT series, coalesce(sum(n) FILTER (WHERE kind = 'pair'), 0) AS n,
		coalesce(sum(d) FILTER (WHERE kind = 'pair'), 0) AS d,
		count(*) FILTER (WHERE raw_status IS DISTINCT FROM 536870914) AS s FROM pmon_fact GROUP BY series) AS b
		USING (series) WHERE (a.n, a.d, a.s) <> (b.n, b.d, b.s)")" 0
done
run push --to "$url/s5_sampled" early.jsonl
status 0
out_has ': 0 values of'

# Only the counter is requested: the identifying counters are missing, and the processes are known all the same.
make_machines
reads='\Process(*)\IO Read Operations/sec'
push_to machines -c "$reads" after.jsonl before.jsonl
run rollup "$url/machines"
status 0
same 'the counters' "$(pg one 'SELECT count(*) FROM pmon_series')" 2
same 'averages and pairs' "$(pg one "SELECT machine, average, pairs FROM pmon_average('2020-01-01Z', '2021-01-01Z')
	ORDER BY machine")" $'a\t7\t3\nb\t6\t2'
same 'values' "$(pg one "SELECT status FROM pmon_value ORDER BY machine, time" | paste -sd ' ')" \
	'first_sample ok ok ok first_sample ok instance_changed ok'
finish
