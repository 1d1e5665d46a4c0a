#!/usr/bin/env python3
"""Logs of as many series as a file of their size can have: every verb keeps to its bounds.

The bounds are those of docs/reference/internals.md ("Limits of an input"): 64 MiB of memory and 20 times the file, 10 s of processor time. The
logs are made here, field by field, so that each series takes as few bytes as its format allows. For each verb one
log has more series than are read, which is a clear error, and one has nearly as many, of which all are read. Other
formats take more bytes for a series than is kept of it. Each verb reads every fourth kind of log, so that each kind is
read by four verbs; with PMON_TEST_FULL=1 each verb reads each.
"""

import os
import re
import resource
import struct
import sys
import tempfile

import common

MIB = 1 << 20
CPU_SECONDS = 10
TIME = 133485408000000000       # 2024-01-01, FILETIME
RAWCOUNT = 0x00010000
TOO_MANY = 100000               # more than any verb reads of a file that is nearly empty
VERBS = [
    ["info"], ["list", "-l"], ["stats"], ["stats", "--by", "machine"], ["trend"],
    ["stats", "--percentile", "50,95,99"], ["stats", "--sort", "p95"], ["stats", "--by", "machine", "--percentile", "95"],
    ["explain", "-c", "\\*(*)\\*", "-c", "\\*\\*"], ["chart", "--ascii"], ["report", "-y", "-o", "out.html"],
    ["health"], [], ["sql", "SELECT * FROM counters"],
    ["sql", "SELECT pmon_avg(operands), pmon_percentile(operands, 95) FROM log GROUP BY type"],
    ["sql", "SELECT * FROM findings"],
] + [["relog", "-y", "-f", suffix, "-o", "out." + suffix]
     for suffix in ("blg", "csv", "sqlite", "openmetrics")] + [
         ["relog", "-y", "--step", "1h", "-f", "csv", "-o", "out.csv"]]
LIMIT = re.compile(rb"more than (\d+) (counters: too many|instances in one log)")


def utf16(text):
    return text.encode("utf-16-le")


# ---- Registry blocks ------------------------------------------------------------------------------

def block(counters, instances):
    """A PERF_DATA_BLOCK of one object (winperf.h). All counters of an instance are the same four bytes."""
    definitions = b"".join(struct.pack("<IIIIIiIIII", 40, 2 * i + 6, 0, 0, 0, 0, 0, RAWCOUNT, 4, 0)
                           for i in range(counters))
    values = struct.pack("<I", 4)
    instance = struct.pack("<IIIiII", 24, 0, 0, -1, 0, 0) + values
    at = 64 + len(definitions)
    total = at + instances * len(instance)
    head = struct.pack("<IIIIIIIIIiiiqq", total, at, 64, 230, 0, 0, 0, 0, counters, 0, instances, 0,
                       1000, 10000000)
    name = utf16("M\0") + bytes(4)
    first = 88 + len(name)
    return (utf16("PERF") + struct.pack("<IIIIIIi", 1, 1, 1, first + total, first, 1, 230) +
            struct.pack("<8H4x", 2024, 1, 1, 1, 0, 0, 0, 0) +
            struct.pack("<qqqII", 1000, 10000000, TIME, 4, 88) + name +
            head + definitions + instance * instances)


