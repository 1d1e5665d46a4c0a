// test_rule_events.c - the alerts that a judge reports while samples arrive, and their contents
// SPDX-License-Identifier: MIT
//
// The expected results are computed by hand from docs/reference/rules.md. A value covers the 10 s
// before it.

#include "t.h"

#include <stdio.h>
#include <string.h>

#include "moments.h"
#include "trial.h"

struct heard {
	char text[256];
	pmon_time now; // the sample that is judged
};

// "20 N begins; ": the time of the sample, the counter, what happened
static void
note_event(void *ctx, enum rules_event event, const struct rules_episode *e)
{
	struct heard *heard = ctx;
	size_t len = strlen(heard->text);

	(void)snprintf(heard->text + len, sizeof(heard->text) - len, "%s%d %.*s %s",
		       len > 0 ? "; " : "", (int)((heard->now - T0) / SECOND),
		       (int)e->series->path.counter.len, e->series->path.counter.ptr,
		       event == RULES_BEGINS ? "begins" : "ends");
}

static void
open_trial(struct trial *t, struct heard *heard)
{
	const struct pmon_schema *schema;

	t->options.on_event = note_event;
	t->options.ctx = heard;
	t->source = mem_source_open(t->m);
	schema = pmon_source_schema(t->source);
	t->judge = rules_judge_new(&t->rules, schema, &t->options);
	assert_non_null(t->judge);
	assert_int_equal(pmon_statistics_new(schema, NULL, NULL, &t->statistics, NULL), PMON_OK);
}

static void
judge(struct trial *t, struct heard *heard, size_t n)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;

	for (; n > 0; n--) {
		assert_int_equal(pmon_source_next(t->source, &sample, NULL), PMON_OK);
		heard->now = sample->time;
		assert_int_equal(pmon_statistics_add(t->statistics, sample, &values, NULL),
				 PMON_OK);
		assert_true(rules_judge_add(t->judge, sample, values));
	}
}

