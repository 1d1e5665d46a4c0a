#!/usr/bin/env bash
# faults_servers.sh - servers, and what is sent to engines, while the n-th call for memory or to the system fails
# SPDX-License-Identifier: MIT
# shellcheck source=tests/fault/lib_faults.sh
. "$PMON_SOURCE_DIR/tests/fault/lib_faults.sh" || exit 1

# ---- Servers: one question, and the end --------------------------------------------------------------

# Right is the whole answer, or a refusal that the client sees: status 5xx, an answer that is cut, no connection, a set
# of samples that is marked as failed or damaged.
rests=0
serving='read pread write open close mmap send receive socket'
if command -v python3 >/dev/null 2>&1; then
	export FAULT_CLIENT="python3 -S '$PMON_SOURCE_DIR/tests/fault/client.py' \"\$@\""
	for path in 'export?ids=0,1&format=csv' 'export?ids=0&format=json' 'data?ids=0,1&columns=10' log tree 'tree?q=req' \
		'tree?machine=SERVER&object=Web&limit=1' 'select?pattern=%5CWeb(*)%5C*' 'first?max=3' 'series?ids=0,1' 'matching?ids=1' \
		'explain?id=0' 'marks?ids=0,1' findings; do
		FAULT_CLIENT+=" '/api/$path'"
	done
	if env LD_PRELOAD="$faults" FAULT_FOLDER="$tmp" FAULT_CALL=truncate FAULT_OUTPUT=answers "$PMON_BIN" view --no-browser b.blg >/dev/null 2>&1 && [ -s answers ]; then
		try memory 5 answers view --no-browser b.blg
		try memory 5 answers view --no-browser --no-sandbox b.csv
		try "$serving" 3 answers view --no-browser b.blg
		FAULT_CLIENT=${FAULT_CLIENT%%"'/api"*}/metrics
		"$PMON_BIN" relog b.blg -f bin -t 100 -o one.blg >/dev/null 2>&1 # nothing that changes as time passes
		try memory 5 answers serve --metrics one.blg
		try "$serving" 3 answers serve --metrics one.blg
	fi
	unset FAULT_CLIENT

	# Right is that all of it came to the engine, if push ends with status 0. What was sent twice counts once there.
	port=$("$PMON_SOURCE_DIR/tests/push/free_port.py")
	python3 "$PMON_SOURCE_DIR/tests/fault/receiver.py" "$port" received >/dev/null 2>&1 &
	receiver=$!
	trap 'kill $receiver; rm -rf "$tmp"' EXIT
	listens() { (exec 3<>"/dev/tcp/127.0.0.1/$port"); }
	wait_for listens
	export FAULT_BEFORE='rm -rf pushed' FAULT_PRINTS=times
	live=1
	for url in postgresql://127.0.0.1:$port/perf clickhouse+http://127.0.0.1:$port/perf prometheus+http://127.0.0.1:$port \
		otlp+http://127.0.0.1:$port; do
		"$PMON_BIN" push --dry-run --to "$url" b.blg >/dev/null 2>&1 || continue
		try memory 5 received push --retry 1s --state-dir pushed --to "$url" b.blg
		try 'read pread write open close mmap fsync rename send receive socket' 3 received \
			push --retry 1s --state-dir pushed --to "$url" b.blg
	done
	# In two libraries more of them: Snappy cannot report that memory is short: it throws, or ends the program with what
	# shell/process/memory.c does then. libpq waits for more of an answer for which it had no memory, though all of it has come.
	for library in snappy:prometheus+http://127.0.0.1:$port pq:postgresql://127.0.0.1:$port/perf; do
		"$PMON_BIN" push --dry-run --to "${library#*:}" b.blg >/dev/null 2>&1 || continue
		FAULT_IN=lib${library%%:*}. try memory 12 received push --retry 1s --state-dir pushed --to "${library#*:}" b.blg
	done
	live=
	unset FAULT_BEFORE FAULT_PRINTS
fi

finish
