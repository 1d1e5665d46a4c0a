// push.h - push samples to database engines: ClickHouse, Prometheus, PostgreSQL
// SPDX-License-Identifier: MIT
//
// An engine is a sink (sink.h) that is addressed by a URL:
//
//	const char *url = "clickhouse+https://db.example.org:8443/perf";
//	struct pmon_push_options options = {.size = sizeof(options), .user = "pmon", .password = getenv("PASSWORD")};
//
//	status = pmon_push_open(url, &options, &sink, &err);
//	if (status == PMON_OK)
//		status = pmon_copy(source, sink, NULL, &err);
//	pmon_sink_close(sink);
//
// Pushes are idempotent. A value's key is (series, sample time), so a value sent twice counts once,
// and an interrupted push can simply be repeated: values stored earlier are recognized by their
// content and skipped. If a log has several samples with the same time (as logs without seconds
// do), they are numbered; engines that cannot store them keep the first, and a notice reports the
// others.
//
// Samples that are more than ten minutes ahead of the engine's clock are not sent, unless
// options.allow_future: a Prometheus would accept nothing older after them. A notice reports the first of
// them, and counts.ahead has their raw values.
//
// If the log has a machine id (pmon_source_info.machines) and the engine has another machine of
// that name, pmon_sink_begin() fails with PMON_E_EXISTS, because their series would be mixed.
//
// Memory is bounded: adding to a sink blocks while a batch is being sent. If the engine is
// unreachable or busy, requests are retried with backoff until options.retry gives up; other errors
// fail immediately, with the engine's message.
//
// Several logs are pushed one after another, each through its own sink. VictoriaMetrics makes data
// durable only after some seconds, and every sink waits for that when it is finished. With a
// session, there is only one wait:
//
//	struct pmon_push_options options = {.size = sizeof(options), .user = "pmon"};
//
//	status = pmon_push_session_open(NULL, &options.session, &err);
//	for (size_t i = 0; status == PMON_OK && i < n_logs; i++)
//		status = push_one(logs[i], &options);      // as above
//	if (status == PMON_OK)
//		status = pmon_push_session_finish(url, &options, &err);
//	pmon_push_session_close(options.session);
//
// pmon_sink_finish() sends the remaining values; pmon_sink_flush() sends what is buffered, for live
// sources. If a sink is closed without being finished, the complete batches sent so far remain in
// the engine.

#ifndef PMON_PUSH_H
#define PMON_PUSH_H

#include <pmon/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

// Which batches of a log are sent.
enum pmon_push_check {
	PMON_PUSH_NEW,    // batches missing from the engine's ledger
	PMON_PUSH_VERIFY, // none: only count the raw values missing from the engine
	PMON_PUSH_AGAIN   // batches with raw values missing from the engine, ignoring its ledger
};

// Running totals of a push.
struct pmon_push_counts {
	uint64_t samples; // added to the sink
	uint64_t rows;    // raw values in them
	uint64_t sent;    // rows sent, and acknowledged by the engine
	uint64_t stored;  // rows skipped: already in the engine
	// skipped: the series already has a value at this time, and the engine stores only one
	uint64_t repeated;
	uint64_t backward; // samples earlier than the preceding one
	uint64_t bytes;    // sent over the network
	uint64_t retries;  // repeated requests
	uint64_t series;
	uint64_t missing; // raw values missing from the engine, if options.check asks for them
	uint64_t lost;    // the part of `missing` whose batches are in the engine's ledger
	// raw values for which the engine has another value, if it can report this
	uint64_t different;
	uint64_t expired; // older than the retention: not in sent, stored or missing
	uint64_t ahead;   // ahead of the engine's clock: not in sent, stored or missing
	uint64_t reserved[3];
};

// Values are kept until they are deleted by hand.
#define PMON_PUSH_FOREVER INT64_MAX

struct pmon_push_session;

