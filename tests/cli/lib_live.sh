# lib_live.sh - recorded trees for tests of the command line; to be sourced in place of lib.sh
# SPDX-License-Identifier: MIT
#
# make_trees DIR: three samples of the machine "box", at 0 s, 1 s and 3 s of 2024-01-01 UTC, with
#
#	context switches    1000     1500     4500      so 500 and 1500 a second, 3500 / 3 s in all
#	threads               80       81       82
#	up for            1000 s   1001 s   1003 s

# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# 2024-01-01T00:00:00Z in units of 100 ns since 1601
trees_time=133485408000000000

make_tree() { # DIR SECONDS SWITCHES THREADS
	mkdir -p "$1/proc/sys/kernel"
	printf '%d %d\n' $((trees_time + $2 * 10000000)) $(((1000 + $2) * 10000000)) >"$1/clock"
	printf 'cpu  0 0 0 0 0 0 0 0 0 0\nctxt %d\nprocesses 7\nprocs_running 1\n' "$3" >"$1/proc/stat"
	printf '0.20 0.18 0.12 1/%d 11206\n' "$4" >"$1/proc/loadavg"
	printf 'box\n' >"$1/proc/sys/kernel/hostname"
	printf '6.1.0\n' >"$1/proc/sys/kernel/osrelease"
}

make_trees() {
	make_tree "$1/0" 0 1000 80
	make_tree "$1/1" 1 1500 81
	make_tree "$1/2" 3 4500 82
}
