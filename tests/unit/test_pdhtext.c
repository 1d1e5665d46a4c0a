// test_pdhtext.c - text logs as Windows writes them, and all that people make of them
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

// ---- As Windows writes it -------------------------------------------------------------------

static void
a_plain_log_is_read(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, plain);
	no_notices(&t);
	T_EQ_STR(info_of(&t)->format, "PDH-CSV");
	T_EQ_STR(info_of(&t)->writer, "Windows (PDH text, %.17g)");
	T_EQ_STR(info_of(&t)->machine, "SRV");
	T_EQ_STR(info_of(&t)->zone, "Pacific Daylight Time");
	T_EQ_I64(info_of(&t)->utc_offset_min, -420);
	T_EQ_I64(info_of(&t)->log_start, PMON_TIME_NONE);
	T_EQ_U64(info_of(&t)->size_bytes, sizeof(plain) - 1);
	T_EQ_U64(info_of(&t)->bytes_read, sizeof(plain) - 1);
	T_EQ_U64(info_of(&t)->losses, 0);
	T_EQ_U64(n_series(&t), 2);
	T_EQ_SPAN(series_of(&t, 0)->name, "\\\\SRV\\Memory\\Available MBytes");
	T_EQ_SPAN(series_of(&t, 1)->path.instance, "_Total");
	T_EQ_U64(t.n_rows, 2);
	T_EQ_I64(t.time[0], when("2026-07-23T13:04:43.000Z"));
	T_EQ_I64(t.time[1], when("2026-07-23T13:04:44.000Z"));
	T_EQ_I64(t.offset_min[1], -420);
	T_EQ_DBL(t.cell[0][0], 4112);
	T_EQ_DBL(t.cell[0][1], NAN);
	T_EQ_DBL(t.cell[1][0], 4117.5);
	T_EQ_DBL(t.cell[1][1], 11.296813511113458);
	close_table(&t);
}

static void
values_are_doubles_of_known_types(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, plain);
	for (size_t i = 0; i < 2; i++) {
		T_EQ_U64(series_of(&t, i)->counter.type, PMON_PERF_DOUBLE_RAW);
		assert_true(series_of(&t, i)->formatted);
		assert_true(series_of(&t, i)->type_known);
		T_EQ_U64(series_of(&t, i)->order, i);
	}
	T_EQ_U64(series_of(&t, 0)->known_type, PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	T_EQ_U64(series_of(&t, 1)->known_type, PMON_PERF_100NSEC_TIMER_INV);
	close_table(&t);
}

static void
a_log_is_read_again_from_its_beginning(void **state)
{
	struct table t;
	size_t n;

	(void)state;
	read_text(&t, HEAD "," A CRLF T0 ",\"x\"" CRLF T1 ",\"1\",\"2\"" CRLF T1 ",\"5");
	n = t.n_notices;
	T_EQ_U64(n, 3);
	T_EQ_U64(t.n_losses, 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
		read_rest(&t);
		T_EQ_U64(t.n_rows, 2);
		T_EQ_DBL(t.cell[1][0], 1);
	}
	T_EQ_U64(t.n_notices, n);
	T_EQ_U64(info_of(&t)->losses, 2);
	close_table(&t);
}

static void
tabs_separate_too(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "\"(PDH-TSV 4.0) (GMT)(0)\"\t" A "\t" B CRLF T0 "\t\"1\"\t\" \"" CRLF);
	no_notices(&t);
	T_EQ_STR(info_of(&t)->format, "PDH-TSV");
	T_EQ_U64(n_series(&t), 2);
	T_EQ_DBL(t.cell[0][0], 1);
	T_EQ_DBL(t.cell[0][1], NAN);
	close_table(&t);
}

static void
lines_end_in_any_way(void **state)
{
	static const char *const ends[] = {"\r\n", "\n", "\r", "\r\r\n"};
	char text[512];

	(void)state;
	for (size_t i = 0; i < T_LEN(ends); i++) {
		struct table t;

		(void)snprintf(text, sizeof(text), HEAD ",%s%s" T0 ",\"1\"%s" T1 ",\"2\"%s", A,
			       ends[i], ends[i], ends[i]);
		read_text(&t, text);
		no_notices(&t);
		T_EQ_U64(t.n_rows, 2);
		T_EQ_DBL(t.cell[1][0], 2);
		close_table(&t);
	}
}

