// relog.c - pmon relog: logs into logs, by the command lines that people have for Windows' relog
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "cli/args/help.h"
#include "cli/args/names.h"
#include "cli/args/verb.h"
#include "cli/compat/relog.h"
#include "cli/output/ask.h"
#include "cli/output/say.h"
#include "cli/process/sandbox.h"

// The options of relog, and ours beside them.
enum relog_opt {
	R_APPEND,
	R_COUNTERS,
	R_COUNTER_FILE,
	R_FORMAT,
	R_EVERY,
	R_OUTPUT,
	R_BEGIN,
	R_END,
	R_CONFIG,
	R_QUERY,
	R_YES,
	R_HELP,
	R_STEP,
	R_TZ,
	R_MERGE,
	R_DRY_RUN,
	R_DIGITS,
	R_POLICY,
	R_ENCODING,
	R_KNOWN_TYPES,
	R_DST_REPAIR,
	R_NAMES,
	R_MAX_UNPACKED,
	R_SYNC,
	R_NO_SANDBOX,
	R_INPUT
};

static const struct words_option options[] = {
	{R_APPEND, "a", WORDS_NONE, false},
	{R_COUNTERS, "c", WORDS_MANY, false},
	{R_COUNTER_FILE, "cf", WORDS_ONE, false},
	{R_FORMAT, "f", WORDS_ONE, false},
	{R_EVERY, "t", WORDS_ONE, false},
	{R_OUTPUT, "o", WORDS_ONE, false},
	{R_BEGIN, "b", WORDS_TIME, false},
	{R_END, "e", WORDS_TIME, false},
	{R_CONFIG, "config", WORDS_FILE, false},
	{R_QUERY, "q", WORDS_NONE, false},
	{R_YES, "y", WORDS_NONE, false},
	{R_HELP, "?", WORDS_NONE, false},
	{R_HELP, "h", WORDS_NONE, false},
	{R_HELP, "-help", WORDS_NONE, false},
	{R_STEP, "-step", WORDS_ONE, false},
	{R_BEGIN, "-from", WORDS_ONE, false},
	{R_END, "-to", WORDS_ONE, false},
	{R_TZ, "-tz", WORDS_ONE, false},
	{R_MERGE, "-merge", WORDS_NONE, false},
	{R_DRY_RUN, "-dry-run", WORDS_NONE, false},
	{R_DIGITS, "-digits", WORDS_ONE, false},
	{R_POLICY, "-policy", WORDS_ONE, false},
	{R_ENCODING, "-encoding", WORDS_ONE, false},
	{R_KNOWN_TYPES, "-known-types", WORDS_ONE, false},
	{R_DST_REPAIR, "-dst-repair", WORDS_NONE, false},
	{R_NAMES, "-names", WORDS_ONE, false},
	{R_MAX_UNPACKED, "-max-unpacked", WORDS_ONE, false},
	{R_SYNC, "-sync", WORDS_NONE, false},
	{R_NO_SANDBOX, "-no-sandbox", WORDS_NONE, false},
	{R_INPUT, "i", WORDS_MANY, true},
};

static void set_flag(void *ctx, int opt);
static int set(void *ctx, int opt, const char *value);

static const struct words_rules rules = {
	"relog", options, sizeof(options) / sizeof(options[0]), set_flag, set,
};

// ---- The command line -----------------------------------------------------------------------

static void
set_flag(void *ctx, int opt)
{
	struct relog *r = ctx;

	r->append |= opt == R_APPEND;
	r->query |= opt == R_QUERY;
	r->yes |= opt == R_YES;
	r->merge |= opt == R_MERGE;
	r->dry_run |= opt == R_DRY_RUN;
	r->sync |= opt == R_SYNC;
	r->args.no_sandbox |= opt == R_NO_SANDBOX;
	r->help |= opt == R_HELP;
	r->args.dst_repair |= opt == R_DST_REPAIR;
}

static int
set_step(struct relog *r, const char *value)
{
	if (pmon_time_parse_span((struct pmon_span){value, strlen(value)}, &r->step_100ns) &&
	    r->step_100ns > 0)
		return EXIT_DONE;
	return say(EXIT_USAGE, "relog: --step takes an interval such as 5m, not \"%s\"", value);
}

