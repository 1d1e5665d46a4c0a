// test_clocks.c - clocks that were set, pauses and gaps change only the values that touch them
// SPDX-License-Identifier: MIT
//
// A machine is sampled every 15 s and is busy for ten minutes in the middle. Then the system clock of all samples from
// some place on is set by some amount, or nothing is sampled for some time. What is expected is what the log without
// that has, or a calculation from its raw values.

#include "t.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <pmon/query.h>

#include "core/sum.h"
#include "model/pace.h"
#include "moments.h"
#include "query/paced.h"
#include "query/quantile.h"
#include "trial.h"

#define SAMPLES    120
#define INTERVAL   (15 * SECOND)
#define BUSY_FROM  40 // the first and the last sample of a busy interval
#define BUSY_TO    79
#define BUSY_SHARE 8 // of ten
#define IDLE_SHARE 2
#define BUSY       INT64_C(1000) // rates a second
#define IDLE       INT64_C(200)
#define UPTIME     INT64_C(86400) // seconds before the first sample

// The series, by their numbers.
enum {
	TIMER,
	RATE,
	LEVEL,
	ELAPSED,
	QUEUE,
};

#define TIMER_PATH "\\\\SRV\\Processor(_Total)\\% Processor Time"

// The event between sample `at` - 1 and sample `at`.
struct event {
	size_t at;
	int64_t set_100ns; // the system clock jumps by this
	int64_t lost_100ns; // so long is nothing sampled, in which as much happens a second as before
	bool no_perf;       // the log has no performance clock
};

static bool
is_busy(size_t i)
{
	return i >= BUSY_FROM && i <= BUSY_TO;
}

