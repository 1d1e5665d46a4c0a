// plain.c - the cells of a line of text as doubles, for any processor
// SPDX-License-Identifier: MIT
//
// One pass finds the bytes of a part of the line that are not digits, a second one the cells among
// them, and a third one reads their digits. No branch depends on the contents of a cell, so the
// processor can work on many of them at a time.

#include "base/decimal.h"
#include "base/rd.h"
#include "base/round.h"
#include "base/wr.h"
#include "simd/edges.h"
#include "simd/forms.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// ---- Bytes ----------------------------------------------------------------------------------

#if defined(__SSE2__)
STEP __m128i
load(const void *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

// One bit for each of 16 bytes: set if the byte is not a digit.
STEP uint32_t
others_in_16(const char *p)
{
	__m128i from_zero = _mm_xor_si128(load(p), _mm_set1_epi8('0'));

	return (uint32_t)_mm_movemask_epi8(_mm_adds_epu8(from_zero, _mm_set1_epi8(0x7F - 9)));
}

// ... set if the byte equals `wanted`.
STEP uint32_t
find_in_16(const char *p, char wanted)
{
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(load(p), _mm_set1_epi8(wanted)));
}
#else
#define EIGHT_BYTES(byte) (UINT64_C(0x0101010101010101) * (byte))

// The top bits of eight bytes.
STEP uint32_t
top_bits(uint64_t bytes)
{
	return (uint32_t)((bytes & EIGHT_BYTES(0x80)) * UINT64_C(0x0002040810204081) >> 56);
}

STEP uint32_t
others_in_8(const char *p)
{
	uint64_t from_zero = pmon_le64((const uint8_t *)p) ^ EIGHT_BYTES('0');

	return top_bits(((from_zero & EIGHT_BYTES(0x7F)) + EIGHT_BYTES(0x7F - 9)) | from_zero);
}

STEP uint32_t
find_in_8(const char *p, char wanted)
{
	uint64_t other = pmon_le64((const uint8_t *)p) ^ EIGHT_BYTES((uint8_t)wanted);

	return top_bits(~(((other & EIGHT_BYTES(0x7F)) + EIGHT_BYTES(0x7F)) | other));
}

STEP uint32_t
others_in_16(const char *p)
{
	return others_in_8(p) | others_in_8(p + 8) << 8;
}

STEP uint32_t
find_in_16(const char *p, char wanted)
{
	return find_in_8(p, wanted) | find_in_8(p + 8, wanted) << 8;
}
#endif

// The same for 64 bytes.
STEP uint64_t
others_in_block(const char *p)
{
	return others_in_16(p) | others_in_16(p + 16) << 16 |
	       (uint64_t)(others_in_16(p + 32) | others_in_16(p + 48) << 16) << 32;
}

STEP uint64_t
find_in_block(const char *p, char wanted)
{
	return find_in_16(p, wanted) | find_in_16(p + 16, wanted) << 16 |
	       (uint64_t)(find_in_16(p + 32, wanted) | find_in_16(p + 48, wanted) << 16) << 32;
}

// ---- Parts of a line ------------------------------------------------------------------------

// Bytes at the end of a line that are not searched, because the bytes after an end are read too.
#define HIDDEN 3

// Bytes that are not digits and follow another non-digit: after the text of a quoted cell the first
// one is the separator.
STEP uint64_t
find_ends(const struct pmon_cells *cells, const char *p, uint64_t others, uint64_t before,
	  bool is_quoted)
{
	return is_quoted ? others & (others << 1 | before >> 63)
			 : find_in_block(p, cells->separator);
}

// Classify n bytes, n <= EDGES_BLOCK, starting `done` bytes after the beginning of the part. The
// rest of a block is treated as digits.
STEP uint64_t
search_block(struct pmon_cells *cells, size_t done, size_t n, uint64_t before, bool is_quoted)
{
	const char *p = cells->part + done;
	char last[EDGES_BLOCK];
	uint64_t others;

	if (n < EDGES_BLOCK) {
		memset(last, '0', sizeof(last));
		p = memcpy(last, p, n);
	}
	others = others_in_block(p);
	pmon_put_le64(cells->others + done / 8, others);
	pmon_put_le64(cells->ends + done / 8, find_ends(cells, p, others, before, is_quoted));
	return others;
}

// Search the line from p on, until PMON_CELLS_PART bytes or nearly all of it are classified.
STEP void
search(struct pmon_cells *cells, const char *p, bool is_quoted)
{
	size_t left = (size_t)(cells->line.ptr + cells->line.len - p);
	size_t n = left < PMON_CELLS_PART ? left : PMON_CELLS_PART;
	uint64_t others = 0;
	size_t i;

	cells->part = p;
	cells->part_end = p + n;
	cells->is_quoted = is_quoted;
	if (n == left)
		n -= HIDDEN;
	for (i = 0; i + EDGES_BLOCK <= n; i += EDGES_BLOCK)
		others = search_block(cells, i, EDGES_BLOCK, others, is_quoted);
	(void)search_block(cells, i, n - i, others, is_quoted);
	pmon_put_le64(cells->others + i / 8 + 8, 0);
	pmon_put_le64(cells->ends + i / 8 + 8, 0);
}

