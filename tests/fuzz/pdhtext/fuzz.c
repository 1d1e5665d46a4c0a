// fuzz.c - libFuzzer target: any bytes as a text log
// SPDX-License-Identifier: MIT
//
// The log is read, rewound and read again. Beyond not crashing: what a sample says is consistent, all
// texts are UTF-8, the second reading gives what the first gave, and nothing is told twice.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/log.h>

#include "base/utf.h"
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

static bool
is_text(const char *text)
{
	return pmon_utf8_valid((struct pmon_span){text, strlen(text)});
}

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	require(notice->text[0] != '\0' && strlen(notice->text) < 400 && is_text(notice->text));
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
check_series(const struct pmon_series *series)
{
	require(series != NULL && series->formatted);
	require(series->name.ptr[series->name.len] == '\0' && is_text(series->name.ptr));
	require(strlen(series->name.ptr) == series->name.len);
	require(!series->type_known || pmon_type_by_word(series->known_type) != NULL);
}

static void
check_sample(const struct pmon_schema *schema, const struct pmon_sample *sample, struct pass *pass,
	     uint64_t *last_seen)
{
	pass->samples++;
	require(sample->utc_offset_min >= -27 * 60 && sample->utc_offset_min <= 27 * 60);
	for (size_t i = 0; i < sample->n; i++) {
		double value;

		check_series(pmon_schema_at(schema, sample->series[i]));
		memcpy(&value, &sample->raw[i].first, sizeof(value));
		require(isfinite(value));
		// No series is there twice.
		require(last_seen[sample->series[i]] != pass->samples);
		last_seen[sample->series[i]] = pass->samples;
		pass->hash = pass->hash * 31 + sample->series[i];
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].first;
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].time;
	}
}

static struct pass
read_through(struct pmon_source *log)
{
	const struct pmon_schema *schema = pmon_source_schema(log);
	const struct pmon_sample *sample;
	struct pass pass = {0};
	uint64_t *last_seen = NULL;
	size_t cap = 0;
	enum pmon_status status;

	while ((status = pmon_source_next(log, &sample, NULL)) == PMON_OK) {
		size_t n = pmon_schema_count(schema);

		if (n > cap) {
			last_seen = realloc(last_seen, n * sizeof(*last_seen));
			require(last_seen != NULL);
			memset(last_seen + cap, 0, (n - cap) * sizeof(*last_seen));
			cap = n;
		}
		check_sample(schema, sample, &pass, last_seen);
	}
	require(status == PMON_END || status == PMON_E_LIMIT);
	free(last_seen);
	return pass;
}

static void
check_info(const struct pmon_source_info *info)
{
	require(is_text(info->format) && is_text(info->writer) && is_text(info->machine) &&
		is_text(info->zone));
	require(info->bytes_read <= info->size_bytes);
}

static void
read_twice(struct pmon_source *log, const uint64_t *notices)
{
	const struct pmon_source_info *info = pmon_source_info(log);
	struct pass first = read_through(log);
	uint64_t told = *notices;
	uint64_t losses = info->losses;
	struct pass second;

	check_info(info);
	require(pmon_source_rewind(log, NULL) == PMON_OK);
	second = read_through(log);
	require(first.samples == second.samples && first.hash == second.hash);
	require(told == *notices && losses == info->losses);
}

static void
read_with(const uint8_t *data, size_t size, const char *encoding, bool repair)
{
	uint64_t notices = 0;
	struct pmon_log_options options = {
		.limits = {.record_bytes = 1 << 16, .series = 2000, .string_bytes = 1000},
		.notice = count_notice,
		.notice_ctx = &notices,
		.want = repair ? want_most : NULL,
		.encoding = encoding,
		.dst_repair = repair,
	};
	struct pmon_source *log;
	struct pmon_file *file;

	require(pmon_file_memory(data, size, NULL, &file, NULL) == PMON_OK);
	if (pmon_log_open_file(file, &options, &log, NULL) != PMON_OK)
		return;
	read_twice(log, &notices);
	pmon_source_close(log);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_with(data, size, NULL, false);
	read_with(data, size, size % 2 == 0 ? "CP932" : NULL, true);
	return 0;
}
