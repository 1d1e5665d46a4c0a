// test_core_calc.c - what holds for the displayed values of every type
// SPDX-License-Identifier: MIT

#include <stdlib.h>

#include <pmon/counter.h>

#include "t.h"
#include "vector.h"

static struct pmon_calc
calc_of(uint32_t type, int64_t time_base)
{
	struct pmon_counter counter = {.type = type, .time_base = time_base};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	return calc;
}

static void
check_value(struct pmon_value got, double want, enum pmon_vstat status, const char *label)
{
	T_EQ_STR_AT(pmon_vstat_name(got.status), pmon_vstat_name(status), label);
	T_EQ_DBL_AT(got.value, want, label);
}

// ---- Every type ----------------------------------------------------------------------------------

// The rows of values.tsv named "type-...": one pair of each type that is displayed.
struct pair {
	struct pmon_calc calc;
	struct pmon_raw older;
	struct pmon_raw newer;
	double want;
};

static struct pair pairs[64];
static size_t n_pairs;

static int
read_pairs(void **state)
{
	struct t_csv csv;
	size_t displayed = 0;

	(void)state;
	t_csv_open_vectors(&csv, "values.tsv");
	while (t_csv_next(&csv)) {
		struct pair *p = &pairs[n_pairs];

		if (strncmp(t_csv_get(&csv, "id"), "type-", 5) != 0)
			continue;
		p->calc = t_vector_calc(&csv);
		(void)t_vector_raw_at(&csv, "older", &p->calc, &p->older);
		assert_true(t_vector_raw_at(&csv, "newer", &p->calc, &p->newer));
		p->want = strtod(t_csv_get(&csv, "value"), NULL);
		n_pairs++;
	}
	t_csv_close(&csv);
	for (size_t i = 0; i < pmon_type_count(); i++)
		displayed += pmon_type_at(i)->formula != PMON_FORMULA_NONE;
	T_EQ_U64(n_pairs, displayed);
	return 0;
}

// Only VALID and NEW raw values are used; the newer one's status decides for types of one sample.
// Source: the documentation of PdhCalculateCounterFromRawValue.
static void
test_raw_statuses_of_every_type(void **state)
{
	static const uint32_t bad[] = {PMON_RAW_NO_MACHINE, PMON_RAW_NO_INSTANCE,
				       PMON_RAW_NO_OBJECT,  PMON_RAW_NO_COUNTER,
				       PMON_RAW_INVALID,    2,
				       0x800007D3u};

	(void)state;
	for (size_t i = 0; i < n_pairs; i++) {
		struct pair p = pairs[i];
		const char *name = p.calc.type->name;
		bool needs_two = pmon_calc_needs_two(&p.calc);

		p.newer.status = PMON_RAW_NEW;
		check_value(pmon_calc_value(&p.calc, &p.older, &p.newer), p.want, PMON_V_OK, name);
		for (size_t k = 0; k < T_LEN(bad); k++) {
			p.newer.status = bad[k];
			p.older.status = PMON_RAW_VALID;
			check_value(pmon_calc_value(&p.calc, &p.older, &p.newer), 0, PMON_V_BAD_RAW,
				    name);
			p.newer.status = PMON_RAW_VALID;
			p.older.status = bad[k];
			check_value(pmon_calc_value(&p.calc, &p.older, &p.newer),
				    needs_two ? 0 : p.want, needs_two ? PMON_V_BAD_RAW : PMON_V_OK,
				    name);
		}
		check_value(pmon_calc_value(&p.calc, NULL, &p.newer), needs_two ? 0 : p.want,
			    needs_two ? PMON_V_FIRST : PMON_V_OK, name);
	}
}

