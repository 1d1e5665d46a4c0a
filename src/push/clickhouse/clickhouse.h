// clickhouse.h - performance counters in ClickHouse
// SPDX-License-Identifier: MIT
//
// docs/engines/clickhouse.md has the tables and the views. On one node tables have their plain names. On a cluster
// each node holds a part under names that end with "_local", and the plain names are Distributed tables
// over all parts: those of raw values and series alike are dealt out by the key of the series, so that
// the values of one series are on one node, and every pair is made there.

#ifndef PMON_PUSH_CLICKHOUSE_H
#define PMON_PUSH_CLICKHOUSE_H

#include "base/text.h"
#include "core/sql.h"
#include "push/push.h"

#define CH_SQL_SIZE   ((size_t)32 << 10) // of the longest statement that is made here
#define CH_NAME_SIZE  65                 // of a database or a cluster, NUL included
#define CH_TABLE_SIZE 128                // of a table with its database

// Where the tables are.
struct ch_place {
	char database[CH_NAME_SIZE];
	char cluster[CH_NAME_SIZE]; // "" on one node
	bool is_replicated;         // a shard has several replicas: tables are made for a Keeper
	unsigned version;           // of the server, 26007 of 26.7; 0: not known, a current one
};

// Does the server have what servers from 23.1 on have: TTLs, codecs, views with parameters?
bool pmon_ch_is_current(const struct ch_place *place);

// The place that a URL and the options name. PMON_E_ARG when they name none, or one that cannot be.
PMON_NODISCARD enum pmon_status pmon_ch_find_place(const char *text,
						   const struct pmon_push_options *options,
						   struct pmon_push_url *url,
						   struct ch_place *place, struct pmon_err *err);

extern const struct pmon_query_engine pmon_ch_query; // query.c

// All statements, and the first rows of a sample. describe.c
PMON_NODISCARD enum pmon_status pmon_ch_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

// A text and a key as literals.
void pmon_ch_put_quoted(struct pmon_text *sql, struct pmon_span text);
void pmon_ch_put_key_literal(struct pmon_text *sql, struct pmon_hash128 key);

// To be raised whenever a view is changed, or a table is new: then the views of an older version are made anew, and
// those of a newer one stay.
#define CH_VIEWS_VERSION 10
#define CH_RANGE_VIEW    "pmon_pair_in"
#define CH_VERSION_VIEW  "pmon_version"

// Write statement i of those that create what is missing, and all views again, in their order.
// False after the last. Each statement can be run again.
bool pmon_ch_statement(const struct ch_place *place, size_t i, struct pmon_text *sql);

// The same of the views alone. views.c
bool pmon_ch_view(const struct ch_place *place, size_t i, struct pmon_text *sql);

// ---- Time ranges ----------------------------------------------------------------------------
//
// The views pmon_*_in take a time range, and read little else; they are made on current servers, see
// views.c. Whoever writes a query, for any server, has the same as text here. Pairs with times in a range
// need the last usable value of each series before it. It is looked for in the 16 minutes before the range,
// where it nearly always is, and then in the whole history of only those series that have none there. So
// the pairs are those of pmon_pair, whatever happened before.

// Times are SQL: expressions, 100 ns since 1601, that are constant. put_series writes a list or a subquery of the keys of
// series; NULL: all.
struct ch_range {
	const char *from;
	const char *to; // it belongs to the range
	void (*put_series)(const void *ctx, struct pmon_text *sql);
	const void *ctx;
	bool is_list; // it is a list
};

// The rows of pmon_raw for a range, as "(SELECT ...)"; its pairs as a query with the columns of pmon_pair.
// range.c
void pmon_ch_put_rows_in(const struct ch_place *place, const struct ch_range *range,
			 struct pmon_text *sql);
void pmon_ch_put_pairs_in(const struct ch_place *place, const struct ch_range *range,
			  struct pmon_text *sql);

