# lib_view.sh - a browser that talks to pmon view under Wine; to be sourced
# SPDX-License-Identifier: MIT
#
#	begin_view PMON.EXE [ARGUMENT...]    starts it and waits until it serves
#	answer FILE [PATH [WORD...]]         what it answers; without a path, the page
#	end_view
#
# The key of the address is exchanged for a secret, which is in $secret. WORDs are for curl.

begin_view() {
	"$WINE" "$1" view "${@:2}" --no-browser >address 2>view.log </dev/null &
	view=$!
	for _ in $(seq 300); do
		grep -q -s '^http' address && break
		sleep 0.1
	done
	url=$(tr -d '\r' <address | head -n 1)
	secret=$(curl -s --max-time 20 -X POST -H "Authorization: Bearer ${url##*=}" "${url%%\?*}api/enter" |
		sed 's/.*"secret":"\([0-9a-f]*\)".*/\1/')
}

answer() {
	local at=$url

	: >"$1"
	[ $# -lt 2 ] || at=${url%%\?*}$2
	curl -s --max-time 20 -H "Authorization: Bearer $secret" -o "$1" "${@:3}" "$at" || true
}

end_view() {
	kill "$view"
	wait "$view" || true
}
