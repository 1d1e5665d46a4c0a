#!/usr/bin/env bash
# one_sample.sh - a log with one sample has no rates, and pmon reports that
# SPDX-License-Identifier: MIT
#
# a.blg (make_log.c) has rates and timers, which need two samples, and Available MBytes, which needs one.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg
run relog a.blg -e 11/20/2026 3:00:00 PM -o one.blg
status 0
text='rates and averages need two samples, and there is one:'
for verb in stats values 'stats --format json' 'explain -c \PhysicalDisk(*)\*' 'chart' 'report -o r.html'; do
	# shellcheck disable=SC2086
	run $verb one.blg
	status 0
	same "said by $verb" "$(grep -c "$text" <<<"$err")" 1
	# shellcheck disable=SC2086
	run ${verb/r.html/r2.html} a.blg
	case $err in *"$text"*) bad "said of eleven samples" ;; *) ok ;; esac
done
run chart one.blg -c '\PhysicalDisk(*)\*'
status 1
err_has "$text"
err_says value
run stats one.blg -c '\Memory\*'
case $err in *"$text"*) bad "said of a counter that needs one sample" ;; *) ok ;; esac

finish
