// unit.h - the units of series, and their readable multiples
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
	DRAW_TIME_RATE, // seconds per second, summed over all waiters
	DRAW_BIT_RATE,
	DRAW_FREQUENCY,
	DRAW_QUANTITIES
};

// Displayed value * factor is in percent, seconds, bytes ...
struct draw_unit {
	enum draw_quantity quantity;
	double factor;
	bool is_hex; // shown in hexadecimal, on its own and unscaled
	bool is_id;  // an identifier, such as a process id: shown unscaled
};

// By draw_unit_name(), the unit of the displayed values: "MB", "/s", "ns". It comes from pmon_series_unit()
// or, if the type has none, from the counter's name: "Available MBytes".
const char *draw_unit_name(const struct pmon_series *series);
struct draw_unit draw_unit_of(const struct pmon_series *series);

// The unit of a series' total, which is its integral over time: "s", "operations", "byte-seconds"; NULL if it
// has none. Multiply the library's total by *factor.
const char *draw_total_unit(const struct pmon_series *series, double *factor);

// Is this difference between the values of a series at two times large enough to be worth attention?
bool draw_is_large(const struct pmon_series *series, double difference);

// The name of a quantity in JSON and scripts: "byte_rate".
const char *draw_quantity_name(enum draw_quantity quantity);

// A multiple of a unit: {0.001, "ms"}. Bytes use multiples of 1024, as in Windows.
struct draw_multiple {
	double size;
	const char *name;
};

// The multiple with this size; the largest multiple not above the magnitude. Never NULL.
const struct draw_multiple *draw_multiple_of(enum draw_quantity quantity, double size);
const struct draw_multiple *draw_multiple_for(enum draw_quantity quantity, double magnitude);

// A line across the panels of a quantity.
struct draw_threshold {
	double value; // in percent, seconds, bytes ...
	enum draw_quantity quantity;
	double multiple;          // of the unit as written: 0.001 for "20ms"
	bool any;                 // no unit: drawn on panels of counts, and on any single panel
	bool below;               // values below it are beyond it
	struct pmon_span counter; // only on panels that show just this counter; {NULL, 0}: any
	char text[32];
};

// Read "20ms", "80%", "1.5 GB", "10MB/s", "100/s", "1e6". Returns false if it is invalid. Parses all limits
// that users write.
bool draw_threshold_parse(const char *text, struct draw_threshold *out);

// All units, for messages about an unknown unit.
#define DRAW_UNITS                                                                                 \
	"%, ns, us, ms, s, min, h, d, B, KB, MB, GB, TB, PB, EB, k, M, G, T, P, the last twelve "  \
	"and ns to s also with /s; bit/s, Hz, and these with k, M, G"

// The units accepted for limits of a quantity, as a list for messages. A number without a unit is always accepted.
const char *draw_unit_names(enum draw_quantity quantity);

#endif
