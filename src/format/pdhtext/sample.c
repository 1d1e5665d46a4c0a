// sample.c - convert a line of a text log to a sample
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/scan.h"
#include "base/time.h"
#include "model/zone_rules.h"

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

static void
add_numbers(struct pdht *pdht, const uint32_t *series, const double *numbers, size_t n)
{
	memcpy(pdht->series + pdht->sample.n, series, n * sizeof(*pdht->series));
	if (pdht->raw != NULL && !(pdht->source.numbers_suffice && pdht->source.numbers != NULL))
		pmon_source_raw_of(numbers, n, pdht->sample.time, pdht->raw + pdht->sample.n);
	pdht->sample.n += n;
}

// The sample has more than numbers, so raw values are needed, including those so far.
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

static bool
has_digit(struct pmon_span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (pmon_is_digit(text.ptr[i]))
			return true;
	return false;
}

static enum pdht_cell
kind_of(enum pmon_pdht_number number, struct pmon_span text)
{
	if (number == PDHT_NOT_FINITE)
		return PDHT_CELL_INFINITE;
	if (number == PDHT_UNCLEAR)
		return PDHT_CELL_UNCLEAR;
	return has_digit(text) ? PDHT_CELL_BAD : PDHT_CELL_TEXT;
}

// False if out of memory.
static bool
add_cell(struct pdht *pdht, const struct pdht_row *row, size_t column, struct pmon_span text)
{
	double *number = &pdht->numbers[pdht->sample.n];
	char decimal = pdht->columns.list[pdht->map.column[column]].decimal;
	enum pmon_pdht_number kind = pmon_pdht_number(text, decimal, number);

	if (kind == PDHT_NO_NUMBER)
		kind = pmon_pdht_number_grouped(text, decimal, number);
	add_numbers(pdht, &pdht->map.series[column], number, 1);
	if (kind == PDHT_NUMBER)
		return true;
	give_raw(pdht);
	if (pdht->raw != NULL)
		pdht->raw[pdht->sample.n - 1].status = PMON_RAW_INVALID;
	if (!has_nul(text))
		return pmon_pdht_count_cell(pdht, kind_of(kind, text), column, row, text);
	pmon_pdht_count(&pdht->report, PDHT_TORN_CELL, row, text);
	return true;
}

// A cell of a column without a counter path. False if out of memory.
static bool
skip_cell(struct pdht *pdht, const struct pdht_row *row, size_t column, struct pmon_span text)
{
	enum pdht_cell kind =
		pmon_pdht_mark(text) == PDHT_MARK_BAD ? PDHT_CELL_SKIPPED_TEXT : PDHT_CELL_SKIPPED;

	return text.len == 0 || pmon_pdht_count_cell(pdht, kind, column, row, text);
}

// The result of reading a line.
struct cells {
	size_t n;               // fields after the time
	size_t n_read;          // in columns that are read
	size_t n_skipped;       // in columns without a counter path
	bool has_more;          // some belong to no column
	struct pdht_field last; // field
};

// n cells were read or skipped.
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

// The fast path, for cells that are plain numbers, as nearly all are. False at a wanted cell that
// is not.
static bool
read_numbers(struct pdht *pdht, struct pdht_fields *fields, struct pmon_cells *numbers,
	     struct cells *cells)
{
	const struct pdht_map *map = &pdht->map;
	size_t stop = cells->n_skipped < map->n_skipped ? map->skipped[cells->n_skipped] : map->n;
	double *out = pdht->numbers + pdht->sample.n;
	size_t n_out;
	size_t n;

	if (fields->is_done || cells->n >= stop)
		return false;
	numbers->at = (size_t)(fields->p - numbers->line.ptr);
	n = pmon_cells_pick(numbers, cells->n, out, stop - cells->n, &n_out);
	add_numbers(pdht, pdht->map.given + cells->n_read, out, n_out);
	cells->n_read += n_out;
	pass_numbers(fields, numbers, cells, n);
	return n > 0;
}

