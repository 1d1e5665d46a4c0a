#!/usr/bin/env bash
# postgres_sums.sh - sums of first and last rows are those of each pair, whatever came, went or was changed since
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need_postgres
start_postgres one
url=postgresql://127.0.0.1:${ports[one]}

new_database() {
	database=$1
	psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database" || exit 1
}

push() {
	run push "${@:2}" --to "$url/$1"
	[ "$status" = 0 ] || bad "exit status $status: $err"
}

# Two forms of pmon_sums(): one never looks at pairs that it can leave out, the other always looks at each.
make_forms() {
	local form

	for form in "ends=n > 0 AND n >= 0 *" "pairs=n < 0 *"; do
		pg_do one "DO \$\$ BEGIN EXECUTE (SELECT replace(replace(pg_get_functiondef(
			'pmon_sums(bigint, bigint, bigint)'::regprocedure), 'pmon_sums(', 'sums_of_${form%%=*}('),
			'n >= 64 *', '${form#*=}')); END \$\$"
	done
}

# same_sums WHAT: in both forms, over all times and over ranges, back to the beginning and to that of the range
ranges="SELECT 0::bigint AS low, 9000000000000000000 AS high UNION ALL SELECT t, t + (3600000000 * 2 ^ (random() * 12))::bigint
	FROM (SELECT sample_100ns + (random() * 3 - 1)::bigint AS t FROM pmon_fact ORDER BY random() LIMIT ${PMON_TEST_RANGES:-2}) AS t"
same_sums() {
	pg_do one "SET client_min_messages = warning; DROP TABLE IF EXISTS ranges; DO \$\$ BEGIN PERFORM setseed(0.5); END \$\$;
		CREATE TABLE ranges AS $ranges"
	for form in ends pairs; do
		pg one "SELECT low, high, near, s.* FROM ranges CROSS JOIN (VALUES (0), (1)) AS r (near)
			CROSS JOIN LATERAL sums_of_$form(low, high, near * low) AS s ORDER BY 1, 2, 3, series" >"$form.tsv"
	done
	ran="sums, $1"
	[ "$(wc -l <ends.tsv)" -gt 100 ] && cmp -s ends.tsv pairs.tsv && ok || bad "$(diff ends.tsv pairs.tsv | head -n 6)"
	same "rows without a mark, $1" "$(pg one "$unmarked")" 0
}

# Rows that should have a mark and have none: of types that need pairs, and not usable, or smaller than the row before.
usable="(rare IS NULL OR rare[3] IN (0, 1, 536870913, 536870914))"
unmarked="SELECT count(*) FROM (SELECT *, lag($usable) OVER w AS usable0, lag(first) OVER w AS first0,
	lag(second) OVER w AS second0 FROM pmon_fact WINDOW w AS (PARTITION BY series, sample_100ns / 864000000000
	ORDER BY sample_100ns, nth)) AS f JOIN pmon_series AS c ON c.id = series LEFT JOIN pmon_type AS t ON word = type_word
	WHERE NOT coalesce(is_single OR formula = 'none', FALSE) AND coalesce(kind, 0) >= 0 AND (usable0 IS NULL OR NOT usable0
	OR NOT $usable OR first < first0 OR divides AND second < second0 OR rare[1] <> 0 OR rare[3] IN (536870913, 536870914))"

make() { python3 "$PMON_SOURCE_DIR/tests/push/$1" "${@:2}" || exit 1; }

# ---- What came --------------------------------------------------------------------------------

make_seams 2 --sampled
for part in early middle late; do
	mv $part.jsonl seam_$part.jsonl
done
make make_odd.py 1 120 odd.jsonl
make make_odd.py 2 120 whole.jsonl --apart --present
make make_odd.py 2 120 early.jsonl --apart --present --only 80
make make_odd.py 2 120 late.jsonl --apart --present --skip 60
make make_processes.py 1 90 processes.jsonl
make make_processes.py --sampled 2 90 sampled.jsonl
files=(odd.jsonl processes.jsonl sampled.jsonl)

new_database came
push came --batch 900 "${files[@]}"
make_forms
same_sums "of everything"
same "there are rows without a mark, and with one" "$(pg one "SELECT bool_or(kind < 0), bool_or(kind IS NULL) FROM pmon_fact")" \
	$'t\tt'

