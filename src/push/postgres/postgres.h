// postgres.h - raw values into PostgreSQL
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_POSTGRES_H
#define PMON_PUSH_POSTGRES_H

#include "base/text.h"
#include "core/sql.h"
#include "push/push.h"

// ---- A connection (connection.c) ------------------------------------------------------------
//
// Nothing is tried again here: what ends with *again true may go well another time. A connection that
// was lost is made anew by the next pg_open(). Every wait is bounded by options.timeout_100ns, and ends
// with PMON_E_STATE when options.cancel says so.

struct pg_connection;

// Nobody is asked yet. push must outlive it: its options hold, and it counts there what was sent by COPY.
PMON_NODISCARD enum pmon_status pmon_pg_new(const char *url, struct pmon_push_sink *push,
					    struct pg_connection **out, struct pmon_err *err);
void pmon_pg_free(struct pg_connection *pg);

// Connect, unless connected. *is_new: the session has just begun.
PMON_NODISCARD enum pmon_status pmon_pg_open(struct pg_connection *pg, bool *is_new, bool *again,
					     struct pmon_err *err);

// A statement, or several without parameters. answer (may be NULL) gets the first cell of what the last
// one gave, "" when there is none, or how many rows it has changed; valid until the next call.
PMON_NODISCARD enum pmon_status pmon_pg_run(struct pg_connection *pg, const char *sql,
					    const char **answer, bool *again, struct pmon_err *err);

// The rows of the last answer, valid until the next call. A cell that is NULL is a span without a pointer.
size_t pmon_pg_count_rows(const struct pg_connection *pg);
size_t pmon_pg_count_columns(const struct pg_connection *pg);
struct pmon_span pmon_pg_cell(const struct pg_connection *pg, size_t row, int column);

// Rows of binary COPY, without header and trailer, into what `sql` names: "COPY t FROM STDIN BINARY".
PMON_NODISCARD enum pmon_status pmon_pg_copy(struct pg_connection *pg, const char *sql,
					     const uint8_t *rows, size_t len, bool *again,
					     struct pmon_err *err);

// ---- A batch (batch.c) ----------------------------------------------------------------------

// Cells of binary COPY; there must be room for them. A text needs three times its length, and
// PG_CELL.
#define PG_CELL 4 // bytes before the content of a cell
void pmon_pg_put_columns(struct pmon_push_bytes *b, unsigned n);
void pmon_pg_put_i64(struct pmon_push_bytes *b, int64_t number);
void pmon_pg_put_text(struct pmon_push_bytes *b, struct pmon_span text);
void pmon_pg_put_key(struct pmon_push_bytes *b, struct pmon_hash128 key);

// The columns of pmon_series in this order, after the number of the series in the log.
#define PG_SERIES_COLUMNS                                                                          \
	"path, type_word, time_base, size_bytes, listed, source, wildcard, formatted, "            \
	"known_type, "                                                                             \
	"scale, machine, object, parent, instance, instance_index, counter, duplicate, key, "      \
	"identity"

// Rows of binary COPY. In those of values `series` is the number of the series in the log.
struct pg_batch {
	struct pmon_push_bytes series; // whose ids are not known to the session
	struct pmon_push_identity identity;
	struct pmon_push_bytes samples;
	struct pmon_push_bytes values;
	pmon_time first; // of their times
	pmon_time last;
	pmon_time *days; // when those that they are of begin, UTC
	size_t n_days;
	size_t days_cap;
};

// Add series i of the schema; a sample of the log that has the number `stream`, with its rows. false
// when memory is short, and nothing was added.
bool pmon_pg_batch_add_series(const struct pmon_push_sink *push, struct pg_batch *batch, size_t i);
bool pmon_pg_batch_add(const struct pmon_push_sink *push, struct pg_batch *batch,
		       const struct pmon_sample *sample, const struct pmon_push_row *rows,
		       int64_t stream);
void pmon_pg_batch_free(const struct pmon_push_sink *push, struct pg_batch *batch);

// ---- A push, or a query, under way ----------------------------------------------------------

struct pg_engine {
	struct pmon_push_sink push; // first
	struct pg_connection *pg;
	int64_t stream; // number of the log there; 0: not known
	struct pg_batch batch;
	size_t series_bytes;      // of the series that came since the batch began
	uint64_t n_new;           // rows of it that were not there
	uint32_t days;            // that values are kept; 0: forever
	const char *asked;        // the statement of a query
	const char *answer;       // to it, when a push asks
	struct pg_rollup *rollup; // that is under way
};

