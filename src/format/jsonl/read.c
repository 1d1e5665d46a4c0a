// read.c - JSON lines as a source of samples
// SPDX-License-Identifier: MIT
//
// Lines with the number of their sample, such as pmon's own, are grouped by it. Others, such as the
// output of `pmon raw`, form one sample as long as no counter repeats and their times are close
// together.

#include "format/jsonl/jsonl.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf.h"
#include "core/calc.h"

#define CLOSE_100NS UINT64_C(500000) // times of one sample lie this close

// ---- Lines ----------------------------------------------------------------------------------

static bool
is_blank(const struct pmon_line *line)
{
	for (size_t i = 0; i < line->len; i++) {
		char c = line->text[i];

		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			return false;
	}
	return true;
}

// A writer that was killed leaves half a line at the end, and half a sample.
static void
report_line(struct jsonl *log, const struct pmon_line *line, const char *why)
{
	log->is_cut = !line->is_ended;
	pmon_report_loss(&log->report, line->offset, line->bytes, "%s",
			 log->is_cut ? "the file is cut off in its last line" : why);
}

// pmon numbers its lines; the first line of each sample has its number. Line 1 is the beginning of
// another writer's output.
static void
count_line(struct jsonl *log, const struct jsonl_line *line, uint64_t from)
{
	if (line->place > log->n_lines)
		pmon_report_loss(&log->report, from, 0, "lines missing before this one: %llu",
				 (unsigned long long)(line->place - log->n_lines));
	if (line->place > 0)
		log->n_lines = line->place;
	if (line->place == 1)
		log->tells_last = line->tells_last;
	log->is_last = line->is_last;
}

static void
end_lines(struct jsonl *log)
{
	if (log->is_ended)
		return;
	log->is_ended = true;
	log->report.here++;
	if (log->tells_last && !log->is_last && !log->is_cut)
		pmon_report_loss(&log->report, log->lines.offset, 0,
				 "the file is cut off after line %llu: its last line is missing",
				 (unsigned long long)log->n_lines);
}

// Parse a line. PMON_E_FORMAT if it is invalid, after reporting it unless it is blank;
// PMON_E_NOMEM.
static enum pmon_status
read_line(struct jsonl *log, const struct pmon_line *text, struct jsonl_line *line,
	  struct pmon_err *err)
{
	struct pmon_err why;
	enum pmon_status status;

	if (!text->is_too_long && is_blank(text))
		return PMON_E_FORMAT;
	log->n_lines++;
	log->is_last = false;
	if (text->is_too_long) {
		pmon_report_loss(&log->report, text->offset, text->bytes,
				 "a line exceeds %zu bytes", JSONL_LINE_MAX);
		return PMON_E_FORMAT;
	}
	status = pmon_jsonl_line_read(line, text->text, text->len, &why);
	if (status == PMON_OK)
		count_line(log, line, text->offset);
	else if (status == PMON_E_FORMAT)
		report_line(log, text, why.msg);
	else
		(void)pmon_err_nomem(err);
	return status;
}

// The next valid line.
static enum pmon_status
next_line(struct jsonl *log, struct jsonl_line *line, struct pmon_err *err)
{
	enum pmon_status status;

	do {
		struct pmon_line text;

		status = pmon_lines_next(&log->lines, &text, err);
		log->source.info.bytes_read = log->lines.offset;
		if (status == PMON_END)
			end_lines(log);
		if (status != PMON_OK)
			return status;
		log->report.here++;
		status = read_line(log, &text, line, err);
		line->offset = text.offset;
	} while (status == PMON_E_FORMAT);
	return status;
}

// ---- Series ---------------------------------------------------------------------------------

// Hash everything that is_counter() compares: a hostile log may have many lines that differ in only
// one part.
static uint64_t
hash_of(const struct jsonl *log, const struct jsonl_line *line)
{
	uint64_t hash = pmon_map_mix_bytes(log->seed, line->path.ptr, line->path.len);

	hash = pmon_map_mix(pmon_map_mix(hash, line->number), line->counter.type);
	return pmon_map_mix(hash, (uint64_t)line->counter.time_base);
}

static bool
is_counter(const struct jsonl_counter *counter, const struct jsonl_line *line)
{
	return counter->number == line->number && counter->type == line->counter.type &&
	       counter->time_base == line->counter.time_base &&
	       counter->path.len == line->path.len &&
	       memcmp(counter->path.ptr, line->path.ptr, line->path.len) == 0;
}

static const struct jsonl_counter *
find_counter(const struct jsonl *log, const struct jsonl_line *line, uint64_t hash)
{
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&log->counter_map, hash, &at)) != PMON_MAP_NONE)
		if (is_counter(&log->counters[i], line))
			return &log->counters[i];
	return NULL;
}

