#!/usr/bin/env bash
# bench_dashboard.sh - what a query costs an engine: averages as pmon has it compute them, and a plain sum
# SPDX-License-Identifier: MIT
#
#	bench/bench_dashboard.sh [BUILD]      tools/bench dashboard; VALUES=2000000 COUNTERS=200 ENGINES="..." by default
#
# A server of its own holds a log of COUNTERS counters. Each query is asked five times, and the least processor time
# of the server counts:
#
#	average   the averages of all counters over the whole log: pmon_average, or the PromQL of pmon query
#	one       that of one counter
#	sum       a plain sum of the raw values of all counters, by the engine's own means: what reading the rows takes
#
# It prints ms a query and million raw values a second of processor time; the lines of JSON go to BUILD/dashboard.json.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

build=$(realpath "${1:-build}")
values=${VALUES:-2000000}
counters=${COUNTERS:-200}
export PMON_SOURCE_DIR=$PWD PMON_BIN=$build/pmon
result=$build/dashboard.json
big_log=$build/bench/bench_big_log
[ -x "$big_log" ] || { echo "bench_dashboard: $big_log is not there: tools/bench builds it" >&2; exit 1; }

# shellcheck source=bench/lib_engines.sh
. bench/lib_engines.sh

"$big_log" many blg 1M "$tmp/log.blg" counters="$counters" values="$values"

# ask QUERY NAME VALUES: the answer has to have a line
ask() {
	local least='' before after

	for _ in 1 2 3 4 5; do
		before=$(cpu_ms "$server")
		"ask_$kind" "$1" >answer || return 1
		[ -s answer ] || { echo "bench_dashboard: $engine answers nothing to $2" >&2; return 1; }
		after=$(cpu_ms "$server")
		[ -n "$least" ] && [ "$least" -le $((after - before)) ] || least=$((after - before))
	done
	awk -v engine="$engine" -v name="$2" -v ms="$least" -v values="$3" 'BEGIN {
		printf "{\"engine\": \"%s\", \"query\": \"%s\", \"ms\": %d, \"values\": %d}\n", engine, name, ms, values }' >>"$result"
	awk -v engine="$engine" -v name="$2" -v ms="$least" -v values="$3" 'BEGIN {
		printf "%-16s %-8s %6d ms of processor time, %6.2f million values a second\n", engine, name, ms, values / 1000 / (ms > 0 ? ms : 1) }'
}

ask_clickhouse() { ch bench "$1"; }
queries_clickhouse() {
	local key

	local all="bench.pmon_average(begin = '1900-01-01', end = '2299-12-31')"

	key=$(ch bench "SELECT toString(any(series)) FROM bench.pmon_series")
	ask "SELECT series, average FROM $all" average "$values"
	ask "SELECT average FROM $all WHERE series = '$key'" one $((values / counters))
	ask "SELECT series, sum(toInt128(n)), sum(toInt128(d)) FROM bench.pmon_fact GROUP BY series" sum "$values"
}

ask_postgresql() { database=bench pg bench "$1"; }
queries_postgresql() {
	database=bench pg_do bench "VACUUM ANALYZE"
	ask "SELECT series, average FROM pmon_average('1900-01-01', '2300-01-01')" average "$values"
	ask "SELECT average FROM pmon_average('1900-01-01', '2300-01-01') WHERE series = (SELECT min(series) FROM pmon_series)" \
		one $((values / counters))
	ask "SELECT series, sum(n), sum(d) FROM pmon_fact GROUP BY series" sum "$values"
}

# "averages", or "averages COUNTER". PromQL has no plain sum of several metrics.
ask_prometheus() {
	if [ "$1" = averages ]; then
		"$PMON_BIN" query "$url" averages --format csv
	else
		"$PMON_BIN" query "$url" averages -c "${1#averages }" --format csv
	fi
}
queries_prometheus() {
	local one

	one=$("$PMON_BIN" query "$url" counters --format csv | sed -n 2p | cut -d, -f1)
	ask averages average "$values"
	ask "averages $one" one $((values / counters))
}
ask_victoriametrics() { ask_prometheus "$@"; }
queries_victoriametrics() { queries_prometheus; }

: >"$result"
for engine in ${ENGINES:-ClickHouse PostgreSQL Prometheus VictoriaMetrics}; do
	kind=$(tr '[:upper:]' '[:lower:]' <<<"$engine")
	"open_$kind" || continue
	"fresh_$kind" bench
	"$PMON_BIN" push --state-dir "state-$kind" --to "$url" "$tmp/log.blg" >/dev/null || continue
	settle "$server"
	"queries_$kind"
	"close_$kind"
done
