// sample.c - a line of a text log to a sample
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/time.h"

// ---- Columns and room -----------------------------------------------------------------------

bool
pmon_pdht_sample_room(struct pdht *pdht)
{
	const struct pmon_allocator *allocator = pdht->allocator;
	size_t n = pdht->map.n + 1;

	if (!pmon_mem_grow(allocator, &pdht->series, &pdht->series_cap, n, sizeof(*pdht->series)) ||
	    !pmon_mem_grow(allocator, &pdht->raw, &pdht->raw_cap, n, sizeof(*pdht->raw)) ||
	    !pmon_mem_grow(allocator, &pdht->numbers, &pdht->numbers_cap, n,
			   sizeof(*pdht->numbers)))
		return false;
	pdht->sample.series = pdht->series;
	pdht->sample.raw = pdht->raw;
	return true;
}

void
pmon_pdht_sample_free(struct pdht *pdht)
{
	const struct pmon_allocator *allocator = pdht->allocator;

	pmon_mem_free(allocator, pdht->series, pdht->series_cap * sizeof(*pdht->series));
	pmon_mem_free(allocator, pdht->raw, pdht->raw_cap * sizeof(*pdht->raw));
	pmon_mem_free(allocator, pdht->numbers, pdht->numbers_cap * sizeof(*pdht->numbers));
}

// ---- Cells ----------------------------------------------------------------------------------

static enum pmon_pdht_number
read_number(const struct pdht_style *style, struct pmon_span text, double *out)
{
	enum pmon_pdht_number kind = pmon_pdht_number(text, style->decimal, out);

	// Where commas do not separate fields they can only be decimal marks.
	if (kind == PDHT_NO_NUMBER && style->separator != ',')
		kind = pmon_pdht_number(text, style->decimal == '.' ? ',' : '.', out);
	return kind;
}

// Values of these numbers, of these series.
static void
add_numbers(struct pdht *pdht, const uint32_t *series, const double *numbers, size_t n)
{
	memcpy(pdht->series + pdht->sample.n, series, n * sizeof(*pdht->series));
	if (pdht->raw != NULL && !(pdht->source.numbers_suffice && pdht->source.numbers != NULL))
		pmon_source_raw_of(numbers, n, pdht->sample.time, pdht->raw + pdht->sample.n);
	pdht->sample.n += n;
}

// The sample has more than numbers: its raw values are needed, those before too.
static void
give_raw(struct pdht *pdht)
{
	if (pdht->raw != NULL && pdht->source.numbers_suffice && pdht->source.numbers != NULL)
		pmon_source_raw_of(pdht->numbers, pdht->sample.n, pdht->sample.time, pdht->raw);
	pdht->source.numbers = NULL;
}

static bool
has_nul(struct pmon_span text)
{
	return memchr(text.ptr, '\0', text.len) != NULL;
}

static void
add_cell(struct pdht *pdht, const struct pdht_row *row, size_t column, struct pmon_span text)
{
	double *number = &pdht->numbers[pdht->sample.n];
	enum pmon_pdht_number kind = read_number(&pdht->style, text, number);

	add_numbers(pdht, &pdht->map.series[column], number, 1);
	if (kind == PDHT_NUMBER)
		return;
	give_raw(pdht);
	if (pdht->raw != NULL)
		pdht->raw[pdht->sample.n - 1].status = PMON_RAW_INVALID;
	if (kind == PDHT_NOT_FINITE)
		pmon_pdht_count(&pdht->report, PDHT_INFINITE_CELL, row, text);
	else
		pmon_pdht_count(&pdht->report, has_nul(text) ? PDHT_TORN_CELL : PDHT_BAD_CELL, row,
				text);
}

// What a line came to.
struct cells {
	size_t n;               // fields after the time
	size_t n_read;          // those of columns that are read
	bool has_more;          // some of them belong to no column
	struct pdht_field last; // field
};

// n cells were read or passed.
static void
pass_numbers(struct pdht_fields *fields, const struct pmon_cells *numbers, struct cells *cells,
	     size_t n)
{
	const char *end = numbers->line.ptr + numbers->at - 1;

	if (n == 0)
		return;
	cells->n += n;
	cells->last = (struct pdht_field){{end - 1, 1}, end[-1] == '"', false};
	fields->is_done = end == fields->end;
	fields->p = end + !fields->is_done;
}

