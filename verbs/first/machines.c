// machines.c - several machines: one line each, the one with the most findings first
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/first/first.h"
#include "verbs/first/matrix.h"
#include "shell/output/say.h"

static struct pmon_value
value_of(const struct pmon_stats *stats, bool least)
{
	return least ? stats->minimum : pmon_stats_average(stats);
}

static void
add_series(struct first_machine *m, const struct pmon_series *series,
	   const struct pmon_stats *stats)
{
	struct pmon_choice choice;
	struct pmon_value value;
	struct first_answer *a;
	double rank;

	if (stats == NULL || !pmon_choose_could(pmon_series_english(series), &choice) ||
	    choice.question >= FIRST_QUESTIONS)
		return;
	a = &m->answers[choice.question];
	value = value_of(stats, choice.least);
	rank = choice.least ? -value.value : value.value;
	if (!pmon_vstat_has_value(value.status))
		return;
	if (a->series != NULL &&
	    (choice.order > a->order || (choice.order == a->order && rank <= a->rank)))
		return;
	*a = (struct first_answer){series, choice.order, rank};
}

static void
count_findings(const struct judged *j, const struct machines *machines, struct first_machine *list)
{
	for (size_t i = 0; i < j->n_findings; i++) {
		const struct rules_finding *finding = &j->findings[i];
		uint32_t place = machines_place(machines, finding->series->path.machine);

		if (place != PMON_MAP_NONE)
			list[place].findings[finding->level]++;
	}
}

static void
count_incidents(const struct incidents *incidents, const struct machines *machines,
		struct first_machine *list)
{
	for (size_t i = 0; i < incidents->n; i++) {
		const struct incident *incident = &incidents->list[i];
		uint32_t place = machines_place(machines, incident->head->series->path.machine);

		if (place != PMON_MAP_NONE && incident->severity > INCIDENT_NOTE)
			list[place].findings[incident->severity == INCIDENT_CRITICAL
						     ? RULES_CRITICAL
						     : RULES_WARNING]++;
	}
}

static void
fill_rows(const struct judged *j, const struct pmon_schema *schema, const struct machines *machines,
	  struct first_machine *list)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		uint32_t place = machines_place(machines, series->path.machine);

		if (place != PMON_MAP_NONE)
			add_series(&list[place], series, pmon_statistics_at(j->statistics, i));
	}
	if (j->finds_incidents)
		count_incidents(&j->incidents, machines, list);
	else
		count_findings(j, machines, list);
}

// By findings, then by processor load.
static int
worst_first(const void *a, const void *b)
{
	const struct first_machine *x = a;
	const struct first_machine *y = b;

	for (size_t level = RULES_LEVELS; level-- > 0;)
		if (x->findings[level] != y->findings[level])
			return x->findings[level] > y->findings[level] ? -1 : 1;
	return (x->answers[0].rank < y->answers[0].rank) -
	       (x->answers[0].rank > y->answers[0].rank);
}

struct first_machine *
first_matrix(const struct judged *j, const struct pmon_schema *schema,
	     const struct machines *machines)
{
	struct first_machine *list = calloc(machines->n + 1, sizeof(*list));

	if (list == NULL)
		return NULL;
	for (size_t i = 0; i < machines->n; i++)
		list[i].name = machines->list[i];
	fill_rows(j, schema, machines, list);
	qsort(list, machines->n, sizeof(*list), worst_first);
	return list;
}

const char *const first_questions[FIRST_QUESTIONS] = {"Processor", "Least memory", "Disk read",
						      "Disk write", "Network"};

bool
first_answer(const struct judged *j, const struct first_machine *m, size_t question,
	     struct pmon_value *out)
{
	const struct pmon_series *series = m->answers[question].series;

	if (series != NULL)
		*out = value_of(pmon_statistics_at(j->statistics, series->id),
				question == FIRST_MEMORY);
	return series != NULL;
}

static void
put_answers(struct out *out, const struct first *f, const struct first_machine *m)
{
	struct pmon_value value;

	for (size_t q = 0; q < FIRST_QUESTIONS; q++)
		if (first_answer(&f->judged, m, q, &value))
			out_quantity(out, m->answers[q].series, &value);
		else
			out_null(out);
}

static int
print_machines(const struct first *f, const struct first_machine *list, size_t n)
{
	struct out_column columns[3 + FIRST_QUESTIONS] = {
		{"machine", "Machine", 0, OUT_LEFT},
		{"critical", "Critical", 0, OUT_RIGHT},
		{"warning", "Warning", 0, OUT_RIGHT},
	};
	struct out out;

	for (size_t q = 0; q < FIRST_QUESTIONS; q++)
		columns[3 + q] =
			(struct out_column){first_questions[q], first_questions[q], 0, OUT_RIGHT};
	putchar('\n');
	out_begin(&out, stdout, f->markdown ? OUT_MARKDOWN : OUT_TEXT, "machines", columns,
		  3 + FIRST_QUESTIONS, &f->judged.logs.clock);
	for (size_t i = 0; i < n && i < FIRST_MACHINES; i++) {
		out_text(&out, list[i].name);
		out_u64(&out, list[i].findings[RULES_CRITICAL]);
		out_u64(&out, list[i].findings[RULES_WARNING]);
		put_answers(&out, f, &list[i]);
	}
	return out_end(&out);
}

bool
first_machines(const struct first *f)
{
	size_t n = f->machines.n;
	struct first_machine *list =
		first_matrix(&f->judged, pmon_source_schema(f->judged.logs.source), &f->machines);
	bool good;

	if (list == NULL)
		return false;
	good = print_machines(f, list, n) == EXIT_DONE;
	if (n > FIRST_MACHINES)
		printf("and %zu more machine%s\n", n - FIRST_MACHINES,
		       n == FIRST_MACHINES + 1 ? "" : "s");
	free(list);
	return good;
}
