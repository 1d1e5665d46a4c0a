#!/usr/bin/env python3
"""Average latencies of text logs in the views of a database, against stats and against fractions.

Cells are made of operations and of the time that they took: the average is the sum of the times over
the sum of the operations. Intervals are not alike, cells are missing, some disks lack a counter.
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from fractions import Fraction

import common

LOGS = 40
BEGIN = datetime(2026, 7, 1, 6)
KINDS = [
    ("Avg. Disk sec/Read", "Avg. Disk Read Queue Length", "Disk Reads/sec"),
    ("Avg. Disk sec/Write", "Avg. Disk Write Queue Length", "Disk Writes/sec"),
    ("Avg. Disk sec/Transfer", "Avg. Disk Queue Length", "Disk Transfers/sec"),
]
LATENCY, QUEUE, RATE = range(3)


class Disk:
    """The columns of one kind of operations of a disk; a cell is a Fraction, or None."""

    def __init__(self, rand, place):
        self.instance = "\\\\S\\%s(%d %s:)\\" % (rand.choice(["PhysicalDisk", "LogicalDisk"]), place, "CDEFG"[place])
        self.names = rand.choice(KINDS)
        self.has = [True, rand.random() < 0.5, rand.random() < 0.85]
        self.rows = []

    def add(self, rand, length):
        """A line; the queue length is not quite what the latency says, as its digits are rounded."""
        operations = rand.choice([0, 1, rand.randrange(5000)])
        seconds = operations * Fraction(rand.randrange(100000), 10**6)
        cells = [seconds / operations if operations else Fraction(0), seconds / length, Fraction(operations) / length]
        cells[QUEUE] *= rand.choice([1, 1, Fraction(101, 100)])
        self.rows.append([None if rand.random() < 0.1 else Fraction(round(cell * 10**9), 10**9) for cell in cells])

    def columns(self):
        return [which for which in range(3) if self.has[which]]

    def path(self, which):
        return self.instance + self.names[which]

    def sums(self, lengths, lines):
        """(seconds, operations) of the lines; None where they do not follow from the columns."""
        seconds = operations = Fraction(0)
        is_there = False
        for line in lines:
            latency, queue, rate = self.rows[line]
            source = queue if self.has[QUEUE] else latency
            if not self.has[RATE] or rate is None or source is None:
                continue
            is_there = True
            seconds += (source if self.has[QUEUE] else latency * rate) * lengths[line]
            operations += rate * lengths[line]
        return (seconds, operations) if is_there else None

    def average(self, lengths, lines):
        sums = self.sums(lengths, lines)
        if sums is not None and sums[1] > 0:
            return sums[0] / sums[1]
        cells = [self.rows[line][LATENCY] for line in lines if self.rows[line][LATENCY] is not None]
        return sum(cells) / len(cells) if cells else None


def make(rand, n_lines):
    """Disks, times, and the length of the interval that each line ends; of the first, that of the second."""
    disks = [Disk(rand, place) for place in range(rand.randrange(1, 5))]
    lengths = [Fraction(rand.randrange(1, 30000), 1000) for _ in range(n_lines)]
    times = [BEGIN]
    for length in lengths[1:]:
        times.append(times[-1] + timedelta(milliseconds=int(length * 1000)))
    if n_lines > 1:
        lengths[0] = lengths[1]
    for length in lengths:
        for disk in disks:
            disk.add(rand, length)
    return disks, times, lengths


def cell_text(cell):
    return " " if cell is None else "%.9f" % cell


def write(file_name, disks, times):
    columns = [(disk, which) for disk in disks for which in disk.columns()]
    with open(file_name, "w", encoding="ascii", newline="") as file:
        header = ["(PDH-CSV 4.0) (UTC)(0)"] + [disk.path(which) for disk, which in columns] + ["\\\\S\\Memory\\Pages/sec"]
        file.write(",".join('"%s"' % cell for cell in header) + "\r\n")
        for line, time in enumerate(times):
            text = time.strftime("%m/%d/%Y %H:%M:%S.") + "%03d" % (time.microsecond // 1000)
            cells = [text] + [cell_text(disk.rows[line][which]) for disk, which in columns] + ["7"]
            file.write(",".join('"%s"' % cell for cell in cells) + "\r\n")


def near(got, want):
    if got is None or want is None:
        return got is None and want is None
    return abs(Fraction(got) - Fraction(want)) <= abs(Fraction(want)) / 10**11


def iso(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (time.microsecond // 1000)


def compare_window(db, window, log, options, differences):
    """Every average and its kind, as stats has them."""
    got = {path: (average, kind) for path, average, kind in db.execute(
        "SELECT path, average, average_kind FROM pmon_average WHERE window_name = ?", (window,))}
    done = subprocess.run([common.binary(), "stats", "--format", "json", *options, log],
                          capture_output=True, check=True)
    counters = common.parse_json(done.stdout.decode())["counters"]
    for counter in counters:
        average, kind = got.get(counter["path"], (None, None))
        if kind != counter["average_kind"] or not near(average, counter["average"]):
            differences.add("%s %s: SQL %r %s, stats %r %s" % (
                window, counter["path"], average, kind, counter["average"], counter["average_kind"]))
    if len(got) != len(counters):
        differences.add("%s: %d averages in SQL, %d in stats" % (window, len(got), len(counters)))
    return got


def compare_disks(got, window, disks, lengths, lines, differences):
    """Those of the latencies, as the fractions have them."""
    for disk in disks:
        average, kind = got.get(disk.path(LATENCY), (None, None))
        want = disk.average(lengths, lines)
        is_derived = disk.sums(lengths, lines) is not None
        if not near(average, want) or (kind == "derived") != is_derived:
            differences.add("%s %s: SQL %r %s, by the cells %s" % (
                window, disk.path(LATENCY), average, kind, want and float(want)))
    return sum(disk.sums(lengths, lines) is not None for disk in disks)


def compare_group(db, disks, lengths, lines, differences):
    """All latencies together: of all operations, where those of each are known."""
    db.execute("INSERT INTO pmon_group SELECT 'disks', id FROM pmon_series WHERE path LIKE '%Avg. Disk sec/%'")
    sums = [disk.sums(lengths, lines) for disk in disks]
    average, kind = db.execute(
        "SELECT average, average_kind FROM pmon_group_average WHERE window_name = 'all'").fetchone()
    if (kind == "derived") != (None not in sums):
        differences.add("the group is %s" % kind)
    if None in sums or sum(operations for _, operations in sums) == 0:
        return
    want = sum(seconds for seconds, _ in sums) / sum(operations for _, operations in sums)
    if not near(average, want):
        differences.add("the group: SQL %r, by the cells %r" % (average, float(want)))


def compare(rand, folder, n_lines, differences):
    log, path = os.path.join(folder, "log.csv"), os.path.join(folder, "log.db")
    disks, times, lengths = make(rand, n_lines)
    write(log, disks, times)
    done = subprocess.run([common.binary(), "relog", log, "-f", "sqlite", "-y", "-o", path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if b"can be written" in done.stderr:
        common.skip("built without sqlite")
    done.check_returncode()
    db = sqlite3.connect(path)
    got = compare_window(db, "all", log, [], differences)
    n = compare_disks(got, "all", disks, lengths, range(n_lines), differences)
    compare_group(db, disks, lengths, range(n_lines), differences)
    if n_lines > 4:
        first, last = n_lines // 4, n_lines // 2
        db.execute("INSERT INTO pmon_window VALUES ('part', ?, ?)", (iso(times[first]), iso(times[last])))
        options = ["--from", iso(times[first]), "--to", iso(times[last])]
        got = compare_window(db, "part", log, options, differences)
        compare_disks(got, "part", disks, lengths, range(first, last + 1), differences)
    db.close()
    return n


def main():
    common.binary()
    if sqlite3.sqlite_version_info < (3, 25):
        common.skip("SQLite %s has no window functions" % sqlite3.sqlite_version)
    differences = common.Differences()
    rand = random.Random(34)
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(LOGS):
            n += compare(rand, folder, [1, 2, 3][i] if i < 3 else rand.randrange(2, 60), differences)
    print("%d latencies follow from rates, %d differences" % (n, differences.count))
    return 1 if differences.count or n < LOGS else 0


if __name__ == "__main__":
    sys.exit(main())
