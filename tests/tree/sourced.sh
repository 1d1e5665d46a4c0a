#!/usr/bin/env bash
# sourced.sh - a script ends where the functions that it sources are missing
# SPDX-License-Identifier: MIT
#
# Without them it would run on outside its temporary folder, and write into that of the user.
set -euo pipefail

# shellcheck disable=SC2016 # lines as scripts have them
unguarded='^[[:space:]]*\. "?\$PMON_[A-Z_]*/[^|&]*$'
# shellcheck disable=SC2016
fault='. "$PMON_SOURCE_DIR/tests/cli/lib.sh"'
[[ $fault =~ $unguarded ]] || { echo "sourced.sh: finds nothing in: $fault" && exit 1; }

cd "$PMON_SOURCE_DIR"
git ls-files >/dev/null 2>&1 || { echo 'this is no checkout' && exit 77; }
if git grep -nE "$unguarded" -- '*.sh' tools .ci packaging bench ':!tests/tree/sourced.sh'; then
	echo 'write || exit 1 after it'
	exit 1
fi
