// filter.c - a log of which only the counters on the first screen are read to the end
// SPDX-License-Identifier: MIT

#include "verbs/first/filter.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "shell/input/by_series.h"
#include "shell/input/picked.h"
#include "model/source.h"
#include "query/display.h"

// One series of the log.
struct seen {
	bool is_chosen; // by the overview, if it has a value
	bool is_shown;
	bool is_needed;
	bool has_value;
	bool is_not_zero; // a value was not 0
	bool is_waiting;  // for a second sample
	bool has_one;     // a sample was seen
	bool has_two;
};

struct filter {
	struct pmon_source base; // must be first
	const struct pmon_select *shows;
	const struct pmon_select *needs;
	const struct tracks *tracks;
	struct by_series seen;     // struct seen
	size_t n;                  // series
	struct picked watched;     // those that had only zeros so far
	struct pmon_values values; // of those
	bool *unread;              // by series
	size_t unread_cap;
	bool is_settled; // a series that the overview may choose has a value
};

// ---- Series ---------------------------------------------------------------------------------

static bool
add_series(struct filter *s, const struct pmon_series *series)
{
	struct seen *seen = by_series_get(&s->seen, series->id);
	struct pmon_choice choice;

	if (seen == NULL || !picked_add(&s->watched, series->id))
		return false;
	seen->is_chosen = pmon_choose_could(pmon_series_english(series), &choice);
	seen->is_shown = seen->is_chosen || pmon_select_shows(s->shows, series) ||
			 tracks_want(s->tracks, pmon_series_english(series));
	seen->is_needed = seen->is_shown || pmon_select_shows(s->needs, series);
	s->unread[series->id] = false;
	return true;
}

static bool
add_new_series(struct filter *s)
{
	const struct pmon_schema *schema = pmon_source_schema(s->base.inner);
	size_t n = pmon_schema_count(schema);

	if (n == s->n)
		return true;
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &s->unread, &s->unread_cap, n,
			   sizeof(*s->unread)))
		return false;
	for (; s->n < n; s->n++)
		if (!add_series(s, pmon_schema_at(schema, s->n)))
			return false;
	return true;
}

// ---- Samples --------------------------------------------------------------------------------

// Process a value of a series that had only zeros. Returns whether the series no longer has to be
// read.
static bool
take_value(struct filter *s, uint32_t series, const struct pmon_value *value)
{
	struct seen *seen = by_series_find(&s->seen, series);
	bool has_value = pmon_vstat_has_value(value->status);

	s->is_settled = s->is_settled || (has_value && seen->is_chosen);
	seen->is_not_zero = seen->is_not_zero || (has_value && value->value != 0);
	seen->has_value = seen->has_value || has_value;
	seen->is_waiting = value->status == PMON_V_FIRST;
	seen->has_two = seen->has_one;
	seen->has_one = true;
	if (!seen->is_not_zero || !seen->has_two)
		return false;
	picked_drop(&s->watched, series);
	s->unread[series] = !seen->is_needed;
	return s->unread[series];
}

static bool
take_sample(struct filter *s, const struct pmon_sample *sample)
{
	bool was_settled = s->is_settled;
	const struct pmon_value *values;
	bool has_new = false;

	if (!add_new_series(s))
		return false;
	sample = picked_of(&s->watched, sample);
	if (sample == NULL || pmon_values_add(&s->values, sample, &values, NULL) != PMON_OK)
		return false;
	for (size_t i = 0; i < sample->n; i++)
		has_new |= take_value(s, sample->series[i], &values[i]);
	if (s->is_settled && (has_new || !was_settled))
		pmon_source_skip(s->base.inner, s->unread, s->n);
	return true;
}

static enum pmon_status
filter_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct filter *s = (struct filter *)source;
	enum pmon_status status = pmon_source_next(source->inner, sample, err);

	source->numbers = source->inner->numbers;
	if (status == PMON_OK && !take_sample(s, *sample))
		return pmon_err_nomem(err);
	return status;
}

static enum pmon_status
filter_rewind(struct pmon_source *source, struct pmon_err *err)
{
	return pmon_source_rewind(source->inner, err);
}

static void
filter_close(struct pmon_source *source)
{
	struct filter *s = (struct filter *)source;

	pmon_source_close(source->inner);
	pmon_values_free(&s->values);
	picked_free(&s->watched);
	by_series_free(&s->seen);
	pmon_mem_free(pmon_mem_allocator(NULL), s->unread, s->unread_cap * sizeof(*s->unread));
	free(s);
}

static const struct pmon_source_ops filter_ops = {
	.next = filter_next, .rewind = filter_rewind, .close = filter_close};

// ---- For the screen -------------------------------------------------------------------------

struct filter *
filter_open(struct pmon_source *source, const struct pmon_select *shows,
	    const struct pmon_select *needs, const struct tracks *tracks,
	    const struct pmon_calc_options *calc)
{
	struct filter *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		pmon_source_close(source);
		return NULL;
	}
	s->base.ops = &filter_ops;
	s->base.inner = source;
	s->shows = shows;
	s->needs = needs;
	s->tracks = tracks;
	s->seen = BY_SERIES_OF(struct seen);
	s->watched = PICKED;
	pmon_values_init(&s->values, pmon_source_schema(source), calc, NULL);
	return s;
}

struct pmon_source *
filter_source(struct filter *filter)
{
	return &filter->base;
}

bool
filter_is_settled(const struct filter *filter)
{
	return filter->is_settled;
}

bool
filter_hides(void *filter, const struct pmon_series *series)
{
	const struct filter *s = filter;
	const struct seen *seen = by_series_find(&s->seen, series->id);

	return s->is_settled && !seen->is_shown;
}

size_t
filter_count_zero(const struct filter *filter)
{
	size_t n = 0;

	for (size_t i = 0; i < filter->n; i++) {
		const struct seen *seen = by_series_find(&filter->seen, i);

		n += seen->has_value && !seen->is_not_zero;
	}
	return n;
}

size_t
filter_count_waiting(const struct filter *filter)
{
	size_t n = 0;

	for (size_t i = 0; i < filter->n; i++) {
		const struct seen *seen = by_series_find(&filter->seen, i);

		if (seen->has_two)
			return 0;
		n += seen->has_one && seen->is_waiting;
	}
	return n;
}