// A session that is ready, with all tables. sink.c
PMON_NODISCARD enum pmon_status pmon_pg_try_session(struct pg_engine *e, bool *again,
						    struct pmon_err *err);

// Attempt until it succeeds, or there is no hope. sink.c
PMON_NODISCARD enum pmon_status pmon_pg_insist(struct pg_engine *e,
					       enum pmon_status (*attempt)(struct pg_engine *,
									   bool *,
									   struct pmon_err *),
					       struct pmon_err *err);

extern const struct pmon_query_engine pmon_pg_query; // query.c

// ---- Tables and views (schema.c, views.c, pairs.c, averages.c) ------------------------------
//
// pmon_fact has the raw values of samples, in partitions of a day. In most of its rows `rare` is NULL: then the
// status is 0 or 1, the time is that of the sample, and there was no absence; kind is 2 * multi + status, NULL for
// 2. Else it is {absent_after, time_100ns, status, multi}. These are the columns of a row of the table P. Irregular
// rows (irregular.c) have the 16th bit of kind set, the sign.
#define PG_KIND_OF(KIND) "(coalesce(" KIND ", 2) & 32767)"
#define PG_MARKED(KIND)  "(coalesce(" KIND ", 2) | -32768)"
#define PG_IS_IRREGULAR  "kind < 0"
#define PG_STATUS(P)                                                                               \
	"CASE WHEN " P ".rare IS NULL THEN " PG_KIND_OF(P ".kind") " & 1 ELSE " P ".rare[3] END"
#define PG_MULTI(P)                                                                                \
	"CASE WHEN " P ".rare IS NULL THEN " PG_KIND_OF(P ".kind") " >> 1 ELSE " P ".rare[4] END"
#define PG_TIME(P)   "CASE WHEN " P ".rare IS NULL THEN " P ".sample_100ns ELSE " P ".rare[2] END"
#define PG_ABSENT(P) "coalesce(" P ".rare[1], 0)"
#define PG_IS_USABLE "(rare IS NULL OR rare[3] IN (" PMON_SQL_USABLE "))"

// The same from the columns of a row as it is sent.
#define PG_IS_USUAL                                                                                \
	"absent_after = 0 AND time_100ns = sample_100ns AND status IN (0, 1)\n"                    \
	"  AND multi BETWEEN 0 AND 16383"
#define PG_KIND                                                                                    \
	"CASE WHEN " PG_IS_USUAL "\n  AND 2 * multi + status <> 2 THEN 2 * multi + status END"
#define PG_RARE                                                                                    \
	"CASE WHEN (" PG_IS_USUAL ") IS NOT TRUE\n"                                                \
	"  THEN ARRAY[absent_after, time_100ns, status, multi] END"

#define PG_DAY      "864000000000" // in 100 ns
#define PG_FIRST    "0"            // times that are before and after all samples
#define PG_LAST     "9000000000000000000"
#define PG_FUNCTION "LANGUAGE sql STABLE PARALLEL SAFE AS $$\n"

// What functions give: the sums that an average is made of, and averages.
#define PG_TOTALS                                                                                  \
	" samples bigint, pairs bigint, wrapped boolean, elapsed bigint[], units bigint,\n"        \
	" whole_n numeric, whole_d numeric, part numeric, real_units numeric"
#define PG_AVERAGE                                                                                 \
	" average float8, status text, unit text, samples bigint, pairs bigint)\n" PG_FUNCTION

#define PG_SQL_SIZE ((size_t)128 << 10) // that no statement is longer than

// To be raised whenever a view or the table of types is changed: then those of an older version are made anew,
// and those of a newer one stay.
#define PG_VIEWS_VERSION 11

// Who makes tables waits with this for others who do.
extern const char pmon_pg_lock[];

extern const struct pmon_sql_dialect pmon_pg_dialect;

void pmon_pg_put_all(struct pmon_text *sql, const char *const *pieces); // the last is NULL

// What marks irregular rows. irregular.c
extern const char *const pmon_pg_irregular[]; // NULL after the last

// Functions and views of pairs.c and averages.c.
void pmon_pg_put_previous(struct pmon_text *sql);
void pmon_pg_put_older(struct pmon_text *sql);
void pmon_pg_put_pairs(struct pmon_text *sql);
void pmon_pg_put_values(struct pmon_text *sql);
void pmon_pg_put_sums(struct pmon_text *sql);
void pmon_pg_put_averages(struct pmon_text *sql);
void pmon_pg_put_group_averages(struct pmon_text *sql);
void pmon_pg_put_average(struct pmon_text *sql);
void pmon_pg_put_group_average(struct pmon_text *sql);
void pmon_pg_put_rollup_average(struct pmon_text *sql);

