#!/usr/bin/env bash
# watch_actions.sh - pmon watch --exec, --webhook and --journal: what they get, and what happens when they fail
# SPDX-License-Identifier: MIT
#
# docs/watch.md has the rules. Commands, servers and the journal are fakes that write down what they were given.
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"
need jq
need python3

make_log average a.blg
slow='\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms'

# await COMMAND...: it succeeds in time
await() { wait_for "$@" || bad "waited in vain for: $*"; }

# A machine with 120 threads, or with another number.
make_tree box 0 1000 120
threads() { printf '0.20 0.18 0.12 1/%d 11206\n' "$1" 1<>box/proc/loadavg; }

# start WORDS...: watch it in the background, with alerts in live.json and messages in live.err
start() {
	ran="pmon watch $*"
	threads 120
	: >live.json
	"$PMON_BIN" watch '\System\Threads > 150' --root box -i 50ms --format json "$@" >live.json 2>live.err &
	pid=$!
}

# stop: by SIGTERM, which does not wait for the 1000 s of a command or a server
stop() {
	local before=$SECONDS code=0

	kill -TERM "$pid"
	wait "$pid" || code=$?
	same 'the exit status' $code 0
	[ $((SECONDS - before)) -le 300 ] && ok || bad 'it waited for what hangs'
}

# ---- --exec -------------------------------------------------------------------------------------------

run watch "$slow" --replay a.blg --exec 'env | grep ^PMON_ >got.$PMON_EVENT; echo printed'
status 0
out_lacks 'printed'
err_has 'printed'
same 'what a command gets' "$(grep -E '_(MESSAGE|EVENT|TIME|RULE|SEVERITY|LIMIT|MACHINE|PATH|PID|VALUE|FROM|TO|SECONDS|AVERAGE|WORST|WORST_TIME|UNIT|TEXT)=' \
	got.begin | sort)" 'PMON_AVERAGE=0.15
PMON_EVENT=begin
PMON_FROM=2026-11-20T15:00:00Z
PMON_LIMIT=> 75ms
PMON_MACHINE=SERVER
PMON_MESSAGE=warning begins: \\SERVER\PhysicalDisk(0 C:)\Avg. Disk sec/Read: 150 ms (limit > 75ms) since 2026-11-20T15:00:00Z
PMON_PATH=\\SERVER\PhysicalDisk(0 C:)\Avg. Disk sec/Read
PMON_PID=
PMON_RULE=\PhysicalDisk(*)\Avg. Disk sec/Read > 75ms
PMON_SECONDS=15
PMON_SEVERITY=warning
PMON_TEXT=
PMON_TIME=2026-11-20T15:00:15Z
PMON_TO=2026-11-20T15:00:15Z
PMON_UNIT=s
PMON_VALUE=0.15
PMON_WORST=0.15
PMON_WORST_TIME=2026-11-20T15:00:15Z'
same 'the end' "$(grep -E '^PMON_(EVENT|VALUE|TIME)=' got.end | sort)" 'PMON_EVENT=end
PMON_TIME=2026-11-20T15:00:45Z
PMON_VALUE=0'

run watch "$slow" --replay a.blg --exec 'exit 3'
status 0
err_says --exec 3 '\\SERVER\PhysicalDisk(0 C:)'
run watch "$slow" --replay a.blg --exec 'kill -9 $$'
err_says --exec 9
run watch "$slow" --replay a.blg --exec '/no/such/command'
err_says --exec 127

# A name is data: in the shell it is in a variable, and no part of the command.
printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\S\Process($(touch pwned)`touch pwned`;touch pwned)\% Processor Time"' \
	'"11/20/2026 00:00:00.000","50"' '"11/20/2026 00:00:01.000","50"' >evil.csv
run watch '\Process(*)\% Processor Time > 5' evil.csv --exec 'printf "%s\n" "$PMON_PATH" >path'
status 0
[ ! -e pwned ] && ok || bad 'a name of a counter was run'
same 'the path' "$(head -1 path)" '\\S\Process($(touch pwned)`touch pwned`;touch pwned)\% Processor Time'

# Every alert of a log is handled, though commands are slower than the log is read.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\Memory\\Available MBytes\"\r\n"
	for (t = 0; t < 450; t++) printf "\"11/20/2026 00:%02d:%02d.000\",\"%d\"\r\n", t / 60, t % 60, (t % 3 ? 1 : 9)
}' >many.csv
run watch '\Memory\Available MBytes > 5' many.csv --exec 'echo x >>all'
status 0
same 'the commands of a log' "$(wc -l <all)" 300

# A slow command delays neither sampling nor the alerts on standard output, and is killed at the end.
start --exec 'echo $$ >>slow.pids; sleep 1000'
for n in 0 2 4; do
	threads 200
	await has_lines $((n + 1)) live.json
	threads 120
	await has_lines $((n + 2)) live.json
done
await test -s slow.pids
stop
same 'one command at a time' "$(wc -l <slow.pids)" 1
wait_for is_gone "$(cat slow.pids)" && ok || bad 'the slow command is still there'
has_text() { grep -q "$1" live.err; }
has_text 'it was killed because watching ended' && has_text '5 alerts were dropped' && ok || bad "$(cat live.err)"

# A queue has an end.
start --exec 'sleep 1000' --repeat 1ms
threads 200
await has_lines 130 live.json
stop
has_text '100 alerts .*dropped' && ok || bad "$(cat live.err)"

# ---- --webhook ----------------------------------------------------------------------------------------

