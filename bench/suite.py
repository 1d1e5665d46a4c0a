#!/usr/bin/env python3
# suite.py - statistics over big logs, beside what the machine and other programs can do
# SPDX-License-Identifier: MIT
#
#   bench/suite.py [--build DIR] [--size 300M] [--json FILE]
#
# Writes the logs into a temporary folder (PMON_BENCH_DIR to keep them), checks that every program gets
# the same answers, and only then measures. What is not installed is left out and said. DuckDB comes
# from bench/package.json: npm ci in bench/.

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LOGS = [("single.csv", "single", "csv"), ("single.blg", "single", "blg"),
        ("many.blg", "many", "blg"), ("churn.blg", "churn", "blg")]
ONE = r"\Instance Data(process77)\Page Faults/sec"


MAWK = r"""
BEGIN { FS = "\",\"" }
NR > 1 {
	for (i = 2; i <= NF; i++) {
		v = $i + 0
		if ($i !~ /[0-9]/) continue
		s[i] += v; n[i]++
		if (n[i] == 1 || v < low[i]) low[i] = v
		if (n[i] == 1 || v > high[i]) high[i] = v
	}
	if (NF > most) most = NF
}
END { for (i = 2; i <= most; i++) printf "%.17g %.17g %.17g\n", s[i] / n[i], low[i], high[i] }
"""

PYTHON = r"""
import csv, sys
low = high = total = count = None
with open(sys.argv[1], newline="") as f:
    rows = csv.reader(f)
    n = len(next(rows)) - 1
    low, high, total, count = [float("inf")] * n, [float("-inf")] * n, [0.0] * n, [0] * n
    for row in rows:
        for i, text in enumerate(row[1:]):
            if not text.strip():
                continue
            v = float(text)
            total[i] += v
            count[i] += 1
            if v < low[i]: low[i] = v
            if v > high[i]: high[i] = v
for i in range(n):
    print(repr(total[i] / count[i]), repr(low[i]), repr(high[i]))
"""


def run(args, **kw):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True, **kw).stdout


def timed(args, times=3):
    """Wall seconds of the fastest run, and the peak memory in KiB of the largest."""
    best, peak = math.inf, 0
    for _ in range(times):
        start = time.perf_counter()
        child = subprocess.Popen(args, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        best = min(best, time.perf_counter() - start)
        peak = max(peak, usage.ru_maxrss)
        if status != 0:
            sys.exit(f"suite: {args[0]} failed")
    return best, peak


def values(text):
    return [tuple(float(x) for x in line.split()) for line in text.splitlines()]


def check_same(name, got, want):
    """Minimum and maximum to the last digit, averages but for the rounding of plain sums."""
    if len(got) != len(want):
        sys.exit(f"suite: {name} has {len(got)} columns, not {len(want)}")
    for i, (a, b) in enumerate(zip(got, want)):
        if a[1:] != b[1:] or not math.isclose(a[0], b[0], rel_tol=1e-9):
            sys.exit(f"suite: {name} differs in column {i}: {a}, not {b}")


def make_logs(folder, tool, size):
    for name, kind, form in LOGS:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            run([tool, kind, form, size, path])


class Suite:
    def __init__(self, folder, build):
        self.folder = folder
        self.read_log = os.path.join(build, "bench", "bench_read_log")
        self.pmon = os.path.join(build, "pmon")
        self.bandwidth = float(run([self.read_log, "--bandwidth"]))
        self.rows = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def add(self, job, program, name, seconds, peak_kib):
        size = os.path.getsize(self.path(name))
        row = {"job": job, "program": program, "bytes": size, "seconds": round(seconds, 4),
               "bytes_per_second": round(size / seconds),
               "of_read_bandwidth": round(size / seconds / self.bandwidth, 3),
               "peak_kib": peak_kib}
        self.rows.append(row)
        print(f"{job:14} {program:22} {seconds:9.3f} s {size / seconds / 1e9:8.2f} GB/s "
              f"{100 * row['of_read_bandwidth']:6.1f} % {peak_kib / 1024:9.1f} MiB", flush=True)

    def pmon_reads(self, job, name, pattern=None):
        for threads in ("1", "2"):
            args = [self.read_log, self.path(name), threads] + ([pattern] if pattern else [])
            seconds = float(run(args).split()[0])
            _, peak = timed([self.read_log, "--values", *args[1:]], 1)
            self.add(job, f"pmon, {threads} thread" + "s" * (threads != "1"), name, seconds, peak)

    def others(self, name):
        """Other programs on the text log, their answers checked first."""
        path = self.path(name)
        want = values(run([self.read_log, "--values", path, "1"]))
        check_same("pmon with two threads",
                   values(run([self.read_log, "--values", path, "2"])), want)
        programs = {"Python csv": ([sys.executable, "-c", PYTHON, path], 1)}
        if shutil.which("mawk"):
            programs["mawk"] = (["mawk", MAWK, path], 1)
        for program, (args, times) in programs.items():
            check_same(program, values(run(args)), want)
            self.add("statistics", program, name, *timed(args, times))
        self.duckdb(path, name, want)

    def duckdb(self, path, name, want):
        if not os.path.isdir(os.path.join(HERE, "node_modules")) or not shutil.which("node"):
            print("suite: DuckDB is not here (npm ci in bench/)", file=sys.stderr)
            return
        args = ["node", os.path.join(HERE, "duckdb.mjs"), path, str(len(want)), "2"]
        best = math.inf
        for _ in range(2):
            out = run(args).split("\n", 1)
            best = min(best, float(out[0]))
        check_same("DuckDB", values(out[1]), want)
        _, peak = timed(args, 1)
        self.add("statistics", "DuckDB, 2 threads", name, best, peak)

    def all(self):
        print(f"plain read of memory, one core: {self.bandwidth / 1e9:.2f} GB/s\n")
        for name in ("single.csv", "single.blg"):
            self.add("cat", "cat", name, *timed(["cat", self.path(name)]))
        self.add("lines", "wc -l", "single.csv", *timed(["wc", "-l", self.path("single.csv")]))
        self.pmon_reads("single.csv", "single.csv")
        self.pmon_reads("single.blg", "single.blg")
        self.pmon_reads("churn.blg", "churn.blg")
        self.pmon_reads("one of 5,000", "many.blg", ONE)
        self.others("single.csv")

    def ratios(self):
        best = {r["job"]: r["seconds"] for r in self.rows if r["program"] == "pmon, 2 threads"}
        out = {}
        for row in self.rows:
            if row["job"] == "statistics":
                out[row["program"]] = round(row["seconds"] / best["single.csv"], 1)
        return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"))
    parser.add_argument("--size", default="300M")
    parser.add_argument("--json")
    args = parser.parse_args()
    kept = os.environ.get("PMON_BENCH_DIR")
    folder = kept or tempfile.mkdtemp(prefix="pmon-bench-")
    try:
        make_logs(folder, os.path.join(args.build, "bench", "bench_big_log"), args.size)
        suite = Suite(folder, args.build)
        suite.all()
        print()
        for program, times in suite.ratios().items():
            print(f"{program} takes {times} times as long as pmon with two threads")
        if args.json:
            with open(args.json, "w", encoding="utf-8") as f:
                json.dump({"version": 1, "read_bytes_per_second": round(suite.bandwidth),
                           "jobs": suite.rows, "times_as_long": suite.ratios()}, f, indent=2)
    finally:
        if not kept:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
