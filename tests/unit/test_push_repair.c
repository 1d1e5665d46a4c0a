// test_push_repair.c - overlapping logs of a series are repaired into the rows that one complete log gives
// SPDX-License-Identifier: MIT
//
// Each sample of a made-up series is in one of two logs or in both. The rows of the two logs are merged as the engines
// merge them, and repaired. The expected rows are those of a third log, which has all samples.

#include <pmon/increments.h>

#include "events.h"
#include "push/facts.h"
#include "t.h"

#if defined(PMON_PUSH_CLICKHOUSE) || defined(PMON_PUSH_POSTGRES)

#include "push/repair.h"

enum {
	SECOND = 2,
	BOTH = 3
};

static struct pmon_push_state
state_of(const struct pmon_calc *calc)
{
	struct pmon_push_state state = {.has_tail = false};

	pmon_increments_begin(&state.rows, calc);
	return state;
}

// The fact of a sample as the next one of its log.
static struct pmon_push_fact
next_fact(struct pmon_push_state *state, const struct pmon_raw *raw)
{
	struct pmon_push_states states = {.list = state, .n = 1};
	const struct pmon_push_row row = {.time = raw->time, .raw = raw};
	struct pmon_push_fact fact;

	assert_true(pmon_push_fact(&states, 0, &row, &fact));
	return fact;
}

// The row that counts of two of one key: that of the larger version; of equals any.
static struct pmon_push_fact
merged(const struct pmon_push_fact *a, const struct pmon_push_fact *b, bool takes_second)
{
	uint64_t x = pmon_push_version(a);
	uint64_t y = pmon_push_version(b);

	return y > x || (y == x && takes_second) ? *b : *a;
}

static void
check_same(const struct pmon_push_fact *got, const struct pmon_push_fact *want,
	   const struct pmon_counter_type *type)
{
	bool is_divided = type->formula != PMON_FORMULA_DELTA;
	const char *label = type->name;

	T_EQ_STR_AT(pmon_increment_kind_name(got->row.kind),
		    pmon_increment_kind_name(want->row.kind), label);
	T_EQ_STR_AT(pmon_vstat_name(got->row.status), pmon_vstat_name(want->row.status), label);
	T_EQ_I64_AT(got->time, want->time, label);
	T_EQ_I64_AT(got->row.time, want->row.time, label);
	T_EQ_I64_AT(got->row.n, want->row.n, label);
	// The second number of a start is not rebuilt where the formula does not use it.
	if (want->row.kind != PMON_INCREMENT_START || is_divided)
		T_EQ_I64_AT(got->row.d, want->row.d, label);
	T_EQ_I64_AT(got->row.b, want->row.b, label);
	T_EQ_U64_AT(got->row.wrapped, want->row.wrapped, label);
	T_EQ_U64_AT(got->row.raw_status, want->row.raw_status, label);
	if (want->row.kind != PMON_INCREMENT_NONE)
		T_EQ_I64_AT(got->span, want->span, label);
}

// Raw values, each with its own time. Absences and process starts, which only a whole log can show, are left out.
static size_t
make_samples(struct t_rand *r, uint32_t type, struct pmon_raw raw[T_MAX_EVENTS])
{
	struct t_event events[T_MAX_EVENTS];
	size_t n = t_make_events(r, type, events);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (events[i].gap || events[i].raw.status == PMON_RAW_STARTED)
			continue;
		raw[kept] = events[i].raw;
		raw[kept].time = (pmon_time)(10 * kept + t_rand_below(r, 10)) + 1;
		kept++;
	}
	return kept;
}

