// test_cells.c - the cells of a line as doubles: by every form as by the plain one, and as strtod()
// SPDX-License-Identifier: MIT
//
// The lines are random: numbers as in logs, numbers near the midpoint of two doubles, and
// everything else that a cell may contain. PMON_DECIMAL_RUNS sets the approximate number.

#include "t.h"

#include <stdlib.h>

#include "format/pdhtext/pdhtext.h"
#include "simd/simd.h"

#define RUNS       400000
#define MOST_CELLS 700
#define MOST_LINE  ((size_t)MOST_CELLS * 80 + 64)

static struct t_rand numbers = {1};

static unsigned
below(unsigned n)
{
	return (unsigned)t_rand_below(&numbers, n);
}

// ---- Lines ----------------------------------------------------------------------------------

// A cell that is a number and nothing else.
static void
plain_cell(char text[80])
{
	double d = (double)(t_rand_u64(&numbers) >> below(64));

	switch (below(8)) {
	case 0:
		(void)snprintf(text, 80, "%llu",
			       (unsigned long long)(t_rand_u64(&numbers) >> below(64)));
		break;
	case 1:
		(void)snprintf(text, 80, "%.6f", (double)below(1000000) / (1 + below(64)));
		break;
	case 2: // doubles that have few digits
		(void)snprintf(text, 80, "%.*f", (int)below(12), (double)below(100000) / 64);
		break;
	case 3: // the middle of two, and next to it
		(void)snprintf(text, 80, "%llu.%u",
			       (unsigned long long)((t_rand_u64(&numbers) >> 10) | 1) + below(2),
			       below(2));
		break;
	case 4:
		(void)snprintf(text, 80, "%0*u", (int)below(30), below(1000));
		break;
	default:
		(void)snprintf(text, 80, "%.17g",
			       d / (double)((t_rand_u64(&numbers) >> below(64)) | 1));
	}
}

// One that is something else, or looks like it.
static const char *const odd[] = {
	"",
	" ",
	"-1",
	"+5",
	".",
	".5",
	"5.",
	"1..2",
	"1.2.3",
	"1e5",
	"1.5E-3",
	"nan",
	"-1.#IND",
	"\"",
	"\"\"",
	"1\"2",
	"1,5",
	"1;5",
	"12345678901234567890123456789012345678901234567890",
	"0.00000000000000000000000000000000000000000000001",
	"1 ",
	" 1",
	"/",
	":",
	"0x10",
	"1\x80",
	"9999999999999999999",
	"10000000000000000000.5",
	"0.0",
	"000000000000000000000000000.000",
	"18446744073709551616",
	"0.30000000000000000000000000001",
};

struct form {
	bool is_quoted;
	char separator;
	char mark;
	unsigned n_odd; // of 1000 cells
};

static size_t
make_line(char *line, const struct form *form, size_t n)
{
	size_t len = (size_t)sprintf(line, "%s", below(8) ? "\"01/01/2024 00:00:04.002\"" : "x");

	for (size_t i = 0; i < n; i++) {
		bool is_odd = below(1000) < form->n_odd;
		bool is_quoted = is_odd && below(4) == 0 ? !form->is_quoted : form->is_quoted;
		char text[80];

		plain_cell(text);
		if (is_odd)
			(void)snprintf(text, sizeof(text), "%s", odd[below(T_LEN(odd))]);
		for (char *p = text; *p != '\0'; p++)
			if (*p == '.')
				*p = form->mark;
		len += (size_t)sprintf(line + len, is_quoted ? "%c\"%s\"" : "%c%s", form->separator,
				       text);
	}
	return len;
}

// ---- Reading --------------------------------------------------------------------------------

// The number in text[from..to), by strtod().
static void
check_number(const char *text, size_t from, size_t to, char mark, double got)
{
	char copy[1024];
	size_t n = to - from;

	if (text[from] == '"') {
		from++;
		n -= 2;
	}
	assert_true(n < sizeof(copy));
	memcpy(copy, text + from, n);
	copy[n] = '\0';
	if (strchr(copy, mark) != NULL)
		*strchr(copy, mark) = '.';
	T_EQ_DBL_AT(got, strtod(copy, NULL), copy);
}

