// run.c - pmon top's main loop: samples, keys, time
// SPDX-License-Identifier: MIT

#include "verbs/top/run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/time.h"
#include "os/clock.h"
#include "shell/input/times.h"
#include "shell/output/explain_text.h"
#include "shell/output/say.h"
#include "shell/output/stream.h"
#include "shell/process/keys.h"
#include "shell/process/signals.h"
#include "shell/process/who.h"
#include "verbs/top/screen.h"
#include "verbs/top/text.h"

struct top {
	const struct top_job *job;
	struct top_model *model;
	struct top_view view;
	int signals; // descriptor
	int64_t due; // monotonic time of the next sample
	bool quit;
	struct pmon_err err; // the error, if it failed
	enum pmon_status status;
	char *pane; // text of the pane, from malloc()
	char title[128];
	char message[128];
	char time[64]; // as it is being typed
};

static const char help_text[] =
	"Rows\n  Up, Down, j, k        select a row\n  PageUp, PageDown      scroll one screen up "
	"or down\n  g, G                  go to the first or last row\n  /                     "
	"show only rows with this text; * and ? are wildcards.\n                        Enter "
	"keeps the filter, Esc clears it\n  s, < and >            sort by the next or previous "
	"column\n  r                     reverse the sort order\n  x, Delete             hide the "
	"selected row;  u  shows all rows again\n\nTime\n  Left, Right           go one step back "
	"or forward\n  [, ]                  go ten steps back or forward\n  Home, End             "
	"go to the oldest sample kept, or the newest\n  t                     go to a time: "
	"14:05, 2026-11-21T14:05, -2h before the end\n  space                 freeze the screen; "
	"sampling continues\n  +, -                  lengthen or shorten the interval\n  R         "
	"            reset average, minimum and maximum\n\nOther\n  Enter, e              show how "
	"the selected value and average were computed\n  i                     "
	"show the incidents of a log\n  h, ?                  show this help\n  "
	"Ctrl-L                redraw the screen\n  q                     quit\n\nColumns\n  Value "
	"                value at the time shown above; - if there is none\n  Last                 "
	" newest value\n  Average               average since the beginning or the last reset, by "
	"the counter's type;\n                        ~ and ? as in pmon stats: the mean of a text "
	"log's displayed values\n  Minimum, Maximum      extremes since then\n  History            "
	"   one cell per sample; for a log, the whole time with the maximum in\n                   "
	"     each cell. Percentages are scaled to 100, others to the largest\n                    "
	"    value shown; blank means no value. The time cursor is marked\n  Memory                "
	"working set of a process\n\nk, M and G are powers of 1000; KB, MB, GB and TB are powers "
	"of 1024 bytes.\n";

static void
tell(struct top *top, const char *before, const char *what)
{
	(void)snprintf(top->message, sizeof(top->message), "%s%s", before, what);
}

// ---- Samples --------------------------------------------------------------------------------

// Schedule the next sample; those whose time has passed are skipped.
static void
schedule(struct top *top)
{
	int64_t interval = top->view.interval_100ns;
	int64_t now = pmon_os_monotonic_100ns();

	top->due += interval;
	if (top->due > now)
		return;
	top->view.missed += (uint64_t)((now - top->due) / interval);
	top->due += (now - top->due) / interval * interval;
}

static void
fail(struct top *top, enum pmon_status status)
{
	top->status = status;
	top->quit = true;
}

// A preceding sample belongs to the sample that follows it, and has no time of its own.
static void
take_sample(struct top *top)
{
	const struct pmon_sample *sample = NULL;
	enum pmon_status status;

	schedule(top);
	do {
		status = pmon_source_next(top->job->logs->source, &sample, &top->err);
		if (status == PMON_OK) {
			logs_use(top->job->logs, sample);
			status = top_model_add(top->model, sample, &top->err);
		}
	} while (status == PMON_OK && sample->preceding);
	if (status == PMON_END) {
		top->view.ended = true;
		top->quit = !top->job->stays;
	} else if (status != PMON_OK) {
		fail(top, status);
	}
}

// ---- The pane -------------------------------------------------------------------------------

