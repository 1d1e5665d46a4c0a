# lib.sh - what the tests of the command line share; to be sourced
# SPDX-License-Identifier: MIT
#
#	run stats a.blg                  runs pmon; $out, $err and $status are its results
#	status 0                         each check reports what is wrong, and the script continues
#	out_has 'Average'                a fixed text, anywhere in it
#	out_is 'text'                    the whole, but for the last newline
#	err_says a.blg '1 counter'       a line of it has each of these as words: numbers, names and terms, not sentences
#	err_says_only a.blg              the same, and nothing else is said
#	make_log average a.blg           a small log, see make_log.c
#	make_incident a.csv              a log with one incident
#	wait_for COMMAND...              until it succeeds: nothing is known of how fast a machine is
#	finish                           the exit code of the script

set -uo pipefail
export LC_ALL=C TZ=UTC0
unset NO_COLOR

tmp=$(mktemp -d)
export XDG_STATE_HOME=$tmp/state-home # nothing of the tests is kept in that of the user
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

checks=0
failures=0
out=
err=
status=
ran=

run() {
	ran="pmon $*"
	status=0
	"$PMON_BIN" "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null || status=$?
	{ out=$(<"$tmp/.out") && err=$(<"$tmp/.err"); } 2>/dev/null # bash drops NUL bytes, and would say so
}

ok() { checks=$((checks + 1)); }

bad() {
	checks=$((checks + 1))
	failures=$((failures + 1))
	printf '%s:%s: %s\n  %s\n' "${0##*/}" "${BASH_LINENO[${#FUNCNAME[@]} - 2]}" "$ran" "$*"
}

status() {
	[ "$status" = "$1" ] && ok || bad "exit status $status, not $1; stderr: $err"
}

out_has() {
	case $out in
	*"$1"*) ok ;;
	*) bad "exit status $status; stdout lacks '$1': $(head -c 600 <<<"$out"); stderr: $err" ;;
	esac
}

out_lacks() {
	case $out in
	*"$1"*) bad "stdout has '$1'" ;;
	*) ok ;;
	esac
}

out_is() {
	[ "$out" = "$1" ] && ok || bad "stdout is '$(head -c 600 <<<"$out")', not '$1'"
}

err_has() {
	case $err in
	*"$1"*) ok ;;
	*) bad "stderr lacks '$1': $(head -c 600 <<<"$err")" ;;
	esac
}

err_is() {
	[ "$err" = "$1" ] && ok || bad "stderr is '$(head -c 600 <<<"$err")', not '$1'"
}

# line_says LINE FACT...: it has each fact, and not as a part of a longer word or number. Messages may be worded
# in another way, so a test asks for what they must tell: numbers, names and the terms of the field.
line_says() {
	local line=" $1 " fact left right

	for fact in "${@:2}"; do
		left='' right=''
		[[ $fact != [[:alnum:]]* ]] || left='[^[:alnum:]_.]'
		[[ $fact != *[[:alnum:]] ]] || right='[^[:alnum:]_]'
		[[ $line =~ $left"$fact"$right ]] || return 1
	done
}

says() { # TEXT FACT...
	local line

	while IFS= read -r line; do
		line_says "$line" "${@:2}" && return
	done <<<"$1"
	return 1
}

out_says() { says "$out" "$@" && ok || bad "exit status $status; no line of stdout has all of: $*: $(head -c 600 <<<"$out")"; }
err_lacks() { case $err in *"$1"*) bad "stderr has '$1'" ;; *) ok ;; esac; }
err_says() { says "$err" "$@" && ok || bad "no line of stderr has all of: $*: $(head -c 600 <<<"$err")"; }
err_says_only() { # exactly one line
	[[ $err != *$'\n'* ]] && line_says "$err" "$@" && ok || bad "stderr is not one line with: $*: $(head -c 600 <<<"$err")"
}

# same WHAT A B: two texts are equal
same() {
	[ "$2" = "$3" ] && ok || bad "$1: '$(head -c 300 <<<"$2")' and '$(head -c 300 <<<"$3")'"
}

skip() {
	echo "skipped: $*"
	exit 77
}

need() {
	command -v "$1" >/dev/null 2>&1 || skip "$1 is not here"
}

# wait_for COMMAND...: until it succeeds, which a busy machine may need a minute for. It fails after two.
wait_for() {
	local end=$((SECONDS + 120))

	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.02
	done
}
has_lines() { [ "$(wc -l <"$2")" -ge "$1" ]; } # NUMBER FILE
is_gone() { ! kill -0 "$1" 2>/dev/null; }      # PROCESS

# The real logs, in $data.
need_data() {
	data=${PMON_TEST_DATA:-}/blg
	[ -r "$data/pal-SampleLog.blg" ] || skip "the real logs are not in PMON_TEST_DATA"
}

# make_incident FILE: a log in which the processor is busy for a while.
# Two hours, a sample every 15 seconds. From 11:00 to 11:10 backupd takes 300 of 400 % and the processor is at 95 %,
# otherwise 20 %; the queue grows from 1 to 12. Values vary by a few percent.
make_incident() {
	awk 'BEGIN {
		n = split("\\Processor(_Total)\\% Processor Time|\\System\\Processor Queue Length|" \
			"\\Process(backupd)\\% Processor Time|\\Process(w3wp)\\% Processor Time|" \
			"\\Process(w3wp#1)\\% Processor Time|\\Process(_Total)\\% Processor Time|" \
			"\\Process(backupd)\\ID Process|\\Process(w3wp)\\ID Process|\\Process(w3wp#1)\\ID Process|" \
			"\\Process(_Total)\\ID Process", path, "|")
		printf "\"(PDH-CSV 4.0) (UTC)(0)\""
		for (i = 1; i <= n; i++) printf ",\"\\\\APP07%s\"", path[i]
		printf "\r\n"
		for (t = 0; t < 480; t++) {
			busy = t >= 240 && t < 280
			w = (t * 7919 % 13) / 10
			printf "\"03/09/2026 %02d:%02d:%02d.000\"", 10 + t / 240, t / 4 % 60, t % 4 * 15
			printf ",\"%g\",\"%d\",\"%g\",\"%g\",\"%g\",\"%g\",\"41\",\"42\",\"43\",\"0\"\r\n", \
				(busy ? 95 : 20) + w, busy ? 12 : 1, (busy ? 300 : 4) + w, 40 + w, 30 + w, 400
		}
	}' >"$1"
}

