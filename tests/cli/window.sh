#!/usr/bin/env bash
# window.sh - a window of time that holds nothing is an error in every verb, and nothing is written
# SPDX-License-Identifier: MIT
#
# The samples of a.blg (make_log.c) are 15 s apart, from 2026-11-20 15:00:00 to 15:02:30 UTC.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
make_log days d.blg
times='a.blg has samples from 2026-11-20 15:00:00.000 to 2026-11-20 15:02:30.000 (UTC)'
push='--to prometheus+http://127.0.0.1:1 --state-dir .'

# nothing_written: the folder holds what it held when remember ran, and standard output nothing
in_folder() { ls -A | grep -v -e '^\.out$' -e '^\.err$'; }
remember() { files=$(in_folder); }
remember
nothing_written() {
	same 'files' "$(in_folder)" "$files"
	out_is ''
}

# ---- Every verb that takes --from ---------------------------------------------------------------

verbs=$("$PMON_BIN" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
tested=0
for verb in $verbs; do
	help=$("$PMON_BIN" "$verb" --help)
	[[ $help == *$'\n  --from TIME'* ]] || continue
	[ "$verb" != query ] || continue # it asks an engine: push/prom_query has its ranges
	more=
	case $verb in
	explain) more='-c \Memory\*' ;;
	find) more='\PhysicalDisk(*)\*>1' ;;
	push) more=$push ;;
	serve) more=--metrics ;;
	report) more='-o out.html' ;;
	chart) more='-o out.svg' ;;
	relog) more='-o out.blg' ;;
	sql) more='SELECT(1)FROM"raw"' ;;
	diff | verify) more=a.blg ;;
	esac
	tested=$((tested + 1))
	# shellcheck disable=SC2086
	if [ "$verb" = top ]; then
		answer q top --from 16:00 a.blg
	else
		run "$verb" $more --from 16:00 a.blg
	fi
	status 1
	case $out$err in
	*"no sample"*"from 2026-11-20 16:00:00.000 on; $times"*) ok ;;
	*) bad "no word on the empty window: $out$err" ;;
	esac
	[ "$verb" = top ] && out=
	nothing_written
done
[ "$tested" -ge 8 ] && ok || bad "only $tested verbs were tested: $verbs"

# ---- Every form of output, and of window --------------------------------------------------------

for verb in 'stats --format csv' 'stats --format json' 'values --format csv' 'values --format json' \
	'raw --format csv' 'raw --format json' 'chart' 'push --dry-run --to prometheus+http://127.0.0.1:1'; do
	# shellcheck disable=SC2086
	run $verb --from 2026-11-20T16:00 a.blg
	status 1
	nothing_written
done
for format in bin csv tsv sql jsonl jsonl-values openmetrics prometheus influx sqlserver parquet arrow arrows; do
	run relog a.blg -b 11/20/2026 4:00:00 PM -e 11/20/2026 5:00:00 PM -f "$format" -o out.log
	status 1
	err_says_only 2026-11-20 16:00:00.000 2026-11-20 17:00:00.000 "$times"
	nothing_written
done
run relog a.blg -q -b 11/20/2026 4:00:00 PM
status 1
nothing_written
run relog a.blg -b 11/20/2026 4:00:00 PM -o -
status 1
nothing_written
run stats --to 14:00 a.blg
status 1
err_says_only 2026-11-20 14:00:00.000 "$times"
run stats --from 15:00:01 --to 15:00:02 a.blg # between two samples
status 1
run values --tz +05:30 --from 23:00 a.blg
err_says 2026-11-20 23:00:00.000 a.blg 2026-11-20 20:30:00.000
run stats --from 15:00:01 --to 15:00:15 a.blg # the second of them
status 0

# ---- One time -----------------------------------------------------------------------------------

# --at is offered with --from; query asks an engine, which cannot say what is nearest.
for verb in $verbs; do
	help=$("$PMON_BIN" "$verb" --help)
	[[ $help == *$'\n  --from TIME'* && $verb != query ]] || continue
	[[ $help == *$'\n  --at TIME'* ]] && ok || bad "$verb has --from, and no --at"
done
for verb in 'stats --format csv' 'values --format csv' 'raw --format csv' 'health --all' 'chart -o -' \
	'relog -f csv -o -'; do
	# shellcheck disable=SC2086
	run $verb --from 15:00:30 --to 15:00:30 a.blg
	status 0
	want=$out
	for at in 15:00:30 15:00:37 15:00:23 2026-11-20T15:00:34Z -2m; do
		# shellcheck disable=SC2086
		run $verb --at $at a.blg
		status 0
		same "$verb --at $at" "$out" "$want"
	done