static void
exponents_have_two_or_three_digits(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A "," A "," A "," A CRLF T0
			   ",\"1.5e-005\",\"1.5e-05\",\"-2E+16\",\"1e5\"" CRLF);
	T_EQ_DBL(t.cell[0][0], 1.5e-5);
	T_EQ_DBL(t.cell[0][1], 1.5e-5);
	T_EQ_DBL(t.cell[0][2], -2e16);
	T_EQ_DBL(t.cell[0][3], 1e5);
	close_table(&t);
}

// ---- Headers --------------------------------------------------------------------------------

static const struct {
	const char *field;
	const char *zone;
	int32_t offset_min;
	const char *notice; // NULL: none
} markers[] = {
	{"(PDH-CSV 4.0) (Tokyo Standard Time)(-540)", "Tokyo Standard Time", 540, NULL},
	{"(PDH-CSV 4.0) (Russia TZ 4 Standard Time)(-300)", "Russia TZ 4 Standard Time", 300, NULL},
	{"(PDH-CSV 4.0) ((UTC+01:00) Berlin, Bern)(-60)", "(UTC+01:00) Berlin, Bern", 60, NULL},
	{"(PDH-CSV 4.0) (UTC)(0)", "UTC", 0, NULL},
	{"(PDH-CSV 4.0) (Nepal)( -345 ) ", "Nepal", 345, NULL},
	{"(PDH-CSV 4.0)", "", 0, "has no time zone"},
	{"(PDH-CSV 4.0) (", "", 0, "zone in the header is cut off"},
	{"(PDH-CSV 4.0) (Maroc (heure d", "Maroc (heure d", 0, "cut off: \"(Maroc (heure d\""},
	{"(PDH-CSV 4.0) (GMT)", "GMT", 0, "no UTC offset for \"GMT\""},
	{"(PDH-CSV 4.0) (GMT)(a)", "GMT)(a", 0, "no UTC offset"},
	{"(PDH-CSV 4.0) (GMT)(9999)", "GMT)(9999", 0, "no UTC offset"},
	{"(PDH-CSV 4.0", "", 0, "has no time zone"},
};

static void
zones_are_whole_cut_or_absent(void **state)
{
	char text[512];

	(void)state;
	for (size_t i = 0; i < T_LEN(markers); i++) {
		struct table t;

		(void)snprintf(text, sizeof(text), "\"%s\"," A CRLF T0 ",\"1\"" CRLF,
			       markers[i].field);
		read_text(&t, text);
		T_EQ_STR_AT(info_of(&t)->zone, markers[i].zone, markers[i].field);
		T_EQ_I64_AT(info_of(&t)->utc_offset_min, markers[i].offset_min, markers[i].field);
		T_EQ_U64(t.n_rows, 1);
		if (markers[i].notice == NULL)
			no_notices(&t);
		else
			HAS_NOTICE(&t, markers[i].notice);
		close_table(&t);
	}
}

static void
zones_without_quotes_may_hold_separators(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "(PDH-CSV 4.0) (Bern, Rom; Wien)(-60),\\\\S\\O\\C\n"
		      "1/31/2026 12:00:00,5\n");
	T_EQ_STR(info_of(&t)->zone, "Bern, Rom; Wien");
	T_EQ_U64(n_series(&t), 1);
	T_EQ_DBL(t.cell[0][0], 5);
	close_table(&t);
}

