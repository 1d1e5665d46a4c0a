#!/usr/bin/env bash
# groups.sh - averages of groups are the same in every engine, in pmon stats --by and in the logs' own _Total
# SPDX-License-Identifier: MIT
#
# The definition is in docs/reference/counters.md, "Groups". tests/push/groups.py makes the groups of each log, all
# instances of a counter on a machine, and compares the views of SQLite; tests/push/prom_groups.py
# compares the rules of Prometheus, there and in VictoriaMetrics. ClickHouse is in clickhouse_current.sh, PostgreSQL in
# postgres_values.sh.
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
groups=$PMON_SOURCE_DIR/tests/push/groups.py

# check WHAT COMMAND...: of groups.py
check() {
	ran=$1
	shift
	"$groups" "$@" >check.out 2>&1 && ok || bad "$(cat check.out)"
}

# Logs of every type: one of what happens at the ends of 64 bits and when clocks go back, which only the
# databases can hold, and one that Prometheus can hold too. PMON_TEST_FULL=1: two of each.
files=()
for seed in 1 ${PMON_TEST_FULL:+2}; do
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$seed" 120 "odd$seed.jsonl" || exit 1
	files+=("odd$seed.jsonl")
done
shared=() # by all engines
for seed in 2 ${PMON_TEST_FULL:+1}; do
	python3 "$PMON_SOURCE_DIR/tests/push/prom_groups.py" --make "$seed" "made$seed.jsonl" || exit 1
	shared+=("made$seed.jsonl")
done

# By hand. Names differ in case: 10 of 100, 20 of 200 and 90 of 100 are free, 30 %. 5 of 10 ticks of two
# units and 5 of 10 of four are 10 of 60, 16.7 %. A group of one has 7 of 10 and 30 of 40: the mean, 72.5 %.
# Totals alone are a group, 1 of 8. machines.jsonl has a machine of two spellings, which Prometheus keeps apart.
python3 - <<'PYTHON'
import json

def log(name, *rows):
    with open(name, "w", encoding="utf-8") as file:
        for path, kind, sample, first, second, multi in rows:
            print(json.dumps({"path": path, "type": kind, "time": f"2026-11-20T15:00:0{sample}Z", "first": first,
                              "status": "valid_data", "second": second, "multi": multi, "time_base": 10,
                              "sample": sample}), file=file)

FREE, BUSY, AGE = "PERF_RAW_FRACTION", "PERF_100NSEC_MULTI_TIMER", "PERF_ELAPSED_TIME"

def disks(one, two):
    yield rf"\\{one}\Größen(Ä)\% Free", FREE, 0, 10, 100, 0
    yield rf"\\{two}\GRÖßEN(b)\% FREE", FREE, 0, 90, 100, 0
    yield rf"\\{two}\GRÖßEN(_TOTAL)\% FREE", FREE, 0, 1, 100, 0
    yield rf"\\{one}\Größen(Ä)\% Free", FREE, 1, 20, 200, 0

def others():
    for sample, first, second in ((0, 7, 10), (1, 30, 40)):
        yield r"\\Srv\Alone(x)\% Free", FREE, sample, first, second, 0
        yield r"\\Srv\Sum(_total)\% Free", FREE, sample, 1, 8, 0
        yield r"\\Srv\Nothing(x)\% Free", FREE, sample, first, 0, 0
        yield r"\\Srv\Nothing(y)\% Free", FREE, sample, first, 0, 0
        yield r"\\Srv\Units(a)\% Busy", BUSY, sample, 5 * sample, 10 * sample, 2
        yield r"\\Srv\UNITS(b)\% Busy", BUSY, sample, 5 * sample, 10 * sample, 4
        yield r"\\Srv\Old(a)\Elapsed Time", AGE, sample, 5, 20 + sample, 0
        yield r"\\Srv\Old(b)\Elapsed Time", AGE, sample, 7, 20 + sample, 0
        yield r"\\Srv\Lonely(b)\Elapsed Time", AGE, sample, 7, 20 + sample, 0

log("machines.jsonl", *disks("Srv", "SRV"))
log("names.jsonl", *sorted([*disks("Srv", "Srv"), *others()], key=lambda row: row[2]))
PYTHON
files+=(machines.jsonl)
shared+=(names.jsonl)
run stats --by machine --format csv machines.jsonl
same 'machines by hand' "$(awk -F, '/Größen/ { print $5 }' <<<"$out")" 30
run stats --by machine --format csv names.jsonl
same 'names by hand' "$(awk -F, '/Größen|Alone|Sum|Nothing|Units/ { print $1, substr($5, 1, 7) }' <<<"$out" |
	sed 's/^.*Srv.//')" 'Größen(*)\% Free 30
Alone(*)\% Free 72.5
Sum(*)\% Free 12.5
Nothing(*)\% Free 0
Units(*)\% Busy 16.6666'

if [ -d "${PMON_TEST_DATA:-}" ]; then
	for file in blg/pal-SampleLog.blg blg/tx-BasicPerfCounters.blg blg/pwsh-CounterSamples.blg \
		pdh-text/wfjsg_test2.csv; do
		[ ! -r "$PMON_TEST_DATA/$file" ] || shared+=("$PMON_TEST_DATA/$file")
	done
	pal=$PMON_TEST_DATA/blg/pal-SampleLog.blg
	check 'the _Total of a real log' totals "$pal"
	for by in machine object; do # the _Total that Windows wrote is 72.403 %
		run stats --by $by --format csv "$pal" -c '\LogicalDisk(*)\% Free Space'
		same "free space by $by" "$(awk -F, '/Free Space/ { print substr($5, 1, 6) }' <<<"$out")" 72.403
	done
fi
files+=("${shared[@]}")

for file in "${files[@]}"; do
	check "SQLite: $file" sqlite "$file"
done

ran=Prometheus
python3 "$PMON_SOURCE_DIR/tests/push/prom_groups.py" "${shared[@]}" >check.out 2>/dev/null
case $? in
0) ok ;;
77) cat check.out ;;
*) bad "$(cat check.out)" ;;
esac
finish
