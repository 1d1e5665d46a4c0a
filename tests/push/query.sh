#!/usr/bin/env bash
# query.sh - pmon query gives the numbers of pmon values and pmon stats, from ClickHouse and from PostgreSQL
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need python3
engines=()
if [ -x "$clickhouse" ]; then
	start_clickhouse old
	engines+=(old)
fi
if [ -x "$pg_bin/initdb" ] && command -v psql >/dev/null; then
	start_postgres pg
	engines+=(pg)
fi
if command -v node >/dev/null && [ -d "$PMON_SOURCE_DIR/tests/push/node_modules/chdb" ]; then
	ports[now]=$(free_port)
	mkdir now
	start now node "$PMON_SOURCE_DIR/tests/push/chdb_server.cjs" "${ports[now]}" "$tmp/now"
	wait_for_server now http "${ports[now]}" / && engines+=(now)
fi
[ ${#engines[@]} -gt 0 ] || skip "neither ClickHouse nor PostgreSQL is here"

make() { python3 "$PMON_SOURCE_DIR/tests/push/$1" "${@:2}" || exit 1; }
make make_odd.py 7 120 odd.jsonl
make make_processes.py 5 90 processes.jsonl
make make_processes.py --sampled 5 90 sampled.jsonl
files=(odd.jsonl processes.jsonl sampled.jsonl)
real=
if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ]; then
	real=$PMON_TEST_DATA/blg/pal-SampleLog.blg
	files+=("$real" "$PMON_TEST_DATA"/blg/{tx-BasicPerfCounters,pwsh-CounterSamples}.blg
		"$PMON_TEST_DATA"/pdh-text/wfjsg_test_sjis.csv)
fi

# url ENGINE DATABASE; new ENGINE DATABASE: make it where pmon does not
url() {
	if [ "$1" = pg ]; then
		printf 'postgresql://127.0.0.1:%s/%s' "${ports[pg]}" "$2"
	else
		printf 'clickhouse+http://127.0.0.1:%s/%s' "${ports[$1]}" "$2"
	fi
}
new() { [ "$1" != pg ] || psql -q -h 127.0.0.1 -p "${ports[pg]}" -d postgres -c "CREATE DATABASE $2" || exit 1; }

# compared WHAT ENGINE DATABASE [OPTION...] -- FILE...
compared() {
	ran="query $*"
	"$PMON_SOURCE_DIR/tests/push/query_compare.py" "$1" "$(url "$2" "$3")" "${@:4}" >compare.out 2>&1 &&
		ok || bad "$(cat compare.out)"
}

# ---- Numbers --------------------------------------------------------------------------------

# Files that an engine has: a log of every type and a real one each, and one engine each of the others.
declare -A has=([now]='1 4' [old]='1 2 3 4' [pg]='1 4 5 6 7')
# And by what its averages are grouped.
declare -A grouped=([now]=instance [old]=machine [pg]=object)
for engine in "${engines[@]}"; do
	n=0
	for file in "${files[@]}"; do
		n=$((n + 1))
		[ -n "${PMON_TEST_FULL:-}" ] || [[ " ${has[$engine]} " == *" $n "* ]] || continue
		new "$engine" "file$n"
		run push --to "$(url "$engine" "file$n")" "$file"
		status 0
		compared values "$engine" "file$n" -- "$file"
		compared averages "$engine" "file$n" -- "$file"
	done
	for by in machine instance object; do
		[ -n "${PMON_TEST_FULL:-}" ] || [ $by = "${grouped[$engine]}" ] || continue
		compared averages "$engine" file1 --by $by -- odd.jsonl
		[ -z "$real" ] || compared averages "$engine" file4 --by $by -- "$real"
	done
	[ -n "$real" ] || continue
	range=(--from 2007-08-14T19:43Z --to 2007-08-14T19:46Z)
	compared values "$engine" file4 "${range[@]}" -c '\PhysicalDisk(*)\*' -c '\Memory\*' -- "$real"
	compared averages "$engine" file4 "${range[@]}" -- "$real"
	compared averages "$engine" file4 "${range[@]}" --by machine -c '\PhysicalDisk(*)\*' -- "$real"
	compared averages "$engine" file4 --from -3m -c '\\ZACH-PC\Processor(*)\*' -- "$real"
done

# ---- Sums of hours --------------------------------------------------------------------------

# Averages of ranges, while the sums of hours lack a log that came late, and when they have it.
hours() { make make_odd.py 3 150 hours_$1.jsonl --apart --present "${@:2}"; }
hours first --only 60
hours last --skip 90
hours all
mapfile -t times < <(grep -o '"time": *"[^"]*"' hours_all.jsonl | cut -d'"' -f4 | uniq)
# The range begins after the sample with the most values that are not usable, as a pair reaches across these.
begin=$(python3 - "${times[@]:15:20}" <<'PYTHON'
import collections, json, sys
unusable = collections.Counter()
for line in open("hours_all.jsonl"):
    row = json.loads(line)
    unusable[row["time"]] += row["status"] not in (0, 1, "valid_data", "new_data")
print(max(range(20), key=lambda i: unusable[sys.argv[1 + i]]) + 16)
PYTHON
)
range=(--from "${times[begin]}" --to "${times[110]}")
for engine in "${engines[@]}"; do
	new "$engine" hours
	run push --to "$(url "$engine" hours)" hours_first.jsonl hours_last.jsonl
	run rollup "$(url "$engine" hours)"
	run push --to "$(url "$engine" hours)" hours_all.jsonl
	status 0
	compared averages "$engine" hours "${range[@]}" -- hours_all.jsonl
	run rollup "$(url "$engine" hours)"
	status 0
	run query "$(url "$engine" hours)" averages "${range[@]}" --print
	out_has pmon_hour
	compared averages "$engine" hours "${range[@]}" -- hours_all.jsonl
	[ "$engine" = now ] || compared averages "$engine" hours --from "${times[begin]}" --by object -- hours_all.jsonl
done

# ---- Many counters --------------------------------------------------------------------------

# As many counters as a statement of ClickHouse's usual length has no room for. Counter n is at n and 3 * n.
python3 - <<'PYTHON' || exit 1
with open("many.jsonl", "w") as out:
    for sample in (0, 1):
        for n in range(4000):
            print('{"path":"\\\\\\\\M\\\\O(i%d)\\\\C","type":"PERF_COUNTER_LARGE_RAWCOUNT","time":"2020-01-01T00:00:0%dZ",'
                  '"status":"valid_data","first":"%d","second":"0","multi":1,"time_base":0}' % (n, sample, n + 2 * n * sample), file=out)
PYTHON
for engine in "${engines[@]}"; do
	new "$engine" many
	run push --to "$(url "$engine" many)" many.jsonl
	status 0
	run query "$(url "$engine" many)" averages --format csv
	status 0
	same "counters, and their averages" "$(awk -F, '/O.i/ { n++; sum += $4 } END { print n, sum }' <<<"$out")" \
		"4000 $((2 * 4000 * 3999 / 2))"
	run query "$(url "$engine" many)" averages --by object --format csv
	out_has ',3999,ok,8000,4000,true'
done

# ---- Top, printing, what is wrong -----------------------------------------------------------

for engine in "${engines[@]}"; do
	new "$engine" made
	run query "$(url "$engine" made)" counters
	status 1
	[ "$engine" = pg ] && err_has "the database has no tables of this pmon" || err_has "no database made"
	err_has "pmon push"
	make_machines
	run push --to "$(url "$engine" made)" before.jsonl after.jsonl
	status 0
	where=$(url "$engine" made)

	run query "$where" counters -c '\Process(*)\IO*'
	status 0
	out_has '\\A\Process(x)\IO Read Operations/sec'
	out_lacks 'ID Process'

	# A reads 7 a second, B 7 and, as another process, 5: (7 + 5) / 2.
	run query "$where" averages -c '\Process(*)\IO Read Operations/sec' --format csv
	status 0
	out_has '\\A\Process(x)\IO Read Operations/sec,PERF_COUNTER_BULK_COUNT,/s,7,ok,4,1,true'
	out_has '\\B\Process(x)\IO Read Operations/sec,PERF_COUNTER_BULK_COUNT,/s,6,ok,4,1,true'
	run query "$where" averages -c '\Process(*)\IO Read Operations/sec' --format csv --top 1
	out_has '\\A\Process(x)'
	out_lacks '\\B\Process(x)'
	# 5 pairs of a second each: 3 * 7 + 7 + 5.
	run query "$where" averages -c '\Process(*)\IO Read Operations/sec' --format csv --by object
	out_has '\\*\Process(*)\IO Read Operations/sec,PERF_COUNTER_BULK_COUNT,/s,6.6,ok,8,2,true'
	run query "$where" averages -c '\Process(*)\IO Read Operations/sec' --format csv --to 00:00:01
	out_has '\\B\Process(x)\IO Read Operations/sec,PERF_COUNTER_BULK_COUNT,/s,7,ok,2,1,true'

	run query "$where" averages -c '\Process(*)\IO Read Operations/sec' --from 00:00:01 --print
	status 0
	out_has 'SELECT'
	out_has '132223104010000000'
	[ "$engine" = pg ] || out_lacks pmon_hour # there are no sums
	printf '%s' "$out" >printed.sql
	if [ "$engine" = pg ]; then
		psql -X -q -A -t -h 127.0.0.1 -p "${ports[pg]}" -d made -f printed.sql >printed.out
	else
		http "${ports[$engine]}" / "$(cat printed.sql)" >printed.out
	fi
	same "the printed statement runs" "$(grep -c 'IO Read Operations/sec' printed.out)" 2

	run query "$where" values -c '\Process(x)\IO Reads/sec'
	status 1
	err_has 'no counter matches \Process(x)\IO Reads/sec'
	err_has 'did you mean \\A\Process(x)\IO Read Operations/sec'
	run query "$where" values -c '\Process(x)\IO Read Operations/sec' --from 2021-01-01
	status 1
	err_has "no sample in the range"
	err_has "2020-01-01T00:00:03Z"
	run query "$where" averages --from 00:00:03 --to 00:00:01
	status 2
	err_has "ends before it begins"
done

run query "$(url "${engines[0]}" made)"
status 2
err_has "values, averages or counters"
run query "$(url "${engines[0]}" made)" all
status 2
err_has 'not "all"'
run query "$(url "${engines[0]}" made)" values --top 3
status 2
err_has "--top is for averages"
run query clickhose+http://127.0.0.1:1/made values
status 2
err_has "did you mean clickhouse+http://?"
run query clickhouse+http://user:word@127.0.0.1:1/made values
status 2
err_has "must not contain a user or a password"
PMON_PASSWORD=word run query clickhouse+http://192.0.2.1:1/made values --user me
status 2
err_has "--insecure"

# ---- Views of an older pmon, and users who may only read -------------------------------------

if [ -n "${ports[old]:-}" ]; then
	ch old "DROP TABLE made.pmon_version" >/dev/null
	ch old "CREATE VIEW made.pmon_version AS SELECT toUInt32(1) AS views, toUInt32(2) AS keys" >/dev/null
	run query "$(url old made)" counters
	status 1
	err_has "are of version 1"
	err_has "pmon push of any log makes them anew"
fi
if [ -n "${ports[pg]:-}" ]; then
	database=made pg_do pg "UPDATE pmon_version SET views = 1"
	run query "$(url pg made)" counters
	status 1
	err_has "are of version 1"
	run query "$(url pg nowhere)" counters
	status 1
	err_has 'database "nowhere" does not exist; create it'
	[ -z "$real" ] || {
		database=file4 pg_do pg "CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"
		PMON_USER=reader compared averages pg file4 -c '\Memory\*' -- "$real"
	}
fi
[ -z "${ports[old]:-}" ] || [ -z "$real" ] || {
	printf 'open book\n' >word
	chmod 600 word
	run query "$(url old file4)" averages -c '\Memory\*' --user reader --password-file word
	status 0
	out_has '\Memory\Pages/sec'
}

finish
