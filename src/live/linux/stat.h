// stat.h - the numbers in the file stat of a process or thread, /proc/PID/stat
// SPDX-License-Identifier: MIT

#ifndef PMON_LIVE_LINUX_STAT_H
#define PMON_LIVE_LINUX_STAT_H

#include "live/linux/linux.h"

// Fields of /proc/PID/stat, by the numbers that proc(5) gives them.
enum lx_stat_field {
	LX_STAT_PPID = 4,
	LX_STAT_MINFLT = 10,
	LX_STAT_MAJFLT = 12,
	LX_STAT_UTIME = 14,
	LX_STAT_STIME = 15,
	LX_STAT_PRIORITY = 18,
	LX_STAT_NICE = 19,
	LX_STAT_THREADS = 20,
	LX_STAT_STARTTIME = 22,
	LX_STAT_VSIZE = 23,
	LX_STAT_RSS = 24,
	LX_STAT_RT_PRIORITY = 40,
	LX_STAT_POLICY = 41,
	LX_STAT_BLKIO = 42,
	LX_STAT_FIELDS
};

// comm may contain anything, including blanks, parentheses and newlines. Missing, malformed and
// out-of-range numbers are not present.
struct lx_task_stat {
	struct pmon_span comm; // into the text
	char state;
	uint64_t present; // bit f: field f
	int64_t field[LX_STAT_FIELDS];
};

// Returns false if the text is malformed or has no start time.
bool pmon_lx_task_stat(struct pmon_scan text, struct lx_task_stat *out);

// Set *out to a field times a unit. Returns false if the field is not present, negative or too large.
bool pmon_lx_stat_scaled(const struct lx_task_stat *stat, enum lx_stat_field field, int64_t unit,
			 uint64_t *out);

// The start time, on the system clock.
bool pmon_lx_stat_started(const struct lx_task_stat *stat, const struct live_stamp *stamp,
			  uint64_t *out);

// The base priority as ps shows it (PRI), higher is more urgent: 0 to 39 for nice 19 to -20, 41 to 139
// for real-time policies, 140 for SCHED_DEADLINE.
bool pmon_lx_stat_priority(const struct lx_task_stat *stat, uint64_t *out);

#endif
