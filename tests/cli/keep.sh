#!/usr/bin/env bash
# keep.sh - pmon record: which old files are removed, and recordings that go on after a restart
# SPDX-License-Identifier: MIT
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
[ -r /proc/stat ] || skip 'there is no /proc here'

# Recorded trees of 2024-01-01: tree FOLDER N SECONDS is a sample with 1000 + 10 * SECONDS switches.
T0=133485408000000000
tree() {
	local folder

	folder=$1/$(printf %04d "$2")
	mkdir -p "$folder/proc/sys/kernel"
	echo "$((T0 + $3 * 10000000)) $(((1000 + $3) * 10000000))" >"$folder/clock"
	printf 'cpu  %d 0 5 90 0 0 0 0 0 0\nctxt %d\n' "$3" "$((1000 + 10 * $3))" >"$folder/proc/stat"
	echo host >"$folder/proc/sys/kernel/hostname"
}
# Eight runs of three samples, an hour apart, a sample a minute; the ninth is on the next day.
for hour in 0 1 2 3 4 5 6 7 24; do
	for i in 0 1 2; do tree "run$hour" "$i" $((hour * 3600 + i * 60)); done
done
switches='\System\Context Switches/sec'
record() { run record -c "$switches" -q "$@"; }
files() { ls -d "$@" 2>/dev/null | paste -sd ' '; }
raws() { "$PMON_BIN" raw --format csv "$@" | cut -d , -f 1,3- | sort -u; }

# ---- --keep with --rotate counts days, not files -----------------------------------------------------

begin_week() { # FORMAT: a folder with good files of the eight days before
	rm -rf week && mkdir week && cd week || exit 1
	for day in 24 25 26 27 28 29 30 31; do echo good >"s_202312$day-000000.$1"; done
	touch -d '2023-12-01' s_2023*
}
for format in blg sqlite jsonl csv; do
	begin_week $format
	for hour in 0 1 2 3 4 5 6 7; do
		record --replay ../run$hour -o s.$format --rotate 1d --keep 7
		status 0
	done
	# Today and the six days before it.
	same "a week of $format after eight restarts" "$(files s_2023*)" \
		"$(printf "s_202312%d-000000.$format\n" 26 27 28 29 30 31 | paste -sd ' ')"
	same "eight files of today" "$(files s_2024* | wc -w)" 8
	record --replay ../run24 -o s.$format --rotate 1d --keep 7
	same 'the next day takes one more' "$(files s_2023* | wc -w)" 5
	same 'and all of today stay' "$(files s_20240101* | wc -w)" 8
	cd ..
done

# Files of other names, links and folders stay, whatever the limit.
begin_week blg
touch s_20231224-000000.csv s_2023122-000000.blg other_20231224-000000.blg
ln -s s_20231231-000000.blg s_20231220-000000.blg
mkdir s_20231221-000000.blg
record --replay ../run0 -o s.blg --rotate 1d --keep 1
same 'what others have' "$(files ./*)" \
	"$(printf './%s\n' other_20231224-000000.blg s_20231220-000000.blg s_20231221-000000.blg \
		s_2023122-000000.blg s_20231224-000000.csv s_20240101-000000.blg | sort | paste -sd ' ')"
cd ..

# ---- By age and by size ------------------------------------------------------------------------------

begin_week jsonl
for day in 24 25 26 27 28 29 30 31; do touch -d "$((32 - day)) days ago" "s_202312$day-000000.jsonl"; done
record --replay ../run0 -o s.jsonl --rotate 1d --keep-age 84h # 3.5 days
same 'by age' "$(files s_*)" \
	's_20231229-000000.jsonl s_20231230-000000.jsonl s_20231231-000000.jsonl s_20240101-000000.jsonl'
cd ..
begin_week jsonl
for file in s_*; do head -c 100000 /dev/zero >"$file"; done
record --replay ../run0 -o s.jsonl --rotate 1d --keep-size 290K # two of 97.7 KB, and the new one
same 'by size' "$(files s_*)" 's_20231230-000000.jsonl s_20231231-000000.jsonl s_20240101-000000.jsonl'
cd ..
begin_week jsonl
for file in s_*; do head -c 100000 /dev/zero >"$file"; done
touch -d '1 hour ago' s_*
touch -d '3 days ago' s_20231230*
record --replay ../run0 -o s.jsonl --rotate 1d --keep 5 --keep-size 1G --keep-age 2d
same 'the first limit that is reached' "$(files s_*)" \
	's_20231228-000000.jsonl s_20231229-000000.jsonl s_20231231-000000.jsonl s_20240101-000000.jsonl'
