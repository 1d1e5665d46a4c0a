// stats.c - last, average, minimum and maximum of a series, in parts that can be merged
// SPDX-License-Identifier: MIT
//
// The average for a type that needs two samples is its formula over the sum of the numerators and
// the sum of the denominators of all pairs whose differences are good. If none is bad, the sums are
// the differences of the end points, (Nx - N0) and (Dx - D0); a reset in between costs only its own
// pair. A pair counts here even if it has no displayed value because its result is below zero or no
// time passed: its differences are good, and the end points would include them too.

#include "core/calc.h"
#include "core/sum.h"

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(struct pmon_calc) == 56 && sizeof(struct pmon_stats) == 488 &&
		       sizeof(struct pmon_sum) == 32,
	       "programs have these in their memory, with the sizes of PMON_0.3");
#endif

void
pmon_stats_init(struct pmon_stats *stats, const struct pmon_calc *calc)
{
	*stats = (struct pmon_stats){
		.calc = *calc,
		.last = pmon_status_only(PMON_V_NO_DATA),
		.minimum = pmon_status_only(PMON_V_NO_DATA),
		.maximum = pmon_status_only(PMON_V_NO_DATA),
		.minimum_time = PMON_TIME_NONE,
		.maximum_time = PMON_TIME_NONE,
		.first_raw_time = PMON_TIME_NONE,
		.last_raw_time = PMON_TIME_NONE,
	};
}

// Update the first and last time of raw values; unknown times are ignored.
static void
note_times(struct pmon_stats *stats, pmon_time first, pmon_time last)
{
	if (stats->first_raw_time == PMON_TIME_NONE)
		stats->first_raw_time = first;
	if (last != PMON_TIME_NONE)
		stats->last_raw_time = last;
}

static void
note_value(struct pmon_stats *stats, struct pmon_value value, pmon_time time)
{
	if (!pmon_vstat_has_value(value.status))
		return;
	if (!pmon_vstat_has_value(stats->minimum.status) || value.value < stats->minimum.value) {
		stats->minimum = value;
		stats->minimum_time = time;
	}
	if (!pmon_vstat_has_value(stats->maximum.status) || value.value > stats->maximum.value) {
		stats->maximum = value;
		stats->maximum_time = time;
	}
}

// The value of a pair; its differences are added to the sums if they are good.
static struct pmon_value
add_pair(struct pmon_stats *stats, const struct pmon_raw *older, const struct pmon_raw *newer)
{
	struct pmon_delta delta;
	struct pmon_value value = pmon_calc_pair(&stats->calc, older, newer, &delta, NULL);

	if (!delta.good)
		return value;
	pmon_sum_add_u64(&stats->numerator, delta.n);
	pmon_sum_add_u64(&stats->denominator, delta.d);
	stats->wrapped |= delta.wrapped;
	stats->pairs++;
	return value;
}

// The value of one sample; its number is added to the sum.
static struct pmon_value
add_one(struct pmon_stats *stats, const struct pmon_raw *raw)
{
	struct pmon_value value = pmon_calc_one(&stats->calc, raw, NULL);
	enum pmon_formula formula = stats->calc.type->formula;

	if (!pmon_vstat_has_value(value.status))
		return value;
	stats->pairs++;
	if (formula == PMON_FORMULA_COUNT)
		pmon_sum_add_i64(&stats->numerator, raw->first);
	else if (formula == PMON_FORMULA_FRACTION)
		pmon_sum_add_fraction(stats, raw, pmon_raw_number(&stats->calc, raw));
	else if (formula != PMON_FORMULA_ELAPSED)
		pmon_sum_add_double(&stats->numerator, pmon_raw_number(&stats->calc, raw));
	return value;
}

// The value of the next usable raw value, which becomes the tail. For single-sample types only a
// raw value with a displayed value becomes the tail, so that `last` was computed from it.
static struct pmon_value
add_usable(struct pmon_stats *stats, const struct pmon_raw *raw)
{
	enum pmon_vstat broken = pmon_raw_break(raw);
	struct pmon_value value;

	if (pmon_formula_is_single(stats->calc.type->formula)) {
		value = add_one(stats, raw);
		if (!pmon_vstat_has_value(value.status))
			return value;
	} else if (broken != PMON_V_OK) {
		value = pmon_status_only(broken);
		if (!stats->has_head)
			stats->gap_seen = true; // a merge must not pair it with earlier values
	} else if (stats->tail_open) {
		value = add_pair(stats, &stats->tail, raw);
	} else {
		value = pmon_status_only(PMON_V_FIRST);
	}
	if (!stats->has_head && !stats->gap_seen) {
		stats->head = *raw;
		stats->has_head = true;
	}
	stats->tail = *raw;
	stats->has_tail = true;
	stats->tail_open = true;
	return value;
}

