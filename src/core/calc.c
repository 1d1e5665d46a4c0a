// calc.c - from a pair of raw values to the displayed value
// SPDX-License-Identifier: MIT
//
// The rules, and their order, are those of docs/reference/counters.md ("How a value is computed").

#include "core/calc.h"

#include "base/options.h"

#include <math.h>

#define FARTHEST_WRAP UINT64_C(0x7FFFFFFF)
#define UINT32_SPAN   INT64_C(0xFFFFFFFF)

// A value costs little more than its divisions if all steps are compiled into one function, which
// compilers do not do on their own.
#if defined(__GNUC__)
#define STEP static inline __attribute__((always_inline))
#else
#define STEP static inline
#endif

enum pmon_status
pmon_calc_init(struct pmon_calc *calc, const struct pmon_counter *counter,
	       const struct pmon_calc_options *options)
{
	struct pmon_type_fields fields;
	enum pmon_status status;

	pmon_type_decode(counter->type, &fields);
	*calc = (struct pmon_calc){.type = pmon_type_by_word(counter->type), .counter = *counter};
	status = pmon_options_read(&calc->options, sizeof(calc->options), options, NULL);
	// The size in the counter's definition is reliable; logs often have only the type word.
	if (counter->size_bytes != 0)
		calc->wraps_32bit = counter->size_bytes == 4;
	else
		calc->wraps_32bit = fields.size == 0;
	// winperf.h does not allow a negative PERF_COUNTER_DELTA, so a decrease is an error for
	// that type.
	if (calc->type != NULL && calc->type->formula == PMON_FORMULA_DELTA)
		calc->wraps_32bit = false;
	return status;
}

bool
pmon_calc_needs_two(const struct pmon_calc *calc)
{
	return calc->type != NULL && !pmon_formula_is_single(calc->type->formula);
}

STEP bool
fits_32bit(int64_t n)
{
	return n >= 0 && n <= UINT32_SPAN;
}

// newer - older without overflow. A decrease of a 32-bit counter counts as a wrap at 2^32 if both
// values fit in 32 bits and the wrap is the shorter distance; then *wrapped is set. Returns false
// if the difference is negative.
STEP bool
subtract(int64_t newer, int64_t older, bool may_wrap, uint64_t *out, bool *wrapped)
{
	*out = pmon_raw_difference(newer, older);
	if (newer >= older)
		return true;
	if (!may_wrap || !fits_32bit(newer) || !fits_32bit(older))
		return false;
	*out &= (uint64_t)UINT32_SPAN;
	*wrapped = *out <= FARTHEST_WRAP;
	return *wrapped;
}

static enum pmon_vstat
denominator_back(const struct pmon_calc *calc)
{
	return calc->type->second == PMON_SECOND_BASE ? PMON_V_BASE_BACK : PMON_V_CLOCK_BACK;
}

// The differences of two usable raw values, in a delta that is all 0 before. Returns PMON_V_OK, or
// which of them went back.
STEP enum pmon_vstat
differences(const struct pmon_calc *calc, const struct pmon_raw *older,
	    const struct pmon_raw *newer, enum pmon_policy policy, struct pmon_delta *delta)
{
	bool strict = policy == PMON_POLICY_STRICT;

	if (!subtract(newer->first, older->first, calc->wraps_32bit && !strict, &delta->n,
		      &delta->wrapped))
		return PMON_V_COUNTER_BACK;
	if (pmon_formula_divides(calc->type->formula) &&
	    !subtract(newer->second, older->second, calc->type->base_32bit && !strict, &delta->d,
		      &delta->wrapped))
		return denominator_back(calc);
	delta->good = true;
	return PMON_V_OK;
}

// The value for a difference that went back, with the policy that rejected it or shows it as 0.
static struct pmon_value
gone_back(const struct pmon_calc *calc, enum pmon_vstat status, const struct pmon_raw *older,
	  const struct pmon_raw *newer)
{
	struct pmon_value value = pmon_status_only(status);
	struct pmon_delta delta = {0};

	if (calc->options.policy == PMON_POLICY_CLAMP && status == PMON_V_COUNTER_BACK)
		return (struct pmon_value){.status = PMON_V_CLAMPED, .policy = PMON_POLICY_CLAMP};
	if (calc->options.policy == PMON_POLICY_STRICT &&
	    differences(calc, older, newer, PMON_POLICY_DEFAULT, &delta) == PMON_V_OK)
		value.policy = PMON_POLICY_STRICT;
	return value;
}

