// test_pipe.c - what a sink receives does not depend on threads, or on believing a log's list of
// counters
// SPDX-License-Identifier: MIT
//
// A sink records every call. The calls with one thread must equal those with two, and a log whose
// list is believed must give the same as one that is read through first.

#include "t.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "memsource.h"
#include "model/sink.h"
#include "model/source.h"
#include "query/pipe.h"

#define START INT64_C(133485408000000000) // 2024-01-01

// ---- A sink that records its calls ----------------------------------------------------------

struct witness {
	struct pmon_sink sink; // first, as every sink has it
	uint64_t hash;         // of all calls
	size_t n_series;
	size_t n_samples;
	size_t fail_at; // number of the sample that it cannot take, from 1; 0: none
	bool finished;
	bool without_raw; // it looks at none
	size_t n_raw;     // samples that have some, if it looks at none
};

static void
tell(struct witness *w, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		w->hash = (w->hash ^ p[i]) * UINT64_C(0x100000001B3);
}

static enum pmon_status
witness_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	      const struct pmon_source_info *info, struct pmon_err *err)
{
	struct witness *w = (struct witness *)sink;

	(void)err;
	w->n_series = pmon_schema_count(schema);
	for (size_t i = 0; i < w->n_series; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, i);

		tell(w, series->name.ptr, series->name.len);
	}
	tell(w, &info->utc_offset_min, sizeof(info->utc_offset_min));
	return PMON_OK;
}

static enum pmon_status
witness_add(struct pmon_sink *sink, const struct pmon_sample *sample,
	    const struct pmon_value *values, struct pmon_err *err)
{
	struct witness *w = (struct witness *)sink;

	if (++w->n_samples == w->fail_at) {
		*err = (struct pmon_err){.status = PMON_E_IO, .sys = 28};
		(void)snprintf(err->msg, sizeof(err->msg), "no more after %zu", w->n_samples);
		return PMON_E_IO;
	}
	tell(w, &sample->time, sizeof(sample->time));
	tell(w, &sample->ordinal, sizeof(sample->ordinal));
	tell(w, &sample->n, sizeof(sample->n));
	for (size_t i = 0; i < sample->n; i++) {
		tell(w, &sample->series[i], sizeof(sample->series[i]));
		if (!w->without_raw) {
			tell(w, &sample->raw[i].first, sizeof(sample->raw[i].first));
			tell(w, &sample->raw[i].status, sizeof(sample->raw[i].status));
		}
		tell(w, &values[i].value, sizeof(values[i].value));
		tell(w, &values[i].status, sizeof(values[i].status));
	}
	return PMON_OK;
}

// Another thread delivers samples without raw values.
static enum pmon_status
witness_add_values(struct pmon_sink *sink, const struct pmon_sample *sample,
		   const struct pmon_value *values, struct pmon_err *err)
{
	struct witness *w = (struct witness *)sink;

	w->n_raw += sample->raw != NULL;
	return witness_add(sink, sample, values, err);
}

static enum pmon_status
witness_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	(void)err;
	((struct witness *)sink)->finished = true;
	return PMON_OK;
}

static void
witness_close(struct pmon_sink *sink)
{
	(void)sink;
}

static const struct pmon_sink_ops witness_ops = {.needs = PMON_SINK_SCHEMA | PMON_SINK_VALUES,
						 .begin = witness_begin,
						 .add = witness_add,
						 .finish = witness_finish,
						 .close = witness_close};
static const struct pmon_sink_ops witness_of_values_ops = {.needs = PMON_SINK_SCHEMA |
								    PMON_SINK_VALUES,
							   .begin = witness_begin,
							   .add = witness_add_values,
							   .finish = witness_finish,
							   .close = witness_close,
							   .values_suffice = true};

// ---- Random samples -------------------------------------------------------------------------

// Samples of anything from no series to all, some of them bad.
static struct pmon_source *
random_source(struct t_rand *rand, uint32_t n_series, size_t n_samples)
{
	struct mem_source *m = mem_source_new();
	char path[64];

	for (uint32_t i = 0; i < n_series; i++) {
		(void)snprintf(path, sizeof(path), "\\\\S\\Disk(%" PRIu32 ")\\Reads/sec", i);
		(void)mem_source_series(m, path, PMON_PERF_COUNTER_COUNTER, 1000);
	}
	for (size_t k = 0; k < n_samples; k++) {
		uint32_t from = (uint32_t)t_rand_below(rand, n_series);
		uint32_t to = from + (uint32_t)t_rand_below(rand, n_series - from + 1);

		mem_source_sample(m, START + (pmon_time)k * PMON_TIME_PER_SEC);
		for (uint32_t i = k % 3 == 0 ? 0 : from; i < (k % 3 == 0 ? n_series : to); i++) {
			if (t_rand_below(rand, 20) == 0)
				mem_source_bad(m, i, PMON_RAW_INVALID);
			else
				mem_source_raw(m, i, (int64_t)t_rand_below(rand, 100000),
					       (int64_t)k * 1000);
		}
	}
	return mem_source_open(m);
}

