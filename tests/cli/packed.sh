#!/usr/bin/env bash
# packed.sh - compressed logs, whole, cut and damaged: what is read is what others unpack of them
# SPDX-License-Identifier: MIT
#
# Python's zlib is the judge of gzip, and the zstd program of its own.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need python3
python3 - <<'PYTHON'
import gzip, random, zlib
r = random.Random(3)
with open("log.csv", "w", newline="") as f:
    f.write('"(PDH-CSV 4.0) (UTC)(0)"' + "".join(',"\\\\H\\O\\C%d"' % c for c in range(100)) + "\r\n")
    for s in range(7200): # 10 MB, more than is unpacked ahead
        f.write('"01/02/2024 %02d:%02d:%02d.000"' % (s // 3600, s // 60 % 60, s % 60))
        f.write("".join(',"%d.5"' % r.randrange(10**8) for c in range(100)) + "\r\n")
whole = gzip.compress(open("log.csv", "rb").read(), 1)
open("log.csv.gz", "wb").write(whole)
cut = whole[: len(whole) * 2 // 3]
open("cut.csv.gz", "wb").write(cut)
open("cut.csv", "wb").write(zlib.decompressobj(31).decompress(cut))
PYTHON

# The row of each counter, without the name of the file anywhere.
rows() { run stats --format csv "$@"; }

rows log.csv
want=$out
words=${err//log.csv: /}
rows log.csv.gz
status 0
same 'gzip' "$out" "$want"
same 'what is told' "${err//log.csv.gz: /}" "$words"
rows cut.csv
want_cut=$out
rows cut.csv.gz
status 3
same 'gzip that was cut' "$out" "$want_cut"
err_says cut.csv.gz "$(stat -c %s cut.csv.gz)"
same 'it is told once' "$(grep -c 'compressed data' <<<"$err")" 1
run info --format csv cut.csv.gz
status 3
err_says damaged
same 'it is told once' "$(grep -c 'compressed data' <<<"$err")" 1
samples=$(cut -d, -f7 <<<"${out#*$'\n'}")
run info --format csv cut.csv
same 'samples' "$samples" "$(cut -d, -f7 <<<"${out#*$'\n'}")"

if command -v zstd >/dev/null 2>&1; then
	zstd -q log.csv
	rows log.csv.zst
	status 0
	same 'zstd' "$out" "$want"
	same 'what is told' "${err//log.csv.zst: /}" "$words"
	cp log.csv.zst plain.zst
	size=$(stat -c %s plain.zst)
	head -c $((size / 2)) plain.zst >cut.zst
	zstd -dc cut.zst >half.csv 2>/dev/null
	rows half.csv
	want=$out
	rows cut.zst
	status 3
	same 'zstd that was cut' "$out" "$want"
	err_says cut.zst "$((size / 2))"
fi

finish
