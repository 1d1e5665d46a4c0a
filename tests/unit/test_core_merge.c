// test_core_merge.c - statistics of adjoining windows, merged, are those of the whole
// SPDX-License-Identifier: MIT

#include <math.h>

#include <pmon/counter.h>

#include "core/columns.h"
#include "core/run.h"
#include "same_stats.h"
#include "t.h"

#define MAX_EVENTS 24

// What happens to a series: a raw value, that of PMON_RAW_STARTED is no sample, or that it is absent.
struct event {
	bool gap;
	struct pmon_raw raw;
};

static void
play_one(struct pmon_stats *stats, const struct event *event)
{
	if (event->gap)
		pmon_stats_gap(stats);
	else if (event->raw.status == PMON_RAW_STARTED)
		pmon_stats_lead(stats, &event->raw);
	else
		(void)pmon_stats_add(stats, &event->raw);
}

static void
play(struct pmon_stats *stats, const struct pmon_calc *calc, const struct event *events, size_t n)
{
	pmon_stats_init(stats, calc);
	for (size_t i = 0; i < n; i++)
		play_one(stats, &events[i]);
}

// ---- Series in which everything goes wrong now and then ----------------------------------------

static int64_t
double_bits(double d)
{
	int64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static void
next_raw(struct t_rand *r, uint32_t type, struct pmon_raw *raw)
{
	raw->time += (int64_t)t_rand_below(r, 3);
	raw->multi = (uint32_t)t_rand_below(r, 4);
	raw->first = (int64_t)((uint64_t)raw->first + t_rand_below(r, 40));
	raw->second = (int64_t)((uint64_t)raw->second + t_rand_below(r, 30));
	switch (t_rand_below(r, 16)) {
	case 0: // reset
		raw->first = (int64_t)t_rand_below(r, 9);
		break;
	case 1: // both near the end of 32 bits, or beyond it
		raw->first = INT64_C(0xFFFFFFE0) + (int64_t)t_rand_below(r, 40);
		raw->second = INT64_C(0xFFFFFFE0) + (int64_t)t_rand_below(r, 40);
		break;
	case 2: // a clock or base that stands still or goes back
		raw->second -= (int64_t)t_rand_below(r, 40) & (raw->second > 40 ? -1 : 0);
		break;
	case 3:
		raw->first = (int64_t)t_rand_u64(r);
		break;
	case 4:
		raw->second = (int64_t)t_rand_u64(r);
		break;
	case 5:
		raw->first = 0;
		break;
	default:
		break;
	}
	if (type == PMON_PERF_DOUBLE_RAW && t_rand_below(r, 4) != 0)
		raw->first = double_bits(ldexp((double)(int64_t)t_rand_u64(r), -60));
}

static size_t
make_series(struct t_rand *r, uint32_t type, struct event events[MAX_EVENTS])
{
	static const uint32_t odd[] = {PMON_RAW_NO_INSTANCE, PMON_RAW_INVALID, 7, PMON_RAW_CHANGED,
				       PMON_RAW_STARTED};
	size_t n = t_rand_below(r, MAX_EVENTS + 1);
	struct pmon_raw raw = {.first = (int64_t)t_rand_below(r, 100), .second = 50};

	for (size_t i = 0; i < n; i++) {
		next_raw(r, type, &raw);
		events[i] = (struct event){.gap = t_rand_below(r, 8) == 0, .raw = raw};
		events[i].raw.status = t_rand_below(r, 2) == 0 ? PMON_RAW_VALID : PMON_RAW_NEW;
		if (t_rand_below(r, 8) == 0)
			events[i].raw.status = odd[t_rand_below(r, T_LEN(odd))];
		if (t_rand_below(r, 16) == 0)
			events[i].raw.time = PMON_TIME_NONE;
	}
	return n;
}

static struct pmon_calc
make_calc(struct t_rand *r, uint32_t type)
{
	static const uint8_t sizes[] = {0, 0, 4, 8};
	struct pmon_counter counter = {
		.type = type,
		.time_base = t_rand_below(r, 16) == 0 ? 0 : 1 + (int64_t)t_rand_below(r, 100),
		.size_bytes = sizes[t_rand_below(r, 4)],
		.default_scale = (int32_t)t_rand_below(r, 17) - 8,
	};
	struct pmon_calc_options options = {
		.policy = (enum pmon_policy)t_rand_below(r, 3),
		.cap_100 = t_rand_below(r, 2) == 0,
		.default_scale = t_rand_below(r, 2) == 0,
		.times_1000 = t_rand_below(r, 2) == 0,
	};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, &options);
	return calc;
}

