// rows.c - pmon top on a terminal: the rows, their columns and headings
// SPDX-License-Identifier: MIT

#include "verbs/top/draw.h"

#include <math.h>
#include <string.h>

#include "verbs/top/text.h"
#include "base/text.h"
#include "shell/output/number.h"

// ---- Columns --------------------------------------------------------------------------------

#define NUMBER_CELLS 10 // "1,023 MB/s"
#define MEMORY_CELLS 8
#define PID_CELLS    7
#define NAME_CELLS   60 // enough for most; the rest is used for the history
#define SPARK_CELLS  60 // at most
#define GAP          2

// The positions of columns; 0 cells: not shown.
struct layout {
	bool with_average;
	bool with_extremes;
	bool with_last;
	size_t spark;
	size_t spark_cells;
	size_t name;
	size_t name_cells;
};

static struct layout
lay_out(void)
{
	size_t width = top_columns();
	size_t x = 1 + NUMBER_CELLS;
	struct layout l = {.with_average = width >= 50,
			   .with_extremes = width >= 110,
			   .with_last = width >= 140};
	size_t rest;

	x += (NUMBER_CELLS + 1) *
		     ((size_t)l.with_average + 2 * (size_t)l.with_extremes + (size_t)l.with_last) +
	     GAP;
	rest = width > x ? width - x : 0;
	l.spark = x;
	l.spark_cells = rest < 30 ? 0 : rest / 4;
	if (rest > NAME_CELLS && rest - NAME_CELLS > l.spark_cells)
		l.spark_cells = rest - NAME_CELLS < SPARK_CELLS ? rest - NAME_CELLS : SPARK_CELLS;
	l.name = x + (l.spark_cells > 0 ? l.spark_cells + GAP : 0);
	l.name_cells = width > l.name ? width - l.name : 0;
	return l;
}

// One section of rows: the counters, or the processes below them.
struct section {
	const struct top_model *model;
	struct layout layout;
	bool processes;
	bool sorted; // by the chosen column; otherwise in list order
};

// The name of a column, with an arrow if the rows are sorted by it.
static const char *
head_text(const struct section *s, enum top_sort sort, const char *name, char buf[32])
{
	struct pmon_text t = pmon_text_init(buf, 32);
	bool up = s->model->reversed != (sort == TOP_SORT_NAME);

	if (s->sorted && s->model->sort == sort) {
		if (top_charset() == TOP_UTF8)
			pmon_text_str(&t, up ? "\xE2\x96\xB2" : "\xE2\x96\xBC");
		else
			pmon_text_char(&t, up ? '^' : 'v');
	}
	pmon_text_str(&t, name);
	return pmon_text_get(&t);
}

static void
put_number_head(int y, size_t *x, const struct section *s, enum top_sort sort, const char *name)
{
	char buf[32];

	top_put_right(y, *x, NUMBER_CELLS, head_text(s, sort, name, buf));
	*x += NUMBER_CELLS + 1;
}

// Numbers of a process are before its name if there is room.
static bool
has_memory(const struct section *s)
{
	return s->processes && s->layout.name_cells >= 20;
}

static bool
has_pid(const struct section *s)
{
	return s->processes && !s->model->options.by_process && s->layout.name_cells >= 30;
}

static void
put_heads(int y, const struct section *s, bool live)
{
	const struct layout *l = &s->layout;
	size_t x = 1;
	char buf[32];

	put_number_head(y, &x, s, TOP_SORT_VALUE, "Value");
	if (l->with_last)
		put_number_head(y, &x, s, TOP_SORT_LAST, "Last");
	if (l->with_average)
		put_number_head(y, &x, s, TOP_SORT_AVERAGE, "Average");
	if (l->with_extremes)
		put_number_head(y, &x, s, TOP_SORT_MINIMUM, "Minimum");
	if (l->with_extremes)
		put_number_head(y, &x, s, TOP_SORT_MAXIMUM, "Maximum");
	(void)top_put(y, l->spark, l->spark_cells, top_span_of(live ? "History" : "Whole time"));
	x = l->name;
	if (has_memory(s)) {
		top_put_right(y, x, MEMORY_CELLS, head_text(s, TOP_SORT_MEMORY, "Memory", buf));
		x += MEMORY_CELLS + 1;
	}
	if (has_pid(s)) {
		top_put_right(y, x, PID_CELLS, "PID");
		x += PID_CELLS;
	}
	x += s->processes ? GAP : 0;
	(void)top_put(y, x, top_columns() > x ? top_columns() - x : 0,
		      top_span_of(head_text(s, TOP_SORT_NAME, s->processes ? "Process" : "Counter",
					    buf)));
	top_paint_line(y, A_REVERSE);
}

