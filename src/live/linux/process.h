// process.h - the process list, shared by the objects Process and Thread
// SPDX-License-Identifier: MIT

#ifndef PMON_LIVE_LINUX_PROCESS_H
#define PMON_LIVE_LINUX_PROCESS_H

#include "base/map.h"
#include "live/linux/task.h"

#define LX_SEEN 11 // fields of Process not read from stat

// A process. Its name is that of its instance, its number tells instances of the same name apart.
struct lx_process {
	struct lx_task task;
	char instance[LX_COMM_SIZE + 16]; // a comm, and an id after it
	uint64_t named;                   // the sample in which it got that name
	uint64_t looked;                  // the last sample in which its stat was read
	struct lx_tasks threads;
	struct lx_numbers thread_numbers;
	// what Process read when the process was last found to have run
	char ran[64]; // its schedstat then
	size_t ran_len;
	int64_t rss;
	uint64_t seen_present;
	int64_t seen[LX_SEEN];
};

struct lx_processes {
	struct lx_world world;
	DIR *proc;
	bool is_whole;      // the list has all processes
	int64_t perf_100ns; // of the last sample
	struct lx_tasks list;
	struct lx_name **names;
	size_t n_names;
	size_t names_cap;
	struct pmon_map name_map;
	size_t forget_at;                  // number of names at which unused ones are dropped
	bool has_disk_wait;                // a process with disk waits was seen
	struct lx_task_total total;        // of Process
	struct lx_task_total thread_total; // of Thread
};

PMON_NODISCARD enum pmon_status pmon_lx_processes(struct live *live, struct lx_processes **out,
						  struct pmon_err *err);

// Read the stat of a process, once per sample; task.is_read is set on success. Reading all files of a
// process in a row is fastest, because its kernel data is then cached.
PMON_NODISCARD enum pmon_status pmon_lx_process_look(struct lx_processes *processes,
						     struct lx_process *process,
						     struct pmon_err *err);

// The name of its instance, NUL-terminated.
struct pmon_span pmon_lx_process_name(const struct lx_process *process);

static inline struct lx_process *
lx_process_at(const struct lx_processes *processes, size_t i)
{
	return (struct lx_process *)processes->list.list[i];
}

#endif
