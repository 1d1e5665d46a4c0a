// test_decimal.c - decimals and doubles into each other, against the C library
// SPDX-License-Identifier: MIT
//
// glibc's strtod() and printf() round exactly. PMON_DECIMAL_RUNS says how many random numbers are
// tried; the default takes about two seconds.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/path.h>

#include "base/decimal.h"
#include "simd/simd.h"
#include "base/num.h"
#include "t.h"

#define DEFAULT_RUNS 100000

static struct t_rand numbers = {1};

static double
from_bits(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static struct pmon_span
span(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// ---- Texts to doubles -----------------------------------------------------------------------

// The fast path, with as much text around it as it needs, gives the same result as the slow one.
static void
check_short_way(const char *text)
{
	char line[1024];
	int len = snprintf(line, sizeof(line), "%17s%s,%50s", "", text, "");
	struct pmon_decimal decimal;
	struct pmon_cells cells;
	double want = 0;
	double d = 0;
	bool is_certain = pmon_decimal_read(span(text), '.', &decimal) &&
			  pmon_decimal_convert(&decimal, &want);

	if (len < 0 || (size_t)len >= sizeof(line))
		return;
	pmon_cells_begin(&cells, pmon_simd_at(0), (struct pmon_span){line, (size_t)len}, ',', '.');
	cells.at = 17;
	if ((pmon_cells_read(&cells, &d, 1) == 1) != is_certain)
		fail_msg("%s is certain in one way and not in the other", text);
	if (is_certain && (d != want || cells.at != 18 + strlen(text)))
		fail_msg("%s is read as %.17g, not %.17g", text, d, want);
}

// A certain result must be right. Returns whether it was certain.
static bool
check_text(const char *text)
{
	struct pmon_decimal decimal;
	double d;

	check_short_way(text);

	if (!pmon_decimal_read(span(text), '.', &decimal))
		fail_msg("%s is not read", text);
	if (!pmon_decimal_convert(&decimal, &d))
		return false;
	if (d != strtod(text, NULL))
		fail_msg("%s is read as %.17g, not %.17g", text, d, strtod(text, NULL));
	return true;
}

// Decimals near the middle of two doubles, subnormals, the ends of the range; from the literature on
// the subject (D. Gay 1990, W. Clinger 1990, V. Paxson 1991) and from the definition of doubles.
static const char *const hard[] = {
	"9007199254740993",
	"9007199254740993.0",
	"9007199254740992.99999999999999",
	"9007199254740993.00000000000001",
	"1.00000000000000011102230246251565404236316680908203125",
	"1.00000000000000011102230246251565404236316680908203124",
	"1.00000000000000011102230246251565404236316680908203126",
	"5e-324",
	"2.4703282292062327e-324",
	"2.2250738585072014e-308",
	"2.2250738585072011e-308",
	"2.2250738585072012e-308",
	"1.7976931348623157e308",
	"1.7976931348623158e308",
	"9214843084008499",
	"0.5e-1",
	"6.9294956446009195e15",
	"3.7455744005952583e15",
	"1.0e23",
	"8.5e22",
	"8.442911973260991817129021e-309",
	"5e-20",
	"67e14",
	"985e15",
	"7693e-42",
	"55895e-16",
	"996622e-44",
	"7038531e-32",
	"60419369e-46",
	"702990899e-20",
	"6930161142e-48",
	"25933168707e-13",
	"428896111110e-20",
	"623800000000000001e-17",
	"7.9227816251426434e28",
	"0.000001",
	"123456789012345678901234567890",
	"0.1000000000000000055511151231257827021181583404541015625",
};

static void
hard_texts_are_right_or_uncertain(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++) {
		double d;

		(void)check_text(hard[i]);
		// The C library reads every one of them.
		assert_true(pmon_num_parse_double(span(hard[i]), &d));
		assert_true(d == strtod(hard[i], NULL));
	}
}

// The first integer that no double holds, times powers of ten: the nearest double is another one than
// that of 2^53 for most of them. And exponents that wrap where they are counted in 32 bits.
static void
limits_of_exact_numbers(void **state)
{
	static const char *const beyond[] = {"1e4294967296", "1e-4294967296", "1e4294967297",
					     "1e18446744073709551616", "1e99999999999999999999"};
	char text[64];

	(void)state;
	for (int e = -30; e <= 30; e++) {
		(void)snprintf(text, sizeof(text), "9007199254740993e%d", e);
		(void)check_text(text);
	}
	for (size_t i = 0; i < T_LEN(beyond); i++)
		assert_false(check_text(beyond[i]));
}

// As in logs: 17 digits, with every exponent; and shorter ones.
static void
random_texts_are_right(void **state)
{
	static const int digits[] = {17, 16, 15, 6, 20, 25};
	size_t n = t_runs("PMON_DECIMAL_RUNS", DEFAULT_RUNS);
	unsigned long uncertain = 0;
	char text[64];

	(void)state;
	for (unsigned long i = 0; i < n; i++) {
		double d = from_bits(t_rand_u64(&numbers) & ~(UINT64_C(1) << 63));

		if (!isfinite(d) || d < DBL_MIN)
			continue;
		(void)snprintf(text, sizeof(text), "%.*g", digits[i % 6], d);
		uncertain += !check_text(text);
	}
	assert_true(uncertain * 1000 < n); // the slow way stays rare
}

// Middles of two neighbours, printed with as many digits as fit, and the decimals next to them.
static void
middles_are_right_or_uncertain(void **state)
{
	char text[64];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		// A 54-bit integer that ends in 1 lies between two doubles.
		uint64_t middle = (t_rand_u64(&numbers) >> 10 | UINT64_C(1) << 53) | 1;

		for (int64_t beside = -1; beside <= 1; beside++) {
			(void)snprintf(text, sizeof(text), "%lld.%s", (long long)middle + beside,
				       beside < 0 ? "9999999999" : "0000000001");
			(void)check_text(text);
		}
		(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)middle);
		(void)check_text(text);
	}
}

