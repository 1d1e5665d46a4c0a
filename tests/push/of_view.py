#!/usr/bin/env python3
# of_view.py - the query of a view with parameters, as text for servers that do not have such views
# SPDX-License-Identifier: MIT
#
#	of_view.py DRY_RUN NAME FROM TO
#
# DRY_RUN is what pmon push --dry-run prints; times are from 1970 in 100 ns; the query is of all series.

import re
import sys


def main():
    name, first, last = sys.argv[2:]
    with open(sys.argv[1], encoding="utf-8") as file:
        text = re.search(rf"CREATE VIEW IF NOT EXISTS \w+\.{name} AS\n(.*?);\n\n", file.read(), re.S)[1]
    for parameter, value in (("time_from", first), ("time_to", last)):
        text, n = re.subn(rf"intDiv\(toUnixTimestamp64Nano\(\{{{parameter}:[^}}]*\}}\), 100\)", f"toInt64({value})", text)
        assert n > 0
    text, n = re.subn(r"path ILIKE (replaceAll\(){4}.*?'\*', '%'\)", "path LIKE '%'", text, flags=re.S)
    assert n > 0 and "{" not in text
    print(text)


main()
