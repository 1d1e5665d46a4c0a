// avx512_row.c - eight numbers at a time as cells, by AVX-512
// SPDX-License-Identifier: MIT
//
// The seventeen digits of a number m * 2^e, of which the first is that of 10^lead, are the integer
// nearest to m * 5^k * 2^(e + k), where k = 16 - lead. For the numbers handled here, 5^k has less
// than 48 bits and m has 53, so two instructions multiply them without loss: the result is exact,
// and so is a half. This is done in eight lanes, one number each. Then each number has two vectors
// with a digit in every lane, from whose bytes its text is assembled.

#include "simd/forms.h"

#ifdef PMON_HAVE_AVX512

#include <immintrin.h>
#include <string.h>

#include "base/decimal.h"

bool
pmon_avx512_is_here(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512ifma") &&
	       __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	       __builtin_cpu_supports("popcnt");
}

#define LANES         8
#define BATCH         64
#define LEAST_LEAD    (-4)
#define MOST_LEAD     16
#define BLANK         (MOST_LEAD + 1) // instead of the lead, if there is no number
#define N_LEADS       (BLANK - LEAST_LEAD + 1)
#define LEAST         1e-4
#define BEYOND        1e17
#define TEN_8         100000000
#define MANTISSA_BITS 52
#define BIAS          1023
#define EXTRA_BITS    5 // after the product, so that there is always something to round
#define TEXT_BYTES    32

// From LEAST_LEAD on. No double here is below its power of ten, so a number is below either both or
// neither.
static const double tens[24] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
				1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

// 5^(16 - lead), from LEAST_LEAD on.
static const uint64_t fives[24] = {
	UINT64_C(95367431640625),
	UINT64_C(19073486328125),
	UINT64_C(3814697265625),
	UINT64_C(762939453125),
	UINT64_C(152587890625),
	UINT64_C(30517578125),
	UINT64_C(6103515625),
	UINT64_C(1220703125),
	UINT64_C(244140625),
	UINT64_C(48828125),
	UINT64_C(9765625),
	UINT64_C(1953125),
	UINT64_C(390625),
	UINT64_C(78125),
	UINT64_C(15625),
	UINT64_C(3125),
	UINT64_C(625),
	UINT64_C(125),
	UINT64_C(25),
	UINT64_C(5),
	UINT64_C(1),
};

// Numbers that are printed together. A text ends after its last byte that is neither a zero nor
// `point`, and includes all bytes before it.
struct batch {
	uint64_t high[BATCH]; // digits 1 to 8 as a number, and digit 0 as a character on top
	uint64_t low[BATCH];  // ... 9 to 16
	uint64_t lead[BATCH]; // from LEAST_LEAD on, or BLANK
	uint64_t point[BATCH];
	uint64_t odd; // numbers that are not handled here, as bits
};

// A table of 24 by numbers below 24.
PMON_AVX512_STEP __m512i
look_up(const void *table, __m512i i)
{
	const uint8_t *bytes = table;
	__m512i first = _mm512_loadu_si512(bytes);
	__m512i second = _mm512_loadu_si512(bytes + 64);
	__m512i third = _mm512_loadu_si512(bytes + 128);

	return _mm512_mask_permutexvar_epi64(_mm512_permutex2var_epi64(first, i, second),
					     _mm512_test_epi64_mask(i, _mm512_set1_epi64(16)), i,
					     third);
}

// The position of the first digit.
PMON_AVX512_STEP __m512i
find_lead(__m512d numbers)
{
	const __m512i least = _mm512_set1_epi64(LEAST_LEAD);
	__m512i exponent =
		_mm512_sub_epi64(_mm512_srli_epi64(_mm512_castpd_si512(numbers), MANTISSA_BITS),
				 _mm512_set1_epi64(BIAS));
	// floor(exponent * log10(2)): the lead is this, or one less.
	__m512i lead = _mm512_srai_epi64(_mm512_mul_epi32(exponent, _mm512_set1_epi64(78913)), 18);
	__m512i next = _mm512_sub_epi64(lead, _mm512_sub_epi64(least, _mm512_set1_epi64(1)));
	__m512d ten = _mm512_castsi512_pd(look_up(tens, next));
	__mmask8 is_next = _mm512_cmp_pd_mask(numbers, ten, _CMP_GE_OQ);

	return _mm512_mask_add_epi64(lead, is_next, lead, _mm512_set1_epi64(1));
}

