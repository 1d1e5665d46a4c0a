#!/usr/bin/env bash
# install.sh - the installed tree serves pkg-config and CMake, in C and C++, and goes away whole
# SPDX-License-Identifier: MIT
set -euo pipefail

tmp=$(mktemp -d)
manifest=$PMON_BUILD_DIR/install_manifest.txt
[ ! -e "$manifest" ] || cp -p "$manifest" "$tmp/manifest"

finish() {
	[ ! -e "$tmp/manifest" ] || cp -p "$tmp/manifest" "$manifest"
	rm -rf "$tmp"
}
trap finish EXIT

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

# A folder with a space in its name, and DESTDIR: both are things that packagers do.
unset DESTDIR
export DESTDIR="$tmp/dest dir"
cmake --install "$PMON_BUILD_DIR" --prefix /opt/pmon >"$tmp/log" || { cat "$tmp/log"; exit 1; }
root=$DESTDIR/opt/pmon
lib=$(dirname "$(find "$root" -name 'libpmon.a')")

echo "what is there"
diff <(cd "$PMON_SOURCE_DIR/include/pmon" && ls -- *.h) <(ls "$root/include/pmon") ||
	fail "the installed headers are not the public ones"
[ "$(readlink "$lib/libpmon.so")" ] || fail "libpmon.so is no link"
diff <(cd "$PMON_SOURCE_DIR/rules" && cat -- *.rules) <(cat "$root/share/pmon/rules/"*.rules) ||
	fail "the installed rules are not those of the tree"
diff -r -x README.md "$PMON_SOURCE_DIR/share/vectors" "$root/share/pmon/vectors" ||
	fail "the installed vectors are not those of the tree"
cmp "$PMON_SOURCE_DIR/docs/reference/vectors.md" "$root/share/pmon/vectors/README.md" ||
	fail "the installed vectors have no page on how they are used"
diff -r "$PMON_SOURCE_DIR/packaging/grafana" "$root/share/pmon/grafana" ||
	fail "the installed dashboards are not those of the tree"
"$root/bin/pmon" --version >"$tmp/version" || fail "the installed command does not run"

for tool in relog typeperf; do
	[ "$(readlink "$root/bin/$tool")" = pmon ] || fail "$tool is no link to pmon"
	grep -q "usage: pmon $tool" < <("$root/bin/$tool" '-?') || fail "the link $tool is not pmon $tool"
done

# pkg-config cuts at spaces, so the rest is done in a copy elsewhere: the tree may be moved.
moved=$tmp/moved
mv "$root" "$moved"
lib=$moved${lib#"$root"}
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib
want="ok 0.150000"
use=$PMON_SOURCE_DIR/tests/packaging/use.c
warn=(-Wall -Wextra -Wpedantic -Werror)
version=$(sed -n 's/^#define PMON_VERSION_[A-Z]* *\([0-9][0-9]*\)$/\1/p' "$PMON_SOURCE_DIR/include/pmon/base.h" |
	paste -sd .)
grep -qF "$version" "$tmp/version" || fail "pmon --version is not $version: $(cat "$tmp/version")"
[ "$(pkg-config --modversion pmon)" = "$version" ] || fail "pmon.pc is not of version $version"

run() {
	local got

	got=$("$@") || fail "$1 fails"
	[ "$got" = "$want" ] || fail "$1 prints '$got'"
}

echo "pkg-config, C"
# shellcheck disable=SC2046 # the flags are words
"$CC" -std=c11 "${warn[@]}" "$use" -o "$tmp/c" $(pkg-config --cflags --libs pmon)
run "$tmp/c"

echo "pkg-config, the static library"
# shellcheck disable=SC2046
"$CC" -std=c11 "${warn[@]}" $(pkg-config --cflags pmon) "$use" -o "$tmp/static" \
	"$lib/libpmon.a" $(pkg-config --static --libs-only-l pmon | sed 's/-lpmon//')
LD_LIBRARY_PATH='' run "$tmp/static"

cxx=${CXX:-$(command -v c++ || command -v g++ || command -v clang++ || true)}
if [ -n "$cxx" ]; then
	echo "pkg-config, C++"
	# shellcheck disable=SC2046
	"$cxx" -std=c++17 "${warn[@]}" -x c++ "$use" -x none -o "$tmp/cxx" \
		$(pkg-config --cflags --libs pmon)
	run "$tmp/cxx"
fi

echo "find_package"
{
	env -u DESTDIR cmake -S "$PMON_SOURCE_DIR/tests/packaging/consumer" -B "$tmp/consumer" \
		-DCMAKE_PREFIX_PATH="$moved" -DCMAKE_C_COMPILER="$CC" &&
		env -u MAKEFLAGS cmake --build "$tmp/consumer"
} >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail "find_package does not serve"; }
run "$tmp/consumer/with_shared"
LD_LIBRARY_PATH='' run "$tmp/consumer/with_static"

echo "uninstall"
mv "$moved" "$root"
cmake -P "$PMON_BUILD_DIR/uninstall.cmake" >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
left=$(find "$DESTDIR" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
left=$(find "$DESTDIR" -type d -path '*/pmon/*' -name pmon)
[ -z "$left" ] || fail "empty folders of our own left behind: $left"
