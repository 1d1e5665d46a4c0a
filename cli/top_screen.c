// top_screen.c - pmon top on a terminal: the one file that knows ncurses
// SPDX-License-Identifier: MIT

// Wide characters of ncurses are of X/Open.
#define _XOPEN_SOURCE    700
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define NCURSES_OPAQUE   1

#include "top_screen.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>

#include "base/text.h"
#include "base/time.h"
#include "top_text.h"

// The one terminal that a program has.
static struct {
	SCREEN *screen;
	int keys; // descriptor
	enum top_charset charset;
	bool colors;
	sigset_t waiting; // signals that are held back while nobody waits: the change of size
	sigset_t before;
} term;

#define PAIR_SPARK 1
#define PAIR_ALERT 2
#define ESCAPE_MS  25 // how long the rest of a key's escape sequence may take

// ---- Beginning and end ----------------------------------------------------------------------

static void
set_colors(bool colors)
{
	term.colors = colors && has_colors();
	if (!term.colors)
		return;
	start_color();
	use_default_colors();
	init_pair(PAIR_SPARK, COLOR_CYAN, -1);
	init_pair(PAIR_ALERT, COLOR_YELLOW, -1);
}

bool
top_screen_begin(FILE *keys, bool colors)
{
	sigset_t resize;

	term.screen = newterm(NULL, stdout, keys);
	if (term.screen == NULL)
		return false;
	term.keys = fileno(keys);
	term.charset = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? TOP_UTF8 : TOP_ASCII;
	set_term(term.screen);
	set_colors(colors);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	sigemptyset(&resize);
	sigaddset(&resize, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resize, &term.before);
	term.waiting = term.before;
	sigdelset(&term.waiting, SIGWINCH);
	return true;
}

void
top_screen_end(void)
{
	if (term.screen == NULL)
		return;
	sigprocmask(SIG_SETMASK, &term.before, NULL);
	endwin();
	delscreen(term.screen);
	term.screen = NULL;
}

// ---- Keys -----------------------------------------------------------------------------------

static int32_t
special_key(wint_t code)
{
	static const struct {
		wint_t code;
		int32_t key;
	} keys[] = {
		{KEY_RESIZE, TOP_KEY_RESIZE},
		{KEY_UP, TOP_KEY_UP},
		{KEY_DOWN, TOP_KEY_DOWN},
		{KEY_LEFT, TOP_KEY_LEFT},
		{KEY_RIGHT, TOP_KEY_RIGHT},
		{KEY_PPAGE, TOP_KEY_PAGE_UP},
		{KEY_NPAGE, TOP_KEY_PAGE_DOWN},
		{KEY_HOME, TOP_KEY_HOME},
		{KEY_END, TOP_KEY_END},
		{KEY_DC, TOP_KEY_DELETE},
		{KEY_BACKSPACE, TOP_KEY_BACKSPACE},
		{KEY_ENTER, TOP_KEY_ENTER},
		{KEY_F(1), TOP_KEY_HELP},
		{KEY_F(10), 'q'},
		{KEY_SLEFT, '['},
		{KEY_SRIGHT, ']'},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return TOP_KEY_OTHER;
}

int32_t
top_screen_key(void)
{
	wint_t c;
	int kind = get_wch(&c);

	if (kind == ERR)
		return TOP_KEY_NONE;
	if (kind == KEY_CODE_YES)
		return special_key(c);
	switch (c) {
	case '\r':
	case '\n':
		return TOP_KEY_ENTER;
	case 0x1B:
		return TOP_KEY_ESCAPE;
	case 0x08:
	case 0x7F:
		return TOP_KEY_BACKSPACE;
	default:
		return (int32_t)c;
	}
}

bool
top_screen_wait(int fd, int64_t timeout_100ns)
{
	struct timespec timeout = {timeout_100ns / PMON_TIME_PER_SEC,
				   (long)(timeout_100ns % PMON_TIME_PER_SEC) * 100};
	int largest = fd > term.keys ? fd : term.keys;
	fd_set ready;
	int n_bytes;

	FD_ZERO(&ready);
	FD_SET(term.keys, &ready);
	if (fd >= 0)
		FD_SET(fd, &ready);
	if (pselect(largest + 1, &ready, NULL, NULL, timeout_100ns < 0 ? NULL : &timeout,
		    &term.waiting) <= 0)
		return true; // time is up, or a signal came
	// A terminal that is gone is readable and has no key.
	return !FD_ISSET(term.keys, &ready) ||
	       (ioctl(term.keys, FIONREAD, &n_bytes) == 0 && n_bytes > 0);
}

// ---- Pieces of a line -----------------------------------------------------------------------

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// A text at a place, cleaned and cut to so many cells. Returns the column behind it.
static size_t
put(int y, size_t x, size_t cells, struct pmon_span text)
{
	char clean[TOP_TEXT_SIZE];
	size_t used = top_text_fit(text, cells, term.charset, clean);

	mvaddstr(y, (int)x, clean);
	return x + used;
}

static void
put_right(int y, size_t x, size_t cells, const char *text)
{
	size_t used = top_text_cells(span_of(text), term.charset);

	(void)put(y, x + (used < cells ? cells - used : 0), cells, span_of(text));
}

static size_t
columns(void)
{
	return (size_t)getmaxx(stdscr);
}

static int
lines(void)
{
	return getmaxy(stdscr);
}

// The whole line in one look.
static void
paint_line(int y, attr_t attributes)
{
	mvchgat(y, 0, -1, attributes, 0, NULL);
}

// ---- Columns --------------------------------------------------------------------------------

#define NUMBER_CELLS 9
#define UNIT_CELLS   2
#define MEMORY_CELLS 8
#define PID_CELLS    7
#define NAME_CELLS   60 // enough for most; what is left goes to the past
#define SPARK_CELLS  60 // at the most
#define GAP          2

// Where columns stand; 0 cells: not shown.
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
	size_t width = columns();
	size_t x = 1 + NUMBER_CELLS + 1 + UNIT_CELLS;
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
	bool sorted; // by the column that was chosen, else as listed
};

