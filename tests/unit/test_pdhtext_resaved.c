// test_pdhtext_resaved.c - text logs that went through other hands: dates, clocks, types, vectors
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

#include "model/zone_rules.h"

// ---- Saved again by a spreadsheet -----------------------------------------------------------

#define EXCEL_HEAD "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C\n"

static const struct {
	const char *first; // two times
	const char *second;
	const char *want;
	const char *notice;
} dates[] = {
	{"3/26/2015 22:42", "3/26/2015 22:43", "2015-03-26T22:42:00.000Z", "month/day/year: other"},
	{"26/3/2015 22:42", "26/3/2015 22:43", "2015-03-26T22:42:00.000Z", "day/month/year: other"},
	{"26.03.2015 22:42:05", "26.03.2015 22:43:05", "2015-03-26T22:42:05.000Z", "day/month"},
	{"2024/1/5 12:34", "2024/1/5 12:35", "2024-01-05T12:34:00.000Z", "year first"},
	{"2024-01-05 12:34:56", "2024-01-05 12:35:56", "2024-01-05T12:34:56.000Z", "year first"},
	{"2024-01-05T12:34:56.7", "2024-01-05T12:35", "2024-01-05T12:34:56.700Z", "year first"},
	{"2024-01-05T12:34:56Z", "2024-01-05T12:35:56Z", "2024-01-05T12:34:56.000Z", "year first"},
	{"2024-01-05T12:34:56+02:00", "2024-01-05T12:35:56+02:00", "2024-01-05T10:34:56.000Z",
	 "year first"},
	{"25-Feb-2026 10:00:00", "25-Feb-2026 10:00:15", "2026-02-25T10:00:00.000Z",
	 "month's name"},
	{"5 march 26 10:00", "5 March 26 10:01", "2026-03-05T10:00:00.000Z", "month's name"},
	{"25/02/2026 11:00:00 a. m.", "25/02/2026 12:00:00 p. m.", "2026-02-25T11:00:00.000Z",
	 "day/month/year: other"},
	{"1/12/24 11:59 PM", "1/13/24 12:00 AM", "2024-01-12T23:59:00.000Z",
	 "month/day/year: other"},
	{"1/5/2024 12:34:00am", "1/5/2024 1:34:00PM", "2024-01-05T00:34:00.000Z", "nothing in the"},
	// Both readings are dates; one of them goes back, or leaps.
	{"11/1/2024 12:34", "1/2/2024 12:34", "2024-01-11T12:34:00.000Z",
	 "otherwise times would go backwards"},
	{"1/11/2024 12:34", "2/1/2024 12:34", "2024-01-11T12:34:00.000Z",
	 "month/day/year: otherwise times would go backwards"},
	{"1/5/2024 23:59", "2/5/2024 0:00", "2024-05-01T23:59:00.000Z", "larger gaps"},
	{"5/1/2024 23:59", "5/2/2024 0:00", "2024-05-01T23:59:00.000Z", "larger gaps"},
	{"5/1/2024 23:59", "5/1/2024 23:59", "2024-05-01T23:59:00.000Z", "nothing in the file"},
	{"5.1.2024 23:59", "5.1.2024 23:59", "2024-01-05T23:59:00.000Z", "nothing in the file"},
};

static void
dates_of_spreadsheets_are_read(void **state)
{
	char text[512];

	(void)state;
	for (size_t i = 0; i < T_LEN(dates); i++) {
		struct table t;

		(void)snprintf(text, sizeof(text), EXCEL_HEAD "%s,1\n%s,2\n", dates[i].first,
			       dates[i].second);
		read_text(&t, text);
		T_EQ_U64_AT(t.n_rows, 2, dates[i].first);
		T_EQ_I64_AT(t.time[0], when(dates[i].want), dates[i].first);
		HAS_NOTICE(&t, dates[i].notice);
		HAS_NOTICE(&t, "fields are not quoted");
		close_table(&t);
	}
}

// As esxtop writes them: quoted, and in Windows' order.
static void
quoted_times_without_milliseconds_are_month_first(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A CRLF "\"03/04/2015 22:42:01\",\"1.00\"" CRLF
			   "\"03/04/2015 22:42:06\",\"1.00\"" CRLF);
	no_notices(&t);
	T_EQ_I64(t.time[0], when("2015-03-04T22:42:01.000Z"));
	close_table(&t);
	read_text(&t, HEAD "," A CRLF "\"13/04/2015 22:42:01\",\"1.00\"" CRLF);
	HAS_NOTICE(&t, "day/month/year: otherwise some dates would not exist");
	close_table(&t);
}

// The day that shows the order is far after the lines that are examined first.
static void
the_whole_file_gives_the_order_of_dates(void **state)
{
	size_t size = 100000;
	char *text = malloc(size);
	size_t len = (size_t)snprintf(text, size, EXCEL_HEAD);
	struct table t;

	(void)state;
	for (int i = 0; i < 1000; i++)
		len += (size_t)snprintf(text + len, size - len, "5/1/2024 12:00,%d\n", i);
	len += (size_t)snprintf(text + len, size - len, "no time, 0\n");
	read_bytes(&t, text, len, NULL);
	T_EQ_I64(t.time[0], when("2024-05-01T12:00:00.000Z"));
	HAS_NOTICE(&t, "month/day/year: nothing in the file shows the order");
	close_table(&t);
	len += (size_t)snprintf(text + len, size - len, "13/1/2024 12:00,1000\n");
	read_bytes(&t, text, len, NULL);
	T_EQ_I64(t.time[0], when("2024-01-05T12:00:00.000Z"));
	T_EQ_U64(t.n_rows, 1001);
	HAS_NOTICE(&t, "day/month/year: otherwise some dates would not exist");
	HAS_NOTICE(&t, "times have no seconds");
	close_table(&t);
	free(text);
}