// The short way, through the cells that are numbers and nothing else, as nearly all are. False at one that is read and
// is not.
static bool
read_numbers(struct pdht *pdht, struct pdht_fields *fields, struct pmon_cells *numbers,
	     struct cells *cells)
{
	double *out = pdht->numbers + pdht->sample.n;
	size_t n_out;
	size_t n;

	if (fields->is_done || cells->n >= pdht->map.n)
		return false;
	numbers->at = (size_t)(fields->p - numbers->line.ptr);
	n = pmon_cells_pick(numbers, cells->n, out, pdht->map.n - cells->n, &n_out);
	add_numbers(pdht, pdht->map.given + cells->n_read, out, n_out);
	cells->n_read += n_out;
	pass_numbers(fields, numbers, cells, n);
	return n > 0;
}

static void
read_cells(struct pdht *pdht, const struct pdht_row *row, struct pdht_fields *fields,
	   struct cells *cells)
{
	struct pmon_cells numbers;
	struct pdht_field field;

	pmon_cells_begin(&numbers, pmon_simd_best(), (struct pmon_span){row->ptr, row->len},
			 pdht->style.separator, pdht->style.decimal);
	numbers.wanted = pdht->map.is_read;
	pdht->sample.n = 0;
	pdht->source.numbers = pdht->numbers;
	for (;; cells->n++) {
		struct pmon_span text;

		while (read_numbers(pdht, fields, &numbers, cells))
			continue;
		if (!pmon_pdht_field_next(fields, &field))
			return;
		cells->last = field;
		if (cells->n < pdht->map.n) {
			if (pdht->map.series[cells->n] == PMON_SERIES_NONE)
				continue;
			cells->n_read++;
		}
		text = pmon_pdht_trim(field.text);
		if (text.len == 0)
			continue;
		if (cells->n < pdht->map.n)
			add_cell(pdht, row, cells->n, text);
		else
			cells->has_more = true;
	}
}

// ---- Lines that are no samples --------------------------------------------------------------

static bool
are_all_blank(struct pdht_fields fields)
{
	struct pdht_field field;

	while (pmon_pdht_field_next(&fields, &field))
		if (pmon_pdht_trim(field.text).len > 0)
			return false;
	return true;
}

static void
cut_off(struct pdht *pdht, const struct pdht_row *row)
{
	pmon_report_loss(&pdht->report.base, row->offset, row->bytes,
			 "the file is cut off in its last line (line %llu), which was skipped",
			 (unsigned long long)row->line);
}

// A line whose first field is not a time. fields is after that field.
static void
pass_over(struct pdht *pdht, const struct pdht_row *row, const struct pdht_field *first,
	  const struct pdht_fields *fields)
{
	struct pmon_span text = pmon_pdht_trim(first->text);
	bool is_number = text.len > 0 && pmon_is_digit(text.ptr[0]);
	enum pdht_kind kind = PDHT_NO_TIME;

	if (!row->is_ended && (first->is_quoted || is_number)) {
		cut_off(pdht, row);
		return;
	}
	if (pmon_pdht_stamp_is_stump(text))
		kind = PDHT_STUMP;
	else if (!first->is_quoted && !is_number && are_all_blank(*fields))
		kind = PDHT_WORDS; // "Exiting, please wait..." has a comma
	else if (!first->is_quoted && !is_number && pdht->style.is_quoted)
		kind = PDHT_WORDS;
	pmon_pdht_count(&pdht->report, kind, row,
			kind == PDHT_WORDS ? pmon_pdht_trim((struct pmon_span){row->ptr, row->len})
					   : text);
}

// ---- Samples --------------------------------------------------------------------------------

static void
tell_change(struct pdht *pdht, const struct pdht_row *row, enum pdht_change change)
{
	const char *how = change == PDHT_BACK ? "back" : "forward";
	char time[PMON_TIME_SIZE];

	if (pdht->change_told && !pdht->dst_repair)
		return;
	pdht->change_told = true;
	pmon_time_local(pdht->clock.last, 0, time);
	if (pdht->dst_repair)
		pmon_report_remark(
			&pdht->report.base, row->offset,
			"the clock was set %s by an hour before %s (line %llu): from there on "
			"it is %d min ahead of UTC",
			how, time, (unsigned long long)row->line, (int)pdht->clock.offset_min);
	else
		pmon_report_remark(
			&pdht->report.base, row->offset,
			"the clock seems to have been set %s by an hour before %s (line "
			"%llu), for daylight saving; the log has one offset to UTC only, so "
			"later times are an hour off; --dst-repair corrects them",
			how, time, (unsigned long long)row->line);
}

