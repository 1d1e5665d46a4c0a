#!/usr/bin/env bash
# diff.sh - pmon diff: how two logs, or two ranges of one, differ
# SPDX-License-Identifier: MIT
#
# tests/cli/changes.sh has what is listed; here is which series are compared with each other.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# make_day DAY MACHINE FACTOR PIDS: an hour of samples 15 s apart. Reads of the disk take 5 ms times FACTOR. Three
# processes svchost have 100, 200 and 400 MB; their numbers and IDs are those of PIDS, as in "#1=11 =12 #2=13".
make_day() {
	awk -v day="$1" -v machine="$2" -v factor="$3" -v pids="$4" 'BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\%s\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read\"", machine
		n = split(pids, of, " ")
		for (i = 1; i <= n; i++) {
			split(of[i], part, "=")
			printf ",\"\\\\%s\\Process(svchost%s)\\ID Process\",\"\\\\%s\\Process(svchost%s)\\Private Bytes\"", machine, part[1], machine, part[1]
		}
		printf "\r\n"
		for (t = 0; t < 240; t++) {
			w = 1 + (t * 7 % 5 - 2) / 100
			printf "\"11/%02d/2026 10:%02d:%02d.000\",\"%.6f\"", day, t / 4, t % 4 * 15, (t < 120 ? 1 : 3) * 0.005 * factor * w
			for (i = 1; i <= n; i++) {
				split(of[i], part, "=")
				printf ",\"%d\",\"%.0f\"", part[2], 1e8 * 2 ^ (i - 1) * (part[3] ? part[3] : 1) * w
			}
			printf "\r\n"
		}
	}'
}
make_day 16 WEB01 1 '=11 #1=12 #2=13' >mon.csv
make_day 17 WEB02 4 '#2=21 =22 #1=23' >tue.csv
make_day 17 WEB01 1 '#2=21 =12=2 #1=23' >wed.csv

# ---- Two logs ---------------------------------------------------------------------------------------

# Machines of other names; processes are in another order, and none of them differs.
run diff mon.csv tue.csv --from 10:00 --to 10:29:45
status 0
same 'the disk' "$(sed -n '3,$p' <<<"$out" | sed 's/^ *//; s/   */|/g' | cut -d'|' -f1-3,10)" 'Before|After|Factor|Counter
5 ms|20 ms|4x|\PhysicalDisk(0 C:)\Avg. Disk sec/Read'
run diff mon.csv mon.csv
status 0
out_is ''
err_says none 4

# The process with ID 12 is the same; it has twice as much. By their size it would be compared with 13.
run diff mon.csv wed.csv --format csv -c '\Process(*)\Private Bytes'
status 0
same 'the processes' "$(cut -d, -f1,2,7 <<<"$out" | sed -n '2,$p')" '\\WEB01\Process(svchost)\Private Bytes,12,2'
run diff mon.csv tue.csv --format json -c '\Process(*)\*'
same 'none' "$(tr -d '\n' <<<"$out")" '{"version":1,"series":[],"samples_used":480,"samples_empty":0}'

# By instance names.
run diff mon.csv tue.csv --identity windows -c '\PhysicalDisk(*)\*' --format csv
status 0
out_has '\\WEB02\PhysicalDisk(0 C:)\Avg. Disk sec/Read,,0.01'

# Sums are compared where a pattern names them, or where one of the logs has nothing but the sum.
for day in mon tue; do
	sed 's/(0 C:)/(_Total)/' "$day.csv" >"$day-total.csv"
	# The second column twice, the first time as the sum.
	awk -F, -v OFS=, 'NR == 1 { t = $2; sub(/\(0 C:\)/, "(_Total)", t); $2 = t FS $2; print; next } { $2 = $2 FS $2; print }' \
		"$day.csv" >"$day-both.csv"
done
run diff mon-both.csv tue-both.csv --format csv
out_has 'PhysicalDisk(0 C:)'
out_lacks '_Total'
run diff mon-both.csv tue-both.csv --format csv -c '\PhysicalDisk(_Total)\*'
out_has '_Total'
for pair in 'mon-total.csv tue-total.csv' 'mon-both.csv tue-total.csv' 'mon-total.csv tue-both.csv'; do
	# shellcheck disable=SC2086
	run diff $pair --format csv
	same "$pair" "$(grep -c '_Total' <<<"$out")" 1
