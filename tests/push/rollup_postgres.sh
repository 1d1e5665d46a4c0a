#!/usr/bin/env bash
# rollup_postgres.sh - the sums of hours are those of the rows, whatever came late, twice or from several at once
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
start_postgres one
url=postgresql://127.0.0.1:${ports[one]}

new_database() {
	database=$1
	psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database" || exit 1
}
push_to() { # DATABASE OPTIONS FILES
	run push --retry 5s --to "$url/$1" "${@:2}"
	status 0
}
roll_up() { # DATABASE OPTIONS
	run rollup --retry 5s "${@:2}" "$url/$1"
	status 0
}

# The sums, no matter who computed them and when; and the same from the rows of each hour.
sums() {
	database=$1 pg one "SELECT path, hour, h.samples, h.pairs, h.n, h.d, round(h.x::numeric, 6), h.lowest, h.highest
		FROM pmon_hour AS h JOIN pmon_series USING (series) ORDER BY path, series, hour"
}
# The two differ in the order of an addition: floating point within 1e-15, everything else exactly.
compare_hours() {
	sums "$1" >rollup.tsv
	database=$1 pg one "SELECT s.path, f.time - f.time % 36000000000 AS hour, count(*), count(*) FILTER (WHERE kind = 'pair'),
		coalesce(sum(n) FILTER (WHERE kind = 'pair'), 0), coalesce(sum(d) FILTER (WHERE kind = 'pair'), 0),
		round(coalesce(sum(x), 0)::numeric, 6), min(value), max(value)
		FROM pmon_fact AS f JOIN pmon_series AS s USING (series) JOIN pmon_value AS v USING (series, time, nth)
		GROUP BY s.path, series, hour ORDER BY s.path, series, hour" >raw.tsv
	ran="hours of $1"
	python3 - >compare.out <<-'PYTHON' && ok || bad "$(cat compare.out)"
		import math
		a, b = ([line.rstrip("\n").split("\t") for line in open(name)] for name in ("raw.tsv", "rollup.tsv"))
		def same(x, y):
		    return x == y or "\\N" not in (x, y) and math.isclose(float(x), float(y), rel_tol=1e-15)
		other = [(x, y) for x, y in zip(a, b) if x[:6] != y[:6] or not all(map(same, x[6:], y[6:]))]
		for x, y in other[:3]:
		    print(*x), print(*y)
		raise SystemExit(len(a) != len(b) or not a or bool(other))
	PYTHON
}

# ---- Every type, absences, resets, other processes ------------------------------------------

python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 120 odd.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" 1 120 processes.jsonl || exit 1
for file in odd processes; do
	new_database $file
	push_to $file $file.jsonl
	compare_hours $file # a push has summed up its hours
	roll_up $file
	out_is 'no hour changed'
	before=$(sums $file)
	pg_do one 'TRUNCATE pmon_hour'
	roll_up $file --dry-run
	out_has ' to compute'
	same "sums of a dry run" "$(sums $file)" ''
	roll_up $file -v
	out_has 'hours of'
	same "sums of $file from nothing" "$(sums $file)" "$before"
	# The average of an hour is that of the range.
	same "averages of hours" "$(pg one "SELECT count(*), count(*) FILTER (WHERE abs(h.average - a.average) > 1e-15 * abs(a.average)
		OR (h.average IS NULL) <> (a.average IS NULL)) FROM (SELECT DISTINCT hour FROM pmon_hour ORDER BY 1 LIMIT 3) AS w
		CROSS JOIN LATERAL pmon_average(pmon_utc(hour) AT TIME ZONE 'UTC',
			pmon_utc(hour + 35999999990) AT TIME ZONE 'UTC') AS a
		JOIN pmon_hour_average AS h USING (series, hour)" | sed 's/^[1-9][0-9]*/some/')" $'some\t0'
done

# ---- Late, twice, gone ----------------------------------------------------------------------

piece() { python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 3 150 --apart --present "$@" || exit 1; }
piece early.jsonl --only 60
piece middle.jsonl --skip 50 --only 50
piece late.jsonl --skip 90
new_database parts
push_to parts early.jsonl late.jsonl
push_to parts middle.jsonl # the hour after it has another first pair now
roll_up parts
compare_hours parts
compare one early.jsonl middle.jsonl late.jsonl
roll_up parts
out_is 'no hour changed'
before=$(sums parts)
pg_do one 'TRUNCATE pmon_push' # so that batches are sent again
push_to parts --batch 700 early.jsonl middle.jsonl late.jsonl
roll_up parts
same "sums after values came twice" "$(sums parts)" "$before"

# Hours without any value leave the sums that were made of them; the others are those of the values that are left.
pg_do one "DELETE FROM pmon_fact"
roll_up parts
same "sums after all values are gone" "$(sums parts)" "$before"
pg_do one 'TRUNCATE pmon_push'
push_to parts early.jsonl middle.jsonl late.jsonl
roll_up parts
same "sums after they came back" "$(sums parts)" "$before"
pg_do one "DELETE FROM pmon_fact WHERE time = (SELECT max(time) FROM pmon_fact
	WHERE time - time % 36000000000 = (SELECT hour FROM pmon_hour ORDER BY samples DESC LIMIT 1))"
roll_up parts
compare_hours parts

# ---- Killed, and at the same time -----------------------------------------------------------

make_seams 7
new_database killed
push_to killed late.jsonl early.jsonl middle.jsonl
for n in $(seq "${PMON_TEST_KILLS:-3}"); do
	"$PMON_BIN" rollup --again "$url/killed" >/dev/null 2>&1 &
	sleep "$(awk -v n="$n" 'BEGIN { srand(n); print rand() }')"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
done
for n in 1 2 3; do
	start "rollup$n" "$PMON_BIN" rollup --again "$url/killed"
done
for n in 1 2 3; do
	wait "${pids[rollup$n]}" && ok || bad "$(cat "$tmp/rollup$n.out")"
	unset "pids[rollup$n]"
done
compare_hours killed
compare one early.jsonl middle.jsonl late.jsonl
roll_up killed
out_is 'no hour changed'

# Parts of one log pushed at the same time, whose seams no push can know.
new_database together
for part in early middle late; do
	start "push$part" "$PMON_BIN" push --batch 500 --to "$url/together" "$part.jsonl"
done
for part in early middle late; do
	wait "${pids[push$part]}" && ok || bad "$(cat "$tmp/push$part.out")"
	unset "pids[push$part]"
done
roll_up together
compare one early.jsonl middle.jsonl late.jsonl
compare_hours together

# Months are made for a role that may not make tables.
new_database rights
make_log average a.blg
push_to rights a.blg
pg_do one "CREATE ROLE writer LOGIN; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO writer;
	GRANT TEMPORARY ON DATABASE rights TO writer"
months() { pg one "SELECT count(*) FROM pg_inherits WHERE inhparent = 'pmon_fact'::regclass"; }
had=$(months)
run push --to "$url/rights" --user writer odd.jsonl
status 0
same "months were made" "$(($(months) > had))" 1
compare one a.blg odd.jsonl

# ---- Refused --------------------------------------------------------------------------------

new_database nothing
run rollup "$url/nothing"
status 1
err_says 'no values' 'pmon push'

finish
