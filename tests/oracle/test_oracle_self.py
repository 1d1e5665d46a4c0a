#!/usr/bin/env python3
"""The oracle against Windows and against itself; needs no pmon.

What it is held against: the text exports that Windows made of one log, sums and identities that
have to hold in a log, the instance list that Windows keeps beside the samples, the published
vectors.  Without the test data only the parts that need none run.
"""

import csv
import os
import sys

import common
import blg
import calc

failures = 0


def report(name, good, detail=""):
    global failures
    failures += not good
    print("%s %s%s" % ("ok  " if good else "FAIL", name, ": " + detail if detail else ""))


# --- parts that need no data ---------------------------------------------------------------------

def raw(word, first, second=0, multi=1, time_base=1, sample=0, status=0, size=None, base_size=None):
    return blg.RawValue("p", word, 0, status, first, second, multi, time_base, sample, 0, size,
                        base_size)


def check_calculation():
    """One pair a type or rule; the expected numbers are worked out by hand."""
    pair_cases = [
        # name, type word, older (first, second), newer (first, second, multi), time base, result
        ("rawcount", 0x00010000, (5, 0), (7, 0, 1), 1, (7.0, "ok")),
        ("delta", 0x00400400, (5, 0), (15, 0, 1), 1, (10.0, "ok")),
        ("delta, back", 0x00400400, (15, 0), (5, 0, 1), 1, (None, "counter_went_back")),
        ("rate", 0x10410400, (100, 0), (400, 20, 1), 10, (150.0, "ok")),
        ("rate, wrap", 0x10410400, (2 ** 32 - 128, 0), (192, 1, 1), 1, (320.0, "wrapped")),
        ("rate, back", 0x10410500, (2, 0), (1, 1, 1), 1, (None, "counter_went_back")),
        ("rate, clock", 0x10410500, (2, 5), (3, 4, 1), 1, (None, "clock_went_back")),
        ("rate, no time", 0x10410500, (2, 5), (3, 5, 1), 1, (None, "no_data")),
        ("rate, time base", 0x10410500, (2, 5), (3, 6, 1), 0, (None, "bad_time_base")),
        ("queue", 0x00550500, (0, 0), (30, 20, 1), 1, (1.5, "ok")),
        ("raw fraction", 0x20020400, (0, 0), (1, 4, 1), 1, (25.0, "ok")),
        ("raw fraction, 0", 0x20020400, (0, 0), (1, 0, 1), 1, (0.0, "base_zero")),
        ("raw fraction, cap", 0x20020400, (0, 0), (8, 4, 1), 1, (100.0, "ok")),
        ("sample fraction", 0x20C20400, (1, 10), (2, 14, 1), 1, (25.0, "ok")),
        ("timer", 0x20510500, (0, 0), (25, 100, 1), 1, (25.0, "ok")),
        ("timer, cap", 0x20510500, (0, 0), (125, 100, 1), 1, (100.0, "ok")),
        ("precision", 0x20570500, (0, 0), (25, 100, 1), 1, (25.0, "ok")),
        ("inverse", 0x21510500, (0, 0), (25, 100, 1), 1, (75.0, "ok")),
        ("inverse, below", 0x21510500, (0, 0), (125, 100, 1), 1, (None, "below_zero")),
        ("multi", 0x22510500, (0, 0), (600, 100, 4), 1, (150.0, "ok")),
        ("multi, base 0", 0x22510500, (0, 0), (600, 100, 0), 1, (None, "no_data")),
        ("multi inverse", 0x23510500, (0, 0), (50, 100, 2), 1, (150.0, "ok")),
        ("average timer", 0x30020400, (0, 0), (2147727, 1, 1), 14318180, (0.15, "ok")),
        ("average timer, 0", 0x30020400, (7, 1), (7, 1, 1), 14318180, (0.0, "base_zero")),
        ("average, base back", 0x40020500, (1, 2 ** 32), (2, 5, 1), 1, (None, "base_went_back")),
        ("average, base wrap", 0x40020500, (1, 2 ** 32 - 1), (5, 1, 1), 1, (2.0, "wrapped")),
        ("elapsed", 0x30240500, (0, 0), (100, 400, 1), 100, (3.0, "ok")),
        ("elapsed, start 0", 0x30240500, (0, 0), (0, 400, 1), 100, (0.0, "ok")),
        ("elapsed, below", 0x30240500, (0, 0), (500, 400, 1), 100, (None, "below_zero")),
        ("base", 0x40030402, (0, 0), (1, 1, 1), 1, (None, "not_displayed")),
        ("unknown", 0x12345678, (0, 0), (1, 1, 1), 1, (None, "unknown_type")),
    ]
    wrong = []
    for name, word, older, newer, time_base, expected in pair_cases:
        got = calc.displayed(raw(word, *newer, time_base=time_base),
                             raw(word, *older, time_base=time_base), cap=name.endswith("cap"))
        if got != expected:
            wrong.append("%s gives %r" % (name, got))
    if calc.displayed(raw(0x10410400, 1, 1)) != (None, "first_sample"):
        wrong.append("first sample")
    if calc.displayed(raw(0x00012000, 0x7FF0000000000000))[1] != "not_finite":
        wrong.append("infinity")
    # CounterSize 8 of a DWORD type: no wrap (SEM 3.2 rule 5)
    if calc.displayed(raw(0x30020400, 1, 2, size=8), raw(0x30020400, 2, 1))[1] != (
            "counter_went_back"):
        wrong.append("size")
    # a bad entry is spanned, an absent one is not
    values = [raw(0x10410500, 0, 0, sample=0), raw(0x10410500, 0, 0, sample=1, status=0x800007D0),
              raw(0x10410500, 4, 2, sample=2), raw(0x10410500, 9, 3, sample=4),
              raw(0x10410500, 12, 4, sample=5)]
    statuses = [status for _, status in calc.series(values)]
    if statuses != ["first_sample", "bad_raw_status", "ok", "first_sample", "ok"]:
        wrong.append("series %r" % statuses)
    if calc.average(values) != 7 / 3:
        wrong.append("average over a gap %r" % calc.average(values))
    # refused for being below zero, but in the sums: 1 - (110 + 10) / (100 + 140)
    values = [raw(0x21510500, 0, 0), raw(0x21510500, 110, 100, sample=1),
              raw(0x21510500, 120, 240, sample=2)]
    if calc.average(values) != 50.0:
        wrong.append("average with a refused pair %r" % calc.average(values))
    report("calculation, %d pairs by hand" % len(pair_cases), not wrong, ", ".join(wrong))


