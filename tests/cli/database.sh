#!/usr/bin/env bash
# database.sh - databases: what reading leaves next to them, read-only folders, and names that look like URIs
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

make_log back a.blg
run relog a.blg -f sql -o a.db
[ "$status" = 0 ] || skip 'pmon is built without SQLite'

raws() { "$PMON_BIN" raw --format csv "$@" 2>&1; }
raws a.db >want

# ---- Write-ahead logs ------------------------------------------------------------------------------

# The same database, with its last two samples in the write-ahead log alone: a writer that was killed.
python3 - <<'PYTHON'
import os, shutil, sqlite3
os.mkdir("w")
shutil.copy("a.db", "w/w.db")
db = sqlite3.connect("w/w.db", isolation_level=None)
tables = ("pmon_sample", "CounterData")
rows = {t: db.execute(f"SELECT * FROM {t}").fetchall() for t in tables}
names = {t: [c[1] for c in db.execute(f"PRAGMA table_info({t})")] for t in tables}
column = {t: names[t].index("id" if t == "pmon_sample" else "Sample") for t in tables}
last = sorted({r[column["pmon_sample"]] for r in rows["pmon_sample"]})[-2]
for t in tables:
    db.execute(f"DELETE FROM {t} WHERE {names[t][column[t]]} >= {last}")
db.execute("PRAGMA journal_mode = WAL")
db.execute("BEGIN")
for t in tables:
    late = [r for r in rows[t] if r[column[t]] >= last]
    marks = ",".join("?" * len(names[t]))
    db.executemany(f"INSERT INTO {t} VALUES ({marks})", late)
db.execute("COMMIT")
os.mkdir("stopped")
for name in ("w.db", "w.db-wal"): # what a kill leaves, but for -shm
    shutil.copy("w/" + name, "stopped/" + name)
os.mkdir("copied")
for name in ("w.db", "w.db-wal", "w.db-shm"):
    shutil.copy("w/" + name, "copied/" + name)
# While it is open: -shm is there, and stays with its writer.
import subprocess
got = subprocess.run([os.environ["PMON_BIN"], "raw", "--format", "csv", "w/w.db"], capture_output=True)
open("live", "wb").write(got.stdout)
open("live.files", "w").write(" ".join(sorted(os.listdir("w"))))
db.close()
PYTHON
same 'a database that is being written' "$(cat live)" "$(cat want)"
same 'its files' "$(cat live.files)" 'w.db w.db-shm w.db-wal'

ran='raw stopped/w.db'
hash=$(cat stopped/* | sha256sum)
same 'with a write-ahead log' "$(raws stopped/w.db)" "$(cat want)"
same 'what is left beside it' "$(ls stopped | tr '\n' ' ')" 'w.db w.db-wal '
same 'the files' "$(cat stopped/* | sha256sum)" "$hash"
same 'with the index of a writer that was killed' "$(raws copied/w.db)" "$(cat want)"

# Samples are missing without it: the test would see it.
mkdir alone
cp stopped/w.db alone/
[ "$(raws alone/w.db | wc -l)" -lt "$(wc -l <want)" ] && ok || bad 'all samples are in the database itself'

# By somebody who may not write the folder. Root may write everywhere.
chmod 555 stopped copied
chmod 444 stopped/* copied/*
chmod 755 "$tmp"
as_reader() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
if as_reader test -x "$PMON_BIN" 2>/dev/null; then
	for folder in stopped copied; do
		ran="raw $folder/w.db in a read-only folder"
		same 'in a read-only folder' "$(as_reader "$PMON_BIN" raw --format csv $folder/w.db 2>&1)" "$(cat want)"
	done
	if ! as_reader test -r "$PWD/secret" 2>/dev/null; then
		mkdir -p closed
		cp stopped/* closed/
		chmod 000 closed/w.db-wal
		ran='raw closed/w.db'
		status=0
		err=$(as_reader "$PMON_BIN" raw closed/w.db 2>&1 >/dev/null) || status=$?
		status 1
		err_has 'ermission denied'
	fi
fi
chmod 755 stopped copied

# A damaged log is not trusted: SQLite keeps the rows before the damage.
mkdir hurt
cp stopped/w.db stopped/w.db-wal hurt/
chmod 644 hurt/*
printf 'x' | dd of=hurt/w.db-wal bs=1 seek=100 conv=notrunc 2>/dev/null
run raw --format csv hurt/w.db
same 'what is left beside it' "$(ls hurt | tr '\n' ' ')" 'w.db w.db-wal '

# ---- Names -----------------------------------------------------------------------------------------

for name in 'file:d.db?mode=memory' 'file:d.db?a=b' 'a%20b.db' 'c?d#e.db'; do
	run relog a.blg -f sql -o "./$name" -y
	status 0
	[ -f "$name" ] && ok || bad "there is no file $name: $(ls)"
	same "$name" "$(raws "$name")" "$(cat want)"
	rm -f "$name"
	case $name in
	*.db)
		run relog a.blg -f sql -o "$name" -y
		[ -f "$name" ] && ok || bad "there is no file $name: $(ls)"
		rm -f "$name"
		;;
	esac
done
cp stopped/w.db 'file:w.db?mode=ro'
cp stopped/w.db-wal 'file:w.db?mode=ro-wal'
same 'with a write-ahead log' "$(raws 'file:w.db?mode=ro')" "$(cat want)"
cp copied/w.db-shm 'file:w.db?mode=ro-shm'
chmod 644 file:*
same 'with that of a writer' "$(raws 'file:w.db?mode=ro')" "$(cat want)"

# ---- Two logs of one disk --------------------------------------------------------------------------

# Two text logs of the same hour, one every 10 s and one every 7 s: each value counts its own interval, so that the
# average is the time of all operations by their number.
python3 - >want.average <<'PYTHON'
import random
random.seed(3)
path = r"\\M\PhysicalDisk(0 C:)"
seconds = operations = 0
for name, step in ("every10.csv", 10), ("every7.csv", 7):
    with open(name, "w") as log:
        print(rf'"(PDH-CSV 4.0) (UTC)(0)","{path}\Avg. Disk sec/Read","{path}\Disk Reads/sec"', file=log)
        for i in range(50):
            n = random.randint(1, 100)
            each = random.random() / 100
            at, fraction = i * step, 500 if step == 7 else 0
            cells = '" "," "' if i == 0 else f'"{each}","{n / step}"'
            print(f'"11/20/2026 10:{at // 60:02}:{at % 60:02}.{fraction:03}",{cells}', file=log)
            seconds += n * each if i > 0 else 0
            operations += n if i > 0 else 0
print(seconds / operations)
PYTHON
run relog every10.csv every7.csv -f sql -o both.db
status 0
averages() { # of a database by its view, and of logs by stats
	python3 -c '
import sqlite3, sys
print(sqlite3.connect("both.db").execute(
    "SELECT average FROM pmon_average WHERE path LIKE ?", ("%sec/Read",)).fetchone()[0])'
	for logs in both.db 'every10.csv every7.csv'; do
		# shellcheck disable=SC2086 # words
		"$PMON_BIN" stats --format json -c '\PhysicalDisk(*)\Avg. Disk sec/Read' $logs 2>/dev/null |
			python3 -c 'import json, sys; print(json.load(sys.stdin)["counters"][0]["average"])'
	done
}
got=$(averages)
python3 -c '
import sys
want, *got = map(float, sys.argv[1].split())
sys.exit(len(got) != 3 or any(abs(g / want - 1) > 1e-12 for g in got))' "$(cat want.average) $got" && ok ||
	bad "the latency of two logs: $got, not $(cat want.average)"

finish
