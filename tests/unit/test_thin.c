// test_thin.c - processes that change in skipped samples
// SPDX-License-Identifier: MIT
//
// Each process uses one of its own shares of a processor from its start to its end: 1/2, 1/3, 1/4 ... So
// any right value is that share, whatever the interval, and a difference across two processes is not.

#include <math.h>

#include <pmon/query.h>

#include "memsource.h"
#include "t.h"

#define SECOND   PMON_TIME_PER_SEC
#define T0       (INT64_C(134200002) * SECOND)
#define SAMPLES  60
#define PLACES   3
#define COUNTERS 3

enum counter {
	PID,
	TIME,
	ELAPSED
};

// The process at each place in each sample; part is 0 if there is none.
struct machine {
	struct {
		int64_t part; // it uses 1/part of a processor
		int64_t start;
		bool is_bad; // its time cannot be read
	} at[SAMPLES][PLACES];
};

static void
make_machine(uint64_t seed, bool any_bad, struct machine *made)
{
	struct t_rand r = {.state = seed};
	int64_t part[PLACES] = {2, 3, 4};
	int64_t start[PLACES] = {T0 - 50 * SECOND, T0 - 7 * SECOND, T0 - 900 * SECOND};
	int64_t n_parts = 5;

	*made = (struct machine){0};
	for (size_t s = 0; s < SAMPLES; s++) {
		for (size_t p = 0; p < PLACES; p++) {
			if (t_rand_below(&r, 4) == 0) {
				part[p] = n_parts++;
				start[p] = T0 + (int64_t)s * SECOND - SECOND / 20 -
					   (int64_t)t_rand_below(&r, 30) * (SECOND / 10);
			}
			if (t_rand_below(&r, 8) == 0)
				continue;
			made->at[s][p].part = part[p];
			made->at[s][p].start = start[p];
			made->at[s][p].is_bad = any_bad && t_rand_below(&r, 5) == 0;
		}
	}
}

static struct pmon_source *
log_of(const struct machine *made)
{
	struct mem_source *m = mem_source_new();

	for (int p = 0; p < PLACES; p++) {
		char path[60];

		(void)snprintf(path, sizeof(path), "\\\\S\\Process(x#%d)\\ID Process", p);
		(void)mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 1);
		(void)snprintf(path, sizeof(path), "\\\\S\\Process(x#%d)\\%% Processor Time", p);
		(void)mem_source_series(m, path, PMON_PERF_100NSEC_TIMER, SECOND);
		(void)snprintf(path, sizeof(path), "\\\\S\\Process(x#%d)\\Elapsed Time", p);
		(void)mem_source_series(m, path, PMON_PERF_ELAPSED_TIME, SECOND);
	}
	for (size_t s = 0; s < SAMPLES; s++) {
		int64_t now = T0 + (int64_t)s * SECOND;

		mem_source_sample(m, now);
		for (uint32_t p = 0; p < PLACES; p++) {
			int64_t part = made->at[s][p].part;

			if (part == 0)
				continue;
			mem_source_raw(m, COUNTERS * p + PID, 100 + part, 0);
			if (made->at[s][p].is_bad)
				mem_source_bad(m, COUNTERS * p + TIME, PMON_RAW_NO_INSTANCE);
			else
				mem_source_raw(m, COUNTERS * p + TIME,
					       (now - made->at[s][p].start) / part, now);
			mem_source_raw(m, COUNTERS * p + ELAPSED, made->at[s][p].start, now);
		}
	}
	return mem_source_open(m);
}

// ---- What is kept -------------------------------------------------------------------------------

// The values of the kept samples, as computed by a reader that sees only these.
struct kept {
	const struct machine *made;
	struct pmon_statistics *statistics;
	bool from_start;
	bool is_whole;        // values that are possible must be there
	int64_t part[PLACES]; // of the process in the sample before; 0: none
	pmon_time before;
	size_t n_ok;
};

