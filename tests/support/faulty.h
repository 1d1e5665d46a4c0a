// faulty.h - a log that is read while memory or its file fails
// SPDX-License-Identifier: MIT
//
//	faulty_allocations("small.csv", bytes, len);   // each in turn
//	faulty_reads("small.csv", bytes, len);
//
// The outcome is the right one, or a status that says what failed; and all memory is given back.

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
	size_t fail_at; // the number of the read, from 1, that fails; 0 for none
	bool fail_rest; // and so do all later ones
	bool is_quiet;  // nobody asks why
};

// Open and read the log, rewind it and read it again, all of which is dumped; dump_free() that. Returns PMON_END
// or the first failure.
enum pmon_status faulty_read(struct faulty *f, struct t_memory *memory, struct dump *seen);

// Read the log while nothing fails.
struct dump faulty_healthy(const char *name, const void *bytes, size_t len);

// Every failed allocation is reported as PMON_E_NOMEM.
void faulty_allocations(const char *name, const void *bytes, size_t len);

// A failed read is reported as PMON_E_IO, or changes nothing.
void faulty_reads(const char *name, const void *bytes, size_t len);

// The same while a log is read in parts, one after the other, that are joined. PMON_E_STATE means that it is to be
// read in one; false when nothing else comes of it.
bool faulty_parts(const char *name, const void *bytes, size_t len);

#endif