// With semicolons as separators, the day comes first unless the file shows otherwise. A leading
// year is always clear.
static void
semicolons_speak_for_the_day_first(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0);\\\\S\\O\\C\n5/1/2024 23:59;1\n5/1/2024 23:59;2\n");
	HAS_NOTICE(&t, "day/month/year: nothing in the file");
	T_EQ_I64(t.time[0], when("2024-01-05T23:59:00.000Z"));
	close_table(&t);
	read_text(&t, EXCEL_HEAD "13/1/2024 23:59,1\n2024-01-14 23:59,2\n");
	HAS_NOTICE(&t, "day/month/year: other");
	T_EQ_I64(t.time[0], when("2024-01-13T23:59:00.000Z"));
	T_EQ_I64(t.time[1], when("2024-01-14T23:59:00.000Z"));
	close_table(&t);
}

// Lines whose times a spreadsheet or another program saved without the date. The expected times are
// those that the texts were generated from: 46078 is 2026-02-25 in LibreOffice.
static void
times_without_a_date_run_on(void **state)
{
	static const struct {
		const char *lines;
		const char *start; // NULL: not given
		const char *want[3];
		const char *notice;
	} rows[] = {
		{"23:59:50,1\n00:00:05,2\n00:00:20,3\n",
		 NULL,
		 {"2000-01-01T23:59:50.000Z", "2000-01-02T00:00:05.000Z",
		  "2000-01-02T00:00:20.000Z"},
		 "time of day and no date; they are counted from 2000-01-01;"},
		{"\"11:59:30 PM\",1\n\"11:59:45 p. m.\",2\n\"12:00:00\xC2\xA0"
		 "AM\",3\n",
		 "2026-02-25T15:00:00.000Z",
		 {"2026-02-25T23:59:30.000Z", "2026-02-25T23:59:45.000Z",
		  "2026-02-26T00:00:00.000Z"},
		 "counted from 2026-02-25;"},
		{"9:05,1\n9:05,2\n9:06,3\n",
		 NULL,
		 {"2000-01-01T09:05:00.000Z", "2000-01-01T09:05:00.000Z",
		  "2000-01-01T09:06:00.000Z"},
		 "times have no seconds"},
		{"59:30.0,1\n59:45.5,2\n00:00.5,3\n",
		 NULL,
		 {"2000-01-01T00:59:30.000Z", "2000-01-01T00:59:45.500Z",
		  "2000-01-01T01:00:00.500Z"},
		 "minutes and seconds only"},
		{"56:30.9,1\n56:31.9,2\n56:32.9,3\n",
		 "2026-02-25T22:17:00.000Z",
		 {"2026-02-25T22:56:30.900Z", "2026-02-25T22:56:31.900Z",
		  "2026-02-25T22:56:32.900Z"},
		 "counted from 2026-02-25 22:00;"},
		{"46078.4166666667,1\n46078.4168402778,2\n46079,3\n",
		 NULL,
		 {"2026-02-25T10:00:00.000Z", "2026-02-25T10:00:15.000Z",
		  "2026-02-26T00:00:00.000Z"},
		 "numbers of days"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_log_options options = {.size = sizeof(options)};
		char text[300];
		struct table t;

		if (rows[i].start != NULL)
			options.start_local = when(rows[i].start);
		(void)snprintf(text, sizeof(text), EXCEL_HEAD "%s", rows[i].lines);
		read_bytes(&t, text, strlen(text), &options);
		T_EQ_U64_AT(t.n_rows, 3, rows[i].lines);
		for (size_t k = 0; k < 3; k++)
			T_EQ_I64_AT(t.time[k], when(rows[i].want[k]), rows[i].want[k]);
		HAS_NOTICE(&t, rows[i].notice);
		// Once more, from the start.
		assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
		read_rest(&t);
		T_EQ_I64_AT(t.time[2], when(rows[i].want[2]), "again");
		close_table(&t);
	}
}

// The offset is that of the header, else that of the zone's name, else the caller's. Offsets by name are those
// of the registry of Windows.
static void
logs_without_an_offset(void **state)
{
	static const struct {
		const char *marker;
		int32_t given; // 0: none
		int32_t want;
	} rows[] = {
		{"(PDH-CSV 4.0)", 0, 0},
		{"(PDH-CSV 4.0)", 60, 60},
		{"(PDH-CSV 4.0)", -570, -570},
		{"(PDH-CSV 4.0) (Tokyo Standard Time)(-540)", 60, 540},
		{"(PDH-CSV 4.0) (Tokyo Standard Time)", 0, 540},
		{"(PDH-CSV 4.0) (W. Europe Daylight Time)", 0, 120},
		{"(PDH-CSV 4.0) (Pacific Standard Time)", 0, -480},
		{"(PDH-CSV 4.0) (RTZ 2 (", 0, 180},
		{"(PDH-CSV 4.0) (RTZ 1", 0, 0}, // 1, 10 or 11
		{"(PDH-CSV 4.0) (RTZ 1", 60, 60},
		{"(PDH-CSV 4.0) (India Sta", 0, 330},
		{"(PDH-CSV 4.0) (Central E", 0, 0}, // in winter or in summer
		{"(PDH-CSV 4.0) (Central European S", 0, 60},
		{"(PDH-CSV 4.0) (", 0, 0},
		{"(PDH-CSV 4.0) (Nowhere Standard Time)", 0, 0},
		{"(PDH-CSV 4.0) (Nowhere Standard Time)", 330, 330},
		{"Time", 0, 0},
		{"Time", 330, 330},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_log_options options = {.size = sizeof(options),
						   .has_zone = rows[i].given != 0,
						   .zone_offset_min = rows[i].given};
		char text[300];
		struct table t;

		(void)snprintf(text, sizeof(text),
			       "\"%s\",\"\\\\S\\Memory\\Pages/sec\"\n"
			       "\"02/25/2026 10:00:00.000\",\"1\"\n",
			       rows[i].marker);
		read_bytes(&t, text, strlen(text), &options);
		T_EQ_U64_AT(t.n_rows, 1, rows[i].marker);
		T_EQ_I64_AT(t.time[0],
			    when("2026-02-25T10:00:00.000Z") -
				    rows[i].want * (int64_t)60 * 10000000,
			    rows[i].marker);
		T_EQ_I64_AT(pmon_source_info(t.source)->utc_offset_min, rows[i].want,
			    rows[i].marker);
		close_table(&t);
	}
}

// zdump -v Europe/Berlin: the clock went from 3:00 back to 2:00 on 25 October 2026, at 01:00 UTC, and from 2:00 to 3:00
// on 29 March 2026, at 01:00 UTC.
static const struct {
	const char *local;
	const char *utc;
} in_berlin[] = {
	{"03/29/2026 01:30:00.000", "2026-03-29T00:30:00.000Z"},
	{"03/29/2026 02:30:00.000", "2026-03-29T01:30:00.000Z"}, // the hour that is left out
	{"03/29/2026 03:45:00.000", "2026-03-29T01:45:00.000Z"},
	{"10/25/2026 01:30:00.000", "2026-10-24T23:30:00.000Z"},
	{"10/25/2026 02:00:00.000", "2026-10-25T00:00:00.000Z"},
	{"10/25/2026 02:30:00.000", "2026-10-25T00:30:00.000Z"},
	{"10/25/2026 02:00:00.000", "2026-10-25T01:00:00.000Z"},
	{"10/25/2026 02:30:00.000", "2026-10-25T01:30:00.000Z"},
	{"10/25/2026 03:00:00.000", "2026-10-25T02:00:00.000Z"},
	{"12/01/2026 10:00:00.000", "2026-12-01T09:00:00.000Z"},
};

static void
read_in_berlin(const char *header, const char *cells, uint64_t n_numbers)
{
	struct pmon_log_options options = {.size = sizeof(options), .zone = "europe/berlin"};
	char text[2000];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s\n", header);
	struct table t;

	for (size_t i = 0; i < T_LEN(in_berlin); i++)
		for (uint64_t k = 0; k < n_numbers; k++)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"\"%s\",%s\"%zu\"\n", in_berlin[i].local,
						k == 0 ? cells : "\"\\\\S\\Memory\\Cache Bytes\",",
						i);
	read_bytes(&t, text, len, &options);
	T_EQ_U64_AT(t.n_rows, T_LEN(in_berlin), header);
	for (size_t i = 0; i < T_LEN(in_berlin); i++)
		T_EQ_I64_AT(t.time[i], when(in_berlin[i].utc), in_berlin[i].local);
	T_EQ_I64_AT(pmon_source_info(t.source)->utc_offset_min, 60, header);
	close_table(&t);
}

