#!/usr/bin/env python3
# make_questions.py - two logs of a day as JSON lines, for questions.sh
# SPDX-License-Identifier: MIT
#
#	make_questions.py this|last | pmon relog - -o this.blg
#
# 2026-11-20 (this) or 2026-11-13 (last), 09:00 to 12:00 UTC, a sample every minute. What is planted is in
# questions.sh.

import json
import sys
from datetime import datetime, timedelta

STEP_S = 60
SAMPLES = 181
TICKS = 10_000_000
DISK_HZ = 1_000_000
MB = 1 << 20
PROCESSES = ("sqlservr", "w3wp", "backup", "spooler", "explorer", "leaky")
IS_LAST = sys.argv[1] == "last"


def cpu_percent(process, i):
    """Processor use in the minute that ends with sample i"""
    if process == "backup":
        return 80 if i == 92 else 1  # 10:32
    return {"sqlservr": 10, "w3wp": 5}.get(process, 2)


def read_us(i):
    """How long a read takes in the minute that ends with sample i"""
    if IS_LAST:
        return 2_000
    return 5_000 if i <= 60 else 20_000 if i <= 120 else 10_000


def line(path, kind, time, i, first, second=0, hz=0):
    print(json.dumps({
        "path": "\\\\SRV\\" + path, "type": kind, "time": time.isoformat() + "Z", "status": "valid_data",
        "first": first, "second": second, "multi": 1, "time_base": hz, "sample": i}))


def main():
    start = datetime(2026, 11, 13 if IS_LAST else 20, 9, 0, 0)
    busy = dict.fromkeys(PROCESSES, 0)
    reading, reads = 0, 0
    for i in range(SAMPLES):
        time = start + timedelta(seconds=i * STEP_S)
        if i > 0:
            reads += 100
            reading += 100 * read_us(i)
        for n, process in enumerate(PROCESSES):
            if i > 0:
                busy[process] += cpu_percent(process, i) * STEP_S * TICKS // 100
            name = "Process(" + process + ")\\"
            line(name + "% Processor Time", "PERF_100NSEC_TIMER", time, i, busy[process], i * STEP_S * TICKS, TICKS)
            line(name + "Private Bytes", "PERF_COUNTER_LARGE_RAWCOUNT", time, i, (600 - 100 * n) * MB)
            handles = 1000 + (200 * i if process == "leaky" and not IS_LAST else 0)
            line(name + "Handle Count", "PERF_COUNTER_RAWCOUNT", time, i, handles)
        line("PhysicalDisk(0 C:)\\Avg. Disk sec/Read", "PERF_AVERAGE_TIMER", time, i, reading, reads, DISK_HZ)
        line("PhysicalDisk(0 C:)\\Disk Reads/sec", "PERF_COUNTER_COUNTER", time, i, reads, i * STEP_S * DISK_HZ, DISK_HZ)
        line("SQLServer:General Statistics\\User Connections", "PERF_COUNTER_RAWCOUNT", time, i, 42)


if __name__ == "__main__":
    main()
