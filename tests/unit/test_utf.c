// test_utf.c - UTF-16 to UTF-8, code points, case folding
// SPDX-License-Identifier: MIT

#include "t.h"

#include "base/utf.h"
#include <pmon/path.h>

// ---- UTF-16 to UTF-8 ------------------------------------------------------------------------

static const struct {
	const char *label;
	uint8_t utf16[12];
	size_t len;
	const char *utf8;
} conversions[] = {
	// Encoded forms as in the Unicode standard, table 3-4 and 3-5.
	{"nothing", {0}, 0, ""},
	{"U+004D", {0x4D, 0x00}, 2, "\x4D"},
	{"U+007F U+0080", {0x7F, 0x00, 0x80, 0x00}, 4, "\x7F\xC2\x80"},
	{"U+0430", {0x30, 0x04}, 2, "\xD0\xB0"},
	{"U+07FF U+0800", {0xFF, 0x07, 0x00, 0x08}, 4, "\xDF\xBF\xE0\xA0\x80"},
	{"U+4E8C", {0x8C, 0x4E}, 2, "\xE4\xBA\x8C"},
	{"U+D7FF U+E000", {0xFF, 0xD7, 0x00, 0xE0}, 4, "\xED\x9F\xBF\xEE\x80\x80"},
	{"U+10302", {0x00, 0xD8, 0x02, 0xDF}, 4, "\xF0\x90\x8C\x82"},
	{"U+10FFFF", {0xFF, 0xDB, 0xFF, 0xDF}, 4, "\xF4\x8F\xBF\xBF"},
	// Lone surrogates become U+FFFD, EF BF BD.
	{"high at the end", {0x41, 0x00, 0x00, 0xD8}, 4, "A\xEF\xBF\xBD"},
	{"high before a letter",
	 {0x00, 0xD8, 0x41, 0x00},
	 4,
	 "\xEF\xBF\xBD"
	 "A"},
	{"low alone", {0x00, 0xDC}, 2, "\xEF\xBF\xBD"},
	{"low before high", {0x00, 0xDC, 0x00, 0xD8}, 4, "\xEF\xBF\xBD\xEF\xBF\xBD"},
	{"high, then a pair",
	 {0x00, 0xD8, 0x00, 0xD8, 0x02, 0xDF},
	 6,
	 "\xEF\xBF\xBD\xF0\x90\x8C\x82"},
	{"half a unit at the end", {0x41, 0x00, 0x42}, 3, "A"},
	{"half of the low surrogate", {0x00, 0xD8, 0x02}, 3, "\xEF\xBF\xBD"},
};

static void
utf16_becomes_utf8(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(conversions); i++) {
		char out[32];
		size_t n = pmon_utf16_to_utf8(conversions[i].utf16, conversions[i].len, out);

		assert_true(n <= pmon_utf16_bound(conversions[i].len));
		T_EQ_SPAN_AT(((struct pmon_span){out, n}), conversions[i].utf8,
			     conversions[i].label);
	}
}

static void
nuls_are_converted_like_any_character(void **state)
{
	static const uint8_t utf16[] = {'a', 0, 0, 0, 'b', 0};
	char out[9];

	(void)state;
	T_EQ_U64(pmon_utf16_to_utf8(utf16, sizeof(utf16), out), 3);
	assert_memory_equal(out, "a\0b", 3);
}

// Every code point, encoded here by the definition of UTF-16, survives the round trip through UTF-8.
static void
every_code_point_survives(void **state)
{
	(void)state;
	for (uint32_t c = 0; c <= 0x10FFFF; c++) {
		uint32_t unit[2] = {c, 0};
		uint8_t utf16[4];
		char utf8[6];
		struct pmon_span text = {utf8, 0};
		size_t pos = 0;

		if (c >= 0xD800 && c <= 0xDFFF)
			continue;
		if (c >= 0x10000) {
			unit[0] = 0xD800 + (c - 0x10000) / 0x400;
			unit[1] = 0xDC00 + (c - 0x10000) % 0x400;
		}
		for (size_t i = 0; i < 4; i++)
			utf16[i] = (uint8_t)(unit[i / 2] >> i % 2 * 8);
		text.len = pmon_utf16_to_utf8(utf16, c < 0x10000 ? 2 : 4, utf8);
		assert_true(pmon_utf8_valid(text));
		if (pmon_utf8_next(text, &pos) != c || pos != text.len)
			fail_msg("U+%04X", c);
	}
}

