// test_envelope.c - first, minimum, maximum and last of each column of a picture
// SPDX-License-Identifier: MIT
//
// Values are as pmon_statistics_add() would supply them; the expected results are simple to count
// by hand.

#include <pmon/pmon.h>

#include "base/mem.h"
#include "memsource.h"
#include "model/schema.h"
#include "t.h"

#define SEC PMON_TIME_PER_SEC

struct bench {
	struct pmon_schema schema;
	struct pmon_envelope *envelope;
	uint64_t ordinal;
};

static void
add_series(struct bench *b, const char *path)
{
	struct pmon_counter counter = {.type = PMON_PERF_DOUBLE_RAW};
	struct pmon_path parsed;
	uint32_t id;

	assert_true(pmon_path_parse(t_span(path), &parsed, NULL));
	assert_int_equal(pmon_schema_add(&b->schema, &parsed, &counter, b->schema.n, 100, &id),
			 PMON_OK);
}

static void
begin(struct bench *b, size_t n_series, const struct pmon_envelope_options *options)
{
	static const char *const paths[] = {"\\\\A\\O(a)\\c", "\\\\A\\O(b)\\c", "\\\\A\\O(c)\\c"};

	*b = (struct bench){.envelope = NULL};
	pmon_schema_init(&b->schema, pmon_mem_allocator(NULL));
	for (size_t i = 0; i < n_series; i++)
		add_series(b, paths[i]);
	assert_int_equal(pmon_envelope_new(&b->schema, options, NULL, &b->envelope, NULL), PMON_OK);
}

static void
end(struct bench *b)
{
	pmon_envelope_free(b->envelope);
	pmon_schema_free(&b->schema);
}

// A sample in which series 0..n-1 have these values.
static void
add_values(struct bench *b, pmon_time time, const struct pmon_value *values, size_t n)
{
	static const uint32_t series[] = {0, 1, 2};
	static const struct pmon_raw raw[3];
	struct pmon_sample sample = {
		.time = time, .ordinal = b->ordinal++, .n = n, .series = series, .raw = raw};

	assert_int_equal(pmon_envelope_add(b->envelope, &sample, values, NULL), PMON_OK);
}

static void
add(struct bench *b, pmon_time time, double value)
{
	struct pmon_value v = {.value = value};

	add_values(b, time, &v, 1);
}

static void
add_missing(struct bench *b, pmon_time time, enum pmon_vstat status)
{
	struct pmon_value v = {.status = status};

	add_values(b, time, &v, 1);
}

static void
check(const struct pmon_envelope_column *c, uint32_t count, double first, double minimum,
      double maximum, double last)
{
	assert_int_equal(c->count, count);
	T_EQ_DBL(c->first, first);
	T_EQ_DBL(c->minimum, minimum);
	T_EQ_DBL(c->maximum, maximum);
	T_EQ_DBL(c->last, last);
}

// Four columns of 10 s over [100 s, 140 s].
static void
columns_of_a_window(void **state)
{
	struct pmon_envelope_options options = {
		.size = sizeof(options), .from = 100 * SEC, .to = 140 * SEC, .columns = 4};
	const struct pmon_envelope_column *c;
	struct bench b;

	(void)state;
	begin(&b, 1, &options);
	assert_null(pmon_envelope_at(b.envelope, 0));
	add(&b, 99 * SEC, 1000); // before the window
	add(&b, 100 * SEC, 5);   // on its beginning
	add(&b, 104 * SEC, 9);
	add(&b, 106 * SEC, 2);
	add(&b, 110 * SEC - 1, 4);    // the last moment of column 0
	add(&b, 110 * SEC, -7);       // the first of column 1
	add(&b, 140 * SEC, 3);        // the end belongs to the last column
	add(&b, 140 * SEC + 1, 1000); // after the window
	c = pmon_envelope_at(b.envelope, 0);
	assert_non_null(c);
	check(&c[0], 4, 5, 2, 9, 4);
	check(&c[1], 1, -7, -7, -7, -7);
	check(&c[2], 0, 0, 0, 0, 0);
	check(&c[3], 1, 3, 3, 3, 3);
	T_EQ_I64(c[0].time, 100 * SEC);
	T_EQ_I64(c[3].time, 140 * SEC);
	// No sample of this window is before the first value, and none is missing since.
	assert_false(c[0].joined);
	assert_true(c[1].joined && c[3].joined);
	assert_int_equal(c[0].missing, PMON_V_OK);
	assert_null(pmon_envelope_at(b.envelope, 1));
	end(&b);
}

