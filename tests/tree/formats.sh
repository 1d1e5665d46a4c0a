#!/usr/bin/env bash
# formats.sh - each format has its line in the registry and its document; one that can be read, a fuzz target and seeds
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$PMON_SOURCE_DIR"

failed=0
miss() {
	echo "formats.sh: $1: $2"
	failed=1
}

n=0
for format in src/format/*/; do
	format=$(basename "$format")
	grep -q "FORMAT($format)" src/format/registry.c || miss "$format" 'give it a line in src/format/registry.c'
	page=docs/reference/formats/$format.md
	[ -f "$page" ] || miss "$format" "describe it in $page"
	grep -qF "]($format.md)" docs/reference/formats/README.md ||
		miss "$format" 'give it a row in docs/reference/formats/README.md'
	n=$((n + 1))
	grep -qE '^[[:space:]]\.probe = ' src/format/"$format"/*.c || continue
	[ -f "tests/fuzz/$format/fuzz.c" ] || miss "$format" "add the fuzz target tests/fuzz/$format/fuzz.c"
	[ -n "$(ls "tests/fuzz/$format/corpus" 2>/dev/null)" ] ||
		miss "$format" "add seeds in tests/fuzz/$format/corpus: other tests read them, too"
done
[ $n -gt 0 ] || miss src/format 'has no folders'
echo "formats.sh: $n formats"
exit $failed
