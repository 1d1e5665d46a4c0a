// values.c - values of every type that .NET has, for comparing with another calculator: values [ROUNDS]
// SPDX-License-Identifier: MIT
//
// For each type a line "type WORD NANOSECONDS NAME", nanoseconds a value being those of the fastest
// round, then the values of 1,000 pairs, a line each. values.cs does the same by Mono's calculator, of
// the same raw values, which both make by the same arithmetic.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <pmon/counter.h>

#include "bench.h"

#define TICKS                                                                                      \
	10000000 // a second, of the clock: it counts 100 ns, so that Mono's two clocks are one
#define RAWS   4096
#define SHOWN  1000
#define PASSES 500 // over all raw values in a round
#define MULTI  4

// The words of System.Diagnostics.PerformanceCounterType.
static const uint32_t words[] = {
	PMON_PERF_COUNTER_RAWCOUNT_HEX,
	PMON_PERF_COUNTER_LARGE_RAWCOUNT_HEX,
	PMON_PERF_COUNTER_RAWCOUNT,
	PMON_PERF_COUNTER_LARGE_RAWCOUNT,
	PMON_PERF_COUNTER_DELTA,
	PMON_PERF_COUNTER_LARGE_DELTA,
	PMON_PERF_SAMPLE_COUNTER,
	PMON_PERF_COUNTER_QUEUELEN_TYPE,
	PMON_PERF_COUNTER_LARGE_QUEUELEN_TYPE,
	PMON_PERF_COUNTER_COUNTER,
	PMON_PERF_COUNTER_BULK_COUNT,
	PMON_PERF_RAW_FRACTION,
	PMON_PERF_COUNTER_TIMER,
	PMON_PERF_100NSEC_TIMER,
	PMON_PERF_SAMPLE_FRACTION,
	PMON_PERF_COUNTER_TIMER_INV,
	PMON_PERF_100NSEC_TIMER_INV,
	PMON_PERF_COUNTER_MULTI_TIMER,
	PMON_PERF_100NSEC_MULTI_TIMER,
	PMON_PERF_COUNTER_MULTI_TIMER_INV,
	PMON_PERF_100NSEC_MULTI_TIMER_INV,
	PMON_PERF_AVERAGE_TIMER,
	PMON_PERF_ELAPSED_TIME,
	PMON_PERF_AVERAGE_BULK,
};

static struct pmon_raw raws[RAWS];
static volatile double sink; // results go here, so that no loop is optimised away

// Is the second raw value a base, and not a clock?
static bool
has_base(uint32_t word)
{
	return word == PMON_PERF_RAW_FRACTION || word == PMON_PERF_SAMPLE_FRACTION ||
	       word == PMON_PERF_AVERAGE_TIMER || word == PMON_PERF_AVERAGE_BULK;
}

// Nothing wraps and nothing stands still: what is to be done then is not what is compared here.
static void
fill(uint32_t word)
{
	uint64_t state = 1;
	int64_t first = 1000;
	int64_t base = 50;
	int64_t clock = INT64_C(1) << 32;

	for (size_t i = 0; i < RAWS; i++) {
		first += (int64_t)(bench_random(&state) % 400000);
		base += (int64_t)(1 + bench_random(&state) % 16);
		clock += (int64_t)(9000000 + bench_random(&state) % 2000000);
		raws[i] = (struct pmon_raw){.time = clock,
					    .multi = MULTI,
					    .first = first,
					    .second = has_base(word) ? base : clock};
	}
}

// Nanoseconds a value.
static double
measure(const struct pmon_calc *calc)
{
	double start = bench_seconds(CLOCK_MONOTONIC);
	double sum = 0;

	for (int pass = 0; pass < PASSES; pass++)
		for (size_t i = 1; i < RAWS; i++)
			sum += pmon_calc_value(calc, &raws[i - 1], &raws[i]).value;
	sink = sum;
	return (bench_seconds(CLOCK_MONOTONIC) - start) * 1e9 / PASSES / (RAWS - 1);
}

static void
print_type(uint32_t word, unsigned long rounds)
{
	struct pmon_counter counter = {.type = word, .time_base = TICKS};
	struct pmon_calc calc;
	double best = 1e9;

	fill(word);
	pmon_calc_init(&calc, &counter, NULL);
	for (unsigned long i = 0; i < rounds; i++) {
		double took = measure(&calc);

		best = took < best ? took : best;
	}
	printf("type %" PRIu32 " %.2f %s\n", word, best, calc.type->name);
	for (size_t i = 1; i <= SHOWN; i++)
		printf("%.17g\n", pmon_calc_value(&calc, &raws[i - 1], &raws[i]).value);
}

int
main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		print_type(words[i], argc > 1 ? strtoul(argv[1], NULL, 10) : 3);
	return 0;
}