struct pmon_value
pmon_stats_add(struct pmon_stats *stats, const struct pmon_raw *raw)
{
	enum pmon_vstat status = pmon_calc_check(&stats->calc);
	struct pmon_value value;

	note_times(stats, raw->time, raw->time);
	if (status != PMON_V_OK)
		value = pmon_status_only(status);
	else if (!pmon_raw_usable(raw))
		value = pmon_status_only(PMON_V_BAD_RAW);
	else
		value = add_usable(stats, raw);
	if (status == PMON_V_NOT_DISPLAYED && pmon_raw_usable(raw)) {
		stats->tail = *raw; // the newest text of PERF_COUNTER_TEXT
		stats->has_tail = true;
		stats->tail_open = true;
	}
	stats->count[value.status]++;
	note_value(stats, value, raw->time);
	stats->last = value;
	return value;
}

void
pmon_stats_lead(struct pmon_stats *stats, const struct pmon_raw *raw)
{
	if (!pmon_raw_usable(raw))
		return;
	stats->tail = *raw;
	stats->has_tail = true;
	stats->tail_open = true;
	// The pair across the boundary is in this window, so a merge must not add it again.
	if (!stats->has_head)
		stats->gap_seen = true;
}

void
pmon_stats_gap(struct pmon_stats *stats)
{
	stats->tail_open = false;
	if (!stats->has_head)
		stats->gap_seen = true;
}

void
pmon_stats_changed(struct pmon_stats *stats)
{
	bool is_newest = stats->last.status == PMON_V_FIRST && stats->count[PMON_V_FIRST] == 1;

	if (!stats->has_head || !pmon_calc_needs_two(&stats->calc))
		return;
	stats->count[PMON_V_FIRST]--;
	stats->count[PMON_V_CHANGED]++;
	if (is_newest)
		stats->last = pmon_status_only(PMON_V_CHANGED);
	stats->has_head = false;
	stats->gap_seen = true;
}

// Do both compute the same value from the same sums?
static bool
same_formula(const struct pmon_calc *a, const struct pmon_calc *b)
{
	return a->counter.type == b->counter.type && a->counter.time_base == b->counter.time_base &&
	       (a->counter.default_scale == b->counter.default_scale ||
		!a->options.default_scale) &&
	       a->options.policy == b->options.policy && a->options.cap_100 == b->options.cap_100 &&
	       a->options.default_scale == b->options.default_scale &&
	       a->options.times_1000 == b->options.times_1000;
}

static bool
same_counter(const struct pmon_calc *a, const struct pmon_calc *b)
{
	return same_formula(a, b) && a->wraps_32bit == b->wraps_32bit &&
	       a->counter.default_scale == b->counter.default_scale;
}

// Add the pair across the boundary: the head of the next window was a first sample there, but is
// not one here. Its value is the newest of both windows if the next window has no other value.
static void
join(struct pmon_stats *stats, const struct pmon_stats *next)
{
	struct pmon_value value;

	if (!pmon_calc_needs_two(&stats->calc) || !stats->tail_open || !next->has_head)
		return;
	value = add_pair(stats, &stats->tail, &next->head);
	stats->count[PMON_V_FIRST]--;
	stats->count[value.status]++;
	note_value(stats, value, next->head.time);
	stats->last = value;
}

// Merge the extremes. If several are equal, the earliest is kept.
static void
merge_values(struct pmon_stats *stats, const struct pmon_stats *next)
{
	note_value(stats, next->minimum, next->minimum_time);
	note_value(stats, next->maximum, next->maximum_time);
}

// Set the newest value of both windows; join() has left that of the boundary in last.
static void
merge_last(struct pmon_stats *stats, const struct pmon_stats *next)
{
	bool head_is_newest = next->last.status == PMON_V_FIRST && next->has_head &&
			      next->count[PMON_V_FIRST] == 1;
	bool joined = pmon_calc_needs_two(&stats->calc) && stats->tail_open && next->has_head;

	if (pmon_stats_samples(next) > 0 && !(joined && head_is_newest))
		stats->last = next->last;
}

// Set the ends of the merged window. A window without usable values and gaps moves neither end.
static void
merge_ends(struct pmon_stats *stats, const struct pmon_stats *next)
{
	if (!stats->has_head && !stats->gap_seen) {
		stats->head = next->head;
		stats->has_head = next->has_head;
		stats->gap_seen = next->gap_seen;
	}
	if (next->has_tail) {
		stats->tail = next->tail;
		stats->has_tail = true;
	}
	if (next->has_tail || next->gap_seen)
		stats->tail_open = next->tail_open;
	note_times(stats, next->first_raw_time, next->last_raw_time);
}

