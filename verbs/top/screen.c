// screen.c - pmon top on a terminal: keys, the lines around the rows, panes
// SPDX-License-Identifier: MIT

#include "verbs/top/draw.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "verbs/top/screen.h"
#include "verbs/top/text.h"
#include "base/text.h"
#include "base/time.h"
#include "base/utf.h"
#include "shell/process/keys.h"
#include "draw/label.h"
#include "os/term.h"

// Static, because a program has one terminal.
static struct {
	SCREEN *screen;
	enum top_charset charset;
	bool colors;
} term;

#define PAIR_ALERT 2
#define ESCAPE_MS  25 // how long to wait for the rest of an escape sequence

struct curses_calls curses;

// ---- Beginning and end ----------------------------------------------------------------------

static void
set_colors(bool colors)
{
	term.colors = colors && curses.has_colors();
	if (!term.colors)
		return;
	curses.start_color();
	curses.use_default_colors();
	curses.init_pair(TOP_PAIR_SPARK, COLOR_CYAN, -1);
	curses.init_pair(PAIR_ALERT, COLOR_YELLOW, -1);
}

enum pmon_status
top_screen_load(struct pmon_err *err)
{
	return PMON_OS_LOAD(PMON_LIBRARY_NCURSES, CURSES_CALLS, &curses, err);
}

bool
top_screen_begin(FILE *keys, bool colors)
{
	term.screen = curses.newterm(keys_terminal(), stdout, keys);
	if (term.screen == NULL)
		return false;
	term.charset = pmon_term_is_utf8() ? TOP_UTF8 : TOP_ASCII;
	curses.set_term(term.screen);
	set_colors(colors);
	curses.cbreak();
	curses.noecho();
	curses.nonl();
	curses.keypad(*curses.stdscr, TRUE);
	curses.nodelay(*curses.stdscr, TRUE);
	curses.set_escdelay(ESCAPE_MS);
	curses.curs_set(0);
	keys_begin(fileno(keys));
	return true;
}

void
top_screen_end(void)
{
	if (term.screen == NULL)
		return;
	keys_end();
	curses.endwin();
	term.screen = NULL; // delscreen() crashes if memory is short, and the program ends anyway
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
	int columns;
	int lines;
	int kind;

	if (keys_resized(&lines, &columns)) {
		curses.resizeterm(lines, columns);
		return TOP_KEY_RESIZE;
	}
	errno = 0;
	kind = curses.get_wch(&c);
	if (kind == ERR)
		return errno == EIO ? TOP_KEY_FAILED : TOP_KEY_NONE;
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

// ---- Pieces of a line -----------------------------------------------------------------------

struct pmon_span
top_span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// Print by code points: some systems have no UTF-8 locale.
void
top_put_text(int y, size_t x, const char *text)
{
	struct pmon_span span = top_span_of(text);
	wchar_t part[64];
	size_t n = 0;

	curses.move(y, (int)x);
	for (size_t pos = 0; pos < span.len;) {
		part[n++] = (wchar_t)pmon_utf8_next(span, &pos);
		if (n + 1 < sizeof(part) / sizeof(part[0]) && pos < span.len)
			continue;
		part[n] = L'\0';
		curses.addwstr(part);
		n = 0;
	}
}

size_t
top_put(int y, size_t x, size_t cells, struct pmon_span text)
{
	char clean[TOP_TEXT_SIZE];
	size_t used = top_text_fit(text, cells, term.charset, clean);

	top_put_text(y, x, clean);
	return x + used;
}

void
top_put_right(int y, size_t x, size_t cells, const char *text)
{
	size_t used = top_text_cells(top_span_of(text), term.charset);

	(void)top_put(y, x + (used < cells ? cells - used : 0), cells, top_span_of(text));
}

size_t
top_columns(void)
{
	return (size_t)curses.getmaxx(*curses.stdscr);
}

static int
screen_lines(void)
{
	return curses.getmaxy(*curses.stdscr);
}

void
top_paint_line(int y, attr_t attributes)
{
	curses.mvchgat(y, 0, -1, attributes, 0, NULL);
}

enum top_charset
top_charset(void)
{
	return term.charset;
}

bool
top_has_colors(void)
{
	return term.colors;
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

// A time, without the date if another time with the same date precedes it.
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
	// Decimals are useful only if samples are close together.
	if (len > MSEC_LENGTH && (!view->live || view->interval_100ns >= PMON_TIME_PER_SEC))
		len -= MSEC_LENGTH;
	pmon_text_span(t, (struct pmon_span){buf + skip, len - skip});
}

static void
text_length(struct pmon_text *t, int64_t length_100ns)
{
	char number[DRAW_NUMBER];
	bool minutes = length_100ns >= 2 * PMON_TIME_PER_MIN;
	int64_t step = PMON_TIME_PER_SEC / 10; // samples are not exact to the millisecond

	if (length_100ns >= PMON_TIME_PER_SEC - step)
		length_100ns = (length_100ns + step / 2) / step * step;
	(void)draw_number((double)length_100ns /
				  (double)(minutes ? PMON_TIME_PER_MIN : PMON_TIME_PER_SEC),
			  number, sizeof(number));
	pmon_text_str(t, number);
	pmon_text_str(t, minutes ? " min" : " s");
}

static void
text_count(struct pmon_text *t, uint64_t n, const char *one, const char *many)
{
	pmon_text_u64(t, n);
	pmon_text_str(t, n == 1 ? one : many);
}

// The current state, shown at the right edge.
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
		top_text_cells(top_span_of(state_text(view, state, sizeof(state))), term.charset);
	size_t room = top_columns() > state_cells + 2 ? top_columns() - state_cells - 2 : 0;

	curses.attron(A_BOLD);
	x = top_put(0, x, room / 3, top_span_of(view->name));
	curses.attroff(A_BOLD);
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
	(void)top_put(0, x, room > x ? room - x : 0, top_span_of(pmon_text_get(&t)));
	if (state[0] == '\0')
		return;
	curses.attron(A_REVERSE | A_BOLD);
	top_put_right(0, top_columns() - state_cells, state_cells, state);
	curses.attroff(A_REVERSE | A_BOLD);
}