// The line by a form and by the plain one, over cells that are no numbers to the next separator. Returns how
// many are.
static size_t
check_line(const struct pmon_simd *simd, const char *line, size_t len, const struct form *form)
{
	static double got[MOST_CELLS];
	static double want[MOST_CELLS];
	struct pmon_span span = {line, len};
	const char *first = memchr(line, form->separator, len);
	struct pmon_cells cells;
	struct pmon_cells plain;
	size_t total = 0;

	pmon_cells_begin(&cells, simd, span, form->separator, form->mark);
	pmon_cells_begin(&plain, pmon_simd_at(0), span, form->separator, form->mark);
	cells.at = plain.at = first != NULL ? (size_t)(first - line) + 1 : len + 1;
	while (plain.at <= len) {
		size_t most = 1 + below(MOST_CELLS);
		size_t from = plain.at;
		size_t n = pmon_cells_read(&plain, want, most);
		const char *next;

		T_EQ_U64_AT(pmon_cells_read(&cells, got, most), n, line);
		T_EQ_U64_AT(cells.at, plain.at, line);
		assert_memory_equal(got, want, n * sizeof(*got));
		for (size_t i = 0; i < n; i++) {
			size_t to = from;

			while (to < len && line[to] != form->separator)
				to++;
			if (form->separator != form->mark)
				check_number(line, from, to, form->mark, got[i]);
			from = to + 1;
		}
		total += n;
		if (n == most || plain.at > len)
			continue;
		next = memchr(line + plain.at, form->separator, len - plain.at);
		cells.at = plain.at = next != NULL ? (size_t)(next - line) + 1 : len + 1;
	}
	return total;
}

// Random columns; a word more than there are columns.
static void
want_some(uint64_t wanted[MOST_CELLS / 64 + 3])
{
	unsigned one_in = 1U << below(8);

	memset(wanted, 0, (MOST_CELLS / 64 + 3) * sizeof(*wanted));
	for (unsigned i = 0; i < MOST_CELLS; i++)
		if (below(one_in) == 0)
			wanted[i / 64] |= (uint64_t)1 << i % 64;
}

// The number of a field by the plain form, if it reads it.
static bool
read_alone(const struct pmon_cells *cells, size_t at, double *out)
{
	struct pmon_cells plain;

	pmon_cells_begin(&plain, pmon_simd_at(0), cells->line, cells->separator, cells->mark);
	plain.at = at;
	return pmon_cells_read(&plain, out, 1) == 1;
}

// Go through the fields that were passed: the wanted ones are the numbers in got.
static void
check_passed(const struct pmon_cells *cells, struct pdht_fields *fields, size_t column, size_t n,
	     const double *got, size_t n_got)
{
	const char *line = cells->line.ptr;
	size_t i = 0;

	for (size_t end = column + n; column < end; column++) {
		size_t at = (size_t)(fields->p - line);
		struct pdht_field field;
		double want = 0;

		if (cells->wanted[column / 64] >> column % 64 & 1) {
			assert_true(i < n_got && read_alone(cells, at, &want));
			T_EQ_DBL_AT(got[i++], want, line + at);
		}
		assert_true(pmon_pdht_field_next(fields, &field));
		assert_false(field.is_open);
	}
	T_EQ_U64_AT(i, n_got, line);
	T_EQ_U64_AT(cells->at, (size_t)(fields->p - line) + fields->is_done, line);
}

// Skipped fields must equal those of fields.c; a form stops only before a requested field, or one
// that is not a number. Returns how many were skipped.
static size_t
check_picks(const struct pmon_simd *simd, const char *line, size_t len, const struct form *form)
{
	static uint64_t wanted[MOST_CELLS / 64 + 3];
	static double got[MOST_CELLS];
	struct pdht_fields fields = {.p = line, .end = line + len, .separator = form->separator};
	struct pdht_field field;
	struct pmon_cells cells;
	size_t passed = 0;
	size_t n_got;

	if (form->separator ==
	    form->mark) // fields.c takes a mark outside of quotes for a separator
		return 0;
	want_some(wanted);
	pmon_cells_begin(&cells, simd, (struct pmon_span){line, len}, form->separator, form->mark);
	cells.wanted = wanted;
	(void)pmon_pdht_field_next(&fields, &field);
	for (size_t column = 0; !fields.is_done && column < MOST_CELLS; column++) {
		size_t most = 1 + below(MOST_CELLS);
		bool is_wanted;
		double alone;
		size_t n;

		most = most < MOST_CELLS - column ? most : MOST_CELLS - column;
		cells.at = (size_t)(fields.p - line);
		n = pmon_cells_pick(&cells, column, got, most, &n_got);
		assert_true(n <= most);
		check_passed(&cells, &fields, column, n, got, n_got);
		passed += n;
		column += n;
		if (n == most || fields.is_done) {
			column--;
			continue;
		}
		is_wanted = wanted[column / 64] >> column % 64 & 1;
		assert_false(is_wanted && read_alone(&cells, (size_t)(fields.p - line), &alone));
		(void)pmon_pdht_field_next(&fields, &field);
		assert_true(is_wanted || form->n_odd > 0 || fields.is_done);
	}
	return passed;
}

