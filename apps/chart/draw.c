// draw.c - pmon chart: counters over time as a picture, or as characters in a terminal
// SPDX-License-Identifier: MIT

#include "apps/apps.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "apps/chart/chart.h"
#include "cli/args/args.h"
#include "cli/output/ask.h"
#include "cli/output/line.h"
#include "cli/output/say.h"
#include "cli/process/apart.h"
#include "cli/process/memory.h"
#include "cli/process/signals.h"
#include "draw/cairo.h"
#include "draw/term.h"
#include "os/outfile.h"
#include "os/term.h"

#define WIDTH         1200 // pixels
#define CELLS         100  // characters, if the output is not a terminal
#define ROWS          30
#define LARGEST_CELLS 1000
#define LEAST_DPI     24
#define MOST_DPI      1200

// What the command line says of the picture.
struct request {
	struct draw_picture picture;
	struct draw_terminal terminal;
	struct draw_threshold *thresholds;
	enum draw_kind kind;
};

// ---- Options --------------------------------------------------------------------------------

static int
read_choice(const char *option, const char *value, const char *const *choices, int *out)
{
	for (int i = 0; choices[i] != NULL; i++) {
		if (value == NULL || strcmp(value, choices[i]) == 0) {
			*out = i;
			return EXIT_DONE;
		}
	}
	return say(EXIT_USAGE, "chart: %s does not take \"%s\"; see pmon chart --help", option,
		   value);
}

// "1200x600": pixels of a picture, characters of a terminal.
static int
read_size(const struct args *args, struct request *r)
{
	const char *size = args_text(args, "--size");
	bool picture = args->output != NULL;
	int least_width = picture ? DRAW_SMALLEST : DRAW_TERM_LEAST_WIDTH;
	int least_height = picture ? DRAW_SMALLEST : DRAW_TERM_LEAST_HEIGHT;
	int most = picture ? DRAW_LARGEST : LARGEST_CELLS;
	int width;
	int height;
	int used = 0;

	if (size == NULL)
		return EXIT_DONE; // the height comes from what is drawn
	if (sscanf(size, "%5dx%5d%n", &width, &height, &used) != 2 || size[used] != '\0' ||
	    width < least_width || height < least_height || width > most || height > most)
		return say(EXIT_USAGE,
			   "chart: --size takes WIDTHxHEIGHT of %dx%d to %dx%d%s, not \"%s\"",
			   least_width, least_height, most, most,
			   picture ? "" : " characters where there is no -o", size);
	r->picture.width = r->terminal.width = width;
	r->picture.height = r->terminal.height = height;
	return EXIT_DONE;
}

// Pixels an inch of a PNG. The type is known.
static int
read_dpi(const struct args *args, struct request *r)
{
	const char *text = args_text(args, "--dpi");
	int used = 0;

	if (text == NULL)
		return EXIT_DONE;
	if (args->output == NULL || r->picture.type != DRAW_PNG)
		return say(EXIT_USAGE, "chart: --dpi is for a picture of pixels, -o FILE.png");
	if (sscanf(text, "%4d%n", &r->picture.dpi, &used) != 1 || text[used] != '\0' ||
	    r->picture.dpi < LEAST_DPI || r->picture.dpi > MOST_DPI)
		return say(EXIT_USAGE, "chart: --dpi takes a number from %d to %d, not \"%s\"",
			   LEAST_DPI, MOST_DPI, text);
	return EXIT_DONE;
}

static int
read_thresholds(const struct args *args, struct request *r)
{
	const struct words *words = args_words(args, "--threshold");

	r->thresholds = calloc(words->n + 1, sizeof(*r->thresholds));
	if (r->thresholds == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < words->n; i++)
		if (!draw_threshold_parse(words->list[i], &r->thresholds[i]))
			return say(EXIT_USAGE,
				   "chart: --threshold takes a number with a unit of %s, or none, "
				   "as 20ms; "
				   "not \"%s\"",
				   DRAW_UNITS, words->list[i]);
	return EXIT_DONE;
}

