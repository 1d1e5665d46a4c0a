// thread.c - the object Thread: /proc/PID/task/TID
// SPDX-License-Identifier: MIT

#include <errno.h>

#include "base/text.h"
#include "live/linux/process.h"

// Those that only grow come first, for the total.
enum {
	TIME,
	USER_TIME,
	KERNEL_TIME,
	SWITCHES,
	GROWING,

	ID_PROCESS = LX_GROWING,
	ID_THREAD,
	STARTED,
	STATE,
	PRIORITY_BASE,
	PRIORITY_CURRENT
};

#define BIT(field) (UINT64_C(1) << (field))
#define NONE       LIVE_NO_FIELD

static const struct live_counter counters[] = {
	{"% Processor Time", PMON_PERF_100NSEC_TIMER, 0, TIME, NONE,
	 "/proc/PID/task/TID/stat: utime + stime, in ticks of 10 ms", "=",
	 "CPU time of the thread."},
	{"% User Time", PMON_PERF_100NSEC_TIMER, 0, USER_TIME, NONE,
	 "/proc/PID/task/TID/stat: utime, in ticks of 10 ms", "=",
	 "CPU time of the thread in user mode."},
	{"% Privileged Time", PMON_PERF_100NSEC_TIMER, 0, KERNEL_TIME, NONE,
	 "/proc/PID/task/TID/stat: stime, in ticks of 10 ms", "=",
	 "CPU time of the thread in the kernel."},
	{"Context Switches/sec", PMON_PERF_COUNTER_BULK_COUNT, -2, SWITCHES, NONE,
	 "/proc/PID/task/TID/status: voluntary_ctxt_switches + nonvoluntary_ctxt_switches",
	 "Windows counts switches to the thread, in 32 bits; these are switches away from it, in "
	 "64 bits.",
	 "Voluntary and involuntary context switches of the thread."},
	{"ID Process", PMON_PERF_COUNTER_RAWCOUNT, -1, ID_PROCESS, NONE, "/proc/PID", "=",
	 "Process ID of the thread's process."},
	{"ID Thread", PMON_PERF_COUNTER_RAWCOUNT, -1, ID_THREAD, NONE, "/proc/PID/task/TID", "=",
	 "Thread ID. The main thread has the ID of its process. IDs are reused."},
	{"Elapsed Time", PMON_PERF_ELAPSED_TIME, -4, STARTED, NONE,
	 "/proc/PID/task/TID/stat: starttime", "=",
	 "Time since the thread started, including time that the machine was suspended."},
	{"Thread State", PMON_PERF_COUNTER_RAWCOUNT, 0, STATE, NONE,
	 "/proc/PID/task/TID/stat: state",
	 "Windows' numbers. Windows also distinguishes 1 (ready) from 2 (running), and has 0, 3 "
	 "and 6.",
	 "2: running or runnable (R). 5: sleeping (S, D), stopped (T, t) or idle (I). 4: exited "
	 "(Z, X). 7: any other state."},
	{"Priority Base", PMON_PERF_COUNTER_RAWCOUNT, 0, PRIORITY_BASE, NONE,
	 "/proc/PID/task/TID/stat: 19 - nice; 40 + rt_priority under a real-time policy",
	 "0 to 31 on Windows.", "As Priority Base of Process."},
	{"Priority Current", PMON_PERF_COUNTER_RAWCOUNT, 0, PRIORITY_CURRENT, NONE,
	 "/proc/PID/task/TID/stat: 39 - priority",
	 "Windows boosts it after a wait; Linux only by priority inheritance.",
	 "Current priority of the thread, on the scale of Priority Base."},
};

struct context {
	struct lx_processes *processes;
	const struct live_asked *asked;
};

// ---- A thread -------------------------------------------------------------------------------

// The states of a thread of Windows that there are here.
static uint64_t
state_of(char letter)
{
	switch (letter) {
	case 'R':
		return 2;
	case 'Z':
	case 'X':
	case 'x':
		return 4;
	case 'S':
	case 'D':
	case 'T':
	case 't':
	case 'I':
	case 'K':
	case 'W':
	case 'P':
		return 5;
	default:
		return 7;
	}
}

