#!/usr/bin/env bash
# tables.sh - counters in tables that Performance Monitor did not write: a column or a row for each value
# SPDX-License-Identifier: MIT
#
# The same numbers are written as a log that pmon reads exactly (JSON lines, PDH-CSV) and as tables, with columns in any
# order; statistics must be the same.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3

cat >make.py <<'PYTHON'
import csv, datetime, io, json, random, subprocess, sys

pmon = sys.argv[1]
rng = random.Random(11)
# The members of System.Diagnostics.PerformanceCounterType, with the type that each is (docs of .NET): has a base or a clock.
TYPES = {"NumberOfItems64": ("PERF_COUNTER_LARGE_RAWCOUNT", None), "RateOfCountsPerSecond64": ("PERF_COUNTER_BULK_COUNT", 14318180),
         "RateOfCountsPerSecond32": ("PERF_COUNTER_COUNTER", 2725536), "Timer100Ns": ("PERF_100NSEC_TIMER", 10000000),
         "Timer100NsInverse": ("PERF_100NSEC_TIMER_INV", 10000000), "AverageTimer32": ("PERF_AVERAGE_TIMER", 14318180),
         "AverageCount64": ("PERF_AVERAGE_BULK", None), "RawFraction": ("PERF_RAW_FRACTION", None)}
BASES = {"AverageTimer32", "AverageCount64", "RawFraction"}
START = datetime.datetime(2026, 3, 9, 9, 0)
EPOCH = 116444736000000000


def make(n):
    """[(seconds, path, .NET type, first, second)] and the displayed numbers, some of them missing."""
    rows, shown, state = [], [], {}
    for sample in range(n):
        for kind in TYPES:
            for instance in ("_Total", "0 C:"):
                path = "\\\\SRV\\Made Up(%s)\\%s" % (instance, kind)
                first, base = state.get(path, (rng.randrange(10 ** 6), 1000))
                first, base = first + rng.randrange(10 ** 6), base + rng.randrange(1, 300)
                if kind == "RawFraction":
                    first, base = rng.randrange(100), 100
                state[path] = first, base
                ticks = TYPES[kind][1]
                second = base if kind in BASES else 15 * sample * ticks if ticks else 0
                rows.append((15 * sample, path, kind, first, second))
                shown.append((15 * sample, path, "%.6g" % rng.uniform(0, 1e6)))
    return rows, shown


