// test_top_model.c - the rows of pmon top: statistics, past, order, filter, selection
// SPDX-License-Identifier: MIT
//
// Values are gauges (the raw value itself) and rates of so many events per second, so the expected
// values can be seen where samples are written.

#include "t.h"

#include <math.h>
#include <string.h>

#include <pmon/query.h>

#include "verbs/top/model.h"
#include "memsource.h"

#define SEC PMON_TIME_PER_SEC

static void
play(struct top_model *model, struct pmon_source *source)
{
	const struct pmon_sample *sample;

	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		assert_int_equal(top_model_add(model, sample, NULL), PMON_OK);
	assert_int_equal(top_model_arrange(model, NULL), PMON_OK);
}

static void
begin(struct top_model *model, struct pmon_source *source, const struct top_options *options)
{
	assert_int_equal(top_model_init(model, pmon_source_schema(source), options, NULL), PMON_OK);
}

static void
end(struct top_model *model, struct pmon_source *source)
{
	top_model_free(model);
	pmon_source_close(source);
}

// The names of the rows that are shown, with commas between them.
static const char *
shown(const struct top_model *model)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < model->n_shown; i++) {
		struct pmon_span name = top_model_name(model, model->shown[i]);

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%.*s", i > 0 ? "," : "",
					(int)name.len, name.ptr);
	}
	return text;
}

static void
arrange(struct top_model *model)
{
	assert_int_equal(top_model_arrange(model, NULL), PMON_OK);
}

// ---- Values ---------------------------------------------------------------------------------

// 100 events in 1 s and 300 in 3 s: rates 100 and 100, the average of type 400 / 4 s. The gauge is 5,
// 1, 9: average 5, the last 9.
static void
statistics(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t rate =
		mem_source_series(m, "\\\\S\\Web\\Requests/sec", PMON_PERF_COUNTER_BULK_COUNT, 1);
	uint32_t gauge = mem_source_series(m, "\\\\S\\Web\\Queue", PMON_PERF_COUNTER_RAWCOUNT, 0);
	static const int64_t at[] = {0, 1, 4}, requests[] = {0, 100, 400}, queue[] = {5, 1, 9};
	struct top_options options = {.keep_all = true};
	struct top_model model;
	struct pmon_source *source;

	(void)state;
	for (int i = 0; i < 3; i++) {
		mem_source_sample(m, SEC + at[i] * SEC);
		mem_source_raw(m, rate, requests[i], at[i]);
		mem_source_raw(m, gauge, queue[i], 0);
	}
	source = mem_source_open(m);
	begin(&model, source, &options);
	play(&model, source);
	assert_string_equal(shown(&model), "Web\\Requests/sec,Web\\Queue");
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, rate)), 100);
	T_EQ_DBL(top_model_row(&model, rate)->average.value, 100);
	T_EQ_DBL(top_model_row(&model, gauge)->average.value, 5);
	T_EQ_DBL(top_model_row(&model, gauge)->minimum.value, 1);
	T_EQ_DBL(top_model_row(&model, gauge)->maximum.value, 9);
	T_EQ_DBL(top_model_row(&model, gauge)->last.value, 9);
	assert_true(top_model_row(&model, rate)->has_older);
	assert_int_equal(top_model_row(&model, rate)->older.first, 100);
	assert_int_equal(top_model_row(&model, rate)->newer.first, 400);

	// The nearest sample, the earlier of two that are as near: at 1, 2 and 5 s.
	static const struct {
		int64_t to;
		int64_t at;
	} jumps[] = {{0, 1}, {1, 1}, {2, 2}, {3, 2}, {4, 5}, {60, 5}};
	for (size_t i = 0; i < T_LEN(jumps); i++) {
		top_model_jump(&model, jumps[i].to * SEC);
		assert_true(top_model_time(&model) == jumps[i].at * SEC);
		assert_true(model.at_newest == (jumps[i].at == 5));
	}
	top_model_jump(&model, INT64_MIN);
	assert_true(top_model_time(&model) == 1 * SEC);
	top_model_jump(&model, INT64_MAX);
	assert_true(top_model_time(&model) == 5 * SEC);

	// The cursor of time: the first sample of a rate has no value.
	assert_true(top_model_time(&model) == 5 * SEC);
	top_model_step(&model, -1);
	assert_false(model.at_newest);
	assert_true(top_model_time(&model) == 2 * SEC);
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, gauge)), 1);
	top_model_step(&model, -10);
	assert_true(top_model_time(&model) == 1 * SEC);
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, gauge)), 5);
	assert_true(isnan(top_model_value(&model, top_model_row(&model, rate))));
	top_model_step(&model, 10);
	assert_true(model.at_newest);
	top_model_oldest(&model);
	assert_true(top_model_time(&model) == 1 * SEC);
	top_model_newest(&model);
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, gauge)), 9);
	end(&model, source);
}

