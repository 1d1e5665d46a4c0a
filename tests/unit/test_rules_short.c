// test_rules_short.c - rules that ask for more time than was observed
// SPDX-License-Identifier: MIT
//
// A rule is within its limits only if no values before and after a log could change that. So each short log is judged
// once more between values that are beyond the limit: an episode that reaches into the log was possible there.

#include "t.h"

#include "moments.h"
#include "trial.h"

#define LONGEST 8  // samples of a log
#define AROUND  16 // more than any rule here asks for
#define STEP    (10 * SECOND)

// The samples are bits: is the value beyond the limit?
struct log {
	unsigned bits;
	size_t n;
};

static bool
is_beyond(const struct log *log, size_t i)
{
	return log->bits >> i & 1;
}

static bool
is_all_beyond(const struct log *log)
{
	return log->bits == (1U << log->n) - 1;
}

static uint32_t
add_series(struct trial *t, const char *path)
{
	return mem_source_series(t->m, path, PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
}

static void
judge_log(struct trial *t, const char *condition, const struct log *log, size_t around)
{
	uint32_t series;

	*t = trial_of_condition(condition);
	series = add_series(t, "\\\\S\\Q\\N");

	for (size_t i = 0; i < log->n + 2 * around; i++) {
		bool is_inside = i >= around && i < around + log->n;

		mem_source_sample(t->m, T0 + (pmon_time)i * STEP);
		mem_source_raw(t->m, series, !is_inside || is_beyond(log, i - around) ? 9 : 1, 0);
	}
	trial_judge(t);
}

// Is there an episode with a value of the log that was beyond the limit, if all values before and after it were?
static bool
may_have_episode(const char *condition, const struct log *log)
{
	struct trial t;
	bool may = false;

	judge_log(&t, condition, log, AROUND);
	for (size_t k = 0; k < t.n_episodes; k++)
		for (size_t i = 0; i < log->n; i++) {
			pmon_time time = T0 + (pmon_time)(AROUND + i) * STEP;

			may = may || (is_beyond(log, i) && time > t.episodes[k].from &&
				      time <= t.episodes[k].to);
		}
	trial_end(&t);
	return may;
}

// is_open: the log is shorter than the rule asks for, and an episode may have been there.
static void
check_log(const char *condition, const struct log *log, bool is_open)
{
	struct trial t;
	enum rules_outcome want = RULES_KEPT;
	char label[96];
	size_t series;

	judge_log(&t, condition, log, 0);
	(void)snprintf(label, sizeof(label), "%s: %zu samples 0x%X", condition, log->n, log->bits);
	if (t.n_episodes > 0)
		want = RULES_CROSSED;
	else if (is_all_beyond(log))
		want = RULES_BEYOND;
	else if (is_open)
		want = RULES_UNSETTLED;
	T_EQ_I64_AT(rules_judge_outcome(t.judge, 0, &series), want, label);
	T_EQ_BOOL_AT(rules_is_judged(want), rules_reason(want) == NULL, label);
	trial_end(&t);
}

static void
every_short_log(void **state)
{
	(void)state;
	for (struct log log = {.n = 1}; log.n <= LONGEST; log.n++)
		for (log.bits = 0; log.bits < 1U << log.n; log.bits++)
			for (size_t n = 2; n < LONGEST + 3; n += 2) {
				char condition[64];

				// The first value covers no time.
				(void)snprintf(condition, sizeof(condition), "\\Q\\N > 5 for %zus",
					       n * 10);
				check_log(condition, &log,
					  log.n - 1 < n && may_have_episode(condition, &log));
				(void)snprintf(condition, sizeof(condition),
					       "\\Q\\N > 5 for %zu samples", n);
				check_log(condition, &log,
					  log.n < n && may_have_episode(condition, &log));
				// A window may have its share anywhere.
				(void)snprintf(condition, sizeof(condition),
					       "\\Q\\N > 5 share 50%% within %zus", n * 10);
				check_log(condition, &log, log.n - 1 < n && log.bits != 0);
			}
}

// ---- Several series -----------------------------------------------------------------------------

// Values of two series of one rule, a digit each; " " is a sample without the series.
static const struct {
	const char *a;
	const char *b;
	enum rules_outcome want; // for 60 s beyond 5
} rows[] = {
	{"1111", "1111", RULES_KEPT},
	{"9999", "1111", RULES_BEYOND},
	{"1199", "1111", RULES_UNSETTLED},
	{"1199", "9999", RULES_BEYOND},
	// No run is long enough, though all of it was beyond.
	{"99999  99999  99999", "11111  11111  11111", RULES_BEYOND},
	// A single sample without values is no gap.
	{"99999 99999 99999", "11111 11111 11111", RULES_CROSSED},
	// What came and went while the machine was observed long enough is settled.
	{"11111111111", "   999     ", RULES_KEPT},
	{"11111111111", "        999", RULES_KEPT},
	// A machine that was observed for less was so whichever series has values.
	{"11111", " 99  ", RULES_UNSETTLED},
	{"1999999911111", "1111111111111", RULES_CROSSED},
};

static void
put(struct trial *t, uint32_t series, char value)
{
	if (value != ' ')
		mem_source_raw(t->m, series, value - '0', 0);
}

static void
several_series(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct trial t = trial_of_condition("\\Q(*)\\N > 5 for 60s");
		uint32_t a = add_series(&t, "\\\\S\\Q(a)\\N");
		uint32_t b = add_series(&t, "\\\\S\\Q(b)\\N");
		char label[64];
		size_t series;

		for (size_t k = 0; rows[i].a[k] != '\0'; k++) {
			mem_source_sample(t.m, T0 + (pmon_time)k * STEP);
			put(&t, a, rows[i].a[k]);
			put(&t, b, rows[i].b[k]);
		}
		trial_judge(&t);
		(void)snprintf(label, sizeof(label), "%s, %s", rows[i].a, rows[i].b);
		T_EQ_I64_AT(rules_judge_outcome(t.judge, 0, &series), rows[i].want, label);
		trial_end(&t);
	}
}