static void
names_hold_commas_and_quotes(void **state)
{
	struct table t;

	(void)state;
	read_text(&t,
		  HEAD ",\"\\\\S\\O(a,b)\\C\",\"\\\\S\\O(\"q\")\\C\",\"\\\\S\\O(\"\"d\"\")\\C\","
		       "\"\\\\S\\O(x\",y)\\C\"" CRLF T0 ",\"1\",\"2\",\"3\",\"4\"" CRLF);
	no_notices(&t);
	T_EQ_U64(n_series(&t), 4);
	T_EQ_SPAN(series_of(&t, 0)->path.instance, "a,b");
	T_EQ_SPAN(series_of(&t, 1)->path.instance, "\"q\"");
	T_EQ_SPAN(series_of(&t, 2)->path.instance, "\"d\"");
	T_EQ_SPAN(series_of(&t, 3)->path.instance, "x\",y");
	T_EQ_DBL(t.cell[0][3], 4);
	close_table(&t);
}

static void
names_without_quotes_hold_commas(void **state)
{
	struct table t;

	(void)state;
	read_text(&t,
		  "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O(a,b, c)\\C,\\\\S\\O\\Bytes, all,\\\\S\\O\\D\n"
		  "01/31/2026 12:00:00.000,1,2,3\n");
	T_EQ_U64(n_series(&t), 3);
	T_EQ_SPAN(series_of(&t, 0)->path.instance, "a,b, c");
	T_EQ_SPAN(series_of(&t, 1)->path.counter, "Bytes, all");
	T_EQ_DBL(t.cell[0][2], 3);
	close_table(&t);
}

static void
odd_paths_are_read_where_they_can_be(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD ",\"\\\\S\\O\\blank \"" CRLF);
	T_EQ_SPAN(series_of(&t, 0)->path.counter, "blank ");
	close_table(&t);
	read_text(&t,
		  HEAD ",\"\\\\S\\Group Cpu(12:vm (1)\\% Used\",\"Memory\\Pages/sec\",\"no path\","
		       "\"\\\\S\\O\\C\"" CRLF T0 ",\"1\",\"2\",\"3\",\"4\"" CRLF);
	T_EQ_U64(n_series(&t), 3);
	T_EQ_SPAN(series_of(&t, 0)->path.instance, "12:vm (1");
	T_EQ_SPAN(series_of(&t, 0)->path.counter, "% Used");
	T_EQ_SPAN(series_of(&t, 1)->name, "\\Memory\\Pages/sec");
	T_EQ_DBL(t.cell[0][2], 4);
	HAS_NOTICE(&t, "skipped 1 column without a counter path: \"no path\"");
	HAS_NOTICE(&t, "lost: 1 cell of \"no path\" was not read: the column has no counter path; "
		       "line 2: 3");
	close_table(&t);
}

static void
equal_names_stay_apart(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A "," B "," A "," A CRLF T0 ",\"1\",\"2\",\"3\",\"4\"" CRLF);
	HAS_NOTICE(&t, "2 columns have the name of another one");
	T_EQ_U64(n_series(&t), 4);
	for (size_t i = 0; i < 4; i++)
		T_EQ_DBL(t.cell[0][i], (double)(i + 1));
	close_table(&t);
}

static void
captions_are_not_counters(void **state)
{
	static const char *const headers[] = {
		HEAD "," A "," B ",\"my log, \"\"quoted\"\"\"" CRLF,
		HEAD "," A "," B ",\"two\r\nlines, \"\"or\"\" more\"" CRLF,
		HEAD "," A "," B ",\"in C:\\PerfLogs\\Admin\"" CRLF,
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < T_LEN(headers); i++) {
		struct table t;

		(void)snprintf(text, sizeof(text), "%s%s", headers[i],
			       T0 ",\"1\",\"2\"" CRLF T1 ",\"3\",\"4\",\" \"" CRLF);
		read_text(&t, text);
		HAS_NOTICE(&t, "the caption of the log: \"");
		T_EQ_U64(t.n_notices, 1);
		T_EQ_U64(n_series(&t), 2);
		T_EQ_U64(t.n_rows, 2);
		T_EQ_DBL(t.cell[1][1], 4);
		close_table(&t);
	}
}

static void
a_quote_that_is_not_closed_ends_with_its_line(void **state)
{
	struct table t;

	(void)state;
	read_text(&t,
		  HEAD "," A ",\"caption" CRLF T0 ",\"1\"" CRLF T1 ",\"2" CRLF T1 ",\"3\"" CRLF);
	HAS_NOTICE(&t, "1 line has an unterminated quote; line 3");
	T_EQ_U64(t.n_rows, 3);
	T_EQ_DBL(t.cell[1][0], 2);
	close_table(&t);
}

