#!/usr/bin/env bash
# bench_process.sh - what samples of 1,000 processes and of the machine cost, beside sysstat
# SPDX-License-Identifier: MIT
#
#	bench/bench_process.sh [BUILD_DIR]
#
# All in CPU time a sample, user and system together. bench_live, the library alone, takes its samples in a
# row; pidstat, sadc and the whole commands of pmon wait a second for each, and what a run of many has more
# than a run of few is divided by their number, so that starting up does not count. pidstat writes text into
# a file, as whoever keeps it does, and once to /dev/null. All measure in the same minutes on the same
# processes, for other work on the machine slows all. Then memory over PMON_BENCH_SAMPLES (100,000) samples
# of this machine. Prints, and judges nothing.
set -euo pipefail

bench=${1:-build}/bench/bench_live
pmon=${1:-build}/pmon
processes=1000
few=2
many=12

sleepers=()
folder=$(mktemp -d)
clean_up() {
	[ ${#sleepers[@]} -eq 0 ] || kill "${sleepers[@]}" 2>/dev/null || true
	rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# cpu_us COMMAND...: its CPU time in microseconds, $out getting what it writes
cpu_us() {
	local TIMEFORMAT='%U %S'

	{ time "$@" >"$out" 2>/dev/null; } 2>&1 | awk '{ printf "%.0f\n", ($1 + $2) * 1e6 }'
}

# per_sample COMMAND...: microseconds a sample; its last word is to be the number of samples
per_sample() {
	local short long

	short=$(cpu_us "$@" "$few")
	long=$(cpu_us "$@" "$many")
	echo $(((long - short) / (many - few)))
}

# pmon_us WHAT: microseconds a sample; of "samples" and "values"
pmon_us() {
	"$bench" "$1" 200 | awk -v what="$2:" '$2 == what { printf "%.0f\n", $3 }'
}

# row NAME MICROSECONDS PROCESSES SYSSTAT
row() {
	awk -v name="$1" -v us="$2" -v n="$3" -v other="$4" 'BEGIN {
		printf "%-34s %9.0f us a sample", name, us
		if (n > 0) printf " %7.1f us a process", us / n
		if (other > 0 && us > 0) printf "   1/%.1f", other / us
		print ""
	}'
}

against_pidstat() {
	local i n pid_file pid_null samples values

	for ((i = 0; i < processes; i++)); do
		sleep 900 &
		sleepers+=("$!")
	done
	sleep 2
	n=$(find /proc -maxdepth 1 -name '[0-9]*' | wc -l)
	echo "$n processes, all counters of Process; pidstat -u -r -d -p ALL:"
	if command -v pidstat >/dev/null; then
		out=$folder/pidstat
		pid_file=$(per_sample pidstat -u -r -d -p ALL 1)
		out=/dev/null
		pid_null=$(per_sample pidstat -u -r -d -p ALL 1)
	else
		echo "pidstat is not here (Debian: sysstat)"
		pid_file=0 pid_null=0
	fi
	samples=$(pmon_us process samples)
	values=$(pmon_us process values)
	row "pidstat, into a file" "$pid_file" "$n" 0
	row "pidstat, to /dev/null" "$pid_null" "$n" 0
	row "pmon, samples" "$samples" "$n" "$pid_file"
	row "pmon, samples and values" "$values" "$n" "$pid_file"
	out=$folder/stats
	row "pmon stats -c '\Process(*)\*'" "$(per_sample "$pmon" stats -c '\Process(*)\*' -n)" "$n" "$pid_file"
	kill "${sleepers[@]}"
	wait "${sleepers[@]}" 2>/dev/null || true
	sleepers=()
}

against_sadc() {
	local sadc=/usr/lib/sysstat/sadc us=0

	[ -x "$sadc" ] || sadc=/usr/lib64/sa/sadc
	echo "The machine, without processes; sadc -S XALL:"
	if [ -x "$sadc" ]; then
		few=2 many=32
		out=$folder/sadc
		us=$(per_sample "$sadc" -S XALL 1)
	else
		echo "sadc is not here (Debian: sysstat)"
	fi
	row "sadc" "$us" 0 0
	row "pmon, samples" "$(pmon_us system samples)" 0 "$us"
	row "pmon, samples and values" "$(pmon_us system values)" 0 "$us"
	row "pmon record" "$(per_sample "$pmon" record -q -y -o "$folder/record.blg" -n)" 0 "$us"
}

against_pidstat
against_sadc
echo "Memory:"
"$bench" process "${PMON_BENCH_SAMPLES:-100000}"
