#!/usr/bin/env bash
# record_lost.sh - files that another program deletes, truncates, replaces or moves while pmon records into them
# SPDX-License-Identifier: MIT
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
[ -r /proc/stat ] || skip 'there is no /proc here'

# What it says is in a file of its own: it may say something while another command runs.
begin_recording() {
	ran="pmon record $*"
	env --default-signal=INT,HUP "$PMON_BIN" record -i 20ms -c '\System\Context Switches/sec' "$@" \
		2>"$tmp/.recording" </dev/null &
	pid=$!
}

samples_of() { "$PMON_BIN" info --format json "$1" 2>/dev/null | sed -n 's/.*"samples":\([0-9]*\).*/\1/p'; }
has_samples() { [ "$(samples_of "$1")" -ge 3 ]; } # FILE

end_recording() {
	kill -INT $pid
	status=0
	wait $pid || status=$?
	err=$(cat "$tmp/.recording")
	err_of_recording=$err
}

told() { grep -c "$1" "$tmp/.recording"; } # how many lines of the messages have a text

formats="blg sqlite jsonl csv tsv"

# What was recorded after the loss is whole, and the summary counts what is there and what is not.
check_new() { # FILE PRECEDING
	local there said

	said=$(grep -o '[0-9]* samples* in ' <<<"$err" | grep -o '[0-9]*')
	run info "$1"
	status 0
	err_is ''
	there=$(samples_of "$1")
	same "samples in $1" "$((there - $2))" "$said"
}

for format in $formats; do
	mkdir "$format" && cd "$format" || exit 1
	[ $format = blg ] && before=1 || before=0 # BLG has no mark for a preceding sample

	# Deleted, and by a file that takes its name: the first continues under its name, the second next to the other.
	begin_recording -o gone.$format
	wait_for has_samples gone.$format
	rm gone.$format
	wait_for has_samples gone.$format || bad 'no new file after it was deleted'
	end_recording
	status 1
	same 'reported once' "$(told 'gone.* was deleted while it was recorded')" 1
	same 'said where' "$(told "continues in a new file, gone.$format")" 1
	grep -q ', [0-9]* lost' "$tmp/.recording" && ok || bad "$err"
	check_new gone.$format $before

	begin_recording -o taken.$format
	wait_for has_samples taken.$format
	echo other >other
	mv other taken.$format
	wait_for has_samples taken_000001.$format || bad 'no new file after it was replaced'
	end_recording
	status 1
	same 'reported once' "$(told 'taken.* was deleted while it was recorded')" 1
	same 'the other is left unchanged' "$(cat taken.$format)" other
	check_new taken_000001.$format $before

	# Truncated to nothing and to a part.
	for size in 0 100; do
		begin_recording -o cut$size.$format
		wait_for has_samples cut$size.$format
		truncate -s $size cut$size.$format
		wait_for has_samples cut${size}_000001.$format || bad 'no new file after it was truncated'
		end_recording
		status 1
		same 'reported once' "$(told "cut$size.* was truncated while it was recorded")" 1
		check_new cut${size}_000001.$format $before
	done

	# While it is being written, for there is hardly a pause between samples.
	for try in 1 2 3 4 5 6; do
		begin_recording -o busy$try.$format -i 1ms --sync 1ms
		wait_for has_samples busy$try.$format
		truncate -s 0 busy$try.$format
		wait_for has_samples busy${try}_000001.$format || bad 'no new file after it was truncated'
		end_recording
		status 1
		same 'reported once' "$(told "busy$try.* was truncated while it was recorded")" 1
	done

	# Files that are numbered or dated.
	begin_recording -o many.$format --names number
	wait_for has_samples many_000001.$format
	rm many_000001.$format
	wait_for has_samples many_000001.$format || bad 'no new file after it was deleted'
	truncate -s 10 many_000001.$format
	wait_for has_samples many_000002.$format || bad 'no new file after it was truncated'
	end_recording
	status 1
	same 'reported twice' "$(told ' while it was recorded: its samples')" 2

	begin_recording -o day.$format --rotate 1d
	wait_for eval 'has_samples day_*'
	name=$(echo day_*."$format")
	rm "$name"
	wait_for has_samples "$name" || bad 'no new file after it was deleted'
	end_recording
	status 1

	# Moved away, alone, or replaced by an empty file, as logrotate does: it is all there, under its new name, and
	# the recording continues under the old one.
	for instead in nothing empty; do
		begin_recording -o moved.$format --sync 50ms
		wait_for has_samples moved.$format
		mv moved.$format $instead.$format
		[ $instead = nothing ] || : >>moved.$format
		wait_for has_samples moved.$format || bad 'no new file after it was moved'
		end_recording
		status 0
		same 'reported once' "$(told 'moved.* was moved while it was recorded')" 1
		same 'said where' "$(told "continues in a new file, moved.$format")" 1
		same 'nothing is lost' "$(told lost)" 0
		run info $instead.$format
		status 0
		err_is ''
		run info moved.$format
		status 0
		err_is ''
		same 'samples in both' \
			"$(($(samples_of $instead.$format) + $(samples_of moved.$format) - before))" \
			"$(grep -o '[0-9]* samples* in ' <<<"$err_of_recording" | grep -o '[0-9]*')"
		rm moved.$format
	done

	# Another file has its name.
	begin_recording -o other.$format --sync 50ms
	wait_for has_samples other.$format
	ln other.$format kept.$format
	echo other >other
	mv other other.$format
	wait_for has_samples other_000001.$format || bad 'no new file after it was moved'
	end_recording
	status 0
	same 'the other is left unchanged' "$(cat other.$format)" other
	run info kept.$format
	status 0

	# Until it is synced it is written to wherever it is; SIGHUP begins another one, and there is nothing to report.
	begin_recording -o late.$format --sync 1h
	wait_for has_samples late.$format
	mv late.$format later.$format
	kill -HUP $pid
	wait_for has_samples late.$format || bad 'no new file after SIGHUP'
	end_recording
	status 0
	same 'nothing to report' "$(told 'while it was recorded')" 0
	run info later.$format
	status 0

	# With its folder: there is no place for a file of its name.
	mkdir here
	begin_recording -o here/it.$format --sync 50ms
	wait_for has_samples here/it.$format
	mv here there
	more=$(($(samples_of there/it.$format) + 10))
	wait_for eval "[ \"\$(samples_of there/it.$format)\" -ge $more ]"
	end_recording
	status 0
	same 'nothing to report' "$(told 'while it was recorded')" 0
	run info there/it.$format
	status 0
	rm -r there

	# Moved or deleted when no sample comes any more.
	begin_recording -o at_end.$format -i 1h
	wait_for eval "[ \"\$(samples_of at_end.$format)\" -ge 1 ]"
	mv at_end.$format ended.$format
	end_recording
	status 0
	same 'reported once' "$(told 'at_end.* was moved while it was recorded')" 1
	run info ended.$format
	status 0

	begin_recording -o last.$format -i 1h
	wait_for eval "[ \"\$(samples_of last.$format)\" -ge 1 ]"
	rm last.$format
	end_recording
	status 1
	same 'reported once' "$(told 'last.* was deleted while it was recorded')" 1
	[ -e last.$format ] && bad 'a file without samples is left' || ok

	# Where no new file can be made either.
	mkdir folder
	begin_recording -o folder/gone.$format
	wait_for has_samples folder/gone.$format
	rm -r folder
	wait_for is_gone $pid || bad 'it goes on'
	wait $pid
	status=$?
	err=$(cat "$tmp/.recording")
	status 1
	err_says deleted
	cd .. || exit 1
