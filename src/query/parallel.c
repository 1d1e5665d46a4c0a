// parallel.c - the statistics of a source, read by several threads
// SPDX-License-Identifier: MIT
//
// A source that can be split is read in one part per thread, each with its own statistics, which
// are then merged in order. If a part finds anything unusual, all of this is discarded and the
// source is read in one pass, so the result is always the same.

#include <pmon/query.h>

#include <stdatomic.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/options.h"
#include "core/run.h"
#include "model/source.h"
#include "os/threads.h"
#include "query/identity.h"
#include "query/boundaries.h"
#include "query/statistics.h"

#define MOST_PARTS       16
#define PART_BYTES       ((uint64_t)4 << 20)
#define PROGRESS_SAMPLES 16 // between two calls

// Each part has statistics of every series. Their total memory is limited, so a log with more
// series has fewer parts.
#define SERIES_BYTES (sizeof(struct pmon_stats) + sizeof(struct pmon_run) + 32)
#define KEPT_BYTES   4096 // approximate, for percentiles
#define PARTS_BYTES  ((size_t)48 << 20)

struct part {
	struct pmon_source *source;
	struct pmon_statistics *statistics;
	uint32_t *map; // series of the part to series of the whole
	size_t map_n;
	atomic_uint_fast64_t bytes_read;
	enum pmon_status status; // PMON_END on success
};

struct job {
	struct pmon_source *source;
	const struct pmon_statistics_options *options;
	const struct pmon_allocator *allocator;
	struct part parts[MOST_PARTS];
	size_t n;
	atomic_bool is_lost; // a part failed: the others can stop
};

// ---- Reading in one -------------------------------------------------------------------------

static enum pmon_status
read_all(struct pmon_source *source, const struct pmon_statistics_options *options,
	 struct pmon_statistics *statistics, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	uint64_t n = 0;

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK) {
		status = pmon_statistics_add_numbers(statistics, sample, source->numbers, err);
		if (status != PMON_OK)
			return status;
		if (options->progress != NULL && ++n % PROGRESS_SAMPLES == 0)
			options->progress(options->progress_ctx, pmon_source_info(source));
	}
	return status == PMON_END ? PMON_OK : status;
}

static enum pmon_status
read_whole(struct pmon_source *source, const struct pmon_statistics_options *options,
	   struct pmon_statistics *statistics, struct pmon_err *err)
{
	enum pmon_status status;

	source->numbers_suffice = true;
	status = read_all(source, options, statistics, err);
	source->numbers_suffice = false;
	return status;
}

// ---- Reading in parts -----------------------------------------------------------------------

static void
tell_progress(struct job *job)
{
	struct pmon_source_info info = *pmon_source_info(job->source);

	info.bytes_read = 0;
	for (size_t i = 0; i < job->n; i++)
		info.bytes_read +=
			atomic_load_explicit(&job->parts[i].bytes_read, memory_order_relaxed);
	job->options->progress(job->options->progress_ctx, &info);
}

static void
read_part(void *ctx, size_t i)
{
	struct job *job = ctx;
	struct part *part = &job->parts[i];
	const struct pmon_sample *sample;
	uint64_t n = 0;

	part->source->numbers_suffice = true;
	while (!atomic_load_explicit(&job->is_lost, memory_order_relaxed)) {
		part->status = pmon_source_next(part->source, &sample, NULL);
		if (part->status == PMON_OK)
			part->status = pmon_statistics_add_numbers(part->statistics, sample,
								   part->source->numbers, NULL);
		if (part->status != PMON_OK)
			break;
		if (++n % PROGRESS_SAMPLES != 0)
			continue;
		atomic_store_explicit(&part->bytes_read, pmon_source_info(part->source)->bytes_read,
				      memory_order_relaxed);
		if (i == 0 && job->options->progress != NULL)
			tell_progress(job);
	}
	if (part->status != PMON_END)
		atomic_store_explicit(&job->is_lost, true, memory_order_relaxed);
}

// The numbers of the series of a part in the source, as far as they are known.
static bool
begin_map(struct job *job, struct part *part)
{
	size_t n = pmon_schema_count(pmon_source_schema(job->source));

	part->map_n = pmon_schema_count(pmon_source_schema(part->source));
	part->map = pmon_mem_alloc(job->allocator, (part->map_n + 1) * sizeof(*part->map));
	if (part->map == NULL)
		return false;
	for (size_t i = 0; i < part->map_n; i++)
		part->map[i] = i < n ? (uint32_t)i : PMON_SERIES_NONE;
	return true;
}

// A clock change in a part also affects values of later parts, and a different usual interval
// changes which gaps are found.
static bool
is_apart(const struct job *job, size_t i)
{
	const struct pmon_identity *part = pmon_identity_of(job->parts[i].source);
	const struct pmon_identity *before =
		i > 0 ? pmon_identity_of(job->parts[i - 1].source) : NULL;

	return pmon_statistics_pace_changed(job->parts[i].statistics) ||
	       (part != NULL &&
		pmon_clocks_are_apart(before != NULL ? &before->clocks : NULL, &part->clocks));
}