static void
set_from_stat(const struct lx_task *task, struct live_row *row)
{
	const struct lx_task_stat *stat = &task->stat;
	int64_t priority = stat->field[LX_STAT_PRIORITY];
	uint64_t user;
	uint64_t kernel;
	uint64_t n;

	live_row_set(row, ID_PROCESS, task->process);
	live_row_set(row, ID_THREAD, task->id);
	live_row_set(row, STATE, state_of(stat->state));
	if (pmon_lx_stat_scaled(stat, LX_STAT_UTIME, LX_TICK_100NS, &user))
		live_row_set(row, USER_TIME, user);
	if (pmon_lx_stat_scaled(stat, LX_STAT_STIME, LX_TICK_100NS, &kernel))
		live_row_set(row, KERNEL_TIME, kernel);
	live_row_set_sum(row, TIME, USER_TIME, KERNEL_TIME);
	if (pmon_lx_stat_started(stat, &row->stamp, &n))
		live_row_set(row, STARTED, n);
	if (pmon_lx_stat_priority(stat, &n))
		live_row_set(row, PRIORITY_BASE, n);
	if ((stat->present >> LX_STAT_PRIORITY & 1) != 0 && priority >= -101 && priority <= 39)
		live_row_set(row, PRIORITY_CURRENT, (uint64_t)(39 - priority));
}

// The two lines are the last of the file.
static void
set_from_status(struct lx_world *world, struct lx_task *task, struct live_row *row)
{
	char buf[4096];
	struct pmon_scan text;
	struct pmon_scan line;
	uint64_t sum = 0;
	uint64_t n;
	unsigned found = 0;

	if (!pmon_lx_task_read(world, task, LX_TASK_STATUS, buf, sizeof(buf), &text))
		return;
	while (pmon_lx_line(&text, &line)) {
		if ((pmon_lx_key(&line, "voluntary_ctxt_switches") ||
		     pmon_lx_key(&line, "nonvoluntary_ctxt_switches")) &&
		    pmon_lx_u64(&line, &n)) {
			sum += n;
			found++;
		}
	}
	if (found == 2)
		live_row_set(row, SWITCHES, sum);
}

// The place of an instance, which is kept for as long as process and thread have their numbers.
static enum pmon_status
place(struct live *live, const struct context *context, struct lx_process *process,
      struct lx_task *task, struct pmon_err *err)
{
	struct pmon_span parent = pmon_lx_process_name(process);
	uint32_t number = process->task.number;
	char digits[16];
	struct pmon_text text = pmon_text_init(digits, sizeof(digits));
	enum pmon_status status = PMON_OK;
	struct pmon_span name;

	if (task->is_placed)
		return PMON_OK;
	if (task->numbers == NULL &&
	    !pmon_lx_number_take(&process->thread_numbers, live->allocator,
				 context->processes->world.serial, &task->number))
		return pmon_err_nomem(err);
	task->numbers = &process->thread_numbers;
	pmon_text_u64(&text, task->number);
	name = (struct pmon_span){digits, text.len};
	task->fields = pmon_live_fields(live, context->asked, parent, name, number);
	task->row = NULL;
	if (task->fields != 0)
		status =
			pmon_live_find(live, context->asked, parent, name, number, &task->row, err);
	if (task->row == NULL)
		task->fields = 0;
	task->is_placed = status == PMON_OK;
	return status;
}

static enum pmon_status
put_thread(struct live *live, const struct context *context, struct lx_process *process,
	   struct lx_task *task, struct pmon_err *err)
{
	struct lx_processes *processes = context->processes;
	enum pmon_status status = place(live, context, process, task, err);
	char buf[LX_STAT_SIZE];
	struct live_row row;

