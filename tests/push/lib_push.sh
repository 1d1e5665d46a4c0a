# lib_push.sh - servers for the tests of pmon push; to be sourced in place of tests/cli/lib.sh
# SPDX-License-Identifier: MIT
#
# Servers listen on free ports of the loopback, keep what they have in the folder of the test,
# and are gone when it ends.
#
#	port=$(free_port)
#	start NAME COMMAND...         in the background; its process is ${pids[NAME]}
#	stop NAME [SIGNAL]            end it and wait for it
#	wait_for COMMAND...           until the command succeeds, see lib.sh
#	wait_for_server NAME COMMAND...  the same, as long as the server is there
#	start_current NAME            a current ClickHouse on ${ports[NAME]}
#	start_proxy NAME TO_PORT [ARGUMENTS]  tests/push/proxy.py on ${ports[NAME]}

# shellcheck source=tests/cli/lib.sh
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

declare -A pids ports

free_port() { "$PMON_SOURCE_DIR/tests/push/free_port.py"; }

start() {
	local name=$1

	shift
	"$@" >"$tmp/$name.out" 2>&1 </dev/null &
	pids[$name]=$!
}

stop() {
	local pid=${pids[$1]:-}

	[ -n "$pid" ] || return 0
	unset "pids[$1]"
	kill "-${2:-TERM}" "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
}

stop_all() {
	local name

	for name in "${!pids[@]}"; do
		stop "$name" KILL
	done
	rm -rf "$tmp"
}
trap stop_all EXIT

wait_for_server() {
	answers_or_is_gone() { "${@:2}" || is_gone "${pids[$1]}"; }
	wait_for answers_or_is_gone "$@" && ! is_gone "${pids[$1]}"
}
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); } # PORT

