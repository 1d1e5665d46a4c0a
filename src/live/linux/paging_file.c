// paging_file.c - the object Paging File: /proc/swaps
// SPDX-License-Identifier: MIT

#include <string.h>

#include "live/linux/linux.h"

enum {
	USED,
	SIZE,
	FREE
};

#define BYTES PMON_PERF_COUNTER_LARGE_RAWCOUNT

static const struct live_counter counters[] = {
	{"% Usage", PMON_PERF_LARGE_RAW_FRACTION, 0, USED, SIZE, "/proc/swaps: Used of Size",
	 "The same; on Windows a 32-bit fraction, in pages.",
	 "Percentage of the swap area in use."},
	{"Size Bytes", BYTES, 0, SIZE, LIVE_NO_FIELD, "/proc/swaps: Size", "",
	 "Size of the swap area."},
	{"Used Bytes", BYTES, 0, USED, LIVE_NO_FIELD, "/proc/swaps: Used", "",
	 "Swap space in use."},
	{"Free Bytes", BYTES, 0, FREE, LIVE_NO_FIELD, "/proc/swaps: Size - Used", "",
	 "Free swap space."},
};

// "/dev/sda2 partition 1048572 524 -2". Returns false if the line describes no swap area.
static bool
read_area(struct pmon_scan *line, struct live_row *row, char *name, size_t size)
{
	struct pmon_span word;
	uint64_t size_kib;
	uint64_t used_kib;

	if (!pmon_lx_word(line, &word) || !pmon_lx_skip(line, 1) || !pmon_lx_u64(line, &size_kib) ||
	    !pmon_lx_u64(line, &used_kib) || size_kib > INT64_MAX / 1024 || used_kib > size_kib)
		return false;
	pmon_lx_octal(word, name, size);
	pmon_live_clean_path(name);
	live_row_set(row, SIZE, size_kib * 1024);
	live_row_set(row, USED, used_kib * 1024);
	live_row_set(row, FREE, (size_kib - used_kib) * 1024);
	return true;
}

static enum pmon_status
collect(struct live *live, const struct live_asked *asked, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct lx_reading reading;
	struct pmon_scan line;
	struct live_row total;
	struct live_row row;
	bool is_whole = true;
	char name[1024];

	if (!pmon_lx_file(live->host, LX_SWAPS, &reading))
		return PMON_OK;
	live_row_begin(&total, &reading.stamp);
	(void)pmon_lx_line(&reading.text, &line); // "Filename Type Size Used Priority"
	while (status == PMON_OK && pmon_lx_line(&reading.text, &line)) {
		live_row_begin(&row, &reading.stamp);
		if (!read_area(&line, &row, name, sizeof(name))) {
			is_whole = false;
			continue;
		}
		for (unsigned field = USED; field <= FREE; field++)
			live_row_add(&total, field, (uint64_t)row.field[field]);
		status = pmon_live_put(live, asked, name, &row, err);
	}
	if (status != PMON_OK || total.present == 0 || !is_whole)
		return status;
	return pmon_live_put(live, asked, "_Total", &total, err);
}

const struct live_object pmon_lx_paging_file = {
	.name = "Paging File",
	.help = "Swap areas, named by file or device; _Total if there is at least one.",
	.instances = true,
	.counters = counters,
	.n_counters = sizeof(counters) / sizeof(counters[0]),
	.collect = collect,
};
