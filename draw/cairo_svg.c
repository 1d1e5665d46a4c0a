// cairo_svg.c - a figure as SVG: a document of its own, or an element of an HTML page
// SPDX-License-Identifier: MIT
//
// cairo has no groups, and draws texts as outlines of letters. So each group is drawn as a document of
// its own, without its texts; their contents become one document, with the texts as such. As no text is
// in what cairo writes, what looks like a colour, a number or an id there is one.

#include "draw/canvas.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/label.h"

#define DECIMALS   2 // of a coordinate; cairo writes six
#define MOST_PAIRS 3 // of coordinates of one command of a path

// Bytes that grow; failed sticks.
struct bytes {
	char *ptr;
	size_t len;
	size_t cap;
	bool failed;
};

static bool
add(void *ctx, const void *more, size_t len)
{
	struct bytes *b = ctx;

	if (b->cap - b->len <= len) {
		size_t cap = (b->len + len + 1) * 2;
		char *grown = realloc(b->ptr, cap);

		if (grown == NULL) {
			b->failed = true;
			return false;
		}
		b->ptr = grown;
		b->cap = cap;
	}
	memcpy(b->ptr + b->len, more, len);
	b->len += len;
	b->ptr[b->len] = '\0';
	return true;
}

static void
add_str(struct bytes *b, const char *text)
{
	(void)add(b, text, strlen(text));
}

// ---- Colours --------------------------------------------------------------------------------

static bool
is_near(struct draw_rgb a, struct draw_rgb b)
{
	return fabs(a.r - b.r) + fabs(a.g - b.g) + fabs(a.b - b.b) < 1e-4;
}

// The part of a document that is drawn next, and what came before it.
struct draw_pieces {
	struct bytes out;
	struct bytes document; // of cairo, of the piece
	struct bytes texts;    // of the piece
	cairo_surface_t *surface;
	const struct draw_picture *picture;
	const char *prefix; // of all ids; NULL: a document of its own
	size_t n;           // pieces
	cairo_status_t status;
	bool in_path; // within d="..."
};

static void
add_colour(struct bytes *b, const struct draw_pieces *p, struct draw_rgb rgb)
{
	struct draw_named_colour named;
	char text[64];

	for (size_t i = 0; p->prefix != NULL && draw_colour_at(p->picture->theme, i, &named); i++) {
		if (is_near(named.rgb, rgb)) {
			(void)snprintf(text, sizeof(text), "var(--%s)", named.name);
			add_str(b, text);
			return;
		}
	}
	(void)snprintf(text, sizeof(text), "rgb(%.0f,%.0f,%.0f)", rgb.r * 255, rgb.g * 255,
		       rgb.b * 255);
	add_str(b, text);
}

// ---- Texts ----------------------------------------------------------------------------------

static void
add_escaped(struct bytes *b, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '&')
			add_str(b, "&amp;");
		else if (*text == '<')
			add_str(b, "&lt;");
		else if (*text == '>')
			add_str(b, "&gt;");
		else if (*text == '"')
			add_str(b, "&quot;");
		else
			(void)add(b, text, 1);
	}
}

void
draw_svg_text(struct draw_canvas *c, double x, double y, enum draw_anchor anchor, const char *text)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	struct bytes *b = &c->pieces->texts;
	char head[160];

	(void)snprintf(head, sizeof(head), "<text x=\"%.0f\" y=\"%.0f\" font-size=\"%.0f\"%s",
		       round(x), round(y), c->font_size, c->bold ? " font-weight=\"bold\"" : "");
	add_str(b, head);
	(void)snprintf(head, sizeof(head), " text-anchor=\"%s\" style=\"fill:", anchors[anchor]);
	add_str(b, head);
	add_colour(b, c->pieces, c->colour);
	add_str(b, "\">");
	add_escaped(b, text);
	add_str(b, "</text>\n");
}

// ---- Rewriting ------------------------------------------------------------------------------

