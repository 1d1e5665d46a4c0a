#!/usr/bin/env bash
# cli.sh - run the tests of the command line with pmon.exe under Wine: cli.sh PMON BUILD-FOLDER
# SPDX-License-Identifier: MIT
#
# Called by tools/windows. PMON is a command that runs pmon.exe, WINEPREFIX the folder of Wine, JOBS how many run at a time.
# left-out.tsv lists the tests that are not run, left-out-checks.tsv the checks that fail in those that are. TESTS: a pattern
# of the names of those to run, when not all.
set -euo pipefail

export PMON_BIN PMON_BUILD_DIR PMON_SOURCE_DIR PMON_TEST_DATA logs
PMON_BIN=$(realpath "$1")
PMON_BUILD_DIR=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
PMON_SOURCE_DIR=${here%/tests/windows}
PMON_TEST_DATA=$(realpath -m "${PMON_TEST_DATA:-$PMON_SOURCE_DIR/../shared/data}")
logs=$PMON_BUILD_DIR/tests/cli-logs
rm -rf "$logs"
mkdir -p "$logs"

# The largest first: what takes long does not come last.
names() {
	find "$PMON_SOURCE_DIR/tests/cli" -name '*.sh' ! -name 'lib*.sh' -printf '%s cli/%f\n' | sort -rn |
		sed 's/^[0-9]* //; s/\.sh$//'
}

# A test that hangs is stopped. Exit code 77 is that of a test that was skipped.
# shellcheck disable=SC2016
names | grep -v -x -F -f <(cut -f 1 "$here/left-out.tsv") | grep -x -E "cli/(${TESTS:-.*})" |
	xargs -P "${JOBS:-1}" -I{} bash -c '
		status=0
		timeout 600 bash "$PMON_SOURCE_DIR/tests/{}.sh" >"$logs/$(basename {})" 2>&1 </dev/null || status=$?
		echo "$status {}" >>"$logs/all"'

# unexpected NAME: the checks of a test that failed and are not in left-out-checks.tsv. lib.sh prints two lines for each,
# and in the end how many they were.
unexpected() {
	awk -F '\t' -v name="$1" -v script="${1#cli/}.sh:" '
		NR == FNR { if ($1 == name) known[$2]; next }
		{ last = $0 }
		header != "" {
			found = 0
			for (text in known)
				if (index(header "\n" $0, text)) found = 1
			if (!found) print header "\n" $0
			header = ""
		}
		index($0, script) == 1 { header = $0; seen++ }
		END { if (last !~ / checks, [1-9][0-9]* failed$/ || seen + 0 == 0) print "it did not end: " last }' \
		"$here/left-out-checks.tsv" "$logs/${1#cli/}"
}

good=0
partly=0
skipped=0
bad=0
while read -r status name; do
	case $status in
	0) good=$((good + 1)) ;;
	77) skipped=$((skipped + 1)) ;;
	*)
		why=$(unexpected "$name")
		if [ "$status" -eq 1 ] && [ -z "$why" ]; then
			partly=$((partly + 1))
		else
			bad=$((bad + 1))
			printf 'bad: %s: exit code %s\n%s\n' "$name" "$status" "$(head -n 12 <<<"$why" | cut -c 1-300 | sed 's/^/\t/')"
		fi
		;;
	esac
done <"$logs/all"
left=$(grep -c '^cli/' "$here/left-out.tsv")
echo "$good of $((good + partly + bad)) command-line tests good, $partly but for known checks, $skipped skipped," \
	"$left not for Windows"
[ "$bad" -eq 0 ] && [ "$good" -gt 0 ]
