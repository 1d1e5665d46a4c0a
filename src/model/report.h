// report.h - report each damage and oddity once
// SPDX-License-Identifier: MIT
//
// A source may be read several times; notices come in the first pass only. The source counts its steps
// in `here`, and a step that an earlier pass has made reports nothing.

#ifndef PMON_MODEL_REPORT_H
#define PMON_MODEL_REPORT_H

#include <pmon/model.h>

#include "base/err.h"

struct pmon_report {
	pmon_notice_fn notice; // may be NULL
	void *notice_ctx;
	const struct pmon_allocator *allocator; // of long texts; NULL: libc's
	struct pmon_source_info *info;          // where losses are counted
	uint64_t here;                          // number of the step that is being made, from 1
	uint64_t seen;                          // steps that earlier passes have made
};

// Data is lost: bytes of the input (0 when not known) at offset.
void pmon_report_loss(struct pmon_report *report, uint64_t offset, uint64_t bytes, const char *fmt,
		      ...) PMON_PRINTF(4, 5);

// Something odd that loses no data.
void pmon_report_remark(struct pmon_report *report, uint64_t offset, const char *fmt, ...)
	PMON_PRINTF(3, 4);

// Reading starts again.
void pmon_report_rewind(struct pmon_report *report);

#endif
