// push.h - what an engine has to provide, and what engines share
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_PUSH_H
#define PMON_PUSH_PUSH_H

#include <pmon/push.h>

#include "model/machine.h"
#include "model/sink.h"
#include "push/ledger.h"

// ---- An engine ------------------------------------------------------------------------------
//
// batches.c takes a log apart in the same way for all engines: samples become rows, rows become
// batches that end at the same samples whenever the log is pushed, and the ledger says which
// batches the engine has. An engine says how a batch is made, how it is sent, and where the ledger
// is. Its sink begins with struct pmon_push_sink; in the functions below `push` is that beginning.

struct pmon_query_engine;

// Rows that are sent at once.
struct pmon_push_batch {
	size_t n;                   // rows
	size_t left_out;            // of them that the engine does not take
	size_t n_expired;           // of them that are older than the retention, and are not sent
	struct pmon_hash128 digest; // of the rows
	pmon_time first;            // of their samples
	pmon_time last;
};

// The ids that an engine has for the name of a machine. machines.c
#define PMON_PUSH_MACHINES 64 // those of a name that are looked at

struct pmon_push_machine {
	char id[PMON_MACHINE_ID + 1];
	int64_t since_s;  // when it was stored first, in seconds since 1970
	bool is_accepted; // beside the one that came first
};

struct pmon_push_machines {
	struct pmon_push_machine list[PMON_PUSH_MACHINES];
	size_t n;
};

// Add those of an engine's answer: lines "ID\tSECONDS\tACCEPTED", accepted being 0 or 1.
void pmon_push_machines_add_text(struct pmon_push_machines *machines, struct pmon_span text);

// What every engine's sink begins with. An engine counts the bytes and the retries, and the values that
// it leaves out: as repeated, or by taking them away from the rows. All else is counted in batches.c.
struct pmon_push_sink {
	struct pmon_sink sink; // first
	const struct pmon_push_engine *engine;
	const struct pmon_allocator *allocator;
	struct pmon_push_options options; // their defaults are filled in
	void *session; // what the engine keeps for the sinks of options.session; NULL: nothing
	struct pmon_push_counts counts;
	const struct pmon_source_info *info; // of the log
	struct pmon_push_keys keys;          // of its series
	bool has_log;                        // its first sample was there
	struct pmon_hash128 log;             // which log it is
	struct pmon_push_ledger ledger;
	pmon_time keep_from; // samples before it are older than the retention; set by begin()
	pmon_time newest;    // of the samples
	size_t batch_rows;   // that a batch has at most
	struct pmon_push_batch batch;
	struct pmon_push_row *rows; // of one sample
	size_t rows_cap;
};

struct pmon_push_engine {
	const char *const *schemes; // NULL after the last; texts are static
	size_t size;                // of its sink
	size_t batch_rows;          // that suit it
	bool has_retention;         // it deletes old values, and takes options.retention_100ns

	// Read the URL and the options; all else in the sink is zeros. Nobody is asked yet.
	enum pmon_status (*open)(struct pmon_push_sink *push, const char *url,
				 struct pmon_err *err);
	// Free what is the engine's own, however far it was opened.
	void (*close)(struct pmon_push_sink *push);

	// The log begins: have ready what it goes into.
	enum pmon_status (*begin)(struct pmon_push_sink *push, struct pmon_err *err);
	// Which ids are stored for a machine, whose name is as identities have it? Add them. And store one
	// more: if it is not accepted, only where the name has none. What is read after that stays so, whoever
	// does the same at this time. NULL: the engine keeps no ids.
	enum pmon_status (*read_machine)(struct pmon_push_sink *push, const char *name,
					 struct pmon_push_machines *out, struct pmon_err *err);
	enum pmon_status (*write_machine)(struct pmon_push_sink *push, const char *name,
					  const char *id, bool is_accepted, struct pmon_err *err);
	// push->log is known now: read its ledger into push->ledger.
	enum pmon_status (*read_ledger)(struct pmon_push_sink *push, struct pmon_err *err);
	// Take series i of the schema, the next one; it comes before its first sample.
	enum pmon_status (*add_series)(struct pmon_push_sink *push, size_t i, struct pmon_err *err);
	// Must the batch end before this sample, beyond the number of its rows? May be NULL.
	bool (*is_full)(const struct pmon_push_sink *push, const struct pmon_sample *sample);
	// Put a sample into the batch; its raw values are these rows, in their order. Not called for samples
	// that are older than the retention: they count for where batches end, and for nothing else.
	enum pmon_status (*add)(struct pmon_push_sink *push, const struct pmon_sample *sample,
				const struct pmon_push_row *rows, struct pmon_err *err);

