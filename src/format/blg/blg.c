// blg.c - the binary log of Windows' Performance Monitor, as a source of samples
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/machine.h"

// ---- Reading --------------------------------------------------------------------------------

// A record of an unknown kind is damaged if it contains values, or the header of a list of
// counters.
static void
take_unknown(struct blg *blg, const struct blg_record *record)
{
	if (blg_has_values(record->bytes, record->len))
		pmon_report_loss(&blg->report, record->offset, record->len,
				 "a record of the unknown type 0x%02X contains counter values",
				 record->type);
	else
		blg_unknown(&blg->report);
}

// Process a record. PMON_OK with *is_sample set if it is an intact sample, which is then in
// blg->sample.
static enum pmon_status
take_record(struct blg *blg, const struct blg_record *record, bool *is_sample, struct pmon_err *err)
{
	enum pmon_status status;

	*is_sample = false;
	switch (record->type) {
	case BLG_NAMES:
		return pmon_blg_names_load(blg, record, err);
	case BLG_CATALOGUE:
		return pmon_blg_catalogue_load(blg, record, err);
	case BLG_SAMPLE:
		status = pmon_blg_sample_load(blg, record, err);
		*is_sample = status == PMON_OK;
		return status == PMON_END ? PMON_OK : status;
	case BLG_INSTANCES:
		return PMON_OK; // repeats what the samples say
	default:
		take_unknown(blg, record);
		return PMON_OK;
	}
}

static enum pmon_status
read_sample(struct blg *blg, struct pmon_err *err)
{
	struct blg_record record;
	bool is_sample = false;
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && !is_sample) {
		uint64_t damaged;

		pmon_blg_sample_expect(blg);
		status = pmon_blg_record_next(&blg->assembler, &record, err);
		if (status != PMON_OK)
			break;
		damaged = blg->source.info.bytes_damaged;
		status = take_record(blg, &record, &is_sample, err);
		pmon_report_settle(&blg->report, damaged, record.file_bytes);
	}
	if (status == PMON_END)
		pmon_report_balance(&blg->report, blg->etl.is_stream ? blg->source.info.bytes_read
								     : blg->etl.file_bytes);
	return status;
}

static enum pmon_status
blg_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct blg *blg = (struct blg *)source;
	enum pmon_status status;

	if (blg->failure != PMON_OK) {
		if (err != NULL)
			*err = blg->failure_err;
		return blg->failure;
	}
	status = read_sample(blg, &blg->failure_err);
	if (status == PMON_OK) {
		*sample = &blg->sample;
	} else if (status != PMON_END) {
		if (err != NULL)
			*err = blg->failure_err;
		// A failed read may succeed if it is retried, but not after something was partially
		// processed, such as a sample of which only parts are read.
		if (status != PMON_E_IO || blg->reads_few)
			blg->failure = status;
	}
	return status;
}

static void
rewind_all(struct blg *blg)
{
	pmon_report_rewind(&blg->report);
	pmon_blg_etl_rewind(&blg->etl);
	pmon_blg_assembler_rewind(&blg->assembler);
	pmon_blg_catalogues_rewind(blg);
	blg->log = NULL;
}

static enum pmon_status
blg_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)err;
	rewind_all((struct blg *)source);
	return PMON_OK;
}

// ---- Closing --------------------------------------------------------------------------------

static void
blg_close(struct pmon_source *source)
{
	struct blg *blg = (struct blg *)source;
	const struct pmon_allocator *allocator = blg->allocator;

	pmon_blg_etl_close(&blg->etl); // ends the thread that reads the file
	pmon_file_close(blg->file);
	pmon_blg_catalogues_free(blg);
	pmon_titles_free(&blg->titles);
	pmon_blg_assembler_free(&blg->assembler);
	pmon_mem_free(allocator, blg->series, blg->series_cap * sizeof(*blg->series));
	pmon_mem_free(allocator, blg->raw, blg->raw_cap * sizeof(*blg->raw));
	pmon_mem_free(allocator, blg->marks, blg->marks_cap * sizeof(*blg->marks));
	pmon_mem_free(allocator, blg->parents.names,
		      blg->parents.cap * sizeof(*blg->parents.names));
	pmon_mem_free(allocator, blg->text, blg->text_cap);
	pmon_schema_free(&blg->source.schema);
	pmon_arena_free(&blg->arena);
	if (blg->has_lock)
		pmon_lock_destroy(&blg->lock);
	pmon_mem_free(allocator, blg, sizeof(*blg));
}

