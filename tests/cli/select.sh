#!/usr/bin/env bash
# select.sh - patterns, times, clocks and policies
# SPDX-License-Identifier: MIT
#
# The log "average" has samples at 15:00:00, 15:00:15 ... 15:02:30 UTC on 2026-11-20, with
# Available MBytes 2048 - 16 * i and processor use 60 10 5 5 20 5 5 5 30 5 % (make_log.c).
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg
make_log back b.blg
make_log days d.blg

# ---- Patterns ---------------------------------------------------------------------------------

paths() { "$PMON_BIN" list "$@" a.blg; }
same 'all' "$(paths | wc -l)" 4
same 'one' "$(paths -c '\Memory\Available MBytes')" '\Memory\Available MBytes'
same 'case, and no first backslash' "$(paths -c 'MEMORY\available mbytes')" \
	'\Memory\Available MBytes'
same 'wildcards in part' "$(paths -c '\Proc*(_t*)\*time')" '\Processor(_Total)\% Processor Time'
same 'with the machine' "$(paths -c '\\server\*\*')" '\Memory\Available MBytes'
same 'two patterns' "$(paths -c '\Memory\*' -c '\PhysicalDisk(*)\*' | wc -l)" 3
same 'the same twice' "$(paths -c '\Memory\*' -c '\Memory\*' | wc -l)" 1
printf '\xef\xbb\xbf; a comment\r\n"\\Memory\\*"\r\n\r\n  \\Processor(*)\\*\n' >patterns
same 'a file of patterns' "$(paths -cf patterns | wc -l)" 2
same 'from standard input' "$(paths -cf - <patterns | wc -l)" 2

same 'words' "$(paths -c 'disk reads')" '\PhysicalDisk(0 C:)\Disk Reads/sec'
same 'a group' "$(paths -c memory)" '\Memory\Available MBytes'
same 'a name' "$(paths -c '% Processor Time')" '\Processor(_Total)\% Processor Time'
same 'a name with wildcards' "$(paths -c 'Mem*')" '\Memory\Available MBytes'
same 'words and a path' "$(paths -c cpu -c '\Memory\*' | wc -l)" 2
run stats a.blg -c 'disk zebra'
status 1
err_says 'disk zebra'
err_says '"zebra"'

run stats a.blg -c '\Procesor(_Total)\% Processor Time'
status 1
out_is ''
err_says '\Procesor(_Total)\% Processor Time'
err_says '\Processor(_Total)\% Processor Time'
run stats a.blg -c '\Xyz\Qwertz' -c '\Memory\*'
status 0
out_has 'Available MBytes'
out_lacks 'Processor'
err_says '\Xyz\Qwertz'
err_says 'pmon list'
run values --format csv -c '\Foo\*' a.blg
status 1
out_is ''

run list -q a.blg
out_has '\PhysicalDisk(*)\Disk Reads/sec'
run list -l a.blg
out_has 'PERF_AVERAGE_TIMER'
out_has '14318180'

# ---- Dates as people write them -----------------------------------------------------------------

# 7 of the samples are at 15:01:00 or later; all are after midnight.
for row in '7:20.11.2026 15:01' '7:20 Nov 2026 15:01:00' '7:20 november 2026 3:01 PM' '7:11/20/2026 3:01pm' \
	'7:3:01pm' '7:@3:01 PM' '11:11/20/2026 3pm' '11:3pm' '11:11/20/2026' '11:20.11.2026' '11:9 Mar 2026'; do
	same "${row#*:}" "$("$PMON_BIN" stats --format json -c memory --from "${row#*:}" a.blg |
		sed -n 's/.*"samples":\([0-9]*\).*/\1/p')" "${row%%:*}"
done
for time in '31.2.2026' '20 Nox 2026' '13pm' '0pm' '20.11.2026 25:00' '20.11.26' '11/20/2026 '; do
	run stats --from "$time" a.blg
	status 2
	err_says "$time"
done

# ---- Limits with units ------------------------------------------------------------------------

# Available MBytes is 2048 at first, which is 2 GB; the one read took 0.15 s.
memory='-c \Memory\*'
disk='-c \PhysicalDisk(*)\Avg*'
# rows OPTIONS...: how many counters stats shows
rows() {
	run stats --format csv "$@" a.blg
	echo $(($(wc -l <<<"$out") - 1))
}
# shellcheck disable=SC2086
for row in "1 $memory maximum>=2GB" "0 $memory maximum>2GB" "1 $memory minimum=1888MB" \
	"1 $memory maximum>2.1e9B" "0 $memory maximum>2048" "1 $memory maximum>=2048" \
	"1 $disk average>149ms" "0 $disk average>151ms" "1 $disk average<0.0026min" \
	"1 $disk average>0.149" "0 $disk samples>1k"; do
	set -- $row
	same "rows of $3 $4" "$(rows $2 $3 --where "$4")" "$1"
