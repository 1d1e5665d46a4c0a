"""A log in any of 12 languages answers as the same log in English does.

The real log is written as CSV, and the names in its header are translated by the table of names that the test
data hold (share/names is made of it, by another program). Types, units, numbers, findings and who is selected
by English patterns have to be the same for each. So have those of logs with raw values, in every third
language; with PMON_TEST_FULL=1 in each.
"""

import csv
import json
import os
import re
import tempfile

import common

PATH = re.compile(r"(\\\\[^\\]*)\\([^(\\]+)(\(.*\))?\\(.*)$")
NAMES = ("path", "path_en")
PATTERNS = [
    r"\Processor(_Total)\% Processor Time",
    r"\238(_Total)\6",
    r"\PhysicalDisk(*)\Avg. Disk sec/*",
    r"\Memory\Available*",
    r"\Process(*)\Virtual Bytes",
]


def tables(folder):
    """{language: {english object: ..., (english object, english counter): ...}}, without case."""
    with open(os.path.join(folder, "counter_names.tsv"), encoding="utf-8") as file:
        head, *rows = [line.rstrip("\n").split("\t") for line in file]
    result = {language: {} for language in head[3:]}
    for kind, owner, english, *others in rows:
        key = english.lower() if kind == "object" else (owner.lower(), english.lower())
        for language, name in zip(head[3:], others):
            if name:
                result[language][key] = name
    return result


def translate(path, table):
    match = PATH.match(path)
    if not match:
        return path
    machine, owner, instance, counter = match.groups()
    key = owner.lower()
    return "%s\\%s%s\\%s" % (
        machine, table.get(key, owner), instance or "", table.get((key, counter.lower()), counter))


def without_names(entry):
    """An entry, and the entries in it (who was busy), without their paths."""
    if isinstance(entry, list):
        return [without_names(item) for item in entry]
    if not isinstance(entry, dict):
        return entry
    return {key: without_names(value) for key, value in entry.items() if key not in NAMES}


def ask(log, *arguments):
    return common.parse_json(common.run_pmon(*arguments, log, "--format", "json"))


def answers(log):
    """What pmon says of a log, without the names of the log."""
    result = {"stats": [without_names(row) for row in ask(log, "stats")["counters"]]}
    for pattern in PATTERNS:
        result[pattern] = [without_names(row) for row in ask(log, "stats", "-c", pattern)["counters"]]
    health = ask(log, "health")
    result["health"] = [without_names(finding) for finding in health["findings"]]
    result["rules"] = [health["summary"], health["within"], health["not_judged"]]
    found = ask(log, "find", r"\Process(*)\% Processor Time > 10% while \Process(*)\Thread Count > 1")
    result["first screen"] = common.run_pmon(log).replace(os.path.basename(log), "LOG")
    result["trend"] = [without_names(row) for row in ask(log, "trend")["series"]]
    changes = ask(log, "changes", "--at", "2007-08-14T15:45:00-04:00")
    result["changes"] = [without_names(row) for row in changes["series"]]
    result["find"] = [without_names(episode) for episode in found["episodes"]]
    return result


def english_paths(log):
    return [row.get("path_en", row["path"]) for row in ask(log, "list")["counters"]]


def by_english(log):
    """What stats say of each counter, by its English path without case."""
    rows = ask(log, "stats")["counters"]
    result = {row.get("path_en", row["path"]).lower(): without_names(row) for row in rows}
    assert len(result) == len(rows)
    return result


def raw_answers(log):
    return by_english(log), [without_names(finding) for finding in ask(log, "health")["findings"]]


def compare_raw(name, lines, want, table, language, temporary):
    """The same log with its raw values, as JSON lines and as a binary log: the number of differences."""
    translated = os.path.join(temporary, language + ".jsonl")
    binary = os.path.join(temporary, language + ".blg")
    with open(lines, encoding="utf-8") as file, open(translated, "w", encoding="utf-8") as out:
        for line in file:
            item = common.parse_json(line)
            if "path" in item:
                item["path"] = translate(item["path"], table)
            out.write(json.dumps(item, ensure_ascii=False) + "\n")
    common.run_pmon("relog", translated, "-f", "blg", "-o", binary, "-y")
    failures = 0
    for log in translated, binary:
        if raw_answers(log) != want:
            print("%s in %s: other answers of %s" % (name, language, os.path.basename(log)))
            failures += 1
    return failures


def main():
    folder = common.data_folder("names")
    name, full_name, _ = next(log for log in common.log_files() if log[0].startswith("pal-"))
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        english = os.path.join(temporary, "en.csv")
        common.run_pmon("relog", full_name, "-f", "csv", "-o", english, "-y")
        with open(english, encoding="utf-8", newline="") as file:
            head, *rows = list(csv.reader(file))
        want = answers(english)
        want_paths = english_paths(english)
        lines = os.path.join(temporary, "raw.jsonl")
        common.run_pmon("relog", full_name, "-f", "jsonl", "-o", lines, "-y")
        want_raw = raw_answers(lines)
        assert all(want[pattern] for pattern in PATTERNS) and want["health"] and want["find"]
        for n, (language, table) in enumerate(tables(folder).items()):
            log = os.path.join(temporary, language + ".csv")
            with open(log, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
                writer.writerow([head[0]] + [translate(path, table) for path in head[1:]])
                writer.writerows(rows)
            got = answers(log)
            different = [question for question in want if got[question] != want[question]]
            if english_paths(log) != want_paths:
                different.append("list")
            for question in different:
                print("%s in %s: another answer to %s" % (name, language, question))
            failures += len(different)
            if n % 3 == 0 or os.environ.get("PMON_TEST_FULL"):
                failures += compare_raw(name, lines, want_raw, table, language, temporary)
    print("%s: 12 languages, %d differences" % (name, failures))
    return failures > 0


if __name__ == "__main__":
    raise SystemExit(main())
