// increments.c - what each interval adds to an average: the rows that tables and databases store
// SPDX-License-Identifier: MIT
//
// The table at the beginning of increments.h is the specification. Rows have the differences of
// pmon_calc_pair(), which statistics add up too.

#include <pmon/increments.h>

#include <math.h>

#include "core/calc.h"
#include "core/sum.h"

const char *
pmon_increment_kind_name(enum pmon_increment_kind kind)
{
	static const char *const names[] = {"none", "start", "pair"};

	return (unsigned)kind < 3 ? names[kind] : "undefined";
}

struct pmon_increment_form
pmon_increment_form(const struct pmon_calc *calc)
{
	struct pmon_increment_form form = {.mul = 1, .type = calc->type};

	if (pmon_calc_check(calc) != PMON_V_OK || pmon_calc_has_bad_time_base(calc) ||
	    calc->type->formula == PMON_FORMULA_ELAPSED)
		return (struct pmon_increment_form){0};
	switch (calc->type->formula) {
	case PMON_FORMULA_DOUBLE:
	case PMON_FORMULA_FRACTION:
		form.is_real = true;
		break;
	case PMON_FORMULA_RATE:
		form.mul = (double)calc->counter.time_base;
		break;
	case PMON_FORMULA_AVERAGE_TIME:
		form.mul = 1 / (double)calc->counter.time_base;
		break;
	case PMON_FORMULA_PERCENT_INV:
		form.add = 100;
		form.mul = -100;
		break;
	case PMON_FORMULA_PERCENT:
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_MULTI_INV:
		form.mul = 100;
		break;
	default:
		break;
	}
	return form;
}

// ---- Rows -----------------------------------------------------------------------------------

void
pmon_increments_begin(struct pmon_increments *rows, const struct pmon_calc *calc)
{
	*rows = (struct pmon_increments){.calc = *calc};
}

void
pmon_increments_lead(struct pmon_increments *rows, const struct pmon_raw *raw)
{
	if (!pmon_raw_usable(raw))
		return;
	rows->tail = *raw;
	rows->is_open = true;
}

void
pmon_increments_gap(struct pmon_increments *rows)
{
	rows->is_open = false;
}

// A row that keeps the raw value as it is.
static struct pmon_increment
kept(const struct pmon_raw *raw, enum pmon_increment_kind kind, enum pmon_vstat status)
{
	return (struct pmon_increment){
		.time = raw->time,
		.n = raw->first,
		.d = raw->second,
		.multi = raw->multi,
		.raw_status = raw->status,
		.status = status,
		.kind = kind,
	};
}

// A pair with nothing but its status.
static struct pmon_increment
empty_pair(const struct pmon_raw *raw, enum pmon_vstat status)
{
	return (struct pmon_increment){
		.time = raw->time,
		.raw_status = raw->status,
		.status = status,
		.kind = PMON_INCREMENT_PAIR,
	};
}

// The row of a raw value that needs no other.
static struct pmon_increment
row_of_one(const struct pmon_calc *calc, const struct pmon_raw *raw)
{
	enum pmon_vstat status = pmon_calc_one(calc, raw, NULL).status;
	enum pmon_formula formula = calc->type->formula;
	struct pmon_increment row = empty_pair(raw, status);

	if (!pmon_vstat_has_value(status) || formula == PMON_FORMULA_ELAPSED)
		return kept(raw, PMON_INCREMENT_NONE, status);
	row.d = 1;
	if (formula != PMON_FORMULA_COUNT)
		row.x = pmon_raw_number(calc, raw);
	if (formula != PMON_FORMULA_DOUBLE)
		row.n = raw->first;
	if (formula == PMON_FORMULA_FRACTION)
		row.b = raw->second;
	return row;
}

