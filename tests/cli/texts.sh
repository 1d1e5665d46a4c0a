#!/usr/bin/env bash
# texts.sh - the values of PERF_COUNTER_TEXT are texts where the source has them
# SPDX-License-Identifier: MIT
#
# A registry block (winperf.h: PERF_DATA_BLOCK) is built here: an object with a number, a text in
# UTF-16 and one in ASCII; by winperf.h the size of a text is the CounterSize of its definition.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3
python3 - <<'PYTHON'
import struct

NO_INSTANCES = -1

def block(text, second):
    wide = text.encode("utf-16-le").ljust(32, b"\0")
    narrow = b"old\0".ljust(8, b"\0")
    values = struct.pack("<II", 4 + 4 + 32 + 8, 7) + wide + narrow
    counters = b""
    for title, kind, size, offset in (36, 0x00010000, 4, 4), (38, 0x00000B00, 32, 8), \
            (40, 0x00010B00, 8, 40):
        counters += struct.pack("<IIIIIiIIII", 40, title, 0, title + 1, 0, 0, 100, kind, size, offset)
    head = 64
    obj = struct.pack("<IIIIIIIIiiiiqq", head + len(counters) + len(values), head + len(counters),
                      head, 4, 0, 5, 0, 100, 3, 0, NO_INSTANCES, 0, 0, 10000000)
    assert len(obj) == head, len(obj)
    obj += counters + values
    name = "SRV\0".encode("utf-16-le")
    first = 88 + len(name)
    time = struct.pack("<8H", 2021, 1, 5, 1, 0, 0, second, 0)
    data = "PERF".encode("utf-16-le") + struct.pack("<IIIIIIi", 1, 1, 1, first + len(obj), first, 1, -1)
    data += time + b"\0" * 4 + struct.pack("<qqqII", second * 10000000, 10000000,
                                           132539328000000000 + second * 10000000, len(name), 88)
    assert len(data) == 88, len(data)
    return data + name + obj

with open("texts.bin", "wb") as f:
    f.write(block("Grün läuft", 0) + block("stopped", 1) + block("stopped", 2))
PYTHON

run raw texts.bin
status 0
out_has 'Grün läuft'
out_has 'stopped'
run values texts.bin
status 0
out_has 'Grün läuft'
out_has 'not_displayed'
run values --format json texts.bin
status 0
out_has '"value":"Grün läuft","status":"not_displayed"'
run raw --format csv texts.bin -c '\Memory\Demand Zero Faults/sec'
status 0
out_has 'PERF_COUNTER_TEXT,2021-01-01T00:00:00Z,valid_data,Grün läuft,0,0,'
same 'texts' "$(grep -c 'valid_data,stopped,' <<<"$out")" 2
run explain texts.bin -c '\Memory\Demand Zero Faults/sec'
status 0
out_has 'text      stopped'
run explain texts.bin -c '\Memory\Demand Zero Faults/sec' --at 00:00:00
out_has 'text      Grün läuft'

# stats has the newest text, and no numbers: of three samples none is invalid.
run stats texts.bin
status 0
same 'stats' "$(awk '/Demand Zero/ { print $1, $2, $3, $5, $7, $8 }' <<<"$out")" 'stopped - - - 3 0'
run stats --to 00:00:00 texts.bin
out_has 'Grün läuft'
run stats --format json texts.bin
status 0
out_has '"path":"\\\\SRV\\Memory\\Demand Zero Faults/sec","type":"PERF_COUNTER_TEXT","unit":"","last":"stopped","average":null,"minimum":null'
run stats --format csv texts.bin
out_has 'PERF_COUNTER_TEXT,,stopped,,,,,,3,0,'
run stats --where 'invalid>0' texts.bin
out_lacks 'Demand Zero Faults/sec'
run stats --by machine texts.bin
status 0
out_lacks 'Demand Zero Faults/sec'

# Merged files number their texts each for itself: none is shown, rather than a wrong one.
cp texts.bin again.bin
run stats texts.bin again.bin
status 0
out_lacks 'Demand Zero Faults/sec'
run values texts.bin again.bin
status 0
out_has 'not_displayed'
out_lacks stopped

# Logs have no place for texts, and what has numbers only leaves the counter out.
run relog texts.bin -f BIN -o numbers.blg
status 0
run list numbers.blg
out_has 'Cache Faults/sec'
out_lacks 'Demand Zero Faults/sec'
run values --format csv texts.bin
status 0
out_lacks 'Demand Zero Faults/sec'

# JSON lines with texts are read; the text has no number.
run raw --format json texts.bin
status 0
cp "$tmp/.out" texts.jsonl
run raw --format csv texts.jsonl
status 0
err_is ''

run values --format json texts.bin
cp "$tmp/.out" values.jsonl
run values values.jsonl
status 0
err_is ''

finish
