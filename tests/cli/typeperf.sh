#!/usr/bin/env bash
# typeperf.sh - the command lines that people have for typeperf
# SPDX-License-Identifier: MIT
#
# Options and their meaning: Microsoft's documentation of typeperf. What is printed: a capture of
# Windows' typeperf over WinRM, an empty line, a header without a zone, rows of six decimals, two lines
# of words. The values are computed by hand from the trees of lib_live.sh.
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"

make_trees trees
words=$(printf '%-48s\n' 'Exiting, please wait...' 'The command completed successfully.' | sed '2s/ *$//')

# ---- Usage ------------------------------------------------------------------------------------

run typeperf
status 2
err_says counters
for help in '-?' '/?' -h --help; do
	run typeperf "$help"
	status 0
	out_has 'usage: pmon typeperf'
done
run typeperf '\System\Threads' -zz
status 2
err_says -zz
run typeperf '\System\Threads' -f xls
status 2
err_says -f BIN CSV TSV SQL JSONL JSONL-VALUES OPENMETRICS PROMETHEUS INFLUX SQLSERVER
for interval in 0 0:0 1:2:3:4 soon 1: -1; do
	run typeperf '\System\Threads' -si "$interval"
	status 2
	err_says -si '[[hh:]mm:]ss'
done
for count in 0 x 1.5; do
	run typeperf '\System\Threads' -sc "$count"
	status 2
	err_says -sc
done
run typeperf '\System\Threads' -f BIN
status 2
err_says -o
run typeperf '\System\Threads' -f SQL -o 'SQL:perf!run'
status 2
err_has 'ODBC'
run typeperf 'System'
status 2
run typeperf '\System\Threads' -si
status 2
err_says -si

# ---- Rows: 500 switches in 1 s, 3000 in the 2 s after it ----------------------------------------

head='
"(PDH-CSV 4.0)","\\box\System\Context Switches/sec","\\box\System\Threads"'
rows='"01/01/2024 00:00:01.000","500.000000","81.000000"
"01/01/2024 00:00:03.000","1500.000000","82.000000"'
counters=('\System\Context Switches/sec' '\System\Threads')
run typeperf "${counters[@]}" --replay trees
status 0
out_is "$head
$rows
$words"
[ -z "$err" ] && ok || bad "stderr: $err"
run typeperf --replay trees /SC 1 "${counters[@]}"
status 0
out_is "$head
${rows%%$'\n'*}
$words"
run typeperf --replay trees -f tsv "${counters[@]}"
status 0
out_is "$(printf '%s\n' "$head" "$rows" | sed 's/PDH-CSV/PDH-TSV/; s/","/"\t"/g')
$words"
run typeperf --replay trees --tz +01:00 -sc 1 "${counters[@]}"
out_has '"01/01/2024 01:00:01.000"'

# Columns are in the order of the arguments; a wildcard is expanded at its position.
run typeperf --replay trees -sc 1 '\System\Threads' '\System\*'
status 0
[[ $out == *'"(PDH-CSV 4.0)","\\box\System\Threads","\\box\System\Context Switches/sec"'* ]] && ok ||
	bad "columns: $out"
