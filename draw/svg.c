// svg.c - a canvas that writes SVG: a whole document, or an element of an HTML page
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/utf.h"
#include "draw/canvas.h"
#include "draw/label.h"

// Text is measured with the widths of DejaVu Sans. Verdana has nearly the same widths, and other
// sans-serif fonts are narrower, so what fits here fits wherever the picture is displayed.
#define FONTS "DejaVu Sans,Verdana,sans-serif"

// The path being written, in tenths of pixels. Lines are relative to the previous point, which
// takes a third of the bytes of absolute coordinates; a page has many charts.
struct path {
	long x; // of the newest point
	long y;
	char command; // the newest command; '\0': no path
	char last;    // the newest character
	bool pointed; // the newest number has a decimal point
};

struct svg {
	struct draw_canvas canvas;
	const struct draw_picture *picture;
	draw_write_fn write;
	void *ctx;
	bool failed;
	struct path path;
};

static void
add_bytes(struct svg *svg, const char *bytes, size_t len)
{
	svg->failed = svg->failed || !svg->write(svg->ctx, bytes, len);
}

static void
add_str(struct svg *svg, const char *text)
{
	add_bytes(svg, text, strlen(text));
}

// Add a short text. It contains no floating-point numbers, because these would be printed with the
// locale's decimal point.
__attribute__((format(printf, 2, 3))) static void
add_format(struct svg *svg, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	add_str(svg, text);
}

// ---- Texts ----------------------------------------------------------------------------------

static void
add_text(struct svg *svg, const char *text)
{
	struct pmon_span span = {text, strlen(text)};
	size_t pos = 0;

	while (pos < span.len) {
		size_t at = pos;
		const char *other = draw_markup(pmon_utf8_next(span, &pos));

		if (other != NULL)
			add_str(svg, other);
		else
			add_bytes(svg, text + at, pos - at);
	}
}

#define FIRST ' '
#define LAST  '~'

// Character widths in thousandths of the font size: the table hmtx of DejaVu Sans 2.37, and of its
// bold variant.
// clang-format off
static const uint16_t widths[][LAST - FIRST + 1] = {
	{
		318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
		636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
		1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
		603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
		500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
		635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
	},
	{
		348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
		696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
		1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
		733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
		500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
		716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
	},
};
// clang-format on

// In that font, letters of other scripts average 610 to 690, in bold up to 790; ideographs are
// square.
static unsigned
width_of(uint32_t c, bool bold)
{
	if (c >= FIRST && c <= LAST)
		return widths[bold][c - FIRST];
	if (c >= 0x300 && c < 0x370) // combining marks
		return 0;
	return c >= 0x1100 ? 1000 : bold ? 800 : 700;
}

static double
svg_text_width(struct draw_canvas *c, const char *text)
{
	struct pmon_span span = {text, strlen(text)};
	size_t pos = 0;
	unsigned long width = 0;

	while (pos < span.len)
		width += width_of(pmon_utf8_next(span, &pos), c->bold);
	return (double)width / 1000 * c->font_size;
}

// ---- Styles ---------------------------------------------------------------------------------

static bool
is_near(struct draw_rgb a, struct draw_rgb b)
{
	return fabs(a.r - b.r) + fabs(a.g - b.g) + fabs(a.b - b.b) < 1e-4;
}

static void
add_colour(struct svg *svg, struct draw_rgb rgb)
{
	struct draw_named_colour named;

	for (size_t i = 0; svg->picture->in_page && draw_colour_at(svg->picture->theme, i, &named);
	     i++) {
		if (is_near(named.rgb, rgb)) {
			add_format(svg, "var(--%s)", named.name);
			return;
		}
	}
	add_format(svg, "rgb(%ld,%ld,%ld)", lround(rgb.r * 255), lround(rgb.g * 255),
		   lround(rgb.b * 255));
}

// "fill" or "stroke", with the canvas's colour.
static void
add_paint(struct svg *svg, const char *what)
{
	add_format(svg, "%s:", what);
	add_colour(svg, svg->canvas.colour);
	if (svg->canvas.alpha < 1)
		add_format(svg, ";%s-opacity:.%02ld", what, lround(svg->canvas.alpha * 100));
}

// ---- Paths ----------------------------------------------------------------------------------

static long
tenths(double pixels)
{
	return lround(pixels * 10);
}