// ---- The past -------------------------------------------------------------------------------

// A source with one gauge, whose samples the test supplies itself.
static struct pmon_source *
one_gauge(void)
{
	struct mem_source *m = mem_source_new();

	(void)mem_source_series(m, "\\\\S\\O\\Ramp", PMON_PERF_COUNTER_RAWCOUNT, 0);
	return mem_source_open(m);
}

// Sample i, i + 1 s after the beginning, in which the gauge is i.
static void
add(struct top_model *model, int64_t i)
{
	static const uint32_t series = 0;
	struct pmon_raw raw = {.time = (1 + i) * SEC, .first = i};
	struct pmon_sample sample = {.time = (1 + i) * SEC,
				     .ordinal = (uint64_t)i,
				     .n = 1,
				     .series = &series,
				     .raw = &raw};

	assert_int_equal(top_model_add(model, &sample, NULL), PMON_OK);
}

static void
play_ramp(struct top_model *model, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		add(model, i);
	assert_int_equal(top_model_arrange(model, NULL), PMON_OK);
}

// For a machine, the newest TOP_SLOTS samples are kept, one per slot.
static void
ring(void **state)
{
	struct pmon_source *source = one_gauge();
	struct top_options options = {.keep_all = false};
	struct top_model model;
	struct top_span span;

	(void)state;
	begin(&model, source, &options);
	play_ramp(&model, TOP_SLOTS + 50);
	assert_int_equal(model.first_slot, 50);
	assert_int_equal(model.view_end, TOP_SLOTS + 50);
	assert_true(top_model_span(&model, top_model_row(&model, 0), 0, model.view_end, &span));
	assert_float_equal(span.low, 50, 0);
	assert_float_equal(span.high, TOP_SLOTS + 49, 0);
	top_model_oldest(&model);
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, 0)), 50);
	assert_true(top_model_time(&model) == 51 * SEC);
	end(&model, source);
}

// A log is kept as a whole: 2500 samples are more than twice, and less than eight times TOP_SLOTS,
// so a slot covers 8 of them. No value is lost: slot k has those from 8k to 8k + 7.
static void
decimated(void **state)
{
	struct pmon_source *source = one_gauge();
	struct top_options options = {.keep_all = true};
	struct top_model model;
	struct top_span span;

	(void)state;
	begin(&model, source, &options);
	play_ramp(&model, 2500);
	assert_int_equal(model.samples_per_slot, 8);
	assert_int_equal(model.view_end, (2500 + 7) / 8);
	for (uint64_t k = 0; k < model.view_end; k++) {
		float last = k == 312 ? 2499 : (float)(8 * k + 7);

		assert_true(top_model_span(&model, top_model_row(&model, 0), k, k + 1, &span));
		assert_float_equal(span.low, (float)(8 * k), 0);
		assert_float_equal(span.high, last, 0);
		assert_float_equal(span.last, last, 0);
		assert_true(model.time[k] == (1 + (int64_t)last) * SEC);
	}
	T_EQ_DBL(top_model_row(&model, 0)->average.value, 2499 / 2.0);
	end(&model, source);
}

