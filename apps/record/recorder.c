// recorder.c - samples into files, one after the other
// SPDX-License-Identifier: MIT

#include "apps/record/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "cli/output/say.h"
#include "format/format.h"
#include "os/term.h"

#define BUFFER_BYTES 65536 // by which a binary log grows
#define SEGMENTS     4     // of a circle that is made of files, when its newest one is begun
#define TRIM_100NS   (60 * PMON_TIME_PER_SEC)

int
recorder_init(struct recorder *r, const struct record_plan *plan, struct pmon_source *source)
{
	*r = (struct recorder){.plan = *plan, .source = source};
	if (plan->circular && plan->segments) {
		// The oldest one goes when the newest has data, and until then there is one more.
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

// A file has one sample at the least, and that may be more than it was to have.
static void
tell_size(struct recorder *r)
{
	if (r->plan.max_bytes == 0 || r->file.bytes <= r->plan.max_bytes || r->is_size_told)
		return;
	r->is_size_told = true;
	say(0, "%s: note: a single sample is larger than --max-size", r->files.path);
}

// A new file that got no sample is taken away again: on a full disk every restart would leave one.
static void
forget_empty(const struct recorder *r)
{
	if (r->file.is_new && r->file.samples == 0 && pmon_os_stat(r->files.path, false).is_regular)
		record_files_remove(r->files.path);
}

// After a failure what was flushed is whole.
static int
failed(struct recorder *r, const struct pmon_err *err)
{
	(void)say_write_err(r->files.path, err);
	say(0, "%s: %llu samples were recorded before that", r->files.path,
	    (unsigned long long)r->file.samples);
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
	r->last.lead_in = true;
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

// An empty file that was put where one was moved away, as logrotate does, may be written over.
static bool
may_overwrite(const struct recorder *r)
{
	struct pmon_os_stat there = pmon_os_stat(r->files.path, true);

	return (r->plan.overwrite && r->n_files == 0) || (there.is_regular && there.size == 0);
}

// Text holds displayed values in columns that its first sample names.
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
	struct pmon_create_options options = {.live = true,
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
begin(struct recorder *r, const struct pmon_sample *sample, struct pmon_err *err)
{
	// The displayed values of text need no sample before them: the newest is in r->statistics.
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

static int
begin_next(struct recorder *r, const struct pmon_sample *sample)
{
	struct pmon_err err;

	record_files_next(&r->files, local_time(sample));
	begin_facts(r, sample, false);
	if (create(r, &err) != PMON_OK) {
		if (err.status != PMON_E_EXISTS)
			forget_empty(r);
		return say_write_err(r->files.path, &err);
	}
	return begin(r, sample, &err) == PMON_OK ? EXIT_DONE : failed(r, &err);
}

// The next part of a file that cannot be continued: it is of the same period.
static int
begin_part(struct recorder *r, const struct pmon_sample *sample)
{
	char path[RECORD_PATH_SIZE];
	int status;

	strcpy(path, r->files.path);
	if (r->files.names == NAMES_FIXED)
		(void)record_files_init(&r->files, NAMES_NUMBER, path);
	status = begin_next(r, sample);
	if (status == EXIT_DONE && !r->plan.quiet)
		say(0, "note: %s is left unchanged; the recording continues in %s", path,
		    r->files.path);
	return status;
}

static bool
is_continuable(enum pmon_status status)
{
	return status != PMON_E_UNSUPPORTED && status != PMON_E_STATE && status != PMON_E_FORMAT;
}

// The id of the machine of this name that is recorded, if it differs from the one in the file.
static const char *
other_id(const struct recorder *r, const struct pmon_machine *there)
{
	struct pmon_span name = {there->name, strlen(there->name)};
	const char *id = pmon_machine_id(pmon_source_info(r->source), name);

	return id != NULL && strcmp(id, there->id) != 0 ? id : NULL;
}

// Samples of another machine with the same name would be read as those of this one. What cannot be opened has no ids;
// create() says what is wrong with it.
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
			    "warning: %s has samples of another machine named %s: its id is %s, "
			    "and "
			    "that of this one is %s",
			    r->files.path, there->machines[i].name, there->machines[i].id, id);
	}
	pmon_source_close(log);
	return id != NULL;
}

// Go on in the file that is there. What cannot be continued is followed by a new part.
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
	return begin(r, sample, &err) == PMON_OK ? EXIT_DONE : failed(r, &err);
}

static int
begin_file(struct recorder *r, const struct pmon_sample *sample)
{
	int64_t to_local = sample->utc_offset_min * PMON_TIME_PER_MIN;
	int status;

	if (r->plan.append && r->n_files == 0 &&
	    record_files_current(&r->files, local_time(sample), to_local, r->plan.rotate_100ns))
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

int
recorder_finish(struct recorder *r)
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

static bool
is_in_place(const struct recorder *r)
{
	struct pmon_os_stat there = pmon_os_stat(r->files.path, true);

	return there.is_there && there.device == r->file.there.device &&
	       there.number == r->file.there.number;
}

int
recorder_rotate(struct recorder *r)
{
	if (r->sink == NULL || (r->files.names == NAMES_FIXED && is_in_place(r)))
		return EXIT_DONE;
	return recorder_finish(r);
}

int
recorder_widen(struct recorder *r)
{
	char path[RECORD_PATH_SIZE];

	if (r->sink == NULL || !is_text(r) || strcmp(r->files.path, "-") == 0)
		return EXIT_DONE;
	if (r->files.names == NAMES_FIXED) {
		strcpy(path, r->files.path);
		(void)record_files_init(&r->files, NAMES_NUMBER, path);
		say(0, "note: %s has no columns for new counters; the next file has them", path);
	}
	return recorder_finish(r);
}

// Would the file be too large with one sample more?
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

	if (sync)
		r->next_sync = now + r->plan.sync_100ns;
	if (r->file.samples > 0 && size - r->file.bytes > r->file.largest)
		r->file.largest = size - r->file.bytes;
	r->file.bytes = size;
	tell_size(r);
	return status;
}

// Remove old files when a new one has data, and now and then as it grows.
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

static int
put(struct recorder *r, const struct pmon_sample *sample)
{
	const struct pmon_value *values = NULL;
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (r->statistics != NULL)
		status = pmon_statistics_add(r->statistics, sample, &values, &err);
	if (status == PMON_OK)
		status = pmon_sink_add(r->sink, sample, values, &err);
	if (r->file.samples == 0 && r->file.is_continued && !is_continuable(status))
		status = put_elsewhere(r, sample, values, &err);
	if (status != PMON_OK && r->sink == NULL)
		return EXIT_FAILED; // which was reported
	return status == PMON_OK ? EXIT_DONE : failed(r, &err);
}

// Where processes began since the sample before: displayed values begin there, raw ones need not.
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
	struct pmon_err err;
	int status;

	if (sample->starts)
		return add_starts(r, sample);
	status = make_room(r, sample);
	if (status != EXIT_DONE || r->full)
		return status;
	if (r->sink == NULL)
		status = begin_file(r, sample);
	if (status == EXIT_DONE)
		status = put(r, sample);
	if (status != EXIT_DONE)
		return status;
	if (flush(r, &err) != PMON_OK)
		return failed(r, &err);
	r->file.samples++;
	r->samples++;
	trim(r);
	return keep_last(r, sample);
}
