// test_rule_keys.c - rule keys for the end of an episode, and for what happens during it
// SPDX-License-Identifier: MIT
//
// The expected results are computed by hand from docs/reference/rules.md.

#include "t.h"

#include <math.h>
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

// A value covers the 10 s before it.
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
		// A value between the two does not begin an episode, and does not count before one
		// begins.
		{"warning = > 5\nclear = 3\n", "1444411", "", ""},
		{"warning = > 5\nclear = 3\nfor = 30s\n", "1644444411", "", ""},
		{"warning = > 5\nclear = 3\nfor = 30s\n", "1666441144", "0-50 3 6",
		 "warning 0-30 begins; warning 0-50 ends"},
		{"warning = > 5\nclear = 3\nfor = 30s\n", "164646441144", "0-70 3 6",
		 "warning 0-30 begins; warning 0-70 ends"},
		// A gap ends it.
		{"warning = > 5\nclear = 3\n", "164--4411", "0-20 1 2",
		 "warning 0-10 begins; warning 0-20 ends"},
		{"warning = > 5\nclear = 3\n", "164-4411", "0-50 1 2",
		 "warning 0-10 begins; warning 0-50 ends"},
		{"warning = < 5\nclear = 7\n", "946667799", "0-40 1 2",
		 "warning 0-10 begins; warning 0-40 ends"},
		// Each level has its episodes.
		{"warning = > 4\ncritical = > 8\nclear = 2\n", "159311", "0-30 2 15; 10-30 1 1.25",
		 "warning 0-10 begins; critical 10-20 begins; critical 10-30 ends; warning 0-30 "
		 "ends"},
	};

	(void)state;
	check_rows(rows, T_LEN(rows));
}

// A fifth of 100 s are 20 s. One interval beyond the limit is worth 50 s in which an episode may yet begin.
static void
a_share_of_a_window(void **state)
{
#define SHARE "warning = > 5\nshare = 20%\nwithin = 100s\n"
	static const struct row rows[] = {
		{SHARE, "1611111111111111", "", ""},
		{SHARE, "161116111111111111111", "0-50 2 4",
		 "warning 0-50 begins; warning 0-50 ends"},
		{SHARE, "1611111111161111", "", ""}, // 10 s in any 100 s
		// As much in 100 s, but the first has been alone for too long to belong to the episode.
		{SHARE, "1611111611111111", "60-70 1 2",
		 "warning 60-70 begins; warning 60-70 ends"},
		// It continues while the last 100 s have as much.
		{SHARE, "1661111111116111111111", "0-20 2 4",
		 "warning 0-20 begins; warning 0-20 ends"},
		{SHARE, "166111111117111111711111111111", "0-110 3 8; 170-180 1 4",
		 "warning 0-20 begins; warning 0-110 ends; warning 170-180 begins; warning 170-180 "
		 "ends"},
		// A gap ends it, and what was before it does not count after it.
		{SHARE, "166--16111111", "0-20 2 4", "warning 0-20 begins; warning 0-20 ends"},
		// The value after a missing one is of 20 s.
		{SHARE, "11-6111111111", "10-30 1 4", "warning 10-30 begins; warning 10-30 ends"},
	};

	(void)state;
	check_rows(rows, T_LEN(rows));
}

// ---- Trends ---------------------------------------------------------------------------------

// A level that grows by 5 in each 10 s from 600 s to 1200 s: 1,800 an hour. Every seventh value is off by 40, which
// a robust slope ignores; so does it a lone step, and noise without a trend.
static void
put_growth(struct trial *t, uint32_t grows, uint32_t steps, uint32_t shakes)
{
	int64_t value = 1000;

	for (int i = 0; i < 200; i++) {
		mem_source_sample(t->m, T0 + (pmon_time)i * 10 * SECOND);
		value += i > 60 && i <= 120 ? 5 : 0;
		mem_source_raw(t->m, grows, value + (i % 7 == 0 ? 40 : 0), 0);
		mem_source_raw(t->m, steps, i < 100 ? 1000 : 2000, 0);
		mem_source_raw(t->m, shakes, 1000 + (i * 7919) % 400, 0);
	}
}

static void
a_trend_is_found(void **state)
{
	struct trial t = trial_of("[A]\ncounter = \\Q(*)\\N\ntrend = > 20/min for 4m\n");
	const struct rules_episode *e;

	(void)state;
	put_growth(&t, level(&t, "\\\\S\\Q(grows)\\N"), level(&t, "\\\\S\\Q(steps)\\N"),
		   level(&t, "\\\\S\\Q(shakes)\\N"));
	trial_judge(&t);
	T_EQ_U64(t.n_episodes, 1);
	e = &t.episodes[0];
	T_EQ_SPAN(e->series->path.instance, "grows");
	// The range of 240 s in which most of the values grow begins before 600 s, and the last ends after 1200 s.
	if (e->from < T0 + 480 * SECOND || e->from > T0 + 600 * SECOND ||
	    e->to < T0 + 1200 * SECOND || e->to > T0 + 1440 * SECOND)
		fail_msg("from %d to %d", (int)((e->from - T0) / SECOND),
			 (int)((e->to - T0) / SECOND));
	if (fabs(e->slope / 1800 - 1) > 0.1)
		fail_msg("a slope of %g", e->slope);
	// Samples of all the episode: 1,000 to 1,300.
	assert_true(e->average.value > 1050 && e->average.value < 1250);
	trial_end(&t);
}

// Too few values for a trend, and a gap in them.
static void
a_trend_needs_values(void **state)
{
	static const struct row rows[] = {
		{"trend = > 1/min for 30s\n", "01234", "", ""},
		{"trend = > 1/min for 40s\n", "0123-5678", "", ""},
	};

	(void)state;
	check_rows(rows, T_LEN(rows));
}