// ---- Merging -----------------------------------------------------------------------------------

static void
check_two_parts(const struct pmon_calc *calc, const struct event *events, size_t n)
{
	struct pmon_stats whole;

	play(&whole, calc, events, n);
	for (size_t cut = 0; cut <= n; cut++) {
		struct pmon_stats left;
		struct pmon_stats right;

		play(&left, calc, events, cut);
		play(&right, calc, events + cut, n - cut);
		T_EQ_I64(pmon_stats_merge(&left, &right), PMON_OK);
		t_same_stats(&left, &whole);
	}
}

// (a + b) + c and a + (b + c), both against the whole.
static void
check_three_parts(const struct pmon_calc *calc, const struct event *events, size_t n, size_t i,
		  size_t k)
{
	struct pmon_stats whole;
	struct pmon_stats a;
	struct pmon_stats b;
	struct pmon_stats c;
	struct pmon_stats ab;

	play(&whole, calc, events, n);
	play(&a, calc, events, i);
	play(&b, calc, events + i, k - i);
	play(&c, calc, events + k, n - k);
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
	struct event events[MAX_EVENTS];

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 150; round++) {
			struct pmon_calc calc = make_calc(&r, pmon_type_at(t)->word);
			size_t n = make_series(&r, pmon_type_at(t)->word, events);
			size_t i = t_rand_below(&r, n + 1);

			check_two_parts(&calc, events, n);
			check_three_parts(&calc, events, n, i, i + t_rand_below(&r, n + 1 - i));
		}
	}
}

// ---- Another process at the beginning ------------------------------------------------------------

// The first usable raw value, unless a gap, a start or the beginning of another process stands before
// it; n where there is none.
static size_t
head_of(const struct event *events, size_t n)
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
check_changed(const struct pmon_calc *calc, const struct event *events, size_t n, size_t known)
{
	struct event changed[MAX_EVENTS];
	size_t head = pmon_calc_needs_two(calc) ? head_of(events, known) : n;
	struct pmon_stats got;
	struct pmon_stats want;
	struct pmon_stats before;

	memcpy(changed, events, n * sizeof(*events));
	if (head < known)
		changed[head].raw.status = PMON_RAW_CHANGED;
	play(&want, calc, changed, n);
	play(&before, calc, changed + n, 0);
	play(&got, calc, events, known);
	pmon_stats_changed(&got);
	for (size_t i = known; i < n; i++)
		play_one(&got, &events[i]);
	if (head < known && want.has_tail && want.tail.status == PMON_RAW_CHANGED)
		want.tail.status = got.tail.status; // as it was read; only its numbers count
	t_same_stats(&got, &want);
	(void)pmon_stats_add(&before, &(struct pmon_raw){.first = 1, .second = 1, .multi = 2});
	want = before;
	T_EQ_I64(pmon_stats_merge(&before, &got), PMON_OK);
	for (size_t i = 0; i < n; i++)
		play_one(&want, &changed[i]);
	if (want.tail.status == PMON_RAW_CHANGED)
		want.tail.status = before.tail.status;
	t_same_stats(&before, &want);
}

static void
test_another_process_at_the_beginning(void **state)
{
	struct t_rand r = {.state = 5};
	struct event events[MAX_EVENTS + 1];

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 150; round++) {
			struct pmon_calc calc = make_calc(&r, pmon_type_at(t)->word);
			size_t n = make_series(&r, pmon_type_at(t)->word, events);

			check_changed(&calc, events, n, t_rand_below(&r, n + 1));
		}
	}
}

// By hand. The first value becomes that of another process; a gap, a start or nothing before it is none.
static void
test_what_a_change_at_the_beginning_does(void **state)
{
	static const struct event events[] = {
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
	play(&stats, &calc, events, 0); // nothing
	pmon_stats_changed(&stats);
	T_EQ_U64(pmon_stats_samples(&stats), 0);
	T_EQ_I64(stats.last.status, PMON_V_NO_DATA);
	assert_false(stats.gap_seen);
	play(&stats, &calc, events, 1); // the first is the newest
	pmon_stats_changed(&stats);
	T_EQ_I64(stats.last.status, PMON_V_CHANGED);
	T_EQ_U64(stats.count[PMON_V_FIRST], 0);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	T_EQ_U64(pmon_stats_invalid(&stats), 0);
	pmon_stats_changed(&stats); // is known already
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	play(&stats, &calc, events, 4); // the newest is a first sample too, and stays one
	pmon_stats_changed(&stats);
	T_EQ_I64(stats.last.status, PMON_V_FIRST);
	T_EQ_U64(stats.count[PMON_V_FIRST], 1);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 1);
	T_EQ_DBL(pmon_stats_average(&stats).value, 1);
	play(&stats, &calc, events + 2, 2); // a gap is at the beginning
	pmon_stats_changed(&stats);
	T_EQ_U64(stats.count[PMON_V_CHANGED], 0);
	T_EQ_I64(stats.last.status, PMON_V_FIRST);
}

