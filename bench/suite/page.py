# page.py - the tables and pictures of docs/performance.md from what was measured
# SPDX-License-Identifier: MIT
#
#	python3 bench/suite/page.py BENCH.json SCALE.json ISA.json PAGE PICTURES
#
# A part of the page between <!-- begin NAME --> and <!-- end NAME --> is made here; the rest is written
# by hand and stays. A file of results that is not there leaves its parts as they are.

import json
import math
import os
import re
import shutil
import sys
import textwrap

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import drawing
import report
from machine import BUSY

TITLES = {
    "csv": "statistics, CSV", "blg": "statistics, BLG of single counters",
    "churn": "statistics, BLG of wildcards", "one": "one counter of 5,000, BLG",
    "blg_zst": "statistics, `.blg.zst`", "csv_zst": "statistics, `.csv.zst`",
    "blg_gz": "statistics, `.blg.gz`", "csv_gz": "statistics, `.csv.gz`",
    "blg_csv": "BLG to CSV", "csv_blg": "CSV to BLG", "blg_sqlite": "BLG to SQLite",
    "info": "what a log is", "verbs": "verbs and forms", "start": "start"}
FORMATS = {"blg": "BLG", "csv": "CSV", "sqlite": "SQLite"}
UNITS = {"x": "times", "M/s": "million"}
LINEAR = 1.05  # growth that is more than this is not linear


# ---- Markdown -------------------------------------------------------------------------------


def table(head, rows, left=1):
    marks = ["---"] * left + ["---:"] * (len(head) - left)
    return "\n".join("| " + " | ".join(r) + " |" for r in [head, marks, *rows])


def seconds(x):
    if x < 0.001:
        return f"{x * 1e6:.0f} µs"
    return f"{x * 1000:.1f} ms" if x < 0.1 else f"{x:.3f} s" if x < 1 else f"{x:.2f} s"


def mib(kib):
    return f"{kib / 1024:.1f}" if kib else "-"


def gib(x):
    return f"{x / 2 ** 30:.0f} GiB"


# ---- The suite ------------------------------------------------------------------------------


def load_text(m):
    if m["load_before"] <= BUSY:
        return ""
    return f" Other programs were running: the load was {m['load_before']:.1f} at the beginning."


def machine_text(results):
    m, y = results["machine"], results["memory_bytes_per_second"]
    return (f"Taken on {results['day']}: {m['cpu']}, {m['cores']} cores, {gib(m['memory_bytes'])}, "
            f"Linux {m['kernel']}; logs of about {results['size']} each, "
            f"{results['info_size']} for `info`. "
            f"One core reads {y['median'] / 1e9:.1f} GB/s from memory: the median of {y['times']} "
            f"times in the run, the lowest {y['lowest'] / 1e9:.1f}, the highest "
            f"{y['highest'] / 1e9:.1f}; a plain sum of doubles reads {y['plain'] / 1e9:.1f} GB/s." +
            load_text(m))


def amount(x, unit):
    return f"{report.number(x)} {UNITS.get(unit, unit)}"


def targets_table(results):
    words = {True: "yes", False: "**no**", None: "not measured"}
    signs = {">=": "at least", "<=": "at most", "<": "below"}
    rows = []
    for t in results["targets"]:
        got = "-" if t["measured"] is None else amount(t["measured"], t["unit"])
        limit = f"{signs[t['sign']]} {amount(t['limit'], t['unit'])}"
        rows.append([t["what"], got, limit, words[t["met"]]])
    return table(["job", "measured", "has to be", "met"], rows)


def our_seconds(rows):
    """{job: seconds of pmon}, by two threads where it has them."""
    ours = {}
    for r in rows:
        if r["program"].startswith("pmon"):
            ours[r["job"]] = r["seconds"]
    return ours


