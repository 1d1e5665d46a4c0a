#!/usr/bin/env bash
# live.sh - this machine in the place of a log: list, stats, values, raw, explain
# SPDX-License-Identifier: MIT
#
# The values of the recorded trees are computed by hand, see lib_live.sh. The running machine is asked
# for little: that samples come, in time, and end as they should.
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"

make_trees trees
make_log average a.blg
switches='\System\Context Switches/sec'

# ---- Trees: 1000, 1500, 4500 switches at 0 s, 1 s, 3 s ------------------------------------------

run list --replay trees
status 0
out_has "$switches"
run list -l --replay trees -c "$switches"
out_has 'PERF_COUNTER_'
run stats --format json --replay trees -c "$switches"
status 0
out_has '"path":"\\\\box\\System\\Context Switches/sec"'
out_has '"last":1500,"average":1166.6666666666667,"minimum":500,"maximum":1500'
out_has '"minimum_time":"2024-01-01T00:00:01Z"'
run stats --replay trees -c '\System\Threads'
status 0
out_has 'Machine box, played back'
run values --format json --replay trees -c "$switches"
status 0
out_has '"time":"2024-01-01T00:00:01Z","value":500,"status":"ok"'
out_has '"time":"2024-01-01T00:00:03Z","value":1500,"status":"ok"'
run values --format csv --replay trees -c '\System\Threads'
status 0
out_has '"01/01/2024 00:00:03.000","82"'

# A disk that comes with the second sample has no column in a table whose header is written.
make_trees later
for n in 0 1 2; do
	printf ' 8 0 sda %d 0 8 5 0 0 0 0 0 5 5\n' $((n + 1)) >later/$n/proc/diskstats
done
printf ' 8 16 sdb 7 0 8 5 0 0 0 0 0 5 5\n' | tee -a later/1/proc/diskstats >>later/2/proc/diskstats
run values --format csv --replay later -c '\PhysicalDisk(sd*)\Current Disk Queue Length'
status 0
[ "$(wc -l <<<"$out")" -eq 4 ] && ok || bad "values --format csv of a disk that came: $out"
out_has '\PhysicalDisk(sda)\'
out_lacks 'sdb'
err_says '1 counter'
run values --format json --replay later -c '\PhysicalDisk(sd*)\Current Disk Queue Length'
out_has 'sdb'

run raw --format json --replay trees -c '\System\Threads'
status 0
[ "$(grep -o '"first":[0-9]*' <<<"$out" | paste -sd ' ')" = '"first":80 "first":81 "first":82' ] &&
	ok || bad "raw: $out"
run values --replay trees --tz +02:00 -c '\System\Threads'
out_has '2024-01-01 02:00:03.000'

# ---- Where a counter comes from -------------------------------------------------------------------

run explain --replay trees -c "$switches"
status 0
out_has 'from      /proc/stat: ctxt'
out_has 'Windows   '
out_has '3500'
run explain --format json --replay trees -c "$switches"
status 0
out_has '"from":"/proc/stat: ctxt","windows":"'
run explain --format json a.blg -c '\Memory\Available MBytes'
status 0
out_lacks '"from"'

# ---- What matches nothing, and what was meant -----------------------------------------------------

run stats --replay trees -c '\System\Thraeds' -c "$switches"
status 0
err_says '\System\Thraeds'
err_says '\System\Threads'
for verb in list stats values raw explain; do
	run $verb --replay trees -c '\System\Thraeds'
	status 1
	err_says '\System\Threads'
done
run values --format csv --replay trees -c '\System\Thraeds'
status 1
run stats --replay trees -c '\\server7\System\*'
status 1
err_says server7 box
err_has 'ssh server7 pmon'
run stats --format json --replay trees -c '\\localhost\System\Threads' -c "\\\\.$switches"
status 0
out_has '"last":1500'
run list system
status 1
err_says system
err_says "pmon list -c '\\System\\*'"
run stats '\System\Threads'
status 1
err_has "pmon stats -c '\\System\\Threads'"

# ---- Options for live samples are rejected for logs, and the reverse --------------------------------