// The seventeen digits as an integer; rounds half to even, as the C library does.
PMON_AVX512_STEP __m512i
find_digits(__m512d numbers, __m512i lead)
{
	const __m512i one = _mm512_set1_epi64(1);
	const __m512i bits = _mm512_set1_epi64(MANTISSA_BITS);
	__m512i m = _mm512_castpd_si512(numbers); // the multiplier sees only the mantissa
	__m512i five = _mm512_slli_epi64(
		look_up(fives, _mm512_sub_epi64(lead, _mm512_set1_epi64(LEAST_LEAD))), EXTRA_BITS);
	__m512i high =
		_mm512_madd52hi_epu64(five, m, five); // add five, for the implicit first bit of m
	__m512i low = _mm512_madd52lo_epu64(_mm512_setzero_si512(), m, five);
	// 1 to 51 bits are after the point: 52 - exponent - k, and the extra ones.
	__m512i drop = _mm512_sub_epi64(
		_mm512_add_epi64(lead,
				 _mm512_set1_epi64(MANTISSA_BITS - MOST_LEAD + EXTRA_BITS + BIAS)),
		_mm512_srli_epi64(m, MANTISSA_BITS));
	__m512i is_odd = _mm512_and_si512(_mm512_srlv_epi64(low, drop), one);
	__m512i half = _mm512_sllv_epi64(one, _mm512_sub_epi64(drop, one));

	low = _mm512_add_epi64(low, _mm512_add_epi64(_mm512_sub_epi64(half, one), is_odd));
	return _mm512_add_epi64(_mm512_sllv_epi64(high, _mm512_sub_epi64(bits, drop)),
				_mm512_srlv_epi64(low, drop));
}

// Split the digits into three parts: the first, and twice eight.
PMON_AVX512_STEP void
split_digits(__m512i digits, struct batch *out, size_t i)
{
	const __m512i ten_8 = _mm512_set1_epi64(TEN_8);
	// 10^8 is 2^8 * 390625; the reciprocals are precise enough for 49 and 30 bits.
	const __m512i reciprocal = _mm512_set1_epi64(INT64_C(3022314549036573)); // 2^70 / 390625
	const __m512i reciprocal_8 = _mm512_set1_epi64(1441151881);              // 2^57 / 10^8
	__m512i nine =
		_mm512_srli_epi64(_mm512_madd52hi_epu64(_mm512_setzero_si512(),
							_mm512_srli_epi64(digits, 8), reciprocal),
				  18);
	__m512i first = _mm512_srli_epi64(_mm512_mul_epu32(nine, reciprocal_8), 57);
	__m512i high = _mm512_sub_epi64(nine, _mm512_mul_epu32(first, ten_8));
	__m512i low = _mm512_sub_epi64(digits, _mm512_mul_epu32(nine, ten_8));

	first = _mm512_slli_epi64(_mm512_add_epi64(first, _mm512_set1_epi64('0')), 56);
	_mm512_storeu_si512(out->high + i, _mm512_or_si512(first, high));
	_mm512_storeu_si512(out->low + i, low);
}

