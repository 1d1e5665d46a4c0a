// raw.c - 32-bit raw values that arrive as signed numbers
// SPDX-License-Identifier: MIT
//
// 32-bit counters are unsigned (winperf.h: DWORD). Sources that keep them in signed integers have
// negative numbers instead of those above 2^31: SQL tables in FirstValueA and FirstValueB, agents
// and scripts in text. No 32-bit counter or base is negative, so such a number is unambiguous.

#include "core/calc.h"

static int64_t
zero_extended(int64_t n)
{
	return n < 0 && n >= INT32_MIN ? (int64_t)(uint32_t)n : n;
}

// Is the counter's own value a DWORD? The type PERF_DOUBLE_RAW says so, but it is a 64-bit double.
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