static void
blg_skip(struct pmon_source *source, const bool *unread, size_t n)
{
	const struct blg *blg = (const struct blg *)source;

	for (size_t i = 0; i < blg->n_logs; i++)
		for (size_t k = 0; k < blg->logs[i].n_catalogues; k++)
			pmon_blg_catalogue_skip(blg->logs[i].catalogues[k], unread, n);
}

static const struct pmon_source_ops blg_ops = {blg_next, blg_rewind, blg_close};

// ---- Opening --------------------------------------------------------------------------------

// Is everything known that is needed to name the counters of this sample?
static bool
can_name(struct blg *blg, const struct blg_record *sample)
{
	const struct blg_log *log = pmon_blg_log_find(blg, sample->log_id);

	return log != NULL && log->current != NULL &&
	       (!log->current->has_objects || blg->names != NULL);
}

// Read up to the first sample to find the counters. Normally their list precedes it; in the remains
// of a log it may be anywhere, so then the whole file is searched.
static enum pmon_status
look_ahead(struct blg *blg, struct pmon_err *err)
{
	struct blg_record record;
	enum pmon_status status;
	bool all = false;

	blg->report.seen = UINT64_MAX; // report nothing yet
	while ((status = pmon_blg_record_next(&blg->assembler, &record, err)) == PMON_OK) {
		if (record.type == BLG_SAMPLE)
			all = all || !can_name(blg, &record);
		if (record.type == BLG_SAMPLE && !all)
			break;
		if (record.type == BLG_NAMES)
			status = pmon_blg_names_load(blg, &record, err);
		if (record.type == BLG_CATALOGUE)
			status = pmon_blg_catalogue_load(blg, &record, err);
		if (status != PMON_OK)
			break;
	}
	pmon_blg_catalogues_settle(blg);
	rewind_all(blg);
	// A list of counters is longer than a sample, so free its buffer.
	pmon_blg_assembler_free(&blg->assembler);
	blg->report.seen = 0;
	return status == PMON_END ? PMON_OK : status;
}

// No list of counters was found: say what the file is instead.
static enum pmon_status
no_counters(const struct blg *blg, struct pmon_err *err)
{
	if (blg->etl.n_pdh > 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "a binary performance log without a list of counters: its "
				    "values cannot be assigned to counters");
	if (blg->etl.n_foreign > 1) // the header event is one
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "an event trace (ETL) without performance counters; "
				    "use an event tracing tool, such as tracerpt on Windows");
	return pmon_err_set(err, PMON_E_FORMAT, 0,
			    "an event trace file without events: nothing was logged, or its "
			    "buffers were not flushed yet");
}

// Report facts about the file as a whole that a user should know.
static void
tell_oddities(struct blg *blg)
{
	const struct blg_header *h = &blg->etl.header;
	uint64_t whole = blg_etl_in_file(&blg->etl);

	blg->report.here = 1;
	if (h->end == PMON_TIME_NONE)
		pmon_report_remark(&blg->report, 0,
				   "the log was not closed; reading the data written so far");
	else if ((h->log_mode & BLG_MODE_CIRCULAR) == 0 && h->buffers_written > whole)
		pmon_report_missing(
			&blg->report, blg->etl.file_bytes,
			(h->buffers_written - whole) * h->buffer_bytes,
			"the file is cut off: %llu of its %u buffers of %u bytes %s missing",
			(unsigned long long)(h->buffers_written - whole), h->buffers_written,
			h->buffer_bytes, pmon_text_word(h->buffers_written - whole, "is", "are"));
}

static const struct blg_catalogue *
first_catalogue(const struct blg *blg)
{
	return blg->n_logs > 0 ? blg->logs[0].catalogues[0] : NULL;
}

// Are there no wildcards, whose instances are known only from samples?
static bool
lists_series(const struct blg_catalogue *c)
{
	bool all = !c->has_objects && !c->is_cut;

	for (size_t i = 0; i < c->n; i++)
		all = all && c->entries[i].form == BLG_FORM_SINGLE;
	return all;
}

