#!/usr/bin/env bash
# record.sh - pmon record: what it writes, when it begins new files, and what is left when it is stopped
# SPDX-License-Identifier: MIT
# In memory, where waiting for the disk costs nothing.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
[ -r /proc/stat ] || skip 'there is no /proc here'

# ---- Recorded trees: sample n is n seconds after 2024-01-01T00:00:00Z, with 1000 + 10 n switches ----

T0=133485408000000000

# tree FOLDER N [SECONDS]: sample N of a recording
tree() {
	local folder seconds=${3:-$2}

	folder=$1/$(printf %04d "$2")
	mkdir -p "$folder/proc/sys/kernel"
	echo "$((T0 + seconds * 10000000)) $(((1000 + seconds) * 10000000))" >"$folder/clock"
	printf 'cpu  %d 0 5 90 0 0 0 0 0 0\ncpu0 %d 0 5 90 0 0 0 0 0 0\nctxt %d\n' \
		"$2" "$2" "$((1000 + 10 * $2))" >"$folder/proc/stat"
	echo host >"$folder/proc/sys/kernel/hostname"
}
for i in $(seq 0 11); do tree trees "$i"; done

# path, time and raw values, one a line
raws() { "$PMON_BIN" raw --format csv "$@" | cut -d , -f 1,3- | sort -u; }

# ---- Formats: the same samples, whatever they are written to -------------------------------------

for format in blg sqlite jsonl; do
	run record --replay trees -c '\System\*' -o "same.$format"
	status 0
	err_says "same.$format" 12 samples
	raws "same.$format" >"same.$format.raw"
done
same 'raw values of BLG and JSON lines' "$(cat same.blg.raw)" "$(cat same.jsonl.raw)"
same 'raw values of BLG and SQLite' "$(cat same.blg.raw)" "$(cat same.sqlite.raw)"
# 10 more context switches in each second
for format in csv tsv; do
	run record --replay trees -c '\System\Context Switches/sec' -o "same.$format"
	status 0
	run values --format json "same.$format"
	same "values of $format" "$(grep -c '"value":10,' <<<"$out")" 11
done
run values --format json -c '\System\Context Switches/sec' same.blg
same 'values of blg' "$(grep -c '"value":10,' <<<"$out")" 11
run record --replay trees -c '\System\*' --format jsonl -o - -q
status 0
err_is ''
same 'to standard output' "$(grep -c 'Context Switches' <<<"$out")" 12

run record --replay trees -o same.blg
status 1
err_says same.blg -y
run record --replay trees -o same.blg -y -n 3
status 0
err_says '3 samples'
run record --replay trees -q -n 2
status 0
[ -s host_20240101-000000.blg ] && ok || bad "no file of the default name: $(ls)"
err_is ''

# ---- What is recorded -----------------------------------------------------------------------------

run record --replay trees -o default.jsonl
run list default.jsonl
out_has '\System\Context Switches/sec'
out_lacks '\Process('
run record --replay trees -c default -c '\Nothing\*' -o more.jsonl
status 0
err_says '\Nothing\*'
same 'default beside other patterns' "$(raws default.jsonl)" "$(raws more.jsonl)"
run record --replay trees -c '\Nothing\*' -o nothing.blg
status 1
err_says record
[ -e nothing.blg ] && bad 'a file of nothing' || ok

# ---- Usage ------------------------------------------------------------------------------------------

usage() {
	run record --replay trees -o usage.blg "${@:2}"
	status 2
	err_has "$1"
	[ -e usage.blg ] && bad 'a file was written' || ok
}
usage --max-size --max-size 100
usage --max-size --max-size 1XB
usage --keep --keep 0
usage --circular --circular
usage --circular --circular --max-size 1MB --keep 2
usage --names --names day
usage --format --format xls
usage --rotate --rotate soon
usage --sync --sync never
usage '-o' other.blg

# ---- Many files ---------------------------------------------------------------------------------------

# A sample each 20 s; every file of a minute has three, and the newest of the one before.
for i in $(seq 0 8); do tree minutes "$i" "$((20 * i))"; done
mkdir dated && cd dated || exit 1
for format in blg jsonl sqlite csv lp; do
	run record --replay ../minutes -c '\System\Context Switches/sec' -o "m.$format" --rotate 1m
	status 0
	err_says '9 samples'
	err_says '3 files'
	same "dated $format" "$(ls m_*."$format" | paste -sd ' ')" \
		"m_20240101-000000.$format m_20240101-000100.$format m_20240101-000200.$format"