// The log of the machine in which that happens.
static void
write_log(struct mem_source *m, const struct event *e)
{
	uint32_t timer = mem_source_series(m, TIMER_PATH, PMON_PERF_100NSEC_TIMER, SECOND);
	uint32_t rate = mem_source_series(m, "\\\\SRV\\System\\Context Switches/sec",
					  PMON_PERF_COUNTER_BULK_COUNT, SECOND);
	uint32_t level = mem_source_series(m, "\\\\SRV\\Memory\\Available MBytes",
					   PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	uint32_t elapsed = mem_source_series(m, "\\\\SRV\\System\\System Up Time",
					     PMON_PERF_ELAPSED_TIME, SECOND);
	uint32_t queue = mem_source_series(m, "\\\\SRV\\PhysicalDisk(0)\\Avg. Disk Queue Length",
					   PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE, SECOND);
	int64_t perf = UPTIME * SECOND;
	int64_t used = 0;
	int64_t count = 0;

	for (size_t i = 0; i < SAMPLES; i++) {
		int64_t lost = i == e->at ? e->lost_100ns : 0;
		int64_t passed = i > 0 ? INTERVAL + lost : 0;
		pmon_time time;

		perf += passed;
		time = T0 - UPTIME * SECOND + perf + (i >= e->at ? e->set_100ns : 0);
		used += passed / 10 * (is_busy(i) ? BUSY_SHARE : IDLE_SHARE);
		count += passed / SECOND * (is_busy(i) ? BUSY : IDLE);
		mem_source_sample(m, time);
		m->samples[m->n - 1].perf_100ns = e->no_perf ? 0 : perf;
		mem_source_raw(m, timer, used, time);
		mem_source_raw(m, rate, count, perf);
		mem_source_raw(m, level, is_busy(i) ? 100 : 1000, 0);
		mem_source_raw(m, elapsed, T0 - UPTIME * SECOND, time);
		mem_source_raw(m, queue, used, time);
	}
}

// The source as the verbs have it.
static struct pmon_source *
open_log(struct mem_source *m)
{
	struct pmon_identity_options options = {.size = sizeof(options), .allocator = NULL};
	struct pmon_source *source;

	assert_int_equal(pmon_paced_open(mem_source_open(m), NULL, &source, NULL), PMON_OK);
	assert_int_equal(pmon_identity_open(source, &options, &source, NULL), PMON_OK);
	return source;
}

static void
read_log(struct trial *t)
{
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	const struct pmon_schema *schema;

	t->source = open_log(t->m);
	schema = pmon_source_schema(t->source);
	t->judge = rules_judge_new(&t->rules, schema, &t->options);
	assert_non_null(t->judge);
	assert_int_equal(pmon_statistics_new(schema, NULL, NULL, &t->statistics, NULL), PMON_OK);
	pmon_statistics_keep(t->statistics, PMON_KEEP_TOTALS | PMON_KEEP_PERCENTILES);
	while (pmon_source_next(t->source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(t->statistics, sample, &values, NULL),
				 PMON_OK);
		assert_true(rules_judge_add(t->judge, sample, values));
	}
	t->episodes = rules_judge_episodes(t->judge, &t->n_episodes);
	t->findings = rules_judge_findings(t->judge, &t->n_findings);
}

static void
judge_log(struct trial *t, const char *condition, const struct event *e)
{
	*t = trial_of_condition(condition);
	write_log(t->m, e);
	read_log(t);
}

static const struct pmon_stats *
stats_of(const struct trial *t, size_t series)
{
	return pmon_statistics_at(t->statistics, series);
}

// Everything that is found and averaged of a series, as text.
static const char *
text_of(const struct trial *t, size_t i, char *buf, size_t size)
{
	const struct pmon_stats *stats = stats_of(t, i);

	(void)snprintf(buf, size, "%.17g %.17g %.17g p50 %.17g p90 %.17g total %.17g n %llu",
		       pmon_stats_average(stats).value, stats->minimum.value, stats->maximum.value,
		       pmon_statistics_percentile(t->statistics, i, 50 * PMON_PERCENT).value,
		       pmon_statistics_percentile(t->statistics, i, 90 * PMON_PERCENT).value,
		       pmon_statistics_total(t->statistics, i).value,
		       (unsigned long long)pmon_stats_samples(stats));
	return buf;
}

static const int64_t steps[] = {
	2 * SECOND, -2 * SECOND, 61 * SECOND, 600 * SECOND, -600 * SECOND,
	HOUR,       -2 * HOUR,   24 * HOUR,   -40 * HOUR,   700 * HOUR,
};

// ---- A clock that was set, or a machine that was paused ----------------------------------------

// Episodes of a counter on the performance clock, and all numbers of counters that do not look at the system clock.
static void
test_other_counters(void **state)
{
	static const struct event none = {.at = SAMPLES};
	struct trial plain;
	char want[2][300];

	(void)state;
	judge_log(&plain, "\\System\\Context Switches/sec > 500", &none);
	assert_int_equal(plain.n_episodes, 1);
	assert_int_equal(plain.episodes[0].length_100ns, 40 * INTERVAL);
	text_of(&plain, RATE, want[0], sizeof(want[0]));
	text_of(&plain, LEVEL, want[1], sizeof(want[1]));
	for (size_t s = 0; s < T_LEN(steps); s++)
		for (size_t at = 1; at < SAMPLES; at++) {
			struct event e = {.at = at, .set_100ns = steps[s]};
			struct trial t;
			char buf[300];

			judge_log(&t, "\\System\\Context Switches/sec > 500", &e);
			assert_string_equal(text_of(&t, RATE, buf, sizeof(buf)), want[0]);
			assert_string_equal(text_of(&t, LEVEL, buf, sizeof(buf)), want[1]);
			assert_int_equal(t.n_episodes, 1);
			assert_int_equal(t.episodes[0].samples, plain.episodes[0].samples);
			assert_int_equal(t.episodes[0].length_100ns, 40 * INTERVAL);
			assert_true(t.episodes[0].average.value == plain.episodes[0].average.value);
			assert_true(t.episodes[0].excess_seconds ==
				    plain.episodes[0].excess_seconds);
			trial_end(&t);
		}
	trial_end(&plain);
}

// A timer on the system clock lacks one pair: the one across the step.
static void
test_timer(void **state)
{
	(void)state;
	for (size_t s = 0; s < T_LEN(steps); s++)
		for (size_t at = 1; at < SAMPLES; at++) {
			struct event e = {.at = at, .set_100ns = steps[s]};
			struct trial t;
			const struct pmon_stats *stats;
			size_t busy = 40 - is_busy(at); // intervals that have a value
			size_t idle = SAMPLES - 1 - 40 - !is_busy(at);
			double want = 100.0 * ((double)(busy * BUSY_SHARE + idle * IDLE_SHARE) /
					       10 / (double)(busy + idle));
			bool at_edge = at == BUSY_FROM || at == BUSY_TO;

			judge_log(&t, "\\Processor(*)\\% Processor Time > 50", &e);
			stats = stats_of(&t, TIMER);
			assert_int_equal(stats->count[PMON_V_STEPPED], 1);
			assert_int_equal(stats_of(&t, QUEUE)->count[PMON_V_STEPPED], 1);
			assert_true(stats_of(&t, ELAPSED)->count[PMON_V_STEPPED] >= 1);
			assert_true(fabs(pmon_stats_average(stats).value - want) < 1e-9);
			assert_true(stats->maximum.value < 80.001);
			assert_int_equal(t.n_episodes, 1);
			assert_int_equal(t.episodes[0].samples, busy);
			assert_int_equal(t.episodes[0].length_100ns, (40 - at_edge) * INTERVAL);
			trial_end(&t);
		}
}

// Disagreements of up to a second, or of up to 1 % of the interval, are no steps.
static void
test_small_steps(void **state)
{
	static const int64_t small[] = {SECOND, -SECOND, SECOND / 2, 1};

	(void)state;
	for (size_t s = 0; s < T_LEN(small); s++) {
		struct event e = {.at = 7, .set_100ns = small[s]};
		struct trial t;

		judge_log(&t, "\\System\\Context Switches/sec > 500", &e);
		assert_int_equal(stats_of(&t, TIMER)->count[PMON_V_STEPPED], 0);
		trial_end(&t);
	}
	assert_false(pmon_pace_disagree(3636 * SECOND, 3600 * SECOND));
	assert_true(pmon_pace_disagree(3637 * SECOND, 3600 * SECOND));
	assert_false(pmon_pace_disagree(11 * SECOND, 10 * SECOND));
	assert_true(pmon_pace_disagree(11 * SECOND + 1, 10 * SECOND));
}

// An age is unknown until a new one starts, or unless the step is less than 1 % of it.
static void
test_elapsed(void **state)
{
	struct event short_step = {.at = 30, .set_100ns = 60 * SECOND};
	struct event long_step = {.at = 30, .set_100ns = 48 * HOUR};
	struct trial t;

	(void)state;
	judge_log(&t, "\\System\\Context Switches/sec > 500", &short_step);
	// 60 s are less than 1 % of a day: only the value across has none.
	assert_int_equal(stats_of(&t, ELAPSED)->count[PMON_V_STEPPED], 1);
	trial_end(&t);
	judge_log(&t, "\\System\\Context Switches/sec > 500", &long_step);
	assert_int_equal(stats_of(&t, ELAPSED)->count[PMON_V_STEPPED], SAMPLES - 30);
	assert_true(pmon_stats_average(stats_of(&t, ELAPSED)).value ==
		    (double)(UPTIME + (int64_t)29 * 15));
	trial_end(&t);
}

// A clock that is not the system clock has any origin and pace: on Linux that of all processors counts the ticks of each
// since boot. It is not set when the system clock is, and a value on it is what its raw values say.
static void
check_own_clock(int64_t origin, int64_t interval, int64_t pace_percent, int64_t set_100ns)
{
	struct trial t = trial_of_condition("\\System\\Context Switches/sec > 500");
	uint32_t timer = mem_source_series(t.m, TIMER_PATH, PMON_PERF_100NSEC_TIMER, SECOND);
	int64_t pace = interval / 100 * pace_percent;

	for (int i = 0; i < 10; i++) {
		mem_source_sample(t.m, T0 + i * interval + (i >= 5 ? set_100ns : 0));
		t.m->samples[t.m->n - 1].perf_100ns = 1000 * SECOND + i * interval;
		mem_source_raw(t.m, timer, i * pace / 5, origin + i * pace);
	}
	read_log(&t);
	assert_int_equal(stats_of(&t, TIMER)->count[PMON_V_OK], 9);
	assert_true(fabs(pmon_stats_average(stats_of(&t, TIMER)).value - 20) < 1e-6);
	trial_end(&t);
}

static void
test_own_clock(void **state)
{
	static const int64_t intervals[] = {SECOND, 2 * SECOND, 15 * SECOND, 600 * SECOND};
	static const int64_t paces[] = {40, 97, 100, 200, 800, 51200}; // percent of the true one

	(void)state;
	for (size_t i = 0; i < T_LEN(intervals); i++)
		for (size_t p = 0; p < T_LEN(paces); p++) {
			check_own_clock(UPTIME * SECOND, intervals[i], paces[p], 0);
			for (size_t s = 0; s < T_LEN(steps); s++)
				check_own_clock(1, intervals[i], paces[p], steps[s]);
		}
	for (size_t s = 0; s < T_LEN(steps); s++)
		check_own_clock(T0, INTERVAL, 100, steps[s]);
}

// The raw value across has a bad status, or the one before: the next pair spans the step.
static void
test_bad_raw(void **state)
{
	(void)state;
	for (int bad = 4; bad <= 6; bad++) {
		struct trial t = trial_of_condition("\\System\\Context Switches/sec > 500");
		uint32_t timer =
			mem_source_series(t.m, TIMER_PATH, PMON_PERF_100NSEC_TIMER, SECOND);

		for (int i = 0; i < 10; i++) {
			pmon_time time = T0 + i * INTERVAL + (i >= 5 ? HOUR : 0);

			mem_source_sample(t.m, time);
			t.m->samples[t.m->n - 1].perf_100ns = (1000 + i * 15) * SECOND;
			if (i == bad)
				mem_source_bad(t.m, timer, PMON_RAW_INVALID);
			else
				mem_source_raw(t.m, timer, i * INTERVAL / 5, time);
		}
		read_log(&t);
		assert_int_equal(stats_of(&t, TIMER)->count[PMON_V_STEPPED], 1);
		assert_true(fabs(pmon_stats_average(stats_of(&t, TIMER)).value - 20) < 1e-9);
		trial_end(&t);
	}
}

// ---- Windows --------------------------------------------------------------------------------

#define FEW 10 // samples

// A short log of a timer and an up time, in which the clock is set. In some consecutive samples their raw values are
// unusable or missing.
struct few {
	size_t at;         // sample from which on the system clock
	int64_t set_100ns; // ... is ahead by this
	size_t hole;
	size_t n_hole;
	bool is_missing;
};

// The values of the timer and the up time, by sample.
struct read {
	struct pmon_value values[FEW][2];
};

static pmon_time
few_time(const struct few *few, size_t i)
{
	return T0 + (int64_t)i * INTERVAL + (i >= few->at ? few->set_100ns : 0);
}

static struct mem_source *
few_samples(const struct few *few)
{
	struct mem_source *m = mem_source_new();
	uint32_t timer = mem_source_series(m, TIMER_PATH, PMON_PERF_100NSEC_TIMER, SECOND);
	uint32_t up_time = mem_source_series(m, "\\\\SRV\\System\\System Up Time",
					     PMON_PERF_ELAPSED_TIME, SECOND);
	uint32_t level = mem_source_series(m, "\\\\SRV\\Memory\\Available MBytes",
					   PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);

	for (size_t i = 0; i < FEW; i++) {
		pmon_time time = few_time(few, i);
		bool is_hole = i >= few->hole && i < few->hole + few->n_hole;

		mem_source_sample(m, time);
		m->samples[m->n - 1].perf_100ns = (1000 + (int64_t)i * 15) * SECOND;
		mem_source_raw(m, level, (int64_t)i, 0);
		if (!is_hole) {
			mem_source_raw(m, timer, (int64_t)(i * i) * SECOND / 10, time);
			mem_source_raw(m, up_time, T0 - UPTIME * SECOND, time);
		} else if (!few->is_missing) {
			mem_source_bad(m, timer, PMON_RAW_INVALID);
			mem_source_bad(m, up_time, PMON_RAW_INVALID);
		}
	}
	return m;
}

// The log from a sample on.
static struct read
read_from(const struct few *few, size_t begin)
{
	struct pmon_identity_options options = {.size = sizeof(options), .allocator = NULL};
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_source *source;
	struct read read = {.values = {{{.value = 0}}}};
	size_t n = begin;

	assert_int_equal(pmon_paced_open(mem_source_open(few_samples(few)), NULL, &source, NULL),
			 PMON_OK);
	if (begin > 0)
		assert_int_equal(pmon_window_open(source, few_time(few, begin), PMON_TIME_NONE,
						  NULL, &source, NULL),
				 PMON_OK);
	assert_int_equal(pmon_identity_open(source, &options, &source, NULL), PMON_OK);
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, NULL), PMON_OK);
		for (size_t i = 0; i < sample->n && !sample->preceding; i++)
			if (sample->series[i] < 2)
				read.values[n][sample->series[i]] = values[i];
		n += !sample->preceding;
	}
	assert_int_equal(n, FEW);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return read;
}

