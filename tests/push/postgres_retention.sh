#!/usr/bin/env bash
# postgres_retention.sh - old months are dropped, and old values are neither sent again nor taken for stored or lost
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
start_postgres one
make_forty_days
to=(--batch 80 --to "postgresql://127.0.0.1:${ports[one]}/perf")
rows() { pg one "SELECT count(*), count(DISTINCT time / 864000000000) FROM pmon_fact"; }
month() { date -u -d "-$1 days" +%Y%m; } # of so many days ago

# stored DAYS: values and days of the months that a retention of so many days keeps a day of
stored() {
	local first n=0 k

	first=$(month "$1")
	for ((k = 0; k <= 40; k++)); do
		[ "$(month $k)" -lt "$first" ] || n=$((n + 1))
	done
	printf '%d\t%d' $((20 * n)) $n
}

# All is stored, then the retention ends it, and the ledger does not claim that it is there.
run push "${to[@]}" all.jsonl
status 0
same "rows" "$(rows)" $'820\t41'
run push --retention 5d "${to[@]}" old.jsonl
status 0
out_says old.jsonl 400 retention
same "days" "$(pg one 'SELECT days FROM pmon_retention')" 5
same "rows" "$(rows)" "$(stored 5)"
[ "$(rows)" != $'820\t41' ] && ok || bad "no month was dropped"
same "ledger" "$(pg one "SELECT count(*) FROM pmon_push WHERE to_char(pmon_utc(time_to), 'YYYYMM') < '$(month 5)'")" 0

# It is recorded: it need not be given again. What is kept is stored, and what is not is not lost.
run push "${to[@]}" all.jsonl
status 0
out_says 0 values
out_says "$(kept 5)" 700 retention
run push --verify "${to[@]}" all.jsonl
status 0
out_says all.jsonl 0 "$(kept 5)" missing 700 retention
pg_do one "DELETE FROM pmon_fact WHERE pmon_utc(time)::date = '$(date -u -d '-3 days' +%F)'"
run push --verify "${to[@]}" all.jsonl
status 1
out_says all.jsonl 20 "$(kept 5)" missing --again 700 retention
run push --again "${to[@]}" all.jsonl
status 0
out_says all.jsonl 20 values
same "rows" "$(rows)" "$(stored 5)"

# While another session reads a month, it is not dropped; the next push drops it. --verify never drops one.
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE read'
database=read
read=(--batch 80 --to "postgresql://127.0.0.1:${ports[one]}/read")
run push "${read[@]}" all.jsonl
mkfifo orders
psql -X -q -h 127.0.0.1 -p "${ports[one]}" -d read <orders >reader.out 2>&1 &
reader=$!
exec 7>orders
echo "BEGIN; SELECT 'has ' || count(*) FROM pmon_fact_$(month 40);" >&7
wait_for grep -q has reader.out
run push --retention 5d "${read[@]}" all.jsonl
status 0
out_says 700 retention
same "rows" "$(rows)" $'820\t41'
echo 'COMMIT;' >&7
exec 7>&-
wait "$reader"
run push --verify "${read[@]}" all.jsonl
status 0
same "rows" "$(rows)" $'820\t41'
run push "${read[@]}" all.jsonl
same "rows" "$(rows)" "$(stored 5)"

# The function drops nothing that the recorded retention keeps.
pg_do one "SELECT pmon_drop_months(900000000000000000)" >/dev/null
same "rows" "$(rows)" "$(stored 5)"
unset database

# In another database from the beginning: what is expired is never sent.
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE short'
database=short
run push --retention 10d --batch 80 --to "postgresql://127.0.0.1:${ports[one]}/short" all.jsonl
status 0
out_says "$(kept 10)" values
out_says 600 retention
same "rows" "$(rows)" "$(kept 10)"$'\t11'
unset database

# A longer retention: what was not sent before comes; what was deleted comes back.
run push --retention forever "${to[@]}" all.jsonl
status 0
run push --again "${to[@]}" all.jsonl
status 0
same "rows" "$(rows)" $'820\t41'
run push --verify "${to[@]}" all.jsonl
status 0
out_says all.jsonl 0 820 missing
compare one all.jsonl

run push --retention 9d --dry-run --to postgresql://nowhere.invalid/keep all.jsonl
status 0
out_has 'INSERT INTO pmon_retention (days) VALUES (9)'

finish
