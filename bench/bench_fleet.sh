#!/usr/bin/env bash
# bench_fleet.sh - many logs at once, beside the same by time: bench_fleet.sh PMON [MACHINES FILES SAMPLES]
# SPDX-License-Identifier: MIT
#
# Machines with consecutive logs, as BLG. `pmon stats` reads several at the same time. Beside it
# stands the same with one log more, which holds the times of all logs and some of their counters: that
# tangles them, so that all are read by time. Best of three; user and wall seconds, memory in MiB.
set -euo pipefail

pmon=$(realpath "$1")
machines=${2:-12}
files=${3:-40}
samples=${4:-400}
work=$(mktemp -d "${TMPDIR:-/tmp}/bench-fleet-XXXXXX")
trap 'rm -rf "$work"' EXIT
here=$(dirname "$(realpath "$0")")
cd "$work"

mkdir json blg
"$here/../tests/cli/make_fleet.py" json "$machines" "$files" "$samples" 40 >sums
for file in json/*.jsonl; do
	name=${file#json/}
	"$pmon" relog "$file" -o "blg/${name%.jsonl}.blg" -y >/dev/null
done
rm -r json
"$pmon" relog blg/*.blg -c '\\*\*(0)\*' -t 50 -o tangle.blg -y >/dev/null
bytes=$(cat blg/*.blg | wc -c)
echo "$machines machines, $files logs each, $((bytes / 1000000)) MB"

# Best of three, by wall time: "WALL USER KILOBYTES".
best() {
	for _ in 1 2 3; do
		env time -f '%e %U %M' -o time "$@" >out 2>/dev/null
		tail -n 1 time
	done | sort -n | head -n 1
}
once=$(best "$pmon" stats --format json blg/*.blg)
by_time=$(best "$pmon" stats --format json blg/*.blg tangle.blg)
read_one=$(best "$pmon" stats --format json blg/M00-00.blg)
awk -v a="$once" -v b="$by_time" -v one="$read_one" -v n=$((machines * files)) 'BEGIN {
	split(a, x, " "); split(b, y, " "); split(one, z, " ")
	printf "at once:            %.2f s, %.2f s user, %d MiB\n", x[1], x[2], x[3] / 1024
	printf "by time:            %.2f s, %.2f s user, %d MiB\n", y[1], y[2], y[3] / 1024
	printf "one log:            %.3f s, %.3f s user, %d MiB\n", z[1], z[2], z[3] / 1024
	printf "at once / by time:  %.2f of the wall time, %.2f of the user time, %.2f of the memory\n",
		x[1] / y[1], x[2] / y[2], x[3] / y[3]
}'
