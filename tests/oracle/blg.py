#!/usr/bin/env python3
"""Slow and simple reader of Windows binary performance logs (BLG): the oracle of pmon's tests.

    python3 tests/oracle/blg.py FILE        one JSON object a line for every raw value

It was written from the format notes alone, never from pmon's C code, so that the two can be held
against each other.  "BLG n" in a comment is section n of the BLG format notes, "SEM n" is section n
of the counter semantics notes.  Nothing is salvaged: whatever is not as the notes say raises
BlgError.  All integers are little-endian; times are 100 ns ticks since 1601-01-01 (FILETIME).
"""

import datetime
import json
import struct
import sys
from typing import NamedTuple, Optional


class BlgError(Exception):
    """The file is not as the format notes say."""


TICKS_PER_SECOND = 10_000_000
TICKS_PER_MINUTE = 60 * TICKS_PER_SECOND
EPOCH = datetime.datetime(1601, 1, 1)

# --- counter types -----------------------------------------------------------------------------

# SEM 1.2, the column "Word".  Where two names share a word the first of the table is used; those
# types are bases, which are never emitted.
TYPE_NAMES = {
    0x00000000: "PERF_COUNTER_RAWCOUNT_HEX",
    0x00000100: "PERF_COUNTER_LARGE_RAWCOUNT_HEX",
    0x00000B00: "PERF_COUNTER_TEXT",
    0x00010000: "PERF_COUNTER_RAWCOUNT",
    0x00010100: "PERF_COUNTER_LARGE_RAWCOUNT",
    0x00012000: "PERF_DOUBLE_RAW",
    0x00400400: "PERF_COUNTER_DELTA",
    0x00400500: "PERF_COUNTER_LARGE_DELTA",
    0x00410400: "PERF_SAMPLE_COUNTER",
    0x00450400: "PERF_COUNTER_QUEUELEN_TYPE",
    0x00450500: "PERF_COUNTER_LARGE_QUEUELEN_TYPE",
    0x00550500: "PERF_COUNTER_100NS_QUEUELEN_TYPE",
    0x00650500: "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE",
    0x10410400: "PERF_COUNTER_COUNTER",
    0x10410500: "PERF_COUNTER_BULK_COUNT",
    0x20020400: "PERF_RAW_FRACTION",
    0x20020500: "PERF_LARGE_RAW_FRACTION",
    0x20410500: "PERF_COUNTER_TIMER",
    0x20470500: "PERF_PRECISION_SYSTEM_TIMER",
    0x20510500: "PERF_100NSEC_TIMER",
    0x20570500: "PERF_PRECISION_100NS_TIMER",
    0x20610500: "PERF_OBJ_TIME_TIMER",
    0x20670500: "PERF_PRECISION_OBJECT_TIMER",
    0x20C20400: "PERF_SAMPLE_FRACTION",
    0x21410500: "PERF_COUNTER_TIMER_INV",
    0x21510500: "PERF_100NSEC_TIMER_INV",
    0x22410500: "PERF_COUNTER_MULTI_TIMER",
    0x22510500: "PERF_100NSEC_MULTI_TIMER",
    0x23410500: "PERF_COUNTER_MULTI_TIMER_INV",
    0x23510500: "PERF_100NSEC_MULTI_TIMER_INV",
    0x30020400: "PERF_AVERAGE_TIMER",
    0x30240500: "PERF_ELAPSED_TIME",
    0x40000200: "PERF_COUNTER_NODATA",
    0x40020500: "PERF_AVERAGE_BULK",
    0x40030401: "PERF_SAMPLE_BASE",
    0x40030402: "PERF_AVERAGE_BASE",
    0x40030403: "PERF_RAW_BASE",
    0x40030500: "PERF_LARGE_RAW_BASE",
    0x40030503: "PERF_LARGE_RAW_BASE",
    0x42030500: "PERF_COUNTER_MULTI_BASE",
    0x80000000: "PERF_COUNTER_HISTOGRAM_TYPE",
}

# BLG 6.3 lists the first five; SEM 1.4 says that 0x40030503 is to be accepted too.
BASE_TYPES = {0x40030401, 0x40030402, 0x40030403, 0x40030500, 0x42030500, 0x40030503}

# SEM 1.1: the fields of the type word.
KIND_MASK, KIND_NUMBER = 0x00000C00, 0x000
SUBTYPE_MASK, SUBTYPE_RATE, SUBTYPE_QUEUELEN = 0x000F0000, 0x00010000, 0x00050000
TIMER_MASK, TIMER_TICK, TIMER_100NS, TIMER_OBJECT = 0x00300000, 0x000000, 0x100000, 0x200000
MULTI_COUNTER = 0x02000000


