// seeds.c - write the seed files of corpus/
// SPDX-License-Identifier: MIT
//
//	cc -std=c11 -Itests/support -o seeds tests/fuzz/blg/seeds.c tests/support/blg_build.c
//	./seeds tests/fuzz/blg/corpus

#include <stdio.h>
#include <stdlib.h>

#include "blg_build.h"

#define T0     INT64_C(132223104000000000)
#define SECOND INT64_C(10000000)
#define MANY   264

static const struct blg_build_title titles[] = {{10, "Rate"}, {12, "Share"}, {230, "Process"}};

static const struct blg_build_entry plain[] = {
	{0, 0x20510500, 10000000, 0, "\\\\S", "P", "cmd/0#1", NULL, "Busy", 0},
	{0, 0x00010000, 1000, 0, "\\\\S", "M", NULL, NULL, "Bytes", 0},
	{1, 0x10410500, 1000, -2, "\\\\S", "D", "*", NULL, "Reads", 0},
};

static const struct blg_build_entry objects[] = {
	{0x10, 0x10, 0, 0, "\\\\S", "Thread", "*", NULL, "*", 0},
	{0x10, 0x10, 0, 0, "\\\\S", "Process", "*", NULL, "*", 0},
	{0x10, 0x10, 0, 0, "\\\\S", "System", NULL, NULL, "*", 0},
};

static void
plain_samples(struct blg_build *b, int n)
{
	static const char *const names[] = {"C:", "D:", "C:"};

	blg_build_catalogue(b, T0 - 10, plain, 3);
	for (int64_t i = 0; i < n; i++) {
		int64_t t = T0 + i * SECOND;

		blg_build_sample_begin(b);
		blg_build_single(b, i == 2 ? 0x800007D0 : 0, t, i, t, 1);
		blg_build_single(b, 0, t, i, 0, 1);
		blg_build_multi_begin(b, 0, t);
		for (int64_t k = 0; k < 1 + (i + 1) % 3; k++)
			blg_build_item(b, names[k], 1, i, k);
		blg_build_multi_end(b);
		blg_build_sample_end(b, t);
	}
}

// So many single values that they are read one by one where one of them is wanted.
static void
many_samples(struct blg_build *b, int n)
{
	struct blg_build_entry entries[MANY];

	for (size_t i = 0; i < MANY; i++)
		entries[i] = (struct blg_build_entry){.type = i == 0 ? 0x20510500 : 0x00010000,
						      .object = "O",
						      .instance = i == 150 ? "!" : NULL,
						      .counter = "C"};
	blg_build_catalogue(b, T0 - 10, entries, MANY);
	for (int64_t k = 0; k < n; k++) {
		blg_build_sample_begin(b);
		for (size_t i = 0; i < MANY; i++)
			blg_build_single(b, 0, T0 + k * SECOND, k, T0 + k * SECOND, 1);
		blg_build_sample_end(b, T0 + k * SECOND);
	}
}

static void
object_samples(struct blg_build *b, int n)
{
	static const struct blg_build_counter counters[] = {
		{10, 0x10410400, 4, 0}, {12, 0x20020400, 4, 0}, {12, 0x40030403, 4, 0}};
	static const struct blg_build_instance threads[] = {{"0", 230, 1, 0}, {"0", 230, 0, 0}};
	static const struct blg_build_instance processes[] = {{"x", 0, 0, 0}, {"x", 0, 0, 0}};
	static const int64_t values[] = {1, 2, 3, 4, 5, 6};

	blg_build_names(b, T0 - 20, "\\\\S", titles, 3);
	blg_build_catalogue(b, T0 - 10, objects, 3);
	for (int64_t i = 0; i < n; i++) {
		struct blg_build_object object = {
			.title = 232,
			.system_time = T0 + i * SECOND,
			.perf_time = i,
			.perf_freq = 1000,
			.perf_time_100ns = T0 + i * SECOND,
			.counters = counters,
			.n_counters = i == 1 ? 1 : 3,
			.instances = threads,
			.n_instances = 2,
			.values = values,
		};

		blg_build_sample_begin(b);
		blg_build_object(b, &object);
		object.title = 230;
		object.instances = processes;
		blg_build_object(b, &object);
		object.title = 2;
		object.instances = NULL;
		blg_build_object(b, &object);
		blg_build_sample_end(b, T0 + i * SECOND);
	}
	blg_build_instance_list(b, T0);
}

static void
write_file(const char *dir, const char *name, struct blg_build *b, const size_t *order, size_t n)
{
	char path[1024];
	size_t len;
	uint8_t *file = blg_build_finish(b, &len);
	FILE *out;

	if (order != NULL)
		blg_build_reorder(file, len, order, n);
	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	out = fopen(path, "wb");
	if (out == NULL || fwrite(file, 1, len, out) != len || fclose(out) != 0) {
		perror(path);
		exit(1);
	}
	free(file);
}

int
main(int argc, char **argv)
{
	static const size_t rotated[] = {2, 3, 1};
	static const size_t mixed[] = {3, 1, 2};
	static const uint8_t other_id[16] = {1};
	struct blg_build_options options = {.buffer_bytes = 0x400, .end = T0};
	const char *dir = argc > 1 ? argv[1] : ".";
	struct blg_build *b;

	b = blg_build_new(&options);
	plain_samples(b, 3);
	write_file(dir, "plain.blg", b, NULL, 0);

	b = blg_build_new(&options);
	plain_samples(b, 5);
	write_file(dir, "rotated.blg", b, rotated, 3);
	b = blg_build_new(&options);
	plain_samples(b, 5);
	write_file(dir, "mixed.blg", b, mixed, 3);

	options.chunk_bytes = 64;
	b = blg_build_new(&options);
	plain_samples(b, 2);
	blg_build_foreign(b, 10);
	blg_build_system_event(b, 10);
	blg_build_record(b, 0x25, T0, "?", 1);
	blg_build_log_id(b, other_id);
	plain_samples(b, 1);
	write_file(dir, "parts.blg", b, NULL, 0);

	options =
		(struct blg_build_options){.buffer_bytes = 0x1000, .chunk_bytes = 3000, .end = T0};
	b = blg_build_new(&options);
	many_samples(b, 3);
	write_file(dir, "many.blg", b, NULL, 0);

	options = (struct blg_build_options){.buffer_bytes = 0x800, .end = T0};
	b = blg_build_new(&options);
	object_samples(b, 3);
	write_file(dir, "objects.blg", b, NULL, 0);

	options = (struct blg_build_options){
		.os_major = 5,
		.os_minor = 2,
		.is_32bit = true,
		.buffer_bytes = 0x400,
		.bias = 480,
		.daylight_bias = -60,
		.to_standard = {.month = 11, .day = 1, .hour = 2},
		.to_daylight = {.month = 3, .day = 2, .hour = 2},
	};
	b = blg_build_new(&options);
	plain_samples(b, 2);
	write_file(dir, "old.blg", b, NULL, 0);
	return 0;
}
