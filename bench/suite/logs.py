# logs.py - the logs that all programs read
# SPDX-License-Identifier: MIT

import json
import os

# name: kind and format, as bench_big_log has them
LOGS = {"single.csv": ("single", "csv"), "single.blg": ("single", "blg"),
        "many.blg": ("many", "blg"), "churn.blg": ("churn", "blg")}


def make(machine, size):
    for name, (kind, form) in LOGS.items():
        if not os.path.exists(machine.path(name)):
            machine.output([machine.tool("big_log"), kind, form, size, machine.path(name)])


def facts(machine, name):
    """How many counters and raw values a log has, by pmon itself."""
    out = machine.output([machine.pmon, "info", "--format", "json", machine.path(name)])
    log = json.loads(out)["logs"][0]
    return log["counters"], log["raw_values"]