static void
merge_sums(struct pmon_stats *stats, const struct pmon_stats *other)
{
	for (size_t i = 0; i < PMON_V_COUNT; i++)
		stats->count[i] += other->count[i];
	pmon_sum_add(&stats->numerator, &other->numerator);
	pmon_sum_add(&stats->denominator, &other->denominator);
	pmon_sum_add(&stats->parts, &other->parts);
	stats->pairs += other->pairs;
	stats->wrapped |= other->wrapped;
}

enum pmon_status
pmon_stats_merge(struct pmon_stats *stats, const struct pmon_stats *next)
{
	if (!same_counter(&stats->calc, &next->calc))
		return PMON_E_ARG;
	merge_sums(stats, next);
	join(stats, next);
	merge_values(stats, next);
	merge_last(stats, next);
	merge_ends(stats, next);
	return PMON_OK;
}

// Turn statistics into a group of one series, if it has a pair. Timers with several units weight
// their time by the number of units, which the newest sample has.
static void
begin_group(struct pmon_stats *stats)
{
	if (stats->members > 0 || stats->pairs == 0)
		return;
	stats->members = 1;
	if (pmon_formula_is_multi(stats->calc.type->formula))
		stats->parts = pmon_sum_times(&stats->denominator, stats->tail.multi);
}

// The extremes of a group; of equals the earliest.
static void
gather_values(struct pmon_stats *group, const struct pmon_stats *member)
{
	const struct pmon_value *low = &group->minimum;
	const struct pmon_value *high = &group->maximum;

	if (pmon_vstat_has_value(low->status) && member->minimum.value == low->value &&
	    pmon_vstat_has_value(member->minimum.status) &&
	    member->minimum_time < group->minimum_time)
		group->minimum_time = member->minimum_time;
	if (pmon_vstat_has_value(high->status) && member->maximum.value == high->value &&
	    pmon_vstat_has_value(member->maximum.status) &&
	    member->maximum_time < group->maximum_time)
		group->maximum_time = member->maximum_time;
	note_value(group, member->minimum, member->minimum_time);
	note_value(group, member->maximum, member->maximum_time);
}

// The sum of the ages of several things means nothing.
static bool
has_group_average(const struct pmon_stats *group)
{
	return group->members <= 1 || group->calc.type == NULL ||
	       group->calc.type->formula != PMON_FORMULA_ELAPSED;
}

enum pmon_status
pmon_stats_gather(struct pmon_stats *group, const struct pmon_stats *member)
{
	pmon_time first = member->first_raw_time;
	pmon_time last = member->last_raw_time;
	struct pmon_stats added = *member;

	if (!same_formula(&group->calc, &member->calc))
		return PMON_E_ARG;
	begin_group(group);
	begin_group(&added);
	merge_sums(group, &added);
	group->members += added.members;
	gather_values(group, member);
	group->last = pmon_status_only(PMON_V_NO_DATA);
	if (member->pairs > 0)
		group->tail = member->tail;
	group->has_tail |= member->has_tail;
	if (first != PMON_TIME_NONE &&
	    (group->first_raw_time == PMON_TIME_NONE || first < group->first_raw_time))
		group->first_raw_time = first;
	if (last != PMON_TIME_NONE && last > group->last_raw_time)
		group->last_raw_time = last;
	return has_group_average(group) ? PMON_OK : PMON_E_UNSUPPORTED;
}

// Why there is no average: the most common reason among the raw values. That a raw value is the
// first counts only if there is no other reason.
static enum pmon_vstat
commonest_reason(const struct pmon_stats *stats)
{
	enum pmon_vstat best = PMON_V_NO_DATA;

	for (unsigned i = PMON_V_FIRST + 1; i < PMON_V_COUNT; i++)
		if (stats->count[i] > stats->count[best])
			best = (enum pmon_vstat)i;
	if (stats->count[best] == 0 && stats->count[PMON_V_FIRST] > 0)
		best = PMON_V_FIRST;
	return best;
}

// The average of a window without good pairs.
static struct pmon_value
no_average(const struct pmon_stats *stats)
{
	if (stats->count[PMON_V_CLAMPED] > 0)
		return (struct pmon_value){.status = PMON_V_CLAMPED, .policy = PMON_POLICY_CLAMP};
	return pmon_status_only(commonest_reason(stats));
}

// The number of units: that of the newest sample; for a group, the mean over its time.
static double
units_of(const struct pmon_stats *stats)
{
	if (stats->members == 0 || pmon_sum_is_zero(&stats->denominator))
		return (double)stats->tail.multi;
	return pmon_sum_value(&stats->parts, 0) / pmon_sum_value(&stats->denominator, 0);
}

