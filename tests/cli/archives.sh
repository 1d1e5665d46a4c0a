#!/usr/bin/env bash
# archives.sh - a log in an archive, or compressed with xz or bzip2, is read like the log itself
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
need cmake

python3 - <<'PYTHON'
import bz2, gzip, lzma, os, tarfile, zipfile
lines = ['"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\Memory\\Available Bytes"']
lines += ['"02/25/2026 10:%02d:%02d.000","%d"' % (i // 60, i % 60, i * 7919 % 1000) for i in range(3000)]
data = ("\r\n".join(lines) + "\r\n").encode()
open("log.csv", "wb").write(data)
open("other.csv", "wb").write(data)
open("log.csv.xz", "wb").write(lzma.compress(data))
open("log.csv.bz2", "wb").write(bz2.compress(data))
for name, files in (("one.zip", ["log.csv"]), ("two.zip", ["log.csv", "other.csv"]), ("none.zip", [])):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        for file in files:
            z.write(file)
with zipfile.ZipFile("stored.zip", "w") as z:
    z.writestr("folder/", "")
    z.writestr("__MACOSX/._log.csv", "resources")
    z.writestr("folder/log.csv", data)
with zipfile.ZipFile("book.zip", "w") as z:
    z.writestr("[Content_Types].xml", "<Types/>")
    z.writestr("xl/workbook.xml", "<workbook/>")
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z, z.open("log.csv", "w") as file:
    file.write(data)
    for _ in range(20):
        file.write(b"\0" * (1 << 20))
for kind in "", "gz", "xz", "bz2":
    with tarfile.open("one.tar" + ("." + kind if kind else ""), "w:" + kind) as tar:
        tar.add("log.csv")
os.rename("one.tar.gz", "one.tgz")
with tarfile.open("two.tar.gz", "w:gz") as tar:
    tar.add("log.csv")
    tar.add("other.csv")
open("text.tar.gz", "wb").write(gzip.compress(b"no log\n" * 200))
open("short.csv.gz", "wb").write(gzip.compress(data[: data.index(b"\n", 100) + 1]))
whole = open("log.csv.xz", "rb").read()
open("cut.csv.xz", "wb").write(whole[: len(whole) * 2 // 3])
PYTHON
cmake -E tar cf one.7z --format=7zip log.csv

want=$("$PMON_BIN" values --format csv log.csv)
"$PMON_BIN" stats log.csv.xz >/dev/null 2>err
grep -Eq 'unpack it first|cannot load' err && skip "this pmon was built without libarchive, or it is not installed"

for file in log.csv.xz log.csv.bz2 one.zip stored.zip one.tar one.tgz one.tar.xz one.tar.bz2 one.7z; do
	run values --format csv $file
	status 0
	same "values of $file" "$out" "$want"
done
ran="values --format csv -"
same "values of standard input" "$("$PMON_BIN" values --format csv - <log.csv.xz)" "$want"
same "values of standard input, tgz" "$("$PMON_BIN" values --format csv - <one.tgz)" "$want"
if zstd -q -k one.tar -o one.tar.zst 2>err; then
	same "values of one.tar.zst" "$("$PMON_BIN" values --format csv one.tar.zst)" "$want"
fi
run stats --format csv short.csv.gz # less than the head of an archive
status 0
run stats text.tar.gz
status 1
err_says text

for file in two.zip two.tar.gz; do
	run stats $file
	status 1
	err_says log.csv other.csv 'unpack it first'
done
run stats book.zip
status 1
err_says Excel cells
run stats none.zip
case $status in 0) bad "an empty archive is a log" ;; *) ok ;; esac
run stats --max-unpacked 1MB bomb.zip
status 1
err_says unpacks bytes
run stats --format csv cut.csv.xz
case $status in 1 | 3) ok ;; *) bad "exit status $status" ;; esac
finish