// ---- Who was busy ---------------------------------------------------------------------------

// "2 60 0.75; 1 20 0.25" for each of an episode: average, total, share
static void
write_who(const struct rules_episode *e, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < e->n_who; i++) {
		size_t len = strlen(out);

		(void)snprintf(out + len, size - len, "%s%.*s %.9g %.9g %.9g", len > 0 ? "; " : "",
			       (int)e->who[i].series->path.instance.len,
			       e->who[i].series->path.instance.ptr, e->who[i].average,
			       e->who[i].total, e->who[i].share);
	}
}

#define SHOWS "[A]\ncounter = \\Q\\N\nwarning = > 5\nshow = \\P(*)\\U top 2\n"

// Levels of processes, sample by sample, while \Q\N is beyond 5 in two episodes: 10 to 30 s, and 60 to 80 s.
static void
the_busiest_are_shown(void **state)
{
	static const char values[] = "116611166";
	static const struct {
		const char *path;
		const char *values;
	} of[] = {
		{"\\\\S\\P(a)\\U", "991199111"}, // the first three before it, the next two after it
		{"\\\\S\\P(b)\\U", "003300001"},      {"\\\\S\\P(c)\\U", "000200020"},
		{"\\\\S\\P(d)\\U", "-------44"}, // comes later
		{"\\\\S\\P(_Total)\\U", "999999999"}, {"\\\\S\\P(Idle)\\U", "999999999"},
		{"\\\\T\\P(e)\\U", "999999999"},
	};
	struct trial t = trial_of(SHOWS);
	uint32_t limited = level(&t, "\\\\S\\Q\\N");
	uint32_t series[T_LEN(of)];
	char got[256];

	(void)state;
	for (size_t k = 0; k < T_LEN(of); k++)
		series[k] = level(&t, of[k].path);
	for (size_t i = 0; values[i] != '\0'; i++) {
		mem_source_sample(t.m, T0 + (pmon_time)i * 10 * SECOND);
		mem_source_raw(t.m, limited, values[i] - '0', 0);
		for (size_t k = 0; k < T_LEN(of); k++)
			if (of[k].values[i] != '-')
				mem_source_raw(t.m, series[k], of[k].values[i] - '0', 0);
	}
	trial_judge(&t);
	T_EQ_U64(t.n_episodes, 2);
	// b has 3 + 3, a 1 + 1, c 0 + 2 in 20 s.
	write_who(&t.episodes[0], got, sizeof(got));
	assert_string_equal(got, "b 3 60 0.6; a 1 20 0.2");
	// d is present from 70 s on, and its first value covers no time: 4 in 10 s; a 1 + 1; c 2 +
	// 0; b 0 + 1.
	write_who(&t.episodes[1], got, sizeof(got));
	assert_string_equal(got, "d 4 40 0.444444444; a 1 20 0.222222222");
	// The finding has that of the gravest, which is the first of equals.
	T_EQ_U64(t.n_findings, 1);
	write_who(t.findings[0].gravest, got, sizeof(got));
	assert_string_equal(got, "b 3 60 0.6; a 1 20 0.2");
	trial_end(&t);
}

// Reads of processes are counted, whatever time they took; a reading of the meters is of their own rule.
static void
operations_are_the_weight(void **state)
{
	struct trial t = trial_of("[A]\ncounter = \\Q\\N\nwarning = > 5\nshow = \\P(*)\\T top 1\n"
				  "[B]\ncounter = \\Q\\N\nwarning = > 6\n");
	uint32_t limited = level(&t, "\\\\S\\Q\\N");
	uint32_t reads = mem_source_series(t.m, "\\\\S\\P(a)\\T", PMON_PERF_AVERAGE_TIMER, 1000);
	static const int64_t ticks[] = {0, 100, 1100, 1101};
	static const int64_t counts[] = {0, 2, 12, 13};
	char got[256];

	(void)state;
	for (size_t i = 0; i < T_LEN(ticks); i++) {
		mem_source_sample(t.m, T0 + (pmon_time)i * 10 * SECOND);
		mem_source_raw(t.m, limited, i == 0 ? 1 : 7, 0);
		mem_source_raw(t.m, reads, ticks[i], counts[i]);
	}
	t.options.episodes = false; // findings have them too
	trial_judge(&t);
	T_EQ_U64(t.n_findings, 2);
	write_who(t.findings[0].gravest, got, sizeof(got));
	assert_string_equal(got, "a 0.0846923077 1.101 1"); // 1.101 s for 13 reads
	T_EQ_U64(t.findings[1].gravest->n_who, 0);
	trial_end(&t);
}

// ---- Machines -------------------------------------------------------------------------------

static void
more_machines_than_are_judged(void **state)
{
	for (int more = 0; more < 2; more++) {
		struct trial t = trial_of("[A]\ncounter = \\Q\\N\nwarning = > 5\n");

		for (int i = 0; i < RULES_MACHINES + more; i++) {
			char path[64];

			(void)snprintf(path, sizeof(path), "\\\\S%d\\Q\\N", i);
			(void)level(&t, path);
		}
		mem_source_sample(t.m, T0);
		trial_judge(&t);
		T_EQ_U64(rules_judge_machines(t.judge), RULES_MACHINES);
		T_EQ_I64(rules_judge_has_more_machines(t.judge), more);
		trial_end(&t);
	}
	(void)state;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_episode_ends_at_its_level),
		cmocka_unit_test(a_share_of_a_window),
		cmocka_unit_test(more_machines_than_are_judged),
		cmocka_unit_test(a_trend_is_found),
		cmocka_unit_test(a_trend_needs_values),
		cmocka_unit_test(the_busiest_are_shown),
		cmocka_unit_test(operations_are_the_weight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
