#!/usr/bin/env bash
# browser.sh - how pmon view opens a browser: by a file that no other user can reach
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1

make_log average a.blg
mkdir bin
# A browser that keeps a copy of what it is given.
cat >bin/xdg-open <<EOF
#!/bin/sh
stat -c '%a %u' "\$(dirname "\$1")" >'$tmp/modes'
cp "\$1" '$tmp/door.html'
printf '%s\n' "\$1" >'$tmp/door.new'
mv '$tmp/door.new' '$tmp/door'
EOF
chmod +x bin/xdg-open
export PATH=$tmp/bin:$PATH
unset DISPLAY WAYLAND_DISPLAY

# view ARGS...: pmon view until it has printed its address, which is in $url then
view() {
	rm -f door url
	ran="pmon view $*"
	"$PMON_BIN" view "$@" >url 2>view.err </dev/null &
	server=$!
	wait_for grep '^http' url
	url=$(cat url)
}

# end: the server ends on SIGTERM
end() {
	kill -TERM "$server"
	wait "$server"
	same 'status at the end' $? 0
}

run view a.blg --port no
status 2
err_says 65535 '"no"'
run view a.blg --port 65536
status 2
err_says 65535 '"65536"'

for display in DISPLAY=:0 WAYLAND_DISPLAY=wayland-0; do
	export "${display?}"
	view a.blg
	if wait_for test -e door; then
		door=$(cat door)
		same 'mode and owner of the folder' "$(cat modes)" "700 $(id -u)"
		grep -qF "content=\"0;url=$url\"" door.html && ok || bad "not to $url: $(cat door.html)"
		case $url in *[?\#]*) ok ;; *) bad "no token in $url" ;; esac
		end
		[ ! -e "$door" ] && [ ! -e "$(dirname "$door")" ] && ok || bad "$door is left"
	else
		bad "no browser: $(cat view.err)"
		end
	fi
	unset "${display%%=*}"
done

# Nothing asked for one, or there is none to ask. A browser would have been started before the server ends, and
# nothing waits for it: it is a process with this PATH.
all_end() { ! env -i grep -qsaF "PATH=$tmp/bin:" /proc/[0-9]*/environ; }
DISPLAY=:0 view a.blg --no-browser
end
wait_for all_end
[ ! -e door ] && ok || bad 'a browser in spite of --no-browser'
DISPLAY='' view a.blg
end
wait_for all_end
[ ! -e door ] && ok || bad 'a browser without a display'

finish
