// input.c - read the lines of a text log
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"

#define FIRST_CAP  ((size_t)256 << 10)
#define MOST_AHEAD 16                                // lines
#define ROOM       (PDHT_RAW_BYTES * PDHT_RAW_GROWS) // required for reading more

// ---- Opening --------------------------------------------------------------------------------

static int64_t
unit(const struct pdht_input *in)
{
	return in->decoder.form == PDHT_UTF16LE || in->decoder.form == PDHT_UTF16BE ? 2 : 1;
}

static uint64_t
offset_of(const struct pdht_input *in, size_t pos)
{
	int64_t offset = in->origin + (int64_t)pos * unit(in);

	return offset > 0 ? (uint64_t)offset : 0;
}

static bool
is_utf8_name(const char *name)
{
	struct pmon_span span = {name, strlen(name)};

	return pmon_text_same(span, PMON_SPAN("UTF-8")) || pmon_text_same(span, PMON_SPAN("UTF8"));
}

void
pmon_pdht_input_seek(struct pdht_input *in, uint64_t offset)
{
	in->next = offset;
	in->origin = (int64_t)offset;
	in->row = in->pos = in->scan = in->end = 0;
	in->at_end = in->skip_lf = false;
}

uint64_t
pmon_pdht_input_offset(const struct pdht_input *in)
{
	return offset_of(in, in->pos);
}

void
pmon_pdht_input_rewind(struct pdht_input *in)
{
	pmon_pdht_decoder_rewind(&in->decoder);
	pmon_pdht_input_seek(in, in->start);
	in->line = 0;
	in->n_zeros = 0;
}

enum pmon_status
pmon_pdht_input_encoding(struct pdht_input *in, const char *encoding, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	pmon_pdht_decoder_close(&in->decoder, in->allocator);
	if (!is_utf8_name(encoding))
		status = pmon_pdht_decoder_open(&in->decoder, PDHT_CODE_PAGE, encoding,
						in->allocator, err);
	pmon_pdht_input_rewind(in);
	return status;
}

enum pmon_status
pmon_pdht_input_open(struct pdht_input *in, const char *encoding, struct pmon_err *err)
{
	uint8_t head[4];
	size_t len;
	size_t mark;
	enum pdht_form form;
	enum pmon_status status = pmon_file_read(in->file, 0, head, sizeof(head), &len, err);

	if (status != PMON_OK)
		return status;
	form = pmon_pdht_form_of(head, len, &mark);
	in->start = mark;
	in->stop = UINT64_MAX;
	if (form == PDHT_BYTES && mark == 0 && encoding != NULL)
		status = pmon_pdht_input_encoding(in, encoding, err);
	else
		status = pmon_pdht_decoder_open(&in->decoder, form, NULL, in->allocator, err);
	pmon_pdht_input_rewind(in);
	return status;
}

void
pmon_pdht_input_close(struct pdht_input *in)
{
	pmon_pdht_decoder_close(&in->decoder, in->allocator);
	pmon_mem_free(in->allocator, in->buf, in->cap);
}

// ---- Filling the buffer ---------------------------------------------------------------------

// Drop the lines that were returned.
static void
make_room(struct pdht_input *in)
{
	if (in->pos == 0)
		return;
	memmove(in->buf, in->buf + in->pos, in->end - in->pos);
	in->origin += (int64_t)in->pos * unit(in);
	in->row = 0;
	in->scan -= in->pos;
	in->end -= in->pos;
	in->pos = 0;
}

static enum pmon_status
fill_bytes(struct pdht_input *in, struct pmon_err *err)
{
	size_t want = in->cap - in->end;
	size_t got;
	enum pmon_status status;

	if (want > in->stop - in->next)
		want = (size_t)(in->stop - in->next);
	status = pmon_file_read(in->file, in->next, in->buf + in->end, want, &got, err);

	in->next += got;
	in->end += got;
	in->at_end = got == 0;
	return status;
}

static enum pmon_status
fill_decoded(struct pdht_input *in, struct pmon_err *err)
{
	struct pdht_decoder *d = &in->decoder;
	size_t want = PDHT_RAW_BYTES - d->raw_n;
	size_t got;
	enum pmon_status status =
		pmon_file_read(in->file, in->next, d->raw + d->raw_n, want, &got, err);

	if (status != PMON_OK)
		return status;
	in->next += got;
	d->raw_n += got;
	in->end += pmon_pdht_decode(d, got < want, in->buf + in->end, in->cap - in->end);
	in->at_end = got < want && d->raw_n == 0;
	// If characters differ in length, offsets are exact from here on.
	in->origin = (int64_t)(in->next - d->raw_n) - (int64_t)in->end * unit(in);
	return PMON_OK;
}

static enum pmon_status
fill(struct pdht_input *in, struct pmon_err *err)
{
	make_room(in);
	if (in->cap - in->end < ROOM &&
	    !pmon_mem_grow(in->allocator, &in->buf, &in->cap,
			   in->end == 0 ? FIRST_CAP : in->end + ROOM, 1))
		return pmon_err_nomem(err);
	return in->decoder.form == PDHT_BYTES ? fill_bytes(in, err) : fill_decoded(in, err);
}

// ---- Lines ----------------------------------------------------------------------------------

