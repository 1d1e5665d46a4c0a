// task.c - processes and threads: lists of them, their files and their instance numbers
// SPDX-License-Identifier: MIT

#include "live/linux/task.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/text.h"

#define TAKEN  UINT64_MAX
#define MAX_ID INT32_MAX // the kernel's largest is 2^22

#define PATH_SIZE 48 // "4294967295/task/4294967295/schedstat"

struct buffer {
	char *ptr;
	size_t size;
};

static const char *const names[LX_TASK_FILES] = {"stat",   "statm",     "io",
						 "status", "schedstat", "fd"};

// ---- Numbers --------------------------------------------------------------------------------

bool
pmon_lx_number_take(struct lx_numbers *numbers, const struct pmon_allocator *allocator,
		    uint64_t serial, uint32_t *out)
{
	size_t i = numbers->lowest;

	while (i < numbers->n && numbers->freed[i] >= serial)
		i++;
	if (i == numbers->n) {
		if (!pmon_mem_grow(allocator, &numbers->freed, &numbers->cap, numbers->n + 1,
				   sizeof(*numbers->freed)))
			return false;
		numbers->n++;
	}
	numbers->freed[i] = TAKEN;
	while (numbers->lowest < numbers->n && numbers->freed[numbers->lowest] == TAKEN)
		numbers->lowest++;
	*out = (uint32_t)i;
	return true;
}

void
pmon_lx_number_give(struct lx_numbers *numbers, uint64_t serial, uint32_t number)
{
	numbers->freed[number] = serial;
	if (number < numbers->lowest)
		numbers->lowest = number;
}

// ---- Files of a task ------------------------------------------------------------------------

static struct pmon_text
folder_of(const struct lx_task *task, char buf[PATH_SIZE])
{
	struct pmon_text path = pmon_text_init(buf, PATH_SIZE);

	if (task->process != 0) {
		pmon_text_u64(&path, task->process);
		pmon_text_str(&path, "/task/");
	}
	pmon_text_u64(&path, task->id);
	return path;
}

static void
path_of(const struct lx_task *task, enum lx_task_file file, char buf[PATH_SIZE])
{
	struct pmon_text path = folder_of(task, buf);

	pmon_text_char(&path, '/');
	pmon_text_str(&path, names[file]);
}

static bool
has_room(const struct lx_world *world)
{
	return world->keep_open && world->n_open < world->max_open;
}

static void
close_file(struct lx_world *world, struct lx_task *task, enum lx_task_file file)
{
	if (task->fd[file] < 0)
		return;
	close(task->fd[file]);
	task->fd[file] = -1;
	world->n_open--;
}

static void
close_files(struct lx_world *world, struct lx_task *task)
{
	for (unsigned f = 0; f < LX_TASK_FILES; f++)
		close_file(world, task, (enum lx_task_file)f);
}

static int
open_file(const struct lx_world *world, const struct lx_task *task, enum lx_task_file file)
{
	char path[PATH_SIZE];

	path_of(task, file, path);
	return openat(world->proc, path, O_RDONLY | O_CLOEXEC);
}

// Keep a file open if the limit allows it.
static void
keep_or_close(struct lx_world *world, struct lx_task *task, enum lx_task_file file, int fd)
{
	if (fd < 0 || fd == task->fd[file])
		return;
	if (!has_room(world)) {
		close(fd);
		return;
	}
	task->fd[file] = fd;
	world->n_open++;
}

// Remember files that are missing or unreadable, so that they are not tried in each sample.
static void
note_denied(struct lx_world *world, struct lx_task *task, enum lx_task_file file, int error)
{
	if (error != EACCES && error != EPERM && (error != ENOENT || !world->keep_open))
		return;
	task->denied |= 1u << file;
	close_file(world, task, file);
}

static bool
is_gone(const struct lx_world *world, const struct lx_task *task)
{
	char path[PATH_SIZE];
	struct stat status;

	folder_of(task, path);
	return fstatat(world->proc, path, &status, 0) != 0 && errno == ENOENT;
}

// The files of an ended task are gone. In a recording a task may lack any file but stat.
static void
note_ended(const struct lx_world *world, struct lx_task *task, enum lx_task_file file, int error)
{
	if (error == ESRCH || (error == ENOENT && (file == LX_TASK_STAT || is_gone(world, task))))
		task->has_ended = true;
}