static void
logs_of_a_zone_with_summer_time(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .zone = "Europe/Berlin"};
	static const char without_seconds[] = "\"(PDH-CSV 4.0)\",\"\\\\S\\M\\C\"\n"
					      "\"10/25/2026 02:00\",\"1\"\n"
					      "\"10/25/2026 02:00\",\"2\"\n"
					      "\"10/25/2026 02:30\",\"3\"\n";
	static const char with_bias[] =
		"\"(PDH-CSV 4.0) (Tokyo Standard Time)(-540)\",\"\\\\S\\M\\C\"\n"
		"\"10/25/2026 02:00:00.000\",\"1\"\n";
	static const char table[] = "\"Timestamp\",\"Path\",\"CookedValue\"\n"
				    "\"10/25/2026 02:00:00\",\"\\\\S\\M\\C\",\"1\"\n";
	struct table t;

	(void)state;
	if (pmon_zone_find(PMON_SPAN("Europe/Berlin")) == NULL)
		skip(); // the machine that built it had no zones
	read_in_berlin("\"(PDH-CSV 4.0)\",\"\\\\S\\Memory\\Pages/sec\"", "", 1);
	// Rows of a sample have the same time.
	read_in_berlin("\"Timestamp\",\"Path\",\"CookedValue\"",
		       "\"\\\\S\\Memory\\Available Bytes\",", 2);
	// Lines that lost their seconds are not a repeated hour.
	read_bytes(&t, without_seconds, strlen(without_seconds), &options);
	T_EQ_U64(t.n_rows, 3);
	T_EQ_I64(t.time[1], when("2026-10-25T00:00:00.000Z"));
	T_EQ_I64(t.time[2], when("2026-10-25T00:30:00.000Z"));
	close_table(&t);
	read_bytes(&t, with_bias, strlen(with_bias), &options);
	T_EQ_I64(t.time[0], when("2026-10-24T17:00:00.000Z"));
	close_table(&t);
	options.zone = "Europe/Nowhere";
	open_bytes(&t, with_bias, strlen(with_bias), &options);
	assert_int_equal(t.status, PMON_E_ARG);
	open_bytes(&t, table, strlen(table), &options);
	assert_int_equal(t.status, PMON_E_ARG);
}