// Copy it from the beginning. The result is in w and err.
static enum pmon_status
copy(struct pmon_source *source, unsigned threads, bool trust, struct witness *w,
     struct pmon_err *err)
{
	struct pmon_copy_options options = {
		.size = sizeof(options), .threads = threads, .trust_schema = trust};
	enum pmon_status status;

	w->sink.ops = w->without_raw ? &witness_of_values_ops : &witness_ops;
	assert_int_equal(pmon_source_rewind(source, err), PMON_OK);
	*err = (struct pmon_err){.status = PMON_OK};
	status = pmon_copy(source, &w->sink, &options, err);
	if (status == PMON_OK) {
		assert_true(w->finished);
		tell(w, &options.samples, sizeof(options.samples));
		tell(w, &options.first, sizeof(options.first));
		tell(w, &options.last, sizeof(options.last));
	}
	return status;
}

static void
same_with_threads(void **state)
{
	static const struct {
		uint32_t n_series;
		size_t n_samples;
	} sizes[] = {{1, 1}, {3, 40}, {250, 2000}, {2, 2000}};
	struct t_rand rand = {3};

	(void)state;
	for (size_t i = 0; i < T_LEN(sizes); i++) {
		struct pmon_source *source =
			random_source(&rand, sizes[i].n_series, sizes[i].n_samples);
		struct witness one = {.hash = 1}, two = {.hash = 1};
		struct pmon_err err;

		assert_int_equal(copy(source, 1, false, &one, &err), PMON_OK);
		assert_int_equal(copy(source, 2, false, &two, &err), PMON_OK);
		assert_int_equal(one.n_samples, sizes[i].n_samples);
		assert_int_equal(two.n_samples, sizes[i].n_samples);
		T_EQ_U64(two.hash, one.hash);
		pmon_source_close(source);
	}
}

static void
values_without_raw_values(void **state)
{
	struct t_rand rand = {4};
	struct pmon_source *source = random_source(&rand, 40, 900);
	struct witness one = {.hash = 1, .without_raw = true};
	struct witness two = {.hash = 1, .without_raw = true};
	struct pmon_err err;

	(void)state;
	assert_int_equal(copy(source, 1, false, &one, &err), PMON_OK);
	assert_int_equal(copy(source, 2, false, &two, &err), PMON_OK);
	assert_true(one.n_raw > 0);
	assert_int_equal(two.n_raw, 0);
	assert_int_equal(two.n_samples, 900);
	T_EQ_U64(two.hash, one.hash);
	pmon_source_close(source);
}

// Samples that are larger than a batch, and small ones between them.
static void
large_samples(void **state)
{
	enum {
		MOST = 5000
	};
	static struct pmon_raw raw[MOST];
	static struct pmon_value values[MOST];
	static uint32_t series[MOST];
	struct witness one = {.sink.ops = &witness_ops}, two = one;
	struct pmon_pipe *pipe;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_pipe_open(&two.sink, NULL, &pipe, &err), PMON_OK);
	for (size_t k = 0; k < 40; k++) {
		struct pmon_sample sample = {.ordinal = k, .series = series, .raw = raw};

		sample.n = k % 4 == 0 ? MOST - k : k % 4;
		for (size_t i = 0; i < sample.n; i++) {
			raw[i].first = (int64_t)(k * i);
			series[i] = (uint32_t)(i + k);
			values[i].value = (double)k / (double)(i + 1);
		}
		assert_int_equal(pmon_sink_add(&one.sink, &sample, values, &err), PMON_OK);
		assert_int_equal(pmon_pipe_put(pipe, &sample, values, &err), PMON_OK);
	}
	assert_int_equal(pmon_pipe_end(pipe, &err), PMON_OK);
	pmon_pipe_close(pipe);
	assert_int_equal(two.n_samples, 40);
	T_EQ_U64(two.hash, one.hash);
}

// A failure of the sink ends the copy, whenever it happens, with the sink's message.
static void
failures_are_passed_on(void **state)
{
	struct t_rand rand = {4};
	struct pmon_source *source = random_source(&rand, 100, 400);
	static const size_t places[] = {1, 2, 150, 399, 400};

	(void)state;
	for (size_t i = 0; i < T_LEN(places); i++) {
		struct witness w = {.fail_at = places[i]};
		struct pmon_err err;
		char want[64];

		(void)snprintf(want, sizeof(want), "no more after %zu", places[i]);
		assert_int_equal(copy(source, 2, false, &w, &err), PMON_E_IO);
		T_EQ_STR(err.msg, want);
		assert_int_equal(err.sys, 28);
		assert_int_equal(w.n_samples, places[i]);
		assert_false(w.finished);
	}
	pmon_source_close(source);
}

