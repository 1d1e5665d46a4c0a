#!/usr/bin/env python3
"""pmon rules import converts exactly the thresholds of PAL that are one call with an operator and a number, of a file and
those that it inherits from."""

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import common

OPERATORS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
UNITS = {"KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
CALL = re.compile(r"""StaticThreshold\s+-CollectionOfCounterInstances\s+\$(\S+)\s+-Operator\s+'(\w+)'\s+
    -Threshold\s+([0-9.]+)(KB|MB|GB|TB)?(?:\s+-IsTrendOnly\s+\$(\w+))?\s*""", re.IGNORECASE | re.VERBOSE)


def expected(root):
    """Counter of (counter, exceptions, kind of limit, operator, number) that are rules; how many are not."""
    rules = collections.Counter()
    others = 0
    for analysis in root.iter("ANALYSIS"):
        sources = {s.get("COLLECTIONVARNAME"): s for s in analysis.iter("DATASOURCE")}
        for threshold in analysis.iter("THRESHOLD"):
            code = re.sub(r"(?m)^\s*#.*$", "", threshold.find("CODE").text or "").strip()
            call = CALL.fullmatch(code)
            source = sources.get(call.group(1)) if call else None
            if source is None or source.get("TYPE") == "Generated" or call.group(2) not in OPERATORS:
                others += 1
                continue
            number = float(call.group(3)) * UNITS.get(call.group(4), 1)
            trend = call.group(5) is not None and call.group(5).lower() != "false"
            rules[(source.get("EXPRESSIONPATH"),
                   tuple(e.get("INSTANCE") for e in source.iter("EXCLUDE")),
                   "trend" if trend else threshold.get("CONDITION").lower(),
                   OPERATORS[call.group(2)], number)] += 1
    return rules, others


def converted(text):
    """The same of a file of rules."""
    rules = collections.Counter()
    for block in re.split(r"(?m)^\[", text)[1:]:
        keys = collections.defaultdict(list)
        for line in block.splitlines()[1:]:
            key, equals, value = line.partition(" = ")
            if equals and not line.startswith("#"):
                keys[key].append(value)
        kind = next(k for k in ("warning", "critical", "trend") if k in keys)
        operator, number = keys[kind][0].split(" ")[:2]
        rules[(keys["counter"][0], tuple(keys["except"]), kind, operator,
               float(number.removesuffix("/h")))] += 1
    return rules


def closure(file_name):
    """A file and those that it inherits from, as far as they are there: each once."""
    files = [file_name]
    for name in files:
        for parent in ET.parse(name).getroot().iter("INHERITANCE"):
            path = os.path.join(os.path.dirname(name), parent.get("FILEPATH"))
            if os.path.isfile(path) and path not in files:
                files.append(path)
    return files


def check(file_name):
    rules, others = collections.Counter(), 0
    for name in closure(file_name):
        more = expected(ET.parse(name).getroot())
        rules, others = rules + more[0], others + more[1]
    text = common.run_pmon("rules", "import", file_name)
    got = converted(text)
    if got != rules:
        print("%s: too many %s, too few %s" % (file_name, got - rules, rules - got))
        return False
    total = sum(rules.values()) + others
    summary = "# %d threshold%s: %d converted, %d not" % (total, "s" * (total != 1), sum(rules.values()), others)
    reasons = sum(int(n) for n in re.findall(r"(?m)^#   (\d+): ", text[text.rindex(summary):]))
    if reasons != others or text.count("\n# Not converted: ") != others:
        print("%s: %d reasons, %d thresholds are no rules" % (file_name, reasons, others))
        return False
    with tempfile.NamedTemporaryFile("w", suffix=".rules", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        log = common.log_files()[0][1]
        done = subprocess.run([common.binary(), "health", "--rules", out.name, log], check=False,
                              stdout=subprocess.DEVNULL)
    print("%s: %d rules, %d others" % (os.path.basename(file_name), sum(rules.values()), others))
    return done.returncode == 0


def main():
    files = sorted(glob.glob(os.path.join(common.data_folder("pal-thresholds"), "*.xml")))
    if not files:
        common.skip("no threshold files in the test data")
    return 0 if all([check(name) for name in files]) else 1


sys.exit(main())