// ---- Digits ---------------------------------------------------------------------------------

#define MOST_BYTES  24 // of a number
#define MOST_DIGITS 17 // ... after leading zeros

// A number, as digits with a decimal mark before the last `places` of them, or without a mark.
struct text {
	const char *end;
	uint32_t places;
	uint32_t n_digits;
};

// The last MOST_DIGITS digits as a number.
#if defined(__SSE2__)
STEP uint64_t
last_digits(const struct text *text)
{
	// Masks for the last n of sixteen digits: at index 0 for all, otherwise at index n + 1.
#define IS_LAST(n, i) ((i) < (n) ? 0x0F : 0)
#define LAST_EIGHT(n, i)                                                                           \
	IS_LAST(n, i + 7), IS_LAST(n, i + 6), IS_LAST(n, i + 5), IS_LAST(n, i + 4),                \
		IS_LAST(n, i + 3), IS_LAST(n, i + 2), IS_LAST(n, i + 1), IS_LAST(n, i)
#define LAST(n)                                                                                    \
	{                                                                                          \
		LAST_EIGHT(n, 8), LAST_EIGHT(n, 0)                                                 \
	}
#define FOUR_LASTS(n) LAST(n), LAST(n + 1), LAST(n + 2), LAST(n + 3)
	static const _Alignas(16) uint8_t masks[MOST_BYTES + 1][16] = {
		LAST(16),       FOUR_LASTS(0),  FOUR_LASTS(4), FOUR_LASTS(8),
		FOUR_LASTS(12), FOUR_LASTS(16), FOUR_LASTS(20)};
	// All but the last digit: those after the mark, and those before it, each one byte earlier.
	__m128i digits = load(text->end - 18);
	__m128i after = load(text->end - 17);
	__m128i is_after = _mm_load_si128((const void *)masks[text->places]);
	__m128i is_digit = _mm_load_si128((const void *)masks[text->n_digits]);
	__m128i odd;
	uint64_t halves;

	digits = _mm_xor_si128(digits, _mm_and_si128(_mm_xor_si128(digits, after), is_after));
	digits = _mm_and_si128(digits, is_digit);
	// Fours, then eights.
	odd = _mm_madd_epi16(_mm_srli_epi16(digits, 8), _mm_set1_epi32(100 | 1 << 16));
	digits = _mm_and_si128(digits, _mm_set1_epi16(0x0F));
	digits = _mm_madd_epi16(digits, _mm_set1_epi32(1000 | 10 << 16));
	digits = _mm_add_epi32(digits, odd);
	digits = _mm_madd_epi16(_mm_packs_epi32(digits, digits), _mm_set1_epi32(10000 | 1 << 16));
	_mm_storel_epi64((__m128i *)(void *)&halves, digits);
	return (halves & UINT32_MAX) * 1000000000 + (halves >> 32) * 10 +
	       (uint64_t)(text->end[-1] - '0');
}
#else
STEP uint64_t
last_digits(const struct text *text)
{
	uint32_t n = text->n_digits < MOST_DIGITS ? text->n_digits : MOST_DIGITS;
	bool has_mark = text->places > 0 && text->places < n;
	uint64_t number = 0;

	for (const char *p = text->end - n - has_mark; p < text->end; p++)
		if (!has_mark || p != text->end - text->places - 1)
			number = number * 10 + (uint64_t)(*p - '0');
	return number;
}
#endif

// ---- Numbers --------------------------------------------------------------------------------

// Constants for a line, kept in registers.
struct look {
	uint64_t zeros; // how a number below one begins
	uint32_t edge;  // the bytes after a number in quotes
	bool is_quoted;
	char mark;
};

// Are there no more than MOST_DIGITS digits, not counting the leading zeros of a number below one?
STEP bool
is_short(const struct look *look, const char *p, uint32_t n_digits)
{
	// Masks of the bytes before those, by their number.
	static const uint64_t masks[MOST_BYTES + 1] = {
		[18] = UINT64_MAX >> 48, [19] = UINT64_MAX >> 40, [20] = UINT64_MAX >> 32,
		[21] = UINT64_MAX >> 24, [22] = UINT64_MAX >> 16, [23] = UINT64_MAX >> 8,
		[24] = UINT64_MAX};

	return ((pmon_le64((const uint8_t *)p) ^ look->zeros) & masks[n_digits]) == 0;
}

// Does the text of a cell end here? It may be empty if it is not in quotes.
STEP bool
is_end(const struct look *look, const char *end)
{
	if (look->is_quoted)
		return ((pmon_le32((const uint8_t *)end) ^ look->edge) & 0xFFFFFF) == 0;
	return (uint8_t)(end[-1] - '0') <= 9;
}

