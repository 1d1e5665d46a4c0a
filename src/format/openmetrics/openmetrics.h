// openmetrics.h - performance logs as OpenMetrics text
// SPDX-License-Identifier: MIT
//
// docs/formats/openmetrics.md says what becomes of which counter type.

#ifndef PMON_FORMAT_OPENMETRICS_H
#define PMON_FORMAT_OPENMETRICS_H

#include <stdio.h>

#include "format/format.h"
#include "model/schema.h"

#define OM_NAME_SIZE 256

// ---- plan.c: what becomes of a counter ------------------------------------------------------

// One family of a counter: its numerator or its base.
struct om_part {
	bool present;
	bool is_counter;  // else a gauge
	bool is_double;   // the number is the bits of a double, else an integer
	int64_t ticks;    // of a second, to be divided by; 0: the number as it is
	const char *unit; // "" or "seconds", "bytes", "ratio"
	const char *what; // in words
};

struct om_plan {
	const struct pmon_counter_type *type;
	struct om_part main;
	struct om_part base;
	const char *base_suffix; // "_base" or "_units"
	bool from_value;         // the displayed value is written, as elapsed times are
	bool is_percent;         // a displayed percentage, written as a ratio
};

// false when the counter is not written: bases, texts, unknown types.
bool pmon_om_plan_make(const struct pmon_series *series, struct om_plan *plan);

// The name of the family: object, counter and unit in the letters that names may have.
void pmon_om_plan_name(const struct pmon_series *series, const struct om_plan *plan,
		       char name[OM_NAME_SIZE]);

// ---- spool.c: points on the disk ------------------------------------------------------------

#define OM_BLOCK_POINTS 16

struct om_point {
	pmon_time time;
	uint64_t main;
	uint64_t base;
};

// The points of a series: the newest in memory, the others in blocks that are chained backwards.
struct om_points {
	uint64_t n;
	uint64_t last_block; // place in the spool plus 1; 0 is none
	struct om_point buf[OM_BLOCK_POINTS];
};

// A temporary file without a name.
struct om_spool {
	FILE *file;
	uint64_t size;
};

PMON_NODISCARD enum pmon_status pmon_om_spool_open(struct om_spool *spool, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_om_spool_add(struct om_spool *spool, struct om_points *points,
						  const struct om_point *point,
						  struct pmon_err *err);

// Give all points of a series in their order.
typedef void (*om_point_fn)(void *ctx, const struct om_point *point);
PMON_NODISCARD enum pmon_status pmon_om_spool_each(struct om_spool *spool,
						   const struct om_points *points,
						   const struct pmon_allocator *allocator,
						   om_point_fn give, void *ctx,
						   struct pmon_err *err);
void pmon_om_spool_close(struct om_spool *spool);

extern const struct pmon_writer pmon_writer_openmetrics;
extern const struct pmon_writer pmon_writer_prometheus;

#endif
