// test_num.c - numbers to text and back, whatever the locale
// SPDX-License-Identifier: MIT

#include "t.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"

// ---- Integers -------------------------------------------------------------------------------

static const struct {
	const char *text;
	bool ok;
	uint64_t n;
} u64s[] = {
	{"0", true, 0},
	{"7", true, 7},
	{"0042", true, 42},
	{"18446744073709551615", true, UINT64_MAX},
	{"00000000000000000000000018446744073709551615", true, UINT64_MAX},
	{"18446744073709551616", false, 0},
	{"18446744073709551620", false, 0},
	{"99999999999999999999", false, 0},
	{"0x0", true, 0},
	{"0xAbCdEf", true, 0xABCDEF},
	{"0X10410400", true, 0x10410400},
	{"0xFFFFFFFFFFFFFFFF", true, UINT64_MAX},
	{"0x10000000000000000", false, 0},
	{"0x", false, 0},
	{"x10", false, 0},
	{"0xG", false, 0},
	{"1A", false, 0},
	{"", false, 0},
	{" 1", false, 0},
	{"1 ", false, 0},
	{"+1", false, 0},
	{"-1", false, 0},
	{"1.0", false, 0},
	{"1e3", false, 0},
	{"1,000", false, 0},
	{"\xB2", false, 0}, // SUPERSCRIPT TWO in Latin-1
};

static void
unsigned_integers_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(u64s); i++) {
		uint64_t n = 99;

		T_EQ_BOOL_AT(pmon_num_parse_u64(t_span(u64s[i].text), &n), u64s[i].ok,
			     u64s[i].text);
		T_EQ_U64_AT(n, u64s[i].n, u64s[i].text);
	}
	assert_false(pmon_num_parse_u64((struct pmon_span){NULL, 0}, &(uint64_t){0}));
}

static const struct {
	const char *text;
	bool ok;
	int64_t n;
} i64s[] = {
	{"0", true, 0},
	{"-0", true, 0},
	{"+7", true, 7},
	{"-7", true, -7},
	{"9223372036854775807", true, INT64_MAX},
	{"9223372036854775808", false, 0},
	{"-9223372036854775808", true, INT64_MIN},
	{"-9223372036854775809", false, 0},
	{"0x7FFFFFFFFFFFFFFF", true, INT64_MAX},
	{"0x8000000000000000", false, 0},
	{"-0x8000000000000000", true, INT64_MIN},
	{"-", false, 0},
	{"+", false, 0},
	{"--1", false, 0},
	{"-+1", false, 0},
	{"- 1", false, 0},
	{"", false, 0},
};

static void
signed_integers_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(i64s); i++) {
		int64_t n = 99;

		T_EQ_BOOL_AT(pmon_num_parse_i64(t_span(i64s[i].text), &n), i64s[i].ok,
			     i64s[i].text);
		T_EQ_I64_AT(n, i64s[i].n, i64s[i].text);
	}
	assert_false(pmon_num_parse_i64((struct pmon_span){NULL, 0}, &(int64_t){0}));
}

static void
spans_end_where_they_say(void **state)
{
	uint64_t n;
	double d;

	(void)state;
	assert_true(pmon_num_parse_u64((struct pmon_span){"1234", 2}, &n));
	T_EQ_U64(n, 12);
	assert_true(pmon_num_parse_double((struct pmon_span){"1.5e3", 3}, &d));
	T_EQ_DBL(d, 1.5);
}

// ---- Reading doubles ------------------------------------------------------------------------

// Expected values are literals, so the compiler's reading of them.
static const struct {
	const char *text;
	bool ok;
	double d;
} doubles[] = {
	{"0", true, 0},
	{"4112", true, 4112},
	{"-1.5", true, -1.5},
	{"+1.5", true, 1.5},
	{".5", true, .5},
	{"5.", true, 5},
	{"20.913042441624498", true, 20.913042441624498},
	{"0.081709341955780834", true, 0.081709341955780834},
	{"1.5e-005", true, 1.5e-5},
	{"1E3", true, 1000},
	{"1e+3", true, 1000},
	{"1.7976931348623157e308", true, DBL_MAX},
	{"-1.7976931348623157e308", true, -DBL_MAX},
	{"2.2250738585072014e-308", true, DBL_MIN},
	{"5e-324", true, 0x1p-1074},
	{"1e-400", true, 0},
	{"9007199254740993", true, 9007199254740992.0}, // a tie, to even
	{"0.1000000000000000055511151231257827021181583404541015625", true, 0.1},
	{"1e309", false, 0},
	{"1.8e308", false, 0},
	{"", false, 0},
	{".", false, 0},
	{"-", false, 0},
	{"+.e1", false, 0},
	{"e5", false, 0},
	{"1e", false, 0},
	{"1e+", false, 0},
	{"1e5.0", false, 0},
	{"1.2.3", false, 0},
	{"1,5", false, 0},
	{"1.5x", false, 0},
	{" 1.5", false, 0},
	{"1.5 ", false, 0},
	{"--1", false, 0},
	{"inf", false, 0},
	{"nan", false, 0},
	{"-1.#IND", false, 0},
	{"0x1p3", false, 0},
	{"null", false, 0},
};

