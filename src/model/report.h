// report.h - report each damage and anomaly once
// SPDX-License-Identifier: MIT
//
// A source may be read several times; notices are reported only in the first pass. The source
// counts its steps in `here`, and a step that was already done in an earlier pass reports nothing.

#ifndef PMON_MODEL_REPORT_H
#define PMON_MODEL_REPORT_H

#include <pmon/model.h>

#include "base/err.h"

struct pmon_report {
	pmon_notice_fn notice; // may be NULL
	void *notice_ctx;
	const struct pmon_allocator *allocator; // for long texts; NULL: libc's
	struct pmon_source_info *info;          // where losses are counted
	uint64_t here;                          // number of the current step, from 1
	uint64_t seen;                          // steps done in earlier passes
};

// Data was lost: `length` bytes (0: unknown) of the input at offset. They count as damaged.
void pmon_report_loss(struct pmon_report *report, uint64_t offset, uint64_t bytes, const char *fmt,
		      ...) PMON_PRINTF(4, 5);

// Data was lost that should be at offset but is missing from the input.
void pmon_report_missing(struct pmon_report *report, uint64_t offset, uint64_t bytes,
			 const char *fmt, ...) PMON_PRINTF(4, 5);

// An anomaly that loses no data.
void pmon_report_remark(struct pmon_report *report, uint64_t offset, const char *fmt, ...)
	PMON_PRINTF(3, 4);

// ---- The ledger -----------------------------------------------------------------------------
//
// A reader may account for every byte of its file: as used, unused, or lost. At the end of a pass
// the sum is checked, and missing bytes are reported as a separate loss, so that no bytes can be
// skipped silently.

static inline void
pmon_report_used(struct pmon_report *report, uint64_t bytes)
{
	report->info->bytes_used += bytes;
}

static inline void
pmon_report_unused(struct pmon_report *report, uint64_t bytes)
{
	report->info->bytes_unused += bytes;
}

// A record of this many bytes was read. Bytes of it that were reported since `before`, the number
// of damaged bytes until then, count only as damaged.
void pmon_report_settle(struct pmon_report *report, uint64_t before, uint64_t bytes);

// The whole file was read.
void pmon_report_balance(struct pmon_report *report, uint64_t size_bytes);

// Reading starts again, with all counts at 0.
void pmon_report_rewind(struct pmon_report *report);

#endif
