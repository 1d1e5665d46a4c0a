// codepage.h - names in Windows' code pages as UTF-8
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_CODEPAGE_H
#define PMON_MODEL_CODEPAGE_H

#include <pmon/base.h>

#define PMON_CODEPAGE_WESTERN 1252
#define PMON_CODEPAGE_UTF8    65001

// Bytes that len bytes need at the most as UTF-8, without a NUL.
static inline size_t
pmon_codepage_bound(size_t len)
{
	return len * 3;
}

// Convert text of a code page into out, which has room for pmon_codepage_bound(len) bytes. Returns
// the length written. Known are Windows-1252 and UTF-8; text in others is taken as the one that it
// can be, and then *guessed_out is true when it is more than ASCII.
size_t pmon_codepage_to_utf8(int32_t code_page, const uint8_t *bytes, size_t len, char *out,
			     bool *guessed_out);

#endif
