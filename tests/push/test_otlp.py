#!/usr/bin/env python3
"""pmon push by OTLP/HTTP, to a receiver here that decodes the requests by the published field numbers, and, where
it is installed, with the messages of npm's @opentelemetry/otlp-transformer.

Names, numbers and times are those of pmon's OpenMetrics text, which has tests of its own. What a client does after an
answer is in the "OpenTelemetry Protocol Specification", OTLP/HTTP: partial success, retryable codes."""

import gzip
import http.server
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))

import common  # noqa: E402
import test_influx  # noqa: E402
import test_openmetrics  # noqa: E402

TRANSFORMER = os.environ.get("OTLP_TRANSFORMER") or \
    os.path.join(HERE, "node_modules", "@opentelemetry", "otlp-transformer")


# ---- Protocol buffers -----------------------------------------------------------------------------

def varint(data, at):
    shift = number = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return number, at


def fields(data):
    """[(number, value)] of a message: integers, 8 or 4 bytes, or the bytes of what has a length."""
    found, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if size is None:
                assert key & 7 == 2, "wire type %d" % (key & 7)
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "cut off"
        found.append((key >> 3, value))
    return found


def message(data, names):
    """{name: value or list} by {number: (name, how to read it, whether it is repeated)}."""
    out = {}
    for number, value in fields(data):
        name, read, repeated = names[number]        # an unknown field fails the test
        if repeated:
            out.setdefault(name, []).append(read(value))
        else:
            assert name not in out, name
            out[name] = read(value)
    return out


def text(value):
    return value.decode("utf-8")


def of(**names):
    """A reader of messages: name=(number, reader[, True where it is repeated])."""
    table = {row[0]: (name, row[1], len(row) > 2) for name, row in names.items()}
    return lambda data: message(data, table)


def unsigned(value):
    return str(struct.unpack("<Q", value)[0])


def signed(value):
    return str(struct.unpack("<q", value)[0])


def double(value):
    return struct.unpack("<d", value)[0]


# metrics/v1/metrics.proto and what it imports
pair = of(key=(1, text), value=(2, of(stringValue=(1, text))))
point = of(startTimeUnixNano=(2, unsigned), timeUnixNano=(3, unsigned), asDouble=(4, double), asInt=(6, signed),
           attributes=(7, pair, True), flags=(8, int))
metric = of(name=(1, text), description=(2, text), unit=(3, text), gauge=(5, of(dataPoints=(1, point, True))),
            sum=(7, of(dataPoints=(1, point, True), aggregationTemporality=(2, int), isMonotonic=(3, bool))))
scope_metrics = of(scope=(1, of(name=(1, text), version=(2, text))), metrics=(2, metric, True))
resource_metrics = of(resource=(1, of(attributes=(1, pair, True))), scopeMetrics=(2, scope_metrics, True))
request = of(resourceMetrics=(1, resource_metrics, True))


def length(number, data):
    """A field that has a length, shorter than 128 bytes."""
    assert len(data) < 128
    return bytes([number << 3 | 2, len(data)]) + data


def partial(rejected, words):
    """ExportMetricsServiceResponse with its partial_success."""
    count = bytes([1 << 3, rejected]) if rejected else b""
    return length(1, count + (length(2, words.encode()) if words else b""))


def status(code, words):
    """google.rpc.Status"""
    return bytes([1 << 3, code]) + length(2, words.encode())


# ---- The receiver ---------------------------------------------------------------------------------