static void
one_spike_in_a_million_is_seen(void **state)
{
	const int64_t n = 1000000;
	struct pmon_envelope_options options = {
		.size = sizeof(options), .from = 0, .to = (n - 1) * SEC, .columns = 1000};
	const struct pmon_envelope_column *c;
	struct bench b;
	size_t high = 0;
	uint64_t count = 0;

	(void)state;
	begin(&b, 1, &options);
	for (int64_t i = 0; i < n; i++)
		add(&b, i * SEC, i == 765432 ? 100 : 1);
	c = pmon_envelope_at(b.envelope, 0);
	for (size_t i = 0; i < 1000; i++) {
		count += c[i].count;
		high += c[i].maximum == 100;
		T_EQ_DBL(c[i].minimum, 1);
	}
	T_EQ_U64(count, (uint64_t)n);
	T_EQ_U64(high, 1);
	T_EQ_DBL(c[765].maximum, 100); // 765432 * 1000 / 999999 = 765.4
	end(&b);
}

// A missing value separates the values before it from those after it, and has the reason.
static void
missing_values_part(void **state)
{
	struct pmon_envelope_options options = {
		.size = sizeof(options), .from = 0, .to = 5 * SEC, .columns = 5};
	const struct pmon_envelope_column *c;
	struct bench b;

	(void)state;
	begin(&b, 1, &options);
	add_missing(&b, 0, PMON_V_FIRST);
	add(&b, 1 * SEC, 1);
	add_missing(&b, 2 * SEC, PMON_V_COUNTER_BACK);
	add(&b, 3 * SEC, 3);
	add(&b, 4 * SEC, 4);
	c = pmon_envelope_at(b.envelope, 0);
	assert_int_equal(c[0].missing, PMON_V_OK);
	assert_false(c[1].joined);
	assert_int_equal(c[2].missing, PMON_V_COUNTER_BACK);
	assert_int_equal(c[2].count, 0);
	assert_false(c[3].joined);
	assert_true(c[4].joined);
	end(&b);
}

// The envelope does not see the sample that lacks a series; the ordinal reveals the gap.
static void
absence_parts(void **state)
{
	struct pmon_envelope_options options = {
		.size = sizeof(options), .from = 0, .to = 4 * SEC, .columns = 4};
	const struct pmon_envelope_column *c;
	struct bench b;

	(void)state;
	begin(&b, 1, &options);
	add(&b, 0, 1);
	add(&b, 1 * SEC, 2);
	add_values(&b, 2 * SEC, NULL, 0);
	add(&b, 3 * SEC, 3);
	c = pmon_envelope_at(b.envelope, 0);
	assert_true(c[1].joined);
	assert_false(c[3].joined);
	assert_int_equal(c[2].missing, PMON_V_OK);
	end(&b);
}

// Series that appear later have the same columns as the others.
static void
the_schema_grows(void **state)
{
	struct pmon_envelope_options options = {
		.size = sizeof(options), .from = 0, .to = 2 * SEC, .columns = 2};
	struct pmon_value values[] = {{.value = 1}, {.value = 2}, {.value = 3}};
	struct bench b;

	(void)state;
	begin(&b, 1, &options);
	add_values(&b, 0, values, 1);
	add_series(&b, "\\\\A\\O(late)\\c");
	add_series(&b, "\\\\A\\O(later)\\c");
	add_values(&b, 1 * SEC, values, 3);
	assert_int_equal(pmon_envelope_at(b.envelope, 0)[0].count, 1);
	assert_int_equal(pmon_envelope_at(b.envelope, 2)[0].count, 0);
	check(&pmon_envelope_at(b.envelope, 2)[1], 1, 3, 3, 3, 3);
	end(&b);
}

static void
series_beyond_the_limit_are_left_out(void **state)
{
	struct pmon_envelope_options options = {
		.size = sizeof(options), .to = SEC, .columns = 1, .max_series = 2};
	struct pmon_value values[] = {{.value = 1}, {.status = PMON_V_NOT_DISPLAYED}, {.value = 3}};
	struct pmon_value all[] = {{.value = 1}, {.value = 2}, {.value = 3}};
	struct bench b;

	(void)state;
	begin(&b, 3, &options);
	add_values(&b, 0, values, 3); // the second has nothing to show and takes no place
	T_EQ_U64(pmon_envelope_omitted(b.envelope), 0);
	add_values(&b, 1, all, 3);
	add_values(&b, 2, all, 3);
	T_EQ_U64(pmon_envelope_omitted(b.envelope), 1);
	assert_null(pmon_envelope_at(b.envelope, 1));
	assert_int_equal(pmon_envelope_at(b.envelope, 2)[0].count, 3);
	end(&b);
}

