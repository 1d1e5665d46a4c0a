// test_blg_split.c - binary logs that are not read in parts, or whose parts do not join
// SPDX-License-Identifier: MIT
//
// split.c says which ones: those in which a part would need to know earlier samples. Reading in
// parts then fails with PMON_E_STATE, and the log must be read as a whole.

#include "t.h"

#include <stdlib.h>

#include "blg_log.h"
#include "format/format.h"
#include "model/source.h"

#define N_PARTS   4
#define N_SAMPLES 40

static const struct blg_build_options small_buffers = {.end = T0 + HOUR, .buffer_bytes = 0x400};

// ---- Parts ----------------------------------------------------------------------------------

// Read the parts and join them. PMON_OK when all went well, and with *n == 0 when there are none.
static enum pmon_status
read_parts(struct pmon_source *source, size_t *n, struct pmon_err *err)
{
	static uint32_t numbers[N_PARTS][64];
	struct pmon_source *parts[N_PARTS];
	uint32_t *maps[N_PARTS];
	const struct pmon_sample *sample;
	enum pmon_status status;

	*n = N_PARTS;
	status = source->split->split(source, 1, parts, n, err);
	assert_int_equal(status, PMON_OK);
	for (size_t i = 0; i < *n && status == PMON_OK; i++) {
		while (status == PMON_OK)
			status = pmon_source_next(parts[i], &sample, err);
		assert_in_range(pmon_schema_count(pmon_source_schema(parts[i])), 0, 64);
		memset(numbers[i], 0xFF, sizeof(numbers[i]));
		maps[i] = numbers[i];
		status = status == PMON_END ? PMON_OK : status;
	}
	if (status == PMON_OK && *n > 0)
		status = source->split->join(source, parts, *n, maps, err);
	for (size_t i = 0; i < *n; i++)
		pmon_source_close(parts[i]);
	return status;
}

// Read a log in parts, which has to end so, and then in one.
static void
expect_parts(struct blg_build *b, const struct pmon_log_options *options, enum pmon_status want,
	     const char *label)
{
	struct blg_opened log = blg_log_open(b, options);
	struct pmon_err err;
	size_t n;

	T_EQ_I64_AT(read_parts(log.source, &n, &err), want, label);
	T_EQ_U64_AT(n, N_PARTS, label);
	assert_int_equal(pmon_source_rewind(log.source, &err), PMON_OK);
	blg_log_read(&log);
	T_EQ_U64_AT(log.dump.n_samples, N_SAMPLES, label);
	blg_log_close(&log);
}

// ---- No parts -------------------------------------------------------------------------------

static enum pmon_status
read_memory(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	    struct pmon_err *err)
{
	const struct blg_opened *log = ctx;
	size_t left = offset < log->len ? log->len - (size_t)offset : 0;

	(void)err;
	*got_out = len < left ? len : left;
	memcpy(buf, log->file + offset, *got_out);
	return PMON_OK;
}

static const struct pmon_file_ops one_reader = {read_memory, NULL};

// It is not documented that several threads may call the functions of a caller's file.
static void
files_of_a_caller(void **state)
{
	struct blg_build *b = memory_log(&small_buffers);
	struct pmon_log_options options = {.size = sizeof(options)};
	struct blg_opened log = {0};
	struct pmon_file *file;
	struct pmon_err err;
	size_t n;

	(void)state;
	for (int64_t k = 0; k < N_SAMPLES; k++)
		memory_sample(b, T0 + k * SECOND, k);
	log.file = blg_build_finish(b, &log.len);
	assert_int_equal(pmon_file_custom(&one_reader, &log, log.len, NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, &options, &log.source, &err), PMON_OK);
	assert_int_equal(read_parts(log.source, &n, &err), PMON_OK);
	T_EQ_U64(n, 0);
	blg_log_close(&log);
}

// After a failure the parts would not know of it.
static void
logs_that_have_failed(void **state)
{
	const struct pmon_log_options options = {.size = sizeof(options), .limits = {.series = 1}};
	struct blg_build *b = blg_build_new(&small_buffers);
	const struct blg_build_entry entry = {1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "C", 0};
	struct blg_opened log;
	struct pmon_err err;
	size_t n;

	(void)state;
	blg_build_catalogue(b, T0 - 10, &entry, 1);
	for (int64_t k = 0; k < N_SAMPLES; k++)
		disk_sample(b, T0 + k * SECOND, (const char *const[]){"a", "b"}, 2);
	log = blg_log_open(b, &options);
	assert_int_equal(dump_read(&log.dump, log.source, &err), PMON_E_LIMIT);
	assert_int_equal(pmon_source_rewind(log.source, &err), PMON_OK);
	assert_int_equal(read_parts(log.source, &n, &err), PMON_OK);
	T_EQ_U64(n, 0);
	blg_log_close(&log);
}

// ---- Parts that do not join -----------------------------------------------------------------

// A list of counters in the middle: the one that all parts know, or another.
static void
lists_in_the_middle(void **state)
{
	static const struct {
		const char *counter;
		enum pmon_status want;
	} rows[] = {
		{"Available Bytes", PMON_OK},
		{"Committed Bytes", PMON_E_STATE}, // of the same length
		{"Pages/sec", PMON_E_STATE},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build *b = memory_log(&small_buffers);
		struct blg_build_entry entry = memory_entry;

		entry.counter = rows[i].counter;
		for (int64_t k = 0; k < N_SAMPLES; k++) {
			if (k == N_SAMPLES / 2)
				blg_build_catalogue(b, T0 + k * SECOND, &entry, 1);
			memory_sample(b, T0 + k * SECOND, k);
		}
		expect_parts(b, NULL, rows[i].want, rows[i].counter);
	}
}

