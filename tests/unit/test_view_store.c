// test_view_store.c - the store of pmon view gives the same numbers as pmon stats --from --to, bit
// for bit
// SPDX-License-Identifier: MIT
//
// The same samples go through pmon_window_open() and pmon_statistics_add(), which stream, and through
// the store, which has columns. Expected are the numbers of the former.

#include "t.h"

#include <stdlib.h>
#include <string.h>

#include "memsource.h"
#include "web/block.h"
#include "web/picture.h"
#include "web/store.h"

#define START   INT64_C(134396604000000000) // 2026-11-20T15:00:00Z
#define SAMPLES 1500
#define SERIES  7

static const struct pmon_calc_options no_options = {.size = sizeof(no_options)};

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

// ---- A log with everything in it ------------------------------------------------------------

struct writer {
	struct mem_source *m;
	uint32_t ids[SERIES];
	int64_t first[SERIES];
	bool begins[SERIES]; // its process begins before the sample that comes
	uint64_t random;
};

static void
add_series(struct writer *w)
{
	static const uint32_t types[SERIES] = {
		PMON_PERF_COUNTER_COUNTER,     PMON_PERF_COUNTER_BULK_COUNT,
		PMON_PERF_100NSEC_TIMER_INV,   PMON_PERF_COUNTER_RAWCOUNT,
		PMON_PERF_AVERAGE_BULK,        PMON_PERF_PRECISION_100NS_TIMER,
		PMON_PERF_COUNTER_LARGE_DELTA,
	};
	char path[64];

	for (size_t i = 0; i < SERIES; i++) {
		(void)snprintf(path, sizeof(path), "\\\\SRV\\Thing(%d)\\Value", (int)i);
		w->ids[i] = mem_source_series(w->m, path, types[i], PMON_TIME_PER_SEC);
	}
}

static int64_t
second_of(size_t i, int64_t clock)
{
	return i == 4 ? clock / 1000000 : clock;
}

// Processes of some series began after the previous sample: a sample with their start values.
static void
add_starts(struct writer *w, pmon_time time, int64_t clock)
{
	struct pmon_sample *sample;

	mem_source_sample(w->m, time);
	sample = &w->m->samples[w->m->n - 1];
	sample->preceding = sample->starts = true;
	sample->ordinal--; // that of the sample before, which none of them was in
	w->m->ordinals[0]--;
	for (size_t i = 0; i < SERIES; i++) {
		struct pmon_raw raw = {.status = PMON_RAW_STARTED,
				       .multi = 1,
				       .time = time - PMON_TIME_PER_SEC / 2,
				       .second = second_of(i, clock - PMON_TIME_PER_SEC / 2)};

		w->begins[i] = next_random(&w->random) % 2 == 0;
		if (!w->begins[i])
			continue;
		w->first[i] = 0;
		mem_source_put(w->m, w->ids[i], &raw);
	}
}

// 32-bit counters wrap around, others are sometimes reset; instances come and go, and belong to
// changing processes; raw values can be bad.
static void
add_raw(struct writer *w, size_t i, int64_t clock)
{
	uint64_t dice = w->begins[i] ? 50 : next_random(&w->random) % 100;

	w->begins[i] = false;
	if (i > 2 && dice < 10)
		return; // absent
	if (dice >= 10 && dice < 13) {
		mem_source_bad(w->m, w->ids[i], PMON_RAW_INVALID);
		return;
	}
	if (dice == 99)
		w->first[i] = 0;
	w->first[i] += (int64_t)(next_random(&w->random) % (i == 0 ? 400000000 : 9000000));
	if (i == 0)
		w->first[i] &= UINT32_MAX;
	mem_source_raw(w->m, w->ids[i], w->first[i], second_of(i, clock));
	if (dice == 98)
		w->m->raw[w->m->n_values - 1].status = PMON_RAW_CHANGED;
}

