#!/usr/bin/env bash
# explain.sh - the averages of the NT Debugging blog, and why they are so
# SPDX-License-Identifier: MIT
#
# Source: Microsoft's NT Debugging blog on averages in Performance Monitor (KB2877211). One read took
# 0.15 s, nine intervals had none; F = 14318180. "There has been 1 read performed and it took 150ms,
# therefore the average latency is 150ms per read", and not "15ms (150 / 10)".
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg

raws=(0:0)
for _ in 1 2 3 4 5 6 7 8 9 10; do raws+=(2147727:1); done

run calc -t PERF_AVERAGE_TIMER -F 14318180 "${raws[@]}"
status 0
out_has '2147727:1                    0.15 s'
out_has 'average  0.15 s'
out_has 'maximum  0.15 s'
out_has 'last     0 s'
out_lacks '0.015'
same 'nine intervals without a read' "$(grep -c '^2147727:1 .* 0 s  (base_zero)' <<<"$out")" 9

run calc --format json -t PERF_AVERAGE_TIMER -F 14318180 "${raws[@]}"
out_has '"average":0.15,"minimum":0,"maximum":0.15,"last":0}'

for args in "explain -t PERF_AVERAGE_TIMER -F 14318180 ${raws[*]}" \
	'explain a.blg -c \PhysicalDisk(*)\Avg*'; do
	# shellcheck disable=SC2086
	run $args
	status 0
	average=$(sed -n '/^Average/,$p' <<<"$out")
	out=$average
	out_has 'value     0.15 s'
	out_has 'PERF_AVERAGE_TIMER  0x30020400'
	out_has '((Nx - N0) / F) / (Bx - B0)'
	out_has '((2147727 - 0) / 14318180) / (1 - 0)'
	out_has '2147727 / 14318180 = 0.15'
	out_has 'NT Debugging blog'
	out_says 10 0.015
	out_has '11: 1 ok, 9 base_zero, 1 first_sample'
done

run stats a.blg -c '\PhysicalDisk(*)\Avg*'
same 'average' "$(awk 'END { print $3, $4 }' <<<"$out")" '150 ms'

# The value of one moment, asked for by its time; the nearest sample is taken.
run explain a.blg -c '\Processor(_Total)\*' --at 15:00:14
status 0
out_has 'Value at 2026-11-20 15:00:15.000'
# 6 s idle of 15 s, in 100 ns: 100 * (1 - 60000000 / 150000000) = 60 %
out_has '100 * (1 - (60000000 - 0) / (150000000 - 0))'
out_has 'value     60 %'
out_has 'Average from 2026-11-20 15:00:00.000 to 2026-11-20 15:02:30.000'
# The mean of 60 10 5 5 20 5 5 5 30 5, for all intervals are of one length: 15
out_has 'value     15'
out_lacks 'the mean of the' # which says nothing where it is the same
run explain a.blg -c '\Processor(_Total)\*' --at 15:00
out_says first_sample
run explain a.blg -c '\Memory\*'
out_has 'value     1888'
out_has 'value     1968' # (2048 + 1888) / 2, for they go down in even steps

run explain a.blg -c '\Memry\Available MBytes'
status 1
err_says '\Memory\Available MBytes'

# calc --explain is the same arithmetic, value by value.
run calc --explain -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1
out_has '((2147727 - 0) / 14318180) / (1 - 0)'

# What the counter itself measures, with its source; of this one Windows' documents say that times of
# requests that overlap are added up.
run explain a.blg -c '\PhysicalDisk(*)\Avg*'
out_says help
out_has 'by        Windows Server 2003 Performance Counters Reference'
run explain a.blg -c '\PhysicalDisk(*)\Avg*' --format json
out_says help
run explain -t PERF_COUNTER_RAWCOUNT 1 --format json
out_lacks '"help"'

# Every type that can be displayed can be explained, and names its source.
while IFS=, read -r word _; do
	run explain -t "$word" -F 10 10:1:2 20:3:2
	status 0
	out_has 'source'
	out_has 'status'
done < <("$PMON_BIN" types --format csv | grep -v '^word,')

# ---- Displayed values ---------------------------------------------------------------------------

# A log of displayed values: by docs/reference/counters.md the mean is the average of counts and fractions, and
# not that of timers (two intervals, 15 s at 10 % and 30 s at 40 %: 30 %), of times for each operation
# and of elapsed times. (10 + 40) / 2 = 25.
cat >shown.csv <<'EOF'
"(PDH-CSV 4.0) (UTC)(0)","\\SRV\Processor(_Total)\% Processor Time","\\SRV\PhysicalDisk(0 C:)\Avg. Disk sec/Read","\\SRV\Memory\Available MBytes","\\SRV\System\System Up Time","\\SRV\LogicalDisk(C:)\% Free Space","\\SRV\LogicalDisk(D:)\% Free Space","\\SRV\Ours\Things"
"11/20/2026 10:00:00.000"," ","0.15","3000","100","10","20","1"
"11/20/2026 10:00:15.000","10","0","3002","115","10","22","3"
"11/20/2026 10:00:45.000","40","0","3004","145","10","24","8"
EOF

