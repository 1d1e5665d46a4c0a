// part.c - a range of whole lines of a text log
// SPDX-License-Identifier: MIT
//
// Parts have the current header, and with it the series of the log; they own only their buffers. A
// part is odd, and ends, at anything that has to be reported: a line with another number of cells,
// a cell without a number, another header.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#define LOOK_BYTES   4096 // searched for a line end at a time
#define CLOCK_WINDOW (4 * 60 * PMON_TIME_PER_MIN)

static void
note_oddity(void *ctx, const struct pmon_notice *notice)
{
	struct pdht *part = ctx;

	(void)notice;
	part->report.is_odd = true;
}

bool
pmon_pdht_has_parts(const struct pdht *pdht)
{
	return pdht->failure == PMON_OK && pdht->style.form == PDHT_DATED &&
	       pdht->input.decoder.form == PDHT_BYTES && pmon_file_is_shareable(pdht->input.file);
}

void
pmon_pdht_part_set(struct pdht *part, const struct pdht *pdht, uint64_t from, uint64_t to)
{
	struct pdht_input input = {
		.file = pdht->input.file,
		.allocator = pdht->allocator,
		.decoder = {.form = PDHT_BYTES},
		.max_row = pdht->input.max_row,
		.start = from,
		.stop = to,
		.buf = part->input.buf,
		.cap = part->input.cap,
	};

	*part = *pdht;
	part->source.split = NULL;
	part->report = (struct pdht_report){
		.base = {.notice = note_oddity, .notice_ctx = part, .info = &part->source.info}};
	part->input = input;
	pmon_pdht_input_rewind(&part->input);
	part->clock.has_last = false;
	part->clock.interval = 0;
	part->is_part = true;
	part->n_begun = 0;
	part->ahead = NULL;
	part->series = NULL;
	part->raw = NULL;
	part->numbers = NULL;
	part->series_cap = part->raw_cap = part->numbers_cap = 0;
}

enum pmon_status
pmon_pdht_part_read(struct pdht *part, struct pmon_err *err)
{
	enum pmon_status status = pmon_pdht_read_sample(part, err);

	if (status != PMON_OK && status != PMON_END)
		return status;
	return part->report.is_odd || part->input.n_zeros > 0 ? PMON_E_STATE : status;
}

enum pmon_status
pmon_pdht_find_line(const struct pdht *pdht, uint64_t from, uint64_t to, uint64_t *out,
		    struct pmon_err *err)
{
	char buf[LOOK_BYTES];

	for (uint64_t at = from - 1; at < to; at += LOOK_BYTES) {
		size_t want = to - at < LOOK_BYTES ? (size_t)(to - at) : LOOK_BYTES;
		size_t got;
		const char *lf;
		enum pmon_status status =
			pmon_file_read(pdht->input.file, at, buf, want, &got, err);

		if (status != PMON_OK)
			return status;
		lf = memchr(buf, '\n', got);
		if (lf != NULL) {
			*out = at + (uint64_t)(lf - buf) + 1;
			return PMON_OK;
		}
		if (got < want)
			break;
	}
	*out = to;
	return PMON_OK;
}

bool
pmon_pdht_clock_goes_on(const struct pdht_clock *before, const struct pdht *part)
{
	struct pdht_clock clock = *before;
	struct pdht_clock alone = part->clock;
	int64_t step = part->begun[1] - part->begun[0];

	if (!before->has_last) // every time has its own offset
		return part->n_begun == 0;
	if (part->n_begun < 2 || step <= 0 || step >= CLOCK_WINDOW)
		return false;
	if (pmon_pdht_clock_take(&clock, part->begun[0], false) != PDHT_NO_CHANGE)
		return false;
	if (clock.zone == NULL)
		return pmon_pdht_clock_take(&clock, part->begun[1], false) == PDHT_NO_CHANGE;
	alone.has_last = false;
	(void)pmon_pdht_clock_take(&alone, part->begun[0], false);
	return alone.offset_min == clock.offset_min;
}