// ---- Runs --------------------------------------------------------------------------------------

// As play(), with everything that is plain through a run. Returns how much of it was.
static size_t
play_in_runs(struct pmon_stats *stats, const struct pmon_calc *calc, const struct event *events,
	     size_t n)
{
	struct pmon_run run;
	size_t n_plain = 0;

	pmon_stats_init(stats, calc);
	pmon_run_begin(&run, stats);
	for (size_t i = 0; i < n; i++) {
		const struct pmon_raw *raw = &events[i].raw;

		if (!events[i].gap && pmon_run_add(&run, stats, raw)) {
			struct pmon_value value = pmon_run_last(&run);
			struct pmon_value after;

			if (i % 5 == 0) // what is asked in between changes nothing
				pmon_run_end(&run, stats);
			after = pmon_run_last(&run);
			assert_memory_equal(&after, &value, sizeof(value));
			n_plain++;
			continue;
		}
		pmon_run_end(&run, stats);
		play_one(stats, &events[i]);
		pmon_run_begin(&run, stats);
	}
	pmon_run_end(&run, stats);
	return n_plain;
}

static void
test_runs_are_the_plain_way(void **state)
{
	struct t_rand r = {.state = 11};
	struct event events[MAX_EVENTS];
	size_t n_plain = 0;

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 1000; round++) {
			struct pmon_calc calc = make_calc(&r, pmon_type_at(t)->word);
			size_t n = make_series(&r, pmon_type_at(t)->word, events);
			struct pmon_stats plain;
			struct pmon_stats runs;

			if (round % 8 != 0)
				calc.options =
					(struct pmon_calc_options){.policy = calc.options.policy};
			play(&plain, &calc, events, n);
			n_plain += play_in_runs(&runs, &calc, events, n);
			t_same_stats(&runs, &plain);
		}
	}
	assert_true(n_plain > 50000); // there were some
}

// Counts whose sum leaves 64 bits at either end.
static void
test_runs_of_large_counts(void **state)
{
	static const int64_t counts[] = {INT64_MAX, 5,  INT64_MAX - 1, 0,  INT64_MIN + 1, -3,
					 INT64_MIN, -1, INT64_MIN + 2, -2, INT64_MAX,     1};
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_LARGE_RAWCOUNT};
	struct event events[2 * T_LEN(counts)];
	struct pmon_stats plain;
	struct pmon_stats runs;
	struct pmon_calc calc;

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	for (size_t start = 0; start < T_LEN(counts); start++) {
		for (size_t i = 0; i < T_LEN(events); i++)
			events[i] = (struct event){
				.raw = {.time = (pmon_time)i,
					.first = counts[(start + i) % T_LEN(counts)]}};
		for (size_t n = 1; n <= T_LEN(events); n++) {
			play(&plain, &calc, events, n);
			(void)play_in_runs(&runs, &calc, events, n);
			t_same_stats(&runs, &plain);
		}
	}
}

// ---- Numbers -----------------------------------------------------------------------------------

// A number of column i. Columns keep to magnitudes of their own, more or less.
static double
column_number(struct t_rand *r, size_t i)
{
	double number = (double)(int64_t)(t_rand_u64(r) >> 12) * 0x1p-52;

	switch (t_rand_below(r, 40)) {
	case 0:
		return t_rand_below(r, 2) == 0 ? 0.0 : -0.0;
	case 1: // any that is plain
		return ldexp(number - 0.5, (int)t_rand_below(r, i % 4 == 0 ? 940 : 1000) - 940);
	case 2:
		return (double)t_rand_below(r, 2);
	default:
		if (i % 4 == 0) // just below what the sums of 1 and less are for
			return i % 8 == 0 ? 127 + number : -127 - number;
		return ldexp(i % 3 == 0 ? number : number - 0.5, (int)(i * 4) - 80);
	}
}

