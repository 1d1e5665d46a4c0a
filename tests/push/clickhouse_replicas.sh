#!/usr/bin/env bash
# clickhouse_replicas.sh - replicas have the same rows, and one that is away stops no push
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
need java
zookeeper=/usr/share/java/zookeeper.jar
[ -e "$zookeeper" ] || skip "ZooKeeper is not here"
for name in a b c; do
	ports[$name]=$(free_port)
	tcp_ports[$name]=$(free_port)
done
replica() { echo "<replica><host>127.0.0.1</host><port>${tcp_ports[$1]}</port></replica>"; }
clusters="<pair><shard><internal_replication>true</internal_replication>$(replica a)$(replica b)</shard></pair>
<three><shard>$(replica a)$(replica b)</shard><shard>$(replica c)</shard></three>"
url=clickhouse+http://127.0.0.1:${ports[a]},127.0.0.1:${ports[b]}
python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 100 all.jsonl || exit 1
head -n $(($(wc -l <all.jsonl) * 3 / 5)) all.jsonl >early.jsonl
facts=$(wc -l <all.jsonl)

# ---- Without a Keeper -----------------------------------------------------------------------

start_clickhouse a
start_clickhouse b
run push --cluster pair --to "$url/perf" early.jsonl
status 1
err_has 'the cluster pair has 2 replicas in a shard'
err_has 'has no Keeper'
same "databases" "$(ch a "SELECT count() FROM system.databases WHERE name = 'perf'")" 0

# ---- With one -------------------------------------------------------------------------------

port=$(free_port)
mkdir zk
cat >zk/zoo.cfg <<END
tickTime=500
dataDir=$tmp/zk/data
clientPort=$port
clientPortAddress=127.0.0.1
admin.enableServer=false
END
start keeper java -Xmx256m -Dzookeeper.jmx.log4j.disable=true -cp "$tmp/zk:$zookeeper" \
	org.apache.zookeeper.server.quorum.QuorumPeerMain "$tmp/zk/zoo.cfg"
wait_for_server keeper listens "$port" || skip "ZooKeeper does not start here: $(cat keeper.out)"

# restart NODE SHARD_MACRO
restart() {
	stop "$1" KILL
	more_config[$1]="<interserver_http_port>$(free_port)</interserver_http_port>
		<interserver_http_host>127.0.0.1</interserver_http_host>
		<zookeeper><node><host>127.0.0.1</host><port>$port</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>
		${2:+<macros><shard>$2</shard><replica>$1</replica></macros>}"
	start_clickhouse "$1"
}
restart a ''
restart b s1
restart c s1
run push --cluster pair --to "$url/perf" early.jsonl
status 1
err_has 'has no <macros> shard and replica'
restart a s1
run push --cluster three --to "$url,127.0.0.1:${ports[c]}/perf" early.jsonl
status 1
err_has 'it must be the same in one shard, and another in others'
stop c KILL

rows() { ch "$1" 'SELECT uniqExact(series, time, nth) FROM perf.pmon_raw'; }
local_rows() { ch "$1" 'SELECT uniqExact(series, time, nth) FROM perf.pmon_raw_local'; }
has_rows() { [ "$(local_rows "$1")" = "$2" ]; }
run push --cluster pair --to "$url/perf" early.jsonl
status 0
for name in a b; do
	wait_for has_rows $name "$(wc -l <early.jsonl)"
done
for _ in 1 2 3 4; do
	same "rows" "$(rows a) $(rows b)" "$(wc -l <early.jsonl) $(wc -l <early.jsonl)"
done

# One is away; the other takes the rows, and the first gets them when it is back.
stop a KILL
run push --retry 10s --cluster pair --to "$url/perf" all.jsonl
status 0
err_has 'does not answer; the push goes on without it'
run_clickhouse a
wait_for has_rows a "$facts"
same "rows" "$(rows a) $(rows b)" "$facts $facts"
compare_ch a perf all.jsonl
run push --cluster pair --to "$url/perf" all.jsonl
status 0
out_has ': 0 values of'

# What was deleted is stored again, though the Keeper knows its blocks.
day=$(ch a 'SELECT toString(min(day)) FROM perf.pmon_raw_local')
ch a "ALTER TABLE perf.pmon_raw_local DROP PARTITION '$day'"
run push --verify --cluster pair --to "$url/perf" all.jsonl
status 1
run push --again --cluster pair --to "$url/perf" all.jsonl
status 0
for name in a b; do
	wait_for has_rows $name "$facts"
	same "rows" "$(local_rows $name)" "$facts"
done

# Tables of a node alone, which the Keeper knows nothing of.
ch a 'CREATE DATABASE plain'
ch a 'CREATE TABLE plain.pmon_series_local (key UUID) ENGINE = MergeTree() ORDER BY key'
run push --cluster pair --to "$url/plain" early.jsonl
status 1
err_has 'has tables that are not replicated'

finish