// The name of a column, with an arrow when the rows are sorted by it.
static const char *
head_text(const struct section *s, enum top_sort sort, const char *name, char buf[32])
{
	struct pmon_text t = pmon_text_init(buf, 32);
	bool up = s->model->reversed != (sort == TOP_SORT_NAME);

	if (s->sorted && s->model->sort == sort) {
		if (term.charset == TOP_UTF8)
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

	put_right(y, *x, NUMBER_CELLS, head_text(s, sort, name, buf));
	*x += NUMBER_CELLS + 1;
}

// Numbers on a process stand before its name where there is room.
static bool
has_memory(const struct section *s)
{
	return s->processes && s->layout.name_cells >= 20;
}

static bool
has_pid(const struct section *s)
{
	return s->processes && s->layout.name_cells >= 30;
}

static void
put_heads(int y, const struct section *s, bool live)
{
	const struct layout *l = &s->layout;
	size_t x = 1;
	char buf[32];

	put_number_head(y, &x, s, TOP_SORT_VALUE, "Value");
	x += UNIT_CELLS + 1;
	if (l->with_last)
		put_number_head(y, &x, s, TOP_SORT_LAST, "Last");
	if (l->with_average)
		put_number_head(y, &x, s, TOP_SORT_AVERAGE, "Average");
	if (l->with_extremes)
		put_number_head(y, &x, s, TOP_SORT_MINIMUM, "Minimum");
	if (l->with_extremes)
		put_number_head(y, &x, s, TOP_SORT_MAXIMUM, "Maximum");
	(void)put(y, l->spark, l->spark_cells, span_of(live ? "History" : "Whole time"));
	x = l->name;
	if (has_memory(s)) {
		put_right(y, x, MEMORY_CELLS, head_text(s, TOP_SORT_MEMORY, "Memory", buf));
		x += MEMORY_CELLS + 1;
	}
	if (has_pid(s)) {
		put_right(y, x, PID_CELLS, "PID");
		x += PID_CELLS;
	}
	x += s->processes ? GAP : 0;
	(void)put(y, x, columns() > x ? columns() - x : 0,
		  span_of(head_text(s, TOP_SORT_NAME, s->processes ? "Process" : "Counter", buf)));
	paint_line(y, A_REVERSE);
}

// ---- A row ----------------------------------------------------------------------------------

static void
put_number(int y, size_t x, size_t cells, double value, bool counted)
{
	char text[TOP_NUMBER_SIZE] = "-";

	if (!isnan(value))
		top_number(value, counted, text);
	put_right(y, x, cells, text);
}

static void
put_pid(int y, size_t x, double pid)
{
	char text[TOP_NUMBER_SIZE] = "-";
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (pid >= 0 && pid <= INT32_MAX)
		pmon_text_i64(&t, (int64_t)pid);
	put_right(y, x, PID_CELLS, text);
}

// Rates, shares and times have decimals even where they are whole.
static bool
is_counted(const struct top_row *row)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);

	return type == NULL || type->formula <= PMON_FORMULA_DOUBLE ||
	       type->formula == PMON_FORMULA_DELTA;
}

