#!/usr/bin/env bash
# relog_options.sh - options of relog and typeperf that Windows' programs do not have
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"

make_log average a.blg
make_log back back.blg
make_trees trees

# refused WORDS...: a usage error with a message
refused() {
	status 2
	err_has "$1"
}

# ---- relog --------------------------------------------------------------------------------------

# The mean of 0.15 s has 17 digits in a double.
read_time='\PhysicalDisk(*)\Avg. Disk sec/Read'
last() { tail -n 1 "$1" | tr -d '\r' | cut -d, -f2-; }
run relog a.blg -c "$read_time" -f csv -o all.csv
grep -q ',"0.14999999999999999"' all.csv && ok || bad "not as Windows writes it: $(cat all.csv)"
run relog a.blg -c "$read_time" -f csv -o few.csv --digits 3
status 0
same 'three digits' "$(cat few.csv)" "$(sed 's/0.14999999999999999/0.15/' all.csv)"
for digits in 0 22 many; do
	run relog a.blg -f csv -o no.csv --digits $digits
	refused --digits
done

# docs/reference/counters.md: a counter that went back has no value; clamp shows 0.
run relog back.blg -f csv -o default.csv
run relog back.blg -f csv -o clamp.csv --policy clamp
status 0
grep -q '" "' default.csv && ok || bad "the default has a value: $(cat default.csv)"
same 'rows with 0 that were without a value' "$(last clamp.csv)" "$(last default.csv | sed 's/" "/"0"/')"
run relog back.blg -f csv -o no.csv --policy odd
refused '"odd"'

# The text is CP1251: "Память".
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\\317\340\354\377\362\374\\C"\r\n"01/01/2020 00:00:00.000","1"\r\n' >p.csv
run relog p.csv -f csv -o utf8.csv --encoding CP1251
status 0
grep -q 'Память' utf8.csv && ok || bad "the encoding was not heeded: $(cat utf8.csv)"
run relog p.csv -f csv -o no.csv --encoding none
status 1
err_has 'none'

# A type that the user adds goes into what can hold it.
printf 'Память,C,PERF_AVERAGE_TIMER\n' >types.csv
run relog utf8.csv -f jsonl -o known.jsonl --known-types types.csv
status 0
grep -q '"known_type":"PERF_AVERAGE_TIMER"' known.jsonl && ok || bad "the type is not known: $(cat known.jsonl)"

# The registry value "Counter 009" names the counters of a Checkmk agent's section.
printf '<<<winperf_x>>>\n1600000000.00 4 10000000\n2 7 rawcount\n' >agent.txt
printf '4\000\000\000O\000b\000j\000\000\0006\000\000\000Z\000\000\000\000\000' >names.bin
run relog agent.txt -f jsonl -o plain.jsonl
run relog agent.txt -f jsonl -o named.jsonl --names-table names.bin
status 0
grep -q 'Obj' named.jsonl && ! grep -q 'Obj' plain.jsonl && ok ||
	bad "the names were not heeded: $(cat named.jsonl)"

# The limit for the unpacked size of a compressed log.
if command -v gzip >/dev/null; then
	gzip -c a.blg >a.blg.gz
	run relog a.blg.gz -f csv -o unpacked.csv --max-unpacked 1MB
	status 0
	run relog a.blg.gz -f csv -o no.csv --max-unpacked 1KB
	status 1
	err_has 'a.blg.gz'
	run relog a.blg.gz -f csv -o no.csv --max-unpacked much
	refused '"much"'
fi

for step in 0 -5s often; do
	run relog a.blg -f csv -o no.csv --step $step
	refused "\"$step\""
done
run relog a.blg -f csv -o all.csv -a --step 5m
refused -a
mkdir folder
run relog a.blg -f csv -o folder -a
refused folder
run relog a.blg back.blg -f csv -o folder/
status 0
[ -s folder/a.csv ] && [ -s folder/back.csv ] && ok || bad "a folder gets one file for each input"
[ ! -e no.csv ] && ok || bad 'something was written'

# ---- typeperf -----------------------------------------------------------------------------------

# 500 switches a second, as in typeperf.sh.
switches='\System\Context Switches/sec'
run typeperf "$switches" --replay trees -f csv -o digits.csv --digits 3
status 0
same 'three digits' "$(tail -n 2 digits.csv | tr -d '\r' | cut -d, -f2)" '"500"
"1.5e+003"'
run typeperf "$switches" --replay trees --digits 0
refused --digits
run typeperf "$switches" --replay trees -sc 1 --policy strict
status 0
out_has '"500.000000"'
run typeperf "$switches" --replay trees --policy odd
refused '"odd"'
for interval in 10000:0 0:99999; do
	run typeperf "$switches" -si $interval
	refused -si
done
run typeperf '\System\Threads' --root missing -sc 1
status 1
err_has 'missing'

finish
