#!/usr/bin/env python3
"""The SVG of pmon chart: what a browser, a screen reader and an editor find in it.

Texts, names and roles are those of SVG 2 and WAI-ARIA 1.2.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
import zlib

import common
from svg import parts_of, points_of

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '\\\\SRV\\A <b> & "c"(x)\\C'


class Failures:
    """Counts checks, and prints those that fail."""

    def __init__(self):
        self.checks = 0
        self.failed = 0

    def check(self, good, what):
        self.checks += 1
        if not good:
            self.failed += 1
            if self.failed <= common.SHOWN:
                print("wrong: " + what)


def write_log(folder, name, columns, n):
    """A text log of n seconds; columns are (path, function of the second)."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        names = ['"%s"' % path.replace('"', '""') for path, _ in columns]
        out.write('"(PDH-CSV 4.0) (UTC)(0)",' + ",".join(names) + "\r\n")
        for t in range(n):
            time = "11/20/2026 %02d:%02d:%02d.000" % (t // 3600, t // 60 % 60, t % 60)
            values = ['"%r"' % value(t) for _, value in columns]
            out.write('"%s",' % time + ",".join(values) + "\r\n")
    return path


def chart(*arguments):
    done = subprocess.run([common.binary(), "chart", "-o", "-", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    return tree.fromstring(done.stdout.decode("utf-8"))


def groups(root, kind):
    return [g for g in root.iter(SVG + "g") if g.get("class") == kind]


def texts(element):
    return [e.text or "" for e in element.iter(SVG + "text")]


# ---- Texts, names and roles -----------------------------------------------------------------

def check_words(fail, folder):
    """Every word of the picture is a text, and all of it has names."""
    log = write_log(folder, "words.csv", [
        ("\\\\SRV\\Processor(_Total)\\% Processor Time", lambda t: 40.0 + t),
        ("\\\\SRV\\Memory\\Pages/sec", lambda t: 100.0 + t),
        (EVIL, lambda t: 7.0 + t % 3)], 20)
    for kind in ("line", "area", "stacked", "bar", "heatmap"):
        root = chart(log, "-c", "\\*(*)\\*", "-c", "\\*\\*", "--kind", kind, "--title", "A & B")
        ids = {e.get("id"): e for e in root.iter() if e.get("id")}
        all_ids = [e.get("id") for e in root.iter() if e.get("id")]
        named = [ids.get(i) for i in (root.get("aria-labelledby") or "").split()]
        fail.check(root.get("role") == "img", f"{kind}: role")
        fail.check([e is not None and e.tag for e in named] == [SVG + "title", SVG + "desc"],
                   f"{kind}: aria-labelledby")
        fail.check(root.findtext(SVG + "title", "").startswith("A & B: "), f"{kind}: title")
        fail.check("words.csv" in root.findtext(SVG + "desc", ""), f"{kind}: desc")
        fail.check(len(all_ids) == len(set(all_ids)), f"{kind}: an id is there twice")
        fail.check("A & B" in texts(root), f"{kind}: the title is no text")
        fail.check(root.find(".//" + SVG + "symbol") is None, f"{kind}: letters are drawn")
        for group in groups(root, "panel") + groups(root, "series"):
            fail.check(group.get("role") == "group" and group.get("aria-label"),
                       f"{kind}: a group without a name")
        if kind == "heatmap":
            continue
        fail.check(len(groups(root, "panel")) == 3, f"{kind}: panels")
        # Bars of one counter have its name above them, and those of instances beside them.
        names = [g.get("aria-label") for g in groups(root, "series")]
        fail.check("x" in names if kind == "bar" else any("A <b>" in name for name in names),
                   f"{kind}: the name of a series")
        titles = [g.findtext(SVG + "title", "") for g in groups(root, "series")]
        # 40 .. 59: the mean is 49.5.
        fail.check(any("average 49.5 %, minimum 40 %, maximum 59 %, last 59 %" in t
                       for t in titles), f"{kind}: titles of series: {titles}")


def check_names(fail, folder):
    """Names that are too long lose their middle, and differ where the counters do."""
    middle = "the same long name of an instance, again and again and again and again and again"
    paths = [f"\\\\SRV\\Object({a} {middle} {b})\\Bytes{c}"
             for a in ("first", "other") for b in ("x", "y") for c in ("", " Total")]
    paths += [f"\\\\SRV\\Object(first {middle[:n]}{n}{middle[n:]} x)\\Bytes" for n in range(20, 60, 7)]
    log = write_log(folder, "names.csv", [(path, lambda t: 5.0 + t) for path in paths], 10)
    for kind in ("line", "bar"):
        for width in ("600x900", "900x900"):
            labels = [t for t in texts(chart(log, "-c", "\\*(*)\\*", "--kind", kind, "--size", width))
                      if "\u2026" in t and ("Obj" in t or "Bytes" in t)]
            fail.check(len(labels) == len(paths) == len(set(labels)),
                       f"{kind} {width}: {len(labels)} names, {len(set(labels))} of them differ")
            fail.check(all("\\" in t or "Byt" in t or "Total" in t for t in labels), f"{kind} {width}: {labels}")


# ---- Geometry -------------------------------------------------------------------------------

MAGNITUDES = range(-9, 15)  # no rate of bytes is larger
FORMS = ["\\\\SRV\\Object\\%s", "\\\\SRV\\Object\\%s Bytes/sec", "\\\\SRV\\Object\\%% %s",
         "\\\\SRV\\Object\\Avg. %s sec/Read"]
SECONDS = 60
LINE = "stroke-width:1.5"


def zigzag(t):
    """From 1 to 2, with both extremes."""
    return 1 + (t * 7 % 13) / 12


def points(group):
    """The points of a group's lines: [(x, y)]."""
    return [point for path in group.iter(SVG + "path") if LINE in path.get("style", "")
            for point in points_of(path)]


def height_at(line, x):
    """y of a line at x, between its points."""
    for (x0, y0), (x1, y1) in zip(line, line[1:]):
        if x0 - 0.02 <= x <= x1 + 0.02:
            return y0 + (y1 - y0) * ((x - x0) / (x1 - x0) if x1 > x0 else 0)
    return line[-1][1]


def box(root, panel):
    """The edges of a panel: (left, top, right, bottom). Vertical grid lines span its whole height."""
    inner = {id(e) for g in groups(panel, "series") for e in g.iter()}
    lines = [points_of(path) for path in panel.iter(SVG + "path") if id(path) not in inner]
    flat = [line for line in lines if len(line) == 2 and line[0][1] == line[1][1]]
    left, right = min(line[0][0] for line in flat), max(line[1][0] for line in flat)
    low, high = min(line[0][1] for line in flat), max(line[0][1] for line in flat)
    steep = [line for line in map(points_of, root.iter(SVG + "path"))
             if len(line) == 2 and line[0][0] == line[1][0] and line[0][1] <= low and line[1][1] >= high]
    return (left, max(line[0][1] for line in steep), right, min(line[1][1] for line in steep))


def check_series(fail, what, root, group, panel, values):
    """Inside of its panel, not flat, and each value where a ruler has it. A percentage of a whole is drawn from 0 to 100."""
    left, top, right, bottom = box(root, panel)
    line = points(group)
    ys = [y for _, y in line]
    fail.check(line and all(left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1
                            for x, y in line), what + ": outside of its panel")
    if values is not None:
        low, high = min(values), max(values)
    if values is not None and "\\% " in group.get("aria-label") and high <= 100:
        height = (high - low) / 100 * (bottom - top)
        fail.check(line and abs(max(ys) - min(ys) - height) < 2, what + f": not {height} of 0 to 100 %")
        return
    fail.check(line and max(ys) - min(ys) >= 3, what + ": flat")
    if values is None or not line:
        return
    scale = (max(ys) - min(ys)) / (high - low)
    wrong = [v for i, v in enumerate(values)
             if abs(max(ys) - (v - low) * scale -
                    height_at(line, line[0][0] + (line[-1][0] - line[0][0]) * i / (len(values) - 1))
                    ) > 0.5]
    fail.check(not wrong, f"{what}: not in proportion: {wrong}")


def check_magnitudes(fail, folder):
    for kind in ("line", "area"):
        for exponent in MAGNITUDES:
            values = [zigzag(t) * 10.0 ** exponent for t in range(SECONDS)]
            log = write_log(folder, "one.csv",
                            [(form % "X", values.__getitem__) for form in FORMS], SECONDS)
            root = chart(log, "-c", "\\*\\*", "--kind", kind)
            panels = groups(root, "panel")
            fail.check(len(panels) == len(FORMS), f"1e{exponent}: {len(panels)} panels")
            for panel in panels:
                for group in groups(panel, "series"):
                    check_series(fail, f"{kind} 1e{exponent} {group.get('aria-label')}", root, group,
                                 panel, values)


def check_all_at_once(fail, folder):
    """28 magnitudes in one picture, as high as it needs, and in one of a given height."""
    for form in FORMS:
        log = write_log(folder, "all.csv",
                        [(form % f"X{e + 9}", lambda t, e=e: zigzag(t) * 10.0 ** e)
                         for e in MAGNITUDES], SECONDS)
        for size in ([], ["--size", "1200x4000"]):
            root = chart(log, "-c", "\\*\\*", *size)
            panels = groups(root, "panel")
            drawn = [(g, p) for p in panels for g in groups(p, "series")]
            fail.check(len(drawn) == len(MAGNITUDES), f"{form}: {len(drawn)} series")
            for group, panel in drawn:
                exponent = int(re.search(r"X(\d+)", group.get("aria-label")).group(1)) - 9
                if "%%" not in form or exponent > 1:  # else it is drawn from 0 to 100, or beside others
                    check_series(fail, f"all: {group.get('aria-label')}", root, group, panel, None)


def check_small_changes(fail, folder):
    """A large number that hardly changes is no flat line."""
    for base in (1e3, 1e9, 1e14):
        values = [base + zigzag(t) * base * 1e-9 for t in range(SECONDS)]
        log = write_log(folder, "small.csv", [(FORMS[0] % "X", values.__getitem__)], SECONDS)
        root = chart(log, "-c", "\\*\\*")
        panel = groups(root, "panel")[0]
        check_series(fail, f"{base} and a bit", root, groups(panel, "series")[0], panel, None)
        labels = texts(panel)
        fail.check(len(labels) == len(set(labels)), f"{base} and a bit: labels {labels}")


def check_extreme(fail, folder):
    """One sample of 20000 is near the top, at every width."""
    log = write_log(folder, "spike.csv", [
        (FORMS[0] % "X", lambda t: 1e6 if t == 12345 else 10.0 + t % 3)], 20000)
    for width in (200, 641, 1200, 4000):
        root = chart(log, "-c", "\\*\\*", "--size", f"{width}x400")
        panel = groups(root, "panel")[0]
        left, top, right, bottom = box(root, panel)
        line = points(groups(panel, "series")[0])
        highest = min(y for _, y in line)
        high = [x for x, y in line if y < highest + 1]
        fail.check((highest - top) / (bottom - top) < 0.1, f"{width} wide: the extreme is far below the top")
        fail.check(all(abs((x - left) / (right - left) - 12345 / 19999) * width < 2
                                for x in high), f"{width} wide: the extreme is at {high}")
        fail.check(bottom - top > 50, f"{width} wide: no panel")


def check_height(fail, folder):
    """Each panel and each row of the legend makes the picture higher; --size does not let it."""
    heights = []
    for n in range(1, 7):
        log = write_log(folder, "high.csv", [
            (FORMS[0] % f"X{i}", lambda t, i=i: zigzag(t) * 100.0 ** i) for i in range(n)], SECONDS)
        root = chart(log, "-c", "\\*\\*")
        heights.append(int(root.get("height")))
        tall = [b - t for _, t, _, b in (box(root, panel) for panel in groups(root, "panel"))]
        fail.check(len(tall) == n and min(tall) >= 100, f"{n} panels of {tall}")
        root = chart(log, "-c", "\\*\\*", "--size", "800x500")
        fail.check((root.get("width"), root.get("height")) == ("800", "500"), "--size")
    fail.check(heights == sorted(set(heights)), f"heights: {heights}")


# ---- PNG and characters ---------------------------------------------------------------------


def blue():
    """The colour of the first series, as the style sheet of the page has it first: for a light page."""
    style = os.path.join(os.path.dirname(__file__), "..", "..", "web", "page", "style.css")
    with open(style, encoding="utf-8") as text:
        return bytes.fromhex(re.search(r"--line-0: #([0-9a-f]{6});", text.read()).group(1))


def png_rows(data):
    """The rows of a PNG of 8 bits, RGB or RGBA (ISO/IEC 15948), and its chunks."""
    chunks = []
    at = 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        chunks.append((data[at + 4:at + 8], data[at + 8:at + 8 + length]))
        at += 12 + length
    width, height = struct.unpack(">II", chunks[0][1][:8])
    raw = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    size = 4 if data[25] == 6 else 3
    rows, before = [], bytes(width * size)
    for y in range(height):
        row = bytearray(raw[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)])
        unfilter(raw[y * (width * size + 1)], row, before, size)
        rows.append(bytes(row))
        before = row
    return rows, chunks


def unfilter(kind, row, before, size):
    for i in range(len(row) if kind else 0):
        a = row[i - size] if i >= size else 0
        b = before[i]
        c = before[i - size] if i >= size else 0
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255


def check_pixels(fail, folder):
    colour = blue()
    for exponent in (-9, 0, 18):
        log = write_log(folder, "png.csv", [
            (FORMS[0] % "X", lambda t, e=exponent: zigzag(t) * 10.0 ** e)], SECONDS)
        picture = os.path.join(folder, f"x{exponent}.png")
        done = subprocess.run([common.binary(), "chart", log, "-c", "\\*\\*", "-o", picture, "--size",
                               "400x300"], stderr=subprocess.PIPE, check=False)
        if b"without cairo" in done.stderr:
            return
        rows, _ = png_rows(open(picture, "rb").read())
        # The legend has the colour too, in few rows below.
        rows_of_it = [y for y, row in enumerate(rows[:230])
                if any(row[x:x + 3] == colour for x in range(0, len(row), 3))]
        fail.check(len(rows_of_it) > 50, f"PNG 1e{exponent}: {len(rows_of_it)} rows")
        # From 1 to 2 the line covers the upper half of the axis: all its rows of dots.
        shown = subprocess.run([common.binary(), "chart", log, "-c", "\\*\\*", "--size", "80x24",
                                "--ascii"], stdout=subprocess.PIPE, check=True).stdout.decode()
        panel = [line[10:] for line in shown.splitlines()[1:] if line[9:10] in "|+"]
        drawn = [line for line in panel if "a" in line]
        fail.check(len(drawn) >= 8, f"characters 1e{exponent}: {len(drawn)} rows")
        labels = [line.split("+")[0].strip() for line in shown.splitlines() if line[9:10] == "+"]
        fail.check(all(len(label) <= 8 for label in labels), f"characters 1e{exponent}: {labels}")


# ---- Heat maps ------------------------------------------------------------------------------

def colours(root):
    """The colours of each row of a heat map: [{(r, g, b) of a cell}]."""
    return [{tuple(map(int, re.search(r"rgb\((\d+),(\d+),(\d+)\)", path.get("style")).groups()))
             for path in row.iter(SVG + "path")} for row in groups(root, "series")]


def check_cells(fail, folder):
    """Each cell is where its time is, and cells leave no gap but where there is no value."""
    values = [float(t % 10) for t in range(100)]
    values[40:50] = [None] * 10
    path = os.path.join(folder, "cells.csv")
    with open(path, "w", encoding="utf-8") as out:
        out.write('"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Process(a)\\Handles"\r\n')
        for t, value in enumerate(values):
            out.write(f'"11/20/2026 00:{t // 60:02d}:{t % 60:02d}.000","{" " if value is None else value}"\r\n')
    root = chart(path, "-c", "\\*(*)\\*", "--kind", "heatmap")
    runs = sorted((part[0][0], part[-1][0], path.get("style")) for path in groups(root, "series")[0].iter(SVG + "path")
                  for part in parts_of(path))
    left, right = runs[0][0], max(run[1] for run in runs)
    gaps = [(end, start) for (_, end, _), (start, _, _) in zip(runs, runs[1:]) if start > end]
    # The column of a value covers the second before it, as its value is that of this second.
    fail.check(len(gaps) == 1, f"cells: gaps {gaps}")
    for got, second in zip(gaps[0] if gaps else (), (39, 49)):
        fail.check(abs((got - left) / (right - left) * 99 - second) < 0.5, f"cells: a gap ends at {got}")
    # The brightest cells are those of 9, nine times.
    brightest = max(runs, key=lambda run: sum(map(int, re.findall(r"\d+", run[2].split("rgb")[1]))))[2]
    tops = [run for run in runs if run[2] == brightest]
    fail.check(len(tops) == 9, f"cells: {len(tops)} of the largest value")


def check_heat(fail, folder):
    """One outlier leaves the other cells their colours, whatever they are."""
    rows = {
        # name: (value of row i at t, what the heading says)
        "even": (lambda i, t: 10.0 * i + t % 5, ""),
        "outlier": (lambda i, t: 1e6 if (i, t) == (3, 7) else 10.0 * i + t % 5, "logarithmic"),
        "powers": (lambda i, t: 3.0 ** i + t % 2, "logarithmic"),
        "idle": (lambda i, t: 1e6 if (i, t) == (3, 7) else 0.0, ""),
    }
    for name, (value, note) in rows.items():
        log = write_log(folder, name + ".csv", [
            (f"\\\\SRV\\Process(p{i})\\Handles", lambda t, i=i: value(i, t)) for i in range(12)], 30)
        root = chart(log, "-c", "\\*(*)\\*", "--kind", "heatmap")
        heading = groups(root, "panel")[0].get("aria-label")
        fail.check((note or "colours") in heading if note else heading == "Handles",
                   f"{name}: {heading}")
        seen = {tuple(c // 16 for c in cell) for row in colours(root) for cell in row}
        fail.check(len(seen) >= (2 if name == "idle" else 8), f"{name}: {len(seen)} colours")
        labels = " ".join(texts(groups(root, "panel")[0]))
        fail.check(("\u2265" in labels) == (note == "end early") and
                   ("\u2264" in labels) == (note == "logarithmic"), f"{name}: {labels}")
        if note:
            top = "1 M" if name == "outlier" else "177.1 k"     # 3^11 is 177147
            fail.check(f"largest value {top})" in heading, f"{name}: {heading}")


def check_limits(fail, folder):
    """The name of each limit is on its own line, and beside that of a limit close by."""
    log = write_log(folder, "limits.csv", [("\\\\SRV\\Processor(_Total)\\% Processor Time", lambda t: 20.0 + t % 75)], 200)
    for limits in (("80%", "90%"), ("90%", "80%"), ("5%", "10%", "97%")):
        asked = [word for limit in limits for word in ("--threshold", limit)]
        root = chart(log, "-c", "\\*(*)\\*", "--size", "900x200", *asked)
        panel = groups(root, "panel")[0]
        names = {text.text: text for text in panel.iter() if text.tag.endswith("text") and text.text.replace(" ", "") in limits}
        fail.check(len(names) == len(limits), f"{limits}: {sorted(names)}")
        left, top, right, bottom = box(root, panel)
        places = []
        for name, text in names.items():
            line = bottom - (bottom - top) * float(name[:-2]) / 100
            y = float(text.get("y"))
            fail.check(abs(y - 4 - line) < 1.5, f"{limits}: {name} is at {y}, its line at {line}")
            places.append((float(text.get("x")), y, 7 * len(name)))
        for i, (x, y, wide) in enumerate(places):
            fail.check(left < x - wide and x <= right, f"{limits}: {x}")
            fail.check(all(abs(y - other[1]) >= 12 or abs(x - other[0]) >= max((x, wide), (other[0], other[2]))[1] for other in places[:i]),
                       f"{limits}: {places}")


def main():
    fail = Failures()
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_words, check_names, check_magnitudes, check_all_at_once, check_small_changes,
                      check_extreme, check_height, check_pixels, check_cells, check_heat, check_limits):
            check(fail, folder)
    print(f"{fail.checks} checks, {fail.failed} failed")
    return 1 if fail.failed else 0


if __name__ == "__main__":
    sys.exit(main())
