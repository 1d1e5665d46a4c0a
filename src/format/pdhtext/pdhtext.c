// pdhtext.c - text logs of Windows' Performance Monitor, and their kin, as a source of samples
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf.h"

#define LOOK_LINES 16 // after the header, to see how the text is encoded
#define LOOK_BYTES ((uint64_t)1 << 20)

// ---- Reading --------------------------------------------------------------------------------

static enum pmon_status
find_header(struct pdht *pdht, bool is_first, struct pmon_err *err)
{
	struct pdht_row row;
	bool begins_blank = false;
	enum pmon_status status;

	while ((status = pmon_pdht_input_row(&pdht->input, &row, err)) == PMON_OK) {
		if (pmon_pdht_is_header((struct pmon_span){row.ptr, row.len})) {
			pdht->style.begins_blank = begins_blank;
			return pmon_pdht_header_load(pdht, &row, is_first, err);
		}
		begins_blank = row.line == 1 && row.len == 0;
	}
	if (status == PMON_END)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a text log without a header");
	return status;
}

// Zero bytes that the input skipped.
static void
count_zeros(struct pdht *pdht)
{
	struct pdht_input *in = &pdht->input;
	struct pdht_row run = {.ptr = "", .offset = in->zeros_at, .bytes = in->n_zeros};

	if (in->n_zeros == 0)
		return;
	run.line = in->line;
	pmon_pdht_count(&pdht->report, PDHT_ZEROS, &run, (struct pmon_span){"", 0});
	in->n_zeros = 0;
}

enum pmon_status
pmon_pdht_read_sample(struct pdht *pdht, struct pmon_err *err)
{
	struct pdht_row row;
	bool is_sample = false;
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && !is_sample) {
		status = pmon_pdht_input_row(&pdht->input, &row, err);
		if (status == PMON_OK || status == PMON_E_LIMIT)
			pdht->report.base.here = row.line;
		count_zeros(pdht);
		if (status == PMON_OK) {
			status = pmon_pdht_row_load(pdht, &row, &is_sample, err);
		} else if (status == PMON_E_LIMIT) {
			pmon_pdht_count(&pdht->report, PDHT_TOO_LONG, &row,
					(struct pmon_span){"", 0});
			status = PMON_OK;
		}
		if (status == PMON_OK)
			pdht->source.info.bytes_read = row.offset + row.bytes;
	}
	return status;
}

static void
finish(struct pdht *pdht)
{
	uint64_t n_bad = pdht->input.decoder.n_bad;

	pdht->source.info.bytes_read = pdht->source.info.size_bytes;
	if (n_bad > 0 && !pdht->report.is_summed_up)
		pmon_report_remark(&pdht->report.base, 0,
				   "%llu bytes are invalid in this encoding and were replaced; "
				   "--encoding selects another one",
				   (unsigned long long)n_bad);
	pmon_pdht_sum_up(&pdht->report);
}

static enum pmon_status
pdht_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct pdht *pdht = (struct pdht *)source;
	enum pmon_status status;

	if (pdht->failure != PMON_OK) {
		if (err != NULL)
			*err = pdht->failure_err;
		return pdht->failure;
	}
	status = pmon_pdht_ahead_take(pdht) ? PMON_OK
					    : pmon_pdht_read_sample(pdht, &pdht->failure_err);
	if (status == PMON_OK) {
		*sample = &pdht->sample;
		pdht->sample.ordinal = pdht->n_samples++;
	} else if (status == PMON_END) {
		finish(pdht);
	} else {
		if (err != NULL)
			*err = pdht->failure_err;
		// A read may work when it is tried again; what was half taken in may not.
		if (status != PMON_E_IO)
			pdht->failure = status;
	}
	return status;
}

// To the line after the header.
static enum pmon_status
begin(struct pdht *pdht, struct pmon_err *err)
{
	enum pmon_status status;

	pmon_pdht_ahead_close(pdht);
	pmon_pdht_input_rewind(&pdht->input);
	pmon_report_rewind(&pdht->report.base);
	pdht->n_samples = 0;
	pdht->failure = PMON_OK;
	status = find_header(pdht, false, err);
	pdht->input.n_zeros = 0;
	return status;
}

static enum pmon_status
pdht_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return begin((struct pdht *)source, err);
}

// ---- Closing --------------------------------------------------------------------------------

static void
pdht_close(struct pmon_source *source)
{
	struct pdht *pdht = (struct pdht *)source;
	const struct pmon_allocator *allocator = pdht->allocator;

	pmon_pdht_ahead_close(pdht);
	pmon_file_close(pdht->input.file);
	pmon_pdht_columns_free(&pdht->columns, allocator);
	pmon_pdht_types_free(&pdht->types, allocator);
	pmon_pdht_input_close(&pdht->input);
	pmon_pdht_map_free(&pdht->map, allocator);
	pmon_mem_free(allocator, pdht->scratch, pdht->scratch_cap);
	pmon_pdht_sample_free(pdht);
	pmon_schema_free(&pdht->source.schema);
	pmon_arena_free(&pdht->arena);
	pmon_mem_free(allocator, pdht, sizeof(*pdht));
}

static void
pdht_skip(struct pmon_source *source, const bool *unread, size_t n)
{
	struct pdht *pdht = (struct pdht *)source;

	for (size_t i = 0; i < pdht->map.n; i++)
		if (pdht->map.series[i] < n && unread[pdht->map.series[i]])
			pdht->map.series[i] = PMON_SERIES_NONE;
	pmon_pdht_map_index(&pdht->map);
}

static const struct pmon_source_ops pdht_ops = {pdht_next, pdht_rewind, pdht_close};

// ---- Encoding -------------------------------------------------------------------------------