done
run record --replay ../minutes -c '\System\Context Switches/sec' -o whole.blg
for format in blg jsonl sqlite; do
	same "the parts of $format are the whole" "$(raws m_*."$format")" "$(raws whole.blg)"
	run stats --format json m_*."$format"
	parts=$out
	run stats --format json whole.blg
	same "statistics of the parts of $format" "$parts" "$out"
done
run record --replay ../minutes -c '\System\Context Switches/sec' -o whole.lp
same 'the lines of lp, and a line for each sample' "$(cat m_*.lp)" "$(cat whole.lp)"
same 'samples of lp' "$(wc -l <whole.lp)" 9
# of displayed values each part has its own, and none is lost at the seam: 10 in 20 s
same 'rows of csv' "$(cat m_*.csv | grep -c '"0.5')" 8
cd .. || exit 1

mkdir kept && cd kept || exit 1
others='n_1.blg n_000001.csv n_00000a.blg xn_000001.blg n_000001.blg.bak n_000002_old.blg'
touch $others
ln -s n_1.blg n_000003.blg
mkdir n_000002.blg
run record --replay ../minutes -c '\System\*' -o n.blg --names number --rotate 20s --keep 2
status 0
same 'the newest two, and what others have' "$(ls -d ./* | sort | paste -sd ' ')" \
	"$(printf './%s\n' $others n_000002.blg n_000003.blg n_000010.blg n_000011.blg | sort |
		paste -sd ' ')"
run record --replay ../minutes -c '\System\*' -o n.blg --names number --rotate 20s --keep 3
same 'numbers go on' "$(ls -d n_0000[12]?.blg | paste -sd ' ')" 'n_000018.blg n_000019.blg n_000020.blg'
cd .. || exit 1

# By size: no file is larger, and nothing is lost.
mkdir sized && cd sized || exit 1
for format in blg jsonl csv sqlite; do
	run record -i 1ms -n 300 -c '\System\*' -o "s.$format" --names number --max-size 400KB
	status 0
	largest=$(stat -c %s s_*."$format" | sort -n | tail -1)
	[ "$largest" -le 409600 ] && ok || bad "a file of $largest bytes"
done
same 'samples of all files' "$(raws -c '\System\Context Switches/sec' s_*.jsonl | wc -l)" 301
[ "$(ls s_*.jsonl | wc -l)" -gt 2 ] && ok || bad 'one file only'
run record -i 1ms -c '\System\*' -o one.jsonl --max-size 100KB
status 0
size=$(stat -c %s one.jsonl)
[ "$size" -le 102400 ] && [ "$size" -gt 80000 ] && ok || bad "ended at $size bytes"
run record -i 1ms -n 9 -c default -o small.jsonl --max-size 1KB # a sample takes some 100 KB
status 0
err_says --max-size
same 'a header and one sample' "$(raws -c '\System\Threads' small.jsonl | wc -l)" 2
cd .. || exit 1

# ---- A circle -------------------------------------------------------------------------------------------

mkdir circle && cd circle || exit 1
run record -i 1ms -n 1200 -c '\System\*' -c '\Processor(*)\*' -o c.blg --circular --max-size 512KB
ended=$(date +%s)
status 0
same 'size' "$(stat -c %s c.blg)" 524288
run info c.blg
status 0
run raw --format csv -c '\System\Context Switches/sec' c.blg
status 0
n=$(wc -l <<<"$out")
[ "$n" -gt 20 ] && [ "$n" -lt 1200 ] && ok || bad "$n samples"
newest=$(tail -1 <<<"$out" | cut -d , -f 3)
[ $((ended - $(date -d "$newest" +%s))) -le 60 ] && ok || bad "the newest sample is of $newest"
# Without the Z: "58.951Z" comes before "58.9519918Z", but not as text.
tail -n +2 <<<"$out" | cut -d , -f 3 | tr -d Z | LC_ALL=C sort -c && ok || bad "not in order of time"
run relog c.blg -o plain.blg
status 0
same 'a plain log of it' "$(raws plain.blg)" "$(raws c.blg)"
run record --replay ../trees -o small.blg --circular --max-size 100KB
status 1
err_says circular
for format in jsonl sqlite; do
	run record -i 1ms -n 600 -c '\System\*' -o "c.$format" --circular --max-size 1MB
	status 0
	size=$(cat c_*."$format" | wc -c)
	[ "$size" -le 1048576 ] && [ "$(ls c_*."$format" | wc -l)" -le 4 ] && ok ||
		bad "$size bytes in $(ls c_*."$format" | wc -l) files"
done
cd .. || exit 1

# ---- Signals ----------------------------------------------------------------------------------------------

