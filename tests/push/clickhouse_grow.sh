#!/usr/bin/env bash
# clickhouse_grow.sh - a cluster whose shards change is refused; a database moves to a larger one, exactly
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
nodes=(a b c d)
for name in "${nodes[@]}"; do
	ports[$name]=$(free_port)
	tcp_ports[$name]=$(free_port)
done

# shards NODE...: one shard of each
shards() {
	local name

	for name in "$@"; do
		printf '<shard><replica><host>127.0.0.1</host><port>%s</port></replica></shard>' "${tcp_ports[$name]}"
	done
}

# The cluster "site" grows in place; "four" is a second name for what it becomes.
clusters="<site>$(shards a b)</site><four>$(shards a b c d)</four><turned>$(shards b a)</turned>
<loop>$(shards a a)</loop><pair><shard>$(shards a b | sed 's/<\/*shard>//g')</shard></pair>"
for name in "${nodes[@]}"; do
	start_clickhouse $name
done

# to DATABASE NODE...: their URL
to() {
	local database=$1 hosts='' name

	shift
	for name in "$@"; do
		hosts+=${hosts:+,}127.0.0.1:${ports[$name]}
	done
	echo "clickhouse+http://$hosts/$database"
}

# Two logs that overlap: the first three fifths of one, and all of it.
python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 1 100 all.jsonl || exit 1
head -n $(($(wc -l <all.jsonl) * 3 / 5)) all.jsonl >early.jsonl
facts=$(wc -l <all.jsonl)
rows() { ch "$1" "SELECT uniqExact(series, time, nth), count() FROM ${2:-perf}.pmon_raw"; }

run push --cluster site --to "$(to perf a b)" early.jsonl
status 0
same "each fact once" "$(rows a)" "$(wc -l <early.jsonl)"$'\t'"$(wc -l <early.jsonl)"
held() { ch a 'SELECT count() FROM perf.pmon_raw_local' && ch b 'SELECT count() FROM perf.pmon_raw_local'; }
stored=$(held)

# refused MESSAGE ARGUMENTS...: exits with 1, and changes nothing
refused() {
	local message=$1

	shift
	run push "$@"
	status 1
	err_has "$message"
	same "what is stored" "$(held)" "$stored"
}

# ---- Another cluster ------------------------------------------------------------------------

refused 'is distributed over the cluster site, not over four' --cluster four --to "$(to perf a b c d)" all.jsonl
err_has 'Growing a cluster'
refused 'names no node of shard 1' --cluster four --to "$(to perf c d)" all.jsonl
refused 'is distributed over the cluster site, not over turned' --cluster turned --to "$(to perf a b)" all.jsonl
refused 'has no cluster nowhere' --cluster nowhere --to "$(to perf a b)" all.jsonl
refused 'is distributed over a cluster; push with --cluster' --to "$(to perf a)" all.jsonl
refused 'is in 2 shards of the cluster loop' --cluster loop --to "$(to other a)" all.jsonl
refused 'has 2 replicas in a shard' --cluster pair --to "$(to other a b)" all.jsonl
run push --to "$(to alone a)" early.jsonl
status 0
refused 'is of this node alone; push without --cluster' --cluster site --to "$(to alone a b)" all.jsonl
same "databases" "$(ch c "SELECT count() FROM system.databases WHERE name IN ('perf', 'other', 'alone')")" 0

# ---- The same cluster with more shards ------------------------------------------------------

