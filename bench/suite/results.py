# results.py - the rows of the table, and what each has to reach
# SPDX-License-Identifier: MIT

MIB = 1024  # in KiB

# The requirements: id, job, unit, minimum or maximum, and the field of the results that has it. Times of
# pmon are those of two threads where the other program has two, and where both cores of the machine
# are asked for. For mawk, which has one, both are given. The bandwidth of the memory is given twice as well: by
# a sum that reads as fast as one core can, and by a plain sum of doubles.
TARGETS = [
    ("csv_duckdb", "statistics of a CSV log, times as fast as DuckDB, two threads each", "x", ">=", 15,
     lambda r: r.ratio("csv", "DuckDB, 2 threads", "pmon, 2 threads")),
    ("csv_mawk", "the same, two threads, times as fast as mawk, which has one", "x", ">=", 50,
     lambda r: r.ratio("csv", "mawk", "pmon, 2 threads")),
    ("csv_mawk_1", "the same, times as fast as mawk, one thread each", "x", ">=", 50,
     lambda r: r.ratio("csv", "mawk", "pmon, 1 thread")),
    ("blg_plain", "statistics of a BLG log of single counters, of a plain sum", "%", ">=", 50,
     lambda r: r.of_plain("blg", "pmon, 2 threads")),
    ("blg", "the same, of the memory's bandwidth", "%", ">=", 50,
     lambda r: r.of_memory("blg", "pmon, 2 threads")),
    ("churn_plain", "statistics of a BLG log of wildcards, of a plain sum", "%", ">=", 25,
     lambda r: r.of_plain("churn", "pmon, 2 threads")),
    ("churn", "the same, of the memory's bandwidth", "%", ">=", 25,
     lambda r: r.of_memory("churn", "pmon, 2 threads")),
    ("one_plain", "one counter of 5,000 of a BLG log, of a plain sum", "%", ">=", 75,
     lambda r: r.of_plain("one", "pmon, 2 threads")),
    ("one", "the same, of the memory's bandwidth", "%", ">=", 75,
     lambda r: r.of_memory("one", "pmon, 2 threads")),
    ("blg_csv", "BLG to CSV, million cells a second and core", "M/s", ">=", 5,
     lambda r: r.per_core("blg_csv", "pmon relog", 1e6)),
    ("blg_csv_repr", "BLG to CSV, times as fast as Python printing the same numbers", "x", ">=", 20,
     lambda r: r.ratio("blg_csv", "Python repr", "pmon relog")),
    ("csv_blg", "CSV to BLG, of the speed of statistics of the CSV log", "%", ">=", 60,
     lambda r: r.percent("csv", "pmon, 2 threads", "csv_blg", "pmon relog")),
    ("blg_sqlite", "BLG to SQLite, of the speed of sqlite3 .import of the same rows", "%", ">=", 80,
     lambda r: r.percent("blg_sqlite", "sqlite3 .import", "blg_sqlite", "pmon relog")),
    ("blg_zst", "statistics of .blg.zst, of the time of zstd -dc", "%", "<=", 115,
     lambda r: r.percent("blg_zst", "pmon, 2 threads", "blg_zst", "zstd -dc")),
    ("csv_zst", "statistics of .csv.zst, of the time of zstd -dc", "%", "<=", 115,
     lambda r: r.percent("csv_zst", "pmon, 2 threads", "csv_zst", "zstd -dc")),
    ("values_form", "values as text or JSON, times as long as raw as CSV, a line a value each", "x", "<=", 2,
     lambda r: r.worst_form(("values",), "pmon raw csv")),
    ("verbs_form", "every other verb as text or JSON, times as long as CSV, the worst", "x", "<=", 2,
     lambda r: r.worst_form(r.verbs_but("values"))),
    ("start", "pmon --version, of the time of true", "x", "<=", 3,
     lambda r: r.ratio("start", "pmon --version", "true")),
    ("start_stats", "statistics of a log of 20 samples", "ms", "<=", 5,
     lambda r: r.milliseconds("start", "pmon stats, 20 samples")),
    ("memory", "peak memory, of 64 MiB and 1 KiB a counter, the worst of all jobs", "%", "<=", 100,
     lambda r: r.worst_memory()),
]


class Results:
    """What was measured: rows of jobs, types of the core, and the yardstick once all is done."""

    def __init__(self):
        self.rows = []
        self.core = None
        self.mono = []
        self.bandwidth = 0
        self.plain_bandwidth = 0

    def add(self, job, program, took, size, values=0, counters=None):
        """counters is given for pmon alone: its memory is bounded by them."""
        row = {"job": job, "program": program, "seconds": round(took.wall, 5),
               "cpu_seconds": round(took.cpu, 5) if took.cpu is not None else None,
               "bytes": size, "bytes_per_second": round(size / took.wall),
               "values": values, "values_per_second": round(values / took.wall),
               "peak_kib": took.peak_kib}
        if counters is not None:
            row["peak_limit_kib"] = 64 * MIB + counters
        self.rows.append(row)
        return row

    def find(self, job, program):
        for row in self.rows:
            if (row["job"], row["program"]) == (job, program):
                return row
        return None

    def seconds(self, job, program, key="seconds"):
        row = self.find(job, program)
        return row[key] if row else None

    def ratio(self, job, other, ours):
        return self.divide(self.seconds(job, other), self.seconds(job, ours))

    def percent(self, job, program, other_job, other):
        part = self.divide(self.seconds(job, program), self.seconds(other_job, other))
        return None if part is None else 100 * part

    def of_memory(self, job, program):
        speed = self.seconds(job, program, "bytes_per_second")
        return None if speed is None else 100 * speed / self.bandwidth

    def of_plain(self, job, program):
        speed = self.seconds(job, program, "bytes_per_second")
        return None if speed is None else 100 * speed / self.plain_bandwidth

    def per_core(self, job, program, unit):
        row = self.find(job, program)
        return row["values"] / row["cpu_seconds"] / unit if row else None

    def milliseconds(self, job, program):
        seconds = self.seconds(job, program)
        return None if seconds is None else 1000 * seconds

    def verbs_but(self, left_out):
        names = (row["program"].split() for row in self.rows if row["job"] == "verbs")
        return {verb for _, verb, _ in names if verb != left_out}

    def worst_form(self, verbs, peer=None):
        """The other forms of verbs beside their CSV, or beside a program of the job."""
        return max((ratio for verb in verbs for form in ("text", "json")
                    if (ratio := self.ratio("verbs", f"pmon {verb} {form}",
                                            peer or f"pmon {verb} csv"))), default=None)

    def worst_memory(self):
        return max((100 * r["peak_kib"] / r["peak_limit_kib"] for r in self.rows
                    if "peak_limit_kib" in r), default=None)

    @staticmethod
    def divide(a, b):
        return None if a is None or not b else a / b

    def targets(self):
        out = []
        for name, what, unit, sign, limit, measure in TARGETS:
            got = measure(self)
            met = None
            if got is not None:
                met = got >= limit if sign == ">=" else got <= limit if sign == "<=" else got < limit
            out.append({"id": name, "what": what, "unit": unit, "sign": sign, "limit": limit,
                        "measured": None if got is None else round(got, 2), "met": met})
        return out
