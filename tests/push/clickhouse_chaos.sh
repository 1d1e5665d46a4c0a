#!/usr/bin/env bash
# clickhouse_chaos.sh - killing the server, the network and pmon at random costs nothing
# SPDX-License-Identifier: MIT
#
# PMON_TEST_KILLS is how often (10), PMON_TEST_SEED how the dice fall (1).
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
kills=${PMON_TEST_KILLS:-10}
seed=${PMON_TEST_SEED:-1}
RANDOM=$seed

# As many logs as there is something to do to the end.
logs=()
for ((n = 1; n <= 3 + kills / 10; n++)); do
	logs+=("log$n.jsonl")
	python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" "$n" 150 "log$n.jsonl" --machine "M$n" || exit 1
done
for name in db other; do
	ports[$name]=$(free_port)
	tcp_ports[$name]=$(free_port)
	clusters+="<shard><replica><host>127.0.0.1</host><port>${tcp_ports[$name]}</port></replica></shard>"
done
clusters="<both>$clusters</both>"
start_clickhouse db
start_proxy net "${ports[db]}" --seed "$seed" --trouble 0.1 --delay 0.2
plain=clickhouse+http://127.0.0.1:${ports[db]}
failing=clickhouse+http://127.0.0.1:${ports[net]}

# The stored rows without duplicates; sums show whether any bit of them differs.
contents() {
	ch db "SELECT count(), sum(h), groupBitXor(h) FROM (SELECT DISTINCT
		cityHash64(toString(series), time, nth, day, raw_time, first, second, multi, status, absent_after,
		type, time_base, size) AS h FROM $1.pmon_raw)"
	ch db "SELECT uniqExact(key, path, type, time_base), sum(cityHash64(toString(key), path)) FROM
		(SELECT DISTINCT key, path, type, time_base FROM $1.pmon_series)"
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
		run_clickhouse db
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
ch db 'OPTIMIZE TABLE perf.pmon_raw FINAL' >/dev/null
same "rows when all are merged" "$(ch db 'SELECT count() FROM perf.pmon_raw')" \
	"$(ch db 'SELECT count() FROM clean.pmon_raw')"
# ---- Two nodes, one of which dies -----------------------------------------------------------

start_clickhouse other
spread=clickhouse+http://127.0.0.1:${ports[db]},127.0.0.1:${ports[other]}/spread
for ((round = 0; round <= kills / 5; round++)); do
	victim=db
	[ $((RANDOM % 2)) = 0 ] || victim=other
	start pusher "$PMON_BIN" push --batch 700 --retry 10m --cluster both --to "$spread" \
		"${logs[RANDOM % ${#logs[@]}]}"
	doze 600
	stop $victim KILL
	doze 300
	run_clickhouse $victim
	[ $((round % 2)) = 0 ] || let_finish
	stop pusher KILL
done
run push --batch 700 --cluster both --to "$spread" "${logs[@]}"
status 0
same "what is stored on two nodes" "$(contents spread)" "$expected"

finish
