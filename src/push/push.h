// push.h - the interface of an engine, and what engines share
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_PUSH_H
#define PMON_PUSH_PUSH_H

#include <pmon/push.h>

#include "model/machine.h"
#include "model/sink.h"
#include "push/ledger.h"

// ---- An engine ------------------------------------------------------------------------------
//
// batches.c splits a log in the same way for all engines: samples become rows, rows become batches
// that end at the same samples whenever the log is pushed, and the ledger lists the batches that the
// engine has. An engine builds a batch, sends it and stores the ledger. Its sink begins with struct
// pmon_push_sink, which is `push` in the functions below.

struct pmon_query_engine;

// Rows that are sent together.
struct pmon_push_batch {
	size_t n;                   // rows
	size_t left_out;            // rows that the engine does not accept
	size_t n_expired;           // rows older than the retention, which are not sent
	size_t n_ahead;             // rows ahead of the engine's clock, which are not sent
	struct pmon_hash128 digest; // of the rows
	pmon_time first;            // of their samples
	pmon_time last;
};

// The clock of an engine, at a time of the monotonic clock.
struct pmon_push_clock {
	pmon_time time;
	int64_t read_100ns;
};

// The ids that an engine has stored for a machine name. machines.c
#define PMON_PUSH_MACHINES 64 // maximum per name

struct pmon_push_machine {
	char id[PMON_MACHINE_ID + 1];
	int64_t since_s;  // when it was first stored, in seconds since 1970
	bool is_accepted; // in addition to the first one
};

struct pmon_push_machines {
	struct pmon_push_machine list[PMON_PUSH_MACHINES];
	size_t n;
};

// Parse an engine's answer: lines "ID\tSECONDS\tACCEPTED", with ACCEPTED 0 or 1.
void pmon_push_machines_add_text(struct pmon_push_machines *machines, struct pmon_span text);

// The common beginning of every engine's sink. An engine counts bytes, retries and the values that it
// skips, either as repeated or by subtracting them from the rows. batches.c counts everything else.
struct pmon_push_sink {
	struct pmon_sink sink; // first
	const struct pmon_push_engine *engine;
	const struct pmon_allocator *allocator;
	struct pmon_push_options options; // their defaults are filled in
	void *session; // the engine's state shared by the sinks of options.session, or NULL
	struct pmon_push_counts counts;
	struct pmon_labels labels;           // of its machines
	const struct pmon_source_info *info; // of the log
	struct pmon_push_keys keys;          // of its series
	bool has_log;                        // its first sample has arrived
	struct pmon_hash128 log;             // which log it is
	struct pmon_push_ledger ledger;
	struct pmon_push_clock clock;
	uint64_t n_old;      // samples that are very old
	pmon_time keep_from; // samples before it are older than the retention; set by begin()
	pmon_time newest;    // of the samples
	size_t batch_rows;   // maximum per batch
	struct pmon_push_batch batch;
	struct pmon_push_row *rows; // of one sample
	size_t rows_cap;
};

struct pmon_push_engine {
	const char *const *schemes; // NULL after the last; texts are static
	size_t size;                // of its sink
	size_t batch_rows;          // that suit it
	bool has_retention;         // it deletes old values, and takes options.retention_100ns

	// Read the URL and the options; the rest of the sink is zeros. Nothing is sent yet.
	enum pmon_status (*open)(struct pmon_push_sink *push, const char *url,
				 struct pmon_err *err);
	// Free the engine's own state, also after a failed open.
	void (*close)(struct pmon_push_sink *push);

