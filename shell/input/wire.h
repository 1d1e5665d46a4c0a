// wire.h - serialize a source: from the process that parses logs to the one with network access
// SPDX-License-Identifier: MIT
//
// The stream is a sequence of frames: a kind (u8), the length of the rest (u32), and the rest.
// Integers are little-endian. Both ends are the same program, so there are no versions. The reader
// does not trust the writer: it checks every count, series number and time, and its memory is
// bounded by what it has already accepted.
//
// Series precede the first sample that contains them. Texts of PERF_COUNTER_TEXT
// (pmon_log_options.texts) and reused series numbers (pmon_identity_options.forget_after) are not
// transmitted.

#ifndef PMON_SHELL_INPUT_WIRE_H
#define PMON_SHELL_INPUT_WIRE_H

#include <pmon/pmon.h>

// ---- Writing --------------------------------------------------------------------------------

// Frames are appended to bytes; the sender sets n to 0. Initialize with {0}.
struct wire_writer {
	uint8_t *bytes;
	size_t n;
	size_t cap;
	size_t n_series; // series of the schema sent so far
	uint32_t *ids;   // the series of the previous sample
	size_t n_ids;
	size_t cap_ids;
};

// The current info of a source, and bits that are passed to the reader. Before the first sample,
// and whenever they changed. These functions return false if out of memory.
bool wire_put_info(struct wire_writer *writer, const struct pmon_source_info *info, uint32_t bits);
bool wire_put_notice(struct wire_writer *writer, const struct pmon_notice *notice);

// The new series. They must precede the info and samples that refer to them.
bool wire_put_series(struct wire_writer *writer, const struct pmon_schema *schema);

// A sample, after its new series.
bool wire_put_sample(struct wire_writer *writer, const struct pmon_schema *schema,
		     const struct pmon_sample *sample);

// The final status of pmon_source_next(). Nothing follows it.
bool wire_put_end(struct wire_writer *writer, enum pmon_status status, const struct pmon_err *err);

void wire_free(struct wire_writer *writer);

// ---- Reading --------------------------------------------------------------------------------

struct wire_options {
	// Read 1 to size bytes. A status other than PMON_OK is the reason why there are no more.
	enum pmon_status (*read)(void *ctx, uint8_t *bytes, size_t size, size_t *got,
				 struct pmon_err *err);
	// Reading has ended. Called once, at the latest when the source is closed; err is NULL
	// unless the stream was incomplete or invalid.
	void (*ended)(void *ctx, const struct pmon_err *err);
	void *ctx;
	pmon_notice_fn notice; // NULL: none
	void *notice_ctx;
	uint32_t *bits;                         // those of wire_put_info(); must outlive the source
	const struct pmon_allocator *allocator; // NULL: malloc; must outlive the source
};

// Open the source that the frames describe. Returns when its info has arrived. It cannot be
// rewound.
PMON_NODISCARD enum pmon_status wire_open(const struct wire_options *options,
					  struct pmon_source **out, struct pmon_err *err);

#endif
