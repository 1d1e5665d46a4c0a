// text.c - fit texts into terminal cells
// SPDX-License-Identifier: MIT

// wcwidth() requires X/Open.
#define _XOPEN_SOURCE 700

#include "verbs/top/text.h"

#include <math.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "base/utf.h"

#define MAX_MARKS 2 // combining marks per character; further ones are dropped

// ---- Characters -----------------------------------------------------------------------------

// A character with its combining marks.
struct glyph {
	char bytes[TOP_CELL_BYTES + 1];
	size_t len;
	size_t cells;
};

static bool
is_between(uint32_t c, uint32_t first, uint32_t last)
{
	return c >= first && c <= last;
}

// Controls, invalid bytes, direction marks, joiners, selectors, tags: characters that affect their
// surroundings instead of being visible.
static bool
is_unsafe(uint32_t c)
{
	return c < 0x20 || is_between(c, 0x7F, 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
	       is_between(c, 0x200B, 0x200F) || is_between(c, 0x2028, 0x202E) ||
	       is_between(c, 0x2060, 0x206F) || is_between(c, 0xD800, 0xDFFF) ||
	       is_between(c, 0xFE00, 0xFE0F) || c == 0xFEFF || is_between(c, 0xFFF9, 0xFFFB) ||
	       is_between(c, 0xE0000, 0xE0FFF);
}

// The number of cells of a code point; -1 if it is not printable.
static int
cells_of(uint32_t c, enum top_charset charset)
{
	if (is_unsafe(c) || (uint32_t)(wchar_t)c != c || (charset == TOP_ASCII && c >= 0x80))
		return -1;
	return c < 0x80 ? 1 : wcwidth((wchar_t)c);
}

static void
append(struct glyph *g, const char *bytes, size_t len)
{
	if (g->len + len > TOP_CELL_BYTES)
		return;
	memcpy(g->bytes + g->len, bytes, len);
	g->len += len;
}

// Read the combining marks after the current character.
static void
take_marks(struct pmon_span text, size_t *pos, enum top_charset charset, struct glyph *g)
{
	size_t marks = 0;

	while (*pos < text.len) {
		size_t next = *pos;

		if (cells_of(pmon_utf8_next(text, &next), charset) != 0)
			return;
		if (marks++ < MAX_MARKS)
			append(g, text.ptr + *pos, next - *pos);
		*pos = next;
	}
}

static struct glyph
next_glyph(struct pmon_span text, size_t *pos, enum top_charset charset)
{
	struct glyph g = {.cells = 1};
	size_t start = *pos;
	int cells = cells_of(pmon_utf8_next(text, pos), charset);

	if (cells > 0) {
		g.cells = (size_t)cells;
		append(&g, text.ptr + start, *pos - start);
		take_marks(text, pos, charset, &g);
	} else if (charset == TOP_UTF8) {
		append(&g, "\xEF\xBF\xBD", 3);
	} else {
		append(&g, "?", 1);
	}
	return g;
}

// ---- Texts ----------------------------------------------------------------------------------

size_t
top_text_cells(struct pmon_span text, enum top_charset charset)
{
	size_t cells = 0;

	for (size_t pos = 0; pos < text.len;)
		cells += next_glyph(text, &pos, charset).cells;
	return cells;
}

// Append glyphs from *pos on while they fit. Returns the cells used.
static size_t
copy(struct pmon_span text, size_t *pos, size_t cells, enum top_charset charset,
     struct pmon_text *out)
{
	size_t used = 0;

	while (*pos < text.len) {
		size_t next = *pos;
		struct glyph g = next_glyph(text, &next, charset);

		if (used + g.cells > cells)
			break;
		pmon_text_span(out, (struct pmon_span){g.bytes, g.len});
		used += g.cells;
		*pos = next;
	}
	return used;
}

size_t
top_text_fit(struct pmon_span text, size_t cells, enum top_charset charset, char out[TOP_TEXT_SIZE])
{
	struct pmon_text t = pmon_text_init(out, TOP_TEXT_SIZE);
	size_t whole = top_text_cells(text, charset);
	size_t pos = 0;
	size_t used;

	if (cells > TOP_TEXT_CELLS)
		cells = TOP_TEXT_CELLS;
	if (whole <= cells)
		return copy(text, &pos, cells, charset, &t);
	if (cells == 0)
		return 0;
	used = copy(text, &pos, cells / 3, charset, &t);
	// Then one cell that marks the omission, and the end of the text.
	for (size_t left = whole - used; left > cells - used - 1;)
		left -= next_glyph(text, &pos, charset).cells;
	pmon_text_str(&t, charset == TOP_UTF8 ? "\xE2\x80\xA6" : "~");
	return used + 1 + copy(text, &pos, cells - used - 1, charset, &t);
}

bool
top_text_line(struct pmon_span text, size_t cells, enum top_charset charset, size_t *pos,
	      struct pmon_span *line)
{
	size_t start = *pos;
	size_t used = 0;
	size_t at = start;
	size_t blank = start; // end of the last word

	if (start >= text.len)
		return false;
	while (at < text.len && text.ptr[at] != '\n') {
		size_t next = at;

		used += next_glyph(text, &next, charset).cells;
		if (used > cells && at > start)
			break;
		if (text.ptr[at] == ' ')
			blank = at;
		at = next;
	}
	*pos = at;
	if (at < text.len && text.ptr[at] != '\n' && blank > start) {
		at = blank;
		*pos = blank + 1;
	} else if (at < text.len && text.ptr[at] == '\n') {
		*pos = at + 1;
	}
	*line = (struct pmon_span){text.ptr + start, at - start};
	return true;
}

// ---- Sparklines -----------------------------------------------------------------------------

const char *
top_spark(double value, double bottom, double top, enum top_charset charset)
{
	static const char *const blocks[] = {"\xE2\x96\x81", "\xE2\x96\x82", "\xE2\x96\x83",
					     "\xE2\x96\x84", "\xE2\x96\x85", "\xE2\x96\x86",
					     "\xE2\x96\x87", "\xE2\x96\x88"};
	static const char *const signs[] = {".", ":", "-", "=", "+", "*", "#"};
	int levels = charset == TOP_UTF8 ? 8 : 7;
	int level = 0;

	if (isnan(value))
		return " ";
	if (top > bottom)
		level = (int)((value - bottom) / (top - bottom) * levels);
	level = level < 0 ? 0 : level >= levels ? levels - 1 : level;
	return charset == TOP_UTF8 ? blocks[level] : signs[level];
}
