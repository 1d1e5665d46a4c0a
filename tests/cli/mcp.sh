#!/usr/bin/env bash
# mcp.sh - pmon mcp: a client written from the specification, with hostile messages and paths
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

run mcp
status 2
err_says 'pmon mcp'
run mcp nowhere
status 1
err_says nowhere
run mcp .
if [ "$status" = 1 ] && [[ $err == *jansson* ]]; then
	skip 'without jansson'
fi
status 0
out_is ''

mkdir -p logs/sub
make_incident logs/server.csv
make_log average logs/a.blg
cp logs/server.csv "logs/sub/-n 'x'.csv"
cp logs/a.blg logs/-x.csv # its format is seen from its content
cp logs/a.blg logs/@at.csv
echo 'not a log' >logs/notes.txt
ran='the client'
python3 "$PMON_SOURCE_DIR/tests/cli/mcp_client.py" "$PMON_BIN" "$tmp/logs" server.csv >client.out 2>&1 && ok || bad "$(tail -n 40 client.out)"
finish
