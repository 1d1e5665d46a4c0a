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
same 'what changed' "$(sed -n '3,$p' <<<"$out" | sed 's/^ *//; s/   */|/g' | cut -d'|' -f1-3,6-)" 'Before|After|Factor|Effect|Counter
5 ms|60 ms|12x|91.7|\PhysicalDisk(0 C:)\Avg. Disk sec/Read
20 %|88 %|4.4x|77.3|\Processor(0)\% Processor Time'
run changes --at 08:20 day.csv --format csv
status 0
same 'the columns' "$(head -1 <<<"$out")" 'path,pid,before_average,before_p95,after_average,after_p95,factor,effect,unit'
run changes --at 08:20 day.csv --format json -c '\PhysicalDisk(*)\*'
status 0
out_has '{"version":1,"series":[{"path":"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read","pid":null,"before":{"average":'
out_has '},"factor":12'

# The window is half of what is around it.
run changes --at 07:00 --window 2h --format csv day.csv
out_is 'path,pid,before_average,before_p95,after_average,after_p95,factor,effect,unit'
err_has 'none of 8 counters changed by a fifth and 3 times its noise'

# ---- A window and the rest --------------------------------------------------------------------------

run changes --from 08:20:15 --to 09:20 day.csv
status 0
out_has '20 %   88 %'
out_has '12x'
run changes --from 12:00 --to 13:00 day.csv
status 0
out_is ''
err_has 'none of 8 counters'

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

# ---- Mistakes ---------------------------------------------------------------------------------------

run changes day.csv
status 2
err_has 'changes: name a time'
run changes --at 08:20 --from 08:00 day.csv
status 2
run changes --window 5m --from 08:00 day.csv
status 2
err_has '--window goes with --at'
run changes --from 09:00 --to 08:00 day.csv
status 2
err_has 'ends before it begins'
run changes --at 08:20 --window soon day.csv
status 2
run changes --at 00:00 day.csv
status 1
err_has 'changes: 1 sample before; 3 are needed'
run changes --at 08:20 -c '\Nothing\*' day.csv
status 1

# ---- This machine -----------------------------------------------------------------------------------

run changes -n 8 -i 50ms
status 0
run changes --at 08:20
status 2

finish