PMON_AVX512_STEP void
take_eight(__m512d numbers, struct batch *out, size_t i)
{
	__mmask8 is_blank = _mm512_cmp_pd_mask(numbers, numbers, _CMP_UNORD_Q);
	__mmask8 is_zero =
		_mm512_cmpeq_epi64_mask(_mm512_castpd_si512(numbers), _mm512_setzero_si512());
	__mmask8 is_plain = _mm512_cmp_pd_mask(numbers, _mm512_set1_pd(LEAST), _CMP_GE_OQ) &
			    _mm512_cmp_pd_mask(numbers, _mm512_set1_pd(BEYOND), _CMP_LT_OQ);
	__m512i lead = _mm512_maskz_mov_epi64(is_plain, find_lead(numbers));
	__m512i digits = _mm512_maskz_mov_epi64(is_plain, find_digits(numbers, lead));
	__m512i point = _mm512_sllv_epi64(_mm512_set1_epi64(8),
					  _mm512_max_epi64(lead, _mm512_setzero_si512()));

	lead = _mm512_mask_mov_epi64(lead, is_blank, _mm512_set1_epi64(BLANK));
	split_digits(digits, out, i);
	_mm512_storeu_si512(out->lead + i, _mm512_sub_epi64(lead, _mm512_set1_epi64(LEAST_LEAD)));
	_mm512_storeu_si512(out->point + i, point);
	out->odd |= (uint64_t)(uint8_t) ~(is_plain | is_zero | is_blank) << i;
}

// ---- Texts ----------------------------------------------------------------------------------

// The bytes of a text, in two vectors: the lowest byte of a lane is its digit, and other bytes of
// the first vector are these.
enum byte {
	BYTE_SEPARATOR = 1,
	BYTE_QUOTE,
	BYTE_POINT,
	BYTE_ZERO,
	BYTE_BLANK,
	BYTE_FIRST = 7, // the first of the seventeen digits
};

// What all numbers of a row share.
struct form {
	__m512i bytes;      // the bytes above
	__m512i last_byte;  // a mask
	__m512i reciprocal; // 2^52 / 10^8 ... 2^52 / 10
	__m512i round_up; // less than a reciprocal, and more than the error of the products with it
	__m512i ten;
};

struct table {
	struct form form;
	uint8_t places[N_LEADS][TEXT_BYTES]; // the source of each byte of a text, by lead
	char separator;
};

// The digits with a point between them.
PMON_AVX512_STEP __m256i
places_of_large(int lead, __m256i digits)
{
	const __m256i head = _mm256_set1_epi16(BYTE_SEPARATOR | BYTE_QUOTE << 8);
	__m256i text = _mm256_mask_expand_epi8(_mm256_set1_epi8(BYTE_POINT),
					       ~((uint32_t)8 << lead) & ~(uint32_t)3, digits);

	return _mm256_mask_mov_epi8(text, 3, head);
}

// The digits after "0." and zeros.
PMON_AVX512_STEP __m256i
places_of_small(int lead, __m256i digits)
{
	const __m256i head = _mm256_set1_epi32(BYTE_SEPARATOR | BYTE_QUOTE << 8 | BYTE_ZERO << 16 |
					       BYTE_POINT << 24);
	__m256i text = _mm256_mask_expand_epi8(_mm256_set1_epi8(BYTE_ZERO),
					       ~(uint32_t)0 << (3 - lead), digits);

	return _mm256_mask_mov_epi8(text, 15, head);
}

PMON_AVX512_STEP void
find_places(uint8_t places[N_LEADS][TEXT_BYTES])
{
	const uint64_t blank = BYTE_SEPARATOR | BYTE_QUOTE << 8 | BYTE_BLANK << 16;
	uint8_t list[TEXT_BYTES];
	__m256i digits;

	memset(list, BYTE_ZERO, sizeof(list));
	list[0] = BYTE_FIRST;
	for (int i = 0; i < LANES; i++) {
		list[1 + i] = (uint8_t)(8 * i);
		list[1 + LANES + i] = (uint8_t)(64 + 8 * i);
	}
	digits = _mm256_loadu_si256((const __m256i *)list);
	for (int lead = LEAST_LEAD; lead <= MOST_LEAD; lead++)
		_mm256_storeu_si256((__m256i *)places[lead - LEAST_LEAD],
				    lead < 0 ? places_of_small(lead, digits)
					     : places_of_large(lead, digits));
	memset(places[N_LEADS - 1], BYTE_ZERO, TEXT_BYTES);
	memcpy(places[N_LEADS - 1], &blank, 3);
}

