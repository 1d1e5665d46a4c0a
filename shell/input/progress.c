// progress.c - show the progress of long reads on a terminal
// SPDX-License-Identifier: MIT

#include "shell/input/progress.h"

#include <stdio.h>

#include "os/clock.h"
#include "os/term.h"
#include "shell/output/line.h"

#define PATIENCE_100NS (1 * PMON_TIME_PER_SEC)    // shorter work shows nothing
#define REPEAT_100NS   (200 * PMON_TIME_PER_MSEC) // update interval
#define MB             1e6
#define LINE           128 // size of the line

// Static, because a program has one terminal.
static struct {
	bool asked; // whether the terminal was checked
	bool off;
	int64_t begun; // start of this pass
	int64_t next;  // when to show it again
	uint64_t from; // bytes read at the start of the pass
	uint64_t last; // bytes read at the last call
} progress;

static bool
is_wanted(uint64_t bytes_read)
{
	if (!progress.asked) {
		progress.asked = true;
		progress.off = progress.off || !pmon_term_is_tty(false);
		progress.begun = pmon_os_monotonic_100ns();
		progress.next = progress.begun + PATIENCE_100NS;
		progress.from = bytes_read;
	}
	return !progress.off;
}

void
progress_never(void)
{
	line_erase();
	progress.off = true;
}

// Print "45 %, 210 MB/s, 3 s left", or as much as is known.
static void
show(const struct pmon_source_info *info, int64_t now)
{
	double read = (double)info->bytes_read;
	double size = (double)info->size_bytes;
	double rate = (double)(info->bytes_read - progress.from) /
		      ((double)(now - progress.begun) / PMON_TIME_PER_SEC);
	char line[LINE];

	if (rate > 0 && size >= read)
		(void)snprintf(line, sizeof(line), "reading: %.0f %%, %.0f MB/s, %.0f s left",
			       100 * read / size, rate / MB, (size - read) / rate);
	else if (read > 0)
		(void)snprintf(line, sizeof(line), "reading: %.0f MB, %.0f MB/s", read / MB,
			       rate / MB);
	else
		(void)snprintf(line, sizeof(line), "reading: %lld s",
			       (long long)((now - progress.begun + PMON_TIME_PER_SEC / 2) /
					   PMON_TIME_PER_SEC));
	line_show(line);
}

void
progress_tell(void *ctx, const struct pmon_source_info *info)
{
	int64_t now;

	(void)ctx;
	if (!is_wanted(info->bytes_read))
		return;
	now = pmon_os_monotonic_100ns();
	if (info->bytes_read < progress.last) { // a new pass has begun
		progress.begun = now;
		progress.from = info->bytes_read;
	}
	progress.last = info->bytes_read;
	if (now < progress.next || now == progress.begun)
		return;
	progress.next = now + REPEAT_100NS;
	show(info, now);
}

void
progress_sampling(int64_t done_100ns, int64_t planned_100ns)
{
	int64_t longest = planned_100ns > done_100ns ? planned_100ns : done_100ns;
	int64_t unit = longest >= 120 * PMON_TIME_PER_SEC ? PMON_TIME_PER_MIN : PMON_TIME_PER_SEC;
	char planned[32] = "";
	char line[LINE];

	if ((planned_100ns != 0 && planned_100ns < PATIENCE_100NS) || !is_wanted(0))
		return;
	if (planned_100ns != 0)
		(void)snprintf(planned, sizeof(planned), " of %lld",
			       (long long)((planned_100ns + unit / 2) / unit));
	(void)snprintf(line, sizeof(line), "sampling: %lld%s %s, Ctrl-C stops",
		       (long long)(done_100ns / unit), planned,
		       unit == PMON_TIME_PER_SEC ? "s" : "min");
	line_show(line);
}
