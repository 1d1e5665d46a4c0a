// corpus.h - small logs of all formats, for tests that run on all of them
// SPDX-License-Identifier: MIT

#ifndef PMON_TESTS_CORPUS_H
#define PMON_TESTS_CORPUS_H

#include <stddef.h>
#include <stdint.h>

struct corpus_log {
	char name[900];
	uint8_t *bytes;
	size_t len;
};

typedef void (*corpus_fn)(const struct corpus_log *log);

// The fuzz seeds that are logs of at most most_bytes, and two binary logs with every form of value
// record.
void corpus_each(size_t most_bytes, corpus_fn check);

#endif
