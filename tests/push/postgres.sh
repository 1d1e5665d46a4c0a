#!/usr/bin/env bash
# postgres.sh - logs in PostgreSQL: what is stored, stored once, told, and who may
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need_postgres
make_log average a.blg
start_postgres one
url=postgresql://127.0.0.1:${ports[one]}/perf
values=$("$PMON_BIN" raw --format json a.blg | wc -l)

run push --to "$url" a.blg
status 0
out_has "a.blg: $values values of 4 counters sent"
same "values in the table" "$(pg one 'SELECT count(*) FROM pmon_value')" "$values"
compare one a.blg
before=$(checksum one)

# The same again counts once, and is not sent; as another format it is the same log.
run push --to "$url" a.blg
status 0
out_has "a.blg: 0 values of"
out_has "$values were there"
"$PMON_BIN" relog a.blg -f jsonl -o b.jsonl -y >/dev/null
run push --to "$url" b.jsonl
out_has "$values were there"
same "checksum" "$(checksum one)" "$before"
same "logs" "$(pg one 'SELECT count(*) FROM pmon_log')" 1

# A log of several batches.
database=small
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE small'
make_log long long.blg 1200
run push --to "${url%perf}small" long.blg
status 0
out_has "long.blg: 240000 values of 200 counters sent"
same "batches" "$(pg one 'SELECT count(*) > 2, sum(rows) FROM pmon_push')" $'t\t240000'
unset database

# A query that was written for a database file of SQLite runs here, with the same answer.
"$PMON_BIN" relog a.blg -f SQL -o a.db -y >/dev/null
cat >both.py <<'PYTHON'
import sqlite3, sys


def cell(text):
    if text is None or text == "\\N":
        return None
    try:
        return float(text)
    except ValueError:
        return text


theirs = [[cell(part.replace("\\\\", "\\")) for part in line.rstrip("\n").split("\t")] for line in sys.stdin]
ours = [[cell(part) for part in row] for row in sqlite3.connect("a.db").execute(sys.argv[1])]
if theirs != ours or not ours:
    sys.exit(f"{theirs[:3]} and {ours[:3]}")
PYTHON
while read -r query; do
	ran="$query"
	pg one "$query" | python3 both.py "$query" >both.out 2>&1 && ok || bad "$(head -c 600 both.out)"
done <<-'SQL'
	SELECT path, average, unit, samples, pairs, status FROM pmon_average WHERE window_name = 'all' ORDER BY path
	SELECT path, time, value, status, unit FROM pmon_displayed WHERE status <> 'first_sample' ORDER BY path, sample_100ns
	SELECT MachineName, ObjectName, InstanceName, CounterName, CounterType, DefaultScale, ParentName, TimeBaseA, TimeBaseB FROM CounterDetails ORDER BY MachineName, CounterName
	SELECT RecordIndex, CounterDateTime, FirstValueA, FirstValueB, SecondValueA, SecondValueB, MultiCount, Status, Time100ns, Run, CounterName FROM CounterData JOIN CounterDetails USING (CounterID) ORDER BY CounterName, RecordIndex
	SELECT NumberOfRecords, MinutesToUTC FROM DisplayToID
	SELECT word, name, unit, formula, formula_text, average_text, meaning FROM pmon_type ORDER BY word
	SELECT path, first, second, multi, first0, second0, n_step, d_step, n, d, f FROM pmon_pair WHERE first0 IS NOT NULL AND formula <> 'count' ORDER BY path, sample_100ns
	SELECT path, s.ordinal, s.time_100ns, d.FirstValueA FROM CounterData AS d JOIN pmon_sample AS s ON s.id = d.Sample JOIN pmon_series AS c ON c.id = d.CounterID ORDER BY path, s.ordinal
SQL

# True averages of a stretch of time, and of counters together. The log is of 2026-11-20T15:00, 15 s apart.
pg_do one "INSERT INTO pmon_window VALUES ('w', '2026-11-20T15:00:15Z', '2026-11-20T15:01:00.0000000Z')"
"$PMON_BIN" stats --format json --from 2026-11-20T15:00:15Z --to 2026-11-20T15:01:00Z a.blg |
	python3 -c 'import json, sys
for c in json.load(sys.stdin)["counters"]: print(c["path"], float(c["average"]), c["samples"])' | sort >want
pg one "SELECT path || ' ' || average::float8::text, samples FROM pmon_average WHERE window_name = 'w'" |
	sed 's/\\\\/\\/g' | tr '\t' ' ' | python3 -c 'import sys
for line in sys.stdin:
    path, average, samples = line.rstrip("\n").rsplit(" ", 2)
    print(path, float(average), samples)' | sort >got
same "averages of a window" "$(cat got)" "$(cat want)"