def type_name(word):
    return TYPE_NAMES.get(word, "0x%08X" % word)


def second_is_100ns_clock(word):
    """SecondValue is the UTC 100 ns clock of the block (BLG 8 last point, BLG 13.2).

    True for rates and queue lengths on that clock.  Precision timers (subtype 7) and fractions
    (subtype 2) have the value of their own base there (SEM 1.5).
    """
    return (word & KIND_MASK == 0x400
            and word & TIMER_MASK == TIMER_100NS
            and word & SUBTYPE_MASK in (SUBTYPE_RATE, SUBTYPE_QUEUELEN))


# --- what the reader gives ---------------------------------------------------------------------

class RawValue(NamedTuple):
    path: str
    type: int                       # type word
    time: int                       # FILETIME, UTC
    status: int
    first: int
    second: int
    multi: int
    time_base: Optional[int]        # None: none
    sample: int                     # number of the sample in the file, from 0
    local_time: int = 0             # FILETIME as in the file, local
    first_size: Optional[int] = None    # CounterSize in bytes, where the file has it (BLG 6.3)
    base_size: Optional[int] = None     # CounterSize of the base


class Log(NamedTuple):
    values: list                    # of RawValue, in file order
    samples: int                    # number of sample records
    event_times: list               # of the samples, FILETIME local
    boot_time: int                  # FILETIME UTC (BLG 2.2)
    start_time: int                 # FILETIME UTC (BLG 2.2)
    instance_lists: list            # the 0x23 records as bytes (BLG 7.2); not used by the reader


# --- bytes -------------------------------------------------------------------------------------

def get(fmt, data, offset):
    """One little-endian value at an offset, checked against the end of its container."""
    if offset < 0 or offset + struct.calcsize("<" + fmt) > len(data):
        raise BlgError("field at %d of %d bytes" % (offset, len(data)))
    return struct.unpack_from("<" + fmt, data, offset)[0]


def u16(data, offset):
    return get("H", data, offset)


def u32(data, offset):
    return get("I", data, offset)


def i32(data, offset):
    return get("i", data, offset)


def u64(data, offset):
    return get("Q", data, offset)


def i64(data, offset):
    return get("q", data, offset)


def cut(data, offset, length):
    if offset < 0 or length < 0 or offset + length > len(data):
        raise BlgError("%d bytes at %d of %d" % (length, offset, len(data)))
    return data[offset:offset + length]


def text(data, offset):
    """A NUL-terminated UTF-16LE string; gives the string and the offset after its NUL."""
    end = offset
    while u16(data, end) != 0:
        end += 2
    return data[offset:end].decode("utf-16-le"), end + 2


def check(condition, message, *arguments):
    if not condition:
        raise BlgError(message % arguments)


# --- time --------------------------------------------------------------------------------------

def ticks_of(year, month, day, hour, minute, second, millisecond):
    moment = datetime.datetime(year, month, day, hour, minute, second, millisecond * 1000)
    return (moment - EPOCH) // datetime.timedelta(microseconds=1) * 10


def systemtime(data, offset):
    """The eight words of a SYSTEMTIME: year, month, day of week, day, h, m, s, ms."""
    return struct.unpack("<8H", cut(data, offset, 16))


