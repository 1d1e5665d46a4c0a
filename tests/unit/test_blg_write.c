// test_blg_write.c - what is written as a BLG is read back
// SPDX-License-Identifier: MIT
//
// The sources are real logs, and small ones built here.

#include "t.h"

#include <stdlib.h>

#include <pmon/log.h>
#include <pmon/sink.h>

#include "blg_trip.h"
#include "folder.h"
#include "lines.h"

// ---- Real logs ------------------------------------------------------------------------------

static void
real_log(const char *name)
{
	char *first, *second;
	size_t first_len, second_len;
	const char *file = t_data_path(name);

	if (file == NULL)
		skip();
	round_trip(open_log(file));
	first = t_read_file(trip_path, &first_len);
	round_trip(open_log(trip_path));
	second = t_read_file(trip_path, &second_len);
	// What pmon wrote is read back identically, including ids and times.
	assert_int_equal(first_len, second_len);
	assert_memory_equal(first, second, first_len);
	free(first);
	free(second);
}

static void
test_real_pwsh(void **state)
{
	(void)state;
	real_log("blg/pwsh-CounterSamples.blg");
}

static void
test_real_tx(void **state)
{
	(void)state;
	real_log("blg/tx-BasicPerfCounters.blg");
}

// Whole objects survive the round trip as counters of their own.
static void
test_real_pal(void **state)
{
	(void)state;
	real_log("blg/pal-SampleLog.blg");
}

// ---- Instances ------------------------------------------------------------------------------

static void
test_churn(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t free_bytes = trip_series(m, "\\\\S\\Memory\\Free", RAWCOUNT, false);
	uint32_t id[40];
	struct t_rand rand = {5};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		(void)snprintf(buf, sizeof(buf), "\\\\S\\Process(p%zu)\\Work%s", i / 2,
			       i % 2 ? "" : " Time");
		id[i] = trip_series(m, buf, i % 2 ? COUNTER : TIMER_100N, true);
	}
	for (size_t k = 0; k < 300; k++) {
		mem_source_sample_of(m, T0 + (pmon_time)k * SECOND, 60, 0);
		trip_value(m, free_bytes, (int64_t)k);
		for (size_t i = 0; i < 40 && k % 50 != 7; i++) // in some there is none at all
			if (t_rand_below(&rand, 4) != 0)
				trip_value(m, id[i], (int64_t)(k * 100 + i));
	}
	round_trip(&m->base);
}

static void
test_duplicates(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t a0 = trip_series(m, "\\\\S\\P(a)\\C", COUNTER, true);
	uint32_t a2 = trip_series(m, "\\\\S\\P(a#2)\\C", COUNTER, true);
	uint32_t b0 = trip_series(m, "\\\\S\\P(b)\\C", COUNTER, true);
	uint32_t a1 = trip_series(m, "\\\\S\\P(a#1)\\C", COUNTER, true);
	char buf[256];

	(void)state;
	// as a reader gives them; in another order; with the last gone
	for (size_t k = 0; k < 3; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		trip_value(m, k == 1 ? a1 : a0, (int64_t)k + 10);
		trip_value(m, b0, 20);
		trip_value(m, k == 1 ? a0 : a1, (int64_t)k + 30);
		if (k < 2)
			trip_value(m, a2, (int64_t)k + 40);
	}
	round_trip(&m->base);
	values_of(0, buf, sizeof(buf));
	T_EQ_STR(buf,
		 "\\\\S\\P(a)\\C=10 \\\\S\\P(b)\\C=20 \\\\S\\P(a#1)\\C=30 \\\\S\\P(a#2)\\C=40");
	values_of(1, buf, sizeof(buf));
	T_EQ_STR(buf,
		 "\\\\S\\P(a)\\C=31 \\\\S\\P(a#1)\\C=11 \\\\S\\P(a#2)\\C=41 \\\\S\\P(b)\\C=20");
}