cat >server.py <<'PYTHON'
# server.py MODE: a server on a free port, which is written to `port`; bodies go to `posts`
import http.server, sys, threading, time
mode = sys.argv[1]
failures = 2
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global failures
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if mode == "hang":
            open("begun", "w").close()
            time.sleep(1000)
        code = 200
        if mode == "flaky" and failures > 0:
            failures -= 1
            code = 503
        if mode == "refuse":
            code = 403
        if code == 200:
            with open("posts", "ab") as file:
                file.write(body)
            with open("heads", "a") as file:
                file.write(f"{self.path} {self.headers['Content-Type']}\n")
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
with open("port.new", "w") as file:
    file.write(f"{server.server_port}\n")
import os
os.rename("port.new", "port")
server.serve_forever()
PYTHON
server_pid=
serve() { # MODE
	[ -z "$server_pid" ] || { kill -KILL "$server_pid"; wait "$server_pid"; } 2>/dev/null
	rm -f port posts heads
	python3 server.py "$1" &
	server_pid=$!
	await test -r port
	url=http://127.0.0.1:$(cat port)/hook?key=SECRET
}
trap 'kill -KILL $server_pid 2>/dev/null; rm -rf "$tmp"' EXIT

grep -q 'was built without' < <("$PMON_BIN" watch --webhook nothing "$slow" a.blg 2>&1 </dev/null) && skip 'there is no libcurl'
serve good
run watch "$slow" --replay a.blg --webhook "$url" --format json
status 0
same 'what a server gets' "$(cat posts)" "$out"
same 'where' "$(sort -u heads)" '/hook?key=SECRET application/json'
serve flaky
run watch "$slow" --replay a.blg --webhook "$url" --format json
status 0
same 'after two failures' "$(cat posts)" "$out"
serve good
printf '%s\n' "$url" >url.txt
run watch "$slow" --replay a.blg --webhook @url.txt --format json
same 'by a file' "$(cat posts)" "$out"
serve refuse
run watch "$slow" --replay a.blg --webhook "$url"
status 0
err_says --webhook 127.0.0.1 403
case $err in *SECRET*) bad 'the URL is shown' ;; *) ok ;; esac
for wrong in ftp://host/x nothing http:// http://user:password@host/; do
	run watch "$slow" --replay a.blg --webhook $wrong
	status 2
	case $err in *password@*) bad 'the URL is shown' ;; *) ok ;; esac
done
serve hang
start --webhook "$url"
threads 200
await test -e begun # the first alert waits for the server, and the second for the first
threads 120
await has_lines 2 live.json
stop
has_text '1 alert was dropped' && ok || bad "$(cat live.err)"

# ---- --journal ----------------------------------------------------------------------------------------

grep -q 'was built without' < <("$PMON_BIN" watch "$slow" a.blg --journal 2>&1 </dev/null) && { finish; exit; }
mkdir lib
cat >journal.c <<'C'
#include <stdio.h>
#include <sys/uio.h>
int
sd_journal_sendv(const struct iovec *parts, int n)
{
	FILE *file = fopen("entries", "a");

	for (int i = 0; i < n; i++)
		fprintf(file, "%.*s\n", (int)parts[i].iov_len, (const char *)parts[i].iov_base);
	fclose(file);
	return 0;
}
C
"${CC:-cc}" -shared -fPIC -o lib/libsystemd.so.0 journal.c 2>/dev/null || { finish; exit; }
export LD_LIBRARY_PATH=$PWD/lib
run watch "$slow" --replay a.blg --journal
status 0
same 'entries' "$(grep -cE '^SYSLOG_IDENTIFIER=pmon$' entries)" 2
same 'their fields' "$(head -4 entries)" 'MESSAGE=warning begins: \\SERVER\PhysicalDisk(0 C:)\Avg. Disk sec/Read: 150 ms (limit > 75ms) since 2026-11-20T15:00:00Z
PRIORITY=4
SYSLOG_IDENTIFIER=pmon
PMON_MESSAGE=warning begins: \\SERVER\PhysicalDisk(0 C:)\Avg. Disk sec/Read: 150 ms (limit > 75ms) since 2026-11-20T15:00:00Z'
same 'the priority of the end' "$(grep ^PRIORITY entries | tail -1)" 'PRIORITY=6'
unset LD_LIBRARY_PATH

# ---- The log is read in the sandbox, commands run outside of it ---------------------------------------

run watch "$slow" --replay a.blg --exec 'echo outside >/proc/self/comm; touch here'
[ -e here ] && ok || bad 'the command cannot write'

# ---- Memory does not grow with the number of alerts ---------------------------------------------------

cat >memory.py <<'PYTHON'
import os, subprocess
def peak(samples):
    with open("memory.csv", "w") as file:
        file.write('"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\Memory\\Available MBytes"\r\n')
        for t in range(samples):
            file.write('"11/%02d/2026 %02d:%02d:%02d.000","%d"\r\n'
                       % (1 + t // 86400, t // 3600 % 24, t // 60 % 60, t % 60, (9, 1, 1)[t % 3]))
    child = subprocess.Popen([os.environ["PMON_BIN"], "watch", r"\Memory\Available MBytes > 5", "memory.csv",
                              "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = sum(1 for _ in child.stdout)
    return lines, os.wait4(child.pid, 0)[2].ru_maxrss
few, many = peak(3000), peak(90000)
print(few[0], many[0], many[1] - few[1] < 2048)
PYTHON
# Sanitizers keep freed memory.
grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" ||
	same 'alerts, and memory' "$(python3 memory.py)" '2000 60000 True'

finish
