// test_sqlite.c - logs as SQLite databases: written and read
// SPDX-License-Identifier: MIT
//
// Logs are compared as JSON lines, which hold everything that a source reports.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "blg_log.h"
#include "dump.h"
#include "folder.h"
#include "format/format.h"
#include "memsource.h"
#include "moments.h"
#include "odd_log.h"
#include "sql.h"
#include "write_limit.h"

#ifndef PMON_WITH_SQLITE

int
main(void)
{
	puts("built without SQLite");
	return 77;
}

#else

// ---- Copying --------------------------------------------------------------------------------

static struct pmon_source *
open_log(const char *path)
{
	struct pmon_source *source;
	struct pmon_err err;

	if (pmon_log_open(path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s: %s", path, err.msg);
	return source;
}

static void
same_files(const char *a, const char *b)
{
	size_t n, m;
	char *x = t_read_file(a, &n);
	char *y = t_read_file(b, &m);

	assert_non_null(x);
	assert_non_null(y);
	T_EQ_STR(x, y);
	free(x);
	free(y);
}

// A log to a database, and from there to JSON lines, as it becomes directly.
static void
same_through_sqlite(const char *log)
{
	const char *direct = in_folder("a.jsonl");
	const char *database = in_folder("a.db");
	const char *through = in_folder("b.jsonl");

	write_over(open_log(log), direct, "jsonl");
	write_over(open_log(log), database, "sqlite");
	write_over(open_log(database), through, "jsonl");
	same_files(through, direct);
	(void)unlink(direct);
	(void)unlink(database);
	(void)unlink(through);
}

#ifdef PMON_WITH_JSON

// Two samples of five values with everything that a line can contain; ' replaces ".
static const char *const odd_lines[] = {
	"{'path':'\\\\\\\\S\\\\O(p/i#3)\\\\C \\\"x\\\" \\u00fc','type':'PERF_COUNTER_COUNTER',",
	"'time':'2020-01-01T00:00:00.0000001Z','status':1,'first':'9223372036854775807',",
	"'second':'-9223372036854775808','multi':4294967295,'time_base':10000000,'series':0,",
	"'sample':7,'stream':65536,'sample_time':'2020-01-01T00:00:00Z','utc_offset_min':-150,",
	"'lead_in':true,'order':'18446744073709551615','size':8,'scale':-3,'wildcard':1,",
	"'log_writer':'w','log_machine':'m','log_zone':'z','log_start':'1999-12-31T23:59:59Z',",
	"'log_end':null}\n",
	// a machine with a name that reads as another, no object, an empty instance
	"{'path':'x','type':'0x12345678','time':null,'status':2147485649,'first':-1,'second':0,",
	"'multi':0,'time_base':null,'series':1,'sample':7,'stream':65536,",
	"'sample_time':'2020-01-01T00:00:00Z','utc_offset_min':-150,'lead_in':true,'order':1,",
	"'machine':'a\\\\b','object':'','instance':'','index':0,'counter':')('}\n",
	"{'path':'\\\\\\\\S\\\\O\\\\D','type':'PERF_DOUBLE_RAW','time':'2020-01-01T00:00:01Z','"
	"status':0,",
	"'first':'4607182418800017408','second':0,'multi':1,'time_base':null,'series':2,'sample':"
	"9,",
	"'utc_offset_min':60,'order':2,'formatted':1,'known_type':'PERF_COUNTER_COUNTER'}\n",
	"{'path':'\\\\\\\\S\\\\O\\\\D','type':'PERF_LARGE_RAW_BASE','time':'2020-01-01T00:00:01Z','"
	"status':0,",
	"'first':1,'second':2,'multi':3,'time_base':4,'series':3,'sample':9,'utc_offset_min':60,",
	"'order':3,'type_word':1073939715}\n",
};

static void
round_trip_keeps_everything(void **state)
{
	char text[4096] = "";
	const char *log = in_folder("in.jsonl");

	(void)state;
	for (size_t i = 0; i < T_LEN(odd_lines); i++)
		strcat(text, odd_lines[i]);
	for (char *quote = text; (quote = strchr(quote, '\'')) != NULL;)
		*quote = '"';
	t_write_text(log, text);
	same_through_sqlite(log);
	(void)unlink(log);
}

#endif

static void
round_trip_of_real_logs(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_REAL_BLGS; i++) {
		const char *path = t_data_path(real_blgs[i]);

		if (path == NULL)
			skip();
		same_through_sqlite(path);
	}
}

// ---- Databases of other programs ------------------------------------------------------------

static const char pdh_tables[] =
	"CREATE TABLE CounterDetails (CounterID int NOT NULL PRIMARY KEY, MachineName varchar(1024)"
	" NOT NULL, ObjectName varchar(1024) NOT NULL, CounterName varchar(1024) NOT NULL,"
	" CounterType int NOT NULL, DefaultScale int NOT NULL, InstanceName varchar(1024),"
	" InstanceIndex int, ParentName varchar(1024), ParentObjectID int, TimeBaseA int,"
	" TimeBaseB int);"
	"CREATE TABLE DisplayToID (GUID uniqueidentifier NOT NULL PRIMARY KEY, RunID int,"
	" DisplayString varchar(1024) NOT NULL UNIQUE, LogStartTime char(24), LogStopTime char(24),"
	" NumberOfRecords int, MinutesToUTC int, TimeZoneName char(32));"
	"CREATE TABLE CounterData (GUID uniqueidentifier NOT NULL, CounterID int NOT NULL,"
	" RecordIndex int NOT NULL, CounterDateTime char(24) NOT NULL, CounterValue float NOT NULL,"
	" FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int,"
	" PRIMARY KEY (GUID, CounterID, RecordIndex));";

static void
make_db(const char *path, const char *sql)
{
	(void)unlink(path);
	run_sql(path, sql);
}

static void
tables_of_windows_are_read(void **state)
{
	const char *path = in_folder("pdh.db");
	struct dump dump;
	size_t len;
	char *bytes;
	char sql[4096];

	(void)state;
	(void)snprintf(
		sql, sizeof(sql), "%s%s", pdh_tables,
		"INSERT INTO DisplayToID VALUES ('A', 0, 'one', NULL, NULL, 2, -60, 'x'),"
		" ('B', 0, 'two', NULL, NULL, 1, 300, 'y');"
		"INSERT INTO CounterDetails VALUES"
		" (10, '\\\\SRV', 'Disk', 'Reads/sec', 272696320, -1, 'C:', 0, NULL, NULL, 10, 1),"
		" (11, '\\\\SRV', 'Memory', 'Available Bytes', 65792, 0, NULL, NULL, NULL, NULL,"
		"  NULL, NULL);"
		"INSERT INTO CounterData VALUES"
		" ('A', 11, 1, '2020-01-01 00:00:00.500', 9.9, -1, 0, NULL, NULL, NULL),"
		" ('A', 10, 1, '2020-01-01 00:00:00:500' || char(0), 0, 5, -1, 7, 0, 1),"
		" ('A', 10, 3, '2020/01/01 00:00:02.500 ', 0, 4294967295, 1, 8, 0, 1),"
		" ('B', 11, 1, '2020-01-01 00:00:01', 0, 3, 0, 0, 0, 1),"
		" ('B', 99, 1, '2020-01-01 00:00:01', 0, 3, 0, 0, 0, 1),"
		" ('C', 11, 1, '2020-01-01 00:00:03', 0, NULL, NULL, 0, 0, 1),"
		" ('C', 11, 2, 'yesterday', 0, NULL, NULL, 0, 0, 1);");
	make_db(path, sql);
	bytes = t_read_file(path, &len);
	dump_bytes(&dump, bytes, len);
	T_EQ_STR(dump.text,
		 "note values of a log set missing in DisplayToID\n"
		 "LOSS CounterData, record 2: invalid time\n"
		 "LOSS CounterData: values of counters that CounterDetails does not name: 1 (of 1 "
		 "counter, first: counter 99)\n"
		 "2020-01-01T00:00:00.5Z stream 0 sample 0 offset 60\n"
		 "\\\\SRV\\Disk(C:)\\Reads/sec = -4294967291 7\n"
		 "\\\\SRV\\Memory\\Available Bytes = 4294967295 0 x0\n"
		 "2020-01-01T00:00:01Z stream 1 sample 0 offset -300\n"
		 "\\\\SRV\\Memory\\Available Bytes = 3 0\n"
		 "2020-01-01T00:00:02.5Z stream 0 sample 1 offset 60\n"
		 "\\\\SRV\\Disk(C:)\\Reads/sec = 8589934591 8\n"
		 "2020-01-01T00:00:03Z stream 2 sample 0 offset 0\n"
		 "\\\\SRV\\Memory\\Available Bytes = 0 0 status C0000BBA\n");
	dump_free(&dump);
	free(bytes);
	(void)unlink(path);
}

static void
databases_that_are_not_logs_are_reported(void **state)
{
	static const struct {
		const char *sql;
		const char *why;
	} cases[] = {
		{"CREATE TABLE t (x)", "without the tables"},
		{"CREATE TABLE CounterDetails (CounterID int);"
		 "CREATE VIEW CounterData AS SELECT 1 AS GUID",
		 "without the tables"},
		{"CREATE TABLE CounterDetails (CounterID int, MachineName AS (hex(zeroblob(99))));"
		 "CREATE TABLE CounterData (GUID)",
		 "without the tables"},
		{"CREATE TABLE CounterDetails (CounterID int); CREATE TABLE CounterData (GUID)",
		 "no such column"},
	};
	const char *path = in_folder("no.db");

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		struct pmon_source *source;
		struct pmon_err err;

		make_db(path, cases[i].sql);
		assert_int_equal(pmon_log_open(path, NULL, &source, &err), PMON_E_FORMAT);
		if (strstr(err.msg, cases[i].why) == NULL)
			fail_msg("%s: %s", cases[i].sql, err.msg);
	}
	(void)unlink(path);
}

