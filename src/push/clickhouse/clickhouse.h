// clickhouse.h - performance counters in ClickHouse
// SPDX-License-Identifier: MIT
//
// docs/engines/clickhouse.md describes the tables and views, sql/schema.sql has them.

#ifndef PMON_PUSH_CLICKHOUSE_H
#define PMON_PUSH_CLICKHOUSE_H

#include "base/text.h"
#include "push/push.h"
#include "push/template.h"

#define CH_SQL_SIZE  ((size_t)16 << 10) // of the longest statement
#define CH_NAME_SIZE 65                 // of a database, NUL included

// Where the tables are.
struct ch_place {
	char database[CH_NAME_SIZE];
};

// The place named by a URL. PMON_E_ARG if it is missing or invalid.
PMON_NODISCARD enum pmon_status pmon_ch_find_place(const char *text, struct pmon_push_url *url,
						   struct ch_place *place, struct pmon_err *err);

// All statements, and the first rows of a sample. describe.c
PMON_NODISCARD enum pmon_status pmon_ch_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

// A text and a key as literals.
void pmon_ch_put_quoted(struct pmon_text *sql, struct pmon_span text);
void pmon_ch_put_key_literal(struct pmon_text *sql, struct pmon_hash128 key);

// ---- Statements -----------------------------------------------------------------------------

// Raise this whenever a view changes or a table is added: the statements are then run again. Databases of
// versions below CH_FIRST_VERSION have raw values instead of facts, or no labels.
#define CH_VIEWS_VERSION 12
#define CH_FIRST_VERSION 12
#define CH_VERSION_VIEW  "pmon_version"

// Write a template of sql.h: {db} of the place, and names up to one that is NULL.
void pmon_ch_put_sql(const struct ch_place *place, const char *template,
		     const struct pmon_push_name *names, struct pmon_text *sql);

// Write statement i of those that create what is missing, and all views again, in their order.
// False after the last. Each statement can be run again.
bool pmon_ch_statement(const struct ch_place *place, size_t i, struct pmon_text *sql);

// Write statement i of those that set and record for how many days values are kept; 0: all are. False after
// the last. retention.c
#define CH_RETENTION_VIEW "pmon_retention"
bool pmon_ch_put_retention(const struct ch_place *place, size_t i, uint32_t days,
			   struct pmon_text *sql);

// The name of a table or a view.
void pmon_ch_put_name(const struct ch_place *place, const char *name, struct pmon_text *sql);

// The columns of rows in the order in which they are inserted; those of facts are in batch.h.
#define CH_SERIES_COLUMNS                                                                          \
	"machine, series, host, identity, object, parent, instance, has_instance, "                \
	"instance_index, "                                                                         \
	"counter, path, type, type_name, formula, unit, time_base, scale, size, duplicate, add, "  \
	"mul, is_real, by_base, has_average, labels"
#define CH_TAIL_COLUMNS                                                                            \
	"machine, series, time, nth, first, second, multi, raw_status, owner, "                    \
	"owner_start, owner_known"
#define CH_PUSH_COLUMNS "log, batch, name, rows, time_from, time_to"

#endif
