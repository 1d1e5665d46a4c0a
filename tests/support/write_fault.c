// write_fault.c - write failures in logs of every format
// SPDX-License-Identifier: MIT

#include "write_fault.h"

#include <stdlib.h>
#include <unistd.h>

#include "folder.h"
#include "t.h"

const char *
in_folder(const char *name)
{
	static char paths[8][128];
	static unsigned n;
	char *path = paths[n++ % T_LEN(paths)];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

enum pmon_status
write_source(struct pmon_source *source, const char *path, const char *format,
	     const struct pmon_create_options *options, struct pmon_err *err)
{
	struct pmon_sink *sink = NULL;
	enum pmon_status status = pmon_log_create(path, format, options, &sink, err);

	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, err);
	pmon_sink_close(sink);
	pmon_source_close(source);
	return status;
}

void
write_over(struct pmon_source *source, const char *path, const char *format)
{
	const struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_err err;

	if (write_source(source, path, format, &options, &err) != PMON_OK)
		fail_msg("%s: %s", path, err.msg);
}

static void
expect_text(struct pmon_source *source, const char *format, const char *cut, const char *go_on,
	    const char *want)
{
	const char *path = in_folder("text");
	char *begin;
	size_t len;
	char *text;

	write_over(source, path, format);
	text = t_read_file(path, &len);
	assert_non_null(text);
	begin = cut != NULL ? strstr(text, cut) : NULL;
	if (begin != NULL) {
		const char *end = strstr(begin, go_on);

		memmove(begin, end != NULL ? end : "", end != NULL ? strlen(end) + 1 : 1);
	}
	T_EQ_STR(text, want);
	free(text);
	assert_int_equal(unlink(path), 0);
}

void
expect_written(struct pmon_source *source, const char *format, const char *want)
{
	expect_text(source, format, NULL, NULL, want);
}

void
expect_written_without(struct pmon_source *source, const char *format, const char *cut,
		       const char *go_on, const char *want)
{
	expect_text(source, format, cut, go_on, want);
}

void
each_allocation_of_writing_fails(make_source_fn make, const char *format)
{
	const char *path = in_folder("short");
	bool is_done = false;

	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_create_options options = {.size = sizeof(options),
						      .allocator = &allocator};
		struct pmon_err err;
		enum pmon_status status = write_source(make(), path, format, &options, &err);

		is_done = t_memory_sufficed(&memory);
		assert_int_equal(status, is_done ? PMON_OK : PMON_E_NOMEM);
		assert_int_equal(memory.live_blocks, 0);
		assert_int_equal(folder_count(), is_done);
	}
	assert_int_equal(unlink(path), 0);
}
