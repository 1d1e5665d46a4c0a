// process.c - the object Process: /proc/PID/stat, statm, io and fd
// SPDX-License-Identifier: MIT

#include "live/linux/process.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

// Monotonic fields come first, for the total. Fields not read from stat are READS to PRIVATE.
enum {
	TIME,
	USER_TIME,
	KERNEL_TIME,
	FAULTS,
	MAJOR_FAULTS,
	DISK_WAIT,

	READS = LX_GROWING - 8,
	WRITES,
	OPERATIONS,
	READ_BYTES,
	WRITTEN_BYTES,
	BYTES,
	DISK_READ,
	DISK_WRITTEN,

	HANDLES = LX_GROWING,
	PRIVATE_SET,
	PRIVATE,
	THREADS,
	WORKING_SET,
	VIRTUAL,
	SUMMED,

	ID = SUMMED,
	PARENT,
	STARTED,
	PRIORITY,
	MINOR_FAULTS
};

#define BIT(field)   (UINT64_C(1) << (field))
#define BELOW(field) (BIT(field) - 1)
#define OF_STATM     (BIT(PRIVATE_SET) | BIT(PRIVATE))
#define OF_IO                                                                                      \
	(BIT(READS) | BIT(WRITES) | BIT(OPERATIONS) | BIT(READ_BYTES) | BIT(WRITTEN_BYTES) |       \
	 BIT(BYTES) | BIT(DISK_READ) | BIT(DISK_WRITTEN))

#define OF_FILES (OF_STATM | OF_IO | BIT(HANDLES))

#define NONE          LIVE_NO_FIELD
#define NOT_PERMITTED " Absent for processes that pmon may not trace, and then also for _Total."