// ---- Values in a row ---------------------------------------------------------------------------

#define ROW 200

// A double, at times about or beyond 2^80, from which on there are no values.
static double
row_number(struct t_rand *r, size_t i)
{
	switch (t_rand_below(r, 40)) {
	case 0:
		return ldexp(1, 79 + (int)t_rand_below(r, 2));
	case 1:
		return ldexp(1, (int)t_rand_below(r, 1100));
	default:
		return column_number(r, i % 40);
	}
}

// Raw values that mostly go on: what is odd comes now and then.
static size_t
make_row(struct t_rand *r, uint32_t type, struct pmon_raw *raws)
{
	struct event events[MAX_EVENTS];
	struct pmon_raw raw = {.multi = 2, .first = 100, .second = 1000};
	size_t n = t_rand_below(r, ROW + 1);

	for (size_t i = 0; i < n; i++) {
		raw.time++;
		raw.multi = t_rand_below(r, 50) == 0 ? 0 : 4;
		raw.first = (int64_t)((uint64_t)raw.first +
				      (t_rand_u64(r) >> (8 + t_rand_below(r, 56))));
		raw.second = (int64_t)((uint64_t)raw.second +
				       (t_rand_u64(r) >> (8 + t_rand_below(r, 56))));
		raws[i] = raw;
		if (type == PMON_PERF_DOUBLE_RAW)
			raws[i].first = double_bits(row_number(r, i));
		else if (t_rand_below(r, 20) == 0 && make_series(r, type, events) > 0)
			raw = raws[i] = events[0].raw;
		if (t_rand_below(r, 40) == 0)
			raws[i].status = PMON_RAW_INVALID;
		else if (t_rand_below(r, 40) == 0)
			raws[i].status = PMON_RAW_CHANGED;
	}
	return n;
}

static void
test_values_in_a_row_are_those_of_each(void **state)
{
	struct t_rand r = {.state = 3};
	struct pmon_raw raws[ROW + 1];
	struct pmon_value out[ROW];

	(void)state;
	for (size_t t = 0; t < pmon_type_count(); t++) {
		for (int round = 0; round < 300; round++) {
			struct pmon_calc calc = make_calc(&r, pmon_type_at(t)->word);
			size_t n = make_row(&r, pmon_type_at(t)->word, raws + 1);
			const struct pmon_raw *older = NULL;

			if (round % 8 != 0)
				calc.options =
					(struct pmon_calc_options){.policy = calc.options.policy};
			if (round % 2 == 0 && n > 0) {
				raws[0] = raws[1];
				raws[0].first /= 2;
				older = raws;
			}
			pmon_calc_values(&calc, older, raws + 1, n, out);
			for (size_t i = 0; i < n; i++) {
				struct pmon_value want = pmon_calc_value(
					&calc, i == 0 ? older : &raws[i], &raws[i + 1]);

				t_same_value(&out[i], &want, pmon_type_at(t)->name);
			}
		}
	}
}

// ---- Columns -----------------------------------------------------------------------------------

#define COLUMNS 37 // of which five are left when eight are taken together

static struct pmon_raw
double_raw(double number, pmon_time time)
{
	return (struct pmon_raw){.time = time, .first = double_bits(number)};
}

// As many samples in columns as may be, and each number as if it stood alone.
static void
play_columns(struct t_rand *r, size_t n_samples,
	     bool (*add)(struct pmon_columns *, const double *, pmon_time), size_t *n_refused,
	     size_t *n_taken)
{
	static char memory[PMON_COLUMNS_SIZE(COLUMNS)];
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	struct pmon_stats plain[COLUMNS];
	struct pmon_stats stats[COLUMNS];
	struct pmon_columns columns = {.n = 0};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	for (size_t i = 0; i < COLUMNS; i++) {
		pmon_stats_init(&plain[i], &calc);
		pmon_stats_init(&stats[i], &calc);
	}
	for (size_t k = 0; k < n_samples; k++) {
		double numbers[COLUMNS];

		for (size_t i = 0; i < COLUMNS; i++) {
			struct pmon_raw raw;

			numbers[i] = k == 0 ? 1 : column_number(r, i);
			if (n_samples <= 100 && t_rand_below(r, 2000) == 0)
				numbers[i] = t_rand_below(r, 2) == 0 ? 0x1p79 : NAN;
			raw = double_raw(numbers[i], (int64_t)k);
			(void)pmon_stats_add(&plain[i], &raw);
		}
		if (columns.n > 0 && add(&columns, numbers, (int64_t)k)) {
			++*n_taken;
			continue;
		}
		*n_refused += columns.n > 0;
		pmon_columns_end(&columns);
		for (size_t i = 0; i < COLUMNS; i++) {
			struct pmon_raw raw = double_raw(numbers[i], (int64_t)k);

			(void)pmon_stats_add(&stats[i], &raw);
		}
		pmon_columns_begin(&columns, memory + k % 8, COLUMNS);
		for (size_t i = 0; i < COLUMNS; i++)
			if (!pmon_columns_take(&columns, i, &stats[i]))
				columns.n = 0;
	}
	pmon_columns_end(&columns);
	for (size_t i = 0; i < COLUMNS; i++)
		t_same_stats(&stats[i], &plain[i]);
}

