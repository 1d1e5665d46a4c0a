// test_sqlite_views.c - the views of a SQLite database compute the same in SQL as core
// SPDX-License-Identifier: MIT

#include "t.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "explained.h"
#include "folder.h"
#include "memsource.h"
#include "moments.h"
#include "odd_log.h"
#include "write_fault.h"

#ifndef PMON_WITH_SQLITE

int
main(void)
{
	puts("built without SQLite");
	return 77;
}

#else

#include <sqlite3.h>

static sqlite3_stmt *
query(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *rows;

	if (sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	return rows;
}

static void
same_value(sqlite3_stmt *row, int column, struct pmon_value want, const char *label)
{
	bool has = pmon_vstat_has_value(want.status);

	T_EQ_BOOL_AT(sqlite3_column_type(row, column) != SQLITE_NULL, has, label);
#ifdef __i386__
	// On x87, Debian's SQLite computes with more bits than a double, so our last bit may
	// differ.
	if (has)
		t_check_near(sqlite3_column_double(row, column), want.value, label);
#else
	if (has)
		T_EQ_DBL_AT(sqlite3_column_double(row, column), want.value, label);
#endif
}

static bool
is_sum_of_doubles(const struct pmon_stats *stats)
{
	return stats->calc.type != NULL && (stats->calc.type->formula == PMON_FORMULA_FRACTION ||
					    stats->calc.type->formula == PMON_FORMULA_DOUBLE);
}

static void
same_averages(sqlite3 *db, const struct pmon_statistics *statistics)
{
	sqlite3_stmt *rows = query(db, "SELECT series, average, status, samples FROM pmon_average"
				       " WHERE window_name = 'all'");
	const struct pmon_stats *stats;
	size_t n = 0;

	while (sqlite3_step(rows) == SQLITE_ROW) {
		struct pmon_value average;
		char label[64];

		stats = pmon_statistics_at(statistics, (size_t)sqlite3_column_int(rows, 0) - 1);
		assert_non_null(stats);
		(void)snprintf(label, sizeof(label), "average of type %08x",
			       (unsigned)stats->calc.counter.type);
		average = pmon_stats_average(stats);
		// Means of numbers beyond 2^42 are of doubles that SQL rounds as it adds.
		if (fabs(average.value) > 1e9 && is_sum_of_doubles(stats))
			assert_true(fabs(sqlite3_column_double(rows, 1) / average.value - 1) <
				    1e-14);
		else
			same_value(rows, 1, average, label);
		if (stats->pairs > 0)
			T_EQ_STR_AT((const char *)sqlite3_column_text(rows, 2),
				    pmon_vstat_name(average.status), label);
		T_EQ_U64_AT((uint64_t)sqlite3_column_int64(rows, 3), pmon_stats_samples(stats),
			    label);
		n++;
	}
	(void)sqlite3_finalize(rows);
	for (size_t i = 0; (stats = pmon_statistics_at(statistics, i)) != NULL; i++)
		n--;
	assert_int_equal(n, 0);
}

// The views of the database against core, to the last digit.
static void
same_as_core(struct pmon_source *source, const char *path)
{
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	const struct pmon_value *values;
	struct pmon_err err;
	sqlite3 *db;
	sqlite3_stmt *rows;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	rows = query(db, "SELECT v.series, v.value, v.status FROM CounterData AS d"
			 " JOIN pmon_displayed AS v ON v.sample = d.Sample"
			 " AND v.series = d.CounterID ORDER BY d.rowid");
	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		PMON_OK);
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		assert_int_equal(pmon_statistics_add(statistics, sample, &values, &err), PMON_OK);
		for (size_t i = 0; i < sample->n && !sample->preceding; i++) {
			const struct pmon_series *series =
				pmon_schema_at(pmon_source_schema(source), sample->series[i]);
			char label[80];

			(void)snprintf(label, sizeof(label), "type %08x sample %llu",
				       (unsigned)series->counter.type,
				       (unsigned long long)sample->ordinal);
			assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
			T_EQ_I64_AT(sqlite3_column_int64(rows, 0), series->id + 1, label);
			T_EQ_STR_AT((const char *)sqlite3_column_text(rows, 2),
				    pmon_vstat_name(values[i].status), label);
			same_value(rows, 1, values[i], label);
		}
	}
	assert_int_equal(sqlite3_step(rows), SQLITE_DONE);
	(void)sqlite3_finalize(rows);
	same_averages(db, statistics);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
views_of_odd_logs_are_as_core(void **state)
{
	const char *path = in_folder("odd.db");

	(void)state;
	for (uint64_t seed = 1; seed <= 3 * pmon_type_count(); seed++) {
		write_over(odd_log(seed), path, "sqlite");
		same_as_core(odd_log(seed), path);
	}
	(void)unlink(path);
}

// ---- Processes --------------------------------------------------------------------------------

// The values of an instance of Process.
struct busy {
	int64_t pid;
	int64_t start;
	int64_t share; // 1 / share of the time it is busy
};