// ---- Encodings ------------------------------------------------------------------------------

// ASCII as UTF-16, with or without a mark.
static size_t
utf16(const char *text, bool is_big, bool has_mark, uint8_t *out)
{
	size_t n = 0;

	if (has_mark) {
		out[n++] = is_big ? 0xFE : 0xFF;
		out[n++] = is_big ? 0xFF : 0xFE;
	}
	for (; *text != '\0'; text++) {
		out[n++] = is_big ? 0 : (uint8_t)*text;
		out[n++] = is_big ? (uint8_t)*text : 0;
	}
	return n;
}

static void
utf16_is_read_with_and_without_mark(void **state)
{
	uint8_t bytes[1024];

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct table t;
		size_t len = utf16(plain, (i & 1) != 0, (i & 2) != 0, bytes);

		read_bytes(&t, bytes, len, NULL);
		HAS_NOTICE(&t, "UTF-16");
		T_EQ_U64(t.n_notices, 1);
		T_EQ_U64(n_series(&t), 2);
		T_EQ_U64(t.n_rows, 2);
		T_EQ_DBL(t.cell[1][1], 11.296813511113458);
		close_table(&t);
	}
}

static void
utf16_beyond_ascii_keeps_its_characters(void **state)
{
	// U+1F600, a pair of surrogates, followed by an unpaired one, which is invalid.
	static const char ascii[] = HEAD ",\"\\\\S\\O(###)\\C\"\n" T0 ",\"1\"\n";
	uint8_t bytes[512];
	size_t len = utf16(ascii, false, true, bytes);
	struct table t;

	(void)state;
	for (size_t i = 2; i < len; i += 2)
		if (bytes[i] == '#') {
			memcpy(bytes + i, "\x3D\xD8\x00\xDE", 4);
			memcpy(bytes + i + 4, "\x00\xDC", 2);
			break;
		}
	read_bytes(&t, bytes, len, NULL);
	T_EQ_SPAN(series_of(&t, 0)->path.instance, "\xF0\x9F\x98\x80\xEF\xBF\xBD");
	T_EQ_DBL(t.cell[0][0], 1);
	close_table(&t);
}

static void
utf8_may_have_a_mark(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "\xEF\xBB\xBF" HEAD ",\"\\\\S\\O(\xC3\xA4)\\C\"" CRLF T0 ",\"1\"" CRLF);
	no_notices(&t);
	T_EQ_SPAN(series_of(&t, 0)->path.instance, "\xC3\xA4");
	close_table(&t);
}

static void
code_pages_are_guessed(void **state)
{
	struct table t;

	(void)state;
	// "メモリ\ソ" in Shift-JIS: the second byte of "ソ" is that of a backslash.
	read_text(&t, HEAD ",\"\\\\S\\\x83\x81\x83\x82\x83\x8A\\\x83\x5C\"" CRLF T0 ",\"1\"" CRLF);
	HAS_NOTICE(&t, "CP932 (Shift-JIS); use --encoding");
	T_EQ_SPAN(series_of(&t, 0)->path.object, "\xE3\x83\xA1\xE3\x83\xA2\xE3\x83\xAA");
	T_EQ_SPAN(series_of(&t, 0)->path.counter, "\xE3\x82\xBD");
	close_table(&t);
	// "Mémoire\Octets validés": also valid Shift-JIS, but no Japanese.
	read_text(&t, HEAD ",\"\\\\S\\M\xE9moire\\Octets valid\xE9s\"" CRLF T0 ",\"1\"" CRLF);
	HAS_NOTICE(&t, "CP1252 (Western European); use --encoding");
	T_EQ_SPAN(series_of(&t, 0)->path.object, "M\xC3\xA9moire");
	close_table(&t);
}

