// split.c - divide a text log into parts, one per thread
// SPDX-License-Identifier: MIT
//
// Parts are explained in part.c.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"

// ---- Reading a part -------------------------------------------------------------------------

static enum pmon_status
part_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct pdht *part = (struct pdht *)source;
	enum pmon_status status = pmon_pdht_part_read(part, err);

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
	return pmon_err_set(err, PMON_E_STATE, 0, "a part can be read only once");
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
	struct pdht *part = pmon_mem_alloc0(pdht->allocator, sizeof(*part));

	if (part == NULL)
		return NULL;
	pmon_pdht_part_set(part, pdht, from, to);
	part->source.ops = &part_ops;
	part->source.inner = &pdht->source;
	if (pmon_pdht_sample_room(part))
		return part;
	part_close(&part->source);
	return NULL;
}

static void
close_parts(struct pmon_source **parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pmon_source_close(parts[i]);
}

// How many parts are worthwhile for the remaining bytes; 0: none.
static size_t
count_parts(const struct pdht *pdht, uint64_t bytes, uint64_t part_bytes, size_t most)
{
	bool is_possible =
		pdht->n_samples == 0 && !pdht->report.is_odd && pmon_pdht_has_parts(pdht);

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
			status = pmon_pdht_find_line(pdht, start + (end - start) / want * (*n + 1),
						     end, &to, err);
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

static enum pmon_status
join(struct pmon_source *source, struct pmon_source *const *parts, size_t n, uint32_t *const *maps,
     struct pmon_err *err)
{
	struct pdht *pdht = (struct pdht *)source;
	struct pdht_input *in = &pdht->input;

	(void)maps; // the series are the same
	for (size_t i = 1; i < n; i++)
		if (!pmon_pdht_clock_goes_on(&((struct pdht *)parts[i - 1])->clock,
					     (struct pdht *)parts[i]))
			return pmon_err_set(err, PMON_E_STATE, 0, "the clock may have changed");
	for (size_t i = 0; i < n; i++) {
		pdht->n_samples += ((struct pdht *)parts[i])->n_samples;
		in->line += ((struct pdht *)parts[i])->input.line;
	}
	// Everything was read.
	pmon_pdht_input_seek(in, pmon_file_size(in->file));
	in->at_end = true;
	source->info.bytes_read = source->info.size_bytes;
	pdht->report.base.here = in->line;
	return PMON_OK;
}

const struct pmon_source_split pmon_pdht_split = {split, join};
