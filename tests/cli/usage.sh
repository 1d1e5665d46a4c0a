#!/usr/bin/env bash
# usage.sh - help, mistyped words, and exit status 2 for all that is wrong with a command line
# SPDX-License-Identifier: MIT
#
# Source of the statuses: "Exit status" in pmon --help and docs/reference/cli.md.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
make_log average a.blg

# Without a word of what to do, the help is the answer; asked for, it is a success.
run
status 2
out_has 'usage: pmon VERB'
run --help
status 0
same 'pmon help is pmon --help' "$out" "$("$PMON_BIN" help)"
run -h
status 0
version=$(sed -n 's/^#define PMON_VERSION_[A-Z]* *\([0-9][0-9]*\)$/\1/p' "$PMON_SOURCE_DIR/include/pmon/base.h" |
	paste -sd .)
run --version
status 0
out_is "pmon $version"

verbs=$("$PMON_BIN" help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$verbs")" -ge 9 ] && ok || bad "few verbs: $verbs"
for verb in $verbs; do
	run "$verb" --help
	status 0
	out_has "usage: pmon $verb"
	err_is ''
	long=$(awk 'length > 100' <<<"$out")
	same 'no line is longer than 100' "$long" ''
	same "pmon help $verb" "$("$PMON_BIN" help "$verb")" "$out"
done

# Words that are no verb.
run stat a.blg
status 2
err_is 'pmon: there is no verb "stat" and no file of that name; did you mean stats?'
run frobnicate
status 2
err_has 'see pmon --help'
run help frobnicate
status 2
err_is 'pmon: there is no verb "frobnicate"; see pmon --help'
run --format json a.blg
status 2
err_has 'options follow the verb'

# Options.
run stats --fromat json a.blg
status 2
err_is 'pmon: stats: there is no option --fromat; did you mean --format?'
run stats --frobnicate a.blg
status 2
err_has 'see pmon stats --help'
run stats --at 10:00 a.blg
status 2
err_has 'the option --at is not for this verb'
run types --tz utc
status 2
run stats a.blg -c
status 2
err_is 'pmon: stats: -c needs PATTERN'
run stats --cap=yes a.blg
status 2
err_has 'takes no value'
for choice in '--format yaml' '--format=JSON' '--policy lax' '--color blue' '--tz mars' '--tz +99' \
	'--from yesterday' '--to 25:00' '--from 2026-02-30'; do
	# shellcheck disable=SC2086 # two words
	run stats $choice a.blg
	status 2
	out_is ''
	same 'one line says it' "$(wc -l <<<"$err")" 1
done
run stats --format yaml a.blg
err_is 'pmon: stats: --format takes text, csv or json, not "yaml"'
run stats --from 15:02 --to 15:01 a.blg
status 2
err_is 'pmon: stats: the window ends before it begins: --from 15:02 is after --to 15:01'
run explain --format csv a.blg -c '\Memory\*'
status 2
err_has 'text or json'

# Verbs that need something.
run info
status 2
err_has "see pmon info --help"
run explain
status 2
err_has 'name a counter with -c; pmon list shows them'
run stats --from 10:00
status 2
err_has '--duration ends sampling'
for option in interval duration count; do
	run stats "--$option" 0
	status 2
	err_has "--$option takes"
done
run stats --root nosuch
status 1
err_has 'nosuch'
run explain a.blg
status 2
err_has 'name a counter with -c'

# Invalid patterns.
run stats -c 'Processor' a.blg
status 2
err_has 'at character 10 of "Processor"'
run stats -c '\Processor(_Total' a.blg
status 2
printf '\\Memory\\*\nnonsense\n' >patterns
run stats -cf patterns a.blg
status 2
err_has 'nonsense'

# Counter types and raw values by hand.
run calc
status 2
err_has 'pmon types lists them'
run calc -t PERF_AVERAG_TIMER -F 1 0:0
status 2
err_is 'pmon: "PERF_AVERAG_TIMER" is not a counter type; did you mean PERF_AVERAGE_TIMER?'
run types queue
status 2
err_has 'PERF_COUNTER_100NS_QUEUELEN_TYPE'
run types xyzzy
status 2
err_has 'pmon types lists them'
run types 0x100000000
status 2
run types 20570500
status 0
err_is 'pmon: 20570500 is read as hexadecimal, 0x20570500 PERF_PRECISION_100NS_TIMER: no counter type is decimal 20570500'
out_has 'PERF_PRECISION_100NS_TIMER  0x20570500  542573824'
run types 542573824
status 0
err_is ''
out_has 'PERF_PRECISION_100NS_TIMER  0x20570500  542573824'
run types 20570501
status 0
err_is 'pmon: 20570501 is not a counter type in decimal or hexadecimal; reading it as decimal, 0x0139E185'
run types Timer100NsInverse
status 0
out_has 'PERF_100NSEC_TIMER_INV  0x21510500'
run types Timer100NsInvers
status 2
err_has 'Timer100NsInverse'
run types Timr100Ns
status 2
err_is 'pmon: "Timr100Ns" is not a counter type; did you mean Timer100Ns?'
# 100 * (3 - 1) / (20 - 10), by any of its names and words.
for type in PERF_100NSEC_TIMER Timer100Ns 'PerformanceCounterType.Timer100Ns' 542180608 20510500 0x20510500; do
	run calc -t "$type" 1:10 3:20
	status 0
	out_has '20 %'
done
run calc -t PERF_AVERAGE_TIMER 0:0 1:1
status 2
err_has 'give it with -F'
run calc -t PERF_AVERAGE_TIMER -F ten 0:0
status 2
run calc -t PERF_AVERAGE_TIMER -F 10
status 2
run calc -t PERF_COUNTER_RAWCOUNT --size 5 0:0
status 2
for raw in abc 1:2:3:4 1:x 1:2:-1 1:2:4294967296 99999999999999999999:0 ''; do
	run calc -t PERF_COUNTER_RAWCOUNT "$raw"
	status 2
	err_has "\"$raw\" is not a raw value"
done

# Options that may be written in more than one way.
run stats --format=json a.blg
status 0
one=$out
run stats a.blg --format json
same 'options may follow the file' "$out" "$one"
run calc -t perf_counter_rawcount -5:0
status 0
out_has '-5'

finish
