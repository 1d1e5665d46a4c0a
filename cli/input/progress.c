// progress.c - how far reading has come, on a terminal, when it takes long
// SPDX-License-Identifier: MIT

#include "cli/input/progress.h"

#include <stdio.h>

#include "cli/output/line.h"
#include "os/term.h"

#define PATIENCE_100NS (1 * PMON_TIME_PER_SEC)    // nothing is shown of work shorter than this
#define REPEAT_100NS   (200 * PMON_TIME_PER_MSEC) // and then so often
#define MB             1e6
#define LINE           128 // bytes of the line

// The one line of the one terminal that a program has.
static struct {
	bool asked; // whether there is a terminal
	bool off;
	int64_t begun; // of this reading of the input
	int64_t next;  // when to show it again
	uint64_t from; // bytes read when the pass was begun
	uint64_t last; // and when it was last looked at
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

// "45 %, 210 MB/s, 3 s left", or as much of it as is known.
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
	if (info->bytes_read < progress.last) { // the log is read once more
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
	(void)snprintf(line, sizeof(line), "sampling: %lld%s %s, Ctrl-C ends",
		       (long long)(done_100ns / unit), planned,
		       unit == PMON_TIME_PER_SEC ? "s" : "min");
	line_show(line);
}
