#!/usr/bin/env bash
# clickhouse_verify.sh - values that are lost although the ledger has them are found, and sent again
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
start_current a || skip "$why"
python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 100 all.jsonl || exit 1
head -n $(($(wc -l <all.jsonl) * 3 / 5)) all.jsonl >early.jsonl
facts=$(wc -l <all.jsonl)
number() { sed ':a; s/\B[0-9]\{3\}\>/,&/; ta' <<<"$1"; }
missing() { out_is "all.jsonl: $(number "$1") of $(number "$facts") values are missing$2"; }
stored() { ch a "SELECT uniqExact(series, time, nth) FROM one.pmon_fact"; }
to=(--retry 5s --batch 700 --to "clickhouse+http://127.0.0.1:${ports[a]}/one")

# Nothing is made, and nothing is sent.
run push --verify "${to[@]}" all.jsonl
status 1
err_has "lacks some tables of the database one"
same "databases" "$(ch a "SELECT count() FROM system.databases WHERE name = 'one'")" 0

# A log that was never pushed is missing, but is not lost.
run push "${to[@]}" early.jsonl
status 0
run push --verify "${to[@]}" all.jsonl
status 1
missing $((facts - $(wc -l <early.jsonl))) '; use --again to send them'
run push "${to[@]}" all.jsonl
status 0
run push --verify "${to[@]}" early.jsonl all.jsonl
status 0
out_has "all.jsonl: 0 of $(number "$facts") values are missing"
same "values" "$(stored)" "$facts"

# Some counters of the log are lost.
ch a "ALTER TABLE one.pmon_fact DELETE WHERE series IN (SELECT series FROM one.pmon_series WHERE counter LIKE '%r%')
	SETTINGS mutations_sync = 2"
lost=$((facts - $(stored)))
[ "$lost" -gt 0 ] && ok || bad "nothing was lost"
run push "${to[@]}" all.jsonl
out_has ": 0 values of" # the ledger knows nothing of it
run push --verify "${to[@]}" all.jsonl
status 1
missing "$lost" ", $(number "$lost") of them were pushed before; use --again to send them"
same "values" "$(stored)" $((facts - lost))
run push --again "${to[@]}" all.jsonl
status 0
out_has "all.jsonl: $(number "$lost") values of"
same "values" "$(stored)" "$facts"
run push --verify "${to[@]}" all.jsonl
status 0
run push --again "${to[@]}" all.jsonl
status 0
out_has "all.jsonl: 0 values of"
compare_ch a one all.jsonl

# Another value in the place of one of ours.
ch a "INSERT INTO one.pmon_fact SELECT * REPLACE (n + 1 AS n, version + 1 AS version) FROM one.pmon_fact FINAL
	WHERE kind = 'pair' LIMIT 1"
run push --verify "${to[@]}" all.jsonl
status 3
missing 0 '; 1 differs from the value that counts'

# Two machines of one name, whose logs share some times: the values of the second that are at times and counters of
# the first are left out, each time that the log is pushed, and the others are stored. The
# first sample of a log has no interval that could be compared with the one that is stored.
python3 - <<'PYTHON' || exit 1
def log(name, seconds, step):
    with open(name, "w") as out:
        for second in seconds:
            for counter in "ab":
                print('{"path":"\\\\\\\\SRV\\\\O\\\\%s","type":"PERF_COUNTER_BULK_COUNT","time":"2020-01-01T00:00:%02dZ",'
                      '"status":0,"first":"%d","second":"%d","multi":0,"time_base":1}'
                      % (counter, second, 100 + step * second, second), file=out)
log("one.jsonl", range(0, 20), 7)
log("other.jsonl", range(10, 30), 5)
PYTHON
namesake=(--retry 5s --to "clickhouse+http://127.0.0.1:${ports[a]}/namesake")
run push "${namesake[@]}" one.jsonl
status 0
out_has 'one.jsonl: 40 values of'
before=$(ch a "SELECT series, time, n, d FROM namesake.pmon_fact FINAL WHERE time < '2020-01-01 00:00:20' ORDER BY series, time")
run push "${namesake[@]}" other.jsonl
status 3
out_has 'other.jsonl: 20 values of'
out_has '2 were there, 18 left out; 18 differ from the values that count'
err_has 'give one of them another with --machine'
for again in '' --again; do
	run push $again "${namesake[@]}" other.jsonl
	status 3
	out_has '18 differ from the values that count'
done
run push --verify "${namesake[@]}" one.jsonl
status 0
run push --verify "${namesake[@]}" other.jsonl
status 3
out_is 'other.jsonl: 0 of 40 values are missing; 18 differ from the values that count'
same "values of the first" "$(ch a "SELECT series, time, n, d FROM namesake.pmon_fact FINAL
	WHERE time < '2020-01-01 00:00:20' ORDER BY series, time")" "$before"
same "all values" "$(ch a "SELECT count() FROM namesake.pmon_fact FINAL")" 60

# A row that was repaired has another interval, and is the same value.
make_seams 7
run push --retry 5s --to "clickhouse+http://127.0.0.1:${ports[a]}/two" second.jsonl first.jsonl
run rollup "clickhouse+http://127.0.0.1:${ports[a]}/two"
run push --verify --retry 5s --to "clickhouse+http://127.0.0.1:${ports[a]}/two" first.jsonl second.jsonl
status 0

run push --verify --again --to "${to[-1]}" all.jsonl
status 2
run push --verify --to "${to[-1]}"
status 2
run push --verify --to prometheus+http://127.0.0.1:1 all.jsonl
status 1
err_has '--verify is not supported'

finish
