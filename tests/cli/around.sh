#!/usr/bin/env bash
# around.sh - what a program finds around it: its user's folders, limits, signals that are ignored
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"

unset PMON_NO_CACHE XDG_CACHE_HOME
export HOME=$tmp/home
mkdir home
make_log average a.blg
touch -d '2020-01-01' a.blg
want=$("$PMON_BIN" info --no-cache a.blg)

# asked WHAT ENV...: the answer is the same with these variables of the environment
asked() {
	local what=$1

	shift
	ran="env $* pmon info a.blg"
	same "$what" "$(env "$@" "$PMON_BIN" info a.blg 2>&1 </dev/null)" "$want"
}

# kept N: so many entries are in the folder
kept() {
	same "entries in $folder" "$(find "$folder" -name '*.info' 2>/dev/null | wc -l)" "$1"
}

# ---- Where the folder is ------------------------------------------------------------------------

folder=$tmp/home/.cache/pmon
asked 'no home' -u HOME
asked 'a home that is no full path' HOME=home
kept 0
asked 'a home' HOME="$HOME"
kept 1

# Paths of 4,095 bytes are the longest that there are. What is too long for the folder, for an entry in it, or for
# the file that becomes the entry, is as if there was no folder.
for length in 4060 4068 4075 4085 5000; do
	name=/$(printf "%0${length}d" 0 | sed -E 's/(.{99})0/\1\//g')
	asked "a folder of $length bytes" XDG_CACHE_HOME="${name:0:length}"
done
asked 'a home of 4085 bytes' HOME="${name:0:4085}"

# ---- Entries that are something else ------------------------------------------------------------

entry=$(echo "$folder"/*.info)
rm "$entry" && mkdir "$entry"
touch "$folder/0123456789abcdef" # as long as the name of an entry
asked 'a folder as an entry'
kept 1
[ -z "$(find "$folder" -name '*tmp*')" ] && ok || bad "something is left: $(ls "$folder")"
[ -e "$folder/0123456789abcdef" ] && ok || bad 'a file of another program went'
rmdir "$entry"
truncate -s 70000 "$entry"
asked 'an entry that is too large'
[ "$(stat -c %s "$entry")" -lt 65536 ] && ok || bad 'the entry stays too large'
if [ "$(id -u)" = 0 ]; then
	chown 1 "$entry"
	asked "somebody else's entry"
	same 'whose entry it is then' "$(stat -c %u "$entry")" 0
fi
rm -rf "$folder"
ln -s /proc/self "$folder" # in which nobody can make a file
asked 'a folder that takes nothing'
rm "$folder"

# A full disk, and where nothing can be written at all.
ran='pmon info a.blg, with files of 0 bytes'
same 'a full disk' "$( (ulimit -f 0 && "$PMON_BIN" info a.blg 2>&1) | cat)" "$want"
kept 0
[ -z "$(find "$folder" -name '*tmp*' 2>/dev/null)" ] && ok || bad 'a part of an entry is left'

# ---- Limits and variables -----------------------------------------------------------------------

# Folders that variables name can be read by a program that has shut itself off.
mkdir zones
mkdir -p zones/Test
cp /usr/share/zoneinfo/UTC zones/Test/Place 2>/dev/null || : >zones/Test/Place
asked 'zones of its own' TZDIR="$tmp/zones" TMPDIR="$tmp"

# A limit of the processor's time holds for pictures too, which take less.
export PMON_NO_CACHE=1
run chart a.blg -o try.svg
if [ "$status" = 0 ]; then
	(ulimit -t 600 && "$PMON_BIN" chart a.blg -o limited.svg 2>/dev/null)
	same 'status with a limit' $? 0
	cmp -s try.svg limited.svg && ok || bad 'another picture'
fi

# Signals that are ignored, as by nohup, stay ignored; the output is whole.
(trap '' HUP INT TERM && "$PMON_BIN" relog a.blg -f csv -o ignored.csv >/dev/null 2>&1)
run relog a.blg -f csv -o plain.csv
cmp -s ignored.csv plain.csv && ok || bad 'another log'
(trap '' HUP INT TERM && "$PMON_BIN" record -i 50ms -n 2 -c '\Memory\*' -q -o live.csv 2>&1)
same 'lines of a recording' "$(wc -l <live.csv)" 3

finish