// PMON_E_FORMAT, with the reason, if the path of the line is invalid.
static enum pmon_status
path_of(const struct jsonl *log, const struct jsonl_line *line, struct pmon_path *path,
	struct pmon_err *err)
{
	struct pmon_path_error why;

	if (line->path.len > log->string_limit)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a path exceeds %zu bytes",
				    log->string_limit);
	if (line->has_parts) {
		*path = line->parts;
		if (path->machine.len == 0)
			path->machine = (struct pmon_span){NULL, 0};
		if (path->instance.ptr == NULL)
			path->parent = (struct pmon_span){NULL, 0};
		return PMON_OK;
	}
	if (pmon_path_parse(line->path, path, &why))
		return PMON_OK;
	return pmon_err_set(err, PMON_E_FORMAT, 0, "an invalid path: %s", why.text);
}

static enum pmon_status
add_series(struct jsonl *log, const struct jsonl_line *line, uint32_t *out, struct pmon_err *err)
{
	struct pmon_schema *schema = &log->source.schema;
	uint64_t order = line->has_order ? line->order : log->n_counters;
	struct pmon_path path;
	enum pmon_status status = path_of(log, line, &path, err);

	*out = PMON_SERIES_NONE;
	if (status != PMON_OK || (log->want != NULL && !log->want(log->want_ctx, &path)))
		return status;
	status = pmon_schema_add(schema, &path, &line->counter, order, log->wanted_limit, out);
	if (status != PMON_OK)
		return pmon_schema_refuse(status, log->wanted_limit, err);
	schema->list[*out]->wildcard = line->wildcard;
	if (line->formatted)
		pmon_schema_set_formatted(schema, *out,
					  line->type_known ? &line->known_type : NULL);
	return PMON_OK;
}

// The performance clock, if counter number i of the log contains it.
static int64_t
perf_of(struct jsonl *log, size_t i, const struct jsonl_line *line)
{
	if (!log->has_perf_counter &&
	    pmon_perf_tells(line->counter.type, line->counter.time_base)) {
		log->has_perf_counter = true;
		log->perf_counter = i;
	}
	return log->has_perf_counter && i == log->perf_counter && pmon_raw_plain(&line->raw)
		       ? pmon_perf_100ns(line->raw.second, line->counter.time_base)
		       : 0;
}

static enum pmon_status
series_of(struct jsonl *log, const struct jsonl_line *line, uint32_t *out, int64_t *perf_100ns,
	  struct pmon_err *err)
{
	uint64_t hash = hash_of(log, line);
	struct jsonl_counter counter = {.number = line->number,
					.type = line->counter.type,
					.time_base = line->counter.time_base,
					.named_at = log->lines.offset};
	const struct jsonl_counter *found = find_counter(log, line, hash);
	enum pmon_status status;

	*out = found != NULL ? found->series : PMON_SERIES_NONE;
	// A line before the one that named the counter could not name it, and cannot in a later
	// pass.
	if (found != NULL && log->lines.offset < found->named_at)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "the counter has not been defined");
	*perf_100ns = perf_of(
		log, found != NULL ? (size_t)(found - log->counters) : log->n_counters, line);
	if (found != NULL)
		return PMON_OK;
	if (log->n_counters >= log->series_limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu counters in one log",
				    log->series_limit);
	status = add_series(log, line, out, err);
	if (status != PMON_OK)
		return status;
	counter.series = *out;
	if (!pmon_arena_copy(&log->arena, line->path, &counter.path) ||
	    !pmon_mem_grow(log->allocator, &log->counters, &log->counters_cap, log->n_counters + 1,
			   sizeof(*log->counters)) ||
	    !pmon_map_put(&log->counter_map, log->allocator, hash, (uint32_t)log->n_counters))
		return pmon_err_nomem(err);
	log->counters[log->n_counters++] = counter;
	return PMON_OK;
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
number_stream(struct jsonl *log, const struct jsonl_line *line, uint32_t *out, struct pmon_err *err)
{
	enum pmon_status status =
		pmon_streams_number(&log->streams, log->allocator, line->stream, out);

	if (status == PMON_E_LIMIT)
		return pmon_err_set(err, PMON_E_FORMAT, line->offset,
				    "stream %u: the log has %zu others already", line->stream,
				    PMON_STREAMS_MAX);
	return status == PMON_OK ? status : pmon_err_nomem(err);
}

