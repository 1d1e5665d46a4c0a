// test_rule_keys.c - keys of rules that say when an episode ends, and what happens while it goes on
// SPDX-License-Identifier: MIT
//
// What is expected is worked out by hand from docs/reference/rules.md.

#include "t.h"

#include <stdio.h>
#include <string.h>

#include "moments.h"
#include "trial.h"

#define EVENTS 256

// "warning 10-30 begins; ..."
static void
note_event(void *ctx, enum rules_event event, const struct rules_episode *e)
{
	char *events = ctx;
	size_t len = strlen(events);

	(void)snprintf(events + len, EVENTS - len, "%s%s %d-%d %s", len > 0 ? "; " : "",
		       e->level == RULES_CRITICAL ? "critical" : "warning",
		       (int)((e->from - T0) / SECOND), (int)((e->to - T0) / SECOND),
		       event == RULES_BEGINS ? "begins" : "ends");
}

static uint32_t
level(struct trial *t, const char *path)
{
	return mem_source_series(t->m, path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
}

// Samples at T0, T0 + 10 s, ...: one digit each. "-" is an invalid value.
static void
put_values(struct trial *t, uint32_t series, const char *values)
{
	for (size_t i = 0; values[i] != '\0'; i++) {
		mem_source_sample(t->m, T0 + (pmon_time)i * 10 * SECOND);
		if (values[i] == '-')
			mem_source_bad(t->m, series, PMON_RAW_NO_INSTANCE);
		else
			mem_source_raw(t->m, series, values[i] - '0', 0);
	}
}

// "0-30 2 12; " for each episode in the order of time: from, to, samples beyond the limit, and excess in seconds
static void
write_episodes(const struct trial *t, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < t->n_episodes; i++) {
		const struct rules_episode *e = &t->episodes[i];
		size_t len = strlen(out);

		(void)snprintf(out + len, size - len, "%s%d-%d %u %.9g", len > 0 ? "; " : "",
			       (int)((e->from - T0) / SECOND), (int)((e->to - T0) / SECOND),
			       (unsigned)e->samples, e->excess_seconds);
	}
}

struct row {
	const char *keys;
	const char *values;
	const char *episodes; // the greatest excess first
	const char *events;
};

static void
check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char text[256];
		char got[256];
		char events[EVENTS] = "";
		struct trial t;

		(void)snprintf(text, sizeof(text), "[A]\ncounter = \\Q\\N\n%s", rows[i].keys);
		t = trial_of(text);
		t.options.on_event = note_event;
		t.options.ctx = events;
		put_values(&t, level(&t, "\\\\S\\Q\\N"), rows[i].values);
		trial_judge(&t);
		write_episodes(&t, got, sizeof(got));
		if (strcmp(got, rows[i].episodes) != 0)
			fail_msg("%s of %s: %s", rows[i].keys, rows[i].values, got);
		if (strcmp(events, rows[i].events) != 0)
			fail_msg("%s of %s: %s", rows[i].keys, rows[i].values, events);
		trial_end(&t);
	}
}

// A value stands for the 10 s before it.
static void
an_episode_ends_at_its_level(void **state)
{
	static const struct row rows[] = {
		{"warning = > 5\n", "1614411", "0-10 1 2",
		 "warning 0-10 begins; warning 0-10 ends"},
		{"warning = > 5\nclear = 3\n", "1644311", "0-30 1 2",
		 "warning 0-10 begins; warning 0-30 ends"},
		// One interval within the level does not end it.
		{"warning = > 5\nclear = 3\n", "1641411", "0-40 1 2",
		 "warning 0-10 begins; warning 0-40 ends"},
		{"warning = > 5\nclear = 3\n", "16411411", "0-20 1 2",
		 "warning 0-10 begins; warning 0-20 ends"},
		// What is between the two does not begin an episode, nor does it count before it has begun.
		{"warning = > 5\nclear = 3\n", "1444411", "", ""},
		{"warning = > 5\nclear = 3\nfor = 30s\n", "1644444411", "", ""},
		{"warning = > 5\nclear = 3\nfor = 30s\n", "1666441144", "0-50 3 6",
		 "warning 0-30 begins; warning 0-50 ends"},
		{"warning = > 5\nclear = 3\nfor = 30s\n", "164646441144", "0-70 3 6",
		 "warning 0-30 begins; warning 0-70 ends"},
		// A gap ends it.
		{"warning = > 5\nclear = 3\n", "164-4411", "0-20 1 2",
		 "warning 0-10 begins; warning 0-20 ends"},
		{"warning = < 5\nclear = 7\n", "946667799", "0-40 1 2",
		 "warning 0-10 begins; warning 0-40 ends"},
		// Each level has its episodes.
		{"warning = > 4\ncritical = > 8\nclear = 2\n", "159311", "0-30 2 15; 10-30 1 1.25",
		 "warning 0-10 begins; critical 10-20 begins; warning 0-30 ends; critical 10-30 "
		 "ends"},
	};

	(void)state;
	check_rows(rows, T_LEN(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_episode_ends_at_its_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
