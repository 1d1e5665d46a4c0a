#!/usr/bin/env bash
# postgres_retention.sh - old days are dropped, and are then neither sent again nor taken for stored or lost
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need_postgres
start_postgres one
make_forty_days
to=(--batch 80 --to "postgresql://127.0.0.1:${ports[one]}/perf")
rows() { pg one "SELECT count(*), count(DISTINCT sample_100ns / 864000000000) FROM pmon_value"; }
# The table of so many days ago.
day() { echo "pmon_fact_$(date -u -d "-$1 days" +%Y%m%d)"; }

# All is stored, then the retention ends it, and the ledger does not claim that it is there.
run push "${to[@]}" all.jsonl
status 0
same "rows" "$(rows)" $'820\t41'
run push --retention 30d "${to[@]}" old.jsonl
status 0
out_has '200 were there, 200 are older than the retention'
same "days" "$(pg one 'SELECT days FROM pmon_retention')" 30
same "rows" "$(rows)" "$(kept 30)"$'\t31'
same "ledger" "$(pg one "SELECT count(*) FROM pmon_push WHERE pmon_utc(time_to) < now() - interval '31 days'")" 0

# It is recorded: nobody has to give it again. What is kept is stored, and what is not is not lost.
run push "${to[@]}" all.jsonl
status 0
out_has ' 0 values of'
out_has "$(kept 30) were there, 200 are older than the retention"
run push --verify "${to[@]}" all.jsonl
status 0
out_is "all.jsonl: 0 of $(kept 30) values are missing; 200 are older than the retention"
pg_do one "DROP TABLE $(day 5)"
run push --verify "${to[@]}" all.jsonl
status 1
out_is "all.jsonl: 20 of $(kept 30) values are missing, 20 of them were pushed before; --again sends them; 200 are older than the retention"
run push --again "${to[@]}" all.jsonl
status 0
out_has ': 20 values of'
same "rows" "$(rows)" "$(kept 30)"$'\t31'

# A day that another session reads is dropped by a later push, and --verify drops nothing.
(echo "BEGIN; SELECT count(*) FROM $(day 30);" && sleep 12 && echo "COMMIT;") |
	psql -X -q -h 127.0.0.1 -p "${ports[one]}" -d perf >reader.out 2>&1 &
reader=$!
wait_for grep -q 20 reader.out
run push --retention 29d "${to[@]}" all.jsonl
status 0
out_has '220 are older than the retention'
same "rows" "$(rows)" "$(kept 30)"$'\t31'
wait "$reader"
run push --verify "${to[@]}" all.jsonl
status 0
same "rows" "$(rows)" "$(kept 30)"$'\t31'
run push "${to[@]}" all.jsonl
same "rows" "$(rows)" "$(kept 29)"$'\t30'

# The function drops nothing that the recorded retention keeps.
pg_do one "SELECT pmon_drop_days(900000000000000000)" >/dev/null
same "rows" "$(rows)" "$(kept 29)"$'\t30'

# In another database from the beginning: what is expired is never sent.
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE short'
database=short
run push --retention 10d --batch 80 --to "postgresql://127.0.0.1:${ports[one]}/short" all.jsonl
status 0
out_has ": $(kept 10) values of"
out_has '600 are older than the retention'
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
out_is "all.jsonl: 0 of 820 values are missing"
compare one all.jsonl

run push --retention 9d --dry-run --to postgresql://nowhere.invalid/keep all.jsonl
status 0
out_has 'INSERT INTO pmon_retention (days) VALUES (9)'

finish