static enum pmon_status
join_parts(struct job *job, struct pmon_statistics *statistics)
{
	struct pmon_source *sources[MOST_PARTS];
	uint32_t *maps[MOST_PARTS];
	struct pmon_boundaries boundaries;
	enum pmon_status status;

	for (size_t i = 0; i < job->n; i++)
		if (is_apart(job, i))
			return PMON_E_STATE;
	for (size_t i = 0; i < job->n; i++) {
		if (!begin_map(job, &job->parts[i]))
			return PMON_E_NOMEM;
		sources[i] = job->parts[i].source;
		maps[i] = job->parts[i].map;
	}
	status = job->source->split->join(job->source, sources, job->n, maps, NULL);
	pmon_boundaries_init(&boundaries, job->allocator);
	for (size_t i = 0; i < job->n && status == PMON_OK; i++) {
		struct part *part = &job->parts[i];

		if (pmon_identity_of(part->source) != NULL &&
		    !pmon_boundaries_join(&boundaries, part->source, part->map, part->statistics,
					  i > 0))
			status = PMON_E_NOMEM;
		if (status == PMON_OK)
			status = pmon_statistics_append(statistics, part->statistics, part->map,
							NULL);
		pmon_statistics_free(part->statistics);
		part->statistics = NULL;
	}
	pmon_boundaries_free(&boundaries);
	return status;
}

static size_t
count_parts(const struct job *job)
{
	size_t n_series = pmon_schema_count(pmon_source_schema(job->source));
	bool percentiles = (job->options->keep & PMON_KEEP_PERCENTILES) != 0;
	size_t bytes = SERIES_BYTES + (percentiles ? KEPT_BYTES : 0);
	size_t most = PARTS_BYTES / bytes / (n_series + 1);

	if (most > MOST_PARTS)
		most = MOST_PARTS;
	return job->options->threads < most ? job->options->threads : most;
}

static enum pmon_status
begin_parts(struct job *job)
{
	struct pmon_source *sources[MOST_PARTS];
	uint64_t bytes = job->options->part_bytes != 0 ? job->options->part_bytes : PART_BYTES;
	enum pmon_status status;

	job->n = count_parts(job);
	if (job->n < 2)
		return PMON_E_STATE;
	status = job->source->split->split(job->source, bytes, sources, &job->n, NULL);
	for (size_t i = 0; i < job->n; i++)
		job->parts[i].source = sources[i];
	for (size_t i = 0; i < job->n && status == PMON_OK; i++)
		status = pmon_statistics_begin(pmon_source_schema(sources[i]), job->options,
					       job->allocator, &job->parts[i].statistics, NULL);
	return status == PMON_OK && job->n == 0 ? PMON_E_STATE : status;
}

static void
end_parts(struct job *job)
{
	for (size_t i = 0; i < job->n; i++) {
		struct part *part = &job->parts[i];

		pmon_statistics_free(part->statistics);
		pmon_source_close(part->source);
		pmon_mem_free(job->allocator, part->map, (part->map_n + 1) * sizeof(*part->map));
	}
}

// PMON_OK: done; any other status: it must be read in one pass.
static enum pmon_status
read_in_parts(struct pmon_source *source, const struct pmon_statistics_options *options,
	      const struct pmon_allocator *allocator, struct pmon_statistics *statistics)
{
	struct job job = {.source = source, .options = options, .allocator = allocator};
	enum pmon_status status;

	if (source->split == NULL)
		return PMON_E_STATE;
	status = begin_parts(&job);
	if (status == PMON_OK) {
		pmon_threads_run(job.n, read_part, &job);
		status = atomic_load(&job.is_lost) ? PMON_E_STATE : join_parts(&job, statistics);
	}
	end_parts(&job);
	return status;
}

// ---- Both -----------------------------------------------------------------------------------

enum pmon_status
pmon_statistics_read(struct pmon_source *source, const struct pmon_statistics_options *options,
		     const struct pmon_allocator *allocator, struct pmon_statistics **out,
		     struct pmon_err *err)
{
	const struct pmon_schema *schema = pmon_source_schema(source);
	struct pmon_statistics_options own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*out = NULL;
	allocator = pmon_mem_allocator(allocator);
	if (status == PMON_OK)
		status = pmon_statistics_begin(schema, &own, allocator, out, err);
	if (status != PMON_OK)
		return status;
	if (read_in_parts(source, &own, allocator, *out) == PMON_OK)
		return PMON_OK;
	// Discard the statistics merged before the failure.
	pmon_statistics_free(*out);
	status = pmon_statistics_begin(schema, &own, allocator, out, err);
	if (status == PMON_OK)
		status = read_whole(source, &own, *out, err);
	if (status != PMON_OK) {
		pmon_statistics_free(*out);
		*out = NULL;
	}
	return status;
}
