// draw.c - pmon chart: draw counters over time as a picture, or with characters in a terminal
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/picture.h"
#include "draw/term.h"
#include "os/outfile.h"
#include "os/term.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/log_format.h"
#include "shell/args/verb.h"
#include "shell/output/ask.h"
#include "shell/output/line.h"
#include "shell/output/say.h"
#include "shell/process/apart.h"
#include "shell/process/door.h"
#include "shell/process/memory.h"
#include "shell/process/signals.h"
#include "verbs/chart/chart.h"
#include "verbs/chart/incident.h"

#define WIDTH         1200 // pixels
#define CELLS         100  // characters, if the output is not a terminal
#define ROWS          30
#define LARGEST_CELLS 1000
#define LEAST_DPI     24
#define MOST_DPI      1200

// The options of the picture.
struct chart_request {
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
	return say(EXIT_USAGE, "chart: invalid %s \"%s\"; see pmon chart --help", option, value);
}

// Parse "1200x600": pixels of a picture, or characters of a terminal.
static int
read_size(const struct args *args, struct chart_request *r)
{
	const char *size = OWN_OPTIONS(chart, args)->size;
	bool picture = args->output != NULL;
	int least_width = picture ? DRAW_SMALLEST : DRAW_TERM_LEAST_WIDTH;
	int least_height = picture ? DRAW_SMALLEST : DRAW_TERM_LEAST_HEIGHT;
	int most = picture ? DRAW_LARGEST : LARGEST_CELLS;
	int width;
	int height;
	int used = 0;

	if (size == NULL)
		return EXIT_DONE; // the height depends on the content
	if (sscanf(size, "%5dx%5d%n", &width, &height, &used) != 2 || size[used] != '\0' ||
	    width < least_width || height < least_height || width > most || height > most)
		return say(EXIT_USAGE,
			   "chart: --size must be WIDTHxHEIGHT from %dx%d to %dx%d%s, not \"%s\"",
			   least_width, least_height, most, most,
			   picture ? "" : " characters without -o", size);
	r->picture.width = r->terminal.width = width;
	r->picture.height = r->terminal.height = height;
	return EXIT_DONE;
}

// Parse the resolution of a PNG in pixels per inch. The type is known.
static int
read_dpi(const struct args *args, struct chart_request *r)
{
	const char *text = OWN_OPTIONS(chart, args)->dpi;
	int used = 0;

	if (text == NULL)
		return EXIT_DONE;
	if (args->output == NULL || r->picture.type != DRAW_PNG)
		return say(EXIT_USAGE, "chart: --dpi applies only to PNG output (-o FILE.png)");
	if (sscanf(text, "%4d%n", &r->picture.dpi, &used) != 1 || text[used] != '\0' ||
	    r->picture.dpi < LEAST_DPI || r->picture.dpi > MOST_DPI)
		return say(EXIT_USAGE, "chart: --dpi must be a number from %d to %d, not \"%s\"",
			   LEAST_DPI, MOST_DPI, text);
	return EXIT_DONE;
}

static int
read_thresholds(const struct args *args, struct chart_request *r)
{
	const struct words *words = &OWN_OPTIONS(chart, args)->threshold;

	r->thresholds = calloc(words->n + 1, sizeof(*r->thresholds));
	if (r->thresholds == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < words->n; i++)
		if (!draw_threshold_parse(words->list[i], &r->thresholds[i]))
			return say(EXIT_USAGE,
				   "chart: --threshold must be a number such as 20ms, with one of "
				   "the units %s, or without a unit; not \"%s\"",
				   DRAW_UNITS, words->list[i]);
	return EXIT_DONE;
}

// The type of the picture, by the ending of the file name.
static int
read_type(const char *output, struct chart_request *r)
{
	static const char *const ends[] = {"svg", "png", "pdf"};
	struct pmon_span ending = log_format_ending(output);

	r->picture.type = DRAW_SVG;
	if (output == NULL || strcmp(output, "-") == 0)
		return EXIT_DONE;
	for (int i = 0; i < 3; i++) {
		if (pmon_text_same(ending, (struct pmon_span){ends[i], 3})) {
			r->picture.type = (enum draw_type)i;
			return EXIT_DONE;
		}
	}
	return say(EXIT_USAGE,
		   "chart: %s: the file name must end in .svg, .png or .pdf; -o - writes SVG",
		   output);
}

