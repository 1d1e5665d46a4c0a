// limits.h - the defaults of struct pmon_limits, written once
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_LIMITS_H
#define PMON_BASE_LIMITS_H

#include <pmon/base.h>

// The limits with the default in every field that is 0.
static inline struct pmon_limits
pmon_limits_filled(const struct pmon_limits *wanted)
{
	struct pmon_limits limits = *wanted;

	if (limits.record_bytes == 0)
		limits.record_bytes = (size_t)256 << 20;
	if (limits.series == 0)
		limits.series = 4000000;
	if (limits.string_bytes == 0)
		limits.string_bytes = (size_t)64 << 10;
	return limits;
}

#endif
