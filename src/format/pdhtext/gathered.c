// gathered.c - the common part of the readers whose samples are spread over lines
// SPDX-License-Identifier: MIT

#include "format/pdhtext/gathered.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf.h"

#define HUNDREDTHS 100.0

// ---- Opening and closing --------------------------------------------------------------------

enum pmon_status
pmon_pdht_gathered_open(struct pdht_gathered *g, const struct pmon_log_files *files,
			const struct pmon_log_options *options, struct pmon_err *err)
{
	struct pmon_source_info *info = &g->source.info;
	const struct pmon_zone *zone;
	enum pmon_status status;

	g->allocator = pmon_mem_allocator(options->allocator);
	g->limits = pmon_limits_filled(&options->limits);
	g->want = options->want;
	g->want_ctx = options->want_ctx;
	g->seed = pmon_hash_seed();
	g->has_zone = options->has_zone || options->zone != NULL;
	g->input.file = files->file;
	g->input.allocator = g->allocator;
	g->input.max_row = g->limits.record_bytes;
	info->size_bytes = pmon_file_size(files->file);
	pmon_format_report(&g->report, &g->source, options);
	g->report.here = 1;
	pmon_arena_init(&g->arena, g->allocator);
	pmon_gather_init(&g->gather, g->allocator);
	status = pmon_pdht_given_zone(options, &zone, err);
	if (status != PMON_OK)
		return status;
	info->utc_offset_min = options->has_zone ? options->zone_offset_min : 0;
	pmon_pdht_clock_start(&g->clock, info->utc_offset_min, zone);
	return PMON_OK;
}

void
pmon_pdht_gathered_close(struct pdht_gathered *g)
{
	pmon_file_close(g->input.file);
	pmon_pdht_input_close(&g->input);
	pmon_mem_free(g->allocator, g->counters, g->counters_cap * sizeof(*g->counters));
	pmon_mem_free(g->allocator, g->scratch, g->scratch_cap);
	pmon_map_free(&g->counter_map, g->allocator);
	pmon_gather_free(&g->gather);
	pmon_schema_free(&g->source.schema);
	pmon_arena_free(&g->arena);
}

// Lines that were counted and not reported yet stay counted: the next pass does not count them again.
void
pmon_pdht_gathered_rewind(struct pdht_gathered *g)
{
	pmon_report_rewind(&g->report);
	g->report.here = 1;
	pmon_pdht_input_rewind(&g->input);
	g->source.info.bytes_read = 0;
	g->clock.has_last = false;
	g->n_samples = 0;
}

enum pmon_status
pmon_pdht_gathered_look(struct pdht_gathered *g, struct pmon_err *err)
{
	struct pmon_report report = g->report;
	const struct pmon_sample *sample;
	enum pmon_status status = PMON_OK;

	g->report.notice = NULL;
	while (status == PMON_OK && g->n_counters == 0)
		status = g->source.ops->next(&g->source, &sample, err);
	if (g->clock.zone != NULL)
		g->source.info.utc_offset_min = g->gather.sample.utc_offset_min;
	(void)g->source.ops->rewind(&g->source, NULL);
	g->report = report;
	g->bad = (struct pdht_tally){.n = 0};
	g->n_twice = 0;
	g->source.info.losses = g->source.info.bytes_lost = 0;
	return status == PMON_END ? PMON_OK : status;
}

bool
pmon_pdht_gathered_utc(struct pdht_gathered *g, pmon_time local, pmon_time *out)
{
	if (!pmon_time_is_sane(local))
		return false;
	if (g->clock.zone != NULL)
		(void)pmon_pdht_clock_take(&g->clock, local, false);
	*out = local - g->clock.offset_min * PMON_TIME_PER_MIN;
	return pmon_time_is_sane(*out);
}

bool
pmon_pdht_gathered_scratch(struct pdht_gathered *g, size_t n)
{
	return pmon_mem_grow(g->allocator, &g->scratch, &g->scratch_cap, n, 1);
}

// ---- Counters -------------------------------------------------------------------------------

