#!/usr/bin/env bash
# waiting.sh - patterns of what is not there yet: pmon waits for it, unless it can never be there
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib_live.sh" || exit 1
[ -r /proc/stat ] || skip 'there is no /proc here'

# ---- Recorded trees: eight samples a second apart; the interface late0 is there from sample 3 on -----

dev() { # DIR BYTES...: /proc/net/dev with lo and, where there are bytes, late0
	mkdir -p "$1/proc/net" "$1/proc/1"
	{
		printf 'Inter-|   Receive  |  Transmit\n face |bytes packets\n'
		printf '    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n'
		[ -z "${2:-}" ] || printf ' late0: %d 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n' "$2"
	} >"$1/proc/net/dev"
	mkdir -p "$1/proc/self/net" && cp "$1/proc/net/dev" "$1/proc/self/net/dev"
}
for i in 0 1 2; do make_tree trees/$i $i $((1000 + i)) 80 && dev trees/$i; done
# 500 bytes more each second
for i in 3 4 5 6 7; do make_tree trees/$i $i $((1000 + i)) 80 && dev trees/$i $((500 * i)); done
late='\Network Interface(late*)\Bytes Received/sec'

"$PMON_BIN" raw --format csv --replay trees -c '\Network Interface(*)\Bytes Received/sec' >there 2>&1
grep -q 'late0' there && ok || bad "the trees have no late0: $(cat there)"

for format in blg sqlite jsonl csv tsv; do
	run record --replay trees -c "$late" -o "late.$format"
	status 0
	err_says "$late" waiting
	same 'said once' "$(grep -c waiting <<<"$err")" 1
	# Samples 3 to 7 are recorded, and nothing before them.
	err_says "late.$format" '5 samples'
	run values --format json "late.$format"
	status 0
	same "$format: four intervals of 500" "$(grep -c '"value":500,' <<<"$out")" 4
	out_lacks '2024-01-01T00:00:02'
done

# Counters that exist are recorded from the start; text begins a new file for the new column.
for format in blg sqlite jsonl; do
	run record --replay trees -c '\System\Threads' -c "$late" -o "both.$format"
	status 0
	err_says "both.$format" '8 samples'
	run values --format json "both.$format"
	same "$format: all threads" "$(grep -c '"value":80,' <<<"$out")" 8
	same "$format: all intervals" "$(grep -c '"value":500,' <<<"$out")" 4
done
for format in csv tsv; do
	run record --replay trees -c '\System\Threads' -c "$late" -o "both.$format"
	status 0
	err_says "both.$format"
	err_says '2 files'
	run values --format json "both.$format" "both_000001.$format"
	same "$format: all threads" "$(grep -c '"value":80,' <<<"$out")" 8
	same "$format: all intervals" "$(grep -c '"value":500,' <<<"$out")" 4
done
run record --replay trees -c '\System\Threads' -c "$late" -o many.csv --names number
status 0
same 'numbered files' "$(ls many_* | paste -sd ' ')" 'many_000001.csv many_000002.csv'
err_says "$late" waiting
same 'lines' "$(wc -l <<<"$err")" 2
run record --replay trees -c '\System\Threads' -c "$late" -o - --format csv
status 0
same 'standard output cannot be split into several files' "$(grep -c PDH-CSV <<<"$out")" 1
err_says file

# ---- What can never be there fails at once, and what is near it is suggested -----------------------

never() { # NEAR PATTERN
	run record --replay trees -c "$2" -o never.blg
	status 1
	err_says "$2"
	err_has "$1"
	err_says record
	[ -e never.blg ] && bad 'a file of nothing' || ok
}
never 'did you mean' '\Network Interface(late*)\Bytes Recieved/sec'
never 'did you mean' '\Network Interfaces(late*)\Bytes Received/sec'
never 'did you mean' '\Network Interface\Bytes Received/sec'
never 'is not this machine' '\\elsewhere\Network Interface(late*)\Bytes Received/sec'
never 'pmon list' '\Nothing(*)\*'
# A kernel that lacks a counter will not have it later: late0 is there, and has no such file.
never 'did you mean' '\Network Interface(lo)\Current Bandwidth'

