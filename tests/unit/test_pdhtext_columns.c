// test_pdhtext_columns.c - no column of a text log is lost without a notice, whichever program wrote it
// SPDX-License-Identifier: MIT
//
// Tables are random: separators, quotes, languages, column order. Expected values come from the
// integers that the cells were printed from, not from the reader.

#include "test_pdhtext.h"

#include "buf.h"
#include "format/pdhtext/pdhtext.h"

#define MOST  10 // columns
#define LINES 6

struct language {
	const char *decimal;
	const char *group;
};

static const struct language languages[] = {
	{".", ","},            // English
	{",", "."},            // German
	{",", " "},            // typed
	{",", "\xC2\xA0"},     // French, until 2020
	{",", "\xE2\x80\xAF"}, // French
	{".", "'"},            // Swiss
	{".", "\xE2\x80\x99"}, // Swiss, today
	{".", ""},             // Windows itself
	{",", ""},
};

enum kind {
	COUNTER,
	BARE,    // without its first backslash
	DOUBLED, // with each backslash twice
	HOST,    // with one backslash before the machine
	NAME,    // of something else, with numbers
	WORDS,   // the same, with texts
	TORN,    // a counter path that is damaged
	KINDS
};

struct column {
	enum kind kind;
	char name[40];
	int64_t hundredths[LINES];
};

struct made {
	struct buf text;
	struct column columns[MOST];
	size_t n;
	bool has_caption;
	char separator;
	bool is_quoted;
	const struct language *language;
};

static void
put_field(struct made *m, const char *text)
{
	bool quotes = m->is_quoted || strchr(text, m->separator) != NULL;

	buf_add(&m->text, quotes ? "\"%s\"" : "%s", text);
}

// 123456789 hundredths in German: 1.234.567,89
static void
print_number(const struct language *l, int64_t hundredths, char out[80])
{
	char digits[32];
	int64_t whole = hundredths / 100;
	int n = snprintf(digits, sizeof(digits), "%lld", (long long)whole);
	size_t at = 0;

	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			at += (size_t)snprintf(out + at, 80 - at, "%s", l->group);
		out[at++] = digits[i];
	}
	(void)snprintf(out + at, 80 - at, "%s%02d", l->decimal, (int)(hundredths % 100));
	if (hundredths % 100 == 0)
		out[at] = '\0'; // as spreadsheets write integers
}

static void
make_column(struct column *c, size_t i, struct t_rand *r)
{
	static const char *const names[KINDS] = {
		[COUNTER] = "\\\\SRV\\O(%zu)\\C",
		[BARE] = "O(%zu)\\C",
		[NAME] = "Room %zu",
		[WORDS] = "Remark %zu",
		[TORN] = "\\\\SRV\\O(%zu",
		[HOST] = "\\SRV\\O(%zu)\\C",
		[DOUBLED] = "\\\\\\\\SRV\\\\O(%zu)\\\\C",
	};

	c->kind = i == 0 ? COUNTER : (enum kind)t_rand_below(r, KINDS);
	(void)snprintf(c->name, sizeof(c->name), names[c->kind], i);
	for (size_t line = 0; line < LINES; line++)
		c->hundredths[line] = (int64_t)t_rand_below(r, 1000000000) + 1;
	c->hundredths[0] = 123456789; // has two marks, which show what each of them is
}

static void
put_header(struct made *m)
{
	put_field(m, "(PDH-CSV 4.0) (UTC)(0)");
	for (size_t i = 0; i < m->n; i++) {
		buf_add(&m->text, "%c", m->separator);
		put_field(m, m->columns[i].name);
	}
	if (m->has_caption) {
		buf_add(&m->text, "%c", m->separator);
		put_field(m, "what the log is about");
	}
	buf_add(&m->text, "\n");
}

static void
put_line(struct made *m, size_t line)
{
	char cell[80];

	(void)snprintf(cell, sizeof(cell), "01/02/2026 03:04:%02zu.000", line);
	put_field(m, cell);
	for (size_t i = 0; i < m->n; i++) {
		buf_add(&m->text, "%c", m->separator);
		if (m->columns[i].kind == WORDS)
			(void)snprintf(cell, sizeof(cell), "all well");
		else
			print_number(m->language, m->columns[i].hundredths[line], cell);
		put_field(m, cell);
	}
	if (m->has_caption) {
		buf_add(&m->text, "%c", m->separator);
		put_field(m, " ");
	}
	buf_add(&m->text, "\n");
}