static void
put_value(int y, size_t *x, const struct top_row *row, const struct pmon_value *value)
{
	put_number(y, *x, NUMBER_CELLS,
		   pmon_vstat_has_value(value->status) ? value->value : (double)NAN,
		   is_counted(row));
	*x += NUMBER_CELLS + 1;
}

// The slots that cell i shows: of a machine one each, the newest at the right edge, or so that the
// cursor is seen; of a log all of it on the cells there are.
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

// Percentages fill up to 100, all others to the largest that is seen.
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
	if (term.colors)
		attron(COLOR_PAIR(PAIR_SPARK));
	for (size_t i = 0; i < s->layout.spark_cells; i++) {
		struct top_span span = {NAN, NAN, NAN};
		uint64_t first;
		uint64_t end;
		bool marked;

		slots_of_cell(s, live, i, &first, &end);
		(void)top_model_span(s->model, row, first, end, &span);
		marked = !s->model->at_newest && cursor >= first && cursor < end;
		if (marked)
			attron(A_REVERSE);
		mvaddstr(y, (int)(s->layout.spark + i),
			 top_spark((double)span.high, bottom, top, term.charset));
		if (marked)
			attroff(A_REVERSE);
	}
	if (term.colors)
		attroff(COLOR_PAIR(PAIR_SPARK));
}

static void
put_name(int y, const struct section *s, const struct top_row *row)
{
	size_t x = s->layout.name;

	if (has_memory(s)) {
		put_number(y, x, MEMORY_CELLS, top_model_memory(s->model, row), true);
		x += MEMORY_CELLS + 1;
	}
	if (has_pid(s)) {
		put_pid(y, x, top_model_pid(s->model, row));
		x += PID_CELLS;
	}
	x += s->processes ? GAP : 0;
	(void)put(y, x, columns() > x ? columns() - x : 0, top_model_name(s->model, row));
}

static void
put_row(int y, const struct section *s, const struct top_row *row, bool live)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);
	size_t x = 1;

	attron(A_BOLD);
	put_number(y, x, NUMBER_CELLS, top_model_value(s->model, row), is_counted(row));
	attroff(A_BOLD);
	x += NUMBER_CELLS + 1;
	(void)put(y, x, UNIT_CELLS, span_of(type != NULL ? type->unit : ""));
	x += UNIT_CELLS + 1;
	if (s->layout.with_last)
		put_value(y, &x, row, &row->last);
	if (s->layout.with_average)
		put_value(y, &x, row, &row->average);
	if (s->layout.with_extremes) {
		put_value(y, &x, row, &row->minimum);
		put_value(y, &x, row, &row->maximum);
	}
	put_spark(y, s, row, live);
	put_name(y, s, row);
	if (top_model_selected(s->model) == row)
		paint_line(y, A_REVERSE);
}

// ---- All rows -------------------------------------------------------------------------------

// The lines of the body: the counters; behind them, where there are processes, a line of heads and
// those.
static size_t
line_of_row(const struct top_model *model, size_t row)
{
	return row + (row >= model->n_counters && model->n_counters > 0);
}

// Keep the selected row on the screen, with the line of heads that is above it.
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

static void
draw_rows(struct top_view *view)
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
		(void)put(3, 2, columns() > 2 ? columns() - 2 : 0,
			  span_of(model->filter[0] != '\0' ? "Nothing matches the filter."
				  : view->ended            ? "There are no samples."
							   : "No counter has been seen yet."));
}

// ---- The first and the last line ------------------------------------------------------------

static pmon_time
first_time(const struct top_model *m)
{
	return m->view_end > 0 ? m->time[m->first_slot % m->capacity] : PMON_TIME_NONE;
}

static pmon_time
last_time(const struct top_model *m)
{
	return m->view_end > 0 ? m->time[(m->view_end - 1) % m->capacity] : PMON_TIME_NONE;
}

#define DAY_LENGTH  10 // "2016-11-26"
#define MSEC_LENGTH 4  // ".874"

static size_t
local_time(const struct top_view *view, pmon_time time, char buf[PMON_TIME_SIZE])
{
	return pmon_time_local(time, clock_offset(&view->clock, time), buf);
}

