#!/usr/bin/env python3
# grafana.py - run every query of a dashboard of packaging/grafana, and compare with pmon stats
# SPDX-License-Identifier: MIT
#
#	grafana.py DASHBOARD ADDRESS LOG [--alerts]
#
# ADDRESS is the port of the server; of PostgreSQL and ClickHouse with the database, "8123/perf". Variables and macros
# are replaced as Grafana does. The step is a day, so each series has one value: the average over the whole log, as in
# pmon stats. Exit code 1, with what is wrong, unless each query of a panel returns rows that are right. --alerts: the
# server has an alert "Disk reads", and instance:pmon_memory_pages:average5m, which is 7.

import collections
import datetime
import json
import math
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request

DAY = 86400
LIMIT = re.compile(r"SELECT '([^']*)' AS rule.*?countIf\(v ([<>]) ([\d.]+)\)|"
                   r"SELECT '([^']*)' AS rule.*?\(WHERE v ([<>]) ([\d.]+)\)")


def pmon(*words):
    run = subprocess.run([os.environ["PMON_BIN"], *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(run.stdout) if run.returncode in (0, 3) else {"counters": []}


def seconds(text):
    return datetime.datetime.fromisoformat(text[:19] + "+00:00").timestamp()


class Server:
    def __init__(self, address, machines_, begin, end):
        self.port, _, self.database = address.partition("/")
        self.machines, self.begin, self.end = machines_, begin, end
        self.chosen = {}  # the variables of the explorer

    def http(self, path, body=None):
        url = f"http://127.0.0.1:{self.port}{path}"
        with urllib.request.urlopen(url, body.encode() if body else None, 120) as answer:
            return answer.read().decode()

    def replaced(self, text):
        """Variables and macros, as Grafana and its data sources replace them."""
        def listed(names):
            return ",".join("'" + name.replace("'", "''") + "'" for name in names)

        for name, value in {
                **{f"${{{name}:sqlstring}}": listed(values) for name, values in self.chosen.items()},
                **{f"${name}": "|".join(values) for name, values in self.chosen.items()},
                "${machine:sqlstring}": listed(self.machines), "$machine": "|".join(
                    re.sub(r"[$^*{}\[\]'+?.()|]", r"\\\\\g<0>", name) for name in self.machines),
                "${database}": self.database, "${label}": "instance",
                "$__fromTime": f"toDateTime({self.begin})", "$__toTime": f"toDateTime({self.end})",
                "$__unixEpochFrom()": str(self.begin), "$__unixEpochTo()": str(self.end),
                "$__interval_ms": str(1000 * DAY), "$__range": f"{self.end - self.begin}s",
                "$__rate_interval": f"{self.end - self.begin}s"}.items():
            text = text.replace(name, value)
        left = re.search(r"\$[\w{]+", text)
        if left:
            sys.exit(f"{left.group()} is left in {text}")
        return text


class ClickHouse(Server):
    def rows(self, target):
        return json.loads(self.http("/", self.replaced(target["rawSql"]) + " FORMAT JSON"))["data"]

    def values(self, text):
        return [next(iter(row.values())) for row in self.rows({"rawSql": text})]


class Postgres(Server):
    def rows(self, target):
        sql = f"SELECT coalesce(json_agg(x), '[]') FROM ({self.replaced(target['rawSql'])}) AS x"
        run = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-h", "127.0.0.1", "-p", self.port, "-d", self.database,
                              "-v", "ON_ERROR_STOP=1"], input=sql, stdout=subprocess.PIPE, text=True, check=True)
        return [{**row, "label": row.get("label", row.get("metric"))} for row in json.loads(run.stdout)]

    def values(self, text):
        return [next(iter(row.values())) for row in self.rows({"rawSql": text})]


class Prometheus(Server):
    def rows(self, target):
        query = urllib.parse.urlencode({"query": self.replaced(target["expr"]), "time": self.end, "nocache": 1})
        found = json.loads(self.http("/api/v1/query?" + query))["data"]["result"]
        return [{"label": labelled(**item["metric"]), "what": item["metric"].get("what"), "rule": item["metric"].get("alertname"),
                 "value": float(item["value"][1])} for item in found]

    def values(self, text):
        selector, label = re.fullmatch(r"label_values\((.*), (\w+)\)", self.replaced(text)).groups()
        return json.loads(self.http(f"/api/v1/label/{label}/values?" + urllib.parse.urlencode({"match[]": selector})))[
            "data"]


