// test_text.c - text in buffers of fixed size, and the words of errors
// SPDX-License-Identifier: MIT

#include "t.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/text.h"
#include "base/utf.h"

// ---- Text -----------------------------------------------------------------------------------

static void
pieces_are_put_together(void **state)
{
	char buf[128];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	(void)state;
	T_EQ_STR(pmon_text_get(&t), "");
	pmon_text_str(&t, "n=");
	pmon_text_i64(&t, -42);
	pmon_text_char(&t, ' ');
	pmon_text_span(&t, (struct pmon_span){"abcdef", 3});
	pmon_text_span(&t, (struct pmon_span){NULL, 0});
	pmon_text_str(&t, "");
	pmon_text_char(&t, ' ');
	pmon_text_double(&t, 0.15);
	pmon_text_char(&t, ' ');
	pmon_text_hex32(&t, 0x10410400);
	T_EQ_STR(pmon_text_get(&t), "n=-42 abc 0.15 0x10410400");
	T_EQ_U64(t.len, strlen(buf));
}

static void
whole_numbers(void **state)
{
	static const struct {
		int64_t i;
		const char *text;
	} rows[] = {
		{0, "0"},
		{-1, "-1"},
		{10, "10"},
		{INT64_MAX, "9223372036854775807"},
		{INT64_MIN, "-9223372036854775808"},
	};

	char buf[32];
	struct pmon_text t;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		t = pmon_text_init(buf, sizeof(buf));
		pmon_text_i64(&t, rows[i].i);
		T_EQ_STR(buf, rows[i].text);
	}
	t = pmon_text_init(buf, sizeof(buf));
	pmon_text_u64(&t, UINT64_MAX);
	T_EQ_STR(buf, "18446744073709551615");
	t = pmon_text_init(buf, sizeof(buf));
	pmon_text_hex32(&t, 0xABCD);
	pmon_text_hex32(&t, UINT32_MAX);
	T_EQ_STR(buf, "0x0000ABCD0xFFFFFFFF");
}

// Text that does not fit ends with "...", however it was added, if the buffer has room for that;
// len counts everything.
static void
text_is_cut_by_the_buffer(void **state)
{
	static const char whole[] = "one t\xC3\xA4 3";
	static const char *const cut[] = {"",      "o",      "on",      "...",      "o...",
					  "on...", "one...", "one ...", "one t...", whole};

	(void)state;
	T_EQ_U64(T_LEN(cut), sizeof(whole));
	for (size_t size = 1; size <= sizeof(whole); size++) {
		char *buf = malloc(size);
		struct pmon_text t = pmon_text_init(buf, size);

		assert_non_null(buf);
		pmon_text_str(&t, "one ");
		pmon_text_char(&t, 't');
		pmon_text_span(&t, (struct pmon_span){"\xC3\xA4 ", 3});
		pmon_text_u64(&t, 3);
		T_EQ_U64(t.len, strlen(whole));
		T_EQ_STR(buf, cut[size - 1]);
		free(buf);
	}
}

// A character that the ellipsis would split is omitted.
static void
a_cut_splits_no_character(void **state)
{
	char buf[8];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	(void)state;
	pmon_text_str(&t, "abc\xC3\xA4\xC3\xA4\xC3\xA4");
	T_EQ_STR(buf, "abc...");
	t = pmon_text_init(buf, 7);
	pmon_text_str(&t, "ab\xC3\xA4\xC3\xA4\xC3\xA4");
	T_EQ_STR(buf, "ab...");
}

static void
no_buffer_only_counts(void **state)
{
	struct pmon_text t = pmon_text_init(NULL, 0);

	(void)state;
	pmon_text_str(&t, "one ");
	pmon_text_double(&t, -0.5);
	T_EQ_U64(t.len, 8);
	T_EQ_STR(pmon_text_get(&t), "");
}

// ---- Errors ---------------------------------------------------------------------------------

static void
every_status_has_words(void **state)
{
	(void)state;
	for (int i = PMON_OK; i <= PMON_E_EXISTS; i++) {
		const char *text = pmon_status_text((enum pmon_status)i);

		assert_non_null(text);
		assert_string_not_equal(text, "unknown status");
		assert_true(text[0] != '\0' && text[strlen(text) - 1] != '.');
		for (int j = PMON_OK; j < i; j++)
			assert_string_not_equal(text, pmon_status_text((enum pmon_status)j));
	}
	T_EQ_STR(pmon_status_text((enum pmon_status)99), "unknown status");
}

