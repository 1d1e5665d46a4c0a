// test_sql.c - tables of SQLite: generated series of every type, logs of every format, cells that somebody made
// SPDX-License-Identifier: MIT
//
// The functions of SQL must give what struct pmon_statistics gives for the same samples, bit for bit.

#include "t.h"

#ifndef PMON_WITH_SQLITE

int
main(void)
{
	puts("built without SQLite");
	return 77;
}

#else

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "corpus.h"
#include "folder.h"
#include "memsource.h"
#include "query/statistics.h"
#include "sql/operands.h"
#include "sql/sql.h"

#define EACH                                                                                       \
	"SELECT path, pmon_avg(operands), pmon_total(operands), pmon_percentile(operands, 95) "    \
	"FROM log GROUP BY path, type"

static struct t_rand numbers = {7};

static struct pmon_statistics *
statistics_of(struct pmon_source *source)
{
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct pmon_err err;

	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		PMON_OK);
	pmon_statistics_keep(statistics, PMON_KEEP_TOTALS | PMON_KEEP_PERCENTILES);
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		assert_int_equal(pmon_statistics_add(statistics, sample, NULL, &err), PMON_OK);
	return statistics;
}

// ---- A host with a source that a test makes ---------------------------------------------------

struct maker {
	struct pmon_source *(*make)(void);
	size_t opened;
	bool refuses;
};

static enum pmon_status
open_made(void *ctx, const struct pmon_sql_scope *scope, struct pmon_sql_input *input,
	  struct pmon_err *err)
{
	struct maker *maker = ctx;

	(void)scope;
	if (maker->refuses)
		return pmon_err_set(err, PMON_E_FORMAT, 12, "x.blg: damaged at record 3");
	maker->opened++;
	*input = (struct pmon_sql_input){.source = maker->make(),
					 .calc = {.size = sizeof(input->calc)}};
	return PMON_OK;
}

static void
close_made(void *ctx, struct pmon_sql_input *input)
{
	struct maker *maker = ctx;

	maker->opened--;
	pmon_source_close(input->source);
}

static sqlite3 *
open_db(struct maker *maker)
{
	const struct pmon_sql_host host = {open_made, close_made, NULL, maker};
	sqlite3 *db;

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(pmon_sql_register(db, maker != NULL ? &host : &pmon_sql_files), SQLITE_OK);
	if (maker != NULL)
		assert_int_equal(sqlite3_exec(db, "CREATE VIRTUAL TABLE log USING pmon_values",
					      NULL, NULL, NULL),
				 SQLITE_OK);
	return db;
}

static void
check_cell(sqlite3_stmt *row, int column, struct pmon_value want, const char *label)
{
	if (!pmon_vstat_has_value(want.status)) {
		T_EQ_I64_AT(sqlite3_column_type(row, column), SQLITE_NULL, label);
		return;
	}
	T_EQ_I64_AT(sqlite3_column_type(row, column), SQLITE_FLOAT, label);
	T_EQ_DBL_AT(sqlite3_column_double(row, column), want.value, label);
}

// ---- Generated series -------------------------------------------------------------------------

// Rarely something odd: a reset, a step back, a large number, nothing.
static int64_t
advanced(int64_t number)
{
	switch (t_rand_below(&numbers, 16)) {
	case 0:
		return (int64_t)t_rand_below(&numbers, 100);
	case 1:
		return number;
	case 2:
		return (int64_t)(t_rand_u64(&numbers) >> 2);
	default:
		return (int64_t)((uint64_t)number + t_rand_below(&numbers, 100000));
	}
}

static uint32_t
any_status(void)
{
	static const uint32_t list[] = {PMON_RAW_INVALID, PMON_RAW_CHANGED, PMON_RAW_STEPPED};

	return t_rand_below(&numbers, 12) == 0 ? list[t_rand_below(&numbers, T_LEN(list))] : 0;
}

#define SERIES_OF_TYPE 2
#define SAMPLES        40

