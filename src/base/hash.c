// hash.c - hashes as text
// SPDX-License-Identifier: MIT

#include "base/hash.h"

#include <string.h>

#define DIGITS 32

int
pmon_hash128_compare(struct pmon_hash128 a, struct pmon_hash128 b)
{
	if (a.high != b.high)
		return a.high < b.high ? -1 : 1;
	return (a.low > b.low) - (a.low < b.low);
}

static void
put_digits(uint64_t n, char *out)
{
	for (int i = 0; i < 16; i++)
		out[i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
}

void
pmon_hash128_print(struct pmon_hash128 hash, char buf[PMON_HASH128_SIZE])
{
	put_digits(hash.high, buf);
	put_digits(hash.low, buf + 16);
	buf[DIGITS] = '\0';
}

void
pmon_hash128_print_uuid(struct pmon_hash128 hash, char buf[PMON_HASH128_UUID_SIZE])
{
	char digits[PMON_HASH128_SIZE];
	size_t at = 0;

	pmon_hash128_print(hash, digits);
	for (int i = 0; i < DIGITS; i++) {
		if (i == 8 || i == 12 || i == 16 || i == 20)
			buf[at++] = '-';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
}

static bool
parse_digits(const char *text, uint64_t *out)
{
	static const char digits[] = "0123456789abcdef";

	*out = 0;
	for (int i = 0; i < 16; i++) {
		const char *at = text[i] != '\0' ? strchr(digits, text[i]) : NULL;

		if (at == NULL)
			return false;
		*out = *out << 4 | (uint64_t)(at - digits);
	}
	return true;
}

bool
pmon_hash128_parse(struct pmon_span text, struct pmon_hash128 *out)
{
	return text.len == DIGITS && parse_digits(text.ptr, &out->high) &&
	       parse_digits(text.ptr + 16, &out->low);
}
