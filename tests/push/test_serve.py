#!/usr/bin/env python3
"""pmon serve --metrics as something to operate: its own metrics, /healthz, a token that outlives it."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error

import promlib
from promlib import common
from servelib import OPENMETRICS, Exporter, check, faults, shown_counters


def own(text, name):
    """A metric of the server itself."""
    found = re.search(r"^%s (\S+)$" % name, text, re.MULTILINE)
    return float(found.group(1)) if found else None


def own_metrics(folder):
    """Three samples 10 s apart, played back at 1e9: the first scrape has the first, the second one the last, so one is
    missed, however slow the machine is."""
    path = os.path.join(folder, "three.jsonl")
    with open(path, "w") as file:
        for sample in range(3):
            file.write(json.dumps({"path": r"\\A\Memory\Available Bytes", "type": "PERF_COUNTER_LARGE_RAWCOUNT",
                                   "time": "2020-01-01T00:00:%d0Z" % sample, "status": "valid_data", "first": sample,
                                   "second": 0, "multi": 0, "sample": sample}) + "\n")
    version = subprocess.run([common.binary(), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    with Exporter("--speed", "1e9", "--label", "site=berlin", path) as exporter:
        text = exporter.get()[1]
        check("a label of the machine", '{machine="A",object="Memory",site="berlin"} 0\n' in text)
        labels = re.search(r'^pmon_build_info\{version="(.*)"\} 1$', text, re.MULTILINE)
        check("pmon_build_info", labels and labels.group(1) in version.split())
        check("nothing is missed at first", own(text, "pmon_serve_missed_samples_total") == 0)
        check("a scrape", own(text, "pmon_serve_scrape_duration_seconds_count") == 1)
        took = own(text, "pmon_serve_scrape_duration_seconds_sum")
        text = exporter.get(OPENMETRICS)[1]
        check("a sample is missed", own(text, "pmon_serve_missed_samples_total") == 1)
        check("another scrape", own(text, "pmon_serve_scrape_duration_seconds_count") == 2 and
              0 < took < own(text, "pmon_serve_scrape_duration_seconds_sum") < 600)
        check("facts have a type of their own", "# TYPE pmon_build info\n" in text)
        check("health", exporter.get(path="/healthz")[1] == "ok\n")


def compressed():
    """RFC 9110, 12.5.3: gzip if it is named with a weight above 0, or not named and "*" has one."""
    with Exporter("-c", r"\Memory\*", "-i", "1h") as exporter:
        want = {True: ("gzip", "gzip, deflate", "deflate;q=1, gzip;q=0.5", "GZIP", "*", "identity, *;q=0.1", "br,gzip"),
                False: ("", "identity", "gzip;q=0", "br", "*;q=0", "gzip;q=0.0, *", "xgzip", "gzipx", "deflate, br")}
        plain = shown_counters(exporter.get()[1])
        for packed, headers in want.items():
            for header in headers:
                with exporter.ask(**{"Accept-Encoding": header}) as answer:
                    coding, body = answer.headers["Content-Encoding"], answer.read()
                    check("varies with %r" % header, answer.headers["Vary"] == "Accept-Encoding")
                check("coding of %r: %s" % (header, coding), coding == ("gzip" if packed else None))
                text = (gzip.decompress(body) if packed else body).decode()
                check("the same text for %r" % header, shown_counters(text) == plain)
                check("shorter", not packed or len(body) * 4 < len(text))
        try:
            exporter.ask("/x", **{"Accept-Encoding": "gzip"})
        except urllib.error.HTTPError as error:
            check("an error is text", error.headers["Content-Encoding"] is None)


def with_token(folder):
    """RFC 6750: a token after "Authorization: Bearer", and 401 with WWW-Authenticate without it."""
    token = "mF_9.B5f-4.1JqM~+/=="
    path = os.path.join(folder, "token")
    with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(token + "\n")
    for _ in range(2):    # it outlives the server
        with Exporter("--token-file", path, "-c", r"\Memory\*") as exporter:
            check("the address does not show the token", "mF_9" not in exporter.url)
            good = {"Authorization": "Bearer " + token}
            check("with the token", exporter.status(**good) == 200)
            check("the scheme ignores case", exporter.status(Authorization="bearer  " + token) == 200)
            for bad in ({}, {"Authorization": "Bearer " + token[:-1]}, {"Authorization": "Bearer " + token + "x"},
                        {"Authorization": "Bearer "}, {"Authorization": "Basic " + token},
                        {"Authorization": token}, {"Cookie": "pmon-mF_9.B5f=" + token}):
                check("refused: %s" % bad, exporter.status(**bad) == 401)
            try:
                exporter.ask()
            except urllib.error.HTTPError as error:
                check("a challenge", error.headers["WWW-Authenticate"] == 'Bearer realm="pmon"')
            check("health needs no token", exporter.status("/healthz") == 200)
            check("other hosts are refused there too", exporter.status("/healthz", Host="evil.example:80") == 403)
            with exporter.ask(**good) as answer:
                check("no cookie holds the token", answer.headers["Set-Cookie"] is None)


JOBS = """
global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
rule_files: [rules.yml]
scrape_configs:
- {job_name: plain, static_configs: [{targets: ['%(target)s']}]}
- {job_name: honored, honor_labels: true, static_configs: [{targets: ['%(target)s']}]}
- job_name: named
  static_configs: [{targets: ['%(target)s']}]
  relabel_configs: [{source_labels: [__address__], regex: '(.*):\\d+', target_label: instance}]
