#!/usr/bin/env python3
"""values --format tidy in sqlite3: sums of its rows are the averages of the conformance vectors and of `pmon stats`.

The shell of SQLite reads the file (.import) and adds it up by the statements of docs/reference/tidy.md, for each type of
share/vectors/series.tsv, each real log, each process and windows of a log.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import tempfile

from common import ROOT, Differences, group, log_files, run_pmon, skip

PAGE = os.path.join(ROOT, "docs", "reference", "tidy.md")
EXAMPLE = os.path.join(ROOT, "share", "examples", "slow-server")
MOST_EXACT = 2 ** 53


def statement(name):
    """The statement of the page that begins with the comment `-- name`."""
    with open(PAGE, encoding="utf-8") as file:
        found = re.search(r"^-- %s\n(.*?;)\n" % re.escape(name), file.read(), re.M | re.S)
    if found is None:
        raise SystemExit("docs/reference/tidy.md has no statement `-- %s`" % name)
    return found.group(1)


def query(tidy, sql):
    """The rows of a statement over this text, as the page says to load it."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "tidy.csv"), "w", encoding="utf-8", newline="") as file:
            file.write(tidy)
        script = "%s\n.import --csv --skip 1 tidy.csv tidy\n.mode json\n%s\n" % (statement("the table"), sql)
        done = subprocess.run(["sqlite3", "-bail"], input=script.encode(), cwd=folder, capture_output=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise SystemExit("sqlite3: " + done.stderr.decode())
    return json.loads(done.stdout) if done.stdout.strip() else []


def is_near(a, b, scale=0.0):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b), scale)


# ---- Vectors --------------------------------------------------------------------------------------

def raw_of(text):
    """first, second, multi, status of an event of series.tsv"""
    if text.startswith("x"):
        return 0, 0, 0, int(text[1:], 16)
    numbers, _, status = text.partition("@")
    parts = [int(part, 0) for part in numbers.split(":")] + [0, 0]
    return parts[0], parts[1], parts[2], int(status or "0", 16)


def lines_of(row):
    """A series as JSON lines, one sample a second."""
    for sample, event in enumerate(event for event in row["events"].split() if event not in ("|", "-")):
        if event == "gap" or event.startswith("("):
            continue
        first, second, multi, status = raw_of(event)
        if status == 0x20000002:  # what a process had when it started belongs to another sample
            continue
        yield {"path": "\\\\M\\V(%s)\\C" % row["id"], "type": row["word"], "size": int(row["size"], 0),
               "time": "2023-11-14T22:%02d:%02dZ" % divmod(780 + sample, 60),
               "status": status, "first": str(first), "second": str(second), "multi": multi,
               "time_base": int(row["time_base"], 0), "sample": sample}


def number_of(expected):
    word = expected.rpartition("=")[2]
    try:
        return float(word)
    except ValueError:
        return None


def can_be_summed(row):
    """Not: no events, options of the display, windows with a lead, starts of processes, no average, sums that doubles
    do not hold, units that change (docs/reference/tidy.md)."""
    events = [event for event in row["events"].split() if event not in ("gap", "|", "-")]
    raws = [raw_of(event) for event in events if not event.startswith("(")]
    units = {raw[2] for raw in raws}
    return (len(raws) == len(events) > 0 and row["options"] == "-" and number_of(row["average"]) is not None and
            not row["average"].startswith(("base_zero", "clamped")) and
            not any(raw[3] == 0x20000002 for raw in raws) and "ELAPSED" not in row["type"] and
            row["type"] != "PERF_DOUBLE_RAW" and all(abs(raw[0]) <= MOST_EXACT or raw[1] != 0 for raw in raws) and
            ("MULTI" not in row["type"] or len(units) == 1))


def with_one_unit(row):
    """The raw values of a MULTI series before its units change; the average by the Platform SDK's calculations:
    100 * dN / (U * dD), and 100 * (U - dN / dD) of the inverse."""
    events = [event for event in row["events"].split() if event.endswith(":7")]
    (n0, d0, units, _), (n1, d1, _, _) = raw_of(events[0]), raw_of(events[-1])
    share = (n1 - n0) / (d1 - d0)
    average = 100 * (units - share) if row["type"].endswith("INV") else 100 * share / units
    return dict(row, events=" ".join(events), average=repr(average))


