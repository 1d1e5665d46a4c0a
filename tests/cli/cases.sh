#!/usr/bin/env bash
# cases.sh - text logs as people's tools leave them, and hostile files, in the folders next to PMON_TEST_DATA
# SPDX-License-Identifier: MIT
#
# What must come out is in the README of each folder; averages are computed here from the cells.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
cases=${PMON_TEST_DATA:-/nowhere}/../cases
hostile=${PMON_TEST_DATA:-/nowhere}/../hostile-2
[ -r "$cases/negative.csv" ] || skip "the folder cases is not next to PMON_TEST_DATA"

# mean FILE COLUMN LOW HIGH: of the cells of a column that lie between them
mean() {
	python3 - "$@" <<'PYTHON'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8")))
column = next(i for i, name in enumerate(rows[0]) if name.endswith(sys.argv[2]))
cells = [float(row[column]) for row in rows[1:] if float(sys.argv[3]) <= float(row[column]) <= float(sys.argv[4])]
print("%d %.12g" % (len(rows) - 1 - len(cells), sum(cells) / len(cells)))
PYTHON
}

# average FILE COUNTER FORMAT: as pmon has it
average() {
	"$PMON_BIN" stats --format "$3" "$1" 2>/dev/null | python3 -c '
import csv, json, sys
rows = json.load(sys.stdin)["counters"] if sys.argv[2] == "json" else csv.DictReader(sys.stdin)
for row in rows:
    if row["path"].endswith(sys.argv[1]):
        print("%s %.12g" % (row["invalid"], float(row["average"])))' "$2" "$3"
}

# ---- Impossible values: left out, counted, with the first line ----