static void
only_requested_series(void **state)
{
	struct pmon_select *select;
	struct pmon_envelope_options options = {
		.size = sizeof(options), .to = SEC, .columns = 1, .want = pmon_select_want};
	struct pmon_value values[] = {{.value = 1}, {.value = 2}, {.value = 3}};
	struct bench b;

	(void)state;
	assert_int_equal(pmon_select_new(NULL, &select, NULL), PMON_OK);
	assert_int_equal(pmon_select_add(select, t_span("\\O(b)\\c"), NULL), PMON_OK);
	options.want_ctx = select;
	begin(&b, 3, &options);
	add_values(&b, 0, values, 3);
	assert_null(pmon_envelope_at(b.envelope, 0));
	check(&pmon_envelope_at(b.envelope, 1)[0], 1, 2, 2, 2, 2);
	T_EQ_U64(pmon_select_hits(select, 0), 1);
	end(&b);
	pmon_select_free(select);
}

// The ends of what a time can be, 58,000 years, of which nothing overflows. That long a window is cut
// to 2^16 units of time.
static void
windows_of_any_length(void **state)
{
	struct pmon_envelope_options options = {.size = sizeof(options),
						.from = INT64_MIN + 1,
						.to = INT64_MAX,
						.columns = PMON_ENVELOPE_COLUMNS};
	struct pmon_envelope_options moment = {
		.size = sizeof(moment), .from = 7, .to = 7, .columns = 3};
	struct bench b;

	(void)state;
	begin(&b, 1, &options);
	add(&b, INT64_MIN + 1, 1);
	add(&b, 1 << 16, 2);
	add(&b, INT64_MAX, 3);
	T_EQ_DBL(pmon_envelope_at(b.envelope, 0)[0].first, 1);
	T_EQ_DBL(pmon_envelope_at(b.envelope, 0)[PMON_ENVELOPE_COLUMNS / 2].first, 2);
	T_EQ_DBL(pmon_envelope_at(b.envelope, 0)[PMON_ENVELOPE_COLUMNS - 1].first, 3);
	end(&b);
	begin(&b, 1, &moment);
	add(&b, 6, 1);
	add(&b, 7, 2);
	assert_int_equal(pmon_envelope_at(b.envelope, 0)[0].count, 1);
	end(&b);
}

// Four columns of 10 units. The values at 0, 10, 35 lie in columns 0, 1, 3; that at 40 doubles the window, whose
// columns are then of 20 units, and that at 330 three times more: of 160.
static void
a_window_grows(void **state)
{
	struct pmon_envelope_options options = {
		.size = sizeof(options), .to = 40, .columns = 4, .grows = true};
	const struct pmon_envelope_column *columns;
	struct bench b;

	(void)state;
	begin(&b, 1, &options);
	add(&b, 0, 5);
	add(&b, 10, 7);
	add(&b, 35, 3);
	T_EQ_I64(pmon_envelope_end(b.envelope), 40);
	add(&b, 40, 9);
	T_EQ_I64(pmon_envelope_end(b.envelope), 80);
	columns = pmon_envelope_at(b.envelope, 0);
	check(&columns[0], 2, 5, 5, 7, 7);
	check(&columns[1], 1, 3, 3, 3, 3);
	check(&columns[2], 1, 9, 9, 9, 9);
	T_EQ_U64(columns[3].count, 0);
	add_missing(&b, 75, PMON_V_BASE_BACK);
	add(&b, 330, 1);
	T_EQ_I64(pmon_envelope_end(b.envelope), 640);
	check(&columns[0], 4, 5, 3, 9, 9);
	T_EQ_U64(columns[0].missing, PMON_V_BASE_BACK);
	T_EQ_U64(columns[1].count, 0);
	check(&columns[2], 1, 1, 1, 1, 1);
	T_EQ_U64(columns[2].missing, PMON_V_OK);
	end(&b);
	// At the end of time it cannot grow.
	options = (struct pmon_envelope_options){.size = sizeof(struct pmon_envelope_options),
						 .from = INT64_MAX - 8,
						 .to = INT64_MAX - 4,
						 .columns = 2,
						 .grows = true};
	begin(&b, 1, &options);
	add(&b, INT64_MAX - 5, 1);
	add(&b, INT64_MAX, 2);
	T_EQ_I64(pmon_envelope_end(b.envelope), INT64_MAX);
	end(&b);
}

