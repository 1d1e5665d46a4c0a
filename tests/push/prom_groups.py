#!/usr/bin/env python3
"""The part of tests/push/groups.sh for Prometheus and VictoriaMetrics: prom_groups.py FILE...

The rules for groups of series give the averages of pmon stats: those of machines --by machine, those of
fleets --by instance (docs/reference/counters.md, "Groups"). Each file is a log. Exit code 1 when a number differs, 77
when there are no servers.

prom_groups.py --make SEED FILE writes a log of every type that these servers can hold."""

import os
import sys
import tempfile

import promlib
import test_prom_rules
from promlib import common

LEVELS = {"machine": "--by=machine", "fleet": "--by=instance"}


def stats_of(log, by):
    """{path in lower case: row}; None where counters of different types have one path."""
    rows = {}
    for row in common.parse_json(common.run_pmon("stats", "--format", "json", *by.split("="), *log.files))["counters"]:
        path = row["path"].lower()
        rows[path] = None if path in rows else row
    return rows


def path_of(labels, member, level):
    """The path that pmon stats prints for a group, from its labels and a (labels, path) of its members."""
    member_labels, member_path = dict(member[0]), member[1]
    counter = member_path[len(promlib.path_of(member_labels, "")):]
    labels = dict(labels, object=member_labels["object"])
    if level == "machine":
        labels["instance"] = "*"
    elif "machine" in member_labels:
        labels["machine"] = "*"
    return promlib.path_of(labels, counter).lower()


def expected(members, level):
    """The paths of the groups of these members."""
    apart = {"machine": ("index", "instance", "parent"), "fleet": ("machine",)}[level]
    return {path_of({k: v for k, v in labels if k not in apart}, (labels, path), level) for labels, path in members}


def compare(server, log, judge):
    for level, by in LEVELS.items():
        rows = stats_of(log, by)
        rules = {}
        for record, expression in log.rules.items():
            of, name, what = record.split(":")
            if of == level and what.startswith("average") and name in log.families:
                rules[name] = expression
        found = server.query_rules(rules, log.times[-1] + 0.5, log.name)
        for name in rules:
            missing = expected(log.families[name], level)
            for labels, got in found[name].items():
                path = path_of(labels, log.families[name][0], level)
                missing.discard(path)
                row = rows.get(path, {"average": None, "unit": ""})
                if row is None:
                    continue
                if row["average"] is None:
                    judge.differences.add("%s: %r, pmon says none" % (path, got))
                else:
                    judge.equal(path, " by %s" % level, got / promlib.scale_of(path), row["average"], row["unit"])
            for path in missing:
                if rows.get(path) and rows[path]["average"] is not None:
                    judge.differences.add("%s of %s: nothing, pmon says %r" % (path, level, rows[path]["average"]))
    return judge.say() and judge.n > 0


def main():
    if sys.argv[1] == "--make":
        promlib.make_log(sys.argv[3], int(sys.argv[2]))
        return 0
    promlib.need("prometheus", "promtool", "victoria-metrics")
    good = True
    logs = [promlib.Log(file, name=os.path.basename(file)) for file in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        prometheus = promlib.Prometheus(os.path.join(folder, "prometheus"))
        for log in logs:
            test_prom_rules.make_blocks(log, os.path.join(prometheus.folder, "data"), folder)
        with prometheus, promlib.VictoriaMetrics(os.path.join(folder, "victoria")) as victoria:
            for log in logs:
                test_prom_rules.import_text(victoria, log)
            victoria.flush()
            for server in (prometheus, victoria):
                for log in logs:
                    judge = promlib.Judge("%s, groups in %s" % (log.name, server.name), server)
                    good = compare(server, log, judge) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
