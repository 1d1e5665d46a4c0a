#!/usr/bin/env bash
# trend.sh - pmon trend: what grows or runs out from the beginning to the end
# SPDX-License-Identifier: MIT
#
# tests/unit/test_trend.c has slopes and significance; here is which counters are listed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Four hours of samples 15 s apart; each counter wobbles by a few. quiet=1: nothing grows.
#   web       handles grow by 1,440 an hour, private bytes and working set by 100 MB
#   start     grows for 20 minutes and stays there
#   Available falls by 256 MB an hour from 4,096; committed bytes grow by 512 MB from 4 GB, limit 16 GB
#   Total Method Requests is a running total, and nothing that can run out
make_day() {
	awk -v quiet="$1" 'BEGIN {
		n = split("Process(web)\\ID Process|Process(web)\\Handle Count|Process(web)\\Private Bytes|Process(web)\\Working Set|" \
			"Process(start)\\ID Process|Process(start)\\Handle Count|Process(_Total)\\Handle Count|Process(Idle)\\Handle Count|" \
			"Memory\\Available MBytes|Memory\\Committed Bytes|Memory\\Commit Limit|Memory\\Cache Bytes|" \
			"Web Service(a)\\Total Method Requests|System\\System Up Time|Processor(0)\\% Processor Time", names, "|")
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		for (i = 1; i <= n; i++) printf ",\"\\\\SRV\\%s\"", names[i]
		printf "\r\n"
		mb = 1048576
		for (t = 0; t <= 960; t++) {
			h = quiet ? 0 : t / 240
			w = t * 7 % 5 - 2
			start = h < 1 / 3 ? h * 3000 : 1000
			printf "\"11/20/2026 %02d:%02d:%02d.000\"", t / 240, t / 4 % 60, t % 4 * 15
			printf ",\"77\",\"%d\",\"%.0f\",\"%.0f\"", 500 + 1440 * h + w, (200 + 100 * h) * mb + w, (300 + 100 * h) * mb + w
			printf ",\"78\",\"%d\",\"%d\",\"%d\"", 500 + start + w, 1000 + 1440 * h + start + w, 1440 * h + w
			printf ",\"%.1f\",\"%.0f\",\"%.0f\"", 4096 - 256 * h + w / 10, (4096 + 512 * h) * mb + w, 16384 * mb
			printf ",\"%.0f\",\"%d\",\"%d\",\"%.1f\"\r\n", (100 + 100 * h) * mb, t * 10, 1000 + t * 15, 20 + 10 * h + w
		}
	}' >"$2"
}
make_day 0 day.csv
make_day 1 quiet.csv

# ---- What is printed --------------------------------------------------------------------------------

run trend day.csv
status 0
same 'what leaks' "$(sed -n '3,$p' <<<"$out" | sed 's/^ *//; s/   */|/g')" 'Per hour|First|Last|Monotone|Limit|Reached in|Counter
1,440|498|6,258|100 %|-|-|\Process(web (77))\Handle Count
100 MB|200 MB|600 MB|100 %|-|-|\Process(web (77))\Private Bytes
512 MB|4 GB|6 GB|100 %|16 GB|20 h|\Memory\Committed Bytes
-256 MB|4 GB|3 GB|100 %|0 B|12 h|\Memory\Available MBytes'
run trend quiet.csv
status 0
out_is ''
err_says beginning end
run trend quiet.csv --format json
same 'no series' "$(tr -d '\n' <<<"$out")" '{"version":1,"series":[],"samples_used":961,"samples_empty":0}'
run trend day.csv -c '\Process(web)\Handle Count' --format csv
status 0
same 'the columns' "$(head -1 <<<"$out")" 'path,pid,slope_per_hour,unit,significance,monotone,first,last,limit,hours_to_limit'

# ---- Counters that are named ------------------------------------------------------------------------

run trend day.csv -c '\Processor(*)\*' -c '\Memory\Cache Bytes' -c '\Process(start)\Handle Count'
status 0
out_has '\Processor(0)\% Processor Time'
out_has '\Memory\Cache Bytes'
out_lacks 'start'
# A limit is read for them, and is not listed.
for identity in process windows; do
	run trend day.csv -c '\Memory\Committed Bytes' --format csv --identity $identity
	status 0
	same "the limit by $identity" "$(awk -F, 'NR > 1 { printf "%s,%.3f,%s\n", $9, $10, $1 }' <<<"$out")" '17179869184,20.000,\\SRV\Memory\Committed Bytes'
	run trend day.csv -c '\*\Comm*' -c '\Process(w*)\*' --format csv --identity $identity
	out_has 'Committed Bytes,'
	out_lacks 'Commit Limit'
	out_lacks 'start'
done
run trend quiet.csv -c '\Memory\Committed Bytes'
err_says none 1
run trend -c '\Memory\Committed Bytes' -n 3 -i 10ms
status 0
run trend -c '\Memory\Nothing' -n 3 -i 10ms
status 1
# Sums and the idle process are listed where a pattern names that very instance.
run trend day.csv -c '\Process(*)\Handle Count' -c '\Processor(_Total)\*'
out_has 'web'
out_lacks '_Total'
out_lacks 'Idle'
run trend day.csv -c '\Process(_Total)\*' -c '\Process(Idle)\*'
out_has '\Process(_Total)\Handle Count'
out_has '\Process(Idle)\Handle Count'
run trend quiet.csv -c '\Processor(*)\*'
status 0
err_says none 1
run trend day.csv -c '\Nothing\*'
status 1
run trend missing.csv
status 1

# ---- Windows, many logs, machines -------------------------------------------------------------------

run trend day.csv --from 00:30 --to 02:00 --format csv
status 0
out_has 'Handle Count,'
sed 's/SRV/OTHER/g' day.csv >other.csv
run trend day.csv other.csv
status 0
out_has '\\SRV\Process(web (77))\Handle Count'
out_has '\\OTHER\Process(web (77))\Handle Count'
# Two halves of one log, as two logs.
(head -1 day.csv && sed -n '2,481p' day.csv) >first.csv
(head -1 day.csv && sed -n '482,$p' day.csv) >second.csv
run trend day.csv --format csv
whole=$out
run trend first.csv second.csv --format csv
status 0
same 'two halves' "$out" "$whole"

# ---- This machine -----------------------------------------------------------------------------------

run trend -n 3 -i 10ms
status 0
err_says beginning end

finish
