// encoding.c - convert a text log to UTF-8
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"
#include "os/codec.h"

#define REPLACEMENT "\xEF\xBF\xBD" // U+FFFD

// ---- What is it? ----------------------------------------------------------------------------

enum pdht_form
pmon_pdht_form_of(const uint8_t *head, size_t len, size_t *mark_out)
{
	*mark_out = 0;
	if (len >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
		*mark_out = 3;
		return PDHT_BYTES;
	}
	if (len >= 2 && (memcmp(head, "\xFF\xFE", 2) == 0 || memcmp(head, "\xFE\xFF", 2) == 0)) {
		*mark_out = 2;
		return head[0] == 0xFF ? PDHT_UTF16LE : PDHT_UTF16BE;
	}
	// No text begins with a zero byte, and only UTF-16 has zeros after its first and third
	// character.
	if (len >= 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0)
		return PDHT_UTF16LE;
	if (len >= 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0)
		return PDHT_UTF16BE;
	return PDHT_BYTES;
}

// ---- Converting -----------------------------------------------------------------------------

enum pmon_status
pmon_pdht_decoder_open(struct pdht_decoder *d, enum pdht_form form, const char *encoding,
		       const struct pmon_allocator *allocator, struct pmon_err *err)
{
	enum pmon_status status;

	*d = (struct pdht_decoder){.form = PDHT_BYTES};
	if (form == PDHT_BYTES)
		return PMON_OK;
	if (form == PDHT_CODE_PAGE) {
		status = pmon_codec_open(encoding, &d->codec, err);
		if (status != PMON_OK)
			return status;
	}
	d->raw = pmon_mem_alloc(allocator, PDHT_RAW_BYTES);
	if (d->raw == NULL) {
		pmon_pdht_decoder_close(d, allocator);
		return pmon_err_nomem(err);
	}
	d->form = form;
	return PMON_OK;
}

void
pmon_pdht_decoder_close(struct pdht_decoder *d, const struct pmon_allocator *allocator)
{
	pmon_codec_close(d->codec);
	pmon_mem_free(allocator, d->raw, PDHT_RAW_BYTES);
	*d = (struct pdht_decoder){.form = PDHT_BYTES};
}

void
pmon_pdht_decoder_rewind(struct pdht_decoder *d)
{
	pmon_codec_reset(d->codec);
	d->raw_n = 0;
	d->n_bad = 0;
}

static void
drop_raw(struct pdht_decoder *d, size_t n)
{
	memmove(d->raw, d->raw + n, d->raw_n - n);
	d->raw_n -= n;
}

static void
swap_bytes(uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		uint8_t first = bytes[i];

		bytes[i] = bytes[i + 1];
		bytes[i + 1] = first;
	}
}

static size_t
decode_utf16(struct pdht_decoder *d, bool is_last, char *out)
{
	size_t n = d->raw_n - d->raw_n % 2;
	size_t high =
		// the high byte of the last unit, counted from the end
		d->form == PDHT_UTF16BE ? 2 : 1;
	size_t len;

	// The second half of a surrogate pair may still be missing.
	if (!is_last && n >= 2 && (d->raw[n - high] & 0xFC) == 0xD8)
		n -= 2;
	if (d->form == PDHT_UTF16BE)
		swap_bytes(d->raw, n);
	len = pmon_utf16_to_utf8(d->raw, n, out);
	drop_raw(d, n);
	if (is_last && d->raw_n == 1) {
		d->n_bad++;
		d->raw_n = 0;
	}
	return len;
}

// Convert once; an invalid byte becomes U+FFFD. Returns false if no more can be converted.
static bool
decode_some(struct pdht_decoder *d, bool is_last, char **out, size_t *room)
{
	char *in = (char *)d->raw;
	size_t left = d->raw_n;
	enum pmon_codec_end end = pmon_codec_convert(d->codec, &in, &left, out, room);

	drop_raw(d, d->raw_n - left);
	if (end == PMON_CODEC_FULL || d->raw_n == 0 || *room < sizeof(REPLACEMENT))
		return false;
	if (end == PMON_CODEC_CUT && !is_last)
		return false;
	memcpy(*out, REPLACEMENT, sizeof(REPLACEMENT) - 1);
	*out += sizeof(REPLACEMENT) - 1;
	*room -= sizeof(REPLACEMENT) - 1;
	drop_raw(d, 1);
	d->n_bad++;
	return d->raw_n > 0;
}

size_t
pmon_pdht_decode(struct pdht_decoder *d, bool is_last, char *out, size_t room)
{
	char *at = out;

	if (d->form != PDHT_CODE_PAGE)
		return decode_utf16(d, is_last, out);
	while (decode_some(d, is_last, &at, &room))
		; // each iteration consumes at least one byte
	return (size_t)(at - out);
}
