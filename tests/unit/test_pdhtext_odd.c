// test_pdhtext_odd.c - text logs at the limits of what the reader accepts
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

#include "base/mem.h"

#include "format/pdhtext/pdhtext.h"

// ---- Headers --------------------------------------------------------------------------------

static void
vertical_bars_may_separate(void **state)
{
	struct table t;

	(void)state;
	read_text(&t,
		  "(PDH-CSV 4.0) (UTC)(0)|\\\\S\\O\\C|\\\\S\\O\\D\n01/31/2026 12:00:00.000|5|6\n");
	HAS_NOTICE(&t, "fields are separated by vertical bars, not by commas");
	T_EQ_DBL(t.cell[0][0], 5);
	T_EQ_DBL(t.cell[0][1], 6);
	close_table(&t);
}

// Without quotes, a name with separators is put together again from at most nine pieces.
static void
names_without_quotes_have_few_pieces(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O(1,2,3,4,5,6,7,8,9)\\C,\\\\S\\O\\D\n");
	T_EQ_U64(n_series(&t), 2);
	T_EQ_SPAN(series_of(&t, 0)->path.instance, "1,2,3,4,5,6,7,8,9");
	T_EQ_U64(t.n_losses, 0);
	close_table(&t);
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C 1,2,3,4,5,6,7,8,9,10,\\\\S\\O\\D\n");
	T_EQ_U64(n_series(&t), 2);
	T_EQ_SPAN(series_of(&t, 0)->path.counter, "C 1,2,3,4,5,6,7,8,9");
	HAS_NOTICE(&t, "skipped 1 column without a counter path: \"10\"");
	close_table(&t);
}

// A caption has 65 lines at most: a quote that is never closed must not take in the whole file.
static void
captions_have_few_lines(void **state)
{
	static const struct {
		int lines;
		bool is_caption;
	} captions[] = {{2, true}, {65, true}, {66, false}, {200, false}};
	char text[4096];

	(void)state;
	for (size_t i = 0; i < T_LEN(captions); i++) {
		size_t len = (size_t)snprintf(text, sizeof(text), HEAD "," A ",\"line 1");
		struct table t;

		for (int line = 2; line <= captions[i].lines; line++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "\nline %d", line);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "\"\n%s,\"7\"\n", T0);
		read_bytes(&t, text, len, NULL);
		T_EQ_U64(n_series(&t), 1);
		T_EQ_U64(t.n_rows, 1);
		T_EQ_DBL(t.cell[0][0], 7);
		HAS_NOTICE(&t, "the caption of the log: \"line 1");
		T_EQ_BOOL_AT(strstr(t.notices, "skipped") == NULL, captions[i].is_caption,
			     "caption");
		close_table(&t);
	}
}

// The line end may be the last of the file.
static void
a_caption_that_is_cut_after_its_line(void **state)
{
	static const char text[] = HEAD "," A ",\"caption\r";
	char wide[2 * sizeof(text)];
	struct table t;

	(void)state;
	read_text(&t, text);
	HAS_NOTICE(&t, "lost: the file is cut off in its header");
	T_EQ_U64(n_series(&t), 1);
	close_table(&t);
	for (size_t i = 0; i < sizeof(text); i++) {
		wide[2 * i] = text[i];
		wide[2 * i + 1] = 0;
	}
	read_bytes(&t, wide, sizeof(wide) - 2, NULL);
	HAS_NOTICE(&t, "lost: the file is cut off in its header");
	T_EQ_U64(n_series(&t), 1);
	close_table(&t);
}

// ---- Encodings ------------------------------------------------------------------------------

// UTF-16 has no line end in text of one byte a character.
static void
an_encoding_in_which_there_is_no_header(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .encoding = "UTF-16LE"};
	struct table t;

	(void)state;
	open_bytes(&t, plain, sizeof(plain) - 1, &options);
#ifdef _WIN32 // which has no such code page
	assert_int_equal(t.status, PMON_E_ARG);
	T_EQ_STR(t.err.msg, "this system knows no text encoding \"UTF-16LE\"");
#else
	assert_int_equal(t.status, PMON_E_FORMAT);
	T_EQ_STR(t.err.msg, "a text log without a header");
#endif
	options.encoding = "utf-8";
	read_bytes(&t, plain, sizeof(plain) - 1, &options);
	no_notices(&t);
	T_EQ_U64(t.n_rows, 2);
	close_table(&t);
}

// Shift-JIS: lead bytes 81-9F and E0-FC, trail bytes 40-7E and 80-FC; hiragana are 82 9F-F1, katakana 83 40-96.
static void
japanese_is_recognized_by_kana(void **state)
{
	static const struct {
		const char *text;
		const char *page;
	} texts[] = {
		{"a\x82\x9F", "CP932"},  {"a\x82\xF1", "CP932"},     {"a\x82\x9E", "CP1252"},
		{"a\x82\xF2", "CP1252"}, {"\x83\x40 z", "CP932"},    {"\x83\x96 z", "CP932"},
		{"\x83\x97", "CP1252"},  {"\x83\x3F", "CP1252"},     {"\x83\x41\x83\x7F", "CP1252"},
		{"\x83\xFD", "CP1252"},  {"\x82\xA0\xA0", "CP1252"}, {"\x82\xA0\xFD", "CP1252"},
		{"\xB1", "CP1252"},      {"\x82\xA0\xB1z", "CP932"}, {"\x82\xA0\xE0\x40", "CP932"},
		{"\x82", "CP1252"},      {"\x82\xA0\xFC", "CP932"},  {"abc", "CP1252"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++)
		T_EQ_STR_AT(
			pmon_pdht_guess_code_page(t_span(texts[i].text), pmon_mem_allocator(NULL))
				->name,
			texts[i].page, texts[i].text);
}

// ---- Writers --------------------------------------------------------------------------------

// typeperf prints six decimals, a log file of Windows as many digits as there are.
static void
six_decimals_are_of_typeperf(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A CRLF T0 ",\"1.500000\"" CRLF T1 ",\"22.250000\"" CRLF);
	T_EQ_STR(info_of(&t)->writer, "typeperf console");
	close_table(&t);
	read_text(&t, HEAD "," A CRLF T0 ",\"1.500000\"" CRLF T1 ",\"22.25\"" CRLF);
	T_EQ_STR(info_of(&t)->writer, "Windows (PDH text)");
	close_table(&t);
	read_text(&t, HEAD "," A CRLF T0 ",\"0.103515\"" CRLF T1 ",\"22\"" CRLF);
	T_EQ_STR(info_of(&t)->writer, "Windows (PDH text)");
	close_table(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vertical_bars_may_separate),
		cmocka_unit_test(names_without_quotes_have_few_pieces),
		cmocka_unit_test(captions_have_few_lines),
		cmocka_unit_test(a_caption_that_is_cut_after_its_line),
		cmocka_unit_test(an_encoding_in_which_there_is_no_header),
		cmocka_unit_test(japanese_is_recognized_by_kana),
		cmocka_unit_test(six_decimals_are_of_typeperf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
