// write_text.c - names as UTF-16, and growing records
// SPDX-License-Identifier: MIT

#include "format/blg/write.h"

#include "base/mem.h"
#include "base/utf.h"

#define REPLACEMENT 0xFFFDu

static size_t
put_unit(uint8_t *out, size_t at, uint32_t unit)
{
	if (out != NULL) {
		out[at] = (uint8_t)unit;
		out[at + 1] = (uint8_t)(unit >> 8);
	}
	return at + 2;
}

size_t
pmon_blg_out_utf16(struct pmon_span text, uint8_t *out)
{
	size_t n = 0;

	for (size_t pos = 0; pos < text.len;) {
		uint32_t c = pmon_utf8_next(text, &pos);

		if (c == 0 || (c >= 0xD800 && c <= 0xDFFF))
			c = REPLACEMENT;
		if (c < 0x10000) {
			n = put_unit(out, n, c);
		} else {
			n = put_unit(out, n, 0xD800 + ((c - 0x10000) >> 10));
			n = put_unit(out, n, 0xDC00 + ((c - 0x10000) & 0x3FF));
		}
	}
	return n;
}

void
pmon_blg_out_string(struct pmon_wr *w, struct pmon_span text)
{
	uint8_t *p = pmon_wr_bytes(w, pmon_blg_out_utf16(text, NULL));

	if (p != NULL)
		(void)pmon_blg_out_utf16(text, p);
	pmon_wr_u16(w, 0);
}

bool
pmon_blg_bytes_add(struct blg_bytes *bytes, const struct pmon_allocator *allocator, size_t n,
		   struct pmon_wr *out)
{
	size_t need;

	if (!pmon_add(bytes->len, n, &need) ||
	    !pmon_mem_grow(allocator, &bytes->ptr, &bytes->cap, need, 1))
		return false;
	*out = pmon_wr_init(bytes->ptr + bytes->len, n);
	bytes->len = need;
	return true;
}
