// lines.h - a source as lines, one for each raw value, so that two are compared in any order
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_LINES_H
#define PMON_TESTS_LINES_H

#include <stddef.h>

#include <pmon/model.h>

struct lines {
	char **p;
	size_t n, cap;
};

// A line for each sample and each raw value, with all that is known of it. Rewinds the source.
struct lines read_lines(struct pmon_source *source);

// A line for each series that has statistics. Rewinds the source.
struct lines read_statistics(struct pmon_source *source);

// The same of statistics that were read already.
struct pmon_statistics;
struct lines statistics_lines(const struct pmon_source *source,
			      const struct pmon_statistics *statistics);

// How many of the lines are of samples; and the lines without those.
size_t count_samples(const struct lines *l);
void drop_samples(struct lines *l);

// Of lines as they were read, those of the first n samples stay.
void keep_samples(struct lines *l, size_t n);

// The test fails unless the lines are the same, in any order. Frees both.
void same_lines(struct lines *got, struct lines *want);

void free_lines(struct lines *l);

#endif
