"""test_python.py - the package libpmon for Python: equal to the command to the last digit, its document, its wheel

SPDX-License-Identifier: MIT

Answers are compared with the JSON and the CSV that the command prints, and averages with the tidy rows
of the command, which have operands in place of averages. The examples of docs/python.md run, and print
what stands there. NumPy and pandas are tested where this Python or Debian's has them, the wheel where
setuptools and wheel are.
"""

import csv
import ctypes
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
import warnings
from contextlib import redirect_stdout
from datetime import datetime, timedelta, timezone

from common import ROOT, binary, from_root, log_files, run_pmon

PACKAGE = os.path.join(ROOT, "packaging/python")
sys.path.insert(0, PACKAGE)
import libpmon as pmon  # noqa: E402

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_PANDAS = HAS_NUMPY and importlib.util.find_spec("pandas") is not None
bad = []


def check(what, good):
    if not good:
        bad.append(what)
        if len(bad) <= 20:
            print("test_python: " + what)


def same(what, ours, theirs):
    # repr() of a double is exact, so equal texts are equal to the last bit.
    check("%s: %.200r, not %.200r" % (what, ours, theirs), repr(ours) == repr(theirs))


def command_json(verb, *words):
    return json.loads(run_pmon(verb, "--format", "json", *words))


def test_log(name, file):
    log = pmon.open(file)
    same(name + ": info", log.info, command_json("info", file)["logs"])
    same(name + ": series", log.series(), command_json("list", file)["counters"])
    same(name + ": stats", log.stats(), command_json("stats", file)["counters"])
    same(name + ": stats by step", log.stats(every="1m", percentiles=[50, 99.5]),
         command_json("stats", "--every", "1m", "--percentile", "50,99.5", file)["counters"])
    same(name + ": incidents", log.incidents(), command_json("health", file)["incidents"])
    some = [series["path"] for series in log.series()[:3]]
    lines = run_pmon("explain", "--format", "json", *[word for path in some for word in ("-c", path)], file).splitlines()
    same(name + ": explain", log.explain(some), [json.loads(line) for line in lines])
    rows = [json.loads(line) for line in run_pmon("values", "--format", "json", file).splitlines()]
    same(name + ": values", list(log.values()), rows)
    columns = log.values().columns()
    for key in ("path", "time", "value", "status", "unit"):
        same("%s: column %s" % (name, key), getattr(columns, key), [row[key] for row in rows])
    batches = list(log.values().batches(100))
    check(name + ": sizes of batches", all(len(batch) == 100 for batch in batches[:-1]) and 0 < len(batches[-1]) <= 100)
    same(name + ": batches", [value for batch in batches for value in batch.value], columns.value)
    test_tidy(name, file, log)
    check(name + ": the stream of Arrow", stream_begins(log))
    test_capsule(name, file, log)
    if HAS_NUMPY:
        test_numpy(name, columns)
        test_tidy_arrays(name, file, log)
    if HAS_PANDAS:
        test_pandas(name, columns)


def test_tidy(name, file, log):
    """Values once more, by a different output of the command; and averages from its operands, to rounding."""
    sums, values = {}, {}
    for row in csv.DictReader(io.StringIO(run_pmon("values", "--format", "tidy", "--raw-names", file))):
        n, d, _, _ = sums.get(row["path"], (0.0, 0.0, 0.0, 0.0))
        sums[row["path"]] = (n + float(row["n"]), d + float(row["d"]), float(row["add"]), float(row["mul"]))
        values.setdefault(row["path"], []).append(None if row["value"] == "" else float(row["value"]))
    ours = {}
    for row in log.values(options=["--names", "en"]):
        ours.setdefault(row["path"], []).append(None if row["value"] is None else float(row["value"]))
    check(name + ": counters of tidy rows", sorted(ours) == sorted(values))
    check(name + ": values of tidy rows", all(ours[path] == values[path] for path in values if path in ours))
    compared = 0
    for row in log.stats(options=["--names", "en"]):
        n, d, add, mul = sums.get(row["path"], (0, 0, 0, 0))
        if row["average"] is not None and d != 0 and mul != 0 and row["average"] > 0:
            compared += 1
            check("%s: average of %s" % (name, row["path"]),
                  abs(add + mul * n / d - row["average"]) <= 1e-9 * max(abs(row["average"]), abs(add)))
    check(name + ": no averages compared", compared > 0)


