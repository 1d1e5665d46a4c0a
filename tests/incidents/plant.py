#!/usr/bin/env python3
# plant.py - a log of a made-up server with trouble that is known, or of its quiet twin
# SPDX-License-Identifier: MIT
#
#	plant.py list
#	plant.py FAMILY SEED gauss|real OUT.csv [--quiet]      the truth goes to OUT.json
#	plant.py quiet SEED gauss|real OUT.csv
"""Logs with planted trouble: what a test and the acceptance share."""

import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import families  # noqa: E402
import raw  # noqa: E402
import world  # noqa: E402

ROLES = ["sql", "iis", "hyperv", "dc", "file", "linux"]


def make_world(name, seed, noise, length=None):
    """The server of a family and seed, nothing planted."""
    dice = world.random.Random("place/%s/%s" % (name, seed))
    role, needs = "any", {}
    if name in families.FAMILIES:
        _, role, _, needs = families.FAMILIES[name]
    elif name in families.ODD:
        role, _, needs = families.ODD[name]
    if role in ("any", "windows"):
        role = dice.choice(ROLES if role == "any" else ROLES[:-1])
    if "length" in needs:
        length = needs["length"]
    elif "hours" in needs and not length:
        length = dice.choice([a for a in world.LENGTHS if a[0] >= needs["hours"]])
    processors = dice.choice(needs["processors"]) if "processors" in needs else None
    made = world.World("%s/%s" % (name, seed), noise, role, processors, length)
    return made, dice


def make(name, seed, noise, quiet=False, length=None):
    """(world, columns, truth); the truth of a quiet log is that there is nothing. length: hours and seconds a sample,
    where a family does not need its own."""
    made, dice = make_world(name, seed, noise, length)
    made.planted = not quiet
    found = None
    if name in families.ODD:
        families.ODD[name][1](made, dice)
    elif name != "quiet" and (not quiet or name == "san"):
        found = families.FAMILIES[name][2](made, dice)
    columns = made.columns()
    for pattern, first, last in made.blank:
        for path in columns:
            if re.match(pattern, path):
                columns[path] = [None if first <= i <= last else v for i, v in enumerate(columns[path])]
    about = {"family": name, "seed": seed, "noise": noise, "role": made.role, "machine": made.machine,
             "processors": made.processors, "step": made.step, "samples": made.n, "log_from": world.stamp(made, made.times[0]),
             "bias": made.zone[1], "log_to": world.stamp(made, made.times[-1]), "quiet": found is None, "odd": name in families.ODD, "truth": found}
    return made, columns, about


def needs_raw(name):
    """Is there no trouble without the second clock of raw values?"""
    return name in families.FAMILIES and "raw" in families.FAMILIES[name][3]


def write(name, seed, noise, path, quiet=False, length=None):
    """FAMILIES that need two clocks, and all where path says so, are JSON lines of raw values; the others PDH-CSV."""
    made, columns, about = make(name, seed, noise, quiet, length)
    if path.endswith(".jsonl"):
        raw.write_jsonl(made, columns, path)
    else:
        world.write_csv(made, columns, path)
    with open(os.path.splitext(path)[0] + ".json", "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1)
    return about


def main(arguments):
    if arguments == ["list"]:
        for name, (group, role, _, _) in families.FAMILIES.items():
            print(group, name, role, sep="\t")
        for name, (role, _, _) in families.ODD.items():
            print("odd", name, role, sep="\t")
        return 0
    if len(arguments) < 4:
        print(__doc__)
        return 2
    name, seed, noise, path = arguments[:4]
    about = write(name, int(seed), noise, path, "--quiet" in arguments[4:])
    print(json.dumps(about["truth"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
