# conversion_jobs.py - logs into logs
# SPDX-License-Identifier: MIT

import array
import csv
import math
import os
import subprocess
import sys

import logs
import peers
from machine import Took, die
from statistics_jobs import answers, check_same, triples

DD_BLOCK = 512 * 1024  # as relog writes
TICKS = 10000000  # of the counters' clock, as bench_big_log has it
CHECKED_ROWS = 40
EXACT_CELLS = 1000000
SQLITE_PART = 4  # SQLite gets a log of a quarter of the size: it takes ten times the time


def relog(machine, source, form, target, times=5):
    took = None
    for _ in range(times):
        machine.remove(target)
        args = [machine.pmon, "relog", machine.path(source), "-f", form, "-o",
                machine.path(target), "-y"]
        took = machine.run(args).or_better(took)
    return took


# ---- BLG to CSV -----------------------------------------------------------------------------


def by_hand(older, newer):
    """A displayed value by its type's formula, exact but for the last step. None: not done here."""
    steps = [int(newer[k]) - int(older[k]) for k in ("first", "second")]
    kind = newer["type"]
    if kind in ("PERF_COUNTER_RAWCOUNT", "PERF_COUNTER_LARGE_RAWCOUNT"):
        return float(newer["first"])
    if kind == "PERF_COUNTER_BULK_COUNT":
        return steps[0] / (steps[1] / TICKS)
    if kind == "PERF_100NSEC_TIMER":
        return 100 * (steps[0] / steps[1])
    return None


def check_values(machine, source, rows):
    """Cells of the first rows, computed from the raw values in Python."""
    raws = machine.path("raw.csv")
    last = "+2s"  # the rows of the first seconds
    machine.run([machine.pmon, "raw", "--format", "csv", "--to", last, machine.path(source)],
                out="raw.csv")
    older, compared = {}, 0
    with open(raws, newline="", encoding="utf-8") as f:
        for raw in csv.DictReader(f):
            path = raw["path"]
            row, before = older.get(path, (-1, None))
            older[path] = (row + 1, raw)
            if before is None or row + 1 >= len(rows):
                continue
            want = by_hand(before, raw)
            got = rows[row + 1].get(path)
            if want is None or got is None:
                continue
            compared += 1
            if not math.isclose(float(got), want, rel_tol=1e-14):
                die(f"{path} in row {row + 1} is {got}, by hand {want!r}")
    machine.remove("raw.csv")
    if compared == 0:
        die("no cell of the CSV log could be computed by hand")


def like_c(text):
    """Windows writes exponents with three digits at the least, C with two."""
    return text.replace("e-0", "e-").replace("e+0", "e+")


def read_cells(machine, name, numbers):
    """Cells have to be the text that %.17g has for them; the numbers go into a file, as doubles."""
    cells, first = 0, []
    with open(machine.path(name), newline="", encoding="utf-8") as f, \
            open(machine.path(numbers), "wb") as out:
        rows = csv.reader(f)
        names = next(rows)[1:]
        for row in rows:
            values = array.array("d", [math.nan if t == " " else float(t) for t in row[1:]])
            if cells < EXACT_CELLS and [like_c(t) for t in row[1:] if t != " "] != \
                    ["%.17g" % v for v in values if v == v]:
                die(f"{name}: a cell is not what %.17g has for it")
            values.tofile(out)
            cells += len(values)
            if len(first) < CHECKED_ROWS:
                first.append(dict(zip(names, row[1:])))
    return cells, len(names), first


def blg_csv(machine, results):
    took = relog(machine, "single.blg", "CSV", "out.csv")
    cells, width, first = read_cells(machine, "out.csv", "numbers")
    check_values(machine, "single.blg", first)
    size = machine.size("single.blg")
    results.add("blg_csv", "pmon relog", took, size, cells, width)
    best = min(float(machine.output([sys.executable, "-c", peers.REPR, machine.path("numbers"),
                                     machine.path("repr.csv"), str(width)])) for _ in range(2))
    results.add("blg_csv", "Python repr", Took(best, None, 0), size, cells)
    machine.remove("out.csv", "repr.csv", "numbers")


# ---- CSV to BLG -----------------------------------------------------------------------------


def writing(machine, results, job, size):
    """What the system needs to take so many bytes over; like relog, it leaves them to it."""
    blocks = str(size // DD_BLOCK)
    took = None
    for _ in range(2):
        machine.remove("zero")
        took = machine.run(["dd", "if=/dev/zero", "of=" + machine.path("zero"), f"bs={DD_BLOCK}",
                            "count=" + blocks]).or_better(took)
    results.add(job, "writing alone (dd)", took, size)
    machine.remove("zero")


def csv_blg(machine, results):
    took = relog(machine, "single.csv", "BIN", "out.blg")
    check_same("CSV to BLG", triples(answers(machine, "out.blg")),
               triples(answers(machine, "single.csv")))
    width, values = logs.facts(machine, "single.csv")
    results.add("csv_blg", "pmon relog", took, machine.size("single.csv"), values, width)
    writing(machine, results, "csv_blg", machine.size("out.blg"))
    machine.remove("out.blg")


# ---- BLG to SQLite --------------------------------------------------------------------------

TABLE = """CREATE TABLE CounterData (GUID uniqueidentifier NOT NULL, CounterID int NOT NULL,
 RecordIndex int NOT NULL, CounterDateTime char(24) NOT NULL, CounterValue float NOT NULL,
 FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int,
 Sample int, Status int, Time100ns int, Run int);"""

SUMS = """SELECT count(*), sum(CounterID), sum(RecordIndex), sum(FirstValueA), sum(SecondValueA),
 sum(Time100ns % 1000003), printf('%.6e', total(CounterValue)), min(CounterDateTime),
 max(CounterDateTime), count(DISTINCT GUID) FROM CounterData;"""


def sql(machine, database, script, name=None):
    """Run a script by the sqlite3 shell; the script is a file, so that .import can stand in it."""
    path = machine.path("script.sql")
    with open(path, "w", encoding="utf-8") as f:
        f.write(script)
    return machine.run(["sqlite3", "-csv", machine.path(database)], source=path, out=name)


def sums(machine, database):
    sql(machine, database, SUMS, "sums")
    with open(machine.path("sums"), encoding="utf-8") as f:
        return f.read()


def blg_sqlite(machine, results, bytes_wanted):
    """The shell imports the rows that pmon wrote, with its pragmas and without its indexes."""
    if not peers.has("sqlite3"):
        return
    machine.output([machine.tool("big_log"), "single", "blg", str(bytes_wanted // SQLITE_PART),
                    machine.path("part.blg")])
    width, values = logs.facts(machine, "part.blg")
    size = machine.size("part.blg")
    took = relog(machine, "part.blg", "SQL", "out.db", 2)
    results.add("blg_sqlite", "pmon relog", took, size, values, width)
    sql(machine, "out.db", "SELECT * FROM CounterData;", "rows.csv")
    best = None
    for _ in range(2):
        machine.remove("import.db")
        best = sql(machine, "import.db", "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF;\n"
                   f"PRAGMA synchronous = OFF;\n{TABLE}\n"
                   f".import '{machine.path('rows.csv')}' CounterData\n").or_better(best)
    if sums(machine, "import.db") != sums(machine, "out.db"):
        die("the imported rows are not those that were written")
    results.add("blg_sqlite", "sqlite3 .import", best, size, values)
    machine.remove("out.db", "import.db", "rows.csv", "part.blg")
