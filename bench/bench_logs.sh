#!/usr/bin/env bash
# bench_logs.sh - statistics over big logs, beside other programs: bench_logs.sh BUILD [OPTION...]
# SPDX-License-Identifier: MIT
set -euo pipefail

exec "$(dirname "$0")/suite.py" --build "$@"
