// test_display.c - the values computed when copying equal those of the statistics
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
#include "query/display.h"

#define N_SERIES  60
#define N_SAMPLES 400
#define N_STREAMS 3

// ---- Comparing ------------------------------------------------------------------------------

struct judge {
	struct pmon_statistics *statistics;
	struct pmon_values values;
	size_t n_samples;
	size_t n_numbers; // of all values
};

static void
check_sample(struct judge *j, const struct pmon_sample *sample)
{
	const struct pmon_value *want;
	const struct pmon_value *got;
	struct pmon_err err;
	char label[64];

	assert_int_equal(pmon_statistics_add(j->statistics, sample, &want, &err), PMON_OK);
	assert_int_equal(pmon_values_add(&j->values, sample, &got, &err), PMON_OK);
	for (size_t i = 0; i < sample->n; i++) {
		(void)snprintf(label, sizeof(label), "series %" PRIu32 " in sample %zu",
			       sample->series[i], j->n_samples);
		T_EQ_I64_AT(got[i].status, want[i].status, label);
		T_EQ_I64_AT(got[i].policy, want[i].policy, label);
		if (memcmp(&got[i].value, &want[i].value, sizeof(want->value)) != 0)
			fail_msg("%s: %.17g, not %.17g", label, got[i].value, want[i].value);
		j->n_numbers += pmon_vstat_has_value(want[i].status);
	}
	j->n_samples++;
}

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
				       .preceding = t_rand_below(r, 30) == 0};
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
		.size = sizeof(struct pmon_calc_options),
		.policy = (enum pmon_policy)t_rand_below(r, 3),
		.cap_100 = !plain && t_rand_below(r, 2) == 0,
		.default_scale = !plain && t_rand_below(r, 2) == 0,
		.times_1000 = !plain && t_rand_below(r, 2) == 0,
	};
}

static size_t
check_values(struct t_rand *r, bool plain)
{
	struct judge j = {.n_samples = 0};
	struct pmon_source *source = make_source(r);
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct pmon_calc_options options = make_options(r, plain);
	struct pmon_raw newest[N_SERIES] = {{.second = 50}};
	uint64_t ordinals[N_STREAMS] = {0};
	uint64_t before[N_STREAMS];
	struct pmon_sample sample;
	struct pmon_err err;

	assert_int_equal(pmon_statistics_new(schema, &options, NULL, &j.statistics, &err), PMON_OK);
	pmon_values_init(&j.values, schema, &options, NULL);
	for (size_t k = 0; k < N_SAMPLES; k++) {
		memcpy(before, ordinals, sizeof(before));
		next_sample(r, &sample, newest, ordinals);
		if (sample.ordinal > before[sample.stream] + 1)
			reuse_numbers(r, source, &sample);
		check_sample(&j, &sample);
	}
	pmon_values_free(&j.values);
	pmon_statistics_free(j.statistics);
	pmon_source_close(source);
	return j.n_numbers;
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

static void
without_memory(void **state)
{
	struct t_rand r = {.state = 7};
	struct pmon_source *source = make_source(&r);
	struct pmon_raw newest[N_SERIES] = {{.first = 1}};
	uint64_t ordinals[N_STREAMS] = {0};
	struct pmon_sample sample;
	size_t fail_at = 1;
	enum pmon_status status;

	(void)state;
	next_sample(&r, &sample, newest, ordinals);
	do {
		struct t_memory memory = {.fail_at = fail_at++};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		const struct pmon_value *got;
		struct pmon_values values;
		struct pmon_err err;

		pmon_values_init(&values, pmon_source_schema(source), NULL, &allocator);
		status = pmon_values_add(&values, &sample, &got, &err);
		assert_true(status == PMON_OK || status == PMON_E_NOMEM);
		pmon_values_free(&values);
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
		cmocka_unit_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
