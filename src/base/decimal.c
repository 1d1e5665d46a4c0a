// decimal.c - convert between decimals and doubles exactly, without the C library
// SPDX-License-Identifier: MIT

#include "base/decimal.h"

#include <string.h>

#include "base/rd.h"
#include "base/round.h"
#include "base/scan.h"
#include "base/step.h"

#define MANTISSA_BITS 52
#define BIAS          1023
#define MAX_EXPONENT  0x7FF

// An integer of 192 bits.
struct wide {
	uint64_t high;
	uint64_t mid;
	uint64_t low;
};

static const struct pmon_power *
power_of_ten(int32_t e)
{
	return &pmon_powers[e - PMON_POWER_LEAST];
}

static struct wide
multiply_wide(uint64_t w, const struct pmon_power *power)
{
	struct wide p;
	uint64_t carry;

	p.high = pmon_multiply(w, power->high, &p.mid);
	carry = pmon_multiply(w, power->low, &p.low);
	p.mid += carry;
	p.high += p.mid < carry;
	return p;
}

static struct wide
add(struct wide p, uint64_t n)
{
	p.low += n;
	p.mid += p.low < n;
	p.high += p.low < n && p.mid == 0;
	return p;
}

// ---- To a double ----------------------------------------------------------------------------

// The bits of the double nearest to p * 2^e; p has 191 or 192 bits. 0 if it is not a normal number.
static uint64_t
round_wide(const struct wide *p, int32_t e)
{
	int drop = p->high >> 63 != 0 ? 11 : 10; // of the high word, so that 53 bits are left
	uint64_t kept = p->high >> drop;
	uint64_t half = (uint64_t)1 << (drop - 1);
	uint64_t dropped = p->high & (2 * half - 1);
	int32_t exponent = e + 128 + drop + MANTISSA_BITS + BIAS;

	if (dropped > half || (dropped == half && ((p->mid | p->low) != 0 || (kept & 1) != 0)))
		kept++;
	if (exponent <= 0 || exponent >= MAX_EXPONENT - 1)
		return 0;
	// Rounding up to 2^53 carries into the exponent, as it should.
	return ((uint64_t)exponent << MANTISSA_BITS) + (kept - ((uint64_t)1 << MANTISSA_BITS));
}

// Use both halves; returns 0 also if the result is not certain.
NOINLINE static uint64_t
round_long(uint64_t w, int32_t power, int32_t e)
{
	struct wide p = multiply_wide(w, power_of_ten(power));
	uint64_t bits = round_wide(&p, e);
	bool is_exact = power >= PMON_POWER_EXACT_LEAST && power <= PMON_POWER_EXACT_MOST;

	// The true power is less than one unit larger, so the true product is less than w larger.
	if (!is_exact)
		p = add(p, w);
	return round_wide(&p, e) == bits ? bits : 0;
}

bool
pmon_decimal_to_double(uint64_t w, int32_t e, double *out)
{
	uint64_t bits;
	int32_t zeros;

	*out = 0;
	if (w == 0 || e < PMON_POWER_LEAST || e > PMON_POWER_MOST)
		return w == 0;
	if (e >= PMON_ROUND_LEAST && e <= PMON_ROUND_MOST && pmon_round_short(w, e, out))
		return true;
	zeros = (int32_t)pmon_leading_zeros(w);
	bits = round_long(w << zeros, e, pmon_log2_of_power(e) - 127 - zeros);
	memcpy(out, &bits, sizeof(*out));
	return bits != 0;
}

// ---- Reading --------------------------------------------------------------------------------

#define MAX_DIGITS  19 // that always fit in 64 bits
#define EXACT_WHOLE ((uint64_t)1 << 53)
#define EXACT_POWER 22  // the largest power of ten that is exact in a double
#define MAX_TEXT    400 // larger exponents are beyond all doubles

static bool
take_sign(struct pmon_scan *s)
{
	bool is_negative = s->at < s->end && *s->at == '-';

	if (is_negative || (s->at < s->end && *s->at == '+'))
		s->at++;
	return is_negative;
}

STEP uint64_t
load_eight(const char *p)
{
	return pmon_le64((const uint8_t *)p);
}

// Convert eight digits at once by multiplication: to pairs, then fours, then all.
static bool
eight_digits(const char *p, uint64_t *out)
{
	uint64_t n = load_eight(p);

	if (((n & UINT64_C(0xF0F0F0F0F0F0F0F0)) |
	     ((n + UINT64_C(0x0606060606060606)) & UINT64_C(0xF0F0F0F0F0F0F0F0)) >> 4) !=
	    UINT64_C(0x3333333333333333))
		return false;
	n = (n & UINT64_C(0x0F0F0F0F0F0F0F0F)) * ((10 << 8) + 1) >> 8;
	n = (n & UINT64_C(0x00FF00FF00FF00FF)) * ((100 << 16) + 1) >> 16;
	*out = (n & UINT64_C(0x0000FFFF0000FFFF)) * ((UINT64_C(10000) << 32) + 1) >> 32;
	return true;
}

