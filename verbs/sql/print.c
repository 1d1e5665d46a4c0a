// print.c - the rows of a statement as text, CSV and JSON lines
// SPDX-License-Identifier: MIT
//
// In text, columns are as wide as the first rows need, so that a result of any length is printed as it comes, in little
// memory.

#include "verbs/sql/parts.h"

#include <stdlib.h>
#include <string.h>

#include "shell/output/out.h"
#include "shell/output/say.h"

#define ROWS_AHEAD 200
#define WIDEST     60

struct printer {
	sqlite3_stmt *statement;
	size_t n; // columns
	enum out_format format;
	struct out out;
	struct out_column *columns;
	sqlite3_value **ahead; // of the rows that are kept, row by row
	size_t n_ahead;        // cells
};

// ---- Cells ------------------------------------------------------------------------------------

// x'0102', as in SQL. NULL: out of memory.
static char *
blob_text(sqlite3_value *value)
{
	const unsigned char *bytes = sqlite3_value_blob(value);
	size_t n = (size_t)sqlite3_value_bytes(value);
	char *text = malloc(2 * n + 4);
	size_t len = 0;

	if (text == NULL)
		return NULL;
	text[len++] = 'x';
	text[len++] = '\'';
	for (size_t i = 0; i < n; i++) {
		text[len++] = "0123456789ABCDEF"[bytes[i] >> 4];
		text[len++] = "0123456789ABCDEF"[bytes[i] & 15];
	}
	text[len++] = '\'';
	text[len] = '\0';
	return text;
}

static bool
put_blob(struct out *out, sqlite3_value *value)
{
	char *text = blob_text(value);

	if (text == NULL)
		return false;
	out_str(out, text);
	free(text);
	return true;
}

static bool
put_cell(struct out *out, sqlite3_value *value)
{
	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		out_i64(out, sqlite3_value_int64(value));
		return true;
	case SQLITE_FLOAT:
		out_double(out, sqlite3_value_double(value));
		return true;
	case SQLITE_TEXT:
		out_text(out, (struct pmon_span){(const char *)sqlite3_value_text(value),
						 (size_t)sqlite3_value_bytes(value)});
		return true;
	case SQLITE_BLOB:
		return put_blob(out, value);
	default:
		out_null(out);
		return true;
	}
}

// Characters that a cell takes in text.
static size_t
width_of(sqlite3_value *value)
{
	char number[DRAW_NUMBER];
	size_t width = 0;

	switch (sqlite3_value_type(value)) {
	case SQLITE_FLOAT:
		out_number(sqlite3_value_double(value), number, sizeof(number));
		return strlen(number);
	case SQLITE_NULL:
		return 1;
	case SQLITE_BLOB:
		return 2 * (size_t)sqlite3_value_bytes(value) + 3;
	default:
		// Bytes that begin a character of UTF-8.
		for (const unsigned char *text = sqlite3_value_text(value);
		     text != NULL && *text != '\0'; text++)
			width += (*text & 0xC0) != 0x80;
		return width;
	}
}

// ---- Rows -------------------------------------------------------------------------------------

static bool
begin(struct printer *p)
{
	static const struct clock clock = {.mode = CLOCK_FIXED};

	p->columns = calloc(p->n + 1, sizeof(*p->columns));
	p->ahead = calloc(ROWS_AHEAD * p->n + 1, sizeof(*p->ahead));
	if (p->columns == NULL || p->ahead == NULL)
		return false;
	for (size_t i = 0; i < p->n; i++) {
		const char *given = sqlite3_column_name(p->statement, (int)i);
		char *name = given != NULL ? strdup(given) : NULL; // the first step may free it

		if (name == NULL)
			return false;
		p->columns[i] = (struct out_column){.name = name, .heading = name};
		p->columns[i].width = (int)strlen(name);
	}
	p->out.clock = &clock;
	return true;
}

static bool
keep_row(struct printer *p)
{
	for (size_t i = 0; i < p->n; i++) {
		sqlite3_value *value =
			sqlite3_value_dup(sqlite3_column_value(p->statement, (int)i));

		if (value == NULL)
			return false;
		p->ahead[p->n_ahead++] = value;
	}
	return true;
}

// Numbers are on the right.
static void
measure(struct printer *p)
{
	for (size_t i = 0; i < p->n_ahead; i++) {
		struct out_column *column = &p->columns[i % p->n];
		int type = sqlite3_value_type(p->ahead[i]);
		size_t width = width_of(p->ahead[i]);

		if (width > WIDEST)
			width = WIDEST;
		if ((int)width > column->width)
			column->width = (int)width;
		if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
			column->align = OUT_RIGHT;
	}
}

static bool
put_kept(struct printer *p)
{
	const struct clock *clock = p->out.clock;

	measure(p);
	out_begin(&p->out, stdout, p->format, NULL, p->columns, p->n, clock);
	for (size_t i = 0; i < p->n_ahead; i++)
		if (!put_cell(&p->out, p->ahead[i]))
			return false;
	return true;
}

static bool
put_row(struct printer *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!put_cell(&p->out, sqlite3_column_value(p->statement, (int)i)))
			return false;
	return true;
}

// Print all rows. Returns the last status of SQLite; SQLITE_NOMEM also for our own memory.
static int
put_rows(struct printer *p)
{
	size_t ahead = p->format == OUT_TEXT || p->format == OUT_MARKDOWN ? ROWS_AHEAD : 0;
	size_t rows = 0;
	int rc;

	while (rows < ahead && (rc = sqlite3_step(p->statement)) == SQLITE_ROW && ++rows > 0)
		if (!keep_row(p))
			return SQLITE_NOMEM;
	if (rows < ahead && rc != SQLITE_DONE && rows == 0)
		return rc; // nothing is printed
	if (!put_kept(p))
		return SQLITE_NOMEM;
	if (rows < ahead)
		return rc;
	while ((rc = sqlite3_step(p->statement)) == SQLITE_ROW)
		if (!put_row(p))
			return SQLITE_NOMEM;
	return rc;
}

int
sql_print(sqlite3_stmt *statement, const struct args *args, bool *done)
{
	struct printer p = {.statement = statement,
			    .n = (size_t)sqlite3_column_count(statement),
			    .format = args->format};
	int rc = begin(&p) ? put_rows(&p) : SQLITE_NOMEM;
	int status = EXIT_DONE;

	*done = rc == SQLITE_DONE;
	if (p.out.writer != NULL && out_end(&p.out) != EXIT_DONE)
		status = EXIT_FAILED;
	for (size_t i = 0; i < p.n_ahead; i++)
		sqlite3_value_free(p.ahead[i]);
	free(p.ahead);
	for (size_t i = 0; p.columns != NULL && i < p.n; i++)
		free((void *)(uintptr_t)p.columns[i].name);
	free(p.columns);
	return status;
}
