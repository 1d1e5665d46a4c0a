#!/usr/bin/env python3
"""Every verb over files that were made to crash it, hang it or exhaust the machine. PMON_TEST_FULL=1: each over each.

No run ends by a signal, and each keeps to the bounds of docs/reference/internals.md ("Limits of an input"): 64 MiB of memory and 20 times
the file, 10 s of processor time for a file of less than 1 MB. Some files are made here field by field. The others are
in the folder PMON_TEST_HOSTILE ("hostile" beside PMON_TEST_DATA); without it only the former are used.
"""

import fnmatch
import gzip
import json
import os
import resource
import sqlite3
import sys
import tempfile

import common

MIB = 1 << 20
CPU_SECONDS = 10
READING = [
    ["info"], ["list", "-l"], ["stats"], ["values"], ["raw", "--format", "csv"],
    ["explain", "-c", "\\*(*)\\*", "-c", "\\*\\*"],
]
# What they do with what was read.
OTHERS = [
    ["stats", "--by", "machine"], ["values", "--format", "json"],
    ["explain", "-c", "\\*(*)\\*", "--to", "2016-02-15T08:53:20"],
    ["chart", "-y", "-o", "out.svg"], ["chart", "--ascii"], ["report", "-y", "-o", "out.html"],
    ["top"], ["rules"],
] + [["relog", "-y", "-f", suffix, "-o", "out." + suffix]
     for suffix in ("blg", "csv", "sqlite", "jsonl", "openmetrics", "influx", "sqlserver")] + [
         ["relog", "-y", "--step", "1h", "-f", "csv", "-o", "out.csv"]]
TURNS = 4

# JSON lines cannot hold a log without samples, which is 1.
# The exit status of verbs that read all values: 3 where something is lost, 1 where the file is refused. A log that is read while
# it is unpacked takes no room, only time.
STATUSES = {
    "crash-*": 3, "hang-*": 3, "silent-*": 3, "times-*": 3, "explain-oob-*": 0, "bomb-zeros*": 1, "bomb-log*": 0, "mem-*": 1,
    "sqlite-shared-*": 0, "many-bases.jsonl": 0, "late-series.jsonl": 0,
}


def verbs_of(number, file_name):
    """All, for a file that crashed or hung some verb or took its memory, and with PMON_TEST_FULL=1; for the others of the
    files those that read, and a quarter of the rest in turn: what each does is the same for most of these files."""
    kind = os.path.basename(file_name).partition("-")[0]
    if os.environ.get("PMON_TEST_FULL") or kind in ("crash", "hang", "explain", "mem"):
        return READING + OTHERS
    return READING + OTHERS[number % TURNS::TURNS]


def line(path, time, first, **more):
    return json.dumps({"path": path, "type": "PERF_COUNTER_RAWCOUNT", "time": time, "first": first,
                       **more}) + "\n"


def moment(milliseconds):
    return "2026-11-20T15:%02d:%02d.%03dZ" % (milliseconds // 60000, milliseconds // 1000 % 60,
                                              milliseconds % 1000)


def make_text(name, lines):
    with open(name, "w", encoding="utf-8") as out:
        out.writelines(lines)
    return name


def make_database(name, update):
    """A database of pmon with three samples, changed by a statement of SQL."""
    make_text("small.jsonl", [line("\\\\h\\o\\c", moment(1000 * i), i + 5) for i in range(3)])
    common.run_pmon("relog", "-y", "-f", "sqlite", "-o", name, "small.jsonl")
    with sqlite3.connect(name) as database:
        if database.execute(update).rowcount == 0:
            raise RuntimeError("nothing to change: " + update)
    return name