// "12.3"; returns the length.
static int
print_tenths(char *buf, size_t size, long n)
{
	const char *sign = n < 0 ? "-" : "";
	long whole = labs(n) / 10;
	long tenth = labs(n) % 10;

	if (tenth == 0)
		return snprintf(buf, size, "%s%ld", sign, whole);
	if (whole == 0)
		return snprintf(buf, size, "%s.%ld", sign, tenth);
	return snprintf(buf, size, "%s%ld.%ld", sign, whole, tenth);
}

static void
add_command(struct svg *svg, char command)
{
	if (command != svg->path.command)
		add_bytes(svg, &command, 1);
	if (command != svg->path.command)
		svg->path.last = command;
	svg->path.command = command;
}

// A sign or a second decimal point starts a new number, so it needs no blank before it.
static void
add_tenths(struct svg *svg, long n)
{
	struct path *path = &svg->path;
	char text[32] = " ";
	int len = print_tenths(text + 1, sizeof(text) - 1, n);
	bool apart =
		pmon_is_digit(path->last) && text[1] != '-' && !(text[1] == '.' && path->pointed);

	add_str(svg, apart ? text : text + 1);
	path->pointed = n % 10 != 0;
	path->last = text[len];
}

static void
svg_move_to(struct draw_canvas *c, double x, double y)
{
	struct svg *svg = (struct svg *)c;
	struct path *path = &svg->path;
	bool first = path->command == '\0';

	if (first)
		add_str(svg, "<path d=\"");
	add_command(svg, first ? 'M' : 'm');
	add_tenths(svg, tenths(x) - path->x);
	add_tenths(svg, tenths(y) - path->y);
	// Further coordinates after a move would mean lines.
	path->command = ' ';
	path->x = tenths(x);
	path->y = tenths(y);
}

static void
svg_line_to(struct draw_canvas *c, double x, double y)
{
	struct svg *svg = (struct svg *)c;
	struct path *path = &svg->path;
	long across = tenths(x) - path->x;
	long down = tenths(y) - path->y;

	// Omit zero-length lines, except for a single one, which is a dot.
	if (across == 0 && down == 0 && path->command != ' ')
		return;
	add_command(svg, across != 0 && down != 0 ? 'l' : down == 0 ? 'h' : 'v');
	if (across != 0 || down == 0)
		add_tenths(svg, across);
	if (down != 0)
		add_tenths(svg, down);
	path->x += across;
	path->y += down;
}

static void
svg_fill(struct draw_canvas *c)
{
	struct svg *svg = (struct svg *)c;

	if (svg->path.command == '\0')
		return;
	add_str(svg, "\" style=\"");
	add_paint(svg, "fill");
	add_str(svg, "\"/>\n");
	svg->path = (struct path){.command = '\0'};
}

static void
svg_stroke(struct draw_canvas *c, const struct draw_stroke *stroke)
{
	struct svg *svg = (struct svg *)c;
	char number[32];

	if (svg->path.command == '\0')
		return;
	add_str(svg, "\" style=\"fill:none;");
	add_paint(svg, "stroke");
	if (stroke->width != 1) {
		(void)print_tenths(number, sizeof(number), tenths(stroke->width));
		add_format(svg, ";stroke-width:%s", number);
	}
	for (int i = 0; i < stroke->n_dashes; i++) {
		(void)print_tenths(number, sizeof(number), tenths(stroke->dashes[i]));
		add_format(svg, "%s%s", i == 0 ? ";stroke-dasharray:" : ",", number);
	}
	add_str(svg, stroke->round_ends ? ";stroke-linecap:round\"/>\n" : "\"/>\n");
	svg->path = (struct path){.command = '\0'};
}

// ---- Cells and groups -----------------------------------------------------------------------

// Runs of cells overlap the next ones by this much, so that no gaps show.
#define OVERLAP 0.1

// The cells of a level form one path: a line along each run of them, as wide as the box is high.
static void
add_level(struct draw_canvas *c, const struct draw_box *box, const uint8_t *levels, size_t n,
	  uint8_t level)
{
	double y = box->y + box->height / 2;

	for (size_t i = 0; i < n; i++) {
		if (levels[i] != level)
			continue;
		svg_move_to(c, box->x + (double)i * box->width / (double)n, y);
		while (i + 1 < n && levels[i + 1] == level)
			i++;
		svg_line_to(c, box->x + (double)(i + 1) * box->width / (double)n + OVERLAP, y);
	}
	draw_set_colour(c, draw_level_colour(level), 1);
	svg_stroke(c, &(struct draw_stroke){.width = box->height});
}