static const struct live_counter counters[] = {
	{"% Processor Time", PMON_PERF_100NSEC_TIMER, 0, TIME, NONE,
	 "/proc/PID/stat: utime + stime, in ticks of 10 ms", "=",
	 "CPU time. A process with several threads can use more than 100 %."},
	{"% User Time", PMON_PERF_100NSEC_TIMER, 0, USER_TIME, NONE,
	 "/proc/PID/stat: utime, in ticks of 10 ms", "=", "CPU time in user mode."},
	{"% Privileged Time", PMON_PERF_100NSEC_TIMER, 0, KERNEL_TIME, NONE,
	 "/proc/PID/stat: stime, in ticks of 10 ms", "=",
	 "CPU time in the kernel, on behalf of the process."},
	{"% Disk Wait Time", PMON_PERF_100NSEC_TIMER, 0, DISK_WAIT, NONE,
	 "/proc/PID/stat: delayacct_blkio_ticks, in ticks of 10 ms", "",
	 "Total time that threads spent waiting for block I/O. Requires delay accounting (sysctl "
	 "kernel.task_delayacct=1). Kernels before 5.14 lack that setting; there the counter is "
	 "absent until the first wait."},
	{"ID Process", PMON_PERF_COUNTER_RAWCOUNT, -1, ID, NONE, "/proc/PID", "=",
	 "Process ID. IDs are reused."},
	{"Creating Process ID", PMON_PERF_COUNTER_RAWCOUNT, -1, PARENT, NONE,
	 "/proc/PID/stat: ppid",
	 "Windows keeps the ID of the creator; this is the present parent, which changes when the "
	 "creator exits.",
	 "Process ID of the parent."},
	{"Elapsed Time", PMON_PERF_ELAPSED_TIME, -4, STARTED, NONE, "/proc/PID/stat: starttime",
	 "=", "Time since the process started, including time that the machine was suspended."},
	{"Thread Count", PMON_PERF_COUNTER_RAWCOUNT, 0, THREADS, NONE,
	 "/proc/PID/stat: num_threads", "=", "Threads of the process."},
	{"Handle Count", PMON_PERF_COUNTER_RAWCOUNT, 0, HANDLES, NONE,
	 "/proc/PID/fd: its size, before Linux 6.2 its entries",
	 "Windows counts all kinds of handles; these are file descriptors: files, sockets, pipes "
	 "and others.",
	 "Open file descriptors. Absent for other users' processes before Linux 6.2."},
	{"Priority Base", PMON_PERF_COUNTER_RAWCOUNT, 0, PRIORITY, NONE,
	 "/proc/PID/stat: 19 - nice; 40 + rt_priority under a real-time policy",
	 "0 to 31 on Windows, where 8 is normal.",
	 "Scheduling priority, as PRI in ps; higher runs first. 0 to 39 correspond to nice 19 to "
	 "-20, with 19 as the default; 41 to 139 are real-time priorities, 140 is SCHED_DEADLINE."},
	{"Working Set", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -5, WORKING_SET, NONE,
	 "/proc/PID/stat: rss, in pages", "=", "Resident memory (RSS), including shared pages."},
	{"Working Set - Private", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -5, PRIVATE_SET, NONE,
	 "/proc/PID/statm: resident - shared, in pages", "=",
	 "Resident anonymous memory: RSS without file and shared pages."},
	{"Virtual Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -6, VIRTUAL, NONE,
	 "/proc/PID/stat: vsize", "=", "Virtual memory size (VSZ)."},
	{"Private Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -5, PRIVATE, NONE,
	 "/proc/PID/statm: resident - shared, in pages; /proc/PID/status: VmSwap",
	 "Windows counts committed memory, touched or not. Linux allocates memory when it is first "
	 "touched; this counts only touched memory.",
	 "Anonymous memory of the process, in RAM or swapped out."},
	{"Page Faults/sec", PMON_PERF_COUNTER_BULK_COUNT, -1, FAULTS, NONE,
	 "/proc/PID/stat: minflt + majflt", LX_WINDOWS_32, "Page faults, minor and major."},
	{"Major Faults/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, MAJOR_FAULTS, NONE,
	 "/proc/PID/stat: majflt", "", "Major page faults, which had to read from disk."},
	{"IO Read Operations/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, READS, NONE,
	 "/proc/PID/io: syscr", "=",
	 "Read system calls, on files, sockets and devices." NOT_PERMITTED},
	{"IO Write Operations/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, WRITES, NONE,
	 "/proc/PID/io: syscw", "=",
	 "Write system calls, on files, sockets and devices." NOT_PERMITTED},
	{"IO Data Operations/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, OPERATIONS, NONE,
	 "/proc/PID/io: syscr + syscw", "=", "Read and write system calls." NOT_PERMITTED},
	{"IO Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, READ_BYTES, NONE,
	 "/proc/PID/io: rchar", "=",
	 "Bytes read by system calls, including from caches and sockets." NOT_PERMITTED},
	{"IO Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, WRITTEN_BYTES, NONE,
	 "/proc/PID/io: wchar", "=",
	 "Bytes written by system calls, including to caches and sockets." NOT_PERMITTED},
	{"IO Data Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, BYTES, NONE,
	 "/proc/PID/io: rchar + wchar", "=",
	 "Bytes read and written by system calls." NOT_PERMITTED},
	{"Disk Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, DISK_READ, NONE,
	 "/proc/PID/io: read_bytes", "",
	 "Bytes read from block devices for the process." NOT_PERMITTED},
	{"Disk Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, DISK_WRITTEN, NONE,
	 "/proc/PID/io: write_bytes", "",
	 "Bytes that the process sent to the storage layer; some may not have reached the device "
	 "yet." NOT_PERMITTED},
};

static_assert(PRIVATE - READS + 1 == LX_SEEN, "a process keeps all that is from its files");

// State shared by all processes in a sample.
struct context {
	struct lx_processes *processes;
	const struct live_asked *asked;
	uint64_t page_bytes;
	bool has_disk_wait;
	bool has_swap;
};

