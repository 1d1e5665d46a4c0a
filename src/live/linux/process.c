// process.c - the object Process: /proc/PID/stat, statm, io and fd
// SPDX-License-Identifier: MIT

#include "live/linux/process.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

// Those that only grow come first, for the total. What is not in stat is from READS to PRIVATE.
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

#define NONE LIVE_NO_FIELD
#define NOT_PERMITTED                                                                              \
	" Absent for processes of other users unless pmon may look at them, and then for _Total."

static const struct live_counter counters[] = {
	{"% Processor Time", PMON_PERF_100NSEC_TIMER, 0, TIME, NONE,
	 "/proc/PID/stat: utime + stime, in ticks of 10 ms", "=",
	 "Time on processors. A process with several threads may have more than 100 %."},
	{"% User Time", PMON_PERF_100NSEC_TIMER, 0, USER_TIME, NONE,
	 "/proc/PID/stat: utime, in ticks of 10 ms", "=",
	 "Time on processors in the program itself."},
	{"% Privileged Time", PMON_PERF_100NSEC_TIMER, 0, KERNEL_TIME, NONE,
	 "/proc/PID/stat: stime, in ticks of 10 ms", "=",
	 "Time on processors in the kernel, on behalf of the process."},
	{"% Disk Wait Time", PMON_PERF_100NSEC_TIMER, 0, DISK_WAIT, NONE,
	 "/proc/PID/stat: delayacct_blkio_ticks, in ticks of 10 ms", "",
	 "Time that threads waited for block devices, added up. Absent unless the kernel keeps "
	 "account of it: sysctl kernel.task_delayacct=1. Before Linux 5.14, which has no such "
	 "setting, absent until a wait was seen."},
	{"ID Process", PMON_PERF_COUNTER_RAWCOUNT, -1, ID, NONE, "/proc/PID", "=",
	 "The id of the process. Ids are used again."},
	{"Creating Process ID", PMON_PERF_COUNTER_RAWCOUNT, -1, PARENT, NONE,
	 "/proc/PID/stat: ppid",
	 "Windows keeps the id of the process that created it; here it is that of the parent now, "
	 "which is another when the first has ended.",
	 "The id of the parent of the process."},
	{"Elapsed Time", PMON_PERF_ELAPSED_TIME, -4, STARTED, NONE, "/proc/PID/stat: starttime",
	 "=", "Time since the process was started, sleep of the machine included."},
	{"Thread Count", PMON_PERF_COUNTER_RAWCOUNT, 0, THREADS, NONE,
	 "/proc/PID/stat: num_threads", "=", "Threads of the process."},
	{"Handle Count", PMON_PERF_COUNTER_RAWCOUNT, 0, HANDLES, NONE,
	 "/proc/PID/fd: its size, before Linux 6.2 its entries",
	 "Windows counts handles of every kind; here they are open files, sockets, pipes and such.",
	 "Open file descriptors of the process. Before Linux 6.2 absent for other users'."},
	{"Priority Base", PMON_PERF_COUNTER_RAWCOUNT, 0, PRIORITY, NONE,
	 "/proc/PID/stat: 19 - nice; 40 + rt_priority under a real-time policy",
	 "Windows' are 0 to 31, and 8 is usual.",
	 "Priority: the higher goes first. 0 to 39 are those of nice 19 to -20, 19 is usual; "
	 "41 to 139 are of real-time policies, 140 is that of deadlines. As the PRI of ps."},
	{"Working Set", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -5, WORKING_SET, NONE,
	 "/proc/PID/stat: rss, in pages", "=",
	 "Memory of the process that is in RAM, what it shares with others included."},
	{"Working Set - Private", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -5, PRIVATE_SET, NONE,
	 "/proc/PID/statm: resident - shared, in pages", "=",
	 "Memory of the process that is in RAM, without files and what is shared."},
	{"Virtual Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -6, VIRTUAL, NONE,
	 "/proc/PID/stat: vsize", "=", "Size of the address space that is in use."},
	{"Private Bytes", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -5, PRIVATE, NONE,
	 "/proc/PID/statm: data, in pages",
	 "Windows counts what is committed: Linux commits private memory that may be written, "
	 "touched or not, which is this.",
	 "Private memory that may be written, the stack included, touched or not."},
	{"Page Faults/sec", PMON_PERF_COUNTER_BULK_COUNT, -1, FAULTS, NONE,
	 "/proc/PID/stat: minflt + majflt", LX_WINDOWS_32,
	 "Accesses to memory that the kernel had to see to."},
	{"Major Faults/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, MAJOR_FAULTS, NONE,
	 "/proc/PID/stat: majflt", "", "Accesses to memory that had to be read from a disk."},
	{"IO Read Operations/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, READS, NONE,
	 "/proc/PID/io: syscr", "=", "Calls that read: files, sockets, devices." NOT_PERMITTED},
	{"IO Write Operations/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, WRITES, NONE,
	 "/proc/PID/io: syscw", "=", "Calls that write: files, sockets, devices." NOT_PERMITTED},
	{"IO Data Operations/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, OPERATIONS, NONE,
	 "/proc/PID/io: syscr + syscw", "=", "Calls that read or write." NOT_PERMITTED},
	{"IO Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, READ_BYTES, NONE,
	 "/proc/PID/io: rchar", "=",
	 "Bytes that were read by calls, from caches and sockets too." NOT_PERMITTED},
	{"IO Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, WRITTEN_BYTES, NONE,
	 "/proc/PID/io: wchar", "=",
	 "Bytes that were written by calls, into caches and sockets too." NOT_PERMITTED},
	{"IO Data Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, BYTES, NONE,
	 "/proc/PID/io: rchar + wchar", "=",
	 "Bytes that were read or written by calls." NOT_PERMITTED},
	{"Disk Read Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, DISK_READ, NONE,
	 "/proc/PID/io: read_bytes", "",
	 "Bytes that were read from block devices for the process." NOT_PERMITTED},
	{"Disk Write Bytes/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, DISK_WRITTEN, NONE,
	 "/proc/PID/io: write_bytes", "",
	 "Bytes that the process had written to block devices, or will have." NOT_PERMITTED},
};

