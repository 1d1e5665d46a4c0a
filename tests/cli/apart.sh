#!/usr/bin/env bash
# apart.sh - view, serve and push parse logs in a process that has no network, and go on or end well when it dies
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
need python3
need pgrep
[ -r /proc/self/status ] && [ -d /proc/self/fd ] || skip 'no /proc here'
grep -q 'libmicrohttpd\.so' "$PMON_BIN" || skip 'a build without the server'
has_sandbox=1
grep -q '^PMON_HAS_CALLFILTER:INTERNAL=1' "$PMON_BUILD_DIR/CMakeCache.txt" || has_sandbox=
grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" && has_sandbox=
make_log average a.blg
make_log long long.blg 2000 # more than a pipe holds

# readers: the processes that it has started, but for the one of view that only starts others and has a socket to it
readers() {
	local one list=

	for one in $(pgrep -P $pid); do
		grep -q socket <<<"$(opened "$one")" || list+="$one "
	done
	echo ${list% }
	[ -n "$list" ]
}

# start VERB...: a server; sets $pid, $url and, when there is one, $child
start() {
	ran="pmon $*"
	rm -f url
	mkfifo url
	"$PMON_BIN" "$@" >url 2>server.err </dev/null &
	pid=$!
	read -r url <url
	child=$(readers)
}

# get PATH: sets $out and $code
get() {
	out=$(python3 - "$url" "$1" <<'PYTHON'
import sys, urllib.error, urllib.parse, urllib.request
base = urllib.parse.urlsplit(sys.argv[1])
try:
    answer = urllib.request.urlopen(f"http://{base.netloc}{sys.argv[2]}?{base.query}", timeout=300)
except urllib.error.HTTPError as error:
    answer = error
except OSError:
    sys.exit(1)
sys.stdout.write(answer.read().decode())
PYTHON
	)
}

# until_loaded: $state and $out of the first set
until_loaded() {
	is_loaded() {
		get /api/log
		state=$(sed -n 's/.*"set":0,[^}]*"state":"\([a-z]*\)".*/\1/p' <<<"$out")
		[ "$state" != loading ]
	}
	wait_for is_loaded
}

# stops STATUS [SIGNAL]: the server ends so
stops() {
	local code=0

	kill -"${2:-TERM}" $pid 2>/dev/null
	wait $pid || code=$?
	err=$(cat server.err)
	same 'exit status' "$code" "$1"
}

gone() { # PID
	wait_for test ! -d "/proc/$1" && ok || bad "process $1 is there: $(head -3 "/proc/$1/status")"
}

opened() { ls -l "/proc/$1/fd" | sed -n 's/.* -> //p'; }
state_of() { sed -n 's/^\(NoNewPrivs\|Seccomp\):\t//p' "/proc/$1/status" | tr '\n' ' '; }

# ---- Who has what ---------------------------------------------------------------------------

start serve --metrics long.blg
if [ -n "$child" ] && [ "$(wc -w <<<"$child")" = 1 ]; then ok; else bad "its children: '$child'"; fi
grep -q long.blg <<<"$(opened "$child")" && ok || bad "the child has no log: $(opened "$child")"
grep -q socket <<<"$(opened "$child")" && bad 'the child has a socket' || ok
grep -q long.blg <<<"$(opened $pid)" && bad 'the parent has the log' || ok
grep -q socket <<<"$(opened $pid)" && ok || bad 'the parent has no socket'
if [ -n "$has_sandbox" ]; then
	same 'NoNewPrivs and Seccomp of the child' "$(state_of "$child")" '1 2 '
	same 'NoNewPrivs and Seccomp of the parent' "$(state_of $pid)" '0 0 '
fi
get /metrics
out_has pmon_web_service_sent_bytes_total
kill -INT "$child" # as Ctrl-C does, to all processes of the terminal
kill -TERM "$child"
sleep 0.1
[ -d "/proc/$child" ] && ok || bad 'a signal for the parent ended the child'
stops 0
same 'what it said' "$err" ''
gone "$child"

start serve --metrics --no-sandbox long.blg
same 'children' "$child" ''
grep -q long.blg <<<"$(opened $pid)" && ok || bad 'nobody has the log'
stops 0

# ---- Ends -----------------------------------------------------------------------------------

# Whoever kills the parent kills the child.
start serve --metrics long.blg
stops 137 KILL 2>/dev/null
gone "$child"

# serve has nothing more to give.
start serve --metrics --speed 1000000000 long.blg
get /metrics # the first sample
kill -KILL "$child"
get /metrics # all of them
stops 1 0 # no signal: SIGCONT would take back the SIGSTOP by which LeakSanitizer looks at threads
err_is 'pmon: long.blg: the process that reads the log was killed; memory may be short'
gone "$child"