// A time, without the day where that is the one of another time that stands before it.
static void
text_time(struct pmon_text *t, const struct top_view *view, pmon_time time, pmon_time before)
{
	char buf[PMON_TIME_SIZE];
	char other[PMON_TIME_SIZE] = "";
	size_t len;
	size_t skip = 0;

	if (time == PMON_TIME_NONE)
		return;
	len = local_time(view, time, buf);
	if (before != PMON_TIME_NONE)
		(void)local_time(view, before, other);
	if (len > DAY_LENGTH + MSEC_LENGTH && strncmp(buf, other, DAY_LENGTH) == 0)
		skip = DAY_LENGTH + 1;
	// Decimals are of use where samples follow each other closely.
	if (len > MSEC_LENGTH && (!view->live || view->interval_100ns >= PMON_TIME_PER_SEC))
		len -= MSEC_LENGTH;
	pmon_text_span(t, (struct pmon_span){buf + skip, len - skip});
}

static void
text_length(struct pmon_text *t, int64_t length_100ns)
{
	char number[TOP_NUMBER_SIZE];
	bool minutes = length_100ns >= 2 * PMON_TIME_PER_MIN;
	int64_t step = PMON_TIME_PER_SEC / 10; // samples are not taken to the millisecond

	if (length_100ns >= PMON_TIME_PER_SEC - step)
		length_100ns = (length_100ns + step / 2) / step * step;

	top_number((double)length_100ns / (double)(minutes ? PMON_TIME_PER_MIN : PMON_TIME_PER_SEC),
		   true, number);
	pmon_text_str(t, number);
	pmon_text_str(t, minutes ? " min" : " s");
}

static void
text_count(struct pmon_text *t, uint64_t n, const char *one, const char *many)
{
	pmon_text_u64(t, n);
	pmon_text_str(t, n == 1 ? one : many);
}

// What is special just now; shown at the right edge.
static const char *
state_text(const struct top_view *view, char *buf, size_t size)
{
	const struct top_model *m = view->model;
	struct pmon_text t = pmon_text_init(buf, size);

	buf[0] = '\0';
	if (!m->at_newest) {
		pmon_text_str(&t, view->live ? " BACK " : " AT ");
		if (view->live)
			text_length(&t,
				    m->time[(m->view_end - 1) % m->capacity] - top_model_time(m));
		else
			text_time(&t, view, top_model_time(m), first_time(m));
		pmon_text_char(&t, ' ');
	}
	if (m->paused)
		pmon_text_str(&t, " PAUSED ");
	if (view->live && view->ended)
		pmon_text_str(&t, " ENDED ");
	return buf;
}

static void
draw_title(const struct top_view *view)
{
	const struct top_model *m = view->model;
	char buf[512];
	char state[96];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	size_t x = 1;
	size_t state_cells =
		top_text_cells(span_of(state_text(view, state, sizeof(state))), term.charset);
	size_t room = columns() > state_cells + 2 ? columns() - state_cells - 2 : 0;

	attron(A_BOLD);
	x = put(0, x, room / 3, span_of(view->name));
	attroff(A_BOLD);
	x += 2;
	if (m->view_end == 0) {
		pmon_text_str(&t, "no sample yet");
	} else if (view->live) {
		text_time(&t, view, top_model_time(m), PMON_TIME_NONE);
		pmon_text_str(&t, "  every ");
		text_length(&t, view->interval_100ns);
		pmon_text_str(&t, "  ");
		text_count(&t, m->samples_shown, " sample", " samples");
	} else {
		text_time(&t, view, first_time(m), PMON_TIME_NONE);
		pmon_text_str(&t, " to ");
		text_time(&t, view, last_time(m), first_time(m));
		pmon_text_str(&t, "  ");
		text_count(&t, m->samples_shown, " sample", " samples");
	}
	if (view->missed > 0) {
		pmon_text_str(&t, "  ");
		text_count(&t, view->missed, " missed", " missed");
	}
	(void)put(0, x, room > x ? room - x : 0, span_of(pmon_text_get(&t)));
	if (state[0] == '\0')
		return;
	attron(A_REVERSE | A_BOLD);
	put_right(0, columns() - state_cells, state_cells, state);
	attroff(A_REVERSE | A_BOLD);
}

struct hint {
	const char *key;
	const char *what;
};

