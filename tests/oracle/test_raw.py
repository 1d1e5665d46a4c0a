#!/usr/bin/env python3
"""pmon raw against the oracle, value by value, on every real log."""

import sys

import common
import blg

KEYS = ["path", "type", "time", "status", "first", "second", "multi", "time_base"]


def compare(file_name, count):
    """Number of values that agree; None when anything differs."""
    expected = [blg.to_json(value) for value in blg.read(file_name).values]
    found = [common.parse_json(line)
             for line in common.run_pmon("raw", "--format", "json", file_name).splitlines()]
    differences = common.Differences()
    if len(expected) != count:
        differences.add("the oracle has %d values, not %d" % (len(expected), count))
    if len(found) != len(expected):
        differences.add("pmon has %d values, the oracle %d" % (len(found), len(expected)))
    for item in found:
        if sorted(item) != sorted(KEYS):
            differences.add("keys %s" % sorted(item))
            return None

    def order(item):
        # per path: by time, then by content, so that the order of the lines does not matter
        return str(item["time"]), [repr(item[key]) for key in KEYS]

    expected_paths = common.group(expected, lambda item: item["path"])
    found_paths = common.group(found, lambda item: item["path"])
    for path in found_paths:
        if path not in expected_paths:
            differences.add("pmon alone has %s" % path)
    agreed = 0
    for path, wanted in expected_paths.items():
        if path not in found_paths:
            differences.add("pmon lacks %s" % path)
            continue
        got = found_paths[path]
        if len(got) != len(wanted):
            differences.add("%s: pmon %d values, oracle %d" % (path, len(got), len(wanted)))
            continue
        for a, b in zip(sorted(got, key=order), sorted(wanted, key=order)):
            # repr separates 1 from "1", 1.0 and true
            wrong = [key for key in KEYS if repr(a[key]) != repr(b[key])]
            if wrong:
                differences.add("%s at %s: %s" % (path, b["time"], ", ".join(
                    "%s pmon %r oracle %r" % (key, a[key], b[key]) for key in wrong)))
            else:
                agreed += 1
    if differences.count:
        print("  %d differences" % differences.count)
        return None
    return agreed


def main():
    common.binary()
    failed = False
    for name, file_name, count in common.log_files():
        agreed = compare(file_name, count)
        print("%s: %s" % (name, "FAILED" if agreed is None else "%d values agree" % agreed))
        failed = failed or agreed is None
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