def check_zones():
    """Changes of daylight time against the calendar."""
    def local(*when):
        return blg.ticks_of(*when, 0, 0)

    pacific, sydney = blg.Zone.__new__(blg.Zone), blg.Zone.__new__(blg.Zone)
    pacific.bias, pacific.standard_bias, pacific.daylight_bias = 480, 0, -60
    pacific.daylight_date = (0, 3, 0, 2, 2, 0, 0, 0)        # second Sunday of March, 02:00
    pacific.standard_date = (0, 11, 0, 1, 2, 0, 0, 0)       # first Sunday of November, 02:00
    sydney.bias, sydney.standard_bias, sydney.daylight_bias = -600, 0, -60
    sydney.daylight_date = (0, 10, 0, 1, 2, 0, 0, 0)
    sydney.standard_date = (0, 4, 0, 5, 3, 0, 0, 0)         # last Sunday of April
    cases = [
        (pacific, (2016, 3, 13, 1, 59), 480), (pacific, (2016, 3, 13, 3, 0), 420),
        (pacific, (2016, 11, 6, 1, 59), 420), (pacific, (2016, 11, 6, 2, 0), 480),
        (pacific, (2013, 2, 19, 18, 50), 480), (pacific, (2007, 8, 14, 15, 40), 420),
        (sydney, (2016, 1, 1, 0, 0), -660), (sydney, (2016, 4, 24, 2, 59), -660),
        (sydney, (2016, 4, 24, 3, 0), -600), (sydney, (2016, 10, 2, 2, 0), -660),
    ]
    wrong = [when for zone, when, minutes in cases if zone.minutes_to_utc(local(*when)) != minutes]
    report("time zones, %d moments" % len(cases), not wrong, ", ".join(map(str, wrong)))
    good = (blg.iso(0) == "1601-01-01T00:00:00Z" and blg.iso(1) == "1601-01-01T00:00:00.0000001Z"
            and blg.iso(9_500_000) == "1601-01-01T00:00:00.95Z")
    report("times as text", good)


