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
