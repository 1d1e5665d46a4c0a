// recorder.c - write samples to one file after another
// SPDX-License-Identifier: MIT

#include "verbs/record/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "format/format.h"
#include "model/sink.h"
#include "os/clock.h"
#include "shell/output/say.h"

#define BUFFER_BYTES 65536 // by which a binary log grows
#define SEGMENTS     4     // number of files that emulate a circular log
#define TRIM_100NS   (60 * PMON_TIME_PER_SEC)

int
recorder_init(struct recorder *r, const struct record_plan *plan, struct pmon_source *source)
{
	*r = (struct recorder){.plan = *plan, .source = source};
	if (plan->circular && plan->segments) {
		// The oldest file is removed once the newest has data, so until then there is one
		// more.
		r->plan.max_bytes = plan->max_bytes / (SEGMENTS + 1);
		r->plan.keep.n = SEGMENTS;
	}
	r->next_sync = pmon_os_monotonic_100ns() + plan->sync_100ns;
	return EXIT_DONE;
}

void
recorder_free(struct recorder *r)
{
	pmon_sink_close(r->sink);
	pmon_statistics_free(r->statistics);
	free(r->series);
	free(r->raw);
}

// ---- Words ------------------------------------------------------------------------------------

static void
print_notice(void *ctx, const struct pmon_notice *notice)
{
	const struct recorder *r = ctx;

	say(0, "%s: note: %s", r->files.path, notice->text);
}

// A file has at least one sample, which may exceed its size limit.
static void
tell_size(struct recorder *r)
{
	if (r->plan.max_bytes == 0 || r->file.bytes <= r->plan.max_bytes || r->is_size_told)
		return;
	r->is_size_told = true;
	say(0, "%s: note: a single sample is larger than --max-size", r->files.path);
}

// Remove a new file that got no sample: on a full disk every restart would leave one.
static void
forget_empty(const struct recorder *r)
{
	if (r->file.is_new && r->file.samples == 0 && pmon_os_stat(r->files.path, false).is_regular)
		record_files_remove(r->files.path);
}

// After a failure, everything flushed is intact.
static int
failed(struct recorder *r, const struct pmon_err *err)
{
	(void)say_write_err(r->files.path, err);
	say(0, "%s: %llu %s recorded before that", r->files.path,
	    (unsigned long long)r->file.samples,
	    pmon_text_word(r->file.samples, "sample was", "samples were"));
	r->bytes += r->file.bytes;
	pmon_sink_close(r->sink);
	r->sink = NULL;
	forget_empty(r);
	return EXIT_FAILED;
}

// ---- The newest sample --------------------------------------------------------------------------

static bool
grow_last(struct recorder *r, size_t n)
{
	uint32_t *series;
	struct pmon_raw *raw;

	if (n <= r->series_cap)
		return true;
	series = realloc(r->series, 2 * n * sizeof(*series));
	if (series != NULL)
		r->series = series;
	raw = realloc(r->raw, 2 * n * sizeof(*raw));
	if (raw != NULL)
		r->raw = raw;
	if (series == NULL || raw == NULL)
		return false;
	r->series_cap = 2 * n;
	return true;
}

static int
keep_last(struct recorder *r, const struct pmon_sample *sample)
{
	if (!grow_last(r, sample->n))
		return say(EXIT_FAILED, "not enough memory");
	r->last = *sample;
	if (sample->n > 0) {
		memcpy(r->series, sample->series, sample->n * sizeof(*r->series));
		memcpy(r->raw, sample->raw, sample->n * sizeof(*r->raw));
	}
	r->last.series = r->series;
	r->last.raw = r->raw;
	r->last.preceding = true;
	r->has_last = true;
	return EXIT_DONE;
}

// ---- Beginning a file -----------------------------------------------------------------------------

static pmon_time
local_time(const struct pmon_sample *sample)
{
	return sample->time + sample->utc_offset_min * PMON_TIME_PER_MIN;
}

static int64_t
period_of(const struct recorder *r, const struct pmon_sample *sample)
{
	return r->plan.rotate_100ns > 0 ? local_time(sample) / r->plan.rotate_100ns : 0;
}

