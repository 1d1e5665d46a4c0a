#!/usr/bin/env python3
"""pmon rules import converts the thresholds of PAL that are a call with an operator and a number, and those of the forms
that occur in PAL's own files: shares of memory, limits per processor, ratios of two counters, shares of an answer. What a
form means is found here by its formula alone, and every other text of the same analysis is no rule."""

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
TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
UNITS = {"KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
CALL = re.compile(r"""StaticThreshold\s+-CollectionOfCounterInstances\s+\$(\S+)\s+-Operator\s+'(\w+)'\s+
    -Threshold\s+(\S+?)(?:\s+-IsTrendOnly\s+\$(\w+))?(?=\s|$)""", re.IGNORECASE | re.VERBOSE)
NUMBER = re.compile(r"([0-9.]+)(KB|MB|GB|TB)?")
MEMORY = ("\\Memory\\Total Bytes", "\\NUMA Node Memory(_Total)\\Total MBytes")
RATIO = re.compile(r"\[(?:int|double)\]\s*\$i\w+ = ([^\r\n]*)")

# How many thresholds of the files are no rules, by hand: see the reasons in the output. What pmon cannot say are |a - b|, a
# limit by the version of Windows, counters made of three others, an equality, and a disk that two conditions concern.
MOST_OTHERS = 18


def plain(code):
    return re.sub(r"(?m)^\s*#.*$", "", code or "").strip()


def ratio_of(source, sources):
    """Counter and divisor of a generated source, a factor that makes the limit percent, times, is 100 % less it, with work."""
    code = plain(source.findtext("CODE"))
    found = RATIO.findall(code)
    # Conditions, differences and sums of three counters are something else.
    names = [s.get("COLLECTIONVARNAME") for s in sources.values() if s.get("TYPE") != "Generated"]
    if len(found) != 1 or "abs(" in code or "Threshold" in code:
        return None
    formula = found[0]
    used = [name for name in re.findall(r"\$(\w+)\[\$", formula) if name in names]
    order = [name for k, name in enumerate(used) if name not in used[:k]]
    if len(order) != 2 or "+" in formula or set(order) - set(sources):
        return None
    is_rest = "-" in formula
    value, of = (order[1], order[0]) if is_rest else order
    percent = 1 if "100" in formula else 100
    return value, of, percent, 8 if "* 8" in formula else 1, is_rest, "-gt 1)" in code


def answers(files):
    out = {}
    for name in files:
        for question in ET.parse(name).getroot().iter("QUESTION"):
            out.setdefault(question.get("QUESTIONVARNAME"), question.get("DEFAULTVALUE"))
    return out


def limit_of(code, call, sources, given):
    """The number, what it is of (None, memory or processor), whether it is a trend; None if it is no rule."""
    before = code[:call.start()]
    trend = call.group(4) is not None and call.group(4).lower() != "false"
    number = NUMBER.fullmatch(call.group(3))
    if number:
        return None if before.strip() else (float(number.group(1)) * UNITS.get(number.group(2), 1), None, trend)
    if re.search(r"(?i)switch|ForEach|\bFor\b|-le |-and ", before):
        return None
    share = re.search(r"\* ([0-9.]+)\s*(?:If|$)", before.strip())
    if "$PhysicalMemory" in before:
        return (100 * float(share.group(1)), "memory", trend)
    if ".Count - 1" in before:
        counted = re.search(r"\$(\w+)\.Count", before).group(1)
        return ((float(share.group(1)), "processor", trend)
                if sources[counted].get("EXPRESSIONPATH") == "\\Processor(*)\\% Processor Time" else None)
    if "$OS.substring" in before:       # the default is no 32-bit system
        assert not given["OS"].startswith("32")
        return (float(re.search(r"([0-9.]+) ?\* ?2GB", before).group(1)) * 8 * UNITS["TB"], None, trend)
    choice = re.fullmatch(r"If \(\$\(\$(\w+)\) -eq \$True\)\s*\{[^=]*= (\d+)\s*\}\s*Else\s*\{[^=]*= (\d+)\s*\}", before.strip())
    if choice:
        return (float(choice.group(2 if given[choice.group(1)] == "True" else 3)), None, trend)
    part = re.fullmatch(r"\$\w+ = (-?)\$\(\[Int\]\$(\w+)\) \* ([0-9.]+)", before.strip())
    if part:
        return (float(part.group(1) + "1") * float(given[part.group(2)]) * float(part.group(3)), None, trend)
    return None


def rule_of(threshold, sources, given):
    """(counter, exceptions, of, per, while, times, kind, operator, number), or None."""
    code = plain(threshold.findtext("CODE"))
    call = CALL.search(code)
    if call is None or call.group(2) not in OPERATORS or call.group(1) not in sources:
        return None
    limit = limit_of(code, call, sources, given)
    if limit is None:
        return None
    number, kind, trend = limit
    operator, source = OPERATORS[call.group(2)], sources[call.group(1)]
    excepts = [e.get("INSTANCE") for e in source.iter("EXCLUDE")]
    of, per, work, times = (MEMORY if kind == "memory" else ()), (("processor",) if kind == "processor" else ()), (), 1
    if source.get("TYPE") == "Generated":
        ratio = ratio_of(source, sources)
        if ratio is None:
            return None
        value, divisor, percent, times, is_rest, is_with_work = ratio
        source, of = sources[value], (sources[divisor].get("EXPRESSIONPATH"),)
        own = [e.get("INSTANCE") for e in source.iter("EXCLUDE")]
        excepts = own + [e for e in excepts if e not in own]
        number *= percent
        if is_rest:
            number, operator = 100 - number, TURNED[operator]
        if is_with_work:
            work = (of[0] + " > 1",)
    return (source.get("EXPRESSIONPATH"), tuple(excepts), of, per, work, times,
            "trend" if trend else threshold.get("CONDITION").lower(), operator, round(number, 3))


def expected(root, given):
    """Counter of limits that are rules; how many are not."""
    rules = collections.Counter()
    others = 0
    for analysis in root.iter("ANALYSIS"):
        sources = {s.get("COLLECTIONVARNAME"): s for s in analysis.iter("DATASOURCE")}
        for threshold in analysis.iter("THRESHOLD"):
            rule = rule_of(threshold, sources, given)
            rules[rule] += rule is not None
            others += rule is None
    return +rules, others


def converted(text):
    """The same of a file of rules: each limit of each rule."""
    rules = collections.Counter()
    for block in re.split(r"(?m)^\[", text)[1:]:
        keys = collections.defaultdict(list)
        for line in block.splitlines()[1:]:
            key, equals, value = line.partition(" = ")
            if equals and not line.startswith("#"):
                keys[key].append(value)
        for kind in ("warning", "critical", "trend"):
            for value in keys[kind]:
                operator, number = value.split(" ")[:2]
                assert number.endswith("%") == bool(keys["of"]), block
                rules[(keys["counter"][0], tuple(keys["except"]), tuple(keys["of"]), tuple(keys["per"]), tuple(keys["while"]),
                       float((keys["times"] or ["1"])[0]), kind, operator,
                       round(float(number.removesuffix("/h").removesuffix("%")), 3))] += 1
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
    given = answers(closure(file_name))
    for name in closure(file_name):
        more = expected(ET.parse(name).getroot(), given)
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


def check_share(files):
    """Of all thresholds of the files, each file alone."""
    others = sum(expected(ET.parse(name).getroot(), answers(files))[1] for name in files)
    total = sum(len(list(ET.parse(name).getroot().iter("THRESHOLD"))) for name in files)
    print("%d thresholds, %d are rules" % (total, total - others))
    return others <= MOST_OTHERS


def main():
    files = sorted(glob.glob(os.path.join(common.data_folder("pal-thresholds"), "*.xml")))
    if not files:
        common.skip("no threshold files in the test data")
    return 0 if all([check(name) for name in files] + [check_share(files)]) else 1


sys.exit(main())