// ---- What is beyond a limit at the end ------------------------------------------------------------

// Where the run begins that reaches the last sample; log->n if that is within the limit. One value within it ends no run.
static size_t
begin_of_last(const struct log *log)
{
	size_t from = log->n;

	for (size_t i = log->n; i-- > 0 && from - i <= 2;)
		if (is_beyond(log, i) && (from < log->n || i + 1 == log->n))
			from = i;
	return from;
}

static void
check_end(const char *condition, const struct log *log, int64_t required)
{
	struct trial t;
	size_t from = begin_of_last(log);
	// The first value covers no time.
	int64_t length = from == log->n ? 0 : (int64_t)(log->n - (from > 0 ? from : 1)) * STEP;
	bool is_listed = from < log->n && length < required;
	char label[96];

	judge_log(&t, condition, log, 0);
	(void)snprintf(label, sizeof(label), "%s: %zu samples 0x%X", condition, log->n, log->bits);
	T_EQ_BOOL_AT(t.n_now == 1, is_listed, label);
	if (is_listed) {
		T_EQ_I64_AT(t.now[0].episode.length_100ns, length, label);
		T_EQ_I64_AT(t.now[0].episode.to, T0 + (pmon_time)(log->n - 1) * STEP, label);
		// One value within the limit before the first would not have ended an earlier run.
		T_EQ_BOOL_AT(t.now[0].may_be_longer, from < 2, label);
	}
	trial_end(&t);
}

static void
every_end(void **state)
{
	(void)state;
	for (struct log log = {.n = 1}; log.n <= LONGEST; log.n++)
		for (log.bits = 0; log.bits < 1U << log.n; log.bits++)
			for (size_t n = 2; n < LONGEST + 3; n += 2) {
				char condition[64];

				(void)snprintf(condition, sizeof(condition), "\\Q\\N > 5 for %zus",
					       n * 10);
				check_end(condition, &log, (int64_t)n * 10 * SECOND);
			}
}

// The gravest level that is not reported, the greatest excess first; a series without a newest value is not beyond a
// limit now.
static void
ends_of_several(void **state)
{
	struct trial t = trial_of("[R]\ncounter = \\Q(*)\\N\nwarning = > 5 for 20s\n"
				  "critical = > 50 for 60s\n");
	static const struct {
		const char *path;
		int64_t value;
		bool is_gone;
	} series[] = {{"\\\\S\\Q(critical)\\N", 60, false},
		      {"\\\\S\\Q(gone)\\N", 70, true},
		      {"\\\\S\\Q(warned)\\N", 9, false},
		      {"\\\\S\\Q(worse)\\N", 90, false},
		      {"\\\\S\\Q(within)\\N", 5, false}};
	uint32_t ids[T_LEN(series)];
	(void)state;

	for (size_t i = 0; i < T_LEN(series); i++)
		ids[i] = add_series(&t, series[i].path);
	for (size_t k = 0; k < 5; k++) {
		mem_source_sample(t.m, T0 + (pmon_time)k * STEP);
		for (size_t i = 0; i < T_LEN(series); i++)
			if (k < 4 || !series[i].is_gone)
				mem_source_raw(t.m, ids[i], series[i].value, 0);
	}
	trial_judge(&t);
	// For 40 s: warnings are reported after 20 s.
	assert_int_equal(t.n_now, 2);
	assert_int_equal(t.now[0].episode.series->id, ids[3]);
	assert_int_equal(t.now[0].episode.level, RULES_CRITICAL);
	assert_true(t.now[0].episode.worst.value == 90);
	assert_int_equal(t.now[1].episode.series->id, ids[0]);
	trial_end(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_short_log),
		cmocka_unit_test(several_series),
		cmocka_unit_test(every_end),
		cmocka_unit_test(ends_of_several),
	};

	return cmocka_run_group_tests_name("rules_short", tests, NULL, NULL);
}
