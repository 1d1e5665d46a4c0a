#!/usr/bin/env python3
"""pmon rules --alias: names, labels and units are those of node_exporter, values are the raw
ones in base units, and grow by what pmon's averages say; promtool has nothing to say about rules or metrics."""

import json
import os
import re
import subprocess
import sys
import tempfile

import promlib
from promlib import common
from servelib import check, faults

HERE = os.path.dirname(os.path.abspath(__file__))
TICKS = 10000000
TIMES = (0, 10, 30)     # seconds of the samples

# (path, type, raw values; alias, labels of it, what it is at the end). Expected numbers are the raw ones: 100 ns by
# 10^7 are seconds. node_exporter's idle is without iowait. A queue is not a rate: the newest value.
COUNTERS = [
    (r"Processor(0)\% Idle Time", "PERF_100NSEC_TIMER", (50000000, 120000000, 300000000),
     "node_cpu_seconds_total", {"cpu": "0", "mode": "idle"}, 26),
    (r"Processor(0)\% I/O Wait Time", "PERF_100NSEC_TIMER", (10000000, 20000000, 40000000),
     "node_cpu_seconds_total", {"cpu": "0", "mode": "iowait"}, 4),
    (r"Processor(_Total)\% I/O Wait Time", "PERF_100NSEC_TIMER", (1, 2, 3), None, None, None),
    (r"PhysicalDisk(sda)\Disk Read Bytes/sec", "PERF_COUNTER_BULK_COUNT", (1000, 5000, 9007199254),
     "node_disk_read_bytes_total", {"device": "sda"}, 9007199254),
    (r"PhysicalDisk(sda)\Current Disk Queue Length", "PERF_COUNTER_RAWCOUNT", (7, 6, 5), "node_disk_io_now",
     {"device": "sda"}, 5),
    (r"Memory\Available Bytes", "PERF_COUNTER_LARGE_RAWCOUNT", (100, 90, 80), "node_memory_MemAvailable_bytes", {}, 80),
    (r"Network Interface(eth0)\Bytes Sent/sec", "PERF_COUNTER_BULK_COUNT", (8, 8, 10000000000),
     "node_network_transmit_bytes_total", {"device": "eth0"}, 10000000000),
    (r"TCPv4\Segments Received/sec", "PERF_COUNTER_COUNTER", (1, 2, 4294967295), "node_netstat_Tcp_InSegs", {},
     4294967295),
]


def write_log(path):
    with open(path, "w") as file:
        for sample, seconds in enumerate(TIMES):
            for series, (name, kind, raw, *_) in enumerate(COUNTERS):
                file.write(json.dumps({
                    "path": "\\\\A\\" + name, "type": kind, "time": promlib.iso(promlib.START + seconds),
                    "first": str(raw[sample]), "second": str(seconds * TICKS),
                    "multi": 0, "time_base": TICKS, "size": 8, "status": "valid_data", "sample": sample,
                    "series": series}) + "\n")
    return path


def aliases_of(text):
    """[(name, expression, labels)] of the rules."""
    found = re.findall(r"- record: (\S+)\n +expr: '(.*)'\n((?: +labels:\n(?: {10}.*\n)+)?)", text)
    return [(name, expression, dict(re.findall(r"(\w+): (\S+)\n", labels.replace("labels:", ""))))
            for name, expression, labels in found]


