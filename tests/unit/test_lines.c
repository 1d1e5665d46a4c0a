// test_lines.c - a text log as lines, compared with a split at each newline
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "format/lines.h"

#define MAX_LINE ((size_t)70000) // more than is read at once

// A file that returns only a few bytes at a time.
struct slow {
	const char *bytes;
	size_t len;
	size_t most;
};

static enum pmon_status
read_slowly(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	    struct pmon_err *err)
{
	const struct slow *slow = ctx;
	size_t n = slow->len - (size_t)offset;

	(void)err;
	n = n < len ? n : len;
	n = n < slow->most ? n : slow->most;
	memcpy(buf, slow->bytes + offset, n);
	*got_out = n;
	return PMON_OK;
}

static const struct pmon_file_ops slow_ops = {.read = read_slowly};

// The remaining lines of the text from `at` on.
static void
check_pass(struct pmon_lines *lines, const char *text, size_t len)
{
	struct pmon_line line;
	struct pmon_err err;
	size_t at = 0;

	while (pmon_lines_next(lines, &line, &err) == PMON_OK) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t n = newline != NULL ? (size_t)(newline - (text + at)) + 1 : len - at;

		T_EQ_U64(line.offset, at);
		T_EQ_U64(line.bytes, n);
		assert_int_equal(line.is_ended, newline != NULL);
		assert_int_equal(line.is_too_long, n > MAX_LINE);
		T_EQ_U64(line.len, n > MAX_LINE ? 0 : n);
		if (n <= MAX_LINE)
			assert_memory_equal(line.text, text + at, n);
		at += n;
	}
	T_EQ_U64(at, len);
}

static void
check(const char *text, size_t len)
{
	static const size_t at_once[] = {SIZE_MAX, 65536, 4099, 1};

	for (size_t i = 0; i < T_LEN(at_once); i++) {
		struct slow slow = {text, len, at_once[i]};
		struct pmon_lines lines = {.allocator = pmon_mem_allocator(NULL),
					   .max_bytes = MAX_LINE};
		struct pmon_err err;

		if (slow.most == 1 && len > 1000)
			continue;
		assert_int_equal(pmon_file_custom(&slow_ops, &slow, len, NULL, &lines.file, &err),
				 PMON_OK);
		check_pass(&lines, text, len);
		pmon_lines_rewind(&lines);
		check_pass(&lines, text, len);
		pmon_lines_free(&lines);
		pmon_file_close(lines.file);
	}
}

static void
short_lines(void **state)
{
	static const char *const texts[] = {"", "\n", "a", "a\n", "\n\n", "a\nb", "a\r\n\nbc\n"};

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++)
		check(texts[i], strlen(texts[i]));
	check("a\0b\n\0", 5);
}

// A line of about each length at which something changes, between two others, ended or not.
static void
long_lines(void **state)
{
	static const size_t lengths[] = {65530,    65535,        65536,  65537, MAX_LINE - 1,
					 MAX_LINE, MAX_LINE + 1, 131072, 300000};
	char *text = malloc(400000);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < T_LEN(lengths); i++) {
		size_t len = 0;

		memcpy(text, "first\n", 6);
		len = 6 + lengths[i];
		memset(text + 6, 'x', lengths[i]);
		check(text, len);
		text[len - 1] = '\n';
		check(text, len);
		memcpy(text + len, "last\n", 5);
		check(text, len + 5);
	}
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_lines),
		cmocka_unit_test(long_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
