#!/usr/bin/env python3
"""The views of a database that pmon wrote against pmon's own numbers, on every real log.

Values and averages have to be the same to the last digit; minimum, maximum and windows too.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile

import common


def convert(log, name, path):
    """Write a log in another format."""
    done = subprocess.run([common.binary(), "relog", log, "-f", name, "-y", "-o", path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if b"can be written" in done.stderr:
        common.skip("built without " + name)
    if done.returncode != 0:
        raise RuntimeError("%s: %s" % (path, done.stderr.decode()))


def number(item):
    return float(item) if item is not None else None


def compare_values(db, log, differences):
    got = db.execute("SELECT path, time, value, status, unit FROM pmon_displayed").fetchall()
    want = []
    for line in common.run_pmon("values", "--format", "json", log).splitlines():
        value = common.parse_json(line)
        want.append((value["path"], value["time"], number(value["value"]), value["status"],
                     value["unit"]))
    order = lambda row: (row[0], row[1])
    for a, b in zip(sorted(got, key=order), sorted(want, key=order)):
        if a != b:
            differences.add("SQL %r pmon %r" % (a, b))
    if len(got) != len(want):
        differences.add("%d values in SQL, %d of pmon" % (len(got), len(want)))
    return len(got)


def compare_statistics(db, log, window, options, differences):
    averages = {row[0]: row[1:] for row in db.execute(
        "SELECT path, average, samples FROM pmon_average WHERE window_name = ?", (window,))}
    extremes = {}
    if window == "all":
        extremes = {row[0]: row[1:] for row in db.execute(
            "SELECT path, min(value), max(value) FROM pmon_displayed GROUP BY series")}
    text = common.run_pmon("stats", "--format", "json", *options, log)
    counters = common.parse_json(text)["counters"]
    for counter in counters:
        want = (number(counter["average"]), counter["samples"])
        if averages.get(counter["path"]) != want:
            differences.add("%s %s: SQL %r pmon %r" % (
                window, counter["path"], averages.get(counter["path"]), want))
        want = (number(counter["minimum"]), number(counter["maximum"]))
        if extremes and extremes.get(counter["path"]) != want:
            differences.add("%s: SQL %r pmon %r" % (
                counter["path"], extremes.get(counter["path"]), want))
    if len(averages) != len(counters):
        differences.add("%s: %d averages in SQL, %d of pmon" % (
            window, len(averages), len(counters)))


def compare(log, folder):
    differences = common.Differences()
    path = os.path.join(folder, "log.db")
    convert(log, "sqlite", path)
    # The database holds where another process has a name (docs/identity.md), the log does not.
    if common.run_pmon("raw", "--format", "json", log) != \
            common.run_pmon("raw", "--format", "json", path).replace(
                '"instance_changed"', '"valid_data"'):
        differences.add("raw values differ")
    db = sqlite3.connect(path)
    count = compare_values(db, path, differences)
    compare_statistics(db, log, "all", [], differences)
    times = [row[0] for row in db.execute("SELECT time FROM pmon_sample ORDER BY id")]
    start, end = times[len(times) // 4], times[len(times) // 2]
    db.execute("INSERT INTO pmon_window VALUES ('part', ?, ?)", (start, end))
    compare_statistics(db, log, "part", ["--from", start, "--to", end], differences)
    if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        differences.add("the database is not sound")
    db.close()
    os.remove(path)
    return None if differences.count else count


def main():
    common.binary()
    if sqlite3.sqlite_version_info < (3, 25):
        common.skip("SQLite %s has no window functions" % sqlite3.sqlite_version)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, file_name, _ in common.log_files():
            count = compare(file_name, folder)
            print("%s: %s" % (name, "FAILED" if count is None else "%d values agree" % count))
            failed = failed or count is None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
