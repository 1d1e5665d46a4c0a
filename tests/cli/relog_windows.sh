#!/usr/bin/env bash
# relog_windows.sh - names of outputs, questions, settings files and quoted paths as Windows' tools have them
# SPDX-License-Identifier: MIT
#
# Options and settings: Microsoft's documentation of relog and typeperf. The samples of a.blg (make_log.c)
# are 15 s apart, from 2026-11-20 15:00:00 to 15:02:30 UTC, of the machine SERVER.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
make_log days d.blg

# holds FILE TEXT: a file begins with a text
holds() {
	[ "$(head -c ${#2} "$1" 2>/dev/null)" = "$2" ] && ok || bad "$1 does not begin with $2"
}
csv='"(PDH-CSV 4.0)'

# ---- The suffix of the format -------------------------------------------------------------------

run relog a.blg -f BIN -o b
status 0
out_has 'File:     b.blg'
run info b.blg
out_has 'BLG'
run relog a.blg -f csv -o c
holds c.csv "$csv"
run relog a.blg -f tsv -o c
holds c.tsv '"(PDH-TSV 4.0)'
run relog a.blg -f sql -o c
holds c.db 'SQLite format 3'
run relog a.blg -f csv -o c.log # a suffix that is there stays
holds c.log "$csv"
run relog a.blg -f csv -o ./x.y/../c2 # nor is a dot in a folder a suffix
mkdir x.y
run relog a.blg -f csv -o x.y/c
holds x.y/c.csv "$csv"
run relog a.blg -o b
status 1
err_says b.blg -y
run relog d.blg -o b -a
status 3 # both begin at the same moment, with different values
err_says b 1
run info --format json b.blg
out_has '"samples":14'
run relog a.blg -f csv -o /dev/null -y
status 0
run relog a.blg -q -o list # the output is a list of counters, not a log
[ -e list ] && ok || bad "-q -o list did not write list"
run typeperf '\Memory\Available MBytes' -sc 1 -si 100ms -f BIN -o t
status 0
[ -e t.blg ] && ok || bad "typeperf -o t -f BIN: $(ls t*)"

# ---- An output that exists ----------------------------------------------------------------------

cp b.blg keep.blg
for no in '\n' 'n\n' 'no\n' 'nearly yes\n'; do
	answer "$no" relog a.blg -o b
	status 1
	out_says b.blg '[y/N]'
	out_has 'b.blg was'
	cmp -s b.blg keep.blg && ok || bad "$no overwrote b.blg"
done
answer 'y\n' relog a.blg -o b
status 0
run info --format json b.blg
out_has '"samples":11'
answer 'YES\n' relog a.blg -q -o list
status 0
for verb in 'chart -o p.svg' 'report -o p.html'; do
	# shellcheck disable=SC2086
	run $verb a.blg
	status 0
	# shellcheck disable=SC2086
	answer 'n\n' $verb a.blg
	status 1
	out_has "already exists; overwrite it? [y/N]"
	# shellcheck disable=SC2086
	answer 'y\n' $verb a.blg
	status 0
done

# ---- -a -----------------------------------------------------------------------------------------

# west.csv is a log of the machine WEST at UTC-08:00: 07:00:00 there is 15:00:00 UTC.
printf '"%s"\r\n' '(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\WEST\Memory\Available MBytes' \
	'11/20/2026 07:00:00.000","1' '11/20/2026 07:00:15.000","2' >west.csv
run values --format csv a.blg -c '\Memory\*'
printf '%s\r\n' "$out" >east.csv
cp west.csv keep.csv
run relog east.csv -f csv -o west.csv -a
status 1
err_says_only west.csv WEST SERVER -y
cmp -s west.csv keep.csv && ok || bad "west.csv was changed"
answer '\n' relog east.csv -f csv -o west.csv -a
status 1
out_says west.csv WEST SERVER '[y/N]'
cmp -s west.csv keep.csv && ok || bad "west.csv was changed without yes"
answer 'y\n' relog east.csv -f csv -o west.csv -a
status 0
# All times are on the clock of west.csv: both sections, and what is in the file.
same 'clocks' "$(grep -c 'Clock:    UTC-08:00' <<<"$out")" 2
same 'begins' "$(grep -c 'Begin:    11/20/2026 07:00:00' <<<"$out")" 2
same 'ends' "$(grep -c 'End:      11/20/2026 07:02:30' <<<"$out")" 2
holds west.csv '"(PDH-CSV 4.0) (Pacific Standard Time)(480)"'
run info west.csv
out_has '2026-11-20 07:02:30.000'
# Machines that the output has are not asked for, and -y answers all questions.
run relog east.csv -f csv -o west.csv -a
status 0
cp keep.csv west.csv
run relog east.csv -f csv -o west -a -y
status 0
run list west.csv
out_has '\\SERVER\Memory\Available MBytes'
out_has '\\WEST\Memory\Available MBytes'
cp keep.csv west.csv
run relog east.csv -f csv -o west.csv -a -y -b 07:02 # on the clock of the output too
run values --format csv -c '\\SERVER\*\*' west.csv
same 'samples from 07:02 on' "$(grep -c '"19[0-9]*"\|"1888"' <<<"$out")" 3
run relog east.csv -f csv -o west.csv -a -y --tz utc
out_has 'Clock:    UTC'

