#!/usr/bin/env python3
"""pmon push of several files into VictoriaMetrics waits once, at the end, until the server has all of it in its
files; it has no fewer and no more points than one log with the same samples, when nothing happens, and when
pmon, the server or both are killed on the way."""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import promlib
from promlib import common

SAMPLES = 40
PARTS = [(0, 9), (10, 24), (25, 39)]
WAITING = "waiting some seconds"
ASKED_EACH_WAIT = 13    # seconds; the server is asked once a second


class Case:
    """A log in three files, and a server of its own."""

    def __init__(self, folder, seed):
        self.folder = tempfile.mkdtemp(dir=folder)
        whole = promlib.make_log(self.path("whole.jsonl"), seed, stays=True, samples=SAMPLES)
        self.want = promlib.written_points(whole)
        self.parts = [promlib.cut(whole, self.path("part%d.jsonl" % i), *range_) for i, range_ in enumerate(PARTS)]
        os.mkdir(self.path("state"))
        self.server = promlib.VictoriaMetrics(self.path("server"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *files):
        return subprocess.Popen(
            [common.binary(), "push", "--to", "victoriametrics+" + self.server.url, "--state-dir", self.path("state"),
             "--batch", "600", *(files or self.parts)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def push(self, *files):
        pushed = self.start(*files)
        out, err = pushed.communicate(timeout=600)
        return pushed.returncode, out, err

    def remembered(self):
        return sorted(name.rsplit(".", 1)[1] for name in os.listdir(self.path("state")))

    def metric(self, path):
        with promlib.urllib.request.urlopen(self.server.url + "/metrics", timeout=300) as answer:
            found = re.search(r'vm_http_requests_total\{path="%s", protocol="promremotewrite"\} (\d+)|'
                              r'vm_http_requests_total\{path="%s"\} (\d+)' % (path, path), answer.read().decode())
        return int(found.group(1) or found.group(2) or 0) if found else 0

    def is_exact(self):
        """Also after a blow: what pmon says is safe is in files."""
        self.server.kill()
        self.server.start()
        return promlib.same_points(self.server, self.want,
                                   promlib.stored_points(self.server, promlib.START, promlib.START + 86400))


def check(words, good):
    print("%s: %s" % (words, "right" if good else "WRONG"), flush=True)
    return good


def waits_once(folder):
    case = Case(folder, 31)
    with case.server:
        before = case.metric("/metrics")
        code, out, err = case.push()
        writes = case.metric("/api/v1/write")
        asked = case.metric("/metrics") - before - 1
        good = check("three files: %d waits, the server was asked %d times: %s" % (err.count(WAITING), asked, err),
                     code == 0 and err.count(WAITING) == 1 and ASKED_EACH_WAIT <= asked < 2 * ASKED_EACH_WAIT)
        good = check("each file has its line: " + out, len(re.findall(r"(?m)part\d\.jsonl: [1-9]", out)) == 3) and good
        good = check("what is remembered: %s" % case.remembered(),
                     case.remembered() == ["pushed"] * 3 + ["series"]) and good
        good = check("points", case.is_exact()) and good
        good = check("nothing was sent twice", writes == 14) and good    # 4, 5 and 5 batches of 600 values
        writes = case.metric("/api/v1/write")
        code, out, err = case.push()
        good = check("again: " + out, code == 0 and out.count(": 0 values") == 3 and WAITING not in err and
                     case.metric("/api/v1/write") == writes) and good
    return good


def read_until(stream, words):
    for line in stream:
        if words in line:
            return True
    return False


def pmon_is_killed(folder):
    """While it waits at the end: nothing is remembered that may be lost, and it is, with the server."""
    case = Case(folder, 32)
    with case.server:
        pushed = case.start()
        good = check("it waits", read_until(pushed.stderr, WAITING))
        case.server.kill()
        pushed.kill()
        pushed.communicate()
        good = check("nothing is remembered yet: %s" % case.remembered(), case.remembered() == []) and good
        case.server.start()
        code, out, err = case.push()
        good = check("pushed again: %s%s" % (out, err), code == 0) and good
        good = check("points after both were killed", case.is_exact()) and good
    return good


def server_is_killed(folder):
    """While pmon waits: it notices, and sends the batches of all files again."""
    case = Case(folder, 33)
    with case.server:
        pushed = case.start()
        good = check("it waits", read_until(pushed.stderr, WAITING))
        case.server.kill()
        case.server.start()
        _, err = pushed.communicate(timeout=600)
        good = check("it ends well: " + err, pushed.returncode == 0) and good
        good = check("points after the server was killed", case.is_exact()) and good
    return good


def one_is_broken(folder):
    """A file in between that cannot be read to its end: the others are remembered, and their points are there."""
    case = Case(folder, 34)
    broken = case.path("broken.blg")
    with open(broken, "wb") as file:
        file.write(b"PerfmonLog\0" * 50)
    with case.server:
        code, out, err = case.push(case.parts[0], broken, case.parts[1], case.parts[2])
        good = check("a broken file in between: %s%s" % (out, err),
                     code == 1 and err.count(WAITING) == 1 and case.remembered() == ["pushed"] * 3 + ["series"])
        good = check("points beside a broken file", case.is_exact()) and good
    return good


def server_is_gone(folder):
    """It never comes back: the command fails, names what to do, and remembers nothing."""
    case = Case(folder, 35)
    with case.server:
        pushed = subprocess.Popen(
            [common.binary(), "push", "--to", "victoriametrics+" + case.server.url, "--state-dir", case.path("state"),
             "--retry", "1s", *case.parts], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        good = check("it waits", read_until(pushed.stderr, WAITING))
        case.server.kill()
        _, err = pushed.communicate(timeout=600)
        good = check("a server that is gone: " + err, pushed.returncode == 1 and "push the files again" in err and
                     case.remembered() == []) and good
        case.server.start()
        good = check("pushed again", case.push()[0] == 0) and good
        good = check("points", case.is_exact()) and good
    return good


def main():
    promlib.need("victoria-metrics")
    tests = (waits_once, pmon_is_killed, server_is_killed, one_is_broken, server_is_gone)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(tests)) as pool:
        good = list(pool.map(lambda test: test(folder), tests))     # each waits for most of its time
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
