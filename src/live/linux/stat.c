// stat.c - the numbers in the file stat of a process or thread
// SPDX-License-Identifier: MIT

#include "live/linux/stat.h"

#include <string.h>

// The values of the field policy; see sched(7).
#define POLICY_FIFO     1
#define POLICY_RR       2
#define POLICY_DEADLINE 6

// The fields to parse: bits of enum lx_stat_field.
#define F(field) (UINT64_C(1) << (field))
#define WANTED                                                                                     \
	(F(LX_STAT_PPID) | F(LX_STAT_MINFLT) | F(LX_STAT_MAJFLT) | F(LX_STAT_UTIME) |              \
	 F(LX_STAT_STIME) | F(LX_STAT_PRIORITY) | F(LX_STAT_NICE) | F(LX_STAT_THREADS) |           \
	 F(LX_STAT_STARTTIME) | F(LX_STAT_VSIZE) | F(LX_STAT_RSS) | F(LX_STAT_RT_PRIORITY) |       \
	 F(LX_STAT_POLICY) | F(LX_STAT_BLKIO))

// The next word as a number. False if it is not a number or does not fit; either way it is skipped.
static bool
read_i64(struct pmon_scan *line, int64_t *out)
{
	uint64_t n;
	bool fits;
	bool below;

	while (pmon_scan_take(line, ' '))
		continue;
	below = pmon_scan_take(line, '-');
	fits = pmon_scan_u64(line, &n) && n <= INT64_MAX;
	for (; line->at < line->end && *line->at != ' '; line->at++)
		fits = false;
	if (fits)
		*out = below ? -(int64_t)n : (int64_t)n;
	return fits;
}

static void
skip(struct pmon_scan *line)
{
	while (line->at < line->end && *line->at == ' ')
		line->at++;
	while (line->at < line->end && *line->at != ' ')
		line->at++;
}

// comm is between the first '(' and the last ')', because it may contain both.
static bool
find_comm(struct pmon_scan *text, struct pmon_span *comm)
{
	const char *open = memchr(text->at, '(', (size_t)(text->end - text->at));
	const char *close = NULL;

	if (open == NULL)
		return false;
	for (const char *at = open; at != NULL && at < text->end;) {
		at = memchr(at + 1, ')', (size_t)(text->end - at) - 1);
		close = at != NULL ? at : close;
	}
	if (close == NULL)
		return false;
	*comm = (struct pmon_span){open + 1, (size_t)(close - open) - 1};
	text->at = close + 1;
	return true;
}

bool
pmon_lx_task_stat(struct pmon_scan text, struct lx_task_stat *out)
{
	struct pmon_scan line;
	struct pmon_span state;

	out->present = 0;
	if (!find_comm(&text, &out->comm) || !pmon_lx_line(&text, &line) ||
	    !pmon_lx_word(&line, &state))
		return false;
	out->state = state.ptr[0];
	for (unsigned f = LX_STAT_PPID; f < LX_STAT_FIELDS; f++) {
		if ((WANTED >> f & 1) == 0)
			skip(&line);
		else if (read_i64(&line, &out->field[f]))
			out->present |= UINT64_C(1) << f;
	}
	return (out->present >> LX_STAT_STARTTIME & 1) != 0;
}

bool
pmon_lx_stat_scaled(const struct lx_task_stat *stat, enum lx_stat_field field, int64_t unit,
		    uint64_t *out)
{
	int64_t n = stat->field[field];

	if ((stat->present >> field & 1) == 0 || n < 0 || n > INT64_MAX / unit)
		return false;
	*out = (uint64_t)(n * unit);
	return true;
}

bool
pmon_lx_stat_started(const struct lx_task_stat *stat, const struct live_stamp *stamp, uint64_t *out)
{
	uint64_t after_boot;

	if (!pmon_lx_stat_scaled(stat, LX_STAT_STARTTIME, LX_TICK_100NS, &after_boot) ||
	    after_boot > INT64_MAX / 2)
		return false;
	*out = live_started(stamp, (int64_t)after_boot);
	return true;
}

bool
pmon_lx_stat_priority(const struct lx_task_stat *stat, uint64_t *out)
{
	uint64_t policy;
	uint64_t priority;
	int64_t nice = stat->field[LX_STAT_NICE];

	if (!pmon_lx_stat_scaled(stat, LX_STAT_POLICY, 1, &policy) ||
	    !pmon_lx_stat_scaled(stat, LX_STAT_RT_PRIORITY, 1, &priority))
		policy = 0;
	if (policy == POLICY_FIFO || policy == POLICY_RR)
		*out = 40 + priority;
	else if (policy == POLICY_DEADLINE)
		*out = 140;
	else if ((stat->present >> LX_STAT_NICE & 1) == 0 || nice < -20 || nice > 19)
		return false;
	else
		*out = (uint64_t)(19 - nice);
	return true;
}