// "ID NAME"
static bool
take_machines(struct blg *blg)
{
	const struct blg_origin *origin = &blg->etl.header.origin;
	struct pmon_machines machines = {.arena = &blg->arena};

	for (size_t i = 0; i < origin->n_machines; i++) {
		const char *text = origin->machines[i];
		size_t n = strcspn(text, " ");

		if (text[n] == ' ' &&
		    !pmon_machines_add(&machines,
				       (struct pmon_span){text + n + 1, strlen(text + n + 1)},
				       (struct pmon_span){text, n}))
			return false;
	}
	pmon_machines_give(&machines, &blg->source.info);
	return true;
}

static enum pmon_status
fill_info(struct blg *blg, struct pmon_err *err)
{
	const struct blg_header *h = &blg->etl.header;
	const struct blg_catalogue *c = first_catalogue(blg);
	struct pmon_source_info *info = &blg->source.info;
	struct pmon_span zone;
	pmon_time local;

	pmon_blg_header_writer(h, blg->writer);
	if (!pmon_blg_utf8(blg, &h->zone_name, &zone) ||
	    !pmon_arena_copy(&blg->arena, zone, &zone) || !take_machines(blg))
		return pmon_err_nomem(err);
	info->format = "BLG";
	info->writer = blg->writer;
	info->converter = h->origin.converter;
	info->sampled_by_pmon = h->origin.sampled_by_pmon;
	info->machine = "";
	for (size_t i = 0; i < c->n && info->machine[0] == '\0'; i++)
		if (c->entries[i].path.machine.ptr != NULL)
			info->machine = c->entries[i].path.machine.ptr;
	memcpy(blg->zone_info, h->host.zone_info, sizeof(blg->zone_info));
	blg->host = h->host;
	blg->host.zone_info = blg->zone_info;
	info->host = &blg->host;
	info->log_start = h->start;
	info->log_end = h->end;
	info->size_bytes = blg->etl.file_bytes;
	info->lists_series = blg->n_logs == 1 && lists_series(c);
	local = h->start == PMON_TIME_NONE ? PMON_TIME_NONE
					   : h->start + h->zone.standard_min * PMON_TIME_PER_MIN;
	info->utc_offset_min = local == PMON_TIME_NONE
				       ? h->zone.standard_min
				       : pmon_blg_zone_offset(&h->zone, local, PMON_TIME_NONE);
	info->zone =
		pmon_blg_zone_known_name(zone.ptr, info->utc_offset_min != h->zone.standard_min);
	return PMON_OK;
}

static enum pmon_status
open_all(struct blg *blg, struct pmon_err *err)
{
	uint8_t head[PMON_PROBE_BYTES];
	size_t len;
	enum pmon_status status;

	blg->report.here = 1;
	status = pmon_file_read(blg->file, 0, head, sizeof(head), &len, err);
	if (status == PMON_OK)
		status = pmon_blg_header_read(blg->file, head, len, &blg->etl.header, err);
	if (status == PMON_OK)
		status = pmon_blg_etl_open(&blg->etl, err);
	if (status == PMON_OK)
		status = look_ahead(blg, err);
	if (status != PMON_OK)
		return status;
	if (first_catalogue(blg) == NULL)
		return no_counters(blg, err);
	tell_oddities(blg);
	return fill_info(blg, err);
}

static enum pmon_status
blg_open(struct pmon_source *source, const struct pmon_log_files *files,
	 const struct pmon_log_options *options, struct pmon_err *err)
{
	struct blg *blg = (struct blg *)source;
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);

	source->split = &pmon_blg_split;
	source->skip = blg_skip;
	blg->allocator = allocator;
	blg->limits = pmon_limits_of_size(&options->limits, pmon_file_size(files->file));
	blg->want = options->want;
	blg->want_ctx = options->want_ctx;
	blg->etl.threads = options->threads;
	blg->file = files->file;
	pmon_format_report(&blg->report, source, options);
	blg->etl.file = files->file;
	blg->etl.allocator = allocator;
	blg->etl.report = &blg->report;
	pmon_blg_assembler_init(&blg->assembler, &blg->etl, blg->limits.record_bytes);
	pmon_arena_init(&blg->arena, allocator);
	pmon_titles_init(&blg->titles, allocator);
	blg->hash_seed = pmon_hash_seed();
	return open_all(blg, err);
}

const struct pmon_format pmon_format_blg = {
	.name = "BLG",
	.probe = pmon_blg_header_probe,
	.open = blg_open,
	.source_bytes = sizeof(struct blg),
	.ops = &blg_ops,
	.is_forward = true,
	.writers = &pmon_blg_writer,
	.n_writers = 1,
};
