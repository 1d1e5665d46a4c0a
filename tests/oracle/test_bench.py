#!/usr/bin/env python3
"""The benchmark suite judges right, its page says what was measured, and its peers agree with pmon."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["PMON_SOURCE_DIR"]
BUILD = os.environ["PMON_BUILD_DIR"]
SUITE = os.path.join(SOURCE, "bench", "suite")

sys.dont_write_bytecode = True
sys.path.insert(0, SUITE)

# pylint: disable=wrong-import-position
import drawing
import page
from machine import Took
from results import Results


def target(results, name):
    return next(t for t in results.targets() if t["id"] == name)


class Judging(unittest.TestCase):
    """By hand: 3.0 s against 0.2 s are 15 times; 6 GB in a second are half of 12 GB/s."""

    def setUp(self):
        self.results = Results()
        self.results.bandwidth = 12e9
        self.results.plain_bandwidth = 10e9

    def add(self, job, program, seconds, size=1, **more):
        self.results.add(job, program, Took(seconds, seconds, more.pop("peak_kib", 0)), size, **more)

    def test_ratio_is_met_at_its_limit(self):
        self.add("csv", "pmon, 2 threads", 0.2)
        self.add("csv", "DuckDB, 2 threads", 3.0)
        self.assertEqual(target(self.results, "csv_duckdb")["measured"], 15)
        self.assertTrue(target(self.results, "csv_duckdb")["met"])

    def test_ratio_below_is_not_met(self):
        self.add("csv", "pmon, 2 threads", 0.21)
        self.add("csv", "DuckDB, 2 threads", 3.0)
        self.assertFalse(target(self.results, "csv_duckdb")["met"])

    def test_forms_of_verbs(self):
        """Text takes 3 times as long as CSV, JSON twice; values as JSON 1.5 times as long as raw as CSV."""
        for verb, took in (("raw", (2, 6, 4)), ("values", (0.1, 2.5, 3))):
            for form, seconds in zip(("csv", "text", "json"), took):
                self.add("verbs", f"pmon {verb} {form}", seconds)
        self.assertEqual(target(self.results, "verbs_form")["measured"], 3)
        self.assertFalse(target(self.results, "verbs_form")["met"])
        self.assertEqual(target(self.results, "values_form")["measured"], 1.5)
        self.assertTrue(target(self.results, "values_form")["met"])

    def test_share_of_memory(self):
        self.add("blg", "pmon, 2 threads", 1, 6 * 10 ** 9)
        self.assertEqual(target(self.results, "blg")["measured"], 50)

    def test_what_was_not_measured_is_not_judged(self):
        self.assertIsNone(target(self.results, "csv_mawk")["met"])

    def test_memory_is_that_of_the_worst(self):
        """64 MiB and 1,024 counters of 1 KiB are 65 MiB."""
        self.add("blg", "pmon, 2 threads", 1, peak_kib=13 * 1024, counters=1024)
        self.add("one", "pmon, 2 threads", 1, peak_kib=78 * 1024, counters=1024)
        self.assertEqual(target(self.results, "memory")["measured"], 120)
        self.assertFalse(target(self.results, "memory")["met"])


class Page(unittest.TestCase):
    def test_only_the_part_is_replaced(self):
        text = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n"
        self.assertEqual(page.replace(text, "x", "new"),
                         "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n")

    def test_all_parts_are_in_the_page(self):
        with open(os.path.join(SOURCE, "docs", "performance.md"), encoding="utf-8") as f:
            text = f.read()
        for name in ("machine", "targets", "jobs", "isa", "values", "mono", "length", "counters", "churn"):
            self.assertEqual(text.count(f"<!-- begin {name} -->\n"), 1, name)
            self.assertEqual(text.count(f"<!-- end {name} -->\n"), 1, name)

    def test_growth(self):
        rows = [{"at": n, "seconds": n * n / 1e6} for n in (10, 100, 1000)]
        self.assertAlmostEqual(page.growth(rows), 2)

    def test_linear_is_a_diagonal(self):
        panel = drawing.Panel("", "", {"a": [(1, 1), (10, 10), (100, 100)]})
        places = [panel.place(x, x) for x in (1, 10, 100)]
        for i in (0, 1):
            self.assertAlmostEqual(places[1][i] - places[0][i], places[2][i] - places[1][i])


class Running(unittest.TestCase):
    """Small logs through the jobs that convert: the suite fails where an answer differs."""

    JOBS = ("blg_csv", "csv_blg", "blg_sqlite", "info", "verbs", "start")

    def test_peers_agree(self):
        if not os.path.exists(os.path.join(BUILD, "bench", "bench_run")):
            self.skipTest("the benchmarks are not built")
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "bench.json")
            subprocess.run([sys.executable, SUITE, "--build", BUILD, "--size", "1M", "--json", out,
                            *self.JOBS], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            with open(out, encoding="utf-8") as f:
                results = json.load(f)
        jobs = {row["job"] for row in results["rows"]}
        self.assertLessEqual({"blg_csv", "csv_blg", "info", "start"}, jobs)
        self.assertTrue(all(row["seconds"] > 0 for row in results["rows"]))


if __name__ == "__main__":
    unittest.main()
