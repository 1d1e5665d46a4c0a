// test_blg_write_stopped.c - a BLG whose writer is killed contains what was flushed
// SPDX-License-Identifier: MIT

#include "t.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/sink.h>

#include "blg_trip.h"
#include "folder.h"
#include "lines.h"

#include "format/blg/write.h"

// A log of some weight: churn, two machines' worth of singles, records of several parts.
static struct mem_source *
busy(size_t n_samples)
{
	struct mem_source *m = trip_new();
	struct t_rand rand = {9};
	char buf[64];

	for (size_t i = 0; i < 60; i++) {
		(void)snprintf(buf, sizeof(buf), "\\\\S\\P(instance %zu)\\C", i);
		(void)trip_series(m, buf, COUNTER, true);
		(void)snprintf(buf, sizeof(buf), "\\\\S\\O\\C %zu", i);
		(void)trip_series(m, buf, COUNTER, false);
	}
	for (size_t k = 0; k < n_samples; k++) {
		mem_source_sample(m, T0 + (pmon_time)k * SECOND);
		for (uint32_t i = 0; i < 120; i++)
			if (i % 2 == 1 || t_rand_below(&rand, 3) != 0)
				trip_value(m, i, (int64_t)(k * i));
	}
	return m;
}

// The file holds the first samples of the log with these lines, whole, and at least so many.
static void
check_prefix(const char *name, const struct lines *all, size_t at_least)
{
	struct lines want;
	struct pmon_source *back = NULL;
	struct lines got = {0};
	struct pmon_err err;
	size_t n_samples;

	if (pmon_log_open(name, NULL, &back, &err) == PMON_OK)
		got = read_lines(back);
	n_samples = count_samples(&got);
	assert_true(n_samples >= at_least);
	want = first_samples(all, n_samples);
	same_lines(&got, &want);
	pmon_source_close(back);
}

static void
copy_file(const char *from, const char *to)
{
	size_t len;
	char *bytes = t_read_file(from, &len);

	assert_non_null(bytes);
	t_write_file(to, bytes, len);
	free(bytes);
}

// The log has the same bytes when it is written again without flushing.
static void
same_without_flush(struct mem_source *m)
{
	size_t len, flushed_len;
	char *with = t_read_file(trip_path, &flushed_len);
	char *without;

	m->next = 0;
	write_log(&m->base);
	without = t_read_file(trip_path, &len);
	assert_int_equal(len, flushed_len);
	assert_memory_equal(with, without, len);
	free(with);
	free(without);
}

// After a flush everything is in the file, at any moment; without one, what was in full buffers.
static void
test_flush(void **state)
{
	struct mem_source *m = busy(60);
	struct lines all = read_lines(&m->base);
	struct pmon_sink *sink = create_log();
	const struct pmon_sample *s;
	struct t_rand rand = {3};
	struct pmon_err err;
	char temp[256], copy[128];
	size_t flushed = 0;

	(void)state;
	(void)snprintf(copy, sizeof(copy), "%s/copy.blg", folder);
	assert_int_equal(pmon_sink_begin(sink, &m->base.schema, &m->base.info, &err), PMON_OK);
	assert_int_equal(pmon_blg_writer_flush(sink, false, &err), PMON_OK); // nothing yet
	for (size_t k = 0; k < 60; k++) {
		assert_int_equal(pmon_source_next(&m->base, &s, &err), PMON_OK);
		assert_int_equal(pmon_sink_add(sink, s, NULL, &err), PMON_OK);
		if (t_rand_below(&rand, 3) == 0) {
			assert_int_equal(pmon_blg_writer_flush(sink, k % 10 == 0, &err), PMON_OK);
			flushed = k + 1;
		}
		assert_true(folder_find(".tmp", temp, sizeof(temp)));
		copy_file(temp, copy);
		check_prefix(copy, &all, flushed);
	}
	assert_int_equal(pmon_sink_finish(sink, &err), PMON_OK);
	pmon_sink_close(sink);
	check_prefix(trip_path, &all, 60);
	free_lines(&all);
	check_buffers();
	same_without_flush(m);
	assert_int_equal(unlink(copy), 0);
	pmon_source_close(&m->base);
}

static void
write_slowly(struct pmon_source *source, int pipe_end)
{
	struct pmon_sink *sink = create_log();
	const struct pmon_sample *s;
	struct pmon_err err;
	uint32_t n = 0;

	if (pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err) !=
	    PMON_OK)
		_exit(1);
	while (pmon_source_next(source, &s, &err) == PMON_OK) {
		if (pmon_sink_add(sink, s, NULL, &err) != PMON_OK)
			_exit(1);
		n++;
		if (n % 5 == 0 && (pmon_blg_writer_flush(sink, false, &err) != PMON_OK ||
				   write(pipe_end, &n, sizeof(n)) != (ssize_t)sizeof(n)))
			_exit(1);
	}
	_exit(0);
}

static void
test_killed(void **state)
{
	struct mem_source *m = busy(1000);
	struct lines all = read_lines(&m->base);
	struct t_rand rand = {4};

	(void)state;
	for (size_t turn = 0; turn < 10; turn++) {
		// It is killed somewhere behind this report.
		uint64_t reports = 1 + t_rand_below(&rand, 150);
		char temp[256];
		uint32_t n, last = 0;
		int ends[2];
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0)
			write_slowly(&m->base, ends[1]);
		close(ends[1]);
		for (uint64_t i = 0; i < reports; i++)
			assert_int_equal(read(ends[0], &n, sizeof(n)), sizeof(n));
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		do
			last = n;
		while (read(ends[0], &n, sizeof(n)) == (ssize_t)sizeof(n));
		close(ends[0]);
		assert_true(access(trip_path, F_OK) != 0); // nothing under the final name
		assert_true(folder_find(".tmp", temp, sizeof(temp)));
		check_prefix(temp, &all, last);
		assert_int_equal(unlink(temp), 0);
	}
	free_lines(&all);
	pmon_source_close(&m->base);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TRIP_TEST(test_flush),
		TRIP_TEST(test_killed),
	};

	return cmocka_run_group_tests(tests, trip_setup, folder_remove);
}
