# isa.py - the same commands by builds for several instruction sets: isa.py FOLDER SIZE JSON NAME=PMON...
# SPDX-License-Identifier: MIT
#
# Processor time of whole commands, the best of several, each build in turn: other work on the machine
# disturbs it less than time on the clock. The tools that make the logs lie beside the first pmon.

import json
import os
import sys

import peers
from machine import Machine, about

TIMES = 7
JOBS = [
    ("statistics, CSV", "single.csv", ["stats"]),
    ("statistics, BLG of single counters", "single.blg", ["stats"]),
    ("statistics, BLG with churn", "churn.blg", ["stats"]),
    ("BLG to CSV", "single.blg", ["relog", "-y", "-f", "csv", "-o", "out.csv"]),
    ("CSV to BLG", "single.csv", ["relog", "-y", "-f", "bin", "-o", "out.blg"]),
]


def cpu(machine, args):
    return machine.run(args, 1, out="answers").cpu


def duckdb(machine, columns):
    """The query alone: without what node and DuckDB take for a log of one row."""
    with open(machine.path("single.csv"), encoding="utf-8") as log, \
            open(machine.path("one.csv"), "w", encoding="utf-8") as one:
        one.writelines([log.readline(), log.readline()])
    return [min(cpu(machine, peers.duckdb(machine.path(name), columns, 2)) for _ in range(3))
            for name in ("single.csv", "one.csv")]


def main():
    folder, size, out, *builds = sys.argv[1:]
    builds = dict(build.split("=", 1) for build in builds)
    machine = Machine(os.path.dirname(list(builds.values())[0]), folder)
    for kind, form in (("single", "csv"), ("single", "blg"), ("churn", "blg")):
        machine.output([machine.tool("big_log"), kind, form, size, machine.path(f"{kind}.{form}")])
    rows = []
    for name, log, args in JOBS:
        args = [args[0], machine.path(log), *(machine.path(a) if a.startswith("out.") else a
                                              for a in args[1:])]
        taken = {build: [] for build in builds}
        for _ in range(TIMES):
            for build, pmon in builds.items():
                taken[build].append(cpu(machine, [pmon, *args]))
        rows.append({"job": name, "seconds": {build: min(t) for build, t in taken.items()}})
    result = {"machine": about(), "size": size, "rows": rows}
    if peers.has_duckdb():
        with open(machine.path("single.csv"), encoding="utf-8") as log:
            query, start = duckdb(machine, log.readline().count('","'))
        result["duckdb_seconds"] = query - start
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=2)


if __name__ == "__main__":
    main()
