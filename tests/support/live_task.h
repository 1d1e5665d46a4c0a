// live_task.h - processes and threads of recorded machines
// SPDX-License-Identifier: MIT
//
// The files of proc(5) that a process has, in trees as live_tree.h keeps them.

#ifndef TESTS_LIVE_TASK_H
#define TESTS_LIVE_TASK_H

#include "live_tree.h"

#define TICK 100000 // 100 ns: one of stat, 1/100 s

// The facts of a task; zeros are usual for those that a test does not set.
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

// The stat of a process, or of a thread of one, in sample n.
void task_process(struct tree *t, unsigned n, struct task task);
void task_thread(struct tree *t, unsigned n, unsigned of, struct task task);

// rchar, wchar, syscr, syscw, read_bytes and write_bytes of a process.
void task_io(struct tree *t, unsigned n, unsigned id, const unsigned long long v[6]);

// The process, or thread, of an instance; 0 when there is none.
unsigned task_id_of(struct tree *t, const char *instance);
unsigned task_thread_of(struct tree *t, const char *instance);

#endif
