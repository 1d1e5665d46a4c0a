// postgres.h - performance counters in PostgreSQL
// SPDX-License-Identifier: MIT
//
// docs/engines/postgresql.md describes the tables and views, sql/schema.sql has them.

#ifndef PMON_PUSH_POSTGRES_H
#define PMON_PUSH_POSTGRES_H

#include "base/text.h"
#include "push/push.h"
#include "push/rollup.h"
#include "push/seams.h"
#include "push/template.h"

// ---- A connection (connection.c) ------------------------------------------------------------
//
// Nothing is retried here: after a failure with *again true, the caller may retry. The next pg_open()
// reconnects after a lost connection. Every wait is limited by options.timeout_100ns and ends with
// PMON_E_STATE when options.cancel requests it.

struct pg_connection;

// Nothing is sent yet. push must outlive it: it uses the options and counts the bytes sent by COPY there.
PMON_NODISCARD enum pmon_status pmon_pg_new(const char *url, struct pmon_push_sink *push,
					    struct pg_connection **out, struct pmon_err *err);
void pmon_pg_free(struct pg_connection *pg);

// How long the server may be silent from now on.
void pmon_pg_limit(struct pg_connection *pg, int64_t limit_100ns);

// Connect, unless connected. *is_new: the session has just begun.
PMON_NODISCARD enum pmon_status pmon_pg_open(struct pg_connection *pg, bool *is_new, bool *again,
					     struct pmon_err *err);

// A statement, or several without parameters. answer (may be NULL) gets the first cell of what the last
// one gave, "" when there is none, or how many rows it has changed; valid until the next call.
PMON_NODISCARD enum pmon_status pmon_pg_run(struct pg_connection *pg, const char *sql,
					    const char **answer, bool *again, struct pmon_err *err);

// The rows of the last answer, valid until the next call. The pointer of a NULL cell is NULL.
size_t pmon_pg_count_rows(const struct pg_connection *pg);
struct pmon_span pmon_pg_cell(const struct pg_connection *pg, size_t row, int column);

// Rows of binary COPY, without header and trailer, into what `sql` names: "COPY t FROM STDIN BINARY".
PMON_NODISCARD enum pmon_status pmon_pg_copy(struct pg_connection *pg, const char *sql,
					     const uint8_t *rows, size_t len, bool *again,
					     struct pmon_err *err);

// ---- A batch (batch.c) ----------------------------------------------------------------------

// The columns of rows of binary COPY, in their order; in front of each stands the number of the series in the log, or
// in pmon_in_first the place of the row.
#define PG_SERIES_COLUMNS                                                                          \
	"key, machine, host, identity, object, parent, instance, has_instance, instance_index, "   \
	"counter, path, type, type_name, formula, unit, time_base, scale, size, duplicate, "       \
	"add, mul, is_real, by_base, has_average, labels"
#define PG_FACT_COLUMNS                                                                            \
	"time, n, d, span, nth, kind, status, x, b, lag, multi, raw_status, owner, owner_start, "  \
	"owner_known, wrapped"

struct pg_batch {
	struct pmon_push_bytes series; // whose ids are not known to the session
	struct pmon_push_identity identity;
	struct pmon_push_bytes facts;
	size_t len; // of the facts without the first rows, which stand after them
	struct pmon_push_seams firsts;
	bool is_joined;  // the first rows have their pairs
	size_t n;        // facts
	size_t n_taken;  // rows, with those that are no facts
	pmon_time first; // of their times
	pmon_time last;
	pmon_time *days; // when those that they are of begin, UTC
	size_t n_days;
	size_t days_cap;
};

// Add series i of the schema; a sample with its rows. false: out of memory, and nothing was added.
bool pmon_pg_batch_add_series(const struct pmon_push_sink *push, struct pg_batch *batch, size_t i);
bool pmon_pg_batch_add(const struct pmon_push_sink *push, struct pg_batch *batch,
		       struct pmon_push_states *states, const struct pmon_sample *sample,
		       const struct pmon_push_row *rows);

// Write the first rows again, after the others.
bool pmon_pg_batch_put_firsts(const struct pmon_push_sink *push, struct pg_batch *batch);

// A fact as a row of COPY, its operand x if that is_real; the question for the newest value before a first row; and a newest value.
bool pmon_pg_put_fact(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes,
		      uint32_t series, const struct pmon_push_fact *fact, bool is_real);
bool pmon_pg_put_first(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes, size_t at,
		       const struct pmon_push_first *first);
bool pmon_pg_put_tail(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes,
		      uint32_t series, const struct pmon_push_state *state);

void pmon_pg_batch_clear(struct pg_batch *batch);
void pmon_pg_batch_free(const struct pmon_push_sink *push, struct pg_batch *batch);

