// test_pdhtext_number.c - decimal numbers of text logs, against the C library
// SPDX-License-Identifier: MIT

#include "t.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "format/pdhtext/pdhtext.h"

static enum pmon_pdht_number
number(const char *text, char mark, double *out)
{
	return pmon_pdht_number(t_span(text), mark, out);
}

static void
same_as_strtod(const char *text)
{
	double want = strtod(text, NULL);
	double got;

	T_EQ_I64_AT(number(text, '.', &got), isfinite(want) ? PDHT_NUMBER : PDHT_NOT_FINITE, text);
	T_EQ_DBL_AT(got, isfinite(want) ? want : 0, text);
}

static void
numbers_are_read(void **state)
{
	static const char *const texts[] = {
		"0",
		"-0",
		"+5",
		"5.",
		".5",
		"007",
		"4112",
		"99.99",
		"0.1",
		"0.3",
		"1e5",
		"1E-05",
		"1.5e-005",
		"1e22",
		"1e23",
		"9007199254740992",
		"9007199254740993",
		"9007199254740995",
		"18446744073709551615",
		"18446744073709551616",
		"0.5000000000000001110223024625156540423631668090820312", // 1/2 + 2^-53, a tie
		"0.50000000000000011102230246251565404236316680908203124",
		"0.50000000000000011102230246251565404236316680908203126",
		"1.00000000000000011102230246251565404236316680908203125", // 1 + 2^-53
		"123456789012345678901234567890",
		"0.00000000000000000001234567890123456789",
		"4.9e-324",
		"2e-324",
		"2.2250738585072011e-308",
		"1.7976931348623157e308",
		"1.7976931348623159e308",
		"1e400",
		"1e-400",
		"0e999999999999",
		"1e-999999999999",
		"25.629232186011368098",
		"8589934592.0000009536743164062"};

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++)
		same_as_strtod(texts[i]);
}

static void
other_texts_are_not_numbers(void **state)
{
	static const char *const texts[] = {
		"",    "-",  "+",   ".",  "e5",  "1e",  "1e+",  "1,5",     "1.2.3", "0x10",
		"1 2", "1-", "--1", "5%", "abc", "1.#", "infi", "nan(ind", "true",  "1.5e5.5"};
	double d;

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++) {
		T_EQ_I64_AT(number(texts[i], '.', &d), PDHT_NO_NUMBER, texts[i]);
		T_EQ_DBL_AT(d, 0, texts[i]);
	}
	assert_int_equal(pmon_pdht_number((struct pmon_span){"1\0", 2}, '.', &d), PDHT_NO_NUMBER);
}

static void
infinities_and_nans_are_distinguished(void **state)
{
	static const char *const texts[] = {"1.#INF",   "-1.#INF000000", "1.#IND", "-1.#IND00",
					    "1.#QNAN0", "inf",           "-inf",   "Infinity",
					    "NaN",      "-nan(ind)",     "1e999"};
	double d;

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++)
		T_EQ_I64_AT(number(texts[i], '.', &d), PDHT_NOT_FINITE, texts[i]);
}

static void
the_decimal_mark_may_be_a_comma(void **state)
{
	double d;

	(void)state;
	assert_int_equal(number("1,5", ',', &d), PDHT_NUMBER);
	T_EQ_DBL(d, 1.5);
	assert_int_equal(number("-25,629232186011368098E+002", ',', &d), PDHT_NUMBER);
	T_EQ_DBL(d, -2562.9232186011368098);
	assert_int_equal(number("1.5", ',', &d), PDHT_NO_NUMBER);
}

// A finite double of any size, or one of the sizes that counters have.
static double
random_double(struct t_rand *r)
{
	uint64_t bits = t_rand_u64(r);
	double d;

	if (t_rand_below(r, 4) != 0)
		return ldexp((double)(bits >> 11), -(int)t_rand_below(r, 64));
	memcpy(&d, &bits, sizeof(d));
	return isfinite(d) ? d : 0;
}

static void
round_trip_of_doubles_in_all_forms(void **state)
{
	static const char *const forms[] = {"%.17g", "%.20g", "%.15g", "%.6f", "%.0f", "%.25g"};
	struct t_rand r = {1};
	char text[512];
	double d;

	(void)state;
	for (int i = 0; i < 300000; i++) {
		const char *form = forms[t_rand_below(&r, T_LEN(forms))];

		d = random_double(&r);
		if (snprintf(text, sizeof(text), form, d) <= 80)
			same_as_strtod(text);
	}
	for (int i = 0; i < 300000; i++) {
		double back;

		d = random_double(&r);
		(void)snprintf(text, sizeof(text), "%.17g", d);
		assert_int_equal(number(text, '.', &back), PDHT_NUMBER);
		T_EQ_DBL_AT(back, d, text);
	}
}

// Digits, a point anywhere, perhaps an exponent.
static void
random_decimals_round_as_strtod_does(void **state)
{
	struct t_rand r = {2};
	char text[64];

	(void)state;
	for (int i = 0; i < 600000; i++) {
		size_t digits = 1 + t_rand_below(&r, 26);
		size_t point = t_rand_below(&r, digits + 1);
		size_t n = 0;

		for (size_t at = 0; at < digits; at++) {
			if (at == point)
				text[n++] = '.';
			text[n++] = (char)('0' + t_rand_below(&r, 10));
		}
		text[n] = '\0';
		if (t_rand_below(&r, 3) == 0)
			(void)snprintf(text + n, sizeof(text) - n, "e%d",
				       (int)t_rand_below(&r, 60) - 30);
		same_as_strtod(text);
	}
}

// Odd integers of 54 bits lie half way between two doubles; with a fraction a little above.
static void
ties_are_rounded_to_even(void **state)
{
	struct t_rand r = {3};
	char text[128];

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t odd = (t_rand_u64(&r) >> 10 | (uint64_t)1 << 53) | 1; // 54 bits
		size_t len = (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)odd);

		same_as_strtod(text);
		(void)snprintf(text + len, sizeof(text) - len, ".0000%s",
			       t_rand_below(&r, 2) == 0 ? "1" : "");
		same_as_strtod(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read),
		cmocka_unit_test(other_texts_are_not_numbers),
		cmocka_unit_test(infinities_and_nans_are_distinguished),
		cmocka_unit_test(the_decimal_mark_may_be_a_comma),
		cmocka_unit_test(round_trip_of_doubles_in_all_forms),
		cmocka_unit_test(random_decimals_round_as_strtod_does),
		cmocka_unit_test(ties_are_rounded_to_even),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