// ---- A process ------------------------------------------------------------------------------

static void
set_scaled(struct live_row *row, unsigned field, const struct lx_task_stat *stat,
	   enum lx_stat_field from, int64_t unit)
{
	uint64_t value;

	if (pmon_lx_stat_scaled(stat, from, unit, &value))
		live_row_set(row, field, value);
}

static void
set_from_stat(const struct context *context, const struct lx_task *task, struct live_row *row)
{
	const struct lx_task_stat *stat = &task->stat;
	uint64_t n;

	set_scaled(row, USER_TIME, stat, LX_STAT_UTIME, LX_TICK_100NS);
	set_scaled(row, KERNEL_TIME, stat, LX_STAT_STIME, LX_TICK_100NS);
	live_row_set_sum(row, TIME, USER_TIME, KERNEL_TIME);
	if ((stat->present >> LX_STAT_BLKIO & 1) != 0 && stat->field[LX_STAT_BLKIO] > 0)
		context->processes->has_disk_wait = true;
	if (context->has_disk_wait)
		set_scaled(row, DISK_WAIT, stat, LX_STAT_BLKIO, LX_TICK_100NS);
	live_row_set(row, ID, task->id);
	set_scaled(row, PARENT, stat, LX_STAT_PPID, 1);
	if (pmon_lx_stat_started(stat, &row->stamp, &n))
		live_row_set(row, STARTED, n);
	set_scaled(row, THREADS, stat, LX_STAT_THREADS, 1);
	if (pmon_lx_stat_priority(stat, &n))
		live_row_set(row, PRIORITY, n);
	set_scaled(row, WORKING_SET, stat, LX_STAT_RSS, (int64_t)context->page_bytes);
	set_scaled(row, VIRTUAL, stat, LX_STAT_VSIZE, 1);
	set_scaled(row, MINOR_FAULTS, stat, LX_STAT_MINFLT, 1);
	set_scaled(row, MAJOR_FAULTS, stat, LX_STAT_MAJFLT, 1);
	live_row_set_sum(row, FAULTS, MINOR_FAULTS, MAJOR_FAULTS);
}

// "VmSwap:	     120 kB". Kernel threads have no such line and use no swap.
static bool
read_swapped(const struct context *context, struct lx_task *task, uint64_t *bytes)
{
	char buf[4096];
	struct pmon_scan text;
	struct pmon_scan line;
	uint64_t kib = 0;

	*bytes = 0;
	if (!context->has_swap)
		return true;
	if (!pmon_lx_task_read(&context->processes->world, task, LX_TASK_STATUS, buf, sizeof(buf),
			       &text))
		return false;
	while (pmon_lx_line(&text, &line))
		if (pmon_lx_key(&line, "VmSwap"))
			(void)pmon_lx_u64(&line, &kib);
	*bytes = kib * 1024;
	return kib <= INT64_MAX / 2048;
}

// "size resident shared text lib data dirty", in pages. Resident pages that are not shared are anonymous. `data` is
// not used: it is the size of address space, most of which a program may never touch.
static void
set_from_statm(const struct context *context, struct lx_task *task, uint64_t fields,
	       struct live_row *row)
{
	char buf[256];
	struct pmon_scan line;
	uint64_t resident;
	uint64_t shared;
	uint64_t anonymous;
	uint64_t swapped;

	if (!pmon_lx_task_read(&context->processes->world, task, LX_TASK_STATM, buf, sizeof(buf),
			       &line) ||
	    !pmon_lx_skip(&line, 1) || !pmon_lx_u64(&line, &resident) ||
	    !pmon_lx_u64(&line, &shared))
		return;
	// The two are counted separately and may be off by a few pages.
	anonymous = (resident > shared ? resident - shared : 0) * context->page_bytes;
	live_row_set(row, PRIVATE_SET, anonymous);
	if ((fields & BIT(PRIVATE)) != 0 && read_swapped(context, task, &swapped))
		live_row_set(row, PRIVATE, anonymous + swapped);
}

