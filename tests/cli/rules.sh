#!/usr/bin/env bash
# rules.sh - recording rules and the metrics endpoint: effects of the options, and reported errors
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh"

make_log average server.blg

# A rate, and an average of operations, which is 0 where nothing happened.
run rules server.blg
status 0
out_has 'groups:'
out_has '  - name: "pmon PhysicalDisk"'
out_has '      - record: instance:pmon_physicaldisk_disk_reads:average5m'
out_has "expr: '(irate(pmon_physicaldisk_disk_reads_total[5m]) and pmon_physicaldisk_disk_reads_total) / ((irate(pmon_physicaldisk_disk_reads_base_seconds_total[5m]) and pmon_physicaldisk_disk_reads_base_seconds_total) > 0)'"
out_has 'or 0 * ((irate(pmon_physicaldisk_disk_per_read_seconds_intervals_total[5m]) and pmon_physicaldisk_disk_per_read_seconds_intervals_total) > 0)'
out_has 'sum without (machine, object) ('
out_has 'sum without (index, instance, object, parent, twin) ('

run rules --window 90s server.blg
status 0
out_has ':average90s'
run rules --window 2h -c '\PhysicalDisk(*)\Disk Reads/sec' server.blg
status 0
out_has ':average2h'
same 'counters that were asked for' "$(grep -c '# ' <<<"$out")" 1

run rules --window nothing server.blg
status 2
run rules nowhere.blg
status 1

run serve
status 2
err_has '--metrics'
run serve --metrics --speed 2
status 2
err_has 'needs a log file to play back'
run serve --metrics --speed 0 server.blg
status 2
run serve --metrics --listen 127.0.0.1:1 --port 2
status 2
run serve --metrics --listen 127.0.0.1:99999
status 2
run serve --metrics --listen nowhere
status 2

finish
