#!/usr/bin/env bash
# relog.sh - the command lines that people have for relog
# SPDX-License-Identifier: MIT
#
# Options and their meaning: Microsoft's documentation of relog. The small logs are those of make_log.c,
# whose values are known: one read of 0.15 s in the first interval, then none (NT Debugging blog).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
make_log back b.blg
make_log days d.blg

# ---- Usage ------------------------------------------------------------------------------------

run relog
status 2
err_says log
run relog a.blg # as Windows' relog: the times, and not the counters
status 0
out_has 'Begin:    11/20/2026 15:00:00'
out_has 'End:      11/20/2026 15:02:30'
out_has 'Samples:  11'
out_lacks '\\'
for writing in '-f csv' '-a' '-t 2' '--step 5m' '--dry-run' '--merge'; do
	run relog a.blg $writing
	status 2
	err_says -o
done
run relog -\?
status 0
out_has 'usage: pmon relog'
run relog a.blg -o x.csv -f xls
status 2
err_says -f BIN CSV TSV SQL JSONL JSONL-VALUES OPENMETRICS PROMETHEUS INFLUX SQLSERVER
run relog a.blg -o x.csv -zz
status 2
err_says -zz
run relog a.blg -t 0 -o x.blg
status 2
run relog a.blg -o 'SQL:perf!run' -f SQL
status 2
err_has 'ODBC'
run relog nothing.blg -o x.blg
status 1
[ ! -e x.blg ] && ok || bad "x.blg was made of nothing"

# ---- Logs that are written while they are read ------------------------------------------------

# A second header brings a counter that the first does not list: the log is made again, with both.
first='"(PDH-CSV 4.0) (UTC)(0)","\\S\A\x"'
both='"(PDH-CSV 4.0) (UTC)(0)","\\S\A\x","\\S\A\y"'
printf '%s\r\n' "$first" '"01/01/2024 00:00:00.000","1"' \
	"$both" '"01/01/2024 00:00:01.000","2","3"' >twice.csv
printf '%s\r\n' "$both" '"01/01/2024 00:00:00.000","1"," "' \
	'"01/01/2024 00:00:01.000","2","3"' >want.csv
run relog twice.csv -f csv -o made.csv
status 0
out_has 'Samples:  2'
cmp -s made.csv want.csv && ok || bad "made.csv is not as it should be: $(cat made.csv)"
[ -z "$(find . -name 'made.csv.*')" ] && ok || bad "the first attempt was left"
run relog twice.csv -f csv -o made.csv
status 1
err_has 'exists'

# ---- Formats, in any case and with either sign ------------------------------------------------

run relog a.blg -f csv -o a.csv
status 0
out_has 'Samples:'
out_has 'File:     a.csv (csv)'
err_says displayed
run relog a.blg /F CSV /o a2.csv
status 0
cmp -s a.csv a2.csv && ok || bad "/F CSV differs from -f csv"
[ "$(head -c 14 a.csv)" = '"(PDH-CSV 4.0)' ] && ok || bad "a.csv does not begin as PDH-CSV"
[ "$(tr -dc '\r' <a.csv | wc -c)" = "$(wc -l <a.csv)" ] && ok || bad "a.csv has lines without CR"
run relog a.blg -f TSV -o a.tsv
status 0
[ "$(tr '\t' , <a.tsv | sed 's/PDH-TSV/PDH-CSV/' | cmp - a.csv && echo same)" = same ] && ok ||
	bad "a.tsv is not a.csv with tabs"
run relog a.blg -o a3.blg
status 0
[ -z "$err" ] && ok || bad "BLG loses nothing, yet: $err"
run raw --format json a3.blg
written=$out
run raw --format json a.blg
[ "$written" = "$out" ] && ok || bad "raw values change in a3.blg"
run stats --format json a3.blg
out_has '"average":0.15'

# ---- Never over a file that is there, but with -y ---------------------------------------------

cp a3.blg keep.blg
run relog b.blg -o a3.blg
status 1
err_says a3.blg -y
cmp -s a3.blg keep.blg && ok || bad "a3.blg was touched without -y"
run relog b.blg -o a3.blg -y
status 0
cmp -s a3.blg keep.blg && bad "a3.blg was not written over" || ok
[ -z "$(find . -name '*.tmp')" ] && ok || bad "temporary files are left"

# ---- Which samples ----------------------------------------------------------------------------

