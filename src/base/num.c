// num.c - convert numbers to text and back, independent of the locale
// SPDX-License-Identifier: MIT
//
// If decimal.c is not certain of a result, the C library is used. It uses the decimal mark of the
// locale, which a host program may have set; the mark is replaced here, so the results are always
// the same.

#include "base/num.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/decimal.h"
#include "base/scan.h"
#include "base/step.h"
#include "base/wr.h"

#define TWO_53 9007199254740992.0 // every integer below it is exact in a double
#define TEN_8  UINT64_C(100000000)
#define TEN_16 UINT64_C(10000000000000000)

// %g prints digits, a sign, 'e' and the locale's decimal mark: anything else is the mark, which may
// have several bytes.
static size_t
point_in_place(char *buf, size_t len)
{
	size_t out = 0;
	bool in_mark = false;

	for (size_t i = 0; i < len; i++) {
		char c = buf[i];
		bool plain = pmon_is_digit(c) || c == '-' || c == '+' || c == 'e';

		if (plain)
			buf[out++] = c;
		else if (!in_mark)
			buf[out++] = '.';
		in_mark = !plain;
	}
	buf[out] = '\0';
	return out;
}

// The eight digits of n < 10^8, the first one in the lowest byte. They are computed in parallel, in
// lanes of one word: two numbers below 10^4, then four below 100, then eight below 10.
STEP uint64_t
eight_digits(uint32_t n)
{
	uint64_t fours = n / 10000 | (uint64_t)(n % 10000) << 32;
	uint64_t hundreds = fours * 5243 >> 19 & UINT64_C(0x0000007F0000007F);
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = twos * 103 >> 10 & UINT64_C(0x000F000F000F000F);

	return tens | (twos - 10 * tens) << 8;
}

#define EIGHT_ZEROS UINT64_C(0x3030303030303030)

STEP void
put_eight(uint32_t n, char *buf)
{
	pmon_put_le64((uint8_t *)buf, eight_digits(n) | EIGHT_ZEROS);
}

// The same without leading zeros; eight bytes are always written. Returns the length of the number.
STEP size_t
put_up_to_eight(uint32_t n, char *buf)
{
	uint64_t digits = eight_digits(n);
	size_t zeros = pmon_first_bit(digits | UINT64_C(1) << 56) / 8;

	pmon_put_le64((uint8_t *)buf, (digits | EIGHT_ZEROS) >> 8 * zeros);
	return 8 - zeros;
}

// Room for the digits of a number; copies read MOST_DIGITS bytes from any position.
#define MOST_DIGITS PMON_DECIMAL_DIGITS
struct digits {
	char text[2 * MOST_DIGITS];
};

// The last n digits of w < 10^17.
static const char *
digits_of(uint64_t w, int n, struct digits *out)
{
	out->text[0] = (char)('0' + w / TEN_16);
	put_eight((uint32_t)(w / TEN_8 % TEN_8), out->text + 1);
	put_eight((uint32_t)(w % TEN_8), out->text + 9);
	memset(out->text + MOST_DIGITS, '0', MOST_DIGITS);
	return out->text + MOST_DIGITS - n;
}

// Print 0.digits or digits.digits: the point follows the digit at position 0; lead is the position
// of the first digit. More bytes than needed may be copied: buf has room for them.
static size_t
put_fixed(const char *digits, int n, int lead, char *buf)
{
	size_t whole = (size_t)(lead + 1);

	if (lead < 0) {
		memcpy(buf, "0.000", (size_t)(1 - lead));
		memcpy(buf + 1 - lead, digits, MOST_DIGITS);
		return (size_t)(1 - lead + n);
	}
	memcpy(buf, digits, MOST_DIGITS);
	if (n <= lead + 1) {
		memset(buf + n, '0', whole - (size_t)n);
		return whole;
	}
	buf[whole] = '.';
	memcpy(buf + whole + 1, digits + whole, MOST_DIGITS);
	return (size_t)n + 1;
}

static size_t
put_scientific(const char *digits, int n, int lead, int exponent, char *buf)
{
	size_t len = 0;

	buf[len++] = digits[0];
	if (n > 1) {
		buf[len++] = '.';
		memcpy(buf + len, digits + 1, (size_t)(n - 1));
		len += (size_t)(n - 1);
	}
	return len + (size_t)snprintf(buf + len, PMON_NUM_SIZE - len, "e%c%0*d",
				      lead < 0 ? '-' : '+', exponent, abs(lead));
}

// print_g() for integers that have no more digits than `digits`; returns 0 for others.
static size_t
print_whole(double d, int digits, char buf[PMON_NUM_SIZE])
{
	uint64_t w;
	size_t n;

	// A negative zero needs a sign.
	if (digits < 16 || !(fabs(d) < TWO_53) || d != (double)(int64_t)d || (d == 0 && signbit(d)))
		return 0;
	w = (uint64_t)fabs(d);
	buf[0] = '-';
	n = d < 0;
	if (w < TEN_8) {
		n += put_up_to_eight((uint32_t)w, buf + n);
	} else {
		n += put_up_to_eight((uint32_t)(w / TEN_8), buf + n);
		put_eight((uint32_t)(w % TEN_8), buf + n);
		n += 8;
	}
	buf[n] = '\0';
	return n;
}