// What the picture is, by the end of the name of its file.
static int
read_type(const char *output, struct request *r)
{
	static const char *const ends[] = {".svg", ".png", ".pdf"};
	size_t len = output != NULL ? strlen(output) : 0;

	r->picture.type = DRAW_SVG;
	if (output == NULL || strcmp(output, "-") == 0)
		return EXIT_DONE;
	for (int i = 0; i < 3; i++) {
		if (len > 4 && strcasecmp(output + len - 4, ends[i]) == 0) {
			r->picture.type = (enum draw_type)i;
			return EXIT_DONE;
		}
	}
	return say(EXIT_USAGE,
		   "chart: %s: the name of the picture ends in .svg, .png or .pdf; -o - writes SVG",
		   output);
}

static int
read_request(const struct args *args, struct request *r)
{
	static const char *const kinds[] = {"line", "area", "stacked", "bar", "heatmap", NULL};
	static const char *const themes[] = {"light", "dark", NULL};
	unsigned columns = pmon_term_columns();
	unsigned rows = pmon_term_rows();
	int kind = DRAW_LINE;
	int theme = DRAW_LIGHT;
	int status = read_choice("--kind", args_text(args, "--kind"), kinds, &kind);

	*r = (struct request){.picture = {.width = WIDTH}};
	r->terminal = (struct draw_terminal){
		.width = columns >= DRAW_TERM_LEAST_WIDTH ? (int)columns : CELLS,
		.height = rows > DRAW_TERM_LEAST_HEIGHT ? (int)rows - 1 : ROWS, // words come first
		.colour = out_style(STYLE_BOLD)[0] != '\0',
		.ascii = args_flag(args, "--ascii") || out_is_ascii()};
	if (status == EXIT_DONE)
		status = read_choice("--theme", args_text(args, "--theme"), themes, &theme);
	if (status == EXIT_DONE)
		status = read_type(args->output, r);
	if (status == EXIT_DONE)
		status = read_size(args, r);
	if (status == EXIT_DONE)
		status = read_dpi(args, r);
	if (status == EXIT_DONE)
		status = read_thresholds(args, r);
	if (status != EXIT_DONE)
		return status;
	r->kind = (enum draw_kind)kind;
	r->picture.theme = (enum draw_theme)theme;
	return EXIT_DONE;
}

// ---- Drawing --------------------------------------------------------------------------------

static int
draw_characters_of(struct chart *chart, const struct request *r)
{
	struct draw_figure *f = &chart->figure;
	int status;

	draw_assign_panels(f, draw_term_panels(&r->terminal, f->n));
	chart_name_bars(chart);
	status = chart_fill(chart, draw_term_columns(&r->terminal));
	if (status != EXIT_DONE)
		return status;
	draw_fit_axes(f, draw_term_steps(&r->terminal, f));
	line_erase();
	return draw_term(f, &r->terminal, stdout) ? EXIT_DONE
						  : say(EXIT_FAILED, "not enough memory");
}

static bool
write_bytes(void *file, const void *bytes, size_t len)
{
	pmon_outfile_write(file, bytes, len);
	return true;
}

struct drawing {
	const struct chart *chart;
	const struct request *request;
	struct pmon_outfile *file;
};

static int
draw_to_file(void *ctx)
{
	const struct drawing *d = ctx;
	const char *path = d->chart->args.output;
	const char *wrong =
		draw_cairo(&d->chart->figure, &d->request->picture, write_bytes, d->file);
	struct pmon_err err;

	if (wrong != NULL)
		return say(EXIT_FAILED, "%s: %s", path, wrong);
	if (memory_check(EXIT_DONE) != EXIT_DONE)
		return EXIT_FAILED;
	return pmon_outfile_commit(d->file, &err) == PMON_OK ? EXIT_DONE
							     : say_write_err(path, &err);
}

