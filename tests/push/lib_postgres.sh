# lib_postgres.sh - a PostgreSQL server for the tests of pmon push; to be sourced
# SPDX-License-Identifier: MIT
#
#	start_postgres NAME           on ${ports[NAME]}; its data stay when it is stopped or killed
#	pg NAME SQL                   ask its database "perf": rows with tabs, \N for none
#	compare NAME FILE...          what the views say of the files is what pmon says
#
# The server refuses to run as root; then it runs as the user of its package, or as nobody.

# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh" || exit 1

export PGUSER=tester PGCONNECT_TIMEOUT=120
unset PGPASSWORD PGHOST PGDATABASE PGSSLMODE
pg_bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)")
as_other=()
if [ "$(id -u)" = 0 ]; then
	other=$(id -u postgres 2>/dev/null || id -u nobody)
	as_other=(setpriv --reuid="$other" --regid="$(id -g "$other")" --clear-groups)
fi

need_postgres() {
	need python3
	need psql
	[ -x "$pg_bin/initdb" ] || skip "the PostgreSQL server is not here"
	[ "${#as_other[@]}" = 0 ] || need setpriv
}

init_postgres() {
	local data=$tmp/pg-$1

	chmod 711 "$tmp"
	mkdir "$data"
	[ "${#as_other[@]}" = 0 ] || chown "$other" "$data"
	(cd "$data" && "${as_other[@]}" "$pg_bin/initdb" -D "$data/data" -U tester -A trust -E UTF8 \
		--no-sync --locale=C >"$tmp/initdb.out" 2>&1) || {
		cat "$tmp/initdb.out"
		skip "a PostgreSQL server cannot be set up here"
	}
	"${as_other[@]}" sed -i '1i host all secret 127.0.0.1/32 scram-sha-256' "$data/data/pg_hba.conf"
	ports[$1]=$(free_port)
}

# As docs/engines/postgresql.md advises, nothing is compiled at run time: that takes longer than what tests ask. A test
# that sets jit=on has a server as it is by default.
# What a crash of the server leaves is in the cache of the system; fsync is for crashes of that.
run_postgres() {
	start "$1" "${as_other[@]}" "$pg_bin/postgres" -D "$tmp/pg-$1/data" -p "${ports[$1]}" \
		-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \
		-c restart_after_crash=on -c jit=${jit:-off} -c shared_buffers=32MB -c timezone=America/New_York
	wait_for_server "$1" psql -h 127.0.0.1 -p "${ports[$1]}" -d postgres -c 'SELECT 1'
}

start_postgres() {
	init_postgres "$1"
	run_postgres "$1" || {
		cat "$tmp/$1.out"
		skip "a PostgreSQL server does not start here"
	}
	psql -q -h 127.0.0.1 -p "${ports[$1]}" -d postgres -c 'CREATE DATABASE perf' || exit 1
}

pg() {
	psql -X -q -h 127.0.0.1 -p "${ports[$1]}" -d "${database:-perf}" -v ON_ERROR_STOP=1 \
		-c "COPY ($2) TO STDOUT"
}

# Statements that give nothing.
pg_do() {
	psql -X -q -h 127.0.0.1 -p "${ports[$1]}" -d "${database:-perf}" -v ON_ERROR_STOP=1 -c "$2"
}

# All of what is stored, whatever the order in which it came. The ids of series depend on who came first.
checksum() {
	pg "$1" "SELECT count(*), md5(string_agg(v::text, ' ' ORDER BY key, time, nth)) FROM (SELECT key,
		to_jsonb(f) - 'series', time, nth FROM pmon_fact AS f JOIN pmon_series USING (series)) AS v"
	pg "$1" "SELECT count(*), md5(string_agg(v::text, ' ' ORDER BY key)) FROM (SELECT key,
		to_jsonb(s) - 'series' FROM pmon_series AS s) AS v"
}

# compare NAME FILES... Units of `% Multi` of make_odd.py change.
compare() {
	local name=$1

	shift
	pg "$name" "SELECT path, time, nth, value, status FROM pmon_value" >values.tsv
	pg "$name" "SELECT path, average, '', samples FROM pmon_average('1601-01-02', '9999-01-01')" >averages.tsv
	ran="compare: $*"
	"$PMON_SOURCE_DIR/tests/push/compare.py" --within 1e-15 --own '% Multi' values.tsv averages.tsv "$@" \
		>compare.out 2>&1 && ok || bad "$(cat compare.out)"
}
