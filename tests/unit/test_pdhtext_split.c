// test_pdhtext_split.c - text logs in parts, and where they do not fit together
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "model/source.h"
#include "write_fault.h"

#define MOST 4

struct parts {
	struct pmon_source *list[MOST];
	size_t n;
	size_t n_samples;
};

static enum pmon_status
split(struct table *t, uint64_t part_bytes, size_t most, struct parts *parts)
{
	*parts = (struct parts){.n = most};
	return t->source->split->split(t->source, part_bytes, parts->list, &parts->n, &t->err);
}

// Read the parts to their ends and join them.
static enum pmon_status
read_parts(struct table *t, struct parts *parts)
{
	const struct pmon_sample *sample;

	for (size_t i = 0; i < parts->n; i++) {
		enum pmon_status status;

		while ((status = pmon_source_next(parts->list[i], &sample, &t->err)) == PMON_OK)
			parts->n_samples++;
		if (status != PMON_END)
			return status;
	}
	return t->source->split->join(t->source, parts->list, parts->n, NULL, &t->err);
}

static void
close_parts(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		pmon_source_close(parts->list[i]);
}

// ---- How many parts -------------------------------------------------------------------------

#define N_ROWS 60

// Rows of one second each, from a minute on.
static size_t
build(char *text, size_t size)
{
	size_t len = (size_t)snprintf(text, size, HEAD "," A "\n");

	for (int i = 0; i < N_ROWS; i++)
		len += (size_t)snprintf(text + len, size - len,
					"\"07/23/2026 06:04:%02d.000\",\"%02d\"\n", i, i);
	return len;
}

static void
as_many_parts_as_are_worth_it(void **state)
{
	static const struct {
		uint64_t in; // of the bytes of all rows a part has one in so many
		size_t most;
		size_t want;
	} cases[] = {{1, 4, 0}, {2, 4, 2}, {3, 4, 3}, {4, 4, 4}, {9, 4, 4}, {9, 2, 2}};
	char text[4096];
	size_t len = build(text, sizeof(text));
	size_t rows = len - strlen(HEAD "," A "\n");

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		struct parts parts;
		struct table t;

		open_bytes(&t, text, len, NULL);
		assert_int_equal(split(&t, rows / cases[i].in, cases[i].most, &parts), PMON_OK);
		T_EQ_U64(parts.n, cases[i].want);
		if (parts.n > 0) {
			assert_int_equal(read_parts(&t, &parts), PMON_OK);
			T_EQ_U64(parts.n_samples, N_ROWS);
		}
		close_parts(&parts);
		close_table(&t);
	}
}

// A source of which a part was read already, or failed to be, reads the rest in one part.
static void
a_source_that_was_read_has_no_parts(void **state)
{
	static const char late[] = HEAD "," A CRLF HEAD "," A "," B CRLF T0 ",\"1\",\"2\"" CRLF;
	struct pmon_log_options options = {.size = sizeof(options), .limits.series = 1};
	const struct pmon_sample *sample;
	char text[4096];
	size_t len = build(text, sizeof(text));
	struct parts parts;
	struct table t;

	(void)state;
	open_bytes(&t, text, len, NULL);
	assert_int_equal(pmon_source_next(t.source, &sample, NULL), PMON_OK);
	assert_int_equal(split(&t, 1, MOST, &parts), PMON_OK);
	T_EQ_U64(parts.n, 0);
	close_table(&t);
	open_bytes(&t, late, sizeof(late) - 1, &options);
	assert_int_equal(pmon_source_next(t.source, &sample, NULL), PMON_E_LIMIT);
	assert_int_equal(split(&t, 1, MOST, &parts), PMON_OK);
	T_EQ_U64(parts.n, 0);
	close_table(&t);
}

// ---- Files that several threads cannot read, or that become others --------------------------

static enum pmon_status
read_memory(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	    struct pmon_err *err)
{
	const char *text = ctx;
	size_t left = offset < strlen(text) ? strlen(text) - (size_t)offset : 0;

	(void)err;
	*got_out = len < left ? len : left;
	memcpy(buf, text + offset, *got_out);
	return PMON_OK;
}

static void
files_that_threads_cannot_share(void **state)
{
	static const struct pmon_file_ops ops = {read_memory, NULL};
	char text[4096];
	size_t len = build(text, sizeof(text));
	struct pmon_file *file;
	struct parts parts;
	struct table t = {.n_rows = 0};

	(void)state;
	assert_int_equal(pmon_file_custom(&ops, text, len, NULL, &file, NULL), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &t.source, NULL), PMON_OK);
	assert_int_equal(split(&t, 1, MOST, &parts), PMON_OK);
	T_EQ_U64(parts.n, 0);
	close_table(&t);
}

// The descriptor by which this program has a file open.
static int
find_descriptor(const char *path)
{
	struct stat want;
	struct stat st;

	assert_int_equal(stat(path, &want), 0);
	for (int fd = 3; fd < 100; fd++)
		if (fstat(fd, &st) == 0 && st.st_dev == want.st_dev && st.st_ino == want.st_ino)
			return fd;
	fail_msg("%s is not open", path);
	return -1;
}

