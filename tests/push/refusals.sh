#!/usr/bin/env bash
# refusals.sh - engines that refuse, are busy, or are not what the URL says: what is tried again, and for how long
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

need python3
make_log average a.blg
run push --dry-run --to prometheus+http://127.0.0.1 a.blg
[ "$status" = 0 ] || skip "pmon was built without Prometheus"

# answering NAME STATUS [HEADER]...: a server of this one answer
answering() {
	local name=$1

	shift
	ports[$name]=$(free_port)
	start "$name" python3 "$PMON_SOURCE_DIR/tests/push/answer.py" "${ports[$name]}" "$@"
	wait_for_server "$name" listens "${ports[$name]}"
}

once() { case $err in *'retrying'*) bad "it is tried again: $err" ;; *) ok ;; esac; }

# An error that a retry cannot cure is reported at once.
for code in 301 400 401 403 404 413; do
	answering "no$code" "$code" "Location: http://127.0.0.1:1/"
	run push --to "prometheus+http://127.0.0.1:${ports[no$code]}" a.blg
	status 1
	once
	err_says "$code" 'not now'
	stop "no$code"
done

# Samples of the future are not sent, and the status says it; the others are. The server's clock is that of this machine.
answering today 200
python3 - >future.csv <<'END'
import datetime
now = datetime.datetime.now(datetime.timezone.utc)
print(r'"(PDH-CSV 4.0) (UTC)(0)","\\S\O\A"')
for days in (-2, -1, 1, 2000, 80000):
    print('"%s","1"' % (now + datetime.timedelta(days)).strftime('%m/%d/%Y %H:%M:%S.000'))
END
for engine in prometheus victoriametrics http; do
	to=$engine+http://127.0.0.1:${ports[today]}
	[ "$engine" = http ] && to=http://127.0.0.1:${ports[today]}/api/v1/write
	run push --to "$to" --state-dir "state-$engine" future.csv
	status 3
	out_has '2 values of 1 counter sent, 3 are ahead of'
	err_says clock
	run push --to "$to" --state-dir "state-$engine" future.csv
	status 3
	out_has '3 are ahead of'
	run push --to "$to" --state-dir "state-$engine" --allow-future future.csv
	status 0
	out_has '3 values of 1 counter sent, 2 were there'
done
# Each tenant has its own record of what was sent.
for tenant in sales stock; do
	for expected in '5 values of 1 counter sent' '5 were there'; do
		run push --to "prometheus+http://127.0.0.1:${ports[today]}" --state-dir tenants \
			--header "X-Scope-OrgID: $tenant" --allow-future future.csv
		status 0
		out_has "$expected"
	done
done
stop today

# TLS where there is none.
answering plain 200
for engine in clickhouse prometheus victoriametrics; do
	run push --to "$engine+https://127.0.0.1:${ports[plain]}/perf" a.blg
	status 1
	once
	err_says TLS
	err_has '+http://'
done

# pmon waits at least as long as a server asks in Retry-After.
for code in 429 503; do
	answering "later$code" "$code" 'Retry-After: 2'
	run push --retry 3s --to "prometheus+http://127.0.0.1:${ports[later$code]}" a.blg
	status 1
	err_says 'not now' retrying '2 s'
	# The second wait is cut to the rest of the 3 s; a slow machine has none left.
	n=$(grep -c 'retrying' <<<"$err")
	[ "$n" -ge 1 ] && [ "$n" -le 2 ] && ok || bad "$n attempts"
	stop "later$code"
done

# The folder for what was sent is made; where that cannot be done nothing is sent.
run push --retry 1s --state-dir made/below --to prometheus+http://127.0.0.1:1 a.blg
status 1
err_says 'values' 'not sent' 'push it again'
[ -d made/below ] && ok || bad "the folder is not there"
run push --state-dir a.blg/below --to "prometheus+http://127.0.0.1:${ports[plain]}" a.blg
status 1
err_says_only a.blg/below 'Not a directory'

finish
