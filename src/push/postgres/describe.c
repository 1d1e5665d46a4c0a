// describe.c - what would be made in PostgreSQL, and how the first values would stand there
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define ROWS 10 // that are shown

static void
put_shown_fact(struct pmon_text *text, const struct pmon_push_fact *fact)
{
	const int64_t cells[] = {fact->time, fact->row.n, fact->row.d, fact->row.b};
	char key[PMON_HASH128_UUID_SIZE];

	pmon_hash128_print_uuid(fact->series, key);
	pmon_text_str(text, "-- ");
	pmon_text_str(text, key);
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		pmon_text_char(text, '\t');
		pmon_text_i64(text, cells[i]);
	}
	pmon_text_char(text, '\t');
	pmon_text_double(text, fact->row.x);
	pmon_text_char(text, '\t');
	pmon_text_str(text, pmon_increment_kind_name(fact->row.kind));
	pmon_text_char(text, '\t');
	pmon_text_str(text, pmon_vstat_name(fact->row.status));
	pmon_text_char(text, '\n');
}

// How the first rows would stand in the table, as comments: given to a server the whole makes no rows.
static enum pmon_status
describe_rows(const struct pmon_schema *schema, const struct pmon_sample *sample,
	      const struct pmon_labels *labels, const struct pmon_allocator *allocator,
	      struct pmon_text *text, struct pmon_err *err)
{
	struct pmon_push_keys keys;
	struct pmon_push_states states;
	struct pmon_push_fact fact;
	struct pmon_push_row row;
	enum pmon_status status;

	pmon_push_keys_init(&keys, schema, labels, allocator);
	pmon_push_states_init(&states, allocator);
	status = pmon_push_keys_grow(&keys, err);
	if (status == PMON_OK && !pmon_push_states_grow(&states, schema))
		status = pmon_err_nomem(err);
	pmon_text_str(text, "-- the first rows of pmon_fact (key of the series, time, n, d, b, x, "
			    "kind, status ...)\n");
	for (size_t i = 0; status == PMON_OK && i < sample->n && i < ROWS; i++) {
		pmon_push_keys_row(&keys, sample, i, &row);
		if (pmon_push_fact(&states, sample->series[i], &row, &fact))
			put_shown_fact(text, &fact);
	}
	pmon_push_states_free(&states);
	pmon_push_keys_free(&keys);
	return status;
}

static void
put_statements(const struct pmon_push_options *options, char buf[PG_SQL_SIZE],
	       pmon_push_text_fn out, void *ctx)
{
	struct pmon_text text = pmon_text_init(buf, PG_SQL_SIZE);

	pmon_pg_put_schema(&text);
	pmon_text_char(&text, '\n');
	out(ctx, (struct pmon_span){buf, strlen(buf)});
	text = pmon_text_init(buf, PG_SQL_SIZE);
	pmon_pg_put_retention(&text, pmon_push_retention_days(options));
	pmon_text_str(&text, ";\n\n");
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
	struct pmon_labels labels;
	enum pmon_status status = pmon_push_open(url, options, &sink, err);
	char *buf;

	if (status == PMON_OK)
		status = pmon_labels_parse(options->labels, options->n_labels, &labels, err);
	if (status != PMON_OK)
		return status;
	pmon_sink_close(sink); // the URL and the options are good
	buf = pmon_mem_alloc(allocator, PG_SQL_SIZE);
	if (buf == NULL)
		return pmon_err_nomem(err);
	put_statements(options, buf, out, ctx);
	text = pmon_text_init(buf, PG_SQL_SIZE);
	if (sample != NULL)
		status = describe_rows(schema, sample, &labels, allocator, &text, err);
	if (sample != NULL && status == PMON_OK)
		out(ctx, (struct pmon_span){buf, strlen(buf)});
	pmon_mem_free(allocator, buf, PG_SQL_SIZE);
	return status;
}
