// codepage.c - convert names in Windows' code pages to UTF-8
// SPDX-License-Identifier: MIT

#include "model/codepage.h"

#include <string.h>

#include "base/utf.h"

// The characters 0x80..0x9F of Windows-1252; the rest is Latin-1. The five undefined bytes become
// C1 controls, as on Windows.
static const uint16_t western[32] = {
	0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
	0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
	0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

static bool
is_ascii(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] >= 0x80)
			return false;
	return true;
}

static size_t
western_to_utf8(const uint8_t *bytes, size_t len, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		uint32_t c =
			bytes[i] >= 0x80 && bytes[i] < 0xA0 ? western[bytes[i] - 0x80] : bytes[i];

		if (c < 0x80) {
			out[n++] = (char)c;
			continue;
		}
		if (c < 0x800) {
			out[n++] = (char)(0xC0 | c >> 6);
		} else {
			out[n++] = (char)(0xE0 | c >> 12);
			out[n++] = (char)(0x80 | (c >> 6 & 0x3F));
		}
		out[n++] = (char)(0x80 | (c & 0x3F));
	}
	return n;
}

size_t
pmon_codepage_to_utf8(int32_t code_page, const uint8_t *bytes, size_t len, char *out,
		      bool *guessed_out)
{
	bool known = code_page == PMON_CODEPAGE_WESTERN || code_page == PMON_CODEPAGE_UTF8;
	bool utf8 = code_page != PMON_CODEPAGE_WESTERN &&
		    pmon_utf8_valid((struct pmon_span){(const char *)bytes, len});

	*guessed_out =
		!is_ascii(bytes, len) && (!known || (code_page == PMON_CODEPAGE_UTF8 && !utf8));
	if (!utf8)
		return western_to_utf8(bytes, len, out);
	if (len > 0)
		memcpy(out, bytes, len);
	return len;
}
