// fields.c - split a line of a text log into fields
// SPDX-License-Identifier: MIT
//
// Windows quotes every field and does not double quotes inside; other programs do neither or both.
// So a quote ends a field only before a separator or the end of the line, and a doubled quote is
// one.

#include "format/pdhtext/pdhtext.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct pmon_span
pmon_pdht_trim(struct pmon_span text)
{
	while (text.len > 0 && is_blank(text.ptr[0])) {
		text.ptr++;
		text.len--;
	}
	while (text.len > 0 && is_blank(text.ptr[text.len - 1]))
		text.len--;
	return text;
}

// Are there only empty fields from p on, as spreadsheets and scripts leave them at line ends?
static bool
is_rest_empty(const struct pdht_fields *f, const char *p)
{
	while (p < f->end && (*p == f->separator || *p == '"' || is_blank(*p)))
		p++;
	return p == f->end;
}

// Does the quote at p end its field? If so, *next_out is the separator or the end.
static bool
is_closing(const struct pdht_fields *f, const char *p, const char **next_out)
{
	const char *next = p + 1;

	while (next < f->end && *next != f->separator && is_blank(*next))
		next++;
	if (next < f->end && *next != f->separator)
		return false;
	if (f->is_strict && next + 1 < f->end && next[1] != '"' && !is_rest_empty(f, next))
		return false;
	*next_out = next;
	return true;
}

// p is after the opening quote. Returns the separator or the end.
static const char *
take_quoted(const struct pdht_fields *f, const char *start, struct pdht_field *out)
{
	const char *next = f->end;
	const char *p = start;

	out->is_open = true;
	for (; p < f->end; p++) {
		if (*p != '"')
			continue;
		if (is_closing(f, p, &next)) {
			out->is_open = false;
			break;
		}
		if (p + 1 < f->end && p[1] == '"')
			p++; // a doubled quote is text
	}
	out->text = (struct pmon_span){start, (size_t)(p - start)};
	return next;
}

bool
pmon_pdht_field_next(struct pdht_fields *f, struct pdht_field *out)
{
	const char *p = f->p;
	const char *next;

	*out = (struct pdht_field){.text = {"", 0}};
	if (f->is_done)
		return false;
	if (p < f->end && *p == '"') {
		out->is_quoted = true;
		next = take_quoted(f, p + 1, out);
	} else {
		for (next = p; next < f->end && *next != f->separator; next++)
			;
		out->text = (struct pmon_span){p, (size_t)(next - p)};
	}
	f->is_done = next == f->end;
	f->p = f->is_done ? next : next + 1;
	return true;
}
