// test_perfblock_real.c - real PERF_DATA_BLOCKs of Windows, Samba and Wine
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include <pmon/log.h>
#include <pmon/query.h>

#include "base/num.h"
#include "dump.h"

// ---- Reading --------------------------------------------------------------------------------

static struct pmon_source *
open_log(const char *path, const char *names)
{
	struct pmon_log_options options = {.size = sizeof(options), .names = names};
	struct pmon_source *source;
	struct pmon_err err;

	if (pmon_log_open(path, &options, &source, &err) != PMON_OK)
		fail_msg("%s: %s", path, err.msg);
	return source;
}

// A file of the data, its path cut back to a folder's where `levels` names are dropped.
static const char *
data_folder(const char *file)
{
	static char path[1024];
	const char *found = t_data_path(file);

	if (found == NULL)
		skip();
	(void)snprintf(path, sizeof(path), "%s", found);
	*strrchr(path, '/') = '\0';
	return path;
}

struct totals {
	size_t series;
	uint64_t samples;
	uint64_t values;
};

static struct totals
count(struct pmon_source *source)
{
	const struct pmon_sample *sample;
	struct totals t = {0};
	struct pmon_err err;
	enum pmon_status status;

	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK) {
		t.samples++;
		t.values += sample->n;
	}
	assert_int_equal(status, PMON_END);
	assert_int_equal(pmon_source_info(source)->losses, 0);
	t.series = pmon_schema_count(pmon_source_schema(source));
	return t;
}

static struct pmon_statistics *
statistics_of(struct pmon_source *source, uint64_t n_samples)
{
	struct pmon_statistics *statistics;
	const struct pmon_sample *sample;
	struct pmon_err err;

	assert_int_equal(
		pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err),
		PMON_OK);
	for (uint64_t i = 0; i < n_samples; i++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		assert_int_equal(pmon_statistics_add(statistics, sample, NULL, &err), PMON_OK);
	}
	return statistics;
}

// ---- Windows --------------------------------------------------------------------------------

static void
eq_value(struct pmon_value got, struct pmon_value want, const char *path)
{
	T_EQ_U64_AT(got.status, want.status, path);
	T_EQ_DBL_AT(got.value, want.value, path);
}

static void
eq_stats(const struct pmon_stats *got, const struct pmon_stats *want, const char *path)
{
	eq_value(got->last, want->last, path);
	eq_value(got->minimum, want->minimum, path);
	eq_value(got->maximum, want->maximum, path);
	eq_value(pmon_stats_average(got), pmon_stats_average(want), path);
	T_EQ_U64_AT(pmon_stats_samples(got), pmon_stats_samples(want), path);
	T_EQ_U64_AT(pmon_stats_invalid(got), pmon_stats_invalid(want), path);
}

// The n-th series of a path; a counter that is defined twice has two of the same path.
static size_t
find_series(const struct pmon_schema *schema, const struct pmon_series *like, size_t n)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (pmon_path_same(&pmon_schema_at(schema, i)->path, &like->path) && n-- == 0)
			return i;
	fail_msg("no %s", like->name.ptr);
	return 0;
}

static size_t
rank_of(const struct pmon_schema *schema, size_t of)
{
	size_t n = 0;

	for (size_t i = 0; i < of; i++)
		n += pmon_path_same(&pmon_schema_at(schema, i)->path,
				    &pmon_schema_at(schema, of)->path);
	return n;
}

