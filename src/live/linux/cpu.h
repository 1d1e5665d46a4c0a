// cpu.h - what the kernel reports for each processor
// SPDX-License-Identifier: MIT

#ifndef PMON_LIVE_LINUX_CPU_H
#define PMON_LIVE_LINUX_CPU_H

#include "live/linux/linux.h"

// The columns of /proc/stat. Kernels before 2.6 have four of them, kernels before 2.6.33 fewer than ten.
enum lx_state {
	LX_USER, // includes guests
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

// Counts per processor, modulo 2^32 as in the kernel.
enum lx_count {
	LX_COUNT_INTERRUPTS,
	LX_COUNT_SOFTIRQS,
	LX_COUNTS
};

// One processor, or the sum of several.
struct lx_cpu {
	uint64_t ticks[LX_STATES]; // 0 if the kernel does not report it
	unsigned n_states;         // states that it reports; 0: the processor was never seen
	uint64_t clock;            // all ticks so far; never goes back
	bool is_online;
	bool has_count[LX_COUNTS];
	uint32_t count[LX_COUNTS];
	uint32_t khz; // 0: not known
	uint32_t max_khz;
	uint32_t node;
	// Counts of a processor from before it came online, which the sums exclude.
	bool is_late;
	bool is_counted[LX_COUNTS];
	uint64_t ticks_before[LX_STATES];
	uint64_t clock_before;
	uint32_t count_before[LX_COUNTS];
};

// A processor's column in a table with one column per processor.
struct lx_column {
	uint32_t cpu;
	uint32_t cell;
};

// All processors. Those that go offline stay in the list with their last values.
struct lx_cpus {
	struct live_stamp stamp;
	struct lx_cpu *list; // by number
	size_t n;
	uint32_t n_nodes; // highest node number + 1
	// of the reader
	size_t cap;
	struct lx_column *columns;
	size_t columns_cap;
	bool new_cpus;
	uint64_t sample; // number of the current sample, from 1
	unsigned parts;  // read in this sample
};

// Parts to read in addition to the times.
enum {
	LX_CPU_INTERRUPTS = 1,
	LX_CPU_SOFTIRQS = 2,
	LX_CPU_FREQUENCY = 4,
	LX_CPU_NODES = 8,
};

// Read the processors for this sample, with these parts. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_lx_cpus(struct live *live, unsigned parts,
					     const struct lx_cpus **out, struct pmon_err *err);

#define LX_ALL_NODES UINT32_MAX

// Sum the processors of a node, or all. Offline ones count with their last values, and ones that came
// online later with their increase since then, so that a sum never jumps. The frequency is the mean of
// the online ones. A value that is unknown for one processor is unknown in the sum. n_states is 0 if there
// are no processors.
void pmon_lx_cpu_sum(const struct lx_cpus *cpus, uint32_t node, struct lx_cpu *sum);

#endif