for row in 'negative \Pages/sec 0 1e6' 'negative \% Idle Time 0 100' 'negative \% Processor Time 0 100' \
	'spike \Bytes Total/sec 0 1e12' 'spike \% Processor Time 0 6400'; do
	read -r file counter <<<"$row"
	high=${counter##* } counter=${counter% *}
	low=${counter##* } counter=${counter% *}
	for format in csv json; do
		ran="stats --format $format $file.csv: $counter"
		same "average" "$(average "$cases/$file.csv" "$counter" $format)" "$(mean "$cases/$file.csv" "$counter" "$low" "$high")"
	done
	run stats "$cases/$file.csv"
	err_says "$counter\"" line
done

# Counters of every kind: -1 stands for a missing value.
python3 - <<'PYTHON'
names = ["Memory\\Available Bytes", "Memory\\Pages/sec", "Processor(_Total)\\% Processor Time",
         "PhysicalDisk(0 C:)\\Avg. Disk sec/Read", "LogicalDisk(C:)\\Free Megabytes", "Process(a)\\Thread Count",
         "PhysicalDisk(0 C:)\\% Idle Time", "System\\Processor Queue Length"]
with open("missing.csv", "w") as file:
    print(",".join(['"(PDH-CSV 4.0) (UTC)(0)"'] + ['"\\\\S\\%s"' % name for name in names]), file=file)
    for i in range(20):
        cells = [-1 if i == 5 + k else 30 + i for k in range(len(names))]
        print(",".join(['"02/25/2026 10:00:%02d.000"' % i] + ['"%d"' % cell for cell in cells]), file=file)
PYTHON
run stats --format csv missing.csv
same "minima, and missing values" "$(python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin): print(float(row["minimum"]) >= 30, row["invalid"])' <<<"$out" | sort | uniq -c | tr -s ' ')" ' 8 True 1'
err_says 'Available Bytes' 'line 7: -1'
run health --format json "$cases/slow-transfer.csv"
same "slow transfers" "$(python3 -c '
import json, sys
print(json.load(sys.stdin)["summary"]["critical"])' <<<"$out")" 1

# ---- Latency: operations weigh their intervals ----

for file in latency-derived latency-rate-only; do
	for format in csv json; do
		ran="stats --format $format $file.csv"
		# 1 read of 100 ms, 100 of 1 ms and 1 of 100 ms in a second each: 300 ms over 102 reads
		same "average" "$(average "$cases/$file.csv" 'Avg. Disk sec/Read' $format)" "0 0.00294117647059"
	done
	for by in 'stats --by object' "stats -c \\PhysicalDisk(*)\\Avg.* --from 2026-02-01"; do
		# shellcheck disable=SC2086
		run $by "$cases/$file.csv"
		out_has '2.941 ms'
	done
done

# ---- Columns ----

run list "$cases/no-machine-last-column.csv"
same "counters" "$(grep -c '^.' <<<"$out")" 3
out_has '\Process(app)\Working Set'
run stats --digits full "$cases/excel-sci.csv"
status 0
err_says separators
out_has '238133000000'
for file in ru-cp1251 pl-cp1250 zh-gbk ko-cp949; do
	run list "$cases/$file.csv"
	named=$(sed -n 's/.*skipped \([0-9]*\) column.*/\1/p' <<<"$err")
	columns=$(head -n 1 "$cases/$file.csv" | python3 -c 'import csv, sys; print(len(next(csv.reader([sys.stdin.buffer.read().decode("latin-1")]))) - 1)')
	same "columns that are read or named" "$(($(grep -c '^.' <<<"$out") + ${named:-0}))" "$columns"
	page=${file#*-} page=${page/gbk/cp936}
	err_says "${page^^}"
done

# ---- Paths ----

for file in single-backslash-host escaped-backslashes; do
	run list "$cases/$file.csv"
	same "paths of $file" "$(sort <<<"$out")" "$(printf '%s\n' '\Memory\Available MBytes' '\Processor(_Total)\% Processor Time')"
	err_says note 2
	run info "$cases/$file.csv"
	out_says machine SRV1
done

# ---- Times ----

# times FILE [OPTION...]: samples, first and last
times() {
	"$PMON_BIN" values --format json "${@:2}" "$cases/$1.csv" 2>/dev/null | python3 -c '
import json, sys
times = [json.loads(line)["time"] for line in sys.stdin]
print(len(times), times[0][:19], times[-1][:19])'
}
same "a. m." "$(times ampm)" '4 2026-02-25T16:00:00 2026-02-25T19:00:00'
same "times of day" "$(times time-only --start 2026-02-25)" '8 2026-02-25T23:59:50 2026-02-26T00:00:25'
same "minutes" "$(times excel-mmss --start '2026-02-25 10:00')" '16 2026-02-25T15:00:00 2026-02-25T15:03:45'
for file in time-only excel-mmss; do
	run stats "$cases/$file.csv"
	status 0
	err_says --start
done

# ---- Zones ----

# A log in UTC+1 and one without a zone that was written on the same machine at the same time.
same "two logs" "$("$PMON_BIN" values --format json --log-zone +01:00 "$cases/merge-a.csv" "$cases/merge-b.csv" 2>/dev/null |
	python3 -c 'import json, sys; print(len({json.loads(line)["time"] for line in sys.stdin}))')" 6
run stats "$cases/merge-b.csv"
err_says --log-zone
run stats "$cases/merge-b.csv" --log-zone 'W. Europe Standard Time'
out_has 'UTC+01:00'
run stats "$cases/merge-b.csv" --log-zone Berlin
status 2
err_says Europe/Berlin
run stats "$cases/merge-b.csv" --log-zone Moon
status 2
err_says --log-zone Moon
# Only one zone begins with "RTZ 2 (": Moscow's.
run info "$cases/ru-cp1251.csv"
err_says cut 'UTC+03:00'

# ---- Tables of other programs ----

same "rows" "$(times ps-long)" '8 2026-02-25T10:00:00 2026-02-25T10:01:45'
same "raw rows" "$(average "$cases/ps-raw.csv" 'avg. disk sec/read' json)" "0 $(python3 -c 'print("%.12g" % ((9000000 - 2000000) / (1236 - 1000) / 1e7))')"
same "a column for each" "$(times timestamp-wide | cut -d' ' -f2,3)" '2026-02-25T10:00:00 2026-02-25T10:01:45'

# ---- Files of other programs: named, with the next step ----

while read -r file words; do
	run stats "$cases/$file"
	case $status in 0 | 1) ok ;; *) bad "exit status $status" ;; esac
	[ "$status" = 0 ] || err_says "$words"
done <<'ROWS'
trace.etl event trace
thesis.blg BibTeX
sadf.csv sysstat
splunk-perfmon.log Splunk
ROWS

# ---- No samples ----

for verb in '' info list stats values raw health trend changes chart report; do
	# shellcheck disable=SC2086
	run $verb "$cases/header-only.csv"
	case $out$err in *1601*) bad "there is a time of 1601" ;; *) ok ;; esac
done
run "$cases/header-only.csv"
out_has 'no samples'

# ---- Hostile files ----

if [ -d "$hostile" ]; then
	for file in "$hostile"/silent-short-buffer-*.blg; do
		run stats "$file"
		status 3
		err_says byte
		run info "$file"
		status 3
	done
	run relog "$hostile/empty-counter-name.db" -f BIN -o empty.blg
	status 3
	err_says 1 blg
	"$PMON_BIN" info empty.blg >/dev/null || bad 'what relog wrote is damaged'
	run relog "$hostile/jsonl-long-first-line.jsonl" -f CSV -o -
	case $status in 0 | 3) ok ;; *) bad "exit status $status: $err" ;; esac
	case $err in *'not a log'*) bad "it is not recognised: $err" ;; *) ok ;; esac
fi
finish