static void
test_columns_are_the_plain_way(void **state)
{
	struct t_rand r = {.state = 5};
	size_t n_refused = 0;
	size_t n_taken = 0;

	(void)state;
	for (size_t round = 0; round < 60; round++) {
		// Sums are emptied after 1,023 samples.
		size_t n = round % 10 == 0 ? 3000 : 1 + t_rand_below(&r, 100);

		play_columns(&r, n, pmon_columns_add, &n_refused, &n_taken);
		play_columns(&r, n, pmon_columns_add_plain, &n_refused, &n_taken);
	}
	assert_true(n_refused > 10); // there were some
	assert_true(n_taken > 10 * n_refused);
}

// Sums are emptied after 1,023 samples and not before; numbers from 2^60 on are not taken.
static void
test_limits_of_columns(void **state)
{
	static char memory[PMON_COLUMNS_SIZE(1)];
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW, .size_bytes = 8};
	const double below = 0x1.fffffffffffffp59;
	const double limit = -0x1p60;
	const double one = 1;
	struct pmon_columns columns;
	struct pmon_stats stats;
	struct pmon_calc calc;
	struct pmon_raw raw = double_raw(1, 0);

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &raw);
	pmon_columns_begin(&columns, memory, 1);
	assert_true(pmon_columns_take(&columns, 0, &stats));
	for (uint32_t i = 1; i < 1023; i++) {
		assert_true(pmon_columns_add(&columns, &one, i));
		T_EQ_U64(columns.n_summed, i);
	}
	assert_true(pmon_columns_add(&columns, &one, 1023));
	T_EQ_U64(columns.n_summed, 0);
	T_EQ_U64(columns.n_samples, 1023);
	assert_true(pmon_columns_add(&columns, &below, 1024));
	assert_true(pmon_columns_add_plain(&columns, &below, 1025));
	assert_false(pmon_columns_add(&columns, &limit, 1026));
	assert_false(pmon_columns_add_plain(&columns, &limit, 1026));
	pmon_columns_end(&columns);
}

static void
test_other_series_are_no_columns(void **state)
{
	static char memory[PMON_COLUMNS_SIZE(1)];
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_RAWCOUNT, .size_bytes = 8};
	struct pmon_columns columns;
	struct pmon_stats stats;
	struct pmon_calc calc;
	struct pmon_raw raw = {.time = 1, .first = 1};

	(void)state;
	pmon_columns_begin(&columns, memory, 1);
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	(void)pmon_stats_add(&stats, &raw);
	assert_false(pmon_columns_take(&columns, 0, &stats)); // another formula
	counter.type = PMON_PERF_DOUBLE_RAW;
	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	assert_false(pmon_columns_take(&columns, 0, &stats)); // nothing before
	(void)pmon_stats_add(&stats, &raw);
	assert_true(pmon_columns_take(&columns, 0, &stats));
	pmon_stats_gap(&stats);
	assert_false(pmon_columns_take(&columns, 0, &stats)); // a gap
}

// ---- Small series ------------------------------------------------------------------------------

// Each series of up to five events of five kinds (a gap, a bad raw value, a step, a reset, another
// process), cut at each two places: no window is too short and no seam too odd to be met.
#define KINDS 5

