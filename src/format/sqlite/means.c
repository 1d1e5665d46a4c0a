// means.c - write the quality of means of displayed values, for the views
// SPDX-License-Identifier: MIT

#include "format/sqlite/sqlite.h"

#include "format/sqlite/cells.h"
#include "query/rates.h"

static void
put_series(struct sqlog_cells *row, const struct pmon_series *series)
{
	sqlog_put_int_if(row, series != NULL, series != NULL ? (int64_t)series->id + 1 : 0);
}

// If several counters have the same name, the first has the latency, as in src/query/latency.c.
static int
insert_series(sqlite3_stmt *insert, const struct pmon_rates *rates,
	      const struct pmon_series *series)
{
	struct sqlog_cells row = {.stmt = insert, .column = 1, .rc = SQLITE_OK};
	const struct pmon_series *queue = NULL;
	const struct pmon_series *rate = NULL;
	size_t at = 0;

	if (pmon_rates_average(rates, series, &at) == series)
		(void)pmon_rates_of(rates, series, &queue, &rate);
	put_series(&row, series);
	sqlog_put_int(&row, pmon_series_average_kind(series));
	sqlog_put_int(&row, pmon_series_group_kind(series));
	put_series(&row, rate);
	put_series(&row, rate != NULL ? queue : NULL);
	if (row.rc != SQLITE_OK)
		return row.rc;
	(void)sqlite3_step(insert);
	return sqlite3_reset(insert);
}

int
pmon_sqlite_make_means(sqlite3 *db, const struct pmon_schema *schema,
		       const struct pmon_allocator *allocator)
{
	struct pmon_rates rates = {.allocator = allocator};
	size_t n = pmon_schema_count(schema);
	sqlite3_stmt *insert = NULL;
	int rc = sqlite3_prepare_v2(db, "INSERT INTO pmon_mean VALUES (?, ?, ?, ?, ?)", -1, &insert,
				    NULL);

	for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
		if (!pmon_rates_note(&rates, pmon_schema_at(schema, i)))
			rc = SQLITE_NOMEM;
	for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
		if (pmon_schema_at(schema, i)->formatted)
			rc = insert_series(insert, &rates, pmon_schema_at(schema, i));
	(void)sqlite3_finalize(insert);
	pmon_rates_free(&rates);
	return rc;
}