def labelled(machine="", instance=None, parent=None, index=None, **_):
    name = (parent + "/" if parent else "") + (instance or "") + ("#" + index if index else "")
    return machine + (" " + name if name else "")


def label_of(path):
    machine, object_ = re.match(r"\\\\([^\\]*)\\(.*)", path).groups()
    instance = re.search(r"\((.*)\)\\[^\\]*$", object_)
    return machine + (" " + instance.group(1) if instance else "")


def averages(log, pattern):
    return {label_of(item["path"]): item["average"]
            for item in pmon("stats", "--format", "json", "-c", pattern, log)["counters"] if item["average"] is not None}


def check_shape(dashboard):
    ids = [panel["id"] for panel in dashboard["panels"]]
    names = [item["name"] for item in dashboard["templating"]["list"]]
    assert len(set(ids)) == len(ids), "ids of panels are not unique"
    assert dashboard["uid"] and dashboard["schemaVersion"] >= 36
    assert "datasource" in names and "machine" in names
    taken = collections.Counter((x, y) for panel in dashboard["panels"] for place in [panel["gridPos"]]
                                for x in range(place["x"], place["x"] + place["w"])
                                for y in range(place["y"], place["y"] + place["h"]))
    assert max(taken.values()) == 1, "panels overlap"
    for panel in dashboard["panels"]:
        if panel["type"] != "row":
            assert panel["datasource"]["uid"] == "${datasource}" and panel["fieldConfig"]["defaults"]["unit"]


def compare(title, rows, expected, tolerance):
    wrong = []
    for row in rows:
        want = expected.get(row["label"])
        if want is None or not math.isclose(float(row["value"]), want, rel_tol=tolerance, abs_tol=1e-12):
            wrong.append(f"{title}: {row['label']} is {row['value']}, in pmon {want}")
    return wrong or ([] if rows else [f"{title}: no rows"])


def findings(sql, log):
    """Which limits are passed by the averages over the whole log, by pmon's own averages."""
    found = set()
    patterns = {"Processor time": "\\Processor(_Total)\\% Processor Time",
                "Processor queue": "\\System\\Processor Queue Length",
                "Available memory, absolute": "\\Memory\\Available Bytes",
                "Committed memory": "\\Memory\\% Committed Bytes In Use",
                "Disk reads": "\\PhysicalDisk(*)\\Avg. Disk sec/Read",
                "Disk writes": "\\PhysicalDisk(*)\\Avg. Disk sec/Write"}
    for match in LIMIT.finditer(sql):
        rule, sign, limit = [group for group in match.groups() if group is not None]
        for label, average in averages(log, patterns.pop(rule)).items():
            if "(*)" in rule or not label.endswith("_Total") or rule == "Processor time":
                if (average > float(limit)) if sign == ">" else (average < float(limit)):
                    found.add((rule, label))
    assert not patterns, f"no limit for {patterns}"
    return found


def check_panel(server, panel, log, tolerance, has_alerts):
    title, target = panel["title"], panel["targets"][0]
    rows = server.rows(target)
    if title == "Findings" and isinstance(server, Prometheus):
        return [] if not has_alerts or [row["rule"] for row in rows] == ["Disk reads"] else [f"{title}: {rows}"]
    if title == "Findings":
        got, want = {(row["rule"], row["label"]) for row in rows}, findings(target["rawSql"], log)
        return [] if got == want and want else [f"{title}: {got} and {want}"]
    if title == "Averages of each machine":
        patterns = {"CPU": "\\Processor(_Total)\\% Processor Time", "Available memory": "\\Memory\\Available Bytes",
                    "Disk reads": "\\PhysicalDisk(_Total)\\Avg. Disk sec/Read",
                    "Disk writes": "\\PhysicalDisk(_Total)\\Avg. Disk sec/Write"}
        wrong = [what for what in patterns if what not in {row["what"] for row in rows}]
        for what, pattern in patterns.items():
            expected = {label.split(" ")[0]: value for label, value in averages(log, pattern).items()}
            mine = [{**row, "label": row["label"].split(" ")[0]} for row in rows if row["what"] == what]
            wrong += compare(f"{title}, {what}", mine, expected, tolerance)
        return wrong
    pattern = panel.get("description", "") if panel["type"] == "timeseries" else "\\Process(*)\\% Processor Time"
    expected = averages(log, pattern if "(*)" in pattern and averages(log, pattern) else pattern.replace("(*)", ""))
    wrong = compare(title, rows, expected, tolerance)
    if panel["type"] == "table":
        best = sorted((value for label, value in expected.items() if not re.search(r" (_Total|Idle)$", label)),
                      reverse=True)[:10]
        got = sorted((float(row["value"]) for row in rows), reverse=True)
        if len(got) != len(best) or not all(map(lambda a, b: math.isclose(a, b, rel_tol=tolerance), got, best)):
            wrong.append(f"{title}: {got} are not the largest, {best}")
    return wrong


