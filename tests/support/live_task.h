// live_task.h - processes and threads in recorded machines
// SPDX-License-Identifier: MIT
//
// The files that proc(5) describes, in the trees of live_tree.h.

#ifndef TESTS_LIVE_TASK_H
#define TESTS_LIVE_TASK_H

#include "live_tree.h"

#define TICK 100000 // 100 ns: one of stat, 1/100 s

// The properties of a task; zeros mean usual values.
struct task {
	unsigned id;
	const char *comm;
	char state; // 0: S
	unsigned parent;
	unsigned long long minflt;
	unsigned long long majflt;
	unsigned long long utime;
	unsigned long long stime;
	int priority; // 0: that of nice
	int nice;
	unsigned threads; // 0: one
	unsigned long long started;
	unsigned long long vsize;
	unsigned long long rss;
	unsigned rt_priority;
	unsigned policy;
	unsigned long long blkio;
};

// Write the stat of a process, or of one of its threads, for sample n.
void task_process(struct tree *t, unsigned n, struct task task);
void task_thread(struct tree *t, unsigned n, unsigned of, struct task task);

// Write rchar, wchar, syscr, syscw, read_bytes and write_bytes of a process.
void task_io(struct tree *t, unsigned n, unsigned id, const unsigned long long v[6]);

// The id of an instance's process or thread; 0 if there is none.
unsigned task_id_of(struct tree *t, const char *instance);
unsigned task_thread_of(struct tree *t, const char *instance);

#endif
