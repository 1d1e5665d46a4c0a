#!/usr/bin/env python3
# make_fleet.py - logs of many machines, as JSON lines: make_fleet.py DIR MACHINES FILES SAMPLES [DISKS]
# SPDX-License-Identifier: MIT
#
# Machine m has FILES consecutive logs, DIR/Mm-FF.jsonl, of SAMPLES samples a second apart.
# Counters are reset now and then, disks come and go, every fifth log is short, so that a gap follows.
# Standard output has what the averages of Avg. Disk sec/Read over all disks must be, by the formula of
# PERF_AVERAGE_TIMER, ((N1 - N0) / F) / (B1 - B0): a row "machine, sum of ticks, sum of reads".

import datetime
import json
import random
import sys

folder, machines, files, samples = sys.argv[1], *map(int, sys.argv[2:5])
disks = int(sys.argv[5]) if len(sys.argv) > 5 else 3
start = datetime.datetime(2026, 11, 20, 15)
random.seed(7)

for m in range(machines):
    now = start
    busy, reads, idle = [0] * disks, [0] * disks, [0] * disks
    before = [None] * disks
    ticks, count = 0, 0
    for f in range(files):
        with open(f"{folder}/M{m:02}-{f:02}.jsonl", "w") as out:
            gone, seen, absent = [False] * disks, [False] * disks, [False] * disks
            for s in range(samples - (samples // 3 if (m + f) % 5 == 0 else 0)):
                now += datetime.timedelta(seconds=1)
                time = now.isoformat() + "Z"
                for d in range(disks):
                    n = random.randrange(20)
                    reads[d] += n
                    busy[d] += n * random.randrange(1, 10**6)
                    idle[d] += random.randrange(10**7)
                    if random.random() < 0.002:
                        reads[d], busy[d] = 0, 0
                    if random.random() < 0.1:
                        gone[d] = not gone[d]
                    if gone[d] and d > 0:
                        absent[d] = seen[d]
                        continue
                    # Nothing pairs across an absence, but one that the log does not see the end of.
                    if absent[d]:
                        before[d] = None
                    seen[d], absent[d] = True, False
                    if before[d] is not None:
                        old_busy, old_reads = before[d]
                        if busy[d] >= old_busy and reads[d] >= old_reads:
                            ticks += busy[d] - old_busy
                            count += reads[d] - old_reads
                    before[d] = (busy[d], reads[d])
                    path = f"\\\\M{m:02}\\PhysicalDisk({d})\\"
                    base = {"time": time, "status": "valid_data", "sample": s}
                    lines = [
                        {"path": path + "Avg. Disk sec/Read", "type": "PERF_AVERAGE_TIMER",
                         "first": busy[d], "second": reads[d], "time_base": 10**7},
                        {"path": path + "Disk Reads/sec", "type": "PERF_COUNTER_BULK_COUNT",
                         "first": reads[d], "second": s, "time_base": 1},
                    ]
                    for line in lines:
                        out.write(json.dumps(line | base) + "\n")
            now += datetime.timedelta(seconds=1 + (samples // 3 if (m + f) % 5 == 0 else 0))
    print(m, ticks, count)
