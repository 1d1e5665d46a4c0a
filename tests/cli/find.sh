#!/usr/bin/env bash
# find.sh - pmon find: episodes as text, CSV and JSON, of logs and of this machine
# SPDX-License-Identifier: MIT
#
# tests/unit/test_episodes.c has the rules; here is what the command makes of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
make_log days d.blg
slow='\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms'

# ---- What is printed --------------------------------------------------------------------------------

# One read of 0.15 s in the first 15 s, from 15:00:00 on: (0.15 / 0.075 - 1) * 15 s are 15 s.
run find "$slow" a.blg
status 0
out_is 'Machine SERVER, BLG log, times in UTC

From      To        Length  Average   Worst  at        Samples  Operations  Counter
15:00:00  15:00:15    15 s   150 ms  150 ms  15:00:15        1           1  \PhysicalDisk(0 C:)\Avg. Disk sec/Read'
run find "$slow" a.blg --format csv
status 0
out_is 'condition,path,pid,from,to,seconds,average,worst,worst_time,samples,operations,excess,unit,slope_per_hour,who,limit,limit_unit,compared,compared_with
'"$slow"',\\SERVER\PhysicalDisk(0 C:)\Avg. Disk sec/Read,,2026-11-20T15:00:00Z,2026-11-20T15:00:15Z,15,0.15,0.15,2026-11-20T15:00:15Z,1,1,15,s,,,0.075,s,,'
run find "$slow" a.blg --format json
status 0
out_is '{"version":1,"episodes":[{"condition":"\\PhysicalDisk(*)\\Avg. Disk sec/Read > 75ms","path":"\\\\SERVER\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read","pid":null,"from":"2026-11-20T15:00:00Z","to":"2026-11-20T15:00:15Z","seconds":15,"average":0.15,"worst":0.15,"worst_time":"2026-11-20T15:00:15Z","samples":1,"operations":1,"excess":15,"unit":"s","slope_per_hour":null,"who":[],"limit":0.075,"limit_unit":"s"}],"not_judged":[],"samples_used":11,"samples_empty":0}'

# A rule without instances that were busy.
run find "$slow" a.blg --show '\Process(*)\% Processor Time top 3'
status 0
out_has 'Busiest'
run find "$slow" a.blg --show '\Process(*)\% Processor Time'
status 2
err_says --show '\Process(*)\% Processor Time' 20

# The operand of a command line may be anywhere, and after --.
run find a.blg "$slow"
status 2
run find --format csv "$slow" a.blg
out_has 'Avg. Disk sec/Read,,2026'
run find --format csv -- "$slow" a.blg
out_has 'Avg. Disk sec/Read,,2026'

# ---- What held nowhere, and what was not judged -----------------------------------------------------

run find "$slow for 1m" a.blg
status 0
out_is ''
err_says 1
run find "$slow for 1m" a.blg --format json
out_is '{"version":1,"episodes":[],"not_judged":[],"samples_used":11,"samples_empty":0}'
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 100MB' a.blg
status 0
err_says SERVER limit
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 100MB' a.blg --format json
out_is '{"version":1,"episodes":[],"not_judged":[{"condition":"\\PhysicalDisk(*)\\Avg. Disk sec/Read > 100MB","machine":"SERVER","reason":"the counter and the limit have different units"}],"samples_used":11,"samples_empty":0}'
run find "$slow while \\Memory\\Available Bytes > 1" a.blg
status 0
err_says SERVER while
run find "$slow while \\PhysicalDisk(*)\\Disk Reads/sec > 0" a.blg
status 0
out_has '15:00:00  15:00:15'
run find "$slow while \\PhysicalDisk(*)\\Disk Reads/sec > 1" a.blg
status 0
out_is ''

# ---- Other keys of rules ----------------------------------------------------------------------------

# A value each minute: 100, 110, ... 220 handles, so 600 an hour.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Process(a)\\Handle Count\"\r\n"
	for (t = 0; t <= 12; t++)
		printf "\"11/20/2026 15:%02d:00.000\",\"%d\"\r\n", t, 100 + 10 * t
}' >grows.csv
run find '\Process(a)\Handle Count trend > 500/h for 6m' grows.csv --format csv
same 'a slope' "$(cut -d, -f4,5,14 <<<"$out" | cut -c1-46)" 'from,to,slope_per_hour
2026-11-20T15:00:00Z,2026-11-20T15:12:00Z,600.'
run find '\Process(a)\Handle Count trend > 700/h for 6m' grows.csv
out_is ''
# Beyond 195 for the last 3 of the newest 6 minutes, not for 4.
run find '\Process(a)\Handle Count > 195 share 50% within 6m' grows.csv --format csv
same 'a share' "$(cut -d, -f4,5 <<<"$out")" 'from,to
2026-11-20T15:09:00Z,2026-11-20T15:12:00Z'
run find '\Process(a)\Handle Count > 195 share 67% within 6m' grows.csv
out_is ''
run find '\Process(a)\Handle Count < 115 clear 135' grows.csv --format csv
same 'a level that ends it' "$(cut -d, -f4,5 <<<"$out")" 'from,to
2026-11-20T15:00:00Z,2026-11-20T15:03:00Z'
run watch '\Process(a)\Handle Count trend > 500/h for 6m' --replay grows.csv
status 0
out_has 'begin'
run find '\Process(a)\Handle Count > 195 share 50%' grows.csv
status 2
err_says share within

