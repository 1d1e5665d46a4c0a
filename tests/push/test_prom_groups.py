#!/usr/bin/env python3
"""The rules for sets of series in Prometheus and VictoriaMetrics: the averages of machines are those of
pmon stats --by machine, and those of fleets those of pmon stats --by instance (docs/counters.md, "Groups"). The
same for the databases is tests/push/groups.sh."""

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
    """The path that pmon stats prints for a set, from its labels and a (labels, path) of its members."""
    member_labels, member_path = dict(member[0]), member[1]
    counter = member_path[len(promlib.path_of(member_labels, "")):]
    labels = dict(labels, object=member_labels["object"])
    if level == "machine":
        labels["instance"] = "*"
    elif "machine" in member_labels:
        labels["machine"] = "*"
    return promlib.path_of(labels, counter).lower()


def expected(members, level):
    """The paths of the sets of these members."""
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
                    judge.equal(path, " of %s" % level, got, row["average"], row["unit"])
            for path in missing:
                if rows.get(path) and rows[path]["average"] is not None:
                    judge.differences.add("%s of %s: nothing, pmon says %r" % (path, level, rows[path]["average"]))
    return judge.say() and judge.n > 0


def made_up(folder, name, lines):
    path = os.path.join(folder, name + ".jsonl")
    with open(path, "w") as file:
        file.write("".join(line + "\n" for line in lines))
    return promlib.Log([path], name=name)


def fractions(folder):
    """Two volumes, one that doubles and one that is full; a group of one; and totals alone."""
    text = ('{"path":"\\\\\\\\A\\\\%s\\\\%% Free","type":"PERF_RAW_FRACTION","time":"2020-01-01T01:00:%02dZ",'
            '"status":"valid_data","first":%d,"second":%d,"sample":%d}')
    rows = [("Disk(a)", 0, 10, 100), ("Disk(b)", 0, 90, 100), ("Disk(0,_Total)", 0, 1, 100),
            ("One(a)", 0, 10, 100), ("Sum(_total)", 0, 7, 10), ("None(a)", 0, 5, 0), ("None(b)", 0, 5, 0),
            ("Disk(a)", 10, 20, 200), ("One(a)", 10, 60, 200), ("None(a)", 10, 5, 0)]
    return made_up(folder, "fractions", [text % (thing, s, n, b, s // 10) for thing, s, n, b in rows])


# By hand: (10 + 90 + 20) / (100 + 100 + 200); the mean of 10 % and 30 %; the total; nothing of nothing.
BY_HAND = {"disk": 30.0, "one": 20.0, "sum": 70.0, "none": 0.0}


def compare_by_hand(server, log, judge):
    rules = {name: log.rules["machine:pmon_%s_free:average24h" % name] for name in BY_HAND}
    found = server.query_rules(rules, log.times[-1] + 0.5, log.name)
    for name, want in BY_HAND.items():
        judge.equal(name, " by hand", *(list(found[name].values()) or [-1.0]), want, "%")


def main():
    promlib.need("prometheus", "promtool", "victoria-metrics")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        by_hand = fractions(folder)
        logs = [by_hand] + [promlib.Log([promlib.make_log(os.path.join(folder, "made%d.jsonl" % seed), seed)],
                                        name="made up %d" % seed) for seed in (1, 2)]
        logs += [promlib.Log(files, name=name) for name, files in promlib.real_logs() if "pal-SampleLog" in name
                 or "CounterSamples.blg" in name or "test2.csv" in name]
        prometheus = promlib.Prometheus(os.path.join(folder, "prometheus"))
        for log in logs:
            test_prom_rules.make_blocks(log, os.path.join(prometheus.folder, "data"), folder)
        with prometheus, promlib.VictoriaMetrics(os.path.join(folder, "victoria")) as victoria:
            for log in logs:
                test_prom_rules.import_text(victoria, log)
            victoria.flush()
            for server in (prometheus, victoria):
                for log in logs:
                    judge = promlib.Judge("%s, sets in %s" % (log.name, server.name), server)
                    if log is by_hand:
                        compare_by_hand(server, log, judge)
                    good = compare(server, log, judge) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
