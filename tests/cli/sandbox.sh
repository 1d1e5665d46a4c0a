#!/usr/bin/env bash
# sandbox.sh - verbs that read run in the sandbox, with the same output; --no-sandbox turns it off
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg
[ -r /proc/self/status ] && grep -q ^Seccomp: /proc/self/status || skip 'no seccomp here'
grep -q '^PMON_HAS_CALLFILTER:INTERNAL=1' "$PMON_BUILD_DIR/CMakeCache.txt" || skip 'no filter of system calls for this machine'
grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt" && skip 'sanitizers'

# Into $seen.
seccomp_of() {
	local name value

	seen=
	while read -r name value; do
		[[ $name != NoNewPrivs: && $name != Seccomp: ]] || seen+="$value "
	done <"/proc/$1/status"
}
# Before main() the process is this shell; it waits for input in the end.
is_so() { seccomp_of "$2" && [ "$seen" = "$1" ] && [ "$(<"/proc/$2/comm")" != bash ]; }

# state WANTED VERB...: NoNewPrivs and Seccomp of pmon while it waits for its input
mkfifo input
state() {
	local pid seen

	ran="pmon ${*:2} -"
	"$PMON_BIN" "${@:2}" - <input >seen.out 2>seen.err &
	pid=$!
	exec 3>input # pmon has begun
	wait_for is_so "$1" "$pid"
	seccomp_of "$pid"
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

# What the shell has open the process that parses closes, whatever its number.
(ulimit -Sn 4096 && exec "$PMON_BIN" stats - <input >seen.out 7<a.blg 2000<a.blg) &
pid=$!
exec 3>input
wait_for is_so '1 2 ' "$pid"
same 'inherited descriptors' "$(find "/proc/$pid/fd" -lname '*/a.blg')" ''
exec 3>&-
wait $pid

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

# Every kind of input.
"$PMON_BIN" relog a.blg -f csv -o a.csv -y >/dev/null
echo '\Memory\*' >patterns
printf 'a.csv\na.blg\n' >list
echo '\Memory\Available Bytes;PERF_COUNTER_LARGE_RAWCOUNT' >types
printf 'rule x {\n}\n' >rules
ln -s a.blg link.blg
mkfifo fifo
# A database that a program writes: its newest part is in a write-ahead log with an index in shared memory.
cp a.db wal.db
python3 - <<'PYTHON'
import os, sqlite3
db = sqlite3.connect("wal.db")
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE more (x)")
db.commit()
os._exit(0)
PYTHON
[ -s wal.db-wal ] && [ -s wal.db-shm ] && ok || bad 'no write-ahead log'
ln -s wal.db link.db
# Its program was killed while it made the index: nothing of it, a part of it, one of its two headers; or before its
# first commit, when the log has no more than its own header.
run stats wal.db
whole=$out
for bytes in 0:0 0:64 0:32768 12:1 48:48 13:1; do
	cp wal.db killed.db
	cp wal.db-wal killed.db-wal
	cp wal.db-shm killed.db-shm
	[ $bytes = 0:0 ] && : >killed.db-shm ||
		dd if=/dev/zero of=killed.db-shm bs=1 seek=${bytes%:*} count=${bytes#*:} conv=notrunc 2>/dev/null
	for how in '' --no-sandbox; do
		# shellcheck disable=SC2086
		run stats $how killed.db
		status 0
		out_is "$whole"
	done
	rm killed.db*
done
cp a.db killed.db
python3 - <<'PYTHON'
import os, sqlite3, struct
db = sqlite3.connect("killed.db")
db.execute("PRAGMA journal_mode = WAL")
db.execute("SELECT * FROM sqlite_master").fetchall() # makes the index
open("killed.db-shm.copy", "wb").write(open("killed.db-shm", "rb").read())
db.execute("CREATE TABLE more (x)")
db.commit()
log = open("killed.db-wal", "rb").read()
os.rename("killed.db-shm.copy", "killed.db-shm")
open("killed.db-wal", "wb").write(log[:32])
os._exit(0)
PYTHON
run stats a.db
whole=$out
for size in 32 31 0; do
	truncate -s $size killed.db-wal
	for how in '' --no-sandbox; do
		cp killed.db killed_too.db
		cp killed.db-wal killed_too.db-wal
		cp killed.db-shm killed_too.db-shm
		# shellcheck disable=SC2086
		run stats $how killed_too.db
		status 0
		out_is "$whole"
		rm killed_too.db*
	done
done
rm killed.db*
cp wal.db alone.db
cp wal.db-wal alone.db-wal
want=
set -f
while read -r words; do
	for options in --no-sandbox ''; do
		rm -rf new && mkdir new
		# shellcheck disable=SC2086 # words
		run $words $options
		same "$words $options" "$status $out $err $(cat new/* 2>/dev/null | cksum)" \
			"${want:=$status $out $err $(cat new/* 2>/dev/null | cksum)}"
	done
	want=
done <<'WORDS'
stats a.blg
stats ./a.blg
stats link.blg
stats a.db
stats wal.db
stats link.db
stats alone.db
values wal.db --format csv
stats plain.csv.gz
stats a.blg -cf patterns
stats @list
stats a.blg a.csv
values a.csv --known-types types
rules a.blg --rules rules
relog a.blg -cf patterns -q
relog a.blg -q -o new/list
relog a.blg -f csv -o new/a.csv
relog a.blg -f SQL -o new/a.db
relog a.blg -f SQL -o new/a
relog a.blg plain.csv.gz -f tsv -o new
relog a.blg -f bin -o new/
relog wal.db -f jsonl -o new/a.jsonl
relog a.blg -f OPENMETRICS -o new/a.om
chart a.blg -o new/c.svg -y
WORDS
set +f
run stats fifo < <(cat a.blg >fifo)
status 0
run stats /dev/fd/7 7<a.blg
status 0
run stats <(cat a.blg)
status 0
"$PMON_BIN" stats /dev/stdin <a.blg >/dev/null && ok || bad '/dev/stdin'
TZ=America/New_York run values a.csv
status 0

# What is added to is read first.
for format in csv SQL bin; do
	from=a.blg
	[ $format = csv ] && from=a.csv
	run relog a.blg -f $format -o "added.$format" -y
	run relog "$from" -f $format -o "added.$format" -a -y
	status 0
	"$PMON_BIN" relog a.blg -f $format -o "added2.$format" -y >/dev/null
	"$PMON_BIN" relog "$from" -f $format -o "added2.$format" -a -y --no-sandbox >/dev/null
	same "-a, $format" "$("$PMON_BIN" values "added.$format" | cksum)" "$("$PMON_BIN" values "added2.$format" | cksum)"
done

# The file that is replaced gives its mode, as without.
chmod 640 added.csv
run relog a.blg -f csv -o added.csv -y
same 'mode' "$(stat -c %a added.csv)" 640

# Nothing is left when a signal ends it.
rm -rf new && mkdir new
mkfifo slow
"$PMON_BIN" relog a.blg slow -f csv -o new/killed.csv >/dev/null 2>&1 &
pid=$!
exec 3>slow
kill -TERM $pid
wait $pid
same 'status after SIGTERM' $? 143
exec 3>&-
same 'files that are left' "$(ls new)" ''

# ---- A defect lets a log run code -------------------------------------------------------------

printf '#include <sys/syscall.h>\n#include <unistd.h>\nint main(void) { return syscall(444, 0, 0, 1u) < 1; }\n' >has.c
"${CC:-cc}" -D_GNU_SOURCE has.c -o has || exit 1
./has || finish # no Landlock
"${CC:-cc}" -shared -fPIC -I"$PMON_SOURCE_DIR" -I"$PMON_SOURCE_DIR/src" -I"$PMON_SOURCE_DIR/include" \
	"$PMON_SOURCE_DIR/tests/cli/taken.c" -o taken.so || exit 1
mkdir home work logs
cp a.blg a.db wal.db wal.db-wal wal.db-shm a.csv plain.csv.gz logs
cp added.bin logs/added.blg
cp a.csv logs/other
echo secret >home/secret
export SECRET=$tmp/home/secret OTHER=$tmp/logs/other INPUT=$tmp/logs/a.blg FOLDER=$tmp/logs OUTPUT=$tmp/work/out HOME=$tmp/home
tree() { find home logs -printf '%p %m %u %s %T@\n' | sort; }

# taken WHAT-TO-LOAD...: what code in the process that reads could do
taken() {
	local before

	before=$(tree)
	head -c 65536 /dev/zero >said
	ran="pmon $*"
	(cd work && TAKEN=$tmp/said LD_PRELOAD=$tmp/taken.so "$PMON_BIN" "$@" >out.txt 2>err.txt)
	same 'what it could do' "$(tr -d '\0' <said)" 'looked '
	same 'files' "$(tree)" "$before"
}
"$PMON_BIN" push --to clickhouse+http://127.0.0.1:9/db --dry-run a.blg >push.txt 2>&1
for words in 'info LOG' 'list LOG' 'stats LOG' 'values LOG' 'raw LOG' 'find \Memory\*<1 LOG' 'health LOG' 'trend LOG' 'explain LOG -c \Memory\*' \
	'changes LOG --at 15:00:30' 'rules LOG' 'diff LOG LOGS/a.csv' 'watch --replay LOG' 'stats LOGS/a.db' 'stats LOGS/wal.db' \
	'stats LOGS/plain.csv.gz' 'stats @LIST' 'relog LOG -q' 'relog LOG -f csv -o - -y' 'relog LOG -f csv -o out.csv -y' \
	'relog LOG -f SQL -o out.db -y' 'relog LOG -f csv -o . -y' 'relog LOG -f bin -o added.blg -a -y' \
	'relog LOG -f OPENMETRICS -o out.om -y' 'report LOG -y' 'report LOG -o out.html -y' 'chart LOG -y' \
	'chart LOG -o out.png -y' 'chart LOG -o out.pdf -y' 'push --to clickhouse+http://127.0.0.1:9/db --retry 1ms LOG'; do
	case $words in push*) grep -q 'no libcurl' push.txt && continue ;; esac
	words=${words//LOGS/$tmp\/logs}
	words=${words//LOG/$tmp\/logs\/a.blg}
	words=${words//LIST/$tmp\/list2}
	printf '%s\n' "$tmp/logs/a.csv" >list2
	cp added.bin work/added.blg
	set -f
	# shellcheck disable=SC2086 # words
	taken $words
	set +f
done

# Messages to the process that opens files that are no requests: each question, in each size.
before=$(tree)
head -c 65536 /dev/zero >said
want=
for question in 0 1 2 3 4 5 6 99; do
	for size in 0 1 2 3 4 5; do
		ran="pmon relog, odd message $question$size"
		(cd work && ODD=$question$size TAKEN=$tmp/said LD_PRELOAD=$tmp/taken.so "$PMON_BIN" relog "$tmp/logs/a.blg" -f csv -o out.csv -y) >/dev/null 2>&1
		want+='looked '
	done
done
same 'what they could do' "$(tr -d '\0' <said | tr -d '\n')" "$want"
same 'files' "$(tree)" "$before"

# ---- Kernels that lack a part --------------------------------------------------------------------

# without NUMBER COMMAND...: the kernel says that it has no such call
cat >without.c <<'C'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int n, char **words)
{
	struct sock_filter list[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(words[1]), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, list};
	if (n < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 99;
	execvp(words[2], words + 2);
	return 98;
}
C
printf '#include <sys/syscall.h>\nint n = SYS_seccomp;\n' | "${CC:-cc}" -E -P -xc - | sed -n 's/^int n = \(.*\);/\1/p' >seccomp
"${CC:-cc}" without.c -o without || exit 1
want=$("$PMON_BIN" stats a.blg)
for lacks in 444 "$(cat seccomp)"; do
	ran="pmon stats a.blg, without the call $lacks"
	out=$(./without "$lacks" "$PMON_BIN" stats a.blg -v 2>err)
	same output "$out" "$want"
	grep -q '^pmon: the sandbox: ' err && ok || bad "$(cat err)"
	./without "$lacks" "$PMON_BIN" relog a.blg -f SQL -o lacking.db -y >/dev/null && ok || bad 'relog'
	out=$(./without "$lacks" "$PMON_BIN" stats a.blg 2>&1 >/dev/null)
	same 'message without -v' "$out" ''
done
"$PMON_BIN" stats a.blg -v 2>&1 | grep 'sandbox' && bad 'a message without need' || ok

# Without Landlock files can be read, no more.
head -c 65536 /dev/zero >said
before=$(tree)
TAKEN=$tmp/said LD_PRELOAD=$tmp/taken.so ./without 444 "$PMON_BIN" relog logs/a.blg -f csv -o work/less.csv -y >/dev/null 2>&1
same 'what it could do without Landlock' "$(tr -d '\0' <said | grep -v '^open /\|^list ')" 'looked '
same 'files' "$(tree)" "$before"
finish
