#!/usr/bin/env bash
# service.sh - the units of systemd: they are understood, and locked down
# SPDX-License-Identifier: MIT
set -euo pipefail

[ -e "$PMON_BUILD_DIR/pmon-record.service" ] || { echo "skipped: this build has no service"; exit 77; }
command -v systemd-analyze >/dev/null || { echo "skipped: systemd-analyze is not here"; exit 77; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "service.sh: $*" >&2
	exit 1
}

# The command is where it is installed; here it is the one of the build.
# systemd splits a path at its blanks.
ln -s "$PMON_BIN" "$tmp/pmon"
for name in record push rollup; do
	sed "s|^ExecStart=[^ ]*|ExecStart=$tmp/pmon|; /^Documentation=/d" "$PMON_BUILD_DIR/pmon-$name.service" \
		>"$tmp/pmon-$name.service"
done
for timer in "$PMON_SOURCE_DIR"/packaging/systemd/*.timer; do
	sed '/^Documentation=/d' "$timer" >"$tmp/${timer##*/}"
done
for unit in "$tmp"/*.service "$tmp"/*.timer; do
	report=$(systemd-analyze verify "$unit" 2>&1 | grep pmon- || true)
	[ -z "$report" ] || fail "$report"
done

# words NAME FROM TO: the options of a command line, with another text in place of one
words() { sed -n 's/^ExecStart=[^ ]* //p' "$PMON_BUILD_DIR/pmon-$1.service" | sed "s|$2|$3|g"; }

# The options on the command lines are those that pmon takes.
mkdir "$tmp/log"
# shellcheck disable=SC2046 # words
"$PMON_BIN" $(words record /var/lib/pmon/%l "$tmp/log/host") --count 1 || fail "the recording does not run"
ls "$tmp"/log/host_*.blg >/dev/null || fail "nothing was recorded"
# Nothing listens on port 9: 1 is the status of what was tried, 2 that of options that are wrong.
export PMON_TO=clickhouse+http://127.0.0.1:9/perf
for name in push rollup; do
	rc=0
	# shellcheck disable=SC2046 # words
	"$PMON_BIN" $(words $name /var/lib/pmon "$tmp/log" | sed "s|\${PMON_TO}|$PMON_TO|") --retry 1ms || rc=$?
	[ $rc = 1 ] || fail "pmon $name: status $rc"
done

# From 0, safest, to 10: what is above 2.0 is called "OK" or worse by systemd itself.
for name in record push rollup; do
	systemd-analyze security --offline=true "$tmp/pmon-$name.service" >"$tmp/security" 2>/dev/null || {
		echo "skipped: this systemd-analyze does not judge files"
		exit 77
	}
	level=$(sed -n 's/.*Overall exposure level.*: *\([0-9.]*\).*/\1/p' "$tmp/security")
	echo "pmon-$name: exposure level $level"
	awk -v level="$level" 'BEGIN { exit !(level != "" && level <= 2.0) }' ||
		{ grep '✗' "$tmp/security"; fail "pmon-$name: exposure level $level"; }
done