// A colour at s; the bytes that it takes, 0 when there is none.
static size_t
rewrite_colour(struct draw_pieces *p, const char *s)
{
	struct draw_rgb c;
	int used = 0;

	if (sscanf(s, "rgb(%lf%% , %lf%% , %lf%% )%n", &c.r, &c.g, &c.b, &used) != 3 || used == 0)
		return 0;
	add_colour(&p->out, p, (struct draw_rgb){c.r / 100, c.g / 100, c.b / 100});
	return (size_t)used;
}

// An id, or something that points to one.
static size_t
rewrite_id(struct draw_pieces *p, const char *s)
{
	static const char *const starts[] = {" id=\"", "url(#", "href=\"#"};
	char number[24];

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (strncmp(s, starts[i], strlen(starts[i])) == 0) {
			add_str(&p->out, starts[i]);
			(void)snprintf(number, sizeof(number), "%zu-", p->n);
			add_str(&p->out, p->prefix != NULL ? p->prefix : "p");
			add_str(&p->out, number);
			return strlen(starts[i]);
		}
	}
	return 0;
}

// A decimal point in a path, and the digits after it.
static size_t
rewrite_decimals(struct draw_pieces *p, const char *s)
{
	size_t len = 1 + strspn(s + 1, "0123456789");

	(void)add(&p->out, s, len > DECIMALS + 1 ? DECIMALS + 1 : len);
	return len;
}

// What a style says is so without it.
static size_t
rewrite_style(struct draw_pieces *p, const char *s)
{
	static const char *const usual[] = {"stroke-linecap:butt;", "stroke-linejoin:miter;",
					    "stroke-opacity:1;",    "stroke-miterlimit:10;",
					    "fill-opacity:1;",      "fill-rule:nonzero;"};

	for (size_t i = 0; p->prefix != NULL && i < sizeof(usual) / sizeof(usual[0]); i++)
		if (strncmp(s, usual[i], strlen(usual[i])) == 0)
			return strlen(usual[i]);
	return 0;
}

// ---- Paths of pages -------------------------------------------------------------------------

// A page has many charts. Their paths have one decimal and go from point to point, which takes a third of the bytes.
struct path {
	long x; // of the newest point, in tenths
	long y;
	long start_x; // of the first one of the part
	long start_y;
	char command; // the newest one that was written
	bool pointed; // the newest number has a decimal point
};

// A sign or a second point begins a number as well as a blank does.
static void
add_tenths(struct bytes *b, struct path *path, long tenths)
{
	char text[32];
	long size = labs(tenths);
	int len = snprintf(text, sizeof(text), tenths < 0 ? "-" : "");

	if (size >= 10 || size == 0)
		len += snprintf(text + len, sizeof(text) - (size_t)len, "%ld", size / 10);
	if (size % 10 != 0)
		(void)snprintf(text + len, sizeof(text) - (size_t)len, ".%ld", size % 10);
	if (b->len > 0 && isdigit((unsigned char)b->ptr[b->len - 1]) && text[0] != '-' &&
	    !(text[0] == '.' && path->pointed))
		add_str(b, " ");
	path->pointed = size % 10 != 0;
	add_str(b, text);
}

static void
add_command(struct bytes *b, struct path *path, char command)
{
	if (command != path->command)
		(void)add(b, &command, 1);
	path->command = command;
}

static void
add_line(struct bytes *b, struct path *path, long x, long y)
{
	bool across = x != path->x;
	bool along = y != path->y;

	// A line without a length is a dot.
	if (!across && !along && path->command != 'M')
		return;
	add_command(b, path, across && along ? 'l' : across ? 'h' : 'v');
	if (across)
		add_tenths(b, path, x - path->x);
	if (along || !across)
		add_tenths(b, path, y - path->y);
}

static void
add_move(struct bytes *b, struct path *path, char command, long points[][2], size_t n)
{
	add_command(b, path, command);
	for (size_t i = 0; i < n; i++) {
		add_tenths(b, path, points[i][0]);
		add_tenths(b, path, points[i][1]);
	}
	if (command == 'M') {
		path->start_x = points[0][0];
		path->start_y = points[0][1];
	}
}

