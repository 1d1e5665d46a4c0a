#!/usr/bin/env python3
"""pmon raw against a slow and simple reader of PERF_DATA_BLOCKs, on every real dump.

The reader was written from winperf.h's layouts alone ("SEM n" is section n of the counter semantics
notes).  It reads one block a file, and what it does not expect ends the test.
"""

import glob
import os
import struct
import sys

import common
import blg

TEXT_KIND = 0x800


def multi_sz(file_name):
    """{index: name} of a dump of the registry value "Counter 009"."""
    with open(file_name, "rb") as file:
        strings = file.read().decode("utf-16-le").split("\0")
    while strings and strings[-1] == "":
        strings.pop()
    return {int(index): name for index, name in zip(strings[::2], strings[1::2])}


def names_of_log(file_name):
    """{index: name} of the tables in a binary log."""
    with open(file_name, "rb") as file:
        data = file.read()
    tables = {}
    for kind, _, _, record in blg.read_records(data):
        if kind == blg.NAME_TABLE:
            blg.read_name_table(record, tables)
    (table,) = tables.values()
    return table


def number(data, at, size):
    return struct.unpack_from("<I" if size == 4 else "<q", data, at)[0]


def definitions_of(data, at, count):
    for _ in range(count):
        length, title = struct.unpack_from("<2I", data, at)
        kind, size, offset = struct.unpack_from("<3I", data, at + 28)
        yield title, kind, size, offset
        at += length


def is_base(kind):
    """By its fields (SEM 1.1), so that words that no list has count too."""
    return kind & blg.KIND_MASK == 0x400 and kind & blg.SUBTYPE_MASK == 0x30000


def second_of(kind, base, clocks):
    """SEM 2.2: the base, or the clock of the timer field; nothing for plain numbers."""
    if base is not None and not kind & blg.MULTI_COUNTER:
        return base
    if kind & blg.KIND_MASK != 0x400 or kind & blg.SUBTYPE_MASK == 0:
        return 0
    return clocks[kind & blg.TIMER_MASK][0]


def values_of(data, at, definitions, clocks):
    """(title, type, first, second, multi, time base) of one counter block."""
    for i, (title, kind, size, offset) in enumerate(definitions):
        if is_base(kind):
            continue
        if kind & blg.KIND_MASK == TEXT_KIND:
            text = data[at + offset:at + offset + size].decode("utf-16-le").split("\0")[0]
            yield title, kind, text, 0, 0, clocks[kind & blg.TIMER_MASK][1]
            continue
        base = None
        if i + 1 < len(definitions) and is_base(definitions[i + 1][1]):
            base = number(data, at + definitions[i + 1][3], definitions[i + 1][2])
        multi = base if base is not None and kind & blg.MULTI_COUNTER else 1
        yield (title, kind, number(data, at + offset, size), second_of(kind, base, clocks), multi,
               clocks[kind & blg.TIMER_MASK][1])


def read_block(file_name, names):
    """JSON objects as pmon raw prints them."""
    with open(file_name, "rb") as file:
        data = file.read()
    blg.check(data[:8] == "PERF".encode("utf-16-le"), "no signature in %s", file_name)
    header, count = struct.unpack_from("<2I", data, 24)
    perf_time, perf_freq, time_100ns = struct.unpack_from("<3q", data, 56)
    name_length, name_at = struct.unpack_from("<2I", data, 80)
    machine = data[name_at:name_at + name_length].decode("utf-16-le").split("\0")[0]
    at = header
    for _ in range(count):
        total, first, definitions_at, title = struct.unpack_from("<4I", data, at)
        n_counters, _, n_instances, code_page, clock, freq = struct.unpack_from("<IIiIqq", data,
                                                                                at + 32)
        blg.check(code_page == 0, "names in code page %d", code_page)
        definitions = list(definitions_of(data, at + definitions_at, n_counters))
        clocks = {blg.TIMER_TICK: (perf_time, perf_freq),
                  blg.TIMER_100NS: (time_100ns, blg.TICKS_PER_SECOND),
                  blg.TIMER_OBJECT: (clock, freq)}
        numbering = blg.Numbering()
        where = at + first
        for _ in range(1 if n_instances < 0 else n_instances):
            instance, index = None, 0
            if n_instances >= 0:
                length, parent = struct.unpack_from("<2I", data, where)
                offset, size = struct.unpack_from("<2I", data, where + 16)
                blg.check(parent == 0, "instance with a parent in %s", file_name)
                instance = data[where + offset:where + offset + size].decode("utf-16-le")
                instance = instance.split("\0")[0]
                index = numbering.index(None, instance)
                where += length
            for counter, kind, one, two, multi, base in values_of(data, where, definitions,
                                                                  clocks):
                yield blg.to_json(blg.RawValue(
                    path=blg.make_path("\\\\" + machine, names[title], None, instance, index,
                                       names[counter]),
                    type=kind,
                    time=time_100ns,
                    status=0,
                    first=one,
                    second=two,
                    multi=multi,
                    time_base=blg.none_if_zero(base),
                    sample=0))
            where += struct.unpack_from("<I", data, where)[0]
        at += total


def compare(what, file_names, names, count):
    """Do pmon and the oracle say the same of a file or directory?"""
    expected = [value for name in file_names for value in read_block(name, names)]
    found = [common.parse_json(line)
             for line in common.run_pmon("raw", "--format", "json", what).splitlines()]
    differences = common.Differences()
    if len(expected) != count:
        differences.add("the oracle has %d values, not %d" % (len(expected), count))
    # the same path may be there twice, and files of one moment come in any order
    wanted = sorted(repr(sorted(item.items())) for item in expected)
    got = sorted(repr(sorted(item.items())) for item in found)
    for item in sorted(set(wanted) - set(got)):
        differences.add("pmon lacks %s" % item)
    for item in sorted(set(got) - set(wanted)):
        differences.add("pmon alone has %s" % item)
    if wanted != got:
        differences.add("%d values, not %d" % (len(got), len(wanted)))
    print("%s: %s" % (os.path.basename(what),
                      "FAILED" if differences.count else "%d values agree" % len(got)))
    return differences.count == 0


def main():
    common.binary()
    windows = common.data_folder("perfblock", "windows")
    samba = common.data_folder("perfblock", "samba", "snap1")
    log = os.path.join(common.data_folder("blg"), "pal-SampleLog.blg")
    block = os.path.join(samba, "Global.bin")
    results = [
        compare(windows, sorted(glob.glob(os.path.join(windows, "*.bin"))), names_of_log(log),
                4964),
        compare(block, [block], multi_sz(os.path.join(samba, "Counter_009.bin")), 54),
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