static void
make_small(unsigned code, size_t n, struct event *events)
{
	static const uint32_t statuses[KINDS] = {
		[1] = PMON_RAW_NO_INSTANCE, [4] = PMON_RAW_CHANGED};
	int64_t first = 100;

	for (size_t i = 0; i < n; i++, code /= KINDS) {
		unsigned kind = code % KINDS;

		first = kind == 3 ? 1 : first + (int64_t)(i * i) + 1;
		events[i] = (struct event){.gap = kind == 0,
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
	struct event events[MAX_EVENTS];
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

// What must be the same for a merge: everything that a value depends on.
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
		struct pmon_calc_options options = {0};

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

// ---- Groups ------------------------------------------------------------------------------------

static struct pmon_stats
stats_of(uint32_t type, const struct pmon_raw *raw, size_t n)
{
	struct pmon_counter counter = {.type = type, .time_base = 10};
	struct pmon_calc calc;
	struct pmon_stats stats;

	pmon_calc_init(&calc, &counter, NULL);
	pmon_stats_init(&stats, &calc);
	for (size_t i = 0; i < n; i++)
		(void)pmon_stats_add(&stats, &raw[i]);
	return stats;
}

// Two disks: 3 reads of 10 ticks together, and 1 read of 50. By ((N1 - N0) / F) / (B1 - B0) with F = 10
// the group took (10 + 50) / 10 / (3 + 1) = 1.5 seconds a read.
static void
test_groups_add_up(void **state)
{
	static const struct pmon_raw one[] = {{.time = 1}, {.time = 3, .first = 10, .second = 3}};
	static const struct pmon_raw two[] = {{.time = 2}, {.time = 4, .first = 50, .second = 1}};
	struct pmon_stats group = stats_of(PMON_PERF_AVERAGE_TIMER, one, 2);
	struct pmon_stats member = stats_of(PMON_PERF_AVERAGE_TIMER, two, 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 1.5);
	T_EQ_DBL(group.minimum.value, 10.0 / 10 / 3);
	T_EQ_DBL(group.maximum.value, 5);
	T_EQ_I64(group.maximum_time, 4);
	T_EQ_U64(pmon_stats_samples(&group), 4);
	T_EQ_I64(group.first_raw_time, 1);
	T_EQ_I64(group.last_raw_time, 4);
	T_EQ_I64(group.last.status, PMON_V_NO_DATA);
}

// Of equal extremes the earliest is told, whichever member it is of.
static void
test_groups_tell_the_earliest(void **state)
{
	static const struct pmon_raw late = {.time = 9, .first = 7};
	static const struct pmon_raw early = {.time = 5, .first = 7};
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_RAWCOUNT, &late, 1);
	struct pmon_stats member = stats_of(PMON_PERF_COUNTER_RAWCOUNT, &early, 1);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_I64(group.minimum_time, 5);
	T_EQ_I64(group.maximum_time, 5);
}

// A log that tells the size of its counters and one that does not; the same disks as above.
static void
test_sizes_and_scales_add_up(void **state)
{
	static const struct pmon_raw one[] = {{.time = 1}, {.time = 3, .first = 10, .second = 3}};
	static const struct pmon_raw two[] = {{.time = 2}, {.time = 4, .first = 50, .second = 1}};
	struct pmon_stats group = stats_of(PMON_PERF_AVERAGE_TIMER, one, 2);
	struct pmon_stats member = stats_of(PMON_PERF_AVERAGE_TIMER, two, 2);

	(void)state;
	member.calc.counter.size_bytes = 4;
	member.calc.wraps_32bit = !group.calc.wraps_32bit;
	member.calc.counter.default_scale = 3;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 1.5);
	group.calc.options.default_scale = member.calc.options.default_scale = true;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_E_ARG);
}

// A disk of 100 and then 200 units of which 10 % are free, another of 100 units of which 90 are: 120 of
// 400 units, 30 %. The mean of the displayed values, 10, 10 and 90 %, would be 36.7 %. A whole of 0 has
// no part.
static void
test_fractions_of_a_group_are_parts_of_wholes(void **state)
{
	static const struct pmon_raw small[] = {{.first = 10, .second = 100},
						{.first = 20, .second = 200}};
	static const struct pmon_raw full[] = {{.first = 90, .second = 100}, {.first = 7}};
	struct pmon_stats group = stats_of(PMON_PERF_RAW_FRACTION, small, 2);
	struct pmon_stats member = stats_of(PMON_PERF_RAW_FRACTION, full, 2);
	struct pmon_stats none = stats_of(PMON_PERF_RAW_FRACTION, &full[1], 1);
	struct pmon_stats nothing = none;

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 30);
	T_EQ_U64(group.members, 2);
	T_EQ_I64(pmon_stats_gather(&none, &nothing), PMON_OK);
	T_EQ_I64(pmon_stats_average(&none).status, PMON_V_BASE_ZERO);
	none = member = stats_of(PMON_PERF_RAW_FRACTION, &(struct pmon_raw){.second = 9}, 1);
	T_EQ_I64(pmon_stats_gather(&none, &member), PMON_OK); // nothing of something is 0 %
	T_EQ_I64(pmon_stats_average(&none).status, PMON_V_OK);
	T_EQ_DBL(pmon_stats_average(&none).value, 0);
}

