// test_open_faults.c - files of several kinds that fail, and what is cached for them
// SPDX-License-Identifier: MIT

#include "t.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "faulty.h"
#include "folder.h"
#include "format/openmetrics/openmetrics.h"
#include "memsource.h"
#include "moments.h"
#include "perfblock_build.h"
#include "write_fault.h"

// ---- Points on the disk ---------------------------------------------------------------------

#define N_POINTS (3 * OM_BLOCK_POINTS + 2)

static void
sum_point(void *ctx, const struct om_point *point)
{
	*(int64_t *)ctx += point->time;
}

static void
fill_spool(struct om_spool *spool, struct om_points *points, int64_t n)
{
	struct om_point point = {.time = 0};
	struct pmon_err err;

	*points = (struct om_points){.n = 0};
	assert_int_equal(pmon_om_spool_open(spool, &err), PMON_OK);
	for (int64_t i = 1; i <= n; i++) {
		point.time = i;
		assert_int_equal(pmon_om_spool_add(spool, points, &point, &err), PMON_OK);
	}
}

static void
a_spool_that_has_become_shorter(void **state)
{
	const struct pmon_allocator *libc = pmon_mem_allocator(NULL);
	struct t_memory memory = {.fail_at = 1};
	struct pmon_allocator none = t_memory_allocator(&memory);
	struct om_points points;
	struct om_spool spool;
	struct pmon_err err;
	int64_t sum = 0;
	off_t size;

	(void)state;
	fill_spool(&spool, &points, N_POINTS);
	assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err), PMON_OK);
	T_EQ_I64(sum, N_POINTS * (N_POINTS + 1) / 2);
	sum = 0;
	assert_int_equal(pmon_om_spool_each(&spool, &points, &none, sum_point, &sum, &err),
			 PMON_E_NOMEM);
	T_EQ_I64(sum, 0);
	assert_int_equal(fflush(spool.file), 0);
	size = lseek(fileno(spool.file), 0, SEEK_END);
	for (; size > 0; size -= 100) {
		assert_int_equal(ftruncate(fileno(spool.file), size - 1), 0);
		assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err),
				 PMON_E_IO);
		assert_int_equal(err.sys, EIO);
	}
	pmon_om_spool_close(&spool);
}

// The only block is read once, for its points.
static void
a_spool_of_one_block_that_is_gone(void **state)
{
	const struct pmon_allocator *libc = pmon_mem_allocator(NULL);
	struct om_points points;
	struct om_spool spool;
	struct pmon_err err;
	int64_t sum = 0;

	(void)state;
	fill_spool(&spool, &points, OM_BLOCK_POINTS + 1);
	assert_int_equal(fflush(spool.file), 0);
	assert_int_equal(ftruncate(fileno(spool.file), 0), 0);
	assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err),
			 PMON_E_IO);
	T_EQ_I64(sum, 0);
	assert_int_equal(close(fileno(spool.file)), 0);
	assert_int_equal(pmon_om_spool_each(&spool, &points, libc, sum_point, &sum, &err),
			 PMON_E_IO);
	assert_int_equal(err.sys, EBADF);
	pmon_om_spool_close(&spool);
}

// Each series has points on the disk and in memory.
static struct pmon_source *
long_log(void)
{
	struct mem_source *m = mem_source_new();

	(void)mem_source_series(m, "\\\\S\\O(a)\\C", PMON_PERF_AVERAGE_TIMER, 1000);
	(void)mem_source_series(m, "\\\\S\\O(b)\\C", PMON_PERF_AVERAGE_TIMER, 1000);
	(void)mem_source_series(m, "\\\\S\\O\\D", PMON_PERF_COUNTER_RAWCOUNT, 0);
	for (int64_t k = 0; k < N_POINTS; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < 3; i++)
			mem_source_raw(m, i, k * (i + 1), k);
	}
	return mem_source_open(m);
}

static void
each_allocation_for_points_fails(void **state)
{
	(void)state;
	each_allocation_of_writing_fails(long_log, "openmetrics");
	each_allocation_of_writing_fails(long_log, "prometheus");
}

// ---- Texts in blocks ------------------------------------------------------------------------

