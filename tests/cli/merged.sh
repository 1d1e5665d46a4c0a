#!/usr/bin/env bash
# merged.sh - a log that was merged keeps its streams apart when it is merged again
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3

# log MACHINE FIRST_SECOND >FILE: four samples of one counter, ten seconds apart
log() {
	local n

	for n in 0 1 2 3; do
		printf '{"path":"\\\\\\\\%s\\\\System\\\\Counter","type":"PERF_COUNTER_RAWCOUNT",' "$1"
		printf '"time":"2024-01-01T00:00:%02dZ","status":"valid_data","first":%d,' $((10 * n + $2)) $n
		printf '"second":0,"multi":1,"time_base":10000000,"series":0,"sample":%d,"utc_offset_min":0}\n' $n
	done
}
# streams FILE: how many values each counter has, and whether each has a stream of its own
streams() {
	python3 - "$1" <<'PYTHON'
import collections, json, sys
values, streams = collections.Counter(), collections.defaultdict(set)
for line in open(sys.argv[1]):
    line = json.loads(line)
    if "first" in line:
        values[line["path"]] += 1
        streams[line["path"]].add(line.get("stream", 0))
apart = len(set().union(*streams.values())) == len(streams) and all(len(s) == 1 for s in streams.values())
print(*(f"{path} {values[path]}" for path in sorted(values)), apart)
PYTHON
}

log A 0 >a.jsonl
log B 3 >b.jsonl
log C 5 >c.jsonl
log D 7 >d.jsonl
formats='jsonl'
"$PMON_BIN" relog a.jsonl -f sql -o probe.db >/dev/null 2>&1 && formats+=' sql'
for format in $formats; do
	run relog a.jsonl b.jsonl -f "$format" -o "ab.$format" -y
	status 0
	run relog c.jsonl d.jsonl -f "$format" -o "cd.$format" -y
	status 0
	run relog "ab.$format" "cd.$format" -f "$format" -o "all.$format" -y
	status 0
	run relog "all.$format" -f jsonl -o "$format.jsonl" -y
	status 0
	same "streams of merges, $format" "$(streams "$format.jsonl")" \
		'\\A\System\Counter 4 \\B\System\Counter 4 \\C\System\Counter 4 \\D\System\Counter 4 True'
done
finish
