// winperf.c - Checkmk agents' winperf sections as a source of samples
// SPDX-License-Identifier: MIT

#include "format/winperf/winperf.h"

#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf.h"

#define LOOK_BYTES   ((size_t)64 << 10) // as in find.c
#define MAX_MACHINES 4096
#define MAX_SECTIONS 1000 // of one sample

// The agent adds a timestamp when it queries each object, one after the other. Sections of one run
// are within this time; a repeated section always begins the next sample.
#define RUN_TIME (10 * PMON_TIME_PER_SEC)

// ---- Machines -------------------------------------------------------------------------------

enum pmon_status
pmon_winperf_machine(struct winperf *wp, struct pmon_span name, uint32_t *out, struct pmon_err *err)
{
	struct pmon_winperf_machine *machine;

	if (!pmon_utf8_valid(name))
		name = PMON_SPAN("?");
	for (*out = 0; *out < wp->n_machines; (*out)++)
		if (pmon_text_same(wp->machines[*out].name, name))
			return PMON_OK;
	*out = 0;
	if (wp->n_machines >= MAX_MACHINES)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %d machines in one log",
				    MAX_MACHINES);
	if (!pmon_mem_grow(wp->allocator, &wp->machines, &wp->machines_cap, wp->n_machines + 1,
			   sizeof(*wp->machines)))
		return pmon_err_nomem(err);
	machine = &wp->machines[wp->n_machines];
	*machine = (struct pmon_winperf_machine){{NULL, 0}, 0};
	if (name.len > 0 && !pmon_arena_copy(&wp->group.arena, name, &machine->name))
		return pmon_err_nomem(err);
	*out = (uint32_t)wp->n_machines++;
	return PMON_OK;
}

// ---- Samples --------------------------------------------------------------------------------

// Whether the section belongs to the current sample.
static bool
is_joining(const struct winperf *wp, const struct pmon_file_group_record *record)
{
	const struct winperf_state *state = &wp->states[record->member];

	if (wp->n_seen == 0)
		return true;
	if (state->machine != wp->sample.stream || wp->n_seen >= MAX_SECTIONS ||
	    record->time - wp->sample.time > RUN_TIME || record->time < wp->sample.time)
		return false;
	for (size_t i = 0; i < wp->n_seen; i++)
		if (strcmp(wp->seen[i].name, state->section) == 0 &&
		    wp->seen[i].object == state->stamp.object)
			return false;
	return true;
}

static bool
remember(struct winperf *wp, const struct winperf_state *state)
{
	if (!pmon_mem_grow(wp->allocator, &wp->seen, &wp->seen_cap, wp->n_seen + 1,
			   sizeof(*wp->seen)))
		return false;
	memcpy(wp->seen[wp->n_seen].name, state->section, sizeof(state->section));
	wp->seen[wp->n_seen++].object = state->stamp.object;
	return true;
}

static enum pmon_status
load_section(struct winperf *wp, const struct pmon_file_group_record *record, struct pmon_err *err)
{
	const struct winperf_state *state = &wp->states[record->member];
	enum pmon_status status;
	size_t len;

	if (record->len > wp->max_bytes) {
		pmon_report_loss(&wp->report, record->offset, record->len,
				 "a section is larger than the limit");
		return PMON_OK;
	}
	if (!pmon_mem_grow(wp->allocator, &wp->text, &wp->text_cap, (size_t)record->len + 1, 1))
		return pmon_err_nomem(err);
	status = pmon_file_group_read(&wp->group, wp->text, (size_t)record->len, &len, err);
	if (status != PMON_OK)
		return status;
	wp->source.info.bytes_read += len;
	return pmon_winperf_section_load(wp, state, record, (struct pmon_span){wp->text, len}, err);
}

static enum pmon_status
take_section(struct winperf *wp, const struct pmon_file_group_record *record, struct pmon_err *err)
{
	enum pmon_status status;

	wp->report.here++;
	if (wp->n_seen == 0) {
		wp->sample.time = record->time;
		wp->sample.stream = wp->states[record->member].machine;
	}
	if (!remember(wp, &wp->states[record->member]))
		return pmon_err_nomem(err);
	status = load_section(wp, record, err);
	return status == PMON_OK ? pmon_file_group_skip(&wp->group, err) : status;
}

static enum pmon_status
read_sample(struct winperf *wp, struct pmon_err *err)
{
	const struct pmon_file_group_record *record;

	wp->n_seen = 0;
	wp->sample = (struct pmon_sample){0};
	pmon_tables_begin(&wp->tables);
	while ((record = pmon_file_group_peek(&wp->group)) != NULL && is_joining(wp, record)) {
		enum pmon_status status = take_section(wp, record, err);

		if (status != PMON_OK)
			return status;
	}
	if (wp->n_seen == 0)
		return PMON_END;
	wp->sample.ordinal = wp->machines[wp->sample.stream].n_samples++;
	wp->sample.n = wp->tables.n;
	wp->sample.series = wp->tables.series;
	wp->sample.raw = wp->tables.raw;
	wp->sample.perf_100ns = pmon_perf_of(&wp->perf, &wp->source.schema, &wp->sample);
	return PMON_OK;
}