def jobs_table(results):
    y = results["memory_bytes_per_second"]["median"]
    ours, rows, last = our_seconds(results["rows"]), [], None
    for r in results["rows"]:
        title = TITLES[r["job"]] if r["job"] != last else ""
        speed = [f"{r['bytes_per_second'] / 1e9:.2f}", f"{100 * r['bytes_per_second'] / y:.0f} %"]
        rows.append([title, r["program"], seconds(r["seconds"]),
                     report.number(r["seconds"] / ours[r["job"]]),
                     *(speed if r["job"] != "start" else ["-", "-"]),
                     report.rate(r["values_per_second"]).strip() if r["values"] else "-",
                     mib(r["peak_kib"])])
        last = r["job"]
    return table(["job", "program", "time", "of pmon's", "GB/s", "of the memory's", "values/s",
                  "MiB"], rows, 2)


def values_table(results):
    read = results["core"]["read_large_ns"]
    rows = [[t["type"], f"{t['value_large_ns']:.1f}",
             f"{t['value_large_ns'] / read:.1f}"] for t in results["core"]["types"]]
    return (f"Operands are read in {read:.2f} ns.\n\n" +
            table(["type", "ns", "times the reading"], rows))


def mono_text(results):
    same = [t for t in results["values"] if t["same"]]
    if not same:
        return "Not measured."
    parts = sorted(t["mono_ns"] / t["pmon_ns"] for t in same)
    differ = "; ".join(f"`{t['type']}` ({t['why']})" for t in results["values"] if not t["same"])
    return (f"Of {len(results['values'])} types Mono's `CounterSample.Calculate` computes {len(same)} as "
            f"pmon does, and takes {parts[0]:.1f} to {parts[-1]:.1f} times as long, the median being "
            f"{parts[len(parts) // 2]:.1f}. The others differ: {differ}.")


# ---- Scale ----------------------------------------------------------------------------------


def growth(rows):
    """The exponent of time over what grows: the slope of the logarithms, of the three largest."""
    points = [(math.log(r["at"]), math.log(r["seconds"])) for r in rows[-3:]]
    mx = sum(p[0] for p in points) / len(points)
    my = sum(p[1] for p in points) / len(points)
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def of_format(rows, form):
    return [r for r in rows if r["format"] == form]


def formats_of(rows):
    return [f for f in FORMATS if of_format(rows, f)]


def over_limit(rows):
    """Where the memory is above what it may be: 64 MiB and 1 KiB for each series."""
    return [r for r in rows if r["peak_kib"] > 64 * 1024 + r["series"]]


def memory_text(rows, place="{:,}".format):
    over = over_limit(rows)
    if not over:
        return "Memory is below 64 MiB and 1 KiB for each series everywhere."
    places = ", ".join(f"{FORMATS[r['format']]} at {place(r['at'])} ({mib(r['peak_kib'])} MiB of "
                       f"{mib(64 * 1024 + r['series'])})" for r in over)
    return f"Memory is above 64 MiB and 1 KiB for each series here: {places}."


def scale_table(rows, head):
    """A row for each size, three columns for each format."""
    forms = formats_of(rows)
    titles = [head]
    for form in forms:
        titles += [FORMATS[form], "ns a value", "MiB"]
    lines = []
    for at in sorted({r["at"] for r in rows}):
        line = [f"{at:,}"]
        for form in forms:
            found = [r for r in of_format(rows, form) if r["at"] == at]
            line += ["-"] * 3 if not found else [
                seconds(found[0]["seconds"]),
                f"{found[0]['seconds'] * 1e9 / found[0]['values']:.1f}", mib(found[0]["peak_kib"])]
        lines.append(line)
    return table(titles, lines, 0)


def growth_text(rows, what):
    words = []
    for form in formats_of(rows):
        exponent = growth(of_format(rows, form))
        words.append(f"{FORMATS[form]} {exponent:.2f}" +
                     ("" if exponent <= LINEAR else " (more than linear)"))
    return f"Over the three largest the time grows with this power of {what}: {', '.join(words)}."


def churn_table(rows):
    lines = []
    for form in formats_of(rows):
        own = of_format(rows, form)
        for r in own:
            new = r["series"] - own[0]["series"]
            cost = f"{(r['seconds'] - own[0]['seconds']) * 1e6 / new:.2f}" if new else "-"
            kib = f"{(r['peak_kib'] - own[0]['peak_kib']) / new:.2f}" if new else "-"
            lines.append([FORMATS[form], f"{r['at'] / 100:g} %", f"{r['series']:,}",
                          seconds(r["seconds"]), mib(r["peak_kib"]), cost, kib])
    return table(["log", "churn a sample", "series in all", "time", "MiB", "µs a new series",
                  "KiB a new series"], lines, 1)


