#!/usr/bin/env bash
# clickhouse_values.sh - values and averages from ClickHouse are pmon's own, on one node and on two
# SPDX-License-Identifier: MIT
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

for seed in 1 2; do
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$seed" 200 "odd$seed.jsonl" || exit 1
done
# What pmon merges it takes as one stream after the other, so absences at the seam are another matter.
cut() { python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 3 300 --apart --present "$@" || exit 1; }
cut early.jsonl --only 200
cut late.jsonl --skip 150
files=()
if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ]; then
	files=("$PMON_TEST_DATA"/blg/pal-SampleLog.blg "$PMON_TEST_DATA"/blg/tx-BasicPerfCounters.blg
		"$PMON_TEST_DATA"/blg/pwsh-CounterSamples.{blg,csv,tsv}
		"$PMON_TEST_DATA"/pdh-text/*.csv)
fi

# push_to DATABASE [OPTIONS] FILES: into a new database
push_to() {
	local where=127.0.0.1:${ports[a]}/$1

	[ "$2" = --cluster ] && where=$hosts/$1
	shift
	run push --to "clickhouse+http://$where" "$@"
	status 0
}

# compare DATABASE FILES...: all that the views say of them
compare() {
	local database=$1
	local paths="SELECT key AS series, any(path) AS path FROM $1.pmon_series GROUP BY key"

	shift
	ch a "SELECT path, time, nth, value, status FROM (SELECT * FROM $database.pmon_displayed)
		ALL INNER JOIN ($paths) USING series" >values.tsv
	ch a "SELECT path, average, status, samples FROM (SELECT * FROM $database.pmon_average
		WHERE window_name = 'all') ALL INNER JOIN ($paths) USING series" >averages.tsv
	ran="compare $database: $*"
	"$PMON_SOURCE_DIR/tests/push/compare.py" values.tsv averages.tsv "$@" >compare.out 2>/dev/null &&
		ok || bad "$(cat compare.out)"
}

# ---- Each file by itself, then on two nodes -------------------------------------------------

for how in "" "--cluster both"; do
	n=0
	for file in odd1.jsonl odd2.jsonl "${files[@]}"; do
		n=$((n + 1))
		# shellcheck disable=SC2086 # two words, or none
		push_to "file$n${how:+_both}" $how "$file"
		compare "file$n${how:+_both}" "$file"
	done
done

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

# Both in 100 ns since 1601, and as pmon takes them.
from=131200905000000000 # 2016-10-03T01:08:20Z
to=131200960000000000   # 2016-10-03T02:40:00Z
ran="averages of a window"
for database in forth back_both; do
	ch a "INSERT INTO $database.pmon_window (name, time_from, time_to) VALUES ('w', 0, 1)" >/dev/null
	sleep 1.1 # the newest of a name counts, by the second
	ch a "INSERT INTO $database.pmon_window (name, time_from, time_to) VALUES ('w', $from, $to)" >/dev/null
	ch a "SELECT path, average, status, samples FROM (SELECT * FROM $database.pmon_average
		WHERE window_name = 'w') ALL INNER JOIN (SELECT key AS series, any(path) AS path
		FROM $database.pmon_series GROUP BY key) USING series" >averages.tsv
done
finish
