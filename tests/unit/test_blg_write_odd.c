// test_blg_write_odd.c - what is rare in a log that is written as a BLG: names of one hash, circles, failures
// SPDX-License-Identifier: MIT

#include "t.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/sink.h>

#include "blg_trip.h"
#include "folder.h"
#include "lines.h"
#include "write_limit.h"

#include "base/mem.h"
#include "format/blg/blg.h"
#include "format/blg/write.h"

// ---- Names of one hash ----------------------------------------------------------------------

#define N_NAMES    400000 // of 32 bits of a hash: some 18 pairs
#define NAME_BYTES 16

int getentropy(void *bytes, size_t len);

// In place of libc's, so that all hash tables have the seed 0.
int
getentropy(void *bytes, size_t len)
{
	memset(bytes, 0, len);
	return 0;
}

// 11 characters or 12, which look random.
static size_t
name_of(uint32_t number, char name[NAME_BYTES])
{
	struct t_rand r = {.state = number};

	return (size_t)snprintf(name, NAME_BYTES, "n%010" PRIx64 "%s", t_rand_u64(&r) >> 24,
				number % 3 == 0 ? "x" : "");
}

struct names {
	char a[NAME_BYTES], b[NAME_BYTES];
};

// Two of one hash: an even and an odd one, or of lengths that are the same or not.
enum kind {
	EVEN_AND_ODD,
	SAME_LENGTH,
	OTHER_LENGTH,
};

static bool
are_of_kind(uint32_t i, uint32_t j, enum kind kind, struct names *out)
{
	(void)name_of(i % 2 == 0 ? i : j, out->a);
	(void)name_of(i % 2 == 0 ? j : i, out->b);
	if (kind == EVEN_AND_ODD)
		return i % 2 != j % 2;
	return (strlen(out->a) == strlen(out->b)) == (kind == SAME_LENGTH);
}

// The hash of the even names begins with one number, that of the odd ones with another. As UTF-16, or as they are.
static bool
find_same_hash(const uint64_t begin[2], bool utf16, enum kind kind, struct names *out)
{
	struct pmon_map map = {0};
	bool is_found = false;

	for (uint32_t i = 0; i < N_NAMES && !is_found; i++) {
		uint8_t bytes[2 * NAME_BYTES];
		char name[NAME_BYTES];
		size_t len = name_of(i, name), at = 0;
		uint64_t hash;
		uint32_t j;

		if (utf16)
			len = pmon_blg_out_utf16((struct pmon_span){name, len}, bytes);
		else
			memcpy(bytes, name, len);
		hash = pmon_map_mix_bytes(begin[i % 2], bytes, len);
		while (!is_found && (j = pmon_map_next(&map, hash, &at)) != PMON_MAP_NONE)
			is_found = are_of_kind(i, j, kind, out);
		assert_true(pmon_map_put(&map, pmon_mem_allocator(NULL), hash, i));
	}
	pmon_map_free(&map, pmon_mem_allocator(NULL));
	return is_found;
}

static void
add_series(struct mem_source *m, const char *format, const char *name, uint32_t type)
{
	char path[80];

	(void)snprintf(path, sizeof(path), format, name);
	(void)trip_series(m, path, type, true);
}

// The values of these series survive a round trip, each as an instance of its counter.
static void
trip_values(struct mem_source *m)
{
	struct pmon_source *back;

	for (size_t k = 0; k < 3; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		for (uint32_t i = 0; i < m->base.schema.n; i++)
			trip_value(m, i, (int64_t)(100 * k + i));
	}
	write_log(&m->base);
	back = open_log(trip_path);
	while (pmon_source_next(back, &(const struct pmon_sample *){NULL}, NULL) == PMON_OK)
		continue;
	for (size_t i = 0; i < m->base.schema.n; i++)
		assert_true(pmon_schema_at(pmon_source_schema(back), i)->wildcard);
	pmon_source_close(back);
	round_trip(&m->base);
}

