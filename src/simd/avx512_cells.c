// avx512_cells.c - many cells of a line as doubles, by AVX-512
// SPDX-License-Identifier: MIT
//
// First find the edges of the cells. Then right-align the digits of each wanted cell in 32 bytes,
// without the decimal mark and padded with zeros, and convert them to four numbers of eight digits,
// for eight cells together. From there on a lane is a cell, and the steps are those of decimal.c.
// Cells read ahead stay in struct pmon_cells until they are requested, since the cells in between
// may be anything.

#include "simd/forms.h"

#ifdef PMON_HAVE_AVX512

#include <immintrin.h>

#include "base/decimal.h"
#include "base/powers.h"
#include "simd/edges.h"

#define LANES     8
#define PAIRS     (PMON_CELLS_BATCH / 2)
#define WORDS     16  // positions that are moved together
#define MOST_HIGH 999 // before the last 16 digits: more than 19 do not fit a lane

// Append the positions of the bytes of a block that are found.
PMON_AVX512_STEP size_t
add_edges(uint32_t *edges, size_t block, __mmask64 found)
{
	const __m512i places = _mm512_set_epi8(
		63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43,
		42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22,
		21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	__m512i at = _mm512_maskz_compress_epi8(found, places);
	size_t n = (size_t)_mm_popcnt_u64(found);

	for (size_t i = 0; i < n; i += 16) {
		__m512i next = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(at));

		_mm512_storeu_si512(edges + i,
				    _mm512_add_epi32(next, _mm512_set1_epi32((int)block)));
		at = _mm512_shuffle_i32x4(at, at, 0x39); // the next sixteen
	}
	return n;
}

// The block of the line at p. A cell may begin with it.
PMON_AVX512_STEP struct edges_block
look_at(const char *p, size_t left, char separator, bool is_begin)
{
	__mmask64 there = left < EDGES_BLOCK ? ((__mmask64)1 << left) - 1 : ~(__mmask64)0;
	__m512i text = _mm512_maskz_loadu_epi8(there, p);
	struct edges_block block = {
		.separators = _mm512_mask_cmpeq_epi8_mask(there, text, _mm512_set1_epi8(separator)),
		.quotes = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('"')),
	};

	edges_look_beside(&block, p, left, separator, is_begin);
	return block;
}

// Find the edges of the cells from `at` on, as many as are processed together: separators, or the
// end of the line after a wanted cell.
PMON_AVX512 static void
find_edges(struct pmon_cells *cells, bool is_quoted)
{
	struct pmon_span line = cells->line;
	size_t from = cells->at;
	bool is_begin = true;
	bool is_odd = false;
	size_t n = 0;

	cells->edges[0] = (uint32_t)from - 1;
	for (; from < line.len && n < PMON_CELLS_BATCH && !is_odd; from += EDGES_BLOCK) {
		struct edges_block block =
			look_at(line.ptr + from, line.len - from, cells->separator, is_begin);
		uint64_t edges = edges_in(&block, is_quoted, &is_odd);

		is_begin = (edges & EDGES_LAST) != 0;
		n += add_edges(cells->edges + 1 + n, from, edges);
	}
	if (n < PMON_CELLS_BATCH && !is_odd && (cells->read >> n & 1) != 0 &&
	    (!is_quoted || line.ptr[line.len - 1] == '"'))
		cells->edges[++n] = (uint32_t)line.len;
	cells->n = n < PMON_CELLS_BATCH ? n : PMON_CELLS_BATCH;
	cells->read &= pmon_low_bits(cells->n);
}

// Cells that are being converted. Each step processes all of them, so that the processor can work
// on many at a time.
struct batch {
	const char *text;                          // that the positions refer to
	size_t n;                                  // cells, a multiple of LANES
	uint64_t bad;                              // cells that are not plain numbers, as bits
	uint32_t before[PMON_CELLS_BATCH + WORDS]; // the end of what precedes each cell
	uint32_t end[PMON_CELLS_BATCH + WORDS];    // of each cell
	// of each cell, in pairs: bits for the PMON_CELLS_LOOK bytes that end with it
	uint64_t inside[PAIRS];
	uint64_t marks[PAIRS];
	uint64_t digits[PAIRS];     // their positions after the mark is removed
	uint64_t moved[PAIRS];      // those of them that were before the mark
	uint32_t places[2 * PAIRS]; // digits after the mark
	uint64_t w[2 * PAIRS];      // all digits, as a number
};