static void
make(struct made *m, struct t_rand *r)
{
	*m = (struct made){
		.n = 1 + t_rand_below(r, MOST),
		.has_caption = t_rand_below(r, 3) == 0,
		.separator = ",;\t|"[t_rand_below(r, 4)],
		.is_quoted = t_rand_below(r, 2) == 0,
		.language = &languages[t_rand_below(r, T_LEN(languages))],
	};
	for (size_t i = 0; i < m->n; i++)
		make_column(&m->columns[i], i, r);
	put_header(m);
	for (size_t line = 0; line < LINES; line++)
		put_line(m, line);
}

static void
check_counter(const struct made *m, const struct table *t, const struct column *c, size_t series)
{
	const struct pmon_path *path = &series_of(t, series)->path;
	char instance[24];

	(void)snprintf(instance, sizeof(instance), "%zu", (size_t)(c - m->columns));
	if (c->kind == BARE)
		T_EQ_U64(path->machine.len, 0);
	else
		T_EQ_SPAN(path->machine, "SRV");
	T_EQ_SPAN(path->object, "O");
	T_EQ_SPAN(path->instance, instance);
	T_EQ_SPAN(path->counter, "C");
	for (size_t line = 0; line < LINES; line++)
		if (t->cell[line][series] < (double)c->hundredths[line] / 100 ||
		    t->cell[line][series] > (double)c->hundredths[line] / 100) {
			print_error("%s\n%s", m->text.text, t->notices);
			T_EQ_DBL(t->cell[line][series], (double)c->hundredths[line] / 100);
		}
}

// A column that is not read is named, with how many cells it has.
static void
check_skipped(const struct table *t, const struct column *c)
{
	char want[200];

	(void)snprintf(want, sizeof(want), "%s%d cells of \"%s\" were not read",
		       c->kind == WORDS ? "" : "lost: ", LINES, c->name);
	HAS_NOTICE(t, want);
}

static void
each_column_is_read_or_named(void **state)
{
	struct t_rand r = {5};
	size_t n = t_runs("PMON_TEST_TABLES", 2000);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct made m;
		struct table t;
		size_t series = 0;

		make(&m, &r);
		read_bytes(&t, m.text.text, m.text.len, NULL);
		for (size_t k = 0; k < m.n; k++) {
			const struct column *c = &m.columns[k];

			if (c->kind <= HOST)
				check_counter(&m, &t, c, series++);
			else
				check_skipped(&t, c);
		}
		T_EQ_U64(n_series(&t), series);
		T_EQ_U64(t.n_rows, LINES);
		T_EQ_BOOL_AT(strstr(t.notices, "the caption of the log: \"what the log") != NULL,
			     m.has_caption, m.text.text);
		close_table(&t);
		buf_free(&m.text);
	}
}

// ---- Numbers --------------------------------------------------------------------------------

// The decimal marks that a number is consistent with, and its value under either mark and without
// one.
static void
marks_show_what_they_are(void **state)
{
	static const struct {
		const char *text;
		double point; // NAN: no number
		double comma;
		double unknown;
	} numbers[] = {
		{"12", 12, 12, 12},
		{"1.5", 1.5, 1.5, 1.5},
		{"1,5", 1.5, 1.5, 1.5},
		{"0.125", 0.125, 0.125, 0.125},
		{"0,125", 0.125, 0.125, 0.125},
		{"1234,567", 1234.567, 1234.567, 1234.567},
		{"1,234", 1234, 1.234, NAN},
		{"1.234", 1.234, 1234, NAN},
		{"-12,345", -12345, -12.345, NAN},
		{"1,234.5", 1234.5, 1234.5, 1234.5},
		{"1.234,5", 1234.5, 1234.5, 1234.5},
		{"1,234,567", 1234567, 1234567, 1234567},
		{"1.234.567", 1234567, 1234567, 1234567},
		{"12,34,567.25", 1234567.25, 1234567.25, 1234567.25}, // India
		{"1 234", 1234, 1234, 1234},
		{"1 234,567", 1234.567, 1234.567, 1234.567},
		{"1\xC2\xA0"
		 "234.567",
		 1234.567, 1234.567, 1234.567},
		{"1'234'567", 1234567, 1234567, 1234567},
		{"1.234E+11", 1.234e11, 1.234e11, 1.234e11},
		{"1,234E+11", 1.234e11, 1.234e11, 1.234e11},
		{"1,23,456,7", NAN, NAN, NAN},
		{"1,2345,678", NAN, NAN, NAN},
		{"1.234,567,890", NAN, NAN, NAN},
		{"1,,234", NAN, NAN, NAN},
		{"12 34", NAN, NAN, NAN},
		{"1.2.3", NAN, NAN, NAN},
		{"0,123,456", NAN, NAN, NAN},
		{",", NAN, NAN, NAN},
		{"-", NAN, NAN, NAN},
		{"", NAN, NAN, NAN},
		{"1,234E", NAN, NAN, NAN},
	};
	static const char decimals[] = {'.', ',', PDHT_NO_MARK};

	(void)state;
	for (size_t i = 0; i < T_LEN(numbers); i++)
		for (size_t k = 0; k < T_LEN(decimals); k++) {
			double want = k == 0   ? numbers[i].point
				      : k == 1 ? numbers[i].comma
					       : numbers[i].unknown;
			double got;
			enum pmon_pdht_number kind = pmon_pdht_number_grouped(
				t_span(numbers[i].text), decimals[k], &got);

			T_EQ_BOOL_AT(kind == PDHT_NUMBER, !isnan(want), numbers[i].text);
			if (kind == PDHT_NUMBER)
				T_EQ_DBL_AT(got, want, numbers[i].text);
		}
}