// Counters and instances with equal hashes are not mistaken for each other. The hash of a counter
// begins with its type, followed by its machine and object; that of an instance begins with its
// entry, here the first.
static void
names_of_one_hash(void **state)
{
	uint64_t of_machine = pmon_map_mix_bytes(COUNTER, "S", 1);
	uint64_t of_object = pmon_map_mix_bytes(of_machine, "O", 1);
	const struct {
		const char *a, *b;
		uint64_t begin[2];
		bool utf16;
		enum kind kind;
		uint32_t type_b;
	} rows[] = {
		{"\\\\%s\\O(i)\\C",
		 "\\\\%s\\O(j)\\C",
		 {COUNTER, COUNTER},
		 false,
		 SAME_LENGTH,
		 COUNTER},
		{"\\\\%s\\O(i)\\C",
		 "\\\\%s\\O(j)\\C",
		 {COUNTER, RAWCOUNT},
		 false,
		 EVEN_AND_ODD,
		 RAWCOUNT},
		{"\\\\S\\%s(i)\\C",
		 "\\\\S\\%s(j)\\C",
		 {of_machine, of_machine},
		 false,
		 SAME_LENGTH,
		 COUNTER},
		{"\\\\S\\O(i)\\%s",
		 "\\\\S\\O(j)\\%s",
		 {of_object, of_object},
		 false,
		 OTHER_LENGTH,
		 COUNTER},
		{"\\\\S\\O(%s)\\C", "\\\\S\\O(%s)\\C", {0, 0}, true, SAME_LENGTH, COUNTER},
		{"\\\\S\\O(%s)\\C", "\\\\S\\O(%s#1)\\C", {0, 0}, true, SAME_LENGTH, COUNTER},
		{"\\\\S\\O(%s)\\C", "\\\\S\\O(%s#1)\\C", {0, 0}, true, OTHER_LENGTH, COUNTER},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct mem_source *m = trip_new();
		struct names names;

		assert_true(find_same_hash(rows[i].begin, rows[i].utf16, rows[i].kind, &names));
		add_series(m, rows[i].a, names.a, COUNTER);
		add_series(m, rows[i].b, names.b, rows[i].type_b);
		trip_values(m);
	}
}

// ---- Statuses and times ---------------------------------------------------------------------

// The instances of a record share one status. Readers determine again whether a process is a
// different one. If no value is usable, the status is the first one's; a value without a time has
// the time of its sample.
static void
statuses_of_instances(void **state)
{
	static const struct {
		uint32_t given[2];
		uint32_t want[2]; // of those that are left
		size_t n;
	} rows[] = {
		{{PMON_RAW_NEW, PMON_RAW_INVALID}, {PMON_RAW_VALID}, 1},
		{{PMON_RAW_INVALID, PMON_RAW_CHANGED}, {PMON_RAW_VALID}, 1},
		{{PMON_RAW_CHANGED, PMON_RAW_CHANGED}, {PMON_RAW_VALID, PMON_RAW_VALID}, 2},
		{{PMON_RAW_NO_MACHINE, PMON_RAW_INVALID},
		 {PMON_RAW_NO_MACHINE, PMON_RAW_NO_MACHINE},
		 2},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct mem_source *m = trip_new();
		const struct pmon_sample *sample;
		struct pmon_source *back;

		(void)trip_series(m, "\\\\S\\P(a)\\C", RAWCOUNT, true);
		(void)trip_series(m, "\\\\S\\P(b)\\C", RAWCOUNT, true);
		(void)trip_series(m, "\\\\S\\M\\C", RAWCOUNT, false);
		mem_source_sample(m, T0);
		for (uint32_t k = 0; k < 3; k++) {
			trip_value(m, k, 1);
			m->raw[k].status = rows[i].given[k % 2];
			m->raw[k].time = PMON_TIME_NONE;
		}
		write_log(&m->base);
		back = open_log(trip_path);
		assert_int_equal(pmon_source_next(back, &sample, NULL), PMON_OK);
		T_EQ_U64(sample->n, rows[i].n + 1);
		for (size_t k = 0; k < sample->n; k++) {
			const struct pmon_path *path =
				&pmon_schema_at(pmon_source_schema(back), sample->series[k])->path;

			T_EQ_I64(sample->raw[k].time, T0);
			if (path->instance.ptr != NULL)
				T_EQ_U64(sample->raw[k].status,
					 rows[i].want[path->instance.ptr[0] - 'a']);
		}
		pmon_source_close(back);
		pmon_source_close(&m->base);
	}
}

// ---- The header -----------------------------------------------------------------------------

