#!/usr/bin/env bash
# debian.sh - Debian's packages have each installed file once, and each library that is loaded; all versions agree
# SPDX-License-Identifier: MIT
set -euo pipefail
export LC_ALL=C

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$PMON_SOURCE_DIR"
bad=0

fail() {
	echo "debian.sh: $*" >&2
	bad=1
}

tools/release --check || bad=1

# By component, so that the list of files that a person installed from here stays what it is.
DESTDIR=$tmp/root cmake --install "$PMON_BUILD_DIR" --prefix /usr --component Unspecified >"$tmp/log" ||
	{ cat "$tmp/log"; exit 1; }
rm -f "$PMON_BUILD_DIR/install_manifest_Unspecified.txt"
(cd "$tmp/root" && find . ! -type d -printf '%P\n') | sed -E 's,^usr/lib(64|/[a-z0-9_]+-linux[^/]*)/,usr/lib/,' |
	sort >"$tmp/files"

# Lines of the lists, whose library folder has Debian's name of the processor in it, and one line of debian/rules.
{
	cat debian/*.install debian/not-installed
	sed -n "s/.*dh_install -ppmon '\\{0,1\\}\\([^' ]*\\).*/\\1/p" debian/rules
} | awk '{ print $1 }' | grep '^usr/' | sed 's|^usr/lib/\*/|usr/lib/|' >"$tmp/patterns"
while read -r pattern; do
	n=0
	while read -r file; do
		# shellcheck disable=SC2053 # it is a pattern
		if [[ $file == $pattern || $file == $pattern/* ]]; then
			echo "$file" >>"$tmp/covered"
			n=$((n + 1))
		fi
	done <"$tmp/files"
	[ $n -gt 0 ] || fail "debian/*.install lists $pattern, which is not installed"
done <"$tmp/patterns"
sort "$tmp/covered" | diff "$tmp/files" - >"$tmp/differences" ||
	fail "installed (<) and in debian/*.install (>) differ: $(cat "$tmp/differences")"

# Libraries that are loaded stand in debian/rules and in the spec.
for name in $(grep -aoE 'lib[a-z]+\.so\.[0-9]+' "$PMON_BUILD_DIR/pmon" | sort -u); do
	grep -qF "[$name]" < <(readelf -d "$PMON_BUILD_DIR/pmon") && continue
	library=${name#lib}
	library=${library%%.so*}
	grep -qx "$library" < <(sed -n 's/^LOADS_[a-z]* = //p' debian/rules | tr ' ' '\n') ||
		fail "pmon loads $name, and no package in debian/rules has it"
	grep -F "$name" packaging/rpm/pmon.spec >/dev/null || fail "pmon loads $name, and no package of the spec has it"
done
exit $bad
