#!/usr/bin/env bash
# codepages.sh - text logs in the code page of their language, without --encoding
# SPDX-License-Identifier: MIT
#
# The names are those of share/names, and those of time zones in languages whose names are not known. What a column should
# be called is what it was encoded from.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3

cat >make.py <<'PYTHON'
import csv, random, subprocess, sys

PAGES = {"deDE": "cp1252", "frFR": "cp1252", "esES": "cp1252", "itIT": "cp1252", "ptBR": "cp1252", "nlNL": "cp1252",
         "svSE": "cp1252", "plPL": "cp1250", "csCZ": "cp1250", "huHU": "cp1250", "trTR": "cp1254", "ruRU": "cp1251",
         "jaJP": "cp932"}
# Korea, Taipei, China, Athens and Moscow: the names of the zones, with a name of an object that is in no table.
ZONES = [("cp949", "대한민국 표준시", "메모리"), ("cp950", "台北標準時間", "記憶體"), ("cp936", "中国标准时间", "内存"),
         ("cp1253", "Χειμερινή ώρα Αθήνας", "Μνήμη"), ("cp1251", "Московское время", "Очередь писем")]
pmon, names = sys.argv[1:]
rng = random.Random(7)


def paths_of(language):
    """[(path, English path)] of a language, with something in each that is not ASCII."""
    found = []
    if language in ("ruRU", "jaJP"):
        with open(names + "/counter_names_other.tsv", encoding="utf-8") as file:
            rows = [r for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if r["lang"] == language]
        objects = {r["english"]: r["name"] for r in rows if "\\" not in r["english"]}
        for row in rows:
            english, _, counter = row["english"].partition("\\")
            if counter and english in objects:
                found.append((objects[english] + "\\" + row["name"], row["english"]))
        return found
    with open(names + "/counter_names.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    objects = {r["enUS"]: r[language] for r in rows if r["kind"] == "object"}
    for row in rows:
        object_ = objects.get(row["object_enUS"], "")
        if row["kind"] == "counter" and object_ and not set('\\"()') & set(object_ + row[language]):
            found.append((object_ + "\\" + row[language], row["object_enUS"] + "\\" + row["enUS"]))
    return [f for f in found if not f[0].isascii()]


def log(page, zone, paths):
    head = ",".join(['"(PDH-CSV 4.0) (%s)(0)"' % zone] + ['"\\\\SRV\\%s"' % path for path in paths])
    line = ",".join(['"02/25/2026 10:00:00.000"'] + ['"1"'] * len(paths))
    with open("log.csv", "wb") as file:
        file.write((head + "\r\n" + line + "\r\n").encode(page))
    out = subprocess.run([pmon, "list", "--format", "csv", "log.csv"], capture_output=True, text=True)
    assert out.returncode == 0, out
    return [row[next(i for i, c in enumerate(row) if c.startswith("\\"))] for row in csv.reader(out.stdout.splitlines())
            if any(c.startswith("\\") for c in row)], out.stderr


bad = n = 0
for language, page in PAGES.items():
    paths = paths_of(language)
    encodable = []
    for path, english in paths:
        try:
            if path.encode(page).decode(page) == path:
                encodable.append(path)
        except UnicodeEncodeError:
            pass
    for _ in range(3 if len(encodable) > 20 else 1):
        some = rng.sample(encodable, min(12, len(encodable)))
        got, err = log(page, "UTC", some)
        n += 1
        if sorted(got) != sorted("\\\\SRV\\" + path for path in some):
            bad += 1
            print("%s in %s: %s\n%s" % (language, page, sorted(set(got) - {"\\\\SRV\\" + p for p in some})[:3], err))
for page, zone, object_ in ZONES:
    got, err = log(page, zone, [object_ + "\\Available MBytes", "Processor(_Total)\\% Processor Time"])
    n += 1
    if "\\\\SRV\\%s\\Available MBytes" % object_ not in got:
        bad += 1
        print("%s: %s\n%s" % (page, got, err))
print("%d logs, %d wrong" % (n, bad))
PYTHON
same 'names in the code pages of their languages' \
	"$(python3 make.py "$PMON_BIN" "$PMON_SOURCE_DIR/share/names" | tail -n 12)" '40 logs, 0 wrong'
finish
