// test_live_process_here.c - the objects Process and Thread on this machine
// SPDX-License-Identifier: MIT
//
// pmon's values for this test and its children, compared with the system calls.

// setgroups()
#define _DEFAULT_SOURCE

#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "live_task.h"

// ---- This machine ---------------------------------------------------------------------------

static struct pmon_source *
open_here(struct pmon_select **select, const char *const *patterns)
{
	struct pmon_live_options options = {.size = sizeof(options), .interval_100ns = 0};
	struct pmon_source *source;
	struct pmon_err err;

	assert_int_equal(pmon_select_new(NULL, select, &err), PMON_OK);
	for (; *patterns != NULL; patterns++)
		assert_int_equal(pmon_select_add(*select, t_span(*patterns), &err), PMON_OK);
	options.select = *select;
	if (pmon_live_open(&options, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

// A counter of the instance whose id counter says id, NULL when it is not there. Processes of one name are told apart by
// their whole path.
static const struct pmon_raw *
find_raw(struct pmon_source *source, const struct pmon_sample *sample, const char *id_counter,
	 int64_t id, const char *counter)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	const struct pmon_path *it = NULL;

	for (size_t i = 0; i < sample->n && it == NULL; i++) {
		const struct pmon_path *path = &pmon_schema_at(schema, sample->series[i])->path;

		if (sample->raw[i].first == id && pmon_text_same(path->counter, t_span(id_counter)))
			it = path;
	}
	for (size_t i = 0; i < sample->n && it != NULL; i++) {
		struct pmon_path path = pmon_schema_at(schema, sample->series[i])->path;
		struct pmon_path want = *it;

		want.counter = t_span(counter);
		if (pmon_path_same(&path, &want))
			return &sample->raw[i];
	}
	return NULL;
}

// Its raw value; -1 when it is not there.
static int64_t
raw_of(struct pmon_source *source, const struct pmon_sample *sample, const char *id_counter,
       int64_t id, const char *counter)
{
	const struct pmon_raw *raw = find_raw(source, sample, id_counter, id, counter);

	return raw != NULL ? raw->first : -1;
}

static volatile unsigned long work; // so that it is not optimized away

static int64_t
user_time_100ns(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return (int64_t)usage.ru_utime.tv_sec * PMON_TIME_PER_SEC + usage.ru_utime.tv_usec * 10;
}

// Each end of the difference is truncated to whole ticks, and taking a sample takes time itself.
static void
our_own_time_equals_getrusage(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\ID Process",
					       "\\Process(*)\\% User Time", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	const struct pmon_sample *sample;
	int64_t used;
	int64_t seen;

	(void)state;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	used = -user_time_100ns();
	seen = -raw_of(source, sample, "ID Process", getpid(), "% User Time");
	assert_true(seen <= 0);
	while (used + user_time_100ns() < 100 * PMON_TIME_PER_MSEC)
		for (unsigned i = 0; i < 100000; i++)
			work += i;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	used += user_time_100ns();
	seen += raw_of(source, sample, "ID Process", getpid(), "% User Time");
	assert_true(seen >= used - 2 * TICK && seen <= used + 2 * TICK);
	pmon_source_close(source);
	pmon_select_free(select);
}

static int64_t
now_in(struct pmon_source *source, int64_t id, const char *counter)
{
	const struct pmon_sample *sample;

	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	return raw_of(source, sample, "ID Process", id, counter);
}

// It must not outlive a test that fails: it has its output, for whose end CTest waits.
static void
wait_to_be_killed(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)pause();
	_exit(0);
}

static void
a_child_comes_and_goes(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	pid_t child;

	(void)state;
	assert_true(now_in(source, getpid(), "Working Set") > 0);
	child = fork();
	if (child == 0)
		wait_to_be_killed();
	assert_true(child > 0);
	assert_int_equal(now_in(source, child, "Creating Process ID"), getpid());
	assert_int_equal(now_in(source, child, "Thread Count"), 1);
	assert_true(now_in(source, child, "Handle Count") >= 3);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(now_in(source, child, "ID Process"), -1);
	pmon_source_close(source);
	pmon_select_free(select);
}

// Time since the machine was started, sleep included: clock_gettime(2), CLOCK_BOOTTIME.
static int64_t
since_boot_100ns(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_BOOTTIME, &now), 0);
	return (int64_t)now.tv_sec * PMON_TIME_PER_SEC + now.tv_nsec / 100;
}

// The start of a process on the performance clock, from a sample.
static int64_t
start_of(struct pmon_source *source, const struct pmon_sample *sample, int64_t id)
{
	const struct pmon_raw *age = find_raw(source, sample, "ID Process", id, "Elapsed Time");
	const struct pmon_raw *faults =
		find_raw(source, sample, "ID Process", id, "Page Faults/sec");

	assert_true(age != NULL && faults != NULL && age->second >= age->first);
	return faults->second - (age->second - age->first);
}

// Children that are started between two samples: none began before its fork by more than the tick that
// the kernel's number is cut to, none after it, and none before the sample before by more than that. So
// it is known that they began in the interval. Each sample has the same start.
static void
a_start_is_known_to_a_tick(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\ID Process",
					       "\\Process(*)\\Elapsed Time",
					       "\\Process(*)\\Page Faults/sec", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	const struct pmon_sample *sample;
	(void)state;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	for (unsigned i = 0; i < 20; i++) {
		int64_t before = since_boot_100ns();
		pid_t child = fork();
		int64_t after = since_boot_100ns();
		int64_t start;

		if (child == 0)
			wait_to_be_killed();
		assert_true(child > 0);
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		start = start_of(source, sample, child);
		assert_true(start > before - TICK && start <= after);
		assert_true(start % TICK == 0);
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_int_equal(start_of(source, sample, child), start);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		(void)usleep(3000);
	}
	pmon_source_close(source);
	pmon_select_free(select);
}

