#!/usr/bin/env bash
# postgres.sh - logs in PostgreSQL: contents, each row stored once, messages, and permissions
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
jit=on
make_log average a.blg
start_postgres one
url=postgresql://127.0.0.1:${ports[one]}/perf
values=$("$PMON_BIN" raw --format json a.blg | wc -l)

run push --to "$url" a.blg
status 0
out_has "a.blg: $values values of 4 counters sent"
same "values in the table" "$(pg one 'SELECT count(*) FROM pmon_fact')" "$values"
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
same "logs" "$(pg one 'SELECT count(DISTINCT log) FROM pmon_push')" 1

# A log of several batches.
database=small
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE small'
make_log long long.blg 1200
run push --to "${url%perf}small" long.blg
status 0
out_has "long.blg: 240,000 values of 200 counters sent"
same "batches" "$(pg one 'SELECT count(*) > 2, sum(rows) FROM pmon_push')" $'t\t240000'
unset database

# Logs of two machines of one name, without ids. Of 6 values the second has so many others and so many that are equal,
# and 2 of times of its own: whichever counts, none that differs was sent or was there.
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE twins'
twin() {
	printf '%s\n' '"(PDH-CSV 4.0) (UTC)(0)","\\S\O\A","\\S\O\B"' "\"11/23/2026 00:00:01.000\",\"$1\",\"5\"" \
		"\"11/23/2026 00:00:02.000\",\"$2\",\"5\"" "\"11/23/2026 00:00:0$4.000\",\"$3\",\"5\""
}
twin 1 2 3 3 >first.csv
run push --to "${url%perf}twins" first.csv
status 0
for row in '1 2 3 3 0 0 6' '1 2 3 4 2 0 4' '0 2 3 3 0 1 5' '9 9 2 3 0 3 3' '7 2 3 5 2 1 3'; do
	read -r one two three at new differ same <<<"$row"
	psql -q -h 127.0.0.1 -p "${ports[one]}" -d twins -c 'TRUNCATE pmon_fact, pmon_push, pmon_hour'
	run push --to "${url%perf}twins" first.csv
	out_has '6 values of'
	twin "$one" "$two" "$three" "$at" >second.csv
	run push --to "${url%perf}twins" second.csv
	[ "$differ" = 0 ] && want=0 || want=3
	status "$want"
	out_has "$new values of"
	[ "$same" = 6 ] || [ "$differ" = 0 ] || out_has "$differ left out; "
	[ "$differ" = 0 ] || err_says --machine
	[ "$differ" != 0 ] || out_has "$same were there"
	# The first values count, and those that differ are not taken for stored.
	run push --to "${url%perf}twins" second.csv
	status "$want"
	[ "$differ" = 0 ] || out_has "$differ left out; "
	run push --verify --to "${url%perf}twins" first.csv second.csv
	status "$want"
	[ "$differ" = 0 ] || out_has 'from the value'
done

# Averages of a range, whose ends belong to it, and by the three lines of SQL. The log is of 2026-11-20T15:00, 15 s apart.
"$PMON_BIN" stats --format json --from 2026-11-20T15:00:15Z --to 2026-11-20T15:01:00Z a.blg |
	python3 -c 'import json, sys
for c in json.load(sys.stdin)["counters"]: print(c["path"], float(c["average"]), c["samples"])' | sort >want
close() { # of path, average and samples the same, an average within 1e-15
	python3 -c '
import math, sys
got, want = (sorted(line.rsplit(" ", 2) for line in open(name)) for name in ("got", "want"))
print(got == want or len(got) == len(want) > 0 and all(
    a[0] == b[0] and a[2] == b[2] and math.isclose(float(a[1]), float(b[1]), rel_tol=1e-15) for a, b in zip(got, want)))'
}
pg one "SELECT path || ' ' || average::text || ' ' || samples
	FROM pmon_average('2026-11-20 15:00:15Z', '2026-11-20 15:01:00Z')" | sed 's/\\\\/\\/g' >got
same "averages of a range" "$(close)" True
pg one "SELECT path || ' ' || (add + mul * sum(n) / sum(d))::text || ' ' || count(*) FROM pmon_series JOIN pmon_fact USING (series)
	WHERE kind = 'pair' AND time >= pmon_time('2026-11-20 15:00:15Z') AND time <= pmon_time('2026-11-20 15:01:00Z')
	GROUP BY series" | sed 's/\\\\/\\/g' >got
same "averages by three lines" "$(close)" True
same "times" "$(pg one "SELECT pmon_utc(pmon_time(t)), pmon_time(t) FROM (VALUES (timestamptz '1601-01-01Z'),
	('2026-11-20 15:00:15.123456Z'), ('9999-12-31 23:59:59.999999Z')) AS v (t)")" \
	$'1601-01-01 00:00:00\t0\n2026-11-20 15:00:15.123456\t134396604151234560\n9999-12-31 23:59:59.999999\t2650467743999999990'

