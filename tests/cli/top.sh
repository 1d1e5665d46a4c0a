#!/usr/bin/env bash
# top.sh - pmon top in a terminal: what is shown, what keys do, and how the terminal is left
# SPDX-License-Identifier: MIT
#
# The terminal is tmux; its screen is read back. Values are those that make_log.c puts into its logs.
# shellcheck source=tests/cli/lib_top.sh
. "$PMON_SOURCE_DIR/tests/cli/lib_top.sh" || exit 1

# Not a terminal.
run top
status 1
if [[ $err == *'built without ncurses'* ]]; then
	skip 'pmon was built without ncurses'
fi
err_has 'pmon values'
out_is ''

# ---- A log -------------------------------------------------------------------------------------

make_log average a.blg
start 120 20 a.blg
see '11 samples'
see '2026-11-20 15:00:00 to 15:02:30'
see 'PhysicalDisk(0 C:)\Avg. Disk sec/Read'
order() { grep -o 'Avg. Disk sec\|Disk Reads\|% Processor\|Available' <<<"$out" | paste -sd ,; }
# WHAT ROWS
see_order() { see_same "$1" "$2" order; }
# TEXT: value, average, minimum and maximum in the rows of this text
numbers() { awk -v name="$1" 'index($0, name) { gsub(" %", "%"); gsub(" k/s", "k/s"); print $1, $2, $3, $4 }' <<<"$out"; }
see_order 'as listed' 'Avg. Disk sec,Disk Reads,% Processor,Available'
# 150 % over 10 intervals.
see_same 'the processor' '5% 15% 5% 60%' numbers '% Processor'
keys s
see 'sorted by value'
see_order 'the largest first' 'Available,% Processor,Avg. Disk sec,Disk Reads'
keys r
see '▲Value'
see_order 'the smallest first' 'Avg. Disk sec,Disk Reads,% Processor,Available'
keys '<'
see_no '▲Value'

keys / p r o c
see_no 'Disk Reads'
see '% Processor Time'
see 'Filter: proc'
keys x y
see 'Nothing matches'
keys BSpace BSpace Enter
see '% Processor Time'
keys Left
see 'AT 15:02:15'
see '      30 %' # as it was then
keys e
see 'PERF_100NSEC_TIMER_INV'
see '\\SERVER\Processor(_Total)\% Processor Time'
see 'Value at 2026-11-20 15:02:15'
see '100 * (1 - (N1 - N0) / (D1 - D0))'
keys Escape
see 'Whole time'
keys Escape
see 'Disk Reads'
keys End
see_no 'AT 15:02:15'
keys x
see_no '% Processor Time'
keys u
see '% Processor Time'
keys ' '
see 'this is a log'

keys h
see 'select a row'
fits 120 20
keys G
see 'powers of 1000'
keys q
see 'Whole time'

for size in 60x15 200x50 30x6 10x3 80x24; do
	mux resize-window -x "${size%x*}" -y "${size#*x}"
	case $size in
	60x15) see_no 'Minimum' ;;
	200x50) see 'Last' ;;
	10x3) see 'too small' ;;
	80x24) see 'Average' ;;
	30x6)
		see 'samples'
		see 'q quit'
		;;
	esac
	fits "${size%x*}" "${size#*x}"
done
keys q
has_ended 0
stop

# ---- Names are only names ----------------------------------------------------------------------

make_log evil evil.blg
for ctype in C.UTF-8 C; do
	start 150 10 evil.blg
	see '<b>bold</b>'
	# One row each, on a screen that nothing else wrote on or named.
	rows() { grep -c 'Obj.*ect(in\|Plain' <<<"$out"; }
	see_same 'rows' 2 rows
	see 'Counter'
	see ']0;title'
	same 'the title' "$(mux display-message -p '#{pane_title}' | grep -c '^title$')" 0
	keys e
	see 'How it was'
	see 'Obj'
	fits 150 10
	stop
done
unset ctype

# A name that turns the text round, wide characters, and one longer than any screen.
{
	printf '"(PDH-CSV 4.0) (UTC)(0)"'
	printf ',"\\\\S\\Process(a\xE2\x80\xAEb)\\ID","\\\\S\\O(\xE6\x97\xA5\xE6\x9C\xAC)\\N"'
	printf ',"\\\\S\\O(%s)\\Long"\r\n' "$(printf 'x%.0s' {1..300})"
	printf '"11/20/2026 15:00:00.000","1","2","3"\r\n'
	printf '"11/20/2026 15:00:01.000","4","5","6"\r\n'
} >names.csv
start 100 10 names.csv
see $'a\xEF\xBF\xBDb'
see '日本'
see '…'
see ')\Long'
out_lacks $'\xE2\x80\xAE'
stop

# Without colours, only reverse and bold remain.
no_color=1
start 100 10 a.blg
see '% Processor Time'
mux capture-pane -e -p >painted
same 'colours' "$(grep -c $'\x1b\[[0-9;]*3[0-7]' painted)" 0
[ "$(grep -c $'\x1b\[[0-9;]*7m' painted)" -ge 1 ] && ok || bad 'nothing is marked'
stop
unset no_color

# ---- Recorded trees of a machine, played back --------------------------------------------------