static void
length_of_utf16_ends_at_the_nul(void **state)
{
	static const uint8_t utf16[] = {'a', 0, 0, 1, 0, 0, 'b', 0, 0};
	size_t len = 99;

	(void)state;
	assert_true(pmon_utf16_length(utf16, sizeof(utf16), &len));
	T_EQ_U64(len, 4); // 61 00 00 01 has two zero bytes in a row, but no zero unit
	assert_true(pmon_utf16_length(utf16 + 4, 2, &len));
	T_EQ_U64(len, 0);
	assert_false(pmon_utf16_length(utf16, 4, &len));
	T_EQ_U64(len, 0);
	assert_false(pmon_utf16_length(utf16, 5, &len)); // only half of the NUL
	assert_false(pmon_utf16_length(utf16, 0, &len));
}

// ---- Code points ----------------------------------------------------------------------------

static const struct {
	const char *label;
	const char *text;
	uint32_t first;
	size_t behind;
} starts[] = {
	{"ASCII", "a", 'a', 1},
	{"two bytes", "\xD0\xB0", 0x430, 2},
	{"three bytes", "\xE4\xBA\x8C", 0x4E8C, 3},
	{"four bytes", "\xF0\x90\x8C\x82", 0x10302, 4},
	{"the last code point", "\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
	// Not UTF-8 by table 3-7 of the Unicode standard.
	{"a continuation alone", "\x80", 0xDC80, 1},
	{"FF", "\xFF", 0xDCFF, 1},
	{"overlong C0", "\xC0\x80", 0xDCC0, 1},
	{"overlong C1", "\xC1\xBF", 0xDCC1, 1},
	{"overlong in three", "\xE0\x9F\xBF", 0xDCE0, 1},
	{"overlong in four", "\xF0\x8F\xBF\xBF", 0xDCF0, 1},
	{"a surrogate", "\xED\xA0\x80", 0xDCED, 1},
	{"the last surrogate", "\xED\xBF\xBF", 0xDCED, 1},
	{"above U+10FFFF", "\xF4\x90\x80\x80", 0xDCF4, 1},
	{"F5", "\xF5\x80\x80\x80", 0xDCF5, 1},
	{"cut after one of two", "\xD0", 0xDCD0, 1},
	{"cut after two of three", "\xE4\xBA", 0xDCE4, 1},
	{"cut after three of four", "\xF0\x90\x8C", 0xDCF0, 1},
	{"a letter for a continuation",
	 "\xE4\xBA"
	 "a",
	 0xDCE4, 1},
	{"a lead for a continuation", "\xD0\xD0", 0xDCD0, 1},
};

static void
code_points_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(starts); i++) {
		size_t pos = 0;
		bool is_text = starts[i].first < 0xDC00 || starts[i].first > 0xDFFF;

		T_EQ_U64_AT(pmon_utf8_next(t_span(starts[i].text), &pos), starts[i].first,
			    starts[i].label);
		T_EQ_U64_AT(pos, starts[i].behind, starts[i].label);
		T_EQ_BOOL_AT(pmon_utf8_valid(t_span(starts[i].text)), is_text, starts[i].label);
	}
}

static void
any_bytes_can_be_walked(void **state)
{
	struct t_rand r = {1};

	(void)state;
	for (int turn = 0; turn < 20000; turn++) {
		char bytes[16];
		struct pmon_span text = {bytes, t_rand_below(&r, sizeof(bytes) + 1)};
		size_t pos = 0;

		for (size_t i = 0; i < text.len; i++)
			bytes[i] = (char)t_rand_u64(&r);
		while (pos < text.len) {
			size_t before = pos;
			uint32_t c = pmon_utf8_next(text, &pos);

			assert_true(pos > before && pos <= text.len && pos - before <= 4);
			assert_true(c <= 0x10FFFF);
		}
	}
}

static void
no_text_is_valid(void **state)
{
	(void)state;
	assert_true(pmon_utf8_valid((struct pmon_span){NULL, 0}));
	assert_true(pmon_utf8_valid(t_span("")));
}

// ---- Case folding ---------------------------------------------------------------------------

