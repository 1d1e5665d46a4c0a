#!/usr/bin/env python3
# test_faces.py - incidents in every verb and format: the same everywhere, as the schemas say, and computed again here
# SPDX-License-Identifier: MIT
"""Plants trouble in logs of several roles. The first screen, health, changes and explain have the same incidents with
the same IDs, in text, markdown and JSON. All JSON fits its schema in share/schema, which names every key. What explain
says of a level is the mean of the values that `pmon values` prints. --fail-on and find --quiet tell it by their exit
status."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "incidents"))

import common
import plant

try:
    import jsonschema
except ImportError:
    jsonschema = None

SEED = 11
SHORT = (8, 60)
FAMILIES = ["cpu_spike", "disk_slow", "web_queue", "sql_blocking", "volume_fills", "gap", "one_deadlock", "quiet"]
CONDITION = r"\Processor(_Total)\% Processor Time > 60"
SCHEMAS = os.path.join(common.ROOT, "share", "schema")

differences = common.Differences()


def run(*arguments):
    done = subprocess.run([common.binary(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}, timeout=120)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


# ---- Schemas ------------------------------------------------------------------------------------------------


def strict(schema):
    """The same schema, which allows no key that it does not name."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "value" not in schema["properties"]:
        made["additionalProperties"] = False
    return made


