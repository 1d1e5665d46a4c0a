// window.c - the time for which a series was beyond its limit within a sliding window
// SPDX-License-Identifier: MIT
//
// The window is stored as intervals beyond the limit; adjacent ones are merged.

#include <stdlib.h>
#include <string.h>

#include "rules/state.h"

struct piece { // positions on the scale of elapsed_100ns
	int64_t from;
	int64_t to;
};

struct rules_window {
	int64_t beyond_100ns; // in all pieces
	size_t n;
	size_t cap;
	struct piece *list;
};

void
rules_window_forget(struct tally *t)
{
	if (t->window != NULL)
		free(t->window->list);
	free(t->window);
	t->window = NULL;
}

// Drop intervals before the window.
static void
slide(struct rules_window *w, int64_t begin)
{
	size_t gone = 0;

	for (; gone < w->n && w->list[gone].from < begin; gone++) {
		struct piece *piece = &w->list[gone];

		if (piece->to > begin) {
			w->beyond_100ns -= begin - piece->from;
			piece->from = begin;
			break;
		}
		w->beyond_100ns -= piece->to - piece->from;
	}
	w->n -= gone;
	if (gone > 0)
		memmove(w->list, w->list + gone, w->n * sizeof(*w->list));
}

bool
rules_window_add(struct tally *t, int64_t within_100ns, const struct rules_interval *interval,
		 bool is_beyond)
{
	struct piece piece = {interval->elapsed_100ns - interval->length_100ns,
			      interval->elapsed_100ns};
	struct rules_window *w = t->window;

	if (w == NULL && !is_beyond)
		return true;
	if (w == NULL)
		w = t->window = calloc(1, sizeof(*w));
	if (w == NULL)
		return false;
	if (is_beyond) {
		w->beyond_100ns += interval->length_100ns;
		if (w->n > 0 && w->list[w->n - 1].to == piece.from)
			w->list[w->n - 1].to = piece.to;
		else if (rules_grow(&w->list, &w->cap, w->n + 1, sizeof(piece)))
			w->list[w->n++] = piece;
		else
			return false;
	}
	slide(w, interval->elapsed_100ns - within_100ns);
	return true;
}

bool
rules_window_holds(const struct tally *t, const struct rules_rule *rule)
{
	return t->window != NULL &&
	       (double)t->window->beyond_100ns >= rule->window_share * (double)rule->within_100ns;
}

bool
rules_window_is_over(const struct tally *t, const struct rules_rule *rule, int64_t now_100ns)
{
	const struct rules_run *run = t->run;

	if (run->is_raised)
		return !rules_window_holds(t, rule);
	return (double)run->beyond_100ns <
	       rule->window_share * (double)(now_100ns - run->from.elapsed_100ns);
}
