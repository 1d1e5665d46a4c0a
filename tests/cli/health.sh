#!/usr/bin/env bash
# health.sh - pmon health: findings by rules, the worst first, and what could not be judged
# SPDX-License-Identifier: MIT
#
# tests/unit/test_episodes.c and test_rules.c have the rules; here is what the command makes of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A day of samples 15 s apart. From 08:20:00 to 09:20:00 the processor is at 88 % and disk C: reads in 67 ms;
# from 20:50:00 to 20:51:15 disk D: reads in 30 ms, and once for 30 s in 49 ms, which is too short.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Processor(_Total)\\%% Processor Time\""
	printf ",\"\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read\",\"\\\\SRV\\PhysicalDisk(1 D:)\\Avg. Disk sec/Read\""
	printf ",\"\\\\SRV\\Memory\\Pages/sec\"\r\n"
	for (t = 0; t < 5760; t++) {
		bad = t > 2000 && t <= 2240
		slow = t > 5000 && t <= 5005 ? "0.03" : t > 5500 && t <= 5502 ? "0.049" : "0.002"
		printf "\"11/20/2026 %02d:%02d:%02d.000\",\"%d\",\"%s\",\"%s\",\"5000\"\r\n", t / 240, t / 4 % 60, t % 4 * 15, \
			(bad ? 88 : 12), (bad ? "0.067" : "0.004"), slow
	}
}' >day.csv

packs=$(find "$PMON_SOURCE_DIR/rules" -name '*.rules' | wc -l)

# ---- Findings ---------------------------------------------------------------------------------------

run health day.csv
status 0
# What was unusual at the same time is one incident; what users waited for comes first.
same 'the incidents' "$(sed -n '3,5p' <<<"$out" | sed 's/ [0-9a-f]\{8\} /  /; s/    */|/g; s/   */|/g')" 'Severity|ID|From|To|What was wrong
critical|08:20:00|09:20:00|Reads of disk 0 C: take 67 ms (usually 4 ms, limit 50 ms)
|08:20:00|09:20:00|Processor is busy 88 % (usually 12 %, limit 80 %)'
out_has 'Disk reads: '
out_has 'Source: Microsoft: Scenario guide'
out_has 'https://learn.microsoft.com/'
out_says '1 critical' '3 limits' '0 rules'
out_lacks 'Not judged:'
run health day.csv --all
same 'the findings' "$(sed -n '/^Limits that were crossed:/,/^$/p' <<<"$out" | sed -n '2,5p' | sed 's/   */|/g')" 'Severity|Rule|Limit|Average|Worst|From|To|Length|Episodes|Counter
critical|Disk reads|> 50ms|67 ms|67 ms|08:20:00|09:20:00|1 h|1|\PhysicalDisk(0 C:)\Avg. Disk sec/Read
warning|Processor time|> 80%|88 %|88 %|08:20:00|09:20:00|1 h|1|\Processor(_Total)\% Processor Time
warning|Disk reads|> 25ms|30 ms|30 ms|20:50:00|20:51:15|1 min 15 s|1|\PhysicalDisk(1 D:)\Avg. Disk sec/Read'
# The paging rule asks for little memory too, of which the log says nothing.
out_says Paging while
out_says 'Kernel time'
# Of packs none of whose counters the log has there is one line each.
out_has '
  pack sqlserver: no counters'
