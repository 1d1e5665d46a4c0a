#!/usr/bin/env python3
"""The API of pmon view: its numbers are those of the other verbs, and nobody gets in who should not."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import tempfile
import time
import urllib.parse

import common

checks = 0
failures = 0


def check(good, what):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        if failures <= common.SHOWN:
            print("%d: %s" % (sys._getframe(1).f_lineno, what))


class Server:
    """A pmon view that is running."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([common.binary(), "view", "--no-browser", *arguments],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            if self.process.wait() == 1:
                common.skip("pmon view does not run here")
            sys.exit("pmon view: exit status %d" % self.process.returncode)
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.port, self.query = parts.hostname, parts.port, parts.query
        self.token = urllib.parse.parse_qs(self.query)["token"][0]
        self.cookie = "pmon-%s=%s" % (self.token[:8], self.token)

    def ask(self, path, method="GET", headers=None, body=None, host=None):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=300)
        everything = {"Host": host or "%s:%d" % (self.host, self.port)}
        if self.cookie:
            everything["Cookie"] = self.cookie
        everything.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in everything.items():
            connection.putheader(name, value)
        connection.endheaders()
        if body:
            connection.send(body)
        answer = connection.getresponse()
        result = answer.status, answer.headers, answer.read()
        connection.close()
        return result

    def get(self, name, **params):
        status, headers, body = self.ask("/api/%s?%s" % (name, urllib.parse.urlencode(params)))
        if status != 200:
            raise AssertionError("/api/%s %s: %d %s" % (name, params, status, body[:200]))
        check(headers["Content-Type"] == "application/json", "content type")
        return common.parse_json(body.decode("utf-8"))

    def refuses(self, path, status, **how):
        got, headers, body = self.ask(path, **how)
        check(got == status, "%s: %d, not %d" % (path[:100], got, status))
        check_headers(headers)
        if how.get("method") != "HEAD":
            answer = common.parse_json(body.decode("utf-8"))
            check(list(answer) == ["error", "parameter"] and answer["error"], "%s" % body[:200])
        return body

    def wait(self):
        """Until everything is loaded."""
        for _ in range(3000):
            sets = self.get("log")["sets"]
            if all(one["state"] != "loading" for one in sets):
                return sets
            time.sleep(0.1)
        raise AssertionError("still loading after five minutes")

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=300)
        check(code in (0, 3), "exit status %d" % code)
        self.process.stdout.close()


def check_headers(headers):
    policy = headers["Content-Security-Policy"] or ""
    check("default-src 'none'" in policy and "script-src 'self'" in policy, "policy: " + policy)
    check("unsafe" not in policy, "policy: " + policy)
    check(headers["Cache-Control"] == "no-store", "may be kept")
    check(headers["X-Content-Type-Options"] == "nosniff", "may be sniffed")
    check(headers["X-Frame-Options"] == "DENY", "may be framed")
    check(headers["Referrer-Policy"] == "no-referrer", "tells its address")


# ---- Numbers ----------------------------------------------------------------------------------


def all_series(server, **params):
    found = []
    while True:
        page = server.get("select", offset=len(found), limit=2000, **params)
        found += page["series"]
        if len(found) >= page["total"] or not page["series"]:
            return found


BAR = ["last", "average", "minimum", "maximum", "minimum_time", "maximum_time", "samples", "invalid",
       "first_time", "last_time"]


def check_window(server, name, series, first, last):
    """The value bars of a window against pmon stats, text by text."""
    window = {}
    options = []
    if first:
        window["from"] = first
        options += ["--from", first]
    if last:
        window["to"] = last
        options += ["--to", last]
    expected = {}
    for row in common.parse_json(common.run_pmon("stats", "--format", "json", *options,
                                                 name))["counters"]:
        expected.setdefault(row["path"], []).append(row)
    for begin in range(0, len(series), 200):
        part = series[begin:begin + 200]
        data = server.get("data", ids=",".join(str(one["id"]) for one in part), columns=50,
                          **window)
        check([one["id"] for one in data["series"]] == [one["id"] for one in part], "order")
        for one, drawn in zip(part, data["series"]):
            bar = drawn["bar"]
            rows = expected.get(one["path"], [])
            if not rows:
                check(bar["samples"] == 0, "%s: samples that pmon stats has not" % one["path"])
                continue
            check(any(all(bar[key] == row[key] for key in BAR) and one["type"] == row["type"] and
                      one["unit"] == row["unit"] and
                      one["average_kind"] == row["average_kind"] for row in rows),
                  "%s: %s, not %s" % (one["path"], bar, rows))
            check_drawing(data, drawn)


