#!/usr/bin/env bash
# top_keys.sh - what each key of pmon top does
# SPDX-License-Identifier: MIT
#
# The log has 11 samples, 15 seconds apart (make_log.c); pmon(1), "top", says what keys do. Which row is selected
# shows when it is hidden.
# shellcheck source=tests/cli/lib_top.sh
. "$PMON_SOURCE_DIR/tests/cli/lib_top.sh" || exit 1

make_log average a.blg
start 120 20 a.blg
see '11 samples'

# hidden TEXT KEYS...: after these keys the row of this text is the selected one
hidden() {
	local text=$1

	shift
	keys "$@"
	keys x
	see_no "$text"
	keys u
	see "$text"
	keys g
}
hidden 'Disk Reads' Down
hidden '% Processor' j j
hidden 'Disk Reads' Down Down Up
hidden 'Avg. Disk' j k k
hidden 'Available' NPage
hidden 'Avg. Disk' G PPage
keys j
keys DC
see_no 'Disk Reads'
keys u
see 'Disk Reads'

# The cursor of time.
keys Home
see 'AT 15:00:00'
keys Right
see 'AT 15:00:15'
keys ']'
see_no 'AT 15:'
keys '['
see 'AT 15:00:00'
keys End
see_no 'AT 15:'
keys C-l
see 'Whole time'

# A time that is typed: absolute, of the day of the log, and from its ends. The nearest sample is shown.
keys t 1 5 : 0 0 : 3 1 Enter
see 'AT 15:00:30'
keys t
see 'Enter goes there'
keys 2 BSpace + 4 4 s Enter
see 'AT 15:00:45'
keys t - 2 m Enter
see 'AT 15:00:30'
keys t 2 5 : 0 0 Enter
see 'not a time: 25:00'
keys t 1 5 : 0 2 Escape
see 'AT 15:00:30'
keys t Enter
see 'AT 15:00:30'
keys End

# The filter. Keys that move about do so in it, too.
keys / A v
see_no 'Disk Reads'
keys Down
see 'Filter: Av'
keys C-a Escape
see 'Disk Reads'

# Sorting, forwards and back. There is no column before the first.
keys '>'
see 'sorted by value'
keys '<' '<'
see 'sorted by name'
keys '>' '>' '>'
see 'sorted by last'
keys '>' '>' '>'
see 'sorted by maximum'
keys '>'
see 'sorted by name'

# Help and explanations, which are longer than the screen.
keys '?'
see 'select a row'
keys G
see 'powers of 1000'
keys g
see 'select a row'
keys NPage Down j Left Right
see_no 'select a row'
keys PPage PPage Up k
see 'select a row'
keys End
see 'powers of 1000'
keys Home ' '
see_no 'select a row'
keys PPage
see 'select a row'
keys z
see 'Whole time'
keys Enter
see 'How it was'
keys Escape
see 'Whole time'
for key in - '=' + R; do
	keys "$key"
	see 'this is a log'
done
keys q
has_ended 0
stop

# The whole log, beginning at a time.
start 120 20 --at 15:01:00 a.blg
see 'AT 15:01:00'
see '11 samples'
keys Left
see 'AT 15:00:45'
keys q
has_ended 0
stop
start 120 20 --at 25:00 a.blg
wait_for test -s ended
has_ended 2
mux kill-session

# Processes of this machine are listed below the counters, and are sorted.
if [ -r /proc/stat ]; then
	start 160 24 -i 200ms
	see ' samples'
	see 'Memory'
	out_lacks 'PID' # it stands with the name
	keys r
	see 'processes are sorted by'
	keys '>'
	see 'processes are sorted by'
	keys G
	keys e
	see '\Process('
	keys Escape
	keys g
	keys -
	see 'every 0.1 s'
	keys '=' '='
	see 'every 0.5 s'
	keys Home
	see 'BACK'
	mux resize-window -x 60 -y 12
	see_no 'Minimum'
	fits 60 12
	keys G
	sleep 0.2
	keys q
	has_ended 0
	stop

	# On a small screen there are 12 processes, whatever devices the machine has.
	start 80 24 -i 200ms
	see 'Process'
	enough() { look && [ "$(sed '1,/ Process *$/d; $d' <<<"$out" | grep -c .)" -ge 12 ]; }
	wait_for enough && ok || bad "few processes: $out"
	keys q
	has_ended 0
	stop

	# Who a process is stands behind its name, and the filter looks there, too.
	sleep 98765 &
	sleeper=$!
	start 160 24 -i 200ms
	see 'Process'
	keys / 9 8 7 6 5 Enter
	see "sleep ($sleeper)  $(id -un)"
	out_has '% Processor Time'
	keys q
	has_ended 0
	stop
	kill "$sleeper"

	start 160 24 -i 200ms --identity windows
	see 'PID'
	keys '<'
	see 'processes are sorted by'
	keys q
	has_ended 0
	stop
fi

finish