static int
read_request(const struct args *args, struct chart_request *r)
{
	static const char *const kinds[] = {"line",    "area",         "stacked", "bar",
					    "heatmap", "distribution", NULL};
	static const char *const themes[] = {"light", "dark", NULL};
	unsigned columns = pmon_term_columns();
	unsigned rows = pmon_term_rows();
	int kind = DRAW_LINE;
	int theme = DRAW_LIGHT;
	int status = read_choice("--kind", OWN_OPTIONS(chart, args)->kind, kinds, &kind);

	*r = (struct chart_request){.picture = {.width = WIDTH}};
	r->terminal = (struct draw_terminal){
		.width = columns >= DRAW_TERM_LEAST_WIDTH ? (int)columns : CELLS,
		// leave room for text
		.height = rows > DRAW_TERM_LEAST_HEIGHT ? (int)rows - 1 : ROWS,
		.colour = out_style(STYLE_BOLD)[0] != '\0',
		.ascii = OWN_OPTIONS(chart, args)->ascii || out_is_ascii()};
	if (status == EXIT_DONE)
		status = read_choice("--theme", OWN_OPTIONS(chart, args)->theme, themes, &theme);
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
	if (kind == DRAW_DISTRIBUTION && args->output == NULL)
		return say(EXIT_USAGE, "chart: --kind distribution needs a picture: -o FILE.svg");
	r->kind = (enum draw_kind)kind;
	r->picture.theme = (enum draw_theme)theme;
	return EXIT_DONE;
}

// ---- Drawing --------------------------------------------------------------------------------

static int
draw_characters_of(struct chart *chart, const struct chart_request *r)
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
	const struct chart_request *request;
	struct pmon_outfile *file;
};

static int
draw_to_file(void *ctx)
{
	const struct drawing *d = ctx;
	const char *path = d->chart->args->output;
	const char *wrong =
		draw_picture(&d->chart->figure, &d->request->picture, write_bytes, d->file);
	struct pmon_err err;

	if (wrong != NULL)
		return say(EXIT_FAILED, "%s: %s", path, wrong);
	if (memory_check(EXIT_DONE) != EXIT_DONE)
		return EXIT_FAILED;
	return pmon_outfile_commit(d->file, &err) == PMON_OK ? EXIT_DONE
							     : say_write_err(path, &err);
}

static int
write_picture(const struct chart *chart, const struct chart_request *r)
{
	struct pmon_outfile_options options = {.overwrite = chart->overwrite,
					       .sync = chart->args->sync,
					       .temporary = signals_temporary,
					       .door = door_get()};
	struct drawing drawing = {.chart = chart, .request = r};
	const char *path = chart->args->output;
	struct pmon_err err;
	int status;

	if (pmon_outfile_open(path, &options, &drawing.file, &err) != PMON_OK)
		return say_write_err(path, &err);
	status = r->picture.type == DRAW_SVG ? draw_to_file(&drawing)
					     : apart_run(draw_to_file, &drawing);
	pmon_outfile_close(drawing.file); // deletes an unfinished file
	return status;
}

static int
chart_draw_picture(struct chart *chart, struct chart_request *r)
{
	struct draw_figure *f = &chart->figure;
	int status;

	draw_assign_panels(f,
			   r->picture.height > 0 ? draw_picture_panels(&r->picture) : DRAW_PANELS);
	chart_name_bars(chart);
	if (r->picture.height == 0)
		r->picture.height = draw_picture_height(f);
	if (draw_png_size(&r->picture, r->picture.width) > DRAW_LARGEST ||
	    draw_png_size(&r->picture, r->picture.height) > DRAW_LARGEST)
		return say(EXIT_USAGE,
			   "chart: %dx%d with --dpi %d has more than %d pixels per side; choose a "
			   "smaller --size or --dpi",
			   r->picture.width, r->picture.height, r->picture.dpi, DRAW_LARGEST);
	status = chart_fill(chart, draw_picture_columns(&r->picture));
	if (status != EXIT_DONE)
		return status;
	draw_fit_axes(f, draw_picture_steps(&r->picture, f));
	return write_picture(chart, r);
}

// Cairo reads its fonts, so load it before entering the sandbox.
static int
chart_load(const struct args *args)
{
	struct chart_request r;
	struct pmon_err err;
	int status = read_type(args->output, &r);

	if (status != EXIT_DONE || r.picture.type == DRAW_SVG || draw_cairo_load(&err) == PMON_OK)
		return status;
	return say(EXIT_FAILED, "chart: %s; SVG does not need cairo", err.msg);
}

// A threshold with a unit that no series has would be on no panel.
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
			return say(
				EXIT_USAGE,
				"chart: --threshold %s: no counter is measured in %s; %s allows %s",
				t->text, draw_unit_names(t->quantity), f->series[0].label,
				draw_unit_names(f->series[0].unit.quantity));
	}
	return EXIT_DONE;
}

// The number of series that fit in a small picture.
static size_t
first_choice(const struct args *args, const struct chart_request *r)
{
	int n = args->output != NULL ? r->picture.height / 75 : r->terminal.height / 6;

	if (args->output != NULL && r->picture.height == 0)
		return CHART_FIRST_CHOICE;

	return n < 3 ? 3 : n > CHART_FIRST_CHOICE ? CHART_FIRST_CHOICE : (size_t)n;
}

