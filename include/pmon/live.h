// live.h - this machine as a source
// SPDX-License-Identifier: MIT
//
// The counters of the running system, under the names and with the types that Windows gives them, as
// a source like any log (model.h). Each call of pmon_source_next() takes one sample:
//
//	struct pmon_live_options options = {.interval_100ns = PMON_TIME_PER_SEC};
//
//	pmon_select_add(select, PMON_SPAN("\\Processor(*)\\% Processor Time"), &err);
//	options.select = select;                           // only what is asked for is read
//	status = pmon_live_open(&options, &source, &err);
//	while (pmon_source_next(source, &sample, &err) == PMON_OK)
//		...                                        // one sample a second, for ever
//	pmon_source_close(source);
//
// What the system does not offer is absent, never zero. The schema is empty before the first sample.
// docs/reference/counters-linux.md has the source of each counter.

#ifndef PMON_LIVE_H
#define PMON_LIVE_H

#include <pmon/query.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_live_options {
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	// Zeros: defaults. After limits.series counters new instances are left out, with one notice.
	struct pmon_limits limits;
	pmon_notice_fn notice; // NULL: no notices
	void *notice_ctx;
	// What is asked for; must outlive the source. NULL or empty: every object but those that are
	// given on request only (Thread). A pattern requests an object when it names it without
	// wildcards.
	struct pmon_select *select;
	bool everything;        // objects on request too, when nothing is selected
	int64_t interval_100ns; // between samples; 0: pmon_source_next() never waits
	const char *root;       // where /proc and /sys are found, as "/host"; NULL: "/". Linux only
	// Instead of the running system play back recorded trees: each folder in this one, in the
	// order of their names, has proc/, sys/ and a file `clock` and is one sample. NULL: do not. Linux only.
	const char *replay;
	const char *machine; // its name in paths, instead of the host name; NULL: that
	bool pid_names;      // instances of Process are named name_pid, not name#1. Linux only
};

// Open this machine. options may be NULL. PMON_E_NOTFOUND no /proc below the root; PMON_E_UNSUPPORTED
// on systems that pmon cannot sample; PMON_E_IO; PMON_E_NOMEM; PMON_E_ARG.
PMON_API PMON_NODISCARD enum pmon_status pmon_live_open(const struct pmon_live_options *options,
							struct pmon_source **source,
							struct pmon_err *err);

// Wait until the next sample is due: PMON_OK when it is due, and pmon_source_next() will not wait;
// PMON_END when the file descriptor wake_fd (-1: none) became readable before that. The first sample
// is due at once. The schedule does not drift; samples whose time has passed are left out, with
// a notice. source must come from pmon_live_open().
PMON_API PMON_NODISCARD enum pmon_status pmon_live_wait(struct pmon_source *source, int wake_fd,
							struct pmon_err *err);

// Samples that were due and could not be taken so far, as when the machine was suspended.
PMON_API uint64_t pmon_live_missed(const struct pmon_source *source);

// What is known of a counter before it is sampled. All texts are static; "" when there is none.
struct pmon_live_counter {
	const char *object;
	const char *object_help;
	const char *counter;
	uint32_t type;
	int32_t default_scale;
	bool instances;      // the object has instances
	bool on_request;     // the object is sampled only when it is named
	const char *unit;    // of the displayed value
	const char *help;    // what it means
	const char *from;    // the file and field that it is read from
	const char *windows; // the counter of Windows that it corresponds to, and where they differ
};

// Counter i of all that this build can sample, object by object. False after the last. On Windows there are more: the
// machine says which when it is sampled.
PMON_API bool pmon_live_counter_at(size_t i, struct pmon_live_counter *out);

#ifdef __cplusplus
}
#endif

#endif