# The log is opened still.
dies_early() {
	ran="pmon $*"
	mkfifo input
	"$PMON_BIN" "$@" - <input >url.txt 2>server.err &
	pid=$!
	exec 3>input
	head -c 70000 long.blg >&3
	is_apart() { child=$(readers) && [ "$(readlink /proc/$pid/fd/0)" = /dev/null ]; }
	wait_for is_apart
	same 'standard input of the parent' "$(readlink /proc/$pid/fd/0)" /dev/null
	kill -KILL "$child"
	stops 1 0
	err_is 'pmon: standard input: the process that reads the log was killed; memory may be short'
	exec 3>&-
	rm input
}
dies_early view --no-browser
dies_early serve --metrics
grep -q 'no libcurl' < <("$PMON_BIN" push --to clickhouse+http://127.0.0.1:9/db --retry 1ms a.blg 2>&1) ||
	dies_early push --to clickhouse+http://127.0.0.1:9/db

# view shows what was read. It may have been all.
samples=10000
for i in {1..4}; do
	make_log long big.blg $samples
	start view --no-browser big.blg
	[ -n "$child" ] && kill -KILL $child && until_loaded && [ "$state" = failed ] && break
	stops 0
	samples=$((samples * 2))
done
same state "$state" failed
out_has '"error":"the process that reads the log was killed; memory may be short"'
same 'children, dead ones too' "$(readers)" ''
get /api/tree
out_lacks error
stops 1
err_is 'pmon: big.blg: the process that reads the log was killed; memory may be short'
rm big.blg

# ---- All else is as without -----------------------------------------------------------------

head -c 400000 long.blg >cut.blg
for options in 'a.blg' 'cut.blg' 'cut.blg a.blg' 'a.blg --compare cut.blg' 'a.blg missing.blg' 'a.blg --encoding x'; do
	# shellcheck disable=SC2086 # words
	start view --no-browser $options
	until_loaded
	same 'children when all is read' "$(readers)" ''
	seen=$out
	kill -TERM $pid
	code=0
	wait $pid || code=$?
	err=$(cat server.err)
	# shellcheck disable=SC2086
	start view --no-browser --no-sandbox $options
	until_loaded
	same 'what is shown' "$out" "$seen"
	seen=$err
	stops $code
	same messages "$seen" "$err"
done
same 'exit status of the last' $code 0
for options in 'missing.blg' 'a.blg --compare missing.blg' 'a.blg -c \x'; do
	# shellcheck disable=SC2086
	run view --no-browser $options
	code=$status
	seen=$err
	# shellcheck disable=SC2086
	run view --no-browser --no-sandbox $options
	status $code
	err_is "$seen"
	[ -n "$err" ] && ok || bad 'no message'
done

# ---- A log that is sent to view -------------------------------------------------------------

# send FILE: sets $code
send() {
	code=$(python3 - "$url" "$1" <<'PYTHON'
import http.client, sys, urllib.parse
base = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(base.netloc, timeout=300)
connection.request("POST", f"/api/compare?name=sent&{base.query}", open(sys.argv[2], "rb").read(),
                   {"Origin": f"http://{base.netloc}"})
print(connection.getresponse().status)
PYTHON
	)
}

for options in '' --no-sandbox; do
	# shellcheck disable=SC2086
	start view --no-browser $options a.blg
	starter=$(pgrep -P $pid | head -1)
	make_log long sent.blg 40000
	send sent.blg
	same 'status of a log that was sent' "$code" 200
	reader=$(pgrep -P "$starter")
	if [ -n "$reader" ]; then
		grep -q socket <<<"$(opened "$reader")" && bad 'the reader has a socket' || ok
		grep -q '(deleted)' <<<"$(opened "$reader")" && ok || bad "the reader has no log: $(opened "$reader")"
		want='1 2 '
		[ -z "$options" ] || want='0 0 '
		[ -z "$has_sandbox" ] || same 'NoNewPrivs and Seccomp of the reader' "$(state_of "$reader")" "$want"
		kill -KILL "$reader" 2>/dev/null
	fi
	send a.blg
	same 'status of the next one' "$code" 200
	stops 0
	gone "$starter"
	[ -z "$reader" ] || gone "$reader"
	rm sent.blg
done

# ---- push -----------------------------------------------------------------------------------

export XDG_STATE_HOME=$tmp/state
said() { sed 's/[0-9.]* m\?s\b/TIME/g' <<<"$status/$out/$err"; }
run push --to clickhouse+http://127.0.0.1:9/db --dry-run a.blg
[ "$err" = 'pmon: push: this build has no libcurl' ] && finish
out_has CREATE
for options in '--dry-run a.blg' '--dry-run cut.blg a.blg' a.blg 'cut.blg a.blg' 'missing.blg a.blg' \
	'a.blg --from 2031-01-01' 'a.blg cut.blg --to 2026-11-20T15:00:30Z' 'a.blg -c \x' 'a.blg -c \x -c \*(*)\*'; do
	# shellcheck disable=SC2086
	run push --to clickhouse+http://127.0.0.1:9/db --retry 1ms $options
	seen=$(said)
	# shellcheck disable=SC2086
	run push --to clickhouse+http://127.0.0.1:9/db --retry 1ms --no-sandbox $options
	same "push $options" "$(said)" "$seen"
done

# An engine that never answers.
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
time.sleep(600)' >port &
engine=$!
wait_for test -s port
"$PMON_BIN" push --to "clickhouse+http://127.0.0.1:$(cat port)/db" long.blg >server.err 2>&1 &
pid=$!
ran='pmon push'
is_connected() { child=$(pgrep -P $pid) && grep -q socket <<<"$(opened $pid)"; }
wait_for is_connected
grep -q long.blg <<<"$(opened "$child")" && ok || bad "the child has no log: $(opened "$child")"
grep -q socket <<<"$(opened "$child")" && bad 'the child has a socket' || ok
grep -q long.blg <<<"$(opened $pid)" && bad 'the parent has the log' || ok
[ -z "$has_sandbox" ] || same 'NoNewPrivs and Seccomp of the child' "$(state_of "$child")" '1 2 '
stops 137 KILL 2>/dev/null
gone "$child"
kill $engine
finish