// 10 of 100 and 60 of 200 are 10 % and 30 %: the series alone has their mean, 20 %, and so has a group
// of it and of a series without values; 70 of 300 would be 23.3 %.
static void
test_a_group_of_one_is_that_series(void **state)
{
	static const struct pmon_raw raw[] = {{.first = 10, .second = 100},
					      {.first = 60, .second = 200}};
	static const struct pmon_raw bad = {.status = PMON_RAW_INVALID};
	static const struct pmon_raw elapsed = {.first = 1, .second = 11};
	struct pmon_stats group = stats_of(PMON_PERF_RAW_FRACTION, raw, 2);
	struct pmon_stats empty = stats_of(PMON_PERF_RAW_FRACTION, &bad, 1);
	struct pmon_stats late = empty;

	(void)state;
	T_EQ_I64(pmon_stats_gather(&late, &group), PMON_OK);
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 20);
	T_EQ_DBL(pmon_stats_average(&late).value, 20);
	empty = stats_of(PMON_PERF_ELAPSED_TIME, &bad, 1);
	group = stats_of(PMON_PERF_ELAPSED_TIME, &elapsed, 1);
	group.calc.counter.time_base = empty.calc.counter.time_base;
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
}

// Two units that were busy for 5 of 10 ticks, and four that were: 10 of 60 ticks of one unit. Of the
// inverse type 5 of 20 and 5 of 40 were idle, 50 of 60 busy in 20 ticks: 250 %.
static void
test_units_of_a_group_weigh_its_time(void **state)
{
	static const struct pmon_raw units[2][2] = {
		{{.multi = 2}, {.first = 5, .second = 10, .multi = 2}},
		{{.multi = 4}, {.first = 5, .second = 10, .multi = 4}}};
	static const struct pmon_raw bad = {.status = PMON_RAW_INVALID, .multi = 9};
	struct pmon_stats group = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units[0], 2);
	struct pmon_stats member = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units[1], 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 100 * (10.0 / 20) / 3);
	T_EQ_U64(pmon_stats_samples(&group), 4);
	member = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, &bad, 1);
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 100 * (10.0 / 20) / 3);
	group = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, units[0], 2);
	member = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, units[1], 2);
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 250);
}

// Never idle: (2 + 4) / 2 units were busy in all of their time.
static void
test_units_of_a_group_that_was_never_idle(void **state)
{
	static const struct pmon_raw busy[2][2] = {{{.multi = 2}, {.second = 10, .multi = 2}},
						   {{.multi = 4}, {.second = 10, .multi = 4}}};
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, busy[0], 2);
	struct pmon_stats member = stats_of(PMON_PERF_COUNTER_MULTI_TIMER_INV, busy[1], 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 300);
}

static void
test_groups_that_do_not_add_up(void **state)
{
	static const struct pmon_raw units[] = {{.multi = 2},
						{.first = 5, .second = 10, .multi = 2}};
	static const struct pmon_raw elapsed = {.first = 1, .second = 11};
	struct pmon_stats group = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units, 2);
	struct pmon_stats member = stats_of(PMON_PERF_100NSEC_TIMER, units, 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_E_ARG);
	group = stats_of(PMON_PERF_ELAPSED_TIME, &elapsed, 1);
	member = group;
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_E_UNSUPPORTED);
}

static struct pmon_raw
count_at(int64_t first, pmon_time time)
{
	return (struct pmon_raw){.first = first, .time = time};
}

// Members of 3 to 8 at 10 to 30, and of others beside it.
static void
check_extremes_with(const struct pmon_raw *raws, size_t n, double low, pmon_time low_at,
		    double high, pmon_time high_at)
{
	const struct pmon_raw own[] = {count_at(5, 10), count_at(3, 20), count_at(8, 30)};
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_RAWCOUNT, own, 3);
	struct pmon_stats member = stats_of(PMON_PERF_COUNTER_RAWCOUNT, raws, n);

	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(group.minimum.value, low);
	T_EQ_I64(group.minimum_time, low_at);
	T_EQ_DBL(group.maximum.value, high);
	T_EQ_I64(group.maximum_time, high_at);
	T_EQ_I64(group.first_raw_time, n > 0 && raws[0].time < 10 ? raws[0].time : 10);
	T_EQ_I64(group.last_raw_time, n > 0 && raws[n - 1].time > 30 ? raws[n - 1].time : 30);
}

