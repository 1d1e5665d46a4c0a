#!/usr/bin/env bash
# chart.sh - pictures of logs: files, terminals, what is chosen and what is refused
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
make_log average a.blg
make_log back back.blg
make_log evil e.blg

with_cairo=yes
"$PMON_BIN" chart a.blg -o try.png 2>err || with_cairo=no
grep -q 'without cairo' err || [ "$with_cairo" = yes ] || bad "no picture: $(cat err)"
rm -f try.png

# A log of 20000 samples, one a second, of two processors: 10 and 20 %, and one sample of 95 %.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (i = 0; i < 2; i++)
		printf ",\"\\\\SRV\\Processor(%d)\\%% Processor Time\"", i
	printf "\r\n"
	for (t = 0; t < 20000; t++)
		printf "\"11/20/2026 %02d:%02d:%02d.000\",\"10\",\"%d\"\r\n", \
			t / 3600, t / 60 % 60, t % 60, t == 12345 ? 95 : 20
}' >spike.csv

# ---- In the terminal ----------------------------------------------------------------------------

# Sample 12345 of 19999 is in cell 41 of 67, which is character 52 of the line; 20 % is everywhere.
run chart spike.csv --size 80x24 -c '\Processor(1)\*'
status 0
out_has 'SRV  2026-11-20 00:00:00 - 05:33:19, UTC, spike.csv'
out_has '   100 % +'
same 'one sample is seen, in one place' \
	"$(grep -oE '^ *[0-9]*[ %]*[|+] *a$' <<<"$out" | awk '{ print length }' | sort -u)" 52
out_has '       20       20~      20       95 %'
same 'as high as the terminal, but for the prompt' "$(wc -l <<<"$out")" 23
same 'no wider' "$(awk 'length > 80' <<<"$out")" ''
err_is ''

run chart spike.csv --size 80x24
err_says default
for kind in area stacked bar heatmap; do
	run chart spike.csv --size 80x24 --kind "$kind" -c '\Processor(*)\*'
	status 0
	out_has '% Processor Time'
done

# 1 sample of 20000 is above 20: the line is at its top there but for the last percent.
run chart spike.csv --kind distribution -c '\Processor(1)\*' --threshold 90% -o -
status 0
out_has '% Processor Time: share of the time at or below a value'
out_has '>90 %</text>'
out_has '>75 %</text>'
run chart spike.csv --kind distribution
status 2
err_says --kind distribution -o

# Areas of one counter lie on each other: 10 + 95 %.
run chart spike.csv --size 80x24 --kind area -c '\Processor(*)\*'
area=$out
out_has '   100 % +'
run chart spike.csv --size 80x24 --kind stacked -c '\Processor(*)\*'
same 'areas of one counter are stacked' "$area" "$out"

LC_ALL=C.UTF-8 run chart a.blg --size 80x24
out_has '┤'
LC_ALL=C.UTF-8 run chart a.blg --size 80x24 --ascii
out_lacks '┤'
run chart a.blg --size 80x24 --color always
out_has "$(printf '\033[38;5;39m')"
run chart a.blg --size 80x24 -c '\PhysicalDisk(*)\Avg. Disk sec/Read' --threshold 100ms
out_has '100 ms'
out_has '150 ms +' # the read of 0.15 s of make_log.c

# A counter was reset: the chart reports the missing value.
run chart back.blg --size 80x24 -c '\*\*' -c '\*(*)\*'
out_says ! reset restarted

in_terminal seen "$PMON_BIN" chart a.blg
ran='pmon chart in a terminal of 200 x 50'
# shellcheck disable=SC2016
same 'as wide as the terminal' "$(python3 -c '
import re
text = re.sub(r"\033\[[0-9;]*m", "", open("seen", encoding="utf-8").read())
lines = [line for line in text.split("\n") if not line.startswith("pmon:")]
print(len(lines) - 1, 150 < max(map(len, lines)) <= 200)')" '48 True'

# ---- One incident -------------------------------------------------------------------------------

