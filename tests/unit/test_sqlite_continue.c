// test_sqlite_continue.c - recordings in databases that are continued
// SPDX-License-Identifier: MIT

#include "t.h"

#include <unistd.h>

#include <pmon/pmon.h>

#include "folder.h"
#include "memsource.h"
#include "moments.h"
#include "place.h"
#include "sql.h"
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

// ---- Recordings -----------------------------------------------------------------------------

static struct mem_source *
new_recording(void)
{
	struct mem_source *m = mem_source_new();

	m->base.info.sampled_by_pmon = true;
	m->base.info.live = true;
	return m;
}

static enum pmon_status
record(struct mem_source *m, const char *path, bool append, struct pmon_err *err)
{
	const struct pmon_create_options options = {
		.size = sizeof(options), .live = true, .append = append};

	return write_source(mem_source_open(m), path, "sqlite", &options, err);
}

static void
record_well(struct mem_source *m, const char *path, bool append)
{
	struct pmon_err err;

	if (record(m, path, append, &err) != PMON_OK)
		fail_msg("%s", err.msg);
}

// The first column of a query, with a space after each row; NULL is "-".
static const char *
column_of(const char *path, const char *sql)
{
	static char text[400];
	size_t len = 0;
	sqlite3_stmt *row;
	sqlite3 *db;

	text[0] = '\0';
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	while (sqlite3_step(row) == SQLITE_ROW) {
		const unsigned char *cell = sqlite3_column_text(row, 0);

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s ",
					cell != NULL ? (const char *)cell : "-");
		assert_true(len < sizeof(text));
	}
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return text;
}

// The displayed values of a counter, one a sample.
#define VALUES_OF(counter)                                                                         \
	"SELECT v.value FROM CounterDetails AS c JOIN pmon_displayed AS v ON v.series ="           \
	" c.CounterID WHERE c.CounterName = '" counter "' ORDER BY v.sample, v.series"

// ---- Series that were away --------------------------------------------------------------------

// B is not in the newest sample of the first recording, so that its first value in the second has none before it.
static void
a_counter_that_was_away_begins_anew(void **state)
{
	const char *path = in_folder("away.db");

	(void)state;
	for (int run = 0; run < 2; run++) {
		struct mem_source *m = new_recording();
		uint32_t a =
			mem_source_series(m, "\\\\S\\M\\A", PMON_PERF_COUNTER_COUNTER, 10000000);
		uint32_t b =
			mem_source_series(m, "\\\\S\\M\\B", PMON_PERF_COUNTER_COUNTER, 10000000);

		for (int k = 0; k < 3; k++) {
			int64_t s = 3 * run + k;

			mem_source_sample(m, T0 + s * SECOND);
			mem_source_raw(m, a, 10 * s, T0 + s * SECOND);
			if (s != 2)
				mem_source_raw(m, b, 20 * s, T0 + s * SECOND);
		}
		record_well(m, path, run == 1);
	}
	T_EQ_STR(column_of(path, VALUES_OF("A")), "- 10.0 10.0 10.0 10.0 10.0 ");
	T_EQ_STR(column_of(path, VALUES_OF("B")), "- 20.0 - 20.0 20.0 ");
	T_EQ_STR(column_of(path, "SELECT count(*) FROM CounterDetails"), "2 ");
	assert_int_equal(unlink(path), 0);
}

// ---- Processes ------------------------------------------------------------------------------

// Three samples of an instance. From the second run on another process has its place; then the first raw value of its
// time has this status.
static struct mem_source *
process_run(int run, uint32_t status, bool has_time)
{
	struct mem_source *m = new_recording();
	uint32_t id = mem_source_series(m, "\\\\S\\Process(a)\\ID Process",
					PMON_PERF_COUNTER_RAWCOUNT, 0);
	uint32_t time = mem_source_series(m, "\\\\S\\Process(a)\\% Processor Time",
					  PMON_PERF_100NSEC_TIMER, 10000000);

	for (int k = 0; k < 3; k++) {
		pmon_time now = T0 + (3 * run + k) * SECOND;
		struct pmon_raw raw = {.multi = 1,
				       .status = k == 0 ? status : PMON_RAW_VALID,
				       .time = has_time ? now : PMON_TIME_NONE,
				       .first = (3 * run + k) * INT64_C(1000000),
				       .second = now};

		mem_source_sample(m, now);
		mem_source_raw(m, id, 100 + run, 0);
		mem_source_put(m, time, &raw);
	}
	return m;
}

