#!/usr/bin/env python3
"""pmon query of Prometheus and VictoriaMetrics gives the numbers of pmon values and pmon stats, within what
docs/prometheus.md says of both; and what it prints is the PromQL that gives them."""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request

import promlib
from promlib import common

BY = ("machine", "instance", "object")


def url_of(server):
    return "%s+%s" % ("prometheus" if server.name == "prometheus" else "victoriametrics", server.url)


def query(server, *arguments):
    return common.run_pmon("query", url_of(server), *arguments)


def push(server, path):
    """To the plain address, so that pmon does not wait until VictoriaMetrics has it in its files."""
    common.run_pmon("push", "--to", server.url + "/api/v1/write", path)
    if server.name != "prometheus":
        server.flush()


def by_path(rows, number):
    """{(path in lower case, more): row}, None where two rows are of one."""
    found = {}
    for row in rows:
        key = (row["path"].lower(), row.get("time", ""))
        found[key] = None if key in found else row
    return {key: row for key, row in found.items() if row is None or row[number] is not None}


def compare(judge, number, got, want):
    got, want = by_path(got, number), by_path(want, number)
    for key in sorted(set(got) | set(want)):
        if None in (got.get(key, 0), want.get(key, 0)):
            judge.left_out["several counters of one path"] += 1
        elif key not in got:
            judge.differences.add("%s %s: nothing, pmon says %r" % (*key, want[key][number]))
        elif key not in want:
            judge.differences.add("%s %s: %r, pmon says none" % (*key, got[key][number]))
        else:
            judge.equal(key[0], " " + key[1], got[key][number], want[key][number], want[key]["unit"])


def to_ms(row):
    """Prometheus keeps milliseconds."""
    return dict(row, time="%.3f" % promlib.seconds_of(row["time"]))


def compare_averages(server, path, name, *options):
    judge = promlib.Judge("%s: averages %s in %s" % (name, " ".join(options), server.name), server)
    got = json.loads(query(server, "averages", "--format", "json", *options))["averages"]
    want = common.parse_json(common.run_pmon("stats", "--format", "json", *options, path))["counters"]
    compare(judge, "average", got, want)
    return judge.say()


def compare_values(server, path, name, *options):
    judge = promlib.Judge("%s: values %s in %s" % (name, " ".join(options), server.name), server)
    got = json.loads(query(server, "values", "--format", "json", *options))["values"]
    want = [json.loads(line) for line in common.run_pmon("values", "--format", "json", *options, path).splitlines()]
    compare(judge, "value", map(to_ms, got), map(to_ms, want))
    return judge.say()


def compare_top(server, path, name, pattern):
    """The largest, without totals, in their order."""
    judge = promlib.Judge("%s: the largest of %s in %s" % (name, pattern, server.name), server)
    got = json.loads(query(server, "averages", "--format", "json", "--top", "3", "-c", pattern))["averages"]
    rows = common.parse_json(common.run_pmon("stats", "--format", "json", "-c", pattern, path))["counters"]
    rows = [row for row in rows if row["average"] is not None and "_Total" not in row["path"]]
    rows = sorted(rows, key=lambda row: -row["average"])[:3]
    if [row["path"] for row in got] != [row["path"] for row in rows]:
        judge.differences.add("not the largest: %s" % [(row["path"], row["average"]) for row in got])
    compare(judge, "average", got, rows)
    return judge.say()


def compare_printed(server, name, *options):
    """Each line that is printed is a whole query, for which the server gives the numbers of the answer."""
    judge = promlib.Judge("%s: what is printed for %s in %s" % (name, " ".join(options), server.name), server)
    rows = json.loads(query(server, "averages", "--format", "json", *options))["averages"]
    want = sorted(row["average"] for row in rows if row["average"] is not None)
    got = []
    for line in query(server, "averages", "--print", *options).splitlines():
        got += server.query(line, promlib.START).values()
    if len(got) != len(want):
        judge.differences.add("%d numbers in place of %d" % (len(got), len(want)))
    for a, b in zip(sorted(got), want):
        judge.equal("a number", "", a, b, "")
    return judge.say()