// A line that lost its date is lost, wherever it is, in a log with dates.
static void
a_line_without_a_date_among_others_is_lost(void **state)
{
	static const char *const lines[] = {"10:00:00,9\n", "56:30.9,9\n", "46078.5,9\n"};

	(void)state;
	for (size_t i = 0; i < T_LEN(lines); i++)
		for (int at = 0; at < 3; at++) {
			char text[300];
			struct table t;

			(void)snprintf(text, sizeof(text), EXCEL_HEAD "%s%s%s%s%s",
				       at == 0 ? lines[i] : "", "2026-02-25 10:00:00,1\n",
				       at == 1 ? lines[i] : "", "2026-02-25 10:00:15,2\n",
				       at == 2 ? lines[i] : "");
			read_bytes(&t, text, strlen(text), NULL);
			T_EQ_U64_AT(t.n_rows, 2, text);
			HAS_NOTICE(&t, "lost: 1 line has ");
			close_table(&t);
		}
}

static void
decimal_commas_are_read(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0);\\\\S\\O\\C;\\\\S\\O\\D\n"
		      "31.01.2026 00:00:00;1,5;2\n31.01.2026 00:00:01;1,250;-3,5E-05\n");
	HAS_NOTICE(&t, "fields are separated by semicolons, not by commas");
	HAS_NOTICE(&t, "decimal comma");
	T_EQ_DBL(t.cell[0][0], 1.5);
	T_EQ_DBL(t.cell[0][1], 2);
	T_EQ_DBL(t.cell[1][0], 1.25);
	T_EQ_DBL(t.cell[1][1], -3.5e-5);
	close_table(&t);
	read_text(&t, HEAD "," A CRLF T0 ",\"1,5\"" CRLF T1 ",\"2,250\"" CRLF);
	HAS_NOTICE(&t, "decimal comma");
	T_EQ_DBL(t.cell[0][0], 1.5);
	T_EQ_DBL(t.cell[1][0], 2.25);
	close_table(&t);
	// These may be thousands separators: nothing is guessed.
	read_text(&t, HEAD "," A CRLF T0 ",\"1,500\"" CRLF);
	HAS_NOTICE(
		&t,
		"lost: 1 cell of \"\\\\SRV\\Memory\\Available MBytes\" may have a decimal mark or "
		"separate thousands, and has no value; line 2: 1,500");
	close_table(&t);
	// Commas that appear late, in columns where they separate nothing.
	read_text(&t, "\"(PDH-TSV 4.0) (UTC)(0)\"\t" A "\t" B CRLF T0 "\t\"1.5\"\t\"2,5\"" CRLF);
	T_EQ_DBL(t.cell[0][0], 1.5);
	T_EQ_DBL(t.cell[0][1], 2.5);
	close_table(&t);
}

static void
trailing_separators_do_no_harm(void **state)
{
	static const char *const ends[] = {",",  ",,",    ",,,,",   ", ",
					   " ,", ",\"\"", ",\"\",", ",,\"\""};
	static const char separators[] = {',', ';', '\t'};
	struct table t;

	(void)state;
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C,,\n01/31/2026 00:00:00.000,1,,\n,,,\n");
	T_EQ_U64(n_series(&t), 1);
	T_EQ_U64(t.n_rows, 1);
	T_EQ_U64(t.n_losses, 0);
	assert_null(strstr(t.notices, "fields than"));
	close_table(&t);
	read_text(&t, "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C,,\n01/31/2026 00:00:00.000,1\n");
	assert_null(strstr(t.notices, "fields than"));
	close_table(&t);
	// After quoted names, too.
	for (size_t i = 0; i < T_LEN(ends); i++)
		for (size_t k = 0; k < T_LEN(separators); k++) {
			char text[512];

			snprintf(text, sizeof(text),
				 "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\S\\O\\C\",\"\\\\S\\O\\D\"%s\n"
				 "\"01/31/2026 00:00:00.000\",\"1\",\"2\"%s\n",
				 ends[i], ends[i]);
			for (char *p = text; *p != '\0'; p++)
				*p = *p == ',' ? separators[k] : *p;
			read_text(&t, text);
			T_EQ_U64(n_series(&t), 2);
			T_EQ_U64(series_of(&t, 1)->path.counter.len, 1);
			T_EQ_U64(t.n_losses, 0);
			T_EQ_DBL(t.cell[0][1], 2);
			close_table(&t);
		}
}

