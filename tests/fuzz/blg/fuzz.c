// fuzz.c - libFuzzer target: any bytes as a binary performance log
// SPDX-License-Identifier: MIT
//
// The log is read, rewound and read again. Beyond not crashing: what a sample says is consistent, the
// second reading gives what the first gave, and nothing is told twice.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/log.h>

#include "format/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pass {
	uint64_t samples;
	uint64_t hash;
};

static void
require(bool condition)
{
	if (!condition)
		abort();
}

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	require(notice->text[0] != '\0' && strlen(notice->text) < 256);
	++*(uint64_t *)ctx;
}

// Leave out every fourth counter, by its name.
static bool
want_most(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->counter.len % 4 != 3;
}

static void
check_sample(const struct pmon_schema *schema, const struct pmon_sample *sample, struct pass *pass,
	     uint64_t *last_seen)
{
	pass->samples++;
	require(sample->utc_offset_min >= -15 * 60 && sample->utc_offset_min <= 15 * 60);
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, sample->series[i]);

		require(series != NULL && series->name.ptr[series->name.len] == '\0');
		// No series is there twice.
		require(last_seen[sample->series[i]] != pass->samples);
		last_seen[sample->series[i]] = pass->samples;
		pass->hash = pass->hash * 31 + sample->series[i];
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].first;
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].time;
	}
}

#define MAX_SERIES 5000

static enum pmon_status
read_all(struct pmon_source *source, struct pass *pass)
{
	uint64_t *last_seen = calloc(MAX_SERIES, sizeof(*last_seen));
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status;

	require(last_seen != NULL);
	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
		check_sample(pmon_source_schema(source), sample, pass, last_seen);
	require(status == PMON_END || err.msg[0] != '\0');
	free(last_seen);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t notices = 0;
	struct pmon_log_options options = {
		.limits = {.record_bytes = 1 << 20, .series = MAX_SERIES, .string_bytes = 4096},
		.notice = count_notice,
		.notice_ctx = &notices,
		.want = size % 2 != 0 ? want_most : NULL,
	};
	struct pass first = {0}, second = {0};
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	require(pmon_file_memory(data, size, NULL, &file, &err) == PMON_OK);
	if (pmon_log_open_file(file, &options, &source, &err) != PMON_OK) {
		require(source == NULL && err.msg[0] != '\0');
		return 0;
	}
	if (read_all(source, &first) == PMON_END) {
		uint64_t told = notices;

		require(told >= pmon_source_info(source)->losses);
		require(pmon_source_rewind(source, &err) == PMON_OK);
		require(read_all(source, &second) == PMON_END);
		require(notices == told && first.samples == second.samples &&
			first.hash == second.hash);
	}
	pmon_source_close(source);
	return 0;
}
