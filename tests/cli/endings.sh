#!/usr/bin/env bash
# endings.sh - the format of a log that is written follows the ending of its name
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

make_log average a.blg

# What pmon itself finds in a file, by its content.
kind() { [[ $("$PMON_BIN" info "$1" --format json 2>/dev/null) =~ \"format\":\"([^\"]*) ]] && echo "${BASH_REMATCH[1]}"; }

mkdir -p tree/100/proc/sys/kernel
echo '133485408000000000 10000000000' >tree/100/clock
echo 'intr 7' >tree/100/proc/stat
echo HOST >tree/100/proc/sys/kernel/hostname

write() { # VERB OUTPUT [OPTION...]
	local verb=$1 output=$2

	shift 2
	[ ! -e "$output" ] || rm -r "$output"
	case $verb in
	relog) run relog a.blg -o "$output" "$@" ;;
	typeperf) run typeperf '\System\Context Switches/sec' -si 0.001 -sc 2 -o "$output" "$@" ;;
	record) run record --replay tree -c '\System\*' -q -o "$output" "$@" ;;
	esac
}

# ---- Endings of formats -----------------------------------------------------------------------------

for verb in relog typeperf record; do
	for row in csv:PDH-CSV tsv:PDH-TSV tab:PDH-TSV blg:BLG db:SQLite sqlite:SQLite sqlite3:SQLite jsonl:JSON json:JSON ndjson:JSON \
		CSV:PDH-CSV Blg:BLG JSONL:JSON; do
		write "$verb" "out.${row%:*}"
		status 0
		case $(kind "out.${row%:*}") in
		${row#*:}*) ok ;;
		*) bad "out.${row%:*} is $(kind "out.${row%:*}")" ;;
		esac
	done
done
# A directory with a dot in its name says nothing of the file in it.
mkdir days.csv
write relog days.csv/a.blg
same 'in a directory' "$(kind days.csv/a.blg)" BLG
run relog a.blg -o days.csv -y
same 'into a directory' "$(kind days.csv/a.blg)" BLG

# ---- Other endings ----------------------------------------------------------------------------------

# The format of each verb that none is named for.
for row in relog:BLG typeperf:PDH-CSV record:BLG; do
	verb=${row%:*}
	names='out.1 out.2026-11-28 out.10_30 .hidden out.d/out'
	[ "$verb" != typeperf ] || names+=' out.log out.dat out.txt' # of any text
	for name in $names; do
		mkdir -p out.d
		rm -f .hidden*
		write "$verb" "$name"
		status 0
		[ -e "$name" ] || name=$(echo "$name".*) # relog and typeperf add an ending where there is none
		same "$verb $name" "$(kind "$name")" "${row#*:}"
	done
	rm -rf out.d
done

# What follows the last dot is the extension, whatever it is, but for numbers, after which the one
# before them counts.
for verb in relog typeperf record; do
	for name in odd.csv~ odd.blg_ odd.jsonl-values 'odd.tsv ' odd.x-y odd. odd.csv. odd.csv.. odd.CSV. odd.blg._ \
		odd.csv.- 'odd. ' $'odd.csv\n' $'odd.csv\t' odd.csv, 'odd.csv"' odd.ĉsv odd.csv.bak odd.csv.bak.1 odd.log~.2026-11-28 odd.v1.2 \
		odd.1.; do
		write "$verb" "$name"
		status 2
		err_says "$verb" odd.
		[ -z "$(ls -d odd.* 2>/dev/null)" ] && ok || bad "$verb -o '$name' wrote $(ls -d odd.*)"
	done
	for row in odd.csv.1:PDH-CSV odd.csv.2026-11-28:PDH-CSV odd.db.1.2:SQLite .csv:PDH-CSV .BLG:BLG odd.1.csv:PDH-CSV \
		odd.csv.blg:BLG odd..csv:PDH-CSV; do
		write "$verb" "${row%:*}"
		status 0
		case $(kind "${row%:*}") in
		${row#*:}*) ok ;;
		*) bad "$verb: ${row%:*} is $(kind "${row%:*}")" ;;
		esac
		rm -f "${row%:*}"
	done
	write "$verb" odd.csv.gz.1
	status 2
	err_says "$verb" odd.csv.gz gzip
	[ ! -e odd.csv.gz.1 ] && ok || bad "$verb wrote odd.csv.gz.1"
