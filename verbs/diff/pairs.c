// pairs.c - find the series of two logs that are the same counter
// SPDX-License-Identifier: MIT

#include "verbs/diff/pairs.h"

#include <stdlib.h>

#include "base/utf.h"
#include "shell/output/say.h"

struct item {
	const struct pmon_series *series;
	double average;
	bool with_machine; // machines must match
	bool is_paired;
};

struct side {
	struct item *list;
	size_t n;
};

// ---- Order ----------------------------------------------------------------------------------

static bool
is_process(const struct pmon_series *series)
{
	return series->of_process && series->process_id >= 0;
}

static int
compare_names(const struct item *a, const struct item *b)
{
	const struct pmon_path *x = pmon_series_english(a->series);
	const struct pmon_path *y = pmon_series_english(b->series);
	int order = pmon_utf_compare_folded(x->object, y->object);

	if (order == 0)
		order = pmon_utf_compare_folded(x->counter, y->counter);
	if (order == 0)
		order = pmon_utf_compare_folded(x->parent, y->parent);
	if (order == 0)
		order = pmon_utf_compare_folded(x->instance, y->instance);
	if (order == 0 && a->with_machine)
		order = pmon_utf_compare_folded(x->machine, y->machine);
	return order;
}

// An instance's index does not identify a process: svchost#3 is a different one every day.
static int
compare_items(const struct item *a, const struct item *b)
{
	bool x = is_process(a->series);
	bool y = is_process(b->series);
	int order = compare_names(a, b);

	if (order != 0 || x != y)
		return order != 0 ? order : x - y;
	if (x || a->series->path.index == b->series->path.index)
		return 0;
	return a->series->path.index < b->series->path.index ? -1 : 1;
}

int
pairs_order(const struct pmon_series *a, const struct pmon_series *b, bool with_machine)
{
	struct item x = {.series = a, .with_machine = with_machine};
	struct item y = {.series = b, .with_machine = with_machine};

	return compare_items(&x, &y);
}

// Among those with one name, the largest average first.
static int
by_name_and_size(const void *a, const void *b)
{
	const struct item *x = a;
	const struct item *y = b;
	int order = compare_items(x, y);

	if (order == 0 && x->average != y->average)
		return x->average > y->average ? -1 : 1;
	return order != 0 ? order : x->series->id < y->series->id ? -1 : 1;
}

// ---- Sides ----------------------------------------------------------------------------------

static bool
collect(const struct differences *d, enum time_side side, const struct logs *logs,
	bool with_machine, struct side *out)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	out->list = calloc(pmon_schema_count(schema) + 1, sizeof(*out->list));
	for (size_t i = 0; out->list != NULL && i < pmon_schema_count(schema); i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		if (!differences_has(d, side, series) || !differences_is_wanted(d, series))
			continue;
		out->list[out->n++] = (struct item){
			.series = series,
			.average = pmon_stats_average(pmon_statistics_at(d->statistics[side], i))
					   .value,
			.with_machine = with_machine};
	}
	if (out->list != NULL && out->n > 1)
		qsort(out->list, out->n, sizeof(*out->list), by_name_and_size);
	return out->list != NULL;
}

// ---- Groups of one name ---------------------------------------------------------------------

static size_t
end_of_group(const struct side *side, size_t from)
{
	size_t end = from;

	while (end < side->n && compare_items(&side->list[from], &side->list[end]) == 0)
		end++;
	return end;
}

static int
pair_items(struct differences *d, struct item *before, struct item *after)
{
	if (before != NULL)
		before->is_paired = true;
	if (after != NULL)
		after->is_paired = true;
	return differences_pair(d, before != NULL ? before->series : NULL,
				after != NULL ? after->series : NULL);
}

static bool
are_one_process(const struct item *a, const struct item *b)
{
	return is_process(a->series) && a->series->process_id == b->series->process_id &&
	       a->series->thread_id == b->series->thread_id &&
	       pmon_text_same(a->series->path.machine, b->series->path.machine);
}

static struct item *
next_left(struct item *list, size_t n, size_t *i)
{
	while (*i < n && list[*i].is_paired)
		(*i)++;
	return *i < n ? &list[*i] : NULL;
}

static int
pair_group(struct differences *d, struct item *before, size_t n_before, struct item *after,
	   size_t n_after)
{
	int status = EXIT_DONE;
	size_t i = 0;
	size_t k = 0;

	for (size_t x = 0; x < n_before; x++)
		for (size_t y = 0; y < n_after && !before[x].is_paired; y++)
			if (status == EXIT_DONE && !after[y].is_paired &&
			    are_one_process(&before[x], &after[y]))
				status = pair_items(d, &before[x], &after[y]);
	while (status == EXIT_DONE) {
		struct item *a = next_left(before, n_before, &i);
		struct item *b = next_left(after, n_after, &k);

		if (a == NULL && b == NULL)
			break;
		status = pair_items(d, a, b);
	}
	return status;
}

static int
pair_sides(struct differences *d, struct side *before, struct side *after)
{
	int status = EXIT_DONE;
	size_t i = 0;
	size_t k = 0;

	while (status == EXIT_DONE && (i < before->n || k < after->n)) {
		int order = i == before->n  ? 1
			    : k == after->n ? -1
					    : compare_items(&before->list[i], &after->list[k]);
		size_t i_end = order <= 0 ? end_of_group(before, i) : i;
		size_t k_end = order >= 0 ? end_of_group(after, k) : k;

		status = pair_group(d, before->list + i, i_end - i, after->list + k, k_end - k);
		i = i_end;
		k = k_end;
	}
	return status;
}

int
pairs_compare(struct differences *d, const struct logs *before, const struct logs *after)
{
	bool with_machine = !logs_of_one_machine(before) || !logs_of_one_machine(after);
	struct side sides[2] = {{NULL, 0}, {NULL, 0}};
	int status = EXIT_DONE;

	if (!collect(d, BEFORE, before, with_machine, &sides[BEFORE]) ||
	    !collect(d, AFTER, after, with_machine, &sides[AFTER]))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = pair_sides(d, &sides[BEFORE], &sides[AFTER]);
	free(sides[BEFORE].list);
	free(sides[AFTER].list);
	return status;
}
