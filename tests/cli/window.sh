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
	[[ $help == *$'\n  --from'* ]] || continue
	[ "$verb" != query ] || continue # it asks an engine: push/query.sh has its ranges
	more=
	case $verb in
	explain) more='-c \Memory\*' ;;
	find) more='\PhysicalDisk(*)\*>1' ;;
	push) more=$push ;;
	serve) more=--metrics ;;
	report) more='-o out.html' ;;
	chart) more='-o out.svg' ;;
	relog) more='-o out.blg' ;;
	diff) more=a.blg ;;
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
for format in bin csv tsv sql jsonl jsonl-values openmetrics prometheus; do
	run relog a.blg -b 11/20/2026 4:00:00 PM -e 11/20/2026 5:00:00 PM -f "$format" -o out.log
	status 1
	err_is "pmon: no sample from 2026-11-20 16:00:00.000 to 2026-11-20 17:00:00.000; $times"
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
err_is "pmon: no sample up to 2026-11-20 14:00:00.000; $times"
run stats --from 15:00:01 --to 15:00:02 a.blg # between two samples
status 1
run values --tz +05:30 --from 23:00 a.blg
err_has 'from 2026-11-20 23:00:00.000 on; a.blg has samples from 2026-11-20 20:30:00.000'
run stats --from 15:00:01 --to 15:00:15 a.blg # the second of them
status 0

# ---- Backwards ----------------------------------------------------------------------------------

run stats --from 15:02 --to 15:01 a.blg
status 2
nothing_written
run push $push --from 15:02 --until 15:01 a.blg
status 2
err_has 'push: the window ends before it begins: --from 15:02 is after --until 15:01'
run relog a.blg -b 15:02 -e 15:01 -o out.blg
status 2
err_has 'relog: the window ends before it begins: -b 15:02 is after -e 15:01'
nothing_written

# ---- Several logs -------------------------------------------------------------------------------

# d.blg has samples on the 20th, 21st and 22nd: one log with a sample is enough.
for verb in stats values raw 'chart -o -'; do
	# shellcheck disable=SC2086
	run $verb --from 2026-11-21T00:00 a.blg d.blg
	status 3 # both begin at the same moment, with different values
	err_has 'a.blg and d.blg: different values for one moment: 1;'
	# shellcheck disable=SC2086
	run $verb --from 2026-12-01T00:00 a.blg d.blg
	status 1
	err_has 'the logs have samples from 2026-11-20 15:00:00.000 to 2026-11-22 15:00:00.000 (UTC)'
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
	err_has 'no sample of the chosen counters from 2024-01-01 00:00:01.000 on; y.csv has samples'
	nothing_written
done
run stats --from 00:00:01 -c '\A\y' y.csv y.csv
status 1
err_has 'no sample of the chosen counters'
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
err_has 'pmon: no sample of \A\y from 2024-01-01 00:00:01.000 on'
run stats -c '\A\y' -c '\A\x' y.csv
err_lacks='no sample'
case $err in *"$err_lacks"*) bad "no window, yet: $err" ;; *) ok ;; esac
run stats --from 00:00:01 -c '\B\z' y.csv
status 1
err_has 'no counter matches \B\z'

# ---- Logs without samples -----------------------------------------------------------------------

printf '"%s"\r\n' '(PDH-CSV 4.0) (UTC)(0)","\\S\A\x' >none.csv
remember
run stats --from -2h none.csv
status 1
err_has 'the time -2h is relative to samples, and there are none'
run values --from 2024-01-01T00:00 --format csv none.csv
status 1
err_is 'pmon: none.csv has no samples'
nothing_written

finish
