#!/usr/bin/env bash
# sandbox.sh - verbs that read run in the sandbox, with the same output; --no-sandbox turns it off
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
make_log average a.blg
[ -r /proc/self/status ] && grep -q ^Seccomp: /proc/self/status || skip 'no seccomp here'
grep -q '^PMON_HAS_CALLFILTER:INTERNAL=1' "$PMON_BUILD_DIR/CMakeCache.txt" || skip 'no filter of system calls for this machine'
grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" && skip 'sanitizers'

seccomp_of() { sed -n 's/^\(NoNewPrivs\|Seccomp\):\t//p' "/proc/$1/status" 2>/dev/null | tr '\n' ' '; }
# Before main() the process is this shell; it waits for input in the end.
is_so() { [ "$(seccomp_of "$2")" = "$1" ] && [ "$(cat "/proc/$2/comm")" != bash ]; }

# state WANTED VERB...: NoNewPrivs and Seccomp of pmon while it waits for its input
mkfifo input
state() {
	local pid seen

	ran="pmon ${*:2} -"
	"$PMON_BIN" "${@:2}" - <input >seen.out 2>seen.err &
	pid=$!
	exec 3>input # pmon has begun
	wait_for is_so "$1" "$pid"
	seen=$(seccomp_of "$pid")
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

# ---- Reading --------------------------------------------------------------------------------

# Every kind of input, in a folder that is not one for temporary files.
printf '#include <sys/syscall.h>\n#include <unistd.h>\nint main(void) { return syscall(444, 0, 0, 1u) < 1; }\n' >has.c
"${CC:-cc}" -D_GNU_SOURCE has.c -o has || exit 1
./has || finish # no Landlock
away=
for parent in "$PMON_BUILD_DIR" "$HOME" /dev/shm; do
	case $(realpath "$parent")/ in
	/tmp/* | /var/tmp/* | "${TMPDIR:-/tmp}"/*) continue ;;
	esac
	away=$(mktemp -d "$parent/pmon-sandbox.XXXXXX" 2>/dev/null) && break
done
[ -n "$away" ] || finish # all that can be written is for temporary files
trap 'rm -rf "$tmp" "$away"' EXIT
cp a.blg a.db plain.csv.gz "$away"
"$PMON_BIN" relog a.blg -f csv -o "$away/a.csv" >/dev/null
echo '\Memory\*' >"$away/patterns"
echo a.csv >"$away/list"
echo '\Memory\Available Bytes;PERF_COUNTER_LARGE_RAWCOUNT' >"$away/types"
printf 'rule x {\n}\n' >"$away/rules"
cd "$away" || exit 1
ln -s a.blg link.blg
set -f
while read -r words; do
	# shellcheck disable=SC2086 # words
	run $words
	want="$status $out $err"
	# shellcheck disable=SC2086
	run $words --no-sandbox
	same "$words, with and without a sandbox" "$want" "$status $out $err"
done <<'WORDS'
stats a.blg
stats link.blg
stats a.db
stats plain.csv.gz
stats a.blg -cf patterns
stats @list
values a.csv --known-types types
rules a.blg --rules rules
relog a.blg -cf patterns -q
chart a.blg -o chart.svg -y
report a.blg -o report.html -y
WORDS
set +f

# A defect lets a log run code: here the code is a library that looks around when the verb has done its work.
cat >taken.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
__attribute__((destructor)) static void look(void)
{
	char path[4200];
	snprintf(path, sizeof(path), "%s.new", getenv("SECRET"));
	fprintf(stderr, "reads %d, writes %d, makes %d, connects %d\n", open(getenv("SECRET"), O_RDONLY) >= 0,
		open(getenv("SECRET"), O_WRONLY) >= 0, open(path, O_WRONLY | O_CREAT, 0600) >= 0,
		socket(AF_INET, SOCK_STREAM, 0) >= 0);
}
C
"${CC:-cc}" -shared -fPIC taken.c -o "$tmp/taken.so" || exit 1
mkdir home
echo secret >home/id_rsa
for words in 'stats a.blg' 'values a.csv' 'info a.db' 'rules a.blg' 'relog a.blg -f csv -o - -y' "relog a.blg -f csv -o $tmp/x.csv -y"; do
	ran="pmon $words"
	# shellcheck disable=SC2086 # words
	SECRET=$away/home/id_rsa LD_PRELOAD=$tmp/taken.so "$PMON_BIN" $words >/dev/null 2>seen
	same "$words" "$(grep ^reads seen)" 'reads 0, writes 0, makes 0, connects 0'
	# shellcheck disable=SC2086
	SECRET=$away/home/id_rsa LD_PRELOAD=$tmp/taken.so "$PMON_BIN" $words --no-sandbox >/dev/null 2>seen
	same "$words --no-sandbox" "$(grep ^reads seen)" 'reads 1, writes 1, makes 1, connects 1'
	rm -f home/id_rsa.new
done
finish