// Differences as the operands of their formula. false: beyond 64 bits with a sign, or no units.
static bool
set_operands(struct pmon_increment *row, enum pmon_formula formula, const struct pmon_delta *delta,
	     uint32_t units)
{
	uint64_t most = INT64_MAX;

	if (pmon_formula_is_multi(formula)) {
		if (units == 0)
			return false;
		row->b = units;
		most /= units;
	}
	if (delta->n > INT64_MAX || delta->d > most)
		return false;
	row->n = (int64_t)delta->n;
	row->d = (int64_t)delta->d;
	if (formula == PMON_FORMULA_DELTA)
		row->d = 1;
	else if (formula == PMON_FORMULA_MULTI)
		row->d *= row->b;
	else if (formula == PMON_FORMULA_MULTI_INV)
		row->n = row->d * row->b - row->n;
	return true;
}

static struct pmon_increment
row_of_pair(const struct pmon_calc *calc, const struct pmon_raw *older,
	    const struct pmon_raw *newer)
{
	enum pmon_formula formula = calc->type->formula;
	struct pmon_delta delta;
	enum pmon_vstat status = pmon_calc_pair(calc, older, newer, &delta, NULL).status;
	struct pmon_increment row = empty_pair(newer, status);

	if (!delta.good)
		return kept(newer, PMON_INCREMENT_START, status);
	if (!set_operands(&row, formula, &delta, newer->multi))
		return kept(newer, PMON_INCREMENT_START, PMON_V_NO_DATA);
	if (newer->first < older->first)
		row.wrapped |= PMON_INCREMENT_N_WRAPPED;
	if (pmon_formula_divides(formula) && newer->second < older->second)
		row.wrapped |= PMON_INCREMENT_D_WRAPPED;
	return row;
}

// The row of a raw value that makes a pair with the one before, or none.
static struct pmon_increment
row_of_two(const struct pmon_increments *rows, const struct pmon_raw *raw)
{
	enum pmon_vstat broken = pmon_raw_break(raw);

	if (broken != PMON_V_OK)
		return kept(raw, PMON_INCREMENT_START, broken);
	if (raw->status == PMON_RAW_STARTED || !rows->is_open)
		return kept(raw, PMON_INCREMENT_START, PMON_V_FIRST);
	return row_of_pair(&rows->calc, &rows->tail, raw);
}

struct pmon_increment
pmon_increments_next(struct pmon_increments *rows, const struct pmon_raw *raw)
{
	enum pmon_vstat status = pmon_calc_check(&rows->calc);
	struct pmon_increment row;

	if (status != PMON_V_OK)
		return kept(raw, PMON_INCREMENT_NONE, status);
	if (!pmon_raw_usable(raw))
		return kept(raw, PMON_INCREMENT_NONE, PMON_V_BAD_RAW);
	if (pmon_formula_is_single(rows->calc.type->formula)) {
		if (raw->status == PMON_RAW_STARTED)
			return kept(raw, PMON_INCREMENT_NONE, PMON_V_FIRST);
		return row_of_one(&rows->calc, raw);
	}
	row = row_of_two(rows, raw);
	pmon_increments_lead(rows, raw);
	return row;
}

// ---- Raw values again -----------------------------------------------------------------------

// What comes `by` after a number: the inverse of the difference.
static int64_t
advanced(int64_t number, int64_t by, bool wrapped)
{
	uint64_t sum = (uint64_t)number + (uint64_t)by;

	return (int64_t)(wrapped ? sum & UINT32_MAX : sum);
}

static void
raw_of_one(enum pmon_formula formula, const struct pmon_increment *row, struct pmon_raw *raw)
{
	if (formula == PMON_FORMULA_DOUBLE)
		memcpy(&raw->first, &row->x, sizeof(row->x));
	else
		raw->first = row->n;
	if (formula == PMON_FORMULA_FRACTION)
		raw->second = row->b;
}

static void
raw_of_pair(const struct pmon_increments *rows, const struct pmon_increment *row,
	    struct pmon_raw *raw)
{
	enum pmon_formula formula = rows->calc.type->formula;
	int64_t n = row->n;
	int64_t d = row->d;