// The lines have this order; lines added by newer kernels are skipped.
static void
set_from_io(const struct context *context, struct lx_task *task, struct live_row *row)
{
	static const struct {
		const char *key;
		unsigned field;
	} keys[] = {
		{"rchar", READ_BYTES}, {"wchar", WRITTEN_BYTES},  {"syscr", READS},
		{"syscw", WRITES},     {"read_bytes", DISK_READ}, {"write_bytes", DISK_WRITTEN},
	};
	char buf[512];
	struct pmon_scan text;
	struct pmon_scan line;
	uint64_t n;
	size_t k = 0;

	if (!pmon_lx_task_read(&context->processes->world, task, LX_TASK_IO, buf, sizeof(buf),
			       &text))
		return;
	while (k < sizeof(keys) / sizeof(keys[0]) && pmon_lx_line(&text, &line))
		if (pmon_lx_key(&line, keys[k].key) && pmon_lx_u64(&line, &n))
			live_row_set(row, keys[k++].field, n);
	live_row_set_sum(row, OPERATIONS, READS, WRITES);
	live_row_set_sum(row, BYTES, READ_BYTES, WRITTEN_BYTES);
}

// Read only the files that requested fields need.
static void
set_from_files(const struct context *context, struct lx_task *task, uint64_t fields,
	       struct live_row *row)
{
	uint64_t n;

	if ((fields & OF_STATM) != 0)
		set_from_statm(context, task, fields, row);
	if ((fields & OF_IO) != 0)
		set_from_io(context, task, row);
	if ((fields & BIT(HANDLES)) != 0 &&
	    pmon_lx_task_open_files(&context->processes->world, task, &n))
		live_row_set(row, HANDLES, n);
}

// Has the process run since it was last read? Most have not, and a single-threaded process that has not
// run has not read, written, opened or mapped anything; changes to its memory from outside show in stat.
// schedstat has its run time in nanoseconds and the number of its time slices; both are 0 if the kernel
// does not count them. Reading it costs a quarter of reading the files that it saves.
static bool
has_run(struct lx_world *world, struct lx_process *process)
{
	struct lx_task *task = &process->task;
	char buf[sizeof(process->ran)];
	struct pmon_scan text = {buf, buf};
	uint64_t threads;
	int64_t rss = task->stat.field[LX_STAT_RSS];
	size_t len;
	bool same;

	if (task->stat.state != 'R' &&
	    pmon_lx_stat_scaled(&task->stat, LX_STAT_THREADS, 1, &threads) && threads == 1)
		(void)pmon_lx_task_read(world, task, LX_TASK_SCHEDSTAT, buf, sizeof(buf), &text);
	len = (size_t)(text.end - text.at);
	same = len > 0 && buf[0] != '0' && len == process->ran_len &&
	       memcmp(buf, process->ran, len) == 0 && rss == process->rss;
	memcpy(process->ran, buf, len);
	process->ran_len = len;
	process->rss = rss;
	return !same;
}

static void
fill(const struct context *context, struct lx_process *process, struct live_row *row)
{
	struct lx_task *task = &process->task;
	uint64_t fields = (task->fields | context->processes->total.asked) & OF_FILES;
	size_t bytes = sizeof(process->seen);

	live_row_begin(row, &task->stamp);
	set_from_stat(context, task, row);
	if (fields == 0)
		return;
	if (has_run(&context->processes->world, process)) {
		set_from_files(context, task, fields, row);
		memcpy(process->seen, &row->field[READS], bytes);
		process->seen_present = row->present & OF_FILES;
	} else {
		memcpy(&row->field[READS], process->seen, bytes);
		row->present |= process->seen_present;
	}
}

// ---- The object -----------------------------------------------------------------------------

