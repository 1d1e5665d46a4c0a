#!/usr/bin/env bash
# push_small.sh - what many senders of few values each cost ClickHouse, beside one that sends much at once
# SPDX-License-Identifier: MIT
#
#	bench/push_small.sh [SENDERS] [BUILD]
#
# A server of its own on the loopback takes, SENDERS (200) times 2,000 raw values:
#
#	at once      one log, in batches as large as they come
#	by sample    the same log in batches of 2,000, as a live push sends them
#	by machine   a log of one sample from each of SENDERS machines, each by a pmon of its own, four at a time
#
# A row each: processor time of the server and of pmon in µs a value, ms of the server for a batch, bytes a
# value on the network, and parts of pmon_raw that are left when merges have had ten seconds.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

senders=${1:-200}
build=$(realpath "${2:-build}")
export PMON_SOURCE_DIR=$PWD PMON_BIN=$build/pmon
# shellcheck source=tests/push/lib_push.sh
. tests/push/lib_push.sh
skip() { echo "push_small: $*" >&2; exit 1; }

need_clickhouse
values=$((senders * 2000))
"$build/bench/bench_big_log" many blg 1M log.blg counters=2000 values="$values"
mkdir machines
python3 - "$senders" <<'PYTHON'
import json, random, sys
random.seed(7)
kinds = [("Busy Time", "PERF_100NSEC_TIMER"), ("Reads/sec", "PERF_COUNTER_BULK_COUNT"), ("Size", "PERF_COUNTER_LARGE_RAWCOUNT"),
         ("Avg. Wait sec", "PERF_AVERAGE_TIMER")]
for machine in range(int(sys.argv[1])):
    with open(f"machines/{machine}.jsonl", "w") as out:
        for i in range(2000):
            name, kind = kinds[i % 4]
            print(json.dumps({"path": rf"\\WEB{machine}\Process(p{i // 4})\{name}", "type": kind, "time_base": 10**7, "sample": 0,
                              "time": "2024-01-01T00:00:00Z", "status": "valid_data", "first": random.randrange(10**9),
                              "second": random.randrange(10**9)}), file=out)
PYTHON
start_clickhouse one
url=clickhouse+http://127.0.0.1:${ports[one]}
spent() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) * 1000 / hz }' "/proc/${pids[one]}/stat"; }

# measure NAME BATCHES COMMAND...
measure() {
	local name=$1 batches=$2 before after parts

	shift 2
	before=$(spent)
	command time -f '%U %S' -o took "$@" >said || echo "push_small: some of $name was not pushed" >&2
	sleep 10
	after=$(spent)
	[ "$(ch one "SELECT count() FROM $name.pmon_raw")" = "$values" ] || echo "push_small: rows are missing" >&2
	parts=$(ch one "SELECT count() FROM system.parts WHERE database = '$name' AND table = 'pmon_raw' AND active")
	awk -v name="$name" -v ms="$((${after%.*} - ${before%.*}))" -v batches="$batches" -v values="$values" -v parts="$parts" '
		FILENAME == "took" { own = $1 + $2 }
		FILENAME == "said" { match($0, /[0-9.]+ MB/); mb += substr($0, RSTART, RLENGTH - 3) }
		END { printf "%-10s server %.2f us a value, %.1f ms a batch; pmon %.2f us a value; %.0f bytes a value; %d parts\n",
			name, ms * 1000 / values, ms / batches, own * 1e6 / values, mb * 1e6 / values, parts }' took said
}

measure once 1 "$PMON_BIN" push --to "$url/once" log.blg
measure sample "$senders" "$PMON_BIN" push --batch 2000 --to "$url/sample" log.blg
# shellcheck disable=SC2016
measure machine "$senders" env url="$url/machine" sh -c 'ls machines/*.jsonl | xargs -P 4 -n 1 "$PMON_BIN" push --to "$url"'