// ---- Daylight saving ------------------------------------------------------------------------

// Lines of one value every `minutes` from a local time on; the clock is set by `change` minutes
// after the first `before` of them.
static void
build_night(char *text, size_t size, int hour, int minutes, int before, int after, int change)
{
	size_t len = (size_t)snprintf(text, size, "\"(PDH-CSV 4.0) (W. Europe)(-120)\"," A CRLF);

	for (int i = 0; i < before + after; i++) {
		int clock = hour * 60 + i * minutes + (i >= before ? change : 0);

		len += (size_t)snprintf(text + len, size - len,
					"\"10/25/2026 %02d:%02d:00.000\",\"%d\"" CRLF, clock / 60,
					clock % 60, i);
	}
}

static void
a_repeated_hour_is_reported_and_repaired(void **state)
{
	static const int intervals[] = {1, 5, 15, 30, 60};
	struct pmon_log_options options = {.size = sizeof(options), .dst_repair = true};
	char text[8192];

	(void)state;
	for (size_t i = 0; i < T_LEN(intervals); i++) {
		int step = intervals[i];
		int before = 60 / step + 1; // 2:00 to 3:00, which then is 2:00
		struct table t;

		build_night(text, sizeof(text), 2, step, before, 60 / step, -60);
		read_text(&t, text);
		HAS_NOTICE(&t, "set back by an hour");
		HAS_NOTICE(&t, "--dst-repair");
		T_EQ_U64(t.n_notices, 1);
		T_EQ_I64(t.time[before] - t.time[before - 1], (step - 60) * PMON_TIME_PER_MIN);
		T_EQ_I64(t.offset_min[before], 120);
		close_table(&t);
		read_bytes(&t, text, strlen(text), &options);
		HAS_NOTICE(&t, "from there on it is 60 min ahead of UTC");
		T_EQ_U64(t.n_notices, 1);
		for (size_t row = 1; row < t.n_rows; row++)
			T_EQ_I64(t.time[row] - t.time[row - 1], step * PMON_TIME_PER_MIN);
		T_EQ_I64(t.offset_min[before - 1], 120);
		T_EQ_I64(t.offset_min[before], 60);
		close_table(&t);
	}
}

static void
a_missing_hour_is_reported_and_repaired(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .dst_repair = true};
	struct table t;
	char text[8192];

	(void)state;
	build_night(text, sizeof(text), 1, 5, 12, 12, 60);
	for (int pass = 0; pass < 2; pass++) {
		read_bytes(&t, text, strlen(text), &options);
		HAS_NOTICE(&t, "set forward by an hour");
		T_EQ_I64(t.time[12] - t.time[11], 5 * PMON_TIME_PER_MIN);
		T_EQ_I64(t.offset_min[12], 180);
		assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
		read_rest(&t);
		T_EQ_I64(t.offset_min[11], 120);
		T_EQ_I64(t.offset_min[12], 180);
		T_EQ_U64(t.n_notices, 1);
		close_table(&t);
	}
}

// Between summer and winter is one hour: another one in the same direction is a gap, or a clock that was wrong.
static void
a_second_change_is_ignored(void **state)
{
	static const struct {
		const char *clock[5]; // every five minutes, with two changes
		int32_t offset_min;
	} nights[] = {
		{{"03:00", "03:05", "02:10", "02:15", "01:20"}, 60},
		{{"01:00", "01:05", "02:10", "02:15", "03:20"}, 180},
	};
	struct pmon_log_options options = {.size = sizeof(options), .dst_repair = true};
	char text[1024];

	(void)state;
	for (size_t n = 0; n < T_LEN(nights); n++) {
		size_t len = (size_t)snprintf(text, sizeof(text),
					      "\"(PDH-CSV 4.0) (W. Europe)(-120)\"," A CRLF);
		struct table t;

		for (size_t i = 0; i < 5; i++)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
						"\"10/25/2026 %s:00.000\",\"1\"" CRLF,
						nights[n].clock[i]);
		read_bytes(&t, text, len, &options);
		T_EQ_U64(t.n_rows, 5);
		T_EQ_U64(t.n_notices, 1);
		for (size_t i = 0; i < 5; i++)
			T_EQ_I64(t.offset_min[i], i < 2 ? 120 : nights[n].offset_min);
		close_table(&t);
	}
}

static void
other_steps_are_not_daylight_saving(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .dst_repair = true};
	struct table t;
	char text[8192];

	(void)state;
	build_night(text, sizeof(text), 12, 5, 12, 12, -60); // at noon
	read_bytes(&t, text, strlen(text), &options);
	no_notices(&t);
	close_table(&t);
	build_night(text, sizeof(text), 2, 5, 12, 12, -40); // not an hour
	read_bytes(&t, text, strlen(text), &options);
	no_notices(&t);
	close_table(&t);
	build_night(text, sizeof(text), 2, 5, 12, 12, 120);
	read_bytes(&t, text, strlen(text), &options);
	no_notices(&t);
	close_table(&t);
}

// ---- Selection and types --------------------------------------------------------------------

struct wanted {
	size_t n_asked;
};

