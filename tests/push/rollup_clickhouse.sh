#!/usr/bin/env bash
# rollup_clickhouse.sh - averages from sums of hours are those from raw values, to the last digit
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
nodes=(a)
if [ -d "$PMON_SOURCE_DIR/tests/push/node_modules/chdb" ] && command -v node >/dev/null; then
	ports[now]=$(free_port)
	mkdir now
	start now node "$PMON_SOURCE_DIR/tests/push/chdb_server.cjs" "${ports[now]}" "$tmp/now"
	wait_for_server now http "${ports[now]}" / && nodes+=(now)
fi

to() { echo "clickhouse+http://127.0.0.1:${ports[$1]}/$2"; } # NODE DATABASE
both=clickhouse+http://127.0.0.1:${ports[a]},127.0.0.1:${ports[b]}/both

# push_to URL OPTIONS FILES, roll_up URL OPTIONS
push_to() {
	local url=$1

	shift
	run push --retry 5s --to "$url" "$@"
	status 0
}
roll_up() {
	run rollup --retry 5s "$@"
	status 0
}

# merge NODE DATABASE: rows that are stored twice count until the server merges them, some time; then their hours are
# computed again.
is_merged() {
	ch "$1" "OPTIMIZE TABLE $2.pmon_raw FINAL" >/dev/null
	[ "$(ch "$1" "SELECT count() = uniqExact(series, time, nth, first, second, absent_after, status) FROM $2.pmon_raw")" = 1 ]
}
merge() { wait_for is_merged "$@" && ok || bad "rows of $2 on $1 stay twice"; }

# Averages of each hour, once from raw values, each hour being a window, and once from the rollup.
hour=36000000000
compare_hours() { # NODE DATABASE
	ch "$1" "TRUNCATE TABLE $2.pmon_window" >/dev/null
	ch "$1" "INSERT INTO $2.pmon_window (name, time_from, time_to) SELECT toString(h), h, h + $hour - 1
		FROM (SELECT DISTINCT intDiv(time, $hour) * $hour AS h FROM $2.pmon_displayed)" >/dev/null
	ch "$1" "SELECT series, toInt64(window_name) AS begins, average, status, unit, samples, pairs
		FROM $2.pmon_average WHERE window_name <> 'all' ORDER BY series, begins" >raw.tsv
	ch "$1" "SELECT series, begins, average, status, unit, samples, pairs
		FROM $2.pmon_hour_average ORDER BY series, begins" >rollup.tsv
	ran="hours of $2 on $1"
	[ -s raw.tsv ] && cmp -s raw.tsv rollup.tsv && ok || bad "$(diff raw.tsv rollup.tsv | head -n 6)"
}

# Averages of all that is stored, as pmon stats has them of the files, and lowest and highest values.
compare_all() { # NODE DATABASE FILES
	local node=$1 database=$2

	shift 2
	ch "$node" "SELECT path, average, status, samples FROM (SELECT * FROM $database.pmon_rollup_average
		WHERE window_name = 'all') AS a ALL INNER JOIN (SELECT key AS series, any(path) AS path
		FROM $database.pmon_series GROUP BY key) AS p USING series" >averages.tsv
	ran="averages of $database on $node: $*"
	"$PMON_SOURCE_DIR/tests/push/compare.py" - averages.tsv "$@" >compare.out 2>&1 &&
		ok || bad "$(cat compare.out)"
	same "extremes of $database on $node" "$(ch "$node" "SELECT count(), countIf(lowest = l AND highest = h
		OR lowest IS NULL AND l IS NULL) FROM (SELECT * FROM $database.pmon_rollup_average
		WHERE window_name = 'all') AS a ALL INNER JOIN (SELECT series, min(value) AS l, max(value) AS h
		FROM $database.pmon_displayed GROUP BY series) AS v USING series" | awk '{print $1 - $2, ($1 > 0)}')" '0 1'
}

# What is stored as the sums, whoever computed them and when.
sums() { ch "$1" "SELECT series, hour, samples0, pairs0, th0, tl0, uh0, ul0 FROM $2.pmon_hour_sum ORDER BY series, hour"; }

# ---- Every type, absences, resets, other processes ------------------------------------------

python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 120 odd1.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" --sampled 1 120 processes1.jsonl || exit 1
files=(odd1.jsonl processes1.jsonl)
[ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] && files+=("$PMON_TEST_DATA/blg/pal-SampleLog.blg")
for node in "${nodes[@]}"; do
	n=0
	for file in "${files[@]}"; do
		n=$((n + 1))
		[ $node = a ] || [ $n -le 2 ] || [ -n "${PMON_TEST_FULL:-}" ] || continue
		push_to "$(to $node file$n)" "$file"
		roll_up "$(to $node file$n)"
		compare_hours $node file$n
		compare_all $node file$n "$file"
	done
	roll_up "$(to $node file1)"
	out_is 'no hour changed'
done

# ---- Days -----------------------------------------------------------------------------------

