// test_core_sql.c - the pieces of SQL that every database shares, evaluated by SQLite
// SPDX-License-Identifier: MIT
//
// test_sqlite_views.c and the tests of the other databases compare whole views with core.

#include "core/sql.h"
#include "t.h"

#ifdef PMON_WITH_SQLITE

#include <sqlite3.h>

#define PIECE_SIZE 8192

static double
number_of(sqlite3 *db, const char *expression, const char *columns)
{
	char sql[PIECE_SIZE + 512];
	sqlite3_stmt *stmt;
	double number;

	snprintf(sql, sizeof(sql), "SELECT %s FROM (SELECT %s)", expression, columns);
	T_EQ_I64_AT(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, sql);
	T_EQ_I64_AT(sqlite3_step(stmt), SQLITE_ROW, sql);
	assert_int_not_equal(sqlite3_column_type(stmt, 0), SQLITE_NULL);
	number = sqlite3_column_double(stmt, 0);
	sqlite3_finalize(stmt);
	return number;
}

// n = 120, d = 900, f = 50, b = 2; Python, in the order of docs/reference/counters.md:
// 120 / (900 / 50), 120 / 900, 100 * (120 / 900), 100 * (1 - 120 / 900), 100 * (120 / 900) / 2,
// 100 * (2 - 120 / 900), 120 / 50 / 900, 120 / 50
static const struct {
	const char *formula;
	double want;
} formulas[] = {
	{"count", 120},
	{"double", 120},
	{"delta", 120},
	{"fraction", 13.333333333333334},
	{"elapsed", 2.4},
	{"rate", 6.666666666666667},
	{"ratio", 0.13333333333333333},
	{"percent", 13.333333333333334},
	{"percent_inv", 86.66666666666667},
	{"multi", 6.666666666666667},
	{"multi_inv", 186.66666666666666},
	{"average_time", 0.0026666666666666666},
};

typedef void (*put_fn)(struct pmon_text *, const struct pmon_sql_dialect *);

// An average of one series is the mean of n for fractions.
static void
check_formulas(sqlite3 *db, put_fn put, bool searched, int mean_members)
{
	const struct pmon_sql_dialect dialect = {
		.no_type = "0", .no_older = "0", .is_huge = "0", .searched = searched};
	char piece[PIECE_SIZE];
	char columns[128];

	for (size_t i = 0; i < T_LEN(formulas); i++) {
		const char *name = formulas[i].formula;
		struct pmon_text text = pmon_text_init(piece, sizeof(piece));
		bool is_mean = mean_members == 1 && strcmp(name, "fraction") == 0;

		put(&text, &dialect);
		assert_true(text.len < sizeof(piece));
		snprintf(columns, sizeof(columns),
			 "'%s' AS formula, 120.0 AS n, 900.0 AS d, 50.0 AS f, 2.0 AS b, "
			 "%d AS members",
			 name, mean_members);
		T_EQ_DBL_AT(number_of(db, piece, columns), is_mean ? 120 : formulas[i].want, name);
	}
}

static void
test_formulas(void **state)
{
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	check_formulas(db, pmon_sql_put_formula, false, 0);
	check_formulas(db, pmon_sql_put_formula, true, 0);
	check_formulas(db, pmon_sql_put_average, false, 1);
	check_formulas(db, pmon_sql_put_average, true, 1);
	check_formulas(db, pmon_sql_put_average, false, 2); // a group: all parts over all wholes
	check_formulas(db, pmon_sql_put_average, true, 2);
	sqlite3_close(db);
}

// Rules 5 and 6 of docs/reference/counters.md: 0 forward, 1 through 2^32, 2 back.
static void
test_steps(void **state)
{
	static const struct {
		int64_t older;
		int64_t newer;
		int want[2]; // where it may not wrap, where it may
	} steps[] = {
		{7, 7, {0, 0}},
		{7, 8, {0, 0}},
		{-8, -7, {0, 0}},
		{0xFFFFFF80, 0xC0, {2, 1}},  // KB177655
		{0x80000001, 0, {2, 1}},     // 2^31 - 1 forward
		{0x80000000, 0, {2, 2}},     // 2^31 forward, 2^31 back
		{1, 0, {2, 2}},              // a reset
		{0xFFFFFFFF, 0, {2, 1}},     // from the last to the first
		{0x100000000, 0xC0, {2, 2}}, // does not fit in 32 bits
		{0xFFFFFFFF, -1, {2, 2}},    // nor does that
		{0xFFFFFFFF, -1000, {2, 2}}, // ... by more
		{5000000000, 4999999999, {2, 2}},
	};
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	for (size_t i = 0; i < T_LEN(steps); i++) {
		for (int wraps = 0; wraps < 2; wraps++) {
			char piece[PIECE_SIZE];
			char columns[128];
			struct pmon_text text = pmon_text_init(piece, sizeof(piece));

			pmon_sql_put_step(&text, wraps ? "1" : "0", "newer", "older");
			snprintf(columns, sizeof(columns), "%lld AS newer, %lld AS older",
				 (long long)steps[i].newer, (long long)steps[i].older);
			T_EQ_DBL_AT(number_of(db, piece, columns), steps[i].want[wraps], columns);
		}
	}
	sqlite3_close(db);
}

#else

static void
test_formulas(void **state)
{
	(void)state;
	skip();
}

static void
test_steps(void **state)
{
	(void)state;
	skip();
}

#endif

// The columns of a type in the table pmon_type. Names: docs/reference/counters.md.
static void
test_columns_of_types(void **state)
{
	static const struct {
		uint32_t word;
		struct pmon_sql_type want;
	} rows[] = {
		{PMON_PERF_COUNTER_RAWCOUNT, {"count", true, false, false, false, true, false}},
		{PMON_PERF_COUNTER_LARGE_DELTA,
		 {"delta", false, false, false, false, false, false}},
		{PMON_PERF_COUNTER_DELTA, {"delta", false, false, false, false, false, false}},
		{PMON_PERF_COUNTER_COUNTER, {"rate", false, true, false, true, true, false}},
		{PMON_PERF_COUNTER_BULK_COUNT, {"rate", false, true, false, true, false, false}},
		{PMON_PERF_SAMPLE_FRACTION, {"percent", false, true, true, false, true, true}},
		{PMON_PERF_LARGE_RAW_FRACTION,
		 {"fraction", true, false, true, false, false, false}},
		{PMON_PERF_AVERAGE_TIMER, {"average_time", false, true, true, true, true, true}},
		{PMON_PERF_ELAPSED_TIME, {"elapsed", true, false, false, true, false, false}},
		{PMON_PERF_AVERAGE_BASE, {"none", true, false, false, false, true, false}},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const struct pmon_counter_type *type = pmon_type_by_word(rows[i].word);
		const struct pmon_sql_type *want = &rows[i].want;
		struct pmon_sql_type got = pmon_sql_type(type);

		T_EQ_STR_AT(got.formula, want->formula, type->name);
		T_EQ_BOOL_AT(got.is_single, want->is_single, type->name);
		T_EQ_BOOL_AT(got.divides, want->divides, type->name);
		T_EQ_BOOL_AT(got.by_base, want->by_base, type->name);
		T_EQ_BOOL_AT(got.needs_ticks, want->needs_ticks, type->name);
		T_EQ_BOOL_AT(got.wraps, want->wraps, type->name);
		T_EQ_BOOL_AT(got.base_wraps, want->base_wraps, type->name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_columns_of_types),
	};

	return cmocka_run_group_tests_name("core_sql", tests, NULL, NULL);
}