	if (formula == PMON_FORMULA_MULTI)
		d /= row->b;
	else if (formula == PMON_FORMULA_MULTI_INV)
		n = (int64_t)pmon_raw_difference((int64_t)((uint64_t)d * (uint64_t)row->b), n);
	raw->multi = (uint32_t)row->b;
	raw->first = advanced(rows->tail.first, n, (row->wrapped & PMON_INCREMENT_N_WRAPPED) != 0);
	if (pmon_formula_divides(formula))
		raw->second = advanced(rows->tail.second, d,
				       (row->wrapped & PMON_INCREMENT_D_WRAPPED) != 0);
}

bool
pmon_increment_raw(struct pmon_increments *rows, const struct pmon_increment *row,
		   struct pmon_raw *raw)
{
	const struct pmon_counter_type *type = rows->calc.type;

	*raw = (struct pmon_raw){.time = row->time, .status = row->raw_status};
	if (row->kind != PMON_INCREMENT_PAIR) {
		raw->first = row->n;
		raw->second = row->d;
		raw->multi = row->multi;
	} else if (type == NULL) {
		return false;
	} else if (pmon_formula_is_single(type->formula)) {
		raw_of_one(type->formula, row, raw);
	} else if (rows->is_open && (row->b > 0 || !pmon_formula_is_multi(type->formula))) {
		raw_of_pair(rows, row, raw);
	} else {
		return false;
	}
	pmon_increments_lead(rows, raw);
	return true;
}

// ---- Averages -------------------------------------------------------------------------------

void
pmon_increment_add(struct pmon_increment_sums *sums, const struct pmon_increment_form *form,
		   const struct pmon_increment *row)
{
	if (row->kind != PMON_INCREMENT_PAIR || !(fabs(row->x) < PMON_SUM_BOUND))
		return;
	sums->rows++;
	sums->wrapped |= row->wrapped != 0;
	pmon_sum_add_i64(&sums->d, row->d);
	if (form->is_real)
		pmon_sum_add_double(&sums->n, row->x);
	else
		pmon_sum_add_i64(&sums->n, row->n);
	if (form->is_real && row->b > 0) {
		pmon_sum_add_i64(&sums->parts, row->n);
		pmon_sum_add_i64(&sums->wholes, row->b);
	}
}

void
pmon_increment_merge(struct pmon_increment_sums *sums, const struct pmon_increment_sums *other)
{
	pmon_sum_add(&sums->n, &other->n);
	pmon_sum_add(&sums->d, &other->d);
	pmon_sum_add(&sums->parts, &other->parts);
	pmon_sum_add(&sums->wholes, &other->wholes);
	sums->rows += other->rows;
	sums->wrapped |= other->wrapped;
}

struct pmon_value
pmon_increment_average(const struct pmon_increment_form *form,
		       const struct pmon_increment_sums *sums)
{
	double n = pmon_sum_value(&sums->n, form->is_real ? PMON_SUM_FRACTION : 0);
	double d = pmon_sum_value(&sums->d, 0);
	struct pmon_value average = pmon_status_only(sums->wrapped ? PMON_V_WRAPPED : PMON_V_OK);

	if (form->type == NULL || sums->rows == 0)
		return pmon_status_only(PMON_V_NO_DATA);
	if (d == 0)
		return pmon_status_only(form->type->second == PMON_SECOND_BASE ? PMON_V_BASE_ZERO
									       : PMON_V_NO_DATA);
	average.value = form->add + form->mul * (n / d);
	if (average.value < 0 && (form->type->formula == PMON_FORMULA_PERCENT_INV ||
				  form->type->formula == PMON_FORMULA_MULTI_INV))
		return pmon_status_only(PMON_V_BELOW_ZERO);
	return average;
}

struct pmon_value
pmon_increment_group_average(const struct pmon_increment_form *form,
			     const struct pmon_increment_sums *sums)
{
	double parts = pmon_sum_value(&sums->parts, 0);
	double wholes = pmon_sum_value(&sums->wholes, 0);

	if (form->type == NULL || form->type->formula != PMON_FORMULA_FRACTION || sums->rows == 0)
		return pmon_increment_average(form, sums);
	if (wholes == 0)
		return pmon_status_only(PMON_V_BASE_ZERO);
	return (struct pmon_value){.value = 100 * (parts / wholes)};
}
