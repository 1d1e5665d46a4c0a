#!/usr/bin/env bash
# around.sh - what surrounds a process: variables, limits, signals that are ignored
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

make_log average a.blg
want=$("$PMON_BIN" info a.blg)

# asked WHAT ENV...: the answer is the same with these variables of the environment
asked() {
	local what=$1

	shift
	ran="env $* pmon info a.blg"
	same "$what" "$(env "$@" "$PMON_BIN" info a.blg 2>&1 </dev/null)" "$want"
}

# ---- Limits and variables -----------------------------------------------------------------------

# Folders that variables name can be read by a program that has shut itself off.
mkdir zones
mkdir -p zones/Test
cp /usr/share/zoneinfo/UTC zones/Test/Place 2>/dev/null || : >zones/Test/Place
asked 'zones of its own' TZDIR="$tmp/zones" TMPDIR="$tmp"

# A limit of the processor's time holds for pictures too, which take less.
run chart a.blg -o try.png
if [ "$status" = 0 ]; then
	(ulimit -t 600 && "$PMON_BIN" chart a.blg -o limited.png 2>/dev/null)
	same 'status with a limit' $? 0
	cmp -s try.png limited.png && ok || bad 'another picture'
fi

# Signals that are ignored, as by nohup, stay ignored; the output is whole.
(trap '' HUP INT TERM && "$PMON_BIN" relog a.blg -f csv -o ignored.csv >/dev/null 2>&1)
run relog a.blg -f csv -o plain.csv
cmp -s ignored.csv plain.csv && ok || bad 'another log'
(trap '' HUP INT TERM && "$PMON_BIN" record -i 50ms -n 2 -c '\Memory\*' -q -o live.csv 2>&1)
same 'lines of a recording' "$(wc -l <live.csv)" 3

finish
