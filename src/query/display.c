// display.c - the displayed values of samples
// SPDX-License-Identifier: MIT

#include "query/display.h"

#include "base/err.h"
#include "base/mem.h"
#include "core/pair.h"
#include "model/schema.h"

// One series. `stream` and `ordinal` are those of its newest sample: if the next one is not its
// successor in the same stream, the series was absent in between, and its next value starts a new
// run.
struct pmon_values_row {
	struct pmon_pair pair; // valid only while there is a raw value to pair with
	uint64_t ordinal;
	uint32_t stream;
	uint32_t life; // of its series
	bool is_begun;
	bool is_open; // there is a raw value to pair with
};

// ---- Values ---------------------------------------------------------------------------------

void
pmon_values_init(struct pmon_values *v, const struct pmon_schema *schema,
		 const struct pmon_calc_options *options, const struct pmon_allocator *allocator)
{
	*v = (struct pmon_values){.allocator = pmon_mem_allocator(allocator), .schema = schema};
	if (options != NULL)
		v->options = *options;
}

void
pmon_values_free(struct pmon_values *v)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(v->allocator);

	pmon_mem_free(allocator, v->rows, v->rows_cap * sizeof(*v->rows));
	pmon_mem_free(allocator, v->calcs, v->calcs_cap * sizeof(*v->calcs));
	pmon_mem_free(allocator, v->list, v->list_cap * sizeof(*v->list));
	v->rows = NULL;
	v->calcs = NULL;
	v->list = NULL;
	v->rows_cap = v->calcs_cap = v->list_cap = v->n = 0;
}

// Add rows for new series.
static bool
grow(struct pmon_values *v)
{
	size_t n = pmon_schema_count(v->schema);

	if (!pmon_mem_grow(v->allocator, &v->rows, &v->rows_cap, n, sizeof(*v->rows)) ||
	    !pmon_mem_grow(v->allocator, &v->calcs, &v->calcs_cap, n, sizeof(*v->calcs)))
		return false;
	for (; v->n < n; v->n++)
		v->rows[v->n] = (struct pmon_values_row){.is_begun = false};
	return true;
}

// The slow path, for all cases.
static struct pmon_value
add_raw(struct pmon_values *v, uint32_t id, const struct pmon_sample *sample,
	const struct pmon_raw *raw)
{
	const struct pmon_series *series = pmon_schema_at(v->schema, id);
	struct pmon_value value = {.status = PMON_V_NO_DATA};
	struct pmon_calc *calc = &v->calcs[id];
	struct pmon_values_row *row = &v->rows[id];

	if (!row->is_begun || row->life != series->life) {
		pmon_calc_init(calc, &series->counter, &v->options);
		row->is_open = false;
	} else if (row->stream == sample->stream && sample->ordinal > row->ordinal + 1)
		row->is_open = false;
	row->is_begun = true;
	row->life = series->life;
	row->stream = sample->stream;
	row->ordinal = sample->ordinal;
	if (!sample->preceding)
		value = pmon_calc_value(calc, row->is_open ? &row->pair.tail : NULL, raw);
	if (pmon_raw_usable(raw)) {
		pmon_pair_begin(&row->pair, calc, raw);
		row->is_open = true;
	}
	if (!row->is_open)
		pmon_pair_begin(&row->pair, calc, NULL);
	return value;
}

// The fast path, for a raw value right after the previous one. False: use the slow path.
static inline bool
add_plain(struct pmon_values_row *row, const struct pmon_sample *sample, const struct pmon_raw *raw,
	  struct pmon_value *value)
{
	if (row->ordinal + 1 != sample->ordinal || row->stream != sample->stream ||
	    sample->preceding || !pmon_pair_value(&row->pair, raw, &value->value, &value->status))
		return false;
	value->policy = PMON_POLICY_DEFAULT;
	row->pair.tail = *raw;
	row->ordinal = sample->ordinal;
	return true;
}

enum pmon_status
pmon_values_add(struct pmon_values *v, const struct pmon_sample *sample,
		const struct pmon_value **values, struct pmon_err *err)
{
	if ((v->n < pmon_schema_count(v->schema) && !grow(v)) ||
	    !pmon_mem_grow(v->allocator, &v->list, &v->list_cap, sample->n, sizeof(*v->list)))
		return pmon_err_nomem(err);
	for (size_t i = 0; i < sample->n; i++) {
		uint32_t id = sample->series[i];

		if (!add_plain(&v->rows[id], sample, &sample->raw[i], &v->list[i]))
			v->list[i] = add_raw(v, id, sample, &sample->raw[i]);
	}
	*values = v->list;
	return PMON_OK;
}