	// Send the series that wait, before a batch whether it is stored or not. NULL: they go with it.
	enum pmon_status (*send_series)(struct pmon_push_sink *push, struct pmon_err *err);
	// Send the batch, and write it into the ledger. *n_new of its rows were not there before. A push
	// may be cut off anywhere in between: then the batch comes again.
	enum pmon_status (*send)(struct pmon_push_sink *push, uint64_t *n_new,
				 struct pmon_err *err);
	// Count the raw values of the batch that the engine does not have. NULL: it cannot be asked.
	enum pmon_status (*count_missing)(struct pmon_push_sink *push, uint64_t *n,
					  struct pmon_err *err);
	// Begin another batch: this one was sent, or is stored.
	void (*clear)(struct pmon_push_sink *push);
	// All that is there was sent, since the user flushes, or since it is the end. May be NULL.
	enum pmon_status (*flush)(struct pmon_push_sink *push, bool sync, struct pmon_err *err);
	enum pmon_status (*finish)(struct pmon_push_sink *push, struct pmon_err *err);
	// Where something is left from one log of a session to the next: how large that is, zeros at first; how it
	// is freed; whether there is something to do at the end of all; and how a sink that took no log does it. 0:
	// there is nothing.
	size_t session_size;
	void (*session_free)(void *session, const struct pmon_allocator *allocator);
	bool (*session_is_open)(const void *session);
	enum pmon_status (*session_finish)(struct pmon_push_sink *push, struct pmon_err *err);
	// Report at the end which samples were not stored unchanged.
	void (*tell)(const struct pmon_push_sink *push);

	// What pmon_push_rollup() promises; the options have both ends. NULL: the engine has no rollups.
	enum pmon_status (*rollup)(struct pmon_push_sink *push,
				   const struct pmon_rollup_options *options,
				   struct pmon_rollup_counts *counts, struct pmon_err *err);

	// What pmon_push_describe() promises. options are never NULL, and have their defaults filled in.
	enum pmon_status (*describe)(const char *url, const struct pmon_push_options *options,
				     const struct pmon_schema *schema,
				     const struct pmon_sample *sample, pmon_push_text_fn out,
				     void *ctx, struct pmon_err *err);

	const struct pmon_query_engine *query; // query.h; NULL: it cannot be asked
};

// Open a sink of the engine, whose options have their defaults.
PMON_NODISCARD enum pmon_status pmon_push_sink_open(const struct pmon_push_engine *engine,
						    const char *url,
						    const struct pmon_push_options *options,
						    struct pmon_sink **sink, struct pmon_err *err);

// ---- Sessions -------------------------------------------------------------------------------

// What the sinks of the session share, made for the first of them; *out is NULL where the engine has
// nothing. PMON_E_ARG: the session is of another URL.
PMON_NODISCARD enum pmon_status pmon_push_session_join(struct pmon_push_session *session,
						       const struct pmon_push_engine *engine,
						       const char *url, void **out,
						       struct pmon_err *err);
// Compare the ids of the log's machines with those that the engine has, and store what is new: before anything
// else is. PMON_E_EXISTS when a name is that of another machine. machines.c
PMON_NODISCARD enum pmon_status pmon_push_check_machines(struct pmon_push_sink *push,
							 struct pmon_err *err);

// ---- URLs -----------------------------------------------------------------------------------

#define PMON_PUSH_URL_SIZE 1024
#define PMON_PUSH_HOSTS    64

// "clickhouse+https://a:8443,b:8443/perf" in its parts; texts point into `text`.
struct pmon_push_url {
	char text[PMON_PUSH_URL_SIZE];
	bool tls;                           // the scheme ends with "https"
	const char *hosts[PMON_PUSH_HOSTS]; // "a:8443"
	size_t n_hosts;
	const char *path; // after the '/', "" when there is none
};

// PMON_E_ARG: no URL, too long, or it names a user: that is for the options.
PMON_NODISCARD enum pmon_status pmon_push_url_parse(const char *url, struct pmon_push_url *out,
						    struct pmon_err *err);

// ---- Words ----------------------------------------------------------------------------------

// Report something to the user. is_loss: data was not stored.
void pmon_push_tell(const struct pmon_push_options *options, bool is_loss, const char *text);

// The same with a number in front, unless it is 0.
void pmon_push_tell_count(const struct pmon_push_sink *push, bool is_loss, uint64_t n,
			  const char *what);

// Report how many samples are earlier than those before them, if any are.
void pmon_push_tell_backward(const struct pmon_push_sink *push);

// ---- Retention ------------------------------------------------------------------------------

#define PMON_PUSH_DAY_100NS (24 * 60 * PMON_TIME_PER_MIN)

// The beginning of the first day (UTC) that is kept if today and `days` days before it are; so no day is
// taken for expired too early. 0 days: all are kept.
pmon_time pmon_push_keep_from(uint32_t days);

// The days of options.retention_100ns, which is not 0; 0: forever.
uint32_t pmon_push_retention_days(const struct pmon_push_options *options);

// ---- Bytes ----------------------------------------------------------------------------------

// Bytes that are being put together.
struct pmon_push_bytes {
	uint8_t *list;
	size_t n;
	size_t cap;
};

// Room for so many more. false when memory is short.
bool pmon_push_room(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes, size_t more);
void pmon_push_free(const struct pmon_push_sink *push, struct pmon_push_bytes *bytes);

// ---- Waiting --------------------------------------------------------------------------------

// The state of retries of one operation. Initialize it with zeros.
struct pmon_push_retry {
	int64_t since_100ns; // the first attempt failed, on the monotonic clock; 0: none has
	int64_t wait_100ns;  // before the next
	int64_t asked_100ns; // what the engine asks to wait at least
	uint64_t random;
};

// An attempt has failed: report why, and wait. True when the caller should retry; false, with *err
// unchanged, when it is time to give up; false, with PMON_E_STATE in *err, when the user cancels.
bool pmon_push_retry_wait(struct pmon_push_retry *retry, const struct pmon_push_options *options,
			  struct pmon_err *err);

// Does the user want an end?
bool pmon_push_is_cancelled(const struct pmon_push_options *options);

#endif
