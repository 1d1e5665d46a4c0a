#!/usr/bin/env bash
# watch.sh - pmon watch: alerts of this machine, and those that a log would have given
# SPDX-License-Identifier: MIT
#
# tests/unit/test_rule_events.c has the rules of alerts; here is what the command makes of them.
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"
need jq

# ---- A log: the alerts are the episodes of find -----------------------------------------------------

# random_log SEED: a thousand samples 15 s apart of three disks that are slow now and then, with gaps
random_log() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		for (d = 0; d < 3; d++) printf ",\"\\\\SRV\\PhysicalDisk(%d C:)\\Avg. Disk sec/Read\"", d
		printf ",\"\\\\SRV\\Memory\\Available MBytes\"\r\n"
		for (t = 0; t < 1000; t++) {
			printf "\"11/20/2026 %02d:%02d:%02d.000\"", t / 240, t / 4 % 60, t % 4 * 15
			for (d = 0; d < 3; d++) {
				if (rand() < 0.05) slow[d] = !slow[d]
				if (rand() < 0.02) printf ",\" \""
				else printf ",\"%.4f\"", slow[d] ? 0.02 + rand() / 10 : rand() / 50
			}
			printf ",\"%d\"\r\n", 400 + rand() * 1000
		}
	}'
}

# episodes CONDITION LOG...: what find lists, in the order of time
episodes() {
	"$PMON_BIN" find "$1" "${@:2}" --format json | jq -c '.episodes | map({path, pid, from, to, seconds, average, worst, worst_time,
		samples, operations, excess, unit}) | sort_by(.from, .path)[]'
}

# ended CONDITION LOG...: the same of alerts that have ended, or are open at the end of the log
ended() {
	"$PMON_BIN" watch "$1" --replay "${@:2}" --format json 2>/dev/null | jq -sc 'map(select(.event == "end" or .event == "open") |
		{path, pid, from, to, seconds, average, worst, worst_time, samples, operations, excess, unit}) | sort_by(.from, .path)[]'
}

