#!/usr/bin/env bash
# clickhouse_range.sh - a time range gives what the whole history gives, and reads little of it
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
export TZ=UTC
seed=${PMON_TEST_SEED:-1}
random=${PMON_TEST_FULL:+4}
random=${random:-2} # ranges
python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$seed" 200 odd.jsonl || exit 1
make_seams "$seed" --sampled
# A log of an hour, and another that begins a minute later with another process of the same name: in the range that has
# its first minutes, the process before is known from the beginning of the first log only.
python3 - <<'PYTHON' || exit 1
import datetime
begin = datetime.datetime(2020, 2, 1)
for name, first, last, pid in ("hour", 0, 60, 10), ("next", 61, 70, 20):
    with open(f"{name}.jsonl", "w") as out:
        for minute in range(first, last + 1):
            time = (begin + datetime.timedelta(minutes=minute)).isoformat() + "Z"
            for counter, word, value in (("IO Read Operations/sec", "PERF_COUNTER_BULK_COUNT", 7 * minute + pid),
                                         ("ID Process", "PERF_COUNTER_RAWCOUNT", pid)):
                print('{"path":"\\\\\\\\S\\\\Process(x)\\\\%s","type":"%s","time":"%s","status":"valid_data","first":%d,'
                      '"second":%d,"multi":1,"time_base":10000000}'
                      % (counter, word, time, value, 132223104000000000 + 600000000 * minute), file=out)
PYTHON
logs=(odd.jsonl late.jsonl early.jsonl middle.jsonl hour.jsonl next.jsonl)

"$PMON_BIN" push --dry-run --to clickhouse+http://nowhere.invalid/ranges odd.jsonl >views.sql
of_view() { "$PMON_SOURCE_DIR/tests/push/of_view.py" views.sql "$@"; } # NAME FROM TO