// Returns the length read; 0, with *error, on failure.
static size_t
read_file(struct lx_world *world, struct lx_task *task, enum lx_task_file file, struct buffer buf,
	  int *error)
{
	int fd = task->fd[file] >= 0 ? task->fd[file] : open_file(world, task, file);
	ssize_t got = fd < 0 ? -1 : pread(fd, buf.ptr, buf.size, 0);

	*error = got < 0 ? errno : 0;
	keep_or_close(world, task, file, fd);
	note_ended(world, task, file, *error);
	note_denied(world, task, file, *error);
	return got > 0 ? (size_t)got : 0;
}

bool
pmon_lx_task_read(struct lx_world *world, struct lx_task *task, enum lx_task_file file, char *buf,
		  size_t size, struct pmon_scan *out)
{
	size_t len = 0;
	int error;

	if ((task->denied >> file & 1) == 0)
		len = read_file(world, task, file, (struct buffer){buf, size}, &error);
	*out = (struct pmon_scan){buf, buf + len};
	return len > 0;
}

// ---- Open files of a task -------------------------------------------------------------------

static bool
size_of_folder(struct lx_world *world, struct lx_task *task, uint64_t *out)
{
	char path[PATH_SIZE];
	struct stat status;
	int fd;

	if (task->fd[LX_TASK_FD] < 0 && has_room(world) && (task->denied >> LX_TASK_FD & 1) == 0) {
		fd = open_file(world, task, LX_TASK_FD);
		note_denied(world, task, LX_TASK_FD, fd < 0 ? errno : 0);
		keep_or_close(world, task, LX_TASK_FD, fd);
	}
	path_of(task, LX_TASK_FD, path);
	if ((task->fd[LX_TASK_FD] >= 0 ? fstat(task->fd[LX_TASK_FD], &status)
				       : fstatat(world->proc, path, &status, 0)) != 0) {
		note_ended(world, task, LX_TASK_FD, errno);
		return false;
	}
	*out = (uint64_t)status.st_size;
	return true;
}

DIR *
pmon_lx_open_folder(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (folder == NULL && fd >= 0)
		close(fd);
	return folder;
}

static bool
count_entries(const struct lx_world *world, struct lx_task *task, uint64_t *out)
{
	char path[PATH_SIZE];
	const struct dirent *entry;
	DIR *folder;
	int error;

	path_of(task, LX_TASK_FD, path);
	folder = pmon_lx_open_folder(world->proc, path);
	*out = 0;
	if (folder == NULL) {
		note_ended(world, task, LX_TASK_FD, errno);
		return false;
	}
	while (errno = 0, (entry = readdir(folder)) != NULL)
		*out += entry->d_name[0] != '.';
	error = errno; // the process ended after the folder was opened
	closedir(folder);
	note_ended(world, task, LX_TASK_FD, error);
	return error == 0;
}

bool
pmon_lx_task_open_files(struct lx_world *world, struct lx_task *task, uint64_t *out)
{
	return world->folders_have_sizes ? size_of_folder(world, task, out)
					 : count_entries(world, task, out);
}

// ---- Reading stat ---------------------------------------------------------------------------

// Forget the task: the previous one with this id has ended.
static void
forget(struct lx_world *world, struct lx_task *task)
{
	if (task->numbers != NULL)
		pmon_lx_number_give(task->numbers, world->serial, task->number);
	close_files(world, task);
	task->numbers = NULL;
	task->is_placed = false;
	task->is_known = false;
	task->denied = 0;
	task->comm_len = 0;
	memset(task->counted, 0, sizeof(task->counted));
}

// A file that was kept open still belongs to the task that it was opened for, even if its id was reused.
static size_t
read_stat(struct lx_world *world, struct lx_task *task, char *buf)
{
	bool was_open = task->fd[LX_TASK_STAT] >= 0;
	int error;
	struct buffer into = {buf, LX_STAT_SIZE};
	size_t len = read_file(world, task, LX_TASK_STAT, into, &error);

	if (len > 0 || !was_open || error != ESRCH)
		return len;
	forget(world, task);
	task->has_ended = false;
	return read_file(world, task, LX_TASK_STAT, into, &error);
}

