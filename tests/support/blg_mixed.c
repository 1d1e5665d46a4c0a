// blg_mixed.c - a small binary log with every form of value record, in many buffers
// SPDX-License-Identifier: MIT

#include "blg_mixed.h"

#include "moments.h"
#include "t.h"

static const struct blg_build_entry entries[] = {
	{0, 0x20510500, 10000000, 0, "\\\\S", "P", "0", NULL, "Busy", 0},
	{1, 0x10410500, 1000, 0, "\\\\S", "D", "*", NULL, "Reads", 0},
	{0x10, 0x10, 0, 0, "\\\\S", "O", "*", NULL, "*", 0},
};

static void
build_sample(struct blg_build *b, int64_t i)
{
	static const struct blg_build_counter counters[] = {{10, 0x30020400, 8, 0},
							    {10, 0x40030402, 4, 0}};
	static const struct blg_build_instance instances[] = {{"x", 0, 0, 0}, {"x", 0, 0, 0}};
	const int64_t values[] = {i, i + 1, i + 2, i + 3};
	const struct blg_build_object object = {
		.title = 2,
		.system_time = T0 + i * SECOND,
		.perf_time = i,
		.perf_freq = 1000,
		.perf_time_100ns = T0 + i * SECOND,
		.counters = counters,
		.n_counters = 2,
		.instances = instances,
		.n_instances = 2,
		.values = values,
	};

	blg_build_sample_begin(b);
	blg_build_single(b, 0, T0 + i * SECOND, i * 5, T0 + i * SECOND, 1);
	blg_build_multi_begin(b, 0, T0 + i * SECOND);
	blg_build_item(b, "C:", 1, i, i);
	blg_build_item(b, i % 2 != 0 ? "D:" : "E:", 1, i, i);
	blg_build_multi_end(b);
	blg_build_object(b, &object);
	blg_build_sample_end(b, T0 + i * SECOND);
}

struct blg_mixed
blg_mixed_build(uint8_t os_major)
{
	static const struct blg_build_title titles[] = {{2, "O"}, {10, "Time"}};
	struct blg_build_options options = {.os_major = os_major,
					    .is_32bit = os_major < 6,
					    .buffer_bytes = BLG_MIXED_BUFFER,
					    .chunk_bytes = 320,
					    .end = T0};
	struct blg_build *b = blg_build_new(&options);
	struct blg_mixed built;

	blg_build_names(b, T0 - 20, "\\\\S", titles, 2);
	blg_build_catalogue(b, T0 - 10, entries, T_LEN(entries));
	(void)blg_build_flush(b);
	for (int64_t i = 0; i < BLG_MIXED_SAMPLES; i++) {
		built.first_buffer[i] = blg_build_where(b);
		build_sample(b, i);
		built.last_buffer[i] = blg_build_where(b);
	}
	built.file = blg_build_finish(b, &built.len);
	return built;
}
