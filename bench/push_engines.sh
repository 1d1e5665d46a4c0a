#!/usr/bin/env bash
# push_engines.sh - what a raw value takes of each engine that pmon pushes to
# SPDX-License-Identifier: MIT
#
#	bench/push_engines.sh [VALUES] [BUILD]
#
# Pushes VALUES raw values (2,000,000) of 2,000 counters, and a log of 100,000 counters of 10 samples, to a server
# of each engine on the loopback, one after the other, and takes: values a second by the clock, processor
# time of pmon and of the server, bytes on the network and, after the server has tidied up, on the disk, and
# what the server's memory grew by for a series. The lines of JSON go to BUILD/push.json, from which
# tools/gen-performance makes the tables of docs/scale.md. An engine that is not here is left out.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

values=${1:-2000000}
build=$(realpath "${2:-build}")
export PMON_SOURCE_DIR=$PWD PMON_BIN=$build/pmon
result=$build/push.json
big_log=$build/bench/bench_big_log
[ -x "$big_log" ] || { echo "push_engines: $big_log is not there: tools/bench builds it" >&2; exit 1; }

# shellcheck source=tests/push/lib_postgres.sh
. tests/push/lib_postgres.sh
skip() { echo "push_engines: $*" >&2; return 1; }

"$big_log" many blg 1M "$tmp/long.blg" counters=2000 values="$values"
"$big_log" many blg 1M "$tmp/wide.blg" counters=100000 values=1000000

# All processes of a server.
family() { pgrep -g "$(ps -o pgid= -p "$1" | tr -d ' ')" -P "$1" | cat - <(echo "$1"); }
cpu_ms() { family "$1" | while read -r p; do cat "/proc/$p/stat" 2>/dev/null; done |
	sed 's/.*) //' | awk -v hz="$(getconf CLK_TCK)" '{ t += $12 + $13 + $14 + $15 } END { print int(t * 1000 / hz) }'; }
rss_kib() { family "$1" | while read -r p; do awk '/^Rss:/ { r = $2 } /^Pss:/ { print $2 }' "/proc/$p/smaps_rollup" 2>/dev/null; done |
	awk '{ t += $1 } END { print int(t) }'; }

# measure ENGINE URL SERVER DISK: DISK is a command that tidies up and prints bytes
measure() {
	local engine=$1 url=$2 server=$3 disk=$4 line before_cpu after_cpu before_rss after_rss bytes

	before_cpu=$(cpu_ms "$server")
	line=$("$build/bench/bench_run" "$tmp/run" "$PMON_BIN" push --to "$url" "$tmp/long.blg") || {
		echo "$line" >&2
		return 1
	}
	after_cpu=$(cpu_ms "$server")
	bytes=$($disk)
	before_rss=$(rss_kib "$server")
	"$PMON_BIN" push --to "$url" "$tmp/wide.blg" >/dev/null || return 1
	after_rss=$(rss_kib "$server")
	python3 - "$engine" "$line" "$(cat "$tmp/run")" "$((after_cpu - before_cpu))" "$bytes" \
		"$((after_rss - before_rss))" <<'PYTHON' | tee -a "$result"
import json, re, sys
engine, said, run, cpu_ms, disk, rss = sys.argv[1:]
wall, user, system, peak_kib = map(float, run.split())
words = re.search(r": ([\d,]+) values .*?([\d.,]+) (B|KB|MB|GB|TB) in", said)
print(json.dumps({"engine": engine, "values": int(words[1].replace(",", "")), "seconds": wall,
                  "pmon_cpu": user + system, "pmon_kib": peak_kib, "server_cpu": int(cpu_ms) / 1000,
                  "network": float(words[2].replace(",", "")) * 1024 ** ["B", "KB", "MB", "GB", "TB"].index(words[3]), "disk": int(disk), "series": 100000,
                  "series_bytes": int(rss) * 1024 / 100000}))
PYTHON
}

disk_clickhouse() {
	ch bench "OPTIMIZE TABLE perf.pmon_raw FINAL" >/dev/null
	ch bench "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'perf'"
}
disk_postgres() {
	pg_do bench "VACUUM FULL" >/dev/null
	pg bench "SELECT pg_database_size('perf')"
}
disk_prometheus() {
	http "${ports[prometheus]}" "/api/v1/admin/tsdb/snapshot" "x" >/dev/null
	du -sb "$tmp/prometheus/data/snapshots" | cut -f1
}
disk_victoria() {
	http "${ports[victoria]}" /internal/force_flush >/dev/null
	http "${ports[victoria]}" /internal/force_merge >/dev/null
	sleep 5
	du -sb "$tmp/victoria" | cut -f1
}

: >"$result"
need_clickhouse && start_clickhouse bench &&
	measure ClickHouse "clickhouse+http://127.0.0.1:${ports[bench]}/perf" "${pids[bench]}" disk_clickhouse
stop bench
need_postgres && start_postgres bench &&
	measure PostgreSQL "postgresql://127.0.0.1:${ports[bench]}/perf" "${pids[bench]}" disk_postgres
stop bench INT
if command -v prometheus >/dev/null; then
	ports[prometheus]=$(free_port)
	mkdir "$tmp/prometheus"
	: >"$tmp/prometheus/c.yml"
	start prometheus prometheus --config.file="$tmp/prometheus/c.yml" --storage.tsdb.path="$tmp/prometheus/data" \
		--storage.tsdb.retention.time=100y --web.enable-remote-write-receiver --web.enable-admin-api \
		--web.listen-address="127.0.0.1:${ports[prometheus]}" --log.level=warn
	wait_for 30 http "${ports[prometheus]}" /-/ready &&
		measure Prometheus "prometheus+http://127.0.0.1:${ports[prometheus]}" "${pids[prometheus]}" disk_prometheus
	stop prometheus
fi
victoria=$(command -v victoria-metrics || true)
if [ -n "$victoria" ]; then
	ports[victoria]=$(free_port)
	start victoria "$victoria" -storageDataPath="$tmp/victoria" -retentionPeriod=100y -dedup.minScrapeInterval=1ms \
		-httpListenAddr="127.0.0.1:${ports[victoria]}" -loggerLevel=ERROR
	# By the URL of any remote write: of its own pmon waits at the end, until what was sent is in files.
	wait_for 30 http "${ports[victoria]}" /health &&
		measure VictoriaMetrics "prometheus+http://127.0.0.1:${ports[victoria]}" "${pids[victoria]}" disk_victoria
	stop victoria
fi