def check_drawing(data, drawn):
    times = data["times"][drawn["times"]]
    bar = drawn["bar"]
    low = drawn["value" if drawn["exact"] else "min"]
    high = drawn["value" if drawn["exact"] else "max"]
    check(len(times) == len(low) == len(high) and len(times) <= 2 * data["columns"], "lengths")
    check(all(a <= b for a, b in zip(times, times[1:])), "times go back")
    low = [value for value in low if value is not None]
    high = [value for value in high if value is not None]
    for drawn_extreme, exact in ((min(low, default=None), bar["minimum"]),
                                 (max(high, default=None), bar["maximum"])):
        if exact is None:
            check(drawn_extreme is None, "a value where there is none")
        else:
            check(drawn_extreme is not None and
                  abs(drawn_extreme - exact) <= 1e-6 * abs(exact), "an extreme is not drawn")


def check_explanations(server, name, series, first, last):
    for one in series[::max(1, len(series) // 12)]:
        if any(c in one["path"] for c in "*?"):
            continue
        options = ["--from", first, "--to", last, "--at", first, "--format", "json"]
        # A name may hold a line end, and pmon explain has one object a line.
        lines = common.run_pmon("explain", *options, "-c", one["path"], name).split("\n")
        status, _, body = server.ask("/api/explain?" + urllib.parse.urlencode(
            {"id": one["id"], "from": first, "to": last, "at": first}))
        if status == 404:
            continue
        check(body.decode() in lines, "%s: another explanation" % one["path"])


def check_exports(server, name, series):
    some = series[:5]
    ids = ",".join(str(one["id"]) for one in some)
    choice = [word for one in some for word in ("-c", one["path"])]
    for form in ("csv", "json"):
        status, headers, body = server.ask("/api/export?format=%s&ids=%s" % (form, ids))
        check(status == 200 and "attachment" in headers["Content-Disposition"], "no file")
        check_headers(headers)
        check(body.decode() == common.run_pmon("values", "--format", form, *choice, name),
              "%s: export as %s differs from pmon values" % (name, form))


def check_tree(server, series):
    """Walking down the tree finds every series once."""
    seen = []
    for machine in server.get("tree", limit=2000)["nodes"]:
        m = {"machine": machine["name"]}
        for thing in server.get("tree", limit=2000, **m)["nodes"]:
            o = dict(m, object=thing["name"])
            counters = server.get("tree", limit=2000, **o)
            check(thing["counters"] == counters["total"], "%s: counters" % thing)
            for counter in counters["nodes"]:
                leaves = server.get("tree", limit=2000, counter=counter["name"], **o)
                check(leaves["total"] == counter["series"], "%s: series" % counter)
                seen += leaves["nodes"]
    check(sorted(one["id"] for one in seen) == sorted(one["id"] for one in series), "the tree")


def check_search(server, series):
    found = all_series(server, q="disk SEC")
    expected = [one["id"] for one in series
                if "disk" in one["path"].lower() and "sec" in one["path"].lower()]
    check([one["id"] for one in found] == expected, "search: %d, not %d" % (len(found),
                                                                            len(expected)))
    found = all_series(server, pattern=r"\Processor(*)\% Processor Time")
    check(all(one["object"].lower() == "processor" and one["instance"] is not None and
              one["counter"].lower() == "% processor time" for one in found), "pattern")
    page = server.get("select", q="", offset=1, limit=2)
    check([one["id"] for one in page["series"]] == [one["id"] for one in series[1:3]], "a page")


def check_log(name):
    server = Server(name)
    one = server.wait()[0]
    info = common.parse_json(common.run_pmon("info", "--format", "json", name))["logs"][0]
    for key in ("format", "writer", "machine", "zone", "utc_offset_min", "first_time", "last_time",
                "samples", "counters", "raw_values", "interval_s", "losses", "bytes_lost",
                "records_unknown"):
        check(one[key] == info[key], "%s: %s is %s, not %s" % (name, key, one[key], info[key]))
    series = all_series(server)
    check(len(series) == info["counters"], "series")
    marks = server.get("marks", ids=",".join(str(s["id"]) for s in series[:256]))
    check(marks["gap_count"] == info["gap_count"] and marks["gaps"] == info["gaps"], "gaps")
    times = sorted({row["time"] for row in map(json.loads, common.run_pmon(
        "raw", "--format", "json", name).split("\n")[:-1])})
    first, last = times[len(times) // 4], times[len(times) * 3 // 4]
    for window in ((None, None), (first, last), (first, None), (None, last), (last, last)):
        check_window(server, name, series, *window)
    check_explanations(server, name, series, first, last)
    check_exports(server, name, series)
    check_search(server, series)
    if len(series) < 500:
        check_tree(server, series)
    chosen = server.get("first", max=3)["series"]
    check(0 < len(chosen) <= 3, "no first selection")
    details = server.get("series", ids=chosen[0]["id"])["series"][0]
    check(details["formula"] and details["type_meaning"], "no words on the type")
    server.close()


def start_brief(script, seconds):
    """In a group of its own, with the sleep that it starts."""
    return subprocess.Popen([script, str(seconds)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)


def record_processes(folder):
    """A recording of processes of one name that begin and end between its samples."""
    script = os.path.join(folder, "brief")
    with open(script, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\ni=0; while [ $i -lt 3000 ]; do i=$((i+1)); done\nsleep \"$1\"\n")
    os.chmod(script, 0o755)
    log = os.path.join(folder, "processes.blg")
    # The first stays: a sample without any of them would be no sample of these patterns.
    running = [start_brief(script, 1000)]
    recorder = subprocess.Popen([common.binary(), "record", "-i", "200ms", "-n", "12", "-o", log,
                                 "-c", r"\Process(brief*)\% Processor Time",
                                 "-c", r"\Process(brief*)\IO Read Operations/sec"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while recorder.poll() is None and len(running) < 1000:
        running.append(start_brief(script, 0.1 + len(running) % 5 / 10))
        time.sleep(0.13)
    check(recorder.wait(timeout=300) == 0, "pmon record: exit status %d" % recorder.returncode)
    for one in running:
        os.killpg(one.pid, signal.SIGKILL)
        one.wait()
    return log


def check_starts():
    """What a process did before its first sample counts, in windows and in exports too."""
    if not sys.platform.startswith("linux"):
        return
    with tempfile.TemporaryDirectory() as folder:
        name = record_processes(folder)
        lines = common.run_pmon("values", "--format", "json", name).split("\n")
        values = [json.loads(line) for line in lines[:-1]]
        of_windows = common.run_pmon("values", "--identity", "windows", "--format", "json", name)
        check(sum(one["value"] is None for one in values) <
              sum(json.loads(line)["value"] is None for line in of_windows.split("\n")[:-1]),
              "no process began between two samples")
        server = Server(name)
        server.wait()
        series = all_series(server)
        times = sorted({one["time"] for one in values})
        for window in [(None, None)] + [(first, None) for first in times] + list(zip(times, times)):
            check_window(server, name, series, *window)
        ids = ",".join(str(one["id"]) for one in series)
        body = server.ask("/api/export?format=json&ids=" + ids)[2].decode()
        check(sorted(body.split("\n")) == sorted(lines), "export of starts")
        server.close()


def check_compare(name, other):
    server = Server(name, "--compare", other)
    sets = server.wait()
    check([one["set"] for one in sets] == [0, 1], "two sets")
    series = all_series(server)[:100]
    ids = ",".join(str(one["id"]) for one in series)
    same = server.get("matching", ids=ids, to_set=0)
    check(same["matching"] == [one["id"] for one in series], "everything matches itself")
    back = server.get("matching", ids=ids, to_set=1)["matching"]
    known = {one["id"]: one for one in all_series(server, set=1)}
    for one, same in zip(series, back):
        if same is not None:
            check(all(one[key] == known[same][key] for key in
                      ("object", "parent", "instance", "index", "counter")), "not the same series")
    server.close()


# ---- A log that is sent -------------------------------------------------------------------------


def send(server, body, name="sent.blg", **how):
    """(status, answer) of a log that is sent as the page does it"""
    headers = {"Origin": "http://%s:%d" % (server.host, server.port), "Content-Length": str(len(body))}
    headers.update(how.pop("headers", {}))
    status, got, text = server.ask("/api/compare?name=" + urllib.parse.quote(name), method="POST",
                                   headers={key: value for key, value in headers.items() if value is not None},
                                   body=body, **how)
    check_headers(got)
    return status, common.parse_json(text.decode("utf-8"))


def remove(server):
    return server.ask("/api/compare", method="DELETE",
                      headers={"Origin": "http://%s:%d" % (server.host, server.port)})


def read_bytes(name):
    with open(name, "rb") as file:
        return file.read()


def listed(folder, read):
    """What read(path) says of each entry that is still there when it is asked: threads and processes end."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        try:
            yield read(os.path.join(folder, name))
        except OSError:
            continue


def children(thread):
    with open(os.path.join(thread, "children"), encoding="ascii") as file:
        return [int(process) for process in file.read().split()]


def descriptors(server):
    """What the server and the processes that it has started hold open and has no name any more."""
    found = []
    todo = [server.process.pid]
    while todo:
        process = todo.pop()
        for started in listed("/proc/%d/task" % process, children):
            todo += started
        found += [path for path in listed("/proc/%d/fd" % process, os.readlink) if path.endswith(" (deleted)")]
    return found


def holds(server, n):
    """Whether so many such files are open, once processes that have read theirs are gone."""
    for _ in range(300):
        if len(descriptors(server)) == n:
            return True
        time.sleep(0.1)
    return False


def comparable(answer):
    return [dict(one, set=0, opened=0) for one in answer["sets"]]


def check_sent(name, other):
    """A log that is sent is what --compare shows, replaces the one before, and leaves nothing."""
    compared = Server(name, "--compare", other)
    expected = comparable({"sets": compared.wait()})
    compared.close()
    server = Server(name)
    server.wait()
    check(server.get("log")["takes_bytes"] == 4 << 30, "the largest size in the answer")
    server.refuses("/api/data?set=1&ids=0", 404)
    before = descriptors(server)
    for again in range(3):
        status, answer = send(server, read_bytes(other), os.path.basename(other))
        check(status == 200 and len(answer["sets"]) == 2, "sent: %d %s" % (status, answer))
        check(comparable({"sets": server.wait()}) == expected, "what is shown of a log that was sent")
        opened = server.get("log")["sets"][1]["opened"]
        check(opened == 3 + again, "opened: %d" % opened)
        check(holds(server, len(before) + 1), "files: %s" % descriptors(server))
    ids = ",".join(str(one["id"]) for one in all_series(server)[:50])
    check(any(one is not None for one in server.get("matching", ids=ids, to_set=1)["matching"]), "matching")
    # What cannot be read leaves the comparison as it was.
    for body, words in ((b"", "empty"), (b"GIF89a" + bytes(2000), "sent.blg: "), (b"\x7fELF" + bytes(70000), "sent.blg: "),
                        (b"<html><script>alert(1)</script>", "sent.blg: ")):
        status, answer = send(server, body)
        check(status == 422 and words in answer["error"] and "standard input" not in answer["error"],
              "%r: %d %s" % (body[:20], status, answer))
    check(comparable({"sets": server.wait()}) == expected, "after files that are not logs")
    check(remove(server)[0] == 200 and len(server.get("log")["sets"]) == 1, "removed")
    check(holds(server, len(before)), "files of a log that was removed: %s" % descriptors(server))
    server.refuses("/api/data?set=1&ids=0", 404)
    server.close()


def check_cut(name, other):
    """A damaged log is shown with its damage, and no log ends the server."""
    whole = read_bytes(other)
    server = Server(name)
    server.wait()
    for part in (0.95, 0.5, 0.1):
        status, answer = send(server, whole[:int(len(whole) * part)])
        if status == 200:
            sets = server.wait()
            check(sets[1]["losses"] > 0 or sets[1]["state"] == "failed", "%s: no loss" % part)
            damage = server.get("marks", set=1)
            check(damage["damage_count"] > 0 or sets[1]["state"] == "failed", "%s: no mark" % part)
        else:
            check(status == 422, "%s: %d %s" % (part, status, answer))
    folder = os.path.join(os.path.dirname(common.data_folder("blg")), "..", "hostile")
    for one in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if one.endswith(".md"):
            continue
        status, answer = send(server, read_bytes(os.path.join(folder, one)), one)
        check(status in (200, 422), "%s: %d %s" % (one, status, answer))
        if status == 200:
            server.wait()
            server.get("findings", set=1)
    check(server.get("log")["sets"][0]["state"] == "complete", "the first log")
    # A process that hangs or crashes while it reads: the log before is shown, and the next one is taken.
    check(send(server, whole)[0] == 200, "after hostile logs")
    server.close()


def check_sending(name, other):
    """Who may send a log, and how much of it."""
    whole = read_bytes(other)
    server = Server(name)
    server.wait()
    own = "%s:%d" % (server.host, server.port)
    for origin in (None, "http://evil.example", "null", "https://" + own, "http://127.0.0.1:1", "file://", ""):
        status, answer = send(server, b"abc", headers={"Origin": origin})
        check(status == 403 and "Origin" in answer["error"], "origin %s: %d" % (origin, status))
        status = server.ask("/api/compare", method="DELETE", headers={"Origin": origin} if origin is not None else {})[0]
        check(status == 403, "DELETE from %s: %d" % (origin, status))
    check(send(server, b"abc", host="evil.example")[0] == 403, "another host")
    cookie, server.cookie = server.cookie, None
    check(send(server, b"abc")[0] == 403 and remove(server)[0] == 403, "without the cookie")
    server.cookie = cookie[:-1] + "x"
    check(send(server, b"abc")[0] == 403, "with a wrong cookie")
    server.cookie = cookie
    for method in ("GET", "HEAD"):
        check(server.ask("/api/compare", method=method)[0] == 404, method)
    for method in ("PUT", "OPTIONS", "PATCH"):
        server.refuses("/api/compare", 405, method=method)
    for path in ("/", "/main.js", "/api/compare/", "/api/log"):
        server.refuses(path, 405, method="POST", headers={"Origin": "http://" + own, "Content-Length": "0"})
        server.refuses(path, 405, method="DELETE", headers={"Origin": "http://" + own})
    check(send(server, b"", headers={"Content-Length": str((4 << 30) + 1)})[0] == 413, "too large")
    check(send(server, b"", headers={"Content-Length": None, "Transfer-Encoding": "chunked"})[0] in (400, 411), "chunks")
    for length in ("-1", "x", "99999999999999999999999", "0x10"):
        status = server.ask("/api/compare?name=a", method="POST",
                            headers={"Origin": "http://" + own, "Content-Length": length})[0]
        check(status in (400, 411, 413), "length %s: %d" % (length, status))  # the server's library refuses some
    check(send(server, b"abc", name="")[0] == 400 and send(server, b"abc", name="a" * 256)[0] == 400, "names")
    check(len(server.get("log")["sets"]) == 1, "something was taken")
    # Two at once: one is kept. One that is cut off makes room.
    first = begin_sending(server, own, len(whole))
    first.sendall(whole[:1000])
    time.sleep(0.2)
    status, answer = send(server, whole)
    check(status == 409 and "another log" in answer["error"], "two at once: %d %s" % (status, answer))
    before = len(descriptors(server))
    first.close()
    check(holds(server, before - 1), "the file of a log that was cut off")
    check(send(server, whole)[0] == 200, "after one that was cut off")
    second = begin_sending(server, own, len(whole))
    second.sendall(whole[:1000])
    time.sleep(0.2)
    server.close()  # while one is sent
    second.close()


def begin_sending(server, own, length):
    s = socket.create_connection((server.host, server.port), timeout=300)
    s.sendall(("POST /api/compare?name=a HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nCookie: %s\r\n"
               "Content-Length: %d\r\n\r\n" % (own, own, server.cookie, length)).encode())
    return s


def check_not_sent(name):
    """Where other machines may ask, no log is taken."""
    server = Server(name, "--listen", "0.0.0.0", "--insecure")
    server.host = "127.0.0.1"
    server.wait()
    check(server.get("log")["takes_bytes"] is None, "no size in the answer")
    status, answer = send(server, b"abc")
    check(status == 403 and "--compare" in answer["error"], "%d %s" % (status, answer))
    server.close()


# ---- Who may ask --------------------------------------------------------------------------------


def check_doors(name):
    server = Server(name)
    server.wait()
    own = "%s:%d" % (server.host, server.port)
    check(server.host == "127.0.0.1", "not on loopback: " + server.url)
    for path in ("/", "/main.js", "/style.css", "/chart.js", "/api/log"):
        status, headers, body = server.ask(path)
        check(status == 200, "%s: %d" % (path, status))
        check_headers(headers)
        status, headers, nothing = server.ask(path, method="HEAD")
        check(status == 200 and nothing == b"", "HEAD %s" % path)
        if path != "/api/log":
            check(int(headers["Content-Length"]) == len(body), "HEAD %s: length" % path)
    page = server.ask("/")[2].decode()
    check("<script>" not in page and not re.search(r"https?://|\son\w+=|style=", page),
          "the page asks elsewhere, or has script in it")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"):
        server.refuses("/api/log", 405, method=method)
    server.refuses("/api/log", 400, headers={"Content-Length": "3"}, body=b"abc")
    for host in ("evil.example", "evil.example:%d" % server.port, "127.0.0.1", "127.0.0.1:1",
                 "127.0.0.1.evil.example:%d" % server.port, "[::1]:%d" % server.port,
                 "localhost", "x@" + own, own + ".", " ", "a" * 300):
        server.refuses("/api/log", 403, host=host)
    check(server.ask("/api/log", host="localhost:%d" % server.port)[0] == 200, "localhost")
    for origin in ("http://evil.example", "null", "https://" + own, "http://127.0.0.1:1",
                   "http://%s.evil.example" % own, "file://"):
        server.refuses("/api/log", 403, headers={"Origin": origin})
    check(server.ask("/api/log", headers={"Origin": "http://" + own})[0] == 200, "own origin")
    for path in ("/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
                 "/etc/passwd", "/api", "/api/", "/api/log/", "/API/LOG", "/main.js/", "/.",
                 "/index.html%00.js", "/api/log%00", "/web/page/main.js", "/" + "a" * 2000):
        got = server.ask(path)[0]
        check(got in (404, 400), "%s: %d" % (path[:60], got))
    check_raw(server)
    check_slow(server)
    server.close()


def check_raw(server):
    """Bytes that are no request do not end the server."""
    for junk in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 100, b"GET / HTTP/1.1\r\n\r\n",
                 b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                 b"GET / HTTP/1.1\r\nX: " + b"b" * 100000 + b"\r\n\r\n",
                 b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256))):
        with socket.create_connection((server.host, server.port), timeout=300) as s:
            try:
                s.sendall(junk)
                s.shutdown(socket.SHUT_WR)
                answer = s.recv(65536)
                check(not answer.startswith(b"HTTP/1.1 200"), "%r is answered" % junk[:40])
            except OSError:
                pass
        check(server.ask("/api/log")[0] == 200, "after %r" % junk[:40])
    own = b"Host: %s:%d\r\nCookie: %s\r\n" % (server.host.encode(), server.port, server.cookie.encode())
    for twice in (own + b"Host: evil.example\r\n", b"Host: evil.example\r\n" + own, own + own.split(b"\n")[0] + b"\n",
                  own + b"hOsT: \r\n", own + b"Content-Length: 0\r\nContent-Length: 0\r\n",
                  own + b"Content-Length: 0\r\ncontent-length: 5\r\n"):
        check(first_line(server, twice) == b"HTTP/1.1 400 Bad Request", "%r" % twice)
    check(first_line(server, own + b"Content-Length: 0\r\n") == b"HTTP/1.1 200 OK", "each once")


def first_line(server, headers):
    with socket.create_connection((server.host, server.port), timeout=300) as s:
        s.sendall(b"GET /api/log HTTP/1.1\r\n" + headers + b"\r\n")
        return s.makefile("rb").readline().rstrip()


def within(seconds, act):
    """Whether an act takes no longer, for which a busy machine has five tries."""
    for _ in range(5):
        start = time.monotonic()
        act()
        if time.monotonic() - start < seconds:
            return True
    return False


def slow_clients(server):
    """40 connections that send or read slowly; their requests have 10 s."""
    slow = []
    for _ in range(30):
        s = socket.create_connection((server.host, server.port), timeout=300)
        s.sendall(b"GET /api/log HTTP/1.1\r\nHost: ")
        slow.append(s)
    for _ in range(10):
        s = socket.create_connection((server.host, server.port), timeout=300)
        s.sendall(b"GET /api/events?token=%s HTTP/1.1\r\nHost: %s:%d\r\n\r\n" %
                  (server.token.encode(), server.host.encode(), server.port))
        slow.append(s)
    return slow


def check_slow(server):
    """Clients that send or read slowly keep nobody waiting."""
    slow = []

    def ask():
        slow.extend(slow_clients(server))
        check(server.ask("/api/log")[0] == 200, "slow clients")

    check(within(5, ask), "slow clients keep others waiting")
    slow, older = slow_clients(server), slow
    # A byte now and then is not enough: the whole request has 10 s.
    start = time.monotonic()
    over = False
    while not over and time.monotonic() - start < 300:
        try:
            slow[0].sendall(b"a")
            slow[0].settimeout(0.5)
            over = slow[0].recv(10) == b""
        except socket.timeout:
            pass
        except OSError:
            over = True
    check(over, "a request may take for ever")
    for s in slow + older:
        s.close()


def check_crowd(name):
    """500 connections that ask nothing keep nobody out."""
    server = Server(name)
    server.wait()

    def ask():
        idle = [socket.create_connection((server.host, server.port), timeout=300) for _ in range(500)]
        time.sleep(0.5)
        try:
            status = server.ask("/api/log")[0]
        except OSError as error:
            status = error
        check(status == 200, "500 idle connections: %s" % status)
        for s in idle:
            s.close()

    check(within(5, ask), "500 idle connections keep others waiting")
    check_reconnecting(server)
    server.close()


def half_open(server, over):
    while not over.is_set():
        try:
            with socket.create_connection((server.host, server.port), timeout=300) as s:
                s.sendall(b"GET / HTTP/1.1\r\nHo")
                s.recv(1)
        except OSError:
            pass


def check_reconnecting(server):
    """200 that begin a request and connect anew as soon as they are cut off."""
    over = threading.Event()
    clients = [threading.Thread(target=half_open, args=(server, over), daemon=True) for _ in range(200)]
    for client in clients:
        client.start()
    time.sleep(1)
    took = []
    for i in range(50):
        start = time.monotonic()
        try:
            status = server.ask("/main.js" if i % 2 else "/")[0]
        except OSError as error:
            status = error
        check(status == 200, "200 half-open connections: %s" % status)
        took.append(time.monotonic() - start)
    # A busy machine may be slow now and then.
    check(sorted(took)[25] < 5, "200 half-open connections keep others waiting: %s" % took)
    over.set()


HOSTILE = [
    "data", "data?ids=", "data?ids=,", "data?ids=1,", "data?ids=,1", "data?ids=1,,2", "data?ids=-1",
    "data?ids=0x1z", "data?ids=99999999", "data?ids=99999999999999999999999", "data?ids=0,0",
    "data?ids=a", "data?ids=%00", "data?ids=0%00", "data?ids=0&ids=1", "data?ids=0&columns=0",
    "data?ids=0&columns=4001", "data?ids=0&columns=-5", "data?ids=0&columns=1e3",
    "data?ids=0&from=yesterday", "data?ids=0&from=", "data?ids=0&from=99999-01-01",
    "data?ids=0&from=2030-01-01&to=2020-01-01", "data?ids=0&set=1", "data?ids=0&set=2",
    "data?ids=0&set=-1", "data?ids=0&what=1", "data?ids=0&=1", "data?ids=0&%00=1",
    "data?ids=" + ",".join(map(str, range(300))), "data?ids=" + "1" * 5000, "log?x", "log?x=1",
    "tree?object=a", "tree?machine=a&counter=b", "tree?limit=0", "tree?limit=2001",
    "tree?offset=-1", "tree?offset=99999999999", "tree?q=" + "a" * 2000,
    "tree?q=" + "a+" * 100, "tree?q=%5C", "select?pattern=", "select?pattern=%5C(",
    "select?pattern=a&q=b", "select?q=%5Ca(b", "select?pattern=" + "*a" * 1000, "first?max=0",
    "first?max=65", "series", "explain", "explain?id=", "explain?id=1,2", "explain?id=99999999",
    "explain?id=0&at=now", "export?ids=0", "export?ids=0&format=exe", "export?format=csv",
    "export?ids=0&format=../../etc/passwd", "marks?ids=x", "matching?to_set=0", "matching?ids=0&to_set=9",
    "events?interval_ms=-1", "events?interval_ms=3600001", "events?ids=99999999",
] + ["data?ids=0&from=%s" % urllib.parse.quote(text) for text in (
    "2016-13-01", "2016-02-30", "'; DROP TABLE", "<script>", "\n", "\u202e", "9" * 500,
    "-1", "+5m", "10:30")]


def check_hostile(name):
    server = Server(name)
    server.wait()
    for query in HOSTILE:
        got, headers, body = server.ask("/api/" + query)
        check(400 <= got < 500, "%s: %d" % (query[:80], got))
        check_headers(headers)
        check(list(common.parse_json(body.decode("utf-8"))) == ["error", "parameter"], query[:80])
    # Odd, and no fault.
    for query in ("data?ids=0&from=1601-01-01&to=1601-01-02", "data?ids=0&from=9999-12-31", "data?ids=0&from=1600-01-01",
                  "select?q=%2A%2A%2A%2A", "select?q=" + "%2Aa" * 80, "tree?q=%FF%FE", "tree?machine=",
                  "select?q=%3Cscript%3E", "marks", "tree?machine=%00", "tree?offset=4294967295"):
        got, _, body = server.ask("/api/" + query)
        check(got == 200 and common.parse_json(body.decode("utf-8")), "%s: %d" % (query, got))
    server.close()


def check_token(name):
    for address in ([], ["--listen", "127.0.0.1"], ["--listen", "0.0.0.0", "--insecure"]):
        check_token_at(name, address)
    refused = subprocess.run([common.binary(), "view", "--no-browser", "--listen", "0.0.0.0", name],
                             capture_output=True, check=False)
    check(refused.returncode == 2 and b"--insecure" in refused.stderr, "the token goes over plain http")


def check_token_at(name, address):
    server = Server(name, *address)
    token = server.token
    check(re.fullmatch("[0-9a-f]{32}", token) is not None, "token: " + server.url)
    if server.host == "0.0.0.0":
        server.host = "127.0.0.1"
    server.cookie = None
    for path in ("/", "/api/log", "/main.js", "/nothing"):
        server.refuses(path, 403)
        server.refuses(path + "?token=", 403)
        server.refuses(path + "?token=" + "0" * 32, 403)
        server.refuses(path + "?token=" + token[:-1], 403)
        server.refuses(path + "?token=" + token + "%00", 403)
    # A person gets a page that explains it, a program JSON.
    status, headers, body = server.ask("/", headers={"Accept": "text/html,*/*"})
    check(status == 403 and "text/html" in headers["Content-Type"] and b"pmon view" in body, "page")
    check(token.encode() not in body, "the page of a missing token has it")
    status, headers, _ = server.ask("/?token=" + token)
    check(status == 200, "with the token")
    cookie = headers["Set-Cookie"] or ""
    check("HttpOnly" in cookie and "SameSite=Strict" in cookie, "cookie: " + cookie)
    check(server.ask("/api/log", headers={"Cookie": cookie.split(";")[0]})[0] == 200, "cookie")
    server.refuses("/api/log", 403, headers={"Cookie": cookie.split("=")[0] + "=" + "0" * 32})
    server.close()


def check_together():
    """Series that several threads draw look as each of them does alone."""
    header = ['"(PDH-CSV 4.0) (UTC)(0)"'] + [r'"\\\\A\Thing(%d)\Threads"' % i for i in range(256)]
    lines = [",".join(header)]
    for at in range(300):
        row = ['"01/01/2026 10:%02d:%02d.000"' % divmod(at, 60)]
        lines.append(",".join(row + ['"%d"' % ((at * 37 + i * 101) % 997) for i in range(256)]))
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "wide.csv")
        with open(name, "w", encoding="ascii", newline="\r\n") as file:
            file.write("\n".join(lines) + "\n")
        server = Server(name)
        server.wait()
        together = server.get("data", ids=",".join(map(str, range(256))), columns=100)
        check(len(together["series"]) == 256, "series drawn together")
        for one in together["series"][::15]:
            alone = server.get("data", ids=one["id"], columns=100)
            check(together["times"][one["times"]] == alone["times"][0], "times drawn together")
            check(dict(one, times=0) == alone["series"][0], "drawn together: %d" % one["id"])
        server.close()


# ---- Live -----------------------------------------------------------------------------------


def read_events(server, path, n):
    """The first n events, (name, data)."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=300)
    connection.request("GET", path, headers={"Cookie": server.cookie})
    answer = connection.getresponse()
    check(answer.headers["Content-Type"].startswith("text/event-stream"), "type of the stream")
    check_headers(answer.headers)
    events, name = [], None
    while len(events) < n:
        line = answer.readline().decode("utf-8").rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            events.append((name, common.parse_json(line[6:])))
    connection.close()
    return events


def check_live():
    if not sys.platform.startswith("linux"):
        return
    server = Server("-i", "100ms", "-c", r"\System\*", "--history", "1m")
    for _ in range(3000):
        one = server.get("log")["sets"][0]
        if one["samples"] > 3:
            break
        time.sleep(0.1)
    check(one["live"] and one["state"] == "live", "%s" % one)
    check(one["interval_s"] == 0.1 and one["history_s"] == 60, "%s" % one)
    series = all_series(server)
    ids = ",".join(str(s["id"]) for s in series)
    events = read_events(server, "/api/events?ids=" + ids, 6)
    check(events[0][0] == "log" and "sets" in events[0][1], "the first event")
    samples = [data for name, data in events if name == "sample"]
    check(len(samples) >= 4, "events: %s" % [name for name, _ in events])
    for sample in samples:
        data = server.get("data", ids=ids, to=sample["time"], **{"from": sample["time"]})
        for i, one in enumerate(data["series"]):
            check(one["bar"]["last"] == sample["value"][i] and
                  one["bar"]["last_status"] == sample["status"][i], "an event has another value")
    check(sorted(s["time"] for s in samples) == [s["time"] for s in samples], "events in order")
    details = server.get("series", ids=ids)["series"]
    check(all(s["help"] and s["from"] for s in details), "counters without an explanation")
    streams = [socket.create_connection((server.host, server.port)) for _ in range(17)]
    for s in streams:
        s.sendall(b"GET /api/events?token=%s HTTP/1.1\r\nHost: %s:%d\r\n\r\n" %
                  (server.token.encode(), server.host.encode(), server.port))
    answers = sorted(s.recv(12)[9:12] for s in streams)
    # The stream that was read before may not have been missed yet.
    check(answers.count(b"200") in (15, 16) and answers[-1] == b"503", "streams: %s" % answers)
    for s in streams:
        s.close()
    server.close()


def main():
    probe = subprocess.run([common.binary(), "view", "--no-browser", "--port", "x"],
                           stderr=subprocess.PIPE, check=False)
    check(probe.returncode == 2 and b"65535" in probe.stderr, "--port x")
    probe = subprocess.run([common.binary(), "view", "--no-browser", "--listen", "example.com",
                            common.log_files()[0][1]], stderr=subprocess.PIPE, check=False)
    if b"libmicrohttpd" in probe.stderr:
        common.skip("this build has no server")
    check(probe.returncode == 2, "--listen example.com")
    logs = [name for _, name, _ in common.log_files()]
    for name in logs + [os.path.join(common.data_folder("pdh-text"), "mizosk_synthetic_small.csv")]:
        check_log(name)
    check_starts()
    check_compare(logs[1], logs[2])
    check_sent(logs[1], logs[2])
    check_cut(logs[1], logs[2])
    check_sending(logs[1], logs[2])
    check_not_sent(logs[1])
    check_together()
    check_doors(logs[0])
    check_crowd(logs[0])
    check_hostile(logs[0])
    check_token(logs[0])
    check_live()
    print("view: %d checks, %d failed" % (checks, failures))
    sys.exit(failures > 0)


main()
