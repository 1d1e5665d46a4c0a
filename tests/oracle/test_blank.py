#!/usr/bin/env python3
"""A sample without values changes nothing that it does not touch, and each verb says that it used all samples.

Logs are written here: a value of each counter every 15 s, and between two of them, at places that no episode has,
samples without any value. What verbs say of both logs is the same, but for how many samples were empty. Where a log
has no counters that identify processes, telling them apart changes nothing either, whatever values are missing.
"""

import datetime
import os
import random
import re
import subprocess
import sys
import tempfile

import common

SAMPLES = 400
STEP_S = 15
BUSY = range(150, 250)
START = datetime.datetime(2026, 3, 9, 8)
COUNTERS = ["Processor(_Total)\\% Processor Time", "Memory\\Available MBytes",
            "PhysicalDisk(0 C:)\\Avg. Disk sec/Read", "PhysicalDisk(0 C:)\\% Idle Time"]
PROCESS = ["Process(a)\\ID Process", "Process(a)\\Private Bytes", "Process(a)\\% Processor Time"]
VERBS = [
    ["find", "\\Processor(_Total)\\% Processor Time > 90%", "--format", "json"],
    ["find", "\\Processor(_Total)\\% Processor Time > 90% for 3m while \\Memory\\Available MBytes > 10", "--format", "json"],
    ["find", "\\Processor(_Total)\\% Processor Time > 90% share 10% within 20m", "--format", "json"],
    ["find", "\\Memory\\Available MBytes trend < -100/h for 30m", "--format", "json"],
    ["health", "--format", "json"],
    ["trend", "--format", "json"],
    ["stats", "--format", "json"],
    ["stats", "--by", "process", "--format", "json"],
    ["stats", "--by", "instance", "--format", "json"],
    ["values", "--format", "json"],
    ["raw", "--format", "json"],
    ["list", "--format", "json"],
    ["chart"],
    ["explain", "-c", "\\Memory\\Available MBytes", "--format", "json"],
    ["changes", "--from", "08:40", "--to", "09:00", "--format", "json"],
    ["watch", "--format", "json", "--replay"],
    [],
]

problems = []
made = random.Random(34)


def check(what, is_right):
    if not is_right:
        problems.append(what)
        print("wrong: " + what)


def values_at(n, counters):
    busy = n in BUSY
    plain = [99 if busy else 20 + n % 4, 5000 - 2 * n, 0.053 if busy else 0.003, 40 + n % 9]
    return plain + ([77, 100000000 + 1000000 * n, 3 + n % 5] if len(counters) > len(plain) else [])


def write_log(name, machines, counters, rows):
    """rows: (seconds, values), None for a sample without any"""
    paths = ["\\\\%s\\%s" % (machine, counter) for machine in machines for counter in counters]
    with open(name, "w", encoding="ascii", newline="") as out:
        out.write(",".join('"%s"' % head for head in ["(PDH-CSV 4.0) (UTC)(0)"] + paths) + "\r\n")
        for seconds, values in rows:
            time = START + datetime.timedelta(seconds=seconds)
            cells = ["" if cell is None else repr(cell) for cell in values or [None] * len(paths)]
            out.write(",".join('"%s"' % cell for cell in [time.strftime("%m/%d/%Y %H:%M:%S.000")] + cells) + "\r\n")


def full_rows(machines, counters):
    return [(STEP_S * n, values_at(n, counters) * len(machines)) for n in range(SAMPLES)]


def run(words, name):
    """What a verb prints, its messages, and both numbers of samples: of its JSON, or of -v"""
    done = subprocess.run([common.binary(), *words, name, "-v"], capture_output=True, text=True,
                          check=False)
    check("%s: exit status %d: %s" % (words, done.returncode, done.stderr), done.returncode == 0)
    said = re.search(r": ([\d,]+) samples? used(?:, ([\d,]+) of them without values)?$", done.stderr, re.M)
    used = [int((number or "0").replace(",", "")) for number in said.groups()] if said else None
    in_json = re.search(r'"samples_used":(\d+),"samples_empty":(\d+)', done.stdout)
    if in_json:
        check("%s: JSON has %s, not %s" % (words, in_json.groups(), used), [int(n) for n in in_json.groups()] == used)
    text = re.sub(r',"samples_used":\d+,"samples_empty":\d+', "", done.stdout).replace(os.path.basename(name), "LOG")
    return text.replace(name, "LOG"), used