// PERF_COUNTER_TEXT of winperf.h; the text is in the block, in UTF-16.
static const struct pb_counter text_counters[] = {{28, 0x10410400, 4, 0}, {30, 0x00000B00, 8, 0}};

static uint64_t
text_of(char a, char b, char c)
{
	return (uint64_t)(uint8_t)a | (uint64_t)(uint8_t)b << 16 | (uint64_t)(uint8_t)c << 32;
}

static void
build_texts(struct pb *b)
{
	for (int k = 0; k < 3; k++) {
		pb_begin(b, T0 + k * SECOND, 777 + k, "SRV");
		pb_object(b, 230, text_counters, 2, 1, 0);
		for (int i = 0; i < 3; i++) {
			pb_instance(b, 0, 0, -1, i == 0 ? "a" : "b");
			pb_values(b, text_counters, 2,
				  (uint64_t[]){1, text_of('x', (char)('0' + k), (char)('0' + i))});
		}
		pb_end(b);
	}
}

static void
texts_in_blocks(void **state)
{
	struct pmon_log_options options = {.texts = true};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	struct pb b = {0};
	size_t n = 0;

	(void)state;
	build_texts(&b);
	source = open_bytes(b.bytes, b.len, &options);
	for (int k = 0; pmon_source_next(source, &sample, &err) == PMON_OK; k++) {
		int i = 0;

		for (size_t v = 0; v < sample->n; v++) {
			const struct pmon_series *s =
				pmon_schema_at(pmon_source_schema(source), sample->series[v]);
			char want[] = {'x', (char)('0' + k), (char)('0' + i), '\0'};

			if (s->counter.type != 0xB00)
				continue;
			T_EQ_SPAN(pmon_series_text(s, &sample->raw[v]), want);
			i++;
			n++;
		}
	}
	assert_int_equal(n, 9);
	pmon_source_close(source);
	faulty_allocations("texts", b.bytes, b.len);
	faulty_reads("texts", b.bytes, b.len);
	pb_free(&b);
}

// ---- Folders --------------------------------------------------------------------------------

static void
put_block(const char *path, int64_t time, uint32_t title)
{
	static const struct pb_counter counter = {28, 0x10410400, 4, 0};
	struct pb b = {0};

	pb_begin(&b, time, 777, "SRV");
	pb_object(&b, title, &counter, 1, PB_NO_INST, 0);
	pb_values(&b, &counter, 1, (uint64_t[]){title});
	pb_end(&b);
	t_write_file(path, b.bytes, b.len);
	pb_free(&b);
}

static enum pmon_status
read_folder(const char *path, const struct pmon_allocator *allocator, struct dump *seen)
{
	struct pmon_log_options options = {
		.allocator = allocator, .notice = dump_notice, .notice_ctx = seen};
	struct pmon_source *source = NULL;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	*seen = (struct dump){0};
	dump_notice(seen, &(struct pmon_notice){.text = "begin"});
	status = pmon_log_open(path, &options, &source, &err);
	return dump_opened(seen, status, source, &err);
}

// Two files of one moment, and a compressed one that is damaged: that is reported as a loss.
static void
a_folder_with_a_damaged_file(void **state)
{
	static const uint8_t packed[] = {0x1F, 0x8B, 8, 0,    0,    0,    0,
					 0,    0,    3, 0xFF, 0xFF, 0xFF, 0xFF};
	const char *path = in_folder("dump");
	const char *files[] = {in_folder("dump/a.bin"), in_folder("dump/b.bin"),
			       in_folder("dump/c.bin.gz")};
	struct dump healthy, seen;
	bool is_done = false;

	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	put_block(files[0], T0, 4);
	put_block(files[1], T0, 6);
	t_write_file(files[2], packed, sizeof(packed));
	assert_int_equal(read_folder(path, NULL, &healthy), PMON_END);
	assert_int_equal(healthy.n_values, 2);
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		enum pmon_status status = read_folder(path, &allocator, &seen);

		is_done = t_memory_sufficed(&memory);
		T_EQ_U64(memory.live_blocks, 0);
		if (status == PMON_END && is_done)
			T_EQ_STR(seen.text, healthy.text);
		else if (status == PMON_END) // the damaged file has another reason
			assert_int_equal(seen.n_values, 2);
		else
			T_EQ_I64(status, PMON_E_NOMEM);
		dump_free(&seen);
	}
	dump_free(&healthy);
	for (size_t i = 0; i < T_LEN(files); i++)
		assert_int_equal(unlink(files[i]), 0);
	assert_int_equal(rmdir(path), 0);
}

