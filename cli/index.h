// index.h - what pmon info has found out of a log, so that it is read only once
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_INDEX_H
#define PMON_CLI_INDEX_H

#include "cache.h"
#include "survey.h"

struct index_notice;

// What is known of one file, or is being found out.
struct index {
	bool is_used; // false: nothing is looked up nor kept
	const char *file;
	char folder[FOLDER_SIZE];
	struct cache_key key;
	bool is_settled; // no change since could have gone unseen
	// what was told while the file was read
	struct index_notice *notices;
	size_t n;
	bool is_lost; // there was more than can be kept
};

// Begin with a file. Options that change how a log is read go without what is kept.
void index_open(struct index *index, const struct args *args, const char *file);
void index_close(struct index *index);

// A pmon_notice_fn, whose ctx is the index: what is told of the file while it is read.
void index_notice(void *index, const struct pmon_notice *notice);

// What was kept of the file as it is now: a source that has all been read, NULL when there is none.
// Fills in *survey, and tells what was told.
struct pmon_source *index_find(const struct index *index, struct survey *survey,
			       pmon_notice_fn tell, void *ctx);

// Keep what was found out by reading the source to its end.
void index_keep(const struct index *index, const struct pmon_source *source,
		const struct survey *survey);

#endif
