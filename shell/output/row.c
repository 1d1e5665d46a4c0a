// row.c - a table row that is assembled and written with one call
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/mem.h"
#include "shell/output/writer.h"

void
out_row_write(struct out *out)
{
	if (out->row_len > 0)
		fwrite(out->row, 1, out->row_len, out->stream);
	out->row_len = 0;
}

// Append n bytes to the row and return them for writing; NULL if out of memory.
static char *
room(struct out *out, size_t n)
{
	char *at;

	if (out->row_cap - out->row_len < n && !pmon_mem_grow(pmon_mem_allocator(NULL), &out->row,
							      &out->row_cap, out->row_len + n, 1)) {
		out->failed = true;
		return NULL;
	}
	at = out->row + out->row_len;
	out->row_len += n;
	return at;
}

void
out_row_put(struct out *out, const char *text, size_t len)
{
	char *at = len > 0 ? room(out, len) : NULL;

	if (at != NULL)
		memcpy(at, text, len);
}

void
out_row_str(struct out *out, const char *text)
{
	out_row_put(out, text, strlen(text));
}

void
out_row_pad(struct out *out, size_t n)
{
	char *at = n > 0 ? room(out, n) : NULL;

	if (at != NULL)
		memset(at, ' ', n);
}