// Sums of whole hours: tables, and what is computed from them; rollup.h has more. rollup_sql.c, rollup.c
extern const char *const pmon_pg_hour_tables[]; // NULL after the last
void pmon_pg_put_hour_older(struct pmon_text *sql);
void pmon_pg_put_hour_sums(struct pmon_text *sql);
void pmon_pg_put_hour_average(struct pmon_text *sql);
void pmon_pg_put_day_average(struct pmon_text *sql);
void pmon_pg_put_rollup_averages(struct pmon_text *sql);
PMON_NODISCARD enum pmon_status pmon_pg_rollup_refuse(struct pg_engine *e, bool *again,
						      struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_pg_rollup(struct pmon_push_sink *push,
					       const struct pmon_rollup_options *options,
					       struct pmon_rollup_counts *counts,
					       struct pmon_err *err);

// Averages, in two pieces: between them stands what they are of, rows of pmon_sums(), and for groups with the column
// group_name. `keys` are columns of these that stand before the average.
void pmon_pg_put_average_head(struct pmon_text *sql, const char *keys, bool in_groups);
void pmon_pg_put_average_tail(struct pmon_text *sql, bool in_groups);

// "FROM" the series c with their types t; and the rows of a series in the range from $1 to $2, for LATERAL, out of
// `source`: pmon_fact with usable, and older_100ns, first1, second1 of the row before; these are NULL where
// pmon_older() says what the row before is.
extern const char pmon_pg_of_series[];
void pmon_pg_put_rows(struct pmon_text *sql, const char *source, bool with_status);

#define PG_IN_RANGE "series = c.id AND sample_100ns >= $1 AND sample_100ns <= $2"

// Such a source: all rows in the range where CONDITION, beginning with AND, is true.
#define PG_NEIGHBORS(CONDITION)                                                                    \
	"SELECT *, " PG_IS_USABLE " AS usable,\n"                                                  \
	"   lag(CASE WHEN " PG_IS_USABLE " THEN sample_100ns END)\n"                               \
	"    OVER v AS older_100ns, lag(first) OVER v AS first1, lag(second) OVER v AS second1\n"  \
	"   FROM pmon_fact WHERE " PG_IN_RANGE CONDITION "\n"                                      \
	"   WINDOW v AS (ORDER BY sample_100ns, nth)"

// From the temporary tables of a batch into the tables, and how many of its values are missing. statements.c
extern const char pmon_pg_insert_series[];
extern const char pmon_pg_insert_owners[];
extern const char pmon_pg_insert_values[];
void pmon_pg_put_count_missing(struct pmon_text *sql, const struct pg_batch *batch);

// Read for how many days values are kept, after options.retention_100ns was recorded; and drop what has expired when
// push->keep_from is of another day, and set it. retention.c
PMON_NODISCARD enum pmon_status pmon_pg_read_retention(struct pg_connection *pg,
						       struct pmon_push_sink *push, uint32_t *days,
						       bool *again, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_pg_keep(struct pg_connection *pg, struct pmon_push_sink *push,
					     uint32_t days, bool *again, struct pmon_err *err);
void pmon_pg_put_retention(struct pmon_text *sql, uint32_t days);

// Statement i of those that create missing tables and views; false after the last.
bool pmon_pg_statement(size_t i, struct pmon_text *sql);
bool pmon_pg_view(size_t i, struct pmon_text *sql);
size_t pmon_pg_count_tables(void); // statements before those of views
size_t pmon_pg_count_views(void);

void pmon_pg_put_drop(size_t i, struct pmon_text *sql);

// Give the series of pmon 0.1 keys and identities, and set the values of an older pmon aside; and move them, after
// pmon_pg_count_tables() statements. To be done in a transaction, under pmon_pg_lock. migrate.c
PMON_NODISCARD enum pmon_status pmon_pg_migrate(struct pg_connection *pg,
						const struct pmon_push_sink *push, bool *again,
						struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_pg_move_values(struct pg_connection *pg,
						    const struct pmon_push_sink *push, bool *again,
						    struct pmon_err *err);

// The ids that are stored for a machine as one text, and one more (push.h). machines.c
void pmon_pg_put_machine_query(struct pmon_text *sql, const char *name);
void pmon_pg_put_machine_insert(struct pmon_text *sql, const char *name, const char *id,
				bool is_accepted);

void pmon_pg_put_quoted(struct pmon_text *sql, const char *text);

// All statements, and the first rows of a sample. describe.c
PMON_NODISCARD enum pmon_status pmon_pg_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

#endif