static void
code_pages_can_be_named(void **state)
{
	static const char text[] =
		HEAD ",\"\\\\S\\\xCF\xE0\xEC\xFF\xF2\xFC\\C\"" CRLF T0 ",\"1\"" CRLF;
	struct pmon_log_options options = {.size = sizeof(options), .encoding = "WINDOWS-1251"};
	struct table t;

	(void)state;
	read_bytes(&t, text, sizeof(text) - 1, &options);
	no_notices(&t);
	// "Память"
	T_EQ_SPAN(series_of(&t, 0)->path.object,
		  "\xD0\x9F\xD0\xB0\xD0\xBC\xD1\x8F\xD1\x82\xD1\x8C");
	close_table(&t);
	options.encoding = "utf8";
	read_bytes(&t, text, sizeof(text) - 1, &options);
	T_EQ_SPAN(series_of(&t, 0)->path.object,
		  "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
	close_table(&t);
	options.encoding = "no such thing";
	open_bytes(&t, text, sizeof(text) - 1, &options);
	assert_int_equal(t.status, PMON_E_ARG);
	assert_non_null(strstr(t.err.msg, "\"no such thing\""));
}

static void
invalid_bytes_are_replaced(void **state)
{
	static const char text[] = HEAD ",\"\\\\S\\O(\x81\xFF)\\C\"" CRLF T0 ",\"1\"" CRLF;
	struct pmon_log_options options = {.size = sizeof(options), .encoding = "CP932"};
	struct table t;

	(void)state;
	read_bytes(&t, text, sizeof(text) - 1, &options);
	HAS_NOTICE(&t, "invalid in this encoding and replaced");
	T_EQ_DBL(t.cell[0][0], 1);
	close_table(&t);
}

// ---- Lines that are not as they should be -----------------------------------------------------

static void
short_and_long_lines_are_reported(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A "," B CRLF T0 ",\"1\"" CRLF T0 ",\"2\",\"3\",\"4\"" CRLF T1 CRLF T1
			   ",\"5\",\"6\"" CRLF);
	HAS_NOTICE(&t, "2 lines have fewer fields than the header; the first is line 2");
	HAS_NOTICE(&t, "1 line has more fields than the header; line 3");
	T_EQ_U64(t.n_losses, 2);
	T_EQ_U64(t.n_rows, 4);
	T_EQ_DBL(t.cell[0][0], 1);
	T_EQ_DBL(t.cell[0][1], NAN);
	T_EQ_DBL(t.cell[1][1], 3);
	T_EQ_DBL(t.cell[2][0], NAN);
	T_EQ_DBL(t.cell[3][1], 6);
	close_table(&t);
}

// If no line has all fields, the missing ones were never written.
static void
lines_that_are_all_short_lose_nothing(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A "," B CRLF T0 ",\"1\"" CRLF T1 ",\"2\"" CRLF);
	HAS_NOTICE(&t, "2 lines have fewer fields than the header; the first is line 2");
	T_EQ_U64(t.n_losses, 0);
	close_table(&t);
}

static void
bad_cells_are_counted_and_invalid(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A "," B CRLF T0 ",\"abc\",\"1.#QNAN\"" CRLF T0
			   ",\"1.2.3\",\"-1.#IND\"" CRLF T1 ",\"0x10\",\"1e999\"" CRLF T1
			   ",\"5%\",\"-nan(ind)\"" CRLF T1 ",\" 7 \",\"\"" CRLF);
	HAS_NOTICE(&t, "1 cell of \"\\\\SRV\\Memory\\Available MBytes\" is not a number and has no "
		       "value; line 2: abc");
	// Cells with digits were numbers.
	HAS_NOTICE(&t, "lost: 3 cells of \"\\\\SRV\\Memory\\Available MBytes\" are not numbers and "
		       "have no value; the first is line 3: 1.2.3");
	HAS_NOTICE(&t, "4 cells of \"\\\\SRV\\Processor(_Total)\\% Processor Time\" are infinite "
		       "or not a number (NaN) and have no value; the first is line 2: 1.#QNAN");
	T_EQ_U64(t.n_notices, 3);
	for (size_t row = 0; row < 4; row++) {
		T_EQ_DBL(t.cell[row][0], INFINITY);
		T_EQ_DBL(t.cell[row][1], INFINITY);
	}
	T_EQ_DBL(t.cell[4][0], 7);
	T_EQ_DBL(t.cell[4][1], NAN);
	close_table(&t);
}