// Skip the second half of CR LF, and zero bytes, which fill space that was never written.
static enum pmon_status
skip_between(struct pdht_input *in, struct pmon_err *err)
{
	enum pmon_status status;

	for (;;) {
		if (in->pos == in->end && !in->at_end) {
			status = fill(in, err);
			if (status != PMON_OK)
				return status;
			continue;
		}
		if (in->pos == in->end)
			return PMON_OK;
		if (in->buf[in->pos] == '\0') {
			if (in->n_zeros++ == 0)
				in->zeros_at = offset_of(in, in->pos);
		} else if (in->buf[in->pos] != '\n' || !in->skip_lf) {
			return PMON_OK;
		} else {
			in->skip_lf = false;
		}
		in->scan = ++in->pos;
	}
}

// The first line end of either kind, or end.
static const char *
line_end(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));
	const char *cr;

	if (lf != NULL)
		end = lf;
	cr = memchr(p, '\r', (size_t)(end - p));
	return cr != NULL ? cr : end;
}

// Advance `scan` to the next line end. PMON_OK also at the end of the file; PMON_E_LIMIT.
static enum pmon_status
find_line_end(struct pdht_input *in, struct pmon_err *err)
{
	enum pmon_status status;

	for (;;) {
		in->scan = (size_t)(line_end(in->buf + in->scan, in->buf + in->end) - in->buf);
		if (in->scan - in->pos > in->max_row)
			return PMON_E_LIMIT;
		if (in->scan < in->end || in->at_end)
			return PMON_OK;
		status = fill(in, err);
		if (status != PMON_OK)
			return status;
	}
}

// Return the row from pos to scan, and advance to the next.
static void
give_row(struct pdht_input *in, struct pdht_row *row)
{
	row->ptr = in->buf + in->pos;
	row->len = in->scan - in->pos;
	row->offset = offset_of(in, in->pos);
	row->bytes = offset_of(in, in->scan) - row->offset;
	row->is_ended = in->scan < in->end;
	row->line = ++in->line;
	in->row = in->pos;
	in->pos = in->scan;
	if (row->is_ended) {
		in->skip_lf = in->buf[in->pos] == '\r';
		in->scan = ++in->pos;
	}
}

// A line that is too long: drop it piece by piece.
static enum pmon_status
drop_line(struct pdht_input *in, struct pdht_row *row, struct pmon_err *err)
{
	uint64_t offset = offset_of(in, in->pos);
	enum pmon_status status = PMON_E_LIMIT;

	while (status == PMON_E_LIMIT) {
		in->pos = in->scan;
		status = find_line_end(in, err);
	}
	if (status != PMON_OK)
		return status;
	give_row(in, row);
	row->bytes += row->offset - offset;
	row->offset = offset;
	return pmon_err_set(err, PMON_E_LIMIT, offset,
			    "a line of %llu bytes is longer than the limit of %zu bytes",
			    (unsigned long long)row->bytes, in->max_row);
}

enum pmon_status
pmon_pdht_input_row(struct pdht_input *in, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status = skip_between(in, err);

	*row = (struct pdht_row){.ptr = ""};
	if (status != PMON_OK)
		return status;
	in->skip_lf = false;
	if (in->pos == in->end)
		return PMON_END;
	status = find_line_end(in, err);
	if (status == PMON_E_LIMIT)
		return drop_line(in, row, err);
	if (status == PMON_OK)
		give_row(in, row);
	return status;
}

enum pmon_status
pmon_pdht_input_join(struct pdht_input *in, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status;

	if (!row->is_ended)
		return PMON_END;
	in->pos = in->row;
	if (in->skip_lf) { // the LF of a CR LF does not begin a line
		status = PMON_OK;
		if (in->scan == in->end && !in->at_end)
			status = fill(in, err);
		if (status != PMON_OK)
			return status;
		in->scan += in->scan < in->end && in->buf[in->scan] == '\n';
		in->skip_lf = false;
	}
	status = find_line_end(in, err);
	if (status == PMON_E_LIMIT)
		return pmon_err_set(err, status, row->offset,
				    "the header is longer than the limit of %zu bytes",
				    in->max_row);
	if (status == PMON_OK)
		give_row(in, row);
	return status;
}

enum pmon_status
pmon_pdht_input_ahead(struct pdht_input *in, struct pdht_row *row, struct pmon_span *next,
		      struct pmon_err *err)
{
	size_t len = row->len;
	uint64_t lines[] = {in->line, row->line};
	enum pmon_status status = PMON_OK;

	*next = (struct pmon_span){"", 0};
	if (!row->is_ended)
		return PMON_OK;
	for (int i = 0; i < MOST_AHEAD && status == PMON_OK && next->len == 0; i++) {
		status = pmon_pdht_input_join(in, row, err);
		if (status != PMON_OK)
			break;
		*next = (struct pmon_span){row->ptr + len, row->len - len};
		while (next->len > 0 && (next->ptr[0] == '\r' || next->ptr[0] == '\n'))
			*next = (struct pmon_span){next->ptr + 1, next->len - 1};
	}
	if (status != PMON_OK && status != PMON_END && status != PMON_E_LIMIT)
		return status;
	in->line = lines[0] + 1;
	row->line = lines[1] + 1;
	row->ptr = in->buf + in->row;
	pmon_pdht_input_part(in, row, len);
	return PMON_OK;
}

void
pmon_pdht_input_part(struct pdht_input *in, struct pdht_row *row, size_t len)
{
	size_t at = in->row + len;

	row->len = len;
	row->bytes = offset_of(in, at) - row->offset;
	row->line--;
	row->is_ended = true;
	in->line--;
	in->skip_lf = in->buf[at] == '\r';
	in->pos = in->scan = at + 1;
}
