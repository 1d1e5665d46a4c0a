// display.c - the displayed values of samples, computed on their way into a sink
// SPDX-License-Identifier: MIT

#include "query/display.h"

#include "base/err.h"
#include "base/mem.h"
#include "core/pair.h"
#include "model/schema.h"
#include "model/sink.h"

// One series. `stream` and `ordinal` are those of its newest sample: when the next one does not
// follow it in the same stream, the series was absent in between, and its next value starts anew.
struct row {
	struct pmon_pair pair; // plain values only while there is a raw value to pair with
	uint64_t ordinal;
	uint32_t stream;
	bool is_begun;
	bool is_open; // there is
};

struct display {
	struct pmon_sink sink;    // first, as every sink has it
	struct pmon_sink_ops ops; // with the needs of the other sink, but for values
	struct pmon_sink *to;
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct row *rows;
	struct pmon_calc *calcs; // beside rows
	size_t n;
	size_t rows_cap;
	size_t calcs_cap;
	struct pmon_value *values;
	size_t values_cap;
};

// ---- Values ---------------------------------------------------------------------------------

// Rows for the series that have come since.
static bool
grow(struct display *display)
{
	size_t n = pmon_schema_count(display->schema);

	if (!pmon_mem_grow(display->allocator, &display->rows, &display->rows_cap, n,
			   sizeof(*display->rows)) ||
	    !pmon_mem_grow(display->allocator, &display->calcs, &display->calcs_cap, n,
			   sizeof(*display->calcs)))
		return false;
	for (; display->n < n; display->n++)
		display->rows[display->n] = (struct row){.is_begun = false};
	return true;
}

// The plain way, for everything.
static struct pmon_value
add_raw(struct display *display, uint32_t id, const struct pmon_sample *sample,
	const struct pmon_raw *raw)
{
	struct pmon_value value = {.status = PMON_V_NO_DATA};
	struct pmon_calc *calc = &display->calcs[id];
	struct row *row = &display->rows[id];

	if (!row->is_begun)
		pmon_calc_init(calc, &pmon_schema_at(display->schema, id)->counter,
			       &display->options);
	else if (row->stream == sample->stream && sample->ordinal > row->ordinal + 1)
		row->is_open = false;
	row->is_begun = true;
	row->stream = sample->stream;
	row->ordinal = sample->ordinal;
	if (!sample->lead_in)
		value = pmon_calc_value(calc, row->is_open ? &row->pair.tail : NULL, raw);
	if (pmon_raw_usable(raw)) {
		pmon_pair_begin(&row->pair, calc, raw);
		row->is_open = true;
	}
	if (!row->is_open)
		pmon_pair_begin(&row->pair, calc, NULL);
	return value;
}

// The short way, for a raw value that follows on the one before. False when it has to go the plain one.
static inline bool
add_plain(struct row *row, const struct pmon_sample *sample, const struct pmon_raw *raw,
	  struct pmon_value *value)
{
	if (row->ordinal + 1 != sample->ordinal || row->stream != sample->stream ||
	    sample->lead_in || !pmon_pair_value(&row->pair, raw, &value->value, &value->status))
		return false;
	value->policy = PMON_POLICY_DEFAULT;
	row->pair.tail = *raw;
	row->ordinal = sample->ordinal;
	return true;
}

static enum pmon_status
find_values(struct display *display, const struct pmon_sample *sample, struct pmon_err *err)
{
	if ((display->n < pmon_schema_count(display->schema) && !grow(display)) ||
	    !pmon_mem_grow(display->allocator, &display->values, &display->values_cap, sample->n,
			   sizeof(*display->values)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t id = sample->series[i];

		if (!add_plain(&display->rows[id], sample, &sample->raw[i], &display->values[i]))
			display->values[i] = add_raw(display, id, sample, &sample->raw[i]);
	}
	return PMON_OK;
}

// ---- The sink -------------------------------------------------------------------------------

static enum pmon_status
display_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	      const struct pmon_source_info *info, struct pmon_err *err)
{
	struct display *display = (struct display *)sink;

	display->schema = schema;
	return pmon_sink_begin(display->to, schema, info, err);
}

static enum pmon_status
display_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	    const struct pmon_value *values, struct pmon_err *err)
{
	struct display *display = (struct display *)sink;
	enum pmon_status status = find_values(display, sample, err);

	(void)values;
	if (status != PMON_OK ||
	    (sample->starts && !(pmon_sink_needs(display->to) & PMON_SINK_STARTS)))
		return status;
	return pmon_sink_add(display->to, sample, display->values, err);
}

static void
free_rows(struct display *display)
{
	const struct pmon_allocator *allocator = display->allocator;

	pmon_mem_free(allocator, display->rows, display->rows_cap * sizeof(*display->rows));
	pmon_mem_free(allocator, display->calcs, display->calcs_cap * sizeof(*display->calcs));
	pmon_mem_free(allocator, display->values, display->values_cap * sizeof(*display->values));
	display->rows = NULL;
	display->calcs = NULL;
	display->values = NULL;
}

// The other sink may need memory to finish.
static enum pmon_status
display_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	struct display *display = (struct display *)sink;

	free_rows(display);
	return pmon_sink_finish(display->to, err);
}

static void
display_close(struct pmon_sink *sink)
{
	struct display *display = (struct display *)sink;

	free_rows(display);
	pmon_mem_free(display->allocator, display, sizeof(*display));
}

static enum pmon_status
display_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	return pmon_sink_flush(((struct display *)sink)->to, sync, err);
}

static uint64_t
display_size(const struct pmon_sink *sink)
{
	return pmon_sink_size(((const struct display *)sink)->to);
}

static const struct pmon_sink_ops display_ops = {.begin = display_begin,
						 .add = display_add,
						 .finish = display_finish,
						 .close = display_close,
						 .flush = display_flush,
						 .size = display_size};

enum pmon_status
pmon_display_open(struct pmon_sink *to, const struct pmon_calc_options *options,
		  const struct pmon_allocator *allocator, struct pmon_sink **out,
		  struct pmon_err *err)
{
	struct display *display;

	allocator = pmon_mem_allocator(allocator);
	*out = NULL;
	display = pmon_mem_alloc0(allocator, sizeof(*display));
	if (display == NULL)
		return pmon_err_nomem(err);
	display->ops = display_ops;
	display->ops.needs = pmon_sink_needs(to) & ~PMON_SINK_VALUES;
	display->sink.ops = &display->ops;
	display->to = to;
	display->allocator = allocator;
	if (options != NULL)
		display->options = *options;
	*out = &display->sink;
	return PMON_OK;
}
