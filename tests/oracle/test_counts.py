#!/usr/bin/env python3
"""info counts samples, counters and values as raw, stats and list do: without preceding samples, with texts."""

import os
import subprocess
import sys
import tempfile
import unittest

import common

LARGEST = 3 << 20  # bytes; larger logs take minutes as JSON

# Times that raw shows and that are not those of samples, and why.
OTHER_TIMES = {
    "esxtop_gsliu_origin.csv": "its times have no seconds",
    "cmk230_win2019_agent_sections.txt": "each section of the one sample has a time of its own",
}


def lines_of(verb, path):
    return [common.parse_json(line) for line in run(verb, path).splitlines()]


def run(verb, path):
    """What is printed, also of damaged logs; nothing of files that are no logs."""
    return subprocess.run([common.binary(), verb, "--format", "json", path], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def counts(path):
    """By verb: what info says, and the same from what the others print."""
    info = common.parse_json(run("info", path))["logs"][0]
    raw = lines_of("raw", path)
    stats = common.parse_json(run("stats", path))
    listed = common.parse_json(run("list", path))["counters"]
    told = {"counters": info["counters"], "values": info["raw_values"], "samples": info["samples"]}
    return told, {
        "raw": {"counters": len({r["path"] for r in raw}), "values": len(raw),
                "samples": len({r["time"] for r in raw})},
        "stats": {"counters": len(stats["counters"]), "samples": stats["samples_used"]},
        "list": {"counters": len(listed)},
    }


class Counts(unittest.TestCase):
    def judge(self, path, *left_out):
        told, others = counts(path)
        for verb in left_out:
            del others[verb]
        if os.path.basename(path) in OTHER_TIMES:
            del others["raw"]["samples"]
        for verb, numbers in others.items():
            for what, number in numbers.items():
                self.assertEqual(told[what], number, f"{path}: {what} of info and {verb}")

    def test_real_logs(self):
        data = os.environ.get("PMON_TEST_DATA", "")
        if not os.path.isdir(data):
            self.skipTest("there are no real logs")
        judged = 0
        for folder, _, names in os.walk(data):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.getsize(path) > LARGEST or '"file"' not in run("info", path):
                    continue
                self.judge(path)
                judged += 1
        self.assertGreater(judged, 10)

    @unittest.skipUnless(os.path.exists("/proc/stat"), "there is no /proc here")
    def test_files_with_preceding_samples(self):
        """Each file of a recording begins with the last sample of the one before."""
        with tempfile.TemporaryDirectory() as folder:
            for form in ("jsonl", "sqlite"):
                out = os.path.join(folder, "r." + form)
                common.run_pmon("record", "-i", "30ms", "-n", "4", "-q", "-c", r"\System\*", "-c",
                                r"\Process(*)\ID Process", "-o", out, "--max-size", "1K", "--names",
                                "number")
            names = sorted(os.listdir(folder))
            self.assertGreater(len(names), 6)
            for name in names:
                self.judge(os.path.join(folder, name), "list")  # it lists those of that sample too


if __name__ == "__main__":
    sys.exit(unittest.main())
