// repair.c - rows of a series in the order of time, each with the interval since the one before it
// SPDX-License-Identifier: MIT

#include "push/repair.h"

#include "core/calc.h"
#include "push/seams.h"

#define NONE SIZE_MAX

// ---- Raw values -----------------------------------------------------------------------------

// The usable row at a time, the last of several, before row i.
static size_t
find_at(const struct pmon_push_repaired *rows, size_t i, pmon_time time)
{
	size_t low = 0;
	size_t high = i;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].fact.time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 0 && rows[low - 1].fact.time == time) {
		low--;
		if (rows[low].fact.row.kind != PMON_INCREMENT_NONE)
			return low;
	}
	return NONE;
}

static bool
rebuild(const struct pmon_calc *calc, struct pmon_push_repaired *rows, size_t i)
{
	struct pmon_push_fact *fact = &rows[i].fact;
	struct pmon_increments state;
	size_t older = NONE;

	if (fact->row.kind == PMON_INCREMENT_PAIR)
		older = find_at(rows, i, fact->time - fact->span);
	pmon_increments_begin(&state, calc);
	if (older != NONE)
		pmon_increments_lead(&state, &rows[older].raw);
	if (older != NONE && fact->same_owner)
		fact->owner = rows[older].fact.owner;
	return pmon_increment_raw(&state, &fact->row, &rows[i].raw);
}

// ---- Intervals ------------------------------------------------------------------------------

// Does the interval of a row begin at the row before it, or did its series begin after that one?
static bool
is_settled(const struct pmon_push_fact *fact, const struct pmon_push_fact *older)
{
	if (fact->row.raw_status == PMON_RAW_STARTED)
		return true;
	if (fact->row.kind == PMON_INCREMENT_START && fact->span == 0)
		return false;
	return fact->time - fact->span == older->time;
}

static bool
is_same(const struct pmon_push_fact *a, const struct pmon_push_fact *b)
{
	return a->row.kind == b->row.kind && a->row.status == b->row.status &&
	       a->row.n == b->row.n && a->row.d == b->row.d && a->row.b == b->row.b &&
	       a->row.wrapped == b->row.wrapped && a->span == b->span;
}

static void
settle(const struct pmon_calc *calc, struct pmon_push_repaired *row,
       const struct pmon_push_repaired *older)
{
	struct pmon_push_fact before = row->fact;
	struct pmon_increments state;

	pmon_increments_begin(&state, calc);
	(void)pmon_push_make_pair(&state, &older->raw, older->fact.time, &older->fact.owner,
				  &row->raw, &row->fact);
	row->is_new = !is_same(&before, &row->fact);
	row->fact.same_owner &= !row->is_new;
}

bool
pmon_push_repair(const struct pmon_calc *calc, struct pmon_push_repaired *rows, size_t n)
{
	size_t older = NONE;

	for (size_t i = 0; i < n; i++)
		if (!rebuild(calc, rows, i))
			return false;
	for (size_t i = 0; i < n; i++) {
		if (rows[i].fact.row.kind == PMON_INCREMENT_NONE)
			continue;
		if (older != NONE && !is_settled(&rows[i].fact, &rows[older].fact))
			settle(calc, &rows[i], &rows[older]);
		older = i;
	}
	return true;
}
