// blg_log.c - small logs made with blg_build.h, and checks of what is read from them
// SPDX-License-Identifier: MIT

#include "blg_log.h"

#include <stdlib.h>

#include "t.h"

// ---- Logs ---------------------------------------------------------------------------------------

const struct blg_build_options blg_generations[N_GENERATIONS] = {
	{.os_major = 5, .os_minor = 1, .os_build = 2600, .is_32bit = true, .end = T0},
	{.os_major = 5, .os_minor = 2, .os_build = 3790, .end = T0},
	{.os_major = 6, .os_minor = 0, .os_build = 6000, .is_32bit = true, .end = T0},
	{.os_major = 10, .os_minor = 0, .os_build = 26200, .end = T0},
};

const struct blg_build_options blg_berlin = {
	.end = T0,
	.bias = -60,
	.daylight_bias = -60,
	.to_standard = {.month = 10, .weekday = 0, .day = 5, .hour = 3},
	.to_daylight = {.month = 3, .weekday = 0, .day = 5, .hour = 2},
	.zone_name = "W. Europe Standard Time",
};

const struct blg_build_entry memory_entry = {
	.type = RAWCOUNT,
	.time_base = 10000000,
	.machine = "\\\\SRV",
	.object = "Memory",
	.counter = "Available Bytes",
};

struct blg_build *
memory_log(const struct blg_build_options *options)
{
	struct blg_build *b = blg_build_new(options);

	blg_build_catalogue(b, T0 - 10, &memory_entry, 1);
	return b;
}

void
memory_sample(struct blg_build *b, int64_t time, int64_t value)
{
	blg_build_sample_begin(b);
	blg_build_single(b, 0, time, value, 0, 1);
	blg_build_sample_end(b, time);
}

struct blg_build *
disk_log(void)
{
	static const struct blg_build_entry entry = {1,   RAWCOUNT, 0,    0,   "\\\\S",
						     "P", "*",      NULL, "C", 0};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	blg_build_catalogue(b, T0 - 10, &entry, 1);
	return b;
}

void
disk_sample(struct blg_build *b, int64_t time, const char *const *names, size_t n)
{
	blg_build_sample_begin(b);
	blg_build_multi_begin(b, 0, time);
	for (size_t i = 0; i < n; i++)
		blg_build_item(b, names[i], 1, (int64_t)i, 0);
	blg_build_multi_end(b);
	blg_build_sample_end(b, time);
}

const char *const real_blgs[N_REAL_BLGS] = {
	"blg/pwsh-CounterSamples.blg",
	"blg/tx-BasicPerfCounters.blg",
	"blg/pal-SampleLog.blg",
};

// ---- Reading ------------------------------------------------------------------------------------

struct blg_opened
blg_log_open(struct blg_build *b, const struct pmon_log_options *options)
{
	struct blg_opened log = {0};

	log.file = blg_build_finish(b, &log.len);
	log.source = open_bytes(log.file, log.len, options);
	return log;
}

void
blg_log_read(struct blg_opened *log)
{
	struct pmon_err err;

	assert_int_equal(dump_read(&log->dump, log->source, &err), PMON_END);
}

void
blg_log_close(struct blg_opened *log)
{
	pmon_source_close(log->source);
	dump_free(&log->dump);
	free(log->file);
}

void
blg_expect(struct blg_build *b, const char *want)
{
	struct dump dump;
	size_t len;
	uint8_t *file = blg_build_finish(b, &len);

	dump_bytes(&dump, file, len);
	T_EQ_STR(dump.text, want);
	dump_free(&dump);
	free(file);
}
