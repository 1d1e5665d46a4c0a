#!/usr/bin/env bash
# outputs.sh - files that are written: what they keep of those they replace, and what a signal, a limit and a
# full disk leave
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

make_log average a.blg
mode() { stat -c %a "$1"; }

# ---- Replacing -----------------------------------------------------------------------------------

# Each verb that writes a file: the mode of the file that it replaces stays.
writes() {
	case $1 in
	relog-*) run relog a.blg -f "${1#relog-}" -o out -y ;;
	list) run relog a.blg -q -o out -y ;;
	chart) run chart a.blg -o out.svg -y ;;
	report) run report a.blg -o out -y ;;
	typeperf-q) run typeperf -q Memory -o out -y ;;
	esac
}
kinds='relog-csv relog-tsv relog-bin relog-jsonl relog-openmetrics relog-influx relog-sqlserver relog-parquet relog-arrow list report chart'
"$PMON_BIN" relog a.blg -f sql -o probe.db >/dev/null 2>&1 && kinds+=' relog-sql'
[ ! -r /proc/stat ] || kinds+=' typeperf-q'
for kind in $kinds; do
	rm -rf dir
	mkdir dir
	(
		cd dir || exit 1
		cp ../a.blg .
		for name in out out.csv out.tsv out.blg out.jsonl out.om out.lp out.sql out.parquet out.arrow out.db out.svg; do
			echo old >$name
			chmod 600 $name
		done
		umask 022
		writes "$kind"
		[ "$status" = 0 ] && find . -name 'out*' -newer a.blg -size +5c | sed 's/^/wrote /'
		find . -name 'out*' ! -perm 600
		find . -name '*.tmp*'
	) >found 2>&1
	same "$kind keeps the mode, and leaves nothing else" "$(grep -v ^wrote found)" ''
	same "$kind wrote" "$(grep -c ^wrote found)" 1
done

# A new file has the mode of the user's mask.
(umask 027 && "$PMON_BIN" relog a.blg -f csv -o new.csv >/dev/null)
same 'mode of a new file' "$(mode new.csv)" 640

# ---- --sync --------------------------------------------------------------------------------------

for words in 'relog a.blg -f csv -o synced.csv --sync' 'chart a.blg --sync -o synced.svg' \
	'report a.blg --sync -o synced.html'; do
	run $words
	status 0
done
# Those who only wrote it have closed it before.
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	strace -f -e trace=fsync,rename,link,close -y -o trace "$PMON_BIN" relog a.blg -f csv -o order.csv --sync >/dev/null
	same 'the file is synced and closed before it gets its name, the folder after it' \
		"$(grep -oE '(fsync|close)\([0-9]+<[^>]*order.csv[^>]*|link\(|fsync\([0-9]+<[^>]*'"$(basename "$tmp")"'>' trace |
			sed -E 's/\(.*//' | tr '\n' ' ' | sed -E 's/^(close )*//')" 'fsync close link fsync '
fi

# ---- Signals ---------------------------------------------------------------------------------------

# Long enough to be stopped while it is written.
awk 'BEGIN {
	printf "\"(PDH-CSV 4.0) (UTC)(0)\""
	for (c = 0; c < 40; c++) printf ",\"\\\\H\\O\\C%d\"", c
	print ""
	for (s = 0; s < 40000; s++) {
		printf "\"01/%02d/2024 %02d:%02d:%02d.000\"", 1 + s / 86400, s / 3600 % 24, s / 60 % 60, s % 60
		for (c = 0; c < 40; c++) printf ",\"%d.5\"", s * c
		print ""
	}
}' >long.csv

# stop SIGNAL: relog is stopped by it as soon as its temporary file is there. On a busy machine it may have come to its
# end before that; then it begins again.
stop() {
	local pid try

	for try in {1..50}; do
		rm -rf stopped
		mkdir stopped
		# Where others want the processor, this shell has it first.
		nice -n 19 "$PMON_BIN" relog long.csv -f "$format" -o stopped/out >/dev/null 2>&1 &
		pid=$!
		until compgen -G 'stopped/*.tmp' >/dev/null || is_gone $pid; do
			sleep 0.005
		done
		kill -s "$1" $pid 2>/dev/null
		status=0
		wait $pid 2>/dev/null || status=$?
		[ $status = 0 ] || break
		echo "try $try: it ended before it was stopped"
	done
}
for format in csv sql; do
	[ $format = csv ] || [[ $kinds == *sql* ]] || continue
	for signal in TERM HUP PIPE; do
		ran="relog -f $format, stopped by $signal"
		stop $signal
		same "the status of $signal" "$status" $((128 + $(kill -l $signal)))
		same 'what is left' "$(ls stopped)" ''
	done
done

# ---- Limits and full disks -------------------------------------------------------------------------

# A result larger than the limit is reported, and the temporary file is removed.
for format in csv bin jsonl sql openmetrics influx sqlserver parquet arrow arrows; do
	[ $format != sql ] || [[ $kinds == *sql* ]] || continue
	rm -rf stopped
	mkdir stopped
	ran="relog -f $format under ulimit -f"
	status=0
	(ulimit -f 100 && exec "$PMON_BIN" relog long.csv -f $format -o stopped/out) >/dev/null 2>.err || status=$?
	err=$(cat .err)
	status 1
	err_has 'File too large'
	same 'what is left' "$(ls stopped)" ''
done
ran='values > file under ulimit -f'
status=0
(ulimit -f 100 && exec "$PMON_BIN" values long.csv) >stopped/out 2>.err || status=$?
err=$(cat .err)
status 1
err_has 'File too large'

if [ -w /dev/full ]; then
	for words in 'stats a.blg' 'info a.blg' 'values a.blg' 'relog a.blg -f csv -o -' 'chart a.blg' 'report a.blg -o -' types; do
		ran="$words >/dev/full"
		status=0
		"$PMON_BIN" $words >/dev/full 2>.err || status=$?
		err=$(cat .err)
		status 1
		err_has 'No space left on device'
	done
fi

# ---- Descriptors that are closed -------------------------------------------------------------------

# Without standard output the file does not get what was to be printed.
"$PMON_BIN" relog a.blg -f csv -o whole.csv >/dev/null
ran='relog >&-'
status=0
"$PMON_BIN" relog a.blg -f csv -o closed.csv >&- 2>.err || status=$?
status 1
same 'a file that was written without standard output' "$(cat closed.csv)" "$(cat whole.csv)"

finish