// What --incident asks for; without it, nothing.
static int
find_incident(struct chart *chart, const struct args *args)
{
	const struct chart_options *options = OWN_OPTIONS(chart, args);

	if (options->incident == NULL)
		return EXIT_DONE;
	if (options->kind != NULL || options->threshold.n > 0 || args->patterns.n > 0 ||
	    args->pattern_files.n > 0)
		return say(EXIT_USAGE, "chart: --incident chooses counters, kinds and limits by "
				       "itself; leave out -c, --kind and --threshold");
	chart->incident = calloc(1, sizeof(*chart->incident));
	if (chart->incident == NULL)
		return say(EXIT_FAILED, "not enough memory");
	return incident_find(chart->incident, args, options->incident);
}

static int
chart_run(const struct args *args)
{
	struct chart *chart = calloc(1, sizeof(*chart));
	struct chart_request request = {.thresholds = NULL};
	int status = read_request(args, &request);

	if (chart == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	else
		chart->overwrite = args->yes;
	if (status == EXIT_DONE && args->output != NULL)
		status = ask_overwrite(args->output, &chart->overwrite);
	if (status == EXIT_DONE) {
		chart->first_choice = first_choice(args, &request);
		chart->figure.kind = request.kind;
		chart->figure.thresholds = request.thresholds;
		chart->figure.n_thresholds = OWN_OPTIONS(chart, args)->threshold.n;
		status = find_incident(chart, args);
		if (status == EXIT_DONE)
			status = chart_open(chart, args);
		if (status == EXIT_DONE)
			status = chart_choose(chart);
		if (status == EXIT_DONE)
			status = check_thresholds(chart);
		for (size_t i = 0; i < OWN_OPTIONS(chart, args)->threshold.n; i++)
			draw_threshold_amount(&request.thresholds[i]);
		if (status == EXIT_DONE)
			status = args->output != NULL ? chart_draw_picture(chart, &request)
						      : draw_characters_of(chart, &request);
		status = chart_close(chart, status);
		if (chart->incident != NULL)
			incident_free(chart->incident);
		free(chart->incident);
	}
	free(request.thresholds);
	free(chart);
	return status;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_select),
	GROUP(options_window),
	GROUP(options_limits),
	GROUP(options_read),
	GROUP(options_live),
	OPTION(TEXT, chart, kind, "--kind", NULL, "KIND",
	       "line (default), area, stacked, bar, heatmap or distribution"),
	OPTION_INTO(TEXT, output, ANY, "-o", "--output", "FILE",
		    "write an image file, .svg, .png or .pdf; - writes SVG to standard output; "
		    "without -o, draw in the terminal"),
	OPTION(TEXT, chart, size, "--size", NULL, "WIDTHxHEIGHT",
	       "size of the image; by default 1200 wide and as high as its panels need; without "
	       "-o, size in characters, by default the terminal's"),
	OPTION(TEXT, chart, dpi, "--dpi", NULL, "NUMBER",
	       "resolution of a PNG in pixels per inch, 96 by default; 192 doubles the pixels, not "
	       "the printed size"),
	OPTION(TEXT, chart, theme, "--theme", NULL, "light|dark", "colour theme of the image"),
	OPTION(WORDS, chart, threshold, "--threshold", NULL, "VALUE",
	       "draw a line at 20ms, 80%, 10MB/s ... on panels with that unit, and highlight "
	       "values above it; may be repeated"),
	GROUP(options_title),
	OPTION(TEXT, chart, incident, "--incident", NULL, "ID",
	       "draw an incident that pmon health lists: the processes behind it on top of each "
	       "other, its counters with their limits and usual levels, and some time before and "
	       "after it"),
	OPTION(FLAG, chart, ascii, "--ascii", NULL, NULL,
	       "use only ASCII characters in the terminal"),
	GROUP(options_identity),
	GROUP(options_file),
	GROUP(options_color),
	GROUP(options_verbose),
	GROUP(options_no_sandbox),
	OPTION_END,
};

const struct verb verb_chart = {
	.name = "chart",
	.operands = "[FILE...]",
	.summary = "draw counters over time as SVG, PNG or PDF, or in the terminal",
	.details = "Each unit has its own panel. The legend shows last, average, minimum and "
		   "maximum\nof each counter, as in pmon stats. Extremes stay visible however many "
		   "samples\nthere are. Without -c, it draws a selection of processor, memory, "
		   "disk and\nnetwork counters.\n\nExamples:\n  pmon chart server.blg\n  pmon "
		   "chart -c '\\PhysicalDisk(*)\\Avg. Disk sec/*' --threshold 20ms -o disks.svg "
		   "server.blg\n  pmon chart -c '\\Process(*)\\% Processor Time' --kind heatmap -o "
		   "processes.png server.blg\n  pmon chart --duration 1m                   this "
		   "machine, for a minute\n",
	.options = options,
	.own_size = sizeof(struct chart_options),
	.load = chart_load,
	.run = chart_run,
	.live = LIVE_MINUTE,
	.series_bytes = 1472,
};
