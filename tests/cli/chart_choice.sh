#!/usr/bin/env bash
# chart_choice.sh - which counters a picture has, in what order, and what they are called in it
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

# log FILE COUNTER...: a text log of ten seconds in which the n-th counter goes up by n a second
log() {
	local file=$1 t n

	shift
	{
		printf '"(PDH-CSV 4.0) (UTC)(0)"'
		printf ',"%s"' "$@"
		for ((t = 0; t < 10; t++)); do
			printf '\r\n"11/20/2026 00:00:0%d.000"' "$t"
			for ((n = 1; n <= $#; n++)); do printf ',"%d"' $((n * t)); done
		done
		printf '\r\n'
	} >"$file"
}

# legend: names of the counters in the legend, in its order
legend() { sed -nE 's/^[=a-zA-Z#]{3} +[0-9.?~]+ +[0-9.?~]+ +[0-9.?~]+ +[0-9.?~]+ +//p' <<<"$out"; }

# ---- Names --------------------------------------------------------------------------------------

log many.csv '\\A\O(p/q#2)\C' '\\B\O(x)\C' '\\A\M\Up' '\\B\M\Up' '\\A\O(_Total)\C' '\\A\O(x)\C'
run chart many.csv --size 100x30 --title 'My title' -c '\*(*)\*' -c '\*\*'
status 0
out_has 'My title  2026-11-20 00:00:00.000 - 00:00:09.000, UTC, many.csv'
same 'in the order of the log' "$(legend)" '\\A\O(p/q#2)\C
\\B\O(x)\C
\\A\M\Up
\\B\M\Up
\\A\O(_Total)\C
\\A\O(x)\C'
# A chart of one machine leaves out the machine's name.
run chart many.csv --size 80x30 -c '\\A\O(*)\*'
same 'without the machine' "$(legend)" '\O(p/q#2)\C
\O(_Total)\C
\O(x)\C'

# ---- Kinds --------------------------------------------------------------------------------------

# A heat map has a row for each series of one counter: by machine, parent, instance and number.
run chart many.csv --size 80x24 --kind heatmap -c '\O(*)\*' -c '\M\*'
status 0
err_says heat C -c
for row in 'A p/q#2 ' 'B x ' 'A x '; do
	grep -q "^$row" <<<"$out" && ok || bad "no row '$row': $out"
done
run chart many.csv --size 80x24 --kind heatmap -c '\M\*'
for row in 'A ' 'B '; do
	grep -q "^$row" <<<"$out" && ok || bad "no row '$row': $out"
done

# _Total is the sum of the others, and Idle is what none of them used. Pictures in which they would take
# all of the room leave them out, if there are others and no pattern names them.
log total.csv '\\A\P(Idle)\C' '\\A\P(a)\C' '\\A\P(b)\C' '\\A\P(_Total)\C' '\\A\P(0,_Total)\C' \
	'\\A\Q(_Total)\C'
for kind in stacked bar heatmap; do
	run chart total.csv --size 100x40 --kind $kind -c '\P(*)\C'
	err_says_only _Total Idle
	for name in Idle _Total; do out_lacks "$name"; done
	run chart total.csv --size 100x40 --kind $kind -c '\P(*)\C' -c '\P(Idle)\*'
	out_has Idle
	out_lacks _Total
	run chart total.csv --size 100x40 --kind $kind -c '\Q(*)\C'
	status 0
	err_is ''
	run chart total.csv --size 100x40 --kind $kind -c '\P(_Total)\C' -c '\P(a)\C'
	out_has _Total
	err_is ''
done
run chart total.csv --size 100x40 -c '\P(*)\C'
out_has '_Total)'
run chart many.csv --size 80x24 --kind stacked -c '\O(*)\*'
status 0
err_says_only _Total Idle
same 'the others' "$(legend | sort)" '\\A\O(p/q#2)\C
\\A\O(x)\C
\\B\O(x)\C'
run chart many.csv --size 80x24 --kind stacked -c '\O(_Total)\*'
status 0
err_is ''
same '_Total alone' "$(legend)" '\O(_Total)\C'

# More than can be distinguished are not drawn.
names=()
for ((i = 1; i <= 300; i++)); do names+=("\\\\A\\O(i$i)\\C"); done
log wide.csv "${names[@]}"
run chart wide.csv --size 200x90 -c '\O(*)\*'
status 0
err_says_only 300 32 -c
same 'eight colours with four dashes' "$(legend | wc -l)" 32
same 'the largest first' "$(legend | head -n 1)" 'k    \O(i300)\C'

# A stack has eight colours; the rest is a sum. i1 to i292 are 9 times their number in the last sample:
# 9 * 292 * 293 / 2 = 385002.
run chart wide.csv --size 200x60 --kind stacked -c '\O(*)\*'
status 0
err_is ''
same 'eight, and the others' "$(legend | tail -n 2)" 'k    \O(i293)\C
k    292 others combined: C'
out_has '385 '
run chart many.csv --size 100x30 --kind stacked -c '\O(*)\*' -c '\M\*'
out_lacks together

# The largest of each counter come first, so that no unit is left out.
names=()
for ((i = 1; i <= 40; i++)); do names+=("\\\\A\\O(i$i)\\C" "\\\\A\\O(i$i)\\X Bytes"); done
log two.csv "${names[@]}"
run chart two.csv --size 200x90 -c '\O(*)\*'
same 'half of each' "$(legend | grep -c Bytes)" 16

# ---- Order --------------------------------------------------------------------------------------

# Bars are sorted by unit, then by average, then as in the log.
run chart many.csv --size 80x24 --kind bar -c '\\A\O(*)\*' -c '\\A\O(_Total)\*'
same 'the largest first' "$(awk 'NR > 4 { print $1 }' <<<"$out")" 'x
_Total
p/q#2'
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\P(a)\% T","\M\X Bytes","\P(b)\% T","\N\Y Bytes","\P(c)\% T' \
	'11/20/2026 00:00:00.000","5","5","5","5"," ' '11/20/2026 00:00:01.000","5","5","5","5"," ' >equal.csv
run chart equal.csv --size 80x30 --kind bar -c '\*(*)\*' -c '\*\*'
status 0
same 'percentages and bytes, each as in the log' "$(sed -nE 's/ +#.*//p' <<<"$out")" 'a
b
\M\X Bytes
\N\Y Bytes'
out_has 'Performance  2026-11-20' # no machine is named

# ---- What can be drawn --------------------------------------------------------------------------

# Names of counters may come from a file, logs from another folder or standard input.
mkdir sub
cp many.csv sub
echo '\\A\M\Up' >names.txt
run chart sub/many.csv --size 80x24 -cf names.txt
status 0
out_has 'UTC, many.csv'
same 'of the file of names' "$(legend)" '\M\Up'
"$PMON_BIN" chart - --size 80x24 -cf names.txt <many.csv >piped.txt 2>&1
same 'the same but for the name' "$(sed 1d piped.txt)" "$(sed 1d <<<"$out")"
run chart many.csv --size 80x24 --kind heatmap -c '\\A\M\*'
status 0
grep -q '^A ' <<<"$out" && ok || bad "no row of the machine: $out"

# Without a value there is no picture.
for kind in line heatmap stacked; do
	run chart equal.csv --size 80x24 --kind $kind -c '\P(c)\*'
	status 1
	err_says value
done
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\P\C' '11/20/2026 00:00:00.000"," ' >none.csv
run chart none.csv --size 80x24
status 1
err_says value

# ---- This machine -------------------------------------------------------------------------------

# Without a log and a pattern a first choice of its counters is drawn.
run chart -i 100ms -n 3 --size 80x24
status 0
err_says default
grep -q 'Available MBytes' < <(legend) && ok || bad "no memory in: $out"

finish
