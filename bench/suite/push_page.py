# push_page.py - the tables of docs/scale.md from what bench_engines, _senders and _dashboard measured
# SPDX-License-Identifier: MIT
#
#	python3 bench/suite/push_page.py PUSH.json SENDERS.json DASHBOARD.json PAGE
#
# Tables of what so many machines need are reckoned from those of what was measured: a value or a batch takes what it
# took here. Nothing in them was measured. What is missing leaves its part of the page as it is.

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
LARGE_MACHINES, LARGE_COUNTERS = 100_000, 500
LARGE_BATCHES = LARGE_MACHINES / INTERVAL_S
LARGE_RATE = LARGE_BATCHES * LARGE_COUNTERS
DASHBOARD = 1000 * 30 * 86400 / INTERVAL_S
WAYS = {"first": "first push, all files by one pmon", "senders": "a pmon for each machine, connecting anew",
        "live": "one sample a batch, connected", "relay": "one sample of all machines, merged",
        "client": "the engine's own client, all at once"}

# What a node is taken to be, and how much of its processors may be busy with what comes in.
NODE = {"cores": 16, "busy": 0.5, "memory": 64 * 2 ** 30, "for_series": 0.5, "disk": 10e12}


def measured(rows):
    return table(
        ["engine", "pmon, µs a value", "server, µs a value", "network, bytes a value",
         "disk, bytes a value", "memory, bytes a series"],
        [[r["engine"], f"{r['pmon_cpu'] / r['values'] * 1e6:.2f}",
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


def engines(rows):
    return list(dict.fromkeys(r["engine"] for r in rows))


def microseconds(seconds, values):
    return f"{seconds / values * 1e6:.2f}" if seconds else "-"


def ways(rows):
    lines = []
    for engine in engines(rows):
        mine = {r["mode"]: r for r in rows if r["engine"] == engine}
        relay = mine["relay"]["server_cpu"] / mine["relay"]["values"]
        for mode in [mode for mode in WAYS if mode in mine]:
            r = mine[mode]
            per_value = r["server_cpu"] / r["values"]
            lines.append([engine if mode == "first" else "", WAYS[mode], f"{r['values'] / r['batches']:,.0f}",
                          microseconds(r["server_cpu"], r["values"]), microseconds(r["client_cpu"], r["values"]),
                          f"{r['server_cpu'] / r['batches'] * 1e3:,.1f}", f"{per_value / relay:.1f}" if per_value else "-"])
    return table(["engine", "way", "values a batch", "server, µs a value", "sender, µs a value", "server, ms a batch",
                  "of the relay's"], lines)


def cores_of_ways(rows, push):
    lines = []
    full = {r["engine"]: f"{r['server_cpu'] / r['values'] * LARGE_RATE:,.1f}" for r in push or []}
    for engine in engines(rows):
        mine = {r["mode"]: r["server_cpu"] / r["values"] * LARGE_RATE for r in rows if r["engine"] == engine}
        lines.append([engine] + [f"{mine[mode]:,.0f}" for mode in ("senders", "live", "relay")] +
                     [full.get(engine, "-")])
    return table(["engine", "a pmon for each machine, connecting anew", "one sample a batch, connected",
                  "one sample, merged", "long logs, full batches"], lines)


def large(push):
    """What does not depend on the way: bytes of a year"""
    lines = []
    for r in push:
        disk = r["disk"] / r["values"] * LARGE_RATE * 86400
        lines.append([r["engine"], f"{r['disk'] / r['values']:.1f}", f"{disk / 1e12:,.1f} TB",
                      f"{disk * KEPT_DAYS / 1e12:,.0f} TB", f"{disk * 365 / 1e12:,.0f} TB",
                      f"{r['network'] / r['values'] * LARGE_RATE * 8 / 1e9:.1f} Gbit/s",
                      f"{max(r['series_bytes'], 0) * LARGE_MACHINES * LARGE_COUNTERS / 2 ** 30:,.0f} GiB"])
    return table(["engine", "bytes a value", "disk a day", "30 days", "a year", "network", "memory for series"], lines)


def dashboard(rows):
    names = {"average": "averages of all counters", "one": "the average of one", "sum": "a plain sum of all"}
    return table(["engine", "query", "raw values", "ms", "million values a second", "1,000 series over 30 days"],
                 [[r["engine"] if r["query"] == "average" else "", names[r["query"]], f"{r['values']:,}",
                   f"{r['ms']:,}" if r["ms"] else "below 10",
                   f"{r['values'] / r['ms'] / 1e3:,.2f}" if r["ms"] else "-",
                   f"{r['ms'] / 1e3 / r['values'] * DASHBOARD:,.0f} s" if r["ms"] and r["query"] != "one" else "-"]
                  for r in rows])


def load(name):
    if not os.path.exists(name):
        return None
    with open(name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    push, senders, asked = (load(name) for name in sys.argv[1:4])
    words = (f"{MACHINES:,} machines with {COUNTERS:,} counters every {INTERVAL_S} s are {SERIES / 1e6:,.0f} million "
             f"series, {RATE / 1e6:.2f} million values a second and {RATE * 86400 / 1e9:,.0f} thousand million a "
             f"day.")
    parts = {}
    if push:
        parts.update({"measured": measured(push), "reckoned": words + "\n\n" + reckoned(push), "large": large(push)})
    if senders:
        parts.update({"ways": ways(senders), "cores": cores_of_ways(senders, push)})
    if asked:
        parts["dashboard"] = dashboard(asked)
    put_parts(sys.argv[4], parts)


if __name__ == "__main__":
    main()
