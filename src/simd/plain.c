// plain.c - the cells of a line of text as doubles, by any processor
// SPDX-License-Identifier: MIT

#include "base/decimal.h"
#include "base/rd.h"
#include "base/step.h"
#include "simd/forms.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// ---- Numbers --------------------------------------------------------------------------------

// Bytes of the line before a cell, and from its beginning on, that are looked at.
#define PLAIN_BEFORE 17
#define PLAIN_AFTER  48

// A bit for each of 32 bytes: set if the byte is not a digit.
#if defined(__SSE2__)
STEP uint32_t
other_than_digits(const char *p)
{
	uint32_t mask = 0;

	for (int i = 0; i < 2; i++) {
		__m128i from_zero =
			_mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)),
				     _mm_set1_epi8('0'));
		__m128i other =
			_mm_cmpeq_epi8(_mm_max_epu8(from_zero, _mm_set1_epi8(10)), from_zero);

		mask |= (uint32_t)_mm_movemask_epi8(other) << (16 * i);
	}
	return mask;
}
#else
STEP uint32_t
other_than_digits(const char *p)
{
	uint32_t mask = 0;

	for (int i = 0; i < 32; i++)
		mask |= (uint32_t)((uint8_t)(p[i] - '0') > 9) << i;
	return mask;
}
#endif

// The number of the first n (1..8) of eight characters, which are digits.
STEP uint64_t
first_digits(uint64_t eight, int n)
{
	eight = eight << (64 - 8 * n) & UINT64_C(0x0F0F0F0F0F0F0F0F);
	eight = eight * ((10 << 8) + 1) >> 8;
	eight = (eight & UINT64_C(0x00FF00FF00FF00FF)) * ((100 << 16) + 1) >> 16;
	return (eight & UINT64_C(0x0000FFFF0000FFFF)) * ((UINT64_C(10000) << 32) + 1) >> 32;
}

// The last n (0..16) digits before `end` as a number. They have a mark before the last `after` of them; 16
// when they have none.
#if defined(__SSE2__)
STEP uint64_t
last_digits(const char *end, int n, int after)
{
	// Sixteen bytes from [n] on clear all but the last n.
	static const uint8_t masks[32] = {0,    0,    0,    0,    0,    0,    0,    0,
					  0,    0,    0,    0,    0,    0,    0,    0,
					  0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F,
					  0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F};
	__m128i zero = _mm_setzero_si128();
	__m128i text = _mm_loadu_si128((const __m128i *)(const void *)(end - 16));
	__m128i before = _mm_loadu_si128((const __m128i *)(const void *)(end - 17));
	__m128i is_after = _mm_loadu_si128((const __m128i *)(const void *)(masks + after));
	__m128i is_digit = _mm_loadu_si128((const __m128i *)(const void *)(masks + n));
	__m128i tens = _mm_set1_epi32(10 | 1 << 16);
	__m128i hundreds = _mm_set1_epi32(100 | 1 << 16);
	__m128i myriads = _mm_set1_epi32(10000 | 1 << 16);
	uint64_t halves;

	text = _mm_or_si128(_mm_and_si128(is_after, text), _mm_andnot_si128(is_after, before));
	text = _mm_and_si128(text, is_digit);
	// Pairs, fours, eights.
	text = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(text, zero), tens),
			       _mm_madd_epi16(_mm_unpackhi_epi8(text, zero), tens));
	text = _mm_madd_epi16(text, hundreds);
	text = _mm_madd_epi16(_mm_packs_epi32(text, text), myriads);
	halves = (uint64_t)_mm_cvtsi128_si64(text);
	return (halves & UINT32_MAX) * 100000000 + (halves >> 32);
}
#else
STEP uint64_t
last_digits(const char *end, int n, int after)
{
	uint64_t number = 0;

	for (int i = n; i > 0; i--)
		number = number * 10 + (uint64_t)(end[i > after ? -i - 1 : -i] - '0');
	return number;
}
#endif

// The digits before the last sixteen: n of them at p, before a mark that follows `whole` digits. False when
// there are more of all digits than MAX_DIGITS, or the mark is among them.
STEP bool
add_first_digits(const char *p, int n, int whole, uint64_t *w)
{
	uint64_t first;

	if (whole == 1 && *p == '0') { // the mark is next, and all digits that count follow it
		p += 2;
		whole = --n;
	}
	if (n > whole || n > 8)
		return false;
	first = n > 0 ? first_digits(pmon_le64((const uint8_t *)p), n) : 0;
	*w += first * UINT64_C(10000000000000000);
	return first < 1000;
}

// A number without sign and exponent, as nearly all are: digits, and a mark and digits. All is found
// with one look at 32 bytes. *places is the number of digits after the mark. Returns where it ends; NULL
// when it is anything else.
STEP const char *
read_plain(const char *p, char mark, uint64_t *w, int *places)
{
	uint32_t other = other_than_digits(p);
	const char *next;
	int after = 16;
	int whole;
	int n;

	if (other == 0)
		return NULL;
	n = whole = (int)pmon_first_bit(other);
	next = p + whole;
	*places = 0;
	if (*next == mark) {
		other &= other - 1;
		if (other == 0)
			return NULL;
		n = (int)pmon_first_bit(other) - 1;
		*places = n - whole;
		after = *places < 16 ? *places : 16;
		next += 1 + *places;
	}
	if (whole == 0)
		return NULL;
	*w = last_digits(next, n < 16 ? n : 16, after);
	return n <= 16 || add_first_digits(p, n - 16, whole, w) ? next : NULL;
}

// ---- Cells ----------------------------------------------------------------------------------

// Any cell that is a number. Not inlined, so that the usual path stays small.
NOINLINE static bool
read_any(struct pmon_cells *cells, double *out)
{
	const char *end = cells->line.ptr + cells->line.len;
	const char *p = cells->line.ptr + cells->at;
	bool is_quoted = cells->at < cells->line.len && *p == '"';
	struct pmon_decimal decimal;

	if (cells->at > cells->line.len ||
	    !pmon_decimal_read_at(p + is_quoted, end, cells->mark, &decimal, &p) ||
	    !pmon_decimal_convert(&decimal, out))
		return false;
	if (is_quoted && (p == end || *p++ != '"'))
		return false;
	if (p < end && *p != cells->separator)
		return false;
	cells->at = (size_t)(p - cells->line.ptr) + 1;
	return true;
}

// The cell at p, if it is a plain number. Returns where the next one begins; else NULL.
STEP const char *
read_cell(const char *p, char separator, char mark, double *out)
{
	bool is_quoted = *p == '"';
	uint64_t w;
	int places;

	p = read_plain(p + is_quoted, mark, &w, &places);
	if (p == NULL || (is_quoted && *p++ != '"') || *p++ != separator ||
	    !pmon_decimal_to_double(w, -places, out))
		return NULL;
	return p;
}

size_t
pmon_plain_read(struct pmon_cells *cells, double *out, size_t n)
{
	size_t last = cells->line.len > PLAIN_AFTER ? cells->line.len - PLAIN_AFTER : 0;
	size_t i;

	for (i = 0; i < n; i++) {
		const char *next = NULL;

		if (cells->at >= PLAIN_BEFORE && cells->at <= last)
			next = read_cell(cells->line.ptr + cells->at, cells->separator, cells->mark,
					 &out[i]);
		if (next != NULL)
			cells->at = (size_t)(next - cells->line.ptr);
		else if (!read_any(cells, &out[i]))
			break;
	}
	return i;
}