// A log without samples has the times that its source knows, and the tick count of a PC's clock if no
// counter has them.
static void
facts_of_the_source(void **state)
{
	struct mem_source *m = trip_new();
	const struct pmon_source_info *info;
	struct pmon_source *back;
	uint32_t id = trip_series(m, "\\\\S\\O\\C", COUNTER, false);

	(void)state;
	m->base.schema.list[id]->counter.time_base = 0;
	m->base.info.zone = NULL;
	m->base.info.writer = NULL;
	m->base.info.log_end = T0 + HOUR;
	write_log(&m->base);
	back = open_log(trip_path);
	info = pmon_source_info(back);
	T_EQ_I64(info->log_start, T0 + HOUR);
	T_EQ_I64(info->log_end, T0 + HOUR);
	T_EQ_STR(info->zone, "");
	T_EQ_STR(info->writer, "");
	T_EQ_I64(info->host->perf_freq, 10000000);
	pmon_source_close(back);
	pmon_source_close(&m->base);
}

// Zone names are Windows resources in pairs, or one name serves for both; there is room for 31
// characters.
static void
names_of_zones(void **state)
{
	static const struct {
		const char *name;
		uint8_t last_of_daylight;
		size_t len;
	} rows[] = {
		{"@tzres.dll,-212", '1', 15},
		{"@tzres.dll,-213", '3', 15},
		{"\xC5\x80tzres.dll,-212", '2', 15},  // U+0140, whose low byte is '@'
		{"@tzres.dll,-21\xC4\xB2", 0x32, 15}, // U+0132, whose low byte is '2'
		{"a name of a zone that has more characters than have room, and more bytes", ' ',
		 31},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_source_info info = {.zone = rows[i].name};
		struct blg_out_zone zone;
		size_t last = 2 * (rows[i].len - 1);

		pmon_blg_out_zone_begin(&zone, &info);
		T_EQ_U64_AT(zone.bytes[0x58 + last], rows[i].last_of_daylight, rows[i].name);
		T_EQ_U64_AT(zone.bytes[0x04 + last + 2], 0, rows[i].name);
		assert_memory_equal(zone.bytes + 0x04, zone.bytes + 0x58, last);
	}
}

// The header has room for 1023 units of the path; the fields after it are found for longer paths too.
static void
paths_that_are_long(void **state)
{
	char path[2400];
	size_t n = (size_t)snprintf(path, sizeof(path), "%s", folder);
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct mem_source *m = trip_new();
	struct pmon_source *back;
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	while (n < 2200)
		n += (size_t)snprintf(path + n, sizeof(path) - n, "/.");
	(void)snprintf(path + n, sizeof(path) - n, "/\xF0\x9F\x93\x88.blg");
	for (int is_short = 0; is_short < 2; is_short++) {
		if (is_short)
			(void)snprintf(path, sizeof(path), "%s/\xF0\x9F\x93\x88.blg", folder);
		else
			(void)trip_series(m, "\\\\S\\O\\C", COUNTER, false);
		assert_int_equal(pmon_log_create(path, "blg", &options, &sink, &err), PMON_OK);
		assert_int_equal(pmon_copy(&m->base, sink, NULL, &err), PMON_OK);
		pmon_sink_close(sink);
		back = open_log(path);
		T_EQ_STR(pmon_source_info(back)->converter, "pmon " PMON_VERSION_TEXT);
		pmon_source_close(back);
		assert_int_equal(unlink(path), 0);
	}
	pmon_source_close(&m->base);
}

// ---- Circles --------------------------------------------------------------------------------

static struct pmon_source *
many_counters(size_t n, size_t n_samples)
{
	struct mem_source *m = trip_new();
	char path[32];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "\\\\S\\O\\C%zu", i);
		(void)trip_series(m, path, COUNTER, false);
	}
	for (size_t k = 0; k < n_samples; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		for (uint32_t i = 0; i < n; i++)
			trip_value(m, i, (int64_t)(k * n + i));
	}
	return mem_source_open(m);
}

// According to write_catalogue.c, an entry of such a counter has 80 bytes, and a value 48: for 3000
// of them, the list takes 4 buffers and a sample 3.
static void
circles_that_are_too_small(void **state)
{
	static const struct {
		size_t n;
		uint64_t buffers;
		enum pmon_status want;
		const char *word;
	} rows[] = {
		{10, UINT64_C(1) << 33, PMON_E_ARG, "a circular binary log"},
		{10, 4, PMON_E_ARG, "a circular binary log"},
		{10, 5, PMON_OK, ""},
		{3000, 5, PMON_E_LIMIT, "list of counters leaves no room"},
		{3000, 8, PMON_E_LIMIT, "too large for a circular log"},
		{3000, 14, PMON_OK, ""},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_create_options options = {.size = sizeof(options),
						      .overwrite = true,
						      .live = true,
						      .ring_bytes =
							      rows[i].buffers * BLG_OUT_BUFFER};
		struct pmon_err err = {.msg = ""};

		T_EQ_I64_AT(write_source(many_counters(rows[i].n, 40), trip_path, "blg", &options,
					 &err),
			    rows[i].want, rows[i].word);
		assert_non_null(strstr(err.msg, rows[i].word));
		(void)unlink(trip_path);
	}
}

