#!/usr/bin/env bash
# files_real.sh - the same on real logs: damage, standard input, several writers
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need_data

# A text log that bears the name of a binary one (its origin: PowerShell's own test of this).
for verb in info list stats values raw; do
	run "$verb" "$data/pwsh-CorruptBlg.blg"
	status 1
	out_lacks 'counters'
	err_says text damaged
done

# Windows 8, 6 buffers of 65536 bytes (its header: blg-format), cut inside the fourth.
log=$data/tx-BasicPerfCounters.blg
"$PMON_BIN" raw --format json "$log" >whole
head -c 200000 "$log" >cut.blg
run raw --format json cut.blg
status 3
err_says 200000
err_says 2 6 65536
rows=$(wc -l <"$tmp/.out")
[ "$rows" -gt 2000 ] && [ "$rows" -lt 6010 ] && ok || bad "$rows rows"
same 'whole samples of ten counters' $((rows % 10)) 0
same 'a beginning of the whole' "$(head -n "$rows" whole | cmp - "$tmp/.out" 2>&1)" ''
run stats cut.blg
status 3
out_has '\Processor(_Total)\% Processor Time'

for log in "$data"/pal-SampleLog.blg "$data"/pwsh-CounterSamples.blg; do
	same "standard input, $log" "$("$PMON_BIN" values --format csv - <"$log" | cksum)" \
		"$("$PMON_BIN" values --format csv "$log" | cksum)"
done

# Logs of different machines: paths keep their machines, samples stand in order of time.
run values --format json "$data/pwsh-CounterSamples.blg" "$data/tx-BasicPerfCounters.blg"
status 0
same 'all values of both' "$(wc -l <"$tmp/.out")" 6260
times=$(sed 's/.*"time":"\([^"]*\)".*/\1/' "$tmp/.out")
same 'in order of time' "$(sort -s <<<"$times" | cksum)" "$(cksum <<<"$times")"

finish
