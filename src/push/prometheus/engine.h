// engine.h - a push to Prometheus or VictoriaMetrics, as its parts share it
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_PROMETHEUS_ENGINE_H
#define PMON_PUSH_PROMETHEUS_ENGINE_H

#include "push/http.h"
#include "push/prometheus/prometheus.h"

#define PROM_TARGET_SIZE (PMON_PUSH_URL_SIZE + 32)
#define PROM_METRIC      32         // for the text of a number in a server's own metrics
#define PROM_NO_POINT    UINT32_MAX // after the last of a series
#define PROM_DAY_MS      INT64_C(86400000)

// What a series is on its way to the server.
struct prom_series {
	struct prom_labels labels;
	const struct prom_memory *before; // of earlier logs, or NULL
	bool resumed;                     // counting goes on where they ended
	bool is_compared;                 // with whose process that was
	struct pmon_raw owner; // whose the newest value is, PMON_RAW_OWNER; multi is 0: not known
	bool present;          // in the newest sample of its stream
	bool stale;            // its newest point is a marker
	pmon_time first;       // of this log; PMON_TIME_NONE before
	pmon_time last;
	int64_t last_ms;      // of the newest point, -1 before
	int64_t described;    // the day for which its family was described last, -1 before
	uint32_t chain_first; // of the batch
	uint32_t chain_last;
};

struct prom_number {
	int64_t ms;
	uint32_t next; // of its series, PROM_NO_POINT after the last
	bool is_stale; // a marker that the series is gone
	double numbers[OM_PARTS];
};

// A batch that was taken, and may still be lost; or the end of a log.
struct prom_kept {
	uint8_t *body; // NULL: the end of a log
	size_t len;
	struct pmon_hash128 log; // that the batch is of
	struct pmon_hash128 digest;
	bool is_noted;                 // in the ledger, once it is safe
	int64_t taken_100ns;           // when, on the monotonic clock
	struct prom_memories memories; // of the series of the log that ended, by their keys
};

struct prom_asking;

// What a VictoriaMetrics took last. Sinks of one session share it.
struct prom_queue {
	char started[PROM_METRIC]; // when the server was, as it says; "": not asked yet
	double writes; // remote writes that it had taken since then, NAN where it does not say
	int64_t asked_100ns;    // when it said so, on the monotonic clock
	double first_writes;    // what it said first
	size_t n_posted;        // batches that it took after that
	int64_t oldest_ms;      // that it keeps
	struct prom_kept *kept; // in the order in which they were taken
	size_t n_kept;
	size_t kept_cap;
	size_t kept_bytes;
	struct prom_memories
		carried; // of all logs that ended in the session, the newest of each series
};

struct prom_engine {
	struct pmon_push_sink push; // first
	const char *url_text;
	struct pmon_push_url url;
	char target[PROM_TARGET_SIZE];
	struct pmon_http *http;
	struct snappy_calls snappy;
	struct prom_memories memories;
	struct prom_memories old_memories; // of pmon 0.1
	int64_t remembered_100ns;          // when, on the monotonic clock
	struct om_registry registry;
	struct pmon_arena arena; // labels
	struct prom_series *series;
	size_t n_series;
	size_t series_cap;
	uint32_t *present; // series that are, in no order
	size_t n_present;
	size_t present_cap;
	uint64_t unwritten; // raw values that are not usable, or of nothing that is displayed
	// the batch
	struct prom_number *points;
	size_t n_points;
	size_t points_cap;
	uint32_t *touched; // series with points
	size_t n_touched;
	size_t touched_cap;
	struct prom_point *scratch; // of one series
	size_t scratch_cap;
	struct pmon_push_bytes body;
	struct pmon_push_bytes packed;
	size_t n_values; // of its rows that are points
	// VictoriaMetrics
	bool settles;             // it says when it was started
	struct prom_queue *queue; // that of the session, or else its own
	struct prom_queue own_queue;
	struct prom_asking *asking; // asking.h; NULL: it is pushed
};

// Where a URL has its remote write: as it says when it is a plain one, else where both servers have it.
PMON_NODISCARD enum pmon_status pmon_prom_target(const char *text, struct pmon_push_url *url,
						 char target[PROM_TARGET_SIZE],
						 struct pmon_err *err);

// ---- send.c: the way to the server -----------------------------------------------------------

// Send the points of the batch. *was_there: the server had them already.
PMON_NODISCARD enum pmon_status pmon_prom_send(struct prom_engine *e, bool *was_there,
					       struct pmon_err *err);

// Send a body.
PMON_NODISCARD enum pmon_status pmon_prom_post(struct prom_engine *e, const uint8_t *body,
					       size_t len, struct pmon_err *err);

// ---- settle.c: until VictoriaMetrics has in its files what it took -----------------------------

// Ask the server which one it is; what earlier logs of the session left is sent again if it is another.
PMON_NODISCARD enum pmon_status pmon_prom_begin_settling(struct prom_engine *e,
							 struct pmon_err *err);

// Keep the batch that was just taken.
PMON_NODISCARD enum pmon_status pmon_prom_keep(struct prom_engine *e, struct pmon_err *err);

// The log ends: its memories, ascending by key, are saved when all before them is safe. The next logs of the
// session know them at once. Takes the list.
PMON_NODISCARD enum pmon_status pmon_prom_keep_end(struct prom_engine *e,
						   struct prom_memories *memories,
						   struct pmon_err *err);

// Drop what is carried if it is all saved. The caller reads what is saved next.
void pmon_prom_forget_carried(struct prom_engine *e);

// See that what was taken is safe, and known to the ledger: all of it, which may take some seconds, or what
// needs no waiting for.
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
