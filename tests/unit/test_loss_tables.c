// test_loss_tables.c - no row, no line and no sector of a table is lost without a report
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef PMON_WITH_SQLITE
#include <sqlite3.h>
#endif

#include "folder.h"
#include "loss.h"
#include "memsource.h"
#include "moments.h"
#include "perfblock_build.h"
#include "write_fault.h"

#define N_SAMPLES 12

// Counters that are present from the beginning, appear, disappear, or are temporarily absent; one
// sample has no value.
static struct pmon_source *
small_log(void)
{
	static const char *const paths[] = {"\\\\S\\O(a)\\Reads/sec", "\\\\S\\O(b)\\Reads/sec",
					    "\\\\S\\M\\Available Bytes", "\\\\S\\M\\Pages/sec"};
	static const char *const is_there[] = {"xxxxxx.xxxxx", "..xxxx.xxx..", "xxx..x.xxxxx",
					       "xxxxxx.xxxxx"};
	struct mem_source *m = mem_source_new();

	for (size_t i = 0; i < T_LEN(paths); i++)
		(void)mem_source_series(m, paths[i], i == 2 ? 0x00010000 : 0x10410400, 1000);
	for (int64_t k = 0; k < N_SAMPLES; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < T_LEN(paths); i++)
			if (is_there[i][k] == 'x')
				mem_source_raw(m, i, k * 1000 + i, k * 1000);
	}
	return mem_source_open(m);
}

// The log in a format, to be freed with free().
static uint8_t *
written(const char *format, size_t *len)
{
	const char *path = in_folder("log");
	uint8_t *bytes;

	write_over(small_log(), path, format);
	bytes = (uint8_t *)t_read_file(path, len);
	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	return bytes;
}

// ---- SQLite ---------------------------------------------------------------------------------

#ifdef PMON_WITH_SQLITE

static void
run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

static int64_t
number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *row;
	int64_t n;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	n = sqlite3_column_int64(row, 0);
	(void)sqlite3_finalize(row);
	return n;
}

// The database after a statement, as a file in memory.
static void
judge_after(struct loss_log *log, sqlite3 *db, const char *sql)
{
	sqlite3_int64 size;
	unsigned char *bytes;

	run(db, "BEGIN");
	run(db, sql);
	run(db, "COMMIT");
	bytes = sqlite3_serialize(db, "main", &size, 0);
	assert_non_null(bytes);
	loss_judge(log, bytes, (size_t)size, sql, 0);
	sqlite3_free(bytes);
}

// A database in memory that starts as these bytes each time.
static sqlite3 *
open_copy(const struct loss_log *log)
{
	sqlite3 *db;
	unsigned char *copy = sqlite3_malloc64(log->len);

	assert_non_null(copy);
	memcpy(copy, log->bytes, log->len);
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_deserialize(
				 db, "main", copy, (sqlite3_int64)log->len, (sqlite3_int64)log->len,
				 SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE),
			 SQLITE_OK);
	return db;
}

static void
delete_rows(struct loss_log *log, const char *table)
{
	sqlite3 *db = open_copy(log);
	char sql[200];
	int64_t n;

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
	n = number(db, sql);
	assert_true(n > 0);
	sqlite3_close(db);
	for (int64_t i = 0; i < n; i++) {
		db = open_copy(log);
		(void)snprintf(sql, sizeof(sql),
			       "DELETE FROM %s WHERE rowid = (SELECT rowid FROM %s ORDER BY rowid"
			       " LIMIT 1 OFFSET %lld)",
			       table, table, (long long)i);
		judge_after(log, db, sql);
		sqlite3_close(db);
	}
}

static void
sqlite_rows(void **state)
{
	static const char *const tables[] = {"CounterData",    "pmon_sample", "pmon_series",
					     "CounterDetails", "DisplayToID", "pmon_log"};
	struct loss_log log = {.name = "rows of SQLite"};

	(void)state;
	log.bytes = written("sqlite", &log.len);
	for (size_t i = 0; i < T_LEN(tables); i++)
		delete_rows(&log, tables[i]);
	loss_check(&log);
	free((void *)log.bytes);
}

// Several rows at once, so that no table shows a loss in another.
static void
sqlite_many_rows(void **state)
{
	static const char *const statements[] = {
		"DELETE FROM pmon_sample WHERE id % 2 = 0",
		"DELETE FROM pmon_sample",
		"DELETE FROM CounterData",
		"DELETE FROM CounterData WHERE CounterID = 1",
		"DELETE FROM CounterDetails",
		"DELETE FROM pmon_series; DELETE FROM CounterDetails",
		"DELETE FROM pmon_sample WHERE id = 5; DELETE FROM CounterData WHERE Sample = 5",
		"DELETE FROM pmon_sample WHERE id < 5; DELETE FROM CounterData WHERE Sample < 5",
		"DELETE FROM pmon_sample WHERE id > 5; DELETE FROM CounterData WHERE Sample > 5",
		"UPDATE CounterData SET Sample = 1000 WHERE Sample = 5",
		"UPDATE CounterData SET CounterID = 1000 WHERE CounterID = 1",
		"UPDATE pmon_sample SET id = 1000 WHERE id = 5",
	};
	struct loss_log log = {.name = "many rows of SQLite"};

	(void)state;
	log.bytes = written("sqlite", &log.len);
	for (size_t i = 0; i < T_LEN(statements); i++) {
		sqlite3 *db = open_copy(&log);

		judge_after(&log, db, statements[i]);
		sqlite3_close(db);
	}
	T_EQ_U64(log.losing, T_LEN(statements));
	loss_check(&log);
	free((void *)log.bytes);
}