// ---- Damage ---------------------------------------------------------------------------------

// FILETIMEs begin in 1601: an earlier time is invalid, and its sample is skipped. The second of two
// samples is read; the first has this time.
static void
check_time(const char *update)
{
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("a.db");
	struct dump dump;
	char *bytes;
	size_t len;

	(void)mem_source_series(m, "\\\\S\\O\\C", 0x00010000, 0);
	for (int k = 0; k < 2; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, 5 + k, 0);
	}
	write_over(mem_source_open(m), path, "sqlite");
	run_sql(path, update);
	bytes = t_read_file(path, &len);
	dump_bytes(&dump, bytes, len);
	assert_non_null(strstr(dump.text, ": invalid time"));
	assert_null(strstr(dump.text, "C = 5 "));
	assert_non_null(strstr(dump.text, "C = 6 "));
	dump_free(&dump);
	free(bytes);
	(void)unlink(path);
}

// The bounds are those of every format: 1970-01-01 is 11644473600 s after 1601-01-01, 2400-01-01 is
// 25213939200 s (date -u -d 2400-01-01 +%s is 13569465600).
static void
invalid_times_are_reported(void **state)
{
	(void)state;
	check_time("UPDATE pmon_sample SET time_100ns = -9 WHERE ordinal = 0");
	check_time("UPDATE pmon_sample SET time_100ns = 116444736000000000 - 1 WHERE ordinal = 0");
	check_time("UPDATE pmon_sample SET time_100ns = 252139392000000000 WHERE ordinal = 0");
	check_time("UPDATE pmon_sample SET time_100ns = 9223372036854775807 WHERE ordinal = 0");
	check_time("UPDATE CounterData SET Time100ns = 9223372036854775807 WHERE FirstValueA = 5");
	check_time("UPDATE CounterData SET Time100ns = 0 WHERE FirstValueA = 5");
	check_time("UPDATE CounterData SET Time100ns = -9223372036854775807 - 1"
		   " WHERE FirstValueA = 5");
}

