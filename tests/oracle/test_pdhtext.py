#!/usr/bin/env python3
"""test_pdhtext - text logs, against Python's csv module.

Each real text log is read by a few lines of Python that know nothing of pmon. Rows, columns, missing
and bad cells, times and every value must agree, and each oddity of a file must be told.
"""

import csv
import datetime
import io
import json
import os
import re
import subprocess
import sys

from common import Differences, binary, data_folder, group, parse_json, run_pmon, skip

# file, encoding, separator, form of its times, words that its notices must hold
LOGS = [
    ("pdh-text/sirisaac_Sample01.csv", "utf-8", ",", "%m/%d/%Y %H:%M:%S.%f", []),
    ("pdh-text/wfjsg_test2.csv", "cp932", ",", "%m/%d/%Y %H:%M:%S.%f",
     ["Shift-JIS", "zone in the header is cut off", "caption"]),
    ("pdh-text/wfjsg_test_sjis.csv", "cp932", ",", "%m/%d/%Y %H:%M:%S.%f",
     ["Shift-JIS", "zone in the header is cut off", "caption"]),
    ("pdh-text/wfjsg_huge_value.csv", "cp932", ",", "%m/%d/%Y %H:%M:%S.%f",
     ["Shift-JIS", "zone in the header is cut off", "caption", "not quoted"]),
    ("pdh-text/esxtop_gsliu_origin.csv", "utf-8", ",", "%m/%d/%Y %H:%M",
     ["not quoted", "month/day/year", "no seconds"]),
    ("pdh-text/mizosk_synthetic_small.csv", "utf-8", ",", "%m/%d/%Y %H:%M:%S.%f",
     ["has no time zone"]),
    ("blg/pwsh-CounterSamples.csv", "utf-8", ",", "%m/%d/%Y %H:%M:%S.%f", []),
    ("blg/pwsh-CounterSamples.tsv", "utf-8", "\t", "%m/%d/%Y %H:%M:%S.%f", []),
]


def number(cell):
    """The number of a cell, None where it is bad."""
    try:
        return float(cell)
    except ValueError:
        return None


def bias_of(marker):
    found = re.search(r"\((-?\d+)\)$", marker.strip())
    return int(found.group(1)) if found else 0


def iso(local, bias):
    utc = local + datetime.timedelta(minutes=bias)
    text = utc.strftime("%Y-%m-%dT%H:%M:%S")
    decimals = ("%06d" % utc.microsecond).rstrip("0")
    return text + ("." + decimals if decimals else "") + "Z"


def read_log(file_name, encoding, separator, form):
    """Paths, number of rows, and [(path, time, value)] of the cells that are not blank."""
    with open(file_name, encoding=encoding, newline="") as file:
        rows = list(csv.reader(io.StringIO(file.read(), newline=""), delimiter=separator))
    header, rows = rows[0], rows[1:]
    bias = bias_of(header[0])
    paths = {i: path for i, path in enumerate(header) if i > 0 and path.startswith("\\")}
    cells = []
    for row in rows:
        time = iso(datetime.datetime.strptime(row[0], form), bias)
        for i, path in paths.items():
            if i < len(row) and row[i].strip():
                cells.append((path, time, number(row[i])))
    return list(paths.values()), len(rows), bias, cells


def notices(file_name):
    done = subprocess.run([binary(), "info", file_name], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    return done.stderr.decode("utf-8")


def same(ours, theirs):
    return all(a["path"] == b[0] and a["time"] == b[1] and a["value"] == b[2]
               for a, b in zip(ours, theirs))


def check_info(file_name, found, differences):
    info = parse_json(run_pmon("info", "--format", "json", file_name))["logs"][0]
    paths, n_rows, bias, cells = found
    wanted = {"samples": n_rows, "counters": len(paths), "raw_values": len(cells),
              "utc_offset_min": -bias, "losses": 0, "bytes_lost": 0,
              "size_bytes": os.path.getsize(file_name)}
    for key, value in wanted.items():
        if info[key] != value:
            differences.add("%s: %s, want %s" % (key, info[key], value))


def check_values(file_name, cells, differences):
    lines = run_pmon("values", "--format", "json", file_name).splitlines()
    ours = group([json.loads(line) for line in lines], lambda line: line["path"])
    theirs = group(cells, lambda cell: cell[0])
    if set(ours) != set(theirs):
        differences.add("other counters have values")
    bad = sum(cell[2] is None for cell in cells)
    bad_here = sum(line["value"] is None for path in ours.values() for line in path)
    if bad != bad_here:
        differences.add("%d bad cells, want %d" % (bad_here, bad))
    for path, mine in ours.items():
        if len(mine) != len(theirs.get(path, [])) or not same(mine, theirs[path]):
            differences.add(path)


def check_log(folder, name, encoding, separator, form, oddities):
    file_name = os.path.join(folder, name)
    found = read_log(file_name, encoding, separator, form)
    differences = Differences()
    check_info(file_name, found, differences)
    check_values(file_name, found[3], differences)
    told = notices(file_name)
    for words in oddities:
        if words not in told:
            differences.add("not told: " + words)
    if not oddities and told:
        differences.add("told without need: " + told)
    print("%s: %d rows, %d columns, %d values, %d differences" %
          (name, found[1], len(found[0]), len(found[3]), differences.count))
    return differences.count


def main():
    folder = data_folder()
    if not os.path.isdir(os.path.join(folder, "pdh-text")):
        skip("no pdh-text in the test data")
    binary()
    sys.exit(1 if sum(check_log(folder, *log) for log in LOGS) else 0)


if __name__ == "__main__":
    main()
