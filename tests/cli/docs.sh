#!/usr/bin/env bash
# docs.sh - documents and manual agree with the command; the programs in them compile
# documents.sh runs the commands that documents show.
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
make_log average server.blg

ran=tools/check-docs
report=$("$PMON_SOURCE_DIR/tools/check-docs" 2>&1) && ok || bad "$report"

ran=tools/gen-options
same 'docs/reference/options.md is the table of tools/gen-options' \
	"$("$PMON_SOURCE_DIR/tools/gen-options")" "$(<"$PMON_SOURCE_DIR/docs/reference/options.md")"

# ---- Programs ----------------------------------------------------------------------------------------

# The program of README and of libpmon(3) compile, and print what the comment says.
sed -n '/^```c$/,/^```$/p' "$PMON_SOURCE_DIR/README.md" | sed '1d;$d' >example.c
{
	printf '#include <stdio.h>\n#include <pmon/pmon.h>\nint\nmain(void)\n{\n'
	sed -n '/^\.Bd -literal/,/^\.Ed/p' "$PMON_SOURCE_DIR/docs/man/libpmon.3" |
		sed '/^\./d; s/\\e/\\/g'
	printf '\treturn 0;\n}\n'
} >manual.c
library=${PMON_BUILD_DIR:-}/libpmon.a
for program in example manual; do
	ran="$program.c"
	warnings=$("${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$PMON_SOURCE_DIR/include" -c \
		$program.c -o $program.o 2>&1) && ok || bad "$warnings"
	# A sanitizer's run-time is not for such programs.
	if [ -r "$library" ] && ! grep -q '^PMON_SANITIZE:STRING=.' "$PMON_BUILD_DIR/CMakeCache.txt"; then
		libs=$(sed -n 's/^Libs.private: *//p' "$PMON_BUILD_DIR/pmon.pc" 2>/dev/null)
		# shellcheck disable=SC2086 # words
		report=$("${CC:-cc}" $program.o "$library" ${libs:--lm} -o $program 2>&1) && ok ||
			bad "$report"
		same 'what it prints' "$(./$program)" '0.15 s'
	fi
done

# ---- The manual ---------------------------------------------------------------------------------

if command -v mandoc >/dev/null; then
	for page in "$PMON_SOURCE_DIR"/docs/man/*.[1-8]; do
		ran="mandoc -Tlint $page"
		report=$(mandoc -Tlint -Wwarning "$page" 2>&1) && ok || bad "$report"
	done
fi

finish
