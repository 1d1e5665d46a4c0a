"""What the tests against Prometheus and VictoriaMetrics share: servers on loopback, made-up logs, the
numbers that pmon displays, and their comparison with what the rules give."""

import collections
import functools
import http.client
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

import common  # noqa: E402
from free_port import free_port  # noqa: E402

START_SECONDS = 120
QUERY_LENGTH = 12000            # VictoriaMetrics takes 16 KB

# Everything, not only as much as takes some seconds.
FULL = bool(os.environ.get("PMON_TEST_FULL"))

# Nothing of the tests is kept in the user's own folder.
STATE = tempfile.TemporaryDirectory()
os.environ["XDG_STATE_HOME"] = STATE.name


# ---- Servers ------------------------------------------------------------------------------------

def need(*programs):
    for program in programs:
        if not shutil.which(program):
            common.skip("no %s (tools/setup names the package)" % program)


class Server:
    """A server on a free port of loopback; its data is in a folder that stays, so that it can be
    killed and started again."""

    def __init__(self, folder, port=None):
        self.folder = folder
        self.port = port or free_port()
        self.process = None
        self.connection = None
        os.makedirs(folder, exist_ok=True)

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.port

    def start(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                urllib.request.urlopen(self.url + self.ready, timeout=30).read()
                return self
            except OSError:
                time.sleep(0.05)
        sys.exit("%s did not start:\n%s" % (self.name, open(os.path.join(self.folder, "log")).read()[-2000:]))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def post(self, path, body, kind="application/x-www-form-urlencoded"):
        """The answer; the connection stays for the next one."""
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
            try:
                self.connection.request("POST", path, body, {"Content-Type": kind})
                answer = self.connection.getresponse()
                text = answer.read().decode()
                break
            except (OSError, http.client.HTTPException):
                self.connection = None      # it was of a server that has gone
                if attempt == 2:
                    raise
        if answer.status // 100 != 2:
            sys.exit("%s %s: %s" % (path, str(body)[:500], text[:500]))
        return text

    def get(self, path, **parameters):
        return json.loads(self.post(path, urllib.parse.urlencode(parameters, doseq=True)))

    def query(self, expression, seconds):
        """{labels: number} at a time, without what has no value. Labels are a frozenset of pairs."""
        answer = self.get("/api/v1/query", query=expression, time="%.3f" % seconds, **self.more)
        found = {}
        for item in answer["data"]["result"]:
            number = float(item["value"][1])
            labels = frozenset((k, v) for k, v in item["metric"].items() if k != "__name__")
            if not math.isnan(number):
                found[labels] = number
        return found

    def query_rules(self, rules, seconds, log=None):
        """{name: {labels: number}} of {name: expression}, many in one query. log: that of the label "log"."""
        found = {name: {} for name in rules}
        for text in in_queries(rules):
            for labels, number in self.query(text, seconds).items():
                labels = dict(labels)
                name = labels.pop("rule")
                if labels.pop("log", None) == log:
                    found[name][frozenset(labels.items())] = number
        return found


def in_queries(rules):
    """Expressions side by side, told apart by a label, in queries that are not too long."""
    texts = ['label_replace(%s, "rule", "%s", "", "")' % (expression, name) for name, expression in rules.items()]
    while texts:
        n, length = 1, len(texts[0])
        while n < len(texts) and length + len(texts[n]) + 4 <= QUERY_LENGTH:
            length += len(texts[n]) + 4
            n += 1
        yield " or ".join(texts[:n])
        texts = texts[n:]


class Prometheus(Server):
    name = "prometheus"
    ready = "/-/ready"
    more = {}
    tolerance = 1e-7

    def __init__(self, folder, port=None, config="", options=()):
        super().__init__(folder, port)
        self.options = list(options)
        with open(os.path.join(folder, "prometheus.yml"), "w") as file:
            file.write(config)

    def command(self):
        return ["prometheus", "--config.file", os.path.join(self.folder, "prometheus.yml"),
                "--storage.tsdb.path", os.path.join(self.folder, "data"),
                "--storage.tsdb.retention.time", "100y", "--web.enable-remote-write-receiver",
                "--web.listen-address", "127.0.0.1:%d" % self.port, "--log.level", "warn",
                *self.options]


class VictoriaMetrics(Server):
    name = "victoria-metrics"
    ready = "/health"
    more = {"nocache": "1"}
    # It keeps twelve decimal digits of a number with a fraction below 10^6, fifteen of others: of a clock of
    # some days that is a microsecond.
    tolerance = 1e-6

    retention = "100y"

    def command(self):
        return ["victoria-metrics", "-httpListenAddr", "127.0.0.1:%d" % self.port,
                "-storageDataPath", os.path.join(self.folder, "data"), "-retentionPeriod", self.retention,
                "-search.latencyOffset", "0s", "-search.maxStalenessInterval", "5m",
                "-dedup.minScrapeInterval", "1ms", "-memory.allowedBytes", "256MB",
                "-loggerLevel", "WARN"]

    def flush(self):
        urllib.request.urlopen(self.url + "/internal/force_flush", timeout=600).read()


# ---- Made-up logs -------------------------------------------------------------------------------

SECOND = 10000000

# 2020-01-01 01:00; a sample of the very first millisecond of a day VictoriaMetrics shows only from the next on.
START = 1577840400

# type: (has a clock, has a base, ticks a second, 32 bits)
TYPES = {
    "PERF_COUNTER_RAWCOUNT": (False, False, None, False),
    "PERF_COUNTER_LARGE_RAWCOUNT": (False, False, None, False),
    "PERF_COUNTER_DELTA": (False, False, None, False),
    "PERF_COUNTER_LARGE_DELTA": (False, False, None, False),
    "PERF_SAMPLE_COUNTER": (True, False, 2725536, True),
    "PERF_COUNTER_QUEUELEN_TYPE": (True, False, 2725536, True),
    "PERF_COUNTER_100NS_QUEUELEN_TYPE": (True, False, SECOND, False),
    "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE": (True, False, 1000, False),
    "PERF_COUNTER_COUNTER": (True, False, 2725536, True),
    "PERF_COUNTER_BULK_COUNT": (True, False, 14318180, False),
    "PERF_RAW_FRACTION": (False, True, None, True),
    "PERF_LARGE_RAW_FRACTION": (False, True, None, False),
    "PERF_COUNTER_TIMER": (True, False, 2725536, False),
    "PERF_100NSEC_TIMER": (True, False, SECOND, False),
    "PERF_PRECISION_100NS_TIMER": (True, False, SECOND, False),
    "PERF_OBJ_TIME_TIMER": (True, False, 1000, False),
    "PERF_SAMPLE_FRACTION": (False, True, None, True),
    "PERF_COUNTER_TIMER_INV": (True, False, 2725536, False),
    "PERF_100NSEC_TIMER_INV": (True, False, SECOND, False),
    "PERF_COUNTER_MULTI_TIMER": (True, False, 2725536, False),
    "PERF_100NSEC_MULTI_TIMER": (True, False, SECOND, False),
    "PERF_COUNTER_MULTI_TIMER_INV": (True, False, 2725536, False),
    "PERF_100NSEC_MULTI_TIMER_INV": (True, False, SECOND, False),
    "PERF_AVERAGE_TIMER": (False, True, 14318180, False),
    "PERF_ELAPSED_TIME": (True, False, 1000, False),
    "PERF_AVERAGE_BULK": (False, True, None, False),
}
T1601 = 116444736000000000


class Counter:
    """One counter that counts, with all that can happen to it."""

    def __init__(self, rng, kind, path, calm, stays):
        self.rng, self.kind, self.path, self.calm, self.stays = rng, kind, path, calm, stays
        self.has_clock, self.has_base, self.ticks, self.is_32bit = TYPES[kind]
        self.clock_start = rng.choice([rng.randrange(10 ** 9), 132223104000000000 + rng.randrange(10 ** 9)]) \
            if self.ticks == SECOND else rng.randrange(10 ** 12)
        self.multi = rng.choice([1, 2, 4])
        self.reset()
        self.first = rng.randrange(2 ** 32 - 50000, 2 ** 32) if self.is_32bit else rng.randrange(10 ** 11)
        self.base = rng.randrange(2 ** 32 - 500, 2 ** 32) if self.has_base else 0
        self.away = 0

    def reset(self):
        self.first = self.rng.randrange(1000)
        self.base = self.rng.randrange(100)

    def go(self, seconds):
        """The raw value after so many seconds, or None where there is none, or a bad status."""
        event = 1 if self.calm else self.rng.random()
        if self.away > 0:
            self.away -= 1
            return None
        if event < 0.02 and not self.stays:
            self.away = self.rng.randrange(4)
            return None
        if event < 0.05:
            self.reset()
        elif event < 0.07:
            return {"status": "0xC0000BBA"}
        elif event < 0.09:
            self.clock_start -= 100 * (self.ticks or 1)
        self.move()
        second = self.clock_start + int(seconds * self.ticks) if self.has_clock else self.base
        first = self.first % 2 ** 32 if self.is_32bit else self.first
        if self.kind == "PERF_ELAPSED_TIME":
            first = self.clock_start // 2
        if self.has_base:
            second %= 2 ** 32
        return {"status": "valid_data", "first": str(first), "second": str(second)}

    def move(self):
        rng = self.rng
        if "FRACTION" in self.kind and "RAW" in self.kind:
            self.base = rng.choice([0, 1000, rng.randrange(1, 1000)])
            self.first = rng.randrange(self.base + 1)
        elif "RAWCOUNT" in self.kind:
            self.first = rng.randrange(10 ** 6)
        elif rng.random() < 0.7:
            full = 10 * (self.ticks or 1000)
            self.first += rng.randrange(full)
            self.base += rng.randrange(1, 50) if self.kind != "PERF_SAMPLE_FRACTION" else full


def make_log(path, seed, machines=("A", "B"), samples=40, calm=False, stays=False, interval=10,
             start=None):
    """A log of JSON lines: every type, three instances of each on each machine. stays: none is ever absent.
    calm: nothing happens to them at all."""
    rng = random.Random(seed)
    start = start or START
    counters = []
    for machine in machines:
        for kind in TYPES:
            for instance in ("_Total", "0", "x y"):
                counters.append(Counter(rng, kind, "\\\\%s\\Made Up(%s)\\%s" % (machine, instance, kind.lower()),
                                        calm, stays))
    seconds, now = 0.0, 0
    with open(path, "w") as file:
        for sample in range(samples):
            for series, counter in enumerate(counters):
                raw = counter.go(seconds)
                if raw is None:
                    continue
                line = {"path": counter.path, "type": counter.kind, "time": iso(start + seconds), "first": 0,
                        "second": 0, "multi": counter.multi, "time_base": counter.ticks,
                        "size": 4 if counter.is_32bit else 8, "series": series, "sample": sample, **raw}
                file.write(json.dumps(line) + "\n")
            now += interval * (1 if rng.random() < 0.97 or calm else 7)   # a gap now and then
            seconds = now + rng.randrange(1000) / 1000.0
    return path


def cut(path, out, first, last):
    """Samples first..last of a made-up log."""
    with open(path) as file, open(out, "w") as cut_file:
        for line in file:
            if first <= json.loads(line)["sample"] <= last:
                cut_file.write(line)
    return out


def iso(seconds):
    whole = int(seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + ".%03dZ" % round((seconds - whole) * 1000)


@functools.lru_cache(None)
def seconds_of(text):
    """Unix time of pmon's ISO 8601, rounded down to milliseconds as Prometheus keeps them."""
    stem, _, part = text.rstrip("Z").partition(".")
    whole = int(time.mktime(time.strptime(stem, "%Y-%m-%dT%H:%M:%S")) - time.timezone)
    return whole + int((part + "000")[:3]) / 1000.0


# ---- pmon's output ------------------------------------------------------------------------------

class Log:
    """Values and averages of a log by (counter, labels). name: what its label "log" says where there are
    several in one server."""

    def __init__(self, files, window="1d", arguments=(), name=None):
        self.files = [files] if isinstance(files, str) else list(files)
        self.name = name
        self.arguments = arguments
        self.rules = self.make_rules(window)
        if not self.rules:      # of processes alone, which have rules when they are asked for
            self.arguments = ("-c", "\\*(*)\\*")
            self.rules = self.make_rules(window)
        self.window = window
        self.paths = {}         # (name, labels): path
        self.counting = set()   # paths of counters, not of gauges
        self.text = common.run_pmon("relog", *self.files, "--merge", "-f", "prometheus", "-o", "-")
        self.read_families(self.text)
        rows = [json.loads(line)
                for line in common.run_pmon("values", "--format", "json", *self.files).splitlines()]
        stats = common.parse_json(common.run_pmon("stats", "--format", "json", *self.files))
        self.stats = common.group(stats["counters"], lambda row: row["path"])
        self.families = {}      # name: [(labels, path)]
        for (name_, labels), path in self.paths.items():
            if not self.has_duplicates(path):
                self.families.setdefault(name_, []).append((labels, path))
        self.place(rows)

    def make_rules(self, window):
        return read_rules(common.run_pmon("rules", "--labels", "classic", "--window", window, *self.arguments,
                                          *self.files))

    def has_point(self, row):
        return row["value"] is not None or (row["path"] in self.counting and row["status"] != "bad_raw_status")

    def place(self, rows):
        """Rows by the times of their points: those of one time stand a millisecond apart."""
        self.rows = {}          # (path, seconds): row
        self.crowded = False    # are there several of one time?
        last = {}
        for row in rows:
            ms = round(seconds_of(row["time"]) * 1000)
            path = row["path"]
            if self.has_point(row):
                if ms <= last.get(path, -1):
                    ms = last[path] + 1
                    self.crowded = True
                last[path] = ms
            self.rows.setdefault((path, ms / 1000.0), row)
        self.times = sorted({seconds for _, seconds in self.rows})

    def read_families(self, text):
        seen = set()
        line_form = re.compile(r'(\S+?)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} ')
        label_form = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
        helps = {}
        for line in text.splitlines():
            if DESCRIBED in line:
                continue
            if line.startswith("# HELP "):
                _, _, name, words = line.split(" ", 3)
                helps[name] = words.rsplit(": ", 1)[0].replace("\\\\", "\\")
            elif not line.startswith("#") and line.rsplit(" ", 2)[0] not in seen:
                seen.add(line.rsplit(" ", 2)[0])
                name, labels = line_form.match(line).groups()
                labels = frozenset((k, v.replace('\\"', '"').replace("\\\\", "\\"))
                                   for k, v in label_form.findall(labels))
                counter = helps[name][len(dict(labels)["object"]) + 2:]
                path = path_of(dict(labels), counter)
                self.paths[(re.sub("_total$", "", name), labels)] = path
                if name.endswith("_total"):
                    self.counting.add(path)

    def has_duplicates(self, path):
        return len(self.stats.get(path, ())) > 1

    def looks(self):
        """The times that are looked at: all, or some, with the last."""
        most = max(2, min(12, 6000 // max(1, len(self.paths))))
        step = 1 if FULL else -(-len(self.times) // most)
        return self.times[::-1][::step]


def scale_of(path):
    """What Prometheus has for 1 of what a counter displays: base units, by the unit that its name says."""
    counter = path.rsplit("\\", 1)[1].lower()
    for words, scale in (("bytes", 1), ("kb|kbytes|kilobytes", 2 ** 10), ("mb|mbytes|megabytes", 2 ** 20),
                         ("gb|gbytes|gigabytes", 2 ** 30), ("ms|msec|milliseconds", 0.001)):
        if re.search(r"(?<![a-z0-9])(%s)(?![a-z0-9])" % words, counter):
            return scale
    return 1


def path_of(labels, counter):
    text = "\\\\" + labels["machine"] if "machine" in labels else ""
    text += "\\" + labels["object"]
    if "instance" in labels:
        text += "(%s%s%s)" % (labels["parent"] + "/" if "parent" in labels else "", labels["instance"],
                              "#" + labels["index"] if "index" in labels else "")
    return text + "\\" + counter


def read_rules(text):
    """{record: expression}"""
    return dict(re.findall(r"- record: (\S+)\n +expr: '(.*)'\n", text))


# The logs in the folders of real files, and files that only look like logs.
LOG_NAMES = re.compile(r"(blg/.+\.(blg|csv|tsv)|pdh-text/.+\.csv|winperf/.+\.txt|"
                       r"perfblock/(windows/s\d+_.+|samba/\w+/Global|wine/.+)\.bin)$")
NO_LOGS = {
    "blg/pwsh-CorruptBlg.blg": "a text log whose beginning is damaged: pmon does not open it",
    "perfblock/wine/hkpd_Global.bin": "an empty block: no counters",
}


@functools.lru_cache(None)
def real_logs():
    """[(name, files)] of every real log that pmon opens; samples that are files of their own are one log. What
    is none is said by name. None without the data."""
    folder = common.from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data")
    if not os.path.isdir(folder):
        print("no real logs: set PMON_TEST_DATA")
        return []
    logs, refused = {}, []
    for path in sorted(os.path.join(root, name) for root, _, names in os.walk(folder) for name in names):
        name = os.path.relpath(path, folder)
        if name in NO_LOGS:
            print("%s is left out: %s" % (name, NO_LOGS[name]))
        elif is_log(path):
            logs.setdefault(re.sub(r"/(s\d+_|snap\d+/)", "/", name), []).append(path)
        elif LOG_NAMES.match(name):
            sys.exit("%s is a log that pmon does not open" % name)
        else:
            refused.append(name)
    print("not logs: %d files (%s)" % (len(refused), ", ".join(sorted({kind_of(name) for name in refused}))))
    return list(logs.items())


def kind_of(name):
    return os.path.dirname(name).split("/")[0] + "/*" + os.path.splitext(name)[1]


def is_log(path):
    done = subprocess.run([common.binary(), "rules", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False)
    return done.returncode in (0, 3)


# ---- Points -------------------------------------------------------------------------------------

# Not compared: descriptions, which pmon push writes once a day and pmon relog at both ends of a log.
DESCRIBED = "pmon_described_timestamp_seconds"
ALL = '{__name__=~"pmon_.+",__name__!="%s"}' % DESCRIBED


def written_points(path):
    """{(name, labels): [(milliseconds, number)]} of a log, from the text that pmon relog writes of it."""
    line_form = re.compile(r'(\S+?)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} (\S+) (\d+)$')
    label_form = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
    points = {}
    for line in common.run_pmon("relog", path, "-f", "prometheus", "-o", "-").splitlines():
        if line.startswith(("#", DESCRIBED)):
            continue
        name, labels, number, ms = line_form.match(line).groups()
        key = (name, frozenset(label_form.findall(labels)))
        points.setdefault(key, []).append((int(ms), float(number)))
    return points


def key_of(metric):
    return metric["__name__"], frozenset((k, v) for k, v in metric.items() if k != "__name__")


def stored_points(server, start, end):
    """What written_points() gives, as the server has it."""
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


def same_points(server, want, got):
    """The same series, times, and numbers. VictoriaMetrics keeps twelve digits of the largest of a block, and as
    many places after the decimal point of the others."""
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


# ---- Comparison ---------------------------------------------------------------------------------

class Judge:
    def __init__(self, name, server):
        self.name = name
        self.tolerance = server.tolerance
        self.n = 0
        self.counters = set()
        self.left_out = collections.Counter()
        self.worst = 0.0
        self.differences = common.Differences()

    def equal(self, path, where, got, want, unit):
        """Counters are written as doubles: below 2^48 ticks a difference is known to a sixteenth of a
        tick, and there are a million ticks and more in the intervals here. So: 1e-7 of the number; of
        percentages, which are differences from 100 in the inverse types, of 100."""
        self.n += 1
        self.counters.add(path)
        scale = max(abs(want), 100 if unit == "%" else 1e-300)
        error = abs(got - want) / scale
        self.worst = max(self.worst, error)
        if error > self.tolerance:
            self.differences.add("%s%s: %r, pmon says %r" % (path, where, got, want))

    def say(self):
        print("%s: %d numbers of %d counters, worst difference %.1e%s%s" % (
            self.name, self.n, len(self.counters), self.worst,
            "".join("; left out: %s (%d)" % item for item in sorted(self.left_out.items())),
            ", FAILED" if self.differences.count or self.n == 0 else ""), flush=True)
        return self.differences.count == 0 and self.n > 0


def rules_of(log, kind):
    """{family: expression} of the rules of each series."""
    found = {}
    for record, expression in log.rules.items():
        level, name, what = record.split(":")
        if level == "instance" and what.startswith(kind):
            found[name] = expression
    return found


def note_left_out(log, judge):
    duplicates = {path for path in log.paths.values() if log.has_duplicates(path)}
    if duplicates:
        judge.left_out["several counters of one path: pmon values gives them one name"] = len(duplicates)


def compare_values(server, log, judge, absent_is_old=False):
    """The displayed values at the times of samples, and no value where pmon has none. absent_is_old: there are
    no markers of staleness, so what is gone, or has no value, is seen for five minutes."""
    rules = rules_of(log, "value")
    note_left_out(log, judge)
    for seconds in log.looks():
        found = server.query_rules(rules, seconds, log.name)
        for family in rules:
            for labels, path in log.families.get(family, ()):
                row = log.rows.get((path, seconds))
                if row is not None or not absent_is_old:
                    compare_one(judge, path, " at %.3f" % seconds, found[family].get(labels), row,
                                absent_is_old and row is not None and not log.has_point(row))


def compare_one(judge, path, where, got, row, may_be_old):
    if row is None:
        if got is not None:
            judge.differences.add("%s%s: %r, though the counter is absent" % (path, where, got))
    elif row["value"] is None:
        if got is not None and not may_be_old:
            judge.differences.add("%s%s: %r, pmon says %s" % (path, where, got, row["status"]))
    elif got is None:
        judge.differences.add("%s%s: nothing, pmon says %r" % (path, where, row["value"]))
    else:
        judge.equal(path, where, got / scale_of(path), row["value"], row["unit"])


def compare_averages(server, log, judge):
    rules = rules_of(log, "average")
    found = server.query_rules(rules, log.times[-1] + 0.5, log.name)
    for family in rules:
        for labels, path in log.families.get(family, ()):
            row = log.stats[path][0]
            got = found[family].get(labels)
            if row["average"] is None:
                if got is not None:
                    judge.differences.add("%s: average %r, pmon says none" % (path, got))
            elif got is None:
                judge.differences.add("%s: no average, pmon says %r" % (path, row["average"]))
            else:
                judge.equal(path, " average", got / scale_of(path), row["average"], row["unit"])
