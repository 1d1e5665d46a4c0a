#!/usr/bin/env bash
# manual.sh - the manual page of each verb has what its help has
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

mkdir pages
run __manual pages
status 0
out_is ''
run help
out_lacks __manual

# Each option, summary and example of the help is in the page, in which roff escapes some characters.
report=$(python3 - "$PMON_BIN" 2>&1 <<'END'
import glob, re, subprocess, sys

def pmon(*words):
    return subprocess.run([sys.argv[1], *words], capture_output=True, text=True, check=True).stdout

ESCAPES = {"\\e": "\\", "\\-": "-", "\\(aq": "'", "\\(ga": "`", "\\(ha": "^", "\\(ti": "~", "\\&": "", "\\fB": "", "\\fI": "", "\\fP": ""}
verbs = re.findall(r"^  ([a-z]+)  ", pmon("help").split("Verbs:")[1].split("Examples:")[0], re.M)
pages = {re.search(r"pmon-(\w+)\.1$", name).group(1): open(name, encoding="utf-8").read() for name in glob.glob("pages/*")}
assert sorted(pages) == sorted(verbs), sorted(pages)
for verb in verbs:
    page = re.sub(r"\\\(..|\\f.|\\.", lambda m: ESCAPES[m.group()], pages[verb].partition("\n")[2])
    usage, _, rest = pmon(verb, "--help").partition("\n\n")
    options = re.findall(r"^  (-\S+(?:, -\S+)?)", rest.partition("\n\nExamples:")[0], re.M)
    details = rest.partition("\n\nOptions:\n")[2].partition("\n\n")[2]
    for text in options + [line.strip() for line in details.splitlines() if line.strip() and line != "Examples:"]:
        assert text in page, "%s: %s is missing" % (verb, text)
END
) && ok || bad "$report"

if command -v groff >/dev/null; then
	ran='groff -man'
	same 'warnings' "$(groff -man -ww -z pages/*.1 2>&1)" ''
fi

run __manual nowhere
status 1
err_says nowhere
run __manual
status 2

finish