// Collect the positions of the cells to read. The last one is repeated to fill the last lanes.
PMON_AVX512_STEP void
pick_cells(struct batch *batch, const struct pmon_cells *cells)
{
	size_t n = 0;

	for (size_t i = 0; i < cells->n; i += WORDS) {
		__mmask16 read = (__mmask16)(cells->read >> i);

		_mm512_storeu_si512(
			batch->before + n,
			_mm512_maskz_compress_epi32(read, _mm512_loadu_si512(cells->edges + i)));
		_mm512_storeu_si512(batch->end + n,
				    _mm512_maskz_compress_epi32(
					    read, _mm512_loadu_si512(cells->edges + i + 1)));
		n += (size_t)_mm_popcnt_u32(read);
	}
	batch->n = (n + LANES - 1) / LANES * LANES;
	for (size_t i = n; i < batch->n; i++) {
		batch->before[i] = batch->before[n - 1];
		batch->end[i] = batch->end[n - 1];
	}
}

// Find the texts of the cells, without their quotes.
PMON_AVX512_STEP void
find_texts(struct batch *batch, bool is_quoted)
{
	const __m256i none = _mm256_set1_epi32(is_quoted ? 3 : 1);
	const __m256i all = _mm256_set1_epi32(-1);

	for (size_t i = 0; i < batch->n; i += LANES) {
		__m256i before = _mm256_loadu_si256((const __m256i *)(batch->before + i));
		__m256i end = _mm256_loadu_si256((const __m256i *)(batch->end + i));
		__m256i length = _mm256_sub_epi32(_mm256_sub_epi32(end, before), none);
		__mmask8 bad = _mm256_cmpgt_epu32_mask(_mm256_add_epi32(length, all),
						       _mm256_set1_epi32(PMON_CELLS_LOOK - 1));

		batch->bad |= (uint64_t)bad << i;
		_mm256_storeu_si256((__m256i *)(batch->inside + i / 2),
				    _mm256_andnot_si256(_mm256_srlv_epi32(all, length), all));
	}
}

// The bytes before `a` and those before `b`.
PMON_AVX512_STEP __m512i
load_two(const char *a, const char *b)
{
	return _mm512_inserti64x4(
		_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(a - PMON_CELLS_LOOK))),
		_mm256_loadu_si256((const __m256i *)(b - PMON_CELLS_LOOK)), 1);
}

// The texts of a pair of cells.
PMON_AVX512_STEP __m512i
load_pair(const struct batch *batch, size_t pair, size_t back)
{
	const char *text = batch->text - back;

	return load_two(text + batch->end[2 * pair], text + batch->end[2 * pair + 1]);
}

PMON_AVX512_STEP void
find_marks(struct batch *batch, char mark)
{
	for (size_t i = 0; i < batch->n / 2; i++)
		batch->marks[i] = _mm512_mask_cmpeq_epi8_mask(
			batch->inside[i], load_pair(batch, i, 0), _mm512_set1_epi8(mark));
}

// Find the bytes that are digits, and those that have to move over the mark.
PMON_AVX512_STEP void
find_digits(struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i += LANES) {
		__m256i inside = _mm256_loadu_si256((const __m256i *)(batch->inside + i / 2));
		__m256i mark = _mm256_loadu_si256((const __m256i *)(batch->marks + i / 2));
		__mmask8 has_mark = _mm256_test_epi32_mask(mark, mark);
		__m256i digits = _mm256_mask_slli_epi32(inside, has_mark, inside, 1);
		// Up to the first mark.
		__m256i before = _mm256_maskz_xor_epi32(
			has_mark, mark, _mm256_sub_epi32(mark, _mm256_set1_epi32(1)));

		batch->bad |= (uint64_t)_mm256_testn_epi32_mask(digits, digits) << i;
		_mm256_storeu_si256(
			(__m256i *)(batch->places + i),
			_mm256_and_si256(_mm256_lzcnt_epi32(mark), _mm256_set1_epi32(31)));
		_mm256_storeu_si256((__m256i *)(batch->digits + i / 2), digits);
		_mm256_storeu_si256((__m256i *)(batch->moved + i / 2),
				    _mm256_and_si256(before, digits));
	}
}

// The digits of a pair, without the mark.
PMON_AVX512_STEP __m512i
load_digits(const struct batch *batch, size_t pair)
{
	__m512i text = _mm512_mask_mov_epi8(load_pair(batch, pair, 0), batch->moved[pair],
					    load_pair(batch, pair, 1));

	return _mm512_maskz_sub_epi8(batch->digits[pair], text, _mm512_set1_epi8('0'));
}

