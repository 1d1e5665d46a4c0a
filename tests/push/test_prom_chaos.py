#!/usr/bin/env python3
"""The server, the network and pmon are ended at random while logs are pushed; afterwards the server has
exactly the points of the logs, each once, though it is killed once more as soon as pmon says that all is
done. PMON_TEST_KILLS is the number of blows (default 3 for each server)."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import promlib
from promlib import common

KILLS = int(os.environ.get("PMON_TEST_KILLS") or 3)
PEACE = 0.04            # how often nothing but the network troubles a push any more
PROXY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "proxy.py")
ALL = '{__name__=~"pmon_.+"}'


def written_points(path):
    """{(name, labels): [(milliseconds, number)]} of a log, from the text that pmon relog writes of it."""
    line_form = re.compile(r'(\S+?)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} (\S+) (\d+)$')
    label_form = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
    points = {}
    for line in common.run_pmon("relog", path, "-f", "prometheus", "-o", "-").splitlines():
        if line.startswith("#"):
            continue
        name, labels, number, ms = line_form.match(line).groups()
        key = (name, frozenset(label_form.findall(labels)))
        points.setdefault(key, []).append((int(ms), float(number)))
    return points


def key_of(metric):
    return metric["__name__"], frozenset((k, v) for k, v in metric.items() if k != "__name__")


def stored_points(server, start, end):
    if server.name == "prometheus":
        answer = server.get("/api/v1/query", query="%s[%ds]" % (ALL, end - start), time="%d" % end)
        return {key_of(item["metric"]): [(round(t * 1000), float(v)) for t, v in item["values"]]
                for item in answer["data"]["result"]}
    server.flush()
    points = {}
    data = urllib.parse.urlencode({"match[]": ALL}).encode()
    with urllib.request.urlopen(server.url + "/api/v1/export", data=data, timeout=600) as answer:
        for line in answer:
            item = json.loads(line)
            # null is a marker of staleness
            points[key_of(item["metric"])] = [(t, v) for t, v in zip(item["timestamps"], item["values"])
                                              if v is not None]
    return points


def same(server, want, got):
    """The same series, times, and numbers. VictoriaMetrics keeps twelve digits of the largest of a block, and as
    many places behind the point of the others."""
    if set(want) != set(got):
        print("%d series are missing, %d too many" % (len(set(want) - set(got)), len(set(got) - set(want))))
        return False
    for key, points in want.items():
        if [t for t, _ in points] != [t for t, _ in got[key]]:
            print("%s: %d points, not %d" % (key, len(got[key]), len(points)))
            return False
        largest = max(abs(a) for _, a in points)
        for (_, a), (_, b) in zip(points, got[key]):
            if a != b and (server.name == "prometheus" or abs(a - b) > 1e-11 * largest):
                print("%s: %r, not %r" % (key, b, a))
                return False
    return True


class Chaos:
    def __init__(self, kind, folder, seed):
        self.rng = random.Random(seed)
        self.server = kind(os.path.join(folder, "server")).start() if kind is promlib.VictoriaMetrics \
            else kind(self.made(os.path.join(folder, "server"))).start()
        self.proxy_port = promlib.free_port()
        self.proxy = subprocess.Popen([sys.executable, PROXY, str(self.proxy_port), str(self.server.port),
                                       "--seed", str(seed), "--trouble", "0.2", "--delay", "0.1"])
        self.state = self.made(os.path.join(folder, "state"))
        self.push = None

    @staticmethod
    def made(path):
        os.makedirs(path)
        return path

    def start_push(self, log):
        scheme = "prometheus" if self.server.name == "prometheus" else "victoriametrics"
        self.push = subprocess.Popen(
            [common.binary(), "push", "--to", "%s+http://127.0.0.1:%d" % (scheme, self.proxy_port),
             "--state-dir", self.state, "--retry", "10m", log],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def strike(self):
        """End pmon, or the server, at a moment; the proxy does the network all the time."""
        time.sleep(self.rng.random() * 0.5)
        if self.rng.random() < 0.5:
            self.push.kill()
            self.push.communicate()
        else:
            self.server.kill()
            time.sleep(self.rng.random() * 0.3)
            self.server.start()

    def end(self):
        if self.push is not None and self.push.poll() is None:
            self.push.kill()
            self.push.communicate()
        self.proxy.kill()
        self.proxy.wait()
        self.server.stop()


def push_to_end(chaos, log, blows):
    """Strike while it goes on, push again what was ended, until it goes well. Returns the blows left."""
    for _ in range(200):
        chaos.start_push(log)
        while chaos.push.poll() is None and blows > 0:
            if chaos.rng.random() < PEACE:
                break
            chaos.strike()
            blows -= 1
        if chaos.push.stdout.closed:
            continue
        out, err = chaos.push.communicate(timeout=1000)
        if chaos.push.returncode == 0:
            return blows
        print("pmon push: %d %s" % (chaos.push.returncode, err[-500:]))
        if "out of order" in err:
            break
    return -1


def ordeal(kind, seed):
    with tempfile.TemporaryDirectory() as folder:
        chaos = Chaos(kind, folder, seed)
        blows = KILLS
        start = 1577836800
        want = {}
        logs = 0
        try:
            while blows > 0:
                log = promlib.make_log(os.path.join(folder, "log%d.jsonl" % logs), seed + logs, stays=True,
                                       machines=("M%d" % logs,), samples=400, start=start)
                logs += 1
                blows = push_to_end(chaos, log, blows)
                if blows < 0:
                    return False
                want.update(written_points(log))
                start += 400 * 10 * 8
            chaos.server.kill()
            chaos.server.start()
            good = same(chaos.server, want, stored_points(chaos.server, 1577836800 - 60, start))
        finally:
            chaos.end()
    print("%s, seed %d: %d blows, %d logs, %d points, %s" % (
        kind.name, seed, KILLS, logs, sum(map(len, want.values())), "exact" if good else "FAILED"))
    return good


def main():
    promlib.need("prometheus", "victoria-metrics")
    seed = int(os.environ.get("PMON_TEST_SEED") or 1)
    good = [ordeal(kind, seed) for kind in (promlib.Prometheus, promlib.VictoriaMetrics)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