// The next value, from the next line whose counter has a name.
static enum pmon_status
next_value(struct jsonl *log, struct jsonl_value *value, struct pmon_err *err)
{
	enum pmon_status status;
	bool is_unused = false;

	do {
		struct jsonl_line line;
		struct pmon_err why;

		status = next_line(log, &line, err);
		if (status != PMON_OK)
			return status;
		*value = (struct jsonl_value){
			.series = PMON_SERIES_NONE,
			.raw = line.raw,
			.time = line.sample_time,
			.has_ordinal = line.has_ordinal,
			.ordinal = line.ordinal,
			.utc_offset_min = line.utc_offset_min,
			.preceding = line.preceding,
		};
		status = number_stream(log, &line, &value->stream, &why);
		if (status == PMON_OK && !line.is_empty)
			status = series_of(log, &line, &value->series, &value->perf_100ns, &why);
		if (status == PMON_E_FORMAT)
			pmon_report_loss(&log->report, line.offset, 0, "%s", why.msg);
		else if (status != PMON_OK && err != NULL)
			*err = why;
		is_unused = line.is_unused;
		pmon_jsonl_line_free(&line);
	} while (status == PMON_E_FORMAT || (status == PMON_OK && is_unused));
	return status;
}

static bool
is_close(pmon_time a, pmon_time b)
{
	uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;

	return apart < CLOSE_100NS;
}

// Whether the value belongs to the current sample.
static bool
belongs(const struct jsonl *log, const struct jsonl_value *value)
{
	const struct pmon_sample *sample = &log->gather.sample;

	if (value->has_ordinal)
		return value->ordinal == sample->ordinal && value->stream == sample->stream &&
		       value->preceding == sample->preceding && value->time == sample->time;
	return !pmon_gather_has(&log->gather, value->series) && is_close(value->time, sample->time);
}

static void
begin_sample(struct jsonl *log, const struct jsonl_value *value)
{
	struct pmon_sample head = {
		.time = value->time,
		.utc_offset_min = value->utc_offset_min,
		.stream = value->stream,
		.ordinal = value->has_ordinal ? value->ordinal : log->n_ordinals,
		.preceding = value->preceding,
	};

	pmon_gather_begin(&log->gather, &head);
	if (!value->has_ordinal)
		log->n_ordinals++;
}

static enum pmon_status
take_value(struct jsonl *log, const struct jsonl_value *value, struct pmon_err *err)
{
	const struct pmon_series *series;
	struct pmon_raw raw = value->raw;

	if (value->perf_100ns > 0)
		log->gather.sample.perf_100ns = value->perf_100ns;
	if (value->series == PMON_SERIES_NONE)
		return PMON_OK;
	series = pmon_schema_at(&log->source.schema, value->series);
	if (pmon_gather_has(&log->gather, value->series)) {
		pmon_report_loss(&log->report, log->lines.offset, 0,
				 "a counter has two values in one sample: %s", series->name.ptr);
		return PMON_OK;
	}
	if (log->ignores_changes)
		raw.status = pmon_raw_unmarked(raw.status);
	pmon_raw_zero_extend(&series->counter, &raw);
	return pmon_gather_add(&log->gather, value->series, &raw, err);
}

static enum pmon_status
jsonl_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct jsonl *log = (struct jsonl *)source;
	enum pmon_status status = PMON_OK;

	if (!log->has_next)
		status = next_value(log, &log->next, err);
	if (status != PMON_OK)
		return status;
	begin_sample(log, &log->next);
	do {
		status = take_value(log, &log->next, err);
		if (status == PMON_OK)
			status = next_value(log, &log->next, err);
		log->has_next = status == PMON_OK;
	} while (status == PMON_OK && belongs(log, &log->next));
	if (status != PMON_OK && status != PMON_END)
		return status;
	if (status == PMON_END && log->is_cut && log->next.has_ordinal)
		return status; // half a sample
	*sample = &log->gather.sample;
	return PMON_OK;
}

static enum pmon_status
jsonl_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct jsonl *log = (struct jsonl *)source;

	(void)err;
	pmon_report_rewind(&log->report);
	pmon_lines_rewind(&log->lines);
	log->has_next = false;
	log->is_cut = false;
	log->n_lines = 0;
	log->tells_last = log->is_last = log->is_ended = false;
	log->n_ordinals = 0;
	return PMON_OK;
}

// ---- Opening and closing --------------------------------------------------------------------

static void
jsonl_close(struct pmon_source *source)
{
	struct jsonl *log = (struct jsonl *)source;
	const struct pmon_allocator *allocator = log->allocator;

	pmon_file_close(log->file);
	pmon_lines_free(&log->lines);
	pmon_mem_free(allocator, log->counters, log->counters_cap * sizeof(*log->counters));
	pmon_map_free(&log->counter_map, allocator);
	pmon_streams_free(&log->streams, allocator);
	pmon_gather_free(&log->gather);
	pmon_schema_free(&log->source.schema);
	pmon_arena_free(&log->arena);
	pmon_mem_free(allocator, log, sizeof(*log));
}

const struct pmon_source_ops pmon_jsonl_source_ops = {jsonl_next, jsonl_rewind, jsonl_close};

