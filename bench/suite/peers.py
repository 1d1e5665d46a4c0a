# peers.py - what others are asked to do: the same as pmon, in their own words
# SPDX-License-Identifier: MIT

import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.dirname(HERE)

MAWK = r"""
BEGIN { FS = "\",\"" }
NR > 1 {
	for (i = 2; i <= NF; i++) {
		v = $i + 0
		if ($i !~ /[0-9]/) continue
		s[i] += v; n[i]++
		if (n[i] == 1 || v < low[i]) low[i] = v
		if (n[i] == 1 || v > high[i]) high[i] = v
	}
	if (NF > most) most = NF
}
END { for (i = 2; i <= most; i++) printf "%.17g %.17g %.17g\n", s[i] / n[i], low[i], high[i] }
"""

# The first row has blanks, which Miller takes for text.
MILLER = r"""NR == 1 { for (k, v in $*) { if (v == " ") { unset $[k] } } }"""

PYTHON = r"""
import csv, sys
with open(sys.argv[1], newline="") as f:
    rows = csv.reader(f)
    n = len(next(rows)) - 1
    low, high, total, count = [float("inf")] * n, [float("-inf")] * n, [0.0] * n, [0] * n
    for row in rows:
        for i, text in enumerate(row[1:]):
            if not text.strip():
                continue
            v = float(text)
            total[i] += v
            count[i] += 1
            if v < low[i]: low[i] = v
            if v > high[i]: high[i] = v
for i in range(n):
    print(repr(total[i] / count[i]), repr(low[i]), repr(high[i]))
"""

# Numbers as doubles in a file, one after the other, NaN for none, into text: repr() is Python's shortest
# text that reads back the same. Only the printing is timed.
REPR = r"""
import array, os, sys, time
numbers, out, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
taken = 0.0
with open(numbers, "rb") as source, open(out, "w", newline="") as sink:
    while True:
        row = array.array("d")
        try:
            row.fromfile(source, width)
        except EOFError:
            break
        row = row.tolist()
        start = time.perf_counter()
        sink.write('"01/01/2024 00:00:01.000","' +
                   '","'.join([repr(v) if v == v else " " for v in row]) + '"\r\n')
        taken += time.perf_counter() - start
    start = time.perf_counter()
    sink.flush()
    taken += time.perf_counter() - start
print(taken)
"""


def has(*programs):
    missing = [p for p in programs if not shutil.which(p)]
    if missing:
        print(f"suite: left out, not here: {' '.join(missing)}", file=sys.stderr)
    return not missing


def has_duckdb():
    if has("node") and os.path.isdir(os.path.join(BENCH, "node_modules", "@duckdb")):
        return True
    print("suite: left out, not here: DuckDB (npm ci in bench/)", file=sys.stderr)
    return False


def duckdb(path, columns, threads):
    return ["node", os.path.join(BENCH, "duckdb.mjs"), path, str(columns), str(threads)]
