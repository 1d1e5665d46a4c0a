// make_log.c - the small logs that the tests of the command line read
// SPDX-License-Identifier: MIT
//
//	make_log KIND OUT [SAMPLES]
//
//	average   one read of 0.15 s, then nine intervals without any; 15 s apart (NT Debugging blog)
//	back      counters that were reset, or passed 2^32; one second apart
//	evil      names with control characters, quotes, commas and tags
//	days      three samples on three days
//	long      SAMPLES samples of 200 instances, for work that takes a while
//
// Built by lib.sh, together with tests/support/blg_build.c.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blg_build.h"

#define T0     INT64_C(134396604000000000) // 2026-11-20T15:00:00Z
#define SECOND INT64_C(10000000)

#define RAWCOUNT      0x00010000u
#define COUNTER       0x10410400u
#define BULK_COUNT    0x10410500u
#define TIMER_INV     0x21510500u // PERF_100NSEC_TIMER_INV
#define AVERAGE_TIMER 0x30020400u

static struct blg_build *
begin(const struct blg_build_entry *entries, size_t n)
{
	struct blg_build_options options = {.os_major = 10,
					    .os_build = 20348,
					    .buffer_bytes = 0x10000,
					    .start = T0,
					    .end = T0,
					    .zone_name = "UTC"};
	struct blg_build *b = blg_build_new(&options);

	blg_build_catalogue(b, T0, entries, n);
	return b;
}

static struct blg_build *
make_average(void)
{
	static const struct blg_build_entry entries[] = {
		{.type = AVERAGE_TIMER,
		 .time_base = 14318180,
		 .scale = 3,
		 .machine = "SERVER",
		 .object = "PhysicalDisk",
		 .instance = "0 C:",
		 .counter = "Avg. Disk sec/Read"},
		{.type = COUNTER,
		 .time_base = 14318180,
		 .machine = "SERVER",
		 .object = "PhysicalDisk",
		 .instance = "0 C:",
		 .counter = "Disk Reads/sec"},
		{.type = TIMER_INV,
		 .time_base = SECOND,
		 .machine = "SERVER",
		 .object = "Processor",
		 .instance = "_Total",
		 .counter = "% Processor Time"},
		{.type = RAWCOUNT,
		 .machine = "SERVER",
		 .object = "Memory",
		 .counter = "Available MBytes"},
	};
	// Share of time in use, in percent, of the interval that ends with the sample.
	static const int64_t busy[] = {0, 60, 10, 5, 5, 20, 5, 5, 5, 30, 5};
	struct blg_build *b = begin(entries, 4);
	int64_t idle = 0;

	for (int64_t i = 0; i <= 10; i++) {
		int64_t time = T0 + i * 15 * SECOND;

		if (i > 0)
			idle += (100 - busy[i]) * 15 * SECOND / 100;
		blg_build_sample_begin(b);
		blg_build_single(b, 0, time, i > 0 ? 2147727 : 0, i > 0, 1);
		blg_build_single(b, 0, time, i > 0, i * 15 * 14318180, 1);
		blg_build_single(b, 0, time, idle, i * 15 * SECOND, 1);
		blg_build_single(b, 0, time, 2048 - 16 * i, 0, 1);
		blg_build_sample_end(b, time);
	}
	return b;
}

static struct blg_build *
make_back(void)
{
	static const struct blg_build_entry entries[] = {
		{.type = BULK_COUNT,
		 .time_base = 1,
		 .machine = "SERVER",
		 .object = "Web",
		 .counter = "Requests/sec"},
		{.type = COUNTER,
		 .time_base = 1,
		 .machine = "SERVER",
		 .object = "Net",
		 .counter = "Packets/sec"},
	};
	static const int64_t requests[] = {0, 100, 40, 90};
	static const int64_t packets[] = {0xFFFFFF80, 0xC0, 0x100, 0x140};
	struct blg_build *b = begin(entries, 2);

	for (int64_t i = 0; i < 4; i++) {
		blg_build_sample_begin(b);
		blg_build_single(b, 0, T0 + i * SECOND, requests[i], i, 1);
		blg_build_single(b, 0, T0 + i * SECOND, packets[i], i, 1);
		blg_build_sample_end(b, T0 + i * SECOND);
	}
	return b;
}

