// push.h - samples into engines over the network: ClickHouse, Prometheus, PostgreSQL
// SPDX-License-Identifier: MIT
//
// An engine is a sink (sink.h) that a URL names:
//
//	struct pmon_push_options options = {.user = "pmon", .password = password};
//
//	status = pmon_push_open("clickhouse+https://db.example.org:8443/perf", &options, &sink, &err);
//	if (status == PMON_OK)
//		status = pmon_copy(source, sink, NULL, &err);
//	pmon_sink_close(sink);
//
// One fact has one key, (series, time of the sample), so the same fact sent twice counts once: a push
// that was cut off is simply made again. What an earlier one has stored is then known by its content
// and skipped. Where a log has several samples of one time, as logs without seconds do, they are
// numbered; engines that cannot take them take the first, and a notice reports the others.
//
// Where the log says which machine it is of (pmon_source_info.machines) and the engine has another one of that
// name, pmon_sink_begin() fails with PMON_E_EXISTS: their counters would become one series each.
//
// Memory is bounded: adding to a sink waits for the engine when a batch is on its way. Where the engine
// cannot be reached or is busy it is tried again and again, at growing intervals, until options.retry
// gives up; what it refuses for another reason fails at once, with its own words.
//
// Several logs go one after the other, each by a sink of its own. What VictoriaMetrics took is safe only some
// seconds later, which each sink waits for when it is finished. With a session they are waited for once:
//
//	status = pmon_push_session_open(NULL, &options.session, &err);
//	...                                               // as above, for each log
//	status = pmon_push_session_finish(url, &options, &err);
//	pmon_push_session_close(options.session);
//
// pmon_sink_finish() sends what is left; pmon_sink_flush() sends what is there, for live sources. A
// sink that is closed without a finish has sent whole batches only, and those stay.

#ifndef PMON_PUSH_H
#define PMON_PUSH_H

#include <pmon/sink.h>

#ifdef __cplusplus
extern "C" {
#endif

// Which batches of a log are sent.
enum pmon_push_check {
	PMON_PUSH_NEW,    // those that the ledger of the engine does not have
	PMON_PUSH_VERIFY, // none: count the raw values that the engine does not have
	PMON_PUSH_AGAIN // those with raw values that the engine does not have, whatever its ledger says
};

// What became of a push so far.
struct pmon_push_counts {
	uint64_t samples; // taken
	uint64_t rows;    // raw values in them
	uint64_t sent;    // of them: sent, and acknowledged by the engine
	uint64_t stored;  // were there already and were skipped
	uint64_t
		repeated; // left out: of a time at which their series has a value already, where the
			  // engine takes only one
	uint64_t backward; // samples that are earlier than the one before
	uint64_t bytes;    // sent, as they went over the network
	uint64_t retries;  // requests that had to be made again
	uint64_t series;
	uint64_t missing; // raw values that the engine did not have, if options.check asks for them
	uint64_t lost;    // of them: of batches that its ledger has
	uint64_t
		different; // raw values in whose place another one counts, if the engine can say it
	uint64_t expired;  // older than the retention: neither sent, nor stored, nor missing
};

// Values are kept until they are deleted by hand.
#define PMON_PUSH_FOREVER INT64_MAX

struct pmon_push_session;

// Zeros are the defaults. Texts and functions must outlive the sink.
struct pmon_push_options {
	const struct pmon_allocator *allocator; // NULL: libc
	// Who is asking. Never part of a URL or of any message.
	const char *user;
	const char *password;
	const char *token;   // in place of both, where the engine takes bearer tokens
	bool insecure;       // send them over plain http to other machines too
	const char *ca_file; // certificates of authorities; NULL: those of the system
	const char
		*cluster; // of ClickHouse: make and fill tables that are spread over this cluster
	const char *
		state_dir; // a folder for what was sent, for engines that keep no ledger themselves;
			   // NULL: everything is sent again
	struct pmon_push_session *session; // of several pushes to one URL; NULL: each is alone
	enum pmon_push_check check;
	// How long the engine keeps values, in whole days; it records that, for pushes to come. 0: as it is
	// recorded. PMON_E_UNSUPPORTED: the engine does not delete what pmon stored.
	int64_t retention_100ns;
	bool accept_ids; // a machine may have another id than those that its name has in the engine
	size_t batch_rows; // raw values that are sent at once; 0: as many as suit the engine
	struct {
		int64_t first_100ns;   // before the second attempt; 0: half a second
		int64_t longest_100ns; // between two attempts; 0: 30 s
		int64_t give_up_100ns; // when no attempt has gone well for so long; 0: 5 minutes
	} retry;
	int64_t timeout_100ns; // without a byte going either way; 0: 2 minutes
	pmon_notice_fn notice; // attempts that failed, samples that are left out; NULL: not told
	void *notice_ctx;
	// After each batch.
	void (*progress)(void *ctx, const struct pmon_push_counts *counts);
	void *progress_ctx;
	// Asked while waiting: shall the push end now, with PMON_E_STATE?
	bool (*cancel)(void *ctx);
	void *cancel_ctx;
};

// Open an engine by the scheme of its URL. Nothing is sent before pmon_sink_begin(). options may be
// NULL. PMON_E_ARG: no such scheme, or a URL that cannot be, or holds a password, or a password would
// go over plain http to another machine without options.insecure; PMON_E_UNSUPPORTED:
// the engine cannot do what the options ask, or the library that it needs cannot be loaded.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_open(const char *url,
							const struct pmon_push_options *options,
							struct pmon_sink **sink,
							struct pmon_err *err);