static void
close_pane(struct top *top)
{
	free(top->pane);
	top->pane = NULL;
	top->view.pane = NULL;
}

static void
open_pane(struct top *top, char *text, const char *title)
{
	close_pane(top);
	if (text == NULL) {
		tell(top, "not enough memory", "");
		return;
	}
	top->pane = text;
	(void)snprintf(top->title, sizeof(top->title), "%s", title);
	top->view.pane = text;
	top->view.pane_title = top->title;
	top->view.pane_top = 0;
}

static void
show_help(struct top *top)
{
	char *text = malloc(sizeof(help_text));

	if (text != NULL)
		memcpy(text, help_text, sizeof(help_text));
	open_pane(top, text, "Help");
}

static void
show_incidents(struct top *top)
{
	if (top->job->incidents != NULL)
		open_pane(top, strdup(top->job->incidents), "Incidents");
	else
		tell(top, top->view.live ? "incidents are found in logs" : "no incidents", "");
}

// ---- Explanations ---------------------------------------------------------------------------

// The two raw values from which a value is computed.
struct pair {
	struct pmon_raw older;
	struct pmon_raw newer;
	bool has_older;
	bool found;
	uint32_t stream; // of the newer one
};

// Record a series' raw value in a sample, if any, as the newer one of a pair.
static void
see(struct pair *pair, struct pmon_stats *stats, uint32_t series, const struct pmon_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++) {
		if (sample->series[i] != series)
			continue;
		pair->has_older = stats->tail_open;
		pair->older = stats->tail;
		pair->newer = sample->raw[i];
		pair->found = true;
		pair->stream = sample->stream;
		if (sample->preceding)
			pmon_stats_lead(stats, &sample->raw[i]);
		else
			(void)pmon_stats_add(stats, &sample->raw[i]);
		return;
	}
	if (pair->found && sample->stream == pair->stream)
		pmon_stats_gap(stats);
}

// Read a log again up to the time cursor.
static bool
pair_at_cursor(const struct top *top, const struct top_row *row, struct pair *pair)
{
	struct pmon_source *source = top->job->logs->source;
	const struct pmon_sample *sample;
	struct pmon_calc calc;
	struct pmon_stats stats;

	*pair = (struct pair){.found = false};
	pmon_calc_init(&calc, &row->series->counter, top->model->options.calc);
	pmon_stats_init(&stats, &calc);
	if (pmon_source_rewind(source, NULL) != PMON_OK)
		return false;
	while (pmon_source_next(source, &sample, NULL) == PMON_OK &&
	       sample->time <= top_model_time(top->model))
		see(pair, &stats, row->series->id, sample);
	return pair->found;
}

static bool
find_pair(struct top *top, const struct top_row *row, struct pair *pair)
{
	if (!top->view.live && !top->model->at_newest) {
		if (pair_at_cursor(top, row, pair))
			return true;
		tell(top, "the log cannot be read again; ", "this is the newest value");
	}
	*pair = (struct pair){row->older, row->newer, row->has_older, row->has_newer, 0};
	return pair->found;
}

static void
print_explanation(FILE *out, struct top *top, const struct top_row *row, const struct pair *pair)
{
	const struct pmon_stats *stats =
		pmon_statistics_at(top->model->statistics, row->series->id);
	struct pmon_explanation why;
	struct pmon_span path;
	char title[64];
	char time[PMON_TIME_SIZE];

	path = naming_full_path(&top->job->logs->naming, row->series);
	fprintf(out, "%.*s\n\n", (int)path.len, path.ptr);
	pmon_time_local(pair->newer.time, clock_offset(&top->view.clock, pair->newer.time), time);
	(void)snprintf(title, sizeof(title), "Value at %s", time);
	pmon_series_explain_value(row->series, &stats->calc, pair->has_older ? &pair->older : NULL,
				  &pair->newer, &why);
	explain_print(out, title, &why);
	putc('\n', out);
	pmon_series_explain_average(row->series, stats, &why);
	explain_print(out, "Average", &why);
}

