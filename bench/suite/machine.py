# machine.py - running programs, and what they took
# SPDX-License-Identifier: MIT

import os
import platform
import subprocess
import sys


BUSY = 0.5  # programs that wait for a core on the average, from which on the machine is not quiet


class Took:
    """What a command took: of several runs the fastest, and the largest peak."""

    def __init__(self, wall, cpu, peak_kib):
        self.wall, self.cpu, self.peak_kib = wall, cpu, peak_kib

    def or_better(self, other):
        if other is None:
            return self
        return Took(min(self.wall, other.wall), min(self.cpu, other.cpu),
                    max(self.peak_kib, other.peak_kib))


def die(text):
    sys.exit(f"suite: {text}")


class Machine:
    """The programs that were built, a folder for files, and the yardstick.

    The yardstick is one core's plain sum over memory (bench/yardstick.h). It is taken before each
    group of jobs and at the end: the fastest of five passes each time, as a job's time is the fastest
    of several. What counts is the median of these; the lowest and the highest tell how quiet it was.
    """

    PASSES = 5

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.pmon = os.path.join(build, "pmon")
        self.taken = []

    def tool(self, name):
        return os.path.join(self.build, "bench", "bench_" + name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def size(self, name):
        return os.path.getsize(self.path(name))

    def remove(self, *names):
        for name in names:
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))

    def output(self, args, **kw):
        done = subprocess.run(args, stdout=subprocess.PIPE, text=True, check=False, **kw)
        if done.returncode != 0:
            die(f"{' '.join(args[:3])} failed")
        return done.stdout

    def run(self, args, times=1, out=None, source=None, env=None):
        """Run a command, its output into a file of the folder, and say what it took."""
        report = self.path("took")
        took = None
        for _ in range(times):
            with open(self.path(out) if out else os.devnull, "wb") as sink, \
                    open(source or os.devnull, "rb") as stdin:
                code = subprocess.run([self.tool("run"), report, *args], stdin=stdin, stdout=sink,
                                      stderr=subprocess.DEVNULL, env=env, check=False).returncode
            if code != 0:
                die(f"{' '.join(args[:3])} failed ({code})")
            with open(report, encoding="ascii") as f:
                wall, user, system, peak = f.read().split()
            took = Took(float(wall), float(user) + float(system), int(peak)).or_better(took)
        return took

    def take_yardstick(self):
        out = self.output([self.tool("memory"), str(self.PASSES)])
        passes = [[float(word) for word in line.split()] for line in out.splitlines()]
        self.taken.append([max(column) for column in zip(*passes)])

    def yardstick(self):
        fast, plain = (sorted(column) for column in zip(*self.taken))
        return {"median": round(fast[len(fast) // 2]), "lowest": round(fast[0]),
                "highest": round(fast[-1]), "times": len(fast), "plain": round(plain[len(plain) // 2])}


def about():
    """What the figures were taken on."""
    cpu = ""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    load = float(os.environ.get("PMON_BENCH_LOAD") or os.getloadavg()[0])
    if load > BUSY:
        print(f"suite: other programs are running (load {load:.1f}), no figure is what it could be",
              file=sys.stderr)
    return {"cpu": cpu or platform.machine(), "cores": len(os.sched_getaffinity(0)),
            "memory_bytes": memory, "kernel": platform.release(), "load_before": load}
