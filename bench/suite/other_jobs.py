# other_jobs.py - what a log is; how long the command takes to start; single values
# SPDX-License-Identifier: MIT

import json
import math
import os

import logs
import peers
from machine import die

# ---- info -----------------------------------------------------------------------------------


def info(machine, results, size, same_size):
    name = "single.blg" if same_size else "info.blg"
    if not os.path.exists(machine.path(name)):
        machine.output([machine.tool("big_log"), "single", "blg", size, machine.path(name)])
    counters, values = logs.facts(machine, name)
    took = machine.run([machine.pmon, "info", "--format", "json", machine.path(name)], out="info.out")
    results.add("info", "pmon info", took, machine.size(name), values, counters)
    machine.remove("info.blg")


# ---- Start ----------------------------------------------------------------------------------

STARTS = 50  # of each program, in turn


def start(machine, results):
    """What a command costs before it does anything, beside the least that a program costs."""
    name = "small.csv"
    with open(machine.path(name), "w", encoding="ascii") as f:
        f.write('"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Memory\\Pages/sec"\n')
        f.writelines(f'"11/26/2016 10:00:{i:02}.000","{i}"\n' for i in range(20))
    programs = {"pmon stats, 20 samples": [machine.pmon, "stats", machine.path(name)],
                "pmon --version": [machine.pmon, "--version"], "true": ["true"]}
    took = dict.fromkeys(programs)
    for _ in range(STARTS):
        for program, args in programs.items():
            took[program] = machine.run(args).or_better(took[program])
    for program, best in took.items():
        results.add("start", program, best, machine.size(name) if "stats" in program else 0)
    machine.remove(name)


# ---- Single values --------------------------------------------------------------------------

# Types that Mono computes in another way, and why pmon does not (docs/reference/counters.md has the sources).
MONO_DIFFERS = {
    "PERF_COUNTER_TIMER": "Mono shows a fraction, Windows percent",
    "PERF_RAW_FRACTION": "Mono shows the numerator",
    "PERF_ELAPSED_TIME": "Mono shows 0",
    "PERF_SAMPLE_COUNTER": "Mono does not handle it",
    "PERF_SAMPLE_FRACTION": "Mono does not handle it",
}


def core(machine, results):
    results.core = json.loads(machine.output([machine.tool("core"), "--json"]))


def read_types(text):
    """{type word: [nanoseconds, name, values]}"""
    types, current = {}, None
    for line in text.splitlines():
        if line.startswith("type "):
            _, word, took, name = line.split()
            current = types[int(word)] = [float(took), name, []]
        else:
            current[2].append(float(line))
    return types


def agree(ours, theirs):
    """Mono's numbers have 24 bits, and its percentages are differences of such numbers."""
    return all(math.isclose(a, b, rel_tol=1e-5, abs_tol=2e-5) for a, b in zip(ours, theirs))


def mono(machine, results):
    if not peers.has("mcs", "mono"):
        return
    program = machine.path("values.exe")
    machine.run(["mcs", "-r:System.dll", "-out:" + program, os.path.join(peers.BENCH, "values.cs")])
    theirs = read_types(machine.output(["mono", program]))
    for word, (took, name, values) in read_types(machine.output([machine.tool("values")])).items():
        other = theirs.get(word)
        same = other is not None and agree(values, other[2])
        if same == (name in MONO_DIFFERS):
            die(f"{name}: Mono {'agrees' if same else 'differs'}, which is not what is known of it")
        results.mono.append({"type": name, "pmon_ns": took, "mono_ns": other[0] if other else None,
                             "same": same, "why": MONO_DIFFERS.get(name, "")})
    machine.remove("values.exe")