// Sectors, and page headers, which have the number of cells of a page.
static void
sqlite_sectors(void **state)
{
	struct loss_log log = {.name = "sectors of SQLite"};
	uint8_t *copy;

	(void)state;
	log.bytes = written("sqlite", &log.len);
	loss_sweep(&log, 512, 512);
	copy = malloc(log.len);
	assert_non_null(copy);
	memcpy(copy, log.bytes, log.len);
	for (size_t page = 0; page < log.len; page += 8192) {
		for (size_t at = page; at < page + 16; at += 2) {
			memset(copy + at, 0, 2);
			loss_judge(&log, copy, log.len, "2 zero bytes", at);
			memcpy(copy + at, log.bytes + at, 2);
		}
	}
	free(copy);
	loss_check(&log);
	free((void *)log.bytes);
}

#endif

// ---- JSON lines -----------------------------------------------------------------------------

#ifdef PMON_WITH_JSON

static void
jsonl_lines(void **state)
{
	static const char *const formats[] = {"jsonl", "jsonl-values"};

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		struct loss_log log = {.name = formats[i]};

		log.bytes = written(formats[i], &log.len);
		loss_drop_lines(&log);
		T_EQ_U64(log.losing, log.mutants); // each line is a value
		loss_cut_lines(&log);
		loss_sweep(&log, 512, 512);
		loss_sweep(&log, 1, 7);
		loss_sweep(&log, 8, 8);
		loss_check(&log);
		free((void *)log.bytes);
	}
}

// Lines after those of another writer, as with `record --append`.
static void
jsonl_appended(void **state)
{
	struct loss_count once, twice;
	size_t len;
	uint8_t *bytes = written("jsonl", &len);
	uint8_t *both = malloc(2 * len);

	(void)state;
	assert_non_null(both);
	memcpy(both, bytes, len);
	memcpy(both + len, bytes, len);
	once = loss_read(bytes, len);
	twice = loss_read(both, 2 * len);
	T_EQ_U64(once.losses, 0);
	T_EQ_U64(twice.losses, 0);
	T_EQ_U64(twice.values, 2 * once.values);
	free(both);
	free(bytes);
}

#endif

// ---- Text -----------------------------------------------------------------------------------

// A whole line can disappear from a text log in Windows' format without a trace: no line states
// their number, and times need not be regular. The same is true of lines cut off at the end.
static void
text_lines(void **state)
{
	static const char *const formats[] = {"csv", "tsv"};

	(void)state;
	for (size_t i = 0; i < T_LEN(formats); i++) {
		struct loss_log log = {.name = formats[i]};

		log.bytes = written(formats[i], &log.len);
		loss_sweep(&log, 512, 512);
		for (size_t width = 1; width <= 64; width *= 4)
			loss_sweep(&log, width, width);
		loss_check(&log);
		free((void *)log.bytes);
	}
}

// ---- Registry blocks and agents' sections ---------------------------------------------------

static void
perfblock(void **state)
{
	static const struct pb_counter counters[] = {{6, 0x20510500, 8, 0}, {8, 0x10410400, 4, 0}};
	const uint64_t values[] = {1, 2};
	struct pb b = {.big_endian = false};
	struct loss_log log = {.name = "PERF_DATA_BLOCK"};

	(void)state;
	for (int64_t k = 0; k < 3; k++) {
		pb_begin(&b, T0 + k * SECOND, k * PB_FREQ, "SRV");
		pb_object(&b, 238, counters, 2, 1, 0);
		for (int i = 0; i < 3; i++) {
			pb_instance(&b, PB_NO_PARENT, 0, -1,
				    i == 0   ? "0"
				    : i == 1 ? "1"
					     : "_Total");
			pb_values(&b, counters, 2, values);
		}
		pb_object(&b, 4, counters, 2, PB_NO_INST, 0);
		pb_values(&b, counters, 2, values);
		pb_end(&b);
	}
	log.bytes = b.bytes;
	log.len = b.len;
	for (size_t width = 1; width <= 512; width *= 2)
		loss_sweep(&log, width, width < 8 ? width : 8);
	loss_check(&log);
	pb_free(&b);
}

static void
winperf(void **state)
{
	static const char text[] =
		"<<<winperf_processor>>>\n1556221294.75 238 10000000\n3 instances: 0 1 _Total\n"
		"-232 20854932656250 20941215937500 20905725625000 100nsec_timer_inv\n"
		"-90 506534602 346655884 1713966637 counter\n"
		"<<<winperf_mem>>>\n1556221294.80 4 10000000\n24 5203433 counter\n28 7 counter\n"
		"<<<winperf_processor>>>\n1556221354.75 238 10000000\n3 instances: 0 1 _Total\n"
		"-232 20854932656260 20941215937510 20905725625010 100nsec_timer_inv\n"
		"-90 506534612 346655894 1713966647 counter\n";
	struct loss_log log = {
		.name = "winperf", .bytes = (const uint8_t *)text, .len = sizeof(text) - 1};

	(void)state;
	loss_sweep(&log, 512, 512);
	for (size_t width = 1; width <= 64; width *= 2)
		loss_sweep(&log, width, 1);
	loss_check(&log);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef PMON_WITH_SQLITE
		cmocka_unit_test(sqlite_rows),    cmocka_unit_test(sqlite_many_rows),
		cmocka_unit_test(sqlite_sectors),
#endif
#ifdef PMON_WITH_JSON
		cmocka_unit_test(jsonl_lines),    cmocka_unit_test(jsonl_appended),
#endif
		cmocka_unit_test(text_lines),     cmocka_unit_test(perfblock),
		cmocka_unit_test(winperf),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