# make_ranges: a line each, "FROM TO", from the times of a sample
make_ranges() {
	python3 - "$seed" "$random" <<'PYTHON'
import random, sys
random.seed(int(sys.argv[1]))
times = [int(line) for line in open("times")]
for _ in range(int(sys.argv[2])):
    first = random.choice(times)
    last = first + random.choice((0, 30, 600, 7200)) * 10000000
    print(first + random.choice((0, 0, 1, -1)), last + random.choice((0, 0, 1)))
print(times[0], times[len(times) // 2])
print(times[len(times) // 2], times[-1] + 1)
print(-116444736000000000, times[-1])
print(times[-1] + 10**12, times[-1] + 10**13)
hour = 15805152000000000 + 36000000000 # 2020-02-01T01:00
print(hour - 1200000000, hour + 3000000000)
PYTHON
}

# whole_of VIEW N FROM TO: what the view of everything has of range N. Times have 18 digits: awk compares them as texts.
epoch=116444736000000000
whole_of() {
	awk -F'\t' -v OFS='\t' -v view="$1" -v name="w$2" -v from="$(printf 't%018d' "$3")" -v to="$(printf 't%018d' "$4")" '
		{ key = $1; sub(/^[^\t]*\t/, "") }
		view == "average" ? key == name : "t" key >= from && "t" key <= to' "all_$1"
}

# check_ranges NODE: compare ranges with the views of everything
check_ranges() {
	local node=$1 url=clickhouse+http://127.0.0.1:${ports[$1]}/ranges from to n=0 views="pair displayed average"

	# By default the view that the others are made of is asked once.
	[ -n "${PMON_TEST_FULL:-}" ] || [ $node = old ] || views="displayed average"

	run push --batch 700 --to "$url" "${logs[@]}"
	status 0
	for view in $views; do
		keys[$view]=$(ch "$node" "SELECT arrayStringConcat(groupArray(name), ', ') FROM (SELECT name FROM system.columns
			WHERE database = 'ranges' AND table = 'pmon_$view' AND name <> 'window_name' ORDER BY name)")
	done
	# Times of samples, and of nothing; ranges of one sample, of some, without a beginning and without an end.
	ch "$node" "SELECT DISTINCT time - 116444736000000000 AS t FROM ranges.pmon_raw ORDER BY t" >times
	make_ranges >ranges
	ch "$node" 'TRUNCATE TABLE ranges.pmon_window'
	while read -r from to; do
		n=$((n + 1))
		echo "('w$n', $((epoch + from)), $((epoch + to)))"
	done <ranges >windows
	ch "$node" "INSERT INTO ranges.pmon_window (name, time_from, time_to) VALUES $(paste -sd, windows)"
	n=0
	ch "$node" "SELECT window_name, ${keys[average]} FROM ranges.pmon_average WHERE window_name LIKE 'w%'" >all_average
	for view in ${views% average}; do
		ch "$node" "SELECT time, ${keys[$view]} FROM ranges.pmon_$view" >all_$view
	done
	while read -r from to; do
		n=$((n + 1))
		for view in $views; do
			whole_of $view $n $((epoch + from)) $((epoch + to)) | sort >whole
			ch "$node" "SELECT ${keys[$view]} FROM ($(of_view "pmon_${view}_in" "$from" "$to"))" | sort >part
			ran="$node, pmon_${view}_in, $from to $to"
			cmp -s whole part && ok || bad "$(diff whole part | head -n 4)"
			[ -s whole ] && found[$view]=yes
		done
	done <ranges
	same "ranges" "$n, ${!found[*]}" "$((random + 5)), ${!keys[*]}"
	# The ID is not a rate, so it has no such row: the pair from 01:00 to 01:01 is not made.
	same "pairs across processes" "$(ch "$node" "SELECT count() FROM ($(of_view pmon_displayed_in 15805188600000000 15805188600000000))
		WHERE status = 'ok'")" 1
}

# rows_read NODE SQL: rows that a query read
limits="max_query_size=1000000&max_ast_elements=1000000&max_expanded_ast_elements=1000000"
rows_read() { http "${ports[$1]}" "/?$limits" "$2 FORMAT JSON" | python3 -c 'import json, sys; print(json.load(sys.stdin)["statistics"]["rows_read"])'; }

n_series=${PMON_TEST_FULL:+1000} # 5.76 million rows
n_series=${n_series:-250}

# A day of these series, a sample every 15 s. Series s counts by s + 1 each, so in a second (s + 1) / 15.
fill() {
	local node=$1

	"$PMON_BIN" push --to "clickhouse+http://127.0.0.1:${ports[$node]}/ranges" odd.jsonl >/dev/null
	ch "$node" "TRUNCATE TABLE ranges.pmon_raw"
	ch "$node" "TRUNCATE TABLE ranges.pmon_series"
	ch "$node" "INSERT INTO ranges.pmon_series (key, identity, path, machine, object, instance, has_instance, counter, type,
		time_base, size) SELECT toUUID(concat('00000000-0000-4000-8000-0000000', toString(10000 + number))) AS key,
		toString(number), concat('O(', toString(number), ')'), 'M', 'O', toString(number), 1, 'C', 272696576, 10000000, 8
		FROM numbers($n_series)"
	ch "$node" "INSERT INTO ranges.pmon_raw (series, time, nth, day, raw_time, first, second, multi, status,
		absent_after, type, time_base, size)
		SELECT toUUID(concat('00000000-0000-4000-8000-0000000', toString(10000 + intDiv(number, 5760)))) AS series,
		132223104000000000 + 150000000 * (number % 5760) AS time, 0, toDate('2020-01-01'), time,
		(number % 5760) * (1 + intDiv(number, 5760)), 150000000 * (number % 5760), 0, 0, 0, 272696576, 10000000, 8
		FROM numbers($((n_series * 5760)))"
	ch "$node" "OPTIMIZE TABLE ranges.pmon_raw FINAL"
	same "rows" "$(ch "$node" "SELECT count() FROM ranges.pmon_raw")" $((n_series * 5760))
}

# The last minute: five samples of each series, 10 of 16 minutes before it are read too. The range, and the
# question which series need more, are a read each; each reads one granule of 1,024 rows, or two, of a series.
check_reads() {
	local node=$1 all=$2 one=$3

	same "rates of the last minute, all series" "$(ch "$node" "$all")" "$((5 * n_series))"$'\t'"$((5 * n_series))"$'\t'"$((5 * n_series * (n_series + 1) / 2))"
	same "rates of the last minute, one series" "$(ch "$node" "$one")" $'5\t5\t390'
	ran="$node, rows that are read for all series"
	rows=$(rows_read "$node" "$all")
	[ "$rows" -gt $((1000 * n_series)) ] && [ "$rows" -lt $((2400 * n_series)) ] && ok || bad "$rows"
	ran="$node, rows that are read for one series"
	rows=$(rows_read "$node" "$one")
	[ "$rows" -gt 1000 ] && [ "$rows" -lt 8000 ] && ok || bad "$rows"
	for what in values averages; do
		"$PMON_BIN" query "clickhouse+http://127.0.0.1:${ports[$node]}/ranges" $what --from 2020-01-01T23:58:45Z \
			--to 2020-01-01T23:59:45Z --print >$what.sql
		ran="$node, rows that pmon query reads for $what"
		rows=$(rows_read "$node" "$(cat $what.sql)")
		[ "$rows" -gt $((1000 * n_series)) ] && [ "$rows" -lt $((2400 * n_series)) ] && ok || bad "$rows"
	done
}

# granules SQL: how many each read of a table of the current server takes, by its plan
granules() {
	ch now "EXPLAIN indexes = 1 $1" | awk '/ReadFromMergeTree/ { n++ }
		match($0, /Granules: [0-9]+\//) { of[n] = substr($0, RSTART + 10, RLENGTH - 11) }
		END { for (i = 1; i <= n; i++) print of[i] }'
}

declare -A keys found
start_clickhouse old
check_ranges old
fill old
sums="count(), countIf(status = 'ok'), toUInt64(round(sum(value) * 15))"
minute=$(of_view pmon_displayed_in 15779231250000000 15779231850000000)
check_reads old "SELECT $sums FROM ($minute)" \
	"SELECT $sums FROM (${minute//path LIKE \'%\'/path = \'O(77)\'})"

start_current now || {
	echo "$why"
	finish
	exit
}
found=() keys=()
check_ranges now
url=clickhouse+http://127.0.0.1:${ports[now]}/ranges
same "views" "$(ch now "SELECT count() FROM system.tables WHERE database = 'ranges' AND name LIKE '%\\_in'")" 4
wide="time_from = '1970-01-01 00:00:00', time_to = '2100-01-01 00:00:00'"
same "all averages" "$(ch now "SELECT * FROM ranges.pmon_average_in(path = '*', $wide) ORDER BY series" | md5sum)" \
	"$(ch now "SELECT * EXCEPT window_name FROM ranges.pmon_average WHERE window_name = 'all' ORDER BY series" | md5sum)"
ch now "INSERT INTO ranges.pmon_group SELECT 'rates', key FROM ranges.pmon_series WHERE counter = 'Rate'"
same "groups" "$(ch now "SELECT * FROM ranges.pmon_group_average_in(group_name = 'rates', $wide) ORDER BY ALL")" \
	"$(ch now "SELECT * EXCEPT window_name FROM ranges.pmon_group_average WHERE window_name = 'all' ORDER BY ALL")"
# A path is one as in -c.
same "paths" "$(ch now "SELECT uniqExact(series) > 0, uniqExact(series) FROM ranges.pmon_displayed_in(path = '*\\\\rate', $wide)")" \
	"1"$'\t'"$(ch now "SELECT uniqExact(series) FROM ranges.pmon_displayed WHERE series IN
		(SELECT key FROM ranges.pmon_series WHERE lower(path) LIKE '%\\\\\\\\rate')")"
same "no path" "$(ch now "SELECT count() FROM ranges.pmon_displayed_in(path = '%', $wide)")" 0
fill now
times="time_from = '2020-01-01 23:58:45', time_to = '2020-01-01 23:59:45'"
check_reads now "SELECT $sums FROM ranges.pmon_displayed_in(path = '*', $times)" \
	"SELECT $sums FROM ranges.pmon_displayed_in(path = 'o(77)', $times)"
# Each of the two reads takes two granules of a series at most.
same "granules of all series" "$(granules "SELECT * FROM ranges.pmon_displayed_in(path = '*', $times)" |
	awk -v most=$((2 * n_series)) '{ n += $1 > 0; many += $1 > most } END { print (n > 0), many + 0 }')" '1 0'
same "granules of one" "$(granules "SELECT * FROM ranges.pmon_displayed_in(path = 'o(77)', $times)" |
	awk '{ n += $1 > 0; many += $1 > 2 } END { print (n > 0), many + 0 }')" '1 0'

finish
