#!/usr/bin/env python3
# test_sysstat.py - what pmon samples of this machine agrees with sysstat's tools
# SPDX-License-Identifier: MIT
#
# mpstat, iostat, sar, pidstat and pmon watch the same few seconds, while a process keeps processor,
# disk and loopback busy. They do not begin in the same millisecond, so figures may differ by what
# happened in between: a counter agrees when it does so in one of five tries. The tolerance is written
# beside each; a wrong unit, field or base is far outside of it. Then processes that live for about a
# second come and go, and the CPU time that both count of them is compared.

import csv
import json
import mmap
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

# PMON_TEST_SYSSTAT=60 compares a minute, with the tolerances that hold over a minute.
SECONDS = int(os.environ.get("PMON_TEST_SYSSTAT", "3"))
LONG = SECONDS >= 60
TICK_PERCENT = 100 * 0.01 / SECONDS  # a tick of 10 ms in the whole time
TRIES = 5
LOAD_PAGES = 1024  # that the load maps and gives back, over and over
KID_SECONDS = 6 if not LONG else SECONDS  # of short-lived processes
TOOLS = ("mpstat", "iostat", "sar", "pidstat")
PMON = os.environ.get("PMON_BIN", "build/pmon")


def load(folder):
    """Keep the machine busy at an even pace until killed."""
    with open("/proc/self/comm", "w", encoding="ascii") as comm:
        comm.write("pmonload")
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    receiver.setblocking(False)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    block = b"x" * 262144
    fd = os.open(os.path.join(folder, "load"), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    start = time.monotonic()
    turn = 0
    while True:
        turn += 1
        os.pwrite(fd, block, (turn % 64) * len(block))
        os.fdatasync(fd)
        with mmap.mmap(-1, LOAD_PAGES * mmap.PAGESIZE) as pages:  # as many page faults
            for page in range(LOAD_PAGES):
                pages[page * mmap.PAGESIZE] = 1
        for _ in range(20):
            sender.sendto(b"y" * 1000, receiver.getsockname())
            try:
                receiver.recv(2000)
            except BlockingIOError:
                pass
        end = start + turn * 0.02
        while time.monotonic() < end - 0.012:  # about a third of a processor
            sum(range(200))
        time.sleep(max(0, end - time.monotonic()))


def kids():
    """Start processes that work for 0.05 to 1.5 s, one after the other, until killed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    turn = 0
    while True:
        turn += 1
        if os.fork() == 0:
            with open("/proc/self/comm", "w", encoding="ascii") as comm:
                comm.write("pmonkid")
            end = time.monotonic() + (0.05, 1.5, 0.4, 0.9)[turn % 4]
            while time.monotonic() < end:
                sum(range(200))
            os._exit(0)
        time.sleep(0.7)


# ---- sysstat ------------------------------------------------------------------------------------


def start(*words):
    env = dict(os.environ, LC_ALL="C", S_TIME_FORMAT="ISO", S_COLORS="never")
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env)


def tables(text):
    """The tables of a sysstat tool: {column: value} for each row, with the words as they stand."""
    head, rows = None, []
    for line in text.splitlines():
        words = line.split()
        if not words:
            head = None
        elif head is None:
            head = words
        else:
            rows.append(dict(zip(head, words)))
    return rows


def averages(text):
    """Rows of "Average:" lines, under the columns of the heading of their table."""
    head, rows = None, []
    for line in text.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "Average:":
            if not re.match(r"^(all|-?[\d.]+)$", words[-1]) or words[1] in ("CPU", "IFACE"):
                head = words
            elif head:
                rows.append(dict(zip(head, words)))
    return rows


def number(row, column):
    try:
        return float(row[column])
    except (KeyError, ValueError):
        return None


def read_mpstat(text, want):
    for row in averages(text):
        name = "_Total" if row.get("CPU") == "all" else row.get("CPU")
        for column, counter, sign in (
            ("%idle", "% Processor Time", "busy"),
            ("%usr", "% User Time", "+nice"),
            ("%iowait", "% I/O Wait Time", ""),
            ("%soft", "% DPC Time", ""),
            ("%irq", "% Interrupt Time", ""),
            ("%steal", "% Steal Time", ""),
        ):
            value = number(row, column)
            if value is None:
                continue
            if sign == "busy":
                value = 100 - value - (number(row, "%iowait") or 0)
            elif sign == "+nice":
                value += sum(number(row, c) or 0 for c in ("%nice", "%guest", "%gnice"))
            want[f"\\Processor({name})\\{counter}"] = (value, 0.03, 1.5)


# Waiting times and queues depend on single slow requests at the ends of the interval.
LOOSE = ("r_await", "w_await", "rareq-sz", "wareq-sz", "queue")
IOSTAT = (
    ("r/s", "Disk Reads/sec", 1),
    ("w/s", "Disk Writes/sec", 1),
    ("rkB/s", "Disk Read Bytes/sec", 1024),
    ("wkB/s", "Disk Write Bytes/sec", 1024),
    ("wrqm/s", "Writes Merged/sec", 1),
    ("rrqm/s", "Reads Merged/sec", 1),
    ("r_await", "Avg. Disk sec/Read", 0.001),
    ("w_await", "Avg. Disk sec/Write", 0.001),
    ("rareq-sz", "Avg. Disk Bytes/Read", 1024),
    ("wareq-sz", "Avg. Disk Bytes/Write", 1024),
    ("f/s", "Disk Flushes/sec", 1),
    ("queue", "Avg. Disk Queue Length", 1),
)


def put_queue(row):
    """The queue by Little's law. The column aqu-sz has flushes and discards too, which Windows' queue length and pmon's
    do not."""
    row["queue"] = sum((number(row, k + "/s") or 0) * (number(row, k + "_await") or 0) for k in "rw") / 1000


def read_iostat(text, want):
    for row in tables(text):
        put_queue(row)
        if (number(row, "w/s") or 0) < 5:
            continue  # of devices that do nothing there is nothing to compare
        path = f"\\PhysicalDisk({row['Device']})\\"
        for column, counter, factor in IOSTAT:
            value = number(row, column)
            # iostat has two decimals: of a small number its rounding is the tolerance.
            if value is not None:
                relative = 0.25 if column in LOOSE else 0.08
                want[path + counter] = (value * factor, relative, 0.011 * factor)
        if number(row, "%util") is not None:
            want[path + "% Idle Time"] = (100 - number(row, "%util"), 0.03, 1.5)


# A program that starts in one interval and not in the other makes this much of a difference.
BURST = {"cswch/s": 300, "proc/s": 15, "fault/s": 3000, "pgpgin/s": 1 << 20, "pgpgout/s": 1 << 20}
SAR = (
    ("cswch/s", "\\System\\Context Switches/sec", 1),
    ("proc/s", "\\System\\Forks/sec", 1),
    ("fault/s", "\\Memory\\Page Faults/sec", 1),
    ("majflt/s", "\\Memory\\Page Reads/sec", 1),
    ("pgpgin/s", "\\Memory\\Block Read Bytes/sec", 1024),
    ("pgpgout/s", "\\Memory\\Block Write Bytes/sec", 1024),
    ("kbavail", "\\Memory\\Available Bytes", 1024),
    ("kbmemfree", "\\Memory\\Free & Zero Page List Bytes", 1024),
    ("kbcommit", "\\Memory\\Committed Bytes", 1024),
    ("ldavg-1", "\\System\\Load Average 1 Minute", 1),
    ("plist-sz", "\\System\\Threads", 1),
    ("idgm/s", "\\UDPv4\\Datagrams Received/sec", 1),
    ("odgm/s", "\\UDPv4\\Datagrams Sent/sec", 1),
    ("iseg/s", "\\TCPv4\\Segments Received/sec", 1),
    ("oseg/s", "\\TCPv4\\Segments Sent/sec", 1),
    ("irec/s", "\\IPv4\\Datagrams Received/sec", 1),
)
# For these sar prints what it read last.
LEVELS = {path for column, path, _ in SAR if column in ("kbavail", "kbmemfree", "kbcommit", "ldavg-1", "plist-sz")}
SAR_INTERFACE = (
    ("rxpck/s", "Packets Received/sec", 1),
    ("txpck/s", "Packets Sent/sec", 1),
    ("rxkB/s", "Bytes Received/sec", 1024),
    ("txkB/s", "Bytes Sent/sec", 1024),
)


def read_sar(text, want):
    for row in averages(text):
        table = SAR
        prefix = ""
        if "IFACE" in row:
            table, prefix = SAR_INTERFACE, f"\\Network Interface({row['IFACE']})\\"
        for column, counter, factor in table:
            value = number(row, column)
            if value is not None:
                floor = BURST.get(column, 12 if factor == 1 else 64 * factor)
                want[prefix + counter] = (value * factor, 0.06, floor)


# Over a minute one tick, and half of the last of the two decimals that pidstat prints. Over three
# seconds both ends differ by what the programs take to start.
CPU_FLOOR = 2 if not LONG else (TICK_PERCENT + 0.005) * SECONDS / 3
PIDSTAT = (
    ("%usr", "% User Time", 1, CPU_FLOOR),
    ("%system", "% Privileged Time", 1, CPU_FLOOR),
    ("%CPU", "% Processor Time", 1, CPU_FLOOR),
    ("minflt/s", "Page Faults/sec", 1, 12),
    ("VSZ", "Virtual Bytes", 1024, LOAD_PAGES * mmap.PAGESIZE),
    ("RSS", "Working Set", 1024, LOAD_PAGES * mmap.PAGESIZE),
    ("kB_wr/s", "Disk Write Bytes/sec", 1024, 1024),
    ("kB_rd/s", "Disk Read Bytes/sec", 1024, 1024),
)


def read_pidstat(text, want):
    for line in text.splitlines():
        if line.startswith("#"):
            head = line[1:].split()
        elif "pmonload" in line:
            row = dict(zip(head, line.split()))
            for column, counter, factor, floor in PIDSTAT:
                value = number(row, column)
                if value is not None:
                    want[f"\\Process(pmonload)\\{counter}"] = (value * factor, 0.06, floor)


# ---- pmon ---------------------------------------------------------------------------------------


def read_pmon(text):
    found = {}
    for counter in json.loads(text)["counters"]:
        path = "\\" + counter["path"].split("\\", 3)[3]
        found[path] = counter["last" if path in LEVELS else "average"]
    return found


# ---- Short-lived processes ----------------------------------------------------------------------


def kid_seconds_of_pidstat(text):
    """CPU-seconds of all kids, and how many there were, by a table for each second."""
    total, pids, head = 0, set(), []
    for line in text.splitlines():
        if line.startswith("#"):
            head = line[1:].split()
        elif line.endswith("pmonkid"):
            row = dict(zip(head, line.split()))
            total += float(row["%CPU"]) / 100
            pids.add(row["PID"])
    return total, len(pids)


def kid_seconds_of_pmon(text):
    """The same from raw values, samples a second apart: what began after the first counts from 0."""
    samples = {}
    for line in csv.DictReader(text.splitlines()):
        instance, counter = re.match(r".*\\Process\((.*)\)\\(.*)", line["path"]).groups()
        samples.setdefault(line["time"], {}).setdefault(instance, {})[counter] = int(line["first"])
    known, total, pids = {}, 0, set()
    for n, time_text in enumerate(sorted(samples)):
        for row in samples[time_text].values():
            who = (row["ID Process"], row["Elapsed Time"])
            used = row["% Processor Time"] / 1e7
            if n > 0:
                total += used - known.get(who, 0)
                pids.add(who)
            known[who] = used
    return total, len(pids)


def compare_kids():
    """What short-lived processes used, by both. Each loses what is after its last sample of a process."""
    n = str(KID_SECONDS)
    patterns = ("ID Process", "Elapsed Time", "% Processor Time")
    words = [w for p in patterns for w in ("-c", f"\\Process(pmonkid*)\\{p}")]
    theirs = start("pidstat", "-u", "-h", "-C", "pmonkid", "1", n)
    mine = start(PMON, "raw", "--format", "csv", "-i", "1s", "-n", str(KID_SECONDS + 1), *words)
    want = kid_seconds_of_pidstat(theirs.communicate()[0])
    got = kid_seconds_of_pmon(mine.communicate()[0])
    print(f"short-lived processes in {n} s: pidstat {want[0]:.2f} CPU-seconds of {want[1]}, "
          f"pmon {got[0]:.2f} of {got[1]}")  # fmt: skip
    return want[0] > 0 and abs(got[0] - want[0]) <= max(0.1 * want[0], 0.3)


# ---- The comparison -----------------------------------------------------------------------------


def observe(pid):
    """What sysstat says, {path: (value, relative, absolute tolerance)}, and what pmon says."""
    n = str(SECONDS)
    patterns = ["\\Processor(*)\\*", "\\PhysicalDisk(*)\\*", "\\System\\*", "\\Memory\\*",
                "\\Network Interface(*)\\*", "\\TCPv4\\*", "\\UDPv4\\*", "\\IPv4\\*",
                "\\Process(pmonload)\\*"]  # fmt: skip
    words = [PMON, "stats", "--format", "json", "-n", "1", "-i", n + "s"]
    tools = {
        read_sar: start("sar", *"-n DEV -n UDP -n TCP -n IP -w -B -r -q".split(), n, "1"),
        read_mpstat: start("mpstat", "-P", "ALL", n, "1"),
        read_iostat: start("iostat", "-dxy", n, "1"),
        read_pidstat: start("pidstat", "-u", "-r", "-d", "-h", "-p", str(pid), n, "1"),
    }
    mine = start(*words, *(w for p in patterns for w in ("-c", p)))
    want = {}
    for read, process in tools.items():
        read(process.communicate()[0], want)
    return want, read_pmon(mine.communicate()[0])


def agrees(want, got, relative, absolute):
    if LONG:
        relative, absolute = 0.01, absolute * 3 / SECONDS
    return got is not None and abs(want - got) <= max(relative * max(abs(want), abs(got)), absolute)


def compare(pid):
    agreed, differ = set(), {}
    for _ in range(TRIES):
        wants, found = observe(pid)
        for path, (want, relative, absolute) in wants.items():
            if agrees(want, found.get(path), relative, absolute):
                agreed.add(path)
            else:
                differ[path] = f"{path}: sysstat {want:.6g}, pmon {found.get(path)}"
        if not set(differ) - agreed:
            break
    return agreed, [text for path, text in differ.items() if path not in agreed]


def main():
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} of sysstat are not here")
        return 77
    with tempfile.TemporaryDirectory(dir=".") as folder:
        busy = subprocess.Popen([sys.executable, os.path.abspath(__file__), "load", folder])
        try:
            time.sleep(0.5)
            agreed, differ = compare(busy.pid)
        finally:
            busy.send_signal(signal.SIGKILL)
            busy.wait()
    with_kids = subprocess.Popen([sys.executable, os.path.abspath(__file__), "kids"])
    try:
        time.sleep(0.5)
        kids_agree = any(compare_kids() for _ in range(TRIES))
    finally:
        with_kids.send_signal(signal.SIGKILL)
        with_kids.wait()
    for text in differ:
        print(text)
    kinds = {path.split("\\")[1].split("(")[0] for path in agreed}
    print(f"{len(agreed)} counters agree, {len(differ)} do not; of {', '.join(sorted(kinds))}")
    # The compared values must be there; otherwise the test proves nothing.
    for kind in ("Processor", "System", "Memory", "Process", "Network Interface", "UDPv4"):
        if kind not in kinds:
            print(f"nothing of {kind} was compared")
            return 1
    return 1 if differ or not kids_agree else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["load"]:
        load(sys.argv[2])
    if sys.argv[1:2] == ["kids"]:
        kids()
    sys.exit(main())
