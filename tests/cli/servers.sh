#!/usr/bin/env bash
# servers.sh - what view and serve refuse before they serve, and raw values that calc and explain refuse
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/lib_live.sh
. "$(dirname "$0")/lib_live.sh"

make_log average a.blg
make_trees trees

# refused TEXT WORDS...: a usage error whose message has the text
refused() {
	local text=$1

	shift
	run "$@"
	status 2
	err_has "$text"
}

# ---- Options of servers -------------------------------------------------------------------------

for port in x 70000 -1; do
	refused 65535 serve --metrics --port=$port a.blg
	refused 65535 view --no-browser --port=$port a.blg
done
refused 65535 serve --metrics --listen '[::1]:70000' a.blg
refused --listen serve --metrics --listen "$(printf '%080d' 0)" a.blg
for speed in x 0 -1 2e9; do
	refused --speed serve --metrics --speed=$speed a.blg
done
echo 0123456789abcdef >token
chmod 644 token
run serve --metrics --token-file token a.blg
status 1
err_says token
chmod 620 token
run serve --metrics --token-file token a.blg
status 1
err_says token
chmod 640 token
echo short >token
refused 256 serve --metrics --token-file token a.blg
: >token
run serve --metrics --token-file token a.blg
status 1
err_says token empty
run serve --metrics --token-file missing a.blg
status 1
err_has 'missing: No such file or directory'
for length in x 0 -5s; do
	refused --interval serve --metrics --interval=$length
	refused --interval view --no-browser --interval=$length
	refused --history view --no-browser --history=$length
done
run view --no-browser --replay missing
status 1
err_says missing

# With so few files that the libraries can be loaded, but the pipe that ends sampling not made.
ran='pmon view, with few files'
for most in 4 5 6 7 8 9; do
	code=0
	bash -c "ulimit -n $most; exec \"\$PMON_BIN\" view --no-browser" >/dev/null 2>refused.err </dev/null || code=$?
	[ $code = 127 ] || break
done
[ $code = 1 ] && grep -q 'cannot create a pipe' refused.err && ok || bad "status $code: $(cat refused.err)"

# ---- Servers that begin -------------------------------------------------------------------------

# begins WORDS...: it prints its address, and ends at once on SIGTERM
begins() {
	local code=0

	rm -f address
	"$PMON_BIN" "$@" >address 2>server.err &
	wait_for test -s address
	kill -TERM $!
	wait $! || code=$?
	[ $code = 0 ] && grep -q '^http://' address && ok || bad "$*: status $code, $(cat address server.err)"
}

begins view --no-browser --replay trees
begins view --no-browser a.blg --compare a.blg
begins serve --metrics --replay trees
if [ -s /proc/net/if_inet6 ]; then
	begins serve --metrics --listen '[::1]:0' a.blg
	grep -q '^http://\[::1\]:' address && ok || bad "not the address asked for: $(cat address)"
	begins serve --metrics --listen '::1' a.blg
fi

# ---- Raw values on the command line -------------------------------------------------------------

for verb in calc explain; do
	refused FIRST:SECOND $verb -t PERF_COUNTER_COUNTER -F 1
	for format in text csv json; do
		[ $verb = calc ] || [ $format != csv ] || continue
		refused '"x"' $verb -t PERF_COUNTER_COUNTER -F 1 1:2 x --format $format
	done
done

# No counter type has this word, so there is no value, no unit, and nothing that divides.
run calc -t 12345 1:2 3:4 --format json
status 0
out_has '"unit":"","values":[{"value":null,"status":"unknown_type"}'
run explain -t 12345 1:2 3:4
status 0
out_has '2 unknown_type'

if [ -w /dev/full ]; then
	for format in text csv json; do
		ran="calc --format $format >/dev/full" code=0
		"$PMON_BIN" calc -t PERF_COUNTER_COUNTER -F 1 1:2 3:4 --format $format >/dev/full 2>full.err || code=$?
		[ $code = 1 ] && grep -q 'cannot write the output' full.err && ok || bad "status $code: $(cat full.err)"
	done
fi

finish
