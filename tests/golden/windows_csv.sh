#!/usr/bin/env bash
# windows_csv.sh - pmon values --format csv against the CSV that Windows made of the same log
# SPDX-License-Identifier: MIT
#
# Source of every expected text: pwsh-CounterSamples.csv, written by Windows' PDH from
# pwsh-CounterSamples.blg (both from PowerShell's own tests).
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
need_data

run values --format csv "$data/pwsh-CounterSamples.blg"
status 0
err_is ''
python3 - "$data/pwsh-CounterSamples.csv" "$tmp/.out" <<'PYTHON' && ok || bad 'see above'
import csv, sys

windows, ours = (list(csv.reader(open(name, newline="", encoding="utf-8")))
                 for name in sys.argv[1:])
wrong = []


def same(what, a, b):
    if a != b:
        wrong.append("%s: Windows %r, pmon %r" % (what, a, b))


same("rows", len(windows), len(ours))
same("columns", windows[0][1:], ours[0][1:])
same("header field", windows[0][0], ours[0][0])
cells = 0
for theirs, mine in zip(windows[1:], ours[1:]):
    same("time stamp", theirs[0], mine[0])
    same("cells in a row", len(theirs), len(mine))
    for column, a, b in zip(windows[0][1:], theirs[1:], mine[1:]):
        same("%s at %s" % (column, theirs[0]), a, b)
        cells += 1
same("cells", 250, cells)
print("\n".join(wrong[:20]) or "%d cells, and all time stamps and columns" % cells)
sys.exit(bool(wrong))
PYTHON

# The very bytes, line ends aside: quotes and blanks too.
same 'bytes' "$(tail -n +2 "$data/pwsh-CounterSamples.csv" | tr -d '\r' | cksum)" \
	"$(tail -n +2 "$tmp/.out" | tr -d '\r' | cksum)"

finish
