// write_limit.c - a full disk, and a writer that is killed; only on POSIX systems
// SPDX-License-Identifier: MIT

#include "write_limit.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "t.h"

void
limit_files(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

struct half {
	make_source_fn make;
	const char *format;
	const char *path;
	size_t disk_bytes;
};

static int
write_to_full_disk(const struct half *h)
{
	struct pmon_err err;

	(void)signal(SIGXFSZ, SIG_IGN);
	limit_files(h->disk_bytes);
	if (write_source(h->make(), h->path, h->format, NULL, &err) != PMON_E_IO)
		return 1;
	return strncmp(err.msg, "cannot write ", 13) == 0 && strstr(err.msg, h->path) != NULL ? 0
											      : 3;
}

static int
write_and_die(const struct half *h)
{
	struct pmon_source *source = h->make();
	const struct pmon_sample *sample;
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(h->path, h->format, NULL, &sink, &err) != PMON_OK ||
	    pmon_sink_begin(sink, pmon_source_schema(source), pmon_source_info(source), &err) !=
		    PMON_OK)
		return 1;
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		struct pmon_value values[16] = {{0}};

		assert_true(sample->n <= T_LEN(values));
		if (pmon_sink_add(sink, sample, values, &err) != PMON_OK)
			return 2;
	}
	return 0;
}

// Run in a separate process, which is killed even on success, so that memory checkers report
// nothing.
static void
act_in_child(int (*act)(const struct half *h), const struct half *h)
{
	int how = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		int code = act(h);

		if (code == 0)
			(void)raise(SIGKILL);
		_exit(code);
	}
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_int_equal(how, SIGKILL);
	assert_int_equal(access(h->path, F_OK), -1);
}

void
half_a_file_is_not_seen(make_source_fn make, const char *format, size_t disk_bytes)
{
	const struct half h = {make, format, in_folder("half"), disk_bytes};
	char temp[128];

	act_in_child(write_to_full_disk, &h);
	assert_int_equal(folder_count(), 0);
	act_in_child(write_and_die, &h);
	// the file that the killed process left has another name
	assert_true(folder_find(".tmp", temp, sizeof(temp)));
	assert_int_equal(unlink(temp), 0);
}