plant=$(dirname "$PMON_BIN")/plant
"$plant" incidents 7 50 600 all.blg >/dev/null || exit 1
"$PMON_BIN" relog all.blg -c '\Process(s*)\*' '\PhysicalDisk(*)\Avg. Disk sec/Read' '\Processor(_Total)\*' \
	-f bin -o days.blg >/dev/null || exit 1
for node in "${nodes[@]}"; do
	[ $node = a ] || [ -n "${PMON_TEST_FULL:-}" ] || continue
	push_to "$(to $node days)" days.blg
	roll_up --dry-run "$(to $node days)"
	out_has '51 hours of'
	out_has 'to compute'
	same "sums of a dry run" "$(sums $node days)" ''
	roll_up -v "$(to $node days)"
	out_has '2024-01-02: 24 hours of'
	compare_hours $node days
	ch $node "TRUNCATE TABLE days.pmon_window" >/dev/null
	ch $node "INSERT INTO days.pmon_window (name, time_from, time_to) SELECT 'w',
		116444736000000000 + 10000000 * toInt64(toDateTime('2024-01-01 22:00:00', 'UTC')),
		116444736000000000 + 10000000 * toInt64(toDateTime('2024-01-02 03:00:00', 'UTC')) - 1" >/dev/null
	ch $node "SELECT path, average, status, samples FROM (SELECT * FROM days.pmon_rollup_average
		WHERE window_name = 'w') AS a ALL INNER JOIN (SELECT key AS series, any(path) AS path
		FROM days.pmon_series GROUP BY key) AS p USING series" >averages.tsv
	"$PMON_SOURCE_DIR/tests/push/compare.py" --from 2024-01-01T22:00Z --to 2024-01-02T02:59:59.9999999Z \
		- averages.tsv days.blg >compare.out 2>&1 && ok || bad "$(cat compare.out)"
	roll_up --again --begin 2024-01-02T03:00 --end 2024-01-02T05:00 "$(to $node days)"
	out_has '2 hours of'
	compare_hours $node days
done

# ---- Late, twice, gone ----------------------------------------------------------------------

piece() { python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 3 150 --apart --present "$@" || exit 1; }
piece early.jsonl --only 60
piece middle.jsonl --skip 50 --only 50
piece late.jsonl --skip 90
whole=(early.jsonl middle.jsonl late.jsonl)
for node in "${nodes[@]}"; do
	push_to "$(to $node parts)" early.jsonl late.jsonl
	roll_up "$(to $node parts)"
	push_to "$(to $node parts)" middle.jsonl # the hour after it has another first pair now
	merge $node parts
	roll_up "$(to $node parts)"
	out_has 'sums of'
	compare_hours $node parts
	compare_all $node parts "${whole[@]}"
	roll_up "$(to $node parts)"
	out_is 'no hour changed'
	before=$(sums $node parts)
	ch $node "TRUNCATE TABLE parts.pmon_push" >/dev/null # so that batches are sent again
	push_to "$(to $node parts)" --batch 700 "${whole[@]}" # each value once more
	roll_up "$(to $node parts)"
	same "sums after values came twice" "$(sums $node parts)" "$before"

	# Raw values that are gone leave the sums that were made of them.
	day=$(ch $node "SELECT min(day) FROM parts.pmon_raw")
	ch $node "ALTER TABLE parts.pmon_raw DROP PARTITION '$day'" >/dev/null
	roll_up "$(to $node parts)"
	same "sums after a day is gone" "$(sums $node parts)" "$before"
	if [ $node = a ]; then
		ch a "CREATE TABLE parts.some AS parts.pmon_raw ENGINE = ReplacingMergeTree() PARTITION BY day
			ORDER BY (series, time, nth, first, second, absent_after, status)"
		ch a "INSERT INTO parts.some SELECT * FROM parts.pmon_raw WHERE day > '$day' AND rand() % 2"
		ch a "DROP TABLE parts.pmon_raw"
		ch a "RENAME TABLE parts.some TO parts.pmon_raw"
		roll_up "$(to a parts)"
		out_has 'sums that stay, as raw values that they were made of are gone: '
		same "samples after half is gone" "$(sums a parts | cut -f3)" "$(cut -f3 <<<"$before")"
	fi
	ch $node "TRUNCATE TABLE parts.pmon_push" >/dev/null
	push_to "$(to $node parts)" "${whole[@]}"
	roll_up "$(to $node parts)"
	same "sums after it came back" "$(sums $node parts)" "$before"
	compare_hours $node parts
done

# ---- Hours that begin with something else than when they were computed ----------------------

# Nothing is usable at 03:00, so 04:00 begins with a value of 02:00, which comes late. At 04:00 another log has another
# process, so the last log, which begins at 06:00, begins with another one.
python3 - <<'PYTHON' || exit 1
import datetime
begin = datetime.datetime(2020, 2, 1, 22)
for name, minutes, pid in (("first", [*range(0, 240, 10), *range(300, 470, 10)], 10), ("last", range(480, 600, 10), 10),
                           ("late", range(240, 300, 10), 10), ("other", range(365, 375, 5), 20)):
    with open(f"chain_{name}.jsonl", "w") as out:
        for minute in minutes:
            time = (begin + datetime.timedelta(minutes=minute)).isoformat() + "Z"
            for counter, word, value in (("IO Read Operations/sec", "PERF_COUNTER_BULK_COUNT", minute * minute),
                                         ("ID Process", "PERF_COUNTER_RAWCOUNT", pid)):
                print('{"path":"\\\\\\\\S\\\\Process(x)\\\\%s","type":"%s","time":"%s","status":%d,"first":%d,'
                      '"second":%d,"multi":1,"time_base":10000000}'
                      % (counter, word, time, 0xC0000BBA if 300 <= minute < 360 and "IO" in counter else 0, value,
                         132223104000000000 + 600000000 * minute), file=out)
