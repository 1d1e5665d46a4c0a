#!/usr/bin/env bash
# bench_engines.sh - what a raw value takes of each engine that pmon pushes to
# SPDX-License-Identifier: MIT
#
#	bench/bench_engines.sh [BUILD]        tools/bench engines; VALUES=2000000 ENGINES="..." by default
#
# Pushes VALUES raw values of 2,000 counters, and a log of 100,000 counters of 10 samples, to a server
# of each engine on the loopback, one after the other, and takes: values a second by the clock, processor
# time of pmon and of the server, bytes on the network and, after the server has tidied up, on the disk, and
# what the server's memory grew by for a series. The lines of JSON go to BUILD/push.json, from which
# tools/gen-performance makes tables of docs/scale.md. An engine that is not here is left out.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

build=$(realpath "${1:-build}")
values=${VALUES:-2000000}
export PMON_SOURCE_DIR=$PWD PMON_BIN=$build/pmon
result=$build/push.json
big_log=$build/bench/bench_big_log
[ -x "$big_log" ] || { echo "bench_engines: $big_log is not there: tools/bench builds it" >&2; exit 1; }

# shellcheck source=bench/lib_engines.sh
. bench/lib_engines.sh

"$big_log" many blg 1M "$tmp/long.blg" counters=2000 values="$values"
"$big_log" many blg 1M "$tmp/wide.blg" counters=100000 values=1000000

measure() {
	local line before_cpu after_cpu before_rss after_rss bytes

	before_cpu=$(cpu_ms "$server")
	line=$("$build/bench/bench_run" "$tmp/run" "$PMON_BIN" push --to "$url" "$tmp/long.blg") || {
		echo "$line" >&2
		return 1
	}
	settle "$server"
	after_cpu=$(cpu_ms "$server")
	bytes=$("disk_$kind")
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

: >"$result"
for engine in ${ENGINES:-ClickHouse PostgreSQL Prometheus VictoriaMetrics}; do
	kind=$(tr '[:upper:]' '[:lower:]' <<<"$engine")
	"open_$kind" || continue
	"fresh_$kind" bench
	measure
	"close_$kind"
done