static void
test_extremes_and_times_of_groups(void **state)
{
	const struct pmon_raw wider[] = {count_at(1, 1), count_at(9, 40)};
	const struct pmon_raw inside[] = {count_at(4, 2), count_at(7, 3)};
	const struct pmon_raw later[] = {count_at(3, 21), count_at(8, 31)};
	const struct pmon_raw earlier[] = {count_at(3, 19), count_at(8, 29)};

	(void)state;
	check_extremes_with(wider, 2, 1, 1, 9, 40);
	check_extremes_with(inside, 2, 3, 20, 8, 30);
	check_extremes_with(later, 2, 3, 20, 8, 30);
	check_extremes_with(earlier, 2, 3, 19, 8, 29);
	check_extremes_with(NULL, 0, 3, 20, 8, 30);
}

// A member without values has no extremes, though its fields are 0 there.
static void
test_groups_with_empty_members(void **state)
{
	const struct pmon_raw zero = count_at(0, 7);
	struct pmon_stats group = stats_of(PMON_PERF_COUNTER_RAWCOUNT, &zero, 1);
	struct pmon_stats empty = stats_of(PMON_PERF_COUNTER_RAWCOUNT, NULL, 0);
	const struct pmon_raw units[] = {{.time = 1, .multi = 2},
					 {.time = 2, .first = 5, .second = 10, .multi = 2}};
	struct pmon_stats member = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, units, 2);

	(void)state;
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
	T_EQ_I64(group.minimum_time, 7);
	T_EQ_I64(group.maximum_time, 7);
	T_EQ_I64(group.first_raw_time, 7);
	T_EQ_I64(group.last_raw_time, 7);
	T_EQ_I64(pmon_stats_gather(&empty, &group), PMON_OK);
	T_EQ_I64(empty.minimum.status, PMON_V_OK);
	T_EQ_I64(empty.minimum_time, 7);
	T_EQ_I64(empty.maximum_time, 7);
	T_EQ_I64(empty.first_raw_time, 7);
	T_EQ_I64(empty.last_raw_time, 7);
	// The units of the first member that has any: 100 * (5 / 10) / 2.
	group = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, NULL, 0);
	T_EQ_I64(pmon_stats_gather(&group, &member), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 25);
	empty = stats_of(PMON_PERF_100NSEC_MULTI_TIMER, NULL, 0);
	T_EQ_I64(pmon_stats_gather(&group, &empty), PMON_OK);
	T_EQ_DBL(pmon_stats_average(&group).value, 25);
	assert_true(group.has_tail);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_series_of_every_type),
		cmocka_unit_test(test_another_process_at_the_beginning),
		cmocka_unit_test(test_what_a_change_at_the_beginning_does),
		cmocka_unit_test(test_runs_are_the_plain_way),
		cmocka_unit_test(test_runs_of_large_counts),
		cmocka_unit_test(test_values_in_a_row_are_those_of_each),
		cmocka_unit_test(test_columns_are_the_plain_way),
		cmocka_unit_test(test_limits_of_columns),
		cmocka_unit_test(test_other_series_are_no_columns),
		cmocka_unit_test(test_all_small_series),
		cmocka_unit_test(test_refuses_other_counters),
		cmocka_unit_test(test_groups_add_up),
		cmocka_unit_test(test_groups_tell_the_earliest),
		cmocka_unit_test(test_extremes_and_times_of_groups),
		cmocka_unit_test(test_groups_with_empty_members),
		cmocka_unit_test(test_sizes_and_scales_add_up),
		cmocka_unit_test(test_fractions_of_a_group_are_parts_of_wholes),
		cmocka_unit_test(test_a_group_of_one_is_that_series),
		cmocka_unit_test(test_units_of_a_group_weigh_its_time),
		cmocka_unit_test(test_units_of_a_group_that_was_never_idle),
		cmocka_unit_test(test_groups_that_do_not_add_up),
	};

	return cmocka_run_group_tests_name("core_merge", tests, NULL, NULL);
}
