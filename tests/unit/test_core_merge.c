// test_core_merge.c - merged statistics of adjacent windows equal those of the whole
// SPDX-License-Identifier: MIT

#include <pmon/counter.h>

#include "events.h"
#include "same_stats.h"
#include "t.h"

// ---- Merging -----------------------------------------------------------------------------------

static void
check_two_parts(const struct pmon_calc *calc, const struct t_event *events, size_t n)
{
	struct pmon_stats whole;

	t_play(&whole, calc, events, n);
	for (size_t cut = 0; cut <= n; cut++) {
		struct pmon_stats left;
		struct pmon_stats right;

		t_play(&left, calc, events, cut);
		t_play(&right, calc, events + cut, n - cut);
		T_EQ_I64(pmon_stats_merge(&left, &right), PMON_OK);
		t_same_stats(&left, &whole);
	}
}

// (a + b) + c and a + (b + c), both against the whole.
static void
check_three_parts(const struct pmon_calc *calc, const struct t_event *events, size_t n, size_t i,
		  size_t k)
{
	struct pmon_stats whole;
	struct pmon_stats a;
	struct pmon_stats b;
	struct pmon_stats c;
	struct pmon_stats ab;

	t_play(&whole, calc, events, n);
	t_play(&a, calc, events, i);
	t_play(&b, calc, events + i, k - i);
	t_play(&c, calc, events + k, n - k);
	ab = a;
	T_EQ_I64(pmon_stats_merge(&ab, &b), PMON_OK);
	T_EQ_I64(pmon_stats_merge(&ab, &c), PMON_OK);
	T_EQ_I64(pmon_stats_merge(&b, &c), PMON_OK);
	T_EQ_I64(pmon_stats_merge(&a, &b), PMON_OK);
	t_same_stats(&ab, &whole);
	t_same_stats(&a, &whole);
}

static void
test_random_series_of_every_type(void **state)
{
	struct t_rand r = {.state = 7};
	struct t_event events[T_MAX_EVENTS];

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 150; round++) {
			struct pmon_calc calc = t_make_calc(&r, pmon_type_at(t)->word);
			size_t n = t_make_events(&r, pmon_type_at(t)->word, events);
			size_t i = t_rand_below(&r, n + 1);

			check_two_parts(&calc, events, n);
			check_three_parts(&calc, events, n, i, i + t_rand_below(&r, n + 1 - i));
		}
	}
}

// ---- Another process at the beginning ------------------------------------------------------------

// The first usable raw value, unless a gap, a start or another process comes before it; n if there
// is none.
static size_t
head_of(const struct t_event *events, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (events[i].gap || events[i].raw.status == PMON_RAW_STARTED ||
		    events[i].raw.status == PMON_RAW_CHANGED)
			return n;
		if (events[i].raw.status <= PMON_RAW_NEW)
			return i;
	}
	return n;
}

// Statistics of n events that learn after `known` of them that the first was of another process.
static void
check_changed(const struct pmon_calc *calc, const struct t_event *events, size_t n, size_t known)
{
	struct t_event changed[T_MAX_EVENTS];
	size_t head = pmon_calc_needs_two(calc) ? head_of(events, known) : n;
	struct pmon_stats got;
	struct pmon_stats want;
	struct pmon_stats before;

	memcpy(changed, events, n * sizeof(*events));
	if (head < known)
		changed[head].raw.status = PMON_RAW_CHANGED;
	t_play(&want, calc, changed, n);
	t_play(&before, calc, changed + n, 0);
	t_play(&got, calc, events, known);
	pmon_stats_changed(&got);
	for (size_t i = known; i < n; i++)
		t_play_one(&got, &events[i]);
	if (head < known && want.has_tail && want.tail.status == PMON_RAW_CHANGED)
		want.tail.status = got.tail.status; // as it was read; only its numbers count
	t_same_stats(&got, &want);
	(void)pmon_stats_add(&before, &(struct pmon_raw){.first = 1, .second = 1, .multi = 2});
	want = before;
	T_EQ_I64(pmon_stats_merge(&before, &got), PMON_OK);
	for (size_t i = 0; i < n; i++)
		t_play_one(&want, &changed[i]);
	if (want.tail.status == PMON_RAW_CHANGED)
		want.tail.status = before.tail.status;
	t_same_stats(&before, &want);
}

static void
test_another_process_at_the_beginning(void **state)
{
	struct t_rand r = {.state = 5};
	struct t_event events[T_MAX_EVENTS + 1];

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 150; round++) {
			struct pmon_calc calc = t_make_calc(&r, pmon_type_at(t)->word);
			size_t n = t_make_events(&r, pmon_type_at(t)->word, events);

			check_changed(&calc, events, n, t_rand_below(&r, n + 1));
		}
	}
}