static void
svg_cells(struct draw_canvas *c, const struct draw_box *box, const uint8_t *levels, size_t n)
{
	struct svg *svg = (struct svg *)c;

	add_str(svg, "<g shape-rendering=\"crispEdges\">\n");
	for (unsigned level = 1; level <= DRAW_LEVELS; level++)
		add_level(c, box, levels, n, (uint8_t)level);
	add_str(svg, "</g>\n");
}

static void
svg_begin_group(struct draw_canvas *c, const char *kind, const char *name, const char *title)
{
	struct svg *svg = (struct svg *)c;

	add_format(svg, "<g class=\"%s", kind);
	if (name != NULL) {
		add_str(svg, "\" role=\"group\" aria-label=\"");
		add_text(svg, name);
	}
	add_str(svg, "\">\n");
	if (title != NULL) {
		add_str(svg, "<title>"); // browsers show it as a tooltip
		add_text(svg, title);
		add_str(svg, "</title>\n");
	}
}

static void
svg_end_group(struct draw_canvas *c)
{
	add_str((struct svg *)c, "</g>\n");
}

static void
svg_text(struct draw_canvas *c, double x, double y, enum draw_anchor anchor, const char *text)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	struct svg *svg = (struct svg *)c;

	if (text[0] == '\0')
		return;
	add_format(svg, "<text x=\"%ld\" y=\"%ld\" font-size=\"%ld\"%s text-anchor=\"%s\" style=\"",
		   lround(x), lround(y), lround(c->font_size),
		   c->bold ? " font-weight=\"bold\"" : "", anchors[anchor]);
	add_paint(svg, "fill");
	add_str(svg, "\">");
	add_text(svg, text);
	add_str(svg, "</text>\n");
}

// ---- Documents ------------------------------------------------------------------------------

// A description of the picture for people who cannot see it.
static void
add_description(struct svg *svg, const struct draw_figure *f)
{
	char text[DRAW_SENTENCE];

	add_str(svg, "<title id=\"title\">");
	add_text(svg, f->title);
	for (size_t i = 0; i < f->n_panels; i++) {
		add_str(svg, i == 0 ? ": " : ", ");
		add_text(svg, f->panels[i].heading);
	}
	add_str(svg, "</title>\n<desc id=\"description\">");
	add_text(svg, f->subtitle);
	add_str(svg, ".");
	for (size_t i = 0; i < f->n; i++) {
		draw_series_sentence(f, &f->series[i], text, sizeof(text));
		add_str(svg, "\n");
		add_text(svg, text);
	}
	add_str(svg, "</desc>\n");
}

static void
add_head(struct svg *svg, const struct draw_figure *figure)
{
	const struct draw_picture *p = svg->picture;
	const char *lines = "stroke-linejoin=\"round\"";

	if (p->in_page) {
		add_format(svg, "<svg viewBox=\"0 0 %d %d\" %s>\n", p->width, p->height, lines);
		return;
	}
	add_format(svg,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		   "viewBox=\"0 0 %d %d\" font-family=\"" FONTS "\" %s role=\"img\" "
		   "aria-labelledby=\"title description\">\n",
		   p->width, p->height, p->width, p->height, lines);
	add_description(svg, figure);
}

static const struct draw_canvas_calls calls = {
	.move_to = svg_move_to,
	.line_to = svg_line_to,
	.fill = svg_fill,
	.stroke = svg_stroke,
	.text = svg_text,
	.text_width = svg_text_width,
	.cells = svg_cells,
	.begin_group = svg_begin_group,
	.end_group = svg_end_group,
};

const char *
draw_svg(const struct draw_figure *figure, const struct draw_picture *picture, draw_write_fn write,
	 void *ctx)
{
	struct svg svg = {
		.canvas = {.calls = &calls}, .picture = picture, .write = write, .ctx = ctx};

	add_head(&svg, figure);
	if (!draw_plot(&svg.canvas, figure, picture))
		return "not enough memory";
	add_str(&svg, "</svg>\n");
	return svg.failed ? "cannot write" : NULL;
}