// A sample without values is in none of two logs; what was begun is written out all the same.
static void
flush_of_an_empty_buffer(void **state)
{
	struct pmon_create_options options = {.size = sizeof(options),
					      .overwrite = true,
					      .live = true,
					      .ring_bytes = 20 * BLG_OUT_BUFFER};
	struct mem_source *m = trip_new();
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	struct pmon_err err;
	char values[80];
	uint32_t b;

	(void)state;
	(void)trip_series(m, "\\\\A\\O\\C", COUNTER, false);
	b = trip_series(m, "\\\\B\\O\\C", COUNTER, false);
	pmon_schema_set_source(&m->base.schema, b, 1);
	mem_source_sample(m, T0);
	mem_source_sample(m, T0 + SECOND);
	trip_value(m, 0, 5);
	assert_int_equal(pmon_log_create(trip_path, "blg", &options, &sink, &err), PMON_OK);
	assert_int_equal(pmon_sink_begin(sink, &m->base.schema, &m->base.info, &err), PMON_OK);
	while (pmon_source_next(&m->base, &sample, &err) == PMON_OK) {
		assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_OK);
		assert_int_equal(pmon_blg_writer_flush(sink, false, &err), PMON_OK);
	}
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	pmon_sink_close(sink);
	values_of(0, values, sizeof(values));
	T_EQ_STR(values, "\\\\A\\O\\C=5");
	pmon_source_close(&m->base);
}

// ---- Failures -------------------------------------------------------------------------------

// After a failure every call fails in the same way: here two counters appear after the list of
// counters was written.
static void
counters_that_come_late(void **state)
{
	for (int live = 0; live < 2; live++) {
		struct pmon_create_options options = {
			.size = sizeof(options), .overwrite = true, .live = live != 0};
		struct mem_source *m = trip_new();
		const struct pmon_sample *sample;
		struct pmon_sink *sink;
		struct pmon_err err;

		(void)state;
		(void)trip_series(m, "\\\\A\\O\\C", COUNTER, false);
		pmon_schema_set_source(&m->base.schema,
				       trip_series(m, "\\\\B\\O\\C", COUNTER, false), 1);
		mem_source_sample(m, T0);
		trip_value(m, 0, 1);
		assert_int_equal(pmon_log_create(trip_path, "blg", &options, &sink, &err), PMON_OK);
		assert_int_equal(pmon_sink_begin(sink, &m->base.schema, &m->base.info, &err),
				 PMON_OK);
		assert_int_equal(pmon_source_next(&m->base, &sample, &err), PMON_OK);
		assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_OK);
		(void)trip_series(m, "\\\\A\\O\\D", COUNTER, false);
		(void)trip_series(m, "\\\\A\\O\\E", COUNTER, false);
		assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_E_STATE);
		assert_non_null(strstr(err.msg, "\\\\A\\O\\D appeared after"));
		assert_int_equal(pmon_sink_add(sink, sample, NULL, NULL), PMON_E_STATE);
		assert_int_equal(pmon_blg_writer_flush(sink, false, &err), PMON_E_STATE);
		assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_STATE);
		assert_non_null(strstr(err.msg, "\\\\A\\O\\D appeared after"));
		pmon_sink_close(sink);
		T_EQ_I64(unlink(trip_path), live ? 0 : -1); // of a live log what was written stays
		pmon_source_close(&m->base);
	}
}

static struct pmon_source *
two_machines(void)
{
	struct mem_source *m = trip_new();

	for (uint32_t i = 0; i < 2000; i++) {
		char path[40];

		(void)snprintf(path, sizeof(path), "\\\\%c\\O\\C%u", i < 1000 ? 'A' : 'B', i);
		(void)trip_series(m, path, COUNTER, false);
		pmon_schema_set_source(&m->base.schema, i, i / 1000);
	}
	for (size_t k = 0; k < 6; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		for (uint32_t i = 0; i < 2000; i++)
			trip_value(m, i, (int64_t)k);
	}
	return mem_source_open(m);
}

