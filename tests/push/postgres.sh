#!/usr/bin/env bash
# postgres.sh - logs in PostgreSQL: contents, each row stored once, messages, and permissions
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need_postgres
jit=on
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
out_has "long.blg: 240,000 values of 200 counters sent"
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

# True averages of a window, and of counters together. The log is of 2026-11-20T15:00, 15 s apart.
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

# Output before anything is sent.
run push --to "$url" --dry-run a.blg
status 0
out_has 'CREATE TABLE IF NOT EXISTS pmon_fact'
out_has 'CREATE VIEW pmon_average'
out_has '-- the first rows of pmon_value'
echo "$out" >schema.sql
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE dry'
psql -q -X -1 -h 127.0.0.1 -p "${ports[one]}" -d dry -v ON_ERROR_STOP=1 -f schema.sql >/dev/null 2>dry.err &&
	ok || bad "the schema is not taken: $(cat dry.err)"

err_lacks() { case $err in *"$1"*) bad "stderr has '$1'" ;; *) ok ;; esac; }

# ---- Keys -----------------------------------------------------------------------------------

# new_database NAME, to which pg, pg_do and $known are then
new_database() {
	database=$1
	known=${url%perf}$1
	psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $1" || exit 1
}

# The key of the unit tests: XXH3 of the identity beside it, by xxhsum.
new_database known
make_known known.jsonl
run push --to "$known" known.jsonl
status 0
same "a key" "$(pg one 'SELECT key, duplicate FROM pmon_series WHERE duplicate = 0')" \
	$'af43047f-6f95-efe2-f4c0-231a3b0e4950\t0'
same "its identity" "$(pg one 'SELECT identity FROM pmon_series WHERE duplicate = 0')" \
	'srv\tdisk\tp\tc:\t1\treads/sec\t0x10410400\t10\t0\t0'
same "values of ids" "$(pg one 'SELECT count(*) FROM pmon_value JOIN pmon_series ON id = series')" 4

# The same series again take no numbers of the sequence.
for _ in 1 2 3; do
	sed "s/\"first\":\"/&$_/" known.jsonl >later.jsonl
	run push --to "$known" later.jsonl
	status 0
done
same "newest id" "$(pg one "SELECT last_value FROM pmon_series_id_seq")" 2

# Another counter that has the key of one of a log: nothing of the log is stored.
pg_do one "UPDATE pmon_series SET identity = 'another' WHERE duplicate = 0"
rows=$(pg one 'SELECT count(*) FROM pmon_value')
sed 's/"first":"/&7/' known.jsonl >later.jsonl
run push --to "$known" later.jsonl
status 1
err_has 'two counters would be stored as one, as both have the key af43047f-6f95-efe2-f4c0-231a3b0e4950'
err_has 'Reads/sec and another one in pmon_series'
same "values in the table" "$(pg one 'SELECT count(*) FROM pmon_value')" "$rows"
same "batches in the ledger" "$(pg one 'SELECT count(*) FROM pmon_push')" 4

# A database of a pmon to come.
pg_do one 'UPDATE pmon_version SET keys = 3'
run push --to "$known" known.jsonl
status 1
err_has 'made by a newer pmon: its series have keys of version 3'

# Views and types of an older version are recreated, those of a newer one are kept.
for views in 1 1000000; do
	pg_do one "UPDATE pmon_version SET keys = 2, views = $views"
	pg_do one 'DROP VIEW pmon_average; CREATE VIEW pmon_average AS SELECT 1 AS other'
	pg_do one "UPDATE pmon_type SET unit = 'x'"
	run push --to "$known" known.jsonl
	column=$([ $views = 1 ] && echo window_name || echo other)
	same "the view" "$(pg one "SELECT attname FROM pg_attribute WHERE attrelid = 'pmon_average'::regclass
		AND attnum = 1")" $column
	same "types" "$(pg one "SELECT count(DISTINCT unit) > 1 FROM pmon_type")" \
		"$([ $views = 1 ] && echo t || echo f)"
done

# A database of pmon 0.1, made by its own statements: series get keys and new ids, and no value is lost. The ids are
# those that it gave the two counters.
new_database old
pg_do one "CREATE TABLE pmon_log (stream integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, digest text NOT NULL UNIQUE,
	guid uuid NOT NULL, name text NOT NULL, format text, writer text, machine text, zone text, utc_offset_min integer,
	log_start_100ns bigint, log_end_100ns bigint);
CREATE TABLE pmon_series (id bigint PRIMARY KEY, path text NOT NULL, type_word bigint NOT NULL, time_base bigint NOT NULL,
	size_bytes integer NOT NULL, listed bigint NOT NULL, source integer NOT NULL, wildcard integer NOT NULL,
	formatted integer NOT NULL, known_type bigint, scale integer NOT NULL, machine text NOT NULL, object text NOT NULL,
	parent text, instance text, instance_index integer NOT NULL, counter text NOT NULL, twin bigint NOT NULL);
CREATE INDEX pmon_series_path ON pmon_series (path);
CREATE TABLE pmon_value (series bigint NOT NULL, sample_100ns bigint NOT NULL, nth integer NOT NULL, multi bigint NOT NULL,
	status bigint NOT NULL, first bigint NOT NULL, second bigint NOT NULL, time_100ns bigint, absent_after bigint NOT NULL,
	sample bigint NOT NULL, PRIMARY KEY (series, sample_100ns, nth));
