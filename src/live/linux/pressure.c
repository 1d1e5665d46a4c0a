// pressure.c - the object Pressure Stall: /proc/pressure
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "live/linux/linux.h"

enum {
	STALLED,
	AVG_10,
	AVG_60,
	AVG_300,
	HUNDRED, // percent in the hundredths in which averages are stored
};

#define AVERAGE PMON_PERF_RAW_FRACTION

static const struct live_counter counters[] = {
	{"% Stalled Time", PMON_PERF_PRECISION_100NS_TIMER, 0, STALLED, LIVE_NO_FIELD,
	 "/proc/pressure: total", "",
	 "Percentage of time that at least one thread (some), or all non-idle threads (full), "
	 "waited for the resource."},
	{"% Stalled Time 10 s", AVERAGE, 0, AVG_10, HUNDRED, "/proc/pressure: avg10", "",
	 "The kernel's exponential moving average over 10 seconds."},
	{"% Stalled Time 60 s", AVERAGE, 0, AVG_60, HUNDRED, "/proc/pressure: avg60", "",
	 "The kernel's exponential moving average over one minute."},
	{"% Stalled Time 300 s", AVERAGE, 0, AVG_300, HUNDRED, "/proc/pressure: avg300", "",
	 "The same over 5 minutes."},
};

// The value after "key=".
static bool
value_of(struct pmon_span word, const char *key, struct pmon_scan *out)
{
	size_t len = strlen(key);

	*out = (struct pmon_scan){word.ptr + (word.len < len ? word.len : len),
				  word.ptr + word.len};
	return word.len > len && memcmp(word.ptr, key, len) == 0;
}

// "avg10=0.12 avg60=0.05 avg300=0.01 total=12345", in microseconds.
static void
read_values(struct pmon_scan line, struct live_row *row)
{
	struct pmon_span word;
	struct pmon_scan value;
	uint64_t n;

	live_row_set(row, HUNDRED, 10000);
	while (pmon_lx_word(&line, &word)) {
		if (value_of(word, "avg10=", &value) && pmon_lx_fixed(&value, 2, &n))
			live_row_set(row, AVG_10, n);
		else if (value_of(word, "avg60=", &value) && pmon_lx_fixed(&value, 2, &n))
			live_row_set(row, AVG_60, n);
		else if (value_of(word, "avg300=", &value) && pmon_lx_fixed(&value, 2, &n))
			live_row_set(row, AVG_300, n);
		else if (value_of(word, "total=", &value) && pmon_lx_u64(&value, &n))
			live_row_set(row, STALLED, n * 10);
	}
}

static enum pmon_status
collect_file(struct live *live, const struct live_asked *asked, const char *resource,
	     struct lx_reading *reading, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct pmon_scan line;
	struct live_row row;
	char name[32];

	while (status == PMON_OK && pmon_lx_line(&reading->text, &line)) {
		const char *kind = pmon_lx_key(&line, "some")   ? "some"
				   : pmon_lx_key(&line, "full") ? "full"
								: NULL;

		if (kind == NULL)
			continue;
		(void)snprintf(name, sizeof(name), "%s %s", resource, kind);
		live_row_begin(&row, &reading->stamp);
		read_values(line, &row);
		status = pmon_live_put(live, asked, name, &row, err);
	}
	return status;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	static const struct {
		enum lx_file file;
		const char *resource;
	} resources[] = {
		{LX_PRESSURE_CPU, "cpu"},
		{LX_PRESSURE_IO, "io"},
		{LX_PRESSURE_MEMORY, "memory"},
		{LX_PRESSURE_IRQ, "irq"},
	};
	enum pmon_status status = PMON_OK;
	struct lx_reading reading;

	for (size_t i = 0; status == PMON_OK && i < sizeof(resources) / sizeof(resources[0]); i++)
		if (pmon_lx_file(live->host, resources[i].file, &reading))
			status = collect_file(live, asked, resources[i].resource, &reading, err);
	return status;
}

const struct live_object pmon_lx_pressure = {
	.name = "Pressure Stall",
	.help = "Pressure stall information (PSI) for CPU, I/O, memory and interrupts: \"io some\" "
		"means that at least one thread waited for I/O, \"io full\" that all non-idle "
		"threads did.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