class Zone:
    """TIME_ZONE_INFORMATION (BLG 2.2), 172 bytes; biases in minutes, UTC = local + bias."""

    def __init__(self, data, offset):
        self.bias = i32(data, offset)                           # after it WCHAR[32], the name
        self.standard_date = systemtime(data, offset + 68)      # when daylight time ends
        self.standard_bias = i32(data, offset + 84)             # after it WCHAR[32], the name
        self.daylight_date = systemtime(data, offset + 152)     # when daylight time begins
        self.daylight_bias = i32(data, offset + 168)

    @staticmethod
    def change(date, year):
        """Local ticks of a change in a year, by the clock in force before it.

        Year 0 means "the day-th such weekday of the month", day 5 the last one (public
        documentation of TIME_ZONE_INFORMATION).
        """
        rule_year, month, weekday, day, hour, minute, second, millisecond = date
        if rule_year == 0:
            first = datetime.date(year, month, 1)
            # Python's Monday is 0, Windows' Sunday is 0
            days = 1 + (weekday - (first.weekday() + 1)) % 7 + 7 * (day - 1)
            while True:
                try:
                    datetime.date(year, month, days)
                    break
                except ValueError:
                    days -= 7
            day = days
        else:
            year = rule_year
        return ticks_of(year, month, day, hour, minute, second, millisecond)

    def minutes_to_utc(self, local):
        """The offset by the rules of the header.

        A local time that occurs twice in autumn is taken as daylight time, its first occurrence.
        """
        if self.standard_date[1] == 0 or self.daylight_date[1] == 0:
            return self.bias        # no daylight time in this zone; the names' biases do not count
        year = (EPOCH + datetime.timedelta(microseconds=local // 10)).year
        begin = self.change(self.daylight_date, year)
        end = self.change(self.standard_date, year)
        if begin < end:                             # northern hemisphere
            daylight = begin <= local < end
        else:
            daylight = not end <= local < begin
        return self.bias + (self.daylight_bias if daylight else self.standard_bias)


def iso(ticks):
    """ISO 8601 UTC, with as many decimals as are needed."""
    moment = EPOCH + datetime.timedelta(seconds=ticks // TICKS_PER_SECOND)
    result = moment.strftime("%Y-%m-%dT%H:%M:%S")
    decimals = ("%07d" % (ticks % TICKS_PER_SECOND)).rstrip("0")
    return result + ("." + decimals if decimals else "") + "Z"


# --- the container: buffers and events (BLG 2, 3, 4) --------------------------------------------

EVENT_GUID = bytes.fromhex("b33b3f933e940d499ced3cbb14c14479")     # BLG 3, at 0x18

NAME_TABLE, CATALOGUE, SAMPLE, INSTANCE_LIST = 0x24, 0x20, 0x22, 0x23   # BLG 1


def read_events(data):
    """(type, log id, event time, part number, parts, chunk) of every PDH event, in order."""
    buffer_size = u32(data, 0)                                          # BLG 2
    check(buffer_size >= 0x48, "buffer size %d", buffer_size)
    check(len(data) % buffer_size == 0, "length is not a multiple of the buffer size")
    major = data[0x6C]                                                  # BLG 2.2, OS major version

    buffers = []
    for start in range(buffer_size, len(data), buffer_size):
        buffer = data[start:start + buffer_size]
        check(u32(buffer, 0x00) == buffer_size, "buffer at %d has no head", start)
        used = u32(buffer, 0x30)                                        # BLG 2.1
        check(0x48 <= used <= buffer_size, "buffer at %d uses %d bytes", start, used)
        sequence = u32(buffer, 0x04) if major < 6 else u64(buffer, 0x18)
        buffers.append((sequence, start, buffer[:used]))
    if len({sequence for sequence, _, _ in buffers}) == len(buffers):
        buffers.sort(key=lambda item: item[0])                          # BLG 2.1, ordering

    for _, start, buffer in buffers:
        at = 0x48
        while len(buffer) - at >= 8:                                    # BLG 3
            size = u16(buffer, at)
            event = cut(buffer, at, size)
            check(size >= 8, "event of %d bytes at %d", size, start + at)
            at = (at + size + 7) // 8 * 8                               # next multiple of 8
            if event[0x02] not in (10, 20) or event[0x03] != 0xC0:
                continue                                                # another header type
            if cut(event, 0x18, 16) != EVENT_GUID:
                continue
            yield (event[0x04],                 # 0x04 event type
                   cut(event, 48, 16),          # BLG 4: 0x00 log id
                   u64(event, 0x10),            # 0x10 event time
                   u32(event, 48 + 0x10),       # BLG 4: 0x10 part number, from 1
                   u32(event, 48 + 0x14),       # BLG 4: 0x14 number of parts
                   cut(event, 48 + 24, size - 48 - 24))


def read_records(data):
    """(type, log id, event time, record) of every PDH record, in order of completion (BLG 4)."""
    waiting = {}
    for kind, log_id, time, number, count, chunk in read_events(data):
        check(1 <= number <= count, "part %d of %d", number, count)
        if kind == NAME_TABLE:                  # each table is complete in itself
            check(count == 1, "name table in %d parts", count)
            yield kind, log_id, time, chunk
            continue
        key = (kind, log_id, time)
        parts = waiting.setdefault(key, {})
        check(number not in parts, "part %d twice", number)
        parts[number] = chunk
        if len(parts) == count:
            del waiting[key]
            yield kind, log_id, time, b"".join(parts[i] for i in range(1, count + 1))
    check(not waiting, "%d records lack a part", len(waiting))


# --- names (BLG 7.1) ---------------------------------------------------------------------------

def read_name_table(record, tables):
    """Adds the names of one 0x24 record to tables[machine][index].

    The pairs go to the end of the record: unlike the notes say, no empty string ends them in the
    one file that has tables.
    """
    machine, at = text(record, 0)
    table = tables.setdefault(machine.lower(), {})
    while at < len(record):
        index, at = text(record, at)
        name, at = text(record, at)
        table[int(index)] = name


# --- catalogue (BLG 5) -------------------------------------------------------------------------

FLAG_WILDCARD, FLAG_OBJECT = 0x01, 0x10     # BLG 5, at 0x04
NO_STRING = 0xFFFFFFFF


class Entry(NamedTuple):
    flags: int
    type: int
    time_base: int
    machine: str
    object: str
    instance: Optional[str]
    parent: Optional[str]
    index: int
    counter: str


def read_catalogue(record):
    check(u32(record, 0) == 0x000006FF, "catalogue tag")
    entries = []
    at = 8
    while at < len(record):
        length = u32(record, at)                        # 0x00 entry length
        check(length >= 0x34, "catalogue entry of %d bytes", length)
        entry = cut(record, at, length)
        strings = entry[0x34:]

        def string(field):
            offset = u32(entry, field)
            return None if offset == NO_STRING else text(strings, offset)[0]

        entries.append(Entry(
            flags=u32(entry, 0x04),
            type=u32(entry, 0x0C),
            time_base=i64(entry, 0x10),
            machine=string(0x1C),
            object=string(0x20),
            instance=string(0x24),
            parent=string(0x28),
            index=u32(entry, 0x2C),
            counter=string(0x30)))
        at += length
    return entries


def make_path(machine, object_name, parent, instance, index, counter):
    """BLG 5, last line."""
    path = machine + "\\" + object_name
    if instance is not None:
        path += "(" + (parent + "/" if parent is not None else "") + instance
        path += ("#%d" % index if index > 0 else "") + ")"
    return path + "\\" + counter


class Numbering:
    """The #index of equal names within one record, in order of appearance (BLG 6.3, SEM 4.1)."""

    def __init__(self):
        self.seen = {}

    def index(self, parent, name):
        key = (None if parent is None else parent.lower(), name.lower())
        self.seen[key] = self.seen.get(key, -1) + 1
        return self.seen[key]


# --- samples (BLG 6) ---------------------------------------------------------------------------

def none_if_zero(time_base):
    return time_base if time_base != 0 else None


def read_single(record, entry, sample):
    """0x0103 (BLG 6.1)."""
    check(len(record) == 0x30, "single value of %d bytes", len(record))
    yield RawValue(
        path=make_path(entry.machine, entry.object, entry.parent, entry.instance, entry.index,
                       entry.counter),
        type=entry.type,
        time=0,
        status=u32(record, 0x08),
        local_time=u64(record, 0x0C),
        first=i64(record, 0x18),
        second=i64(record, 0x20),
        multi=u32(record, 0x28),
        time_base=none_if_zero(entry.time_base),
        sample=sample)


def read_multi(record, entry, sample):
    """0x0203, all instances of one counter (BLG 6.2)."""
    check(entry.parent is None, "wildcard with a parent: not in the format notes")
    check(u32(record, 0x08) == len(record) - 8, "block length of a multi record")
    count = u32(record, 0x0C)
    status = u32(record, 0x10)
    local_time = u64(record, 0x18)
    numbering = Numbering()
    for i in range(count):
        item = cut(record, 0x20 + 24 * i, 24)
        name, _ = text(record, 0x08 + u32(item, 0))         # offset is relative to 0x08
        yield RawValue(
            path=make_path(entry.machine, entry.object, None, name,
                           numbering.index(None, name), entry.counter),
            type=entry.type,
            time=0,
            status=status,
            local_time=local_time,
            multi=u32(item, 4),
            first=i64(item, 8),
            second=i64(item, 16),
            time_base=none_if_zero(entry.time_base),
            sample=sample)


class Definition(NamedTuple):
    title: int
    type: int
    size: int
    offset: int


def read_number(block, definition):
    """A counter of 4 bytes is unsigned, of 8 bytes signed (BLG 6.3, SEM 1.4)."""
    if definition.size == 4:
        return u32(block, definition.offset)
    check(definition.size == 8, "counter of %d bytes", definition.size)
    return i64(block, definition.offset)


def read_object(record, entry, sample, names):
    """0x0503, a whole object as a PERF_DATA_BLOCK (BLG 6.3, SEM 5.3)."""
    check(entry.counter == "*" and entry.instance in (None, "*"), "whole object with a counter")
    data = record[8:]
    check(data[:8] == "PERF".encode("utf-16-le"), "block without signature")
    check(u32(data, 0x08) == 1, "big-endian block")
    check(u32(data, 0x14) == len(data), "block of %d bytes says %d", len(data), u32(data, 0x14))
    header_length = u32(data, 0x18)
    check(u32(data, 0x1C) == 1, "%d objects in a block", u32(data, 0x1C))
    year, month, _, day, hour, minute, second, millisecond = systemtime(data, 0x24)
    local_time = ticks_of(year, month, day, hour, minute, second, millisecond)
    perf_time, perf_freq, perf_time_100ns = i64(data, 0x38), i64(data, 0x40), i64(data, 0x48)

    whole = cut(data, header_length, u32(data, header_length))      # TotalByteLength
    definition_length = u32(whole, 0x04)
    counter_count = u32(whole, 0x20)
    instance_count = i32(whole, 0x28)                               # -1: no instances
    check(u32(whole, 0x2C) == 0, "instance names are not Unicode")
    object_time, object_freq = i64(whole, 0x30), i64(whole, 0x38)

    definitions = []
    at = u32(whole, 0x08)                                           # HeaderLength
    for _ in range(counter_count):
        definitions.append(Definition(title=u32(whole, at + 4), type=u32(whole, at + 28),
                                      size=u32(whole, at + 32), offset=u32(whole, at + 36)))
        at += u32(whole, at)                                        # stride: the length field
    check(at == definition_length, "definitions end at %d, not %d", at, definition_length)

    # (value, time base) by the timer field; the 0x23 record of a log gives the same time base
    # for every definition (BLG 7.2), whether the type needs one or not
    clocks = {TIMER_TICK: (perf_time, perf_freq),
              TIMER_100NS: (perf_time_100ns, TICKS_PER_SECOND),
              TIMER_OBJECT: (object_time, object_freq)}

    def values_of(parent, instance, index, block):
        for i, definition in enumerate(definitions):
            if definition.type in BASE_TYPES:
                continue                            # belongs to the definition before it
            base = None
            if i + 1 < len(definitions) and definitions[i + 1].type in BASE_TYPES:
                base = definitions[i + 1]
            clock, time_base = clocks[definition.type & TIMER_MASK]
            multi = 1
            if base is not None and definition.type & MULTI_COUNTER:
                multi, second_value = read_number(block, base), clock
            elif base is not None:
                second_value = read_number(block, base)
            elif definition.type & KIND_MASK == KIND_NUMBER:
                second_value = 0
            else:
                second_value = clock
            yield RawValue(
                path=make_path(entry.machine, entry.object, parent, instance, index,
                               names[definition.title]),
                type=definition.type,
                time=0,
                status=0,                           # a block has no status
                local_time=local_time,
                first=read_number(block, definition),
                second=second_value,
                multi=multi,
                time_base=none_if_zero(time_base),
                sample=sample,
                first_size=definition.size,
                base_size=base.size if base is not None else None)

    at = definition_length
    if instance_count < 0:
        block = cut(whole, at, u32(whole, at))
        yield from values_of(None, None, 0, block)
        at += len(block)
    numbering = Numbering()
    for _ in range(max(instance_count, 0)):
        length = u32(whole, at)
        # The parent is named by title index and number; no sample file has one (BLG 12.5).
        check(u32(whole, at + 4) == 0, "instance with a parent: not in the format notes")
        name_bytes = cut(whole, at + u32(whole, at + 16), u32(whole, at + 20))
        name = name_bytes.decode("utf-16-le").split("\0")[0]
        at += length
        block = cut(whole, at, u32(whole, at))
        yield from values_of(None, name, numbering.index(None, name), block)
        at += len(block)
    check(at == len(whole), "object ends at %d, not %d", at, len(whole))


def read_sample(record, catalogue, sample, tables):
    """All raw values of a 0x22 record, without their UTC time."""
    check(record[:2] == b"BL" and u16(record, 2) == 0x0003, "sample head")
    check(u32(record, 4) == len(record), "sample of %d bytes says %d", len(record), u32(record, 4))
    at = 8
    for entry in catalogue:
        check(cut(record, at, 2) == b"BL", "value record head")
        form, length = u16(record, at + 2), u32(record, at + 4)
        check(length >= 8, "value record of %d bytes", length)
        value_record = cut(record, at, length)
        at += length
        if entry.flags & FLAG_OBJECT:
            check(form == 0x0503, "form 0x%04x for a whole object", form)
            yield from read_object(value_record, entry, sample, tables[entry.machine.lower()])
        elif entry.flags & FLAG_WILDCARD:
            check(form == 0x0203, "form 0x%04x for a wildcard", form)
            yield from read_multi(value_record, entry, sample)
        else:
            check(form == 0x0103, "form 0x%04x for one counter", form)
            yield from read_single(value_record, entry, sample)
    check(at == len(record), "value records end at %d of %d", at, len(record))


# --- local time to UTC -------------------------------------------------------------------------

QUARTER = 15 * TICKS_PER_MINUTE
FARTHEST = 15 * 60 * TICKS_PER_MINUTE       # no zone is farther from UTC than 14 hours


def exact_offset(values):
    """Ticks from local time to UTC, measured in a sample; None where nothing tells (BLG 13.2).

    A clock that is farther off than any zone counts from something else than 1601 and is no help.
    """
    for value in values:
        if value.status in (0, 1) and second_is_100ns_clock(value.type):
            offset = (value.second - value.local_time + QUARTER // 2) // QUARTER * QUARTER
            if abs(offset) <= FARTHEST:
                return offset
    return None


def with_utc(values, zone):
    offset = exact_offset(values)
    for value in values:
        by_header = zone.minutes_to_utc(value.local_time) * TICKS_PER_MINUTE
        used = by_header if offset is None else offset
        yield value._replace(time=value.local_time + used)


# --- the whole file ----------------------------------------------------------------------------

def read(file_name):
    with open(file_name, "rb") as file:
        data = file.read()
    check(len(data) >= 0x200, "file of %d bytes", len(data))
    check(u32(data, 0x68) == u32(data, 0), "not an event trace file")   # BLG 2.3
    check(data[0x4B] == 0xC0 and data[0x4A] in (1, 2), "not an event trace file")

    pointer_size = u32(data, 0x94)                                  # BLG 2.2
    check(pointer_size in (4, 8), "pointer size %d", pointer_size)
    zone_at = 0xA0 + 2 * pointer_size                               # 0xA8 or 0xB0
    zone = Zone(data, zone_at)
    boot_at = (zone_at + 172 + 7) // 8 * 8                          # 0x158 or 0x160

    catalogues, tables = {}, {}
    values, event_times, lists = [], [], []
    for kind, log_id, time, record in read_records(data):
        if kind == NAME_TABLE:
            read_name_table(record, tables)
        elif kind == CATALOGUE:
            check(log_id not in catalogues, "a second catalogue")
            catalogues[log_id] = read_catalogue(record)
        elif kind == SAMPLE:
            check(log_id in catalogues, "sample before its catalogue")
            found = list(read_sample(record, catalogues[log_id], len(event_times), tables))
            event_times.append(time)
            values.extend(with_utc(found, zone))
        elif kind == INSTANCE_LIST:
            lists.append(record)
        else:
            raise BlgError("event type 0x%02x" % kind)
    check(catalogues, "no catalogue")
    return Log(values, len(event_times), event_times, u64(data, boot_at), u64(data, boot_at + 16),
               lists)


# --- JSON --------------------------------------------------------------------------------------

def json_integer(number):
    """Integers that a JavaScript reader would round are strings."""
    return str(number) if number is not None and abs(number) > 2 ** 53 else number


# pdhmsg.h, without PDH_ and CSTATUS_ (SEM 2.7)
STATUS_NAMES = {
    0x00000000: "valid_data", 0x00000001: "new_data", 0x800007D0: "no_machine",
    0x800007D1: "no_instance", 0x800007D3: "item_not_validated", 0x800007D5: "no_data",
    0xC0000BB8: "no_object", 0xC0000BB9: "no_counter", 0xC0000BBA: "invalid_data",
}


def to_json(value):
    return {
        "path": value.path,
        "type": type_name(value.type),
        "time": iso(value.time),
        "status": STATUS_NAMES.get(value.status, "0x%08X" % value.status),
        "first": value.first if isinstance(value.first, str) else json_integer(value.first),
        "second": json_integer(value.second),
        "multi": json_integer(value.multi),
        "time_base": json_integer(value.time_base),
    }


def main(arguments):
    if len(arguments) != 2:
        print("usage: blg.py FILE", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="utf-8")
    for value in read(arguments[1]).values:
        print(json.dumps(to_json(value), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
