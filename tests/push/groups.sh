#!/usr/bin/env bash
# groups.sh - averages of groups are the same in every engine, in pmon stats --by and in the logs' own _Total
# SPDX-License-Identifier: MIT
#
# The definition is in docs/counters.md, "Groups". tests/push/groups.py makes the groups of each log, all
# instances of a counter on a machine, and compares. (tests/push/test_prom_groups.py does the same for the
# rules of Prometheus.)
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh"

need python3
groups=$PMON_SOURCE_DIR/tests/push/groups.py

# check WHAT COMMAND...: of groups.py
check() {
	ran=$1
	shift
	"$groups" "$@" >check.out 2>&1 && ok || bad "$(cat check.out)"
}

# Logs of every type, and a fleet whose names differ in case. By hand: 10 of 100, 20 of 200, 90 of 100 are
# free, 30 %; 5 of 10 ticks of two units and 5 of 10 of four are 10 of 60, 16.7 %.
files=()
for seed in 1 2; do
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$seed" 120 "odd$seed.jsonl" || exit 1
	files+=("odd$seed.jsonl")
done
python3 - >case.jsonl <<'PYTHON'
import json
def line(path, kind, sample, first, second, multi=0):
    print(json.dumps({"path": path, "type": kind, "time": f"2026-11-20T15:00:0{sample}Z", "status": "valid_data",
                      "first": first, "second": second, "multi": multi, "time_base": 10, "sample": sample}))
for sample, first, second in ((0, 10, 100), (1, 20, 200)):
    line(r"\\Srv\Größen(Ä)\% Free", "PERF_RAW_FRACTION", sample, first, second)
    line(r"\\Srv\Alone(x)\% Free", "PERF_RAW_FRACTION", sample, 3 * first + 1, second)
    line(r"\\Srv\Nothing(x)\% Free", "PERF_RAW_FRACTION", sample, first, 0)
    line(r"\\Srv\Nothing(y)\% Free", "PERF_RAW_FRACTION", sample, first, 0)
    line(r"\\Srv\Units(a)\% Busy", "PERF_100NSEC_MULTI_TIMER", sample, 5 * sample, 10 * sample, 2)
    line(r"\\Srv\UNITS(b)\% Busy", "PERF_100NSEC_MULTI_TIMER", sample, 5 * sample, 10 * sample, 4)
    line(r"\\Srv\Old(a)\Elapsed Time", "PERF_ELAPSED_TIME", sample, 5, 20 + sample)
    line(r"\\Srv\Old(b)\Elapsed Time", "PERF_ELAPSED_TIME", sample, 7, 20 + sample)
    line(r"\\Srv\Lonely(b)\Elapsed Time", "PERF_ELAPSED_TIME", sample, 7, 20 + sample)
line(r"\\SRV\GRÖßEN(b)\% FREE", "PERF_RAW_FRACTION", 0, 90, 100)
line(r"\\SRV\GRÖßEN(_TOTAL)\% FREE", "PERF_RAW_FRACTION", 0, 1, 100)
PYTHON
files+=(case.jsonl)
run stats --by machine --format csv case.jsonl
same "by hand" "$(awk -F, '/Größen|Units/ { print $5 }' <<<"$out" | tr -d '"' | cut -c 1-7 | sort |
	tr '\n' ' ')" '16.6666 30 '

if [ -d "${PMON_TEST_DATA:-}" ]; then
	for file in blg/pal-SampleLog.blg blg/tx-BasicPerfCounters.blg blg/pwsh-CounterSamples.blg \
		pdh-text/wfjsg_test2.csv; do
		[ ! -r "$PMON_TEST_DATA/$file" ] || files+=("$PMON_TEST_DATA/$file")
	done
	check 'the _Total of a real log' totals "$PMON_TEST_DATA/blg/pal-SampleLog.blg"
fi

for file in "${files[@]}"; do
	check "SQLite: $file" sqlite "$file"
done

# Names are taken from the identities of series, which are folded by pmon: a group ignores case.
if [ -x "$pg_bin/initdb" ] && command -v psql >/dev/null; then
	start_postgres one
	n=0
	for file in "${files[@]}"; do
		database=groups$((n += 1))
		pg_do one "CREATE DATABASE $database" 2>/dev/null ||
			psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database"
		run push --to "postgresql://127.0.0.1:${ports[one]}/$database" "$file"
		status 0
		pg one "SELECT id, split_part(identity, E'\t', 1), split_part(identity, E'\t', 2),
			nullif(split_part(identity, E'\t', 4), '\N'), split_part(identity, E'\t', 6), type_word
			FROM pmon_series ORDER BY id" | "$groups" members >members.tsv
		pg_do one "\\copy pmon_group FROM 'members.tsv'"
		pg one "SELECT group_name, average, status, samples FROM pmon_group_average
			WHERE window_name = 'all'" >averages.tsv
		check "PostgreSQL: $file" compare averages.tsv "$file"
	done
else
	echo 'PostgreSQL is not here'
fi

if [ -x "$clickhouse" ]; then
	start_clickhouse a
	n=0
	for file in "${files[@]}"; do
		database=groups$((n += 1))
		run push --to "clickhouse+http://127.0.0.1:${ports[a]}/$database" "$file"
		status 0
		ch a "SELECT key, p[1], p[2], if(has_instance, p[4], NULL), p[6], type FROM (SELECT DISTINCT key,
			has_instance, type, splitByChar('\t', identity) AS p FROM $database.pmon_series)
			ORDER BY key" | "$groups" members >members.tsv
		rm -f part-*
		split -l 500 members.tsv part-
		for part in part-*; do
			ch a "INSERT INTO $database.pmon_group FORMAT TabSeparated
$(cat "$part")" >/dev/null
		done
		ch a "SELECT group_name, average, status, samples FROM $database.pmon_group_average
			WHERE window_name = 'all'" >averages.tsv
		check "ClickHouse: $file" compare averages.tsv "$file"
	done
else
	echo 'ClickHouse is not here'
fi
finish
