#!/usr/bin/env bash
# steps.sh - stats --every and values --every
# SPDX-License-Identifier: MIT
#
# The log "average" has samples at 15:00:00, 15:00:15 ... 15:02:30 UTC on 2026-11-20, with
# Available MBytes 2048 - 16 * i and processor use 60 10 5 5 20 5 5 5 30 5 % (make_log.c).
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg

# Processor use is a ratio of times, so the average of equal intervals is their mean:
# (60 + 10 + 5 + 5) / 4 = 20, (20 + 5 + 5 + 5) / 4 = 8.75, (30 + 5) / 2 = 17.5.
steps() {
	"$PMON_BIN" "$@" -c cpu --format json a.blg |
		sed -n 's/.*"time":"\([^"]*\)".*"\(average\|value\)":\([0-9.][0-9.]*\).*/\1 \3/p' |
		awk '{printf "%s %.6g\n", $1, $2}'
}
same 'stats' "$(steps stats --every 1m)" '2026-11-20T15:00:00Z 20
2026-11-20T15:01:00Z 8.75
2026-11-20T15:02:00Z 17.5'
same 'values, each at the last sample of its step' "$(steps values --every 1m)" '2026-11-20T15:01:00Z 20
2026-11-20T15:02:00Z 8.75
2026-11-20T15:02:30Z 17.5'
same 'other spelling' "$(steps stats --step 60s)" "$(steps stats --every 1m)"
same 'steps follow the clock that is shown' "$(steps stats --every 1d --tz +09:00)" \
	'2026-11-20T15:00:00Z 15'
same 'and the clock of the log' "$(steps stats --every 1d)" '2026-11-20T00:00:00Z 15'

# The sample at 15:00:00 begins the first step, it is not one of its own.
run stats --every 1m -c memory --csv a.blg
same 'steps' "$(sed 1d <<<"$out" | cut -d, -f1 | uniq -c | awk '{print $1, $2}')" \
	'1 2026-11-20T15:00:00Z
1 2026-11-20T15:01:00Z
1 2026-11-20T15:02:00Z'

# The average of each step is that of a window with the same samples: 0.1 us after the boundary to
# the next one.
for length in 15 30 45 120; do
	for format in stats values; do
		steps $format --every "${length}s" >steps
		while read -r time average; do
			[ $format = stats ] && first=$(date -u -d "$time" +%s) ||
				first=$((($(date -u -d "$time" +%s) - 1) / length * length))
			from=$(date -u -d "@$first" +%Y-%m-%dT%H:%M:%S.0000001Z)
			to=$(date -u -d "@$((first + length))" +%Y-%m-%dT%H:%M:%SZ)
			whole=$("$PMON_BIN" stats --from "$from" --to "$to" -c cpu --format json a.blg |
				sed -n 's/.*"average":\([0-9.][0-9.]*\).*/\1/p' | awk '{printf "%.6g", $1}')
			same "$format $length $time" "$average" "$whole"
		done <steps
	done
done

# The options of rows apply to each step; the columns are those of stats, after the time.
run stats --every 1m -c cpu --where 'average>10%' --limit 1 --format csv a.blg
same 'rows' "$(wc -l <<<"$out")" 3
same 'columns' "$(head -1 <<<"$out" | cut -d, -f1-3)" time,path,type
run stats --every 1m a.blg
out_has '2026-11-20 15:01:00'
run values --every 1m --format csv -c cpu a.blg
same 'CSV' "$(sed -n 's/^"11.20.2026 15:0[12]:[0-9.]*","\([0-9.]*\)"$/\1/p' <<<"$out" |
	awk '{printf "%.6g ", $1}')" '20 8.75 17.5 '

for length in 0 x -1m '' 1y; do
	run stats --every "$length" a.blg
	status 2
	err_says --every
done
run values --every 1d --format csv --tz +09:00 a.blg
status 2
err_says --every --tz
run stats --every 1m -c '\Nothing\*' --format csv a.blg
status 1
out_is ''

finish
