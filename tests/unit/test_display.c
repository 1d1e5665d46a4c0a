// test_display.c - the values that a copy computes are those of statistics
// SPDX-License-Identifier: MIT
//
// pmon_statistics_add() computes values singly or in runs, and test_core_stats and test_core_runs
// hold it to the rules. Here everything goes wrong now and then: resets, bad raw values, series that are
// away, samples that are missing, several streams, and samples from before a window.

#include "t.h"

#include <inttypes.h>

#include <pmon/query.h>

#include "memsource.h"
#include "model/schema.h"
#include "model/sink.h"
#include "query/display.h"

#define N_SERIES  60
#define N_SAMPLES 400
#define N_STREAMS 3

// ---- A sink that compares -------------------------------------------------------------------

struct judge {
	struct pmon_sink sink; // first, as every sink has it
	struct pmon_statistics *statistics;
	size_t n_samples;
	size_t n_values; // numbers, of all values
	bool began;
	bool finished;
	bool fails;
};

static enum pmon_status
judge_begin(struct pmon_sink *sink, const struct pmon_schema *schema,
	    const struct pmon_source_info *info, struct pmon_err *err)
{
	(void)schema;
	(void)info;
	(void)err;
	((struct judge *)sink)->began = true;
	return PMON_OK;
}

static enum pmon_status
judge_add(struct pmon_sink *sink, const struct pmon_sample *sample, const struct pmon_value *values,
	  struct pmon_err *err)
{
	struct judge *j = (struct judge *)sink;
	const struct pmon_value *want;
	char label[64];

	if (j->fails)
		return pmon_sink_flush(sink, false, err);
	assert_int_equal(pmon_statistics_add(j->statistics, sample, &want, err), PMON_OK);
	for (size_t i = 0; i < sample->n; i++) {
		(void)snprintf(label, sizeof(label), "series %" PRIu32 " in sample %zu",
			       sample->series[i], j->n_samples);
		T_EQ_I64_AT(values[i].status, want[i].status, label);
		T_EQ_I64_AT(values[i].policy, want[i].policy, label);
		if (memcmp(&values[i].value, &want[i].value, sizeof(want->value)) != 0)
			fail_msg("%s: %.17g, not %.17g", label, values[i].value, want[i].value);
		j->n_values += pmon_vstat_has_value(want[i].status);
	}
	j->n_samples++;
	return PMON_OK;
}

static enum pmon_status
judge_finish(struct pmon_sink *sink, struct pmon_err *err)
{
	(void)err;
	((struct judge *)sink)->finished = true;
	return PMON_OK;
}

static enum pmon_status
judge_flush(struct pmon_sink *sink, bool sync, struct pmon_err *err)
{
	(void)sink;
	(void)sync;
	*err = (struct pmon_err){.status = PMON_E_IO, .msg = "full"};
	return PMON_E_IO;
}

static uint64_t
judge_size(const struct pmon_sink *sink)
{
	return ((const struct judge *)sink)->n_samples + 7;
}

static const struct pmon_sink_ops judge_ops = {.needs = PMON_SINK_SCHEMA | PMON_SINK_VALUES,
					       .begin = judge_begin,
					       .add = judge_add,
					       .finish = judge_finish,
					       .flush = judge_flush,
					       .size = judge_size};

// ---- Samples --------------------------------------------------------------------------------

// Every type, several times.
static struct pmon_source *
make_source(struct t_rand *r)
{
	struct mem_source *m = mem_source_new();
	char path[64];

	for (size_t i = 0; i < N_SERIES; i++) {
		(void)snprintf(path, sizeof(path), "\\\\S\\Disk(%zu)\\Reads/sec", i);
		(void)mem_source_series(
			m, path, pmon_type_at(i % pmon_type_count())->word,
			t_rand_below(r, 16) == 0 ? 0 : 1 + (int64_t)t_rand_below(r, 100));
	}
	return mem_source_open(m);
}

