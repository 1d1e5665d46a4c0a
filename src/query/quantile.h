// quantile.h - percentiles of any number of weighted values, in bounded memory
// SPDX-License-Identifier: MIT
//
// A sketch counts weights in bins whose width grows with the magnitude of the values, so its
// results have a bounded relative error. This is DDSketch (Masson, Rim and Lee, VLDB 2019) with
// linearly interpolated bins: each power of two has PMON_QUANTILE_BINS of equal width. The bin of a
// value consists of its exponent and the first bits of its mantissa, without a logarithm, so the
// same values yield the same bins on every machine.
//
// - Error: a value x is returned as y with |x - y| <= |x| / 257, which is below 0.4 %.
// - Zero is exact. Clamp results to the exact minimum and maximum if these are known.
// - Values may be negative. Infinities and NaNs are ignored.
// - Weights are integers, such as units of 100 ns, or operations. Their sum saturates at 2^64 - 1.
// - Memory: 64 bytes for each eight consecutive bins that have a value, 128 bytes for each power of
//   two that has one, and for each sign up to 32 bytes for each power of two between them, 1 KiB at
//   the most. So a value costs at most 64 bytes, and 18 KiB more for all of them together, however
//   they are spread. There are at most PMON_QUANTILE_OCTAVES powers of two: values whose magnitude
//   is below the largest by more than that (a factor of 2^63 at least) are counted as zero. Nothing
//   else is ever combined.
// - Order does not matter: sketches of the same values are the same, however they were added and
//   merged. So reading with threads or in parts yields the same percentiles as one reader.
//
// A sketch that is all zero bytes is empty. Its memory belongs to the arena; there is nothing to
// free.

#ifndef PMON_QUERY_QUANTILE_H
#define PMON_QUERY_QUANTILE_H

#include "base/arena.h"

#define PMON_QUANTILE_BINS    128
#define PMON_QUANTILE_OCTAVES 64

// The guaranteed relative error.
#define PMON_QUANTILE_ERROR 0.005

#define PMON_QUANTILE_PAGE  8 // bins
#define PMON_QUANTILE_PAGES (PMON_QUANTILE_BINS / PMON_QUANTILE_PAGE)

// The bins of a power of two. NULL: none yet.
struct pmon_quantile_octave {
	uint64_t *pages[PMON_QUANTILE_PAGES];
};

// The powers of two of one sign, from exponent `low` up to `high`; high 0: none.
struct pmon_quantile_sign {
	struct pmon_quantile_octave **list; // by the exponent modulo `size`
	uint16_t size;                      // a power of two
	uint16_t low;
	uint16_t high;
};

struct pmon_quantile {
	struct pmon_quantile_sign signs[2]; // of positive and negative values
	uint64_t zero;                      // weight of zero, and of values counted as zero
	uint32_t top; // the largest exponent, as in the bits of a double; 0: none
	// Sign and exponent of the newest value, and its bins, as the next one is often near; NULL: unknown.
	uint32_t newest;
	struct pmon_quantile_octave *bins;
};

// Add a value. False when memory is short.
PMON_NODISCARD bool pmon_quantile_add(struct pmon_quantile *quantile, struct pmon_arena *arena,
				      double value, uint64_t weight);

// Add all values of another sketch, which is unchanged. False when memory is short; the sketch is
// then incomplete and unusable.
PMON_NODISCARD bool pmon_quantile_merge(struct pmon_quantile *quantile, struct pmon_arena *arena,
					const struct pmon_quantile *other);

// Discard all values; keep the memory for new ones.
void pmon_quantile_restart(struct pmon_quantile *quantile);

#define PMON_PERCENT 1000u // thousandths of a percent

// The percentile p, in thousandths of a percent, up to 100 * PMON_PERCENT: the smallest value such
// that it and all lower values have at least that share of the weight. False if there is no weight.
PMON_NODISCARD bool pmon_quantile_at(const struct pmon_quantile *quantile, uint32_t p, double *out);

// The percentile p of the distances of all values from `center`, like pmon_quantile_at(), but *out
// is 0 if there are no values. False when memory is short.
PMON_NODISCARD bool pmon_quantile_distance(const struct pmon_quantile *quantile,
					   const struct pmon_allocator *allocator, double center,
					   uint32_t p, double *out);

#endif
