// test_query.c - select, merge, window, thin out, resample, statistics over a source
// SPDX-License-Identifier: MIT
//
// Expected values are sums and quotients of the small numbers in each test, written next to them.

#include <string.h>

#include <pmon/pmon.h>

#include "events.h"
#include "memsource.h"
#include "query/statistics.h"
#include "same_stats.h"
#include "t.h"

#define SEC PMON_TIME_PER_SEC

// A rate: 1000 ticks a second; `first` at each of n seconds from start on.
static struct pmon_source *
rates(const char *path, const int64_t *first, size_t n, int64_t start_s)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, path, PMON_PERF_COUNTER_BULK_COUNT, 1000);

	for (size_t i = 0; i < n; i++) {
		mem_source_sample(m, (start_s + (int64_t)i) * SEC);
		mem_source_raw(m, id, first[i], (start_s + (int64_t)i) * 1000);
	}
	return mem_source_open(m);
}

static struct pmon_statistics *
sum_up(struct pmon_source *source)
{
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;

	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		assert_int_equal(pmon_statistics_add(statistics, sample, NULL, NULL), PMON_OK);
	return statistics;
}

static double
average(const struct pmon_statistics *statistics, size_t series)
{
	struct pmon_value value = pmon_stats_average(pmon_statistics_at(statistics, series));

	assert_true(pmon_vstat_has_value(value.status));
	return value.value;
}