static void
senseless_options_are_refused(void **state)
{
	const struct pmon_envelope_options bad[] = {
		{.size = sizeof(bad[0]), .from = 0, .to = 1, .columns = 0},
		{.size = sizeof(bad[0]), .from = 0, .to = 1, .columns = PMON_ENVELOPE_COLUMNS + 1},
		{.size = sizeof(bad[0]), .from = 2, .to = 1, .columns = 1},
		{.size = sizeof(bad[0]), .from = PMON_TIME_NONE, .to = 1, .columns = 1},
		{.size = sizeof(bad[0]), .from = 0, .to = 1, .columns = 3, .grows = true},
		{.size = sizeof(bad[0]), .from = 1, .to = 1, .columns = 2, .grows = true},
	};
	struct pmon_envelope *e;
	struct pmon_schema schema;

	(void)state;
	pmon_schema_init(&schema, pmon_mem_allocator(NULL));
	for (size_t i = 0; i < T_LEN(bad); i++) {
		assert_int_equal(pmon_envelope_new(&schema, &bad[i], NULL, &e, NULL), PMON_E_ARG);
		assert_null(e);
	}
	pmon_envelope_free(NULL);
	pmon_schema_free(&schema);
}

// The values of a log, from its raw ones: a rate of 10 and, after a reset, of 20 a second.
static void
values_of_a_source(void **state)
{
	const int64_t first[] = {0, 10, 20, 0, 20};
	struct mem_source *m = mem_source_new();
	uint32_t id = mem_source_series(m, "\\\\A\\O\\c", PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_envelope_options options = {
		.size = sizeof(options), .from = 0, .to = 5 * SEC, .columns = 5};
	struct pmon_statistics *statistics;
	struct pmon_envelope *e;
	const struct pmon_envelope_column *c;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_source *source = mem_source_open(m);

	(void)state;
	for (size_t i = 0; i < T_LEN(first); i++) {
		mem_source_sample(m, (int64_t)i * SEC);
		mem_source_raw(m, id, first[i], (int64_t)i);
	}
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, NULL),
		PMON_OK);
	assert_int_equal(pmon_envelope_new(pmon_source_schema(source), &options, NULL, &e, NULL),
			 PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, NULL), PMON_OK);
		assert_int_equal(pmon_envelope_add(e, sample, values, NULL), PMON_OK);
	}
	c = pmon_envelope_at(e, id);
	check(&c[0], 0, 0, 0, 0, 0);
	check(&c[1], 1, 10, 10, 10, 10);
	check(&c[2], 1, 10, 10, 10, 10);
	assert_true(c[2].joined);
	assert_int_equal(c[3].missing, PMON_V_COUNTER_BACK);
	check(&c[4], 1, 20, 20, 20, 20);
	assert_false(c[4].joined);
	pmon_envelope_free(e);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// Every allocation failing in turn: a status, and nothing is lost.
static void
short_of_memory(void **state)
{
	struct pmon_envelope_options options = {.size = sizeof(options), .to = SEC, .columns = 8};
	struct pmon_value values[] = {{.value = 1}, {.value = 2}, {.value = 3}};
	static const uint32_t series[] = {0, 1, 2};
	struct pmon_sample sample = {.n = 3, .series = series};
	struct bench b;
	bool done = false;

	(void)state;
	begin(&b, 3, &options);
	for (size_t i = 1; !done; i++) {
		struct t_memory memory = {.fail_at = i};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_envelope *e;
		enum pmon_status status =
			pmon_envelope_new(&b.schema, &options, &allocator, &e, NULL);

		if (status == PMON_OK)
			status = pmon_envelope_add(e, &sample, values, NULL);
		assert_true(status == PMON_OK || status == PMON_E_NOMEM);
		done = status == PMON_OK;
		pmon_envelope_free(e);
		T_EQ_U64(memory.live_blocks, 0);
		assert_true(i < 20);
	}
	end(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_of_a_window),
		cmocka_unit_test(one_spike_in_a_million_is_seen),
		cmocka_unit_test(missing_values_part),
		cmocka_unit_test(absence_parts),
		cmocka_unit_test(the_schema_grows),
		cmocka_unit_test(series_beyond_the_limit_are_left_out),
		cmocka_unit_test(only_requested_series),
		cmocka_unit_test(windows_of_any_length),
		cmocka_unit_test(a_window_grows),
		cmocka_unit_test(senseless_options_are_refused),
		cmocka_unit_test(values_of_a_source),
		cmocka_unit_test(short_of_memory),
	};

	return cmocka_run_group_tests_name("envelope", tests, NULL, NULL);
}