// Waits for a byte, writes 1,000 of them, and signals that it did.
static void
write_when_told(int in, int out)
{
	char bytes[1000] = {0};
	int null = open("/dev/null", O_WRONLY);

	while (read(in, bytes, 1) == 1)
		if (write(null, bytes, sizeof(bytes)) < 0 || write(out, bytes, 1) != 1)
			break;
	_exit(0);
}

// wchar counts what write() gave. The answer itself, of one byte, may be here before it is counted, and
// of the first one it is not known whether it was. valgrind writes a few bytes of its own.
static void
every_byte_is_seen(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	int64_t first = 0;
	int64_t written;
	char byte = 0;
	int to[2];
	int from[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	child = fork();
	if (child == 0) {
		close(to[1]);
		write_when_told(to[0], from[1]);
	}
	for (int i = 0; i < 5; i++) {
		assert_int_equal(write(to[1], &byte, 1), 1);
		assert_int_equal(read(from[0], &byte, 1), 1);
		for (int again = 0; again < 3; again++) {
			written = now_in(source, child, "IO Write Bytes/sec");
			first = first == 0 ? written : first;
			assert_in_range(written - first + 1, 1001 * i, 1001 * i + 500);
		}
	}
	close(to[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(to[0]);
	close(from[0]);
	close(from[1]);
	pmon_source_close(source);
	pmon_select_free(select);
}

static void
our_own_thread_is_there(void **state)
{
	static const char *const patterns[] = {"\\Thread(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source = open_here(&select, patterns);
	const struct pmon_sample *sample;

	(void)state;
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	assert_int_equal(raw_of(source, sample, "ID Thread", getpid(), "ID Process"), getpid());
	assert_int_equal(raw_of(source, sample, "ID Thread", getpid(), "Thread State"), 2);
	pmon_source_close(source);
	pmon_select_free(select);
}

// Become a plain user, who may not open the io of processes of root. A process that changed its user
// may not open its own either, until it says so.
static void
drop_root(void)
{
	const uid_t nobody = 65534;

	if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(nobody) != 0 ||
			       setuid(nobody) != 0 || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0))
		_exit(2);
}

// Is there a process whose io may not be read? The first one belongs to root, but in a container to
// a user.
static bool
may_not_read_all(void)
{
	char buf[512];
	int fd = open("/proc/1/io", O_RDONLY | O_CLOEXEC);
	bool is_denied = fd < 0 ? errno == EACCES : read(fd, buf, sizeof(buf)) < 0;

	if (fd >= 0)
		close(fd);
	return is_denied;
}

// 0: as it must be; 1: it is not; 2: this cannot be tested here.
static int
total_of_a_plain_user(void)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct pmon_select *select;
	struct pmon_source *source;
	const struct pmon_schema *schema;
	const struct pmon_sample *sample;
	bool has_own = false;
	bool has_times = false;

	drop_root();
	if (!may_not_read_all())
		return 2;
	source = open_here(&select, patterns);
	schema = pmon_source_schema(source);
	if (pmon_source_next(source, &sample, NULL) != PMON_OK)
		return 1;
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_path *path = &pmon_schema_at(schema, sample->series[i])->path;
		bool is_io = pmon_text_same(path->counter, PMON_SPAN("IO Read Bytes/sec"));

		if (!pmon_text_same(path->instance, PMON_SPAN("_Total")))
			has_own = has_own || is_io;
		else if (is_io)
			return 1;
		has_times = has_times || pmon_text_same(path->counter, PMON_SPAN("% User Time"));
	}
	return has_own && has_times ? 0 : 1;
}

static void
a_plain_user_lacks_the_total_of_others(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (child == 0)
		_exit(total_of_a_plain_user());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static size_t
open_files(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

// Half of the files that may be open are left to others; the rest is opened and closed, and nothing
// is missing for it.
static void
files_are_left_to_others(void **state)
{
	static const char *const patterns[] = {"\\Process(*)\\*", NULL};
	struct rlimit before;
	struct rlimit few;
	struct pmon_select *select;
	struct pmon_source *source;
	size_t open_before = open_files();

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 40;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	source = open_here(&select, patterns);
	for (int i = 0; i < 3; i++)
		assert_true(now_in(source, getpid(), "IO Read Bytes/sec") > 0);
	assert_true(now_in(source, getpid(), "Handle Count") >= 3);
	assert_true(open_files() <= open_before + 20 + 4); // root, /proc and the tables' files
	pmon_source_close(source);
	assert_int_equal(open_files(), open_before);
	pmon_select_free(select);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_time_equals_getrusage),
		cmocka_unit_test(a_child_comes_and_goes),
		cmocka_unit_test(a_start_is_known_to_a_tick),
		cmocka_unit_test(every_byte_is_seen),
		cmocka_unit_test(our_own_thread_is_there),
		cmocka_unit_test(a_plain_user_lacks_the_total_of_others),
		cmocka_unit_test(files_are_left_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