def lint(folder, what, text):
    path = os.path.join(folder, "rules.yml")
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run(["promtool", "check", "rules", "--lint=all", "--lint-fatal", path], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    check("promtool of %s: %s" % (what, done.stdout), done.returncode == 0 and "SUCCESS" in done.stdout)


def values(folder):
    """In VictoriaMetrics by the labels of pushes."""
    log = write_log(os.path.join(folder, "linux.jsonl"))
    text = common.run_pmon("rules", "--alias", "--labels", "classic", log)
    lint(folder, "the made-up log", text)
    stats = {row["path"]: row for row in common.parse_json(common.run_pmon("stats", "--format", "json", log))["counters"]}
    with promlib.VictoriaMetrics(os.path.join(folder, "server")) as server:
        subprocess.run([common.binary(), "push", "--to", server.url + "/api/v1/write", log], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server.flush()
        at = [{}, {}]
        for i, seconds in enumerate((TIMES[0], TIMES[-1])):
            for name, expression, labels in aliases_of(text):
                for more, number in server.query(expression, promlib.START + seconds).items():
                    key = name, tuple(sorted(dict(more, **labels).items()))
                    check("%s twice" % (key,), key not in at[i])
                    at[i][key] = number
    wanted = 0
    for path, kind, raw, name, labels, number in COUNTERS:
        if name is None:
            continue
        wanted += 1
        found = [key for key in at[1] if key[0] == name and all(item in key[1] for item in labels.items()) and
                 ("instance", "A") in key[1] and ("job", "pmon") in key[1]]
        check("%s as %s%s: %s" % (path, name, labels, found), len(found) == 1 and at[1][found[0]] == number)
        if found and "RAWCOUNT" not in kind and labels.get("mode") != "idle":
            average = (at[1][found[0]] - at[0][found[0]]) / (TIMES[-1] - TIMES[0]) * (100 if "TIMER" in kind else 1)
            want = stats["\\\\A\\" + path]["average"]
            check("%s grows by %r a second, pmon says %r" % (name, average, want), abs(average - want) <= 1e-9 * want)
    check("nothing else: %d of %d" % (len(at[1]), wanted), len(at[1]) == wanted)


def of_node_exporter():
    """What this machine gives has the names, kinds and labels that node_exporter has."""
    with open(os.path.join(HERE, "node_exporter.tsv")) as file:
        theirs = {row[0]: row[1:] for row in (line.rstrip("\n").split("\t") for line in file if line[0] != "#")}
    text = common.run_pmon("rules", "--alias")
    node = [rule for rule in aliases_of(text) if rule[0].startswith("node_")]
    for name, expression, labels in node:
        kind, keys = theirs.get(name, ("nothing", ""))
        # Windows has errors and drops as counts of one moment; they only grow, and the value is the same.
        is_counter = re.search(r"pmon_\w+", expression).group().endswith("_total") or \
            name.endswith(("_errs_total", "_drop_total"))
        ours = sorted(list(labels) + re.findall(r'", "\$1"|"(\w+)", "\$1"', expression))
        check("%s is a %s of %s, with labels %s" % (name, kind, theirs.get(name), ours),
              kind in ("untyped", "counter" if is_counter else "gauge") and ",".join(ours) == keys)
    check("%d rules of node_exporter" % len(node), len(node) > 40)
    return text


def lints(folder):
    lint(folder, "this machine", of_node_exporter())
    for name, files in promlib.real_logs():
        for labels in ("target", "classic"):
            lint(folder, name, common.run_pmon("rules", "--labels", labels, *files))
            done = subprocess.run([common.binary(), "rules", "--alias", "--labels", labels, *files],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            check("%s: %s" % (name, done.stderr), done.returncode == (0 if "record:" in done.stdout else 1))
            if done.returncode == 0:
                lint(folder, "names for " + name, done.stdout)
        metrics = common.run_pmon("relog", *files, "--merge", "-f", "prometheus", "-o", "-")
        done = subprocess.run(["promtool", "check", "metrics"], input=metrics, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        check("promtool check metrics of %s: %s" % (name, done.stdout), done.returncode == 0 and not done.stdout.strip())


def words(folder):
    log = os.path.join(folder, "linux.jsonl")
    for arguments, code, text in ((["--alias", "--alerts", log], 2, "cannot be combined"),
                                  (["--alias", "-c", r"\Processor(_Total)\% I/O Wait Time", log], 0, ""),
                                  (["--alias", os.path.join(folder, "other.jsonl")], 1, "none of these")):
        done = subprocess.run([common.binary(), "rules", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False)
        check("%s: %d %s" % (arguments, done.returncode, done.stderr), done.returncode == code and text in done.stderr)


def main():
    promlib.need("promtool", "victoria-metrics")
    with tempfile.TemporaryDirectory() as folder:
        promlib.make_log(os.path.join(folder, "other.jsonl"), 1, samples=2)
        values(folder)
        words(folder)
        lints(folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