done

# Truncated between what was written and what is written next, when the disk has it.
if ! grep -q __asan_init "$PMON_BIN" &&
	"${CC:-cc}" -shared -fPIC "$PMON_SOURCE_DIR/tests/cli/cut.c" -o cut.so -ldl 2>/dev/null; then
	for row in blg:5 csv:5 jsonl:5 tsv:5 sqlite:12; do
		format=${row%:*}
		for size in 0 100; do
			rm -f synced*
			CUT=synced.$format CUT_AT=${row#*:} CUT_TO=$size LD_PRELOAD=$tmp/cut.so run record -i 1ms -n 60 \
				--sync 1ms -c '\System\Context Switches/sec' -o synced.$format
			status 1
			err_says "synced.$format" truncated
			run info synced_000001.$format
			status 0
		done
	done
else
	echo 'record_lost.sh: skipped: no compiler makes a library for this pmon'
fi

# The log was moved, and another file gets its name just before pmon creates it: an empty file is overwritten.
if ! grep -q __asan_init "$PMON_BIN" &&
	"${CC:-cc}" -shared -fPIC "$PMON_SOURCE_DIR/tests/cli/put.c" -o put.so -ldl 2>/dev/null; then
	for format in $formats; do
		for text in '' other; do
			next=raced.$format
			[ -z "$text" ] || next=raced_000001.$format
			PUT=raced.$format PUT_TEXT=$text LD_PRELOAD=$tmp/put.so begin_recording -o raced.$format --sync 50ms
			wait_for has_samples raced.$format
			mv raced.$format first.$format
			wait_for has_samples "$next" || bad 'no new file after it was moved'
			end_recording
			status 0
			same 'said where' "$(told "continues in a new file, $next")" 1
			[ -z "$text" ] || same 'the other is left unchanged' "$(cat raced.$format)" other
			rm -f raced* first*
		done
	done
else
	echo 'record_lost.sh: skipped: no compiler makes a library for this pmon'
fi

finish
