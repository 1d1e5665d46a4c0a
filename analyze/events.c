// events.c - what happened to a machine or to its log, which no limit is needed for
// SPDX-License-Identifier: MIT

#include "analyze/events.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/time.h"

void
events_add(struct events *events, const struct event *event)
{
	if (events->n < EVENTS_MOST)
		events->list[events->n++] = *event;
	else
		events->others++;
}

static int
order_of_series(const struct pmon_series *a, const struct pmon_series *b)
{
	const struct pmon_path *x = pmon_series_english(a);
	const struct pmon_path *y = pmon_series_english(b);
	int order = pmon_text_order(x->object, y->object);

	if (order == 0)
		order = pmon_text_order(x->counter, y->counter);
	return order != 0 ? order : pmon_text_order(x->instance, y->instance);
}

static int
earliest_first(const void *a, const void *b)
{
	const struct event *x = a;
	const struct event *y = b;
	int order;

	if (x->steady_from != y->steady_from)
		return x->steady_from < y->steady_from ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	order = pmon_text_order(x->machine, y->machine);
	if (order == 0)
		order = pmon_text_order(x->provider, y->provider);
	return order == 0 && x->series != NULL ? order_of_series(x->series, y->series) : order;
}

void
events_sort(struct events *events)
{
	qsort(events->list, events->n, sizeof(*events->list), earliest_first);
}

// How far the clock was set ahead in an interval.
static int64_t
set_in(const struct event *times)
{
	return pmon_time_minus(pmon_time_minus(times->to, times->from),
			       pmon_time_minus(times->steady_to, times->steady_from));
}

bool
events_of_interval(struct events *events, const struct pmon_pace *pace, const struct event *times)
{
	struct event event = *times;
	int64_t set = set_in(times);

	if (pace->samples < 2)
		return true;
	if (set != 0) {
		event.kind = set > 0 ? EVENT_AHEAD : EVENT_BACK;
		event.length_100ns = set > 0 ? set : pmon_time_minus(0, set);
		events_add(events, &event);
	}
	if (pace->is_gap) {
		event.kind = EVENT_GAP;
		event.length_100ns = pace->interval_100ns;
		events_add(events, &event);
	}
	return set <= 0 && !pace->is_gap;
}

const char *
event_name(enum event_kind kind)
{
	static const char *const names[EVENT_KINDS] = {
		"machine-restarted", "clock-ahead",          "clock-back", "gap",
		"provider-away",     "configuration-changed"};

	return names[kind];
}
