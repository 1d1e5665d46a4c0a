// test_mutations.c - logs of every format, changed by their structure in thousands of ways
// SPDX-License-Identifier: MIT
//
// Whether or not a log is mutated, a second reading gives the same as the first, several threads
// find the same as one, and no loss is reported twice (support/fuzz_log.h, which aborts).
// PMON_TEST_MUTANTS sets the number of mutants per log.

#include "t.h"

#include <stdlib.h>

#include "corpus.h"
#include "fuzz_log.h"
#include "mutate.h"

#define MOST_CHANGES 4
#define ROOM         4096 // bytes that a log may grow by

static void
read_mutants(const struct corpus_log *log)
{
	size_t room = log->len + ROOM;
	size_t n = t_runs("PMON_TEST_MUTANTS", log->len > 10000 ? 100 : 2000);
	uint8_t *copy = malloc(room);
	size_t n_changed = 0;

	assert_non_null(copy);
	for (size_t seed = 0; seed < n; seed++) {
		struct mutate m = {copy, log->len, room, seed};

		memcpy(copy, log->bytes, log->len);
		for (size_t i = 0; i <= seed % MOST_CHANGES; i++)
			(void)mutate_log(&m);
		n_changed += m.size != log->len || memcmp(copy, log->bytes, log->len) != 0;
		fuzz_log(NULL, NULL, copy, m.size);
	}
	free(copy);
	assert_in_range(n_changed, n / 2, n);
}

// Seeds that once were findings of the fuzz targets are among them.
static void
read_seed(const struct corpus_log *log)
{
	fuzz_log(NULL, NULL, log->bytes, log->len);
}

static void
seeds_are_read_alike(void **state)
{
	(void)state;
	corpus_each(200000, read_seed);
}

static void
mutants_are_read_alike(void **state)
{
	(void)state;
	corpus_each(200000, read_mutants);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_are_read_alike),
		cmocka_unit_test(mutants_are_read_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
