#!/usr/bin/env python3
"""relog -f arrow and arrows, read by npm's apache-arrow: the rows are those of `values --format tidy-json`.

test_tidy.py shows that these are right. A generated log has two batches, and names that only the second one has.
"""

import json
import os
import subprocess
import sys
import tempfile

from common import ROOT, Differences, binary, log_files, run_pmon, skip
from test_parquet import EXAMPLE, MODULES, compare_rows, nanoseconds, with_doubles, without_process

TYPES = {
    "time": "Timestamp<NANOSECOND, UTC>", "process_start": "Timestamp<NANOSECOND, UTC>", "pid": "Int64", "d": "Int64",
    "value": "Float64", "n": "Float64", "add": "Float64", "mul": "Float64",
}  # others are texts with a dictionary
OPTIONAL = {"machine", "instance", "parent", "pid", "process_start", "type", "value"}
BATCH = 262144  # rows; then the rest of the sample


def read(name, every=1):
    done = subprocess.run(["node", os.path.join(ROOT, "tests", "oracle", "arrow_rows.mjs"), MODULES, name, str(every)],
                          stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode("utf-8").splitlines()
    return json.loads(lines[0]), [with_doubles(json.loads(line)) for line in lines[1:]]


def check_schema(bad, name, head, is_file, log):
    if head["isFile"] != is_file:
        bad.add("%s: a file: %s" % (name, head["isFile"]))
    for field in head["fields"]:
        column = field["name"]
        if field["type"] != TYPES.get(column, "Dictionary<Int32, Utf8>") or field["nullable"] != (column in OPTIONAL):
            bad.add("%s: %s" % (name, field))
    if len(head["fields"]) != 16 or head["metadata"]["pmon.average"] != "add + mul * sum(n) / sum(d)":
        bad.add("%s: %s" % (name, head))
    machine = json.loads(run_pmon("info", "--format", "json", log))["logs"][0]["machine"]
    if head["metadata"]["pmon.source.machine"] != machine:
        bad.add("%s: machine %s" % (name, head["metadata"]))


def check(bad, name, log, folder, formats=("arrow", "arrows")):
    expected = [json.loads(line, parse_float=float) for line in run_pmon("values", "--format", "tidy-json", log).splitlines()]
    for form in formats:
        file = os.path.join(folder, "x." + form)
        run_pmon("relog", log, "-f", form, "-o", file, "-y")
        head, rows = read(file)
        check_schema(bad, name, head, form == "arrow", log)
        compare_rows(bad, name + " " + form, map(without_process, rows), map(without_process, expected))
        if head["sizes"] != [len(rows)]:
            bad.add("%s: batches of %s rows" % (name, head["sizes"]))
        print("%s: %d rows, %d bytes" % (file, len(rows), os.path.getsize(file)))


LATE = "\\\\späť\\Late(\U0001f600)\\Count"
NUMBERS = {"\\\\web01\\Queue(q%d)\\Length" % k: k for k in range(30)} | {LATE: 30}
SAMPLES, FIRST_LATE = 9000, 8900


def make_long(name):
    """A sample a second, with the value i * k; one counter, with a name and machine of its own, only in the last samples"""
    with open(name, "w", encoding="utf-8") as out:
        for i in range(SAMPLES):
            time = "2026-11-20T%02d:%02d:%02dZ" % (i // 3600, i // 60 % 60, i % 60)
            for path, k in NUMBERS.items():
                if path != LATE or i >= FIRST_LATE:
                    out.write(json.dumps({"path": path, "type": "PERF_COUNTER_LARGE_RAWCOUNT", "time": time,
                                          "status": "valid_data", "first": i * k}) + "\n")


def check_long(bad, folder):
    """Two batches, of which every seventh row is compared with what was written."""
    log, file = os.path.join(folder, "long.jsonl"), os.path.join(folder, "long.arrow")
    make_long(log)
    run_pmon("relog", log, "-o", file)
    head, rows = read(file, 7)
    check_schema(bad, "long", head, True, log)
    if len(head["sizes"]) != 2 or sum(head["sizes"]) != SAMPLES * 30 + SAMPLES - FIRST_LATE or head["sizes"][0] < BATCH:
        bad.add("long: batches of %s rows" % head["sizes"])
    if {row["path"] for row in rows} != set(NUMBERS):
        bad.add("long: paths %s" % {row["path"] for row in rows})
    begin = int(nanoseconds("2026-11-20T00:00:00.0000000Z"))
    for row in rows:
        path = "\\\\%s\\%s(%s)\\%s" % (row["machine"], row["object"], row["instance"], row["counter"])
        value = (int(row["time"]) - begin) // 10**9 * NUMBERS.get(path, -1)
        if row["path"] != path or row["value"] != value:
            bad.add("long: %s, not %s of %s" % (row, value, path))


def main():
    if not os.path.isdir(os.path.join(MODULES, "apache-arrow")):
        skip("no apache-arrow in tests/push/node_modules (tools/setup)")
    bad = Differences()
    with tempfile.TemporaryDirectory() as folder:
        example = os.path.join(folder, "example.jsonl")
        with open(example, "wb") as file:
            subprocess.run([EXAMPLE], stdout=file, check=True, env=dict(os.environ, PMON_BIN=binary()))
        check(bad, "example", example, folder)
        check_long(bad, folder)
        for name, log, _ in log_files():
            check(bad, name, log, folder, ("arrow",))
    return 1 if bad.count else 0


if __name__ == "__main__":
    sys.exit(main())
