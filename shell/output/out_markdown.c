// out_markdown.c - tables in markdown, as GitHub, GitLab and chats read it
// SPDX-License-Identifier: MIT

#include <string.h>

#include "shell/output/clean.h"
#include "shell/output/out.h"
#include "shell/output/writer.h"

static bool
is_markup(char c)
{
	return c != '\0' && strchr("\\`*_[]<>|~", c) != NULL;
}

void
out_markdown(FILE *stream, struct pmon_span text)
{
	size_t start = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!is_markup(text.ptr[i]))
			continue;
		out_clean(stream, (struct pmon_span){text.ptr + start, i - start});
		putc('\\', stream);
		start = i;
	}
	out_clean(stream, (struct pmon_span){text.ptr + start, text.len - start});
}

static void
begin(struct out *out)
{
	putc('|', out->stream);
	for (size_t i = 0; i < out->n_columns; i++)
		if (out->columns[i].heading != NULL)
			fprintf(out->stream, " %s |", out->columns[i].heading);
	fputs("\n|", out->stream);
	for (size_t i = 0; i < out->n_columns; i++)
		if (out->columns[i].heading != NULL)
			fputs(out->columns[i].align == OUT_RIGHT ? "---:|" : "---|", out->stream);
	putc('\n', out->stream);
}

static void
cell(struct out *out, enum cell_kind kind, struct pmon_span text)
{
	if (out->column == 0)
		putc('|', out->stream);
	if (out->columns[out->column].heading != NULL) {
		putc(' ', out->stream);
		out_markdown(out->stream, kind == CELL_NULL ? PMON_SPAN("-") : text);
		fputs(" |", out->stream);
	}
	if (out->column + 1 == out->n_columns)
		putc('\n', out->stream);
}

const struct out_writer out_writer_markdown = {begin, cell, NULL};
