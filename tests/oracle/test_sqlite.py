#!/usr/bin/env python3
"""The views of a database that pmon wrote against pmon's own numbers, on every real log.

Values and averages have to be the same to the last digit; minimum, maximum and windows too.
"""

import ctypes
import os
import sqlite3
import sys
import tempfile

import common


def library():
    """libpmon.so, to write logs with."""
    folder = os.environ.get("PMON_BUILD_DIR") or os.path.join(common.ROOT, "build")
    try:
        pmon = ctypes.CDLL(os.path.join(folder, "libpmon.so"))
    except OSError as error:
        common.skip("cannot load the library: %s" % error)
    pmon.pmon_log_writable.restype = ctypes.c_char_p
    pmon.pmon_log_writable.argtypes = [ctypes.c_size_t]
    return pmon


def writable(pmon):
    names = []
    while True:
        name = pmon.pmon_log_writable(len(names))
        if name is None:
            return names
        names.append(name.decode())


def convert(pmon, log, name, path):
    """Write a log in another format."""
    source, sink, error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(512)
    calls = [
        lambda: pmon.pmon_log_open(log.encode(), None, ctypes.byref(source), error),
        lambda: pmon.pmon_log_create(path.encode(), name.encode(), None, ctypes.byref(sink), error),
        lambda: pmon.pmon_copy(source, sink, None, error),
    ]
    for call in calls:
        status = call()
        if status != 0:
            raise RuntimeError("%s: status %d, %s" % (path, status, error.raw[16:].split(b"\0")[0]))
    pmon.pmon_sink_close(sink)
    pmon.pmon_source_close(source)


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


def compare(pmon, log, folder):
    differences = common.Differences()
    path = os.path.join(folder, "log.db")
    convert(pmon, log, "sqlite", path)
    if common.run_pmon("raw", "--format", "json", log) != \
            common.run_pmon("raw", "--format", "json", path):
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
    pmon = library()
    if "sqlite" not in writable(pmon):
        common.skip("built without SQLite")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, file_name, _ in common.log_files():
            count = compare(pmon, file_name, folder)
            print("%s: %s" % (name, "FAILED" if count is None else "%d values agree" % count))
            failed = failed or count is None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
