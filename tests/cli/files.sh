#!/usr/bin/env bash
# files.sh - missing files, files that are not logs, truncated logs; several files, standard input, --
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg

verbs='info list stats values raw'

mkdir -p folder
for verb in $verbs; do
	run "$verb" nosuch.blg
	status 1
	out_lacks 'SERVER'
	err_says_only nosuch.blg
	run "$verb" folder
	status 1
	err_says folder .blg
	: >empty.blg
	run "$verb" empty.blg
	status 1
	err_says_only empty.blg empty
done
run nosuch.blg
status 1
err_says_only nosuch.blg

# A message names a file whole, and says what happened after it, however long its name is.
long=$(printf '%0250d/%.0s' 1 2 3 4 5)
mkdir -p "$long"
run list "${long}nosuch.blg"
status 1
err_says_only "${long}nosuch.blg"
run explain nosuch.blg -c '\Memory\*'
status 1
run stats -cf nosuch.txt a.blg
status 1
err_has 'nosuch.txt'

# Files of other kinds are named for what they are.
printf 'just some words\n' >words.txt
run info words.txt
status 1
err_says text
head -c 4096 /dev/zero >zeros
run info zeros
status 1
err_says log

# Standard input, and -- before a name that looks like an option.
same 'standard input' "$("$PMON_BIN" stats - <a.blg)" "$("$PMON_BIN" stats a.blg)"
same 'a pipe' "$(cat a.blg | "$PMON_BIN" raw --format json -)" "$("$PMON_BIN" raw --format json a.blg)"
same 'a pipe without a verb' "$(cat a.blg | "$PMON_BIN" - | head -n 2)" "$("$PMON_BIN" a.blg | head -n 2)"
grep -q 'standard input' < <("$PMON_BIN" info - <a.blg) && ok || bad 'standard input has no name'
run info - # which is empty here
status 1
err_says_only 'standard input' empty
cp a.blg ./-c
run info -- -c
status 0
out_has '44 raw values'

# Several files: their samples by time. A file that cannot be opened is reported, and the verb fails.
make_log days days.blg
run stats --format json days.blg a.blg
status 3
err_says_only days.blg a.blg 1 '\\SERVER\Memory\Available MBytes' 2026-11-20T15:00:00Z
out_has 'Available MBytes'
run values --format csv a.blg days.blg
status 3
err_says a.blg days.blg 1
# 11 + 3 samples, of which the first of each file are at the same time and stay two
same 'rows of both files' "$(wc -l <<<"$out")" 15
run stats a.blg nosuch.blg
status 1
out_has 'Available MBytes'
err_says_only nosuch.blg
run info a.blg nosuch.blg days.blg
status 1
out_has 'days.blg'

# A file alone takes few options.
run a.blg --tz +01:00
status 0
out_has 'UTC+01:00'
run a.blg -c '\Memory\*'
status 2
err_says_only -c 'pmon stats a.blg -c'
run a.blg --format json
status 0
out_has '"version":'
run a.blg --format csv
status 2
err_says --format
run a.blg --help
status 0
out_has 'usage: pmon VERB'

# A log cut off anywhere: every whole sample is there, exit status 3, a line for each loss. Nothing
# that is shown differs from what the whole log shows.
make_log long long.blg 200
"$PMON_BIN" values --format json long.blg >whole
size=$(wc -c <long.blg)
for kept in 90 50 10; do
	head -c $((size * kept / 100)) long.blg >cut.blg
	run values --format json cut.blg
	status 3
	same 'what is left is a beginning of the whole' \
		"$(head -n "$(wc -l <"$tmp/.out")" whole | cmp - "$tmp/.out" 2>&1)" ''
	[ "$(wc -l <"$tmp/.out")" -gt $((200 * 200 * (kept - 5) / 100)) ] && ok ||
		bad "only $(wc -l <"$tmp/.out") of 40000 values are left of $kept %"
	losses=$(grep -c '^pmon: cut.blg: lost at byte [0-9]' <<<"$err")
	run info --format json cut.blg
	status 3
	out_has "\"losses\":$losses,"
	[ "$losses" -gt 0 ] && ok || bad 'no loss was told'
	same 'each line of stderr is a loss' "$(grep -vc 'lost at byte' <<<"$err")" 0
done
# Each loss is reported once, also when the log is read more than once.
run info cut.blg
losses=$err
run cut.blg
status 3
err_is "$losses"
run values --format csv cut.blg
err_is "$losses"
run stats cut.blg -c '\Nothing\*' -c '\Web Service(p1)\*'
status 3
same 'losses' "$(grep 'lost at byte' <<<"$err")" "$losses"
run info long.blg
out_has 'damage     none'

# A folder is its logs.
mkdir -p logs/sub empty
make_log average logs/a.blg
gzip -c logs/a.blg >logs/b.blg.gz
echo 'no log' >logs/README.md
for verb in stats list info; do
	run $verb logs
	status 0
	same "$verb" "$("$PMON_BIN" $verb logs/a.blg logs/b.blg.gz)" "$out"
done
run logs
status 0
run stats empty
status 1
err_says empty .blg

# A path of Windows, and words where a file should be.
for path in 'C:\perf\a.blg' 'd:\a.csv' '\\srv\logs\a.blg'; do
	run stats "$path"
	status 1
	err_says Windows /mnt/c
done
run stats cpu
status 1
err_says cpu -c

finish
