#!/usr/bin/env bash
# unit.sh - run the unit tests of a build for Windows under Wine: unit.sh BUILD-FOLDER
# SPDX-License-Identifier: MIT
#
# Called by tools/windows. WINE is the command, WINEPREFIX its folder, JOBS how many run at a time. left-out.tsv lists the
# tests that are not built for Windows.
set -euo pipefail

folder=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
logs=$folder/tests/logs
rm -rf "$logs"
mkdir -p "$logs" "$folder"/tests/{unit,fault}
export WINE logs
export PMON_SOURCE_DIR=${here%/tests/windows} PMON_BUILD_DIR=$folder PMON_BIN=$folder/pmon.exe
export PMON_TEST_DATA=${PMON_TEST_DATA:-$PMON_SOURCE_DIR/../shared/data}

# Earlier builds may have left tests that are no longer built.
is_left_out() {
	local name=${1#"$folder/tests/"}

	name=${name%.exe}
	grep -q -e "^${name/test_/}	" "$here/left-out.tsv"
}

# A test that hangs is stopped. Exit code 77 is that of a test that was skipped.
find "$folder"/tests/unit "$folder"/tests/fault -name 'test_*.exe' | sort |
	while read -r test; do is_left_out "$test" || echo "$test"; done |
	xargs -P "${JOBS:-1}" -I{} bash -c '
		name=$(basename {} .exe)
		status=0
		timeout 900 "$WINE" {} >"$logs/$name" 2>&1 </dev/null || status=$?
		echo "$status $name" >>"$logs/all"'

while read -r status name; do
	case $status in
	0 | 77) ;;
	*)
		echo "bad: $name: exit code $status"
		{ grep -a -v -e '^\[ RUN' -e '^\[ *OK' "$logs/$name" || true; } | tail -n 12 | sed 's/^/\t/'
		;;
	esac
done <"$logs/all"
count() { grep -c -E -e "$1 " "$logs/all" || true; }
passed=$(count '^0')
skipped=$(count '^77')
all=$(wc -l <"$logs/all")
left=$(grep -c -E '^(unit|fault)/' "$here/left-out.tsv")
echo "$passed of $((all - skipped)) unit tests good, $skipped skipped, $left not for Windows"
[ $((passed + skipped)) -eq "$all" ] && [ "$passed" -gt 0 ]