// Drop value k of the sample, which is impossible for its column. False if out of memory.
static bool
leave_out(struct pdht *pdht, const struct pdht_row *row, size_t k)
{
	char text[PMON_NUM_SIZE];
	size_t len = pmon_num_shortest(pdht->numbers[k], text);
	size_t column = 0;

	enum pdht_cell kind = pdht->keeps_impossible ? PDHT_CELL_KEPT : PDHT_CELL_IMPOSSIBLE;

	while (pdht->map.series[column] != pdht->series[k])
		column++;
	if (kind == PDHT_CELL_IMPOSSIBLE)
		give_raw(pdht);
	if (kind == PDHT_CELL_IMPOSSIBLE && pdht->raw != NULL)
		pdht->raw[k].status = PMON_RAW_IMPOSSIBLE;
	return pmon_pdht_count_cell(pdht, kind, column, row, (struct pmon_span){text, len});
}

static inline unsigned
is_beyond(const struct pdht_map *map, size_t i, double number)
{
	return (unsigned)(number < map->least[i]) | (unsigned)(number > map->most[i]) |
	       (unsigned)(number == map->missing[i]);
}

// Is each number of a sample of all columns within its bounds? This is branch-free, since nearly
// all are.
static bool
are_possible(const struct pdht_map *map, const double *numbers)
{
	unsigned beyond = 0;

	for (size_t i = 0; i < map->n_given; i++)
		beyond |= is_beyond(map, i, numbers[i]);
	return beyond == 0;
}

// Drop impossible values. The series of a sample are in the order of the columns.
static bool
check_values(struct pdht *pdht, const struct pdht_row *row)
{
	const struct pdht_map *map = &pdht->map;
	size_t i = 0;

	if (pdht->sample.n == map->n_given && are_possible(map, pdht->numbers))
		return true;
	for (size_t k = 0; k < pdht->sample.n; k++, i++) {
		while (map->given[i] != pdht->series[k])
			i++;
		if (is_beyond(map, i, pdht->numbers[k]) && !leave_out(pdht, row, k))
			return false;
	}
	return true;
}

// Read the cell that the fast path rejected. False if out of memory.
static bool
take_cell(struct pdht *pdht, const struct pdht_row *row, struct cells *cells)
{
	const struct pdht_map *map = &pdht->map;
	struct pmon_span text = pmon_pdht_trim(cells->last.text);
	size_t column = cells->n;

	if (column >= map->n) {
		cells->has_more |= text.len > 0;
		return true;
	}
	if (cells->n_skipped < map->n_skipped && map->skipped[cells->n_skipped] == column) {
		cells->n_skipped++;
		return skip_cell(pdht, row, column, text);
	}
	if (map->series[column] == PMON_SERIES_NONE)
		return true;
	cells->n_read++;
	return text.len == 0 || add_cell(pdht, row, column, text);
}

// False if out of memory.
static bool
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
		while (read_numbers(pdht, fields, &numbers, cells))
			continue;
		if (!pmon_pdht_field_next(fields, &field))
			return check_values(pdht, row);
		cells->last = field;
		if (!take_cell(pdht, row, cells))
			return false;
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

// Handle a line whose first field is not a time. fields is after that field.
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
	if (pmon_pdht_time_form(text) == PDHT_PAST_HOUR)
		kind = PDHT_STUMP;
	else if (!first->is_quoted && !is_number && are_all_blank(*fields))
		kind = PDHT_WORDS; // "Exiting, please wait..." contains a comma
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
		pmon_report_remark(&pdht->report.base, row->offset,
				   "the clock was set %s by an hour before %s (line %llu): from "
				   "there on it is %d min ahead of UTC",
				   how, time, (unsigned long long)row->line,
				   (int)pdht->clock.offset_min);
	else
		pmon_report_remark(
			&pdht->report.base, row->offset,
			"the clock seems to have been set %s by an hour before %s (line %llu), for "
			"daylight saving time; the log has only one UTC offset, so later times are "
			"off by an hour; use --dst-repair to correct them",
			how, time, (unsigned long long)row->line);
}