// Which cells of two pairs have bytes that are not digits?
PMON_AVX512_STEP uint32_t
others_in(__m512i ab, __m512i cd)
{
	uint64_t first = _mm512_cmpgt_epu8_mask(ab, _mm512_set1_epi8(9));
	uint64_t second = _mm512_cmpgt_epu8_mask(cd, _mm512_set1_epi8(9));

	return (uint32_t)((uint32_t)first != 0) | (uint32_t)(first >> 32 != 0) << 1 |
	       (uint32_t)((uint32_t)second != 0) << 2 | (uint32_t)(second >> 32 != 0) << 3;
}

// Combine sixteen digits of each of four cells: the high and the low ones of a and c, then those of
// b and d.
PMON_AVX512_STEP __m512i
join_digits(__m512i ab, __m512i cd)
{
	const __m512i tens = _mm512_set1_epi16(10 | 1 << 8);
	const __m512i hundreds = _mm512_set1_epi32(100 | 1 << 16);
	const __m512i myriads = _mm512_set1_epi32(10000 | 1 << 16);
	__m512i eight;

	ab = _mm512_madd_epi16(_mm512_maddubs_epi16(ab, tens), hundreds);
	cd = _mm512_madd_epi16(_mm512_maddubs_epi16(cd, tens), hundreds);
	eight = _mm512_madd_epi16(_mm512_packus_epi32(ab, cd), myriads);
	return _mm512_add_epi64(_mm512_mul_epu32(eight, _mm512_set1_epi64(100000000)),
				_mm512_srli_epi64(eight, 32));
}

// Convert the digits of eight cells to numbers.
PMON_AVX512_STEP void
take_eight(struct batch *batch, size_t i)
{
	const __m512i high_places = _mm512_set_epi64(13, 9, 12, 8, 5, 1, 4, 0);
	const __m512i low_places = _mm512_set_epi64(15, 11, 14, 10, 7, 3, 6, 2);
	__m512i ab = load_digits(batch, i / 2);
	__m512i cd = load_digits(batch, i / 2 + 1);
	__m512i ef = load_digits(batch, i / 2 + 2);
	__m512i gh = load_digits(batch, i / 2 + 3);
	__m512i largest = _mm512_max_epu8(_mm512_max_epu8(ab, cd), _mm512_max_epu8(ef, gh));
	__m512i abcd = join_digits(ab, cd);
	__m512i efgh = join_digits(ef, gh);
	__m512i high = _mm512_permutex2var_epi64(abcd, high_places, efgh);
	__m512i low = _mm512_permutex2var_epi64(abcd, low_places, efgh);
	uint64_t bad = _mm512_cmpgt_epu64_mask(high, _mm512_set1_epi64(MOST_HIGH));

	if (__builtin_expect(_mm512_cmpgt_epu8_mask(largest, _mm512_set1_epi8(9)) != 0, 0))
		bad |= others_in(ab, cd) | others_in(ef, gh) << 4;
	batch->bad |= bad << i;
	high = _mm512_mullo_epi64(high, _mm512_set1_epi64(INT64_C(10000000000000000)));
	_mm512_storeu_si512(batch->w + i, _mm512_add_epi64(low, high));
}

// The high halves of 10^0, 10^-1 ... 10^-31.
struct powers {
	__m512i list[4];
};

PMON_AVX512_STEP struct powers
load_powers(void)
{
	const __m512i high_halves = _mm512_set_epi64(0, 2, 4, 6, 8, 10, 12, 14);
	struct powers powers;

	for (int i = 0; i < 4; i++) {
		const struct pmon_power *last = &pmon_powers[-8 * i - 7 - PMON_POWER_LEAST];

		powers.list[i] = _mm512_permutex2var_epi64(_mm512_loadu_si512(last), high_halves,
							   _mm512_loadu_si512(last + 4));
	}
	return powers;
}

PMON_AVX512_STEP __m512i
find_powers(const struct powers *powers, __m512i places)
{
	__mmask8 is_large = _mm512_test_epi64_mask(places, _mm512_set1_epi64(16));
	__m512i small = _mm512_permutex2var_epi64(powers->list[0], places, powers->list[1]);
	__m512i large = _mm512_permutex2var_epi64(powers->list[2], places, powers->list[3]);

	return _mm512_mask_mov_epi64(small, is_large, large);
}