static struct blg_build *
make_evil(void)
{
	static const struct blg_build_entry entries[] = {
		{.type = RAWCOUNT,
		 .machine = "EVIL\033[2J",
		 .object = "Obj\nect",
		 .instance = "in\r\tst\007",
		 .counter = "say \"hi\", \033]0;title\007\177"},
		{.type = RAWCOUNT,
		 .machine = "EVIL\033[2J",
		 .object = "Plain",
		 .counter = "<b>bold</b>"},
	};
	struct blg_build *b = begin(entries, 2);

	for (int64_t i = 0; i < 2; i++) {
		blg_build_sample_begin(b);
		blg_build_single(b, 0, T0 + i * SECOND, i, 0, 1);
		blg_build_single(b, 0, T0 + i * SECOND, i, 0, 1);
		blg_build_sample_end(b, T0 + i * SECOND);
	}
	return b;
}

static struct blg_build *
make_days(void)
{
	static const struct blg_build_entry entry = {.type = RAWCOUNT,
						     .machine = "SERVER",
						     .object = "Memory",
						     .counter = "Available MBytes"};
	static const int64_t values[] = {7, 3, 9};
	struct blg_build *b = begin(&entry, 1);

	for (int64_t i = 0; i < 3; i++) {
		blg_build_sample_begin(b);
		blg_build_single(b, 0, T0 + i * 86400 * SECOND, values[i], 0, 1);
		blg_build_sample_end(b, T0 + i * 86400 * SECOND);
	}
	return b;
}

static struct blg_build *
make_long(int64_t samples)
{
	static const struct blg_build_entry entry = {.flags = 1,
						     .type = BULK_COUNT,
						     .time_base = SECOND,
						     .machine = "SERVER",
						     .object = "Web Service",
						     .instance = "*",
						     .counter = "Bytes Sent/sec"};
	struct blg_build *b = begin(&entry, 1);
	char name[16];

	for (int64_t i = 0; i < samples; i++) {
		int64_t time = T0 + i * SECOND;

		blg_build_sample_begin(b);
		blg_build_multi_begin(b, 0, time);
		for (int64_t j = 0; j < 200; j++) {
			(void)snprintf(name, sizeof(name), "p%d", (int)j);
			blg_build_item(b, name, 1, i * (j + 1), i * SECOND);
		}
		blg_build_multi_end(b);
		blg_build_sample_end(b, time);
	}
	return b;
}

int
main(int argc, char **argv)
{
	struct blg_build *b = NULL;
	FILE *file;
	uint8_t *bytes;
	size_t len;
	int failed;

	if (argc >= 3 && strcmp(argv[1], "average") == 0)
		b = make_average();
	else if (argc >= 3 && strcmp(argv[1], "back") == 0)
		b = make_back();
	else if (argc >= 3 && strcmp(argv[1], "evil") == 0)
		b = make_evil();
	else if (argc >= 3 && strcmp(argv[1], "days") == 0)
		b = make_days();
	else if (argc == 4 && strcmp(argv[1], "long") == 0)
		b = make_long(strtol(argv[3], NULL, 10));
	if (b == NULL) {
		fprintf(stderr,
			"usage: make_log average|back|evil|days OUT, make_log long OUT N\n");
		return 2;
	}
	bytes = blg_build_finish(b, &len);
	file = fopen(argv[2], "wb");
	failed = file == NULL || fwrite(bytes, 1, len, file) != len;
	if (file != NULL && fclose(file) != 0)
		failed = 1;
	free(bytes);
	return failed;
}
