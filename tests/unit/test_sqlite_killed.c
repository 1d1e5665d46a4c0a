// test_sqlite_killed.c - a recording into a database is killed at each of its calls to the system
// SPDX-License-Identifier: MIT
//
// Whenever that is, the file is not there yet or can be read, with all samples that were flushed.

#include "t.h"

#ifdef __linux__

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/sink.h>

#include "blg_trip.h"
#include "folder.h"

#define SAMPLES 2

static char db_path[96];

static struct mem_source *
two_samples(void)
{
	struct mem_source *m = trip_new();
	uint32_t id = trip_series(m, "\\\\S\\Disk(a)\\Reads/sec", COUNTER, true);

	for (int64_t i = 0; i < SAMPLES; i++) {
		mem_source_sample(m, T0 + i * SECOND);
		trip_value(m, id, 100 + i);
	}
	return m;
}

// What a recorder does. It writes a byte to the pipe after each flush.
static void
record(struct pmon_source *source, int flushed)
{
	struct pmon_create_options options = {.size = sizeof(options), .live = true};
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	struct pmon_err err;
	bool ok = pmon_log_create(db_path, "sqlite", &options, &sink, &err) == PMON_OK &&
		  pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source),
				  &err) == PMON_OK;

	while (ok && pmon_source_next(source, &sample, &err) == PMON_OK) {
		ok = pmon_sink_add(sink, sample, NULL, &err) == PMON_OK &&
		     pmon_sink_flush(sink, true, &err) == PMON_OK;
		ok = ok && write(flushed, "", 1) == 1;
	}
	if (ok && pmon_sink_finish(sink, &err) == PMON_OK)
		pmon_sink_close(sink);
	_exit(ok ? 0 : 1);
}

static pid_t
start(struct pmon_source *source, int flushed)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child != 0)
		return child;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(77);
	(void)raise(SIGSTOP);
	record(source, flushed);
	return child;
}

// Kill it at its n-th stop at a call, of which each has two. False when it ended before.
static bool
kill_at(pid_t child, size_t n)
{
	int status;

	for (size_t i = 0;; i++) {
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFSTOPPED(status)) {
			if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
				skip();
			assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
			return false;
		}
		if (i == n) {
			(void)kill(child, SIGKILL);
			assert_int_equal(waitpid(child, &status, 0), child);
			return true;
		}
		assert_int_equal(ptrace(PTRACE_SYSCALL, child, NULL, NULL), 0);
	}
}

static uint64_t
samples_there(void)
{
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_err err;
	uint64_t n = 0;

	if (pmon_log_open(db_path, NULL, &source, &err) != PMON_OK)
		fail_msg("%s: %s", db_path, err.msg);
	while (pmon_source_next(source, &sample, &err) == PMON_OK)
		n++;
	T_EQ_U64(pmon_source_info(source)->losses, 0);
	pmon_source_close(source);
	return n;
}

static void
remove_all(void)
{
	char command[256];

	(void)snprintf(command, sizeof(command), "rm -f '%s'*", db_path);
	assert_int_equal(system(command), 0);
}

static void
killed_at_each_call(void **state)
{
	struct mem_source *m = two_samples();
	size_t n_empty = 0;
	size_t n_whole = 0;
	bool killed = true;

	(void)state;
	for (size_t n = 0; killed; n += 2) { // before each call is after the one before
		char bytes[SAMPLES];
		ssize_t flushed;
		int ends[2];
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = start(&m->base, ends[1]);
		(void)close(ends[1]);
		killed = kill_at(child, n);
		flushed = read(ends[0], bytes, sizeof(bytes));
		(void)close(ends[0]);
		assert_true(flushed >= 0);
		if (access(db_path, F_OK) != 0) {
			assert_int_equal(flushed, 0);
		} else {
			uint64_t there = samples_there();

			assert_true(there >= (uint64_t)flushed && there <= SAMPLES);
			n_empty += there == 0;
			n_whole += there == SAMPLES;
		}
		remove_all();
	}
	assert_true(n_empty > 0 && n_whole > 0);
	pmon_source_close(&m->base);
}

static int
setup(void **state)
{
	if (folder_make(state) != 0)
		return -1;
	(void)snprintf(db_path, sizeof(db_path), "%s/killed.db", folder);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(killed_at_each_call)};

	return cmocka_run_group_tests(tests, setup, folder_remove);
}

#else

int
main(void)
{
	return 77;
}

#endif
