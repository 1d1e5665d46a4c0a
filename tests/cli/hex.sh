#!/usr/bin/env bash
# hex.sh - values of HEX types are hexadecimal wherever people read them, and numbers in JSON and logs
# SPDX-License-Identifier: MIT
#
# The expected texts are printf's of the numbers in the log.
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

row() { # counter, type, second, first
	printf '{"path":"\\\\\\\\H\\\\O(a)\\\\%s","type":"%s","time":"2026-01-01T00:00:0%sZ","status":"valid_data","first":"%s","sample":%s}\n' \
		"$1" "$2" "$3" "$4" "$3"
}
{
	row Mask PERF_COUNTER_RAWCOUNT_HEX 0 31
	row Flags PERF_COUNTER_LARGE_RAWCOUNT_HEX 0 1311768467463790320
	row Plain PERF_COUNTER_RAWCOUNT 0 31
	row Mask PERF_COUNTER_RAWCOUNT_HEX 1 64206
	row Flags PERF_COUNTER_LARGE_RAWCOUNT_HEX 1 -1
	row Plain PERF_COUNTER_RAWCOUNT 1 64206
} >log.jsonl
small=$(printf '0x%X' 31)
large=$(printf '0x%X' 64206)
wide=$(printf '0x%X' 1311768467463790320)
ones=$(printf '0x%X' -1)

run values log.jsonl
status 0
for text in "$small  " "$large  " "$ones  "; do out_has "$text"; done
run raw log.jsonl
for text in "$small  " "$large  " "$wide  " "$ones  "; do out_has "$text"; done
run raw --format csv log.jsonl
out_has "PERF_COUNTER_RAWCOUNT_HEX,2026-01-01T00:00:01Z,valid_data,$large,0,0,"
out_has "PERF_COUNTER_RAWCOUNT,2026-01-01T00:00:01Z,valid_data,64206,0,0,"
out_has ",$wide,0,0,"
# The average of 31 and 64206 is 32118.5, which has no hexadecimal form here.
run stats log.jsonl -c '\O(*)\Mask'
out_has " $large "
out_has ' 32,119 '
run stats --format csv log.jsonl -c '\O(*)\*'
out_has "PERF_COUNTER_RAWCOUNT_HEX,,$large,32118.5,$small,$large,"
out_has 'PERF_COUNTER_RAWCOUNT,,64206,32118.5,31,64206,'
run explain log.jsonl -c '\O(*)\Mask'
out_has "value     $large (64206)"
out_has 'value     32118.5'
run chart log.jsonl -c '\O(*)\Mask' --ascii --size 100x20
out_has " $large"
run report log.jsonl -o -
out_has "<data value=\"64206\">$large</data>"
out_has '<data value="64206">64'
run calc -t NumberOfItemsHEX32 0x1f 64206
out_has "last     $large"
out_has 'average  32,119'
out_has "minimum  $small"
run calc -t NumberOfItemsHEX64 --format csv -- -1
out_has "$ones,ok"

# Programs get numbers, and logs what Windows writes.
run values --format json log.jsonl
out_has '"value":64206,'
out_lacks 0x
run raw --format json log.jsonl
out_has '"first":64206,'
run stats --format json log.jsonl
out_has '"last":64206,'
run calc --format json -t NumberOfItemsHEX32 31
out_has '"last":31'
run explain --format json log.jsonl -c '\O(*)\Mask'
out_has '"value":64206,'
run values --format csv log.jsonl -c '\O(*)\Mask'
out_has '"64206"'

finish