# Logs that overlap, in every order, in batches that do not end together.
for order in "early late" "late early" "late whole early"; do
	database=${order// /_}
	new_database "$database"
	for part in $order; do
		push "$database" --batch $((RANDOM % 900 + 100)) "$part.jsonl"
	done
	make_forms
	same_sums "$order"
done
for part in seam_late seam_early late early seam_middle; do
	push came "$part.jsonl"
done
same_sums "after late logs"

# At the same time.
new_database together
push together processes.jsonl
for n in 1 2 3; do
	part=$(cut -d' ' -f$n <<<"early late whole")
	start "push$n" "$PMON_BIN" push --batch 200 --to "$url/together" "$part.jsonl"
done
for n in 1 2 3; do
	wait "${pids[push$n]}" && ok || bad "$(cat "$tmp/push$n.out")"
	unset "pids[push$n]"
done
make_forms
same_sums "of pushes at the same time"

# A row is changed while another session stores the next one, whichever is first.
row="SELECT f.* FROM pmon_fact AS f JOIN pmon_series AS c ON c.id = series JOIN pmon_type ON word = type_word
	WHERE formula = 'rate' AND kind >= 0 AND nth = 0 ORDER BY series, sample_100ns LIMIT 1"
change="UPDATE pmon_fact SET first = first + 1000000000000 WHERE (series, sample_100ns, nth) IN (SELECT series, sample_100ns, nth FROM r)"
store="INSERT INTO pmon_fact (series, sample_100ns, nth, first, second, sample, kind, rare)
	SELECT series, sample_100ns + 10, 0, first, second + 1, sample, kind, rare FROM r"
sleeps() { [ "$(pg one "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")" = 1 ]; }
for order in "change store" "store change"; do
	first=${order% *} second=${order#* }
	pg_do one "DROP TABLE IF EXISTS r; CREATE TABLE r AS $row" 2>>"$tmp/notices"
	pg_do one "BEGIN; ${!first}; SELECT pg_sleep(2); COMMIT" >"$tmp/first.out" 2>&1 &
	wait_for sleeps
	pg_do one "${!second}" || bad "$second: it failed"
	wait $! && ok || bad "$first: $(cat "$tmp/first.out")"
	same_sums "$first, then $second at the same time"
done

# ---- What went, and was changed ---------------------------------------------------------------

database=came
pg_do one "DELETE FROM pmon_fact WHERE hashint8(sample_100ns) % 3 = 0"
same_sums "after rows went"
day=$(pg one "SELECT tableoid::regclass FROM pmon_fact GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
pg_do one "DELETE FROM $day WHERE (series, sample_100ns) IN (SELECT series, sample_100ns FROM $day WHERE kind < 0)
	AND series % 2 = 0"
same_sums "after rows of one day went"
pg_do one "UPDATE pmon_fact SET first = first / 2 WHERE hashint8(sample_100ns) % 7 = 0"
same_sums "after rows were changed"
push came --again "${files[@]}"
same_sums "after they came back"
database=late_whole_early
pg_do one "DROP TABLE $(pg one "SELECT min(inhrelid::regclass::text) FROM pg_inherits WHERE inhparent = 'pmon_fact'::regclass
	AND inhrelid > (SELECT min(inhrelid) FROM pg_inherits WHERE inhparent = 'pmon_fact'::regclass)")"
same_sums "without a day"

# ---- Databases of an older pmon ---------------------------------------------------------------

database=came
averages="SELECT path, average, status, samples, pairs FROM pmon_average WHERE window_name = 'all' ORDER BY path, average"
before=$(pg one "$averages")
contents=$(checksum one)
pg_do one "DROP TRIGGER pmon_mark_new ON pmon_fact; DROP TRIGGER pmon_mark_gone ON pmon_fact;
	DROP TRIGGER pmon_mark_changed ON pmon_fact; DROP FUNCTION pmon_mark_new, pmon_mark_next, pmon_mark_day;
	DROP INDEX pmon_fact_irregular; UPDATE pmon_fact SET kind = nullif(kind & 32767, 2) WHERE kind < 0;
	UPDATE pmon_version SET views = 9"
push came odd.jsonl
err_has 'are marked in the database'
same "contents" "$(checksum one)" "$contents"
same "averages" "$(pg one "$averages")" "$before"
make_forms
same_sums "of an older database"
push came odd.jsonl
[ -z "$err" ] && ok || bad "marked again: $err"
finish
