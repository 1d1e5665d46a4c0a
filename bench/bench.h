// bench.h - what benchmarks have in common: clocks, made-up numbers, giving up
// SPDX-License-Identifier: MIT

#ifndef PMON_BENCH_H
#define PMON_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Seconds of a clock: CLOCK_MONOTONIC, or CLOCK_PROCESS_CPUTIME_ID, to which other programs do not
// matter.
static inline double
bench_seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Numbers below 2^31 that are the same in every run; values.cs makes the same ones.
static inline uint64_t
bench_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

static inline _Noreturn void
bench_fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

#endif
