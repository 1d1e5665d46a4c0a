#!/usr/bin/env bash
# postgres_days.sh - a table for each day: time ranges, pushes at the same time, room, and databases without days
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need_postgres
start_postgres one
url=postgresql://127.0.0.1:${ports[one]}

# new_database NAME: that pg and compare ask from now on
new_database() {
	database=$1
	psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database" || exit 1
}

days() { pg one "SELECT count(*) FROM pg_inherits WHERE inhparent = 'pmon_fact'::regclass"; }

# ---- Time ranges ----------------------------------------------------------------------------

# Each sample at five times its distance from the first: logs of days.
spread() {
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$@" --apart || exit 1
	python3 - "$3" <<'PYTHON'
import datetime, json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
epoch = datetime.datetime(2016, 10, 1)
def later(text):
    fraction = text[20:-1].ljust(7, "0") if "." in text else "0"
    whole = datetime.datetime.fromisoformat(text[:19]) - epoch
    ticks = 5 * ((whole.days * 86400 + whole.seconds) * 10**7 + int(fraction))
    at = epoch + datetime.timedelta(seconds=ticks // 10**7)
    return f"{at.isoformat()}.{ticks % 10**7:07d}Z"
with open(sys.argv[1], "w") as out:
    for line in lines:
        line["time"] = later(line["time"])
        print(json.dumps(line), file=out)
PYTHON
}
new_database ranges
spread 4 200 odd.jsonl
run push --to "$url/ranges" odd.jsonl
status 0
compare one odd.jsonl
same "several days" "$(pg one "SELECT count(*) > 2 FROM pg_inherits WHERE inhparent = 'pmon_fact'::regclass")" t

# compare_range FROM TO: what the functions say of a time range
compare_range() {
	local range="pmon_from_iso('$1'), pmon_from_iso('$2')"

	pg one "SELECT path, sample_100ns, nth, value, status FROM pmon_values($range)" >values.tsv
	pg one "SELECT path, average, status, samples FROM pmon_averages($range)" >averages.tsv
	ran="from $1 to $2"
	"$PMON_SOURCE_DIR/tests/push/compare.py" --from "$1" --to "$2" values.tsv averages.tsv odd.jsonl \
		>compare.out 2>&1 && ok || bad "$(cat compare.out)"
	pg_do one "INSERT INTO pmon_window VALUES ('$1', '$1', '$2')"
	same "the view" "$(pg one "SELECT path, average, status, samples FROM pmon_average
		WHERE window_name = '$1'" | sort)" "$(sort averages.tsv)"
}
mapfile -t times < <(pg one "SELECT pmon_iso(t) FROM (SELECT DISTINCT sample_100ns AS t FROM pmon_fact) AS t ORDER BY t")
RANDOM=${PMON_TEST_SEED:-1}
for _ in $(seq "${PMON_TEST_RANGES:-3}"); do
	from=$((RANDOM % (${#times[@]} - 1)))
	to=$((from + RANDOM % (${#times[@]} - from)))
	compare_range "${times[from]}" "${times[to]}"
done

# A range reads its days only: known when the statement is planned, or when it runs.
day=$(pg one "SELECT to_char(pmon_utc(max(sample_100ns)), 'YYYY-MM-DD') FROM pmon_fact")
range="pmon_from_iso('${day}T00:00:00Z'), pmon_from_iso('${day}T23:59:59Z')"
explained() {
	psql -X -q -A -t -h 127.0.0.1 -p "${ports[one]}" -d ranges -c "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $1" |
		grep -v 'never executed' | grep -o 'pmon_fact_[0-9]\{8\}' | sort -u
}
for what in values averages; do
	same "days of $what" "$(explained "SELECT * FROM pmon_$what($range) WHERE series = ANY(ARRAY[1, 2, 3])")" \
		"pmon_fact_${day//-/}"
done
pg_do one "INSERT INTO pmon_window VALUES ('day', '${day}T00:00:00Z', '${day}T23:59:59Z')"
same "days of a window" "$(explained "SELECT * FROM pmon_average WHERE window_name = 'day' AND series = ANY(ARRAY[1, 2])")" \
	"pmon_fact_${day//-/}"

# ---- Sums of hours --------------------------------------------------------------------------

# Averages of each hour and day, once from raw values, each being a window, and once from sums. Pairs begin before a
# window also where the raw value right before it cannot be used, as if all times were asked for.
compare_hours() { # DATABASE [of hours that there are raw values of]
	local where=${2:+"WHERE (series, begins) IN (SELECT series, sample_100ns - sample_100ns % 36000000000 FROM pmon_fact)"} step

	database=$1
	pg_do one "DO \$\$ BEGIN EXECUTE (SELECT replace(replace(pg_get_functiondef('pmon_averages(bigint, bigint)'::regprocedure),
			'pmon_averages(', 'all_pairs('), 'pmon_sums(\$1, \$2, \$1)', 'pmon_sums(\$1, \$2, 0)')); END \$\$"
	for step in hour=36000000000 day=864000000000; do
		pg one "SELECT series, begins, a.average, a.status, unit, a.samples, a.pairs
			FROM (SELECT DISTINCT sample_100ns - sample_100ns % ${step#*=} AS begins FROM pmon_fact) AS w
			CROSS JOIN LATERAL all_pairs(begins, begins + ${step#*=} - 1) AS a ORDER BY series, begins" >raw.tsv
		pg one "SELECT series, begins, average, status, unit, samples, pairs
			FROM pmon_${step%=*}_average $where ORDER BY series, begins" >sums.tsv
		ran="$1, averages of each ${step%=*}"
		[ -s raw.tsv ] && cmp -s raw.tsv sums.tsv && ok || bad "$(diff raw.tsv sums.tsv | head -n 6)"
		[ -z "$where" ] || return 0
	done
}

# compare_all DATABASE FILES: averages of all times, as pmon stats has them of the files
compare_all() {
	database=$1
	pg one "SELECT path, average, status, samples FROM pmon_rollup_average WHERE window_name = 'all'" >averages.tsv
	ran="averages from sums: $*"
	"$PMON_SOURCE_DIR/tests/push/compare.py" - averages.tsv "${@:2}" >compare.out 2>&1 && ok || bad "$(cat compare.out)"
}

# roll_up DATABASE OPTIONS; sums DATABASE: what is stored, whoever computed it and when
roll_up() {
	run rollup --retry 5s "${@:2}" "$url/$1"
	status 0
}
sums() { database=$1 pg one "SELECT key, h.* FROM (SELECT series, to_jsonb(h) - 'version' - 'series' FROM pmon_hour AS h)
	AS h JOIN pmon_series ON id = series ORDER BY key, 3" | cut -f1,3; }

roll_up ranges --dry-run
out_has ' to compute'
same "sums of a dry run" "$(sums ranges)" ''
roll_up ranges -v
out_has "$day: "
compare_hours ranges
compare_all ranges odd.jsonl
roll_up ranges
out_is 'no hour changed'
whole=$(sums ranges)
last=$(pg one "SELECT max(hour) FROM pmon_hour")
roll_up ranges --again --begin "$(pg one "SELECT pmon_iso($last + 1)")" --end "$(pg one "SELECT pmon_iso($last + 2)")"
out_has '1 hour of'
same "sums that were computed again" "$(sums ranges)" "$whole"

# Late logs: hours after them have other first pairs, and other processes before them.
new_database late
for seed in 2 5; do
	make_seams $seed --sampled
	for part in early middle late; do
		sed "s/\\\\\\\\[A-Za-z]*\\\\\\\\/\\\\\\\\S$seed\\\\\\\\/" $part.jsonl >"$part$seed.jsonl"
	done
done
piece() { spread 3 150 "$@" --present; }
piece early.jsonl --only 60
piece middle.jsonl --skip 50 --only 50
piece late.jsonl --skip 90
parts=({early,middle,late}{,2,5}.jsonl)
run push --to "$url/late" {late,early}{,2,5}.jsonl
status 0
roll_up late
compare_hours late
run push --to "$url/late" middle{,2,5}.jsonl
status 0
roll_up late
out_has 'sums of'
compare_hours late
compare_all late "${parts[@]}"
whole=$(sums late)
pg_do one "DELETE FROM pmon_push" # so that all batches are sent again
run push --batch 700 --to "$url/late" "${parts[@]}"
status 0
roll_up late
out_is 'no hour changed'
same "sums after values came twice" "$(sums late)" "$whole"

# Raw values that are gone change no sums, unless they are computed again; --again brings both back.
pg_do one "DELETE FROM pmon_fact WHERE sample_100ns % 2000000000 < 1000000000; UPDATE pmon_push SET rollup = NULL"
roll_up late
out_has 'sums that stay, as raw values that they were made of are gone: '
same "samples that stay" "$(pg one 'SELECT sum(samples) FROM pmon_hour')" \
	"$(sed 's/.*"samples": \([0-9]*\).*/\1/' <<<"$whole" | paste -sd+ | bc)"
roll_up late --again
compare_hours late 'of hours that have raw values'
run push --again --to "$url/late" "${parts[@]}"
status 0
roll_up late
compare_hours late
same "sums after it came back" "$(sums late)" "$whole"
pg_do one "DROP TABLE pmon_fact_${day//-/}" 2>/dev/null || pg_do one "DELETE FROM pmon_fact"
roll_up late --again
same "sums of days that are gone" "$(sums late | wc -l)" "$(wc -l <<<"$whole")"

# Killed, and several at once.
whole=$(sums ranges)
database=ranges
pg_do one "TRUNCATE pmon_hour, pmon_hour_seen; UPDATE pmon_push SET rollup = NULL"
for n in $(seq "${PMON_TEST_KILLS:-6}"); do
	"$PMON_BIN" rollup "$url/ranges" >/dev/null 2>&1 &
	sleep "$(awk -v n="$n" 'BEGIN { srand(n); print rand() / 3 }')"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
done
for n in 1 2 3; do
	start "rollup$n" "$PMON_BIN" rollup "$url/ranges"
done
for n in 1 2 3; do
	wait "${pids[rollup$n]}" && ok || bad "$(cat "$tmp/rollup$n.out")"
	unset "pids[rollup$n]"
done
roll_up ranges
out_is 'no hour changed'
same "sums after kills" "$(sums ranges)" "$whole"

new_database nothing
run rollup "$url/nothing"
status 1
err_has 'the database has no raw values; store some with pmon push'

# ---- Pushes at the same time ----------------------------------------------------------------

new_database together
files=()
for machine in 1 2 3 4; do
	sed "s/\"\\\\\\\\\\\\\\\\[^\\\\]*/\"\\\\\\\\\\\\\\\\M$machine/" odd.jsonl >"m$machine.jsonl"
	files+=("m$machine.jsonl")
	start "push$machine" "$PMON_BIN" push --batch 500 --to "$url/together" "m$machine.jsonl"
done
for machine in 1 2 3 4; do
	wait "${pids[push$machine]}" && ok || bad "$(cat "$tmp/push$machine.out")"
	unset "pids[push$machine]"
done
same "series" "$(pg one 'SELECT count(DISTINCT machine) FROM pmon_series')" 4
same "values" "$(pg one 'SELECT count(*) FROM pmon_value')" "$(cat "${files[@]}" | wc -l)"
compare one "${files[@]}"

# Days are made for a role that may not make tables.
new_database rights
make_log average a.blg
run push --to "$url/rights" a.blg
status 0
pg_do one "CREATE ROLE writer LOGIN; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO writer;
	GRANT TEMPORARY ON DATABASE rights TO writer"
had=$(days)
run push --to "$url/rights" --user writer odd.jsonl
status 0
same "days were made" "$(($(days) > had))" 1
compare one a.blg odd.jsonl

# ---- Room -----------------------------------------------------------------------------------

new_database room
make_log long long.blg 1200
run push --to "$url/room" long.blg
status 0
same "at most 110 bytes for a value, with its key" "$(pg one "SELECT count(*) >= 240000,
	(SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'pmon_fact'::regclass)
	< 110 * count(*) FROM pmon_fact")" $'t\tt'

# ---- Databases of an older pmon, whose values are in one table ------------------------------

new_database old
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" 1 150 processes.jsonl || exit 1
run push --to "$url/old" odd.jsonl processes.jsonl
status 0
pg_do one "INSERT INTO pmon_group SELECT 'some', id FROM pmon_series WHERE id % 7 = 0"
before=$(checksum one)
groups=$(pg one "SELECT key FROM pmon_group JOIN pmon_series ON id = series ORDER BY key")
same "owners are there" "$(pg one 'SELECT count(*) > 100 FROM pmon_value WHERE nth < 0')" t
# make_old: the same rows as pmon stored them then, and no days
make_old() {
	pg_do one "CREATE TABLE v AS SELECT * FROM pmon_value; DROP TABLE pmon_fact, pmon_owner CASCADE;
		ALTER TABLE v RENAME TO pmon_value; ALTER TABLE pmon_value ALTER COLUMN series TYPE bigint,
		ADD PRIMARY KEY (series, sample_100ns, nth);
		CREATE INDEX pmon_value_owner ON pmon_value (series, sample_100ns, nth DESC) WHERE nth < 0;
		DROP FUNCTION pmon_pairs, pmon_sums, pmon_values, pmon_averages, pmon_hour_sums CASCADE;
		DROP VIEW CounterDetails, pmon_hour_average, pmon_day_average;
		ALTER TABLE pmon_series ALTER COLUMN id TYPE bigint; ALTER TABLE pmon_group ALTER COLUMN series TYPE bigint;
		CREATE VIEW pmon_raw AS SELECT * FROM pmon_value; UPDATE pmon_version SET views = 4"
}
make_old
run push --to "$url/old" odd.jsonl processes.jsonl
status 0
out_has "odd.jsonl: 0 values of"
err_has 'moved to a table for each day'
same "contents" "$(checksum one)" "$before"
compare one odd.jsonl processes.jsonl

# Ids of 64 bits, as pmon 0.1 gave them, are replaced, in groups too.
make_old
pg_do one "UPDATE pmon_value SET series = series * 1234567890123; UPDATE pmon_series SET id = id * 1234567890123;
	UPDATE pmon_group SET series = series * 1234567890123"
run push --to "$url/old" odd.jsonl processes.jsonl a.blg
status 0
out_has "odd.jsonl: 0 values of"
same "groups" "$(pg one "SELECT key FROM pmon_group JOIN pmon_series ON id = series ORDER BY key")" "$groups"
compare one odd.jsonl processes.jsonl a.blg

# Values without a series have no place; nothing is changed.
make_old
pg_do one "INSERT INTO pmon_value SELECT 999999, sample_100ns, nth, multi, status, first, second, time_100ns,
	absent_after, sample FROM pmon_value WHERE series = 1"
had=$(pg one "SELECT count(*) FROM pmon_value")
run push --to "$url/old" odd.jsonl
status 1
err_has 'rows of pmon_value are of no series in pmon_series'
same "values" "$(pg one "SELECT count(*) FROM pmon_value")" "$had"
pg_do one "DELETE FROM pmon_value WHERE series = 999999"
run push --to "$url/old" odd.jsonl
status 0
compare one odd.jsonl processes.jsonl a.blg
finish
