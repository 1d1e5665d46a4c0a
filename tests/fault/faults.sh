#!/usr/bin/env bash
# faults.sh - each verb and each output, while the n-th call for memory or to the system fails
# SPDX-License-Identifier: MIT
#
# The outcome is the right output, or status 1 or 3 with a message (preload.c judges). PMON_TEST_FAULTS=all tries
# every n, which takes an hour; else some n of each, spread evenly. PMON_TEST_FAULTS_ONLY, a pattern of bash, chooses
# the calls and command lines that are tried, as in '^memory .*out\.svg'.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"

faults=$PMON_BUILD_DIR/tests/fault/libpmon_faults.so
[ -r "$faults" ] || skip 'the library that makes calls fail is not built'
if [ "${PMON_TEST_FAULTS:-}" = all ]; then all=1; else all=; fi
has_verb() { "$PMON_BIN" relog b.blg -f "$1" -o probe >/dev/null 2>&1; }

# rests: whether that call fails alone (0) or also all after it (1)
rests='0 1'

# try CALLS TRIES OUTPUT WORDS...: the calls that fail, how many n of each are tried, the file that is written ("-": none)
try() {
	local calls=$1 tries=$2 output=$3 call rest code
	[[ "$calls ${*:4}" =~ ${PMON_TEST_FAULTS_ONLY:-} ]] || return 0
	shift 3
	[ -z "$all" ] || tries=0
	[ "$output" != - ] || output=
	for call in $calls; do
		for rest in $rests; do
			ran="pmon $*: $call fails${rest/#1/, and all calls after it}"
			ran=${ran/%0/}
			code=0
			env FAULT_SECONDS=${all:+200} LD_PRELOAD="$faults" FAULT_FOLDER="$tmp" FAULT_CALL="$call" FAULT_REST=$rest FAULT_TRIES="$tries" \
				FAULT_OUTPUT="$output" FAULT_LIVE="${live:-}" "$PMON_BIN" "$@" >/dev/null 2>faults.err || code=$?
			[ $code != 77 ] || skip 'calls cannot be caught here (seccomp)'
			[ $code = 0 ] && grep -q ' runs, 0 wrong' faults.err && [[ -z "${FAULT_IN:-}" || ! "$(<faults.err)" =~ ' 0 calls' ]] &&
				ok || bad "$(cat faults.err)"
			[ -z "$all" ] || printf '%s: %s\n' "$*" "$(cat faults.err)"
		done
	done
}

make_log average a.blg
make_log back b.blg
make_log days d.blg
for format in csv jsonl sql openmetrics; do
	"$PMON_BIN" relog b.blg -f $format -o b >/dev/null 2>&1
done
gzip -kf b.blg

# Ten samples of a machine that counts.
for i in $(seq 0 9); do
	folder=trees/000$i
	mkdir -p $folder/proc/sys/kernel
	echo "$((133485408000000000 + i * 10000000)) $(((1000 + i) * 10000000))" >$folder/clock
	printf 'cpu  %d 0 5 90 0 0 0 0 0 0\ncpu0 %d 0 5 90 0 0 0 0 0 0\nctxt %d\n' $i $i $((1000 + 10 * i)) >$folder/proc/stat
	echo host >$folder/proc/sys/kernel/hostname
done

reading='read pread open close mmap write'
writing='pread pwrite write open close fsync rename link truncate mmap'

# ---- Verbs that print ------------------------------------------------------------------------------

