// index.h - the cached survey of a log, so that pmon info reads it only once
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_INFO_INDEX_H
#define PMON_APPS_INFO_INDEX_H

#include "cli/args/args.h"
#include "cli/input/survey.h"
#include "cli/process/cache.h"

struct index_notice;

// What is known of one file, or is being found out.
struct index {
	bool is_used; // false: the cache is neither read nor written
	const char *file;
	char folder[FOLDER_SIZE];
	struct cache_key key;
	bool is_settled; // a later change would show in the times of the file
	// the notices that came while the file was read
	struct index_notice *notices;
	size_t n;
	bool is_lost; // there was more than can be kept
};

// Begin with a file. The cache is not used with options that change how a log is read.
void index_open(struct index *index, const struct args *args, const char *file);
void index_close(struct index *index);

// A pmon_notice_fn, whose ctx is the index: collects the notices of a file that is read.
void index_notice(void *index, const struct pmon_notice *notice);

// The cached state of the unchanged file: a source that was read to its end, NULL when there is none.
// Fills in *survey and repeats the notices.
struct pmon_source *index_find(const struct index *index, struct survey *survey,
			       pmon_notice_fn tell, void *ctx);

// Cache the survey of a source that was read to its end.
void index_keep(const struct index *index, const struct pmon_source *source,
		const struct survey *survey);

#endif