	// Begin a log: prepare its destination.
	enum pmon_status (*begin)(struct pmon_push_sink *push, struct pmon_err *err);
	// Read the clock of the server; *now stays PMON_TIME_NONE if it does not tell. NULL: it has none.
	enum pmon_status (*read_clock)(struct pmon_push_sink *push, pmon_time *now,
				       struct pmon_err *err);
	// Read the ids stored for a machine, whose name is written as in identities; and store one more: if it is
	// not accepted, only if the name has none. What is read afterwards is stable, even if other processes do
	// the same concurrently. NULL: the engine keeps no ids.
	enum pmon_status (*read_machine)(struct pmon_push_sink *push, const char *name,
					 struct pmon_push_machines *out, struct pmon_err *err);
	enum pmon_status (*write_machine)(struct pmon_push_sink *push, const char *name,
					  const char *id, bool is_accepted, struct pmon_err *err);
	// Read the ledger of push->log into push->ledger.
	enum pmon_status (*read_ledger)(struct pmon_push_sink *push, struct pmon_err *err);
	// Add series i of the schema, in order, before its first sample.
	enum pmon_status (*add_series)(struct pmon_push_sink *push, size_t i, struct pmon_err *err);
	// Must the batch end before this sample, apart from the limit of rows? May be NULL.
	bool (*is_full)(const struct pmon_push_sink *push, const struct pmon_sample *sample);
	// Add a sample to the batch; its raw values are these rows, in the same order. Not called for samples
	// older than the retention or ahead of the clock, which only affect where batches end.
	enum pmon_status (*add)(struct pmon_push_sink *push, const struct pmon_sample *sample,
				const struct pmon_push_row *rows, struct pmon_err *err);

	// Send pending series; called before every batch, even if it is stored already. NULL: the batch includes them.
	enum pmon_status (*send_series)(struct pmon_push_sink *push, struct pmon_err *err);
	// Send the batch and record it in the ledger. *n_new is the number of rows that were new. If a push is
	// interrupted in between, the batch is sent again.
	enum pmon_status (*send)(struct pmon_push_sink *push, uint64_t *n_new,
				 struct pmon_err *err);
	// Count the raw values of the batch that the engine does not have. NULL: not supported.
	enum pmon_status (*count_missing)(struct pmon_push_sink *push, uint64_t *n,
					  struct pmon_err *err);
	// Begin the next batch: this one was sent or is stored already.
	void (*clear)(struct pmon_push_sink *push);
	// Everything was sent, on a flush or at the end. May be NULL.
	enum pmon_status (*flush)(struct pmon_push_sink *push, bool sync, struct pmon_err *err);
	enum pmon_status (*finish)(struct pmon_push_sink *push, struct pmon_err *err);
	// State that a session keeps from one log to the next: its size (0: none; initially zeros), how to free it, whether
	// work is left at the end of the session, and how a sink without a log completes that work.
	size_t session_size;
	void (*session_free)(void *session, const struct pmon_allocator *allocator);
	bool (*session_is_open)(const void *session);
	enum pmon_status (*session_finish)(struct pmon_push_sink *push, struct pmon_err *err);
	// Report at the end which samples were not stored unchanged.
	void (*tell)(const struct pmon_push_sink *push);

	// Implements pmon_push_rollup(); the options have both ends set. NULL: the engine has no rollups.
	enum pmon_status (*rollup)(struct pmon_push_sink *push,
				   const struct pmon_rollup_options *options,
				   struct pmon_rollup_counts *counts, struct pmon_err *err);

	// Implements pmon_push_describe(). options is never NULL, and its defaults are filled in.
	enum pmon_status (*describe)(const char *url, const struct pmon_push_options *options,
				     const struct pmon_schema *schema,
				     const struct pmon_sample *sample, pmon_push_text_fn out,
				     void *ctx, struct pmon_err *err);

	const struct pmon_query_engine *query; // query.h; NULL: queries are not supported
	const char *asked_by; // how to query it instead; NULL: there is no other way
};

// Open a sink of the engine; the defaults of options are filled in.
PMON_NODISCARD enum pmon_status pmon_push_sink_open(const struct pmon_push_engine *engine,
						    const char *url,
						    const struct pmon_push_options *options,
						    struct pmon_sink **sink, struct pmon_err *err);

// ---- Sessions -------------------------------------------------------------------------------

// The engine's state that the sinks of a session share, created for the first of them; *out is NULL if
// the engine has none. PMON_E_ARG: the session has another URL.
PMON_NODISCARD enum pmon_status pmon_push_session_join(struct pmon_push_session *session,
						       const struct pmon_push_engine *engine,
						       const char *url, void **out,
						       struct pmon_err *err);