// A command of cairo, whose coordinates are those of the page, and its coordinates. Returns what follows.
static const char *
rewrite_command(struct bytes *b, struct path *path, const char *s)
{
	char command = *s++;
	size_t n = command == 'C' ? 3 : command == 'Z' ? 0 : 1;
	long points[MOST_PAIRS][2];

	for (size_t i = 0; i < 2 * n; i++) {
		char *end;

		points[i / 2][i % 2] = lround(strtod(s, &end) * 10);
		if (end == s)
			return NULL;
		s = end;
	}
	if (command == 'L')
		add_line(b, path, points[0][0], points[0][1]);
	else
		add_move(b, path, command, points, n);
	path->x = n > 0 ? points[n - 1][0] : path->start_x;
	path->y = n > 0 ? points[n - 1][1] : path->start_y;
	return s;
}

// From d=" to the quote that ends it.
static size_t
rewrite_path(struct draw_pieces *p, const char *start)
{
	struct path path = {.command = '\0'};
	const char *s = start + 4;

	if (p->prefix == NULL || strncmp(start, " d=\"", 4) != 0)
		return 0;
	add_str(&p->out, " d=\"");
	while (s != NULL && *s != '"') {
		if (*s == ' ')
			s++;
		else if (strchr("MLCZ", *s) != NULL && *s != '\0')
			s = rewrite_command(&p->out, &path, s);
		else
			s = NULL;
	}
	p->out.failed |= s == NULL; // cairo writes no such path
	return s != NULL ? (size_t)(s - start) : 1;
}

static void
rewrite(struct draw_pieces *p, const char *s, const char *end)
{
	while (s < end && !p->out.failed) {
		size_t used = 0;

		if (strncmp(s, " d=\"", 4) == 0)
			p->in_path = true;
		else if (s[0] == '"' && s[-1] != '=')
			p->in_path = false;
		if (p->in_path && *s == '.')
			used = rewrite_decimals(p, s);
		else if (*s == 'r')
			used = rewrite_colour(p, s);
		else if (*s == ' ' || *s == 'u' || *s == 'h')
			used = rewrite_id(p, s) + rewrite_path(p, s);
		else if (*s == 's' || *s == 'f')
			used = rewrite_style(p, s);
		if (used == 0)
			(void)add(&p->out, s, used = 1);
		s += used;
	}
}

// ---- Pieces ---------------------------------------------------------------------------------

