// live.h - this machine as a source
// SPDX-License-Identifier: MIT
//
// The counters of the running system, with their Windows names and types, as a source (model.h).
// Each call of pmon_source_next() takes one sample:
//
//	struct pmon_live_options options = {.size = sizeof(options), .interval_100ns = PMON_TIME_PER_SEC};
//
//	struct pmon_select *select;
//	struct pmon_source *source = NULL;
//
//	if (pmon_select_new(NULL, &select, &err) == PMON_OK &&
//	    pmon_select_add(select, PMON_SPAN("\\Processor(*)\\% Processor Time"), &err) == PMON_OK) {
//		options.select = select;                   // only what is asked for is read
//		status = pmon_live_open(&options, &source, &err);
//	}
//	for (int n = 0; source != NULL && n < 2; n++)      // one sample a second, for as long as you ask
//		if (pmon_source_next(source, &sample, &err) == PMON_OK)
//			printf("%zu values\n", sample->n);
//	pmon_source_close(source);
//	pmon_select_free(select);
//
// Counters that the system does not provide are absent, never zero. The schema is empty before the
// first sample. docs/reference/counters-linux.md has the source of each counter.

#ifndef PMON_LIVE_H
#define PMON_LIVE_H

#include <pmon/query.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_live_options {
	size_t size;                            // of this struct, set by the caller: base.h
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	// Zeros: defaults. Beyond limits.series counters, new instances are skipped, with one
	// notice.
	struct pmon_limits limits;
	pmon_notice_fn notice; // NULL: no notices
	void *notice_ctx;
	// The counters to sample; must outlive the source. NULL or empty: every object except those
	// sampled only on request (Thread). A pattern requests an object by naming it without
	// wildcards.
	struct pmon_select *select;
	bool everything;        // if nothing is selected, include on-request objects
	int64_t interval_100ns; // between samples; 0: pmon_source_next() never waits
	const char *root;       // parent of proc and sys, such as "/host"; NULL: "/". Linux only
	// Replay recorded trees instead of sampling the running system. Each subfolder, in order of
	// name, is one sample and has proc/, sys/ and a file `clock`. NULL: do not. Linux only.
	const char *replay;
	const char *machine; // machine name in paths; NULL: the host name
	bool pid_names;      // instances of Process are named name_pid, not name#1. Linux only
	unsigned char reserved[7];
};

// Open this machine. options may be NULL. PMON_E_NOTFOUND: no /proc below the root;
// PMON_E_UNSUPPORTED: pmon cannot sample this system; PMON_E_IO; PMON_E_NOMEM; PMON_E_ARG.
PMON_API PMON_NODISCARD enum pmon_status pmon_live_open(const struct pmon_live_options *options,
							struct pmon_source **source,
							struct pmon_err *err);

// Wait until the next sample is due. PMON_OK: it is due, and pmon_source_next() will not wait;
// PMON_END: the file descriptor wake_fd (-1: none) became readable first. The first sample is due
// immediately. The schedule does not drift; missed samples are skipped, with a notice. source must
// come from pmon_live_open().
PMON_API PMON_NODISCARD enum pmon_status pmon_live_wait(struct pmon_source *source, int wake_fd,
							struct pmon_err *err);

// The number of samples missed so far, for example while the machine was suspended.
PMON_API uint64_t pmon_live_missed(const struct pmon_source *source);

// A counter that can be sampled. All texts are static; "" if there is none.
struct pmon_live_counter {
	const char *object;
	const char *object_help;
	const char *counter;
	uint32_t type;
	int32_t default_scale;
	bool instances;      // the object has instances
	bool on_request;     // the object is sampled only if a pattern names it
	const char *unit;    // of the displayed value
	const char *help;    // what it means
	const char *from;    // the file and field it is read from
	const char *windows; // the corresponding Windows counter, and how they differ
	const void *reserved[4];
};

// Counter i of those that this build can sample, object by object. False after the last. On
// Windows, sampling finds more counters.
PMON_API bool pmon_live_counter_at(size_t i, struct pmon_live_counter *out);

#ifdef __cplusplus
}
#endif

#endif