static void
note_identity(struct recorder *r)
{
	r->file.there = pmon_os_stat(r->files.path, true);
}

// An empty file that was created where the old one was moved away, as logrotate does, may be
// overwritten.
static bool
may_overwrite(const struct recorder *r)
{
	struct pmon_os_stat there = pmon_os_stat(r->files.path, true);

	return (r->plan.overwrite && r->n_files == 0) || (there.is_regular && there.size == 0);
}

// Text contains displayed values in columns, which are those of its first sample.
bool
record_plan_is_text(const struct record_plan *plan)
{
	return !pmon_writer_find(plan->format)->raw;
}

static bool
is_text(const struct recorder *r)
{
	return record_plan_is_text(&r->plan);
}

static enum pmon_status
create(struct recorder *r, struct pmon_err *err)
{
	struct pmon_create_options options = {.size = sizeof(options),
					      .live = true,
					      .append = r->file.is_continued,
					      .overwrite = may_overwrite(r),
					      .unix_lines = true,
					      .notice = print_notice,
					      .notice_ctx = r};

	if (r->plan.circular && !r->plan.segments)
		options.ring_bytes = r->plan.max_bytes;
	return pmon_log_create(r->files.path, r->plan.format, &options, &r->sink, err);
}

static enum pmon_status
begin_output(struct recorder *r, const struct pmon_sample *sample, struct pmon_err *err)
{
	// Text needs no preceding sample for its displayed values: the newest is in r->statistics.
	const struct pmon_sample *first = r->has_last && !is_text(r) ? &r->last : sample;
	const struct pmon_schema *schema = pmon_source_schema(r->source);
	enum pmon_status status;

	r->info = *pmon_source_info(r->source);
	r->info.log_start = first->time;
	r->info.utc_offset_min = first->utc_offset_min;
	status = pmon_sink_begin(r->sink, schema, &r->info, err);
	if (status == PMON_OK && first == &r->last)
		status = pmon_sink_add(r->sink, first, NULL, err);
	if (status == PMON_OK && r->statistics == NULL &&
	    (pmon_sink_needs(r->sink) & PMON_SINK_VALUES))
		status = pmon_statistics_new(schema, NULL, NULL, &r->statistics, err);
	return status;
}

static void
begin_facts(struct recorder *r, const struct pmon_sample *sample, bool is_continued)
{
	struct pmon_os_stat there = pmon_os_stat(r->files.path, true);

	memset(&r->file, 0, sizeof(r->file));
	r->file.period = period_of(r, sample);
	r->file.is_continued = is_continued;
	r->file.is_new = !there.is_there && strcmp(r->files.path, "-") != 0;
	r->file.bytes = is_continued ? there.size : 0;
}

static int begin_beside(struct recorder *r, const struct pmon_sample *sample);

// Begin the file with the chosen name. Another program that moved the last one may create a file in
// its place at any time: create() checks again.
static int
begin_chosen(struct recorder *r, const struct pmon_sample *sample)
{
	struct pmon_err err;
	enum pmon_status status;

	begin_facts(r, sample, false);
	status = create(r, &err);
	if (status == PMON_E_EXISTS && may_overwrite(r))
		status = create(r, &err);
	if (status == PMON_E_EXISTS && r->is_displaced)
		return begin_beside(r, sample);
	if (status != PMON_OK) {
		if (err.status != PMON_E_EXISTS)
			forget_empty(r);
		return say_write_err(r->files.path, &err);
	}
	return begin_output(r, sample, &err) == PMON_OK ? EXIT_DONE : failed(r, &err);
}

static int
begin_next(struct recorder *r, const struct pmon_sample *sample)
{
	record_files_next(&r->files, local_time(sample));
	return begin_chosen(r, sample);
}

// Begin the next part after a file that cannot be continued, in the same period.
static int
begin_beside(struct recorder *r, const struct pmon_sample *sample)
{
	char path[RECORD_PATH_SIZE];

	strcpy(path, r->files.path);
	if (r->files.names == NAMES_FIXED)
		(void)record_files_init(&r->files, NAMES_NUMBER, path);
	return begin_next(r, sample);
}

