#!/usr/bin/env python3
"""OpenMetrics that pmon writes, read by Prometheus' own promtool and by a strict reader here.

promtool check metrics reads the older text format only, and finds fault with names of units that
Windows' own counters have ("Free Megabytes"); every other fault fails the test. promtool tsdb
create-blocks-from imports OpenMetrics.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import common
import test_sqlite

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*$")
LINE = re.compile(r'(\S+?)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} (\S+) (\S+)$')


def read_strictly(path, differences):
    """{(name, labels): [(time, number)]}, and complaints about what OpenMetrics forbids."""
    points, families, kind, name, ended = {}, set(), None, None, False
    last = None
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n")[:-1]:
            if ended:
                differences.add("text behind # EOF")
            if line == "# EOF":
                ended = True
            elif line.startswith("# TYPE "):
                name, kind = line.split(" ")[2:]
                if name in families or not NAME.match(name):
                    differences.add("family %s" % name)
                families.add(name)
            elif line.startswith("# UNIT "):
                if line.split(" ")[2] != name or not name.endswith("_" + line.split(" ")[3]):
                    differences.add(line)
            elif line.startswith("# HELP "):
                if line.split(" ")[2] != name:
                    differences.add(line)
            else:
                match = LINE.match(line)
                if not match or match.group(1) != name + ("_total" if kind == "counter" else ""):
                    differences.add("%r in family %s" % (line, name))
                    continue
                key = match.group(1, 2)
                if key != last and key in points:
                    differences.add("%s comes twice" % (key,))
                last = key
                series = points.setdefault(key, [])
                point = float(match.group(4)), float(match.group(3))
                if series and point[0] <= series[-1][0]:
                    differences.add("%s: time does not go up" % (key,))
                series.append(point)
    if not ended:
        differences.add("no # EOF")
    return points


def promtool(*arguments, **more):
    return subprocess.run(["promtool", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **more)


def check_metrics(path, differences):
    with open(path, "rb") as file:
        done = promtool("check", "metrics", stdin=file)
    for line in done.stdout.decode().splitlines():
        differences.add("promtool: " + line)


def import_blocks(path, folder, points, differences):
    """Import, and dump what is in the blocks: the same numbers at the same milliseconds."""
    done = promtool("tsdb", "create-blocks-from", "openmetrics", path, folder)
    if done.returncode != 0:
        differences.add("promtool: " + done.stdout.decode())
        return
    os.mkdir(os.path.join(folder, "wal"))       # dump wants one
    dump = promtool("tsdb", "dump", folder)
    got = sorted(tuple(map(float, line.rsplit(" ", 2)[1:]))
                 for line in dump.stdout.decode().splitlines() if line.startswith("{"))
    want = sorted((number, float(int(time * 1000 + 1e-3)))
                  for series in points.values() for time, number in series)
    if dump.returncode != 0 or got != want:
        differences.add("%d samples in the blocks, %d written, %d the same" % (
            len(got), len(want), len(set(got) & set(want))))


def compare(log, folder):
    differences = common.Differences()
    path = os.path.join(folder, "log.om")
    old = os.path.join(folder, "log.prom")
    test_sqlite.convert(log, "openmetrics", path)
    test_sqlite.convert(log, "prometheus", old)
    points = read_strictly(path, differences)
    if shutil.which("promtool"):
        check_metrics(old, differences)
        import_blocks(path, os.path.join(folder, "blocks"), points, differences)
        shutil.rmtree(os.path.join(folder, "blocks"), ignore_errors=True)
    os.remove(path)
    os.remove(old)
    return None if differences.count else sum(len(series) for series in points.values())


def main():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, file_name, _ in common.log_files():
            count = compare(file_name, folder)
            print("%s: %s" % (name, "FAILED" if count is None else "%d points" % count))
            failed = failed or count is None
    if failed:
        return 1
    if not shutil.which("promtool"):
        common.skip("no promtool (Debian's package prometheus): only our own reader was asked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
