// rank.c - the runs of eight series of one formula, side by side
// SPDX-License-Identifier: MIT

#include "core/rank.h"

#include <float.h>

bool
pmon_rank_is_there(void)
{
	return FLT_EVAL_METHOD == 0 && pmon_wide_is_there();
}

// ---- Runs -----------------------------------------------------------------------------------

// Sums of fractions and doubles are exact by other means than a lane has.
bool
pmon_rank_takes(const struct pmon_run *run)
{
	return run->pair.formula == PMON_FORMULA_COUNT ||
	       (run->pair.formula != PMON_FORMULA_NONE &&
		!pmon_formula_is_single((enum pmon_formula)run->pair.formula));
}

// Of counts `ticks` is no number.
static double
ticks_of(const struct pmon_run *run)
{
	return run->pair.formula == PMON_FORMULA_COUNT ? 0 : run->pair.ticks;
}

void
pmon_rank_begin(struct pmon_rank *rank, const struct pmon_run *run)
{
	*rank = (struct pmon_rank){
		.formula = run->pair.formula, .zero = run->pair.zero, .ticks = ticks_of(run)};
}

bool
pmon_rank_fits(const struct pmon_rank *rank, const struct pmon_run *run)
{
	return rank->formula == run->pair.formula && rank->zero == run->pair.zero &&
	       rank->ticks == ticks_of(run);
}

void
pmon_rank_take(struct pmon_rank *rank, unsigned lane, const struct pmon_run *run,
	       uint32_t n_samples)
{
	rank->there |= (uint8_t)(1U << lane);
	rank->first[lane] = run->pair.tail.first;
	rank->second[lane] = run->pair.tail.second;
	rank->minimum[lane] = run->minimum;
	rank->maximum[lane] = run->maximum;
	rank->sum[lane] = 0;
	rank->n_zero[lane] = 0;
	rank->minimum_time[lane] = PMON_TIME_NONE;
	rank->maximum_time[lane] = PMON_TIME_NONE;
	rank->begun[lane] = n_samples;
}

// The status of a value of the lane that is in `zeros`, or not.
static uint8_t
status_of(const struct pmon_rank *rank, uint8_t zeros, unsigned lane)
{
	return zeros >> lane & 1 ? rank->zero : PMON_V_OK;
}

static void
give_newest(const struct pmon_rank *rank, unsigned lane, struct pmon_run *run)
{
	run->pair.tail = (struct pmon_raw){
		.status = (uint32_t)rank->head[lane],
		.multi = (uint32_t)(rank->head[lane] >> 32),
		.time = rank->time[lane],
		.first = rank->first[lane],
		.second = rank->second[lane],
	};
	run->last = rank->last[lane];
	run->last_status = status_of(rank, rank->was_zero, lane);
}

void
pmon_rank_give(struct pmon_rank *rank, unsigned lane, struct pmon_run *run, uint32_t n_samples)
{
	rank->there &= (uint8_t) ~(1U << lane);
	rank->at[lane] = 0;
	if (n_samples == rank->begun[lane])
		return;
	run->n = n_samples - rank->begun[lane];
	run->n_zero = (uint32_t)rank->n_zero[lane];
	give_newest(rank, lane, run);
	run->minimum = rank->minimum[lane];
	run->maximum = rank->maximum[lane];
	run->minimum_time = rank->minimum_time[lane];
	run->maximum_time = rank->maximum_time[lane];
	if (run->minimum_time != PMON_TIME_NONE)
		run->minimum_status = status_of(rank, rank->minimum_zero, lane);
	if (run->maximum_time != PMON_TIME_NONE)
		run->maximum_status = status_of(rank, rank->maximum_zero, lane);
	if (run->pair.formula == PMON_FORMULA_COUNT)
		run->pair.sum = rank->sum[lane];
}

// ---- Raw values -----------------------------------------------------------------------------

#ifdef PMON_HAVE_WIDE

// Counts go into their sums, as long as those hold them.
PMON_WIDE_STEP __mmask8
add_counts(struct pmon_rank *rank, const struct pmon_eight *raws, __mmask8 plain)
{
	__m512i before = _mm512_loadu_si512(rank->sum);
	__m512i sum = _mm512_add_epi64(before, raws->first);
	__m512i overflow =
		_mm512_and_si512(_mm512_xor_si512(sum, before), _mm512_xor_si512(sum, raws->first));

	plain &= (__mmask8)~_mm512_movepi64_mask(overflow);
	_mm512_mask_storeu_epi64(rank->sum, plain, sum);
	return plain;
}

// Those of which nothing went back, but the denominator stood still.
PMON_WIDE_STEP __mmask8
add_zeros(struct pmon_rank *rank, const struct pmon_eight *older, const struct pmon_eight *raws,
	  __mmask8 there)
{
	__m512i n = _mm512_loadu_si512(rank->n_zero);
	__mmask8 zero = there & pmon_eight_usable(raws) &
			_mm512_cmpge_epi64_mask(raws->first, older->first) &
			_mm512_cmpeq_epi64_mask(raws->second, older->second);

	_mm512_storeu_si512(rank->n_zero, _mm512_mask_add_epi64(n, zero, n, _mm512_set1_epi64(1)));
	return zero;
}