// Three instances of Process that others take over, with smaller counts or with larger ones, at once or after an
// absence; two of them may change places.
static struct pmon_source *
process_log(uint64_t seed)
{
	struct mem_source *m = mem_source_new();
	struct pmon_identity_options options = {.size = sizeof(options),
						.from_start = seed % 2 == 0};
	struct t_rand r = {.state = seed};
	struct pmon_source *source;
	struct busy at[3] = {
		{4, T0 - 50 * SECOND, 1}, {8, T0 - 7 * SECOND, 2}, {12, T0 - 900 * SECOND, 3}};

	for (int i = 0; i < 3; i++) {
		char path[60];

		(void)snprintf(path, sizeof(path), "\\\\S\\Process(x#%d)\\ID Process", i);
		(void)mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 1);
		(void)snprintf(path, sizeof(path), "\\\\S\\Process(x#%d)\\%% Processor Time", i);
		(void)mem_source_series(m, path, PMON_PERF_100NSEC_TIMER, SECOND);
		(void)snprintf(path, sizeof(path), "\\\\S\\Process(x#%d)\\Elapsed Time", i);
		(void)mem_source_series(m, path, PMON_PERF_ELAPSED_TIME, SECOND);
	}
	for (int k = 0; k < 60; k++) {
		int64_t now = T0 + k * SECOND;

		mem_source_sample(m, now);
		if (t_rand_below(&r, 6) == 0) {
			size_t to = t_rand_below(&r, 3);
			struct busy moved = at[0];

			at[0] = at[to];
			at[to] = moved;
		}
		for (uint32_t i = 0; i < 3; i++) {
			if (t_rand_below(&r, 6) == 0) {
				at[i].pid += 4 * (int64_t)t_rand_below(&r, 3);
				at[i].start = now - (int64_t)t_rand_below(&r, 3 * SECOND);
			}
			if (t_rand_below(&r, 8) == 0)
				continue; // absent
			mem_source_raw(m, 3 * i, at[i].pid, 0);
			if (t_rand_below(&r, 20) == 0)
				mem_source_bad(m, 3 * i + 1, PMON_RAW_NO_INSTANCE);
			else
				mem_source_raw(m, 3 * i + 1, (now - at[i].start) / at[i].share,
					       now);
			mem_source_raw(m, 3 * i + 2, at[i].start, now);
		}
	}
	assert_int_equal(pmon_identity_open(mem_source_open(m), &options, &source, NULL), PMON_OK);
	return source;
}

// No number in the views mixes two processes, and what a process did before its first sample
// counts.
static void
views_of_processes_are_as_core(void **state)
{
	const char *path = in_folder("processes.db");

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		write_over(process_log(seed), path, "sqlite");
		same_as_core(process_log(seed), path);
	}
	(void)unlink(path);
}

// By hand: 10 % of a second for the first process and, after the change, 20 % for the other.
static void
no_pair_is_of_two_processes(void **state)
{
	struct pmon_identity_options options = {.size = sizeof(options), .from_start = false};
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("two.db");
	struct pmon_source *source;
	sqlite3 *db;
	sqlite3_stmt *rows;

	(void)state;
	(void)mem_source_series(m, "\\Process(x)\\ID Process", PMON_PERF_COUNTER_RAWCOUNT, 1);
	(void)mem_source_series(m, "\\Process(x)\\% Processor Time", PMON_PERF_100NSEC_TIMER,
				SECOND);
	for (int k = 0; k < 4; k++) {
		static const int64_t busy[] = {0, SECOND / 10, 50 * SECOND,
					       50 * SECOND + SECOND / 5};

		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, k < 2 ? 3320 : 580, 0);
		mem_source_raw(m, 1, busy[k], T0 + k * SECOND);
	}
	assert_int_equal(pmon_identity_open(mem_source_open(m), &options, &source, NULL), PMON_OK);
	write_over(source, path, "sqlite");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	rows = query(db, "SELECT group_concat(coalesce(value, status), '; ') FROM (SELECT * FROM"
			 " pmon_displayed WHERE unit = '%' ORDER BY sample)");
	assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
	T_EQ_STR((const char *)sqlite3_column_text(rows, 0),
		 "first_sample; 10.0; instance_changed; 20.0");
	(void)sqlite3_finalize(rows);
	rows = query(db, "SELECT average || ' ' || pairs || ' ' || samples FROM pmon_average"
			 " WHERE unit = '%'");
	assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
	T_EQ_STR((const char *)sqlite3_column_text(rows, 0), "15.0 2 4");
	(void)sqlite3_finalize(rows);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	(void)unlink(path);
}

static void
windows_are_averaged(void **state)
{
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("window.db");
	struct pmon_source *source;
	sqlite3 *db;
	sqlite3_stmt *rows;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O\\C", PMON_PERF_COUNTER_COUNTER, 10);
	for (int k = 0; k < 10; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, k * k, 10 * k);
	}
	source = mem_source_open(m);
	write_over(source, path, "sqlite");
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "INSERT INTO pmon_window VALUES"
				      " ('some', '2020-01-01T00:00:03Z', '2020-01-01 00:00:05.5'),"
				      " ('end', '2020-01-01T00:00:08.0000001Z', NULL)",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	rows = query(db, "SELECT group_concat(window_name || ' ' || average || ' ' || pairs, '; ')"
			 " FROM (SELECT * FROM pmon_average ORDER BY window_name)");
	assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
	// (81 - 0) / 9; (25 - 4) / 3; (81 - 64) / 1
	T_EQ_STR((const char *)sqlite3_column_text(rows, 0), "all 9.0 9; end 17.0 1; some 7.0 3");
	(void)sqlite3_finalize(rows);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	(void)unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(views_of_odd_logs_are_as_core),
		cmocka_unit_test(views_of_processes_are_as_core),
		cmocka_unit_test(no_pair_is_of_two_processes),
		cmocka_unit_test(windows_are_averaged),
	};

	return cmocka_run_group_tests_name("sqlite views", tests, folder_make, folder_remove);
}

#endif
