#!/usr/bin/env bash
# clickhouse.sh - logs into ClickHouse: stored once, permissions are checked, and failures are reported
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
make_log average a.blg
start_current one || skip "$why"
host=127.0.0.1:${ports[one]}
url=clickhouse+http://$host/perf
values=$("$PMON_BIN" raw --format json a.blg | wc -l)
count() { ch one "SELECT count() FROM perf.pmon_fact"; }

# ---- Once -----------------------------------------------------------------------------------

run push --to "$url" a.blg
status 0
out_has "a.blg: $values values of"
same "values in the table" "$(count)" "$values"

# The same log is not sent again, in another format neither; a log that has grown is continued.
run push --to "$url" a.blg
status 0
out_has "a.blg: 0 values of"
out_has "$values were there"
"$PMON_BIN" relog a.blg -f JSONL -o a.jsonl >/dev/null
run push --to "$url" a.jsonl
out_has "$values were there"
run push --batch 4 --until +1m --to "$url" a.blg
run push --batch 4 --to "$url" a.blg
status 0
out_has ': 0 values of' # the ledger does not know these batches, but their values are there
out_has "$values were there"
# The server leaves rows that are stored twice where they are while it merges others.
is_merged() { ch one 'OPTIMIZE TABLE perf.pmon_fact FINAL' >/dev/null; [ "$(count)" = "$values" ]; }
wait_for is_merged
same "values in the table" "$(count)" "$values"
same "series" "$(ch one 'SELECT uniqExact(series) = uniqExact(path) FROM perf.pmon_series')" 1

# Many that begin at the same time make the same tables and views.
for i in {1..6}; do
	"$PMON_BIN" push --to "clickhouse+http://$host/many" a.blg >"many$i" 2>&1 || cat "many$i" >>failed &
	many[i]=$!
done
wait "${many[@]}"
ran="6 at the same time"
[ ! -e failed ] && ok || bad "$(cat failed)"
same "views" "$(ch one 'SELECT views > 0 FROM many.pmon_version')" 1
same "values" "$(ch one 'SELECT uniqExact(series, time, nth) FROM many.pmon_fact')" "$values"

# ---- Views of another version ---------------------------------------------------------------

# Views of an older version are recreated. Views of a newer pmon are kept. A database with raw values is refused.
views_of() {
	ch one "CREATE OR REPLACE VIEW perf.pmon_version AS SELECT toUInt32($1) AS views, toUInt32(${2:-2}) AS keys"
	ch one 'CREATE OR REPLACE VIEW perf.pmon_value AS SELECT 1 AS other'
}
displays() { ch one 'SELECT count() FROM perf.pmon_value'; }
shown=$(displays)
views_of 1000000
run push --to "$url" a.blg
status 0
same "rows of another view" "$(displays)" 1
ch one 'DROP TABLE perf.pmon_version'
run push --to "$url" a.blg
status 0
out_has 'were there'
same "values that are displayed" "$(displays)" "$shown"
views_of 10
run push --to "$url" a.blg
status 1
err_has 'created by another version of pmon'
ch one 'DROP TABLE perf.pmon_version'
run push --to "$url" a.blg
same "values in the table" "$(count)" "$values"

# ---- Keys -----------------------------------------------------------------------------------

# The key of the unit tests: XXH3 of the identity next to it, by xxhsum.
make_known known.jsonl
run push --to "clickhouse+http://$host/known" known.jsonl
status 0
same "a key" "$(ch one 'SELECT toString(series), duplicate, count() FROM known.pmon_series GROUP BY series, duplicate ORDER BY duplicate' | head -n 1)" \
	$'af43047f-6f95-efe2-f4c0-231a3b0e4950\t0\t1'
same "its identity" "$(ch one 'SELECT identity FROM known.pmon_series WHERE duplicate = 0')" \
	'srv\tdisk\tp\tc:\t1\treads/sec\t0x10410400\t10\t0\t0'
same "the key of its values" "$(ch one "SELECT count() FROM known.pmon_fact
	WHERE series = 'af43047f-6f95-efe2-f4c0-231a3b0e4950'")" 2

# Another counter that has the key of one of a log: nothing of the log is sent, and both rows stay, so that
# the next push also notices.
ch one "INSERT INTO known.pmon_series (machine, series, identity, path)
	VALUES ('srv', 'af43047f-6f95-efe2-f4c0-231a3b0e4950', 'another', 'X')"
rows=$(ch one 'SELECT count() FROM known.pmon_fact')
sed 's/"first":"/&1/' known.jsonl >later.jsonl
for _ in 1 2; do
	run push --to "clickhouse+http://$host/known" later.jsonl
	status 1
	err_has 'two counters would be stored as one because both have the key af43047f-6f95-efe2-f4c0-231a3b0e4950'
	err_has 'Reads/sec and another one in pmon_series'
	ch one 'OPTIMIZE TABLE known.pmon_series FINAL'
