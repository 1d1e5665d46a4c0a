# push_page.py - the tables of docs/scale.md from what bench/push_engines.sh measured
# SPDX-License-Identifier: MIT
#
#	python3 bench/suite/push_page.py PUSH.json PAGE
#
# The second table is reckoned from the first: what so many machines need when each value takes what it
# took here. Nothing in it was measured.

import json
import math
import os
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from page import put_parts, table

MACHINES, COUNTERS, INTERVAL_S = 10_000, 2_000, 15
SERIES = MACHINES * COUNTERS
RATE = SERIES / INTERVAL_S
KEPT_DAYS = 30

# What a node is taken to be, and how much of its processors may be busy with what comes in.
NODE = {"cores": 16, "busy": 0.5, "memory": 64 * 2 ** 30, "for_series": 0.5, "disk": 10e12}


def measured(rows):
    return table(
        ["engine", "values/s", "pmon, µs a value", "server, µs a value", "network, bytes a value",
         "disk, bytes a value", "memory, bytes a series"],
        [[r["engine"], f"{r['values'] / r['seconds']:,.0f}", f"{r['pmon_cpu'] / r['values'] * 1e6:.2f}",
          f"{r['server_cpu'] / r['values'] * 1e6:.2f}", f"{r['network'] / r['values']:.1f}",
          f"{r['disk'] / r['values']:.1f}", f"{max(r['series_bytes'], 0):,.0f}"] for r in rows])


def needs(r):
    """What the fleet needs of an engine, and the nodes by what runs out first."""
    per_value = {k: r[k] / r["values"] for k in ("network", "disk", "server_cpu")}
    need = {"network": per_value["network"] * RATE * 8, "disk": per_value["disk"] * RATE * 86400,
            "cores": per_value["server_cpu"] * RATE, "memory": max(r["series_bytes"], 0) * SERIES}
    nodes = {"processors": need["cores"] / (NODE["cores"] * NODE["busy"]),
             "memory": need["memory"] / (NODE["memory"] * NODE["for_series"]),
             "disk": need["disk"] * KEPT_DAYS / NODE["disk"]}
    most = max(nodes, key=nodes.get)
    return need, math.ceil(nodes[most]), most


def reckoned(rows):
    lines = []
    for r in rows:
        need, nodes, most = needs(r)
        lines.append([r["engine"], f"{need['network'] / 1e6:,.0f} Mbit/s", f"{need['disk'] / 1e12:.2f} TB",
                      f"{need['cores']:.1f}", f"{need['memory'] / 2 ** 30:,.0f} GiB", f"{nodes}", most])
    return table(["engine", "network", "disk a day", "cores that take it in", "memory for series", "nodes",
                  "by their"], lines)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    words = (f"{MACHINES:,} machines with {COUNTERS:,} counters every {INTERVAL_S} s are {SERIES / 1e6:,.0f} million "
             f"series, {RATE / 1e6:.2f} million values a second and {RATE * 86400 / 1e9:,.0f} thousand million a "
             f"day.")
    put_parts(sys.argv[2], {"measured": measured(rows), "reckoned": words + "\n\n" + reckoned(rows)})


if __name__ == "__main__" and os.path.exists(sys.argv[1]):
    main()
