#!/usr/bin/env bash
# machines.sh - two machines of one name: an engine takes the counters of the first only
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_postgres.sh
. "$PMON_SOURCE_DIR/tests/push/lib_postgres.sh" || exit 1

need_postgres
start_current one || skip "$why"

# make_machine FOLDER MACHINE-ID SWITCHES: a recorded db01 with two samples, a second apart
make_machine() {
	local n

	for n in 0 1; do
		mkdir -p "$1/$n/proc/sys/kernel" "$1/$n/etc"
		echo db01 >"$1/$n/proc/sys/kernel/hostname"
		echo "$2" >"$1/$n/etc/machine-id"
		echo "ctxt $((1000 + n * $3))" >"$1/$n/proc/stat"
		echo "$((133485408000000000 + n * 10000000)) $((10000000000 + n * 10000000))" >"$1/$n/clock"
	done
	"$PMON_BIN" record --replay "$1" -c '\System\*' -o "$1.jsonl" >/dev/null 2>&1
}

# The ids are those of systemd-id128, see tests/unit/test_machine_id.c.
make_machine a 0123456789abcdef0123456789abcdef 500
make_machine b fedcba98765432100123456789abcdef 700
id_a=c54036b723af49078c8ccadd03b47807
id_b=0b50dfd1eec44ec68708840245ef60f4
for x in a b; do
	sed 's/"log_machine_ids":{[^}]*},//' $x.jsonl >$x-old.jsonl # as pmon 0.1 wrote it
	"$PMON_BIN" relog $x.jsonl -f BIN -o $x.blg -y >/dev/null
done
"$PMON_BIN" relog a.jsonl -f CSV -o a.csv -y >/dev/null

"$PMON_BIN" record --replay b --machine south -c '\System\*' -o b-south.jsonl >/dev/null 2>&1

start_postgres two

# ask SQL: in either engine
ask() {
	case $engine in
	clickhouse) ch one "${1//FROM /FROM $base.}" ;;
	postgres) database=$base pg two "$1" ;;
	esac
}


new_base() {
	base=$1
	case $engine in
	clickhouse) url=clickhouse+http://127.0.0.1:${ports[one]}/$base ;;
	postgres)
		url=postgresql://127.0.0.1:${ports[two]}/$base
		psql -q -h 127.0.0.1 -p "${ports[two]}" -d postgres -c "CREATE DATABASE $base" || exit 1
		;;
	esac
}

# check LOG...: what the views say of the database is what pmon says of these logs
check() {
	case $engine in
	clickhouse) compare_ch one "$base" "$@" ;;
	postgres) database=$base compare two "$@" ;;
	esac
}

refuses_b() {
	status 1
	err_says db01 "$id_a"
	err_says "$id_b" 2024-01-01T00:00:00Z
	err_says '--machine NAME'
}

