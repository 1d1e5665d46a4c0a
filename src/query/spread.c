// spread.c - distribution of the values of a series, and their integral over time
// SPDX-License-Identifier: MIT

#include "query/spread.h"

#include <math.h>

#include "base/time.h"
#include "core/calc.h"
#include "core/sum.h"

enum weight {
	WEIGHT_UNSET,
	WEIGHT_TIME,
	WEIGHT_OPERATIONS,
	WEIGHT_ALIKE,
};

// ---- Adding ---------------------------------------------------------------------------------

// Displayed values computed from two raw values cover a whole interval, even though no earlier
// value is needed here.
static bool
is_of_interval(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);

	return type != NULL && !pmon_formula_is_single(type->formula);
}

void
pmon_spread_begin(struct pmon_spread *spread, const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_type_by_word(series->counter.type);
	enum pmon_formula formula = type != NULL ? type->formula : PMON_FORMULA_NONE;
	bool is_average = type != NULL && type->second == PMON_SECOND_BASE &&
			  (formula == PMON_FORMULA_AVERAGE_TIME || formula == PMON_FORMULA_RATIO);

	spread->weight = series->formatted ? WEIGHT_ALIKE
			 : is_average      ? WEIGHT_OPERATIONS
					   : WEIGHT_TIME;
	if (pmon_formula_is_single(formula) && formula != PMON_FORMULA_ELAPSED)
		spread->level = (uint8_t)formula;
	spread->is_whole = is_of_interval(series);
}

bool
pmon_spread_older(const struct pmon_stats *stats, struct pmon_raw *out)
{
	*out = stats->tail;
	if (pmon_calc_needs_two(&stats->calc) || stats->last_raw_time == PMON_TIME_NONE)
		return stats->has_tail && stats->tail_open;
	out->time = stats->last_raw_time;
	return true;
}

// 0 if it went backwards.
static uint64_t
time_between(const struct pmon_raw *older, const struct pmon_raw *newer)
{
	if (older == NULL || newer->time <= older->time || older->time == PMON_TIME_NONE)
		return 0;
	return pmon_raw_difference(newer->time, older->time);
}

// There is a value, so a base that went backwards wrapped at 2^32.
static uint64_t
operations_between(const struct pmon_raw *older, const struct pmon_raw *newer)
{
	uint64_t n = older != NULL ? pmon_raw_difference(newer->second, older->second) : 0;

	return older != NULL && newer->second < older->second ? n & UINT32_MAX : n;
}

// A level without the options for display.
static double
level_of(enum pmon_formula formula, const struct pmon_raw *raw)
{
	switch (formula) {
	case PMON_FORMULA_DOUBLE:
		return pmon_raw_double(raw);
	case PMON_FORMULA_FRACTION:
		return raw->second != 0 ? 100 * ((double)raw->first / (double)raw->second) : 0;
	default:
		return (double)raw->first;
	}
}

static void
add_integral(struct pmon_spread *spread, double level, uint64_t time_100ns)
{
	double product = level * ((double)time_100ns / PMON_TIME_PER_SEC);

	spread->has_time = true;
	if (fabs(product) < PMON_SUM_BOUND)
		pmon_sum_add_double(&spread->integral, product);
	else
		spread->is_over = true;
}

static bool
add_value(struct pmon_spread *spread, struct pmon_arena *arena, unsigned keep,
	  const struct pmon_raw *older, const struct pmon_raw *newer, double value, uint64_t alike)
{
	uint64_t time_100ns = time_between(older, newer);
	uint64_t weight = time_100ns;

	if (spread->level != PMON_FORMULA_NONE && time_100ns > 0 && (keep & PMON_KEEP_TOTALS) != 0)
		add_integral(spread, level_of((enum pmon_formula)spread->level, newer), time_100ns);
	if ((keep & PMON_KEEP_PERCENTILES) == 0)
		return true;
	if (spread->weight == WEIGHT_OPERATIONS)
		weight = operations_between(older, newer);
	else if (spread->weight == WEIGHT_ALIKE)
		weight = alike;
	return pmon_quantile_add(&spread->quantile, arena, value, weight);
}