// Zeros are the defaults. Texts and functions must outlive the sink.
struct pmon_push_options {
	size_t size;                            // of this struct, set by the caller: base.h
	const struct pmon_allocator *allocator; // NULL: libc
	// Credentials. They never appear in a URL or a message.
	const char *user;
	const char *password;
	const char *token;   // bearer token instead of user and password, if the engine supports it
	bool insecure;       // allow sending them to other machines over plain http
	const char *ca_file; // CA certificates; NULL: the system's
	// A folder that records what was sent, for engines without their own ledger. NULL:
	// everything is sent again.
	const char *state_dir;
	struct pmon_push_session *session; // shared by several pushes to one URL; NULL: none
	enum pmon_push_check check;
	// How long the engine keeps values, in whole days; the engine records it for future pushes.
	// 0: as recorded. PMON_E_UNSUPPORTED: the engine cannot delete what pmon stored.
	int64_t retention_100ns;
	bool accept_ids; // accept a machine id that differs from those the engine has for its name
	bool allow_future; // send samples that are more than ten minutes ahead of the engine's clock
	size_t batch_rows; // raw values per batch; 0: suited to the engine
	struct {
		int64_t first_100ns;   // delay before the second attempt; 0: half a second
		int64_t longest_100ns; // longest delay between attempts; 0: 30 s
		int64_t give_up_100ns; // give up after this long without success; 0: 5 minutes
	} retry;
	int64_t timeout_100ns; // without a byte sent or received; 0: 2 minutes
	pmon_notice_fn notice; // reports failed attempts and skipped samples; NULL: no notices
	void *notice_ctx;
	// Called after each batch.
	void (*progress)(void *ctx, const struct pmon_push_counts *counts);
	void *progress_ctx;
	// Polled while waiting; true cancels the push with PMON_E_STATE.
	bool (*cancel)(void *ctx);
	void *cancel_ctx;
	// Headers of every HTTP request, such as "X-Scope-OrgID: sales"; NULL after the last, or NULL.
	// Those whose names contain "auth", "cookie", "key", "pass", "secret" or "token" are credentials.
	const char *const *headers;
	// Labels of the log's machines, such as "site=berlin". They are part of the identity of series: machines of
	// one name with different labels are different machines. At most 16.
	const char *const *labels;
	size_t n_labels;
};

// Open an engine by its URL's scheme. Nothing is sent before pmon_sink_begin(). options may be
// NULL. PMON_E_ARG: unknown scheme, an invalid URL, a password in the URL, or a password that would
// be sent over plain http to another machine without options.insecure; PMON_E_UNSUPPORTED: the
// engine does not support the options, or a library that it needs cannot be loaded.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_open(const char *url,
							const struct pmon_push_options *options,
							struct pmon_sink **sink,
							struct pmon_err *err);

// Begin a session. Its sinks use the same allocator (NULL: libc), one sink at a time.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_session_open(
	const struct pmon_allocator *allocator, struct pmon_push_session **out,
	struct pmon_err *err);

// Wait until everything that the sinks of options->session sent would survive a kill of the server,
// and record it as sent. VictoriaMetrics writes samples to disk some seconds after it accepted them,
// and does not report when; other engines answer after they have written, so there is no wait. What
// a loss of power can take depends on the server's settings. If this fails or is not called, a
// repeated push resends whatever was not recorded. PMON_E_ARG: no session.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_session_finish(
	const char *url, const struct pmon_push_options *options, struct pmon_err *err);
PMON_API void pmon_push_session_close(struct pmon_push_session *session); // NULL is fine

// The counts of a sink from pmon_push_open().
PMON_API struct pmon_push_counts pmon_push_counts(const struct pmon_sink *sink);

// Supported scheme i, such as "clickhouse+http"; NULL after the last.
PMON_API const char *pmon_push_scheme(size_t i);

// Receives the description as text, line by line or in larger pieces.
typedef void (*pmon_push_text_fn)(void *ctx, struct pmon_span text);

// Describe what a push to this URL would create and how it would store the first samples, without
// connecting to a server. sample may be NULL.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

// ---- Rollups --------------------------------------------------------------------------------

// The work done by a rollup.
struct pmon_rollup_counts {
	uint64_t hours;  // clock hours computed for at least some series
	uint64_t series; // on the day that has the most
	uint64_t sums;   // series-hours computed
	uint64_t rows;   // raw rows in them
	uint64_t kept;   // series with intervals that begin at deleted values, and stay as they are
	uint64_t reserved[4];
};

// Which hours are computed: those that changed and overlap [begin, end).
struct pmon_rollup_options {
	size_t size;     // of this struct, set by the caller: base.h
	pmon_time begin; // PMON_TIME_NONE: from the first on
	pmon_time end;   // PMON_TIME_NONE: up to the last
	bool again;      // also unchanged hours, and hours whose raw rows were deleted
	bool dry_run;    // only find them
	// Called after each day with changes. NULL: no call.
	void (*day)(void *ctx, pmon_time day, const struct pmon_rollup_counts *counts);
	void *day_ctx;
};

// Compute sums of whole hours in the engine that holds the raw rows, for rows changed since the
// last rollup. It can be interrupted at any time, and can run in several places at once.
// PMON_E_UNSUPPORTED: pmon has no rollups for this engine.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_rollup(const char *url,
							  const struct pmon_push_options *options,
							  const struct pmon_rollup_options *rollup,
							  struct pmon_rollup_counts *counts,
							  struct pmon_err *err);

#ifdef __cplusplus
}
#endif

#endif
