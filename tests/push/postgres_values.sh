#!/usr/bin/env bash
# postgres_values.sh - values and averages from PostgreSQL are pmon's own
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
start_postgres one

# push_to DATABASE FILES...: into a new database
push_to() {
	database=$1
	shift
	psql -q -X -h 127.0.0.1 -p "${ports[one]}" -d postgres -c "CREATE DATABASE $database" || exit 1
	run push --to "postgresql://127.0.0.1:${ports[one]}/$database" "$@"
	[ "$status" = 0 ] || [ "$status" = 3 ] || bad "exit status $status: $err"
}

# A log of every type, of resets, wraps, churn, gaps and numbers at the ends of 64 bits.
files=()
seeds=1
[ -z "${PMON_TEST_FULL:-}" ] || seeds=3
for seed in $(seq $seeds); do
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$seed" 200 "odd$seed.jsonl" || exit 1
	files+=("odd$seed.jsonl")
done

for seed in $(seq $seeds); do
	python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" "$seed" 150 "processes$seed.jsonl" || exit 1
	python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" --sampled "$seed" 150 "sampled$seed.jsonl" || exit 1
	files+=("processes$seed.jsonl" "sampled$seed.jsonl")
done

# Every real file that can be read and is not too large for a test.
if [ -d "${PMON_TEST_DATA:-}" ]; then
	while read -r file; do
		"$PMON_BIN" info "$file" >/dev/null 2>&1 && files+=("$file")
	done < <(find "$PMON_TEST_DATA"/blg "$PMON_TEST_DATA"/pdh-text -type f -size "-${PMON_TEST_LARGEST:-1500k}" | sort)
fi
n=0
for file in "${files[@]}"; do
	n=$((n + 1))
	push_to "file$n" "$file"
	compare one "$file"
	case $file in *.jsonl) ;; *) continue ;; esac
	# The ledger has all of it, with what is no value: which process the next one is of.
	run push --to "postgresql://127.0.0.1:${ports[one]}/$database" "$file"
	out_has ': 0 values of'
	[[ $out =~ ,\ ([0-9,]+)\ were\ there ]]
	same "rows in the ledger" "$(pg one 'SELECT sum(rows) FROM pmon_push')" "${BASH_REMATCH[1]//,/}"
done

# Logs that overlap, in any order, several times. (What pmon merges it takes as one stream after the
# other, so absences at the seam are another matter: there are none.)
cut() { python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 3 300 --apart --present "$@" || exit 1; }
cut early.jsonl --only 200
cut late.jsonl --skip 150
for order in 'early late' 'late early late'; do
	read -ra names <<<"$order"
	push_to "${order// /_}" "${names[@]/%/.jsonl}"
	run rollup "postgresql://127.0.0.1:${ports[one]}/$database"
	status 0
	compare one early.jsonl late.jsonl
done

# All disks of two machines as one, by the three lines of SQL: sums over sums.
mkdir fleet
expected=$(python3 "$PMON_SOURCE_DIR/tests/cli/make_fleet.py" fleet 2 3 60) || exit 1
push_to fleet fleet/*.jsonl
want=$(python3 -c '
import sys
rows = [list(map(int, line.split())) for line in sys.stdin]
print(sum(r[1] for r in rows) / 10**7 / sum(r[2] for r in rows))' <<<"$expected")
same "the average of a group" "$(pg one "SELECT sum(mul * n) / sum(d) FROM pmon_fact JOIN pmon_series USING (series)
	WHERE object = 'PhysicalDisk' AND counter = 'Avg. Disk sec/Read' AND kind = 'pair'" | python3 -c "
got = float(input())
print($want if abs(got - $want) <= 1e-15 * $want else got)")" "$want"
finish
