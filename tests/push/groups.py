#!/usr/bin/env python3
# groups.py - averages of groups: what an engine computes, and what pmon stats --by machine prints
# SPDX-License-Identifier: MIT
#
#	groups.py sqlite FILE...    the groups of a machine's instances in a database that pmon relog makes of the files
#	groups.py totals FILE...    the groups and the log's own _Total
#
# Exit code 1 when anything differs.

import collections
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile

# Averages divide sums that are exact. Groups of MULTI timers weigh by units in doubles, and SQLite's sums
# beyond 64 bits are rounded; so the last digits may differ there.
TOLERANCE = 1e-12


def pmon(*words):
    run = subprocess.run([os.environ["PMON_BIN"], *words], stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, 3):
        sys.exit(f"pmon {' '.join(words)} ends with {run.returncode}")
    return run.stdout.decode()


def is_total(instance):
    return instance is not None and instance.lower().split(",")[-1] == "_total"


def members(series):
    """(name of the group, id) of (id, machine, object, instance, counter, type): by docs/reference/counters.md all
    instances of a machine; a total only where there are no others, and then one of them."""
    groups = collections.defaultdict(list)
    for key, machine, thing, instance, counter, kind in series:
        name = ("\\\\" + machine if machine else "") + "\\" + thing
        name += ("(*)" if instance is not None else "") + "\\" + counter
        groups[f"{name.lower()}|{kind}"].append((key, instance))
    for name, all_of_it in groups.items():
        parts = [key for key, instance in all_of_it if not is_total(instance)]
        for key in parts or [all_of_it[0][0]]:
            yield name, key


def stats(files, *words):
    return json.loads(pmon("stats", "--format", "json", *words, *files))["counters"]


def is_close(got, want, unit):
    if got is None or want is None:
        return got is want
    scale = max(abs(got), abs(want), 100 if unit == "%" else 0)
    return abs(got - want) <= TOLERANCE * scale


def key_of(row):
    return (row[0] is not None, row[0] or 0, row[1])


def compare(averages, files):
    """averages: (name, average, samples) of the engine."""
    theirs = collections.defaultdict(list)
    ours = collections.defaultdict(list)
    units = {}
    for name, average, samples in averages:
        theirs[name.rsplit("|", 1)[0]].append((average, samples))
    for row in stats(files, "--by", "machine"):
        path = row["path"].lower()
        units[path] = row["unit"]
        ours[path].append((row["average"], row["samples"]))
    wrong = 0
    for path in sorted(set(ours) | set(theirs)):
        a, b = sorted(theirs[path], key=key_of), sorted(ours[path], key=key_of)
        same = len(a) == len(b) and all(
            x[1] == y[1] and is_close(x[0], y[0], units.get(path)) for x, y in zip(a, b))
        wrong += not same
        if not same and wrong < 6:
            print(f"{path}: engine {a}, pmon {b}")
    print(f"{sum(map(len, ours.values()))} groups, {wrong} differ")
    return wrong == 0 and bool(ours)


def in_sqlite(files):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.db")
        pmon("relog", *files, "-f", "sqlite", "-o", path)
        db = sqlite3.connect(path)
        series = db.execute("SELECT CounterID, ltrim(MachineName, '\\'), ObjectName, InstanceName, CounterName,"
                            " CounterType FROM CounterDetails ORDER BY CounterID").fetchall()
        db.executemany("INSERT INTO pmon_group VALUES (?, ?)", members(series))
        averages = db.execute("SELECT group_name, average, samples FROM pmon_group_average"
                              " WHERE window_name = 'all'").fetchall()
        db.close()
        return compare(averages, files)


# The types whose numerators and denominators a provider adds up for its _Total, so that the average of the
# group is that of the total. (Processors and disks have the mean of their members as % of time, which is the
# same while all of them are there.)
ADDED_UP = ("PERF_RAW_FRACTION", "PERF_AVERAGE_TIMER", "PERF_AVERAGE_BULK")


def totals(files):
    """A total is the same to the sixth digit: a provider reads the parts one after the other, and the sums of
    Avg. Disk sec/... are rounded when they are divided by the number of disks and multiplied again."""
    groups = {row["path"].lower(): row for row in stats(files, "--by", "machine")}
    n = wrong = 0
    for row in stats(files):
        name, found, rest = row["path"].lower().partition("(_total)")
        group = groups.get(name + "(*)" + rest)
        if not found or row["type"] not in ADDED_UP or group["average"] is None or row["average"] is None:
            continue
        n += 1
        if group["average_kind"] == "true" and not math.isclose(group["average"], row["average"], rel_tol=1e-6):
            wrong += 1
            print(f"{row['path']}: {row['average']}, the group {group['average']}")
    print(f"{n} totals, {wrong} differ")
    return wrong == 0 and n > 0


def main():
    what, files = sys.argv[1], sys.argv[2:]
    return 0 if {"sqlite": in_sqlite, "totals": totals}[what](files) else 1


if __name__ == "__main__":
    sys.exit(main())
