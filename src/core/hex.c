// hex.c - values of HEX types as text
// SPDX-License-Identifier: MIT

#include <math.h>

#include <pmon/counter.h>

bool
pmon_type_is_hex(const struct pmon_counter_type *type)
{
	struct pmon_type_fields fields;

	if (type == NULL || type->formula != PMON_FORMULA_COUNT)
		return false;
	pmon_type_decode(type->word, &fields);
	return fields.type == 0 && fields.subtype == 0; // PERF_TYPE_NUMBER, PERF_NUMBER_HEX
}

size_t
pmon_hex_bits(int64_t bits, char buf[PMON_HEX_SIZE])
{
	static const char digits[] = "0123456789ABCDEF";
	uint64_t n = (uint64_t)bits;
	size_t len = 3; // "0x" and a digit
	size_t i;

	while (len < 18 && n >> 4 * (len - 2) != 0)
		len++;
	buf[0] = '0';
	buf[1] = 'x';
	buf[len] = '\0';
	for (i = len; i > 2; n >>= 4)
		buf[--i] = digits[n & 15];
	return len;
}

size_t
pmon_hex_text(double value, char buf[PMON_HEX_SIZE])
{
	buf[0] = '\0';
	if (value != floor(value) || value < -0x1p63 || value >= 0x1p64)
		return 0; // NaN too
	return pmon_hex_bits(value < 0 ? (int64_t)value : (int64_t)(uint64_t)value, buf);
}
