#!/usr/bin/env bash
# postgres_kills.sh - the server, the network and pmon are killed at random: nothing is lost, nothing twice
# SPDX-License-Identifier: MIT
#
# PMON_TEST_KILLS rounds, 3 by default. In each a log is pushed through a network that cuts connections,
# while the server, one of its processes or pmon itself is killed (-9). Then it is pushed until it is all
# there, and the contents have to be those of an undisturbed push.
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
rounds=${PMON_TEST_KILLS:-3}
RANDOM=${PMON_TEST_SEED:-1}
make_log long long.blg 200
rows=40000
start_postgres one

"$PMON_BIN" push --to "postgresql://127.0.0.1:${ports[one]}/perf" --batch 3000 long.blg >/dev/null || exit 1
want=$(checksum one)
ledger="SELECT count(*), sum(rows), count(DISTINCT log) FROM pmon_push"
want_ledger=$(pg one "$ledger")
# The sums of hours, and the newest values, which the next log continues from.
rest="SELECT (SELECT md5(string_agg(path || ' ' || (to_jsonb(h) - 'series')::text, ' ' ORDER BY path, hour)) FROM pmon_hour AS h
	JOIN pmon_series USING (series)), (SELECT md5(string_agg(path || ' ' || (to_jsonb(t) - 'series')::text, ' ' ORDER BY path))
	FROM pmon_tail AS t JOIN pmon_series USING (series))"
want_rest=$(pg one "$rest")
same "rows" "$(cut -f 1 <<<"$want" | head -n 1)" "$rows"

restart_server() {
	local try

	# Processes that the dead server left hold its memory for a moment.
	for try in 1 2 3 4 5; do
		run_postgres one && return
		stop one KILL
		sleep "0.$try"
	done
	echo "the server does not start again"
	cat "$tmp/one.out"
	exit 1
}

start_cutter() {
	ports[cutter]=$(free_port)
	start cutter python3 "$PMON_SOURCE_DIR/tests/push/cutter.py" "${ports[cutter]}" "${ports[one]}" "$RANDOM" 0.6
	wait_for_server cutter listens "${ports[cutter]}" && return
	echo "the network does not start: $(cat "$tmp/cutter.out")"
	exit 1
}

kill_something() {
	local victim

	case $((RANDOM % 4)) in
	0)
		stop one KILL
		restart_server
		;;
	1)
		victim=$(pg one "SELECT pid FROM pg_stat_activity WHERE application_name = 'pmon'" 2>/dev/null | head -n 1)
		[ -z "$victim" ] || kill -9 "$victim" 2>/dev/null
		;;
	2) stop push KILL ;;
	esac # else the network alone
}

for ((round = 1; round <= rounds; round++)); do
	ran="round $round"
	pg_do one "TRUNCATE pmon_fact, pmon_series, pmon_tail, pmon_hour, pmon_push RESTART IDENTITY"
	start_cutter
	url=postgresql://127.0.0.1:${ports[cutter]}/perf
	start push "$PMON_BIN" push --to "$url" --retry 10m --batch 3000 long.blg
	for _ in 1 2; do
		sleep "$((RANDOM % 2)).$((RANDOM % 10))"
		kill_something
	done
	[ -z "${pids[push]:-}" ] || wait "${pids[push]}"
	unset "pids[push]"
	# The server may be in the middle of its recovery.
	wait_for pg one 'SELECT 1'
	run push --to "$url" --retry 10m --batch 3000 long.blg
	ran="round $round"
	status 0
	same "contents" "$(checksum one)" "$want"
	same "ledger" "$(pg one "$ledger")" "$want_ledger"
	run rollup --retry 10m "$url"
	status 0
	same "sums and newest values" "$(pg one "$rest")" "$want_rest"
	stop cutter KILL
done
finish
