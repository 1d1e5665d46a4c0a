#!/usr/bin/env bash
# service.sh - the unit of systemd: it is understood, and locked down
# SPDX-License-Identifier: MIT
set -euo pipefail

unit=$PMON_BUILD_DIR/pmon-record.service
[ -e "$unit" ] || { echo "skipped: this build has no service"; exit 77; }
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
sed "s|^ExecStart=[^ ]*|ExecStart=$tmp/pmon|; /^Documentation=/d" "$unit" >"$tmp/pmon-record.service"
report=$(systemd-analyze verify "$tmp/pmon-record.service" 2>&1 | grep pmon-record || true)
[ -z "$report" ] || fail "$report"

# The options on the command line are those that pmon takes.
words=$(sed -n 's/^ExecStart=[^ ]* //p' "$unit" | sed "s|/var/lib/pmon/%l|$tmp/host|")
# shellcheck disable=SC2086 # words
"$PMON_BIN" $words --count 1 || fail "pmon $words does not run"
ls "$tmp"/host_*.blg >/dev/null || fail "nothing was recorded"

# From 0, safest, to 10: what is above 2.0 is called "OK" or worse by systemd itself.
systemd-analyze security --offline=true "$tmp/pmon-record.service" >"$tmp/security" 2>/dev/null || {
	echo "skipped: this systemd-analyze does not judge files"
	exit 77
}
level=$(sed -n 's/.*Overall exposure level.*: *\([0-9.]*\).*/\1/p' "$tmp/security")
echo "exposure level $level"
awk -v level="$level" 'BEGIN { exit !(level != "" && level <= 2.0) }' ||
	{ grep '✗' "$tmp/security"; fail "exposure level $level"; }