enum lx_found
pmon_lx_task_look(struct lx_world *world, struct lx_task *task, char buf[LX_STAT_SIZE])
{
	size_t len;

	task->has_ended = false;
	len = read_stat(world, task, buf);
	task->is_read =
		len > 0 && pmon_lx_task_stat((struct pmon_scan){buf, buf + len}, &task->stat);
	if (!task->is_read)
		return LX_UNREAD;
	task->stamp = pmon_lx_now(world->live->host);
	if (task->is_known && task->started == task->stat.field[LX_STAT_STARTTIME])
		return LX_SAME;
	if (task->is_known)
		forget(world, task);
	task->is_known = true;
	task->started = task->stat.field[LX_STAT_STARTTIME];
	return LX_OTHER;
}

// ---- Lists ----------------------------------------------------------------------------------

static int
by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

// Parse a folder name as an id; 0 if it is not one.
static uint32_t
id_of(const char *name)
{
	struct pmon_scan digits = pmon_scan_init((struct pmon_span){name, strlen(name)});
	uint64_t id;

	return pmon_scan_u64(&digits, &id) && digits.at == digits.end && id <= MAX_ID ? (uint32_t)id
										      : 0;
}

// The kernel lists ids in ascending order; the folder of a recording may not.
static enum pmon_status
list_ids(struct lx_world *world, struct lx_tasks *tasks, DIR *folder, struct pmon_err *err)
{
	const struct dirent *entry;
	bool in_order = true;
	uint32_t before = 0;
	uint32_t id;

	tasks->n_ids = 0;
	while (errno = 0, (entry = readdir(folder)) != NULL) {
		id = id_of(entry->d_name);
		if (id == 0)
			continue;
		if (!pmon_mem_grow(world->live->allocator, &tasks->ids, &tasks->ids_cap,
				   tasks->n_ids + 1, sizeof(*tasks->ids)))
			return pmon_err_nomem(err);
		in_order = in_order && id > before;
		before = id;
		tasks->ids[tasks->n_ids++] = id;
	}
	tasks->is_whole = errno == 0;
	if (!in_order)
		qsort(tasks->ids, tasks->n_ids, sizeof(*tasks->ids), by_id);
	return PMON_OK;
}

static struct lx_task *
new_task(struct lx_world *world, const struct lx_tasks *tasks, uint32_t id)
{
	struct lx_task *task = pmon_mem_alloc0(world->live->allocator, tasks->task_size);

	if (task == NULL)
		return NULL;
	task->id = id;
	task->process = tasks->process;
	for (unsigned f = 0; f < LX_TASK_FILES; f++)
		task->fd[f] = -1;
	return task;
}

static void
end_task(struct lx_world *world, const struct lx_tasks *tasks, struct lx_task *task)
{
	forget(world, task);
	if (tasks->end != NULL)
		tasks->end(world, task);
	pmon_mem_free(world->live->allocator, task, tasks->task_size);
}

// Merge the old list with the ids; both are sorted. If memory is short, new tasks are skipped.
static bool
merge(struct lx_world *world, struct lx_tasks *tasks)
{
	bool whole = true;
	size_t old = 0;
	size_t n = 0;

	for (size_t i = 0; i < tasks->n_ids; i++) {
		uint32_t id = tasks->ids[i];

		if (i > 0 && id == tasks->ids[i - 1])
			continue;
		while (old < tasks->n && tasks->list[old]->id < id)
			end_task(world, tasks, tasks->list[old++]);
		if (old < tasks->n && tasks->list[old]->id == id)
			tasks->next[n] = tasks->list[old++];
		else
			tasks->next[n] = new_task(world, tasks, id);
		if (tasks->next[n] != NULL)
			n++;
		else
			whole = false;
	}
	while (old < tasks->n)
		end_task(world, tasks, tasks->list[old++]);
	tasks->n = n;
	return whole;
}

