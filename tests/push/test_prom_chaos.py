#!/usr/bin/env python3
"""The server, the network and pmon are ended at random while logs are pushed, three of them by one command;
afterwards the server has exactly the points of the logs, each once, though it is killed once more as soon as
pmon says that all is done. The three follow on one another, so counting goes on from one to the next: their
points are those of one log. PMON_TEST_KILLS is the number of blows (default 3 for each server)."""

import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
import time

import promlib
from promlib import common

KILLS = int(os.environ.get("PMON_TEST_KILLS") or 3)
PEACE = 0.04            # how often nothing but the network troubles a push any more
PROXY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "proxy.py")

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

    def start_push(self, logs):
        scheme = "prometheus" if self.server.name == "prometheus" else "victoriametrics"
        self.push = subprocess.Popen(
            [common.binary(), "push", "--to", "%s+http://127.0.0.1:%d" % (scheme, self.proxy_port),
             "--state-dir", self.state, "--retry", "10m", *logs],
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


def push_to_end(chaos, logs, blows):
    """Strike while it goes on, push again what was ended, until it goes well. Returns the blows left."""
    for _ in range(200):
        chaos.start_push(logs)
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


def in_three(log):
    return [promlib.cut(log, "%s.part%d.jsonl" % (log, i), *range_)
            for i, range_ in enumerate([(0, 99), (100, 249), (250, 399)])]


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
                blows = push_to_end(chaos, in_three(log), blows)
                if blows < 0:
                    return False
                want.update(promlib.written_points(log))
                start += 400 * 10 * 8
            chaos.server.kill()
            chaos.server.start()
            good = promlib.same_points(chaos.server, want,
                                       promlib.stored_points(chaos.server, 1577836800 - 60, start))
        finally:
            chaos.end()
    print("%s, seed %d: %d blows, %d logs, %d points, %s" % (
        kind.name, seed, KILLS, logs, sum(map(len, want.values())), "exact" if good else "FAILED"))
    return good


def main():
    promlib.need("prometheus", "victoria-metrics")
    seed = int(os.environ.get("PMON_TEST_SEED") or 1)
    kinds = (promlib.Prometheus, promlib.VictoriaMetrics)
    with concurrent.futures.ThreadPoolExecutor(len(kinds)) as pool:
        good = list(pool.map(lambda kind: ordeal(kind, seed), kinds))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