bool
pmon_pdht_gathered_find(const struct pdht_gathered *g, struct pmon_span name, uint32_t type,
			uint64_t *hash, uint32_t *series)
{
	size_t at = 0;
	uint32_t i;

	*hash = pmon_map_mix(pmon_map_mix_bytes(g->seed, name.ptr, name.len), type);
	while ((i = pmon_map_next(&g->counter_map, *hash, &at)) != PMON_MAP_NONE) {
		const struct pdht_counter *counter = &g->counters[i];

		if (counter->type == type && counter->name.len == name.len &&
		    memcmp(counter->name.ptr, name.ptr, name.len) == 0) {
			*series = counter->series;
			return true;
		}
	}
	return false;
}

static enum pmon_status
add_series(struct pdht_gathered *g, const struct pmon_path *path,
	   const struct pmon_counter *counter, uint32_t *out, struct pmon_err *err)
{
	struct pmon_schema *schema = &g->source.schema;
	uint32_t word;
	bool is_known;
	enum pmon_status status;

	*out = PMON_SERIES_NONE;
	if (g->want != NULL && !g->want(g->want_ctx, path))
		return PMON_OK;
	status =
		pmon_schema_add(schema, path, counter, g->n_counters, g->limits.wanted_series, out);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, g->limits.wanted_series, err);
	if (counter->type != PMON_PERF_DOUBLE_RAW)
		return PMON_OK;
	is_known = pmon_pdht_known_type(&(struct pdht_types){.n = 0}, schema->list[*out], &word);
	pmon_schema_set_formatted(schema, *out, is_known ? &word : NULL);
	return PMON_OK;
}

enum pmon_status
pmon_pdht_gathered_add(struct pdht_gathered *g, struct pmon_span name, uint64_t hash,
		       const struct pmon_path *path, const struct pmon_counter *counter,
		       uint32_t *series, struct pmon_err *err)
{
	struct pdht_counter added = {.name = name, .type = counter->type};
	struct pmon_span machine;
	enum pmon_status status;

	if (g->n_counters >= g->limits.series)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters",
				    g->limits.series);
	status = add_series(g, path, counter, &added.series, err);
	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(g->allocator, &g->counters, &g->counters_cap, g->n_counters + 1,
			   sizeof(*g->counters)) ||
	    !pmon_map_put(&g->counter_map, g->allocator, hash, (uint32_t)g->n_counters))
		return pmon_err_nomem(err);
	g->counters[g->n_counters++] = added;
	*series = added.series;
	if (g->source.info.machine[0] != '\0' || path->machine.len == 0)
		return PMON_OK;
	if (!pmon_arena_copy(&g->arena, path->machine, &machine))
		return pmon_err_nomem(err);
	g->source.info.machine = machine.ptr;
	return PMON_OK;
}

// The name is the parts of the path, each with a zero after it.
enum pmon_status
pmon_pdht_gathered_path(struct pdht_gathered *g, const struct pmon_path *path, uint32_t *series,
			struct pmon_err *err)
{
	const struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	const struct pmon_span parts[] = {path->machine, path->object, path->instance,
					  path->counter};
	struct pmon_span name = {NULL, 0};
	uint64_t hash;
	char *to;

	for (size_t i = 0; i < 4; i++)
		name.len += parts[i].len + 1;
	g->path_bytes += name.len;
	if (g->path_bytes > g->limits.path_bytes)
		return pmon_err_set(err, PMON_E_LIMIT, 0,
				    "the names of the counters are longer than %llu bytes: too "
				    "long for a file of this size",
				    (unsigned long long)g->limits.path_bytes);
	to = pmon_arena_alloc(&g->arena, name.len);
	if (to == NULL)
		return pmon_err_nomem(err);
	name.ptr = to;
	for (size_t i = 0; i < 4; to += parts[i++].len + 1)
		if (parts[i].len > 0)
			memcpy(to, parts[i].ptr, parts[i].len);
	if (pmon_pdht_gathered_find(g, name, counter.type, &hash, series))
		return PMON_OK;
	return pmon_pdht_gathered_add(g, name, hash, path, &counter, series, err);
}

