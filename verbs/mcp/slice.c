// slice.c - one page of the rows of a JSON output
// SPDX-License-Identifier: MIT

#include "verbs/mcp/slice.h"

#include <stdlib.h>
#include <string.h>

static void
add(struct slice *rows, struct slice_text *text, const char *bytes, size_t n)
{
	size_t cap = text->cap > 0 ? text->cap : 4096;
	char *grown;

	while (cap < text->len + n)
		cap *= 2;
	if (cap > text->cap) {
		grown = realloc(text->ptr, cap);
		if (grown == NULL) {
			rows->is_short = true;
			return;
		}
		text->ptr = grown;
		text->cap = cap;
	}
	memcpy(text->ptr + text->len, bytes, n);
	text->len += n;
}

static bool
is_name(const struct slice *rows, const char *name)
{
	return name != NULL && strlen(name) == rows->name_len &&
	       memcmp(name, rows->name, rows->name_len) == 0;
}

static bool
is_left_out(const struct slice *rows)
{
	for (const char *const *name = rows->left_out; name != NULL && *name != NULL; name++)
		if (is_name(rows, *name))
			return true;
	return false;
}

static bool
is_list(const struct slice *rows)
{
	for (size_t i = 0; i < SLICE_NAMES; i++)
		if (is_name(rows, rows->lists[i]))
			return true;
	return false;
}

// Follow texts and brackets.
static void
follow(struct slice *rows, char c)
{
	if (rows->in_text) {
		if (!rows->is_escaped && c == '"')
			rows->in_text = false;
		rows->is_escaped = !rows->is_escaped && c == '\\';
	} else if (c == '"') {
		rows->in_text = true;
	} else if (c == '{' || c == '[') {
		rows->depth++;
	} else if (c == '}' || c == ']') {
		rows->depth--;
	}
}

static void
begin_value(struct slice *rows)
{
	rows->depth = 0;
	rows->in_text = false;
	rows->is_escaped = false;
}

// ---- Rows -----------------------------------------------------------------------------------

static void
begin_row(struct slice *rows)
{
	rows->state = SLICE_ROW;
	rows->is_kept = !rows->is_full && rows->seen >= rows->offset;
	begin_value(rows);
	if (rows->is_kept && rows->kept == rows->most) {
		rows->is_full = true;
		rows->is_kept = false;
	}
	rows->start = rows->page.len;
	if (rows->is_kept && rows->kept > 0)
		add(rows, &rows->page, ",\n", 2);
}

// A row that does not fit on the page is the first of the next.
static void
end_row(struct slice *rows)
{
	rows->seen++;
	if (rows->is_kept && rows->kept > 0 && rows->page.len > rows->most_bytes) {
		rows->page.len = rows->start;
		rows->is_full = true;
	} else if (rows->is_kept) {
		rows->kept++;
	}
	rows->state = rows->lists[0] != NULL ? SLICE_LIST : SLICE_OUTSIDE;
	// Nothing follows the rows if there is no object around them.
	rows->is_over = rows->lists[0] == NULL && rows->is_full;
}

static void
take_in_row(struct slice *rows, char c)
{
	follow(rows, c);
	if (rows->is_kept)
		add(rows, &rows->page, &c, 1);
	if (rows->is_kept && rows->kept == 0 && rows->page.len > rows->most_of_row) {
		rows->page.len = 0;
		rows->is_kept = false;
		rows->is_full = true;
		rows->lost_row = true;
	}
	if (rows->depth == 0)
		end_row(rows);
}

// ---- Members --------------------------------------------------------------------------------

static void
begin_member(struct slice *rows)
{
	rows->state = SLICE_MEMBER;
	rows->is_kept = !is_left_out(rows);
	rows->start = rows->members.len;
	begin_value(rows);
	if (!rows->is_kept)
		return;
	if (rows->members.len > 0)
		add(rows, &rows->members, ",", 1);
	add(rows, &rows->members, "\"", 1);
	add(rows, &rows->members, rows->name, rows->name_len);
	add(rows, &rows->members, "\":", 2);
}

static void
take_in_member(struct slice *rows, char c)
{
	if (!rows->in_text && rows->depth == 0 && (c == ',' || c == '}')) {
		rows->state = c == ',' ? SLICE_BETWEEN : SLICE_OUTSIDE;
		return;
	}
	follow(rows, c);
	if (!rows->is_kept)
		return;
	add(rows, &rows->members, &c, 1);
	if (rows->members.len > rows->most_members) {
		rows->members.len = rows->start;
		rows->is_kept = false;
		rows->lost_member = true;
	}
}

static void
take_value(struct slice *rows, char c)
{
	if (c == ':' || c == ' ')
		return;
	if (c == '[' && is_list(rows)) {
		rows->state = SLICE_LIST;
		return;
	}
	begin_member(rows);
	take_in_member(rows, c);
}

static void
take_name(struct slice *rows, char c)
{
	if (c == '"')
		rows->state = SLICE_COLON;
	else if (rows->name_len < sizeof(rows->name))
		rows->name[rows->name_len++] = c;
}

static void
take(struct slice *rows, char c)
{
	switch (rows->state) {
	case SLICE_OUTSIDE:
		if (c != '{')
			return;
		if (rows->lists[0] != NULL) {
			rows->state = SLICE_BETWEEN;
			return;
		}
		begin_row(rows);
		take_in_row(rows, c);
		return;
	case SLICE_BETWEEN:
		if (c == '"') {
			rows->state = SLICE_NAME;
			rows->name_len = 0;
		} else if (c == '}') {
			rows->state = SLICE_OUTSIDE;
		}
		return;
	case SLICE_NAME:
		take_name(rows, c);
		return;
	case SLICE_COLON:
		take_value(rows, c);
		return;
	case SLICE_MEMBER:
		take_in_member(rows, c);
		return;
	case SLICE_LIST:
		if (c == '{') {
			begin_row(rows);
			take_in_row(rows, c);
		} else if (c == ']') {
			rows->state = SLICE_BETWEEN;
		}
		return;
	case SLICE_ROW:
		take_in_row(rows, c);
		return;
	}
}

void
slice_take(struct slice *rows, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n && !rows->is_over && !rows->is_short; i++)
		take(rows, bytes[i]);
}

uint64_t
slice_next(const struct slice *rows)
{
	return rows->kept > 0 && rows->seen > rows->offset + rows->kept ? rows->offset + rows->kept
									: 0;
}

void
slice_free(struct slice *rows)
{
	free(rows->page.ptr);
	free(rows->members.ptr);
}
