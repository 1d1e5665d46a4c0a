// test_pdhtext_fields.c - the fields of a line, and times as they are written
// SPDX-License-Identifier: MIT
//
// The expected fields follow from the rules at the head of fields.c and in docs/reference/formats/pdhtext.md.

#include "t.h"

#include "format/pdhtext/pdhtext.h"

static struct pdht_fields
fields_of(const char *line, bool is_strict)
{
	return (struct pdht_fields){
		.p = line, .end = line + strlen(line), .separator = ',', .is_strict = is_strict};
}

static void
lines_become_fields(void **state)
{
	static const struct {
		const char *line;
		bool is_strict;
		const char *fields; // with a bar after each
		bool is_open;       // the last one
	} rows[] = {
		{"", false, "|", false},
		{"a,,b", false, "a||b|", false},
		{"a,", false, "a||", false},
		{"\"a\",\"b\"", false, "a|b|", false},
		{"\"a\" \t,\"b\" ", false, "a|b|", false},
		{"\"a,b\",c", false, "a,b|c|", false},
		{"\"a\"b\",c", false, "a\"b|c|", false},
		{"\"say \"\"hi\"\", now\",c", false, "say \"\"hi\"\", now|c|", false},
		{"\"a\",b\",\"c\"", true, "a\",b|c|", false},
		{"\"a\",b\",\"c\"", false, "a|b\"|c|", false},
		{"a,\"b,c", false, "a|b,c|", true},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pdht_fields fields = fields_of(rows[i].line, rows[i].is_strict);
		struct pdht_field field;
		char got[64] = "";
		bool is_open = false;

		while (pmon_pdht_field_next(&fields, &field)) {
			strncat(got, field.text.ptr, field.text.len);
			strcat(got, "|");
			is_open = field.is_open;
		}
		T_EQ_STR_AT(got, rows[i].fields, rows[i].line);
		T_EQ_BOOL_AT(is_open, rows[i].is_open, rows[i].line);
	}
}

static void
blanks_around_are_taken_off(void **state)
{
	(void)state;
	T_EQ_SPAN(pmon_pdht_trim(t_span("\t 5 6\t ")), "5 6");
	T_EQ_SPAN(pmon_pdht_trim(t_span("5")), "5");
	T_EQ_SPAN(pmon_pdht_trim(t_span(" \t")), "");
}

static void
times_are_taken_apart(void **state)
{
	static const struct {
		const char *text;
		int32_t hour, minute, second, ticks;
	} rows[] = {
		{"07/23/2026 06:04:43.125", 6, 4, 43, 1250000},
		{"7/23/2026 6:04:43.1234567", 6, 4, 43, 1234567},
		{"7/23/2026 6:04:43.12345678", 6, 4, 43, 1234567}, // beyond 100 ns
		{"7/23/2026 6:04:43,5", 6, 4, 43, 5000000},
		{"7/23/2026 6:04", 6, 4, 0, 0},
		{"7/23/2026 12:04 AM", 0, 4, 0, 0},
		{"7/23/2026 12:04 pm", 12, 4, 0, 0},
		{"7/23/2026 1:04:05 PM", 13, 4, 5, 0},
		{"7/23/2026 1:04:05 p. m.", 13, 4, 5, 0},
		{"7/23/2026 12:04:05 A.M.", 0, 4, 5, 0},
		{"7/23/2026 1:04:05\xE2\x80\xAFp.\xC2\xA0m.", 13, 4, 5, 0}, // as ICU writes Spanish
		{"23-Jul-2026 6:04:05", 6, 4, 5, 0},
	};
	static const char *const none[] = {
		"7/23/2026 6:4",        "7/23/2026 6:04:4",    "7/23/2026 6:004",
		"7/23/2026 006:04",     "7/23/2026 13:04 PM",  "7/23/2026 6:04:43.",
		"7/23/2026 0:04 AM",    "7/23/2026 6:04 XM",   "7/23/2026",
		"7/23/2026 6:04:43.5x", "7/23/2026 6:04 a. m", "7/23/2026 6:04 a m.",
		"23-Juli-2026 6:04",    "23-Jul/2026 6:04",    "23-Ju-2026 6:04",
	};
	struct pdht_stamp stamp;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		T_EQ_BOOL_AT(pmon_pdht_stamp_read(t_span(rows[i].text), &stamp), true,
			     rows[i].text);
		T_EQ_I64_AT(stamp.first, 7, rows[i].text);
		T_EQ_I64_AT(stamp.second, 23, rows[i].text);
		T_EQ_I64_AT(stamp.clock.year, 2026, rows[i].text);
		T_EQ_I64_AT(stamp.clock.hour, rows[i].hour, rows[i].text);
		T_EQ_I64_AT(stamp.clock.minute, rows[i].minute, rows[i].text);
		T_EQ_I64_AT(stamp.clock.second, rows[i].second, rows[i].text);
		T_EQ_I64_AT(stamp.clock.ticks, rows[i].ticks, rows[i].text);
	}
	for (size_t i = 0; i < T_LEN(none); i++)
		T_EQ_BOOL_AT(pmon_pdht_stamp_read(t_span(none[i]), &stamp), false, none[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_fields),
		cmocka_unit_test(blanks_around_are_taken_off),
		cmocka_unit_test(times_are_taken_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
