#!/usr/bin/env bash
# twice.sh - windows of times that occur twice, because the clock was set back
# SPDX-License-Identifier: MIT
#
# Whatever is in the window has the value that it has in the whole log; nothing is computed from the last sample of one part
# of the window and the first of the next.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need python3

cat >twice.py <<'EOF2'
import json, os, subprocess, sys
from datetime import datetime, timedelta

SECOND = 10 ** 7
EPOCH = 116444736000000000
BEGIN = datetime(2020, 1, 1)


def text(seconds):
    return (BEGIN + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


# 100 samples, one every 15 s; the clock is set before those in steps. Every value is another one.
def write(path, steps):
    with open(path, "w") as out:
        busy = count = jump = 0
        for i in range(100):
            passed, perf = 15 if i else 0, 15 * i
            jump += steps.get(i, 0)
            busy += passed * SECOND * (3 + i) // 1000
            count += passed * (100 + 7 * i)
            system = EPOCH + (1577836800 + perf + jump) * SECOND
            for series, (name, kind, first, second) in enumerate((
                    ("Processor(_Total)\\% Processor Time", "PERF_100NSEC_TIMER", busy, system),
                    ("System\\Context Switches/sec", "PERF_COUNTER_BULK_COUNT", count,
                     (1000 + perf) * SECOND),
                    ("Memory\\Available MBytes", "PERF_COUNTER_LARGE_RAWCOUNT", 600 + i, 0))):
                out.write(json.dumps({
                    "path": "\\\\SRV\\" + name, "type": kind, "time": text(perf + jump),
                    "status": "valid_data", "first": first, "second": str(second), "multi": 0,
                    "time_base": SECOND, "series": series, "sample": i, "utc_offset_min": 0}) + "\n")


def run(*words):
    return subprocess.run([os.environ["PMON_BIN"], *words], capture_output=True, text=True)


def lines(*words):
    return [json.loads(line) for line in run(*words).stdout.splitlines()]


def values_of(rows):
    return sorted((row["path"], row["time"], round(row["value"], 9))
                  for row in rows if row["value"] is not None)


def check(what, got, wanted):
    global checks, failed
    checks += 1
    if got != wanted:
        failed += 1
        if isinstance(got, list) and isinstance(wanted, list):  # show what differs
            got, wanted = ([one for one in a if one not in b] for a, b in ((got, wanted), (wanted, got)))
        print(what, "gave", str(got)[:300], "not", str(wanted)[:300])


def check_stats(what, window, path, rows):
    for one in json.loads(run("stats", "--format", "json", *window, path).stdout)["counters"]:
        here = [row for row in rows if row["path"] == one["path"]]
        known = [row["value"] for row in here if row["status"] == "ok"]
        check(what + one["path"], one["samples"], len(here))
        check(what + one["path"], [round(one[key], 6) for key in ("minimum", "maximum", "average")],
              [round(value, 6) for value in (min(known), max(known), sum(known) / len(known))])


# Steps of the log that the window is copied to, of a counter on the performance clock: no two parts are joined.
def check_steps(what, window, path, ending):
    def values(*words):
        rows = lines("values", "--format", "json", "-c", "\\System\\*", *words)
        return values_of(row for row in rows if not any(
            "--from" == a and row["time"] < b or "--to" == a and row["time"] > b
            for a, b in zip(window, window[1:])))

    run("relog", path, "-y", "-o", "steps." + ending, "--step", "1m", *window)
    check(what, values("steps." + ending), values("--every", "1m", *window, path))


# An episode of each part, which the limit is below all the time, with its values.
def check_find(what, window, path, rows):
    here = [row["value"] for row in rows if "Available" in row["path"]]
    found = json.loads(run("find", "--format", "json", *window, "\\Memory\\Available* > 1", path).stdout)
    check(what, sum(episode["samples"] for episode in found["episodes"]), len(here))
    check(what, max(episode["worst"] for episode in found["episodes"]), max(here))


def compare(path):
    whole = {verb: lines(verb, "--format", "json", path) for verb in ("values", "raw")}
    events = json.loads(run("health", "--format", "json", path).stdout)["events"]
    for begin, end in ((300, 400), (390, 700), (None, 450), (600, None), (885, 885), (0, 2000)):
        window = (["--from", text(begin)] if begin is not None else []) + \
                 (["--to", text(end)] if end is not None else [])
        what = "%s from %s to %s: " % (path, begin, end)
        inside = {verb: [row for row in rows
                         if (begin is None or row["time"] >= text(begin)) and
                            (end is None or row["time"] <= text(end))] for verb, rows in whole.items()}
        if not inside["raw"]:
            check(what + "stats", run("stats", *window, path).returncode, 1)
            continue
        for verb in inside:
            check(what + verb, lines(verb, "--format", "json", *window, path), inside[verb])
        check_stats(what + "stats ", window, path, inside["values"])
        check_find(what + "find", window, path, inside["values"])
        for ending in ("csv",) if path.endswith("csv") else ("csv", "jsonl", "blg", "db"):
            run("relog", path, "-y", "-o", "out." + ending, *window)
            # a BLG has the samples before the window as well
            got = [row for row in values_of(lines("values", "--format", "json", "out." + ending))
                   if (begin is None or row[1] >= text(begin)) and (end is None or row[1] <= text(end))]
            wanted = values_of(inside["values"])
            if ending == "csv":  # text has Windows' number where the clock was set
                stepped = {(row["path"], row["time"]) for row in inside["values"]
                           if row["status"] == "clock_stepped"}
                got, wanted = ([row for row in rows if row[:2] not in stepped] for rows in (got, wanted))
            check(what + "relog " + ending, got, wanted)
            if ending != "csv" and (number, path) == (1, "log.jsonl"):
                check_steps(what + "relog --step " + ending, window, path, ending)
        # A clock that was set to a time in the window is the same event.
        health = json.loads(run("health", "--format", "json", *window, path).stdout)
        check(what + "health", [event for event in health["events"] if event not in events], [])


checks = failed = 0
for number, steps in enumerate(({50: -600}, {30: -300, 70: -450}, {20: 900, 60: -1200})):
    write("log.jsonl", steps)
    for path in ("log.jsonl", "log.blg", "log.csv") if number < 2 else ("log.db",):
        if path != "log.jsonl":
            run("relog", "log.jsonl", "-y", "-o", path)
        compare(path)
print(checks, "comparisons")
sys.exit(failed > 0 or checks < 300)
EOF2
PMON_BIN=$PMON_BIN python3 twice.py >said 2>&1 && ok || bad "$(head -c 3000 said)"

finish