// Between opening and splitting the file becomes shorter, or can be read no more.
static void
files_that_change(void **state)
{
	const char *path = in_folder("log.csv");
	char text[4096];
	size_t len = build(text, sizeof(text));
	struct parts parts;
	struct table t = {.n_rows = 0};
	int closed;

	(void)state;
	for (int is_gone = 0; is_gone < 2; is_gone++) {
		t_write_file(path, text, len);
		assert_int_equal(pmon_log_open(path, NULL, &t.source, NULL), PMON_OK);
		if (is_gone) {
			closed = open("/dev/null", O_WRONLY);
			assert_true(closed >= 0);
			assert_true(dup2(closed, find_descriptor(path)) >= 0);
			assert_int_equal(close(closed), 0);
			assert_int_equal(split(&t, 1, MOST, &parts), PMON_E_IO);
			T_EQ_U64(parts.n, 0);
		} else {
			assert_int_equal(truncate(path, 100), 0);
			assert_int_equal(split(&t, 1, MOST, &parts), PMON_OK);
			(void)read_parts(&t, &parts);
			assert_in_range(parts.n_samples, 0, 2);
			close_parts(&parts);
		}
		close_table(&t);
		assert_int_equal(unlink(path), 0);
	}
}

// ---- Clocks ---------------------------------------------------------------------------------

// A night in which clocks are set back. Times are of two parts of the same length.
static const struct night {
	const char *label;
	const char *times[2][3];
	enum pmon_status status; // of reading the parts and joining them
} nights[] = {
	{"one after the other",
	 {{"10/25/2026 01:00:00.000", "10/25/2026 01:05:00.000", "10/25/2026 01:10:00.000"},
	  {"10/25/2026 01:15:00.000", "10/25/2026 01:20:00.000", "10/25/2026 01:25:00.000"}},
	 PMON_OK},
	{"set back between the parts",
	 {{"10/25/2026 02:45:00.000", "10/25/2026 02:50:00.000", "10/25/2026 02:55:00.000"},
	  {"10/25/2026 02:00:00.000", "10/25/2026 02:05:00.000", "10/25/2026 02:10:00.000"}},
	 PMON_E_STATE},
	{"set back after the first line of a part",
	 {{"10/25/2026 02:40:00.000", "10/25/2026 02:45:00.000", "10/25/2026 02:50:00.000"},
	  {"10/25/2026 02:55:00.000", "10/25/2026 02:00:00.000", "10/25/2026 02:05:00.000"}},
	 PMON_E_STATE},
	{"set forward after the first line of a part",
	 {{"03/29/2026 01:40:00.000", "03/29/2026 01:45:00.000", "03/29/2026 01:50:00.000"},
	  {"03/29/2026 01:55:00.000", "03/29/2026 03:00:00.000", "03/29/2026 03:05:00.000"}},
	 PMON_E_STATE},
	{"hours apart",
	 {{"10/25/2026 01:00:00.000", "10/25/2026 01:05:00.000", "10/25/2026 01:10:00.000"},
	  {"10/25/2026 01:15:00.000", "10/25/2026 09:15:00.000", "10/25/2026 09:20:00.000"}},
	 PMON_E_STATE},
	{"with offsets of their own",
	 {{"2026-10-25T02:40:00.00Z", "2026-10-25T02:45:00.00Z", "2026-10-25T02:50:00.00Z"},
	  {"2026-10-25T02:55:00.00Z", "2026-10-25T02:00:00.00Z", "2026-10-25T02:05:00.00Z"}},
	 PMON_OK},
	{"with offsets in one part",
	 {{"2026-10-25T02:40:00.00Z", "2026-10-25T02:45:00.00Z", "2026-10-25T02:50:00.00Z"},
	  {"10/25/2026 02:55:00.000", "10/25/2026 02:00:00.000", "10/25/2026 02:05:00.000"}},
	 PMON_E_STATE},
};

// Joined parts give the same as a single reading: six samples, and no notice about the clock.
static void
clocks_that_may_have_changed(void **state)
{
	char text[1024];

	(void)state;
	for (size_t i = 0; i < T_LEN(nights); i++) {
		const struct night *night = &nights[i];
		size_t len = (size_t)snprintf(text, sizeof(text), HEAD "," A "\n");
		struct parts parts;
		struct table t;

		for (size_t k = 0; k < 6; k++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "\"%s\",\"1\"\n",
						night->times[k / 3][k % 3]);
		open_bytes(&t, text, len, NULL);
		assert_int_equal(t.status, PMON_OK);
		assert_int_equal(split(&t, 1, 2, &parts), PMON_OK);
		T_EQ_U64_AT(parts.n, 2, night->label);
		T_EQ_I64_AT(read_parts(&t, &parts), night->status, night->label);
		if (night->status == PMON_OK)
			T_EQ_U64_AT(parts.n_samples, 6, night->label);
		close_parts(&parts);
		close_table(&t);
		read_bytes(&t, text, len, NULL);
		if (strstr(t.notices, "by an hour") != NULL)
			T_EQ_I64_AT(night->status, PMON_E_STATE, night->label);
		close_table(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_parts_as_are_worth_it),
		cmocka_unit_test(a_source_that_was_read_has_no_parts),
		cmocka_unit_test(files_that_threads_cannot_share),
		cmocka_unit_test(files_that_change),
		cmocka_unit_test(clocks_that_may_have_changed),
	};

	return cmocka_run_group_tests_name("parts", tests, folder_make, folder_remove);
}
