// yardstick.h - how fast one core reads the memory: the one measure that all benchmarks hold on to
// SPDX-License-Identifier: MIT
//
// A pass adds up 512 MiB, more than any cache holds, of numbers that differ, in pages as malloc()
// gives them. Four sums run in parallel: one alone could be as slow as the adder (a word a
// cycle), not as the memory. Filling the buffer is not timed. What else runs on the machine takes
// part of both the core and the memory, so that a pass may be half as fast as the next.

#ifndef PMON_BENCH_YARDSTICK_H
#define PMON_BENCH_YARDSTICK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define YARDSTICK_BYTES ((size_t)512 * 1024 * 1024)
#define YARDSTICK_WORDS (YARDSTICK_BYTES / sizeof(uint64_t))

// NULL when memory is short; free() takes it back.
static inline uint64_t *
yardstick_new(void)
{
	uint64_t *words = malloc(YARDSTICK_BYTES);

	for (size_t i = 0; words != NULL && i < YARDSTICK_WORDS; i++)
		words[i] = i * UINT64_C(0x9E3779B97F4A7C15);
	return words;
}

// The same numbers as doubles in one sum: each addition waits for the one before it, so that this is what
// a loop has of memory that was not prepared for it.
static inline double
yardstick_plain_pass(const uint64_t *words)
{
	double sum = 0;
	volatile double kept; // so that the loop stays
	double start = bench_seconds(CLOCK_MONOTONIC);

	for (size_t i = 0; i < YARDSTICK_WORDS; i++) {
		double word;

		memcpy(&word, &words[i], sizeof(word));
		sum += word;
	}
	kept = sum;
	(void)kept;
	return (double)YARDSTICK_BYTES / (bench_seconds(CLOCK_MONOTONIC) - start);
}

// Bytes a second of one pass.
static inline double
yardstick_pass(const uint64_t *words)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;
	volatile uint64_t sum; // so that the loop stays
	double start = bench_seconds(CLOCK_MONOTONIC);

	for (size_t i = 0; i < YARDSTICK_WORDS; i += 4) {
		a += words[i];
		b += words[i + 1];
		c += words[i + 2];
		d += words[i + 3];
	}
	sum = a + b + c + d;
	(void)sum;
	return (double)YARDSTICK_BYTES / (bench_seconds(CLOCK_MONOTONIC) - start);
}

#endif
