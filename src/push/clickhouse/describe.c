// describe.c - what would be made in ClickHouse, and how the first values would stand there
// SPDX-License-Identifier: MIT

#include "push/clickhouse/clickhouse.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "push/clickhouse/batch.h"

#define ROWS 3 // that are shown

// One description under way.
struct description {
	const struct ch_place *place;
	char *buf; // CH_SQL_SIZE
	pmon_push_text_fn out;
	void *ctx;
};

void
pmon_ch_put_quoted(struct pmon_text *sql, struct pmon_span text)
{
	pmon_text_char(sql, '\'');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\'' || text.ptr[i] == '\\')
			pmon_text_char(sql, '\\');
		pmon_text_char(sql, text.ptr[i]);
	}
	pmon_text_char(sql, '\'');
}

static void
give(const struct description *d, const char *end, struct pmon_text *sql)
{
	pmon_text_str(sql, end);
	d->out(d->ctx, (struct pmon_span){d->buf, strlen(d->buf)});
	*sql = pmon_text_init(d->buf, CH_SQL_SIZE);
}

// Comments, so that all that is shown can be given to a server, and makes nothing but tables and views.
static void
put_rows_of(const struct description *d, const char *table, const char *columns,
	    struct pmon_text *sql)
{
	pmon_text_str(sql, "-- the first rows of ");
	pmon_ch_put_name(d->place, table, sql);
	pmon_text_str(sql, " (");
	pmon_text_str(sql, columns);
	pmon_text_str(sql, " ...)\n");
}

static void
put_numbers(struct pmon_text *sql, const int64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pmon_text_str(sql, ", ");
		pmon_text_i64(sql, numbers[i]);
	}
}

void
pmon_ch_put_key_literal(struct pmon_text *sql, struct pmon_hash128 key)
{
	char digits[PMON_HASH128_UUID_SIZE];

	pmon_hash128_print_uuid(key, digits);
	pmon_text_char(sql, '\'');
	pmon_text_str(sql, digits);
	pmon_text_char(sql, '\'');
}

static void
put_series(struct pmon_text *sql, const struct pmon_series *series, const struct pmon_push_key *key)
{
	const struct pmon_path *path = &series->path;

	pmon_text_str(sql, "-- (");
	pmon_ch_put_key_literal(sql, key->key);
	pmon_text_str(sql, ", ");
	pmon_ch_put_quoted(sql, path->machine);
	pmon_text_str(sql, ", ");
	pmon_ch_put_quoted(sql, path->object);
	pmon_text_str(sql, ", ");
	pmon_ch_put_quoted(sql, path->instance);
	pmon_text_str(sql, ", ");
	pmon_ch_put_quoted(sql, path->counter);
	pmon_text_str(sql, ", ");
	pmon_text_u64(sql, series->counter.type);
	put_numbers(sql, &series->counter.time_base, 1);
	pmon_text_str(sql, ")\n");
}

static void
put_fact(struct pmon_text *sql, const struct pmon_push_fact *fact)
{
	const int64_t numbers[] = {fact->time - CH_EPOCH, fact->row.n, fact->row.d, fact->row.b};

	pmon_text_str(sql, "-- (");
	pmon_ch_put_key_literal(sql, fact->series);
	put_numbers(sql, numbers, sizeof(numbers) / sizeof(numbers[0]));
	pmon_text_str(sql, ", ");
	pmon_text_double(sql, fact->row.x);
	pmon_text_str(sql, ", '");
	pmon_text_str(sql, pmon_increment_kind_name(fact->row.kind));
	pmon_text_str(sql, "', '");
	pmon_text_str(sql, pmon_vstat_name(fact->row.status));
	pmon_text_str(sql, "')\n");
}

// The first values of the sample, by their most telling columns. false: out of memory.
static bool
show_rows(const struct description *d, struct pmon_push_keys *keys,
	  const struct pmon_sample *sample)
{
	size_t n = sample->n < ROWS ? sample->n : ROWS;
	struct pmon_text sql = pmon_text_init(d->buf, CH_SQL_SIZE);
	struct pmon_push_states states;
	struct pmon_push_fact fact;
	struct pmon_push_row row;

	pmon_push_states_init(&states, keys->allocator);
	if (!pmon_push_states_grow(&states, keys->schema))
		return false;
	put_rows_of(d, "pmon_series", "series, machine, object, instance, counter, type, time_base",
		    &sql);
	for (size_t i = 0; i < n; i++)
		put_series(&sql, pmon_schema_at(keys->schema, sample->series[i]),
			   &keys->list[sample->series[i]]);
	give(d, "\n", &sql);
	put_rows_of(d, "pmon_fact", "series, time, n, d, b, x, kind, status", &sql);
	for (size_t i = 0; i < n; i++) {
		pmon_push_keys_row(keys, sample, i, &row);
		if (pmon_push_fact(&states, sample->series[i], &row, &fact))
			put_fact(&sql, &fact);
	}
	pmon_push_states_free(&states);
	give(d, "", &sql);
	return true;
}

static enum pmon_status
describe_all(const struct description *d, const struct pmon_push_options *options,
	     struct pmon_push_keys *keys, const struct pmon_sample *sample, struct pmon_err *err)
{
	struct pmon_text sql = pmon_text_init(d->buf, CH_SQL_SIZE);
	enum pmon_status status = pmon_push_keys_grow(keys, err);

	for (size_t i = 0; pmon_ch_statement(d->place, i, &sql); i++)
		give(d, ";\n\n", &sql);
	for (size_t i = 0;
	     options->retention_100ns != 0 &&
	     pmon_ch_put_retention(d->place, i, pmon_push_retention_days(options), &sql);
	     i++)
		give(d, ";\n\n", &sql);
	if (status == PMON_OK && sample != NULL && sample->n > 0 && !show_rows(d, keys, sample))
		return pmon_err_nomem(err);
	return status;
}

enum pmon_status
pmon_ch_describe(const char *url, const struct pmon_push_options *options,
		 const struct pmon_schema *schema, const struct pmon_sample *sample,
		 pmon_push_text_fn out, void *ctx, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct ch_place place;
	struct description d = {.place = &place, .out = out, .ctx = ctx};
	struct pmon_push_url parsed;
	struct pmon_push_keys keys;
	struct pmon_labels labels;
	enum pmon_status status = pmon_ch_find_place(url, &parsed, &place, err);

	if (status == PMON_OK)
		status = pmon_labels_parse(options->labels, options->n_labels, &labels, err);
	if (status != PMON_OK)
		return status;
	d.buf = pmon_mem_alloc(allocator, CH_SQL_SIZE);
	if (d.buf == NULL)
		return pmon_err_nomem(err);
	pmon_push_keys_init(&keys, schema, &labels, allocator);
	status = describe_all(&d, options, &keys, sample, err);
	pmon_push_keys_free(&keys);
	pmon_mem_free(allocator, d.buf, CH_SQL_SIZE);
	return status;
}
