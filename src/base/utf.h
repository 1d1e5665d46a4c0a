// utf.h - UTF-16LE to UTF-8, code points, case folding
// SPDX-License-Identifier: MIT
//
// All text in pmon is UTF-8. Windows' names may contain lone surrogates, which UTF-8 cannot encode:
// each becomes U+FFFD, so that every name can be printed.

#ifndef PMON_BASE_UTF_H
#define PMON_BASE_UTF_H

#include <pmon/base.h>

// The most bytes that len bytes of UTF-16 need as UTF-8, without a NUL.
static inline size_t
pmon_utf16_bound(size_t len)
{
	return len / 2 * 3;
}

// Convert len bytes of UTF-16LE (an odd last byte is dropped) to out, which has room for
// pmon_utf16_bound(len) bytes. Returns the length written. NULs are converted like any other
// character.
size_t pmon_utf16_to_utf8(const uint8_t *utf16, size_t len, char *out);

// The length in bytes, without the NUL, of a NUL-terminated UTF-16LE string of at most len bytes at
// utf16. Returns false if there is no NUL.
bool pmon_utf16_length(const uint8_t *utf16, size_t len, size_t *out);

// Return the code point at *pos and advance *pos. An invalid byte counts as a code point
// 0xDC80..0xDCFF, so any text can be scanned. *pos must be < text.len.
uint32_t pmon_utf8_next(struct pmon_span text, size_t *pos);

// Is the text well-formed UTF-8?
bool pmon_utf8_valid(struct pmon_span text);

// Is it unsafe to print this code point: a control character, one that changes the text direction
// or ends the line, or an invalid byte?
bool pmon_utf_is_unsafe(uint32_t c);

// Unicode's simple case folding (mappings C and S), one to one.
uint32_t pmon_utf_fold(uint32_t c);

// Compare two UTF-8 texts after case folding: negative, 0 or positive.
int pmon_utf_compare_folded(struct pmon_span a, struct pmon_span b);

// Is the byte printable ASCII, as nearly all are? Those are safe.
static inline bool
pmon_utf_is_ascii(char c)
{
	return c >= ' ' && c <= '~';
}

#endif
