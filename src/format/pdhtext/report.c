// report.c - what the user should know of a text log, told once
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

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
			// Bytes that are no UTF-8 at the end are a character that was cut.
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
	[PDHT_OPEN_QUOTE] = {false, "line has a quote that is not closed",
			     "lines have a quote that is not closed"},
	[PDHT_BAD_CELL] = {false, "cell is not a number and has no value",
			   "cells are not numbers and have no value"},
	[PDHT_TORN_CELL] = {true, "cell holds zero bytes and has no value",
			    "cells hold zero bytes and have no value"},
	[PDHT_INFINITE_CELL] = {false, "cell is infinite or not a number (NaN) and has no value",
				"cells are infinite or not a number (NaN) and have no value"},
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

void
pmon_pdht_count(struct pdht_report *report, enum pdht_kind kind, const struct pdht_row *row,
		struct pmon_span text)
{
	struct pdht_tally *tally = &report->tallies[kind];

	report->is_odd = true;
	if (report->base.here <= report->base.seen)
		return;
	tally->bytes += row->bytes;
	if (tally->n++ > 0)
		return;
	tally->offset = row->offset;
	tally->line = row->line;
	(void)pmon_pdht_show(text, tally->text);
}

static void
sum_up(struct pdht_report *report, enum pdht_kind kind)
{
	const struct pdht_tally *tally = &report->tallies[kind];
	// If all lines are short, the other fields were never written.
	bool is_loss = kinds[kind].is_loss || (kind == PDHT_SHORT && report->has_full_line);
	char buf[400];
	struct pmon_text text = pmon_text_init(buf, sizeof(buf));
	struct pmon_notice notice = {is_loss, tally->offset, is_loss ? tally->bytes : 0, buf};

	if (tally->n == 0)
		return;
	pmon_text_u64(&text, tally->n);
	pmon_text_char(&text, ' ');
	pmon_text_str(&text, tally->n == 1 ? kinds[kind].one : kinds[kind].many);
	pmon_text_str(&text, tally->n == 1 ? "; line " : "; the first is line ");
	pmon_text_u64(&text, tally->line);
	if (tally->text[0] != '\0') {
		pmon_text_str(&text, ": ");
		pmon_text_str(&text, tally->text);
	}
	report->base.info->losses += is_loss;
	report->base.info->bytes_lost += is_loss ? tally->bytes : 0;
	if (report->base.notice != NULL)
		report->base.notice(report->base.notice_ctx, &notice);
}

void
pmon_pdht_sum_up(struct pdht_report *report)
{
	if (report->is_summed_up)
		return;
	report->is_summed_up = true;
	for (int kind = 0; kind < PDHT_KINDS; kind++)
		sum_up(report, (enum pdht_kind)kind);
}
