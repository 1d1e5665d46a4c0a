// wire_frames.h - the contents of frames (wire.h)
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_WIRE_FRAMES_H
#define PMON_SHELL_INPUT_WIRE_FRAMES_H

#include <pmon/pmon.h>

#include "base/rd.h"
#include "base/wr.h"

enum kind {
	KIND_INFO = 1,
	KIND_SERIES,
	KIND_SAMPLE,
	KIND_NOTICE,
	KIND_END,
};

// Bits of a sample.
#define SAMPLE_LEAD_IN   1u
#define SAMPLE_STARTS    2u
#define SAMPLE_AS_BEFORE 4u // the series are those of the previous sample and are not repeated
#define SAMPLE_OWNERS    8u // another sample follows

#define HEAD_BYTES 5
#define RAW_BYTES  32
#define ID_BYTES   4
#define ZONE_BYTES 172

// Either end of the wire: one description of a frame serves both.
struct codec {
	bool writes;
	struct pmon_wr w;
	struct pmon_rd r;
};

struct facts {
	uint32_t bits;
	struct pmon_source_info info; // without its texts
	struct pmon_span format;
	struct pmon_span writer;
	struct pmon_span converter;
	struct pmon_span machine;
	struct pmon_span zone;
	uint32_t n_machines; // number that follow
	bool has_host;
	struct pmon_host host;
	struct pmon_span zone_info;
};

// Write the fields of a frame, or read them. A text that was read points into the frame.
void code_facts(struct codec *c, struct facts *f);
// A machine and its id, after the facts.
void code_machine(struct codec *c, struct pmon_span *name, struct pmon_span *id);
// other: the object and counter of `english`, or of `logged`.
void code_series(struct codec *c, struct pmon_series *s, struct pmon_path *other, bool *is_logged);
void code_notice(struct codec *c, struct pmon_notice *notice, struct pmon_span *text);
void code_end(struct codec *c, uint8_t *status, struct pmon_err *err, struct pmon_span *text);

// Its values follow: n series numbers, unless they are unchanged, then n raw values.
void code_sample(struct codec *c, struct pmon_sample *sample, uint8_t *bits, uint32_t *n);

#endif