// Rule 4: a time base that is needed and not above 0. Which formulas have it: "Calculations
// for Raw Counter Data" (TB).
static void
test_time_base_of_every_type(void **state)
{
	static const int64_t bad[] = {0, -1, INT64_MIN};

	(void)state;
	for (size_t i = 0; i < n_pairs; i++) {
		for (size_t k = 0; k < T_LEN(bad); k++) {
			struct pair p = pairs[i];
			bool needs_ticks = p.calc.counter.time_base != 0;

			p.calc.counter.time_base = bad[k];
			check_value(pmon_calc_value(&p.calc, &p.older, &p.newer),
				    needs_ticks ? 0 : p.want,
				    needs_ticks ? PMON_V_BAD_TIME_BASE : PMON_V_OK,
				    p.calc.type->name);
		}
	}
}

// Rule 1: bases, labels and texts are not computed.
static void
test_types_that_are_not_displayed(void **state)
{
	struct pmon_raw older = {.first = 1, .second = 1};
	struct pmon_raw newer = {.first = 2, .second = 2};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		struct pmon_calc calc = calc_of(type->word, 1);

		if (type->formula != PMON_FORMULA_NONE)
			continue;
		check_value(pmon_calc_value(&calc, &older, &newer), 0, PMON_V_NOT_DISPLAYED,
			    type->name);
		check_value(pmon_calc_value(&calc, NULL, &newer), 0, PMON_V_NOT_DISPLAYED,
			    type->name);
	}
}

// Rule 5: a negative number is not a 32-bit value, so it does not wrap.
static void
test_negative_numbers_do_not_wrap(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_COUNTER_COUNTER, 1);
	struct pmon_raw older = {.first = 1};
	struct pmon_raw newer = {.first = -1, .second = 1};

	(void)state;
	check_value(pmon_calc_value(&calc, &older, &newer), 0, PMON_V_COUNTER_BACK, "newer");
	older.first = -5;
	newer.first = -7;
	check_value(pmon_calc_value(&calc, &older, &newer), 0, PMON_V_COUNTER_BACK, "both");
}

// ---- Options -----------------------------------------------------------------------------------

static struct pmon_value
value_with(uint32_t type, const struct pmon_raw *newer, const struct pmon_calc_options *options)
{
	struct pmon_counter counter = {.type = type, .time_base = 1};
	struct pmon_raw zero = {.multi = 1};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, options);
	return pmon_calc_value(&calc, &zero, newer);
}

// Every percentage is capped except those of the MULTI types, and nothing else is: see the
// documentation of PDH_FMT_NOCAP100; winperf.h, "can exceed 100%".
static void
test_cap_100(void **state)
{
	const struct pmon_calc_options cap = {.size = sizeof(cap), .cap_100 = true};
	// 155 %: two threads at 75 % and 80 %, "Collecting Performance Data"
	const struct pmon_raw raw = {.first = 155, .second = 100, .multi = 1};
	const struct pmon_raw just = {.first = 100, .second = 100, .multi = 1};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		double plain = value_with(type->word, &raw, NULL).value;
		double capped = value_with(type->word, &raw, &cap).value;

		if (type->formula == PMON_FORMULA_PERCENT ||
		    type->formula == PMON_FORMULA_FRACTION) {
			T_EQ_DBL_AT(plain, 155, type->name);
			T_EQ_DBL_AT(capped, 100, type->name);
			T_EQ_DBL_AT(value_with(type->word, &just, &cap).value, 100, type->name);
		} else {
			T_EQ_DBL_AT(capped, plain, type->name);
		}
	}
}

static void
test_names_of_policies(void **state)
{
	(void)state;
	T_EQ_STR(pmon_policy_name(PMON_POLICY_DEFAULT), "default");
	T_EQ_STR(pmon_policy_name(PMON_POLICY_STRICT), "strict");
	T_EQ_STR(pmon_policy_name(PMON_POLICY_CLAMP), "clamp");
	T_EQ_STR(pmon_policy_name((enum pmon_policy)(PMON_POLICY_CLAMP + 1)), "undefined");
}

