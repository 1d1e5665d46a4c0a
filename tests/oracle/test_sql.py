#!/usr/bin/env python3
"""pmon sql: averages, totals and percentiles are those of `pmon stats`, to the last bit.

The conformance vectors of each counter type under each policy, logs of Windows, windows of a log, groups, and steps of time.
Where the sqlite3 shell and the extension are there, it gives the same rows.
"""

import csv
import glob
import json
import os
import re
import subprocess
import tempfile

from common import ROOT, Differences, binary, data_folder, group, log_files, run_pmon, skip
from test_tidy import EXAMPLE, lines_of

EACH = ("SELECT path, pid, type, pmon_avg(operands) AS average, pmon_total(operands) AS total, "
        "pmon_percentile(operands, 50) AS p50, pmon_percentile(operands, 95) AS p95 FROM log GROUP BY path, pid, type")
COMPARED = ("average", "total", "p50", "p95")


def ask(statement, log, *options):
    return [json.loads(line) for line in run_pmon("sql", "--format", "json", *options, statement, log).splitlines()]


def run_any(*arguments):
    """Standard output of pmon, also if the log is damaged."""
    done = subprocess.run([binary(), *arguments], capture_output=True, check=False)
    return done.stdout.decode("utf-8") if done.returncode in (0, 3) else None


def is_same(name, counter, got, expected):
    """Totals of stats are in the base unit of the name, and left out where the name has a unit that is no size."""
    if name == "total" and got is not None and (counter["type"] or "RAWCOUNT").endswith("RAWCOUNT"):
        if expected is None:
            return True
        factor = expected / got if got else 1
        return expected == got or any(abs(factor / unit - 1) < 1e-9 for unit in (1024, 1024 ** 2, 1e3, 1e6))
    return got == expected


def compare(bad, name, log, *options):
    """Each counter that occurs once. Returns how many, and of which types."""
    text = run_any("stats", "--format", "json", "--percentile", "50,95", *options, log)
    rows = run_any("sql", "--format", "json", *options, EACH, log)
    if text is None or rows is None:
        if (text is None) != (rows is None):
            bad.add("%s: only one of stats and sql can read it" % name)
        return 0, set()
    counters = group(json.loads(text)["counters"], lambda row: row.get("path_en") or row["path"])
    paths = group((json.loads(line) for line in rows.splitlines()), lambda row: row["path"])
    count, types = 0, set()
    for path, of in counters.items():
        found = paths.get(path, [])
        if len(of) != 1 or len(found) > 1:
            continue
        if not found:
            bad.add("%s: %s is missing" % (name, path))
            continue
        for key in COMPARED:
            if not is_same(key, of[0], found[0][key], of[0][key]):
                bad.add("%s: %s of %s: %s, not %s" % (name, key, path, found[0][key], of[0][key]))
        count += 1
        types.add(of[0]["type"])
    return count, types


# ---- Vectors --------------------------------------------------------------------------------------

