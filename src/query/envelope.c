// envelope.c - first, minimum, maximum and last value for each column of a graph, in one pass
// SPDX-License-Identifier: MIT

#include <pmon/query.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"

// One series. Columns are allocated with its first value, so that series that are never displayed
// need no memory for them.
struct row {
	struct pmon_envelope_column *columns;
	uint64_t ordinal; // of its newest sample, as in statistics.c
	uint32_t stream;
	bool begun;
	bool wanted;
	bool open; // its newest sample has a value, which the next one joins
};

struct pmon_envelope {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_envelope_options options;
	uint64_t span;  // to - from in units of 2^shift times 100 ns, not 0
	unsigned shift; // chosen so that span * columns does not overflow
	struct row *rows;
	size_t n;
	size_t cap;
	size_t n_shown; // rows that have columns
	size_t n_omitted;
};

static void
set_span(struct pmon_envelope *e)
{
	uint64_t span = (uint64_t)e->options.to - (uint64_t)e->options.from;

	while (span >> e->shift > UINT64_MAX / e->options.columns)
		e->shift++;
	e->span = span >> e->shift;
	if (e->span == 0)
		e->span = 1;
}

enum pmon_status
pmon_envelope_new(const struct pmon_schema *schema, const struct pmon_envelope_options *options,
		  const struct pmon_allocator *allocator, struct pmon_envelope **out,
		  struct pmon_err *err)
{
	struct pmon_envelope_options own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*out = NULL;
	if (status != PMON_OK)
		return status;
	if (own.columns == 0 || own.columns > PMON_ENVELOPE_COLUMNS)
		return pmon_err_set(err, PMON_E_ARG, 0, "an envelope has 1 to %d columns",
				    PMON_ENVELOPE_COLUMNS);
	if (own.from == PMON_TIME_NONE || own.from > own.to)
		return pmon_err_set(err, PMON_E_ARG, 0, "the window ends before it begins");
	if (own.grows && (own.columns % 2 != 0 || own.from == own.to))
		return pmon_err_set(
			err, PMON_E_ARG, 0,
			"a growing window must have a length and an even number of columns");
	allocator = pmon_mem_allocator(allocator);
	*out = pmon_mem_alloc0(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	(*out)->allocator = allocator;
	(*out)->schema = schema;
	(*out)->options = own;
	if (own.max_series == 0)
		(*out)->options.max_series = PMON_ENVELOPE_SERIES;
	set_span(*out);
	return PMON_OK;
}

void
pmon_envelope_free(struct pmon_envelope *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < e->n; i++)
		pmon_mem_free(e->allocator, e->rows[i].columns,
			      e->options.columns * sizeof(*e->rows[i].columns));
	pmon_mem_free(e->allocator, e->rows, e->cap * sizeof(*e->rows));
	pmon_mem_free(e->allocator, e, sizeof(*e));
}

// Add rows for new series.
static bool
grow(struct pmon_envelope *e)
{
	size_t n = pmon_schema_count(e->schema);

	if (!pmon_mem_grow(e->allocator, &e->rows, &e->cap, n, sizeof(*e->rows)))
		return false;
	for (; e->n < n; e->n++)
		e->rows[e->n] = (struct row){
			.wanted = e->options.want == NULL ||
				  e->options.want(e->options.want_ctx,
						  &pmon_schema_at(e->schema, e->n)->path)};
	return true;
}

// Allocate the columns of a series with its first value. False when memory is short.
static bool
show_row(struct pmon_envelope *e, struct row *row)
{
	if (e->n_shown == e->options.max_series) {
		row->wanted = false;
		e->n_omitted++;
		return true;
	}
	row->columns = pmon_mem_alloc0(e->allocator, e->options.columns * sizeof(*row->columns));
	if (row->columns == NULL)
		return false;
	e->n_shown++;
	return true;
}

static void
add_number(struct pmon_envelope_column *column, double value, pmon_time time, bool joined)
{
	if (column->count == 0) {
		column->first = column->minimum = column->maximum = value;
		column->time = time;
		column->joined = joined;
	}
	if (value < column->minimum)
		column->minimum = value;
	if (value > column->maximum)
		column->maximum = value;
	column->last = value;
	if (column->count < UINT32_MAX)
		column->count++;
}

