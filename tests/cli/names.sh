#!/usr/bin/env bash
# names.sh - logs of a Windows in another language: patterns, --names, --names-table, ambiguous names
# SPDX-License-Identifier: MIT
#
# The translations are those of share/names/counter_names.tsv; test_english.c has all of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# log FILE COUNTER...: two samples of 10 and 20 of counters of a machine.
log() {
	local file=$1 path head='"(PDH-CSV 4.0) (UTC)(0)"' first='"11/20/2026 15:00:00.000"'
	local second='"11/20/2026 15:00:15.000"'
	shift
	for path; do
		head+=",\"\\\\SRV\\$path\"" first+=',"10"' second+=',"20"'
	done
	printf '%s\r\n' "$head" "$first" "$second" >"$file"
}

log de.csv 'Prozessor(_Total)\Prozessorzeit (%)' 'Arbeitsspeicher\Seiten/s' 'Prozess(a)\Prozessorzeit (%)'
log en.csv 'Processor(_Total)\% Processor Time' 'Memory\Pages/sec' 'Process(a)\% Processor Time'

# ---- Patterns --------------------------------------------------------------------------------------

for pattern in '\Processor(_Total)\% Processor Time' '\processor(*)\% processor *' '\238(_Total)\6' \
	'\Prozessor(_Total)\Prozessorzeit (%)' '\PROZESSOR(*)\*'; do
	run list de.csv -c "$pattern"
	status 0
	out_is '\Prozessor(_Total)\Prozessorzeit (%)'
done
run list en.csv -c '\238(*)\6'
out_is '\Processor(_Total)\% Processor Time'
run list de.csv -c '\238(*)\40'
status 1
err_says '\238(*)\40'
run find '\Memory\Pages/sec > 15/s' de.csv --format json
status 0
out_has '"path":"\\\\SRV\\Arbeitsspeicher\\Seiten/s","path_en":"\\\\SRV\\Memory\\Pages/sec"'

# ---- What is printed -------------------------------------------------------------------------------

run list de.csv --names en
out_is '\Processor(_Total)\% Processor Time
\Memory\Pages/sec
\Process(a)\% Processor Time'
run list de.csv --names log
out_is '\Prozessor(_Total)\Prozessorzeit (%)
\Arbeitsspeicher\Seiten/s
\Prozess(a)\Prozessorzeit (%)'
# Patterns by the names of the log hold with any names.
run list de.csv --names en -c '\Prozess(*)\*'
out_is '\Process(a)\% Processor Time'
run stats de.csv --names en -c '\Arbeitsspeicher\Seiten/s' --format csv
out_has '\\SRV\Memory\Pages/sec,PERF_COUNTER_COUNTER'
run relog de.csv --names en -f csv -o translated.csv
status 0
run list translated.csv
out_has '\Processor(_Total)\% Processor Time'
# JSON has both, and of an English log no more than before.
run list de.csv --names en -c '\Memory\*' --format json
out_has '{"path":"\\\\SRV\\Arbeitsspeicher\\Seiten/s","path_en":"\\\\SRV\\Memory\\Pages/sec","type":"PERF_COUNTER_COUNTER"'
run list en.csv --format json
out_lacks path_en
run values de.csv -c '\4\40' --format json
out_has '"path_en":"\\\\SRV\\Memory\\Pages/sec","time"'
run list de.csv --names de
status 2
err_has '--names'

# ---- Names that pmon does not know -----------------------------------------------------------------

log xx.csv 'Cpu-ting(_Total)\% travl' 'Cpu-ting(_Total)\andet' 'Processor(1)\% travl'
printf '# a language of our own\nProcessor\tCPU-Ting\r\nProcessor\\%% Processor Time\t%% Travl\n' >names.tsv
run list xx.csv -c '\Processor(*)\% Processor Time'
status 1
run list xx.csv -c '\Processor(*)\% Processor Time' --names-table names.tsv
status 0
out_is '\Cpu-ting(_Total)\% travl
\Processor(1)\% travl'
run list xx.csv --names-table names.tsv --names en
out_is '\Processor(_Total)\% Processor Time
\Processor(_Total)\andet
\Processor(1)\% Processor Time'
run stats xx.csv -c '\Processor(1)\*' --names-table names.tsv --format csv
out_has 'PERF_100NSEC_TIMER_INV'
printf 'Processor\tA\nno tab\n' >bad.tsv
run list xx.csv --names-table bad.tsv
status 1
err_says bad.tsv 2 English
run list xx.csv --names-table missing.tsv
status 1

# ---- Names of several counters ---------------------------------------------------------------------

# French has one name for Virtual Bytes Peak and Virtual Bytes, which Windows lists in this order.
shared='Processus(a)\Taille virtuelle (octets)'
log fr.csv "$shared" "$shared" 'Processus(b)\Taille virtuelle (octets)'
run list fr.csv --names en
out_is '\Process(a)\Virtual Bytes Peak
\Process(a)\Virtual Bytes
\Processus(b)\Taille virtuelle (octets)'
run stats fr.csv -c '\Process(b)\Virtual Bytes'
status 0
err_says 'Taille virtuelle (octets)' 'Virtual Bytes Peak' 'Virtual Bytes'
run stats fr.csv -c '\Process(a)\Virtual Bytes' --format csv
[ "$(grep -c Processus <<<"$out")" = 1 ] && ok || bad 'the order does not decide which counter is meant'

finish