make_incident incident.csv
id=$("$PMON_BIN" health incident.csv --format json | python3 -c 'import json, sys
print([one["id"] for one in json.load(sys.stdin)["incidents"] if one["resource"] == "processor"][0])')
run chart incident.csv --incident "$id" -o -
status 0
out_has 'APP07: Processor is busy'
out_has 'cause backupd (41): '
out_has '2026-03-09 10:49:45' # as long before as it lasted, which is from the sample before it
out_has '; grey: the incident'
out_has '% Processor Time by process'
out_has '>backupd (41)</text>'
out_has 'class="series" role="group" aria-label="w3wp (43)"'
out_has '\Processor(_Total)\% Processor Time'
out_lacks 'Process(_Total)'
run chart incident.csv --incident "$id" --size 100x40
status 0
out_has 'backupd (41)'
run chart incident.csv --incident 00000000
status 1
err_says 00000000 'pmon health'
run chart incident.csv --incident "$id" -c '\*(*)\*'
status 2
err_says --incident -c
run chart --incident "$id"
status 2
err_says --incident log
for type in png pdf; do
	[ "$with_cairo" = yes ] || break
	run chart incident.csv --incident "$id" -o "incident.$type" --theme dark
	status 0
done

# ---- Files --------------------------------------------------------------------------------------

run chart spike.csv -o out.svg --size 800x400 --threshold 50% -c '\Processor(*)\*'
status 0
out_is ''
# Well-formed, of the size, with two lines. The second goes from 20 % to 95 %, which is 30 parts
# below the threshold and 45 above it.
same 'the SVG' "$(PYTHONPATH=$PMON_SOURCE_DIR/tests/oracle python3 - <<'PYTHON'
import xml.etree.ElementTree as tree
from svg import points_of
root = tree.parse("out.svg").getroot()
paths = list(root.iter("{http://www.w3.org/2000/svg}path"))
lines = [e for e in paths if e.get("style").endswith(";stroke-width:1.5")]
dashed = [e for e in paths if "stroke-dasharray:5,4" in e.get("style")]
limit, line = points_of(dashed[0])[0][1], [y for _, y in points_of(lines[1])]
print(root.get("viewBox"), len(lines), round((max(line) - limit) / (limit - min(line)), 2))
PYTHON
)" '0 0 800 400 2 0.67'
run chart spike.csv -o out.svg
status 1
err_says out.svg -y
run chart spike.csv -o out.svg -y --dpi 192
status 2
err_says --dpi -o FILE.png
run chart spike.csv -o -
status 0
out_has '<svg'
run chart e.blg -c '\*(*)\*' -c '\*\*' -o evil.svg --title "$(printf 'a\001\033[1m & <b> "\377\360\237\230\200')"
status 0
python3 -c 'import xml.etree.ElementTree as t; t.parse("evil.svg")' && ok || bad 'evil names'
if [ -w /dev/full ]; then
	code=0
	"$PMON_BIN" chart spike.csv -o - >/dev/full 2>err || code=$?
	same 'a full disk' "$code $(grep -c 'No space left' err)" '1 1'
fi
run chart spike.csv -o no/such/folder.svg
status 1
same 'nothing is left over' "$(find . -name '*.tmp*' -o -name 'folder*')" ''

if [ "$with_cairo" = yes ]; then
	run chart spike.csv -o out.PNG --size 640x480 --theme dark
	status 0
	same 'size in the head of the PNG' \
		"$(python3 -c 'import struct; print(*struct.unpack(">II", open("out.PNG", "rb").read(24)[16:]))')" \
		'640 480'
	# 192 pixels an inch: twice as many of them, and the same size in the chunk pHYs: 7559 a metre
	# (192 / 0.0254). zlib computes the checksum.
	run chart spike.csv -o dpi.png --size 640x480 --dpi 192
	status 0
	same 'head of the PNG' "$(python3 - <<'PYTHON'