static int
write_picture(const struct chart *chart, const struct request *r)
{
	struct pmon_outfile_options options = {.overwrite = chart->args.yes,
					       .sync = chart->args.sync,
					       .temporary = signals_temporary};
	struct drawing drawing = {.chart = chart, .request = r};
	const char *path = chart->args.output;
	struct pmon_err err;
	int status;

	if (pmon_outfile_open(path, &options, &drawing.file, &err) != PMON_OK)
		return say_write_err(path, &err);
	status = apart_run(draw_to_file, &drawing);
	pmon_outfile_close(drawing.file); // removes what was not finished
	return status;
}

static int
draw_picture(struct chart *chart, struct request *r)
{
	struct draw_figure *f = &chart->figure;
	int status;

	draw_assign_panels(f, r->picture.height > 0 ? draw_cairo_panels(&r->picture) : DRAW_PANELS);
	chart_name_bars(chart);
	if (r->picture.height == 0)
		r->picture.height = draw_cairo_height(&r->picture, f);
	if (draw_png_size(&r->picture, r->picture.width) > DRAW_LARGEST ||
	    draw_png_size(&r->picture, r->picture.height) > DRAW_LARGEST)
		return say(
			EXIT_USAGE,
			"chart: a picture of %dx%d with --dpi %d has more than %d pixels on a side",
			r->picture.width, r->picture.height, r->picture.dpi, DRAW_LARGEST);
	status = chart_fill(chart, draw_cairo_columns(&r->picture));
	if (status != EXIT_DONE)
		return status;
	draw_fit_axes(f, draw_cairo_steps(&r->picture, f));
	return write_picture(chart, r);
}

int
chart_load(const struct args *args)
{
	struct pmon_err err;

	if (args->output == NULL || draw_cairo_load(&err) == PMON_OK)
		return EXIT_DONE;
	return say(EXIT_FAILED, "chart: %s; without -o it draws in the terminal", err.msg);
}

// A threshold whose unit no series has would be on no panel.
static int
check_thresholds(const struct chart *chart)
{
	const struct draw_figure *f = &chart->figure;

	for (size_t i = 0; i < f->n_thresholds && f->n > 0; i++) {
		const struct draw_threshold *t = &f->thresholds[i];
		size_t k = 0;

		while (k < f->n && !t->any && f->series[k].unit.quantity != t->quantity)
			k++;
		if (k == f->n)
			return say(EXIT_USAGE,
				   "chart: --threshold %s: no counter here is measured in %s; %s "
				   "takes %s",
				   t->text, draw_unit_names(t->quantity), f->series[0].label,
				   draw_unit_names(f->series[0].unit.quantity));
	}
	return EXIT_DONE;
}

// As many series as a small picture has room for.
static size_t
first_choice(const struct args *args, const struct request *r)
{
	int n = args->output != NULL ? r->picture.height / 75 : r->terminal.height / 6;

	if (args->output != NULL && r->picture.height == 0)
		return CHART_FIRST_CHOICE;

	return n < 3 ? 3 : n > CHART_FIRST_CHOICE ? CHART_FIRST_CHOICE : (size_t)n;
}

int
chart_run(const struct args *args)
{
	struct chart *chart = calloc(1, sizeof(*chart));
	struct request request = {.thresholds = NULL};
	struct args own = *args;
	int status = read_request(args, &request);

	if (status == EXIT_DONE && own.output != NULL)
		status = ask_overwrite(own.output, &own.yes);
	if (chart == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE) {
		chart->first_choice = first_choice(args, &request);
		chart->figure.kind = request.kind;
		chart->figure.thresholds = request.thresholds;
		chart->figure.n_thresholds = args_words(args, "--threshold")->n;
		status = chart_open(chart, &own);
		if (status == EXIT_DONE)
			status = chart_choose(chart);
		if (status == EXIT_DONE)
			status = check_thresholds(chart);
		for (size_t i = 0; i < chart->figure.n_thresholds; i++)
			draw_threshold_amount(&request.thresholds[i]);
		if (status == EXIT_DONE)
			status = args->output != NULL ? draw_picture(chart, &request)
						      : draw_characters_of(chart, &request);
		status = chart_close(chart, status);
	}
	free(request.thresholds);
	free(chart);
	return status;
}
