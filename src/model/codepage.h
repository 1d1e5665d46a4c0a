// codepage.h - convert names in Windows' code pages to UTF-8
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_CODEPAGE_H
#define PMON_MODEL_CODEPAGE_H

#include <pmon/base.h>

#define PMON_CODEPAGE_WESTERN 1252
#define PMON_CODEPAGE_UTF8    65001

// The most bytes that len bytes need as UTF-8, without a NUL.
static inline size_t
pmon_codepage_bound(size_t len)
{
	return len * 3;
}

// Convert text in a code page to out, which has room for pmon_codepage_bound(len) bytes. Returns
// the length written. Supports Windows-1252 and UTF-8; text in any other code page is treated as
// whichever of these is possible, and *guessed_out is set if it is not pure ASCII.
size_t pmon_codepage_to_utf8(int32_t code_page, const uint8_t *bytes, size_t len, char *out,
			     bool *guessed_out);

#endif