[ "$(grep -o 'Threads"' <<<"$out" | wc -l)" = 1 ] && ok || bad "a counter has two columns"

# A pattern that matches nothing is reported, the others are used; a machine may be named.
run typeperf --replay trees '\System\Threds' '\\box\System\Threads' '\\localhost\System\Context*'
status 0
err_says '\System\Threds'
err_says '\System\Threads'
out_has '"(PDH-CSV 4.0)","\\box\System\Threads","\\box\System\Context Switches/sec"'
run typeperf --replay trees '\System\Threds'
status 1
run typeperf '\NoSuch\Counter' -sc 1000
status 1
err_says '\NoSuch\Counter'

# A counter that is missing in a sample is blank there, not zero.
cp -r trees holes
rm holes/2/proc/loadavg
run typeperf --replay holes "${counters[@]}"
status 0
out_has '"01/01/2024 00:00:03.000","1500.000000"," "'
# A counter that appears after the header was written has no column.
cp -r trees late
rm late/0/proc/loadavg
run typeperf --replay late '\System\Context*' '\System\Threads'
status 0
out_has '"(PDH-CSV 4.0)","\\box\System\Context Switches/sec"'
out_lacks Threads

# ---- Counters from files, settings ---------------------------------------------------------------

printf '\xef\xbb\xbf"\\System\\Context Switches/sec"\r\n; a remark\r\n\\System\\Threads\r\n' >list.txt
run typeperf -cf list.txt --replay trees
out_is "$head
$rows
$words"
printf '[replay]\ntrees\n' >bad.txt
run typeperf -config bad.txt
status 2
err_says '[replay]'
printf '[cf]\nlist.txt\n[sc]\n1\n[si]\n00:00:01\n[f]\ncsv\n[o]\nset.csv\n[y]\n' >settings.txt
run typeperf --replay trees -config settings.txt
status 0
out_is "$words"
[ "$(wc -l <set.csv)" = 2 ] && ok || bad "-config: $(cat set.csv)"
printf '[c]\n%s\n%s\n' "${counters[@]}" >settings.txt
run typeperf --replay trees -config settings.txt
out_is "$head
$rows
$words"
printf '[config]\nsettings.txt\n' >settings.txt
run typeperf -config settings.txt
status 2
run typeperf -config nothing.txt
status 1
err_has nothing.txt

# ---- Logs ---------------------------------------------------------------------------------------

run typeperf --replay trees "${counters[@]}" -o a.csv
status 0
out_is "$words"
printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\box\System\Context Switches/sec","\\box\System\Threads"' \
	'"01/01/2024 00:00:01.000","500","81"' '"01/01/2024 00:00:03.000","1500","82"' >want.csv
cmp -s a.csv want.csv && ok || bad "a.csv: $(cat a.csv)"
run typeperf --replay trees "${counters[@]}" -o - -f CSV
cmp -s "$tmp/.out" want.csv && ok || bad "-o - is not the file"
run typeperf --replay trees "${counters[@]}" -o a.csv
status 1
err_says_only a.csv -y
cmp -s a.csv want.csv && ok || bad "a.csv was touched without -y"
run typeperf --replay trees "${counters[@]}" -o a.csv -sc 1 -y
status 0
[ "$(wc -l <a.csv)" = 2 ] && ok || bad "-y does not write over"
for format in BIN SQL JSONL TSV; do
	run typeperf --replay trees "${counters[@]}" -o "a.$format" -f $format
	status 0
	run info --format json "a.$format"
	status 0
	out_has '"counters":2'
done
# A log of raw values holds the sample that the first rate begins with.
run values --format json -c '\System\Context*' a.BIN
status 0
[ "$(grep -c '"ok"' <<<"$out")" = 2 ] && ok || bad "a.BIN: $out"
run stats --format json -c '\System\Context*' a.BIN
# 3500 in 3 s
out_has '"average":1166.6666666666667'
run typeperf --replay trees "${counters[@]}" -o missing/a.csv
status 1
err_has 'missing/a.csv'

# ---- Lists --------------------------------------------------------------------------------------

run typeperf -q --replay trees
status 0
out_has '\System\Threads'
all=$out
run list -q --replay trees
same 'pmon list -q' "$out" "$all"
run typeperf -qx system --replay trees
status 0
out_has '\System\Context Switches/sec'
[ -z "$(grep -v '^\\System\\' <<<"$out")" ] && ok || bad "-qx OBJECT lists others: $out"
run typeperf -q Nonsense --replay trees
status 1
err_says Nonsense
run typeperf -q Sytsem --replay trees
status 1
err_says System
run typeperf -qx -o q.txt --replay trees
status 0
[ -z "$out" ] && ok || bad "-q -o prints: $out"
run typeperf -qx -o q.txt --replay trees
status 1
err_says q.txt
run typeperf -cf q.txt -sc 1 --replay trees
status 0
out_has '\\box\System\Threads'

# ---- Computers ----------------------------------------------------------------------------------

for computer in box BOX '\\box' localhost . ''; do
	run typeperf -s "$computer" --replay trees -sc 1 '\System\Threads'
	status 0
	out_has '"81.000000"'
done
run typeperf -s server7 --replay trees '\System\Threads'
status 1
err_has 'ssh server7 pmon'
run typeperf --replay trees '\\server7\System\Threads'
status 1
err_has 'ssh server7 pmon'

# ---- This machine, for real ---------------------------------------------------------------------

[ -r /proc/loadavg ] || finish
ln -s "$PMON_BIN" typeperf
PATH=$PWD:$PATH typeperf '\System\Threads' -si 100ms -sc 2 >link.csv 2>&1 && ok ||
	bad "under the name typeperf it is not typeperf: $(cat link.csv)"
[ "$(grep -cE '^"[0-9/]+ [0-9:.]+","[0-9]+\.000000"$' link.csv)" = 2 ] && ok ||
	bad "two rows: $(cat link.csv)"
run stats --format json link.csv
status 0
out_has '"samples":2'

has_samples() { # NUMBER FILE
	[ "$("$PMON_BIN" info --format json "$2" | sed -n 's/.*"samples":\([0-9]*\).*/\1/p')" -ge "$1" ]
}
# Rows are there at once, logs can be read while they grow, and an interrupt leaves them whole.
for format in '' CSV BIN JSONL; do
	rm -f live.*
	ran="typeperf -f $format, interrupted"
	# A shell without job control has what it puts into the background ignore interrupts.
	env --default-signal=INT "$PMON_BIN" typeperf '\System\*' -si 50ms \
		${format:+-f $format -o live.log} >live.out 2>live.err &
	pid=$!
	file=live.log
	[ -n "$format" ] || file=live.out
	wait_for has_samples 3 $file && ok || bad "$file cannot be read while it grows"
	kill -INT $pid
	wait $pid && ok || bad "the interrupt is a failure: $(cat live.err)"
	run info $file
	status 0
	run stats --format json -c '\System\Threads' $file
	status 0
	out_has '"invalid":0'
	grep -q 'The command completed successfully.' live.out && ok || bad "no last words"
done

# On a terminal, pmon asks before it overwrites a file.
cp want.csv ask.csv
answer 'n\n' typeperf --replay trees '\System\Threads' -o ask.csv
status 1
out_says ask.csv '[y/N]'
cmp -s ask.csv want.csv && ok || bad "ask.csv was touched after no"
answer 'y\n' typeperf --replay trees '\System\Threads' -o ask.csv
status 0
cmp -s ask.csv want.csv && bad "ask.csv was not written after yes" || ok

finish
