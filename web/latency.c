// latency.c - the average per operation in a window of a log of displayed values
// SPDX-License-Identifier: MIT

#include "web/latency.h"

#include "model/schema.h"
#include "query/latency.h"

#define N_OPERANDS 3

// The values of one counter that the latency is computed from.
struct operand {
	struct store_cursor cursor;
	struct store_value next; // not yet used
	bool has_next;
};

struct operands {
	struct operand list[N_OPERANDS];
	size_t n;
	uint32_t series[N_OPERANDS]; // of one sample
	struct pmon_raw raw[N_OPERANDS];
};

static void
add_operand(struct operands *all, const struct store *store, uint32_t id, uint32_t from)
{
	struct operand *one = &all->list[all->n];
	struct store_value before;

	if (id == PMON_SERIES_NONE)
		return;
	(void)store_cursor_open(&one->cursor, store, id, from, &before);
	one->has_next = store_cursor_next(&one->cursor, &one->next);
	all->n++;
}

// The values of the sample at this number, or of none.
static struct pmon_sample
take_sample(struct operands *all, const struct store *store, uint32_t at)
{
	const struct store_sample *stored = store_sample_at(store, at);
	struct pmon_sample sample = {.time = stored->time,
				     .stream = stored->stream,
				     .series = all->series,
				     .raw = all->raw};

	for (size_t i = 0; i < all->n; i++) {
		struct operand *one = &all->list[i];

		while (one->has_next && one->next.at < at)
			one->has_next = store_cursor_next(&one->cursor, &one->next);
		if (!one->has_next || one->next.at != at)
			continue;
		all->series[sample.n] = one->cursor.id;
		all->raw[sample.n++] = one->next.raw;
	}
	return sample;
}

// The samples outside the window tell how long the first interval in it is.
static bool
add_window(struct pmon_latencies *l, struct operands *all, const struct store *store,
	   const struct store_window *window, const struct store_range *range)
{
	for (uint32_t at = store_begin(store); at < range->end; at++) {
		const struct store_sample *stored = store_sample_at(store, at);
		struct pmon_sample sample = {
			.time = stored->time, .stream = stored->stream, .preceding = true};

		if (store_is_inside(store, window, at))
			sample = take_sample(all, store, at);
		if (!pmon_latencies_add(l, &sample, NULL))
			return false;
	}
	return true;
}

static bool
compute(struct call *call, struct pmon_latencies *l, const struct store *store,
	const struct store_window *window, struct latency *out)
{
	struct store_range range = store_find(store, window);
	const struct pmon_latency *one = &l->list[0];
	struct operands all = {.n = 0};
	bool read = true;

	add_operand(&all, store, one->series, range.begin);
	add_operand(&all, store, one->rate, range.begin);
	add_operand(&all, store, one->queue, range.begin);
	if (!add_window(l, &all, store, window, &range)) {
		call_no_memory(call);
		return false;
	}
	for (size_t i = 0; i < all.n; i++)
		read &= !all.list[i].cursor.failed;
	if (!read) {
		call_fail(call, 500, NULL, "cannot read the temporary file");
		return false;
	}
	out->known = pmon_latencies_get(l, one->series, &out->seconds, &out->operations);
	return true;
}

bool
latency_in_window(struct call *call, const struct store *store, uint32_t id,
		  const struct store_window *window, struct latency *out)
{
	const struct pmon_schema *schema = store_schema(store);
	const struct pmon_series *series = pmon_schema_at(schema, id);
	struct pmon_latencies l = {.n = 0};
	bool good = true;

	*out = (struct latency){.known = false};
	if (!series->formatted || !pmon_may_be_average(&series->path))
		return true;
	if (!pmon_latencies_only(&l, schema, id)) {
		call_no_memory(call);
		good = false;
	} else if (l.n > 0) {
		good = compute(call, &l, store, window, out);
	}
	pmon_latencies_free(&l);
	return good;
}
