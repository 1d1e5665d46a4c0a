#!/usr/bin/env python3
"""Percentiles and totals of every log of displayed values, from what pmon values prints.

test_stats.py does the same for logs of raw values, with a reader of its own.
"""

import os
import subprocess
import sys
from datetime import datetime

import common

PERCENTS = "0,5,25,50,75,90,95,99,99.9,100"
SKETCH = 0.005          # relative, as docs/reference/counters.md promises
TIMES = 1e-6            # ... of totals, as datetime has microseconds


def files():
    for below in ("pdh-text", "blg"):
        folder = common.data_folder(below)
        for name in sorted(os.listdir(folder)):
            if name.endswith((".csv", ".tsv")):
                yield name, os.path.join(folder, name)


def run_log(*arguments):
    """What pmon prints of a log, damaged or not; None when it is no log."""
    done = subprocess.run([common.binary(), *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode("utf-8") if done.returncode in (0, 3) else None


def seconds(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def percentile(numbers, percent):
    """The smallest value with that share of the values at or below it."""
    for index, number in enumerate(numbers):
        if (index + 1) * 100 >= len(numbers) * percent:
            return number
    return None


def shown_values(file_name):
    """{path: [(time, value)]} of the values that have a number."""
    series = {}
    text = run_log("values", "--format", "json", file_name)
    if text is None:
        return None
    for line in text.splitlines():
        value = common.parse_json(line)
        if isinstance(value.get("value"), (int, float)):
            series.setdefault(value["path"], []).append((value["time"], value["value"]))
    return series


def wrong_total(counter, values):
    """Levels alone: their values times the seconds since the value before."""
    if "RAWCOUNT" not in (counter["type"] or "") or counter["total_unit"] != "count-seconds":
        return None
    times = [seconds(time) for time, _ in values]
    want = sum(value * (newer - older)
               for (_, value), older, newer in zip(values[1:], times, times[1:]))
    if close(counter["total"], want, TIMES):
        return None
    return "%s total pmon %r values %r" % (counter["path"], counter["total"], want)


def close(got, want, tolerance):
    return got is not None and abs(got - want) <= tolerance * abs(want)


def compare(file_name):
    """Number of percentiles that agree; None when any differs."""
    differences = common.Differences()
    series = shown_values(file_name)
    if series is None:
        return 0
    text = run_log("stats", "--percentile", PERCENTS, "--format", "json", file_name)
    agreed = 0
    seen = set()
    for counter in common.parse_json(text)["counters"]:
        numbers = sorted(value for _, value in series.get(counter["path"], []))
        if counter["path"] in seen:
            continue                    # the same path twice in one log: values has both
        seen.add(counter["path"])
        if len(numbers) + counter["invalid"] != counter["samples"]:
            continue
        total = wrong_total(counter, series[counter["path"]]) if numbers else None
        if total:
            differences.add(total)
        for percent in PERCENTS.split(",") if numbers else ():
            want = percentile(numbers, float(percent))
            if close(counter["p" + percent], want, SKETCH):
                agreed += 1
            else:
                differences.add("%s p%s pmon %r values %r" % (
                    counter["path"], percent, counter["p" + percent], want))
    return None if differences.count else agreed


def main():
    common.binary()
    failed = False
    whole = 0
    for name, file_name in files():
        agreed = compare(file_name)
        print("%s: %s" % (name, "FAILED" if agreed is None else "%d percentiles agree" % agreed))
        failed = failed or agreed is None
        whole += agreed or 0
    if whole == 0:
        common.skip("no log of displayed values in the test data")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
