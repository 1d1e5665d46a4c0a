#!/usr/bin/env bash
# rollup_postgresql.sh - averages from raw values and from rollups in PostgreSQL, and bytes per value
# SPDX-License-Identifier: MIT
#
#	bench/rollup_postgresql.sh [BUILD]      VALUES=10000000 COUNTERS=200 by default; tools/bench engines builds what it needs
#
# Starts a server of its own on the loopback in a temporary folder, pushes VALUES raw values of COUNTERS counters, one a
# second, and rolls them up. It prints the seconds of averages of all counters, by the clock and of the server's
# processor time, the best of three, their ratio, and whether both give the same averages over the whole hours; and
# bytes of a value with its key, beside the same rows that psql's \copy put into a plain table with the same key.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

build=$(realpath "${1:-build}")
values=${VALUES:-10000000}
counters=${COUNTERS:-200}
export PMON_SOURCE_DIR=$PWD PMON_BIN=$build/pmon
big_log=$build/bench/bench_big_log
[ -x "$big_log" ] || { echo "rollup_postgresql: $big_log is not there: tools/bench engines builds it" >&2; exit 1; }

# shellcheck source=bench/lib_engines.sh
. bench/lib_engines.sh

"$big_log" many blg 1M "$tmp/log.blg" counters="$counters" values="$values"
open_postgresql || exit 1
fresh_postgresql bench
"$PMON_BIN" push --to "$url" "$tmp/log.blg" || exit 1
"$PMON_BIN" rollup "$url" || exit 1
database=bench pg_do bench "VACUUM ANALYZE"
settle "$server"

# best NAME SQL: milliseconds by the clock, and of processor time
best() {
	local cpu begin

	for _ in 1 2 3; do
		cpu=$(cpu_ms "$server") begin=${EPOCHREALTIME/./}
		database=bench pg bench "$2" >"$1" || return 1
		echo "$(((${EPOCHREALTIME/./} - begin) / 1000)) $(($(cpu_ms "$server") - cpu))"
	done | sort -n -k 2 | head -n 1
}

columns="series, average, status, samples, pairs"
all="window_name = 'all' AND series = ANY(ARRAY(SELECT id FROM pmon_series))"
read -r raw raw_cpu < <(best raw "SELECT $columns FROM pmon_average WHERE $all ORDER BY series")
read -r sums sums_cpu < <(best sums "SELECT $columns FROM pmon_rollup_average WHERE $all ORDER BY series")
[ -s raw ] && cmp -s raw sums && echo "the averages are the same"
awk -v n="$counters" -v raw="$raw" -v raw_cpu="$raw_cpu" -v sums="$sums" -v sums_cpu="$sums_cpu" 'BEGIN {
	printf "averages of %d counters: %.2f s (%.2f s of processor time) from raw values, ", n, raw / 1000, raw_cpu / 1000
	printf "%.3f s (%.2f) from rollups, ratio %.0f\n", sums / 1000, sums_cpu / 1000, raw / (sums > 0 ? sums : 1) }'

database=bench pg bench "SELECT series, sample_100ns, nth, multi, status, first, second, time_100ns, absent_after, sample
	FROM pmon_value WHERE nth >= 0" >rows
database=bench pg_do bench "CREATE TABLE client (series integer, sample_100ns bigint, nth integer, multi bigint, status bigint,
	first bigint, second bigint, time_100ns bigint, absent_after bigint, sample bigint, PRIMARY KEY (series, sample_100ns, nth))"
psql -X -q -h 127.0.0.1 -p "${ports[bench]}" -d bench -c '\copy client FROM rows' || exit 1
database=bench pg bench "SELECT format('bytes per value: %s in pmon''s tables, %s in a table that psql copied into, ratio %s', round(p, 1),
	round(c, 1), round(p / c, 2)) FROM (SELECT (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
	WHERE inhparent = 'pmon_fact'::regclass) / count(*) AS p, pg_total_relation_size('client')::numeric / count(*) AS c
	FROM client) AS b"
close_postgresql