// Begin a session. allocator (NULL: libc) is also that of its sinks, and they come one after the other.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_session_open(
	const struct pmon_allocator *allocator, struct pmon_push_session **out,
	struct pmon_err *err);

// Wait until everything that the sinks of options->session sent is safe, and remembered as sent. Until then,
// or when this fails, a push that is made again sends what may not be safe once more.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_session_finish(
	const char *url, const struct pmon_push_options *options, struct pmon_err *err);
PMON_API void pmon_push_session_close(struct pmon_push_session *session); // NULL is fine

// What was pushed by a sink of pmon_push_open().
PMON_API struct pmon_push_counts pmon_push_counts(const struct pmon_sink *sink);

// Scheme i that can be opened, "clickhouse+http"; NULL after the last.
PMON_API const char *pmon_push_scheme(size_t i);

// What is described goes out as text, line by line or in larger pieces.
typedef void (*pmon_push_text_fn)(void *ctx, struct pmon_span text);

// Describe what a push to this URL would create and how it would store the first samples, without
// connecting to a server. sample may be NULL.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

// ---- Rollups --------------------------------------------------------------------------------

// What was computed.
struct pmon_rollup_counts {
	uint64_t hours;  // of the clock, at least for some series
	uint64_t series; // on the day that has most of them
	uint64_t sums;   // hours of a series
	uint64_t rows;   // raw rows that they have
	uint64_t kept;   // hours of a series that stay, as raw rows that they were made of are gone
};

// Which hours are computed: those that changed, and are at least in part in [begin, end).
struct pmon_rollup_options {
	pmon_time begin; // PMON_TIME_NONE: from the first on
	pmon_time end;   // PMON_TIME_NONE: up to the last
	bool again;      // those that did not change too, and also where raw rows are gone
	bool dry_run;    // find them only
	// After each day that something changed in: what was done. NULL: nobody asks.
	void (*day)(void *ctx, pmon_time day, const struct pmon_rollup_counts *counts);
	void *day_ctx;
};

// Compute sums of whole hours in an engine that has the raw rows, where these changed since the last time.
// It can be cut off at any time, and run at several places at once. PMON_E_UNSUPPORTED: the engine has no
// rollups of pmon's.
PMON_API PMON_NODISCARD enum pmon_status pmon_push_rollup(const char *url,
							  const struct pmon_push_options *options,
							  const struct pmon_rollup_options *rollup,
							  struct pmon_rollup_counts *counts,
							  struct pmon_err *err);

#ifdef __cplusplus
}
#endif

#endif