// steps: the clock of the machine is set back sometimes.
static struct pmon_source *
make_log(uint64_t seed, bool steps)
{
	struct writer w = {.m = mem_source_new(), .random = seed};
	pmon_time time = START;

	add_series(&w);
	for (size_t n = 0; n < SAMPLES; n++) {
		uint64_t dice = next_random(&w.random) % 200;
		int64_t clock;

		time += PMON_TIME_PER_SEC + (int64_t)(dice == 0 ? 50 * PMON_TIME_PER_SEC : dice);
		if (steps && dice == 7)
			time -= 30 * PMON_TIME_PER_SEC;
		if (dice == 3)
			mem_source_skip(w.m);
		clock = time - START + (int64_t)(n * PMON_TIME_PER_SEC);
		if (n > 0 && dice % 10 == 8)
			add_starts(&w, time, clock);
		mem_source_sample(w.m, time);
		for (size_t i = 0; i < SERIES; i++)
			add_raw(&w, i, clock);
	}
	return mem_source_open(w.m);
}

static struct store *
make_store(uint64_t seed, bool steps, int64_t history_100ns)
{
	struct pmon_source *source = make_log(seed, steps);
	const struct pmon_sample *sample;
	struct store *store;

	assert_int_equal(store_new(history_100ns, &store, NULL), PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		assert_int_equal(store_add(store, pmon_source_schema(source), sample, NULL),
				 PMON_OK);
	pmon_source_close(source);
	return store;
}

// ---- Windows --------------------------------------------------------------------------------

static void
same_value(const struct pmon_value *a, const struct pmon_value *b)
{
	assert_int_equal(a->status, b->status);
	assert_memory_equal(&a->value, &b->value, sizeof(double));
}

static void
same_stats(const struct pmon_stats *a, const struct pmon_stats *b)
{
	struct pmon_value x = pmon_stats_average(a);
	struct pmon_value y = pmon_stats_average(b);

	same_value(&x, &y);
	same_value(&a->last, &b->last);
	same_value(&a->minimum, &b->minimum);
	same_value(&a->maximum, &b->maximum);
	assert_true(a->minimum_time == b->minimum_time && a->maximum_time == b->maximum_time);
	assert_true(a->first_raw_time == b->first_raw_time);
	assert_true(a->last_raw_time == b->last_raw_time);
	assert_memory_equal(a->count, b->count, sizeof(a->count));
	assert_true(a->pairs == b->pairs);
}

// The streaming way.
static struct pmon_statistics *
stream(struct pmon_source **source, const struct store_window *window)
{
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;

	assert_int_equal(pmon_window_open(*source, window->from, window->to, NULL, source, NULL),
			 PMON_OK);
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(*source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	while (pmon_source_next(*source, &sample, NULL) == PMON_OK)
		assert_int_equal(pmon_statistics_add(statistics, sample, NULL, NULL), PMON_OK);
	return statistics;
}

static void
walk_all(struct store_walk *walk)
{
	struct store_value value;

	while (store_walk_next(walk, &value))
		(void)pmon_stats_add(&walk->stats, &value.raw);
	assert_false(walk->cursor.failed);
}

static size_t
compare_window(struct store *store, uint64_t seed, bool steps, const struct store_window *window)
{
	struct pmon_source *source = make_log(seed, steps);
	struct pmon_statistics *statistics = stream(&source, window);
	struct store_walk walk;
	size_t compared = 0;

	store_lock(store);
	for (uint32_t i = 0; i < SERIES; i++) {
		const struct pmon_stats *expected = pmon_statistics_at(statistics, i);

		store_walk_open(&walk, store, i, window, NULL);
		walk_all(&walk);
		if (expected == NULL || pmon_stats_samples(expected) == 0) {
			assert_int_equal(pmon_stats_samples(&walk.stats), 0);
			continue;
		}
		same_stats(&walk.stats, expected);
		compared++;
	}
	store_unlock(store);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return compared;
}

static struct store_window
random_window(uint64_t *random)
{
	int64_t length = SAMPLES * PMON_TIME_PER_SEC * 5 / 4;
	struct store_window window = {START + (int64_t)(next_random(random) % (uint64_t)length),
				      PMON_TIME_NONE};

	if (next_random(random) % 8 != 0) {
		int64_t most = (int64_t)(next_random(random) % (uint64_t)length);

		window.to = window.from + most / (1 + (int64_t)(next_random(random) % 50));
	}
	if (next_random(random) % 8 == 0)
		window.from = PMON_TIME_NONE;
	return window;
}

// The window begins at the time of a sample, or directly after it, and is short.
static void
begin_at_sample(struct store_window *window, uint64_t seed, bool steps, uint64_t *random)
{
	struct pmon_source *source = make_log(seed, steps);
	const struct pmon_sample *sample;
	uint64_t skipped = next_random(random) % SAMPLES;

	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		window->from = sample->time + (int64_t)(skipped % 2);
		if (skipped-- == 0)
			break;
	}
	window->to = window->from + (int64_t)(next_random(random) % 60) * PMON_TIME_PER_SEC;
	pmon_source_close(source);
}

static void
compare_windows(bool steps)
{
	uint64_t random = 99;
	size_t compared = 0;

	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct store *store = make_store(seed, steps, 0);

		for (size_t i = 0; i < 40; i++) {
			struct store_window window = random_window(&random);

			if (i % 2 != 0)
				begin_at_sample(&window, seed, steps, &random);
			compared += compare_window(store, seed, steps, &window);
		}
		store_free(store);
	}
	assert_true(compared > 500);
}

