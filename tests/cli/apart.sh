#!/usr/bin/env bash
# apart.sh - view, serve and push parse logs in a process that has no network, and go on or end well when it dies
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
need pgrep
[ -r /proc/self/status ] && [ -d /proc/self/fd ] || skip 'no /proc here'
grep -q 'libmicrohttpd\.so' "$PMON_BIN" || skip 'a build without the server'
has_sandbox=1
grep -q '^PMON_HAS_CALLFILTER:INTERNAL=1' "$PMON_BUILD_DIR/CMakeCache.txt" || has_sandbox=
grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" && has_sandbox=
make_log average a.blg
make_log long long.blg 2000 # more than a pipe holds

# readers: the processes that it has started, but for the one of view that only starts others. Each has one that opens
# files for it.
readers() {
	local one list=

	for one in $(pgrep -P $pid); do
		[ -z "$(pgrep -P "$one")" ] || list+="$one "
	done
	echo ${list% }
	[ -n "$list" ]
}

# has_network PID: does a process have a socket of the network?
has_network() {
	local number

	for number in $(opened "$1" | sed -n 's/^socket:\[\([0-9]*\)\]$/\1/p'); do
		grep -qw "$number" /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6 2>/dev/null && return 0
	done
	return 1
}

# The page has a key for each browser; programs have a token.
export TOKEN=0123456789abcdef
(umask 077 && echo "$TOKEN" >token)

# start VERB...: a server; sets $pid, $url and, when there is one, $child
start() {
	[ "$1" != view ] || set -- "$@" --token-file token
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
import os, sys, urllib.error, urllib.parse, urllib.request
base = urllib.parse.urlsplit(sys.argv[1])
request = urllib.request.Request(f"http://{base.netloc}{sys.argv[2]}",
                                 headers={"Authorization": "Bearer " + os.environ["TOKEN"]})
try:
    answer = urllib.request.urlopen(request, timeout=300)
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

# has_taken PID: no signal waits for it but those that it blocks
has_taken() {
	local waiting blocked

	waiting=$(sed -n 's/^ShdPnd:[[:space:]]*/0x/p' "/proc/$1/status")
	blocked=$(sed -n 's/^SigBlk:[[:space:]]*/0x/p' "/proc/$1/status")
	((($waiting & ~$blocked) == 0))
}

opened() { ls -l "/proc/$1/fd" | sed -n 's/.* -> //p'; }
state_of() { sed -n 's/^\(NoNewPrivs\|Seccomp\):\t//p' "/proc/$1/status" | tr '\n' ' '; }

# ---- Who has what ---------------------------------------------------------------------------

start serve --metrics long.blg
if [ -n "$child" ] && [ "$(wc -w <<<"$child")" = 1 ]; then ok; else bad "its children: '$child'"; fi
grep -q long.blg <<<"$(opened "$child")" && ok || bad "the child has no log: $(opened "$child")"
has_network "$child" && bad 'the child has a network' || ok
grep -q long.blg <<<"$(opened $pid)" && bad 'the parent has the log' || ok
has_network $pid && ok || bad 'the parent has no network'
if [ -n "$has_sandbox" ]; then
	same 'NoNewPrivs and Seccomp of the child' "$(state_of "$child")" '1 2 '
	same 'NoNewPrivs and Seccomp of the parent' "$(state_of $pid)" '0 0 '
fi
get /metrics
out_has pmon_web_service_sent_bytes_total
kill -INT "$child" # as Ctrl-C does, to all processes of the terminal
kill -TERM "$child"
wait_for has_taken "$child"
grep -q '^State:[[:space:]]*[RSD]' "/proc/$child/status" && ok || bad 'a signal for the parent ended the child'
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
err_says_only long.blg killed memory
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
	err_says_only 'standard input' killed memory
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
out_says error killed memory
same 'children, dead ones too' "$(readers)" ''
get /api/tree
out_lacks error
stops 1
err_says_only big.blg killed memory
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
import http.client, os, sys, urllib.parse
base = urllib.parse.urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(base.netloc, timeout=300)
connection.request("POST", "/api/compare?name=sent", open(sys.argv[2], "rb").read(),
                   {"Origin": f"http://{base.netloc}", "Authorization": "Bearer " + os.environ["TOKEN"]})
print(connection.getresponse().status)
PYTHON
	)
}

# The process that reads waits at its first bytes while there is a file of the name HOLD.
cat >hold.c <<'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
ssize_t pread64(int fd, void *buf, size_t len, off64_t offset)
{
	while (fd == 0 && access(getenv("HOLD"), F_OK) == 0)
		usleep(1000);
	return syscall(SYS_pread64, fd, buf, len, offset);
}
C
"${CC:-cc}" -shared -fPIC hold.c -o hold.so || exit 1
export HOLD=$tmp/hold
reader_of() { reader=$(pgrep -P "$1" | head -1) && grep -q '(deleted)' <<<"$(opened "$reader")"; }

for options in '' --no-sandbox; do
	# shellcheck disable=SC2086
	LD_PRELOAD=$tmp/hold.so start view --no-browser $options a.blg
	until_loaded
	starter=$(pgrep -P $pid | head -1)
	make_log long sent.blg 40000
	touch hold
	send sent.blg &
	sending=$!
	wait_for reader_of "$starter" && ok || bad "the reader has no log: $(opened "$reader")"
	want='1 2 '
	[ -z "$options" ] || want='0 0 '
	has_network "$reader" && bad 'the reader has a network' || ok
	is_confined() { [ "$(state_of "$reader")" = "$want" ]; }
	[ -z "$has_sandbox" ] || wait_for is_confined
	[ -z "$has_sandbox" ] || same 'NoNewPrivs and Seccomp of the reader' "$(state_of "$reader")" "$want"
	rm hold
	wait $sending
	send sent.blg
	same 'status of a log that was sent' "$code" 200
	kill -KILL "$reader" 2>/dev/null
	send a.blg
	same 'status of the next one' "$code" 200
	stops 0
	gone "$starter"
	gone "$reader"
	rm sent.blg
done

# ---- push -----------------------------------------------------------------------------------

export XDG_STATE_HOME=$tmp/state
# Whether it tried once or twice within a millisecond depends on the machine.
said() { printf '%s\n' "$status" "$out" "$err" | sed 's/[0-9.]* m\?s\b/TIME/g; /; retrying in TIME$/d'; }
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
is_connected() { child=$(readers) && has_network $pid; }
wait_for is_connected
grep -q long.blg <<<"$(opened "$child")" && ok || bad "the child has no log: $(opened "$child")"
has_network "$child" && bad 'the child has a network' || ok
grep -q long.blg <<<"$(opened $pid)" && bad 'the parent has the log' || ok
[ -z "$has_sandbox" ] || same 'NoNewPrivs and Seccomp of the child' "$(state_of "$child")" '1 2 '
stops 137 KILL 2>/dev/null
gone "$child"
kill -KILL $engine # also where a parent ignores SIGTERM
finish