// Compare the ids of the log's machines with the stored ones, and store new ones, before any other data.
// PMON_E_EXISTS if a name belongs to another machine. machines.c
PMON_NODISCARD enum pmon_status pmon_push_check_machines(struct pmon_push_sink *push,
							 struct pmon_err *err);

// ---- URLs -----------------------------------------------------------------------------------

#define PMON_PUSH_URL_SIZE 1024

// The parts of "clickhouse+https://a:8443/perf"; strings point into `text`.
struct pmon_push_url {
	char text[PMON_PUSH_URL_SIZE];
	bool tls;         // the scheme ends with "https"
	const char *host; // "a:8443"
	const char *path; // after the '/', or ""
};

// PMON_E_ARG: the URL is malformed or too long, or has several hosts or a user name, which belongs in the options.
PMON_NODISCARD enum pmon_status pmon_push_url_parse(const char *url, struct pmon_push_url *out,
						    struct pmon_err *err);

// Is a host this machine: a loopback address without brackets, or the name localhost?
bool pmon_push_is_here(const char *host);

// ---- Words ----------------------------------------------------------------------------------

// Report something to the user. is_loss: data was not stored.
void pmon_push_tell(const struct pmon_push_options *options, bool is_loss, const char *text);

// The same, prefixed with a number; nothing is reported if it is 0.
void pmon_push_tell_count(const struct pmon_push_sink *push, bool is_loss, uint64_t n,
			  const char *what);

// Report the number of samples that are earlier than their predecessors, if any.
void pmon_push_tell_backward(const struct pmon_push_sink *push);

// ---- Retention ------------------------------------------------------------------------------

#define PMON_PUSH_DAY_100NS (24 * 60 * PMON_TIME_PER_MIN)

// The beginning of the first day (UTC) that is kept: today and the `days` days before it are, so that no
// day expires too early. 0 days: everything is kept.
pmon_time pmon_push_keep_from(uint32_t days);

// options.retention_100ns, which is not 0, in days. Returns 0 for forever.
uint32_t pmon_push_retention_days(const struct pmon_push_options *options);

// ---- The clock ------------------------------------------------------------------------------

// clock.c. Read the clock of the engine, or that of this machine if the engine does not tell.
PMON_NODISCARD enum pmon_status pmon_push_clock_read(struct pmon_push_sink *push,
						     struct pmon_err *err);

// Is a sample too far ahead of it? The first one is reported.
PMON_NODISCARD enum pmon_status pmon_push_clock_check(struct pmon_push_sink *push,
						      const struct pmon_sample *sample,
						      bool *is_ahead, struct pmon_err *err);

// Report the number of very old samples, if any.
void pmon_push_clock_tell(const struct pmon_push_sink *push);

// The rows of a batch that are sent.
static inline size_t
pmon_push_batch_kept(const struct pmon_push_batch *batch)
{
	return batch->n - batch->n_expired - batch->n_ahead;
}

// ---- Bytes ----------------------------------------------------------------------------------

// A growing buffer.
struct pmon_push_bytes {
	uint8_t *list;
	size_t n;
	size_t cap;
};

// Make room for `more` bytes. Returns false if out of memory.
bool pmon_push_room(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes, size_t more);
void pmon_push_free(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes);

// ---- Waiting --------------------------------------------------------------------------------

// The state of the attempts at one operation. Initialize it with zeros.
struct pmon_push_retry {
	int64_t since_100ns; // first attempt, on the monotonic clock; 0: none
	bool is_last;        // the next attempt is the last
	int64_t wait_100ns;  // before the next attempt
	int64_t asked_100ns; // minimum wait that the engine requested
	uint64_t random;
};

// Call this before each attempt: how long the server may be silent during it: a second at least,
// however little time is left.
int64_t pmon_push_retry_limit(struct pmon_push_retry *retry,
			      const struct pmon_push_options *options);

// After a failed attempt: report why, and wait. Returns true if the caller should retry; false, with *err
// unchanged, if retries timed out; false, with PMON_E_STATE in *err, if the user cancelled.
bool pmon_push_retry_wait(struct pmon_push_retry *retry, const struct pmon_push_options *options,
			  struct pmon_err *err);

// Has the user cancelled?
bool pmon_push_is_cancelled(const struct pmon_push_options *options);

#endif
