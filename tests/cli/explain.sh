#!/usr/bin/env bash
# explain.sh - the averages of the NT Debugging blog, and why they are so
# SPDX-License-Identifier: MIT
#
# Source: Microsoft's NT Debugging blog on averages in Performance Monitor (KB2877211). One read took
# 0.15 s, nine intervals had none; F = 14318180. "There has been 1 read performed and it took 150ms,
# therefore the average latency is 150ms per read", and not "15ms (150 / 10)".
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
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
	out_has 'the mean of the 10 displayed values would be 0.015'
	out_has '11: 1 ok, 9 base_zero, 1 first_sample'
done

run stats a.blg -c '\PhysicalDisk(*)\Avg*'
same 'average' "$(awk 'END { print $2 }' <<<"$out")" 0.15

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
out_has 'first_sample: the type needs two samples and this is the first'
run explain a.blg -c '\Memory\*'
out_has 'value     1888'
out_has 'value     1968' # (2048 + 1888) / 2, for they go down in even steps

run explain a.blg -c '\Memry\Available MBytes'
status 1
err_has 'did you mean \Memory\Available MBytes'

# calc --explain is the same arithmetic, value by value.
run calc --explain -t PERF_AVERAGE_TIMER -F 14318180 0:0 2147727:1
out_has '((2147727 - 0) / 14318180) / (1 - 0)'

# Every type that can be displayed can be explained, and names its source.
while IFS=, read -r word _; do
	run explain -t "$word" -F 10 10:1:2 20:3:2
	status 0
	out_has 'source'
	out_has 'status'
done < <("$PMON_BIN" types --format csv | grep -v '^word,')

finish
