// relog.c - pmon relog: convert logs, with the command lines of Windows' relog
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "shell/args/groups.h"
#include "shell/args/help.h"
#include "shell/args/log_format.h"
#include "shell/args/names.h"
#include "shell/args/verb.h"
#include "verbs/relog/relog.h"
#include "shell/output/ask.h"
#include "shell/output/say.h"
#include "shell/process/keeper.h"
#include "shell/process/sandbox.h"
#include "os/dir.h"

// Options of pmon relog only.
struct relog_options {
	const char *format;
	const char *every;
	bool append;
	bool list;
	const char *step;
	bool merge;
	const char *digits;
	bool dry_run;
	bool no_verify;
};

static const struct option options[] = {
	GROUP(options_select),
	OPTION(TEXT, relog, format, "-f", NULL, "FORMAT",
	       "BIN, CSV, TSV, SQL (an SQLite database), JSONL, JSONL-VALUES, PARQUET, ARROW, "
	       "ARROWS (a stream), "
	       "OPENMETRICS, INFLUX or SQLSERVER; by default according to the extension of -o, "
	       "else "
	       "BIN"),
	OPTION(TEXT, relog, every, "-t", NULL, "N", "write only every N-th sample"),
	OPTION_INTO(TEXT, output, ANY, "-o", NULL, "FILE",
		    "output file; if it is a directory, write one file per input; - is standard "
		    "output"),
	OPTION_INTO(TIME, from, ANY, "-b", NULL, "TIME",
		    "start time: 11/26/2016 1:46:40 PM, or any format of --from"),
	OPTION_INTO(TIME, to, ANY, "-e", NULL, "TIME", "end here"),
	OPTION(FLAG, relog, append, "-a", NULL, NULL,
	       "append to the existing output; times are in its time zone"),
	OPTION_SETTINGS_FILE("-config", NULL, "FILE",
			     "read settings from this file: [o], [f], [c] ... with their values, "
			     "or -f csv ...; [i] is the input"),
	OPTION(FLAG, relog, list, "-q", NULL, NULL,
	       "list the counters and the time range; with -o, write the list to that file"),
	OPTION_INTO(FLAG, help, ANY, "-?", "--help", NULL, "this help"),
	OPTION(TEXT, relog, step, "--step", "--every", "LENGTH",
	       "write one sample per interval, such as 5m or 1h, averaged exactly by counter type"),
	GROUP(options_window),
	OPTION(FLAG, relog, merge, "--merge", NULL, NULL,
	       "merge all inputs into one output, even if -o is a directory"),
	OPTION(TEXT, relog, digits, "--digits", NULL, "N",
	       "significant digits in text logs; 17 by default; 20 matches Windows since 2024"),
	GROUP(options_policy),
	OPTION(FLAG, relog, dry_run, "--dry-run", NULL, NULL, "print what would be written"),
	OPTION(FLAG, relog, no_verify, "--no-verify", NULL, NULL,
	       "do not verify the output by reading it back, which saves time"),
	OPTION_INTO(FLAG, verbose, ANY, "-v", "--verbose", NULL,
		    "print the number of samples used, and whether the output was verified"),
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
	const char *value = OWN_OPTIONS(relog, r->args)->step;

	if (value == NULL ||
	    (pmon_time_parse_span((struct pmon_span){value, strlen(value)}, &r->step_100ns) &&
	     r->step_100ns > 0))
		return EXIT_DONE;
	return say(EXIT_USAGE, "relog: --step must be an interval such as 5m, not \"%s\"", value);
}

// A list has no format, and in a directory the format does not follow from its name.
static int
set_format(struct relog *r)
{
	const struct log_format format = {
		.option = "-f", .named = OWN_OPTIONS(relog, r->args)->format, .usual = "blg"};
	const char *output = r->args->output;

	if (r->query && log_format_check_list(r->args, output) != EXIT_DONE)
		return EXIT_USAGE;
	if (r->query || (output != NULL && relog_is_directory(output)))
		output = NULL;
	return log_format_find(r->args, &format, output, &r->format);
}

static int
take_options(struct relog *r)
{
	const struct relog_options *own = r->args->own;
	int status = words_number("relog: -t", own->every, 1, UINT32_MAX, &r->every);

	r->append = own->append;
	r->query = own->list;
	r->merge = own->merge;
	r->dry_run = own->dry_run;
	r->verify = !own->no_verify;
	if (status == EXIT_DONE)
		status = words_number("relog: --digits", own->digits, 1, 21, &r->digits);
	if (status == EXIT_DONE)
		status = set_step(r);
	return status == EXIT_DONE ? set_format(r) : status;
}

// ---- One output, or one for each input ------------------------------------------------------

