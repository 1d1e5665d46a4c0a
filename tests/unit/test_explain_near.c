// test_explain_near.c - which sample is explained for a requested time
// SPDX-License-Identifier: MIT

#include "t.h"

#include "shell/output/explain_json.h"

// The expected sample follows from the sentence in shell/output/explain_json.h: the one nearest to the time.
static void
nearest_sample_is_explained(void **state)
{
	static const struct {
		pmon_time seen[3];
		pmon_time at;
		pmon_time explained;
	} rows[] = {
		{{100, 200, 300}, 210, 200},
		{{100, 200, 300}, 90, 100},
		{{100, 200, 300}, PMON_TIME_NONE, 300},
		// A sample without a time is near nothing, wherever it is.
		{{PMON_TIME_NONE, 200, 300}, INT64_MAX, 300},
		{{100, PMON_TIME_NONE, 300}, 290, 300},
		{{100, 200, PMON_TIME_NONE}, 100, 100},
		{{PMON_TIME_NONE, PMON_TIME_NONE, PMON_TIME_NONE}, 100, PMON_TIME_NONE},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct explain_subject subject = {0};
		struct pmon_stats before = {0};

		for (size_t j = 0; j < T_LEN(rows[i].seen); j++) {
			struct pmon_raw raw = {.time = rows[i].seen[j]};

			explain_see(&subject, &before, &raw, rows[i].at);
		}
		T_EQ_I64(subject.newer.time, rows[i].explained);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_sample_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
