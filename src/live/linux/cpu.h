// cpu.h - what the kernel reports for each processor
// SPDX-License-Identifier: MIT

#ifndef PMON_LIVE_LINUX_CPU_H
#define PMON_LIVE_LINUX_CPU_H

#include "live/linux/linux.h"

// The columns of /proc/stat. Kernels before 2.6 have four of them, before 2.6.33 fewer than ten.
enum lx_state {
	LX_USER, // that of guests too
	LX_NICE,
	LX_SYSTEM,
	LX_IDLE,
	LX_IOWAIT,
	LX_IRQ,
	LX_SOFTIRQ,
	LX_STEAL,
	LX_GUEST,
	LX_GUEST_NICE,
	LX_STATES
};

// What is counted for each processor, modulo 2^32 as the kernel does.
enum lx_count {
	LX_COUNT_INTERRUPTS,
	LX_COUNT_SOFTIRQS,
	LX_COUNTS
};

// One processor, or several together.
struct lx_cpu {
	uint64_t ticks[LX_STATES]; // 0 for those that the kernel does not report
	unsigned n_states;         // those that it reports; 0: the processor was never seen
	bool is_online;
	bool has_count[LX_COUNTS];
	uint32_t count[LX_COUNTS];
	uint32_t khz; // 0: not known
	uint32_t max_khz;
	uint32_t node;
	// What a processor that came online later had before: no part of the sums.
	bool is_late;
	bool is_counted[LX_COUNTS];
	uint64_t ticks_before[LX_STATES];
	uint32_t count_before[LX_COUNTS];
};

// A column of a table that has one for each processor, and its number in a row.
struct lx_column {
	uint32_t cpu;
	uint32_t cell;
};

// All processors. They stay in the list when they go offline, with the last values that the kernel
// gave.
struct lx_cpus {
	struct live_stamp stamp;
	struct lx_cpu *list; // by number
	size_t n;
	uint32_t n_nodes; // highest number of a node, and 1
	// of the reader
	size_t cap;
	struct lx_column *columns;
	size_t columns_cap;
	bool new_cpus;
	uint64_t sample; // that is read, from 1
	unsigned parts;  // that are read in it
};

// What is read beyond the times.
enum {
	LX_CPU_INTERRUPTS = 1,
	LX_CPU_SOFTIRQS = 2,
	LX_CPU_FREQUENCY = 4,
	LX_CPU_NODES = 8,
};

// The processors in this sample, with these parts. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_lx_cpus(struct live *live, unsigned parts,
					     const struct lx_cpus **out, struct pmon_err *err);

#define LX_ALL_NODES UINT32_MAX

// The processors of a node, or all, together. Those that are offline are in the sums with their last
// numbers, and those that came later with what they did since, so that a sum never jumps. The
// frequency is the mean of those that are online. What is not known of each is not known of the sum.
// n_states is 0 when there are none.
void pmon_lx_cpu_sum(const struct lx_cpus *cpus, uint32_t node, struct lx_cpu *sum);

#endif
