#!/usr/bin/env bash
# bench_senders.sh - what many small senders cost each engine, compared with one that collects, and the engine's own client
# SPDX-License-Identifier: MIT
#
#	bench/bench_senders.sh [BUILD]        tools/bench senders; SENDERS=1000 COUNTERS=500 ENGINES="..." by default
#
# One sample of COUNTERS counters of each of SENDERS machines goes to a server of its own on the loopback:
#
#	first     the first sample, from one pmon that is given the logs of all machines: it sends their series too
#	senders   the second, from a pmon for each machine, two at a time: each connects, and looks for its tables
#	relay     the third, from one pmon that is given one log, which pmon relog --merge made of those of all machines
#	live      as many batches of one sample, as a live push sends them, from one pmon that stays connected
#	client    the rows of the relay from the engine's own client, all at once: an INSERT, psql COPY,
#	          promtool tsdb create-blocks-from, an import by curl
#
# The lines of JSON go to BUILD/senders.json, and a table to the output: processor time of the server and of the
# senders in µs a value, and ms of the server for a batch. The time on the clock is not taken, as it depends on
# what else the machine does. tools/gen-performance puts them into docs/scale.md.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

build=$(realpath "${1:-build}")
senders=${SENDERS:-1000}
counters=${COUNTERS:-500}
values=$((senders * counters))
export PMON_SOURCE_DIR=$PWD PMON_BIN=$build/pmon
result=$build/senders.json
big_log=$build/bench/bench_big_log
[ -x "$big_log" ] || { echo "bench_senders: $big_log is not there: tools/bench builds it" >&2; exit 1; }

# shellcheck source=bench/lib_engines.sh
. bench/lib_engines.sh

python3 - "$senders" "$counters" <<'PYTHON'
import json, os, random, sys
random.seed(7)
kinds = [("Busy Time", "PERF_100NSEC_TIMER"), ("Reads/sec", "PERF_COUNTER_BULK_COUNT"), ("Size", "PERF_COUNTER_LARGE_RAWCOUNT"),
         ("Avg. Wait sec", "PERF_AVERAGE_TIMER")]
for second in (0, 15, 30):
    os.mkdir(f"at{second}")
    for machine in range(int(sys.argv[1])):
        with open(f"at{second}/{machine}.jsonl", "w") as out:
            for i in range(int(sys.argv[2])):
                name, kind = kinds[i % 4]
                print(json.dumps({"path": rf"\\WEB{machine}\PhysicalDisk(p{i // 4})\{name}", "type": kind, "time_base": 10**7, "sample": 0,
                                  "time": f"2026-01-01T00:00:{second:02}Z", "status": "valid_data",
                                  "first": second * 10**7 + random.randrange(10**7), "second": second * 10**7 + 10**6}), file=out)
PYTHON
"$PMON_BIN" relog --merge at30/*.jsonl -o merged.blg -y >merge.txt || { cat merge.txt >&2; exit 1; }
"$big_log" many blg 1M live.blg counters="$counters" values="$values"

# row MODE BATCHES COMMAND...: the command's processor time, and the server's until it has been idle
row() {
	local mode=$1 batches=$2 before after

	shift 2
	before=$(cpu_ms "$server")
	command time -f '%U %S' -o took "$@" >said 2>&1 || { echo "bench_senders: $engine, $mode: $(tail -n 3 said)" >&2; return 1; }
	settle "$server"
	after=$(cpu_ms "$server")
	awk -v engine="$engine" -v mode="$mode" -v batches="$batches" -v values="$values" -v ms=$((after - before)) '{ printf "{\"engine\": \"%s\", \"mode\": \"%s\", \"batches\": %d, " \
			"\"values\": %d, \"server_cpu\": %.3f, \"client_cpu\": %.3f}\n", \
			engine, mode, batches, values, ms / 1000, $1 + $2 }' took | tee -a "$result" | shown
}
shown() {
	python3 -c 'import json, sys
for line in sys.stdin:
    r = json.loads(line)
    print("%-16s %-8s server %6.2f us a value, %7.2f ms a batch; sender %5.2f us a value" % (
        r["engine"], r["mode"], r["server_cpu"] / r["values"] * 1e6, r["server_cpu"] / r["batches"] * 1e3,
        r["client_cpu"] / r["values"] * 1e6))'
}

# A live push goes into a database of its own, or a server that was emptied.
by_each_way() {
	"fresh_$kind" sent
	row first "$senders" "$PMON_BIN" push --state-dir state --to "$url" at0/*.jsonl
	# shellcheck disable=SC2016
	row senders "$senders" env url="$url" sh -c \
		'ls at15/*.jsonl | xargs -P 2 -I{} "$PMON_BIN" push --state-dir {}.state --to "$url" {}'
	row relay $((values / batch + 1)) "$PMON_BIN" push --state-dir state --to "$url" merged.blg
	"rows_$kind"
	"client_$kind"
	"fresh_$kind" live
	row live "$senders" "$PMON_BIN" push --state-dir other --batch "$counters" --to "$url" live.blg
}

: >"$result"
for engine in ${ENGINES:-ClickHouse PostgreSQL Prometheus VictoriaMetrics}; do
	kind=$(tr '[:upper:]' '[:lower:]' <<<"$engine")
	"open_$kind" || continue
	by_each_way
	"close_$kind"
done