def check(server, path, name, begin, end, patterns):
    """patterns: of counters whose selectors together select more than was chosen."""
    push(server, path)
    some = [word for pattern in patterns for word in ("-c", pattern)]
    window = ("--from", begin, "--to", end)
    good = compare_averages(server, path, name)
    good &= compare_averages(server, path, name, *window)
    good &= compare_averages(server, path, name, *some)
    good &= compare_values(server, path, name, *some)
    good &= compare_values(server, path, name, *window, *some)
    for by in BY:
        good &= compare_averages(server, path, name, "--by", by)
        good &= compare_averages(server, path, name, "--by", by, *window, *some)
    good &= compare_printed(server, name, *window, *some)
    good &= compare_printed(server, name, "--by", "machine", *some)
    return good


def check_made_up(kind, folder):
    """Resets, absences, bad values, gaps; and the same counters in a log that begins later."""
    path = promlib.make_log(os.path.join(folder, "made.jsonl"), 11)
    with kind(tempfile.mkdtemp(dir=folder)) as server:
        good = check(server, path, "made up", promlib.iso(promlib.START + 95), promlib.iso(promlib.START + 260),
                     ("\\\\A\\Made Up(0)\\*", "\\\\B\\Made Up(x y)\\*"))
        good &= compare_values(server, path, "made up")
        good &= compare_top(server, path, "made up", "\\Made Up(*)\\perf_average_timer")
        good &= check_version(server, path)
        good &= check_refusals(server)
    return good


def check_real(kind, folder):
    path = common.from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data") + "/blg/pal-SampleLog.blg"
    if not os.path.exists(path):
        return True
    with kind(tempfile.mkdtemp(dir=folder)) as server:
        good = check(server, path, "pal-SampleLog", "2007-08-14T19:43Z", "2007-08-14T19:46Z",
                     ("\\PhysicalDisk(*)\\*", "\\Memory\\*"))
        good &= compare_top(server, path, "pal-SampleLog", "\\Process(*)\\Working Set")
    return good


def check_history(folder):
    """A log that pmon relog wrote for blocks is described too."""
    path = promlib.make_log(os.path.join(folder, "history.jsonl"), 12, samples=10)
    text = os.path.join(folder, "history.om")
    home = tempfile.mkdtemp(dir=folder)
    common.run_pmon("relog", path, "-f", "openmetrics", "-o", text, "-y")
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", text, home + "/data"], check=True,
                   stdout=subprocess.DEVNULL)
    with promlib.Prometheus(home) as server:
        return compare_averages(server, path, "blocks")


class Named(http.server.BaseHTTPRequestHandler):
    """Passes questions on to a server, and answers with the version of another."""

    to = ""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        text = b'{"status":"success","data":{"version":"2.24.0"}}'
        if not self.path.endswith("/status/buildinfo"):
            kind = self.headers.get("Content-Type") or "text/plain"
            request = urllib.request.Request(self.to + self.path, body or None, {"Content-Type": kind})
            with urllib.request.urlopen(request, timeout=600) as answer:
                text = answer.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, *_):
        pass


def check_version(server, path):
    """Whether a window has its first moment is asked of the server, not read from its version."""
    lines = common.run_pmon("values", "--format", "json", path).splitlines()
    times = sorted({json.loads(line)["time"] for line in lines})
    handler = type("NamedFor", (Named,), {"to": server.url})
    front = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=front.serve_forever, daemon=True).start()
    named = type("Front", (), {"name": server.name, "url": "http://127.0.0.1:%d" % front.server_port,
                               "tolerance": server.tolerance})
    good = compare_averages(named, path, "another version", "--from", times[20], "--to", times[32])
    front.shutdown()
    return good


def refused(server, words, *arguments, url=None):
    done = subprocess.run([common.binary(), "query", url or url_of(server), *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, text=True)
    if done.returncode == 0 or words not in done.stderr:
        print("query %s: %d, %r" % (" ".join(arguments), done.returncode, done.stderr))
        return False
    return True


def check_refusals(server):
    good = refused(server, "did you mean \\\\A\\Made Up", "values", "-c", "\\\\A\\Made Up(0)\\perf_average_timers")
    good &= refused(server, "the engine has samples from 2020-01-01", "values", "--from", "2021-01-01")
    good &= refused(server, "use prometheus+http", "counters", url=server.url + "/elsewhere")
    return good


def main():
    promlib.need("prometheus", "promtool", "victoria-metrics")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for kind in (promlib.Prometheus, promlib.VictoriaMetrics):
            good &= check_made_up(kind, folder)
            good &= check_real(kind, folder)
        good &= check_history(folder)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