// Rounded as the same digits are without separators.
static void
groups_do_not_change_the_number(void **state)
{
	struct t_rand r = {7};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		const struct language *l = &languages[t_rand_below(&r, 7)];
		int64_t hundredths = (int64_t)(t_rand_u64(&r) >> (4 + t_rand_below(&r, 50)));
		char simple[80];
		char text[80];
		double want;
		double got;

		print_number(&(struct language){".", ""}, hundredths, simple);
		print_number(l, hundredths, text);
		want = strtod(simple, NULL);
		T_EQ_I64_AT(pmon_pdht_number_grouped(t_span(text), l->decimal[0], &got),
			    PDHT_NUMBER, text);
		T_EQ_DBL_AT(got, want, text);
	}
}

// A mark that only one later line explains counts for the lines before it too.
static void
late_numbers_explain_earlier_ones(void **state)
{
	struct buf text = {NULL, 0, 0};
	struct table t;

	(void)state;
	buf_add(&text, "%s", "(PDH-CSV 4.0) (UTC)(0)," A "," B "\n");
	for (int i = 0; i < 100; i++)
		buf_add(&text, "1/2/2026 3:%02d:%02d,\"1,234\",%d\n", i / 60, i % 60, i);
	buf_add(&text, "1/2/2026 3:10:00,\"1,234.5\",7\n");
	read_bytes(&t, text.text, text.len, NULL);
	T_EQ_DBL(t.cell[0][0], 1234);
	T_EQ_DBL(t.cell[100][0], 1234.5);
	T_EQ_U64(t.n_losses, 0);
	close_table(&t);
	buf_free(&text);
}

// Columns of different languages keep their marks; a column whose numbers disagree loses the
// ambiguous ones.
static void
each_column_has_its_mark(void **state)
{
	struct table t;

	(void)state;
	read_text(&t, HEAD "," A "," A ",\"\\\\SRV\\O\\C\"" CRLF             //
			      T0 ",\"1.5\",\"1,5\",\"1,5\"" CRLF             //
				      T0 ",\"1,250\",\"1.250\",\"1.5\"" CRLF //
					      T0 ",\"1.250\",\"1,250\",\"1,250\"" CRLF);
	T_EQ_DBL(t.cell[0][0], 1.5);
	T_EQ_DBL(t.cell[0][1], 1.5);
	T_EQ_DBL(t.cell[0][2], 1.5);
	T_EQ_DBL(t.cell[1][0], 1250);
	T_EQ_DBL(t.cell[1][1], 1250);
	T_EQ_DBL(t.cell[1][2], 1.5);
	T_EQ_DBL(t.cell[2][0], 1.25);
	T_EQ_DBL(t.cell[2][1], 1.25);
	T_EQ_DBL(t.cell[2][2], INFINITY);
	HAS_NOTICE(&t, "lost: 1 cell of \"\\\\SRV\\O\\C\" may have a decimal mark or separate "
		       "thousands, and "
		       "has no value; line 4: 1,250");
	T_EQ_U64(t.n_losses, 1);
	close_table(&t);
}

// ---- Captions -------------------------------------------------------------------------------