// Two series of each type, in two streams, with gaps in both.
static struct pmon_source *
make_series(void)
{
	struct mem_source *m = mem_source_new();
	size_t n = pmon_type_count() * SERIES_OF_TYPE;
	struct pmon_raw *raw = calloc(n, sizeof(*raw));
	pmon_time time = INT64_C(134396604000000000);

	assert_non_null(raw);
	numbers.state = 7; // the same each time
	for (size_t i = 0; i < n; i++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "\\\\M\\T%zu(%zu)\\C", i / SERIES_OF_TYPE,
			       i % SERIES_OF_TYPE);
		(void)mem_source_series(m, path, pmon_type_at(i / SERIES_OF_TYPE)->word,
					i % 3 == 0 ? 10000000 : 1000);
	}
	for (size_t k = 0; k < SAMPLES; k++) {
		time += t_rand_below(&numbers, 9) == 0 ? INT64_C(6000000000) : 10000000;
		mem_source_sample_of(m, time, 0, (uint32_t)t_rand_below(&numbers, 5) == 0);
		for (size_t i = 0; i < n; i++) {
			raw[i].time = time;
			raw[i].first = advanced(raw[i].first);
			raw[i].second = advanced(raw[i].second);
			raw[i].multi = 1 + (uint32_t)t_rand_below(&numbers, 3) % 2;
			raw[i].status = any_status();
			if (t_rand_below(&numbers, 10) > 0)
				mem_source_put(m, (uint32_t)i, &raw[i]);
		}
	}
	free(raw);
	return mem_source_open(m);
}