// Keys and what they do, as many as fit.
static void
put_hints(int y, const struct hint *hints, size_t n)
{
	size_t x = 1;

	for (size_t i = 0; i < n; i++) {
		size_t cells = strlen(hints[i].key) + 1 + strlen(hints[i].what);

		if (x + cells >= columns())
			break;
		attron(A_BOLD);
		x = put(y, x, strlen(hints[i].key), span_of(hints[i].key));
		attroff(A_BOLD);
		x = put(y, x + 1, strlen(hints[i].what), span_of(hints[i].what)) + 2;
	}
}

static void
draw_filter(const struct top_view *view, int y)
{
	char buf[256];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));
	size_t x;

	pmon_text_str(&t, "Filter: ");
	pmon_text_str(&t, view->model->filter);
	x = put(y, 1, columns() / 2, span_of(buf));
	if (view->typing)
		mvaddch(y, (int)x, ' ' | A_REVERSE);
	t = pmon_text_init(buf, sizeof(buf));
	pmon_text_str(&t, view->typing ? "Enter keeps it, Esc clears it" : "Esc clears it");
	x += 4;
	(void)put(y, x, columns() > x ? columns() - x : 0, span_of(buf));
}

static void
draw_footer(const struct top_view *view)
{
	static const struct hint live[] = {
		{"h", "help"},    {"q", "quit"},      {"/", "filter"},   {"s", "sort"},
		{"e", "explain"}, {"space", "pause"}, {"R", "restart"},  {"x", "hide"},
		{"r", "reverse"}, {"+-", "interval"}, {"<- ->", "time"},
	};
	static const struct hint log[] = {
		{"h", "help"},    {"q", "quit"}, {"<- ->", "time"},
		{"/", "filter"},  {"s", "sort"}, {"e", "explain"},
		{"r", "reverse"}, {"x", "hide"}, {"u", "show all"},
	};
	static const struct hint pane[] = {{"Up Down", "scroll"}, {"Esc", "back"}};
	int y = lines() - 1;

	if (view->pane != NULL)
		put_hints(y, pane, sizeof(pane) / sizeof(pane[0]));
	else if (view->message[0] != '\0')
		(void)put(y, 1, columns() - 1, span_of(view->message));
	else if (view->typing || view->model->filter[0] != '\0')
		draw_filter(view, y);
	else if (view->live)
		put_hints(y, live, sizeof(live) / sizeof(live[0]));
	else
		put_hints(y, log, sizeof(log) / sizeof(log[0]));
}

// ---- The pane -------------------------------------------------------------------------------

#define INDENT 12 // of what is continued, as explanations have their texts

// The next line of a pane, and where it begins on the screen.
static bool
pane_line(struct pmon_span text, size_t *pos, struct pmon_span *line, size_t *x)
{
	size_t width = columns() - 2;
	bool continued = *pos > 0 && *pos < text.len && text.ptr[*pos - 1] != '\n';

	*x = 1 + (continued && width > 3 * INDENT ? INDENT : 0);
	return top_text_line(text, width + 1 - *x, term.charset, pos, line);
}

static void
draw_pane(struct top_view *view)
{
	struct pmon_span text = span_of(view->pane);
	struct pmon_span line;
	size_t n = 0;
	size_t pos = 0;
	size_t x;

	while (pane_line(text, &pos, &line, &x))
		n++;
	if (view->pane_top + view->page > n)
		view->pane_top = n > view->page ? n - view->page : 0;
	pos = 0;
	for (size_t i = 0; pane_line(text, &pos, &line, &x); i++) {
		if (i < view->pane_top || i >= view->pane_top + view->page)
			continue;
		if (line.len > 0 && line.ptr[0] != ' ' && x == 1)
			attron(A_BOLD);
		(void)put(2 + (int)(i - view->pane_top), x, columns() - x, line);
		attroff(A_BOLD);
	}
	(void)put(1, 1, columns() - 1, span_of(view->pane_title));
	paint_line(1, A_REVERSE);
}

// ---- The screen -----------------------------------------------------------------------------

#define FEWEST_LINES   5
#define FEWEST_COLUMNS 24

void
top_screen_draw(struct top_view *view)
{
	erase();
	if (lines() < FEWEST_LINES || columns() < FEWEST_COLUMNS) {
		(void)put(0, 0, columns(), span_of("too small"));
		refresh();
		return;
	}
	view->page = (size_t)lines() - 3;
	draw_title(view);
	if (view->pane != NULL)
		draw_pane(view);
	else
		draw_rows(view);
	draw_footer(view);
	refresh();
}

void
top_screen_redraw(void)
{
	clearok(curscr, TRUE);
}
