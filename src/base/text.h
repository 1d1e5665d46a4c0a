// text.h - put text together in a buffer of fixed size
// SPDX-License-Identifier: MIT
//
// What does not fit is cut, never written past the end, and a text that was cut ends with "..."; len is
// the length of the whole text. The buffer is always NUL-terminated when it has a size.

#ifndef PMON_BASE_TEXT_H
#define PMON_BASE_TEXT_H

#include <stdarg.h>

#include <pmon/base.h>

struct pmon_text {
	char *buf;
	size_t size; // of buf
	size_t len;  // of the whole text, even where it was cut
};

struct pmon_text pmon_text_init(char *buf, size_t size);

void pmon_text_char(struct pmon_text *t, char c);
void pmon_text_str(struct pmon_text *t, const char *s);
void pmon_text_span(struct pmon_text *t, struct pmon_span s);
void pmon_text_i64(struct pmon_text *t, int64_t n);
void pmon_text_u64(struct pmon_text *t, uint64_t n);
void pmon_text_hex32(struct pmon_text *t, uint32_t n); // 0x0000ABCD
void pmon_text_double(struct pmon_text *t, double d);  // shortest that reads back the same

// A whole text by a format: in `buf` where it fits, else in memory of the allocator (NULL: libc's), and where
// that is short as much as fits. To be given to pmon_text_end() with the same arguments.
const char *pmon_text_format(const struct pmon_allocator *allocator, char *buf, size_t size,
			     const char *fmt, va_list args);
void pmon_text_end(const struct pmon_allocator *allocator, const char *buf, const char *text);

// Which comes first, byte by byte: below 0, 0 or above.
int pmon_text_order(struct pmon_span a, struct pmon_span b);

// The text as a C string (the buffer).
const char *pmon_text_get(const struct pmon_text *t);

#endif