static void
explain(struct top *top)
{
	const struct top_row *row = top_model_selected(top->model);
	struct pair pair;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (row == NULL || pmon_statistics_at(top->model->statistics, row->series->id) == NULL ||
	    !find_pair(top, row, &pair))
		return;
	out = text_stream_open(&text, &size);
	if (out != NULL) {
		print_explanation(out, top, row, &pair);
		if (!text_stream_close(out, &text)) {
			free(text);
			text = NULL;
		}
	}
	open_pane(top, text, "How it was computed");
}

// ---- Keys -----------------------------------------------------------------------------------

static void
change_interval(struct top *top, int direction)
{
	static const int64_t steps_ms[] = {100,   200,   500,   1000,  2000,   5000,
					   10000, 15000, 30000, 60000, 300000, 600000};
	int64_t now_ms = top->view.interval_100ns / PMON_TIME_PER_MSEC;
	int64_t to_ms = 0;

	for (size_t i = 0; i < sizeof(steps_ms) / sizeof(steps_ms[0]); i++) {
		if (direction > 0 && steps_ms[i] > now_ms) {
			to_ms = steps_ms[i];
			break;
		}
		if (direction < 0 && steps_ms[i] < now_ms)
			to_ms = steps_ms[i];
	}
	if (to_ms == 0)
		return;
	top->due += to_ms * PMON_TIME_PER_MSEC - top->view.interval_100ns;
	top->view.interval_100ns = to_ms * PMON_TIME_PER_MSEC;
}

// Keys that apply only to live sampling.
static void
live_key(struct top *top, int32_t key)
{
	if (!top->view.live) {
		tell(top, "this is a log: ", "it cannot be paused, reset or sampled faster");
		return;
	}
	switch (key) {
	case ' ':
		top_model_pause(top->model, !top->model->paused);
		break;
	case 'R':
		top_model_restart(top->model);
		tell(top, "average, minimum and maximum were reset", "");
		break;
	default:
		change_interval(top, key == '-' ? -1 : 1);
	}
}

static void
sort_key(struct top *top, int32_t key)
{
	struct top_model *model = top->model;

	if (key == 'r')
		model->reversed = !model->reversed;
	else
		top_model_sort_next(model, key == '<' ? -1 : 1);
	top_model_move(model, -(long)model->n_shown); // the best rows come first
	if (model->options.processes)
		top_model_move(model, (long)model->n_counters);
	tell(top, model->options.processes ? "processes are sorted by " : "sorted by ",
	     top_sort_name(model->sort));
}

// Handle keys that move the selection. False for all other keys.
static bool
move_key(struct top *top, int32_t key)
{
	struct top_model *model = top->model;
	long page = (long)top->view.page;

	switch (key) {
	case TOP_KEY_UP:
	case 'k':
		top_model_move(model, -1);
		return true;
	case TOP_KEY_DOWN:
	case 'j':
		top_model_move(model, 1);
		return true;
	case TOP_KEY_PAGE_UP:
		top_model_move(model, -page);
		return true;
	case TOP_KEY_PAGE_DOWN:
		top_model_move(model, page);
		return true;
	case 'g':
		top_model_move(model, -(long)model->n_shown);
		return true;
	case 'G':
		top_model_move(model, (long)model->n_shown);
		return true;
	case TOP_KEY_LEFT:
		top_model_step(model, -1);
		return true;
	case TOP_KEY_RIGHT:
		top_model_step(model, 1);
		return true;
	case '[':
		top_model_step(model, -10);
		return true;
	case ']':
		top_model_step(model, 10);
		return true;
	case TOP_KEY_HOME:
		top_model_oldest(model);
		return true;
	case TOP_KEY_END:
		top_model_newest(model);
		return true;
	default:
		return false;
	}
}