# begin_recording ARGS...: in the background, with its default signals; $pid
# What it says is in a file of its own: it may say something while another command runs.
begin_recording() {
	ran="pmon record $*"
	env --default-signal=INT,HUP "$PMON_BIN" record "$@" 2>"$tmp/.recording" </dev/null &
	pid=$!
}

# wait_for_sample FILE
wait_for_sample() { wait_for "$PMON_BIN" info "$1" || bad "nothing in $1"; }

samples_of() { "$PMON_BIN" info --format json "$1" 2>/dev/null | sed -n 's/.*"samples":\([0-9]*\).*/\1/p'; }
has_samples() { [ "$(samples_of "$2")" -ge "$1" ]; } # NUMBER FILE

end_recording() {
	kill "-$1" $pid
	status=0
	wait $pid || status=$?
	err=$(cat "$tmp/.recording")
}

for signal in INT TERM; do
	begin_recording -i 10ms -c '\System\*' -o $signal.blg
	wait_for_sample $signal.blg
	end_recording $signal
	status 0
	err_has "$signal.blg: "
	run info $signal.blg
	status 0
	err_is ''
done

# SIGHUP: the next of many files; of one the same, unless it was moved away.
begin_recording -i 10ms -c '\System\*' -o hup.jsonl --names number
wait_for_sample hup_000001.jsonl
kill -HUP $pid
wait_for_sample hup_000002.jsonl
end_recording TERM
status 0
err_says '2 files'
for format in blg sqlite csv; do
	begin_recording -i 10ms -c '\System\*' -o moved.$format
	wait_for_sample moved.$format
	kill -HUP $pid
	wait_for has_samples $(($(samples_of moved.$format) + 9)) moved.$format && ok || bad 'it does not go on'
	mv moved.$format moved-1.$format
	kill -HUP $pid
	wait_for_sample moved.$format
	end_recording TERM
	status 0
	err_says '2 files'
	for file in moved.$format moved-1.$format; do
		run info $file
		status 0
		err_is ''
	done
done
[ -e moved.sqlite-wal ] && bad 'a write-ahead log is left' || ok

# The duration is rounded: 0.7 s and more are not 0 s.
run record -i 100ms -n 8 -c '\System\*' -o rounded.blg
grep -q ' in 0:00:00' <<<"$err" && bad "$err" || ok

# On a terminal, one line shows the progress.
if command -v python3 >/dev/null; then
	ONLY_ERR=1 in_terminal seen "$PMON_BIN" record -i 20ms -n 60 -c '\System\*' -o tty.blg
	grep -q 'tty.blg: .* samples in 0:' seen && grep -q $'\r' seen && ok || bad "$(cat seen)"
fi

# ---- Two recordings: the second does not write into the file of the first ---------------------------------

begin_recording -i 5ms -o shared.blg -q -c '\System\*'
wait_for_sample shared.blg
run record -i 5ms -n 2 -y -o shared.blg -c '\System\*'
status 1
err_says shared.blg
end_recording INT
status 0
run info shared.blg
status 0
run record -i 5ms -n 2 -y -o shared.blg -c '\System\*'
status 0
same 'a header and the samples' "$(raws -c '\System\Threads' shared.blg | wc -l)" 3

# ---- Kill -9: what was there before is there after --------------------------------------------------------

# The kernel may end a write between two pages when the writer is killed, and a reader may see half of one that
# is going on. Then a text has half a line, and a BLG a part of an event, which is reported as a loss and not shown.
is_torn() { # FILE MESSAGES
	case $1 in
	*.csv | *.jsonl) grep -q 'the file is cut off in its last line' "$2" ;;
	*.blg) [ "$(grep -c 'lost at byte' "$2")" = 1 ] && grep -q 'bytes in a buffer are not an event' "$2" ;;
	*) false ;;
	esac
}

# Every other one has a sample before it is killed; others may not have begun.
kill_one() { # FORMAT OPTIONS...
	local file=killed.$1 before after before_status after_status=0

	rm -f killed.*
	begin_recording -i 5ms -o "$file" -q "${@:2}"
	[ $((rounds++ % 2)) = 1 ] || wait_for_sample "$file"
	sleep "0.0$((RANDOM % 90 + 10))"
	before_status=0
	before=$("$PMON_BIN" raw --format csv "$file" 2>before.err) || before_status=$?
	kill -9 $pid
	wait $pid 2>/dev/null
	after=$("$PMON_BIN" raw --format csv "$file" 2>after.err) || after_status=$?
	if [ $before_status -eq 0 ] || is_torn "$file" before.err; then
		kills=$((kills + 1))
		[ $after_status -eq 0 ] || is_torn "$file" after.err || bad "status $after_status: $(cat after.err)"
		[ "${after:0:${#before}}" = "$before" ] || bad "less than before: $(cat after.err)"
	elif [ $before_status -ne 1 ]; then
		bad "status $before_status: $(cat before.err)"
	fi
}
kills=0
rounds=0
for i in $(seq "${PMON_TEST_KILLS:-20}"); do kill_one blg -c '\System\*' -c '\Processor(*)\*'; done
for i in $(seq 8); do
	kill_one sqlite -c '\System\*'
	kill_one jsonl -c '\System\*'
	kill_one csv -c '\System\*'