# What is counted, or weighed by the time since the sample before, is of the value after an empty sample. So would be
# the latency of a disk, if the log had its rate.
TOUCHED = {"find": r'"excess":[-\d.e+]+(?=,"unit":"","slope_per_hour":-)', "stats": r'"total":[-\d.e+]+', "": r"[\d,]+ samples, one every [^\n]*"}


def compare_inserted(folder, machines, counters):
    full = os.path.join(folder, "full.csv")
    more = os.path.join(folder, "more.csv")
    rows = full_rows(machines, counters)
    empty = []
    for _ in range(4):
        at = made.choice([made.randrange(3, BUSY[0] - 40), made.randrange(BUSY[-1] + 5, SAMPLES - 5)])
        empty += [(STEP_S * at + 3 + i, None) for i in range(made.randrange(1, 4))]
    empty = list(dict(empty).items())
    write_log(full, machines, counters, rows)
    write_log(more, machines, counters, sorted(rows + empty, key=lambda row: row[0]))
    for words in VERBS:
        touched = TOUCHED.get(words[0] if words else "", "$^")
        before, used = run(words, full)
        after, used_more = run(words, more)
        check("%s: an empty sample changes %r to %r" % (words, before[-2000:], after[-2000:]),
              re.sub(touched, "", before) == re.sub(touched, "", after))
        check("%s: used %s" % (words, used), used == [SAMPLES, 0])
        check("%s: used %s with %d empty ones" % (words, used_more, len(empty)),
              used_more == [SAMPLES + len(empty), len(empty)])


def compare_identities(folder, machines):
    name = os.path.join(folder, "gaps.csv")
    rows = full_rows(machines, COUNTERS)
    for _ in range(12):
        at, length = made.randrange(SAMPLES), made.randrange(1, 12)
        column = made.choice([None] + list(range(len(rows[0][1]))))
        for n in range(at, min(at + length, SAMPLES)):
            seconds, values = rows[n]
            values = None if column is None or values is None else \
                [None if i == column else value for i, value in enumerate(values)]
            rows[n] = (seconds, values)
    write_log(name, machines, COUNTERS, rows)
    empty = sum(values is None or all(value is None for value in values) for _, values in rows)
    for words in VERBS:
        if words and words[0] not in ("raw", "list", "explain"):
            by_process, used = run(words[:1] + ["--identity", "process"] + words[1:], name)
            by_name, _ = run(words[:1] + ["--identity", "windows"] + words[1:], name)
            check("%s: %r by process, %r by name" % (words, by_process[-2000:], by_name[-2000:]), by_process == by_name)
            check("%s: used %s" % (words, used), used and used[0] == SAMPLES and used[1] >= empty)


def used_of(*words):
    return run(list(words[:-1]), words[-1])[1]


# The planted logs, of which the README says what is in them.
def check_planted(folder):
    data = common.from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data")
    planted = os.path.join(os.path.dirname(data), "incidents")
    if not os.path.isdir(planted):
        print("skipped: the planted logs are not there")
        return
    leak = os.path.join(planted, "blank_leak.csv")
    for words in (["trend"], ["stats", "--by", "process"], ["health"], ["find", "\\Process(*)\\Private Bytes > 1GB"]):
        check("%s of blank_leak.csv" % words, used_of(*words, leak) == [2400, 1])
    found = [
        ("\\Processor(_Total)\\% Processor Time > 90%", "blank_mid.csv", 1),
        ("\\SQLServer:Memory Manager\\Memory Grants Pending > 0", "sqlrestart.blg", 1),
        ("\\\\WEB02\\Processor(_Total)\\% Processor Time > 90%", "remote_reboot.csv", 1),
        ("\\Process(*)\\% Processor Time > 90%", "find_process_gap.csv", 1),
    ]
    for condition, name, n in found:
        text, used = run(["find", condition, "--format", "json"], os.path.join(planted, name))
        check("%s of %s" % (condition, name), len(common.parse_json(text)["episodes"]) == n and used[0] == 400)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for machines in (["SRV01"], ["SRV01", "SRV02"]):
            compare_inserted(folder, machines, COUNTERS + PROCESS)
            for _ in range(3):
                compare_identities(folder, machines)
        check_planted(folder)
    print("%d problem(s)" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
