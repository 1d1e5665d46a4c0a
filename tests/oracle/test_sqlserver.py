#!/usr/bin/env python3
"""Scripts for SQL Server that pmon writes, run in SQLite after a small translation.

There is no SQL Server here: the statements are read by a lexer of T-SQL's literals, and what differs in SQLite's
dialect is replaced. SQL Server's default collations ignore case, so SQLite's does here too. The rows are to be those of
the database that pmon writes (relog -f sql), which has Windows' tables as well and tests of its own."""

import json
import os
import re
import sqlite3
import sys
import tempfile

import common
import test_influx
import test_sqlite

LITERAL = re.compile(r"N?'(?:[^']|'')*'|NCHAR\((\d+)\)")
TEXT = re.compile(r"(?:N'(?:[^']|'')*'|NCHAR\(\d+\))(?: \+ (?:N'(?:[^']|'')*'|NCHAR\(\d+\)))*")


def text_of(expression):
    """The text of N'a' + NCHAR(10) + N'b'; two halves of a surrogate pair are one character."""
    parts = [chr(int(found.group(1))) if found.group(1) else found.group()[2:-1].replace("''", "'")
             for found in LITERAL.finditer(expression)]
    return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def batches(path, differences):
    """The batches of a script. Outside of what sqlcmd itself would read, there is only ASCII."""
    with open(path, "rb") as file:
        script = file.read().decode("ascii")
    for line in script.split("\n"):
        if "$(" in line or line.startswith((":", "!!")) or "\r" in line:
            differences.add("sqlcmd would read %r" % line)
        if line.strip().upper() == "GO" and line != "GO":
            differences.add("sqlcmd would end a batch at %r" % line)
    found = script.split("\nGO\n")
    if found.pop() != "":
        differences.add("the last batch has no end")
    for values in re.findall(r"VALUES\n(.*?);\n", script, re.DOTALL):
        if values.count("\n") >= 1000:
            differences.add("VALUES takes 1000 rows at the most")
    return found


def translate(batch):
    batch = "\n".join(line for line in batch.split("\n") if not re.match(r"SET (NOCOUNT|XACT_ABORT) ON;", line))
    batch = re.sub(r"IF OBJECT_ID\(N'(\w+)', N'U'\) IS NULL\nCREATE TABLE \1 ", r"CREATE TABLE IF NOT EXISTS \1 ", batch)
    batch = batch.replace("int IDENTITY PRIMARY KEY", "integer PRIMARY KEY")
    batch = batch.replace(" COLLATE DATABASE_DEFAULT", "").replace("varchar(1024)", "varchar(1024) COLLATE NOCASE")
    # texts last: what looks like a statement in them stays
    out, at = [], 0
    for found in TEXT.finditer(batch):
        out.append(batch[at:found.start()].replace("CREATE TABLE #", "CREATE TEMP TABLE ").replace("#", ""))
        out.append(quoted(text_of(found.group())))
        at = found.end()
    return "".join(out) + batch[at:].replace("CREATE TABLE #", "CREATE TEMP TABLE ").replace("#", "")


def run(db, path, differences):
    for batch in batches(path, differences):
        db.executescript(translate(batch))


DETAILS = ("c.MachineName, c.ObjectName, c.CounterName, c.CounterType, c.DefaultScale, c.InstanceName, "
           "c.InstanceIndex, c.ParentName, c.ParentObjectID, c.TimeBaseA, c.TimeBaseB")
VALUES = ("d.RecordIndex, d.CounterDateTime, d.CounterValue, d.FirstValueA, d.FirstValueB, d.SecondValueA, "
          "d.SecondValueB, d.MultiCount")


def rows(db):
    """All values with all that says which they are of, but for numbers and GUIDs; counters; log sets."""
    values = db.execute("SELECT s.DisplayString, %s, %s FROM CounterData AS d JOIN CounterDetails AS c "
                        "ON c.CounterID = d.CounterID JOIN DisplayToID AS s ON s.GUID = d.GUID" % (DETAILS, VALUES))
    counters = db.execute("SELECT %s FROM CounterDetails AS c" % DETAILS)
    sets = db.execute("SELECT RunID, DisplayString, LogStartTime, LogStopTime, NumberOfRecords, MinutesToUTC, "
                      "TimeZoneName FROM DisplayToID")
    return [sorted(table, key=repr) for table in (values, counters, sets)]


