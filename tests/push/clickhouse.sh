#!/usr/bin/env bash
# clickhouse.sh - logs in ClickHouse: what is stored, stored once, and told
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need_clickhouse
make_log average a.blg
start_clickhouse one
url=clickhouse+http://127.0.0.1:${ports[one]}/perf
values=$("$PMON_BIN" raw --format json a.blg | wc -l)

run push --to "$url" a.blg
status 0
out_has "a.blg: $values values of"
same "values in the table" "$(ch one 'SELECT count() FROM perf.pmon_raw')" "$values"

# The same again counts once, and is not sent.
run push --to "$url" a.blg
status 0
out_has "0 values of"
out_has "$values were there"
ch one 'OPTIMIZE TABLE perf.pmon_raw FINAL' >/dev/null
same "values in the table" "$(ch one 'SELECT count() FROM perf.pmon_raw')" "$values"

finish