// The 24 blocks were extracted from a binary log: the statistics equal those of its first three
// samples, counter by counter, including processes that come and go. The blocks contain no names
// but the log does, so this also verifies the table of well-known names.
static void
windows_as_in_the_log(void **state)
{
	struct pmon_source *blocks, *log;
	struct pmon_statistics *got, *want;
	const struct pmon_schema *schema, *log_schema;
	size_t compared = 0;

	(void)state;
	blocks = open_log(data_folder("perfblock/windows/s01_System_2.bin"), NULL);
	if (t_data_path("blg/pal-SampleLog.blg") == NULL)
		skip();
	log = open_log(t_data_path("blg/pal-SampleLog.blg"), NULL);
	got = statistics_of(blocks, 3);
	want = statistics_of(log, 3);
	schema = pmon_source_schema(blocks);
	log_schema = pmon_source_schema(log);
	assert_int_equal(pmon_schema_count(schema), 1692);
	for (size_t i = 0; i < pmon_schema_count(log_schema); i++) {
		const struct pmon_series *series = pmon_schema_at(log_schema, i);
		size_t at;

		if (pmon_statistics_at(want, i) == NULL)
			continue;
		at = find_series(schema, series, rank_of(log_schema, i));
		T_EQ_U64_AT(pmon_schema_at(schema, at)->counter.type, series->counter.type,
			    series->name.ptr);
		T_EQ_I64_AT(pmon_schema_at(schema, at)->counter.time_base,
			    series->counter.time_base, series->name.ptr);
		eq_stats(pmon_statistics_at(got, at), pmon_statistics_at(want, i),
			 series->name.ptr);
		compared++;
	}
	assert_int_equal(compared, 1692);
	pmon_statistics_free(got);
	pmon_statistics_free(want);
	pmon_source_close(blocks);
	pmon_source_close(log);
}

static void
windows_counts(void **state)
{
	struct pmon_source *source;
	struct totals t;

	(void)state;
	source = open_log(data_folder("perfblock/windows/s01_System_2.bin"), NULL);
	t = count(source);
	assert_int_equal(t.samples, 3);
	assert_int_equal(t.series, 1692);
	assert_int_equal(t.values, 4964);
	T_EQ_STR(pmon_source_info(source)->machine, "ZACH-PC");
	T_EQ_I64(pmon_source_info(source)->utc_offset_min, -240);
	pmon_source_close(source);
}

// Every bit of a real block; the file is small enough.
static void
windows_mutations(void **state)
{
	const char *path = t_data_path("perfblock/windows/s01_Processor_238.bin");
	char *bytes;
	size_t len;

	(void)state;
	if (path == NULL)
		skip();
	bytes = t_read_file(path, &len);
	assert_non_null(bytes);
	dump_mutations(bytes, len);
	free(bytes);
}

// ---- Samba ----------------------------------------------------------------------------------

#define SAMBA_TITLES 40

// The input of Samba: values of plain counters, as text by title index.
struct fed {
	char value[SAMBA_TITLES * 2 + 2][32];
};

static void
read_fed(struct fed *fed, const char *path)
{
	size_t len;
	char *text = t_read_file(path, &len);
	char *at = text;

	assert_non_null(text);
	memset(fed, 0, sizeof(*fed));
	while ((at = strstr(at, "key(")) != NULL) {
		char *key = strstr(at, "= \"") + 3;
		char *data = strstr(key, "data(");
		char *value = strstr(data, "= \"") + 3;
		char *end = strstr(value, "\"\n");
		uint64_t title;
		struct pmon_span key_span = {key, strcspn(key, "\"")};

		if (pmon_num_parse_u64(key_span, &title) && title < T_LEN(fed->value) &&
		    end - value < 32)
			memcpy(fed->value[title], value, (size_t)(end - value));
		at = end;
	}
	free(text);
}

// Objects without instances have the values of data.txt under their counters' indexes; the order of
// the counters in the file is that of the indexes.
static void
samba_values_as_fed(void **state)
{
	static const struct {
		const char *path;
		size_t title;
		bool is_base;
	} rows[] = {
		{"\\\\PERFBOX\\Memory\\Available KBytes", 4, false},
		{"\\\\PERFBOX\\Memory\\Available Bytes", 6, false},
		{"\\\\PERFBOX\\Memory\\Commit Limit", 8, false},
		{"\\\\PERFBOX\\Memory\\Page Faults/sec", 10, false},
		{"\\\\PERFBOX\\Memory\\Page Reads Bytes/sec", 12, false},
		{"\\\\PERFBOX\\Memory\\% Committed In Use", 14, false},
		{"\\\\PERFBOX\\Memory\\% Committed In Use", 16, true},
		{"\\\\PERFBOX\\System\\Context Switches/sec", 20, false},
		{"\\\\PERFBOX\\System\\System Up Time", 22, false},
		{"\\\\PERFBOX\\System\\Processes Forked", 24, false},
		{"\\\\PERFBOX\\System\\Interrupts", 26, false},
		{"\\\\PERFBOX\\System\\Processor Queue Length", 28, false},
		{"\\\\PERFBOX\\Text Object\\After", 78, false},
	};
	struct fed fed;
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err;

	(void)state;
	if (t_data_path("perfblock/samba/snap1/data.txt") == NULL)
		skip();
	read_fed(&fed, t_data_path("perfblock/samba/snap1/data.txt"));
	source = open_log(t_data_path("perfblock/samba/snap1/Global.bin"), NULL);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const struct pmon_raw *raw = NULL;
		char text[32];

		for (size_t k = 0; k < sample->n; k++)
			if (strcmp(pmon_schema_at(pmon_source_schema(source), sample->series[k])
					   ->name.ptr,
				   rows[i].path) == 0)
				raw = &sample->raw[k];
		if (raw == NULL)
			fail_msg("no %s", rows[i].path);
		(void)snprintf(text, sizeof(text), "%lld",
			       (long long)(rows[i].is_base ? raw->second : raw->first));
		T_EQ_STR_AT(text, fed.value[rows[i].title], rows[i].path);
	}
	pmon_source_close(source);
}

