// perfblock.c - dumps of HKEY_PERFORMANCE_DATA as a source of samples
// SPDX-License-Identifier: MIT

#include "format/perfblock/perfblock.h"

#include "base/limits.h"
#include "base/mem.h"

struct perfblock_log {
	struct pmon_source source; // must be first
	struct perfblock blocks;
	struct pmon_file_group group;
	struct pmon_tables tables;
	enum pmon_status failure; // reading cannot continue
	struct pmon_err failure_err;
};

// ---- Reading --------------------------------------------------------------------------------

// Read the next block of the files into the group. *ok_out is false if the group would exceed the
// limit; the block is then not read.
static enum pmon_status
add_block(struct perfblock_log *log, const struct pmon_file_group_record *record, bool *ok_out,
	  struct pmon_err *err)
{
	struct perfblock *pb = &log->blocks;
	size_t len = (size_t)record->len;
	enum pmon_status status;
	uint8_t *bytes;
	size_t got;

	*ok_out = len <= pb->max_bytes - pb->n_bytes;
	if (!*ok_out)
		return PMON_OK;
	status = pmon_perfblock_group_room(pb, len, &bytes, err);
	if (status == PMON_OK)
		status = pmon_file_group_read(&log->group, bytes, len, &got, err);
	if (status != PMON_OK)
		return status;
	pmon_perfblock_group_add(pb, got, record->offset);
	log->source.info.bytes_read += got;
	return PMON_OK;
}

static enum pmon_status
read_blocks(struct perfblock_log *log, struct pmon_err *err)
{
	const struct pmon_file_group_record *record = pmon_file_group_peek(&log->group);
	struct pmon_file_group_record first;
	bool ok = true;

	if (record == NULL)
		return PMON_END;
	first = *record;
	while (record != NULL && record->time == first.time && record->tie == first.tie) {
		enum pmon_status status;

		log->blocks.report.here++;
		status = add_block(log, record, &ok, err);
		if (status == PMON_OK && !ok)
			pmon_report_loss(&log->blocks.report, record->offset, record->len,
					 "the blocks of one sample are larger than the limit");
		if (status == PMON_OK)
			status = pmon_file_group_skip(&log->group, err);
		if (status != PMON_OK)
			return status;
		record = pmon_file_group_peek(&log->group);
	}
	return PMON_OK;
}

// Read the blocks of the next point in time. PMON_END if there is none.
static enum pmon_status
load_group(struct perfblock_log *log, struct pmon_err *err)
{
	enum pmon_status status;

	pmon_perfblock_group_begin(&log->blocks);
	status = read_blocks(log, err);
	if (status == PMON_END)
		pmon_report_balance(&log->blocks.report, log->group.bytes);
	return status == PMON_OK ? pmon_perfblock_group_ready(&log->blocks, err) : status;
}

static enum pmon_status
read_sample(struct perfblock_log *log, struct pmon_err *err)
{
	bool any = false;

	while (!any) {
		enum pmon_status status = pmon_perfblock_group_sample(&log->blocks, &any, err);

		if (status == PMON_END)
			status = load_group(log, err);
		if (status != PMON_OK)
			return status;
	}
	return PMON_OK;
}

static enum pmon_status
perfblock_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct perfblock_log *log = (struct perfblock_log *)source;

	if (log->failure == PMON_OK) {
		enum pmon_status status = read_sample(log, &log->failure_err);

		if (status == PMON_OK)
			*sample = &log->blocks.sample;
		if (status == PMON_OK || status == PMON_END)
			return status;
		log->failure = status;
	}
	if (err != NULL)
		*err = log->failure_err;
	return log->failure;
}

static enum pmon_status
start(struct perfblock_log *log, struct pmon_err *err)
{
	struct perfblock *pb = &log->blocks;

	pmon_perfblock_group_begin(pb);
	pb->report.here = 1;
	log->source.info.bytes_read = 0;
	for (size_t i = 0; i < pb->n_machines; i++)
		pb->machines[i].n_samples = 0;
	return pmon_file_group_start(&log->group, err);
}

static enum pmon_status
perfblock_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct perfblock_log *log = (struct perfblock_log *)source;

	if (log->failure != PMON_OK) {
		if (err != NULL)
			*err = log->failure_err;
		return log->failure;
	}
	pmon_report_rewind(&log->blocks.report);
	return start(log, err);
}

// ---- Closing --------------------------------------------------------------------------------