static_assert(PRIVATE - READS + 1 == LX_SEEN, "a process keeps all that is from its files");

// What is the same for all processes of a sample.
struct context {
	struct lx_processes *processes;
	const struct live_asked *asked;
	uint64_t page_bytes;
	bool has_disk_wait;
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

// "size resident shared text lib data dirty", in pages.
static void
set_from_statm(const struct context *context, struct lx_task *task, struct live_row *row)
{
	char buf[256];
	struct pmon_scan line;
	uint64_t resident;
	uint64_t shared;
	uint64_t data;

	if (!pmon_lx_task_read(&context->processes->world, task, LX_TASK_STATM, buf, sizeof(buf),
			       &line) ||
	    !pmon_lx_skip(&line, 1) || !pmon_lx_u64(&line, &resident) ||
	    !pmon_lx_u64(&line, &shared))
		return;
	// The two are counted apart, and need not go together to the page.
	live_row_set(row, PRIVATE_SET,
		     (resident > shared ? resident - shared : 0) * context->page_bytes);
	if (pmon_lx_skip(&line, 2) && pmon_lx_u64(&line, &data))
		live_row_set(row, PRIVATE, data * context->page_bytes);
}

// The lines come in this order; additional lines of the kernel are skipped.
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

// Only the files are read that what is asked for needs.
static void
set_from_files(const struct context *context, struct lx_task *task, uint64_t fields,
	       struct live_row *row)
{
	uint64_t n;

	if ((fields & OF_STATM) != 0)
		set_from_statm(context, task, row);
	if ((fields & OF_IO) != 0)
		set_from_io(context, task, row);
	if ((fields & BIT(HANDLES)) != 0 &&
	    pmon_lx_task_open_files(&context->processes->world, task, &n))
		live_row_set(row, HANDLES, n);
}

// Has the process done anything since it was looked at? A process of one thread that has not, as most
// have not, did not read or write, nor open or map anything; and what is done to its memory from
// outside shows in stat. schedstat has how long it ran, to the nanosecond, and how often; if the
// kernel does not count that, both are 0. Reading it costs a quarter of the files that it saves.
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

// The place of an instance, which is kept for as long as it has its name.
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

// Waiting for disks is counted only if that is enabled in the kernel. Kernels before Linux 5.14
// have no file that says so, and it may be unreadable: then a wait that was counted is the proof.
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
	.help = "The processes of the machine, threads of the kernel too. If several have the "
		"same name, the others are name#1, name#2 and so on. A process keeps its number "
		"until "
		"it ends or takes another name; another may have it when a sample has passed. "
		"_Total keeps what ended processes had, so that what only grows never shrinks; "
		"what could not be read of every process is absent from it.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
