// facts.c - rows of a log as increments: what an engine stores of each raw value
// SPDX-License-Identifier: MIT

#include "push/facts.h"

#include "base/mem.h"
#include "core/calc.h"
#include "query/slots.h"

struct pmon_push_form
pmon_push_form(const struct pmon_counter *counter)
{
	struct pmon_increment_form form;
	struct pmon_calc calc;

	(void)pmon_calc_init(&calc, counter, NULL);
	form = pmon_increment_form(&calc);
	return (struct pmon_push_form){.add = form.add,
				       .mul = form.mul,
				       .is_real = form.is_real,
				       .by_base = form.type != NULL &&
						  form.type->second == PMON_SECOND_BASE,
				       .has_average = form.type != NULL};
}

void
pmon_push_states_init(struct pmon_push_states *states, const struct pmon_allocator *allocator)
{
	*states = (struct pmon_push_states){.allocator = allocator};
}

void
pmon_push_states_free(struct pmon_push_states *states)
{
	pmon_mem_free(states->allocator, states->list, states->cap * sizeof(*states->list));
}

bool
pmon_push_states_grow(struct pmon_push_states *states, const struct pmon_schema *schema)
{
	size_t n = pmon_schema_count(schema);

	if (!pmon_mem_grow(states->allocator, &states->list, &states->cap, n,
			   sizeof(*states->list)))
		return false;
	for (; states->n < n; states->n++) {
		struct pmon_push_state *state = &states->list[states->n];
		struct pmon_calc calc;

		(void)pmon_calc_init(&calc, &pmon_schema_at(schema, states->n)->counter, NULL);
		*state = (struct pmon_push_state){.has_tail = false};
		pmon_increments_begin(&state->rows, &calc);
		state->is_real = pmon_increment_form(&calc).is_real;
	}
	return true;
}

enum pmon_push_same
pmon_push_compare_owners(const struct pmon_push_owner *a, const struct pmon_push_owner *b)
{
	const struct pmon_raw x = {.first = a->id, .second = a->start, .multi = a->known};
	const struct pmon_raw y = {.first = b->id, .second = b->start, .multi = b->known};

	if ((a->known == 0) != (b->known == 0))
		return PMON_PUSH_UNKNOWN;
	return pmon_owner_same(&x, &y) ? PMON_PUSH_SAME : PMON_PUSH_OTHER;
}

static bool
is_same_owner(const struct pmon_push_owner *a, const struct pmon_push_owner *b)
{
	return a->id == b->id && a->start == b->start && a->known == b->known;
}

static struct pmon_push_owner
owner_of(const struct pmon_raw *raw)
{
	uint32_t known = raw->multi & ~PMON_OWNER_FIRST;

	return (struct pmon_push_owner){.id = raw->first, .start = raw->second, .known = known};
}

bool
pmon_push_fact(struct pmon_push_states *states, uint32_t series, const struct pmon_push_row *row,
	       struct pmon_push_fact *fact)
{
	struct pmon_push_state *state = &states->list[series];
	const struct pmon_raw *raw = row->raw;

	if (raw->status == PMON_RAW_OWNER) {
		state->owner_next = owner_of(raw);
		return false;
	}
	if (row->absent_after != 0)
		pmon_increments_gap(&state->rows);
	*fact = (struct pmon_push_fact){
		.series = row->series,
		.time = row->time,
		.nth = row->nth,
		.span = state->has_tail ? row->time - state->time : 0,
		.owner = state->owner_next,
		.same_owner = state->has_tail && is_same_owner(&state->owner, &state->owner_next),
		.row = pmon_increments_next(&state->rows, raw),
	};
	if (!pmon_raw_usable(raw))
		return true;
	state->time = row->time;
	state->nth = row->nth;
	state->owner = state->owner_next;
	state->has_tail = true;
	state->is_new = true;
	return true;
}
