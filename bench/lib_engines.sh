# lib_engines.sh - a server of each engine for benchmarks, and what it takes; to be sourced
# SPDX-License-Identifier: MIT
#
#	open_KIND           start it; fails with a message where it is not here
#	fresh_KIND NAME     empty it, or begin a database; sets $url for pmon and $server, its process
#	disk_KIND NAME      tidy up; the bytes on the disk
#	rows_KIND, client_KIND   bench_senders.sh's rows for the engine's own client, and sent by it
#	close_KIND
#	cpu_ms PID, rss_kib PID, settle PID    of the server and its children; wait until it does nothing more

# shellcheck shell=bash disable=SC2034,SC2154
# shellcheck source=tests/push/lib_postgres.sh
. tests/push/lib_postgres.sh
skip() { echo "$(basename "$0"): $*" >&2; return 1; }

family() { pgrep -g "$(ps -o pgid= -p "$1" | tr -d ' ')" -P "$1" | cat - <(echo "$1"); }
cpu_ms() { family "$1" | while read -r p; do cat "/proc/$p/stat" 2>/dev/null; done |
	sed 's/.*) //' | awk -v hz="$(getconf CLK_TCK)" '{ t += $12 + $13 + $14 + $15 } END { print int(t * 1000 / hz) }'; }
rss_kib() { family "$1" | while read -r p; do awk '/^Rss:/ { r = $2 } /^Pss:/ { print $2 }' "/proc/$p/smaps_rollup" 2>/dev/null; done |
	awk '{ t += $1 } END { print int(t) }'; }

# Merges and flushes go on after the last answer: until two seconds cost less than 40 ms, or a minute has gone.
settle() {
	local before after

	after=$(cpu_ms "$1")
	for _ in $(seq 30); do
		before=$after
		sleep 2
		after=$(cpu_ms "$1")
		[ $((after - before)) -ge 40 ] || return 0
	done
}

# ---- ClickHouse -----------------------------------------------------------------------------

open_clickhouse() { { start_current bench || skip "$why"; } && server=${pids[bench]} batch=500000; }
fresh_clickhouse() { url=clickhouse+http://127.0.0.1:${ports[bench]}/$1; }
disk_clickhouse() {
	ch bench "OPTIMIZE TABLE ${1:-bench}.pmon_fact FINAL" >/dev/null
	ch bench "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${1:-bench}'"
}
rows_clickhouse() {
	ch bench "SELECT * FROM sent.pmon_fact WHERE time = (SELECT max(time) FROM sent.pmon_fact)" >rows.tsv
	ch bench "CREATE DATABASE client" && ch bench "CREATE TABLE client.pmon_fact AS sent.pmon_fact"
}
client_clickhouse() {
	row client 1 curl -s -f --data-binary @rows.tsv \
		"http://127.0.0.1:${ports[bench]}/?query=INSERT%20INTO%20client.pmon_fact%20FORMAT%20TabSeparated"
}
close_clickhouse() { stop bench; }

# ---- PostgreSQL -----------------------------------------------------------------------------

open_postgresql() { need_postgres && start_postgres bench && server=${pids[bench]} batch=100000; }
fresh_postgresql() {
	database=postgres pg_do bench "CREATE DATABASE $1"
	url=postgresql://127.0.0.1:${ports[bench]}/$1
}
disk_postgresql() {
	database=${1:-bench} pg_do bench "VACUUM FULL" >/dev/null
	database=${1:-bench} pg bench "SELECT pg_database_size(current_database())"
}
rows_postgresql() {
	database=sent pg bench "SELECT * FROM pmon_fact WHERE time = (SELECT max(time) FROM pmon_fact)" >rows.copy
	fresh_postgresql client
	database=sent pg bench "SELECT string_agg(format('%I %s', attname, CASE WHEN typtype = 'e' THEN 'text'
		ELSE format_type(atttypid, atttypmod) END), ', ' ORDER BY attnum) FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid
		WHERE attrelid = 'pmon_fact'::regclass AND attnum > 0 AND NOT attisdropped" >columns
	database=client pg_do bench "CREATE TABLE pmon_fact ($(cat columns), PRIMARY KEY (series, time, nth))"
}
client_postgresql() {
	row client 1 psql -X -q -h 127.0.0.1 -p "${ports[bench]}" -d client -c '\copy pmon_fact FROM rows.copy'
}
close_postgresql() { stop bench INT; }

# ---- Prometheus -----------------------------------------------------------------------------

open_prometheus() {
	command -v prometheus >/dev/null || skip "prometheus is not here" || return 1
	ports[prometheus]=$(free_port) batch=10000
}
fresh_prometheus() {
	stop prometheus
	rm -rf "$tmp/prometheus"
	mkdir "$tmp/prometheus"
	: >"$tmp/prometheus/c.yml"
	start prometheus prometheus --config.file="$tmp/prometheus/c.yml" --storage.tsdb.path="$tmp/prometheus/data" \
		--storage.tsdb.retention.time=100y --web.enable-remote-write-receiver --web.enable-admin-api \
		--web.listen-address="127.0.0.1:${ports[prometheus]}" --log.level=warn
	wait_for http "${ports[prometheus]}" /-/ready
	server=${pids[prometheus]} url=prometheus+http://127.0.0.1:${ports[prometheus]}
}
disk_prometheus() {
	http "${ports[prometheus]}" "/api/v1/admin/tsdb/snapshot" "x" >/dev/null
	du -sb "$tmp/prometheus/data/snapshots" | cut -f1
}
rows_prometheus() { "$PMON_BIN" relog merged.blg -f openmetrics -o rows.om -y >/dev/null; }
client_prometheus() {
	row client 1 promtool tsdb create-blocks-from openmetrics rows.om blocks
}
close_prometheus() { stop prometheus; }

# ---- VictoriaMetrics ------------------------------------------------------------------------

open_victoriametrics() {
	victoria=$(command -v victoria-metrics) || skip "victoria-metrics is not here" || return 1
	ports[victoria]=$(free_port) batch=10000
}
# pmon gets the URL of any remote write: of VictoriaMetrics' own it waits at the end, until what was sent is in files.
fresh_victoriametrics() {
	stop victoria
	rm -rf "$tmp/victoria"
	start victoria "$victoria" -storageDataPath="$tmp/victoria" -retentionPeriod=100y -dedup.minScrapeInterval=1ms \
		-httpListenAddr="127.0.0.1:${ports[victoria]}" -loggerLevel=ERROR
	wait_for http "${ports[victoria]}" /health
	server=${pids[victoria]} url=prometheus+http://127.0.0.1:${ports[victoria]}
}
disk_victoriametrics() {
	http "${ports[victoria]}" /internal/force_flush >/dev/null
	http "${ports[victoria]}" /internal/force_merge >/dev/null
	sleep 5
	du -sb "$tmp/victoria" | cut -f1
}
rows_victoriametrics() { "$PMON_BIN" relog merged.blg -f prometheus -o rows.prom -y >/dev/null; }
client_victoriametrics() {
	row client 1 curl -s -f --data-binary @rows.prom "http://127.0.0.1:${ports[victoria]}/api/v1/import/prometheus"
}
close_victoriametrics() { stop victoria; }
