#!/usr/bin/env python3
"""relog -f parquet, read by an independent reader (npm's hyparquet): the rows are those of `values --format tidy-json`.

test_tidy.py shows that these are right. The statistics of each column are compared with its values.
"""

import calendar
import functools
import json
import os
import subprocess
import sys
import tempfile
import time

from common import ROOT, Differences, binary, log_files, run_pmon, skip

MODULES = os.path.join(ROOT, "tests", "push", "node_modules")
EXAMPLE = os.path.join(ROOT, "share", "examples", "slow-server")
TEXTS = ("machine", "object", "instance", "parent", "counter", "path", "type", "status")
DOUBLES = ("value", "n", "add", "mul")
TICKS = 10_000_000


def read(name):
    done = subprocess.run(["node", os.path.join(ROOT, "tests", "oracle", "parquet_rows.mjs"), MODULES, name],
                          stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode("utf-8").splitlines()
    return json.loads(lines[0]), [with_doubles(json.loads(line)) for line in lines[1:]]


def with_doubles(row):
    """JSON of JavaScript has no decimals in whole doubles."""
    return dict(row, **{key: float(row[key]) for key in DOUBLES if row[key] is not None})


@functools.lru_cache(maxsize=None)
def nanoseconds(text):
    """Of `2026-11-20T14:00:00.0000000Z`; None stays."""
    if text is None:
        return None
    seconds = calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))
    return str((seconds * TICKS + int(text[20:27])) * 100)


def cells(row):
    """A row of tidy-json as Parquet has it."""
    out = with_doubles(dict(row, time=nanoseconds(row["time"]), process_start=nanoseconds(row["process_start"])))
    out["d"] = str(row["d"])
    out["pid"] = None if row["pid"] is None else str(row["pid"])
    return out


def sort_key(row):
    return row["path"], int(row["time"]), json.dumps(row, sort_keys=True)


def compare_rows(bad, name, rows, expected):
    """As sets of rows: a row group is sorted by path. Processes of counters of one sample are not in the file."""
    rows = sorted(rows, key=sort_key)
    expected = sorted(map(cells, expected), key=sort_key)
    if len(rows) != len(expected):
        bad.add("%s: %d rows, not %d" % (name, len(rows), len(expected)))
    for got, want in zip(rows, expected):
        if got != want:
            bad.add("%s: %s, not %s" % (name, got, want))


def check_groups(bad, name, metadata, rows):
    """Each row group is sorted, and its statistics are those of its values."""
    begin = 0
    for group in metadata["row_groups"]:
        part = rows[begin:begin + int(group["num_rows"])]
        begin += len(part)
        if any(a["path"].encode() > b["path"].encode() or (a["path"] == b["path"] and int(a["time"]) > int(b["time"]))
               for a, b in zip(part, part[1:])):
            bad.add("%s: a row group is not sorted by path and time" % name)
        for chunk in group["columns"]:
            column = chunk["meta_data"]["path_in_schema"][0]
            told = chunk["meta_data"]["statistics"]
            values = [row[column] for row in part if row[column] is not None]
            if int(told["null_count"]) != len(part) - len(values):
                bad.add("%s: %s: %s nulls" % (name, column, told["null_count"]))
            if not values or column in DOUBLES:
                continue
            order = (lambda text: text.encode()) if column in TEXTS else int
            least, most = min(values, key=order), max(values, key=order)
            if (told["min_value"], told["max_value"]) != (least, most):
                bad.add("%s: %s: from %s to %s, not from %s to %s" %
                        (name, column, told["min_value"], told["max_value"], least, most))
    if begin != len(rows) or int(metadata["num_rows"]) != len(rows):
        bad.add("%s: %s rows in the footer, not %d" % (name, metadata["num_rows"], len(rows)))


def without_process(row):
    return dict(row, pid=None, process_start=None)


def check(bad, name, log, folder):
    parquet = os.path.join(folder, "x.parquet")
    run_pmon("relog", log, "-f", "parquet", "-o", parquet, "-y")
    metadata, rows = read(parquet)
    expected = [json.loads(line, parse_float=float) for line in run_pmon("values", "--format", "tidy-json", log).splitlines()]
    n_processes = len({row["pid"] for row in rows if row["pid"] is not None})
    if name.startswith("pal") and n_processes < 40:  # of 58 in the log
        bad.add("%s: %d processes" % (name, n_processes))
    for row, want in zip(sorted(rows, key=lambda r: (r["path"], int(r["time"]))),
                         sorted(expected, key=lambda r: (r["path"], r["time"]))):
        process, of_want = (row["pid"], row["process_start"]), (str(want["pid"]), nanoseconds(want["process_start"]))
        if row["pid"] is not None and process != of_want:
            bad.add("%s: %s: process %s, not %s" % (name, row["path"], process, of_want))
    compare_rows(bad, name, map(without_process, rows), map(without_process, expected))
    check_groups(bad, name, metadata, rows)
    print("%s: %d rows, %d row groups, %d bytes" %
          (name, len(rows), len(metadata["row_groups"]), os.path.getsize(parquet)))


def main():
    for package in ("hyparquet", "hyparquet-compressors"):
        if not os.path.isdir(os.path.join(MODULES, package)):
            skip("no %s in tests/push/node_modules (tools/setup)" % package)
    bad = Differences()
    with tempfile.TemporaryDirectory() as folder:
        example = os.path.join(folder, "example.jsonl")
        with open(example, "wb") as file:
            subprocess.run([EXAMPLE], stdout=file, check=True, env=dict(os.environ, PMON_BIN=binary()))
        check(bad, "example", example, folder)
        for name, log, _ in log_files():
            check(bad, name, log, folder)
    return 1 if bad.count else 0


if __name__ == "__main__":
    sys.exit(main())