static void
windows_are_those_of_stats(void **state)
{
	(void)state;
	compare_windows(false);
}

static void
windows_across_clock_steps(void **state)
{
	(void)state;
	compare_windows(true);
}

// A window of one sample, at its very 100 ns, has the pair with the sample before it.
static void
ends_belong_to_a_window(void **state)
{
	struct store *store = make_store(1, false, 0);
	struct store_window window;
	size_t compared = 0;

	(void)state;
	for (uint32_t at = 0; at < SAMPLES; at += 97) {
		window.from = window.to = store_sample_at(store, at)->time;
		compared += compare_window(store, 1, false, &window);
		assert_int_equal(store_extent(store, &window).samples >= 1, 1);
	}
	assert_true(compared > 50);
	store_free(store);
}

// ---- Blocks ---------------------------------------------------------------------------------

static void
blocks_keep_every_bit(void **state)
{
	struct store *store = make_store(1, false, 0);
	struct store_value in[STORE_BLOCK];
	struct store_value out[STORE_BLOCK];
	uint8_t bytes[BLOCK_BYTES];
	uint64_t random = 5;
	uint8_t seen = 0;

	(void)state;
	for (size_t round = 0; round < 200; round++) {
		size_t n = 1 + next_random(&random) % STORE_BLOCK;
		uint64_t kind = next_random(&random);
		uint8_t flags;
		size_t len;

		memset(in, 0, sizeof(in));
		for (size_t i = 0; i < n; i++) {
			in[i].at = (uint32_t)(kind & 1 ? i : i * 2 + next_random(&random) % 2);
			in[i].raw.time =
				store_sample_at(store, in[i].at)->time + (kind & 2 ? 7 : 0);
			in[i].raw.first = (int64_t)(next_random(&random) << 33);
			in[i].raw.second = kind & 4 ? -(int64_t)next_random(&random) : 0;
			in[i].raw.status = kind & 8 ? (uint32_t)(i & 1) : PMON_RAW_NEW;
			in[i].raw.multi = kind & 16 ? (uint32_t)i : 4;
		}
		len = block_encode(store_samples(store), in, n, bytes, &flags);
		assert_true(len <= BLOCK_BYTES);
		seen |= flags;
		memset(out, 0xAA, sizeof(out));
		assert_true(
			block_decode(store_samples(store), bytes, len, flags, in[0].at, out, n));
		for (size_t i = 0; i < n; i++)
			assert_memory_equal(&in[i], &out[i], offsetof(struct store_value, at) + 4);
		assert_false(block_decode(store_samples(store), bytes, len - 1, flags, in[0].at,
					  out, n));
	}
	assert_int_equal(seen, 31);
	store_free(store);
}