def check_vectors(bad):
    with open(os.path.join(ROOT, "share", "vectors", "series.tsv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    types, count = set(), 0
    for policy, of_policy in group(rows, lambda row: row["policy"]).items():
        lines = sorted((line for row in of_policy for line in lines_of(row)), key=lambda line: line["sample"])
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as log:
            log.write("".join(json.dumps(line) + "\n" for line in lines))
            log.flush()
            for options in ((), ("--cap",), ("--scale",), ("--times-1000",)):
                n, of_types = compare(bad, "%s %s" % (policy, options), log.name, "--policy", policy, *options)
                count += n
                types |= of_types
    print("vectors: %d series of %d types" % (count, len(types)))
    if len(types) < 25:
        bad.add("only these types were compared: %s" % sorted(types))


# ---- Groups and steps -----------------------------------------------------------------------------

def check_groups(bad, log):
    """Instances, machines and objects as one: without sums, unless they are asked for by name."""
    columns = {"instance": "object, instance, counter", "object": "object, counter", "machine": "machine, object, counter"}
    count = 0
    for by, names in columns.items():
        rows = ask("SELECT %s, pmon_avg(operands) AS average FROM log WHERE object IN ('PhysicalDisk', 'LogicalDisk', "
                   "'Processor') AND (instance <> '_Total' OR %d) GROUP BY %s, type" % (names, by == "instance", names), log)
        found = {tuple((row.get("machine"), row["object"], row.get("instance"), row["counter"])): row["average"] for row in rows}
        counters = json.loads(run_pmon("stats", "--format", "json", "--by", by, "-c", "\\PhysicalDisk(*)\\*",
                                       "-c", "\\LogicalDisk(*)\\*", "-c", "\\Processor(*)\\*", log))["counters"]
        for counter in counters:
            parts = re.fullmatch(r"(?:\\\\([^\\]+))?\\([^\\(]+)(?:\((.*)\))?\\(.*)", counter["path"])
            machine, of_object, instance, name = parts.groups()
            key = (machine if by == "machine" else None, of_object, instance if by == "instance" else None, name)
            if key not in found:
                bad.add("by %s: %s is missing" % (by, counter["path"]))
            elif found[key] != counter["average"]:
                bad.add("by %s: %s: %s, not %s" % (by, counter["path"], found[key], counter["average"]))
            count += 1
    print("groups: %d averages" % count)
    if count < 20:
        bad.add("only %d groups were compared" % count)


def check_steps(bad, log):
    """The statement of docs/sql.md: each disk by the hour, with the digits of stats --every 1h."""
    rows = ask("SELECT pmon_step(time, '1h', utc_offset) AS hour, path, pmon_avg(operands) AS average, "
               "pmon_percentile(operands, 95) AS p95 FROM log WHERE counter = 'Avg. Disk sec/Read' "
               "GROUP BY hour, path HAVING average IS NOT NULL", log)
    found = {(row["hour"][:13], row["path"]): (row["average"], row["p95"]) for row in rows}
    counters = json.loads(run_pmon("stats", "--format", "json", "--every", "1h", "--percentile", "95",
                                   "-c", "\\PhysicalDisk(*)\\Avg. Disk sec/Read", log))["counters"]
    expected = {(row["time"][:13], row["path"]): (row["average"], row["p95"]) for row in counters}
    if found != expected or len(expected) < 4:
        bad.add("by the hour: %s, not %s" % (found, expected))


def check_displayed(bad, log, text):
    """In a log of displayed values latencies are weighted by the rates beside them, whatever the statement names."""
    run_pmon("relog", "-y", "-f", "csv", "-o", text, log)
    try:
        counters = json.loads(run_any("stats", "--format", "json", text))["counters"]
        derived = {row["path"]: row["average"] for row in counters if row["average_kind"] == "derived"}
        for where, options in (("1", ()), ("counter = 'Avg. Disk sec/Read'", ()), ("1", ("-c", "disk sec/read"))):
            rows = ask("SELECT path, pmon_avg(operands) AS average FROM log WHERE %s GROUP BY path" % where, text, *options)
            if options and {row["path"] for row in rows} != set(derived):
                bad.add("-c shows %s" % rows)
            found = {row["path"]: row["average"] for row in rows if row["path"] in derived}
            if found != derived or len(derived) < 2:
                bad.add("displayed latencies, %s: %s, not %s" % (where, found, derived))
    finally:
        os.unlink(text)


def check_tables(bad, log):
    """raw and counters have what the verbs print."""
    raw = [json.loads(line) for line in run_pmon("raw", "--format", "json", log).splitlines()]
    rows = ask("SELECT path, type, time, status, first, second, multi, time_base FROM raw", log)
    for one, other in zip(raw, rows):
        one = dict(one, path=one.pop("path_en", one["path"]))
        one["time"] = other["time"] if other["time"].startswith(one["time"].rstrip("Z")) else one["time"]
        if one != other:
            bad.add("raw: %s is not %s" % (other, one))
    if len(raw) != len(rows):
        bad.add("raw: %d rows, not %d" % (len(rows), len(raw)))
    names = {(row["path"], row["type"]) for row in json.loads(run_pmon("list", "--format", "json", log))["counters"]}
    found = {(row["path"], row["type"]) for row in ask("SELECT path, type FROM counters", log)}
    if names != found:
        bad.add("counters: %s" % (names ^ found))


def main():
    bad = Differences()
    done = subprocess.run([binary(), "sql", "SELECT 1", os.devnull], capture_output=True, check=False)
    if b"without SQLite" in done.stderr:
        skip("this pmon was built without SQLite")
    check_vectors(bad)
    logs = [log for _, log, _ in log_files()]
    for log in logs + sorted(glob.glob(os.path.join(data_folder("pdh-text"), "*.csv"))):
        print("%s: %d counters" % (os.path.basename(log), compare(bad, os.path.basename(log), log)[0]))
    compare(bad, "from the fourth sample on", logs[-1], "--from", "2007-08-14T19:43:08Z")
    check_groups(bad, logs[-1])
    check_tables(bad, logs[0])
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as example:
        subprocess.run([EXAMPLE], stdout=example, check=True)
        check_steps(bad, example.name)
        check_displayed(bad, example.name, example.name + ".csv")
    return 1 if bad.count else 0


if __name__ == "__main__":
    raise SystemExit(main())