done
run stats --where 'maximum>100ms' a.blg # of all counters those that are measured in it
out_has 'sec/Read'
out_lacks 'MBytes'
run stats $memory --where 'maximum>20ms' a.blg
status 2
out_is ''
err_says_only --where 'maximum>20ms' ms s min '\Memory\Available MBytes' KB MB
run stats --where 'samples>5s' a.blg
status 2
err_says samples number
run stats --where 'maximum>5m' a.blg # neither minutes nor millions
status 2
err_says ms s min h d B KB
run stats --scale --where 'maximum>5MB' a.blg
status 2
run chart $memory --threshold 20ms -o no.svg a.blg
status 2
err_says --threshold 20ms '\Memory\Available MBytes' B
[ ! -e no.svg ] && ok || bad "no.svg was written"

# ---- Times ------------------------------------------------------------------------------------

# mbytes OPTIONS...: the values of Available MBytes, in one line
mbytes() {
	"$PMON_BIN" values --format json -c '\Memory\*' "$@" a.blg |
		sed 's/.*"value":\([0-9]*\),.*/\1/' | paste -sd ' '
}
same 'everything' "$(mbytes)" '2048 2032 2016 2000 1984 1968 1952 1936 1920 1904 1888'
last3='1920 1904 1888'
same 'ISO 8601' "$(mbytes --from 2026-11-20T15:02:00)" "$last3"
same 'ISO 8601, UTC' "$(mbytes --from 2026-11-20T15:02:00Z)" "$last3"
same 'ISO 8601 with an offset' "$(mbytes --from 2026-11-20T17:02:00+02:00)" "$last3"
same 'as relog' "$(mbytes --from '11/20/2026 3:02:00 PM')" "$last3"
same 'as relog, 24 hours' "$(mbytes --from '11/20/2026 15:02:00')" "$last3"
same 'time of day' "$(mbytes --from 15:02)" "$last3"
same 'time of day with @' "$(mbytes --from @15:02:00)" "$last3"
same 'before the end' "$(mbytes --from -30s)" "$last3"
same 'after the start' "$(mbytes --from +2m)" "$last3"
same 'both ends belong to it' "$(mbytes --from 15:00:15 --to 15:00:45)" '2032 2016 2000'
same 'to' "$(mbytes --to +15s)" '2048 2032'
same 'to, before the end' "$(mbytes --to -2.25m)" '2048 2032'
same 'one moment' "$(mbytes --from 15:01 --to 15:01)" '1984'
run stats --from 16:00 a.blg
status 1
out_is ''
err_says 2026-11-20 16:00:00.000

# The first pair of a window begins before it: the value at 15:00:15 is 60 %, as in the whole log.
run values --format json -c '\Processor(*)\*' --from 15:00:15 --to 15:00:15 a.blg
out_has '"value":60,"status":"ok"'
# and the average of 15:00:15 and 15:00:30 is that of the intervals that end there: (60 + 10) / 2.
run stats --format json -c '\Processor(*)\*' --from 15:00:15 --to 15:00:30 a.blg
out_has '"average":35,'
out_has '"samples":2,"invalid":0'

# ---- Clocks -----------------------------------------------------------------------------------

# 15:00 UTC is 07:00 at -08:00 and 20:30 at +05:30.
run values -c '\Memory\*' --tz -08:00 --to 07:00 a.blg
out_has '2026-11-20 07:00:00.000'
same 'one sample' "$(wc -l <<<"$out")" 2
run values -c '\Memory\*' --tz +05:30 --from 20:32:30 a.blg
out_has '2026-11-20 20:32:30.000'
TZ=XYZ-2 run values -c '\Memory\*' --tz local --to 17:00 a.blg
out_has '2026-11-20 17:00:00.000'
TZ=XYZ-2 run values -c '\Memory\*' a.blg
out_has '2026-11-20 15:00:00.000'
run stats --tz +05:30 a.blg
out_has 'times in UTC+05:30'
out_has '20:30:15'
run values --format json --tz -08:00 -c '\Memory\*' a.blg
out_has '"time":"2026-11-20T15:00:00Z"'
run values --format csv --tz -08:00 -c '\Memory\*' a.blg
# PDH's header has minutes from local time to UTC: 480 for -08:00 (pwsh-CounterSamples.csv)
out_has '"(PDH-CSV 4.0) (UTC-08:00)(480)"'
out_has '"11/20/2026 07:00:00.000","2048"'

