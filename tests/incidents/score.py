#!/usr/bin/env python3
# score.py - does pmon say what was wrong? Recall by family, precision on quiet logs
# SPDX-License-Identifier: MIT
#
#	score.py [--families a,b] [--groups a,b] [--seeds 5] [--first-seed 1] [--noise gauss,real] [--quiet 100]
#		[--odd 2] [--format csv|blg|raw] [--keep FOLDER] [--jobs 2] [--results OUT.jsonl]
#
# Without options this is the whole acceptance: each family with five seeds in both noises, 100 quiet logs a noise, their
# twins, and the healthy servers that look odd. Takes an hour or two; the small one is oracle/test_planted.py.
"""Compares what pmon says about planted logs with their truth."""

import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))

import common  # noqa: E402
import families  # noqa: E402
import plant  # noqa: E402

SEVERITIES = ("critical", "warning", "note")
BINS = 64       # of a log; the start of a ramp is known to one of them


def seconds_of(text):
    if text is None:
        return None
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment.timestamp()


# ---- What pmon says -----------------------------------------------------------------------------

def run(*arguments):
    """Standard output; 3 is the status of a log with damage, such as a repeated header."""
    done = subprocess.run([common.binary(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=300, env=dict(os.environ, COLUMNS="160", TZ="UTC"))
    if done.returncode not in (0, 3):
        raise RuntimeError("pmon %s: exit status %d: %s" % (" ".join(arguments), done.returncode,
                                                            done.stderr.decode()[:300]))
    return done.stdout.decode("utf-8", "replace")


def who_of(item):
    return [(w.get("instance") or w.get("name") or "") if isinstance(w, dict) else str(w) for w in item.get("who") or []]


def entries_of(health):
    """Incidents, or findings where there are none yet, as one shape."""
    if "incidents" in health:
        out = []
        for item in health["incidents"]:
            evidence = item.get("evidence") or []
            paths = [e["path"] for e in evidence if e.get("path")]
            out.append({"id": item.get("id"), "severity": item["severity"], "text": item.get("headline") or "", "from": item["from"],
                        "to": item["to"], "paths": paths, "who": who_of(item), "resource": item.get("resource"),
                        "evidence": evidence})
        return out
    return [{"severity": item["severity"], "text": item["rule"], "from": item["from"], "to": item["to"],
             "paths": [item["path"]], "who": who_of(item), "resource": None, "evidence": []}
            for item in health["findings"]]


def blocks_of(screen):
    """The incidents of the first screen: a line that begins with a severity, and the indented lines below it."""
    out = []
    for line in screen.splitlines():
        if re.match(r"(CRITICAL|WARNING|NOTE|EVENT)\b", line):
            out.append(line)
        elif out and re.match(r"\s+\S", line) and not re.match(r"\s+average\s", line):
            out[-1] += "\n" + line
        elif out and line.strip() == "":
            break
    return out


# ---- Is it right? -------------------------------------------------------------------------------

def near(found, wanted, tolerance):
    return found is not None and abs(found - wanted) <= tolerance


def right_time(about, entry):
    truth, step = about["truth"], about["step"]
    first, last = seconds_of(truth["from"]), seconds_of(truth["to"])
    tolerance = 2.1 * step
    found, end = seconds_of(entry["from"]), seconds_of(entry["to"])
    if truth["kind"] == "recycled":     # the lives of several processes, whole or not at both ends
        return end is None or end - found >= (last - first) / 2
    if truth["kind"] == "ramp":
        long = max(tolerance, (seconds_of(about["log_to"]) - seconds_of(about["log_from"])) / BINS * 1.05)
        return near(found, first, long) and (end is None or near(end, last, long))
    if truth["kind"] == "stall":
        return near(found, first, tolerance) and near(end, last, tolerance)
    return near(found, first, tolerance) and near(end, last, tolerance)


def right_resource(truth, entry):
    return any(re.search(pattern, path) for pattern in truth["paths"] for path in entry["paths"])


def names(pattern, text):
    """An instance as people write it: w3wp#2 may be w3wp (1936), a number is not a part of another."""
    return pattern == "" or any(
        re.search(r"(?<!\d)%s(?!\d)" % part if part.isdigit() else part if "[" in part else re.escape(part), text)
        for part in pattern.split("|"))


def names_culprit(truth, text):
    culprit = truth["culprit"]
    if culprit is None:
        return True
    return culprit["name"] in text and (culprit["instance"] in text or str(culprit["pid"]) in text
                                        or culprit["name"] == culprit["instance"])


def names_instance(truth, text):
    if truth["culprit"] and truth["instance"] == truth["culprit"]["instance"]:
        return names_culprit(truth, text)
    return names(truth["instance"], text)


def shows_start(about, entry, block):
    """Does a block of the first screen have the start of an entry, to the minute or closer, in the zone of the log?"""
    day = 86400
    start = (seconds_of(entry["from"]) - 60 * about["bias"]) % day
    for hours, minutes, seconds in re.findall(r"\b(\d\d):(\d\d)(?::(\d\d))?", block):
        apart = abs(3600 * int(hours) + 60 * int(minutes) + int(seconds or 0) - start)
        if min(apart, day - apart) <= max(60, 2.1 * about["step"]):
            return True
    return False


def judge_event(about, screen, health):
    truth = about["truth"]
    told = [(e.get("time") or e.get("from"), json.dumps(e)) for e in health.get("events", [])]
    told += [(e["from"], e["text"]) for e in entries_of(health)]
    first, last = seconds_of(truth["from"]), seconds_of(truth["to"])
    tolerance = 2.1 * about["step"]
    top = screen.split("\n\n                ")[0]
    for when, text in told:
        if when and first - tolerance <= seconds_of(when) <= last + tolerance and re.search(truth["word"], text, re.I):
            if not re.search(truth["word"], top, re.I):
                return "not on the first screen"
            return "right" if names_instance(truth, top) and names_culprit(truth, top) else "no culprit"
    return "event without its time" if re.search(truth["word"], top, re.I) else "silent"


def judge(about, screen, health):
    """right, or what is missing."""
    truth = about["truth"]
    if truth["kind"] == "event":
        return judge_event(about, screen, health)
    entries, blocks = entries_of(health), blocks_of(screen)
    best = "silent"
    order = ["silent", "wrong", "symptom", "wrong time", "not on the first screen", "no instance", "no culprit", "right"]
    for entry in entries:
        resource, time = right_resource(truth, entry), right_time(about, entry)
        shown = [block for block in blocks if shows_start(about, entry, block)]
        if not resource:
            state = "symptom" if time or truth["kind"] == "ramp" else "wrong"
        elif not time:
            state = "wrong time"
        elif not shown:
            state = "not on the first screen"
        elif not any(names_instance(truth, block) for block in shown):
            state = "no instance"
        elif not any(names_instance(truth, block) and names_culprit(truth, block) for block in shown):
            state = "no culprit"
        else:
            state = "right"
        best = max(best, state, key=order.index)
    return best


def alarms(about, health):
    """Entries by severity that do not overlap with the trouble; all of them in a quiet log."""
    out = collections.Counter()
    named = []
    for entry in entries_of(health):
        if about["truth"]:
            first, last = seconds_of(about["truth"]["from"]), seconds_of(about["truth"]["to"])
            slack = 3 * about["step"]
            if seconds_of(entry["from"]) <= last + slack and seconds_of(entry["to"]) >= first - slack:
                continue
        out[entry["severity"]] += 1
        named.append("%s %s %s %s" % (entry["severity"], entry["text"], entry["from"], entry["paths"][:1]))
    return out, named


# ---- All logs -----------------------------------------------------------------------------------

def convert(path, form):
    """The file that is judged: PDH-CSV as it is, or BLG of its displayed or raw values."""
    if form == "csv":
        return path
    out = os.path.splitext(path)[0] + ".blg"
    run("relog", "-y", path, "-o", out)
    return out


def one(job):
    name, seed, noise, quiet, folder, form, keep, length = job
    base = os.path.join(folder, "%s-%d-%s%s" % (name, seed, noise, "-quiet" if quiet else ""))
    if plant.needs_raw(name):
        form = "raw"
    source = base + (".jsonl" if form == "raw" else ".csv")
    about = plant.write(name, seed, noise, source, quiet, length)
    path = convert(source, form)
    if form == "raw":
        about["bias"] = 0       # it tells no zone
    # What the file is called and that nothing is missing are no answers.
    screen = run(path).replace(base, "log").replace("no gaps", "")
    health = json.loads(run("health", "--format", "json", path))
    group = families.FAMILIES[name][0] if name in families.FAMILIES else "odd" if name in families.ODD else "quiet"
    found, named = alarms(about, health)
    row = {"group": group, "family": name, "seed": seed, "noise": noise, "quiet": about["quiet"],
           "state": None if about["quiet"] else judge(about, screen, health), "extra": dict(found), "named": named}
    if keep:
        with open(base + ".txt", "w", encoding="utf-8") as file:
            file.write(screen)
        with open(base + ".health", "w", encoding="utf-8") as file:
            json.dump(health, file, indent=1)
    else:
        for ending in (".csv", ".json", ".jsonl", ".blg"):
            if os.path.exists(base + ending):
                os.unlink(base + ending)
    return row


def table(rows):
    print("\n%-10s %-20s %-9s %-9s  %s" % ("group", "family", "gauss", "real", "the others"))
    for name in families.FAMILIES:
        own = [r for r in rows if r["family"] == name and not r["quiet"]]
        if not own:
            continue
        cells = []
        for noise in ("gauss", "real"):
            of = [r for r in own if r["noise"] == noise]
            cells.append("%d of %d" % (sum(r["state"] == "right" for r in of), len(of)))
        others = collections.Counter(r["state"] for r in own if r["state"] != "right")
        print("%-10s %-20s %-9s %-9s  %s" % (own[0]["group"], name, *cells,
                                             ", ".join("%s %d" % a for a in others.most_common())))
    planted = [r for r in rows if not r["quiet"]]
    for noise in ("gauss", "real"):
        of = [r for r in planted if r["noise"] == noise]
        if of:
            extra = collections.Counter()
            for r in of:
                extra.update(r["extra"])
            print("all, %s: %d of %d right; elsewhere in these logs: %s" % (
                noise, sum(r["state"] == "right" for r in of), len(of), dict(extra) or "nothing"))
    print("\n%-28s %-7s %5s  %s" % ("logs in which nothing is wrong", "noise", "logs", "logs with: critical warning note"))
    kinds = [("quiet", lambda r: r["family"] == "quiet"), ("twins", lambda r: r["family"] in families.FAMILIES)]
    kinds += [(name, lambda r, name=name: r["family"] == name) for name in families.ODD]
    for title, belongs in kinds:
        for noise in ("gauss", "real"):
            of = [r for r in rows if r["quiet"] and belongs(r) and r["noise"] == noise]
            if of:
                print("%-28s %-7s %5d  %s" % (title, noise, len(of), "  ".join(
                    "%d" % sum(1 for r in of if r["extra"].get(s)) for s in SEVERITIES)))


def jobs_of(options, folder):
    wanted = options.families.split(",") if options.families else [
        name for name, (group, *_) in families.FAMILIES.items()
        if not options.groups or group in options.groups.split(",")]
    for noise in options.noise.split(","):
        for seed in range(options.first_seed, options.first_seed + options.seeds):
            for name in wanted:
                yield name, seed, noise, False, folder, options.format, bool(options.keep), None
        for seed in range(options.twins):
            for name in wanted:
                yield name, options.first_seed + seed, noise, True, folder, options.format, bool(options.keep), None
        for seed in range(options.first_seed, options.first_seed + options.quiet):
            yield "quiet", seed, noise, True, folder, options.format, bool(options.keep), None
        for seed in range(options.first_seed, options.first_seed + options.odd):
            for name in families.ODD:
                yield name, seed, noise, True, folder, options.format, bool(options.keep), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--families", default="")
    parser.add_argument("--groups", default="")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--noise", default="gauss,real")
    parser.add_argument("--quiet", type=int, default=100)
    parser.add_argument("--twins", type=int, default=1)
    parser.add_argument("--odd", type=int, default=2)
    parser.add_argument("--format", default="csv", choices=("csv", "blg", "raw"))
    parser.add_argument("--keep", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", default="")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            for row in pool.map(one, jobs_of(options, folder)):
                rows.append(row)
                if row["state"] not in (None, "right") or row["named"]:
                    print(row["family"], row["seed"], row["noise"], row["state"] or "quiet", "; ".join(row["named"][:4]),
                          sep="\t", flush=True)
    if options.results:
        with open(options.results, "w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
    table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
