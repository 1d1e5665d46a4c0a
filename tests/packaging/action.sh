#!/usr/bin/env bash
# action.sh - the step of GitHub Actions fails when it should, and says why in the summary of the job
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need node

step() { # VARIABLE=VALUE...: sets $code
	rm -f summary output
	code=0
	env PMON_COMMAND="$PMON_BIN" GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=output "$@" \
		node "$PMON_SOURCE_DIR/packaging/action/run.mjs" >said 2>err || code=$?
	ran="a step with $*"
}
busy() { # PERCENT: ten minutes of it
	awk -v busy="$1" 'BEGIN {
		print "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\WEB01\\Processor(_Total)\\% Processor Time\",\"\\\\WEB01\\System\\Processor Queue Length\""
		for (t = 0; t < 240; t++) {
			now = t >= 100 && t < 140
			printf "\"11/20/2026 08:%02d:%02d.000\",\"%d\",\"%d\"\n", t / 4, t % 4 * 15, now ? busy : 20 + t % 3, now ? busy / 3 : 1
		}
	}'
}
busy 98 >busy.csv
busy 20 >quiet.csv

step INPUT_LOG=busy.csv INPUT_REPORT=report.html
same 'exit status' "$code" 1
same 'severity in the summary' "$(grep -c critical summary)" "$(grep -c critical <<<"$("$PMON_BIN" health --format markdown busy.csv)")"
same 'output' "$(cat output)" report=report.html
grep -q '^::error title=pmon::there is an incident of severity critical' said && ok || bad "$(cat said)"
[ -s report.html ] && ok || bad 'there is no report'
step INPUT_LOG=busy.csv INPUT_FAIL_ON=never
same 'exit status' "$code" 0
step INPUT_LOG='quiet.csv'
same 'exit status' "$code" 0
[ ! -e output ] && ok || bad 'it names a report that nobody asked for'
step INPUT_LOG='*.csv'
same 'exit status' "$code" 1
for input in '' 'no*.csv' missing.csv; do
	step INPUT_LOG="$input"
	same 'exit status' "$code" 1
	[ ! -e summary ] && grep -q '^::error' said && ok || bad "$(cat said)"
done
step INPUT_LOG=quiet.csv INPUT_FAIL_ON=sometimes
same 'exit status' "$code" 1

# Each input is given to the step, and has a meaning there.
ran='action.yml'
inputs=$(sed -n '/^inputs:/,/^outputs:/s/^  \([a-z-]*\):$/\1/p' "$PMON_SOURCE_DIR/packaging/action/action.yml")
[ -n "$inputs" ] && ok || bad 'no inputs'
for input in $inputs; do
	variable=INPUT_$(tr a-z- A-Z_ <<<"$input")
	grep -q "$variable: \${{ inputs.$input }}" "$PMON_SOURCE_DIR/packaging/action/action.yml" &&
		grep -q "$variable" "$PMON_SOURCE_DIR/packaging/action/run.mjs" && ok || bad "$input is not used"
done
finish
