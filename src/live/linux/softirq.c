// softirq.c - the object Softirq: /proc/softirqs, by kind
// SPDX-License-Identifier: MIT

#include <string.h>

#include "live/linux/linux.h"

enum {
	COUNT
};

static const struct live_counter counters[] = {
	{"Softirqs/sec", PMON_PERF_COUNTER_COUNTER, -2, COUNT, LIVE_NO_FIELD,
	 "/proc/softirqs: the sum of the line, modulo 2^32 as the kernel counts", "",
	 "Softirqs of this kind, on all processors."},
};

// "NET_RX: 741 926": the name, and the sum over the processors.
static bool
read_line(struct pmon_scan *line, char *name, size_t size, uint32_t *sum)
{
	struct pmon_span word;
	uint64_t n;
	bool found = false;

	*sum = 0;
	if (!pmon_lx_word(line, &word) || word.len < 2 || word.ptr[word.len - 1] != ':' ||
	    word.len > size)
		return false;
	memcpy(name, word.ptr, word.len - 1);
	name[word.len - 1] = '\0';
	pmon_live_clean_name(name);
	while (pmon_lx_u64(line, &n)) {
		*sum += (uint32_t)n;
		found = true;
	}
	return found;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct lx_reading reading;
	struct pmon_scan line;
	struct live_row row;
	uint32_t total = 0;
	uint32_t sum;
	char name[64];

	if (!pmon_lx_file(live->host, LX_SOFTIRQS, &reading))
		return PMON_OK;
	live_row_begin(&row, &reading.stamp);
	while (status == PMON_OK && pmon_lx_line(&reading.text, &line)) {
		if (!read_line(&line, name, sizeof(name), &sum))
			continue;
		total += sum;
		live_row_set(&row, COUNT, sum);
		status = pmon_live_put(live, asked, name, &row, err);
	}
	if (status != PMON_OK || row.present == 0)
		return status;
	live_row_set(&row, COUNT, total);
	return pmon_live_put(live, asked, "_Total", &row, err);
}

const struct live_object pmon_lx_softirq = {
	.name = "Softirq",
	.help = "Softirqs by kind: HI, TIMER, NET_TX, NET_RX and others.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
