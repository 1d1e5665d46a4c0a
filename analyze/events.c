// events.c - what happened to a machine or to its log, which no limit is needed for
// SPDX-License-Identifier: MIT

#include "analyze/events.h"

#include <stdlib.h>

#include "base/text.h"

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

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
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

bool
events_of_interval(struct events *events, const struct pmon_pace *pace, const struct event *times)
{
	struct event event = *times;

	if (pace->samples < 2)
		return true;
	if (pace->set_100ns != 0) {
		event.kind = pace->set_100ns > 0 ? EVENT_AHEAD : EVENT_BACK;
		event.length_100ns = pace->set_100ns > 0 ? pace->set_100ns : -pace->set_100ns;
	} else if (pace->is_back) {
		event.kind = EVENT_BACK;
		event.length_100ns = event.from - event.to;
	} else if (pace->is_gap) {
		event.kind = EVENT_GAP;
		event.length_100ns = pace->interval_100ns;
	} else {
		return true;
	}
	events_add(events, &event);
	return false;
}

const char *
event_name(enum event_kind kind)
{
	static const char *const names[EVENT_KINDS] = {
		"machine-restarted", "clock-ahead",          "clock-back", "gap",
		"provider-away",     "configuration-changed"};

	return names[kind];
}
