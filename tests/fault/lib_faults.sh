# lib_faults.sh - run command lines while the n-th call for memory or to the system fails; to be sourced in place of lib.sh
# SPDX-License-Identifier: MIT
#
# The outcome is the right output, or status 1 or 3 with a message (preload.c judges). PMON_TEST_FAULTS=all tries
# every n, which takes an hour; else some n of each, spread evenly: by turns the n-th call alone fails, or also all
# calls after it, and with PMON_TEST_FULL=1 each. PMON_TEST_FAULTS_ONLY, a pattern of bash, chooses the calls and
# command lines that are tried, as in '^memory .*out\.svg'.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

faults=$tmp/faults.so # LD_PRELOAD takes no path with a space
[ -r "$PMON_BUILD_DIR/tests/fault/libpmon_faults.so" ] || skip 'the library that makes calls fail is not built'
cp "$PMON_BUILD_DIR/tests/fault/libpmon_faults.so" "$faults"
if [ "${PMON_TEST_FAULTS:-}" = all ]; then all=1; else all=; fi
[ -z "${PMON_TEST_FAULTS_ONLY:-}" ] || ok # what is chosen may be in the other script
has_verb() { "$PMON_BIN" relog b.blg -f "$1" -o probe >/dev/null 2>&1; }

# rests: whether that call fails alone (0) or also all after it (1)
rests='0 1'
turn=0

# try CALLS TRIES OUTPUT WORDS...: the calls that fail, how many n of each are tried, the file that is written ("-": none)
try() {
	local calls=$1 tries=$2 output=$3 call rest now code
	[[ "$calls ${*:4}" =~ ${PMON_TEST_FAULTS_ONLY:-} ]] || return 0
	shift 3
	[ -z "$all" ] || tries=0
	[ "$output" != - ] || output=
	for call in $calls; do
		now=$rests
		if [[ $rests = '0 1' && -z $all && -z ${PMON_TEST_FULL-} ]]; then
			now=$turn
			turn=$((1 - turn))
		fi
		for rest in $now; do
			ran="pmon $*: $call fails${rest/#1/, and all calls after it}"
			ran=${ran/%0/}
			code=0
			env FAULT_SECONDS=${all:+200} LD_PRELOAD="$faults" FAULT_FOLDER="$tmp" FAULT_CALL="$call" FAULT_REST=$rest FAULT_TRIES="$tries" \
				FAULT_OUTPUT="$output" FAULT_LIVE="${live:-}" "$PMON_BIN" "$@" >/dev/null 2>faults.err || code=$?
			[ $code != 77 ] || skip 'calls cannot be caught here (seccomp)'
			[ $code = 0 ] && grep -q ' runs, 0 wrong' faults.err && [[ -z "${FAULT_IN:-}" || ! "$(<faults.err)" =~ ' 0 calls' ]] &&
				ok || bad "$(cat faults.err)"
			[ -z "$all" ] || printf '%s: %s\n' "$*" "$(cat faults.err)"
		done
	done
}

make_log average a.blg
make_log back b.blg
make_log days d.blg
for format in csv jsonl sql openmetrics influx; do
	"$PMON_BIN" relog b.blg -f $format -o b >/dev/null 2>&1
done
gzip -kf b.blg

# Ten samples of a machine that counts.
for i in $(seq 0 9); do
	folder=trees/000$i
	mkdir -p $folder/proc/sys/kernel
	echo "$((133485408000000000 + i * 10000000)) $(((1000 + i) * 10000000))" >$folder/clock
	printf 'cpu  %d 0 5 90 0 0 0 0 0 0\ncpu0 %d 0 5 90 0 0 0 0 0 0\nctxt %d\n' $i $i $((1000 + 10 * i)) >$folder/proc/stat
	echo host >$folder/proc/sys/kernel/hostname
done

reading='read pread open close mmap write'
writing='pread pwrite write open close fsync rename link truncate mmap'
