#!/usr/bin/env python3
# make_odd.py - logs of everything that happens to counters: make_odd.py SEED SAMPLES OUT [OPTIONS]
# SPDX-License-Identifier: MIT
#
# JSON lines (docs/reference/formats/jsonl.md) of counters of every type, with and without a base, of 32 bits and of
# 64: they pass 2^32, are reset, go away and come back, are not usable for a while; clocks stand still and
# go back; samples are missing, stand in the night between two days, are of one time. Numbers go to the
# ends of 64 bits. The same arguments give the same log; --skip and --only cut samples of it.

import argparse
import datetime
import json
import random
import struct

START = 131_200_000_000_000_000  # 2016-10-02, in 100 ns since 1601
SECOND = 10_000_000

# name, word, kind of counter: (kind, bits)
TYPES = [
    ("Count", 0x00010000, "gauge", 32),
    ("Large Count", 0x00010100, "gauge", 64),
    ("Hex", 0x00000000, "gauge", 32),
    ("Double", 0x00012000, "double", 64),
    ("Delta", 0x00400400, "count", 32),
    ("Large Delta", 0x00400500, "count", 64),
    ("Sample Count", 0x00410400, "count", 32),
    ("Queue", 0x00450400, "time", 32),
    ("Large Queue", 0x00450500, "time", 64),
    ("Queue 100ns", 0x00550500, "time", 64),
    ("Rate", 0x10410400, "count", 32),
    ("Bulk Rate", 0x10410500, "count", 64),
    ("Fraction", 0x20020400, "fraction", 32),
    ("Large Fraction", 0x20020500, "fraction", 64),
    ("% Time", 0x20410500, "time", 64),
    ("% Time 100ns", 0x20510500, "time", 64),
    ("% Precise", 0x20570500, "time", 64),
    ("Hits", 0x20C20400, "average", 32),
    ("% Busy", 0x21410500, "time", 64),
    ("% Busy 100ns", 0x21510500, "time", 64),
    ("% Multi", 0x22410500, "multi", 64),
    ("% Multi Busy", 0x23510500, "multi", 64),
    ("Average Time", 0x30020400, "average", 64),
    ("Average Size", 0x40020500, "average", 64),
    ("Up Time", 0x30240500, "start", 64),
    ("Base", 0x40030402, "count", 32),
    ("Unknown", 0x12345678, "count", 32),
]


class Counter:
    def __init__(self, dice, machine, instance, row):
        self.dice = dice
        self.name, self.word, self.kind, self.bits = row
        self.path = f"\\\\{machine}\\Odd({instance})\\{self.name}"
        self.time_base = dice.choice([SECOND, SECOND, 3_579_545, 14_318_180, 1, 0])
        self.limit = (1 << 32) - 1 if self.bits == 32 else (1 << 63) - 1
        self.first = dice.choice([0, 100, self.limit - dice.randrange(1000), dice.randrange(self.limit)])
        self.second = dice.choice([0, 1000, (1 << 32) - 500, dice.randrange(1 << 62)])
        self.away = 0
        self.size = dice.choice([0, self.bits // 8])
        self.told = False

    def step(self, elapsed, is_present):
        """To the next sample: the raw value, or None where the counter is absent."""
        dice = self.dice
        if self.away > 0:
            self.away -= 1
            return None
        if not is_present and dice.random() < 0.03:
            self.away = dice.choice([0, 1, 3])
            return None
        if dice.random() < 0.03:  # reset
            self.first = dice.choice([0, self.first // 2])
        grow = dice.choice([0, 1, 1000, dice.randrange(1 << 20), dice.randrange(1 << 31)])
        if self.bits == 64 and dice.random() < 0.05:
            grow = dice.randrange(1 << 61)
        self.first = (self.first + grow) & self.limit
        clock = dice.random()
        if self.kind in ("average", "fraction"):
            self.second = (self.second + dice.choice([0, 0, 1, 7, dice.randrange(1 << 30)])) & ((1 << 32) - 1)
        elif clock < 0.03:
            self.second = max(0, self.second - dice.randrange(SECOND))
        elif clock > 0.03 + 0.03:
            self.second += elapsed + dice.randrange(100)
        if self.second >= 1 << 63:
            self.second = 0
        return self.raw()

    def raw(self):
        dice = self.dice
        first, second, multi = self.first, self.second, 0
        if self.kind == "gauge":
            first = dice.choice([first, 0, dice.randrange(self.limit)])
            if self.bits == 64 and dice.random() < 0.2:
                first = -dice.randrange(1 << 40)
        elif self.kind == "double":
            value = dice.choice([0.0, 1e-9, -2.5, dice.random(), dice.random() * 1e6, dice.random() * 1e-5,
                                 dice.random() * 1e15, 1e17 * dice.random(), 1e30, float("inf")])
            first = int.from_bytes(struct.pack(">d", value), "big", signed=True)
        elif self.kind == "fraction":
            first = dice.randrange(1000)
            second = dice.choice([0, 1000, -5, dice.randrange(1, 1 << 31)])
        elif self.kind == "multi":
            multi = dice.choice([0, 4, 4, 4])
        elif self.kind == "start":
            first = dice.choice([0, max(0, second - dice.randrange(1 << 40)), second + 5])
        status = 0xC0000BBA if dice.random() < 0.03 else dice.choice([0, 0, 0, 1])
        return first, second, multi, status


def iso(time):
    """A FILETIME as ISO 8601."""
    moment = datetime.datetime(1601, 1, 1) + datetime.timedelta(microseconds=time // 10)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time % SECOND:07d}Z"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("samples", type=int)
    parser.add_argument("out")
    parser.add_argument("--machine", default="ODD")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--apart", action="store_true", help="no two samples have one time")
    parser.add_argument("--present", action="store_true", help="no counter goes away")
    parser.add_argument("--only", type=int, default=1 << 60)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    counters = [Counter(dice, options.machine, instance, row) for instance in ("a", "b#1", "c d") for row in TYPES]
    time = START + dice.randrange(SECOND) + 86395 * SECOND
    with open(options.out, "w", encoding="utf-8") as out:
        for number in range(options.samples):
            raws = [counter.step(15 * SECOND, options.present) for counter in counters]
            if options.skip <= number < options.skip + options.only:
                for series, (counter, raw) in enumerate(zip(counters, raws)):
                    if raw is not None:
                        write(out, counter, raw, time, number - options.skip, series)
            step = dice.choice([15 * SECOND] * 8 + [SECOND // 3, 3600 * SECOND, 0])
            time += step or (SECOND if options.apart else 0)


def write(out, counter, raw, time, number, series):
    first, second, multi, status = raw
    line = {"path": counter.path, "type": f"0x{counter.word:08X}", "time": iso(time),
            "status": status, "first": str(first), "second": str(second), "multi": multi,
            "time_base": counter.time_base or None, "series": series, "sample": number}
    if not counter.told:
        counter.told = True
        line["size"] = counter.size
    out.write(json.dumps(line) + "\n")


main()
