// number.c - decimal numbers to doubles, exactly rounded and fast
// SPDX-License-Identifier: MIT
//
// A decimal is w * 10^e with an integer w. Up to 19 digits w fits 64 bits, and the decimals that
// logs hold have e >= -19, so that 10^-e fits too: then the quotient of two integers with a
// remainder rounds exactly. Of longer numbers the first 19 digits are taken: w and w + 1 enclose
// them, and nearly always round to the same double. All else is left to the C library.

#include "format/pdhtext/pdhtext.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/num.h"

#define MAX_DIGITS  19 // that always fit 64 bits
#define MAX_LENGTH  80 // of a number
#define MAX_WHOLE   ((uint64_t)1 << 53)
#define MAX_POWER   19  // of ten, that fits 64 bits
#define EXACT_POWER 22  // of ten, that a double holds
#define MAX_EXP     400 // beyond all doubles with at most MAX_LENGTH digits

struct decimal {
	uint64_t w; // the first MAX_DIGITS significant digits
	int32_t e;
	bool is_longer; // digits other than 0 follow
	bool is_negative;
};

static const uint64_t powers[MAX_POWER + 1] = {
	UINT64_C(1),
	UINT64_C(10),
	UINT64_C(100),
	UINT64_C(1000),
	UINT64_C(10000),
	UINT64_C(100000),
	UINT64_C(1000000),
	UINT64_C(10000000),
	UINT64_C(100000000),
	UINT64_C(1000000000),
	UINT64_C(10000000000),
	UINT64_C(100000000000),
	UINT64_C(1000000000000),
	UINT64_C(10000000000000),
	UINT64_C(100000000000000),
	UINT64_C(1000000000000000),
	UINT64_C(10000000000000000),
	UINT64_C(100000000000000000),
	UINT64_C(1000000000000000000),
	UINT64_C(10000000000000000000),
};

// ---- Exact division -------------------------------------------------------------------------

// One digit in base 2^32 of (*high * 2^32 + next) / d; *high becomes the remainder. d has its top
// bit set and is more than *high.
static uint64_t
divide_digit(uint64_t *high, uint64_t next, uint64_t d)
{
	uint64_t d_high = d >> 32;
	uint64_t d_low = d & UINT32_MAX;
	uint64_t q = *high / d_high;
	uint64_t rest = *high % d_high;

	// An estimate, at most two too large.
	while (q > UINT32_MAX || q * d_low > (rest << 32 | next)) {
		q--;
		rest += d_high;
		if (rest > UINT32_MAX)
			break;
	}
	*high = (*high << 32 | next) - q * d;
	return q;
}

// (high * 2^64 + low) / d with high < d, and whether a remainder is left.
static uint64_t
divide(uint64_t high, uint64_t low, uint64_t d, bool *rest_out)
{
	uint64_t q = divide_digit(&high, low >> 32, d) << 32;

	q |= divide_digit(&high, low & UINT32_MAX, d);
	*rest_out = high != 0;
	return q;
}

// Shift left until the top bit is set; n is not 0.
static int
normalize(uint64_t *n)
{
	int shift = 0;

	for (int step = 32; step > 0; step /= 2)
		if (*n >> (64 - step) == 0) {
			*n <<= step;
			shift += step;
		}
	return shift;
}

// w / p, rounded to the nearest double, ties to even.
static double
quotient(uint64_t w, uint64_t p)
{
	int shift_w = normalize(&w);
	int shift_p = normalize(&p);
	bool has_rest;
	uint64_t q = divide(w >> 1, w << 63, p, &has_rest); // of 63 or 64 bits
	int drop = q >> 63 != 0 ? 11 : 10;                  // so that 53 are left
	uint64_t kept = q >> drop;
	uint64_t half = (uint64_t)1 << (drop - 1);
	uint64_t dropped = q & (2 * half - 1);

	if (dropped > half || (dropped == half && (has_rest || (kept & 1) != 0)))
		kept++;
	return ldexp((double)kept, drop - 63 + shift_p - shift_w);
}

// ---- Conversion -----------------------------------------------------------------------------

