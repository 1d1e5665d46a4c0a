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
run_keeper() {
	start keeper java -Xmx256m -Dzookeeper.jmx.log4j.disable=true -cp "$tmp/zk:$zookeeper" \
		org.apache.zookeeper.server.quorum.QuorumPeerMain "$tmp/zk/zoo.cfg"
	wait_for_server keeper listens "$port" || skip "ZooKeeper does not start here: $(cat keeper.out)"
}
run_keeper

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

# Ranges, and sums of hours, which another replica computes while one is away. A third of the log is of another machine.
tail -n +$(($(wc -l <early.jsonl) + 1)) all.jsonl | sed 's/ODD/LATE/' >late.jsonl
mapfile -t times < <(grep -o '"time": *"[^"]*"' all.jsonl | cut -d'"' -f4 | uniq)
range=(--from "${times[30]}" --to "${times[80]}")
compared() { # FILE...
	ran="averages of $*"
	"$PMON_SOURCE_DIR/tests/push/query_compare.py" averages "clickhouse+http://127.0.0.1:${ports[$node]}/perf" "${range[@]}" -- "$@" >compare.out 2>&1 &&
		ok || bad "$(cat compare.out)"
	ch "$node" "SELECT path, average, status, samples FROM (SELECT * FROM perf.pmon_rollup_average
		WHERE window_name = 'all') AS a ALL INNER JOIN (SELECT key AS series, any(path) AS path
		FROM perf.pmon_series GROUP BY key) AS p USING series" >averages.tsv
	"$PMON_SOURCE_DIR/tests/push/compare.py" - averages.tsv "$@" >compare.out 2>&1 && ok || bad "$(cat compare.out)"
}
sums() { ch "$1" 'SELECT series, hour, samples0, pairs0, th0, tl0, uh0, ul0 FROM perf.pmon_hour_sum_local ORDER BY series, hour'; }
run rollup --cluster pair "$url/perf"
status 0
node=a
compared all.jsonl
stop a KILL
run push --retry 60s --cluster pair --to "$url/perf" late.jsonl
status 0
run rollup --retry 60s --cluster pair "$url/perf"
status 0
node=b
compared all.jsonl late.jsonl
run_clickhouse a
has_sums() { [ "$(sums a)" = "$(sums b)" ]; }
wait_for has_sums
run rollup --cluster pair "$url/perf"
status 0
has_sums && ok || bad "sums differ"
late=$(local_rows b)
[ "$late" -gt "$facts" ] && ok || bad "nothing was stored"
wait_for has_rows a "$late"

# A node that lost sight of its tables, as some do that are started while the Keeper is away.
ch a 'DETACH TABLE perf.pmon_series_local'
run push --retry 60s --cluster pair --to "$url/perf" late.jsonl
status 0
err_has 'it was started while its Keeper was away; restart it'
run push --retry 1s --cluster pair --to "clickhouse+http://127.0.0.1:${ports[a]}/perf" late.jsonl
status 1
err_has 'it was started while its Keeper was away; restart it'

# A profile that wants two replicas to have a row before it is acknowledged: pushes wait for the second one.
for name in a b; do
	sed -i 's,<log_queries>,<insert_quorum>2</insert_quorum><insert_quorum_timeout>2000</insert_quorum_timeout>&,' ch-$name/users.xml
	quorum_is_set() { [ "$(ch "$1" "SELECT value FROM system.settings WHERE name = 'insert_quorum'")" = 2 ]; }
	wait_for quorum_is_set $name
done
stop a KILL
sed 's/LATE/SURE/' late.jsonl >sure.jsonl
run push --retry 3s --cluster pair --to "$url/perf" sure.jsonl
status 1
err_has 'quorum'
run_clickhouse a
run push --retry 60s --cluster pair --to "$url/perf" sure.jsonl
status 0
same "rows" "$(local_rows a) $(local_rows b)" "$((2 * late - facts)) $((2 * late - facts))"

# A retention ends the values of both, and what is sent after that.
run push --retention 30d --retry 60s --cluster pair --to "$url/perf" all.jsonl
status 0
out_has 'are older than the retention'
for name in a b; do
	wait_for has_rows $name 0
done

# Tables of a node alone, which the Keeper knows nothing of.
ch a 'CREATE DATABASE plain'
ch a 'CREATE TABLE plain.pmon_series_local (key UUID) ENGINE = MergeTree() ORDER BY key'
run push --cluster pair --to "$url/plain" early.jsonl
status 1
err_has 'has tables that are not replicated'

finish
