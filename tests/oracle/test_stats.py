#!/usr/bin/env python3
"""pmon stats against the oracle, counter by counter, on every real log."""

import sys

import common
import blg
import calc

KEYS = ["path", "type", "unit", "last", "average", "minimum", "maximum", "minimum_time",
        "maximum_time", "samples", "invalid", "first_time", "last_time", "average_kind", "total",
        "total_unit", "p0.1", "p25", "p50", "p95", "p99", "p100"]
PERCENTS = "0.1,25,50,95,99,100"
TOLERANCE = 1e-12       # relative
SKETCH = 0.005          # ... of percentiles, as docs/reference/counters.md promises
BYTES = (("kbyte", 1024), ("mbyte", 1024 ** 2), ("megabyte", 1024 ** 2))


def statistics(values):
    """What pmon stats says of a series, as far as the notes settle it."""
    shown = calc.series(values)
    good = [(number, value) for (number, _), value in zip(shown, values) if number is not None]
    result = {
        "type": blg.type_name(values[0].type),
        "last": shown[-1][0],               # of the newest raw value; null when it has no value
        "average": calc.average(values),
        "minimum": None,
        "maximum": None,
        "samples": len(values),
        "first_time": blg.iso(values[0].time),
        "last_time": blg.iso(values[-1].time),
    }
    # an extreme may be reached more than once: any of its times is right
    times = {"minimum_time": {None}, "maximum_time": {None}}
    for key, choose in (("minimum", min), ("maximum", max)):
        if good:
            result[key] = choose(number for number, _ in good)
            times[key + "_time"] = {blg.iso(value.time) for number, value in good
                                    if close(number, result[key])}
    return result, times


def close(a, b, tolerance=TOLERANCE):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def expected_total(counter, values):
    """Totals of bytes are in bytes, whatever the counter counts them in."""
    total = calc.total(values)
    if total is not None and (counter["total_unit"] or "").startswith("byte"):
        for name, size in BYTES:
            if name in counter["path"].rpartition("\\")[2].lower():
                total *= size
    return total


def wrong_weights(counter, values):
    """What is wrong with the total and the percentiles."""
    total = expected_total(counter, values)
    if not close(number(counter["total"]), total) or \
            (counter["total"] is None) != (counter["total_unit"] is None):
        yield "total pmon %r %r oracle %r" % (counter["total"], counter["total_unit"], total)
    for percent in PERCENTS.split(","):
        want = calc.percentile(values, percent)
        if not close(counter["p" + percent], want, SKETCH):
            yield "p%s pmon %r oracle %r" % (percent, counter["p" + percent], want)


def is_number(item):
    return item is None or (isinstance(item, (int, float)) and not isinstance(item, bool))


def number(item):
    """An integer above 2^53 is a string in pmon's JSON."""
    if isinstance(item, str) and item.lstrip("-").isdigit() and abs(int(item)) > 2 ** 53:
        return int(item)
    return item


def compare(file_name):
    """Number of counters that agree; None when anything differs."""
    differences = common.Differences()
    series = common.group(blg.read(file_name).values, lambda value: value.path)
    calc.tell_processes(series)
    document = common.parse_json(common.run_pmon("stats", "--percentile", PERCENTS,
                                                   "--format", "json", file_name))
    if document.get("version") != 1:
        differences.add("version %r" % document.get("version"))
    found = {}
    for counter in document["counters"]:
        if sorted(counter) != sorted(KEYS):
            differences.add("keys %s" % sorted(counter))
            return None
        if counter["path"] in found:
            differences.add("%s twice" % counter["path"])
        found[counter["path"]] = counter
    for path in found:
        if path not in series:
            differences.add("pmon alone has %s" % path)
    agreed = 0
    for path, values in series.items():
        if path not in found:
            differences.add("pmon lacks %s" % path)
            continue
        counter = found[path]
        expected, times = statistics(values)
        wrong = []
        for key in ("last", "average", "minimum", "maximum"):
            got = number(counter[key])
            if not is_number(got) or not close(got, expected[key]):
                wrong.append("%s pmon %r oracle %r" % (key, counter[key], expected[key]))
        for key in ("type", "samples", "first_time", "last_time"):
            if counter[key] != expected[key]:
                wrong.append("%s pmon %r oracle %r" % (key, counter[key], expected[key]))
        for key, allowed in times.items():
            if counter[key] not in allowed:
                wrong.append("%s pmon %r oracle %s" % (
                    key, counter[key], " or ".join(sorted(map(repr, allowed))[:3])))
        wrong += wrong_weights(counter, values)
        if wrong:
            differences.add("%s: %s" % (path, ", ".join(wrong)))
        else:
            agreed += 1
    if differences.count:
        print("  %d counters differ" % differences.count)
        return None
    return agreed


def main():
    common.binary()
    failed = False
    for name, file_name, _ in common.log_files():
        agreed = compare(file_name)
        print("%s: %s" % (name, "FAILED" if agreed is None else "%d counters agree" % agreed))
        failed = failed or agreed is None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