static void
other_key(struct top *top, int32_t key)
{
	switch (key) {
	case 'q':
		top->quit = true;
		break;
	case 'h':
	case '?':
	case TOP_KEY_HELP:
		show_help(top);
		break;
	case 'i':
		show_incidents(top);
		break;
	case 'e':
	case TOP_KEY_ENTER:
		explain(top);
		break;
	case '/':
		top->view.typing = true;
		break;
	case 't':
		top->time[0] = '\0';
		top->view.time = top->time;
		break;
	case TOP_KEY_ESCAPE:
		top->model->filter[0] = '\0';
		break;
	case 's':
	case '<':
	case '>':
	case 'r':
		sort_key(top, key);
		break;
	case 'x':
	case TOP_KEY_DELETE:
		top_model_hide(top->model);
		break;
	case 'u':
		top_model_unhide(top->model);
		break;
	case ' ':
	case 'R':
	case '+':
	case '=':
	case '-':
		live_key(top, key);
		break;
	default:
		break;
	}
}

static void
pane_key(struct top *top, int32_t key)
{
	size_t *line = &top->view.pane_top;
	size_t page = top->view.page;

	switch (key) {
	case TOP_KEY_UP:
	case 'k':
		*line -= *line > 0;
		break;
	case TOP_KEY_DOWN:
	case 'j':
		(*line)++; // drawing keeps it within the text
		break;
	case TOP_KEY_PAGE_UP:
		*line -= *line < page ? *line : page;
		break;
	case TOP_KEY_PAGE_DOWN:
	case ' ':
		*line += page;
		break;
	case TOP_KEY_HOME:
	case 'g':
		*line = 0;
		break;
	case TOP_KEY_END:
	case 'G':
		*line = strlen(top->pane);
		break;
	case TOP_KEY_RESIZE:
	case TOP_KEY_LEFT:
	case TOP_KEY_RIGHT:
		break;
	default:
		close_pane(top);
	}
}

// Append a character to a text of this size, or remove the last one.
static void
edit_text(char *text, size_t size, int32_t key)
{
	size_t len = strlen(text);
	char bytes[MB_LEN_MAX];
	int n;

	if (key == TOP_KEY_BACKSPACE) {
		while (len > 0 && ((unsigned char)text[--len] & 0xC0) == 0x80)
			continue;
		text[len] = '\0';
		return;
	}
	n = key >= ' ' && key < TOP_KEY_RESIZE ? wctomb(bytes, (wchar_t)key) : -1;
	if (n > 0 && len + (size_t)n < size) {
		memcpy(text + len, bytes, (size_t)n);
		text[len + (size_t)n] = '\0';
	}
}

static void
filter_key(struct top *top, int32_t key)
{
	if (key == TOP_KEY_ESCAPE)
		top->model->filter[0] = '\0';
	if (key == TOP_KEY_ESCAPE || key == TOP_KEY_ENTER)
		top->view.typing = false;
	else if (!(key > TOP_KEY_RESIZE && move_key(top, key)))
		edit_text(top->model->filter, TOP_FILTER_SIZE, key);
}

static void
go_to_time(struct top *top)
{
	const struct top_model *m = top->model;
	pmon_time first = PMON_TIME_NONE;
	pmon_time last = PMON_TIME_NONE;
	pmon_time time;

	if (m->view_end > 0) {
		first = m->time[m->first_slot % m->capacity];
		last = m->time[(m->view_end - 1) % m->capacity];
	}
	if (!times_find(top->time, &top->view.clock, first, last, &time))
		tell(top, "not a time: ", top->time);
	else if (m->view_end > 0)
		top_model_jump(top->model, time);
}

static void
time_key(struct top *top, int32_t key)
{
	if (key == TOP_KEY_ENTER && top->time[0] != '\0')
		go_to_time(top);
	if (key == TOP_KEY_ENTER || key == TOP_KEY_ESCAPE)
		top->view.time = NULL;
	else
		edit_text(top->time, sizeof(top->time), key);
}

static void
take_key(struct top *top, int32_t key)
{
	top->message[0] = '\0';
	if (key == '\f')
		top_screen_redraw();
	else if (top->view.pane != NULL)
		pane_key(top, key);
	else if (top->view.typing)
		filter_key(top, key);
	else if (top->view.time != NULL)
		time_key(top, key);
	else if (!move_key(top, key))
		other_key(top, key);
}

// ---- Processes ------------------------------------------------------------------------------