def picture(rows, across, key="at"):
    lines = {name: {FORMATS[form]: [(max(r[key], 1), get(r)) for r in of_format(rows, form)]
                    for form in FORMATS}
             for name, get in (("seconds", lambda r: r["seconds"]),
                               ("MiB at the peak", lambda r: r["peak_kib"] / 1024))}
    return drawing.figure([drawing.Panel(name, across, line) for name, line in lines.items()])


# ---- The page -------------------------------------------------------------------------------


def load(path):
    if not os.path.exists(path):
        print(f"page: {path} is not there, its parts stay", file=sys.stderr)
        return None
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def wrapped(part):
    """The paragraphs in at most 80 columns; tables as they are"""
    return "\n\n".join(part if part.startswith("|") else
                       textwrap.fill(part, 80, break_long_words=False, break_on_hyphens=False)
                       for part in part.split("\n\n"))


def replace(text, name, part):
    pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
    if not pattern.search(text):
        sys.exit(f"page: there is no part {name}")
    return pattern.sub(lambda m: m[1] + wrapped(part) + "\n" + m[2], text)


def parts_of(results, scale):
    parts = {}
    if results:
        parts.update(machine=machine_text(results), targets=targets_table(results),
                     jobs=jobs_table(results), mono=mono_text(results))
        if results["core"]:
            parts["values"] = values_table(results)
    if scale:
        length, counters = scale["length"], scale["counters"]
        parts["length"] = (scale_table(length, "raw values") + "\n\n" +
                           growth_text(length, "the length") + " " + memory_text(length) +
                           load_text(scale["machine"]))
        parts["counters"] = (scale_table(counters, "counters") + "\n\n" +
                             growth_text(counters, "the number of counters") + " " +
                             memory_text(counters))
        parts["churn"] = churn_table(scale["churn"]) + "\n\n" + memory_text(
            scale["churn"], lambda at: f"{at / 100:g} %")
    return parts


def isa_limit(target):
    return f"at least {target['limit']} {target['unit']}" if target["limit"] else "-"


def isa_text(isa):
    """The same commands by several builds, side by side."""
    names = list(isa["rows"][0]["seconds"])
    text = table(["job", *names], [[row["job"], *(seconds(row["seconds"][n]) for n in names)]
                                   for row in isa["rows"]])
    is_quiet = isa["machine"]["load_before"] <= BUSY
    text += "\n\nWhat has to hold, by whole commands"
    text += ":\n\n" if is_quiet else ("; what the clock measures is left out, as other programs were "
                                     "running:\n\n")
    text += table(["job", *names, "has to be"], [
        [t["what"], *(f"{t['got'][n]:.1f}" for n in names), isa_limit(t)]
        for t in isa["targets"] if is_quiet or not t["clock"]])
    return text + f"\n\nLogs of {isa['size']}, on {isa['machine']['cpu']}." + load_text(isa["machine"])


def put_parts(page, parts):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    for name, part in parts.items():
        text = replace(text, name, part)
    with open(page, "w", encoding="utf-8") as f:
        f.write(text)


def main():
    bench, scaled, isa, page, pictures = sys.argv[1:]
    results, scale, isa = load(bench), load(scaled), load(isa)
    put_parts(page, parts_of(results, scale) | ({"isa": isa_text(isa)} if isa else {}))
    if scale:
        for name, across, key in (("length", "raw values", "at"), ("counters", "counters", "at"),
                                  ("churn", "series in all", "series")):
            with open(os.path.join(pictures, f"scale-{name}.svg"), "w", encoding="utf-8") as f:
                f.write(picture(scale[name], across, key))
    watched = os.path.splitext(scaled)[0] + ".png"
    if os.path.exists(watched):
        shutil.copyfile(watched, os.path.join(pictures, "scale-reading.png"))


if __name__ == "__main__":
    main()