// Find the row of an instance, which is kept as long as its name stays the same.
static enum pmon_status
find_place(struct live *live, const struct context *context, struct lx_process *process,
	   struct pmon_err *err)
{
	struct lx_task *task = &process->task;
	struct pmon_span none = {NULL, 0};
	struct pmon_span name = pmon_lx_process_name(process);
	enum pmon_status status = PMON_OK;

	if (task->is_placed)
		return PMON_OK;
	process->ran_len = 0;
	task->fields = pmon_live_fields(live, context->asked, none, name, task->number);
	task->row = NULL;
	if (task->fields != 0)
		status = pmon_live_find(live, context->asked, none, name, task->number, &task->row,
					err);
	if (task->row == NULL)
		task->fields = 0;
	task->is_placed = status == PMON_OK;
	return status;
}

static enum pmon_status
put_process(struct live *live, const struct context *context, struct lx_process *process,
	    struct pmon_err *err)
{
	struct lx_task *task = &process->task;
	struct lx_task_total *total = &context->processes->total;
	enum pmon_status status = pmon_lx_process_look(context->processes, process, err);
	struct live_row row;

	if (status == PMON_OK && task->is_read)
		status = find_place(live, context, process, err);
	if (status == PMON_OK && !task->is_read && !task->has_ended)
		pmon_lx_task_total_miss(total);
	if (status != PMON_OK || !task->is_read || (task->fields | total->asked) == 0)
		return status;
	fill(context, process, &row);
	pmon_lx_task_total_add(total, task, &row);
	if (task->fields == 0)
		return PMON_OK;
	return pmon_live_put_at(live, context->asked, task->row, &row, err);
}

// Disk waits are counted only if this is enabled in the kernel. Before Linux 5.14 there is no file that
// says so, and it may be unreadable: then a nonzero wait is the evidence.
static bool
has_disk_wait(const struct live *live, const struct lx_processes *processes)
{
	char buf[16];
	struct lx_reading reading;

	return pmon_lx_read(live->host, "proc/sys/kernel/task_delayacct", buf, sizeof(buf),
			    &reading)
		       ? buf[0] != '0'
		       : processes->has_disk_wait;
}

// Without swap, the status files of processes need not be read.
static bool
has_swap(struct live_host *host)
{
	struct lx_reading reading;
	struct pmon_scan line;
	uint64_t kib = 1;

	if (!pmon_lx_file(host, LX_MEMINFO, &reading))
		return true;
	while (pmon_lx_line(&reading.text, &line))
		if (pmon_lx_key(&line, "SwapTotal") && pmon_lx_u64(&line, &kib))
			break;
	return kib > 0;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct context context = {.asked = asked, .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE)};
	enum pmon_status status = pmon_lx_processes(live, &context.processes, err);
	struct lx_task_total *total;

	if (status != PMON_OK)
		return status;
	context.has_disk_wait =
		live_wants(asked, BIT(DISK_WAIT)) && has_disk_wait(live, context.processes);
	context.has_swap = live_wants(asked, BIT(PRIVATE)) && has_swap(live->host);
	total = &context.processes->total;
	total->fields = BELOW(SUMMED);
	status = pmon_lx_task_total_begin(live, asked, (struct pmon_span){NULL, 0}, total, err);
	if (!context.processes->is_whole)
		pmon_lx_task_total_miss(total);
	for (size_t i = 0; status == PMON_OK && i < context.processes->list.n; i++)
		status = put_process(live, &context, lx_process_at(context.processes, i), err);
	return status == PMON_OK ? pmon_lx_task_total_put(live, asked, total, err) : status;
}

const struct live_object pmon_lx_process = {
	.name = "Process",
	.help = "Processes, including kernel threads. Processes with the same name are numbered: "
		"name, name#1, name#2. A process keeps its number until it exits or changes its "
		"name; the number is reused one sample later at the earliest. _Total keeps the "
		"counts of processes that exited, so it never decreases. It has only counters that "
		"could be read for every process.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