def test_numpy(name, columns):
    import numpy

    arrays = columns.numpy()
    check(name + ": types of arrays", arrays["value"].dtype == numpy.float64 and str(arrays["time"].dtype) == "datetime64[ns]")
    same(name + ": numpy values", [None if value != value else value for value in arrays["value"].tolist()],
         [None if value is None else float(value) for value in columns.value])
    begin = datetime(1970, 1, 1)
    for text, ticks in zip(columns.time[:50], arrays["time"].astype("int64").tolist()):
        whole, _, part = text[:-1].partition(".")
        seconds = (datetime.fromisoformat(whole) - begin) // timedelta(seconds=1)
        same(name + ": numpy time", ticks, seconds * 10**9 + int((part + "000000000")[:9]))


def stream_begins(log):
    """Arrow's streaming format begins with FFFFFFFF and ends with that and a length of 0."""
    with log.tidy("cpu").arrow() as stream:
        data = stream.read()
    return data[:4] == b"\xff" * 4 and data[-8:] == b"\xff" * 4 + b"\0" * 4


def consume(tidy):
    """A consumer of Arrow's C stream interface, by its specification: columns as lists, and errors"""
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    number = {b"l": ctypes.c_int64, b"g": ctypes.c_double, b"tsn:UTC": ctypes.c_int64, b"i": ctypes.c_int32}

    class Schema(ctypes.Structure):
        _fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
                    ("n", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p),
                    ("private", ctypes.c_void_p)]

    class Array(ctypes.Structure):
        _fields_ = [("length", ctypes.c_int64), ("nulls", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                    ("n", ctypes.c_int64), ("buffers", ctypes.c_void_p), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
                    ("release", ctypes.c_void_p), ("private", ctypes.c_void_p)]

    def below(kind, node):
        return [kind.from_address(place) for place in (ctypes.c_void_p * node.n).from_address(node.children)] if node.n else []

    def texts(array):
        _, ends, data = (ctypes.c_void_p * 3).from_address(array.buffers)
        ends = (ctypes.c_int32 * (array.length + 1)).from_address(ends)
        return [ctypes.string_at(data + ends[i], ends[i + 1] - ends[i]).decode() for i in range(array.length)]

    def cells(schema, array):
        bits, values = (ctypes.c_void_p * 2).from_address(array.buffers)
        valid = ctypes.string_at(bits, (array.length + 7) // 8) if bits else None
        values = list((number[schema.format] * array.length).from_address(values))
        if schema.dictionary:
            known = texts(Array.from_address(array.dictionary))
            values = [known[value] if valid is None or valid[i // 8] >> i % 8 & 1 else None for i, value in enumerate(values)]
        return [None if valid and not valid[i // 8] >> i % 8 & 1 else value for i, value in enumerate(values)]

    capsule = tidy.__arrow_c_stream__()
    place = pointer_of(capsule, b"arrow_array_stream")
    moved = (ctypes.c_void_p * 5).from_buffer_copy((ctypes.c_void_p * 5).from_address(place))
    (ctypes.c_void_p * 5).from_address(place)[3] = None  # moved: the capsule no longer releases it
    del capsule
    stream, schema, columns, kept = ctypes.addressof(moved), Schema(), {}, None
    if call(moved[0])(stream, ctypes.addressof(schema)) != 0:
        error = ctypes.string_at(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(moved[2])(stream)).decode()
        release(moved[3])(stream)
        return error
    while True:
        array = Array()
        check("the next batch", call(moved[1])(stream, ctypes.addressof(array)) == 0)
        if not array.release:
            break
        for field, column in zip(below(Schema, schema), below(Array, array)):
            columns.setdefault(field.name.decode(), []).extend(cells(field, column))
        if kept is None:  # a child that is moved outlives its parent
            kept = Array.from_buffer_copy(below(Array, array)[0])
            below(Array, array)[0].release = None
            before = cells(below(Schema, schema)[0], kept)
        release(array.release)(ctypes.addressof(array))
        check("a batch is released", not array.release)
    if kept is not None:
        same("a column after its batch", cells(below(Schema, schema)[0], kept), before)
        release(kept.release)(ctypes.addressof(kept))
    release(schema.release)(ctypes.addressof(schema))
    release(moved[3])(stream)
    return columns


def test_capsule(name, file, log):
    columns = consume(log.tidy())
    rows = list(csv.DictReader(io.StringIO(run_pmon("values", "--format", "tidy", "--raw-names", file))))
    rows.sort(key=lambda row: (row["time"], row["path"]))
    order = sorted(range(len(columns["time"])), key=lambda i: (columns["time"][i], columns["path"][i]))
    check(name + ": columns of the capsule", [key for key in rows[0] if key not in columns] == [])
    for key in ("path", "machine", "instance", "parent", "counter", "status"):
        same("%s: capsule, %s" % (name, key), [columns[key][i] or "" for i in order], [row[key] for row in rows])
    for key in ("value", "n", "d", "add", "mul"):
        same("%s: capsule, %s" % (name, key), [None if columns[key][i] is None else float(columns[key][i]) for i in order],
             [None if row[key] == "" else float(row[key]) for row in rows])
    same(name + ": capsule, some columns", list(consume(log.tidy("cpu", columns=["time", "value"]))), ["time", "value"])
    check(name + ": capsule, no such column", "nonsuch" in consume(log.tidy(columns=["nonsuch"])))
    log.tidy().__arrow_c_stream__()  # which nobody reads
    same(name + ": what is still alive", pmon._capsule._live, {})


def test_tidy_arrays(name, file, log):
    """The columns that come as Arrow, cell by cell with the rows that come as CSV"""
    import numpy

    texts = ("machine", "object", "instance", "parent", "counter", "path", "type", "status")
    arrays = log.tidy().numpy()
    order = numpy.lexsort((arrays["path"].astype(str), arrays["time"]))
    rows = list(csv.DictReader(io.StringIO(run_pmon("values", "--format", "tidy", "--raw-names", file))))
    rows.sort(key=lambda row: (row["time"], row["path"]))
    same(name + ": number of tidy rows", len(arrays["time"]), len(rows))

    def cells(key):
        return arrays[key][order].tolist()
    for key in texts:
        same("%s: tidy %s" % (name, key), cells(key), [row[key] or (None if key in ("machine", "instance", "parent", "type") else "")
                                                       for row in rows])
    for key in ("value", "n", "add", "mul"):
        same("%s: tidy %s" % (name, key), [None if cell != cell else cell for cell in cells(key)],
             [None if row[key] == "" else float(row[key]) for row in rows])
    same(name + ": tidy d", cells("d"), [int(row["d"]) for row in rows])
    times = numpy.array([row["time"][:-1] for row in rows], dtype="datetime64[ns]")
    check(name + ": tidy time", numpy.array_equal(arrays["time"][order], times))
    # Parquet and Arrow know the processes of counters that need two samples (docs/reference/formats/parquet.md).
    starts = numpy.array([row["process_start"][:-1] or "NaT" for row in rows], dtype="datetime64[ns]").astype("int64")
    for row, pid, start, theirs in zip(rows, cells("pid"), arrays["process_start"][order].astype("int64"), starts):
        alone = "RAWCOUNT" in row["type"] or row["type"] in ("PERF_ELAPSED_TIME", "PERF_RAW_FRACTION", "PERF_LARGE_RAW_FRACTION")
        if not (pid == -1 and numpy.isnat(numpy.datetime64(int(start), "ns")) and alone):
            same("%s: tidy pid of %s" % (name, row["path"]), pid, int(row["pid"] or -1))
            same("%s: tidy start of %s" % (name, row["path"]), start, theirs)
    check(name + ": some columns", list(log.tidy("cpu", columns=["time", "value"]).numpy()) == ["time", "value"])
    same(name + ": batches of tidy rows", sum(map(len, log.tidy().batches())), len(rows))
    try:
        log.tidy(columns=["nonsuch"]).numpy()
        check(name + ": a column that is not there", False)
    except ValueError as error:
        check(name + ": " + str(error), "nonsuch" in str(error))
    if HAS_PANDAS:
        frame = log.tidy().pandas()
        same(name + ": tidy frame, paths", frame["path"].tolist(), arrays["path"].tolist())
        missing = {key: int((arrays[key] == -1).sum() if key == "pid" else sum(cell is None or cell != cell for cell in arrays[key]))
                   for key in arrays}
        same(name + ": tidy frame, missing", frame.isna().sum().to_dict(), missing)
        check(name + ": tidy frame, columns", list(frame.columns) == list(rows[0]))


def test_pandas(name, columns):
    frame = columns.pandas()
    check(name + ": columns of the frame", list(frame.columns) == ["path", "time", "value", "status", "unit"])
    same(name + ": paths of the frame", frame["path"].tolist(), columns.path)
    same(name + ": missing values", int(frame["value"].isna().sum()), columns.value.count(None))
    check(name + ": zone of the frame", str(frame["time"].dt.tz) == "UTC")


def test_times(file):
    log = pmon.open(file)
    begin = datetime.fromisoformat(log.info[0]["first_time"][:19]).replace(tzinfo=timezone.utc) + timedelta(minutes=3)
    text = begin.strftime("%Y-%m-%dT%H:%M:%SZ")
    expected = [json.loads(line) for line in run_pmon("values", "--format", "json", "--from", text, file).splitlines()]
    abroad = begin.astimezone(timezone(timedelta(hours=9)))
    same("a datetime with a zone", list(log.values(from_=abroad)), expected)
    check("a range is shorter", 0 < len(expected) < len(log.values().columns()))
    local = (begin + timedelta(minutes=log.info[0]["utc_offset_min"])).replace(tzinfo=None)
    same("a datetime without a zone", list(log.values(from_=local)), expected)


def test_errors(file, folder):
    def fails(what, call, status, name=None):
        try:
            call()
            check(what + ": no error", False)
        except pmon.PmonError as error:
            check("%s: status %d, file %s: %s" % (what, error.status, error.file, error),
                  error.status == status and error.file == name and str(error) != "")

    missing, text = os.path.join(folder, "missing.blg"), os.path.join(folder, "text.blg")
    with open(text, "w", encoding="utf-8") as output:
        output.write("no log\n")
    fails("a missing log", lambda: pmon.open(missing), 1, missing)
    fails("a text", lambda: pmon.open(text), 1, text)
    log = pmon.open(file)
    fails("no such counter", lambda: log.stats("nonsuch"), 1)
    fails("a wrong option", lambda: log.stats(options=["--nonsuch"]), 2)
    fails("a wrong option of values", lambda: list(log.values(every="never")), 2)
    try:
        pmon.open(file, command=os.path.join(folder, "no-pmon"))
        check("a missing command: no error", False)
    except FileNotFoundError as error:
        check("a missing command: " + str(error), "no-pmon" in str(error))

    # The log ends within a buffer: the place is where the file ends.
    damaged = os.path.join(folder, "damaged: log.blg")
    with open(file, "rb") as source, open(damaged, "wb") as output:
        output.write(source.read(400000))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cut = pmon.open(damaged)
        values = list(cut.values("cpu"))
    check("damage: %d warnings" % len(caught), len(caught) == 2 and all(w.category is pmon.DamageWarning for w in caught))
    check("warnings name the caller", all(w.filename == __file__ for w in caught))
    check("the rest of a damaged log", len(values) > 0)
    check("the place of damage: %r" % cut.notices,
          any(notice.is_loss and notice.file == damaged and notice.offset == 400000 for notice in cut.notices))

    iterator = iter(log.values())  # whoever stops early leaves no process behind
    next(iterator)
    iterator.close()
    check("ended early: %r" % log.notices, log.notices == [])

    before = os.getcwd()
    os.chdir(folder)
    for name in ("-", "@list", "--help"):  # a file, not standard input, a list or an option
        os.symlink(file, name)
        check("a file named " + name, len(pmon.open(name).series()) > 0)
    os.chdir(before)


def example_blocks():
    """(line, code, shown or None, whether it needs pandas) of docs/python.md"""
    with open(os.path.join(ROOT, "docs/python.md"), encoding="utf-8") as file:
        text = file.read()
    pattern = r"^(<!-- needs pandas -->\n)?```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?"
    return [(text.count("\n", 0, found.start()) + 1, found[2], found[3], found[1] is not None)
            for found in re.finditer(pattern, text, re.M | re.S)]


def test_document(folder):
    log = os.path.join(folder, "web01.blg")
    made = subprocess.run([os.path.join(ROOT, "share/examples/slow-server")], stdout=subprocess.PIPE, check=True).stdout
    subprocess.run([binary(), "relog", "-", "-o", log, "-y"], input=made, stdout=subprocess.DEVNULL, check=True)
    before, names, ran = os.getcwd(), {}, 0
    os.chdir(folder)
    for line, code, shown, needs_pandas in example_blocks():
        if needs_pandas and not HAS_PANDAS:
            continue
        printed = io.StringIO()
        try:
            with redirect_stdout(printed):
                exec(compile(code, "docs/python.md:%d" % line, "exec"), names)  # pylint: disable=exec-used
        except Exception:  # pylint: disable=broad-except
            check("docs/python.md:%d: %s" % (line, traceback.format_exc()), False)
        output = "".join(text.rstrip() + "\n" for text in printed.getvalue().splitlines())
        check("docs/python.md:%d prints\n%s" % (line, output), output == (shown or ""))
        ran += 1
    os.chdir(before)
    check("%d examples ran" % ran, ran >= 11)


def test_wheel(file, folder):
    """The wheel, built and installed in an environment that has nothing else"""
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        tools = subprocess.run([python, "-c", "import setuptools, wheel, pip, venv, ensurepip"], check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if tools.returncode == 0:
            break
    else:
        print("skipped: the wheel, which needs setuptools, wheel, pip and venv")
        return
    source, clean = os.path.join(folder, "source"), os.path.join(folder, "clean")
    subprocess.run(["cp", "-r", PACKAGE, source], check=True)
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "check": False, "cwd": folder}
    pip = ["-m", "pip", "--disable-pip-version-check"]
    built = subprocess.run([python, *pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", folder, source], **quiet)
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    check("the wheel: %s" % built.stdout.decode(), built.returncode == 0 and len(wheels) == 1)
    if len(wheels) != 1:
        return
    subprocess.run([python, "-m", "venv", clean], check=True)
    python = os.path.join(clean, "bin/python")
    done = subprocess.run([python, *pip, "install", "--no-index", os.path.join(folder, wheels[0])], **quiet)
    check("installing the wheel: %s" % done.stdout.decode(), done.returncode == 0)
    program = ("import libpmon, os, sys; assert libpmon.__file__.startswith(sys.prefix), libpmon.__file__; "
               "assert os.path.exists(os.path.join(os.path.dirname(libpmon.__file__), 'py.typed')); "
               "print(len(libpmon.open(sys.argv[1]).stats()))")
    answer = subprocess.run([python, "-c", program, file], **quiet)
    same("the installed package", answer.stdout.decode().strip(), str(len(command_json("stats", file)["counters"])))


def use_debian():
    """Go on in Debian's Python, if it has pandas and this one has not."""
    other = "/usr/bin/python3"
    if HAS_PANDAS or not os.access(other, os.X_OK) or os.path.samefile(other, sys.executable):
        return
    if subprocess.run([other, "-c", "import pandas"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.execv(other, [other, *sys.argv])


def main():
    use_debian()
    files = [(name, file) for name, file, _ in log_files()]
    os.environ["LIBPMON_COMMAND"] = os.path.abspath(from_root(binary()))
    os.environ.pop("PYTHONPATH", None)
    for name, file in files:
        test_log(name, file)
    with tempfile.TemporaryDirectory() as folder:
        test_times(files[-1][1])
        test_errors(files[-1][1], folder)
    with tempfile.TemporaryDirectory() as folder:
        test_document(folder)
    with tempfile.TemporaryDirectory() as folder:
        test_wheel(files[0][1], folder)
    for has, what in ((HAS_NUMPY, "NumPy"), (HAS_PANDAS, "pandas")):
        if not has:
            print("skipped: arrays and frames, without " + what)
    print("%d problems" % len(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
