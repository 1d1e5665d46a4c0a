// test_pdhtext_encoding.c - text logs in encodings: long ones, dense ones, and systems that know few of them
// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // RTLD_NEXT

#include "test_pdhtext.h"

#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>

#include "format/pdhtext/pdhtext.h"

// ---- A system that knows few encodings --------------------------------------------------------

static int why_not; // what iconv_open() fails with; 0: it does not

// Found before that of the C library.
iconv_t
iconv_open(const char *to, const char *from)
{
	iconv_t (*next)(const char *, const char *);

	if (why_not != 0) {
		errno = why_not;
		return (iconv_t)-1;
	}
	*(void **)&next = dlsym(RTLD_NEXT, "iconv_open");
	return next(to, from);
}

// Text that is not UTF-8 is then read unchanged, and that is reported.
static void
a_code_page_that_the_system_lacks(void **state)
{
	static const char text[] = HEAD ",\"\\\\S\\M\xE9moire\\C\"" CRLF T0 ",\"1\"" CRLF;
	struct table t;

	(void)state;
	why_not = EINVAL;
	open_bytes(&t, text, sizeof(text) - 1, NULL);
	why_not = 0;
	assert_int_equal(t.status, PMON_OK);
	HAS_NOTICE(&t, "not UTF-8, and this system cannot convert CP1252");
	T_EQ_SPAN(series_of(&t, 0)->path.object, "M\xEF\xBF\xBDmoire");
	read_rest(&t);
	T_EQ_DBL(t.cell[0][0], 1);
	close_table(&t);
	why_not = ENOMEM;
	open_bytes(&t, text, sizeof(text) - 1, NULL);
	why_not = 0;
	assert_int_equal(t.status, PMON_E_NOMEM);
}

// ---- Characters on the border of what is converted at a time ----------------------------------

static const struct border {
	const char *label;
	const char *encoding; // NULL: found by the byte order mark
	const char *mark;
	size_t unit; // bytes of an ASCII character ...
	size_t at;   // ... and which of them it is
	const char *bytes;
	size_t len;
	const char *utf8;
} borders[] = {
	{"UTF-16LE", NULL, "\xFF\xFE", 2, 0, "\x3D\xD8\x00\xDE", 4, "\xF0\x9F\x98\x80"},
	{"UTF-16BE", NULL, "\xFE\xFF", 2, 1, "\xD8\x3D\xDE\x00", 4, "\xF0\x9F\x98\x80"},
	{"Shift-JIS", "CP932", "", 1, 0, "\x83\x81", 2, "\xE3\x83\xA1"},
};

static size_t
put_ascii(const struct border *b, const char *text, char *out)
{
	size_t n = 0;

	for (; *text != '\0'; text++, n += b->unit) {
		memset(out + n, 0, b->unit);
		out[n + b->at] = *text;
	}
	return n;
}

// The character of the row is `place` bytes after the mark, in the name of an instance.
static void
check_border(const struct border *b, size_t place)
{
	static char bytes[4 * PDHT_RAW_BYTES];
	struct pmon_log_options options = {.size = sizeof(options), .encoding = b->encoding};
	size_t mark = strlen(b->mark);
	size_t len = mark;
	struct pmon_span name;
	struct table t;
	size_t from;

	memcpy(bytes, b->mark, mark);
	from = len += put_ascii(b, HEAD ",\"\\\\S\\O(", bytes + len);
	while (len < mark + place)
		len += put_ascii(b, "x", bytes + len);
	name.len = (len - from) / b->unit + strlen(b->utf8);
	memcpy(bytes + len, b->bytes, b->len);
	len += b->len;
	len += put_ascii(b, ")\\C\"\n" T0 ",\"7\"\n", bytes + len);
	read_bytes(&t, bytes, len, &options);
	name.ptr = series_of(&t, 0)->path.instance.ptr;
	T_EQ_U64_AT(series_of(&t, 0)->path.instance.len, name.len, b->label);
	T_EQ_SPAN_AT(((struct pmon_span){name.ptr + name.len - strlen(b->utf8), strlen(b->utf8)}),
		     b->utf8, b->label);
	T_EQ_U64_AT(t.n_rows, 1, b->label);
	T_EQ_DBL_AT(t.cell[0][0], 7, b->label);
	T_EQ_U64_AT(t.n_losses, 0, b->label);
	close_table(&t);
}

static void
characters_are_whole_across_the_border(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(borders); i++)
		for (size_t k = 0; k <= 4; k++)
			check_border(&borders[i], PDHT_RAW_BYTES + (k - 2) * borders[i].unit);
}

// ---- Characters that become many --------------------------------------------------------------

// In TSCII, 0x82 is a ligature, for which Unicode has four characters, 12 bytes in UTF-8; 0xFF is unassigned.
static void
characters_may_become_many(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .encoding = "TSCII"};
	size_t size = 4 * PDHT_RAW_BYTES;
	char *text = malloc(size);
	iconv_t known = iconv_open("UTF-8", "TSCII");
	size_t head = (size_t)snprintf(text, size, "%s\n%s,\"5\"\n", HEAD "," A, T0);
	struct table t;
	size_t len;

	(void)state;
	if (known == (iconv_t)-1) {
		free(text);
		skip();
	}
	assert_int_equal(iconv_close(known), 0);
	for (size_t n_bad = 0; n_bad <= 12; n_bad += 6) {
		len = head + 3 * PDHT_RAW_BYTES;
		memset(text + head, 0x82, len - head);
		memset(text + PDHT_RAW_BYTES / 4, 0xFF, n_bad);
		len += (size_t)snprintf(text + len, size - len, "\n%s,\"6\"\n", T1);
		read_bytes(&t, text, len, &options);
		HAS_NOTICE(&t, "1 line is not a sample and was skipped; line 3");
		T_EQ_U64(t.n_rows, 2);
		T_EQ_DBL(t.cell[0][0], 5);
		T_EQ_DBL(t.cell[1][0], 6);
		assert_true((strstr(t.notices, "bytes are invalid") != NULL) == (n_bad > 0));
		close_table(&t);
	}
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_page_that_the_system_lacks),
		cmocka_unit_test(characters_are_whole_across_the_border),
		cmocka_unit_test(characters_may_become_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