PMON_AVX512_STEP struct form
make_form(char separator)
{
	uint64_t bytes = '0' | (uint64_t)(uint8_t)separator << 8 * BYTE_SEPARATOR |
			 (uint64_t)'"' << 8 * BYTE_QUOTE | (uint64_t)'.' << 8 * BYTE_POINT |
			 (uint64_t)'0' << 8 * BYTE_ZERO | (uint64_t)' ' << 8 * BYTE_BLANK;
	struct form form = {
		.bytes = _mm512_set1_epi64((int64_t)bytes),
		.last_byte = _mm512_set1_epi64((int64_t)(UINT64_C(0xFF) << 56)),
		.reciprocal = _mm512_set_epi64(INT64_C(450359962737049), INT64_C(45035996273704),
					       INT64_C(4503599627370), INT64_C(450359962737),
					       INT64_C(45035996273), INT64_C(4503599627), 450359962,
					       45035996),
		.ten = _mm512_set1_epi64(10),
	};

	form.round_up =
		_mm512_srli_epi64(_mm512_mullo_epi64(form.reciprocal, _mm512_set1_epi64(13)), 4);
	return form;
}

// Split a number below 10^8 into digits, each in the lowest byte of its lane: a digit is the
// beginning of the fraction of a quotient by a power of ten.
PMON_AVX512_STEP __m512i
put_digits(const struct form *form, __m512i number, __m512i bytes)
{
	__m512i fraction = _mm512_madd52lo_epu64(form->round_up, number, form->reciprocal);

	return _mm512_madd52hi_epu64(bytes, fraction, form->ten);
}

// The text of a number, in room for TEXT_BYTES. Returns its length.
PMON_AVX512_STEP size_t
put_text(const struct form *form, const struct batch *batch, size_t i, const uint8_t *places,
	 char *out)
{
	uint32_t point = (uint32_t)batch->point[i];
	__m512i high = _mm512_set1_epi64((int64_t)batch->high[i]);
	__m512i low = _mm512_set1_epi64((int64_t)batch->low[i]);
	__m512i from = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)places));
	__m512i bytes = _mm512_ternarylogic_epi64(form->bytes, form->last_byte, high, 0xF8);
	__m256i text = _mm512_castsi512_si256(_mm512_permutex2var_epi8(
		put_digits(form, high, bytes), from, put_digits(form, low, form->bytes)));
	uint32_t counts = _mm256_cmpneq_epi8_mask(text, _mm256_set1_epi8('0'));
	size_t len = TEXT_BYTES - _lzcnt_u32((counts & ~point) | (point - 1));

	_mm256_storeu_si256((__m256i *)out, text);
	out[len] = '"';
	return len + 1;
}

// Print a range of numbers, none of which is odd.
PMON_AVX512 static size_t
put_texts(const struct batch *batch, size_t i, size_t end, const struct table *table, char *out)
{
	struct form form = table->form; // in registers
	size_t len = 0;

	for (; i < end; i++)
		len += put_text(&form, batch, i, table->places[batch->lead[i]], out + len);
	return len;
}

PMON_AVX512 static size_t
print_batch(const struct table *table, const double *numbers, size_t n, char *out)
{
	struct batch batch;
	size_t len = 0;

	batch.odd = 0;
	for (size_t i = 0; i < n; i += LANES) {
		size_t left = n - i < LANES ? n - i : LANES;

		take_eight(_mm512_maskz_loadu_pd((__mmask8)((1u << left) - 1), numbers + i), &batch,
			   i);
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t odd = batch.odd >> i;
		size_t end = odd != 0 ? i + (size_t)__builtin_ctzll(odd) : n;

		len += put_texts(&batch, i, end, table, out + len);
		if (end < n)
			len += pmon_row_print_one(numbers[end], table->separator,
						  PMON_DECIMAL_DIGITS, out + len);
		i = end;
	}
	return len;
}

PMON_AVX512 size_t
pmon_avx512_print(const double *numbers, size_t n, char separator, char *out)
{
	struct table table = {.separator = separator, .form = make_form(separator)};
	size_t len = 0;

	find_places(table.places);
	for (size_t i = 0; i < n; i += BATCH)
		len += print_batch(&table, numbers + i, n - i < BATCH ? n - i : BATCH, out + len);
	return len;
}

#endif
