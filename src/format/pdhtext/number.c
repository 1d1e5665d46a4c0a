// number.c - parse the cells of a text log as doubles
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "base/scan.h"

#define MAX_LENGTH 80 // of a number
#define MAX_RUNS   26 // of digits: groups of three up to the length, and decimals

// Use the C library, with a point as the decimal mark.
static bool
convert_slow(struct pmon_span text, char mark, double *out)
{
	char buf[MAX_LENGTH];

	for (size_t i = 0; i < text.len; i++)
		buf[i] = text.ptr[i] == mark ? '.' : text.ptr[i];
	return pmon_num_parse_double((struct pmon_span){buf, text.len}, out);
}

// What C libraries print for values that are not numbers: "-1.#IND", "1.#QNAN0", "inf",
// "-nan(ind)".
static bool
is_not_finite(struct pmon_span text)
{
	static const char *const names[] = {"1.#inf*", "1.#ind*", "1.#qnan*", "1.#snan*",
					    "inf",     "nan",     "nan(*)",   "infinity"};

	if (text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+')) {
		text.ptr++;
		text.len--;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pmon_text_match((struct pmon_span){names[i], strlen(names[i])}, text))
			return true;
	return false;
}

enum pmon_pdht_number
pmon_pdht_number(struct pmon_span text, char decimal, double *out)
{
	struct pmon_decimal d;

	*out = 0;
	if (text.len > MAX_LENGTH || !pmon_decimal_read(text, decimal, &d))
		return is_not_finite(text) ? PDHT_NOT_FINITE : PDHT_NO_NUMBER;
	if (pmon_decimal_convert(&d, out))
		return PDHT_NUMBER;
	return convert_slow(text, decimal, out) ? PDHT_NUMBER : PDHT_NOT_FINITE;
}

// ---- Thousands separators -------------------------------------------------------------------

enum separator {
	NONE,
	POINT,
	COMMA,
	SPACE, // including non-breaking and narrow ones, and U+00A0 as a single byte
	APOSTROPHE,
};

static const struct {
	const char *text;
	enum separator kind;
} separators[] = {
	{".", POINT},
	{",", COMMA},
	{" ", SPACE},
	{"\xC2\xA0", SPACE},     // U+00A0 no-break space
	{"\xE2\x80\xAF", SPACE}, // U+202F narrow no-break space
	{"\xE2\x80\x89", SPACE}, // U+2009 thin space
	{"\xE2\x80\x87", SPACE}, // U+2007 figure space
	{"\xA0", SPACE},         // Windows-1252
	{"'", APOSTROPHE},
	{"\xE2\x80\x99", APOSTROPHE}, // U+2019
	{"\x92", APOSTROPHE},         // Windows-1252
};

// A number as runs of digits, with separators between them: 1'234.5e6 has three.
struct runs {
	struct pmon_span sign;
	struct pmon_span exponent; // including its e
	struct pmon_span digits[MAX_RUNS];
	enum separator after[MAX_RUNS]; // after each run except the last
	size_t n;
};

static enum separator
take_separator(struct pmon_span *text)
{
	for (size_t i = 0; i < sizeof(separators) / sizeof(separators[0]); i++) {
		size_t len = strlen(separators[i].text);

		if (text->len < len || memcmp(text->ptr, separators[i].text, len) != 0)
			continue;
		text->ptr += len;
		text->len -= len;
		return separators[i].kind;
	}
	return NONE;
}

static struct pmon_span
take_digits(struct pmon_span *text)
{
	struct pmon_span digits = {text->ptr, 0};

	while (digits.len < text->len && pmon_is_digit(text->ptr[digits.len]))
		digits.len++;
	text->ptr += digits.len;
	text->len -= digits.len;
	return digits;
}