// Both snapshots, with the names of the first: instances with names twice and beyond ASCII.
static void
samba_counts(void **state)
{
	char names[1024];
	struct pmon_source *source;
	struct totals t;

	(void)state;
	if (t_data_path("perfblock/samba/snap1/Counter_009.bin") == NULL)
		skip();
	(void)snprintf(names, sizeof(names), "%s",
		       t_data_path("perfblock/samba/snap1/Counter_009.bin"));
	for (int k = 0; k < 2; k++) {
		source = open_log(t_data_path(k == 0 ? "perfblock/samba/snap1/Global.bin"
						     : "perfblock/samba/snap2/Global.bin"),
				  names);
		t = count(source);
		assert_int_equal(t.samples, 1);
		assert_int_equal(t.series, 53);
		assert_int_equal(t.values, 53);
		T_EQ_STR(pmon_source_info(source)->writer, "Samba");
		T_EQ_STR(pmon_source_info(source)->machine, "PERFBOX");
		T_EQ_SPAN(pmon_schema_at(pmon_source_schema(source), 46)->name,
			  "\\\\PERFBOX\\Network Interface(Gro\xC3\x9F\x65r Adapter "
			  "\xE2\x84\x96\x31 (\xE6\x97\xA5\xE6\x9C\xAC))\\Bytes Received/sec");
		T_EQ_SPAN(pmon_schema_at(pmon_source_schema(source), 49)->name,
			  "\\\\PERFBOX\\Network Interface(lo#1)\\Bytes Received/sec");
		pmon_source_close(source);
	}
}

// The clock of Samba's objects always stays 0, so elapsed times have no value.
static void
samba_elapsed_time(void **state)
{
	struct pmon_source *source;
	struct pmon_statistics *statistics;
	size_t n = 0;

	(void)state;
	if (t_data_path("perfblock/samba/snap1/Global.bin") == NULL)
		skip();
	source = open_log(t_data_path("perfblock/samba/snap1/Global.bin"), NULL);
	statistics = statistics_of(source, 1);
	for (size_t i = 0; i < pmon_schema_count(pmon_source_schema(source)); i++) {
		if (pmon_schema_at(pmon_source_schema(source), i)->counter.type !=
		    PMON_PERF_ELAPSED_TIME)
			continue;
		assert_int_equal(pmon_statistics_at(statistics, i)->count[PMON_V_BAD_TIME_BASE], 1);
		n++;
	}
	assert_int_equal(n, 1);
	pmon_statistics_free(statistics);
	pmon_source_close(source);
}

// ---- Wine -----------------------------------------------------------------------------------

static void
wine_is_empty(void **state)
{
	struct pmon_source *source;
	struct totals t;

	(void)state;
	if (t_data_path("perfblock/wine/hkpd_Global.bin") == NULL)
		skip();
	source = open_log(t_data_path("perfblock/wine/hkpd_Global.bin"), NULL);
	t = count(source);
	assert_int_equal(t.samples, 0);
	assert_int_equal(t.series, 0);
	T_EQ_STR(pmon_source_info(source)->machine, "VM");
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_as_in_the_log), cmocka_unit_test(windows_counts),
		cmocka_unit_test(windows_mutations),     cmocka_unit_test(samba_values_as_fed),
		cmocka_unit_test(samba_counts),          cmocka_unit_test(samba_elapsed_time),
		cmocka_unit_test(wine_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
