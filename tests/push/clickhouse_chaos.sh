#!/usr/bin/env bash
# clickhouse_chaos.sh - killing the server, the network and pmon at random costs nothing
# SPDX-License-Identifier: MIT
#
# PMON_TEST_KILLS is how often (10), PMON_TEST_SEED how the dice fall (1).
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
kills=${PMON_TEST_KILLS:-10}
seed=${PMON_TEST_SEED:-1}
RANDOM=$seed

# As many logs as there is something to do to the end.
logs=()
for ((n = 1; n <= 3 + kills / 10; n++)); do
	logs+=("log$n.jsonl")
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$n" 150 "log$n.jsonl" --machine "M$n" || exit 1
done
start_current db || skip "$why"
start_proxy net "${ports[db]}" --seed "$seed" --trouble 0.1 --delay 0.2
plain=clickhouse+http://127.0.0.1:${ports[db]}
failing=clickhouse+http://127.0.0.1:${ports[net]}

# What counts; sums show whether any bit of it differs.
contents() {
	ch db "SELECT count(), sum(h), groupBitXor(h) FROM (SELECT cityHash64(machine, series, time, nth, n, d, b,
		reinterpretAsUInt64(x), span, lag, multi, raw_status, wrapped, kind, status) AS h FROM $1.pmon_fact FINAL)"
	ch db "SELECT uniqExact(series, path, type, time_base), sum(cityHash64(series, path)) FROM $1.pmon_series FINAL"
}

# A push that is not killed completes, whatever happens around it.
let_finish() {
	ran="a push in round $round"
	wait "${pids[pusher]}" && ok || bad "ends with $?: $(cat pusher.out)"
}

# A time up to so many milliseconds.
doze() { sleep "$(printf '0.%03d' $((RANDOM % $1)))"; }

run push --to "$plain/clean" "${logs[@]}"
status 0
expected=$(contents clean)
[ "$(wc -l <<<"$expected")" = 2 ] && ok || bad "the contents cannot be read: $expected"

deaths=0
for ((round = 1; round <= kills; round++)); do
	start pusher "$PMON_BIN" push --batch 700 --retry 10m --to "$failing/perf" "${logs[RANDOM % ${#logs[@]}]}"
	case $((RANDOM % 3)) in
	0)
		doze 700
		stop pusher KILL
		deaths=$((deaths + 1))
		;;
	1)
		doze 500
		stop db KILL
		doze 300
		run_current db
		deaths=$((deaths + 1))
		;;
	2) doze 900 ;;
	esac
	# Now and then it is left to come to its end.
	if [ $((RANDOM % 4)) = 0 ] && [ -n "${pids[pusher]:-}" ]; then
		let_finish
	fi
	stop pusher KILL
done
ran="$kills rounds, seed $seed"
[ "$deaths" -gt 0 ] && ok || bad "nothing was killed"

# Once more, in peace: what is missing comes, and nothing else is in it.
run push --batch 700 --to "$plain/perf" "${logs[@]}"
status 0
out_has 'were there'
same "what is stored" "$(contents perf)" "$expected"
run rollup "$plain/perf"
status 0
same "what is stored after a repair" "$(contents perf)" "$expected"
same "hours" "$(ch db "SELECT count() FROM (SELECT * EXCEPT version FROM clean.pmon_hour FINAL) AS a
	FULL OUTER JOIN (SELECT * EXCEPT version FROM perf.pmon_hour FINAL) AS b USING (machine, series, hour)
	WHERE (a.samples, a.pairs, a.n, a.d) <> (b.samples, b.pairs, b.n, b.d)")" 0
ch db 'OPTIMIZE TABLE perf.pmon_fact FINAL' >/dev/null
same "rows when all are merged" "$(ch db 'SELECT count() FROM perf.pmon_fact')" \
	"$(ch db 'SELECT count() FROM clean.pmon_fact FINAL')"

finish
