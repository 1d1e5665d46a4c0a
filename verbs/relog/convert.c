// convert.c - pmon relog: print or convert its inputs
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "verbs/relog/relog.h"
#include "shell/input/progress.h"
#include "shell/output/ask.h"
#include "os/dir.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/memory.h"
#include "shell/process/signals.h"
#include "os/threads.h"
#include "query/without.h"

#define AVERAGE_BYTES 1408 // memory for a series with averages
#define MOST_PATH     200  // bytes of a path in a message

// ---- What is read and written ---------------------------------------------------------------

static void
print_range(const struct logs *logs, const struct range *range)
{
	char buf[PMON_TIME_SIZE];
	char zone[ZONE_SIZE];

	logs_zone(logs, zone);
	printf("Clock:    %s\n", zone);
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
	const struct words *files = &logs->request.logs;

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
		if (sample->preceding)
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

// -q -o: write the paths, one per line, as for -cf.
static int
write_paths(const struct relog *r, const struct pmon_series *const *list, size_t n)
{
	struct pmon_outfile_options how = {.overwrite = r->args->yes, .sync = r->args->sync};
	struct words_listing listing;
	int status = ask_overwrite(r->args->output, &how.overwrite);

	if (status == EXIT_DONE)
		status = words_list_open(&listing);
	if (status != EXIT_DONE)
		return status;
	print_paths(listing.stream, list, n);
	return words_list_close(&listing, r->args->output, &how, EXIT_DONE);
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
	if (r->args->output == NULL || strcmp(r->args->output, "-") != 0)
		print_input(logs, &range);
	if (r->args->output != NULL) {
		status = write_paths(r, list, n);
	} else if (r->query) {
		putchar('\n');
		print_paths(stdout, list, n);
	}
	free(list);
	return status;
}

// Count the counters whose average cannot be computed from displayed values.
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

// Count the counters that are displayed values.
size_t
relog_count_formatted(const struct pmon_source *source)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		n += pmon_schema_at(schema, i)->formatted;
	return n;
}

// A BLG says which process a value is of only by counters such as `ID Process`, which are kept.
static void
say_what_is_added(const struct logs *logs)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	size_t n = 0;

	if (!logs->request.delivers_identity || logs->patterns.reading == NULL)
		return;
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		n += !pmon_select_shows(logs->patterns.select, pmon_schema_at(schema, i));
	if (n > 0)
		say(0,
		    "note: the output also has %zu %s that %s processes of one name apart, such as "
		    "`ID Process`",
		    n, pmon_text_word(n, "counter", "counters"),
		    pmon_text_word(n, "tells", "tell"));
}

static void
say_what_is_lost(const struct relog *r, const struct logs *logs)
{
	size_t n = count_averaged(logs);

	if (!r->format->raw && n > 0)
		say(0,
		    "%s contains only displayed values: the true averages of %zu %s cannot be "
		    "computed from it",
		    r->format->name, n, pmon_text_word(n, "counter", "counters"));
	if (strcmp(r->format->name, "blg") == 0 && relog_count_formatted(logs->source) > 0)
		say(0, "%zu %s displayed values already: only pmon can read their types from BLG",
		    relog_count_formatted(logs->source),
		    pmon_text_word(relog_count_formatted(logs->source), "counter has",
				   "counters have"));
}

bool
relog_is_directory(const char *path)
{
	return path[strlen(path) - 1] == '/' || pmon_os_stat(path, true).is_directory;
}

// Are the steps of --step computed before writing? In text they are averages, which are computed
// from all samples.
static bool
has_raw_steps(const struct relog *r)
{
	return r->step_100ns != 0 && r->format->raw;
}

// Distinguish processes after dropping samples: a dropped sample may be the one that reports
// another process.
static int
thin_out(struct relog *r, struct logs *logs)
{
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (!r->request.identifies_later)
		return EXIT_DONE;
	if (r->every > 1)
		status = pmon_every_open(logs->source, r->every, NULL, &logs->source, &err);
	if (status == PMON_OK && has_raw_steps(r))
		status = pmon_steps_open(logs->source, r->step_100ns, NULL, &logs->source, &err);
	if (status != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	// If this step returns all of its input, it includes the existing output.
	return r->append && logs->patterns.reading == NULL ? EXIT_DONE : logs_identify(logs);
}

static bool
can_be_named(void *ctx, const struct pmon_series *series)
{
	const struct pmon_writer *format = ctx;

	return format->can_name == NULL || format->can_name(series);
}

static size_t
count_unnamable(const struct relog *r, const struct logs *logs, const struct pmon_series **first)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);
	size_t n = 0;

	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!can_be_named((void *)r->format, series) && n++ == 0 && first != NULL)
			*first = series;
	}
	return n;
}

