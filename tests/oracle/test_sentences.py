#!/usr/bin/env python3
# test_sentences.py - the numbers of an incident's sentence are those that pmon values gives for its range
# SPDX-License-Identifier: MIT
"""Incidents of planted logs: the average of each evidence is the mean of the values in its range, what is usual lies in
the middle of all values, who rose had that mean, and the sentence has these numbers."""

import csv
import io
import json
import os
import re
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "incidents"))

import common
import plant
import score

SEED = 5
FAMILIES = ["disk_slow", "cpu_spike", "sql_log", "web_queue", "ldap_slow"]
SHARE = 0.001       # bins are single floats

differences = common.Differences()
compared = 0


def values_of(log, path):
    """Time and value of each sample that has one."""
    text = score.run("values", log, "-c", path, "--format", "csv", "--tz", "UTC", "--digits", "full")
    rows = list(csv.reader(io.StringIO(text)))
    out = []
    for row in rows[1:]:
        month, day, rest = row[0].split("/", 2)
        year, clock = rest.split(" ")
        if row[1].strip():
            out.append((score.seconds_of("%s-%s-%sT%sZ" % (year, month, day, clock)), float(row[1])))
    return out


def mean_of(values, first, last):
    """Of the samples whose intervals lie in the range, which begins with the end of the interval before."""
    inside = [value for time, value in values if first + 0.002 < time <= last + 0.002]
    return statistics.fmean(inside) if inside else None


def close(a, b):
    return a is not None and b is not None and abs(a - b) <= SHARE * max(abs(a), abs(b)) + 1e-9


def numbers(text):
    return [float(a.replace(",", "")) for a in re.findall(r"\d[\d,]*\.?\d*", text)]


def says(text, value):
    """Is the value in the text, in any unit of the decimal system and with three digits or more?"""
    return any(abs(a * 10 ** k / value - 1) < 0.006 for a in numbers(text) if a for k in range(-12, 13, 3))


def compare(log, incident):
    global compared
    what = "%s: %s" % (os.path.basename(log), incident["headline"])
    for i, evidence in enumerate(incident["evidence"]):
        if evidence["kind"] != "pulse":
            continue
        values = values_of(log, evidence["path"])
        mean = mean_of(values, score.seconds_of(evidence["from"]), score.seconds_of(evidence["to"]))
        if not close(mean, evidence["average"]):
            differences.add("%s: average %s, values %s" % (what, evidence["average"], mean))
        cuts = statistics.quantiles([value for _, value in values], n=20)
        if not cuts[5] <= evidence["usual"] <= cuts[13]:
            differences.add("%s: usually %s, but values %s to %s" % (what, evidence["usual"], cuts[5], cuts[13]))
        if i == 0 and not says(incident["headline"], mean):
            differences.add("%s: does not say %s" % (what, mean))
        compared += 1
    head = incident["evidence"][0]
    for who in incident["who"] if head["kind"] == "pulse" else []:
        mean = mean_of(values_of(log, who["path"]), score.seconds_of(head["from"]), score.seconds_of(head["to"]))
        # It is not there in each of these samples, or its bins do not end where the incident does.
        if mean is None or abs(mean - who["average"]) > 0.1 * abs(mean):
            differences.add("%s: %s %s, values %s" % (what, who["path"], who["average"], mean))
        compared += 1


def main():
    with tempfile.TemporaryDirectory() as folder:
        for noise in ("gauss", "real"):
            for name in FAMILIES:
                log = os.path.join(folder, "%s-%s.csv" % (name, noise))
                plant.write(name, SEED, noise, log, length=(8, 60))
                health = json.loads(score.run("health", "--format", "json", log))
                for incident in health["incidents"]:
                    compare(log, incident)
    if compared < len(FAMILIES):
        differences.add("only %d numbers were compared" % compared)
    print("%d numbers compared" % compared)
    return 1 if differences.count else 0


if __name__ == "__main__":
    sys.exit(main())