for engine in clickhouse postgres; do
	# Without ids nothing tells the machines apart: both have the same two series.
	new_base before
	run push --to "$url" a-old.jsonl b-old.jsonl
	status 3
	same "$engine: series of two machines without ids" "$(ask 'SELECT count(DISTINCT path) FROM pmon_series')" 2

	# The first one has the name. The other is refused in each format, live, and before anything is stored.
	new_base perf1
	run push --to "$url" a.jsonl
	status 0
	same "$engine: ids" "$(ask 'SELECT name, id FROM pmon_machine')" "$(printf 'db01\t%s' $id_a)"
	for log in b.jsonl b.blg; do
		run push --to "$url" "$log"
		refuses_b
	done
	run push --replay b -c '\System\*' --to "$url"
	refuses_b
	run push --again --to "$url" b.jsonl
	refuses_b
	run push --verify --to "$url" b.jsonl
	refuses_b
	check a.jsonl

	# Under another name it has its own series, whose values are pmon's.
	run push --machine south --to "$url" b.jsonl
	status 0
	"$PMON_BIN" relog b-south.jsonl -f JSONL -o b-copy.jsonl -y >/dev/null
	run push --to "$url" b-copy.jsonl
	status 0
	out_has 'b-copy.jsonl: 0 values of'
	check a.jsonl b-south.jsonl
	run push --machine x --to "$url" a.jsonl b.jsonl
	status 2
	err_says '--machine OLD=NEW'
	run push --machine "$id_b=south" --to "$url" a.jsonl b.jsonl
	status 0
	check a.jsonl b-south.jsonl

	# If several logs are given, those of the right machine are stored.
	run push --to "$url" b.jsonl a.blg
	refuses_b
	out_has 'a.blg: 0 values of'
	run push --replay a -c '\System\*' --to "$url"
	status 0
	err_lacks 'note:'

	# A log without an id is of the machine of its name. Displayed values of anyone have series of their own.
	run push --to "$url" a-old.jsonl
	status 0
	err_says 'machine id' db01 "$id_a"
	check a.jsonl b-south.jsonl
	run push --to "$url" a.csv
	status 0
	err_lacks 'machine id'

	# Labels tell machines of one name apart, with or without ids, and are stored with the series.
	new_base labelled
	for x in a b; do
		run push --label site=$x --label 'role=a "b" \c' --to "$url" $x-old.jsonl
		status 0
		run push --label 'role=a "b" \c' --label site=$x --to "$url" $x.jsonl
		status 0
		out_has ": 0 values of"
	done
	run push --label site=a --label 'role=a "b" \c' --to "$url" b.jsonl
	refuses_b
	same "$engine: series with labels" "$(ask 'SELECT count(DISTINCT identity), count(DISTINCT path) FROM pmon_series')" \
		"$(printf '4\t2')"
	site="labels->>'site'" role="labels->>'role'"
	[ $engine = postgres ] || site="labels['site']" role="labels['role']"
	same "$engine: labels" "$(ask "SELECT count(DISTINCT path) FROM pmon_series WHERE $site = 'b' AND length($role) = 8")" 2
	run push --verify --label site=b --label 'role=a "b" \c' --to "$url" b.jsonl
	status 0
	run push --verify --label site=b --to "$url" b-old.jsonl
	status 1
	out_has '4 of 4 values are missing'

	# A machine that was set up anew keeps its name. Then both ids are known.
	new_base accepted
	run push --to "$url" a.jsonl
	run push --to "$url" b.jsonl
	refuses_b
	run push --accept-id --to "$url" b.jsonl
	status 3
	run push --to "$url" a.jsonl
	status 0
	run push --to "$url" b.jsonl
	status 3
	same "$engine: two ids" "$(ask 'SELECT count(*) FROM pmon_machine')" 2
	run push --accept-id --to "$url" b.jsonl
	status 3
	same "$engine: accepted once" "$(ask 'SELECT count(*) FROM pmon_machine')" 2

	# A database that was filled before there were ids: the first id that comes is that of the name.
	new_base old
	run push --to "$url" a-old.jsonl
	status 0
	case $engine in
	clickhouse)
		ch one 'DROP TABLE old.pmon_machine'
		ch one 'DROP TABLE old.pmon_version'
		;;
	postgres) database=old pg_do two 'DROP TABLE pmon_machine, pmon_version' ;;
	esac
	run push --to "$url" a.blg
	status 0
	run push --to "$url" b.blg
	refuses_b
	check a.jsonl

	# Nobody writes when only asked, and an id is not stored then.
	new_base asked
	run push --to "$url" a-old.jsonl
	run push --verify --to "$url" b.jsonl
	err_lacks 'another machine'
	same "$engine: no ids" "$(ask 'SELECT count(*) FROM pmon_machine')" 0

	# If two come first at the same time, one has the name, and the other one is refused.
	new_base race
	run push --to "$url" a-old.jsonl
	for x in a b; do
		"$PMON_BIN" push --to "$url" $x.blg >race.$x 2>&1 &
		racing[$([ $x = a ] && echo 0 || echo 1)]=$!
	done
	n=0
	for pid in "${racing[@]}"; do
		wait "$pid"
		[ $? != 1 ] || n=$((n + 1))
	done
	ran="$engine: two at the same time"
	[ $n = 1 ] && grep -q 'another machine is stored as db01' < <(cat race.a race.b) && ok ||
		bad "$(cat race.a race.b)"
done
finish
