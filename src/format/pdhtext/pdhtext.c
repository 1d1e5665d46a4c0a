// pdhtext.c - text logs of Windows' Performance Monitor and similar programs, as a source of
// samples
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/utf.h"

#define LOOK_LINES 16 // after the header, to detect the encoding
#define LOOK_BYTES ((uint64_t)1 << 20)

// ---- Reading --------------------------------------------------------------------------------

// Is the line the header of a table with plain names? The next line shows it.
static enum pmon_status
find_plain(struct pdht *pdht, struct pdht_row *row, bool *is_plain, struct pmon_err *err)
{
	struct pmon_span next;
	enum pmon_status status = pmon_pdht_input_ahead(&pdht->input, row, &next, err);

	*is_plain = status == PMON_OK &&
		    pmon_pdht_is_plain((struct pmon_span){row->ptr, row->len}, next);
	return status;
}

static enum pmon_status
find_header(struct pdht *pdht, bool is_first, struct pmon_err *err)
{
	struct pdht_row row;
	bool begins_blank = false;
	bool has_text = false; // before the header
	bool is_plain = false;
	enum pmon_status status;

	while ((status = pmon_pdht_input_row(&pdht->input, &row, err)) == PMON_OK) {
		struct pmon_span line = {row.ptr, row.len};
		bool is_marked = pmon_pdht_is_header(line);

		if (!is_marked && !has_text && !pmon_pdht_is_table(line)) {
			status = find_plain(pdht, &row, &is_plain, err);
			if (status != PMON_OK)
				return status;
			line.ptr = row.ptr;
		}
		if (is_marked || is_plain || (!has_text && pmon_pdht_is_table(line))) {
			pdht->style.begins_blank = begins_blank;
			pdht->style.is_plain = is_plain;
			return pmon_pdht_header_load(pdht, &row, is_first, err);
		}
		begins_blank = row.line == 1 && row.len == 0;
		has_text = has_text || row.len > 0;
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
				   "%llu %s invalid in this encoding and replaced; use --encoding "
				   "to select another one",
				   (unsigned long long)n_bad,
				   pmon_text_word(n_bad, "byte is", "bytes are"));
	pmon_pdht_sum_up(pdht);
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
		// A failed read may succeed if it is retried, but not after something was partially
		// processed.
		if (status != PMON_E_IO)
			pdht->failure = status;
	}
	return status;
}

// Advance to the line after the header.
static enum pmon_status
begin(struct pdht *pdht, struct pmon_err *err)
{
	enum pmon_status status;

	pmon_pdht_ahead_close(pdht);
	pmon_pdht_input_rewind(&pdht->input);
	pmon_report_rewind(&pdht->report.base);
	pdht->n_samples = 0;
	pdht->has_time = false;
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
	pmon_pdht_map_index(&pdht->map, &pdht->columns);
}

static const struct pmon_source_ops pdht_ops = {pdht_next, pdht_rewind, pdht_close};

// ---- Encoding -------------------------------------------------------------------------------

// How much of a text beyond ASCII is UTF-8.
struct utf8_tally {
	size_t n_characters;
	size_t n_bad; // bytes
};

static void
count_utf8(struct utf8_tally *tally, struct pmon_span line)
{
	size_t i = 0;

	while (i < line.len) {
		uint32_t c = (uint8_t)line.ptr[i];

		if (c < 0x80) {
			i++;
			continue;
		}
		c = pmon_utf8_next(line, &i);
		tally->n_bad += c >= 0xDC80 && c <= 0xDCFF;
		tally->n_characters += c < 0xDC80 || c > 0xDCFF;
	}
}

// Damage and a cut leave a few bytes that are not UTF-8. In code pages few or no bytes look like it.
static bool
is_utf8(const struct utf8_tally *tally)
{
	return tally->n_bad == 0 || tally->n_bad <= tally->n_characters / 4;
}

// Find the first of the first lines up to which the text is not UTF-8, or PMON_END.
static enum pmon_status
find_foreign(struct pdht *pdht, struct pdht_row *row, struct pmon_err *err)
{
	struct utf8_tally tally = {0};
	enum pmon_status status = PMON_OK;
	uint64_t last = UINT64_MAX;

	*row = (struct pdht_row){0};
	while (row->line < last && row->offset < LOOK_BYTES) {
		status = pmon_pdht_input_row(&pdht->input, row, err);
		if (status != PMON_OK)
			return status == PMON_E_LIMIT ? PMON_END : status;
		count_utf8(&tally, (struct pmon_span){row->ptr, row->len});
		if (!is_utf8(&tally))
			return PMON_OK;
		if (last == UINT64_MAX &&
		    (pmon_pdht_is_header((struct pmon_span){row->ptr, row->len}) ||
		     pmon_pdht_is_table((struct pmon_span){row->ptr, row->len})))
			last = row->line + LOOK_LINES;
	}
	return PMON_END;
}