static void
check_doubles(void)
{
	for (size_t i = 0; i < T_LEN(doubles); i++) {
		double d = 99;

		T_EQ_BOOL_AT(pmon_num_parse_double(t_span(doubles[i].text), &d), doubles[i].ok,
			     doubles[i].text);
		T_EQ_DBL_AT(d, doubles[i].d, doubles[i].text);
	}
}

static void
doubles_are_read(void **state)
{
	(void)state;
	check_doubles();
	assert_false(pmon_num_parse_double((struct pmon_span){NULL, 0}, &(double){0}));
}

// Longer than any number that is written by a program: refused rather than cut.
static void
endless_doubles_are_refused(void **state)
{
	char text[4096];
	double d = 99;

	(void)state;
	memset(text, '1', sizeof(text));
	for (size_t len = 1; len < sizeof(text); len++) {
		bool ok = pmon_num_parse_double((struct pmon_span){text, len}, &d);

		assert_true(ok == (len < 89));
		assert_true(ok || d == 0);
	}
}

// ---- Printing doubles -----------------------------------------------------------------------

// What %.17g and %.15g give, by the definition of %g; shortest as given by Python's repr().
static const struct {
	double d;
	const char *text;
} shortest[] = {
	{0, "0"},
	{-0.0, "0"},
	{1, "1"},
	{-1, "-1"},
	{0.1, "0.1"},
	{0.15, "0.15"},
	{4112, "4112"},
	{1.0 / 3, "0.3333333333333333"},
	{2.0 / 3, "0.6666666666666666"},
	{0.1 + 0.2, "0.30000000000000004"},
	{100, "100"},
	{123456.789, "123456.789"},
	{1e-4, "0.0001"},
	{1e-5, "1e-5"},
	{1e-7, "1e-7"},
	{1.5e-10, "1.5e-10"},
	{1e15, "1000000000000000"},
	{123456789012345680.0, "1.2345678901234568e+17"},
	{9007199254740991, "9007199254740991"},
	{-9007199254740991, "-9007199254740991"},
	{9007199254740992, "9007199254740992"},
	{1e22, "1e+22"},
	{1e100, "1e+100"},
	{DBL_MAX, "1.7976931348623157e+308"},
	{-DBL_MAX, "-1.7976931348623157e+308"},
	{DBL_MIN, "2.2250738585072014e-308"},
	{0x1p-1074, "5e-324"},
	{0x1p-1073, "1e-323"},
	{20.913042441624498, "20.913042441624498"},
	{(double)INFINITY, "null"},
	{(double)-INFINITY, "null"},
	{(double)NAN, "null"},
};

static void
check_shortest(void)
{
	for (size_t i = 0; i < T_LEN(shortest); i++) {
		char buf[PMON_NUM_SIZE];

		T_EQ_U64_AT(pmon_num_shortest(shortest[i].d, buf), strlen(shortest[i].text),
			    shortest[i].text);
		T_EQ_STR(buf, shortest[i].text);
	}
}

static void
shortest_forms(void **state)
{
	(void)state;
	check_shortest();
}

// The number of digits with which strtod() gives back the double.
static int
digits_needed(double d)
{
	for (int digits = 1; digits < 17; digits++) {
		char buf[64];

		snprintf(buf, sizeof(buf), "%.*e", digits - 1, d);
		if (strtod(buf, NULL) == d)
			return digits;
	}
	return 17;
}

// Digits of a number without the zeros on either side.
static int
digits_in(const char *text)
{
	int n = 0;
	int zeros = 0;

	for (; *text != '\0' && *text != 'e'; text++) {
		if (*text < '0' || *text > '9' || (*text == '0' && n == 0))
			continue;
		n++;
		zeros = *text == '0' ? zeros + 1 : 0;
	}
	return n - zeros;
}

static void
check_round_trip(double d)
{
	char buf[PMON_NUM_SIZE];
	double back;

	assert_true(pmon_num_shortest(d, buf) == strlen(buf) && strlen(buf) < sizeof(buf));
	T_EQ_DBL_AT(strtod(buf, NULL), d, buf);
	assert_true(pmon_num_parse_double(t_span(buf), &back));
	T_EQ_DBL_AT(back, d, buf);
	if (d != floor(d) || fabs(d) >= 9007199254740992.0)
		T_EQ_I64_AT(digits_in(buf), digits_needed(d), buf);
}