static void
errors_are_filled(void **state)
{
	struct pmon_err err = {.sys = 7};

	(void)state;
	assert_int_equal(pmon_err_set(&err, PMON_E_FORMAT, 64, "record %d: %s", 7, "too short"),
			 PMON_E_FORMAT);
	assert_int_equal(err.status, PMON_E_FORMAT);
	assert_int_equal(err.sys, 0);
	T_EQ_U64(err.offset, 64);
	T_EQ_STR(err.msg, "record 7: too short");
	assert_int_equal(pmon_err_nomem(&err), PMON_E_NOMEM);
	T_EQ_STR(err.msg, "not enough memory");
	assert_int_equal(pmon_err_set(NULL, PMON_E_LIMIT, 1, "%d", 1), PMON_E_LIMIT);
	assert_int_equal(pmon_err_sys(NULL, PMON_E_IO, ENOENT, "%d", 1), PMON_E_IO);
	assert_int_equal(pmon_err_nomem(NULL), PMON_E_NOMEM);
}

static void
errors_of_the_system(void **state)
{
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_err_sys(&err, PMON_E_IO, EISDIR, "cannot read %s", "x"), PMON_E_IO);
	assert_int_equal(err.sys, EISDIR);
	T_EQ_U64(err.offset, 0);
	assert_memory_equal(err.msg, "cannot read x: ", 15);
	assert_true(strlen(err.msg) > 15);
#ifndef _WIN32 // which calls all numbers that it does not know "Unknown error"
	(void)pmon_err_sys(&err, PMON_E_IO, 987654, "x");
	assert_non_null(strstr(err.msg, "987654"));
#endif
}

// Names come from files and may contain anything; messages go to terminals.
static void
messages_are_printable(void **state)
{
	static const struct {
		const char *name;
		const char *msg;
	} rows[] = {
		{"a\n\x1B[31mb\x7F", "a??[31mb?"},
		{"\xC2\x80\xC2\x9B"
		 "31m\xC2\xA0",
		 "??31m\xC2\xA0"}, // C1 controls
		{"Процесс 😀", "Процесс 😀"},
		{"\xFF\xC4 \xE4\xBA", "?? ??"},
		{"\xED\xA0\x80", "???"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_err err;

		(void)pmon_err_set(&err, PMON_E_FORMAT, 0, "%s", rows[i].name);
		T_EQ_STR(err.msg, rows[i].msg);
	}
}

static void
long_messages_end_with_a_whole_character(void **state)
{
	static const char *const characters[] = {"a", "П", "二", "😀"};

	(void)state;
	for (size_t i = 0; i < T_LEN(characters); i++)
		for (size_t shift = 0; shift < 4; shift++) {
			size_t n = strlen(characters[i]);
			char name[1024] = "abc";
			struct pmon_err err;
			size_t len;

			for (size_t at = shift; at + n < sizeof(name); at += n)
				memcpy(name + at, characters[i], n + 1);
			(void)pmon_err_sys(&err, PMON_E_IO, ENOENT, "%s", name);
			len = strlen(err.msg);
			assert_true(len < sizeof(err.msg) && len + n >= sizeof(err.msg));
			assert_true(pmon_utf8_valid(t_span(err.msg)));
			assert_memory_equal(err.msg, name, len);
		}
}

static const char *
format(const struct pmon_allocator *allocator, char buf[8], const char *fmt, ...)
{
	const char *text;
	va_list args;

	va_start(args, fmt);
	text = pmon_text_format(allocator, buf, 8, fmt, args);
	va_end(args);
	return text;
}

// A text that does not fit into the buffer gets its own memory, or is cut off if there is none.
static void
long_texts_are_whole(void **state)
{
	struct t_memory memory = {0};
	struct pmon_allocator own = t_memory_allocator(&memory);
	char buf[8];
	const char *text = format(&own, buf, "%s", "1234567");

	(void)state;
	assert_ptr_equal(text, buf);
	assert_string_equal(text, "1234567");
	pmon_text_end(&own, buf, text);
	T_EQ_U64(memory.calls, 0);
	text = format(&own, buf, "%s %d", "1234567", 89);
	assert_string_equal(text, "1234567 89");
	T_EQ_U64(memory.live_blocks, 1);
	pmon_text_end(&own, buf, text);
	T_EQ_U64(memory.live_blocks, 0);
	memory.fail_at = memory.calls + 1;
	text = format(&own, buf, "%s %d", "1234567", 89);
	assert_string_equal(text, "1234567");
	pmon_text_end(&own, buf, text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_texts_are_whole),
		cmocka_unit_test(pieces_are_put_together),
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(text_is_cut_by_the_buffer),
		cmocka_unit_test(a_cut_splits_no_character),
		cmocka_unit_test(no_buffer_only_counts),
		cmocka_unit_test(every_status_has_words),
		cmocka_unit_test(errors_are_filled),
		cmocka_unit_test(errors_of_the_system),
		cmocka_unit_test(messages_are_printable),
		cmocka_unit_test(long_messages_end_with_a_whole_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