// Do all samples before this one have earlier times, and all after it later ones?
static bool
is_cut_at(const struct few *few, size_t begin)
{
	for (size_t i = 0; i < FEW; i++)
		if ((few_time(few, i) >= few_time(few, begin)) != (i >= begin))
			return false;
	return true;
}

static void
compare_windows(const struct few *few)
{
	struct read whole = read_from(few, 0);

	for (size_t begin = 1; begin < FEW; begin++) {
		struct read part;

		if (!is_cut_at(few, begin))
			continue;
		part = read_from(few, begin);
		for (size_t i = begin; i < FEW; i++)
			for (size_t k = 0; k < 2; k++) {
				const struct pmon_value *a = &whole.values[i][k];
				const struct pmon_value *b = &part.values[i][k];

				if (a->status != b->status || !(a->value == b->value))
					fail_msg("set by %lld at %zu, hole of %zu at %zu, from "
						 "%zu: value %zu of series %zu is %.17g (%d), not "
						 "%.17g (%d)",
						 (long long)few->set_100ns, few->at, few->n_hole,
						 few->hole, begin, i, k, b->value, (int)b->status,
						 a->value, (int)a->status);
			}
	}
}

// Wherever the clock was set and wherever a window begins: its values are those of the whole log.
static void
test_windows(void **state)
{
	(void)state;
	for (size_t s = 0; s < T_LEN(steps); s++)
		for (size_t at = 1; at < FEW; at++)
			for (size_t n_hole = 0; n_hole <= 3; n_hole++)
				for (size_t hole = 0; hole + n_hole <= FEW; hole++)
					for (int missing = 0; missing < 2; missing++)
						compare_windows(
							&(struct few){.at = at,
								      .set_100ns = steps[s],
								      .hole = hole,
								      .n_hole = n_hole,
								      .is_missing = missing});
}