static void
lines_without_a_time_are_skipped(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A CRLF "\"not-a-timestamp\",\"1\"" CRLF T0 ",\"2\"" CRLF
			   "\"13/32/2026 00:00:00.000\",\"3\"" CRLF "# a remark, of somebody" CRLF
			   "\"01/01/1500 00:00:00.000\",\"3\"" CRLF);
	HAS_NOTICE(&t, "lost: 3 lines have no readable time and were skipped; the "
		       "first is line 2: not-a-timestamp");
	HAS_NOTICE(&t, "1 line is not a sample and was skipped; line 5: # a remark, of somebody");
	T_EQ_U64(t.n_losses, 1);
	T_EQ_U64(info_of(&t)->losses, 1);
	T_EQ_U64(info_of(&t)->bytes_lost, 21 + 29 + 29);
	T_EQ_U64(t.n_rows, 1);
	close_table(&t);
}

static void
typeperf_prints_an_empty_line_and_closing_words(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, CRLF "\"(PDH-CSV 4.0)\"," A "," B CRLF
			   "\"10/04/2026 10:00:01.000\",\"2000000000.000000\",\"55.500000\"" CRLF
			   "Exiting, please wait...                         " CRLF
			   "The command completed successfully." CRLF CRLF);
	T_EQ_STR(info_of(&t)->writer, "typeperf console");
	HAS_NOTICE(&t, "begins with an empty line, as in typeperf");
	HAS_NOTICE(&t, "2 lines are not samples and were skipped; the first is line 4: Exiting, "
		       "please wait...\n");
	T_EQ_U64(t.n_losses, 0);
	T_EQ_U64(t.n_rows, 1);
	T_EQ_DBL(t.cell[0][0], 2e9);
	close_table(&t);
}

static void
text_before_the_header_is_skipped(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "C:\\>typeperf -sc 1 \"\\Memory\\Available MBytes\"" CRLF CRLF HEAD
		      "," A CRLF T0 ",\"2.000000\"" CRLF);
	HAS_NOTICE(&t, "2 lines stand before the header");
	T_EQ_U64(t.n_rows, 1);
	close_table(&t);
}

static void
logs_may_follow_each_other(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "\"(PDH-CSV 4.0) (A)(-60)\"," A "," B CRLF T0 ",\"1\",\"2\"" CRLF
		      "\xEF\xBB\xBF\"(PDH-TSV 4.0) (B)(-120)\"\t" B "\t\"\\\\X\\O\\C\"\t" B CRLF T0
		      "\t\"3\"\t\"4\"\t\"5\"" CRLF);
	HAS_NOTICE(&t, "1 more header follows");
	for (int pass = 0; pass < 2; pass++) {
		T_EQ_U64(n_series(&t), 4);
		T_EQ_SPAN(series_of(&t, 2)->name, "\\\\X\\O\\C");
		T_EQ_SPAN(series_of(&t, 3)->name, "\\\\SRV\\Processor(_Total)\\% Processor Time");
		T_EQ_U64(t.n_rows, 2);
		T_EQ_I64(t.time[0], when("2026-07-23T05:04:43.000Z"));
		T_EQ_I64(t.time[1], when("2026-07-23T04:04:43.000Z"));
		T_EQ_DBL(t.cell[0][1], 2);
		T_EQ_DBL(t.cell[1][0], NAN);
		T_EQ_DBL(t.cell[1][1], 3);
		T_EQ_DBL(t.cell[1][2], 4);
		T_EQ_DBL(t.cell[1][3], 5);
		assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
		read_rest(&t);
	}
	close_table(&t);
}

// ---- Cut off --------------------------------------------------------------------------------