static void
without_memory(void **state)
{
	struct t_memory memory = {.fail_at = 1};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_raw raw = {.first = 1};
	uint32_t series = 0;
	struct pmon_sample sample = {.n = 1, .series = &series, .raw = &raw};
	struct pmon_value value = {.status = PMON_V_OK};
	struct witness w = {.sink.ops = &witness_ops};
	struct pmon_pipe *pipe;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_pipe_open(&w.sink, &allocator, &pipe, &err), PMON_E_NOMEM);
	memory.fail_at = 3;
	assert_int_equal(pmon_pipe_open(&w.sink, &allocator, &pipe, &err), PMON_OK);
	assert_int_equal(pmon_pipe_put(pipe, &sample, &value, &err), PMON_E_NOMEM);
	assert_int_equal(pmon_pipe_put(pipe, &sample, &value, &err), PMON_OK);
	assert_int_equal(pmon_pipe_end(pipe, &err), PMON_OK);
	pmon_pipe_close(pipe);
	assert_int_equal(w.n_samples, 1);
	assert_int_equal(memory.live_blocks, 0);
}

// ---- Logs that list their counters ----------------------------------------------------------

static const char header[] = "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\A\\x\",\"\\\\S\\A\\y\"\r\n";
static const char wider[] =
	"\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\A\\x\",\"\\\\S\\A\\y\",\"\\\\S\\A\\z\"\r\n";
static const char late[] = "\"01/01/2024 00:59:00.000\",\"1\",\"2\",\"3\"\r\n";

// A text log of n lines, followed by `end`.
static struct pmon_source *
open_text(const char *end, int n)
{
	char path[] = "/tmp/pmon-pipe-XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
	struct pmon_source *source;
	struct pmon_err err;

	assert_non_null(file);
	fputs(header, file);
	for (int i = 0; i < n; i++)
		fprintf(file, "\"01/01/2024 00:%02d:%02d.000\",\"%d\",\"0.5\"\r\n", i / 60, i % 60,
			i);
	fputs(end, file);
	assert_int_equal(fclose(file), 0);
	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	(void)unlink(path);
	return source;
}

static void
a_list_is_believed(void **state)
{
	struct pmon_source *source = open_text("", 3000);
	struct pmon_err err;

	(void)state;
	assert_true(pmon_source_info(source)->lists_series);
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct witness plain = {.hash = 1}, believed = {.hash = 1};

		assert_int_equal(copy(source, threads, false, &plain, &err), PMON_OK);
		assert_int_equal(copy(source, threads, true, &believed, &err), PMON_OK);
		assert_int_equal(believed.n_samples, 3000);
		T_EQ_U64(believed.hash, plain.hash);
	}
	pmon_source_close(source);
}

// A second header with one column more, after so many samples that the thread is at work.
static void
more_than_the_list(void **state)
{
	char end[sizeof(wider) + sizeof(late)];
	struct pmon_err err;

	(void)state;
	(void)snprintf(end, sizeof(end), "%s%s", wider, late);
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct pmon_source *source = open_text(end, 3000);
		struct witness plain = {.hash = 1}, believed = {.hash = 1};

		assert_int_equal(copy(source, threads, true, &believed, &err), PMON_E_STATE);
		assert_false(believed.finished);
		assert_int_equal(believed.n_series, 2);
		assert_int_equal(copy(source, threads, false, &plain, &err), PMON_OK);
		assert_int_equal(plain.n_series, 3);
		assert_int_equal(plain.n_samples, 3001);
		pmon_source_close(source);
	}
}

// A source that was read to the end has all its series, wherever they appeared.
static void
a_read_source_knows_all_series(void **state)
{
	char end[sizeof(wider) + sizeof(late)];
	struct witness plain = {.hash = 1}, known = {.hash = 1};
	struct pmon_source *source;
	struct pmon_err err;

	(void)state;
	(void)snprintf(end, sizeof(end), "%s%s", wider, late);
	source = open_text(end, 3000);
	assert_int_equal(copy(source, 2, false, &plain, &err), PMON_OK);
	assert_int_equal(copy(source, 2, true, &known, &err), PMON_OK);
	assert_int_equal(known.n_series, 3);
	T_EQ_U64(known.hash, plain.hash);
	pmon_source_close(source);
}

static void
without_samples(void **state)
{
	struct pmon_source *source = open_text("", 0);
	struct pmon_err err;

	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct witness plain = {.hash = 1}, believed = {.hash = 1};

		assert_int_equal(copy(source, threads, false, &plain, &err), PMON_OK);
		assert_int_equal(copy(source, threads, true, &believed, &err), PMON_OK);
		assert_int_equal(believed.n_samples, 0);
		T_EQ_U64(believed.hash, plain.hash);
	}
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_with_threads),
		cmocka_unit_test(values_without_raw_values),
		cmocka_unit_test(large_samples),
		cmocka_unit_test(failures_are_passed_on),
		cmocka_unit_test(without_memory),
		cmocka_unit_test(a_list_is_believed),
		cmocka_unit_test(more_than_the_list),
		cmocka_unit_test(a_read_source_knows_all_series),
		cmocka_unit_test(without_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
