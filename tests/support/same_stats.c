// same_stats.c - compare all visible results of statistics
// SPDX-License-Identifier: MIT

#include "same_stats.h"

#include "t.h"

void
t_same_value(const struct pmon_value *a, const struct pmon_value *b, const char *label)
{
	T_EQ_I64_AT(a->status, b->status, label);
	T_EQ_I64_AT(a->policy, b->policy, label);
	if (memcmp(&a->value, &b->value, sizeof(a->value)) != 0)
		fail_msg("%s: %.17g and %.17g", label, a->value, b->value);
}

static void
same_raw(const struct pmon_raw *a, const struct pmon_raw *b, const char *label)
{
	T_EQ_U64_AT(a->status, b->status, label);
	T_EQ_U64_AT(a->multi, b->multi, label);
	T_EQ_I64_AT(a->time, b->time, label);
	T_EQ_I64_AT(a->first, b->first, label);
	T_EQ_I64_AT(a->second, b->second, label);
}

static void
same_state(const struct pmon_stats *a, const struct pmon_stats *b)
{
	T_EQ_BOOL_AT(a->has_head, b->has_head, "has_head");
	T_EQ_BOOL_AT(a->has_tail, b->has_tail, "has_tail");
	T_EQ_BOOL_AT(a->tail_open, b->tail_open, "tail_open");
	if (!a->has_head)
		T_EQ_BOOL_AT(a->gap_seen, b->gap_seen, "gap_seen");
	if (a->has_head)
		same_raw(&a->head, &b->head, "head");
	if (a->has_tail)
		same_raw(&a->tail, &b->tail, "tail");
	T_EQ_U64_AT(a->pairs, b->pairs, "pairs");
	T_EQ_BOOL_AT(a->wrapped, b->wrapped, "wrapped");
	assert_memory_equal(&a->numerator, &b->numerator, sizeof(a->numerator));
	assert_memory_equal(&a->denominator, &b->denominator, sizeof(a->denominator));
	assert_memory_equal(&a->parts, &b->parts, sizeof(a->parts));
}

void
t_same_stats(const struct pmon_stats *a, const struct pmon_stats *b)
{
	struct pmon_value average_a = pmon_stats_average(a);
	struct pmon_value average_b = pmon_stats_average(b);

	for (unsigned i = 0; i < PMON_V_COUNT; i++)
		T_EQ_U64_AT(a->count[i], b->count[i], pmon_vstat_name((enum pmon_vstat)i));
	t_same_value(&a->last, &b->last, "last");
	t_same_value(&a->minimum, &b->minimum, "minimum");
	t_same_value(&a->maximum, &b->maximum, "maximum");
	t_same_value(&average_a, &average_b, "average");
	T_EQ_I64_AT(a->minimum_time, b->minimum_time, "minimum_time");
	T_EQ_I64_AT(a->maximum_time, b->maximum_time, "maximum_time");
	T_EQ_I64_AT(a->first_raw_time, b->first_raw_time, "first_raw_time");
	T_EQ_I64_AT(a->last_raw_time, b->last_raw_time, "last_raw_time");
	T_EQ_U64(pmon_stats_samples(a), pmon_stats_samples(b));
	T_EQ_U64(pmon_stats_invalid(a), pmon_stats_invalid(b));
	same_state(a, b);
}
