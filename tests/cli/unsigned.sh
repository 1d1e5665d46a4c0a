#!/usr/bin/env bash
# unsigned.sh - 32-bit counters and bases that arrive as negative numbers are unsigned in every format
# SPDX-License-Identifier: MIT
#
# winperf.h: a DWORD is unsigned, so -1 of 32 bits is 4294967295. Numbers of 64 bits stay what they
# are. The expected values are calculated here, from the unsigned numbers.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3
cat >make.py <<'PYTHON'
import json, re, sqlite3, struct, sys

SIGNED = lambda n: n - 2**32 if n >= 2**31 else n
DWORDS = [ # counter, type, (first, second) of two samples, the newest value, its status
    ("Fraction", "PERF_RAW_FRACTION", (1, 2), (3000000000, 4294967295),
     100 * (3000000000 / 4294967295), "ok"),
    ("Count", "PERF_COUNTER_RAWCOUNT", (1, 0), (4294967294, 0), 4294967294, "ok"),
    ("Rate", "PERF_COUNTER_COUNTER", (2147483647, 0), (2147483650, 10000000), 3, "ok"),
    ("Wrap", "PERF_COUNTER_COUNTER", (4294967291, 0), (5, 10000000), 10, "wrapped"),
    ("Bulk", "PERF_AVERAGE_BULK", (0, 4294967293), (700, 4), 100, "wrapped"),
    ("Hits", "PERF_SAMPLE_FRACTION", (2147483640, 2147483640), (2147483650, 2147483660), 50, "ok"),
]
BITS = struct.unpack("<q", struct.pack("<d", -1.5))[0]
OTHERS = [
    ("Large", "PERF_COUNTER_LARGE_RAWCOUNT", (1, 0), (-2, 0), -2, "ok"),
    ("Share", "PERF_LARGE_RAW_FRACTION", (1, 2), (1, -1), None, "base_went_back"),
    ("Double", "PERF_DOUBLE_RAW", (0, 0), (BITS, 0), -1.5, "ok"),
]

def lines(path, signed):
    with open(path, "w") as f:
        for sample in range(2):
            for name, type_, *pairs in DWORDS + OTHERS:
                first, second = pairs[sample]
                if signed and (name, type_, *pairs) in DWORDS:
                    first = SIGNED(first)
                    second = SIGNED(second)
                row = {"path": "\\\\H\\O(a)\\" + name, "type": type_,
                       "time": "2026-01-01T00:00:0%dZ" % sample, "status": "valid_data",
                       "first": str(first), "second": str(second), "time_base": 10000000,
                       "sample": sample}
                f.write(json.dumps(row) + "\n")

def sqlite(path, pdh_only):
    db = sqlite3.connect(path)
    types = {row[0] for row in db.execute("SELECT DISTINCT CounterType FROM CounterDetails")}
    assert len(types) == 8, types
    dwords = "SELECT CounterID FROM CounterDetails WHERE CounterName IN (%s)" % ",".join(
        "'%s'" % row[0] for row in DWORDS)
    for half in "First", "Second":
        db.execute("UPDATE CounterData SET {0}ValueA = {0}ValueA - 4294967296 WHERE {0}ValueA > "
                   "2147483647".format(half))
        changed = db.execute("UPDATE CounterData SET {0}ValueB = -1 WHERE {0}ValueB = 0 AND "
                             "{0}ValueA < 0 AND CounterID IN ({1})".format(half, dwords)).rowcount
        assert changed >= 3, changed
    if pdh_only:
        for kind, name in db.execute("SELECT type, name FROM sqlite_master WHERE name NOT IN "
                                     "('CounterData', 'CounterDetails', 'DisplayToID') AND "
                                     "name NOT LIKE 'sqlite%' AND type IN ('view', 'table', "
                                     "'trigger') ORDER BY type = 'table'").fetchall():
            db.execute('DROP %s IF EXISTS "%s"' % (kind, name))
    db.commit()

def blg(path):
    data = open(path, "rb").read()
    wide = {struct.pack("<q", n): struct.pack("<q", SIGNED(n))
            for row in DWORDS for pair in row[2:4] for n in pair if n >= 2**31}
    assert all(bits in data for bits in wide)
    # Not the upper half of a number of 64 bits that is negative already.
    pattern = b"(?<!\xff)(?:" + b"|".join(re.escape(bits) for bits in wide) + b")"
    data = re.sub(pattern, lambda match: wide[match[0]], data, flags=re.DOTALL)
    open(path, "wb").write(data)

def check(path):
    got = {}
    for line in open(path):
        row = json.loads(line)
        got[row["path"].split("\\")[-1]] = (row["value"], row["status"])
    for name, _, _, _, value, status in DWORDS + OTHERS:
        assert got[name] == (value, status), (name, got[name], value, status)

globals()[sys.argv[1]](*sys.argv[2:])
PYTHON

# good FILE: the newest values are right
good() {
	run values --format json "$1"
	status 0
	cp "$tmp/.out" "$1.values"
	python3 make.py check "$1.values" && ok || bad "$1"
}

python3 make.py lines plain.jsonl '' && python3 make.py lines signed.jsonl yes && ok || bad lines
good plain.jsonl
good signed.jsonl

run relog plain.jsonl -f SQLITE -o exact.db
status 0
cp exact.db pdh.db
python3 make.py sqlite exact.db '' && python3 make.py sqlite pdh.db yes && ok || bad sqlite
good exact.db
good pdh.db

run relog plain.jsonl -f BIN -o signed.blg
status 0
python3 make.py blg signed.blg && ok || bad blg
good signed.blg

# An agent's section; raw_fraction is followed by its base.
printf '1440580801.0 234 10000000\n1 instances: x\n-34 -1294967296 raw_fraction\n-34 -1 raw_base\n-28 -2 rawcount\n' >section.txt
run raw --format csv section.txt
status 0
out_has ',3000000000,4294967295,'
out_has ',4294967294,0,'

# By hand: 100 * (1073741824 / 4294967295).
run calc -t RawFraction --format csv 1073741824:-1
status 0
out_has '25.000000005820766,ok'
run calc -t PERF_COUNTER_RAWCOUNT --format csv -- -1
out_has '4294967295,ok'
run calc -t PERF_COUNTER_LARGE_RAWCOUNT --format csv -- -1
out_has '-1,ok'
run calc -t PERF_RAW_FRACTION --format csv 1:-4294967296
out_has ',base_went_back'
run explain -t PERF_RAW_FRACTION 1:-1
status 0
out_has 'B1 = 4294967295'

finish