# http PORT PATH [BODY]: the answer to a GET, or to a POST of the body; fails unless it is a success. By the shell alone,
# as tests ask thousands of times.
http() (
	LC_ALL=C # a length in bytes
	exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
	if [ $# -gt 2 ]; then
		printf 'POST %s HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s' "$2" ${#3} "$3" >&3
	else
		printf 'GET %s HTTP/1.0\r\n\r\n' "$2" >&3
	fi
	read -r -t 600 _ status _ <&3 || exit 1
	while read -r -t 600 line <&3 && [ "$line" != $'\r' ]; do :; done
	[[ $status == 2* ]] && exec cat <&3
	cat <&3 >&2
	exit 1
)

# make_known FILE: a log that lists a counter twice; the key of the first is known to unit/push
make_known() {
	local sample series

	for sample in 0 1; do
		for series in 0 1; do
			printf '{"path":"%s","type":"0x10410400","time":"2020-01-01T00:00:%02dZ",' \
				'\\\\SRV\\Disk(p/c:#1)\\Reads/sec' $((15 * sample))
			printf '"status":0,"first":"%d","second":"%d","multi":0,"time_base":10,' \
				$((5 + 45 * series + 2 * sample)) $((100 + 100 * series + 150 * sample))
			printf '"series":%d,"sample":%d}\n' $series $sample
		done
	done >"$1"
}

# make_seams SEED [--sampled]: a log in which instances become other processes, in three parts, early.jsonl, middle.jsonl
# and late.jsonl; and of one without absences two that overlap, first.jsonl and second.jsonl
make_seams() {
	local make=$PMON_SOURCE_DIR/tests/push/make_processes.py

	"$make" "$@" 90 early.jsonl --only 30 && "$make" "$@" 90 middle.jsonl --skip 30 --only 30 &&
		"$make" "$@" 90 late.jsonl --skip 60 && "$make" "$1" 90 first.jsonl --present --only 50 &&
		"$make" "$1" 90 second.jsonl --present --skip 40 || exit 1
}

# make_machines: before.jsonl and after.jsonl, two samples each, all a second apart. \\A\Process(x) reads 7 times a second.
# So does \\B\Process(x); in after.jsonl it is another one, which reads 5 times a second.
make_machines() {
	local line machine pid reads second

	for second in 0 1 2 3; do
		for line in "A 10 $((100 + 7 * second))" \
			"B $((20 + second / 2)) $((second < 2 ? 500 + 7 * second : 900 + 5 * second))"; do
			read -r machine pid reads <<<"$line"
			printf '{"path":"\\\\\\\\%s\\\\Process(x)\\\\%s","type":"%s","time":"2020-01-01T00:00:0%dZ",' \
				"$machine" 'IO Read Operations/sec' PERF_COUNTER_BULK_COUNT "$second"
			printf '"status":"valid_data","first":%d,"second":%d,"multi":1,"time_base":10000000}\n' \
				"$reads" $((132223104000000000 + 10000000 * second))
			printf '{"path":"\\\\\\\\%s\\\\Process(x)\\\\%s","type":"%s","time":"2020-01-01T00:00:0%dZ",' \
				"$machine" 'ID Process' PERF_COUNTER_RAWCOUNT "$second"
			printf '"status":"valid_data","first":%d,"second":0,"multi":1,"time_base":0}\n' "$pid"
		done >>"$([ "$second" -lt 2 ] && echo before.jsonl || echo after.jsonl)"
	done
}

# make_forty_days: all.jsonl has ten samples a day of two counters, of 40 to 0 days ago, at midnight (UTC), which no clock
# has ahead of it; old.jsonl is of the first 20 days. kept DAYS: how many values a retention of so many days keeps, those
# days before today, and today.
make_forty_days() {
	local counter day=86400 k n today

	today=$(($(date +%s) / day * day))
	export TZ=UTC
	for ((n = 40; n >= 0; n--)); do
		for ((k = 0; k < 10; k++)); do
			for counter in a b; do
				printf '{"path":"\\\\\\\\SRV\\\\O\\\\%s","type":"PERF_COUNTER_BULK_COUNT","time":"%s","status":0,' \
					$counter "$(printf '%(%Y-%m-%dT%H:%M:%SZ)T' $((today - n * day + k)))"
				printf '"first":%d,"second":%d,"multi":0,"time_base":1}\n' $((100 * (40 - n) + k)) $((day * (40 - n) + k))
			done
		done
	done >all.jsonl
	head -n $((20 * 20)) all.jsonl >old.jsonl
}
kept() { echo $((20 * ($1 + 1))); }

# ---- ClickHouse -----------------------------------------------------------------------------

# start_current NAME: a current ClickHouse (npm's chdb) on ${ports[NAME]}; if it fails, $why says why.
# tools/setup check brings it into tests/push/node_modules.
start_current() {
	if ! command -v node >/dev/null || [ ! -d "$PMON_SOURCE_DIR/tests/push/node_modules/chdb" ]; then
		why="chdb is not in tests/push/node_modules"
		return 1
	fi
	ports[$1]=$(free_port)
	mkdir "$1"
	run_current "$1" && return
	why="chdb does not start here: $(cat "$tmp/$1.out")"
	return 1
}

# The same again, with what it had stored.
run_current() {
	start "$1" env TZ=UTC node "$PMON_SOURCE_DIR/tests/push/chdb_server.cjs" "${ports[$1]}" "$tmp/$1"
	wait_for_server "$1" http "${ports[$1]}" /
}

# ch NAME SQL: ask a node
ch() { http "${ports[$1]}" / "$2"; }

# compare_ch NAME DATABASE FILES...: compare the views there with pmon's output for the files. Units of `% Multi`
# of make_odd.py change.
compare_ch() {
	local node=$1 database=$2

	shift 2
	ch "$node" "SELECT path, reinterpretAsInt64(time) + 116444736000000000, nth, value, status
		FROM $database.pmon_value" >values.tsv
	ch "$node" "SELECT path, average, '', samples
		FROM $database.pmon_average(begin = '1900-01-01', end = '2299-12-31')" >averages.tsv
	ran="compare $database on $node: $*"
	"$PMON_SOURCE_DIR/tests/push/compare.py" --within 1e-15 --own '% Multi' values.tsv averages.tsv "$@" >compare.out 2>/dev/null &&
		ok || bad "$(cat compare.out)"
}

# ---- A network that fails -------------------------------------------------------------------

start_proxy() {
	local name=$1
	local to=$2

	shift 2
	ports[$name]=$(free_port)
	start "$name" python3 "$PMON_SOURCE_DIR/tests/push/proxy.py" "${ports[$name]}" "$to" "$@"
	wait_for_server "$name" listens "${ports[$name]}"
}
