#!/usr/bin/env bash
# libraries.sh - the command and the library are linked with few others; the rest is loaded when it is needed
# SPDX-License-Identifier: MIT
set -euo pipefail
export LC_ALL=C

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
bad=0

fail() {
	echo "libraries.sh: $*" >&2
	bad=1
}

for file in "$PMON_BIN" "$PMON_BUILD_DIR/libpmon.so"; do
	n=$(ldd "$file" | grep -c .)
	[ "$n" -le 12 ] || fail "$(basename "$file") needs $n libraries: $(ldd "$file")"
done

# A file that is empty takes the place of each library that is loaded late.
mkdir broken
mapfile -t late < <(grep -aoE 'lib(cairo|curl|pq|snappy|microhttpd|ncursesw)\.so\.[0-9]+' "$PMON_BIN" | sort -u)
[ ${#late[@]} -gt 0 ] || { echo "skipped: this build has no library to load"; exit "$((bad ? 1 : 77))"; }
for name in "${late[@]}"; do
	: >"broken/$name"
done
printf '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Memory\\Pages/sec"\n"11/26/2016 10:00:00.000","1"\n"11/26/2016 10:00:01.000","2"\n' >log.csv
export LD_LIBRARY_PATH=$tmp/broken

# lacks LIBRARY WORDS...: the verb fails, and its message names the library
lacks() {
	local library=$1 output code=0

	shift
	[[ " ${late[*]} " == *" $library.so."* ]] || return 0
	output=$("$PMON_BIN" "$@" 2>&1) || code=$?
	[ $code = 1 ] || fail "pmon $* ends with status $code without $library"
	grep -q "^pmon: $1: cannot load $library\.so\.[0-9]*, install the package" <<<"$output" ||
		fail "pmon $* does not name $library: $output"
}

for type in png pdf; do
	lacks libcairo chart -o "out.$type" log.csv
	[ ! -e "out.$type" ] || fail "a chart was left"
done
lacks libncursesw top log.csv
lacks libmicrohttpd view --no-browser log.csv
lacks libmicrohttpd serve --metrics log.csv
lacks libcurl push --to clickhouse+http://127.0.0.1:9/perf log.csv
lacks libsnappy push --to prometheus+http://127.0.0.1:9 log.csv
lacks libpq push --to postgresql://127.0.0.1:9/perf log.csv

# What needs none of them works.
for words in --version 'stats log.csv' 'chart log.csv' 'chart -o out.svg log.csv' 'report -o out.html log.csv' 'relog log.csv -f csv -o -'; do
	# shellcheck disable=SC2086
	"$PMON_BIN" $words >/dev/null 2>err || fail "pmon $words fails: $(cat err)"
done
grep -q '<path' out.svg || fail "the chart is empty"
grep -q 'class="picture".*<svg' out.html || fail "the page has no picture"
exit $bad
