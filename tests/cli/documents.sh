#!/usr/bin/env bash
# documents.sh - every command that README and the documents show runs, and prints what is shown
# SPDX-License-Identifier: MIT
#
# tests/cli/run_documents.py has the rules. The documents find these logs in their folder:
#	server.blg monday.blg   one slow read, then idle (make_log.c)
#	web01.blg tuesday.blg   the log of the tutorial, and logs.txt, which names all four
#	SampleLog.blg           a real log, where PMON_TEST_DATA has it
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"
need python3

mkdir logs bin
ln -s "$PMON_BIN" bin/pmon
export PATH=$PWD/bin:$PATH
make_log average logs/server.blg
cp logs/server.blg logs/monday.blg
"$PMON_SOURCE_DIR/share/examples/slow-server" | pmon relog - -o logs/web01.blg >relog.txt ||
	bad "no log for the tutorial: $(cat relog.txt)"
cp logs/web01.blg logs/tuesday.blg
printf '%s.blg\n' server monday web01 tuesday >logs/logs.txt
for log in "${PMON_TEST_DATA:-/nowhere}"/blg/*SampleLog.blg; do
	[ ! -r "$log" ] || cp "$log" logs/SampleLog.blg
done

ran=run_documents.py
report=$(python3 "$PMON_SOURCE_DIR/tests/cli/run_documents.py" "$PMON_SOURCE_DIR" logs 2>&1) && ok ||
	bad "$report"
echo "$report"

finish