# ---- Settings files -----------------------------------------------------------------------------

run relog a.blg -f csv -o want.csv -c '\Memory\Available MBytes' '\PhysicalDisk(*)\Disk Reads/sec'
# settings FILE ARGUMENTS...: a settings file gives want.csv
settings() {
	rm -f got.csv
	run relog -config "$1" "${@:2}"
	status 0
	cmp -s got.csv want.csv && ok || bad "$1 ($(tr '\n' '|' <"$1")): $(head -c 300 got.csv)"
}
paths='\Memory\Available MBytes
\PhysicalDisk(*)\Disk Reads/sec'
quoted='"\Memory\Available MBytes" "\PhysicalDisk(*)\Disk Reads/sec"'
printf '[i]\na.blg\n[o]\ngot.csv\n[f]\ncsv\n[c]\n%s\n' "$paths" >one.txt
settings one.txt
printf '[i] a.blg\n[o] got\n[f] csv\n[c] %s\n' "$quoted" >two.txt # on the same line
settings two.txt
printf '; a comment\r\n[F]\r\nCSV\r\n\r\n[O]\r\ngot.csv\r\n[C]\r\n%s\r\n[I]\r\n"a.blg"\r\n' "$quoted" >three.txt
settings three.txt
printf -- '-f csv\n-o got.csv\n-c %s\n-i\n' "$quoted" >four.txt # -i: the files of the command line
settings four.txt a.blg
printf -- '-i a.blg -f csv -o "got.csv" -c %s' "$quoted" >five.txt
settings five.txt
printf '[i]\n"a*.blg"\n[f]\ncsv\n[o]\ngot.csv\n[c]\n%s\n[b]\n11/20/2026 3:00:00 PM\n-e 11/20/2026 3:02:30 PM\n' \
	"$paths" >six.txt # wildcards, and times of several words
settings six.txt
printf '[o]\nno.csv\n-config one.txt\n' >seven.txt
run relog a.blg -config seven.txt
status 2
err_says settings
printf 'a.blg\n' >eight.txt
run relog -config eight.txt
status 2
err_says a.blg
run relog 'a*.blg' 'd*.blg' -q
status 3
err_says a.blg d.blg 1
out_has 'Samples:  14'

# ---- Several paths in one argument --------------------------------------------------------------

for argument in "$quoted" '"\Memory\Available MBytes","\PhysicalDisk(*)\Disk Reads/sec"' \
	'\Memory\Available MBytes,\PhysicalDisk(*)\Disk Reads/sec' \
	'\Memory\Available MBytes, \PhysicalDisk(*)\Disk Reads/sec' \
	'\\SERVER\Memory\Available MBytes \\SERVER\PhysicalDisk(*)\Disk Reads/sec'; do
	rm -f got.csv
	run relog a.blg -f csv -o got.csv -c "$argument"
	status 0
	cmp -s got.csv want.csv && ok || bad "-c $argument: $(head -n 1 got.csv)"
	run stats --format csv a.blg -c "$argument"
	same "rows of -c $argument" "$(wc -l <<<"$out")" 3
	printf '%s\n' "$argument" >cf.txt
	run stats --format csv a.blg -cf cf.txt
	same "rows of -cf: $argument" "$(wc -l <<<"$out")" 3
done
# Blanks, commas and backslashes inside of one path do not divide it.
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\A(x, \y z)\b, c \d","\\S\A(q)\e f' \
	'01/01/2024 00:00:00.000","1","2' >odd.csv
run list odd.csv -c '\A(x, \y z)\*'
out_has '\A(x, \y z)\b, c \d'
run list odd.csv -c '\A(q)\e f'
same 'one path' "$(wc -l <<<"$out")" 1
run typeperf '"\Memory\Available MBytes" "\System\Context Switches/sec"' -sc 1 -si 100ms
status 0
same 'columns' "$(grep -o '\\\\' <<<"$(grep PDH-CSV <<<"$out")" | wc -l)" 2

finish
