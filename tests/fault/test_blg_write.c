// test_blg_write.c - the BLG writer with too little memory or disk space
// SPDX-License-Identifier: MIT

#include "t.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/sink.h>

#include "blg_build.h"
#include "folder.h"
#include "format/format.h"
#include "moments.h"
#include "write_limit.h"

#define N_SINGLES 150 // enough of each kind that a sample takes two parts
#define N_SAMPLES 24  // ... and all of them several buffers
#define N_LONG    200 // ... and several of the blocks written to the system

static char path[64];

static void
add_instances(struct blg_build *b, int64_t k)
{
	blg_build_multi_begin(b, 0, T0 + k * SECOND);
	blg_build_item(b, "a", 1, k, k * 1000);
	blg_build_item(b, k % 2 ? "b" : "c", 1, k, k * 1000);
	blg_build_item(b, "a", 1, k, k * 1000);
	blg_build_multi_end(b);
}

// A log with single counters, and optionally instances that come and go, two of them with the same
// name.
static struct pmon_source *
open_log(int64_t n_samples, bool has_instances)
{
	struct blg_build_options options = {.buffer_bytes = 0x10000, .start = T0, .end = T0};
	struct blg_build *b = blg_build_new(&options);
	struct blg_build_entry entries[N_SINGLES + 1];
	struct pmon_source *source;
	struct pmon_file *file;
	static uint8_t *bytes; // must stay in place while the source is read
	size_t len;

	for (size_t i = 0; i < N_SINGLES; i++)
		entries[i] = (struct blg_build_entry){.type = 0x10410400,
						      .time_base = 1000,
						      .machine = "\\\\S",
						      .object = "O",
						      .counter = "C"};
	entries[N_SINGLES] = entries[0];
	entries[N_SINGLES].flags = 1;
	entries[N_SINGLES].instance = "*";
	blg_build_catalogue(b, T0, entries, N_SINGLES + has_instances);
	for (int64_t k = 0; k < n_samples; k++) {
		blg_build_sample_begin(b);
		for (int64_t i = 0; i < N_SINGLES; i++)
			blg_build_single(b, 0, T0 + k * SECOND, k * i, k * 1000, 1);
		if (has_instances)
			add_instances(b, k);
		blg_build_sample_end(b, T0 + k * SECOND);
	}
	free(bytes);
	bytes = blg_build_finish(b, &len);
	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, NULL), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &source, NULL), PMON_OK);
	return source;
}

static struct pmon_source *
open_source(void)
{
	return open_log(N_SAMPLES, true);
}

static enum pmon_status
write_log(struct pmon_source *source, const struct pmon_allocator *allocator, struct pmon_err *err)
{
	struct pmon_create_options options = {.size = sizeof(options), .allocator = allocator};
	struct pmon_sink *sink;
	enum pmon_status status;

	status = pmon_log_create(path, "blg", &options, &sink, err);
	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, err);
	if (status == PMON_OK)
		assert_int_equal(folder_count(), 1);
	pmon_sink_close(sink);
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	return status;
}

static void
test_memory(void **state)
{
	struct pmon_source *source = open_source();
	enum pmon_status status = PMON_E_NOMEM;

	(void)state;
	for (int rest = 0; rest < 2; rest++)
		for (size_t n = 1; n == 1 || status != PMON_OK; n++) {
			struct t_memory memory = {.fail_at = n, .fail_rest = rest};
			struct pmon_allocator allocator = t_memory_allocator(&memory);
			struct pmon_err err = {0};

			status = write_log(source, &allocator, &err);
			assert_int_equal(memory.live_blocks, 0);
			if (status == PMON_OK) {
				assert_true(n > 10);
				assert_int_equal(unlink(path), 0);
				continue;
			}
			assert_int_equal(status, PMON_E_NOMEM);
			assert_int_equal(err.status, PMON_E_NOMEM);
			assert_int_equal(folder_count(), 0);
		}
	pmon_source_close(source);
}

// Fill the disk after any number of bytes: no file must be left, under any name.
static void
check_disk_full(struct pmon_source *source, rlim_t least, rlim_t step)
{
	struct stat st;
	struct pmon_err err;

	assert_int_equal(write_log(source, NULL, &err), PMON_OK);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(unlink(path), 0);
	assert_true((rlim_t)st.st_size > least);
	(void)signal(SIGXFSZ, SIG_IGN);
	for (rlim_t bytes = 0; bytes < (rlim_t)st.st_size; bytes += bytes < 1000 ? 99 : step) {
		enum pmon_status status;

		limit_files(bytes);
		status = write_log(source, NULL, &err);
		limit_files(RLIM_INFINITY);
		assert_int_equal(status, PMON_E_IO);
		assert_true(err.sys != 0);
		assert_non_null(strstr(err.msg, path));
		assert_int_equal(folder_count(), 0);
	}
	pmon_source_close(source);
}

