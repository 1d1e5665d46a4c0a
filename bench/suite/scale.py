# scale.py - how time and memory grow: with the length of a log, its counters, and what comes and goes
# SPDX-License-Identifier: MIT
#
#	python3 bench/suite/scale.py [--build DIR] [--most VALUES] [--json FILE]
#
# Statistics of all counters by two threads, as in the suite. A log is written, read (the fastest of five
# times counts) and removed; the largest, of 10^8 raw values (--most), takes 5 GB in PMON_BENCH_DIR or
# the folder for temporary files. While that one is read pmon records what the process does, and draws
# it: FILE with .png in place of .json.

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from machine import Machine, about

FORMATS = ("blg", "csv", "sqlite")
SQLITE_PART = 10  # SQLite gets logs of a tenth of the length: it takes ten times the time

# The dimensions that grow, what is written for each, and what stays constant.
SAMPLES = 100          # of the logs of many counters
CHURN_VALUES = 3000000  # 300 samples of 1,000 instances of 10 counters
COUNTERS = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 60000)
STARTING = 0.05        # seconds until a process is there to be watched
CHURNS = (0, 10, 30, 100, 300, 1000)  # of 10,000 instances, in each sample


def lengths(most):
    return [10 ** k for k in range(4, 1 + round(math.log10(most)))]


def write(machine, kind, form, options):
    name = "scale." + form
    machine.output([machine.tool("big_log"), kind, form, "0", machine.path(name),
                    *(f"{k}={v}" for k, v in options.items())])
    return name


def read(machine, name, at, values):
    took = machine.run([machine.tool("read_log"), machine.path(name), "2"], out="read")
    with open(machine.path("read"), encoding="ascii") as f:
        seconds, series = f.read().split()
    row = {"format": name.split(".")[1], "at": at, "values": values, "series": int(series),
           "bytes": machine.size(name), "seconds": float(seconds), "peak_kib": took.peak_kib}
    print(f"{row['format']:7} {at:>11,} {row['seconds']:9.4f} s {row['peak_kib'] / 1024:8.1f} MiB "
          f"{row['series']:>8,} series", file=sys.stderr, flush=True)
    return row


def measure(machine, kind, form, at, options):
    """Write a log, read it, remove it."""
    name = write(machine, kind, form, options)
    row = read(machine, name, at, options["values"])
    machine.remove(name)
    return row


def watch(machine, name, picture):
    """Draw what a process does that reads a log five times, as pmon sees it."""
    machine.remove("watched.blg")
    log = machine.path("watched.blg")
    reader = subprocess.Popen([machine.tool("read_log"), machine.path(name), "2"],
                              stdout=subprocess.DEVNULL)
    process = rf"\Process(bench_read_log_{reader.pid})" + "\\"
    counters = [a for c in ("Working Set", "IO Read Bytes/sec", "% Processor Time")
                for a in ("-c", process + c)]
    time.sleep(STARTING)
    recorder = subprocess.Popen([machine.pmon, "record", "-q", "-i", "20ms", "--pid-names", "-o", log,
                                 *counters], stderr=subprocess.DEVNULL)
    reader.wait()
    recorder.terminate()
    recorder.wait()
    if os.path.exists(log):
        gigabytes = machine.size(name) / 1e9
        machine.output([machine.pmon, "chart", log, "-c", process + "*", "--size", "840x480",
                        "--title", f"Statistics of a log of {gigabytes:.1f} GB, five times in a row",
                        "-y", "-o", picture])


def by_length(machine, most, picture):
    rows = [measure(machine, "single", form, n, {"values": n, "counters": 1000})
            for form in FORMATS for n in lengths(most)
            if form != "sqlite" or n <= most // SQLITE_PART]
    if picture:
        name = write(machine, "single", "blg", {"values": most, "counters": 1000})
        watch(machine, name, picture)
        machine.remove(name)
    return rows


def by_counters(machine):
    return [measure(machine, "single", form, n, {"values": n * SAMPLES, "counters": n})
            for form in FORMATS for n in COUNTERS]


def by_churn(machine):
    """A text log has the same columns from beginning to end, so that nothing comes and goes in it."""
    return [measure(machine, "churn", form, n, {"values": CHURN_VALUES, "churn": n})
            for form in ("blg", "sqlite") for n in CHURNS]


def main():
    parser = argparse.ArgumentParser(prog="scale")
    parser.add_argument("--build", default="build")
    parser.add_argument("--most", type=int, default=10 ** 8)
    parser.add_argument("--json", help="a file for the results")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="pmon-scale-", dir=os.environ.get("PMON_BENCH_DIR"))
    machine = Machine(os.path.abspath(args.build), folder)
    described = about()
    picture = args.json and os.path.abspath(os.path.splitext(args.json)[0] + ".png")
    try:
        out = {"version": 1, "machine": described, "length": by_length(machine, args.most, picture),
               "counters": by_counters(machine), "churn": by_churn(machine)}
    finally:
        shutil.rmtree(folder)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(out, f, indent=2)
            f.write("\n")


if __name__ == "__main__":
    main()
