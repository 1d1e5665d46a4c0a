# examples.py - the examples in the public headers compile as they stand, and run
# SPDX-License-Identifier: MIT
#
#	examples.py extract PROGRAM.c     write them as one program
#	examples.py run PROGRAM           run it
#
# An example is a block of comment lines that begin with "//" and a tab. Each becomes a function of one program,
# which has what the text around an example speaks of: a log, a place for errors, a window of time. Those of push.h
# are compiled and not run, as they need an engine.

import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = os.path.join(SOURCE, "include", "pmon")

PRELUDE = """
#include <pmon/pmon.h>
#include <stdio.h>
#include <stdlib.h>

void print_notice(void *ctx, const struct pmon_notice *notice);
void print_notice(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	fprintf(stderr, "%s\\n", notice->text);
}

enum pmon_status push_one(const char *log, struct pmon_push_options *options);
enum pmon_status push_one(const char *log, struct pmon_push_options *options)
{
	(void)log, (void)options;
	return PMON_OK;
}

static struct pmon_source *source;
static struct pmon_select *select;
static struct pmon_sink *sink;
static const struct pmon_sample *sample;
static const struct pmon_value *values;
static const pmon_time from = INT64_C(134396532000000000), to = INT64_C(134396604000000000); // two hours
static const char *url = "clickhouse+http://127.0.0.1:9/perf";
static const char *logs[] = {"server.blg"};
static const size_t n_logs = 1;
"""

FUNCTION = """
static enum pmon_status example_%d(void)
{
	enum pmon_status status = PMON_OK;
	struct pmon_err err = {.status = PMON_OK};

	(void)url, (void)logs, (void)n_logs, (void)from, (void)to, (void)values, (void)sample, (void)sink, (void)err;
	(void)push_one;
	{
#line %d "%s"
%s
	}
	return status;
}
"""

MAIN = """
int main(void)
{
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	if (pmon_select_new(NULL, &select, &err) != PMON_OK ||
	    pmon_select_add(select, PMON_SPAN("\\\\Process(*)\\\\%% Processor Time"), &err) != PMON_OK)
		return 1;
%s
	pmon_select_free(select);
	return 0;
}
"""

CALL = """
	if (pmon_log_open("server.blg", NULL, &source, &err) != PMON_OK)
		return 1;
	status = example_%d();
	printf("%s:%d: %%s\\n", pmon_status_text(status));
	if (status != PMON_OK && status != PMON_END)
		return 1;
"""


def examples():
    for name in sorted(os.listdir(HEADERS)):
        with open(os.path.join(HEADERS, name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        block, first = [], 0
        for number, line in enumerate(lines + ["end"], 1):
            inside = line.startswith("//\t") or (block and line == "//" and number < len(lines) and
                                                 lines[number].startswith("//\t"))
            if inside:
                first = first if block else number
                block.append(line[2:])
            elif block:
                yield name, first, "\n".join(block)
                block = []


def extract(program):
    functions, calls = "", ""
    for i, (name, line, text) in enumerate(examples()):
        functions += FUNCTION % (i, line, name, text)
        calls += CALL % (i, name, line) if name != "push.h" else "\t(void)example_%d;\n" % i
    with open(program, "w", encoding="utf-8") as file:
        file.write(PRELUDE + functions + MAIN % calls)


def run(program):
    """In a folder with the log that the examples read: that of the tutorial"""
    with tempfile.TemporaryDirectory() as folder:
        slow = subprocess.run([sys.executable, os.path.join(SOURCE, "share", "examples", "slow-server")],
                              check=True, stdout=subprocess.PIPE).stdout
        subprocess.run([os.environ["PMON_BIN"], "relog", "-", "-o", "server.blg"], input=slow, cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        child = subprocess.run([program], cwd=folder, text=True, stdout=subprocess.PIPE)
    print(child.stdout, end="")
    ran = len(re.findall(r"^\w+\.h:\d+: ", child.stdout, re.M))
    wanted = sum(name != "push.h" for name, _, _ in examples())
    print("%d of %d examples ran" % (ran, wanted))
    # counter.h says what it prints: 2147727 / 14318180 = 0.15 s
    good = child.returncode == 0 and ran == wanted and wanted >= 8 and "0.15\n0.15\n" in child.stdout
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(extract(sys.argv[2]) if sys.argv[1] == "extract" else run(sys.argv[2]))