// ---- A row ----------------------------------------------------------------------------------

// Print a value with its unit. A long one, such as a hexadecimal number, is shortened in the
// middle.
static void
put_amount(int y, size_t x, const struct top_row *row, double value)
{
	char number[2 * DRAW_NUMBER] = "-";
	char text[TOP_TEXT_SIZE];
	char *micro;

	if (!isnan(value))
		(void)out_amount(row->series, value, number, sizeof(number));
	micro = top_charset() == TOP_ASCII ? strstr(number, "\xC2\xB5") : NULL;
	if (micro != NULL) {
		*micro = 'u';
		memmove(micro + 1, micro + 2, strlen(micro + 1));
	}
	(void)top_text_fit(top_span_of(number), NUMBER_CELLS, top_charset(), text);
	top_put_right(y, x, NUMBER_CELLS, text);
}

static void
put_memory(int y, size_t x, double bytes)
{
	const struct draw_unit unit = {.quantity = DRAW_BYTES, .factor = 1};
	char text[2 * DRAW_NUMBER] = "-";

	if (!isnan(bytes))
		(void)draw_amount(bytes, &unit, text, sizeof(text));
	top_put_right(y, x, MEMORY_CELLS, text);
}

static void
put_pid(int y, size_t x, double pid)
{
	char text[24] = "-";
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (pid >= 0 && pid <= INT32_MAX)
		pmon_text_i64(&t, (int64_t)pid);
	top_put_right(y, x, PID_CELLS, text);
}

static void
put_value(int y, size_t *x, const struct top_row *row, const struct pmon_value *value)
{
	put_amount(y, *x, row, pmon_vstat_has_value(value->status) ? value->value : (double)NAN);
	*x += NUMBER_CELLS + 1;
}

// An average that is not known to be the type's own has its mark in the gap after it.
static void
put_average(int y, size_t *x, const struct top_row *row)
{
	const char *mark = pmon_average_kind_mark(pmon_series_average_kind(row->series));

	put_value(y, x, row, &row->average);
	if (pmon_vstat_has_value(row->average.status))
		(void)top_put(y, *x - 1, 1, top_span_of(mark));
}

// The slots of cell i: for a machine one each, the newest at the right edge, or so that the cursor
// is visible; for a log the whole history, spread over the cells.
static void
slots_of_cell(const struct section *s, bool live, size_t i, uint64_t *first, uint64_t *end)
{
	const struct top_model *m = s->model;
	size_t n = s->layout.spark_cells;
	int64_t slot = (int64_t)m->view_end - (int64_t)n;

	if (!live) {
		*first = i * m->view_end / n;
		*end = (i + 1) * m->view_end / n;
		*end += *end == *first;
		return;
	}
	if ((int64_t)top_model_slot(m) < slot)
		slot = (int64_t)top_model_slot(m);
	slot += (int64_t)i;
	*first = slot > 0 ? (uint64_t)slot : 0;
	*end = slot >= 0 ? (uint64_t)slot + 1 : 0;
}

// Percentages are scaled to 100, all others to the largest visible value.
static void
spark_range(const struct section *s, const struct top_row *row, bool live, double *bottom,
	    double *top)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);
	struct top_span all;
	uint64_t first;
	uint64_t end;
	uint64_t unused;

	slots_of_cell(s, live, 0, &first, &unused);
	slots_of_cell(s, live, s->layout.spark_cells - 1, &unused, &end);
	*bottom = *top = 0;
	if (top_model_span(s->model, row, first, end, &all)) {
		*bottom = fmin(0, (double)all.low);
		*top = fmax(0, (double)all.high);
	}
	if (type != NULL && strcmp(type->unit, "%") == 0)
		*top = fmax(*top, 100);
}