cd ..
# As the newest grows older ones go.
mkdir grows && cd grows || exit 1
head -c 300000 /dev/zero >s_000001.jsonl
head -c 300000 /dev/zero >s_000002.jsonl
run record -i 1ms -n 400 -c '\System\*' -o s.jsonl --names number --keep-size 1M -q
status 0
[ "$(stat -c %s s_000003.jsonl)" -gt 500000 ] && ok || bad 'too few samples'
[ ! -e s_000001.jsonl ] && ok || bad 'more than --keep-size'
cd ..
# The newest file is kept, whatever its size.
record --replay run0 -o large.jsonl --names number --keep-size 1K
same 'the newest' "$(files large_*)" 'large_000001.jsonl'
for bad in '--keep 7d' '--keep-age 0' '--keep-age soon' '--keep-size 7' '--keep 0' \
	'--append --circular --max-size 1MB' '--keep-age 1d --circular --max-size 1MB'; do
	# shellcheck disable=SC2086 # words
	record --replay run0 -o usage.blg $bad
	status 2
done

# ---- A full disk deletes nothing good ------------------------------------------------------------------

# As a limit on the size of files, which anybody can set. What is written first does not fit.
for format in blg sqlite jsonl csv; do
	begin_week $format
	before=$(files ./*)
	for i in 1 2 3; do
		status=0
		(ulimit -f 0 && exec "$PMON_BIN" record --replay ../run$i -c '\System\*' -q -o s.$format \
			--rotate 1d --keep 2 --keep-size 1K --keep-age 1d 2>"$tmp/.err") || status=$?
		ran="pmon record -o s.$format on a full disk"
		err=$(cat "$tmp/.err")
		status 1
		same "files after a failed start, $format" "$(files ./*)" "$before"
	done
	record --replay ../run4 -o s.$format --rotate 1d --keep 2
	status 0
	same 'with room again' "$(files ./*)" "./s_20231231-000000.$format ./s_20240101-040000.$format"
	cd ..
done
# A circle of files too: the oldest goes when the newest has data.
mkdir circle && cd circle || exit 1
for i in 1 2 3 4; do echo good >c_00000$i.jsonl; done
(ulimit -f 0 && exec "$PMON_BIN" record --replay ../run1 -c "$switches" -q -o c.jsonl --circular \
	--max-size 1MB 2>/dev/null)
same 'files of a circle after a failed start' "$(files ./* | wc -w)" 4
cd ..

# ---- --append: a restart continues the recording ---------------------------------------------------------

# All but BLG go on in their file.
for format in jsonl sqlite csv tsv; do
	rm -rf day && mkdir day && cd day || exit 1
	for hour in 0 1 2; do
		record --replay ../run$hour -o s.$format --rotate 1d --append
		status 0
		err_is ''
	done
	same "one file of $format" "$(files ./*)" "./s_20240101-000000.$format"
	run info s_20240101-000000.$format
	status 0
	out_has 'samples    9,'
	# from 00:02 to 01:00
	out_has 'gap        2024-01-01 00:02:00.000 for 58 min'
	run values --format json s_20240101-000000.$format
	status 0
	# 10 a second wherever there is a value: of raw values also across the gap
	same "values of $format" "$(grep -c '"value":10,' <<<"$out")" $([[ $format = *sv ]] && echo 6 || echo 8)
	same 'no path twice' "$("$PMON_BIN" list s_* | grep -c Context)" 1
	record --replay ../run24 -o s.$format --rotate 1d --append
	same "the next day of $format" "$(files ./*)" \
		"./s_20240101-000000.$format ./s_20240102-000000.$format"
	cd ..
done

# BLG begins a part, which belongs to the same period.
for format in blg; do
	rm -rf day && mkdir day && cd day || exit 1
	for hour in 0 1 2; do
		record --replay ../run$hour -o s.$format --rotate 1d --append --keep 1
		status 0
	done
	same "three parts of $format" "$(files ./*)" "$(printf "./s_20240101-%s0000.$format\n" 00 01 02 | paste -sd ' ')"
	run values --format json s_*
	status 0
	same 'all samples' "$(raws s_* | wc -l)" 10
	cd ..
done

# One file of a fixed name; BLG continues in a numbered file.
rm -rf fixed && mkdir fixed && cd fixed || exit 1
for hour in 0 1; do run record --replay ../run$hour -c "$switches" -o a.jsonl --append; done
status 0
same 'a.jsonl' "$(raws a.jsonl | wc -l)" 7
for hour in 0 1; do run record --replay ../run$hour -c "$switches" -o a.blg --append; done
status 0
err_says a.blg a_000001.blg
same 'a.blg' "$(raws a.blg a_000001.blg | wc -l)" 7
# Numbered files go on in the newest, and up to --max-size.
for hour in 0 1 2; do record --replay ../run$hour -o n.jsonl --names number --append; done
same 'numbered' "$(files n_*)" 'n_000001.jsonl'
record --replay ../run3 -o n.jsonl --names number --append --max-size 1K
same 'a full one stays' "$(files n_*)" 'n_000001.jsonl n_000002.jsonl'
# Other columns begin another file, and the first is as it was.
record --replay ../run0 -o c.csv
before=$(cat c.csv)
run record --replay ../run1 -c '\System\*' -o c.csv --append
status 0
err_says c.csv c_000001.csv
same 'c.csv' "$(cat c.csv)" "$before"
same 'rows of c_000001.csv' "$(wc -l <c_000001.csv)" 4
# A file that pmon did not record is not changed.
echo 'my diary' >d.jsonl
run record --replay ../run0 -c "$switches" -o d.jsonl --append
status 0
same 'd.jsonl' "$(cat d.jsonl)" 'my diary'
same 'd_000001.jsonl' "$(raws d_000001.jsonl | wc -l)" 4
# In a database the counters keep their ids, new ones follow, and the views see one log.
rm -f v.db
record --replay ../run0 -o v.db
record --replay ../run1 -c '\System\*' -o v.db --append
status 0
record --replay ../run2 -o v.db --append
status 0
run values --format json -c "$switches" v.db
same 'nine samples of v.db' "$(grep -c '"value":10,' <<<"$out")" 8
run list -c '\System\*' v.db
same 'no path of v.db twice' "$(sort <<<"$out" | uniq -d)" ''
run values --format json -c '\System\System Up Time' v.db
same 'what came later' "$(grep -c '"status":"ok"' <<<"$out")" 3
if command -v sqlite3 >/dev/null; then
	same 'one log set' "$(sqlite3 v.db 'SELECT count(*), NumberOfRecords FROM DisplayToID')" '1|9'
	sqlite3 other.db 'CREATE TABLE t (x); INSERT INTO t VALUES (1)'
	before=$(cksum <other.db)
	record --replay ../run0 -o other.db --append
	status 0
	same 'the database of another program' "$(cksum <other.db)" "$before"
	same 'other_000001.db' "$(raws other_000001.db | wc -l)" 4
fi
# A file that another recording is writing is not changed.
"$PMON_BIN" record -i 10ms -q -c '\System\*' -o busy.db &
pid=$!
wait_for "$PMON_BIN" info busy.db || bad 'nothing in busy.db'
record --replay ../run0 -o busy.db --append
status 1
err_says busy.db
kill -TERM $pid
wait $pid
run info busy.db
status 0

# Without --append, and without a file, nothing has changed.
run record --replay ../run0 -c "$switches" -o a.jsonl
status 1
err_says -y
record --replay ../run0 -o new.jsonl --append
status 0
same 'a new file' "$(raws new.jsonl | wc -l)" 4
: >empty.jsonl
record --replay ../run0 -o empty.jsonl --append
status 0
same 'an empty file' "$(raws empty.jsonl | wc -l)" 4
cd ..

# A file that a crash cut in the middle of a line: the half line goes, what is before it stays.
for format in jsonl csv; do
	record --replay run0 -o torn.$format
	whole=$(cat torn.$format)
	for cut in 1 7 30; do
		head -c -$cut <<<"$whole" >torn.$format
		kept=$(sed '$d' torn.$format)
		record --replay run1 -o torn.$format --append
		status 0
		same "lines of torn.$format" "$(head -n "$(wc -l <<<"$kept")" torn.$format)" "$kept"
		run info torn.$format
		status 0
		out_has 'damage     none'
		out_has 'samples    5,'
	done
done

# Killed and restarted, again and again: what was seen before is there after, and no restart fails. Every other
# time there are more samples first; else it may be killed before it has one.
samples_of() { raws -c '\System\Threads' k_*."$1" 2>/dev/null | wc -l; }
has_more() { [ "$(samples_of "$1")" -gt "$2" ]; }
for format in jsonl csv blg sqlite; do
	rm -rf killed && mkdir killed && cd killed || exit 1
	seen=0
	for i in $(seq "${PMON_TEST_KILLS:-8}"); do
		"$PMON_BIN" record -i 5ms -c '\System\*' -q -o k.$format --rotate 1d --append 2>../.err &
		pid=$!
		[ $((i % 2)) = 0 ] || wait_for has_more $format $((seen + 5))
		sleep "0.$((RANDOM % 25 + 10))"
		kill -9 $pid 2>/dev/null || bad "$format ended: $(cat ../.err)"
		wait $pid 2>/dev/null
		n=$(samples_of $format)
		[ "$n" -ge "$seen" ] && ok || bad "$format: $n samples, and $seen before"
		seen=$n
	done
	[ "$seen" -gt 20 ] && ok || bad "$format: only $seen samples"
	cd ..
done

finish