import struct
import zlib
data = open("dpi.png", "rb").read()
length, name, x, y, unit, crc = struct.unpack(">I4sIIBI", data[33:54])
print(*struct.unpack(">II", data[16:24]), length, name.decode(), x, y, unit,
      crc == zlib.crc32(data[37:50]))
PYTHON
)" '1280 960 9 pHYs 7559 7559 1 True'
	run chart spike.csv -o dpi.png -y --dpi 5
	status 2
	err_says 24 1200
	run chart spike.csv -o dpi.png -y --dpi 1200 --size 4000x400
	status 2
	err_says 16000
	run chart spike.csv -o out.pdf -y --kind heatmap -c '\Processor(*)\*'
	status 0
	same 'PDF' "$(head -c 7 out.pdf)" '%PDF-1.'
fi

# ---- Refused ------------------------------------------------------------------------------------

run chart a.blg -o picture.gif
status 2
err_says .svg .png .pdf
run chart a.blg --size 10x10
status 2
run chart a.blg --size 1200x600x3 -o x.svg
status 2
run chart a.blg --kind pie
status 2
err_has '"pie"'
run chart a.blg --theme blue
status 2
run chart a.blg --threshold 20parsecs
status 2
err_has '20parsecs'
run chart a.blg -c '\No\Such'
status 1
err_says counter
run chart spike.csv --from 23:00 -c '\Processor(*)\*'
status 1
err_says sample

# Columns of the legend never touch, however long their numbers are.
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\An Object(a long name of an instance)\x","\\S\A\y' \
	'01/01/2024 00:00:00.000","-1234567890123.5","5' '01/01/2024 00:00:01.000","-2.23456e+15","5' \
	'01/01/2024 00:00:02.000","-3e+14","7' >wide.csv
run chart wide.csv --size 80x24 --ascii -c '\*(*)\*' -c '\A\y'
status 0
same 'columns of x' "$(awk '/Object/ && /^==a/ {print $2, $3, $4, $5, $6}' <<<"$out")" \
	'-0.3 -0.8453? -2.235 -0.001235 P'

# ---- Marks --------------------------------------------------------------------------------------

# A queue of 0.5 at 20 reads a second is 25 ms for each, by Little's law; the cells say 10 ms.
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\PhysicalDisk(0 C:)\Avg. Disk sec/Read","\\S\PhysicalDisk(0 C:)\Avg. Disk Read Queue Length","\\S\PhysicalDisk(0 C:)\Disk Reads/sec' \
	'01/01/2024 00:00:00.000","0.01","0.5","20' '01/01/2024 00:00:01.000","0.01","0.5","20' \
	'01/01/2024 00:00:02.000","0.01","0.5","20' >disk.csv
run chart disk.csv --size 100x24 --ascii -c '\PhysicalDisk(*)\Avg. Disk sec/Read'
same 'the latency that follows from other counters' "$(awk '/^==/ { print $3, $7, $8, $9, $10 }' <<<"$out")" \
	'25* \PhysicalDisk(0 C:)\Avg. Disk sec/Read'
out_has '* queue length / rate'
run chart disk.csv --size 100x24 --ascii -c '\PhysicalDisk(*)\Avg. Disk*' --kind bar
out_says '*' '~'
same 'bars have marks too' "$(grep -c '25\*' <<<"$out")" 1

# ---- A reader that went away --------------------------------------------------------------------

# The end of the reader ends the program by SIGPIPE, as any other; ignored, it is a failure without words.
for verb in chart report; do
	(
		"$PMON_BIN" "$verb" spike.csv -o - 2>gone
		echo $? >gone.status
	) | true
	same "$verb: ended by the reader" "$(cat gone.status)" 141
	same "$verb: without words" "$(grep -c 'memory\|failed' gone)" 0
	(
		trap '' PIPE
		"$PMON_BIN" "$verb" spike.csv -o - 2>gone
		echo $? >gone.status
	) | true
	same "$verb: where SIGPIPE is ignored" "$(cat gone.status)" 1
	same "$verb: without words there too" "$(grep -c 'memory\|failed' gone)" 0
done

finish