// "root  nginx.service  nginx: master process"
static void
put_word(struct pmon_text *t, const char *word)
{
	if (word[0] == '\0')
		return;
	pmon_text_str(t, t->len > 0 ? "  " : "");
	pmon_text_str(t, word);
}

// A process whose name differs is tried again later: it may have executed another program since the sample.
static void
look_up(const struct top *top, struct top_row *row)
{
	char text[WHO_USER + WHO_UNIT + WHO_COMMAND + 8];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	struct who who;

	if (!who_is(top->job->logs->request.sampling.root, row->series->process_id,
		    row->series->path.instance, &who))
		return;
	pmon_text_str(&t, "");
	put_word(&t, who.user);
	put_word(&t, who.unit);
	put_word(&t, who.command);
	row->about = strdup(text); // NULL: tried again
}

static bool
is_unknown(const struct top_row *row)
{
	return row->is_process && row->about == NULL && row->present && row->series->of_process &&
	       row->series->process_id >= 0;
}

// Look up each process once, when it first appears on the screen, since most never do. The filter needs all of them.
static void
look_up_processes(struct top *top)
{
	struct top_model *m = top->model;

	if (!top->view.live || top->job->logs->request.sampling.replay != NULL)
		return;
	for (size_t i = 0; m->filter[0] != '\0' && i < m->rows.n; i++) {
		struct top_row *row = top_model_row(m, i);

		if (row != NULL && is_unknown(row))
			look_up(top, row);
	}
	for (size_t i = top->view.offset; i < m->n_shown && i < top->view.offset + top->view.page;
	     i++)
		if (is_unknown(m->shown[i]))
			look_up(top, m->shown[i]);
}

// ---- The loop -------------------------------------------------------------------------------

static void
take_keys(struct top *top)
{
	for (int32_t key; (key = top_screen_key()) != TOP_KEY_NONE && !top->quit;) {
		if (key == TOP_KEY_FAILED)
			fail(top,
			     pmon_err_set(&top->err, PMON_E_IO, 0, "cannot read the keyboard"));
		else
			take_key(top, key);
	}
}

static void
take_signals(struct top *top)
{
	struct signals got = signals_take();

	// Without its terminal the program is useless.
	if (got.end || got.rotate)
		top->quit = true;
}

static void
wait(struct top *top)
{
	int64_t left = top->due - pmon_os_monotonic_100ns();

	left = left > 0 ? left : 0;
	if (!keys_wait(top->signals, top->view.live && !top->view.ended ? left : -1))
		top->quit = true;
}

static void
loop(struct top *top)
{
	enum pmon_status status;

	while (!top->quit) {
		if (top->view.live && !top->view.ended && pmon_os_monotonic_100ns() >= top->due)
			take_sample(top);
		if (top->model->filter[0] != '\0')
			look_up_processes(top);
		status = top_model_arrange(top->model, &top->err);
		if (status != PMON_OK)
			fail(top, status);
		if (top->quit)
			break;
		look_up_processes(top);
		top_screen_draw(&top->view);
		wait(top);
		take_signals(top);
		take_keys(top);
	}
}

int
top_show(const struct top_job *job)
{
	struct top top = {.job = job, .model = job->model};

	top.view = (struct top_view){.model = job->model,
				     .clock = job->logs->clock,
				     .name = job->name,
				     .live = job->live,
				     .interval_100ns = job->interval_100ns,
				     .message = top.message};
	top.signals = signals_catch();
	top.due = pmon_os_monotonic_100ns() + (job->model->samples > 0 ? job->interval_100ns : 0);
	if (!top_screen_begin(job->keys, job->colors))
		return say(EXIT_FAILED,
			   "top: unsuitable terminal; pmon values prints values line by line");
	// The slots of a log are known once they are arranged; the loop reports if memory is short.
	if (job->at != PMON_TIME_NONE && top_model_arrange(job->model, &top.err) == PMON_OK)
		top_model_jump(job->model, job->at);
	else if (job->incidents != NULL)
		show_incidents(&top);
	loop(&top);
	top_screen_end();
	close_pane(&top);
	return top.status == PMON_OK ? EXIT_DONE : say(EXIT_FAILED, "%s", top.err.msg);
}
