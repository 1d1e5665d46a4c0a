// relog.c - pmon relog: logs into logs, by the command lines that people have for Windows' relog
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "cli/args/groups.h"
#include "cli/args/help.h"
#include "cli/args/names.h"
#include "cli/args/verb.h"
#include "cli/compat/relog.h"
#include "cli/output/ask.h"
#include "cli/output/say.h"
#include "cli/process/sandbox.h"
#include "os/dir.h"

static const struct option options[] = {
	GROUP(options_select),
	OPTION(TEXT, "-f", NULL, "FORMAT",
	       "BIN (default), CSV, TSV, SQL (an SQLite database), JSONL or OPENMETRICS"),
	OPTION(TEXT, "-t", NULL, "N", "every N-th sample"),
	OPTION_INTO(TEXT, output, ANY, "-o", NULL, "FILE",
		    "write this file; a directory gets one file per input, - is standard output"),
	OPTION_INTO(TIME, from, ANY, "-b", NULL, "TIME",
		    "begin here: 11/26/2016 1:46:40 PM, or as --from takes it"),
	OPTION_INTO(TIME, to, ANY, "-e", NULL, "TIME", "end here"),
	OPTION(FLAG, "-a", NULL, NULL, "append to the existing output; times are in its zone"),
	OPTION(SETTINGS, "-config", NULL, "FILE",
	       "read settings: [o], [f], [c] ... with their values, or -f csv ...; [i] is the "
	       "input"),
	OPTION(FLAG, "-q", NULL, NULL,
	       "list the counters and the times; with -o write the list to that file"),
	OPTION_INTO(FLAG, help, ANY, "-?", "--help", NULL, "this help"),
	OPTION(TEXT, "--step", NULL, "LENGTH",
	       "one sample per interval such as 5m or 1h, averaged exactly by counter type"),
	GROUP(options_window),
	OPTION(FLAG, "--merge", NULL, NULL, "write one output even if -o is a directory"),
	OPTION(TEXT, "--digits", NULL, "N",
	       "significant digits in text; 17 by default, 20 as Windows since 2024"),
	GROUP(options_policy),
	OPTION(FLAG, "--dry-run", NULL, NULL, "print what would be written"),
	GROUP(options_file),
	GROUP(options_read),
	GROUP(options_no_sandbox),
	OPTION_END,
};

// ---- The command line -----------------------------------------------------------------------

static int
take_input(struct args *args, const char *word)
{
	return names_take_matching(&args->operands, &args->texts, word);
}

static int
set_step(struct relog *r)
{
	const char *value = args_text(&r->args, "--step");

	if (value == NULL ||
	    (pmon_time_parse_span((struct pmon_span){value, strlen(value)}, &r->step_100ns) &&
	     r->step_100ns > 0))
		return EXIT_DONE;
	return say(EXIT_USAGE, "relog: --step takes an interval such as 5m, not \"%s\"", value);
}

static int
take_options(struct relog *r)
{
	const struct args *args = &r->args;
	int status = words_number(args, "-t", 1, UINT32_MAX, &r->every);

	r->format = words_format(args, "blg");
	r->append = args_flag(args, "-a");
	r->query = args_flag(args, "-q");
	r->merge = args_flag(args, "--merge");
	r->dry_run = args_flag(args, "--dry-run");
	if (status == EXIT_DONE)
		status = words_number(args, "--digits", 1, 21, &r->digits);
	if (status == EXIT_DONE)
		status = set_step(r);
	return r->format != NULL ? status : EXIT_USAGE;
}

// ---- One output, or one for each input ------------------------------------------------------

// DIR/NAME.SUFFIX for an input, whose own suffix goes.
static char *
output_in(const struct relog *r, const char *name)
{
	const char *base = pmon_os_name(name);
	const char *dot = strrchr(base, '.');
	size_t stem = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
	size_t size = strlen(r->args.output) + stem + 32;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s%s%.*s.%s", r->args.output,
			       r->args.output[strlen(r->args.output) - 1] == '/' ? "" : "/",
			       (int)stem, base, r->format->endings[0]);
	return path;
}

static int
convert_to(struct relog *r, const char *name)
{
	char *path = output_in(r, name);
	int status = path != NULL ? relog_convert(r, path) : say(EXIT_FAILED, "not enough memory");

	free(path);
	return status;
}

static int
convert_each(struct relog *r)
{
	struct words inputs = r->args.operands;
	int worst = EXIT_DONE;

	for (size_t i = 0; i < inputs.n; i++) {
		int status;

		r->args.operands = (struct words){&inputs.list[i], 1, 1};
		status = convert_to(r, inputs.list[i]);
		if (worst == EXIT_DONE || (status != EXIT_DONE && status < worst))
			worst = status;
	}
	r->args.operands = inputs;
	return worst;
}

static int
run_query(struct relog *r)
{
	struct logs logs;
	int status;

	r->args.series_bytes = RELOG_SERIES_BYTES;
	status = logs_open(&logs, &r->args);
	if (status == EXIT_DONE)
		status = relog_query(r, &logs);
	return logs_close(&logs, status);
}

static int
run(struct relog *r)
{
	if (r->args.operands.n == 0)
		return say(EXIT_USAGE, "relog: name a log file; see pmon relog -?");
	if (!r->args.no_sandbox)
		sandbox_enter(&r->args, r->args.output);
	if (r->query)
		return run_query(r);
	if (r->args.output == NULL)
		return say(EXIT_USAGE,
			   "relog: name the output with -o, or list the counters with -q");
	if (words_check_output(&r->args) != EXIT_DONE)
		return EXIT_USAGE;
	if (r->append && r->step_100ns != 0)
		return say(EXIT_USAGE, "relog: -a and --step cannot be combined: the old samples "
				       "would be resampled too");
	if (relog_is_directory(r->args.output) && r->append)
		return say(EXIT_USAGE, "relog: -a needs one output file, and %s is a directory",
			   r->args.output);
	if (!relog_is_directory(r->args.output)) {
		const char *path = words_output(r->reader, r->format, r->args.output);

		return path != NULL ? relog_convert(r, path) : EXIT_FAILED;
	}
	if (r->merge)
		return convert_to(r, "merged");
	return convert_each(r);
}

static int
run_words(const struct verb *verb, int n, char *const *words)
{
	struct relog r = {.every = 0};
	struct words_reader reader = {.args = &r.args, .operand = take_input, .input = "i"};
	int status = args_begin(&r.args, verb);

	r.reader = &reader;
	if (status == EXIT_DONE)
		status = words_read(&reader, n, words);
	if (status == EXIT_DONE && r.args.help)
		status = help_print(verb);
	else if (status == EXIT_DONE && (status = take_options(&r)) == EXIT_DONE)
		status = run(&r);
	words_free(&reader);
	args_free(&r.args);
	return status;
}

const struct verb verb_relog = {
	.name = "relog",
	.operands = "FILE...",
	.summary = "logs into logs, by the command lines of Windows' relog",
	.details = "Options may be in any case and begin with /, as in Windows' relog. -c takes\n"
		   "several patterns. With -a, -y also appends the counters of another machine.\n\n"
		   "Examples:\n"
		   "  pmon relog server.blg -f csv -o server.csv\n"
		   "  pmon relog mon.blg tue.blg -c '\\PhysicalDisk(*)\\*' -o disks.blg -y\n"
		   "  pmon relog server.blg --step 5m -f csv -o - | head\n",
	.options = options,
	.run_words = run_words,
};