// If the first of a name was not selected, or is gone, the name contains the index.
static void
test_duplicates_alone(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t a1 = trip_series(m, "\\\\S\\P(a#1)\\C", COUNTER, true);
	uint32_t b3 = trip_series(m, "\\\\S\\P(b#3)\\C", COUNTER, true);
	uint32_t b4 = trip_series(m, "\\\\S\\P(b#4)\\C", COUNTER, true);

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		trip_value(m, a1, (int64_t)k);
		trip_value(m, b4, (int64_t)k * 2);
		trip_value(m, b3, (int64_t)k * 3);
	}
	round_trip(&m->base);
}

static void
test_duplicate_gone(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t a0 = trip_series(m, "\\\\S\\P(a)\\C", RAWCOUNT, true);
	uint32_t a1 = trip_series(m, "\\\\S\\P(a#1)\\C", RAWCOUNT, true);
	char buf[256];

	(void)state;
	mem_source_sample(m, T0);
	trip_value(m, a0, 1);
	trip_value(m, a1, 2);
	mem_source_sample(m, T0 + SECOND);
	trip_value(m, a1, 3);
	write_log(&m->base);
	values_of(1, buf, sizeof(buf));
	T_EQ_STR(buf, "\\\\S\\P(a#1)\\C=3");
	pmon_source_close(&m->base);
}

// The same path twice in one source stays two.
static void
test_same_path_twice(void **state)
{
	for (size_t wildcard = 0; wildcard < 2; wildcard++) {
		struct mem_source *m = trip_new();
		uint32_t x = trip_series(m, "\\\\S\\P(a)\\C", RAWCOUNT, wildcard);
		uint32_t y = trip_series(m, "\\\\S\\P(a)\\C", RAWCOUNT, wildcard);

		(void)state;
		for (size_t k = 0; k < 3; k++) {
			mem_source_sample(m, T0 + (pmon_time)k * SECOND);
			trip_value(m, x, (int64_t)k);
			trip_value(m, y, (int64_t)k + 100);
		}
		round_trip(&m->base);
	}
}

// Names with different parts but the same text: a record calls both "a#1". They remain two series,
// whether they are ever present together or not.
static void
test_same_text(void **state)
{
	const struct pmon_path literal = {
		.object = PMON_SPAN("P"), .instance = PMON_SPAN("a#1"), .counter = PMON_SPAN("C")};
	const struct pmon_path second = {.object = PMON_SPAN("P"),
					 .instance = PMON_SPAN("a"),
					 .index = 1,
					 .counter = PMON_SPAN("C")};
	struct mem_source *m = trip_new();
	uint32_t id[2];

	(void)state;
	id[0] = trip_parts(m, &literal, COUNTER, true);
	id[1] = trip_parts(m, &second, COUNTER, true);
	for (size_t k = 0; k < 12; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		if (k % 4 != 1)
			trip_value(m, id[0], (int64_t)k);
		if (k % 4 != 2)
			trip_value(m, id[1], (int64_t)(1000 * k));
	}
	round_trip(&m->base);
}

static void
test_parents_and_names(void **state)
{
	static const char *const paths[] = {
		"\\\\S\\Thread(explorer/0)\\C",
		"\\\\S\\Thread(explorer/0#1)\\C",
		"\\\\S\\Thread(explorer#1/0)\\C",
		"\\\\S\\Thread()\\C",
		"\\\\S\\Thread(d:/x (1))\\C",
		"\\\\S\\Thread(a, \"b\" \\ c)\\C",
		"\\\\S\\Thread(\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80)\\\xD0\x9F/s",
		"\\Thread(no machine)\\C",
		"\\\\S\\Thread(a#07)\\C",
		"\\\\S\\Thread(/)\\C",
	};

	(void)state;
	for (size_t wildcard = 0; wildcard < 2; wildcard++) {
		struct mem_source *m = trip_new();

		for (size_t i = 0; i < T_LEN(paths); i++)
			(void)trip_series(m, paths[i], COUNTER, wildcard);
		for (size_t k = 0; k < 3; k++) {
			mem_source_sample_of(m, T0 + (pmon_time)k * SECOND, -480, 0);
			for (uint32_t i = 0; i < T_LEN(paths); i++)
				trip_value(m, i, (int64_t)(k * 7 + i));
		}
		round_trip(&m->base);
	}
}