# --- the logs ------------------------------------------------------------------------------------

def check_times(name, log):
    """BLG 13.2 and BLG 8, measured."""
    clock = [value for value in log.values if blg.second_is_100ns_clock(value.type)]
    millisecond = 10_000
    exact = sum(value.second // millisecond * millisecond == value.time for value in clock)
    report("%s: value time is the clock cut to milliseconds" % name, exact == len(clock),
           "%d of %d" % (exact, len(clock)))
    report("%s: event times rise" % name, log.event_times == sorted(set(log.event_times)))
    same = sum(value.local_time == log.event_times[value.sample] for value in log.values)
    print("     %s: value time equals event time in %d of %d" % (name, same, len(log.values)))


def check_header_zone(name, file_name, log):
    """The zone rules of the header give the same offset as the clocks in the data."""
    with open(file_name, "rb") as file:
        data = file.read()
    zone = blg.Zone(data, 0xA0 + 2 * blg.u32(data, 0x94))
    same = sum(value.time - value.local_time
               == zone.minutes_to_utc(value.local_time) * blg.TICKS_PER_MINUTE
               for value in log.values)
    report("%s: header zone and measured offset agree" % name, same == len(log.values),
           "%d of %d" % (same, len(log.values)))


def check_export(log, file_name, delimiter):
    """Every cell of Windows' own text export, digit by digit, and the time of every row."""
    with open(file_name, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    series = common.group(log.values, lambda value: value.path)
    cells, wrong = 0, []
    columns = []
    for path in rows[0][1:]:
        if path not in series:
            wrong.append("no " + path)
            continue
        columns.append((path, series[path], calc.series(series[path])))
    if len(columns) != len(series) or len(rows) - 1 != log.samples:
        wrong.append("%d columns, %d rows" % (len(columns), len(rows) - 1))
    for number, row in enumerate(rows[1:]):
        for cell, (path, values, shown) in zip(row[1:], columns):
            value = shown[number][0]
            text = " " if value is None else "%.17g" % value
            cells += 1
            if text != cell:
                wrong.append("row %d %s: Windows %s oracle %s" % (number + 1, path, cell, text))
            stamp = local_text(values[number].local_time)
            if stamp != row[0]:
                wrong.append("row %d: Windows %s oracle %s" % (number + 1, row[0], stamp))
    report("%s: %d cells as Windows wrote them" % (os.path.basename(file_name), cells), not wrong,
           "; ".join(wrong[:common.SHOWN]))


def local_text(ticks):
    """The time stamp of PDH text logs (SEM 5.1)."""
    text = blg.iso(ticks)
    milliseconds = "%03d" % (ticks // 10_000 % 1000)
    return "%s/%s/%s %s.%s" % (text[5:7], text[8:10], text[0:4], text[11:19], milliseconds)


def check_sums(log):
    """Identities that hold on the Vista machine with one processor."""
    machine = log.values[0].path.split("\\")[2]
    series = common.group(log.values, lambda value: value.path)

    def of(path):
        return series["\\\\" + machine + "\\" + path]

    def shown(path):
        return [value for value, _ in calc.series(of(path))][1:]

    idle = shown("Process(Idle)\\% Processor Time")
    total = shown("Processor(_Total)\\% Processor Time")
    worst = max(abs(a + b - 100) for a, b in zip(idle, total))
    report("Process(Idle) + Processor(_Total) %% Processor Time = 100 in %d intervals" % len(idle),
           len(idle) == len(total) == 10 and worst <= 1e-6, "largest deviation %.3g" % worst)

    threads = {value.sample: value.first for value in of("System\\Threads")}
    sums = {}
    for path, values in series.items():
        if "\\Process(" in path and path.endswith("\\Thread Count") and "(_Total)" not in path:
            for value in values:
                sums[value.sample] = sums.get(value.sample, 0) + value.first
    report("System\\Threads = sum of Process(*)\\Thread Count in %d samples" % len(threads),
           len(threads) == 11 and threads == sums)

    processes = {value.sample: value.first for value in of("System\\Processes")}
    counts = {}
    for path, values in series.items():
        if "\\Process(" in path and path.endswith("\\ID Process") and "(_Total)" not in path:
            for value in values:
                counts[value.sample] = counts.get(value.sample, 0) + 1
    report("System\\Processes = number of Process instances except _Total", processes == counts)

    user, privileged = shown("Processor(0)\\% User Time"), shown("Processor(0)\\% Privileged Time")
    busy = shown("Processor(0)\\% Processor Time")
    worst = max(abs(u + p - b) for u, p, b in zip(user, privileged, busy))
    print("     %% User + %% Privileged - %% Processor Time: largest deviation %.3g" % worst)

    queue = [calc.displayed(n, o, cap=False)[0] for n, o in
             calc.pairs(of("PhysicalDisk(0 C:)\\Avg. Disk Queue Length"))][1:]
    time = [calc.displayed(n, o, cap=False)[0] for n, o in
            calc.pairs(of("PhysicalDisk(0 C:)\\% Disk Time"))][1:]
    worst = max(abs(100 * q / t - 1) for q, t in zip(queue, time) if t)
    print("     100 x Avg. Disk Queue Length / %% Disk Time: largest deviation %.3g" % worst)

    up = calc.displayed(of("System\\System Up Time")[0])[0]
    by_header = (of("System\\System Up Time")[0].time - log.boot_time) / blg.TICKS_PER_SECOND
    report("System Up Time is the time since the header's boot time", abs(up - by_header) < 0.1,
           "difference %.3g s" % (up - by_header))


def check_instance_list(log):
    """The 0x23 record (BLG 7.2), which the reader does not use, says the same as the samples."""
    record = log.instance_lists[0]
    report("instance list: number of samples", blg.u32(record, 0x10) == log.samples == 11)
    report("instance list: first and last sample time",
           [blg.u64(record, 0), blg.u64(record, 8)] == [log.event_times[0], log.event_times[-1]])
    listed_types, listed_instances = [], []
    at = 0x20
    for _ in range(blg.u32(record, 0x14)):
        length = blg.u32(record, at + 4)
        part = blg.cut(record, at, length)
        at += length
        instances, count = blg.i32(part, 8), blg.u32(part, 12)
        types_at = 16 + 4 * count
        bases_at = (types_at + 4 * count + 7) // 8 * 8
        scales_at = bases_at + 8 * count
        items_at = (scales_at + 4 * count + 7) // 8 * 8
        listed_types.append([(blg.u32(part, types_at + 4 * i), blg.u64(part, bases_at + 8 * i))
                             for i in range(count)
                             if blg.u32(part, types_at + 4 * i) not in blg.BASE_TYPES])
        names_at = items_at + 16 * max(instances, 0)
        names = set()
        for i in range(max(instances, 0)):
            name, _ = blg.text(part, names_at + blg.u32(part, items_at + 16 * i))
            ordinal = blg.u32(part, items_at + 16 * i + 4)
            names.add(name + ("#%d" % ordinal if ordinal else ""))
        listed_instances.append(names)

    # the same from the samples, by object in catalogue order
    def object_of(value):
        return value.path.split("\\")[3].split("(")[0]

    def instance_of(value):
        return value.path.split("\\")[3].partition("(")[2].rpartition(")")[0]

    types, instances = [], []
    for values in common.group(log.values, object_of).values():
        first_instance = [value for value in values
                          if value.sample == 0 and instance_of(value) == instance_of(values[0])]
        types.append([(value.type, value.time_base) for value in first_instance])
        instances.append({instance_of(value) for value in values} - {""})
    report("instance list: type and time base of %d counters" % sum(map(len, types)),
           types == listed_types)
    report("instance list: the %d instances, by name and #index" % sum(map(len, instances)),
           instances == listed_instances)


def check_known_counters(logs):
    """Type words of known_counters.csv: made from the same logs by another reader."""
    with open(os.path.join(common.data_folder("vectors"), "known_counters.csv"),
              encoding="utf-8", newline="") as file:
        known = {(row["seen in"], row["object"], row["counter"], int(row["type word"], 16))
                 for row in csv.DictReader(file)}
    wrong = []
    for name, log in logs.items():
        seen = set()
        for value in log.values:
            _, _, machine, rest = value.path.split("\\", 3)
            object_name, counter = rest.split("\\", 1)
            seen.add((name, object_name.split("(")[0], counter, value.type))
        wanted = {item for item in known if item[0] == name}
        if wanted and wanted != seen:
            wrong += sorted(wanted ^ seen)
    report("known counters: %d type words" % len(known), not wrong, str(wrong[:5]) if wrong else "")


def check_vectors():
    """vectors.csv and stat_vectors.csv, as far as they give raw values and a number."""
    def integer(text):
        return int(text, 0) if text else 0

    folder = common.data_folder("vectors")
    tried, wrong = 0, []
    with open(os.path.join(folder, "vectors.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (not row["type hex"] or not row["first1"] or not row["expected value"]
                    or row["note"].startswith("[nt4]")):
                continue
            word = int(row["type hex"], 16)
            base = integer(row["timebase"]) or None
            newer = raw(word, integer(row["first1"]), integer(row["second1"]), time_base=base)
            older = None
            if row["first0"]:
                older = raw(word, integer(row["first0"]), integer(row["second0"]), time_base=base)
            # "with PDH_FMT_NOCAP100" at the end of a note: not capped
            cap = not row["note"].endswith("with PDH_FMT_NOCAP100")
            value, _ = calc.displayed(newer, older, cap)
            if row["type name"] == "PERF_ELAPSED_TIME":
                value, _ = calc.displayed(newer._replace(time_base=10 ** 7), None, cap)
            tried += 1
            wanted = row["expected value"]
            places = len(wanted.partition(".")[2]) if row["note"].find("decimals") >= 0 else 14
            if value is None or abs(value - float(wanted)) > 0.51 * 10 ** -places * (
                    1 if places < 14 else max(1, abs(value))):
                wrong.append("%s %s: %r" % (row["type name"], wanted, value))
    report("vectors.csv: %d numbers" % tried, tried > 0 and not wrong, "; ".join(wrong))

    with open(os.path.join(folder, "stat_vectors.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wrong = []
    for row in rows:
        pairs = [text.split(":") for text in row["raws (first:second, oldest first)"].split()]
        values = [raw(int(row["type hex"], 16), int(first), int(second),
                      time_base=int(row["timebase"]), sample=sample)
                  for sample, (first, second) in enumerate(pairs)]
        shown = [value for value, _ in calc.series(values) if value is not None]
        got = (min(shown), max(shown), calc.average(values))
        if got != (float(row["min"]), float(row["max"]), float(row["mean"])):
            wrong.append(repr(got))
    report("stat_vectors.csv: %d series" % len(rows), rows and not wrong, "; ".join(wrong))


def check_refused(folder):
    """A text log that is named .blg."""
    try:
        blg.read(os.path.join(folder, "pwsh-CorruptBlg.blg"))
        report("a text log is refused", False)
    except blg.BlgError as error:
        report("a text log is refused", True, str(error))


def main():
    check_calculation()
    check_zones()
    if failures:
        return 1
    folder = common.data_folder("blg")
    logs = {}
    for name, file_name, count in common.log_files():
        log = blg.read(file_name)
        logs[name.rpartition(".")[0]] = log
        report("%s: number of raw values" % name, len(log.values) == count,
               "%d, in %d samples and %d series" % (
                   len(log.values), log.samples, len({value.path for value in log.values})))
        check_times(name, log)
        check_header_zone(name, file_name, log)
    check_export(logs["pwsh-CounterSamples"], os.path.join(folder, "pwsh-CounterSamples.csv"), ",")
    check_export(logs["pwsh-CounterSamples"], os.path.join(folder, "pwsh-CounterSamples.tsv"), "\t")
    check_sums(logs["pal-SampleLog"])
    check_instance_list(logs["pal-SampleLog"])
    check_known_counters(logs)
    check_vectors()
    check_refused(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
