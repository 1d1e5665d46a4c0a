#!/usr/bin/env bash
# pager.sh - what is shown in the pager, and when there is none
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
make_log average server.blg

# on_terminal WORDS...: run pmon with all three streams on a terminal of 40 columns; what is printed there goes to $out.
on_terminal() {
	ran="pmon $*"
	rm -f shown
	out=$(python3 - "$PMON_BIN" "$@" <<'PYTHON'
import fcntl, os, pty, struct, subprocess, sys, termios
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 40, 0, 0))
child = subprocess.Popen(sys.argv[1:], stdin=slave, stdout=slave, stderr=slave)
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
sys.stdout.buffer.write(seen.replace(b"\r\n", b"\n"))
sys.exit(child.wait())
PYTHON
	)
	status=$?
}
no_pager() { [ ! -e shown ] && ok || bad 'the pager was started'; }

# The pager gets what the terminal would: the same width, the same colours, no control characters.
for words_text in 'values server.blg' 'stats server.blg' 'server.blg' 'stats --help' 'info server.blg'; do
	read -ra words <<<"$words_text"
	PAGER='cat >shown' on_terminal "${words[@]}"
	status 0
	same 'beside the pager' "$out" ''
	shown=$(<shown)
	[[ $words_text != *--help ]] || continue
	on_terminal "${words[@]}" --no-pager
	no_pager
	same 'in the pager' "$shown" "$out"
done

PAGER='printf "%s" "$LESS" >shown; cat >all' on_terminal stats server.blg
same LESS "$(<shown)" FRX
LESS=M PAGER='printf "%s" "$LESS" >shown; cat >all' on_terminal stats server.blg
same LESS "$(<shown)" M

# The user leaves it before the end.
PAGER='head -n 1 >shown' on_terminal values server.blg
same 'beside the pager' "$out" ''

# Ctrl-C is for the pager: pmon, whose output is longer than a pipe, waits for it.
awk 'BEGIN { print "\"(PDH-CSV 4.0)\",\"\\\\S\\M\\C\""; for (i = 0; i < 20000; i++) printf "\"11/20/2026 %02d:%02d:%02d\",\"%d\"\n", i / 3600, i / 60 % 60, i % 60, i }' >long.csv
PAGER='trap "" INT; : >began; while [ ! -e go ]; do sleep 0.05; done; cat >shown' python3 - "$PMON_BIN" values long.csv <<'PYTHON' && ok || bad 'pmon left its pager alone'
import fcntl, os, pty, signal, struct, subprocess, sys, termios, time
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 40, 0, 0))
child = subprocess.Popen(sys.argv[1:], stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
while not os.path.exists("began"):
    time.sleep(0.05)
os.killpg(child.pid, signal.SIGINT)
try:
    child.wait(1)
    sys.exit("it ended before its pager")
except subprocess.TimeoutExpired:
    open("go", "w").close()
child.wait()
sys.exit(not os.path.exists("shown"))
PYTHON

for PAGER in '' cat; do
	on_terminal stats server.blg
	status 0
	[[ $out == *Counter* ]] && ok || bad "$out"
done

PAGER='cat >shown' on_terminal stats -n 1 -i 100ms -c '\Memory\Available Bytes'
no_pager
PAGER='cat >shown' run stats server.blg
no_pager
PAGER=/nowhere/less on_terminal info server.blg
[[ $out == */nowhere/less* ]] && ok || bad "$out"

finish
