// relog.c - pmon relog: logs into logs, by the command lines that people have for Windows' relog
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/time.h"
#include "cli/args/help.h"
#include "cli/args/names.h"
#include "cli/args/verb.h"
#include "cli/compat/words.h"
#include "cli/input/logs.h"
#include "cli/input/progress.h"
#include "cli/output/ask.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "cli/process/sandbox.h"
#include "cli/process/signals.h"
#include "os/threads.h"
#include "text/machines.h"

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

struct relog {
	struct args args;                  // what the logs are opened with
	const struct words_format *format; // of the output
	bool append;
	bool query;
	bool yes;
	bool overwrite; // this output: yes, or the answer
	bool merge;
	bool dry_run;
	bool sync;
	bool help;
	uint64_t every;
	int64_t step_100ns;
	int digits;
	const char *output;
	struct words_reader *reader;
	char zone[PMON_TIME_SIZE]; // --tz of the old output, where all times are on its clock
	bool own_zone;
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
	return say(EXIT_USAGE, "relog: --step takes a length of time as 5m, not \"%s\"", value);
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

// ---- What is read and written ---------------------------------------------------------------

struct range {
	pmon_time first;
	pmon_time last;
	uint64_t samples;
};

static void
print_range(const struct logs *logs, const struct range *range)
{
	char buf[PMON_TIME_SIZE];
	char zone[ZONE_SIZE];

	logs_zone(logs, zone);
	printf("Clock:    %s\n", logs->clock.mode == CLOCK_LOCAL ? "local time" : zone);
	if (range->samples > 0) {
		pmon_time_pdh(range->first, clock_offset(&logs->clock, range->first), buf);
		printf("Begin:    %.19s\n", buf);
		pmon_time_pdh(range->last, clock_offset(&logs->clock, range->last), buf);
		printf("End:      %.19s\n", buf);
	}
	printf("Samples:  %llu\n", (unsigned long long)range->samples);
}

static void
print_input(const struct logs *logs, const struct range *range)
{
	const struct words *files = &logs->args->operands;

	printf("\nInput\n----------------\nFile(s):\n");
	for (size_t i = 0; i < files->n; i++) {
		fputs("     ", stdout);
		out_clean(stdout, (struct pmon_span){files->list[i], strlen(files->list[i])});
		if (files->n == 1)
			printf(" (%s)", pmon_source_info(logs->source)->format);
		putchar('\n');
	}
	putchar('\n');
	print_range(logs, range);
}

static int
survey(struct logs *logs, struct range *range)
{
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	*range = (struct range){.samples = 0};
	while (logs_next(logs, &sample, &status)) {
		if (sample->lead_in)
			continue;
		if (range->samples++ == 0)
			range->first = sample->time;
		range->last = sample->time;
	}
	return status;
}

static void
print_paths(FILE *out, const struct pmon_series *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		out_clean(out, list[i]->name);
		putc('\n', out);
	}
}

// -q -o: the paths alone, one a line, as -cf takes them.
static int
write_paths(const struct relog *r, const struct pmon_series *const *list, size_t n)
{
	struct pmon_outfile_options how = {.overwrite = r->yes, .sync = r->sync};
	struct words_listing listing;
	int status = ask_overwrite(r->output, &how.overwrite);

	if (status == EXIT_DONE)
		status = words_list_open(&listing);
	if (status != EXIT_DONE)
		return status;
	print_paths(listing.stream, list, n);
	return words_list_close(&listing, r->output, &how, EXIT_DONE);
}

static int
print_query(const struct relog *r, struct logs *logs)
{
	struct range range;
	size_t n;
	const struct pmon_series **list;
	int status = survey(logs, &range);

	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	list = status == EXIT_DONE ? logs_series(logs, &n) : NULL;
	if (list == NULL)
		return status == EXIT_DONE ? EXIT_FAILED : status;
	print_input(logs, &range);
	if (r->output != NULL) {
		status = write_paths(r, list, n);
	} else {
		putchar('\n');
		print_paths(stdout, list, n);
	}
	free(list);
	return status;
}

// How many counters have an average that displayed values cannot give.
static size_t
count_averaged(const struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		const struct pmon_counter_type *type = pmon_series_type(series);

		n += !series->formatted && type != NULL && pmon_type_mean_flaw(type) != NULL;
	}
	return n;
}

// How many counters the logs hold as displayed values.
static size_t
count_formatted(const struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		n += pmon_schema_at(schema, i)->formatted;
	return n;
}

