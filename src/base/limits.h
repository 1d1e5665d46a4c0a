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

// The same for an input of `size` bytes, UINT64_MAX when that is not known yet. Formats that name a counter by
// references can make very long paths of a short file; every other format has each path in the file.
static inline struct pmon_limits
pmon_limits_of_size(const struct pmon_limits *wanted, uint64_t size)
{
	struct pmon_limits limits = pmon_limits_filled(wanted);

	if (size == UINT64_MAX)
		size = 0;
	if (limits.path_bytes == 0)
		limits.path_bytes = ((uint64_t)8 << 20) + (size < UINT64_MAX / 8 ? 4 * size : size);
	return limits;
}

#endif