static void
next_raw(struct t_rand *r, struct pmon_raw *raw)
{
	static const uint32_t bad[] = {PMON_RAW_NO_INSTANCE, PMON_RAW_INVALID, 7, PMON_RAW_CHANGED};

	raw->time += 10;
	raw->multi = (uint32_t)t_rand_below(r, 4);
	raw->first = (int64_t)((uint64_t)raw->first + t_rand_below(r, 40));
	raw->second = (int64_t)((uint64_t)raw->second + t_rand_below(r, 30));
	raw->status = t_rand_below(r, 4) == 0 ? PMON_RAW_NEW : PMON_RAW_VALID;
	switch (t_rand_below(r, 60)) {
	case 0:
		raw->first = (int64_t)t_rand_below(r, 9);
		break;
	case 1: // near the end of 32 bits, or beyond it
		raw->first = INT64_C(0xFFFFFFE0) + (int64_t)t_rand_below(r, 40);
		break;
	case 2:
		raw->second -= (int64_t)t_rand_below(r, 40);
		break;
	case 3:
		raw->first = (int64_t)t_rand_u64(r);
		break;
	case 4:
		raw->second = (int64_t)t_rand_u64(r);
		break;
	case 5:
		raw->status = bad[t_rand_below(r, T_LEN(bad))];
		break;
	case 6:
		raw->time = PMON_TIME_NONE;
		break;
	default:
		break;
	}
}

// A sample of one stream, which has a third of the series; sometimes a few are absent.
static void
next_sample(struct t_rand *r, struct pmon_sample *sample, struct pmon_raw newest[N_SERIES],
	    uint64_t ordinals[N_STREAMS])
{
	static uint32_t series[N_SERIES];
	static struct pmon_raw raw[N_SERIES];
	uint32_t stream = (uint32_t)t_rand_below(r, N_STREAMS);
	size_t away = t_rand_below(r, 4) == 0 ? 1 + t_rand_below(r, 8) : 0;

	ordinals[stream] += t_rand_below(r, 20) == 0 ? 2 : 1;
	*sample = (struct pmon_sample){.stream = stream,
				       .ordinal = ordinals[stream],
				       .series = series,
				       .raw = raw,
				       .lead_in = t_rand_below(r, 30) == 0};
	for (uint32_t i = stream; i < N_SERIES; i += N_STREAMS) {
		if (away > 0 && t_rand_below(r, away + 1) == 0)
			continue;
		next_raw(r, &newest[i]);
		series[sample->n] = i;
		raw[sample->n++] = newest[i];
	}
}

// Give numbers of a sample to other series, as is done after a series was absent.
static void
reuse_numbers(struct t_rand *r, struct pmon_source *source, const struct pmon_sample *sample)
{
	for (size_t i = 0; i < sample->n; i++)
		if (t_rand_below(r, 4) == 0)
			pmon_schema_reuse(
				&source->schema, sample->series[i],
				pmon_schema_at(&source->schema, t_rand_below(r, N_SERIES)));
}

static struct pmon_calc_options
make_options(struct t_rand *r, bool plain)
{
	return (struct pmon_calc_options){
		.policy = (enum pmon_policy)t_rand_below(r, 3),
		.cap_100 = !plain && t_rand_below(r, 2) == 0,
		.default_scale = !plain && t_rand_below(r, 2) == 0,
		.times_1000 = !plain && t_rand_below(r, 2) == 0,
	};
}

