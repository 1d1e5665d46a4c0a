#!/usr/bin/env bash
# top.sh - pmon top in a terminal: what is shown, what keys do, and how the terminal is left
# SPDX-License-Identifier: MIT
#
# The terminal is tmux; its screen is read back. Values are those that make_log.c puts into its logs.
# shellcheck source=tests/cli/lib_top.sh
. "$PMON_SOURCE_DIR/tests/cli/lib_top.sh"

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
out_has '2026-11-20 15:00:00 to 15:02:30'
out_has 'PhysicalDisk(0 C:)\Avg. Disk sec/Read'
order() { grep -o 'Avg. Disk sec\|Disk Reads\|% Processor\|Available' <<<"$out" | paste -sd ,; }
# The screen may be half drawn at this moment.
see_order() {
	local i

	for ((i = 0; i < 100; i++)); do
		look
		[ "$(order)" != "$2" ] || break
		sleep 0.05
	done
	same "$1" "$(order)" "$2"
}
see_order 'as listed' 'Avg. Disk sec,Disk Reads,% Processor,Available'
# Value, average, minimum, maximum: 150 % over 10 intervals.
same 'the processor' "$(awk '/% Processor/ { print $1 $2, $3 $4, $5 $6, $7 $8 }' <<<"$out")" \
	'5% 15% 5% 60%'
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
out_has '% Processor Time'
out_has 'Filter: proc'
keys x y
see 'Nothing matches'
keys BSpace BSpace Enter
see '% Processor Time'
keys Left
see 'AT 15:02:15'
out_has '      30 %' # as it was then
keys e
see 'PERF_100NSEC_TIMER_INV'
out_has '\\SERVER\Processor(_Total)\% Processor Time'
out_has 'Value at 2026-11-20 15:02:15'
out_has '100 * (1 - (N1 - N0) / (D1 - D0))'
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
	*) sleep 0.2 ;;
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
	# One row each, on a screen that nobody else wrote on or named.
	same 'rows' "$(grep -c 'Obj.*ect(in\|Plain' <<<"$out")" 2
	out_has 'Counter'
	out_has ']0;title'
	same 'the title' "$(mux display-message -p '#{pane_title}' | grep -c '^title$')" 0
	keys e
	see 'Why it is'
	out_has 'Obj'
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
out_has '日本'
out_has '…'
out_has ')\Long'
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
out_has '2024-01-01 00:00:03'
out_has '4 samples'
# 250 switches a second: proc(5), "ctxt".
same 'a rate' "$(grep -c '^ *250/s *250/s .*Context Switches/sec' <<<"$out")" 1
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
# Value, average, minimum, maximum
numbers() { awk -v name="$1" 'index($0, name) { gsub(" k/s", "k/s"); print $1, $2, $3, $4 }' <<<"$out"; }
start 120 10 -c '\Process(*)\IO Read*' process.jsonl
see 'Process(x (11))\IO Read Operations/sec'
same 'what has ended' "$(numbers 'x (10)')" '- 7/s 7/s 7/s'
same 'what is there' "$(numbers 'x (11)')" '3/s 3/s 3/s 3/s'
out_lacks 'ID Process'
keys Left Left e
see 'Value at 2024-01-01 00:00:01'
out_has '\\BOX\Process(x (10))\IO Read Operations/sec'
keys Escape q
has_ended 0
stop
# 3,903 reads in 3 s
start 120 10 --identity windows -c '\Process(*)\IO Read*' process.jsonl
see 'Process(x)\IO Read Operations/sec'
same 'by place' "$(numbers 'Process(x)')" '3/s 1.301k/s 3/s 3.893k/s'
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
same 'half of it' "$(awk '/Process\(a\)/ { print $1 $2, $3 $4 }' <<<"$out")" '75% 75%'
same 'a processor' "$(awk '/Processor\(0\)/ { print $1 $2, $3 $4 }' <<<"$out")" '75% 75%'
stop

# ---- This machine ------------------------------------------------------------------------------

if [ -r /proc/stat ]; then
	start 100 12 -i 100ms -c '\System\Context Switches/sec'
	see 'Context Switches/sec'
	see '5 samples' # 15 and 25 too, where looking takes longer than a sample
	keys Space
	see 'PAUSED'
	look
	before=$out
	sleep 0.3
	look
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
	for ((i = 0; i < 100; i++)); do
		kill -0 "$(cat pid)" 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL "$(cat pid)" 2>/dev/null && bad 'it lives on without a terminal' || ok
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