# ---- Mistakes ---------------------------------------------------------------------------------------

run find
status 2
err_says find condition
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 100 parsecs' a.blg
status 2
err_says '100 parsecs'
run find '\PhysicalDisk(*)\Avg. Disk sec/Raed > 100ms' a.blg
status 1
err_says '\PhysicalDisk(0 C:)\Avg. Disk sec/Read'
run find "$slow" nothing.blg
status 1

# ---- This machine -----------------------------------------------------------------------------------

run find '\System\Processes > 0' -n 2 -i 10ms
status 0
out_has '\System\Processes'

# ---- Real logs: the average of an episode is the one that stats computes for its window -------------

# ---- Average latencies of displayed values ----------------------------------------------------------

# By Little's law, 100 reads of 10 ms keep a queue of 0.1 for 10 s, 10 reads of 100 ms do too, and 10 reads of 20 ms one
# of 0.01 for 20 s: 120 reads take 2.2 s, 18.33 ms each. The first value stands for no time. The mean of the cells is 35 ms.
text_log() { # text_log OBJECT LATENCY QUEUE RATE
	printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\%s(0 C:)\\%s","\\\\S\\%s(0 C:)\\%s","\\\\S\\%s(0 C:)\\%s"\r\n' \
		"$1" "$2" "$1" "$3" "$1" "$4"
	printf '"11/20/2026 12:00:%s"\r\n' '00.000","0.01","0.1","10' '10.000","0.01","0.1","10' '20.000","0.1","0.1","1' \
		'40.000","0.02","0.01","0.5'
}
computed=(latencies 'queue lengths' rates 1)
average='s/.*"average":\([^,]*\),.*"operations":\([^,]*\),\("average_from":"[a-z ]*"\)*.*/\1 \2 \3/p'

for object in PhysicalDisk LogicalDisk; do
	while IFS='|' read -r latency queue rate; do
		text_log "$object" "$latency" "$queue" "$rate" >text.csv
		run find "\\$object(*)\\$latency > 5ms" text.csv --format json
		status 0
		err_says "${computed[@]}"
		same "$object $latency" "$(sed -n "$average" <<<"$out")" \
			'0.018333333333333333 120 "average_from":"queue length and rate"'
	done <<'END'
Avg. Disk sec/Read|Avg. Disk Read Queue Length|Disk Reads/sec
Avg. Disk sec/Write|Avg. Disk Write Queue Length|Disk Writes/sec
Avg. Disk sec/Transfer|Avg. Disk Queue Length|Disk Transfers/sec
END
done
text_log PhysicalDisk 'Avg. Disk sec/Read' 'Avg. Disk Read Queue Length' 'Disk Reads/sec' >text.csv
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 5ms' text.csv
err_says_only 'latencies' 1
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 50ms' text.csv --format json
same 'part of the log' "$(sed -n "$average" <<<"$out")" '0.1 10 "average_from":"queue length and rate"'
printf '[Reads]\ncounter = \\PhysicalDisk(*)\\Avg. Disk sec/Read\nwarning = > 5ms\nsource = A test, 2026\n' >reads.rules
run health --rules reads.rules text.csv --format json
same 'health' "$(sed -n "$average" <<<"$out")" '0.018333333333333333 120 "average_from":"queue length and rate"'
err_says "${computed[@]}"

# German names; then a log where one value is missing, one without the rate, and one where it is of another disk.
text_log 'Physikalischer Datenträger' 'Mittlere Sek./Lesevorgänge' \
	'Durchschnittl. Warteschlangenlänge der Datenträger-Lesevorgänge' 'Lesevorgänge/s' >german.csv
for condition in '\PhysicalDisk(*)\Avg. Disk sec/Read > 5ms' \
	'\Physikalischer Datenträger(*)\Mittlere Sek./Lesevorgänge > 5ms'; do
	run find "$condition" german.csv --format json
	same "$condition" "$(sed -n "$average" <<<"$out")" '0.018333333333333333 120 "average_from":"queue length and rate"'
done
sed 's/"1"/" "/' text.csv >missing.csv
sed 's/Disk Reads.sec/Disk Writes\/sec/' text.csv >none.csv
sed 's/(0 C:).Disk Reads/(1 D:)\\Disk Reads/' text.csv >other.csv
for log in missing none other; do
	run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 5ms' "$log.csv" --format json
	status 0
	err_is ''
	same "$log" "$(sed -n "$average" <<<"$out")" '0.035 null '
done