def check_vectors(bad):
    with open(os.path.join(ROOT, "share", "vectors", "series.tsv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [with_one_unit(row) if re.match("average-.*multi", row["id"]) else row for row in rows]
    types, count = set(), 0
    for policy, of_policy in group(rows, lambda row: row["policy"]).items():
        kept = [row for row in of_policy if can_be_summed(row)]
        text = "".join(json.dumps(line) + "\n" for line in sorted(
            (line for row in kept for line in lines_of(row)), key=lambda line: line["sample"]))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as log:
            log.write(text)
            log.flush()
            tidy = run_pmon("values", "--policy", policy, "--format", "tidy", log.name)
        averages = {row["path"]: row["average"] for row in query(tidy, statement("each counter"))}
        for row in kept:
            got, expected = averages.get("\\\\M\\V(%s)\\C" % row["id"]), number_of(row["average"])
            count += 1
            types.add(row["type"])
            if got is None or not is_near(got, expected, 100 if "INV" in row["type"] else 0):
                bad.add("%s: %s, not %s" % (row["id"], got, expected))
    return types, count


# ---- Real logs ------------------------------------------------------------------------------------

def averages_of(log, *options):
    """{path: average} of `pmon stats`, of the paths that occur once and have a true average."""
    counters = json.loads(run_pmon("stats", "--format", "json", *options, log))["counters"]
    paths = group(counters, lambda row: row["path"])
    return {path: of[0]["average"] for path, of in paths.items()
            if len(of) == 1 and of[0]["average"] is not None and of[0]["type"] != "PERF_ELAPSED_TIME"}


def compare(bad, name, log, *options):
    tidy = run_pmon("values", "--format", "tidy", *options, log)
    averages = {row["path"]: row["average"] for row in query(tidy, statement("each counter"))}
    expected = averages_of(log, *options)
    count = 0
    for path, average in expected.items():
        got = averages.get(path)
        if got is None and average == 0:  # nothing in the base: stats has 0, a quotient nothing
            continue
        count += 1
        if got is None or not is_near(got, average, 100):
            bad.add("%s: %s: %s, not %s" % (name, path, got, average))
    return count


def check_group(bad, log):
    """All disks as one, and each disk by the hour."""
    tidy = run_pmon("values", "--format", "tidy", log)
    of_group = {row["counter"]: row["average"] for row in query(tidy, statement("all disks of all machines as one"))}
    groups = json.loads(run_pmon("stats", "--format", "json", "--by", "object", "-c", "\\PhysicalDisk(*)\\*", log))
    for group_row in groups["counters"]:
        counter = group_row["path"].rpartition("\\")[2]
        if not is_near(of_group[counter], group_row["average"]):
            bad.add("all disks: %s: %s, not %s" % (counter, of_group[counter], group_row["average"]))
    hours = query(tidy, statement("each disk by the hour"))
    if len(groups["counters"]) < 3 or len({row["hour"] for row in hours}) < 2:
        bad.add("too little to compare: %s, %s" % (groups, hours))
    for row in hours:
        if row["hour"] != "2026-11-20T14":
            continue
        [counter] = json.loads(run_pmon(
            "stats", "--format", "json", "--from", "2026-11-20T14:00:00Z", "--to", "2026-11-20T14:59:59Z",
            "-c", "\\PhysicalDisk(%s)\\Avg. Disk sec/Read" % row["instance"], log))["counters"]
        if not is_near(row["average"], counter["average"]):
            bad.add("%s: %s, not %s" % (row, row["average"], counter["average"]))


def check_json(bad, log):
    """Both forms have the same cells."""
    table = list(csv.DictReader(io.StringIO(run_pmon("values", "--format", "tidy", "--raw-names", log))))
    lines = run_pmon("values", "--format", "tidy-json", log).splitlines()
    if len(table) != len(lines):
        bad.add("%d rows, %d lines" % (len(table), len(lines)))
    for row, line in zip(table, lines):
        of_line = {key: "" if value is None else str(value)
                   for key, value in json.loads(line, parse_float=str, parse_int=str).items()}
        if row != of_line:
            bad.add("%s is not %s" % (row, of_line))


def main():
    if shutil.which("sqlite3") is None:
        skip("sqlite3 is not here")
    bad = Differences()
    types, count = check_vectors(bad)
    print("vectors: %d series of %d types" % (count, len(types)))
    if len(types) < 25:
        bad.add("only these types were compared: %s" % sorted(types))
    for name, log, _ in log_files():
        print("%s: %d averages" % (name, compare(bad, name, log)))
        check_json(bad, log)
    name, log, _ = log_files()[-1]
    count = compare(bad, name + " from the fourth sample on", log, "--from", "2007-08-14T19:43:08Z")
    if count < 1000:
        bad.add("%d averages of a window" % count)
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as example:
        subprocess.run([EXAMPLE], stdout=example, check=True)
        check_group(bad, example.name)
    return 1 if bad.count else 0


if __name__ == "__main__":
    raise SystemExit(main())
