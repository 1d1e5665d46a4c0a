// engine.h - the state of a push to ClickHouse
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_CLICKHOUSE_ENGINE_H
#define PMON_PUSH_CLICKHOUSE_ENGINE_H

#include "base/scan.h"
#include "push/clickhouse/batch.h"
#include "push/clickhouse/clickhouse.h"
#include "push/http.h"

#define CH_ANSWER_MAX ((size_t)64 << 20) // bytes

struct ch_engine {
	struct pmon_push_sink push; // first
	struct pmon_push_url url;
	struct ch_place place;
	struct pmon_http *http;
	char log[PMON_HASH128_SIZE];
	struct pmon_push_bytes series; // rows not sent yet
	size_t n_sent;                 // series that are
	struct pmon_push_states states;
	struct pmon_push_touched touched;
	struct pmon_push_identity identity;
	struct ch_batch batch;
	bool is_making;    // tables, as others may do at the same time
	size_t answer_max; // maximum bytes of an answer; 0: CH_ANSWER_MAX
	uint64_t seed;     // of the ids of statements
	uint64_t n_statements;
};

// A statement other than an insert has an id, which all attempts at it share: a server that still runs the first one
// refuses the next, and what is given up can be cancelled. sink.c
void pmon_ch_next_id(struct ch_engine *e, char id[PMON_HASH128_SIZE]);

// Send the statement with this id; if it is given up or interrupted, cancel it. sink.c
PMON_NODISCARD enum pmon_status pmon_ch_ask(struct ch_engine *e,
					    const struct pmon_http_request *request, const char *id,
					    struct pmon_span *answer, struct pmon_err *err);

// Run a statement, in the body of a request. sink.c
PMON_NODISCARD enum pmon_status pmon_ch_run(struct ch_engine *e, const char *sql,
					    struct pmon_span *answer, struct pmon_err *err);

// Is a request with this answer worth retrying? sink.c
bool pmon_ch_may_pass(long code, struct pmon_span answer);

// Count the raw values of the batch that are not stored (push.h). verify.c
PMON_NODISCARD enum pmon_status pmon_ch_count_missing(struct pmon_push_sink *push, uint64_t *n,
						      struct pmon_err *err);

// Compare the rows to send, which are sorted, with those that are stored of their machines and time. *is_new: there
// are none, and nothing was stored. Otherwise *n were stored as they were missing, and *n_different were not, as
// another value is stored for their keys. verify.c
PMON_NODISCARD enum pmon_status pmon_ch_store_among(struct ch_engine *e, const uint8_t *rows,
						    bool *is_new, uint64_t *n,
						    uint64_t *n_different, struct pmon_err *err);

// One value is stored for a key: these rows are neither sent nor were they there. The ledger lacks them, so that
// they are compared whenever the log is pushed. verify.c
void pmon_ch_note_different(struct ch_engine *e, uint64_t n);

// Check the server and its tables, and create what is missing. begin.c
PMON_NODISCARD enum pmon_status pmon_ch_begin(struct ch_engine *e, struct pmon_err *err);

// Read the stored retention in days; store the one in the options, if there is one. retention.c
PMON_NODISCARD enum pmon_status pmon_ch_keep(struct ch_engine *e, uint32_t *days,
					     struct pmon_err *err);

// The ids that are stored for a machine, and one more (push.h). machines.c
PMON_NODISCARD enum pmon_status pmon_ch_read_machine(struct pmon_push_sink *push, const char *name,
						     struct pmon_push_machines *out,
						     struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_ch_write_machine(struct pmon_push_sink *push, const char *name,
						      const char *id, bool is_accepted,
						      struct pmon_err *err);
// Parts of answers. seams.c
bool pmon_ch_take_uuid(struct pmon_scan *s, struct pmon_hash128 *out);
bool pmon_ch_take_numbers(struct pmon_scan *s, int64_t *numbers,
			  size_t n);                            // with a tab before each
struct pmon_push_owner pmon_ch_owner(const int64_t numbers[3]); // id, start, known

// Make pairs of the first rows of the batch and the newest values that are stored. seams.c
PMON_NODISCARD enum pmon_status pmon_ch_join(struct ch_engine *e, struct pmon_err *err);

// Store the newest value of each series that has a new one. seams.c
PMON_NODISCARD enum pmon_status pmon_ch_store_tails(struct ch_engine *e, struct pmon_err *err);

// Sum up whole hours. hours.c
struct ch_sum_options {
	bool counts;         // instead of storing them: see CH_SUM_COUNTS
	const char *where;   // "AND ..." over the facts `f`, or ""
	const char *unless;  // "WHERE ..." over the sums, or ""
	const char *version; // of the sums, SQL
};
// Sums, series, rows, and a bit for each hour of a day, with a tab before each.
#define CH_SUM_COUNTS                                                                              \
	"SELECT '', count(), uniqExact(machine, series), sum(samples), "                           \
	"groupBitOr(bitShiftLeft(1, toHour(hour)))"
PMON_NODISCARD enum pmon_status pmon_ch_sum(struct ch_engine *e, pmon_time from, pmon_time to,
					    const struct ch_sum_options *options,
					    struct pmon_span *answer, struct pmon_err *err);

// Sum up the hours of the facts that were sent. hours.c
PMON_NODISCARD enum pmon_status pmon_ch_sum_hours(struct ch_engine *e, struct pmon_err *err);

// Rows into a table. sink.c
PMON_NODISCARD enum pmon_status pmon_ch_insert(struct ch_engine *e, const char *table,
					       const char *columns, const void *rows, size_t len,
					       struct pmon_err *err);

// Run a statement about rows, which the server has for its time as the table "sent", of this structure as it
// stands in a target. verify.c
PMON_NODISCARD enum pmon_status pmon_ch_ask_about(struct ch_engine *e, const char *structure,
						  const char *sql, const void *rows, size_t len,
						  struct pmon_span *answer, struct pmon_err *err);

// Compute hourly sums. rollup.c
PMON_NODISCARD enum pmon_status pmon_ch_rollup(struct pmon_push_sink *push,
					       const struct pmon_rollup_options *options,
					       struct pmon_rollup_counts *counts,
					       struct pmon_err *err);

// "AND f.machine IN (...)" over those of the batch; nothing if there are too many. hours.c
#define CH_MACHINES_SIZE ((size_t)2048)
void pmon_ch_put_machines(const struct ch_machines *machines, struct pmon_text *sql);

#endif
