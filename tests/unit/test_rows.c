// test_rows.c - tables and JSON of other programs: damaged, cut off, and with too little memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include "dump.h"

static const char rows[] = "Timestamp,Path,CookedValue\n"
			   "2/25/2026 10:00:00 AM,\\\\S\\O(1)\\C,20\n"
			   "2/25/2026 10:00:15 AM,\\\\S\\O(1)\\C,\"21.25\"\n";

#define OBJECT(ms, value)                                                                          \
	"{\"Path\": \"\\\\\\\\s\\\\o\\\\\\u00e9\\ud83d\\ude00\", \"RawValue\": " value ", "        \
	"\"SecondValue\": 9,\n\"CounterType\": 65536, \"Timestamp\": \"\\/Date(" ms ")\\/\"}"

static const char json[] = "[{\"CounterSamples\": [\n" OBJECT(
	"1773046800000", "7") "], \"Readings\": \"{\"},\n"
			      "{\"CounterSamples\": [\n" OBJECT("1773046815000",
								"8") "], \"Readings\": \"}\"}]\n";

static const char plain[] = "Time;CPU %;Host\n"
			    "25.02.2026 10:00:00;20,5;a\n"
			    "25.02.2026 10:00:15;21,25;b\n";

static const struct {
	const char *text;
	size_t len;
} logs[] = {{rows, sizeof(rows) - 1}, {json, sizeof(json) - 1}, {plain, sizeof(plain) - 1}};

static void
damage_is_survived(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		dump_mutations(logs[i].text, logs[i].len);
}

static void
each_failing_allocation_is_a_status(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		dump_short_of_memory(logs[i].text, logs[i].len);
}

// An escape of two surrogates is one character.
static void
strings_are_unescaped(void **state)
{
	struct dump d;

	(void)state;
	dump_bytes(&d, json, sizeof(json) - 1);
	T_EQ_STR(d.text, "note JSON with an object for each value\n"
			 "2026-03-09T09:00:00Z stream 0 sample 0 offset 0\n"
			 "\\\\s\\o\\\xC3\xA9\xF0\x9F\x98\x80 = 7 9\n"
			 "2026-03-09T09:00:15Z stream 0 sample 1 offset 0\n"
			 "\\\\s\\o\\\xC3\xA9\xF0\x9F\x98\x80 = 8 9\n");
	dump_free(&d);
}

// Each object breaks the line after "SecondValue", so the second ends in line 3. Two have no value or no time.
static void
each_bad_object_costs_itself(void **state)
{
	static const char line[] =
		"[" OBJECT("1773046800000", "7") "," OBJECT("1773046815000", "\"x\"") "," //
		OBJECT("1773046830000", "8") "," OBJECT("never", "9") "]";
	struct dump d;

	(void)state;
	dump_bytes(&d, line, sizeof(line) - 1);
	DUMP_HAS(&d, "LOSS 2 rows have no readable time, counter or value; the first is line 3");
	T_EQ_U64(d.n_samples, 2);
	dump_free(&d);
	dump_early_ends(line, sizeof(line) - 1);
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		dump_early_ends(logs[i].text, logs[i].len);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(each_failing_allocation_is_a_status),
		cmocka_unit_test(strings_are_unescaped),
		cmocka_unit_test(each_bad_object_costs_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
