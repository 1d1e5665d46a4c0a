// test_survey.c - durations as text
// SPDX-License-Identifier: MIT

#include "t.h"

#include "shell/input/survey.h"
#include "shell/output/number.h"

// Expected: the length rounded to the nearest millisecond, by hand.
static void
test_lengths(void **state)
{
	static const struct {
		int64_t length_100ns;
		const char *text;
	} cases[] = {
		{0, "0 s"},
		{4999, "0 s"},
		{5000, "0.001 s"},
		{9999872, "1 s"},
		{9994999, "0.999 s"},
		{599996000, "1 min"},
		{599994000, "59.999 s"},
		{600000001, "1 min"},
		{900000000, "1 min 30 s"},
		{INT64_C(35999996000), "1 h"},
		{INT64_C(863999995000), "1 d"},
		{INT64_C(863999994999), "23 h 59 min 59.999 s"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		char buf[64];
		struct pmon_text t = pmon_text_init(buf, sizeof(buf));

		out_put_length(&t, cases[i].length_100ns);
		T_EQ_STR_AT(buf, cases[i].text, cases[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
