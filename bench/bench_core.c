// bench_core.c - what a value and a statistic cost, beside the time to read their raw values
// SPDX-License-Identifier: MIT
//
//	bench_core [--json]
//
// Rates and timers as a log has them: raw values in arrays, in time order, one counter after the
// other. "small" fits the second-level cache, "large" (384 MiB) fits none. "read only" adds up the
// fields that a calculation reads, so that the rest is the price of the arithmetic. "value" is
// pmon_calc_value(). Times are of the processor.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pmon/counter.h>

#include "bench.h"
#include "yardstick.h"

#define SMALL  ((size_t)4 * 1024) // 128 KiB of raw values
#define LARGE  ((size_t)384 * 1024 * 1024 / sizeof(struct pmon_raw))
#define BUFFER YARDSTICK_BYTES
#define WORK   ((size_t)40 * 1000 * 1000) // raw values a measurement goes through
#define BEST   3                          // measurements, of which the fastest counts

static const uint32_t types[] = {
	PMON_PERF_COUNTER_COUNTER,     PMON_PERF_100NSEC_TIMER_INV, PMON_PERF_PRECISION_100NS_TIMER,
	PMON_PERF_AVERAGE_TIMER,       PMON_PERF_COUNTER_RAWCOUNT,  PMON_PERF_LARGE_RAW_FRACTION,
	PMON_PERF_COUNTER_MULTI_TIMER,
};
#define N_TYPES (sizeof(types) / sizeof(types[0]))

// Results go here, so that no loop is optimised away.
static volatile double sink;

// A counter that is read once a second, give or take: its clock has 10 MHz, it is busy half the time.
static void
fill(struct pmon_raw *raws, size_t n)
{
	uint64_t state = 1;
	struct pmon_raw raw = {.multi = 4, .first = 1000, .second = INT64_C(1) << 40};

	for (size_t i = 0; i < n; i++) {
		raw.time += PMON_TIME_PER_SEC;
		raw.second += (int64_t)(9000000 + bench_random(&state) % 2000000);
		raw.first += (int64_t)(bench_random(&state) % 9000000);
		raw.status = (uint32_t)(i & 1);
		raws[i] = raw;
	}
}

static double
sum_fields(const struct pmon_raw *raws, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += raws[i].status + raws[i].multi + (uint64_t)raws[i].first +
		       (uint64_t)raws[i].second;
	return (double)sum;
}

static double
sum_values(const struct pmon_raw *raws, size_t n, const struct pmon_calc *calc)
{
	double sum = 0;

	for (size_t i = 1; i < n; i++)
		sum += pmon_calc_value(calc, &raws[i - 1], &raws[i]).value;
	return sum;
}

static double
sum_stats(const struct pmon_raw *raws, size_t n, const struct pmon_calc *calc)
{
	struct pmon_stats stats;
	double sum = 0;

	pmon_stats_init(&stats, calc);
	for (size_t i = 0; i < n; i++)
		sum += pmon_stats_add(&stats, &raws[i]).value;
	return sum + pmon_stats_average(&stats).value;
}

enum job {
	JOB_READ,
	JOB_VALUE,
	JOB_STATS
};

// Nanoseconds a raw value.
static double
measure(enum job job, const struct pmon_raw *raws, size_t n, const struct pmon_calc *calc)
{
	size_t rounds = WORK / n > 0 ? WORK / n : 1;
	double best = 1e9;

	for (int i = 0; i < BEST; i++) {
		double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
		double took;

		for (size_t k = 0; k < rounds; k++) {
			if (job == JOB_READ)
				sink = sum_fields(raws, n);
			else if (job == JOB_VALUE)
				sink = sum_values(raws, n, calc);
			else
				sink = sum_stats(raws, n, calc);
		}
		took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
		best = took < best ? took : best;
	}
	return best * 1e9 / ((double)rounds * (double)n);
}

// Bytes a second of a plain sum over a buffer that no cache holds.
static double
read_bandwidth(const uint64_t *words)
{
	double best = 0;

	for (int i = 0; i < BEST; i++) {
		double pass = yardstick_pass(words);

		best = pass > best ? pass : best;
	}
	return best;
}

static void
print_type(const struct pmon_raw *raws, uint32_t word, bool json, bool last)
{
	struct pmon_counter counter = {.type = word, .time_base = 10000000, .size_bytes = 8};
	struct pmon_calc calc;
	double value[2];
	double stats[2];

	pmon_calc_init(&calc, &counter, NULL);
	value[0] = measure(JOB_VALUE, raws, SMALL, &calc);
	value[1] = measure(JOB_VALUE, raws, LARGE, &calc);
	stats[0] = measure(JOB_STATS, raws, SMALL, &calc);
	stats[1] = measure(JOB_STATS, raws, LARGE, &calc);
	if (json)
		printf("    {\"type\": \"%s\", \"value_small_ns\": %.2f, \"value_large_ns\": %.2f, "
		       "\"stats_small_ns\": %.2f, \"stats_large_ns\": %.2f}%s\n",
		       calc.type->name, value[0], value[1], stats[0], stats[1], last ? "" : ",");
	else
		printf("%-32s %8.2f %8.2f %8.2f %8.2f\n", calc.type->name, value[0], value[1],
		       stats[0], stats[1]);
}

static void
print_all(const struct pmon_raw *raws, double bandwidth, bool json)
{
	double small = measure(JOB_READ, raws, SMALL, NULL);
	double large = measure(JOB_READ, raws, LARGE, NULL);

	if (json) {
		printf("{\n  \"version\": 1,\n  \"read_bytes_per_second\": %.0f,\n", bandwidth);
		printf("  \"read_small_ns\": %.2f,\n  \"read_large_ns\": %.2f,\n  \"types\": [\n",
		       small, large);
	} else {
		printf("plain read of %zu MiB: %.2f GB/s\n\n", BUFFER >> 20, bandwidth / 1e9);
		printf("ns per raw value of %zu bytes\n", sizeof(struct pmon_raw));
		printf("%-32s %8s %8s %8s %8s\n", "", "value", "value", "stats", "stats");
		printf("%-32s %8s %8s %8s %8s\n", "", "small", "large", "small", "large");
		printf("%-32s %8.2f %8.2f\n", "read only", small, large);
	}
	for (size_t i = 0; i < N_TYPES; i++)
		print_type(raws, types[i], json, i == N_TYPES - 1);
	if (json)
		printf("  ]\n}\n");
}

int
main(int argc, char **argv)
{
	bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
	void *buffer; // for the plain read, and then for the raw values
	double bandwidth;

	if (argc > 1 && !json) {
		fprintf(stderr, "usage: bench_core [--json]\n");
		return 2;
	}
	buffer = yardstick_new();
	if (buffer == NULL) {
		fprintf(stderr, "bench_core: no memory\n");
		return 1;
	}
	bandwidth = read_bandwidth(buffer);
	fill(buffer, LARGE);
	print_all(buffer, bandwidth, json);
	free(buffer);
	return 0;
}