try memory 15 - stats b.blg
try memory 9 - stats b.blg.gz
try memory 15 - stats --sort total --percentile 50,95 b.blg
try memory 9 - stats --by object --percentile 50 a.blg b.blg
try memory 9 - values b.csv
try memory 9 - values b.jsonl
[ ! -r b.db ] || try memory 9 - stats b.db
try memory 9 - info --format json a.blg b.csv
try memory 6 - list b.blg
try memory 6 - raw --format json b.blg
try memory 6 - explain a.blg -c '\PhysicalDisk(*)\*'
try memory 6 - find '\Web\Requests/sec > 10 while \Net\Packets/sec > 1' b.blg
printf '[R]\ncounter = \\Web\\Requests/sec\nwarning = > 10/s\ntext = t\nsource = s\nlink = https://example.org/x\n' >r.rules
try memory 6 - health --rules r.rules --all b.blg
try memory 6 - trend -c '\Web\*' b.blg
try memory 6 - changes --from +1m -c '\PhysicalDisk(*)\*' a.blg
try memory 6 - watch --rules r.rules --replay b.blg
try memory 6 - watch --rules r.rules --replay b.blg --exec true
try memory 6 - watch '\Web\Requests/sec > 1' --repeat 1s --replay b.blg --format json
try memory 6 - diff -c '\Web\*' b.blg b.blg
try memory 6 - chart a.blg
try memory 6 - relog b.blg -q
try memory 6 - rules b.blg
try memory 3 - types PERF_COUNTER_COUNTER
try memory 3 - calc -t PERF_COUNTER_COUNTER -F 1 0:0 5:1 --explain
try memory 6 - stats a.blg b.blg
for url in postgresql://db/perf clickhouse+http://db:1/perf prometheus+http://db:1; do
	"$PMON_BIN" push --dry-run --to $url b.blg >/dev/null 2>&1 && try memory 4 - push --dry-run --to $url b.blg
done
try "$reading" 6 - stats b.blg
try 'pread open mmap' 12 - stats a.blg b.blg d.blg
try "$reading" 6 - stats b.blg.gz
try "$reading" 6 - values --format csv b.csv
try "$reading" 6 - values b.jsonl
[ ! -r b.db ] || try "$reading" 6 - stats b.db
try "$reading" 4 - info a.blg b.csv
try "$reading" 4 - relog b.blg -f csv -o -

# ---- Verbs that write ------------------------------------------------------------------------------

for format in csv tsv bin jsonl openmetrics sql; do
	has_verb $format || continue
	try memory 6 out.x relog b.blg -f $format -o out.x
	try "$writing" 4 out.x relog b.blg -f $format -o out.x --sync
done
# A file that is there already is replaced as a whole, or stays.
export FAULT_BEFORE='cp b.blg out.x'
try memory 6 out.x relog b.blg -y -f csv -o out.x
try "$writing" 4 out.x relog b.blg -y -f csv -o out.x --sync
[ ! -r b.db ] || try "$writing" 4 out.x relog b.blg -y -f sql -o out.x --sync
unset FAULT_BEFORE
try memory 6 out.x relog b.blg -q -o out.x
try "$writing" 4 out.x relog b.blg -q -o out.x --sync

# ---- Pictures --------------------------------------------------------------------------------------

# A font that cannot be read is replaced, so that reading does not fail here. Where no memory is left at all
# fontconfig does not come to an end, until pmon ends it after 30 seconds: that takes too long for each n.
if "$PMON_BIN" chart b.blg -o out.svg >/dev/null 2>&1; then
	picture='pwrite fsync close rename link'
	rests=0
	try memory 8 out.svg chart b.blg -o out.svg
	FAULT_IN=dlopen try memory 4 out.svg chart b.blg -o out.svg # while cairo is loaded
	try memory 5 out.png chart b.blg --size 320x200 -o out.png
	try memory 5 out.pdf chart b.blg -o out.pdf
	try memory 5 out.html report b.blg -o out.html
	try "$picture" 3 out.svg chart b.blg -o out.svg --sync
	try "$picture" 3 out.png chart b.blg -o out.png --sync
	try "$picture" 3 out.html report b.blg -o out.html --sync
	rests='0 1'
fi

# ---- Recordings: what was flushed stays, so that a part of the output may ----------------------------

live=1
for format in blg csv tsv jsonl sqlite; do
	[ $format != sqlite ] || [ -r b.db ] || continue
	try memory 6 out.x record --replay trees -c '\System\*' -q --format $format -o out.x
	try 'pwrite write fsync truncate close' 4 out.x record --replay trees -c '\System\*' -q --format $format -o out.x