static int
set(void *ctx, int opt, const char *value)
{
	struct relog *r = ctx;
	uint64_t number = 0;
	int status = EXIT_DONE;

	switch (opt) {
	case R_COUNTERS:
		return words_take(&r->args.patterns, value);
	case R_COUNTER_FILE:
		return words_take(&r->args.pattern_files, value);
	case R_FORMAT:
		r->format = words_format(&rules, value);
		return r->format != NULL ? EXIT_DONE : EXIT_USAGE;
	case R_EVERY:
		return words_number(&rules, "-t", value, 1, UINT32_MAX, &r->every);
	case R_OUTPUT:
		r->output = value;
		break;
	case R_STEP:
		return set_step(r, value);
	case R_BEGIN:
		r->args.from = value;
		break;
	case R_END:
		r->args.to = value;
		break;
	case R_TZ:
		r->args.tz = value;
		break;
	case R_ENCODING:
		r->args.encoding = value;
		break;
	case R_KNOWN_TYPES:
		r->args.known_types = value;
		return words_take(&r->args.inputs, value);
	case R_NAMES:
		r->args.names = value;
		return words_take(&r->args.inputs, value);
	case R_MAX_UNPACKED:
		return args_size("--max-unpacked", value, &r->args.max_unpacked);
	case R_DIGITS:
		status = words_number(&rules, "--digits", value, 1, 21, &number);
		r->digits = (int)number;
		break;
	case R_POLICY:
		return words_policy(&rules, value, &r->args.calc.policy);
	default: // an input
		return names_take_matching(&r->args.operands, &r->args.texts, value);
	}
	return status;
}

// ---- One output, or one for each input ------------------------------------------------------

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

// DIR/NAME.SUFFIX for an input, whose own suffix goes.
static char *
output_in(const struct relog *r, const char *name)
{
	const char *base = base_name(name);
	const char *dot = strrchr(base, '.');
	size_t stem = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
	size_t size = strlen(r->output) + stem + 32;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s%s%.*s.%s", r->output,
			       r->output[strlen(r->output) - 1] == '/' ? "" : "/", (int)stem, base,
			       r->format->endings[0]);
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
		sandbox_enter(&r->args, r->output);
	if (r->query)
		return run_query(r);
	if (r->output == NULL)
		return say(EXIT_USAGE,
			   "relog: name the output with -o, or list the counters with -q");
	if (words_check_output(&rules, r->output) != EXIT_DONE)
		return EXIT_USAGE;
	if (r->append && r->step_100ns != 0)
		return say(EXIT_USAGE, "relog: -a and --step cannot be combined: the old samples "
				       "would be resampled too");
	if (relog_is_directory(r->output) && r->append)
		return say(EXIT_USAGE, "relog: -a needs one output file, and %s is a directory",
			   r->output);
	if (!relog_is_directory(r->output)) {
		const char *path = words_output(r->reader, r->format, r->output);

		return path != NULL ? relog_convert(r, path) : EXIT_FAILED;
	}
	if (r->merge)
		return convert_to(r, "merged");
	return convert_each(r);
}

static int
run_words(const struct verb *verb, int n, char *const *words)
{
	struct relog r = {.args.verb = verb, .format = pmon_writer_find("blg")};
	struct words_reader reader = {.rules = &rules, .ctx = &r};
	int status;

	r.reader = &reader;
	status = words_read(&reader, n, words);

	if (status == EXIT_DONE && r.help)
		status = help_print(verb);
	else if (status == EXIT_DONE)
		status = run(&r);
	words_free(&reader);
	args_free(&r.args);
	return status;
}

const struct verb verb_relog = {
	.name = "relog",
	.operands = "FILE... [options]",
	.summary = "logs into logs, by the command lines of Windows' relog",
	.details =
		"Options, as Windows' relog has them (-f or /f, in any case):\n"
		"  -c PATH...          counters to keep; wildcards in any part\n"
		"  -cf FILE            counters to keep, one a line\n"
		"  -f FORMAT           BIN (default), CSV, TSV, SQL (an SQLite database); JSONL, "
		"OPENMETRICS\n"
		"  -t N                every N-th sample\n"
		"  -o FILE             output; a directory gets one file for each input, - is "
		"standard "
		"output\n"
		"  -b TIME, -e TIME    begin and end: 11/26/2016 1:46:40 PM, or as --from takes "
		"them\n"
		"  -a                  add to the output that exists; times are on its clock\n"
		"  -config FILE        settings: [o], [f], [c] ... with their values, or -f csv "
		"...; [i] "
		"is "
		"input\n"
		"  -q                  list the counters and the times; with -o the list into that "
		"file\n"
		"  -y                  yes to all questions: overwrite, append another machine\n"
		"  -?                  this help\n\n"
		"And beside them:\n"
		"  --step LENGTH       one sample every 5m, 1h ..., averaged exactly by counter "
		"type\n"
		"  --from, --to TIME   as in pmon stats\n"
		"  --tz ZONE           times in text on this clock: log (default), utc, local, "
		"+01:00\n"
		"  --merge             one output even when -o is a directory\n"
		"  --digits N          significant digits in text; 17, and 20 as Windows since "
		"2024\n"
		"  --policy POLICY     default, strict or clamp, for displayed values\n"
		"  --dry-run           say what would be written\n"
		"  --sync              wait until the output is on the disk\n"
		"  --encoding, --known-types, --dst-repair, --names, --max-unpacked, --no-sandbox  "
		" as in "
		"pmon stats\n\n"
		"Examples:\n"
		"  pmon relog server.blg -f csv -o server.csv\n"
		"  pmon relog mon.blg tue.blg -c '\\PhysicalDisk(*)\\*' -o disks.blg -y\n"
		"  pmon relog server.blg --step 5m -f csv -o - | head\n",
	.run_words = run_words,
};