// A full disk is reported wherever it occurs, and leaves no log unless it is a live one.
static void
disk_is_full(void **state)
{
	(void)state;
	(void)signal(SIGXFSZ, SIG_IGN);
	for (int kind = 0; kind < 3; kind++) { // a log, a live one, a circle
		struct pmon_create_options options = {.size = sizeof(options),
						      .overwrite = true,
						      .live = kind > 0,
						      .ring_bytes =
							      kind > 1 ? 20 * BLG_OUT_BUFFER : 0};
		struct pmon_err err;
		size_t len;

		assert_int_equal(write_source(two_machines(), trip_path, "blg", &options, &err),
				 PMON_OK);
		free(t_read_file(trip_path, &len));
		for (rlim_t bytes = 1; bytes < len; bytes += BLG_OUT_BUFFER / 2) {
			enum pmon_status status;

			(void)unlink(trip_path);
			limit_files(bytes);
			status = write_source(two_machines(), trip_path, "blg", &options, &err);
			limit_files(RLIM_INFINITY);
			T_EQ_I64(status, PMON_E_IO);
			T_EQ_U64(folder_count(), kind > 0);
		}
		(void)unlink(trip_path);
	}
}

static struct pmon_source *
two_small_logs(void)
{
	struct mem_source *m = trip_new();

	(void)trip_series(m, "\\\\A\\O\\C", COUNTER, false);
	pmon_schema_set_source(&m->base.schema, trip_series(m, "\\\\B\\P(i)\\C", COUNTER, true), 1);
	for (size_t k = 0; k < 3; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		trip_value(m, 0, 1);
		trip_value(m, 1, 2);
	}
	return mem_source_open(m);
}

static struct pmon_source *
without_samples(void)
{
	return many_counters(500, 0);
}

static void
logs_short_of_memory(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(two_small_logs, "blg");
	each_allocation_of_writing_fails(without_samples, "blg");
}

// The flushes of a source as one that is recorded; memory is short.
static enum pmon_status
write_and_flush(const struct pmon_create_options *options, struct pmon_err *err)
{
	struct pmon_source *source = many_counters(20, 3);
	const struct pmon_sample *sample;
	struct pmon_sink *sink = NULL;
	enum pmon_status status = pmon_log_create(trip_path, "blg", options, &sink, err);

	if (status == PMON_OK)
		status = pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source),
					 err);
	while (status == PMON_OK && pmon_source_next(source, &sample, err) == PMON_OK) {
		status = pmon_sink_add(sink, sample, NULL, err);
		if (status == PMON_OK)
			status = pmon_blg_writer_flush(sink, false, err);
	}
	if (status == PMON_OK)
		status = pmon_sink_finish(sink, err);
	pmon_sink_close(sink);
	pmon_source_close(source);
	return status;
}

// Without memory for the short form, a sample is written in full, or the failure is reported.
static void
flushes_short_of_memory(void **state)
{
	(void)state;
	for (int live = 0; live < 2; live++) {
		struct pmon_create_options options = {
			.size = sizeof(options), .overwrite = true, .live = live != 0};
		bool is_done = false;
		struct pmon_err err;
		size_t len, want_len;
		char *want;

		T_EQ_I64(write_and_flush(&options, &err), PMON_OK);
		want = t_read_file(trip_path, &want_len);
		for (size_t at = 1; !is_done; at++) {
			struct t_memory memory = {.fail_at = at};
			struct pmon_allocator allocator = t_memory_allocator(&memory);
			enum pmon_status status;

			(void)unlink(trip_path);
			options.allocator = &allocator;
			status = write_and_flush(&options, &err);
			is_done = t_memory_sufficed(&memory);
			T_EQ_U64(memory.live_blocks, 0);
			if (status == PMON_OK) {
				char *got = t_read_file(trip_path, &len);

				T_EQ_U64(len, want_len);
				assert_memory_equal(got, want, len);
				free(got);
			} else {
				assert_false(is_done);
				T_EQ_I64(status, PMON_E_NOMEM);
			}
		}
		free(want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TRIP_TEST(names_of_one_hash),
		TRIP_TEST(statuses_of_instances),
		TRIP_TEST(facts_of_the_source),
		TRIP_TEST(names_of_zones),
		TRIP_TEST(paths_that_are_long),
		TRIP_TEST(circles_that_are_too_small),
		TRIP_TEST(flush_of_an_empty_buffer),
		TRIP_TEST(counters_that_come_late),
		TRIP_TEST(disk_is_full),
		TRIP_TEST(logs_short_of_memory),
		TRIP_TEST(flushes_short_of_memory),
	};

	return cmocka_run_group_tests(tests, trip_setup, folder_remove);
}