	if (status != PMON_OK || (task->fields | processes->thread_total.asked) == 0)
		return status;
	if (pmon_lx_task_look(&processes->world, task, buf) == LX_UNREAD) {
		if (!task->has_ended)
			pmon_lx_task_total_miss(&processes->thread_total);
		return PMON_OK;
	}
	status = place(live, context, process, task, err); // it may be another one now
	if (status != PMON_OK)
		return status;
	live_row_begin(&row, &task->stamp);
	set_from_stat(task, &row);
	if (((task->fields | processes->thread_total.asked) & BIT(SWITCHES)) != 0)
		set_from_status(&processes->world, task, &row);
	pmon_lx_task_total_add(&processes->thread_total, task, &row);
	return task->fields == 0 ? PMON_OK
				 : pmon_live_put_at(live, context->asked, task->row, &row, err);
}

// ---- The threads of a process ---------------------------------------------------------------

// In a process with one thread, that is the first thread, whose id is the process's.
static enum pmon_status
follow(struct lx_world *world, struct lx_process *process, struct pmon_err *err)
{
	const struct lx_task *task = &process->task;
	char path[32];
	struct pmon_text text = pmon_text_init(path, sizeof(path));
	enum pmon_status status = PMON_OK;
	uint64_t n;
	DIR *folder;

	process->threads.task_size = sizeof(struct lx_task);
	process->threads.process = task->id;
	process->threads.is_whole = true;
	if (pmon_lx_stat_scaled(&task->stat, LX_STAT_THREADS, 1, &n) && n == 1)
		return pmon_lx_tasks_follow_one(world, &process->threads, task->id, err);
	pmon_text_u64(&text, task->id);
	pmon_text_str(&text, "/task");
	folder = pmon_lx_open_folder(world->proc, path);
	if (folder == NULL) {
		// If it has ended its threads will be found to have.
		process->threads.is_whole = errno == ENOENT || errno == ESRCH;
		return PMON_OK;
	}
	status = pmon_lx_tasks_follow(world, &process->threads, folder, err);
	closedir(folder);
	return status;
}

// The first thread is number 0, whatever the ids of the others.
static enum pmon_status
place_all(struct live *live, const struct context *context, struct lx_process *process,
	  struct pmon_err *err)
{
	const struct lx_tasks *threads = &process->threads;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < threads->n; i++) {
		if (process->named == context->processes->world.serial)
			threads->list[i]->is_placed = false;
		if (threads->list[i]->id == process->task.id)
			status = place(live, context, process, threads->list[i], err);
	}
	return status;
}

static enum pmon_status
put_threads(struct live *live, const struct context *context, struct lx_process *process,
	    struct pmon_err *err)
{
	struct lx_task_total *total = &context->processes->thread_total;
	enum pmon_status status = pmon_lx_process_look(context->processes, process, err);

	if (status == PMON_OK && !process->task.is_read && !process->task.has_ended)
		pmon_lx_task_total_miss(total);
	if (status != PMON_OK || !process->task.is_read)
		return status;
	status = follow(&context->processes->world, process, err);
	if (!process->threads.is_whole)
		pmon_lx_task_total_miss(total);
	if (status == PMON_OK)
		status = place_all(live, context, process, err);
	for (size_t i = 0; status == PMON_OK && i < process->threads.n; i++)
		status = put_thread(live, context, process, process->threads.list[i], err);
	return status;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct context context = {.asked = asked};
	enum pmon_status status = pmon_lx_processes(live, &context.processes, err);
	struct lx_task_total *total;

	if (status != PMON_OK)
		return status;
	total = &context.processes->thread_total;
	total->fields = BIT(GROWING) - 1;
	status = pmon_lx_task_total_begin(live, asked, PMON_SPAN(LX_TOTAL), total, err);
	if (!context.processes->is_whole)
		pmon_lx_task_total_miss(total);
	for (size_t i = 0; status == PMON_OK && i < context.processes->list.n; i++)
		status = put_threads(live, &context, lx_process_at(context.processes, i), err);
	return status == PMON_OK ? pmon_lx_task_total_put(live, asked, total, err) : status;
}

const struct live_object pmon_lx_thread = {
	.name = "Thread",
	.help = "Threads of each process: Thread(bash/0) is the first thread of Process(bash), "
		"Thread(bash/0#1) that of Process(bash#1). Threads are numbered as processes are.",
	.instances = true,
	.on_request = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