// Is the text of n bytes at p a number without sign and exponent, as nearly all are: digits,
// optionally followed by a mark and digits? The first bit set in `others` is for its first byte
// that is not a digit.
STEP bool
is_plain(const struct look *look, const char *p, uint32_t n, uint32_t others, struct text *out)
{
	uint32_t whole;
	uint32_t has_mark;

	if (n > MOST_BYTES || !is_end(look, p + n))
		return false;
	whole = (uint32_t)pmon_first_bit(others);
	has_mark = p[whole] == look->mark;
	if (pmon_first_bit(others & (others - has_mark)) != n)
		return false;
	*out = (struct text){p + n, n - has_mark - whole, n - has_mark};
	return is_short(look, p, n - has_mark);
}

STEP bool
convert(const struct text *text, double *out)
{
	uint64_t w = last_digits(text);

	return pmon_round_tenths(w, text->places, out) ||
	       pmon_decimal_to_double(w, -(int32_t)text->places, out);
}

// ---- Cells ----------------------------------------------------------------------------------

// Read any cell that is a number. Not inlined, so that the usual path stays small.
NOINLINE static bool
read_any(struct pmon_cells *cells, double *out)
{
	const char *end = cells->line.ptr + cells->line.len;
	const char *p = cells->line.ptr + cells->at;
	bool is_quoted = cells->at < cells->line.len && *p == '"';
	// Outside of quotes a separator ends the cell, also if decimal marks look like it.
	char mark = cells->separator == cells->mark && !is_quoted ? '\0' : cells->mark;
	struct pmon_decimal decimal;

	if (cells->at > cells->line.len ||
	    !pmon_decimal_read_at(p + is_quoted, end, mark, &decimal, &p) ||
	    !pmon_decimal_convert(&decimal, out))
		return false;
	if (is_quoted && (p == end || *p++ != '"'))
		return false;
	if (p < end && *p != cells->separator)
		return false;
	cells->at = (size_t)(p - cells->line.ptr) + 1;
	return true;
}

#define BATCH 64 // cells that are located before they are read
// Bytes before a cell, and from its text on, that may be read; and of the text of the last but one
// cell of a line.
#define PLAIN_BEFORE 17
#define PLAIN_AFTER  (MOST_BYTES + 4)
#define PLAIN_LAST   8

// Make sure that the current part begins before `at` and contains what follows. False at the ends
// of the line.
STEP bool
know_part(struct pmon_cells *cells, bool is_quoted)
{
	const char *p = cells->line.ptr + cells->at;

	if (cells->at < PLAIN_BEFORE || cells->at + PLAIN_LAST >= cells->line.len)
		return false;
	if (p < cells->part || cells->is_quoted != is_quoted ||
	    (p + PLAIN_AFTER >= cells->part_end &&
	     cells->part_end != cells->line.ptr + cells->line.len))
		search(cells, p, is_quoted);
	return true;
}

// Where the text of the last cell that is completely in the part may begin, relative to the part.
STEP size_t
last_of_part(const struct pmon_cells *cells)
{
	bool is_last = cells->part_end == cells->line.ptr + cells->line.len;

	return (size_t)(cells->part_end - cells->part) - (is_last ? PLAIN_LAST : PLAIN_AFTER);
}

// Find cells as long as they are plain numbers, from `at` on, which is in the part.
STEP size_t
find_cells(const struct pmon_cells *cells, bool is_quoted, struct text *out, size_t n)
{
	const struct look look = {
		.zeros = UINT64_C(0x3030303030300030) | (uint64_t)(uint8_t)cells->mark << 8,
		.edge = '"' | (uint32_t)(uint8_t)cells->separator << 8 | (uint32_t)'"' << 16,
		.is_quoted = is_quoted,
		.mark = cells->mark};
	const char *part = cells->part;
	size_t at = (size_t)(cells->line.ptr + cells->at - part) + is_quoted;
	size_t last = last_of_part(cells);
	size_t i;

	for (i = 0; i < n && at <= last; i++) {
		uint64_t ends = pmon_le64(cells->ends + at / 8) >> at % 8;
		uint64_t others = pmon_le64(cells->others + at / 8) >> at % 8;
		uint32_t end = (uint32_t)pmon_first_bit(ends | EDGES_FIRST << 31);

		if (!is_plain(&look, part + at, end - is_quoted, (uint32_t)others, &out[i]))
			break;
		at += end + 1 + is_quoted;
	}
	return i;
}

// Read cells as long as they are plain numbers, from the current part.
STEP size_t
read_cells(struct pmon_cells *cells, double *out, size_t n, bool is_quoted)
{
	struct text texts[BATCH];
	size_t i;

	if (!know_part(cells, is_quoted))
		return 0;
	n = find_cells(cells, is_quoted, texts, n < BATCH ? n : BATCH);
	for (i = 0; i < n && convert(&texts[i], &out[i]); i++)
		continue;
	if (i > 0)
		cells->at = (size_t)(texts[i - 1].end - cells->line.ptr) + 1 + is_quoted;
	return i;
}

// Read the next cells that are plain numbers. Each kind has its own loop.
static size_t
read_some(struct pmon_cells *cells, double *out, size_t n)
{
	if (cells->at < cells->line.len && cells->line.ptr[cells->at] == '"')
		return read_cells(cells, out, n, true);
	return cells->separator == cells->mark ? 0 : read_cells(cells, out, n, false);
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

// The block of the line at p. A cell may begin with it.
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

// The first n of the bits that are set.
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
