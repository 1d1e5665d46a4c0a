// list.c - list the counters of logs
// SPDX-License-Identifier: MIT

#include "verbs/list/list.h"

#include <stdlib.h>
#include <string.h>

#include "shell/output/say.h"

static const struct out_column columns[] = {
	{"path", "Counter", 0, OUT_LEFT},
	{"type", "Type", 0, OUT_LEFT},
	{"unit", "Unit", 0, OUT_LEFT},
	{"time_base", "Time base", 0, OUT_RIGHT},
	{"default_scale", "Scale", 0, OUT_RIGHT},
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void
put_row(struct out *out, struct pmon_span path, const struct pmon_series *series)
{
	const struct pmon_counter *counter = &series->counter;

	out_path(out, path, series);
	out_series_type(out, series);
	out_str(out, out_unit(series));
	if (counter->time_base != 0)
		out_i64(out, counter->time_base);
	else
		out_null(out);
	out_i64(out, counter->default_scale);
}

// The path with (*) instead of its instance, as in typeperf -q.
static char *
without_instance(const struct logs *logs, const struct pmon_series *series)
{
	struct pmon_path path = series->path;

	if (logs->naming.hide_machine)
		path.machine = (struct pmon_span){NULL, 0};
	return out_path_text(&path, true);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
seen(char *const *sorted, size_t n, const char *text)
{
	return n > 0 && bsearch(&text, sorted, n, sizeof(*sorted), by_text) != NULL;
}

static void
insert(char **sorted, size_t *n, char *text)
{
	size_t i = (*n)++;

	for (; i > 0 && strcmp(sorted[i - 1], text) > 0; i--)
		sorted[i] = sorted[i - 1];
	sorted[i] = text;
}

struct lister {
	struct logs *logs;
	FILE *stream;       // for paths
	const char *object; // only for matching objects; NULL: all
	bool q;             // without instances
	bool table;         // with more columns than paths
	struct out out;
	char **seen; // with q: the texts printed so far, sorted
	size_t n_seen;
	uint64_t limit; // of lines; 0: none
	size_t n;       // lines
};

static void
put_path(struct lister *l, struct pmon_span path, const struct pmon_series *series)
{
	if (l->limit > 0 && l->n == l->limit)
		return;
	l->n++;
	if (l->table) {
		put_row(&l->out, path, series);
		return;
	}
	out_clean(l->stream, path);
	putc('\n', l->stream);
}

static int
put_without_instance(struct lister *l, const struct pmon_series *series)
{
	char *text = without_instance(l->logs, series);

	if (text == NULL)
		return say(EXIT_FAILED, "not enough memory");
	if (seen(l->seen, l->n_seen, text)) {
		free(text);
		return EXIT_DONE;
	}
	insert(l->seen, &l->n_seen, text);
	put_path(l, (struct pmon_span){text, strlen(text)}, series);
	return EXIT_DONE;
}

static bool
is_listed(const struct lister *l, const struct pmon_series *series)
{
	return l->object == NULL ||
	       pmon_text_match((struct pmon_span){l->object, strlen(l->object)},
			       series->path.object);
}

static int
list(struct lister *l)
{
	int status = EXIT_DONE;
	size_t n;
	const struct pmon_series **series = logs_series(l->logs, &n);

	if (series == NULL)
		return EXIT_FAILED;
	l->seen = calloc(n + 1, sizeof(*l->seen));
	if (l->seen == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; status == EXIT_DONE && i < n; i++) {
		if (!is_listed(l, series[i]))
			continue;
		if (l->q)
			status = put_without_instance(l, series[i]);
		else
			put_path(l, naming_path(&l->logs->naming, series[i]), series[i]);
	}
	for (size_t i = 0; i < l->n_seen; i++)
		free(l->seen[i]);
	free(l->seen);
	free(series);
	return status;
}

int
list_paths(struct logs *logs, FILE *stream, const char *object, bool q, size_t *n)
{
	struct lister l = {.logs = logs, .stream = stream, .object = object, .q = q};
	const struct pmon_sample *sample;
	int status = EXIT_DONE;

	while (logs_next(logs, &sample, &status))
		;
	logs_hide_machine(logs);
	if (status == EXIT_DONE)
		status = list(&l);
	*n = l.n;
	return status;
}

int
list_print(struct logs *logs, const struct args *args)
{
	struct lister l = {.logs = logs,
			   .stream = stdout,
			   .q = OWN_OPTIONS(list, args)->objects,
			   .limit = args->limit,
			   .table = OWN_OPTIONS(list, args)->types || args->format != OUT_TEXT};
	int status;

	logs_hide_machine(logs);
	if (l.table)
		out_begin(&l.out, stdout, args->format, "counters", columns, N_COLUMNS,
			  &logs->clock);
	l.out.used = &logs->used;
	status = list(&l);
	if (l.table && out_end(&l.out) != EXIT_DONE)
		status = EXIT_FAILED;
	return status;
}