static const struct {
	uint32_t c;
	uint32_t folded;
	const char *source; // the line of CaseFolding.txt 14.0.0, or why there is none
} folds[] = {
	{'A', 'a', "0041; C"},
	{'Z', 'z', "005A; C"},
	{'@', '@', "none"},
	{'[', '[', "none"},
	{'a', 'a', "none"},
	{0xB5, 0x3BC, "00B5; C; MICRO SIGN"},
	{0xC4, 0xE4, "00C4; C"},
	{0xD7, 0xD7, "none: MULTIPLICATION SIGN"},
	{0xDF, 0xDF, "00DF; F only"},
	{0x130, 0x130, "0130; F and T only"},
	{0x178, 0xFF, "0178; C"},
	{0x17F, 's', "017F; C; LONG S"},
	{0x3A3, 0x3C3, "03A3; C; SIGMA"},
	{0x3C2, 0x3C3, "03C2; C; FINAL SIGMA"},
	{0x41F, 0x43F, "041F; C; CYRILLIC PE"},
	{0x13A0, 0x13A0, "none: CHEROKEE A is what its small letter folds to"},
	{0xAB70, 0x13A0, "AB70; C"},
	{0x1E9E, 0xDF, "1E9E; S"},
	{0x1F88, 0x1F80, "1F88; S"},
	{0x1FBC, 0x1FB3, "1FBC; S"},
	{0x2126, 0x3C9, "2126; C; OHM SIGN"},
	{0x212A, 'k', "212A; C; KELVIN SIGN"},
	{0xFB00, 0xFB00, "FB00; F only"},
	{0xFF21, 0xFF41, "FF21; C; FULLWIDTH A"},
	{0x10400, 0x10428, "10400; C"},
	{0xDCC4, 0xDCC4, "no character: a stray byte"},
	{0x110000, 0x110000, "no code point"},
	{0xFFFFFFFF, 0xFFFFFFFF, "no code point"},
};

static void
letters_fold(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(folds); i++)
		T_EQ_U64_AT(pmon_utf_fold(folds[i].c), folds[i].folded, folds[i].source);
}

// Like strcasecmp() of POSIX, over letters beyond ASCII too: by the first letters that differ, else by length.
static void
texts_are_compared_after_folding(void **state)
{
	(void)state;
	assert_int_equal(
		pmon_utf_compare_folded(PMON_SPAN("Gr\u00F6\u00DFe"), PMON_SPAN("gR\u00D6\u1E9EE")),
		0);
	assert_true(pmon_utf_compare_folded(PMON_SPAN("a"), PMON_SPAN("B")) < 0);
	assert_true(pmon_utf_compare_folded(PMON_SPAN("C"), PMON_SPAN("b")) > 0);
	assert_true(pmon_utf_compare_folded(PMON_SPAN("ab"), PMON_SPAN("ABC")) < 0);
	assert_true(pmon_utf_compare_folded(PMON_SPAN("ABC"), PMON_SPAN("ab")) > 0);
	assert_int_equal(pmon_utf_compare_folded(PMON_SPAN(""), PMON_SPAN("")), 0);
}

// The count and the sum come from another implementation, Perl 5.36's Unicode::UCD of Unicode
// 14.0.0: over all code points of all_casefolds() those with a field "simple" other than themselves,
// and sum = sum * 31 + folded in 32 bits.
static void
all_of_unicode_folds_as_elsewhere(void **state)
{
	uint32_t sum = 0;
	uint32_t count = 0;

	(void)state;
	for (uint32_t c = 0; c <= 0x10FFFF; c++) {
		uint32_t folded = pmon_utf_fold(c);

		count += folded != c;
		sum = sum * 31 + folded;
		if (pmon_utf_fold(folded) != folded)
			fail_msg("U+%04X folds to U+%04X, which folds on", c, folded);
	}
	T_EQ_U64(count, 1454);
	T_EQ_U64(sum, 0xE5856AEB);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf16_becomes_utf8),
		cmocka_unit_test(nuls_are_converted_like_any_character),
		cmocka_unit_test(every_code_point_survives),
		cmocka_unit_test(length_of_utf16_ends_at_the_nul),
		cmocka_unit_test(code_points_are_read),
		cmocka_unit_test(any_bytes_can_be_walked),
		cmocka_unit_test(no_text_is_valid),
		cmocka_unit_test(letters_fold),
		cmocka_unit_test(texts_are_compared_after_folding),
		cmocka_unit_test(all_of_unicode_folds_as_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
