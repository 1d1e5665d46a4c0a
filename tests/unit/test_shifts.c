// test_shifts.c - intervals in which a counter differs from its own usual level
// SPDX-License-Identifier: MIT
//
// Series are generated here, so it is known what must be found and where.

#include "t.h"

#include <math.h>

#include "analyze/shifts.h"

#define N 1920 // samples: 8 hours at 15 s

static const struct meaning utilization = {.resource = MEANING_PROCESSOR,
					   .kind = MEANING_UTILIZATION,
					   .worse = MEANING_UP,
					   .unit = {"%", 1},
					   .shift = 25};
static const struct meaning latency = {.resource = MEANING_DISK,
				       .kind = MEANING_LATENCY,
				       .worse = MEANING_UP,
				       .unit = {"s", 1},
				       .floor = 0.001,
				       .shift = 0.01};
static const struct meaning waiting = {.resource = MEANING_DISK,
				       .kind = MEANING_SATURATION,
				       .worse = MEANING_UP,
				       .unit = {"count", 5},
				       .shift = 4};
static const struct meaning throughput = {.resource = MEANING_DATABASE,
					  .kind = MEANING_THROUGHPUT,
					  .worse = MEANING_DOWN,
					  .unit = {"/s", 2},
					  .shift = 100};
static const struct meaning memory = {.resource = MEANING_PROCESS,
				      .kind = MEANING_UNBOUNDED,
				      .worse = MEANING_UP,
				      .unit = {"B", 1},
				      .shift = 4e8};
static const struct meaning errors = {.resource = MEANING_NETWORK,
				      .kind = MEANING_COUNT,
				      .worse = MEANING_UP,
				      .unit = {"count", 5},
				      .shift = 500};

static uint64_t random_state;

