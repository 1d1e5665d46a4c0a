"""The same columns as raw values of their types, as JSON lines; pmon relog makes BLG of them.

A sample has two clocks: the wall clock, which somebody may set, and the performance counter, which stands still while
a virtual machine is paused. World.jumps says when they part: (sample, seconds of wall clock, seconds of work), where
the usual step is in both."""

import json
import re
import time

EPOCH = 116444736000000000      # 1970 as FILETIME
TICKS = 10000000

TYPES = [
    (r"Processor( Information)?\(.*\)\\% Processor Time$", "PERF_100NSEC_TIMER_INV"),
    (r"PhysicalDisk.*\\% Idle Time$", "PERF_PRECISION_100NS_TIMER"),
    (r"(Processor|Process|Processor Information)\(.*\)\\% ((User|Privileged|DPC|Interrupt|Steal)|Processor) Time$",
     "PERF_100NSEC_TIMER"),
    (r"Hyper-V.*\\% (Total|Guest) Run Time$", "PERF_PRECISION_100NS_TIMER"),
    (r".*Disk sec/(Read|Write)$", "PERF_AVERAGE_TIMER"),
    (r"(PhysicalDisk|LogicalDisk)\(.*\)\\Avg\. Disk Queue Length$", "PERF_COUNTER_100NS_QUEUELEN_TYPE"),
    (r".*(Up|Elapsed) Time$", "PERF_ELAPSED_TIME"),
    (r".*/[Ss]ec$", "PERF_COUNTER_BULK_COUNT"),
    (r".*\\% (Free Space|Committed Bytes In Use|Usage|Time in GC|Processor Performance|of Maximum Frequency)$",
     "PERF_RAW_FRACTION"),
]
# A log of raw values has fewer counters: they are as many lines as values.
SEVERAL = re.compile(r"(Processor|Processor Information)\((\d*,)?([89]|\d\d+)\)|Process\(svchost|LogicalDisk.*Disk ")


def type_of(path):
    for pattern, name in TYPES:
        if re.match(pattern, path):
            return name
    return "PERF_COUNTER_LARGE_RAWCOUNT"


def clocks(world):
    """For each sample: wall clock and performance counter in ticks, the seconds that were worked before it, and by how
    much the wall clock has jumped so far."""
    start = round((world.start - world.start.__class__(1970, 1, 1)).total_seconds() + 60 * world.zone[1]) * TICKS + EPOCH
    jumps = {at: (wall, work) for at, wall, work in world.jumps}
    wall, counter, jumped, out = start, 17280000000000, 0, []
    for i in range(world.n):
        seconds = world.times[i] - world.times[i - 1] if i else world.step
        more_wall, more_work = jumps.get(i, (0, 0))
        if i:
            jumped += round(more_wall * TICKS)
            wall = start + round(world.times[i] * TICKS) + jumped
            counter += round((seconds + more_work) * TICKS)
        out.append((wall, counter, seconds + more_work, jumped))
    return out


def lines_of(path, values, moments, operations):
    """(first, second, multi) of each sample."""
    kind = type_of(path)
    total = 10 ** 9
    done = 10 ** 6
    for value, (wall, counter, seconds, jumped), count in zip(values, moments, operations):
        value = value or 0.0
        if kind == "PERF_100NSEC_TIMER_INV":
            total += round((100 - value) / 100 * seconds * TICKS)
            yield kind, total, wall
        elif kind in ("PERF_100NSEC_TIMER", "PERF_PRECISION_100NS_TIMER"):
            total += round(value / 100 * seconds * TICKS)
            yield kind, total, wall
        elif kind == "PERF_COUNTER_100NS_QUEUELEN_TYPE":
            total += round(value * seconds * TICKS)
            yield kind, total, wall
        elif kind == "PERF_AVERAGE_TIMER":
            served = round(count * seconds)
            total += round(value * served * TICKS)
            done += served
            yield kind, total, done
        elif kind == "PERF_ELAPSED_TIME":
            # in milliseconds: a start is the same in each sample
            yield kind, wall - jumped - round(value * 1000) * (TICKS // 1000), wall
        elif kind == "PERF_COUNTER_BULK_COUNT":
            total += round(value * seconds)
            yield kind, total, counter
        elif kind == "PERF_RAW_FRACTION":
            yield kind, round(value * 10000), 1000000
        else:
            yield kind, round(value), 0


def write_jsonl(world, columns, path, several=False):
    moments = clocks(world)
    missing = {i for first, last in world.down for i in range(first, last + 1)}
    planted = {*world.pins, *world.dpc, *world.interrupt}
    kept = [p for p in columns if several or not SEVERAL.match(p)
            or any(re.search(r"Processor( Information)?\((\d+,)?%d\)" % (core % 64), p) for core in planted)]
    zeros = [0.0] * world.n
    rows = [[] for _ in range(world.n)]
    for series, name in enumerate(kept):
        operations = zeros
        if name.endswith(("sec/Read", "sec/Write")):
            operations = columns[re.sub(r"Avg\. Disk sec/(Read|Write)$", r"Disk \1s/sec", name)]
        head = json.dumps("\\\\%s\\%s" % (world.machine, name))
        for i, (kind, first, second) in enumerate(lines_of(name, columns[name], moments, operations)):
            if i not in missing and columns[name][i] is not None:
                rows[i].append('{"path":%s,"type":"%s","time":"%s","status":"valid_data","first":"%d","second":"%d",'
                               '"multi":0,"time_base":%d,"series":%d,"sample":%d}\n' % (
                                   head, kind, iso(moments[i][0]), first, second, TICKS, series, i))
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            file.writelines(row)
    return moments


def iso(filetime):
    seconds, ticks = divmod(filetime - EPOCH, TICKS)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".%07dZ" % ticks
