// engine.h - the state of a push to Prometheus or VictoriaMetrics
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_PROMETHEUS_ENGINE_H
#define PMON_PUSH_PROMETHEUS_ENGINE_H

#include "push/http.h"
#include "push/prometheus/prometheus.h"

#define PROM_TARGET_SIZE (PMON_PUSH_URL_SIZE + 32)
#define PROM_METRIC      32         // for a number in the server's own metrics, as text
#define PROM_NO_POINT    UINT32_MAX // ends the list of a series
#define PROM_DAY_MS      INT64_C(86400000)

// The state of a series during a push.
struct prom_series {
	struct prom_labels labels;
	const struct prom_memory *before; // from earlier logs, or NULL
	bool resumed;                     // counting continues where those ended
	bool is_compared;                 // the process was compared with the one in those logs
	struct pmon_raw owner; // owner of the newest value, PMON_RAW_OWNER; multi is 0: unknown
	bool present;          // in the newest sample of its stream
	bool stale;            // its newest point is a staleness marker
	pmon_time first;       // in this log; PMON_TIME_NONE: none yet
	pmon_time last;
	int64_t start_ms;     // of the first point of this log, -1 before
	int64_t last_ms;      // of the newest point; -1: none yet
	int64_t described;    // the day for which its family was last described; -1: none yet
	uint32_t chain_first; // in the batch
	uint32_t chain_last;
};

struct prom_number {
	int64_t ms;
	uint32_t next; // of its series; PROM_NO_POINT ends the list
	bool is_stale; // A staleness marker: the series is gone.
	double numbers[OM_PARTS];
};

// A batch that the server accepted but may still lose; or the end of a log.
struct prom_kept {
	uint8_t *body; // NULL: the end of a log
	size_t len;
	struct pmon_hash128 log; // the log that the batch belongs to
	struct pmon_hash128 digest;
	bool is_noted;                 // to be recorded in the ledger once it is safe
	int64_t taken_100ns;           // on the monotonic clock
	struct prom_memories memories; // for the series of a finished log, by key
};

struct prom_asking;

// The batches that a VictoriaMetrics server accepted last. Sinks of a session share it.
struct prom_queue {
	char started[PROM_METRIC]; // the server's start time, as it reports it; "": not asked yet
	double up_s; // the server's uptime at the last question; NAN if it does not report it
	int64_t asked_100ns;    // when it was asked, on the monotonic clock
	int64_t oldest_ms;      // the earliest time in its retention period
	struct prom_kept *kept; // in the order in which they were accepted
	size_t n_kept;
	size_t kept_cap;
	size_t kept_bytes;
	struct prom_memories
		carried; // the newest memory of each series from all finished logs of the session
};

struct prom_engine;

// How points are sent: by remote write, or by OTLP.
struct prom_wire {
	const char *path; // after that of the URL
	const char *const *headers;
	// As in struct pmon_http_request.
	bool (*may_pass)(long code, struct pmon_span answer);
	struct pmon_span (*words)(struct pmon_span answer);
	// Build the batch in e->packed; all points, or the last of each series alone. false when memory is short.
	bool (*make_body)(struct prom_engine *e, bool last_alone);
	// Read the answer to a batch that was taken. NULL: it says nothing.
	void (*take_answer)(struct prom_engine *e, struct pmon_span answer);
};