for option in '-i 1s' '-n 3' '--duration 1s' '--root /' '--replay trees' --pid-names; do
	# shellcheck disable=SC2086 # words
	run stats $option a.blg
	status 2
	err_says a.blg
done
for option in '--from 10:00' '--to 10:00' '--encoding UTF-8' '--known-types x' --dst-repair '--names en' '--names-table x'; do
	# shellcheck disable=SC2086
	run stats $option --replay trees
	status 2
	err_says logs
done
run stats --from 10:00
err_says --duration
run list -n 1
status 2
run stats -i 0s
status 2
run stats -n 0
status 2
run stats --replay nothing
status 1
err_has 'nothing'
mkdir empty
run stats --replay empty
status 1
err_says recorded
run stats --root empty
status 1
err_says proc/stat empty

# ---- The running machine --------------------------------------------------------------------------

[ -r /proc/loadavg ] || finish

run values -n 9223372036854775807 -i 1h --duration 50ms -c '\System\Threads'
status 0
run values --format json -n 3 -i 50ms -c '\System\Threads'
status 0
[ "$(grep -c '"status":"ok"' <<<"$out")" = 3 ] && ok || bad "three samples: $out"
# Five samples: the first and the last moment count. A busy machine misses some; then the interval is longer.
for ms in 50 200 1000 5000; do
	run raw --format csv --duration $((4 * ms))ms -i ${ms}ms -c '\System\Threads'
	status 0
	n=$(grep -c 'Threads' <<<"$out")
	[ "$n" -ge 5 ] && break
done
same 'samples at 0, 1, 2, 3 and 4 intervals' "$n" 5
# A pattern that matches nothing is reported at once, not after the second sample, which is an hour later.
for verb in stats values raw explain; do
	ran="pmon $verb -i 1h"
	status=0
	timeout 300 "$PMON_BIN" $verb -i 1h -c '\Nonsense\Nothing' >.out 2>.err || status=$?
	err=$(cat .err)
	status 1
	err_says counter
done
# Samples go to a reader at once, and end when he does, also where SIGPIPE is ignored.
for verb in 'values -i 50ms --format json' 'values -i 50ms --format csv' 'values -i 50ms' \
	'raw -i 50ms' 'typeperf -si 50ms'; do
	ran="$verb | head"
	# shellcheck disable=SC2086 # words
	got=$(trap '' PIPE; timeout 300 "$PMON_BIN" $verb '-c' '\System\Threads' 2>stderr | head -n 2 | wc -l)
	same 'two lines' "$got" 2
	[ ! -s stderr ] && ok || bad "words: $(cat stderr)"
done
# Times are those of the local clock.
export TZ=XXX-5:30
day=$(date +%m/%d/%Y)
run values --format csv -n 1 -i 50ms -c '\System\Threads'
status 0
out_has '"(PDH-CSV 4.0) (UTC+05:30)(-330)"'
[[ $out == *"\"$day "* || $out == *"\"$(date +%m/%d/%Y) "* ]] && ok || bad "not of today: $out"
export TZ=UTC0

# An interrupt ends sampling, and the samples so far are shown. On a terminal, pmon shows the progress.
need python3
ran='stats, interrupted on a terminal'
report=$(python3 - "$PMON_BIN" 2>&1 <<'PYTHON'
import os, pty, signal, subprocess, sys, time
master, slave = pty.openpty()
signal.signal(signal.SIGINT, signal.SIG_DFL)
child = subprocess.Popen([sys.argv[1], "stats", "--format", "json", "-i", "100ms", "-n", "6000", "-c",
                          r"\System\Threads"], stdout=subprocess.PIPE, stderr=slave)
seen = b""
while seen.count(b"sampling:") < 5:
    seen += os.read(master, 4096)
child.send_signal(signal.SIGINT)
out = child.communicate(timeout=300)[0].decode()
print(seen.decode(), out, child.returncode)
PYTHON
)
[[ $report == *'sampling: 0 of 10 min, Ctrl-C stops'* ]] && ok || bad "no progress: $report"
samples=$(sed -n 's/.*"samples":\([0-9]*\).*/\1/p' <<<"$report")
[ "${samples:-0}" -ge 4 ] && [[ $report == *' 0' ]] && ok || bad "nothing is shown: $report"

finish