// Record a sample in which the row has a value or may have one. row->open then is whether the
// previous value is adjacent.
static void
follow(struct row *row, const struct pmon_sample *sample)
{
	if (row->begun && row->stream == sample->stream && sample->ordinal > row->ordinal + 1)
		row->open = false;
	row->begun = true;
	row->stream = sample->stream;
	row->ordinal = sample->ordinal;
}

static bool
add_value(struct pmon_envelope *e, struct row *row, size_t column, pmon_time time,
	  const struct pmon_value *value)
{
	if (!pmon_vstat_has_value(value->status)) {
		if (row->columns != NULL && value->status != PMON_V_FIRST &&
		    value->status != PMON_V_CHANGED)
			row->columns[column].missing = (uint8_t)value->status;
		row->open = false;
		return true;
	}
	if (row->columns == NULL && !show_row(e, row))
		return false;
	if (row->columns != NULL)
		add_number(&row->columns[column], value->value, time, row->open);
	row->open = true;
	return true;
}

static size_t
column_of(const struct pmon_envelope *e, pmon_time time)
{
	uint64_t elapsed = ((uint64_t)time - (uint64_t)e->options.from) >> e->shift;
	size_t column = (size_t)(elapsed * e->options.columns / e->span);

	return column < e->options.columns ? column : e->options.columns - 1;
}

// Merge two adjacent columns.
static struct pmon_envelope_column
joined(const struct pmon_envelope_column *a, const struct pmon_envelope_column *b)
{
	struct pmon_envelope_column both = a->count > 0 ? *a : *b;

	both.missing = b->missing != PMON_V_OK ? b->missing : a->missing;
	if (a->count == 0 || b->count == 0)
		return both;
	both.minimum = b->minimum < a->minimum ? b->minimum : a->minimum;
	both.maximum = b->maximum > a->maximum ? b->maximum : a->maximum;
	both.last = b->last;
	both.count = a->count > UINT32_MAX - b->count ? UINT32_MAX : a->count + b->count;
	return both;
}

// Double the window: merge pairs of columns, and empty the second half. False if times would
// overflow.
static bool
double_window(struct pmon_envelope *e)
{
	size_t half = e->options.columns / 2;

	if ((uint64_t)e->options.to - (uint64_t)e->options.from > (uint64_t)INT64_MAX / 2 ||
	    e->options.to > INT64_MAX - (e->options.to - e->options.from))
		return false;
	e->options.to += e->options.to - e->options.from;
	set_span(e);
	for (size_t r = 0; r < e->n; r++) {
		struct pmon_envelope_column *columns = e->rows[r].columns;

		for (size_t i = 0; columns != NULL && i < half; i++)
			columns[i] = joined(&columns[2 * i], &columns[2 * i + 1]);
		for (size_t i = half; columns != NULL && i < 2 * half; i++)
			columns[i] = (struct pmon_envelope_column){.count = 0};
	}
	return true;
}

enum pmon_status
pmon_envelope_add(struct pmon_envelope *e, const struct pmon_sample *sample,
		  const struct pmon_value *values, struct pmon_err *err)
{
	size_t column;

	if (e->n < pmon_schema_count(e->schema) && !grow(e))
		return pmon_err_nomem(err);
	while (e->options.grows && !sample->preceding && sample->time >= e->options.to &&
	       double_window(e)) {
	}
	if (sample->preceding || sample->time < e->options.from || sample->time > e->options.to)
		return PMON_OK;
	column = column_of(e, sample->time);
	for (size_t i = 0; i < sample->n; i++) {
		struct row *row = &e->rows[sample->series[i]];

		if (!row->wanted)
			continue;
		follow(row, sample);
		if (!add_value(e, row, column, sample->time, &values[i]))
			return pmon_err_nomem(err);
	}
	return PMON_OK;
}

const struct pmon_envelope_column *
pmon_envelope_at(const struct pmon_envelope *e, size_t i)
{
	return i < e->n ? e->rows[i].columns : NULL;
}

pmon_time
pmon_envelope_end(const struct pmon_envelope *e)
{
	return e->options.to;
}

size_t
pmon_envelope_omitted(const struct pmon_envelope *e)
{
	return e->n_omitted;
}
