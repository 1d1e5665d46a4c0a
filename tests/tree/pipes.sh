#!/usr/bin/env bash
# pipes.sh - no script pipes a program into a grep that ends at the first match
# SPDX-License-Identifier: MIT
#
# grep -q, and grep with its output in /dev/null, close the pipe while the program still writes. SIGPIPE then ends
# the program, and pipefail makes a match look like no match: now and then, when the machine is busy.
set -euo pipefail

early='\| *grep +(-[a-zA-Z]+ +)*(-[a-zA-Z]*q|[^|]*[^2&]> ?/dev/null)'
fault='prog | grep -aq x'
[[ $fault =~ $early ]] || { echo "pipes.sh: finds nothing in: $fault" && exit 1; }

cd "$PMON_SOURCE_DIR"
git ls-files >/dev/null 2>&1 || { echo 'this is no checkout' && exit 77; }
if git grep -nE "$early" -- '*.sh' tools .ci packaging ':!tests/tree/pipes.sh'; then
	echo 'write grep -q ... < <(program): the status of the program then does not count'
	exit 1
fi