done
same "values in the table" "$(ch one 'SELECT count() FROM known.pmon_fact')" "$rows"

# A database whose series have other keys is refused.
views_of 1000000 3
run push --to "$url" a.blg
status 1
err_has 'series keys of version 3'
ch one 'DROP TABLE perf.pmon_version'
run push --to "$url" a.blg
status 0

# ---- This machine ---------------------------------------------------------------------------

mkdir -p tree/0/proc tree/1/proc
for n in 0 1; do
	printf '%d %d\n' $((133485408000000000 + n * 10000000)) $(((1000 + n) * 10000000)) >tree/$n/clock
	printf 'cpu  0 0 0 0 0 0 0 0 0 0\nctxt %d\n' $((1000 + n * 500)) >tree/$n/proc/stat
done
run push --to "$url" --replay tree -c '\System\Context Switches/sec'
status 0
out_has 'this machine: 2 values of 1 counter sent'
same "what was counted" "$(ch one "SELECT value FROM perf.pmon_value WHERE counter = 'Context Switches/sec' AND status = 'ok'")" 500

# ---- Passwords ------------------------------------------------------------------------------

# chdb has no users: tests/cli/secrets looks at what is sent.
run push --password-file nowhere --to "$url" a.blg
status 1
run push --to "clickhouse+http://me:sesame@$host/perf" a.blg
status 2
err_has 'must not contain a user or password'
err_lacks 'sesame'

# ---- Certificates ---------------------------------------------------------------------------

if command -v openssl >/dev/null; then
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=localhost \
		-addext subjectAltName=DNS:localhost >/dev/null 2>&1
	cat key cert >both
	start_proxy tls "${ports[one]}" --trouble 0 --tls both
	run push --to "clickhouse+https://localhost:${ports[tls]}/perf" a.blg
	status 1
	err_has 'certificate'
	run push --ca-file cert --to "clickhouse+https://localhost:${ports[tls]}/perf" a.blg
	status 0
	run push --ca-file cert --to "clickhouse+https://127.0.0.1:${ports[tls]}/perf" a.blg
	status 1
fi

# ---- Failures -------------------------------------------------------------------------------

run push a.blg
status 2
err_has '--to URL'
run push --to gopher://x a.blg
status 2
err_has 'clickhouse+http://'
run push --to "clickhouse://$host/perf" a.blg
status 2
err_has 'did you mean clickhouse+http://?'
run push --to "promethius+http://me:sesame@$host" a.blg
status 2
err_has 'did you mean prometheus+http://?'
err_lacks 'sesame'
run push --to "clickhouse+http://$host" a.blg
status 2
err_has 'has no database'
run push --to "clickhouse+http://$host/perf;DROP" a.blg
status 2
run push --to "clickhouse+http://$host,$host/perf" a.blg
status 2
err_has 'must name a single host'
run push --retry 1s --to "clickhouse+http://127.0.0.1:$(free_port)/perf" a.blg a.jsonl a.blg
status 1
err_has 'retrying'
err_has '2 more files were not pushed, because the engine is unreachable'
err_lacks 'a.jsonl'
run push --to "$url" --batch 0 a.blg
status 2

# One broken file stops no other.
printf 'no log at all' >broken.blg
run push --to "$url" broken.blg a.blg nowhere.blg
status 1
out_has "a.blg: 0 values of"

# A refusal is reported at once, with the server's own message.
ch one 'CREATE DATABASE odd' >/dev/null
ch one 'CREATE TABLE odd.pmon_fact (x UInt8) ENGINE = Memory' >/dev/null
run push --to "clickhouse+http://$host/odd" a.blg
status 1
err_has 'Code:'

# The user stops a push while the server is away.
free=$(free_port)
"$PMON_BIN" push --to "clickhouse+http://127.0.0.1:$free/perf" a.blg >out 2>err &
pid=$!
wait_for grep 'retrying' err
kill -TERM $pid
wait $pid
same "exit status" $? 1
ran="pmon push, interrupted"
err=$(cat err)
err_has 'interrupted'

# ---- Nothing is sent ------------------------------------------------------------------------

run push --dry-run --to clickhouse+http://nowhere.invalid/perf a.blg
status 0
out_has 'CREATE TABLE IF NOT EXISTS perf.pmon_fact'
out_has 'CREATE OR REPLACE VIEW perf.pmon_average'
out_has '-- the first rows of perf.pmon_fact (series, time, n, d, b, x, kind, status ...)'
# For several logs it is all that is made for all of them, and a broken one is reported.
echo 'no log' >broken.blg
run push --dry-run --to prometheus+http://nowhere.invalid broken.blg a.blg
status 1
err_has 'broken.blg: '
out_has '      - record: '

finish