static enum pmon_status
follow_ids(struct lx_world *world, struct lx_tasks *tasks, struct pmon_err *err)
{
	struct lx_task **list = tasks->list;
	size_t cap = tasks->cap;
	bool whole;

	if (!pmon_mem_grow(world->live->allocator, &tasks->next, &tasks->next_cap, tasks->n_ids,
			   sizeof(struct lx_task *)))
		return pmon_err_nomem(err);
	whole = merge(world, tasks);
	tasks->list = tasks->next;
	tasks->cap = tasks->next_cap;
	tasks->next = list;
	tasks->next_cap = cap;
	return whole ? PMON_OK : pmon_err_nomem(err);
}

enum pmon_status
pmon_lx_tasks_follow(struct lx_world *world, struct lx_tasks *tasks, DIR *folder,
		     struct pmon_err *err)
{
	enum pmon_status status = list_ids(world, tasks, folder, err);

	return status == PMON_OK ? follow_ids(world, tasks, err) : status;
}

enum pmon_status
pmon_lx_tasks_follow_one(struct lx_world *world, struct lx_tasks *tasks, uint32_t id,
			 struct pmon_err *err)
{
	if (!pmon_mem_grow(world->live->allocator, &tasks->ids, &tasks->ids_cap, 1,
			   sizeof(*tasks->ids)))
		return pmon_err_nomem(err);
	tasks->ids[0] = id;
	tasks->n_ids = 1;
	tasks->is_whole = true;
	return follow_ids(world, tasks, err);
}

void
pmon_lx_tasks_clear(struct lx_world *world, struct lx_tasks *tasks)
{
	tasks->n_ids = 0;
	(void)merge(world, tasks);
}

void
pmon_lx_tasks_free(struct lx_world *world, struct lx_tasks *tasks)
{
	const struct pmon_allocator *allocator = world->live->allocator;

	pmon_lx_tasks_clear(world, tasks);
	pmon_mem_free(allocator, tasks->list, tasks->cap * sizeof(*tasks->list));
	pmon_mem_free(allocator, tasks->next, tasks->next_cap * sizeof(*tasks->next));
	pmon_mem_free(allocator, tasks->ids, tasks->ids_cap * sizeof(*tasks->ids));
}

// ---- Totals ---------------------------------------------------------------------------------

enum pmon_status
pmon_lx_task_total_begin(struct live *live, const struct live_asked *asked, struct pmon_span parent,
			 struct lx_task_total *total, struct pmon_err *err)
{
	struct pmon_span name = PMON_SPAN(LX_TOTAL);

	live_row_begin(&total->row, &live->now);
	total->missing = 0;
	for (unsigned f = LX_GROWING; f < LIVE_FIELDS; f++)
		total->row.field[f] = 0;
	total->asked = pmon_live_fields(live, asked, parent, name, 0) & total->fields;
	if (total->asked == 0)
		return PMON_OK;
	return pmon_live_find(live, asked, parent, name, 0, &total->place, err);
}

enum pmon_status
pmon_lx_task_total_put(struct live *live, const struct live_asked *asked,
		       struct lx_task_total *total, struct pmon_err *err)
{
	total->row.present &= ~total->missing;
	return total->asked == 0 ? PMON_OK
				 : pmon_live_put_at(live, asked, total->place, &total->row, err);
}

void
pmon_lx_task_total_miss(struct lx_task_total *total)
{
	total->missing = UINT64_MAX;
}

// Numbers in a recording may be arbitrary, so sums may wrap around.
static void
add_wrapping(int64_t *sum, int64_t n)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)n);
}

// Kernel counts sometimes go back a little. Such a field adds nothing until it has caught up.
static void
add_growing(struct lx_task_total *total, struct lx_task *task, unsigned field, int64_t now)
{
	if (now <= task->counted[field])
		return;
	add_wrapping(&total->row.field[field], now - task->counted[field]);
	task->counted[field] = now;
}

void
pmon_lx_task_total_add(struct lx_task_total *total, struct lx_task *task,
		       const struct live_row *row)
{
	uint64_t fields = row->present & total->asked;

	total->row.present |= fields;
	if (!task->has_ended)
		total->missing |= total->asked & ~fields;
	for (unsigned f = 0; fields >> f != 0; f++) {
		if ((fields >> f & 1) == 0)
			continue;
		if (f < LX_GROWING)
			add_growing(total, task, f, row->field[f]);
		else
			add_wrapping(&total->row.field[f], row->field[f]);
	}
}