// Read a run of digits into d; is_fraction if they follow the decimal mark. *n counts those in w.
// Returns how many there are.
static size_t
take_digits(struct pmon_scan *s, struct pmon_decimal *d, bool is_fraction, int *n)
{
	const char *start = s->at;
	uint64_t eight;

	if (*n == 0) // leading zeros do not count
		while (s->at < s->end && *s->at == '0')
			s->at++;
	while (*n + 8 <= MAX_DIGITS && s->end - s->at >= 8 && eight_digits(s->at, &eight)) {
		d->w = d->w * 100000000 + eight;
		*n += 8;
		s->at += 8;
	}
	for (; *n < MAX_DIGITS && pmon_is_digit(pmon_scan_peek(s)); s->at++, (*n)++)
		d->w = d->w * 10 + (uint64_t)(*s->at - '0');
	if (is_fraction)
		d->e -= (int32_t)(s->at - start);
	for (; pmon_is_digit(pmon_scan_peek(s)); s->at++) {
		d->is_longer = d->is_longer || *s->at != '0';
		d->e += !is_fraction;
	}
	return (size_t)(s->at - start);
}

// Read e and digits, if present.
static bool
take_exponent(struct pmon_scan *s, struct pmon_decimal *d)
{
	bool is_negative;
	int32_t e = 0;

	if (s->at == s->end || (*s->at != 'e' && *s->at != 'E'))
		return true;
	s->at++;
	is_negative = take_sign(s);
	if (!pmon_is_digit(pmon_scan_peek(s)))
		return false;
	for (; pmon_is_digit(pmon_scan_peek(s)); s->at++)
		if (e < 100 * MAX_TEXT)
			e = e * 10 + (*s->at - '0');
	d->e += is_negative ? -e : e;
	return true;
}

bool
pmon_decimal_read_at(const char *p, const char *end, char mark, struct pmon_decimal *out,
		     const char **next)
{
	struct pmon_scan s = {p, end};
	int n = 0;
	size_t digits;

	*out = (struct pmon_decimal){.is_negative = take_sign(&s)};
	digits = take_digits(&s, out, false, &n);
	if (s.at < s.end && *s.at == mark) {
		s.at++;
		digits += take_digits(&s, out, true, &n);
	}
	digits = digits > 0 && take_exponent(&s, out);
	*next = s.at;
	return digits > 0;
}

bool
pmon_decimal_read(struct pmon_span text, char mark, struct pmon_decimal *out)
{
	const char *end = text.ptr + text.len;
	const char *next;

	return pmon_decimal_read_at(text.ptr, end, mark, out, &next) && next == end;
}

// Both are exact as doubles, so one operation returns the nearest one (W. Clinger 1990).
STEP bool
convert_short(uint64_t w, int32_t e, double *out)
{
#if PMON_ROUNDS_ONCE
	static const double exact[EXACT_POWER + 1] = {
		1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	};

	if (w > EXACT_WHOLE || e < -EXACT_POWER || e > EXACT_POWER)
		return false;
	*out = e < 0 ? (double)(int64_t)w / exact[-e] : (double)(int64_t)w * exact[e];
	return true;
#else
	(void)w;
	(void)e;
	(void)out;
	return false;
#endif
}

// A longer number is between w and w + 1, which nearly always round to the same double.
bool
pmon_decimal_convert(const struct pmon_decimal *d, double *out)
{
	double next;

	if ((d->is_longer || !convert_short(d->w, d->e, out)) &&
	    (!pmon_decimal_to_double(d->w, d->e, out) ||
	     (d->is_longer && (!pmon_decimal_to_double(d->w + 1, d->e, &next) || next != *out)))) {
		*out = 0;
		return false;
	}
	*out = d->is_negative ? -*out : *out;
	return true;
}

// ---- From a double --------------------------------------------------------------------------

static const uint64_t small_powers[PMON_DECIMAL_DIGITS + 1] = {
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
};

// Compute m * 2^e * 10^k, rounded to an integer. m has its top bit set, and the result fewer than
// 61 bits. False if it is not certain.
static bool
scale(uint64_t m, int32_t e, int32_t k, uint64_t *out)
{
	struct wide p = multiply_wide(m, power_of_ten(k));
	int32_t point = -(e + pmon_log2_of_power(k) - 127) - 128; // fraction bits in the high word
	uint64_t fraction;

	if (point < 4 || point > 63)
		return false;
	fraction = p.high << (64 - point) | p.mid >> point;
	*out = p.high >> point;
	// The error of the truncated power is less than one in the last place of the fraction, and
	// so is that of the remaining digits.
	if (fraction >= INT64_MAX && fraction <= (uint64_t)INT64_MAX + 2)
		return false;
	*out += fraction >> 63;
	return true;
}

bool
pmon_decimal_from_double(double d, int n, uint64_t *w, int32_t *e)
{
	uint64_t bits;
	int32_t exponent;
	int32_t lead; // the position of the first digit

	memcpy(&bits, &d, sizeof(bits));
	exponent = (int32_t)(bits >> MANTISSA_BITS);
	if (exponent <= 0 || exponent >= MAX_EXPONENT)
		return false;
	bits = (bits << 11) | (uint64_t)1 << 63;
	exponent -= BIAS;                                    // 2^exponent <= d < 2^(exponent + 1)
	lead = (int32_t)((exponent * (int64_t)78913) >> 18); // floor(exponent * log10(2))
	for (int tries = 0; tries < 2; tries++, lead++) {
		if (n - 1 - lead < PMON_POWER_LEAST || n - 1 - lead > PMON_POWER_MOST ||
		    !scale(bits, exponent - 63, n - 1 - lead, w))
			return false;
		if (*w < small_powers[n])
			break;
		if (*w == small_powers[n]) { // it was rounded up to one more digit
			*w /= 10;
			lead++;
			break;
		}
	}
	*e = lead - (n - 1);
	return true;
}
