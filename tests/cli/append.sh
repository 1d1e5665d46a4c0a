#!/usr/bin/env bash
# append.sh - a database that is continued by a second recording keeps processes apart across the restart
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib_live.sh" || exit 1
[ -r /proc/stat ] || skip 'there is no /proc here'
need python3

# Six trees, a second apart; the first three are the first run. A process has a number, a name, the time it started at, in
# 1/100 s after the first tree, and the ticks of 1/100 s that it has run for. The machine started 1000 s before.
process() { # TREE PID NAME STARTED TICKS
	mkdir -p "$1/proc/$2"
	printf '%d (%s) S 1 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 %d 1000000 100 %s\n' "$2" "$3" "$5" \
		$(($4 + 100000)) "18446744073709551615 $(printf '0 %.0s' {1..27})" >"$1/proc/$2/stat"
}
for i in 0 1 2 3 4 5; do
	tree=run$((i / 3))/$((i % 3))
	make_tree "$tree" "$i" $((1000 + i)) 80
	process "$tree" 1 init -90000 $((10 * i))
	process "$tree" 61 twin -20000 $((8 * i)) # has index 1; no index when 60 has ended
	if [ "$i" -lt 3 ]; then
		process "$tree" 20 gone -50000 $((7 * i))
		process "$tree" 30 worker -40000 $((5 * i))
		process "$tree" 40 again -30000 $((4 * i))
		process "$tree" 60 twin -20000 $((3 * i))
	else
		process "$tree" 31 worker -39900 $((900 + 20 * (i - 3))) # it was there before, elsewhere
		process "$tree" 40 again 250 $((50 + 25 * (i - 3)))      # half a second before the fourth tree
		process "$tree" 50 new 250 $((10 + 5 * (i - 3)))
	fi
done

pattern='\Process(*)\% Processor Time'
for run in 0 1; do
	run record --replay "run$run" -q -c "$pattern" -o db.sqlite --append
	status 0
	err_is ''
done

# views QUERY: what the views of the database say
views() {
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect("db.sqlite").execute(sys.argv[1]):
    print(*row)' "$1"
}

# values NAME: as the views have them, over the time from sample to sample
values() {
	views "SELECT CASE WHEN value IS NULL THEN status ELSE printf('%g', value) END FROM pmon_displayed
		WHERE path LIKE '%Process($1)\\% Processor Time' ORDER BY sample" | paste -sd ' '
}
same 'one process throughout' "$(values init)" 'first_sample 10 10 10 10 10'
same 'one that has ended' "$(values gone)" 'first_sample 7 7'
same 'another one' "$(values worker)" 'first_sample 5 5 instance_changed 20 20'
same 'the same number, started anew' "$(values again)" 'first_sample 4 4 100 25 25'
same 'one that had another number behind its name' "$(values twin)" 'first_sample 3 3 8 8 8'
same 'one that is new' "$(values new)" '20 5 5'

# The same as pmon itself has.
"$PMON_BIN" stats --format json -c "$pattern" db.sqlite | python3 -c 'import json, sys
for item in json.load(sys.stdin)["counters"]:
    print(item["path"], item["samples"], float(item["average"]))' | sort >pmon.txt
views "SELECT path, samples, average FROM pmon_average WHERE path LIKE '%\\% Processor Time'" | sort >views.txt
same 'averages' "$(cat views.txt)" "$(cat pmon.txt)"
same 'averages of all' "$(wc -l <pmon.txt)" "$(grep -c . <(views "SELECT DISTINCT path FROM pmon_series
	WHERE path LIKE '%\\% Processor Time'"))"
"$PMON_BIN" values --format json -c "$pattern" db.sqlite | python3 -c 'import json, sys
for line in sys.stdin:
    item = json.loads(line)
    print(item["path"], item["value"] if item["value"] is None else float(item["value"]), item["status"])' |
	sort >pmon.txt
views "SELECT path, value, status FROM pmon_displayed WHERE path LIKE '%\\% Processor Time'" | sort >views.txt
same 'values' "$(cat views.txt)" "$(cat pmon.txt)"
# Another file of that name, whose last line has no end, is neither cut nor continued.
make_log average other.blg
printf '"Name","Value"\n"a","1"\n"b","2"' >table.txt
printf '{"path":1}\n{"name":"b"}' >lines.txt
head -c 3000 /bin/sh >binary.txt
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\Other\\Counter"\r\n"03/09/2026 08:00:00.000","1' >header.txt
for format in csv tsv db; do
	for other in other.blg table.txt lines.txt binary.txt header.txt; do
		rm -f mine*
		cp $other mine.$format
		run record --replay run0 -c "$pattern" -o mine.$format --append
		cmp -s $other mine.$format && ok || bad "$other as mine.$format was changed"
		err_says mine_000001.$format
	done
done
# The incomplete row of a crash is cut off what is continued.
for format in csv tsv; do
	rm -f mine*
	run record --replay run0 -q -c '\System\*' -o mine.$format
	truncate -s -3 mine.$format
	run record --replay run1 -q -c '\System\*' -o mine.$format --append
	status 0
	run info --format json mine.$format
	out_has '"samples":5,'
done

finish
