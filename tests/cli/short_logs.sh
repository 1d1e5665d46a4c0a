#!/usr/bin/env bash
# short_logs.sh - rules that ask for more time than was observed are not within their limits
# SPDX-License-Identifier: MIT
#
# tests/unit/test_rules_short.c tries every short log; here is what commands say. tests/web/test_same.mjs has the page.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need python3
beyond='beyond the limit throughout, but too short for the rule'

# log FILE VALUE...: interrupt time, a value each 15 s
log() {
	local file=$1 at=0

	shift
	printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Processor(_Total)\\%% Interrupt Time"\r\n' >"$file"
	for value in "$@"; do
		printf '"03/02/2026 10:%02d:%02d.000","%s"\r\n' $((at / 60)) $((at % 60)) "$value" >>"$file"
		at=$((at + 15))
	done
}

# where RULE FILE: the lists of pmon health that have the rule
where() {
	run health --format json "$2"
	status 0
	python3 -c '
import json, sys
found = json.loads(sys.argv[2])
assert {key: len(found[key]) for key in ("within", "not_judged", "beyond")}.items() <= found["summary"].items()
print(*[key for key in ("findings", "within", "not_judged", "beyond")
        if any(one["rule"] == sys.argv[1] for one in found[key])])' "$1" "$out"
}

# The rule asks for 5 minutes: a log of 4 is beyond all the time, at its end, in its middle, never.
log all.csv 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99
log end.csv 5 5 5 5 5 5 5 5 99 99 99 99 99 99 99 99
log middle.csv 5 5 5 5 99 99 99 99 99 99 99 5 5 5 5 5
log never.csv 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
log one.csv 99
same 'all' "$(where 'Interrupt time' all.csv)" beyond
same 'end' "$(where 'Interrupt time' end.csv)" not_judged
same 'middle' "$(where 'Interrupt time' middle.csv)" within
same 'never' "$(where 'Interrupt time' never.csv)" within
same 'one' "$(where 'Interrupt time' one.csv)" beyond

run health all.csv
status 0
out_has 'Beyond the limit throughout, but too short for the rule:
  Interrupt time'
out_says '0 rules' 1
run health --all end.csv
out_says 'Interrupt time' rule
out_lacks 'Within'
run health --format csv all.csv
status 0
err_says 'Interrupt time'

run all.csv
status 0
out_says 'Interrupt time'
out_lacks 'within'
out_lacks 'No limit that could be judged'
run report -o all.html all.csv
status 0
grep -q "<strong>$beyond</strong>" all.html && ok || bad 'the report does not say that it is beyond'
grep -q 'within their limits' all.html && bad 'the report says that rules are within their limits' || ok

run find '\Processor(_Total)\% Interrupt Time > 90 for 5m' all.csv
err_says_only 'not judged' SRV "$beyond"
run find '\Processor(_Total)\% Interrupt Time > 90 for 5m' --format json all.csv
out_has "\"reason\":\"$beyond\""
run find '\Processor(_Total)\% Interrupt Time > 90 for 5m' never.csv
err_says_only 1
run watch --replay '\Processor(_Total)\% Interrupt Time > 90 for 5m' all.csv
err_says SRV "$beyond"

# A live look of a second, at a value that this machine always has.
printf '[Memory is used]\ncounter = \\Memory\\Available MBytes\nwarning = > 0\nfor = 5m\n' >used.rules
run health --rules used.rules -i 200ms -n 3
status 0
out_has 'Beyond a limit now, not yet for as long as its rule requires:
  Memory is used: '
out_says '0 rules' 1

# At one edge of too short a log: not judged, and the time that the rule asks for is said.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Memory\\Available MBytes\"\r\n"
	for (t = 0; t < 4; t++) printf "\"03/02/2026 10:0%d:00.000\",\"%d\"\r\n", t, t < 2 ? 0 : 9
}' >edge.csv
run health --all --rules used.rules edge.csv
status 0
out_has '  Memory is used: it was observed for less time than the rule requires (5 min)'
# The status tells what was wrong; what was beyond its limit all the time is a warning.
awk 'NR == 1 || NR > 3' edge.csv >beyond.csv
for row in '0 edge.csv warning' '1 beyond.csv warning' '0 beyond.csv critical' '0 beyond.csv never'; do
	read -r want log severity <<<"$row"
	run health --rules used.rules --fail-on "$severity" "$log"
	status "$want"
done

finish
