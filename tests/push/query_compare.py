#!/usr/bin/env python3
# query_compare.py - what pmon query gives, and what pmon values and pmon stats give of the same logs: to the last digit
# SPDX-License-Identifier: MIT
#
#	query_compare.py WHAT URL [OPTION...] -- FILE...
#
# WHAT is "values" or "averages"; the options are given to all three. Exit code 1, with the first differences, when
# anything differs, or when there is nothing to compare.

import collections
import json
import os
import subprocess
import sys

SHOWN = 3


def pmon(*words):
    run = subprocess.run([os.environ["PMON_BIN"], *words], stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, 3):
        sys.exit(f"pmon {' '.join(words)} ends with {run.returncode}")
    return run.stdout.decode()


def rows(items, fields):
    """By path, whose case is that of one of its spellings; in any order, as a log may list a counter twice."""
    found = collections.defaultdict(list)
    for item in items:
        found[item["path"].lower()].append(tuple(item[field] for field in fields))
    return {path: sorted(list_, key=lambda row: [(cell is not None, cell) for cell in row])
            for path, list_ in found.items()}


def main():
    what, url, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    options, files = rest[: rest.index("--")], rest[rest.index("--") + 1:]
    answer = json.loads(pmon("query", url, what, "--format", "json", *options))[what]
    if what == "values":
        fields = ("time", "value", "status")
        lines = pmon("values", "--format", "json", *options, *files).splitlines()
        ours = rows(map(json.loads, lines), fields)
    else:
        fields = ("average", "samples")
        ours = rows(json.loads(pmon("stats", "--format", "json", *options, *files))["counters"], fields)
    theirs = rows(answer, fields)
    wrong = [path for path in sorted(set(theirs) | set(ours)) if theirs.get(path) != ours.get(path)]
    for path in wrong[:SHOWN]:
        a, b = theirs.get(path, []), ours.get(path, [])
        first = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
        print(f"{what} of {path}: the engine has {len(a)}, pmon {len(b)}; from number {first} on "
              f"{a[first:first + 2]} and {b[first:first + 2]}")
    print(f"{sum(map(len, ours.values()))} {what} of {len(ours)} counters, {len(wrong)} counters differ")
    sys.exit(1 if wrong or not ours else 0)


main()
