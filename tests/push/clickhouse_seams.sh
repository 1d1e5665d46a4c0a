#!/usr/bin/env bash
# clickhouse_seams.sh - logs in any order, and logs that overlap: each raw value has the interval since the one before
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
start_current now || skip "$why"
url="clickhouse+http://127.0.0.1:${ports[now]}"

# Logs one after the other: the first row of each makes a pair with the last of the one before, without a repair.
make_seams 7
run push --retry 5s --to "$url/ordered" early.jsonl middle.jsonl late.jsonl
status 0
err_lacks 'rollup'
compare_ch now ordered early.jsonl middle.jsonl late.jsonl

# In another order, and with two that overlap: pmon says so, and the rollup makes the same of them.
for order in "late early middle" "middle late early" "second first"; do
	database=${order// /_}
	read -ra names <<<"$order"
	run push --retry 5s --to "$url/$database" "${names[@]/%/.jsonl}"
	status 0
	err_has 'run pmon rollup'
	run rollup "$url/$database"
	status 0
	compare_ch now "$database" "${names[@]/%/.jsonl}"
	# What was repaired stays so when a log is sent again, and a second run finds nothing.
	run push --again --retry 5s --to "$url/$database" "${names[0]}.jsonl"
	status 0
	run rollup "$url/$database"
	out_has 'no hour changed'
	compare_ch now "$database" "${names[@]/%/.jsonl}"
done

# The sums of hours add up to those of the rows, for all of these.
for database in ordered late_early_middle second_first; do
	same "hours of $database" "$(ch now "SELECT count() FROM (
		SELECT machine, series, sum(h.n) AS n, sum(h.d) AS d, sum(h.samples) AS samples
		FROM $database.pmon_hour AS h FINAL GROUP BY machine, series) AS a
		INNER JOIN (SELECT machine, series, sumIf(toInt128(f.n), kind = 'pair') AS n,
			sumIf(toInt128(f.d), kind = 'pair') AS d, countIf(raw_status <> 536870914) AS samples
			FROM $database.pmon_fact AS f FINAL GROUP BY machine, series) AS b USING (machine, series)
		WHERE a.n <> b.n OR a.d <> b.d OR a.samples <> b.samples")" 0
done

finish
