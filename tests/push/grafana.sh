#!/usr/bin/env bash
# grafana.sh - every query of the dashboards runs, and gives the averages of pmon stats
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need python3
[ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] || skip "PMON_TEST_DATA has no pal-SampleLog.blg"
log=$PMON_TEST_DATA/blg/pal-SampleLog.blg
export XDG_STATE_HOME=$tmp/state

# dashboard NAME ADDRESS [OPTION]
dashboard() {
	ran="dashboard $*"
	local file

	for file in "$1" "$1-explorer"; do
		python3 "$PMON_SOURCE_DIR/tests/push/grafana.py" "$PMON_SOURCE_DIR/packaging/grafana/$file.json" "$2" \
			"$log" "${@:3}" >dashboard.out 2>&1 && ok || bad "$file: $(cat dashboard.out)"
	done
}

ran="tools/gen-grafana --check"
"$PMON_SOURCE_DIR/tools/gen-grafana" --check >check.out && ok || bad "$(cat check.out)"

engines=0
if start_current now; then
	run push --retry 5s --to "clickhouse+http://127.0.0.1:${ports[now]}/perf" "$log"
	status 0
	dashboard clickhouse "${ports[now]}/perf"
	engines=$((engines + 1))
fi
if [ -x "$pg_bin/initdb" ] && command -v psql >/dev/null; then
	start_postgres pg
	run push --to "postgresql://127.0.0.1:${ports[pg]}/perf" "$log"
	status 0
	dashboard postgresql "${ports[pg]}/perf"
	engines=$((engines + 1))
fi
if command -v prometheus >/dev/null; then
	ports[prom]=$(free_port)
	: >prometheus.yml
	start prom prometheus --config.file prometheus.yml --storage.tsdb.path prom-data --log.level warn \
		--storage.tsdb.retention.time 100y --web.enable-remote-write-receiver \
		--web.listen-address "127.0.0.1:${ports[prom]}"
	wait_for_server prom http "${ports[prom]}" /-/ready
	run push --to "prometheus+http://127.0.0.1:${ports[prom]}" "$log"
	status 0
	dashboard prometheus "${ports[prom]}"
	engines=$((engines + 1))
fi
if command -v victoria-metrics >/dev/null; then
	ports[vm]=$(free_port)
	start vm victoria-metrics -httpListenAddr "127.0.0.1:${ports[vm]}" -storageDataPath vm-data \
		-retentionPeriod 100y -search.latencyOffset 0s -dedup.minScrapeInterval 1ms -loggerLevel WARN \
		-memory.allowedBytes 256MB
	wait_for_server vm http "${ports[vm]}" /health
	run push --to "victoriametrics+http://127.0.0.1:${ports[vm]}" "$log"
	status 0
	# An alert as Prometheus records it, at the end of the log.
	http "${ports[vm]}" /api/v1/import/prometheus \
		'ALERTS{alertname="Disk reads",alertstate="firing",machine="ZACH-PC",instance="0 C:"} 1 1187121038000
instance:pmon_memory_pages:average5m{machine="ZACH-PC",object="Memory"} 7 1187121038000' >/dev/null
	http "${ports[vm]}" /internal/force_flush >/dev/null
	dashboard prometheus "${ports[vm]}" --alerts
	engines=$((engines + 1))
fi
[ $engines -gt 0 ] || skip "no engine is here"

finish