static int
begin_part(struct recorder *r, const struct pmon_sample *sample)
{
	char path[RECORD_PATH_SIZE];
	int status;

	strcpy(path, r->files.path);
	status = begin_beside(r, sample);
	if (status == EXIT_DONE && !r->plan.quiet)
		say(0, "note: %s is left unchanged; recording continues in %s", path,
		    r->files.path);
	return status;
}

static bool
is_continuable(enum pmon_status status)
{
	return status != PMON_E_UNSUPPORTED && status != PMON_E_STATE && status != PMON_E_FORMAT;
}

// The id of the recorded machine with this name, if it differs from the one in the file.
static const char *
other_id(const struct recorder *r, const struct pmon_machine *there)
{
	struct pmon_span name = {there->name, strlen(there->name)};
	const char *id = pmon_machine_id(pmon_source_info(r->source), name);

	return id != NULL && strcmp(id, there->id) != 0 ? id : NULL;
}

// Readers would mix the samples of two machines with the same name. A file that cannot be opened
// has no ids; create() reports what is wrong with it.
static bool
is_of_other_machine(const struct recorder *r)
{
	const struct pmon_source_info *there;
	const char *id = NULL;
	struct pmon_source *log;
	struct pmon_err err;

	if (pmon_source_info(r->source)->n_machines == 0 ||
	    pmon_log_open(r->files.path, NULL, &log, &err) != PMON_OK)
		return false;
	there = pmon_source_info(log);
	for (size_t i = 0; id == NULL && i < there->n_machines; i++) {
		id = other_id(r, &there->machines[i]);
		if (id != NULL)
			say(0,
			    "warning: %s has samples from another machine named %s: its id is %s, "
			    "and the id of this machine is %s",
			    r->files.path, there->machines[i].name, there->machines[i].id, id);
	}
	pmon_source_close(log);
	return id != NULL;
}

// Continue the existing file. If that is impossible, begin a new part.
static int
continue_file(struct recorder *r, const struct pmon_sample *sample)
{
	struct pmon_err err;
	enum pmon_status status;

	begin_facts(r, sample, true);
	if ((r->plan.max_bytes > 0 && r->file.bytes >= r->plan.max_bytes) || is_of_other_machine(r))
		return begin_part(r, sample);
	status = create(r, &err);
	if (status != PMON_OK && !is_continuable(status))
		return begin_part(r, sample);
	if (status != PMON_OK)
		return say_write_err(r->files.path, &err);
	return begin_output(r, sample, &err) == PMON_OK ? EXIT_DONE : failed(r, &err);
}

static bool
is_in_place(const struct recorder *r)
{
	struct pmon_os_stat there = pmon_os_stat(r->files.path, true);

	return there.is_there && there.device == r->file.there.device &&
	       there.number == r->file.there.number;
}

// May a new file have this name? A file that another program created there stays, unless it is
// empty, and so does the rest of a truncated one.
static bool
is_name_free(const struct recorder *r)
{
	return !pmon_os_stat(r->files.path, false).is_there ||
	       (may_overwrite(r) && !is_in_place(r));
}

static int
begin_replacement(struct recorder *r, const struct pmon_sample *sample)
{
	int status;

	if (period_of(r, sample) != r->file.period)
		status = begin_next(r, sample);
	else if (is_name_free(r))
		status = begin_chosen(r, sample);
	else
		status = begin_beside(r, sample);
	r->is_displaced = false;
	if (status == EXIT_DONE)
		say(0, "recording continues in a new file, %s", r->files.path);
	return status;
}

static int
begin_file(struct recorder *r, const struct pmon_sample *sample)
{
	int64_t to_local = sample->utc_offset_min * PMON_TIME_PER_MIN;
	int status;

	if (r->is_displaced)
		status = begin_replacement(r, sample);
	else if (r->plan.append && r->n_files == 0 &&
		 record_files_current(&r->files, local_time(sample), to_local,
				      r->plan.rotate_100ns))
		status = continue_file(r, sample);
	else
		status = begin_next(r, sample);
	if (status != EXIT_DONE)
		return status;
	note_identity(r);
	r->n_files++;
	return EXIT_DONE;
}

// ---- Ending one -----------------------------------------------------------------------------------

