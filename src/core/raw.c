// raw.c - 32-bit raw values that arrive as signed numbers
// SPDX-License-Identifier: MIT
//
// Counters of 32 bits are unsigned (winperf.h: DWORD). Who keeps them in signed integers writes what
// is above 2^31 as a negative number: SQL tables in FirstValueA and FirstValueB, agents and scripts in
// text. No 32-bit counter or base is negative, so such a number can mean one thing only.

#include "core/calc.h"

static int64_t
zero_extended(int64_t n)
{
	return n < 0 && n >= INT32_MIN ? (int64_t)(uint32_t)n : n;
}

// Is the counter's own value a DWORD? PERF_DOUBLE_RAW says so, and holds a double of 64 bits.
static bool
is_32bit(const struct pmon_counter *counter, const struct pmon_counter_type *type)
{
	struct pmon_type_fields fields;

	if (type->formula == PMON_FORMULA_DOUBLE)
		return false;
	if (counter->size_bytes != 0)
		return counter->size_bytes == 4;
	pmon_type_decode(counter->type, &fields);
	return fields.size == 0;
}

void
pmon_raw_zero_extend(const struct pmon_counter *counter, struct pmon_raw *raw)
{
	const struct pmon_counter_type *type;

	if (raw->first >= 0 && raw->second >= 0)
		return;
	type = pmon_type_by_word(counter->type);
	if (type == NULL)
		return;
	if (is_32bit(counter, type))
		raw->first = zero_extended(raw->first);
	if (type->second == PMON_SECOND_BASE && type->base_32bit)
		raw->second = zero_extended(raw->second);
}
