#!/usr/bin/env python3
# make_processes.py - logs in which instances become other processes: make_processes.py SEED SAMPLES OUT [OPTIONS]
# SPDX-License-Identifier: MIT
#
# JSON lines (docs/reference/formats/jsonl.md) of \Process(x) and \Thread(x/0) with `ID Process`, `ID Thread`, `Elapsed Time` and
# counters that begin at 0 with a process. Processes end, and others get their place: from one sample to the next, or
# after a time without the instance; with smaller counts or with larger ones, with a number that was there before, and some
# raw values are not usable. Processes also go on at another place. The same arguments give the same log; --skip and --only cut samples of it.

import argparse
import datetime
import json
import random

START = 131_200_000_000_000_000  # 2016-10-02, in 100 ns since 1601
SECOND = 10_000_000

# name, word; what is counted, from the age of the process in 100 ns
COUNTERS = [
    ("ID Process", 0x00010000),
    ("% Processor Time", 0x20510500),
    ("IO Read Bytes/sec", 0x10410500),
    ("Page Faults/sec", 0x10410400),
    ("Handle Count", 0x00010000),
    ("Elapsed Time", 0x30240500),
]


class Process:
    def __init__(self, dice, number, start):
        self.number = number
        self.start = start
        self.rate = dice.choice([0, 1, 40, 99, 1600])  # % of a processor
        self.offset = dice.choice([0, 0, 5 * SECOND])  # more than the one before may have

    def counted(self, now):
        age = max(0, now - self.start)
        busy = self.offset + age * self.rate // 100
        return {"ID Process": (self.number, 0), "ID Thread": (self.number + 1, 0),
                "% Processor Time": (busy, now), "IO Read Bytes/sec": (busy * 3 + 7, now),
                "Page Faults/sec": (busy // 1000 & 0xFFFFFFFF, now), "Handle Count": (self.number % 97, 0),
                "Elapsed Time": (self.start, now)}


class Place:
    """An instance: one process after the other."""

    def __init__(self, dice, now):
        self.dice = dice
        self.process = Process(dice, dice.randrange(4, 40), now - dice.randrange(1, 10**12))
        self.is_here = True

    def step(self, before, now, stays):
        dice = self.dice
        if dice.random() < 0.1 and not stays:
            self.is_here = not self.is_here
            if self.is_here and dice.random() < 0.5:
                return
        if dice.random() < 0.15:
            self.process = Process(dice, dice.randrange(4, 40), dice.randrange(before + 1, now))


def iso(time):
    """A FILETIME as ISO 8601."""
    moment = datetime.datetime(1601, 1, 1) + datetime.timedelta(microseconds=time // 10)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time % SECOND:07d}Z"


def write(out, path, word, raw, time, number, series, status, told, sampled):
    line = {"path": path, "type": f"0x{word:08X}", "time": iso(time), "status": status, "first": str(raw[0]),
            "second": str(raw[1]), "multi": 0, "time_base": SECOND, "series": series, "sample": number}
    if not told:
        line["size"] = 4 if word in (0x00010000, 0x10410400) else 8
    if sampled:
        line["log_sampled_by_pmon"] = True
    out.write(json.dumps(line) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("samples", type=int)
    parser.add_argument("out")
    parser.add_argument("--sampled", action="store_true", help="as if pmon had sampled it: starts are known")
    parser.add_argument("--present", action="store_true", help="no instance is ever absent")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--only", type=int, default=1 << 60)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    now = START + dice.randrange(SECOND)
    objects = [("Process", name) for name in ("_Total", "a", "a#1", "a#2", "b")] + [("Thread", "a/0"), ("Thread", "a/1")]
    places = [Place(dice, now) for _ in objects]
    told = set()
    with open(options.out, "w", encoding="utf-8") as out:
        for number in range(options.samples):
            series = 0
            for (thing, name), place in zip(objects, places):
                counted = place.process.counted(now)
                for counter, word in COUNTERS:
                    if thing == "Thread" and counter == "Handle Count":
                        counter = "ID Thread"
                    status = 0xC0000BBA if dice.random() < 0.02 else 0
                    path = f"\\\\M\\{thing}({name})\\{counter}"
                    if place.is_here and options.skip <= number < options.skip + options.only:
                        write(out, path, word, counted[counter], now, number - options.skip, series, status,
                              series in told, options.sampled and not told)
                        told.add(series)
                    series += 1
            before, now = now, now + dice.choice([15 * SECOND] * 6 + [SECOND // 3, 3600 * SECOND])
            for place in places[1:]:
                place.step(before, now, options.present)
            if dice.random() < 0.15:  # renamed, or renumbered
                a, b = dice.sample(places[1:5], 2)
                a.process, b.process = b.process, a.process


main()