# Nothing is said about the counters that find reads besides, and they do not stand in for the one asked for.
run find '\LogicalDisk(*)\Avg. Disk sec/Read > 5ms' text.csv
status 1
err_says '\LogicalDisk(*)\Avg. Disk sec/Read'
same 'only that is said' "$(grep -c 'no counter matches' <<<"$err")" 1

# A real log as text, against the raw values of the same seconds. Displayed times are rounded to milliseconds.
if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] && command -v jq >/dev/null 2>&1; then
	log=$PMON_TEST_DATA/blg/pal-SampleLog.blg
	"$PMON_BIN" relog -f csv -o real.csv "$log" >/dev/null || bad relog
	for operation in Read Write Transfer; do
		condition="\\PhysicalDisk(0 C:)\\Avg. Disk sec/$operation >= 0"
		"$PMON_BIN" find "$condition" real.csv --format json >text.json 2>err || bad "$condition"
		"$PMON_BIN" find "$condition" "$log" --format json >raw.json || bad "$condition"
		jq -es '[.[].episodes[0]] | .[0].from == .[1].from and .[0].to == .[1].to and
			(.[0].average / .[1].average - 1 | fabs < 2e-4) and
			(.[0].operations / .[1].operations - 1 | fabs < 2e-4)' text.json raw.json >/dev/null && ok ||
			bad "$condition: $(jq -c '.episodes[0] | [.average, .operations]' text.json raw.json)"
	done
fi

if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] && command -v jq >/dev/null 2>&1; then
	log=$PMON_TEST_DATA/blg/pal-SampleLog.blg
	for condition in '\Processor(_Total)\% Processor Time > 50%' '\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms' \
		'\Memory\Pages/sec > 100' '\Process(*)\% Processor Time > 10%'; do
		"$PMON_BIN" find "$condition" "$log" --format json >found.json || bad "$condition"
		[ "$(jq '.episodes | length' found.json)" -gt 0 ] && ok || bad "nothing was found: $condition"
		while IFS=$'\t' read -r path from to average; do
			# A sample at --from is in the window, with the interval before it.
			from=${from%Z}
			[[ $from = *.* ]] || from=$from.0
			stats=$("$PMON_BIN" stats -c "$path" --from "${from}1Z" --to "$to" "$log" --format json | jq '.counters[0].average')
			same "$path from $from" "$average" "$stats"
		done < <(jq -r '.episodes[] | [.path, .from, .to, .average] | @tsv' found.json | sed 's/\\\\/\\/g')
	done
	# Who was busy, and how much of the processors each used, in the seconds that stats knows.
	"$PMON_BIN" find '\Processor(_Total)\% Processor Time > 20%' "$log" --format json \
		--show '\Process(*)\% Processor Time top 3' >found.json || bad 'find --show'
	while IFS=$'\t' read -r path from to average total; do
		from=${from%Z}
		[[ $from = *.* ]] || from=$from.0
		"$PMON_BIN" stats -c '\Process(*)\% Processor Time' --by process --from "${from}1Z" --to "$to" "$log" --format json |
			jq -r '[.counters[] | select(.path | test("\\((_Total|Idle)\\)") | not)] | sort_by(-((.average // 0) * (.samples - 1)))[] | .path' |
			head -1 >busiest
		same "the busiest from $from" "$path" "$(cat busiest)"
		stats=$("$PMON_BIN" stats -c "$path" --from "${from}1Z" --to "$to" "$log" --format json | jq '.counters[0].average')
		jq -en "($average / $stats - 1) | fabs < 1e-9" >/dev/null && ok || bad "$path from $from: $average, not $stats"
		"$PMON_BIN" stats -c "$path" --from "${from}1Z" --to "$to" "$log" --format json |
			jq -e --argjson total "$total" '.counters[0] | .total_unit == "s" and ($total / .total - 1 | fabs < 1e-9)' >/dev/null &&
			ok || bad "$path from $from: a total of $total"
	done < <(jq -r '.episodes[] | [.who[0].path, .from, .to, .who[0].average, .who[0].total] | @tsv' found.json | sed 's/\\\\/\\/g')
	# Totals of other types are those of stats too, in the same words.
	for counter in 'Working Set' 'Page Faults/sec' 'IO Data Bytes/sec' '% User Time'; do
		path="\\Process(explorer)\\$counter"
		"$PMON_BIN" find '\Processor(_Total)\% Processor Time > 20%' "$log" --format json --show "$path top 1" |
			jq -r '.episodes[0] | [.from, .to, .who[0].total, .who[0].total_unit] | @tsv' >who
		IFS=$'\t' read -r from to total unit <who
		from=${from%Z}
		[[ $from = *.* ]] || from=$from.0
		"$PMON_BIN" stats -c "$path" --from "${from}1Z" --to "$to" "$log" --format json |
			jq -e --argjson total "$total" --arg unit "$unit" '.counters[0] | .total_unit == $unit and ($total / .total - 1 | fabs < 1e-9)' \
				>/dev/null && ok || bad "the total of $path: $total $unit"
	done
fi

finish
