// order-queue.c - a program that tells its own counters: cc -o order-queue order-queue.c
// SPDX-License-Identifier: MIT
//
//	./order-queue [SAMPLES [MILLISECONDS]]      10 samples, one each second

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>

#include "pmon-counters.h"

int
main(int argc, char **argv)
{
	int samples = argc > 1 ? atoi(argv[1]) : 10;
	int pause_ms = argc > 2 ? atoi(argv[2]) : 1000;
	struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000L};
	int64_t orders = 0;
	double seconds = 0;

	for (int i = 0; i < samples; i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		orders += 50 + i % 3;           // that were handled since the last sample,
		seconds += 0.002 * (50 + i % 3); // each in 2 ms
		pmon_counters_begin("web01");
		pmon_counters_level(stdout, "Order Queue(eu)\\Length", i % 5);
		pmon_counters_count(stdout, "Order Queue(eu)\\Orders/sec", orders);
		pmon_counters_times(stdout, "Order Queue(eu)\\Avg. sec/Order", seconds, orders);
		pmon_counters_busy(stdout, "Order Queue(eu)\\% Busy Time", seconds);
		pmon_counters_end(stdout);
	}
	return ferror(stdout) ? 1 : 0;
}