// value * 10^exponent, -7..7.
static double
scaled(double value, int32_t exponent)
{
	static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

	return exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
}

// PDH scales within -7..7; definitions may suggest more, which is then not applied.
static bool
is_scaled(const struct pmon_calc *calc)
{
	int32_t exponent = calc->counter.default_scale;

	return calc->options.default_scale && exponent != 0 && exponent >= -7 && exponent <= 7;
}

static bool
is_percent(const struct pmon_calc *calc)
{
	return calc->type->unit[0] == '%';
}

// PDH's options, in their order.
static double
with_options(const struct pmon_calc *calc, double value, struct pmon_explanation *record)
{
	if (calc->options.cap_100 && value > 100 && is_percent(calc) &&
	    !pmon_formula_is_multi(calc->type->formula)) {
		if (record != NULL)
			pmon_explain_step(record, "capped", value, '>', 100, 100);
		value = 100;
	}
	if (is_scaled(calc)) {
		double after = scaled(value, calc->counter.default_scale);

		if (record != NULL)
			pmon_explain_step(record, "default scale", value, '^',
					  calc->counter.default_scale, after);
		value = after;
	}
	if (calc->options.times_1000)
		value = pmon_step_mul(record, "times 1000", value, 1000);
	return value;
}

STEP struct pmon_value
format(const struct pmon_calc *calc, double value, bool wrapped, struct pmon_explanation *record)
{
	const struct pmon_calc_options *options = &calc->options;

	if (options->cap_100 || options->default_scale || options->times_1000)
		value = with_options(calc, value, record);
	if (!isfinite(value))
		return pmon_status_only(PMON_V_NOT_FINITE);
	return (struct pmon_value){.value = value, .status = wrapped ? PMON_V_WRAPPED : PMON_V_OK};
}

struct pmon_value
pmon_calc_format(const struct pmon_calc *calc, double value, bool wrapped,
		 struct pmon_explanation *record)
{
	return format(calc, value, wrapped, record);
}

static struct pmon_value
below_zero(const struct pmon_calc *calc)
{
	if (calc->options.policy == PMON_POLICY_CLAMP)
		return (struct pmon_value){.status = PMON_V_CLAMPED, .policy = PMON_POLICY_CLAMP};
	return pmon_status_only(PMON_V_BELOW_ZERO);
}

STEP struct pmon_value
finish(const struct pmon_calc *calc, const struct pmon_operands *o, bool wrapped,
       struct pmon_explanation *record)
{
	enum pmon_formula formula = calc->type->formula;
	double value;

	if (pmon_formula_divides(formula) && o->d == 0)
		return pmon_status_only(calc->type->second == PMON_SECOND_BASE ? PMON_V_BASE_ZERO
									       : PMON_V_NO_DATA);
	if (pmon_formula_is_multi(formula) && o->b == 0)
		return pmon_status_only(PMON_V_NO_DATA);
	// Without a recorder the formula compiles to its few divisions.
	value = record == NULL ? pmon_formula_apply(formula, o, NULL)
			       : pmon_explain_formula(formula, o, record);
	if (value < 0 && (formula == PMON_FORMULA_PERCENT_INV || formula == PMON_FORMULA_MULTI_INV))
		return below_zero(calc);
	return format(calc, value, wrapped, record);
}

struct pmon_value
pmon_calc_finish(const struct pmon_calc *calc, const struct pmon_operands *o, bool wrapped,
		 struct pmon_explanation *record)
{
	return finish(calc, o, wrapped, record);
}

STEP struct pmon_value
from_pair(const struct pmon_calc *calc, const struct pmon_raw *older, const struct pmon_raw *newer,
	  struct pmon_delta *delta, struct pmon_explanation *record)
{
	struct pmon_operands o = {.f = (double)calc->counter.time_base, .b = (double)newer->multi};
	enum pmon_vstat status;

