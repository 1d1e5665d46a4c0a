# statistics_jobs.py - statistics of logs: text, binary, compressed
# SPDX-License-Identifier: MIT

import math
import os
import sys

import logs
import peers
from machine import Took, die

ONE = r"\Instance Data(process77)\Page Faults/sec"
ONE_AT = 77 * 10 + 2  # its position in the log
CAT_TIMES = 3
MAWK_TIMES = 3  # Miller and Python, which are slower and have no aim, run once


# ---- Answers --------------------------------------------------------------------------------


def triples(text):
    """Average, minimum and maximum of each column."""
    return [tuple(float(x) for x in line.split()) for line in text.splitlines()]


def miller_triples(text, header):
    """The same from Miller, which names its numbers and has them in an order of its own."""
    found = dict(line.rsplit(None, 1) for line in text.splitlines())
    return [tuple(float(found[f"{name}_{what}"]) for what in ("mean", "min", "max"))
            for name in header]


def header(path):
    with open(path, encoding="utf-8") as f:
        return [cell.strip('"') for cell in f.readline().rstrip("\r\n").split('","')[1:]]


def check_same(name, got, want):
    """Minimum and maximum to the last digit, averages but for the rounding of plain sums."""
    if len(got) != len(want):
        die(f"{name} has {len(got)} columns, not {len(want)}")
    for i, (a, b) in enumerate(zip(got, want)):
        if a[1:] != b[1:] or not math.isclose(a[0], b[0], rel_tol=1e-9, abs_tol=1e-12):
            die(f"{name} differs in column {i}: {a}, not {b}")


def answers(machine, name, threads=1, pattern=None):
    args = [machine.tool("read_log"), "--values", machine.path(name), str(threads)]
    return machine.output(args + ([pattern] if pattern else []))


# ---- Jobs -----------------------------------------------------------------------------------


def by_pmon(machine, results, job, name, pattern=None, size=None):
    """Statistics by one thread and by two; opening is timed, printing is not."""
    counters, values = logs.facts(machine, name)
    want = answers(machine, name, 1, pattern)
    if sorted(answers(machine, name, 2, pattern).split("\n")) != sorted(want.split("\n")):
        die(f"{name}: two threads say something else than one")
    for threads in (1, 2):
        args = [machine.path(name), str(threads)] + ([pattern] if pattern else [])
        seconds = float(machine.output([machine.tool("read_log"), *args]).split()[0])
        once = machine.run([machine.tool("read_log"), "--values", *args])
        took = Took(seconds, None, once.peak_kib)
        results.add(job, f"pmon, {threads} thread" + "s" * (threads > 1), took,
                    size or machine.size(name), values, counters)
    return want


def cat(machine, results, job, name):
    took = machine.run(["cat", machine.path(name)], CAT_TIMES)
    results.add(job, "cat", took, machine.size(name))


def reading(machine, results, job, name):
    """What the system needs to hand the file over, to one thread and to two."""
    for threads in (1, 2):
        seconds = float(machine.output([machine.tool("read_file"), machine.path(name), str(threads)]))
        results.add(job, f"reading alone, {threads} thread" + "s" * (threads > 1),
                    Took(seconds, None, 0), machine.size(name))


def checked(machine, results, name, program, args, want, times=1, read=triples):
    """Run another program on a text log: what it took counts when its answers are right."""
    took = machine.run(args, times, out="answers")
    with open(machine.path("answers"), encoding="utf-8") as f:
        check_same(program, read(f.read()), want)
    results.add("csv", program, took, machine.size(name), logs.facts(machine, name)[1])


def text_peers(machine, results, name, want):
    path = machine.path(name)
    names = header(path)
    if peers.has("mawk"):
        checked(machine, results, name, "mawk", ["mawk", peers.MAWK, path], want,
                MAWK_TIMES)
    checked(machine, results, name, "Python csv", [sys.executable, "-c", peers.PYTHON, path], want)
    if peers.has("mlr"):
        args = ["mlr", "--icsv", "--oxtab", "put", peers.MILLER, "then", "stats1",
                "-a", "mean,min,max", "--fr", r"^\\", path]
        checked(machine, results, name, "Miller", args, want,
                read=lambda t: miller_triples(t, names))


def duckdb(machine, results, name, want):
    """DuckDB is timed inside its process: starting node is not its work."""
    if not peers.has_duckdb():
        return
    best, peak = math.inf, 0
    for _ in range(3):
        took = machine.run(peers.duckdb(machine.path(name), len(want), 2), out="answers")
        with open(machine.path("answers"), encoding="utf-8") as f:
            seconds, text = f.read().split("\n", 1)
        check_same("DuckDB", triples(text), want)
        best, peak = min(best, float(seconds)), max(peak, took.peak_kib)
    results.add("csv", "DuckDB, 2 threads", Took(best, None, peak), machine.size(name),
                logs.facts(machine, name)[1])


def csv(machine, results):
    want = triples(by_pmon(machine, results, "csv", "single.csv"))
    cat(machine, results, "csv", "single.csv")
    took = machine.run(["wc", "-l", machine.path("single.csv")], CAT_TIMES)
    results.add("csv", "wc -l", took, machine.size("single.csv"))
    duckdb(machine, results, "single.csv", want)
    text_peers(machine, results, "single.csv", want)


def blg(machine, results):
    by_pmon(machine, results, "blg", "single.blg")
    cat(machine, results, "blg", "single.blg")
    reading(machine, results, "blg", "single.blg")


def churn(machine, results):
    by_pmon(machine, results, "churn", "churn.blg")
    cat(machine, results, "churn", "churn.blg")


def one(machine, results):
    """One counter of many; its numbers have to be those it has among all."""
    got = by_pmon(machine, results, "one", "many.blg", ONE)
    if got.split() != answers(machine, "many.blg").splitlines()[ONE_AT].split():
        die("one counter of 5,000 has other numbers than among all")
    cat(machine, results, "one", "many.blg")
    reading(machine, results, "one", "many.blg")


# ---- Compressed -----------------------------------------------------------------------------


def compress(machine, name, program, end):
    target = machine.path(name + end)
    if not os.path.exists(target):
        machine.run([program, "-c", machine.path(name)] + (["-1"] if program == "gzip" else ["-q"]),
                    out=name + end)


def compressed(machine, results):
    """Beside the program that only unpacks; the speed is that of the log when it is unpacked."""
    for program, end in (("zstd", ".zst"), ("gzip", ".gz")):
        for name in ("single.blg", "single.csv"):
            if not peers.has(program):
                continue
            job = name.split(".")[1] + "_" + end[1:]
            compress(machine, name, program, end)
            size = machine.size(name)
            got = by_pmon(machine, results, job, name + end, size=size)
            if got != answers(machine, name):
                die(f"{name}{end} has other numbers than {name}")
            took = machine.run([program, "-dc", machine.path(name + end)], CAT_TIMES)
            results.add(job, f"{program} -dc", took, size)
            machine.remove(name + end)