done
ran="$kills recordings that were killed"
[ $kills -gt 20 ] && ok || bad 'too few had a sample'

# A circle too: the newest sample that was seen is still there, unless even the oldest one left came
# after it, as on a slow machine: the circle holds a fraction of a second.
for i in $(seq 5); do
	rm -f killed.blg
	begin_recording -i 1ms -o killed.blg -q --circular --max-size 320KB -c '\System\*' \
		-c '\Processor(*)\*'
	wait_for_sample killed.blg
	sleep "0.$((RANDOM % 3 + 2))"
	newest=$("$PMON_BIN" raw --format csv killed.blg 2>before.err | tail -1)
	kill -9 $pid
	wait $pid 2>/dev/null
	after=$("$PMON_BIN" raw --format csv killed.blg 2>after.err) && ok || bad "$(cat after.err)"
	oldest=$(sed -n 2p <<<"$after")
	if [[ $(cut -d , -f 3 <<<"$oldest") > $(cut -d , -f 3 <<<"$newest") ]]; then
		continue
	fi
	case $after in *"$newest"*) ok ;; *) bad "lost: $newest; $(cat after.err)" ;; esac
done

# Killed when the header of a buffer was written over that of the oldest one, and its events were not, or only up to some
# page: the rest of the older buffer is not read as if it were newer. All others are.
begin_recording -i 1ms -o circle.blg -q --circular --max-size 320KB -c '\System\*' -c '\Processor(*)\*'
is_full_circle() { [ "$(stat -c %s circle.blg)" = 327680 ]; }
wait_for is_full_circle || bad 'the circle is not full'
kill -9 $pid
wait $pid 2>/dev/null
begin_again() { # BYTES of the new buffer that are there
	python3 - circle.blg again.blg "$1" <<'EOF'
import struct, sys
SIZE, HEAD = 65536, 72
data, cut = bytearray(open(sys.argv[1], "rb").read()), int(sys.argv[3])
number = lambda place: struct.unpack_from("<Q", data, place * SIZE + 0x18)[0]
places = range(2, len(data) // SIZE)  # of the circle: behind the header and the list of counters
newest, oldest = max(places, key=number) * SIZE, min(places, key=number) * SIZE
head = data[newest:newest + HEAD]
for field in (0x04, 0x30):
    struct.pack_into("<I", head, field, HEAD)
struct.pack_into("<Q", head, 0x18, number(newest // SIZE) + 1)
new = (head + data[newest + HEAD:newest + 1000] + b"\xff" * SIZE)[:cut]
data[oldest:oldest + cut] = new
open(sys.argv[2], "wb").write(data)
whole = bytearray(data)
whole[oldest + HEAD:oldest + SIZE] = b"\xff" * (SIZE - HEAD)
open("whole.blg", "wb").write(whole)
EOF
}
for cut in 72 4096 32768; do
	[ -n "$(command -v python3)" ] || break
	begin_again $cut
	run raw --format csv again.blg
	status 0
	same "killed after $cut bytes" "$out" "$("$PMON_BIN" raw --format csv whole.blg 2>/dev/null)"
	cut -d , -f 3 <<<"$out" | sed 1d | sort -c && ok || bad 'the times are out of order'
done

# ---- A full disk --------------------------------------------------------------------------------------------

# As a limit on the size of files, which anybody can set: what was flushed before is whole.
for format in blg csv jsonl sqlite; do
	ran="pmon record -o full.$format on a full disk"
	status=0
	(
		ulimit -f 600 # blocks of 1024 bytes
		exec "$PMON_BIN" record -i 1ms -n 100000 -c '\System\*' -c '\Processor(*)\*' \
			-o full.$format 2>"$tmp/.err"
	) || status=$?
	err=$(cat "$tmp/.err")
	status 1
	err_says recorded
	same 'said once' "$(grep -c 'cannot write' <<<"$err")" 1
	n=$(sed -n 's/.*: \([0-9]*\) samples were recorded.*/\1/p' <<<"$err")
	run raw --format csv -c '\System\Threads' full.$format
	status 0
	same 'samples' "$(($(wc -l <<<"$out") - 1))" "$n"
done

finish
