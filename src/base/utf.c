// utf.c - UTF-16LE to UTF-8, code points, case folding
// SPDX-License-Identifier: MIT

#include "base/utf.h"

#include <stdlib.h>

struct fold_run {
	uint32_t first;
	uint32_t last;
	int32_t delta;
	uint32_t stride;
};

#include "base/fold_table.h"

#define REPLACEMENT 0xFFFDu
#define STRAY_BYTE  0xDC00u // plus the byte: a code point that valid UTF-8 cannot contain

static uint32_t
unit_at(const uint8_t *utf16, size_t i)
{
	return (uint32_t)utf16[i] | (uint32_t)utf16[i + 1] << 8;
}

static bool
is_high(uint32_t unit)
{
	return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool
is_low(uint32_t unit)
{
	return unit >= 0xDC00 && unit <= 0xDFFF;
}

static size_t
put_utf8(uint32_t c, char *out)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xE0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3F));
		out[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3F));
	out[2] = (char)(0x80 | (c >> 6 & 0x3F));
	out[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

size_t
pmon_utf16_to_utf8(const uint8_t *utf16, size_t len, char *out)
{
	size_t n = 0;

	len -= len % 2;
	for (size_t i = 0; i < len; i += 2) {
		uint32_t c = unit_at(utf16, i);

		if (is_high(c) && i + 2 < len && is_low(unit_at(utf16, i + 2))) {
			i += 2;
			c = 0x10000 + ((c & 0x3FF) << 10 | (unit_at(utf16, i) & 0x3FF));
		} else if (is_high(c) || is_low(c)) {
			c = REPLACEMENT;
		}
		n += put_utf8(c, out + n);
	}
	return n;
}

bool
pmon_utf16_length(const uint8_t *utf16, size_t len, size_t *out)
{
	*out = 0;
	len -= len % 2;
	for (size_t i = 0; i < len; i += 2)
		if (unit_at(utf16, i) == 0) {
			*out = i;
			return true;
		}
	return false;
}

// The length of a sequence that begins with this byte; 0 if none does.
static size_t
sequence_length(uint8_t first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2) // a continuation, or the overlong form of ASCII
		return 0;
	if (first < 0xE0)
		return 2;
	if (first < 0xF0)
		return 3;
	return first < 0xF5 ? 4 : 0;
}

// Is c encoded in as few bytes as possible, and a valid code point?
static bool
is_proper(uint32_t c, size_t n)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	return c >= least[n] && c <= 0x10FFFF && !is_high(c) && !is_low(c);
}

uint32_t
pmon_utf8_next(struct pmon_span text, size_t *pos)
{
	size_t at = *pos;
	uint8_t first = (uint8_t)text.ptr[at];
	size_t n = sequence_length(first);
	uint32_t c;

	*pos = at + 1;
	if (n == 1)
		return first;
	if (n == 0 || n > text.len - at)
		return STRAY_BYTE + first;
	c = first & 0x7Fu >> n;
	for (size_t i = 1; i < n; i++) {
		uint8_t byte = (uint8_t)text.ptr[at + i];

		if ((byte & 0xC0) != 0x80)
			return STRAY_BYTE + first;
		c = c << 6 | (byte & 0x3F);
	}
	if (!is_proper(c, n))
		return STRAY_BYTE + first;
	*pos = at + n;
	return c;
}

bool
pmon_utf8_valid(struct pmon_span text)
{
	size_t pos = 0;

	while (pos < text.len)
		if (is_low(pmon_utf8_next(text, &pos)))
			return false;
	return true;
}

static uint32_t
fold_ascii(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static int
by_run(const void *key, const void *element)
{
	uint32_t c = *(const uint32_t *)key;
	const struct fold_run *run = element;

	return (c > run->last) - (c < run->first);
}

uint32_t
pmon_utf_fold(uint32_t c)
{
	const struct fold_run *run;

	if (c < 0x80)
		return fold_ascii(c);
	run = bsearch(&c, fold_runs, sizeof(fold_runs) / sizeof(fold_runs[0]), sizeof(*run),
		      by_run);
	return run != NULL && (c - run->first) % run->stride == 0 ? c + (uint32_t)run->delta : c;
}

bool
pmon_utf_is_unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0xDC80 && c <= 0xDCFF) ||
	       (c >= 0x200E && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069);
}

int
pmon_utf_compare_folded(struct pmon_span a, struct pmon_span b)
{
	size_t at_a = 0;
	size_t at_b = 0;

	while (at_a < a.len && at_b < b.len) {
		uint32_t x = pmon_utf_fold(pmon_utf8_next(a, &at_a));
		uint32_t y = pmon_utf_fold(pmon_utf8_next(b, &at_b));

		if (x != y)
			return x < y ? -1 : 1;
	}
	return (at_a < a.len) - (at_b < b.len);
}
