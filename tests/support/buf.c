// buf.c - a growing text to print to
// SPDX-License-Identifier: MIT

#include "buf.h"

#include <stdarg.h>
#include <stdlib.h>

#include "t.h"

void
buf_add(struct buf *buf, const char *format, ...)
{
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	assert_true(n >= 0);
	if (buf->cap - buf->len <= (size_t)n) {
		buf->cap = 2 * buf->cap + (size_t)n + 1024;
		buf->text = realloc(buf->text, buf->cap);
		assert_non_null(buf->text);
	}
	(void)vsnprintf(buf->text + buf->len, (size_t)n + 1, format, again);
	va_end(again);
	buf->len += (size_t)n;
}

void
buf_free(struct buf *buf)
{
	free(buf->text);
	*buf = (struct buf){0};
}