out_lacks 'SQL Server l'
# An incident that is left out needs no text: here the processor is busy at another time.
awk -F, -v OFS=, 'FNR == NR { cpu[FNR] = $2; next } FNR > 1001 { $2 = cpu[FNR - 1000] } 1' day.csv day.csv >two.csv
run health two.csv
out_has 'Processor time: '
run health two.csv --limit 1
out_has 'Disk reads: '
out_lacks 'Processor time: '
run health day.csv --format csv
status 0
same 'as CSV' "$(cut -d, -f1,3,4,6-10,16 <<<"$out")" 'rule,severity,path,from,to,seconds,average,worst,episodes
Disk reads,critical,\\SRV\PhysicalDisk(0 C:)\Avg. Disk sec/Read,2026-11-20T08:20:00Z,2026-11-20T09:20:00Z,3600,0.067,0.067,1
Processor time,warning,\\SRV\Processor(_Total)\% Processor Time,2026-11-20T08:20:00Z,2026-11-20T09:20:00Z,3600,88,88,1
Disk reads,warning,\\SRV\PhysicalDisk(1 D:)\Avg. Disk sec/Read,2026-11-20T20:50:00Z,2026-11-20T20:51:15Z,75,0.03,0.03,1'
if command -v jq >/dev/null 2>&1; then
	sed 1000,1100d day.csv >gap.csv
	run health gap.csv --format json --limit 1
	same 'incidents, then events' "$(jq -c '[(.incidents | length), (.events | length), .summary.events]' <<<"$out")" '[1,0,1]'
	run health day.csv --format json
	status 0
	rules=$(grep -c '^\[' "$PMON_SOURCE_DIR/rules/windows.rules")
	same 'the summary' "$(jq -c '[.summary.critical, .summary.warning, .summary.crossed, .summary.within, (.findings | length), (.within | length),
		(.not_judged | length) == .summary.not_judged, ([.findings[].rule] | unique | length) + .summary.within + .summary.not_judged]' <<<"$out")" \
		"[1,0,3,0,3,0,true,$((rules + packs - 1))]"
	same 'a finding' "$(jq -c '.findings[0] | [.rule, .pack, .severity, .seconds, .samples, .operations, (.episodes | length), (.text | length > 0),
		(.advice | length > 0)]' <<<"$out")" '["Disk reads","windows","critical",3600,240,null,1,true,true]'
	same 'its source' "$(jq -c '.findings[0].sources[:1]' <<<"$out")" \
		'[{"text":"Microsoft: Scenario guide: Troubleshoot performance problems in Windows, 2024 (25 and 50 ms for one minute or longer)","link":"https://learn.microsoft.com/en-us/troubleshoot/windows-server/performance/troubleshoot-performance-problems-in-windows","year":2024}]'
	same 'a pack without counters' "$(jq -c '.not_judged[] | select(.pack == "linux")' <<<"$out")" \
		'{"rule":null,"pack":"linux","machine":"SRV","reason":"no counters"}'
fi
# What the report finds is the same.
run report day.csv --rules "$PMON_SOURCE_DIR/rules/windows.rules"
err_says day.html 3

# ---- Nothing that a rule needs ----------------------------------------------------------------------

printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Lamps(a)\\Brightness"\r\n"11/20/2026 15:00:00.000","5"\r\n' >lamps.csv
run health lamps.csv --all
status 0
out_has "
  pack windows: no counters"
out_says '0 critical' '0 warnings' '0 rules' "$packs"
# The first screen has the same number.
run lamps.csv
out_says "$packs rules"

# ---- A quiet day, other rules -----------------------------------------------------------------------

run health day.csv --from 10:00 --to 20:00
status 0
out_says '0 critical' '0 warnings' '2 rules'
run health day.csv --from 10:00 --to 20:00 --all
out_has 'Within their limits:
  Processor time
  Disk reads
'
printf '[Slow]\ncounter = \\PhysicalDisk(*)\\Avg. Disk sec/Read\nwarning = > 20ms\nfor = 30s\n' >ours.rules
run health day.csv --rules ours.rules --format csv
same 'other rules' "$(cut -d, -f1,3,7,8,16 <<<"$out")" 'rule,severity,to,seconds,episodes
Slow,warning,2026-11-20T09:20:00Z,3600,1
Slow,warning,2026-11-20T22:55:30Z,30,2'
printf '[A]\ncolour = red\n' >bad.rules
run health day.csv --rules bad.rules
status 2
err_says bad.rules:2:1
run health missing.csv
status 1
run health day.csv --pack linux --pack sqlserver --all
status 0
out_says '0 limits' '0 rules' 2
out_lacks 'pack windows'
run health day.csv --pack windows --rules ours.rules --format csv
same 'a pack and a file' "$(cut -d, -f1 <<<"$out" | sort -u)" 'Disk reads
Processor time
Slow
rule'
run health day.csv --pack window
status 2
err_says window windows
run health day.csv --pack payroll
status 2
err_says payroll 'pmon rules list'

# A source without a link or a year, links without a text, and old files that write a text on several lines.
cat >sources.rules <<'END'
[Slow]
counter = \PhysicalDisk(*)\Avg. Disk sec/Read
warning = > 20ms
source = A, about 2012
source = and more
link = https://example.org/a
link = https://example.org/b
source = Said by 2024 people
END
if command -v jq >/dev/null 2>&1; then
	run health day.csv --rules sources.rules --format json
	same 'sources' "$(jq -c '.findings[0] | [.pack, .text, .advice, .sources]' <<<"$out")" \
		'[null,"","",[{"text":"A, about 2012 and more","link":"https://example.org/a","year":2012},{"text":"","link":"https://example.org/b","year":null},{"text":"Said by 2024 people","link":null,"year":null}]]'