static bool
want_memory(void *ctx, const struct pmon_path *path)
{
	((struct wanted *)ctx)->n_asked++;
	return pmon_text_same(path->object, PMON_SPAN("memory"));
}

static void
each_column_is_asked_for_once(void **state)
{
	struct wanted wanted = {0};
	struct pmon_log_options options = {
		.size = sizeof(options), .want = want_memory, .want_ctx = &wanted};
	struct table t;

	(void)state;
	read_bytes(&t, plain, sizeof(plain) - 1, &options);
	assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
	read_rest(&t);
	T_EQ_U64(wanted.n_asked, 2);
	T_EQ_U64(n_series(&t), 1);
	T_EQ_DBL(t.cell[1][0], 4117.5);
	T_EQ_DBL(t.cell[1][1], NAN);
	close_table(&t);
}

static uint32_t
type_of(const char *path, const char *known_types)
{
	struct pmon_log_options options = {.size = sizeof(options), .known_types = known_types};
	char text[256];
	struct table t;
	uint32_t type;

	(void)snprintf(text, sizeof(text), HEAD ",\"%s\"" CRLF, path);
	read_bytes(&t, text, strlen(text), &options);
	type = series_of(&t, 0)->type_known ? series_of(&t, 0)->known_type : UINT32_MAX;
	close_table(&t);
	return type;
}

static void
names_give_types(void **state)
{
	(void)state;
	T_EQ_U64(type_of("\\\\S\\PHYSICALDISK(0 C:)\\avg. disk SEC/read", NULL),
		 PMON_PERF_AVERAGE_TIMER);
	T_EQ_U64(type_of("\\\\S\\Foo(x)\\Avg. Disk Bytes/Read", NULL), PMON_PERF_AVERAGE_BULK);
	T_EQ_U64(type_of("\\\\S\\Foo\\Bars/sec", NULL), PMON_PERF_COUNTER_BULK_COUNT);
	T_EQ_U64(type_of("\\\\S\\Process V2(a:1)\\Elapsed Time", NULL), PMON_PERF_ELAPSED_TIME);
	T_EQ_U64(type_of("\\\\S\\MSSQL$X:Plan Cache(a)\\Cache Hit Ratio", NULL),
		 PMON_PERF_LARGE_RAW_FRACTION);
	T_EQ_U64(type_of("\\\\S\\Foo\\% Time", NULL), UINT32_MAX);
	// The objects of SQL Server have short names.
	T_EQ_U64(type_of("\\\\S\\MSSQL$X:a name of more letters than any object of SQL Server has "
			 "at all(a)"
			 "\\Cache Hit Ratio",
			 NULL),
		 UINT32_MAX);
	T_EQ_U64(type_of("\\\\S\\Memory\\Sp\xC3\xA4te", NULL), UINT32_MAX);
}

static void
all_known_counters_are_known(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/known_counters.csv");
	for (; t_csv_next(&csv); n++) {
		const char *instance =
			strcmp(t_csv_get(&csv, "instances"), "yes") == 0 ? "(i)" : "";
		char name[256];

		(void)snprintf(name, sizeof(name), "\\\\S\\%s%s\\%s", t_csv_get(&csv, "object"),
			       instance, t_csv_get(&csv, "counter"));
		T_EQ_U64_AT(type_of(name, NULL), strtoul(t_csv_get(&csv, "type word"), NULL, 16),
			    name);
	}
	t_csv_close(&csv);
	T_EQ_U64(n, 171);
}