// ---- Gaps -----------------------------------------------------------------------------------

static const int64_t gaps[] = {23 * SECOND, 60 * SECOND, 300 * SECOND, HOUR, 1000 * HOUR};

// With or without a performance clock, a gap ends an episode, and the value after it covers one
// usual interval.
static void
test_gaps(void **state)
{
	(void)state;
	for (size_t g = 0; g < 2 * T_LEN(gaps); g++)
		for (size_t at = 1; at < SAMPLES; at++) {
			struct event e = {
				.at = at, .lost_100ns = gaps[g / 2], .no_perf = g % 2 == 0};
			struct trial t;
			bool splits = at > BUSY_FROM && at <= BUSY_TO;
			int64_t length = 0;
			uint64_t samples = 0;

			judge_log(&t, "\\System\\Context Switches/sec > 500", &e);
			assert_int_equal(t.n_episodes, splits ? 2 : 1);
			for (size_t i = 0; i < t.n_episodes; i++) {
				length += t.episodes[i].length_100ns;
				samples += t.episodes[i].samples;
			}
			assert_int_equal(length, 40 * INTERVAL);
			assert_int_equal(samples, 40);
			trial_end(&t);
		}
}

// The weight of momentary values does not depend on the length of a gap.
static void
test_weights(void **state)
{
	static const struct event none = {.at = SAMPLES};
	struct trial plain;
	char want[300];

	(void)state;
	judge_log(&plain, "\\System\\Context Switches/sec > 500", &none);
	text_of(&plain, LEVEL, want, sizeof(want));
	for (size_t g = 0; g < 2 * T_LEN(gaps); g++)
		for (size_t at = 1; at < SAMPLES; at++) {
			struct event e = {
				.at = at, .lost_100ns = gaps[g / 2], .no_perf = g % 2 == 0};
			struct trial t;
			char buf[300];

			judge_log(&t, "\\System\\Context Switches/sec > 500", &e);
			assert_string_equal(text_of(&t, LEVEL, buf, sizeof(buf)), want);
			trial_end(&t);
		}
	trial_end(&plain);
}