static void
statistics_of_a_source(void **state)
{
	const int64_t first[] = {0, 10, 30, 60};
	struct pmon_source *source = rates("\\\\A\\O\\c", first, 4, 100);
	struct pmon_statistics *statistics = sum_up(source);
	const struct pmon_stats *stats = pmon_statistics_at(statistics, 0);

	(void)state;
	assert_true(average(statistics, 0) == 20.0); // (60 - 0) / 3 s
	assert_true(stats->minimum.value == 10.0 && stats->maximum.value == 30.0);
	assert_true(stats->minimum_time == 101 * SEC && stats->maximum_time == 103 * SEC);
	assert_int_equal(pmon_stats_samples(stats), 4);
	assert_null(pmon_statistics_at(statistics, 1));
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// An instance that was absent from a sample starts over: its 900 is not 890 since the 10.
static void
absence_starts_anew(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\A\\P(x)\\c", PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_statistics *statistics;

	(void)state;
	mem_source_sample(m, 0);
	mem_source_raw(m, id, 0, 0);
	mem_source_sample(m, SEC);
	mem_source_raw(m, id, 10, 1);
	mem_source_sample(m, 2 * SEC); // without it
	mem_source_sample(m, 3 * SEC);
	mem_source_raw(m, id, 900, 3);
	mem_source_sample(m, 4 * SEC);
	mem_source_raw(m, id, 920, 4);
	statistics = sum_up(mem_source_open(m));
	assert_true(average(statistics, id) == 15.0); // (10 + 20) / 2 s
	assert_true(pmon_statistics_at(statistics, id)->maximum.value == 20.0);
	assert_int_equal(pmon_statistics_at(statistics, id)->count[PMON_V_FIRST], 2);
	pmon_statistics_free(statistics);
	pmon_source_close(mem_source_open(m));
}

// A value that could not be read is skipped: the next pair spans it.
static void
bad_values_are_spanned(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\A\\O\\c", PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_statistics *statistics;

	(void)state;
	mem_source_sample(m, 0);
	mem_source_raw(m, id, 0, 0);
	mem_source_sample(m, SEC);
	mem_source_bad(m, id, PMON_RAW_NO_MACHINE);
	mem_source_sample(m, 2 * SEC);
	mem_source_raw(m, id, 100, 2);
	statistics = sum_up(mem_source_open(m));
	assert_true(average(statistics, id) == 50.0); // 100 / 2 s
	assert_int_equal(pmon_stats_invalid(pmon_statistics_at(statistics, id)), 1);
	pmon_statistics_free(statistics);
	pmon_source_close(mem_source_open(m));
}

static void
window_has_its_preceding(void **state)
{
	const int64_t first[] = {0, 1000, 1010, 1030, 9000};
	struct pmon_source *source = rates("\\\\A\\O\\c", first, 5, 0);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;

	(void)state;
	assert_int_equal(pmon_window_open(source, 2 * SEC, 3 * SEC, NULL, &source, NULL), PMON_OK);
	statistics = sum_up(source);
	assert_true(average(statistics, 0) == 15.0); // (1030 - 1000) / 2 s
	assert_true(pmon_statistics_at(statistics, 0)->minimum.value == 10.0);
	assert_int_equal(pmon_stats_samples(pmon_statistics_at(statistics, 0)), 2);
	pmon_statistics_free(statistics);

	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_true(sample->preceding && sample->time == SEC);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_true(!sample->preceding && sample->time == 2 * SEC);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	pmon_source_close(source);
}

// The clock is set back by 4 s after 5 s: 3 and 4 s occur twice. Each value is computed from the raw value before it: of
// n * n that is 5 and 7 a second in the first part, 13 and 15 in the second.
static void
window_has_its_preceding_twice(void **state)
{
	static const struct {
		int second; // the time
		bool preceding;
	} expected[] = {{2, true}, {3, false}, {4, false}, {2, true}, {3, false}, {4, false}};
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\A\\O\\c", PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct pmon_source *source;

	(void)state;
	for (int n = 0; n < 12; n++) {
		mem_source_sample(m, (n < 6 ? n : n - 4) * SEC);
		mem_source_raw(m, id, (int64_t)n * n, n);
	}
	assert_int_equal(
		pmon_window_open(mem_source_open(m), 3 * SEC, 4 * SEC, NULL, &source, NULL),
		PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		statistics = sum_up(source);
		assert_true(average(statistics, id) == 10.0); // (5 + 7 + 13 + 15) / 4 s
		assert_true(pmon_statistics_at(statistics, id)->minimum.value == 5.0);
		assert_true(pmon_statistics_at(statistics, id)->maximum.value == 15.0);
		assert_int_equal(pmon_stats_samples(pmon_statistics_at(statistics, id)), 4);
		pmon_statistics_free(statistics);
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_true(sample->time == expected[i].second * SEC);
		assert_true(sample->preceding == expected[i].preceding);
	}
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	pmon_source_close(source);
}

// A pair begins before the window with the last value that can be used, as in the whole log, unless the series was
// absent since. Of "a" that is 10 at 1 s, with bad values at 2 and 3 s; "b" was absent at 2 s.
static void
window_begins_with_a_usable_value(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t a = mem_source_series(m, "\\\\A\\O\\a", PMON_PERF_COUNTER_BULK_COUNT, 1);
	uint32_t b = mem_source_series(m, "\\\\A\\O\\b", PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_statistics *statistics;
	struct pmon_source *source;

	(void)state;
	for (int second = 0; second < 6; second++) {
		mem_source_sample(m, second * SEC);
		if (second != 2)
			second == 3 ? mem_source_bad(m, b, PMON_RAW_NO_MACHINE)
				    : mem_source_raw(m, b, second, second);
		second == 2 || second == 3 ? mem_source_bad(m, a, PMON_RAW_NO_MACHINE)
					   : mem_source_raw(m, a, 10 * second * second, second);
	}
	assert_int_equal(
		pmon_window_open(mem_source_open(m), 4 * SEC, 5 * SEC, NULL, &source, NULL),
		PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		statistics = sum_up(source);
		assert_true(average(statistics, a) == 60.0); // (250 - 10) / (5 - 1) s
		assert_int_equal(pmon_stats_samples(pmon_statistics_at(statistics, a)), 2);
		assert_true(average(statistics, b) == 1.0); // from 4 to 5 s only
		assert_int_equal(pmon_statistics_at(statistics, b)->count[PMON_V_FIRST], 1);
		pmon_statistics_free(statistics);
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	pmon_source_close(source);
}

static struct pmon_source *
merged(struct pmon_source *a, struct pmon_source *b)
{
	struct pmon_source *const sources[] = {a, b};
	struct pmon_source *out;

	assert_int_equal(pmon_merge_open(sources, 2, NULL, &out, NULL), PMON_OK);
	return out;
}

// Each of two merged logs has its own preceding sample: 10 and 1 a second, in the window too.
static void
each_stream_has_its_preceding_sample(void **state)
{
	const int64_t fast[] = {0, 10, 20, 30}, slow[] = {0, 1, 2, 3};
	struct pmon_source *sources[] = {rates("\\\\A\\O\\c", fast, 4, 100),
					 rates("\\\\B\\O\\c", slow, 4, 100)};
	struct pmon_statistics *statistics;
	struct pmon_source *source;

	(void)state;
	assert_int_equal(pmon_merge_open(sources, 2, NULL, &source, NULL), PMON_OK);
	assert_int_equal(pmon_window_open(source, 103 * SEC, 103 * SEC, NULL, &source, NULL),
			 PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		statistics = sum_up(source);
		assert_float_equal(average(statistics, 0), 10, 0);
		assert_float_equal(average(statistics, 1), 1, 0);
		assert_int_equal(pmon_stats_samples(pmon_statistics_at(statistics, 0)), 1);
		pmon_statistics_free(statistics);
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	pmon_source_close(source);
}

// Two machines are kept separate, and the samples are in order of time.
static void
machines_stay_apart(void **state)
{
	const int64_t a[] = {0, 10};
	const int64_t b[] = {0, 40};
	struct pmon_source *source =
		merged(rates("\\\\A\\O\\c", a, 2, 0), rates("\\\\B\\O\\c", b, 2, 0));
	struct pmon_statistics *statistics = sum_up(source);

	(void)state;
	assert_int_equal(pmon_schema_count(pmon_source_schema(source)), 2);
	assert_true(average(statistics, 0) == 10.0);
	assert_true(average(statistics, 1) == 40.0);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// A log that continues in the next file: the pair across the files counts, in either order of naming,
// and the case of names does not matter.
static void
logs_go_on(void **state)
{
	const int64_t early[] = {0, 10};
	const int64_t late[] = {40, 60};
	struct pmon_source *source =
		merged(rates("\\\\a\\o\\C", late, 2, 2), rates("\\\\A\\O\\c", early, 2, 0));
	struct pmon_statistics *statistics = sum_up(source);

	(void)state;
	assert_int_equal(pmon_schema_count(pmon_source_schema(source)), 1);
	assert_true(average(statistics, 0) == 20.0); // 60 / 3 s
	assert_int_equal(pmon_stats_samples(pmon_statistics_at(statistics, 0)), 4);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// Logs that overlap hold some samples twice; each counts once.
static void
overlaps_count_once(void **state)
{
	const int64_t a[] = {0, 10, 30};
	const int64_t b[] = {10, 30, 60};
	struct pmon_source *source =
		merged(rates("\\\\A\\O\\c", a, 3, 0), rates("\\\\A\\O\\c", b, 3, 1));
	struct pmon_statistics *statistics = sum_up(source);
	const struct pmon_stats *stats = pmon_statistics_at(statistics, 0);

	(void)state;
	assert_int_equal(pmon_stats_samples(stats), 4);
	assert_int_equal(pmon_stats_invalid(stats), 0);
	assert_true(average(statistics, 0) == 20.0);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// A log of two counters: one that counts 10 per second from `begin` to `end`, and one that is
// present except when `away` says so, second by second.
static struct pmon_source *
with_absence(int64_t begin, int64_t end, const char *away)
{
	struct mem_source *m = mem_source_new();
	uint32_t steady = mem_source_series(m, "\\\\A\\O\\c", PMON_PERF_COUNTER_BULK_COUNT, 1);
	uint32_t fickle = mem_source_series(m, "\\\\A\\O\\d", PMON_PERF_COUNTER_BULK_COUNT, 1);

	for (int64_t s = begin; s <= end; s++) {
		mem_source_sample(m, s * SEC);
		mem_source_raw(m, steady, 10 * s, s);
		if (away[s] != '-')
			mem_source_raw(m, fickle, 10 * s, s);
	}
	return mem_source_open(m);
}

// If logs overlap, a gap after the samples that both have counts as absence, in either order: no pair
// spans that. What both have still counts once, and the pair into the second log counts.
static void
absence_after_an_overlap(void **state)
{
	static const struct {
		const char *away; // by second
		uint64_t pairs;
	} cases[] = {
		{"xxxxxxxxx", 8}, {"xxxxx-xxx", 6}, {"xxxx-xxxx", 6}, {"xxx-xxxxx", 6},
		{"xxx--xxxx", 5}, {"xxxx--xxx", 5}, {"xx-xxx-xx", 4}, {"xx-xx-xxx", 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int turned = 0; turned < 2; turned++) {
			struct pmon_source *a = with_absence(0, 4, cases[i].away);
			struct pmon_source *b = with_absence(3, 8, cases[i].away);
			struct pmon_source *source = turned ? merged(b, a) : merged(a, b);
			struct pmon_statistics *statistics = sum_up(source);

			T_EQ_U64_AT(pmon_statistics_at(statistics, 0)->pairs, 8, cases[i].away);
			T_EQ_U64_AT(pmon_statistics_at(statistics, 1)->pairs, cases[i].pairs,
				    cases[i].away);
			pmon_statistics_free(statistics);
			pmon_source_close(source);
		}
	}
}

// The same path twice in one log is two series, and stays two when logs are merged.
static void
duplicates_stay_separate(void **state)
{
	struct pmon_source *both[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct mem_source *m = mem_source_new();
		uint32_t x = mem_source_series(m, "\\\\A\\O\\c", PMON_PERF_COUNTER_RAWCOUNT, 0);
		uint32_t y = mem_source_series(m, "\\\\A\\O\\c", PMON_PERF_COUNTER_RAWCOUNT, 0);

		mem_source_sample(m, i * SEC);
		mem_source_raw(m, x, 1, 0);
		mem_source_raw(m, y, 5, 0);
		both[i] = mem_source_open(m);
	}
	both[0] = merged(both[0], both[1]);
	assert_int_equal(pmon_schema_count(pmon_source_schema(both[0])), 2);
	{
		struct pmon_statistics *statistics = sum_up(both[0]);

		assert_true(average(statistics, 0) == 1.0);
		assert_true(average(statistics, 1) == 5.0);
		pmon_statistics_free(statistics);
	}
	pmon_source_close(both[0]);
}

// Many series, so that the hash of the merge grows; each is found again.
static void
many_series_merge(void **state)
{
	struct pmon_source *both[2];
	char path[64];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct mem_source *m = mem_source_new();

		for (int k = 0; k < 500; k++) {
			(void)snprintf(path, sizeof(path), "\\\\A\\O(%d)\\c", i == 0 ? k : 499 - k);
			(void)mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 0);
		}
		both[i] = mem_source_open(m);
	}
	both[0] = merged(both[0], both[1]);
	assert_int_equal(pmon_schema_count(pmon_source_schema(both[0])), 500);
	pmon_source_close(both[0]);
}

static void
every_second_sample(void **state)
{
	const int64_t first[] = {0, 1, 10, 11, 30};
	struct pmon_source *source = rates("\\\\A\\P(x)\\c", first, 5, 0);
	struct pmon_statistics *statistics;

	(void)state;
	assert_int_equal(pmon_every_open(source, 2, NULL, &source, NULL), PMON_OK);
	statistics = sum_up(source);
	assert_int_equal(pmon_stats_samples(pmon_statistics_at(statistics, 0)), 3);
	assert_true(pmon_statistics_at(statistics, 0)->minimum.value == 5.0);  // 10 / 2 s
	assert_true(pmon_statistics_at(statistics, 0)->maximum.value == 10.0); // 20 / 2 s
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	source = rates("\\\\A\\P(x)\\c", first, 5, 0);
	assert_int_equal(pmon_every_open(source, 0, NULL, &source, NULL), PMON_E_ARG);
}

struct step {
	pmon_time time;
	double value;
	int64_t first;
};

static size_t
resample(struct pmon_source *source, int64_t step, struct step *out)
{
	struct pmon_resampler *resampler;
	const struct pmon_sample *sample;
	const struct pmon_sample *given;
	const struct pmon_value *values;
	size_t n = 0;
	bool more = true;

	assert_int_equal(
		pmon_resampler_new(pmon_source_schema(source), step, NULL, NULL, &resampler, NULL),
		PMON_OK);
	while (more) {
		more = pmon_source_next(source, &sample, NULL) == PMON_OK;
		assert_int_equal(
			pmon_resampler_add(resampler, more ? sample : NULL, &given, &values, NULL),
			PMON_OK);
		if (given != NULL && given->n > 0)
			out[n++] = (struct step){given->time, values[0].value, given->raw[0].first};
	}
	pmon_resampler_free(resampler);
	return n;
}

// Steps of 2 s: (0, 2] and (2, 4]; the sample at 0 ends a step of its own, which has no rate.
static void
steps_of_a_rate(void **state)
{
	const int64_t first[] = {0, 1, 10, 11, 30};
	struct pmon_source *source = rates("\\\\A\\O\\c", first, 5, 0);
	struct step steps[8];

	(void)state;
	assert_int_equal(resample(source, 2 * SEC, steps), 3);
	assert_true(steps[1].time == 2 * SEC && steps[1].value == 5.0 && steps[1].first == 10);
	assert_true(steps[2].time == 4 * SEC && steps[2].value == 10.0 && steps[2].first == 30);
	pmon_source_close(source);
}

// A reset inside a step costs its own pair only: 10 in 1 s, reset, 20 in 1 s.
static void
steps_survive_resets(void **state)
{
	const int64_t first[] = {100, 110, 0, 20};
	struct pmon_source *source = rates("\\\\A\\O\\c", first, 4, 1);
	struct step steps[8];

	(void)state;
	assert_int_equal(resample(source, 100 * SEC, steps), 1);
	assert_true(steps[0].value == 15.0);
	pmon_source_close(source);
}

// A count is averaged over the step, and its raw value is the one at the end.
static void
steps_of_a_count(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\A\\O\\n", PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct step steps[8];

	(void)state;
	for (int i = 1; i <= 4; i++) {
		mem_source_sample(m, i * SEC);
		mem_source_raw(m, id, i, 0);
	}
	assert_int_equal(resample(mem_source_open(m), 4 * SEC, steps), 1);
	assert_true(steps[0].value == 2.5 && steps[0].first == 4);
	pmon_source_close(mem_source_open(m));
}

static void
selects(void **state)
{
	struct pmon_select *select;
	struct pmon_path path;
	struct pmon_err err;

	(void)state;
	assert_true(pmon_path_parse(PMON_SPAN("\\\\A\\Process(x)\\Y"), &path, NULL));
	assert_int_equal(pmon_select_new(NULL, &select, &err), PMON_OK);
	assert_true(pmon_select_want(select, &path)); // an empty set takes everything
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\Memory\\*"), &err), PMON_OK);
	assert_false(pmon_select_want(select, &path));
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\process(*)\\y"), &err), PMON_OK);
	assert_true(pmon_select_want(select, &path));
	assert_int_equal(pmon_select_hits(select, 0), 0);
	assert_int_equal(pmon_select_hits(select, 1), 1);
	assert_string_equal(pmon_select_pattern(select, 1), "\\process(*)\\y");
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\Process(x\\y"), &err), PMON_E_ARG);
	assert_int_equal(pmon_select_count(select), 2);
	pmon_select_free(select);
}

#define N_NUMBERS 5

// A sample of doubles: mostly of all series, and directly after the one before.
static void
next_numbers(struct t_rand *r, struct pmon_sample *sample, uint32_t *series, struct pmon_raw *raw,
	     double *numbers)
{
	unsigned missing = (unsigned)t_rand_below(r, 300);

	sample->ordinal += t_rand_below(r, 100) == 0 ? 2 : 1;
	sample->stream = t_rand_below(r, 1000) == 0 ? 1 - sample->stream : sample->stream;
	sample->preceding = t_rand_below(r, 200) == 0;
	sample->time =
		t_rand_below(r, 200) == 0 ? PMON_TIME_NONE : (pmon_time)sample->ordinal * SEC;
	sample->n = 0;
	for (uint32_t i = 0; i < N_NUMBERS; i++) {
		double number = (double)t_rand_below(r, 1000 * (i + 1)) / 7;

		if (i == missing)
			continue;
		series[sample->n] = i;
		numbers[sample->n] = number;
		raw[sample->n++] =
			(struct pmon_raw){.time = sample->time, .first = t_double_bits(number)};
	}
}

static void
same_at(const struct pmon_statistics *a, const struct pmon_statistics *b, size_t i)
{
	const struct pmon_stats *x = pmon_statistics_at(a, i);
	const struct pmon_stats *y = pmon_statistics_at(b, i);

	assert_int_equal(x != NULL, y != NULL);
	if (x != NULL)
		t_same_stats(x, y);
}

// Numbers added together give the same statistics as one by one, whenever they are queried.
static void
numbers_equal_raw_values(void **state)
{
	static const char *const paths[N_NUMBERS] = {"\\\\A\\O\\a", "\\\\A\\O\\b", "\\\\A\\O\\c",
						     "\\\\A\\O\\d", "\\\\A\\O\\e"};
	struct t_rand r = {.state = 3};
	struct mem_source *m = mem_source_new();
	struct pmon_statistics *plain;
	struct pmon_statistics *together;
	uint32_t series[N_NUMBERS];
	struct pmon_raw raw[N_NUMBERS];
	double numbers[N_NUMBERS];
	struct pmon_sample sample = {.series = series, .raw = raw};
	struct pmon_source *source;

	(void)state;
	for (size_t i = 0; i < N_NUMBERS; i++)
		(void)mem_source_series(m, paths[i], PMON_PERF_DOUBLE_RAW, 1);
	source = mem_source_open(m);
	assert_int_equal(pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &plain, NULL),
			 PMON_OK);
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &together, NULL),
		PMON_OK);
	for (int k = 0; k < 20000; k++) {
		const double *given = t_rand_below(&r, 300) == 0 ? NULL : numbers;

		next_numbers(&r, &sample, series, raw, numbers);
		assert_int_equal(pmon_statistics_add(plain, &sample, NULL, NULL), PMON_OK);
		assert_int_equal(pmon_statistics_add_numbers(together, &sample, given, NULL),
				 PMON_OK);
		for (size_t i = 0; i < N_NUMBERS && t_rand_below(&r, 50) == 0; i++)
			same_at(together, plain, i);
		if (t_rand_below(&r, 400) == 0) {
			size_t i = t_rand_below(&r, N_NUMBERS);

			pmon_statistics_forget(plain, i);
			pmon_statistics_forget(together, i);
		}
	}
	for (size_t i = 0; i < N_NUMBERS; i++)
		same_at(together, plain, i);
	pmon_statistics_free(plain);
	pmon_statistics_free(together);
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_of_a_source),
		cmocka_unit_test(absence_starts_anew),
		cmocka_unit_test(bad_values_are_spanned),
		cmocka_unit_test(window_has_its_preceding),
		cmocka_unit_test(window_has_its_preceding_twice),
		cmocka_unit_test(window_begins_with_a_usable_value),
		cmocka_unit_test(each_stream_has_its_preceding_sample),
		cmocka_unit_test(machines_stay_apart),
		cmocka_unit_test(logs_go_on),
		cmocka_unit_test(overlaps_count_once),
		cmocka_unit_test(absence_after_an_overlap),
		cmocka_unit_test(duplicates_stay_separate),
		cmocka_unit_test(many_series_merge),
		cmocka_unit_test(every_second_sample),
		cmocka_unit_test(steps_of_a_rate),
		cmocka_unit_test(steps_survive_resets),
		cmocka_unit_test(steps_of_a_count),
		cmocka_unit_test(selects),
		cmocka_unit_test(numbers_equal_raw_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