done
incidents=${PMON_TEST_DATA:-}/../incidents
if [ -n "${PMON_TEST_DATA:-}" ] && [ -e "$incidents/tot_a.csv" ]; then
	run diff "$incidents/tot_a.csv" "$incidents/tot_b.csv"
	status 0
	out_has '\Processor(_Total)\% Processor Time'
else
	echo 'skipped: there is no tot_a.csv'
fi

# ---- Two ranges -------------------------------------------------------------------------------------

run diff --before 10:00..10:29:45 --after 10:30..10:59:45 mon.csv
status 0
out_has '5 ms  15 ms      3x'
out_lacks 'svchost'
run diff --before 10:00..10:20 --after 10:20..10:29 mon.csv
status 0
out_is ''

# ---- A log and this machine -------------------------------------------------------------------------

# Thirty seconds in which a machine is busy for so many hundredths of each, and two more or less (proc(5): jiffies of
# 10 ms).
make_machine() { # DIR NAME BUSY
	local i cpu

	for ((i = 0; i <= 30; i++)); do
		mkdir -p "$1/$((100 + i))/proc/sys/kernel"
		echo "$((133485408000000000 + i * 10000000)) $((10000000000 + i * 10000000))" >"$1/$((100 + i))/clock"
		for cpu in 'cpu ' cpu0; do
			printf '%s %d 0 0 %d 0 0 0 0 0 0\n' "$cpu" "$((1000 + $3 * i + i % 2 * 2))" "$((1000 + (100 - $3) * i - i % 2 * 2))"
		done >"$1/$((100 + i))/proc/stat"
		echo "$2" >"$1/$((100 + i))/proc/sys/kernel/hostname"
	done
}
make_machine quiet OLDBOX 10
make_machine busy NEWBOX 60
"$PMON_BIN" record --replay quiet -c '\Processor(_Total)\*' -o quiet.blg >/dev/null 2>&1 || bad record
for sandbox in '' --no-sandbox; do
	# shellcheck disable=SC2086
	run diff quiet.blg --replay busy -c '\Processor(_Total)\% Processor Time' --format csv $sandbox
	status 0
	same 'a log and this machine' "$(awk -F, 'NR > 1 { printf "%s %.9g %.9g %.9g\n", $1, $3, $5, $7 }' <<<"$out")" \
		'\\NEWBOX\Processor(_Total)\% Processor Time 10 60 6'
done
# A window is one of the log.
run diff quiet.blg --replay busy -c '\Processor(_Total)\% Processor Time' --from 2024-01-01T00:00:10Z --to 2024-01-01T00:00:10Z
status 1
err_says 1 sample
run diff missing.blg --replay busy
status 1
err_says missing.blg
run diff quiet.blg --replay busy -c '\Nothing(*)\*'
status 1
err_says '\Nothing(*)\*'

# Without `ID Process` in either log that is said once.
sed 's/ID Process/Handle Count/g' mon.csv >nameless.csv
run diff nameless.csv nameless.csv
same 'once' "$(grep -c 'cannot be distinguished' <<<"$err")" 1

# ---- Mistakes ---------------------------------------------------------------------------------------

run diff
status 2
err_says diff logs
# A log is not compared with this machine unless an option of sampling says so.
for window in '' '--from 10:00' '--to 10:30' '-c \Process(*)\*'; do
	# shellcheck disable=SC2086
	run diff mon.csv $window
	status 2
	out_is ''
	err_says mon.csv
done
run diff mon.csv tue.csv wed.csv
status 2
run diff mon.csv tue.csv --duration 5s
status 2
err_says --duration mon.csv
run diff --before 10:00..10:30 mon.csv
status 2
err_says --before --after
run diff --before 10:00 --after 10:30..11:00 mon.csv
status 2
err_says --before
run diff --before 10:30..10:00 --after 10:30..11:00 mon.csv
status 2
err_says --before 10:30..10:00
run diff --before soon..10:00 --after 10:30..11:00 mon.csv
status 2
run diff mon.csv missing.csv
status 1
run diff --before 12:00..13:00 --after 10:30..11:00 mon.csv
status 1
err_says 0 samples

finish
