#!/usr/bin/env bash
# bare.sh - a compiler and CMake alone build the library and the verbs that read; the others say what they lack
# SPDX-License-Identifier: MIT
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
bad=0

fail() {
	echo "bare.sh: $*" >&2
	bad=1
}

# Without pkg-config no library is found.
configure() {
	env -u DESTDIR cmake -S "$PMON_SOURCE_DIR" -B "$1" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_FLAGS=-O0 -DPMON_BUILD_TESTS=OFF -DPMON_HARDENING=OFF -DPMON_WERROR=ON \
		-DPKG_CONFIG_EXECUTABLE=/bin/false "${@:2}" >"$1.log" 2>&1
}

if configure demanding -DPMON_WITH_ZLIB=ON; then
	fail "PMON_WITH_ZLIB=ON is configured without zlib"
fi
grep -q 'zlib is missing (in Debian: zlib1g-dev)' demanding.log || fail "$(cat demanding.log)"

# What libraries are there matters to sources that name them, and to no header; objects of all others are those of
# the build, if it is up to date. compile COMPILER... -o OBJECT -c SOURCE
names='PMON_(WITH_|LIBRARY_|PUSH_(CLICKHOUSE|POSTGRES|PROMETHEUS)([^_]|$))'
if grep -rE "$names" --include='*.h' "$PMON_SOURCE_DIR"/{include,src,shell,verbs,web,draw,rules,analyze}; then
	fail "headers differ where a library is missing"
fi
cat >compile <<SCRIPT
#!/bin/sh
for word; do
	[ "\$last" != -o ] || object=\$word
	last=\$word
done
is_new() {
	cd "$PMON_BUILD_DIR" && [ -f "\$object.d" ] || return 1
	IFS='
'
	for needed in \$(sed 's/^[^:]*://; s/\\\\\$//; s/\\\\ /\\x01/g' "\$object.d" | tr ' ' '\\n' | tr '\\001' ' '); do
		[ "\$object" -nt "\$needed" ] || return 1
	done
}
(is_new) && ! grep -qE '$names' "\$last" || exec "\$@"
echo "\$object" >>"$tmp/taken"
exec cp -t "\${object%/*}" "$PMON_BUILD_DIR/\$object" "$PMON_BUILD_DIR/\$object.d"
SCRIPT
chmod +x compile
CMAKE_C_COMPILER_LAUNCHER=$tmp/compile configure build -DPMON_WITH_CAIRO=OFF || { cat build.log; exit 1; }
grep -q 'PNG and PDF of pmon chart: PMON_WITH_CAIRO is OFF' build.log || fail "$(cat build.log)"
grep -q 'pmon top: install libncurses-dev' build.log || fail "$(cat build.log)"
grep -q 'apt-get install pkg-config libxxhash-dev zlib1g-dev' build.log || fail "$(cat build.log)"
for target in pmon pmon_shared; do # both at once would compile the same objects twice
	env -u MAKEFLAGS cmake --build build -j 2 --target $target >make.log 2>&1 || { tail -n 40 make.log; exit 1; }
done
[ -s taken ] || fail "no object of the build was taken"
for file in build/pmon build/libpmon.so; do
	others=$(ldd "$file" | grep -vE 'linux-vdso|/ld-linux|/ld-musl|lib(c|m|pthread|dl)\.' || true)
	[ -z "$others" ] || fail "$file needs $others"
done

# Verbs that read print what those of the whole build do.
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Memory\\Pages/sec","\\\\A\\Process(b)\\Working Set"\n' >a.csv
for i in 1 2 3 4; do
	printf '"11/26/2016 10:00:0%d.000","%d","%d"\n' $i $((i * i)) $((i * 100))
done >>a.csv
"$PMON_BIN" relog a.csv -o a.blg -f bin >/dev/null 2>&1
for words in 'info' list stats 'stats --format json' 'values --format csv' 'raw --format json' chart \
	'explain --format json -c \Memory\*' 'relog -f csv -o -' 'relog -f jsonl -o -' 'rules'; do
	for log in a.csv a.blg; do
		# shellcheck disable=SC2086
		"$PMON_BIN" $words $log >want 2>&1 || true
		# shellcheck disable=SC2086
		build/pmon $words $log >got 2>&1 || fail "pmon $words $log fails: $(cat got)"
		cmp -s want got || fail "pmon $words $log: $(diff want got | head -n 5)"
	done
done
build/pmon report -o a.html a.csv 2>err || fail "$(cat err)"
build/pmon relog a.csv -o bare.blg -f bin >/dev/null 2>&1 || fail "no BLG can be written"
cmp <(build/pmon values --format csv bare.blg) <("$PMON_BIN" values --format csv a.blg) || fail "bare.blg differs"

# lacks STATUS WORDS: the words of the message
lacks() {
	local code=0 output

	# shellcheck disable=SC2086
	output=$(build/pmon $2 2>&1) || code=$?
	[ $code = "$1" ] && grep -q "$3" <<<"$output" || fail "pmon $2 ends with $code: $output"
}
"$PMON_BIN" relog a.csv -o a.jsonl -f jsonl >/dev/null 2>&1
gzip -k a.csv
lacks 1 'chart -o a.png a.csv' 'built without cairo'
lacks 1 'top a.csv' 'libncurses-dev'
lacks 1 'view --no-browser a.csv' 'libmicrohttpd-dev'
lacks 1 'serve --metrics a.csv' 'libmicrohttpd-dev'
lacks 1 'push --to clickhouse+http://a/b a.csv' 'libcurl4-openssl-dev'
lacks 1 'push --to prometheus+http://a a.csv' 'libsnappy-dev'
lacks 1 'push --to postgresql://a/b a.csv' 'libpq-dev'
lacks 1 'rules import a.xml' 'libexpat1-dev'
lacks 1 'watch --webhook http://a a.csv' 'libcurl4-openssl-dev'
lacks 1 'watch --journal a.csv' 'libsystemd-dev'
lacks 1 'stats a.jsonl' 'libjansson-dev'
printf 'SELECT 1' | "$PMON_BIN" sql a.csv >/dev/null 2>&1 || lacks 1 'sql a.csv' 'libsqlite3-dev'
lacks 1 'stats a.csv.gz' 'run gunzip on it first'
"$PMON_BIN" relog a.csv -o a.db -f sql >/dev/null 2>&1 && lacks 1 'stats a.db' 'libsqlite3-dev'
exit $bad
