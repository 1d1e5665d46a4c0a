#!/usr/bin/env python3
"""The API of pmon view: its numbers are those of the other verbs."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

import common
from view import Server, all_series, check, check_headers, finish, need_server


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
    found = all_series(server, q="avg SEC") # words that are no group of counters
    expected = [one["id"] for one in series
                if "avg" in one["path"].lower() and "sec" in one["path"].lower()]
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


def check_one_average(server, name, number, path, window):
    """The page and its explanation have the average that pmon stats prints."""
    options = ["--format", "json", "-c", path] + [word for key in window for word in ("--" + key, window[key])]
    average = server.get("data", ids=str(number), **window)["series"][0]["bar"]["average"]
    printed = common.parse_json(common.run_pmon("stats", *options, name))["counters"][0]["average"]
    check(average == printed, "%s: %s, not %s" % (window, average, printed))
    explained = common.parse_json(common.run_pmon("explain", *options, name))
    check(server.get("explain", id=str(number), **window) == explained, "%s: another explanation" % window)
    return average


def check_lone_rate():
    """Without the queue length a latency has the weight of its operations, whatever the intervals."""
    minutes = [0, 1, 2, 4, 7, 8, 18, 19, 20, 23]
    values = [(0.001 * (1 + at % 4), 10 * (1 + at % 3)) for at in range(len(minutes))]
    path = "\\\\SRV\\LogicalDisk(D:)\\Avg. Disk sec/Transfer"
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "rate.csv")
        with open(name, "w", encoding="utf-8") as log:
            log.write('"(PDH-CSV 4.0) (UTC)(0)","%s","\\\\SRV\\LogicalDisk(D:)\\Disk Transfers/sec"\r\n' % path)
            for minute, value in zip(minutes, values):
                log.write('"11/20/2026 00:%02d:00.000","%g","%g"\r\n' % (minute, *value))
        server = Server(name)
        server.wait()
        number = next(one["id"] for one in all_series(server) if one["path"] == path)
        for first, last in ((0, 9), (1, 9), (3, 7), (5, 5)):
            spans = [minutes[max(at, 1)] - minutes[max(at, 1) - 1] for at in range(first, last + 1)]
            some = list(zip(spans, values[first:last + 1]))
            expected = sum(s * latency * rate for s, (latency, rate) in some) / sum(s * rate for s, (_, rate) in some)
            window = {"from": "2026-11-20T00:%02d:00Z" % minutes[first], "to": "2026-11-20T00:%02d:00Z" % minutes[last]}
            average = check_one_average(server, name, number, path, window)
            check(abs(average - expected) < 1e-12, "%s: %s, not %s" % (window, average, expected))
        server.close()


def check_latency():
    """One read waits at 10 and at 190 reads a second in turn: 10 ms in each hour of whole turns."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "latency.csv")
        with open(name, "w", encoding="utf-8") as log:
            counters = ["Avg. Disk sec/Read", "Avg. Disk Read Queue Length", "Disk Reads/sec", "Avg. Disk sec/Write"]
            log.write('"(PDH-CSV 4.0) (UTC)(0)",' +
                      ",".join('"\\\\SRV\\PhysicalDisk(0 C:)\\%s"' % one for one in counters))
            for i in range(120):
                rate = 190 if i % 2 else 10
                log.write('\r\n"11/20/2026 %02d:%02d:00.000","%.9f","1","%d","0.5"' %
                          (i // 60, i % 60, 1 / rate, rate))
            log.write("\r\n")
        server = Server(name)
        server.wait()
        path = "\\\\SRV\\PhysicalDisk(0 C:)\\" + counters[0]
        ids = {one["path"]: one["id"] for one in all_series(server)}
        for window in ({}, {"from": "2026-11-20T00:10:00Z", "to": "2026-11-20T00:29:00Z"}):
            bars = {one["counter"]: server.get("data", ids=str(one["id"]), **window)["series"][0]["bar"]
                    for one in all_series(server)}
            check(abs(bars[counters[0]]["latency"] - 0.01) < 1e-12, "%s: %s" % (window, bars[counters[0]]))
            check(bars[counters[0]]["average"] == bars[counters[0]]["latency"], "one average: %s" % bars)
            check(all(bars[one]["latency"] is None for one in counters[1:]), "no other has one: %s" % bars)
            check_one_average(server, name, ids[path], path, window)
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
    connection.request("GET", path, headers={"Authorization": "Bearer " + server.secret})
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
        s.sendall(b"GET /api/events HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\n\r\n" %
                  (server.host.encode(), server.port, server.secret.encode()))
    answers = sorted(s.recv(12)[9:12] for s in streams)
    # The stream that was read before may not have been missed yet.
    check(answers.count(b"200") in (15, 16) and answers[-1] == b"503", "streams: %s" % answers)
    for s in streams:
        s.close()
    server.close()


def main():
    logs = need_server()
    probe = subprocess.run([common.binary(), "view", "--no-browser", "--port", "x"],
                           stderr=subprocess.PIPE, check=False)
    check(probe.returncode == 2 and b"65535" in probe.stderr, "--port x")
    for name in logs + [os.path.join(common.data_folder("pdh-text"), "mizosk_synthetic_small.csv")]:
        check_log(name)
    check_starts()
    check_compare(logs[1], logs[2])
    check_latency()
    check_lone_rate()
    check_together()
    check_live()
    finish("view")


main()