// The first of the first lines that is not UTF-8, or PMON_END.
static enum pmon_status
find_foreign(struct pdht *pdht, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	uint64_t last = UINT64_MAX;

	*row = (struct pdht_row){0};
	while (row->line < last && row->offset < LOOK_BYTES) {
		status = pmon_pdht_input_row(&pdht->input, row, err);
		if (status != PMON_OK)
			return status == PMON_E_LIMIT ? PMON_END : status;
		if (!pmon_utf8_valid((struct pmon_span){row->ptr, row->len}))
			return PMON_OK;
		if (last == UINT64_MAX &&
		    pmon_pdht_is_header((struct pmon_span){row->ptr, row->len}))
			last = row->line + LOOK_LINES;
	}
	return PMON_END;
}

// Text of an unknown encoding is read as UTF-8 if it is valid UTF-8.
static enum pmon_status
settle_encoding(struct pdht *pdht, const char *encoding, struct pmon_err *err)
{
	struct pdht_row row;
	const char *page;
	enum pmon_status status;

	if (encoding != NULL || pdht->input.decoder.form != PDHT_BYTES)
		return PMON_OK;
	status = find_foreign(pdht, &row, err);
	if (status != PMON_OK) {
		pmon_pdht_input_rewind(&pdht->input);
		return status == PMON_END ? PMON_OK : status;
	}
	page = pmon_pdht_guess_code_page((struct pmon_span){row.ptr, row.len});
	status = pmon_pdht_input_encoding(&pdht->input, page, err);
	if (status == PMON_E_ARG)
		pmon_report_remark(&pdht->report.base, row.offset,
				   "the text is not UTF-8, and this system cannot convert %s",
				   page);
	else if (status == PMON_OK)
		pmon_report_remark(
			&pdht->report.base, row.offset,
			"the text is not UTF-8; it is taken as %s (%s); --encoding names "
			"another one",
			page, strcmp(page, "CP932") == 0 ? "Shift-JIS" : "Western European");
	return status == PMON_E_ARG ? PMON_OK : status;
}

static void
tell_encoding(struct pdht *pdht)
{
	if (pdht->input.decoder.form == PDHT_UTF16LE || pdht->input.decoder.form == PDHT_UTF16BE)
		pmon_report_remark(&pdht->report.base, 0, "the text is UTF-16");
}

// ---- Opening --------------------------------------------------------------------------------

static enum pmon_status
open_all(struct pdht *pdht, const struct pmon_log_options *options, struct pmon_err *err)
{
	enum pmon_status status = pmon_pdht_input_open(&pdht->input, options->encoding, err);

	if (status == PMON_OK && options->known_types != NULL)
		status = pmon_pdht_types_load(&pdht->types, options->known_types, &pdht->arena,
					      &pdht->limits, err);
	if (status == PMON_OK)
		status = settle_encoding(pdht, options->encoding, err);
	if (status != PMON_OK)
		return status;
	tell_encoding(pdht);
	status = find_header(pdht, true, err);
	if (status == PMON_OK && pdht->columns.n_paths == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a text log that names no counter");
	if (status == PMON_OK)
		status = pmon_pdht_survey(pdht, err);
	return status == PMON_OK ? begin(pdht, err) : status;
}

static enum pmon_status
pdht_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct pdht *pdht = (struct pdht *)source;
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);

	source->split = &pmon_pdht_split;
	source->skip = pdht_skip;
	source->info.size_bytes = pmon_file_size(files->file);
	source->info.lists_series = true;
	pdht->allocator = allocator;
	pdht->limits = pmon_limits_filled(&options->limits);
	pdht->want = options->want;
	pdht->want_ctx = options->want_ctx;
	pdht->dst_repair = options->dst_repair;
	pdht->threads = options->threads;
	pmon_format_report(&pdht->report.base, source, options);
	pdht->report.base.here = 1;
	pdht->input.file = files->file;
	pdht->input.allocator = allocator;
	pdht->input.max_row = pdht->limits.record_bytes;
	pdht->style.decimal = '.';
	pmon_arena_init(&pdht->arena, allocator);
	pdht->columns.seed = pmon_hash_seed();
	return open_all(pdht, options, err);
}

// ---- Recognising ----------------------------------------------------------------------------

// The head of a file as one byte a character, those that are not ASCII as '?'.
static size_t
take_head(const uint8_t *head, size_t len, char *out)
{
	size_t mark;
	enum pdht_form form = pmon_pdht_form_of(head, len, &mark);
	size_t step = form == PDHT_BYTES ? 1 : 2;
	size_t low = form == PDHT_UTF16BE ? 1 : 0;
	size_t n = 0;

	for (size_t at = mark; at + step <= len; at += step) {
		uint8_t c = head[at + low];
		bool is_ascii = c < 0x80 && (step == 1 || head[at + 1 - low] == 0);

		out[n++] = (char)(is_ascii ? c : '?');
	}
	return n;
}

static bool
probe(const uint8_t *head, size_t len)
{
	char text[PMON_PROBE_BYTES];
	size_t n = take_head(head, len < sizeof(text) ? len : sizeof(text), text);
	size_t start = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && text[i] != '\n' && text[i] != '\r')
			continue;
		if (pmon_pdht_is_header((struct pmon_span){text + start, i - start}))
			return true;
		start = i + 1;
	}
	return false;
}

const struct pmon_format pmon_format_pdhtext = {
	.name = "PDH text",
	.probe = probe,
	.open = pdht_open,
	.source_bytes = sizeof(struct pdht),
	.ops = &pdht_ops,
	.is_forward = true,
	.is_asked_last = true,
	.writers = pmon_pdht_writers,
	.n_writers = PDHT_WRITERS,
};