// Values of `plain`, of which those of `zero` have another status.
PMON_WIDE_STEP void
add_extremes(struct pmon_rank *rank, __m512d value, __m512i time, __mmask8 plain, __mmask8 zero)
{
	__mmask8 less =
		_mm512_mask_cmp_pd_mask(plain, value, _mm512_loadu_pd(rank->minimum), _CMP_LT_OQ);
	__mmask8 more =
		_mm512_mask_cmp_pd_mask(plain, value, _mm512_loadu_pd(rank->maximum), _CMP_GT_OQ);

	if ((less | more) == 0)
		return;
	_mm512_mask_storeu_pd(rank->minimum, less, value);
	_mm512_mask_storeu_pd(rank->maximum, more, value);
	_mm512_mask_storeu_epi64(rank->minimum_time, less, time);
	_mm512_mask_storeu_epi64(rank->maximum_time, more, time);
	rank->minimum_zero = (uint8_t)((rank->minimum_zero & ~less) | (less & zero));
	rank->maximum_zero = (uint8_t)((rank->maximum_zero & ~more) | (more & zero));
}

PMON_WIDE_STEP uint8_t
add_eight(enum pmon_formula formula, struct pmon_rank *rank, const struct pmon_raw *raws)
{
	const struct pmon_eight newer = pmon_eight_gather(raws, rank->at);
	const struct pmon_eight older = {
		.head = _mm512_setzero_si512(), // as of all that have a run
		.first = _mm512_loadu_si512(rank->first),
		.second = _mm512_loadu_si512(rank->second),
	};
	__mmask8 there = rank->there &
			 _mm512_cmpneq_epi64_mask(newer.time, _mm512_set1_epi64(PMON_TIME_NONE));
	__mmask8 plain, zero = 0;
	__m512d value = pmon_formula_is_single(formula)
				? pmon_eight_single(formula, &newer, &plain)
				: pmon_eight_pair(formula, rank->ticks, &older, &newer, &plain);

	plain &= there;
	if (formula == PMON_FORMULA_COUNT)
		plain = add_counts(rank, &newer, plain);
	else if (pmon_formula_divides(formula) && plain != there)
		zero = add_zeros(rank, &older, &newer, there);
	value = _mm512_maskz_mov_pd((__mmask8)~zero, value);
	add_extremes(rank, value, newer.time,
		     pmon_vstat_has_value((enum pmon_vstat)rank->zero) ? plain | zero : plain,
		     zero);
	plain |= zero;
	rank->was_zero = (uint8_t)((rank->was_zero & ~plain) | zero);
	_mm512_mask_storeu_pd(rank->last, plain, value);
	_mm512_mask_storeu_epi64(rank->first, plain, newer.first);
	_mm512_mask_storeu_epi64(rank->second, plain, newer.second);
	_mm512_mask_storeu_epi64(rank->head, plain, newer.head);
	_mm512_mask_storeu_epi64(rank->time, plain, newer.time);
	return rank->there & (uint8_t)~plain;
}

PMON_WIDE static uint8_t
add_wide(struct pmon_rank *rank, const struct pmon_raw *raws)
{
	switch (rank->formula) {
	case PMON_FORMULA_COUNT:
		return add_eight(PMON_FORMULA_COUNT, rank, raws);
	case PMON_FORMULA_DELTA:
		return add_eight(PMON_FORMULA_DELTA, rank, raws);
	case PMON_FORMULA_RATE:
		return add_eight(PMON_FORMULA_RATE, rank, raws);
	case PMON_FORMULA_RATIO:
		return add_eight(PMON_FORMULA_RATIO, rank, raws);
	case PMON_FORMULA_PERCENT:
		return add_eight(PMON_FORMULA_PERCENT, rank, raws);
	case PMON_FORMULA_PERCENT_INV:
		return add_eight(PMON_FORMULA_PERCENT_INV, rank, raws);
	case PMON_FORMULA_MULTI:
		return add_eight(PMON_FORMULA_MULTI, rank, raws);
	case PMON_FORMULA_MULTI_INV:
		return add_eight(PMON_FORMULA_MULTI_INV, rank, raws);
	case PMON_FORMULA_AVERAGE_TIME:
		return add_eight(PMON_FORMULA_AVERAGE_TIME, rank, raws);
	default:
		return rank->there;
	}
}

#else

static uint8_t
add_wide(struct pmon_rank *rank, const struct pmon_raw *raws)
{
	(void)raws;
	return rank->there;
}

#endif

uint8_t
pmon_rank_add(struct pmon_rank *rank, const struct pmon_raw *raws)
{
	return add_wide(rank, raws);
}