struct prom_engine {
	struct pmon_push_sink push; // must be first
	const struct prom_wire *wire;
	const char *place; // the URL and the tenant: what was sent there is recorded by it
	struct pmon_push_url url;
	char target[PROM_TARGET_SIZE];
	struct pmon_http *http;
	struct snappy_calls snappy;
	struct prom_memories memories;
	int64_t remembered_100ns; // on the monotonic clock
	struct om_registry registry;
	struct pmon_arena arena; // labels
	struct prom_series *series;
	size_t n_series;
	size_t series_cap;
	uint32_t *present; // the series that are present, unordered
	size_t n_present;
	size_t present_cap;
	uint64_t unwritten; // raw values that are unusable, or of series that are not displayed
	// the batch
	struct prom_number *points;
	size_t n_points;
	size_t points_cap;
	uint32_t *touched; // series that have points
	size_t n_touched;
	size_t touched_cap;
	struct prom_point *scratch; // of one series
	size_t scratch_cap;
	struct pmon_push_bytes body;
	struct pmon_push_bytes packed;
	uint64_t n_rejected; // points of batches that the server took in part
	bool has_told;       // what the server said of the first of them
	size_t n_values;     // the rows that are points
	// VictoriaMetrics
	bool settles;             // the server reports its start time
	struct prom_queue *queue; // that of the session, or its own
	struct prom_queue own_queue;
	struct prom_asking *asking; // asking.h; NULL for a push
};

// Where to send samples: an http URL contains the whole path; for other schemes, the path that the
// servers use for remote write or OTLP is appended, unless the URL ends with it.
PMON_NODISCARD enum pmon_status pmon_prom_target(const char *text, struct pmon_push_url *url,
						 char target[PROM_TARGET_SIZE],
						 struct pmon_err *err);

// ---- send.c: the way to the server -----------------------------------------------------------

extern const struct prom_wire pmon_prom_remote_write;

// The points of a part of a series, in scratch; all, or the last alone.
size_t pmon_prom_gather(struct prom_engine *e, const struct prom_series *series, int part,
			bool last_alone);

// Send the points of the batch. *was_there: the server already had them.
PMON_NODISCARD enum pmon_status pmon_prom_send(struct prom_engine *e, bool *was_there,
					       struct pmon_err *err);

// Send a body.
PMON_NODISCARD enum pmon_status pmon_prom_post(struct prom_engine *e, const uint8_t *body,
					       size_t len, struct pmon_err *err);

// Does the ledger get the batch? Without a folder, or for a live source, the samples are not read again. The ledger has
// no numbers of rows, so a batch with samples that are ahead of the clock stays out of it: they may be sent later.
bool pmon_prom_is_noted(const struct pmon_push_sink *push);

// ---- otlp.c ----------------------------------------------------------------------------------

extern const struct prom_wire pmon_prom_otlp;

// ---- settle.c: until VictoriaMetrics has in its files what it took -----------------------------

// Identify the server. If it is not the same one as before, resend what the session's earlier logs
// left.
PMON_NODISCARD enum pmon_status pmon_prom_begin_settling(struct prom_engine *e,
							 struct pmon_err *err);

// Keep the batch that was just accepted.
PMON_NODISCARD enum pmon_status pmon_prom_keep(struct prom_engine *e, struct pmon_err *err);

// The log has ended: save its memories, sorted by key, once everything before them is safe. Later
// logs of the session see them at once. Takes ownership of the list.
PMON_NODISCARD enum pmon_status pmon_prom_keep_end(struct prom_engine *e,
						   struct prom_memories *memories,
						   struct pmon_err *err);

// Drop the carried memories if all are saved. The caller then reads the saved ones.
void pmon_prom_forget_carried(struct prom_engine *e);

// Ensure that the accepted batches are safe, and record them in the ledger: all of them, which may
// take some seconds, or only those that need no waiting.
PMON_NODISCARD enum pmon_status pmon_prom_settle(struct prom_engine *e, bool all,
						 struct pmon_err *err);
void pmon_prom_queue_free(void *queue, const struct pmon_allocator *allocator);

// ---- query.c, and load.c ----------------------------------------------------------------------

extern const struct pmon_query_engine pmon_prom_query;
void pmon_prom_asking_free(struct prom_engine *e);

// ---- describe.c ------------------------------------------------------------------------------

PMON_NODISCARD enum pmon_status pmon_prom_describe(
	const char *url, const struct pmon_push_options *options, const struct pmon_schema *schema,
	const struct pmon_sample *sample, pmon_push_text_fn out, void *ctx, struct pmon_err *err);

#endif
