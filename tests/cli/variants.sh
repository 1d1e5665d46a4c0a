#!/usr/bin/env bash
# variants.sh - some of the variants of a log that oracle/variants reads
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3
same 'logs that differ' "$(python3 "$PMON_SOURCE_DIR/tests/oracle/test_variants.py" 40)" \
	'40 variants, 0 of them not read as the clean log'
finish