# Compiled once for a build, not by each test.
make_log() {
	local folder=${PMON_BUILD_DIR-}/tests

	[ -w "$folder" ] || folder=$tmp
	make_log_is_new "$folder/make_log" || compile_make_log "$folder/make_log"
	"$folder/make_log" "$@" || exit 1
}

make_log_sources=("$PMON_SOURCE_DIR"/tests/{cli/make_log.c,support/blg_build.c,support/blg_build.h})

make_log_is_new() {
	local source

	for source in "${make_log_sources[@]}"; do
		[ "$1" -nt "$source" ] || return 1
	done
}

# Other tests may do the same now, and run what is there.
compile_make_log() {
	"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -I "$PMON_SOURCE_DIR/tests/support" \
		"${make_log_sources[@]:0:2}" -o "$1.$$" && mv "$1.$$" "$1" || {
		echo "make_log.c does not compile"
		exit 1
	}
}

# The interpreter itself, not a version manager's shim, which takes longer to start than most scripts run. A shell function
# would not do: killing $! would end the subshell and leave the interpreter running. Nor would a link in $tmp: tests
# complete and list what is there.
if [ -x "${PMON_PYTHON3:-}" ] && [ "$(command -v python3)" != "$PMON_PYTHON3" ]; then
	PATH=${PMON_PYTHON3%/*}:$PATH
fi
# Scripts need the standard library only. Looking for other packages takes longer than they run.
shopt -s expand_aliases
alias python3='python3 -S'

# A terminal of a test has nobody who would leave a pager.
export PAGER=cat

# in_terminal FILE COMMAND...: run with standard output and error on a terminal, whose bytes go to
# FILE; with ONLY_ERR=1 standard error alone is the terminal.
in_terminal() {
	python3 - "$@" <<'PYTHON'
import fcntl, os, pty, struct, subprocess, sys, termios
master, slave = pty.openpty()
columns = int(os.environ.get("COLUMNS_WANTED", "200"))
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
stdout = subprocess.DEVNULL if os.environ.get("ONLY_ERR") else slave
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=stdout, stderr=slave)
os.close(slave)
seen = b""
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
with open(sys.argv[1], "wb") as file:
    file.write(seen.replace(b"\r\n", b"\n"))
sys.exit(child.wait())
PYTHON
}

# answer TEXT COMMAND...: run pmon on a terminal, all three streams of it, where TEXT is typed: a line after
# the question, keys after the first output. It sets $out, $err ("", it is in $out) and $status
answer() {
	ran="pmon ${*:2}"
	status=0
	err=
	out=$(python3 - "$1" "$PMON_BIN" "${@:2}" <<'PYTHON'
import fcntl, os, pty, re, signal, struct, subprocess, sys, termios, time
signal.alarm(120)  # a second question gets no answer
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
reply = sys.argv[1].encode().decode("unicode_escape").replace("\n", "\r").encode()
question = b"[y/N] " if reply.endswith(b"\r") else b""
if not question:  # keys that come while a message is printed would stand in it
    modes = termios.tcgetattr(slave)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(slave, termios.TCSANOW, modes)
child = subprocess.Popen(sys.argv[2:], stdin=slave, stdout=slave, stderr=slave)
os.close(slave)
seen = b""
while True:
    try:
        part = os.read(master, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
    # Wine hides the cursor for each letter, and moves it on for a blank
    seen = re.sub(rb"\x1b\[\?25[lh]", b"", seen).replace(b"\x1b[K\x1b[1C", b" ")
    if reply and question in seen:
        while question and "WINEPREFIX" in os.environ and termios.tcgetattr(master)[0] & termios.ICRNL:
            time.sleep(0.01)  # Wine reads the terminal from then on
        os.write(master, reply)
        reply = b""
sys.stdout.buffer.write(seen.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n"))
sys.exit(child.wait())
PYTHON
	) || status=$?
}

finish() {
	[ -d "${PMON_TEST_DATA:-}" ] || ! grep -qs '^[^#]*PMON_TEST_DATA' "$0" || echo 'without PMON_TEST_DATA: shortened'
	echo "$checks checks, $failures failed"
	[ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
	exit
}

# process_log COUNTER: JSON lines of one instance, \\BOX\Process(x), from lines "SECOND PID COUNT" on
# standard input, with the counters that identify the process
process_log() {
	local counter=$1 second pid count

	while read -r second pid count; do
		process_value "$counter" PERF_COUNTER_BULK_COUNT 10000000 "$second" "$count" \
			$((133485408000000000 + second * 10000000)) # 2024-01-01T00:00:00Z
		process_value 'ID Process' PERF_COUNTER_RAWCOUNT 0 "$second" "$pid" 0
	done
}

process_value() { # COUNTER TYPE TIME_BASE SECOND FIRST SECOND_VALUE
	printf '{"path":"\\\\\\\\BOX\\\\Process(x)\\\\%s","type":"%s","time_base":%d,"time":"2024-01-01T00:00:0%dZ","status":"valid_data","first":%s,"second":%s,"multi":1}\n' \
		"$@"
}