def same(got, want, what, differences):
    for name, one, other in zip(("values", "counters", "log sets"), got, want):
        if one != other:
            differences.add("%s: %d %s, the database has %d; %s" % (
                what, len(one), name, len(other), [pair for pair in zip(one, other) if pair[0] != pair[1]][:1]))


def compare(log, folder):
    differences = common.Differences()
    test_sqlite.convert(log, "sqlserver", os.path.join(folder, "log.sql"))
    test_sqlite.convert(log, "sql", os.path.join(folder, "log.db"))
    want = sqlite3.connect(os.path.join(folder, "log.db"))
    got = sqlite3.connect(":memory:")
    for what in ("a script", "a script that is run again"):
        run(got, os.path.join(folder, "log.sql"), differences)
        same(rows(got), rows(want), what, differences)
    want.close()
    return differences.count, len(rows(got)[0])


def write_log(path, names, start, duplicates=()):
    with open(path, "w", encoding="utf-8") as file:
        series = [(machine, name) for name in [*names, *duplicates] for machine in ("M's", "m,2")]
        for sample in range(3):
            for i, (machine, name) in enumerate(series):
                file.write(json.dumps({
                    "path": "\\\\m\\O(i%d)\\C" % (i if name not in duplicates else 0), "machine": machine,
                    "object": "O", "instance": name, "counter": "C's", "type": "PERF_COUNTER_LARGE_RAWCOUNT",
                    "time": "2020-01-01T00:00:%02dZ" % (start + sample), "status": "valid_data",
                    "first": 1000 * i + sample - 5, "series": i, "sample": sample}) + "\n")


HOSTILE = [name for name in test_influx.HOSTILE if len(name) < 1000] + [
    "$(x)", "$", "$$(", "a\nGO\nb", "\n:r secret\n", "'; DROP TABLE CounterData; --", "''", "N'x'", "NCHAR(65)",
    " + ", "#pmon", "CREATE TABLE #", "VALUES\n", "ABC", "abc", "y" * 1000]


def check_hostile(folder):
    """Names that mean something to T-SQL or sqlcmd; two logs in one database, of which one counter comes twice."""
    differences = common.Differences()
    got = sqlite3.connect(":memory:")
    want = [], set(), []
    for name, start, duplicates in (("one", 0, []), ("two", 10, ["plain"])):
        log = os.path.join(folder, name + ".jsonl")
        write_log(log, HOSTILE, start, duplicates)
        test_sqlite.convert(log, "sqlserver", os.path.join(folder, name + ".sql"))
        test_sqlite.convert(log, "sql", os.path.join(folder, name + ".db"))
        run(got, os.path.join(folder, name + ".sql"), differences)
        db = sqlite3.connect(os.path.join(folder, name + ".db"))
        values, counters, sets = rows(db)
        db.close()
        want[0].extend(values)
        want[1].update(counters)
        want[2].extend(sets)
    values, counters, sets = rows(got)
    n = 2 * (len(HOSTILE) + 1)          # each once, for two machines, and the duplicates
    if len(counters) != n or set(counters) != want[1]:
        differences.add("%d counters, not %d" % (len(counters), n))
    same([values, [], sets], [sorted(want[0], key=repr), [], sorted(want[2], key=repr)], "two logs", differences)
    instances = {row[6] for row in values}
    if instances != set(HOSTILE):
        differences.add("instances: %r" % (instances ^ set(HOSTILE)))
    # another log of the same name is listed as well
    os.rename(os.path.join(folder, "two.jsonl"), os.path.join(folder, "one.jsonl"))
    test_sqlite.convert(os.path.join(folder, "one.jsonl"), "sqlserver", os.path.join(folder, "one.sql"))
    got.execute("UPDATE DisplayToID SET GUID = 'X' WHERE DisplayString = 'one'")
    run(got, os.path.join(folder, "one.sql"), differences)
    found = [row[0] for row in got.execute("SELECT DisplayString FROM DisplayToID ORDER BY length(DisplayString)")]
    if len(found) != 2 or found[0] != "one" or not re.match(r"one [0-9A-F-]{36}$", found[1]):
        differences.add("log sets: %s" % found)
    return differences.count


def main():
    with tempfile.TemporaryDirectory() as folder:
        failed = check_hostile(folder) > 0
        print("names that need escapes: " + ("FAILED" if failed else "ok"))
        for name, file_name, _ in common.log_files():
            wrong, count = compare(file_name, folder)
            print("%s: %s" % (name, "FAILED" if wrong else "%d values" % count))
            failed = failed or wrong > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
