// process_table.c - the processes of a host, and the names of their instances
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/text.h"
#include "live/linux/process.h"
#include "os/limit.h"

#define FEWEST_TO_FORGET 256

// An instance name, and which of its numbers are taken.
struct lx_name {
	struct pmon_span text;
	struct lx_numbers numbers;
};

// ---- Names ----------------------------------------------------------------------------------

static void
free_name(const struct lx_processes *processes, struct lx_name *name)
{
	const struct pmon_allocator *allocator = processes->world.live->allocator;

	pmon_mem_free(allocator, name->numbers.freed,
		      name->numbers.cap * sizeof(*name->numbers.freed));
	pmon_mem_free(allocator, name, sizeof(*name) + name->text.len + 1);
}

// Are all numbers of a name free again? Then it can be forgotten.
static bool
is_idle(const struct lx_name *name, uint64_t serial)
{
	for (size_t i = 0; i < name->numbers.n; i++)
		if (name->numbers.freed[i] >= serial)
			return false;
	return true;
}

static void
forget_idle(struct lx_processes *processes)
{
	size_t n = processes->n_names;

	pmon_map_clear(&processes->name_map);
	processes->n_names = 0;
	for (size_t i = 0; i < n; i++) {
		struct lx_name *name = processes->names[i];

		if (is_idle(name, processes->world.serial)) {
			free_name(processes, name);
			continue;
		}
		pmon_map_add(&processes->name_map, pmon_map_mix_name(0, name->text),
			     (uint32_t)processes->n_names);
		processes->names[processes->n_names++] = name;
	}
	processes->forget_at = 2 * processes->n_names + FEWEST_TO_FORGET;
}

static struct lx_name *
new_name(const struct lx_processes *processes, struct pmon_span text)
{
	struct lx_name *name =
		pmon_mem_alloc0(processes->world.live->allocator, sizeof(*name) + text.len + 1);
	char *copy = (char *)(name + 1);

	if (name == NULL)
		return NULL;
	memcpy(copy, text.ptr, text.len + 1);
	name->text = (struct pmon_span){copy, text.len};
	return name;
}

// Find or add a name. NULL if memory runs out. Names are not case-sensitive, as in counter paths.
static struct lx_name *
find_name(struct lx_processes *processes, struct pmon_span text)
{
	const struct pmon_allocator *allocator = processes->world.live->allocator;
	uint64_t hash = pmon_map_mix_name(0, text);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&processes->name_map, hash, &at)) != PMON_MAP_NONE)
		if (pmon_text_same(processes->names[i]->text, text))
			return processes->names[i];
	if (processes->n_names >= processes->forget_at)
		forget_idle(processes);
	i = (uint32_t)processes->n_names;
	if (!pmon_mem_grow(allocator, &processes->names, &processes->names_cap, (size_t)i + 1,
			   sizeof(struct lx_name *)) ||
	    !pmon_map_reserve(&processes->name_map, allocator, 1))
		return NULL;
	processes->names[i] = new_name(processes, text);
	if (processes->names[i] == NULL)
		return NULL;
	pmon_map_add(&processes->name_map, hash, i);
	return processes->names[processes->n_names++];
}

// A kernel worker's name is followed by its current work, which changes all the time:
// "kworker/0:1-events" is kworker/0:1. Some have a real name there: "kworker/R-writeback".
static size_t
length_of_name(struct pmon_span comm)
{
	static const char worker[] = "kworker/";
	size_t at = sizeof(worker) - 1;

	if (comm.len <= at || memcmp(comm.ptr, worker, at) != 0)
		return comm.len;
	if (comm.ptr[at] != 'u' && !pmon_is_digit(comm.ptr[at]))
		return comm.len;
	while (at < comm.len && comm.ptr[at] != '-' && comm.ptr[at] != '+')
		at++;
	return at;
}

static void
make_instance(const struct lx_processes *processes, struct lx_process *process)
{
	const struct lx_task *task = &process->task;
	struct pmon_text text = pmon_text_init(process->instance, sizeof(process->instance));

	for (size_t i = 0; i < task->comm_len; i++)
		pmon_text_char(&text, task->comm[i] != '\0' ? task->comm[i] : '?');
	if (task->comm_len == 0) // as it may call itself
		pmon_text_char(&text, '_');
	pmon_live_clean_name(process->instance);
	if (!processes->world.live->options.pid_names)
		return;
	pmon_text_char(&text, '_');
	pmon_text_u64(&text, task->id);
}

struct pmon_span
pmon_lx_process_name(const struct lx_process *process)
{
	return (struct pmon_span){process->instance, strlen(process->instance)};
}

// ---- A process ------------------------------------------------------------------------------

static enum pmon_status
name_process(struct lx_processes *processes, struct lx_process *process, struct pmon_err *err)
{
	struct lx_world *world = &processes->world;
	struct lx_task *task = &process->task;
	struct lx_name *name;

	if (task->numbers != NULL)
		pmon_lx_number_give(task->numbers, world->serial, task->number);
	task->numbers = NULL;
	make_instance(processes, process);
	name = find_name(processes, pmon_lx_process_name(process));
	if (name == NULL || !pmon_lx_number_take(&name->numbers, world->live->allocator,
						 world->serial, &task->number))
		return pmon_err_nomem(err);
	task->numbers = &name->numbers;
	task->is_placed = false;
	task->denied = 0; // it may now run another program that we may open
	process->named = world->serial;
	return PMON_OK;
}

static bool
is_renamed(struct lx_task *task)
{
	struct pmon_span comm = task->stat.comm;

	if (comm.len > sizeof(task->comm))
		comm.len = sizeof(task->comm);
	comm.len = length_of_name(comm);
	if (task->numbers != NULL && comm.len == task->comm_len &&
	    memcmp(comm.ptr, task->comm, comm.len) == 0)
		return false;
	memcpy(task->comm, comm.ptr, comm.len);
	task->comm_len = comm.len;
	return true;
}

