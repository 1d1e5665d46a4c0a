// lines.c - a text log as lines of limited length
// SPDX-License-Identifier: MIT

#include "format/lines.h"

#include <string.h>

#include "base/mem.h"

#define READ_BYTES 65536

// Read more to the end of the buffer. *end is set at the end of the input.
static enum pmon_status
fill(struct pmon_lines *lines, bool *end, struct pmon_err *err)
{
	size_t got;
	enum pmon_status status;

	if (lines->at > 0) {
		lines->len -= lines->at;
		memmove(lines->buf, lines->buf + lines->at, lines->len);
		lines->at = 0;
	}
	if (!pmon_mem_grow(lines->allocator, &lines->buf, &lines->cap, lines->len + READ_BYTES, 1))
		return pmon_err_nomem(err);
	status = pmon_file_read_some(lines->file, lines->offset + lines->len,
				     lines->buf + lines->len, READ_BYTES, &got, err);
	lines->len += got;
	*end = got == 0;
	return status;
}

// The end of the line at `at`: after its newline, or that of the input. For a line that is too
// long, the end of what was read so far. PMON_END if there is no line.
static enum pmon_status
find_end(struct pmon_lines *lines, size_t *len_out, struct pmon_err *err)
{
	bool end = false;
	size_t from = 0;

	for (;;) {
		size_t have = lines->len - lines->at;
		const char *newline = NULL;
		enum pmon_status status;

		if (have > from)
			newline = memchr(lines->buf + lines->at + from, '\n', have - from);
		if (newline != NULL || end || have > lines->max_bytes) {
			*len_out = have;
			if (newline != NULL)
				*len_out = (size_t)(newline - (lines->buf + lines->at)) + 1;
			return *len_out > 0 ? PMON_OK : PMON_END;
		}
		from = have;
		status = fill(lines, &end, err);
		if (status != PMON_OK)
			return status;
	}
}

static void
step(struct pmon_lines *lines, size_t n, struct pmon_line *line)
{
	lines->at += n;
	lines->offset += n;
	line->bytes += n;
	line->is_ended = lines->buf[lines->at - 1] == '\n';
}

enum pmon_status
pmon_lines_next(struct pmon_lines *lines, struct pmon_line *out, struct pmon_err *err)
{
	size_t len;
	enum pmon_status status = find_end(lines, &len, err);

	*out = (struct pmon_line){.offset = lines->offset};
	if (status != PMON_OK)
		return status;
	out->is_too_long = len > lines->max_bytes;
	if (!out->is_too_long) {
		out->text = lines->buf + lines->at;
		out->len = len;
	}
	step(lines, len, out);
	while (status == PMON_OK && out->is_too_long && !out->is_ended) {
		status = find_end(lines, &len, err);
		if (status == PMON_OK)
			step(lines, len, out);
	}
	return status == PMON_END ? PMON_OK : status;
}

void
pmon_lines_rewind(struct pmon_lines *lines)
{
	lines->at = lines->len = 0;
	lines->offset = 0;
}

void
pmon_lines_free(struct pmon_lines *lines)
{
	pmon_mem_free(lines->allocator, lines->buf, lines->cap);
}
