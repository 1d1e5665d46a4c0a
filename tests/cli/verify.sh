#!/usr/bin/env bash
# verify.sh - pmon verify, and relog, which reads its output back before it gets its name
# SPDX-License-Identifier: MIT
#
# tests/unit/test_verify.c tries names and schemas by the thousand; here is what the command does of it.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg

# ---- Two logs ---------------------------------------------------------------------------------------

for format in blg csv tsv db jsonl; do
	run relog a.blg -o "same.$format" -v
	status 0
	err_says "same.$format"
done
for first in blg csv tsv db jsonl; do
	for second in blg csv tsv db jsonl; do
		run verify "same.$first" "same.$second"
		status 0
		out_is ''
		err_says logs
	done
done
# Values that are missing, a counter that is missing, and another value.
for format in blg csv tsv db jsonl; do
	"$PMON_BIN" relog a.blg -f csv -o - 2>/dev/null | sed '$ d' >short.csv
	run verify short.csv "same.$format"
	status 1
	out_says values
	err_says logs
done
cut -d, -f1,2 same.csv | sed 's/$/\r/' >narrow.csv
run verify same.csv narrow.csv
status 1
out_says first
run verify narrow.csv same.csv --format csv
status 1
out_says second
sed '$ s/"\([0-9.]*\)"/"1\1"/2' same.csv >other.csv
if ! cmp -s same.csv other.csv; then
	run verify same.csv other.csv --format json
	status 1
	out_has '"difference":"other values"'
fi

for words in '' a.blg 'a.blg a.blg a.blg'; do
	# shellcheck disable=SC2086
	run verify $words
	status 2
	err_says verify logs
done
run verify a.blg missing.blg
status 1

# ---- relog without it -------------------------------------------------------------------------------

run relog a.blg -o plain.csv -v --no-verify
status 0
err_says plain.csv --no-verify
cmp -s plain.csv same.csv && ok || bad 'another output without --no-verify'
run relog a.blg -f csv -o - -v
status 0
err_says 'standard output'
run relog a.blg -o history.om -v
status 0
err_says history.om openmetrics

# A number that no counter of its type can have is written too: it is 2^63, which gets larger with fewer digits.
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\S\\Network Interface(a)\\Current Bandwidth"\r\n"01/01/2024 00:00:00.000","9223372036854775808"\r\n"01/01/2024 00:00:01.000","-1"\r\n' >bandwidth.csv
for digits in 1 15 16 17 20; do
	run relog bandwidth.csv -y -o digits.csv --digits "$digits" -v
	status 0
	err_says digits.csv
	same "values with $digits digits" "$(wc -l <digits.csv)" 3
done

# ---- Counters that never had a value ----------------------------------------------------------------

# They keep their names, places and types through every format, wherever they stand.
for places in 1 2 3 '1 2' '2 3' '1 3'; do
	cells=('"1"' '"2"' '"3"')
	for place in $places; do
		cells[place - 1]='" "'
	done
	{
		printf '%s\r\n' '"(PDH-CSV 4.0) (UTC)(0)","\\S\Memory\Available MBytes","\\S\System\Processes","\\S\LogicalDisk(C:)\Free Megabytes"'
		printf '"03/02/2026 00:00:%s.000",%s,%s,%s\r\n' 00 "${cells[@]}" 15 "${cells[@]}"
	} >never.csv
	run list never.csv
	status 0
	want=$out
	same "counters of never.csv" "$(grep -c . <<<"$want")" 3
	for format in jsonl db blg tsv jsonl-values; do
		from=$([ $format = jsonl-values ] && echo never.jsonl || echo never.csv)
		run relog "$from" -f "${format/db/sql}" -o "never.$format" -y
		status 0
		run list "never.$format"
		status 0
		same "counters of never.$format without values of $places" "$out" "$want"
		run relog "never.$format" -o again.csv -y
		status 0
		cmp -s never.csv again.csv && ok || bad "converting never.$format back to CSV changes the text"
	done
done
run relog never.jsonl -c '\Sys*\*' -c '\Mem*\*' -o some.jsonl -y
status 0
run list some.jsonl
out_is '\Memory\Available MBytes
\System\Processes'

# ---- Names that a format cannot hold ----------------------------------------------------------------

line() { # PATH VALUE SAMPLE
	printf '{"path":"%s","type":"PERF_COUNTER_RAWCOUNT","time":"2024-01-01T00:00:0%sZ","status":"valid_data","first":%s,"second":0,"multi":1,"time_base":0}\n' "$1" "$3" "$2"
}
for sample in 0 1; do
	line '\\\\S\\O\\good' "1$sample" "$sample"
	line '\\\\S\\O(a b)\\C' "2$sample" "$sample"
	line '\\\\S\\O(a\nb)\\C' "3$sample" "$sample"
	line '\\\\S\\O(a\rb)\\C' "4$sample" "$sample"
done >lines.jsonl
for format in csv tsv; do
	run relog lines.jsonl -o "lines.$format"
	status 3
	err_says "$format" 2 "\\\\S\\O(a"
	run list "lines.$format"
	out_has '\O\good'
	out_has '\O(a b)\C'
	same "paths of $format" "$(wc -l <<<"$out")" 2
done
for format in blg db; do
	run relog lines.jsonl -o "lines.$format"
	status 0
	run verify lines.jsonl "lines.$format"
	status 0
done

hostile=${PMON_TEST_DATA:-}/../hostile-2
if [ -n "${PMON_TEST_DATA:-}" ] && [ -e "$hostile/empty-counter-name.db" ]; then
	run relog "$hostile/empty-counter-name.db" -o named.blg
	status 3
	err_says blg 1
	run stats named.blg
	status 0
	# The name is one that SQLite and JSON lines can hold.
	for format in db jsonl; do
		run relog "$hostile/empty-counter-name.db" -o "named.$format"
		status 0
		run verify "$hostile/empty-counter-name.db" "named.$format"
		status 0
	done
else
	echo 'skipped: there is no empty-counter-name.db'
fi

# ---- Bytes that are not written as they were given --------------------------------------------------

[ "$(uname -s)" = Linux ] || finish
"${CC:-cc}" -shared -fPIC -o flip.so "$PMON_SOURCE_DIR/tests/fault/flip.c" || skip 'flip.c does not compile'
for format in blg csv db jsonl; do
	size=$(stat -c %s "same.$format")
	noticed=0
	for ((i = 0; i < 16; i++)); do
		export FLIP_AT=$((size * i / 16 + i))
		LD_PRELOAD=$tmp/flip.so run relog a.blg -o "flipped.$format"
		if [ "$status" = 1 ]; then
			noticed=$((noticed + 1))
			[ -n "$err" ] && ! compgen -G '*flipped.*' >left && ok || bad "byte $FLIP_AT: $(<left) $err"
		else
			# A byte that means nothing.
			run verify a.blg "flipped.$format"
			status 0
			rm "flipped.$format"
		fi
	done
	[ $noticed -gt 0 ] && ok || bad "$format: no changed byte was noticed"
done
unset FLIP_AT

finish
