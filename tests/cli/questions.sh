#!/usr/bin/env bash
# questions.sh - the ten first questions of the cookbook, one command each
# SPDX-License-Identifier: MIT
#
# The commands are those that the cookbook shows, on logs of two Fridays by make_questions.py. In
# last.blg reads take 2 ms. In this.blg they take 5 ms from 9:00, 20 ms from 10:00 and 10 ms from
# 11:00; backup uses 80 % of a processor in the minute that ends at 10:32, 1 % otherwise; leaky opens
# 200 handles a minute. In both, sqlservr uses 10 % and w3wp 5 %, the other processes 2 %, and
# private bytes are 600, 500 ... 100 MB.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
for day in last this; do
	python3 "$PMON_SOURCE_DIR/tests/cli/make_questions.py" $day | "$PMON_BIN" relog - -o $day.blg -y >/dev/null
done

mapfile -t commands < <(awk '/^## /{on = /ten first questions/} on && /^pmon /' "$PMON_SOURCE_DIR/docs/cookbook.md" |
	sed 's/web01\.blg\|tuesday\.blg/this.blg/g; s/monday\.blg/last.blg/g; s/14:10/10:32/g')
same 'one command for each question' "${#commands[@]}" 10

# ask N [OPTION...]: runs the command of question N; options that only change the form may follow.
ask() {
	local words
	eval "words=(${commands[$1 - 1]#pmon })"
	shift
	run "${words[@]}" "$@"
	status 0
}

# field KEY FIELD: read JSON, and print instance and FIELD of each object in the list KEY, one per line
field() {
	python3 -c 'import json, sys
for row in json.load(sys.stdin)[sys.argv[1]]:
    print(row["path"].split("(")[1].split(")")[0], format(row[sys.argv[2]], ".6g"))' "$1" "$2" <<<"$out"
}

ask 1 --format json
same 'who used the CPU at 10:32' "$(field counters total | head -n 3)" 'backup 48
sqlservr 6
w3wp 3'
same 'five of them' "$(field counters total | wc -l)" 5

ask 2 --format json
same 'the five processes with most memory' "$(field counters average)" "sqlservr $(awk 'BEGIN{printf "%.6g", 600 * 2^20}')
w3wp $(awk 'BEGIN{printf "%.6g", 500 * 2^20}')
backup $(awk 'BEGIN{printf "%.6g", 400 * 2^20}')
spooler $(awk 'BEGIN{printf "%.6g", 300 * 2^20}')
explorer $(awk 'BEGIN{printf "%.6g", 200 * 2^20}')"

ask 3
for fact in '09:00:00 5' '10:00:00 20' '11:00:00 10'; do
	same "disk latency by the hour, $fact" \
		"$(awk -v hour="${fact% *}" '$2 == hour {print $5, $6}' <<<"$out")" "${fact#* } ms"
done

ask 4
same 'worse than last week: disk' "$(awk '/sec\/Read$/{print $1, $2}' <<<"$out")" '2 ms'
same 'and by how much' "$(awk '/sec\/Read$/{print $3, $4, $5}' <<<"$out")" '11.67 ms 5.83x' # (5 + 20 + 10) / 3
same 'worse than last week: handles' "$(awk '/Handle Count$/{print $1, $2}' <<<"$out")" '1,000 19,000'
out_lacks 'User Connections'

ask 5
same 'a row for each sample, and one of names' "$(wc -l <<<"$out")" 182
same 'only counters of SQL Server' "$(head -n 1 <<<"$out" | tr , '\n' | grep -c 'SQL\|sqlservr')" \
	"$(head -n 1 <<<"$out" | tr , '\n' | sed 1d | wc -l)"
csv=$out
run values -c sqlservr --csv this.blg
status 0
out_is "$csv" # the shorter spelling

ask 6
same 'BLG to CSV' "$(head -c 13 web01.csv)" '"(PDH-CSV 4.0'
same 'with each sample' "$(wc -l <web01.csv)" 182

ask 7
same 'a picture' "$(python3 -c 'import sys, xml.dom.minidom as x
print(x.parse(sys.argv[1]).documentElement.tagName)' cpu.svg)" svg

ask 8
line_says "$(grep '^  counters' <<<"$out")" 21 # 3 for each of 6 processes, 2 of the disk, 1 of SQL Server

ask 9
run info both.blg
line_says "$(grep '^  samples' <<<"$out")" 362
line_says "$(grep '^  first' <<<"$out")" 2026-11-13

ask 10 --format json
same 'what leaked, by 200 handles a minute' "$(field series slope_per_hour)" 'leaky 12000'
# ---- The first rows of each table -------------------------------------------------------------------

for verb in 'find "\Process(*)\Private Bytes > 1"' trend changes 'changes --at 10:00' 'diff last.blg' list stats \
	health 'verify last.blg'; do
	eval "words=($verb)"
	run "${words[@]}" this.blg --csv
	rows=$out
	for n in 1 2 1000; do
		run "${words[@]}" this.blg --csv --limit $n
		same "$verb --limit $n" "$out" "$(head -n $((n + 1)) <<<"$rows")"
	done
	run "${words[@]}" this.blg --json --limit 1
	python3 -c 'import json, sys
if len(json.load(sys.stdin)[sys.argv[1]]) != 1:
    sys.exit("rows")' "$(python3 -c 'import json, sys
print([key for key, value in json.load(sys.stdin).items() if isinstance(value, list)][0])' <<<"$out")" <<<"$out" &&
		ok || bad "$verb --json --limit 1: $(head -c 300 <<<"$out")"
done

finish