class Receiver(http.server.ThreadingHTTPServer):
    """Gives the answers that are asked for in their order, and then takes everything."""

    daemon_threads = True

    def __init__(self, *answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.bodies = []            # all that arrived
        self.taken = []             # of those the ones that were taken
        self.heads = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return "otlp+http://127.0.0.1:%d" % self.server_address[1]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.heads.append((self.path, dict(self.headers)))
        self.server.bodies.append(body)
        code, answer, more = self.server.answers.pop(0) if self.server.answers else (200, b"", {})
        if code == 0:       # the connection breaks
            self.close_connection = True
            return
        if code == 200:
            self.server.taken.append(body)
        self.send_response(code)
        for name, value in more.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def push(server, *arguments, path=""):
    with tempfile.TemporaryDirectory() as state:
        return subprocess.run([common.binary(), "push", "--to", server.url + path, "--state-dir", state, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)


# ---- What was sent --------------------------------------------------------------------------------

def pairs_of(attributes):
    found = {a["key"]: a["value"]["stringValue"] for a in attributes}
    assert len(found) == len(attributes), "an attribute comes twice"
    return found


def number_of(data):
    if "asInt" in data:
        return int(data["asInt"])
    return data.get("asDouble")


UNITS = {"s": "_seconds", "By": "_bytes", "1": "_ratio"}


def read(bodies):
    """({(name, labels, ms): number or None}, resources, starts) as Prometheus names what it gets."""
    points, resources, starts = {}, {}, {}
    for body in bodies:
        for machine in request(body)["resourceMetrics"]:
            resource = pairs_of(machine["resource"]["attributes"])
            resources[resource.get("host.name")] = resource
            for scope in machine["scopeMetrics"]:
                assert scope["scope"]["name"] == "pmon"
                names = [found["name"] for found in scope["metrics"]]
                assert len(set(names)) == len(names), "a metric comes twice"
                for found in scope["metrics"]:
                    read_metric(found, resource, points, starts)
    return points, resources, starts


def read_metric(found, resource, points, starts):
    kind = found.get("sum") or found["gauge"]
    counts = "sum" in found
    unit = found.get("unit", "")
    assert (unit in UNITS) == bool(re.search("_(seconds|bytes|ratio)$", found["name"])), found["name"]
    assert unit not in UNITS or found["name"].endswith(UNITS[unit])
    assert re.match(r".+, .+: .+ \(PERF_\w+\)$", found["description"], re.DOTALL), found["description"]
    if counts:
        assert kind["isMonotonic"] and kind["aggregationTemporality"] == 2      # cumulative
    for data in kind["dataPoints"]:
        labels = pairs_of(data["attributes"])
        assert labels.get("machine") == resource.get("host.name") == resource.get("service.instance.id")
        if "counter_instance" in labels:
            labels["instance"] = labels.pop("counter_instance")
        series = found["name"] + ("_total" if counts else ""), tuple(sorted(labels.items()))
        key = (*series, int(data["timeUnixNano"]) // 1000000)
        assert key not in points, "comes twice: %s" % (key,)
        assert int(data["timeUnixNano"]) % 1000000 == 0
        points[key] = None if data.get("flags") == 1 else number_of(data)
        assert (points[key] is None) == ("asInt" not in data and "asDouble" not in data)
        if counts and points[key] is not None:
            starts.setdefault(series, set()).add(int(data["startTimeUnixNano"]) // 1000000)


def openmetrics(log, folder, differences):
    path = os.path.join(folder, "log.om")
    subprocess.run([common.binary(), "relog", *log, "-f", "openmetrics", "-y", "-o", path], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {(name, labels, (time + 5) // 10000): number
            for (name, labels, time), number in test_influx.openmetrics(path, differences).items()}


def compare(bodies, want, differences):
    got, _, starts = read(bodies)
    for key, number in want.items():
        found = got.get(key)
        # a sum or count of more than 53 bits is the double that OpenMetrics has
        if found is None or float(found) != number:
            differences.add("%s: %s, OpenMetrics has %s" % (key, found, number))
    for key, number in got.items():
        if key not in want and number is not None:
            differences.add("%s: %s is too much" % (key, number))
    first = {}
    for name, labels, ms in want:
        first[name, labels] = min(ms, first.get((name, labels), ms))
    for series, when in starts.items():
        if when != {first[series]}:
            differences.add("%s starts at %s, its first point is at %s" % (series, when, first[series]))
    return len(got)


def decode_with_npm(bodies, folder, differences):
    if not shutil.which("node") or not os.path.isdir(TRANSFORMER):
        return False
    files = []
    for i, body in enumerate(bodies):
        files.append(os.path.join(folder, "body%d" % i))
        with open(files[-1], "wb") as file:
            file.write(body)
    done = subprocess.run(["node", os.path.join(HERE, "otlp_decode.cjs"), *files], stdout=subprocess.PIPE,
                          env={**os.environ, "OTLP_TRANSFORMER": TRANSFORMER}, check=True)
    for body, line in zip(bodies, done.stdout.decode().splitlines()):
        if json.loads(line) != json.loads(json.dumps(request(body))):
            differences.add("otlp-transformer decodes something else")
    return True


# ---- Tests ----------------------------------------------------------------------------------------

def real_logs(folder):
    good = True
    for name, log, _ in common.log_files():
        differences = common.Differences()
        with Receiver() as server:
            done = push(server, log)
            if done.returncode != 0:
                differences.add(done.stderr)
            n = compare(server.taken, openmetrics([log], folder, differences), differences)
            for path, head in server.heads:
                if (path, head["Content-Type"], head.get("Content-Encoding")) != \
                        ("/v1/metrics", "application/x-protobuf", "gzip"):
                    differences.add("%s %s" % (path, head))
            npm = decode_with_npm(server.taken, folder, differences)
        print("%s: %s%s" % (name, "FAILED" if differences.count else "%d points" % n,
                            ", also by otlp-transformer" if npm else ""))
        good = good and not differences.count
    return good


def write_log(path, values, **more):
    """values: [(machine, instance, seconds, number)]"""
    series = {}
    with open(path, "w", encoding="utf-8") as file:
        for machine, instance, second, number in values:
            i = series.setdefault((machine, instance), len(series))
            file.write(json.dumps({
                "path": "\\\\m%d\\O(i%d)\\Reads/sec" % (i, i), "machine": machine, "object": "O",
                "instance": instance, "counter": "Reads/sec", "type": "PERF_COUNTER_BULK_COUNT",
                "time": "2020-01-01T00:00:%02dZ" % second, "status": "valid_data", "first": number,
                "second": 1000 * second, "time_base": 1000, "series": i, "sample": second, **more}) + "\n")


def odd_names(folder):
    """Texts arrive as they are: length-prefixed UTF-8 needs no escapes. Each machine is a resource."""
    differences = common.Differences()
    log = os.path.join(folder, "odd.jsonl")
    names = [*test_influx.HOSTILE, "\\\\", '{"a":1}']
    write_log(log, [(machine, name, 0, 7) for machine in ("A", "b,c") for name in names])
    with Receiver() as server:
        done = push(server, log)
        points, resources, _ = read(server.taken)
        decode_with_npm(server.taken, folder, differences)
    found = {(dict(labels)["machine"], dict(labels)["instance"]) for name, labels, _ in points
             if name == "pmon_o_reads_total"}
    want = {(machine, name) for machine in ("A", "b,c") for name in names}
    if done.returncode != 0 or found != want:
        differences.add("%s%s" % (done.stderr, found ^ want))
    for machine in ("A", "b,c"):
        if resources.get(machine) != {"host.name": machine, "service.instance.id": machine,
                                      "service.name": "pmon"}:
            differences.add("resource of %s: %s" % (machine, resources.get(machine)))
    print("odd names: " + ("FAILED" if differences.count else "ok"))
    return not differences.count


def gone(folder):
    """A series that is in no later sample: a point without a value, once."""
    log = os.path.join(folder, "gone.jsonl")
    write_log(log, [("A", "stays", s, s) for s in (1, 2)] + [("A", "goes", 2, 5)] +
              [("A", "stays", s, s) for s in (3, 4)])
    with Receiver() as server:
        push(server, log)
        points, _, _ = read(server.taken)
    found = {ms % 60000: number for (name, labels, ms), number in points.items()
             if name == "pmon_o_reads_total" and dict(labels)["instance"] == "goes"}
    good = found == {2000: 5, 3000: None}
    print("a series that ends: " + ("ok" if good else "FAILED: %s" % found))
    return good


def answers(folder):
    """What pmon does after each answer."""
    log = os.path.join(folder, "answers.jsonl")
    write_log(log, [("A", "0", s, s) for s in range(4)])
    wrong = []

    def case(name, given, code, n, *words):
        """Exit status, number of requests, and what pmon says."""
        with Receiver(*given) as server:
            done = push(server, log)
            said = done.stdout + done.stderr
            if done.returncode != code or len(server.bodies) != n or len(set(server.bodies)) != 1:
                wrong.append("%s: exit status %d, %d requests: %s" % (name, done.returncode, len(server.bodies),
                                                                     said))
            wrong.extend("%s: nothing of %r in %s" % (name, word, said) for word in words if word not in said)

    for retryable in (429, 502, 503, 504):
        case(retryable, [(retryable, b"", {"Retry-After": "1"})], 0, 2)
    case("a connection that breaks", [(0, b"", {})], 0, 2)
    for final in (400, 401, 404, 413, 500, 501):
        case(final, [(final, status(3, "no such metric"), {})], 1, 1, "answers %d: no such metric\n" % final)
    case("text", [(400, b"out of space", {})], 1, 1, "answers 400: out of space\n")
    for broken in (b"\x12\xff\xff\xff\xff\x0f", b"\x0a", b"\xff" * 12, b"\x12\x05ab", b"\x08"):
        case("no message %r" % broken, [(400, broken, {})], 1, 1, "answers 400")
        case("taken, %r" % broken, [(200, broken, {})], 0, 1)
    case("partial success", [(200, partial(2, "too old"), {})], 3, 1, "too old", "2 data points")
    case("a warning", [(200, partial(0, "deprecated"), {})], 0, 1, "deprecated")
    case("an empty answer", [(200, partial(0, ""), {})], 0, 1)
    print("answers: " + ("\n".join(["FAILED", *wrong]) if wrong else "ok"))
    return not wrong


def ledger(folder):
    """What was taken is not sent again; a path of the URL comes first."""
    log = os.path.join(folder, "ledger.jsonl")
    state = os.path.join(folder, "state")
    os.mkdir(state)
    write_log(log, [("A", "0", s, s) for s in range(4)])
    seen = []
    with Receiver((200, partial(1, "x"), {})) as server:
        for path in ("/api/v1/otlp", "/api/v1/otlp", "/api/v1/otlp/v1/metrics"):
            subprocess.run([common.binary(), "push", "--to", server.url + path, "--state-dir", state, log],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            seen.append(len(server.bodies))
        paths = {path for path, _ in server.heads}
    good = seen == [1, 1, 2] and paths == {"/api/v1/otlp/v1/metrics"}
    print("ledger: " + ("ok" if good else "FAILED: %s %s" % (seen, paths)))
    return good


def main():
    if "otlp+http" not in common.run_pmon("push", "--help"):
        common.skip("built without OTLP")
    with tempfile.TemporaryDirectory() as folder:
        good = [odd_names(folder), gone(folder), answers(folder), ledger(folder)]
        good.append(real_logs(folder))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