static double
uniform(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(random_state >> 11) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

typedef double (*level_fn)(uint32_t sample);

static size_t
find(level_fn level, double spread, const struct meaning *m, uint64_t seed,
     struct shift out[SHIFTS_MOST])
{
	struct bins bins = {.n = 0};
	size_t n;

	random_state = seed * 1000003;
	for (uint32_t i = 0; i < N; i++) {
		double value = level(i) * (1 + spread * normal());

		assert_true(bins_add(&bins, i, value > 0 ? value : 0));
	}
	assert_true(bins_end(&bins));
	n = shifts_find(&bins, m, N, m == &memory, m == &latency, out);
	bins_free(&bins);
	return n;
}

// ---- What must be found ---------------------------------------------------------------------

static double
busy(uint32_t i)
{
	return i >= 700 && i < 780 ? 95 : 22;
}
static double
twice(uint32_t i)
{
	return i >= 1300 && i < 1350 ? 98 : busy(i);
}
static double
stalled(uint32_t i)
{
	return i == 901 ? 3 : 0.004;
}
static double
collapsed(uint32_t i)
{
	return i >= 1200 && i < 1260 ? 70 : 1800;
}
static double
hourly(uint32_t i)
{
	return i % 240 >= 100 && i % 240 < 116 ? 96 : 22;
}
static double
leaking(uint32_t i)
{
	return 1e9 + 2.5e9 * i / N;
}
static double
drifting(uint32_t i)
{
	return 0.002 * (1 + 9.0 * i / N);
}
static double
drifting_fast_disk(uint32_t i)
{
	return 0.0006 * (1 + 9.0 * i / N);
}
// Near the threshold, and beyond it only now and then.
static double
weak(uint32_t i)
{
	return i >= 700 && i < 780 ? 22 + 25 * (0.75 + 0.5 * uniform()) : 22;
}
// It begins below the threshold, and ends ten times as high.
static double
creeping(uint32_t i)
{
	return i >= 700 && i < 740 ? 0.004 + 0.008 + 0.1 * (i - 700) / 40 : 0.004;
}
// A faint sample before it, and one after it, are none of it.
static double
with_faint(uint32_t i)
{
	return i >= 700 && i < 780 ? 2 : i == 697 || i == 783 ? 0.02 : 0.0001;
}
static double
failing(uint32_t i)
{
	return i >= 400 && i < 440 ? 50 : 0;
}

static void
test_found(void **state)
{
	static const struct {
		const char *label;
		level_fn level;
		double spread;
		const struct meaning *meaning;
		enum shift_kind kind;
		uint32_t from;
		uint32_t to;
	} cases[] = {
		{"pulse", busy, 0.1, &utilization, SHIFT_PULSE, 700, 780},
		{"stall", stalled, 0.1, &latency, SHIFT_STALL, 901, 902},
		{"fall", collapsed, 0.1, &throughput, SHIFT_PULSE, 1200, 1260},
		{"period", hourly, 0.1, &utilization, SHIFT_PERIOD, 100, 1796},
		{"leak", leaking, 0.01, &memory, SHIFT_RAMP, 0, N},
		{"drift", drifting, 0.1, &latency, SHIFT_RAMP, 0, N},
		{"drift with noise", drifting_fast_disk, 0.4, &latency, SHIFT_RAMP, 0, N},
		{"weak", weak, 0.05, &utilization, SHIFT_PULSE, 700, 780},
		{"creeping", creeping, 0.1, &latency, SHIFT_PULSE, 700, 740},
		{"faint samples beside it", with_faint, 0.05, &latency, SHIFT_PULSE, 700, 780},
		{"errors", failing, 0, &errors, SHIFT_COUNT, 400, 440},
	};
	struct shift out[SHIFTS_MOST];
	(void)state;

	for (size_t i = 0; i < T_LEN(cases); i++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			size_t n =
				find(cases[i].level, cases[i].spread, cases[i].meaning, seed, out);

			T_EQ_U64_AT(n, 1, cases[i].label);
			T_EQ_I64_AT(out[0].kind, cases[i].kind, cases[i].label);
			T_EQ_BOOL_AT(out[0].from + 2 >= cases[i].from &&
					     out[0].from <= cases[i].from + 2,
				     true, cases[i].label);
			T_EQ_BOOL_AT(out[0].to + 2 >= cases[i].to && out[0].to <= cases[i].to + 2,
				     true, cases[i].label);
		}
}

static void
test_numbers(void **state)
{
	struct shift out[SHIFTS_MOST];
	(void)state;

	assert_int_equal(find(busy, 0.1, &utilization, 1, out), 1);
	assert_true(fabs(out[0].usual - 22) < 2 && fabs(out[0].level - 95) < 4);
	// One of two that are alike does not hide the other.
	assert_int_equal(find(twice, 0.1, &utilization, 1, out), 2);
	assert_in_range(out[0].from + out[1].from, 1996, 2004);
	assert_int_equal(find(hourly, 0.1, &utilization, 1, out), 1);
	assert_int_equal(out[0].times, 8);
	assert_int_equal(out[0].every, 240);
	assert_in_range(out[0].each, 15, 17);
	assert_int_equal(find(failing, 0, &errors, 1, out), 1);
	assert_true(out[0].level == 2000);
	// The medians of the first and the last eighth of what grows from 1e9 by 2.5e9.
	assert_int_equal(find(leaking, 0.01, &memory, 1, out), 1);
	assert_true(fabs(out[0].usual - 1.16e9) < 1e8 && fabs(out[0].level - 3.34e9) < 1e8);
}

// ---- What is usual --------------------------------------------------------------------------

static double
flat(uint32_t i)
{
	(void)i;
	return 30;
}
static double
bursts(uint32_t i)
{
	(void)i;
	return uniform() < 0.02 ? 90 : 25;
}
static double
daily(uint32_t i)
{
	return 30 + 25 * sin(6.283185307179586 * i / N);
}
static double
slow(uint32_t i)
{
	(void)i;
	return 0.03;
}
static double
heavy(uint32_t i)
{
	(void)i;
	return 0.004 * exp(0.7 * normal());
}
static double
one_high(uint32_t i)
{
	return i == 500 ? 90 : 25;
}
static double
warming(uint32_t i)
{
	return i < N / 2 ? 1e9 + 4e9 * i / (N / 2.0) : 5e9;
}
// Latency that grows by less than it was is no drift.
static double
a_little_slower(uint32_t i)
{
	return 0.008 * (1 + 0.8 * i / N);
}
// The length of a queue that is mostly empty.
static double
queue(uint32_t i)
{
	double left = exp(-0.8);
	double n = 0;

	(void)i;
	for (double product = uniform(); product > left; product *= uniform())
		n++;
	return n;
}
static double
waves(uint32_t i)
{
	return 3e9 + 6e8 * sin(6.283185307179586 * i / (N / 1.7));
}
static double
shrinking(uint32_t i)
{
	return 4e9 - 2e9 * i / N;
}
static double
few(uint32_t i)
{
	return i % 97 == 0 ? 1 : 0;
}

static void
test_usual(void **state)
{
	static const struct {
		const char *label;
		level_fn level;
		double spread;
		const struct meaning *meaning;
	} cases[] = {
		{"flat", flat, 0.1, &utilization},
		{"bursts of one sample", bursts, 0.1, &utilization},
		{"daily rhythm", daily, 0.1, &utilization},
		{"one high sample", one_high, 0.1, &utilization},
		{"slow always", slow, 0.2, &latency},
		{"heavy tails", heavy, 0, &latency},
		{"a cache that fills and stays", warming, 0.01, &memory},
		{"waves", waves, 0.01, &memory},
		{"a short queue", queue, 0, &waiting},
		{"a little slower", a_little_slower, 0.2, &latency},
		{"shrinking", shrinking, 0.01, &memory},
		{"few errors", few, 0, &errors},
	};
	struct shift out[SHIFTS_MOST];
	(void)state;

	for (size_t i = 0; i < T_LEN(cases); i++)
		for (uint64_t seed = 1; seed <= 50; seed++)
			T_EQ_U64_AT(
				find(cases[i].level, cases[i].spread, cases[i].meaning, seed, out),
				0, cases[i].label);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_usual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
