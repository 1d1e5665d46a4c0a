#!/usr/bin/env python3
"""The SVG of pmon chart: what a browser, a screen reader and an editor find in it.

Texts, names and roles are those of SVG 2 and WAI-ARIA 1.2.
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

import common

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
    if b"without cairo" in done.stderr:
        common.skip("built without cairo")
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
        fail.check(any("A <b>" in g.get("aria-label") for g in groups(root, "series")),
                   f"{kind}: the name of a series")
        titles = [g.findtext(SVG + "title", "") for g in groups(root, "series")]
        # 40 .. 59: the mean is 49.5.
        fail.check(any("average 49.5 %, minimum 40 %, maximum 59 %, last 59 %" in t
                       for t in titles), f"{kind}: titles of series: {titles}")


def main():
    fail = Failures()
    with tempfile.TemporaryDirectory() as folder:
        check_words(fail, folder)
    print(f"{fail.checks} checks, {fail.failed} failed")
    return 1 if fail.failed else 0


if __name__ == "__main__":
    sys.exit(main())
