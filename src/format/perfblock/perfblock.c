// perfblock.c - dumps of HKEY_PERFORMANCE_DATA as a source of samples
// SPDX-License-Identifier: MIT

#include "format/perfblock/perfblock.h"

#include "base/limits.h"
#include "base/mem.h"

// ---- Reading --------------------------------------------------------------------------------

static enum pmon_status
read_sample(struct perfblock *pb, struct pmon_err *err)
{
	bool any = false;

	while (!any) {
		enum pmon_status status = pmon_perfblock_group_sample(pb, &any, err);

		if (status == PMON_END)
			status = pmon_perfblock_group_load(pb, err);
		if (status != PMON_OK)
			return status;
	}
	return PMON_OK;
}

static enum pmon_status
perfblock_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct perfblock *pb = (struct perfblock *)source;

	if (pb->failure == PMON_OK) {
		enum pmon_status status = read_sample(pb, &pb->failure_err);

		if (status == PMON_OK)
			*sample = &pb->sample;
		if (status == PMON_OK || status == PMON_END)
			return status;
		pb->failure = status;
	}
	if (err != NULL)
		*err = pb->failure_err;
	return pb->failure;
}

static enum pmon_status
start(struct perfblock *pb, struct pmon_err *err)
{
	pb->n_blocks = 0;
	pb->report.here = 1;
	pb->source.info.bytes_read = 0;
	for (size_t i = 0; i < pb->n_machines; i++)
		pb->machines[i].n_samples = 0;
	return pmon_pile_start(&pb->pile, err);
}

static enum pmon_status
perfblock_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct perfblock *pb = (struct perfblock *)source;

	if (pb->failure != PMON_OK) {
		if (err != NULL)
			*err = pb->failure_err;
		return pb->failure;
	}
	pmon_report_rewind(&pb->report);
	return start(pb, err);
}

// ---- Closing --------------------------------------------------------------------------------

static void
perfblock_close(struct pmon_source *source)
{
	struct perfblock *pb = (struct perfblock *)source;
	const struct pmon_allocator *allocator = pb->allocator;

	pmon_pile_close(&pb->pile);
	pmon_tables_free(&pb->tables);
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
	pmon_schema_free(&pb->source.schema);
	pmon_mem_free(allocator, pb, sizeof(*pb));
}

static const struct pmon_source_ops perfblock_ops = {
	perfblock_next,
	perfblock_rewind,
	perfblock_close,
};

// ---- Opening --------------------------------------------------------------------------------

static const struct pmon_pile_ops pile_ops = {pmon_perfblock_find, pmon_perfblock_probe};

// Read the first moment to learn the machine and the zone, and go back to it.
static enum pmon_status
look_ahead(struct perfblock *pb, struct pmon_err *err)
{
	struct pmon_source_info *info = &pb->source.info;
	enum pmon_status status = start(pb, err);
	bool any;

	if (status != PMON_OK)
		return status;
	info->size_bytes = pb->pile.bytes;
	if (pmon_pile_peek(&pb->pile) == NULL)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the beginning of a PERF_DATA_BLOCK, but no complete block");
	status = pmon_perfblock_group_load(pb, err);
	if (status == PMON_OK && pb->n_machines > 0 && pb->machines[0].name.ptr != NULL)
		info->machine = pb->machines[0].name.ptr;
	// All samples of the moment, so that anything in them is reported once.
	for (bool first = true; status == PMON_OK; first = false) {
		status = pmon_perfblock_group_sample(pb, &any, err);
		if (status == PMON_OK && first)
			info->utc_offset_min = pb->sample.utc_offset_min;
	}
	if (status != PMON_END)
		return status;
	pmon_report_rewind(&pb->report);
	return start(pb, err);
}

static enum pmon_status
perfblock_open(struct pmon_source *source, const struct pmon_log_files *files,
	       const struct pmon_log_options *options, struct pmon_err *err)
{
	struct perfblock *pb = (struct perfblock *)source;
	enum pmon_status status;

	pb->allocator = pmon_mem_allocator(options->allocator);
	pb->keeps_texts = options->texts;
	pmon_texts_init(&pb->texts, pb->allocator);
	pb->max_bytes = pmon_limits_filled(&options->limits).record_bytes;
	if (pb->max_bytes > UINT32_MAX)
		pb->max_bytes = UINT32_MAX;
	pmon_format_report(&pb->report, source, options);
	pmon_titles_init(&pb->titles, pb->allocator);
	pb->pile = (struct pmon_pile){.ops = &pile_ops, .ctx = pb, .report = &pb->report};
	status = pmon_pile_open(&pb->pile, &pb->tables, source, files, options, err);
	if (status == PMON_OK)
		status = pmon_perfblock_load_names(pb, options->names,
						   files->n > 0 ? files->paths[0] : NULL, err);
	if (status == PMON_OK && !pmon_titles_translate(&pb->titles, &source->schema))
		status = pmon_err_nomem(err);
	return status == PMON_OK ? look_ahead(pb, err) : status;
}

const struct pmon_format pmon_format_perfblock = {
	.name = "PERF_DATA_BLOCK",
	.probe = pmon_perfblock_probe,
	.open = perfblock_open,
	.source_bytes = sizeof(struct perfblock),
	.ops = &perfblock_ops,
	.takes_many = true,
};