static void
reads_only_numbers(void **state)
{
	static const char *const bad[] = {"",    "-",    ".",         "e5",  "1e",   "1e+",
					  "1x",  " 1",   "1 ",        "--1", "1.2.", "0x10",
					  "inf", "1e5x", "12345678x", "+.",  "1,5"};
	static const char *const good[] = {
		"1",     "-1",  "+1",
		"1.",    ".5",  "00012",
		"0.0e0", "1E5", "0000000000000000000000000000000000000001"};
	struct pmon_decimal d;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (pmon_decimal_read(span(bad[i]), '.', &d))
			fail_msg("\"%s\" is read", bad[i]);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(check_text(good[i]));
	assert_true(pmon_decimal_read(PMON_SPAN("1,5"), ',', &d));
	assert_int_equal(d.w, 15);
	assert_int_equal(d.e, -1);
}

// ---- Doubles to texts -----------------------------------------------------------------------

static void
check_print(double d, int digits)
{
	char want[64];
	char got[PMON_NUM_SIZE];
	uint64_t w;
	int32_t e;

	// C writes exponents with two digits at least, pmon_num_digits() without zeros in front.
	(void)snprintf(want, sizeof(want), "%.*e", digits - 1, d);
	if (pmon_decimal_from_double(fabs(d), digits, &w, &e)) {
		char text[64];

		(void)snprintf(text, sizeof(text), "%llue%d", (unsigned long long)w, (int)e);
		if (strtod(want, NULL) != strtod(text, NULL) && fabs(d) > 0)
			fail_msg("%d digits of %.17g are %s, not %s", digits, d, text, want);
		(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)w);
		want[strcspn(want, "e")] = '\0';
		if (digits > 1)
			memmove(want + 1, want + 2, strlen(want) - 1);
		assert_string_equal(text, want);
	}
	(void)snprintf(want, sizeof(want), "%.*g", digits, d);
	if (strchr(want, 'e') == NULL) {
		(void)pmon_num_digits(d, digits, got);
		assert_string_equal(got, want);
	}
	(void)snprintf(want, sizeof(want), "%.*g", digits, d);
	(void)pmon_num_digits(d, digits, got);
	if (strtod(got, NULL) != strtod(want, NULL))
		fail_msg("%d digits of %.17g are written %s, not %s", digits, d, got, want);
}

