#!/usr/bin/env bash
# changes.sh - pmon changes: what is different since a time, or during one
# SPDX-License-Identifier: MIT
#
# tests/oracle/test_answers.py computes effects on its own; here is what is compared and listed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A day of samples 15 s apart. From 08:20:00 to 09:20:00 the processor is at 88 % and disk C: reads in 60 ms, else
# at 20 % and 5 ms; all wobble by 2 %. Free space is always the same, the limit doubles at 08:20.
awk 'BEGIN {
	n = split("Processor(0)\\% Processor Time|Processor(0)\\% User Time|Processor(_Total)\\% Processor Time|" \
		"Process(Idle)\\% Processor Time|PhysicalDisk(0 C:)\\Avg. Disk sec/Read|LogicalDisk(C:)\\Avg. Disk sec/Read|" \
		"LogicalDisk(C:)\\% Free Space|Memory\\Commit Limit|System\\Processes|Network(a)\\Bytes Sent/sec", names, "|")
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (i = 1; i <= n; i++) printf ",\"\\\\SRV\\%s\"", names[i]
	printf "\r\n"
	for (t = 0; t < 5760; t++) {
		bad = t > 2000 && t <= 2240
		w = 1 + (t * 7 % 5 - 2) / 100
		printf "\"11/20/2026 %02d:%02d:%02d.000\"", t / 240, t / 4 % 60, t % 4 * 15
		printf ",\"%.4f\",\"%.4f\",\"%.4f\",\"%.4f\"", (bad ? 88 : 20) * w, (bad ? 80 : 15) * w, (bad ? 88 : 20) * w, (bad ? 12 : 80) * w
		printf ",\"%.6f\",\"%.6f\",\"50\",\"%d\",\"%.2f\",\"%.0f\"\r\n", (bad ? 0.06 : 0.005) * w, (bad ? 0.06 : 0.005) * w,
			(t > 2000 ? 2 : 1) * 8e9, 100 * w, 5e6 * w
	}
}' >day.csv

# ---- What is printed --------------------------------------------------------------------------------

run changes --at 08:20 day.csv
status 0
# The medians are 20 and 88, the deviations from them 0.2 and 0.88; their mean of 0.54 is less than 1 % of 88: the
# effect is 68 / 0.88. For the disk it is 55 / 0.6.
same 'what changed' "$(sed -n '3,$p' <<<"$out" | sed 's/^ *//; s/   */|/g' | cut -d'|' -f1-3,9-)" 'Before|After|Factor|Effect|Counter
5 ms|60 ms|12x|91.7|\PhysicalDisk(0 C:)\Avg. Disk sec/Read
20 %|88 %|4.4x|77.3|\Processor(0)\% Processor Time'
run changes --at 08:20 day.csv --format csv
status 0
same 'the columns' "$(head -1 <<<"$out")" 'path,pid,before_average,before_p95,after_average,after_p95,factor,effect,unit,before_p99,after_p99,before_outside,after_outside'
run changes --at 08:20 day.csv --format json -c '\PhysicalDisk(*)\*'
status 0
out_has '{"version":1,"series":[{"path":"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read","pid":null,"before":{"average":'
out_has '},"factor":12'

# The window is half of what is around it.
run changes --at 07:00 --window 2h --format csv day.csv
out_is 'path,pid,before_average,before_p95,after_average,after_p95,factor,effect,unit,before_p99,after_p99,before_outside,after_outside'
err_says none 8

# ---- A window and the rest --------------------------------------------------------------------------

run changes --from 08:20:15 --to 09:20 day.csv
status 0
out_has '20 %   88 %'
out_has '12x'
run changes --from 12:00 --to 13:00 day.csv
status 0
out_is ''
err_says none 8

# ---- Constants and sums -----------------------------------------------------------------------------

