// sadf.c - the tables of sadf -d (sysstat)
// SPDX-License-Identifier: MIT
//
// A file has sections. Each begins with a line of names, "# hostname;interval;timestamp;CPU;%user;%idle", and goes through
// all times: names in capitals are the item, such as a processor, the others are values. Samples need the lines of all
// sections that have the same time. Opening therefore reads the file once and notes where the lines of each section and
// time are; their values are read when their sample is.
//
// Counters that pmon record has too are called as there (sadf_names.c), the other columns \sysstat CPU(0)\NAME.

#include "format/pdhtext/sadf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "model/zone_rules.h"

#define RUN_BYTES    ((size_t)1 << 16) // of lines that are read at once
#define MOST_SECONDS 100000000000      // since 1970; also in pmon_time_is_sane()

// ---- The log --------------------------------------------------------------------------------

// Consecutive lines of the same section and time.
struct run {
	pmon_time time;
	uint64_t offset;
	uint32_t bytes;
	uint32_t section;
};

struct sadf {
	struct pdht_gathered base; // first
	bool has_local;            // there are times without a zone
	struct sadf_sections sections;
	struct run *runs; // in order of time
	size_t n_runs;
	size_t runs_cap;
	size_t next;             // run
	char *buf;               // the lines of a run
	double *values;          // of a line; NAN: none
	uint32_t current;        // section while opening; PMON_MAP_NONE: none that can be read
	struct pdht_tally cells; // cells without a number
	struct pdht_tally restarts;
	uint32_t restart_section; // the section that has those
};

// ---- Lines ----------------------------------------------------------------------------------

// A line of values.
struct line {
	struct pmon_span host;
	struct pmon_span interval;
	struct pmon_span time;
	struct pmon_span rest; // items and values
};

static bool
split_line(struct pmon_span text, struct line *out)
{
	return pmon_sadf_field(&text, &out->host) && pmon_sadf_field(&text, &out->interval) &&
	       pmon_sadf_field(&text, &out->time) && (out->rest = text).len > 0;
}

// The columns of an item, and what follows them.
static bool
take_item(const struct sadf_section *section, struct pmon_span rest, struct pmon_span *item,
	  struct pmon_span *values)
{
	struct pmon_span one;

	*values = rest;
	for (uint32_t i = 0; i < section->n_items; i++)
		if (!pmon_sadf_field(values, &one))
			return false;
	*item = (struct pmon_span){rest.ptr, section->n_items > 0 ? rest.len - values->len - 1 : 0};
	return true;
}

// A number; NAN if the cell has none. False if it should have one.
static bool
read_number(struct pmon_span text, double *out)
{
	text = pmon_pdht_trim(text);
	if (text.len > 0 && (pmon_pdht_number(text, '.', out) == PDHT_NUMBER ||
			     pmon_pdht_number(text, ',', out) == PDHT_NUMBER))
		return true;
	*out = (double)NAN;
	return text.len == 0;
}

// Read the values of a line into sadf->values. Returns their number; *n_bad cells were no numbers.
static uint32_t
read_values(struct sadf *sadf, struct pmon_span rest, uint64_t *n_bad)
{
	struct pmon_span cell;
	bool is_last = false;
	uint32_t n = 0;

	*n_bad = 0;
	for (; n < SADF_COLUMNS && pmon_sadf_column(&rest, &is_last, &cell); n++)
		*n_bad += !read_number(cell, &sadf->values[n]);
	return is_last ? n : SADF_COLUMNS + 1;
}

// ---- Times ----------------------------------------------------------------------------------

static bool
cut_word(struct pmon_span *text, const char *word)
{
	size_t n = strlen(word);

	if (text->len <= n || memcmp(text->ptr + text->len - n, word, n) != 0)
		return false;
	text->len -= n;
	return true;
}

// Seconds since 1970; a time with " UTC" after it; or local time.
static bool
read_time(struct sadf *sadf, struct pmon_span text, pmon_time *out)
{
	struct pdht_stamp stamp;
	bool is_utc = cut_word(&text, " UTC");
	uint64_t seconds;

	if (pmon_num_parse_u64(text, &seconds) && seconds < MOST_SECONDS) {
		*out = PMON_TIME_EARLIEST + (pmon_time)seconds * PMON_TIME_PER_SEC;
		return pmon_time_is_sane(*out);
	}
	if (!pmon_pdht_stamp_read(text, &stamp))
		return false;
	*out = stamp.is_zoned ? stamp.utc : pmon_pdht_stamp_local(&stamp, PDHT_MONTH_FIRST);
	if (is_utc || stamp.is_zoned)
		return pmon_time_is_sane(*out);
	sadf->has_local = true;
	return pmon_pdht_gathered_utc(&sadf->base, *out, out);
}