struct hint {
	const char *key;
	const char *what;
};

// Print keys and what they do, as many as fit.
static void
put_hints(int y, const struct hint *hints, size_t n)
{
	size_t x = 1;

	for (size_t i = 0; i < n; i++) {
		size_t cells = strlen(hints[i].key) + 1 + strlen(hints[i].what);

		if (x + cells >= top_columns())
			break;
		curses.attron(A_BOLD);
		x = top_put(y, x, strlen(hints[i].key), top_span_of(hints[i].key));
		curses.attroff(A_BOLD);
		x = top_put(y, x + 1, strlen(hints[i].what), top_span_of(hints[i].what)) + 2;
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
	x = top_put(y, 1, top_columns() / 2, top_span_of(buf));
	if (view->typing)
		curses.mvaddch(y, (int)x, ' ' | A_REVERSE);
	t = pmon_text_init(buf, sizeof(buf));
	pmon_text_str(&t, view->typing ? "Enter keeps it, Esc clears it" : "Esc clears it");
	x += 4;
	(void)top_put(y, x, top_columns() > x ? top_columns() - x : 0, top_span_of(buf));
}

static void
draw_time(const struct top_view *view, int y)
{
	size_t x = top_put(y, 1, top_columns() / 2, top_span_of("Time: "));

	x = top_put(y, x, top_columns() / 2, top_span_of(view->time));
	curses.mvaddch(y, (int)x, ' ' | A_REVERSE);
	x += 4;
	(void)top_put(y, x, top_columns() > x ? top_columns() - x : 0,
		      top_span_of("14:05, -2h or +5m; Enter goes there"));
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
		{"h", "help"},   {"q", "quit"},     {"<- ->", "time"}, {"t", "go to a time"},
		{"/", "filter"}, {"s", "sort"},     {"e", "explain"},  {"r", "reverse"},
		{"x", "hide"},   {"u", "show all"},
	};
	static const struct hint pane[] = {{"Up Down", "scroll"}, {"Esc", "back"}};
	int y = screen_lines() - 1;

	if (view->pane != NULL)
		put_hints(y, pane, sizeof(pane) / sizeof(pane[0]));
	else if (view->time != NULL)
		draw_time(view, y);
	else if (view->message[0] != '\0')
		(void)top_put(y, 1, top_columns() - 1, top_span_of(view->message));
	else if (view->typing || view->model->filter[0] != '\0')
		draw_filter(view, y);
	else if (view->live)
		put_hints(y, live, sizeof(live) / sizeof(live[0]));
	else
		put_hints(y, log, sizeof(log) / sizeof(log[0]));
}

// ---- The pane -------------------------------------------------------------------------------

#define INDENT 12 // of continuation lines, like the texts of explanations

// The next line of a pane, and its position on the screen.
static bool
pane_line(struct pmon_span text, size_t *pos, struct pmon_span *line, size_t *x)
{
	size_t width = top_columns() - 2;
	bool continued = *pos > 0 && *pos < text.len && text.ptr[*pos - 1] != '\n';

	*x = 1 + (continued && width > 3 * INDENT ? INDENT : 0);
	return top_text_line(text, width + 1 - *x, term.charset, pos, line);
}

static void
draw_pane(struct top_view *view)
{
	struct pmon_span text = top_span_of(view->pane);
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
			curses.attron(A_BOLD);
		(void)top_put(2 + (int)(i - view->pane_top), x, top_columns() - x, line);
		curses.attroff(A_BOLD);
	}
	(void)top_put(1, 1, top_columns() - 1, top_span_of(view->pane_title));
	top_paint_line(1, A_REVERSE);
}

// ---- The screen -----------------------------------------------------------------------------

#define FEWEST_LINES   5
#define FEWEST_COLUMNS 24

void
top_screen_draw(struct top_view *view)
{
	curses.erase();
	if (screen_lines() < FEWEST_LINES || top_columns() < FEWEST_COLUMNS) {
		(void)top_put(0, 0, top_columns(), top_span_of("too small"));
		curses.refresh();
		return;
	}
	view->page = (size_t)screen_lines() - 3;
	draw_title(view);
	if (view->pane != NULL)
		draw_pane(view);
	else
		top_draw_rows(view);
	draw_footer(view);
	curses.refresh();
}

void
top_screen_redraw(void)
{
	curses.clearok(*curses.curscr, TRUE);
}