static struct blg_build *
clock_log(int64_t n_before, int64_t forward)
{
	static const struct blg_build_entry entry = {0,   TIMER_100N, 10000000, 0,   "\\\\S",
						     "P", NULL,       NULL,     "T", 0};
	struct blg_build *b = blg_build_new(&small_buffers);

	blg_build_catalogue(b, T0 - 10, &entry, 1);
	for (int64_t k = 0; k < N_SAMPLES; k++) {
		int64_t utc = T0 + k * SECOND;
		int64_t local = utc + (k < n_before ? 0 : forward);

		blg_build_sample_begin(b);
		blg_build_single(b, 0, local, k, utc, 1);
		blg_build_sample_end(b, local);
	}
	return b;
}

// Counters show that the clock changed; that is reported, both within a part and between two parts.
static void
offsets_that_change(void **state)
{
	(void)state;
	expect_parts(clock_log(0, HOUR), NULL, PMON_OK, "none");
	for (int64_t n_before = 1; n_before < N_SAMPLES; n_before++)
		expect_parts(clock_log(n_before, HOUR), NULL, PMON_E_STATE, "offset");
}

// The definition of a counter changes after a quarter and in the middle, so that the number of a column is another
// one's in a part. The first one is known before the log is split, as the first samples are read ahead.
static void
definitions_that_change(void **state)
{
	static const struct blg_build_title title = {10, "Ten"};
	static const struct blg_build_entry entry = {0x10, 0x10, 0,    0,   "\\\\S",
						     "O",  "*",  NULL, "*", 0};
	static const struct blg_build_instance instance = {"a", 0, 0, 0};
	static const struct blg_build_counter old[] = {{10, RAWCOUNT, 4, 0}};
	static const struct blg_build_counter other[] = {{10, RAWCOUNT, 4, 2}};
	static const struct {
		struct blg_build_counter new;
		enum pmon_status want;
	} rows[] = {
		{{10, RAWCOUNT, 4, 0}, PMON_OK},      {{10, COUNTER, 4, 0}, PMON_E_STATE},
		{{10, RAWCOUNT, 8, 0}, PMON_E_STATE}, {{10, RAWCOUNT, 4, 1}, PMON_E_STATE},
		{{11, RAWCOUNT, 4, 0}, PMON_E_STATE},
	};
	static const int64_t value = 5;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build *b = blg_build_new(&small_buffers);

		blg_build_names(b, T0 - 20, "\\\\S", &title, 1);
		blg_build_catalogue(b, T0 - 10, &entry, 1);
		for (int64_t k = 0; k < N_SAMPLES; k++) {
			struct blg_build_object object = {
				.title = 2,
				.system_time = T0 + k * SECOND,
				.perf_freq = 1000,
				.perf_time_100ns = T0 + k * SECOND,
				.counters = k < N_SAMPLES / 4   ? old
					    : k < N_SAMPLES / 2 ? other
								: &rows[i].new,
				.n_counters = 1,
				.values = &value,
				.instances = &instance,
				.n_instances = 1,
			};

			blg_build_sample_begin(b);
			blg_build_object(b, &object);
			blg_build_sample_end(b, T0 + k * SECOND);
		}
		expect_parts(b, NULL, rows[i].want, "definition");
	}
}

static struct blg_build *
disks(void)
{
	static const struct blg_build_entry entry = {1,   RAWCOUNT, 0,    0,   "\\\\S",
						     "P", "*",      NULL, "C", 0};
	struct blg_build *b = blg_build_new(&small_buffers);

	blg_build_catalogue(b, T0 - 10, &entry, 1);
	for (int64_t k = 0; k < N_SAMPLES; k++)
		disk_sample(b, T0 + k * SECOND, (const char *const[]){"a", "b"}, 2);
	return b;
}

// The log and each part ask for both series: 10 of them may be more than are allowed, where 2 are not.
static void
parts_count_towards_the_limit(void **state)
{
	(void)state;
	for (size_t most = 9; most <= 10; most++) {
		const struct pmon_log_options options = {.size = sizeof(options),
							 .limits = {.series = most}};

		expect_parts(disks(), &options, most < 10 ? PMON_E_STATE : PMON_OK, "limit");
	}
}

static bool
want_in_turn(void *ctx, const struct pmon_path *path)
{
	unsigned *n = ctx;

	(void)path;
	return ++*n % 3 == 0;
}

// A caller that both accepts and rejects the same series.
static void
wishes_that_change(void **state)
{
	unsigned n = 0;
	const struct pmon_log_options options = {
		.size = sizeof(options), .want = want_in_turn, .want_ctx = &n};

	(void)state;
	expect_parts(disks(), &options, PMON_E_STATE, "want");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_a_caller),
		cmocka_unit_test(logs_that_have_failed),
		cmocka_unit_test(lists_in_the_middle),
		cmocka_unit_test(offsets_that_change),
		cmocka_unit_test(definitions_that_change),
		cmocka_unit_test(parts_count_towards_the_limit),
		cmocka_unit_test(wishes_that_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
