// report.c - report each damage and anomaly once
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

static void
lose(struct pmon_report *report, uint64_t offset, uint64_t bytes, const char *fmt, va_list args)
{
	struct pmon_notice notice = {.is_loss = true, .offset = offset, .length = bytes};

	if (report->here <= report->seen)
		return;
	report->info->losses++;
	report->info->bytes_lost += bytes;
	tell(report, &notice, fmt, args);
}

void
pmon_report_loss(struct pmon_report *report, uint64_t offset, uint64_t bytes, const char *fmt, ...)
{
	va_list args;

	report->info->bytes_damaged += bytes;
	va_start(args, fmt);
	lose(report, offset, bytes, fmt, args);
	va_end(args);
}

void
pmon_report_missing(struct pmon_report *report, uint64_t offset, uint64_t bytes, const char *fmt,
		    ...)
{
	va_list args;

	va_start(args, fmt);
	lose(report, offset, bytes, fmt, args);
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

// ---- The ledger -----------------------------------------------------------------------------

void
pmon_report_settle(struct pmon_report *report, uint64_t before, uint64_t bytes)
{
	struct pmon_source_info *info = report->info;

	if (info->bytes_damaged > before + bytes)
		info->bytes_damaged = before + bytes;
	info->bytes_used += before + bytes - info->bytes_damaged;
}

void
pmon_report_balance(struct pmon_report *report, uint64_t size_bytes)
{
	const struct pmon_source_info *info = report->info;
	uint64_t sum = info->bytes_used + info->bytes_unused + info->bytes_damaged;

	if (sum < size_bytes)
		pmon_report_loss(report, 0, size_bytes - sum,
				 "%llu of the %llu bytes of the file %s not read",
				 (unsigned long long)(size_bytes - sum),
				 (unsigned long long)size_bytes,
				 pmon_text_word(size_bytes - sum, "was", "were"));
	else if (sum > size_bytes)
		pmon_report_missing(report, 0, 0, "%llu %s of the file read twice",
				    (unsigned long long)(sum - size_bytes),
				    pmon_text_word(sum - size_bytes, "byte was", "bytes were"));
}

// ---- Passes ---------------------------------------------------------------------------------

void
pmon_report_rewind(struct pmon_report *report)
{
	report->info->bytes_used = report->info->bytes_unused = report->info->bytes_damaged = 0;
	if (report->here > report->seen)
		report->seen = report->here;
	report->here = 0;
}