// What UTF-16 with a NUL at the end cannot represent becomes U+FFFD.
static void
test_unspeakable_names(void **state)
{
	struct mem_source *m = trip_new();
	struct pmon_path p = {.object = PMON_SPAN("O\0x"), .counter = PMON_SPAN("\xFF\xC3(")};
	char buf[64];

	(void)state;
	mem_source_sample(m, T0);
	trip_value(m, trip_parts(m, &p, RAWCOUNT, false), 5);
	write_log(&m->base);
	values_of(0, buf, sizeof(buf));
	T_EQ_STR(buf, "\\O\xEF\xBF\xBDx\\\xEF\xBF\xBD\xEF\xBF\xBD(=5");
	pmon_source_close(&m->base);
}

// ---- Statuses -------------------------------------------------------------------------------

static void
test_bad_statuses(void **state)
{
	static const uint32_t bad[] = {PMON_RAW_NO_MACHINE, PMON_RAW_NO_INSTANCE, PMON_RAW_INVALID,
				       0x800007D5u};
	struct mem_source *m = trip_new();
	uint32_t one = trip_series(m, "\\\\S\\O\\C", COUNTER, false);
	uint32_t a = trip_series(m, "\\\\S\\P(a)\\C", COUNTER, true);
	uint32_t b = trip_series(m, "\\\\S\\P(b)\\C", COUNTER, true);

	(void)state;
	for (size_t k = 0; k < 12; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		if (k % 3 == 1) {
			mem_source_bad(m, one, bad[k / 3]);
			mem_source_bad(m, a, bad[k / 3]);
			mem_source_bad(m, b, bad[k / 3]);
		} else {
			trip_value(m, one, (int64_t)(k * k));
			trip_value(m, a, (int64_t)(k * k));
			trip_value(m, b, (int64_t)(k * k));
		}
	}
	m->raw[6].status = PMON_RAW_NEW;
	round_trip(&m->base);
}

// The instances of a record share one status: if they differ, the usable ones are kept.
static void
test_mixed_statuses(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t a = trip_series(m, "\\\\S\\P(a)\\C", RAWCOUNT, true);
	uint32_t b = trip_series(m, "\\\\S\\P(b)\\C", RAWCOUNT, true);
	uint32_t c = trip_series(m, "\\\\S\\P(c)\\C", RAWCOUNT, true);
	char buf[128];

	(void)state;
	mem_source_sample(m, T0);
	mem_source_bad(m, a, PMON_RAW_INVALID);
	trip_value(m, b, 2);
	trip_value(m, c, 3);
	write_log(&m->base);
	values_of(0, buf, sizeof(buf));
	T_EQ_STR(buf, "\\\\S\\P(b)\\C=2 \\\\S\\P(c)\\C=3");
	pmon_source_close(&m->base);
}

// A counter that was absent is absent when it is read back: what follows starts a new run.
static void
test_absent(void **state)
{
	struct mem_source *m = trip_new();
	uint32_t a = trip_series(m, "\\\\S\\O\\A", COUNTER, false);
	uint32_t b = trip_series(m, "\\\\S\\O(i/j#2)\\B", COUNTER, false);

	(void)state;
	for (size_t k = 0; k < 9; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		if (k % 4 != 1)
			trip_value(m, a, (int64_t)(k * k));
		if (k % 4 != 2)
			trip_value(m, b, (int64_t)(k * k));
	}
	round_trip(&m->base);
}