# A counter that never appeared
run record --replay trees -c '\Network Interface(other)\Bytes Received/sec' -o never.blg
status 1
err_says recorded
[ -e never.blg ] && bad 'a file of nothing' || ok
# A mistyped name is waited for, and what is near it suggested.
run record --replay trees -c '\Network Interface(lp)\Bytes Received/sec' -o never.blg
err_says '\Network Interface(lo)\Bytes Received/sec'

# ---- This machine: a program that is started later -------------------------------------------------

program=pmonwait$$
cp "$(command -v sleep)" "$program"
cpu="\\Process($program*)\\% Processor Time"
waits() { grep -q waiting "$1"; }
shown() { # what a verb shows of a program that is started when it waits for it
	rm -f "$tmp/.err"
	(wait_for waits "$tmp/.err" && exec "./$program" 300) &
	local starter=$!

	run "$@"
	kill "$starter"
	wait "$starter" 2>/dev/null
}
# within WORDS...: the same within a time, which is longer where the machine is too busy
within() {
	local seconds

	for seconds in 2 8 30 100; do
		shown "$@" --duration ${seconds}s
		[[ $out == *"$program"* ]] && break
	done
}
for format in blg csv; do
	shown record -i 100ms -n 5 -c "$cpu" -o "live.$format"
	status 0
	err_says waiting
	err_says "live.$format" '5 samples'
done
within values -i 100ms -c "$cpu"
status 0
out_has "$program"
within values -i 100ms --format csv -c "$cpu"
status 0
same 'a header with the column' "$(head -n 1 <<<"$out" | grep -c "$program")" 1
within raw -i 100ms --format json -c "$cpu"
status 0
out_has "$program"
within stats -i 100ms --format json -c "$cpu"
status 0
out_has "$program"

# An end that was asked for comes; without one, verbs that end by themselves do not wait.
for verb in 'values -n 2' 'values --duration 200ms' 'stats -n 2' 'stats --duration 200ms' \
	'record --duration 200ms -o never.blg'; do
	# shellcheck disable=SC2086 # words
	run $verb -i 50ms -c "$cpu"
	status 1
	err_says "$cpu" waiting
done
for verb in list stats chart 'report -o page.html'; do
	# shellcheck disable=SC2086 # words
	run $verb -c "$cpu"
	status 1
	err_says "$cpu"
	[[ $err != *waiting* ]] && ok || bad 'it waited'
done
run typeperf -sc 1 "$cpu"
status 1

# A signal stops a recording that waits; the exit code is 0, as for a service that is stopped.
rm -f .err
"$PMON_BIN" record -i 50ms -c "$cpu" -o never.blg 2>.err &
pid=$!
wait_for waits .err
kill -TERM $pid
status=0
wait $pid || status=$?
status 0
grep -q 'nothing was recorded' .err && ok || bad "$(cat .err)"

rm -f .err
# typeperf until it is interrupted, with the column of what came
env --default-signal=INT "$PMON_BIN" typeperf -si 1 "$cpu" >typeperf.out 2>.err &
pid=$!
wait_for waits .err
"./$program" 300 &
starter=$!
wait_for grep -q '/20' typeperf.out
kill -INT $pid
wait $pid && ok || bad "typeperf: $(cat .err)"
kill "$starter"
same 'a header with the column' "$(grep -c "PDH-CSV.*$program" typeperf.out)" 1

# top shows a screen, with nothing on it yet.
if command -v python3 >/dev/null && [ -c /dev/tty ]; then
	python3 - "$PMON_BIN" "$cpu" <<'PYTHON' && ok || bad 'top does not wait'
import os, pty, signal, sys, time, select
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], ["pmon", "top", "-i", "100ms", "-c", sys.argv[2]])
# A screen, and then a second of samples.
end = time.monotonic() + 120
drawn = False
while time.monotonic() < end:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            seen = os.read(fd, 65536)
        except OSError:
            break
        if not drawn and b"\x1b[" in seen:
            drawn = True
            end = time.monotonic() + 1
done, status = os.waitpid(pid, os.WNOHANG)
if done:
    sys.exit("top ended with %d" % status)
os.write(fd, b"q")
end = time.monotonic() + 120
while time.monotonic() < end and not done:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            os.read(fd, 65536)
        except OSError:
            pass
    done, status = os.waitpid(pid, os.WNOHANG)
sys.exit(0 if done and status == 0 else "status %d" % status)
PYTHON
fi

finish
