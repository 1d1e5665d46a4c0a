#!/usr/bin/env bash
# formats.sh - JSON and CSV of every verb: valid, with the promised keys in the promised order
# SPDX-License-Identifier: MIT
#
# The keys are those of docs/reference/cli.md. Python's json and csv are the judges.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
make_log average a.blg
make_log back b.blg
make_log evil e.blg

export real=
[ ! -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] || real=$PMON_TEST_DATA/blg
ran=formats.py
python3 - <<'PYTHON' && ok || bad 'see above'
import csv, io, json, os, re, subprocess, sys

failed = 0
checks = 0


def check(good, *words):
    global failed, checks
    checks += 1
    if not good:
        failed += 1
        print("formats.sh:", *words)


def pmon(*args):
    done = subprocess.run([os.environ["PMON_BIN"], *args], capture_output=True)
    check(done.returncode == 0, args, "exit status", done.returncode, done.stderr)
    return done.stdout.decode("utf-8")


def no_constant(text):
    raise ValueError(text + " is no JSON")


def parse(text):
    # pairs, so that order and repeated keys are seen
    return json.loads(text, object_pairs_hook=lambda pairs: pairs, parse_constant=no_constant)


def keys(pairs):
    return [key for key, _ in pairs]


STATS = ("path type unit last average minimum maximum minimum_time maximum_time samples invalid "
         "first_time last_time average_kind total total_unit").split()
RAW = "path type time status first second multi time_base".split()
VALUES = "path time value status unit".split()
CALC = "type unit values average minimum maximum last".split()
LIST = "path type unit time_base default_scale".split()
INFO = ("file format size_bytes writer machine machines zone utc_offset_min log_start log_end first_time "
        "last_time samples interval_s counters raw_values gap_count gaps steps_back "
        "records_unknown losses bytes_lost converter sampled_by_pmon bytes_used bytes_unused "
        "bytes_damaged clock_step_count clock_steps").split()
TYPES = "word name unit formula average base meaning source note dotnet".split()
EXPLAIN = "path time value average mean_of_displayed_values help average_kind".split()
WHY = ("value status status_text policy type unit formula with_operands operands steps source "
       "note").split()
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z\Z")

logs = [["a.blg"], ["b.blg"], ["e.blg"], ["a.blg", "b.blg"]]
if os.environ["real"]:
    names = ("pal-SampleLog.blg", "pwsh-CounterSamples.blg", "tx-BasicPerfCounters.blg")
    logs += [[os.path.join(os.environ["real"], name)] for name in names]


def times_are_iso(pairs, where):
    for key, value in pairs:
        if (key == "time" or key.endswith("_time")) and value is not None:
            check(TIME.match(value), where, key, value)


def numbers_are_plain(pairs, where):
    for key, value in pairs:
        if isinstance(value, int) and not isinstance(value, bool):
            check(abs(value) <= 2 ** 53, where, key, value, "is above 2^53")