# check_replay CONDITION LOG...
check_replay() {
	local found begun

	found=$(episodes "$@")
	same "the alerts of $*" "$(ended "$@")" "$found"
	# Each begins once, before it ends.
	begun=$("$PMON_BIN" watch "$1" --replay "${@:2}" --format json 2>/dev/null | jq -sc 'map(select(.event == "begin") | [.path, .from])
		| sort[]')
	same "the beginnings of $*" "$begun" "$(jq -sc 'map([.path, .from]) | sort[]' <<<"$found")"
	[ -z "$found" ] || n_found=$((n_found + 1))
}

n_found=0
for seed in 1 2 3 4 5 6 7 8; do
	random_log $seed >log.csv
	check_replay '\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms' log.csv
	check_replay '\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 1m' log.csv
	check_replay '\PhysicalDisk(*)\Avg. Disk sec/Read > 30ms for 3 samples while \Memory\Available MBytes < 1000' log.csv
	check_replay '\Memory\Available MBytes < 500' log.csv
done
same 'conditions that held' $n_found 32
cp log.csv other.csv
sed -i 's/SRV/SRW/g' other.csv
check_replay '\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 2m' log.csv other.csv
random_log 9 | sed 's/11\/20/11\/21/' >next.csv
check_replay '\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 1m' log.csv next.csv

# An alert is reported with the first sample at which it has lasted long enough: values are 15 s apart here.
late=$("$PMON_BIN" watch '\PhysicalDisk(*)\Avg. Disk sec/Read > 20ms for 1m' log.csv --format json 2>/dev/null |
	jq -sc 'map(select(.event == "begin") | ((.time | fromdate) - (.from | fromdate))) | [(min >= 60), (length > 0)]')
same 'how late alerts are' "$late" '[true,true]'

make_log average a.blg
run watch '\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms' --replay a.blg
status 0
out_is 'Time                 Alert    Severity      Value  Limit      Since          Length    Average      Worst  Counter
2026-11-20 15:00:15  begins   warning      150 ms  > 75ms     15:00:00         15 s     150 ms     150 ms  \PhysicalDisk(0 C:)\Avg. Disk sec/Read
2026-11-20 15:00:45  ends     warning         0 s  > 75ms     15:00:00         15 s     150 ms     150 ms  \PhysicalDisk(0 C:)\Avg. Disk sec/Read'
run watch '\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms' a.blg --format json
status 0
same 'an alert as JSON' "$(head -1 <<<"$out")" '{"event":"begin","time":"2026-11-20T15:00:15Z","rule":"\\PhysicalDisk(*)\\Avg. Disk sec/Read > 75ms","severity":"warning","limit":"> 75ms","machine":"SERVER","value":0.15,"path":"\\\\SERVER\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read","pid":null,"from":"2026-11-20T15:00:00Z","to":"2026-11-20T15:00:15Z","seconds":15,"average":0.15,"worst":0.15,"worst_time":"2026-11-20T15:00:15Z","samples":1,"operations":1,"excess":15,"unit":"s","slope_per_hour":null,"who":[],"text":""}'
run watch '\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms' a.blg --format csv
status 0
out_has 'event,time,rule,severity,limit,machine,value,path,pid,from,to,seconds,average,worst,worst_time,samples,operations,excess,unit,slope_per_hour,who,text'
run watch '\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms' --show '\PhysicalDisk(*)\Disk Reads/sec top 1' a.blg
out_has 'Counter                                   Busiest'
out_has '0 C: '
run watch '\PhysicalDisk(*)\Avg. Disk sec/Read > 5' a.blg
status 0
err_says alert

# ---- Rules --------------------------------------------------------------------------------------------

cat >ours.rules <<'RULES'
[Slow disk]
counter = \PhysicalDisk(*)\Avg. Disk sec/Read
warning = > 20ms
critical = > 100ms
for = 1m
clear = 10ms
text = Reads take long.
text = Look at the queue.
[A share]
counter = \PhysicalDisk(*)\Avg. Disk sec/Read
warning = > 20ms
for = 10%
[Missing]
counter = \SQLServer:Locks(*)\Number of Deadlocks/sec
warning = > 1
RULES
run watch --rules ours.rules --replay log.csv --format json
status 0
same 'a rule' "$(jq -sc 'map(select(.rule == "Slow disk") | [.severity, .limit, .text]) | unique' <<<"$out")" \
	'[["critical","> 100ms","Reads take long. Look at the queue."],["warning","> 20ms","Reads take long. Look at the queue."]]'
err_says 'A share'
err_says SRV Missing
# Health has the same episodes of the highest level that was crossed: their number, and the gravest.
run watch --rules ours.rules --replay log.csv --format json
mine=$(jq -sc 'map(select(.event == "end" or .event == "open")) | group_by(.path)[] | map(select(.severity == "critical")) // . |
	[.[0].path, length, (max_by(.excess) | .from, .to, .average)]' <<<"$out")
theirs=$("$PMON_BIN" health --rules ours.rules log.csv --format json | jq -c '.findings | map(select(.rule == "Slow disk")) | sort_by(.path)[] | [.path, (.episodes | length), .from, .to, .average]')
same 'the findings of health' "$mine" "$theirs"
# A critical alert that needs less time than the warning does not come before it, nor end after it; live too.
printf '[Both]\ncounter = \\Memory\\Available MBytes\nwarning = > 0 for 4 samples\ncritical = > 0 for 2 samples\n' >both.rules
run watch --rules both.rules --format json -i 100ms -n 5
status 0
same 'severities, live' "$(jq -rs 'map(.event + " " + .severity) | join(", ")' <<<"$out")" \
	'begin warning, begin critical, open warning, open critical'
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Memory\\Available MBytes"\r\n' >both.csv
n=0
for value in 0 9 9 9 9 9 0 0 0; do
	printf '"03/02/2026 10:0%d:00.000","%d"\r\n' $((n++)) $value >>both.csv
done
run watch --rules both.rules --replay both.csv --format json
status 0
same 'severities of a log' "$(jq -rs 'map(.event + " " + .severity + .time[13:16]) | join(", ")' <<<"$out")" \
	'begin warning:02, begin critical:02, end critical:07, end warning:07'
run watch --rules ours.rules '\A\B > 1'
status 2
err_says --rules --pack

# A pack without any counter is named as one.
printf '[A]\npack = first\ncounter = \\A\\A\nwarning = > 1\n[B]\npack = first\ncounter = \\A\\B\nwarning = > 1\n' >packs.rules
printf '[C]\npack = second\ncounter = \\Memory\\*\nwarning = > 1\n[D]\npack = second\ncounter = \\A\\D\nwarning = > 1\n' >>packs.rules
run watch --rules packs.rules --replay log.csv
same 'what is not judged' "$(grep 'not judged' <<<"$err")" 'pmon: not judged on SRV, because it has no values for this counter: D
pmon: not judged on SRV, because it has no counters of these packs: first'

# A trend: in an hour of four the memory falls by 400 MB.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Memory\\Available MBytes\"\r\n"
	for (t = 0; t < 960; t++)
		printf "\"11/20/2026 %02d:%02d:%02d.000\",\"%.3f\"\r\n", t / 240, t / 4 % 60, t % 4 * 15, \
			2000 - (t < 240 ? 0 : t < 480 ? (t - 240) / 0.6 : 400)
}' >falls.csv
printf '[Falls]\ncounter = \\Memory\\Available MBytes\ntrend = < -200MB/h for 30m\n' >trend.rules
run watch --rules trend.rules --replay falls.csv --format json
status 0
same 'a trend' "$(jq -sc 'map(select(.event == "end")) | map([.rule, .from, .to, .samples])' <<<"$out")" \
	"$("$PMON_BIN" health --rules trend.rules falls.csv --format json | jq -c '.findings | map([.rule, .from, .to, .samples])')"
same 'its events' "$(jq -r .event <<<"$out" | tr '\n' ' ')" 'begin end '

# ---- --repeat -------------------------------------------------------------------------------------------

awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SRV\\Memory\\Available MBytes\"\r\n"
	for (t = 0; t < 100; t++) printf "\"11/20/2026 00:%02d:%02d.000\",\"%d\"\r\n", t / 4, t % 4 * 15, (t >= 10 && t < 90 ? 100 + t : 1000)
}' >low.csv
run watch '\Memory\Available MBytes < 500 for 1m' --repeat 5m --replay low.csv --format json
# Beyond the limit from 00:02:15 to 00:22:15; the second interval within it ends at 00:22:45.
same 'what is repeated' "$(jq -r '[.event, .time[11:19], .seconds, .value, .worst] | @csv' <<<"$out" | tr -d '"')" \
	'begin,00:03:15,60,113,110