fi

# ---- Kinds of machines --------------------------------------------------------------------------------

# An instance of SQL Server is compared with its own counters: ONE compiles 25 % of its batches, the other 0.6 %.
# Disks are judged by what SQL Server needs only where it runs.
awk 'BEGIN {
	n = split("MSSQL$ONE:SQL Statistics\\SQL Compilations/sec|MSSQL$ONE:SQL Statistics\\Batch Requests/sec|SQLServer:SQL Statistics\\SQL Compilations/sec|SQLServer:SQL Statistics\\Batch Requests/sec|LogicalDisk(D:)\\Avg. Disk sec/Transfer", name, "|")
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (i = 1; i <= n; i++)
		printf ",\"\\\\S\\%s\"", name[i]
	printf "\r\n"
	for (t = 0; t < 60; t++)
		printf "\"11/20/2026 10:%02d:%02d.000\",\"50\",\"200\",\"50\",\"9000\",\"0.02\"\r\n", t / 4, t % 4 * 15
}' >sql.csv
sed 's/MSSQL\$ONE/Foo$ONE/g; s/SQLServer/Other/g' sql.csv >other.csv
run health sql.csv --format csv
same 'SQL Server' "$(cut -d, -f1,2,4 <<<"$out")" 'rule,pack,path
SQL Server compilations,sqlserver,\\S\MSSQL$ONE:SQL Statistics\SQL Compilations/sec
SQL Server storage,sqlserver,\\S\LogicalDisk(D:)\Avg. Disk sec/Transfer'
run health other.csv --format csv
same 'no SQL Server' "$(wc -l <<<"$out")" 1

# ---- Machines ---------------------------------------------------------------------------------------

sed 's/SRV/WEB/g; s/"88"/"12"/' day.csv >web.csv
run health day.csv web.csv --all
out_has 'Processor time (WEB)'
out_lacks 'Processor time (SRV)'
out_has '\\WEB\PhysicalDisk(0 C:)\Avg. Disk sec/Read'

# A machine with counters that no rule needs is named too, in one log with others and in a log of its own.
printf '"(PDH-CSV 4.0) (UTC)(0)","%s","%s"\r\n"11/20/2026 15:00:00.000","50","5"\r\n' \
	'\\CPU1\Processor(_Total)\% Processor Time' '\\HALL\Lamps(a)\Brightness' >two.csv
sed 's/HALL/YARD/g; s/CPU1/CPU2/g' two.csv >two_more.csv
run health two.csv two_more.csv --all
status 0
for machine in CPU1 CPU2; do
	out_has "Processor time ($machine)"
done
for machine in HALL YARD; do
	out_has "pack windows ($machine): no counters"
done
run health two.csv --names en --format json
same 'machines' "$(jq -r '[.not_judged[].machine] | unique | join(" ")' <<<"$out")" 'CPU1 HALL'
run health two.csv --machine HALL=DOOR --format json
same 'renamed machines' "$(jq -r '[.not_judged[].machine] | unique | join(" ")' <<<"$out")" 'CPU1 DOOR'

# Names come from logs, and a terminal obeys them.
for machine in 'E\u001b[31mVIL' X; do
	printf '{"path":"\\\\\\\\%s\\\\O\\\\C","type":"PERF_COUNTER_RAWCOUNT","time_base":0,"time":"2024-01-01T00:00:00Z","status":"valid_data","first":1,"second":0,"multi":1}\n' "$machine"
done >evil.jsonl
printf '[R]\ncounter = \\O\\C\nwarning = > 5\n' >plain.rules
run health evil.jsonl --rules plain.rules --all
status 0
out_has 'Within their limits:
  R (E'
out_lacks $'\033'
out_lacks 'Not judged:'

# ---- This machine -----------------------------------------------------------------------------------

run health -n 2 -i 10ms
status 0
out_has ' not judged'

# ---- A number of operations ---------------------------------------------------------------------------

# reads RATE: 20 minutes of reads that take 100 ms, for 5 minutes in its middle; queue length is latency times rate
reads() {
	awk -v rate="$1" 'BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		split("Avg. Disk sec/Read,Disk Reads/sec,Avg. Disk Read Queue Length", names, ",")
		for (i = 1; i <= 3; i++) printf ",\"\\\\SRV\\PhysicalDisk(1 D:)\\%s\"", names[i]
		printf "\r\n"
		for (t = 0; t < 80; t++) {
			latency = t > 39 && t < 60 ? 0.1 : 0.002
			printf "\"11/20/2026 08:%02d:%02d.000\",\"%s\",\"%s\",\"%s\"\r\n", t / 4, t % 4 * 15, latency, rate, latency * rate
		}
	}' >reads.csv
	run health --format csv --pack windows reads.csv
	status 0
}
# 20 intervals of 15 s: 30 reads are 0.1 a second.
reads 0.11
same 'enough reads' "$(cut -d, -f1,3,13 <<<"$out" | sed -n 2p)" 'Disk reads,critical,33'
reads 0.09
same 'too few reads' "$out" "$(head -n 1 <<<"$out")"
run health --all --pack windows reads.csv
out_has 'Within their limits:
  Disk reads'