// Drop counters whose names the format cannot store: they would be read back as others, or as
// damage.
static int
leave_out_unnamable(struct relog *r, struct logs *logs)
{
	const struct pmon_series *first;
	size_t n = count_unnamable(r, logs, &first);
	struct pmon_err err;

	r->left_out = n;
	if (n == 0)
		return EXIT_DONE;
	say(0, "%s cannot hold the names of %zu counter%s, which %s left out: %.*s%s",
	    r->format->name, n, pmon_text_word(n, "", "s"), pmon_text_word(n, "is", "are"),
	    MOST_PATH, first->name.ptr, n > 1 ? " ..." : "");
	if (pmon_without_open(logs->source, can_be_named, (void *)r->format, &logs->source, &err) !=
	    PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// What the output cannot hold. With two passes, the thread of the output calls it.
static void
note_lost(void *ctx, const struct pmon_notice *notice)
{
	struct relog *r = ctx;

	r->lost_some = r->lost_some || notice->is_loss;
	say(0, "%s: %s", r->format->name, notice->text);
}

// Copy the logs into a new one, and record the counts.
static enum pmon_status
copy_log(struct relog *r, struct logs *logs, const char *path, struct range *range,
	 struct pmon_err *err)
{
	struct pmon_create_options create = {
		.size = sizeof(create),
		.overwrite = r->overwrite || r->append,
		.sync = r->args->sync,
		.verify = r->verify,
		.threads = (unsigned)pmon_threads_processors(),
		.notice = note_lost,
		.notice_ctx = r,
		.temporary = signals_temporary,
		.door = door_get(),
		.digits = (int)r->digits,
		.fixed_clock = logs->clock.mode != CLOCK_LOG && !r->own_zone,
		.offset_min = clock_offset(&logs->clock, range->first)};
	struct pmon_copy_options copy = {.size = sizeof(copy),
					 .calc = &r->args->calc,
					 .step_100ns = has_raw_steps(r) ? 0 : r->step_100ns,
					 .threads = (unsigned)pmon_threads_processors(),
					 .trust_schema =
						 // nothing of the existing output was read
					 !r->append,
					 .progress = progress_tell};
	struct pmon_sink *sink;
	enum pmon_status status = pmon_log_create(path, r->format->name, &create, &sink, err);

	if (status != PMON_OK)
		return status;
	status = pmon_copy(logs->source, sink, &copy, err);
	pmon_sink_close(sink);
	line_erase();
	*range = (struct range){copy.first, copy.last, copy.samples, copy.empty};
	return status;
}

// With -v. Output to a pipe or a device cannot be read back.
static void
say_whether_verified(const struct relog *r, const char *path)
{
	if (!r->args->verbose)
		return;
	if (!r->verify)
		say(0, "%s was not verified: --no-verify", path);
	else if (pmon_is_stream(path))
		say(0, "%s was not verified: it is not a regular file",
		    strcmp(path, "-") == 0 ? "standard output" : path);
	else if (r->format->reads_as == NULL)
		say(0, "%s was not verified: pmon cannot read %s", path, r->format->name);
	else
		say(0, "%s was read back and matches the input", path);
}

static int
write_log(struct relog *r, struct logs *logs, const char *path, struct range *range)
{
	struct pmon_err err = {.status = PMON_OK};
	int status = leave_out_unnamable(r, logs);

	if (status != EXIT_DONE)
		return status;
	if (copy_log(r, logs, path, range, &err) != PMON_OK)
		return say_write_err(path, &err);
	say_whether_verified(r, path);
	return r->left_out > 0 || r->lost_some ? EXIT_DAMAGED : EXIT_DONE;
}

// ---- Converting -----------------------------------------------------------------------------

static void
print_output(const struct relog *r, const struct logs *logs, const char *path,
	     const struct range *range)
{
	fputs("\nOutput\n----------------\nFile:     ", stdout);
	out_clean(stdout, (struct pmon_span){path, strlen(path)});
	printf(" (%s)\n\n", r->format->name);
	print_range(logs, range);
}

// Can the log be written without a first pass? Only if it lists its counters at its beginning,
// nothing has to be computed from the whole, and an output that was begun in vain can be discarded.
static bool
can_be_at_once(const struct relog *r, const struct logs *logs, const char *path)
{
	const struct args *args = r->args;

	return pmon_source_info(logs->source)->lists_series && r->every <= 1 &&
	       r->step_100ns == 0 && !r->append && !r->dry_run && args->patterns.n == 0 &&
	       args->pattern_files.n == 0 && args->from == NULL && args->to == NULL &&
	       args->at == NULL && logs->clock.mode == CLOCK_LOG &&
	       count_unnamable(r, logs, NULL) == 0 && !pmon_is_stream(path);
}

// Read the log once while writing it. False if this fails for any reason: the two-pass method then
// finds the problem again and reports it.
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
	logs->used = (struct pmon_used){range.samples, range.empty};
	print_input(logs, &range);
	say_what_is_lost(r, logs);
	say_whether_verified(r, path);
	print_output(r, logs, path, &range);
	*status = r->lost_some ? EXIT_DAMAGED : EXIT_DONE;
	return true;
}

// Read all of the input, and report what was found.
static int
look_first(struct relog *r, struct logs *logs, struct range *range, bool quiet)
{
	int status = survey(logs, range);
	struct pmon_used used = logs->used;

	if (status == EXIT_DONE)
		status = logs_check_patterns(logs);
	if (status == EXIT_DONE)
		status = logs_rewind(logs);
	if (status != EXIT_DONE)
		return status;
	logs->used = used; // for the input: the output also contains the existing one
	if (!quiet)
		print_input(logs, range);
	say_what_is_added(logs);
	status = thin_out(r, logs);
	if (status == EXIT_DONE)
		say_what_is_lost(r, logs);
	return status;
}

// Read all of the input, then write. Takes ownership of old.
static int
convert_in_two(struct relog *r, struct logs *logs, struct pmon_source *old, const char *path)
{
	bool quiet = strcmp(path, "-") == 0; // the log goes to standard output
	struct range range;
	int status = look_first(r, logs, &range, quiet);

	if (status != EXIT_DONE)
		pmon_source_close(old);
	else
		status = relog_add_old(r, logs, old, path);
	if (status == EXIT_DONE && r->append && logs->identity.step == NULL)
		status = logs_identify(logs);
	if (status == EXIT_DONE && r->dry_run) {
		printf("\nWould write %zu %s to ",
		       pmon_schema_count(pmon_source_schema(logs->source)),
		       pmon_text_word(pmon_schema_count(pmon_source_schema(logs->source)),
				      "counter", "counters"));
		out_clean(stdout, (struct pmon_span){path, strlen(path)});
		printf(" (%s)\n", r->format->name);
	} else if (status == EXIT_DONE) {
		status = write_log(r, logs, path, &range);
		if (status != EXIT_FAILED && !quiet)
			print_output(r, logs, path, &range);
	}
	return status;
}

// Formats in which processes with the same name must be distinguished: by raw status, which views
// use, or because values are accumulated.
static bool
tells_processes(const char *writer)
{
	static const char *const writers[] = {"sqlite",     "jsonl",  "openmetrics",
					      "prometheus", "influx", "sqlserver",
					      "parquet",    "arrow",  "arrows"};

	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (strcmp(writer, writers[i]) == 0)
			return true;
	return false;
}

// The most memory per series, as for a verb (struct verb).
static size_t
series_bytes(const struct relog *r)
{
	static const struct {
		const char *writer;
		size_t bytes;
		size_t read_back; // more, while the output is read back
	} costs[] = {{"csv", RELOG_SERIES_BYTES, 448},
		     {"tsv", RELOG_SERIES_BYTES, 448},
		     {"blg", RELOG_SERIES_BYTES, 768},
		     {"sqlite", 1152, 448},
		     {"jsonl", RELOG_SERIES_BYTES, 448}};
	size_t bytes = MEMORY_MOST;
	size_t read_back = 0;

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
		if (strcmp(costs[i].writer, r->format->name) == 0) {
			bytes = costs[i].bytes;
			read_back = costs[i].read_back;
		}
	if (r->step_100ns != 0 && bytes < AVERAGE_BYTES)
		bytes = AVERAGE_BYTES;
	return r->verify ? bytes + read_back : bytes;
}

int
relog_convert(struct relog *r, const char *path)
{
	struct pmon_source *old;
	struct logs logs;
	int status = EXIT_DONE;

	r->overwrite = r->args->yes;
	r->lost_some = false;
	if (!r->append && !r->dry_run)
		status = ask_overwrite(path, &r->overwrite);
	if (status == EXIT_DONE)
		status = relog_open_old(r, path, &old);
	if (status != EXIT_DONE)
		return status;
	if (tells_processes(r->format->name))
		r->request.tells_processes = true;
	r->request.owners_in_utc = true;
	r->request.keeps_marks = r->request.delivers_identity = strcmp(r->format->name, "blg") == 0;
	r->request.no_starts = strcmp(r->format->name, "jsonl") == 0;
	r->request.series_bytes = series_bytes(r);
	r->request.identifies_later = r->every > 1 || has_raw_steps(r) || r->append;
	status = logs_open(&logs, &r->request);
	if (status == EXIT_DONE && convert_at_once(r, &logs, path, &status))
		return logs_close(&logs, status);
	if (status == EXIT_DONE)
		status = convert_in_two(r, &logs, old, path);
	else
		pmon_source_close(old);
	return logs_close(&logs, status);
}
