# isa.py - the same commands by builds for several instruction sets: isa.py FOLDER SIZE JSON NAME=PMON...
# SPDX-License-Identifier: MIT
#
# Whole commands, the best of several, each build in turn. Processor time is less disturbed by other work on
# the machine than time on the clock; both are kept. The tools that make the logs are next to the first pmon.

import json
import math
import os
import sys

import conversion_jobs
import peers
from machine import Machine, about

TIMES = 7
PEER_TIMES = 3
CSV, BLG, TO_CSV = "statistics, CSV", "statistics, BLG of single counters", "BLG to CSV"
JOBS = [
    (CSV, "single.csv", ["stats"]),
    (BLG, "single.blg", ["stats"]),
    ("statistics, BLG with churn", "churn.blg", ["stats"]),
    (TO_CSV, "single.blg", ["relog", "-y", "-f", "csv", "-o", "out.csv"]),
    ("CSV to BLG", "single.csv", ["relog", "-y", "-f", "bin", "-o", "out.blg"]),
]


def run_job(machine, builds, name, log, args):
    """The same command by each build."""
    outputs = [a for a in args if a.startswith("out.")]
    args = [args[0], machine.path(log), *(machine.path(a) if a in outputs else a for a in args[1:])]
    took = dict.fromkeys(builds)
    for _ in range(TIMES):
        for build, pmon in builds.items():
            machine.remove(*outputs)  # pmon waits for the disk before it replaces a file
            took[build] = machine.run([pmon, *args], 1, out="answers").or_better(took[build])
    return {"job": name, "seconds": {build: t.cpu for build, t in took.items()},
            "wall": {build: t.wall for build, t in took.items()}}


def duckdb(machine, columns):
    """The query alone: its time on the clock, and of the processor without the start of node and DuckDB."""
    wall, cpu = math.inf, {}
    with open(machine.path("single.csv"), encoding="utf-8") as log, \
            open(machine.path("one.csv"), "w", encoding="utf-8") as one:
        one.writelines([log.readline(), log.readline()])
    for name in ("one.csv", "single.csv"):
        cpu[name] = math.inf
        for _ in range(PEER_TIMES):
            took = machine.run(peers.duckdb(machine.path(name), columns, 2), out="answers")
            cpu[name] = min(cpu[name], took.cpu)
            if name == "single.csv":
                with open(machine.path("answers"), encoding="utf-8") as answers:
                    wall = min(wall, float(answers.readline()))
    return wall, cpu["single.csv"] - cpu["one.csv"]


def python_repr(machine):
    """Python's printing of the cells that the last build wrote, and how many there are."""
    cells, width, _ = conversion_jobs.read_cells(machine, "out.csv", "numbers")
    return cells, min(float(machine.output([sys.executable, "-c", peers.REPR, machine.path("numbers"),
                                            machine.path("repr.csv"), str(width)]))
                      for _ in range(PEER_TIMES))


def targets(machine, rows, peer):
    """What each build has to reach: whole commands of pmon, with two threads."""
    rows = {row["job"]: row for row in rows}
    out = []

    def add(what, unit, limit, measure, clock=True):
        out.append({"what": what, "unit": unit, "limit": limit, "clock": clock,
                    "got": {build: measure(build) for build in rows[CSV]["wall"]}})

    if "duckdb_wall" in peer:
        add("statistics of the CSV log, times as fast as DuckDB's query", "times", 15,
            lambda b: peer["duckdb_wall"] / rows[CSV]["wall"][b])
        add("statistics of the CSV log, times as fast as DuckDB's query, in processor time", "times", None,
            lambda b: peer["duckdb_cpu"] / rows[CSV]["seconds"][b], clock=False)
    add("BLG to CSV, million cells a second and core", "million", 5,
        lambda b: peer["cells"] / rows[TO_CSV]["seconds"][b] / 1e6, clock=False)
    add("BLG to CSV, times as fast as Python printing the same numbers", "times", 10,
        lambda b: peer["repr"] / rows[TO_CSV]["wall"][b])
    add("statistics of the BLG log of single counters, of a plain sum", "%", 50,
        lambda b: 100 * machine.size("single.blg") / rows[BLG]["wall"][b] /
        machine.yardstick()["plain"])
    return out


def main():
    folder, size, out, *builds = sys.argv[1:]
    builds = dict(build.split("=", 1) for build in builds)
    machine = Machine(os.path.dirname(list(builds.values())[0]), folder)
    for kind, form in (("single", "csv"), ("single", "blg"), ("churn", "blg")):
        machine.output([machine.tool("big_log"), kind, form, size, machine.path(f"{kind}.{form}")])
    result = {"machine": about(), "size": size}
    machine.take_yardstick()
    result["rows"] = [run_job(machine, builds, *job) for job in JOBS]
    machine.take_yardstick()
    peer = {}
    peer["cells"], peer["repr"] = python_repr(machine)
    if peers.has_duckdb():
        with open(machine.path("single.csv"), encoding="utf-8") as log:
            peer["duckdb_wall"], peer["duckdb_cpu"] = duckdb(machine, log.readline().count('","'))
    result["targets"] = targets(machine, result["rows"], peer)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result | {"peers": peer}, file, indent=2)


if __name__ == "__main__":
    main()