# A log that spans several days shows the dates.
run stats d.blg
out_has '2026-11-21 15:00:00'
run stats a.blg
out_lacks '2026-11'

# ---- Policies and forms -----------------------------------------------------------------------

# 0 100 40 90 requests at 0 1 2 3 s, 64 bits: 100/s, reset, 50/s. Packets, 32 bits: 0xFFFFFF80 to
# 0xC0 is 0xC0 + 2^32 - 0xFFFFFF80 = 192 + 128 = 320.
values_of() {
	"$PMON_BIN" values --format json -c "$1" "${@:2}" b.blg |
		sed 's/.*"value":\([^,]*\),"status":"\([^"]*\)".*/\1 \2/' | paste -sd ,
}
same 'a reset' "$(values_of '\Web\*')" 'null first_sample,100 ok,null counter_went_back,50 ok'
same 'clamped' "$(values_of '\Web\*' --policy clamp)" \
	'null first_sample,100 ok,0 clamped,50 ok'
same 'a wrap' "$(values_of '\Net\*')" 'null first_sample,320 wrapped,64 ok,64 ok'
same 'strict' "$(values_of '\Net\*' --policy strict)" \
	'null first_sample,null counter_went_back,64 ok,64 ok'
run stats --format json -c '\Web\*' b.blg
out_has '"average":75,' # (100 + 50) / (1 + 1): the reset is left out of both sums
out_has '"samples":4,"invalid":1'
same '--times-1000' "$(values_of '\Web\*' --times-1000)" \
	'null first_sample,100000 ok,null counter_went_back,50000 ok'
# PhysicalDisk(0 C:)\Avg. Disk sec/Read has scale 3 in the log: 0.15 * 10^3
run values --format json -c '\PhysicalDisk(*)\Avg*' --scale --from 15:00:15 --to 15:00:15 a.blg
out_has '"value":150,'
# Two processors in use for 3 s of 2 s: 100 * 3 / 2 = 150 %
run calc -t PERF_100NSEC_TIMER 0:0 30000000:20000000 --format json
out_has '"average":150,'
run calc -t PERF_100NSEC_TIMER 0:0 30000000:20000000 --format json --cap
out_has '"average":100,'

# ---- Counters with instances that a pattern leaves out ------------------------------------------

# As in Windows, a pattern without parentheses is for counters without an instance. What it leaves out is said once,
# however many logs have it, and not where another pattern takes it.
printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\S\SQLServer:Locks(a)\Waits","\\S\SQLServer:Locks(b)\Waits","\\S\SQLServer:General\Users","\\S\Memory\Free"' \
	'"11/20/2026 12:00:00.000","1","2","3","4"' '"11/20/2026 12:00:10.000","1","2","3","4"' >left.csv
sed 's/11.20.2026/11\/21\/2026/' left.csv >left2.csv
note='pmon: note: \SQLServer*\* matches only counters without an instance and leaves out 2 with one; use \SQLServer*(*)\* for those'
for verb in list stats values raw trend explain chart 'report -o left.html' 'relog -f csv -o left.out -y'; do
	run $verb left.csv -c '\SQLServer*\*'
	same "$verb says what is left out" "$(grep -c -F "$note" <<<"$err")" 1
	run $verb left.csv -c '\SQLServer*\*' -c '\SQLServer*(*)\*'
	same "$verb, both kinds" "$(grep -c 'leaves out' <<<"$err")" 0
	run $verb left.csv -c '\Memory\*'
	same "$verb, no instances" "$(grep -c 'leaves out' <<<"$err")" 0
done
run stats left.csv left2.csv -c '\SQLServer*\*'
same 'of two logs' "$(grep -F 'leaves out' <<<"$err")" "$note"

# ---- Words that match nothing: each answer names a search that does --------------------------------

printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\Process(sqlservr)\% Processor Time","\\S\PhysicalDisk(0 C:)\Avg. Disk sec/Read' \
	'01/01/2024 00:00:00.000","1","5' '01/01/2024 00:00:01.000","2","6' >words.csv
while IFS='|' read -r words facts; do
	run list -c "$words" words.csv
	status 1
	IFS=, read -ra facts <<<"$facts"
	err_says "${facts[@]}"
done <<'END'
cpu|-c 'Process cpu',1
diks read|diks,Disk
sqlsrvr|sqlsrvr,sqlservr
sqlservr disk|all of them
xyzzy|xyzzy
END
run list -c 'Process cpu' words.csv
status 0
out_has '\Process(sqlservr)\% Processor Time'

finish
