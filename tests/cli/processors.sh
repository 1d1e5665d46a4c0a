#!/usr/bin/env bash
# processors.sh - one number of processors and one load of them, wherever pmon shows them
# SPDX-License-Identifier: MIT
#
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A log of half an hour: GROUPS of 64 processors each, of which the first is at 99 % and the others at 5 %; Processor
# has the first. sqlservr uses all of the first group.
make_groups() { # GROUPS
	awk -v groups="$1" 'function column(path) { printf ",\"\\\\BIG\\%s\"", path }
	BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		for (i = 0; i < 64; i++) column("Processor(" i ")\\% Processor Time")
		column("Processor(_Total)\\% Processor Time")
		for (g = 0; g < groups; g++) {
			for (i = 0; i < 64; i++) column("Processor Information(" g "," i ")\\% Processor Time")
			column("Processor Information(" g ",_Total)\\% Processor Time")
		}
		column("Processor Information(_Total)\\% Processor Time")
		column("Process(sqlservr)\\% Processor Time")
		column("Process(sqlservr)\\ID Process")
		column("System\\Processor Queue Length")
		printf "\r\n"
		for (t = 0; t < 121; t++) {
			printf "\"11/20/2026 08:%02d:%02d.000\"", t / 4, t % 4 * 15
			for (i = 0; i < 65; i++) printf ",\"99\""
			for (g = 0; g < groups; g++)
				for (i = 0; i < 65; i++) printf ",\"%d\"", g == 0 ? 99 : 5
			printf ",\"%s\",\"6300\",\"1880\",\"200\"\r\n", (99 + 5 * (groups - 1)) / groups
		}
	}'
}

make_groups 2 >two.csv
make_groups 4 >four.csv
for log in 'two 128 52' 'four 256 28.5'; do
	read -r name processors load <<<"$log"
	run "$name.csv"
	status 0
	out_has "$processors processors"
	grep -q "^Processor  *$load %" <<<"$out" && ok || bad "the load is not $load %: $out"
	out_says 'Processor(_Total)' 99
	out_has "(64 of $processors processors)"
	out_lacks CRITICAL
	out_lacks WARNING
	run health "$name.csv"
	out_lacks critical\ \ Processor
	out_lacks 'per processor'
	run report "$name.csv" -o "$name.html"
	status 0
	grep -q "Processors</dt><dd>$processors<\|Processors.*>$processors<" "$name.html" && ok ||
		bad "the report does not have $processors processors"
done
run stats --per-cpu -c '\Process(sqlservr)\% Processor Time' two.csv
status 0
[[ $err == *"128 processors"* ]] && ok || bad "stderr: $err"

# The first group alone is busy for ten minutes: 97 % are of it, not of the machine.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	split("_Total 0,_Total 1,_Total", names, " ")
	for (i = 1; i <= 3; i++) printf ",\"\\\\BIG\\Processor Information(%s)\\%% Processor Time\"", names[i]
	for (t = 0; t < 240; t++) {
		first = t >= 100 && t < 140 ? 97 : 20 + t % 3
		printf "\n\"11/20/2026 %02d:%02d:%02d.000\",\"%s\",\"%s\",\"%d\"", 8 + t / 240, t / 4 % 60, t % 4 * 15, (first + 5) / 2, first, 5
	}
	print ""
}' >group.csv
run group.csv
status 0
out_has 'Processor 0,_Total is busy 97 %' 'Processor is busy 51 %'

# One group: Processor is the machine, and there is nothing to note.
make_groups 1 >one.csv
run one.csv
out_has '64 processors'
out_lacks 'note:'
out_has 'CRITICAL  08:00:00-08:30:00  Processor is busy 99 %'

# A host of Hyper-V: the root partition is at 3 %, the host at 88 %.
awk 'function column(path) { printf ",\"\\\\HOST\\%s\"", path }
BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (i = 0; i < 4; i++) column("Processor(" i ")\\% Processor Time")
	column("Processor(_Total)\\% Processor Time")
	column("Processor Information(_Total)\\% Processor Time")
	for (i = 0; i < 16; i++) column("Hyper-V Hypervisor Logical Processor(Hv LP " i ")\\% Total Run Time")
	column("Hyper-V Hypervisor Logical Processor(_Total)\\% Total Run Time")
	column("System\\Processor Queue Length")
	printf "\r\n"
	for (t = 0; t < 121; t++) {
		printf "\"11/20/2026 08:%02d:%02d.000\"", t / 4, t % 4 * 15
		for (i = 0; i < 6; i++) printf ",\"3\""
		for (i = 0; i < 17; i++) printf ",\"88\""
		printf ",\"1\"\r\n"
	}
}' >host.csv
run host.csv
status 0
out_has '16 processors'
grep -q '^Processor  *88 %' <<<"$out" && ok || bad "the load is not 88 %: $out"
out_has 'NOTE      08:00:00-08:30:00  Logical processor is busy 88 %' # all the time
out_says 'Processor(_Total)' 3

if [ -e "${PMON_TEST_DATA:-}/../incidents/big128.csv" ]; then
	run "$PMON_TEST_DATA/../incidents/big128.csv"
	out_has '128 processors'
	grep -q '^Processor  *52 %' <<<"$out" && ok || bad "the load is not 52 %: $out"
	out_lacks CRITICAL
	out_says note 'Processor(_Total)' 99.44 '64 of 128' # mean of its 121 cells
else
	echo 'skipped: no big128.csv'
fi
finish
