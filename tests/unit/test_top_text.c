// test_top_text.c - prepare names for the cells of a terminal
// SPDX-License-Identifier: MIT
//
// Character widths are those of Unicode's EastAsianWidth.txt and of combining marks: U+65E5 is wide
// (2 cells), U+0301 a mark (0).

#include "t.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "verbs/top/text.h"

#define BAD "\xEF\xBF\xBD" // U+FFFD

static bool has_utf8; // a locale with UTF-8 is there

static const char *
fit(const char *text, size_t cells, enum top_charset charset)
{
	static char out[TOP_TEXT_SIZE];
	struct pmon_span span = {text, strlen(text)};
	size_t used = top_text_fit(span, cells, charset, out);

	assert_true(used <= cells);
	assert_int_equal(used, top_text_cells((struct pmon_span){out, strlen(out)}, charset));
	return out;
}

static void
need_utf8(void)
{
	if (!has_utf8)
		skip();
}

static void
plain(void **state)
{
	(void)state;
	assert_string_equal(fit("Processor(0)", 12, TOP_ASCII), "Processor(0)");
	assert_string_equal(fit("", 5, TOP_ASCII), "");
	assert_string_equal(fit("abc", 0, TOP_ASCII), "");
	// Cut in the middle: a third before the sign, the rest after it.
	assert_string_equal(fit("0123456789", 7, TOP_ASCII), "01~6789");
	assert_string_equal(fit("0123456789", 1, TOP_ASCII), "~");
	need_utf8();
	assert_string_equal(fit("0123456789", 7, TOP_UTF8), "01\xE2\x80\xA6"
							    "6789");
}

// A control character becomes one sign, and the rest of its sequence is plain text.
static void
controls(void **state)
{
	(void)state;
	assert_string_equal(fit("a\x1B[2Jb", 80, TOP_ASCII), "a?[2Jb");
	assert_string_equal(fit("a\r\n\t\x7F\x08", 80, TOP_ASCII), "a?????");
	assert_string_equal(fit("\xC2\x9B"
				"31m",
				80, TOP_ASCII),
			    "?31m"); // CSI of 8 bits
	need_utf8();
	assert_string_equal(fit("a\x1B[2Jb", 80, TOP_UTF8), "a" BAD "[2Jb");
	assert_string_equal(fit("\xC2\x9B"
				"31m",
				80, TOP_UTF8),
			    BAD "31m");
	// Bytes that are no UTF-8, one by one.
	assert_string_equal(fit("\xFF\xC3(\x80", 80, TOP_UTF8), BAD BAD "(" BAD);
	// Right-to-left override, isolates, marks, joiners, byte order mark, tags.
	assert_string_equal(fit("a\xE2\x80\xAE"
				"b",
				80, TOP_UTF8),
			    "a" BAD "b");
	assert_string_equal(fit("\xE2\x80\xAA\xE2\x81\xA6\xE2\x81\xA9", 80, TOP_UTF8), BAD BAD BAD);
	assert_string_equal(fit("\xE2\x80\x8E\xE2\x80\x8D\xEF\xBB\xBF", 80, TOP_UTF8), BAD BAD BAD);
	assert_string_equal(fit("\xF3\xA0\x81\x81", 80, TOP_UTF8), BAD);
}

static void
widths(void **state)
{
	static const char wide[] = "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"; // three, two cells each
	static const char marked[] = "e\xCC\x81";
	static const char group[] = "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81x";

	(void)state;
	need_utf8();
	assert_int_equal(top_text_cells((struct pmon_span){wide, 9}, TOP_UTF8), 6);
	assert_string_equal(fit(wide, 6, TOP_UTF8), wide);
	// A wide one that does not fit into the last cell leaves it free.
	assert_string_equal(fit(wide, 5, TOP_UTF8), "\xE2\x80\xA6\xE6\x9C\xAC\xE8\xAA\x9E");
	assert_string_equal(fit(wide, 4, TOP_UTF8), "\xE2\x80\xA6\xE8\xAA\x9E");
	assert_int_equal(top_text_cells((struct pmon_span){marked, 3}, TOP_UTF8), 1);
	assert_string_equal(fit(marked, 1, TOP_UTF8), marked);
	// At most two combining marks are kept; one without a base character is invalid.
	assert_string_equal(fit(group, 80, TOP_UTF8), "e\xCC\x81\xCC\x81x");
	assert_string_equal(fit("\xCC\x81", 80, TOP_UTF8), BAD);
	assert_string_equal(fit("\xC3\xA4", 80, TOP_ASCII), "?");
}

static void
long_text(void **state)
{
	static char text[70000];
	static char out[TOP_TEXT_SIZE];

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(top_text_fit((struct pmon_span){text, sizeof(text)}, 5000, TOP_ASCII, out),
			 TOP_TEXT_CELLS);
	assert_int_equal(strlen(out), TOP_TEXT_CELLS);
}

static void
paragraphs(void **state)
{
	static const char *const lines[] = {"one two", "three", "", "abcdefgh", "ijk"};
	struct pmon_span text = PMON_SPAN("one two three\n\nabcdefghijk\n");
	struct pmon_span line;
	size_t pos = 0;
	size_t n = 0;

	(void)state;
	while (top_text_line(text, 8, TOP_ASCII, &pos, &line)) {
		assert_in_range(n, 0, 4);
		assert_int_equal(line.len, strlen(lines[n]));
		assert_memory_equal(line.ptr, lines[n], line.len);
		n++;
	}
	assert_int_equal(n, 5);
}

static void
sparks(void **state)
{
	(void)state;
	assert_string_equal(top_spark((double)NAN, 0, 1, TOP_UTF8), " ");
	assert_string_equal(top_spark(0, 0, 100, TOP_UTF8), "\xE2\x96\x81");
	assert_string_equal(top_spark(50, 0, 100, TOP_UTF8), "\xE2\x96\x85");
	assert_string_equal(top_spark(100, 0, 100, TOP_UTF8), "\xE2\x96\x88");
	assert_string_equal(top_spark(0, 0, 0, TOP_UTF8), "\xE2\x96\x81");
	assert_string_equal(top_spark(0, 0, 100, TOP_ASCII), ".");
	assert_string_equal(top_spark(100, 0, 100, TOP_ASCII), "#");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),     cmocka_unit_test(controls),   cmocka_unit_test(widths),
		cmocka_unit_test(long_text), cmocka_unit_test(paragraphs), cmocka_unit_test(sparks),
	};

	has_utf8 = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
