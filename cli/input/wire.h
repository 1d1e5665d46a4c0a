// wire.h - a source as bytes: from the process that parses logs to the one that has the network
// SPDX-License-Identifier: MIT
//
// Frames follow each other: a kind (u8), the length of what comes (u32), and that. Integers are little-endian.
// Both ends are the same program, so there are no versions. The reader does not trust the writer: it checks
// every count, number of a series and time, and its memory is bounded by what it has accepted before.
//
// Series go before the first sample that has them. Texts of PERF_COUNTER_TEXT (pmon_log_options.texts) and
// numbers of series that are given to others (pmon_identity_options.forget_after) are not carried.

#ifndef PMON_CLI_INPUT_WIRE_H
#define PMON_CLI_INPUT_WIRE_H

#include <pmon/pmon.h>

// ---- Writing --------------------------------------------------------------------------------

// Frames are added to bytes; who sends them sets n to 0. {0} to begin with.
struct wire_writer {
	uint8_t *bytes;
	size_t n;
	size_t cap;
	size_t n_series; // of the schema, that were put
	uint32_t *ids;   // the series of the sample before
	size_t n_ids;
	size_t cap_ids;
};

// The facts of a source, as they are now, and bits that the reader is given with them. Before the first sample,
// and whenever they changed. These return false when memory is short.
bool wire_put_info(struct wire_writer *writer, const struct pmon_source_info *info, uint32_t bits);
bool wire_put_notice(struct wire_writer *writer, const struct pmon_notice *notice);

// The series that are new. So the reader knows them before it knows the facts, or the sample after them.
bool wire_put_series(struct wire_writer *writer, const struct pmon_schema *schema);

// A sample, after the series that are new.
bool wire_put_sample(struct wire_writer *writer, const struct pmon_schema *schema,
		     const struct pmon_sample *sample);

// What pmon_source_next() returned in place of a sample. Nothing comes after it.
bool wire_put_end(struct wire_writer *writer, enum pmon_status status, const struct pmon_err *err);

void wire_free(struct wire_writer *writer);

// ---- Reading --------------------------------------------------------------------------------

struct wire_options {
	// Get from 1 to size bytes. A status other than PMON_OK: there are no more, and why.
	enum pmon_status (*read)(void *ctx, uint8_t *bytes, size_t size, size_t *got,
				 struct pmon_err *err);
	// Nothing more will be read. Called once, at the latest when the source is closed; err is NULL unless
	// the bytes ended without an end, or were invalid.
	void (*ended)(void *ctx, const struct pmon_err *err);
	void *ctx;
	pmon_notice_fn notice; // NULL: not told
	void *notice_ctx;
	uint32_t *bits;                         // those of wire_put_info(); must outlive the source
	const struct pmon_allocator *allocator; // NULL: malloc; must outlive the source
};

// The source whose frames come. Returns when its facts have come. It cannot be rewound.
PMON_NODISCARD enum pmon_status wire_open(const struct wire_options *options,
					  struct pmon_source **out, struct pmon_err *err);

#endif
