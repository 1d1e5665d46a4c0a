// quantile.c - percentiles of any number of weighted values, in bounded memory
// SPDX-License-Identifier: MIT

#include "query/quantile.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

#define BINS          PMON_QUANTILE_BINS
#define OCTAVES       PMON_QUANTILE_OCTAVES
#define PAGE          PMON_QUANTILE_PAGE
#define PAGES         PMON_QUANTILE_PAGES
#define MANTISSA_BITS 52
#define EXPONENT_BITS 11
#define BIN_BITS      7
#define NOT_FINITE    0x7FF
#define ONE           1023 // exponent of 1

static inline void
add_weight(uint64_t *to, uint64_t weight)
{
	*to = weight > UINT64_MAX - *to ? UINT64_MAX : *to + weight;
}

// The lowest exponent with its own bins.
static unsigned
bottom(const struct pmon_quantile *q)
{
	return q->top >= OCTAVES ? q->top - OCTAVES + 1 : 1;
}

// The bins of an exponent within the window, or NULL.
static struct pmon_quantile_octave *
octave_of(const struct pmon_quantile *q, bool negative, unsigned octave)
{
	const struct pmon_quantile_sign *sign = &q->signs[negative];

	return octave >= sign->low && octave <= sign->high ? sign->list[octave % sign->size] : NULL;
}

static uint64_t
weight_of(const struct pmon_quantile_octave *octave, size_t bin)
{
	const uint64_t *page = octave->pages[bin / PAGE];

	return page != NULL ? page[bin % PAGE] : 0;
}

// Make the list reach from exponent low to high. False when memory is short.
static bool
widen(struct pmon_quantile_sign *sign, struct pmon_arena *arena, unsigned low, unsigned high)
{
	struct pmon_quantile_octave **list = sign->list;
	unsigned size = sign->size > 0 ? sign->size : 1;

	while (high - low >= size)
		size *= 2;
	if (size > sign->size) {
		list = pmon_arena_alloc(arena, size * sizeof(*list));
		for (unsigned i = sign->low; list != NULL && i <= sign->high && sign->high > 0; i++)
			list[i % size] = sign->list[i % sign->size];
	}
	if (list == NULL)
		return false;
	*sign = (struct pmon_quantile_sign){list, (uint16_t)size, (uint16_t)low, (uint16_t)high};
	return true;
}

// Make room for the bins of an exponent within the window. NULL when memory is short.
static struct pmon_quantile_octave **
reach(struct pmon_quantile *q, struct pmon_arena *arena, bool negative, unsigned octave)
{
	struct pmon_quantile_sign *sign = &q->signs[negative];
	bool is_empty = sign->high < bottom(q);
	unsigned low = is_empty ? octave : sign->low > bottom(q) ? sign->low : bottom(q);
	unsigned high = is_empty ? octave : sign->high;

	if ((octave < sign->low || octave > sign->high) &&
	    !widen(sign, arena, octave < low ? octave : low, octave > high ? octave : high))
		return NULL;
	return &sign->list[octave % sign->size];
}

// NULL when memory is short.
static struct pmon_quantile_octave *
make_octave(struct pmon_quantile *q, struct pmon_arena *arena, bool negative, unsigned octave)
{
	struct pmon_quantile_octave **at = reach(q, arena, negative, octave);

	if (at != NULL && *at == NULL)
		*at = pmon_arena_alloc(arena, sizeof(**at));
	return at != NULL ? *at : NULL;
}

// NULL when memory is short.
static uint64_t *
make_bin(struct pmon_quantile *q, struct pmon_arena *arena, bool negative, unsigned octave,
	 size_t bin)
{
	uint32_t key = (uint32_t)negative << EXPONENT_BITS | octave;
	uint64_t **page;

	if (q->bins == NULL || q->newest != key)
		q->bins = make_octave(q, arena, negative, octave);
	q->newest = key;
	page = q->bins != NULL ? &q->bins->pages[bin / PAGE] : NULL;
	if (page != NULL && *page == NULL)
		*page = pmon_arena_alloc(arena, PAGE * sizeof(**page));
	return page != NULL && *page != NULL ? &(*page)[bin % PAGE] : NULL;
}

// Count the contents of these bins as zero from now on.
static void
fold(struct pmon_quantile *q, struct pmon_quantile_octave *octave)
{
	for (size_t i = 0; octave != NULL && i < PAGES; i++)
		for (size_t k = 0; octave->pages[i] != NULL && k < PAGE; k++) {
			add_weight(&q->zero, octave->pages[i][k]);
			octave->pages[i][k] = 0;
		}
}

// Handle a larger exponent.
static void
raise_top(struct pmon_quantile *q, unsigned top)
{
	for (unsigned octave = bottom(q); octave <= q->top && octave + OCTAVES <= top; octave++) {
		fold(q, octave_of(q, false, octave));
		fold(q, octave_of(q, true, octave));
	}
	q->top = top;
}

bool
pmon_quantile_add(struct pmon_quantile *q, struct pmon_arena *arena, double value, uint64_t weight)
{
	uint64_t bits;
	uint64_t *bin;
	unsigned octave;

	memcpy(&bits, &value, sizeof(bits));
	octave = (unsigned)(bits >> MANTISSA_BITS) & NOT_FINITE;
	if (octave == NOT_FINITE || weight == 0)
		return true;
	if (octave > q->top)
		raise_top(q, octave);
	if (octave < bottom(q)) {
		add_weight(&q->zero, weight);
		return true;
	}
	bin = make_bin(q, arena, bits >> 63, octave,
		       bits >> (MANTISSA_BITS - BIN_BITS) & (BINS - 1));
	if (bin == NULL)
		return false;
	add_weight(bin, weight);
	return true;
}

