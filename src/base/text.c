// text.c - assemble text in a buffer of fixed size
// SPDX-License-Identifier: MIT

#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

#define CUT "..."

struct pmon_text
pmon_text_init(char *buf, size_t size)
{
	if (size > 0)
		buf[0] = '\0';
	return (struct pmon_text){.buf = buf, .size = size};
}

// Truncate before the "...", after a whole character, so that the text stays valid UTF-8.
static void
mark_cut(struct pmon_text *t)
{
	size_t end = t->size - 1;

	if (end < sizeof(CUT) - 1)
		return;
	end -= sizeof(CUT) - 1;
	while (end > 0 && ((unsigned char)t->buf[end] & 0xC0) == 0x80)
		end--;
	memcpy(t->buf + end, CUT, sizeof(CUT));
}

static void
put_bytes(struct pmon_text *t, const char *bytes, size_t n)
{
	size_t room = t->size > 0 && t->len < t->size ? t->size - 1 - t->len : 0;
	size_t fit = n < room ? n : room;
	bool is_first_cut = t->size > 0 && t->len < t->size && n > room;

	if (fit > 0) {
		memcpy(t->buf + t->len, bytes, fit);
		t->buf[t->len + fit] = '\0';
	}
	t->len += n;
	if (is_first_cut)
		mark_cut(t);
}

void
pmon_text_char(struct pmon_text *t, char c)
{
	put_bytes(t, &c, 1);
}

void
pmon_text_str(struct pmon_text *t, const char *s)
{
	put_bytes(t, s, strlen(s));
}

void
pmon_text_span(struct pmon_text *t, struct pmon_span s)
{
	if (s.len > 0)
		put_bytes(t, s.ptr, s.len);
}

void
pmon_text_u64(struct pmon_text *t, uint64_t n)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	put_bytes(t, digits + i, sizeof(digits) - i);
}

void
pmon_text_i64(struct pmon_text *t, int64_t n)
{
	if (n < 0)
		pmon_text_char(t, '-');
	pmon_text_u64(t, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void
pmon_text_hex32(struct pmon_text *t, uint32_t n)
{
	pmon_text_str(t, "0x");
	for (int shift = 28; shift >= 0; shift -= 4)
		pmon_text_char(t, "0123456789ABCDEF"[n >> shift & 0xF]);
}

void
pmon_text_double(struct pmon_text *t, double d)
{
	char buf[PMON_NUM_SIZE];

	pmon_num_shortest(d, buf);
	pmon_text_str(t, buf);
}

int
pmon_text_order(struct pmon_span a, struct pmon_span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.ptr, b.ptr, n) : 0;

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

const char *
pmon_text_get(const struct pmon_text *t)
{
	return t->size > 0 ? t->buf : "";
}

const char *
pmon_text_format(const struct pmon_allocator *allocator, char *buf, size_t size, const char *fmt,
		 va_list args)
{
	char *whole;
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(buf, size, fmt, args);
	if (len >= 0 && (size_t)len >= size) {
		whole = pmon_mem_alloc(pmon_mem_allocator(allocator), (size_t)len + 1);
		if (whole != NULL)
			(void)vsnprintf(whole, (size_t)len + 1, fmt, again);
		buf = whole != NULL ? whole : buf;
	}
	va_end(again);
	return buf;
}

void
pmon_text_end(const struct pmon_allocator *allocator, const char *buf, const char *text)
{
	if (text != buf)
		pmon_mem_free(pmon_mem_allocator(allocator), (char *)(uintptr_t)text,
			      strlen(text) + 1);
}
