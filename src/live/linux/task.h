// task.h - processes and threads: which there are, their files and their numbers
// SPDX-License-Identifier: MIT
//
// The kernel calls both a task. A list of tasks follows a folder of the kernel, /proc or
// /proc/PID/task: tasks that are there again are the same structs, with their files still open.
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

#define LX_COMM_SIZE 64 // of the kernel's longest names, those of its workers, with a NUL
#define LX_GROWING   16 // fields of an object that only grow, which are its first; at the most

// ---- Numbers --------------------------------------------------------------------------------

// Numbers of things that come and go. One that was given back may be taken again when a sample has
// passed without it, so that a series never goes on with another thing than it began with.
struct lx_numbers {
	uint64_t *freed; // of each number the first sample without its holder
	size_t n;
	size_t cap;
	size_t lowest; // all numbers below are taken
};

// Take the lowest number that may be had in a sample. False when memory is short.
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
	uint32_t process;           // whose thread it is; 0: it is a process
	bool is_known;              // it was read, and is the one that was started then
	bool is_read;               // in this sample
	bool has_ended;             // found in this sample: what was not read of it is not missing
	int64_t started;            // ticks since the system was started
	int fd[LX_TASK_FILES];      // -1: not open
	unsigned denied;            // bit f: file f may not be read
	struct lx_numbers *numbers; // where its number is from; NULL: it has none yet
	uint32_t number;
	struct lx_task_stat stat; // its comm is not valid
	char comm[LX_COMM_SIZE];
	size_t comm_len;
	struct live_stamp stamp; // of the reading
	// what the object keeps, that shows tasks of this kind
	bool is_placed;
	struct pmon_table_row *row;  // NULL: nothing of it is asked for
	uint64_t fields;             // that are asked for of this instance
	int64_t counted[LX_GROWING]; // what the total has of it
};

// What all lists share.
struct lx_world {
	const struct live *live;
	uint64_t serial;   // of the sample
	int proc;          // descriptor of /proc
	bool keep_open;    // files may stay open ...
	uint64_t max_open; // ... but no more than these
	uint64_t n_open;
	bool folders_have_sizes; // that of open files has their number as its size: Linux 6.2
};

// A folder by its path below another. NULL when it cannot be read.
DIR *pmon_lx_open_folder(int at, const char *path);

// The tasks of a folder, by id.
struct lx_tasks {
	size_t task_size; // of the struct that begins with struct lx_task
	uint32_t process; // whose threads they are
	void (*end)(struct lx_world *world, struct lx_task *task); // frees the fields after it
	struct lx_task **list;
	size_t n;
	size_t cap;
	struct lx_task **next; // the list that is being made
	size_t next_cap;
	uint32_t *ids;
	size_t n_ids;
	size_t ids_cap;
	bool is_whole; // the folder was read to its end
};

// Make the list that of the folder, or of one id alone. New tasks are not known yet; those that are
// gone are ended.
PMON_NODISCARD enum pmon_status pmon_lx_tasks_follow(struct lx_world *world, struct lx_tasks *tasks,
						     DIR *folder, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_lx_tasks_follow_one(struct lx_world *world,
							 struct lx_tasks *tasks, uint32_t id,
							 struct pmon_err *err);

// All tasks have ended.
void pmon_lx_tasks_clear(struct lx_world *world, struct lx_tasks *tasks);
void pmon_lx_tasks_free(struct lx_world *world, struct lx_tasks *tasks);

// Read its stat into task->stat, whose comm lies in buf.
enum lx_found {
	LX_UNREAD, // it has ended meanwhile, or what it does cannot be read now
	LX_SAME,   // the task that was known
	LX_OTHER, // not known before, or another one under the same id: it has no number and no row
};
#define LX_STAT_SIZE 2048 // the longest line has 64 bytes of name and 50 numbers of 20 digits
enum lx_found pmon_lx_task_look(struct lx_world *world, struct lx_task *task,
				char buf[LX_STAT_SIZE]);

// Read one of its files into buf. False when it cannot be read.
bool pmon_lx_task_read(struct lx_world *world, struct lx_task *task, enum lx_task_file file,
		       char *buf, size_t size, struct pmon_scan *out);

// How many files it has open.
bool pmon_lx_task_open_files(struct lx_world *world, struct lx_task *task, uint64_t *out);

// ---- Totals ---------------------------------------------------------------------------------

// The sum over all tasks. What only grows never shrinks in it: it holds what ended tasks had when they
// were last read, and a new task counts with all that it has done since it was started. A field that
// could not be read of some task that is alive is absent: a part is never shown as the sum.
struct lx_task_total {
	uint64_t fields;  // (bits) that are added up: those below LX_GROWING only grow
	uint64_t asked;   // fields that are asked for of the total; 0: it is not made
	uint64_t missing; // fields that are not known of every task in this sample
	struct pmon_table_row *place;
	struct live_row row;
};

// A sample begins: total->fields are its maker's to fill in first. Its instance is LX_TOTAL.
#define LX_TOTAL "_Total"
PMON_NODISCARD enum pmon_status pmon_lx_task_total_begin(struct live *live,
							 const struct live_asked *asked,
							 struct pmon_span parent,
							 struct lx_task_total *total,
							 struct pmon_err *err);
void pmon_lx_task_total_add(struct lx_task_total *total, struct lx_task *task,
			    const struct live_row *row);

// Some task is alive, or may be, of which nothing could be read.
void pmon_lx_task_total_miss(struct lx_task_total *total);
PMON_NODISCARD enum pmon_status pmon_lx_task_total_put(struct live *live,
						       const struct live_asked *asked,
						       struct lx_task_total *total,
						       struct pmon_err *err);

#endif
