#!/usr/bin/env bash
# spreadsheet.sh - names from a log cannot act as formulas in the CSV tables that pmon writes
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

# log MACHINE FILE: two samples of one counter
log() {
	local i

	for i in 0 1; do
		printf '{"path":"\\\\\\\\%s\\\\=Obj(+inst)\\\\@count","type":"PERF_COUNTER_RAWCOUNT",' "$1"
		printf '"time":"2026-11-20T15:00:0%dZ","status":"valid_data","first":-%d,' "$i" "$i"
		printf '"second":-9223372036854775807,"multi":1,"time_base":null,"unit":""}\n'
	done >"$2"
}

# cell COLUMN ARGS...: that column of the first row, as Python's reader of CSV has it
cell() {
	"$PMON_BIN" "${@:2}" 2>err | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(repr(rows[0][sys.argv[1]]))' "$1"
}

for machine in '=cmd()' '+1' '-1' '@SUM(A1)' '\tx' '\rx' '\nx'; do
	log "$machine" m.jsonl
	plain=$(printf '%b' "$machine")
	ran="info of a machine $machine"
	want=$(python3 -c 'import sys; print(repr(sys.argv[1]))' "'$plain")
	same 'machine' "$(cell machine info --format csv m.jsonl)" "$want"
	same 'machines' "$(cell machines info --format csv m.jsonl)" "$want"
	want=$(python3 -c 'import sys; print(repr(sys.argv[1]))' "$plain")
	same 'raw' "$(cell machine info --format csv --raw-names m.jsonl)" "$want"
	grep -aq "\"'" < <("$PMON_BIN" info --format csv m.jsonl) && ok || bad 'the field is not quoted'
done

log 'a\"=b' m.jsonl
cp m.jsonl '=x,"y".jsonl'
same 'a file' "$(cell file info --format csv '=x,"y".jsonl')" "'\\'=x,\"y\".jsonl'"
same 'a formula inside' "$(cell machine info --format csv m.jsonl)" "'a\"=b'"

# Paths begin with a backslash, and numbers stay numbers.
log SRV m.jsonl
sed -i 's/PERF_COUNTER_RAWCOUNT/PERF_COUNTER_LARGE_RAWCOUNT/' m.jsonl
for verb in list stats raw values; do
	ran=$verb
	"$PMON_BIN" $verb --format csv m.jsonl >table 2>err
	"$PMON_BIN" $verb --format csv --raw-names m.jsonl 2>err | cmp -s - table && ok || bad 'something was escaped'
	grep -q "'" table && bad "$(cat table)" || ok
done
same 'a negative number' "$(cell last stats --format csv m.jsonl)" "'-1'"
same 'a large one' "$(cell second raw --format csv m.jsonl)" "'-9223372036854775807'"

# A log that is written is not changed.
log '=cmd()' m.jsonl
run relog m.jsonl -f csv -o out.csv -y
status 0
grep -q '"\\\\=cmd()\\=Obj(+inst)\\@count"' out.csv && ok || bad "$(head -1 out.csv)"
run relog --raw-names m.jsonl -o out2.csv
status 2
run explain --raw-names -c '*' m.jsonl
status 2
finish
