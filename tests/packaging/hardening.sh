#!/usr/bin/env bash
# hardening.sh - the built command and library have the protections of cmake/hardening.cmake
# SPDX-License-Identifier: MIT
set -euo pipefail
export LC_ALL=C

build=$PMON_BUILD_DIR
bad=0

fail() {
	echo "hardening.sh: $*" >&2
	bad=1
}

# has FILE WHAT PATTERN READELF-OPTION...: the pattern is in what readelf prints
has() {
	local file=$1 what=$2 pattern=$3 text

	shift 3
	text=$(readelf -W "$@" "$file")
	grep -qE -- "$pattern" <<<"$text" || fail "$(basename "$file"): $what"
}

# check FILE FUNCTION: all of a file; the function is one of ours that is called from outside
check() {
	local file=$1 function=$2 segments

	has "$file" "not position-independent" '^ *Type: *DYN ' -h
	has "$file" "no GNU_RELRO segment" '^ *GNU_RELRO ' -l
	has "$file" "functions of libraries are bound lazily, so RELRO is partial" 'BIND_NOW|Flags:.* NOW' -d
	has "$file" "no stack protector" ' UND __stack_chk_fail(@|$)' --dyn-syms
	has "$file" "no fortified function" ' UND __memcpy_chk(@|$)' --dyn-syms
	segments=$(readelf -W -l "$file")
	! grep -q 'RWE' < <(grep -E '^ *GNU_STACK ' <<<"$segments") || fail "$(basename "$file"): the stack is executable"
	! grep -q 'RWE' < <(grep -E '^ *LOAD ' <<<"$segments") ||
		fail "$(basename "$file"): a segment can be both written and executed"
	! grep -q TEXTREL < <(readelf -W -d "$file") || fail "$(basename "$file"): code is relocated"
	# The note that the whole file has it depends on the start files of the C library.
	case $(uname -m) in
	x86_64 | i?86)
		text=$(objdump -d --no-show-raw-insn --disassemble="$function" "$file")
		grep -qE 'endbr(64|32)' <<<"$text" || fail "$(basename "$file"): no endbr at $function"
		;;
	esac
}

check "$PMON_BIN" main
has "$PMON_BIN" "no PIE" 'Flags:.* PIE' -d
check "$build/libpmon.so" pmon_log_open
[ ! -e "$build/pmon.so" ] || check "$build/pmon.so" sqlite3_pmon_init

# Level 3 leaves no mark in a binary that level 2 does not leave: what did the compiler get?
level=2
if printf '#include <string.h>\n#if __USE_FORTIFY_LEVEL != 3\n#error\n#endif\n' |
	cc -O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -E - >/dev/null 2>&1; then
	level=3
fi
commands=$build/compile_commands.json
without=$(grep '"command"' "$commands" | grep -E -- ' -c [^"]*/(src|cli|web|draw|rules|text)/[^"]*\.c"' |
	grep -vc -- "-D_FORTIFY_SOURCE=$level" || true)
[ "$without" = 0 ] || fail "$without sources are not compiled with _FORTIFY_SOURCE=$level"
exit $bad
