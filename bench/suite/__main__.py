# __main__.py - pmon compared with the machine's limits and with other programs: python3 bench/suite
# SPDX-License-Identifier: MIT
#
#	python3 bench/suite [--build DIR] [--size 300M] [--info-size SIZE] [--json FILE] [JOB...]
#
# Writes big logs into a temporary folder (PMON_BENCH_DIR to keep them), checks that every program
# gets the same answers, measures, and says of each job whether it is as fast as it has to be. What is
# not installed is left out and said; tools/setup bench brings it. Nothing else should run meanwhile.

import argparse
import json
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import conversion_jobs
import logs
import other_jobs
import report
import statistics_jobs
import verb_jobs
from machine import Machine, about
from results import Results


def bytes_of(size):
    units = {"K": 10, "M": 20, "G": 30}
    return int(size[:-1]) << units[size[-1]] if size[-1] in units else int(size)


def jobs(machine, results, args):
    size, info_size = bytes_of(args.size), bytes_of(args.info_size or args.size)
    return {
        "csv": lambda: statistics_jobs.csv(machine, results),
        "blg": lambda: statistics_jobs.blg(machine, results),
        "churn": lambda: statistics_jobs.churn(machine, results),
        "one": lambda: statistics_jobs.one(machine, results),
        "compressed": lambda: statistics_jobs.compressed(machine, results),
        "blg_csv": lambda: conversion_jobs.blg_csv(machine, results),
        "csv_blg": lambda: conversion_jobs.csv_blg(machine, results),
        "blg_sqlite": lambda: conversion_jobs.blg_sqlite(machine, results, size),
        "info": lambda: other_jobs.info(machine, results, args.info_size, info_size == size),
        "verbs": lambda: verb_jobs.verbs(machine, results),
        "start": lambda: other_jobs.start(machine, results),
        "core": lambda: other_jobs.core(machine, results),
        "mono": lambda: other_jobs.mono(machine, results),
    }


def measure(machine, args):
    results = Results()
    everything = jobs(machine, results, args)
    unknown = set(args.jobs) - set(everything)
    if unknown:
        sys.exit(f"suite: there are the jobs {' '.join(everything)}, not {' '.join(unknown)}")
    logs.make(machine, args.size)
    for name, job in everything.items():
        if args.jobs and name not in args.jobs:
            continue
        print(f"suite: {name}", file=sys.stderr, flush=True)
        machine.take_yardstick()
        job()
    machine.take_yardstick()
    results.bandwidth = machine.yardstick()["median"]
    results.plain_bandwidth = machine.yardstick()["plain"]
    return results


def arguments():
    parser = argparse.ArgumentParser(prog="suite")
    parser.add_argument("--build", default="build")
    parser.add_argument("--size", default="300M", help="of each log, about: 300M, 10G")
    parser.add_argument("--info-size", help="of the log for info; as --size by default")
    parser.add_argument("--json", help="a file for the results")
    parser.add_argument("jobs", nargs="*", help="the jobs to do; all by default")
    return parser.parse_args()


def main():
    args = arguments()
    kept = os.environ.get("PMON_BENCH_DIR")
    folder = os.path.join(kept, args.size) if kept else tempfile.mkdtemp(prefix="pmon-bench-")
    os.makedirs(folder, exist_ok=True)
    machine = Machine(os.path.abspath(args.build), folder)
    described, start = about(), time.time()
    try:
        results = measure(machine, args)
    finally:
        if not kept:
            shutil.rmtree(folder)
    print(report.text(results, machine.yardstick()))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump({"version": 2, "machine": described, "size": args.size,
                       "info_size": args.info_size or args.size,
                       "day": time.strftime("%Y-%m-%d", time.gmtime(start)),
                       "took_seconds": round(time.time() - start),
                       "memory_bytes_per_second": machine.yardstick(), "rows": results.rows,
                       "core": results.core, "values": results.mono,
                       "targets": results.targets()}, f, indent=2)
            f.write("\n")


if __name__ == "__main__":
    main()