done

# Nothing is written under a name that promises what pmon does not write, and it says what to type.
for verb in relog typeperf record; do
	for ending in gz zst xz bz2 zip 7z GZ; do
		for option in '' csv; do
			name=--format
			[ "$verb" = record ] || name=-f
			write "$verb" "out.csv.$ending" ${option:+$name} ${option:+"$option"}
			status 2
			err_says "$verb" "out.csv.$ending" out.csv
			[ -e "out.csv.$ending" ] && bad "out.csv.$ending was written" || ok
		done
	done
	for ending in xlsx etl html svg yaml bin Z br lzma tgz conf; do
		write "$verb" "out.$ending"
		status 2
		err_says "$verb" "out.$ending"
		[ -e "out.$ending" ] && bad "out.$ending was written" || ok
	done
done
for verb in relog record; do
	for ending in txt log dat; do
		write "$verb" "out.$ending"
		status 2
		err_says "$verb" "out.$ending"
		[ -e "out.$ending" ] && bad "out.$ending was written" || ok
	done
done
# A report is a page.
for ending in pdf txt svg html.gz zip '' html. html~ csv.1 html.bak.1 'html '; do
	run report a.blg -o "out.$ending"
	status 2
	err_says "out.$ending" .html
	[ -e "out.$ending" ] && bad "out.$ending was written" || ok
done
for name in out.html out.HTM page out.html.1 page.2026-11-28 .html; do
	run report a.blg -o $name
	status 0
	[ -e $name ] && ok || bad "no $name"
done
# A chart is a picture.
for name in picture picture. picture.svg. picture.png~ picture.svg.bak.1 picture.svg.gz picture.jpg picture.csv 'picture.pdf ' picture.2026-11-28; do
	run chart -o "$name" a.blg
	status 2
	err_says .svg .png .pdf
	[ -e "$name" ] && bad "$name was written" || ok
done
for name in out.svg out.SVG out.svg.1 .svg; do
	run chart -o "$name" a.blg
	status 0
	grep -q '<svg' "$name" && ok || bad "$name is no picture"
done
# It is a log that record cannot write.
write record out.prom
status 2
err_says --format blg csv tsv sqlite jsonl
write relog out.prom
status 0

# ---- An option that says otherwise ------------------------------------------------------------------

for verb in relog typeperf record; do
	name=--format
	[ "$verb" = record ] || name=-f
	write "$verb" out.blg "$name" csv
	status 0
	err_says out.blg
	same "$verb" "$(kind out.blg)" PDH-CSV
	write "$verb" out.blg "$name" blg
	status 0
	case $err in *'will contain'*) bad "$err" ;; *) ok ;; esac
	write "$verb" out.txt "$name" csv
	status 0
	case $err in *'will contain'*) bad "$err" ;; *) ok ;; esac
	write "$verb" out.csv "$name" nothing
	status 2
done
# A list is text.
for ending in txt lst csv conf 1; do
	run relog a.blg -q -o list.$ending
	status 0
	run typeperf -q System --replay tree -o list.$ending -y
	status 0
done
for ending in blg db jsonl gz zst xlsx blg.1; do
	run relog a.blg -q -o no.$ending
	status 2
	err_says relog no.$ending text
	run typeperf -q System --replay tree -o no.$ending
	status 2
	err_says typeperf no.$ending text
	[ ! -e no.$ending ] && ok || bad "no.$ending was written"
done

finish