// DIR/NAME.SUFFIX for an input, without the input's own suffix.
static char *
output_in(const struct relog *r, const char *name)
{
	const char *base = pmon_os_name(name);
	const char *dot = strrchr(base, '.');
	size_t stem = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
	size_t size = strlen(r->args->output) + stem + 32;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s%s%.*s.%s", r->args->output,
			       r->args->output[strlen(r->args->output) - 1] == '/' ? "" : "/",
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
	struct words inputs = r->request.logs;
	int worst = EXIT_DONE;

	for (size_t i = 0; i < inputs.n; i++) {
		int status;

		r->request.logs = (struct words){&inputs.list[i], 1, 1};
		status = convert_to(r, inputs.list[i]);
		if (worst == EXIT_DONE || (status != EXIT_DONE && status < worst))
			worst = status;
	}
	r->request.logs = inputs;
	return worst;
}

static int
run_query(struct relog *r)
{
	struct logs logs;
	int status;

	r->request.series_bytes = RELOG_SERIES_BYTES;
	status = logs_open(&logs, &r->request);
	if (status == EXIT_DONE)
		status = relog_query(r, &logs);
	return logs_close(&logs, status);
}

static int
name_output(struct words *names, const char *path)
{
	return path != NULL ? words_take(names, path) : EXIT_FAILED;
}

static int
name_outputs(struct relog *r, struct words *names)
{
	const char *output = r->args->output;
	const struct words *inputs = &r->args->operands;
	int status = EXIT_DONE;

	if (output == NULL)
		return EXIT_DONE;
	if (r->query)
		return words_take(names, output);
	if (!relog_is_directory(output))
		return name_output(names, words_output(r->reader, r->format, output));
	if (r->merge)
		return name_output(names, words_keep(r->reader, output_in(r, "merged")));
	for (size_t i = 0; i < inputs->n && status == EXIT_DONE; i++)
		status = name_output(names, words_keep(r->reader, output_in(r, inputs->list[i])));
	return status;
}

static int
enter_sandbox(struct relog *r)
{
	struct keeper_outputs outputs = {
		.may_overwrite = r->args->yes || r->append || ask_possible(), .appends = r->append};
	struct sandbox_inputs inputs = sandbox_inputs_of(r->args);
	int status = r->args->reading.no_sandbox ? EXIT_DONE : name_outputs(r, &outputs.names);

	if (status == EXIT_DONE && !r->args->reading.no_sandbox)
		status = sandbox_enter(&inputs, &outputs);
	free(outputs.names.list);
	return status;
}

// Does an option say how to write an output?
static bool
has_writing_option(const struct relog *r)
{
	return OWN_OPTIONS(relog, r->args)->format != NULL || r->append || r->dry_run || r->merge ||
	       r->every > 1 || r->step_100ns != 0;
}

static int
run_relog(struct relog *r)
{
	int status;

	if (r->args->operands.n == 0)
		return say(EXIT_USAGE, "relog: no log file given; see pmon relog -?");
	status = enter_sandbox(r);
	if (status != EXIT_DONE)
		return status;
	if (r->query || (r->args->output == NULL && !has_writing_option(r)))
		return run_query(r);
	if (r->args->output == NULL)
		return say(EXIT_USAGE,
			   "relog: no output given; use -o FILE, or -q to list the counters");
	if (words_check_output(r->args) != EXIT_DONE)
		return EXIT_USAGE;
	if (r->append && r->step_100ns != 0)
		return say(EXIT_USAGE, "relog: -a and --step cannot be combined: the existing "
				       "samples would be resampled too");
	if (relog_is_directory(r->args->output) && r->append)
		return say(EXIT_USAGE, "relog: -a requires an output file, but %s is a directory",
			   r->args->output);
	if (!relog_is_directory(r->args->output)) {
		const char *path = words_output(r->reader, r->format, r->args->output);

		return path != NULL ? relog_convert(r, path) : EXIT_FAILED;
	}
	if (r->merge)
		return convert_to(r, "merged");
	return convert_each(r);
}

static int
run_words(const struct verb *verb, int n, char *const *words)
{
	struct args args;
	struct relog r = {.args = &args};
	struct words_reader reader = {.args = &args, .operand = take_input, .input = "i"};
	int status = args_begin(&args, verb);

	r.reader = &reader;
	if (status == EXIT_DONE)
		status = words_read(&reader, n, words);
	if (status == EXIT_DONE && args.help)
		status = help_print(verb);
	else if (status == EXIT_DONE && (status = take_options(&r)) == EXIT_DONE) {
		r.request = request_from(&args);
		status = run_relog(&r);
	}
	words_free(&reader);
	args_free(&args);
	return status;
}

const struct verb verb_relog = {
	.name = "relog",
	.operands = "FILE...",
	.summary = "convert logs with the command line of Windows' relog",
	.details = "As in Windows' relog, options ignore case and may begin with /. -c "
		   "accepts\nseveral patterns. With -a, -y also appends counters of other "
		   "machines.\n\nExamples:\n  pmon relog server.blg -f csv -o server.csv\n  pmon "
		   "relog mon.blg tue.blg -c '\\PhysicalDisk(*)\\*' -o disks.blg -y\n  pmon relog "
		   "server.blg --step 5m -f csv -o - | head\n",
	.options = options,
	.own_size = sizeof(struct relog_options),
	.run_words = run_words,
	.traits = VERB_OWNERS,
};