static void
test_disk_full(void **state)
{
	(void)state;
	check_disk_full(open_source(), (rlim_t)4 * 65536, 4567);
}

static void
test_disk_full_late(void **state)
{
	(void)state;
	check_disk_full(open_log(N_LONG, false), (rlim_t)2 * 512 * 1024, 31337);
}

// A log that is not live is flushed too, which needs a buffer of its own.
static enum pmon_status
write_flushing(struct pmon_source *source, const struct pmon_allocator *allocator)
{
	struct pmon_create_options options = {.size = sizeof(options), .allocator = allocator};
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	enum pmon_status status = pmon_log_create(path, "blg", &options, &sink, NULL);

	if (status == PMON_OK)
		status = pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source),
					 NULL);
	while (status == PMON_OK && pmon_source_next(source, &sample, NULL) == PMON_OK) {
		status = pmon_sink_add(sink, sample, NULL, NULL);
		if (status == PMON_OK)
			status = pmon_sink_flush(sink, false, NULL);
	}
	if (status == PMON_OK)
		status = pmon_sink_finish(sink, NULL);
	pmon_sink_close(sink);
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_OK);
	return status;
}

static void
test_flush_memory(void **state)
{
	struct pmon_source *source = open_log(N_SAMPLES, false);
	enum pmon_status status = PMON_E_NOMEM;

	(void)state;
	for (size_t n = 1; status != PMON_OK; n++) {
		struct t_memory memory = {.fail_at = n};
		struct pmon_allocator allocator = t_memory_allocator(&memory);

		status = write_flushing(source, &allocator);
		assert_int_equal(memory.live_blocks, 0);
		if (status == PMON_OK)
			assert_int_equal(unlink(path), 0);
		else
			assert_int_equal(status, PMON_E_NOMEM);
		assert_int_equal(folder_count(), 0);
	}
	pmon_source_close(source);
}

// A failed sink stays failed, and finishing it does not create a file from what was written.
static void
test_stays_failed(void **state)
{
	struct pmon_source *source = open_source();
	struct pmon_create_options options = {.size = sizeof(options)};
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		; // to know every instance
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	assert_int_equal(pmon_log_create(path, "blg", &options, &sink, &err), PMON_OK);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err),
		PMON_OK);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err),
		PMON_E_STATE);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	limit_files(1000);
	assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_E_IO);
	limit_files(RLIM_INFINITY);
	err = (struct pmon_err){0};
	assert_int_equal(pmon_sink_add(sink, sample, NULL, &err), PMON_E_IO);
	assert_true(err.sys != 0);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_E_IO);
	pmon_sink_close(sink);
	assert_int_equal(folder_count(), 0);
	pmon_source_close(source);
}

static void
test_no_folder(void **state)
{
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_log_create("/nonexistent/log.blg", "blg", NULL, &sink, &err),
			 PMON_E_IO);
	assert_null(sink);
}

// A file that appears under the name during writing is not overwritten.
static void
test_name_taken(void **state)
{
	struct pmon_source *source = open_source();
	struct pmon_create_options options = {.size = sizeof(options)};
	struct pmon_sink *sink;
	struct pmon_err err;
	FILE *file;

	(void)state;
	assert_int_equal(pmon_log_create(path, "blg", &options, &sink, &err), PMON_OK);
	file = fopen(path, "wb");
	assert_non_null(file);
	fclose(file);
	assert_int_not_equal(pmon_copy(source, sink, NULL, &err), PMON_OK);
	pmon_sink_close(sink);
	assert_int_equal(folder_count(), 1);
	assert_int_equal(unlink(path), 0);
	pmon_source_close(source);
}

static int
setup(void **state)
{
	if (folder_make(state) != 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/log.blg", folder);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),       cmocka_unit_test(test_disk_full),
		cmocka_unit_test(test_stays_failed), cmocka_unit_test(test_no_folder),
		cmocka_unit_test(test_name_taken),   cmocka_unit_test(test_disk_full_late),
		cmocka_unit_test(test_flush_memory),
	};

	return cmocka_run_group_tests(tests, setup, folder_remove);
}
