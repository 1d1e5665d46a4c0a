#!/usr/bin/env bash
# clickhouse_current.sh - values and averages of logs in ClickHouse are those of pmon
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
start_current now || skip "$why"

python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 5 200 odd.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" 3 120 processes.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" --sampled 3 120 sampled.jsonl || exit 1
files=(odd.jsonl processes.jsonl sampled.jsonl)
[ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] &&
	files+=("$PMON_TEST_DATA"/blg/{pal-SampleLog,pwsh-CounterSamples}.blg "$PMON_TEST_DATA"/pdh-text/wfjsg_test_sjis.csv)
n=0
for file in "${files[@]}"; do
	n=$((n + 1))
	for again in 1 2; do
		run push --retry 5s --batch 3000 --to "clickhouse+http://127.0.0.1:${ports[now]}/file$n" "$file"
		status 0
	done
	# The ledger has all of it, with what is no value: which process the next one is of.
	out_has ': 0 values of'
	[[ $out =~ ,\ ([0-9,]+)\ were\ there ]]
	same "rows in the ledger" "$(ch now "SELECT sum(rows) FROM file$n.pmon_push")" "${BASH_REMATCH[1]//,/}"
	compare_ch now "file$n" "$file"
done

# ---- Groups ---------------------------------------------------------------------------------

# The average of a group is one line, as the page of the engine has it; pmon stats --by has it from the log.
"$PMON_SOURCE_DIR/share/examples/slow-server" >slow.jsonl || exit 1
run push --retry 5s --to "clickhouse+http://127.0.0.1:${ports[now]}/slow" slow.jsonl
status 0
ch now "SELECT s.counter, any(s.add) + sum(s.mul * f.n) / sum(f.d) FROM slow.pmon_fact AS f FINAL
	INNER JOIN slow.pmon_series AS s USING (machine, series)
	WHERE s.object = 'PhysicalDisk' AND f.kind = 'pair' GROUP BY s.counter" >groups.tsv
run stats --by object --format csv slow.jsonl -c '\PhysicalDisk(*)\*'
ran="averages of groups"
python3 - groups.tsv "$out" >compare.out <<'PYTHON' && ok || bad "$(cat compare.out)"
import csv, math, sys
ours = {row["path"].rpartition("\\")[2]: float(row["average"]) for row in csv.DictReader(sys.argv[2].splitlines())}
theirs = {name: float(value) for name, value in (line.rstrip("\n").split("\t") for line in open(sys.argv[1]))}
print(ours, theirs)
raise SystemExit(len(ours) != 3 or ours.keys() != theirs.keys() or
                 not all(math.isclose(ours[name], theirs[name], rel_tol=1e-15) for name in ours))
PYTHON

finish
