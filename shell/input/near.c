// near.c - suggest counters for a pattern without matches
// SPDX-License-Identifier: MIT

#include "shell/input/near.h"

#include "shell/args/suggest.h"

static size_t
part_distance(struct pmon_span pattern, struct pmon_span text)
{
	return pmon_text_match(pattern, text) ? 0 : suggest_distance(pattern, text);
}

// The distance of a series from a pattern that matched nothing: of the counter, and of the rest.
static size_t
pattern_distance(const struct pmon_path *pattern, const struct pmon_path *path)
{
	size_t distance = 2 * part_distance(pattern->counter, path->counter) +
			  2 * part_distance(pattern->object, path->object);

	if (!pmon_text_match(pattern->instance, path->instance))
		distance += suggest_distance(pattern->instance, path->instance) + 1;
	if (pattern->machine.ptr != NULL && !pmon_text_match(pattern->machine, path->machine))
		distance += suggest_distance(pattern->machine, path->machine) + 1;
	return distance;
}

void
near_add(struct near *near, const struct pmon_path *pattern, const struct pmon_series *series)
{
	size_t distance = pattern_distance(pattern, &series->path);
	size_t i = near->n;

	if (series->english != NULL) {
		size_t english = pattern_distance(pattern, series->english);

		distance = english < distance ? english : distance;
	}
	if (i == NEAR_NAMES && near->distance[--i] <= distance)
		return;
	for (; i > 0 && near->distance[i - 1] > distance; i--) {
		near->series[i] = near->series[i - 1];
		near->distance[i] = near->distance[i - 1];
	}
	near->series[i] = series;
	near->distance[i] = distance;
	near->n += near->n < NEAR_NAMES;
}

bool
near_is_within(const struct near *near, size_t most)
{
	return near->n > 0 && near->distance[0] > 0 && near->distance[0] <= most;
}