static void
test_formatted(void **state)
{
	static const double values[] = {0.1, -1e300, 5e-324, 0.0, 123456789.0625};
	struct mem_source *m = trip_new();
	uint32_t a = trip_series(m, "\\\\S\\O\\A", DOUBLE_RAW, false);

	(void)state;
	m->base.schema.list[a]->formatted = true;
	for (size_t k = 0; k < T_LEN(values); k++) {
		int64_t bits;

		memcpy(&bits, &values[k], sizeof(bits));
		mem_source_sample(m, T0 + (pmon_time)k * SECOND + 3);
		mem_source_put(m, a,
			       &(struct pmon_raw){.multi = 1,
						  .time = T0 + (pmon_time)k * SECOND + 3,
						  .first = bits});
	}
	round_trip(&m->base);
}

// A counter of the type PERF_DOUBLE_RAW is not a displayed value of a text log; of those the type that is
// known of them stays known; and the size of raw values does.
static void
test_what_values_are(void **state)
{
	(void)state;
	for (size_t wildcard = 0; wildcard < 2; wildcard++) {
		struct mem_source *m = trip_new();
		const uint32_t known = PMON_PERF_COUNTER_RAWCOUNT_HEX;
		struct pmon_source *back;
		struct lines lines;
		uint32_t id[5];

		for (size_t i = 0; i < T_LEN(id); i++) {
			char path[32];

			(void)snprintf(path, sizeof(path), "\\\\S\\O(%zu)\\A", i);
			id[i] = trip_series(m, path, i < 3 ? DOUBLE_RAW : COUNTER, wildcard);
		}
		pmon_schema_set_formatted(&m->base.schema, id[1], &known);
		pmon_schema_set_formatted(&m->base.schema, id[2], NULL);
		m->base.schema.list[id[4]]->counter.size_bytes = 4;
		mem_source_sample(m, T0);
		for (size_t i = 0; i < T_LEN(id); i++)
			trip_value(m, id[i], 1);
		write_log(&m->base);
		back = open_log(trip_path);
		lines = read_lines(back);
		free_lines(&lines);
		T_EQ_U64(pmon_schema_count(pmon_source_schema(back)), T_LEN(id));
		for (size_t i = 0; i < T_LEN(id); i++) {
			const struct pmon_series *s = pmon_schema_at(pmon_source_schema(back), i);
			size_t k = (size_t)(s->path.instance.ptr[0] - '0');

			assert_int_equal(s->formatted, k == 1 || k == 2);
			assert_int_equal(s->type_known, k == 1);
			T_EQ_U64(s->known_type, k == 1 ? known : 0);
			T_EQ_U64(s->counter.size_bytes, k == 4 ? 4 : 0);
		}
		pmon_source_close(back);
		pmon_source_close(&m->base);
	}
}

// ---- Samples like the one before ------------------------------------------------------------

// A sample that mostly lists what the one before it did, in the same order, and else a part of all.
static void
random_sample(struct mem_source *m, struct t_rand *rand, uint32_t n_series)
{
	size_t before = m->n > 0 ? m->from[m->n - 1] : 0;
	size_t n_before = m->n > 0 ? m->samples[m->n - 1].n : 0;
	uint32_t leave_out = (uint32_t)t_rand_below(rand, 4);
	uint32_t first = (uint32_t)t_rand_below(rand, n_series);

	mem_source_sample(m, T0 + (pmon_time)m->n * SECOND);
	if (t_rand_below(rand, 4) > 0 && n_before > 0) {
		for (size_t i = 0; i < n_before; i++)
			trip_value(m, m->series[before + i], (int64_t)t_rand_below(rand, 1000));
		return;
	}
	for (uint32_t i = 0; i < n_series; i++)
		if (leave_out == 0 || t_rand_below(rand, leave_out) == 0)
			trip_value(m, (first + i) % n_series, (int64_t)t_rand_below(rand, 1000));
}

