#!/usr/bin/env python3
# compare.py - what an engine says of logs, and what pmon says of the same: to the last digit
# SPDX-License-Identifier: MIT
#
#	compare.py [--from TIME --to TIME] [--within ERROR] [--own NAME] VALUES AVERAGES FILE...
#
# VALUES and AVERAGES are what the engine answered, with tabs between the columns and \N for none:
#
#	path, time (of the sample, 100 ns since 1601), nth (of that time), value, status
#	path, average, status, samples
#
# pmon values and pmon stats are asked for the same of the files, all together. Exit code 1, with the
# first differences, when anything differs. With --within, numbers may differ by that part of themselves,
# percentages by that part of 100: rows of increments are added up in another order (pmon/increments.h). --own
# leaves out averages of counters of this name, where the header says that they differ.

import argparse
import collections
import json
import os
import subprocess
import sys

SHOWN = 3


def pmon(*words):
    """The lines of JSON that pmon writes."""
    run = subprocess.run([os.environ["PMON_BIN"], *words], stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, 3):
        sys.exit(f"pmon {' '.join(words)} ends with {run.returncode}")
    return run.stdout.decode()


def rows(name):
    with open(name, encoding="utf-8") as file:
        for line in file:
            yield [None if cell == "\\N" else unescaped(cell) for cell in line.rstrip("\n").split("\t")]


def unescaped(cell):
    return cell.replace("\\'", "'").replace("\\\\", "\0").replace("\\t", "\t").replace("\0", "\\")


def number(text):
    return None if text is None else float(text)


def values_of_engine(name):
    """By path, in the order of time: value and status."""
    found = collections.defaultdict(list)
    for path, time, nth, value, status in rows(name):
        found[path].append(((int(time), int(nth)), number(value), status))
    return {path: [item[1:] for item in sorted(items, key=lambda item: item[0])]
            for path, items in found.items()}


def values_of_pmon(words):
    found = collections.defaultdict(list)
    for line in pmon("values", "--format", "json", *words).splitlines():
        item = json.loads(line)
        found[item["path"]].append((number(item["value"]), item["status"]))
    return found


def averages_of_pmon(words):
    counters = json.loads(pmon("stats", "--format", "json", *words))["counters"]
    found = collections.defaultdict(list)
    for item in counters:
        found[item["path"]].append((number(item["average"]), item["samples"]))
    return found, {item["path"] for item in counters if item["unit"] == "%"}


def averages_of_engine(name):
    found = collections.defaultdict(list)
    for path, average, _, samples in rows(name):
        found[path].append((number(average), int(samples)))
    return found


def key(item):
    return tuple((part is not None, part) for part in item)


def is_close(a, b, within, is_percent):
    """Items of the engine and of pmon, whose first parts are numbers."""
    if a == b:
        return True
    if a[1:] != b[1:] or a[0] is None or b[0] is None:
        return False
    return abs(a[0] - b[0]) <= within * max(abs(b[0]), 100 if is_percent else 0)


def differences(what, theirs, ours, is_ordered, within, percent):
    n = 0
    for path in sorted(set(theirs) | set(ours)):
        a, b = theirs.get(path, []), ours.get(path, [])
        # A log may list a counter twice: then the values of both stand under one path.
        if not is_ordered or sorted(a, key=key) == sorted(b, key=key):
            a, b = sorted(a, key=key), sorted(b, key=key)
        first = next((i for i in range(min(len(a), len(b))) if not is_close(a[i], b[i], within, path in percent)),
                     min(len(a), len(b)))
        if first == len(a) == len(b):
            continue
        n += 1
        if n <= SHOWN:
            print(f"{what} of {path}: engine has {len(a)}, pmon {len(b)}; from number {first} on "
                  f"{a[first:first + 2]} and {b[first:first + 2]}")
    return n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--within", type=float, default=0)
    parser.add_argument("--own", default="\0")
    parser.add_argument("--from", dest="begin")
    parser.add_argument("--to", dest="end")
    parser.add_argument("values")
    parser.add_argument("averages")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    words = list(options.files)
    if options.begin:
        words += ["--from", options.begin]
    if options.end:
        words += ["--to", options.end]
    ours = values_of_pmon(words)
    wrong = 0
    averages, percent = averages_of_pmon(words)
    theirs = averages_of_engine(options.averages)
    for path in [path for path in averages if path.endswith("\\" + options.own)]:
        del averages[path], theirs[path]
    if options.values != "-":
        wrong += differences("values", values_of_engine(options.values), ours, True, options.within, percent)
    wrong += differences("averages", theirs, averages, False, options.within, percent)
    print(f"{sum(map(len, ours.values()))} values and {sum(map(len, averages.values()))} averages, "
          f"{wrong} counters differ")
    sys.exit(1 if wrong or not ours else 0)


main()
