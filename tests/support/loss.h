// loss.h - does a damaged log lose anything without a word?
// SPDX-License-Identifier: MIT
//
// A log is damaged in many places, one at a time. If fewer samples or values come out than from the
// healthy log, the reader must have reported a loss, or have refused to open it.
//
//	struct loss_log log = {.name = "BLG", .bytes = bytes, .len = len};
//
//	loss_sweep(&log, 512, 512);      // each 512-byte sector is zeroed in turn
//	loss_check(&log);                // fails the test if any loss was silent

#ifndef PMON_TESTS_LOSS_H
#define PMON_TESTS_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loss_count {
	bool is_open; // else opening failed, with a message
	uint64_t samples;
	uint64_t values;
	uint64_t losses;  // places, as pmon_source_info has them
	uint64_t notices; // of a loss
};

// A part of a healthy log whose loss cannot be detected, with the reason.
struct loss_exception {
	size_t from, to; // byte offsets
	const char *reason;
};

struct loss_log {
	const char *name;
	const uint8_t *bytes; // the healthy log
	size_t len;
	const struct loss_exception *exceptions;
	size_t n_exceptions;
	// filled in
	struct loss_count healthy;
	size_t mutants;
	size_t losing;   // of them gave fewer samples or values
	size_t excepted; // of these lie in an exception
	size_t silent;   // of these were not reported, and are in no exception
};

// Read a log to its end. Fails the test when a loss is counted but not reported, or the other way round.
struct loss_count loss_read(const void *bytes, size_t len);

// Read a damaged log and judge it; `what` and `at` name the damage in the message.
void loss_judge(struct loss_log *log, const void *bytes, size_t len, const char *what, size_t at);

// Zero `width` bytes at each multiple of `step` in turn.
void loss_sweep(struct loss_log *log, size_t width, size_t step);

// Drop each line of a text in turn.
void loss_drop_lines(struct loss_log *log);

// Cut a text off after each line in turn.
void loss_cut_lines(struct loss_log *log);

// Fails if any loss was silent, or if nothing was lost at all: then there was no damage.
void loss_check(struct loss_log *log);

#endif