CREATE TABLE pmon_sample (id bigint PRIMARY KEY, stream integer NOT NULL, RecordIndex bigint NOT NULL,
	ordinal bigint NOT NULL, time_100ns bigint NOT NULL, utc_offset_min integer NOT NULL, lead_in integer NOT NULL);
CREATE TABLE pmon_push (stream integer NOT NULL, batch text NOT NULL, rows bigint NOT NULL, time_from bigint NOT NULL,
	time_to bigint NOT NULL, stored timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (stream, batch));
CREATE VIEW counterdata AS SELECT 1 AS GUID;
INSERT INTO pmon_series SELECT id, E'\\\\\\\\SRV\\\\Disk(p/c:#1)\\\\Reads/sec', 272696320, 10, 0, 0, 0, 0, 0, NULL, 0,
	'SRV', 'Disk', 'p', 'c:', 1, 'Reads/sec', twin FROM (VALUES (1512338451910668944, 0), (-7791965184001972650, 1)) AS v (id, twin);
INSERT INTO pmon_value SELECT 1512338451910668944, 132223104000000000 + 150000000 * n, 0, 0, 0, 5 + 2 * n, 100 + 150 * n,
	132223104000000000 + 150000000 * n, 0, 4294967296 + n FROM generate_series(0, 1) AS n;
INSERT INTO pmon_value SELECT -7791965184001972650, 132223104000000000, 0, 0, 0, 50, 200, 132223104000000000, 0, 4294967296"
run push --to "$known" known.jsonl
status 0
err_has 'the database is of an older pmon; its series get new keys'
same "series" "$(pg one 'SELECT id, key, identity FROM pmon_series WHERE duplicate = 0')" \
	$'2\taf43047f-6f95-efe2-f4c0-231a3b0e4950\tsrv\\tdisk\\tp\\tc:\\t1\\treads/sec\\t0x10410400\\t10\\t0\\t0'
same "values" "$(pg one 'SELECT count(*), count(DISTINCT series) FROM pmon_value')" $'4\t2'
compare one known.jsonl
sed 's/SRV/other/' known.jsonl >other.jsonl
run push --to "$known" other.jsonl
status 0
err_lacks 'older pmon'
compare one known.jsonl other.jsonl
unset database

# ---- Permissions and refusals ---------------------------------------------------------------

pg_do one "CREATE ROLE secret LOGIN PASSWORD 'open sesame'; GRANT ALL ON DATABASE perf TO secret;
	GRANT ALL ON ALL TABLES IN SCHEMA public TO secret; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO secret"
echo 'open sesame' >password
run push --to "$url" --user secret --password-file password a.blg
status 0
out_has "$values were there"
echo 'open barley' >wrong
run push --to "$url" --user secret --password-file wrong a.blg
status 1
err_has 'password authentication failed'
case $err$out in *barley*) bad "the password is told" ;; *) ok ;; esac
err_lacks 'trying again'
run push --to "$url" --user secret a.blg
status 1
err_has 'no password supplied'
err_lacks 'trying again'
export PMON_USER=secret PMON_PASSWORD='open sesame'
run push --to "$url" a.blg
status 0
unset PMON_USER PMON_PASSWORD

for bad_url in "postgresql://secret:sesame@127.0.0.1/perf" "postgresql://secret@127.0.0.1/perf" \
	"$url?password=sesame" "$url?user=secret" "$url?sslpassword=sesame"; do
	run push --to "$bad_url" a.blg
	status 2
	err_has 'must not contain a user or a password'
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

# Encryption by Kerberos is used only if the URL asks for it. This server has none.
run push --retry 1ms --to "$url?gssencmode=require" a.blg
status 1
err_has 'GSSAPI encryption required'

# A certificate by a private authority needs --ca-file.
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
# ---- Values that are lost although the ledger has them --------------------------------------

psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE lost'
lost=${url%perf}lost
database=lost
run push --verify --to "$lost" a.blg
status 1
err_has 'does not have all tables'
same "tables" "$(pg one "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'pmon%'")" 0
make_log long other.blg 20
run push --to "$lost" other.blg
status 0
run push --verify --to "$lost" a.blg
status 1
out_is "a.blg: $values of $values values are missing; --again sends them"
same "logs" "$(pg one 'SELECT count(*) FROM pmon_log')" 1
run push --to "$lost" a.blg
status 0
before=$(checksum one)
run push --verify --to "$lost" a.blg other.blg
status 0
out_has "a.blg: 0 of $values values are missing"
pg_do one "DELETE FROM pmon_fact WHERE (series, sample_100ns, nth) IN (SELECT series, sample_100ns, nth
	FROM pmon_fact ORDER BY series, sample_100ns LIMIT 3)"
run push --to "$lost" a.blg other.blg
status 0
run push --verify --to "$lost" a.blg other.blg
status 1
out_has '3 of them were pushed before; --again sends them'
run push --again --to "$lost" a.blg other.blg
status 0
same "checksum" "$(checksum one)" "$before"
run push --verify --to "$lost" a.blg other.blg
status 0
unset database

finish
