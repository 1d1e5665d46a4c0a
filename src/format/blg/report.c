// report.c - tell what was damaged, once
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include <stdarg.h>
#include <stdio.h>

static bool
is_new(const struct blg_report *report)
{
	return !report->quiet && report->here > report->seen;
}

static void
tell(const struct blg_report *report, bool is_loss, uint64_t offset, uint64_t bytes,
     const char *fmt, va_list args)
{
	char text[256];
	struct pmon_notice notice = {
		.is_loss = is_loss,
		.offset = offset,
		.length = bytes,
		.text = text,
	};

	if (report->notice == NULL)
		return;
	(void)vsnprintf(text, sizeof(text), fmt, args);
	report->notice(report->notice_ctx, &notice);
}

void
blg_loss(struct blg_report *report, uint64_t offset, uint64_t bytes, const char *fmt, ...)
{
	va_list args;

	if (!is_new(report))
		return;
	report->info->losses++;
	report->info->bytes_lost += bytes;
	va_start(args, fmt);
	tell(report, true, offset, bytes, fmt, args);
	va_end(args);
}

void
blg_remark(struct blg_report *report, uint64_t offset, const char *fmt, ...)
{
	va_list args;

	if (!is_new(report))
		return;
	va_start(args, fmt);
	tell(report, false, offset, 0, fmt, args);
	va_end(args);
}

void
blg_unknown(struct blg_report *report)
{
	if (is_new(report))
		report->info->records_unknown++;
}

void
blg_report_rewind(struct blg_report *report)
{
	if (report->here > report->seen && !report->quiet)
		report->seen = report->here;
	report->here = 0;
}
