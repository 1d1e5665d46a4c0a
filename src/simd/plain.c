// plain.c - the cells of a line of text as doubles, by any processor
// SPDX-License-Identifier: MIT
//
// One pass finds which bytes of a part of the line are not digits. So the edges of a cell are known while the
// processor still works at the digits of those before it.

#include "base/decimal.h"
#include "base/rd.h"
#include "base/round.h"
#include "base/wr.h"
#include "simd/edges.h"
#include "simd/forms.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// ---- Parts of a line ------------------------------------------------------------------------

#define WORD 64 // bytes that have their bits in one word

// A bit for each of 16 bytes: set if the byte is not a digit.
#if defined(__SSE2__)
STEP uint64_t
others_in(const char *p)
{
	__m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i from_zero = _mm_sub_epi8(text, _mm_set1_epi8('0'));

	return (uint32_t)_mm_movemask_epi8(
		_mm_cmpeq_epi8(_mm_max_epu8(from_zero, _mm_set1_epi8(10)), from_zero));
}
#else
STEP uint64_t
others_in(const char *p)
{
	uint64_t mask = 0;

	for (int i = 0; i < 16; i++)
		mask |= (uint64_t)((uint8_t)(p[i] - '0') > 9) << i;
	return mask;
}
#endif

STEP void
search_word(uint8_t *others, const char *p)
{
	pmon_put_le64(others, others_in(p) | others_in(p + 16) << 16 |
				      (others_in(p + 32) | others_in(p + 48) << 16) << 32);
}

// Search the line from p on, until PMON_CELLS_PART bytes or all of it are known.
static void
search(struct pmon_cells *cells, const char *p)
{
	size_t left = (size_t)(cells->line.ptr + cells->line.len - p);
	size_t n = left < PMON_CELLS_PART ? left : PMON_CELLS_PART;
	char last[WORD] = {0};
	size_t i;

	cells->part = p;
	cells->part_end = p + n;
	for (i = 0; i + WORD <= n; i += WORD)
		search_word(cells->others + i / 8, p + i);
	if (i < n) {
		memcpy(last, p + i, n - i);
		search_word(cells->others + i / 8, last);
	}
}

// ---- Numbers --------------------------------------------------------------------------------

// Bytes before a cell, and from its beginning on, that are looked at. A number is shorter than MOST.
#define PLAIN_BEFORE 17
#define PLAIN_AFTER  (MOST + 4)
#define MOST         24

// The last n (0..MOST) digits before `end` as a number, if there are no more than 16. They have a mark before
// the last `after` of them; at least 16 when they have none.
#if defined(__SSE2__)
STEP uint64_t
last_digits(const char *end, uint32_t n, uint32_t after)
{
	// Sixteen bytes from [n] on clear all but the last n.
#define EIGHT 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F, 0x0F
	static const uint8_t masks[2 * 16 + MOST] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};
#undef EIGHT
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
	_mm_storel_epi64((__m128i *)(void *)&halves, text);
	return (halves & UINT32_MAX) * 100000000 + (halves >> 32);
}
#else
STEP uint64_t
last_digits(const char *end, uint32_t n, uint32_t after)
{
	uint64_t number = 0;

	for (uint32_t i = n < 16 ? n : 16; i > 0; i--)
		number = number * 10 + (uint64_t)(*(end - i - (i > after)) - '0');
	return number;
}
#endif

// The number of the first n (0..4) characters at p, which are digits.
STEP uint32_t
first_digits(const char *p, uint32_t n)
{
	uint32_t four = (uint32_t)((uint64_t)pmon_le32((const uint8_t *)p) << (32 - 8 * n));

	four = (four & 0x0F0F0F0F) * (10 << 8 | 1) >> 8;
	return (four & 0x00FF00FF) * (100 << 16 | 1) >> 16;
}

STEP uint32_t
two_bytes(const char *p)
{
	return (uint32_t)(uint8_t)p[0] | (uint32_t)(uint8_t)p[1] << 8;
}

// What has to be known of a line, in registers.
struct look {
	const char *part;
	const uint8_t *others;
	uint32_t zero_mark; // how a number below one begins
	uint32_t edge;      // what follows a number in quotes
	char separator;
	char mark;
};

