#!/usr/bin/env bash
# rollup_clickhouse.sh - the sums of hours are those of the rows, whatever came late, twice or from several at once
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
start_current now || skip "$why"
to() { echo "clickhouse+http://127.0.0.1:${ports[now]}/$1"; } # DATABASE

push_to() { # DATABASE OPTIONS FILES
	local database=$1

	shift
	run push --retry 5s --to "$(to "$database")" "$@"
	status 0
}
roll_up() { # DATABASE OPTIONS
	local database=$1

	shift
	run rollup --retry 5s "$@" "$(to "$database")"
	status 0
}

# The sums, no matter who computed them and when; and the same from the rows of each hour.
sums() {
	ch now "SELECT machine, series, hour, h.samples, h.pairs, h.n, h.d, round(h.x, 6), h.lowest, h.highest
		FROM $1.pmon_hour AS h FINAL ORDER BY machine, series, hour"
}
sums_of_rows() {
	ch now "SELECT f.machine, f.series, toStartOfHour(f.time) AS hour, count(), countIf(f.kind = 'pair'),
		sumIf(toInt128(f.n), f.kind = 'pair'), sumIf(toInt128(f.d), f.kind = 'pair'), round(sumKahan(f.x), 6),
		min(v.value), max(v.value)
		FROM (SELECT * FROM $1.pmon_fact FINAL WHERE raw_status <> 536870914) AS f
		INNER JOIN $1.pmon_value AS v USING (machine, series, time, nth)
		GROUP BY f.machine, f.series, hour ORDER BY f.machine, f.series, hour"
}
# The two differ in the order of an addition: floating point within 1e-15, everything else exactly.
compare_hours() {
	sums "$1" >rollup.tsv
	sums_of_rows "$1" >raw.tsv
	ran="hours of $1"
	python3 - >compare.out <<-'PYTHON' && ok || bad "$(cat compare.out)"
		import math
		a, b = ([line.rstrip("\n").split("\t") for line in open(name)] for name in ("raw.tsv", "rollup.tsv"))
		def same(x, y):
		    return x == y or "\\N" not in (x, y) and math.isclose(float(x), float(y), rel_tol=1e-15)
		other = [(x, y) for x, y in zip(a, b) if x[:7] != y[:7] or not all(map(same, x[7:], y[7:]))]
		for x, y in other[:3]:
		    print(*x), print(*y)
		raise SystemExit(len(a) != len(b) or not a or bool(other))
	PYTHON
}

# ---- Every type, absences, resets, other processes ------------------------------------------

python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 120 odd.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" 1 120 processes.jsonl || exit 1
for file in odd processes; do
	push_to $file $file.jsonl
	compare_hours $file # a push has summed up its hours
	roll_up $file
	out_is 'no hour changed'
	compare_hours $file
	before=$(sums $file)
	ch now "TRUNCATE TABLE $file.pmon_hour"
	roll_up $file
	out_has 'hours of'
	same "sums of $file from nothing" "$(sums $file)" "$before"
done

# ---- Late, twice, gone ----------------------------------------------------------------------

piece() { python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 3 150 --apart --present "$@" || exit 1; }
piece early.jsonl --only 60
piece middle.jsonl --skip 50 --only 50
piece late.jsonl --skip 90
push_to parts early.jsonl late.jsonl
push_to parts middle.jsonl # the hour after it has another first pair now
roll_up parts
compare_hours parts
compare_ch now parts early.jsonl middle.jsonl late.jsonl
roll_up parts
out_is 'no hour changed'
before=$(sums parts)
ch now "TRUNCATE TABLE parts.pmon_push" # so that batches are sent again
push_to parts --batch 700 early.jsonl middle.jsonl late.jsonl
roll_up parts
same "sums after values came twice" "$(sums parts)" "$before"

# Values that are gone leave the sums that were made of them.
month=$(ch now "SELECT min(toYYYYMM(time)) FROM parts.pmon_fact")
ch now "ALTER TABLE parts.pmon_fact DROP PARTITION $month"
roll_up parts
same "sums after a month is gone" "$(sums parts)" "$before"
ch now "TRUNCATE TABLE parts.pmon_push"
push_to parts early.jsonl middle.jsonl late.jsonl
roll_up parts
same "sums after it came back" "$(sums parts)" "$before"

# ---- Killed, and at the same time -----------------------------------------------------------

make_seams 7
push_to killed late.jsonl early.jsonl middle.jsonl
for n in $(seq "${PMON_TEST_KILLS:-3}"); do
	"$PMON_BIN" rollup --again "$(to killed)" >/dev/null 2>&1 &
	sleep "$(awk -v n="$n" 'BEGIN { srand(n); print rand() }')"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
done
for n in 1 2 3; do
	"$PMON_BIN" rollup --again "$(to killed)" >at_once$n.out 2>&1 &
	at_once[n]=$!
done
for n in 1 2 3; do
	wait "${at_once[n]}" && ok || bad "$(cat at_once$n.out)"
done
compare_hours killed
compare_ch now killed early.jsonl middle.jsonl late.jsonl
roll_up killed
out_is 'no hour changed'

# ---- Refused --------------------------------------------------------------------------------

run rollup "$(to nowhere)"
status 1
err_has 'the database nowhere has no values; store some with pmon push'
run rollup prometheus+http://127.0.0.1:1
status 1
err_has 'pmon rules writes recording rules'
run rollup
status 2
err_has 'give the URL of one engine'
run rollup --begin 2024-01-02 --end 2024-01-01 "$(to odd)"
status 2
err_has 'before --end'

finish