static bool
take_runs(struct pmon_span text, struct runs *out)
{
	*out = (struct runs){.n = 0};
	if (text.len > MAX_LENGTH)
		return false;
	if (text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+')) {
		out->sign = (struct pmon_span){text.ptr++, 1};
		text.len--;
	}
	for (;;) {
		if (out->n == MAX_RUNS)
			return false;
		out->digits[out->n++] = take_digits(&text);
		out->after[out->n - 1] = take_separator(&text);
		if (out->after[out->n - 1] == NONE)
			break;
	}
	if (text.len > 0 && text.ptr[0] != 'e' && text.ptr[0] != 'E')
		return false;
	out->exponent = text;
	return true;
}

// Are the first n runs groups: 1,234,567, or as in India 12,34,567?
static bool
are_groups(const struct runs *r, size_t n)
{
	size_t middle = n > 2 ? r->digits[1].len : 3;

	if (n < 2 || r->digits[0].len == 0 || r->digits[0].len > middle ||
	    r->digits[0].ptr[0] == '0' || (middle != 2 && middle != 3) || r->digits[n - 1].len != 3)
		return false;
	for (size_t i = 1; i + 1 < n; i++)
		if (r->digits[i].len != middle || r->after[i] != r->after[0])
			return false;
	return true;
}

static enum pdht_mark
mark_of(enum separator separator)
{
	return separator == POINT ? PDHT_MARK_POINT : PDHT_MARK_COMMA;
}

// What the marks of a number are; *decimals_out is the run of its decimals, or n.
static enum pdht_mark
marks_of(const struct runs *r, size_t *decimals_out)
{
	enum separator first = r->after[0];
	enum separator last = r->n > 1 ? r->after[r->n - 2] : NONE;
	bool is_mark = last == POINT || last == COMMA;

	*decimals_out = r->n;
	if (r->n == 1)
		return PDHT_MARK_NONE;
	if (r->n == 2 && is_mark) {
		*decimals_out = 1;
		if (r->exponent.len > 0 || !are_groups(r, 2))
			return mark_of(last);
		return last == POINT ? PDHT_MARK_POINT_OR_GROUPS : PDHT_MARK_COMMA_OR_GROUPS;
	}
	if (r->exponent.len > 0)
		return PDHT_MARK_BAD;
	if (last != first) {
		*decimals_out = r->n - 1;
		return is_mark && are_groups(r, r->n - 1) ? mark_of(last) : PDHT_MARK_BAD;
	}
	if (!are_groups(r, r->n))
		return PDHT_MARK_BAD;
	if (!is_mark)
		return PDHT_MARK_NONE;
	return last == COMMA ? PDHT_MARK_POINT
			     : PDHT_MARK_COMMA; // the other mark is the decimal mark
}

enum pdht_mark
pmon_pdht_mark(struct pmon_span text)
{
	struct runs runs;
	size_t decimals;

	return take_runs(text, &runs) ? marks_of(&runs, &decimals) : PDHT_MARK_BAD;
}

static void
append(char *buf, size_t *n, struct pmon_span text)
{
	if (text.len > 0)
		memcpy(buf + *n, text.ptr, text.len);
	*n += text.len;
}

enum pmon_pdht_number
pmon_pdht_number_grouped(struct pmon_span text, char decimal, double *out)
{
	char buf[MAX_LENGTH + 1];
	struct runs runs;
	size_t decimals;
	size_t n = 0;
	enum pdht_mark mark;

	*out = 0;
	if (!take_runs(text, &runs))
		return PDHT_NO_NUMBER;
	mark = marks_of(&runs, &decimals);
	if (mark == PDHT_MARK_POINT_OR_GROUPS || mark == PDHT_MARK_COMMA_OR_GROUPS) {
		if (decimal == PDHT_NO_MARK)
			return PDHT_UNCLEAR;
		if (decimal != (mark == PDHT_MARK_POINT_OR_GROUPS ? '.' : ','))
			decimals = runs.n;
	}
	if (mark == PDHT_MARK_BAD)
		return PDHT_NO_NUMBER;
	append(buf, &n, runs.sign);
	for (size_t i = 0; i < runs.n; i++) {
		if (i == decimals)
			buf[n++] = '.';
		append(buf, &n, runs.digits[i]);
	}
	append(buf, &n, runs.exponent);
	return pmon_pdht_number((struct pmon_span){buf, n}, '.', out);
}
