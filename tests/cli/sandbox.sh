#!/usr/bin/env bash
# sandbox.sh - verbs that read run in the sandbox, with the same output; --no-sandbox turns it off
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
make_log average a.blg
[ -r /proc/self/status ] && grep -q ^Seccomp: /proc/self/status || skip 'no seccomp here'
grep -q '^PMON_WITH_SECCOMP:BOOL=ON' "$PMON_BUILD_DIR/CMakeCache.txt" || skip 'a build without seccomp'
grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" && skip 'sanitizers'

# state WANTED VERB...: NoNewPrivs and Seccomp of pmon while it waits for its input
mkfifo input
state() {
	local pid seen i

	ran="pmon ${*:2} -"
	"$PMON_BIN" "${@:2}" - <input >seen.out 2>seen.err &
	pid=$!
	exec 3>input # pmon has begun
	for i in {1..100}; do
		seen=$(sed -n 's/^\(NoNewPrivs\|Seccomp\):\t//p' "/proc/$pid/status" 2>/dev/null | tr '\n' ' ')
		# Before main() the process is this shell; it waits for input in the end.
		[ "$seen" = "$1" ] && [ "$(cat "/proc/$pid/comm")" != bash ] && break
		sleep 0.02
	done
	same 'NoNewPrivs and Seccomp' "$seen" "$1"
	exec 3>&-
	wait $pid
}

for verb in info list stats values raw 'explain -c \Memory\*' 'chart -o c.svg -y' 'report -o r.html -y' rules \
	'relog -o o.csv -f csv -y'; do
	set -f
	# shellcheck disable=SC2086 # words
	state '1 2 ' $verb
	# shellcheck disable=SC2086
	state '0 0 ' $verb --no-sandbox
	set +f
done

# The same comes out, and goes to the same places: new files, files that are replaced, links, folders.
mkdir out there
ln -s ../there/linked.csv out/link.csv
touch there/linked.csv
for to in plain.csv out/new.csv out/link.csv out; do
	run relog a.blg -f csv -o "$to" -y
	status 0
	cp "$([ -d "$to" ] && echo out/a.csv || echo "$to")" with.csv
	run relog a.blg -f csv -o "$to" -y --no-sandbox
	status 0
	cmp -s with.csv "$([ -d "$to" ] && echo out/a.csv || echo "$to")" && ok || bad 'another file'
done
[ -L out/link.csv ] && [ -s there/linked.csv ] && ok || bad 'the link is no link any more'
run relog a.blg -f SQL -o a.db -y
status 0
for verb in info stats 'values --format csv'; do
	for log in a.blg a.db plain.csv; do
		# shellcheck disable=SC2086
		run $verb $log
		want=$out
		# shellcheck disable=SC2086
		run $verb --no-sandbox $log
		same "$verb $log" "$out" "$want"
	done
done
gzip -k plain.csv && run stats plain.csv.gz
status 0
run report a.blg
status 0
[ -s a.html ] && ok || bad 'no page in this folder'
run chart a.blg -o /dev/null -y
unset PMON_NO_CACHE
sleep 2.1 # what was changed just now is not kept
XDG_CACHE_HOME=$tmp/cache run info a.blg
ls "$tmp/cache/pmon"/*.info >/dev/null 2>&1 && ok || bad 'nothing is kept of the log'
XDG_CACHE_HOME=$tmp/cache2 run stats a.blg
[ ! -e "$tmp/cache2" ] && ok || bad 'stats made a cache'
XDG_CACHE_HOME=$tmp/cache3 run info - # of nothing, and nothing is kept
[ ! -e "$tmp/cache3" ] && ok || bad 'info - made a cache'
finish
