// processes.c - the processes of this machine, and who uses most of its resources
// SPDX-License-Identifier: MIT

#include "verbs/health/processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verbs/health/values.h"

#define DEPTH    64 // of ancestors that are looked at
#define KTHREADD 2  // which starts the threads of the kernel

const char *const processes_by[BY_KINDS] = {"processor", "memory", "disk"};

// ---- Processes ------------------------------------------------------------------------------

static int
by_id(const void *a, const void *b)
{
	const struct process *x = a;
	const struct process *y = b;

	if (x->series->process_id != y->series->process_id)
		return x->series->process_id < y->series->process_id ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

struct process *
processes_at(const struct processes *all, int64_t id)
{
	size_t low = 0;
	size_t high = all->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all->list[middle].series->process_id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->n && all->list[low].series->process_id == id ? &all->list[low] : NULL;
}

static void
fill_process(const struct judged *j, struct process *p, const struct pmon_series *series)
{
	if (state_is_of(series, "Process", "% Processor Time"))
		p->by[BY_PROCESSOR] = state_average_of(j, series);
	else if (state_is_of(series, "Process", "Working Set"))
		p->by[BY_MEMORY] = state_last_of(j, series);
	else if (state_is_of(series, "Process", "Disk Read Bytes/sec") ||
		 state_is_of(series, "Process", "Disk Write Bytes/sec"))
		p->by[BY_DISK] += fmax(state_average_of(j, series), 0);
	else if (state_is_of(series, "Process", "Handle Count"))
		p->handles = state_last_of(j, series);
	else if (state_is_of(series, "Process", "Creating Process ID"))
		p->parent = (int64_t)fmax(state_last_of(j, series), 0);
}

static pmon_time
first_time(const struct judged *j, const struct process *p)
{
	const struct pmon_stats *stats = pmon_statistics_at(j->statistics, p->series->id);

	return stats != NULL ? stats->first_raw_time : PMON_TIME_NONE;
}

// Mark those that were not there from the beginning.
static void
find_new(const struct judged *j, struct processes *all)
{
	pmon_time first = INT64_MAX;

	for (size_t i = 0; i < all->n; i++) {
		pmon_time time = first_time(j, &all->list[i]);

		first = time != PMON_TIME_NONE && time < first ? time : first;
	}
	for (size_t i = 0; i < all->n; i++)
		all->list[i].is_new = first_time(j, &all->list[i]) != first;
}

bool
processes_find(const struct judged *j, struct processes *out)
{
	const struct pmon_schema *schema = pmon_source_schema(j->logs.source);
	size_t count = pmon_schema_count(schema);

	out->n = 0;
	out->list = calloc(count + 1, sizeof(*out->list));
	if (out->list == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!series->of_process || series->process_id < 0 || series->thread_id >= 0 ||
		    !state_is_of(series, "Process", "ID Process"))
			continue;
		out->list[out->n++] = (struct process){.series = series};
	}
	qsort(out->list, out->n, sizeof(*out->list), by_id);
	find_new(j, out);
	for (size_t i = 0; i < count; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);
		struct process *p = series->of_process && series->process_id >= 0
					    ? processes_at(out, series->process_id)
					    : NULL;

		if (p != NULL)
			fill_process(j, p, series);
	}
	return true;
}

void
processes_look_up(const struct judged *j, struct process *p)
{
	if (!p->is_known && j->request.sampling.replay == NULL)
		p->is_known = who_is(j->request.sampling.root, p->series->process_id,
				     p->series->path.instance, &p->who);
}

size_t
processes_top(const struct judged *j, struct processes *all, enum by by,
	      struct process *top[PROCESSES_TOP])
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct process *p = &all->list[i];
		size_t at = n;

		if (!(p->by[by] > 0))
			continue;
		while (at > 0 && top[at - 1]->by[by] < p->by[by])
			at--;
		if (at == PROCESSES_TOP)
			continue;
		n += n < PROCESSES_TOP;
		memmove(&top[at + 1], &top[at], (n - 1 - at) * sizeof(struct process *));
		top[at] = p;
	}
	for (size_t i = 0; i < n; i++)
		processes_look_up(j, top[i]);
	return n;
}

// The process itself, or its nearest ancestor, that was there from the beginning; NULL if there is none, or if it
// starts the threads of the kernel.
static struct process *
old_ancestor(const struct processes *all, struct process *p)
{
	for (int depth = 0; p != NULL && p->is_new && depth < DEPTH; depth++)
		p = processes_at(all, p->parent);
	return p != NULL && !p->is_new && p->series->process_id != KTHREADD ? p : NULL;
}

static bool
is_old(const void *all, int64_t id)
{
	return old_ancestor(all, processes_at(all, id)) != NULL;
}

// A process that lives for less than an interval is in no sample, so the samples are the second choice.
const struct process *
processes_parent(const struct judged *j, const struct processes *all)
{
	const struct process *best = NULL;
	int64_t parent = j->request.sampling.replay == NULL
				 ? who_starts(j->request.sampling.root, is_old, all)
				 : WHO_NOBODY;

	if (parent != WHO_NOBODY)
		return old_ancestor(all, processes_at(all, parent));
	for (size_t i = 0; i < all->n; i++) {
		struct process *ancestor =
			all->list[i].is_new ? old_ancestor(all, &all->list[i]) : NULL;

		if (ancestor == NULL)
			continue;
		ancestor->children++;
		if (best == NULL || ancestor->children > best->children)
			best = ancestor;
	}
	return best != NULL && best->children > 1 ? best : NULL;
}

void
processes_put_name(struct pmon_text *t, const struct process *p)
{
	char name[STATE_TEXT];

	(void)draw_instance(p->series, name, sizeof(name));
	pmon_text_str(t, name);
}
