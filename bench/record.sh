#!/usr/bin/env bash
# record.sh - what a recording takes: bytes a sample in each format, and memory over many samples
# SPDX-License-Identifier: MIT
#
#   bench/record.sh [PMON] [SAMPLES]     build/pmon, 100000
set -euo pipefail

pmon=${1:-build/pmon}
samples=${2:-100000}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for format in blg csv sqlite jsonl; do
	for n in 100 500; do
		"$pmon" record -q -i 10ms -n $n -o "$tmp/$n.$format" 2>/dev/null
	done
	bytes=$((($(stat -c %s "$tmp/500.$format") - $(stat -c %s "$tmp/100.$format")) / 400))
	echo "$format: $bytes bytes a sample, $((bytes * 86400 / 1000000)) MB a day at one a second"
done

"$pmon" record -q -i 1ms -n "$samples" -c '\System\*' -o "$tmp/many.blg" 2>/dev/null &
pid=$!
for ((i = 0; i < samples / 1000; i += 5)); do
	sleep 5
	[ -r /proc/$pid/status ] || break
	echo "$(awk '/VmRSS/ { print $2 }' /proc/$pid/status) KB in memory," \
		"$(stat -c %s "$tmp/many.blg") bytes written"
done
wait $pid
