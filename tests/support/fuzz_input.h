// fuzz_input.h - an input of the fuzz targets for verbs and the page: a log, and options
// SPDX-License-Identifier: MIT
//
// Some inputs are plain logs. The bytes that choose the options follow the log, where the mutator
// put them:
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
	uint8_t choices[FUZZ_CHOICES]; // all 0 if there are none
};

void fuzz_input_open(struct fuzz_input *input, const uint8_t *data, size_t size);

// Pick an element of a list by one of the choices.
#define FUZZ_PICK(input, i, list) ((list)[(input)->choices[i] % (sizeof(list) / sizeof((list)[0]))])

// Mutate the structure of the log, or the choices. Returns the new size.
size_t fuzz_input_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// ---- The log as a file ----------------------------------------------------------------------

// Make a folder, in memory if possible, that disappears when the process ends.
const char *fuzz_folder(void);

// Write a file to that folder; path has 256 bytes.
void fuzz_file(const char *name, const uint8_t *bytes, size_t n, char *path);

// From now on, capture standard output in memory, and count messages on standard error.
void fuzz_capture(void);

// The captured output since the last call, and whether there were messages. The text is valid until
// the next call.
struct fuzz_output {
	const char *text;
	size_t len;
	bool has_words;
};
struct fuzz_output fuzz_captured(void);

// Abort, naming the line, if a condition does not hold.
#define FUZZ_REQUIRE(condition) fuzz_require((condition), #condition, __FILE__, __LINE__)
void fuzz_require(bool condition, const char *text, const char *file, int line);

// Abort if a text is not a JSON document, or several.
void fuzz_check_json(const char *text, size_t len);

#endif