run relog a.blg -t 3 -f csv -o t.csv
status 0
[ "$(wc -l <t.csv)" = 5 ] && ok || bad "every third of eleven samples are four, and a header"
run relog a.blg --dry-run -o dry.csv -f csv
status 0
out_has 'Would write'
[ ! -e dry.csv ] && ok || bad "--dry-run wrote"
run relog a.blg -q
status 0
out_has 'Avg. Disk sec/Read'
out_has 'Begin:'
run relog a.blg -q -o q.txt
status 0
run relog a.blg -cf q.txt -f csv -o q.csv
status 0
cmp -s q.csv a.csv && ok || bad "the list of -q -o does not select what it lists"
run relog a.blg -q -o q.txt
status 1
err_says q.txt
run relog a.blg -c '\PhysicalDisk(*)\Avg. Disk sec/Read' '\Thread(*)\*' -f csv -o c.csv
status 0
err_says '\Thread(*)\*'
[ "$(head -n 1 c.csv | grep -o Disk | wc -l)" -ge 1 ] && ok || bad "c.csv has not its counter"
printf '%s\r\n' '"\PhysicalDisk(*)\Disk Reads/sec"' >list.txt
run relog a.blg -cf list.txt -f csv -o cf.csv
status 0
grep -q 'Disk Reads/sec' < <(head -n 1 cf.csv) && ok || bad "-cf does not select"
grep -q 'sec/Read' < <(head -n 1 cf.csv) && bad "-cf selects too much" || ok

# The samples are 15 s apart from 15:00:00 on, so these are three; the first has a preceding sample.
run relog a.blg -b 11/20/2026 3:00:30 PM -e 11/20/2026 3:01:00 PM -f csv -o be.csv
status 0
[ "$(wc -l <be.csv)" = 4 ] && ok || bad "-b and -e: $(wc -l <be.csv) lines"
run relog a.blg --from 15:00:30 --to 15:01 -f csv -o be2.csv
cmp -s be.csv be2.csv && ok || bad "--from and --to differ from -b and -e"

# ---- Steps: exact by type, not a mean of what is displayed --------------------------------------

run relog a.blg --step 1h -c '\PhysicalDisk(*)\Avg. Disk sec/Read' -f csv -o step.csv
status 0
# The first sample is on the boundary, so it ends a step of its own; the other ten are one step.
[ "$(tail -n 1 step.csv | cut -d, -f2 | tr -d '\r')" = '"0.14999999999999999"' ] && ok ||
	bad "the step is $(tail -n 1 step.csv), not the average of 0.15 s"

# ---- Settings, append, directories, names -------------------------------------------------------

printf '[o]\nconf.csv\n[f]\ncsv\n[y]\n[i]\na.blg\n' >settings.txt
run relog -config settings.txt
status 0
cmp -s conf.csv a.csv && ok || bad "-config gives another file"
run relog a.blg -o app.blg
run relog d.blg -o app.blg -a
status 3 # both begin at the same moment, with different values
err_says_only app.blg 1 '\\SERVER\Memory\Available MBytes' 2026-11-20T15:00:00Z
run info --format json app.blg
out_has '"samples":14'
# The existing output stays complete, whatever is chosen from the inputs; text gets no raw values.
run relog d.blg -o app.blg -a -c '\Memory\*' -t 2
status 0
run list app.blg
out_has 'Avg. Disk sec/Read'
run relog a.blg -f csv -o app.blg -a
status 1
err_says app.blg BLG
cp a.csv app.csv
run relog d.blg -f csv -o app.csv -a
status 1
err_says displayed
run relog a.csv -f csv -o app.csv -a
status 0
cmp -s a.csv app.csv && ok || bad "a.csv added to itself is not a.csv"
mkdir dir
run relog a.blg b.blg -f csv -o dir
status 0
[ -s dir/a.csv ] && [ -s dir/b.csv ] && ok || bad "a directory gets one file for each input"
run relog a.blg d.blg --merge -f csv -o dir
status 3
err_says a.blg d.blg 1
[ -s dir/merged.csv ] && ok || bad "--merge writes no merged.csv"
run relog a.blg -f csv -o -
status 0
[ "$out" = "$(cat a.csv)" ] && ok || bad "-o - is not the file"
ln -s "$PMON_BIN" relog
PATH=$PWD:$PATH relog a.blg -f csv -o link.csv >/dev/null 2>&1 && cmp -s link.csv a.csv && ok ||
	bad "under the name relog it is not relog"

# ---- Where nothing can be written ---------------------------------------------------------------

run relog a.blg -f csv -o missing/x.csv
status 1
err_has 'missing/x.csv'
(trap '' XFSZ && ulimit -f 1 && "$PMON_BIN" relog app.blg -o full.blg >/dev/null 2>full.err)
[ $? -eq 1 ] && [ ! -e full.blg ] && [ -z "$(find . -name 'full.blg*')" ] && ok ||
	bad "a full disk leaves something: $(cat full.err)"
grep -q 'full.blg' full.err && ok || bad "a full disk is not told: $(cat full.err)"

# The help has each format that the message about a wrong one has; PROMETHEUS is another word for OPENMETRICS.
run relog -f nosuch a.blg -o x
status 2
offered=$(sed -n 's/.*must be \(.*\), not.*/\1/p' <<<"$err" | tr -s ', ' '\n' | grep -vx 'or\|PROMETHEUS')
[ "$(wc -l <<<"$offered")" -ge 10 ] && ok || bad "formats: $offered"
run relog --help
for format in $offered; do
	grep -qw -- "$format" <<<"$out" && ok || bad "the help lacks $format"
done
finish
