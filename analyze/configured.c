// configured.c - changes of what a machine has: memory, limits, the speed of a link
// SPDX-License-Identifier: MIT

#include "analyze/configured.h"

#include <math.h>

#define MOST_CHANGES 3    // of one counter: what changes more often is no configuration
#define LEAST_SHARE  0.05 // of the value before

static void
note(struct tracks *tracks, const struct track *t, uint32_t at, double before, double after)
{
	struct event event = {.kind = EVENT_CONFIGURED,
			      .machine = t->series->path.machine,
			      .series = t->series,
			      .meaning = t->meaning,
			      .before = before,
			      .after = after};

	tracks_event_times(tracks, t->stream, at, at, &event);
	if (fabs(after - before) >= fmax(t->meaning->shift, LEAST_SHARE * fabs(before)))
		events_add(&tracks->events, &event);
}

// A value that stays is one bin, so that each change is where one begins.
static void
find_changes(struct tracks *tracks, const struct track *t)
{
	double before = NAN;
	uint32_t at = t->bins.from;

	for (uint32_t i = 0; i < t->bins.n; at += t->bins.list[i++].n) {
		double value = (double)t->bins.list[i].mean;

		if (!isnan(value) && !isnan(before))
			note(tracks, t, at, before, value);
		before = isnan(value) ? before : value;
	}
}

void
configured_find(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->n; i++) {
		const struct track *t = tracks->list[i];

		if (t != NULL && t->meaning->kind == MEANING_CONFIGURATION &&
		    t->bins.n <= MOST_CHANGES + 1)
			find_changes(tracks, t);
	}
}