static enum pmon_status
keep_text(struct jsonl *log, struct pmon_span text, const char **out, struct pmon_err *err)
{
	if (text.ptr == NULL || text.len > log->string_limit)
		return PMON_OK;
	if (!pmon_arena_copy(&log->arena, text, &text))
		return pmon_err_nomem(err);
	*out = text.ptr;
	return PMON_OK;
}

static enum pmon_status
take_info(struct jsonl *log, const struct jsonl_line *line, struct pmon_err *err)
{
	struct pmon_source_info *info = &log->source.info;
	struct pmon_machines machines = {.arena = &log->arena};
	enum pmon_status status = keep_text(log, line->writer, &info->writer, err);

	if (status == PMON_OK)
		status = keep_text(log, line->converter, &info->converter, err);
	if (status == PMON_OK)
		status = keep_text(log, line->machine, &info->machine, err);
	if (status == PMON_OK)
		status = keep_text(log, line->zone, &info->zone, err);
	if (status == PMON_OK && !pmon_jsonl_line_machines(line, &machines))
		status = pmon_err_nomem(err);
	pmon_machines_give(&machines, info);
	info->sampled_by_pmon = line->sampled_by_pmon;
	info->utc_offset_min = line->utc_offset_min;
	info->log_start = line->log_start;
	info->log_end = line->log_end;
	return status;
}

// The first sample with a value defines the first counters, and the first line identifies the log.
static enum pmon_status
look_ahead(struct jsonl *log, struct pmon_err *err)
{
	struct pmon_report report = log->report;
	struct jsonl_line line;
	const struct pmon_sample *sample;
	enum pmon_status status;

	log->report.notice = NULL;
	status = next_line(log, &line, err);
	if (status == PMON_END)
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "JSON, but no line contains the value of a counter");
	if (status != PMON_OK)
		return status;
	status = take_info(log, &line, err);
	if (status == PMON_OK && line.machine.ptr == NULL && line.path.len <= log->string_limit) {
		struct pmon_path path;

		if (pmon_path_parse(line.path, &path, NULL) && path.machine.ptr != NULL &&
		    pmon_arena_copy(&log->arena, path.machine, &path.machine))
			log->source.info.machine = path.machine.ptr;
	}
	pmon_jsonl_line_free(&line);
	(void)jsonl_rewind(&log->source, NULL);
	while (status == PMON_OK && log->n_counters == 0)
		status = jsonl_next(&log->source, &sample, err);
	(void)jsonl_rewind(&log->source, NULL);
	log->report = report;
	log->source.info.losses = log->source.info.bytes_lost = log->source.info.bytes_read = 0;
	return status == PMON_END ? PMON_OK : status;
}

enum pmon_status
pmon_jsonl_open(struct pmon_source *source, const struct pmon_log_files *files,
		const struct pmon_log_options *options, struct pmon_err *err)
{
	struct jsonl *log = (struct jsonl *)source;
	struct pmon_limits limits = pmon_limits_filled(&options->limits);

	log->allocator = pmon_mem_allocator(options->allocator);
	log->seed = pmon_hash_seed();
	log->series_limit = limits.series;
	log->wanted_limit = limits.wanted_series;
	log->string_limit = limits.string_bytes;
	log->want = options->want;
	log->want_ctx = options->want_ctx;
	log->ignores_changes = options->ignore_changes;
	log->file = files->file;
	log->lines = (struct pmon_lines){
		.allocator = log->allocator, .file = log->file, .max_bytes = JSONL_LINE_MAX};
	source->info.size_bytes = pmon_file_size(log->file);
	pmon_format_report(&log->report, source, options);
	pmon_arena_init(&log->arena, log->allocator);
	pmon_gather_init(&log->gather, log->allocator);
	return look_ahead(log, err);
}

static bool
contains(const uint8_t *head, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(head + i, word, n) == 0)
			return true;
	return false;
}

// An object first, and in what can be seen a path and a value or the number of a sample; or a line
// that does not end there, whose names may be longer than what can be seen: opening looks at all of
// it.
bool
pmon_jsonl_probe(const uint8_t *head, size_t len)
{
	size_t at = 0;

	while (at < len && (head[at] == ' ' || head[at] == '\n' || head[at] == '\r'))
		at++;
	if (at == len || head[at] != '{')
		return false;
	// Documents of PowerShell and dotnet-counters, which may be one line.
	if (contains(head, len, "\"CounterSamples\"") || contains(head, len, "\"TargetProcess\""))
		return false;
	if (len >= PMON_PROBE_BYTES && memchr(head + at, '\n', len - at) == NULL)
		return true;
	return contains(head, len, "\"path\"") &&
	       (contains(head, len, "\"first\"") || contains(head, len, "\"value\"") ||
		contains(head, len, "\"sample\""));
}