// The difference of two raw values covers the whole gap: it was busy or idle for that long, by the
// performance clock.
static void
test_weights_of_rates(void **state)
{
	static const double near_percent = 1e-3;

	(void)state;
	for (size_t g = 0; g < 2 * T_LEN(gaps); g++)
		for (size_t at = 1; at < SAMPLES; at++) {
			struct event e = {.at = at,
					  .lost_100ns = gaps[g / 2],
					  .set_100ns = g % 2 == 0 ? 0 : -HOUR};
			int64_t busy = 40 * INTERVAL + (is_busy(at) ? e.lost_100ns : 0);
			int64_t idle = 79 * INTERVAL + (is_busy(at) ? 0 : e.lost_100ns);
			double edge = 100 * (double)idle / (double)(busy + idle);
			struct trial t;

			judge_log(&t, "\\System\\Context Switches/sec > 500", &e);
			assert_true(pmon_statistics_total(t.statistics, RATE).value ==
				    (double)((busy * BUSY + idle * IDLE) / SECOND));
			assert_true(fabs(pmon_statistics_percentile(t.statistics, RATE,
								    edge - near_percent)
						 .value -
					 (double)IDLE) <= 0.005 * (double)IDLE);
			assert_true(fabs(pmon_statistics_percentile(t.statistics, RATE,
								    edge + near_percent)
						 .value -
					 (double)BUSY) <= 0.005 * (double)BUSY);
			trial_end(&t);
		}
}