// The high halves of the products.
PMON_AVX512_STEP __m512i
multiply(__m512i a, __m512i b)
{
	__m512i a_high = _mm512_srli_epi64(a, 32);
	__m512i b_high = _mm512_srli_epi64(b, 32);
	__m512i mid = _mm512_add_epi64(_mm512_mul_epu32(a_high, b),
				       _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32));
	__m512i mid2 =
		_mm512_add_epi64(_mm512_mul_epu32(a, b_high),
				 _mm512_and_si512(mid, _mm512_set1_epi64(INT64_C(0xFFFFFFFF))));

	return _mm512_add_epi64(
		_mm512_mul_epu32(a_high, b_high),
		_mm512_add_epi64(_mm512_srli_epi64(mid, 32), _mm512_srli_epi64(mid2, 32)));
}

// The doubles nearest to w / 10^places, for places below 32; sets a bit in *doubt if that is not
// certain. Like round_short() of decimal.c, without the part of the product that distinguishes an
// exact half from nearly one.
PMON_AVX512_STEP __m512d
divide(const struct powers *powers, __m512i w, __m512i places, uint32_t *doubt)
{
	const __m512i one = _mm512_set1_epi64(1);
	__m512i zeros = _mm512_lzcnt_epi64(w);
	__m512i high = multiply(_mm512_sllv_epi64(w, zeros), find_powers(powers, places));
	__m512i drop = _mm512_add_epi64(_mm512_set1_epi64(9), _mm512_srli_epi64(high, 63));
	__m512i kept = _mm512_srlv_epi64(high, drop);
	__m512i below = _mm512_sub_epi64(_mm512_sllv_epi64(one, drop), one);
	__m512i dropped = _mm512_and_si512(high, below);
	// floor(log2(10^-places)), as in decimal.c.
	__m512i log2 = _mm512_srai_epi64(_mm512_mul_epi32(places, _mm512_set1_epi64(-217706)), 16);
	__m512i exponent = _mm512_add_epi64(_mm512_sub_epi64(log2, zeros),
					    _mm512_add_epi64(drop, _mm512_set1_epi64(1076)));

	*doubt = _mm512_cmpeq_epi64_mask(dropped, below) |
		 (_mm512_testn_epi64_mask(dropped, dropped) & _mm512_test_epi64_mask(kept, one));
	kept = _mm512_srli_epi64(_mm512_add_epi64(kept, one), 1);
	// The first bit of the mantissa is implicit: adding it increments the exponent.
	return _mm512_castsi512_pd(_mm512_maskz_add_epi64(_mm512_test_epi64_mask(w, w), kept,
							  _mm512_slli_epi64(exponent, 52)));
}

// Convert the numbers in doubt exactly.
PMON_AVX512 static void
settle(struct batch *batch, uint64_t doubt, double *out)
{
	for (doubt &= ~batch->bad; doubt != 0; doubt &= doubt - 1) {
		int i = __builtin_ctzll(doubt);
		struct pmon_decimal decimal = {.w = batch->w[i], .e = -(int32_t)batch->places[i]};

		if (!pmon_decimal_convert(&decimal, &out[i]))
			batch->bad |= (uint64_t)1 << i;
	}
}

PMON_AVX512_STEP void
divide_all(struct batch *batch, double *out)
{
	struct powers powers = load_powers();
	uint64_t doubt = 0;

	for (size_t i = 0; i < batch->n; i += LANES) {
		__m512i places = _mm512_cvtepu32_epi64(
			_mm256_loadu_si256((const __m256i *)(batch->places + i)));
		uint32_t in_doubt;

		_mm512_storeu_pd(out + i, divide(&powers, _mm512_loadu_si512(batch->w + i), places,
						 &in_doubt));
		doubt |= (uint64_t)in_doubt << i;
	}
	settle(batch, doubt, out);
}

PMON_AVX512 void
pmon_avx512_read_ahead(struct pmon_cells *cells)
{
	bool is_quoted = cells->line.ptr[cells->at] == '"';
	struct batch batch;

	find_edges(cells, is_quoted);
	batch.text = cells->line.ptr - is_quoted;
	batch.bad = 0;
	pick_cells(&batch, cells);
	find_texts(&batch, is_quoted);
	find_marks(&batch, cells->mark);
	find_digits(&batch);
	for (size_t i = 0; i < batch.n; i += LANES)
		take_eight(&batch, i);
	divide_all(&batch, cells->numbers);
	cells->bad = _pdep_u64(batch.bad, cells->read);
}

#endif
