#!/usr/bin/env bash
# live.sh - sample Windows under Wine: live.sh PROVIDER.DLL PMON.EXE
# SPDX-License-Identifier: MIT
#
# Called by tools/windows. WINE is the command, WINEPREFIX its folder, PMON_BIN a pmon of this system. The DLL (provider.c)
# is registered as a program's counters; what is expected is what it gives.
set -euo pipefail
export LC_ALL=C.UTF-8
# shellcheck source=tests/windows/lib_view.sh
. "$(dirname "$0")/lib_view.sh"

dll=$(realpath "$1")
pmon=$(realpath "$2")
here=$(realpath "$PMON_BIN")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
good=0
bad=0

win() { "$WINE" "$pmon" "$@" </dev/null; }

# judge NAME CONDITION...: a command that succeeds
judge() {
	local name=$1

	shift
	if "$@"; then
		good=$((good + 1))
	else
		bad=$((bad + 1))
		echo "bad: $name:"
		sed 's/^/\t/' out | tail -n 12
	fi
}

has() { grep -a -F -e "$1" "${2:-out}" >/dev/null; }

# Are the values of two columns of a CSV in this ratio, in each row of numbers?
ratio() {
	awk -F '","|"' -v a="$1" -v b="$2" -v want="$3" '
		/^"[0-9]/ { n++; if ($(a + 1) < want * $(b + 1) * 0.999999 || $(a + 1) > want * $(b + 1) * 1.000001) bad = 1 }
		END { exit bad || n == 0 }' out
}

register() {
	local key='HKLM\SYSTEM\CurrentControlSet\Services\PmonTest\Performance'

	"$WINE" reg add "$key" /v Library /d "Z:${dll//\//\\}" /f
	for name in Open Close Collect; do
		"$WINE" reg add "$key" /v $name /d ${name}Counters /f
	done
}

cd "$folder"
register >reg.log 2>&1 || {
	cat reg.log
	exit 1
}

# Rows: 1 time, 2 Available Bytes, 3 to 5 % Processor Time, 6 ID Process of the second "second", 7 % User Time.
win typeperf '\Memory\Available Bytes' '\Process(first)\% Processor Time' '\Process(second)\% Processor Time' \
	'\Process(second#1)\% Processor Time' '\Process(second#1)\ID Process' '\Processor(_Total)\% User Time' \
	-sc 2 -si 1 >out 2>&1 || true
judge 'a gauge' has ',"1073741824.000000",'
judge 'instances of the same name' has ',"300.000000",'
judge 'rates of three instances' ratio 4 3 2
judge 'the same' ratio 5 3 3
judge 'a rate of another object' ratio 7 3 2
judge 'its end' has 'The command completed successfully.'

win typeperf -q >out 2>&1 || true
judge 'a list of counters' has '\Processor(*)\% Processor Time'
win typeperf -qx Process >out 2>&1 || true
judge 'a list of instances' has '\Process(second#1)\ID Process'
win typeperf '\Nothing\*' -sc 1 >out 2>&1 || true
judge 'a counter that is missing' has 'no counter matches \Nothing\*'

# A log is read while it is written, by Windows' own rules of sharing.
win record -i 200ms --count 25 -o 'Größe 日本.blg' -c default -c '\Process(*)\*' >record.out 2>&1 &
for _ in $(seq 100); do
	[ -s 'Größe 日本.blg' ] && win info 'Größe 日本.blg' >out 2>&1 && has 'samples' && break
	sleep 0.2
done
judge 'a log that grows' has 'samples'
wait $!
cp record.out out
judge 'a recording' has '25 samples'

# What was recorded on Windows is the same on both systems.
win stats 'Größe 日本.blg' --format csv >windows.csv 2>&1
"$here" stats 'Größe 日本.blg' --format csv >out 2>&1
judge 'the same statistics here' cmp windows.csv out
judge 'its values' has '\Memory\Available Bytes'

win stats --count 2 -i 300ms -c '\Processor(*)\*' >out 2>&1 || true
judge 'statistics of this machine' has '\Processor(_Total)\% User Time'
win values --count 2 -i 300ms -c '\Memory\Available Bytes' --format csv >out 2>&1 || true
judge 'values of this machine' has '1073741824'
win explain -c '\Processor(_Total)\% Processor Time' --count 2 -i 300ms >out 2>&1 || true
judge 'an explanation' has 'PERF_100NSEC_TIMER_INV'
win watch '\Memory\Available Bytes < 2e9' -i 300ms --count 2 >out 2>&1 || true
judge 'an alert' has '1 alert is still open'
win stats --root /host >out 2>&1 || true
judge 'what is for Linux' has 'Windows has no /proc'

# The page of this machine: samples come, with the values that the DLL gives.
begin_view "$pmon" -i 300ms
answer out
for _ in $(seq 100); do
	answer out api/log
	grep -q '"samples":[1-9]' out && break
	sleep 0.1
done
judge 'the page of this machine has samples' grep -q '"samples":[1-9]' out
answer out api/select -G --data-urlencode 'pattern=\Memory\Available Bytes'
id=$(grep -o '"id":[0-9]*' out | head -n 1)
answer out "api/export?ids=${id#*:}&format=csv"
judge 'and values' has '1073741824'
end_view

# until_ctrl_c WHEN ARGUMENT...: run pmon on a console, and press Ctrl-C when this was printed. What is on it is in out;
# the exit code in ended.
until_ctrl_c() {
	local when=$1 tmux=(tmux -u -L "pmon$$" -f /dev/null)

	shift
	rm -f ended
	"${tmux[@]}" new-session -d -x 120 -y 20 "$(printf '%q ' "$WINE" "$pmon" "$@"); echo \$? >ended; sleep 60"
	for key in C-c ''; do
		for _ in $(seq 300); do
			"${tmux[@]}" capture-pane -p >out
			if [ "$key" = C-c ]; then has "$when"; else [ -s ended ]; fi && break
			sleep 0.1
		done
		[ -z "$key" ] || "${tmux[@]}" send-keys "$key"
	done
	"${tmux[@]}" kill-server
}

# What is recorded is complete: as many samples as it says, and no damage.
until_ctrl_c 'samples in' record -i 200ms -o ended.blg -c '\Process(*)\*'
judge 'record ends at Ctrl-C' grep -q -x 0 ended
said=$(grep -a -o '[0-9]* samples in' out | tail -n 1)
win info ended.blg >out 2>&1 || true
judge 'what it recorded' has "samples    ${said% samples in},"
judge 'without damage' has 'damage     none'
until_ctrl_c 'sampling: 3 s' typeperf '\Memory\Available Bytes' -si 1 -f BIN -o counters -y
judge 'typeperf ends at Ctrl-C' grep -q -x 0 ended
judge 'and says so' has 'The command completed successfully.'
win info counters.blg >out 2>&1 || true
judge 'what it wrote' has 'damage     none'
judge 'its samples' grep -q -E 'samples +[3-9],' out

echo "$good of $((good + bad)) steps good"
[ "$bad" -eq 0 ]