# make_step OBJECT VALUE...: six samples a minute apart, of which the fourth and later ones have the second value.
make_step() {
	local object=$1 n=0 from to

	shift
	printf '"(PDH-CSV 4.0) (UTC)(0)"'
	for from; do printf ',"\\\\SRV\\%s\\Count %d"' "$object" $((n++)); done
	for n in 0 1 2 3 4 5; do
		printf '\r\n"11/20/2026 10:%02d:00.000"' "$n"
		for from; do
			to=${from#*:} from=${from%:*}
			printf ',"%s"' "$([ "$n" -lt 3 ] && echo "$from" || echo "$to")"
		done
	done
	printf '\r\n'
}
# A step between two constants that differ by a fifth, whatever they are; -c lists small ones too.
make_step Shop 100:46 46:100 0:7 7:0 -100:-46 -3:3 0.001:0.002 1e12:2e12 5:5 100:101 >step.csv
run changes --at 10:02:30 step.csv --format csv -c '\Shop\*'
status 0
same 'steps' "$(sed -n '2,$p' <<<"$out" | cut -d, -f1,3,5 | sort)" '\\SRV\Shop\Count 0,100,46
\\SRV\Shop\Count 1,46,100
\\SRV\Shop\Count 2,0,7
\\SRV\Shop\Count 3,7,0
\\SRV\Shop\Count 4,-100,-46
\\SRV\Shop\Count 5,-3,3
\\SRV\Shop\Count 6,0.001,0.002
\\SRV\Shop\Count 7,1000000000000,2000000000000'
run changes --at 10:02:30 step.csv --format csv
out_has '\Shop\Count 0'
head -1 step.csv | tr -d '\r' >before.csv
cp before.csv after.csv
sed -n '2,4p' step.csv | tr -d '\r' >>before.csv
sed -n '5,$p' step.csv | tr -d '\r' >>after.csv
run diff before.csv after.csv --format csv -c '\Shop\*'
same 'two logs' "$(sed -n '2,$p' <<<"$out" | wc -l)" 8

# A sum whose members were not logged is all that is known of them, also as one of several objects.
make_step 'Shop(_Total)' 22:72 >total.csv
run changes --at 10:02:30 total.csv --format csv
out_has '\\SRV\Shop(_Total)\Count 0,,22,'
make_step 'Shop(0,_Total)' 22:72 >node.csv
run changes --at 10:02:30 node.csv --format csv
out_has '_Total)\Count 0'
make_step 'Shop(Idle)' 22:72 >idle.csv
run changes --at 10:02:30 total.csv idle.csv --format csv
out_has '_Total'
out_lacks 'Idle'
make_step 'Shop(a)' 22:72 >member.csv
run changes --at 10:02:30 total.csv member.csv --format csv
out_has 'Shop(a)'
out_lacks '_Total'
make_step 'Other(a)' 22:72 >other-object.csv
run changes --at 10:02:30 total.csv other-object.csv --format csv
out_has '_Total'

# ---- Counters that are named ------------------------------------------------------------------------

run changes --at 08:20 day.csv -c '\Processor(*)\*'
out_has '\Processor(0)\% User Time'
out_lacks '_Total'
run changes --at 08:20 day.csv -c '\Processor(_Total)\*'
out_has '_Total'
# It is named of another object.
run changes --at 08:20 day.csv -c '\Process(*)\*' -c '\Processor(Idle)\*' -c '\PhysicalDisk(*)\*'
out_has 'PhysicalDisk'
out_lacks 'Idle'

# ---- Many logs, machines ----------------------------------------------------------------------------

sed 's/SRV/OTHER/g' day.csv >other.csv
run changes --at 08:20 day.csv other.csv
status 0
out_has '\\SRV\Processor(0)\% Processor Time'
out_has '\\OTHER\Processor(0)\% Processor Time'
run changes --at 08:20 day.csv --format csv
whole=$out
(head -1 day.csv && sed -n '2,2001p' day.csv) >first.csv
(head -1 day.csv && sed -n '2002,$p' day.csv) >second.csv
run changes --at 08:20 first.csv second.csv --format csv
same 'two halves' "$out" "$whole"

# ---- Without a time ---------------------------------------------------------------------------------

# The counters whose meaning is known tell themselves when they changed; tests/oracle/test_faces.py has more.
run changes day.csv
status 0
same 'when it changed' "$(grep -F -e PhysicalDisk -e '(_Total)' <<<"$out" | sed 's/  */|/g' | cut -d'|' -f1-7 | sort)" \
	'08:20:00|09:20:00|pulse|20|%|88|%
08:20:00|09:20:00|pulse|5|ms|60|ms'
run changes day.csv -c '\Memory\*'
status 0
out_is ''
err_says '1 counter' --at

# ---- Mistakes ---------------------------------------------------------------------------------------

run changes --at 08:20 --from 08:00 day.csv
status 2
run changes --window 5m --from 08:00 day.csv
status 2
err_says --window --at
run changes --from 09:00 --to 08:00 day.csv
status 2
err_says window
run changes --at 08:20 --window soon day.csv
status 2
run changes --at 00:00 day.csv
status 1
err_says 1 3
run changes --at 08:20 -c '\Nothing\*' day.csv
status 1

# ---- This machine -----------------------------------------------------------------------------------

run changes -n 8 -i 50ms
status 0
run changes --at 08:20
status 2

finish
