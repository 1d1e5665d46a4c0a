// pmon-counters.h - counters of a program of your own, as JSON lines that pmon reads
// SPDX-License-Identifier: MIT
//
// Copy this file into your program; it needs C99 or C++11 and POSIX clocks, and nothing of pmon.
//
//	pmon_counters_begin("web01");                                           // a sample
//	pmon_counters_level(stdout, "Order Queue(eu)\\Length", length);         // a number that goes up and down
//	pmon_counters_count(stdout, "Order Queue(eu)\\Orders/sec", orders);     // a total that only grows
//	pmon_counters_times(stdout, "Order Queue(eu)\\Avg. sec/Order", seconds, orders);
//	pmon_counters_busy(stdout, "Order Queue(eu)\\% Busy Time", busy_seconds);
//	pmon_counters_end(stdout);                                              // it is flushed
//
// Totals are raw values since any beginning: pmon makes rates and averages of them, true ones over any range. A path is
// OBJECT(INSTANCE)\COUNTER, or OBJECT\COUNTER; names are UTF-8. Not for several threads at once.
// docs/own-counters.md says more; docs/reference/formats/jsonl.md is the format.

#ifndef PMON_COUNTERS_H
#define PMON_COUNTERS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define PMON_COUNTERS_TICKS 10000000 // a second, of all that is written

// The sample in progress: its time, and the machine.
static struct {
	char time[40];
	int64_t clock; // monotonic, in ticks
	const char *machine;
} pmon_counters_now;

static inline int64_t
pmon_counters_ticks(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * PMON_COUNTERS_TICKS + t.tv_nsec / 100;
}

// Begin a sample. `machine` must stay valid until its end.
static inline void
pmon_counters_begin(const char *machine)
{
	int64_t now = pmon_counters_ticks(CLOCK_REALTIME);
	time_t seconds = (time_t)(now / PMON_COUNTERS_TICKS);
	struct tm utc;
	size_t n;

	gmtime_r(&seconds, &utc);
	n = strftime(pmon_counters_now.time, sizeof(pmon_counters_now.time), "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(pmon_counters_now.time + n, sizeof(pmon_counters_now.time) - n, ".%07dZ",
		 (int)(now % PMON_COUNTERS_TICKS));
	pmon_counters_now.clock = pmon_counters_ticks(CLOCK_MONOTONIC);
	pmon_counters_now.machine = machine;
}

static inline void
pmon_counters_text(FILE *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
}

// A raw value of any type: docs/reference/counters.md says what `first` and `second` are.
static inline void
pmon_counters_raw(FILE *out, const char *path, const char *type, int64_t first, int64_t second)
{
	fputs("{\"path\":\"\\\\\\\\", out);
	pmon_counters_text(out, pmon_counters_now.machine);
	fputs("\\\\", out);
	pmon_counters_text(out, path);
	fprintf(out,
		"\",\"type\":\"%s\",\"time\":\"%s\",\"status\":\"valid_data\",\"first\":%" PRId64
		",\"second\":%" PRId64 ",\"time_base\":%d}\n",
		type, pmon_counters_now.time, first, second, PMON_COUNTERS_TICKS);
}

// A number that goes up and down, such as the length of a queue.
static inline void
pmon_counters_level(FILE *out, const char *path, int64_t value)
{
	pmon_counters_raw(out, path, "PERF_COUNTER_LARGE_RAWCOUNT", value, 0);
}

// A total that only grows, shown as a rate.
static inline void
pmon_counters_count(FILE *out, const char *path, int64_t total)
{
	pmon_counters_raw(out, path, "PERF_COUNTER_BULK_COUNT", total, pmon_counters_now.clock);
}

// The seconds that all operations took together, and their number: shown as the time of one.
static inline void
pmon_counters_times(FILE *out, const char *path, double seconds, int64_t operations)
{
	pmon_counters_raw(out, path, "PERF_AVERAGE_TIMER", (int64_t)(seconds * PMON_COUNTERS_TICKS), operations);
}

// The seconds that something was busy, shown as a share of the time.
static inline void
pmon_counters_busy(FILE *out, const char *path, double seconds)
{
	pmon_counters_raw(out, path, "PERF_100NSEC_TIMER", (int64_t)(seconds * PMON_COUNTERS_TICKS),
			  pmon_counters_now.clock);
}

static inline void
pmon_counters_end(FILE *out)
{
	fflush(out);
}

#endif