// The values of each sample are in a different order than those of the previous one.
static void
shuffle(struct mem_source *m, struct t_rand *rand)
{
	for (size_t k = 0; k < m->n; k++) {
		uint32_t *series = m->series + m->from[k];
		struct pmon_raw *raw = m->raw + m->from[k];

		for (uint32_t i = (uint32_t)m->samples[k].n; i > 1; i--) {
			uint32_t j = (uint32_t)t_rand_below(rand, i);
			uint32_t id = series[i - 1];
			struct pmon_raw value = raw[i - 1];

			series[i - 1] = series[j];
			raw[i - 1] = raw[j];
			series[j] = id;
			raw[j] = value;
		}
	}
}

// A sample that lists what the one before it did is written in a short way, and in another order in the
// plain one: the log is the same.
static void
test_like_before(void **state)
{
	struct t_rand rand = {1};

	(void)state;
	// Up to records of several parts, the cuts of which go through values, and files of many blocks.
	for (uint32_t n_series = 1; n_series < 1200; n_series = n_series * 3 + 1) {
		struct mem_source *m = trip_new();
		char name[64];
		size_t len, plain_len;
		char *bytes;
		char *plain;

		for (uint32_t i = 0; i < n_series; i++) {
			(void)snprintf(name, sizeof(name), "\\\\S\\O(i%u)\\C", i);
			(void)trip_series(m, name, i % 2 ? COUNTER : RAWCOUNT, false);
		}
		for (int i = 0; i < (n_series < 200 ? 200 : 40); i++)
			random_sample(m, &rand, n_series);
		write_log(&m->base);
		bytes = t_read_file(trip_path, &len);
		shuffle(m, &rand);
		write_log(&m->base);
		plain = t_read_file(trip_path, &plain_len);
		assert_int_equal(len, plain_len);
		assert_memory_equal(bytes, plain, len);
		free(bytes);
		free(plain);
		round_trip(&m->base);
	}
}

// ---- Sizes ----------------------------------------------------------------------------------

// Records of more than one part, and of more than one buffer.
static void
many(size_t n, bool wildcard, size_t n_samples)
{
	struct mem_source *m = trip_new();
	char buf[64];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(buf, sizeof(buf), "\\\\S\\O(instance %zu)\\C", i);
		(void)trip_series(m, buf, COUNTER, wildcard);
	}
	for (size_t k = 0; k < n_samples; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		for (uint32_t i = 0; i < n; i++)
			trip_value(m, i, (int64_t)(k * n + i));
	}
	round_trip(&m->base);
}

static void
test_many(void **state)
{
	(void)state;
	for (size_t n = 160; n < 172; n++) // about 8000 bytes, the size of a part
		many(n, false, 3);
	for (size_t n = 1360; n < 1368; n++) // about a buffer
		many(n, false, 2);
	many(5000, false, 7);
	many(5000, true, 7);
	many(3, true, 2000);
}

static void
test_empty(void **state)
{
	struct mem_source *m = trip_new();
	struct pmon_sink *sink = create_log();
	struct pmon_source *back;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_copy(&m->base, sink, NULL, &err), PMON_E_UNSUPPORTED);
	pmon_sink_close(sink);
	(void)trip_series(m, "\\\\S\\O\\C", COUNTER, false);
	(void)trip_series(m, "\\\\S\\P(i)\\C", COUNTER, true);
	round_trip(&m->base);
	back = open_log(trip_path);
	assert_int_equal(pmon_schema_count(pmon_source_schema(back)), 1);
	pmon_source_close(back);
	m = trip_new();
	(void)trip_series(m, "\\\\S\\O\\C", COUNTER, false);
	mem_source_sample(m, T0); // a sample without any value
	mem_source_sample(m, T0 + SECOND);
	round_trip(&m->base);
}

