// relog_convert.c - what pmon relog does with its inputs: it shows them, or writes them anew
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "cli/compat/relog.h"
#include "cli/input/progress.h"
#include "cli/output/ask.h"
#include "os/dir.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "cli/process/signals.h"
#include "os/threads.h"

#define AVERAGE_BYTES 1408 // memory for a series with averages

// ---- What is read and written ---------------------------------------------------------------

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
	struct pmon_outfile_options how = {.overwrite = r->args.yes, .sync = r->args.sync};
	struct words_listing listing;
	int status = ask_overwrite(r->args.output, &how.overwrite);

	if (status == EXIT_DONE)
		status = words_list_open(&listing);
	if (status != EXIT_DONE)
		return status;
	print_paths(listing.stream, list, n);
	return words_list_close(&listing, r->args.output, &how, EXIT_DONE);
}

int
relog_query(const struct relog *r, struct logs *logs)
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
	if (r->args.output != NULL) {
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
size_t
relog_count_formatted(const struct pmon_source *source)
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
		    "%s holds displayed values only: the true averages of %zu counters cannot be "
		    "computed from it",
		    r->format->name, n);
	if (strcmp(r->format->name, "blg") == 0 && relog_count_formatted(logs->source) > 0)
		say(0,
		    "%zu counters are displayed values already: only pmon can read their types "
		    "from BLG",
		    relog_count_formatted(logs->source));
}

bool
relog_is_directory(const char *path)
{
	return path[strlen(path) - 1] == '/' || pmon_os_stat(path, true).is_directory;
}

// Are the samples of --step made before they are written? In text they are averages, which are computed
// from all samples.
static bool
has_raw_steps(const struct relog *r)
{
	return r->step_100ns != 0 && r->format->raw;
}

// Processes are distinguished in the samples that are kept: the sample that is left out may be the one that
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
		.sync = r->args.sync,
		.temporary = signals_temporary,
		.digits = (int)r->digits,
		.fixed_clock = logs->clock.mode != CLOCK_LOG && !r->own_zone,
		.offset_min = clock_offset(&logs->clock, range->first)};
	struct pmon_copy_options copy = {.calc = r->args.calc,
					 .step_100ns = has_raw_steps(r) ? 0 : r->step_100ns,
					 .threads = (unsigned)pmon_threads_processors(),
					 .trust_schema =
						 !r->append, // of the old output nothing was read
					 .progress = progress_tell};
	struct pmon_sink *sink;
	enum pmon_status status = pmon_log_create(path, r->format->name, &create, &sink, err);

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
	struct pmon_os_stat there = pmon_os_stat(path, true);

	return pmon_source_info(logs->source)->lists_series && r->every <= 1 &&
	       r->step_100ns == 0 && !r->append && !r->dry_run && args->patterns.n == 0 &&
	       args->pattern_files.n == 0 && args->from == NULL && args->to == NULL &&
	       logs->clock.mode == CLOCK_LOG && strcmp(path, "-") != 0 &&
	       (!there.is_there || there.is_regular);
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
		status = relog_add_old(r, logs, old, path);
	if (status == EXIT_DONE && r->append && logs->identity == NULL)
		status = logs_identify(logs);
	if (status == EXIT_DONE && r->dry_run) {
		printf("\nWould write %zu counters to ",
		       pmon_schema_count(pmon_source_schema(logs->source)));
		out_clean(stdout, (struct pmon_span){path, strlen(path)});
		printf(" (%s)\n", r->format->name);
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

// Memory for a series at the most, as of a verb (struct verb).
static size_t
series_bytes(const struct relog *r)
{
	static const struct {
		const char *writer;
		size_t bytes;
	} costs[] = {{"csv", RELOG_SERIES_BYTES},
		     {"tsv", RELOG_SERIES_BYTES},
		     {"blg", RELOG_SERIES_BYTES},
		     {"sqlite", 1152},
		     {"jsonl", RELOG_SERIES_BYTES}};
	size_t bytes = MEMORY_MOST;

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
		if (strcmp(costs[i].writer, r->format->name) == 0)
			bytes = costs[i].bytes;
	return r->step_100ns != 0 && bytes < AVERAGE_BYTES ? AVERAGE_BYTES : bytes;
}

int
relog_convert(struct relog *r, const char *path)
{
	struct pmon_source *old;
	struct logs logs = {.args = &r->args};
	int status = EXIT_DONE;

	r->overwrite = r->args.yes;
	if (!r->append && !r->dry_run)
		status = ask_overwrite(path, &r->overwrite);
	if (status == EXIT_DONE)
		status = relog_open_old(r, path, &old);
	if (status != EXIT_DONE)
		return status;
	if (tells_processes(r->format->name))
		r->args.tells_processes = true;
	r->args.no_starts = strcmp(r->format->name, "jsonl") == 0;
	r->args.series_bytes = series_bytes(r);
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