// The fraction of a group: the sum of the parts over the sum of the wholes.
static struct pmon_value
group_fraction(const struct pmon_stats *stats, struct pmon_explanation *record)
{
	struct pmon_operands o = {.n = pmon_sum_value(&stats->parts, 0),
				  .d = pmon_sum_value(&stats->denominator, 0)};

	if (pmon_sum_is_zero(&stats->denominator))
		return pmon_status_only(PMON_V_BASE_ZERO);
	return pmon_calc_finish(&stats->calc, &o, false, record);
}

struct pmon_value
pmon_stats_average_recorded(const struct pmon_stats *stats, struct pmon_explanation *record)
{
	const struct pmon_calc *calc = &stats->calc;
	struct pmon_operands o = {.f = (double)calc->counter.time_base};
	double n = (double)stats->pairs;
	double sum;
	const char *step;

	if (stats->pairs == 0)
		return no_average(stats);
	if (calc->type->formula == PMON_FORMULA_FRACTION && stats->members > 1)
		return group_fraction(stats, record);
	step = calc->type->formula == PMON_FORMULA_DELTA ? "dN / x" : calc->type->average_text;
	switch (calc->type->formula) {
	case PMON_FORMULA_ELAPSED:
		return pmon_calc_value(calc, NULL, &stats->tail);
	case PMON_FORMULA_COUNT:
	case PMON_FORMULA_DELTA:
		sum = pmon_sum_value(&stats->numerator, 0);
		return pmon_calc_format(calc, pmon_step_div(record, step, sum, n), stats->wrapped,
					record);
	case PMON_FORMULA_FRACTION:
	case PMON_FORMULA_DOUBLE:
		sum = pmon_sum_value(&stats->numerator, PMON_SUM_FRACTION);
		return pmon_calc_format(calc, pmon_step_div(record, step, sum, n), false, record);
	default:
		o.n = pmon_sum_value(&stats->numerator, 0);
		o.d = pmon_sum_value(&stats->denominator, 0);
		o.b = units_of(stats);
		return pmon_calc_finish(calc, &o, stats->wrapped, record);
	}
}

struct pmon_value
pmon_stats_average(const struct pmon_stats *stats)
{
	return pmon_stats_average_recorded(stats, NULL);
}

// Ticks per second of the clock of a timer or queue; 0 if unknown.
static double
ticks_of(const struct pmon_calc *calc)
{
	struct pmon_type_fields fields;

	pmon_type_decode(calc->counter.type, &fields);
	if (fields.timer == 1) // 100NS
		return PMON_TIME_PER_SEC;
	return calc->counter.time_base > 0 ? (double)calc->counter.time_base : 0;
}

static struct pmon_value
total_seconds(const struct pmon_calc *calc, double ticks)
{
	double a_second = ticks_of(calc);

	if (a_second == 0)
		return pmon_status_only(PMON_V_BAD_TIME_BASE);
	if (ticks < 0)
		return pmon_status_only(PMON_V_BELOW_ZERO);
	return (struct pmon_value){.value = ticks / a_second};
}

struct pmon_value
pmon_stats_total(const struct pmon_stats *stats)
{
	const struct pmon_calc *calc = &stats->calc;
	double n = pmon_sum_value(&stats->numerator, 0);
	double d = pmon_sum_value(&stats->denominator, 0);

	if (stats->pairs == 0)
		return no_average(stats);
	switch (calc->type->formula) {
	case PMON_FORMULA_RATE:
	case PMON_FORMULA_DELTA:
		return (struct pmon_value){.value = n};
	case PMON_FORMULA_RATIO:
	case PMON_FORMULA_PERCENT:
		if (calc->type->second == PMON_SECOND_BASE)
			return (struct pmon_value){.value = n};
		return total_seconds(calc, n);
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_AVERAGE_TIME:
		return total_seconds(calc, n);
	case PMON_FORMULA_PERCENT_INV:
		return total_seconds(calc, d - n);
	case PMON_FORMULA_MULTI_INV:
		return total_seconds(calc, d * units_of(stats) - n);
	default:
		return pmon_status_only(PMON_V_NO_DATA);
	}
}

uint64_t
pmon_stats_samples(const struct pmon_stats *stats)
{
	uint64_t n = 0;

	for (size_t i = 0; i < PMON_V_COUNT; i++)
		n += stats->count[i];
	return n;
}

uint64_t
pmon_stats_invalid(const struct pmon_stats *stats)
{
	uint64_t n = 0;

	for (unsigned i = PMON_V_FIRST + 1; i < PMON_V_COUNT; i++)
		n += i == PMON_V_CHANGED ? 0 : stats->count[i];
	return n;
}