// Text of an unknown encoding is read as UTF-8 if it is valid UTF-8.
static enum pmon_status
settle_encoding(struct pdht *pdht, const char *encoding, struct pmon_err *err)
{
	struct pdht_row row;
	const struct pdht_code_page *page;
	enum pmon_status status;

	if (encoding != NULL || pdht->input.decoder.form != PDHT_BYTES)
		return PMON_OK;
	status = find_foreign(pdht, &row, err);
	if (status != PMON_OK) {
		pmon_pdht_input_rewind(&pdht->input);
		return status == PMON_END ? PMON_OK : status;
	}
	page = pmon_pdht_guess_code_page((struct pmon_span){row.ptr, row.len}, pdht->allocator);
	if (page == NULL)
		return pmon_err_nomem(err);
	status = pmon_pdht_input_encoding(&pdht->input, page->name, err);
	if (status == PMON_E_ARG)
		pmon_report_remark(&pdht->report.base, row.offset,
				   "the text is not UTF-8, and this system cannot convert %s",
				   page->name);
	else if (status == PMON_OK)
		pmon_report_remark(&pdht->report.base, row.offset,
				   "the text is not UTF-8; treating it as %s (%s); use --encoding "
				   "to select another one",
				   page->name, page->what);
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
find_header_again(struct pdht *pdht, struct pmon_err *err)
{
	pmon_pdht_input_rewind(&pdht->input);
	return find_header(pdht, false, err);
}

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
		return pmon_err_set(err, PMON_E_FORMAT, 0, "a text log without counters");
	if (status == PMON_OK)
		status = pmon_pdht_survey(pdht, err);
	if (status == PMON_OK && pdht->style.form != PDHT_DATED) {
		status = find_header_again(pdht, err);
		if (status == PMON_OK)
			status = pmon_pdht_survey(pdht, err);
	}
	if (status == PMON_OK && pdht->has_no_caption)
		status = find_header_again(pdht, err);
	if (status != PMON_OK)
		return status;
	pmon_pdht_tell_columns(pdht);
	return begin(pdht, err);
}

// A date that no log has: lines without a date count from it.
static const struct pmon_civil no_date = {.year = 2000, .month = 1, .day = 1};

static enum pmon_status
pdht_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct pdht *pdht = (struct pdht *)source;
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	enum pmon_status status;

	source->split = &pmon_pdht_split;
	source->skip = pdht_skip;
	source->info.size_bytes = pmon_file_size(files->file);
	source->info.lists_series = true;
	pdht->allocator = allocator;
	pdht->limits = pmon_limits_filled(&options->limits);
	pdht->want = options->want;
	pdht->want_ctx = options->want_ctx;
	pdht->dst_repair = options->dst_repair;
	pdht->has_start = options->start_local > 0;
	pdht->start = pdht->has_start ? options->start_local : pmon_time_from_civil(&no_date);
	pdht->has_zone = options->has_zone;
	pdht->zone_offset_min = options->zone_offset_min;
	pdht->keeps_impossible = options->ignore_changes;
	pdht->threads = options->threads;
	pmon_format_report(&pdht->report.base, source, options);
	pdht->report.base.here = 1;
	pdht->input.file = files->file;
	pdht->input.allocator = allocator;
	pdht->input.max_row = pdht->limits.record_bytes;
	pdht->style.decimal = pdht->style.usual_decimal = '.';
	pmon_arena_init(&pdht->arena, allocator);
	pdht->columns.seed = pmon_hash_seed();
	status = pmon_pdht_given_zone(options, &pdht->zone, err);
	return status == PMON_OK ? open_all(pdht, options, err) : status;
}

// ---- Recognising ----------------------------------------------------------------------------

size_t
pmon_pdht_take_head(const uint8_t *head, size_t len, char *out)
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

// The first of the lines in a text that is not empty.
static struct pmon_span
first_line(struct pmon_span text)
{
	size_t len = 0;

	while (text.len > 0 && (text.ptr[0] == '\n' || text.ptr[0] == '\r'))
		text = (struct pmon_span){text.ptr + 1, text.len - 1};
	while (len < text.len && text.ptr[len] != '\n' && text.ptr[len] != '\r')
		len++;
	return (struct pmon_span){text.ptr, len};
}

static bool
probe(const uint8_t *head, size_t len)
{
	char text[PMON_PROBE_BYTES];
	size_t n = pmon_pdht_take_head(head, len < sizeof(text) ? len : sizeof(text), text);
	struct pmon_span line;
	bool has_text = false; // before the line
	size_t start = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && text[i] != '\n' && text[i] != '\r')
			continue;
		line = (struct pmon_span){text + start, i - start};
		if (pmon_pdht_is_header(line) || (!has_text && pmon_pdht_is_table(line)) ||
		    (!has_text && line.len > 0 &&
		     pmon_pdht_is_plain(line, first_line((struct pmon_span){text + i, n - i}))))
			return true;
		has_text = has_text || line.len > 0;
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
