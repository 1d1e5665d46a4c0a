// columns.c - the statistics of many series of doubles, stored column-wise
// SPDX-License-Identifier: MIT

#include "core/columns.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/wide.h"
#include "core/run.h"

// The magnitude of a number is below its bound B, a power of two. Then a sum that begins at 1.5 * 2^11 B
// stays between 2^11 B and 2^12 B for 1,023 numbers, so that its last place is 2^-41 B all the time, and
// each number leaves 2^-42 B at the most. A sum of those that begins at 1.5 * 2^-31 B has its last place
// at 2^-83 B. (The method: Demmel and Nguyen, Fast Reproducible Floating-Point Summation, 2013.)
#define MOST_SUMMED 1023
#define HIGH_BEGINS (1.5 * 0x1p11)
#define LOW_BEGINS  (1.5 * 0x1p-31)

// Columns reject numbers from this magnitude on, and the caller adds them one by one: 2^10 times a
// bound must be below PMON_SUM_BOUND.
#define LIMIT 0x1p60

// Room for numbers that are larger than those before: bits of magnitude that a new bound has above them.
#define HEADROOM 6

#define LANES 8

// ---- Beginning ------------------------------------------------------------------------------

static double *
take_column(char **memory, size_t n)
{
	double *column = (double *)(void *)*memory;

	*memory += n * sizeof(*column);
	return column;
}

void
pmon_columns_begin(struct pmon_columns *columns, void *memory, size_t n)
{
	size_t room = (n / LANES + 1) * LANES;
	char *next = (char *)memory + (64 - (uintptr_t)memory % 64) % 64;

	*columns = (struct pmon_columns){.n = n, .is_wide = pmon_wide_is_there()};
	columns->newest = take_column(&next, room);
	columns->minimum = take_column(&next, room);
	columns->maximum = take_column(&next, room);
	columns->bound = take_column(&next, room);
	columns->high = take_column(&next, room);
	columns->low = take_column(&next, room);
	columns->stats = (struct pmon_stats **)(void *)next;
	memset(columns->newest, 0, (size_t)(next - (char *)columns->newest));
}

// Empty sums, for numbers up to this magnitude and some more.
static void
begin_sums(struct pmon_columns *columns, size_t i, double magnitude)
{
	int exponent;

	(void)frexp(magnitude, &exponent);
	columns->bound[i] = exponent + HEADROOM > 0 ? ldexp(1, exponent + HEADROOM) : 1;
	columns->high[i] = HIGH_BEGINS * columns->bound[i];
	columns->low[i] = LOW_BEGINS * columns->bound[i];
}

bool
pmon_columns_take(struct pmon_columns *columns, size_t i, struct pmon_stats *stats)
{
	struct pmon_run run;

	pmon_run_begin(&run, stats);
	if (run.pair.formula != PMON_FORMULA_DOUBLE || FLT_EVAL_METHOD != 0)
		return false;
	columns->stats[i] = stats;
	columns->minimum[i] = run.minimum;
	columns->maximum[i] = run.maximum;
	begin_sums(columns, i, fmin(fmax(0, fmax(-run.minimum, run.maximum)), LIMIT));
	return true;
}

// ---- Adding ---------------------------------------------------------------------------------

static void
empty_sums(struct pmon_columns *columns, size_t i)
{
	struct pmon_sum *sum = &columns->stats[i]->numerator;

	pmon_sum_add_double(sum, columns->high[i] - HIGH_BEGINS * columns->bound[i]);
	pmon_sum_add_double(sum, columns->low[i] - LOW_BEGINS * columns->bound[i]);
}

// A number that the sums do not take.
static void
add_odd(struct pmon_columns *columns, size_t i, double number)
{
	pmon_sum_add_double(&columns->stats[i]->numerator, number);
	if (fabs(number) < columns->bound[i])
		return;
	empty_sums(columns, i);
	begin_sums(columns, i, fabs(number));
}

static void
note_extremes(struct pmon_columns *columns, size_t i, double number, pmon_time time)
{
	struct pmon_stats *stats = columns->stats[i];
	struct pmon_value value = {.value = number, .status = PMON_V_OK};

	if (number < columns->minimum[i]) {
		columns->minimum[i] = number;
		stats->minimum = value;
		stats->minimum_time = time;
	}
	if (number > columns->maximum[i]) {
		columns->maximum[i] = number;
		stats->maximum = value;
		stats->maximum_time = time;
	}
}

static void
add_number(struct pmon_columns *columns, size_t i, double number, pmon_time time)
{
	double high = columns->high[i] + number;
	double rest = number - (high - columns->high[i]);
	double low = columns->low[i] + rest;
	double left = rest - (low - columns->low[i]);

	columns->newest[i] = number;
	if (number < columns->minimum[i] || number > columns->maximum[i])
		note_extremes(columns, i, number, time);
	if (fabs(number) < columns->bound[i] && left == 0) {
		columns->high[i] = high;
		columns->low[i] = low;
	} else {
		add_odd(columns, i, number);
	}
}

