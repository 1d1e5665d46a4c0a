// task.h - processes and threads: lists of them, their files and their instance numbers
// SPDX-License-Identifier: MIT
//
// The kernel calls both tasks. A list of tasks follows a folder, /proc or /proc/PID/task: tasks that
// still exist keep their structs, and their files stay open.
//
//	status = pmon_lx_tasks_follow(&world, &list, dir, &err);  // who is there
//	for (i = 0; i < list.n; i++)
//		found = pmon_lx_task_look(&world, list.list[i]);  // reads its stat
//
// A task is identified by its id and its start time, since ids are reused.

#ifndef PMON_LIVE_LINUX_TASK_H
#define PMON_LIVE_LINUX_TASK_H

#include <dirent.h>

#include "live/linux/linux.h"
#include "live/linux/stat.h"

#define LX_COMM_SIZE 64 // for the longest kernel names, those of kworkers, with a NUL
#define LX_GROWING   16 // maximum number of monotonic fields of an object, which come first

// ---- Numbers --------------------------------------------------------------------------------

// Numbers for instances that come and go. A freed number is reused only after a sample without it, so
// that a series never continues with a different instance.
struct lx_numbers {
	uint64_t *freed; // for each number, the first sample without its holder
	size_t n;
	size_t cap;
	size_t lowest; // all numbers below are taken
};

// Take the lowest number available in a sample. Returns false if out of memory.
bool pmon_lx_number_take(struct lx_numbers *numbers, const struct pmon_allocator *allocator,
			 uint64_t serial, uint32_t *out);
void pmon_lx_number_give(struct lx_numbers *numbers, uint64_t serial, uint32_t number);

// ---- Tasks ----------------------------------------------------------------------------------

enum lx_task_file {
	LX_TASK_STAT,
	LX_TASK_STATM,
	LX_TASK_IO,
	LX_TASK_STATUS,
	LX_TASK_SCHEDSTAT,
	LX_TASK_FD, // a folder
	LX_TASK_FILES
};

struct lx_task {
	uint32_t id;
	uint32_t process;      // of a thread: its process; 0: it is a process
	bool is_known;         // it was read, and `started` is valid
	bool is_read;          // in this sample
	bool has_ended;        // detected in this sample: its unread fields do not count as missing
	int64_t started;       // ticks since the system was started
	int fd[LX_TASK_FILES]; // -1: not open
	unsigned denied;       // bit f: file f may not be read
	struct lx_numbers *numbers; // the pool of its number; NULL: it has none yet
	uint32_t number;
	struct lx_task_stat stat; // its comm is not valid
	char comm[LX_COMM_SIZE];
	size_t comm_len;
	struct live_stamp stamp; // of the reading
	// state of the object that shows these tasks
	bool is_placed;
	struct pmon_table_row *row;  // NULL: nothing is requested for it
	uint64_t fields;             // requested for this instance
	int64_t counted[LX_GROWING]; // its contribution to the total
};

// State shared by all lists.
struct lx_world {
	const struct live *live;
	uint64_t serial;   // of the sample
	int proc;          // descriptor of /proc
	bool keep_open;    // files may stay open ...
	uint64_t max_open; // ... but no more than these
	uint64_t n_open;
	bool folders_have_sizes; // st_size of /proc/PID/fd is the number of open files: since Linux 6.2
};

// Open a folder by its path below another. Returns NULL on failure.
DIR *pmon_lx_open_folder(int at, const char *path);

// The tasks in a folder, by id.
struct lx_tasks {
	size_t task_size; // of the struct that begins with struct lx_task
	uint32_t process; // for threads: their process
	void (*end)(struct lx_world *world, struct lx_task *task); // frees the fields after it
	struct lx_task **list;
	size_t n;
	size_t cap;
	struct lx_task **next; // the next list, being built
	size_t next_cap;
	uint32_t *ids;
	size_t n_ids;
	size_t ids_cap;
	bool is_whole; // the folder was read to its end
};

// Update the list from the folder, or with one id alone. is_known is not set for new tasks; end() is
// called for those that are gone.
PMON_NODISCARD enum pmon_status pmon_lx_tasks_follow(struct lx_world *world, struct lx_tasks *tasks,
						     DIR *folder, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_lx_tasks_follow_one(struct lx_world *world,
							 struct lx_tasks *tasks, uint32_t id,
							 struct pmon_err *err);

// Remove all tasks.
void pmon_lx_tasks_clear(struct lx_world *world, struct lx_tasks *tasks);
void pmon_lx_tasks_free(struct lx_world *world, struct lx_tasks *tasks);

// Read its stat into task->stat, whose comm lies in buf.
enum lx_found {
	LX_UNREAD, // it has ended meanwhile, or cannot be read now
	LX_SAME,   // the same task as before
	LX_OTHER,  // a new task, or a different one with the same id: it has no number and no row
};
#define LX_STAT_SIZE 2048 // the longest line has 64 bytes of name and 50 numbers of 20 digits
enum lx_found pmon_lx_task_look(struct lx_world *world, struct lx_task *task,
				char buf[LX_STAT_SIZE]);

// Read one of its files into buf. Returns false on failure.
bool pmon_lx_task_read(struct lx_world *world, struct lx_task *task, enum lx_task_file file,
		       char *buf, size_t size, struct pmon_scan *out);

bool pmon_lx_task_open_files(struct lx_world *world, struct lx_task *task, uint64_t *out);

// ---- Totals ---------------------------------------------------------------------------------

// The sum over all tasks. Its monotonic fields never decrease: they include the last values of ended
// tasks, and a new task counts with everything since its start. A field that could not be read for some
// living task is absent: a partial sum is never shown.
struct lx_task_total {
	uint64_t fields;  // fields to add up (bits); those below LX_GROWING are monotonic
	uint64_t asked;   // fields requested for the total; 0: it is not computed
	uint64_t missing; // fields that are unknown for some task in this sample
	struct pmon_table_row *place;
	struct live_row row;
};

// Begin a sample. The caller sets total->fields before. The instance of the total is LX_TOTAL.
#define LX_TOTAL "_Total"
PMON_NODISCARD enum pmon_status pmon_lx_task_total_begin(struct live *live,
							 const struct live_asked *asked,
							 struct pmon_span parent,
							 struct lx_task_total *total,
							 struct pmon_err *err);
void pmon_lx_task_total_add(struct lx_task_total *total, struct lx_task *task,
			    const struct live_row *row);

// Note a task that is, or may be, alive but could not be read.
void pmon_lx_task_total_miss(struct lx_task_total *total);
PMON_NODISCARD enum pmon_status pmon_lx_task_total_put(struct live *live,
						       const struct live_asked *asked,
						       struct lx_task_total *total,
						       struct pmon_err *err);

#endif