static uint32_t
level(struct trial *t, const char *path)
{
	return mem_source_series(t->m, path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
}

// One character for each sample: a digit is its value, '.' a sample that lacks the series.
static void
put_two(struct trial *t, const char *path_a, const char *of_a, const char *path_b, const char *of_b)
{
	uint32_t a = level(t, path_a);
	uint32_t b = level(t, path_b);

	for (size_t i = 0; of_a[i] != '\0'; i++) {
		mem_source_sample(t->m, T0 + (pmon_time)i * 10 * SECOND);
		if (of_a[i] != '.')
			mem_source_raw(t->m, a, of_a[i] - '0', 0);
		if (of_b[i] != '.')
			mem_source_raw(t->m, b, of_b[i] - '0', 0);
	}
}

static void
an_episode_begins_once(void **state)
{
	struct trial t = trial_of_condition("\\Q\\N > 5 for 20s");
	struct heard heard = {.text = ""};

	(void)state;
	put_two(&t, "\\\\S\\Q\\N", "1666661116", "\\\\S\\Q\\M", "0000000000");
	open_trial(&t, &heard);
	judge(&t, &heard, 10);
	assert_string_equal(heard.text, "20 N begins; 70 N ends");
	trial_end(&t);
}

// Also one that was beyond the limit in the first sample, before which there is no interval.
static void
it_begins_with_the_first_sample(void **state)
{
	struct trial t = trial_of_condition("\\Q\\N > 5");
	struct heard heard = {.text = ""};

	(void)state;
	put_two(&t, "\\\\S\\Q\\N", "66", "\\\\S\\Q\\M", "00");
	open_trial(&t, &heard);
	judge(&t, &heard, 2);
	assert_string_equal(heard.text, "0 N begins");
	trial_end(&t);
}

// 30 s without a value are more than 2.5 times the usual 10 s; 20 s are not.
static void
it_ends_when_its_series_is_missing(void **state)
{
	static const struct {
		const char *values;
		const char *heard;
	} rows[] = {
		{"166.66", "10 N begins"},
		{"166..66", "10 N begins; 50 N ends; 50 N begins"},
		{"166...66", "10 N begins; 50 N ends; 60 N begins"},
		{"166.....", "10 N begins; 50 N ends"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct trial t = trial_of_condition("\\Q\\N > 5");
		struct heard heard = {.text = ""};

		put_two(&t, "\\\\S\\Q\\N", rows[i].values, "\\\\S\\Q\\M", "000000000");
		open_trial(&t, &heard);
		judge(&t, &heard, strlen(rows[i].values));
		assert_string_equal(heard.text, rows[i].heard);
		trial_end(&t);
	}
}

// Samples of another machine do not affect it.
static void
it_goes_on_while_others_are_sampled(void **state)
{
	struct trial t = trial_of_condition("\\Q\\N > 5");
	struct heard heard = {.text = ""};
	uint32_t a = level(&t, "\\\\S\\Q\\N");
	uint32_t b = level(&t, "\\\\T\\Q\\N");

	(void)state;
	for (int i = 0; i < 4; i++) {
		mem_source_sample_of(t.m, T0 + i * 10 * SECOND, 0, 0);
		mem_source_raw(t.m, a, 6, 0);
		for (int k = 0; k < 3; k++) {
			mem_source_sample_of(t.m, T0 + (i * 10 + k) * SECOND, 0, 1);
			mem_source_raw(t.m, b, 1, 0);
		}
	}
	open_trial(&t, &heard);
	judge(&t, &heard, 16);
	assert_string_equal(heard.text, "0 N begins");
	trial_end(&t);
}

// M stands in for N, and N has values here.
static void
one_that_stands_in_is_not_reported(void **state)
{
	struct trial t =
		trial_of("[A]\ncounter = \\Q\\N\ncounter = \\Q\\M\nwarning = > 5\nfor = 10s\n");
	struct heard heard = {.text = ""};

	(void)state;
	put_two(&t, "\\\\S\\Q\\M", "66611", "\\\\S\\Q\\N", "16611");
	open_trial(&t, &heard);
	judge(&t, &heard, 5);
	assert_string_equal(heard.text, "10 N begins; 40 N ends");
	trial_end(&t);
}

static void
what_goes_on_is_known_so_far(void **state)
{
	struct trial t = trial_of_condition("\\Q\\N > 5");
	struct heard heard = {.text = ""};
	struct rules_episode episode;
	bool ended;

	(void)state;
	put_two(&t, "\\\\S\\Q\\N", "168911", "\\\\S\\Q\\M", "000000");
	open_trial(&t, &heard);
	judge(&t, &heard, 3);
	episode = (struct rules_episode){.rule = t.rules.list,
					 .series = pmon_schema_at(pmon_source_schema(t.source), 0),
					 .level = RULES_WARNING};
	assert_true(rules_judge_going_on(t.judge, &episode, &ended));
	assert_false(ended);
	assert_true(episode.from == T0 && episode.to == T0 + 20 * SECOND);
	assert_int_equal(episode.samples, 2);
	assert_true(episode.worst.value == 8 && episode.worst_time == T0 + 20 * SECOND);
	judge(&t, &heard, 3);
	assert_true(rules_judge_going_on(t.judge, &episode, &ended));
	assert_true(ended);
	trial_end(&t);
}

// Looking at what can be judged ends no run.
static void
a_look_changes_nothing(void **state)
{
	struct trial t = trial_of(
		"[A]\ncounter = \\Q\\N\nwarning = > 5\n[B]\ncounter = \\Q\\O\nwarning = > 5\n");
	struct heard heard = {.text = ""};

	(void)state;
	put_two(&t, "\\\\S\\Q\\N", "16661", "\\\\S\\Q\\M", "00000");
	open_trial(&t, &heard);
	judge(&t, &heard, 3);
	rules_judge_look(t.judge);
	assert_int_equal(rules_judge_outcome_on(t.judge, 0, 0), RULES_KEPT);
	assert_int_equal(rules_judge_outcome_on(t.judge, 1, 0), RULES_NO_COUNTER);
	judge(&t, &heard, 2);
	assert_string_equal(heard.text, "10 N begins");
	trial_end(&t);
}

// ---- Trends ---------------------------------------------------------------------------------

// Samples without values, or without a usable one, change neither when a trend begins nor when it ends.
static void
a_trend_goes_on_over_missing_values(void **state)
{
	struct t_rand r = {3};

	(void)state;
	for (size_t run = 0; run < 50; run++) {
		struct trial t = trial_of_condition("\\Q\\N trend > 100/h for 1h");
		struct heard heard = {.text = ""};
		uint32_t series = level(&t, "\\\\S\\Q\\N");

		for (int64_t i = 0; i < 400; i++) {
			bool is_missing = i % 10 != 0 && t_rand_below(&r, 5) == 0;

			mem_source_sample(t.m, T0 + i * 60 * SECOND);
			if (!is_missing)
				mem_source_raw(t.m, series, i < 200 ? 1000 + 10 * i : 3000, 0);
			else if (run % 2 != 0)
				mem_source_bad(t.m, series, PMON_RAW_NO_INSTANCE);
		}
		open_trial(&t, &heard);
		judge(&t, &heard, 400);
		if (run == 0)
			assert_non_null(strstr(heard.text, "begins; "));
		assert_null(strstr(heard.text, "ends; "));
		trial_end(&t);
	}
}

// ---- Severities -----------------------------------------------------------------------------

// The alert of each severity, and what was wrong with the order.
struct order {
	bool is_open[RULES_LEVELS];
	size_t begun[RULES_LEVELS];
	char wrong[64];
};

// A critical alert lies within the warning of its series: that begins before it, and ends after it.
static void
note_order(void *ctx, enum rules_event event, const struct rules_episode *e)
{
	struct order *order = ctx;
	bool other = order->is_open[e->level == RULES_WARNING ? RULES_CRITICAL : RULES_WARNING];
	bool begins = event == RULES_BEGINS;

	if (order->is_open[e->level] == begins || other != (e->level == RULES_CRITICAL))
		(void)snprintf(order->wrong, sizeof(order->wrong), "%s %s",
			       e->level == RULES_CRITICAL ? "critical" : "warning",
			       begins ? "begins" : "ends");
	order->is_open[e->level] = begins;
	order->begun[e->level] += begins;
}

// 0: within the limits, 1: between them, 2: critical, 3: no value, 4: the series is missing
static void
put_step(struct trial *t, uint32_t series, size_t step)
{
	static const int64_t values[] = {1, 6, 9};

	if (step < T_LEN(values))
		mem_source_raw(t->m, series, values[step], 0);
	else if (step == T_LEN(values))
		mem_source_bad(t->m, series, PMON_RAW_NO_INSTANCE);
}

// Times to hold of either level, levels to clear, windows.
static const char *const severities[] = {
	"warning = > 5 for 60s\ncritical = > 8 for 20s\n",
	"warning = > 5 for 20s\ncritical = > 8 for 60s\n",
	"warning = > 5 for 3 samples\ncritical = > 8\n",
	"warning = > 5\ncritical = > 8\n",
	"warning = > 5 for 60s\ncritical = > 8 for 20s\nclear = 3\n",
	"warning = > 7 for 60s\ncritical = > 8 for 10s\nclear = 3\n",
	"warning = > 5\ncritical = > 8\nshare = 50%\nwithin = 60s\n",
};

static void
check_order(const char *rule, struct t_rand *r)
{
	struct order order = {.wrong = ""};
	char text[160];
	char done[64] = "";
	struct trial t;
	uint32_t series;

	(void)snprintf(text, sizeof(text), "[A]\ncounter = \\Q\\N\n%s", rule);
	t = trial_of(text);
	series = level(&t, "\\\\S\\Q\\N");
	(void)level(&t, "\\\\S\\Q\\M");
	for (size_t i = 0, step = 0; i < T_LEN(done) - 1; i++) {
		step = t_rand_below(r, 3) > 0 ? step
					      : t_rand_below(r, t_rand_below(r, 4) > 0 ? 3 : 5);
		mem_source_sample(t.m, T0 + (pmon_time)i * 10 * SECOND);
		put_step(&t, series, step);
		mem_source_raw(t.m, 1, 0, 0);
		done[i] = "069-."[step];
	}
	t.options.on_event = note_order;
	t.options.ctx = &order;
	trial_judge(&t);
	if (order.wrong[0] != '\0')
		fail_msg("%s%s: %s", rule, done, order.wrong);
	for (size_t i = 0; i < t.n_episodes; i++)
		order.begun[t.episodes[i].level]--;
	if (order.begun[RULES_WARNING] + order.begun[RULES_CRITICAL] +
		    order.is_open[RULES_WARNING] >
	    0)
		fail_msg("%s%s: alerts are not the episodes", rule, done);
	trial_end(&t);
}

static void
no_severity_steps_down_as_an_alert(void **state)
{
	struct t_rand r = {7};

	(void)state;
	for (size_t i = 0; i < 400 * T_LEN(severities); i++)
		check_order(severities[i % T_LEN(severities)], &r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_episode_begins_once),
		cmocka_unit_test(it_begins_with_the_first_sample),
		cmocka_unit_test(it_ends_when_its_series_is_missing),
		cmocka_unit_test(it_goes_on_while_others_are_sampled),
		cmocka_unit_test(one_that_stands_in_is_not_reported),
		cmocka_unit_test(what_goes_on_is_known_so_far),
		cmocka_unit_test(a_look_changes_nothing),
		cmocka_unit_test(a_trend_goes_on_over_missing_values),
		cmocka_unit_test(no_severity_steps_down_as_an_alert),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