repeat,00:08:15,360,133,110
repeat,00:13:15,660,153,110
repeat,00:18:15,960,173,110
end,00:22:45,1200,1000,110'
run watch '\Memory\Available MBytes < 500' --replay low.csv --to 00:10:00 --format json
same 'what is open at the end' "$(jq -r .event <<<"$out" | tr '\n' ' ')" 'begin open '
err_says '1 alert'
run watch '\Memory\Available MBytes < 500' --repeat never --replay low.csv
status 2
err_says --repeat

# ---- This machine -----------------------------------------------------------------------------------------

# A machine with 120 threads, then with 200 for a while, then with 120 again. The file is kept open by pmon.
make_tree box 0 1000 120
threads() {
	printf '0.20 0.18 0.12 1/%d 11206\n' "$1" 1<>box/proc/loadavg
}
: >live.json
"$PMON_BIN" watch '\System\Threads > 150 for 1s' --root box -i 200ms --format json >live.json 2>live.err &
pid=$!
# until_has N FILE: wait until the file has N lines
until_has() { wait_for has_lines "$@" || bad "$2 has $(wc -l <"$2") lines, not $1: $(cat "$2")"; }
sleep 1
same 'before' "$(cat live.json)" ''
threads 200
until_has 1 live.json
sleep 1 # no second one
threads 120
until_has 2 live.json
threads 200
until_has 3 live.json
kill -TERM $pid
code=0
wait $pid || code=$?
ran='pmon watch --root box'
same 'its exit status' $code 0
same 'the alerts' "$(jq -r '.event' live.json | tr '\n' ' ')" 'begin end begin open '
same 'what is open' "$(cat live.err)" 'pmon: 1 alert is still open'
# Not before a second; that it is the first sample after it, low.csv shows, whose samples are never late.
same 'when it begins' "$(jq -sc '.[0] | [.seconds >= 1, .machine, .value, .time == .to]' live.json)" '[true,"box",200,true]'

