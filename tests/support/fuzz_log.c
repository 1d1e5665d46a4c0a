// fuzz_log.c - what the fuzz targets of all log formats do with their input
// SPDX-License-Identifier: MIT

#include "fuzz_log.h"

#include <string.h>

#include <pmon/query.h>

#include "fuzz_input.h"
#include "model/source.h"

#define MAX_SERIES 5000

#define KEPT 3 // when some series are skipped, one in this many is kept

struct pass {
	uint64_t samples;
	uint64_t hash;
	uint64_t kept; // a hash of the kept values
};

static void
count_notice(void *ctx, const struct pmon_notice *notice)
{
	FUZZ_REQUIRE(notice->text[0] != '\0' && strlen(notice->text) < 2048);
	++*(uint64_t *)ctx;
}

// Skip every fourth counter, chosen by name.
static bool
want_most(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->counter.len % 4 != 3;
}

// Choose one of several, as a seed specifies.
static bool
want_one(void *ctx, const struct pmon_path *path)
{
	(void)ctx;
	return path->instance.len > 0 && path->instance.ptr[0] == '!';
}

static void
check_sample(const struct pmon_schema *schema, const struct pmon_sample *sample, struct pass *pass)
{
	static uint64_t all_samples, last_seen[MAX_SERIES];

	pass->samples++;
	all_samples++;
	FUZZ_REQUIRE(sample->time != PMON_TIME_NONE);
	// A text log may specify 26 hours, and --dst-repair may add one.
	FUZZ_REQUIRE(sample->utc_offset_min >= -27 * 60 && sample->utc_offset_min <= 27 * 60);
	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, sample->series[i]);

		FUZZ_REQUIRE(series != NULL && series->name.ptr[series->name.len] == '\0');
		// Check that no series occurs twice.
		FUZZ_REQUIRE(last_seen[sample->series[i]] != all_samples);
		last_seen[sample->series[i]] = all_samples;
		pass->hash = pass->hash * 31 + sample->series[i];
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].first;
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].second;
		pass->hash = pass->hash * 31 + (uint64_t)sample->raw[i].time;
		if (sample->series[i] % KEPT == 0)
			pass->kept = pass->kept * 31 + (uint64_t)sample->raw[i].first +
				     sample->series[i] + (uint64_t)sample->raw[i].time;
	}
}

static enum pmon_status
read_all(struct pmon_source *source, struct pass *pass)
{
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status;

	memset(pass, 0, sizeof(*pass));
	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
		check_sample(pmon_source_schema(source), sample, pass);
	FUZZ_REQUIRE(status == PMON_END || err.msg[0] != '\0');
	return status;
}

// A hash of the statistics as computed with this many threads.
static uint64_t
hash_statistics(struct pmon_source *source, unsigned threads)
{
	struct pmon_statistics_options options = {
		.size = sizeof(options), .threads = threads, .part_bytes = 1};
	struct pmon_statistics *statistics;
	struct pmon_err err;
	uint64_t hash = 0;

	FUZZ_REQUIRE(pmon_source_rewind(source, &err) == PMON_OK);
	FUZZ_REQUIRE(pmon_statistics_read(source, &options, NULL, &statistics, &err) == PMON_OK);
	for (size_t i = 0; i < pmon_schema_count(pmon_source_schema(source)); i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);

		if (stats == NULL)
			continue;
		for (size_t k = 0; k < PMON_V_COUNT; k++)
			hash = hash * 31 + stats->count[k];
		hash = hash * 31 + stats->pairs;
		hash = hash * 31 + stats->numerator.word[0];
		hash = hash * 31 + stats->denominator.word[0];
		hash = hash * 31 + (uint64_t)stats->tail.first;
		hash = hash * 31 + (uint64_t)stats->last_raw_time;
	}
	pmon_statistics_free(statistics);
	return hash;
}

// Kept values must not depend on the skipped ones.
static void
read_some(struct pmon_source *source, const struct pass *all)
{
	bool unread[MAX_SERIES];
	struct pmon_err err;
	struct pass some;

	for (size_t i = 0; i < MAX_SERIES; i++)
		unread[i] = i % KEPT != 0;
	FUZZ_REQUIRE(pmon_source_rewind(source, &err) == PMON_OK);
	pmon_source_skip(source, unread, MAX_SERIES);
	FUZZ_REQUIRE(read_all(source, &some) == PMON_END);
	FUZZ_REQUIRE(some.kept == all->kept);
}

static void
read_twice(struct pmon_source *source, const uint64_t *notices, bool with_threads)
{
	struct pass first, second;
	struct pmon_err err;
	uint64_t told;

	if (read_all(source, &first) != PMON_END)
		return;
	told = *notices;
	FUZZ_REQUIRE(told >= pmon_source_info(source)->losses);
	FUZZ_REQUIRE(pmon_source_rewind(source, &err) == PMON_OK);
	FUZZ_REQUIRE(read_all(source, &second) == PMON_END);
	FUZZ_REQUIRE(first.samples == second.samples && first.hash == second.hash);
	FUZZ_REQUIRE(*notices == told);
	if (with_threads)
		FUZZ_REQUIRE(hash_statistics(source, 1) == hash_statistics(source, 3));
	FUZZ_REQUIRE(*notices == told);
	read_some(source, &first);
}

static enum pmon_status
open_log(const struct pmon_format *format, struct pmon_file *file,
	 const struct pmon_log_options *options, struct pmon_source **source, struct pmon_err *err)
{
	if (format == NULL)
		return pmon_log_open_file(file, options, source, err);
	return pmon_format_open(format, &(struct pmon_log_files){.file = file}, options, source,
				err);
}

void
fuzz_log(const struct pmon_format *format, const struct pmon_log_options *options,
	 const uint8_t *data, size_t size)
{
	static const struct pmon_log_options none = {.size = sizeof(none)};
	struct pmon_log_options own = options != NULL ? *options : none;
	uint64_t notices = 0;
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	own.limits = (struct pmon_limits){
		.series = MAX_SERIES, .record_bytes = 1 << 20, .string_bytes = 4096};
	own.notice = count_notice;
	own.notice_ctx = &notices;
	own.want = size % 2 == 0 ? want_most : NULL;
	if (size % 3 == 1)
		own.want = want_one;
	FUZZ_REQUIRE(pmon_file_memory(data, size, NULL, &file, &err) == PMON_OK);
	if (open_log(format, file, &own, &source, &err) != PMON_OK) {
		FUZZ_REQUIRE(source == NULL && err.msg[0] != '\0');
		return;
	}
	// Starting threads takes longer than everything else.
	read_twice(source, &notices, size > 0 && data[size / 2] % 8 == 0);
	pmon_source_close(source);
}