static void
test_every_type(void **state)
{
	struct maker maker = {.make = make_series};
	struct pmon_source *source = make_series();
	struct pmon_statistics *statistics = statistics_of(source);
	const struct pmon_schema *schema = pmon_source_schema(source);
	sqlite3 *db = open_db(&maker);
	size_t n = 0;
	sqlite3_stmt *row;

	(void)state;
	assert_int_equal(sqlite3_prepare_v2(db, EACH, -1, &row, NULL), SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		const char *path = (const char *)sqlite3_column_text(row, 0);
		size_t i = 0;

		while (strcmp(pmon_schema_at(schema, i)->name.ptr, path) != 0)
			assert_true(++i < pmon_schema_count(schema));
		check_cell(row, 1, pmon_stats_average(pmon_statistics_at(statistics, i)), path);
		check_cell(row, 2, pmon_statistics_total(statistics, i), path);
		check_cell(row, 3, pmon_statistics_percentile(statistics, i, 95), path);
		n++;
	}
	T_EQ_U64(n, pmon_schema_count(schema));
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	T_EQ_U64(maker.opened, 0);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// Groups are those of pmon_stats_gather().
static void
test_groups(void **state)
{
	struct maker maker = {.make = make_series};
	struct pmon_source *source = make_series();
	struct pmon_statistics *statistics = statistics_of(source);
	sqlite3 *db = open_db(&maker);
	sqlite3_stmt *row;

	(void)state;
	// Only types whose two series have the same ticks a second: the second and third of three.
	for (size_t type = 0; type < pmon_type_count(); type++) {
		const struct pmon_stats *a = pmon_statistics_at(statistics, 2 * type);
		const struct pmon_stats *b = pmon_statistics_at(statistics, 2 * type + 1);
		struct pmon_stats sum;
		char sql[120];

		pmon_stats_init(&sum, &a->calc);
		(void)snprintf(sql, sizeof(sql),
			       "SELECT pmon_avg(operands) FROM log WHERE object = 'T%zu'", type);
		assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
		if (a->calc.counter.time_base != b->calc.counter.time_base) {
			assert_int_equal(sqlite3_step(row), SQLITE_ERROR);
		} else {
			enum pmon_status first = pmon_stats_gather(&sum, a);
			enum pmon_status second = pmon_stats_gather(&sum, b);

			assert_int_equal(sqlite3_step(row), SQLITE_ROW);
			if (first == PMON_OK && second == PMON_OK)
				check_cell(row, 0, pmon_stats_average(&sum), sql);
			else
				T_EQ_I64_AT(sqlite3_column_type(row, 0), SQLITE_NULL, sql);
		}
		(void)sqlite3_finalize(row);
	}
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

static void
test_host_that_fails(void **state)
{
	struct maker maker = {.make = make_series, .refuses = true};
	sqlite3 *db = open_db(&maker);
	char *error = NULL;

	(void)state;
	assert_int_not_equal(sqlite3_exec(db, "SELECT * FROM log", NULL, NULL, &error), SQLITE_OK);
	T_EQ_STR(error, "x.blg: damaged at record 3");
	sqlite3_free(error);
	// A scan that is left in its middle is closed.
	maker.refuses = false;
	assert_int_equal(sqlite3_exec(db,
				      "SELECT * FROM log a JOIN log b ON a.time = b.time LIMIT 3",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	T_EQ_U64(maker.opened, 0);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// ---- Cells ------------------------------------------------------------------------------------

static int64_t
any_number(void)
{
	return (int64_t)(t_rand_u64(&numbers) >> t_rand_below(&numbers, 64)) *
	       (t_rand_below(&numbers, 2) == 0 ? 1 : -1);
}

static struct pmon_raw
any_raw(void)
{
	return (struct pmon_raw){.status = (uint32_t)t_rand_u64(&numbers),
				 .multi = (uint32_t)t_rand_u64(&numbers),
				 .time = any_number(),
				 .first = any_number(),
				 .second = any_number()};
}

static struct pmon_sql_operands
any_operands(void)
{
	size_t type = t_rand_below(&numbers, pmon_type_count());

	return (struct pmon_sql_operands){
		.counter = {.type = pmon_type_at(type)->word,
			    .size_bytes = 8,
			    .default_scale = (int32_t)any_number(),
			    .time_base = any_number()},
		.options = {.size = sizeof(struct pmon_calc_options),
			    .policy = (enum pmon_policy)t_rand_below(&numbers, 3),
			    .cap_100 = t_rand_below(&numbers, 2) == 0},
		.series = t_rand_u64(&numbers),
		.known_type = (uint32_t)t_rand_u64(&numbers),
		.raw = any_raw(),
		.has_older = true,
		.older = any_raw(),
		.has_span = t_rand_below(&numbers, 2) == 0,
		.has_part = t_rand_below(&numbers, 2) == 0,
		.stream = (uint32_t)t_rand_u64(&numbers),
		.part = {.seconds = (double)any_number(),
			 .operations = (double)any_number(),
			 .is_first = t_rand_below(&numbers, 2) == 0},
	};
}

static void
assert_same_raw(const struct pmon_raw *got, const struct pmon_raw *want)
{
	T_EQ_U64(got->status, want->status);
	T_EQ_U64(got->multi, want->multi);
	T_EQ_I64(got->time, want->time);
	T_EQ_I64(got->first, want->first);
	T_EQ_I64(got->second, want->second);
}

static void
test_operands(void **state)
{
	uint8_t bytes[PMON_SQL_OPERANDS_MAX];

	(void)state;
	for (size_t i = 0; i < t_runs("PMON_TEST_OPERANDS", 20000); i++) {
		struct pmon_sql_operands want = any_operands();
		struct pmon_sql_operands got;
		size_t len = pmon_sql_operands_put(&want, bytes);

		assert_true(pmon_sql_operands_get(bytes, len, &got));
		assert_same_raw(&got.raw, &want.raw);
		assert_same_raw(&got.older, &want.older);
		T_EQ_U64(got.series, want.series);
		T_EQ_I64(got.counter.time_base, want.counter.time_base);
		T_EQ_I64(got.counter.default_scale, want.counter.default_scale);
		T_EQ_U64(got.counter.type, want.counter.type);
		T_EQ_I64(got.options.policy, want.options.policy);
		T_EQ_U64(got.known_type, want.known_type);
		T_EQ_DBL(got.part.seconds, want.has_part ? want.part.seconds : 0);
		T_EQ_DBL(got.part.operations, want.has_part ? want.part.operations : 0);
		// Cut off anywhere, or with a byte more, it is none.
		assert_false(pmon_sql_operands_get(bytes, t_rand_below(&numbers, len), &got));
		if (len < sizeof(bytes))
			assert_false(pmon_sql_operands_get(bytes, len + 1, &got));
	}
}

// Any numbers in a cell, and any bytes: a result or an error.
static void
test_cells_of_somebody(void **state)
{
	sqlite3 *db = open_db(NULL);
	uint8_t bytes[PMON_SQL_OPERANDS_MAX];
	sqlite3_stmt *row;

	(void)state;
	assert_int_equal(
		sqlite3_prepare_v2(db,
				   "WITH c(o) AS (VALUES (?1), (?2), (?1)) SELECT pmon_avg(o), "
				   "pmon_total(o), pmon_percentile(o, 50) FROM c",
				   -1, &row, NULL),
		SQLITE_OK);
	for (size_t i = 0; i < t_runs("PMON_TEST_OPERANDS", 20000); i++) {
		struct pmon_sql_operands o = any_operands();
		struct pmon_sql_operands other = any_operands();
		size_t len = pmon_sql_operands_put(&o, bytes);
		int rc;

		if (i % 3 == 0)
			bytes[t_rand_below(&numbers, len)] ^=
				(uint8_t)(1 + t_rand_below(&numbers, 255));
		sqlite3_bind_blob(row, 1, bytes, (int)len, SQLITE_TRANSIENT);
		other.counter = o.counter;
		other.known_type = o.known_type;
		other.series = o.series + i % 2;
		len = pmon_sql_operands_put(&other, bytes);
		sqlite3_bind_blob(row, 2, bytes, (int)len, SQLITE_TRANSIENT);
		rc = sqlite3_step(row);
		assert_true(rc == SQLITE_ROW || rc == SQLITE_ERROR);
		(void)sqlite3_reset(row);
	}
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// ---- Logs of all formats ----------------------------------------------------------------------

static size_t n_rows;

static void
check_log(const struct corpus_log *log)
{
	static const char grouped[] =
		"SELECT object, counter, type, pmon_avg(operands), pmon_total(operands), "
		"pmon_percentile(operands, 95) FROM pmon_values(?1) GROUP BY path, type";
	static const char *const statements[] = {
		"SELECT * FROM pmon_values(?1)",   grouped,
		"SELECT * FROM pmon_raw(?1)",      "SELECT * FROM pmon_counters(?1)",
		"SELECT * FROM pmon_machines(?1)",
	};
	char path[FOLDER_SIZE + 32];
	sqlite3 *db = open_db(NULL);

	(void)snprintf(path, sizeof(path), "%s/log", folder);
	t_write_file(path, log->bytes, log->len);
	for (size_t i = 0; i < T_LEN(statements); i++) {
		sqlite3_stmt *row;
		int rc;

		assert_int_equal(sqlite3_prepare_v2(db, statements[i], -1, &row, NULL), SQLITE_OK);
		sqlite3_bind_text(row, 1, path, -1, SQLITE_STATIC);
		while ((rc = sqlite3_step(row)) == SQLITE_ROW)
			for (int k = 0; k < sqlite3_column_count(row); k++, n_rows++)
				(void)sqlite3_column_text(row, k);
		// A failure is told, and with the name of the file unless it is about the statement.
		if (rc != SQLITE_DONE)
			assert_true(strlen(sqlite3_errmsg(db)) > 0);
		(void)sqlite3_finalize(row);
	}
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	(void)unlink(path);
}

static void
test_logs(void **state)
{
	(void)state;
	corpus_each(20000, check_log);
	assert_true(n_rows > 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type),        cmocka_unit_test(test_groups),
		cmocka_unit_test(test_host_that_fails),   cmocka_unit_test(test_operands),
		cmocka_unit_test(test_cells_of_somebody), cmocka_unit_test(test_logs),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

#endif
