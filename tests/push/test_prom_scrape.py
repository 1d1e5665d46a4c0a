#!/usr/bin/env python3
"""pmon serve --metrics: the text that is scraped, when samples are taken, logs that are played back, and a
Prometheus that scrapes them, with the rules on top; promtool judges the rules on numbers made by hand."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

import promlib
from promlib import common
from servelib import LABEL, OPENMETRICS, Exporter, check, faults, numbers, promtool_lint, shown_counters


# ---- The text, and when it is made ----------------------------------------------------------------

def this_machine():
    patterns = ["-c", r"\Processor(*)\*", "-c", r"\Memory\*", "-c", r"\System\*"]
    with Exporter(*patterns, "-i", "1h") as exporter:
        kind, text = exporter.get()
        check("the older format by default", kind == "text/plain; version=0.0.4; charset=utf-8")
        check("it has no end", "# EOF" not in text and "# UNIT" not in text)
        if shutil.which("promtool"):
            check("promtool: %s" % promtool_lint(text), not promtool_lint(text))
        kind, open_text = exporter.get(OPENMETRICS)
        check("OpenMetrics when it is wanted", kind == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        check("with its end", open_text.endswith("\n# EOF\n") and "# UNIT" in open_text)
        check("text when that is wanted more",
              exporter.get("application/openmetrics-text;q=0.2,text/plain;q=0.8")[0].startswith("text/plain"))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(lambda _: exporter.get()[1], range(16)))
        check("one sample in an interval, for all", all(shown_counters(x) == shown_counters(text) for x in texts) and
              numbers(open_text) == numbers(text))
        check("only /metrics", exporter.status("/x") == 404)
        check("no other host's page may ask", exporter.status(Host="evil.example:80") == 403)
    with Exporter(*patterns, "-i", "100ms") as exporter:
        text = exporter.get()[1]
        deadline = time.monotonic() + 120
        while shown_counters(exporter.get()[1]) == shown_counters(text) and time.monotonic() < deadline:
            time.sleep(0.05)
        check("another one in the next", time.monotonic() < deadline)
    done = subprocess.run([common.binary(), "serve"], stderr=subprocess.PIPE, text=True, check=False)
    check("--metrics is said", done.returncode == 2 and "--metrics" in done.stderr)


def defaults():
    """Those of pmon record, and processes by name; promtool has nothing to say, about units neither."""
    with Exporter("-i", "1h") as exporter:
        text = exporter.get()[1]
    objects = set(re.findall(r'object="([^"]*)"', text))
    recorded = subprocess.run([common.binary(), "record", "-n", "1", "-q", "--format", "jsonl", "-o", "-"],
                              stdout=subprocess.PIPE, check=True).stdout.decode()
    want = {re.match(r"\\\\[^\\]+\\([^(\\]+)", json.loads(line)["path"]).group(1) for line in recorded.splitlines()}
    check("objects: %s" % (objects ^ want), objects - want == {"Process"} and "Process" not in want and
          len(want - objects) == 0)
    processes = re.findall(r'^pmon_process_working_set\{counter_instance="([^"]*)"', text, re.MULTILINE)
    check("processes: %s" % processes, 0 < len(processes) <= 20 and len(set(processes)) == len(processes))
    check("no process by itself", not re.search(r'object="Process".*index=|index=.*object="Process"', text))
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        check("promtool: " + done.stdout, done.returncode == 0 and done.stdout == "")
    with Exporter("--top", "0", "-i", "1h") as exporter:
        check("no processes", "pmon_process_" not in exporter.get()[1])
    with Exporter("-c", r"\Process(*)\Working Set", "-i", "1h") as exporter:
        check("each process", 'counter_instance="_Total"' in exporter.get()[1])


# ---- Logs that are played back --------------------------------------------------------------------

def played_back(folder):
    """The first scrape is the first sample, the last the last one; what lies between is pmon's average. The last sample
    is there for two intervals: a busy machine needs a lower speed to see it."""
    path = promlib.make_log(os.path.join(folder, "play.jsonl"), 31, machines=("A",), stays=True, interval=10)
    log = promlib.Log(path)
    for speed in (250, 50, 10):
        wrong = compare_played(log, *play(path, speed))
        if not wrong:
            break
    for what in wrong:
        check(what, False)


def play(path, speed):
    """The numbers of the first scrape and of the last one."""
    with Exporter("--labels", "classic", "--speed", str(speed), path) as exporter:
        first = last = numbers(exporter.get()[1])
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            now = numbers(exporter.get()[1])
            if not now:
                break
            last = now
            time.sleep(0.01)
    check("a log that ended is gone", now == {})
    return first, last


def compare_played(log, first, last):
    """What is wrong."""
    wrong = []
    n = 0
    for (name, labels), path in log.paths.items():
        base = [x for x in (name + "_base", name + "_base_seconds") if any(k[0] == x for k in first)]
        kind = log.stats[path][0]["type"]
        if not base or "FRACTION" in kind and "RAW" in kind or log.stats[path][0]["unit"] not in ("/s", "s"):
            continue
        text = next((k[1] for k in first if k[0] == name and
                     frozenset(LABEL.findall(k[1])) == labels), None)
        if text is None:
            continue
        dn = last[(name, text)] - first[(name, text)]
        dd = last[(base[0], text)] - first[(base[0], text)]
        want = log.stats[path][0]["average"]
        got = dn / dd if dd else None
        if got is None or abs(got - want) > 1e-7 * abs(want):
            wrong.append("%s: %r, not %r" % (path, got, want))
        n += 1
    check("rates and times were compared", n >= 9)
    return wrong


def scraped(folder):
    """A Prometheus that scrapes: labels as they are, sums over the time that it saw, and what has gone. On a busy machine
    it may not scrape twice before the log ends; then the log is played more slowly."""
    path = promlib.make_log(os.path.join(folder, "scrape.jsonl"), 32, machines=("A",), calm=True, samples=30)
    for speed, interval in ((100, "500ms"), (20, "2s"), (5, "5s")):
        wrong = scrape(tempfile.mkdtemp(dir=folder), path, speed, interval)
        if not wrong:
            break
    for what in wrong:
        check(what, False)


def scrape(folder, path, speed, interval):
    """What is wrong."""
    with Exporter("--labels", "classic", "--speed", str(speed), path) as exporter:
        target = exporter.url.split("//")[1].split("/")[0]
        with open(os.path.join(folder, "all.yml"), "w") as file:
            file.write(common.run_pmon("rules", "--labels", "classic", path))
        config = ("global: {scrape_interval: %s, scrape_timeout: %s, evaluation_interval: 500ms}\n"
                  "rule_files: ['%s']\nscrape_configs:\n"
                  "- {job_name: pmon, honor_labels: true, static_configs: [{targets: ['%s']}]}\n" % (
                      interval, interval, os.path.join(folder, "all.yml"), target))
        with promlib.Prometheus(os.path.join(folder, "prometheus"), config=config) as server:
            rules = promlib.read_rules(common.run_pmon("rules", "--labels", "classic", "--window", "1m", path))
            rule = next(v for k, v in rules.items() if "bulk_count" in k and k.startswith("instance") and "average" in k)
            value, seen, there = {}, set(), True
            deadline = time.monotonic() + 200
            while time.monotonic() < deadline and (there or not seen or numbers(exporter.get()[1])):
                value = server.query(rule, time.time()) or value
                there = server.query('{__name__=~"pmon_made_up_.+"}', time.time())
                seen.update(there)
                time.sleep(0.3)
            with urllib.request.urlopen(server.url + "/api/v1/rules", timeout=300) as answer:
                groups = json.load(answer)["data"]["groups"]
            health = {rule["health"] for group in groups for rule in group["rules"]}
            labels = {dict(x).get("instance") for x in seen}
            stats = [rows[0] for p, rows in promlib.Log(path).stats.items() if p.endswith("bulk_count")]
            low, high = min(r["minimum"] for r in stats), max(r["maximum"] for r in stats)
            return [what for what, good in (
                ("every rule is evaluated: %s" % health, health == {"ok"}),
                ("a scraped log that ended is gone", not there),
                ("instances are the counters' own: %s" % labels, labels == {"_Total", "0", "x y"}),
                ("averages lie between the extremes: %s" % value,
                 value and all(low <= x <= high for x in value.values()))) if not good]


# ---- Rules on numbers made by hand -----------------------------------------------------------------

def rules_by_hand(folder):
    """Two reads of 0.15 s, then none (the example of the NT Debugging blog, twice), then an interval
    whose pair is bad; an idle time of 3 s in 10;
    700 events in 20 s of the counter's clock; 5 s of two processors in use in 10."""
    counters = [
        ("\\\\A\\O(0)\\Avg. Disk sec/Read", "PERF_AVERAGE_TIMER", 10),
        ("\\\\A\\O(0)\\% Idle Not", "PERF_100NSEC_TIMER_INV", 10000000),
        ("\\\\A\\O(0)\\Events/sec", "PERF_COUNTER_BULK_COUNT", 10),
        ("\\\\A\\O(0)\\% Both", "PERF_100NSEC_MULTI_TIMER", 10000000),
    ]
    path = os.path.join(folder, "hand.jsonl")
    with open(path, "w") as file:
        for path_, kind, ticks in counters:
            file.write(json.dumps({"path": path_, "type": kind, "time": "2020-01-01T00:00:00Z", "status": "valid_data",
                                   "first": 0, "second": 0, "multi": 2, "time_base": ticks, "sample": 0}) + "\n")
    rules = common.run_pmon("rules", "--labels", "classic", "--window", "1m", path)
    with open(os.path.join(folder, "rules.yml"), "w") as file:
        file.write(rules)
    labels = '{machine="A",object="O",instance="0"}'
    series = {
        "pmon_o_disk_per_read_seconds_total": "0 0.3 0.3 0.3",
        "pmon_o_disk_per_read_seconds_base_total": "0 2 2 2",
        "pmon_o_disk_per_read_seconds_intervals_total": "0 1 2 2",
        "pmon_o_idle_not_idle_seconds_total": "5 8 11",
        "pmon_o_idle_not_idle_seconds_base_seconds_total": "100 110 120",
        "pmon_o_events_total": "1000 1700 1700",
        "pmon_o_events_base_seconds_total": "50 70 90",
        "pmon_o_both_seconds_total": "0 5 10",
        "pmon_o_both_seconds_base_seconds_total": "0 10 20",
        "pmon_o_both_seconds_units": "2 2 2",
    }
    # at 10 s the first interval, at 20 s the second and the average of both; None: there is no value
    wanted = [
        ("10s", "instance:pmon_o_disk_per_read_seconds:value", 0.15),
        ("20s", "instance:pmon_o_disk_per_read_seconds:value", 0),
        ("30s", "instance:pmon_o_disk_per_read_seconds:value", None),
        ("20s", "instance:pmon_o_disk_per_read_seconds:average1m", 0.15),
        ("20s", "instance:pmon_o_idle_not_idle_seconds:value", 70),
        ("20s", "instance:pmon_o_idle_not_idle_seconds:average1m", 70),
        ("10s", "instance:pmon_o_events:value", 35),
        ("20s", "instance:pmon_o_events:value", 0),
        ("20s", "instance:pmon_o_events:average1m", 17.5),
        ("20s", "instance:pmon_o_both_seconds:value", 25),
        ("20s", "machine:pmon_o_both_seconds:average1m", 25),
    ]
    test = ["rule_files: [rules.yml]", "evaluation_interval: 10s", "tests:", "- interval: 10s", "  input_series:"]
    for name, values in series.items():
        test.append("  - {series: '%s%s', values: '%s'}" % (name, labels, values))
    test.append("  promql_expr_test:")
    for at, name, number in wanted:
        of = labels if name.startswith("instance") else '{machine="A"}'
        samples = "{labels: '%s', value: %r}" % (of, 1e6 * number) if number is not None else ""
        test.append("  - {expr: 'round(1e6 * %s)', eval_time: %s, exp_samples: [%s]}" % (name, at, samples))
    with open(os.path.join(folder, "test.yml"), "w") as file:
        file.write("\n".join(test) + "\n")
    done = subprocess.run(["promtool", "test", "rules", "test.yml"], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    check("promtool test rules: " + done.stdout, done.returncode == 0 and "SUCCESS" in done.stdout)


def main():
    this_machine()
    defaults()
    with tempfile.TemporaryDirectory() as folder:
        played_back(folder)
        if not shutil.which("prometheus"):
            common.skip("no prometheus: only our own reader was asked")
        rules_by_hand(folder)
        scraped(folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