// ---- Opening: where the lines are -----------------------------------------------------------

static void
count(struct pdht_tally *tally, const struct pdht_row *row, uint64_t n)
{
	if (n > 0 && tally->n == 0) {
		tally->offset = row->offset;
		tally->line = row->line;
	}
	tally->n += n;
}

static enum pmon_status
add_run(struct sadf *sadf, const struct pdht_row *row, pmon_time time, struct pmon_err *err)
{
	struct run *last = sadf->n_runs > 0 ? &sadf->runs[sadf->n_runs - 1] : NULL;

	if (last != NULL && last->time == time && last->section == sadf->current &&
	    last->offset + last->bytes == row->offset && last->bytes + row->bytes <= RUN_BYTES) {
		last->bytes += (uint32_t)row->bytes;
		return PMON_OK;
	}
	if (!pmon_mem_grow(sadf->base.allocator, &sadf->runs, &sadf->runs_cap, sadf->n_runs + 1,
			   sizeof(*sadf->runs)))
		return pmon_err_nomem(err);
	sadf->runs[sadf->n_runs++] =
		(struct run){time, row->offset, (uint32_t)row->bytes, sadf->current};
	return PMON_OK;
}

// A line without a value for each name, such as "web01;-1;2026-02-25 10:00:00 UTC;LINUX-RESTART (4 CPU)".
static bool
is_restart(struct sadf *sadf, const struct pdht_row *row, const struct line *line)
{
	static const char word[] = "LINUX-RESTART";

	if (line->rest.len < sizeof(word) - 1 ||
	    memcmp(line->rest.ptr, word, sizeof(word) - 1) != 0)
		return false;
	if (sadf->restarts.n == 0)
		sadf->restart_section = sadf->current;
	count(&sadf->restarts, row, sadf->restart_section == sadf->current);
	return true;
}

static bool
is_comment(const struct line *line)
{
	return pmon_pdht_is(line->interval, "-1") && line->rest.len > 4 &&
	       memcmp(line->rest.ptr, "COM ", 4) == 0;
}

// PMON_E_FORMAT: the line cannot be read.
static enum pmon_status
see_line(struct sadf *sadf, const struct pdht_row *row, struct pmon_span text, struct pmon_err *err)
{
	const struct sadf_section *section;
	const struct sadf_item *item;
	struct line line;
	struct pmon_span name;
	struct pmon_span values;
	pmon_time time;
	uint64_t n_bad;
	uint32_t n;
	enum pmon_status status = PMON_OK;

	if (!split_line(text, &line))
		return PMON_E_FORMAT;
	if (is_restart(sadf, row, &line) || is_comment(&line))
		return PMON_OK;
	if (sadf->current == PMON_MAP_NONE || !pmon_pdht_is_name(line.host))
		return PMON_E_FORMAT;
	section = &sadf->sections.list[sadf->current];
	if (!take_item(section, line.rest, &name, &values) ||
	    (section->n_items > 0 && !pmon_pdht_is_name(name)) ||
	    !read_time(sadf, line.time, &time))
		return PMON_E_FORMAT;
	n = read_values(sadf, values, &n_bad);
	item = pmon_sadf_item_find(&sadf->base, &sadf->sections, sadf->current, line.host, name);
	if (n > SADF_COLUMNS || n < section->n || (n > section->n && !section->is_open) ||
	    (item != NULL && n != item->n_values))
		return PMON_E_FORMAT;
	if (item == NULL)
		status = pmon_sadf_item_add(&sadf->base, &sadf->sections, sadf->current, line.host,
					    name, n, err);
	if (status != PMON_OK)
		return status;
	count(&sadf->cells, row, n_bad);
	pmon_pdht_gathered_unended(&sadf->base, row);
	return add_run(sadf, row, time, err);
}

static enum pmon_status
begin_section(struct sadf *sadf, struct pmon_span line, struct pmon_err *err)
{
	enum pmon_status status =
		pmon_sadf_section_take(&sadf->base, &sadf->sections, line, &sadf->current, err);

	pmon_pdht_clock_start(&sadf->base.clock, sadf->base.source.info.utc_offset_min,
			      sadf->base.clock.zone);
	return status;
}