static void
put_spark(int y, const struct section *s, const struct top_row *row, bool live)
{
	uint64_t cursor = top_model_slot(s->model);
	double bottom;
	double top;

	if (s->layout.spark_cells == 0)
		return;
	spark_range(s, row, live, &bottom, &top);
	if (top_has_colors())
		curses.attron(curses.COLOR_PAIR(TOP_PAIR_SPARK));
	for (size_t i = 0; i < s->layout.spark_cells; i++) {
		struct top_span span = {NAN, NAN, NAN};
		uint64_t first;
		uint64_t end;
		bool marked;

		slots_of_cell(s, live, i, &first, &end);
		(void)top_model_span(s->model, row, first, end, &span);
		marked = !s->model->at_newest && cursor >= first && cursor < end;
		if (marked)
			curses.attron(A_REVERSE);
		top_put_text(y, s->layout.spark + i,
			     top_spark((double)span.high, bottom, top, top_charset()));
		if (marked)
			curses.attroff(A_REVERSE);
	}
	if (top_has_colors())
		curses.attroff(curses.COLOR_PAIR(TOP_PAIR_SPARK));
}

// The end of a command line matters less than its beginning.
static void
put_beginning(int y, size_t x, size_t cells, struct pmon_span text)
{
	struct pmon_span line;
	size_t pos = 0;

	if (top_text_line(text, cells, top_charset(), &pos, &line))
		(void)top_put(y, x, cells, line);
}

static void
put_name(int y, const struct section *s, const struct top_row *row)
{
	size_t x = s->layout.name;

	if (has_memory(s)) {
		put_memory(y, x, top_model_memory(s->model, row));
		x += MEMORY_CELLS + 1;
	}
	if (has_pid(s)) {
		put_pid(y, x, top_model_pid(s->model, row));
		x += PID_CELLS;
	}
	x += s->processes ? GAP : 0;
	x = top_put(y, x, top_columns() > x ? top_columns() - x : 0,
		    top_model_name(s->model, row)) +
	    GAP;
	if (row->about != NULL && top_columns() > x)
		put_beginning(y, x, top_columns() - x, top_span_of(row->about));
}

static void
put_row(int y, const struct section *s, const struct top_row *row, bool live)
{
	size_t x = 1;

	curses.attron(A_BOLD);
	put_amount(y, x, row, top_model_value(s->model, row));
	curses.attroff(A_BOLD);
	x += NUMBER_CELLS + 1;
	if (s->layout.with_last)
		put_value(y, &x, row, &row->last);
	if (s->layout.with_average)
		put_average(y, &x, row);
	if (s->layout.with_extremes) {
		put_value(y, &x, row, &row->minimum);
		put_value(y, &x, row, &row->maximum);
	}
	put_spark(y, s, row, live);
	put_name(y, s, row);
	if (top_model_selected(s->model) == row)
		top_paint_line(y, A_REVERSE);
}

// ---- All rows -------------------------------------------------------------------------------

// The lines of the body: the counters; then, if there are processes, a line of headings and the
// processes.
static size_t
line_of_row(const struct top_model *model, size_t row)
{
	return row + (row >= model->n_counters && model->n_counters > 0);
}

// Keep the selected row on the screen, with the line of headings above it.
static void
scroll_rows(struct top_view *view)
{
	const struct top_model *model = view->model;
	size_t line = line_of_row(model, model->selected);
	size_t n = line_of_row(model, model->n_shown);

	if (line < view->offset)
		view->offset = line;
	if (line == 1 + model->n_counters && view->offset == line)
		view->offset--;
	if (line >= view->offset + view->page)
		view->offset = line - view->page + 1;
	if (view->offset + view->page > n)
		view->offset = n > view->page ? n - view->page : 0;
}

void
top_draw_rows(struct top_view *view)
{
	const struct top_model *model = view->model;
	struct section counters = {.model = model, .layout = lay_out()};
	struct section processes = counters;
	bool only_processes = model->n_counters == 0 && model->n_shown > 0;

	counters.sorted = !model->options.processes;
	processes.sorted = processes.processes = true;
	scroll_rows(view);
	put_heads(1, only_processes && model->options.processes ? &processes : &counters,
		  view->live);
	for (size_t i = 0; i < model->n_shown; i++) {
		size_t line = line_of_row(model, i);
		bool below = i >= model->n_counters;

		if (below && i == model->n_counters && line > 0 && line > view->offset &&
		    line - 1 < view->offset + view->page)
			put_heads(2 + (int)(line - 1 - view->offset), &processes, view->live);
		if (line >= view->offset && line < view->offset + view->page)
			put_row(2 + (int)(line - view->offset), below ? &processes : &counters,
				model->shown[i], view->live);
	}
	if (model->n_shown == 0)
		(void)top_put(3, 2, top_columns() > 2 ? top_columns() - 2 : 0,
			      top_span_of(model->filter[0] != '\0' ? "Nothing matches the filter."
					  : view->ended            ? "There are no samples."
							: "No counters have been seen yet."));
}