// 1,000,000 of 10,000,000 units of 100 ns are 10 %. No value is of the time of two processes.
static void
another_process_begins_anew(void **state)
{
	static const struct {
		uint32_t status;
		bool has_time;
		const char *values;
	} cases[] = {
		{PMON_RAW_VALID, true, "- 10.0 10.0 - 10.0 10.0 "},
		{PMON_RAW_VALID, false, "- 10.0 10.0 - 10.0 10.0 "},
		{PMON_RAW_INVALID, true, "- 10.0 10.0 - - 10.0 "},
	};
	const char *path = in_folder("process.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		record_well(process_run(0, PMON_RAW_VALID, cases[i].has_time), path, false);
		record_well(process_run(1, cases[i].status, cases[i].has_time), path, true);
		T_EQ_STR_AT(column_of(path, VALUES_OF("% Processor Time")), cases[i].values,
			    cases[i].values);
		assert_int_equal(unlink(path), 0);
	}
}

// ---- Databases that refuse rows ---------------------------------------------------------------

// A process and a second one with the same name, which makes ten reads per second. In the second
// run the first has ended and the other has its place, so the run writes rows to every table.
static struct mem_source *
namesakes_run(int run)
{
	struct mem_source *m = new_recording();
	struct place first = t_new_place(m, "\\\\S", "a");
	struct place second = t_new_place(m, "\\\\S", "a#1");
	uint32_t more =
		run == 1 ? mem_source_series(m, "\\\\S\\M\\C", PMON_PERF_COUNTER_RAWCOUNT, 0) : 0;

	for (int s = 2 * run; s < 2 * run + 2; s++) {
		mem_source_sample(m, START + s * SECOND);
		if (run == 0) {
			t_put(m, &first, s, 100, -50, 7);
			t_put(m, &second, s, 101, -40, 10 * s);
		} else {
			t_put(m, &first, s, 101, -40, 10 * s);
			mem_source_raw(m, more, 7, 0);
		}
	}
	return m;
}

// Foreign triggers may refuse rows. Their text is in the message, and the database keeps its rows.
static void
a_row_that_is_refused(void **state)
{
	static const char *const tables[] = {"CounterDetails", "pmon_series", "pmon_start",
					     "pmon_sample",    "CounterData", "DisplayToID"};
	const char *path = in_folder("refused.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(tables); i++) {
		struct pmon_err err;
		char text[300];

		record_well(namesakes_run(0), path, false);
		(void)snprintf(text, sizeof(text),
			       "CREATE TRIGGER t BEFORE INSERT ON %s BEGIN"
			       " SELECT RAISE(ABORT, 'not here'); END",
			       tables[i]);
		run_sql(path, text);
		(void)snprintf(text, sizeof(text), "cannot write %s: not here", path);
		T_EQ_I64_AT(record(namesakes_run(1), path, true, &err), PMON_E_IO, tables[i]);
		T_EQ_STR_AT(err.msg, text, tables[i]);
		T_EQ_STR_AT(column_of(path, "SELECT count(*) FROM pmon_sample"), "2 ", tables[i]);
		run_sql(path, "DROP TRIGGER t");
		record_well(namesakes_run(1), path, true);
		T_EQ_STR_AT(column_of(path, "SELECT count(*) FROM pmon_sample"), "4 ", tables[i]);
		T_EQ_STR_AT(column_of(path, VALUES_OF("IO Read Operations/sec")),
			    "- - 0.0 10.0 10.0 10.0 ", tables[i]);
		assert_int_equal(unlink(path), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_that_was_away_begins_anew),
		cmocka_unit_test(another_process_begins_anew),
		cmocka_unit_test(a_row_that_is_refused),
	};

	return cmocka_run_group_tests_name("sqlite", tests, folder_make, folder_remove);
}

#endif