run watch --root box -n 3 -i 50ms --rules ours.rules
status 0
err_says rule
run watch '\System\Threads > 150' -n 2 -i 50ms --root box --format json
same 'by -n' "$(jq -r .event <<<"$out" | tr '\n' ' ')" 'begin open '
run watch '\Sytem\Threads > 100' -n 2 -i 50ms
status 1
err_says '\System\Threads'
run watch '\System\Threads >'
status 2
run watch '\System\Threads > 1' --replay log.csv -i 1s
status 2
err_says --interval
run watch '\System\Threads > 1' --from 10:00
status 2

# ---- Several rules of one resource ------------------------------------------------------------------------

# Two disks, each with two counters and a rule of each, that are beyond their limits at random. While a critical alert
# of a disk is open, no warning of it is told; each alert that began ends, or is open at the end. Where a disk is never
# beyond the critical limit, its warnings are those of pmon find.
cat >two.rules <<'RULES'
[Slow reads]
counter = \PhysicalDisk(*)\Avg. Disk sec/Read
critical = > 50ms
for = 1m

[Slow transfers]
counter = \PhysicalDisk(*)\Avg. Disk sec/Transfer
warning = > 20ms
for = 2m

[Slow volume]
counter = \LogicalDisk(*)\Avg. Disk sec/Write
warning = > 20ms
for = 45s
RULES
python3 - >two.csv <<'PYTHON'
import datetime
import random
dice = random.Random(5)
paths = [r"PhysicalDisk(0 C:)\Avg. Disk sec/Read", r"PhysicalDisk(0 C:)\Avg. Disk sec/Transfer", r"LogicalDisk(C:)\Avg. Disk sec/Write",
         r"PhysicalDisk(1 D:)\Avg. Disk sec/Read", r"PhysicalDisk(1 D:)\Avg. Disk sec/Transfer"]
print(",".join('"%s"' % p for p in ["(PDH-CSV 4.0) (UTC)(0)"] + [r"\\S" + "\\" + p for p in paths]))
bad = [False] * len(paths)
for i in range(2000):
    bad = [b != (dice.random() < 0.06) for b in bad]
    bad[3] = False
    when = datetime.datetime(2026, 11, 20) + datetime.timedelta(seconds=15 * i)
    print(",".join(['"%s.000"' % when.strftime("%m/%d/%Y %H:%M:%S")] + ['"0.08"' if b else '"0.004"' for b in bad]))
PYTHON
run watch --rules two.rules --replay two.csv --format json
status 0
echo "$out" >two.json
run find --format json '\PhysicalDisk(1 D:)\Avg. Disk sec/Transfer > 20ms for 2m' two.csv
echo "$out" >found.json
same 'severity only rises' "$(
	python3 - <<'PYTHON'
import json
alerts, told, wrong = {}, 0, []
ends = []
for line in open("two.json"):
    a = json.loads(line)
    disk = "C:" if "C:" in a["path"] else "D:"
    key = (a["rule"], a["path"])
    mine = alerts.setdefault(disk, {})
    if a["event"] == "begin":
        told += 1
        if a["severity"] == "warning" and "critical" in mine.values():
            wrong.append("a warning after %s at %s" % (mine, a["time"]))
        if key in mine:
            wrong.append("%s begins twice" % (key,))
        mine[key] = a["severity"]
    elif a["event"] == "end":
        if mine.pop(key, None) is None:
            wrong.append("%s ends, and never began" % (key,))
        if disk == "D:":
            ends.append((a["from"], a["to"]))
found = sorted((e["from"], e["to"]) for e in json.load(open("found.json"))["episodes"])
if ends != found[:len(ends)] or len(found) > len(ends) + 1 or len(ends) < 3:
    wrong.append("D: %s, not %s" % (ends, found))
print("good" if not wrong and told > 20 else (told, wrong[:3]))
PYTHON
)" good

# ---- Real logs --------------------------------------------------------------------------------------------

if [ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ]; then
	for log in "$PMON_TEST_DATA"/blg/*.blg; do
		for condition in '\Processor(*)\% Processor Time > 30%' '\PhysicalDisk(*)\Avg. Disk sec/Read > 5ms for 30s' \
			'\Process(*)\% Processor Time > 5%' '\Memory\Pages/sec > 10 while \Memory\Available MBytes < 2000'; do
			[ "$(episodes "$condition" "$log" 2>/dev/null)" = "$(ended "$condition" "$log")" ] && ok || bad "$condition of $log"
		done
	done
fi

finish