static void
round_trip_of_any_double(void **state)
{
	struct t_rand r = {5};

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = t_rand_u64(&r);
		double d;

		if (i % 10 == 0)
			bits &= ~(UINT64_C(0x7FF) << 52); // a subnormal
		memcpy(&d, &bits, sizeof(d));
		if (isfinite(d))
			check_round_trip(d);
		check_round_trip((double)(int64_t)t_rand_u64(&r) / 1e7);
		check_round_trip((double)t_rand_below(&r, 1000000) / 1000);
	}
}

// Integers compared with C's printf: around each power of ten and of two, and any others.
static void
whole_numbers_have_all_their_digits(void **state)
{
	struct t_rand r = {6};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t n = t_rand_u64(&r) >> (11 + i % 53);
		char want[32];
		char buf[PMON_NUM_SIZE];

		if (i < 45)
			n = (uint64_t)pow(10, i / 3 + 1) - 1 + (uint64_t)(i % 3);
		else if (i < 200)
			n = (UINT64_C(1) << (i / 3 - 14)) - 1 + (uint64_t)(i % 3);
		snprintf(want, sizeof(want), "%s%" PRIu64, i % 2 != 0 && n > 0 ? "-" : "", n);
		T_EQ_U64_AT(pmon_num_shortest(strtod(want, NULL), buf), strlen(want), want);
		T_EQ_STR(buf, want);
	}
}

static void
digits_as_asked(void **state)
{
	char buf[PMON_NUM_SIZE];

	(void)state;
	// The results of C's %g, but for the zeros of the exponent.
	T_EQ_U64(pmon_num_digits(1.0 / 3, 3, buf), 5);
	T_EQ_STR(buf, "0.333");
	pmon_num_digits(123456, 3, buf);
	T_EQ_STR(buf, "1.23e+5");
	pmon_num_digits(1.5e-7, 6, buf);
	T_EQ_STR(buf, "1.5e-7");
	pmon_num_digits(1e100, 6, buf);
	T_EQ_STR(buf, "1e+100");
	pmon_num_digits(0.1, 20, buf);
	T_EQ_STR(buf, "0.10000000000000000555");
	T_EQ_U64(pmon_num_digits(-DBL_MIN, 21, buf), 28);
	T_EQ_STR(buf, "-2.22507385850720138309e-308");
	pmon_num_digits((double)NAN, 6, buf);
	T_EQ_STR(buf, "null");
}

// Digits by Python's "%.17g"; Microsoft's C library printed at least three digits of the exponent before Visual Studio 2015
// (documentation of _set_output_format). The plain numbers stand in real logs, as %.17g.
static const struct {
	double d;
	const char *text;
} pdh[] = {
	{20.913042441624498, "20.913042441624498"},
	{86.918513403953639, "86.918513403953639"},
	{0.33300142472592542, "0.33300142472592542"},
	{4112, "4112"},
	{0, "0"},
	{1.5e-5, "1.5e-005"},
	{1e-6, "9.9999999999999995e-007"},
	{1e17, "1e+017"},
	{-1e-200, "-9.9999999999999998e-201"},
	{(double)NAN, "null"},
};

static void
check_pdh(void)
{
	for (size_t i = 0; i < T_LEN(pdh); i++) {
		char buf[PMON_NUM_SIZE];

		T_EQ_U64_AT(pmon_num_pdh(pdh[i].d, 17, buf), strlen(pdh[i].text), pdh[i].text);
		T_EQ_STR(buf, pdh[i].text);
	}
}

static void
forms_of_pdh_logs(void **state)
{
	(void)state;
	check_pdh();
}

// ---- Locales --------------------------------------------------------------------------------

// A comma in one, a mark of two bytes in the other.
static void
check_in_locale(const char *name)
{
	if (setlocale(LC_NUMERIC, name) == NULL) {
		print_message("no locale %s: not tried\n", name);
		return;
	}
	assert_string_not_equal(localeconv()->decimal_point, ".");
	check_doubles();
	check_shortest();
	check_pdh();
	setlocale(LC_NUMERIC, "C");
}

static void
locales_do_not_matter(void **state)
{
	(void)state;
	check_in_locale("de_DE.UTF-8");
	check_in_locale("ps_AF.UTF-8");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unsigned_integers_are_read),
		cmocka_unit_test(signed_integers_are_read),
		cmocka_unit_test(spans_end_where_they_say),
		cmocka_unit_test(doubles_are_read),
		cmocka_unit_test(endless_doubles_are_refused),
		cmocka_unit_test(shortest_forms),
		cmocka_unit_test(round_trip_of_any_double),
		cmocka_unit_test(whole_numbers_have_all_their_digits),
		cmocka_unit_test(digits_as_asked),
		cmocka_unit_test(forms_of_pdh_logs),
		cmocka_unit_test(locales_do_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
