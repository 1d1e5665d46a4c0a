#!/usr/bin/env bash
# index.sh - what pmon info keeps of a log is what it would find out again
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"

need python3
unset PMON_NO_CACHE
export XDG_CACHE_HOME=$tmp/cache HOME=$tmp/home
folder=$XDG_CACHE_HOME/pmon

old() { touch -d '2020-01-01' "$@"; }

# info ARGS...: all of what is to be seen of it
seen() {
	run info "$@"
	printf '%s\n' "$status" "$err" "$out"
}

# kept FILE WANT: how many entries there are after looking at the file
kept() {
	rm -rf "$folder"
	run info "$1"
	n=$(find "$folder" -name '*.info' 2>/dev/null | wc -l)
	[ "$n" = "$2" ] && ok || bad "$n entries, not $2"
}

make_log average plain.blg
python3 - <<'PYTHON'
import gzip
data = open("plain.blg", "rb").read()
open("packed.blg.gz", "wb").write(gzip.compress(data))
open("cut.blg", "wb").write(data[: len(data) // 2 + 3000])
open("cut.blg.gz", "wb").write(gzip.compress(data)[:-50])
times = (0, 1, 2, 3, 30, 31, 29, 40)
open("text.csv", "wb").write(b'"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\B\\C"\r\n' + b"".join(
    b'"01/02/2024 00:00:%02d.000","%d"\r\n' % (s, s) for s in times))
PYTHON
old ./*.blg ./*.gz ./*.csv

# ---- The second time ----

logs=(plain.blg packed.blg.gz cut.blg cut.blg.gz text.csv)
if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ]; then
	mkdir real
	cp "$PMON_TEST_DATA"/blg/*.blg "$PMON_TEST_DATA"/blg/*.csv "$PMON_TEST_DATA"/pdh-text/*.csv real
	old real/*
	logs+=(real/*)
fi
for log in "${logs[@]}"; do
	for form in text json csv; do
		want=$(seen --no-cache --format $form "$log")
		same "$log, first" "$(seen --format $form "$log")" "$want"
		same "$log, second" "$(seen --format $form "$log")" "$want"
	done
	same "$log, of another clock" "$(seen --tz +05:30 "$log")" "$(seen --no-cache --tz +05:30 "$log")"
done

# ---- It is used, and only as long as the file is what it was ----

kept plain.blg 1
entry=$(echo "$folder"/*.info)
same "modes" "$(stat -c %a "$folder" "$entry" | tr '\n' ' ')" "700 600 "
cat >sign.py <<'PYTHON'
# sign.py FILE OFFSET BYTE: change a byte of an entry, and the hash to what it should then be
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2])] = int(sys.argv[3])
h = 0xCBF29CE484222325
for b in data[:-8]:
    h = (h ^ b) * 0x100000001B3 % 2**64
data[-8:] = h.to_bytes(8, "little")
open(sys.argv[1], "wb").write(data)
PYTHON
python3 sign.py "$entry" $((9 + 4 + 48)) 77 # the lowest byte of the number of samples
run info plain.blg
out_has 'samples    77'
run info --no-cache plain.blg
out_lacks 'samples    77'
run info --encoding UTF-8 plain.blg
out_lacks 'samples    77'
touch -d '2020-01-02' plain.blg
run info plain.blg
out_lacks 'samples    77'

kept text.csv 1
want=$(seen text.csv)
sed -i 's/"40"/"41"/; s/00:00:40/00:00:45/' text.csv # as long as before
old text.csv
same "changed in place" "$(seen text.csv)" "$(seen --no-cache text.csv)"
[ "$(seen text.csv)" != "$want" ] && ok || bad "the change is not seen"

# ---- When nothing is kept ----

touch plain.blg # so new that one more change might not show
kept plain.blg 0
old plain.blg
kept "$tmp" 0
rm -rf "$folder"
run info --no-cache plain.blg
PMON_NO_CACHE=1 run info plain.blg
run info - <plain.blg
[ ! -e "$folder" ] && ok || bad "there is $folder"
want=$(seen --no-cache plain.blg)
: >a_file
same "no folder" "$(XDG_CACHE_HOME=$tmp/a_file seen plain.blg)" "$want"
mkdir locked && chmod 500 locked
same "a folder that is not to be written" "$(XDG_CACHE_HOME=$tmp/locked seen plain.blg)" "$want"
chmod 700 locked
mkdir home
XDG_CACHE_HOME=relative run info plain.blg
[ -d "$HOME/.cache/pmon" ] && [ ! -e relative ] && ok || bad "a relative XDG_CACHE_HOME is to be ignored"

# ---- A damaged entry is ignored; a forged one does no harm ----

kept cut.blg 1
ran="pmon info, with its entry damaged"
python3 - "$PMON_BIN" "$folder"/*.info <<'PYTHON' && ok || bad "see above"
import random, subprocess, sys
pmon, path = sys.argv[1:]
good = open(path, "rb").read()
def seen():
    p = subprocess.run([pmon, "info", "cut.blg"], capture_output=True)
    return p.returncode, p.stdout, p.stderr
want = seen()
assert want[0] == 3 and want[2], want
def put(data):
    open(path, "wb").write(data)
for i in range(0, len(good), 7):  # test_index.c takes every one
    put(good[:i] + bytes([good[i] ^ 0xFF]) + good[i + 1 :])
    assert seen() == want, i
    put(good[:i])
    assert seen() == want, i
def signed(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = (h ^ b) * 0x100000001B3 % 2**64
    return bytes(data) + h.to_bytes(8, "little")
r = random.Random(1)
for i in range(60):
    data = bytearray(good[:-8])
    for _ in range(r.randrange(1, 4)):
        data[r.randrange(61, len(data))] = r.choice((0, 1, 0x7F, 0x80, 0xFF, r.randrange(256)))
    put(signed(data[: r.randrange(61, len(data))] if i % 4 == 0 else data))
    assert seen()[0] in (0, 3), data.hex()
PYTHON

# ---- How much is kept ----

kept plain.blg 1
entry=$(echo "$folder"/*.info)
for i in $(seq -w 100 399); do
	head -c 65536 /dev/zero >"$folder/0000000000000$i.info"
	touch -d "2021-01-01 + $((10#$i)) minutes" "$folder/0000000000000$i.info"
done
head -c 65536 /dev/zero >"$folder/not-ours"
rm "$entry"
run info plain.blg
total=$(cat "$folder"/*.info | wc -c)
[ "$total" -le $((16 << 20)) ] && [ "$total" -gt $((15 << 20)) ] && ok || bad "$total bytes are kept"
[ -e "$entry" ] && [ -e "$folder/0000000000000399.info" ] && [ ! -e "$folder/0000000000000100.info" ] &&
	[ -e "$folder/not-ours" ] && ok || bad "not the oldest went: $(ls "$folder" | head -3)"

finish