# What is shown before anything is sent.
run push --to "$url" --dry-run a.blg
status 0
out_has 'CREATE TABLE IF NOT EXISTS pmon_value'
out_has 'CREATE OR REPLACE VIEW pmon_average'
out_has '-- the first rows of pmon_value'
echo "$out" >schema.sql
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE dry'
psql -q -X -1 -h 127.0.0.1 -p "${ports[one]}" -d dry -v ON_ERROR_STOP=1 -f schema.sql >/dev/null 2>dry.err &&
	ok || bad "the schema is not taken: $(cat dry.err)"

# ---- Who may, and who is refused ------------------------------------------------------------

pg_do one "CREATE ROLE secret LOGIN PASSWORD 'open sesame'; GRANT ALL ON DATABASE perf TO secret;
	GRANT ALL ON ALL TABLES IN SCHEMA public TO secret; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO secret"
echo 'open sesame' >password
run push --to "$url" --user secret --password-file password a.blg
status 0
out_has "$values were there"
echo 'open barley' >wrong
started=$SECONDS
run push --to "$url" --user secret --password-file wrong a.blg
status 1
err_has 'password authentication failed'
case $err$out in *barley*) bad "the password is told" ;; *) ok ;; esac
[ $((SECONDS - started)) -lt 5 ] && ok || bad "a refusal is tried again"
started=$SECONDS
run push --to "$url" --user secret a.blg
status 1
err_has 'no password supplied'
[ $((SECONDS - started)) -lt 5 ] && ok || bad "without a password it is tried again"
export PMON_USER=secret PMON_PASSWORD='open sesame'
run push --to "$url" a.blg
status 0
unset PMON_USER PMON_PASSWORD

for bad_url in "postgresql://secret:sesame@127.0.0.1/perf" "postgresql://secret@127.0.0.1/perf" \
	"$url?password=sesame" "$url?user=secret" "$url?sslpassword=sesame"; do
	run push --to "$bad_url" a.blg
	status 2
	err_has 'who you are'
	case $err in *sesame*) bad "the password is told" ;; *) ok ;; esac
done
run push --to "$url?nonsense=1" a.blg
status 2
run push --to "${url%perf}absent" a.blg
status 1
err_has 'database "absent" does not exist'

# A server that is not of this machine must show a certificate that is trusted; this one has none.
run push --to "postgresql://localhost:${ports[one]}/perf?sslmode=verify-full" a.blg a.blg
status 1
err_has 'does not support SSL'
case $err in *'trying again'* | *'not pushed'*) bad "TLS is tried again" ;; *) ok ;; esac
same "nothing was sent" "$(pg one 'SELECT count(*) FROM pmon_push')" 1

# Of a certificate by an authority of one's own that one has to be named.
if command -v openssl >/dev/null; then
	openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=authority >/dev/null 2>&1
	openssl req -newkey rsa:2048 -nodes -keyout key -out request -subj /CN=localhost >/dev/null 2>&1
	openssl x509 -req -in request -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
		-extfile <(echo subjectAltName=DNS:localhost) -out cert >/dev/null 2>&1
	init_postgres tls
	for file in key cert; do
		"${as_other[@]}" sh -c "umask 077; cat >'$tmp/pg-tls/data/server.$file'" <$file
	done
	"${as_other[@]}" tee -a "$tmp/pg-tls/data/postgresql.conf" >/dev/null <<-CONF
		ssl = on
		ssl_key_file = 'server.key'
		ssl_cert_file = 'server.cert'
	CONF
	run_postgres tls || bad "the server with TLS does not start: $(cat "$tmp/tls.out")"
	psql -q -h 127.0.0.1 -p "${ports[tls]}" -d postgres -c 'CREATE DATABASE perf'
	tls_url=postgresql://localhost:${ports[tls]}/perf
	run push --retry 5s --to "$tls_url?sslmode=verify-full" a.blg a.blg
	status 1
	err_has 'root certificate'
	case $err in *'trying again'*) bad "a certificate is tried again" ;; *) ok ;; esac
	run push --retry 5s --to "$tls_url?sslmode=verify-full&sslrootcert=$tmp/ca.crt" a.blg
	status 0
	run push --retry 5s --to "$tls_url?sslmode=verify-full" --ca-file ca.crt a.blg
	status 0
	out_has "$values were there"
	run push --retry 5s --to "${tls_url/localhost/127.0.0.1}?sslmode=verify-full" --ca-file ca.crt a.blg
	status 1
	err_has 'does not match host name'
	stop tls
fi

# A server that is not there is tried again, until it is enough.
run push --to "postgresql://127.0.0.1:$(free_port)/perf" --retry 1s a.blg
status 1
err_has 'trying again in'
err_has 'Connection refused'
finish