// If memory runs out, there are fewer slots, possibly an odd number, but still nothing is lost.
static void
little_memory(void **state)
{
	struct pmon_source *source = one_gauge();
	struct top_options options = {.keep_all = true,
				      .memory_bytes = 100 * sizeof(struct top_span)};
	struct top_model model;
	struct top_span span;
	float expected = 0;

	(void)state;
	begin(&model, source, &options);
	play_ramp(&model, 1000);
	assert_in_range(model.capacity, TOP_FEWEST_SLOTS, 300);
	assert_in_range(model.view_end, 1, model.capacity);
	for (uint64_t k = 0; k < model.view_end; k++) {
		assert_true(top_model_span(&model, top_model_row(&model, 0), k, k + 1, &span));
		assert_float_equal(span.low, expected, 0);
		expected = span.high + 1;
	}
	assert_float_equal(expected, 1000, 0);
	end(&model, source);
}

// A series that appears later has no earlier values, and none while it was absent.
static void
absence(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t always = mem_source_series(m, "\\\\S\\O\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t later = mem_source_series(m, "\\\\S\\O\\B", PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct top_options options = {.keep_all = true};
	struct top_model model;
	struct top_span span;
	struct pmon_source *source;

	(void)state;
	for (int64_t i = 0; i < 5; i++) {
		mem_source_sample(m, (1 + i) * SEC);
		mem_source_raw(m, always, i, 0);
		if (i == 1 || i == 3)
			mem_source_raw(m, later, 10 * i, 0);
	}
	source = mem_source_open(m);
	begin(&model, source, &options);
	play(&model, source);
	for (uint64_t k = 0; k < 5; k++)
		assert_int_equal(
			top_model_span(&model, top_model_row(&model, later), k, k + 1, &span),
			k == 1 || k == 3);
	assert_true(isnan(top_model_value(&model, top_model_row(&model, later))));
	T_EQ_DBL(top_model_row(&model, later)->last.value, 30);
	end(&model, source);
}

// For a machine: if memory is short, series that ended lose their history in favor of new ones. Long after, they
// have no rows any more.
static void
gone_for_good(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t early = mem_source_series(m, "\\\\S\\O\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t late = mem_source_series(m, "\\\\S\\O\\B", PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct top_options options = {.memory_bytes = TOP_SLOTS * sizeof(struct top_span)};
	struct top_model model;
	struct top_span span;
	struct pmon_source *source;

	(void)state;
	for (int64_t i = 0; i < TOP_SLOTS + 10; i++) {
		mem_source_sample(m, (1 + i) * SEC);
		mem_source_raw(m, i < 3 ? early : late, i, 0);
	}
	source = mem_source_open(m);
	begin(&model, source, &options);
	for (int i = 0; i < 3; i++) {
		const struct pmon_sample *sample;

		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_int_equal(top_model_add(&model, sample, NULL), PMON_OK);
	}
	arrange(&model);
	assert_string_equal(shown(&model), "O\\A");
	assert_true(top_model_span(&model, top_model_row(&model, early), 0, 3, &span));
	play(&model, source);
	assert_string_equal(shown(&model), "O\\B");
	assert_false(top_model_span(&model, top_model_row(&model, early), model.first_slot,
				    model.view_end, &span));
	assert_true(top_model_span(&model, top_model_row(&model, late), model.first_slot,
				   model.view_end, &span));
	assert_float_equal(span.high, TOP_SLOTS + 9, 0);
	end(&model, source);
}

// For a log: a late series has room when every two slots are joined, and no value is lost.
static void
room_for_one_more(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t early = mem_source_series(m, "\\\\S\\O\\A", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t late = mem_source_series(m, "\\\\S\\O\\B", PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct top_options options = {.keep_all = true,
				      .memory_bytes = TOP_SLOTS * sizeof(struct top_span)};
	struct top_model model;
	struct top_span span;
	struct pmon_source *source;
	float expected = 0;

	(void)state;
	for (int64_t i = 0; i < TOP_SLOTS; i++) {
		mem_source_sample(m, (1 + i) * SEC);
		mem_source_raw(m, early, i, 0);
		if (i == TOP_SLOTS - 2)
			mem_source_raw(m, late, 7, 0);
	}
	source = mem_source_open(m);
	begin(&model, source, &options);
	play(&model, source);
	assert_int_equal(model.capacity, TOP_SLOTS / 2);
	assert_int_equal(model.samples_per_slot, 2);
	for (uint64_t k = 0; k < model.view_end; k++) {
		assert_true(top_model_span(&model, top_model_row(&model, early), k, k + 1, &span));
		assert_float_equal(span.low, expected, 0);
		expected = span.high + 1;
	}
	assert_float_equal(expected, TOP_SLOTS, 0);
	assert_true(top_model_span(&model, top_model_row(&model, late), 0, model.view_end, &span));
	assert_float_equal(span.last, 7, 0);
	end(&model, source);
}

// ---- Order and filter -----------------------------------------------------------------------

// Three gauges, one of them without a value in the last sample.
static struct pmon_source *
gauges(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t b = mem_source_series(m, "\\\\S\\O(b)\\N", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t a = mem_source_series(m, "\\\\S\\O(A)\\N", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t c = mem_source_series(m, "\\\\S\\O(c)\\N", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t d = mem_source_series(m, "\\\\S\\O(d)\\N", PMON_PERF_COUNTER_RAWCOUNT, 0);

	mem_source_sample(m, SEC);
	mem_source_raw(m, b, 9, 0);
	mem_source_raw(m, a, 1, 0);
	mem_source_raw(m, c, 1, 0);
	mem_source_raw(m, d, 99, 0);
	mem_source_sample(m, 2 * SEC);
	mem_source_raw(m, b, 1, 0);
	mem_source_raw(m, a, 2, 0);
	mem_source_raw(m, c, 3, 0);
	return mem_source_open(m);
}

static void
order(void **state)
{
	struct pmon_source *source = gauges();
	struct top_options options = {.keep_all = true};
	struct top_model model;

	(void)state;
	begin(&model, source, &options);
	play(&model, source);
	assert_string_equal(shown(&model), "O(b)\\N,O(A)\\N,O(c)\\N,O(d)\\N");
	top_model_sort_next(&model, 1);
	assert_int_equal(model.sort, TOP_SORT_VALUE);
	arrange(&model);
	assert_string_equal(shown(&model), "O(c)\\N,O(A)\\N,O(b)\\N,O(d)\\N");
	model.reversed = true; // what has no value is last still
	arrange(&model);
	assert_string_equal(shown(&model), "O(b)\\N,O(A)\\N,O(c)\\N,O(d)\\N");
	model.reversed = false;
	model.sort = TOP_SORT_AVERAGE; // 99, 5, 2, 1.5
	arrange(&model);
	assert_string_equal(shown(&model), "O(d)\\N,O(b)\\N,O(c)\\N,O(A)\\N");
	model.sort = TOP_SORT_NAME;
	arrange(&model);
	assert_string_equal(shown(&model), "O(A)\\N,O(b)\\N,O(c)\\N,O(d)\\N");
	model.reversed = true;
	arrange(&model);
	assert_string_equal(shown(&model), "O(d)\\N,O(c)\\N,O(b)\\N,O(A)\\N");
	// At the first sample: 99, 9, 1, 1 in the order of the list.
	model.sort = TOP_SORT_VALUE;
	model.reversed = false;
	top_model_oldest(&model);
	arrange(&model);
	assert_string_equal(shown(&model), "O(d)\\N,O(b)\\N,O(A)\\N,O(c)\\N");
	// All columns in turn, without that of processes, and back.
	for (int i = 0; i < TOP_SORT_COUNT - 1; i++) {
		assert_int_not_equal(model.sort, TOP_SORT_MEMORY);
		top_model_sort_next(&model, 1);
	}
	assert_int_equal(model.sort, TOP_SORT_VALUE);
	top_model_sort_next(&model, -1);
	assert_int_equal(model.sort, TOP_SORT_LISTED);
	end(&model, source);
}

// By the other columns. A rate has no value in its only sample, and an end of a name comes before more of it.
static void
other_orders(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t rate = mem_source_series(m, "\\\\S\\O\\N", PMON_PERF_COUNTER_COUNTER, 10);
	uint32_t more = mem_source_series(m, "\\\\S\\O\\Nn", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t less = mem_source_series(m, "\\\\S\\O\\M", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t same = mem_source_series(m, "\\\\S\\O\\m", PMON_PERF_COUNTER_RAWCOUNT, 0);
	static const struct {
		enum top_sort sort;
		const char *want;
	} orders[] = {
		{TOP_SORT_MINIMUM, "O\\M,O\\Nn,O\\m,O\\N"}, // 4, 2, 1
		{TOP_SORT_MAXIMUM, "O\\Nn,O\\m,O\\M,O\\N"}, // 9, 8, 5
		{TOP_SORT_LAST, "O\\m,O\\M,O\\Nn,O\\N"},    // 8, 5, 2
		{TOP_SORT_NAME, "O\\M,O\\m,O\\N,O\\Nn"},
	};
	struct top_options options = {.keep_all = true};
	struct top_model model;
	struct pmon_source *source;

	(void)state;
	mem_source_sample(m, SEC);
	mem_source_raw(m, rate, 100, 10);
	mem_source_raw(m, more, 9, 0);
	mem_source_raw(m, less, 4, 0);
	mem_source_raw(m, same, 1, 0);
	mem_source_sample(m, 2 * SEC);
	mem_source_raw(m, more, 2, 0);
	mem_source_raw(m, less, 5, 0);
	mem_source_raw(m, same, 8, 0);
	source = mem_source_open(m);
	begin(&model, source, &options);
	play(&model, source);
	for (size_t i = 0; i < T_LEN(orders); i++) {
		model.sort = orders[i].sort;
		arrange(&model);
		T_EQ_STR(shown(&model), orders[i].want);
	}
	end(&model, source);
}

static void
patterns_order(void **state)
{
	struct pmon_source *source = gauges();
	struct pmon_select *select;
	struct top_options options = {.keep_all = true};
	struct top_model model;

	(void)state;
	assert_int_equal(pmon_select_new(NULL, &select, NULL), PMON_OK);
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\O(c)\\N"), NULL), PMON_OK);
	assert_int_equal(pmon_select_add(select, PMON_SPAN("\\O(*)\\N"), NULL), PMON_OK);
	options.order = select;
	begin(&model, source, &options);
	play(&model, source);
	assert_string_equal(shown(&model), "O(c)\\N,O(b)\\N,O(A)\\N,O(d)\\N");
	end(&model, source);
	pmon_select_free(select);
}

static void
filter_and_hide(void **state)
{
	struct pmon_source *source = gauges();
	struct top_options options = {.keep_all = true};
	struct top_model model;

	(void)state;
	begin(&model, source, &options);
	play(&model, source);
	strcpy(model.filter, "(a"); // without regard to case
	arrange(&model);
	assert_string_equal(shown(&model), "O(A)\\N");
	strcpy(model.filter, "(?)*n");
	arrange(&model);
	assert_int_equal(model.n_shown, 4);
	strcpy(model.filter, "S\\O"); // the machine is not shown, so it is not looked at
	arrange(&model);
	assert_int_equal(model.n_shown, 0);
	assert_null(top_model_selected(&model));
	top_model_hide(&model); // nothing
	top_model_move(&model, 5);
	model.filter[0] = '\0';
	arrange(&model);
	assert_int_equal(model.n_shown, 4);
	top_model_move(&model, 1);
	top_model_hide(&model);
	arrange(&model);
	assert_string_equal(shown(&model), "O(b)\\N,O(c)\\N,O(d)\\N");
	top_model_unhide(&model);
	arrange(&model);
	assert_int_equal(model.n_shown, 4);
	// The selection goes with its row, and never past the ends.
	top_model_move(&model, 100);
	assert_int_equal(model.selected, 3);
	model.sort = TOP_SORT_AVERAGE;
	arrange(&model);
	assert_int_equal(model.selected, 0);
	top_model_move(&model, -100);
	assert_int_equal(model.selected, 0);
	end(&model, source);
}

// ---- Processes ------------------------------------------------------------------------------

// 100 ns of time on processors in a second: 10,000,000 are 100 %.
static void
processes(void **state)
{
	struct mem_source *m = mem_source_new();
	uint32_t queue =
		mem_source_series(m, "\\\\S\\System\\Queue", PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t total = mem_source_series(m, "\\\\S\\Process(_Total)\\% Processor Time",
					   PMON_PERF_100NSEC_TIMER, SEC);
	uint32_t lazy = mem_source_series(m, "\\\\S\\Process(lazy)\\% Processor Time",
					  PMON_PERF_100NSEC_TIMER, SEC);
	uint32_t busy = mem_source_series(m, "\\\\S\\Process(busy#1)\\% Processor Time",
					  PMON_PERF_100NSEC_TIMER, SEC);
	uint32_t memory = mem_source_series(m, "\\\\S\\Process(busy#1)\\Working Set",
					    PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	uint32_t pid = mem_source_series(m, "\\\\S\\Process(busy#1)\\ID Process",
					 PMON_PERF_COUNTER_RAWCOUNT, 0);
	struct top_options options = {.processes = true};
	struct top_model model;
	struct pmon_source *source;

	(void)state;
	for (int64_t i = 0; i < 3; i++) {
		mem_source_sample(m, (1 + i) * SEC);
		mem_source_raw(m, queue, i, 0);
		mem_source_raw(m, total, i * SEC, i * SEC);
		if (i < 2)
			mem_source_raw(m, lazy, i * SEC / 4, i * SEC);
		mem_source_raw(m, busy, i * SEC / 2, i * SEC);
		mem_source_raw(m, memory, 4096 * i, 0);
		mem_source_raw(m, pid, 4711, 0);
	}
	source = mem_source_open(m);
	begin(&model, source, &options);
	play(&model, source);
	// Ended instances are not shown, nor are totals.
	assert_string_equal(shown(&model), "System\\Queue,busy#1");
	assert_int_equal(model.n_counters, 1);
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, busy)), 50);
	T_EQ_DBL(top_model_memory(&model, top_model_row(&model, busy)), 8192);
	T_EQ_DBL(top_model_pid(&model, top_model_row(&model, busy)), 4711);
	assert_true(isnan(top_model_memory(&model, top_model_row(&model, lazy))));
	// It was present a second ago.
	top_model_step(&model, -1);
	arrange(&model);
	assert_string_equal(shown(&model), "System\\Queue,busy#1,lazy");
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, lazy)), 25);
	T_EQ_DBL(top_model_memory(&model, top_model_row(&model, busy)), 4096);
	end(&model, source);
}

// The place `qq`, in which one process follows on the other, at a second.
struct place {
	uint32_t busy;
	uint32_t memory;
	uint32_t pid;
	uint32_t elapsed;
};

static struct place
new_place(struct mem_source *m)
{
	struct place qq;

	qq.busy = mem_source_series(m, "\\\\S\\Process(qq)\\% Processor Time",
				    PMON_PERF_100NSEC_TIMER, SEC);
	qq.memory = mem_source_series(m, "\\\\S\\Process(qq)\\Working Set",
				      PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0);
	qq.pid = mem_source_series(m, "\\\\S\\Process(qq)\\ID Process", PMON_PERF_COUNTER_RAWCOUNT,
				   0);
	qq.elapsed = mem_source_series(m, "\\\\S\\Process(qq)\\Elapsed Time",
				       PMON_PERF_ELAPSED_TIME, SEC);
	return qq;
}

static void
put(struct mem_source *m, const struct place *qq, double now_s, int64_t pid, double start_s,
    double busy_s)
{
	int64_t now = (int64_t)((100 + now_s) * SEC);

	mem_source_sample(m, now);
	mem_source_raw(m, qq->busy, (int64_t)(busy_s * SEC), now);
	mem_source_raw(m, qq->memory, 4096 * (1 + (int64_t)now_s), 0);
	mem_source_raw(m, qq->pid, pid, 0);
	mem_source_raw(m, qq->elapsed, (int64_t)((100 + start_s) * SEC), now);
}

static struct pmon_span
label(const void *ctx, const struct pmon_series *series)
{
	static char text[32][64];
	int n = snprintf(text[series->id], sizeof(text[0]), "Process(qq (%d))\\%.*s",
			 (int)series->process_id, (int)series->path.counter.len,
			 series->path.counter.ptr);

	assert_ptr_equal(ctx, "ctx");
	assert_in_range(n, 1, sizeof(text[0]) - 1);
	return (struct pmon_span){text[series->id], (size_t)n};
}

// The only process that is shown.
static void
check_process(struct top_model *model, const char *name, double value, double memory, double pid,
	      double average)
{
	arrange(model);
	assert_string_equal(shown(model), name);
	T_EQ_DBL(top_model_value(model, model->shown[0]), value);
	T_EQ_DBL(top_model_memory(model, model->shown[0]), memory);
	T_EQ_DBL(top_model_pid(model, model->shown[0]), pid);
	T_EQ_DBL(model->shown[0]->average.value, average);
}

// By process: 10 uses 1 s in 1 s; 11 uses 1/8 s in the half second since it began, and 3/4 s in 1
// s; then there is another process 10.
static void
by_process(void **state)
{
	struct pmon_identity_options identity = {
		.size = sizeof(identity), .by_process = true, .from_start = true};
	struct top_options options = {
		.processes = true, .by_process = true, .path = label, .path_ctx = "ctx"};
	struct mem_source *m = mem_source_new();
	struct place qq = new_place(m);
	struct top_model model;
	struct pmon_source *source;

	(void)state;
	put(m, &qq, 0, 10, -9, 7);
	put(m, &qq, 1, 10, -9, 8);
	put(m, &qq, 2, 11, 1.5, 0.125);
	put(m, &qq, 3, 11, 1.5, 0.875);
	put(m, &qq, 4, 10, 3.5, 0.25);
	assert_int_equal(pmon_identity_open(mem_source_open(m), &identity, &source, NULL), PMON_OK);
	begin(&model, source, &options);
	play(&model, source);
	assert_int_equal(model.samples, 5); // and none for what processes began with
	check_process(&model, "qq (10)", 50, 5 * 4096, 10, 50);
	top_model_step(&model, -1);
	check_process(&model, "qq (11)", 75, 4 * 4096, 11, 100 * 0.875 / 1.5);
	top_model_step(&model, -1);
	check_process(&model, "qq (11)", 25, 3 * 4096, 11, 100 * 0.875 / 1.5);
	top_model_step(&model, -1);
	check_process(&model, "qq (10)", 100, 2 * 4096, 10, 100);
	end(&model, source);
}

// A machine on which one process ends and another begins with every sample: only the rows that can
// still be displayed are kept.
static void
many_processes(void **state)
{
	struct pmon_identity_options identity = {.size = sizeof(identity), .by_process = true};
	struct top_options options = {.processes = true, .by_process = true};
	struct mem_source *m = mem_source_new();
	struct place qq = new_place(m);
	const struct pmon_sample *sample;
	struct top_model model;
	struct pmon_source *source;
	size_t kept = 0;

	(void)state;
	for (int i = 0; i < 3 * TOP_SLOTS; i++)
		put(m, &qq, i, 1000 + i, i - 0.5, 0);
	assert_int_equal(pmon_identity_open(mem_source_open(m), &identity, &source, NULL), PMON_OK);
	begin(&model, source, &options);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		assert_int_equal(top_model_add(&model, sample, NULL), PMON_OK);
		arrange(&model);
	}
	assert_int_equal(pmon_schema_count(model.schema), 3 * TOP_SLOTS * 4);
	for (size_t i = 0; i < model.rows.n; i++)
		kept += top_model_row(&model, i) != NULL;
	assert_in_range(kept, TOP_SLOTS * 4, (TOP_SLOTS + 1) * 4);
	assert_in_range(model.n_pasts, TOP_SLOTS, kept);
	top_model_oldest(&model);
	arrange(&model);
	assert_int_equal(top_model_time(&model), (100 + 2 * TOP_SLOTS) * SEC);
	end(&model, source);
}

// ---- Pause and restart ----------------------------------------------------------------------

static void
pause_and_restart(void **state)
{
	struct pmon_source *source = one_gauge();
	struct top_options options = {.keep_all = false};
	struct top_model model;

	(void)state;
	begin(&model, source, &options);
	for (int i = 0; i < 10; i++) {
		add(&model, i);
		if (i == 6)
			top_model_restart(&model);
		top_model_pause(&model, i >= 4 && i < 8);
		arrange(&model);
		// Values are 0, 1, 2 ...; from the fifth on nothing moves until the ninth.
		T_EQ_DBL(top_model_value(&model, top_model_row(&model, 0)),
			 i >= 4 && i < 8 ? 3 : i);
		assert_int_equal(model.samples_shown, i >= 4 && i < 8 ? 4 : i + 1);
	}
	// Since the restart 7, 8 and 9.
	T_EQ_DBL(top_model_row(&model, 0)->minimum.value, 7);
	T_EQ_DBL(top_model_row(&model, 0)->average.value, 8);
	// Samples that arrived during the pause are in the past.
	top_model_step(&model, -4);
	T_EQ_DBL(top_model_value(&model, top_model_row(&model, 0)), 5);
	end(&model, source);
}

// At most so many counters above the processes, without devices that had only zeros; the filter keeps them.
static void
overview(void **state)
{
	struct mem_source *m = mem_source_new();
	static const struct {
		const char *path;
		int64_t value;
	} columns[] = {{"\\\\S\\Web\\Queue", 0},
		       {"\\\\S\\Net(idle)\\Bytes", 0},
		       {"\\\\S\\Net(_Total)\\Bytes", 0},
		       {"\\\\S\\Net(busy)\\Bytes", 4},
		       {"\\\\S\\Net(more)\\Bytes", 3},
		       {"\\\\S\\Process(a)\\% Processor Time", 1},
		       {"\\\\S\\Process(b)\\% Processor Time", 2}};
	struct top_options options = {.processes = true, .most_counters = 3};
	uint32_t series[T_LEN(columns)];
	struct top_model model;
	struct pmon_source *source;

	(void)state;
	for (size_t i = 0; i < T_LEN(columns); i++)
		series[i] = mem_source_series(m, columns[i].path, PMON_PERF_COUNTER_RAWCOUNT, 0);
	mem_source_sample(m, SEC);
	for (size_t i = 0; i < T_LEN(columns); i++)
		mem_source_raw(m, series[i], columns[i].value, 0);
	source = mem_source_open(m);
	begin(&model, source, &options);
	play(&model, source);
	assert_string_equal(shown(&model), "Web\\Queue,Net(_Total)\\Bytes,Net(busy)\\Bytes,b,a");
	assert_int_equal(model.n_counters, 3);
	strcpy(model.filter, "a");
	arrange(&model);
	assert_string_equal(shown(&model), "Web\\Queue,Net(_Total)\\Bytes,Net(busy)\\Bytes,a");
	end(&model, source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics),      cmocka_unit_test(ring),
		cmocka_unit_test(decimated),       cmocka_unit_test(little_memory),
		cmocka_unit_test(absence),         cmocka_unit_test(order),
		cmocka_unit_test(gone_for_good),   cmocka_unit_test(room_for_one_more),
		cmocka_unit_test(other_orders),    cmocka_unit_test(patterns_order),
		cmocka_unit_test(filter_and_hide), cmocka_unit_test(processes),
		cmocka_unit_test(by_process),      cmocka_unit_test(many_processes),
		cmocka_unit_test(overview),        cmocka_unit_test(pause_and_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
