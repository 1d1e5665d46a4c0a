// shifts.c - what changed in a log by itself: the shifts of all counters
// SPDX-License-Identifier: MIT

#include "verbs/changes/shifts.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "draw/unit.h"
#include "shell/input/judged.h"
#include "shell/input/patterns.h"
#include "shell/input/rules_file.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"

#define ID 16

struct shifts {
	struct judged judged;
	struct patterns patterns; // the user's
	const struct evidence **list;
	size_t n;
};

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},     {"pid", NULL, 0, OUT_RIGHT},
	{"kind", NULL, 0, OUT_LEFT},     {"from", NULL, 0, OUT_LEFT},
	{"to", NULL, 0, OUT_LEFT},       {"usual", NULL, 0, OUT_RIGHT},
	{"average", NULL, 0, OUT_RIGHT}, {"worst", NULL, 0, OUT_RIGHT},
	{"unit", NULL, 0, OUT_LEFT},     {"score", NULL, 0, OUT_RIGHT},
	{"incident", NULL, 0, OUT_LEFT},
};

static const struct out_column text_columns[] = {
	{"from", "From", 0, OUT_LEFT},     {"to", "To", 0, OUT_LEFT},
	{"kind", "Kind", 0, OUT_LEFT},     {"usual", "Usual", 0, OUT_RIGHT},
	{"average", "Then", 0, OUT_RIGHT}, {"worst", "Worst", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},  {"incident", "Incident", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

static bool
is_asked(const struct shifts *s, const struct pmon_series *series)
{
	return s->patterns.select == NULL || pmon_select_shows(s->patterns.select, series);
}

// ---- Rows -----------------------------------------------------------------------------------

// Bins are single floats.
static double
rounded(double value)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%.6g", value);
	return strtod(text, NULL);
}

static void
put_id(struct out *out, const struct shifts *s, const struct evidence *e)
{
	const struct incident *incident = incidents_of(&s->judged.incidents, e);
	char id[ID];
	struct pmon_text t = pmon_text_init(id, sizeof(id));

	if (incident == NULL) {
		out_null(out);
		return;
	}
	incident_put_id(&t, incident);
	out_str(out, id);
}

static void
put_amount(struct out *out, const struct evidence *e, double value)
{
	out_quantity(out, e->series, &(struct pmon_value){.value = value, .status = PMON_V_OK});
}

static void
put_text_row(struct out *out, const struct shifts *s, const struct evidence *e)
{
	const struct judged *j = &s->judged;

	out_seconds(out, evidence_from(&j->incidents, e), j->spans_days);
	out_seconds(out, evidence_to(&j->incidents, e), j->spans_days);
	out_str(out, shift_name(e->shift.kind));
	put_amount(out, e, e->shift.usual);
	put_amount(out, e, e->shift.level);
	put_amount(out, e, e->shift.worst);
	out_text(out, naming_path(&j->logs.naming, e->series));
	put_id(out, s, e);
}

static void
put_row(struct out *out, const struct shifts *s, const struct evidence *e)
{
	out_path(out, e->series->name, e->series);
	out_pid(out, e->series);
	out_str(out, shift_name(e->shift.kind));
	out_time(out, evidence_from(&s->judged.incidents, e));
	out_time(out, evidence_to(&s->judged.incidents, e));
	out_double(out, rounded(e->shift.usual));
	out_double(out, rounded(e->shift.level));
	out_double(out, rounded(e->shift.worst));
	out_str(out, draw_unit_name(e->series));
	out_double(out, rounded(e->score));
	put_id(out, s, e);
}

static int
print_rows(struct shifts *s)
{
	struct logs *logs = &s->judged.logs;
	enum out_format format = s->judged.args->format;
	bool as_text = out_is_for_people(format);
	struct out out;

	if (as_text && s->n == 0)
		return EXIT_DONE;
	if (as_text) {
		logs_hide_machine(logs);
		logs_print_heading(logs);
	}
	out_begin(&out, stdout, format, "shifts", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &logs->clock);
	out.used = &logs->used;
	for (size_t i = 0; i < args_rows(s->judged.args, s->n); i++)
		as_text ? put_text_row(&out, s, s->list[i]) : put_row(&out, s, s->list[i]);
	return out_end(&out);
}

// The counters that were compared with their usual level.
static size_t
count_compared(const struct shifts *s)
{
	const struct tracks *tracks = &s->judged.incidents.tracks;
	size_t n = 0;

	for (size_t i = 0; i < tracks->n; i++)
		n += tracks->list[i] != NULL && is_asked(s, tracks->list[i]->series);
	return n;
}

static int
say_none(const struct shifts *s)
{
	size_t n = count_compared(s);

	if (n == 0)
		return say(EXIT_FAILED,
			   "changes: no counter whose usual level can be judged%s; to "
			   "compare times, use --at 10:32, or --from 10:30 --to 11:00",
			   s->patterns.select != NULL ? " matches" : "");
	if (s->n == 0)
		say(0,
		    "none of %zu counter%s differed from its usual level for long; to compare "
		    "times, use --at 10:32, or --from 10:30 --to 11:00",
		    n, pmon_text_word(n, "", "s"));
	return EXIT_DONE;
}

// ---- Which ----------------------------------------------------------------------------------

static int
select_counters(struct shifts *s, const struct args *args)
{
	struct request request = request_from(args);

	return request_has_patterns(&request) ? patterns_open(&s->patterns, &request) : EXIT_DONE;
}

static int
list_shifts(struct shifts *s)
{
	size_t all;

	s->list = incidents_shifts(&s->judged.incidents, &all);
	if (s->list == NULL)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < all; i++)
		if (is_asked(s, s->list[i]->series))
			s->list[s->n++] = s->list[i];
	return EXIT_DONE;
}

int
changes_shifts(const struct args *args)
{
	struct shifts s = {
		.judged = {.only_values = true, .finds_incidents = true, .may_lack = true}};
	int status = select_counters(&s, args);

	if (status == EXIT_DONE)
		status = rules_load(args, &s.judged.rules);
	if (status == EXIT_DONE)
		status = judged_ask(&s.judged, args);
	if (status == EXIT_DONE)
		status = judged_read(&s.judged, false);
	if (status == EXIT_DONE)
		status = judged_rank(&s.judged);
	if (status == EXIT_DONE)
		status = list_shifts(&s);
	if (status == EXIT_DONE)
		status = print_rows(&s);
	if (status == EXIT_DONE)
		status = say_none(&s);
	free(s.list);
	patterns_free(&s.patterns);
	return judged_close(&s.judged, status);
}