static enum pmon_status
count_values(struct pmon_source *source, uint64_t *n)
{
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status;

	*n = 0;
	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
		*n += sample->n;
	return status;
}

// The second reading gives the same as the first.
static uint64_t
read_damaged(const uint8_t *bytes, size_t len)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_log_options options = {.size = sizeof(options), .allocator = &allocator};
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	struct pmon_err err;
	uint64_t n = 0, again;

	assert_int_equal(pmon_file_memory(bytes, len, &allocator, &file, &err), PMON_OK);
	if (pmon_log_open_file(file, &options, &source, &err) == PMON_OK &&
	    count_values(source, &n) == PMON_END && pmon_source_rewind(source, &err) == PMON_OK) {
		assert_int_equal(count_values(source, &again), PMON_END);
		assert_int_equal(again, n);
	}
	pmon_source_close(source);
	assert_int_equal(memory.live_blocks, 0);
	return n;
}

static uint8_t *
small_db(size_t *len)
{
	const char *path = in_folder("small.db");
	char *bytes;

	write_over(odd_log(7), path, "sqlite");
	bytes = t_read_file(path, len);
	assert_non_null(bytes);
	(void)unlink(path);
	return (uint8_t *)bytes;
}

static void
damage_is_survived(void **state)
{
	struct t_rand r = {.state = 1};
	size_t len;
	uint8_t *bytes = small_db(&len);
	uint8_t *copy = malloc(len);
	uint64_t all = read_damaged(bytes, len);

	(void)state;
	assert_non_null(copy);
	assert_true(all > 100);
	for (size_t n = 0; n < len; n += n < 600 ? 1 : 997)
		assert_true(read_damaged(bytes, n) <= all);
	for (int k = 0; k < 3000; k++) {
		memcpy(copy, bytes, len);
		for (size_t i = t_rand_below(&r, 6) + 1; i > 0; i--) {
			// the headers of pages and the schema matter most
			size_t at = t_rand_below(&r, 3) == 0 ? t_rand_below(&r, len)
							     : t_rand_below(&r, len / 8192) * 8192 +
								       t_rand_below(&r, 128);

			copy[at] ^= (uint8_t)(1u << t_rand_below(&r, 8));
		}
		(void)read_damaged(copy, len);
	}
	free(copy);
	free(bytes);
}