static int
end_file(struct recorder *r)
{
	struct pmon_err err;

	if (r->sink == NULL)
		return EXIT_DONE;
	if (pmon_sink_finish(r->sink, &err) != PMON_OK)
		return failed(r, &err);
	r->bytes += r->file.bytes;
	pmon_sink_close(r->sink);
	r->sink = NULL;
	return EXIT_DONE;
}

// ---- A file that another program deletes, truncates or moves ----------------------------------------

static struct pmon_outfile_state
state_of(const struct recorder *r)
{
	return pmon_outfile_state(r->sink->ops->file(r->sink));
}

// Written data is gone. Do not write to the file again: its remainder, or a new file with its name,
// stays unchanged.
static void
give_up(struct recorder *r, const char *what)
{
	say(0, "%s was %s while it was recorded: its samples (%llu) are lost", r->files.path, what,
	    (unsigned long long)r->file.samples);
	r->lost += r->file.samples;
	r->samples -= r->file.samples;
	r->is_displaced = true;
	pmon_sink_close(r->sink);
	r->sink = NULL;
}

// Written data exists under another name.
static int
leave(struct recorder *r)
{
	say(0,
	    "%s was moved while it was recorded: its samples (%llu) are in the file that was moved",
	    r->files.path, (unsigned long long)r->file.samples);
	r->is_displaced = true;
	return end_file(r);
}

// If its folder was moved too, no new file can take the name, and the recording continues in the
// moved file.
static bool
is_moved(const struct recorder *r)
{
	return !is_in_place(r) && record_files_has_folder(&r->files);
}

// Does all written data still exist? The name is checked when the file is synced: until then,
// SIGHUP may announce that it was moved on purpose.
static int
check_place(struct recorder *r, bool by_name)
{
	struct pmon_outfile_state now;

	if (r->sink == NULL || r->file.samples == 0)
		return EXIT_DONE;
	now = state_of(r);
	if (!now.is_regular)
		return EXIT_DONE;
	if (now.links == 0)
		give_up(r, "deleted");
	else if (now.is_emptied || now.size < r->file.reached)
		give_up(r, "truncated");
	else if (by_name && is_moved(r))
		return leave(r);
	return EXIT_DONE;
}

int
recorder_finish(struct recorder *r)
{
	int status = check_place(r, true);

	return status == EXIT_DONE ? end_file(r) : status;
}

int
recorder_rotate(struct recorder *r)
{
	int status = check_place(r, false);

	if (status != EXIT_DONE || r->sink == NULL ||
	    (r->files.names == NAMES_FIXED && is_in_place(r)))
		return status;
	return end_file(r);
}

int
recorder_widen(struct recorder *r)
{
	char path[RECORD_PATH_SIZE];
	int status;

	if (r->sink == NULL || !is_text(r) || strcmp(r->files.path, "-") == 0)
		return EXIT_DONE;
	status = recorder_finish(r); // under its own name
	if (r->files.names == NAMES_FIXED) {
		strcpy(path, r->files.path);
		(void)record_files_init(&r->files, NAMES_NUMBER, path);
		say(0, "note: %s has no columns for new counters; the next file has them", path);
	}
	return status;
}

// Would one more sample make the file too large?
static bool
is_full(const struct recorder *r)
{
	uint64_t room = r->file.largest;

	if (r->plan.max_bytes == 0 || (r->plan.circular && !r->plan.segments) ||
	    r->file.samples == 0)
		return false;
	if (strcmp(r->plan.format, "blg") == 0 && room < BUFFER_BYTES)
		room = BUFFER_BYTES;
	return r->file.bytes + room > r->plan.max_bytes;
}

// ---- Samples --------------------------------------------------------------------------------------

static enum pmon_status
flush(struct recorder *r, struct pmon_err *err)
{
	int64_t now = pmon_os_monotonic_100ns();
	bool sync = now >= r->next_sync;
	enum pmon_status status = pmon_sink_flush(r->sink, sync, err);
	uint64_t size = pmon_sink_size(r->sink);
	uint64_t reached = state_of(r).size;

	if (sync)
		r->next_sync = now + r->plan.sync_100ns;
	if (r->file.samples > 0 && size - r->file.bytes > r->file.largest)
		r->file.largest = size - r->file.bytes;
	r->file.bytes = size;
	// It may have been truncated since it was written, since writing may take long.
	if (reached > r->file.reached)
		r->file.reached = reached;
	tell_size(r);
	return status;
}

