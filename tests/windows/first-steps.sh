#!/usr/bin/env bash
# first-steps.sh - the first five minutes of a user of Windows, under Wine: first-steps.sh ZIP LOG
# SPDX-License-Identifier: MIT
#
# Called by tools/windows. WINE is the command, WINEPREFIX its folder. The log is that of the tutorial, of WEB01; what is expected
# of it is what docs/tutorial.md shows, or a count of the lines that were written.
set -euo pipefail
export LC_ALL=C.UTF-8
# shellcheck source=tests/windows/lib_view.sh
. "$(dirname "$0")/lib_view.sh"

zip=$(realpath "$1")
log=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
good=0
bad=0

# step WANT COMMAND LINE: a line as cmd.exe reads it; its output has this text
step() {
	printf '%s\r\n' "$2" >step.cmd
	words "$1" cmd /c step.cmd
}

# words WANT PROGRAM WORD...: the same without cmd.exe, which reads files in a code page
words() {
	local want=$1

	shift
	"$WINE" "$@" >out 2>&1 </dev/null || true
	if grep -F -e "$want" out >/dev/null; then
		good=$((good + 1))
	else
		bad=$((bad + 1))
		printf 'bad: %s: there is no "%s" in:\n' "$*" "$want"
		sed 's/^/\t/' out | tail -n 12
	fi
}

# file WANT NAME: a file has this text
file() {
	if grep -a -F -e "$1" "$2" >/dev/null; then
		good=$((good + 1))
	else
		bad=$((bad + 1))
		echo "bad: there is no \"$1\" in $2"
	fi
}

cd "$folder"
unzip -q "$zip"
mv pmon-*-windows pmon
cp "$log" server.blg
mkdir -p "Perf Logs/Größe 日本"
cp server.blg "Perf Logs/Größe 日本/Überlast.blg"
long=$(printf 'folder-%020d/' 1 2 3 4 5 6 7 8 9 10 11 12)
mkdir -p "$long"
cp server.blg "$long/long.blg"
windows=$("$WINE" winepath -w "$folder" 2>/dev/null || echo "Z:${folder//\//\\}")
windows=${windows%$'\r'}

step 'pmon 0.' 'pmon\pmon.exe --version'
step 'samples' 'pmon\pmon.exe server.blg'
words 'samples' 'pmon\pmon.exe' "$windows\\Perf Logs\\Größe 日本\\Überlast.blg"
step 'samples' "pmon\\pmon.exe ${long//\//\\}long.blg"
step 'Average' 'pmon\pmon.exe stats -c "\Processor(_Total)\*" .\server.blg'
words '\Processor(_Total)' 'pmon\pmon.exe' relog 'Perf Logs\Größe 日本\*.blg' -q
step 'no such file' 'pmon\pmon.exe C:\nothing\there.blg'
step '' 'pmon\pmon.exe report server.blg -o "Perf Logs\page.html"'
file '</html>' 'Perf Logs/page.html'
step '' 'pmon\pmon.exe report server.blg'
step 'Samples:' 'pmon\pmon.exe relog server.blg -f CSV -o "Perf Logs\out.csv" -y'
file '"(PDH-CSV 4.0)' 'Perf Logs/out.csv'
step 'Samples:' 'pmon\pmon.exe relog "Perf Logs\out.csv" /f BIN /o "Perf Logs\back.blg" /y'
step 'samples' 'pmon\pmon.exe "Perf Logs\back.blg"'
step 'Samples:' 'pmon\pmon.exe relog server.blg -f CSV -o NUL'
step 'already exists' 'pmon\pmon.exe relog server.blg -f CSV -o "Perf Logs\out.csv"'
words 'Samples:' 'pmon\pmon.exe' relog server.blg -f CSV -o "$windows\\Perf Logs\\Größe 日本\\out.csv" -y
file '"(PDH-CSV 4.0)' 'Perf Logs/Größe 日本/out.csv'
step '' 'pmon\pmon.exe chart server.blg -o "Perf Logs\disks.svg" -c "\PhysicalDisk(*)\*" -y'
file '</svg>' 'Perf Logs/disks.svg'
file 'class="series"' 'Perf Logs/disks.svg'
step '' 'pmon\pmon.exe chart server.blg -o disks.png -c "\PhysicalDisk(*)\*"'
file 'IHDR' disks.png
step '' 'pmon\pmon.exe chart server.blg -o disks.pdf -c "\PhysicalDisk(*)\*"'
file '%%EOF' disks.pdf
file 'class="series"' 'Perf Logs/page.html'
step 'Samples:' 'pmon\pmon.exe relog server.blg -f SQL -o "Perf Logs\out.db" -y'
step 'samples' 'pmon\pmon.exe "Perf Logs\out.db"'
step 'Samples:' 'pmon\pmon.exe relog server.blg -f JSONL -o out.jsonl -y'
step 'samples' 'pmon\pmon.exe out.jsonl'
zstd -q server.blg -o packed.blg.zst
step 'samples' 'pmon\pmon.exe packed.blg.zst'

# Its answers come over a socket of Windows, to a browser that has the secret, and to no other.
begin_view 'pmon\pmon.exe' server.blg
answer got
file '<html' got
answer got api/log
file '"samples":481' got
answer got 'api/export?ids=1&format=csv'
file 'Processor Queue Length' got
secret=
answer got api/log
file 'error' got
end_view

# An alert goes to a server: its port, then what it got.
python3 - >hook 2>hook.log <<-'end' &
	from http.server import BaseHTTPRequestHandler, HTTPServer

	class Hook(BaseHTTPRequestHandler):
	    def do_POST(self):
	        print(self.rfile.read(int(self.headers["Content-Length"])).decode(), flush=True)
	        self.send_response(204)
	        self.end_headers()

	server = HTTPServer(("127.0.0.1", 0), Hook)
	print(server.server_port, flush=True)
	server.serve_forever()
end
hook=$!
for ((i = 0; i < 100; i++)); do
	[ -s hook ] && break
	sleep 0.1
done
words 'is open' 'pmon\pmon.exe' watch '\Processor(_Total)\% Processor Time > 5' server.blg \
	--webhook "http://127.0.0.1:$(head -n 1 hook)/"
file '"event":"begin"' hook
file '"event":"open"' hook
kill "$hook"
wait "$hook" || true

# The commands that docs/platforms.md begins with, as they are there.
cp pmon/pmon.exe .
while IFS= read -r line; do
	step '' "$line"
done < <(tr -d '\r' <pmon/docs/platforms.md | grep '^pmon.exe ' | head -n 3)
file '</html>' report.html
file '"(PDH-CSV 4.0)' out.csv

step '\Processor(_Total)' 'pmon\pmon.exe relog -q server.blg'
cp pmon/pmon.exe Relog.EXE
step '\Processor(_Total)' 'Relog.EXE server.blg -q'
step 'Windows offers no performance objects here' 'pmon\pmon.exe typeperf "\Processor(_Total)\%% Processor Time" -sc 1'
[ -z "$(find . -name '*.tmp')" ] || {
	bad=$((bad + 1))
	echo "bad: temporary files were left"
}
echo "$good of $((good + bad)) steps good"
[ "$bad" -eq 0 ]
