#!/usr/bin/env bash
# health_now.sh - pmon health of a machine: what is beyond a limit at its last sample
# SPDX-License-Identifier: MIT
#
# tests/unit/test_rules_short.c has every run of a few samples; here is what the command says.
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"

need python3

# Two processors; at 1 s and 3 s nine threads run, at 0 s one.
make_trees run
for i in 0 1 2; do
	printf 'cpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n' >>"run/$i/proc/stat"
	[ $i = 0 ] || sed -i 's/procs_running 1/procs_running 9/' "run/$i/proc/stat"
done
cp -r run calm
sed -i 's/procs_running 9/procs_running 1/' calm/2/proc/stat

run health --replay run --pack linux
status 0
out_has 'Beyond a limit now, not yet for as long as its rule requires:
  Run queue: 9 (limit 2, 1 per processor) for at least 3 s; warning after 5 min
'
out_says '1 beyond'
out_has ' within the limits for 3 s; '
out_lacks throughout
run health --replay run --pack linux --format markdown
out_has '
- Run queue: 9 '
run health --replay run --pack linux --format json
status 0
same 'as JSON' "$(python3 -c '
import json, sys
now = json.loads(sys.argv[1])["now"]
print([(one["rule"], one["severity"], one["seconds"], one["at_least"], one["required_seconds"], one["worst"], one["limit"]) for one in now])' "$out")" \
	"[('Run queue', 'warning', 3, True, 300, 9, 2)]"

# Within the limit in the last sample, and the end of a log, which is not now.
run health --replay calm --pack linux
status 0
out_lacks 'limit now'
run health --replay calm --pack linux --format json
out_has '"now":[]'
run record --replay run -q -c '\System\*' -c '\Processor(*)\*' -o run.jsonl
status 0
run health run.jsonl --pack linux
out_lacks 'limit now'
run health run.jsonl --pack linux --format json
out_lacks '"now"'
finish
