#!/usr/bin/env python3
"""The recording rules that pmon prints, judged by promtool and answered by Prometheus and VictoriaMetrics:
values and averages are those of pmon values and pmon stats, for every real log and for made-up ones with
resets, wraps, gaps and instances that come and go. History goes in by promtool tsdb create-blocks-from and by
VictoriaMetrics' import, and recorded series by promtool tsdb create-blocks-from rules.

PMON_TEST_FULL=1 looks at every sample, else at some of each log."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import promlib
from promlib import common


def promtool(*arguments):
    return subprocess.run(["promtool", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          text=True)


def check_rules(logs, folder):
    """All in one go of promtool."""
    paths = [os.path.join(folder, "rules%d.yml" % i) for i in range(len(logs))]
    for path, log in zip(paths, logs):
        with open(path, "w") as file:
            file.write(common.run_pmon("rules", "--labels", "classic", *log.arguments, *log.files))
    done = promtool("check", "rules", *paths)
    found = list(map(int, re.findall(r"(\d+) rules found", done.stdout)))
    if done.returncode != 0 or found != [len(log.rules) for log in logs]:
        print("promtool check rules: " + done.stdout)
        return False
    return True


def make_blocks(log, data, folder):
    """The blocks of a log, told apart from others by a label."""
    path = os.path.join(folder, "log.om")
    common.run_pmon("relog", *log.files, "--merge", "-f", "openmetrics", "-y", "-o", path)
    with open(path) as file:
        text = re.sub(r"(?m)^(\w+)\{", r'\1{log="%s",' % log.name, file.read())
    with open(path, "w") as file:
        file.write(text)
    done = promtool("tsdb", "create-blocks-from", "openmetrics", "-q", path, data)
    if done.returncode != 0:
        sys.exit("promtool tsdb create-blocks-from openmetrics: " + done.stdout)


def import_text(server, log):
    server.post("/api/v1/import/prometheus?extra_label=" + urllib.parse.quote("log=" + log.name), log.text.encode(),
                "text/plain")


def compare(server, logs, how):
    good = True
    for log in logs:
        judge = promlib.Judge("%s, %s" % (log.name, how), server)
        promlib.compare_averages(server, log, judge)
        promlib.compare_values(server, log, judge, absent_is_old=True)
        good = judge.say() and good
    return good


def in_prometheus(logs, folder):
    server = promlib.Prometheus(os.path.join(folder, "prometheus"))
    for log in logs:
        make_blocks(log, os.path.join(server.folder, "data"), folder)
    with server:
        return compare(server, logs, "blocks in Prometheus")


def in_victoria(logs, folder):
    with promlib.VictoriaMetrics(os.path.join(folder, "victoria")) as server:
        for log in logs:
            import_text(server, log)
        server.flush()
        return compare(server, logs, "import in VictoriaMetrics")


# ---- Recorded series of history ------------------------------------------------------------------

RECORDED = ("perf_average_timer", "perf_average_bulk", "perf_counter_bulk_count", "perf_100nsec_timer_inv")
EVERY = 10


def record(server, log, folder):
    """Have promtool evaluate the rules over the blocks, every ten seconds, and put what comes of it beside them."""
    rules = os.path.join(folder, "some.yml")
    with open(rules, "w") as file:
        file.write(common.run_pmon("rules", "--labels", "classic", *[x for name in RECORDED for x in ("-c", "\\Made Up(*)\\" + name)],
                                   *log.files))
    blocks = os.path.join(folder, "recorded")
    with server:
        done = promtool("tsdb", "create-blocks-from", "rules", "--url", server.url, "--start", str(int(log.times[0])),
                        "--end", str(int(log.times[-1])), "--eval-interval", "%ds" % EVERY, "--output-dir", blocks,
                        rules)
    if done.returncode != 0:
        sys.exit("promtool tsdb create-blocks-from rules: " + done.stdout)
    for name in os.listdir(blocks):
        shutil.move(os.path.join(blocks, name), os.path.join(server.folder, "data", name))


def points_of(server, name, end):
    """{labels: {seconds: number}} of a recorded series."""
    answer = server.get("/api/v1/query", query=name + "[1h]", time=end)
    return {frozenset((k, v) for k, v in item["metric"].items() if k not in ("__name__", "log")):
            {t: float(v) for t, v in item["values"]} for item in answer["data"]["result"]}


def compare_recorded(server, log, judge):
    """At each evaluation the displayed value of the newest sample. The points alone are looked at: where a rule
    gave nothing there is no marker of it, and what it gave before would be seen for five minutes."""
    rows = {path: [] for path in log.paths.values()}
    for (path, seconds), row in sorted(log.rows.items(), key=lambda item: item[0]):
        if log.has_point(row):
            rows[path].append((seconds, row))
    for family in promlib.rules_of(log, "value"):
        points = points_of(server, "instance:%s:value" % family, log.times[-1])
        times = {seconds for series in points.values() for seconds in series}
        for (labels, path), seconds in itertools.product(log.families[family] if points else (), times):
            before = [row for time, row in rows[path] if time <= seconds]
            promlib.compare_one(judge, path, " recorded at %.3f" % seconds, points.get(labels, {}).get(seconds),
                                before[-1] if before else None, False)


def recorded(folder):
    log = promlib.Log(promlib.make_log(os.path.join(folder, "history.jsonl"), 5, machines=("A",), stays=True),
                      window="5m", name="history")
    server = promlib.Prometheus(os.path.join(folder, "recorded-prometheus"))
    make_blocks(log, os.path.join(server.folder, "data"), folder)
    record(server, log, folder)
    judge = promlib.Judge("rules over history, in blocks of their own", server)
    with server:
        compare_recorded(server, log, judge)
    return judge.say() and judge.n > 100


def main():
    promlib.need("prometheus", "promtool", "victoria-metrics")
    with tempfile.TemporaryDirectory() as folder:
        logs = [("made up %d" % seed, [promlib.make_log(os.path.join(folder, "made%d.jsonl" % seed), seed)])
                for seed in (1, 2)] + promlib.real_logs()
        logs = [promlib.Log(files, name=name) for name, files in logs]
        good = check_rules(logs, folder)
        good = in_prometheus(logs, folder) and good
        good = in_victoria(logs, folder) and good
        good = recorded(folder) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