static void
users_can_add_types(void **state)
{
	static const char path[] = "test_pdhtext_types.csv";
	struct pmon_log_options options = {.size = sizeof(options), .known_types = path};
	struct table t;

	(void)state;
	t_write_text(path, "object,counter,type\n# a remark\nFoo,Bar,PERF_AVERAGE_TIMER,more\r\n"
			   "*,\"% Time\",0x20510500\nMemory,Available Bytes,raw_fraction\n\n");
	T_EQ_U64(type_of("\\\\S\\foo(a)\\BAR", path), PMON_PERF_AVERAGE_TIMER);
	T_EQ_U64(type_of("\\\\S\\Any\\% time", path), PMON_PERF_100NSEC_TIMER);
	T_EQ_U64(type_of("\\\\S\\Memory\\Available Bytes", path), PMON_PERF_RAW_FRACTION);
	T_EQ_U64(type_of("\\\\S\\Memory\\Available KBytes", path),
		 PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	t_write_text(path, "");
	T_EQ_U64(type_of("\\\\S\\Memory\\Available Bytes", path), PMON_PERF_COUNTER_LARGE_RAWCOUNT);
	t_write_text(path, "F,Bar,0x20510500\nFoo,Baz,raw_fraction\nFoo,Bar,0x10410400\n");
	T_EQ_U64(type_of("\\\\S\\F\\Bar", path), PMON_PERF_100NSEC_TIMER);
	T_EQ_U64(type_of("\\\\S\\Foo\\Bar", path), PMON_PERF_COUNTER_COUNTER);
	T_EQ_U64(type_of("\\\\S\\Foo\\Baz", path), PMON_PERF_RAW_FRACTION);
	// A word that no type has would compute nothing.
	t_write_text(path, "Foo,Bar,0x12345678\n");
	open_bytes(&t, plain, sizeof(plain) - 1, &options);
	assert_int_equal(t.status, PMON_E_FORMAT);
	assert_non_null(strstr(t.err.msg, "line 1: \"0x12345678\" is not a counter type"));
	t_write_text(path, "Foo,Bar,0x20510500\nFoo,Baz,no type\n");
	open_bytes(&t, plain, sizeof(plain) - 1, &options);
	assert_int_equal(t.status, PMON_E_FORMAT);
	assert_non_null(strstr(t.err.msg, "line 2: \"no type\" is not a counter type"));
	(void)remove(path);
	open_bytes(&t, plain, sizeof(plain) - 1, &options);
	assert_int_equal(t.status, PMON_E_NOTFOUND);
}

// ---- Large ----------------------------------------------------------------------------------

static void
sixty_thousand_columns_are_read(void **state)
{
	size_t n = 60000;
	size_t size = n * 128;
	char *text = malloc(size);
	size_t len = (size_t)snprintf(text, size, "\"(PDH-CSV 4.0) (UTC)(0)\"");
	struct table t;
	const struct pmon_sample *sample;
	uint64_t rows = 0;

	(void)state;
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, size - len,
					",\"\\\\esx1\\Group Cpu(%zu:vm)\\%% Used\"", i);
	for (int row = 0; row < 2; row++) {
		len += (size_t)snprintf(text + len, size - len, "\r\n\"03/26/2015 22:42:%02d\"",
					row * 5);
		for (size_t i = 0; i < n; i++)
			len += (size_t)snprintf(text + len, size - len, ",\"%zu.25\"", i);
	}
	len += (size_t)snprintf(text + len, size - len, "\r\n");
	open_bytes(&t, text, len, NULL);
	assert_int_equal(t.status, PMON_OK);
	T_EQ_STR(info_of(&t)->writer, "VMware esxtop");
	T_EQ_U64(n_series(&t), n);
	while (pmon_source_next(t.source, &sample, NULL) == PMON_OK) {
		double last;

		T_EQ_U64(sample->n, n);
		memcpy(&last, &sample->raw[n - 1].first, sizeof(last));
		T_EQ_DBL(last, 59999.25);
		rows++;
	}
	T_EQ_U64(rows, 2);
	close_table(&t);
	free(text);
}

// ---- The shared vectors ---------------------------------------------------------------------

// The expectations of log_vectors.csv, row by row: the number of columns or of rows, and values.
struct vector {
	const char *kind;
	const char *zone;
	int32_t bias_min;
	size_t n_columns;
	double cells[3];
};

static const struct vector vectors[] = {
	{"header", "Pacific Daylight Time", 420, 3, {0}},
	{"row", NULL, 0, 3, {NAN, 4112, NAN}},
	{"row", NULL, 0, 3, {68.1, 4117, 1056.5}},
	{"rows 43,44,45 of 07/23/2026", NULL, 0, 0, {0}},
	{"row", NULL, 0, 3, {10, 4000, NAN}},
	{"row", NULL, 0, 0, {0}},
	{"header", "", 0, 1, {0}},
	{"header", "Russia TZ 4 Standard Time", -300, 0, {0}},
	{"rows", NULL, 0, 3, {0}},
	{"detect", "GMT", 0, 1, {0}},
	{"detect", NULL, 0, 0, {0}},
	{"row", NULL, 0, 4, {2e9, 55.5, 300}},
	{"line", NULL, 0, 0, {0}},
	{"line", NULL, 0, 0, {0}},
	{"row", NULL, 0, 1, {11.296813511113458}},
	{"row", NULL, 0, 2, {0.26679653905997197, 2.8829087316668804}},
	{"row", NULL, 0, 2, {0.13331924737007395, 2.0239260004978679}},
	{"header", "Maroc (heure d", 0, 0, {0}},
};

static void
check_header(const struct vector *v, const char *text)
{
	char whole[1024];
	struct table t;
	const char *more = v->n_columns == 0 ? "\"," A : "";
	size_t len = strlen(text);

	// "..." stands for more columns; a header may also be quoted without its quotes.
	if (len > 3 && strcmp(text + len - 3, "...") == 0)
		(void)snprintf(whole, sizeof(whole), "%.*s" A CRLF, (int)(len - 3), text);
	else if (text[0] != '"')
		(void)snprintf(whole, sizeof(whole), "\"%s%s" CRLF, text, more);
	else
		(void)snprintf(whole, sizeof(whole), "%s" CRLF, text);
	for (char *tab = whole; (tab = strstr(tab, "<TAB>")) != NULL;) {
		*tab = '\t';
		memmove(tab + 1, tab + 5, strlen(tab + 5) + 1);
	}
	read_text(&t, whole);
	T_EQ_STR_AT(info_of(&t)->zone, v->zone, text);
	T_EQ_I64_AT(info_of(&t)->utc_offset_min, -v->bias_min, text);
	T_EQ_U64_AT(n_series(&t), v->n_columns > 0 ? v->n_columns : 1, text);
	close_table(&t);
}