// Both are doubles without error, so that one operation gives the nearest one (W. Clinger 1990).
static bool
convert_short(const struct decimal *d, double *out)
{
#if FLT_EVAL_METHOD == 0
	static const double exact[EXACT_POWER + 1] = {
		1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	};

	if (d->is_longer || d->w > MAX_WHOLE || d->e < -EXACT_POWER || d->e > EXACT_POWER)
		return false;
	*out = d->e < 0 ? (double)d->w / exact[-d->e] : (double)d->w * exact[d->e];
	return true;
#else
	(void)d;
	(void)out;
	return false;
#endif
}

static bool
convert_long(const struct decimal *d, double *out)
{
	if (d->e > 0 || d->e < -MAX_POWER || d->w == 0)
		return false;
	*out = quotient(d->w, powers[-d->e]);
	return !d->is_longer || quotient(d->w + 1, powers[-d->e]) == *out;
}

// ---- Reading --------------------------------------------------------------------------------

struct scan {
	const char *p;
	const char *end;
};

static bool
is_digit(const struct scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static bool
take_sign(struct scan *s)
{
	bool is_negative = s->p < s->end && *s->p == '-';

	if (is_negative || (s->p < s->end && *s->p == '+'))
		s->p++;
	return is_negative;
}

// A run of digits into d; is_fraction when they stand behind the decimal mark. *n counts those that
// were put into w. Returns how many there are.
static size_t
take_digits(struct scan *s, struct decimal *d, bool is_fraction, int *n)
{
	const char *start = s->p;

	for (; is_digit(s); s->p++) {
		unsigned digit = (unsigned)(*s->p - '0');

		if (*n == MAX_DIGITS) {
			d->is_longer = d->is_longer || digit != 0;
			d->e += !is_fraction;
			continue;
		}
		d->w = d->w * 10 + digit;
		*n += d->w != 0; // zeros in front do not count
		d->e -= is_fraction;
	}
	return (size_t)(s->p - start);
}

// e and digits, or nothing.
static bool
take_exponent(struct scan *s, struct decimal *d)
{
	bool is_negative;
	int32_t e = 0;

	if (s->p == s->end)
		return true;
	if (*s->p != 'e' && *s->p != 'E')
		return false;
	s->p++;
	is_negative = take_sign(s);
	if (!is_digit(s))
		return false;
	for (; is_digit(s); s->p++)
		if (e < MAX_EXP)
			e = e * 10 + (*s->p - '0');
	d->e += is_negative ? -e : e;
	return s->p == s->end;
}

static bool
read_decimal(struct pmon_span text, char mark, struct decimal *d)
{
	struct scan s = {text.ptr, text.ptr + text.len};
	int n = 0;
	size_t digits;

	*d = (struct decimal){.is_negative = take_sign(&s)};
	digits = take_digits(&s, d, false, &n);
	if (s.p < s.end && *s.p == mark) {
		s.p++;
		digits += take_digits(&s, d, true, &n);
	}
	return digits > 0 && take_exponent(&s, d);
}

// By the C library, with a point for the mark.
static bool
convert_slow(struct pmon_span text, char mark, double *out)
{
	char buf[MAX_LENGTH];

	for (size_t i = 0; i < text.len; i++)
		buf[i] = text.ptr[i] == mark ? '.' : text.ptr[i];
	return pmon_num_parse_double((struct pmon_span){buf, text.len}, out);
}

// What C libraries print for what is no number: "-1.#IND", "1.#QNAN0", "inf", "-nan(ind)".
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
	struct decimal d;

	*out = 0;
	if (text.len > MAX_LENGTH || !read_decimal(text, decimal, &d))
		return is_not_finite(text) ? PDHT_NOT_FINITE : PDHT_NO_NUMBER;
	if (convert_short(&d, out) || convert_long(&d, out)) {
		*out = d.is_negative ? -*out : *out;
		return PDHT_NUMBER;
	}
	return convert_slow(text, decimal, out) ? PDHT_NUMBER : PDHT_NOT_FINITE;
}
