// row.c - numbers as the cells of a line of text
// SPDX-License-Identifier: MIT

#include <math.h>

#include "base/decimal.h"
#include "simd/forms.h"

size_t
pmon_row_print_one(double number, char separator, int digits, char *out)
{
	size_t len = 1;

	out[0] = separator;
	out[1] = '"';
	out[2] = ' ';
	if (!isnan(number))
		len = pmon_num_pdh(number, digits, out + 2);
	out[len + 2] = '"';
	return len + 3;
}

size_t
pmon_row_print(const struct pmon_simd *simd, const double *numbers, size_t n, char separator,
	       int digits, char *out)
{
	size_t len = 0;

	if (digits == PMON_DECIMAL_DIGITS && simd->print != NULL)
		return simd->print(numbers, n, separator, out);
	for (size_t i = 0; i < n; i++)
		len += pmon_row_print_one(numbers[i], separator, digits, out + len);
	return len;
}
