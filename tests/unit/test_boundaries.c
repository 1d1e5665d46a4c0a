// test_boundaries.c - threads reading parts of a log identify processes as a single thread does
// SPDX-License-Identifier: MIT
//
// Processes end, begin, move to other slots and are renamed at random, so that some do at each boundary of
// two parts.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "memsource.h"
#include "model/source.h"

#define KEEP (PMON_KEEP_TOTALS | PMON_KEEP_PERCENTILES)

#define SECOND    PMON_TIME_PER_SEC
#define START     INT64_C(133485408000000000) // 2024-01-01
#define N_PLACES  6
#define N_SAMPLES 4000

struct process {
	int64_t pid; // 0: none
	int64_t start;
	int64_t reads;
};

// ---- A log ----------------------------------------------------------------------------------

static void
add_place(struct mem_source *m, size_t i)
{
	static const char *const names[] = {"x", "x#1", "x#2", "y", "y#1", "z"};
	char path[80];

	(void)snprintf(path, sizeof(path), "\\\\S\\Process(%s)\\IO Read Operations/sec", names[i]);
	(void)mem_source_series(m, path, PMON_PERF_COUNTER_BULK_COUNT, SECOND);
	(void)snprintf(path, sizeof(path), "\\\\S\\Process(%s)\\ID Process", names[i]);
	(void)mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 1);
	(void)snprintf(path, sizeof(path), "\\\\S\\Process(%s)\\Elapsed Time", names[i]);
	(void)mem_source_series(m, path, PMON_PERF_ELAPSED_TIME, SECOND);
}

static void
change(struct t_rand *r, struct process *at, int64_t now)
{
	struct process *a = &at[t_rand_below(r, N_PLACES)];
	struct process *b = &at[t_rand_below(r, N_PLACES)];
	struct process was = *a;

	switch (t_rand_below(r, 4)) {
	case 0: // ends
		a->pid = 0;
		break;
	case 1: // begins
		*a = (struct process){4 + 4 * (int64_t)t_rand_below(r, 9),
				      now - (int64_t)t_rand_below(r, SECOND), 0};
		break;
	case 2: // moves
		*a = *b;
		*b = was;
		break;
	default:
		break;
	}
}

static struct pmon_source *
make_source(uint64_t seed)
{
	struct mem_source *m = mem_source_new();
	struct process at[N_PLACES] = {{4, START - SECOND, 50}, {8, START - 9 * SECOND, 7}};
	struct t_rand r = {.state = seed};

	for (size_t i = 0; i < N_PLACES; i++)
		add_place(m, i);
	for (int64_t s = 0; s < N_SAMPLES; s++) {
		int64_t now = START + s * SECOND;

		mem_source_sample(m, now);
		for (uint32_t i = 0; i < N_PLACES; i++) {
			if (at[i].pid == 0)
				continue;
			at[i].reads += (int64_t)t_rand_below(&r, 1000);
			if (t_rand_below(&r, 9) == 0)
				mem_source_bad(m, 3 * i, PMON_RAW_INVALID);
			else
				mem_source_raw(m, 3 * i, at[i].reads, now);
			mem_source_raw(m, 3 * i + 1, at[i].pid, 0);
			mem_source_raw(m, 3 * i + 2, at[i].start, now);
		}
		for (size_t n = 1 + t_rand_below(&r, 3); n > 0; n--)
			change(&r, at, now + SECOND);
	}
	return mem_source_open(m);
}

static void
write_log(uint64_t seed, char *path)
{
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_source *source = make_source(seed);
	struct pmon_sink *sink;
	struct pmon_err err;

	assert_int_equal(close(mkstemp(path)), 0);
	assert_int_equal(pmon_log_create(path, "blg", &options, &sink, &err), PMON_OK);
	assert_int_equal(pmon_copy(source, sink, NULL, &err), PMON_OK);
	pmon_sink_close(sink);
	pmon_source_close(source);
}

// ---- Statistics -----------------------------------------------------------------------------

static struct pmon_source *
open_log(const char *path, bool from_start)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = from_start};
	struct pmon_source *source;
	struct pmon_err err;

	assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_OK);
	assert_int_equal(pmon_identity_open(source, &options, &source, &err), PMON_OK);
	return source;
}

// Is it read in parts at all?
static void
check_is_split(struct pmon_source *source)
{
	struct pmon_source *parts[16];
	size_t n = 4;

	assert_int_equal(source->split->split(source, 1, parts, &n, NULL), PMON_OK);
	assert_true(n >= 3);
	while (n > 0)
		pmon_source_close(parts[--n]);
}

static void
check_same(const struct pmon_stats *got, const struct pmon_stats *want, const char *name)
{
	for (size_t i = 0; i < PMON_V_COUNT; i++)
		T_EQ_U64_AT(got->count[i], want->count[i], name);
	T_EQ_U64_AT(got->pairs, want->pairs, name);
	assert_memory_equal(&got->numerator, &want->numerator, sizeof(got->numerator));
	assert_memory_equal(&got->denominator, &want->denominator, sizeof(got->denominator));
	T_EQ_DBL_AT(got->minimum.value, want->minimum.value, name);
	T_EQ_DBL_AT(got->maximum.value, want->maximum.value, name);
}

// Totals and percentiles, which include the first value of a part.
static void
check_kept(const struct pmon_statistics *got, const struct pmon_statistics *want, size_t i,
	   const char *name)
{
	T_EQ_DBL_AT(pmon_statistics_total(got, i).value, pmon_statistics_total(want, i).value,
		    name);
	for (double p = 0; p <= 100; p += 10)
		T_EQ_DBL_AT(pmon_statistics_percentile(got, i, p).value,
			    pmon_statistics_percentile(want, i, p).value, name);
}

static void
check_log(const char *path, bool from_start, unsigned threads)
{
	struct pmon_statistics_options one = {.size = sizeof(one), .keep = KEEP};
	struct pmon_statistics_options options = {
		.size = sizeof(options), .keep = KEEP, .threads = threads, .part_bytes = 1};
	struct pmon_source *plain = open_log(path, from_start);
	struct pmon_source *split = open_log(path, from_start);
	struct pmon_statistics *want;
	struct pmon_statistics *got;
	struct pmon_err err;

	check_is_split(split);
	assert_int_equal(pmon_statistics_read(plain, &one, NULL, &want, &err), PMON_OK);
	assert_int_equal(pmon_statistics_read(split, &options, NULL, &got, &err), PMON_OK);
	for (size_t i = 0; i < pmon_schema_count(pmon_source_schema(plain)); i++) {
		const struct pmon_series *series = pmon_schema_at(pmon_source_schema(plain), i);

		T_EQ_STR(pmon_schema_at(pmon_source_schema(split), i)->name.ptr, series->name.ptr);
		check_same(pmon_statistics_at(got, i), pmon_statistics_at(want, i),
			   series->name.ptr);
		check_kept(got, want, i, series->name.ptr);
	}
	pmon_statistics_free(want);
	pmon_statistics_free(got);
	pmon_source_close(plain);
	pmon_source_close(split);
}

static void
parts_are_as_the_whole(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		char path[] = "/tmp/pmon-seams-XXXXXX";

		write_log(seed, path);
		for (unsigned threads = 2; threads <= 5; threads++) {
			check_log(path, true, threads);
			check_log(path, false, threads);
		}
		assert_int_equal(unlink(path), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_as_the_whole),
	};

	return cmocka_run_group_tests_name("boundaries", tests, NULL, NULL);
}