- {job_name: classic, static_configs: [{targets: ['%(classic)s']}]}
- {job_name: classic_honored, honor_labels: true, static_configs: [{targets: ['%(classic)s']}]}
"""


def joined_with_up(folder):
    """Prometheus keeps a scraped label that its target has too, as "instance" always, under its own name with
    honor_labels, and as exported_instance without; up has the labels of the target (its manual, "Configuration",
    honor_labels). What has no such label gets that of the target either way."""
    patterns = ["-c", r"\Processor(*)\% Processor Time", "-c", r"\Memory\Available Bytes"]
    with Exporter(*patterns) as exporter, Exporter("--labels", "classic", *patterns) as classic:
        target, old = (e.url.split("//")[1].split("/")[0] for e in (exporter, classic))
        with open(os.path.join(folder, "rules.yml"), "w") as file:
            file.write(common.run_pmon("rules", *patterns))
        with promlib.Prometheus(folder, config=JOBS % {"target": target, "classic": old}) as server:
            deadline = time.monotonic() + 120
            fleet = "count by (job) (fleet:pmon_processor_processor_time_idle_seconds:value{counter_instance!=''})"
            while time.monotonic() < deadline and (len(server.query("up == 1", time.time())) < 5 or
                                                   len(server.query(fleet, time.time())) < 3):
                time.sleep(0.3)
            compare_joins(server, target)


def compare_joins(server, target):
    def labels(expression, *names):
        """{values of these labels}, "" for none"""
        return {tuple(dict(found).get(name, "") for name in names) for found in server.query(expression, time.time())}

    memory, processor = "pmon_memory_available_bytes", "pmon_processor_processor_time_idle_seconds"
    join = "%s * on (job, instance) group_left () up"
    joined = {("plain",), ("honored",), ("named",)}
    # classic without honor_labels: the counter's own label has gone to exported_instance
    check("counters without an instance join with up", labels(join % memory, "job") == joined | {("classic",)})
    check("counters with one join with up", labels(join % (processor + "_total"), "job") == joined | {("classic",)})
    cores = labels(processor + '_total{job="plain"}', "counter_instance")
    check("instances of counters: %s" % cores, {("_Total",), ("0",)} <= cores)
    check("nothing is renamed", labels('{exported_instance!="",job!="classic"}', "job") == set())
    check("exported_instance", labels(processor + '_total{job="classic"}', "exported_instance") == cores)
    check("classic keeps that of the counter",
          labels(processor + '_total{job="classic_honored"}', "instance") == cores)
    check("a target without its port", labels(memory + '{job="named"}', "instance") == {("127.0.0.1",)})
    check("rules of a machine join with up", labels(
        join % ("machine:%s:value" % processor), "job", "instance", "counter_instance") >= {
            ("plain", target, ""), ("honored", target, ""), ("named", "127.0.0.1", "")})
    check("rules of a fleet have no target", labels(
        "fleet:%s:value{job='plain'}" % processor, "instance", "counter_instance") == {("", x[0]) for x in cores})


def main():
    with tempfile.TemporaryDirectory() as folder:
        own_metrics(folder)
        compressed()
        with_token(folder)
        if shutil.which("prometheus"):
            joined_with_up(folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
