// system.c - the object System: /proc/stat, loadavg and other facts about the whole machine
// SPDX-License-Identifier: MIT
//
// The kernel does not count system calls, nor what all processes read and write through them. So
// System Calls/sec, File Read Bytes/sec and the like have no source and are not in the table. The
// transfers of block devices are in Memory, and are something else: most reads are served from
// memory.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "live/linux/linux.h"
#include "base/scan.h"

enum {
	PROCESSES,
	THREADS,
	QUEUE,
	RUNNING,
	BLOCKED,
	SWITCHES,
	INTERRUPTS,
	SOFTIRQS,
	FORKS,
	STARTED,
	LOAD_1,
	LOAD_5,
	LOAD_15,
	OPEN_FILES,
	FILE_LIMIT
};

#define BIT(field) (UINT64_C(1) << (field))
#define LOADAVG    (BIT(THREADS) | BIT(LOAD_1) | BIT(LOAD_5) | BIT(LOAD_15))
#define FILE_NR    (BIT(OPEN_FILES) | BIT(FILE_LIMIT))
#define STAT                                                                                       \
	(BIT(QUEUE) | BIT(RUNNING) | BIT(BLOCKED) | BIT(SWITCHES) | BIT(INTERRUPTS) |              \
	 BIT(SOFTIRQS) | BIT(FORKS))
#define WINDOWS_32 "The same, but 32 bits wide on Windows."

static const struct live_counter counters[] = {
	{"Processes", PMON_PERF_COUNTER_RAWCOUNT, 1, PROCESSES, LIVE_NO_FIELD,
	 "/proc: the number of folders that are numbers", "=",
	 "Number of processes; in a container, those in its PID namespace. Absent if /proc hides "
	 "other users' processes from pmon (hidepid)."},
	{"Threads", PMON_PERF_COUNTER_RAWCOUNT, 1, THREADS, LIVE_NO_FIELD,
	 "/proc/loadavg: field 4, after the slash", "=",
	 "Number of threads, including kernel threads."},
	{"Processor Queue Length", PMON_PERF_COUNTER_RAWCOUNT, 1, QUEUE, LIVE_NO_FIELD,
	 "/proc/stat: procs_running less the number of cpuN lines, at least 0",
	 "Windows counts its queues. This assumes that every processor runs a thread when enough "
	 "are runnable, so it is a lower bound.",
	 "Runnable threads waiting for a processor."},
	{"Context Switches/sec", PMON_PERF_COUNTER_BULK_COUNT, -2, SWITCHES, LIVE_NO_FIELD,
	 "/proc/stat: ctxt", WINDOWS_32, "Context switches on all processors."},
	{"System Up Time", PMON_PERF_ELAPSED_TIME, -5, STARTED, LIVE_NO_FIELD, "CLOCK_BOOTTIME",
	 "=", "Time since boot, including time that the machine was suspended."},
	{"Threads Running", PMON_PERF_COUNTER_RAWCOUNT, 0, RUNNING, LIVE_NO_FIELD,
	 "/proc/stat: procs_running", "",
	 "Runnable threads, including the one that takes the sample."},
	{"Threads Blocked", PMON_PERF_COUNTER_RAWCOUNT, 0, BLOCKED, LIVE_NO_FIELD,
	 "/proc/stat: procs_blocked", "", "Threads blocked on I/O."},
	{"Forks/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, FORKS, LIVE_NO_FIELD,
	 "/proc/stat: processes", "", "Processes and threads created."},
	{"Interrupts/sec", PMON_PERF_COUNTER_COUNTER, -2, INTERRUPTS, LIVE_NO_FIELD,
	 "/proc/stat: intr, field 1, modulo 2^32: the kernel counts many of them in 32 bits",
	 "Only Processor(_Total)\\Interrupts/sec on Windows. Here that is the sum of "
	 "/proc/interrupts, which includes some interrupts that this total leaves out.",
	 "Interrupts on all processors, including timer interrupts."},
	{"Softirqs/sec", PMON_PERF_COUNTER_COUNTER, -2, SOFTIRQS, LIVE_NO_FIELD,
	 "/proc/stat: softirq, field 1, modulo 2^32: the kernel counts each kind in 32 bits", "",
	 "Softirqs on all processors."},
	{"Load Average 1 Minute", PMON_PERF_DOUBLE_RAW, 0, LOAD_1, LIVE_NO_FIELD,
	 "/proc/loadavg: field 1", "",
	 "Exponential moving average of threads that are runnable or in uninterruptible sleep."},
	{"Load Average 5 Minutes", PMON_PERF_DOUBLE_RAW, 0, LOAD_5, LIVE_NO_FIELD,
	 "/proc/loadavg: field 2", "", "The same over 5 minutes."},
	{"Load Average 15 Minutes", PMON_PERF_DOUBLE_RAW, 0, LOAD_15, LIVE_NO_FIELD,
	 "/proc/loadavg: field 3", "", "The same over 15 minutes."},
	{"Open Files", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -3, OPEN_FILES, LIVE_NO_FIELD,
	 "/proc/sys/fs/file-nr: field 1", "",
	 "Open file handles on the whole machine: files, pipes, sockets and others."},
	{"Open Files Limit", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, FILE_LIMIT, LIVE_NO_FIELD,
	 "/proc/sys/fs/file-nr: field 3", "", "Limit of open file handles (fs.file-max)."},
};

