#!/usr/bin/env bash
# here.sh - pmon without a file, and pmon health of this machine: pressure, resources, and who uses most of them
# SPDX-License-Identifier: MIT
#
# tests/cli/health_now.sh has what is beyond a limit.
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"

need python3

# json EXPRESSION: of the document d
json() {
	python3 -c 'import json, sys; d = json.loads(sys.argv[1]); print(eval(sys.argv[2]))' "$out" "$1"
}

# ---- Recorded trees: the numbers are known --------------------------------------------------------------

# Two processors have 200 ticks of 10 ms each second. 100 of them are user time, so 50 % is in use.
make_trees run
for i in 0 1 2; do
	seconds=$((i + (i == 2)))
	ticks=$((5000 + 100 * seconds))
	mkdir run/$i/proc/pressure
	printf 'some avg10=12.00 avg60=3.25 avg300=0.00 total=%d\n' $((seconds * 1000)) >run/$i/proc/pressure/cpu
	{
		printf 'cpu  %d 0 0 %d 0 0 0 0 0 0\n' "$ticks" "$ticks"
		printf 'cpu0 %d 0 0 %d 0 0 0 0 0 0\n' "$ticks" 5000
		printf 'cpu1 5000 0 0 %d 0 0 0 0 0 0\n' "$ticks"
		printf 'ctxt 1\nprocesses %d\nprocs_running 3\n' $((7 + 5 * seconds))
	} >run/$i/proc/stat
	printf 'MemTotal: 1000000 kB\nMemFree: 100000 kB\nMemAvailable: 250000 kB\n' >run/$i/proc/meminfo
done
run health --replay run
status 0
for row in 'Pressure|10 s|60 s|300 s' 'cpu some|12 %|3.3 %|0 %' 'processors|50 %|3 threads run or are ready, 0.2 load' 'memory|75 %'; do
	grep -q "^${row//|/  *} *$" <<<"$out" && ok || bad "no row $row: $out"
done
out_has '5 started a second'
run health --replay run --format markdown
out_has '| processors |'
run health --replay run --format json
status 0
same 'as JSON' "$(json '[(r["resource"], round(r["used"], 6)) for r in d["state"]["resources"] if r["used"]], d["state"]["pressure"]')" \
	"([('processors', 50), ('memory', 75)], [{'resource': 'cpu some', 'avg10': 12, 'avg60': 3.25, 'avg300': 0}])"
# It is left out when only some rules or a table were asked for.
run health --replay run --pack linux
out_lacks Resource
run health --replay run --format csv
out_lacks Resource

# ---- A root with one process ----------------------------------------------------------------------------