static void
say_what_is_lost(const struct relog *r, const struct logs *logs)
{
	size_t n = count_averaged(logs);

	if (!r->format->raw && n > 0)
		say(0,
		    "%s holds displayed values only: true averages of %zu counters cannot be had "
		    "from "
		    "it any more",
		    r->format->name, n);
	if (strcmp(r->format->reads, "BLG") == 0 && count_formatted(logs->source) > 0)
		say(0,
		    "%zu counters are displayed values already: in BLG only pmon knows their "
		    "types",
		    count_formatted(logs->source));
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

// Are the samples of --step made before they are written? In text they are averages, which are computed
// from all samples.
static bool
has_raw_steps(const struct relog *r)
{
	return r->step_100ns != 0 && r->format->raw;
}

// Processes are told apart in the samples that are kept: the sample that is left out may be the one that
// says that another process has the place.
static int
thin_out(struct relog *r, struct logs *logs)
{
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (!r->args.identifies_later)
		return EXIT_DONE;
	if (r->every > 1)
		status = pmon_every_open(logs->source, r->every, NULL, &logs->source, &err);
	if (status == PMON_OK && has_raw_steps(r))
		status = pmon_steps_open(logs->source, r->step_100ns, NULL, &logs->source, &err);
	if (status != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	// With the old output where that step gives all that it reads, and so all of the old output too.
	return r->append && logs->reading == NULL ? EXIT_DONE : logs_identify(logs);
}

// Read the logs into a new one, and take note of what it got.
static enum pmon_status
copy_log(struct relog *r, struct logs *logs, const char *path, struct range *range,
	 struct pmon_err *err)
{
	struct pmon_create_options create = {
		.overwrite = r->overwrite || r->append,
		.sync = r->sync,
		.temporary = signals_temporary,
		.digits = r->digits,
		.fixed_clock = logs->clock.mode != CLOCK_LOG && !r->own_zone,
		.offset_min = clock_offset(&logs->clock, range->first)};
	struct pmon_copy_options copy = {.calc = r->args.calc,
					 .step_100ns = has_raw_steps(r) ? 0 : r->step_100ns,
					 .threads = (unsigned)pmon_threads_processors(),
					 .trust_schema =
						 !r->append, // of the old output nothing was read
					 .progress = progress_tell};
	struct pmon_sink *sink;
	enum pmon_status status = pmon_log_create(path, r->format->writer, &create, &sink, err);

	if (status != PMON_OK)
		return status;
	status = pmon_copy(logs->source, sink, &copy, err);
	pmon_sink_close(sink);
	line_erase();
	*range = (struct range){copy.first, copy.last, copy.samples};
	return status;
}

static int
write_log(struct relog *r, struct logs *logs, const char *path, struct range *range)
{
	struct pmon_err err = {.status = PMON_OK};

	if (copy_log(r, logs, path, range, &err) == PMON_OK)
		return EXIT_DONE;
	return say_write_err(path, &err);
}

// Can what is chosen be added to this log? Only to one of the format that is written, and to one of
// displayed values only such.
static int
check_old_output(const struct relog *r, const struct logs *logs, const struct pmon_source *old,
		 const char *path)
{
	const char *format = pmon_source_info(old)->format;

	if (strcmp(format, r->format->reads) != 0)
		return say(EXIT_FAILED,
			   "%s is a %s log; -a adds to logs of the format that is written", path,
			   format);
	if (!r->format->raw &&
	    count_formatted(logs->source) < pmon_schema_count(pmon_source_schema(logs->source)))
		return say(
			EXIT_FAILED,
			"%s holds displayed values, to which -a cannot add raw ones; write a new "
			"log and add that",
			path);
	return EXIT_DONE;
}

// ---- -a: adding to an old output ------------------------------------------------------------

// All times are on the clock of the old output, as pmon info then shows them.
static void
take_clock(struct relog *r, const struct pmon_source *old)
{
	if (r->args.tz != NULL)
		return;
	pmon_time_offset(pmon_source_info(old)->utc_offset_min, r->zone);
	r->args.tz = r->zone;
	r->own_zone = true;
}

// Open the output that is added to. *old is NULL when there is none yet.
static int
open_old(struct relog *r, const char *path, struct pmon_source **old)
{
	struct pmon_err err;
	struct stat st;

	*old = NULL;
	r->args.tz = r->own_zone ? NULL : r->args.tz;
	r->own_zone = false;
	if (!r->append || stat(path, &st) != 0)
		return EXIT_DONE;
	if (pmon_log_open(path, NULL, old, &err) != PMON_OK)
		return say_err(path, &err);
	take_clock(r, *old);
	return EXIT_DONE;
}

// Learn all counters of a log that does not list them at its beginning.
static int
read_counters(struct pmon_source *source, const char *path)
{
	const struct pmon_sample *sample;
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (pmon_source_info(source)->lists_series)
		return EXIT_DONE;
	while (status == PMON_OK)
		status = pmon_source_next(source, &sample, &err);
	if (status == PMON_END)
		status = pmon_source_rewind(source, &err);
	return status == PMON_OK ? EXIT_DONE : say_err(path, &err);
}

// The machines of the inputs that the old output has no counter of.
static bool
find_new_machines(const struct logs *logs, const struct machines *known, struct machines *out)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	*out = (struct machines){.n = 0};
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		struct pmon_span name = pmon_schema_at(schema, i)->path.machine;

		if (!machines_have(known, name) && !machines_add(out, name))
			return false;
	}
	return true;
}

