#!/usr/bin/env bash
# used.sh - how many samples a command used: all of them, also after samples without values
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# 60 samples; those that are named have no values. A process grows, and the processor is busy for a third of the time.
log() { # FILE NUMBER...
	local file=$1

	shift
	awk -v empty=" $* " 'BEGIN {
		printf "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\Processor(_Total)\\%% Processor Time\"," \
			"\"\\\\S\\Process(app)\\Private Bytes\",\"\\\\S\\Process(app)\\ID Process\"\r\n"
		for (i = 0; i < 60; i++) {
			printf "\"03/09/2026 08:%02d:%02d.000\"", i / 4, i % 4 * 15
			if (index(empty, " " i " "))
				printf ",\" \",\"\",\" \"\r\n"
			else
				printf ",\"%d\",\"%d\",\"77\"\r\n", (i >= 20 && i < 40 ? 99 : 20), 1e8 + i * 1e7
		}
	}' >"$file"
}

says() { # WHAT
	case $err in
	*": 60 samples used$1"$'\n'* | *": 60 samples used$1") ok ;;
	*) bad "not \"60 samples used$1\": $err" ;;
	esac
}

busy='\Processor(_Total)\% Processor Time > 90'
for row in ':' '0:, 1 of them without values' '59:, 1 of them without values' '7 8:, 2 of them without values' \
	'0 1 19 20 58 59:, 6 of them without values'; do
	# shellcheck disable=SC2086 # numbers
	log a.csv ${row%%:*}
	what=${row#*:}
	for format in tsv jsonl db; do
		run relog a.csv -o a.$format -y -v
		says "$what"
	done
	# JSON lines are values, so that a sample without any has no line.
	run find "$busy" a.jsonl -v
	out_has '  99 %   99 %  '
	for file in a.csv a.tsv a.db; do
		run find "$busy" "$file" -v
		says "$what"
		run trend "$file" -v
		says "$what"
	done
	for verb in info list health 'watch --replay' 'stats --by process' 'stats --identity windows' 'changes --at 08:07' \
		'chart -y -o a.svg' 'report -y -o a.html'; do
		# shellcheck disable=SC2086 # options
		run $verb a.csv -v
		says "$what"
	done
	for format in text csv json; do
		for verb in stats values raw; do
			run $verb --format $format a.csv -v
			says "$what"
		done
	done
	# Ways through relog: by reading once, or twice as patterns, standard output and old files need.
	for options in '-c \Process(*)\* -o b.csv -f csv -y' '-o - -f csv' '-t 2 -o b.csv -f csv -y' '-a -o b.csv -f csv -y'; do
		log b.csv 3
		sed -i 's/ 08:/ 07:/' b.csv
		# shellcheck disable=SC2086 # options
		run relog a.csv $options -v
		says "$what"
	done
done

finish