static enum pmon_status
winperf_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct winperf *wp = (struct winperf *)source;

	if (wp->failure == PMON_OK) {
		enum pmon_status status = read_sample(wp, &wp->failure_err);

		if (status == PMON_OK)
			*sample = &wp->sample;
		if (status == PMON_OK || status == PMON_END)
			return status;
		wp->failure = status;
	}
	if (err != NULL)
		*err = wp->failure_err;
	return wp->failure;
}

static enum pmon_status
start(struct winperf *wp, struct pmon_err *err)
{
	wp->report.here = 1;
	wp->source.info.bytes_read = 0;
	for (size_t i = 0; i < wp->n_machines; i++)
		wp->machines[i].n_samples = 0;
	return pmon_file_group_start(&wp->group, err);
}

static enum pmon_status
winperf_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct winperf *wp = (struct winperf *)source;

	if (wp->failure != PMON_OK) {
		if (err != NULL)
			*err = wp->failure_err;
		return wp->failure;
	}
	pmon_report_rewind(&wp->report);
	return start(wp, err);
}

// ---- Closing --------------------------------------------------------------------------------

static void
winperf_close(struct pmon_source *source)
{
	struct winperf *wp = (struct winperf *)source;
	const struct pmon_allocator *allocator = wp->allocator;

	pmon_mem_free(allocator, wp->states, wp->group.n * sizeof(*wp->states));
	pmon_file_group_close(&wp->group);
	pmon_tables_free(&wp->tables);
	pmon_titles_free(&wp->titles);
	pmon_mem_free(allocator, wp->machines, wp->machines_cap * sizeof(*wp->machines));
	pmon_mem_free(allocator, wp->look, LOOK_BYTES);
	pmon_mem_free(allocator, wp->text, wp->text_cap);
	pmon_mem_free(allocator, wp->counters, wp->counters_cap * sizeof(*wp->counters));
	pmon_mem_free(allocator, wp->rows, wp->rows_cap * sizeof(*wp->rows));
	pmon_mem_free(allocator, wp->utf8, wp->utf8_cap);
	pmon_mem_free(allocator, wp->seen, wp->seen_cap * sizeof(*wp->seen));
	pmon_schema_free(&wp->source.schema);
	pmon_mem_free(allocator, wp, sizeof(*wp));
}

static const struct pmon_source_ops winperf_ops = {winperf_next, winperf_rewind, winperf_close};

// ---- Opening --------------------------------------------------------------------------------

static const struct pmon_file_group_ops group_ops = {pmon_winperf_find, pmon_winperf_probe};

// Read the first sample to identify the machine, then rewind to it.
static enum pmon_status
look_ahead(struct winperf *wp, struct pmon_err *err)
{
	struct pmon_source_info *info = &wp->source.info;
	uint32_t none;
	enum pmon_status status;

	if (wp->group.n == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "not the output of a Checkmk agent");
	wp->look = pmon_mem_alloc(wp->allocator, LOOK_BYTES);
	wp->states = pmon_mem_alloc0(wp->allocator, wp->group.n * sizeof(*wp->states));
	if (wp->look == NULL || wp->states == NULL)
		return pmon_err_nomem(err);
	status = pmon_winperf_machine(wp, (struct pmon_span){NULL, 0}, &none, err);
	if (status == PMON_OK)
		status = start(wp, err);
	info->size_bytes = wp->group.bytes;
	if (status == PMON_OK)
		status = read_sample(wp, err);
	if (status == PMON_END)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the output of a Checkmk agent without winperf sections: it "
				    "contains no performance counters");
	if (status != PMON_OK)
		return status;
	if (wp->machines[wp->sample.stream].name.ptr != NULL)
		info->machine = wp->machines[wp->sample.stream].name.ptr;
	pmon_report_rewind(&wp->report);
	return start(wp, err);
}

static enum pmon_status
winperf_open(struct pmon_source *source, const struct pmon_log_files *files,
	     const struct pmon_log_options *options, struct pmon_err *err)
{
	struct winperf *wp = (struct winperf *)source;
	enum pmon_status status;

	source->info.writer = wp->writer;
	wp->allocator = pmon_mem_allocator(options->allocator);
	wp->max_bytes = pmon_limits_filled(&options->limits).record_bytes;
	wp->look_member = SIZE_MAX;
	pmon_format_report(&wp->report, source, options);
	pmon_titles_init(&wp->titles, wp->allocator);
	wp->group = (struct pmon_file_group){.ops = &group_ops, .ctx = wp, .report = &wp->report};
	status = pmon_file_group_open(&wp->group, &wp->tables, source, files, options, err);
	if (status == PMON_OK && options->names != NULL)
		status = pmon_file_group_load_titles(&wp->titles, options->names, err);
	if (status == PMON_OK && !pmon_titles_translate(&wp->titles, &source->schema))
		status = pmon_err_nomem(err);
	return status == PMON_OK ? look_ahead(wp, err) : status;
}

const struct pmon_format pmon_format_winperf = {
	.name = "Checkmk winperf",
	.probe = pmon_winperf_probe,
	.open = winperf_open,
	.source_bytes = sizeof(struct winperf),
	.ops = &winperf_ops,
	.takes_many = true,
};
