// report.c - report each damage and oddity once
// SPDX-License-Identifier: MIT

#include "model/report.h"

#include <stdarg.h>

#include "base/text.h"

static void
tell(const struct pmon_report *report, struct pmon_notice *notice, const char *fmt, va_list args)
{
	char buf[256];

	if (report->notice == NULL)
		return;
	notice->text = pmon_text_format(report->allocator, buf, sizeof(buf), fmt, args);
	report->notice(report->notice_ctx, notice);
	pmon_text_end(report->allocator, buf, notice->text);
}

void
pmon_report_loss(struct pmon_report *report, uint64_t offset, uint64_t bytes, const char *fmt, ...)
{
	struct pmon_notice notice = {.is_loss = true, .offset = offset, .length = bytes};
	va_list args;

	if (report->here <= report->seen)
		return;
	report->info->losses++;
	report->info->bytes_lost += bytes;
	va_start(args, fmt);
	tell(report, &notice, fmt, args);
	va_end(args);
}

void
pmon_report_remark(struct pmon_report *report, uint64_t offset, const char *fmt, ...)
{
	struct pmon_notice notice = {.offset = offset};
	va_list args;

	if (report->here <= report->seen)
		return;
	va_start(args, fmt);
	tell(report, &notice, fmt, args);
	va_end(args);
}

void
pmon_report_rewind(struct pmon_report *report)
{
	if (report->here > report->seen)
		report->seen = report->here;
	report->here = 0;
}
