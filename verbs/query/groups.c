// groups.c - series of a query that are averaged together
// SPDX-License-Identifier: MIT

#include "verbs/query/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf.h"

struct member {
	const struct pmon_series *series;
	char *name; // of its group
};

static int
compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// Paths ignore case. Only numbers with the same type and clock can be added.
static int
compare_groups(const struct member *a, const struct member *b)
{
	const struct pmon_counter *x = &a->series->counter;
	const struct pmon_counter *y = &b->series->counter;
	int order = pmon_utf_compare_folded(span_of(a->name), span_of(b->name));

	if (order == 0)
		order = compare_numbers(x->type, y->type);
	return order != 0 ? order : compare_numbers(x->time_base, y->time_base);
}

static int
compare_machines(const struct member *a, const struct member *b)
{
	return pmon_utf_compare_folded(a->series->path.machine, b->series->path.machine);
}

// In a group, the members of a machine are adjacent, with totals after the others.
static int
by_group(const void *a, const void *b)
{
	const struct member *x = a;
	const struct member *y = b;
	int order = compare_groups(x, y);

	if (order == 0)
		order = compare_machines(x, y);
	if (order == 0)
		order = pmon_path_is_total(&x->series->path) - pmon_path_is_total(&y->series->path);
	return order != 0 ? order : compare_numbers(x->series->id, y->series->id);
}

// Do the members of this total, or another total of its machine, precede it in its group?
static bool
is_in_others(const struct member *member)
{
	return pmon_path_is_total(&member->series->path) &&
	       compare_machines(member - 1, member) == 0;
}

static void
fold(struct groups *groups, struct member *members, size_t n, enum by by)
{
	for (size_t i = 0; i < n; i++) {
		bool begins = i == 0 || compare_groups(&members[i - 1], &members[i]) != 0;

		if (begins) {
			groups->names[groups->n] = members[i].name;
			groups->example[groups->n++] = members[i].series;
		}
		if (!begins && by != BY_INSTANCE && is_in_others(&members[i]))
			continue;
		groups->series[groups->n_members] = members[i].series->id;
		groups->of[groups->n_members++] = (uint32_t)groups->n - 1;
	}
}

// Free the names of members, except those kept as names of groups.
static void
free_names(const struct groups *groups, struct member *members, size_t n)
{
	size_t next = 0;

	for (size_t i = 0; i < n; i++) {
		if (next < groups->n && groups->names[next] == members[i].name)
			next++;
		else
			free(members[i].name);
	}
}

bool
groups_make(struct groups *groups, const struct pmon_schema *schema, const uint32_t *chosen,
	    size_t n, enum by by)
{
	struct member *members = calloc(n + 1, sizeof(*members));
	bool good = members != NULL;

	*groups = (struct groups){.series = calloc(n + 1, sizeof(*groups->series)),
				  .of = calloc(n + 1, sizeof(*groups->of)),
				  .names = calloc(n + 1, sizeof(*groups->names)),
				  .example = calloc(n + 1, sizeof(struct pmon_series *))};
	good = good && groups->series != NULL && groups->of != NULL && groups->names != NULL &&
	       groups->example != NULL;
	for (size_t i = 0; good && i < n; i++) {
		members[i].series = pmon_schema_at(schema, chosen[i]);
		members[i].name = by_text(&members[i].series->path, by, false);
		good = members[i].name != NULL;
	}
	if (good) {
		qsort(members, n, sizeof(*members), by_group);
		fold(groups, members, n, by);
	}
	if (members != NULL)
		free_names(groups, members, n);
	free(members);
	return good;
}

void
groups_free(struct groups *groups)
{
	for (size_t i = 0; groups->names != NULL && i < groups->n; i++)
		free(groups->names[i]);
	free(groups->names);
	free(groups->example);
	free(groups->series);
	free(groups->of);
}
