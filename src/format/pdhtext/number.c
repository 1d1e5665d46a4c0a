// number.c - the cells of a text log as doubles
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/decimal.h"
#include "base/num.h"

#define MAX_LENGTH 80 // of a number

// By the C library, with a point for the mark.
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