// print_g() for most numbers; returns 0 for others.
static size_t
print_fast(double d, int digits, int exponent, char buf[PMON_NUM_SIZE])
{
	struct digits room;
	const char *text;
	size_t len = print_whole(d, digits, buf);
	uint64_t w;
	int32_t e;
	int n = digits;
	int lead;

	if (len > 0)
		return len;
	if (digits > PMON_DECIMAL_DIGITS || !pmon_decimal_from_double(fabs(d), digits, &w, &e))
		return 0;
	text = digits_of(w, n, &room);
	lead = e + n - 1;
	while (n > 1 && text[n - 1] == '0')
		n--;
	if (d < 0)
		buf[len++] = '-';
	len += lead < -4 || lead >= digits ? put_scientific(text, n, lead, exponent, buf + len)
					   : put_fixed(text, n, lead, buf + len);
	buf[len] = '\0';
	return len;
}

// Give the exponent of a %g text exactly as many digits as requested, or as few as possible for 1.
static size_t
exponent_digits(char *buf, size_t len, size_t want)
{
	char *digits; // after the sign, which %g always prints; two or three digits
	size_t n;

	if (len > 4 && buf[len - 4] == 'e')
		digits = buf + len - 2;
	else if (len > 5 && buf[len - 5] == 'e')
		digits = buf + len - 3;
	else
		return len;
	n = strlen(digits);
	while (n > want && digits[0] == '0') {
		memmove(digits, digits + 1, n);
		n--;
	}
	while (n < want) {
		memmove(digits + 1, digits, n + 1);
		digits[0] = '0';
		n++;
	}
	return (size_t)(digits - buf) + n;
}

// Like C's %g, except that the exponent has at least so many digits.
static size_t
print_g(double d, int digits, int exponent, char buf[PMON_NUM_SIZE])
{
	size_t len = print_fast(d, digits, exponent, buf);
	int n;

	if (len > 0)
		return len;
	n = snprintf(buf, PMON_NUM_SIZE, "%.*g", digits, d);

	return exponent_digits(buf, point_in_place(buf, (size_t)n), (size_t)exponent);
}

static size_t
put_null(char buf[PMON_NUM_SIZE])
{
	memcpy(buf, "null", 5);
	return 4;
}

size_t
pmon_num_shortest(double d, char buf[PMON_NUM_SIZE])
{
	size_t len = 0;

	if (!isfinite(d))
		return put_null(buf);
	if (d == 0)
		d = 0; // avoid negative zero
	if (fabs(d) < TWO_53 && d == floor(d))
		return print_whole(d, 17, buf);
	// A double always preserves 15 digits, and 17 digits always distinguish two doubles.
	// Subnormals preserve fewer, so fewer may be enough.
	for (int digits = fabs(d) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		double back;

		len = print_g(d, digits, 1, buf);
		if (digits == 17 ||
		    (pmon_num_parse_double((struct pmon_span){buf, len}, &back) && back == d))
			break;
	}
	return len;
}

size_t
pmon_num_digits(double d, int digits, char buf[PMON_NUM_SIZE])
{
	if (!isfinite(d))
		return put_null(buf);
	return print_g(d, digits, 1, buf);
}

size_t
pmon_num_pdh(double d, int digits, char buf[PMON_NUM_SIZE])
{
	if (!isfinite(d))
		return put_null(buf);
	return print_g(d, digits, 3, buf);
}

static int
digit_value(char c)
{
	if (pmon_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

bool
pmon_num_parse_u64(struct pmon_span text, uint64_t *out)
{
	uint64_t n = 0;
	uint64_t radix = 10;
	size_t i = 0;

	*out = 0;
	if (text.len > 2 && text.ptr[0] == '0' && (text.ptr[1] == 'x' || text.ptr[1] == 'X')) {
		radix = 16;
		i = 2;
	}
	if (i == text.len)
		return false;
	for (; i < text.len; i++) {
		uint64_t digit = (uint64_t)digit_value(text.ptr[i]);

		if (digit >= radix || n > (UINT64_MAX - digit) / radix)
			return false;
		n = n * radix + digit;
	}
	*out = n;
	return true;
}

bool
pmon_num_parse_i64(struct pmon_span text, int64_t *out)
{
	bool negative = text.len > 0 && text.ptr[0] == '-';
	uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
	uint64_t n;

	*out = 0;
	if (text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+')) {
		text.ptr++;
		text.len--;
	}
	if (!pmon_num_parse_u64(text, &n) || n > limit)
		return false;
	*out = negative ? (int64_t)(0 - n) : (int64_t)n;
	return true;
}

bool
pmon_num_parse_double(struct pmon_span text, double *out)
{
	char buf[128];
	char mark[PMON_NUM_SIZE];
	size_t n = 0;
	size_t mark_len;
	struct pmon_decimal decimal;
	double d;

	*out = 0;
	if (!pmon_decimal_read(text, '.', &decimal) || text.len > sizeof(buf) - sizeof(mark))
		return false;
	if (pmon_decimal_convert(&decimal, out))
		return true;
	// strtod() expects the locale's decimal mark: find it by printing a number.
	mark_len = (size_t)snprintf(mark, sizeof(mark), "%.1f", 0.5) - 2;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '.') {
			memcpy(buf + n, mark + 1, mark_len);
			n += mark_len;
		} else {
			buf[n++] = text.ptr[i];
		}
	}
	buf[n] = '\0';
	d = strtod(buf, NULL);
	if (!isfinite(d))
		return false;
	*out = d;
	return true;
}