PYTHON
for node in "${nodes[@]}"; do
	[ $node = "${nodes[-1]}" ] || [ -n "${PMON_TEST_FULL:-}" ] || continue
	push_to "$(to $node chain)" chain_first.jsonl chain_last.jsonl
	roll_up "$(to $node chain)"
	for part in late other; do
		push_to "$(to $node chain)" chain_$part.jsonl
		roll_up "$(to $node chain)"
		compare_hours $node chain
	done
	before=$(sums $node chain)

	# A day is gone while the next one is computed, and comes back as it was.
	ch $node "ALTER TABLE chain.pmon_raw DROP PARTITION '2020-02-01'" >/dev/null
	roll_up --again "$(to $node chain)"
	same "the first hour lost a pair" "$(sums $node chain | diff - <(echo "$before") | grep -c '^<')" 1
	push_to "$(to $node chain)" --again chain_first.jsonl
	merge $node chain
	roll_up "$(to $node chain)"
	same "sums after the day came back" "$(sums $node chain)" "$before"
	roll_up "$(to $node chain)"
	out_is 'no hour changed'
done

# ---- A cluster ------------------------------------------------------------------------------

push_to "$both" --cluster both early.jsonl late.jsonl
roll_up --cluster both "$both"
push_to "$both" --cluster both middle.jsonl
roll_up --cluster both "$both"
compare_hours a both
compare_all b both "${whole[@]}"
for node in a b; do
	same "sums on $node" "$(ch $node 'SELECT count() > 100 FROM both.pmon_hour_local')" 1
done

# Time ranges there: what pmon query asks, and the views with parameters, of which these servers have the text only.
mapfile -t times < <(cat "${whole[@]}" | grep -o '"time": *"[^"]*"' | cut -d'"' -f4 | sort -u)
range=(--from "${times[30]}" --to "${times[100]}")
for what in values averages; do
	ran="$what of a range on a cluster"
	"$PMON_SOURCE_DIR/tests/push/query_compare.py" $what "$(to b both)" "${range[@]}" -- "${whole[@]}" >compare.out 2>&1 &&
		ok || bad "$(cat compare.out)"
done
"$PMON_BIN" push --dry-run --cluster both --to "$both" early.jsonl >views.sql
read -r first last < <(ch a "SELECT toInt64(quantileExact(0.3)(time)), toInt64(quantileExact(0.6)(time)) FROM both.pmon_displayed")
ch a "SELECT * FROM both.pmon_displayed WHERE time BETWEEN $first AND $last" | sort >whole.tsv
ch a "$("$PMON_SOURCE_DIR/tests/push/of_view.py" views.sql pmon_displayed_in $((first - 116444736000000000)) \
	$((last - 116444736000000000)))" | sort >part.tsv
ran="pmon_displayed_in on a cluster"
[ -s whole.tsv ] && cmp -s whole.tsv part.tsv && ok || bad "$(diff whole.tsv part.tsv | head -n 4)"

# ---- Killed, and at the same time -----------------------------------------------------------

expected=$(sums a days)
push_to "$(to a killed)" days.blg
for n in $(seq "${PMON_TEST_KILLS:-3}"); do
	"$PMON_BIN" rollup "$(to a killed)" >/dev/null 2>&1 &
	sleep "$(awk -v n="$n" 'BEGIN { srand(n); print rand() * 2 }')"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
done
roll_up "$(to a killed)"
same "sums after kills" "$(sums a killed)" "$expected"
for n in 1 2 3; do
	"$PMON_BIN" rollup --again "$(to a killed)" >at_once$n.out 2>&1 &
	at_once[n]=$!
done
for n in 1 2 3; do
	wait "${at_once[n]}" && ok || bad "$(cat at_once$n.out)"
done
same "sums of three at once" "$(sums a killed)" "$expected"
roll_up "$(to a killed)"
out_is 'no hour changed'
same "left by runs that were killed" "$(ch a "SELECT count() FROM killed.pmon_hour_todo
	WHERE run > (SELECT max(run) FROM killed.pmon_hour_day)")" 0

# ---- Refused --------------------------------------------------------------------------------

run rollup "$(to a nowhere)"
status 1
err_has 'the database nowhere has no raw values; store some with pmon push'
run rollup prometheus+http://127.0.0.1:1
status 1
err_has 'pmon rules writes recording rules'
run rollup
status 2
err_has 'give the URL of one engine'
run rollup --begin 2024-01-02 --end 2024-01-01 "$(to a days)"
status 2
err_has 'before --end'

finish
