#!/usr/bin/env bash
# usage.sh - help, mistyped words, and exit status 2 for all that is wrong with a command line
# SPDX-License-Identifier: MIT
#
# Source of the statuses: "Exit status" in pmon --help and docs/reference/cli.md.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg

# Without a word of what to do, this machine is the answer (tests/cli/here.sh).
run --help
status 0
out_has 'usage: pmon VERB'
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
err_says_only '"stat"' stats
run frobnicate
status 2
err_says frobnicate 'pmon --help'
run help frobnicate
status 2
err_says_only frobnicate 'pmon --help'
run --sort total a.blg
status 2
err_says verb
run --format csv a.blg
status 2
err_says json markdown csv

# Verbs of other programs: the message has a command that works.
cp a.blg 'b 1.blg'
for row in convert:relog export:relog csv:relog merge:relog plot:chart graph:chart compare:diff \
	summary:a.blg top-processes:stats tail:values head:values print:values average:stats \
	counters:list count:info leaks:trend alerts:health filter:relog; do
	out_file=c.csv
	case ${row%:*} in
	merge | compare) out_file='b 1.blg' ;;
	convert | export | csv | filter) ;;
	*) out_file= ;;
	esac
	run "${row%:*}" a.blg ${out_file:+"$out_file"}
	status 2
	err_says "\"${row%:*}\"" "pmon ${row#*:}"
	line=${err##*type: pmon }
	rm -f c.csv merged.blg
	eval "run ${line/disk read/disk}"
	case $status/$err in
	0/* | */*'no counter matches process cpu'*) ok ;; # the log has no processes
	*) bad "the command of ${row%:*} failed: $err" ;;
	esac
done
run convert
err_says 'pmon relog a.blg -o b.csv'
run plot "it's.blg"
err_has "pmon chart 'it'\''s.blg'"

# Other spellings of options, where a verb has no option of that name.
for row in '--csv:--format csv' '--json:--format json' '--since 15:01:--from 15:01' \
	'--until 15:01:--to 15:01' '--end 15:01:--to 15:01' '--top 2:--limit 2' \
	'--timezone +02:00:--tz +02:00' '--filter cpu:-c cpu' '--sort-by max:--sort max'; do
	other=${row%%:--*} plain=--${row#*:--}
	[ "$other" = "$row" ] && other=${row%:-c*} plain="-c${row##*:-c}"
	# shellcheck disable=SC2086
	run stats $other a.blg
	status 0
	# shellcheck disable=SC2086
	same "$other" "$("$PMON_BIN" stats $plain a.blg)" "$out"
done
run stats --csv=1 a.blg
status 2
run stats -n 5 a.blg
status 2
err_says --count --limit

# Options.
run stats --fromat json a.blg
status 2
err_says_only --fromat --format
run stats --frobnicate a.blg
status 2
err_says --frobnicate 'pmon stats --help'
run stats --window 10m a.blg
status 2
err_says --window
run types --tz utc
status 2
run stats a.blg -c
status 2
err_says_only stats -c PATTERN
run stats --cap=yes a.blg
status 2
err_says --cap value
for option in 'stats --limit' 'stats --count' 'query --limit' 'watch --count'; do
	for number in 0 -1 +1 1.5 1e3 x '' 18446744073709551616; do
		# shellcheck disable=SC2086 # two words
		run $option="$number" a.blg
		status 2
		err_says_only "${option#* }" "\"$number\""
	done
done
run stats --limit 1 a.blg
status 0
same 'the heading and one row' "$("$PMON_BIN" stats --limit 1 --format csv a.blg 2>/dev/null | wc -l)" 2
for choice in '--format yaml' '--format=jsn' '--policy lax' '--color blue' '--tz mars' '--tz +99' \
	'--from someday' '--to 25:00' '--from 2026-02-30'; do
	# shellcheck disable=SC2086 # two words
	run stats $choice a.blg
	status 2
	out_is ''
	same 'one line says it' "$(wc -l <<<"$err")" 1
done
run stats --format yaml a.blg
err_says_only --format yaml
run stats --from 15:02 --to 15:01 a.blg
status 2
err_says_only --from 15:02 --to 15:01
run explain --format csv a.blg -c '\Memory\*'
status 2
err_says text json

# Verbs that need something.
run info
status 2
err_says "pmon info --help"
run explain
status 2
err_says -c 'pmon list'
run stats --from 10:00
status 2
err_says --duration
for option in interval duration count; do
	run stats "--$option" 0
	status 2
	err_says "--$option"
done
run stats --root nosuch
status 1
err_has 'nosuch'
run explain a.blg
status 2
err_says -c

# Invalid patterns.
run stats -c '\Processor' a.blg
status 2
err_says 11 '\Processor'
run stats -c '\Processor(_Total' a.blg
status 2
printf '\\Memory\\*\n\\nonsense\n' >patterns
run stats -cf patterns a.blg
status 2
err_has 'nonsense'

# Counter types and raw values by hand.
run calc
status 2
err_says 'pmon types'
run calc -t PERF_AVERAG_TIMER -F 1 0:0
status 2
err_says_only PERF_AVERAG_TIMER PERF_AVERAGE_TIMER
run types queue
status 2
err_has 'PERF_COUNTER_100NS_QUEUELEN_TYPE'
run types xyzzy
status 2
err_says 'pmon types'
run types 0x100000000
status 2
run types 20570500
status 0
err_says_only 20570500 0x20570500 PERF_PRECISION_100NS_TIMER 20570500
out_has 'PERF_PRECISION_100NS_TIMER  0x20570500  542573824'
run types 542573824
status 0
err_is ''
out_has 'PERF_PRECISION_100NS_TIMER  0x20570500  542573824'
run types 20570501
status 0
err_says_only 20570501 0x0139E185
run types Timer100NsInverse
status 0
out_has 'PERF_100NSEC_TIMER_INV  0x21510500'
run types Timer100NsInvers
status 2
err_has 'Timer100NsInverse'
run types Timr100Ns
status 2
err_says_only Timr100Ns Timer100Ns
# 100 * (3 - 1) / (20 - 10), by any of its names and words.
for type in PERF_100NSEC_TIMER Timer100Ns 'PerformanceCounterType.Timer100Ns' 542180608 20510500 0x20510500; do
	run calc -t "$type" 1:10 3:20
	status 0
	out_has '20 %'
done
run calc -t PERF_AVERAGE_TIMER 0:0 1:1
status 2
err_says -F
run calc -t PERF_AVERAGE_TIMER -F ten 0:0
status 2
run calc -t PERF_AVERAGE_TIMER -F 10
status 2
run calc -t PERF_COUNTER_RAWCOUNT --size 5 0:0
status 2
for raw in abc 1:2:3:4 1:x 1:2:-1 1:2:4294967296 99999999999999999999:0 ''; do
	run calc -t PERF_COUNTER_RAWCOUNT "$raw"
	status 2
	err_says "\"$raw\""
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
