// text.h - assemble text in a buffer of fixed size
// SPDX-License-Identifier: MIT
//
// Text that does not fit is truncated and ends with "..."; len is the length of the whole text. The
// buffer is always NUL-terminated unless its size is 0.

#ifndef PMON_BASE_TEXT_H
#define PMON_BASE_TEXT_H

#include <stdarg.h>

#include <pmon/base.h>

struct pmon_text {
	char *buf;
	size_t size; // of buf
	size_t len;  // of the whole text, even if it was truncated
};

struct pmon_text pmon_text_init(char *buf, size_t size);

void pmon_text_char(struct pmon_text *t, char c);
void pmon_text_str(struct pmon_text *t, const char *s);

// The noun after a number: `one` after 1, otherwise `many`.
static inline const char *
pmon_text_word(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

void pmon_text_span(struct pmon_text *t, struct pmon_span s);
void pmon_text_i64(struct pmon_text *t, int64_t n);
void pmon_text_u64(struct pmon_text *t, uint64_t n);
void pmon_text_hex32(struct pmon_text *t, uint32_t n); // 0x0000ABCD
// shortest that reads back as the same double
void pmon_text_double(struct pmon_text *t, double d);

// Format a whole text: in `buf` if it fits, otherwise in memory from the allocator (NULL: libc's),
// or truncated if out of memory. Pass the result to pmon_text_end() with the same arguments.
const char *pmon_text_format(const struct pmon_allocator *allocator, char *buf, size_t size,
			     const char *fmt, va_list args);
void pmon_text_end(const struct pmon_allocator *allocator, const char *buf, const char *text);

// Compare two texts byte by byte: negative, 0 or positive.
int pmon_text_order(struct pmon_span a, struct pmon_span b);

const char *pmon_text_get(const struct pmon_text *t);

#endif