def check_annotations(server, dashboard, log, has_alerts):
    """All steps are the first, so each finding is a limit that was passed."""
    annotation = dashboard["annotations"]["list"][0]
    if isinstance(server, Prometheus):
        return ["no alert"] if has_alerts and not server.rows(annotation) else []
    sql = annotation["target"]["rawSql"] if "target" in annotation else annotation["rawQuery"]
    got = {row["text"] for row in server.rows({"rawSql": sql})}
    panel = next(panel for panel in dashboard["panels"] if panel["title"] == "Findings")
    want = {f"{rule}: {label}" for rule, label in findings(panel["targets"][0]["rawSql"], log)}
    return [] if got == want and want else [f"annotations: {got} and {want}"]


def check_explorer(server, dashboard, log, tolerance, has_alerts):
    queries = {item["name"]: item["query"] for item in dashboard["templating"]["list"]}
    targets = [panel["targets"][0] for panel in dashboard["panels"]]
    if isinstance(server, Prometheus):
        chosen = [("Memory", "instance:pmon_memory_pages:average5m", {"": 7.0})] if has_alerts else []
    else:
        chosen = [(object_, counter, averages(log, f"\\{object_}{instances}\\{counter}")) for object_, instances, counter in (
            ("Memory", "", "Pages/sec"), ("PhysicalDisk", "(*)", "Avg. Disk sec/Read"), ("Processor", "(*)", "% Processor Time"))]
    wrong = []
    for object_, counter, expected in chosen:
        server.chosen = {"object": [object_], "counter": [counter], "instance": [".*"]}
        wrong += [f"{object_} is not offered"] if object_ not in server.values(queries["object"]) else []
        wrong += [f"{counter} is not offered"] if counter not in server.values(queries["counter"]) else []
        if isinstance(server, Prometheus):
            got = [[row["value"] for row in server.rows(target)] for target in targets]
            wrong += [f"{counter}: {got}"] if got != [[7.0], [7.0]] else []
            continue
        server.chosen["instance"] = server.values(queries["instance"])
        for target in targets:
            rows = server.rows(target)
            wrong += compare(counter, rows, expected, tolerance)
            wrong += [f"{counter}: not all rows"] if {row["label"] for row in rows} != set(expected) else []
        server.chosen["instance"] = server.chosen["instance"][:1]
        wrong += [f"{counter}: not one instance"] if len(server.rows(targets[0])) != 1 else []
    return wrong


def main():
    path, address, log = sys.argv[1:4]
    with open(path, encoding="utf-8") as file:
        dashboard = json.load(file)
    check_shape(dashboard)
    kind = {"clickhouse": ClickHouse, "postgresql": Postgres, "prometheus": Prometheus}[
        re.split("[.-]", os.path.basename(path))[0]]
    is_explorer = "explorer" in path
    counters = pmon("stats", "--format", "json", log)["counters"]
    begin = math.floor(min(seconds(item["first_time"]) for item in counters if item["first_time"]))
    end = math.ceil(max(seconds(item["last_time"]) for item in counters if item["last_time"])) + 1
    server = kind(address, sorted({label_of(item["path"]).split(" ")[0] for item in counters}), begin, end)
    tolerance = 1e-6 if kind is Prometheus else 1e-12
    machine = next(item for item in dashboard["templating"]["list"] if item["name"] == "machine")
    wrong = [] if sorted(server.values(machine["query"])) == server.machines else ["the variable machine"]
    n = 0
    if is_explorer:
        wrong += check_explorer(server, dashboard, log, tolerance, "--alerts" in sys.argv)
    else:
        wrong += check_annotations(server, dashboard, log, "--alerts" in sys.argv)
    for panel in dashboard["panels"]:
        if panel["type"] != "row" and not is_explorer:
            n += 1
            wrong += check_panel(server, panel, log, tolerance, "--alerts" in sys.argv)
    print("\n".join(wrong))
    print(f"{n} panels, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
