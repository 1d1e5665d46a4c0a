#!/usr/bin/env python3
"""pmon trend and pmon changes against slopes, significances, medians and deviations that are computed here.

The definitions are those of Sen (1968) and of Gilbert, "Statistical Methods for Environmental Pollution Monitoring"
(1987), 16.4 and 17.3, in the plainest form: all pairs, and the normal distribution by math.erfc.
"""

import itertools
import math
import os
import random
import statistics
import sys
import tempfile

import common

SAMPLES = 100       # below the 120 points that pmon keeps, so that nothing is merged
STEP_S = 15
SERIES = 40
SKETCH = 0.005      # relative error of a percentile
PATH = "\\\\SRV\\Process(p%d)\\Handle Count"

problems = []


def check(what, is_right):
    if not is_right:
        problems.append(what)
        print("wrong: " + what)


def write_log(file_name, series):
    with open(file_name, "w", encoding="ascii", newline="") as out:
        heads = ["(PDH-CSV 4.0) (UTC)(0)"] + [PATH % i for i in range(len(series))]
        out.write(",".join('"%s"' % head for head in heads) + "\r\n")
        for t in range(SAMPLES):
            seconds = t * STEP_S
            cells = ["11/20/2026 10:%02d:%02d.000" % (seconds // 60, seconds % 60)]
            cells += [repr(values[t]) for values in series]
            out.write(",".join('"%s"' % cell for cell in cells) + "\r\n")


def answer(*words):
    text = common.run_pmon(words[0], "-c", "\\Process(*)\\*", "--format", "json", *words[1:])
    return {row["path"]: row for row in common.parse_json(text)["series"]}


# ---- trend ----------------------------------------------------------------------------------------


def slope_per_hour(values):
    hours = STEP_S / 3600
    return statistics.median((values[k] - values[i]) / ((k - i) * hours)
                             for i, k in itertools.combinations(range(len(values)), 2))


def significance(values):
    n = len(values)
    total = sum((b > a) - (b < a) for a, b in itertools.combinations(values, 2))
    ties = sum(t * (t - 1) * (2 * t + 5) for t in
               (values.count(value) for value in set(values)))
    variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
    z = max(abs(total) - 1, 0) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))


def monotone(values):
    changes = [b - a for a, b in zip(values, values[1:]) if b != a]
    rising = slope_per_hour(values) > 0
    return sum((change > 0) == rising for change in changes) / len(changes)


def close(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def test_trend(numbers, folder):
    series = []
    for i in range(SERIES):
        slope, noise, digits = numbers.uniform(4, 9) * (-1) ** i, numbers.uniform(1, 25), i % 3
        series.append([round(3000 + slope * t + numbers.gauss(0, noise), digits)
                       for t in range(SAMPLES)])
    file_name = os.path.join(folder, "trend.csv")
    write_log(file_name, series)
    found = answer("trend", file_name)
    check("trend lists %d of %d" % (len(found), SERIES), len(found) == SERIES)
    for i, values in enumerate(series):
        row = found.get(PATH % i)
        if row is None:
            continue
        for key, want in (("slope_per_hour", slope_per_hour(values)),
                          ("significance", significance(values)), ("monotone", monotone(values)),
                          ("first", values[0]), ("last", values[-1])):
            check("trend, series %d, %s: %r, not %r" % (i, key, row[key], want),
                  close(row[key], want))


# ---- changes --------------------------------------------------------------------------------------


def lower_median(values):
    return sorted(values)[(len(values) - 1) // 2]


def test_changes(numbers, folder):
    half = SAMPLES // 2
    series = []
    for _ in range(SERIES):
        low, factor = numbers.uniform(50, 500), numbers.uniform(2, 9)
        noise = numbers.uniform(0.03, 0.1)
        series.append([low * (factor if t >= half else 1) * (1 + numbers.gauss(0, noise))
                       for t in range(SAMPLES)])
    file_name = os.path.join(folder, "changes.csv")
    write_log(file_name, series)
    found = answer("changes", "--at", "+%ds" % ((half - 1) * STEP_S), "--window", "1h", file_name)
    check("changes lists %d of %d" % (len(found), SERIES), len(found) == SERIES)
    for i, values in enumerate(series):
        row = found.get(PATH % i)
        if row is None:
            continue
        sides = values[:half], values[half:]
        medians = [lower_median(side) for side in sides]
        noise = sum(lower_median([abs(value - median) for value in side])
                    for side, median in zip(sides, medians)) / 2
        noise = max(noise, 0.01 * max(medians))
        want = (medians[1] - medians[0]) / noise
        # Each median is off by SKETCH of itself, and so are the distances from it.
        error = SKETCH * sum(medians) / noise * (1 + want)
        check("changes, series %d, effect: %r, not %r" % (i, row["effect"], want),
              abs(row["effect"] - want) <= error)
        for key, side in zip(("before", "after"), sides):
            check("changes, series %d, average %s" % (i, key),
                  close(row[key]["average"], statistics.fmean(side)))
            want = sorted(side)[math.ceil(0.95 * len(side)) - 1]
            check("changes, series %d, p95 %s" % (i, key), close(row[key]["p95"], want, SKETCH))
        check("changes, series %d, factor" % i,
              close(row["factor"], statistics.fmean(sides[1]) / statistics.fmean(sides[0])))


def main():
    numbers = random.Random(16)
    with tempfile.TemporaryDirectory(prefix="pmon-answers-") as folder:
        test_trend(numbers, folder)
        test_changes(numbers, folder)
    print("%d problems" % len(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
