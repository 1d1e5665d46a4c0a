#!/usr/bin/env bash
# documents.sh - every command that README and the documents show runs, and prints what is shown
# SPDX-License-Identifier: MIT
#
# tests/cli/run_documents.py has the rules. The documents find in their folder what share/examples/logs writes there,
# which they tell their readers to run, and:
#	SampleLog.blg           a real log, where PMON_TEST_DATA has it
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

mkdir logs bin
ln -s "$PMON_BIN" bin/pmon
export PATH=$PWD/bin:$PATH LC_ALL=C.UTF-8 # in which the first screen draws
export LD_LIBRARY_PATH=${PMON_BIN%/*}     # of `.load pmon`
ran=share/examples/logs # as a reader gets them
(cd logs && "$PMON_SOURCE_DIR/share/examples/logs") 2>logs.err && ok || bad "no logs: $(cat logs.err)"
for log in "${PMON_TEST_DATA:-/nowhere}"/blg/*SampleLog.blg; do
	[ ! -r "$log" ] || cp "$log" logs/SampleLog.blg
done

ran=run_documents.py
report=$(python3 "$PMON_SOURCE_DIR/tests/cli/run_documents.py" "$PMON_SOURCE_DIR" logs 2>&1) && ok ||
	bad "$report"
echo "$report"

# A document with an option that does not exist, an output that is not printed and a program that the
# test does not know: three problems in five commands.
mkdir wrong
cat >wrong/README.md <<'DOCUMENT'
```sh
pmon stats --were 'average>1' server.blg
pmon list server.blg
shutdown now
```

```console
$ pmon list -q server.blg
\Memory\Free MBytes
...
```

<!-- not run: needs a server -->
```sh
pmon push --to postgresql://db/perf server.blg
```

```console
$ pmon list -q server.blg
...
\Memory\Available MBytes
```
DOCUMENT
ran='run_documents.py of a wrong document'
report=$(python3 "$PMON_SOURCE_DIR/tests/cli/run_documents.py" wrong logs README.md 2>&1) &&
	bad "it finds nothing wrong: $report" || ok
same 'the count' "$(tail -n 1 <<<"$report")" \
	'1 documents, 4 commands ran, 1 marked as not run, 3 problems'

finish