static enum pmon_status
see_row(struct sadf *sadf, const struct pdht_row *row, struct pmon_err *err)
{
	struct pmon_span text = pmon_pdht_bare((struct pmon_span){row->ptr, row->len});

	if (row->bytes > RUN_BYTES)
		return PMON_E_FORMAT;
	if (text.len == 0)
		return PMON_OK;
	return pmon_sadf_is_names(text) ? begin_section(sadf, text, err)
					: see_line(sadf, row, text, err);
}

static enum pmon_status
see_rows(struct sadf *sadf, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK) {
		status = pmon_pdht_input_row(&sadf->base.input, &row, err);
		if (status == PMON_OK)
			status = see_row(sadf, &row, err);
		else if (status == PMON_E_LIMIT)
			status = PMON_E_FORMAT;
		if (status == PMON_E_FORMAT) {
			pmon_pdht_gathered_bad(&sadf->base, &row);
			status = PMON_OK;
		}
	}
	return status == PMON_END ? PMON_OK : status;
}

static int
compare_runs(const void *a, const void *b)
{
	const struct run *x = a;
	const struct run *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
tell_opening(struct sadf *sadf)
{
	pmon_pdht_gathered_tell(&sadf->base, "a table of sadf -d", sadf->has_local);
	if (sadf->restarts.n > 0)
		pmon_report_remark(&sadf->base.report, sadf->restarts.offset,
				   "the machine restarted %llu %s; the first is line %llu",
				   (unsigned long long)sadf->restarts.n,
				   pmon_text_word(sadf->restarts.n, "time", "times"),
				   (unsigned long long)sadf->restarts.line);
	if (sadf->cells.n > 0)
		pmon_report_remark(&sadf->base.report, sadf->cells.offset,
				   "%llu %s no number; the first is in line %llu",
				   (unsigned long long)sadf->cells.n,
				   pmon_text_word(sadf->cells.n, "cell is", "cells are"),
				   (unsigned long long)sadf->cells.line);
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
take_line(struct sadf *sadf, uint32_t number, struct pmon_span text, struct pmon_err *err)
{
	const struct sadf_section *section = &sadf->sections.list[number];
	const struct sadf_item *item;
	struct line line;
	struct pmon_span name;
	struct pmon_span values;
	uint64_t n_bad;
	enum pmon_status status = PMON_OK;

	if (!split_line(text, &line) || !take_item(section, line.rest, &name, &values))
		return PMON_OK;
	item = pmon_sadf_item_find(&sadf->base, &sadf->sections, number, line.host, name);
	if (item == NULL || read_values(sadf, values, &n_bad) != item->n_values)
		return PMON_OK;
	for (size_t i = 0; status == PMON_OK && i < section->n_outputs; i++)
		status = pmon_pdht_gathered_value(
			&sadf->base, item->series[i],
			pmon_pdht_sum(&section->outputs[i].sum, sadf->values), err);
	for (uint32_t i = section->n; status == PMON_OK && i < item->n_values; i++)
		status = pmon_pdht_gathered_value(
			&sadf->base, item->series[section->n_outputs + (i - section->n)],
			sadf->values[i], err);
	return status;
}

static enum pmon_status
take_run(struct sadf *sadf, const struct run *run, struct pmon_err *err)
{
	size_t got;
	size_t start = 0;
	enum pmon_status status;

	status = pmon_file_read(sadf->base.input.file, run->offset, sadf->buf, run->bytes, &got,
				err);
	for (size_t i = 0; status == PMON_OK && i <= got; i++) {
		if (i < got && sadf->buf[i] != '\n' && sadf->buf[i] != '\r')
			continue;
		status = take_line(sadf, run->section,
				   pmon_pdht_bare((struct pmon_span){sadf->buf + start, i - start}),
				   err);
		start = i + 1;
	}
	sadf->base.source.info.bytes_read += run->bytes;
	return status;
}

static enum pmon_status
end(struct sadf *sadf)
{
	sadf->base.source.info.bytes_read = sadf->base.source.info.size_bytes;
	pmon_pdht_gathered_end(&sadf->base,
			       "line has no readable time, or not a value for each name",
			       "lines have no readable time, or not a value for each name");
	return PMON_END;
}

static enum pmon_status
sadf_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct sadf *sadf = (struct sadf *)source;
	struct pmon_sample head = {.ordinal = sadf->base.n_samples};
	enum pmon_status status = PMON_OK;

	if (sadf->next == sadf->n_runs)
		return end(sadf);
	sadf->base.n_samples++;
	sadf->base.report.here++;
	head.time = sadf->runs[sadf->next].time;
	head.utc_offset_min = sadf->base.clock.zone != NULL
				      ? pmon_zone_offset_at(sadf->base.clock.zone, head.time)
				      : source->info.utc_offset_min;
	pmon_gather_begin(&sadf->base.gather, &head);
	while (status == PMON_OK && sadf->next < sadf->n_runs &&
	       sadf->runs[sadf->next].time == head.time)
		status = take_run(sadf, &sadf->runs[sadf->next++], err);
	*sample = &sadf->base.gather.sample;
	return status;
}

static enum pmon_status
sadf_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct sadf *sadf = (struct sadf *)source;

	(void)err;
	pmon_pdht_gathered_rewind(&sadf->base);
	sadf->next = 0;
	return PMON_OK;
}