// The query of pmon_pair, in two pieces: between them stand the rows, a table or "(SELECT ...)" with its columns. Only the
// pairs of the range, before all that is computed of them; NULL: all. views.c
void pmon_ch_put_pairs_head(const struct ch_range *range, struct pmon_text *sql);
void pmon_ch_put_pairs_tail(struct pmon_text *sql);

// Values, averages of series, and averages of a group (`group` is an expression for its name) in a
// range, with the columns of the views. views.c
void pmon_ch_put_displayed_in(const struct ch_place *place, const struct ch_range *range,
			      struct pmon_text *sql);
void pmon_ch_put_average_in(const struct ch_place *place, const struct ch_range *range,
			    struct pmon_text *sql);
void pmon_ch_put_group_average_in(const struct ch_place *place, const struct ch_range *range,
				  const char *group, struct pmon_text *sql);

// The views with parameters. range.c
void pmon_ch_put_pair_view_in(const struct ch_place *place, struct pmon_text *sql);
void pmon_ch_put_displayed_view_in(const struct ch_place *place, struct pmon_text *sql);
void pmon_ch_put_average_view_in(const struct ch_place *place, struct pmon_text *sql);
void pmon_ch_put_group_average_view_in(const struct ch_place *place, struct pmon_text *sql);

// ---- Retention and names --------------------------------------------------------------------

// Write statement i of those that set and record for how many days values are kept; 0: all are. False after
// the last. retention.c
#define CH_RETENTION_VIEW "pmon_retention"
bool pmon_ch_put_retention(const struct ch_place *place, size_t i, uint32_t days,
			   struct pmon_text *sql);

// The averages of what a query names, in pieces. Between head and tail stand the sums of each series, as
// pmon_ch_put_sums() or pmon_ch_put_added() has them, and what they are of; after the head of groups also an
// expression for the group of a series.
void pmon_ch_put_average_head(struct pmon_text *sql);
void pmon_ch_put_sums(struct pmon_text *sql); // of pairs
void pmon_ch_put_average_tail(struct pmon_text *sql);
void pmon_ch_put_group_average_head(struct pmon_text *sql);
void pmon_ch_put_group_average_middle(struct pmon_text *sql);
void pmon_ch_put_group_average_tail(struct pmon_text *sql);

// Pieces of them, for rollups.
// The columns formula, unit, divides and by_base, each with a comma, from the column `type`.
void pmon_ch_put_type_columns(struct pmon_text *sql);
// The windows that were named: one, window_name, window_from, window_to.
void pmon_ch_put_windows(const struct ch_place *place, struct pmon_text *sql);
// From sums to averages, up to "FROM ("; after the sums CH_FINISHED. `keys` are columns of the sums.
void pmon_ch_put_finish(struct pmon_text *sql, const char *keys);
#define CH_FINISHED ")))))))"
extern const struct pmon_sql_dialect pmon_ch_dialect;

// The name of a table or a view; is_local: of the part of it that is on one node.
void pmon_ch_put_name(const struct ch_place *place, const char *name, bool is_local,
		      struct pmon_text *sql);

// A table over the parts of all nodes; shard_by NULL: nothing is written into it.
void pmon_ch_put_distributed(const struct ch_place *place, const char *name, const char *shard_by,
			     struct pmon_text *sql);

// What chooses the shard of a row. No function of ClickHouse 18.16 makes a number of a UUID; these are
// eight bytes of the hash.
#define CH_SHARD_BY(key) "reinterpretAsUInt64(reinterpretAsString(" key "))"

// The columns of rows in the order in which they are inserted; those of raw values are in batch.h.
#define CH_SERIES_COLUMNS                                                                          \
	"key, identity, machine, object, parent, instance, has_instance, instance_index, "         \
	"counter, path, type, type_name, unit, time_base, scale, size, duplicate"
#define CH_HOUR_COLUMNS                                                                            \
	"series, hour, day, type, time_base, samples, pairs, is_wrapped, has_last, last, "         \
	"has_units, units, lowest, highest, th, tl, tm, ts, tr, tx, uh, ul, vh, vl, version"
#define CH_PUSH_COLUMNS "log, batch, name, rows, time_from, time_to"

#endif
