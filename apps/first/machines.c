// machines.c - several machines: a line for each, the one with the most findings first
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/first/first.h"
#include "cli/output/episode.h"
#include "cli/output/say.h"

#define QUESTIONS 5 // of pmon_choose(): processor, memory, disk reads and writes, network

// The series that answers a question for a machine.
struct answer {
	const struct pmon_series *series; // NULL: there is none
	size_t order;
	double rank;
};

struct machine {
	struct pmon_span name;
	size_t findings[RULES_LEVELS];
	struct answer answers[QUESTIONS];
};

static struct machine *
machine_of(struct machine *list, size_t n, struct pmon_span name, struct machine **newest)
{
	if (pmon_text_same((*newest)->name, name)) // counters of a machine lie together
		return *newest;
	for (size_t i = 0; i < n; i++)
		if (pmon_text_same(list[i].name, name))
			return *newest = &list[i];
	return NULL;
}

static struct pmon_value
value_of(const struct pmon_stats *stats, bool least)
{
	return least ? stats->minimum : pmon_stats_average(stats);
}

static void
add_series(struct machine *m, const struct pmon_series *series, const struct pmon_stats *stats)
{
	struct pmon_choice choice;
	struct pmon_value value;
	struct answer *a;
	double rank;

	if (m == NULL || stats == NULL || !pmon_choose_could(&series->path, &choice) ||
	    choice.question >= QUESTIONS)
		return;
	a = &m->answers[choice.question];
	value = value_of(stats, choice.least);
	rank = choice.least ? -value.value : value.value;
	if (!pmon_vstat_has_value(value.status))
		return;
	if (a->series != NULL &&
	    (choice.order > a->order || (choice.order == a->order && rank <= a->rank)))
		return;
	*a = (struct answer){series, choice.order, rank};
}

static void
fill(const struct first *f, struct machine *list, size_t n)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	struct machine *newest = list;

	for (size_t i = 0; i < n; i++)
		list[i].name = f->machines.list[i];
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		add_series(machine_of(list, n, series->path.machine, &newest), series,
			   pmon_statistics_at(f->judged.statistics, i));
	}
	for (size_t i = 0; i < f->judged.n_findings; i++) {
		const struct rules_finding *finding = &f->judged.findings[i];
		struct machine *m = machine_of(list, n, finding->series->path.machine, &newest);

		if (m != NULL)
			m->findings[finding->level]++;
	}
}

// By findings, then by how busy the processors are.
static int
worst_first(const void *a, const void *b)
{
	const struct machine *x = a;
	const struct machine *y = b;

	for (size_t level = RULES_LEVELS; level-- > 0;)
		if (x->findings[level] != y->findings[level])
			return x->findings[level] > y->findings[level] ? -1 : 1;
	return (x->answers[0].rank < y->answers[0].rank) -
	       (x->answers[0].rank > y->answers[0].rank);
}

static void
put_answer(struct out *out, const struct first *f, const struct answer *a, bool least)
{
	struct pmon_value value;

	if (a->series == NULL) {
		out_null(out);
		return;
	}
	value = value_of(pmon_statistics_at(f->judged.statistics, a->series->id), least);
	out_quantity(out, a->series, &value);
}

static int
print_machines(const struct first *f, const struct machine *list, size_t n)
{
	static const struct out_column columns[] = {
		{"machine", "Machine", 0, OUT_LEFT},
		{"critical", "Critical", 0, OUT_RIGHT},
		{"warning", "Warning", 0, OUT_RIGHT},
		{"processor", "Processor", 0, OUT_RIGHT},
		{"available", "Least memory", 0, OUT_RIGHT},
		{"read", "Disk read", 0, OUT_RIGHT},
		{"write", "Disk write", 0, OUT_RIGHT},
		{"network", "Network", 0, OUT_RIGHT},
	};
	struct out out;

	putchar('\n');
	out_begin(&out, stdout, OUT_TEXT, "machines", columns, sizeof(columns) / sizeof(columns[0]),
		  &f->judged.logs.clock);
	for (size_t i = 0; i < n && i < FIRST_MACHINES; i++) {
		out_text(&out, list[i].name);
		out_u64(&out, list[i].findings[RULES_CRITICAL]);
		out_u64(&out, list[i].findings[RULES_WARNING]);
		for (size_t q = 0; q < QUESTIONS; q++)
			put_answer(&out, f, &list[i].answers[q], q == 1);
	}
	return out_end(&out);
}

bool
first_machines(const struct first *f)
{
	size_t n = f->machines.n;
	struct machine *list = calloc(n, sizeof(*list));
	bool good;

	if (list == NULL)
		return false;
	fill(f, list, n);
	qsort(list, n, sizeof(*list), worst_first);
	good = print_machines(f, list, n) == EXIT_DONE;
	if (n > FIRST_MACHINES)
		printf("and %zu more machine%s\n", n - FIRST_MACHINES,
		       n == FIRST_MACHINES + 1 ? "" : "s");
	free(list);
	return good;
}