// The local time of a line whose own field does not contain all of it.
static pmon_time
run_on(struct pdht *pdht, const struct pdht_stamp *stamp)
{
	if (!pdht->has_time)
		pdht->last_time = pdht->start;
	pdht->last_time = pmon_pdht_stamp_after(stamp, pdht->last_time, !pdht->has_time);
	pdht->has_time = true;
	return pdht->last_time;
}

static pmon_time
local_of(struct pdht *pdht, const struct pdht_stamp *stamp)
{
	if (stamp->form != PDHT_DATED)
		return run_on(pdht, stamp);
	return stamp->is_zoned ? stamp->utc : pmon_pdht_stamp_local(stamp, pdht->style.order);
}

// Set the time of the sample from the line. False if there is no such time.
static bool
take_time(struct pdht *pdht, const struct pdht_row *row, const struct pdht_stamp *stamp)
{
	pmon_time local = local_of(pdht, stamp);
	enum pdht_change change;

	if (!pmon_time_is_sane(local))
		return false;
	if (stamp->is_zoned) {
		pdht->sample.time = local;
		if (pdht->clock.zone != NULL)
			pdht->clock.offset_min = pmon_zone_offset_at(pdht->clock.zone, local);
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

// Is the last line of the file complete, although it has no line end? fields is after the first
// one.
static bool
is_whole(const struct pdht *pdht, const struct pdht_field *first, struct pdht_fields fields)
{
	struct pdht_field last = *first;
	struct pdht_field next;
	size_t least = pdht->least;
	size_t n = 0;

	for (; pmon_pdht_field_next(&fields, &next); n++)
		last = next;
	if (pdht->widest > 0 && pdht->widest < least)
		least = pdht->widest;
	if (n < least || last.is_open)
		return false;
	return first->is_quoted ? last.is_quoted : last.text.len > 0;
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
		pmon_report_remark(
			&pdht->report.base, row->offset,
			"the last line has no line terminator; its last value may be truncated");
	if (cells->n > pdht->widest && row->is_ended)
		pdht->widest = cells->n;
}

static bool
is_header(const struct pdht *pdht, struct pmon_span line)
{
	return pdht->style.is_table ? pmon_pdht_is_table(line) : pmon_pdht_is_header(line);
}

enum pmon_status
pmon_pdht_row_load(struct pdht *pdht, struct pdht_row *row, bool *is_sample, struct pmon_err *err)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, false);
	struct pdht_field first;
	struct pdht_stamp stamp;
	struct cells cells = {.n = 0};

	*is_sample = false;
	if (pdht->is_part && !row->is_ended) // it may be incomplete
		return PMON_E_STATE;
	if (pmon_pdht_trim((struct pmon_span){row->ptr, row->len}).len == 0)
		return PMON_OK;
	if (is_header(pdht, (struct pmon_span){row->ptr, row->len})) {
		pmon_pdht_count(&pdht->report, PDHT_HEADER_AGAIN, row, (struct pmon_span){"", 0});
		if (pdht->is_part)
			return PMON_E_STATE;
		return pmon_pdht_header_load(pdht, row, false, err);
	}
	(void)pmon_pdht_field_next(&fields, &first);
	cells.last = first;
	if (!pmon_pdht_stamp_read_form(pmon_pdht_trim(first.text), pdht->style.form, &stamp)) {
		pass_over(pdht, row, &first, &fields);
		return PMON_OK;
	}
	if (!row->is_ended && !is_whole(pdht, &first, fields)) {
		cut_off(pdht, row);
		return PMON_OK;
	}
	if (!take_time(pdht, row, &stamp)) {
		pass_over(pdht, row, &first, &fields);
		return PMON_OK;
	}
	if (!read_cells(pdht, row, &fields, &cells))
		return pmon_err_nomem(err);
	count_oddities(pdht, row, &cells);
	*is_sample = true;
	return PMON_OK;
}
