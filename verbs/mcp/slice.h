// slice.h - one page of the rows of a JSON output, while it is written
// SPDX-License-Identifier: MIT
//
// An output is an object, one member of which is the list of rows, or it is one object after the other, each of which
// is a row. The texts of rows and numbers stay as they were written.

#ifndef PMON_VERBS_MCP_SLICE_H
#define PMON_VERBS_MCP_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLICE_NAMES 2

struct slice_text {
	char *ptr; // NULL: empty
	size_t len;
	size_t cap;
};

struct slice {
	// what is asked for
	const char *lists
		[SLICE_NAMES]; // the list of rows has one of these names; NULL: each object is a row
	const char *const *left_out; // members that are not kept, ends with NULL
	uint64_t offset;             // the first row of the page
	uint64_t most;               // rows of it
	size_t most_bytes;           // of it, if it has more than one row
	size_t most_of_row;          // bytes of the first row
	size_t most_members;         // bytes of all other members
	// results
	struct slice_text page;    // rows, with commas between them
	struct slice_text members; // the other members, with commas between them
	uint64_t seen;             // rows so far
	uint64_t kept;             // of them on the page
	bool is_over;              // nothing that follows matters
	bool is_short;             // out of memory
	bool lost_member;          // a member was too large
	bool lost_row;             // the first row was too large
	// state
	enum {
		SLICE_OUTSIDE, // of the object
		SLICE_BETWEEN, // members
		SLICE_NAME,
		SLICE_COLON,
		SLICE_MEMBER,
		SLICE_LIST, // between rows
		SLICE_ROW,
	} state;
	char name[64];
	size_t name_len;
	bool is_kept; // this row or member is kept
	bool is_full; // the page is
	bool in_text;
	bool is_escaped;
	int depth;    // inside the row or member
	size_t start; // of it
};

// Take the next bytes of the output.
void slice_take(struct slice *rows, const char *bytes, size_t n);

// Number of the first row of the next page; 0: none.
uint64_t slice_next(const struct slice *rows);

void slice_free(struct slice *rows);

#endif