static void
truncated_files_are_read_up_to_the_cut(void **state)
{
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("cut.db");
	size_t len;
	char *bytes;
	uint64_t n, all;

	(void)state;
	for (uint32_t i = 0; i < 16; i++) {
		char name[40];

		(void)snprintf(name, sizeof(name), "\\\\S\\O(%u)\\C", (unsigned)i);
		(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
	}
	for (int k = 0; k < 250; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < 16; i++)
			mem_source_raw(m, i, k, 0);
	}
	write_over(mem_source_open(m), path, "sqlite");
	bytes = t_read_file(path, &len);
	all = read_damaged((const uint8_t *)bytes, len);
	assert_int_equal(all, 250 * 16);
	n = read_damaged((const uint8_t *)bytes, len / 2);
	assert_in_range(n, 500, all - 1);
	free(bytes);
	(void)unlink(path);
}

static void
short_memory_is_reported(void **state)
{
	size_t len;
	uint8_t *bytes = small_db(&len);

	(void)state;
	dump_short_of_memory(bytes, len);
	free(bytes);
}

// ---- Write failures -------------------------------------------------------------------------

static struct pmon_source *
make_log(void)
{
	return odd_log(3);
}

static void
each_allocation_of_the_writer_fails(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(make_log, "sqlite");
}

static void
an_existing_file_is_kept(void **state)
{
	const char *path = in_folder("there.db");
	struct pmon_err err;
	size_t len;
	char *text;

	(void)state;
	t_write_text(path, "mine");
	assert_int_equal(write_source(make_log(), path, "sqlite", NULL, &err), PMON_E_EXISTS);
	assert_int_equal(write_source(make_log(), "-", "sqlite", NULL, &err), PMON_E_UNSUPPORTED);
	text = t_read_file(path, &len);
	T_EQ_STR(text, "mine");
	free(text);
	(void)unlink(path);
}

static void
half_a_file_is_never_seen(void **state)
{
	(void)state;
	half_a_file_is_not_seen(make_log, "sqlite", 100 << 10);
}

// Names that take more than SQLite keeps in memory, so that they are written before the first sample.
static struct pmon_source *
make_names(void)
{
	enum {
		NAME = 60000
	};
	struct mem_source *m = mem_source_new();
	char *name = malloc(NAME);

	assert_non_null(name);
	for (int i = 0; i < 300; i++) {
		memset(name, 'x', NAME - 1);
		name[NAME - 1] = '\0';
		(void)snprintf(name, 8, "\\O\\%04d", i);
		name[7] = 'x';
		(void)mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0);
	}
	free(name);
	return mem_source_open(m);
}

static void
half_a_file_of_names_is_never_seen(void **state)
{
	(void)state;
	half_a_file_is_not_seen(make_names, "sqlite", 1 << 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef PMON_WITH_JSON
		cmocka_unit_test(round_trip_keeps_everything),
#endif
		cmocka_unit_test(round_trip_of_real_logs),
		cmocka_unit_test(tables_of_windows_are_read),
		cmocka_unit_test(databases_that_are_not_logs_are_reported),
		cmocka_unit_test(invalid_times_are_reported),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(truncated_files_are_read_up_to_the_cut),
		cmocka_unit_test(short_memory_is_reported),
		cmocka_unit_test(each_allocation_of_the_writer_fails),
		cmocka_unit_test(an_existing_file_is_kept),
		cmocka_unit_test(half_a_file_is_never_seen),
		cmocka_unit_test(half_a_file_of_names_is_never_seen),
	};

	return cmocka_run_group_tests_name("sqlite", tests, folder_make, folder_remove);
}

#endif
