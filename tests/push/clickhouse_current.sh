#!/usr/bin/env bash
# clickhouse_current.sh - the same rows and the same SQL in a current ClickHouse (npm's chdb)
# SPDX-License-Identifier: MIT
# shellcheck source=tests/push/lib_push.sh
. "$PMON_SOURCE_DIR/tests/push/lib_push.sh"

need python3
start_current now || skip "$why"

python3 "$PMON_SOURCE_DIR/tests/push/make_odd.py" 5 200 odd.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" 3 120 processes.jsonl || exit 1
python3 "$PMON_SOURCE_DIR/tests/push/make_processes.py" --sampled 3 120 sampled.jsonl || exit 1
files=(odd.jsonl processes.jsonl sampled.jsonl)
[ -r "${PMON_TEST_DATA:-}/blg/pal-SampleLog.blg" ] &&
	files+=("$PMON_TEST_DATA"/blg/{pal-SampleLog,pwsh-CounterSamples}.blg "$PMON_TEST_DATA"/pdh-text/wfjsg_test_sjis.csv)
n=0
for file in "${files[@]}"; do
	n=$((n + 1))
	for again in 1 2; do
		run push --batch 3000 --to "clickhouse+http://127.0.0.1:${ports[now]}/file$n" "$file"
		status 0
	done
	compare_ch now "file$n" "$file"
done

# The tables of an older pmon get the codecs, which change no value.
codecs() { ch now "SELECT groupArray(name), any(compression_codec) FROM system.columns
	WHERE database = 'file1' AND table = 'pmon_raw' AND compression_codec <> ''"; }
same "codecs" "$(codecs)" "['time','raw_time','first','second']"$'\t'"CODEC(Delta(8), T64, ZSTD(1))"
for column in time raw_time first second; do
	ch now "ALTER TABLE file1.pmon_raw MODIFY COLUMN $column REMOVE CODEC"
done
ch now "OPTIMIZE TABLE file1.pmon_raw FINAL"
ch now "DROP TABLE file1.pmon_version"
run push --batch 3000 --to "clickhouse+http://127.0.0.1:${ports[now]}/file1" odd.jsonl
status 0
same "codecs" "$(codecs)" "['time','raw_time','first','second']"$'\t'"CODEC(Delta(8), T64, ZSTD(1))"
ch now "OPTIMIZE TABLE file1.pmon_raw FINAL"
compare_ch now file1 odd.jsonl

# A server that was older than 23.1 when the tables were made: the next push makes what it lacks.
for view in pmon_pair_in pmon_displayed_in pmon_average_in pmon_group_average_in; do
	ch now "DROP TABLE file1.$view"
done
run push --batch 3000 --to "clickhouse+http://127.0.0.1:${ports[now]}/file1" odd.jsonl
status 0
same "views of time ranges" \
	"$(ch now "SELECT count() FROM system.tables WHERE database = 'file1' AND name LIKE '%\\_in'")" 4
compare_ch now file1 odd.jsonl

ch now "INSERT INTO file1.pmon_group SELECT 'rates', key FROM file1.pmon_series WHERE counter = 'Rate'" >/dev/null
same "group" "$(ch now "SELECT count() FROM file1.pmon_group_average WHERE pairs > 100")" \
	"$(ch now "SELECT uniq(time_base) FROM file1.pmon_series WHERE counter = 'Rate'")"

finish
