#!/usr/bin/env bash
# rollup_clickhouse.sh - averages of a month from raw values and from rollups in ClickHouse
# SPDX-License-Identifier: MIT
#
#	bench/rollup_clickhouse.sh [DAYS] [SERIES] [STEP] [BUILD]
#
# Starts a server of its own on the loopback in a temporary folder (PMON_BENCH_DIR: there), fills pmon_raw with
# raw values of SERIES counters (1,000) over DAYS (30), one every STEP seconds (300), and rolls them up. With
# npm's chdb in tests/push it is a current server, else Debian's. It prints the seconds of a dashboard's queries,
# the best of three, their ratio, and whether both give the same averages.
set -euo pipefail
cd "$(dirname "$0")/.."

days=${1:-30}
series=${2:-1000}
step=${3:-300}
pmon=${4:-build-check}/pmon
folder=$(mktemp -d -p "${PMON_BENCH_DIR:-/tmp}" rollup.XXXXXX)
pid=
cleanup() {
	[ -z "$pid" ] || { kill -KILL "$pid"; wait "$pid"; } 2>/dev/null || true
	rm -rf "$folder"
}
trap cleanup EXIT

port=$(tests/push/free_port.py)
node tests/push/chdb_server.cjs "$port" "$folder" >"$folder/out" 2>&1 &
pid=$!
ask() { curl -sSf "http://127.0.0.1:$port/" --data-binary "$1"; }
for _ in $(seq 100); do
	ask 'SELECT 1' >/dev/null 2>&1 && break
	sleep 0.1
done

# The tables are those of a push of this machine; then come a day's values at a time.
url=clickhouse+http://127.0.0.1:$port/perf
"$pmon" push --to "$url" -n 2 -i 1s -c '\Memory\*' >/dev/null
ask 'TRUNCATE TABLE perf.pmon_raw'
begin=133485408000000000 # 2024-01-01
for ((day = 0; day < days; day++)); do
	ask "INSERT INTO perf.pmon_raw (series, time, nth, day, raw_time, first, second, multi, status, absent_after,
		type, time_base, size) SELECT toUUID(concat('00000000-0000-0000-0000-', leftPad(hex(number % $series), 12, '0'))),
		$begin + ($day * 86400 + intDiv(number, $series) * $step) * 10000000 AS t, 0,
		toDate('2024-01-01') + $day, t, intDiv(t - $begin, 100000) * (number % $series + 1) + rand() % 1000, t, 1, 0, 0,
		272696576, 10000000, 8 FROM numbers(toUInt64($series * intDiv(86400, $step)))"
done
echo "$(ask 'SELECT count() FROM perf.pmon_raw') raw values"
"$pmon" rollup "$url"
"$pmon" rollup "$url"
echo "bytes per sum: $(ask "SELECT round(sum(bytes_on_disk) / sum(rows), 1) FROM system.parts
	WHERE table = 'pmon_hour' AND active")"

# best QUERY: seconds
best() {
	for _ in 1 2 3; do
		curl -sSf -o "$folder/answer" -w '%{time_total}\n' "http://127.0.0.1:$port/" --data-binary "$1"
	done | sort -n | head -n 1
}

whole="SELECT series, average, status, pairs FROM perf.FROM WHERE window_name = 'all' ORDER BY series"
from_raw=$(best "${whole/FROM WHERE/pmon_average WHERE}")
mv "$folder/answer" "$folder/raw"
from_rollup=$(best "${whole/FROM WHERE/pmon_rollup_average WHERE}")
cmp "$folder/raw" "$folder/answer" && echo "the averages are the same"
awk -v a="$from_raw" -v b="$from_rollup" 'BEGIN {
	printf "average of each counter: %.3f s from raw values, %.3f s from rollups, ratio %.1f\n", a, b, a / b }'
by_day=$(best 'SELECT series, at, average FROM perf.pmon_day_average ORDER BY series, at')
by_hour=$(best 'SELECT series, at, average FROM perf.pmon_hour_average ORDER BY series, at')
printf 'from rollups: %s s by the day, %s s by the hour\n' "$by_day" "$by_hour"