// ---- The calls ------------------------------------------------------------------------------

static void
test_options(void **state)
{
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = false};
	struct pmon_sink *sink;
	struct pmon_err err;
	struct mem_source *m = trip_new();

	(void)state;
	assert_int_equal(pmon_log_create("-", "blg", &options, &sink, &err), PMON_E_UNSUPPORTED);
	(void)trip_series(m, "\\\\S\\O\\C", COUNTER, false);
	write_log(&m->base);
	assert_int_equal(pmon_log_create(trip_path, "blg", &options, &sink, &err), PMON_E_EXISTS);
	assert_null(sink);
	pmon_source_close(&m->base);
}

// Instances may come late; counters may not.
static void
test_late_series(void **state)
{
	struct mem_source *m = trip_new();
	struct pmon_sink *sink = create_log();
	struct pmon_source *back;
	struct pmon_err err;
	struct lines l;
	uint32_t id;

	(void)state;
	mem_source_sample(m, T0);
	assert_int_equal(pmon_sink_add(sink, &m->samples[0], NULL, &err), PMON_E_STATE);
	(void)trip_series(m, "\\\\S\\P(i)\\C", COUNTER, true);
	assert_int_equal(pmon_sink_begin(sink, &m->base.schema, &m->base.info, &err), PMON_OK);
	for (size_t k = 0; k < 40; k++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "\\\\S\\P(i#%zu)\\C", k + 1);
		id = trip_series(m, name, COUNTER, true);
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		for (uint32_t i = 0; i <= id; i++)
			trip_value(m, i, (int64_t)(k * i));
	}
	m->next = 1;
	for (size_t k = 0; k < 40; k++) {
		const struct pmon_sample *s;

		assert_int_equal(pmon_source_next(&m->base, &s, &err), PMON_OK);
		assert_int_equal(pmon_sink_add(sink, s, NULL, &err), PMON_OK);
	}
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
	pmon_sink_close(sink);
	back = open_log(trip_path);
	l = read_lines(back);
	assert_int_equal(l.n, 40 + 41 * 42 / 2 - 1); // lines of samples, and of 2 to 41 values
	free_lines(&l);
	assert_int_equal(pmon_schema_count(pmon_source_schema(back)), 41);
	pmon_source_close(back);
	sink = create_log();
	assert_int_equal(pmon_sink_begin(sink, &m->base.schema, &m->base.info, &err), PMON_OK);
	assert_int_equal(pmon_sink_add(sink, &m->samples[1], NULL, &err), PMON_OK);
	(void)trip_series(m, "\\\\S\\New\\C", COUNTER, false);
	assert_int_equal(pmon_sink_add(sink, &m->samples[2], NULL, &err), PMON_E_STATE);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
	pmon_sink_close(sink);
	pmon_source_close(&m->base);
}

// ---------------------------------------------------------------------------------------------

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TRIP_TEST(test_real_pwsh),
		TRIP_TEST(test_real_tx),
		TRIP_TEST(test_real_pal),
		TRIP_TEST(test_churn),
		TRIP_TEST(test_duplicates),
		TRIP_TEST(test_duplicates_alone),
		TRIP_TEST(test_duplicate_gone),
		TRIP_TEST(test_same_path_twice),
		TRIP_TEST(test_same_text),
		TRIP_TEST(test_parents_and_names),
		TRIP_TEST(test_unspeakable_names),
		TRIP_TEST(test_bad_statuses),
		TRIP_TEST(test_mixed_statuses),
		TRIP_TEST(test_absent),
		TRIP_TEST(test_formatted),
		TRIP_TEST(test_what_values_are),
		TRIP_TEST(test_like_before),
		TRIP_TEST(test_many),
		TRIP_TEST(test_empty),
		TRIP_TEST(test_options),
		TRIP_TEST(test_late_series),
	};

	return cmocka_run_group_tests(tests, trip_setup, folder_remove);
}
