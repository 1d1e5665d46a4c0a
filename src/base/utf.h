// utf.h - UTF-16LE to UTF-8, code points, case folding
// SPDX-License-Identifier: MIT
//
// Inside pmon text is UTF-8. Windows' names may hold lone surrogates, which UTF-8 cannot say: each
// becomes U+FFFD, so that every name can be printed.

#ifndef PMON_BASE_UTF_H
#define PMON_BASE_UTF_H

#include <pmon/base.h>

// Bytes that len bytes of UTF-16 need at the most as UTF-8, without a NUL.
static inline size_t
pmon_utf16_bound(size_t len)
{
	return len / 2 * 3;
}

// Convert len bytes (an odd last byte is dropped) of UTF-16LE into out, which has room for
// pmon_utf16_bound(len) bytes. Returns the length written. NULs are converted like any character.
size_t pmon_utf16_to_utf8(const uint8_t *utf16, size_t len, char *out);

// The length in bytes, without the NUL, of a NUL-terminated UTF-16LE string at utf16 of at most len
// bytes. Returns false when no NUL is there.
bool pmon_utf16_length(const uint8_t *utf16, size_t len, size_t *out);

// The code point at *pos of text, and *pos moved after it. A byte that is not UTF-8 counts as one
// code point 0xDC80..0xDCFF of its own, so that any text can be walked. *pos must be < text.len.
uint32_t pmon_utf8_next(struct pmon_span text, size_t *pos);

// Is the text well-formed UTF-8?
bool pmon_utf8_valid(struct pmon_span text);

// Is this code point unsafe to show: a control character, one that changes the text direction or
// ends the line, or a byte that is not UTF-8?
bool pmon_utf_is_unsafe(uint32_t c);

// Simple case folding of a code point (Unicode's C and S mappings): one to one.
uint32_t pmon_utf_fold(uint32_t c);

// The order of two texts in UTF-8 after case folding: negative, 0 or positive.
int pmon_utf_compare_folded(struct pmon_span a, struct pmon_span b);

// Is a byte of UTF-8 a printable character of ASCII, as nearly all are? Those are safe.
static inline bool
pmon_utf_is_ascii(char c)
{
	return c >= ' ' && c <= '~';
}

#endif
