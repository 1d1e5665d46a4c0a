// encoding.c - the bytes of a text log to UTF-8
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
	// No text begins with a zero byte, and none has one after its first and third character.
	if (len >= 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0)
		return PDHT_UTF16LE;
	if (len >= 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0)
		return PDHT_UTF16BE;
	return PDHT_BYTES;
}

static bool
is_lead(uint8_t c)
{
	return (c >= 0x81 && c <= 0x9F) || (c >= 0xE0 && c <= 0xFC);
}

static bool
is_trail(uint8_t c)
{
	return c >= 0x40 && c <= 0xFC && c != 0x7F;
}

// Hiragana or katakana, without which no Japanese sentence does. trail is one.
static bool
is_kana(uint8_t lead, uint8_t trail)
{
	return (lead == 0x82 && trail >= 0x9F && trail <= 0xF1) || (lead == 0x83 && trail <= 0x96);
}

// Is the text Shift-JIS? Nearly all of Western text could be too, if strangely; but it has no kana.
static bool
is_shift_jis(struct pmon_span text)
{
	const uint8_t *bytes = (const uint8_t *)text.ptr;
	size_t n_kana = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (bytes[i] < 0x80 || (bytes[i] >= 0xA1 && bytes[i] <= 0xDF))
			continue; // ASCII, or half-width katakana
		if (!is_lead(bytes[i]))
			return false;
		if (i + 1 == text.len)
			break; // cut
		if (!is_trail(bytes[i + 1]))
			return false;
		n_kana += is_kana(bytes[i], bytes[i + 1]);
		i++;
	}
	return n_kana > 0;
}

const char *
pmon_pdht_guess_code_page(struct pmon_span text)
{
	return is_shift_jis(text) ? "CP932" : "CP1252";
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
		d->form == PDHT_UTF16BE ? 2 : 1; // the high byte of the last unit, from its end
	size_t len;

	// The second half of a pair may not have come yet.
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

// One conversion; a byte that it does not take becomes U+FFFD. Returns false when no more can be
// done with what is there.
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
		; // each turn takes at least one byte
	return (size_t)(at - out);
}
