// split.c - a text log in parts, each for a thread
// SPDX-License-Identifier: MIT
//
// A part is a range of whole lines. All parts have the header that holds at the beginning, and with it
// the series of the log; they own their buffers and nothing else. A part is odd, and ends, where
// anything would be reported: a line with another number of cells, a cell without a number, one
// more header.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"

#define LOOK_BYTES   4096 // for a line end at a time
#define CLOCK_WINDOW (4 * 60 * PMON_TIME_PER_MIN)

// ---- Reading a part -------------------------------------------------------------------------

static void
note_oddity(void *ctx, const struct pmon_notice *notice)
{
	struct pdht *part = ctx;

	(void)notice;
	part->report.is_odd = true;
}

static enum pmon_status
part_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct pdht *part = (struct pdht *)source;
	enum pmon_status status = pmon_pdht_read_sample(part, err);

	if (status != PMON_OK && status != PMON_END)
		return status;
	if (part->report.is_odd || part->input.n_zeros > 0)
		return PMON_E_STATE;
	if (status == PMON_OK) {
		*sample = &part->sample;
		part->sample.ordinal = part->n_samples++;
	}
	return status;
}

static enum pmon_status
part_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source;
	return pmon_err_set(err, PMON_E_STATE, 0, "a part is read once");
}

static void
part_close(struct pmon_source *source)
{
	struct pdht *part = (struct pdht *)source;
	const struct pmon_allocator *allocator = part->allocator;

	pmon_pdht_input_close(&part->input);
	pmon_pdht_sample_free(part);
	pmon_mem_free(allocator, part, sizeof(*part));
}

static const struct pmon_source_ops part_ops = {part_next, part_rewind, part_close};

// ---- Splitting ------------------------------------------------------------------------------

// The part of the log from one offset to another.
static struct pdht *
new_part(struct pdht *pdht, uint64_t from, uint64_t to)
{
	struct pdht *part = pmon_mem_alloc(pdht->allocator, sizeof(*part));

	if (part == NULL)
		return NULL;
	*part = *pdht;
	part->source.ops = &part_ops;
	part->source.split = NULL;
	part->source.inner = &pdht->source;
	part->report = (struct pdht_report){
		.base = {.notice = note_oddity, .notice_ctx = part, .info = &part->source.info}};
	part->input = (struct pdht_input){
		.file = pdht->input.file,
		.allocator = pdht->allocator,
		.decoder = {.form = PDHT_BYTES},
		.max_row = pdht->input.max_row,
		.start = from,
		.stop = to,
	};
	pmon_pdht_input_rewind(&part->input);
	part->is_part = true;
	part->series = NULL;
	part->raw = NULL;
	part->numbers = NULL;
	part->series_cap = part->raw_cap = part->numbers_cap = 0;
	if (pmon_pdht_sample_room(part))
		return part;
	part_close(&part->source);
	return NULL;
}

// Where the first line begins that does so at `from` or later; `to` when there is none before.
static enum pmon_status
find_line(struct pdht *pdht, uint64_t from, uint64_t to, uint64_t *out, struct pmon_err *err)
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

static void
close_parts(struct pmon_source **parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pmon_source_close(parts[i]);
}

// How many parts it is worth while to make of the bytes that are left; 0: none.
static size_t
count_parts(const struct pdht *pdht, uint64_t bytes, uint64_t part_bytes, size_t most)
{
	bool is_possible = pdht->n_samples == 0 && pdht->failure == PMON_OK &&
			   pdht->input.decoder.form == PDHT_BYTES && !pdht->report.is_odd &&
			   pmon_file_is_shareable(pdht->input.file);

	if (!is_possible || bytes / 2 < part_bytes)
		return 0;
	return bytes / most < part_bytes ? (size_t)(bytes / part_bytes) : most;
}

static enum pmon_status
split(struct pmon_source *source, uint64_t part_bytes, struct pmon_source **parts, size_t *n,
      struct pmon_err *err)
{
	struct pdht *pdht = (struct pdht *)source;
	uint64_t end = pmon_file_size(pdht->input.file);
	uint64_t start = (uint64_t)pdht->input.origin + pdht->input.pos;
	size_t most = *n;
	size_t want;

	*n = 0;
	if (start >= end || part_bytes == 0)
		return PMON_OK;
	want = count_parts(pdht, end - start, part_bytes, most);
	for (uint64_t from = start; *n < want; (*n)++) {
		uint64_t to = end;
		struct pdht *part;
		enum pmon_status status = PMON_OK;

		if (*n + 1 < want)
			status = find_line(pdht, start + (end - start) / want * (*n + 1), end, &to,
					   err);
		part = status == PMON_OK ? new_part(pdht, from, to < from ? from : to) : NULL;
		if (part == NULL) {
			close_parts(parts, *n);
			*n = 0;
			return status != PMON_OK ? status : pmon_err_nomem(err);
		}
		part->input.skip_lf = *n == 0 && pdht->input.skip_lf;
		parts[*n] = &part->source;
		from = to < from ? from : to;
	}
	return PMON_OK;
}

// ---- Joining --------------------------------------------------------------------------------

// Would the clock have been in the same state after the first two lines of the part, had it come from
// the part before? From there on it is then the same.
static bool
is_clock_the_same(const struct pdht *before, const struct pdht *part)
{
	struct pdht_clock clock = before->clock;
	int64_t step = part->begun[1] - part->begun[0];

	if (before->n_begun == 0 && part->n_begun == 0) // every time has its own offset
		return true;
	if (before->n_begun < 2 || part->n_begun < 2 || step <= 0 || step >= CLOCK_WINDOW)
		return false;
	return pmon_pdht_clock_take(&clock, part->begun[0], false) == PDHT_NO_CHANGE &&
	       pmon_pdht_clock_take(&clock, part->begun[1], false) == PDHT_NO_CHANGE;
}

static enum pmon_status
join(struct pmon_source *source, struct pmon_source *const *parts, size_t n, uint32_t *const *maps,
     struct pmon_err *err)
{
	struct pdht *pdht = (struct pdht *)source;
	struct pdht_input *in = &pdht->input;

	(void)maps; // the series are the same
	for (size_t i = 1; i < n; i++)
		if (!is_clock_the_same((struct pdht *)parts[i - 1], (struct pdht *)parts[i]))
			return pmon_err_set(err, PMON_E_STATE, 0, "the clock may have changed");
	for (size_t i = 0; i < n; i++) {
		pdht->n_samples += ((struct pdht *)parts[i])->n_samples;
		in->line += ((struct pdht *)parts[i])->input.line;
	}
	// All was read.
	in->next = pmon_file_size(in->file);
	in->row = in->pos = in->scan = in->end = 0;
	in->origin = (int64_t)in->next;
	in->at_end = true;
	source->info.bytes_read = source->info.size_bytes;
	pdht->report.base.here = in->line;
	return PMON_OK;
}

const struct pmon_source_split pmon_pdht_split = {split, join};
