// limits.h - the defaults of struct pmon_limits
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_LIMITS_H
#define PMON_BASE_LIMITS_H

#include <pmon/base.h>

#define PMON_LIMIT_SERIES       ((size_t)4000000)
#define PMON_LIMIT_MEMORY       ((uint64_t)48 << 20) // for series, for a file of any size ...
#define PMON_LIMIT_MEMORY_TIMES 20                   // ... plus this for each byte of it
#define PMON_LIMIT_SERIES_BYTES ((size_t)1024)

// The limits with their defaults instead of 0, regardless of the size of the input.
static inline struct pmon_limits
pmon_limits_filled(const struct pmon_limits *wanted)
{
	struct pmon_limits limits = *wanted;

	if (limits.record_bytes == 0)
		limits.record_bytes = (size_t)256 << 20;
	if (limits.series == 0)
		limits.series = PMON_LIMIT_SERIES;
	if (limits.wanted_series == 0 || limits.wanted_series > limits.series)
		limits.wanted_series = limits.series;
	if (limits.string_bytes == 0)
		limits.string_bytes = (size_t)64 << 10;
	return limits;
}

// How many series may be kept when reading an input of `size` bytes.
static inline size_t
pmon_limits_series(const struct pmon_limits *wanted, uint64_t size)
{
	size_t each = wanted->series_bytes != 0 ? wanted->series_bytes : PMON_LIMIT_SERIES_BYTES;
	uint64_t n;

	if (size > UINT64_MAX / PMON_LIMIT_MEMORY_TIMES / 2)
		return PMON_LIMIT_SERIES;
	n = (PMON_LIMIT_MEMORY + PMON_LIMIT_MEMORY_TIMES * size) / each;
	return n < PMON_LIMIT_SERIES ? (size_t)n : PMON_LIMIT_SERIES;
}

// The same for an input of `size` bytes, or UINT64_MAX if the size is not known yet. For a
// compressed file it is the compressed size. Formats that refer to names can produce very long
// paths from a short file; every other format contains each path.
static inline struct pmon_limits
pmon_limits_of_size(const struct pmon_limits *wanted, uint64_t size)
{
	struct pmon_limits limits = *wanted;

	if (size == UINT64_MAX)
		size = 0;
	if (limits.wanted_series == 0 && limits.series == 0)
		limits.wanted_series = pmon_limits_series(wanted, size);
	limits = pmon_limits_filled(&limits);
	if (limits.path_bytes == 0)
		limits.path_bytes = ((uint64_t)8 << 20) + (size < UINT64_MAX / 8 ? 4 * size : size);
	return limits;
}

#endif
