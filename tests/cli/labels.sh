#!/usr/bin/env bash
# labels.sh - labels of machines, as push and serve take them
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
make_log average a.blg

# Which names and values are labels: unit/labels.
for engine in clickhouse prometheus otlp postgresql; do
	url=$engine+http://127.0.0.1:9/db
	[ $engine != postgresql ] || url=postgresql://127.0.0.1:9/db
	run push --dry-run --to "$url" a.blg
	case $err in *'was built without'*) continue ;; esac
	status 0
	plain=$out
	run push --dry-run --label site=berlin --to "$url" a.blg
	status 0
	# Keys of series are others; in the text of Prometheus the label itself is seen.
	[ "$out" != "$plain" ] && ok || bad "the label is not used"
	for label in site site= machine=a __a=b; do
		run push --dry-run --label "$label" --to "$url" a.blg
		status 2
		err_has "${label%%=*}"
	done
	run push --label a=1 --label a=2 --to "$url" --retry 1ms a.blg
	status 2
	err_says twice
done

run push --dry-run --label zone=z --label a=1 --label 'o="\' --to prometheus+http://127.0.0.1:9 a.blg
case $err in *'was built without'*) skip 'no Prometheus' ;; esac
status 0
# Sorted by name among the others, as remote write wants them; in descriptions too.
grep -q '^pmon_[^{]*{a="1",\(index="[0-9]*",\)\?\(instance="[^"]*",\)\?machine="[^"]*",o="\\"\\\\",object="[^"]*",zone="z"}' \
	<<<"$out" && ok || bad "$out"
grep -q '^pmon_described_timestamp_seconds{a="1",counter=.*,type="[^"]*",zone="z"}' <<<"$out" && ok || bad "$out"

run serve --metrics --label machine=a a.blg
case $err in
*'was built without'*) ok ;;
*) status 2 && err_says machine ;;
esac
finish
