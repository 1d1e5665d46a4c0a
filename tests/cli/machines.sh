#!/usr/bin/env bash
# machines.sh - headings, info, report and chart name every machine of a log
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A log of 26 machines, M01 to M26.
{
	printf '"(PDH-CSV 4.0) (UTC)(0)"'
	for i in $(seq -w 26); do printf ',"\\\\M%s\\System\\Processes"' "$i"; done
	for second in 0 1 2; do
		printf '\r\n"01/01/2024 00:00:0%s.000"' "$second"
		for i in $(seq -w 26); do printf ',"%s"' "$((10#$i))"; done
	done
	printf '\r\n'
} >fleet.csv
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\ONE\System\Processes' '01/01/2024 00:00:00.000","1' \
	'01/01/2024 00:00:01.000","1' >one.csv

run stats fleet.csv
out_has '26 machines: M01, M02, M03, '
out_has ' ..., PDH-CSV log, times in UTC'
run stats one.csv
out_has 'Machine ONE, PDH-CSV log'
run info fleet.csv
out_has '26 machines: M'
for i in $(seq -w 26); do out_has "M$i"; done
run info one.csv
out_has 'machine    ONE'
run info --format json fleet.csv
same "machines in JSON" "$(python3 -c 'import json,sys
print(*json.load(sys.stdin)["logs"][0]["machines"])' <<<"$out")" "$(seq -s ' ' -f 'M%02g' 26)"
run info --format json one.csv
out_has '"machines":["ONE"]'
run info --format csv fleet.csv one.csv
same "machines in CSV" "$(python3 -c 'import csv,sys
print(*(row["machines"] for row in csv.DictReader(sys.stdin)), sep=" | ")' <<<"$out")" \
	"$(seq -s '; ' -f 'M%02g' 26) | ONE"
run report fleet.csv -o fleet.html
status 0
grep -q '<h1>26 machines: M01, M02' fleet.html && ok || bad "title: $(grep '<h1>' fleet.html)"
grep -q '>26 machines: M01.*M26<' fleet.html && ok || bad "the facts do not name all machines"
run report one.csv -o one.html
grep -q '<h1>ONE' one.html && ok || bad "title: $(grep '<h1>' one.html)"
run chart fleet.csv -c '\\*\System\Processes'
out_has '26 machines: M'

finish