// The time of a line, into the sample. False when there is no such time.
static bool
take_time(struct pdht *pdht, const struct pdht_row *row, const struct pdht_stamp *stamp)
{
	pmon_time local =
		stamp->is_zoned ? stamp->utc : pmon_pdht_stamp_local(stamp, pdht->style.order);
	enum pdht_change change;

	if (!pmon_time_is_sane(local))
		return false;
	if (stamp->is_zoned) {
		pdht->sample.time = local;
	} else {
		if (pdht->is_part && pdht->n_begun < 2)
			pdht->begun[pdht->n_begun++] = local;
		change = pmon_pdht_clock_take(&pdht->clock, local, pdht->dst_repair);
		if (change != PDHT_NO_CHANGE)
			tell_change(pdht, row, change);
		pdht->sample.time = local - pdht->clock.offset_min * PMON_TIME_PER_MIN;
	}
	pdht->sample.utc_offset_min = pdht->clock.offset_min;
	return true;
}

// Is the last line of the file, which has no line end, all there?
static bool
is_whole(const struct pdht *pdht, const struct pdht_field *first, const struct cells *cells)
{
	size_t least = pdht->least;

	if (pdht->widest > 0 && pdht->widest < least)
		least = pdht->widest;
	if (cells->n < least || cells->last.is_open)
		return false;
	return first->is_quoted ? cells->last.is_quoted : cells->last.text.len > 0;
}

static void
count_oddities(struct pdht *pdht, const struct pdht_row *row, const struct cells *cells)
{
	struct pmon_span none = {"", 0};

	if (cells->n < pdht->least)
		pmon_pdht_count(&pdht->report, PDHT_SHORT, row, none);
	else
		pdht->report.has_full_line = true;
	if (cells->has_more)
		pmon_pdht_count(&pdht->report, PDHT_LONG, row, none);
	if (cells->last.is_open)
		pmon_pdht_count(&pdht->report, PDHT_OPEN_QUOTE, row, none);
	if (!row->is_ended && !cells->last.is_quoted)
		pmon_report_remark(&pdht->report.base, row->offset,
				   "the last line has no line end; its last value may be cut");
	if (cells->n > pdht->widest && row->is_ended)
		pdht->widest = cells->n;
}

enum pmon_status
pmon_pdht_row_load(struct pdht *pdht, struct pdht_row *row, bool *is_sample, struct pmon_err *err)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, false);
	struct pdht_clock clock = pdht->clock;
	struct pdht_field first;
	struct pdht_stamp stamp;
	struct cells cells = {.n = 0};

	*is_sample = false;
	if (pdht->is_part && !row->is_ended) // it may be cut off
		return PMON_E_STATE;
	if (pmon_pdht_trim((struct pmon_span){row->ptr, row->len}).len == 0)
		return PMON_OK;
	if (pmon_pdht_is_header((struct pmon_span){row->ptr, row->len})) {
		pmon_pdht_count(&pdht->report, PDHT_HEADER_AGAIN, row, (struct pmon_span){"", 0});
		if (pdht->is_part)
			return PMON_E_STATE;
		return pmon_pdht_header_load(pdht, row, false, err);
	}
	(void)pmon_pdht_field_next(&fields, &first);
	cells.last = first;
	if (!pmon_pdht_stamp_read(pmon_pdht_trim(first.text), &stamp) ||
	    !take_time(pdht, row, &stamp)) {
		pass_over(pdht, row, &first, &fields);
		return PMON_OK;
	}
	read_cells(pdht, row, &fields, &cells);
	if (!row->is_ended && !is_whole(pdht, &first, &cells)) {
		cut_off(pdht, row);
		pdht->clock = clock;
		return PMON_OK;
	}
	count_oddities(pdht, row, &cells);
	*is_sample = true;
	return PMON_OK;
}
