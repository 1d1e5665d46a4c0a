// report.c - report facts about a text log, each once
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf.h"

const char *
pmon_pdht_show(struct pmon_span text, char buf[PDHT_SAMPLE_BYTES + 1])
{
	size_t n = text.len < PDHT_SAMPLE_BYTES ? text.len : PDHT_SAMPLE_BYTES;
	size_t from = 0;
	size_t at = 0;

	text.len = n;
	while (from < n) {
		size_t start = from;
		uint32_t c = pmon_utf8_next(text, &from);

		if (c < 0x20 || c == 0x7F || (c >= 0xDC80 && c <= 0xDCFF)) {
			// Invalid bytes at the end are a truncated character.
			if (c < 0xDC80 || n - from > 3)
				buf[at++] = '?';
			continue;
		}
		memcpy(buf + at, text.ptr + start, from - start);
		at += from - start;
	}
	buf[at] = '\0';
	return buf;
}

// ---- What comes many times ------------------------------------------------------------------

static const struct {
	bool is_loss;
	const char *one;
	const char *many;
} kinds[PDHT_KINDS] = {
	[PDHT_SHORT] = {false, "line has fewer fields than the header",
			"lines have fewer fields than the header"},
	[PDHT_LONG] = {true, "line has more fields than the header",
		       "lines have more fields than the header"},
	[PDHT_OPEN_QUOTE] = {false, "line has an unterminated quote",
			     "lines have an unterminated quote"},
	[PDHT_TORN_CELL] = {true, "cell contains NUL bytes and has no value",
			    "cells contain NUL bytes and have no value"},
	[PDHT_WORDS] = {false, "line is not a sample and was skipped",
			"lines are not samples and were skipped"},
	[PDHT_HEADER_AGAIN] = {false, "more header follows: logs were concatenated",
			       "more headers follow: logs were concatenated"},
	[PDHT_NO_TIME] = {true, "line has no readable time and was skipped",
			  "lines have no readable time and were skipped"},
	[PDHT_STUMP] = {true,
			"line has minutes and seconds only: a spreadsheet has saved its time "
			"without date and hour",
			"lines have minutes and seconds only: a spreadsheet has saved their times "
			"without date and hour; save it again with the first column formatted as "
			"mm/dd/yyyy hh:mm:ss.000"},
	[PDHT_TOO_LONG] = {true, "line is longer than the limit and was skipped",
			   "lines are longer than the limit and were skipped"},
	[PDHT_ZEROS] = {true, "run of zero bytes was never written over with lines",
			"runs of zero bytes were never written over with lines"},
};

static void
add(struct pdht_tally *tally, const struct pdht_row *row, uint64_t bytes, struct pmon_span text)
{
	tally->bytes += bytes;
	if (tally->n++ > 0)
		return;
	tally->offset = row->offset;
	tally->line = row->line;
	(void)pmon_pdht_show(text, tally->text);
}

void
pmon_pdht_count(struct pdht_report *report, enum pdht_kind kind, const struct pdht_row *row,
		struct pmon_span text)
{
	report->is_odd = true;
	if (report->base.here > report->base.seen)
		add(&report->tallies[kind], row, row->bytes, text);
}

// "; the first is line 2: abc"
static void
append_place(struct pmon_text *text, const struct pdht_tally *tally)
{
	pmon_text_str(text, pmon_text_word(tally->n, "; line ", "; the first is line "));
	pmon_text_u64(text, tally->line);
	if (tally->text[0] == '\0')
		return;
	pmon_text_str(text, ": ");
	pmon_text_str(text, tally->text);
}

static void
notify(struct pdht_report *report, bool is_loss, const struct pdht_tally *tally, const char *text)
{
	struct pmon_notice notice = {is_loss, tally->offset, is_loss ? tally->bytes : 0, text};

	report->base.info->losses += is_loss;
	report->base.info->bytes_lost += is_loss ? tally->bytes : 0;
	if (report->base.notice != NULL)
		report->base.notice(report->base.notice_ctx, &notice);
}

static void
sum_up(struct pdht_report *report, enum pdht_kind kind)
{
	const struct pdht_tally *tally = &report->tallies[kind];
	// If all lines are short, the other fields were never written.
	bool is_loss = kinds[kind].is_loss || (kind == PDHT_SHORT && report->has_full_line);
	char buf[400];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	if (tally->n == 0)
		return;
	pmon_text_u64(&text, tally->n);
	pmon_text_char(&text, ' ');
	pmon_text_str(&text, tally->n == 1 ? kinds[kind].one : kinds[kind].many);
	append_place(&text, tally);
	notify(report, is_loss, tally, buf);
}

// ---- Cells ----------------------------------------------------------------------------------

#define MOST_COLUMNS 20 // named per kind of cells; others are counted together