// ---- Pictures -------------------------------------------------------------------------------

static void
check_picture(const struct picture *p, const struct store_walk *walk)
{
	double low = 0;
	double high = 0;
	bool any = false;

	for (size_t i = 0; i < p->n; i++) {
		if (i > 0)
			assert_true(p->points[i].ms >= p->points[i - 1].ms);
		if (!p->points[i].has_value)
			continue;
		low = !any || p->points[i].low < low ? p->points[i].low : low;
		high = !any || p->points[i].high > high ? p->points[i].high : high;
		any = true;
	}
	assert_int_equal(any, pmon_vstat_has_value(walk->stats.minimum.status));
	if (any) {
		assert_memory_equal(&low, &walk->stats.minimum.value, sizeof(low));
		assert_memory_equal(&high, &walk->stats.maximum.value, sizeof(high));
	}
}

// Every displayed value lies in the column that its time belongs to.
static void
check_containment(const struct picture *p, const struct store *store, uint32_t id,
		  const struct store_window *window, const struct picture_grid *grid)
{
	double from = picture_ms(grid->from);
	double width = (picture_ms(grid->to) - from) / (double)grid->columns;
	struct store_value value;
	struct store_walk walk;

	store_walk_open(&walk, store, id, window, NULL);
	while (store_walk_next(&walk, &value)) {
		struct pmon_value shown = pmon_stats_add(&walk.stats, &value.raw);
		double ms = picture_ms(store_sample_at(store, value.at)->time);
		bool inside = false;

		if (!pmon_vstat_has_value(shown.status))
			continue;
		for (size_t i = 0; i < p->n && !inside; i++)
			inside = p->points[i].has_value && p->points[i].low <= shown.value &&
				 p->points[i].high >= shown.value &&
				 p->points[i].ms - ms < width / 2 + 2 &&
				 ms - p->points[i].ms < width / 2 + 2;
		assert_true(inside);
	}
}

static void
pictures_hold_every_extreme(void **state)
{
	struct store *store = make_store(2, false, 0);
	uint64_t random = 4;
	size_t exact = 0;
	size_t coarse = 0;

	(void)state;
	for (size_t i = 0; i < 60; i++) {
		struct store_window window = random_window(&random);
		struct store_extent extent = store_extent(store, &window);
		struct picture_grid grid = {extent.first, extent.last,
					    1 + (size_t)(next_random(&random) % 300)};
		uint32_t id = (uint32_t)(next_random(&random) % SERIES);
		struct store_walk walk;
		struct picture p;

		if (extent.samples == 0)
			continue;
		store_walk_open(&walk, store, id, &window, NULL);
		walk_all(&walk);
		assert_true(picture_draw(&p, store, id, &window, &grid, &no_options));
		same_stats(&p.stats, &walk.stats);
		check_picture(&p, &walk);
		assert_true(p.n <= 2 * grid.columns);
		exact += p.exact;
		coarse += !p.exact;
		if (!p.exact)
			check_containment(&p, store, id, &window, &grid);
		picture_free(&p);
	}
	assert_true(exact > 5 && coarse > 5);
	store_free(store);
}

static void
clock_steps_are_drawn_in_order(void **state)
{
	struct store *store = make_store(3, true, 0);
	struct store_window window = {PMON_TIME_NONE, PMON_TIME_NONE};
	struct store_extent extent = store_extent(store, &window);
	struct picture_grid grid = {extent.first, extent.last, 4000};
	struct store_walk walk;
	struct picture p;

	(void)state;
	store_walk_open(&walk, store, 0, &window, NULL);
	walk_all(&walk);
	assert_true(picture_draw(&p, store, 0, &window, &grid, &no_options));
	assert_false(p.exact);
	check_picture(&p, &walk);
	picture_free(&p);
	store_free(store);
}

