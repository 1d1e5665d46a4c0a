#!/usr/bin/env bash
# alone.sh HEADER - a public header compiles on its own, twice over, as C11 and as C++17
# SPDX-License-Identifier: MIT
set -euo pipefail

header=$1
include=$PMON_SOURCE_DIR/include
flags=(-I "$include" -fsyntax-only -Wall -Wextra -Wpedantic -Wundef -Werror)
text="#include <pmon/$header>
#include <pmon/$header>
extern int pmon_header_is_alone;"

"$CC" -x c -std=c11 -Wshadow -Wstrict-prototypes "${flags[@]}" - <<<"$text"
echo "$header: C11"

if [ "$header" != pmon.h ] && ! grep -q "#include <pmon/$header>" "$include/pmon/pmon.h"; then
	echo "$header: pmon.h does not include it" >&2
	exit 1
fi

cxx=${CXX:-}
for candidate in c++ g++ clang++; do
	[ -n "$cxx" ] || cxx=$(command -v "$candidate") || true
done
if [ -z "$cxx" ]; then
	echo "$header: no C++ compiler here, C++17 was not tried"
	exit 77
fi
"$cxx" -x c++ -std=c++17 "${flags[@]}" - <<<"$text"
echo "$header: C++17"
