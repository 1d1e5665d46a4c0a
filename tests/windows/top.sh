#!/usr/bin/env bash
# top.sh - pmon top on a console of Wine: top.sh PMON
# SPDX-License-Identifier: MIT
#
# Called by tools/windows after live.sh, whose counters are registered. PMON is a command that runs pmon.exe. The terminal
# is tmux, in which Wine draws the console. Wine waits for more after the key Escape, so it is not pressed here.
set -euo pipefail

export PMON_BIN PMON_SOURCE_DIR
PMON_BIN=$(realpath "$1")
PMON_SOURCE_DIR=$(dirname "$(realpath "$0")")
PMON_SOURCE_DIR=${PMON_SOURCE_DIR%/tests/windows}
set +eu
# shellcheck source=tests/cli/lib_top.sh
. "$PMON_SOURCE_DIR/tests/cli/lib_top.sh" || exit 1

ends() {
	keys q
	wait_for test -s ended
	same 'exit status' "$(cat ended 2>&1)" 0
	mux kill-session
}

# ---- A log, whose values are those of make_log.c ------------------------------------------------

make_log average a.blg
start 120 20 a.blg
see '2026-11-20 15:00:00 to 15:02:30'
see 'PhysicalDisk(0 C:)\Avg. Disk sec/Read'
see '█'
numbers() { awk -v name="$1" 'index($0, name) { gsub(" %", "%"); print $1, $2, $3, $4 }' <<<"$out"; }
see_same 'the processor' '5% 15% 5% 60%' numbers '% Processor'
keys s
see 'sorted by value'
keys r
see '▲Value'
keys / p r o c
see 'Filter: proc'
see_no 'Disk Reads'
keys Enter
keys Left
see 'AT 15:02:15'
keys e
see '100 * (1 - (N1 - N0) / (D1 - D0))'
keys q
see_no '(N1 - N0)'
ends

# ---- This machine -------------------------------------------------------------------------------

start 100 20 -i 300ms -c '\Processor(*)\*' -c '\Memory\*'
see 'Processor(_Total)\% User Time'
see '1 GB'
keys Space
see 'PAUSED'
keys Space
see_no 'PAUSED'
ends

start 100 20 -i 300ms -c '\Nothing\*'
see 'no counter matches'
wait_for test -s ended
same 'exit status' "$(cat ended)" 1
mux kill-session

finish
