// describe.c - what would be made in PostgreSQL, and how the first values would stand there
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define ROWS 10 // that are shown

static void
put_shown_row(struct pmon_text *text, const struct pmon_push_row *row)
{
	const int64_t cells[] = {row->time,        row->nth,         row->raw->multi,
				 row->raw->status, row->raw->first,  row->raw->second,
				 row->raw->time,   row->absent_after};
	char key[PMON_HASH128_UUID_SIZE];

	pmon_hash128_print_uuid(row->series, key);
	pmon_text_str(text, "-- ");
	pmon_text_str(text, key);
	pmon_text_char(text, '\t');
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		if (cells[i] == PMON_TIME_NONE && i == 6)
			pmon_text_str(text, "\\N");
		else
			pmon_text_i64(text, cells[i]);
		pmon_text_char(text, i + 1 < sizeof(cells) / sizeof(cells[0]) ? '\t' : '\n');
	}
}

// How the first rows would stand in the table, as comments: given to a server the whole makes no rows.
static enum pmon_status
describe_rows(const struct pmon_schema *schema, const struct pmon_sample *sample,
	      const struct pmon_allocator *allocator, struct pmon_text *text, struct pmon_err *err)
{
	struct pmon_push_keys keys;
	struct pmon_push_row row;
	enum pmon_status status;

	pmon_push_keys_init(&keys, schema, allocator);
	status = pmon_push_keys_grow(&keys, err);
	pmon_text_str(
		text,
		"-- the first rows of pmon_value (key of the series, sample_100ns, nth, multi, "
		"status, first, second, time_100ns, absent_after ...)\n");
	for (size_t i = 0; status == PMON_OK && i < sample->n && i < ROWS; i++) {
		pmon_push_keys_row(&keys, sample, i, &row);
		put_shown_row(text, &row);
	}
	pmon_push_keys_free(&keys);
	return status;
}

static void
put_statements(const struct pmon_push_options *options, char buf[PG_SQL_SIZE],
	       pmon_push_text_fn out, void *ctx)
{
	struct pmon_text retention;

	for (size_t i = 0;; i++) {
		struct pmon_text text = pmon_text_init(buf, PG_SQL_SIZE - 3);

		if (!pmon_pg_statement(i, &text))
			break;
		pmon_text_str(&text, ";\n\n");
		out(ctx, (struct pmon_span){buf, strlen(buf)});
	}
	retention = pmon_text_init(buf, PG_SQL_SIZE);
	pmon_pg_put_retention(&retention, pmon_push_retention_days(options));
	pmon_text_str(&retention, ";\n\n");
	if (options->retention_100ns != 0)
		out(ctx, (struct pmon_span){buf, strlen(buf)});
}

enum pmon_status
pmon_pg_describe(const char *url, const struct pmon_push_options *options,
		 const struct pmon_schema *schema, const struct pmon_sample *sample,
		 pmon_push_text_fn out, void *ctx, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_sink *sink;
	struct pmon_text text;
	enum pmon_status status = pmon_push_open(url, options, &sink, err);
	char *buf;

	if (status != PMON_OK)
		return status;
	pmon_sink_close(sink); // the URL and the options are good
	buf = pmon_mem_alloc(allocator, PG_SQL_SIZE);
	if (buf == NULL)
		return pmon_err_nomem(err);
	put_statements(options, buf, out, ctx);
	text = pmon_text_init(buf, PG_SQL_SIZE);
	if (sample != NULL)
		status = describe_rows(schema, sample, allocator, &text, err);
	if (sample != NULL && status == PMON_OK)
		out(ctx, (struct pmon_span){buf, strlen(buf)});
	pmon_mem_free(allocator, buf, PG_SQL_SIZE);
	return status;
}
