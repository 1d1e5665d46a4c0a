#!/usr/bin/env python3
"""pmon serve --metrics as something to operate: its own metrics, /healthz, a token that outlives it."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.error

from promlib import common
from servelib import OPENMETRICS, Exporter, check, faults


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
    with Exporter("--speed", "1e9", path) as exporter:
        text = exporter.get()[1]
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        own_metrics(folder)
        with_token(folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