done
run stats --at 16:00 a.blg # the last sample is no answer to what was at 16:00
status 1
err_says 'at 2026-11-20 16:00:00.000' "$times"
run stats --at 15:00 --from 15:00 a.blg
status 2
err_says --at --from --to
run stats --at 15:00
status 2
err_says --at
# Two machines, whose samples are not at the same time: one of each.
for m in A B; do
	printf '"%s"\r\n' "(PDH-CSV 4.0) (UTC)(0)\",\"\\\\$m\\A\\x" >$m.csv
	for s in 0 1 2 3; do
		printf '"01/01/2024 00:0%d:0%d.000","%d"\r\n' $s "$([ $m = A ] && echo 0 || echo 7)" $s
	done >>$m.csv
done
run values --at 00:02:03 A.csv B.csv
status 0
same 'a sample of each machine' "$(sed 1d <<<"$out" | awk '{print $2, $3}')" '00:02:00.000 2
00:02:07.000 2'
rm A.csv B.csv

# ---- Backwards ----------------------------------------------------------------------------------

run stats --from 15:02 --to 15:01 a.blg
status 2
nothing_written
run push $push --from 15:02 --until 15:01 a.blg
status 2
err_says --from 15:02 --until 15:01
run relog a.blg -b 15:02 -e 15:01 -o out.blg
status 2
err_says -b 15:02 -e 15:01
nothing_written

# ---- Several logs -------------------------------------------------------------------------------

# d.blg has samples on the 20th, 21st and 22nd: one log with a sample is enough.
for verb in stats values raw 'chart -o -'; do
	# shellcheck disable=SC2086
	run $verb --from 2026-11-21T00:00 a.blg d.blg
	status 3 # both begin at the same moment, with different values
	err_says a.blg d.blg 1
	# shellcheck disable=SC2086
	run $verb --from 2026-12-01T00:00 a.blg d.blg
	status 1
	err_says 2026-11-20 15:00:00.000 2026-11-22 15:00:00.000 UTC
	nothing_written
done
mkdir each
run relog a.blg d.blg -b 2026-11-21T00:00 -o each # each its own output
status 1
err_has "$times"
same 'outputs' "$(ls each)" d.blg
rm -r each

# ---- Patterns -----------------------------------------------------------------------------------

# y has a value in the first sample alone.
printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\A\x","\\S\A\y' \
	'01/01/2024 00:00:00.000","1","5' '01/01/2024 00:00:01.000","2"," ' \
	'01/01/2024 00:00:02.000","3"," ' >y.csv
remember
for verb in stats values 'values --format csv' raw 'chart -o out.svg' 'report -o out.html' explain; do
	# shellcheck disable=SC2086
	run $verb --from 00:00:01 -c '\A\y' y.csv
	status 1
	err_says 2024-01-01 00:00:01.000 y.csv
	nothing_written
done
run stats --from 00:00:01 -c '\A\y' y.csv y.csv
status 1
err_says sample
run relog y.csv -b 00:00:01 -c '\A\y' -f csv -o out.csv
status 1
nothing_written
for verb in stats values 'values --format csv' raw explain; do
	# shellcheck disable=SC2086
	run $verb --from 00:00:01 -c '\A\y' -c '\A\x' y.csv
	status 0
	same 'said once' "$(grep 'no sample' <<<"$err")" \
		'pmon: no sample of \A\y from 2024-01-01 00:00:01.000 on'
done
run stats --from 00:00:01 -c '\A\y' -c '\A\x' y.csv y.csv
err_says '\A\y' 2024-01-01 00:00:01.000
run stats -c '\A\y' -c '\A\x' y.csv
err_lacks='no sample'
case $err in *"$err_lacks"*) bad "no window, yet: $err" ;; *) ok ;; esac
run stats --from 00:00:01 -c '\B\z' y.csv
status 1
err_says '\B\z'

# ---- Logs without samples -----------------------------------------------------------------------

printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\A\x' >none.csv
remember
run stats --from -2h none.csv
status 1
err_says -2h
run values --from 2024-01-01T00:00 --format csv none.csv
status 1
err_says_only none.csv
nothing_written

finish