// The last column is a counter if its name or its cells suggest so, and a caption if its cells are
// empty.
static void
the_last_column_may_be_a_counter(void **state)
{
	static const struct {
		const char *header;
		const char *cell;
		size_t n_series;
		const char *notice;
	} logs[] = {
		{"O\\C", ",\"3\"", 1, ""},
		{"O\\C\",\"P\\D", ",\"2\",\"3\"", 2, ""},
		{"O\\C\",\"P\\D", ",\"2\",\" \"", 2, ""},
		{"O\\C\",\"P\\D", "", 2, ""},
		{"\\\\S\\O\\C\",\"P\\D", ",\"2\",\"3\"", 2, ""},
		{"\\\\S\\O\\C\",\"P\\D", ",\"2\",\" \"", 1, "the caption of the log: \"P\\D\""},
		{"\\\\S\\O\\C\",\"P\\D", ",\"2\"", 1, "the caption of the log: \"P\\D\""},
		{"\\\\S\\O\\C\",\"about", ",\"2\",\"\"", 1, "the caption of the log: \"about\""},
		{"\\\\S\\O\\C\",\"about", ",\"2\",\"3\"", 1,
		 "lost: 1 cell of \"about\" was not read: the column has no counter path; line 2: "
		 "3"},
		{"\\\\S\\O\\C\",\"about", ",\"2\",\"x\"", 1,
		 "1 cell of \"about\" was not read: the column has no counter path; line 2: x"},
		{"\\\\S\\O\\C\",\"", ",\"2\",\"3\"", 1,
		 "lost: 1 cell of a column without a name was not read"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(logs); i++) {
		char text[512];
		struct table t;

		(void)snprintf(text, sizeof(text), HEAD ",\"%s\"" CRLF T0 "%s" CRLF, logs[i].header,
			       logs[i].cell);
		read_text(&t, text);
		HAS_NOTICE(&t, logs[i].notice);
		T_EQ_U64_AT(n_series(&t), logs[i].n_series, text);
		T_EQ_U64(t.n_losses, strncmp(logs[i].notice, "lost", 4) == 0);
		close_table(&t);
	}
}

// Many columns without a path: the first are named, all are counted.
static void
many_columns_are_counted(void **state)
{
	struct buf text = {NULL, 0, 0};
	struct table t;

	(void)state;
	buf_add(&text, HEAD "," A);
	for (int i = 0; i < 50; i++)
		buf_add(&text, ",\"Room %d\"", i);
	buf_add(&text, CRLF T0 ",\"1\"");
	for (int i = 0; i < 50; i++)
		buf_add(&text, ",\"%d\"", i);
	buf_add(&text, CRLF);
	read_bytes(&t, text.text, text.len, NULL);
	HAS_NOTICE(&t, "skipped 50 columns without a counter path: \"Room 0\", \"Room 1\"");
	HAS_NOTICE(&t, "lost: 1 cell of \"Room 19\" was not read");
	HAS_NOTICE(
		&t,
		"lost: 30 cells of 30 more columns were not read: the column has no counter path");
	close_table(&t);
	buf_free(&text);
}

// In a header without quotes a separator may be part of a name; the lines show how many cells there are.
static void
names_are_joined_where_lines_agree(void **state)
{
	struct table t;

	(void)state;
	read_text(&t,
		  "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O(a,b)\\C,\\\\S\\O\\D\n1/2/2026 3:04:05,1,2\n");
	T_EQ_U64(n_series(&t), 2);
	T_EQ_DBL(t.cell[0][1], 2);
	close_table(&t);
	read_text(&t,
		  "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C,Room,\\\\S\\O\\D\n1/2/2026 3:04:05,1,2,3\n");
	T_EQ_U64(n_series(&t), 2);
	T_EQ_DBL(t.cell[0][0], 1);
	T_EQ_DBL(t.cell[0][1], 3);
	HAS_NOTICE(&t, "lost: 1 cell of \"Room\" was not read");
	close_table(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_column_is_read_or_named),
		cmocka_unit_test(marks_show_what_they_are),
		cmocka_unit_test(groups_do_not_change_the_number),
		cmocka_unit_test(late_numbers_explain_earlier_ones),
		cmocka_unit_test(each_column_has_its_mark),
		cmocka_unit_test(the_last_column_may_be_a_counter),
		cmocka_unit_test(many_columns_are_counted),
		cmocka_unit_test(names_are_joined_where_lines_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