def perfblock_wide(n):
    return block(500, n // 500)


def perfblock_narrow(n):
    return block(1, n)


# ---- Agents' sections -----------------------------------------------------------------------------

def winperf_narrow(n):
    return (b"<<<winperf_x>>>\n1704067200 234 1\n%d instances:" % n + b" a" * n + b"\n2" + b" 1" * n +
            b" rawcount\n")


# ---- BLG (docs/reference/formats/blg.md) --------------------------------------------------------------------

BUFFER = 0x10000
PDH = bytes([0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49, 0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79])


def blg_buffer(number, payload):
    used = 0x48 + len(payload)
    head = struct.pack("<IIIIQQQIIIHH16x", BUFFER, used, used + 0x100, 0, 0, number, 0, 0x00010800, 3, used, 1,
                       4 if number == 0 else 0)
    return head + payload + b"\xFF" * (BUFFER - used)


def blg_header():
    """SYSTEM_TRACE_HEADER and TRACE_LOGFILE_HEADER of a log in UTC that was not closed."""
    trace = struct.pack("<IBBHIIQIIIIIIII16x", BUFFER, 10, 0, 0x0501, 14393, 1, 0, 156250, 0, 0x01000001,
                        0, 1, 8, 0, 2400)
    trace += bytes(172)         # TIME_ZONE_INFORMATION
    trace += bytes(-(32 + len(trace)) % 8)
    trace += struct.pack("<QQQII", 0, 10000000, TIME, 2, 0) + utf16("t\0t\0")
    size = 32 + len(trace)
    event = struct.pack("<HBBHHIIQQ", 0, 2, 0xC0, size, 0, 1, 2, TIME, 0) + trace
    return event + bytes(-len(event) % 8)


def blg_record(kind, data):
    """The events of a record, each of a buffer of its own."""
    chunk = 60000
    parts = max(1, -(-len(data) // chunk))
    for i in range(parts):
        piece = data[i * chunk:(i + 1) * chunk]
        event = struct.pack("<HBBBBHIIQ", 72 + len(piece), 20, 0xC0, kind, 0, 60, 1, 2, TIME) + PDH + bytes(8)
        event += b"\x11" * 16 + struct.pack("<II", i + 1, parts) + piece
        yield event + bytes(-len(event) % 8)


def blg_entry(flags, counter):
    area = utf16("\0") + utf16("System\0") + utf16("*\0") + utf16(counter + "\0")
    area += bytes(-(0x34 + len(area)) % 8)
    return struct.pack("<IIIIqiIIIIII", 0x34 + len(area), flags, 0, RAWCOUNT, 0, 0, 0, 2, 16, 0xFFFFFFFF, 0,
                       20) + area


def blg(flags, form, value):
    value = struct.pack("<2sHI", b"BL", form, 8 + len(value)) + value
    sample = struct.pack("<2sHI", b"BL", 3, 8 + len(value)) + value
    names = {230: "System"} | {2 * i + 6: "C%d" % i for i in range(500) if 2 * i + 6 != 230}
    table = "".join("%d\0%s\0" % name for name in sorted(names.items()))
    records = [(0x24, utf16("\0") + utf16(table) + utf16("\0")),
               (0x20, struct.pack("<II", 0x6FF, 0x00020008) + blg_entry(flags, "*" if flags & 16 else "C")),
               (0x22, sample)]
    events = [event for kind, data in records for event in blg_record(kind, data)]
    buffers = [blg_buffer(0, blg_header())]
    return b"".join(buffers + [blg_buffer(i + 1, event) for i, event in enumerate(events)])


def blg_object(n):
    return blg(0x10, 0x0503, perfblock_wide(n))


def blg_items(n):
    """Form 0203: all items share one name."""
    items = struct.pack("<IIqq", 24 + 24 * n, 1, 5, 0) * n
    return blg(1, 0x0203, struct.pack("<IIIIq", 0, n, 0, 0, TIME) + items + utf16("a\0"))


# ---- Texts ----------------------------------------------------------------------------------------

def csv(n):
    return (b'"(PDH-CSV 4.0) (UTC)(0)"' + b",\\O\\C" * n + b'\n"01/01/2024 00:00:00.000"' + b",1" * n + b"\n")


def csv_names(n):
    return (b'"(PDH-CSV 4.0) (UTC)(0)"' + b"".join(b",\\O(%x)\\C" % i for i in range(n)) +
            b'\n"01/01/2024 00:00:00.000"' + b",1" * n + b"\n")


MAKERS = [perfblock_wide, perfblock_narrow, winperf_narrow, blg_object, blg_items, csv, csv_names]


# ---- Running --------------------------------------------------------------------------------------

class Runner:
    def __init__(self):
        self.program = common.binary()
        with open(self.program, "rb") as program:
            if b"__asan_init" in program.read():
                common.skip("sanitizers have memory of their own")
        self.failures = 0
        self.runs = 0

    def run(self, verb):
        """The exit status, what was said, the most memory and the processor time."""
        self.runs += 1
        pid = os.fork()
        if pid == 0:
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (2 * CPU_SECONDS, 2 * CPU_SECONDS))
                os.dup2(os.open(os.devnull, os.O_RDWR), 0)
                os.dup2(0, 1)
                os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
                os.execv(self.program, [self.program, *verb, "log"])
            finally:
                os._exit(127)
        _, status, usage = os.wait4(pid, 0)
        with open("said", "rb") as said:
            return (os.waitstatus_to_exitcode(status), said.read(), usage.ru_maxrss * 1024,
                    usage.ru_utime + usage.ru_stime)

    def complain(self, verb, maker, what):
        self.failures += 1
        print("pmon %s on %s: %s" % (" ".join(verb), maker.__name__, what))

    def check(self, verb, maker, n):
        """Run a verb over a log of about n series. Returns how many of them are too many, or None."""
        data = maker(n)
        with open("log", "wb") as log:
            log.write(data)
        status, said, memory, seconds = self.run(verb)
        found = LIMIT.search(said)
        if status != (0 if found is None else 1):
            self.complain(verb, maker, "%d series: exit status %d: %s" % (n, status, said[-200:]))
        if memory > 64 * MIB + 20 * len(data):
            self.complain(verb, maker, "%d series: %d KiB of memory for %d bytes" % (n, memory // 1024, len(data)))
        if seconds > CPU_SECONDS:
            self.complain(verb, maker, "%d series: %.1f s of processor time" % (n, seconds))
        return None if found is None else int(found.group(1))

    def check_most(self, verb, maker):
        limit = self.check(verb, maker, TOO_MANY)
        if limit is None:
            return
        # That was the limit of the larger file: 20 times its bytes are memory too.
        size = len(maker(TOO_MANY))
        per_series = (48 * MIB + 20 * size) / limit
        n = int(0.98 * 48 * MIB / (per_series - 20 * size / TOO_MANY))
        if self.check(verb, maker, n) is not None:
            self.complain(verb, maker, "%d series are too many" % n)


def main():
    runner = Runner()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        turns = 1 if os.environ.get("PMON_TEST_FULL") else 4
        for i, maker in enumerate(MAKERS):
            condition = "\\O\\C > 0" if maker is csv else "\\*(*)\\* > 0"
            for j, verb in enumerate(VERBS + [["find", condition]]):
                if (i + j) % turns == 0:
                    runner.check_most(verb, maker)
        os.chdir("/")
    print("%d kinds of logs, %d verbs, %d runs; %d failures" % (len(MAKERS), len(VERBS) + 1, runner.runs,
                                                               runner.failures))
    return 1 if runner.failures else 0


if __name__ == "__main__":
    sys.exit(main())
