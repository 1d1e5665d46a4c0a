// test_file.c - files by position: real ones, pipes, memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/file.h"

static void
expect_content(struct pmon_file *file, const char *want)
{
	size_t len = strlen(want);
	char buf[64];
	size_t got;

	T_EQ_U64(pmon_file_size(file), len);
	assert_int_equal(pmon_file_read(file, 0, buf, sizeof(buf), &got, NULL), PMON_OK);
	T_EQ_SPAN(((struct pmon_span){buf, got}), want);
	// in the middle, over the end, after the end
	assert_int_equal(pmon_file_read(file, 2, buf, 3, &got, NULL), PMON_OK);
	assert_true(got == 3 && memcmp(buf, want + 2, 3) == 0);
	assert_int_equal(pmon_file_read(file, len - 1, buf, 3, &got, NULL), PMON_OK);
	T_EQ_U64(got, 1);
	assert_int_equal(pmon_file_read(file, len, buf, 3, &got, NULL), PMON_OK);
	T_EQ_U64(got, 0);
	assert_int_equal(pmon_file_read(file, UINT64_MAX, buf, 3, &got, NULL), PMON_OK);
	T_EQ_U64(got, 0);
}

static void
memory_files(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_file *file;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_file_memory("some bytes", 10, &allocator, &file, &err), PMON_OK);
	expect_content(file, "some bytes");
	pmon_file_close(file);
	pmon_file_close(NULL);
	T_EQ_U64(memory.live_blocks, 0);
	memory.fail_at = memory.calls + 1;
	assert_int_equal(pmon_file_memory("", 0, &allocator, &file, &err), PMON_E_NOMEM);
	assert_null(file);
}

static int
temporary_file(char path[32])
{
	int fd;

	(void)snprintf(path, 32, "/tmp/pmon-test-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	return fd;
}

static void
real_files_by_name(void **state)
{
	struct pmon_file *file;
	struct pmon_err err;
	char path[32];
	int fd = temporary_file(path);

	(void)state;
	assert_int_equal(write(fd, "on the disk", 11), 11);
	(void)close(fd);
	assert_int_equal(pmon_file_open(path, NULL, &file, &err), PMON_OK);
	expect_content(file, "on the disk");
	pmon_file_close(file);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(pmon_file_open(path, NULL, &file, &err), PMON_E_NOTFOUND);
	assert_null(file);
	T_EQ_STR(err.msg, "no such file");
	T_EQ_I64(err.sys, ENOENT);
	assert_int_equal(pmon_file_open("/", NULL, &file, &err), PMON_E_IO);
	T_EQ_STR(err.msg, "is a directory");
	T_EQ_I64(err.sys, EISDIR);
}

// Run a reading of "-" with `fd` as standard input.
static void
expect_stdin(int fd, const char *want)
{
	int saved = dup(STDIN_FILENO);
	struct pmon_file *file;
	struct pmon_err err;

	assert_true(saved >= 0 && dup2(fd, STDIN_FILENO) >= 0);
	assert_int_equal(pmon_file_open("-", NULL, &file, &err), PMON_OK);
	expect_content(file, want);
	pmon_file_close(file);
	// Standard input is not ours to close.
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	assert_true(dup2(saved, STDIN_FILENO) >= 0);
	(void)close(saved);
}

static void
standard_input(void **state)
{
	char path[32];
	int fd = temporary_file(path);
	int ends[2];

	(void)state;
	(void)unlink(path);
	assert_int_equal(write(fd, "read before: a file", 19), 19);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	expect_stdin(fd, "read before: a file");
	// Bytes that were read before are not part of it.
	assert_int_equal(lseek(fd, 13, SEEK_SET), 13);
	expect_stdin(fd, "a file");
	(void)close(fd);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "through a pipe", 14), 14);
	(void)close(ends[1]);
	expect_stdin(ends[0], "through a pipe");
	(void)close(ends[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_files),
		cmocka_unit_test(real_files_by_name),
		cmocka_unit_test(standard_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
