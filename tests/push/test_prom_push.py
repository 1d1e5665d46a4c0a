#!/usr/bin/env python3
"""pmon push to Prometheus and VictoriaMetrics by remote write: the rules give pmon's numbers, of single
counters and of sets; the same facts count once, in whatever files they come; what cannot be is told."""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from types import SimpleNamespace

import promlib
from promlib import common
import calc

WORDS = {name: word for word, name in (
    (row.split(",")[0], row.split(",")[1]) for row in common.run_pmon("types", "--format", "csv").splitlines()[1:])}


# One source of each of these kinds goes into a Prometheus of its own, which takes time; all of them in full.
QUICK = ("blg/pal-SampleLog.blg", "blg/tx-BasicPerfCounters.blg", "pdh-text/esxtop_gsliu_origin.csv",
         "pdh-text/wfjsg_test2.csv", "perfblock/windows/PhysicalDisk_234.bin",
         "winperf/cmk230_win2019_agent_sections.txt")


def push(server, *arguments, query="", url=None):
    """To the plain address of the remote write: pmon does not wait then until VictoriaMetrics has it in its
    files. test_prom_chaos.py does it the other way."""
    url = url or server.url + "/api/v1/write" + query
    done = subprocess.run([common.binary(), "push", "--to", url, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    if server.name != "prometheus":
        server.flush()
    return done


def compare(server, log, name):
    """What is gone is marked, but not where the next file of a machine has it no more; and the counters of one
    sample of an agent have times of their own, at which the others are there too."""
    judge = promlib.Judge("%s in %s" % (name, server.name), server)
    promlib.compare_averages(server, log, judge)
    promlib.compare_values(server, log, judge, len(log.files) > 1 or name.startswith("winperf/"))
    return judge.say()


def server_of(kind, folder):
    path = tempfile.mkdtemp(dir=folder)
    return kind(path)


# ---- Sets ---------------------------------------------------------------------------------------

def raw_values(path):
    """{path: raw values as the oracle has them} of a made-up log."""
    series = {}
    with open(path) as file:
        for line in map(json.loads, file):
            status = 0 if line["status"] == "valid_data" else 0xC0000BBA
            value = SimpleNamespace(type=int(WORDS[line["type"]], 16), status=status, sample=line["sample"],
                                    first=int(line["first"]), second=int(line["second"]), multi=line["multi"],
                                    first_size=line["size"], base_size=4, time_base=line["time_base"])
            series.setdefault(line["path"], []).append(value)
    return series


def sums(values):
    """Numerator and denominator of a series, by the oracle's pairs."""
    kind = calc.kind_of(values[0])
    n = d = Fraction(0)
    for newer, older in calc.pairs(values):
        if kind in ("number", "raw_fraction") and calc.usable(newer):
            n += newer.first
            d += newer.second if kind == "raw_fraction" else 1
        elif kind not in calc.ONE_SAMPLE and older is not None and calc.usable(newer):
            dn, dd, status = calc.differences(newer, older)
            if status not in ("ok", "wrapped"):
                continue
            units = values[-1].multi if kind in ("multi", "multi_inverse") else 1
            n += dn if kind != "multi_inverse" else dd * units - dn
            d += dd * units if kind == "multi" else dd
    return kind, n, d


def set_average(rows):
    """Of series of one type: sums of numerators over sums of denominators."""
    kind = rows[0][0]
    n, d = sum(row[1] for row in rows), sum(row[2] for row in rows)
    time_base = rows[0][3]
    if d == 0:
        return 0.0 if kind in calc.DIVIDES_BY_BASE else None
    ratio = n / d
    if kind == "rate":
        ratio *= time_base
    elif kind == "average_timer":
        ratio /= time_base
    elif kind == "timer_inverse":
        ratio = 100 * (1 - ratio)
    elif kind in ("timer", "sample_fraction", "raw_fraction", "multi", "multi_inverse"):
        ratio *= 100
    return float(ratio)


def compare_sets(server, path, log):
    judge = promlib.Judge("sets in " + server.name, server)
    rows = {}
    for name, values in raw_values(path).items():
        machine, instance, counter = name[2], name.split("(")[1].split(")")[0], name.rsplit("\\", 1)[1]
        row = (*sums(values), values[0].time_base)
        if row[0] == "elapsed":
            continue
        rows.setdefault(("fleet", counter, instance), []).append(row)
        if instance != "_Total":
            rows.setdefault(("machine", counter, machine), []).append(row)
    for (level, counter, which), of in rows.items():
        record = [r for r in log.rules if r.startswith(level + ":") and ":average" in r and
                  counter.replace("perf", "") in r.replace("_time_idle", "").replace("perf", "")]
        family = [n for (n, labels), p in log.paths.items() if p.endswith("\\" + counter)]
        record = [r for r in record if r.split(":")[1] in family]
        assert len(record) == 1, (level, counter, record)
        found = server.query(log.rules[record[0]], log.times[-1] + 0.001)
        label = ("instance", which) if level == "fleet" else ("machine", which)
        got = [number for labels, number in found.items() if label in labels]
        want = set_average(of)
        if want is not None and len(got) == 1:
            judge.equal("%s of %s" % (record[0], which), "", got[0], want, "%" if want > 1 else "")
        elif want is not None or got:
            judge.differences.add("%s of %s: %r, not %r" % (record[0], which, got, want))
    return judge.say() and judge.n > 100


# ---- The same facts in several files --------------------------------------------------------------

def several_files(kind, folder):
    """One after the other, overlapping, again, and grown; then everything is as if it had been one log."""
    whole = promlib.make_log(os.path.join(folder, "whole.jsonl"), 11, stays=True)
    parts = [promlib.cut(whole, os.path.join(folder, "part%d.jsonl" % i), *range_)
             for i, range_ in enumerate([(0, 9), (0, 14), (10, 20), (21, 30), (25, 39), (0, 39)])]
    state = os.path.join(folder, "state-" + kind.name)
    os.mkdir(state)
    good = True
    with server_of(kind, folder) as server:
        for i, part in enumerate(parts + parts[4:]):
            done = push(server, "--state-dir", state, part)
            if done.returncode != 0:
                print("part %d: %s" % (i, done.stderr))
                good = False
        if " 0 values" not in done.stdout:
            print("the whole again: " + done.stdout)
            good = False
        log = promlib.Log(whole)
        return compare(server, log, "a log in overlapping parts") and good


def other_processes(kind, folder):
    """Where the next log begins with another process nothing is counted across."""
    make = os.path.join(os.path.dirname(__file__), "make_processes.py")
    parts = [os.path.join(folder, name) for name in ("early.jsonl", "late.jsonl")]
    subprocess.run([make, "1", "60", parts[0], "--only", "30"], check=True)
    subprocess.run([make, "1", "60", parts[1], "--skip", "30"], check=True)
    state = os.path.join(folder, "state-processes-" + kind.name)
    os.mkdir(state)
    with server_of(kind, folder) as server:
        for part in parts:
            done = push(server, "--state-dir", state, part)
            if done.returncode != 0:
                print("%s: %s" % (part, done.stderr))
                return False
        log = promlib.Log(parts, arguments=("-c", "\\*(*)\\*"))
        return compare(server, log, "processes in two logs")


def remembered_by_default(folder):
    """Without --state-dir what was sent is remembered below XDG_STATE_HOME."""
    log = promlib.make_log(os.path.join(folder, "default.jsonl"), 13, calm=True)
    good = True
    with server_of(promlib.Prometheus, folder) as server:
        first, second = push(server, "--batch", "50", log), push(server, "--batch", "50", log)
        if first.returncode != 0 or second.returncode != 0 or " 0 values" not in second.stdout or \
                " 0 values" in first.stdout:
            print("the same log twice: %s%s%s%s" % (first.stdout, first.stderr, second.stdout, second.stderr))
            good = False
        if not os.listdir(os.path.join(os.environ["XDG_STATE_HOME"], "pmon")):
            print("nothing is in XDG_STATE_HOME/pmon")
            good = False
    return good


def older_files(folder):
    """VictoriaMetrics takes what is older than what it has, Prometheus says what to do."""
    late = promlib.make_log(os.path.join(folder, "late.jsonl"), 12, calm=True)
    early = promlib.make_log(os.path.join(folder, "early.jsonl"), 12, calm=True, start=promlib.START - 86400)
    good = True
    state = os.path.join(folder, "state-older")
    os.mkdir(state)
    with server_of(promlib.VictoriaMetrics, folder) as server:
        for path in (late, early, late, early):
            done = push(server, "--state-dir", state, path)
            good = good and done.returncode == 0
        good = compare(server, promlib.Log(late, "1h"), "the later log") and good
        good = compare(server, promlib.Log(early, "1h"), "the earlier log") and good
    with server_of(promlib.Prometheus, folder) as server:
        done = push(server, late)
        before = server.query('count({__name__=~"pmon_.+"})', promlib.START + 300)
        done = push(server, early)
        if done.returncode != 1 or "create-blocks-from" not in done.stderr or "were not sent" not in done.stderr:
            print("an older log: %d, %s" % (done.returncode, done.stderr))
            good = False
        good = server.query('count({__name__=~"pmon_.+"})', promlib.START + 300) == before and good
    return good


def too_old(folder):
    """A server that keeps a month would drop the log without a word."""
    log = promlib.make_log(os.path.join(folder, "old.jsonl"), 14, samples=2, calm=True)
    server = promlib.VictoriaMetrics(tempfile.mkdtemp(dir=folder))
    good = True
    for retention, code in (("1", 1), ("13w", 1), ("50y", 0)):
        server.retention = retention
        with server:
            done = push(server, log, url="victoriametrics+" + server.url)
        if done.returncode != code or ("-retentionPeriod" in done.stderr) != (code == 1):
            print("kept for %s: %d, %s" % (retention, done.returncode, done.stderr))
            good = False
    return good


def this_machine(kind, folder):
    """Twice for a while: the second goes on where the first ended, and counters never go down."""
    state = os.path.join(folder, "state-live")
    os.makedirs(state, exist_ok=True)
    with server_of(kind, folder) as server:
        done = [push(server, "--state-dir", state, "-c", r"\Processor(*)\*", "-c", r"\System\*", "-i", "200ms",
                     "-n", "4") for _ in range(2)]
        found = server.query("resets(pmon_processor_processor_time_idle_seconds_total[5m])", time.time())
        points = server.query('count_over_time(pmon_system_context_switches_total[5m])', time.time())
    good = [d.returncode for d in done] == [0, 0] and len(found) >= 2 and not any(found.values())
    good = good and min(points.values(), default=0) >= 8
    if not good:
        print("this machine into %s: %s %s, %d series" % (server.name, [d.stderr for d in done], points, len(found)))
    return good


def words(folder):
    """What is wrong is told, in words that hold no secret."""
    log = promlib.make_log(os.path.join(folder, "words.jsonl"), 13, samples=2, calm=True)
    good = True
    with server_of(promlib.VictoriaMetrics, folder) as server:
        for url, code, text in (
                ("http://127.0.0.1:%d" % server.port, 2, "a plain URL must include the remote write path"),
                ("http://127.0.0.1:%d/nowhere" % server.port, 1, "answers 400"),
                ("victoriametrics+http://me:secret@127.0.0.1:%d" % server.port, 2, "must not contain a user or password"),
                ("prometheus+http://127.0.0.1:1,127.0.0.1:2", 2, "must name a single host"),
                ("http://127.0.0.1:%d/api/v1/write" % server.port, 0, "")):
            done = subprocess.run([common.binary(), "push", "--to", url, log], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False, text=True)
            if done.returncode != code or text not in done.stderr or "secret" in done.stderr + done.stdout:
                print("%s: %d, %s" % (url, done.returncode, done.stderr))
                good = False
    return dry_run(log) and good


def dry_run(log):
    """The first numbers as relog writes them, and the rules; a host that cannot be is not asked for."""
    first = {}
    for line in common.run_pmon("relog", log, "-f", "prometheus", "-o", "-").splitlines():
        if not line.startswith("#"):
            first.setdefault(line.split("} ")[0], line)
    good = True
    for scheme in ("prometheus+http", "prometheus+https", "victoriametrics+http", "victoriametrics+https"):
        dry = common.run_pmon("push", "--dry-run", "--to", scheme + "://nowhere.invalid", log)
        lines, rules = dry.split("\n\n", 1)
        if sorted(lines.splitlines()) != sorted(first.values()) or rules != common.run_pmon("rules", "--labels", "classic", log):
            print("--dry-run to %s: %s" % (scheme, dry[:500]))
            good = False
    return good


# ---- Each log by itself ----------------------------------------------------------------------------

def push_log(server, name, log, query=""):
    done = push(server, *log.files, query=query)
    if done.returncode != 0:
        print("push %s into %s: %s" % (name, server.name, done.stderr))
    return done.returncode == 0


def made_up(folder):
    good = True
    for seed in (21, 22):
        path = promlib.make_log(os.path.join(folder, "made%d.jsonl" % seed), seed)
        log, name = promlib.Log(path), "made up %d" % seed
        for kind in (promlib.Prometheus, promlib.VictoriaMetrics):
            with server_of(kind, folder) as server:
                good = push_log(server, name, log) and good
                good = compare(server, log, name) and good
                good = compare_sets(server, path, log) and good
    return good


def real(folder):
    """In VictoriaMetrics they are told apart by a label that it adds; each has a Prometheus of its own."""
    good = True
    logs = [promlib.Log(files, name=name) for name, files in promlib.real_logs()]
    with server_of(promlib.VictoriaMetrics, folder) as server:
        for log in logs:
            good = push_log(server, log.name, log, "?extra_label=log=" + log.name) and good
            good = compare(server, log, log.name) and good
    for log in logs:
        name, log.name = log.name, None
        if not promlib.FULL and name not in QUICK:
            print("%s in prometheus: with PMON_TEST_FULL=1" % name)
            continue
        with server_of(promlib.Prometheus, folder) as server:
            good = push_log(server, name, log) and good
            good = compare(server, log, name) and good
    return good


def main():
    promlib.need("prometheus", "victoria-metrics")
    good = True
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(1) as threads:
        aged = threads.submit(too_old, tempfile.mkdtemp(dir=folder))    # it waits most of the time
        good = made_up(tempfile.mkdtemp(dir=folder)) and good
        good = real(tempfile.mkdtemp(dir=folder)) and good
        for kind in (promlib.Prometheus, promlib.VictoriaMetrics):
            good = this_machine(kind, tempfile.mkdtemp(dir=folder)) and good
            good = several_files(kind, tempfile.mkdtemp(dir=folder)) and good
            good = other_processes(kind, tempfile.mkdtemp(dir=folder)) and good
        good = older_files(tempfile.mkdtemp(dir=folder)) and good
        good = remembered_by_default(tempfile.mkdtemp(dir=folder)) and good
        good = words(tempfile.mkdtemp(dir=folder)) and good
        good = aged.result() and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
