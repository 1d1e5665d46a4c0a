#!/usr/bin/env bash
# push_clickhouse.sh - raw values into ClickHouse by pmon push, and the same rows by clickhouse-client
# SPDX-License-Identifier: MIT
#
#	bench/push_clickhouse.sh [VALUES] [BUILD]
#
# Makes a log of about VALUES raw values (5,000,000) of 5,000 counters, starts a server of its own on the
# loopback in a temporary folder (PMON_BENCH_DIR: there), pushes the log, lets the server write its rows as
# TSV, and gives them to clickhouse-client. It prints values a second by the clock and by the processor
# time of everybody together, and the memory that pmon took. Both keep the same rows: they are counted.
set -euo pipefail
cd "$(dirname "$0")/.."

values=${1:-5000000}
build=${2:-build-check}
server=$(command -v clickhouse-server || echo /usr/sbin/clickhouse-server)
[ -x "$server" ] || {
	echo "push_clickhouse: clickhouse-server is not here" >&2
	exit 1
}
folder=$(mktemp -d -p "${PMON_BENCH_DIR:-/tmp}" push.XXXXXX)
pid=
cleanup() {
	[ -z "$pid" ] || { kill -KILL "$pid"; wait "$pid"; } 2>/dev/null || true
	rm -rf "$folder"
}
trap cleanup EXIT

port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
http=$(port)
tcp=$(port)
cat >"$folder/users.xml" <<XML
<yandex><profiles><default><max_bytes_before_external_sort>2000000000</max_bytes_before_external_sort>
</default></profiles><quotas><default/></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
XML
cat >"$folder/config.xml" <<XML
<yandex><logger><level>error</level><log>$folder/log</log><errorlog>$folder/err</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>$http</http_port><tcp_port>$tcp</tcp_port>
<path>$folder/data/</path><tmp_path>$folder/tmp/</tmp_path><users_config>$folder/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>500000000</mark_cache_size></yandex>
XML
TZ=UTC "$server" --config-file="$folder/config.xml" >"$folder/out" 2>&1 &
pid=$!
ask() { clickhouse-client --port "$tcp" --query "$1"; }
for _ in $(seq 100); do
	ask 'SELECT 1' >/dev/null 2>&1 && break
	sleep 0.1
done

# Processor time that a process has had, in seconds.
spent() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$1/stat"; }

# measure NAME COMMAND...: by the clock and the processor; \time leaves what the command took
measure() {
	local name=$1 before after

	shift
	before=$(spent "$pid")
	command time -f '%e %U %S %M' -o "$folder/time" "$@"
	after=$(spent "$pid")
	awk -v name="$name" -v rows="$rows" -v a="$before" -v b="$after" '{
		cpu = $2 + $3 + b - a
		printf "%-18s %11.0f values/s by the clock, %11.0f by the processors (%.1f s, of them %.1f s the server); %.0f MB of memory\n",
			name, rows / $1, rows / cpu, cpu, b - a, $4 / 1024
	}' "$folder/time"
}

# About 49 bytes a value.
"$build/bench/bench_big_log" many blg $((values * 49)) "$folder/log.blg" seed=1
rows=$("$build/pmon" info --format json "$folder/log.blg" |
	python3 -c 'import json, sys; print(json.load(sys.stdin)["logs"][0]["raw_values"])')
echo "$rows raw values, $(du -m "$folder/log.blg" | cut -f1) MB as BLG"

measure "pmon push" "$build/pmon" push --to "clickhouse+http://127.0.0.1:$http/perf" "$folder/log.blg"
columns="series, time, nth, day, raw_time, first, second, multi, status, absent_after, type, time_base, size"
[ "$(ask 'SELECT count() FROM perf.pmon_raw')" = "$rows" ] || echo "push_clickhouse: rows are missing"
rm "$folder/log.blg"
ask "SELECT $columns FROM perf.pmon_raw FORMAT TSV" >"$folder/rows.tsv"
ask "SELECT concat('on disk: ', toString(round(sum(bytes_on_disk) / sum(rows), 1)), ' bytes a value')
	FROM system.parts WHERE database = 'perf' AND table = 'pmon_raw' AND active"
ask 'CREATE TABLE perf.by_client AS perf.pmon_raw'
ask 'DROP TABLE perf.pmon_raw'
measure "clickhouse-client" clickhouse-client --port "$tcp" \
	--query "INSERT INTO perf.by_client ($columns) FORMAT TSV" <"$folder/rows.tsv"
[ "$(ask 'SELECT count() FROM perf.by_client')" = "$rows" ] || echo "push_clickhouse: rows are missing"
