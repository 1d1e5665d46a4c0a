#!/usr/bin/env bash
# foreign.sh - tables that other programs write are logs of displayed values
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

# averages FILE [OPTION...]: path, samples and average of each counter
averages() {
	"$PMON_BIN" stats --format csv "${@:2}" "$1" 2>err | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["path"], row["samples"], "%.12g" % float(row["average"]))' | sort
}

# ---- A column of times, and columns with plain names ----

cat >plain.csv <<'ROWS'
Time,CPU %,Memory (MB),Host,Requests/sec,Note
2026-02-25 10:00:00,20,4000,web01,,ok
2026-02-25 10:00:15,21.25,3999,web01,100.5,ok
2026-02-25 10:00:30,22.5,3998,web01,101.5,
ROWS
want='\Table\CPU % 3 21.25
\Table\Memory (MB) 3 3999
\Table\Requests/sec 2 101'
sed 's/,/;/g' plain.csv >semicolons.csv
sed 's/,/\t/g' plain.csv >tabs.tsv
sed 's/[^,]*/"&"/g' plain.csv >quoted.csv
sed 's/$/\r/' plain.csv >crlf.csv
{ printf '\xef\xbb\xbf' && cat plain.csv; } >mark.csv
{ echo && cat plain.csv; } >blank.csv
for encoding in UTF-16LE UTF-16BE; do
	iconv -f UTF-8 -t "$encoding" plain.csv >"$encoding.csv"
done
for file in plain semicolons quoted crlf mark blank UTF-16LE UTF-16BE tabs; do
	name=$file.csv
	[ -r "$name" ] || name=$file.tsv
	same "$name" "$(averages "$name")" "$want"
	err=$(<err)
	err_says Host Note
done
same 'a selection' "$(averages plain.csv -c '\Table\CPU*')" '\Table\CPU % 3 21.25'
run relog plain.csv -f CSV -o copy.csv
status 0
same 'a copy' "$(averages copy.csv)" "$want"
printf 'Zeit;Last;Frei\n25.02.2026 10:00:00;20,5;4.000\n25.02.2026 10:00:15;21,25;3.999\n' >german.csv
same 'decimal commas' "$(averages german.csv)" '\Table\Frei 2 3999.5
\Table\Last 2 20.875'

# No such tables: no times, no numbers, no names.
for text in 'a,b\n1,2\n3,4\n' 'Time,Text\n2026-02-25 10:00:00,a\n' '2026-02-25 10:00:00,1\n2026-02-25 10:00:01,2\n' \
	'Time,Counter,Value2\n2026-02-25 10:00:00,x,1\n' 'Time\n2026-02-25 10:00:00\n'; do
	# shellcheck disable=SC2059
	printf "$text" >other.csv
	run stats other.csv
	status 1
done

# ---- JSON of PowerShell: raw values, of which averages are exact ----

# Three samples of a processor that was idle 12 s of 15, then 3 s of 15, and of reads: 10 in 0.04 s, 226 in 0.66 s.
cat >make.py <<'PYTHON'
import datetime, json, re
ROWS = [(5000000000, 2000000, 1000), (5120000000, 2400000, 1010), (5150000000, 9000000, 1236)]


def sample(time, stamp, path, value, second, type_):
    return {"Path": path, "InstanceName": "", "CookedValue": 0, "RawValue": value, "SecondValue": second, "MultipleCount": 1,
            "CounterType": type_, "Timestamp": stamp, "Timestamp100NSec": time, "Status": 0, "DefaultScale": 0, "TimeBase": 10000000}


def sets(form):
    for i, (idle, ticks, reads) in enumerate(ROWS):
        time = 134175204000000000 + 150000000 * i
        stamp = form(datetime.datetime(2026, 3, 9, 9, 0, 15 * i))
        yield {"Timestamp": stamp, "CounterSamples": [
            sample(time, stamp, "\\\\srv01\\processor(_total)\\% processor time", idle, time, 0x21510500),
            sample(time, stamp, "\\\\srv01\\physicaldisk(0 c:)\\avg. disk sec/read", ticks, reads, 0x30020400)],
            "Readings": "a { and a \" and \u00e9"}


def write(name, found, encoding="utf-8", **options):
    text = json.dumps(found, **options)
    with open(name, "wb") as file:
        file.write(re.sub(r"@(\d+)", r"\\/Date(\1)\\/", text).encode(encoding))


def epoch(time):
    return "@%d" % ((time - datetime.datetime(1970, 1, 1)).total_seconds() * 1000)


write("ps5.json", list(sets(epoch)), indent=4)
write("ps5-one-line.json", list(sets(epoch)))
write("ps5-utf16.json", list(sets(epoch)), "utf-16", indent=4)
write("ps7.json", list(sets(lambda time: time.isoformat() + "+00:00")), indent=2)
write("zone.json", list(sets(lambda time: (time + datetime.timedelta(hours=2)).isoformat() + "+02:00")), indent=2)
write("samples.json", [sample for one in sets(epoch) for sample in one["CounterSamples"]], indent=2)
write("one.json", list(sets(epoch))[0])
write("shallow.json", {"CounterSamples": ["Microsoft.PowerShell.Commands.GetCounter.PerformanceCounterSample"]})
events = [{"timestamp": "2026-02-25 10:00:%02dZ" % i, "provider": "System.Runtime", "name": name, "tags": tags,
           "counterType": "Metric", "value": i * 2.5}
          for i in range(20) for name, tags in (("CPU Usage (%)", ""), ("dotnet.gc.collections", "gc.heap.generation=gen0"))]
for indent in None, 2:
    write("dotnet%s.json" % (indent or ""), {"TargetProcess": "app", "StartTime": "2/25/2026 10:00:00 AM", "Events": events}, indent=indent)
PYTHON
python3 make.py
# 1 - 15 s of 30 s; 0.7 s of 236 reads
want="\\\\srv01\\physicaldisk(0 c:)\\avg. disk sec/read 3 $(python3 -c 'print("%.12g" % (0.7 / 236))')
\\\\srv01\\processor(_total)\\% processor time 3 50"
for file in ps5 ps5-one-line ps5-utf16 ps7 zone samples; do
	same "$file" "$(averages $file.json)" "$want"
	run info $file.json
	status 0
	out_says first '2026-03-09 09:00:00.000'
done
run raw --format csv one.json
status 0
out_has 5000000000
run stats shallow.json
status 1
err_says -Depth
want='\System.Runtime(gc.heap.generation=gen0)\dotnet.gc.collections 20 23.75
\System.Runtime\CPU Usage (%) 20 23.75'
same 'dotnet' "$(averages dotnet.json)" "$want"
same 'dotnet, indented' "$(averages dotnet2.json)" "$want"

# Damage costs the objects that it hits, and they are counted.
head -c -150 ps5.json >cut.json
run stats cut.json
status 3
err_says lost 1
sed '0,/"RawValue": 5120000000/s//"RawValue": "5x"/' ps5.json >bad.json
run stats bad.json
status 3
err_says lost 1

finish
