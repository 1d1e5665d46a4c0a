#!/usr/bin/env bash
# clickhouse_verify.sh - values that are lost although the ledger has them are found, and sent again
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
for name in a b; do
	ports[$name]=$(free_port)
	tcp_ports[$name]=$(free_port)
	clusters+="<shard><replica><host>127.0.0.1</host><port>${tcp_ports[$name]}</port></replica></shard>"
done
clusters="<both>$clusters</both>"
start_clickhouse a
start_clickhouse b
python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 100 all.jsonl || exit 1
head -n $(($(wc -l <all.jsonl) * 3 / 5)) all.jsonl >early.jsonl
facts=$(wc -l <all.jsonl)
number() { sed ':a; s/\B[0-9]\{3\}\>/,&/; ta' <<<"$1"; }
missing() { out_is "all.jsonl: $(number "$1") of $(number "$facts") values are missing$2"; }
stored() { ch a "SELECT uniqExact(series, time, nth) FROM $1.pmon_raw"; }

host=127.0.0.1:${ports[a]}
both=$host,127.0.0.1:${ports[b]}
for how in one both; do
	to=(--batch 700 --to "clickhouse+http://$host/one")
	part=pmon_raw
	if [ $how = both ]; then
		to=(--batch 700 --cluster both --to "clickhouse+http://$both/both")
		part=pmon_raw_local
	fi

	# Nothing is made, and nothing is sent.
	run push --verify "${to[@]}" all.jsonl
	status 1
	err_has "does not have all tables of the database $how"
	same "databases" "$(ch a "SELECT count() FROM system.databases WHERE name = '$how'")" 0

	# A log that was never pushed is missing, but is not lost.
	run push "${to[@]}" early.jsonl
	status 0
	run push --verify --batch 100000 "${to[@]:2}" all.jsonl
	status 1
	missing $((facts - $(wc -l <early.jsonl))) '; --again sends them'
	run push "${to[@]}" all.jsonl
	status 0
	run push --verify "${to[@]}" early.jsonl all.jsonl
	status 0
	out_has "all.jsonl: 0 of $(number "$facts") values are missing"
	same "values" "$(stored $how)" "$facts"

	# A day is dropped on one node, and some values of a series on the other.
	day=$(ch a "SELECT toString(min(day)) FROM $how.$part")
	ch a "ALTER TABLE $how.$part DROP PARTITION '$day'"
	lost=$((facts - $(stored $how)))
	[ "$lost" -gt 0 ] && ok || bad "nothing was lost"
	run push "${to[@]}" all.jsonl
	out_has ": 0 values of" # the ledger knows nothing of it
	run push --verify "${to[@]}" all.jsonl
	status 1
	missing "$lost" ", $(number "$lost") of them were pushed before; --again sends them"
	same "values" "$(stored $how)" $((facts - lost))
	run push --again "${to[@]}" all.jsonl
	status 0
	out_has "all.jsonl: $(number "$lost") values of"
	same "values" "$(stored $how)" "$facts"
	run push --verify "${to[@]}" all.jsonl
	status 0
	run push --again "${to[@]}" all.jsonl
	status 0
	out_has "all.jsonl: 0 values of"
	compare_ch a $how all.jsonl

	# Other values in the place of ours: ours are missing, and those count. Sent again, ours count, as they are less.
	rows=$(ch a "SELECT countIf(nth < 2147483648 AND first < 9000000000000000000), count() FROM (SELECT DISTINCT series, time, nth, first FROM $how.$part WHERE day = '$day')")
	ch a "CREATE TABLE $how.changed ENGINE = MergeTree() ORDER BY series AS SELECT * FROM $how.$part WHERE day = '$day'"
	ch a "ALTER TABLE $how.$part DROP PARTITION '$day'"
	columns=$(ch a "SELECT arrayStringConcat(groupArray(name), ', ') FROM system.columns
		WHERE database = '$how' AND table = 'changed'")
	ch a "INSERT INTO $how.$part ($columns) SELECT ${columns/first/first + 1} FROM $how.changed
		WHERE first < 9000000000000000000"
	run push --verify "${to[@]}" all.jsonl
	status 1
	missing "${rows#*$'\t'}" ", $(number "${rows#*$'\t'}") of them were pushed before; --again sends them; $(number \
		"${rows%$'\t'*}") differ from the values that count"
	run push --again "${to[@]}" all.jsonl
	status 0
	run push --verify "${to[@]}" all.jsonl
	status 0
	compare_ch a $how all.jsonl

	# Another value that counts, as it is less.
	ch a "INSERT INTO $how.$part ($columns) SELECT ${columns/first/first - 1} FROM $how.changed WHERE nth = 0
		AND absent_after = 0 AND status = 0 LIMIT 1"
	run push --verify "${to[@]}" all.jsonl
	status 1
	missing 0 '; 1 differ from the values that count'
done

# ---- What cannot be asked -------------------------------------------------------------------

run push --verify --again --to "clickhouse+http://$host/one" all.jsonl
status 2
run push --verify --to "clickhouse+http://$host/one"
status 2
run push --verify --to prometheus+http://127.0.0.1:1 all.jsonl
status 1
err_has 'nothing can be verified in it'

finish