void
pmon_perfblock_free(struct perfblock *pb)
{
	const struct pmon_allocator *allocator = pb->allocator;

	pmon_titles_free(&pb->titles);
	pmon_perfblock_text_free(&pb->name_text, allocator);
	pmon_perfblock_text_free(&pb->parent_text, allocator);
	pmon_perfblock_text_free(&pb->value_text, allocator);
	pmon_texts_free(&pb->texts);
	pmon_mem_free(allocator, pb->machines, pb->machines_cap * sizeof(*pb->machines));
	pmon_mem_free(allocator, pb->bytes, pb->bytes_cap);
	pmon_mem_free(allocator, pb->blocks, pb->blocks_cap * sizeof(*pb->blocks));
	pmon_mem_free(allocator, pb->parents.list, pb->parents.cap * sizeof(*pb->parents.list));
	pmon_map_free(&pb->parents.map, allocator);
	pmon_mem_free(allocator, pb->parents.names,
		      pb->parents.names_cap * sizeof(*pb->parents.names));
	pmon_mem_free(allocator, pb->counters, pb->counters_cap * sizeof(*pb->counters));
	pmon_mem_free(allocator, pb->columns, pb->columns_cap * sizeof(*pb->columns));
}

static void
perfblock_close(struct pmon_source *source)
{
	struct perfblock_log *log = (struct perfblock_log *)source;
	const struct pmon_allocator *allocator = log->blocks.allocator;

	pmon_file_group_close(&log->group);
	pmon_perfblock_free(&log->blocks);
	pmon_tables_free(&log->tables);
	pmon_schema_free(&log->source.schema);
	pmon_mem_free(allocator, log, sizeof(*log));
}

static const struct pmon_source_ops perfblock_ops = {
	perfblock_next,
	perfblock_rewind,
	perfblock_close,
};

// ---- Opening --------------------------------------------------------------------------------

static const struct pmon_file_group_ops group_ops = {pmon_perfblock_find, pmon_perfblock_probe};

// Read the first blocks to find the machine and the zone, then rewind.
static enum pmon_status
look_ahead(struct perfblock_log *log, struct pmon_err *err)
{
	struct pmon_source_info *info = &log->source.info;
	struct perfblock *pb = &log->blocks;
	enum pmon_status status = start(log, err);
	bool any;

	if (status != PMON_OK)
		return status;
	info->size_bytes = log->group.bytes;
	if (pmon_file_group_peek(&log->group) == NULL)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the beginning of a PERF_DATA_BLOCK, but no complete block");
	status = load_group(log, err);
	if (status == PMON_OK && pb->n_machines > 0 && pb->machines[0].name.ptr != NULL)
		info->machine = pb->machines[0].name.ptr;
	// Process all samples of this time, so that everything in them is reported once.
	for (bool first = true; status == PMON_OK; first = false) {
		status = pmon_perfblock_group_sample(pb, &any, err);
		if (status == PMON_OK && first)
			info->utc_offset_min = pb->sample.utc_offset_min;
	}
	if (status != PMON_END)
		return status;
	pmon_report_rewind(&pb->report);
	return start(log, err);
}

void
pmon_perfblock_init(struct perfblock *pb, const struct pmon_allocator *allocator)
{
	pb->allocator = pmon_mem_allocator(allocator);
	pmon_texts_init(&pb->texts, pb->allocator);
	pmon_titles_init(&pb->titles, pb->allocator);
}

static enum pmon_status
perfblock_open(struct pmon_source *source, const struct pmon_log_files *files,
	       const struct pmon_log_options *options, struct pmon_err *err)
{
	struct perfblock_log *log = (struct perfblock_log *)source;
	struct perfblock *pb = &log->blocks;
	enum pmon_status status;

	pmon_perfblock_init(pb, options->allocator);
	pb->keeps_texts = options->texts;
	pb->tables = &log->tables;
	pb->max_bytes = pmon_limits_filled(&options->limits).record_bytes;
	if (pb->max_bytes > UINT32_MAX)
		pb->max_bytes = UINT32_MAX;
	pmon_format_report(&pb->report, source, options);
	log->group = (struct pmon_file_group){.ops = &group_ops, .ctx = pb, .report = &pb->report};
	status = pmon_file_group_open(&log->group, &log->tables, source, files, options, err);
	if (status == PMON_OK)
		status = pmon_perfblock_load_names(pb, options->names,
						   files->n > 0 ? files->paths[0] : NULL, err);
	if (status == PMON_OK && !pmon_titles_translate(&pb->titles, &source->schema))
		status = pmon_err_nomem(err);
	return status == PMON_OK ? look_ahead(log, err) : status;
}

const struct pmon_format pmon_format_perfblock = {
	.name = "PERF_DATA_BLOCK",
	.probe = pmon_perfblock_probe,
	.open = perfblock_open,
	.source_bytes = sizeof(struct perfblock_log),
	.ops = &perfblock_ops,
	.takes_many = true,
};