bool
pmon_spread_add(struct pmon_spread *spread, struct pmon_arena *arena, unsigned keep,
		const struct pmon_raw *older, const struct pmon_raw *newer, double value)
{
	if (!spread->has_value)
		spread->is_waiting = older == NULL;
	spread->has_value = true;
	return add_value(spread, arena, keep, older, newer, value, 1);
}

bool
pmon_spread_boundary(struct pmon_spread *spread, struct pmon_arena *arena, unsigned keep,
		     const struct pmon_raw *older, const struct pmon_raw *newer, double value)
{
	return add_value(spread, arena, keep, older, newer, value, 0);
}

bool
pmon_spread_merge(struct pmon_spread *spread, struct pmon_arena *arena,
		  const struct pmon_spread *other)
{
	if (spread->weight == WEIGHT_UNSET) {
		spread->weight = other->weight;
		spread->level = other->level;
		spread->is_whole = other->is_whole;
	}
	if (!spread->has_value)
		spread->is_waiting = other->is_waiting;
	spread->has_value |= other->has_value;
	pmon_sum_add(&spread->integral, &other->integral);
	spread->has_time |= other->has_time;
	spread->is_over |= other->is_over;
	return pmon_quantile_merge(&spread->quantile, arena, &other->quantile);
}

void
pmon_spread_restart(struct pmon_spread *spread)
{
	pmon_quantile_restart(&spread->quantile);
	spread->integral = (struct pmon_sum){{0}};
	spread->has_value = false;
	spread->has_time = false;
	spread->is_over = false;
}

// ---- Reading --------------------------------------------------------------------------------

double
pmon_spread_divisor(const struct pmon_counter_type *type)
{
	if (type == NULL)
		return 1;
	switch (type->formula) {
	case PMON_FORMULA_PERCENT:
	case PMON_FORMULA_PERCENT_INV:
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_MULTI_INV:
		return type->second == PMON_SECOND_BASE ? 0 : 100;
	case PMON_FORMULA_RATIO:
		return type->second == PMON_SECOND_BASE ? 0 : 1;
	case PMON_FORMULA_AVERAGE_TIME:
	case PMON_FORMULA_DELTA:
	case PMON_FORMULA_ELAPSED:
	case PMON_FORMULA_NONE:
		return 0;
	default:
		return 1;
	}
}

struct pmon_value
pmon_spread_total(const struct pmon_spread *spread, const struct pmon_series *series,
		  const struct pmon_stats *stats)
{
	double divisor = series->formatted ? pmon_spread_divisor(pmon_series_type(series)) : 1;

	if (pmon_calc_needs_two(&stats->calc))
		return pmon_stats_total(stats);
	if (spread == NULL || !spread->has_time || divisor == 0)
		return pmon_status_only(PMON_V_NO_DATA);
	if (spread->is_over)
		return pmon_status_only(PMON_V_NOT_FINITE);
	return (struct pmon_value){.value = pmon_sum_value(&spread->integral, PMON_SUM_FRACTION) /
					    divisor};
}

struct pmon_value
pmon_spread_percentile(const struct pmon_spread *spread, const struct pmon_stats *stats, uint32_t p)
{
	struct pmon_value value = {.value = 0};

	if (spread == NULL || !pmon_vstat_has_value(stats->minimum.status))
		return pmon_status_only(PMON_V_NO_DATA);
	// Without any weight, only a single value has percentiles.
	if (!pmon_quantile_at(&spread->quantile, p, &value.value) &&
	    stats->minimum.value < stats->maximum.value)
		return pmon_status_only(PMON_V_NO_DATA);
	if (value.value < stats->minimum.value)
		value.value = stats->minimum.value;
	if (value.value > stats->maximum.value)
		value.value = stats->maximum.value;
	return value;
}
