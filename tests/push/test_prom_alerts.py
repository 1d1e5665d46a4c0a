#!/usr/bin/env python3
"""pmon rules --alerts: promtool says when the alerts fire, by the limits as the rules have them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from promlib import common
from servelib import check, faults

RULES = r"""
[Slow reads]
counter = \PhysicalDisk(*)\Avg. Disk sec/Read
except = _Total
while = \PhysicalDisk(*)\Disk Reads/sec > 10/s
warning = > 25ms
critical = > 50ms for 30s
for = 1m
text = Reads take "long".
advice = See {{ who }} reads.
source = A book, 2020
link = https://example.org/a

[Little memory]
counter = \Memory\Available MBytes
warning = <= 100MB
for = 20s
text = Little is left.
source = A book, 2020

[Shared]
counter = \Memory\Available MBytes
of = \Memory\Commit Limit
warning = < 5%
text = Not for Prometheus.
source = A book, 2020

[Elsewhere]
counter = \Nothing\At All
warning = > 5
text = Not here.
source = A book, 2020
"""

COUNTERS = [(r"\\A\PhysicalDisk(0 C:)\Avg. Disk sec/Read", "PERF_AVERAGE_TIMER"),
            (r"\\A\PhysicalDisk(0 C:)\Disk Reads/sec", "PERF_COUNTER_COUNTER"),
            (r"\\A\Memory\Available MBytes", "PERF_COUNTER_RAWCOUNT"),
            (r"\\A\Memory\Commit Limit", "PERF_COUNTER_LARGE_RAWCOUNT")]

READ, RATE = "instance:pmon_physicaldisk_disk_per_read_seconds:value", "instance:pmon_physicaldisk_disk_reads:value"
MEMORY = "instance:pmon_memory_available_mbytes_bytes:value"

# Disk C reads slowly, 30 ms, from 0 s on, beyond 50 ms from 120 s on. D is as slow, and reads less than 10 times a
# second. _Total is left out. Memory is at its limit of 100 MB (104,857,600
# bytes) from 60 s on.
SERIES = [(READ, "0 C:", "0.03x11 0.06x20"), (RATE, "0 C:", "50x40"), (READ, "1 D:", "0.03x40"), (RATE, "1 D:", "5x40"),
          (READ, "_Total", "0.03x40"), (RATE, "_Total", "55x40"), (MEMORY, None, "105906176x5 104857600x30")]

# (seconds, alert, {severity: instances})
WANTED = [(50, "Slow reads", {}), (60, "Slow reads", {"warning": ["0 C:"]}), (140, "Slow reads", {"warning": ["0 C:"]}),
          (150, "Slow reads", {"warning": ["0 C:"], "critical": ["0 C:"]}),
          (70, "Little memory", {}), (80, "Little memory", {"warning": [None]})]


def labels_of(instance):
    of = {"instance": "a:9182", "machine": "A", "object": "Memory" if instance is None else "PhysicalDisk"}
    return of if instance is None else dict(of, counter_instance=instance)


def expand(values):
    """"7x2 8x1": 7 three times, 8 twice"""
    return " ".join("%s+0x%s" % tuple(part.split("x")) for part in values.split())


def wanted(name, severities):
    notes = {"Slow reads": {"summary": 'Reads take "long".', "description": "See { { who }} reads.",
                            "source": "A book, 2020", "link": "https://example.org/a"},
             "Little memory": {"summary": "Little is left.", "source": "A book, 2020"}}[name]
    return [{"exp_labels": dict(labels_of(instance), severity=severity), "exp_annotations": notes}
            for severity, instances in severities.items() for instance in instances]


def main():
    if not shutil.which("promtool"):
        common.skip("no promtool")
    with tempfile.TemporaryDirectory() as folder:
        log, rules = os.path.join(folder, "log.jsonl"), os.path.join(folder, "my.rules")
        with open(log, "w") as file:
            for path, kind in COUNTERS:
                file.write(json.dumps({"path": path, "type": kind, "time": "2020-01-01T00:00:00Z", "first": 1, "second": 1,
                                       "multi": 0, "time_base": 10000000, "status": "valid_data", "sample": 0}) + "\n")
        with open(rules, "w") as file:
            file.write(RULES)
        text = common.run_pmon("rules", "--alerts", "--rules", rules, log)
        check("what is left out, and why:\n" + text, [line for line in text.splitlines() if line.startswith("#")] == [
            "# Shared: left out, its limit is a share of another counter",
            "# Elsewhere: left out, none of its counters exists here"])
        with open(os.path.join(folder, "alerts.yml"), "w") as file:
            file.write(text)
        # JSON is YAML
        test = {"rule_files": ["alerts.yml"], "evaluation_interval": "10s", "tests": [{
            "interval": "10s",
            "input_series": [{"series": "%s{%s}" % (name, ",".join("%s=%s" % (k, json.dumps(v)) for k, v in
                                                                   labels_of(instance).items())),
                              "values": expand(values)} for name, instance, values in SERIES],
            "alert_rule_test": [{"eval_time": "%ds" % at, "alertname": name, "exp_alerts": wanted(name, severities)}
                                for at, name, severities in WANTED]}]}
        with open(os.path.join(folder, "test.yml"), "w") as file:
            json.dump(test, file)
        for words in (["check", "rules", "alerts.yml"], ["test", "rules", "test.yml"]):
            done = subprocess.run(["promtool", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, check=False)
            check("promtool %s: %s" % (words, done.stdout), done.returncode == 0)
        classic = common.run_pmon("rules", "--alerts", "--labels", "classic", "--rules", rules, log)
        check("classic labels", '{instance!~"(?i)_Total"}' in classic and
              "on (machine, index, parent, instance)" in classic and "counter_instance" not in classic)
        done = subprocess.run([common.binary(), "rules", "--alerts", "--pack", "exchange", log], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        check("no rule at all", done.returncode == 1 and "no rule has a counter that exists here" in done.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
