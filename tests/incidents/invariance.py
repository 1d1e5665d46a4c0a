#!/usr/bin/env python3
# invariance.py - do the incidents of a log stay when nothing that concerns them changes?
# SPDX-License-Identifier: MIT
#
#	invariance.py [--families a,b] [--seeds 1] [--noise real]
#
# An empty sample is inserted, columns are permuted, names translated, the format converted, the machine renamed, another
# machine's counters joined, every second sample merged with the one before. For each: what changed, or nothing.
"""Changes a PDH-CSV in ways that must not change what is said of it."""

import argparse
import csv
import datetime
import os
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))

import common  # noqa: E402
import families  # noqa: E402
import plant  # noqa: E402
import score  # noqa: E402

FORM = "%m/%d/%Y %H:%M:%S.%f"
LANGUAGES = ("deDE", "jaJP")
FORMATS = (("BLG", ".blg"), ("JSON lines", ".jsonl"), ("SQLite", ".db"))


class Table:
    """A PDH-CSV: the head, and a row of text for each sample."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.head, self.rows = rows[0], [row for row in rows[1:] if row[0] != rows[0][0]]

    def write(self, path, head=None, rows=None):
        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
            out.writerow(head or self.head)
            out.writerows(rows or self.rows)
        return path

    def time(self, i):
        return datetime.datetime.strptime(self.rows[i][0], FORM)


def shown(moment):
    return moment.strftime(FORM)[:-3]


# ---- The changes --------------------------------------------------------------------------------

def with_empty_sample(table, dice, base):
    """A sample without any value between two others."""
    at = dice.randrange(2, len(table.rows) - 1)
    between = table.time(at - 1) + (table.time(at) - table.time(at - 1)) / 2
    empty = [shown(between)] + [" "] * (len(table.head) - 1)
    return table.write(base + "-empty.csv", rows=table.rows[:at] + [empty] + table.rows[at:])


def permuted(table, dice, base):
    order = list(range(1, len(table.head)))
    dice.shuffle(order)
    return table.write(base + "-permuted.csv", [table.head[0]] + [table.head[i] for i in order],
                       [[row[0]] + [row[i] for i in order] for row in table.rows])


def renamed(table, _, base):
    head = [re.sub(r"^\\\\[^\\]+", r"\\\\ZULU-77", name) for name in table.head]
    return table.write(base + "-renamed.csv", head)


def joined(table, dice, base):
    """With a second, quiet machine, sampled at the same times."""
    made, columns, _ = plant.make("quiet", dice.randrange(1000), "gauss", length=(8, 60))
    head = table.head + ["\\\\OTHER-1\\" + name for name in columns]
    values = list(columns.values())
    rows = [row + ["%.10g" % column[i % made.n] for column in values] for i, row in enumerate(table.rows)]
    return table.write(base + "-joined.csv", head, rows)


def converted(ending):
    def change(table, _, base):
        path = table.write(base + "-plain.csv")
        score.run("relog", "-y", path, "-o", base + "-plain" + ending)
        return base + "-plain" + ending
    return change


def halved(table, _, base):
    """Each sample merged with the one before: the means of their values."""
    def mean(a, b):
        numbers = [float(cell) for cell in (a, b) if cell.strip()]
        return "%.10g" % (sum(numbers) / len(numbers)) if numbers else " "
    pairs = zip(table.rows[0::2], table.rows[1::2])
    return table.write(base + "-halved.csv", rows=[[b[0]] + [mean(x, y) for x, y in zip(a[1:], b[1:])] for a, b in pairs])


def names_of(language):
    """{object: name}, {(object, counter): name}; None without the data."""
    folder = common.from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data")
    objects, counters = {}, {}
    for name in ("counter_names.tsv", "counter_names_other.tsv"):
        path = os.path.join(folder, "names", name)
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8") as file:
            head = file.readline().rstrip("\n").split("\t")
            for line in file:
                row = line.rstrip("\n").split("\t")
                if language in head and row[head.index(language)]:
                    if row[0] == "object":
                        objects[row[1]] = row[head.index(language)]
                    else:
                        counters[(row[1], row[2])] = row[head.index(language)]
                elif language not in head and len(row) > 3 and row[2] == language:
                    thing, _, counter = row[1].partition("\\")
                    if counter:
                        counters[(thing, counter)] = row[3]
                    else:
                        objects[thing] = row[3]
    return objects, counters


def translated(language):
    def change(table, _, base):
        names = names_of(language)
        if names is None:
            return None
        objects, counters = names
        head = [table.head[0]]
        for path in table.head[1:]:
            machine, thing, instance, counter = re.match(r"(\\\\[^\\]+\\)([^\\(]+)(\(.*\))?\\([^\\]+)$", path).groups()
            counter = counters.get((thing, counter), counter)
            head.append(machine + objects.get(thing, thing) + (instance or "") + "\\" + counter)
        return table.write("%s-%s.csv" % (base, language), head)
    return change


CHANGES = {"an empty sample": with_empty_sample, "columns permuted": permuted, "machine renamed": renamed,
           "joined with another machine": joined, **{"converted to " + name: converted(ending)
                                                     for name, ending in FORMATS}}
CHANGES.update({"names in " + language: translated(language) for language in LANGUAGES})


# ---- The comparison -----------------------------------------------------------------------------

def said(path, machine=None, with_id=True):
    """What is said of a log: a set of what must stay. An ID depends on the name of the machine."""
    health = common.parse_json(score.run("health", "--format", "json", path))
    out = set()
    for entry in score.entries_of(health):
        if machine is None or not any("\\\\OTHER-1\\" in p.upper() for p in entry["paths"]):
            out.add((entry["severity"], entry["from"][:21], entry["to"][:21] if entry["to"] else None, entry["resource"],
                     entry["text"], tuple(entry["who"]), entry["id"] if with_id else None))
    return out


def apart(a, b):
    return abs(score.seconds_of(a) - score.seconds_of(b))


def check_halved(path, table, base, add):
    """Incidents of four samples or more keep their resource, who did it, and their times within two of the new samples."""
    step = 2 * (table.time(2) - table.time(1)).total_seconds()
    health = [common.parse_json(score.run("health", "--format", "json", p)) for p in (path, halved(table, None, base))]
    before, after = ([e for e in score.entries_of(h) if e["severity"] != "note"] for h in health)
    for e in before:
        if apart(e["from"], e["to"]) < 3 * step:
            continue
        if not any(o["resource"] == e["resource"] and o["who"][:1] == e["who"][:1]
                   for o in after if apart(o["from"], e["from"]) <= 2 * step and apart(o["to"], e["to"]) <= 2 * step):
            add("%s, half of the samples: gone: %s %s %s" % (os.path.basename(base), e["from"], e["text"], e["who"]))


def check(path, names, dice, add):
    """Calls add() with each difference; counts the comparisons."""
    table, base, compared = Table(path), os.path.splitext(path)[0], 0
    sides = {with_id: said(path, None, with_id) for with_id in (False, True)}
    for name in names:
        changed = CHANGES[name](table, dice, base)
        if changed is None:
            continue
        compared += 1
        with_id = "renamed" not in name
        before, after = sides[with_id], said(changed, "joined" in name or None, with_id)
        for item in sorted(before - after, key=str):
            add("%s, %s: gone: %s" % (os.path.basename(base), name, item))
        for item in sorted(after - before, key=str):
            add("%s, %s: new: %s" % (os.path.basename(base), name, item))
    check_halved(path, table, base, add)
    return compared, len(sides[True])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--families", default=",".join(families.FAMILIES))
    parser.add_argument("--changes", default=",".join(CHANGES))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--noise", default="real")
    options = parser.parse_args()
    different, compared, told = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.families.split(","):
            for seed in range(1, options.seeds + 1):
                if plant.needs_raw(name):
                    continue
                path = os.path.join(folder, "%s-%d.csv" % (name, seed))
                plant.write(name, seed, options.noise, path)
                done, incidents = check(path, options.changes.split(","), random.Random(seed), different.append)
                compared, told = compared + done, told + incidents
    for line in different:
        print(line)
    print("%d logs with %d incidents compared, %d differences" % (compared, told, len(different)))
    return 1 if different or not told else 0


if __name__ == "__main__":
    sys.exit(main())
