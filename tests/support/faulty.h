// faulty.h - read a log while memory or file access fails
// SPDX-License-Identifier: MIT
//
//	faulty_allocations("small.csv", bytes, len);   // each in turn
//	faulty_reads("small.csv", bytes, len);
//
// The result must be right, or a status that says what failed; and all memory must be freed.

#ifndef PMON_TESTS_FAULTY_H
#define PMON_TESTS_FAULTY_H

#include <stdbool.h>
#include <stddef.h>

#include "dump.h"
#include "t.h"

struct faulty {
	const char *name; // for messages
	const void *bytes;
	size_t len;
	size_t calls;   // reads of the file
	size_t fail_at; // the read that fails, from 1; 0: none
	bool fail_rest; // and all later ones
	bool is_quiet;  // the reason is not requested
};

// Open and read the log, then rewind and read it again, dumping everything; free with dump_free().
// Returns PMON_END or the first failure.
enum pmon_status faulty_read(struct faulty *f, struct t_memory *memory, struct dump *seen);

// Read the log without failures.
struct dump faulty_healthy(const char *name, const void *bytes, size_t len);

// Check that every failed allocation is reported as PMON_E_NOMEM.
void faulty_allocations(const char *name, const void *bytes, size_t len);

// Check that a failed read is reported as PMON_E_IO, or has no effect.
void faulty_reads(const char *name, const void *bytes, size_t len);

// The same while a log is read in parts, one after another, and joined. PMON_E_STATE: the log must
// be read as a whole; false if that is all that ever happens.
bool faulty_parts(const char *name, const void *bytes, size_t len);

#endif