// One sample of a million is another; 500 columns show it.
static void
one_spike_is_seen(void **state)
{
	struct pmon_schema *schema;
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\SRV\\Thing\\Value", PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct pmon_source *source = mem_source_open(m);
	struct store_window window = {PMON_TIME_NONE, PMON_TIME_NONE};
	struct picture_grid grid = {START, START + 999999 * PMON_TIME_PER_SEC, 500};
	struct store *store;
	struct picture p;
	size_t seen = 0;

	(void)state;
	schema = (struct pmon_schema *)(uintptr_t)pmon_source_schema(source);
	assert_int_equal(store_new(0, &store, NULL), PMON_OK);
	for (int64_t i = 0; i < 1000000; i++) {
		struct pmon_raw raw = {.time = START + i * PMON_TIME_PER_SEC,
				       .first = i == 765432 ? 1000 : 1};
		struct pmon_sample sample = {.time = raw.time,
					     .ordinal = (uint64_t)i,
					     .n = 1,
					     .series = &id,
					     .raw = &raw};

		assert_int_equal(store_add(store, schema, &sample, NULL), PMON_OK);
	}
	assert_true(picture_draw(&p, store, id, &window, &grid, &no_options));
	assert_int_equal(p.n, 500);
	for (size_t i = 0; i < p.n; i++)
		seen += p.points[i].high == 1000 && p.points[i].low == 1 && i == 765432 / 2000;
	assert_int_equal(seen, 1);
	picture_free(&p);
	store_free(store);
	pmon_source_close(source);
}

// ---- A history ------------------------------------------------------------------------------

static void
history_is_bounded(void **state)
{
	int64_t history = 200 * PMON_TIME_PER_SEC;
	struct store *store = make_store(1, false, history);
	struct store_window all = {PMON_TIME_NONE, PMON_TIME_NONE};
	struct store_extent extent = store_extent(store, &all);
	struct store_window kept = {extent.first + PMON_TIME_PER_SEC * 10, PMON_TIME_NONE};

	(void)state;
	assert_int_equal(store_end(store) >= SAMPLES, 1);
	assert_true(store_begin(store) > 0);
	assert_true(extent.last - extent.first >= history);
	// An eighth at a time is forgotten, and gaps of this log are 50 s long.
	assert_true(extent.last - extent.first < history + history / 4 + 100 * PMON_TIME_PER_SEC);
	assert_true(compare_window(store, 1, false, &kept) > 0);
	store_free(store);
}

// A cursor that is kept while samples are dropped continues with the remaining ones.
static void
cursor_outlives_what_it_reads(void **state)
{
	struct pmon_source *source = make_log(1, false);
	const struct pmon_sample *sample;
	struct store_cursor cursor;
	struct store_value value;
	struct store *store;
	uint32_t last = 0;
	size_t given = 0;

	(void)state;
	assert_int_equal(store_new(100 * PMON_TIME_PER_SEC, &store, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_int_equal(store_add(store, pmon_source_schema(source), sample, NULL), PMON_OK);
	assert_false(store_cursor_open(&cursor, store, 1, 0, &value));
	for (size_t n = 1; pmon_source_next(source, &sample, NULL) == PMON_OK;) {
		assert_int_equal(store_add(store, pmon_source_schema(source), sample, NULL),
				 PMON_OK);
		n += !sample->preceding;
		if (sample->preceding || n % 400 != 0 || !store_cursor_next(&cursor, &value))
			continue;
		assert_true(value.at >= store_begin(store) && value.at >= last);
		last = value.at;
		given++;
	}
	assert_int_equal(given, 3);
	pmon_source_close(source);
	store_free(store);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_those_of_stats),
		cmocka_unit_test(windows_across_clock_steps),
		cmocka_unit_test(ends_belong_to_a_window),
		cmocka_unit_test(blocks_keep_every_bit),
		cmocka_unit_test(pictures_hold_every_extreme),
		cmocka_unit_test(clock_steps_are_drawn_in_order),
		cmocka_unit_test(one_spike_is_seen),
		cmocka_unit_test(history_is_bounded),
		cmocka_unit_test(cursor_outlives_what_it_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