// Add a day to a list of them. false: out of memory.
bool pmon_pg_add_day(const struct pmon_push_sink *push, pmon_time **days, size_t *n, size_t *cap,
		     pmon_time day);

// ---- A push under way -----------------------------------------------------------------------

struct pg_engine {
	struct pmon_push_sink push; // first
	struct pg_connection *pg;
	char log[PMON_HASH128_SIZE];
	struct pg_batch batch;
	struct pmon_push_states states;
	struct pmon_push_touched touched;
	pmon_time *days; // of the facts sent whose hours are not summed up yet
	size_t n_days;
	size_t days_cap;
	pmon_time month;          // the session has made the table of this day's month
	size_t series_bytes;      // of the series that came since the batch began
	uint64_t n_new;           // rows of it that were not there
	uint64_t n_different;     // rows of it for whose keys another value was there
	uint32_t keep_days;       // that values are kept; 0: forever
	const char *asked;        // the statement to run
	const char *answer;       // to it
	struct pg_rollup *rollup; // in progress
};

// Prepare a session with all tables. sink.c
PMON_NODISCARD enum pmon_status pmon_pg_try_session(struct pg_engine *e, bool *again,
						    struct pmon_err *err);

// Retry until it succeeds or fails for good. sink.c
PMON_NODISCARD enum pmon_status pmon_pg_insist(struct pg_engine *e,
					       enum pmon_status (*attempt)(struct pg_engine *,
									   bool *,
									   struct pmon_err *),
					       struct pmon_err *err);

// Rows into a temporary table, whose columns may follow its name. sink.c
PMON_NODISCARD enum pmon_status pmon_pg_copy_into(struct pg_engine *e, const char *table,
						  const struct pmon_push_bytes *rows, bool *again,
						  struct pmon_err *err);

// Store the series that the session does not know yet, in a transaction. sink.c
PMON_NODISCARD enum pmon_status pmon_pg_store_series(struct pg_engine *e, bool *again,
						     struct pmon_err *err);

// Make the pairs of first rows and the newest values that are stored; store the newest values. seams.c
PMON_NODISCARD enum pmon_status pmon_pg_join(struct pg_engine *e, bool *again,
					     struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_pg_try_tails(struct pg_engine *e, bool *again,
						  struct pmon_err *err);

// Sum up the hours of the facts that were sent. rollup.c
PMON_NODISCARD enum pmon_status pmon_pg_sum_hours(struct pg_engine *e, struct pmon_err *err);

PMON_NODISCARD enum pmon_status pmon_pg_rollup_refuse(struct pg_engine *e, bool *again,
						      struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_pg_rollup(struct pmon_push_sink *push,
					       const struct pmon_rollup_options *options,
					       struct pmon_rollup_counts *counts,
					       struct pmon_err *err);

// Cells of the last answer as a number; NULL is 0. rollup.c
int64_t pmon_pg_number(const struct pg_connection *pg, size_t row, int column);

// ---- Statements -----------------------------------------------------------------------------

#define PG_SQL_SIZE ((size_t)16 << 10) // of the longest statement

// Raise this whenever a view changes or a table is added: the schema is then made again. Databases of versions below
// PG_FIRST_VERSION have raw values instead of facts, or no labels.
#define PG_VIEWS_VERSION 13
#define PG_FIRST_VERSION 13

// Write a template of sql.h with its placeholders filled in. schema.c
void pmon_pg_put_sql(struct pmon_text *sql, const char *template,
		     const struct pmon_push_name *names);

// The schema, and a lock that serializes who makes it.
extern const char pmon_pg_lock[];
void pmon_pg_put_schema(struct pmon_text *sql);

void pmon_pg_put_quoted(struct pmon_text *sql, const char *text);

// Read for how many days values are kept, after options.retention_100ns was recorded; and drop what has expired when
// push->keep_from is of another day, and set it. retention.c
PMON_NODISCARD enum pmon_status pmon_pg_read_retention(struct pg_connection *pg,
						       struct pmon_push_sink *push, uint32_t *days,
						       bool *again, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_pg_keep(struct pg_connection *pg, struct pmon_push_sink *push,
					     uint32_t days, bool *again, struct pmon_err *err);
void pmon_pg_put_retention(struct pmon_text *sql, uint32_t days);

// The ids that are stored for a machine as one text, and one more (push.h). machines.c
void pmon_pg_put_machine_query(struct pmon_text *sql, const char *name);
void pmon_pg_put_machine_insert(struct pmon_text *sql, const char *name, const char *id,
				bool is_accepted);

// All statements, and the first rows of a sample. describe.c
PMON_NODISCARD enum pmon_status pmon_pg_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

#endif
