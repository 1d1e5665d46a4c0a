// test_query_merge.c - which values two logs have in common, and the notices of a merged source
// SPDX-License-Identifier: MIT
//
// A value is in both logs when its counter, its time and both of its numbers are the same.

#include "t.h"

#include <pmon/query.h>

#include "memsource.h"
#include "moments.h"

static const struct pmon_raw first = {.multi = 1, .time = T0 + SECOND, .first = 10, .second = 100};

// A log of one counter with that value, at the time of the value or at another.
static struct mem_source *
log_of(const char *path, const struct pmon_raw *raw, pmon_time time)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, path, PMON_PERF_COUNTER_COUNTER, 1);

	mem_source_sample(m, time);
	mem_source_put(m, id, raw);
	return m;
}

static struct pmon_source *
merged(struct mem_source *a, struct mem_source *b)
{
	struct pmon_source *inputs[2] = {mem_source_open(a), mem_source_open(b)};
	struct pmon_source *source;

	assert_int_equal(pmon_merge_open(inputs, 2, NULL, &source, NULL), PMON_OK);
	return source;
}

// Closes the source.
static size_t
count_values(struct pmon_source *source)
{
	const struct pmon_sample *sample;
	size_t n = 0;

	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		n += sample->n;
	pmon_source_close(source);
	return n;
}

static void
different_values_are_not_repetitions(void **state)
{
	struct pmon_raw raw = first;

	(void)state;
	assert_int_equal(count_values(merged(log_of("\\A\\a", &first, first.time),
					     log_of("\\A\\a", &raw, first.time))),
			 1);
	assert_int_equal(count_values(merged(log_of("\\A\\a", &first, first.time),
					     log_of("\\A\\b", &raw, first.time))),
			 2);
	raw.second++;
	assert_int_equal(count_values(merged(log_of("\\A\\a", &first, first.time),
					     log_of("\\A\\a", &raw, first.time))),
			 2);
	raw = first;
	raw.first++;
	assert_int_equal(count_values(merged(log_of("\\A\\a", &first, first.time),
					     log_of("\\A\\a", &raw, first.time))),
			 2);
	raw = first;
	raw.time++;
	assert_int_equal(count_values(merged(log_of("\\A\\a", &first, first.time),
					     log_of("\\A\\a", &raw, first.time))),
			 2);
}

// Losses that a merge has found after its last sample; closes the source.
static uint64_t
losses_of(struct pmon_source *source)
{
	const struct pmon_sample *sample;
	uint64_t losses;

	for (int pass = 0; pass < 2; pass++) {
		while (pmon_source_next(source, &sample, NULL) == PMON_OK)
			;
		losses = pmon_source_info(source)->losses;
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	pmon_source_close(source);
	return losses;
}

// Two values of one moment cannot both be right, unless one is invalid.
static void
different_values_of_one_moment_are_damage(void **state)
{
	struct pmon_raw raw = first;

	(void)state;
	T_EQ_U64(losses_of(merged(log_of("\\A\\a", &first, first.time),
				  log_of("\\A\\a", &raw, first.time))),
		 0);
	raw.first++;
	T_EQ_U64(losses_of(merged(log_of("\\A\\a", &first, first.time),
				  log_of("\\A\\a", &raw, first.time))),
		 1);
	T_EQ_U64(losses_of(merged(log_of("\\A\\a", &first, first.time),
				  log_of("\\A\\b", &raw, first.time))),
		 0);
	raw.status = PMON_RAW_INVALID;
	T_EQ_U64(losses_of(merged(log_of("\\A\\a", &first, first.time),
				  log_of("\\A\\a", &raw, first.time))),
		 0);
	raw = first;
	raw.first++;
	raw.time++;
	T_EQ_U64(losses_of(merged(log_of("\\A\\a", &first, first.time),
				  log_of("\\A\\a", &raw, first.time))),
		 0);
}

// A writer that reads a counter less often than it samples writes the same value again.
static void
a_log_may_repeat_itself(void **state)
{
	struct mem_source *m = log_of("\\A\\a", &first, first.time);

	(void)state;
	mem_source_sample(m, first.time + SECOND);
	mem_source_put(m, 0, &first);
	assert_int_equal(count_values(merged(m, log_of("\\A\\b", &first, first.time))), 3);
}

static void
losses_are_summed(void **state)
{
	struct mem_source *a = log_of("\\A\\a", &first, first.time);
	struct mem_source *b = log_of("\\A\\b", &first, first.time);
	const struct pmon_source_info *info;
	struct pmon_source *source;

	(void)state;
	a->base.info.losses = 1;
	a->base.info.bytes_lost = 20;
	a->base.info.records_unknown = 300;
	a->base.info.size_bytes = 4000;
	b->base.info.losses = 2;
	b->base.info.bytes_lost = 30;
	b->base.info.records_unknown = 400;
	b->base.info.size_bytes = 5000;
	source = merged(a, b);
	info = pmon_source_info(source);
	T_EQ_U64(info->losses, 3);
	T_EQ_U64(info->bytes_lost, 50);
	T_EQ_U64(info->records_unknown, 700);
	T_EQ_U64(info->size_bytes, 9000);
	assert_int_equal(count_values(source), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(different_values_are_not_repetitions),
		cmocka_unit_test(different_values_of_one_moment_are_damage),
		cmocka_unit_test(a_log_may_repeat_itself),
		cmocka_unit_test(losses_are_summed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
