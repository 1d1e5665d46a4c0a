"""What the oracle tests share: where things are, series, running pmon."""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIP = 77       # CTest and Automake: skipped
SHOWN = 10      # differences printed per file

# file, number of raw values
LOGS = [
    ("pwsh-CounterSamples.blg", 250),
    ("tx-BasicPerfCounters.blg", 6010),
    ("pal-SampleLog.blg", 18164),
]


def from_root(path):
    return os.path.normpath(os.path.join(ROOT, path))


def skip(message):
    print("skipped: " + message)
    sys.exit(SKIP)


def data_folder(*below):
    # A PMON_TEST_DATA that is relative is meant from the root of the repository, as the default is.
    folder = from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data")
    folder = os.path.join(folder, *below)
    if not os.path.isdir(folder):
        skip("no test data (set PMON_TEST_DATA)")
    return folder


def log_files():
    """(name, full name, number of raw values) of the real logs."""
    folder = data_folder("blg")
    for name, _ in LOGS:
        if not os.path.isfile(os.path.join(folder, name)):
            skip("no %s in the test data" % name)
    return [(name, os.path.join(folder, name), count) for name, count in LOGS]


def binary():
    file_name = from_root(os.environ.get("PMON_BIN") or "build/pmon")
    if not os.access(file_name, os.X_OK):
        skip("no pmon binary (set PMON_BIN)")
    return file_name


def run_pmon(*arguments):
    """Standard output of pmon; any exit status but 0 ends the test."""
    done = subprocess.run([binary(), *arguments], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        print("pmon %s: exit status %d" % (" ".join(arguments[:-1]), done.returncode))
        sys.exit(1)
    return done.stdout.decode("utf-8")


def parse_json(text):
    """json.loads that takes no NaN, no Infinity and no key twice."""
    def refuse(constant):
        raise ValueError("JSON with " + constant)

    def unique(items):
        result = dict(items)
        if len(result) != len(items):
            raise ValueError("JSON object with a key twice")
        return result
    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def group(items, key):
    """{key: items in their order}, in order of first appearance."""
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


class Differences:
    """Counts differences and prints the first few."""

    def __init__(self):
        self.count = 0

    def add(self, message):
        self.count += 1
        if self.count <= SHOWN:
            print("  " + message)
        elif self.count == SHOWN + 1:
            print("  ...")