shown() { # pattern, mean, kind, type, what the note says
	run explain shown.csv -c "$1"
	status 0
	out_has "value     $2"
	out_has "type      $4"
	out_says displayed
	out_says note displayed raw
	out_has "$5"
	out_lacks DOUBLE_RAW
	run explain shown.csv -c "$1" --format json
	out_has "\"average_kind\":\"$3\"}"
	out_lacks DOUBLE_RAW
	run stats shown.csv -c "$1" --format csv
	out_has ",$3"
}
shown '\Processor(*)\*' '25 %' mean PERF_100NSEC_TIMER_INV 'regardless of their length'
shown '\PhysicalDisk(*)\*' '0.04999' mean PERF_AVERAGE_TIMER 'regardless of the number of operations'
shown '\Memory\*' 3002 true PERF_COUNTER_LARGE_RAWCOUNT 'It is the average of this type'
shown '\System\*' '120 s' mean PERF_ELAPSED_TIME 'which is the newest value'
shown '\LogicalDisk(D:)\*' '22 %' true PERF_RAW_FRACTION 'It is the average of this type'
shown '\Ours\*' 4 unknown unknown 'so this may not be'
run explain shown.csv -c '\Ours\*' --format json
out_has '"type":null'

# Marks, and the count of the marks that are shown. A fraction of a group needs its parts and wholes,
# which displayed values do not have.
run stats shown.csv
err_says '~' 3
err_says 1
run stats shown.csv --where 'average>2000'
same 'no mark, no message' "$err" ''
run stats shown.csv --by machine -c '\LogicalDisk(*)\*'
out_has '16 %~'
err_says 1

# ---- Latencies of text logs -------------------------------------------------------------------------

# 10 reads a second of 100 ms keep a queue of 1, 100 reads of 1 ms one of 0.1 (Little's law). The average of all reads is
# 1.1 / 110 = 10 ms; the mean of the cells is 50.5 ms. What it follows from is read, but not shown.
reads='\PhysicalDisk(0 C:)\Avg. Disk sec/Read'
printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\S\PhysicalDisk(0 C:)\Avg. Disk sec/Read","\\S\PhysicalDisk(0 C:)\Avg. Disk Read Queue Length","\\S\PhysicalDisk(0 C:)\Disk Reads/sec"' \
	'"11/20/2026 12:00:00.000","0.1","1","10"' '"11/20/2026 12:00:10.000","0.001","0.1","100"' >reads.csv
# (1 s/s + 0.1 s/s) x 10 s = 11 s over (10 + 100) x 10 = 1,100 reads: 10 ms each.
run explain reads.csv -c "$reads"
out_has 'value     0.01 s'
out_has '11 / 1100'
out_says rate
out_lacks 0.0505
run explain reads.csv -c "$reads" --format json
out_has '"average":{"value":0.01,'
out_has '"with_operands":"11 / 1100"'
out_has '"average_kind":"derived"'
out_lacks 'Disk Reads/sec'
for identity in process windows; do
	run stats reads.csv -c "$reads" --identity "$identity"
	same 'the table' "$(sed -n '4,$p' <<<"$out" | awk '{ print $1, $2, $3, $4 }')" '1 ms 10 ms*'
	err_says_only '*' 1
done
# One value everywhere: in each format, for one counter or all, in groups, in conditions, in a database.
"$PMON_BIN" relog reads.csv -f sqlite -o reads.db -y >relog.out 2>&1
for log in reads.csv reads.db; do
	for chosen in "$reads" '\PhysicalDisk(*)\*'; do
		for by in '' '--by machine' '--by object' '--by instance' '--by process'; do
			run stats $log -c "$chosen" $by --format csv
			same "$log $chosen $by in CSV" "$(sed -n 's/.*Avg. Disk sec//p' <<<"$out" | cut -d, -f5,14)" 0.01,derived
			run stats $log -c "$chosen" $by --format json
			same "$log $chosen $by in JSON" \
				"$(grep 'sec/Read' <<<"$out" | grep -o '"average":[^,]*\|"average_kind":[^,}]*' | paste -sd' ')" \
				'"average":0.01 "average_kind":"derived"'
			run stats $log -c "$chosen" $by --where 'average>9ms' --where 'average<11ms'
			out_has '10 ms*'
		done
	done
done
run reads.csv
out_has 'Disk read 0 C:   10 ms*'
# Without the rate, or with another disk's, there is nothing to compute it from.
for other in 'Disk Writes/sec' 'Disk Reads/min'; do
	sed "s;Disk Reads/sec;$other;" reads.csv >other.csv
	run stats other.csv -c "$reads"
	out_has '50.5 ms~'
done
sed 's/(0 C:)\\Disk Reads/(1 D:)\\Disk Reads/' reads.csv >other.csv
run stats other.csv -c "$reads"
out_has '50.5 ms~'

finish