static bool
add_plain(struct pmon_columns *columns, const double *numbers, pmon_time time)
{
	for (size_t i = 0; i < columns->n; i++)
		if (!(fabs(numbers[i]) < LIMIT))
			return false;
	for (size_t i = 0; i < columns->n; i++)
		add_number(columns, i, numbers[i], time);
	return true;
}

#ifdef PMON_HAVE_WIDE

// Which of the lanes from i on are there.
PMON_WIDE_STEP __mmask8
lanes_at(size_t i, size_t n)
{
	return (__mmask8)(n - i < LANES ? (1U << (n - i)) - 1 : 0xFF);
}

PMON_WIDE static bool
are_below_limit(const double *numbers, size_t n)
{
	__mmask8 below = 0xFF;

	for (size_t i = 0; i < n; i += LANES) {
		__m512d number = _mm512_abs_pd(_mm512_maskz_loadu_pd(lanes_at(i, n), numbers + i));

		below &= _mm512_cmp_pd_mask(number, _mm512_set1_pd(LIMIT), _CMP_LT_OQ);
	}
	return below == 0xFF;
}

// add_number() for columns i to i + 7, as far as they are there. What is not plain is left to it.
PMON_WIDE_STEP void
add_eight(struct pmon_columns *columns, size_t i, const double *numbers, pmon_time time)
{
	__mmask8 there = lanes_at(i, columns->n);
	__m512d number = _mm512_maskz_loadu_pd(there, numbers + i);
	__m512d high_before = _mm512_load_pd(columns->high + i);
	__m512d low_before = _mm512_load_pd(columns->low + i);
	__m512d high = _mm512_add_pd(high_before, number);
	__m512d rest = _mm512_sub_pd(number, _mm512_sub_pd(high, high_before));
	__m512d low = _mm512_add_pd(low_before, rest);
	__mmask8 plain =
		_mm512_cmp_pd_mask(rest, _mm512_sub_pd(low, low_before), _CMP_EQ_OQ) &
		_mm512_cmp_pd_mask(_mm512_abs_pd(number), _mm512_load_pd(columns->bound + i),
				   _CMP_LT_OQ) &
		_mm512_cmp_pd_mask(number, _mm512_load_pd(columns->minimum + i), _CMP_GE_OQ) &
		_mm512_cmp_pd_mask(number, _mm512_load_pd(columns->maximum + i), _CMP_LE_OQ);

	_mm512_store_pd(columns->newest + i, number);
	_mm512_mask_store_pd(columns->high + i, plain, high);
	_mm512_mask_store_pd(columns->low + i, plain, low);
	for (uint32_t odd = there & ~(uint32_t)plain; odd != 0; odd &= odd - 1) {
		size_t lane = i + (size_t)__builtin_ctz(odd);

		add_number(columns, lane, numbers[lane], time);
	}
}

PMON_WIDE static bool
add_wide(struct pmon_columns *columns, const double *numbers, pmon_time time)
{
	if (!are_below_limit(numbers, columns->n))
		return false;
	for (size_t i = 0; i < columns->n; i += LANES)
		add_eight(columns, i, numbers, time);
	return true;
}

#else

static bool
add_wide(struct pmon_columns *columns, const double *numbers, pmon_time time)
{
	return add_plain(columns, numbers, time);
}

#endif

static bool
add(struct pmon_columns *columns, const double *numbers, pmon_time time, bool is_wide)
{
	if (time == PMON_TIME_NONE || columns->n_samples == UINT32_MAX)
		return false;
	if (!(is_wide ? add_wide : add_plain)(columns, numbers, time))
		return false;
	columns->time = time;
	columns->n_samples++;
	if (++columns->n_summed < MOST_SUMMED)
		return true;
	for (size_t i = 0; i < columns->n; i++) {
		empty_sums(columns, i);
		columns->high[i] = HIGH_BEGINS * columns->bound[i];
		columns->low[i] = LOW_BEGINS * columns->bound[i];
	}
	columns->n_summed = 0;
	return true;
}

bool
pmon_columns_add(struct pmon_columns *columns, const double *numbers, pmon_time time)
{
	return add(columns, numbers, time, columns->is_wide);
}

bool
pmon_columns_add_plain(struct pmon_columns *columns, const double *numbers, pmon_time time)
{
	return add(columns, numbers, time, false);
}

// ---- Ending ---------------------------------------------------------------------------------

void
pmon_columns_end(struct pmon_columns *columns)
{
	for (size_t i = 0; i < columns->n && columns->n_samples > 0; i++) {
		struct pmon_stats *stats = columns->stats[i];
		double newest = columns->newest[i];

		empty_sums(columns, i);
		stats->count[PMON_V_OK] += columns->n_samples;
		stats->pairs += columns->n_samples;
		stats->tail = (struct pmon_raw){.time = columns->time};
		memcpy(&stats->tail.first, &newest, sizeof(newest));
		stats->last = (struct pmon_value){.value = newest, .status = PMON_V_OK};
		stats->last_raw_time = columns->time;
	}
	columns->n = 0;
}
