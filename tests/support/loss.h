// loss.h - check that no loss in a damaged log goes unreported
// SPDX-License-Identifier: MIT
//
// A log is damaged at many positions, one at a time. If fewer samples or values are read than from
// the intact log, the reader must have reported a loss, or refused to open it.
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
	bool is_open; // false: it was rejected, with a message
	uint64_t samples;
	uint64_t values;
	uint64_t losses;  // damaged places, as in pmon_source_info
	uint64_t notices; // of a loss
	uint64_t digest;  // of all samples: times, paths and raw values
};

// A part of an intact log whose loss cannot be detected, and why.
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
	bool is_exact; // different values count as a loss too
	// filled in
	struct loss_count healthy;
	size_t mutants;
	size_t losing;   // of these, with fewer samples or values
	size_t excepted; // of these, within an exception
	size_t silent;   // of these, neither reported nor within an exception
};

// Read a whole log. Fails the test if the counted and reported losses do not agree, or if a ledger
// does not add up to the size of the log.
struct loss_count loss_read(const void *bytes, size_t len);

// Read a damaged log and check it; `what` and `at` describe the damage in messages.
void loss_judge(struct loss_log *log, const void *bytes, size_t len, const char *what, size_t at);

// Zero `width` bytes at each multiple of `step` in turn.
void loss_sweep(struct loss_log *log, size_t width, size_t step);

// One damage of n bytes at one position.
enum loss_kind {
	LOSS_CUT,    // the end of the file
	LOSS_DELETE, // bytes in the middle
	LOSS_INSERT, // others between them
	LOSS_ZERO,
	LOSS_KINDS,
};

// Damage the log and check it: `width` bytes at a position, or fewer at the end.
void loss_damage(struct loss_log *log, enum loss_kind kind, size_t at, size_t width);

// Do so at each multiple of `step` in turn.
void loss_damage_each(struct loss_log *log, enum loss_kind kind, size_t width, size_t step);

// Remove each line of a text in turn.
void loss_drop_lines(struct loss_log *log);

// Truncate a text after each line in turn.
void loss_cut_lines(struct loss_log *log);

// Fails if any loss was silent, or if nothing was lost, because then nothing was damaged.
void loss_check(struct loss_log *log);

#endif
