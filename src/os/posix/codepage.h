// codepage.h - open iconv for a code page, under whichever name the C library has it
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_POSIX_CODEPAGE_H
#define PMON_OS_POSIX_CODEPAGE_H

#include <iconv.h>
#include <stddef.h>
#include <strings.h>

// Returns (iconv_t)-1 with errno on failure. musl has some code pages under the names of the standards that they extend.
static inline iconv_t
pmon_codepage_open(const char *to, const char *encoding)
{
	static const char *const names[][2] = {
		{"CP932", "SHIFT_JIS"}, {"CP936", "GBK"}, {"CP949", "EUC-KR"}, {"CP950", "BIG5"}};
	iconv_t descriptor = iconv_open(to, encoding);

	for (size_t i = 0; descriptor == (iconv_t)-1 && i < sizeof(names) / sizeof(*names); i++)
		if (strcasecmp(encoding, names[i][0]) == 0)
			descriptor = iconv_open(to, names[i][1]);
	return descriptor;
}

#endif
