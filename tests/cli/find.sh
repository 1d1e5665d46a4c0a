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
out_is 'condition,path,pid,from,to,seconds,average,worst,worst_time,samples,operations,excess,unit,slope_per_hour,who
'"$slow"',\\SERVER\PhysicalDisk(0 C:)\Avg. Disk sec/Read,,2026-11-20T15:00:00Z,2026-11-20T15:00:15Z,15,0.15,0.15,2026-11-20T15:00:15Z,1,1,15,s,,'
run find "$slow" a.blg --format json
status 0
out_is '{"version":1,"episodes":[{"condition":"\\PhysicalDisk(*)\\Avg. Disk sec/Read > 75ms","path":"\\\\SERVER\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read","pid":null,"from":"2026-11-20T15:00:00Z","to":"2026-11-20T15:00:15Z","seconds":15,"average":0.15,"worst":0.15,"worst_time":"2026-11-20T15:00:15Z","samples":1,"operations":1,"excess":15,"unit":"s","slope_per_hour":null,"who":[]}],"not_judged":[]}'

# A rule without instances that were busy.
run find "$slow" a.blg --show '\Process(*)\% Processor Time top 3'
status 0
out_has 'Busiest'
run find "$slow" a.blg --show '\Process(*)\% Processor Time'
status 2
err_has 'find: --show: at "\Process(*)\% Processor Time": takes a pattern and a number up to 20'

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
err_has 'the condition did not hold for any of 1 counter'
run find "$slow for 1m" a.blg --format json
out_is '{"version":1,"episodes":[],"not_judged":[]}'
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 100MB' a.blg
status 0
err_has 'not judged on SERVER: the counter measures something else than the limit'
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 100MB' a.blg --format json
out_is '{"version":1,"episodes":[],"not_judged":[{"condition":"\\PhysicalDisk(*)\\Avg. Disk sec/Read > 100MB","machine":"SERVER","reason":"the counter measures something else than the limit"}]}'
run find "$slow while \\Memory\\Available Bytes > 1" a.blg
status 0
err_has 'not judged on SERVER: it has no values of the counter after `while`'
run find "$slow while \\PhysicalDisk(*)\\Disk Reads/sec > 0" a.blg
status 0
out_has '15:00:00  15:00:15'
run find "$slow while \\PhysicalDisk(*)\\Disk Reads/sec > 1" a.blg
status 0
out_is ''

# ---- Mistakes ---------------------------------------------------------------------------------------

run find
status 2
err_has 'find: name a condition'
run find '\PhysicalDisk(*)\Avg. Disk sec/Read > 100 parsecs' a.blg
status 2
err_has 'find: at "100 parsecs": a limit is a number with a unit'
run find '\PhysicalDisk(*)\Avg. Disk sec/Raed > 100ms' a.blg
status 1
err_has 'did you mean \PhysicalDisk(0 C:)\Avg. Disk sec/Read'
run find "$slow" nothing.blg
status 1

# ---- This machine -----------------------------------------------------------------------------------

run find '\System\Processes > 0' -n 2 -i 10ms
status 0
out_has '\System\Processes'

# ---- Real logs: the average of an episode is the one that stats computes for its window -------------

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
	while IFS=$'\t' read -r path from to average; do
		from=${from%Z}
		[[ $from = *.* ]] || from=$from.0
		"$PMON_BIN" stats -c '\Process(*)\% Processor Time' --by process --from "${from}1Z" --to "$to" "$log" --format json |
			jq -r '[.counters[] | select(.path | test("\\((_Total|Idle)\\)") | not)] | sort_by(-((.average // 0) * (.samples - 1)))[] | .path' |
			head -1 >busiest
		same "the busiest from $from" "$path" "$(cat busiest)"
		stats=$("$PMON_BIN" stats -c "$path" --from "${from}1Z" --to "$to" "$log" --format json | jq '.counters[0].average')
		jq -en "($average / $stats - 1) | fabs < 1e-9" >/dev/null && ok || bad "$path from $from: $average, not $stats"
	done < <(jq -r '.episodes[] | [.who[0].path, .from, .to, .who[0].average] | @tsv' found.json | sed 's/\\\\/\\/g')
fi

finish