enum pmon_status
pmon_pdht_gathered_value(struct pdht_gathered *g, uint32_t series, double value,
			 struct pmon_err *err)
{
	struct pmon_raw raw;

	if (series == PMON_SERIES_NONE || !isfinite(value))
		return PMON_OK;
	if (pmon_gather_has(&g->gather, series)) {
		g->n_twice += g->report.here > g->report.seen;
		return PMON_OK;
	}
	pmon_source_raw_of(&value, 1, g->gather.sample.time, &raw);
	return pmon_gather_add(&g->gather, series, &raw, err);
}

double
pmon_pdht_sum(const struct pdht_sum *sum, const double *values)
{
	double value = 0;

	for (uint32_t i = 0; i < sum->n; i++)
		value += values[sum->columns[i]];
	if (sum->is_rest)
		value = 100 - value;
	if (sum->n > 1 || sum->is_rest)
		value = round(value * HUNDREDTHS) / HUNDREDTHS;
	return value * sum->factor / sum->divisor;
}

// ---- Names ----------------------------------------------------------------------------------

bool
pmon_pdht_is(struct pmon_span text, const char *word)
{
	return text.len == strlen(word) && memcmp(text.ptr, word, text.len) == 0;
}

bool
pmon_pdht_is_name(struct pmon_span text)
{
	return text.len > 0 && text.len <= PDHT_NAME_BYTES && pmon_utf8_valid(text) &&
	       memchr(text.ptr, '\0', text.len) == NULL;
}

static char
clean(char c)
{
	switch (c) {
	case '(':
		return '[';
	case ')':
		return ']';
	case '#':
	case '/':
	case '\\':
		return '_';
	case ';':
		return ' ';
	default:
		return (uint8_t)c < ' ' || c == 0x7F ? '?' : c;
	}
}

void
pmon_pdht_clean(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text[i] = clean(text[i]);
}

struct pmon_span
pmon_pdht_bare(struct pmon_span line)
{
	if (line.len >= 3 && memcmp(line.ptr, "\xEF\xBB\xBF", 3) == 0)
		line = (struct pmon_span){line.ptr + 3, line.len - 3};
	while (line.len > 0 && (line.ptr[line.len - 1] == '\n' || line.ptr[line.len - 1] == '\r'))
		line.len--;
	return pmon_pdht_trim(line);
}

// ---- Notices --------------------------------------------------------------------------------

void
pmon_pdht_gathered_tell(struct pdht_gathered *g, const char *what, bool has_local)
{
	pmon_report_remark(&g->report, 0, "%s%s", what,
			   has_local && !g->has_zone
				   ? "; treating its times as UTC; use --log-zone to specify its "
				     "time zone"
				   : "");
}

void
pmon_pdht_gathered_unended(struct pdht_gathered *g, const struct pdht_row *row)
{
	if (!row->is_ended)
		pmon_report_remark(
			&g->report, row->offset,
			"the last line has no line terminator; its last value may be truncated");
}

void
pmon_pdht_gathered_bad(struct pdht_gathered *g, const struct pdht_row *row)
{
	if (g->report.here <= g->report.seen)
		return;
	if (g->bad.n++ == 0) {
		g->bad.offset = row->offset;
		g->bad.line = row->line;
	}
	g->bad.bytes += row->bytes;
}

// The end is a step of its own: an earlier pass may have ended with the last line.
void
pmon_pdht_gathered_end(struct pdht_gathered *g, const char *one, const char *many)
{
	g->report.here++;
	if (g->bad.n > 0)
		pmon_report_loss(&g->report, g->bad.offset, g->bad.bytes,
				 "%llu %s; the first is line %llu", (unsigned long long)g->bad.n,
				 pmon_text_word(g->bad.n, one, many),
				 (unsigned long long)g->bad.line);
	if (g->n_twice > 0)
		pmon_report_remark(
			&g->report, 0,
			"%llu %s more than once for the same time; the first is kept",
			(unsigned long long)g->n_twice,
			pmon_text_word(g->n_twice, "value is there", "values are there"));
	g->bad = (struct pdht_tally){.n = 0};
	g->n_twice = 0;
}