	*delta = (struct pmon_delta){0};
	if (pmon_calc_has_bad_time_base(calc))
		return pmon_status_only(PMON_V_BAD_TIME_BASE);
	status = differences(calc, older, newer, calc->options.policy, delta);
	if (status != PMON_V_OK)
		return gone_back(calc, status, older, newer);
	if (record != NULL)
		pmon_explain_delta(record, calc, older, newer, delta);
	o.n = (double)delta->n;
	o.d = (double)delta->d;
	return finish(calc, &o, delta->wrapped, record);
}

struct pmon_value
pmon_calc_pair(const struct pmon_calc *calc, const struct pmon_raw *older,
	       const struct pmon_raw *newer, struct pmon_delta *delta,
	       struct pmon_explanation *record)
{
	struct pmon_delta found;
	struct pmon_value value = from_pair(calc, older, newer, &found, record);

	*delta = found;
	return value;
}

static struct pmon_value
from_elapsed(const struct pmon_calc *calc, const struct pmon_raw *raw,
	     struct pmon_explanation *record)
{
	struct pmon_operands o = {.f = (double)calc->counter.time_base};
	uint64_t elapsed;
	bool wrapped = false;

	if (raw->status == PMON_RAW_STEPPED)
		return pmon_status_only(PMON_V_STEPPED);
	if (pmon_calc_has_bad_time_base(calc))
		return pmon_status_only(PMON_V_BAD_TIME_BASE);
	if (raw->first == 0) // never started
		return pmon_calc_format(calc, 0, false, record);
	if (!subtract(raw->second, raw->first, false, &elapsed, &wrapped))
		return below_zero(calc);
	if (record != NULL)
		pmon_explain_elapsed(record, raw, elapsed);
	o.n = (double)elapsed;
	return pmon_calc_finish(calc, &o, false, record);
}

static struct pmon_value
from_double(const struct pmon_calc *calc, const struct pmon_raw *raw,
	    struct pmon_explanation *record)
{
	double value = pmon_raw_double(raw);

	// The exact sums have no room beyond 2^80, which no measured quantity reaches.
	if (!isfinite(value) || fabs(value) >= 0x1p80)
		return pmon_status_only(PMON_V_NOT_FINITE);
	return pmon_calc_format(calc, value, false, record);
}

struct pmon_value
pmon_calc_one(const struct pmon_calc *calc, const struct pmon_raw *raw,
	      struct pmon_explanation *record)
{
	struct pmon_operands o = {.n = (double)raw->first, .d = (double)raw->second};

	switch (calc->type->formula) {
	case PMON_FORMULA_ELAPSED:
		return from_elapsed(calc, raw, record);
	case PMON_FORMULA_DOUBLE:
		return from_double(calc, raw, record);
	case PMON_FORMULA_FRACTION:
		if (raw->second == 0)
			return pmon_status_only(PMON_V_BASE_ZERO);
		if (raw->second < 0) // winperf.h: check that it is greater than zero
			return pmon_status_only(PMON_V_BASE_BACK);
		break;
	default:
		break;
	}
	return finish(calc, &o, false, record);
}

struct pmon_value
pmon_calc_value(const struct pmon_calc *calc, const struct pmon_raw *older,
		const struct pmon_raw *newer)
{
	enum pmon_vstat status = pmon_calc_check(calc);
	struct pmon_delta delta;

	if (status != PMON_V_OK)
		return pmon_status_only(status);
	if (!pmon_raw_usable(newer))
		return pmon_status_only(PMON_V_BAD_RAW);
	if (pmon_formula_is_single(calc->type->formula))
		return pmon_calc_one(calc, newer, NULL);
	status = pmon_raw_break(newer);
	if (status != PMON_V_OK)
		return pmon_status_only(status);
	if (older == NULL)
		return pmon_status_only(PMON_V_FIRST);
	if (!pmon_raw_usable(older))
		return pmon_status_only(PMON_V_BAD_RAW);
	return from_pair(calc, older, newer, &delta, NULL);
}
