// system.c - the object System: /proc/stat, loadavg, uptime and what belongs to the whole machine
// SPDX-License-Identifier: MIT

#include "live/linux/linux.h"

enum {
	PROCESSES,
	THREADS,
	QUEUE,
	SWITCHES,
	INTERRUPTS,
	FORKS,
	STARTED,
	LOAD_1,
	FIELDS
};

static const struct live_counter counters[] = {
	{"Threads", PMON_PERF_COUNTER_RAWCOUNT, 0, THREADS, LIVE_NO_FIELD,
	 "/proc/loadavg: field 4, behind the slash", "=", "Threads on the machine now."},
	{"Processor Queue Length", PMON_PERF_COUNTER_RAWCOUNT, 1, QUEUE, LIVE_NO_FIELD,
	 "/proc/stat: procs_running less the processors that run them",
	 "Windows counts threads that wait for any processor, and none that runs.",
	 "Threads that are ready to run and wait for a processor."},
	{"Context Switches/sec", PMON_PERF_COUNTER_COUNTER, -2, SWITCHES, LIVE_NO_FIELD,
	 "/proc/stat: ctxt", "=",
	 "How often processors went from one thread to another, all processors together."},
	{"System Up Time", PMON_PERF_ELAPSED_TIME, -5, STARTED, LIVE_NO_FIELD, "CLOCK_BOOTTIME",
	 "=", "Time since the system was started, sleep included."},
};

// "0.20 0.18 0.12 1/80 11206": the threads stand behind the slash.
static void
read_loadavg(struct live_host *host, struct live_row *row)
{
	struct lx_reading reading;
	struct lx_text line;
	struct pmon_span word;
	uint64_t n;

	if (!pmon_lx_file(host, LX_LOADAVG, &reading) || !pmon_lx_line(&reading.text, &line) ||
	    !pmon_lx_skip(&line, 3) || !pmon_lx_word(&line, &word))
		return;
	line = (struct lx_text){word.ptr, word.ptr + word.len};
	while (line.at < line.end && *line.at++ != '/')
		;
	if (pmon_lx_u64(&line, &n))
		live_row_set(row, THREADS, n);
}

static void
read_stat(struct live_host *host, struct live_row *row)
{
	struct lx_reading reading;
	struct lx_text line;
	uint64_t n;

	if (!pmon_lx_file(host, LX_STAT, &reading))
		return;
	row->stamp = reading.stamp;
	while (pmon_lx_line(&reading.text, &line))
		if (pmon_lx_key(&line, "ctxt") && pmon_lx_u64(&line, &n))
			live_row_set(row, SWITCHES, n);
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	struct live_row row;

	live_row_begin(&row, &live->now);
	live_row_set(&row, STARTED, live_started(&row.stamp, 0));
	if (live_wants(asked, UINT64_C(1) << THREADS))
		read_loadavg(live->host, &row);
	read_stat(live->host, &row);
	return pmon_live_put(live, asked, NULL, &row, err);
}

const struct live_object pmon_lx_system = {
	.name = "System",
	.help = "The machine as a whole.",
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