static void
a_cut_last_line_is_dropped(void **state)
{
	static const char *const tails[] = {
		"\"07/23/2026 06:04", T1,           T1 ",",          T1 ",\"1",
		T1 ",\"1\"",          T1 ",\"1\",", T1 ",\"1\",\"2", "0",
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < T_LEN(tails); i++) {
		struct table t;

		(void)snprintf(text, sizeof(text), "%s%s",
			       HEAD "," A "," B CRLF T0 ",\"1\",\"2\"" CRLF, tails[i]);
		read_text(&t, text);
		T_EQ_U64_AT(t.n_rows, 1, tails[i]);
		HAS_NOTICE(&t, "lost: the file is cut off in its last line (line 3)");
		T_EQ_U64(info_of(&t)->losses, 1);
		T_EQ_U64(info_of(&t)->bytes_lost, strlen(tails[i]));
		close_table(&t);
	}
}

static void
a_whole_last_line_needs_no_line_end(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A CRLF T0 ",\"1\"" CRLF T1 ",\"2\"");
	no_notices(&t);
	T_EQ_U64(t.n_rows, 2);
	close_table(&t);
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C\n01/31/2026 00:00:00.000,12");
	HAS_NOTICE(&t, "its last value may be truncated");
	T_EQ_U64(t.n_rows, 1);
	close_table(&t);
}

static void
a_cut_header_gives_its_whole_columns(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A ",\"\\\\SRV\\Proc");
	HAS_NOTICE(&t, "lost: the file is cut off in its header");
	T_EQ_U64(n_series(&t), 1);
	T_EQ_U64(t.n_rows, 0);
	close_table(&t);
	open_bytes(&t, HEAD, sizeof(HEAD) - 3, NULL);
	assert_int_equal(t.status, PMON_E_FORMAT);
}

static void
zero_bytes_are_reported_as_lost(void **state)
{
	char text[4096] = HEAD "," A CRLF T0 ",\"1\"" CRLF;
	size_t len = strlen(text);
	struct table t;

	(void)state;
	read_bytes(&t, text, sizeof(text), NULL);
	HAS_NOTICE(&t, "lost: 1 run of zero bytes");
	T_EQ_U64(info_of(&t)->bytes_lost, sizeof(text) - len);
	T_EQ_U64(t.n_rows, 1);
	close_table(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_log_is_read),
		cmocka_unit_test(values_are_doubles_of_known_types),
		cmocka_unit_test(a_log_is_read_again_from_its_beginning),
		cmocka_unit_test(tabs_separate_too),
		cmocka_unit_test(lines_end_in_any_way),
		cmocka_unit_test(exponents_have_two_or_three_digits),
		cmocka_unit_test(zones_are_whole_cut_or_absent),
		cmocka_unit_test(zones_without_quotes_may_hold_separators),
		cmocka_unit_test(names_hold_commas_and_quotes),
		cmocka_unit_test(names_without_quotes_hold_commas),
		cmocka_unit_test(odd_paths_are_read_where_they_can_be),
		cmocka_unit_test(equal_names_stay_apart),
		cmocka_unit_test(captions_are_not_counters),
		cmocka_unit_test(a_quote_that_is_not_closed_ends_with_its_line),
		cmocka_unit_test(utf16_is_read_with_and_without_mark),
		cmocka_unit_test(utf16_beyond_ascii_keeps_its_characters),
		cmocka_unit_test(utf8_may_have_a_mark),
		cmocka_unit_test(code_pages_are_guessed),
		cmocka_unit_test(code_pages_can_be_named),
		cmocka_unit_test(invalid_bytes_are_replaced),
		cmocka_unit_test(short_and_long_lines_are_reported),
		cmocka_unit_test(lines_that_are_all_short_lose_nothing),
		cmocka_unit_test(bad_cells_are_counted_and_invalid),
		cmocka_unit_test(lines_without_a_time_are_skipped),
		cmocka_unit_test(typeperf_prints_an_empty_line_and_closing_words),
		cmocka_unit_test(text_before_the_header_is_skipped),
		cmocka_unit_test(logs_may_follow_each_other),
		cmocka_unit_test(a_cut_last_line_is_dropped),
		cmocka_unit_test(a_whole_last_line_needs_no_line_end),
		cmocka_unit_test(a_cut_header_gives_its_whole_columns),
		cmocka_unit_test(zero_bytes_are_reported_as_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
