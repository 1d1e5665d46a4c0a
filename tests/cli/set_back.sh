#!/usr/bin/env bash
# set_back.sh - text logs, which have one clock, that went back: what is said of the same log with a clock that did not
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

need python3

cat >logs.py <<'EOF'
"""Text logs whose clock is set, and what pmon says of them apart from times."""
import json, os, random, subprocess
from datetime import datetime, timedelta

NAMES = ("Processor(_Total)\\% Processor Time", "System\\Processor Queue Length", "Memory\\Available MBytes",
         "LogicalDisk(C:)\\Avg. Disk sec/Read", "LogicalDisk(C:)\\Disk Reads/sec", "LogicalDisk(C:)\\Avg. Disk Queue Length",
         "Process(app)\\% Processor Time", "Process(app)\\Private Bytes")
HEADERS = {"utc.csv": '"(PDH-CSV 4.0) (UTC)(0)"', "typeperf.csv": '"(PDH-CSV 4.0)"',
           "zone.csv": '"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"', "utc.tsv": '"(PDH-TSV 4.0) (UTC)(0)"'}

def rows(seed, n, busy, grows, level=97):
    """One row every 15 s: the processor and a disk are busy in the spans of lines, and memory may leak."""
    rng = random.Random(seed)
    for t in range(n):
        at = any(a <= t < b for a, b in busy)
        leak = t / n if grows else 0
        yield (level if at else 20 + 4 * rng.random(), 40 if at else rng.choice((0, 1, 2)),
               4000 + 50 * rng.random() - 3900 * leak, 0.2 if at else 0.004 + 0.002 * rng.random(), 100 + 20 * rng.random(),
               30 if at else 0.5, 370 if at else 5 + rng.random(), 2e8 + 4e9 * leak)

def write(name, lines, steps, blank=()):
    """steps: by line, how far the clock is set before it; blank: lines without values"""
    end = "\t" if name.endswith("tsv") else ","
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w") as out:
        out.write(end.join([HEADERS[os.path.basename(name)]] + ['"\\\\SRV\\%s"' % one for one in NAMES]) + "\n")
        for t, cells in enumerate(lines):
            time = datetime(2026, 10, 25, 1) + timedelta(seconds=15 * t + sum(s for line, s in steps if t >= line))
            out.write(end.join(['"%s.000"' % time.strftime("%m/%d/%Y %H:%M:%S")] +
                               ['" "' if t in blank else '"%.6f"' % one for one in cells]) + "\n")

def run(*args):
    done = subprocess.run([os.environ["PMON_BIN"], *args], capture_output=True, text=True)
    assert done.returncode == 0, (args, done.returncode, done.stderr)
    return done.stdout

def explained(name, one):
    """The averages of an incident, and its length, with which "when" ends."""
    lines = run("explain", name, "--incident", one).splitlines()
    return [line.split(", ", 1)[-1] for line in lines if line.split()[:1] in (["when"], ["value"], ["level"], ["usual"])]

def drawn(name, one):
    """The chart of an incident, on an axis on which no clock is set."""
    run("chart", name, "--incident", one, "-o", "out.svg", "-y")
    with open("out.svg") as svg:
        return svg.read()

def said(name):
    """All that is said of a log but for times, and IDs, which depend on them; clocks that were set; and the IDs."""
    health = json.loads(run("health", "--format", "json", name))
    ids = [one["id"] for one in health["incidents"]]
    assert len(set(ids)) == len(ids), (name, ids)
    incidents = sorted(repr((
        one["seconds"], one["beyond_seconds"], one["severity"], one["headline"], one["effects"],
        [(e["kind"], e["path"], e["usual"], e["average"], e["worst"], [(x["average"], x["worst"]) for x in e["episodes"]])
         for e in one["evidence"]],
        [(who["path"], who["usual"], who["average"]) for who in one["who"]],
        explained(name, one["id"]), drawn(name, one["id"]) if name.endswith("utc.csv") else "")) for one in health["incidents"])
    found = json.loads(run("find", "--format", "json", "\\Processor(*)\\% Processor Time > 50", name))["episodes"]
    stats = json.loads(run("stats", "--percentile", "95", "--format", "json", name))["counters"]
    return {
        "incidents": incidents,
        "events": [(one["kind"], one["seconds"]) for one in health["events"] if one["kind"] != "clock-back"],
        "find": [(one["seconds"], one["average"], one["samples"]) for one in found],
        "stats": [[one.get(key) for key in ("path", "average", "p95", "total", "samples", "invalid")] for one in stats],
    }, [one["seconds"] for one in health["events"] if one["kind"] == "clock-back"], ids
EOF

# At the start, long before an incident, at its first sample, in it, at its last one, after it, and at the end of the log; by
# minutes, an hour and more; several times; where a sample has no values; in each header. The logs have one incident and a leak,
# and several incidents.
cat >same.py <<'EOF'
from logs import *
H = 3600
LOGS = (([(300, 340)], True), ([(40, 52), (300, 340), (600, 690)], False))
STEPS = [([(line, -H)], ()) for line in (1, 2, 3, 100, 300, 320, 339, 340, 341, 400, 899)]
STEPS += [([(320, -s)], ()) for s in (60, 300, 2 * H, 24 * H)]
STEPS += [([(100, -H), (320, -H)], ()), ([(310, -600), (320, -600), (330, -600)], ()),
          ([(k, -H) for k in range(40, 900, 40)], ())]
STEPS += [([(320, -H)], (320,)), ([(320, -H)], (319,)), ([(300, -H), (340, -300)], (300, 340)), ([(320, -H)], (319, 320, 321))]
tried = 0
for busy, grows in LOGS:
    lines = list(rows(1, 900, busy, grows))
    wants = {}
    for steps, blank in STEPS:
        name = sorted(HEADERS)[tried % len(HEADERS)]
        if (name, blank) not in wants:
            write(name, lines, [], blank)
            wants[name, blank], back, ids = said(name)
            assert back == [] and len(ids) >= 2, ids
        write("set/" + name, lines, steps, blank)
        got, back, _ = said("set/" + name)
        assert back == [-s for _, s in steps], (name, steps, back)
        for key, want in wants[name, blank].items():
            assert want == got[key], (name, busy, steps, blank, key, want, got[key])
        tried += 1
print(tried)
EOF
same "logs with a clock that goes back" "$(PYTHONPATH=. python3 same.py 2>&1 | tail -n 1)" 44

# An hour that comes twice, as summer time ends, and in both of them ten minutes of trouble at the same times: two incidents, each
# with its own ID and average.
PYTHONPATH=. python3 - <<'EOF'
from logs import *
lines = list(rows(1, 640, [(100, 140)], False, 99))
lines[340:380] = rows(3, 40, [(0, 40)], False, 95)
write("utc.csv", lines, [(240, -3600)])
EOF
run health --format json utc.csv
status 0
same "times of two incidents" "$(grep -o '"id":"[^"]*","from":"[^"]*' <<<"$out" | grep -o '"from.*' | sort | uniq -c | awk '{print $1}')" 2
averages=
for id in $(grep -o '"id":"[^"]*","from' <<<"$out" | cut -d'"' -f4); do
	run explain utc.csv --incident "$id"
	status 0
	out_says when '10 min'
	averages+=" $(grep -A99 'counter .*Processor(_Total)' <<<"$out" | sed -n 's/^ *value *\([0-9]*\) %$/\1/p' | head -n 1)"
done
same "their averages" "$(tr ' ' '\n' <<<"$averages" | grep '[0-9]' | sort | paste -sd' ')" '95 99'
run info utc.csv
out_says 'set back by 1 h'
finish
