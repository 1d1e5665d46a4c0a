"""What the tests against Prometheus and VictoriaMetrics share: servers on loopback, made-up logs, the
numbers that pmon displays, and their comparison with what the rules give."""

import json
import math
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))

import common  # noqa: E402

START_SECONDS = 30

# Nothing of the tests is kept in the user's own folder.
STATE = tempfile.TemporaryDirectory()
os.environ["XDG_STATE_HOME"] = STATE.name


# ---- Servers ------------------------------------------------------------------------------------

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


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
                urllib.request.urlopen(self.url + self.ready, timeout=2).read()
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
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def get(self, path, **parameters):
        data = urllib.parse.urlencode(parameters, doseq=True).encode()
        try:
            with urllib.request.urlopen(self.url + path, data=data, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit("%s %s: %s" % (path, parameters, error.read().decode()[:500]))

    def query(self, expression, seconds):
        """{labels: number} at a time, without what has no value. Labels are a frozenset of pairs."""
        answer = self.get("/api/v1/query", query=expression, time="%.3f" % (seconds + self.after), **self.more)
        found = {}
        for item in answer["data"]["result"]:
            number = float(item["value"][1])
            labels = frozenset((k, v) for k, v in item["metric"].items() if k != "__name__")
            if not math.isnan(number):
                found[labels] = number
        return found


class Prometheus(Server):
    name = "prometheus"
    ready = "/-/ready"
    more = {}
    after = 0
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
    after = 0.001           # it does not see a first sample at its very time
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
        urllib.request.urlopen(self.url + "/internal/force_flush", timeout=60).read()


# ---- Made-up logs -------------------------------------------------------------------------------

SECOND = 10000000

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
    start = start or 1577836800        # 2020-01-01
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


def iso(seconds):
    whole = int(seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + ".%03dZ" % round((seconds - whole) * 1000)


def seconds_of(text):
    """Unix time of pmon's ISO 8601, rounded down to milliseconds as Prometheus keeps them."""
    stem, _, part = text.rstrip("Z").partition(".")
    whole = int(time.mktime(time.strptime(stem, "%Y-%m-%dT%H:%M:%S")) - time.timezone)
    return whole + int((part + "000")[:3]) / 1000.0


# ---- What pmon says -----------------------------------------------------------------------------

class Log:
    """Values and averages of a log by (counter, labels)."""

    def __init__(self, files, window="1d", arguments=()):
        files = [files] if isinstance(files, str) else list(files)
        self.files = files
        self.rules = read_rules(common.run_pmon("rules", "--window", window, *arguments, *files))
        self.window = window
        self.families = {}      # name: counter
        self.paths = {}         # (name, labels): path
        text = common.run_pmon("relog", *files, "--merge", "-f", "prometheus", "-o", "-")
        self.read_families(text)
        self.by_path = {}
        for key, path in self.paths.items():
            self.by_path.setdefault(path, []).append(key)
        rows = [json.loads(line) for line in common.run_pmon("values", "--format", "json", *files).splitlines()]
        self.values = common.group(rows, lambda row: row["path"])
        stats = common.parse_json(common.run_pmon("stats", "--format", "json", *files))
        self.stats = common.group(stats["counters"], lambda row: row["path"])
        self.times = sorted({seconds_of(row["time"]) for row in rows})

    def read_families(self, text):
        line_form = re.compile(r'(\S+?)\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} ')
        label_form = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
        helps = {}
        for line in text.splitlines():
            if line.startswith("# HELP "):
                _, _, name, words = line.split(" ", 3)
                helps[name] = words.rsplit(": ", 1)[0].replace("\\\\", "\\")
            elif not line.startswith("#"):
                name, labels = line_form.match(line).groups()
                labels = frozenset((k, v.replace('\\"', '"').replace("\\\\", "\\"))
                                   for k, v in label_form.findall(labels))
                counter = helps[name][len(dict(labels)["object"]) + 2:]
                self.paths[(re.sub("_total$", "", name), labels)] = path_of(dict(labels), counter)

    def twins(self, path):
        return len(self.stats.get(path, ())) > 1


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


def real_logs():
    """(name, file, every how manieth sample is looked at, times differ within a sample) of the logs that
    there are, of each kind of source; none without the data."""
    folder = common.from_root(os.environ.get("PMON_TEST_DATA") or "../shared/data")
    if not os.path.isdir(folder):
        return []
    more = [("pdh-text", "esxtop_gsliu_origin.csv", 10, False), ("pdh-text", "wfjsg_test2.csv", 10, False),
            ("winperf", "cmk2016_winperf_if.txt", 1, True), ("winperf", "cmk230_win2019_agent_sections.txt", 1, True)]
    return [(name, path, 30 if name.startswith("tx") else 8, False) for name, path, _ in common.log_files()] + [
        (name, os.path.join(folder, sub, name), every, differ) for sub, name, every, differ in more
        if os.path.isfile(os.path.join(folder, sub, name))]


# ---- Comparison ---------------------------------------------------------------------------------

class Judge:
    def __init__(self, name, server):
        self.name = name
        self.tolerance = server.tolerance
        self.n = 0
        self.worst = 0.0
        self.differences = common.Differences()

    def equal(self, where, got, want, unit):
        """Counters are written as doubles: below 2^48 ticks a difference is known to a sixteenth of a
        tick, and there are a million ticks and more in the intervals here. So: 1e-7 of the number; of
        percentages, which are differences from 100 in the inverse types, of 100."""
        self.n += 1
        scale = max(abs(want), 100 if unit == "%" else 1e-300)
        error = abs(got - want) / scale
        self.worst = max(self.worst, error)
        if error > self.tolerance:
            self.differences.add("%s: %r, pmon says %r" % (where, got, want))

    def say(self):
        print("%s: %d numbers, worst difference %.1e%s" % (
            self.name, self.n, self.worst, ", FAILED" if self.differences.count else ""))
        return self.differences.count == 0


def each_rule(log, kind):
    for record, expression in log.rules.items():
        level, name, what = record.split(":")
        if level == "instance" and what.startswith(kind):
            yield name, expression


def compare_values(server, log, judge, every=1, absent_is_old=False):
    """The displayed values at the times of samples, and no value where pmon has none. A base that stands
    still is 0 for pmon; over a bad pair it stands still for Prometheus too, and gives 0 where pmon has no
    value. absent_is_old: there were no markers of staleness, so what is gone is seen for five minutes."""
    at = {}
    for path, rows in log.values.items():
        for row in rows:
            at.setdefault((path, seconds_of(row["time"])), []).append(row)
    for name, expression in each_rule(log, "value"):
        for seconds in log.times[::every]:
            found = server.query(expression, seconds)
            for (family, labels), path in log.paths.items():
                rows = at.get((path, seconds), [])
                if len(rows) > 1 and server.after:
                    continue        # of several at one time the first is seen then
                if family == name and not log.twins(path) and (rows or not absent_is_old):
                    compare_one(judge, "%s at %.3f" % (path, seconds), found.get(labels), rows[0] if rows else None)


def compare_one(judge, where, got, row):
    if row is None:
        if got is not None:
            judge.differences.add("%s: %r, though the counter is absent" % (where, got))
    elif row["value"] is None:
        bad_pair = row["status"] in ("counter_went_back", "base_went_back", "first_sample") and got == 0
        if got is not None and not bad_pair and row["status"] != "bad_raw_status":
            judge.differences.add("%s: %r, pmon says %s" % (where, got, row["status"]))
    elif got is None:
        judge.differences.add("%s: nothing, pmon says %r" % (where, row["value"]))
    else:
        judge.equal(where, got, row["value"], row["unit"])


def compare_averages(server, log, judge):
    for name, expression in each_rule(log, "average"):
        found = server.query(expression, log.times[-1] + 0.5)
        for (family, labels), path in log.paths.items():
            if family != name or log.twins(path):
                continue
            row = log.stats[path][0]
            got = found.get(labels)
            if row["average"] is None:
                if got not in (None, 0):
                    judge.differences.add("%s: average %r, pmon says none" % (path, got))
            elif got is None:
                judge.differences.add("%s: no average, pmon says %r" % (path, row["average"]))
            else:
                judge.equal(path + " average", got, row["average"], row["unit"])
