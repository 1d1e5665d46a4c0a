# lib_top.sh - pmon top in a terminal, which is tmux; to be sourced in place of lib.sh
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

need tmux
grep -qix 'c\.utf-\?8' < <(locale -a 2>/dev/null) || skip 'there is no locale C.UTF-8'
export PMON_BIN TMUX_TMPDIR=$tmp
unset TMUX
server=0
mux() { tmux -u -L "pmon$server" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

# start WIDTH HEIGHT ARGUMENTS...: pmon top in a terminal of this size; when it has ended its status is
# in the file `ended`, and how the terminal was left in `left`.
start() {
	local width=$1 height=$2

	shift 2
	ran="pmon top $*"
	rm -f ended left pid
	printf '%q ' "$PMON_BIN" top "$@" >command
	cat >session <<-'SCRIPT'
		stty -a | tail -n +2 >before
		printf 'BEFORE\n'
		bash -c "echo \$\$ >pid; exec $(cat command)"
		status=$?
		stty -a | tail -n +2 >left
		printf 'AFTER\n'
		echo "$status" >ended
		exec sleep 600
	SCRIPT
	# A server that is about to end takes no session, so each session has its own.
	server=$((server + 1))
	mux new-session -d -x "$width" -y "$height" \
		"env LC_ALL=${ctype:-C.UTF-8} NO_COLOR=${no_color-} bash session"
}

# Clean up: processes that did not end by themselves are terminated.
stop() {
	quits() { [ -s ended ] || { keys q && false; }; }
	wait_for quits && ok || {
		bad 'it does not end'
		kill -KILL "$(cat pid)"
	}
	mux kill-session
}
keys() { mux send-keys "$@"; }
look() { out=$(mux capture-pane -p 2>/dev/null); }

# see TEXT: it comes to the screen, see_no TEXT: it goes. Whatever the screen is to show needs one of them, or
# see_same: at any moment the screen may be half drawn.
see() {
	shows() { look && [[ $out == *"$1"* ]]; }
	wait_for shows "$1"
	out_has "$1"
}
see_no() {
	lacks() { look && [[ $out != *"$1"* ]]; }
	wait_for lacks "$1"
	out_lacks "$1"
}

# see_same WHAT TEXT COMMAND...: what the command prints of the screen, which is in $out, comes to be the text
see_same() {
	is_same() { look && [ "$("${@:2}")" = "$1" ]; }
	wait_for is_same "${@:2}"
	same "$1" "$("${@:3}")" "$2"
}

# fits WIDTH HEIGHT: no line is longer, and the screen has as many
fits() {
	local longest

	look
	longest=$(LC_ALL=C.UTF-8 bash -c 'n=0; while IFS= read -r line; do
		((${#line} <= n)) || n=${#line}; done; echo "$n"' <<<"$out")
	[ "$longest" -le "$1" ] && ok || bad "a line of $longest characters on $1 columns"
	[ "$(wc -l <<<"$out")" -le "$2" ] && ok || bad "more than $2 lines"
	out_lacks $'\x1b'
}

has_ended() {
	wait_for test -s ended
	same 'exit status' "$(cat ended 2>&1)" "$1"
	same 'the terminal is as it was' "$(cat left)" "$(cat before)"
	see 'BEFORE'
	see 'AFTER'
	out_lacks 'help'
	same 'the other screen is left' "$(mux display-message -p '#{alternate_on}')" 0
}
