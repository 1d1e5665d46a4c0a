// lines.h - a source as a list of lines, one per raw value, to compare sources regardless of order
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_LINES_H
#define PMON_TESTS_LINES_H

#include <stddef.h>

#include <pmon/model.h>

struct lines {
	char **p;
	size_t n, cap;
};

// One line for each sample and each raw value, with everything known about it. Rewinds the source.
struct lines read_lines(struct pmon_source *source);

// One line for each series with statistics. Rewinds the source.
struct lines read_statistics(struct pmon_source *source);

// The same for statistics that were already read.
struct pmon_statistics;
struct lines statistics_lines(const struct pmon_source *source,
			      const struct pmon_statistics *statistics);

// The number of lines that are samples; and the lines without these.
size_t count_samples(const struct lines *l);
void drop_samples(struct lines *l);

// Copy the lines of the first n samples, which must be in reading order.
struct lines first_samples(const struct lines *l, size_t n);

// Fail the test if the lines differ, regardless of order. Frees both.
void same_lines(struct lines *got, struct lines *want);

void free_lines(struct lines *l);

#endif