for log in logs:
    where = " ".join(log)
    for verb, array, want in (("stats", "counters", STATS), ("list", "counters", LIST)):
        top = parse(pmon(verb, "--format", "json", *log))
        check(keys(top) == ["version", array, "samples_used", "samples_empty"], verb, where, keys(top))
        check(top[0][1] == 1, verb, where, "version")
        check(len(top[1][1]) > 0, verb, where, "is empty")
        for row in top[1][1]:
            check(keys(row) == want, verb, where, keys(row))
            times_are_iso(row, where)
            numbers_are_plain(row, where)
        table = list(csv.reader(io.StringIO(pmon(verb, "--format", "csv", *log), newline="")))
        check(table[0] == want, verb, where, table[0])
        check(all(len(row) == len(want) for row in table), verb, where, "ragged")
        check([row[0] for row in table[1:]] == [dict(row)["path"] for row in top[1][1]],
              verb, where, "CSV and JSON have other paths")
    for verb, want in (("raw", RAW), ("values", VALUES)):
        rows = [parse(line) for line in pmon(verb, "--format", "json", *log).splitlines()]
        check(len(rows) > 0, verb, where, "is empty")
        for row in rows:
            check(keys(row) == want, verb, where, keys(row))
            times_are_iso(row, where)
            numbers_are_plain(row, where)
            value = dict(row)
            if verb == "values":
                check((value["value"] is None) == (value["status"] not in (
                    "ok", "wrapped", "base_zero", "clamped")), where, row)
    table = list(csv.reader(io.StringIO(pmon("raw", "--format", "csv", *log), newline="")))
    check(table[0] == RAW, "raw", where, table[0])
    check(all(len(row) == len(RAW) for row in table), "raw", where, "ragged")
    table = list(csv.reader(io.StringIO(pmon("values", "--format", "csv", *log), newline="")))
    check(table[0][0].startswith("(PDH-CSV 4.0) ("), where, table[0][0])
    check(all(len(row) == len(table[0]) for row in table), "values", where, "ragged")
    top = parse(pmon("info", "--format", "json", *log))
    check(keys(top) == ["version", "logs"], "info", where, keys(top))
    check(len(top[1][1]) == len(log), "info", where, "logs")
    for row in top[1][1]:
        check(keys(row) == INFO, "info", where, keys(row))
        times_are_iso(row, where)
    table = list(csv.reader(io.StringIO(pmon("info", "--format", "csv", *log), newline="")))
    check(len(table) == 1 + len(log) and len(set(map(len, table))) == 1, "info csv", where)

row = parse(pmon("explain", "--format", "json", "a.blg", "-c", r"\Memory\*"))
check(keys(row) == EXPLAIN, "explain", keys(row))
check(keys(dict(row)["value"]) == WHY and keys(dict(row)["average"]) == WHY, "explain", row)
row = parse(pmon("explain", "--format", "json", "-t", "average_timer", "-F", "10", "0:0", "5:1"))
check(keys(row) == [key for key in EXPLAIN[2:] if key != "help"], "explain -t", keys(row))

row = parse(pmon("calc", "--format", "json", "-t", "average_timer", "-F", "10", "0:0", "5:1"))
check(keys(row) == CALC, "calc", keys(row))
check([keys(value) for value in dict(row)["values"]] == [["value", "status"]] * 2, "calc", row)
check(dict(dict(row)["values"][0]) == {"value": None, "status": "first_sample"}, "calc", row)
check(dict(row)["average"] == 0.5, "calc: (5 - 0) / 10 / (1 - 0)", row)
row = parse(pmon("calc", "--explain", "--format", "json", "-t", "average_timer", "-F", "10",
                 "0:0", "5:1"))
check(keys(row) == CALC + ["explanation"], "calc --explain", keys(row))

top = parse(pmon("types", "--format", "json"))
check(keys(top) == ["version", "types"], "types", keys(top))
check(all(keys(row) == TYPES for row in top[1][1]), "types")
check(len(top[1][1]) > 35, "types", len(top[1][1]))
top = parse(pmon("types", "--format", "json", "PERF_COUNTER_COUNTER", "0x12345678"))
check(keys(top[1][1][0])[:10] == TYPES, "types NAME", keys(top[1][1][0]))
check([dict(row)["name"] for row in top[1][1]] == ["PERF_COUNTER_COUNTER", None], "types NAME")
table = list(csv.reader(io.StringIO(pmon("types", "--format", "csv", "counter_timer"))))
check(len(table) == 2 and table[1][1] == "PERF_COUNTER_TIMER", "types csv", table)

# Numbers read back as the very bits: 1/3 and an integer above 2^53, which is a string.
row = dict(parse(pmon("calc", "--format", "json", "-t", "PERF_COUNTER_BULK_COUNT", "-F", "3",
                      "0:0", "1:9")))
check(row["average"] == 1 / 3, "(1 - 0) / ((9 - 0) / 3)", row["average"])

print(checks, "checks of form,", failed, "failed")
sys.exit(failed != 0)
PYTHON

finish