static bool
merge_bins(struct pmon_quantile *q, struct pmon_arena *arena, const struct pmon_quantile *other,
	   bool negative, unsigned octave)
{
	const struct pmon_quantile_octave *from = octave_of(other, negative, octave);
	bool is_zero = octave < bottom(q);

	for (size_t i = 0; from != NULL && i < BINS; i++) {
		uint64_t weight = weight_of(from, i);
		uint64_t *to = &q->zero;

		if (weight > 0 && !is_zero)
			to = make_bin(q, arena, negative, octave, i);
		if (to == NULL)
			return false;
		add_weight(to, weight);
	}
	return true;
}

bool
pmon_quantile_merge(struct pmon_quantile *q, struct pmon_arena *arena,
		    const struct pmon_quantile *other)
{
	if (other->top > q->top)
		raise_top(q, other->top);
	add_weight(&q->zero, other->zero);
	for (unsigned octave = bottom(other); octave <= other->top; octave++)
		if (!merge_bins(q, arena, other, false, octave) ||
		    !merge_bins(q, arena, other, true, octave))
			return false;
	return true;
}

void
pmon_quantile_restart(struct pmon_quantile *q)
{
	for (unsigned octave = bottom(q); octave <= q->top; octave++) {
		fold(q, octave_of(q, false, octave));
		fold(q, octave_of(q, true, octave));
	}
	for (int negative = 0; negative < 2; negative++)
		q->signs[negative].low = q->signs[negative].high = 0;
	q->zero = 0;
	q->top = 0;
	q->bins = NULL; // its place may become that of another exponent
}

// ---- Reading --------------------------------------------------------------------------------

static uint64_t
total_weight(const struct pmon_quantile *q)
{
	uint64_t total = q->zero;

	for (unsigned octave = bottom(q); octave <= q->top; octave++)
		for (int negative = 0; negative < 2; negative++) {
			const struct pmon_quantile_octave *bins = octave_of(q, negative, octave);

			for (size_t i = 0; bins != NULL && i < BINS; i++)
				add_weight(&total, weight_of(bins, i));
		}
	return total;
}

// p of the total, rounded up, without overflow.
static uint64_t
share(uint64_t total, uint32_t p)
{
	uint64_t whole = 100 * PMON_PERCENT;
	uint64_t n = total / whole * p + (total % whole * p + whole - 1) / whole;

	return n > 0 ? n : 1;
}

// The number with equal relative distance to both ends of a bin.
static double
middle(bool negative, unsigned octave, size_t bin)
{
	double low = 1 + (double)bin / BINS;
	double high = low + 1.0 / BINS;
	double value = ldexp(2 * low * high / (low + high), (int)octave - ONE);

	return negative ? -value : value;
}

// Subtract the weights of bins from *left, in ascending order of values. True when it reaches zero.
static bool
take_bins(const struct pmon_quantile *q, bool negative, unsigned octave, uint64_t *left,
	  double *out)
{
	const struct pmon_quantile_octave *bins = octave_of(q, negative, octave);

	for (size_t i = 0; bins != NULL && i < BINS; i++) {
		size_t bin = negative ? BINS - 1 - i : i;

		uint64_t weight = weight_of(bins, bin);

		if (weight >= *left) {
			*out = middle(negative, octave, bin);
			return true;
		}
		*left -= weight;
	}
	return false;
}

bool
pmon_quantile_at(const struct pmon_quantile *q, uint32_t p, double *out)
{
	uint64_t left = total_weight(q);

	if (left == 0)
		return false;
	left = share(left, p);
	for (unsigned octave = q->top; octave >= bottom(q); octave--)
		if (take_bins(q, true, octave, &left, out))
			return true;
	*out = 0;
	if (q->zero >= left)
		return true;
	left -= q->zero;
	for (unsigned octave = bottom(q); octave <= q->top; octave++)
		if (take_bins(q, false, octave, &left, out))
			return true;
	return true;
}

// ---- Distances ------------------------------------------------------------------------------

static bool
add_distances(const struct pmon_quantile *q, struct pmon_quantile *to, struct pmon_arena *arena,
	      double center)
{
	for (unsigned octave = bottom(q); octave <= q->top; octave++)
		for (int negative = 0; negative < 2; negative++) {
			const struct pmon_quantile_octave *bins = octave_of(q, negative, octave);

			for (size_t i = 0; bins != NULL && i < BINS; i++)
				if (weight_of(bins, i) > 0 &&
				    !pmon_quantile_add(to, arena,
						       fabs(middle(negative, octave, i) - center),
						       weight_of(bins, i)))
					return false;
		}
	return pmon_quantile_add(to, arena, fabs(center), q->zero);
}

bool
pmon_quantile_distance(const struct pmon_quantile *q, const struct pmon_allocator *allocator,
		       double center, uint32_t p, double *out)
{
	struct pmon_quantile distances = {.zero = 0};
	struct pmon_arena arena;
	bool good;

	pmon_arena_init(&arena, pmon_mem_allocator(allocator));
	good = add_distances(q, &distances, &arena, center);
	*out = 0;
	if (good && !pmon_quantile_at(&distances, p, out))
		*out = 0;
	pmon_arena_free(&arena);
	return good;
}