def make_files():
    for i, time in enumerate((-1, 0, 1 << 61, (1 << 63) - 1, -(1 << 63))):
        yield make_database("times-sample-%d.db" % i,
                            "UPDATE pmon_sample SET time_100ns = %d WHERE ordinal = 1" % time)
        yield make_database("times-value-%d.db" % i,
                            "UPDATE CounterData SET Time100ns = %d WHERE FirstValueA = 6" % time)
    yield make_text("times.jsonl", [line("\\\\h\\o\\c", time, 1) for time in
                                    ("1601-01-01T00:00:00Z", "2026-11-20T15:00:00Z",
                                     "+030828-09-14T02:48:05Z", "2400-01-01T00:00:00Z")])
    # One path with many time bases is many series, which a hash of the path alone takes for one.
    yield make_text("many-bases.jsonl", [line("\\\\h\\o\\c", moment(0), 1, time_base=i + 1)
                                         for i in range(8000)])
    # Series that come last and are listed first.
    yield make_text("late-series.jsonl",
                    [line("\\\\h\\o(0)\\c", moment(0), 1, order=9000)] +
                    [line("\\\\h\\o(%d)\\c" % i, moment(1000), 1, order=9000 - i)
                     for i in range(1, 5000)])
    with gzip.open("bomb-zeros.gz", "wb") as out:
        out.write(bytes(64 * MIB))
    with gzip.open("bomb-log.jsonl.gz", "wb") as out:
        out.write(line("\\\\h\\o\\c", moment(0), 1).encode() + b"\n" * (64 * MIB))


def shared_files():
    data = common.from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data")
    folder = os.environ.get("PMON_TEST_HOSTILE") or os.path.join(data, "..", "hostile")
    folder = common.from_root(folder)
    if not os.path.isdir(folder):
        return []
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
            if not name.endswith(".md")]


def is_sanitized():
    with open(common.binary(), "rb") as program:
        return b"__asan_init" in program.read()


class Runner:
    def __init__(self):
        self.program = common.binary()
        self.bounded = not is_sanitized()   # a sanitizer needs much more of everything
        self.failures = 0

    def limit(self, size):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (100 * size + 64 * MIB,) * 2)
        if self.bounded:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))

    def run(self, verb, file_name):
        """The exit status, the most memory and the processor time."""
        size = os.stat(file_name).st_size
        pid = os.fork()
        if pid == 0:
            try:
                self.limit(size)
                null = os.open(os.devnull, os.O_RDWR)
                for fd in (0, 1, 2):
                    os.dup2(null, fd)
                os.execv(self.program, [self.program, *verb, file_name])
            finally:
                os._exit(127)
        _, status, usage = os.wait4(pid, 0)
        return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime

    def complain(self, verb, file_name, what):
        self.failures += 1
        print("pmon %s %s: %s" % (" ".join(verb), os.path.basename(file_name), what))

    def check(self, verb, file_name):
        size = os.stat(file_name).st_size
        status, memory, seconds = self.run(verb, file_name)
        if status not in (0, 1, 3):
            self.complain(verb, file_name, "exit status %d" % status)
        if self.bounded and memory > 64 * MIB + 20 * size:
            self.complain(verb, file_name, "%d KiB of memory for %d bytes" % (memory // 1024, size))
        if self.bounded and size < 1000000 and seconds > CPU_SECONDS:
            self.complain(verb, file_name, "%.1f s of processor time" % seconds)
        for pattern, wanted in STATUSES.items():
            if (self.reads_all(verb, pattern) and fnmatch.fnmatch(os.path.basename(file_name), pattern) and
                    status != wanted and not (status == 1 and "jsonl" in verb)):
                self.complain(verb, file_name, "exit status %d, not %d" % (status, wanted))

    @staticmethod
    def reads_all(verb, pattern):
        """Does the verb give the exit status of the table? A picture of a log without a value fails, and only
        info and stats read a log while it is unpacked."""
        if pattern.startswith("bomb-log"):
            return verb[0] == "info"
        return verb[0] in ("info", "list", "stats", "values", "raw", "relog") and "--by" not in verb


def main():
    shared = shared_files()
    runner = Runner()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for _ in make_files():
            pass
        own = [os.path.abspath(name) for name in sorted(os.listdir("."))]
        files = own + shared
        os.mkdir("out")
        os.chdir("out")
        for number, file_name in enumerate(files):
            for verb in verbs_of(number, file_name):
                runner.check(verb, file_name)
        status, memory, _ = runner.run(["info"], "/dev/zero")
        if status != 1 or (runner.bounded and memory > 64 * MIB):
            runner.complain(["info"], "/dev/zero", "exit status %d" % status)
        os.chdir("/")
    print("%d files, %d of them shared, %d verbs; %d failures" % (len(files), len(shared), len(READING + OTHERS),
                                                                  runner.failures))
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