// A rate on the performance clock is correct over the gap, although it does not reveal its length.
static void
test_rate_over_gap(void **state)
{
	struct event e = {.at = 20, .lost_100ns = HOUR};
	struct trial t;
	double want = (double)(40 * 15 * BUSY + (79 * 15 + 3600) * IDLE) / (119 * 15 + 3600);

	(void)state;
	judge_log(&t, "\\System\\Context Switches/sec > 500", &e);
	assert_true(fabs(pmon_stats_average(stats_of(&t, RATE)).value - want) < 1e-9);
	trial_end(&t);
}

static void
test_sample_after_gap(void **state)
{
	struct trial t = trial_of("[R]\ncounter = \\System\\X\nwarning = > 5\nfor = 5m\n");
	uint32_t x = mem_source_series(t.m, "\\\\SRV\\System\\X", PMON_PERF_COUNTER_RAWCOUNT, 0);

	(void)state;
	for (int i = 0; i < 40; i++) {
		mem_source_sample(t.m, T0 + i * INTERVAL + (i >= 20 ? HOUR : 0));
		mem_source_raw(t.m, x, i == 20 ? 9 : 1, 0);
	}
	read_log(&t);
	assert_int_equal(t.n_findings, 0);
	trial_end(&t);
}

// ---- Intervals ------------------------------------------------------------------------------

struct moment {
	int64_t time;
	int64_t perf; // 0: none
};

