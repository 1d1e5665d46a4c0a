// test_row.c - numbers as the cells of a line: many at a time as one at a time, and as printf()
// SPDX-License-Identifier: MIT
//
// glibc's printf() rounds exactly, halves to even. PMON_DECIMAL_RUNS says about how many random numbers
// are printed.

#include "t.h"

#include <math.h>
#include <stdlib.h>

#include "simd/simd.h"

#define RUNS       400000
#define MOST_CELLS 200
#define GUARD      0x55

static struct t_rand dice = {1};

static unsigned
below(unsigned n)
{
	return (unsigned)t_rand_below(&dice, n);
}

static double
from_bits(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

// ---- Numbers --------------------------------------------------------------------------------

// Half-way between two decimals of 17 digits, or as near to that as a double comes: the part after the last
// digit is a half when c / 2^(17 - lead), c odd, has its first digit at 10^lead.
static double
near_half(void)
{
	int lead = (int)below(20) - 4;
	double least = pow(10, lead);
	double c = floor(ldexp(least * (1 + 9 * (double)below(1000000) / 1e6), 17 - lead));

	return ldexp(c + (fmod(c, 2) == 0), lead - 17);
}

// A power of ten, and its neighbours.
static double
near_power(void)
{
	double power =
		strtod((const char *const[]){"1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1", "1e0",
					     "1e1",  "1e2",  "1e3",  "1e4",  "1e5",  "1e6",  "1e7",
					     "1e8",  "1e9",  "1e10", "1e11", "1e12", "1e13", "1e14",
					     "1e15", "1e16", "1e17", "1e18", "1e19"}[below(26)],
		       NULL);

	for (unsigned i = below(4); i > 0; i--)
		power = nextafter(power, below(2) ? INFINITY : 0);
	return power;
}

static double
next_number(void)
{
	static const double some[] = {0.0,
				      -0.0,
				      NAN,
				      INFINITY,
				      -INFINITY,
				      5e-324,
				      0.1,
				      0.3,
				      9007199254740991,
				      9007199254740992,
				      99999999999999984,
				      1e17,
				      -1.5,
				      0.0001};

	switch (below(10)) {
	case 0:
		return some[below(T_LEN(some))];
	case 1:
		return from_bits(t_rand_u64(&dice));
	case 2:
		return near_half();
	case 3:
		return near_power();
	case 4: // integers
		return (double)(t_rand_u64(&dice) >> below(64));
	case 5: // few digits
		return (double)below(1000000) / (double)(1U << below(20));
	case 6:
		return NAN;
	case 7: // of a size that is printed many at a time
		return from_bits((t_rand_u64(&dice) >> 12) | (uint64_t)(1023 - 15 + (int)below(74))
								     << 52);
	default:
		return (double)(t_rand_u64(&dice) >> below(64)) /
		       (double)((t_rand_u64(&dice) >> below(64)) | 1);
	}
}

// ---- Texts ----------------------------------------------------------------------------------

// As in the C library. It writes at least two digits of an exponent, Windows three.
static size_t
print_by_library(double d, char separator, int digits, char *out)
{
	char number[64];
	char *exponent;

	if (isnan(d))
		(void)snprintf(number, sizeof(number), " ");
	else if (isinf(d))
		(void)snprintf(number, sizeof(number), "null");
	else
		(void)snprintf(number, sizeof(number), "%.*g", digits, d);
	exponent = strchr(number, 'e');
	if (exponent != NULL && strlen(exponent) == 4) {
		memmove(exponent + 3, exponent + 2, 3);
		exponent[2] = '0';
	}
	return (size_t)snprintf(out, 80, "%c\"%s\"", separator, number);
}

static void
check_row(const double *numbers, size_t n, char separator, int digits)
{
	static char got[MOST_CELLS * PMON_ROW_CELL + 1];
	static char want[MOST_CELLS * 80];
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += print_by_library(numbers[i], separator, digits, want + len);
	want[len] = '\0';
	for (size_t i = 0; pmon_simd_at(i) != NULL; i++) {
		memset(got, GUARD, sizeof(got));
		T_EQ_U64(pmon_row_print(pmon_simd_at(i), numbers, n, separator, digits, got), len);
		for (size_t k = n * PMON_ROW_CELL; k < sizeof(got); k++)
			T_EQ_I64(got[k], GUARD);
		got[len] = '\0';
		T_EQ_STR(got, want);
	}
}

static void
many_are_as_one_at_a_time(void **state)
{
	size_t most = t_runs("PMON_DECIMAL_RUNS", RUNS);
	size_t total = 0;

	(void)state;
	for (size_t i = 0; pmon_simd_at(i) != NULL; i++)
		print_message("%s\n", pmon_simd_name(pmon_simd_at(i)));
	while (total < most) {
		double *numbers;
		size_t n = below(4) ? below(20) : below(MOST_CELLS);

		// Nothing after the numbers is read; memory checkers detect that.
		numbers = malloc(n * sizeof(*numbers) + 1);
		assert_non_null(numbers);
		for (size_t i = 0; i < n; i++)
			numbers[i] = next_number();
		check_row(numbers, n, below(2) ? ',' : '\t', below(10) ? 17 : (int)below(21) + 1);
		total += n + 1;
		free(numbers);
	}
}

// Exactly half-way between two of 17 digits: to the even one. 1 + 2^-17 = 1.00000762939453125 and
// 1 + 3 * 2^-17 = 1.00002288818359375 by hand.
static void
halves_are_to_even(void **state)
{
	const double numbers[] = {1 + 0x1p-17, 1 + 0x3p-17};
	char text[2 * PMON_ROW_CELL + 1];

	(void)state;
	for (size_t i = 0; pmon_simd_at(i) != NULL; i++) {
		text[pmon_row_print(pmon_simd_at(i), numbers, 2, ',', 17, text)] = '\0';
		T_EQ_STR(text, ",\"1.0000076293945312\",\"1.0000228881835938\"");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_are_as_one_at_a_time),
		cmocka_unit_test(halves_are_to_even),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
