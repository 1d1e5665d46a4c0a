// process_trees.h - recorded machines whose processes start, end and use CPU at random
// SPDX-License-Identifier: MIT
//
//	struct process_trees made;
//
//	process_trees_make(&rand, &made);       // what the processes did, as the samples see it
//	process_trees_write(&made, tree);       // the files of proc(5) that say so
//
// Processes and threads start and end between the samples, some between the same two; processes also
// change their names, as by execve(2). Few names and ids are used again and again, as the kernel may: an
// id is reused when its task has ended, but not by a task that starts within a second of the one before,
// since only the start distinguishes them. Threads that ended stay in the time of their process.

#ifndef PMON_TESTS_PROCESS_TREES_H
#define PMON_TESTS_PROCESS_TREES_H

#include "live_tree.h"
#include "t.h"

#define PT_SAMPLES 7
#define PT_ROWS    64

// Ticks of 10 ms.
struct pt_cpu {
	uint64_t user;
	uint64_t kernel;
};

// A process or thread that is alive in a sample.
struct pt_row {
	bool is_thread;
	unsigned process;
	unsigned id; // of the thread; for a process, its own
	unsigned threads;
	const char *name;
	int64_t started; // ticks since boot
	struct pt_cpu cpu;
};

struct pt_sample {
	int64_t perf_100ns; // since boot
	size_t n;
	struct pt_row row[PT_ROWS];
};

struct process_trees {
	struct pt_sample sample[PT_SAMPLES];
};

void process_trees_make(struct t_rand *rand, struct process_trees *out);
void process_trees_write(const struct process_trees *made, struct tree *t);

// The same task in another sample, or NULL.
const struct pt_row *process_trees_find(const struct pt_sample *sample, const struct pt_row *row);

// What a task's counts gained between samples: everything, if it began in between.
struct pt_cpu process_trees_done(const struct process_trees *made, size_t sample,
				 const struct pt_row *row);

#endif