def inline(schema, parts):
    """Without references, so that any version of the validator can read it."""
    if isinstance(schema, list):
        return [inline(part, parts) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return inline(parts[schema["$ref"].rsplit("/", 1)[1]], parts)
    return {key: inline(value, parts) for key, value in schema.items()}


def read_schemas():
    made = {}
    for name in os.listdir(SCHEMAS):
        with open(os.path.join(SCHEMAS, name), encoding="utf-8") as file:
            made[name[:-len(".json")]] = json.load(file)
    parts = made["incidents"]["$defs"]
    return {name: strict(inline(schema, parts)) for name, schema in made.items() if name != "incidents"}


def check_schema(schemas, name, what, text):
    try:
        found = json.loads(text)
    except ValueError as error:
        differences.add("%s: no JSON: %s" % (what, error))
        return {}
    if jsonschema is not None:
        validator = jsonschema.Draft7Validator(schemas[name])
        for error in list(validator.iter_errors(found))[:3]:
            differences.add("%s: %s: %s" % (what, "/".join(map(str, error.absolute_path)), error.message[:200]))
    return found


# ---- The same in every face -----------------------------------------------------------------------------------


def check_ids(log, health):
    ids = [incident["id"] for incident in health["incidents"]]
    _, first, _ = run(log, "--format", "json")
    if [incident["id"] for incident in json.loads(first)["incidents"]] != ids:
        differences.add("%s: the first screen has other incidents than health" % log)
    for form in ("text", "markdown"):
        _, out, _ = run("health", "--format", form, log)
        if re.findall(r"^\|? ?(?:critical|warning|note) [ |]*([0-9a-f]{8})\b", out, re.M) != ids:
            differences.add("%s: health as %s has other IDs than %s" % (log, form, ids))
    for incident in health["incidents"]:
        _, out, _ = run(log, "--format", "markdown")
        cell = re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", incident["headline"])
        if cell not in out:
            differences.add("%s: markdown lacks %r" % (log, cell))


def check_status(log, health):
    count = health["summary"]
    critical, warning = count["critical"] > 0, count["critical"] + count["warning"] + count["beyond"] > 0
    for want, options in ((0, []), (0, ["--fail-on", "never"]), (int(warning), ["--fail-on", "warning"]),
                          (int(critical), ["--fail-on", "critical"])):
        for verb in (["health"], []):
            got, _, _ = run(*verb, *options, log)
            if got != want:
                differences.add("%s %s %s: exit status %d, not %d" % (log, verb, options, got, want))


def check_find(log, found):
    status, out, _ = run("find", "--quiet", CONDITION, log)
    if (status, out) != (0 if found["episodes"] else 1, ""):
        differences.add("%s: find --quiet: status %d for %d episodes" % (log, status, len(found["episodes"])))


def values_of(log, path):
    """[(time in UTC, value)] of a counter."""
    _, out, _ = run("values", "-c", path, "--format", "json", "--by", "process", log)
    rows = [json.loads(line) for line in out.splitlines()]
    return [(row["time"], row["value"]) for row in rows if row["path"] == path and row["value"] is not None]


def check_explained(schemas, log, incident):
    status, out, err = run("explain", "--incident", incident["id"], "--format", "json", log)
    if status != 0:
        differences.add("%s: explain --incident %s: %s" % (log, incident["id"], err))
        return
    found = check_schema(schemas, "explain-incident", "%s: explain" % log, out)
    _, text, _ = run("explain", "--incident", incident["id"], log)
    if incident["headline"] not in text.splitlines()[0]:
        differences.add("%s: explain begins with %r" % (log, text.splitlines()[0]))
    for evidence, part in zip(found["incident"]["evidence"], found["explained"]):
        if part["average"]["value"] is None or "(*)" in part["path"] or "#" in part["path"]:
            continue
        inside = [v for t, v in values_of(log, part["path"]) if evidence["from"] < t <= evidence["to"]]
        mean = sum(inside) / len(inside) if inside else None
        if mean is None or abs(mean - part["average"]["value"]) > 1e-6 * max(abs(mean), 1e-9):
            differences.add("%s: %s: explain says %r, the values' mean is %r" %
                            (log, part["path"], part["average"]["value"], mean))


def check_changes(log, found, health):
    known = {incident["id"] for incident in health["incidents"]}
    for shift in found.get("shifts", []):
        if shift["incident"] is not None and shift["incident"] not in known:
            differences.add("%s: changes names the unknown incident %s" % (log, shift["incident"]))
    shifted = {shift["incident"] for shift in found.get("shifts", [])}
    for incident in health["incidents"]:
        if incident["evidence"][0]["kind"] != "limit" and incident["id"] not in shifted:
            differences.add("%s: changes lacks the shifts of %s" % (log, incident["headline"]))
    scores = [shift["score"] for shift in found.get("shifts", [])]
    if scores != sorted(scores, reverse=True):
        differences.add("%s: changes does not begin with the strongest" % log)
    _, out, _ = run("changes", "--format", "csv", log)
    if len(list(csv.reader(io.StringIO(out)))) != 1 + len(scores):
        differences.add("%s: changes as CSV has another number of rows" % log)


def check_log(schemas, log):
    health = check_schema(schemas, "health", "%s: health" % log, run("health", "--format", "json", log)[1])
    check_schema(schemas, "file", "%s: first" % log, run(log, "--format", "json")[1])
    changes = check_schema(schemas, "changes", "%s: changes" % log, run("changes", "--format", "json", log)[1])
    found = check_schema(schemas, "find", "%s: find" % log, run("find", CONDITION, "--format", "json", log)[1])
    check_ids(log, health)
    check_status(log, health)
    check_find(log, found)
    check_changes(log, changes, health)
    for incident in health["incidents"][:2]:
        check_explained(schemas, log, incident)
    return len(health["incidents"])


def check_diff(schemas, quiet, log):
    """diff has the incidents of both logs, and its exit status is that of the second."""
    found = check_schema(schemas, "diff", "diff", run("diff", "--format", "json", quiet, log)[1])
    for side, name in (("before", quiet), ("after", log)):
        health = json.loads(run("health", "--format", "json", name)[1])
        if found["logs"][side]["incidents"] != health["incidents"]:
            differences.add("diff has other incidents of %s than health" % name)
    for form in ("text", "markdown"):
        _, out, _ = run("diff", "--format", form, quiet, log)
        if not all(incident["id"] in out for incident in health["incidents"]):
            differences.add("diff as %s lacks incidents of %s" % (form, log))
    want = int(health["summary"]["critical"] > 0)
    for arguments in (["diff", quiet, log], ["report", log, "-o", "-"]):
        got, _, _ = run(*arguments, "--fail-on", "critical")
        if got != want:
            differences.add("%s --fail-on: exit status %d, not %d" % (arguments, got, want))


def check_no_incident(log):
    status, _, err = run("explain", "--incident", "00000000", log)
    if status != 1 or "00000000" not in err:
        differences.add("explain of an unknown incident: %d, %s" % (status, err))


def main():
    common.binary()
    schemas = read_schemas()
    incidents = 0
    logs = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in FAMILIES:
            logs.append(name + ".csv")
            plant.write(name, SEED, "gauss", logs[-1], length=SHORT)
            incidents += check_log(schemas, logs[-1])
        check_no_incident(logs[0])
        check_diff(schemas, logs[-1], logs[0])
        check_schema(schemas, "changes", "changes of a window",
                     run("changes", "--from", "-3h", "--to", "-2h", "--format", "json", logs[0])[1])
    if incidents < len(FAMILIES) - 3:
        differences.add("only %d incidents were found: nothing was compared" % incidents)
    if jsonschema is None:
        print("without python3-jsonschema the schemas were not used")
    print("faces of %d incidents in %d logs" % (incidents, len(logs)))
    return 1 if differences.count else 0


if __name__ == "__main__":
    sys.exit(main())