static void
set_load(struct live_row *row, unsigned field, uint64_t hundredths)
{
	double load = (double)hundredths / 100;
	uint64_t bits;

	memcpy(&bits, &load, sizeof(bits));
	live_row_set(row, field, bits);
}

// "0.20 0.18 0.12 1/80 11206": the number of threads follows the slash.
static void
read_loadavg(struct live_host *host, struct live_row *row)
{
	struct lx_reading reading;
	struct pmon_scan line;
	struct pmon_span word;
	uint64_t n;

	if (!pmon_lx_file(host, LX_LOADAVG, &reading) || !pmon_lx_line(&reading.text, &line))
		return;
	for (unsigned field = LOAD_1; field <= LOAD_15; field++)
		if (pmon_lx_fixed(&line, 2, &n))
			set_load(row, field, n);
	if (!pmon_lx_word(&line, &word))
		return;
	line = (struct pmon_scan){word.ptr, word.ptr + word.len};
	while (line.at < line.end && *line.at++ != '/')
		;
	if (pmon_lx_u64(&line, &n))
		live_row_set(row, THREADS, n);
}

static void
read_stat(struct live_host *host, struct live_row *row)
{
	static const struct lx_key keys[] = {
		LX_KEY("intr", INTERRUPTS, 1),       LX_KEY("ctxt", SWITCHES, 1),
		LX_KEY("processes", FORKS, 1),       LX_KEY("procs_running", RUNNING, 1),
		LX_KEY("procs_blocked", BLOCKED, 1), LX_KEY("softirq", SOFTIRQS, 1),
	};
	struct lx_reading reading;
	struct pmon_scan line;
	int64_t processors = 0;
	int64_t waiting;
	uint64_t number;

	if (!pmon_lx_file(host, LX_STAT, &reading))
		return;
	row->stamp = reading.stamp;
	while (pmon_lx_line(&reading.text, &line))
		if (pmon_lx_numbered(&line, "cpu", &number))
			processors++;
		else
			pmon_lx_field(line, keys, sizeof(keys) / sizeof(keys[0]), row);
	row->field[INTERRUPTS] &= UINT32_MAX;
	row->field[SOFTIRQS] &= UINT32_MAX;
	waiting = row->field[RUNNING] - processors;
	if ((row->present & BIT(RUNNING)) != 0 && processors > 0)
		live_row_set(row, QUEUE, waiting > 0 ? (uint64_t)waiting : 0);
}

// "1504	0	9223372036854775807": in use, free (always 0), the limit.
static void
read_file_nr(struct live_host *host, struct live_row *row)
{
	struct lx_reading reading;
	struct pmon_scan line;
	uint64_t n;

	if (!pmon_lx_file(host, LX_FILE_NR, &reading) || !pmon_lx_line(&reading.text, &line))
		return;
	if (pmon_lx_u64(&line, &n))
		live_row_set(row, OPEN_FILES, n);
	if (pmon_lx_skip(&line, 1) && pmon_lx_u64(&line, &n))
		live_row_set(row, FILE_LIMIT, n);
}

static void
count_processes(const struct live_host *host, struct live_row *row)
{
	int fd = openat(pmon_lx_root(host), "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	uint64_t n = 0;
	bool is_whole;

	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (errno = 0, (entry = readdir(dir)) != NULL)
		n += pmon_is_digit(entry->d_name[0]);
	is_whole = errno == 0;
	closedir(dir);
	if (n > 0 && is_whole)
		live_row_set(row, PROCESSES, n);
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct live_row row = {.present = 0};
	bool sees = false;

	live_row_begin(&row, &live->now);
	live_row_set(&row, STARTED, live_started(&row.stamp, 0));
	if (live_wants(asked, LOADAVG))
		read_loadavg(live->host, &row);
	if (live_wants(asked, STAT))
		read_stat(live->host, &row);
	if (live_wants(asked, FILE_NR))
		read_file_nr(live->host, &row);
	if (live_wants(asked, BIT(PROCESSES)))
		status = pmon_lx_sees_processes(live, &sees, err);
	if (sees)
		count_processes(live->host, &row);
	return status == PMON_OK ? pmon_live_put(live, asked, NULL, &row, err) : status;
}

const struct live_object pmon_lx_system = {
	.name = "System",
	.help = "The machine as a whole.",
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