// A number without sign and exponent, as nearly all are: digits, and a mark and digits: *w / 10^*places.
// Returns where it ends; NULL when it is anything else. No branch depends on its length.
STEP const char *
read_plain(const struct look *look, const char *p, uint64_t *w, uint32_t *places)
{
	size_t at = (size_t)(p - look->part);
	uint32_t others = pmon_le32(look->others + at / 8) >> at % 8 | 1U << MOST;
	uint32_t whole = (uint32_t)pmon_first_bit(others);
	uint32_t has_mark = whole < MOST && p[whole] == look->mark;
	uint32_t n = (uint32_t)pmon_first_bit((others & (others - has_mark)) | 1U << MOST);
	const char *end = p + n;
	uint32_t is_small;
	uint32_t first;

	n -= has_mark;
	*places = n - whole;
	*w = last_digits(end, n, *places + 16 * (has_mark ^ 1));
	// Those before the last sixteen are before the mark, or follow a single 0 and the mark.
	n = n > 16 ? n - 16 : 0;
	is_small = n > whole;
	n -= is_small;
	if (whole == 0 || n > 4 || ((two_bytes(p) ^ look->zero_mark) & -is_small) != 0)
		return NULL;
	first = first_digits(p + 2 * is_small, n);
	*w += first * UINT64_C(10000000000000000);
	return first < 1000 ? end : NULL;
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
read_cell(const struct look *look, const char *p, bool is_quoted, double *out)
{
	uint64_t w;
	uint32_t places;

	if (is_quoted && *p++ != '"')
		return NULL;
	p = read_plain(look, p, &w, &places);
	if (p == NULL || (is_quoted ? two_bytes(p) != look->edge : *p != look->separator))
		return NULL;
	if (!pmon_round_short(w, -(int32_t)places, out) &&
	    !pmon_decimal_to_double(w, -(int32_t)places, out))
		return NULL;
	return p + 1 + is_quoted;
}

// Have a part that begins before `at` and holds what follows it. False at the ends of the line.
static bool
know_part(struct pmon_cells *cells)
{
	size_t at = cells->at;

	if (at < PLAIN_BEFORE || at + PLAIN_AFTER > cells->line.len)
		return false;
	if (cells->line.ptr + at < cells->part ||
	    cells->line.ptr + at + PLAIN_AFTER > cells->part_end)
		search(cells, cells->line.ptr + at);
	return true;
}

// Read cells as long as they are plain numbers, of the part that is known.
STEP size_t
read_cells(struct pmon_cells *cells, double *out, size_t n, bool is_quoted)
{
	const struct look look = {.part = cells->part,
				  .others = cells->others,
				  .zero_mark = '0' | (uint32_t)(uint8_t)cells->mark << 8,
				  .edge = '"' | (uint32_t)(uint8_t)cells->separator << 8,
				  .separator = cells->separator,
				  .mark = cells->mark};
	const char *last = cells->part_end - PLAIN_AFTER;
	const char *p = cells->line.ptr + cells->at;
	const char *next;
	size_t i;

	for (i = 0; i < n && p <= last; i++) {
		next = read_cell(&look, p, is_quoted, &out[i]);
		if (next == NULL)
			break;
		p = next;
	}
	cells->at = (size_t)(p - cells->line.ptr);
	return i;
}

// The next cells that are plain numbers. Each kind has a loop of its own.
static size_t
read_some(struct pmon_cells *cells, double *out, size_t n)
{
	if (!know_part(cells))
		return 0;
	if (cells->line.ptr[cells->at] == '"')
		return read_cells(cells, out, n, true);
	return read_cells(cells, out, n, false);
}

size_t
pmon_plain_read(struct pmon_cells *cells, double *out, size_t n)
{
	size_t i = 0;
	size_t found = 1;

	for (; i < n && found > 0; i += found) {
		found = read_some(cells, out + i, n - i);
		if (found == 0)
			found = read_any(cells, &out[i]);
	}
	return i;
}

// ---- Cells that are not wanted --------------------------------------------------------------

// The bytes of a block that are `wanted`, as bits.
#if defined(__SSE2__)
STEP uint64_t
find_sixteen(const char *p, char wanted)
{
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(
		_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8(wanted)));
}
#else
STEP uint64_t
find_sixteen(const char *p, char wanted)
{
	uint64_t found = 0;

	for (int i = 0; i < 16; i++)
		found |= (uint64_t)(p[i] == wanted) << i;
	return found;
}
#endif

STEP uint64_t
find_in_block(const char *p, char wanted)
{
	return find_sixteen(p, wanted) | find_sixteen(p + 16, wanted) << 16 |
	       (find_sixteen(p + 32, wanted) | find_sixteen(p + 48, wanted) << 16) << 32;
}

// The block of the line from p on. A cell may begin with it.
static struct edges_block
look_at(const char *p, size_t left, char separator, bool is_begin)
{
	char last[EDGES_BLOCK] = {0};
	const char *text = p;
	struct edges_block block;

	if (left < EDGES_BLOCK)
		text = memcpy(last, p, left);
	block.separators = find_in_block(text, separator);
	block.quotes = find_in_block(text, '"');
	edges_look_beside(&block, p, left, separator, is_begin);
	return block;
}

// The first n bits that are set, of more.
static uint64_t
first_of(uint64_t bits, size_t n)
{
	uint64_t rest = bits;

	while (n-- > 0)
		rest &= rest - 1;
	return bits ^ rest;
}

size_t
pmon_plain_pass(struct pmon_cells *cells, size_t n)
{
	struct pmon_span line = cells->line;
	bool is_quoted = cells->at < line.len && line.ptr[cells->at] == '"';
	bool is_begin = true;
	bool is_odd = cells->at == 0;
	size_t done = 0;

	for (size_t from = cells->at; done < n && from < line.len && !is_odd; from += EDGES_BLOCK) {
		struct edges_block block =
			look_at(line.ptr + from, line.len - from, cells->separator, is_begin);
		uint64_t edges = edges_in(&block, is_quoted, &is_odd);
		size_t found = pmon_count_bits(edges);

		is_begin = (edges & EDGES_LAST) != 0;
		if (found > n - done) {
			found = n - done;
			edges = first_of(edges, found);
		}
		if (found > 0)
			cells->at = from + pmon_last_bit(edges) + 1;
		done += found;
	}
	return done;
}