static void
check_logs(struct t_rand *r, uint32_t type)
{
	struct pmon_calc calc = t_make_calc(r, type);
	struct pmon_push_state whole = state_of(&calc);
	struct pmon_push_state log[2] = {whole, whole};
	struct pmon_raw raw[T_MAX_EVENTS];
	struct pmon_push_fact want[T_MAX_EVENTS];
	struct pmon_push_repaired rows[T_MAX_EVENTS];
	size_t n = make_samples(r, type, raw);

	calc.options = (struct pmon_calc_options){.size = sizeof(calc.options)};
	whole = log[0] = log[1] = state_of(&calc);
	for (size_t i = 0; i < n; i++) {
		size_t in = 1 + t_rand_below(r, 3);
		struct pmon_push_fact fact[2] = {{.span = 0}};

		for (int k = 0; k < 2; k++)
			if ((in >> k & 1) != 0)
				fact[k] = next_fact(&log[k], &raw[i]);
		want[i] = next_fact(&whole, &raw[i]);
		rows[i] = (struct pmon_push_repaired){
			.fact = in == BOTH ? merged(&fact[0], &fact[1], t_rand_below(r, 2) == 0)
					   : fact[in == SECOND]};
	}
	assert_true(pmon_push_repair(&calc, rows, n));
	for (size_t i = 0; i < n; i++)
		check_same(&rows[i].fact, &want[i], calc.type);
	// What is repaired is not repaired again.
	assert_true(pmon_push_repair(&calc, rows, n));
	for (size_t i = 0; i < n; i++) {
		rows[i].is_new = false;
		check_same(&rows[i].fact, &want[i], calc.type);
	}
}

static void
test_overlapping_logs(void **state)
{
	struct t_rand r = {361};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		struct pmon_counter counter = {.type = pmon_type_at(i)->word};
		struct pmon_calc calc;

		pmon_calc_init(&calc, &counter, NULL);
		for (size_t k = 0;
		     pmon_calc_needs_two(&calc) && k < t_runs("PMON_TEST_SERIES", 300); k++)
			check_logs(&r, counter.type);
	}
}

// The rows begin in the middle of a series, so the row that the first one refers to is missing.
static void
test_rows_without_their_start(void **state)
{
	struct pmon_counter counter = {.type = PMON_PERF_COUNTER_BULK_COUNT, .time_base = 1};
	struct pmon_calc calc;
	struct pmon_push_repaired row = {
		.fact = {.time = 20,
			 .span = 10,
			 .row = {.kind = PMON_INCREMENT_PAIR, .n = 1, .d = 1}}};

	(void)state;
	pmon_calc_init(&calc, &counter, NULL);
	assert_false(pmon_push_repair(&calc, &row, 1));
}

// Owners: a process ID of 7 that started at 1000 s; starts of one process differ by a clock tick.
static void
test_owners(void **state)
{
	static const struct {
		struct pmon_push_owner a;
		struct pmon_push_owner b;
		enum pmon_push_same want;
	} pairs[] = {
		{{7, 0, 1}, {7, 0, 1}, PMON_PUSH_SAME},
		{{7, 0, 1}, {8, 0, 1}, PMON_PUSH_OTHER},
		{{7, 10000000000, 5}, {7, 10000100000, 5}, PMON_PUSH_SAME},
		{{7, 10000000000, 5}, {7, 20000000000, 5}, PMON_PUSH_OTHER},
		{{7, 10000000000, 5}, {7, 0, 1}, PMON_PUSH_SAME},
		{{7, 10000000000, 5}, {0, 0, 0}, PMON_PUSH_UNKNOWN},
		{{0, 0, 0}, {0, 0, 0}, PMON_PUSH_SAME},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(pairs); i++) {
		T_EQ_I64(pmon_push_compare_owners(&pairs[i].a, &pairs[i].b), pairs[i].want);
		T_EQ_I64(pmon_push_compare_owners(&pairs[i].b, &pairs[i].a), pairs[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlapping_logs),
		cmocka_unit_test(test_rows_without_their_start),
		cmocka_unit_test(test_owners),
	};

	return cmocka_run_group_tests_name("push_repair", tests, NULL, NULL);
}

#else

int
main(void)
{
	return 0;
}

#endif