static void
many_are_as_one_at_a_time(void **state)
{
	static const char separators[] = ",\t;";
	char *line = malloc(MOST_LINE);
	size_t most = t_runs("PMON_DECIMAL_RUNS", RUNS);
	size_t n_passed[2] = {0, 0}; // by the plain form, and by others
	size_t total = 0;

	(void)state;
	assert_non_null(line);
	for (size_t i = 0; pmon_simd_at(i) != NULL; i++)
		print_message("%s\n", pmon_simd_name(pmon_simd_at(i)));
	while (total < most) {
		struct form form = {below(3) > 0, separators[below(3)], below(4) ? '.' : ',', 0};
		size_t n = below(4) ? below(40) : below(MOST_CELLS);
		char *text;
		size_t len;

		if (below(3) > 0)
			form.n_odd = 1U << below(10);
		len = make_line(line, &form, n);
		// Nothing after the line is read; memory checkers detect that.
		text = malloc(len + 1);
		assert_non_null(text);
		memcpy(text, line, len);
		text[len] = '\0';
		for (size_t i = 0; pmon_simd_at(i) != NULL; i++)
			total += check_line(pmon_simd_at(i), text, len, &form);
		for (size_t i = 0; pmon_simd_at(i) != NULL; i++)
			n_passed[i > 0] += check_picks(pmon_simd_at(i), text, len, &form);
		free(text);
	}
	assert_true(n_passed[0] > 0);
	assert_true(pmon_simd_at(1) == NULL || n_passed[1] > 0);
	free(line);
}

// The memory after a line may look like its continuation.
static void
lines_end_where_they_end(void **state)
{
#define FIRST "a first cell as long as what is looked at,"
	static const struct {
		const char *memory;
		size_t behind; // bytes of it that are not of the line
		size_t n;
		double number;
	} rows[] = {
		{FIRST "\"12\"", 0, 1, 12}, {FIRST "\"12\"", 1, 0, 0}, {FIRST "\"12\",", 1, 1, 12},
		{FIRST "12", 0, 1, 12},     {FIRST "123", 1, 1, 12},   {FIRST "12.5", 1, 1, 12},
		{FIRST "12.5", 2, 1, 12},   {FIRST "12,3", 1, 1, 12},  {FIRST "7", 1, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_span line = {rows[i].memory, strlen(rows[i].memory) - rows[i].behind};

		for (size_t k = 0; pmon_simd_at(k) != NULL; k++) {
			struct pmon_cells cells;
			double got;

			pmon_cells_begin(&cells, pmon_simd_at(k), line, ',', '.');
			cells.at = strlen(FIRST);
			T_EQ_U64_AT(pmon_cells_read(&cells, &got, 1), rows[i].n, rows[i].memory);
			if (rows[i].n > 0)
				T_EQ_DBL_AT(got, rows[i].number, rows[i].memory);
		}
	}
#undef FIRST
}

// What is not parsed here is parsed another way: a number this long may not be decided by one
// multiplication.
static void
check_number_of_length(struct pmon_span line, size_t at, const char *number)
{
	size_t n[2];
	double got[2];

	for (size_t k = 0; pmon_simd_at(k) != NULL; k++) {
		struct pmon_cells cells;

		pmon_cells_begin(&cells, pmon_simd_at(k), line, ',', '.');
		cells.at = at;
		n[k > 0] = pmon_cells_read(&cells, got, 2);
		T_EQ_U64_AT(n[k > 0], n[0], number);
		assert_true(n[0] > 0 || strlen(number) > 17);
		if (n[0] == 0)
			continue;
		T_EQ_DBL_AT(got[0], strtod(number, NULL), number);
		T_EQ_DBL_AT(got[1], 1, number);
	}
}

// A mark after any number of digits, more than the plain form looks at among them; zeros at the beginning, and none.
static void
marks_are_found_at_any_length(void **state)
{
#define CELLS "a first cell that is long enough,"
	char line[512];
	char number[100];

	(void)state;
	for (int whole = 1; whole <= 40; whole++)
		for (int places = 0; places <= 40; places++)
			for (int zeros = 0; zeros < 2; zeros++) {
				struct pmon_span text = {line, 0};

				(void)snprintf(number, sizeof(number), "%0*u%s%0*u", whole,
					       zeros ? 7U : 1U, ".", places > 0 ? places : 1, 5U);
				if (!zeros)
					number[0] = '4';
				if (places == 0)
					number[whole] = '\0';
				text.len = (size_t)snprintf(line, sizeof(line),
							    CELLS "%s,1,2,3,4,5,6,7,8,9,10,11,12,"
								  "13,14,15,16,17,18,19",
							    number);
				check_number_of_length(text, sizeof(CELLS) - 1, number);
			}
#undef CELLS
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_are_as_one_at_a_time),
		cmocka_unit_test(lines_end_where_they_end),
		cmocka_unit_test(marks_are_found_at_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