def jsonl(rows):
    lines = []
    for seconds, path, kind, first, second in rows:
        name, ticks = TYPES[kind]
        time = (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        lines.append(json.dumps({"path": path, "type": name, "time": time, "status": "valid_data", "first": first,
                                 "second": second, "multi": 1, "time_base": ticks}))
    open("exact.jsonl", "w").write("\n".join(lines) + "\n")


def table(name, columns, records, separator=",", bom=False, comment=None):
    """Columns shuffled, with one that has no meaning."""
    order = list(columns) + ["Remark"]
    rng.shuffle(order)
    out = io.StringIO()
    if comment:
        out.write(comment + "\r\n")
    writer = csv.DictWriter(out, order, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        writer.writerow({"Remark": "a, b; c", **record})
    open(name, "wb").write((b"\xef\xbb\xbf" if bom else b"") + out.getvalue().encode())


def stats(file):
    out = subprocess.run([pmon, "stats", "--format", "json", file], capture_output=True, text=True)
    assert out.returncode == 0, (file, out.stderr)
    keys = ("average", "minimum", "maximum", "last", "samples", "invalid", "type", "first", "values")
    return {row["path"].lower(): [row.get(key) for key in keys] for row in json.loads(out.stdout)["counters"]}


def when(seconds, style):
    return (START + datetime.timedelta(seconds=seconds)).strftime(style)


def check(words, file, want):
    got = stats(file)
    print(words, "same" if got == want and want else "WRONG: %s" % [(k, got.get(k), want[k]) for k in want if got.get(k) != want[k]][:2])


rows, shown = make(20)
jsonl(rows)
want = stats("exact.jsonl")
raw = [{"Path": p.lower(), "InstanceName": "x", "CookedValue": "0", "RawValue": f, "SecondValue": s, "MultipleCount": 1,
        "CounterType": k, "Timestamp": when(t, "%m/%d/%Y %I:%M:%S %p"),
        "Timestamp100NSec": EPOCH + int((START - datetime.datetime(1970, 1, 1)).total_seconds() + t) * 10 ** 7,
        "Status": 0, "DefaultScale": 0, "TimeBase": TYPES[k][1] or 0} for t, p, k, f, s in rows]
table("raw.csv", raw[0], raw, comment="#TYPE Microsoft.PowerShell.Commands.GetCounter.PerformanceCounterSample")
check("raw values", "raw.csv", want)
for record in raw:
    del record["Timestamp100NSec"]
table("clock.csv", raw[0], raw, separator=";", bom=True)
check("raw values by the time of the row", "clock.csv", want)

paths = sorted({p for _, p, _ in shown}, key=[p for _, p, _ in shown].index)
with open("exact.csv", "w") as file:
    file.write(",".join('"%s"' % head for head in ["(PDH-CSV 4.0) (UTC)(0)"] + paths) + "\n")
    for seconds in sorted({t for t, _, _ in shown}):
        cells = [v for t, _, v in shown if t == seconds]
        file.write(",".join('"%s"' % cell for cell in [when(seconds, "%m/%d/%Y %H:%M:%S.000")] + cells) + "\n")
want = stats("exact.csv")
table("long.csv", ["Timestamp", "Path", "CookedValue"],
      [{"Timestamp": when(t, "%m/%d/%Y %I:%M:%S %p"), "Path": p, "CookedValue": v} for t, p, v in shown])
check("displayed values", "long.csv", want)
table("parts.csv", ["Computer", "Object Name", "counter_name", "Instance", "Value", "Time"],
      [{"Computer": "SRV", "Object Name": "Made Up", "counter_name": p.rsplit("\\", 1)[1], "Instance": p.split("(")[1].split(")")[0],
        "Value": v, "Time": when(t, "%Y-%m-%d %H:%M:%S")} for t, p, v in shown], separator="\t")
check("values with the parts of a path", "parts.csv", want)
for separator, head in ((",", "Timestamp"), (";", "Date Time"), ("\t", "Zeit")):
    with open("wide.csv", "w") as file:
        file.write(separator.join([head] + paths) + "\n")
        for seconds in sorted({t for t, _, _ in shown}):
            file.write(separator.join([when(seconds, "%Y-%m-%d %H:%M:%S")] + [v for t, _, v in shown if t == seconds]) + "\n")
    check("a column for each counter", "wide.csv", want)
PYTHON
got=$(python3 make.py "$PMON_BIN" 2>&1)
same 'tables' "$(grep -c ' same$' <<<"$got") of $(grep -c . <<<"$got")$(grep WRONG <<<"$got")" '7 of 7'
[ "$(grep -c ' same$' <<<"$got")" = 7 ] || echo "$got"

# Rows that cannot be read are counted, and the others are read.
printf '%s\n' 'Timestamp,Path,CookedValue' '2026-03-09 09:00:00,\\S\O\C,1' 'soon,\\S\O\C,2' '2026-03-09 09:00:30,\\S\O,3' \
	'2026-03-09 09:00:45,\\S\O\C,much' '2026-03-09 09:01:00,\\S\O\C,' '2026-03-09 09:01:15,\\S\O\C,5' >odd.csv
run stats --format json odd.csv
status 3
err_says 3 rows 'line 3'
same 'the values that are left' "$(python3 -c 'import json, sys; print(*[(c["minimum"], c["maximum"]) for c in json.load(sys.stdin)["counters"]])' <<<"$out")" '(1, 5)'
finish
