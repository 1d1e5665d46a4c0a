#!/usr/bin/env bash
# mistakes.sh - what newcomers type: each answer says what is wrong with what, and what to type instead
# SPDX-License-Identifier: MIT
#
# A row is: exit status | words, as a shell reads them | what one line of the answer has, separated by commas.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
printf 'not a log\n' >notes.txt
mkdir empty

while IFS='|' read -r want words facts; do
	[ -n "$want" ] && [[ $want != \#* ]] || continue
	eval "words=($words)"
	run "${words[@]}"
	status "$want"
	IFS=, read -ra facts <<<"$facts"
	err_says "${facts[@]}"
done <<'END'
# ---- No verb, another verb
2|stat a.blg|pmon stats a.blg
2|convert a.blg a.csv|pmon relog a.blg -o a.csv
2|export a.blg|pmon relog a.blg -o
2|plot a.blg|pmon chart a.blg
2|merge a.blg b.blg|pmon relog a.blg b.blg -o merged.blg
2|compare a.blg b.blg|pmon diff a.blg b.blg
2|summary a.blg|pmon a.blg
2|tail a.blg|pmon values --from -5m a.blg
2|vlaues a.blg|values
2|hlep|help
2|nothing|nothing,pmon --help
2|-c cpu a.blg|-c,pmon stats -c cpu a.blg
2|a.blg -c cpu|-c,pmon stats a.blg -c cpu
2|a.blg --csv|--csv,pmon stats a.blg --csv
2|a.blg -c 'disk read'|pmon stats a.blg -c 'disk read'
2|--by process a.blg|pmon stats --by process a.blg
2|--frobnicate a.blg|--frobnicate,pmon --help
2|--hepl|--hepl,pmon --help
# ---- Options
2|stats a.blg --last 1h|--last,--from -1h
2|stats a.blg --head 5|--head,--to +5m
2|raw a.blg --tail 5|--tail,--from -5m
2|stats a.blg -o out.csv|-o,> FILE,pmon relog LOG -o FILE
2|values a.blg --output out.csv|--output,> FILE
2|chart a.blg --png|--png,pmon chart LOG -o chart.png
2|stats a.blg --fromat csv|--fromat,--format
2|stats a.blg --limit ten|--limit,ten,number
2|stats a.blg --sort cpu|--sort,cpu,average
2|stats a.blg --every hour|--every,hour,1h
2|stats a.blg -n 5|--count,--limit
2|values a.blg --interval 1m|--interval,--every
2|stats a.blg --format xml|--format,xml,csv
2|stats a.blg -c|-c,PATTERN
2|stats a.blg --from|--from,TIME
# ---- Times
2|stats a.blg --from someday|someday,2026-11-21T10:30,yesterday 14:00
2|stats a.blg --from 25:00|25:00,2pm
1|stats a.blg --from 2026-11-20 15:00|15:00,quotes,--from
2|stats a.blg --from 15:02 --to 15:01|--from 15:02,--to 15:01
1|stats a.blg --from 10:00 --to 11:00|2026-11-20 10:00:00.000,2026-11-20 15:00:00.000
2|stats a.blg --at 15:00 --to 16:00|--at,--from,--to
2|stats a.blg --tz mars|--tz,mars,+01:00,Europe/Berlin
# ---- Counters
1|stats a.blg -c 'memroy'|memroy,Memory
1|stats a.blg -c '\Memroy\Available MBytes'|did you mean,\Memory\Available MBytes
1|stats a.blg -c '/Memory/Available MBytes'|backslashes,'\Process(*)\Handle Count'
1|stats a.blg -c 'sqlservr'|sqlservr
1|stats cpu a.blg|cpu,-c
2|explain a.blg|-c,pmon list a.blg
2|find a.blg|a.blg,condition,pmon find,pmon list -c
2|find 'cpu > 50%' a.blg|cpu > 50%,condition,path,pmon list -c
2|find '\Memory\Available MBytes' a.blg|>=,limit
2|find '\Memory\Available MBytes < few' a.blg|few,100MB
# ---- Files
1|stats nofile.blg|nofile.blg,no such file
1|stats 'C:\PerfLogs\a.blg'|C:\PerfLogs\a.blg,path of Windows,/mnt/c
1|stats C:/PerfLogs/a.blg|C:/PerfLogs/a.blg,path of Windows
1|stats empty|empty,folder,.blg
1|stats notes.txt|notes.txt,not a performance log
1|chart a.blg out.svg|out.svg,-o
2|chart a.blg -o out.gif|out.gif,.svg
2|diff a.blg|second log,--before,--after
2|diff|two logs
2|verify a.blg|two logs
2|info|info,log
2|push a.blg|--to URL
2|calc|-t TYPE
2|types foo|foo,pmon types
END

# Upper case in a word of a list is no mistake.
run stats a.blg --format CSV
status 0
csv=$out
run stats a.blg --format csv
out_is "$csv"

# The command in an answer works.
run a.blg -c 'disk read'
eval "words=(${err##*type: pmon })"
run "${words[@]}"
status 0
if "$PMON_BIN" values --tz Europe/Berlin a.blg >/dev/null 2>&1; then # built where zones are known
	run stats a.blg --tz Berlin
	status 2
	err_says Berlin Europe/Berlin
fi

finish