enum pmon_status
pmon_lx_process_look(struct lx_processes *processes, struct lx_process *process,
		     struct pmon_err *err)
{
	char buf[LX_STAT_SIZE];
	struct lx_task *task = &process->task;
	enum lx_found found;

	if (process->looked == processes->world.serial)
		return PMON_OK;
	process->looked = processes->world.serial;
	found = pmon_lx_task_look(&processes->world, task, buf);
	if (found == LX_OTHER) {
		pmon_lx_tasks_clear(&processes->world, &process->threads);
		process->thread_numbers.n = 0;
		process->thread_numbers.lowest = 0;
	}
	if (found == LX_UNREAD || !is_renamed(task))
		return PMON_OK;
	return name_process(processes, process, err);
}

// ---- All processes --------------------------------------------------------------------------

static void
free_process(struct lx_world *world, struct lx_task *task)
{
	struct lx_process *process = (struct lx_process *)task;
	struct lx_numbers *numbers = &process->thread_numbers;

	pmon_lx_tasks_free(world, &process->threads);
	pmon_mem_free(world->live->allocator, numbers->freed,
		      numbers->cap * sizeof(*numbers->freed));
}

static void
free_names(struct lx_processes *processes)
{
	const struct pmon_allocator *allocator = processes->world.live->allocator;

	for (size_t i = 0; i < processes->n_names; i++)
		free_name(processes, processes->names[i]);
	pmon_mem_free(allocator, processes->names, processes->names_cap * sizeof(struct lx_name *));
	pmon_map_free(&processes->name_map, allocator);
}

static void
free_processes(const struct live *live, void *kept)
{
	struct lx_processes *processes = kept;

	pmon_lx_tasks_free(&processes->world, &processes->list);
	free_names(processes);
	if (processes->proc != NULL)
		closedir(processes->proc);
	pmon_mem_free(live->allocator, processes, sizeof(*processes));
}

// Leave half of the permitted open files to the rest of the program.
static struct lx_processes *
new_processes(const struct live *live)
{
	struct lx_processes *processes = pmon_mem_alloc0(live->allocator, sizeof(*processes));

	if (processes == NULL)
		return NULL;
	processes->world.live = live;
	processes->world.keep_open = !pmon_lx_is_recorded(live->host);
	processes->world.max_open = pmon_os_open_files() / 2;
	processes->list.task_size = sizeof(struct lx_process);
	processes->list.end = free_process;
	return processes;
}

// The name of the totals is always taken: a process with that name gets number 1.
static bool
reserve_total(struct lx_processes *processes)
{
	static const char total[] = LX_TOTAL;
	struct lx_name *name = find_name(processes, (struct pmon_span){total, sizeof(total) - 1});
	uint32_t number;

	return name != NULL &&
	       (name->numbers.n > 0 ||
		pmon_lx_number_take(&name->numbers, processes->world.live->allocator,
				    processes->world.serial, &number));
}

// Rewind /proc, which stays open; in a recording, each sample has its own.
static bool
open_proc(struct lx_processes *processes)
{
	struct lx_world *world = &processes->world;
	struct stat own;

	if (processes->proc != NULL && world->keep_open) {
		rewinddir(processes->proc);
		return true;
	}
	if (processes->proc != NULL)
		closedir(processes->proc);
	processes->proc = pmon_lx_open_folder(pmon_lx_root(world->live->host), "proc");
	world->proc = processes->proc != NULL ? dirfd(processes->proc) : -1;
	if (processes->proc == NULL)
		return false;
	// We have open files, so the number cannot be 0.
	world->folders_have_sizes = world->keep_open &&
				    fstatat(world->proc, "self/fd", &own, 0) == 0 &&
				    own.st_size > 0;
	return true;
}

// The machine was restarted, which can happen between two samples of a recording. Everything known
// is gone. Numbers become available again only after a sample without processes.
static bool
was_restarted(struct lx_processes *processes)
{
	int64_t now = processes->world.live->now.perf_100ns;
	bool restarted = now < processes->perf_100ns;

	processes->perf_100ns = now;
	if (!restarted)
		return false;
	pmon_lx_tasks_clear(&processes->world, &processes->list);
	memset(&processes->total, 0, sizeof(processes->total));
	memset(&processes->thread_total, 0, sizeof(processes->thread_total));
	return true;
}

static enum pmon_status
refresh(struct live *live, struct lx_processes *processes, struct pmon_err *err)
{
	enum pmon_status status;

	if (!reserve_total(processes))
		return pmon_err_nomem(err);
	processes->is_whole = false;
	if (was_restarted(processes) || !open_proc(processes))
		return PMON_OK;
	status = pmon_lx_sees_processes(live, &processes->is_whole, err);
	if (status == PMON_OK)
		status = pmon_lx_tasks_follow(&processes->world, &processes->list, processes->proc,
					      err);
	processes->is_whole = processes->is_whole && processes->list.is_whole;
	return status;
}

enum pmon_status
pmon_lx_processes(struct live *live, struct lx_processes **out, struct pmon_err *err)
{
	void **kept = pmon_lx_kept(live->host, LX_SLOT_PROCESS, free_processes);

	if (*kept == NULL)
		*kept = new_processes(live);
	*out = *kept;
	if (*out == NULL)
		return pmon_err_nomem(err);
	if ((*out)->world.serial == live->tables.serial)
		return PMON_OK;
	(*out)->world.serial = live->tables.serial;
	return refresh(live, *out, err);
}
