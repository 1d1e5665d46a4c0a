// unit.h - in what a series is measured, and how much of it a person reads at once
// SPDX-License-Identifier: MIT

#ifndef PMON_DRAW_UNIT_H
#define PMON_DRAW_UNIT_H

#include <pmon/query.h>

// What is measured. Series of one quantity share an axis.
enum draw_quantity {
	DRAW_COUNT,
	DRAW_RATE, // a second
	DRAW_PERCENT,
	DRAW_SECONDS,
	DRAW_BYTES,
	DRAW_BYTE_RATE,
	DRAW_QUANTITIES
};

// Displayed value * factor is in percent, seconds, bytes ...
struct draw_unit {
	enum draw_quantity quantity;
	double factor;
	bool is_hex; // shown in hexadecimal, for itself and without a multiple
	bool is_id;  // names something, as a process: shown as it is
};

// By the type of the counter, or by its name if the type has none: "Available MBytes".
struct draw_unit draw_unit_of(const struct pmon_series *series);

// What the total of a series is in, its integral over time: "s", "operations", "byte-seconds"; NULL when it has none.
// The total as the library computes it is to be multiplied by *factor.
const char *draw_total_unit(const struct pmon_series *series, double *factor);

// Is this difference between the values of a series at two times large enough to be worth attention?
bool draw_is_large(const struct pmon_series *series, double difference);

// A multiple of a unit: {0.001, "ms"}. Bytes go by 1024, as Windows counts them.
struct draw_multiple {
	double size;
	const char *name;
};

// The largest multiple that is not above the magnitude. Never NULL.
const struct draw_multiple *draw_multiple_for(enum draw_quantity quantity, double magnitude);

// A line across the panels of a quantity.
struct draw_threshold {
	double value; // in percent, seconds, bytes ...
	enum draw_quantity quantity;
	bool any; // no unit was given: across all panels that count, and where there is but one panel
	bool below;               // what is below it is beyond it
	struct pmon_span counter; // across panels that show this counter alone; {NULL, 0}: any
	char text[32];
};

// Read "20ms", "80%", "1.5 GB", "10MB/s", "100/s", "1e6". Returns false when it is not valid. All limits that a
// user writes are read by this.
bool draw_threshold_parse(const char *text, struct draw_threshold *out);

// All units, for messages about an unknown unit.
#define DRAW_UNITS                                                                                 \
	"%, ns, us, ms, s, min, h, d, B, KB, MB, GB, TB, PB, EB, k, M, G, T, P, the last twelve "  \
	"also with /s"

// The units that limits of a quantity take, as a list for messages. A number without one is always taken.
const char *draw_unit_names(enum draw_quantity quantity);

#endif
