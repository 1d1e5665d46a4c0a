// set.h - one displayed source: its store, and the thread that fills it
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_SET_H
#define PMON_WEB_SET_H

#include <pmon/pmon.h>

#include "web/notify.h"
#include "web/store.h"

// The configuration of a set.
struct set_plan {
	// NULL: no such set. Owned by the caller, who also cancels its wait for the next sample before
	// closing the set.
	struct pmon_source *source;
	const char *const *files; // names without folders; must outlive the set
	size_t n_files;
	int64_t interval_100ns; // of a live source: how often; 0 when not live
	int64_t history_100ns;  // of a live source: the time span to keep
	bool is_stepwise;       // set_read() reads it, not a thread
	// NULL unless the set may be replaced while the server runs: `stop` cancels the source's wait; after
	// the set is closed, `close` frees the source.
	void (*stop)(void *ctx);
	void (*close)(void *ctx);
	void *ctx;
};

struct set;

// Opens logs for sets while the server runs.
struct set_opener {
	// Open the log in a file. Notices go to the set, even before this returns. The plan's close() frees
	// its source and texts.
	enum pmon_status (*open)(void *ctx, struct set *set, int fd, const char *name,
				 struct set_plan *plan, struct pmon_err *err);
	void (*cancel)(void *ctx); // makes a running open() fail
	void *ctx;
	uint64_t most_bytes; // of a log; 0: no logs are accepted
};

enum set_state {
	SET_LOADING,
	SET_COMPLETE,
	SET_LIVE,
	SET_ENDED,
	SET_FAILED,
};

struct set_damage {
	pmon_time time; // of the last sample before the damage; PMON_TIME_NONE if there was none
	uint64_t bytes; // 0 if unknown
	char text[120];
};

#define SET_DAMAGE 1000 // damaged places that are kept; further ones are only counted

// An answer cached until the set gets more samples.
struct set_answer {
	struct pmon_lock lock; // held during the computation: concurrent requests wait for it
	char *text;            // NULL: none yet
	size_t len;
	uint64_t raw_values; // of the set at that time
};

struct set {
	struct set_plan plan;
	struct store *store;
	struct notifier *notifier;
	bool open;
	uint64_t
		opened; // its number among the view's sets; protected, like the next two, by the view's lock
	size_t users;     // in addition to the view
	bool is_replaced; // the last user frees it
	struct pmon_thread thread;
	int64_t told;          // when the reader last told of its progress
	struct pmon_lock lock; // protects the fields below
	bool stop;             // stop reading
	enum set_state state;
	struct pmon_err err; // of SET_FAILED
	struct pmon_source_info info;
	struct set_damage *damage;
	size_t n_damage;
	size_t cap_damage;
	uint64_t damage_count;
	pmon_time newest;
	struct set_answer findings;
	struct set_answer incidents;
};

// Initialize a set: not open yet, but it accepts damage notices.
void set_init(struct set *set);

// Start reading. The event source must outlive the set.
PMON_NODISCARD enum pmon_status set_open(struct set *set, const struct set_plan *plan,
					 struct notifier *notifier, struct pmon_err *err);

// Read a stepwise set for about this long. Returns false when there is nothing more to read.
bool set_read(struct set *set, int64_t for_100ns);

// Stop reading; this may take until the next sample arrives.
void set_stop(struct set *set);

// Free the set's resources, open or not, after set_stop() or notify_stop().
void set_close(struct set *set);

// Record damage that the source reported. Thread-safe.
void set_note_damage(struct set *set, const struct pmon_notice *notice);

// The progress of reading.
struct set_facts {
	enum set_state state;
	struct pmon_err err;
	struct pmon_source_info info;
};
struct set_facts set_facts(struct set *set);

#endif
