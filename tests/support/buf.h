// buf.h - a growing text to print to
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_BUF_H
#define PMON_TESTS_BUF_H

#include <stddef.h>

struct buf {
	char *text; // NULL before anything is added
	size_t len;
	size_t cap;
};

__attribute__((format(printf, 2, 3))) void buf_add(struct buf *buf, const char *format, ...);

void buf_free(struct buf *buf);

#endif