// By hand. The first value becomes that of another process; but not if a gap, a start or nothing
// precedes it.
static void
test_change_at_the_beginning(void **state)
{
	static const struct t_event events[] = {
		{.raw = {.first = 0, .second = 0, .time = 1}},
		{.raw = {.first = 10, .second = 10, .time = 2}},
		{.gap = true},
		{.raw = {.first = 40, .second = 20, .time = 3}},
	};
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_BULK_COUNT, .time_base = 1};
	struct pmon_calc calc;
	struct pmon_stats stats;

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	t_play(&stats, &calc, events, 0); // nothing
	pmon_stats_changed(&stats);
	T_EQ_U64(pmon_stats_samples(&stats), 0);
	T_EQ_I64(stats.last.status, PMON_V_NO_DATA);
	assert_false(stats.gap_seen);
	t_play(&stats, &calc, events, 1); // the first is the newest
	pmon_stats_changed(&stats);
	T_EQ_I64(stats.last.status, PMON_V_CHANGED);
	T_EQ_U64(stats.count[PMON_V_FIRST], 0);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	T_EQ_U64(pmon_stats_invalid(&stats), 0);
	pmon_stats_changed(&stats); // is known already
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	t_play(&stats, &calc, events, 4); // the newest is a first sample too, and stays one
	pmon_stats_changed(&stats);
	T_EQ_I64(stats.last.status, PMON_V_FIRST);
	T_EQ_U64(stats.count[PMON_V_FIRST], 1);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	T_EQ_DBL(pmon_stats_average(&stats).value, 1);
	t_play(&stats, &calc, events + 2, 2); // a gap is at the beginning
	pmon_stats_changed(&stats);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 0);
	T_EQ_I64(stats.last.status, PMON_V_FIRST);
}

// ---- Small series ------------------------------------------------------------------------------

// Each series of up to five events of five kinds (a gap, a bad raw value, a step, a reset, another
// process), cut at each two places: no window is too short and no seam too odd to be met.
#define KINDS 5

static void
make_small(unsigned code, size_t n, struct t_event *events)
{
	static const uint32_t statuses[KINDS] = {
		[1] = PMON_RAW_NO_INSTANCE, [4] = PMON_RAW_CHANGED};
	int64_t first = 100;

	for (size_t i = 0; i < n; i++, code /= KINDS) {
		unsigned kind = code % KINDS;

		first = kind == 3 ? 1 : first + (int64_t)(i * i) + 1;
		events[i] = (struct t_event){.gap = kind == 0,
					     .raw = {.status = statuses[kind],
						     .multi = (uint32_t)i,
						     .time = (int64_t)i,
						     .first = first,
						     .second = 1000 + (int64_t)(i * 7)}};
	}
}

static void
check_all_small(const struct pmon_calc *calc, size_t n)
{
	struct t_event events[T_MAX_EVENTS];
	unsigned n_codes = 1;

	for (size_t i = 0; i < n; i++)
		n_codes *= KINDS;
	for (unsigned code = 0; code < n_codes; code++) {
		make_small(code, n, events);
		for (size_t i = 0; i <= n; i++)
			for (size_t k = i; k <= n; k++)
				check_three_parts(calc, events, n, i, k);
	}
}

static void
test_all_small_series(void **state)
{
	static const uint32_t types[] = {PMON_PERF_COUNTER_BULK_COUNT, PMON_PERF_ELAPSED_TIME,
					 PMON_PERF_COUNTER_MULTI_TIMER,
					 PMON_PERF_COUNTER_LARGE_RAWCOUNT};

	(void)state;
	for (size_t t = 0; t < T_LEN(types); t++) {
		struct pmon_counter counter = {.type = types[t], .time_base = 10};
		struct pmon_calc calc;

		pmon_calc_init(&calc, &counter, NULL);
		for (size_t n = 0; n <= 5; n++)
			check_all_small(&calc, n);
	}
}

// The fields that must be equal for a merge: everything that a value depends on.
static void
test_refuses_other_counters(void **state)
{
	const struct pmon_counter counter = {.type = PMON_PERF_COUNTER_COUNTER, .time_base = 10};
	struct pmon_calc calc;
	struct pmon_calc others[8];
	struct pmon_stats stats;
	struct pmon_stats before;

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	for (size_t i = 0; i < T_LEN(others); i++) {
		struct pmon_counter other = counter;
		struct pmon_calc_options options = {.size = sizeof(options)};

		other.type = i == 0 ? PMON_PERF_SAMPLE_COUNTER : other.type;
		other.time_base = i == 1 ? 11 : other.time_base;
		other.size_bytes = i == 2 ? 8 : other.size_bytes;
		other.default_scale = i == 3 ? 1 : other.default_scale;
		options.policy = i == 4 ? PMON_POLICY_STRICT : options.policy;
		options.cap_100 = i == 5;
		options.default_scale = i == 6;
		options.times_1000 = i == 7;
		pmon_calc_init(&others[i], &other, &options);
	}
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &(struct pmon_raw){.first = 1, .second = 1});
	before = stats;
	for (size_t i = 0; i < T_LEN(others); i++) {
		struct pmon_stats next;

		pmon_stats_init(&next, &others[i]);
		(void)pmon_stats_add(&next, &(struct pmon_raw){.first = 2, .second = 2});
		T_EQ_I64(pmon_stats_merge(&stats, &next), PMON_E_ARG);
		t_same_stats(&stats, &before);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_series_of_every_type),
		cmocka_unit_test(test_another_process_at_the_beginning),
		cmocka_unit_test(test_change_at_the_beginning),
		cmocka_unit_test(test_all_small_series),
		cmocka_unit_test(test_refuses_other_counters),
	};

	return cmocka_run_group_tests_name("core_merge", tests, NULL, NULL);
}
