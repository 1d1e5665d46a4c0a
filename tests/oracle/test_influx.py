#!/usr/bin/env python3
"""Influx line protocol that pmon writes, read by a parser of the published grammar.

The grammar is that of InfluxData's "Line protocol reference" (InfluxDB v2 documents): measurement, tag set,
field set and timestamp; commas, equals signs and blanks are escaped by a backslash, other backslashes are
themselves; there are no line feeds. Real logs have the same numbers as their OpenMetrics text, whose names
VictoriaMetrics builds from measurement, "_" and field. Logs made here have names that need escapes.
"""

import json
import os
import re
import sys
import tempfile

import common
import test_openmetrics
import test_sqlite

INTEGER = re.compile(r"-?\d+i$")
FLOAT = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$")
ESCAPED = re.compile(r"\\([,= ])")


def split_at(text, separator, times=-1):
    """Split where the separator is not escaped."""
    parts, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == separator and times != 0:
            parts.append(text[start:at])
            start = at + 1
            times -= 1
        at += 1
    return parts + [text[start:]]


def unescape(text):
    return ESCAPED.sub(r"\1", text)


def pairs_of(texts, line):
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key or not value or key in pairs:
            raise ValueError("not a pair: %r in %r" % (text, line))
        pairs[key] = value
    return pairs


def number_of(text):
    if INTEGER.match(text):
        number = int(text[:-1])
        if not -2**63 <= number < 2**63:
            raise ValueError("integer of more than 64 bits: " + text)
        return number
    if not FLOAT.match(text):
        raise ValueError("not a number: " + text)
    return float(text)


def parse_line(line):
    """(measurement, tags, fields, nanoseconds)"""
    head, fields, time = split_at(line, " ")
    measurement, *tags = split_at(head, ",")
    tags = {key: unescape(value) for key, value in pairs_of(tags, line).items()}
    fields = {key: number_of(value)
              for key, value in pairs_of(split_at(fields, ","), line).items()}
    if not fields or list(tags) != sorted(tags) or not re.match(r"[a-z][a-z0-9_]*$", measurement):
        raise ValueError(line)
    return measurement, tags, fields, int(time)


def parse(path):
    """{(name, labels, nanoseconds): number}"""
    points = {}
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    if lines.pop() != "":
        raise ValueError("the last line has no end")
    for line in lines:
        measurement, tags, fields, time = parse_line(line)
        for field, number in fields.items():
            key = measurement + "_" + field, tuple(tags.items()), time
            if key in points:
                raise ValueError("comes twice: %s" % (key,))
            points[key] = number
    return points


def openmetrics(path, differences):
    """The same of OpenMetrics, without the descriptions that it has for `pmon query`."""
    points = {}
    label = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
    for (name, labels), series in test_openmetrics.read_strictly(path, differences).items():
        tags = tuple((key, re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n" else m.group(1), value))
                     for key, value in label.findall(labels))
        for time, number in series:
            if name != "pmon_described_timestamp_seconds":
                points[name, tags, round(time * 1e7)] = number
    return points


def compare(log, folder):
    """A real log says the same in both formats. Times of OpenMetrics went through a double here: 1e-7 s."""
    differences = common.Differences()
    test_sqlite.convert(log, "influx", os.path.join(folder, "log.lp"))
    test_sqlite.convert(log, "openmetrics", os.path.join(folder, "log.om"))
    got = parse(os.path.join(folder, "log.lp"))
    want = openmetrics(os.path.join(folder, "log.om"), differences)
    at_millisecond = {(name, tags, time // 1000000): number for (name, tags, time), number in got.items()}
    for (name, tags, time), number in want.items():
        found = at_millisecond.get((name, tags, time // 10000),
                                   at_millisecond.get((name, tags, (time + 5) // 10000)))
        if found is None or float(found) != number:
            differences.add("%s %s: %s, OpenMetrics has %s" % (name, tags, found, number))
    if len(got) != len(want):
        differences.add("%d points, OpenMetrics has %d" % (len(got), len(want)))
    return differences.count, len(got)


# What pmon writes for text that no tag can have: the pictures of control characters, and a fullwidth backslash
# where a backslash would escape what follows.
def tag_of(text):
    text = re.sub(r"\\(?=[\\,= ]|$)", "\uFF3C", text)
    return "".join(chr(0x2400 + ord(c)) if ord(c) < 32 else "\u2421" if c == "\x7f" else c
                   for c in text)


HOSTILE = ["plain", "a,b", "a b", " ", "  lead", "trail ", "a=b", "=", ",", "a\"b", "'q'", "#not a comment",
           "a\nb", "\r\n", "a\tb", "C:\\mnt", "end\\", "\\", "a\\,b", "a\\ b", "a\\=b", "a\\\\b", "\\\\\\",
           "a\\nb", "\u00fcml\u00e4ut", "\U0001F600", "\x7f", "i=1i 12", "x" * 4000]


def check_hostile(folder):
    """Each instance name arrives, by itself, with the integer that belongs to it."""
    differences = common.Differences()
    log = os.path.join(folder, "odd.jsonl")
    with open(log, "w", encoding="utf-8") as file:
        for i, name in enumerate(HOSTILE):
            path = "\\\\m\\Odd, Object(i%d)\\Used, of = all" % i
            file.write(json.dumps({
                "path": path, "machine": "m,a=c h", "object": "Odd, Object", "instance": name,
                "counter": "Used, of = all", "type": "PERF_COUNTER_LARGE_RAWCOUNT",
                "time": "2020-01-01T00:00:00.0000001Z", "status": "valid_data",
                "first": 2**53 + 1 + i, "series": i, "sample": 0}) + "\n")
    test_sqlite.convert(log, "influx", os.path.join(folder, "odd.lp"))
    got = {dict(tags).get("instance"): (name, dict(tags), time, number) for (name, tags, time), number
           in parse(os.path.join(folder, "odd.lp")).items()}
    for i, instance in enumerate(HOSTILE):
        tags = {"instance": tag_of(instance), "machine": tag_of("m,a=c h"), "object": "Odd, Object"}
        want = ("pmon_odd_object_used_of_all", tags, 1577836800000000100, 2**53 + 1 + i)
        if got.get(tag_of(instance)) != want:
            differences.add("%r: %s" % (instance, got.get(tag_of(instance))))
    if len(got) != len(HOSTILE):
        differences.add("%d of %d instances" % (len(got), len(HOSTILE)))
    return differences.count


def main():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        failed = check_hostile(folder) > 0
        print("names that need escapes: " + ("FAILED" if failed else "ok"))
        for name, file_name, _ in common.log_files():
            wrong, count = compare(file_name, folder)
            print("%s: %s" % (name, "FAILED" if wrong else "%d points" % count))
            failed = failed or wrong > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