# As another machine's is mounted. 240 of 256 files are open, and its group has 900 of 1,000 MB.
process=root/proc/77
mkdir -p root/etc "$process/fd" 'root/sys/fs/cgroup/system.slice/shop.service'
cp -r run/0/proc/* root/proc/
printf '77 (shop) D 1 77 77 0 -1 0 0 0 0 0 10 10 0 0 20 0 1 0 100 1000000 2048 0\n' >$process/stat
printf '250 2048 10 0 0 0 0\n' >$process/statm
printf 'shop\0--port\0%s\0' $'80\e[2J' >$process/cmdline
printf 'Name:\tshop\nUid:\t0\t1234\t0\t0\n' >$process/status
printf '12:cpu:/x\n0::/system.slice/shop.service\n' >$process/cgroup
printf 'Limit                     Soft Limit           Hard Limit           Units\nMax open files            256                  4096                 files\n' >$process/limits
touch $process/fd/{1..240}
printf 'root:x:0:0::/:/bin/sh\nclerk:x:1234:1234::/:/bin/sh\n' >root/etc/passwd
printf '1048576000\n' >root/sys/fs/cgroup/system.slice/shop.service/memory.max
printf '943718400\n' >root/sys/fs/cgroup/system.slice/shop.service/memory.current

run health --root root -i 100ms -n 2
status 0
row=$(grep '^memory  *shop' <<<"$out")
same 'who it is' "$(sed 's/   */|/g' <<<"$row")" 'memory|shop (77)|8 MB|clerk|shop.service|shop --port 80�[2J'
out_has 'shop (77) has 240 of at most 256 open files'
out_has 'shop (77): its group shop.service uses 900 MB of at most 1,000 MB'
out_has 'shop (77) is blocked in the kernel (state D)'
run health --root root -i 100ms -n 2 --format json
same 'as JSON' "$(json '[(p["by"], p["pid"], p["used"], p["user"], p["group"], p["command"]) for p in d["state"]["busiest"]]')" \
	"[('memory', 77, 8388608, 'clerk', 'shop.service', 'shop --port 80\x1b[2J')]"
same 'notes' "$(json 'len(d["state"]["notes"])')" 3

sed -i 's/(shop) D/(shop) T/' $process/stat
run health --root root -i 100ms -n 2
out_has 'shop (77) is stopped (state T)'
sed -i 's/(shop) T/(shop) S/' $process/stat
run health --root root -i 100ms -n 2
out_lacks state

# A container, a user without a name, and a process that is another one by now.
id=$(printf '0123456789abcdef%.0s' 1 2 3 4)
printf '0::/system.slice/docker-%s.scope\n' "$id" >$process/cgroup
: >root/etc/passwd
run health --root root -i 100ms -n 2
same 'a container' "$(grep '^memory  *shop' <<<"$out" | sed 's/   */|/g' | cut -d'|' -f4,5)" '1234|docker-0123456789ab'
# The name is cut off in the middle of the ID.
name=$(printf 'x%.0s' {1..120})
printf '0::/%s%s\n' "$name" "$id" >$process/cgroup
run health --root root -i 100ms -n 2 --format json
same 'a long name' "$(json 'd["state"]["busiest"][0]["group"]')" "${name}0123456"
# Version 1 of cgroups; pages of files that can be dropped at once do not count.
printf '4:memory:/shop\n1:name=systemd:/system.slice/shop.service\n0::/\n' >$process/cgroup
mkdir -p root/sys/fs/cgroup/memory/shop
printf '1048576000\n' >root/sys/fs/cgroup/memory/shop/memory.limit_in_bytes
printf '1048576000\n' >root/sys/fs/cgroup/memory/shop/memory.usage_in_bytes
printf 'cache 1\ntotal_inactive_file 104857600\n' >root/sys/fs/cgroup/memory/shop/memory.stat
run health --root root -i 100ms -n 2
out_has 'shop (77): its group shop.service uses 900 MB of at most 1,000 MB'
printf 'total_inactive_file 524288000\n' >root/sys/fs/cgroup/memory/shop/memory.stat
run health --root root -i 100ms -n 2
out_lacks 'its group'
rm -r $process/{cmdline,status,cgroup,limits} root/proc/pressure
run health --root root -i 100ms -n 2
status 0
out_has 'shop (77)'
out_lacks Pressure
out_lacks $'\n\n\n'

# ---- This machine ---------------------------------------------------------------------------------------

run
status 0
out_says 'limits' rules
out_has Resource
out_lacks 'usage:'
run --format json
same 'the look is of three seconds' "$(json 'd["samples_used"]')" 3
run --format=xml
status 2

# On a terminal a long look prints the state after three seconds, and once more at its end.
ran='pmon health on a terminal'
out=$(python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$PMON_BIN" health -i 500ms -n 14 </dev/null | tr -d '\r')
same 'the state' "$(grep -c '^processors  *[0-9]' <<<"$out")" 2
out_has 'At the end:'

# Planted: a process near its limit of open files, and one that does not accept its connections.
cat >leaks.py <<'END'
import resource, time
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
files = [open("/dev/null") for _ in range(240)]
print("ready", flush=True)
time.sleep(600)
END
cat >sleeps.py <<'END'
import socket, time
listener = socket.create_server(("127.0.0.1", 0), backlog=1)
print(listener.getsockname()[1], flush=True)
tried = []
while True:
    tried.append(socket.socket())
    tried[-1].setblocking(False)
    tried[-1].connect_ex(listener.getsockname())
    del tried[:-200]
    time.sleep(0.02)
END
python3 leaks.py >ready &
leaks=$!
python3 sleeps.py >port &
sleeps=$!
wait_for test -s ready
wait_for test -s port
run health -i 500ms -n 4
kill "$leaks" "$sleeps"
grep -qE "^python3[.0-9]* \($leaks\) has 24[0-9] of at most 256 open files" <<<"$out" && ok || bad "the leak: $out"
# Some sandboxes have no /proc/net/netstat.
if grep -q ListenOverflows /proc/net/netstat 2>/dev/null; then
	grep -qE "^python3[.0-9]* \($sleeps\): [0-9]+ connections? waits? to be accepted at port $(cat port)" <<<"$out" && ok || bad "the listener: $out"
fi

# Who starts processes, none of which lives until the next sample.
bash -c 'while :; do (:); done' &
storm=$!
run health -i 500ms -n 4
kill "$storm"
out_has ' processes or threads start each second'
finish