// Counters of another machine than those of the old output may be a mistake: ask.
static int
ask_for_machines(const struct relog *r, const char *path, const struct machines *known,
		 const struct machines *added)
{
	char of_old[MACHINES_TEXT];
	char of_new[MACHINES_TEXT];
	char question[512];

	if (known->n == 0 || added->n == 0 || r->yes || r->dry_run)
		return EXIT_DONE;
	machines_text(known, of_old, sizeof(of_old));
	machines_text(added, of_new, sizeof(of_new));
	if (!ask_possible())
		return say(EXIT_FAILED,
			   "%s has counters of %s, and the input of %s; -y appends them", path,
			   of_old, of_new);
	(void)snprintf(question, sizeof(question), "%s has counters of %s; append those of %s",
		       path, of_old, of_new);
	return ask_yes(question) ? EXIT_DONE : say(EXIT_FAILED, "%s was not changed", path);
}

static int
check_machines(const struct relog *r, const struct logs *logs, struct pmon_source *old,
	       const char *path)
{
	struct machines known = {.n = 0};
	struct machines added = {.n = 0};
	int status = read_counters(old, path);

	if (status == EXIT_DONE && (!machines_find(pmon_source_schema(old), &known) ||
				    !find_new_machines(logs, &known, &added)))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = ask_for_machines(r, path, &known, &added);
	machines_free(&known);
	machines_free(&added);
	return status;
}

static void
say_clash(void *ctx, const struct pmon_clash *clash)
{
	const struct relog *r = ctx;
	char time[PMON_TIME_SIZE];

	(void)pmon_time_iso(clash->time, time);
	say(0,
	    "%s: other values for one moment than in what is added: %llu; the first: %s at %s; "
	    "both are written",
	    r->output, (unsigned long long)clash->n, clash->path, time);
}