static void
check_value(struct kept *k, const struct pmon_sample *sample, size_t i, struct pmon_value value)
{
	size_t p = sample->series[i] / COUNTERS;
	// A process that ended within a step keeps the values of its last sample.
	size_t s = (size_t)((sample->raw[i].time - T0) / SECOND);
	int64_t part = k->made->at[s][p].part;
	bool can_be = k->part[p] == part || (k->from_start && k->before != PMON_TIME_NONE &&
					     k->made->at[s][p].start >= k->before);

	if (k->is_whole && can_be)
		assert_true(pmon_vstat_has_value(value.status));
	k->part[p] = part;
	if (!pmon_vstat_has_value(value.status))
		return;
	// 100 ns of the 50 ms that an interval has at least
	if (fabs(value.value - 100.0 / (double)part) > 1e-3)
		fail_msg("sample %zu, x#%zu: %g %%, want %g %%", s, p, value.value,
			 100.0 / (double)part);
	k->n_ok++;
}

static void
take(struct kept *k, const struct pmon_sample *sample)
{
	int64_t old[PLACES];
	const struct pmon_value *values;

	assert_int_equal(pmon_statistics_add(k->statistics, sample, &values, NULL), PMON_OK);
	if (sample->preceding)
		return;
	for (size_t p = 0; p < PLACES; p++) {
		old[p] = k->part[p];
		k->part[p] = 0;
	}
	for (size_t i = 0; i < sample->n; i++) {
		size_t p = sample->series[i] / COUNTERS;

		if (sample->series[i] % COUNTERS != TIME)
			continue;
		k->part[p] = old[p];
		check_value(k, sample, i, values[i]);
	}
	k->before = sample->time;
}

static struct kept
new_kept(const struct machine *made, const struct pmon_source *source, bool from_start)
{
	struct kept k = {.made = made, .from_start = from_start, .before = PMON_TIME_NONE};

	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &k.statistics, NULL),
		PMON_OK);
	return k;
}

// ---- Tests --------------------------------------------------------------------------------------

static struct pmon_source *
every(struct pmon_source *source, uint64_t n)
{
	assert_int_equal(pmon_every_open(source, n, NULL, &source, NULL), PMON_OK);
	return source;
}

static struct pmon_source *
steps(struct pmon_source *source, uint64_t n)
{
	assert_int_equal(pmon_steps_open(source, (int64_t)n * SECOND, NULL, &source, NULL),
			 PMON_OK);
	return source;
}

static size_t
check(const struct machine *made, struct pmon_source *source, bool is_whole, bool from_start)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = from_start};
	const struct pmon_sample *sample;
	size_t n_ok = 0;

	assert_int_equal(pmon_identity_open(source, &options, &source, NULL), PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		struct kept k = new_kept(made, source, from_start);

		k.is_whole = is_whole;
		while (pmon_source_next(source, &sample, NULL) == PMON_OK)
			take(&k, sample);
		pmon_statistics_free(k.statistics);
		assert_true(pass == 0 || k.n_ok == n_ok);
		n_ok = k.n_ok;
		assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	}
	pmon_source_close(source);
	return n_ok;
}

static void
no_value_is_of_two_processes(void **state)
{
	size_t n_ok[2] = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		bool is_whole = seed % 2 == 0;
		bool from_start = seed % 4 < 2;
		struct machine made;

		make_machine(seed, !is_whole, &made);
		n_ok[0] += check(&made, every(log_of(&made), 1 + seed % 5), is_whole, from_start);
		n_ok[1] += check(&made, steps(log_of(&made), 1 + seed % 5), is_whole, from_start);
	}
	assert_true(n_ok[0] > 4000 && n_ok[1] > 4000);
}

static void
steps_have_a_length(void **state)
{
	struct machine made;
	struct pmon_source *source;

	(void)state;
	make_machine(1, false, &made);
	assert_int_equal(pmon_steps_open(log_of(&made), 0, NULL, &source, NULL), PMON_E_ARG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_value_is_of_two_processes),
		cmocka_unit_test(steps_have_a_length),
	};

	return cmocka_run_group_tests_name("thin", tests, NULL, NULL);
}