// ---- Opening and closing --------------------------------------------------------------------

static void
sadf_close(struct pmon_source *source)
{
	struct sadf *sadf = (struct sadf *)source;
	const struct pmon_allocator *allocator = sadf->base.allocator;

	pmon_mem_free(allocator, sadf->runs, sadf->runs_cap * sizeof(*sadf->runs));
	pmon_sadf_sections_free(&sadf->sections, allocator);
	pmon_pdht_gathered_close(&sadf->base);
	pmon_mem_free(allocator, sadf, sizeof(*sadf));
}

static enum pmon_status
see_file(struct sadf *sadf, const char *encoding, struct pmon_err *err)
{
	enum pmon_status status = pmon_pdht_input_open(&sadf->base.input, encoding, err);

	if (status == PMON_OK && sadf->base.input.decoder.form != PDHT_BYTES)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "a table of sadf -d in another encoding: convert it to UTF-8 "
				    "first (iconv)");
	sadf->buf = pmon_arena_alloc(&sadf->base.arena, RUN_BYTES);
	sadf->values = pmon_arena_alloc(&sadf->base.arena, SADF_COLUMNS * sizeof(*sadf->values));
	if (status == PMON_OK && (sadf->buf == NULL || sadf->values == NULL))
		return pmon_err_nomem(err);
	if (status == PMON_OK)
		status = see_rows(sadf, err);
	if (status == PMON_OK && sadf->sections.n == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "a table of sadf -d without columns that can be read: write "
				    "it without the option -h");
	if (status == PMON_OK && sadf->n_runs > 0)
		qsort(sadf->runs, sadf->n_runs, sizeof(*sadf->runs), compare_runs);
	return status;
}

static enum pmon_status
sadf_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct sadf *sadf = (struct sadf *)source;
	enum pmon_status status = pmon_pdht_gathered_open(&sadf->base, files, options, err);

	if (status != PMON_OK)
		return status;
	source->info.format = "sadf";
	source->info.lists_series = true;
	sadf->current = PMON_MAP_NONE;
	status = see_file(sadf, options->encoding, err);
	if (status != PMON_OK)
		return status;
	if (sadf->base.clock.zone != NULL && sadf->n_runs > 0)
		source->info.utc_offset_min =
			pmon_zone_offset_at(sadf->base.clock.zone, sadf->runs[0].time);
	tell_opening(sadf);
	return PMON_OK;
}

// A line of names near the beginning: lines about restarts may precede it.
static bool
probe(const uint8_t *head, size_t len)
{
	char text[PMON_PROBE_BYTES];
	size_t n = pmon_pdht_take_head(head, len < sizeof(text) ? len : sizeof(text), text);
	size_t start = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n' || text[i] == '\r')
			start = i + 1;
		else if (i - start == strlen(SADF_MARK) &&
			 pmon_sadf_is_names(
				 (struct pmon_span){text + start, strlen(SADF_MARK) + 1}))
			return true;
	}
	return false;
}

static const struct pmon_source_ops sadf_ops = {sadf_next, sadf_rewind, sadf_close};

const struct pmon_format pmon_format_sadf = {
	.name = "sadf",
	.probe = probe,
	.open = sadf_open,
	.source_bytes = sizeof(struct sadf),
	.ops = &sadf_ops,
	.is_asked_last = true,
};