// The words of PDH_CSTATUS_... and PDH_... in pdhmsg.h, in lower case; the last two are pmon's own, with
// the numbers of docs/engines/clickhouse.md.
static void
test_names_of_raw_statuses(void **state)
{
	static const struct {
		uint32_t status;
		const char *name;
	} rows[] = {
		{0, "valid_data"},
		{1, "new_data"},
		{0x800007D0u, "no_machine"},
		{0x800007D1u, "no_instance"},
		{0x800007D3u, "item_not_validated"},
		{0x800007D5u, "no_data"},
		{0xC0000BB8u, "no_object"},
		{0xC0000BB9u, "no_counter"},
		{0xC0000BBAu, "invalid_data"},
		{0x20000001u, "instance_changed"},
		{0x20000005u, "clock_stepped"},
		{0x20000002u, "started"},
	};
	uint32_t back;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		T_EQ_STR(pmon_raw_status_name(rows[i].status), rows[i].name);
		assert_true(pmon_raw_status_by_name(t_span(rows[i].name), &back));
		T_EQ_U64(back, rows[i].status);
	}
	assert_null(pmon_raw_status_name(2));
	assert_false(pmon_raw_status_by_name(t_span("valid"), &back));
	T_EQ_U64(back, PMON_RAW_INVALID);
}

// ---- 32-bit raw values in signed numbers --------------------------------------------------------

static void
check_extended(uint32_t word, uint8_t size, int64_t first, int64_t second, int64_t want_first,
	       int64_t want_second)
{
	struct pmon_counter counter = {.type = word, .size_bytes = size};
	struct pmon_raw raw = {.first = first, .second = second};
	char label[64];

	snprintf(label, sizeof(label), "0x%08X size %u", (unsigned)word, size);
	pmon_raw_zero_extend(&counter, &raw);
	T_EQ_I64_AT(raw.first, want_first, label);
	T_EQ_I64_AT(raw.second, want_second, label);
}

// winperf.h: PERF_SIZE_DWORD is bits 8 and 9 of the word being 0, and a DWORD is unsigned. The bases
// that are DWORDs are PERF_RAW_BASE, PERF_SAMPLE_BASE and PERF_AVERAGE_BASE.
static void
test_zero_extend(void **state)
{
	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		bool dword = (type->word & 0x300u) == 0 && type->word != PMON_PERF_DOUBLE_RAW;
		bool base = type->base_name != NULL && type->second == PMON_SECOND_BASE &&
			    strcmp(type->base_name, "PERF_LARGE_RAW_BASE") != 0;

		check_extended(type->word, 0, -1, -1, dword ? 4294967295 : -1,
			       base ? 4294967295 : -1);
		check_extended(type->word, 0, INT32_MIN, 0, dword ? 2147483648 : INT32_MIN, 0);
		check_extended(type->word, 0, INT64_C(-2147483649), 0, INT64_C(-2147483649), 0);
		check_extended(type->word, 0, 4294967295, 4294967295, 4294967295, 4294967295);
		check_extended(type->word, 0, 0, -2, 0, base ? 4294967294 : -2);
	}
}

static void
test_zero_extend_by_size(void **state)
{
	(void)state;
	// The definition of the counter knows its width better than the word.
	check_extended(PMON_PERF_AVERAGE_TIMER, 8, -5, 1, -5, 1);
	check_extended(PMON_PERF_COUNTER_LARGE_RAWCOUNT, 4, -5, 0, 4294967291, 0);
	check_extended(PMON_PERF_DOUBLE_RAW, 4, -5, 0, -5, 0);
	check_extended(0x12345678u, 4, -5, -5, -5, -5); // unknown: nothing is computed with it
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw_statuses_of_every_type),
		cmocka_unit_test(test_time_base_of_every_type),
		cmocka_unit_test(test_types_that_are_not_displayed),
		cmocka_unit_test(test_negative_numbers_do_not_wrap),
		cmocka_unit_test(test_cap_100),
		cmocka_unit_test(test_names_of_policies),
		cmocka_unit_test(test_names_of_raw_statuses),
		cmocka_unit_test(test_zero_extend),
		cmocka_unit_test(test_zero_extend_by_size),
	};

	return cmocka_run_group_tests_name("core_calc", tests, read_pairs, NULL);
}