// ---- Counters that come late ----------------------------------------------------------------

static void
keep_text(void *ctx, const struct pmon_notice *notice)
{
	(void)snprintf(ctx, 200, "%s", notice->text);
}

static void
write_late(size_t n_late, pmon_notice_fn notice, void *ctx)
{
	struct pmon_create_options options = {.live = true, .notice = notice, .notice_ctx = ctx};
	const char *path = in_folder("late.csv");
	struct mem_source *m = mem_source_new();
	struct pmon_value values[4] = {{0}};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_sink *sink;
	struct pmon_err err;
	char name[40];

	(void)mem_source_series(m, "\\\\S\\O\\C", PMON_PERF_COUNTER_RAWCOUNT, 0);
	for (int k = 0; k < 2; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		mem_source_raw(m, 0, k, 0);
	}
	source = mem_source_open(m);
	assert_int_equal(pmon_log_create(path, "csv", &options, &sink, &err), PMON_OK);
	assert_int_equal(
		pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err),
		PMON_OK);
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(pmon_sink_add(sink, sample, values, &err), PMON_OK);
	for (size_t i = 0; i < n_late; i++) {
		(void)snprintf(name, sizeof(name), "\\\\S\\O\\Late %zu", i);
		mem_source_raw(m, mem_source_series(m, name, PMON_PERF_COUNTER_RAWCOUNT, 0), 5, 0);
	}
	assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
	assert_int_equal(pmon_sink_add(sink, sample, values, &err), PMON_OK);
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	pmon_sink_close(sink);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

static void
counters_that_come_late_are_counted(void **state)
{
	char text[200] = "";

	(void)state;
	write_late(1, keep_text, text);
	T_EQ_STR(text, "1 counter came after this file was begun and cannot be in it");
	write_late(3, keep_text, text);
	T_EQ_STR(text, "3 counters came after this file was begun and cannot be in it");
	write_late(2, NULL, NULL);
}

// ---- Values alone ---------------------------------------------------------------------------

// As JSON lines of displayed values: a value that another program displayed has no raw value, and what comes
// before the first interval is not shown.
static void
displayed_values_as_lines(void **state)
{
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("values.jsonl");
	struct pmon_path bad = {.machine = {"S", 1}, .object = {"O", 1}, .counter = {"\xFF", 1}};
	struct pmon_counter gauge = {.type = PMON_PERF_COUNTER_RAWCOUNT};
	size_t n = 0;
	size_t len;
	char *text;

	(void)state;
	(void)mem_source_add(m, &bad, &gauge);
	(void)mem_source_series(m, "\\\\S\\O\\D", PMON_PERF_DOUBLE_RAW, 0);
	pmon_schema_set_formatted(&m->base.schema, 1, NULL);
	for (int k = 0; k < 3; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		m->samples[k].lead_in = k == 0;
		mem_source_raw(m, 0, 70 + k, 0);
		mem_source_raw(m, 1, 0, 0);
	}
	write_over(mem_source_open(m), path, "jsonl-values");
	text = t_read_file(path, &len);
	assert_non_null(text);
	assert_null(strstr(text, "\xFF"));
	assert_non_null(strstr(text, "\\ufffd"));
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		n++;
	assert_int_equal(n, 4); // two samples of two values
	free(text);
	assert_int_equal(unlink(path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spool_that_has_become_shorter),
		cmocka_unit_test(a_spool_of_one_block_that_is_gone),
		cmocka_unit_test(each_allocation_for_points_fails),
		cmocka_unit_test(texts_in_blocks),
		cmocka_unit_test(a_folder_with_a_damaged_file),
		cmocka_unit_test(counters_that_come_late_are_counted),
		cmocka_unit_test(displayed_values_as_lines),
	};

	return cmocka_run_group_tests_name("files", tests, folder_make, folder_remove);
}
