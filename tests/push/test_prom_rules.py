#!/usr/bin/env python3
"""The recording rules that pmon prints, judged by promtool and answered by Prometheus and VictoriaMetrics:
values and averages are those of pmon values and pmon stats, for real logs and for made-up ones with
resets, wraps, gaps and instances that come and go."""

import os
import shutil
import subprocess
import sys
import tempfile

import promlib
from promlib import common


def check_rules(log, folder):
    path = os.path.join(folder, "rules.yml")
    with open(path, "w") as file:
        file.write(common.run_pmon("rules", *log.files))
    done = subprocess.run(["promtool", "check", "rules", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if done.returncode != 0 or "%d rules found" % len(log.rules) not in done.stdout.decode():
        print("promtool check rules: " + done.stdout.decode())
        return False
    return True


def make_blocks(log, data, folder):
    path = os.path.join(folder, "log.om")
    common.run_pmon("relog", *log.files, "--merge", "-f", "openmetrics", "-y", "-o", path)
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", "-q", path, data], check=True,
                   stdout=subprocess.DEVNULL)


def in_prometheus(log, name, folder, every):
    server = promlib.Prometheus(os.path.join(folder, "prometheus"))
    make_blocks(log, os.path.join(server.folder, "data"), folder)
    judge = promlib.Judge(name + ", blocks in Prometheus", server)
    with server:
        promlib.compare_averages(server, log, judge)
        promlib.compare_values(server, log, judge, every, absent_is_old=True)
    shutil.rmtree(server.folder)
    return judge.say()


def main():
    promlib.need("prometheus", "promtool")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        logs = [("made up %d" % seed, promlib.make_log(os.path.join(folder, "made%d.jsonl" % seed), seed), 4, False)
                for seed in (1, 2)] + promlib.real_logs()
        for name, path, every, _ in logs:
            log = promlib.Log(path)
            good = check_rules(log, folder) and good
            good = in_prometheus(log, name, folder, every) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