// A cell with digits is a damaged number, and so lost data; words such as "n/a" are not.
static const struct {
	bool is_loss;
	const char *one;
	const char *many;
} cell_kinds[PDHT_CELLS] = {
	[PDHT_CELL_TEXT] = {false, "is not a number and has no value",
			    "are not numbers and have no value"},
	[PDHT_CELL_BAD] = {true, "is not a number and has no value",
			   "are not numbers and have no value"},
	[PDHT_CELL_UNCLEAR] = {true,
			       "may have a decimal mark or separate thousands, and has no value",
			       "may have a decimal mark or separate thousands, and have no value"},
	[PDHT_CELL_INFINITE] = {false, "is infinite or not a number (NaN) and has no value",
				"are infinite or not a number (NaN) and have no value"},
	[PDHT_CELL_IMPOSSIBLE] = {false, "is impossible for its type and left out",
				  "are impossible for its type and left out"},
	[PDHT_CELL_KEPT] = {false, "is impossible for its type, and kept as it is",
			    "are impossible for its type, and kept as they are"},
	[PDHT_CELL_SKIPPED_TEXT] = {false, "was not read: the column has no counter path",
				    "were not read: the column has no counter path"},
	[PDHT_CELL_SKIPPED] = {true, "was not read: the column has no counter path",
			       "were not read: the column has no counter path"},
};

// The count of a column, created if needed. NULL if out of memory.
static struct pdht_tally *
tally_of(struct pdht *pdht, enum pdht_cell kind, uint32_t column)
{
	struct pdht_cell_tallies *t = &pdht->columns.cells;
	uint32_t *first = &pdht->columns.list[column].tallies;

	for (uint32_t i = *first; i != PMON_SERIES_NONE; i = t->list[i].next)
		if (t->list[i].kind == kind)
			return &t->list[i].tally;
	if (!pmon_mem_grow(pdht->allocator, &t->list, &t->cap, t->n + 1, sizeof(*t->list)))
		return NULL;
	t->list[t->n] = (struct pdht_cell_tally){.kind = kind, .column = column, .next = *first};
	*first = (uint32_t)t->n;
	return &t->list[t->n++].tally;
}

bool
pmon_pdht_count_cell(struct pdht *pdht, enum pdht_cell kind, size_t i, const struct pdht_row *row,
		     struct pmon_span text)
{
	struct pdht_tally *tally;

	pdht->report.is_odd = true;
	if (pdht->is_part || pdht->report.base.here <= pdht->report.base.seen)
		return true;
	tally = tally_of(pdht, kind, pdht->map.column[i]);
	if (tally != NULL)
		add(tally, row, text.len, text);
	return tally != NULL;
}

// `8 cells of "\\SRV\Memory\Pages/sec" are not numbers ...`
static void
append_cells(struct pmon_text *text, const struct pdht *pdht, uint64_t n, uint32_t column)
{
	char shown[PDHT_SAMPLE_BYTES + 1];
	struct pmon_span name = pdht->columns.list[column].text;

	pmon_text_u64(text, n);
	pmon_text_str(text, pmon_text_word(n, " cell of ", " cells of "));
	if (name.len == 0 && pdht->caption[0] == '\0') {
		pmon_text_str(text, "a column without a name ");
		return;
	}
	pmon_text_char(text, '"');
	pmon_text_str(text, name.len == 0 ? pdht->caption : pmon_pdht_show(name, shown));
	pmon_text_str(text, name.len > PDHT_SAMPLE_BYTES ? "...\" " : "\" ");
}

static void
report_column(struct pdht *pdht, const struct pdht_cell_tally *cells)
{
	char buf[400];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));
	const struct pdht_tally *tally = &cells->tally;

	append_cells(&text, pdht, tally->n, cells->column);
	pmon_text_str(&text,
		      tally->n == 1 ? cell_kinds[cells->kind].one : cell_kinds[cells->kind].many);
	append_place(&text, tally);
	notify(&pdht->report, cell_kinds[cells->kind].is_loss, tally, buf);
}

// The remaining columns together.
static void
report_others(struct pdht *pdht, enum pdht_cell kind, const struct pdht_tally *others, size_t n)
{
	char buf[400];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));

	if (n == 0)
		return;
	pmon_text_u64(&text, others->n);
	pmon_text_str(&text, pmon_text_word(others->n, " cell of ", " cells of "));
	pmon_text_u64(&text, n);
	pmon_text_str(&text, pmon_text_word(n, " more column ", " more columns "));
	pmon_text_str(&text, others->n == 1 ? cell_kinds[kind].one : cell_kinds[kind].many);
	append_place(&text, others);
	notify(&pdht->report, cell_kinds[kind].is_loss, others, buf);
}

static void
report_cells(struct pdht *pdht, enum pdht_cell kind)
{
	const struct pdht_cell_tallies *t = &pdht->columns.cells;
	struct pdht_tally others = {.n = 0};
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct pdht_tally *tally = &t->list[i].tally;

		if (t->list[i].kind != kind)
			continue;
		if (++n <= MOST_COLUMNS) {
			report_column(pdht, &t->list[i]);
			continue;
		}
		if (others.n == 0)
			others = (struct pdht_tally){.offset = tally->offset, .line = tally->line};
		others.n += tally->n;
		others.bytes += tally->bytes;
	}
	report_others(pdht, kind, &others, n > MOST_COLUMNS ? n - MOST_COLUMNS : 0);
}

void
pmon_pdht_sum_up(struct pdht *pdht)
{
	if (pdht->report.is_summed_up)
		return;
	pdht->report.is_summed_up = true;
	for (int kind = 0; kind < PDHT_KINDS; kind++)
		sum_up(&pdht->report, (enum pdht_kind)kind);
	for (int kind = 0; kind < PDHT_CELLS; kind++)
		report_cells(pdht, (enum pdht_cell)kind);
}