// What the output holds already, all of it, goes before what is chosen of the inputs, and both are
// written anew. The old file stays until the new one is whole. Takes old over.
static int
add_old_output(struct relog *r, struct logs *logs, struct pmon_source *old, const char *path)
{
	struct pmon_source *both[2] = {old, logs->source};
	struct pmon_err err;
	int status;

	if (old == NULL)
		return EXIT_DONE;
	status = check_old_output(r, logs, old, path);
	if (status == EXIT_DONE)
		status = check_machines(r, logs, old, path);
	if (status != EXIT_DONE) {
		pmon_source_close(old);
		return status;
	}
	logs->source = NULL;
	if (pmon_merge_open(both, 2, NULL, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_merge_on_clash(logs->source, say_clash, r);
	return EXIT_DONE;
}

// ---- Converting -----------------------------------------------------------------------------

static void
print_output(const struct logs *logs, const char *path, const struct range *range)
{
	fputs("\nOutput\n----------------\nFile:     ", stdout);
	out_clean(stdout, (struct pmon_span){path, strlen(path)});
	fputs("\n\n", stdout);
	print_range(logs, range);
}

// Can the log be written before anybody knows what is in it? It can when its counters stand at its
// beginning, when it is wanted as it is, and when an output that was begun in vain can be thrown away.
static bool
can_be_at_once(const struct relog *r, const struct logs *logs, const char *path)
{
	const struct args *args = &r->args;
	struct stat st;

	return pmon_source_info(logs->source)->lists_series && r->every <= 1 &&
	       r->step_100ns == 0 && !r->append && !r->dry_run && args->patterns.n == 0 &&
	       args->pattern_files.n == 0 && args->from == NULL && args->to == NULL &&
	       logs->clock.mode == CLOCK_LOG && strcmp(path, "-") != 0 &&
	       (stat(path, &st) != 0 || S_ISREG(st.st_mode));
}

// Read the log once, and write it meanwhile. False when it came to nothing, for whatever reason: the
// other way, with a look at all of the input first, finds it again and says it.
static bool
convert_at_once(struct relog *r, struct logs *logs, const char *path, int *status)
{
	struct range range = {.first = PMON_TIME_NONE};
	struct pmon_err err;

	if (!can_be_at_once(r, logs, path))
		return false;
	if (copy_log(r, logs, path, &range, &err) != PMON_OK) {
		*status = logs_rewind(logs);
		return false;
	}
	print_input(logs, &range);
	say_what_is_lost(r, logs);
	print_output(logs, path, &range);
	return true;
}

// Look at all of the input, and say what was found.
static int
look_first(struct relog *r, struct logs *logs, struct range *range, bool quiet)
{
	int status = survey(logs, range);

	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	if (status == EXIT_DONE)
		status = logs_rewind(logs);
	if (status != EXIT_DONE)
		return status;
	if (!quiet)
		print_input(logs, range);
	status = thin_out(r, logs);
	if (status == EXIT_DONE)
		say_what_is_lost(r, logs);
	return status;
}

// Look at all of the input, then write. Takes old over.
static int
convert_in_two(struct relog *r, struct logs *logs, struct pmon_source *old, const char *path)
{
	bool quiet = strcmp(path, "-") == 0; // standard output is the log
	struct range range;
	int status = look_first(r, logs, &range, quiet);

	if (status != EXIT_DONE)
		pmon_source_close(old);
	else
		status = add_old_output(r, logs, old, path);
	if (status == EXIT_DONE && r->append && logs->identity == NULL)
		status = logs_identify(logs);
	if (status == EXIT_DONE && r->dry_run) {
		printf("\nWould write %zu counters to ",
		       pmon_schema_count(pmon_source_schema(logs->source)));
		out_clean(stdout, (struct pmon_span){path, strlen(path)});
		printf(" (%s)\n", r->format->writer);
	} else if (status == EXIT_DONE) {
		status = write_log(r, logs, path, &range);
		if (status == EXIT_DONE && !quiet)
			print_output(logs, path, &range);
	}
	return status;
}

// Formats in which another process under the same name is another: by the raw statuses, which views go by, or since
// what is written is counted.
static bool
tells_processes(const char *writer)
{
	static const char *const writers[] = {"sqlite", "jsonl", "openmetrics", "prometheus"};

	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (strcmp(writer, writers[i]) == 0)
			return true;
	return false;
}

static int
convert(struct relog *r, const char *path)
{
	struct pmon_source *old;
	struct logs logs = {.args = &r->args};
	int status = EXIT_DONE;

	r->overwrite = r->yes;
	if (!r->append && !r->dry_run)
		status = ask_overwrite(path, &r->overwrite);
	if (status == EXIT_DONE)
		status = open_old(r, path, &old);
	if (status != EXIT_DONE)
		return status;
	if (tells_processes(r->format->writer))
		r->args.tells_processes = true;
	r->args.no_starts = strcmp(r->format->writer, "jsonl") == 0;
	r->args.series_bytes = memory_of_output(r->format->writer, r->step_100ns != 0);
	r->args.identifies_later = r->every > 1 || has_raw_steps(r) || r->append;
	status = logs_open(&logs, &r->args);
	if (status == EXIT_DONE && convert_at_once(r, &logs, path, &status))
		return logs_close(&logs, status);
	if (status == EXIT_DONE)
		status = convert_in_two(r, &logs, old, path);
	else
		pmon_source_close(old);
	return logs_close(&logs, status);
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
			       r->format->suffix);
	return path;
}

static int
convert_to(struct relog *r, const char *name)
{
	char *path = output_in(r, name);
	int status = path != NULL ? convert(r, path) : say(EXIT_FAILED, "not enough memory");

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

	r->args.series_bytes = memory_of_output("jsonl", false);
	status = logs_open(&logs, &r->args);
	if (status == EXIT_DONE)
		status = print_query(r, &logs);
	return logs_close(&logs, status);
}

static int
run(struct relog *r)
{
	if (r->args.operands.n == 0)
		return say(EXIT_USAGE, "relog: name a log file; see pmon relog -?");
	if (!r->args.no_sandbox)
		sandbox_enter(&r->args, r->output, false);
	if (r->query)
		return run_query(r);
	if (r->output == NULL)
		return say(EXIT_USAGE,
			   "relog: name the output with -o, or list the counters with -q");
	if (words_check_output(&rules, r->output) != EXIT_DONE)
		return EXIT_USAGE;
	if (r->append && r->step_100ns != 0)
		return say(EXIT_USAGE, "relog: -a and --step do not go together: the old samples "
				       "would be resampled too");
	if (is_directory(r->output) && r->append)
		return say(EXIT_USAGE, "relog: -a needs one output file, and %s is a directory",
			   r->output);
	if (!is_directory(r->output)) {
		const char *path = words_output(r->reader, r->format, r->output);

		return path != NULL ? convert(r, path) : EXIT_FAILED;
	}
	if (r->merge)
		return convert_to(r, "merged");
	return convert_each(r);
}

static int
run_words(const struct verb *verb, int n, char *const *words)
{
	struct relog r = {.args.verb = verb, .format = words_format(&rules, "bin")};
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