static size_t
check_values(struct t_rand *r, bool plain)
{
	struct judge j = {.sink.ops = &judge_ops};
	struct pmon_source *source = make_source(r);
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct pmon_calc_options options = make_options(r, plain);
	struct pmon_raw newest[N_SERIES] = {{.second = 50}};
	uint64_t ordinals[N_STREAMS] = {0};
	uint64_t before[N_STREAMS];
	struct pmon_sample sample;
	struct pmon_sink *sink;
	struct pmon_err err;

	assert_int_equal(pmon_statistics_new(schema, &options, NULL, &j.statistics, &err), PMON_OK);
	assert_int_equal(pmon_display_open(&j.sink, &options, NULL, &sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_begin(sink, schema, pmon_source_info(source), &err), PMON_OK);
	for (size_t k = 0; k < N_SAMPLES; k++) {
		memcpy(before, ordinals, sizeof(before));
		next_sample(r, &sample, newest, ordinals);
		if (sample.ordinal > before[sample.stream] + 1)
			reuse_numbers(r, source, &sample);
		assert_int_equal(pmon_sink_add(sink, &sample, NULL, &err), PMON_OK);
	}
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	assert_true(j.finished);
	assert_int_equal(j.n_samples, N_SAMPLES);
	pmon_sink_close(sink);
	pmon_statistics_free(j.statistics);
	pmon_source_close(source);
	return j.n_values;
}

static void
values_are_those_of_statistics(void **state)
{
	struct t_rand r = {.state = 5};
	size_t n_values = 0;

	(void)state;
	for (size_t round = 0; round < 60; round++)
		n_values += check_values(&r, round % 3 != 0);
	assert_true(n_values > 60 * N_SAMPLES); // there were some
}

// ---- A sink that feeds another sink ---------------------------------------------------------

static void
the_next_sink_answers_requests(void **state)
{
	struct judge j = {.sink.ops = &judge_ops, .fails = true};
	struct t_rand r = {.state = 6};
	struct pmon_source *source = make_source(&r);
	struct pmon_raw newest[N_SERIES] = {{.first = 1}};
	uint64_t ordinals[N_STREAMS] = {0};
	struct pmon_sample sample;
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_display_open(&j.sink, NULL, NULL, &sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_needs(sink), PMON_SINK_SCHEMA);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err),
		PMON_OK);
	assert_true(j.began);
	assert_int_equal(pmon_sink_size(sink), 7);
	assert_int_equal(pmon_sink_flush(sink, false, &err), PMON_E_IO);
	next_sample(&r, &sample, newest, ordinals);
	assert_int_equal(pmon_sink_add(sink, &sample, NULL, &err), PMON_E_IO);
	T_EQ_STR(err.msg, "full");
	pmon_sink_close(sink);
	pmon_source_close(source);
}

static void
without_memory(void **state)
{
	struct t_rand r = {.state = 7};
	struct pmon_source *source = make_source(&r);
	size_t fail_at = 1;
	enum pmon_status status;

	(void)state;
	do {
		struct t_memory memory = {.fail_at = fail_at++};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct judge j = {.sink.ops = &judge_ops};
		struct pmon_raw newest[N_SERIES] = {{.first = 1}};
		uint64_t ordinals[N_STREAMS] = {0};
		struct pmon_sample sample;
		struct pmon_sink *sink;
		struct pmon_err err;

		assert_int_equal(pmon_statistics_new(pmon_source_schema(source), NULL, NULL,
						     &j.statistics, &err),
				 PMON_OK);
		next_sample(&r, &sample, newest, ordinals);
		status = pmon_display_open(&j.sink, NULL, &allocator, &sink, &err);
		if (status == PMON_OK)
			status = pmon_sink_begin(sink, pmon_source_schema(source),
						 pmon_source_info(source), &err);
		if (status == PMON_OK)
			status = pmon_sink_add(sink, &sample, NULL, &err);
		assert_true(status == PMON_OK || status == PMON_E_NOMEM);
		assert_int_equal(j.n_samples, status == PMON_OK);
		pmon_sink_close(sink);
		pmon_statistics_free(j.statistics);
		assert_int_equal(memory.live_blocks, 0);
	} while (status != PMON_OK);
	assert_true(fail_at > 3);
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_statistics),
		cmocka_unit_test(the_next_sink_answers_requests),
		cmocka_unit_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