static void
check_row(const struct vector *v, const char *text)
{
	char whole[1024];
	struct table t;
	size_t len = strlen(text);

	if (len > 4 && strcmp(text + len - 4, ",...") == 0)
		len -= 4;
	(void)snprintf(whole, sizeof(whole), "%s%.*s" CRLF, HEAD "," A "," A "," A "," A CRLF,
		       (int)len, text);
	read_text(&t, whole);
	T_EQ_U64_AT(t.n_rows, v->n_columns > 0, text);
	for (size_t i = 0; i < v->n_columns && i < 3; i++)
		T_EQ_DBL_AT(t.cell[0][i], v->cells[i], text);
	close_table(&t);
}

static void
check_rows(const char *text)
{
	char whole[1024];
	struct table t;
	size_t len = (size_t)snprintf(whole, sizeof(whole), "%s", HEAD "," A "," A "," B CRLF);

	for (; *text != '\0'; text++) { // lines stand apart by " / "
		if (strncmp(text, "\" / \"", 5) == 0) {
			len += (size_t)snprintf(whole + len, sizeof(whole) - len, "\"" CRLF);
			text += 3;
			continue;
		}
		whole[len++] = *text;
	}
	(void)snprintf(whole + len, sizeof(whole) - len, CRLF);
	read_text(&t, whole);
	T_EQ_U64(t.n_rows, 3);
	T_EQ_I64(t.time[1] - t.time[0], 5004 * PMON_TIME_PER_MSEC);
	T_EQ_I64(t.time[2] - t.time[1], 5004 * PMON_TIME_PER_MSEC);
	T_EQ_DBL(t.cell[0][1], NAN);
	T_EQ_DBL(t.cell[1][1], 0.5);
	T_EQ_DBL(t.cell[2][1], 9.5);
	close_table(&t);
}

static void
check_seconds(void)
{
	struct table t;

	read_text(&t, HEAD "," A CRLF "\"07/23/2026 06:04:43.000\",\"1\"" CRLF
			   "\"07/23/2026 06:04:44.000\",\"1\"" CRLF
			   "\"07/23/2026 06:04:45.000\",\"1\"" CRLF);
	T_EQ_I64(t.time[1] - t.time[0], PMON_TIME_PER_SEC);
	T_EQ_I64(t.time[2] - t.time[0], 2 * PMON_TIME_PER_SEC);
	close_table(&t);
}

static void
check_no_log(const char *text)
{
	struct table t;

	open_bytes(&t, text, strlen(text), NULL);
	assert_int_equal(t.status, PMON_E_FORMAT);
}

static void
check_line(const char *text)
{
	char whole[512];
	struct table t;

	if (text[0] == '(') // "(empty line first)"
		(void)snprintf(whole, sizeof(whole), CRLF HEAD "," A CRLF T0 ",\"1\"" CRLF);
	else
		(void)snprintf(whole, sizeof(whole), HEAD "," A CRLF T0 ",\"1\"" CRLF "%s" CRLF,
			       text);
	read_text(&t, whole);
	T_EQ_U64(t.n_rows, 1);
	T_EQ_U64(t.n_losses, 0);
	close_table(&t);
}

static void
check_vector(const struct vector *v, const char *text)
{
	if (strcmp(v->kind, "header") == 0 || (strcmp(v->kind, "detect") == 0 && v->zone != NULL))
		check_header(v, text);
	else if (strcmp(v->kind, "row") == 0)
		check_row(v, text);
	else if (strcmp(v->kind, "rows") == 0)
		check_rows(text);
	else if (strcmp(v->kind, "detect") == 0)
		check_no_log(text);
	else if (strcmp(v->kind, "line") == 0)
		check_line(text);
	else
		check_seconds();
}

static void
the_shared_vectors_hold(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/log_vectors.csv");
	for (; t_csv_next(&csv); n++) {
		assert_true(n < T_LEN(vectors));
		T_EQ_STR_AT(t_csv_get(&csv, "kind"), vectors[n].kind, t_csv_get(&csv, "text"));
		check_vector(&vectors[n], t_csv_get(&csv, "text"));
	}
	t_csv_close(&csv);
	T_EQ_U64(n, T_LEN(vectors));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_of_spreadsheets_are_read),
		cmocka_unit_test(quoted_times_without_milliseconds_are_month_first),
		cmocka_unit_test(the_whole_file_gives_the_order_of_dates),
		cmocka_unit_test(semicolons_speak_for_the_day_first),
		cmocka_unit_test(times_without_a_date_run_on),
		cmocka_unit_test(logs_without_an_offset),
		cmocka_unit_test(logs_of_a_zone_with_summer_time),
		cmocka_unit_test(a_line_without_a_date_among_others_is_lost),
		cmocka_unit_test(decimal_commas_are_read),
		cmocka_unit_test(trailing_separators_do_no_harm),
		cmocka_unit_test(a_repeated_hour_is_reported_and_repaired),
		cmocka_unit_test(a_missing_hour_is_reported_and_repaired),
		cmocka_unit_test(a_second_change_is_ignored),
		cmocka_unit_test(other_steps_are_not_daylight_saving),
		cmocka_unit_test(each_column_is_asked_for_once),
		cmocka_unit_test(names_give_types),
		cmocka_unit_test(all_known_counters_are_known),
		cmocka_unit_test(users_can_add_types),
		cmocka_unit_test(sixty_thousand_columns_are_read),
		cmocka_unit_test(the_shared_vectors_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
