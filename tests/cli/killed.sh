#!/usr/bin/env bash
# killed.sh - whenever relog is stopped or killed, it leaves the whole output or none, and no temporary file
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

[ "$(uname)" = Linux ] || exit 77
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # a leak is not looked for in what is traced
"${CC:-cc}" -std=c11 -O1 "$PMON_SOURCE_DIR/tests/cli/killed.c" -o killed || exit 1
make_log average a.blg
mkdir new
echo old >old

# killed SIGNAL own|keeper STEP FORMAT OLD
killed() {
	local file=new/out.$4 found status=0

	ran="relog -f $4, signal $1, one call in $3 ($2)${5:+, over an old file}"
	rm -f new/*
	found=$(./killed "$1" "$2" "$3" "$file" "$5" -- "$PMON_BIN" relog a.blg -f "$4" -o "$file" -y 2>&1) || status=$?
	[ $status != 77 ] || exit 77
	[ $status = 0 ] && ok || bad "$(grep -a 'signal\|wrong\|killed' <<<"$found" | head -n 20)"
}
formats='csv bin'
"$PMON_BIN" relog a.blg -f sql -o probe.db >/dev/null 2>&1 && formats+=' sql'
for format in $formats; do
	for signal in 15 9; do
		killed $signal keeper 1 $format ''
		killed $signal own 9 $format ''
	done
done
for signal in 1 2 15 9; do
	killed $signal keeper 3 csv old
	killed $signal own 15 csv old
done
finish
