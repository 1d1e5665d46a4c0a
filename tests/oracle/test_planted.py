#!/usr/bin/env python3
# test_planted.py - planted trouble: are the made-up logs what they say, and what does pmon say of them?
# SPDX-License-Identifier: MIT
"""The generator's own consistency, for every family: a twin is the same log but where something was planted, totals
are sums, the truth lies in the log and shows in the counters that it names. Then pmon's answers for some families in
both noises, and that they stay when nothing that concerns them changes. tests/incidents/score.py and invariance.py
ask about all families, with many seeds."""

import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "incidents"))

import common
import families
import invariance
import plant
import score

SEED = 3
SHORT = (8, 60)     # hours and seconds a sample, where a family does not need its own
LONG = (12, 60)
# pmon names these rightly, whatever the noise.
FOUND = ["leak_handles", "volume_fills", "cpu_spike", "core_dpc", "disk_slow", "web_queue", "sql_blocking", "sql_grants",
         "ldap_slow", "gc_storm", "linux_cpu", "linux_listen"]
STAY = ["disk_slow"]

differences = common.Differences()


def length_of(name):
    return LONG if "hours" in families.FAMILIES[name][3] else SHORT


def same(a, b):
    return a == b or (a is not None and b is not None and abs(a - b) <= 1e-9 * max(abs(a), abs(b)))


def first_difference(own, other):
    return next((i for i, (a, b) in enumerate(zip(own, other)) if not same(a, b)), None)


def check_twin(name, about, columns, quiet):
    """Nothing differs before the trouble, and each place that the truth names differs while it lasts."""
    truth = about["truth"]
    first, last = truth["first"], truth["last"]
    if not 0 <= first <= last < about["samples"]:
        differences.add("%s: samples %d to %d of %d" % (name, first, last, about["samples"]))
    changed = set()
    for path in columns.keys() & quiet.keys():
        at = first_difference(columns[path], quiet[path])
        if at is not None and at < first:
            differences.add("%s: %s differs at sample %d, before the trouble" % (name, path, at))
        elif at is not None and at <= last:
            changed.add(path)
    changed |= columns.keys() - quiet.keys()    # counters of a place that only this family needs
    if not quiet.keys() <= columns.keys():
        differences.add("%s: the twin has other counters" % name)
    if truth["kind"] != "event" and not changed:
        differences.add("%s: nothing was planted" % name)
    for pattern in truth["paths"]:
        if truth["kind"] != "event" and not any(re.search(pattern, path) for path in changed):
            if not any(re.search(other, path) for other in truth["paths"] for path in changed):
                differences.add("%s: no counter that the truth names differs" % name)


def check_totals(name, columns):
    """_Total of processors is their mean, of processes and disks their sum."""
    for prefix, counter, mean in (("Processor", "% Processor Time", True), ("Process", "Private Bytes", False),
                                  ("Process", "% Processor Time", False), ("PhysicalDisk", "Disk Reads/sec", False)):
        total = columns.get("%s(_Total)\\%s" % (prefix, counter))
        form = re.escape(prefix) + r"\((?!_Total).*\)\\" + re.escape(counter) + "$"
        parts = [values for path, values in columns.items() if re.match(form, path)]
        for i in range(0, len(total or ()), 97):
            want = sum(part[i] or 0.0 for part in parts) / (len(parts) if mean else 1)
            if not same(round(want, 5), round(total[i], 5)):
                differences.add("%s: _Total of %s\\%s is %r, its parts give %r" % (name, prefix, counter, total[i], want))
                break


def check_ranges(name, columns):
    """What is there is not less than nothing, and a share is at most all."""
    for path, values in columns.items():
        numbers = [v for v in values if v is not None]
        share = path.endswith(("% Idle Time", "% Free Space", "% Time in GC")) or re.match(r"Processor.*% \w+ Time$", path)
        if min(numbers) < 0 or (share and max(numbers) > 100.000001):
            differences.add("%s: %s is %r to %r" % (name, path, min(numbers), max(numbers)))


def check_family(name, noise):
    _, columns, about = plant.make(name, SEED, noise, length=length_of(name))
    _, quiet, _ = plant.make(name, SEED, noise, quiet=True, length=length_of(name))
    check_twin(name, about, columns, quiet)
    check_totals(name, columns)
    check_ranges(name, columns)


def check_answers(name, noise, folder):
    """The trouble is named in its log; the twin's answers would not have counted as naming it."""
    row = score.one((name, SEED, noise, False, folder, "csv", True, length_of(name)))
    twin = score.one((name, SEED, noise, True, folder, "csv", True, length_of(name)))
    if row["state"] != "right":
        differences.add("%s in %s noise: %s" % (name, noise, row["state"]))
    base = os.path.join(folder, "%s-%d-%s" % (name, SEED, noise))
    about = common.parse_json(open(base + ".json", encoding="utf-8").read())
    health = common.parse_json(open(base + "-quiet.health", encoding="utf-8").read())
    if score.judge(about, open(base + "-quiet.txt", encoding="utf-8").read(), health) == "right":
        differences.add("%s in %s noise: found in its twin" % (name, noise))
    if twin["extra"].get("critical"):
        differences.add("%s in %s noise: the quiet twin has %s" % (name, noise, twin["named"]))


def check_stays(name, folder):
    path = os.path.join(folder, name + ".csv")
    plant.write(name, SEED, "real", path, length=length_of(name))
    compared, told = invariance.check(path, list(invariance.CHANGES), random.Random(SEED), differences.add)
    if compared < 5 or not told:
        differences.add("%s: %d changes compared, %d incidents" % (name, compared, told))


def main():
    common.binary()
    for number, name in enumerate(families.FAMILIES):
        check_family(name, ("gauss", "real")[number % 2])
    with tempfile.TemporaryDirectory() as folder:
        for name in FOUND:
            for noise in ("gauss", "real"):
                check_answers(name, noise, folder)
        for name in STAY:
            check_stays(name, folder)
    print("%d families, %d logs judged, %d compared" % (len(families.FAMILIES), 2 * len(FOUND), len(STAY)))
    return 1 if differences.count else 0


if __name__ == "__main__":
    sys.exit(main())