// Remove old files when a new one has data, and occasionally while it grows.
static void
trim(struct recorder *r)
{
	const struct record_keep *keep = &r->plan.keep;
	int64_t now = pmon_os_monotonic_100ns();
	bool is_grown = keep->bytes > 0 && r->file.bytes - r->file.trimmed > keep->bytes / 16;

	if (r->files.names == NAMES_FIXED ||
	    (keep->n == 0 && keep->bytes == 0 && keep->age_100ns == 0))
		return;
	if (r->file.samples > 1 && now < r->next_trim && !is_grown)
		return;
	r->next_trim = now + TRIM_100NS;
	r->file.trimmed = r->file.bytes;
	record_files_trim(&r->files, keep);
}

static int
make_room(struct recorder *r, const struct pmon_sample *sample)
{
	bool is_due = r->plan.rotate_100ns > 0 && period_of(r, sample) != r->file.period;

	if (r->sink == NULL || (!is_due && !is_full(r)))
		return EXIT_DONE;
	r->full = !is_due && !r->plan.many;
	return recorder_finish(r);
}

// The first sample may show that a file cannot be continued, because its columns differ.
static enum pmon_status
put_elsewhere(struct recorder *r, const struct pmon_sample *sample, const struct pmon_value *values,
	      struct pmon_err *err)
{
	pmon_sink_close(r->sink);
	r->sink = NULL;
	if (begin_part(r, sample) != EXIT_DONE)
		return PMON_E_IO;
	note_identity(r);
	return pmon_sink_add(r->sink, sample, values, err);
}

static enum pmon_status
write_sample(struct recorder *r, const struct pmon_sample *sample, const struct pmon_value *values,
	     struct pmon_err *err)
{
	enum pmon_status status = pmon_sink_add(r->sink, sample, values, err);

	if (r->file.samples == 0 && r->file.is_continued && !is_continuable(status))
		status = put_elsewhere(r, sample, values, err);
	return status == PMON_OK ? flush(r, err) : status;
}

static int
record_sample(struct recorder *r, const struct pmon_sample *sample)
{
	const struct pmon_value *values = NULL;
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (r->statistics != NULL)
		status = pmon_statistics_add(r->statistics, sample, &values, &err);
	if (status == PMON_OK)
		status = write_sample(r, sample, values, &err);
	// SQLite reads back what it wrote, and fails if that is gone.
	if (status != PMON_OK && r->sink != NULL) {
		(void)check_place(r, false);
		if (r->is_displaced && begin_file(r, sample) == EXIT_DONE)
			status = write_sample(r, sample, values, &err);
	}
	if (status != PMON_OK && r->sink == NULL)
		return EXIT_FAILED; // which was reported
	return status == PMON_OK ? EXIT_DONE : failed(r, &err);
}

// Add the start values of processes since the preceding sample: displayed values need them, raw
// ones do not.
static int
add_starts(struct recorder *r, const struct pmon_sample *sample)
{
	struct pmon_err err;

	if (r->statistics != NULL &&
	    pmon_statistics_add(r->statistics, sample, NULL, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (r->sink != NULL && (pmon_sink_needs(r->sink) & PMON_SINK_STARTS) &&
	    pmon_sink_add(r->sink, sample, NULL, &err) != PMON_OK)
		return failed(r, &err);
	return EXIT_DONE;
}

int
recorder_add(struct recorder *r, const struct pmon_sample *sample)
{
	int status = check_place(r, pmon_os_monotonic_100ns() >= r->next_sync);

	if (status != EXIT_DONE)
		return status;
	if (sample->starts)
		return add_starts(r, sample);
	status = make_room(r, sample);
	if (status != EXIT_DONE || r->full)
		return status;
	if (r->sink == NULL)
		status = begin_file(r, sample);
	if (status == EXIT_DONE)
		status = record_sample(r, sample);
	if (status != EXIT_DONE)
		return status;
	r->file.samples++;
	r->samples++;
	trim(r);
	return keep_last(r, sample);
}