printf '[R]\ncounter = \\A\\B\nwarning = > 1\noperations = 0\n' >none.rules
run health --rules none.rules reads.csv
status 2
err_says none.rules:4 operations

# ---- A rule's word is the most that an incident can be ------------------------------------------------

# severities NAME VALUES NAME VALUES: two counters for an hour, a sample each 15 s; VALUES are what awk makes of t
severities() {
	one=$1 two=$3 awk "BEGIN {
		printf \"\\\"(PDH-CSV 4.0) (UTC)(0)\\\",\\\"%s\\\",\\\"%s\\\"\\r\\n\", ENVIRON[\"one\"], ENVIRON[\"two\"]
		for (t = 0; t < 240; t++)
			printf \"\\\"11/20/2026 08:%02d:%02d.000\\\",\\\"%s\\\",\\\"%s\\\"\\r\\n\", t / 4, t % 4 * 15, ($2), ($4)
	}" >ceiling.csv
	run health --format json ceiling.csv
	status 0
	out=$(jq -r '.incidents[].severity' <<<"$out" | sort -u | tr '\n' ' ')
}
if command -v jq >/dev/null 2>&1; then
	cpu='\\SRV\Processor(_Total)\% Processor Time' queue='\\SRV\System\Processor Queue Length'
	severities "$cpu" 't > 99 && t < 112 ? 95 : 20 + t % 3' "$queue" 0
	same 'busy for 3 minutes, nothing waits' "$out" 'warning '
	severities "$cpu" 't > 99 && t < 112 ? 95 : 20 + t % 3' "$queue" 't > 99 && t < 112 ? 40 : 0'
	same 'busy for 3 minutes, threads wait' "$out" 'critical '
	severities "$cpu" 't > 99 && t < 132 ? 95 : 20 + t % 3' "$queue" 0
	same 'busy for 8 minutes' "$out" 'critical '
	severities "$cpu" 95 "$queue" 0
	same 'busy all the time' "$out" 'critical '
	severities '\\SRV\Memory\% Committed Bytes In Use' 85 '\\SRV\Memory\Available MBytes' 2000
	same 'commit as ever' "$out" 'warning '
	severities '\\SRV\Memory\% Committed Bytes In Use' 85 '\\SRV\Memory\Available MBytes' 9000
	same 'commit, and memory is free' "$out" ''
	severities '\\SRV\Memory\Available MBytes' 400 '\\SRV\System\Processes' 80
	same 'hardly any memory' "$out" 'critical '
	severities '\\SRV\SQLServer:Locks(_Total)\Number of Deadlocks/sec' 't == 99 ? 0.0666 : 0' '\\SRV\System\Processes' 80
	same 'one deadlock' "$out" 'note '
	severities '\\SRV\.NET CLR Memory(w3wp)\% Time in GC' 't > 99 && t < 132 ? 78 : 2' '\\SRV\System\Processes' 80
	same 'garbage collection' "$out" 'critical '
	severities '\\SRV\SQLServer:General Statistics\Processes blocked' 't > 99 && t < 132 ? 45 : 0' \
		'\\SRV\SQLServer:SQL Statistics\Batch Requests/sec' 't > 99 && t < 132 ? 70 : 1800 + t % 7'
	same 'blocked sessions, and batches fall' "$out" 'critical '
	life='\\SRV\SQLServer:Buffer Manager\Page life expectancy' pages='\\SRV\SQLServer:Buffer Manager\Page reads/sec'
	severities "$life" 't > 99 && t < 132 ? 120 : 6000 + t % 90' "$pages" 't > 99 && t < 132 ? 4800 : 80 + t % 9'
	same 'pages leave the buffer pool, and are read again' "$out" 'critical '
	severities "$life" 't > 99 && t < 132 ? 120 : 6000 + t % 90' "$pages" '80 + t % 9'
	same 'pages leave the buffer pool' "$out" 'warning '
fi

finish
