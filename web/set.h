// set.h - one source that is being shown: its store, and the thread that fills it
// SPDX-License-Identifier: MIT

#ifndef PMON_WEB_SET_H
#define PMON_WEB_SET_H

#include <pmon/pmon.h>

#include "web/notify.h"
#include "web/store.h"

// What is to be shown as a set.
struct set_plan {
	// NULL: there is no such set. Stays the caller's, who also ends its waiting for the next sample
	// before the set is closed.
	struct pmon_source *source;
	const char *const *files; // names without folders; must outlive the set
	size_t n_files;
	int64_t interval_100ns; // of a live source: how often; 0 when not live
	int64_t history_100ns;  // of a live source: how much is kept
	// NULL unless the set may be replaced while the server runs: end the source's waiting, and then, when the
	// set is closed, free the source.
	void (*stop)(void *ctx);
	void (*close)(void *ctx);
	void *ctx;
};

struct set;

// Opens logs for sets while the server runs.
struct set_opener {
	// Open the log in a file. Notices belong to the set, also before this returns. The plan's source and
	// texts are freed by its close().
	enum pmon_status (*open)(void *ctx, struct set *set, int fd, const char *name,
				 struct set_plan *plan, struct pmon_err *err);
	void (*cancel)(void *ctx); // an open() that runs fails
	void *ctx;
	uint64_t most_bytes; // of a log; 0: none is taken
};

enum set_state {
	SET_LOADING,
	SET_COMPLETE,
	SET_LIVE,
	SET_ENDED,
	SET_FAILED,
};

struct set_damage {
	pmon_time
		time; // of the sample that was read last before; PMON_TIME_NONE when there was none
	uint64_t bytes; // 0 when not known
	char text[120];
};

#define SET_DAMAGE 1000 // places that are kept; more are counted

// An answer that is kept until the set has more samples.
struct set_answer {
	struct pmon_lock lock; // held while it is computed: who asks meanwhile waits for it
	char *text;            // NULL: none yet
	size_t len;
	uint64_t raw_values; // that the set had
};

struct set {
	struct set_plan plan;
	struct store *store;
	struct notifier *notifier;
	bool open;
	uint64_t
		opened; // its number among the sets of the view; like the next two, under the view's lock
	size_t users;     // beside the view
	bool is_replaced; // the last user frees it
	struct pmon_thread thread;
	struct pmon_lock lock; // of all below
	bool stop;             // reading ends
	enum set_state state;
	struct pmon_err err; // of SET_FAILED
	struct pmon_source_info info;
	struct set_damage *damage;
	size_t n_damage;
	size_t cap_damage;
	uint64_t damage_count;
	pmon_time newest;
	struct set_answer findings;
};

// A set that is not open yet, but may get notices of damage.
void set_init(struct set *set);

// Begin to read. The event source must outlive the set.
PMON_NODISCARD enum pmon_status set_open(struct set *set, const struct set_plan *plan,
					 struct notifier *notifier, struct pmon_err *err);

// End reading, which may take until the next sample comes.
void set_stop(struct set *set);

// Free what belongs to it, open or not, after set_stop() or notify_stop().
void set_close(struct set *set);

// Damage that the source told of. For any thread.
void set_note_damage(struct set *set, const struct pmon_notice *notice);

// How far reading has come.
struct set_facts {
	enum set_state state;
	struct pmon_err err;
	struct pmon_source_info info;
};
struct set_facts set_facts(struct set *set);

#endif
