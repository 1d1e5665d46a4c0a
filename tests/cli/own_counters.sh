#!/usr/bin/env bash
# own_counters.sh - the header for counters of one's own program compiles everywhere, and pmon reads what it writes
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

examples=$PMON_SOURCE_DIR/share/examples
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
n=0
for compiler in 'gcc -std=c99 -x c' 'clang -std=c11 -x c' 'g++ -std=c++11 -x c++' 'clang++ -std=c++17 -x c++'; do
	"${compiler%% *}" --version >/dev/null 2>&1 || continue
	ran=$compiler
	# shellcheck disable=SC2086
	$compiler $strict -o order-queue "$examples/order-queue.c" 2>compile.err && ok || bad "$(cat compile.err)"
	n=$((n + 1))
done
[ $n -gt 0 ] || skip 'there is no compiler'

# Each order takes 2 ms by the program's own arithmetic: 51 + 52 + 50 + 51 of them between the five samples.
./order-queue 5 20 >orders.jsonl
run stats --format csv orders.jsonl
status 0
average_of() { grep -F "$1" <<<"$out" | cut -d, -f5; }
same 'time of an order' "$(average_of 'Avg. sec/Order')" 0.002
same 'length' "$(average_of Length)" 2
same 'unit of the rate' "$(grep -cF 'Orders/sec' <<<"$out")" 1
run raw --format json orders.jsonl
same 'orders between the samples' "$(grep -F 'Avg. sec' <<<"$out" | grep -oE '"second":[0-9]+' | tr -dc '0-9\n' | sed -n '1p;$p' | paste -sd' ')" '50 254'
run relog orders.jsonl -o orders.blg -y
status 0
run verify orders.jsonl orders.blg
status 0

# From a pipe into a log: the same averages, as many samples as asked for, only some counters.
run record --from-command './order-queue 5 20' -o piped.blg
status 0
run stats --format csv piped.blg
same 'time of an order, piped' "$(average_of 'Avg. sec/Order')" 0.002
run record --from-command './order-queue 500 20' -n 3 -c '\Order Queue(*)\Avg. sec/Order' -o some.jsonl
status 0
run raw --format json some.jsonl
same 'three samples of one counter' "$(grep -c 'Avg. sec' <<<"$out") $(wc -l <<<"$out")" '3 3'

# A sample is in the log while the command runs, and what it writes when it is asked to end is read too.
mkfifo gate
cat >slow.sh <<'SH'
put() { printf '{"path":"%s","type":"PERF_COUNTER_LARGE_RAWCOUNT","time":"2026-11-20T10:00:0%sZ","status":"valid_data","first":%s}\n' '\\\\web01\\Queue\\Length' "$1" "$1"; }
trap 'put 3; put 4; exit 0' TERM
put 1
put 2
echo 'not JSON'
read -r _ <gate
SH
"$PMON_BIN" record --from-command '. ./slow.sh' -o slow.jsonl 2>slow.err &
recorder=$!
exec 3<>gate # the command waits in read
wait_for grep -q '"first":1' slow.jsonl && ok || bad "no sample while the command runs: $(cat slow.err)"
kill -TERM $recorder
wait $recorder
same 'status after a signal, with a line that is no value' $? 3
exec 3>&-
same 'values' "$(grep -oE '"first":[0-9]' slow.jsonl | tr -dc '0-9')" 1234
same 'the line that is not JSON' "$(grep -c 'not JSON' slow.err)" 1

# What is wrong.
for command in 'exit 3' 'echo x; exit 3' 'nosuchprogram; exit 3'; do
	run record --from-command "$command" -o none.blg
	status 1
	err_says JSON counter
	err_says 3
	[ ! -e none.blg ] && ok || bad 'a file without a sample'
done
run record --from-command './order-queue 3 20; exit 4' -o four.blg
status 1
err_says 4
run info --format json four.blg
out_has '"samples":3'
run record --from-command './order-queue 3 20' -c '\Nothing\At all' -o nothing.blg
status 1
run record --from-command 'sleep 100 & ./order-queue 2 20' --duration 50s -n 1 -o left.blg
status 0
run record --from-command './order-queue 3 20' -i 5s -o x.blg
status 2
err_says --interval

# Names with what JSON has to escape.
cat >odd.c <<'C'
#define _POSIX_C_SOURCE 200809L
#include "pmon-counters.h"
int main(void)
{
	for (int i = 0; i < 2; i++) {
		pmon_counters_begin("a\"b");
		pmon_counters_level(stdout, "Queue(\"x\"\ty)\\Length", INT64_MIN);
		pmon_counters_end(stdout);
	}
	return 0;
}
C
"${CC:-cc}" -I "$examples" -o odd odd.c && ./odd >odd.jsonl
run raw --format json odd.jsonl
status 0
out_has '"path":"\\\\a\"b\\Queue(\"x\" y)\\Length"' '-9223372036854775808'
finish
