// fuzz_input.h - an input of the fuzz targets of verbs and page: a log, and what to do with it
// SPDX-License-Identifier: MIT
//
// Some inputs are real logs. The choices of what to do with them follow the log, where
// the mutator put them:
//
//	log ..., FUZZ_CHOICES bytes, "pmon fuzz"

#ifndef PMON_TESTS_FUZZ_INPUT_H
#define PMON_TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_CHOICES 16

struct fuzz_input {
	const uint8_t *log;
	size_t log_size;
	uint8_t choices[FUZZ_CHOICES]; // all 0 where there are none
};

void fuzz_input_open(struct fuzz_input *input, const uint8_t *data, size_t size);

// One of a list, by a choice.
#define FUZZ_PICK(input, i, list) ((list)[(input)->choices[i] % (sizeof(list) / sizeof((list)[0]))])

// Change the log by its structure, or the choices. Returns the new size.
size_t fuzz_input_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// ---- The log as a file ----------------------------------------------------------------------

// Make a folder in memory where there is one, which goes when the process ends.
const char *fuzz_folder(void);

// Write a file in that folder; path has 256 bytes.
void fuzz_file(const char *name, const uint8_t *bytes, size_t n, char *path);

// From now on standard output is kept in memory, and messages on standard error are counted.
void fuzz_capture(void);

// The standard output since the last call, and whether there were messages. The text stays until
// the next call.
struct fuzz_output {
	const char *text;
	size_t len;
	bool has_words;
};
struct fuzz_output fuzz_captured(void);

// Abort, after the line where, unless something holds.
#define FUZZ_REQUIRE(condition) fuzz_require((condition), #condition, __FILE__, __LINE__)
void fuzz_require(bool condition, const char *text, const char *file, int line);

// Abort unless a text is one JSON document, or many.
void fuzz_check_json(const char *text, size_t len);

#endif