# Output before anything is sent.
run push --to "$url" --dry-run a.blg
status 0
out_has 'CREATE TABLE IF NOT EXISTS pmon_fact'
out_has 'CREATE OR REPLACE VIEW pmon_value'
out_has '-- the first rows of pmon_fact'
echo "$out" >schema.sql
psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE dry'
psql -q -X -1 -h 127.0.0.1 -p "${ports[one]}" -d dry -v ON_ERROR_STOP=1 -f schema.sql >/dev/null 2>dry.err &&
	ok || bad "the schema is not taken: $(cat dry.err)"


# ---- Keys -----------------------------------------------------------------------------------

# new_database NAME, to which pg, pg_do and $known are then
new_database() {
	database=$1
	known=${url%perf}$1
	psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $1" || exit 1
}

# The key of the unit tests: XXH3 of the identity next to it, by xxhsum.
new_database known
make_known known.jsonl
run push --to "$known" known.jsonl
status 0
same "a key" "$(pg one 'SELECT key, duplicate FROM pmon_series WHERE duplicate = 0')" \
	$'af43047f-6f95-efe2-f4c0-231a3b0e4950\t0'
same "its identity" "$(pg one 'SELECT identity FROM pmon_series WHERE duplicate = 0')" \
	'srv\tdisk\tp\tc:\t1\treads/sec\t0x10410400\t10\t0\t0'
same "values of ids" "$(pg one 'SELECT count(*) FROM pmon_fact JOIN pmon_series USING (series)')" 4

# The same series again take no numbers of the sequence.
for _ in 1 2 3; do
	sed "s/\"first\":\"/&$_/" known.jsonl >later.jsonl
	run push --to "$known" later.jsonl
	status 3 # other values of the same times
done
same "newest id" "$(pg one "SELECT last_value FROM pmon_series_series_seq")" 2

# Another counter that has the key of one of a log: nothing of the log is stored.
pg_do one "UPDATE pmon_series SET identity = 'another' WHERE duplicate = 0"
rows=$(pg one 'SELECT count(*) FROM pmon_fact')
sed 's/"first":"/&7/' known.jsonl >later.jsonl
run push --to "$known" later.jsonl
status 1
err_says key af43047f-6f95-efe2-f4c0-231a3b0e4950
err_says Reads/sec pmon_series
same "values in the table" "$(pg one 'SELECT count(*) FROM pmon_fact')" "$rows"
same "batches in the ledger" "$(pg one 'SELECT count(*) FROM pmon_push')" 4

# A database of a pmon to come.
pg_do one 'UPDATE pmon_version SET keys = 3'
run push --to "$known" known.jsonl
status 1
err_says keys 'version 3'

# Databases with raw values are refused; views of a newer version are kept.
pg_do one 'UPDATE pmon_version SET keys = 2, views = 11'
run push --to "$known" known.jsonl
status 1
err_says views 'version 11'
pg_do one 'UPDATE pmon_version SET views = 1000000; DROP VIEW pmon_hour_average; CREATE VIEW pmon_hour_average AS SELECT 1 AS a'
run push --to "$known" known.jsonl
status 1 # the key of another counter
same "the view" "$(pg one 'SELECT * FROM pmon_hour_average')" 1

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
err_lacks 'retrying'
run push --to "$url" --user secret a.blg
status 1
err_has 'no password supplied'
err_lacks 'retrying'
export PMON_USER=secret PMON_PASSWORD='open sesame'
run push --to "$url" a.blg
status 0
unset PMON_USER PMON_PASSWORD

for bad_url in "postgresql://secret:sesame@127.0.0.1/perf" "postgresql://secret@127.0.0.1/perf" \
	"$url?password=sesame" "$url?user=secret" "$url?sslpassword=sesame"; do
	run push --to "$bad_url" a.blg
	status 2
	err_says user password
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
case $err in *'retrying'* | *'not pushed'*) bad "TLS is tried again" ;; *) ok ;; esac
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
	case $err in *'retrying'*) bad "a certificate is tried again" ;; *) ok ;; esac
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
err_says retrying 'Connection refused'
# ---- Values that are lost although the ledger has them --------------------------------------

psql -q -h 127.0.0.1 -p "${ports[one]}" -d postgres -c 'CREATE DATABASE lost'
lost=${url%perf}lost
database=lost
run push --verify --to "$lost" a.blg
status 1
err_says tables
same "tables" "$(pg one "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'pmon%'")" 0
make_log long other.blg 20
run push --to "$lost" other.blg
status 0
run push --verify --to "$lost" a.blg
status 1
out_is "a.blg: $values of $values values are missing; use --again to send them"
same "logs" "$(pg one 'SELECT count(DISTINCT log) FROM pmon_push')" 1
run push --to "$lost" a.blg
status 0
before=$(checksum one)
run push --verify --to "$lost" a.blg other.blg
status 0
out_has "a.blg: 0 of $values values are missing"
pg_do one "DELETE FROM pmon_fact WHERE (series, time, nth) IN (SELECT series, time, nth
	FROM pmon_fact ORDER BY series, time LIMIT 3)"
run push --to "$lost" a.blg other.blg
status 0
run push --verify --to "$lost" a.blg other.blg
status 1
out_has '3 of them were pushed before; use --again to send them'
run push --again --to "$lost" a.blg other.blg
status 0
same "checksum" "$(checksum one)" "$before"
run push --verify --to "$lost" a.blg other.blg
status 0
unset database

finish