static void
random_doubles_are_written_right(void **state)
{
	size_t n = t_runs("PMON_DECIMAL_RUNS", DEFAULT_RUNS);

	(void)state;
	for (unsigned long i = 0; i < n; i++) {
		double d = from_bits(t_rand_u64(&numbers));

		if (isfinite(d) && fabs(d) >= DBL_MIN)
			check_print(i % 2 ? fabs(d)
					  : (double)(int64_t)(t_rand_u64(&numbers) >> 20) / 1024.0 +
						    1,
				    1 + (int)(t_rand_u64(&numbers) % 17));
	}
}

// Integers of all lengths and both signs. The expected text is printf's %g.
static void
integers_are_written_right(void **state)
{
	size_t n = t_runs("PMON_DECIMAL_RUNS", DEFAULT_RUNS) / 8;

	(void)state;
	for (unsigned long i = 0; i < n; i++) {
		uint64_t random = t_rand_u64(&numbers);
		double d = (double)(int64_t)(random >> (10 + i % 54));
		int digits = 15 + (int)(i % 6);
		char want[64];
		char got[PMON_NUM_SIZE];

		d = random & 1 ? -d : d; // among them is a negative zero
		(void)snprintf(want, sizeof(want), "%.*g", digits, d);
		if (strchr(want, 'e') != NULL)
			continue;
		assert_int_equal(pmon_num_pdh(d, digits, got), strlen(want));
		assert_string_equal(got, want);
	}
}

// A double survives 17 digits unchanged, which are those of C; and the fewest digits that identify
// it.
static void
check_both_ways(double d)
{
	char want[64];
	char got[PMON_NUM_SIZE];
	char fewest[PMON_NUM_SIZE];
	size_t digits = 0;
	double back;

	(void)snprintf(want, sizeof(want), "%.17g", d);
	if (!pmon_num_parse_double(span(want), &back) || back != d)
		fail_msg("%s is read as %.17g", want, back);
	(void)pmon_num_digits(d, 17, got);
	// In C, exponents have at least two digits; in pmon_num_digits() they have no leading
	// zeros.
	if (strchr(want, 'e') == NULL ? strcmp(got, want) != 0
				      : strncmp(got, want, strcspn(want, "e") + 2) != 0 ||
						strtol(strchr(got, 'e') + 1, NULL, 10) !=
							strtol(strchr(want, 'e') + 1, NULL, 10))
		fail_msg("%s is written %s", want, got);
	(void)pmon_num_shortest(d, fewest);
	if (strtod(fewest, NULL) != d)
		fail_msg("%s for %.17g", fewest, d);
	for (const char *p = fewest; *p != '\0' && *p != 'e'; p++)
		digits += *p >= '0' && *p <= '9' && (digits > 0 || *p != '0');
	(void)snprintf(want, sizeof(want), "%.*e", (int)digits - 2, d);
	if (digits > 1 && fabs(d) >= DBL_MIN && strchr(fewest, 'e') != NULL &&
	    strtod(want, NULL) == d)
		fail_msg("%s for %.17g, not %s", fewest, d, want);
}

static void
random_doubles_survive(void **state)
{
	size_t n = t_runs("PMON_DECIMAL_RUNS", DEFAULT_RUNS);

	(void)state;
	for (unsigned long i = 0; i < n; i++) {
		double d = from_bits(t_rand_u64(&numbers));

		if (isfinite(d))
			check_both_ways(d);
	}
}

static void
edges_are_written_right(void **state)
{
	static const double edges[] = {1,
				       9.5,
				       99.5,
				       0.5,
				       2.5,
				       1e15,
				       1e16,
				       1e17,
				       1e22,
				       1e23,
				       9.999999999999999e22,
				       0.1,
				       0.3,
				       1e-5,
				       9.9999e-5,
				       1e-4,
				       123456,
				       999999.5,
				       DBL_MIN,
				       DBL_MAX,
				       4503599627370496.5,
				       9007199254740991.0};

	(void)state;
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		for (int digits = 1; digits <= 17; digits++)
			check_print(edges[i], digits);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hard_texts_are_right_or_uncertain),
		cmocka_unit_test(limits_of_exact_numbers),
		cmocka_unit_test(random_texts_are_right),
		cmocka_unit_test(middles_are_right_or_uncertain),
		cmocka_unit_test(reads_only_numbers),
		cmocka_unit_test(random_doubles_are_written_right),
		cmocka_unit_test(integers_are_written_right),
		cmocka_unit_test(edges_are_written_right),
		cmocka_unit_test(random_doubles_survive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