done
live=
# Files of /proc that cannot be read are absent for pmon, and so are their counters: reading does not fail here.
try memory 9 - values --replay trees -c '\System\*'
try memory 9 - typeperf -c '\System\*' --replay trees -sc 4
try memory 6 out.x typeperf -qx System --replay trees -o out.x


# ---- Servers: one question, and the end --------------------------------------------------------------

# Right is the whole answer, or a refusal that the client sees: status 5xx, an answer that is cut, no connection, a set
# of samples that is marked as failed or damaged.
rests=0
serving='read pread write open close mmap send receive socket'
if command -v python3 >/dev/null 2>&1; then
	export FAULT_CLIENT="python3 '$PMON_SOURCE_DIR/tests/fault/client.py' \"\$@\" '/api/export?set=0&ids=0,1&format=csv' '/api/data?set=0&ids=0,1&columns=10'"
	if env LD_PRELOAD="$faults" FAULT_FOLDER="$tmp" FAULT_CALL=truncate FAULT_OUTPUT=answers "$PMON_BIN" view --no-browser b.blg >/dev/null 2>&1 && [ -s answers ]; then
		try memory 5 answers view --no-browser b.blg
		try memory 5 answers view --no-browser --no-sandbox b.csv
		try "$serving" 3 answers view --no-browser b.blg
		FAULT_CLIENT=${FAULT_CLIENT%%"'/api"*}/metrics
		"$PMON_BIN" relog b.blg -f bin -t 100 -o one.blg >/dev/null 2>&1 # nothing that changes as time passes
		try memory 5 answers serve --metrics one.blg
		try "$serving" 3 answers serve --metrics one.blg
	fi
	unset FAULT_CLIENT

	# Right is that all of it came to the engine, if push ends with status 0. What was sent twice counts once there.
	port=$("$PMON_SOURCE_DIR/tests/push/free_port.py")
	python3 "$PMON_SOURCE_DIR/tests/fault/receiver.py" "$port" received >/dev/null 2>&1 &
	receiver=$!
	trap 'kill $receiver; rm -rf "$tmp"' EXIT
	listens() { (exec 3<>"/dev/tcp/127.0.0.1/$port"); }
	wait_for listens
	export FAULT_BEFORE='rm -rf pushed' FAULT_PRINTS=times
	live=1
	for url in postgresql://127.0.0.1:$port/perf clickhouse+http://127.0.0.1:$port/perf prometheus+http://127.0.0.1:$port; do
		"$PMON_BIN" push --dry-run --to "$url" b.blg >/dev/null 2>&1 || continue
		try memory 5 received push --retry 1s --state-dir pushed --to "$url" b.blg
		try 'read pread write open close mmap fsync rename send receive socket' 3 received \
			push --retry 1s --state-dir pushed --to "$url" b.blg
	done
	# Every n in two libraries. Snappy cannot report that memory is short: it throws, or ends the program with what
	# cli/process/memory.c does then. libpq waits for more of an answer for which it had no memory, though all of it has come.
	for library in snappy:prometheus+http://127.0.0.1:$port pq:postgresql://127.0.0.1:$port/perf; do
		"$PMON_BIN" push --dry-run --to "${library#*:}" b.blg >/dev/null 2>&1 || continue
		FAULT_IN=lib${library%%:*}. try memory 0 received push --retry 1s --state-dir pushed --to "${library#*:}" b.blg
	done
	live=
	unset FAULT_BEFORE FAULT_PRINTS
fi
rests='0 1'

# ---- A terminal: what is shown until q is typed --------------------------------------------------------

if TERM=xterm FAULT_TERMINAL=1 LD_PRELOAD=$faults FAULT_FOLDER=$tmp FAULT_CALL=truncate "$PMON_BIN" top b.blg >/dev/null 2>&1; then
	export FAULT_TERMINAL=1 TERM=xterm
	rests=0 # where none is left ncurses crashes
	try memory 6 - top b.blg
	try memory 4 - top --replay trees -c '\System\*'
	rests='0 1'
	try 'read pread open close mmap' 4 - top b.blg
	unset FAULT_TERMINAL
fi

finish
