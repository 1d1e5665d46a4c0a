#!/usr/bin/env bash
# streams.sh - outputs that take bytes themselves: descriptors, pipes, devices; and outputs without a name
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

make_log average a.blg
[ ! -r /proc/stat ] || records='record typeperf'

# Each verb that writes a file, in a format that goes forward, to an output; what it wrote is text with this in it.
# shellcheck disable=SC2086
write_to() { # KIND OUTPUT
	case $1 in
	relog-*) "$PMON_BIN" relog a.blg -f "${1#relog-}" -o "$2" ;;
	list) "$PMON_BIN" relog a.blg -q -o "$2" ;;
	typeperf) "$PMON_BIN" typeperf '\System\Context Switches/sec' -si 1 -sc 1 -f csv -o "$2" ;;
	record) "$PMON_BIN" record -c '\System\Context Switches/sec' -i 10ms -n 2 --format csv -o "$2" ;;
	report) "$PMON_BIN" report a.blg -o "$2" ;;
	esac </dev/null 2>"$tmp/.err" 1>&4
}
text_of() {
	case $1 in
	relog-jsonl) echo '"path":' ;;
	relog-*) echo 'PDH-' ;;
	list) echo 'Memory' ;;
	report) echo '<!DOCTYPE html>' ;;
	*) echo 'PDH-CSV' ;;
	esac
}

kinds="relog-csv relog-tsv relog-jsonl list report ${records:-}"

check() { # WHAT KIND STATUS FILE
	same "$1, $2: status" "$3" 0
	grep -qi -- "$(text_of "$2")" "$4" && ok || bad "$1, $2: it has nothing of it: $(head -c 200 "$4") $(cat "$tmp/.err")"
	same "$1, $2: nothing else was written" "$(find . -type f ! -name '.*' ! -name got)" ./a.blg
}

for kind in $kinds; do
	# A file behind a descriptor is continued, not replaced.
	for name in /dev/fd/3 /proc/self/fd/3; do
		[ -e "${name%/*}" ] || continue
		status=0
		{
			echo before >&3
			write_to "$kind" "$name" 4>/dev/null || status=$?
			echo after >&3
		} 3>got
		check "$name" "$kind" "$status" got
		same "$name, $kind: what was there" "$(head -n 1 got) $(tail -n 1 got | tail -c 6)" 'before after'
		rm got
	done
	for name in /dev/stdout /dev/fd/1; do
		[ -e "${name%/*}" ] || continue
		status=0
		write_to "$kind" "$name" 4>got || status=$?
		check "$name" "$kind" "$status" got
		# Nothing but the output is there, whatever a verb says otherwise.
		same "$name, $kind: its beginning" "$(grep -ciE '^(Input|Output|File)' got)" 0
		rm got
		status=0
		write_to "$kind" "$name" 4> >(cat >got) || status=$?
		wait_for test -s got
		wait_for eval "grep -qi -- '$(text_of "$kind")' got"
		check "$name, a pipe" "$kind" "$status" got
		rm got
	done
	mkfifo pipe
	cat pipe >got &
	reader=$!
	status=0
	write_to "$kind" pipe 4>/dev/null || status=$?
	wait $reader
	check 'a FIFO' "$kind" "$status" got
	[ -p pipe ] && ok || bad 'the FIFO was replaced'
	rm pipe got
	status=0
	write_to "$kind" /dev/null 4>/dev/null || status=$?
	same "/dev/null, $kind" "$status" 0
	[ -c /dev/null ] && ok || bad '/dev/null was replaced'
done

# ---- Names that are empty ------------------------------------------------------------------------

# Every option that takes the name of a file or folder.
"$PMON_BIN" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >verbs
[ -s verbs ] && ok || bad 'no verbs'
n=0
while read -r verb; do
	"$PMON_BIN" "$verb" --help 2>/dev/null |
		sed -nE 's/^  +(-[a-z]+, )?(-[-a-z]+)[ =](FILE|DIR|FOLDER)( .*)?$/\2/p' >options
	while read -r option; do
		[ "$option" = -config ] && continue # a file of settings, in a fashion of its own
		n=$((n + 1))
		run "$verb" a.blg "$option" ''
		status 2
		err_says "$option" name
	done <options
done <verbs
[ $n -gt 20 ] && ok || bad "only $n options take a name"
same 'nothing was written' "$(find . -name '.[!.]*' -type f ! -name .err ! -name .out ! -name .make_log)" ''

finish
