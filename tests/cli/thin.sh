#!/usr/bin/env bash
# thin.sh - processes that change in samples that relog leaves out
# SPDX-License-Identifier: MIT
#
# x is process 10, and from 2.4 s on process 11. Samples 0, 2, 4 and 6 are kept, so that the one at 3 s, in which the
# other process is first seen, is left out. In p.jsonl, which pmon sampled, its first value counts from its start.

# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

t0=133485408000000000 # 2024-01-01T00:00:00Z

value() { # COUNTER TYPE TIME_BASE SECOND FIRST SECOND_VALUE
	printf '{"path":"\\\\\\\\BOX\\\\Process(x)\\\\%s","type":"%s","time_base":%d,"time":"2024-01-01T00:00:0%dZ","status":"valid_data","first":"%s","second":"%s","multi":1}\n' \
		"$@"
}
process() { # SECOND PID STARTED_MS READS
	local now=$((t0 + $1 * 10000000))

	value 'IO Read Operations/sec' PERF_COUNTER_BULK_COUNT 10000000 "$1" "$4" $now
	value 'ID Process' PERF_COUNTER_RAWCOUNT 0 "$1" "$2" 0
	value 'Elapsed Time' PERF_ELAPSED_TIME 10000000 "$1" $((t0 + $3 * 10000)) $now
}
{
	process 0 10 -9000 100
	process 1 10 -9000 107
	process 2 10 -9000 110
	process 3 11 2400 4000
	process 4 11 2400 4003
	process 5 11 2400 4006
	process 6 11 2400 4010
} >w.jsonl
sed '1s/}$/,"log_writer":"pmon","log_sampled_by_pmon":true}/' w.jsonl >p.jsonl

values() { # FILE OPTION...
	"$PMON_BIN" values --format json -c '\Process(x)\IO*' "$@" 2>"$tmp/.err" |
		sed 's/.*"value":\([^,]*\),"status":"\([a-z_]*\)".*/\1 \2/' | tr '\n' ';'
}
views() { # FILE
	sqlite3 "$1" "SELECT coalesce(value, 'null') || ' ' || status FROM pmon_displayed WHERE unit = '/s' ORDER BY sample" |
		sed 's/\.0 / /' | tr '\n' ';'
}
counters() { # FILE
	sed -n 's/^pmon_process_io_read_operations_total{.*} \([0-9]*\) .*/\1/p' "$1" | tr '\n' ' '
}

# (110 - 100) / 2 s; 4003 / 1.6 s since the start; (4010 - 4003) / 2 s
started='null first_sample;5 ok;2501.875 ok;3.5 ok;'
changed='null first_sample;5 ok;null instance_changed;3.5 ok;'
for thin in '-t 2' '--step 2s'; do
	for log in p w; do
		case $log in
		p) want=$started read=$started counted='100 110 4113 4120 ' ;;
		w) want=$changed read=$changed counted='100 110 110 117 ' ;;
		esac
		# shellcheck disable=SC2086
		for format in SQLITE JSONL OPENMETRICS; do
			run relog $log.jsonl -f $format $thin -y -o out.$format
			status 0
		done
		same "views, $log $thin" "$(views out.SQLITE)" "$want"
		same "SQLite, $log $thin" "$(values out.SQLITE)" "$read"
		same "JSON lines, $log $thin" "$(values out.JSONL)" "$read"
		same "OpenMetrics, $log $thin" "$(counters out.OPENMETRICS)" "$counted"
		# with nothing in it that tells processes apart
		for format in SQLITE JSONL OPENMETRICS; do
			# shellcheck disable=SC2086
			run relog $log.jsonl -f $format $thin -y -o alone.$format -c '\Process(x)\IO*'
			status 0
		done
		same "views alone, $log $thin" "$(views alone.SQLITE)" "$want"
		same "JSON lines alone, $log $thin" "$(values alone.JSONL)" "$changed"
		same "OpenMetrics alone, $log $thin" "$(counters alone.OPENMETRICS)" "$counted"
	done
done

# ---- Marks that a log holds ---------------------------------------------------------------------

# Windows' numbers: (4000 - 110) / 1 s
windows='null first_sample;7 ok;3 ok;3890 ok;3 ok;3 ok;4 ok;'
marked='null first_sample;7 ok;3 ok;null instance_changed;3 ok;3 ok;4 ok;'
for format in SQLITE JSONL; do
	for choice in '\Process(*)\*' '\Process(x)\IO*'; do
		run relog w.jsonl -f $format -y -o marks.$format -c "$choice"
		status 0
		same "$format, $choice" "$(values marks.$format)" "$marked"
		same "$format, $choice, of Windows" "$(values --identity windows marks.$format)" "$windows"
		run relog marks.$format -f CSV -y -o marks.csv -c '\Process(x)\IO*'
		status 0
		same "$format, $choice, in text" "$(tail -n +2 marks.csv | cut -d'"' -f4 | tr '\n' ' ')" \
			'  7 3 3890 3 3 4 '
		for thin in '-t 2' '--step 2s'; do
			# shellcheck disable=SC2086
			run relog marks.$format -f $format -y -o again.$format $thin
			status 0
			same "$format, $choice, $thin" "$(values again.$format)" "$changed"
		done
		# The log is shown without thinning.
		run raw --format json -c '\Process(x)\IO*' marks.$format
		same "raw of $format, $choice" "$(grep -c instance_changed <<<"$out")" 1
	done
done

# ---- Adding to an output ------------------------------------------------------------------------

# The next day begins with process 12, which has read more: no pair across, as in the values of both logs. In the old
# output what process 11 counted from stays: 4000 / 0.6 s.
{
	t0=$((t0 + 864000000000))
	process 0 12 -2000 9000
	process 1 12 -2000 9003
} | sed 's/2024-01-01/2024-01-02/' >next-w.jsonl
sed '1s/}$/,"log_writer":"pmon","log_sampled_by_pmon":true}/' next-w.jsonl >next-p.jsonl
next='3 ok;3 ok;4 ok;null instance_changed;3 ok;'
for log in w p; do
	run relog $log.jsonl -f SQLITE -y -o all.SQLITE
	run relog next-$log.jsonl -f SQLITE -y -a -o all.SQLITE
	status 0
	first=$([ $log = p ] && echo '6666.7 ok' || echo 'null instance_changed')
	want="null first_sample;7 ok;3 ok;$first;$next"
	same "values of both, $log" "$(values all.SQLITE | sed 's/6666\.6*7/6666.7/')" "$want"
	same "views of both, $log" "$(views all.SQLITE | sed 's/6666\.6*7/6666.7/')" "$want"
done

finish