static cairo_status_t
take_document(void *document, const unsigned char *bytes, unsigned len)
{
	return add(document, bytes, len) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

static bool
begin_piece(struct draw_canvas *c)
{
	struct draw_pieces *p = c->pieces;

	p->document.len = p->texts.len = 0;
	p->n++;
	p->surface = cairo.svg_surface_create_for_stream(take_document, &p->document,
							 p->picture->width, p->picture->height);
	c->cr = cairo.create(p->surface);
	draw_set_font(c, c->font_size, c->bold);
	draw_set_colour(c, c->colour, 1);
	return cairo.status(c->cr) == CAIRO_STATUS_SUCCESS;
}

// The content of the svg element of cairo's document, if it draws anything.
static void
add_content(struct draw_pieces *p)
{
	const char *start = p->document.len > 0 ? strstr(p->document.ptr, "<svg") : NULL;
	const char *end = start != NULL ? strstr(start, "</svg>") : NULL;

	start = start != NULL ? strchr(start, '>') : NULL;
	if (start == NULL || end == NULL) {
		p->out.failed = true;
		return;
	}
	if (strstr(start, "<path") != NULL || strstr(start, "<rect") != NULL ||
	    strstr(start, "<image") != NULL)
		rewrite(p, start + 1, end);
	if (p->texts.len > 0)
		add_str(&p->out, p->texts.ptr);
}

static void
end_piece(struct draw_canvas *c)
{
	struct draw_pieces *p = c->pieces;

	if (p->status == CAIRO_STATUS_SUCCESS)
		p->status = cairo.status(c->cr);
	cairo.destroy(c->cr);
	cairo.surface_finish(p->surface);
	if (p->status == CAIRO_STATUS_SUCCESS)
		p->status = cairo.surface_status(p->surface);
	cairo.surface_destroy(p->surface);
	if (p->status == CAIRO_STATUS_SUCCESS)
		add_content(p);
}

void
draw_begin_group(struct draw_canvas *c, const char *kind, const char *name)
{
	struct draw_pieces *p = c->pieces;

	if (p == NULL)
		return;
	end_piece(c);
	add_str(&p->out, "<g class=\"");
	add_str(&p->out, kind);
	if (name != NULL) {
		add_str(&p->out, "\" role=\"group\" aria-label=\"");
		add_escaped(&p->out, name);
	}
	add_str(&p->out, "\">\n");
	(void)begin_piece(c);
}

void
draw_begin_series(struct draw_canvas *c, size_t i)
{
	char text[DRAW_SENTENCE];

	if (c->pieces == NULL)
		return;
	draw_begin_group(c, "series", c->figure->series[i].label);
	draw_series_sentence(c->figure, &c->figure->series[i], text, sizeof(text));
	add_str(&c->pieces->out, "<title>"); // browsers show it below the mouse
	add_escaped(&c->pieces->out, text);
	add_str(&c->pieces->out, "</title>\n");
}

void
draw_end_group(struct draw_canvas *c)
{
	if (c->pieces == NULL)
		return;
	end_piece(c);
	add_str(&c->pieces->out, "</g>\n");
	(void)begin_piece(c);
}

// ---- Documents ------------------------------------------------------------------------------

// What the picture is, for those who do not see it.
static void
add_description(struct draw_pieces *p, const struct draw_figure *f)
{
	char text[DRAW_SENTENCE];

	add_str(&p->out, "<title id=\"title\">");
	add_escaped(&p->out, f->title);
	for (size_t i = 0; i < f->n_panels; i++) {
		add_str(&p->out, i == 0 ? ": " : ", ");
		add_escaped(&p->out, f->panels[i].heading);
	}
	add_str(&p->out, "</title>\n<desc id=\"description\">");
	add_escaped(&p->out, f->subtitle);
	add_str(&p->out, ".");
	for (size_t i = 0; i < f->n; i++) {
		draw_series_sentence(f, &f->series[i], text, sizeof(text));
		add_str(&p->out, "\n");
		add_escaped(&p->out, text);
	}
	add_str(&p->out, "</desc>\n");
}

static void
add_head(struct draw_pieces *p, const struct draw_figure *figure)
{
	char head[320];
	int width = p->picture->width;
	int height = p->picture->height;

	if (p->prefix != NULL) {
		(void)snprintf(head, sizeof(head), "<svg viewBox=\"0 0 %d %d\">", width, height);
		add_str(&p->out, head);
		return;
	}
	(void)snprintf(head, sizeof(head),
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		       "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%d\" height=\"%d\" "
		       "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
		       "style=\"image-rendering:pixelated\" role=\"img\" "
		       "aria-labelledby=\"title description\">\n",
		       width, height, width, height);
	add_str(&p->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	add_str(&p->out, head);
	add_description(p, figure);
}

static const char *
write_out(struct draw_pieces *p, const struct draw_canvas *c, draw_write_fn write, void *ctx)
{
	const char *wrong = NULL;

	if (p->status != CAIRO_STATUS_SUCCESS)
		wrong = cairo.status_to_string(p->status);
	else if (c->was_short || p->out.len == 0 || p->out.failed || p->document.failed ||
		 p->texts.failed)
		wrong = "not enough memory";
	else if (!write(ctx, p->out.ptr, p->out.len))
		wrong = "cannot write";
	free(p->out.ptr);
	free(p->document.ptr);
	free(p->texts.ptr);
	return wrong;
}

const char *
draw_svg(struct draw_canvas *c, const char *prefix, draw_write_fn write, void *ctx)
{
	struct draw_pieces pieces = {.picture = c->picture, .prefix = prefix};

	c->pieces = &pieces;
	add_head(&pieces, c->figure);
	if (begin_piece(c))
		draw_all(c);
	end_piece(c);
	draw_note_memory(c);
	add_str(&pieces.out, "</svg>\n");
	return write_out(&pieces, c, write, ctx);
}
