// test_sqlite.c - logs as SQLite databases: written, read, and computed with in SQL
// SPDX-License-Identifier: MIT
//
// Logs are compared as JSON lines, which hold all that a source tells.

#include "t.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "format/format.h"
#include "memsource.h"
#include "moments.h"

#ifndef PMON_WITH_SQLITE

int
main(void)
{
	puts("built without SQLite");
	return 77;
}

#else

#include <sqlite3.h>

static char folder[] = "/tmp/pmon-test-XXXXXX";

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) != NULL ? 0 : -1;
}

static int
remove_folder(void **state)
{
	(void)state;
	return rmdir(folder); // fails when something was left
}

static const char *
in_folder(const char *name)
{
	static char paths[8][128];
	static unsigned n;
	char *path = paths[n++ % 8];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

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
copy_source(struct pmon_source *source, const char *format, const char *path)
{
	struct pmon_create_options options = {.overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(path, format, &options, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s: %s", path, err.msg);
	pmon_sink_close(sink);
	pmon_source_close(source);
}

static void
write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
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

	copy_source(open_log(log), "jsonl", direct);
	copy_source(open_log(log), "sqlite", database);
	copy_source(open_log(database), "jsonl", through);
	same_files(through, direct);
	(void)unlink(direct);
	(void)unlink(database);
	(void)unlink(through);
}

#ifdef PMON_WITH_JSON

// Two samples of five values with everything that a line can say; ' stands for ".
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
everything_comes_back(void **state)
{
	char text[4096] = "";
	const char *log = in_folder("in.jsonl");

	(void)state;
	for (size_t i = 0; i < T_LEN(odd_lines); i++)
		strcat(text, odd_lines[i]);
	for (char *quote = text; (quote = strchr(quote, '\'')) != NULL;)
		*quote = '"';
	write_text(log, text);
	same_through_sqlite(log);
	(void)unlink(log);
}

#endif

static void
real_logs_come_back(void **state)
{
	static const char *const names[] = {"blg/pwsh-CounterSamples.blg",
					    "blg/tx-BasicPerfCounters.blg",
					    "blg/pal-SampleLog.blg"};

	(void)state;
	for (size_t i = 0; i < T_LEN(names); i++) {
		const char *path = t_data_path(names[i]);

		if (path == NULL)
			skip();
		same_through_sqlite(path);
	}
}

// ---- Views ----------------------------------------------------------------------------------

static int64_t
double_bits(int64_t n)
{
	double number = (double)n * 0.37;
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

// A counter that goes up, and now and then does what counters do.
static void
put_odd(struct mem_source *m, struct t_rand *r, uint32_t series, int64_t *n, int64_t *d,
	bool is_double)
{
	switch (t_rand_below(r, 14)) {
	case 0: // a restart, or a counter of 32 bits that wraps
		*n = *n > 3000000000 ? *n & 1023 : (int64_t)t_rand_below(r, 100);
		break;
	case 1:
		*n = 4294967200 + (int64_t)t_rand_below(r, 90);
		break;
	case 2: // beyond 63 bits of difference
		*n = *n > 0 ? INT64_MIN + (int64_t)t_rand_below(r, 99) : INT64_MAX - 7;
		break;
	case 3:
		*d = (int64_t)t_rand_u64(r);
		break;
	case 4:
		mem_source_bad(m, series, PMON_RAW_NO_INSTANCE);
		return;
	case 5: // absent
		return;
	case 6: // nothing happened
		break;
	case 7:
		*d = 0;
		break;
	default:
		*n = (int64_t)((uint64_t)*n + t_rand_below(r, 100000));
		*d = (int64_t)((uint64_t)*d + t_rand_below(r, 300000));
	}
	mem_source_raw(m, series, is_double ? double_bits(*n) : *n, *d);
}

static bool
is_double(uint32_t type)
{
	return pmon_type_at(type)->formula == PMON_FORMULA_DOUBLE;
}

// Every type, of which some values are doubles.
static struct pmon_source *
odd_log(uint64_t seed)
{
	struct mem_source *m = mem_source_new();
	struct t_rand r = {.state = seed};
	uint32_t types[] = {
		(uint32_t)t_rand_below(&r, pmon_type_count()),
		(uint32_t)t_rand_below(&r, pmon_type_count()),
		(uint32_t)(seed % pmon_type_count()),
		UINT32_MAX,
	};
	int64_t n[T_LEN(types)] = {1, 5000000000, 4294960000, 3}, d[T_LEN(types)] = {0};

	for (uint32_t i = 0; i < T_LEN(types); i++) {
		char path[40];

		(void)snprintf(path, sizeof(path), "\\\\S\\O(%u)\\C", (unsigned)i);
		(void)mem_source_series(
			m, path, types[i] != UINT32_MAX ? pmon_type_at(types[i])->word : 0x77777777,
			t_rand_below(&r, 9) == 0 ? 0 : 2630633);
	}
	for (int k = 0; k < 60; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		if (t_rand_below(&r, 20) == 0)
			mem_source_skip(m);
		for (uint32_t i = 0; i < T_LEN(types); i++)
			put_odd(m, &r, i, &n[i], &d[i], i < 3 && is_double(types[i]));
	}
	return mem_source_open(m);
}

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
	if (has)
		T_EQ_DBL_AT(sqlite3_column_double(row, column), want.value, label);
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
		for (size_t i = 0; i < sample->n; i++) {
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
		copy_source(odd_log(seed), "sqlite", path);
		same_as_core(odd_log(seed), path);
	}
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
	copy_source(source, "sqlite", path);
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

// ---- Databases of others --------------------------------------------------------------------

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
	char *why = NULL;
	sqlite3 *db;

	(void)unlink(path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
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
	T_EQ_STR(dump.text, "LOSS values of counter 99, which CounterDetails does not name\n"
			    "note values of a log set that DisplayToID does not list\n"
			    "LOSS record 2 has a time that is none\n"
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
databases_that_are_no_logs_are_told(void **state)
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

// FILETIMEs begin in 1601: a time before that is none, and its sample is left out.
static void
times_that_are_none_are_told(void **state)
{
	const char *path = in_folder("times.db");
	struct mem_source *m = mem_source_new();
	struct dump dump;
	sqlite3 *db;
	char *bytes;
	size_t len;

	(void)state;
	(void)mem_source_series(m, "\\\\S\\O\\C", 0x00010000, 0);
	for (int k = 0; k < 2; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, 5 + k, 0);
	}
	copy_source(mem_source_open(m), "sqlite", path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "UPDATE pmon_sample SET time_100ns = -9 WHERE ordinal = 0",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	bytes = t_read_file(path, &len);
	dump_bytes(&dump, bytes, len);
	assert_non_null(strstr(dump.text, " has a time that is none\n"));
	assert_null(strstr(dump.text, "C = 5 "));
	assert_non_null(strstr(dump.text, "C = 6 "));
	dump_free(&dump);
	free(bytes);
	(void)unlink(path);
}

static uint64_t
read_damaged(const uint8_t *bytes, size_t len)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_log_options options = {.allocator = &allocator};
	const struct pmon_sample *sample;
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;
	uint64_t n = 0;

	assert_int_equal(pmon_file_memory(bytes, len, &allocator, &file, &err), PMON_OK);
	status = pmon_log_open_file(file, &options, &source, &err);
	while (status == PMON_OK && (status = pmon_source_next(source, &sample, &err)) == PMON_OK)
		n += sample->n;
	pmon_source_close(source);
	assert_int_equal(memory.live_blocks, 0);
	return n;
}

static uint8_t *
small_db(size_t *len)
{
	const char *path = in_folder("small.db");
	char *bytes;

	copy_source(odd_log(7), "sqlite", path);
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
what_is_before_a_cut_is_read(void **state)
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
	copy_source(mem_source_open(m), "sqlite", path);
	bytes = t_read_file(path, &len);
	all = read_damaged((const uint8_t *)bytes, len);
	assert_int_equal(all, 250 * 16);
	n = read_damaged((const uint8_t *)bytes, len / 2);
	assert_in_range(n, 500, all - 1);
	free(bytes);
	(void)unlink(path);
}

static void
short_memory_is_told(void **state)
{
	size_t len;
	uint8_t *bytes = small_db(&len);

	(void)state;
	dump_short_of_memory(bytes, len);
	free(bytes);
}

// ---- Writing goes wrong ---------------------------------------------------------------------

static enum pmon_status
write_with(const struct pmon_create_options *options, const char *path, struct pmon_err *err)
{
	struct pmon_source *source = odd_log(3);
	struct pmon_sink *sink = NULL;
	enum pmon_status status = pmon_log_create(path, "sqlite", options, &sink, err);

	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, err);
	pmon_sink_close(sink);
	pmon_source_close(source);
	return status;
}

static void
each_allocation_of_the_writer_fails(void **state)
{
	const char *path = in_folder("w.db");
	enum pmon_status status = PMON_E_NOMEM;

	(void)state;
	for (size_t at = 1; status != PMON_OK; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_create_options options = {.allocator = &allocator};
		struct pmon_err err;

		status = write_with(&options, path, &err);
		assert_true(status == PMON_OK || status == PMON_E_NOMEM);
		assert_int_equal(memory.live_blocks, 0);
		assert_int_equal(access(path, F_OK), status == PMON_OK ? 0 : -1);
	}
	(void)unlink(path);
}

static void
a_file_that_is_there_stays(void **state)
{
	const char *path = in_folder("there.db");
	struct pmon_err err;

	(void)state;
	write_text(path, "mine");
	assert_int_equal(write_with(NULL, path, &err), PMON_E_EXISTS);
	assert_int_equal(write_with(NULL, "-", &err), PMON_E_UNSUPPORTED);
	(void)unlink(path);
}

// In a process of its own: the disk holds 100 KiB, or the writer is killed. It is killed when all was
// well, too: a checker of memory has nothing to say then. Returns how it ended.
static int
in_child(void (*act)(const char *path), const char *path)
{
	int how = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		act(path);
		_exit(9);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	return how;
}

static void
write_to_full_disk(const char *path)
{
	struct rlimit limit = {100 << 10, 100 << 10};
	struct pmon_err err;

	(void)signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) == 0 && write_with(NULL, path, &err) == PMON_E_IO &&
	    err.msg[0] != '\0')
		(void)raise(SIGKILL);
}

static void
write_and_die(const char *path)
{
	struct pmon_source *source = odd_log(3);
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(path, "sqlite", NULL, &sink, &err) != PMON_OK ||
	    pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err) !=
		    PMON_OK)
		_exit(1);
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		if (pmon_sink_add(sink, sample, NULL, &err) != PMON_OK)
			_exit(2);
	(void)raise(SIGKILL);
}