# again_with CLUSTERS: servers read a changed configuration within some seconds.
again_with() {
	local name

	clusters=$1
	for name in a b; do
		configure_clickhouse $name
	done
	for name in a b; do
		wait_for is_read $name || bad "node $name has not read its new configuration"
	done
}
is_read() { # NODE: its cluster "site" is that of $clusters
	local read

	read=$(ch "$1" "SELECT port FROM system.clusters WHERE cluster = 'site' ORDER BY shard_num")
	[ "$read" = "$(sed "s/<.site>.*//; q" <<<"$clusters" | grep -o '[0-9][0-9]*<.port' | sed 's/<.*//')" ]
}
before=$clusters
again_with "<site>$(shards a b c d)</site><old>$(shards a b)</old><four>$(shards a b c d)</four>"
refused 'their weights were 1 1, and are 1 1 1 1' --cluster site --to "$(to perf a b)" all.jsonl
again_with "<site>$(shards b a)</site>"
refused 'was shard 1 of the cluster site, and is shard 2 now' --cluster site --to "$(to perf a b)" all.jsonl

# A database of a pmon before 0.2, which recorded no cluster: its series say where they belong.
for name in a b; do
	ch $name 'DROP TABLE perf.pmon_cluster'
done
refused 'series of other shards' --cluster site --to "$(to perf a b)" all.jsonl
again_with "$before"
run push --cluster site --to "$(to perf a b)" early.jsonl
status 0
out_has 'were there'
same "what was recorded" "$(ch b 'SELECT * FROM perf.pmon_cluster')" $'site\t1 1\t2'

# ---- A node that is away --------------------------------------------------------------------

# Counters of the shard that is there are pushed; the others wait for theirs.
of_shard() {
	ch a "SELECT DISTINCT path FROM perf.pmon_series
		WHERE reinterpretAsUInt64(reinterpretAsString(key)) % 2 = $1 ORDER BY path LIMIT 3"
}
there=()
while IFS= read -r path; do
	there+=(-c "${path//\\\\/\\}")
done < <(of_shard 0)
stop b KILL
run push --retry 10s --cluster site --to "$(to perf a b)" "${there[@]}" all.jsonl
status 0
err_has 'does not answer; the push goes on without it'
run push --retry 1s --cluster site --to "$(to perf a b)" all.jsonl
status 1
err_has 'trying again'
run_clickhouse b

# ---- Moving to a larger cluster, as docs/engines/clickhouse.md says ---------------------------------------

run push --cluster site --to "$(to perf a b)" early.jsonl
status 0
run push --cluster four --to "$(to grown a b c d)" early.jsonl
status 0
sed -n '/^## Growing a cluster/,/^##/p' "$PMON_SOURCE_DIR/docs/engines/clickhouse.md" |
	sed -n '/^```sql/,/^```/p' | grep -v '^```' >grow.sql
while read -r statement; do
	http "${ports[a]}" '/?insert_distributed_sync=1' "${statement%;}" || bad "$statement"
done <grow.sql
run push --cluster four --to "$(to grown a b c d)" early.jsonl
status 0
out_has ': 0 values of'
run push --cluster four --to "$(to grown d c b a)" all.jsonl
status 0
for name in "${nodes[@]}"; do
	ch $name 'OPTIMIZE TABLE grown.pmon_raw_local FINAL' >/dev/null
	same "series on node $name" "$(ch $name "SELECT uniq(key) > 0 AND countIf(
		reinterpretAsUInt64(reinterpretAsString(key)) % 4 + 1 <>
		(SELECT toUInt64(shard) FROM grown.pmon_cluster)) = 0 FROM grown.pmon_series_local")" 1
done
for name in a d; do
	same "rows seen by $name" "$(rows $name grown)" "$facts"$'\t'"$facts"
	compare_ch $name grown all.jsonl
done

# ---- A disk is lost -------------------------------------------------------------------------

# Each shard has the ledger of its own rows, so those of the lost one are sent again.
stop d KILL
rm -rf "$tmp/ch-d/data"
run_clickhouse d
run push --cluster four --to "$(to grown a b c d)" all.jsonl
status 0
out_lacks ': 0 values of'
same "rows after a disk was lost" "$(ch b 'SELECT uniqExact(series, time, nth) FROM grown.pmon_raw')" "$facts"
run push --cluster four --to "$(to grown a b c d)" all.jsonl
out_has ': 0 values of'

finish