static void
check_pace(const struct moment *moments, size_t n, const char *want)
{
	struct pmon_pace pace = {.samples = 0};
	char text[400] = "";

	for (size_t i = 0; i < n; i++) {
		struct pmon_sample sample = {.time = T0 + moments[i].time * SECOND,
					     .perf_100ns = moments[i].perf * SECOND};
		size_t len = strlen(text);

		pmon_pace_add(&pace, &sample);
		(void)snprintf(text + len, sizeof(text) - len, "%s%d%s", len > 0 ? " " : "",
			       (int)(pace.length_100ns / SECOND),
			       pace.is_back         ? "b"
			       : pace.is_gap        ? "g"
			       : pace.set_100ns > 0 ? "+"
			       : pace.set_100ns < 0 ? "-"
						    : "");
	}
	assert_string_equal(text, want);
}

// By hand: how long the values of each sample count. g: after a gap, b: time went back, + and -:
// the system clock was set.
static void
test_pace(void **state)
{
	static const struct moment plain[] = {{0, 0}, {15, 0}, {30, 0}, {67, 0}, {82, 0}, {120, 0}};
	static const struct moment back[] = {{0, 0}, {15, 0}, {30, 0}, {10, 0}, {25, 0}};
	static const struct moment set[] = {{0, 5}, {15, 20}, {3630, 35}, {3645, 50}, {60, 65}};
	static const struct moment reboot[] = {
		{0, 900}, {15, 915}, {30, 930}, {300, 20}, {315, 35}};
	static const struct moment minutes[] = {{0, 0}, {0, 0}, {0, 0}, {60, 0}, {60, 0}, {120, 0}};
	static const struct moment lost[] = {{0, 5}, {15, 20}, {30, 0}, {45, 50}, {660, 665}};

	(void)state;
	check_pace(plain, T_LEN(plain), "0 15 15 37 15 15g");
	check_pace(back, T_LEN(back), "0 15 15 15b 15");
	check_pace(set, T_LEN(set), "0 15 15+ 15 15-");
	check_pace(reboot, T_LEN(reboot), "0 15 15 15g 15");
	check_pace(minutes, T_LEN(minutes), "0 0 0 60 0 60");
	check_pace(lost, T_LEN(lost), "0 15 15 15 15g");
}

// A log whose interval changes permanently has no gaps from then on.
static void
test_other_interval(void **state)
{
	struct pmon_pace pace = {.samples = 0};
	int gaps_of[2] = {0, 0};

	(void)state;
	for (int i = 0; i < 100; i++) {
		struct pmon_sample sample = {.time = T0 + (i < 50 ? i * 15 : 750 + (i - 50) * 60) *
								  SECOND};

		pmon_pace_add(&pace, &sample);
		gaps_of[i >= 60] += pace.is_gap;
	}
	assert_true(gaps_of[0] > 0 && gaps_of[0] < 10);
	assert_int_equal(gaps_of[1], 0);
	assert_int_equal(pace.usual_100ns, 60 * SECOND);
}

// Readings of the performance clock of any frequency.
static void
test_perf(void **state)
{
	(void)state;
	assert_int_equal(pmon_perf_100ns(14318180, 14318180), SECOND);
	assert_int_equal(pmon_perf_100ns(3 * INT64_C(14318180) / 2, 14318180), 3 * SECOND / 2);
	assert_int_equal(pmon_perf_100ns(0, 100), 0);
	assert_int_equal(pmon_perf_100ns(100, 0), 0);
	assert_int_equal(pmon_perf_100ns(-5, 100), 0);
	assert_int_equal(pmon_perf_100ns(INT64_MAX, 1), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_counters), cmocka_unit_test(test_timer),
		cmocka_unit_test(test_small_steps),    cmocka_unit_test(test_elapsed),
		cmocka_unit_test(test_own_clock),      cmocka_unit_test(test_bad_raw),
		cmocka_unit_test(test_windows),        cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_weights),        cmocka_unit_test(test_weights_of_rates),
		cmocka_unit_test(test_rate_over_gap),  cmocka_unit_test(test_sample_after_gap),
		cmocka_unit_test(test_pace),           cmocka_unit_test(test_other_interval),
		cmocka_unit_test(test_perf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