static void
half_a_file_is_never_seen(void **state)
{
	const char *path = in_folder("half.db");
	char command[200];

	(void)state;
	assert_int_equal(in_child(write_to_full_disk, path), SIGKILL);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(in_child(write_and_die, path), SIGKILL);
	assert_int_equal(access(path, F_OK), -1);
	// what the killed one left has another name
	(void)snprintf(command, sizeof(command), "rm %s.*.tmp", path);
	assert_int_equal(system(command), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef PMON_WITH_JSON
		cmocka_unit_test(everything_comes_back),
#endif
		cmocka_unit_test(real_logs_come_back),
		cmocka_unit_test(views_of_odd_logs_are_as_core),
		cmocka_unit_test(windows_are_averaged),
		cmocka_unit_test(tables_of_windows_are_read),
		cmocka_unit_test(databases_that_are_no_logs_are_told),
		cmocka_unit_test(times_that_are_none_are_told),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(what_is_before_a_cut_is_read),
		cmocka_unit_test(short_memory_is_told),
		cmocka_unit_test(each_allocation_of_the_writer_fails),
		cmocka_unit_test(a_file_that_is_there_stays),
		cmocka_unit_test(half_a_file_is_never_seen),
	};

	return cmocka_run_group_tests_name("sqlite", tests, make_folder, remove_folder);
}

#endif
