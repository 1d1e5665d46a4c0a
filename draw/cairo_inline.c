// cairo_inline.c - a figure as an svg element of an HTML page
// SPDX-License-Identifier: MIT
//
// cairo writes a document of its own, with colours as numbers, ids that every document has, and texts as
// drawings of letters. The texts are kept out of it and put after it; the rest is rewritten. As no text
// is in it, what looks like a colour, a number or an id is one.

#include "draw/cairo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECIMALS 2 // of a coordinate; cairo writes six

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

static void
add_colour(struct bytes *b, enum draw_theme theme, struct draw_rgb rgb)
{
	struct draw_named_colour named;
	char text[64];

	for (size_t i = 0; draw_colour_at(theme, i, &named); i++) {
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

struct texts {
	struct bytes bytes;
	enum draw_theme theme;
};

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
		else
			(void)add(b, text, 1);
	}
}

static void
take_text(void *ctx, const struct draw_placed_text *text)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	struct texts *t = ctx;
	char head[160];

	(void)snprintf(head, sizeof(head), "<text x=\"%.0f\" y=\"%.0f\" font-size=\"%.0f\"%s",
		       text->x, text->y, text->size, text->bold ? " font-weight=\"bold\"" : "");
	add_str(&t->bytes, head);
	(void)snprintf(head, sizeof(head),
		       " text-anchor=\"%s\" style=\"fill:", anchors[text->anchor]);
	add_str(&t->bytes, head);
	add_colour(&t->bytes, t->theme, text->colour);
	add_str(&t->bytes, "\">");
	add_escaped(&t->bytes, text->text);
	add_str(&t->bytes, "</text>\n");
}

// ---- Rewriting ------------------------------------------------------------------------------

struct rewriting {
	struct bytes out;
	enum draw_theme theme;
	const char *prefix;
	bool in_path; // within d="..."
};

// A colour at s; the bytes that it takes, 0 when there is none.
static size_t
rewrite_colour(struct rewriting *r, const char *s)
{
	struct draw_rgb c;
	int used = 0;

	if (sscanf(s, "rgb(%lf%% , %lf%% , %lf%% )%n", &c.r, &c.g, &c.b, &used) != 3 || used == 0)
		return 0;
	add_colour(&r->out, r->theme, (struct draw_rgb){c.r / 100, c.g / 100, c.b / 100});
	return (size_t)used;
}

// An id, or something that points to one.
static size_t
rewrite_id(struct rewriting *r, const char *s)
{
	static const char *const starts[] = {" id=\"", "url(#", "href=\"#"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (strncmp(s, starts[i], strlen(starts[i])) == 0) {
			add_str(&r->out, starts[i]);
			add_str(&r->out, r->prefix);
			return strlen(starts[i]);
		}
	}
	return 0;
}

// A decimal point in a path, and the digits after it.
static size_t
rewrite_decimals(struct rewriting *r, const char *s)
{
	size_t len = 1 + strspn(s + 1, "0123456789");

	(void)add(&r->out, s, len > DECIMALS + 1 ? DECIMALS + 1 : len);
	return len;
}

static void
rewrite(struct rewriting *r, const char *s, const char *end)
{
	while (s < end && !r->out.failed) {
		size_t used = 0;

		if (strncmp(s, " d=\"", 4) == 0)
			r->in_path = true;
		else if (s[0] == '"' && s[-1] != '=')
			r->in_path = false;
		if (r->in_path && *s == '.')
			used = rewrite_decimals(r, s);
		else if (*s == 'r')
			used = rewrite_colour(r, s);
		else if (*s == ' ' || *s == 'u' || *s == 'h')
			used = rewrite_id(r, s);
		if (used == 0)
			(void)add(&r->out, s, used = 1);
		s += used;
	}
}

// The content of the svg element of cairo's document, between our own tags.
static bool
join(struct rewriting *r, const struct draw_picture *picture, const struct bytes *document,
     const struct bytes *texts)
{
	const char *start = document->ptr != NULL ? strstr(document->ptr, "<svg") : NULL;
	const char *end = start != NULL ? strstr(start, "</svg>") : NULL;
	char head[96];

	start = start != NULL ? strchr(start, '>') : NULL;
	if (start == NULL || end == NULL || document->failed || texts->failed)
		return false;
	(void)snprintf(head, sizeof(head), "<svg viewBox=\"0 0 %d %d\">", picture->width,
		       picture->height);
	add_str(&r->out, head);
	rewrite(r, start + 1, end);
	if (texts->ptr != NULL)
		add_str(&r->out, texts->ptr);
	add_str(&r->out, "</svg>\n");
	return !r->out.failed;
}

const char *
draw_inline(const struct draw_figure *figure, const struct draw_picture *picture,
	    const char *prefix, draw_write_fn write, void *ctx)
{
	struct draw_picture bare = *picture;
	struct rewriting r = {.theme = picture->theme, .prefix = prefix};
	struct texts texts = {.theme = picture->theme};
	struct bytes document = {.ptr = NULL};
	const char *wrong;

	bare.type = DRAW_SVG;
	bare.panels_only = true;
	bare.text = take_text;
	bare.text_ctx = &texts;
	wrong = draw_cairo(figure, &bare, add, &document);
	if (document.failed || (wrong == NULL && !join(&r, picture, &document, &texts.bytes)))
		wrong = "not enough memory";
	if (wrong == NULL && !write(ctx, r.out.ptr, r.out.len))
		wrong = "cannot write";
	free(document.ptr);
	free(texts.bytes.ptr);
	free(r.out.ptr);
	return wrong;
}
