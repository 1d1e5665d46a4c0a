// system.c - the object System: /proc/stat, loadavg and what belongs to the whole machine
// SPDX-License-Identifier: MIT
//
// The kernel does not count system calls, nor what all processes read and write through them: System
// Calls/sec, File Read Bytes/sec and their like have no source and are not in the table. What block
// devices carry is in Memory, and is not the same: most reads are answered from memory.

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
#define WINDOWS_32 "The same; on Windows a counter of 32 bits."

static const struct live_counter counters[] = {
	{"Processes", PMON_PERF_COUNTER_RAWCOUNT, 1, PROCESSES, LIVE_NO_FIELD,
	 "/proc: the number of folders that are numbers", "=",
	 "Processes on the machine now; in a container, those that can be seen from there. Absent "
	 "where /proc hides those of other users from pmon (hidepid)."},
	{"Threads", PMON_PERF_COUNTER_RAWCOUNT, 1, THREADS, LIVE_NO_FIELD,
	 "/proc/loadavg: field 4, after the slash", "=",
	 "Threads on the machine now, those of the kernel too."},
	{"Processor Queue Length", PMON_PERF_COUNTER_RAWCOUNT, 1, QUEUE, LIVE_NO_FIELD,
	 "/proc/stat: procs_running less the number of cpuN lines, at least 0",
	 "Windows counts the queues; here every processor is taken to run a thread when as many "
	 "are ready, so the number is a lower bound.",
	 "Threads that are ready to run and wait for a processor."},
	{"Context Switches/sec", PMON_PERF_COUNTER_BULK_COUNT, -2, SWITCHES, LIVE_NO_FIELD,
	 "/proc/stat: ctxt", WINDOWS_32,
	 "How often processors went from one thread to another, all processors together."},
	{"System Up Time", PMON_PERF_ELAPSED_TIME, -5, STARTED, LIVE_NO_FIELD, "CLOCK_BOOTTIME",
	 "=", "Time since the system was started, sleep included."},
	{"Threads Running", PMON_PERF_COUNTER_RAWCOUNT, 0, RUNNING, LIVE_NO_FIELD,
	 "/proc/stat: procs_running", "",
	 "Threads that run or are ready to, the one that takes the sample among them."},
	{"Threads Blocked", PMON_PERF_COUNTER_RAWCOUNT, 0, BLOCKED, LIVE_NO_FIELD,
	 "/proc/stat: procs_blocked", "", "Threads that wait for input or output to complete."},
	{"Forks/sec", PMON_PERF_COUNTER_BULK_COUNT, 0, FORKS, LIVE_NO_FIELD,
	 "/proc/stat: processes", "", "Processes and threads that were created."},
	{"Interrupts/sec", PMON_PERF_COUNTER_COUNTER, -2, INTERRUPTS, LIVE_NO_FIELD,
	 "/proc/stat: intr, field 1, modulo 2^32: the kernel counts many of them in 32 bits",
	 "On Windows as Processor(_Total)\\Interrupts/sec only, which here is the sum of "
	 "/proc/interrupts and counts some that this total leaves out.",
	 "Interrupts that all processors together took, those of their clocks too."},
	{"Softirqs/sec", PMON_PERF_COUNTER_COUNTER, -2, SOFTIRQS, LIVE_NO_FIELD,
	 "/proc/stat: softirq, field 1, modulo 2^32: the kernel counts each kind in 32 bits", "",
	 "Work put off by interrupts that all processors together did."},
	{"Load Average 1 Minute", PMON_PERF_DOUBLE_RAW, 0, LOAD_1, LIVE_NO_FIELD,
	 "/proc/loadavg: field 1", "",
	 "Threads that run, are ready to or wait for a disk, as an average that fades out."},
	{"Load Average 5 Minutes", PMON_PERF_DOUBLE_RAW, 0, LOAD_5, LIVE_NO_FIELD,
	 "/proc/loadavg: field 2", "", "The same over 5 minutes."},
	{"Load Average 15 Minutes", PMON_PERF_DOUBLE_RAW, 0, LOAD_15, LIVE_NO_FIELD,
	 "/proc/loadavg: field 3", "", "The same over 15 minutes."},
	{"Open Files", PMON_PERF_COUNTER_LARGE_RAWCOUNT, -3, OPEN_FILES, LIVE_NO_FIELD,
	 "/proc/sys/fs/file-nr: field 1", "",
	 "Files, pipes and sockets that are open on the whole machine."},
	{"Open Files Limit", PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, FILE_LIMIT, LIVE_NO_FIELD,
	 "/proc/sys/fs/file-nr: field 3", "", "How many the kernel would allow."},
};

static void
set_load(struct live_row *row, unsigned field, uint64_t hundredths)
{
	double load = (double)hundredths / 100;
	uint64_t bits;

	memcpy(&bits, &load, sizeof(bits));
	live_row_set(row, field, bits);
}

// "0.20 0.18 0.12 1/80 11206": the threads stand after the slash.
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

static bool
is_cpu(const struct pmon_scan *line)
{
	return line->end - line->at > 3 && memcmp(line->at, "cpu", 3) == 0 &&
	       pmon_is_digit(line->at[3]);
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

	if (!pmon_lx_file(host, LX_STAT, &reading))
		return;
	row->stamp = reading.stamp;
	while (pmon_lx_line(&reading.text, &line))
		if (is_cpu(&line))
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
