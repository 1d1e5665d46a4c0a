#!/usr/bin/env bash
# clickhouse_values.sh - values and averages from ClickHouse are pmon's own, on one node and on two
# SPDX-License-Identifier: MIT
#
# A seed of each kind and real files of each kind on one node, and two logs on two; with PMON_TEST_FULL=1 two seeds,
# every real file, and all of them on two nodes as well. (push/postgres_values has all of them in PostgreSQL.)
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse

# Two nodes that know each other as the cluster "both", and are one each when it is not named.
for name in a b; do
	ports[$name]=$(free_port)
	tcp_ports[$name]=$(free_port)
	clusters+="<shard><replica><host>127.0.0.1</host><port>${tcp_ports[$name]}</port></replica></shard>"
done
clusters="<both>$clusters</both>"
start_clickhouse a
start_clickhouse b
hosts=127.0.0.1:${ports[a]},127.0.0.1:${ports[b]}

# Every type; and processes that take the place of other processes.
made=()
for seed in 1 ${PMON_TEST_FULL:+2}; do
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$seed" 120 "odd$seed.jsonl" || exit 1
	python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" "$seed" 120 "processes$seed.jsonl" || exit 1
	python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" --sampled "$seed" 120 "sampled$seed.jsonl" || exit 1
	made+=("odd$seed.jsonl" "sampled$seed.jsonl" "processes$seed.jsonl")
done
# What pmon merges it takes as one stream after the other, so absences at the seam are another matter.
cut() { python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 3 150 --apart --present "$@" || exit 1; }
cut early.jsonl --only 100
cut late.jsonl --skip 75
files=()
if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ]; then
	files=("$PMON_TEST_DATA"/blg/pal-SampleLog.blg "$PMON_TEST_DATA"/blg/tx-BasicPerfCounters.blg
		"$PMON_TEST_DATA"/pdh-text/wfjsg_huge_value.csv)
	[ -z "${PMON_TEST_FULL:-}" ] || files=("$PMON_TEST_DATA"/blg/pal-SampleLog.blg "$PMON_TEST_DATA"/blg/tx-BasicPerfCounters.blg
		"$PMON_TEST_DATA"/blg/pwsh-CounterSamples.{blg,csv,tsv} "$PMON_TEST_DATA"/pdh-text/*.csv)
fi

# push_to DATABASE [OPTIONS] FILES: into a new database
push_to() {
	local where=127.0.0.1:${ports[a]}/$1

	[ "$2" = --cluster ] && where=$hosts/$1
	shift
	run push --to "clickhouse+http://$where" "$@"
	status 0
}

compare() { compare_ch a "$@"; }

# ---- Each file by itself, then on two nodes -------------------------------------------------

for how in "" "--cluster both"; do
	n=0
	for file in odd1.jsonl "${files[@]}" "${made[@]:1}"; do
		n=$((n + 1))
		[ -z "$how" ] || [ -n "${PMON_TEST_FULL:-}" ] || [ $n -le 2 ] || continue
		# shellcheck disable=SC2086 # two words, or none
		push_to "file$n${how:+_both}" $how "$file"
		compare "file$n${how:+_both}" "$file"
	done
done

changed_of() { ch a "SELECT count() > 50 FROM $1.pmon_displayed WHERE status = 'instance_changed'"; }
same "processes are told apart" "$(changed_of "file$n")" 1

# A row that reports another process counts, whether it came before or after one that does not.
push_to seam --identity windows processes1.jsonl
push_to seam processes1.jsonl
compare seam processes1.jsonl
push_to seam_back processes1.jsonl
push_to seam_back --identity windows processes1.jsonl
ch a 'OPTIMIZE TABLE seam_back.pmon_raw FINAL' >/dev/null
compare seam_back processes1.jsonl

# A series is on one node, and both have some.
for name in a b; do
	series=$(ch $name 'SELECT uniq(series) > 10 FROM file1_both.pmon_raw_local')
	same "node $name has series" "$series" 1
done
same "series on both nodes" "$(ch a "SELECT count() FROM (SELECT series, uniq(h) AS n FROM (
	SELECT series, 1 AS h FROM file1_both.pmon_raw_local UNION ALL
	SELECT series, 2 FROM remote('127.0.0.1:${tcp_ports[b]}', file1_both, pmon_raw_local))
	GROUP BY series) WHERE n > 1")" 0

# ---- Logs that overlap, in any order, several times -----------------------------------------

push_to forth early.jsonl late.jsonl
compare forth early.jsonl late.jsonl
push_to back late.jsonl early.jsonl
compare back early.jsonl late.jsonl
push_to back early.jsonl
push_to back_both --cluster both late.jsonl early.jsonl late.jsonl
compare back_both early.jsonl late.jsonl
ch a 'OPTIMIZE TABLE back.pmon_raw FINAL' >/dev/null
compare back early.jsonl late.jsonl

# ---- Windows and groups ---------------------------------------------------------------------

[ ${#files[@]} -gt 0 ] || finish
log=${files[0]}

# averages_of DATABASE: of the window "w"
averages_of() {
	ch a "SELECT path, average, status, samples FROM (SELECT * FROM $1.pmon_average
		WHERE window_name = 'w') ALL INNER JOIN (SELECT key AS series, any(path) AS path
		FROM $1.pmon_series GROUP BY key) USING series"
}

# 2007-08-14, in 100 ns since 1601
from=128315943000000000 # 19:45:00Z
to=128315945400000000   # 19:49:00Z
for database in file2 file2_both; do
	ch a "INSERT INTO $database.pmon_window (name, time_from, time_to, made)
		VALUES ('w', 0, 1, '2000-01-01 00:00:00'), ('w', $from, $to, '2000-01-02 00:00:00')"
	averages_of $database >averages.tsv
	ran="averages of a window in $database"
	"$PMON_SOURCE_DIR/tests/push/compare.py" --from 2007-08-14T19:45Z --to 2007-08-14T19:49Z - \
		averages.tsv "$log" >compare.out 2>/dev/null && ok || bad "$(cat compare.out)"
done

# The processes together: the sums of what each did over the sums of the time of each, by hand. Values of two numbers
# of a process make no pair.
pattern='\Process(*)\% Processor Time'
expected=$("$PMON_BIN" raw --format json -c "$pattern" -c '\Process(*)\ID Process' "$log" 2>/dev/null | python3 -c '
import collections, json, sys
seen, numbers = collections.defaultdict(list), {}
for line in sys.stdin:
    item = json.loads(line)
    place, counter = item["path"].rsplit("\\", 1)
    if counter == "ID Process":
        numbers[place, item["time"]] = item["first"]
    else:
        seen[place].append((int(item["first"]), int(item["second"]), item["time"]))
n = d = pairs = 0
for place, values in seen.items():
    for old, new in zip(values, values[1:]):
        if new[0] >= old[0] and numbers[place, old[2]] == numbers[place, new[2]]:
            n, d, pairs = n + new[0] - old[0], d + new[1] - old[1], pairs + 1
print(repr(100 * (n / d)), pairs)')
for database in file2 file2_both; do
	ch a "INSERT INTO $database.pmon_group SELECT 'processes', key FROM $database.pmon_series
		WHERE object = 'Process' AND counter = '% Processor Time'"
	ran="average of a group in $database"
	same "of the processes" "$(ch a "SELECT concat(toString(average), ' ', toString(pairs))
		FROM $database.pmon_group_average WHERE group_name = 'processes' AND window_name = 'all'")" \
		"$expected"
done

finish