# 100 ns since 1601 of 2024-01-01T00:00:00Z, and since the start of the machine.
for i in 0 1 2 3; do
	mkdir -p "trees/$i/proc"
	echo "$((133485408000000000 + i * 10000000)) $((10000000000 + i * 10000000))" >"trees/$i/clock"
	printf 'cpu  %d 0 0 %d 0 0 0 0 0 0\nctxt %d\n' \
		$((1000 + 25 * i)) $((1000 + 75 * i)) $((1000 + 250 * i)) >"trees/$i/proc/stat"
done
start 100 12 --replay trees -i 100ms -c '\System\Context Switches/sec'
see 'ENDED'
see '2024-01-01 00:00:03'
see '4 samples'
# 250 switches a second: proc(5), "ctxt".
rate() { grep -c '^ *250/s *250/s .*Context Switches/sec' <<<"$out"; }
see_same 'a rate' 1 rate
keys e
see 'PERF_COUNTER_BULK_COUNT'
keys Escape Left Left
see 'BACK 2 s'
keys q
has_ended 0
stop

# ---- Which process it is -----------------------------------------------------------------------

# x is process 10 and then 11. Its 7 and 3 reads in a second each are of two processes.
process_log 'IO Read Operations/sec' >process.jsonl <<-'SAMPLES'
	0 10 100
	1 10 107
	2 11 4000
	3 11 4003
SAMPLES
start 120 10 -c '\Process(*)\IO Read*' process.jsonl
see 'Process(x (11))\IO Read Operations/sec'
see_same 'what has ended' '- 7/s 7/s 7/s' numbers 'x (10)'
see_same 'what is there' '3/s 3/s 3/s 3/s' numbers 'x (11)'
out_lacks 'ID Process'
keys Left Left e
see 'Value at 2024-01-01 00:00:01'
see '\\BOX\Process(x (10))\IO Read Operations/sec'
keys Escape q
has_ended 0
stop
# 3,903 reads in 3 s
start 120 10 --identity windows -c '\Process(*)\IO Read*' process.jsonl
see 'Process(x)\IO Read Operations/sec'
see_same 'by place' '3/s 1.301k/s 3/s 3.893k/s' numbers 'Process(x)'
stop

# ---- --per-cpu ---------------------------------------------------------------------------------

# 6 s of processor time in 4 s are 150 %, of two processors 75 %; one of them is idle for 1 s of 4.
{
	for t in 0 4; do
		entry() { # PATH TYPE FIRST
			printf '{"path":"\\\\\\\\M\\\\%s","type":"PERF_%s","time":"2026-11-20T10:00:0%sZ","status":"valid_data","first":%s,"second":%s,"multi":1,"time_base":10000000,"sample":%s}\n' \
				"$1" "$2" "$t" "$3" "$((100000000 + t * 10000000))" "$((t / 4))"
		}
		entry 'Process(a)\\% Processor Time' 100NSEC_TIMER "$((t * 15000000))"
		entry 'Processor(0)\\% Processor Time' 100NSEC_TIMER_INV "$((t * 2500000))"
		entry 'Processor(1)\\% Processor Time' 100NSEC_TIMER_INV 0
	done
} >two.jsonl
start 120 10 -c '\Proc*(*)\% Processor Time' --per-cpu two.jsonl
see 'Process(a)'
see_same 'half of it' '75% 75% 75% 75%' numbers 'Process(a)'
see_same 'a processor' '75% 75% 75% 75%' numbers 'Processor(0)'
stop

# ---- The incidents of a log ------------------------------------------------------------------------

# They come first, and are there again when asked for.
make_incident incident.csv
start 120 20 incident.csv
see 'Incidents'
see 'critical  2026-03-09 10:59:45 to 2026-03-09 11:09:45'
see 'Processor is busy'
see 'cause backupd (41): '
keys Escape
see 'Processor Queue Length'
see_no 'cause backupd'
keys i
see 'cause backupd (41): '
keys Escape
stop
start 120 20 a.blg
see '11 samples'
keys i
see 'no incidents'
stop

# ---- This machine ------------------------------------------------------------------------------

if [ -r /proc/stat ]; then
	start 100 12 -i 100ms -c '\System\Context Switches/sec'
	see 'Context Switches/sec'
	samples() { [ "$(grep -oE '[0-9]+ samples' <<<"$out" | cut -d ' ' -f 1)" -ge 5 ] && echo enough; }
	see_same 'samples' enough samples
	keys Space
	see 'PAUSED'
	# What was on its way to the screen may come after the word; then nothing more does.
	stands_still() {
		look
		before=$out
		sleep 0.3
		look
		[ "$out" = "$before" ]
	}
	wait_for stands_still
	same 'it stands still' "$out" "$before"
	keys Space
	see_no 'PAUSED'
	keys +
	see 'every 0.2 s'
	keys R
	see 'were reset'
	kill -TERM "$(cat pid)"
	has_ended 0
	stop

	# Its terminal goes away; leaks cannot be looked for when the process group is dying.
	export ASAN_OPTIONS=detect_leaks=0
	start 80 10
	see ' samples'
	mux kill-session
	wait_for is_gone "$(cat pid)" && ok || {
		bad 'it lives on without a terminal'
		kill -KILL "$(cat pid)"
	}
	unset ASAN_OPTIONS

	start 80 10 -i 100ms -n 3
	has_ended 0
	stop

	start 80 10 -c '\System\Contxt Switches/sec'
	see 'no counter matches'
	see 'did you mean'
	stop
	same 'nothing matches' "$(cat ended)" 1
fi

finish
